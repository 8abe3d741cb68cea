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

/// A list within an object.
struct Wrapped<'a> {
    items: &'a str,
    total: Option<&'a str>,
    rows: &'a Schema,
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
        let wrapped = whole.filter(|_| at.method == "get").and_then(|schema| self.wrapped(schema));
        let list = wrapped.is_some() || whole.is_some_and(|schema| schema.items.is_some());
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
        if let Some(wrapped) = &wrapped {
            let _ = writeln!(out, "items = {:?}", wrapped.items);
            let _ = wrapped.total.map_or(Ok(()), |total| writeln!(out, "total = {total:?}"));
        }
        let paging = match (arguments.contains("page"), arguments.contains("limit")) {
            (true, true) => None,
            _ if at.method != "get" => Some("none"),
            (true, false) => Some("fixed"),
            (false, _) => Some("here"),
        };
        if let (true, Some(paging)) = (list, paging) {
            let _ = writeln!(out, "paging = {paging:?}");
        }
        if at.method == "get" && answer.is_none() {
            let has = |status: &str| at.operation.responses.contains_key(status);
            let hint = if has("204") && has("404") { "" } else { "# where the status is the answer: " };
            let word = names::yes_no(id);
            let _ = writeln!(out, "{hint}answer = {{ yes_no = {word:?}, yes = [204], no = [404] }}");
        }
        if !rows.is_empty() {
            let _ = write!(out, "[tools.{name}.params]\n{rows}");
        }
        out.push_str(&self.view(wrapped.map(|wrapped| wrapped.rows).or(answer), list));
        out
    }

    /// The rows of an answer that is an object with one list, and besides nothing but a count or `ok`.
    fn wrapped(&self, schema: &'a Schema) -> Option<Wrapped<'a>> {
        let is_list = |property: &Schema| self.document.schema(property).unwrap_or(property).items.is_some();
        let (lists, others): (Vec<_>, Vec<_>) = schema.properties.iter().partition(|(_, p)| is_list(p));
        let [(items, rows)] = lists.as_slice() else { return None };
        let counts =
            |name: &str, kind: &str| kind == "integer" && (name.contains("count") || name.contains("total"));
        let kinds = others.iter().map(|(name, p)| (name.as_str(), p.kind.as_deref().unwrap_or_default()));
        let mut total = None;
        for (name, kind) in kinds {
            match (counts(name, kind), total) {
                (true, None) => total = Some(name),
                _ if name == "ok" && kind == "boolean" => {}
                _ => return None,
            }
        }
        Some(Wrapped { items, total, rows })
    }

    fn success(&self, at: Located<'a>) -> Option<&'a Schema> {
        let successes = at.operation.responses.iter().filter(|(status, _)| status.starts_with('2'));
        successes.filter_map(|(_, response)| self.document.response(response)?.schema.as_ref()).next()
    }

    /// The arguments' names, and the rows of those that the vocabulary does not describe.
    fn parameters(&self, at: Located<'a>) -> (BTreeSet<String>, String) {
        let (mut taken, mut rows) = (BTreeSet::new(), String::new());
        let keys = keys(self.document, at.operation);
        for key in keys.into_iter().flat_map(|key| self.apart(at, key)) {
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

    /// The key of a body's property, or where that is an object of plain values, the keys of those: each is an argument
    /// that wants a description.
    fn apart(&self, at: Located<'a>, key: String) -> Vec<String> {
        let mut bodies = at.operation.parameters.iter().filter_map(|parameter| parameter.schema.as_ref());
        let property = key.strip_prefix("body.").and_then(|name| {
            bodies.find_map(|body| self.document.schema(body).unwrap_or(body).properties.get(name))
        });
        let object = property.map(|property| self.document.schema(property).unwrap_or(property));
        let plain = |(_, inner): (&String, &Schema)| {
            matches!(inner.kind.as_deref(), Some("string" | "integer" | "number" | "boolean"))
        };
        match object.filter(|object| !object.properties.is_empty() && object.properties.iter().all(plain)) {
            Some(object) => object.properties.keys().map(|name| format!("{key}.{name}")).collect(),
            None => vec![key],
        }
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
