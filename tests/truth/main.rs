//! What was asked of a write and the answer shows was not applied is told beside the answer; of all else nothing is said.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

#[path = "../common/mod.rs"]
mod common;
#[allow(unreachable_pub, reason = "made operations are `pub`")]
mod compared;
mod merges;
#[path = "../support/replayed.rs"]
#[allow(dead_code, reason = "the other test of it uses more")]
mod replayed;
mod silence;

use std::fmt::Write as _;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, forge, json, limits};
use forgehand::demo::{Exchange, Recordings};
use forgehand::operations::descriptor::Run;
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Effect, Operation, Outcome, run};
use serde_json::{Value, json};

/// A tool by its name.
fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|tool| tool.name == name).unwrap()
}

/// The recorded answer to a scenario.
fn recorded(scenario: &str) -> Value {
    let recordings = Recordings::embedded().unwrap();
    let (_, exchange) = recordings.scenario(scenario).unwrap();
    serde_json::from_slice(&exchange.response.bytes().unwrap()).unwrap()
}

/// What a tool says was not applied, and its note, where the forge answers this.
async fn told(name: &str, arguments: Value, status: u16, answer: &Value) -> (Value, Value) {
    let forge = Scripted::new([Answer::json(status, &answer.to_string())]).await;
    let shown = json(call(&forge, tool(name), arguments).await);
    (shown["not_applied"].clone(), shown["note"].clone())
}

#[test]
fn what_the_forge_drops_for_one_who_may_not_write_is_told_with_the_likely_reason() {
    block_on(async {
        // Recorded of a member who may not write: created, with nothing but title and text.
        let mut issue = recorded("issueCreateIssue/auth-dave");
        issue["body"] = "text".into();
        let given = json!({"owner": "acme", "repo": "playground", "title": issue["title"], "body": "text", "labels": [15],
            "assignees": ["carol"], "milestone": 5, "due_date": "2031-01-01"});
        let (not_applied, note) = told("create_issue", given, 201, &issue).await;
        assert_eq!(
            not_applied,
            json!({"labels": null, "assignees": null, "milestone": null, "due_date": null})
        );
        let note = note.as_str().unwrap();
        assert!(note.contains("most likely this account may not write to the repository"), "{note}");
    });
}

