//! The lists in which names are looked up, read page by page.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use forgehand_client::{Call, Parameters, Raw};
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::forge::{End, Entry, Forge, Listing};
use crate::operations::descriptor::{Effect, NameList, Named, Operation};
use crate::operations::pages::{self, Pages, Source};
use crate::operations::{OperationError, refusal};

/// The most pages that are read of one list; what is behind them is not known.
const PAGES: u64 = 100;

/// All that is known of a kind; each list with whether it was looked up before this call.
pub(super) type Known = Vec<(Arc<Listing>, bool)>;

/// A row, of which only what matters is read.
#[derive(Deserialize)]
struct Row<'a>(#[serde(borrow)] HashMap<Cow<'a, str>, &'a RawValue>);

/// Looks lists up for one call.
pub(super) struct Lookup<'a> {
    forge: &'a Forge,
    operation: &'static Operation,
    deadline: Instant,
    /// Whether something was believed that was looked up before this call.
    pub(super) is_kept: bool,
    /// What this call has read already.
    read: Vec<(String, &'static str, Arc<Listing>)>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(forge: &'a Forge, operation: &'static Operation, deadline: Instant) -> Self {
        Self { forge, operation, deadline, is_kept: false, read: Vec::new() }
    }

    /// What it looks up for.
    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// What there is of a kind. A write goes by what is there now: a label may have been renamed a moment ago.
    pub(super) async fn known(
        &mut self,
        of: &'static Named,
        path: &Map<String, Value>,
        anew: bool,
    ) -> Result<Known, OperationError> {
        let mut known = Vec::with_capacity(of.lists.len());
        for list in of.lists {
            known.push(self.listing(of, list, path, anew).await?);
        }
        Ok(known)
    }

    async fn listing(
        &mut self,
        of: &'static Named,
        list: &NameList,
        path: &Map<String, Value>,
        anew: bool,
    ) -> Result<(Arc<Listing>, bool), OperationError> {
        let target = self.call(list, of, path, 1)?.target;
        let is_this = |read: &str, name: &str| read == target && name == of.name;
        if let Some((.., listing)) = self.read.iter().find(|(read, name, _)| is_this(read, name)) {
            return Ok((Arc::clone(listing), false));
        }
        let is_write = self.operation.effect != Effect::Read;
        if let Some(listing) = self.forge.listed(&target, of.name).filter(|_| !anew && !is_write) {
            return Ok((listing, true));
        }
        let listing = Arc::new(self.rows(list, of, path).await?);
        if !is_write {
            self.forge.keep_listing(&target, of.name, &listing);
        }
        self.read.push((target, of.name, Arc::clone(&listing)));
        Ok((listing, false))
    }

    /// All rows of a list.
    async fn rows(
        &self,
        list: &NameList,
        of: &Named,
        path: &Map<String, Value>,
    ) -> Result<Listing, OperationError> {
        let Self { forge, operation, deadline, .. } = *self;
        let (is_paged, is_optional) = (list.paged, list.optional);
        let mut pages = Pages::new(Source { forge, operation, deadline, most: PAGES, is_paged, is_optional });
        let mut entries = Vec::new();
        while let Some(rows) =
            pages.next(|page| self.call(list, of, path, page), |body| read(of, body)).await?
        {
            entries.extend(rows);
        }
        Ok(Listing { entries, end: pages.end() })
    }

    fn call(
        &self,
        list: &NameList,
        of: &Named,
        path: &Map<String, Value>,
        page: u64,
    ) -> Result<Call<Raw>, OperationError> {
        let within = of.within.iter().map(|within| (*within, *within));
        let told = list.path.iter().copied().chain(within);
        let path = told.filter_map(|(name, from)| Some((name.to_owned(), path.get(from)?.clone()))).collect();
        let mut query: Map<String, Value> =
            list.query.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        if list.paged {
            query.insert("page".to_owned(), page.into());
            query.insert("limit".to_owned(), pages::SIZE.into());
        }
        let parameters = Parameters { path, query, ..Parameters::default() };
        (list.build)(parameters).map_err(|error| refusal::unbuilt(self.operation, &error))
    }
}

/// Everything that is listed.
pub(super) fn entries(known: &Known) -> impl Iterator<Item = &Entry> {
    known.iter().flat_map(|(listing, _)| &listing.entries)
}

/// Whether there is no more than that, or why what there is besides is not known.
pub(super) fn end(known: &Known) -> End {
    let mut ends = known.iter().map(|(listing, _)| listing.end).filter(|end| *end != End::All);
    ends.next().unwrap_or_default()
}

/// The rows of an answer.
///
/// # Errors
/// Where it is no list of rows with ids.
fn read(of: &Named, body: &[u8]) -> Result<Vec<(i64, Entry)>, serde_json::Error> {
    let rows: Vec<Row<'_>> = serde_json::from_slice::<Option<_>>(body)?.unwrap_or_default();
    let entry = |row: &Row<'_>| row.id().map(|id| (id, Entry { id, names: row.names(of) }));
    rows.iter().map(entry).collect()
}

impl Row<'_> {
    fn id(&self) -> Result<i64, serde_json::Error> {
        let id = self.0.get("id").ok_or_else(|| serde_json::Error::missing_field("id"))?;
        serde_json::from_str(id.get())
    }

    /// What the row is called; a name that is absent or empty is none.
    fn names(&self, of: &Named) -> Vec<String> {
        of.by.iter().filter_map(|by| self.text(by)).filter(|name| !name.is_empty()).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        let mut names = path.split('.');
        let value: Value = serde_json::from_str(self.0.get(names.next()?)?.get()).ok()?;
        names.try_fold(&value, |at, name| at.get(name))?.as_str().map(str::to_owned)
    }
}
