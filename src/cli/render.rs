//! JSON for people on a terminal: lists as tables, objects as lines of name and value.

use std::borrow::Borrow;

use serde_json::{Map, Value};

/// The widest cell of a table, in characters; a longer one ends in `…`.
const WIDEST: usize = 60;

/// An answer for people; ends in a newline.
pub(crate) fn render(value: &Value) -> String {
    let Some(fields) = value.as_object() else { return format!("{}\n", cell(value)) };
    match fields.get("items") {
        Some(Value::Array(items)) => list(items, fields),
        _ if fields.get("dry_run") == Some(&Value::Bool(true)) => plan(fields),
        _ => lines(fields),
    }
}

/// What would be sent, and what it would change.
fn plan(fields: &Map<String, Value>) -> String {
    let mut text = String::new();
    match fields.get("requests") {
        Some(Value::Array(requests)) => {
            requests.iter().filter_map(Value::as_object).for_each(|sent| request(&mut text, sent));
        }
        _ => request(&mut text, fields),
    }
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("dry_run" | "requests" | "method" | "path" | "query" | "body" | "scope", _) => {}
            ("changes", Value::Object(changes)) => {
                let row = |(name, change): (&String, &Value)| {
                    let part = |key| change.get(key).map(short).unwrap_or_default();
                    vec![format!("  {name}"), part("from"), "->".to_owned(), part("to")]
                };
                let rows: Vec<Vec<String>> = changes.iter().map(row).collect();
                let head = if rows.is_empty() { "changes nothing that is compared" } else { "changes" };
                text.push_str(&format!("\n{head}\n{}", aligned(&rows)));
            }
            ("deletes", Value::Object(deleted)) => {
                text.push_str(&format!("\ndeletes\n{}", indented(&lines(deleted))));
            }
            ("deletes", Value::Array(items)) => {
                text.push_str(&format!("\ndeletes\n{}", indented(&list(items, &Map::new()))));
            }
            ("deletes", Value::Null) => text.push_str("\ndeletes nothing\n"),
            _ => text.push_str(&format!("\n{}  {}\n", name.replace('_', " "), cell(value))),
        }
    }
    text
}

fn request(text: &mut String, sent: &Map<String, Value>) {
    let part = |name| sent.get(name).map(cell).unwrap_or_default();
    let query = sent.get("query").map(|query| format!("?{}", cell(query))).unwrap_or_default();
    text.push_str(&format!("would send {} {}{query}\n", part("method"), part("path")));
    match sent.get("body") {
        Some(Value::Object(body)) => text.push_str(&indented(&lines(body))),
        Some(body) => text.push_str(&indented(&format!("{}\n", cell(body)))),
        None => {}
    }
    if let Some(scope) = sent.get("scope") {
        text.push_str(&format!("with a token that has {}\n", cell(scope)));
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// Rows under a head, columns aligned. A row that is shorter than the head ends early.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|name| (*name).to_owned()).collect();
    let rows: Vec<&Vec<String>> = std::iter::once(&head).chain(rows).collect();
    aligned(&rows)
}

/// Rows with their columns aligned.
fn aligned(rows: &[impl Borrow<Vec<String>>]) -> String {
    let rows = || rows.iter().map(Borrow::borrow);
    let width = |column: usize| {
        let cells = rows().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let columns = rows().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows() {
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
            (
                json!({"dry_run": true, "method": "PATCH", "path": "/repos/a/b/issues/1", "body": {"title": "b", "state": "open"},
                    "scope": ["write:issue"], "changes": {"title": {"from": "a", "to": "b"}, "body": {"from": null, "to": "x\ny"}},
                    "unchanged": ["state"], "note": "no more"}),
                "would send PATCH /repos/a/b/issues/1\n  title  b\n  state  open\nwith a token that has write:issue\n\nchanges\n  \
                 title  a  ->  b\n  body      ->  x y\n\nunchanged  state\n\nnote  no more\n",
            ),
            (
                json!({"dry_run": true, "method": "DELETE", "path": "/x", "query": "a=1", "deletes": {"id": 3, "name": "bug"}}),
                "would send DELETE /x?a=1\n\ndeletes\n  id    3\n  name  bug\n",
            ),
            (
                json!({"dry_run": true, "method": "DELETE", "path": "/x", "deletes": [{"id": 3, "name": "bug"}]}),
                "would send DELETE /x\n\ndeletes\n  id  name\n  3   bug\n",
            ),
            (
                json!({"dry_run": true, "requests": [{"method": "DELETE", "path": "/1"}, {"method": "DELETE", "path": "/2"}],
                    "deletes": null}),
                "would send DELETE /1\nwould send DELETE /2\n\ndeletes nothing\n",
            ),
        ] {
            assert_eq!(render(&value), expected);
        }
    }
}
