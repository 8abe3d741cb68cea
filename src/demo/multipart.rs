//! Multipart bodies taken apart, so that a boundary or the order of part headers makes no difference.

use super::key::push_bytes;

/// The boundary of a multipart media type.
pub(crate) fn boundary(media: &str) -> Option<&str> {
    let (kind, parameters) = media.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let value = parameters.split(';').find_map(|one| one.trim().strip_prefix("boundary="))?;
    Some(value.trim_matches('"'))
}

/// Adds name, file name and bytes of each part, in order.
pub(crate) fn push_parts(key: &mut String, body: &[u8], boundary: &str) {
    let mark = format!("--{boundary}");
    let mut rest = body;
    while let Some(at) = find(rest, mark.as_bytes()) {
        rest = rest.get(at + mark.len()..).unwrap_or_default();
        let end = find(rest, mark.as_bytes()).unwrap_or(rest.len());
        let part = rest.get(..end).unwrap_or_default();
        if let Some(split) = find(part, b"\r\n\r\n") {
            let head = String::from_utf8_lossy(part.get(..split).unwrap_or_default());
            let content = part.get(split + 4..).unwrap_or_default();
            push_part(key, &head, content.strip_suffix(b"\r\n").unwrap_or(content));
        }
    }
}

fn push_part(key: &mut String, head: &str, content: &[u8]) {
    let disposition = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"))
        .map_or("", |(_, value)| value);
    for name in ["name", "filename"] {
        key.push_str(name);
        key.push('=');
        push_bytes(key, parameter(disposition, name).unwrap_or_default().as_bytes());
        key.push(';');
    }
    push_bytes(key, content);
    key.push('\n');
}

/// A parameter's value: quoted, with the escapes that browsers and libraries use for quotes and line ends.
fn parameter(disposition: &str, name: &str) -> Option<String> {
    let start = format!("; {name}=\"");
    let at = disposition.find(&start)?;
    let mut value = String::new();
    let mut rest = disposition.get(at + start.len()..)?.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => break,
            '\\' => value.extend(rest.next()),
            other => value.push(other),
        }
    }
    Some(value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
