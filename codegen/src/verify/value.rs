//! A JSON value held to a schema: what differs, where in the value, and where in the document.

use serde_json::{Map, Value, json};

use super::difference::Kind;
use super::row::{Place, schema_of};
use crate::client::corrections::Corrections;
use crate::document::{Document, Schema};

/// How a moment begins that stands for none, in any zone.
const ZERO: [&str; 2] = ["0001-01-01T", "0000-12-31T"];

/// One difference within a value.
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) path: String,
    pub(super) place: Place,
    pub(super) what: String,
    /// The fact as the wire has it.
    pub(super) set: Option<Value>,
}

/// Holds values to schemas.
pub(super) struct Walk<'a> {
    pub(super) document: &'a Document,
    pub(super) corrections: &'a Corrections,
    pub(super) found: Vec<Found>,
}

impl<'a> Walk<'a> {
    pub(super) fn value(&mut self, schema: &'a Schema, value: &Value, path: &str, place: &Place) {
        // Where the type is another one as a whole, it is the reference that is wrong, not the definition.
        let here = place;
        let (schema, place) = match schema.definition() {
            Some(name) => match self.document.schema(schema) {
                Some(definition) => (definition, Place::definition(name)),
                None => return,
            },
            None => (schema, place.clone()),
        };
        match (schema.kind.as_deref(), value) {
            (None | Some("file"), _) => {}
            (Some(_), Value::Null) => self.add(Kind::Null, path, &place, "null".to_owned(), None),
            (Some("array"), Value::Array(items)) => self.items(schema, items, path, &place),
            (Some("object"), Value::Object(fields)) => self.fields(schema, fields, path, &place),
            (Some("string"), Value::String(text)) => self.text(schema, text, path, &place),
            (Some("boolean"), Value::Bool(_)) | (Some("number"), Value::Number(_)) => {}
            (Some("integer"), Value::Number(number)) if !number.is_f64() => {}
            (Some(kind), value) => {
                let is = schema_of(value);
                let what = format!("{kind} → {}", is.get("type").and_then(Value::as_str).unwrap_or("any"));
                self.add(Kind::Type, path, here, what, Some(is));
            }
        }
    }

    fn items(&mut self, schema: &'a Schema, items: &[Value], path: &str, place: &Place) {
        let Some(element) = schema.items.as_deref() else { return };
        let property = place.at.strip_prefix("properties.").unwrap_or_default();
        let may_be_null = place.definition && self.corrections.has_null_items(&place.of, property);
        let (path, below) = (format!("{path}[]"), place.below("items"));
        for item in items {
            match item {
                Value::Null if may_be_null => {}
                Value::Null => self.add(Kind::NullElement, &path, &below, "null".to_owned(), None),
                item => self.value(element, item, &path, &below),
            }
        }
    }

    fn fields(&mut self, schema: &'a Schema, fields: &Map<String, Value>, path: &str, place: &Place) {
        let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for name in schema.required.iter().filter(|name| !fields.contains_key(*name)) {
            self.add(Kind::MissingRequired, &join(name), place, format!("no {name}"), None);
        }
        let open = schema.properties.is_empty();
        for (name, value) in fields {
            let below = place.below("properties").below(name);
            match (schema.properties.get(name), schema.additional_properties.as_deref()) {
                (Some(property), _) => self.value(property, value, &join(name), &below),
                (None, Some(values)) => {
                    let path = format!("{path}{{}}");
                    self.value(values, value, &path, &place.below("additionalProperties"));
                }
                (None, None) if open => {}
                (None, None) => {
                    let is = schema_of(value);
                    let what = is.get("type").and_then(Value::as_str).unwrap_or("null").to_owned();
                    self.add(Kind::UndeclaredField, &join(name), &below, what, Some(is));
                }
            }
        }
    }

    fn text(&mut self, schema: &Schema, text: &str, path: &str, place: &Place) {
        if !schema.values.is_empty() && !schema.values.contains(&json!(text)) {
            self.add(Kind::EnumWord, path, place, format!("{text:?}"), None);
        }
        if schema.format.as_deref() != Some("date-time") {
            return;
        }
        if !is_date_time(text) {
            self.add(Kind::Format, path, place, format!("no date-time: {text:?}"), None);
        } else if ZERO.iter().any(|zero| text.starts_with(zero)) || text == "1970-01-01T00:00:00Z" {
            self.add(Kind::ZeroDate, path, place, "stands for none".to_owned(), None);
        }
    }

    fn add(&mut self, kind: Kind, path: &str, place: &Place, what: String, set: Option<Value>) {
        self.found.push(Found { kind, path: path.to_owned(), place: place.clone(), what, set });
    }
}

/// Whether a text has the form of RFC 3339, section 5.6; days are not held to their month.
fn is_date_time(text: &str) -> bool {
    let digits = |part: &str, shape: &str| {
        part.len() == shape.len()
            && part
                .bytes()
                .zip(shape.bytes())
                .all(|(c, s)| if s == b'0' { c.is_ascii_digit() } else { c == s })
    };
    let Some((head, rest)) = text.split_at_checked(19) else { return false };
    if !digits(head, "0000-00-00T00:00:00") {
        return false;
    }
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if zone.len() == fraction.len() {
                return false;
            }
            zone
        }
        None => rest,
    };
    zone == "Z" || digits(zone, "+00:00") || digits(zone, "-00:00")
}