#[test]
fn labels_that_were_found_by_name_are_not_called_unknown_where_one_excludes_the_other() {
    let exclusive = "most likely some are exclusive labels of one scope, as kind/bug and kind/feature, of which one is kept";
    block_on(async {
        let known = json!([{"id": 1, "name": "kind/bug", "exclusive": true}, {"id": 2, "name": "kind/feature", "exclusive": true}]);
        for (labels, likely) in [
            (json!(["kind/bug", "kind/feature"]), exclusive),
            (json!(["kind/bug"]), "it gave no reason"),
            (json!([1]), "most likely there is no such id here"),
        ] {
            let answer = known.clone();
            let forge = Scripted::by(move |request| match request.method.as_str() {
                "POST" => Answer::json(200, r#"[{"id": 2, "name": "kind/feature"}]"#),
                _ if request.target.contains("/repos/") => Answer::json(200, &answer.to_string()),
                _ => Answer::json(200, "[]"),
            })
            .await;
            let given = json!({"owner": "acme", "repo": "widget", "index": 3, "labels": labels});
            let shown = json(call(&forge, tool("add_issue_labels"), given).await);
            assert_eq!(shown["not_applied"], json!({"labels": ["kind/feature"]}));
            let note = shown["note"].as_str().unwrap();
            assert!(note.ends_with(&format!("did not apply labels: {likely}")), "{note}");
        }
    });
}

#[test]
fn an_empty_text_of_what_is_made_leaves_the_choice_to_the_forge() {
    block_on(async {
        let release = json!({"id": 3, "tag_name": "v1", "target_commitish": "main"});
        let given = json!({"owner": "acme", "repo": "widget", "tag_name": "v1", "target_commitish": ""});
        assert_eq!(told("create_release", given, 201, &release).await, (Value::Null, Value::Null));
        let given = json!({"owner": "acme", "repo": "widget", "id": 3, "body": ""});
        let (not_applied, _) = told("edit_release", given, 200, &json!({"id": 3, "body": "old"})).await;
        assert_eq!(not_applied, json!({"body": "old"}));
    });
}

#[test]
fn what_the_forge_keeps_in_silence_is_told() {
    let at = json!({"owner": "acme", "repo": "playground"});
    let with = |more: Value| {
        let mut given = at.clone();
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        given
    };
    let mut release = recorded("repoEditRelease/ok");
    release["body"] = "notes".into();
    let rows: Vec<(&str, Value, Value, Value)> = vec![
        (
            "create_issue",
            with(json!({"title": "label", "labels": [99999]})),
            recorded("issueCreateIssue/bad-unknown-label-id"),
            json!({"labels": null}),
        ),
        (
            "create_issue",
            with(json!({"title": "milestone", "milestone": 99999})),
            recorded("issueCreateIssue/bad-unknown-milestone"),
            json!({"milestone": null}),
        ),
        (
            "issue_state_change",
            with(json!({"index": 75, "state": "closed"})),
            recorded("issueEditIssue/bad-state"),
            json!({"state": "open"}),
        ),
        (
            "edit_repo",
            with(json!({"default_branch": "no-such"})),
            recorded("repoEdit/bad-default-branch"),
            json!({"default_branch": "main"}),
        ),
        (
            "edit_repo",
            with(json!({"mirror_interval": "1h"})),
            recorded("repoEdit/bad-mirror-interval"),
            json!({"mirror_interval": ""}),
        ),
        (
            "update_issue",
            with(json!({"index": 75, "title": ""})),
            recorded("issueEditIssue/bad-empty-object"),
            json!({"title": recorded("issueEditIssue/bad-empty-object")["title"]}),
        ),
        (
            "edit_release",
            with(json!({"release_id": 157, "body": "", "name": "Renamed"})),
            release,
            json!({"body": "notes"}),
        ),
        (
            "edit_org",
            json!({"org": "tmp-org", "visibility": "public", "full_name": "", "description": "", "website": "",
                "location": ""}),
            recorded("orgEdit/ok"),
            json!({"visibility": "limited"}),
        ),
        (
            "update_issue",
            with(json!({"index": 75, "clear_due_date": true})),
            json!({"number": 75, "due_date": "2031-01-01T23:59:59Z"}),
            json!({"clear_due_date": "2031-01-01T23:59:59Z"}),
        ),
        (
            "edit_team",
            json!({"team_id": 3, "units_map": {"repo.code": "read", "repo.wiki": "write", "repo.pulls": "none"}}),
            json!({"id": 3, "units_map": {"repo.code": "read"}}),
            json!({"units_map": {"repo.wiki": null}}),
        ),
        (
            "create_pull_review",
            with(json!({"index": 7, "state": "APPROVED"})),
            json!({"id": 1, "state": "PENDING"}),
            json!({"state": "PENDING"}),
        ),
        (
            "edit_user",
            json!({"username": "bob", "email": "new@example.org", "confirm": true}),
            json!({"login": "bob", "email": "old@example.org"}),
            json!({"email": "old@example.org"}),
        ),
        (
            "create_repo_hook",
            with(json!({"url": "https://hooks.example", "events": []})),
            json!({"id": 4, "events": ["push"]}),
            json!({"events": ["push"]}),
        ),
        (
            "add_issue_labels",
            with(json!({"index": 75, "labels": [6]})),
            recorded("issueReplaceLabels/bad-label-of-other-repo"),
            json!({"labels": null}),
        ),
    ];
    block_on(async {
        for (name, given, answer, expected) in rows {
            let (not_applied, note) = told(name, given, 200, &answer).await;
            for (argument, instead) in expected.as_object().unwrap() {
                assert_eq!(not_applied.get(argument), Some(instead), "{name}: {not_applied}");
            }
            let note = note.as_str().unwrap().to_owned();
            assert!(note.starts_with("the forge answered success but did not apply "), "{note}");
        }
    });
}

/// Calls a tool with what was recorded and has the forge answer as it did: what was not applied.
async fn replay(tool: &'static Operation, exchange: &Exchange) -> Option<Value> {
    let mut arguments = replayed::arguments(tool, exchange).ok()?.arguments;
    arguments.insert("confirm".to_owned(), json!(true));
    let body = exchange.response.bytes().unwrap_or_default();
    let answer = Answer::new(exchange.status, exchange.response.header("content-type").unwrap_or(""), body);
    let scripted = Scripted::new([answer]).await;
    match run(&forge(&scripted), tool, arguments, &limits()).await {
        Ok(Outcome::Json(shown)) => shown.get("not_applied").cloned(),
        _ => None,
    }
}

/// Every recorded success of every writing tool: what is told is the truth, and was read one by one.
#[test]
fn of_all_recorded_writes_only_those_that_were_not_applied_are_told() {
    let recordings = Recordings::embedded().unwrap();
    let mut lines = String::new();
    let mut asked = 0;
    block_on(async {
        for tool in OPERATIONS.iter().filter(|tool| tool.effect != Effect::Read) {
            if !matches!(tool.run, Run::Call(_)) || tool.applied.is_empty() {
                continue;
            }
            let is_own = |exchange: &&Exchange| {
                (200..300).contains(&exchange.status)
                    && tool.calls.iter().any(|call| call.operation == exchange.operation)
            };
            for exchange in recordings.exchanges().iter().filter(is_own) {
                asked += 1;
                if let Some(found) = replay(tool, exchange).await {
                    let sent = String::from_utf8(exchange.request.bytes().unwrap().to_vec()).unwrap();
                    let _ = writeln!(lines, "{} {}\n  {sent}\n  {found}", tool.name, exchange.scenario);
                }
            }
        }
    });
    assert!(asked > 100, "only {asked}");
    insta::assert_snapshot!(lines);
}
