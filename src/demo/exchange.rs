//! One recorded exchange.

use bytes::Bytes;

use super::Body;

/// The address that stands for the recorded instance, in bodies and headers.
pub const WEB_BASE: &str = "https://forge.example";

/// A request and its answer.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The operationId of the document.
    pub operation: String,
    /// Who asked, as `bob`, `bob/read-only` or `anonymous`.
    pub identity: String,
    /// A name that no other exchange has.
    pub scenario: String,
    /// The method, in capitals.
    pub method: String,
    /// The raw target as sent, from `/api/v1` on.
    pub target: String,
    /// What was asked.
    pub request: Message,
    /// The status of the answer.
    pub status: u16,
    /// What was answered.
    pub response: Message,
}

/// Headers and body of either side.
#[derive(Debug, Clone)]
pub struct Message {
    /// Names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Body,
}

impl Message {
    /// The value of a header, named in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The bytes of the body that were on the wire; `None` where there was none.
    pub fn bytes(&self) -> Option<Bytes> {
        self.body.bytes()
    }
}

impl Exchange {
    /// The same request as the demo forge sees it.
    pub fn asked(&self) -> super::Asked {
        super::Asked {
            identity: self.identity.clone(),
            method: self.method.clone(),
            target: self.target.clone(),
            headers: self.request.headers.clone(),
            body: self.request.bytes().unwrap_or_default(),
        }
    }
}
