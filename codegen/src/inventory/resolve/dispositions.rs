//! Every operation has exactly one disposition, and every field that is any JSON a reason.

use std::collections::BTreeMap;

use crate::document::{Document, Located, Schema};
use crate::history::History;

use super::super::model::{At, Inventory};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::Dispositions;

/// How many operations without a disposition are named before the rest is counted.
const NAMED: usize = 20;

/// Counts the dispositions; an operation with none or two, and a name that is unknown, is noted.
pub(super) fn of(
    inventory: &Inventory,
    operations: &BTreeMap<&str, Located<'_>>,
    document: &Document,
    history: &History,
    problems: &mut Problems,
) -> Dispositions {
    let release = document.release.as_str();
    let mut found = Found { operations, release, history, taken: BTreeMap::new(), problems };
    for (name, row) in &inventory.tools {
        let table = format!("tools.{name}");
        match &row.beside {
            None => {
                if found.operations.contains_key(row.operation.as_str()) {
                    found.take(&row.operation, row.operation.line, &table, "operation", true);
                }
            }
            Some(other) => beside(inventory, name, other, &row.operation, found.problems),
        }
        for route in &row.route {
            if found.operations.contains_key(route.operation.as_str()) {
                found.take(&route.operation, route.operation.line, &table, "route", false);
            }
        }
    }
    for (table, rows) in [("excluded", &inventory.excluded), ("unavailable", &inventory.unavailable)] {
        for (operation, reason) in rows {
            found.row(table, operation, reason.line);
        }
    }
    let reached = found.reached(inventory);
    found.missing();
    count(inventory, found.operations, reached)
}

struct Found<'a, 'p> {
    operations: &'a BTreeMap<&'a str, Located<'a>>,
    release: &'a str,
    history: &'a History,
    /// operationId → where its disposition is.
    taken: BTreeMap<String, String>,
    problems: &'p mut Problems,
}

impl Found<'_, '_> {
    fn row(&mut self, table: &str, operation: &str, line: usize) {
        if !self.operations.contains_key(operation) {
            if self.history.operations(operation).next().is_some() {
                return;
            }
            let near = did_you_mean(operation, self.operations.keys().copied());
            let text = format!("Forgejo {} has no operation {operation:?}{near}", self.release);
            self.problems.add(line, table, "", text);
            return;
        }
        self.take(operation, line, table, "", false);
    }

    fn take(&mut self, operation: &str, line: usize, table: &str, key: &str, tool: bool) {
        if let Some(other) = self.taken.get(operation) {
            let mend = match other.strip_prefix("tools.") {
                Some(name) if tool => format!("; a second tool of one operation says beside = {name:?}"),
                _ => String::new(),
            };
            let text = format!("{operation} has its disposition in [{other}] already{mend}");
            self.problems.add(line, table, key, text);
            return;
        }
        self.taken.insert(operation.to_owned(), table.to_owned());
    }

    /// The operations that composed tools use and that no other row decides on: each is reached through the first of
    /// them.
    fn reached(&mut self, inventory: &Inventory) -> Vec<(String, String)> {
        let mut reached = Vec::new();
        for (name, row) in &inventory.tools {
            for call in &row.calls {
                if self.operations.contains_key(call.as_str()) && !self.taken.contains_key(&call.value) {
                    self.taken.insert(call.value.clone(), format!("tools.{name}"));
                    reached.push((call.value.clone(), name.clone()));
                }
            }
        }
        reached
    }

    fn missing(&mut self) {
        let without = self.operations.iter().filter(|(id, _)| !self.taken.contains_key(**id));
        let missing: Vec<String> =
            without.map(|(id, at)| format!("{id} ({} {})", at.method.to_uppercase(), at.path)).collect();
        for named in missing.iter().take(NAMED) {
            let text = format!(
                "{named} has no disposition: write a [tools.NAME] table for it, or a row in [excluded] or [unavailable]"
            );
            self.problems.add(0, "", "", text);
        }
        if missing.len() > NAMED {
            let rest = missing.len() - NAMED;
            self.problems.add(0, "", "", format!("{rest} more operations have no disposition"));
        }
    }
}

