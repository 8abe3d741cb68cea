//! The rows of the inventory against two documents: which name what has another name now, or is gone.

use std::collections::BTreeMap;
use std::fmt;

use heck::ToSnakeCase;

use crate::document::{Document, Operation, Place};
use crate::drift::documents::pairs;
use crate::history::{has_parameter, variables};
use crate::inventory::model::Inventory;

/// The inventory and the documents before and after.
pub(super) struct Rows<'a> {
    pub(super) inventory: &'a Inventory,
    pub(super) old: &'a Document,
    pub(super) new: &'a Document,
}

/// A row whose operation, or parameter, has another name now.
pub(super) struct Renamed {
    line: usize,
    table: String,
    pub(super) was: String,
    is: String,
}

impl fmt::Display for Renamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, table, was, is } = self;
        write!(f, "inventory.toml:{line}: [{table}] {was} is {is} now: write {is}")
    }
}

impl Rows<'_> {
    /// operationId → its places in the inventory: line and table.
    fn dispositions(&self) -> BTreeMap<&str, Vec<(usize, String)>> {
        let mut all: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
        let mut put = |id, line, table| all.entry(id).or_default().push((line, table));
        for (name, row) in &self.inventory.tools {
            put(row.operation.as_str(), row.operation.line, format!("tools.{name}"));
            for route in &row.route {
                put(route.operation.as_str(), route.operation.line, format!("tools.{name}.route"));
            }
            // What a composed tool calls is reached through it.
            for call in &row.calls {
                put(call.as_str(), call.line, format!("tools.{name}"));
            }
        }
        let reasons = [("excluded", &self.inventory.excluded), ("unavailable", &self.inventory.unavailable)];
        for (table, rows) in reasons {
            for (id, reason) in rows {
                put(id, reason.line, table.to_owned());
            }
        }
        all
    }

    /// Rows that name an operation, or a path parameter, as the old document does. A new name that has a disposition
    /// already is done with.
    pub(super) fn renamed(&self) -> Vec<Renamed> {
        let known = self.dispositions();
        let mut found = Vec::new();
        for (before, after) in pairs(self.old, self.new).both {
            let (was, is) = (&before.operation.operation_id, &after.operation.operation_id);
            let rows = known.get(was.as_str()).filter(|_| was != is && !known.contains_key(is.as_str()));
            for (line, table) in rows.into_iter().flatten() {
                found.push(Renamed { line: *line, table: table.clone(), was: was.clone(), is: is.clone() });
            }
            for (name, row) in &self.inventory.tools {
                let reads = [
                    ("merge", row.merge.as_ref().map(|merge| &merge.value.from)),
                    ("stale", row.stale.as_ref().map(|stale| &stale.value.from)),
                ];
                let reads = reads.into_iter().filter_map(|(key, from)| Some((key, from?)));
                let reads = reads
                    .filter(|(_, from)| was != is && from.value == *was && !known.contains_key(is.as_str()));
                found.extend(reads.map(|(key, from)| Renamed {
                    line: from.line,
                    table: format!("tools.{name}.{key}"),
                    was: was.clone(),
                    is: is.clone(),
                }));
            }
            for (was, is) in variables(before.path).zip(variables(after.path)).filter(|(was, is)| was != is) {
                let (was, is) = (format!("path.{was}"), format!("path.{is}"));
                for (name, row) in &self.inventory.tools {
                    let ids = [before, after].map(|at| at.operation.operation_id.as_str());
                    let mine = ids.contains(&row.operation.as_str())
                        || row.calls.iter().any(|c| ids.contains(&c.as_str()));
                    let param = row.params.iter().find(|(key, _)| mine && *key == was);
                    found.extend(param.map(|(_, param)| Renamed {
                        line: param.rule.line,
                        table: format!("tools.{name}.params"),
                        was: was.clone(),
                        is: is.clone(),
                    }));
                }
            }
        }
        found
    }

    /// Operations of the new document without a disposition; a name that moved on to another operation has none.
    pub(super) fn undecided(&self, renamed: &[Renamed]) -> Vec<String> {
        let known = self.dispositions();
        let ids = self.new.operations().map(|at| &at.operation.operation_id);
        let open = |id: &&String| {
            let moved_on = renamed.iter().any(|row| row.was == **id);
            moved_on || !(known.contains_key(id.as_str()) || renamed.iter().any(|row| row.is == **id))
        };
        ids.filter(open).cloned().collect()
    }

    /// Operations, parameters and fields that rows name and the new document has no longer.
    pub(super) fn gone(&self) -> Vec<String> {
        let mut all = Vec::new();
        let known = self.dispositions();
        for at in pairs(self.old, self.new).gone {
            let id = &at.operation.operation_id;
            for (line, table) in known.get(id.as_str()).into_iter().flatten() {
                all.push(format!(
                    "inventory.toml:{line}: [{table}] {id} is gone: left out of this build, kept in those for older \
                     releases; the row can go when no build needs it"
                ));
            }
        }
        for (name, row) in &self.inventory.tools {
            let (Some(old), Some(new)) =
                (self.old.operation(&row.operation), self.new.operation(&row.operation))
            else {
                continue;
            };
            let hidden = row.hide.iter().map(|at| (at.value.as_str(), at.line));
            for (key, line) in
                row.params.iter().map(|(key, param)| (key.as_str(), param.rule.line)).chain(hidden)
            {
                if has_parameter(self.old, old.operation, key) && !has_parameter(self.new, new.operation, key)
                {
                    all.push(format!(
                        "inventory.toml:{line}: [tools.{name}] {key} is gone: the argument is left out"
                    ));
                }
            }
        }
        for (name, view) in &self.inventory.views {
            let definition = name.split('.').next().unwrap_or(name);
            let (old, new) = (self.old.definitions.get(definition), self.new.definitions.get(definition));
            let (Some(old), Some(new)) = (old, new) else { continue };
            for at in view.fields.iter().chain(&view.inline) {
                if self.old.field_of_rows(old, at).is_ok() && self.new.field_of_rows(new, at).is_err() {
                    let (line, field) = (at.line, at.as_str());
                    all.push(format!(
                        "inventory.toml:{line}: [views.{name}] {field} is gone: no longer shown"
                    ));
                }
            }
        }
        all
    }

    /// Parameters that operations of tools have got and that the vocabulary describes: they become arguments by
    /// themselves.
    pub(super) fn new_parameters(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (name, row) in &self.inventory.tools {
            let (Some(old), Some(new)) =
                (self.old.operation(&row.operation), self.new.operation(&row.operation))
            else {
                continue;
            };
            for key in keys(self.new, new.operation) {
                let known = row.params.iter().any(|(known, _)| *known == key)
                    || row.hide.iter().any(|h| h.value == key);
                if let Some((word, about)) = self.described(&key)
                    && !known
                    && !has_parameter(self.old, old.operation, &key)
                {
                    all.push(format!(
                        "inventory.toml:{}: [tools.{name}] {key} is new and becomes an argument, which [vocabulary.{word}] \
                         describes ({about:?}): where that is wrong, describe it in [tools.{name}.params] as {key:?} = {{ \
                         about = \"\" }}, or hide it with hide = [{key:?}]",
                        row.line
                    ));
                }
            }
        }
        all
    }

    /// The word of the vocabulary that describes a parameter, and what it says.
    fn described(&self, key: &str) -> Option<(&str, &str)> {
        let wire = key.split_once('.').map_or(key, |(_, wire)| wire).to_snake_case();
        let words = &self.inventory.vocabulary;
        let by_wire = words.iter().find(|(_, rule)| rule.wire.iter().any(|wire| wire.value == key));
        let (word, rule) = by_wire.or_else(|| words.get_key_value(&wire))?;
        Some((word, rule.about.as_ref()?.value.as_str()))
    }

    /// Fields that shown definitions have got: no view shows them by itself.
    pub(super) fn new_fields(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (name, view) in &self.inventory.views {
            let definition = name.split('.').next().unwrap_or(name);
            let (old, new) = (self.old.definitions.get(definition), self.new.definitions.get(definition));
            let (Some(old), Some(new)) = (old, new) else { continue };
            let shown = |field: &str| view.fields.iter().any(|at| at.split('.').next() == Some(field));
            let added = new.properties.keys().filter(|f| !old.properties.contains_key(*f) && !shown(f));
            let added: Vec<&str> = added.map(String::as_str).collect();
            if !added.is_empty() && !view.fields.is_empty() {
                all.push(format!(
                    "inventory.toml:{}: [views.{name}] does not show the new {}: name there what a reader needs",
                    view.line,
                    added.join(", ")
                ));
            }
        }
        all
    }
}

/// The inventory's keys for an operation's query, form and body parameters; a body is taken apart once.
pub(super) fn keys(document: &Document, operation: &Operation) -> Vec<String> {
    let mut keys = Vec::new();
    for parameter in &operation.parameters {
        match (parameter.place, &parameter.schema) {
            (Place::Body, Some(schema)) => {
                let object = document.schema(schema).unwrap_or(schema);
                let whole = object.properties.is_empty().then(|| "body".to_owned());
                keys.extend(whole);
                keys.extend(object.properties.keys().map(|name| format!("body.{name}")));
            }
            (Place::Query, _) => keys.push(format!("query.{}", parameter.name)),
            (Place::FormData, _) => keys.push(format!("form.{}", parameter.name)),
            (Place::Path, _) => keys.push(format!("path.{}", parameter.name)),
            _ => {}
        }
    }
    keys
}
