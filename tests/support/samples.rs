//! Some value for every argument of a tool, by its kind.

use forgehand::operations::Operation;
use forgehand::operations::descriptor::{Codec, Field, Kind, Parameter, Place};
use serde_json::{Map, Value, json};

/// Some value of a kind.
pub(crate) fn value(kind: &Kind) -> Value {
    match kind {
        Kind::Text => json!("x y"),
        Kind::Enum(words) => json!(words.last().unwrap()),
        Kind::Integer { min, max } => json!(7.clamp(*min, *max)),
        Kind::Boolean => json!(true),
        Kind::DateTime => json!("2026-03-01T12:00:00+02:00"),
        Kind::Date => json!("2026-03-01"),
        Kind::List(item) => json!([value(item)]),
        Kind::Object(fields) => {
            let is_other = |field: &Field| fields.iter().any(|first| first.or == Some(field.name));
            let own = fields.iter().filter(|field| !is_other(field));
            own.map(|field| (field.name.to_owned(), value(&field.kind))).collect()
        }
        Kind::TextMap => json!({"key": "x y"}),
        Kind::Name(_) => json!(7),
        Kind::Json => json!({"key": [1]}),
    }
}

/// Some value of a parameter.
pub(crate) fn sample(parameter: &Parameter) -> Value {
    match parameter.codec {
        Codec::FromBase64 | Codec::CheckedBase64 => json!("AP8K"),
        Codec::Duration => json!("1h30m"),
        Codec::Sha => json!("8f36a1c0d2b4e5f60718293a4b5c6d7e8f901234"),
        _ if parameter.place == Place::FileType => json!("image/png"),
        _ => match (&parameter.kind, parameter.demands_at) {
            (Kind::Enum(words), Some(at)) => json!(words.iter().find(|word| **word != at).unwrap()),
            (kind, _) => value(kind),
        },
    }
}

/// The arguments that a tool demands, and its confirmation.
pub(crate) fn required(tool: &Operation) -> Map<String, Value> {
    let demanded = tool.parameters.iter().filter(|parameter| parameter.required);
    demanded.map(|p| (p.name.to_owned(), sample(p))).chain([("confirm".to_owned(), json!(true))]).collect()
}
