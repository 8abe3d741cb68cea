//! Names in the place of ids: labels and milestones are looked up before anything else is asked for.
//!
//! A write wants ids, and one list of the forge's takes names and passes over those that it has not, so that a misspelt
//! filter would show everything. What is looked up is kept for a minute; a name that is not in what was kept is looked up
//! anew before it is called unknown.

use std::sync::Arc;
use std::time::Instant;

use forgehand_client::{BuildError, Call, JSON_LIMIT, Parameters, Raw, untyped};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::arguments::{Values, quoted};
use super::descriptor::{Effect, Kind, Named, Names, Operation, Parameter};
use super::near::near;
use super::{Code, OperationError, refusal};
use crate::forge::{Entry, Forge, Listing};

/// The rows of a page that is asked for.
const PAGE: i64 = 50;

/// The most pages that are read of one list; what is behind them is not known.
const PAGES: i64 = 100;

/// Replaces names by ids, or checks them, as the parameters say. The note tells of a filter that could not be checked.
///
/// # Errors
/// [`Code::InvalidArguments`] for a name that is unknown or that several have; else why they could not be looked up.
pub(super) async fn resolve(
    forge: &Forge,
    operation: &'static Operation,
    values: &mut Values,
    deadline: Instant,
) -> Result<Option<String>, OperationError> {
    let (owner, repo) = (values.text("owner").to_owned(), values.text("repo").to_owned());
    let lookup = Lookup { forge, operation, owner, repo, deadline };
    let mut note = None;
    for (parameter, value) in values.iter_mut() {
        let Some(names) = names_of(&parameter.kind) else { continue };
        let items = match value {
            Value::Array(items) => items.as_mut_slice(),
            one => std::slice::from_mut(one),
        };
        if items.iter().any(|item| is_looked_up(names, item)) {
            note = lookup.items(parameter, names, items).await?.or(note);
        }
    }
    Ok(note)
}

/// The names that an argument of that kind holds.
pub(super) fn names_of(kind: &Kind) -> Option<&Names> {
    match kind {
        Kind::Name(names) => Some(names),
        Kind::List(item) => names_of(item),
        _ => None,
    }
}

/// An id stands for itself where it need not be checked.
fn is_looked_up(names: &Names, item: &Value) -> bool {
    names.checked || names.by_name || item.is_string()
}

/// Where names are looked up, and for what.
struct Lookup<'a> {
    forge: &'a Forge,
    operation: &'static Operation,
    owner: String,
    repo: String,
    deadline: Instant,
}

/// A list in which names are.
#[derive(Clone, Copy)]
enum Place {
    Labels,
    OrganizationLabels,
    Milestones,
}

/// A row, as far as it matters here.
#[derive(Deserialize)]
struct Row {
    id: i64,
    #[serde(alias = "title")]
    name: String,
}

