//! Names in the place of ids: labels, teams, hooks and the like are looked up before anything else is asked for. Which
//! lists of the forge have them, and by which fields, stands in the table ([`Named`]).
//!
//! A write wants ids, and one list of the forge's takes names and passes over those that it has not, so that a misspelt
//! filter would show everything. For what reads, what is looked up is kept for a minute, and a name that is not in what
//! was kept is looked up anew before it is called unknown; a write always looks anew. A name is itself, to the letter.

mod listed;
mod told;

use std::time::Instant;

use forgehand_client::segment;
use serde_json::{Map, Value};

use super::arguments::Values;
use super::descriptor::{Effect, Kind, Named, Names, Operation, Parameter, Place};
use super::{Code, OperationError};
use crate::forge::{End, Entry, Forge};
use listed::{Known, Lookup};

/// The greatest number that is an id without a look-up where digits may be a name: no forge has counted so far.
const GREATEST_ID: i64 = 999_999_999;

/// Replaces names by ids, or checks them, as the parameters say. The note tells of the filters that could not be
/// checked.
///
/// # Errors
/// [`Code::InvalidArguments`] for a name that is unknown or that several have; else why they could not be looked up.
pub(super) async fn resolve(
    forge: &Forge,
    operation: &'static Operation,
    values: &mut Values,
    deadline: Instant,
) -> Result<Option<String>, OperationError> {
    let mut lookup = Lookup::new(forge, operation, deadline);
    let mut notes = Vec::new();
    for (parameter, names) in wanted(values) {
        // A path that a name before this one is part of has its id by now.
        let path = values.path();
        let mut held = Vec::new();
        let is_list = matches!(values.get(parameter.name), Some(Value::Array(_)));
        let items = match values.get_mut(parameter.name) {
            Some(Value::Array(items)) => items.as_mut_slice(),
            Some(one) => std::slice::from_mut(one),
            None => continue,
        };
        let are_names = items.iter().all(Value::is_string);
        for item in items.iter_mut().filter(|item| is_looked_up(names, item)) {
            let (has, note) = look_up(&mut lookup, (parameter, names), &path, item).await?;
            notes.extend(note);
            held.push(has);
        }
        if are_names {
            values.named.push(parameter.name);
        }
        let held = if is_list { Value::Array(held) } else { held.into_iter().next().unwrap_or_default() };
        values.held.push((parameter.name, held));
    }
    values.is_kept = lookup.is_kept;
    Ok((!notes.is_empty()).then(|| notes.join("; ")))
}

/// The arguments that hold something to be looked up, in their order.
fn wanted(values: &Values) -> Vec<(&'static Parameter, &'static Names)> {
    let held = values.iter().filter_map(|(parameter, value)| {
        let names = names_of(&parameter.kind)?;
        let is_wanted = match value {
            Value::Array(items) => items.iter().any(|item| is_looked_up(names, item)),
            one => is_looked_up(names, one),
        };
        is_wanted.then_some((parameter, names))
    });
    held.collect()
}

/// Whether the path holds a name that is yet to become an id.
pub(super) fn in_path(values: &Values) -> bool {
    values.iter().any(|(parameter, value)| {
        let names = names_of(&parameter.kind).filter(|_| parameter.place == Place::Path);
        value.is_string() && names.is_some_and(|names| !names.by_name)
    })
}

/// The names that an argument of that kind holds.
pub(super) fn names_of(kind: &Kind) -> Option<&Names> {
    match kind {
        Kind::Name(names) => Some(names),
        Kind::List(item) => names_of(item),
        _ => None,
    }
}

/// An id stands for itself where it need not be checked, and no name could look like one.
fn is_looked_up(names: &Names, item: &Value) -> bool {
    let may_be_name = names.of.digits && item.as_i64().is_some_and(|number| number > GREATEST_ID);
    names.checked || names.by_name || may_be_name || item.is_string()
}

/// Drops what is kept of the things that an operation filters by.
pub(super) fn forget_filters(forge: &Forge, operation: &Operation) {
    let filters = operation.parameters.iter().filter(|parameter| parameter.place == Place::Query);
    for names in filters.filter_map(|parameter| names_of(&parameter.kind)) {
        forge.forget_listings(names.of.name);
    }
}

/// Drops what is kept of the names that a write may change when it is dropped: when the write has its answer, or is
/// given up. What is called otherwise after it is so in whatever list it stands.
pub(super) struct ForgottenAfter<'a>(pub(super) &'a Forge, pub(super) &'static Operation);

impl Drop for ForgottenAfter<'_> {
    fn drop(&mut self) {
        let Self(forge, operation) = self;
        let parameters = operation.parameters.iter().filter(|parameter| parameter.place == Place::Path);
        if operation.effect != Effect::Read {
            for names in parameters.filter_map(|parameter| names_of(&parameter.kind)) {
                forge.forget_listings(names.of.name);
            }
        }
    }
}

