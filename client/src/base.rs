//! The address of a Forgejo instance, in any of the spellings that people paste.

use std::fmt;

/// An instance's address, with or without sub-path, without trailing slash and without `/api/v1`.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: reqwest::Url,
    root: String,
}

/// Why an address was refused. Never holds the address itself, which may carry a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an absolute URL.
    #[error(
        "the forge's address is no absolute URL; expected something like https://forge.example or https://forge.example/git"
    )]
    Malformed,
    /// Neither http nor https.
    #[error("the forge's address must begin with https:// or http://")]
    Scheme,
    /// User or password in the address.
    #[error("the forge's address may not hold a user or password; give the token apart from it")]
    Credentials,
    /// A query or fragment.
    #[error("the forge's address may not hold a query (`?`) or a fragment (`#`)")]
    Extra,
}

impl BaseUrl {
    /// Reads an address: `https://forge.example`, `…/git`, `…/git/`, `…/git/api/v1` and `…/git/api/v1/` are understood.
    ///
    /// # Errors
    /// See [`BaseUrlError`].
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let mut url = reqwest::Url::parse(text.trim()).map_err(|_| BaseUrlError::Malformed)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BaseUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Extra);
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix("/api/v1").unwrap_or(path).trim_end_matches('/').to_owned();
        url.set_path(&path);
        let root = format!("{}{}", url.origin().ascii_serialization(), path);
        Ok(Self { url, root })
    }

    /// The instance's web address without trailing slash: `https://forge.example/git`.
    pub fn as_str(&self) -> &str {
        &self.root
    }

    /// The address of an API target such as `/repos/acme/widget`.
    pub fn api(&self, target: &str) -> String {
        format!("{}/api/v1{target}", self.root)
    }

    /// Whether an address has this instance's scheme, host and port.
    pub fn same_origin(&self, other: &reqwest::Url) -> bool {
        self.url.origin() == other.origin()
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)
    }
}
