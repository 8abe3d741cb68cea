//! Bodies as the recordings keep them, turned into bytes only when they are asked for.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;

/// A recorded body. Slices share the text of the file they came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// The message had none.
    Absent,
    /// The JSON value that stands in the file: itself, a string for text, or `{"base64": …}` for bytes.
    Whole(Bytes),
    /// The rows of a JSON array, in order.
    Rows(Arc<[Bytes]>),
    /// Only its start was kept, as `{"truncated_at": …}`, so it is never served.
    Truncated(Bytes),
}

#[derive(Deserialize)]
struct Encoded<'a> {
    #[serde(borrow)]
    base64: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Cut {
    #[serde(rename = "truncated_at")]
    _truncated_at: u64,
}

impl Body {
    /// Reads the JSON value of a `body` key.
    pub(crate) fn from_value(value: Bytes) -> Self {
        if value.starts_with(b"{\"truncated_at\"") && serde_json::from_slice::<Cut>(&value).is_ok() {
            return Self::Truncated(value);
        }
        Self::Whole(value)
    }

    /// The bytes that were on the wire; `None` where there was no body or where it was cut.
    pub fn bytes(&self) -> Option<Bytes> {
        match self {
            Self::Absent | Self::Truncated(_) => None,
            Self::Rows(rows) => Some(join_rows(rows)),
            Self::Whole(value) if value.starts_with(b"\"") => match serde_json::from_slice::<String>(value) {
                Ok(text) => Some(text.into()),
                Err(_) => Some(value.clone()),
            },
            Self::Whole(value) if value.starts_with(b"{\"base64\"") => Some(decode(value)),
            Self::Whole(value) => Some(value.clone()),
        }
    }

    /// Whether it is JSON: neither text, nor bytes, nor absent.
    pub fn is_json(&self) -> bool {
        match self {
            Self::Rows(_) => true,
            Self::Whole(value) => !value.starts_with(b"\"") && !value.starts_with(b"{\"base64\""),
            Self::Absent | Self::Truncated(_) => false,
        }
    }
}

fn decode(value: &Bytes) -> Bytes {
    serde_json::from_slice::<Encoded<'_>>(value)
        .ok()
        .and_then(|encoded| STANDARD.decode(encoded.base64.as_bytes()).ok())
        .map_or_else(|| value.clone(), Bytes::from)
}

/// A JSON array of these rows.
pub(crate) fn join_rows(rows: &[Bytes]) -> Bytes {
    let mut out = Vec::with_capacity(rows.iter().map(|row| row.len() + 1).sum::<usize>() + 2);
    out.push(b'[');
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(row);
    }
    out.push(b']');
    out.into()
}