/// Puts the id, or the name as the forge has it, in an item's place. Tells what the rows that it filters hold of it (`null`
/// where that is not known), and what could not be checked.
async fn look_up(
    lookup: &mut Lookup<'_>,
    (parameter, names): (&Parameter, &Names),
    path: &Map<String, Value>,
    item: &mut Value,
) -> Result<(Value, Option<String>), OperationError> {
    let of = names.of;
    let (path, name) = placed(of, path, item).map_err(|said| invalid(parameter, &said))?;
    let mut known = lookup.known(of, &path, false).await?;
    if find(of, &known, &name).is_empty() && known.iter().any(|(_, is_kept)| *is_kept) {
        known = lookup.known(of, &path, true).await?;
    }
    lookup.is_kept |= known.iter().any(|(_, is_kept)| *is_kept);
    let found = find(of, &known, &name);
    match found.as_slice() {
        [] if of.digits && !names.checked && name.is_number() => {}
        [] if listed::end(&known) == End::All => {
            return Err(told::unknown(parameter, of, &path, &name, &known));
        }
        [] if can_be_sent(names, &name) => {
            let has = if names.by_name == name.is_string() { name.clone() } else { Value::Null };
            return Ok((has, Some(told::unchecked(lookup.operation(), of, &name))));
        }
        [] => return Err(unseen(told::unknown(parameter, of, &path, &name, &known), &name)),
        [entry] if names.by_name => {
            *item = sent_by_name(of, &name, entry, &known)
                .ok_or_else(|| told::twins(parameter, of, (&name, entry), &known))?;
            return Ok((called(&name, entry).into(), None));
        }
        [entry, ..] if names.by_name && !of.mixed => {
            return Err(told::twins(parameter, of, (&name, entry), &known));
        }
        [entry] => *item = entry.id.into(),
        several => return Err(told::ambiguous(parameter, of, &name, several)),
    }
    Ok((item.clone(), None))
}

/// What an entry is called: as it was asked for, else by its first name.
fn called<'a>(asked: &'a Value, entry: &'a Entry) -> &'a str {
    asked.as_str().or_else(|| entry.names.first().map(String::as_str)).unwrap_or_default()
}

/// Whether what is not seen where not all are seen can be sent as it was given.
fn can_be_sent(names: &Names, item: &Value) -> bool {
    names.by_name == item.is_string() || (names.by_name && names.of.mixed)
}

/// The error of something that may be there, and cannot be sent as it was given.
fn unseen(mut error: OperationError, item: &Value) -> OperationError {
    error.message.push_str(" (not all that there are can be seen)");
    match item {
        Value::String(_) => error,
        _ => error.hint("give its name: the forge takes no ids here"),
    }
}

/// The path of the lists, and the name in them: the place that a name tells itself is taken off it.
fn placed(
    of: &Named,
    path: &Map<String, Value>,
    item: &Value,
) -> Result<(Map<String, Value>, Value), String> {
    let mut path = path.clone();
    let (Some(within), Some(text)) = (of.within, item.as_str()) else { return Ok((path, item.clone())) };
    match text.split_once('/') {
        Some((place, name)) if segment(within, place).is_ok() && !name.is_empty() => {
            path.insert(within.to_owned(), place.into());
            Ok((path, name.into()))
        }
        _ => Err(format!(
            "expected the id of a {word}, or its name behind its {within}'s, as {within}/{word}, got {}",
            super::arguments::quoted(text),
            word = of.word,
        )),
    }
}

/// What has that name or that id.
fn find<'a>(of: &Named, known: &'a Known, item: &Value) -> Vec<&'a Entry> {
    let called = |entry: &&Entry| match item {
        Value::String(name) => entry.names.contains(name),
        // Digits were read as a number, which has no zeros before it.
        id => of.digits && entry.names.iter().any(|name| *id == name.parse::<u64>().unwrap_or_default()),
    };
    let found: Vec<&Entry> = listed::entries(known).filter(called).collect();
    match found.is_empty() {
        // An id is of one thing, in however many lists it is.
        true => listed::entries(known).find(|entry| item.as_i64() == Some(entry.id)).into_iter().collect(),
        false => found,
    }
}

/// The name, where it is this one's alone. One with a comma could not stand in the forge's list of them, which may take
/// ids as well: then it is the id, where nothing is called so. Nothing where the forge would take both for another.
fn sent_by_name(of: &Named, asked: &Value, entry: &Entry, known: &Known) -> Option<Value> {
    let name = called(asked, entry);
    let having = |text: &str| having(known, text).count();
    if having(name) == 1 && !(of.mixed && name.contains(',')) {
        return Some(name.into());
    }
    let id = entry.id.to_string();
    (of.mixed && having(&id) == 0).then(|| id.into())
}

/// All that are called so.
fn having<'a>(known: &'a Known, text: &str) -> impl Iterator<Item = &'a Entry> {
    listed::entries(known).filter(move |entry| entry.names.iter().any(|name| name == text))
}

fn invalid(parameter: &Parameter, said: &str) -> OperationError {
    OperationError::new(Code::InvalidArguments, format!("argument `{}`: {said}", parameter.name))
}
