//! The one pooled HTTP client, built at the first call: reading the system's certificates takes longer than the rest of
//! the start.

use std::sync::OnceLock;
use std::time::Duration;

use super::ForgeError;

/// The longest that making one connection may take, name look-up and TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an unused connection is kept; shorter than what the usual reverse proxies allow (60 to 75 s), so that a
/// write does not meet a connection that the other side is just closing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(50);

/// Holds the client once there is one.
#[derive(Default)]
pub(super) struct Pool {
    client: OnceLock<reqwest::Client>,
    /// No proxy is used, whatever the environment names.
    direct: bool,
}

impl Pool {
    /// A pool that uses no proxy.
    pub(super) fn direct() -> Self {
        Self { direct: true, ..Self::default() }
    }

    /// The client, built if this is its first use.
    pub(super) fn client(&self) -> Result<&reqwest::Client, ForgeError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let built = build(self.direct)?;
        Ok(self.client.get_or_init(|| built))
    }
}

fn build(direct: bool) -> Result<reqwest::Client, ForgeError> {
    let builder = forgehand_client::builder();
    let builder = if direct { builder.no_proxy() } else { builder };
    builder
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .tcp_nodelay(true)
        .build()
        .map_err(|e| ForgeError::Setup { reason: super::error::reason(&e.without_url()) })
}
