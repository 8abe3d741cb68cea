//! The fields that the document tells of answers: what a caller's `fields` may name.

use std::collections::BTreeMap;

use crate::document::{Document, Located, Schema};

use super::super::tool::{Answer, Tool};

/// What is inside a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inside {
    /// A text, a number, a boolean, or a list of them.
    Plain,
    /// A date and time.
    Moment,
    /// The fields of a definition.
    Definition(String),
    /// These fields.
    Fields(Vec<(String, Inside)>),
    /// Any JSON.
    Anything,
}

/// The definition of an answer's object or rows, where it has one.
pub(super) fn of_answer(
    document: &Document,
    answer: &Answer,
    operation: Option<Located<'_>>,
) -> Option<String> {
    let schema = document.success(operation?.operation)?;
    let rows = match answer {
        Answer::Item(_) | Answer::Moved { .. } => schema,
        Answer::List { items: None, .. } => schema,
        Answer::List { items: Some(items), .. } => document.schema(schema)?.properties.get(items)?,
        _ => return None,
    };
    document.object(rows).map(|(name, _)| name.to_owned())
}

/// The definitions that these tools' answers hold, with their fields, sorted by name.
pub(super) fn all(document: &Document, tools: &[Tool]) -> Vec<(String, Vec<(String, Inside)>)> {
    let mut all = BTreeMap::new();
    let mut rest: Vec<String> = tools.iter().filter_map(|tool| tool.definition.clone()).collect();
    while let Some(name) = rest.pop() {
        if all.contains_key(&name) {
            continue;
        }
        let fields = document.definitions.get(&name).map_or_else(Vec::new, |found| of(document, found));
        fields.iter().for_each(|(_, inside)| definitions(inside, &mut rest));
        all.insert(name, fields);
    }
    all.into_iter().collect()
}

fn of(document: &Document, schema: &Schema) -> Vec<(String, Inside)> {
    schema.properties.iter().map(|(name, property)| (name.clone(), inside(document, property))).collect()
}

fn inside(document: &Document, schema: &Schema) -> Inside {
    if let Some((name, _)) = document.object(schema) {
        return Inside::Definition(name.to_owned());
    }
    let at = document.inside(schema);
    match at.kind.as_deref() {
        Some("string") if at.format.as_deref() == Some("date-time") => Inside::Moment,
        Some("string" | "integer" | "number" | "boolean") => Inside::Plain,
        _ if !at.properties.is_empty() => Inside::Fields(of(document, at)),
        _ => Inside::Anything,
    }
}

/// Adds the definitions that are named inside a field.
fn definitions(inside: &Inside, found: &mut Vec<String>) {
    match inside {
        Inside::Definition(name) => found.push(name.clone()),
        Inside::Fields(fields) => fields.iter().for_each(|(_, inner)| definitions(inner, found)),
        Inside::Plain | Inside::Moment | Inside::Anything => {}
    }
}
