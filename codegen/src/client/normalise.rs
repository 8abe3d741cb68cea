//! The document in the OpenAPI 3.0.3 form that progenitor takes.
//!
//! No enums, no bounds, no defaults, and no formats but those of integers: whatever the forge sends is taken, whatever
//! a caller gives is sent. What need not be there is nullable, so that `[]`, `""`, `0` and `false` differ from absent.

use std::collections::BTreeSet;

use openapiv3::OpenAPI;
use serde_json::{Map, Value, json};

use super::corrections::Corrections;
use super::plan::{Answer, Body, Plan};
use crate::document::{Document, Operation, Parameter, Place, Schema};

/// Where a type is used: what is sent keeps what it requires and takes no unknown field; what is received may lack all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Sent,
    Received,
}

struct Normaliser<'a> {
    document: &'a Document,
    corrections: &'a Corrections,
    sent: BTreeSet<&'a str>,
    received: BTreeSet<&'a str>,
}

/// Normalises a corrected document.
pub(super) fn normalise(
    document: &Document,
    corrections: &Corrections,
    plans: &[Plan],
) -> Result<OpenAPI, serde_json::Error> {
    let mut sent = BTreeSet::new();
    let mut received = BTreeSet::new();
    for located in document.operations() {
        for body in located.operation.parameters.iter().filter_map(|parameter| parameter.schema.as_ref()) {
            document.reach(body, &mut sent, &mut |_| ());
        }
        for schema in document.successes(located.operation).filter_map(|(_, schema)| schema) {
            document.reach(schema, &mut received, &mut |_| ());
        }
    }
    let normaliser = Normaliser { document, corrections, sent, received };
    serde_json::from_value(json!({
        "openapi": "3.0.3",
        "info": {"title": "Forgejo", "version": document.release},
        "paths": normaliser.paths(plans),
        "components": {"schemas": normaliser.schemas()},
    }))
}

/// Adds the names of all definitions that a schema reaches.
impl Normaliser<'_> {
    fn paths(&self, plans: &[Plan]) -> Value {
        let mut paths = Map::new();
        for (located, plan) in self.document.operations().zip(plans) {
            let operation = self.operation(located.operation, plan);
            if let Some(item) =
                paths.entry(located.path).or_insert_with(|| Value::Object(Map::new())).as_object_mut()
            {
                item.insert(located.method.to_owned(), operation);
            }
        }
        Value::Object(paths)
    }

    fn operation(&self, operation: &Operation, plan: &Plan) -> Value {
        let parameters: Vec<Value> = operation
            .parameters
            .iter()
            .filter(|parameter| matches!(parameter.place, Place::Path | Place::Query))
            .map(|parameter| self.parameter(parameter))
            .collect();
        let content = match plan.answer {
            Answer::Json { .. } => self
                .document
                .success(operation)
                .map(|schema| json!({"application/json": {"schema": self.schema(schema, Side::Received)}})),
            Answer::Text | Answer::Bytes => Some(json!({"application/octet-stream": {}})),
            Answer::Empty => None,
        };
        let mut out = json!({
            "operationId": plan.id,
            "parameters": parameters,
            "responses": {"2XX": {"description": "", "content": content.unwrap_or_else(|| json!({}))}},
        });
        let body = operation.parameters.iter().find_map(|parameter| parameter.schema.as_ref());
        if let (Body::Json { .. }, Some(schema)) = (&plan.body, body) {
            let content = json!({"application/json": {"schema": self.schema(schema, Side::Sent)}});
            if let Some(out) = out.as_object_mut() {
                out.insert("requestBody".to_owned(), json!({"content": content, "required": true}));
            }
        }
        out
    }

    fn parameter(&self, parameter: &Parameter) -> Value {
        let (place, required) = match parameter.place {
            Place::Path => ("path", true),
            _ => ("query", parameter.required),
        };
        let schema = self.schema(&parameter.value, Side::Sent);
        json!({"name": parameter.name, "in": place, "required": required, "schema": schema})
    }

    /// Definitions that are objects become types; the others stand where they are used.
    fn schemas(&self) -> Value {
        let mut schemas = Map::new();
        for (name, definition) in self.document.definitions.iter().filter(|(_, d)| is_type(d)) {
            let (sent, received) = (self.sent.contains(name.as_str()), self.received.contains(name.as_str()));
            if received {
                schemas.insert(name.clone(), self.received(name, definition));
            }
            if sent {
                schemas.insert(self.type_name(name, Side::Sent), self.schema(definition, Side::Sent));
            }
        }
        Value::Object(schemas)
    }

    /// An object that is received, with the lists in it that may hold `null`.
    fn received(&self, name: &str, definition: &Schema) -> Value {
        let mut object = self.schema(definition, Side::Received);
        if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
            for (property, schema) in properties.iter_mut() {
                if let Some(items) = schema.get_mut("items")
                    && self.corrections.has_null_items(name, property)
                {
                    *items = nullable(items.take());
                }
            }
        }
        object
    }

    /// A definition that is both sent and received is two types.
    fn type_name(&self, definition: &str, side: Side) -> String {
        if side == Side::Sent && self.received.contains(definition) {
            format!("{definition}Request")
        } else {
            definition.to_owned()
        }
    }

    fn schema(&self, schema: &Schema, side: Side) -> Value {
        if let Some(name) = schema.definition() {
            return match self.document.definitions.get(name) {
                Some(definition) if !is_type(definition) => self.schema(definition, side),
                _ => json!({"$ref": format!("#/components/schemas/{}", self.type_name(name, side))}),
            };
        }
        match schema.kind.as_deref() {
            Some("integer") => match &schema.format {
                Some(format) => json!({"type": "integer", "format": format}),
                None => json!({"type": "integer", "format": "int64"}),
            },
            Some("array") => {
                let items = schema.items.as_ref().map_or_else(|| json!({}), |items| self.schema(items, side));
                json!({"type": "array", "items": items})
            }
            Some("object") => self.object(schema, side),
            Some(kind) => json!({"type": kind}),
            None => json!({}),
        }
    }

    fn object(&self, schema: &Schema, side: Side) -> Value {
        if let Some(values) = &schema.additional_properties {
            return json!({"type": "object", "additionalProperties": self.schema(values, side)});
        }
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, property) in &schema.properties {
            let value = self.schema(property, side);
            if side == Side::Sent && schema.required.contains(name) {
                required.push(name);
                properties.insert(name.clone(), value);
            } else {
                properties.insert(name.clone(), nullable(value));
            }
        }
        if properties.is_empty() {
            return json!({"type": "object", "additionalProperties": true});
        }
        let mut out = json!({"type": "object", "properties": properties, "required": required});
        if let (Side::Sent, Some(out)) = (side, out.as_object_mut()) {
            out.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        out
    }
}

fn is_type(definition: &Schema) -> bool {
    definition.kind.as_deref() == Some("object") && !definition.properties.is_empty()
}

fn nullable(schema: Value) -> Value {
    match schema {
        Value::Object(mut schema) if schema.contains_key("type") => {
            schema.insert("nullable".to_owned(), Value::Bool(true));
            Value::Object(schema)
        }
        Value::Object(schema) if schema.contains_key("$ref") => json!({"nullable": true, "allOf": [schema]}),
        other => other,
    }
}
