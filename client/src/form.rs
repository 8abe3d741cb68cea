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

    /// A part that is a file. Its media type tells text from other bytes; the forge looks for itself anyway.
    pub fn file(name: &str, file: &Upload) -> Self {
        let is_text = !file.bytes.contains(&0) && std::str::from_utf8(&file.bytes).is_ok();
        Self {
            name: name.to_owned(),
            file_name: Some(file.file_name.clone()),
            media_type: Some(if is_text { "text/plain" } else { "application/octet-stream" }),
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
        if let Some(media_type) = part.media_type {
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

/// A name between quotes: what would end it or its line is escaped as browsers do.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}
