//! Rows for `openapi/corrections.toml`, as proposals: what the wire does in words is for a person to say.

use serde_json::{Map, Value, json};

use super::difference::Kind;

/// Where a fact stands in the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// A definition, else an operation.
    pub(super) definition: bool,
    /// Its name.
    pub(super) of: String,
    /// Keys from there, with dots between; empty is the whole.
    pub(super) at: String,
}

impl Place {
    pub(super) fn definition(name: &str) -> Self {
        Self { definition: true, of: name.to_owned(), at: String::new() }
    }

    pub(super) fn answer(operation: &str, status: &str) -> Self {
        Self { definition: false, of: operation.to_owned(), at: format!("responses.{status}") }
    }

    pub(super) fn below(&self, step: &str) -> Self {
        let at = if self.at.is_empty() { step.to_owned() } else { format!("{}.{step}", self.at) };
        Self { at, ..self.clone() }
    }

    pub(super) fn shown(&self) -> String {
        let at = if self.at.is_empty() { String::new() } else { format!(" {}", self.at) };
        format!("{}{at}", self.of)
    }

    /// Whether corrections can name it; a named answer cannot be entered, only replaced.
    fn can_be_named(&self) -> bool {
        let mut steps = self.at.split('.');
        let named = steps.next() == Some("responses") && steps.nth(1).is_some_and(|step| step != "schema");
        !self.at.is_empty() && (self.definition || !named)
    }

    fn row(&self, set: &Value, wire: &str, evidence: &str) -> String {
        let kind = if self.definition { "definition" } else { "operation" };
        let set = toml(set);
        format!(
            "[[correction]]\n{kind} = {:?}\nat = {:?}\nset = {set}\nwire = {wire:?}\nevidence = {evidence:?}\n",
            self.of, self.at
        )
    }
}

/// A row that says what the wire has; none where a rule does, or where no single row can.
pub(super) fn propose(
    kind: Kind,
    place: &Place,
    set: Option<Value>,
    wire: &str,
    evidence: &str,
) -> Option<String> {
    if kind.rule().is_some() {
        return None;
    }
    let of = &place.of;
    match kind {
        Kind::NullElement if place.definition => {
            let property = place.at.strip_prefix("properties.")?.strip_suffix(".items")?;
            Some(format!(
                "[[null_items]]\ndefinition = {of:?}\nproperty = {property:?}\nevidence = {evidence:?}\n"
            ))
        }
        Kind::Method => {
            let is = wire.to_ascii_lowercase();
            Some(format!("[[method]]\noperation = {of:?}\nis = {is:?}\nevidence = {evidence:?}\n"))
        }
        _ if !place.can_be_named() => None,
        Kind::Type if !place.definition && place.at.split('.').count() == 2 => {
            Some(place.row(&json!({ "schema": set? }), wire, evidence))
        }
        _ => Some(place.row(&set?, wire, evidence)),
    }
}

/// The schema that a value has by itself.
pub(super) fn schema_of(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(number) if number.is_f64() => json!({"type": "number"}),
        Value::Number(_) => json!({"type": "integer", "format": "int64"}),
        Value::String(_) => json!({"type": "string"}),
        Value::Array(items) => {
            let items = items.first().map_or_else(|| json!({}), schema_of);
            json!({"type": "array", "items": items})
        }
        Value::Object(fields) => {
            let fields: Map<_, _> =
                fields.iter().map(|(name, value)| (name.clone(), schema_of(value))).collect();
            json!({"type": "object", "properties": fields})
        }
    }
}

/// A value as TOML in one line.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{} = {}", name(key), toml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn name(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { key.to_owned() } else { format!("{key:?}") }
}
