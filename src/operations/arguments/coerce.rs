//! One value against one kind: what models send in place of what is meant becomes what is meant, by the kind alone.

use serde_json::{Map, Value};

use super::dates;
use super::fault::{self, Fault};
use crate::operations::descriptor::{Field, Kind};

/// Beyond this, a number with a decimal point no longer stands for one whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The value as it is meant.
///
/// # Errors
/// Anything that the kind cannot mean.
pub(super) fn coerce(kind: &Kind, value: Value) -> Result<Value, Fault> {
    match (kind, value) {
        (Kind::Json, value) => Ok(value),
        (Kind::Text, value @ Value::String(_)) => Ok(value),
        (Kind::Enum(words), Value::String(text)) => word(words, text),
        (Kind::Integer { min, max }, value) => integer(*min, *max, value),
        (Kind::Boolean, value) => boolean(value),
        (Kind::DateTime, Value::String(text)) => match dates::date_time(&text) {
            Some(text) => Ok(Value::String(text)),
            None => Err(Fault::expected(expected(kind), &Value::String(text))),
        },
        (Kind::Date, Value::String(text)) if dates::is_date(&text) => Ok(Value::String(text)),
        (Kind::List(item), value) => list(item, value),
        (Kind::Object(fields), value) => object(fields, unfolded(kind, value, '{')?),
        (Kind::TextMap, value) => text_map(unfolded(kind, value, '{')?),
        (Kind::Name(names), value) => name(names.least, value),
        (_, value) => Err(Fault::expected(expected(kind), &value)),
    }
}

/// What a kind holds, in words.
pub(super) fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Enum(words) => format!("one of {}", words.join(", ")),
        Kind::Integer { min, max } => match (*min, *max) {
            (i64::MIN, i64::MAX) => "a whole number".to_owned(),
            (min, i64::MAX) => format!("a whole number, {min} or more"),
            (min, max) => format!("a whole number from {min} to {max}"),
        },
        Kind::Boolean => "true or false".to_owned(),
        Kind::DateTime => {
            "a date, or a date and time with an offset, as 2026-03-01T08:30:00+02:00".to_owned()
        }
        Kind::Date => "a date, as 2026-03-01".to_owned(),
        Kind::List(item) => format!("a list, each item {}", expected(item)),
        Kind::Object(fields) => {
            let names: Vec<&str> = fields.iter().map(|f| f.name).collect();
            format!("an object with {}", names.join(", "))
        }
        Kind::TextMap => "an object whose values are text".to_owned(),
        Kind::Name(_) => "a name or an id".to_owned(),
        Kind::Json => "any JSON".to_owned(),
    }
}

fn word(words: &[&str], text: String) -> Result<Value, Fault> {
    if words.contains(&text.as_str()) {
        return Ok(Value::String(text));
    }
    let near = fault::near(&text, words.iter().copied());
    Err(Fault::expected(format!("one of {}", words.join(", ")), &Value::String(text)).near(near))
}

fn integer(min: i64, max: i64, value: Value) -> Result<Value, Fault> {
    let number = match &value {
        Value::Number(n) => n.as_i64().or_else(|| n.as_f64().and_then(whole)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    match number {
        Some(n) if (min..=max).contains(&n) => Ok(n.into()),
        _ => Err(Fault::expected(expected(&Kind::Integer { min, max }), &value)),
    }
}

/// An id as a number, a name as text.
fn name(least: i64, value: Value) -> Result<Value, Fault> {
    match value {
        Value::String(text) if text.trim().is_empty() || !text.trim().bytes().all(|b| b.is_ascii_digit()) => {
            named(text)
        }
        value => integer(least, i64::MAX, value),
    }
}

fn named(text: String) -> Result<Value, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::expected("a name or an id", &Value::String(text)));
    }
    Ok(Value::String(text))
}

/// The whole number that `5.0` stands for.
fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "within the range where the conversion is exact")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

fn boolean(value: Value) -> Result<Value, Fault> {
    match &value {
        Value::Bool(_) => Ok(value),
        Value::String(text) if text.trim() == "true" => Ok(true.into()),
        Value::String(text) if text.trim() == "false" => Ok(false.into()),
        _ => Err(Fault::expected("true or false", &value)),
    }
}

