//! A forge as the operations see it: an address, a token, and a transport that sends a call.
//!
//! Uses the typed client's `Call` and `Reply`; knows nothing of tools.

mod token;

pub use token::Token;

use forgehand_client::BaseUrl;

/// A Forgejo instance and the account that talks to it.
#[derive(Debug, Clone)]
pub struct Forge {
    base: BaseUrl,
    token: Option<Token>,
}

impl Forge {
    /// A forge at that address. Nothing is sent yet.
    pub fn new(base: BaseUrl, token: Option<Token>) -> Self {
        Self { base, token }
    }

    /// The instance's address.
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// Whether calls carry a token.
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }
}
