//! The lists in which names are looked up, against the document.

use serde_json::Value as Json;

use crate::document::{Document, Located, Place as Wire, Schema};
use crate::history::History;

use super::super::model::{Inventory, NameRow, NamesRow, Rule};
use super::super::names::{NameList, Named};
use super::super::problem::{Problems, did_you_mean, near};
use super::super::tool::{Kind, Place, Tool};
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
        let used: Vec<&str> = uses(inventory).collect();
        let is_list = |of: &str| of.strip_suffix("[]") == Some(name);
        if !used.iter().any(|of| of == name || is_list(of)) {
            problems.add(row.line, &table, "", "no parameter has `as` with this name");
        } else if row.mixed && !used.iter().any(|of| is_list(of)) {
            problems.add(
                row.line,
                &table,
                "mixed",
                format!("is of lists of names, and no parameter has as = \"{name}[]\""),
            );
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

/// The words of `as` in all rows of the inventory, in whatever release.
fn uses(inventory: &Inventory) -> impl Iterator<Item = &str> {
    let params = inventory.tools.iter().flat_map(|(_, tool)| &tool.params).map(|(_, row)| &row.rule);
    params.chain(inventory.vocabulary.values()).filter_map(|rule| Some(rule.names.as_ref()?.value.as_str()))
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
        let (path, query) = (self.names(Wire::Path), self.names(Wire::Query));
        let mut faults = self.faults(list, &path, &query);
        faults.extend(self.row.by.iter().filter_map(|by| Some((by.line, "by", self.by(&by.value)?))));
        for (line, key, fault) in faults {
            problems.add(line, self.table, key, fault);
        }
        let from = |name: &str| {
            let told = list.path.iter().find(|(known, _)| known == name);
            told.map_or_else(|| name.to_owned(), |(_, at)| at.value.clone())
        };
        let within = self.row.within.as_ref();
        let path = path.iter().filter(|name| within.is_none_or(|within| within.value != **name));
        NameList {
            operation: self.at.operation.operation_id.clone(),
            path: path.map(|name| ((*name).to_owned(), from(name))).collect(),
            query: list.query.iter().map(|(name, at)| (name.clone(), at.value.clone())).collect(),
            paged: ["page", "limit"].iter().all(|name| query.contains(name)),
            optional: list.optional,
        }
    }

    fn names(&self, place: Wire) -> Vec<&str> {
        let all = self.at.operation.parameters.iter().filter(move |parameter| parameter.place == place);
        all.map(|parameter| parameter.name.as_str()).collect()
    }

    /// What is wrong with how it is called: line, key and text.
    fn faults(&self, list: &NameRow, path: &[&str], query: &[&str]) -> Vec<(usize, &'static str, String)> {
        let operation = &self.at.operation.operation_id;
        let mut faults = Vec::new();
        if self.at.method != "get" {
            let method = self.at.method.to_uppercase();
            faults.push((list.line, "lists", format!("{operation} is a {method}, not a GET")));
        }
        for (place, known, pairs) in [("path", path, &list.path), ("query", query, &list.query)] {
            for (name, at) in pairs.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
                let near = did_you_mean(name, known.iter().copied());
                let text = format!("{operation} has no {place} parameter {name:?}{near}");
                faults.push((at.line, "lists", text));
            }
        }
        if let Some(within) = self.row.within.as_ref().filter(|within| !path.contains(&within.value.as_str()))
        {
            let text = format!("{operation} has no path parameter {:?}", within.value);
            faults.push((within.line, "within", text));
        }
        faults.extend(
            list.query.iter().filter_map(|(name, at)| Some((at.line, "lists", self.word(name, at)?))),
        );
        if self.field("id").is_err() {
            faults.push((list.line, "lists", format!("the rows of {operation} have no id")));
        }
        faults
    }

    /// What is wrong with a field that names a row.
    fn by(&self, path: &str) -> Option<String> {
        let operation = &self.at.operation.operation_id;
        match self.field(path) {
            Err(near) => Some(format!("the rows of {operation} have no field {path:?}{near}")),
            Ok(field) => {
                let is_text = matches!(field.kind.as_deref(), None | Some("string"));
                let text = || format!("{path:?} of the rows of {operation} is no text, so it names nothing");
                (!is_text).then(text)
            }
        }
    }

    /// What is wrong with a value that its query always has.
    fn word(&self, name: &str, value: &str) -> Option<String> {
        let operation = self.at.operation;
        let parameter = operation.parameters.iter().find(|p| p.place == Wire::Query && p.name == name)?;
        let known: Vec<&str> = parameter.value.values.iter().filter_map(Json::as_str).collect();
        if known.is_empty() || known.contains(&value) {
            return None;
        }
        let near = did_you_mean(value, known.iter().copied());
        let near = if near.is_empty() { format!("; it takes {}", known.join(", ")) } else { near };
        Some(format!("{} takes no {value:?} as {name}{near}", operation.operation_id))
    }

    /// The field of the rows at a dotted path; else the nearest name.
    fn field(&self, path: &str) -> Result<&Schema, String> {
        let answer = self.document.success(self.at.operation).and_then(|schema| self.document.schema(schema));
        let rows = answer.and_then(|rows| rows.items.as_deref()).ok_or_else(String::new)?;
        self.document.field(rows, path).map_err(near)
    }
}
