//! Which release an instance is: asked before the first call, and remembered for a while. A call to an instance that is
//! older than what the tools are made for, or to a Gitea, is not sent; one that does not tell is called all the same.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use forgehand_client::{Call, Raw, Reply};
use http::{Method, StatusCode};
use serde_json::Value;

use super::{Forge, ForgeError};

/// The first release with all that the tools take for granted, and the first whose number is its own and not Gitea's.
const LEAST: u32 = 7;

/// The operation that tells the version, which an instance of any age has.
const TELLS: &str = "getVersion";

/// How long a release that will do is believed; an instance may be upgraded under a server that runs on.
const BELIEVED: Duration = Duration::from_secs(10 * 60);

/// How long one that will not do is believed, and how long one that did not tell is not asked again.
const DOUBTED: Duration = Duration::from_secs(60);

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// The part of a call's time that may pass with waiting for it, as a divisor: what is slow or silent there must not
/// keep the call from being sent.
const SHARE: u32 = 4;

/// The most that is read of the answer, in bytes.
const LONGEST: usize = 4096;

/// A release's numbers: `11.0.3` out of `11.0.3+gitea-1.22.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    numbers: Vec<u32>,
}

impl Version {
    /// Reads a version or a release; `None` where it does not begin with two numbers and a dot between them. What
    /// follows the numbers, behind `-` or `+`, is left out.
    pub fn parse(text: &str) -> Option<Self> {
        let core = text.split(['-', '+']).next()?;
        let number =
            |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
        let numbers: Vec<u32> = core.split('.').map(number).collect::<Option<_>>()?;
        (2..=4).contains(&numbers.len()).then_some(Self { numbers })
    }

    /// Whether it is before a release, of which major and minor number count: `15.0.0-dev` is not before `15.0`.
    pub fn is_before(&self, release: &Self) -> bool {
        self.numbers.get(..2) < release.numbers.get(..2)
    }

    /// Whether the tools are made for it.
    fn will_do(&self) -> bool {
        self.numbers.first().is_some_and(|major| *major >= LEAST)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> = self.numbers.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

/// What an instance was last heard to say of its version.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    told: Mutex<Option<Told>>,
    /// Held by the one who asks; the others wait for the answer.
    asking: tokio::sync::Mutex<()>,
}

impl Remembered {
    fn told(&self) -> MutexGuard<'_, Option<Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The version that was last told, however long ago.
    fn version(&self) -> Option<Version> {
        self.told().as_ref()?.version.clone()
    }
}

/// What it said, or that it did not tell, and when.
#[derive(Debug)]
struct Told {
    when: Instant,
    version: Option<Version>,
}

impl Told {
    fn is_believed(&self, now: Instant) -> bool {
        let will_do = self.version.as_ref().is_some_and(Version::will_do);
        now.saturating_duration_since(self.when) < if will_do { BELIEVED } else { DOUBTED }
    }
}

impl Forge {
    /// The instance's version; where it does not tell, or not within three seconds, the one that it told before, if
    /// any. What was heard is remembered for ten minutes (one, where it is too old), for all clones of a forge and all
    /// accounts together. That it was not told is no reason not to ask again: what one account is refused, another may
    /// be told.
    pub async fn version(&self, deadline: Instant) -> Option<Version> {
        self.told(deadline, true).await.ok()?
    }

    /// Lets a call through unless the instance is known to be too old; what is not told, is odd or comes late lets it
    /// through. Asks as [`Forge::version`] does, but for a minute not again where it was not told.
    ///
    /// # Errors
    /// [`ForgeError::TooOld`], or why nobody was reached who could tell; the call itself would reach nobody either.
    pub(super) async fn gate(&self, call: &Call<Raw>, deadline: Instant) -> Result<(), ForgeError> {
        if self.any_version || call.operation == TELLS {
            return Ok(());
        }
        match self.told(deadline, false).await? {
            Some(found) if !found.will_do() => Err(ForgeError::TooOld { found, least: LEAST }),
            _ => Ok(()),
        }
    }

    async fn told(&self, deadline: Instant, again: bool) -> Result<Option<Version>, ForgeError> {
        let now = Instant::now();
        let patience = PATIENCE.min(deadline.saturating_duration_since(now) / SHARE);
        let deadline = now + patience;
        let Ok(_asking) = tokio::time::timeout_at(deadline.into(), self.version.asking.lock()).await else {
            return Ok(self.version.version());
        };
        if let Some(told) = self.version.told().as_ref().filter(|told| told.is_believed(now))
            && (told.version.is_some() || !again)
        {
            return Ok(told.version.clone());
        }
        let said = match self.ask(deadline).await {
            Ok(said) => said,
            Err(ForgeError::Timeout | ForgeError::Broken { .. }) => None,
            Err(unreached) => return Err(unreached),
        };
        // What tells nothing takes nothing back.
        let version = said.or_else(|| self.version.version());
        *self.version.told() = Some(Told { when: Instant::now(), version: version.clone() });
        Ok(version)
    }

