//! Fields of a list's rows that a program needs, as the address of each, and that a reader is not shown: they stand
//! beside the answer until whoever asked takes them, and count for nothing where it is cut to its budget.

use serde_json::Value;

use super::descriptor::Operation;
use super::fields::{Picked, pick};

/// Where they stand in an answer; no field of Forgejo's is called so.
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

/// Puts beside an answer what was picked of the rows that it shows, which are so many from that place on.
pub(super) fn put(answer: &mut Value, picked: Vec<Value>, start: usize) {
    let Value::Object(fields) = answer else { return };
    let shown = fields.get("items").and_then(Value::as_array).map_or(0, Vec::len);
    let beside = picked.into_iter().skip(start).take(shown).collect();
    fields.insert(BESIDE.to_owned(), beside);
}

/// Does something to an answer that is not to know of what stands beside it.
pub(super) fn without(answer: &mut Value, change: impl FnOnce(&mut Value)) {
    let beside = answer.as_object_mut().and_then(|fields| fields.remove(BESIDE));
    change(answer);
    if let (Some(fields), Some(beside)) = (answer.as_object_mut(), beside) {
        fields.insert(BESIDE.to_owned(), beside);
    }
}
