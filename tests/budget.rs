//! No answer of the recorded forge is longer than its budget.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/child.rs"]
mod child;

use serde_json::Value;

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
