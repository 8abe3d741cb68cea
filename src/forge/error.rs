//! Why no reply came. No variant holds a token, a header, or an address with credentials or query.

use std::error::Error as StdError;
use std::io;

use forgehand_client::BuildError;
use http::StatusCode;

use super::Version;

/// Why a call has no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// The request could not be built. Nothing was sent.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The token holds characters that no header can carry. Nothing was sent.
    #[error("the token holds characters that no HTTP header can carry; copy it again without line breaks")]
    Token,
    /// A place of the API, or a redirect to one, that is of none of the repositories that may be asked for. Nothing was
    /// sent there.
    #[error("only some repositories may be asked for ({named}), and {place} is of none of them")]
    Outside {
        /// The repositories that may.
        named: String,
        /// The path, without its query.
        place: String,
    },
    /// The HTTP client could not be made (unreadable certificates, a malformed proxy address). Nothing was sent.
    #[error("the HTTP client could not be set up: {reason}")]
    Setup {
        /// Why.
        reason: String,
    },
    /// No connection could be made. Nothing was sent.
    #[error("the forge cannot be reached: {reason}")]
    Unreachable {
        /// Why.
        reason: String,
    },
    /// The forge's certificate is not trusted. Nothing was sent.
    #[error(
        "the forge's certificate is not trusted: {reason}; if it is signed by a private authority, \
         point SSL_CERT_FILE at that authority's certificate"
    )]
    Untrusted {
        /// Why.
        reason: String,
    },
    /// The time ran out on a read, or before a write was sent.
    #[error("the time ran out before the forge answered")]
    Timeout,
    /// The connection broke on a read after it was sent.
    #[error("the connection to the forge broke before it answered: {reason}")]
    Broken {
        /// Why.
        reason: String,
    },
    /// A write was sent and no answer came.
    #[error("the request was sent and no answer came ({reason}): it may have been done or not")]
    OutcomeUnknown {
        /// Why.
        reason: String,
    },
    /// The instance is older than what the tools are made for, or no Forgejo. Nothing was sent but the question for its
    /// version.
    #[error(
        "this instance is version {found}: a Gitea, or a Forgejo before {least}.0; Forgejo {least}.0 or newer is needed"
    )]
    TooOld {
        /// Its version.
        found: Version,
        /// The first major version that will do.
        least: u32,
    },
    /// A redirect that is not followed.
    #[error("the forge answers {} and points elsewhere: {}", .status.as_u16(), .place.as_deref().unwrap_or("no place named"))]
    Redirected {
        /// The status.
        status: StatusCode,
        /// The new place, without credentials and query.
        place: Option<String>,
    },
}

/// How far an exchange had come when it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// A read, which may be lost without harm.
    Read,
    /// A write of which nothing went out.
    WriteUnsent,
    /// A write of which something may have gone out.
    WriteSent,
}

impl ForgeError {
    /// What a failed exchange means.
    pub(super) fn of(error: reqwest::Error, phase: Phase) -> Self {
        let error = error.without_url();
        if let Some(reason) = distrust(&error) {
            return Self::Untrusted { reason };
        }
        let reason = reason(&error);
        if error.is_connect() {
            return Self::Unreachable { reason };
        }
        match (phase, error.is_timeout()) {
            (Phase::Read | Phase::WriteUnsent, true) => Self::Timeout,
            (Phase::Read, false) => Self::Broken { reason },
            (Phase::WriteUnsent, false) => Self::Unreachable { reason },
            (Phase::WriteSent, true) => Self::OutcomeUnknown { reason: "the time ran out".to_owned() },
            (Phase::WriteSent, false) => Self::OutcomeUnknown { reason },
        }
    }

    /// Whether the same read may succeed a moment later.
    pub(super) fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Broken { .. })
    }
}

/// The innermost two messages of an error, which say what happened; the outer ones only say that something did.
pub(super) fn reason(error: &reqwest::Error) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut at: Option<&dyn StdError> = Some(error);
    while let Some(error) = at {
        let text = error.to_string();
        if said.last() != Some(&text) {
            said.push(text);
        }
        at = error.source();
    }
    let from = said.len().saturating_sub(2).max(usize::from(said.len() > 1));
    said.get(from..).unwrap_or_default().join(": ")
}

/// The reason why TLS did not trust the other side's certificate, if that is what happened.
fn distrust(error: &reqwest::Error) -> Option<String> {
    let mut at: Option<&(dyn StdError + 'static)> = error.source();
    while let Some(error) = at {
        // An io::Error's own source skips the error that it wraps.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let tls = error.downcast_ref::<rustls::Error>().or_else(|| inner?.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(why)) = tls {
            return Some(why.to_string());
        }
        at = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}
