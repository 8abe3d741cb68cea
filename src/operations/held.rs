//! Filters that the forge passes over where it knows none of what they name: it lists everything then, and answers success.
//!
//! Some cannot be looked up before (the labels of all repositories), and of others what was looked up is older than the
//! answer, or the forge knows less of it than it lists (an older one no labels of organizations). So the rows tell: of what the
//! forge knows, a row of the filtered list holds it, and where it filters by all of several, each row holds each. Which
//! filters, by which field and how, stands in the table ([`Compare::Held`], [`Compare::HeldAll`]).

use serde_json::Value;

use super::applied::Asked;
use super::arguments::quoted;
use super::descriptor::{Compare, Operation};
use super::near::near;
use super::{Code, OperationError};

/// Whether that is how a filter is compared with rows.
pub(super) fn is_held(by: Compare) -> bool {
    matches!(by, Compare::Held | Compare::HeldAll)
}

/// Whether an operation has a filter that its rows tell of.
pub(super) fn has_filters(operation: &Operation) -> bool {
    operation.applied.iter().any(|applied| is_held(applied.by))
}

/// Looks in the rows for what such filters name; a list without rows is as it was asked for, and so is a row that lacks the
/// field.
///
/// # Errors
/// [`Code::InvalidArguments`] for a filter that the rows do not hold, with [`OperationError::is_of_kept`] set.
pub(super) fn check(asked: &[Asked], rows: &Value) -> Result<(), OperationError> {
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    for Asked { applied, value, .. } in asked.iter().filter(|asked| is_held(asked.applied.by)) {
        let wanted = elements(value);
        let held: Vec<Vec<&Value>> = rows.iter().filter_map(|row| told(row, applied.path)).collect();
        // What an id is called may not be known here.
        if held.is_empty() || wanted.iter().any(Value::is_null) {
            continue;
        }
        let missed: Vec<&Value> = match applied.by {
            Compare::HeldAll => {
                wanted.iter().filter(|one| !is_filtered(std::slice::from_ref(*one), &held, true)).collect()
            }
            _ if is_filtered(wanted, &held, false) => Vec::new(),
            _ => wanted.iter().collect(),
        };
        if !missed.is_empty() {
            return Err(unfiltered(applied.name, &missed, &held));
        }
    }
    Ok(())
}

/// The error of a list that is not filtered by these.
fn unfiltered(argument: &str, missed: &[&Value], held: &[Vec<&Value>]) -> OperationError {
    let names: Vec<String> =
        missed.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), quoted)).collect();
    let names = names.join(", ");
    let having = held.iter().filter(|row| missed.iter().any(|one| row.contains(one))).count();
    let said = match having {
        0 => format!("the forge knows no {names} here and listed everything"),
        some => format!("the forge did not filter by {names}, which {some} of {} rows have", held.len()),
    };
    let said = format!("argument `{argument}`: {said}; that list is not shown");
    let mut error = OperationError::new(Code::InvalidArguments, said);
    error.is_of_kept = true;
    let known = || held.iter().flatten().filter_map(|value| value.as_str());
    for name in missed.iter().filter_map(|one| one.as_str()).filter(|_| having == 0) {
        let near = near(name, known());
        error.near.extend(near.into_iter().filter(|near| !error.near.contains(near)).collect::<Vec<_>>());
    }
    error
}

/// Whether rows are filtered by any of these: a row holds what the forge knows, or where it must be so each does. A database
/// that does not tell small letters from great ones finds more than the name: all rows hold that.
fn is_filtered(wanted: &[Value], held: &[Vec<&Value>], by_each: bool) -> bool {
    let folded = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_lowercase);
    let alike = |has: &&Value| wanted.iter().any(|wanted| folded(wanted) == folded(has));
    (!by_each && held.iter().flatten().any(|has| wanted.contains(has)))
        || held.iter().all(|row| row.iter().any(alike))
}

/// What stands at a dotted path, a list on it being each of its elements and `null` none; nothing where the row lacks it.
fn told<'a>(row: &'a Value, path: &str) -> Option<Vec<&'a Value>> {
    let mut at = vec![row];
    for name in path.split('.') {
        let there = at.into_iter().flat_map(elements).filter(|value| !value.is_null());
        at = there.map(|value| value.get(name)).collect::<Option<_>>()?;
    }
    Some(at.into_iter().flat_map(elements).filter(|value| !value.is_null()).collect())
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice)
}
