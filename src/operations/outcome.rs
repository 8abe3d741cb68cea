//! What comes of an operation, before an adapter gives it a form.

use bytes::Bytes;
use serde_json::{Value, json};

/// A successful result.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A JSON object: an item, or a list as `{items, next?, total?}`.
    Json(Value),
    /// Text as the forge sent it.
    Text {
        /// The text, cut at a line or a character where it was too long.
        text: String,
        /// What an adapter tells beside it when it was cut, or lines or facts were asked for: an object with `shown` and, where
        /// they are known, `total` (both in bytes), `note` (what shows more) and `next` (the arguments that go on, as
        /// `{"offset": 600, "as_of": "7a076fe63fe0"}`), and `truncated` where the rest had not come in time; where
        /// lines were asked for also `lines`, how many the whole text has, unless they were not counted; where facts were, besides these `size` in bytes,
        /// `encoding` and `sha`, all of the whole text.
        more: Option<Value>,
    },
    /// Bytes of a media type.
    Bytes {
        /// The bytes.
        bytes: Bytes,
        /// The media type, as `image/png`.
        media_type: String,
        /// The blob's sha, where facts were asked for.
        sha: Option<String>,
    },
    /// Bytes that were written to a file of this machine.
    Saved(Saved),
}

/// What was written to a file.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The file, as the caller named it.
    pub path: String,
    /// How many bytes.
    pub bytes: u64,
    /// The media type, as `application/zip`.
    pub media_type: String,
    /// The blob's sha, where facts were asked for.
    pub sha: Option<String>,
    /// What else is to be known of it, as that it is no file but a pointer to one.
    pub note: Option<String>,
}

impl Saved {
    /// `{"saved_as", "bytes", "media_type", "sha"?, "note"?}`.
    pub fn told(&self) -> Value {
        let mut told = json!({ "saved_as": self.path, "bytes": self.bytes, "media_type": self.media_type });
        for (name, value) in [("sha", &self.sha), ("note", &self.note)] {
            if let (Some(value), Some(told)) = (value, told.as_object_mut()) {
                told.insert(name.to_owned(), value.as_str().into());
            }
        }
        told
    }
}
