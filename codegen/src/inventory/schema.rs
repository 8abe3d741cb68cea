//! A tool's input schema: plain JSON Schema that every client takes, in as few tokens as say it.
//!
//! The root is an object with `properties`; there are no references, unions, lists of types, titles or closed formats.
//! A bound stands there only where the inventory or the document sets one, a description only where the name does not
//! say it all.

use serde_json::{Map, Value as Json, json};

use super::tool::{Answer, Argument, Effect, Kind};

/// The schema of a tool's arguments.
pub(super) fn input(arguments: &[Argument], answer: &Answer, effect: Effect, confirm: bool) -> Json {
    let mut properties = Map::new();
    for argument in arguments {
        properties.insert(argument.name.clone(), property(argument));
    }
    if confirm {
        properties.insert("confirm".to_owned(), json!({"type": "boolean"}));
    }
    if matches!(effect, Effect::Change | Effect::Destroy) {
        properties.insert("dry_run".to_owned(), json!({"type": "boolean"}));
    }
    if effect == Effect::Read {
        if matches!(answer, Answer::List { .. }) {
            properties.insert("fields".to_owned(), json!({"type": "array", "items": {"type": "string"}}));
        }
        if matches!(answer, Answer::List { .. } | Answer::Text | Answer::Bytes) {
            properties.insert("max_bytes".to_owned(), json!({"type": "integer"}));
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Json::Object(properties));
    let required: Vec<&str> =
        arguments.iter().filter(|a| a.required && a.or.is_none()).map(|a| a.name.as_str()).collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    Json::Object(schema)
}

fn property(argument: &Argument) -> Json {
    let mut schema = of_kind(&argument.kind);
    if argument.described {
        schema.insert("description".to_owned(), json!(argument.about));
    }
    if let Some(default) = &argument.default {
        schema.insert("default".to_owned(), default.clone());
    }
    Json::Object(schema)
}

fn of_kind(kind: &Kind) -> Map<String, Json> {
    let mut schema = Map::new();
    let mut put = |key: &str, value: Json| {
        schema.insert(key.to_owned(), value);
    };
    match kind {
        // Ids are taken too: a list of types would cost more than it tells.
        Kind::Text | Kind::Date | Kind::Name(_) => put("type", json!("string")),
        Kind::DateTime => {
            put("type", json!("string"));
            put("format", json!("date-time"));
        }
        Kind::Enum(values) => {
            put("type", json!("string"));
            put("enum", json!(values));
        }
        Kind::Integer { min, max } => {
            put("type", json!("integer"));
            if let Some(min) = min {
                put("minimum", json!(min));
            }
            if let Some(max) = max {
                put("maximum", json!(max));
            }
        }
        Kind::Id => put("type", json!("integer")),
        Kind::Boolean => put("type", json!("boolean")),
        Kind::List(item) => {
            put("type", json!("array"));
            put("items", Json::Object(of_kind(item)));
        }
        Kind::Object(fields) => {
            put("type", json!("object"));
            let properties =
                fields.iter().map(|f| (f.name.clone(), Json::Object(of_kind(&f.kind)))).collect();
            put("properties", Json::Object(properties));
            let required: Vec<&str> = fields.iter().filter(|f| f.required).map(|f| f.name.as_str()).collect();
            if !required.is_empty() {
                put("required", json!(required));
            }
            put("additionalProperties", json!(false));
        }
        Kind::TextMap => {
            put("type", json!("object"));
            put("additionalProperties", json!({"type": "string"}));
        }
        Kind::Json => put("type", json!("object")),
    }
    schema
}