impl Lookup<'_> {
    async fn items(
        &self,
        parameter: &Parameter,
        names: &Names,
        items: &mut [Value],
    ) -> Result<Option<String>, OperationError> {
        // A write goes by what is there now: a label may have been renamed a moment ago.
        let writes = self.operation.effect != Effect::Read;
        let mut known = self.known(names.of, writes).await?;
        if items.iter().any(|item| is_looked_up(names, item) && find(&known, item).is_empty())
            && known.iter().any(|(_, kept)| *kept)
        {
            known = self.known(names.of, true).await?;
        }
        let mut note = None;
        for item in items.iter_mut().filter(|item| is_looked_up(names, item)) {
            let found = find(&known, item);
            match found.as_slice() {
                [] if names.by_name && !is_complete(&known) => {
                    let said = format!(
                        "whether there is {} {} could not be checked, and the forge passes over what it does not know; \
                         if there is none, this is not filtered by it",
                        word(names.of),
                        shown(item)
                    );
                    note = Some(said);
                }
                [] => return Err(self.unknown(parameter, names, item, &known)),
                [entry, ..] if names.by_name => *item = sent_by_name(names.of, entry),
                [entry] => *item = entry.id.into(),
                several => return Err(ambiguous(parameter, names, item, several)),
            }
        }
        Ok(note)
    }

    /// All that is known of a kind; each with whether it was looked up before this call.
    async fn known(&self, of: Named, anew: bool) -> Result<Vec<(Arc<Listing>, bool)>, OperationError> {
        let places: &[Place] = match of {
            Named::Label => &[Place::Labels, Place::OrganizationLabels],
            Named::Milestone => &[Place::Milestones],
        };
        let mut known = Vec::with_capacity(places.len());
        for place in places {
            known.push(self.listing(*place, anew).await?);
        }
        Ok(known)
    }

    async fn listing(&self, place: Place, anew: bool) -> Result<(Arc<Listing>, bool), OperationError> {
        let first = self.call(place, 1)?;
        let path = first.target.split('?').next().unwrap_or_default().to_owned();
        if let Some(listing) = self.forge.listed(&path).filter(|_| !anew) {
            return Ok((listing, true));
        }
        let listing = Arc::new(self.read(place, first).await?);
        self.forge.keep_listing(&path, &listing);
        Ok((listing, false))
    }

    /// All pages of a list. A server may send fewer rows than it is asked for: the total decides, and where there is none
    /// a page that brings nothing new.
    async fn read(&self, place: Place, first: Call<Raw>) -> Result<Listing, OperationError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut call = first;
        for page in 1..=PAGES {
            let mut reply = self
                .forge
                .send(&call, true, self.deadline)
                .await
                .map_err(|error| refusal::unanswered(self.operation, &call, error))?;
            match (place, reply.status()) {
                // An owner that is no organization has no labels.
                (Place::OrganizationLabels, StatusCode::NOT_FOUND) => break,
                (Place::OrganizationLabels, StatusCode::FORBIDDEN) => {
                    return Ok(Listing { entries, complete: false });
                }
                (_, status) if !status.is_success() => {
                    return Err(refusal::refused(self.operation, &call, reply).await);
                }
                _ => {}
            }
            let total = super::paging::total(reply.headers());
            let rows = reply.bytes(JSON_LIMIT).await.ok();
            let rows = rows.and_then(|rows| serde_json::from_slice::<Option<Vec<Row>>>(&rows).ok());
            let Some(rows) = rows else { return Err(unreadable(&call)) };
            let before = entries.len();
            for Row { id, name } in rows.unwrap_or_default() {
                if !entries.iter().any(|entry| entry.id == id) {
                    entries.push(Entry { id, name });
                }
            }
            let is_all = total.is_some_and(|total| entries.len() as u64 >= total);
            if is_all || entries.len() == before {
                break;
            }
            if page == PAGES {
                return Ok(Listing { entries, complete: false });
            }
            call = self.call(place, page + 1)?;
        }
        Ok(Listing { entries, complete: true })
    }

    fn call(&self, place: Place, page: i64) -> Result<Call<Raw>, OperationError> {
        let mut query =
            Map::from_iter([("page".to_owned(), Value::from(page)), ("limit".to_owned(), Value::from(PAGE))]);
        let path: &[(&str, &str)] = match place {
            Place::OrganizationLabels => &[("org", &self.owner)],
            Place::Labels | Place::Milestones => &[("owner", &self.owner), ("repo", &self.repo)],
        };
        let path = path.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        let build: fn(Parameters) -> Result<Call<Raw>, BuildError> = match place {
            Place::Labels => untyped::issue_list_labels,
            Place::OrganizationLabels => untyped::org_list_labels,
            Place::Milestones => {
                query.insert("state".to_owned(), "all".into());
                untyped::issue_get_milestones_list
            }
        };
        let parameters = Parameters { path, query, ..Parameters::default() };
        build(parameters).map_err(|error| refusal::unbuilt(self.operation, &error))
    }

    fn unknown(
        &self,
        parameter: &Parameter,
        names: &Names,
        item: &Value,
        known: &[(Arc<Listing>, bool)],
    ) -> OperationError {
        let (owner, repo) = (&self.owner, &self.repo);
        let said = match item {
            Value::Number(id) => format!("{owner}/{repo} has no {} with the id {id}", word(names.of)),
            name => format!("{owner}/{repo} has no {} called {}", word(names.of), shown(name)),
        };
        let most = (PAGES * PAGE) as usize;
        let is_cut = known.iter().any(|(listing, _)| listing.entries.len() >= most);
        let said = if is_cut { format!("{said} among the first {most} that were read") } else { said };
        let mut error = invalid(parameter, &said);
        let name = item.as_str().unwrap_or_default();
        let by_id = name.parse().is_ok_and(|id: i64| entries(known).any(|entry| entry.id == id));
        if by_id {
            error.hint =
                Some(format!("in a list a text is a name; the id is the number {name}, without quotes"));
        } else if is_cut {
            error.hint = Some("an id is taken as it is".to_owned());
        } else if !is_complete(known) {
            let hint = "those of the organization may not be read with this token; an id is taken as it is";
            error.hint = Some(hint.to_owned());
        }
        error.near = near(name, entries(known).map(|entry| entry.name.as_str()));
        if let Some(first) = error.near.first() {
            error.message.push_str(&format!("; did you mean {}?", quoted(first)));
        }
        error
    }
}

fn entries(known: &[(Arc<Listing>, bool)]) -> impl Iterator<Item = &Entry> {
    known.iter().flat_map(|(listing, _)| &listing.entries)
}

fn is_complete(known: &[(Arc<Listing>, bool)]) -> bool {
    known.iter().all(|(listing, _)| listing.complete)
}

/// What has that name or that id.
fn find<'a>(known: &'a [(Arc<Listing>, bool)], item: &Value) -> Vec<&'a Entry> {
    entries(known)
        .filter(|entry| match item {
            Value::String(name) => entry.name == *name,
            id => id.as_i64() == Some(entry.id),
        })
        .collect()
}

/// The name. A milestone's title with a comma could not stand in the forge's list of titles, which takes ids as well.
fn sent_by_name(of: Named, entry: &Entry) -> Value {
    match of {
        Named::Milestone if entry.name.contains(',') => entry.id.to_string().into(),
        _ => entry.name.clone().into(),
    }
}

fn word(of: Named) -> &'static str {
    match of {
        Named::Label => "label",
        Named::Milestone => "milestone",
    }
}

fn shown(item: &Value) -> String {
    item.as_str().map_or_else(|| item.to_string(), quoted)
}

fn ambiguous(parameter: &Parameter, names: &Names, item: &Value, several: &[&Entry]) -> OperationError {
    let ids: Vec<String> = several.iter().map(|entry| entry.id.to_string()).collect();
    let (count, kind) = (ids.len(), word(names.of));
    invalid(parameter, &format!("{count} {kind}s are called {}", shown(item)))
        .hint(format!("give the id of one of them: {}", ids.join(", ")))
}

fn invalid(parameter: &Parameter, said: &str) -> OperationError {
    OperationError::new(Code::InvalidArguments, format!("argument `{}`: {said}", parameter.name))
}

fn unreadable(call: &Call<Raw>) -> OperationError {
    let said = "the forge's answer is no list in which names could be looked up";
    let mut error = OperationError::new(Code::Refused, said);
    error.call = Some(refusal::called(call));
    error
}
