//! Lengths of time as people write them.

/// The form, for errors.
pub(super) const FORM: &str = "a length of time, as 1h30m, 90m, 45s, 1d (24 hours), or seconds";

/// Units in the order in which they may stand, with their seconds.
const UNITS: [(char, i64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// The seconds of `1d2h30m5s` (each part once, the greater before the smaller), or of a bare number of seconds.
pub(in crate::operations) fn seconds(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    if let Some(seconds) = number(rest) {
        return Some(seconds);
    }
    let mut total: i64 = 0;
    for (unit, worth) in UNITS {
        let Some((count, behind)) = rest.split_once(unit) else { continue };
        total = total.checked_add(number(count)?.checked_mul(worth)?)?;
        rest = behind;
    }
    (rest.is_empty() && !text.trim().is_empty()).then_some(total)
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
