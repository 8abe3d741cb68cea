//! JSON for people on a terminal: lists as tables, objects as lines of name and value.

use serde_json::{Map, Value};

/// The widest cell of a table, in characters; a longer one ends in `…`.
const WIDEST: usize = 60;

/// An answer for people; ends in a newline.
pub(crate) fn render(value: &Value) -> String {
    let Some(fields) = value.as_object() else { return format!("{}\n", cell(value)) };
    match fields.get("items") {
        Some(Value::Array(items)) => list(items, fields),
        _ => lines(fields),
    }
}

/// Rows under a head, columns aligned. A row that is shorter than the head ends early.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|name| (*name).to_owned()).collect();
    let width = |column: usize| {
        let cells = std::iter::once(&head).chain(rows).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn list(items: &[Value], fields: &Map<String, Value>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in items.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let row = |item: &Value| match item {
        Value::Object(item) => {
            names.iter().map(|name| item.get(*name).map(short).unwrap_or_default()).collect()
        }
        other => vec![short(other)],
    };
    let rows: Vec<Vec<String>> = items.iter().map(row).collect();
    let head = if names.is_empty() { vec!["value"] } else { names.clone() };
    let mut text = if items.is_empty() { "nothing\n".to_owned() } else { table(&head, &rows) };
    let rest: Map<String, Value> = fields
        .iter()
        .filter(|(name, _)| *name != "items")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if !rest.is_empty() {
        text.push('\n');
        text.push_str(&lines(&rest));
    }
    text
}

fn lines(fields: &Map<String, Value>) -> String {
    let (long, brief): (Vec<_>, Vec<_>) =
        fields.iter().partition(|(_, value)| value.as_str().is_some_and(|text| text.contains('\n')));
    let width = brief.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let mut text: String =
        brief.iter().map(|(name, value)| format!("{name:width$}  {}\n", cell(value))).collect();
    for (name, value) in long {
        text.push_str(&format!("\n{name}:\n{}\n", cell(value).trim_end()));
    }
    text
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(cell).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// A cell on one line.
fn short(value: &Value) -> String {
    let text = cell(value).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= WIDEST {
        return text;
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_are_tables_and_objects_are_lines() {
        for (value, expected) in [
            (json!({"items": [], "total": 0}), "nothing\n\ntotal  0\n"),
            (
                json!({"items": [{"index": 1, "title": "a"}, {"index": 12, "labels": ["x", "y"]}], "next": {"page": 2}}),
                "index  title  labels\n1      a\n12            x, y\n\nnext  {\"page\":2}\n",
            ),
            (json!({"items": ["main", "next"]}), "value\nmain\nnext\n"),
            (
                json!({"index": 1, "body": "a\nb\n", "state": "open"}),
                "index  1\nstate  open\n\nbody:\na\nb\n",
            ),
            (json!("text"), "text\n"),
        ] {
            assert_eq!(render(&value), expected);
        }
    }
}
