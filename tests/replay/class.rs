//! The class of an exchange: sent as recorded, refused before sending, or not to be said by arguments.

use forgehand::demo::{Exchange, SeenRequest};
use forgehand::operations::Operation;
use forgehand::operations::descriptor::{Kind, Place};
use serde_json::{Map, Value};

use crate::sent;

/// What became of an exchange in one tool. Of several tools' classes the least counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Sent, and what came back is wrong.
    Wrong(String),
    /// Sent as recorded: what came back, in a word.
    Sent(&'static str),
    /// Sent in other words, on purpose, with a right outcome: what differs.
    Otherwise(String),
    /// Refused before it was sent: the rule.
    Refused(String),
    /// Not to be said by arguments: the pattern.
    Unsaid(String),
    /// Reads something first that was not recorded for it: the tool.
    ReadsFirst(&'static str),
    /// Not sent as recorded, for no known reason.
    Unclear(String),
}

/// Rules by what their refusals say; the first that is found counts.
const RULES: &[(&str, &str)] = &[
    ("no longer takes", "a retired argument"),
    ("has no argument", "an unknown argument"),
    ("is required", "a required argument is missing"),
    ("are required", "a required argument is missing"),
    ("was told nothing to change", "nothing to change"),
    ("expected one of `", "one of two arguments, not both"),
    ("expected one of", "no word of the list"),
    ("got a field", "an unknown field"),
    ("expected a whole number", "no whole number, or out of range"),
    ("expected true or false", "no boolean"),
    ("expected a date", "no date"),
    ("expected a length of time", "no length of time"),
    ("expected text", "no text"),
    ("base64", "no base64"),
    ("is called", "an unknown or ambiguous name (look-up)"),
    (" called ", "an unknown or ambiguous name (look-up)"),
    ("with the id", "an unknown id (look-up)"),
    ("expected a name or an id", "no name or id"),
    ("expected the id of", "no name or id"),
    ("expected a name without comma", "a name with a comma in a comma list"),
    ("expected a list", "no list"),
    ("expected an object", "no object"),
    ("got nothing", "a required field is missing"),
    ("missing field", "a required field is missing"),
    ("is missing; expected a JSON body", "a required body is missing"),
    ("expected an owner's name", "no reference"),
    ("expected a repository's name", "no reference"),
    ("expected an issue's number", "no reference"),
    ("expected a commit's hash", "no reference"),
    ("expected start_line", "lines out of order"),
    ("empty", "an empty path segment"),
    ("segment", "a path segment that a URL would not carry"),
];

/// The rule of a refusal.
pub(crate) fn rule(message: &str) -> Option<&'static str> {
    RULES.iter().find(|(words, _)| message.contains(words)).map(|(_, rule)| *rule)
}

/// Whether a path is said by a name, of which the id is sent.
pub(crate) fn is_by_name(operation: &Operation, arguments: &Map<String, Value>) -> bool {
    let is_name = |value: &Value| value.as_str().is_some_and(|text| text.parse::<i64>().is_err());
    let mut path = operation.parameters.iter().filter(|p| p.place == Place::Path);
    path.any(|p| matches!(p.kind, Kind::Name(_)) && arguments.get(p.name).is_some_and(is_name))
}

/// What no tool can say of a recorded request, by itself.
pub(crate) fn beyond(exchange: &Exchange) -> Option<String> {
    if exchange.identity.ends_with("/basic") {
        return Some("basic authentication".to_owned());
    }
    let is_special = |name: &str| name == "range" || name == "sudo" || name.starts_with("if-");
    let header = exchange.request.headers.iter().find(|(name, _)| is_special(name));
    header.map(|(name, _)| format!("header {name}"))
}

/// Why a tool sends a request in other words than the recorded ones, where that is meant.
pub(crate) fn otherwise(
    operation: &Operation,
    seen: &SeenRequest,
    exchange: &Exchange,
    left: &[String],
) -> Option<String> {
    if let Some(first) = left.first() {
        return Some(format!("no argument for {first}"));
    }
    let (path, query) = sent::split(&seen.target);
    let (wanted_path, wanted) = sent::split(&exchange.target);
    if path != wanted_path {
        return Some("another spelling of the path".to_owned());
    }
    if query != wanted {
        return other_query(operation, &query, &wanted).map(str::to_owned);
    }
    other_body(operation, &seen.body, &exchange.request.bytes().unwrap_or_default()).map(str::to_owned)
}

