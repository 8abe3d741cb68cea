//! How many bytes a JSON value takes as compact text, without writing it.

use serde_json::{Map, Value};

/// The bytes of the value's compact JSON text.
pub(super) fn json(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Number(n) => n.as_u64().map_or_else(|| n.to_string().len(), digits),
        Value::String(s) => text(s),
        Value::Array(items) => 2 + items.iter().map(json).sum::<usize>() + items.len().saturating_sub(1),
        Value::Object(fields) => {
            let inner: usize = fields.iter().map(|(name, value)| text(name) + 1 + json(value)).sum();
            2 + inner + fields.len().saturating_sub(1)
        }
    }
}

/// The bytes that fields take beside others.
pub(super) fn fields(fields: &Map<String, Value>) -> usize {
    fields.iter().map(|(name, value)| text(name) + 2 + json(value)).sum()
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |n| n as usize + 1)
}

/// The bytes of a text as JSON.
pub(super) fn text(text: &str) -> usize {
    text.len() + text.bytes().map(escape).sum::<usize>() + 2
}

/// The bytes of a character within a JSON text.
pub(super) fn character(c: char) -> usize {
    c.len_utf8() + u8::try_from(c).map_or(0, escape)
}

/// The bytes that escaping a byte adds.
fn escape(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
        0..0x20 => 5,
        _ => 0,
    }
}
