//! A forge as the operations see it: an address, a token, and a transport that sends a call.
//!
//! Uses the typed client's `Call` and `Reply`; knows nothing of tools.

mod elsewhere;
mod error;
mod listings;
mod pool;
mod retry;
mod sent;
mod token;
mod transport;
mod versions;
mod within;

pub use elsewhere::ElsewhereError;
pub use error::ForgeError;
pub use listings::{End, Entry, Listing};
pub use retry::asked_wait;
pub use token::Token;
pub use transport::shown_location;
pub use versions::Version;
pub use within::{Repositories, is_name};

use std::fmt;
use std::sync::Arc;

use forgehand_client::BaseUrl;
use http::HeaderValue;

use crate::folders::Folders;
use elsewhere::Public;
use listings::Listings;
use pool::{Pool, Way};
use versions::Remembered;

/// A Forgejo instance and the account that talks to it. Clones share one pool of connections.
#[derive(Clone)]
pub struct Forge {
    base: Arc<BaseUrl>,
    authorization: Authorization,
    pool: Arc<Pool>,
    /// What files are read by that the forge names and does not keep.
    elsewhere: Arc<Pool>,
    listings: Arc<Listings>,
    version: Arc<Remembered>,
    any_version: bool,
    known_as: Option<Arc<BaseUrl>>,
    within: Option<Arc<Repositories>>,
    folders: Arc<Folders>,
}

/// How Forgejo wants a token announced.
const SCHEME: &str = "token ";

/// The one header that carries the token.
#[derive(Clone)]
enum Authorization {
    /// No token.
    None,
    /// `token …`, marked sensitive.
    Header(HeaderValue),
    /// A token that no header can carry.
    Unusable,
}

impl Forge {
    /// A forge at that address. Nothing is sent yet, and no certificate is read.
    pub fn new(base: BaseUrl, token: Option<Token>) -> Self {
        let way = if base.as_str().starts_with("http://") { Way::Plain } else { Way::Secure };
        Self {
            base: Arc::new(base),
            authorization: Authorization::of(token.as_ref()),
            pool: Arc::new(Pool::new(way)),
            elsewhere: Arc::new(Pool::new(Way::Elsewhere(Public { or_here: false }))),
            listings: Arc::default(),
            version: Arc::default(),
            any_version: false,
            known_as: None,
            within: None,
            folders: Arc::default(),
        }
    }

    /// The same forge, whether calls go to it even if it is older than what the tools are made for, or a Gitea; then
    /// its version is not asked before the first.
    #[must_use]
    pub fn any_version(self, any_version: bool) -> Self {
        Self { any_version, ..self }
    }

    /// The same forge for an owner of this machine, whose calls may use these folders of it.
    #[must_use]
    pub fn with_folders(self, folders: Folders) -> Self {
        Self { folders: Arc::new(folders), ..self }
    }

    /// The same forge, whose own addresses are of another place than the one it is reached at: a recorded one.
    #[must_use]
    pub fn known_as(self, address: BaseUrl) -> Self {
        Self { known_as: Some(Arc::new(address)), ..self }
    }

    /// The folders of this machine that calls may use.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// The same forge, reached without any proxy and without certificates: one on this machine, which may name files on
    /// it.
    #[must_use]
    pub fn direct(self) -> Self {
        let elsewhere = Arc::new(Pool::new(Way::Elsewhere(Public { or_here: true })));
        Self { pool: Arc::new(Pool::new(Way::Direct)), elsewhere, ..self }
    }

    /// The same instance and connections, on behalf of another account (or of none), who owns no folder of this
    /// machine.
    #[must_use]
    pub fn with_token(&self, token: Option<&Token>) -> Self {
        Self {
            base: Arc::clone(&self.base),
            authorization: Authorization::of(token),
            pool: Arc::clone(&self.pool),
            elsewhere: Arc::clone(&self.elsewhere),
            listings: Arc::clone(&self.listings),
            version: Arc::clone(&self.version),
            any_version: self.any_version,
            known_as: self.known_as.clone(),
            within: self.within.clone(),
            folders: Arc::default(),
        }
    }

    /// The same forge, of which only these repositories are asked for.
    #[must_use]
    pub fn within(self, repositories: Repositories) -> Self {
        Self { within: Some(Arc::new(repositories)), ..self }
    }

    /// The repositories that alone are asked for; none where all are.
    pub fn repositories(&self) -> Option<&Repositories> {
        self.within.as_deref()
    }

    /// The instance's address.
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// The address that the instance gives to what is in it, which people see and paste.
    pub fn address(&self) -> &BaseUrl {
        self.known_as.as_deref().unwrap_or(&self.base)
    }

    /// A text of the forge's, or of something that stands before it, without the token, which some repeat.
    pub fn without_token(&self, text: String) -> String {
        let Authorization::Header(value) = &self.authorization else { return text };
        let token = value.to_str().ok().and_then(|value| value.strip_prefix(SCHEME)).unwrap_or_default();
        // A short token is no secret, and its letters stand in every sentence.
        if token.len() < 8 || !text.contains(token) { text } else { text.replace(token, "[token]") }
    }

    /// What tells the accounts apart on whose behalf calls go out: the header with the token, empty where there is
    /// none. A secret.
    pub(crate) fn account_key(&self) -> &[u8] {
        match &self.authorization {
            Authorization::Header(value) => value.as_bytes(),
            Authorization::None | Authorization::Unusable => b"",
        }
    }

    /// Whether calls carry a token.
    pub fn has_token(&self) -> bool {
        !matches!(self.authorization, Authorization::None)
    }
}

impl Authorization {
    fn of(token: Option<&Token>) -> Self {
        let Some(token) = token else { return Self::None };
        match HeaderValue::try_from(format!("{SCHEME}{}", token.reveal())) {
            Ok(mut value) => {
                value.set_sensitive(true);
                Self::Header(value)
            }
            Err(_) => Self::Unusable,
        }
    }
}

impl fmt::Debug for Forge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forge").field("base", &self.base).field("has_token", &self.has_token()).finish()
    }
}
