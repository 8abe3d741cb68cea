//! Percent-encoding of what goes into a target: exactly once, and never into another route.

use crate::BuildError;

/// Encodes one path segment: everything outside RFC 3986's unreserved characters becomes `%XX`.
///
/// # Errors
/// An empty value, values that are or hold `.` or `..` between slashes or backslashes (a proxy that decodes early would
/// climb), and values with NUL, CR or LF are refused.
pub fn segment(name: &str, value: &str) -> Result<String, BuildError> {
    let mut out = String::with_capacity(value.len());
    push_segment(&mut out, name, value)?;
    Ok(out)
}

/// Encodes a path parameter whose slashes separate segments, as a file's path: each segment as [`segment`] does.
///
/// # Errors
/// As [`segment`], for each part between slashes: leading, trailing and doubled slashes are refused.
pub fn slashed(name: &str, value: &str) -> Result<String, BuildError> {
    let mut out = String::with_capacity(value.len());
    push_slashed(&mut out, name, value)?;
    Ok(out)
}

pub(crate) fn push_slashed(out: &mut String, name: &str, value: &str) -> Result<(), BuildError> {
    for (at, part) in value.split('/').enumerate() {
        if at > 0 {
            out.push('/');
        }
        push_segment(out, name, part)?;
    }
    Ok(())
}

pub(crate) fn push_segment(out: &mut String, name: &str, value: &str) -> Result<(), BuildError> {
    let reason = match value {
        "" => Some("may not be empty, and holds no empty segment"),
        _ if value.split(['/', '\\']).any(|part| matches!(part, "." | "..")) => {
            Some("may not be or hold the segment `.` or `..`")
        }
        _ if value.contains(['\0', '\r', '\n']) => Some("may not hold NUL, CR or LF"),
        _ => None,
    };
    if let Some(reason) = reason {
        return Err(BuildError { place: "path", name: name.to_owned(), reason: reason.to_owned() });
    }
    push_escaped(out, value);
    Ok(())
}

/// Everything outside RFC 3986's unreserved characters as `%XX`.
pub(crate) fn push_escaped(out: &mut String, value: &str) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    let hex = |nibble: u8| HEX.get(usize::from(nibble)).copied().unwrap_or('0');
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.extend(['%', hex(byte >> 4), hex(byte & 15)]);
        }
    }
}
