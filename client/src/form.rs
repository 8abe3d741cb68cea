//! `multipart/form-data` (RFC 7578), small and exact: the bytes of a part go out as they are.

use std::hash::{BuildHasher, Hasher, RandomState};

use bytes::Bytes;

use crate::{Part, Upload};

impl Part {
    /// A part that is plain text.
    pub fn text(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            file_name: None,
            media_type: None,
            bytes: Bytes::copy_from_slice(text.as_bytes()),
        }
    }

    /// A part that is a file. A media type that it has not been given tells text from other bytes; the forge looks for
    /// itself anyway.
    pub fn file(name: &str, file: &Upload) -> Self {
        Self {
            name: name.to_owned(),
            file_name: Some(file.file_name.clone()),
            media_type: Some(file.media_type.clone().unwrap_or_else(|| told_of(&file.bytes).to_owned())),
            bytes: file.bytes.clone(),
        }
    }
}

/// The form's bytes, parts in order, with that boundary between them.
pub fn encode_form(parts: &[Part], boundary: &str) -> Bytes {
    let mut out = Vec::new();
    for part in parts {
        let mut head =
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", quoted(&part.name));
        if let Some(file_name) = &part.file_name {
            head.push_str(&format!("; filename=\"{}\"", quoted(file_name)));
        }
        if let Some(media_type) = &part.media_type {
            head.push_str(&format!("\r\nContent-Type: {media_type}"));
        }
        head.push_str("\r\n\r\n");
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(&part.bytes);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    out.into()
}

/// A boundary that is in none of the parts.
pub(crate) fn boundary(parts: &[Part]) -> String {
    loop {
        let number = || RandomState::new().build_hasher().finish();
        let boundary = format!("forgehand-{:016x}{:016x}", number(), number());
        let inside =
            |part: &Part| part.bytes.windows(boundary.len()).any(|bytes| bytes == boundary.as_bytes());
        if !parts.iter().any(inside) {
            return boundary;
        }
    }
}

/// What the bytes themselves tell.
fn told_of(bytes: &[u8]) -> &'static str {
    let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    if is_text { "text/plain" } else { "application/octet-stream" }
}

/// Whether a text is a media type that a header can carry: `type/subtype`, parameters behind it or not, no line end.
pub fn is_media_type(text: &str) -> bool {
    let is_token = |part: &str| {
        let is_mark = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        !part.is_empty() && part.bytes().all(is_mark)
    };
    let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
    let is_essence = match essence.trim_end_matches(' ').split_once('/') {
        Some((kind, subtype)) => is_token(kind) && is_token(subtype),
        None => false,
    };
    is_essence && parameters.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// A name between quotes, which Go's servers read back as it was: a quote and a backslash have a backslash before them.
/// A line end, which no name in a header can hold, is escaped as browsers do.
fn quoted(name: &str) -> String {
    let name = name.replace('\\', r"\\").replace('"', "\\\"");
    name.replace('\r', "%0D").replace('\n', "%0A")
}
