//! What came back: status, the headers that matter, and the body, which is read only as it is asked for.

use std::marker::PhantomData;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Visitor};

/// The most that [`Reply::typed`] reads: 16 MiB.
pub const JSON_LIMIT: usize = 16 * 1024 * 1024;

/// An answer of the forge whose body has not been read yet.
#[derive(Debug)]
pub struct Reply<T> {
    /// The operation that was called.
    pub operation: &'static str,
    response: reqwest::Response,
    answer: PhantomData<fn() -> T>,
}

/// Why a body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    /// The body is longer than the limit, in bytes.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The connection broke while the body was read.
    #[error("the answer broke off: {0}")]
    Broken(reqwest::Error),
    /// The forge refused: the status is no 2xx. The bytes, which mostly hold `{message}`, are kept.
    #[error("the forge answers {status}")]
    Status {
        /// The status.
        status: StatusCode,
        /// The whole body; empty where it could not be read.
        body: Bytes,
    },
    /// The body does not have the documented shape. The bytes are kept.
    #[error("{error}")]
    Decode {
        /// Where and why.
        error: DecodeError,
        /// The whole body.
        body: Bytes,
    },
}

/// Where a JSON answer differs from its documented type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at {path}: {reason}")]
pub struct DecodeError {
    /// JSON path of the place that failed, `.` for the root.
    pub path: String,
    /// What was expected there.
    pub reason: String,
}

impl<T> Reply<T> {
    /// Wraps a response to a call of `operation`.
    pub fn new(operation: &'static str, response: reqwest::Response) -> Self {
        Self { operation, response, answer: PhantomData }
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// All response headers.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// A header's value, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// The next piece of the body, `None` at its end.
    ///
    /// # Errors
    /// [`ReplyError::Broken`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, ReplyError> {
        self.response.chunk().await.map_err(|e| ReplyError::Broken(e.without_url()))
    }

    /// The whole body, at most `max` bytes.
    ///
    /// # Errors
    /// [`ReplyError::TooLarge`], [`ReplyError::Broken`].
    pub async fn bytes(&mut self, max: usize) -> Result<Bytes, ReplyError> {
        let Some(first) = self.chunk().await? else { return Ok(Bytes::new()) };
        if first.len() > max {
            return Err(ReplyError::TooLarge { limit: max });
        }
        let Some(second) = self.chunk().await? else { return Ok(first) };
        let mut whole = BytesMut::from(first);
        let mut next = Some(second);
        while let Some(chunk) = next {
            if whole.len() + chunk.len() > max {
                return Err(ReplyError::TooLarge { limit: max });
            }
            whole.extend_from_slice(&chunk);
            next = self.chunk().await?;
        }
        Ok(whole.freeze())
    }
}

impl<T: DeserializeOwned> Reply<T> {
    /// The body of a success decoded as the documented type.
    ///
    /// # Errors
    /// [`ReplyError::Status`] where the status is no 2xx; else as [`Reply::bytes`] with 16 MiB, and [`ReplyError::Decode`]
    /// keeps the body and names the JSON path.
    pub async fn typed(mut self) -> Result<T, ReplyError> {
        let status = self.status();
        let body = self.bytes(JSON_LIMIT).await;
        if !status.is_success() {
            return Err(ReplyError::Status { status, body: body.unwrap_or_default() });
        }
        let body = body?;
        decode(&body).map_err(|error| ReplyError::Decode { error, body })
    }
}

/// Decodes a JSON body, and names the JSON path where it fails. No body, and `null`, are an empty list, an empty map, no
/// value or nothing, where the type is one of these.
///
/// # Errors
/// [`DecodeError`].
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, DecodeError> {
    let text = body.trim_ascii();
    if text.is_empty() || text == b"null" {
        return T::deserialize(Nothing { has_body: !text.is_empty() });
    }
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|e| DecodeError { path: e.path().to_string(), reason: e.inner().to_string() })?;
    reader.end().map_err(|e| DecodeError { path: ".".to_owned(), reason: e.to_string() })?;
    Ok(value)
}

/// What stands where a body is absent or `null`.
struct Nothing {
    has_body: bool,
}

impl serde::de::Error for DecodeError {
    fn custom<M: std::fmt::Display>(message: M) -> Self {
        Self { path: ".".to_owned(), reason: message.to_string() }
    }
}

impl<'de> Deserializer<'de> for Nothing {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let has_body = self.has_body;
        visitor.visit_unit().map_err(|error: DecodeError| match has_body {
            true => error,
            false => DecodeError { reason: "the answer has no body".to_owned(), ..error },
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_none()
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_seq(SeqDeserializer::<_, DecodeError>::new(std::iter::empty::<()>()))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_map(MapDeserializer::<_, DecodeError>::new(std::iter::empty::<((), ())>()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct tuple tuple_struct struct enum identifier ignored_any
    }
}

/// Whether a body is JSON of that type.
pub(crate) fn check_json<T: DeserializeOwned>(body: &[u8]) -> Result<(), DecodeError> {
    decode::<T>(body).map(drop)
}

/// Whether a body is text.
pub(crate) fn check_text(body: &[u8]) -> Result<(), DecodeError> {
    let text = std::str::from_utf8(body);
    text.map(drop).map_err(|e| DecodeError { path: ".".to_owned(), reason: format!("expected text: {e}") })
}

/// Any bytes are bytes.
pub(crate) fn check_bytes(_: &[u8]) -> Result<(), DecodeError> {
    Ok(())
}

/// Whether there is no body.
pub(crate) fn check_empty(body: &[u8]) -> Result<(), DecodeError> {
    decode::<()>(body)
}
