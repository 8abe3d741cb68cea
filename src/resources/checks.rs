//! The checks of a commit: the newest status of each context, and the gravest of them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::reader::Reader;
use super::rows::{EMBEDDED, Newest, Paged};
use super::shape::{Fields, shaped};
use crate::operations::OperationError;

/// A status of a check.
const STATUS: Fields = &[
    ("context", "context"),
    ("state", "status"),
    ("target_url", "target_url"),
    ("description", "description"),
    ("creator_login", "creator.login"),
    ("created_at", "created_at"),
    ("updated_at", "updated_at"),
];

/// What is asked for of each.
const ASKED: [&str; 9] = [
    "total_count",
    "statuses.id",
    "statuses.context",
    "statuses.status",
    "statuses.target_url",
    "statuses.description",
    "statuses.creator.login",
    "statuses.created_at",
    "statuses.updated_at",
];

/// States, the gravest last.
const STATES: [&str; 6] = ["success", "unknown", "pending", "warning", "failure", "error"];

/// The checks of a commit.
#[derive(Debug)]
pub(super) struct Checks {
    /// The gravest state; `unknown` where there is no check.
    pub(super) state: &'static str,
    /// The gravest checks, the newest of them first.
    pub(super) shown: Newest,
}

/// Reads all pages: the state that the forge tells is that of one page alone.
pub(super) async fn read(reader: &Reader<'_>) -> Result<Checks, OperationError> {
    let statuses = Paged {
        tools: &reader.tools,
        tool: "get_commit_status",
        arguments: reader.within_repo([("ref", "sha")]),
        fields: ASKED.to_vec(),
        rows: "statuses",
    };
    let mut newest: BTreeMap<String, Value> = BTreeMap::new();
    let mut told = 0;
    let cut = statuses.all(|page| {
        told = told.max(page.total.unwrap_or_default());
        for status in &page.rows {
            let context = status.get("context").and_then(Value::as_str).unwrap_or_default();
            let is_older = newest.get(context).is_some_and(|known| id(known) > id(status));
            if !is_older {
                newest.insert(context.to_owned(), status.clone());
            }
        }
        page.total.is_none() || (newest.len() as u64) < told
    });
    let cut = cut.await?;
    let mut rows: Vec<Value> = newest.into_values().collect();
    rows.sort_by_key(|status| std::cmp::Reverse((gravity(status), id(status))));
    let state = rows.first().and_then(|gravest| STATES.get(gravity(gravest))).copied().unwrap_or("unknown");
    let total = told.max(rows.len() as u64);
    rows.truncate(EMBEDDED);
    let rows = rows.iter().map(|status| Value::Object(shaped(status, STATUS))).collect();
    Ok(Checks { state, shown: Newest { rows, total, cut } })
}

fn id(status: &Value) -> u64 {
    status.get("id").and_then(Value::as_u64).unwrap_or_default()
}

/// The place of a status among [`STATES`]; a word that is not among them is unknown.
fn gravity(status: &Value) -> usize {
    let word = status.get("status").and_then(Value::as_str).unwrap_or_default();
    STATES.iter().position(|state| *state == word).unwrap_or(1)
}
