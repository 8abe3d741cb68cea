//! Brings a JSON answer within its budget: long texts and lists in it are cut, and `truncated` says by how much. Where that
//! does not suffice, fields are left out, the last first, and `truncated` says which. What shows all of it stands beside.

use serde_json::{Map, Value, json};

use super::arguments::MOST_MAX_BYTES;
use super::size;

/// A field of at most so many bytes is never cut: a name, a date, an address or a title is of no use in part.
const SHORT: usize = 300;

/// What an object keeps besides its first field, which tells what it is: what leads on, and what a write has not done.
const KEPT: [&str; 5] = ["next", "not_applied", "note", "total", "truncated"];

/// The bytes of `,"truncated":{}` with what shows all of it.
const FRAME: usize = 68;

/// What shows all of an object that was cut.
#[derive(Debug, Clone, Copy)]
pub(super) enum Whole {
    /// The same call with another budget, of which so many bytes go to what stands around the object.
    Again(usize),
    /// Not the same call, which has done something.
    Elsewhere,
}

/// What shows all of the answer of a call that has done something.
const DONE: &str = "by the tool that reads it: this is done";

/// What shows more of an answer that no budget holds.
const FIELDS: &str = "more than max_bytes can be: fields";

/// The bytes of `,"left_out":`.
const LEFT_OUT: usize = 12;

/// The bytes of an entry of `truncated` besides its name.
const ENTRY: usize = 48;

/// A text or a list that may be cut: its dotted path, its size in bytes, and itself.
struct Long<'a> {
    path: String,
    size: usize,
    field: &'a mut Value,
}

impl Long<'_> {
    /// What the field takes when it may have so many bytes.
    fn within(&self, most: usize) -> usize {
        self.size.min(most + self.path.len() + ENTRY)
    }
}

/// Cuts the longest texts (at a character) and lists (at an element) of an object to one length, so that its compact JSON
/// has at most `max` bytes. `truncated` names each that was cut, with the characters or elements that are shown and their
/// total. Where the short fields alone are too long, it loses the last of them; `truncated.left_out` names those, or says
/// how many they are. The first field stays, and what leads on. `truncated.whole` says what shows all of it, as far
/// as there is room for that: where it is the same call the arguments that are laid over it, as `{"max_bytes": 84120}`.
pub(super) fn fit(value: &mut Value, max: usize, by: Whole) {
    let size = size::json(value);
    if size <= max || !value.is_object() {
        return;
    }
    let mut found = Vec::new();
    collect(value, String::new(), &mut found);
    let rest = size - found.iter().map(|long| long.size).sum::<usize>() + FRAME;
    let most = greatest(max, |most| rest + found.iter().map(|long| long.within(most)).sum::<usize>() <= max);
    let mut truncated = Map::new();
    truncated.insert("whole".to_owned(), whole(size, by));
    for long in found {
        if long.within(most) < long.size {
            truncated.insert(long.path, cut(long.field, most));
        }
    }
    let Value::Object(fields) = value else { return };
    let told = fields.entry("truncated").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(told) = told {
        told.extend(truncated);
    }
    leave_out(fields, max);
    let is_long = of_fields(fields) > max;
    if let (Some(Value::Object(told)), true) = (fields.get_mut("truncated"), is_long) {
        told.remove("whole");
    }
}

/// What shows all of an object of so many bytes.
fn whole(size: usize, by: Whole) -> Value {
    match by {
        Whole::Again(around) if size + around > MOST_MAX_BYTES => FIELDS.into(),
        Whole::Again(around) => json!({ "max_bytes": size + around }),
        Whole::Elsewhere => DONE.into(),
    }
}

/// The bytes of an object's compact JSON text, or some more.
fn of_fields(fields: &Map<String, Value>) -> usize {
    fields.iter().map(|(name, value)| name.len() + 4 + size::json(value)).sum::<usize>() + 2
}

/// Brings what is told beside an answer within its budget: of what was not applied the arguments' names are left, and the
/// note is cut.
pub(super) fn fit_told(value: &mut Value, max: usize) {
    let names = |fields: &Map<String, Value>| fields.keys().cloned().collect::<Value>();
    if size::json(value) > max
        && let Some(told) = value.get_mut("not_applied")
        && let Some(fields) = told.as_object()
    {
        *told = names(fields);
    }
    let excess = size::json(value).saturating_sub(max);
    if let Some(Value::String(note)) = value.get_mut("note").filter(|_| excess > 0) {
        *note = shortened(note, size::text(note).saturating_sub(excess));
    }
}

/// A text whose JSON has at most so many bytes, and ends with `…` where there was more.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if size::text(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(size::text("…"));
    let fits = |c: &char| left.checked_sub(size::character(*c)).map(|rest| left = rest).is_some();
    let kept: String = text.chars().take_while(fits).collect();
    kept + "…"
}

/// Takes the last fields off an object that is still too long.
fn leave_out(fields: &mut Map<String, Value>, max: usize) {
    let mut left: Vec<String> = Vec::new();
    while of_fields(fields) + told(&left, max).map_or(0, |told| size::json(&told) + LEFT_OUT) > max {
        let last = fields.keys().skip(1).rfind(|name| !KEPT.contains(&name.as_str()));
        let Some(last) = last.cloned() else { break };
        fields.remove(&last);
        left.push(last);
    }
    let Some(told) = told(&left, max) else { return };
    let truncated = fields.entry("truncated").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(truncated) = truncated {
        truncated.retain(|path, _| {
            path == "whole" || !left.iter().any(|name| path.split('.').next() == Some(name))
        });
        truncated.insert("left_out".to_owned(), told);
    }
}

/// What is told of fields that were left out: their names, or how many they are where those take too much.
fn told(left: &[String], max: usize) -> Option<Value> {
    let names: usize = left.iter().map(|name| name.len() + 3).sum();
    let told = if names > max / 4 { left.len().into() } else { left.iter().rev().cloned().collect() };
    (!left.is_empty()).then_some(told)
}

/// The long texts and lists of an object and of the objects in it.
fn collect<'a>(value: &'a mut Value, path: String, found: &mut Vec<Long<'a>>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(field, below, found);
            }
        }
        Value::String(_) | Value::Array(_) => {
            let size = size::json(value);
            if size > SHORT {
                found.push(Long { path, size, field: value });
            }
        }
        _ => {}
    }
}

/// The greatest number up to `max` that is good, where all below a good one are good; 0 where none is.
fn greatest(max: usize, is_good: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, max);
    while low < high {
        let middle = high - (high - low) / 2;
        if is_good(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// Cuts a text or a list to so many bytes, and tells how much is shown of how much.
fn cut(field: &mut Value, most: usize) -> Value {
    // Quotes or brackets.
    let mut left = most.saturating_sub(2);
    let mut fits = |size: usize| left.checked_sub(size).map(|rest| left = rest).is_some();
    let (shown, total) = match field {
        Value::String(text) => {
            let total = text.chars().count();
            let shown = text.chars().take_while(|c| fits(size::character(*c))).count();
            let end = text.char_indices().nth(shown).map_or(text.len(), |(at, _)| at);
            text.truncate(end);
            (shown, total)
        }
        Value::Array(items) => {
            let total = items.len();
            let shown = items.iter().take_while(|item| fits(size::json(item) + 1)).count();
            items.truncate(shown);
            (shown, total)
        }
        _ => (0, 0),
    };
    json!({ "shown": shown, "total": total })
}
