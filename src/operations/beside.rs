//! Fields of a list's rows that a program needs, as the address of each, and that a reader is not shown: they stand
//! beside the answer until whoever asked takes them. A row is marked by its place while the answer is cut to its
//! budget.

use serde_json::Value;

use super::descriptor::Operation;
use super::fields::{Picked, pick};

/// Where they stand in an answer, and a row's place in the row; no field of Forgejo's is called so.
const BESIDE: &str = "\u{0}beside";

/// What [`Needs::of_rows`](super::Needs::of_rows) picked of each row that an answer shows, in their order, and `null`
/// for a row that has none; the answer is without them behind this. Nothing where none were asked for.
pub fn take(answer: &mut Value) -> Vec<Value> {
    match answer.as_object_mut().and_then(|fields| fields.remove(BESIDE)) {
        Some(Value::Array(rows)) => rows,
        _ => Vec::new(),
    }
}

/// What those paths pick; nothing without paths, and where the answer has not one of them.
pub(super) fn picked(operation: &Operation, paths: &[&str]) -> Option<Picked> {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    pick(operation, &paths).ok().filter(|_| !paths.is_empty())
}

/// Marks each row with its place.
pub(super) fn mark(rows: &mut [Value]) {
    for (at, row) in rows.iter_mut().enumerate() {
        if let Value::Object(fields) = row {
            fields.insert(BESIDE.to_owned(), at.into());
        }
    }
}

/// Puts beside an answer what was picked of those marked rows that it shows, and takes the marks away.
pub(super) fn put(answer: &mut Value, mut picked: Vec<Value>) {
    let Value::Object(fields) = answer else { return };
    let rows = fields.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten();
    let beside = rows.map(|row| {
        let at = row.as_object_mut().and_then(|row| row.remove(BESIDE)).and_then(|at| at.as_u64());
        let found = at.and_then(|at| picked.get_mut(usize::try_from(at).ok()?));
        found.map(Value::take).unwrap_or_default()
    });
    let beside = beside.collect();
    fields.insert(BESIDE.to_owned(), beside);
}
