//! Exact replacements: each old text is found as often as it is expected, or nothing is done.

use serde_json::Value;

use super::near::nearest;
use super::target::{Change, Target, lf};
use crate::operations::{Code, OperationError};

/// How many places are named.
const NAMED: usize = 10;

/// One replacement.
#[derive(Debug)]
pub(super) struct Edit {
    old: String,
    new: String,
    count: u64,
}

/// The edits of an argument that was checked.
///
/// # Errors
/// An empty list.
pub(super) fn read(edits: &[Value]) -> Result<Vec<Edit>, OperationError> {
    if edits.is_empty() {
        return Err(super::fault("argument `edits`: expected one edit or more, got an empty list"));
    }
    let edit = |edit: &Value| {
        let text = |name: &str| lf(edit.get(name).and_then(Value::as_str).unwrap_or_default());
        Edit {
            old: text("old"),
            new: text("new"),
            count: edit.get("count").and_then(Value::as_u64).unwrap_or(1),
        }
    };
    Ok(edits.iter().map(edit).collect())
}

/// The changes that edits come to. All of them see the text as it was.
///
/// # Errors
/// An old text that is not there, or not as often as is expected.
pub(super) fn changes(target: &Target, edits: &[Edit]) -> Result<Vec<Change>, OperationError> {
    let mut changes = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        for start in places(target, edit, at)? {
            let (range, by) = (start..start + edit.old.len(), format!("edits[{at}]"));
            changes.push(Change { range, new: edit.new.clone(), by });
        }
    }
    Ok(changes)
}

/// Where an edit's old text is.
fn places(target: &Target, edit: &Edit, at: usize) -> Result<Vec<usize>, OperationError> {
    let text = target.text();
    let name = format!("argument `edits[{at}].old`");
    if edit.old.is_empty() {
        let said = format!(
            "{name}: expected a text that is in the file, got an empty one, which only an empty file has"
        );
        return if text.is_empty() { Ok(vec![0]) } else { Err(super::fault(said)) };
    }
    let found = occurrences(text, &edit.old);
    if found.is_empty() {
        return Err(missing(target, &name, &edit.old));
    }
    let (expected, count) = (edit.count, found.len() as u64);
    let overlap = found.windows(2).any(|pair| matches!(pair, [one, other] if one + edit.old.len() > *other));
    if count == expected && !overlap {
        return Ok(found);
    }
    let lines: Vec<String> =
        found.iter().take(NAMED).map(|start| target.line_at(*start).to_string()).collect();
    let more = if found.len() > NAMED { ", …" } else { "" };
    let overlap_said = if overlap { ", which overlap" } else { "" };
    let places = if expected == 1 { "place" } else { "places" };
    let said = format!(
        "{name}: expected {expected} {places} in the file, got {count}{overlap_said}, at lines {}{more}",
        lines.join(", ")
    );
    let hint = match overlap {
        true => "give more of the lines around it".to_owned(),
        false => format!("give more of the lines around it, or count: {count} to replace each"),
    };
    Err(super::fault(said).hint(hint))
}

/// Where a text occurs in another, overlapping occurrences included.
fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(wanted)) {
        found.push(from + at);
        from += at + step;
    }
    found
}

fn missing(target: &Target, name: &str, old: &str) -> OperationError {
    let error = super::fault(format!("{name}: is not in the file; {}", nearest(target.lines(), old)));
    let without = old.strip_suffix('\n').filter(|without| !without.is_empty());
    if without.is_some_and(|without| target.text().ends_with(without)) {
        return error.hint("the file's last line has no line end: leave it out of old");
    }
    error
}

/// Puts changes in order.
///
/// # Errors
/// [`Code::InvalidArguments`] where two of them overlap.
pub(super) fn in_order(target: &Target, mut changes: Vec<Change>) -> Result<Vec<Change>, OperationError> {
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    for pair in changes.windows(2) {
        let [one, other] = pair else { continue };
        let is_same_place = one.range == other.range && one.range.is_empty();
        if one.range.end > other.range.start || is_same_place {
            let line = target.line_at(other.range.start);
            let said = format!("{} and {} overlap at line {line} of the file", one.by, other.by);
            return Err(OperationError::new(Code::InvalidArguments, said)
                .hint("all edits are of the file as it is now: make one of the two"));
        }
    }
    Ok(changes)
}
