//! A ready-made table of the inventory for an operation that has no disposition: all that the document tells is filled
//! in, what a model reads is left empty.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use heck::ToSnakeCase;

use super::names;
use super::rows::keys;
use super::sibling::Siblings;
use crate::document::{Document, Located, Schema};
use crate::inventory::model::{Inventory, ToolRow};

/// The tables of one run: no name and no view is proposed twice.
pub(super) struct Tables<'a> {
    inventory: &'a Inventory,
    document: &'a Document,
    /// The lines of `inventory.toml`.
    lines: Vec<&'a str>,
    names: BTreeSet<String>,
    views: BTreeSet<String>,
    siblings: Siblings,
    /// Arguments that no word describes, with the parameters that have them.
    undescribed: BTreeMap<String, Vec<String>>,
}

/// A list within an object.
struct Wrapped<'a> {
    items: &'a str,
    total: Option<&'a str>,
    rows: &'a Schema,
}

impl<'a> Tables<'a> {
    /// For an inventory that was read from `text`.
    pub(super) fn new(inventory: &'a Inventory, text: &'a str, document: &'a Document) -> Self {
        let names = inventory.tools.iter().map(|(name, _)| name.clone()).collect();
        let shown = inventory.views.iter().filter(|(_, view)| !view.fields.is_empty());
        let views = shown.map(|(name, _)| name.clone()).collect();
        let (lines, siblings) = (text.lines().collect(), Siblings::default());
        Self { inventory, document, lines, names, views, siblings, undescribed: BTreeMap::new() }
    }

