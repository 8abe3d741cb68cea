//! The definitions that are answered, side by side: which fields came, went and changed, and who answers them.

use std::collections::BTreeSet;

use super::change::{Change, Kind};
use super::schemas::{Found, Sides};
use super::touched::Tools;
use crate::document::{Document, Schema};

/// All changes of fields of definitions that both documents answer somewhere.
pub(super) fn compare(old: &Document, new: &Document, tools: &Tools) -> Vec<Change> {
    let answered = reached(new);
    let sides = Sides { old, new, follow: false };
    let views = tools.views(new);
    let mut changes = Vec::new();
    for (name, after) in new.definitions.iter().filter(|(name, _)| answered.contains(name.as_str())) {
        let Some(before) = old.definitions.get(name).filter(|before| *before != after) else { continue };
        let by = answering(new, name);
        let answering = by.iter().filter_map(|id| new.operation(id));
        let direct: Vec<String> = answering.flat_map(|at| tools.of_operation(at)).collect();
        for found in sides.compare(before, after, "") {
            let change = of(name, found);
            let field = first(change.part.as_deref().unwrap_or_default());
            let showing = views.get(&(name.as_str(), field)).into_iter().flatten();
            let all = direct.iter().cloned().chain(showing.map(|tool| (*tool).to_owned()));
            let all: BTreeSet<String> = all.collect();
            changes.push(Change { operations: by.clone(), tools: all.into_iter().collect(), ..change });
        }
    }
    changes
}

fn of(definition: &str, found: Found) -> Change {
    match found {
        Found::Added { path, is, .. } => {
            Change::new(Kind::FieldAdded, definition).part(path).between(None, Some(is))
        }
        Found::Removed { path, was } => {
            Change::new(Kind::FieldRemoved, definition).part(path).between(Some(was), None).breaks(true)
        }
        Found::Changed { path, aspect } => {
            // What is answered may be more than before, but not less, and of no other type.
            let less = aspect.name == "values" && aspect.is.is_none();
            let change = Change::new(Kind::FieldChanged, definition).aspect(aspect.name);
            let change = if path.is_empty() { change } else { change.part(path) };
            change.breaks(less || aspect.name == "type").between(aspect.was, aspect.is)
        }
    }
}

/// The operations that answer a definition, alone or in a list.
fn answering(document: &Document, name: &str) -> Vec<String> {
    let is = |schema: &Schema| schema.element().definition() == Some(name);
    let all = document
        .operations()
        .filter(|at| document.successes(at.operation).filter_map(|(_, schema)| schema).any(is));
    let mut names: Vec<String> = all.map(|at| at.operation.operation_id.clone()).collect();
    names.sort();
    names
}

/// The definitions that are in some success, however deep.
fn reached(document: &Document) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for at in document.operations() {
        for schema in document.successes(at.operation).filter_map(|(_, schema)| schema) {
            document.reach(schema, &mut found, &mut |_| ());
        }
    }
    found
}

/// The first name of a dotted path, without the marks of lists and maps.
fn first(path: &str) -> &str {
    path.split(['.', '[', '{']).next().unwrap_or(path)
}
