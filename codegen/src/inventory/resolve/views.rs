//! Views against definitions: every dotted path is a real field, and nested definitions are shown by their inline one.

use crate::document::{Document, Schema};
use crate::history::History;

use super::super::model::{At, Inventory, View};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::Shape;

/// The shapes of all views that have fields, sorted by name.
pub(super) fn all(
    inventory: &Inventory,
    document: &Document,
    history: &History,
    problems: &mut Problems,
) -> Vec<(String, Shape)> {
    let mut shapes = Vec::new();
    for (name, view) in &inventory.views {
        let table = format!("views.{name}");
        let definition = name.split('.').next().unwrap_or(name);
        let Some(schema) = document.definitions.get(definition) else {
            if history.definitions(definition).next().is_some() {
                continue;
            }
            let near = did_you_mean(definition, document.definitions.keys().map(String::as_str));
            let release = &document.release;
            problems.add(
                view.line,
                &table,
                "",
                format!("Forgejo {release} has no definition {definition:?}{near}"),
            );
            continue;
        };
        if let (Some(_), Some((element, _))) = (&schema.items, document.object(schema)) {
            let text = format!("{definition} is a list of {element}: write [views.{element}]");
            problems.add(view.line, &table, "", text);
            continue;
        }
        let mut views = Views { inventory, document, history, problems, table: &table, definition };
        if name.contains('.') && !view.inline.is_empty() {
            views.problems.add(view.line, &table, "inline", format!("belongs into [views.{definition}]"));
        }
        if !view.fields.is_empty() {
            let paths: Vec<Path<'_>> = view.fields.iter().map(|at| Path { whole: at, rest: at }).collect();
            let mut shape = views.fields(schema, &paths, "fields");
            views.decoded(view, schema, &mut shape);
            shapes.push((name.clone(), shape));
        } else if let Some((field, at)) = view.decode.first() {
            let text = format!("{field:?} is not among `fields`");
            views.problems.add(at.line, &table, "decode", text);
        }
        views.inline(definition, schema, view.line, &mut Vec::new());
    }
    shapes
}

struct Path<'a> {
    whole: &'a At<String>,
    rest: &'a str,
}

struct Views<'a, 'p> {
    inventory: &'a Inventory,
    document: &'a Document,
    history: &'a History,
    problems: &'p mut Problems,
    table: &'a str,
    definition: &'a str,
}

impl<'a> Views<'a, '_> {
    /// The shape of an object that shows these paths.
    fn fields(&mut self, schema: &'a Schema, paths: &[Path<'_>], key: &str) -> Shape {
        let mut shown: Vec<(String, Shape)> = Vec::new();
        for path in paths {
            let (head, _) = cut(path.rest);
            if shown.iter().any(|(name, _)| name == head) {
                continue;
            }
            let property = schema.properties.get(head).or(schema.additional_properties.as_deref());
            let Some(property) = property else {
                if self.elsewhere(self.definition, path.whole) {
                    continue;
                }
                let prefix = path.whole.len() - path.rest.len();
                let prefix = path.whole.get(..prefix).unwrap_or_default();
                let near = did_you_mean(head, schema.properties.keys().map(String::as_str));
                let near = near.replace("mean \"", &format!("mean \"{prefix}"));
                let text = format!("no field {:?}{near}", path.whole.value);
                self.problems.add(path.whole.line, self.table, key, text);
                continue;
            };
            let deeper: Vec<Path<'_>> = paths
                .iter()
                .filter(|other| cut(other.rest).0 == head)
                .filter_map(|other| Some(Path { whole: other.whole, rest: cut(other.rest).1? }))
                .collect();
            let shape = if deeper.is_empty() {
                self.leaf(property, path.whole, &mut Vec::new())
            } else {
                self.fields(self.document.inside(property), &deeper, key)
            };
            shown.push((head.to_owned(), shape));
        }
        Shape::Fields(shown)
    }

    /// Gives the fields that are decoded their shown names.
    fn decoded(&mut self, view: &View, schema: &Schema, shape: &mut Shape) {
        let Shape::Fields(shown) = shape else { return };
        for (field, name) in &view.decode {
            let is_text = schema.properties.get(field).is_some_and(|p| p.kind.as_deref() == Some("string"));
            let taken = name.is_empty() || shown.iter().any(|(other, _)| *other == name.value);
            let known: Vec<&str> = shown.iter().map(|(other, _)| other.as_str()).collect();
            let text = match shown.iter().position(|(other, _)| other == field) {
                None => format!("{field:?} is not among `fields`{}", did_you_mean(field, known)),
                Some(_) if !is_text => format!("{field:?} is no text, so it holds no base64"),
                Some(_) if taken => format!("{:?} is already the name of a shown field", name.value),
                Some(at) => {
                    if let Some((_, leaf)) = shown.get_mut(at) {
                        *leaf = Shape::Decoded(name.value.clone());
                    }
                    continue;
                }
            };
            self.problems.add(name.line, self.table, "decode", text);
        }
    }

    /// Whether another release's definition has the field.
    fn elsewhere(&self, definition: &str, path: &str) -> bool {
        let has = |document: &Document| {
            document
                .definitions
                .get(definition)
                .is_some_and(|schema| document.field_of_rows(schema, path).is_ok())
        };
        self.history.documents().iter().any(has)
    }

    /// The shape of a field that no path goes below.
    fn leaf(&mut self, schema: &'a Schema, path: &At<String>, above: &mut Vec<&'a str>) -> Shape {
        let Some((name, definition)) = self.document.object(schema) else {
            let is_moment = self.document.inside(schema).format.as_deref() == Some("date-time");
            return if is_moment { Shape::Moment } else { Shape::Whole };
        };
        let known = self.inventory.views.get(name).is_some_and(|view| !view.inline.is_empty());
        if !known {
            let text = format!(
                "{:?} is a {name}: name fields below it, as \"{}.…\", or give [views.{name}] an `inline`",
                path.value, path.value
            );
            self.problems.add(path.line, self.table, "fields", text);
            return Shape::Whole;
        }
        self.inline(name, definition, path.line, above)
    }

    /// The shape of a definition that is inside something else; whole where it has no inline view.
    fn inline(&mut self, name: &'a str, schema: &'a Schema, line: usize, above: &mut Vec<&'a str>) -> Shape {
        let Some(view) = self.inventory.views.get(name) else { return Shape::Whole };
        if above.contains(&name) {
            self.problems.add(line, self.table, "inline", format!("{name} would be shown inside itself"));
            return Shape::Whole;
        }
        above.push(name);
        let mut shown = Vec::new();
        for field in &view.inline {
            match schema.properties.get(&field.value) {
                Some(property) => shown.push((field.value.clone(), self.leaf(property, field, above))),
                None if self.elsewhere(name, field) => {}
                None => {
                    let near = did_you_mean(field, schema.properties.keys().map(String::as_str));
                    let table = format!("views.{name}");
                    let fault = format!("no field {:?}{near}", field.value);
                    let known = self.problems.0.iter().any(|p| p.table == table && p.message == fault);
                    if !known {
                        self.problems.add(field.line, &table, "inline", fault);
                    }
                }
            }
        }
        above.pop();
        match <[(String, Shape); 1]>::try_from(shown) {
            Ok([(field, shape)]) => Shape::Inline(field, Box::new(shape)),
            Err(shown) => Shape::Fields(shown),
        }
    }
}

fn cut(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    }
}