    /// The tables of these operations. An argument that several of them have and no word describes is a word of the
    /// vocabulary, which comes first.
    pub(super) fn all(mut self, operations: &[Located<'a>]) -> Vec<String> {
        let mut tables: Vec<String> = operations.iter().map(|at| self.of(*at)).collect();
        let mut words = String::new();
        for (name, keys) in self.undescribed.iter().filter(|(_, keys)| keys.len() > 1) {
            let _ =
                writeln!(words, "# {} operations have it\n[vocabulary.{name}]\nabout = \"\"\n", keys.len());
            for row in keys.iter().map(|key| described(key)).collect::<BTreeSet<_>>() {
                for table in &mut tables {
                    let without = table.replace(&row, "");
                    *table = without;
                }
            }
        }
        tables.iter_mut().for_each(|table| *table = without_empty(table));
        tables.first_mut().into_iter().for_each(|first| first.insert_str(0, &words));
        tables
    }

    /// The table of an operation, with that of its view where there is none.
    fn of(&mut self, at: Located<'a>) -> String {
        let answer = self.document.success(at.operation);
        let whole = answer.map(|schema| self.document.schema(schema).unwrap_or(schema));
        let wrapped = whole.filter(|_| at.method == "get").and_then(|schema| self.wrapped(schema));
        let list = wrapped.is_some() || whole.is_some_and(|schema| schema.items.is_some());
        let sibling = self.siblings.find(at, self.inventory, self.document);
        let like = sibling.as_ref().map(|sibling| sibling.name.clone());
        let name = like.filter(|name| self.names.insert(name.clone()));
        let name = name.unwrap_or_else(|| names::propose(at, list, &mut self.names));
        self.siblings.remember(at, &name);
        let twin = sibling.and_then(|sibling| sibling.row);
        let near = twin.or_else(|| self.nearest(at));
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
        if let Some(order) = twin.and_then(|(_, row)| row.order.as_ref()) {
            let _ = writeln!(out, "order = {:?}", order.value);
        }
        if let Some(secret) = answer.and_then(|answer| self.secret(answer)).filter(|_| !list) {
            let _ = writeln!(out, "reveals = true   # it answers {secret}; leave this out, and it is masked");
        }
        let (arguments, rows) = self.parameters(at, twin.map(|(_, row)| row));
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

    /// The arguments' names, and the rows of those that the vocabulary does not describe.
    fn parameters(&mut self, at: Located<'a>, twin: Option<&ToolRow>) -> (BTreeSet<String>, String) {
        let (mut taken, mut rows) = (BTreeSet::new(), String::new());
        let keys = keys(self.document, at.operation);
        let keys: Vec<String> = keys.into_iter().flat_map(|key| self.apart(at, key)).collect();
        for key in keys {
            if let Some((row, name)) = twin.and_then(|twin| self.said(twin, &key)) {
                let _ = writeln!(rows, "{row}");
                taken.insert(name);
                continue;
            }
            let wire = key.split_once('.').map_or(key.as_str(), |(_, wire)| wire);
            let words = &self.inventory.vocabulary;
            let told = words.iter().find(|(_, rule)| rule.wire.iter().any(|wire| wire.value == key));
            let name = told.map_or_else(|| wire.to_snake_case(), |(name, _)| name.clone());
            let free = taken.insert(name.clone());
            let other = format!("new_{name}");
            let _ = match (free, words.contains_key(&name)) {
                (true, true) => Ok(()),
                (true, false) => {
                    self.undescribed.entry(name.clone()).or_default().push(key.clone());
                    write!(rows, "{}", described(&key))
                }
                (false, _) => writeln!(rows, "{key:?} = {{ name = {other:?}, about = \"\" }}"),
            };
            if !free {
                taken.insert(other);
            }
        }
        (taken, rows)
    }

    /// The row that another tool has for a parameter, and the argument's name there; a row of several lines is left to
    /// be looked up.
    fn said(&self, twin: &ToolRow, key: &str) -> Option<(&'a str, String)> {
        let (_, row) = twin.params.iter().find(|(known, _)| known == key)?;
        let line = self.lines.get(row.rule.line.checked_sub(1)?)?;
        let name = row.name.as_ref().map(|name| name.value.clone());
        let wire = key.split_once('.').map_or(key, |(_, wire)| wire).to_snake_case();
        (line.starts_with(&format!("{key:?}")) && line.ends_with('}')).then(|| (*line, name.unwrap_or(wire)))
    }

    /// The field of an answer that `[secrets]` names.
    fn secret(&self, answer: &'a Schema) -> Option<&'a str> {
        let (name, _) = self.document.object(answer)?;
        let of = |place: &str| place.split('.').next() == Some(name);
        self.inventory.secrets.iter().map(|(place, _)| place.as_str()).find(|place| of(place))
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
        let Some((name, definition)) = answer.and_then(|schema| self.document.object(schema)) else {
            return String::new();
        };
        let row = format!("{name}.row");
        if self.views.contains(name) || (list && self.views.contains(&row)) {
            return String::new();
        }
        let mut fields: Vec<&str> =
            definition.properties.iter().filter(|(_, p)| self.shows(p)).map(|(f, _)| f.as_str()).collect();
        fields.sort_by_key(|field| *field != "id");
        let table = if list { row } else { name.to_owned() };
        let key = if list { format!("{table:?}") } else { table.clone() };
        let what = if list { "rows of it in a list" } else { "of it" };
        self.views.insert(table);
        match self.inventory.views.get(name) {
            Some(view) => {
                format!("# [views.{name}] (inventory.toml:{}) needs: fields = {fields:?}\n", view.line)
            }
            None => format!(
                "\n# what answers show {what}: leave out what no reader needs\n[views.{key}]\nfields = {fields:?}\n"
            ),
        }
    }

    /// Whether a field can be shown without a word on what is inside it.
    fn shows(&self, property: &'a Schema) -> bool {
        let inline = |name: &str| self.inventory.views.get(name).is_some_and(|view| !view.inline.is_empty());
        self.document.object(property).is_none_or(|(name, _)| inline(name))
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

/// A parameter's row that is yet to be filled in.
fn described(key: &str) -> String {
    format!("{key:?} = {{ about = \"\" }}\n")
}

/// A table without a head of rows that has none.
fn without_empty(table: &str) -> String {
    let mut lines = table.lines().peekable();
    let mut out = String::new();
    while let Some(line) = lines.next() {
        let is_head = line.starts_with("[tools.") && line.ends_with(".params]");
        if !(is_head && lines.peek().is_none_or(|next| next.is_empty())) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
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
