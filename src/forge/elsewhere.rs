//! Reads a file that the forge names and does not keep: from wherever its address leads, as anybody would.
//!
//! The address is text of whoever wrote it, so nothing is sent with the request that the other side could not know: no
//! token, no user of the address, no proxy's. Only public addresses are asked, redirects included, by one rule: what a
//! name is looked up as is what is connected to, and of that the addresses that are for this machine, its network or
//! nobody are passed over ([`is_public`]). It cannot tell a public address that leads back inside. A forge that is on
//! this machine may name files that are on it too.

use std::error::Error as StdError;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use forgehand_client::{Call, Raw, Reply};
use http::Method;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Response, Url};
use tokio::net::lookup_host;

use super::transport::{REDIRECTS, is_redirect, location, shown};
use super::{Forge, error};

/// Why a file that is kept elsewhere was not had. Places are told without credentials and query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ElsewhereError {
    /// It has no address that can be asked. Nothing was sent.
    #[error("expected the http or https address of a file, got one that is none")]
    Address,
    /// The address is of this machine, of its network or of nobody. Nothing was sent there.
    #[error("{place} is no public address, and no other is asked")]
    NotPublic {
        /// Where it leads.
        place: String,
    },
    /// A redirect that is not followed.
    #[error("{place} points elsewhere, and that is not followed: {reason}")]
    Redirected {
        /// Where it was asked for.
        place: String,
        /// Why.
        reason: &'static str,
    },
    /// No answer came.
    #[error("{place} gave no answer: {reason}")]
    Failed {
        /// Where it was asked for.
        place: String,
        /// Why.
        reason: String,
    },
}

/// Looks names up, and passes over what is not public.
#[derive(Debug, Clone, Copy)]
pub(super) struct Public {
    /// Whether this machine itself may be asked too.
    pub(super) or_here: bool,
}

/// A name that no public address stands behind.
#[derive(Debug, thiserror::Error)]
#[error("no public address stands behind that name")]
struct NoPublic;

impl Resolve for Public {
    fn resolve(&self, name: Name) -> Resolving {
        let rule = *self;
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|found| rule.allows(found.ip())).collect();
            if public.is_empty() {
                return Err(NoPublic.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl Public {
    fn allows(self, address: IpAddr) -> bool {
        is_public(address) || self.or_here && address.is_loopback()
    }

    /// Whether an address may be asked, as far as it tells: names tell when they are looked up.
    fn allows_host(self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        host.trim_matches(['[', ']']).parse().map_or(true, |address| self.allows(address))
    }
}

/// Whether an address is one of the whole network's, by the registries of special addresses of IANA.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = match first {
        0 | 10 | 127 | 224.. => true,
        100 => (64..128).contains(&second),
        169 => second == 254,
        172 => (16..32).contains(&second),
        192 => second == 168 || second == 0 && matches!(third, 0 | 2) || (second, third) == (88, 99),
        198 => matches!(second, 18 | 19) || (second, third) == (51, 100),
        203 => (second, third) == (0, 113),
        _ => false,
    };
    !is_special
}

/// Of the addresses of version 6 those that are given out, but those which are made of another address or of nothing.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(address) = address.to_ipv4_mapped() {
        return is_public_v4(address);
    }
    let [first, second, ..] = address.segments();
    let is_given = first & 0xe000 == 0x2000;
    let is_special = matches!((first, second), (0x2001, 0..0x200 | 0xdb8) | (0x2002, _)) || first == 0x3fff;
    is_given && !is_special
}

impl Forge {
    /// Reads what is at an address outside of the forge, without credentials. Up to three redirects are followed, none
    /// from https to http. The answer may have any status. Beside it stands the call as which it was sent, whose target
    /// is the whole address without its query.
    ///
    /// # Errors
    /// [`ElsewhereError`].
    pub async fn elsewhere(
        &self,
        address: &str,
        deadline: Instant,
    ) -> Result<(Call<Raw>, Reply<Raw>), ElsewhereError> {
        let mut url = Url::parse(address).map_err(|_| ElsewhereError::Address)?;
        for _ in 0..=REDIRECTS {
            let response = self.try_elsewhere(&mut url, deadline).await?;
            if !is_redirect(response.status()) {
                let call = Call::new("file elsewhere", Method::GET, shown(&url));
                return Ok((call, Reply::new("file elsewhere", response)));
            }
            url = next(&url, &response)?;
        }
        Err(ElsewhereError::Redirected { place: shown(&url), reason: "it was the fourth time" })
    }

    async fn try_elsewhere(&self, url: &mut Url, deadline: Instant) -> Result<Response, ElsewhereError> {
        // These fail only for addresses that can hold neither, and those are refused.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ElsewhereError::Address);
        }
        let place = shown(url);
        if !self.elsewhere.public().allows_host(url) {
            return Err(ElsewhereError::NotPublic { place });
        }
        let failed = |reason: String| ElsewhereError::Failed { place: place.clone(), reason };
        let client = self.elsewhere.client().map_err(|error| failed(error.to_string()))?;
        let left = deadline.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return Err(failed("the time ran out".to_owned()));
        }
        let sent = client.get(url.clone()).timeout(left).send().await;
        sent.map_err(|error| {
            let error = error.without_url();
            match is_caused_by_rule(&error) {
                true => ElsewhereError::NotPublic { place: place.clone() },
                false if error.is_timeout() => failed("the time ran out".to_owned()),
                false => failed(error::reason(&error)),
            }
        })
    }
}

/// Where a redirect leads.
fn next(url: &Url, response: &Response) -> Result<Url, ElsewhereError> {
    let refused = |reason| ElsewhereError::Redirected { place: shown(url), reason };
    let next = location(url, response.headers()).ok_or_else(|| refused("it names no place"))?;
    match (url.scheme(), next.scheme()) {
        ("https", "http") => Err(refused("from https to http")),
        (_, "http" | "https") => Ok(next),
        _ => Err(refused("to what is neither http nor https")),
    }
}

fn is_caused_by_rule(error: &reqwest::Error) -> bool {
    let mut at: Option<&(dyn StdError + 'static)> = error.source();
    while let Some(error) = at {
        if error.is::<NoPublic>() {
            return true;
        }
        at = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_whole_network_are_public() {
        for (text, expected) in [
            ("93.184.215.14", true),
            ("1.1.1.1", true),
            ("100.63.255.255", true),
            ("172.32.0.1", true),
            ("192.0.1.1", true),
            ("2606:2800:21f:cb07::1", true),
            ("2001:4860:4860::8888", true),
            ("::ffff:1.1.1.1", true),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("100.127.255.255", false),
            ("127.0.0.1", false),
            ("127.9.9.9", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.1", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("198.51.100.7", false),
            ("203.0.113.7", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("64:ff9b::a00:1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::", false),
            ("3fff::1", false),
            ("fc00::1", false),
            ("fd12:3456::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(text.parse().unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn a_forge_on_this_machine_may_name_files_on_it_and_none_in_its_network() {
        for (url, here, anywhere) in [
            ("http://127.0.0.1/x", true, false),
            ("http://0x7f.1/x", true, false),
            ("http://2130706433/x", true, false),
            ("http://[::1]/x", true, false),
            ("http://10.0.0.1/x", false, false),
            ("http://1.1.1.1/x", true, true),
        ] {
            let url = Url::parse(url).unwrap();
            let allows = |or_here| Public { or_here }.allows_host(&url);
            assert_eq!((allows(true), allows(false)), (here, anywhere), "{url}");
        }
    }
}
