//! How much of a request's target arguments may be: no server takes one of any length, and what is refused only on the way
//! would not name the argument.

use serde_json::Value;

use super::fault::Fault;
use crate::operations::descriptor::{Parameter, Place};

/// The most bytes of one argument in a path, percent-encoded.
const PART: usize = 8 * 1024;

/// The most bytes of all arguments in a target, percent-encoded.
const TARGET: usize = 16 * 1024;

/// Checks what goes into the path and the query.
///
/// # Errors
/// The argument that is too long, or the longest where only all together are.
pub(super) fn check(values: &[(&'static Parameter, Value)]) -> Result<(), Fault> {
    let in_target = values.iter().filter(|(p, _)| matches!(p.place, Place::Path | Place::Query));
    let sizes: Vec<(&Parameter, usize)> = in_target.map(|(p, value)| (*p, encoded(value))).collect();
    let part = sizes.iter().find(|(p, size)| p.place == Place::Path && *size > PART);
    if let Some((parameter, size)) = part {
        return Err(too_long(parameter, *size, PART));
    }
    let total: usize = sizes.iter().map(|(_, size)| size).sum();
    match sizes.iter().max_by_key(|(_, size)| size) {
        Some((parameter, size)) if total > TARGET => {
            Err(too_long(parameter, *size, TARGET.saturating_sub(total - size)))
        }
        _ => Ok(()),
    }
}

fn too_long(parameter: &Parameter, size: usize, most: usize) -> Fault {
    let said = format!("expected at most {most} bytes as part of an address, got {size}");
    Fault::said(said).within(parameter.name)
}

/// The bytes of a value, percent-encoded. A list is sent with its items one by one, each behind the argument's name, or with
/// encoded commas.
fn encoded(value: &Value) -> usize {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    match value {
        Value::String(text) => text.bytes().map(|byte| if plain(byte) { 1 } else { 3 }).sum(),
        Value::Array(items) => items.iter().map(|item| encoded(item) + 3).sum(),
        other => other.to_string().len(),
    }
}