fn list(item: &Kind, value: Value) -> Result<Value, Fault> {
    let plain =
        matches!(item, Kind::Text | Kind::Enum(_) | Kind::Integer { .. } | Kind::Name(_) | Kind::Json);
    let items = match value {
        Value::Array(items) => return list_items(item, items, true),
        Value::String(text) if text.trim_start().starts_with('[') => match serde_json::from_str(&text) {
            Ok(Value::Array(items)) => return list_items(item, items, true),
            _ => {
                return Err(Fault::said(format!(
                    "expected a list, got text that begins like a JSON list and is none: {}",
                    fault::quoted(&text)
                )));
            }
        },
        Value::String(text) if plain => comma_list(&text)?,
        value @ Value::Number(_) if matches!(item, Kind::Integer { .. } | Kind::Name(_) | Kind::Json) => {
            vec![value]
        }
        value => return Err(Fault::expected(expected_list(item), &value)),
    };
    list_items(item, items, false)
}

/// The items one by one. In a JSON list a string is a name and a number is an id: `"12"` is not 12 there, while a comma
/// list has nothing but text.
fn list_items(item: &Kind, items: Vec<Value>, json: bool) -> Result<Value, Fault> {
    let ids = json && matches!(item, Kind::Integer { .. });
    let items: Result<Vec<Value>, Fault> = items
        .into_iter()
        .enumerate()
        .map(|(at, value)| {
            match value {
                Value::String(_) if ids => Err(Fault::expected(expected(item), &value)),
                Value::String(text) if json && matches!(item, Kind::Name(_)) => named(text),
                value => coerce(item, value),
            }
            .map_err(|fault| fault.within(&format!("[{at}]")))
        })
        .collect();
    items.map(Value::Array)
}

fn expected_list(item: &Kind) -> String {
    format!("a list, each item {}", expected(item))
}

fn comma_list(text: &str) -> Result<Vec<Value>, Fault> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.contains(&"") {
        return Err(Fault::said(format!(
            "expected a list, or names with a comma between two, got {}; [] is the empty list",
            fault::quoted(text)
        )));
    }
    Ok(parts.into_iter().map(|part| Value::String(part.to_owned())).collect())
}

/// The value that a text of JSON stands for, where the kind is an object or a map.
fn unfolded(kind: &Kind, value: Value, opening: char) -> Result<Map<String, Value>, Fault> {
    match value {
        Value::Object(object) => Ok(object),
        Value::String(text) if text.trim_start().starts_with(opening) => match serde_json::from_str(&text) {
            Ok(Value::Object(object)) => Ok(object),
            _ => Err(Fault::expected(expected(kind), &Value::String(text))),
        },
        value => Err(Fault::expected(expected(kind), &value)),
    }
}

fn object(fields: &[Field], mut object: Map<String, Value>) -> Result<Value, Fault> {
    if let Some(name) = object.keys().find(|name| !fields.iter().any(|f| f.name == name.as_str())) {
        let names: Vec<&str> = fields.iter().map(|f| f.name).collect();
        let near = fault::near(name, names.iter().copied());
        return Err(Fault::said(format!(
            "expected only {}, got a field {}",
            names.join(", "),
            fault::quoted(name)
        ))
        .near(near));
    }
    let given = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
    let both = fields
        .iter()
        .find_map(|field| Some((field.name, field.or.filter(|or| given(field.name) && given(or))?)));
    if let Some((name, or)) = both {
        return Err(Fault::said(format!("expected one of `{name}` and `{or}`, got both")));
    }
    let mut out = Map::new();
    for field in fields {
        match object.remove(field.name) {
            None | Some(Value::Null) if field.required => {
                let expected = expected(&field.kind);
                return Err(Fault::said(format!("expected {expected}, got nothing"))
                    .within(&format!(".{}", field.name)));
            }
            None | Some(Value::Null) => {}
            Some(value) => {
                let value = coerce(&field.kind, value).map_err(|f| f.within(&format!(".{}", field.name)))?;
                out.insert(field.name.to_owned(), value);
            }
        }
    }
    Ok(Value::Object(out))
}

fn text_map(object: Map<String, Value>) -> Result<Value, Fault> {
    match object.iter().find(|(_, value)| !value.is_string()) {
        None => Ok(Value::Object(object)),
        Some((name, value)) => Err(Fault::expected("text", value).within(&format!(".{name}"))),
    }
}
