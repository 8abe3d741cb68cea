//! A ready-made table of the inventory for an operation that has no disposition: all that the document tells is filled
//! in, what a model reads is left empty.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use heck::ToSnakeCase;

use super::names;
use super::rows::keys;
use crate::document::{Document, Located, Schema};
use crate::inventory::model::{Inventory, ToolRow};

/// The tables of one run: no name and no view is proposed twice.
pub(super) struct Tables<'a> {
    inventory: &'a Inventory,
    document: &'a Document,
    names: BTreeSet<String>,
    views: BTreeSet<String>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(inventory: &'a Inventory, document: &'a Document) -> Self {
        let names = inventory.tools.iter().map(|(name, _)| name.clone()).collect();
        let shown = inventory.views.iter().filter(|(_, view)| !view.fields.is_empty());
        Self { inventory, document, names, views: shown.map(|(name, _)| name.clone()).collect() }
    }

    /// The table of an operation, with that of its view where there is none.
    pub(super) fn of(&mut self, at: Located<'a>) -> String {
        let answer = self.success(at);
        let whole = answer.map(|schema| self.document.schema(schema).unwrap_or(schema));
        let list = whole.is_some_and(|schema| schema.items.is_some());
        let name = names::propose(at, list, &mut self.names);
        let near = self.nearest(at);
        let mut out = format!("# {} {}", at.method.to_uppercase(), at.path);
        if let Some((near, row)) = near {
            let _ = write!(out, "; a model to follow: {near} (inventory.toml:{})", row.line);
        }
        let (effect, hint) = effect(at.method);
        let toolset = self.toolset(at, near.map(|(_, row)| row));
        let (title, id) = (names::title(&name), &at.operation.operation_id);
        let _ = writeln!(
            out,
            "\n[tools.{name}]\noperation = {id:?}\ntoolset = {toolset:?}\ntitle = {title:?}\nabout = \"\"\neffect = \
             {effect:?}{hint}"
        );
        let (arguments, rows) = self.parameters(at);
        if list && !(arguments.contains("page") && arguments.contains("limit")) {
            let paging = if at.method == "get" { "here" } else { "none" };
            let _ = writeln!(out, "paging = {paging:?}");
        }
        if at.method == "get" && answer.is_none() {
            let hint =
                "# answer = { yes_no = \"is_…\", yes = [204], no = [404] }   where the status is the answer";
            let _ = writeln!(out, "{hint}");
        }
        if !rows.is_empty() {
            let _ = write!(out, "[tools.{name}.params]\n{rows}");
        }
        out.push_str(&self.view(answer, list));
        out
    }

    fn success(&self, at: Located<'a>) -> Option<&'a Schema> {
        let successes = at.operation.responses.iter().filter(|(status, _)| status.starts_with('2'));
        successes.filter_map(|(_, response)| self.document.response(response)?.schema.as_ref()).next()
    }

    /// The arguments' names, and the rows of those that the vocabulary does not describe.
    fn parameters(&self, at: Located<'a>) -> (BTreeSet<String>, String) {
        let (mut taken, mut rows) = (BTreeSet::new(), String::new());
        for key in keys(self.document, at.operation) {
            let wire = key.split_once('.').map_or(key.as_str(), |(_, wire)| wire);
            let words = &self.inventory.vocabulary;
            let told = words.iter().find(|(_, rule)| rule.wire.iter().any(|wire| wire.value == key));
            let name = told.map_or_else(|| wire.to_snake_case(), |(name, _)| name.clone());
            let free = taken.insert(name.clone());
            let other = format!("new_{name}");
            let _ = match (free, words.contains_key(&name)) {
                (true, true) => Ok(()),
                (true, false) => writeln!(rows, "{key:?} = {{ about = \"\" }}"),
                (false, _) => writeln!(rows, "{key:?} = {{ name = {other:?}, about = \"\" }}"),
            };
            if !free {
                taken.insert(other);
            }
        }
        (taken, rows)
    }

    /// The table of the answer's view, where it is an object that has none.
    fn view(&mut self, answer: Option<&'a Schema>, list: bool) -> String {
        let Some((name, definition)) = answer.and_then(|schema| self.object(schema)) else {
            return String::new();
        };
        if self.views.contains(name) || (list && self.views.contains(&format!("{name}.row"))) {
            return String::new();
        }
        let fields = definition.properties.iter().filter(|(_, property)| self.shows(property));
        let fields: Vec<String> = fields.map(|(field, _)| format!("{field:?}")).collect();
        self.views.insert(name.to_owned());
        let fields = fields.join(", ");
        match self.inventory.views.get(name) {
            Some(view) => {
                format!("# [views.{name}] (inventory.toml:{}) needs: fields = [{fields}]\n", view.line)
            }
            None => format!(
                "\n# what answers show of it: leave out what no reader needs\n[views.{name}]\nfields = [{fields}]\n"
            ),
        }
    }

    /// Whether a field can be shown without a word on what is inside it.
    fn shows(&self, property: &'a Schema) -> bool {
        let inline = |name: &str| self.inventory.views.get(name).is_some_and(|view| !view.inline.is_empty());
        self.object(property).is_none_or(|(name, _)| inline(name))
    }

    /// The definition with fields below lists.
    fn object(&self, schema: &'a Schema) -> Option<(&'a str, &'a Schema)> {
        let mut at = schema;
        while let (None, Some(items)) = (&at.reference, &at.items) {
            at = items;
        }
        let name = at.definition()?;
        let definition = self.document.definitions.get(name)?;
        (!definition.properties.is_empty()).then_some((name, definition))
    }

    /// The tool whose path, method and operationId are most like this one's.
    fn nearest(&self, at: Located<'_>) -> Option<(&'a str, &'a ToolRow)> {
        let score = |other: Located<'_>| {
            let (own, others) = (segments(at.path), segments(other.path));
            let shared = own.intersection(&others).count() as f64;
            let all = own.union(&others).count().max(1) as f64;
            let method = if at.method == other.method { 0.5 } else { 0.0 };
            let ids = (&at.operation.operation_id, &other.operation.operation_id);
            shared / all + method + 0.3 * strsim::normalized_levenshtein(ids.0, ids.1)
        };
        let tools = self.inventory.tools.iter().filter_map(|(name, row)| {
            Some((score(self.document.operation(&row.operation)?), name.as_str(), row))
        });
        tools.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name, row)| (name, row))
    }

    /// The toolset that the path names, else the nearest tool's, else the first.
    fn toolset(&self, at: Located<'_>, near: Option<&'a ToolRow>) -> &'a str {
        let sets = &self.inventory.toolsets;
        let named = at.path.rsplit('/').find_map(|part| sets.iter().find(|(name, _)| name == part));
        let first = sets.first().map(|(name, _)| name.as_str());
        named
            .map(|(name, _)| name.as_str())
            .or(near.map(|row| row.toolset.as_str()))
            .or(first)
            .unwrap_or_default()
    }
}

fn segments(path: &str) -> BTreeSet<&str> {
    path.split('/').filter(|part| !part.is_empty() && !part.starts_with('{')).collect()
}

/// The effect that a method has as a rule, with a word on what to look at.
fn effect(method: &str) -> (&'static str, &'static str) {
    match method {
        "get" | "head" => ("read", ""),
        "post" => ("add", "   # set where it may be repeated, change where it overwrites"),
        "put" => ("set", "   # change where it overwrites"),
        "delete" => ("destroy", "   # change where it can be put back"),
        _ => ("change", ""),
    }
}
