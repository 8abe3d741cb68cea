//! Rows of made lists.

use serde_json::{Value, json};

/// The repository of all tests, and more arguments.
pub fn place(more: Value) -> Value {
    let mut given = json!({"owner": "acme", "repo": "widget"});
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    given
}

/// Rows with these numbers.
pub fn rows(numbers: impl IntoIterator<Item = u64>) -> Value {
    numbers
        .into_iter()
        .map(|n| json!({"number": n, "title": format!("title {n}"), "body": "skipped"}))
        .collect()
}

/// The numbers of a list's rows.
pub fn numbers(list: &Value) -> impl Iterator<Item = u64> {
    list["items"].as_array().unwrap().iter().map(|row| row["number"].as_u64().unwrap())
}
