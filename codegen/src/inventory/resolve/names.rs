//! The lists in which names are looked up, against the document.

use crate::document::{Document, Located, Place as Wire, Schema};
use crate::history::History;

use super::super::model::{At, Inventory, NameRow, NamesRow, Rule};
use super::super::names::{NameList, Named};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::{Kind, Place, Tool};
use super::answer::success;
use super::slots::Slot;

/// All that `as` may name. A list that the document lacks and another release has is left out without a word.
pub(super) fn all(
    inventory: &Inventory,
    document: &Document,
    history: &History,
    problems: &mut Problems,
) -> Vec<Named> {
    let mut all = Vec::new();
    for (name, row) in &inventory.names {
        let table = format!("names.{name}");
        let lists = row.lists.iter().filter_map(|(operation, list)| {
            let found = document.operations().find(|at| at.operation.operation_id == *operation);
            match found {
                Some(at) => Some(Checked { document, row, table: &table, at }.list(list, problems)),
                None => {
                    if history.operations(operation).next().is_none() {
                        let known = document.operations().map(|at| at.operation.operation_id.as_str());
                        let near = did_you_mean(operation, known.collect::<Vec<_>>());
                        let text =
                            format!("Forgejo {} has no operation {operation:?}{near}", document.release);
                        problems.add(list.line, &table, "lists", text);
                    }
                    None
                }
            }
        });
        let lists = lists.collect();
        if !is_used(inventory, name) {
            problems.add(row.line, &table, "", "no parameter has `as` with this name");
        }
        all.push(Named {
            name: name.clone(),
            word: row.word.as_ref().map_or_else(|| name.replace('_', " "), |at| at.value.clone()),
            by: row.by.iter().map(|at| at.value.clone()).collect(),
            within: row.within.as_ref().map(|at| at.value.clone()),
            address: row.address,
            mixed: row.mixed,
            digits: row.digits,
            lists,
        });
    }
    all
}

/// Those that an argument of these tools takes.
pub(super) fn taken(all: Vec<Named>, tools: &[Tool]) -> Vec<Named> {
    let takes = |kind: &Kind, of: &str| match kind {
        Kind::Name(names) => names.of == of,
        Kind::List(item) => matches!(&**item, Kind::Name(names) if names.of == of),
        _ => false,
    };
    let is_taken = |of: &Named| {
        let mut arguments = tools.iter().flat_map(|tool| &tool.arguments);
        arguments.any(|argument| takes(&argument.kind, &of.name))
    };
    all.into_iter().filter(is_taken).collect()
}

/// What is wrong with a parameter that takes such names.
pub(super) fn misuse(of: &Named, rule: &Rule, slot: &Slot<'_>, slots: &[Slot<'_>]) -> Vec<String> {
    let is_here = |wanted: &str| slots.iter().any(|s| s.place == Place::Path && s.wire == wanted);
    let mut faults = Vec::new();
    if let Some(wanted) = of.wants().find(|wanted| !is_here(wanted)) {
        let word = &of.name;
        faults.push(format!("as {word:?} looks in a list by path.{wanted}, which this tool has not"));
    }
    if rule.kind.is_some() || !rule.values.is_empty() || rule.max.is_some() {
        faults.push("as tells the type; of type, enum and max there is none".to_owned());
    }
    if of.within.is_some() && slot.place == Place::Query {
        faults.push(format!("as {:?} cannot filter: an id tells no place to look in", of.name));
    }
    faults
}

/// Whether some row of the inventory takes such names, in whatever release.
fn is_used(inventory: &Inventory, name: &str) -> bool {
    let params = inventory.tools.iter().flat_map(|(_, tool)| &tool.params).map(|(_, row)| &row.rule);
    let mut all = params.chain(inventory.vocabulary.values()).filter_map(|rule| rule.names.as_ref());
    all.any(|at| at.value.strip_suffix("[]").unwrap_or(&at.value) == name)
}

/// One list of a row.
struct Checked<'a> {
    document: &'a Document,
    row: &'a NamesRow,
    table: &'a str,
    at: Located<'a>,
}

impl Checked<'_> {
    fn list(&self, list: &NameRow, problems: &mut Problems) -> NameList {
        let operation = &self.at.operation.operation_id;
        let names = |place: Wire| {
            let all = self.at.operation.parameters.iter().filter(move |parameter| parameter.place == place);
            all.map(|parameter| parameter.name.as_str()).collect::<Vec<_>>()
        };
        let (path, query) = (names(Wire::Path), names(Wire::Query));
        let mut fault = |at: &At<String>, key: &str, text: String| {
            problems.add(at.line, self.table, key, text);
        };
        if self.at.method != "get" {
            let method = self.at.method.to_uppercase();
            fault(
                &At { line: list.line, value: String::new() },
                "lists",
                format!("{operation} is a {method}, not a GET"),
            );
        }
        for (place, known, pairs) in [("path", &path, &list.path), ("query", &query, &list.query)] {
            for (name, at) in pairs.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
                let near = did_you_mean(name, known.iter().copied());
                fault(at, "lists", format!("{operation} has no {place} parameter {name:?}{near}"));
            }
        }
        let within = self.row.within.as_ref();
        if let Some(within) = within.filter(|within| !path.contains(&within.value.as_str())) {
            fault(within, "within", format!("{operation} has no path parameter {:?}", within.value));
        }
        for by in &self.row.by {
            if let Err(near) = self.field(&by.value) {
                fault(by, "by", format!("the rows of {operation} have no field {:?}{near}", by.value));
            }
        }
        if self.field("id").is_err() {
            fault(
                &At { line: list.line, value: String::new() },
                "lists",
                format!("the rows of {operation} have no id"),
            );
        }
        let from = |name: &str| {
            let told = list.path.iter().find(|(known, _)| known == name);
            told.map_or_else(|| name.to_owned(), |(_, at)| at.value.clone())
        };
        let path = path.iter().filter(|name| within.is_none_or(|within| within.value != **name));
        NameList {
            operation: operation.clone(),
            path: path.map(|name| ((*name).to_owned(), from(name))).collect(),
            query: list.query.iter().map(|(name, at)| (name.clone(), at.value.clone())).collect(),
            paged: ["page", "limit"].iter().all(|name| query.contains(name)),
            optional: list.optional,
        }
    }

    /// Whether the rows have a field; else the nearest one.
    fn field(&self, path: &str) -> Result<(), String> {
        let rows = success(self.document, self.at).and_then(|schema| self.document.schema(schema));
        let mut at: Option<&Schema> = rows.and_then(|rows| rows.items.as_deref());
        for name in path.split('.') {
            let object = at.and_then(|schema| self.document.schema(schema)).ok_or_else(String::new)?;
            at = object.properties.get(name).or(object.additional_properties.as_deref());
            if at.is_none() {
                return Err(did_you_mean(name, object.properties.keys().map(String::as_str)));
            }
        }
        Ok(())
    }
}
