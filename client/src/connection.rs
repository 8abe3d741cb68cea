//! The shortest way from a call to a reply: one request, no retries, no redirects.

use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::{BaseUrl, BuildError, Call, Reply};

/// A Forgejo instance, and the account that talks to it.
#[derive(Clone)]
pub struct Connection {
    base: BaseUrl,
    token: Option<HeaderValue>,
    client: reqwest::Client,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The token holds what no header can carry.
    #[error("the token holds characters that no header can carry")]
    Token,
    /// The HTTP client could not be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    Setup(reqwest::Error),
    /// The request could not be built; nothing was sent.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// No answer came.
    #[error("no answer: {0}")]
    Send(reqwest::Error),
}

/// An HTTP client in the making, as this crate uses it: rustls with the system's certificates, no redirects, a User-Agent.
///
/// The cryptography is ring's, unless the program has installed another provider before.
pub fn builder() -> reqwest::ClientBuilder {
    // Fails only where a provider is installed already, and then that one is meant.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("forgehand/", env!("CARGO_PKG_VERSION")))
}

impl Connection {
    /// Connects lazily: nothing is sent yet.
    ///
    /// # Errors
    /// [`ConnectionError::Token`], [`ConnectionError::Setup`].
    pub fn new(base: BaseUrl, token: Option<&str>) -> Result<Self, ConnectionError> {
        let client = builder().build().map_err(ConnectionError::Setup)?;
        Self::with_client(base, token, client)
    }

    /// The same with an HTTP client of the caller's. Follow no redirects of writes with it.
    ///
    /// # Errors
    /// [`ConnectionError::Token`].
    pub fn with_client(
        base: BaseUrl,
        token: Option<&str>,
        client: reqwest::Client,
    ) -> Result<Self, ConnectionError> {
        let token = token.map(|token| HeaderValue::from_str(&format!("token {token}"))).transpose();
        let mut token = token.map_err(|_| ConnectionError::Token)?;
        if let Some(token) = &mut token {
            token.set_sensitive(true);
        }
        Ok(Self { base, token, client })
    }

    /// Sends a call once. Any status is a reply.
    ///
    /// # Errors
    /// [`ConnectionError::Build`], [`ConnectionError::Send`].
    pub async fn send<T>(&self, call: &Call<T>) -> Result<Reply<T>, ConnectionError> {
        let mut request = call.request(&self.base)?;
        if let Some(token) = &self.token {
            request.headers_mut().insert(AUTHORIZATION, token.clone());
        }
        let response =
            self.client.execute(request).await.map_err(|e| ConnectionError::Send(e.without_url()))?;
        Ok(Reply::new(call.operation, response))
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("base", &self.base).finish_non_exhaustive()
    }
}
