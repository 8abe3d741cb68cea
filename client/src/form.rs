//! `multipart/form-data` (RFC 7578), small and exact: the bytes of a part go out as they are, those of a file while they are
//! read.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;

use bytes::Bytes;

use crate::content::joined;
use crate::{Content, Part, Upload};

impl Part {
    /// A part that is plain text.
    pub fn text(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            file_name: None,
            media_type: None,
            content: Bytes::copy_from_slice(text.as_bytes()).into(),
        }
    }

    /// A part that is a file. A media type that it has not been given tells text from other bytes; the forge looks for
    /// itself anyway.
    pub fn file(name: &str, file: &Upload) -> Self {
        Self {
            name: name.to_owned(),
            file_name: Some(file.file_name.clone()),
            media_type: Some(file.media_type.clone().unwrap_or_else(|| file.content.told().to_owned())),
            content: file.content.clone(),
        }
    }
}

/// The form, parts in order, with that boundary between them; its length is known.
///
/// # Errors
/// A file that cannot be read from its start.
pub fn encode_form(parts: &[Part], boundary: &str) -> io::Result<reqwest::Body> {
    let mut contents = Vec::with_capacity(parts.len() * 2 + 1);
    let mut lead = "";
    for part in parts {
        let mut head =
            format!("{lead}--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", quoted(&part.name));
        if let Some(file_name) = &part.file_name {
            head.push_str(&format!("; filename=\"{}\"", quoted(file_name)));
        }
        if let Some(media_type) = &part.media_type {
            head.push_str(&format!("\r\nContent-Type: {media_type}"));
        }
        head.push_str("\r\n\r\n");
        contents.push(Content::Bytes(head.into()));
        contents.push(part.content.clone());
        lead = "\r\n";
    }
    contents.push(Content::Bytes(format!("{lead}--{boundary}--\r\n").into()));
    joined(contents)
}

/// A boundary that is in none of the parts. In a file, which is not read for it, 128 random bits are not met by chance.
pub(crate) fn boundary(parts: &[Part]) -> String {
    loop {
        let number = || RandomState::new().build_hasher().finish();
        let boundary = format!("forgehand-{:016x}{:016x}", number(), number());
        let inside = |part: &Part| match &part.content {
            Content::Bytes(bytes) => bytes.windows(boundary.len()).any(|bytes| bytes == boundary.as_bytes()),
            Content::File(_) => false,
        };
        if !parts.iter().any(inside) {
            return boundary;
        }
    }
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
