//! Addresses within lists and objects: people as assignees, milestones of a filter, the paths of several files.

use forgehand_client::BaseUrl;
use serde_json::Value;

use super::address::is_address;
use super::patterns::{Thing, called};
use super::roles::Role;
use super::{parse, wrong};
use crate::operations::arguments::fault::{Fault, quoted};
use crate::operations::arguments::given::Given;
use crate::operations::descriptor::{Kind, Parameter};

/// Replaces each address among the items of lists by what it names there.
///
/// # Errors
/// An address of another host, one that names something else, and one in place of a file's path, of which it would make a
/// file with that name.
pub(super) fn resolve(given: &mut Given, base: &BaseUrl) -> Result<(), Fault> {
    for parameter in given.operation.parameters {
        let Some(value) = given.get(parameter.name) else { continue };
        let resolved = match role(parameter) {
            Some((role, thing)) => list(value, |text| named(role, thing, text, base)),
            None => paths(&parameter.kind, value).map(|()| None),
        };
        if let Some(value) = resolved.map_err(|fault| fault.within(parameter.name))? {
            given.set(parameter.name, value);
        }
    }
    Ok(())
}

/// What the items of a list are, where an address can name it.
fn role(parameter: &Parameter) -> Option<(Role, &'static Thing)> {
    let Kind::List(item) = &parameter.kind else { return None };
    let word = match item {
        Kind::Name(names) => names.of.name,
        Kind::Text if matches!(parameter.name, "assignees" | "reviewers") => "user",
        Kind::Text if parameter.name.ends_with("_usernames") => "user",
        _ => return None,
    };
    let (role, word) = match word {
        "user" => (Role::User, "owner"),
        "milestone" => (Role::Milestone, "milestone"),
        "label" => (Role::Label, "label_id"),
        _ => return None,
    };
    Some((role, called(word)?))
}

/// The value with each address in it replaced; nothing where there is none.
fn list(value: &Value, named: impl Fn(&str) -> Result<Value, Fault>) -> Result<Option<Value>, Fault> {
    let is_one = |text: &str| is_address(text) && !text.contains(',');
    match value {
        Value::Array(items) if items.iter().any(|item| item.as_str().is_some_and(is_address)) => {
            let items = items.iter().enumerate().map(|(at, item)| {
                match item.as_str().filter(|text| is_address(text)) {
                    Some(text) => named(text).map_err(|fault| fault.within(&format!("[{at}]"))),
                    None => Ok(item.clone()),
                }
            });
            items.collect::<Result<Vec<_>, _>>().map(|items| Some(Value::Array(items)))
        }
        Value::String(text) if is_one(text) => named(text).map(|item| Some(Value::Array(vec![item]))),
        Value::String(text) if text.split(',').any(is_address) => {
            Err(Fault::said("expected a JSON list where items are web addresses"))
        }
        _ => Ok(None),
    }
}

/// What an address names.
fn named(role: Role, thing: &Thing, text: &str, base: &BaseUrl) -> Result<Value, Fault> {
    let found = parse(role, text, base)?.unwrap_or_default();
    let is_account = role != Role::User || found.facts.len() == 1;
    found.fact(thing).filter(|_| is_account).cloned().ok_or_else(|| wrong(role, text))
}

/// Refuses an address where the path of a file is wanted.
fn paths(kind: &Kind, value: &Value) -> Result<(), Fault> {
    let (Kind::List(item), Value::Array(items)) = (kind, value) else { return Ok(()) };
    let Kind::Object(fields) = item else { return Ok(()) };
    for (at, row) in items.iter().enumerate() {
        for field in fields.iter().filter(|field| matches!(field.name, "path" | "from_path")) {
            let text = row.get(field.name).and_then(Value::as_str).filter(|text| is_address(text));
            if let Some(text) = text {
                let said = format!("expected a file's path, got the web address {}", quoted(text));
                return Err(Fault::said(said).within(&format!("[{at}].{}", field.name)));
            }
        }
    }
    Ok(())
}
