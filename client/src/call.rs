//! The unsent request: what a generated method returns, and what a transport, a dry run or a test looks at.

use std::marker::PhantomData;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::form::{boundary, encode_form, is_media_type};
use crate::{BaseUrl, Content};

/// The answer of an operation that sends text or bytes, or one whose type the caller does not care about.
#[derive(Debug, Clone, Copy)]
pub struct Raw;

/// A request that has not been sent, with the operation it belongs to and the type `T` of its answer.
#[derive(Debug, Clone)]
pub struct Call<T> {
    /// The operation, as the document spells its `operationId`.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// Path and query below the API's root, percent-encoded exactly once: `/repos/acme/widget/issues?page=2`.
    pub target: String,
    /// Headers that the operation itself needs (`accept`, `content-type`); never credentials.
    pub headers: HeaderMap,
    /// The body; its media type stands in `headers`, except for a form, whose boundary is chosen when it is sent.
    pub body: Body,
    answer: PhantomData<fn() -> T>,
}

/// The body of a [`Call`].
#[derive(Debug, Clone, Default)]
pub enum Body {
    /// No body at all.
    #[default]
    None,
    /// Bytes as they go out: JSON, text or octets.
    Bytes(Bytes),
    /// A `multipart/form-data` form, in order.
    Form(Vec<Part>),
}

/// One part of a form.
#[derive(Debug, Clone)]
pub struct Part {
    /// The form field's name.
    pub name: String,
    /// The file name, for a part that is a file.
    pub file_name: Option<String>,
    /// The media type that it says it has, for a part that is a file.
    pub media_type: Option<String>,
    /// The part's bytes.
    pub content: Content,
}

/// A file to be uploaded.
#[derive(Debug, Clone)]
pub struct Upload {
    /// The file name that the form carries.
    pub file_name: String,
    /// The media type that the form says it has, as `text/csv; charset=utf-8`; without one it is told from the bytes.
    pub media_type: Option<String>,
    /// The file's bytes.
    pub content: Content,
}

/// Arguments of an operation by place and wire name, for callers that know them only at run time.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    /// Path parameters by wire name.
    pub path: Map<String, Value>,
    /// Query parameters by wire name; an array is repeated or joined as the document says.
    pub query: Map<String, Value>,
    /// The JSON body, or a string for an operation that takes bare text.
    pub body: Option<Value>,
    /// Form fields that are not files, by wire name.
    pub form: Map<String, Value>,
    /// The file of an upload operation.
    pub file: Option<Upload>,
}

/// Why a request could not be built. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place} parameter `{name}`: {reason}")]
pub struct BuildError {
    /// `path`, `query`, `body` or `form`.
    pub place: &'static str,
    /// The wire name; for a body, the JSON path within it.
    pub name: String,
    /// What was expected.
    pub reason: String,
}

impl<T> Call<T> {
    /// A call with neither headers nor body.
    pub fn new(operation: &'static str, method: Method, target: String) -> Self {
        Self { operation, method, target, headers: HeaderMap::new(), body: Body::None, answer: PhantomData }
    }

    /// The same request, its answer's type forgotten.
    pub fn raw(self) -> Call<Raw> {
        self.with_answer()
    }

    /// The same request, its answer read as another type.
    pub fn with_answer<U>(self) -> Call<U> {
        Call {
            operation: self.operation,
            method: self.method,
            target: self.target,
            headers: self.headers,
            body: self.body,
            answer: PhantomData,
        }
    }

    /// The request as it goes out, without credentials. A form's boundary is chosen here.
    ///
    /// # Errors
    /// A target that a URL would not carry as it was built, and a file that cannot be read; nothing may be sent then.
    pub fn request(&self, base: &BaseUrl) -> Result<reqwest::Request, BuildError> {
        let address = base.api(&self.target);
        let url = match reqwest::Url::parse(&address) {
            Ok(url) if url.as_str() == address => url,
            _ => {
                let reason = "a URL would not carry it as it is".to_owned();
                return Err(BuildError { place: "path", name: self.operation.to_owned(), reason });
            }
        };
        let mut request = reqwest::Request::new(self.method.clone(), url);
        *request.headers_mut() = self.headers.clone();
        match &self.body {
            Body::None => {}
            Body::Bytes(bytes) => *request.body_mut() = Some(bytes.clone().into()),
            Body::Form(parts) => {
                let boundary = boundary(parts);
                let media = HeaderValue::from_str(&format!("multipart/form-data; boundary={boundary}"));
                if let Ok(media) = media {
                    request.headers_mut().insert(CONTENT_TYPE, media);
                }
                let body = encode_form(parts, &boundary).map_err(|error| BuildError {
                    place: "form",
                    name: ".".to_owned(),
                    reason: format!("its file cannot be read: {error}"),
                })?;
                *request.body_mut() = Some(body);
            }
        }
        Ok(request)
    }

    pub(crate) fn accepting(mut self, media: &'static str) -> Self {
        self.headers.insert(ACCEPT, HeaderValue::from_static(media));
        self
    }

    fn carrying(mut self, media: &'static str, body: Body) -> Self {
        self.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
        self.body = body;
        self
    }

    pub(crate) fn json<B: Serialize>(
        self,
        media: &'static str,
        body: Option<&B>,
    ) -> Result<Self, BuildError> {
        let Some(body) = body else { return Ok(self) };
        let bytes = serde_json::to_vec(body).map_err(|e| BuildError {
            place: "body",
            name: ".".to_owned(),
            reason: e.to_string(),
        })?;
        Ok(self.carrying(media, Body::Bytes(bytes.into())))
    }

    pub(crate) fn text(self, media: &'static str, body: &str) -> Self {
        self.carrying(media, Body::Bytes(Bytes::copy_from_slice(body.as_bytes())))
    }

    pub(crate) fn octets(self, body: Bytes) -> Self {
        self.carrying("application/octet-stream", Body::Bytes(body))
    }

    /// A form of the parts that were given; none of them is an error.
    pub(crate) fn form(self, parts: impl IntoIterator<Item = Option<Part>>) -> Result<Self, BuildError> {
        let parts: Vec<Part> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            let reason = "is empty; expected a file or a field".to_owned();
            return Err(BuildError { place: "form", name: ".".to_owned(), reason });
        }
        let is_odd = |part: &&Part| part.media_type.as_deref().is_some_and(|media| !is_media_type(media));
        if let Some(part) = parts.iter().find(is_odd) {
            let reason = "its media type is none; expected a type and a subtype, as text/csv".to_owned();
            return Err(BuildError { place: "form", name: part.name.clone(), reason });
        }
        Ok(self.carrying("multipart/form-data", Body::Form(parts)))
    }
}
