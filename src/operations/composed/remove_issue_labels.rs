//! Takes labels off an issue, one call a label, and answers with those that are left.

use forgehand_client::{Call, Parameters, Raw, untyped};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Doing, Work};
use crate::operations::applied::Asked;
use crate::operations::descriptor::{Applied, Compare};
use crate::operations::{Code, OperationError, Outcome};

/// What the labels that are left tell of those that were to be taken off.
static TAKEN_OFF: Applied = Applied { name: "labels", path: "", by: Compare::Gone };

/// `labels` are ids by now. Each is taken off by its id, in the order given; a label that the issue does not have makes no
/// difference to the forge.
///
/// # Errors
/// What the forge refuses, and a web page in place of its answer; where labels were taken off before, the error says which, and which labels are left.
pub fn remove_issue_labels(work: Work<'_>) -> Doing<'_> {
    Box::pin(remove(work))
}

async fn remove(work: Work<'_>) -> Result<Outcome, OperationError> {
    let mut ids: Vec<String> = Vec::new();
    for id in work.values.get("labels").and_then(Value::as_array).into_iter().flatten() {
        let id = id.to_string();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if ids.is_empty() {
        let said = "argument `labels`: expected at least one label, got an empty list";
        return Err(OperationError::new(Code::InvalidArguments, said));
    }
    let calls: Vec<Call<Raw>> = ids.iter().map(|id| removal(&work, id)).collect::<Result<_, _>>()?;
    if work.values.engine.dry_run {
        return Ok(work.planner().plans(&calls));
    }
    for (at, call) in calls.iter().enumerate() {
        if let Err(error) = work.done(call).await {
            return Err(partial(&work, error, &ids, at).await);
        }
    }
    let call = left(&work)?;
    let reply = work.send(&call).await.map_err(|mut error| {
        error.message = format!("the labels are taken off; which are left is not known: {}", error.message);
        error
    })?;
    let is_named = work.values.named.contains(&TAKEN_OFF.name);
    let value = work.values.get(TAKEN_OFF.name).cloned().unwrap_or_default();
    work.context(&call, &[Asked { applied: &TAKEN_OFF, value, is_named }]).outcome(reply).await
}

fn removal(work: &Work<'_>, id: &str) -> Result<Call<Raw>, OperationError> {
    let mut path = work.values.path();
    path.insert("identifier".to_owned(), id.into());
    let body = Some(json!({}));
    work.call_of(untyped::issue_remove_label, Parameters { path, body, ..Parameters::default() })
}

fn left(work: &Work<'_>) -> Result<Call<Raw>, OperationError> {
    work.call(untyped::issue_get_labels, work.values.path(), Map::new())
}

/// A label of the issue.
#[derive(Deserialize)]
struct Label {
    id: i64,
    name: String,
}

/// The error with how far it came: `at` is the one that failed.
async fn partial(work: &Work<'_>, mut error: OperationError, ids: &[String], at: usize) -> OperationError {
    let list = |ids: Option<&[String]>| ids.unwrap_or_default().join(", ");
    let (done, rest) = (list(ids.get(..at)), list(ids.get(at + 1..)));
    // The one that failed may be off all the same.
    let is_open = error.code == Code::OutcomeUnknown;
    let mut said = match done.as_str() {
        "" if is_open => "none before it".to_owned(),
        "" => "no label was taken off".to_owned(),
        done => format!("taken off: {done}"),
    };
    let failed = if is_open { "not known" } else { "failed" };
    said.push_str(&format!("; {failed}: {}", ids.get(at).map_or("", String::as_str)));
    if !rest.is_empty() {
        said.push_str(&format!("; not tried: {rest}"));
    }
    if (at > 0 || is_open)
        && let Some(labels) = names_left(work).await
    {
        said.push_str(&format!("; the issue has now: {labels}"));
    }
    error.message = format!("{}; {said}", error.message);
    error
}

async fn names_left(work: &Work<'_>) -> Option<String> {
    let call = left(work).ok()?;
    let reply = work.send(&call).await.ok()?;
    let labels: Vec<Label> = work.json(&call, reply).await.ok()?;
    let labels: Vec<String> = labels.iter().map(|label| format!("{} ({})", label.name, label.id)).collect();
    Some(if labels.is_empty() { "none".to_owned() } else { labels.join(", ") })
}
