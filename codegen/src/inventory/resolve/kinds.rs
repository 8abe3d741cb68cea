//! What an argument may hold: the document's type, or the inventory's where it says another.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::document::{Document, Schema};

use super::super::names::Named;
use super::super::problem::did_you_mean;
use super::super::tool::{Field, Kind, Names, Place};
use super::slots::Slot;

/// The type words of the inventory; each may be followed by `[]`. An object of these is `{name* text, count integer}`,
/// a star after what it must have.
pub(super) const WORDS: [&str; 8] = ["text", "integer", "id", "boolean", "date", "date-time", "map", "json"];

/// What is said of a word that is no type.
pub(super) fn no_type(word: &str) -> String {
    let near = did_you_mean(word, WORDS);
    let known = if near.is_empty() { format!("; known are {}", WORDS.join(", ")) } else { near };
    format!("no type {word:?}{known}")
}

/// The kind of a type word, as `id[]`; words with `|` between them are an enum's.
pub(super) fn of_word(word: &str) -> Option<Kind> {
    if let Some(item) = word.strip_suffix("[]") {
        return Some(Kind::List(Box::new(of_word(item)?)));
    }
    if let Some(fields) = word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
        return fields.split(", ").map(of_field).collect::<Option<_>>().map(Kind::Object);
    }
    Some(match word {
        "text" => Kind::Text,
        "integer" => Kind::Integer { min: None, max: None },
        "id" => Kind::Id,
        "boolean" => Kind::Boolean,
        "date" => Kind::Date,
        "date-time" => Kind::DateTime,
        "map" => Kind::TextMap,
        "json" => Kind::Json,
        words if words.contains('|') => Kind::Enum(words.split('|').map(str::to_owned).collect()),
        _ => return None,
    })
}

/// A field of an object, as `name* text`.
fn of_field(field: &str) -> Option<Field> {
    let (name, kind) = field.split_once(' ')?;
    let kind = of_word(kind)?;
    let required = name.ends_with('*');
    let name = name.trim_end_matches('*').to_owned();
    (!name.is_empty()).then(|| Field::new(name, kind, required))
}

/// The kind of a word of `as`, which may be followed by `[]`. What is a text on the wire is sent by name, all else by id;
/// what filters a list is looked up even where it is an id, since the forge answers the whole list for one that it has
/// not; so is what replaces a list, of which it would leave nothing for ids that it has not. In a release that has no
/// list of such things, there are ids alone.
pub(super) fn of_names(
    of: &Named,
    (is_list, replaces): (bool, bool),
    slot: &Slot<'_>,
    least: Option<i64>,
) -> Kind {
    let is_text = slot.schema.kind.as_deref() == Some("string");
    let by_name = is_text && slot.place != Place::Path;
    let (name, checked) = (of.name.clone(), replaces || slot.place == Place::Query);
    let names = match of.lists.is_empty() {
        true => Kind::Id,
        false => Kind::Name(Names { of: name, by_name, checked, least: least.unwrap_or(1) }),
    };
    if is_list { Kind::List(Box::new(names)) } else { names }
}

/// The kind of a schema. A definition inside itself ends as any JSON.
pub(super) fn of_schema(document: &Document, schema: &Schema) -> Kind {
    of(document, schema, &mut Vec::new())
}

fn of<'a>(document: &'a Document, schema: &'a Schema, above: &mut Vec<&'a str>) -> Kind {
    if let Some(name) = schema.definition() {
        let Some(definition) = document.definitions.get(name) else { return Kind::Json };
        if above.contains(&name) {
            return Kind::Json;
        }
        above.push(name);
        let kind = of(document, definition, above);
        above.pop();
        return kind;
    }
    let values: Vec<String> = schema.values.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect();
    match schema.kind.as_deref() {
        Some("string") if !values.is_empty() => Kind::Enum(values),
        Some("string") => match schema.format.as_deref() {
            Some("date-time") => Kind::DateTime,
            Some("date") => Kind::Date,
            _ => Kind::Text,
        },
        Some("file") => Kind::Text,
        Some("integer") => Kind::Integer { min: schema.minimum, max: schema.maximum },
        Some("boolean") => Kind::Boolean,
        Some("array") => {
            let item = schema.items.as_deref().map_or(Kind::Json, |items| of(document, items, above));
            Kind::List(Box::new(item))
        }
        _ if !schema.properties.is_empty() => Kind::Object(
            schema
                .properties
                .iter()
                .map(|(name, property)| {
                    let kind = of(document, property, above);
                    Field::new(name.clone(), kind, schema.required.contains(name))
                })
                .collect(),
        ),
        _ => match schema.additional_properties.as_deref() {
            Some(values) if of(document, values, above) == Kind::Text => Kind::TextMap,
            _ => Kind::Json,
        },
    }
}

/// Whether a schema is a number that need not be whole, or holds one: no argument is that.
pub(super) fn has_number(document: &Document, schema: &Schema) -> bool {
    let mut is_there = false;
    let mut visit = |schema: &Schema| is_there |= schema.kind.as_deref() == Some("number");
    document.reach(schema, &mut BTreeSet::new(), &mut visit);
    is_there
}

/// Whether a value that the inventory gives is one that the argument may hold.
pub(super) fn fits(kind: &Kind, value: &Json) -> bool {
    match kind {
        Kind::Text => value.is_string(),
        Kind::DateTime | Kind::Date => value.is_string(),
        Kind::Enum(values) => value.as_str().is_some_and(|text| values.iter().any(|v| v == text)),
        Kind::Integer { min, max } => value
            .as_i64()
            .is_some_and(|number| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)),
        Kind::Id => value.as_i64().is_some_and(|number| number > 0),
        Kind::Boolean => value.is_boolean(),
        Kind::List(item) => value.as_array().is_some_and(|items| items.iter().all(|value| fits(item, value))),
        Kind::Name(names) => value.is_string() || value.as_i64().is_some_and(|id| id >= names.least),
        Kind::Object(_) | Kind::TextMap => value.is_object(),
        Kind::Json => true,
    }
}

/// The kind in words, for the lock and for messages: `integer 1..`, `enum open|closed`, `text[]`.
pub(in crate::inventory) fn words(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Enum(values) => format!("enum {}", values.join("|")),
        Kind::Integer { min: None, max: None } => "integer".to_owned(),
        Kind::Integer { min, max } => {
            let bound = |number: &Option<i64>| number.map_or_else(String::new, |n| n.to_string());
            format!("integer {}..{}", bound(min), bound(max))
        }
        Kind::Id => "id".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::DateTime => "date-time".to_owned(),
        Kind::Date => "date".to_owned(),
        Kind::List(item) => format!("{}[]", words(item)),
        Kind::Object(fields) => {
            let field = |f: &Field| {
                let codec = f.codec.word().map_or_else(String::new, |word| format!(" {word}"));
                let or = f.or.as_ref().map_or_else(String::new, |or| format!(" or {or}"));
                format!("{}{} {}{codec}{or}", f.name, if f.required { "*" } else { "" }, words(&f.kind))
            };
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Kind::TextMap => "map".to_owned(),
        Kind::Name(names) => {
            let sent = if names.by_name { "name" } else { "id" };
            format!("{} as {sent}{}", names.of, if names.checked { " that exists" } else { "" })
        }
        Kind::Json => "json".to_owned(),
    }
}
