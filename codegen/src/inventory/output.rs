//! A tool's output schema: the shapes of its answers with the document's types, loose enough to be true of every
//! answer.
//!
//! A client may hold each answer to it, so it promises only what always holds: nothing is required, since empty fields
//! are left out, long answers are cut, and an answer of another form stands in `answer`; nothing is excluded, since
//! callers pick other fields. A field that stands for its object may be that object. Text and bytes have no schema.

use serde_json::{Map, Value as Json, json};

use crate::document::{Document, Located, Schema};

use super::tool::{Answer, Effect, Shape};

/// What stands at the root of other forms of an answer (done, cut, undocumented, an error), with its type; `""` is any.
const FORMS: [(&str, &str); 7] = [
    ("answer", ""),
    ("done", "boolean"),
    ("error", "object"),
    ("not_applied", "object"),
    ("note", "string"),
    ("status", "integer"),
    ("truncated", "object"),
];
/// What stands at the root of a dry run.
const DRY_RUN: [(&str, &str); 5] =
    [("body", ""), ("dry_run", "boolean"), ("method", "string"), ("path", "string"), ("query", "string")];

/// What an output schema is made of.
pub(super) struct Output<'a> {
    pub(super) document: &'a Document,
    /// All views, by name.
    pub(super) views: &'a [(String, Shape)],
    /// The operation that gives the answer; none where no call does.
    pub(super) operation: Option<Located<'a>>,
    pub(super) effect: Effect,
}

impl Output<'_> {
    /// The schema of an answer.
    pub(super) fn schema(&self, answer: &Answer) -> Option<Json> {
        let schema = match answer {
            Answer::Text | Answer::Bytes => return None,
            Answer::Item(view) | Answer::Moved { view, .. } => {
                let mut root = self.view(view.as_deref()).unwrap_or_default();
                self.loosen(&mut root);
                Json::Object(root)
            }
            Answer::List { row, items, .. } => {
                let row = self.view(row.as_deref()).or_else(|| self.bare_row(items.as_deref()));
                let list = json!({"type": "array", "items": row.unwrap_or_default()});
                object([("items", list), ("next", json!({"type": "object"})), ("total", of_type("integer"))])
            }
            Answer::Done(word, instead, _) => {
                let words = [word].into_iter().chain(instead.iter().map(|(_, other)| other));
                let words = words.map(|word| (word.as_str(), of_type("boolean")));
                object(words.chain([("status", of_type("integer"))]))
            }
            Answer::YesNo { word, .. } => object([(word.as_str(), of_type("boolean"))]),
            // What kind of value it is, the answer tells.
            Answer::Value(word) => object([(word.as_str(), json!({}))]),
        };
        Some(rooted(schema))
    }

    /// The schema of a view, an object.
    fn view(&self, name: Option<&str>) -> Option<Map<String, Json>> {
        let name = name?;
        let definition = self.document.definitions.get(name.split('.').next()?)?;
        let (_, shape) = self.views.iter().find(|(known, _)| known == name)?;
        Some(self.shown(definition, shape))
    }

    /// The schema of a row that no view shows: text is told, anything else may be anything.
    fn bare_row(&self, items: Option<&str>) -> Option<Map<String, Json>> {
        let answer = self.document.success(self.operation?.operation)?;
        let row = self.document.field(answer, items.unwrap_or_default()).ok()?.items.as_deref()?;
        let kind = self.document.schema(row)?.kind.as_deref()?;
        (kind == "string").then(|| typed(kind))
    }

    /// The schema of what a shape shows of a value.
    fn shown(&self, schema: &Schema, shape: &Shape) -> Map<String, Json> {
        let at = self.document.schema(schema).unwrap_or(schema);
        if let Some(items) = at.items.as_deref() {
            let mut list = typed("array");
            list.insert("items".to_owned(), Json::Object(self.shown(items, shape)));
            return list;
        }
        match shape {
            Shape::Moment | Shape::Decoded(_) => typed("string"),
            Shape::Whole => match at.kind.as_deref() {
                Some(kind @ ("string" | "integer" | "number" | "boolean" | "object")) => typed(kind),
                _ => Map::new(),
            },
            Shape::Inline(field, inner) => {
                let Some(field) = at.properties.get(field) else { return Map::new() };
                match self.shown(field, inner).get("type").and_then(Json::as_str) {
                    Some(kind @ ("string" | "integer" | "boolean")) => {
                        Map::from_iter([("type".to_owned(), json!([kind, "object"]))])
                    }
                    _ => Map::new(),
                }
            }
            Shape::Fields(fields) => {
                let property = |(name, shape): &(String, Shape)| {
                    let schema = at.properties.get(name);
                    let shown = schema.map_or_else(Map::new, |schema| self.shown(schema, shape));
                    let name = if let Shape::Decoded(shown_as) = shape { shown_as } else { name };
                    (name.clone(), Json::Object(shown))
                };
                let mut object = typed("object");
                object.insert("properties".to_owned(), Json::Object(fields.iter().map(property).collect()));
                object
            }
        }
    }

    /// Takes the type from fields that another form of the answer has with another type.
    fn loosen(&self, root: &mut Map<String, Json>) {
        let Some(Json::Object(properties)) = root.get_mut("properties") else { return };
        let dry_run = if self.effect == Effect::Read { [].as_slice() } else { &DRY_RUN };
        for (name, kind) in FORMS.iter().chain(dry_run) {
            if let Some(property) = properties.get_mut(*name)
                && property.get("type").is_none_or(|own| own != kind)
            {
                *property = json!({});
            }
        }
    }
}

fn object<'a>(properties: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    let properties: Map<String, Json> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    json!({"type": "object", "properties": properties})
}

/// The root is an object with `properties`, whatever it is made of.
fn rooted(schema: Json) -> Json {
    match schema.get("properties") {
        Some(_) => schema,
        None => object([]),
    }
}

fn of_type(kind: &str) -> Json {
    Json::Object(typed(kind))
}

fn typed(kind: &str) -> Map<String, Json> {
    Map::from_iter([("type".to_owned(), json!(kind))])
}