fn beside(inventory: &Inventory, name: &str, other: &At<String>, operation: &str, problems: &mut Problems) {
    let first = inventory.tools.iter().find(|(known, row)| *known == other.value && row.beside.is_none());
    let text = match first {
        Some((_, row)) if row.operation.value == operation => return,
        Some((_, row)) => {
            format!("{:?} is a tool of {}, not of {operation}", other.value, row.operation.value)
        }
        None => {
            let near = did_you_mean(other, inventory.tools.iter().map(|(known, _)| known.as_str()));
            format!("no tool {:?}{near}", other.value)
        }
    };
    problems.add(other.line, &format!("tools.{name}"), "beside", text);
}

fn count(
    inventory: &Inventory,
    operations: &BTreeMap<&str, Located<'_>>,
    reached: Vec<(String, String)>,
) -> Dispositions {
    let known = |id: &str| operations.contains_key(id);
    let routes = inventory.tools.iter().flat_map(|(name, row)| {
        row.route.iter().map(move |route| (route.operation.value.clone(), name.clone()))
    });
    let reasons = |rows: &[(String, At<String>)]| {
        let here = rows.iter().filter(|(id, _)| known(id));
        let mut rows: Vec<_> = here.map(|(id, why)| (id.clone(), why.value.clone())).collect();
        rows.sort();
        rows
    };
    let mut merged: Vec<_> = routes.chain(reached).filter(|(id, _)| known(id)).collect();
    merged.sort();
    Dispositions {
        tool: inventory.tools.iter().filter(|(_, row)| row.beside.is_none() && known(&row.operation)).count(),
        merged,
        excluded: reasons(&inventory.excluded),
        unavailable: reasons(&inventory.unavailable),
    }
}

/// The fields and answers that the document types as any JSON; one without a reason, and a reason without one in any
/// release, is noted.
pub(super) fn any_json(
    inventory: &Inventory,
    document: &Document,
    history: &History,
    problems: &mut Problems,
) -> Vec<(String, String)> {
    let places = untyped_places(document);
    let mut reasons = Vec::new();
    for place in &places {
        match inventory.any_json.iter().find(|(known, _)| known == place) {
            Some((_, reason)) => reasons.push((place.clone(), reason.value.clone())),
            None => {
                let text = format!("{place} is any JSON in the document: give the reason in [any_json]");
                problems.add(0, "", "", text);
            }
        }
    }
    for (place, reason) in &inventory.any_json {
        let elsewhere = || history.documents().iter().any(|other| untyped_places(other).contains(place));
        if has(document, place) && !places.contains(place) && !elsewhere() {
            let near = did_you_mean(place, places.iter().map(String::as_str));
            problems.add(reason.line, "any_json", place, format!("is typed in the document{near}"));
        }
    }
    reasons
}

/// The places of a document where any JSON may be.
fn untyped_places(document: &Document) -> Vec<String> {
    let mut places = Vec::new();
    for (name, schema) in &document.definitions {
        untyped(schema, name.clone(), &mut places);
    }
    for (name, response) in &document.responses {
        if let Some(schema) = &response.schema {
            untyped(schema, format!("responses.{name}"), &mut places);
        }
    }
    for Located { operation, .. } in document.operations() {
        let id = &operation.operation_id;
        let answers = operation.responses.iter().map(|(status, answer)| (status.as_str(), &answer.schema));
        let sent = operation.parameters.iter().map(|parameter| (parameter.name.as_str(), &parameter.schema));
        for (name, schema) in answers.chain(sent) {
            if let Some(schema) = schema {
                untyped(schema, format!("operations.{id}.{name}"), &mut places);
            }
        }
    }
    places
}

/// Whether the document has the definition, named response or operation that a place is in; of another release it may
/// not.
fn has(document: &Document, place: &str) -> bool {
    let mut names = place.split(['.', '[', '{']);
    match (names.next(), names.next()) {
        (Some("responses"), Some(name)) => document.responses.contains_key(name),
        (Some("operations"), Some(id)) => document.operation(id).is_some(),
        (definition, _) => definition.is_some_and(|name| document.definitions.contains_key(name)),
    }
}

fn untyped(schema: &Schema, path: String, places: &mut Vec<String>) {
    if schema.reference.is_some() {
        return;
    }
    let bare = schema.properties.is_empty() && schema.additional_properties.is_none();
    if bare && matches!(schema.kind.as_deref(), None | Some("object")) {
        places.push(path);
        return;
    }
    if let Some(items) = &schema.items {
        untyped(items, format!("{path}[]"), places);
    }
    if let Some(values) = &schema.additional_properties {
        untyped(values, format!("{path}{{}}"), places);
    }
    for (name, property) in &schema.properties {
        untyped(property, format!("{path}.{name}"), places);
    }
}
