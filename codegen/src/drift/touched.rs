//! Which tools a change touches: by operation, and for a response field by what the tool answers and shows.
//!
//! The rows of the inventory are read as they are, without the checks of a build: drift is asked for in the midst of an
//! upgrade, when the inventory has faults.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::document::{Document, Located, Schema};
use crate::history::shape;
use crate::import;
use crate::inventory::model::{Inventory, ToolRow};
use crate::inventory::parse;
use crate::pin;

/// The inventory's tools.
pub(super) struct Tools {
    inventory: Inventory,
    /// Method and path → the operationId that the inventory has for it.
    names: BTreeMap<(String, String), String>,
    /// Those operationIds.
    taken: BTreeSet<String>,
    /// Why no tools are named.
    pub(super) note: Option<String>,
}

impl Tools {
    /// Reads the inventory below a workspace's directory. One that cannot be read names no tools, and the note says so.
    pub(super) fn load(root: &Path) -> Self {
        let read = std::fs::read_to_string(root.join("inventory.toml"))
            .map_err(|reason| format!("inventory.toml: cannot be read ({reason})"))
            .and_then(|text| parse(&text).map_err(|problems| problems.to_string()));
        let pinned = pin::choose(root, None).ok().and_then(|file| import::load(&file).ok());
        let of = |document: &Document| {
            document.operations().map(|at| (shape(at), at.operation.operation_id.clone())).collect()
        };
        let (inventory, note) = match read {
            Ok(inventory) => (inventory, None),
            Err(reason) => (Inventory::default(), Some(format!("Tools are not named: {reason}"))),
        };
        let names: BTreeMap<_, _> = pinned.as_ref().map(of).unwrap_or_default();
        Self { inventory, taken: names.values().cloned().collect(), names, note }
    }

    /// The inventory's name for an operation: the pin's for the same method and path.
    fn name<'a>(&'a self, at: Located<'a>) -> Option<&'a str> {
        let own = at.operation.operation_id.as_str();
        match self.names.get(&shape(at)) {
            Some(name) => Some(name),
            None => (!self.taken.contains(own)).then_some(own),
        }
    }

    /// The tools by which an operation is reached.
    pub(super) fn of_operation(&self, at: Located<'_>) -> Vec<String> {
        let Some(id) = self.name(at) else { return Vec::new() };
        let calls = |row: &ToolRow| {
            let others = row.route.iter().map(|route| &route.operation).chain(&row.calls);
            row.operation.value == id || others.into_iter().any(|other| other.value == id)
        };
        let own = self.inventory.tools.iter().filter(|(_, row)| calls(row)).map(|(name, _)| name.clone());
        own.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// For each definition and field, the tools whose view shows it.
    pub(super) fn views<'a>(&'a self, document: &'a Document) -> BTreeMap<(&'a str, &'a str), Vec<&'a str>> {
        let all = document.operations().filter_map(|at| Some((self.name(at)?, at)));
        let places: BTreeMap<&str, Located<'_>> = all.collect();
        let mut found: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for (name, row) in &self.inventory.tools {
            let Some(at) = places.get(row.operation.as_str()) else { continue };
            for field in self.shown(document, row, *at) {
                found.entry(field).or_default().push(name);
            }
        }
        found
    }

    /// The fields that a tool's answer shows, each with its definition.
    fn shown<'a>(
        &'a self,
        document: &'a Document,
        row: &'a ToolRow,
        at: Located<'a>,
    ) -> BTreeSet<(&'a str, &'a str)> {
        let mut shown = BTreeSet::new();
        let Some(whole) = document.success(at.operation) else { return shown };
        let object = document.schema(whole).unwrap_or(whole);
        let rows = row.items.as_ref().and_then(|items| object.properties.get(&items.value));
        let Some(name) = rows.unwrap_or(whole).element().definition() else { return shown };
        let list = rows.is_some() || object.items.is_some();
        let views = &self.inventory.views;
        let view = match &row.view {
            Some(view) => views.get(&view.value),
            None => views.get(&format!("{name}.row")).filter(|_| list).or_else(|| views.get(name)),
        };
        for field in view.into_iter().flat_map(|view| &view.fields) {
            self.follow(document, name, field, &mut shown);
        }
        shown
    }

    fn follow<'a>(
        &'a self,
        document: &'a Document,
        definition: &'a str,
        path: &'a str,
        shown: &mut BTreeSet<(&'a str, &'a str)>,
    ) {
        let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
        let new = shown.insert((definition, head));
        let property = document.definitions.get(definition).and_then(|d| d.properties.get(head));
        let Some(inner) = property.and_then(|property: &Schema| property.element().definition()) else {
            return;
        };
        match rest {
            Some(rest) => self.follow(document, inner, rest, shown),
            None if new => {
                let inline = self.inventory.views.get(inner).into_iter().flat_map(|view| &view.inline);
                inline.for_each(|field| self.follow(document, inner, field, shown));
            }
            None => {}
        }
    }
}
