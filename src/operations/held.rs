//! Filters that the forge passes over where it knows none of their names: it lists everything then, and answers success.
//!
//! Where there is no one place to look such names up before (the labels of all repositories), the rows tell: of a name that
//! the forge knows, at least one row of the filtered list holds it. Which filters, and by which field, stands in the table
//! ([`Compare::Held`]).

use serde_json::Value;

use super::applied::Asked;
use super::arguments::quoted;
use super::descriptor::Compare;
use super::near::near;
use super::{Code, OperationError};

/// Looks for the names of such filters in the rows; a list without rows is as it was asked for.
///
/// # Errors
/// [`Code::InvalidArguments`] for a filter of which no row holds a name.
pub(super) fn check(asked: &[Asked], rows: &Value) -> Result<(), OperationError> {
    let Some(rows) = rows.as_array().filter(|rows| !rows.is_empty()) else { return Ok(()) };
    for Asked { applied, value, .. } in asked.iter().filter(|asked| asked.applied.by == Compare::Held) {
        let wanted: Vec<&str> = value.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let held: Vec<Vec<&str>> = rows.iter().map(|row| texts(row, applied.path)).collect();
        if wanted.is_empty() || is_filtered(&wanted, &held) {
            continue;
        }
        let names: Vec<String> = wanted.iter().map(|name| quoted(name)).collect();
        let said = format!(
            "argument `{}`: the forge knows no {} here and listed everything; that list is not shown",
            applied.name,
            names.join(", ")
        );
        let mut error = OperationError::new(Code::InvalidArguments, said);
        for name in wanted {
            let near = near(name, held.iter().flatten().copied());
            error.near.extend(near.into_iter().filter(|near| !error.near.contains(near)).collect::<Vec<_>>());
        }
        return Err(error);
    }
    Ok(())
}

/// A name that the forge knows is held by a row. A database that does not tell small letters from great ones finds more
/// than the name: all rows hold that.
fn is_filtered(wanted: &[&str], held: &[Vec<&str>]) -> bool {
    let alike = |name: &&str| wanted.iter().any(|wanted| wanted.to_lowercase() == name.to_lowercase());
    held.iter().flatten().any(|name| wanted.contains(name))
        || held.iter().all(|names| names.iter().any(alike))
}

/// The texts at a dotted path; a list on it is each of its elements.
fn texts<'a>(value: &'a Value, path: &str) -> Vec<&'a str> {
    let mut at = vec![value];
    for name in path.split('.') {
        let elements = at.into_iter().flat_map(elements).filter_map(|value| value.get(name));
        at = elements.collect();
    }
    at.into_iter().flat_map(elements).filter_map(Value::as_str).collect()
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice)
}