    /// What `GET /version` says, asked once.
    async fn ask(&self, deadline: Instant) -> Result<Option<Version>, ForgeError> {
        let call: Call<Raw> = Call::new(TELLS, Method::GET, "/version".to_owned());
        let response = self.exchange(&call, None, true, deadline).await?;
        Ok(said(Reply::new(call.operation, response)).await)
    }
}

async fn said(mut reply: Reply<Raw>) -> Option<Version> {
    if reply.status() != StatusCode::OK {
        return None;
    }
    let mut body = Vec::new();
    while let Some(chunk) = reply.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST {
            return None;
        }
    }
    let said: Value = serde_json::from_slice(&body).ok()?;
    Version::parse(said.get("version")?.as_str()?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails so")]
mod tests {
    use std::io::{Read, Write};

    use forgehand_client::BaseUrl;

    use super::*;

    #[test]
    fn a_version_is_its_numbers_and_what_is_none_is_nothing() {
        for (text, shown) in [
            ("15.0", Some("15.0")),
            ("11.0.3+gitea-1.22.0", Some("11.0.3")),
            ("15.0.0-dev-12-0123abc+gitea-1.22.0", Some("15.0.0")),
            ("1.21.11-0", Some("1.21.11")),
            ("15", None),
            ("v15.0", None),
            ("development", None),
            ("15.x", None),
            ("15..0", None),
            ("+15.0", None),
            ("99999999999.0", None),
            ("1.2.3.4.5", None),
            ("", None),
        ] {
            assert_eq!(Version::parse(text).map(|version| version.to_string()).as_deref(), shown, "{text}");
        }
    }

    #[test]
    fn what_will_do_begins_with_forgejo_7() {
        for (version, will_do) in [
            ("1.21.11-0", false),
            ("1.24.0+dev", false),
            ("6.0.1+0-gitea-1.21.1", false),
            ("7.0", true),
            ("7.0.0-dev", true),
            ("15.0.3+gitea-1.22.0", true),
            ("100.0", true),
        ] {
            assert_eq!(Version::parse(version).unwrap().will_do(), will_do, "{version}");
        }
    }

    #[test]
    fn a_release_that_will_do_is_believed_for_ten_minutes_and_anything_else_for_one() {
        for (version, minutes) in [(Some("15.0.3"), 10), (Some("1.24.2"), 1), (None, 1)] {
            let told = Told { when: Instant::now(), version: version.and_then(Version::parse) };
            let end = told.when + Duration::from_secs(minutes * 60);
            assert!(told.is_believed(end - Duration::from_secs(1)) && !told.is_believed(end), "{version:?}");
        }
    }

    /// A forge that answers everything so, or nothing; it was too old two minutes ago.
    fn once_too_old(status: Option<&'static str>) -> Forge {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let base = BaseUrl::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        std::thread::spawn(move || {
            let mut open = Vec::new();
            for mut stream in listener.incoming().flatten() {
                let mut request = [0; 2048];
                if let (Some(status), Ok(1..)) = (status, stream.read(&mut request)) {
                    let head = "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
                    stream.write_all(format!("HTTP/1.1 {status}\r\n{head}").as_bytes()).unwrap();
                } else {
                    open.push(stream);
                }
            }
        });
        let forge = Forge::new(base, None).direct();
        let when = Instant::now().checked_sub(DOUBTED * 2).unwrap();
        *forge.version.told() = Some(Told { when, version: Version::parse("1.24.2") });
        forge
    }

    #[tokio::test]
    async fn an_instance_that_no_longer_tells_stays_too_old() {
        let call = Call::new("issueGetIssue", Method::GET, "/x".to_owned());
        for status in [None, Some("401 Unauthorized"), Some("429 Too Many Requests"), Some("502 Bad Gateway")]
        {
            let forge = once_too_old(status);
            for _ in 0..2 {
                let gate = forge.gate(&call, Instant::now() + Duration::from_millis(400)).await;
                assert!(matches!(gate, Err(ForgeError::TooOld { .. })), "{status:?}: {gate:?}");
            }
        }
    }

    #[tokio::test]
    async fn while_another_call_asks_what_was_told_before_counts() {
        let forge = once_too_old(None);
        let _asking = forge.version.asking.lock().await;
        let call = Call::new("issueGetIssue", Method::GET, "/x".to_owned());
        let gate = forge.gate(&call, Instant::now() + Duration::from_millis(400)).await;
        assert!(matches!(gate, Err(ForgeError::TooOld { .. })), "{gate:?}");
    }

    #[test]
    fn major_and_minor_number_decide_what_is_before() {
        for (version, release, before) in [
            ("11.0.3", "15.0", true),
            ("14.0.9", "15.0", true),
            ("9.0.1", "10.0", true),
            ("15.0.0-dev-1", "15.0", false),
            ("15.0.3", "15.0", false),
            ("16.0.0", "15.0", false),
            ("15.0.0", "15.1", true),
        ] {
            let (version, release) = (Version::parse(version).unwrap(), Version::parse(release).unwrap());
            assert_eq!(version.is_before(&release), before, "{version} {release}");
        }
    }
}
