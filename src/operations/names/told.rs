//! What is said of names that are unknown, that several have, or that could not be checked. An address may hold a password
//! or a key: of one no more is told than where it leads.

use serde_json::{Map, Value};

use super::listed::{Known, end, entries};
use super::{called, having, invalid};
use crate::forge::{End, Entry, shown_location};
use crate::operations::arguments::quoted;
use crate::operations::descriptor::{Effect, Named, Operation, Parameter};
use crate::operations::near::near;
use crate::operations::{OperationError, address};

/// What could not be checked, a filter or what is to replace others, as a note beside the answer.
pub(super) fn unchecked(operation: &Operation, of: &Named, name: &Value) -> String {
    let then = match operation.effect {
        Effect::Read => "this is not filtered by it",
        _ => "it is not set",
    };
    format!(
        "whether there is {} {} could not be checked, and the forge passes over what it does not know; if there is none, \
         {then}",
        of.word,
        shown(of, name)
    )
}

/// A name, or an id that is checked, that nothing has.
pub(super) fn unknown(
    parameter: &Parameter,
    of: &Named,
    path: &Map<String, Value>,
    item: &Value,
    known: &Known,
) -> OperationError {
    let place = place(of, path);
    let has_no = if place.is_empty() { "there is no".to_owned() } else { format!("{place} has no") };
    let said = match item {
        Value::Number(id) => format!("{has_no} {} with the id {id}", of.word),
        name => format!("{has_no} {} called {}", of.word, shown(of, name)),
    };
    let said = match end(known) {
        End::Cut => format!("{said} among the first {} that were read", entries(known).count()),
        End::All | End::Forbidden => said,
    };
    let mut error = invalid(parameter, &said);
    let name = item.as_str().unwrap_or_default();
    let by_id = name.parse().is_ok_and(|id: i64| entries(known).any(|entry| entry.id == id));
    error.hint = match end(known) {
        _ if by_id => {
            Some(format!("in a list a text is a name; the id is the number {name}, without quotes"))
        }
        End::All => None,
        End::Cut => Some("an id is taken as it is".to_owned()),
        End::Forbidden => Some(
            "those of the organization may not be read with this token; an id is taken as it is".to_owned(),
        ),
    };
    let names = entries(known).flat_map(|entry| &entry.names);
    // Nothing is like an id.
    if !name.is_empty() {
        error.near = near(name, names.map(String::as_str));
    }
    if of.address {
        error.near.iter_mut().for_each(|near| *near = without_secrets(known, near));
        // What differs in nothing that may be told is no help.
        let asked = whither(name);
        error.near.retain(|near| *near != asked);
    }
    if let Some(first) = error.near.first() {
        error.message.push_str(&format!("; did you mean {}?", quoted(first)));
    }
    error
}

/// A name that several have.
pub(super) fn ambiguous(
    parameter: &Parameter,
    of: &Named,
    name: &Value,
    several: &[&Entry],
) -> OperationError {
    let ids: Vec<String> = several.iter().map(|entry| entry.id.to_string()).collect();
    let (count, kind) = (ids.len(), of.word);
    invalid(parameter, &format!("{count} {kind}s are called {}", shown(of, name)))
        .hint(format!("give the id of one of them: {}", ids.join(", ")))
}

/// Something that the forge takes nothing for that is not another's as well: all that are called so, or why its id says
/// nothing either.
pub(super) fn twins(
    parameter: &Parameter,
    of: &Named,
    (asked, entry): (&Value, &Entry),
    known: &Known,
) -> OperationError {
    let name = called(asked, entry);
    let (kind, told) = (of.word, shown(of, &name.into()));
    let others = |text: &str, but: Option<i64>| {
        let others = having(known, text).map(|entry| entry.id).filter(|id| Some(*id) != but);
        others.map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
    };
    let own = entry.id.to_string();
    let said = match (asked.as_str(), others(name, Some(entry.id))) {
        (Some(_), others_) if !others_.is_empty() => {
            format!("several {kind}s are called {told}, those with the ids {own}, {others_}")
        }
        (None, others_) if !others_.is_empty() => {
            format!("the {kind} with the id {own} is called {told}, and so is another, with the id {others_}")
        }
        _ => format!(
            "the {kind} with the id {own} is called {told}, which as it has a comma the forge reads as two"
        ),
    };
    let hint = match of.mixed {
        true => format!(
            "the forge finds {kind}s by their names here before their ids, and {own} is what the one with the id {} is \
             called; rename one of them",
            others(&own, None)
        ),
        false => {
            format!(
                "the forge finds {kind}s by their names here, and would take the others too; rename one of them"
            )
        }
    };
    invalid(parameter, &said).hint(hint)
}

/// Whose names they are, as `acme/widget`; empty for what is an account's own or the site's.
fn place(of: &Named, path: &Map<String, Value>) -> String {
    let own = of.within.into_iter();
    let told = of.lists.first().into_iter().flat_map(|list| list.path).map(|(_, from)| *from);
    let texts: Vec<&str> = told.chain(own).filter_map(|name| path.get(name)?.as_str()).collect();
    texts.join("/")
}

fn shown(of: &Named, item: &Value) -> String {
    match item.as_str() {
        Some(name) if of.address => quoted(&whither(name)),
        Some(name) => quoted(name),
        None => item.to_string(),
    }
}

/// Where an address leads: without user, password, query and fragment, also where it is none, and without what of its path
/// may be a key.
fn whither(text: &str) -> String {
    let place = if text.contains("://") {
        shown_location(text)
    } else {
        let text = text.split(['?', '#']).next().unwrap_or_default();
        text.rsplit('@').next().unwrap_or_default().to_owned()
    };
    address::of_receiver(&place).unwrap_or(place)
}

/// A listed address; the id of the first that has it where the address says more than may be told.
fn without_secrets(known: &Known, address: &str) -> String {
    let told = whither(address);
    let mut having = entries(known).filter(|entry| entry.names.iter().any(|name| name == address));
    match having.next() {
        Some(entry) if told != address => entry.id.to_string(),
        _ => told,
    }
}
