//! Why an operation did not succeed, in words that neither transport nor protocol colour.

use serde::Serialize;

/// The stable kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// An argument is missing, unknown or not what was expected; nothing was sent, or nothing but a read (a first line behind
    /// the text's last).
    InvalidArguments,
    /// The forge says that it is not there, or hides it.
    NotFound,
    /// The token is missing, unknown or expired.
    Unauthorized,
    /// The account may not.
    Forbidden,
    /// The token lacks a scope.
    MissingScope,
    /// The state of things stands against it.
    Conflict,
    /// The forge refused the values.
    Validation,
    /// Refused by policy or by the forge, for another reason.
    Refused,
    /// Too many requests.
    RateLimited,
    /// Larger than a limit.
    TooLarge,
    /// This forge has it not.
    UnavailableHere,
    /// The forge cannot be reached: no connection could be made (nothing was sent, not even a write), the connection broke
    /// on a read, or a gateway answers in its place.
    Unreachable,
    /// The time ran out on a read, or before a write was sent.
    Timeout,
    /// A write was sent and no answer came: it may have happened.
    OutcomeUnknown,
    /// A person or an argument must confirm first; nothing was sent.
    ConfirmationRequired,
    /// A fault of ours.
    Internal,
}

/// A failure, transport-neutral. Serialized it is the `error` object of every adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct OperationError {
    /// The kind.
    pub code: Code,
    /// One or two sentences; the forge's own message where it had one.
    pub message: String,
    /// The HTTP status, where the forge answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Method and path of the call: `GET /repos/acme/widget`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Names close to the one that was not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// Scopes that the token lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_scopes: Vec<String>,
    /// Seconds to wait before the next try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
    /// Whether it may come of names that were looked up before this call, so that looking anew may do better.
    #[serde(skip)]
    pub(super) is_of_kept: bool,
}

impl OperationError {
    /// An error of that kind with a message and nothing else.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            status: None,
            call: None,
            hint: None,
            near: Vec::new(),
            missing_scopes: Vec::new(),
            retry_after_seconds: None,
            is_of_kept: false,
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a hint before the one that it has.
    #[must_use]
    pub fn hint_first(self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        match &self.hint {
            Some(other) => {
                let both = format!("{hint}; {other}");
                self.hint(both)
            }
            None => self.hint(hint),
        }
    }
}
