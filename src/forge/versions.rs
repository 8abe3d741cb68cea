//! Which release an instance is: asked when an answer makes one wonder, and remembered for a while.

use std::time::{Duration, Instant};

use forgehand_client::{Call, Raw};
use http::{Method, StatusCode};
use serde_json::Value;
use tokio::sync::Mutex;

use super::Forge;

/// How long an answer is believed; an instance may be upgraded under a server that runs on.
const BELIEVED: Duration = Duration::from_secs(10 * 60);

/// How long an answer is waited for: it only explains another one.
const PATIENCE: Duration = Duration::from_secs(3);

/// The most that is read of the answer, in bytes.
const LONGEST: usize = 4096;

/// A release's numbers: `11.0.3` out of `11.0.3+gitea-1.22.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    numbers: Vec<u32>,
}

impl Version {
    /// Reads a version or a release; `None` where it does not begin with two numbers and a dot between them. What follows
    /// the numbers, behind `-` or `+`, is left out.
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
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> = self.numbers.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

/// What an instance said of its version, and when.
#[derive(Debug, Default)]
pub(super) struct Remembered(Mutex<Option<(Instant, Version)>>);

impl Forge {
    /// The instance's version, asked once by all clones of a forge together and again after ten minutes; `None` where it
    /// does not tell, not within three seconds, or not before the deadline. Only a version is remembered: what one account
    /// is refused, another may be told.
    pub async fn version(&self, deadline: Instant) -> Option<Version> {
        let deadline = deadline.min(Instant::now() + PATIENCE);
        let asked = async {
            let mut remembered = self.version.0.lock().await;
            if let Some((when, version)) = remembered.as_ref()
                && when.elapsed() < BELIEVED
            {
                return Some(version.clone());
            }
            let version = self.ask(deadline).await?;
            *remembered = Some((Instant::now(), version.clone()));
            Some(version)
        };
        tokio::time::timeout_at(deadline.into(), asked).await.ok()?
    }

    /// What `GET /version` says.
    async fn ask(&self, deadline: Instant) -> Option<Version> {
        let call: Call<Raw> = Call::new("getVersion", Method::GET, "/version".to_owned());
        let mut reply = self.send(&call, true, deadline).await.ok()?;
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
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails so")]
mod tests {
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
