//! All exchanges with the tables that find them.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{Exchange, LoadError, key, load};

/// What the build packed out of `tests/recordings/`.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/recordings.bin"));

/// Recorded exchanges, found by request.
#[derive(Debug)]
pub struct Recordings {
    exchanges: Vec<Exchange>,
    by_key: HashMap<String, Vec<usize>>,
    by_list: HashMap<String, Vec<usize>>,
    identities: HashSet<String>,
}

impl Recordings {
    /// The recordings that the program carries, unpacked at the first call and shared from then on.
    ///
    /// # Errors
    /// Only where the build embedded something that it should have refused.
    pub fn embedded() -> Result<Arc<Self>, LoadError> {
        static LOADED: OnceLock<Arc<Recordings>> = OnceLock::new();
        if let Some(loaded) = LOADED.get() {
            return Ok(Arc::clone(loaded));
        }
        let fresh = Arc::new(Self::new(load::embedded(EMBEDDED)?));
        Ok(Arc::clone(LOADED.get_or_init(|| fresh)))
    }

    /// Reads every `*.jsonl` of a folder.
    ///
    /// # Errors
    /// A folder or file that cannot be read, or a line that is no exchange: the error names both.
    pub fn folder(at: &Path) -> Result<Self, LoadError> {
        load::folder(at).map(Self::new)
    }

    /// Reads the exchanges of one file.
    ///
    /// # Errors
    /// As [`Recordings::folder`].
    pub fn file(at: &Path) -> Result<Vec<Exchange>, LoadError> {
        load::path(at)
    }

    /// Recordings out of these exchanges; among equal requests, earlier ones are answered first.
    pub fn new(exchanges: Vec<Exchange>) -> Self {
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::with_capacity(exchanges.len());
        let mut by_list: HashMap<String, Vec<usize>> = HashMap::new();
        let mut identities: HashSet<String> = HashSet::new();
        for (at, exchange) in exchanges.iter().enumerate() {
            let asked = exchange.asked();
            by_key.entry(key::exact(&asked)).or_default().push(at);
            if let Some(list) = key::list(&asked) {
                by_list.entry(list).or_default().push(at);
            }
            if !identities.contains(&exchange.identity) {
                identities.insert(exchange.identity.clone());
            }
        }
        Self { exchanges, by_key, by_list, identities }
    }

    /// All exchanges, file by file, each in order of time.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// Equal requests together, each group in order of time, the groups by their first.
    pub fn sequences(&self) -> Vec<Vec<&Exchange>> {
        let mut groups: Vec<&Vec<usize>> = self.by_key.values().collect();
        groups.sort();
        groups.into_iter().map(|at| at.iter().filter_map(|at| self.exchanges.get(*at)).collect()).collect()
    }

    /// Whether anything was asked as this identity.
    pub fn knows(&self, identity: &str) -> bool {
        self.identities.contains(identity)
    }

    /// The exchange of that name, with its place among all.
    pub fn scenario(&self, name: &str) -> Option<(usize, &Exchange)> {
        self.exchanges.iter().enumerate().find(|(_, exchange)| exchange.scenario == name)
    }

    /// The places of the exchanges with this exact key, in order.
    pub(crate) fn equal(&self, exact: &str) -> &[usize] {
        self.by_key.get(exact).map_or(&[], Vec::as_slice)
    }

    /// Everything that was recorded of a list, refusals included, in order.
    pub(crate) fn list(&self, list: &str) -> impl DoubleEndedIterator<Item = &Exchange> {
        let at = self.by_list.get(list).map_or(&[][..], Vec::as_slice);
        at.iter().filter_map(|at| self.exchanges.get(*at))
    }

    /// The recorded pages of a list, in order.
    pub(crate) fn pages(&self, list: &str) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.list(list).filter(|exchange| exchange.status == 200)
    }
}
