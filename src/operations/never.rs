//! Moments that stand for none: Forgejo writes a zero where something has not happened yet, or never will.

use jiff::Timestamp;

/// The days on which Go's zero time falls, by time zone.
const ZERO: [&str; 2] = ["0001-01-01T", "0000-12-31T"];

/// The days on which the first second of Unix time falls, by time zone.
const EPOCH: [&str; 2] = ["1970-01-01T", "1969-12-31T"];

/// Whether a date and time stands for none: Go's zero time (the whole day: zones were not of whole minutes then) or the
/// first second of Unix time, in any time zone.
pub(super) fn is_never(text: &str) -> bool {
    let is_of = |days: [&str; 2]| days.iter().any(|day| text.starts_with(day));
    is_of(ZERO)
        || (is_of(EPOCH) && text.parse::<Timestamp>().is_ok_and(|moment| moment == Timestamp::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_in_any_time_zone_is_never_and_all_else_is_a_moment() {
        for never in [
            "0001-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:00",
            "0001-01-01T00:53:28+00:53",
            "0000-12-31T19:03:58-04:56",
            "1970-01-01T00:00:00Z",
            "1970-01-01T00:00:00+00:00",
            "1970-01-01T01:00:00+01:00",
            "1969-12-31T19:00:00-05:00",
        ] {
            assert!(is_never(never), "{never}");
        }
        for moment in
            ["1970-01-01T00:00:01Z", "1970-01-01T00:00:00+01:00", "1970-01-01", "2026-11-30T12:46:02Z", ""]
        {
            assert!(!is_never(moment), "{moment}");
        }
    }
}
