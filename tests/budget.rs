//! No answer of the recorded forge is longer than its budget.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/child.rs"]
mod child;

mod common;

use common::rows::place;
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::table::OPERATIONS;
use serde_json::{Value, json};

#[test]
fn what_is_told_beside_an_answer_is_within_its_budget_too() {
    let rows = |count: i64| {
        let row = |id| json!({ "id": id, "number": id, "name": "n".repeat(40), "title": "t".repeat(40) });
        Value::from_iter((0..count).map(row)).to_string()
    };
    block_on(async {
        for (tool, given) in [
            // A filter that could not be checked, since the organization's labels may not be read.
            ("list_repo_issues", json!({ "labels": ["l".repeat(300)] })),
            // Labels that are not there afterwards.
            ("add_issue_labels", json!({ "index": 1, "labels": Vec::from_iter(100..140) })),
            ("list_repo_labels", json!({ "include_org_labels": true })),
        ] {
            for max in [300, 500, 2000] {
                let forge = Scripted::by(move |request| match request.target.contains("/orgs/") {
                    true => Answer::json(403, "{}"),
                    false => Answer::json(200, &rows(40)),
                })
                .await;
                let mut given = place(given.clone());
                given["max_bytes"] = max.into();
                let tool = OPERATIONS.iter().find(|operation| operation.name == tool).unwrap();
                let answer = json(call(&forge, tool, given).await);
                let length = answer.to_string().len();
                assert!(length <= max, "{} at {max}: {length} bytes: {answer}", tool.name);
                let told = ["note", "not_applied"].iter().any(|told| answer.get(told).is_some());
                assert!(told && !answer["items"].as_array().unwrap().is_empty(), "{answer}");
            }
        }
    });
}

#[test]
fn an_answer_is_never_longer_than_its_budget_and_says_what_it_lacks() {
    for max in ["200", "500", "1000"] {
        for call in [
            &["get_repo", "repo=acme/widget"][..],
            &["get_repo", "repo=acme/widget", "fields=*"],
            &["get_issue_by_index", "repo=acme/widget", "index=1"],
            &["get_issue_by_index", "repo=acme/widget", "index=2", "fields=*"],
            &["get_pull_request_by_index", "repo=acme/widget", "index=136", "fields=*"],
            &["list_repo_issues", "repo=acme/widget", "limit=2"],
            &["list_repo_issues", "repo=acme/widget", "limit=2", "fields=*"],
            &["list_repo_commits", "repo=acme/widget", "fields=*"],
            &["list_repo_hooks", "repo=acme/widget"],
            &["get_commit_status", "repo=acme/widget", "ref=1e0e877418d8f7661b71d91d1f721fb97b4ccbed"],
        ] {
            let budget = format!("max_bytes={max}");
            let arguments = [&["call"], call, &["--demo", "--json", &budget]].concat();
            let output = child::command(&arguments).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{call:?}: {}", String::from_utf8_lossy(&output.stderr));
            let length = said.trim_end().len();
            assert!(length <= max.parse().unwrap(), "{call:?} at {max}: {length} bytes: {said}");
            let answer: Value = serde_json::from_str(&said).unwrap();
            let first = answer.get("items").map_or(&answer, |rows| &rows[0]);
            assert!(first.as_object().is_some_and(|fields| !fields.is_empty()), "{call:?}: {said}");
        }
    }
}
