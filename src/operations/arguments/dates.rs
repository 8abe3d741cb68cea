//! Dates and moments as Forgejo reads them: RFC 3339 in upper case, with an offset.

use jiff::civil;

/// A moment as it is sent: a plain date becomes its first moment in UTC; `None` where the text is neither.
pub(super) fn date_time(text: &str) -> Option<String> {
    if is_date(text) {
        return Some(format!("{text}T00:00:00Z"));
    }
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't'])?;
    let (time, offset) = rest.split_at(rest.find(['Z', 'z', '+', '-'])?);
    (is_date(date) && is_time(time) && is_offset(offset)).then(|| text.to_ascii_uppercase())
}

/// Whether a text is `YYYY-MM-DD` and that day exists.
pub(super) fn is_date(text: &str) -> bool {
    has_form(text, "0000-00-00") && text.parse::<civil::Date>().is_ok()
}

/// `hh:mm:ss` with or without a fraction; no leap second, which Forgejo refuses.
fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, f)| (whole, Some(f)));
    let digits = |f: &str| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit());
    has_form(whole, "00:00:00")
        && !whole.ends_with("60")
        && whole.parse::<civil::Time>().is_ok()
        && fraction.is_none_or(digits)
}

fn is_offset(text: &str) -> bool {
    if matches!(text, "Z" | "z") {
        return true;
    }
    let Some(clock) = text.strip_prefix(['+', '-']) else { return false };
    has_form(clock, "00:00") && clock.parse::<civil::Time>().is_ok()
}

/// Whether a text has digits where the form has `0`, and the form's own characters elsewhere.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(b, f)| if f == b'0' { b.is_ascii_digit() } else { b == f })
}
