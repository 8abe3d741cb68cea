//! What was listed a moment ago, so that names are not looked up again for each call: by token and target, for a
//! minute, and no more than fits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderValue;

use super::{Authorization, Forge};

/// How long a listing is believed.
const LIFETIME: Duration = Duration::from_secs(60);

/// The most listings that are kept, of all tokens together.
const MOST: usize = 512;

/// The most bytes that they may take, names and keys counted.
const MOST_BYTES: usize = 2 * 1024 * 1024;

/// What a listing takes besides its names, in bytes, roughly.
const FRAME: usize = 128;

/// Something that has an id and a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number by which the forge knows it.
    pub id: i64,
    /// What it is called: a label's name, a milestone's title; a key has a title and a fingerprint.
    pub names: Vec<String>,
}

/// Where a list that was read ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    /// There is no more.
    #[default]
    All,
    /// There may be more behind what was read.
    Cut,
    /// The rest may not be read with this token.
    Forbidden,
}

/// All of one kind that there are in one place.
#[derive(Debug, Default)]
pub struct Listing {
    /// In the forge's order.
    pub entries: Vec<Entry>,
    /// Whether this is all.
    pub end: End,
}

/// The account, the target that was asked, and what its rows were read as.
type Key = (Option<HeaderValue>, String, &'static str);

#[derive(Default)]
struct Held {
    listings: HashMap<Key, (Instant, Arc<Listing>)>,
    bytes: usize,
}

/// The listings of all accounts of one forge.
#[derive(Default)]
pub(super) struct Listings(Mutex<Held>);

impl Listings {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops what a write to that target may have changed when the returned value is dropped: when the write has its
    /// answer, or is given up.
    pub(super) fn forgotten_after<'a>(&'a self, target: &'a str) -> ForgottenAfter<'a> {
        ForgottenAfter { listings: self, target }
    }

    /// Drops what a write to that target may have changed, of every account.
    fn forget(&self, target: &str) {
        let path = target.split('?').next().unwrap_or(target).to_ascii_lowercase();
        let moves = ["/rename", "/transfer", "/transfer/accept"];
        let path = moves.iter().find_map(|last| path.strip_suffix(last)).unwrap_or(&path);
        let below = |lower: &str, upper: &str| {
            lower.strip_prefix(upper).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.held().drop_where(|(_, listed, _), _| {
            let listed = listed.split('?').next().unwrap_or(listed).to_ascii_lowercase();
            below(path, &listed) || below(&listed, path)
        });
    }
}

/// See [`Listings::forgotten_after`].
pub(super) struct ForgottenAfter<'a> {
    listings: &'a Listings,
    target: &'a str,
}

impl Drop for ForgottenAfter<'_> {
    fn drop(&mut self) {
        self.listings.forget(self.target);
    }
}

impl Held {
    fn drop_where(&mut self, is_gone: impl Fn(&Key, Instant) -> bool) {
        self.listings.retain(|key, (at, _)| !is_gone(key, *at));
        self.bytes = self.listings.iter().map(|(key, (_, listing))| size(key, listing)).sum();
    }
}

fn size((_, target, _): &Key, listing: &Listing) -> usize {
    let name = |name: &String| name.len() + size_of::<String>();
    let entry = |entry: &Entry| entry.names.iter().map(name).sum::<usize>() + size_of::<Entry>();
    FRAME + target.len() + listing.entries.iter().map(entry).sum::<usize>()
}

impl Forge {
    /// What this account was shown at that target of such things within the last minute.
    pub fn listed(&self, target: &str, of: &'static str) -> Option<Arc<Listing>> {
        let held = self.listings.held();
        let (at, listing) = held.listings.get(&self.key(target, of))?;
        (at.elapsed() < LIFETIME).then(|| Arc::clone(listing))
    }

    /// Drops what is kept of such things, of every account.
    pub fn forget_listings(&self, of: &str) {
        self.listings.held().drop_where(|(_, _, kept), _| *kept == of);
    }