fn other_query(operation: &Operation, seen: &sent::Pairs, wanted: &sent::Pairs) -> Option<&'static str> {
    let mut left = seen.clone();
    left.retain(|name, _| {
        wanted.contains_key(name) || !matches!(name.as_str(), "page" | "limit" | "per_page")
    });
    if left == *wanted {
        return Some("a list without page or limit, which are always sent");
    }
    let is_default = |name: &str| {
        operation.parameters.iter().any(|p| p.place == Place::Query && p.wire == name && p.default.is_some())
    };
    left.retain(|name, _| wanted.contains_key(name) || !is_default(name));
    if left == *wanted {
        return Some("a query without a parameter that is always sent");
    }
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    let is_like = |(name, values): (&String, &Vec<String>)| {
        wanted.get(name).is_some_and(|other| {
            other == values || other.iter().all(|one| is_number(one) || one.is_empty() || one.contains('T'))
        })
    };
    let is_all = left.len() == wanted.len() && left.iter().all(is_like);
    is_all.then_some("another spelling of a value of the query")
}

fn other_body(operation: &Operation, seen: &[u8], wanted: &[u8]) -> Option<&'static str> {
    let seen: Value = serde_json::from_slice(seen).ok()?;
    if wanted.is_empty() {
        return Some("no body, where an object is always sent");
    }
    let wanted: Value = serde_json::from_slice(wanted).ok()?;
    if alike(&seen, &wanted) {
        return Some("a value of another type in the body");
    }
    let (Value::Object(seen), Value::Object(wanted)) = (&seen, &wanted) else { return None };
    if without_names(operation, seen) == without_names(operation, wanted) {
        return Some("names, whose ids are sent");
    }
    let is_within = wanted.iter().all(|(name, value)| seen.get(name).is_some_and(|own| within(own, value)));
    match (is_within, &operation.merge) {
        (true, Some(_)) => Some("a body without what is read and sent with it"),
        (true, None) => Some("a body without a field that is always sent"),
        (false, _) => None,
    }
}

/// A body without what may be said by name.
fn without_names(operation: &Operation, body: &Map<String, Value>) -> Map<String, Value> {
    let is_name = |kind: &Kind| {
        matches!(kind, Kind::Name(_)) || matches!(kind, Kind::List(item) if matches!(**item, Kind::Name(_)))
    };
    let names = |wire: &str| {
        operation.parameters.iter().any(|p| p.place == Place::Body && p.wire == wire && is_name(&p.kind))
    };
    body.iter().filter(|(wire, _)| !names(wire)).map(|(wire, value)| (wire.clone(), value.clone())).collect()
}

/// Whether all of a value is in another.
fn within(seen: &Value, wanted: &Value) -> bool {
    match (seen, wanted) {
        (Value::Object(seen), Value::Object(wanted)) => {
            wanted.iter().all(|(name, value)| seen.get(name).is_some_and(|own| within(own, value)))
        }
        (seen, wanted) => alike(seen, wanted),
    }
}

/// Whether two values are the same but for their JSON type: `5` and `"5"`, a moment in another spelling.
fn alike(seen: &Value, wanted: &Value) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (seen, wanted) {
        (Value::Array(seen), Value::String(_)) => matches!(seen.as_slice(), [one] if one == wanted),
        (Value::Object(seen), Value::Object(wanted)) => {
            seen.len() == wanted.len()
                && seen.iter().all(|(name, own)| wanted.get(name).is_some_and(|other| alike(own, other)))
        }
        (Value::Array(seen), Value::Array(wanted)) => {
            seen.len() == wanted.len() && seen.iter().zip(wanted).all(|(own, other)| alike(own, other))
        }
        (seen, wanted) => seen == wanted || text(seen).eq_ignore_ascii_case(&text(wanted)),
    }
}
