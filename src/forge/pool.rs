//! The one pooled HTTP client, built at the first call: reading the system's certificates takes longer than the rest of
//! the start.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::ClientBuilder;

use super::ForgeError;
use super::elsewhere::Public;

/// The longest that making one connection may take, name look-up and TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an unused connection is kept; shorter than what the usual reverse proxies allow (60 to 75 s), so that a
/// write does not meet a connection that the other side is just closing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(50);

/// Holds the client once there is one.
pub(super) struct Pool {
    client: OnceLock<reqwest::Client>,
    way: Way,
}

/// How a forge is reached.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// By https: no certificates, no calls.
    Secure,
    /// By http: certificates are for an https proxy alone, and a system without any will do.
    Plain,
    /// On this machine: no proxy's business, whatever the environment names, and no certificates.
    Direct,
    /// Wherever a file of the forge's is kept, by names that this looks up.
    Elsewhere(Public),
}

impl Pool {
    /// A pool that has no connection yet.
    pub(super) fn new(way: Way) -> Self {
        Self { client: OnceLock::new(), way }
    }

    /// Which addresses may be asked for files that are kept elsewhere.
    pub(super) fn public(&self) -> Public {
        if let Way::Elsewhere(public) = self.way { public } else { Public { or_here: false } }
    }

    /// The client, built if this is its first use.
    pub(super) fn client(&self) -> Result<&reqwest::Client, ForgeError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let built = match self.way {
            Way::Secure => build(|b| b),
            Way::Plain => build(|b| b).or_else(|_| build(without_certificates)),
            Way::Direct => build(|b| without_certificates(b).no_proxy()),
            Way::Elsewhere(public) => {
                // By a proxy nobody here would look the names up.
                let way = |b: ClientBuilder| b.no_proxy().dns_resolver(Arc::new(public));
                build(way).or_else(|_| build(|b| without_certificates(way(b))))
            }
        };
        let built =
            built.map_err(|e| ForgeError::Setup { reason: super::error::reason(&e.without_url()) })?;
        Ok(self.client.get_or_init(|| built))
    }
}

fn without_certificates(builder: ClientBuilder) -> ClientBuilder {
    builder.tls_certs_only([])
}

fn build(way: impl Fn(ClientBuilder) -> ClientBuilder) -> reqwest::Result<reqwest::Client> {
    way(forgehand_client::builder())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .tcp_nodelay(true)
        .build()
}