    /// Keeps what this account is shown at that target of such things; where there is no room, the oldest go.
    pub fn keep_listing(&self, target: &str, of: &'static str, listing: &Arc<Listing>) {
        let key = self.key(target, of);
        let own = size(&key, listing);
        if own > MOST_BYTES {
            return;
        }
        let mut held = self.listings.held();
        held.drop_where(|other, at| *other == key || at.elapsed() >= LIFETIME);
        while held.listings.len() >= MOST || held.bytes + own > MOST_BYTES {
            let Some(oldest) = held.listings.values().map(|(at, _)| *at).min() else { break };
            held.drop_where(|_, at| at == oldest);
        }
        held.bytes += own;
        held.listings.insert(key, (Instant::now(), Arc::clone(listing)));
    }

    fn key(&self, target: &str, of: &'static str) -> Key {
        let account = match &self.authorization {
            Authorization::Header(value) => Some(value.clone()),
            Authorization::None | Authorization::Unusable => None,
        };
        (account, target.to_owned(), of)
    }
}

#[cfg(test)]
mod tests {
    use forgehand_client::BaseUrl;

    use super::*;
    use crate::forge::Token;

    fn forge() -> Forge {
        Forge::new(BaseUrl::parse("https://forge.example").unwrap(), Token::new("one"))
    }

    fn listing(count: usize, length: usize) -> Arc<Listing> {
        let entries = (0..count).map(|id| Entry { id: id as i64, names: vec!["x".repeat(length)] }).collect();
        Arc::new(Listing { entries, end: End::All })
    }

    #[test]
    fn what_one_account_was_shown_is_not_shown_to_another() {
        let forge = forge();
        forge.keep_listing("/repos/a/b/labels", "label", &listing(1, 3));
        assert!(forge.listed("/repos/a/b/labels", "label").is_some());
        for other in [None, Token::new("two")] {
            assert!(forge.with_token(other.as_ref()).listed("/repos/a/b/labels", "label").is_none());
        }
        assert!(forge.with_token(Token::new("one").as_ref()).listed("/repos/a/b/labels", "label").is_some());
    }

    #[test]
    fn a_write_above_or_below_a_list_forgets_it_and_no_other() {
        for (target, forgotten) in [
            ("/repos/a/b/labels", true),
            ("/repos/a/b/labels/7", true),
            ("/repos/a/b/labels?x=1", true),
            ("/repos/a/b/labels2", false),
            ("/repos/a/b/issues/1/labels", false),
            ("/repos/a/b", true),
            ("/repos/A/B", true),
            ("/repos/a/b/transfer", true),
            ("/orgs/a/rename", false),
            ("/repos/a/bc", false),
        ] {
            let forge = forge();
            forge.keep_listing("/repos/a/b/labels?page=1", "label", &listing(1, 3));
            forge.listings.forget(target);
            assert_eq!(forge.listed("/repos/a/b/labels?page=1", "label").is_none(), forgotten, "{target}");
        }
    }

    #[test]
    fn what_is_kept_of_one_kind_is_no_other_kind_and_is_forgotten_by_itself() {
        let forge = forge();
        for of in ["label", "org_label"] {
            assert!(forge.listed("/orgs/a/labels", of).is_none());
            forge.keep_listing("/orgs/a/labels", of, &listing(1, 3));
        }
        forge.forget_listings("label");
        assert!(forge.listed("/orgs/a/labels", "label").is_none());
        assert!(forge.listed("/orgs/a/labels", "org_label").is_some());
    }

    #[test]
    fn listings_take_no_more_than_their_room() {
        let forge = forge();
        for at in 0..2000 {
            forge.keep_listing(&format!("/repos/a/{at}/labels"), "label", &listing(100, 100));
            let held = forge.listings.held();
            assert!(held.listings.len() <= MOST && held.bytes <= MOST_BYTES, "{at}");
        }
        assert!(forge.listed("/repos/a/1999/labels", "label").is_some());
        assert!(forge.listed("/repos/a/0/labels", "label").is_none());
        forge.keep_listing("/repos/a/large/labels", "label", &listing(30_000, 100));
        assert!(forge.listed("/repos/a/large/labels", "label").is_none());
    }
}
