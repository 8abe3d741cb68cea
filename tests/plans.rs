//! Dry runs: what a write would send and change is told, and nothing but reads is sent.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;
#[path = "support/replayed.rs"]
#[allow(dead_code, reason = "another test of it uses more")]
mod replayed;
#[path = "support/samples.rs"]
#[allow(dead_code, reason = "another test of it uses more")]
mod samples;

use std::time::Duration;

use common::scripted::{Answer, Cut, Request, Scripted};
use common::{TOKEN, block_on, call, call_within, json, limits};
use forgehand::operations::descriptor::{Kind, Parameter, Place, Run};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Effect, Limits, Operation};
use serde_json::{Map, Value, json};

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"))
}

/// Everything that a tool's body takes, where no other argument could stand in its place.
fn given(tool: &Operation) -> Map<String, Value> {
    let is_alone = |name: &str| !tool.parameters.iter().any(|p| p.or == Some(name));
    let is_sent = |p: &Parameter| {
        p.place == Place::File || p.place == Place::Body && p.or.is_none() && p.excludes.is_none()
    };
    let body = tool.parameters.iter().filter(|p| is_sent(p) && is_alone(p.name));
    let mut given = samples::required(tool);
    given.remove("confirm");
    given.extend(body.map(|p| (p.name.to_owned(), samples::sample(p))));
    given.insert("dry_run".to_owned(), true.into());
    given
}

/// A forge that has an object for every path, and no issues.
fn something(request: &Request) -> Answer {
    if let Some(answer) = looked_up(request) {
        return answer;
    }
    let path = request.target.split('?').next().unwrap();
    if path.ends_with("/issues") || path.ends_with("/issues/search") {
        return Answer::json(200, "[]");
    }
    Answer::json(
        200,
        r#"{"id":7,"name":"x","title":"x","events":["push"],"labels":[{"id":7,"name":"x"}],"state":"open"}"#,
    )
}

/// What is wrong with a request as a plan shows it.
fn fault(tool: &Operation, request: &Value) -> Option<String> {
    let (Some(method), Some(path)) = (request["method"].as_str(), request["path"].as_str()) else {
        return Some("no method or no path".to_owned());
    };
    let is_own = tool
        .calls
        .iter()
        .any(|call| call.method == method && replayed::path_values(call.path, path).is_some());
    let is_scoped = request["scope"].as_array().is_some_and(|scopes| !scopes.is_empty());
    (!is_own || !is_scoped || method == "GET").then(|| request.to_string())
}

/// The labels that there are, for a look-up.
fn looked_up(request: &Request) -> Option<Answer> {
    request.target.contains("/labels?limit=50").then(|| Answer::json(200, r#"[{"id":7,"name":"x"}]"#))
}

/// Its plan is a diff of a file that its edits fit: `tests/files.rs`.
const OF_FILES: [&str; 1] = ["edit_file"];

/// What they read is no read at their path, and named in the inventory.
const NAMED: [&str; 3] = ["edit_user", "merge_pull_request", "set_issue_deadline"];

#[test]
fn a_dry_run_of_any_write_sends_nothing_but_reads_and_tells_method_path_and_scope() {
    let writes =
        || OPERATIONS.iter().filter(|tool| tool.effect != Effect::Read && !OF_FILES.contains(&tool.name));
    let mut faults = Vec::new();
    let mut read = 0;
    block_on(async {
        let forge = Scripted::by(something).await;
        for tool in writes() {
            let outcome = call(&forge, tool, given(tool).into()).await;
            let mut requests = forge.take_requests();
            requests.retain(|request| looked_up(request).is_none());
            if let Some(sent) =
                requests.iter().find(|request| !matches!(request.method.as_str(), "GET" | "HEAD"))
            {
                faults.push(format!("{} sends {}", tool.name, sent.line()));
            }
            let is_plain = matches!(tool.run, Run::Call(_));
            if is_plain && requests.len() > 1 {
                faults.push(format!("{} reads {} times", tool.name, requests.len()));
            }
            let plan = match outcome {
                Ok(forgehand::operations::Outcome::Json(plan)) => plan,
                other => {
                    faults.push(format!("{}: {other:?}", tool.name));
                    continue;
                }
            };
            let shown = plan["requests"].as_array().cloned().unwrap_or_else(|| vec![plan.clone()]);
            faults.extend(
                shown.iter().filter_map(|sent| Some(format!("{}: {}", tool.name, fault(tool, sent)?))),
            );
            if plan["dry_run"] != true || shown.is_empty() {
                faults.push(format!("{}: {plan}", tool.name));
            }
            if let (true, Some(request)) = (is_plain, requests.first()) {
                read += 1;
                let path = request.target.split('?').next().unwrap();
                let is_named = NAMED.contains(&tool.name);
                if !is_named && path.strip_prefix("/api/v1") != plan["path"].as_str() {
                    faults.push(format!("{} reads {path}", tool.name));
                }
            }
        }
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(read > 90 && writes().count() > 200, "only {read} of {} read", writes().count());
}

#[test]
fn a_read_that_fails_leaves_the_plan_and_is_told_in_its_note() {
    let mut faults = Vec::new();
    block_on(async {
        for (status, says) in
            [(403, "could not be read: no"), (404, "there is nothing"), (500, "could not be read: no")]
        {
            let no = move || Answer::json(status, r#"{"message":"no"}"#);
            let forge = Scripted::by(move |request| looked_up(request).unwrap_or_else(no)).await;
            for tool in
                OPERATIONS.iter().filter(|tool| tool.present.is_some() && matches!(tool.run, Run::Call(_)))
            {
                let plan = json(call(&forge, tool, given(tool).into()).await);
                let is_question =
                    plan["note"].as_str().is_some_and(|note| note.contains(" is false as it is"))
                        || plan["changes"]
                            .as_object()
                            .is_some_and(|changes| changes.values().all(|c| c["from"] == false));
                let is_told = plan["note"].as_str().is_some_and(|note| note.contains(says))
                    || (status == 404 && is_question);
                if !is_told || fault(tool, &plan).is_some() {
                    faults.push(format!("{} at {status}: {plan}", tool.name));
                }
            }
        }
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

const ISSUE: &str = r#"{"number":5,"title":"a","body":"text\n","state":"open","labels":[{"id":3,"name":"bug"}],
    "milestone":{"id":9,"title":"v1"},"assignees":[{"login":"Bob"}],"due_date":"2026-03-01T23:59:59Z"}"#;

/// What a tool's plan tells beside the request, where its read finds this.
async fn told(name: &str, more: Value, answer: Answer) -> Value {
    let forge = Scripted::new([answer]).await;
    let mut given = common::rows::place(more);
    given["dry_run"] = true.into();
    let mut plan = json(call(&forge, tool(name), given).await);
    for request in forge.requests() {
        assert_eq!(request.method, "GET", "{name}");
    }
    for own in ["dry_run", "method", "path", "query", "body", "scope"] {
        plan.as_object_mut().unwrap().remove(own);
    }
    plan
}

#[test]
fn a_change_is_told_as_from_and_to_by_kind_and_what_is_so_already_apart() {
    let issue = || Answer::json(200, ISSUE);
    let of = |from: Value, to: Value| json!({ "from": from, "to": to });
    let encoded = || Answer::json(200, r#"{"sha":"95b9","content":"b2xkCg=="}"#);
    let rows = [
        (
            "update_issue",
            json!({"index": 5, "title": "b"}),
            issue(),
            json!({"changes": {"title": of(json!("a"), json!("b"))}}),
        ),
        (
            "update_issue",
            json!({"index": 5, "title": "a", "body": ""}),
            issue(),
            json!({"changes": {"body": of(json!("text\n"), json!(""))}, "unchanged": ["title"]}),
        ),
        (
            "update_issue",
            json!({"index": 5, "assignees": ["bob"], "due_date": "2026-03-01T08:00:00Z", "milestone": 9}),
            issue(),
            json!({"changes": {}, "unchanged": ["assignees", "milestone", "due_date"]}),
        ),
        (
            "update_issue",
            json!({"index": 5, "assignees": ["eve"], "due_date": "2026-03-02", "milestone": 4}),
            issue(),
            json!({"changes": {"assignees": of(json!(["Bob"]), json!(["eve"])),
                "milestone": of(json!({"id": 9, "title": "v1"}), json!(4)),
                "due_date": of(json!("2026-03-01T23:59:59Z"), json!("2026-03-02T00:00:00Z"))}}),
        ),
        (
            "update_issue",
            json!({"index": 5, "milestone": 0, "clear_due_date": true}),
            issue(),
            json!({"changes": {"milestone": of(json!({"id": 9, "title": "v1"}), json!(0)),
                "clear_due_date": of(json!("2026-03-01T23:59:59Z"), json!(true))}}),
        ),
        (
            "issue_state_change",
            json!({"index": 5, "state": "open"}),
            issue(),
            json!({"changes": {}, "unchanged": ["state"]}),
        ),
        (
            "replace_issue_labels",
            json!({"index": 5, "labels": [3]}),
            Answer::json(200, r#"[{"id":3,"name":"bug"},{"id":4,"name":"ui"}]"#),
            json!({"changes": {"labels": of(json!([{"id": 3, "name": "bug"}, {"id": 4, "name": "ui"}]), json!([3]))}}),
        ),
        (
            "add_issue_labels",
            json!({"index": 5, "labels": [4]}),
            Answer::json(200, r#"[{"id":3,"name":"bug"},{"id":4,"name":"ui"}]"#),
            json!({"changes": {}, "unchanged": ["labels"]}),
        ),
        (
            "add_issue_labels",
            json!({"index": 5, "labels": [3, 4]}),
            Answer::json(200, r#"[{"id":3,"name":"bug"}]"#),
            json!({"changes": {"labels": of(json!([{"id": 3, "name": "bug"}]), json!([{"id": 3, "name": "bug"}, 4]))}}),
        ),
        // A text is itself, though as a colour or a length of time it would be the same.
        (
            "edit_repo_variable",
            json!({"variablename": "a", "value": "123"}),
            Answer::json(200, r#"{"name":"A","data":"112233"}"#),
            json!({"changes": {"value": of(json!("112233"), json!("123"))}}),
        ),
        (
            "edit_repo_variable",
            json!({"variablename": "a", "value": "60m"}),
            Answer::json(200, r#"{"name":"A","data":"1h"}"#),
            json!({"changes": {"value": of(json!("1h"), json!("60m"))}}),
        ),
        (
            "set_repo_topics",
            json!({"topics": ["b", "a"]}),
            Answer::json(200, r#"{"topics":["a","b"]}"#),
            json!({"changes": {}, "unchanged": ["topics"]}),
        ),
        // A page that does not hold all tells nothing of all.
        (
            "set_repo_topics",
            json!({"topics": ["a"]}),
            Answer::json(200, r#"{"topics":["a"]}"#).header("X-Total-Count", "2"),
            json!({"changes": {}, "not_compared": ["topics"]}),
        ),
        (
            "edit_repo_hook",
            json!({"id": 3, "events": ["push"]}),
            Answer::json(
                200,
                r#"{"events":["push","issues"],"branch_filter":"*","authorization_header":"s3cr3t"}"#,
            ),
            json!({"changes": {"events": of(json!(["push", "issues"]), json!(["push"]))}}),
        ),
        (
            "edit_repo_variable",
            json!({"variablename": "a", "value": "2"}),
            Answer::json(200, r#"{"name":"A","data":"1"}"#),
            json!({"changes": {"value": of(json!("1"), json!("2"))}}),
        ),
        // What is named in the inventory, where no read is at the write's path.
        (
            "merge_pull_request",
            json!({"index": 7, "style": "merge", "head_commit_id": "a".repeat(40)}),
            Answer::json(200, &json!({"number": 7, "head": {"sha": "b".repeat(40)}}).to_string()),
            json!({"stale": {"head_commit_id": {"given": "a".repeat(40), "there": "b".repeat(40)}},
                "note": "what is expected to be there is not, so that the forge would refuse this"}),
        ),
        (
            "merge_pull_request",
            json!({"index": 7, "style": "merge", "head_commit_id": "a".repeat(40)}),
            Answer::json(200, &json!({"number": 7, "head": {"sha": "a".repeat(40)}}).to_string()),
            json!({}),
        ),
        (
            "set_issue_deadline",
            json!({"index": 5, "due_date": "2032-03-04T00:00:00Z"}),
            Answer::json(200, r#"{"number":5,"due_date":"2031-01-01T23:59:59Z"}"#),
            json!({"changes": {"due_date": of(json!("2031-01-01T23:59:59Z"), json!("2032-03-04T00:00:00Z"))}}),
        ),
        (
            "update_file",
            json!({"path": "a", "content": "new\n", "sha": "95b9"}),
            encoded(),
            json!({"changes": {"content": of(json!("old\n"), json!("new\n"))}}),
        ),
        (
            "update_file",
            json!({"path": "a", "content": "old\n", "sha": "0000"}),
            encoded(),
            json!({"changes": {}, "unchanged": ["content"], "stale": {"sha": {"given": "0000", "there": "95b9"}},
                "note": "what is expected to be there is not, so that the forge would refuse this"}),
        ),
        (
            "update_file",
            json!({"path": "a", "content": "old\n", "sha": "95b9"}),
            Answer::json(200, r#"{"content":"AP8K"}"#),
            json!({"changes": {}, "not_compared": ["content", "sha"]}),
        ),
        (
            "add_repo_collaborator",
            json!({"collaborator": "bob", "permission": "write"}),
            Answer::empty(204),
            json!({"unchanged": ["is_collaborator"], "not_compared": ["permission"]}),
        ),
        (
            "star_repo",
            json!({}),
            Answer::json(404, r#"{"message":"The target couldn't be found."}"#),
            json!({"changes": {"starred": of(json!(false), json!(true))}}),
        ),
        ("create_issue", json!({"title": "t"}), issue(), json!({})),
        (
            "update_issue",
            json!({"index": 5, "title": "b"}),
            Answer::new(200, "text/html", "<html>"),
            json!({"note": "what is there could not be read: the forge answered a web page in place of JSON \
                (GET /repos/acme/widget/issues/5, status 200)"}),
        ),
    ];
    block_on(async {
        for (name, more, answer, expected) in rows {
            let case = format!("{name} {more}");
            assert_eq!(told(name, more, answer).await, expected, "{case}");
        }
    });
}

#[test]
fn a_deletion_shows_what_is_there_as_a_list_does_or_that_there_is_nothing() {
    let gone = || Answer::json(404, r#"{"message":"not found"}"#);
    let rows = [
        (
            "delete_milestone",
            json!({"id": 9}),
            Answer::json(200, r#"{"id":9,"title":"v1","url":"hidden"}"#),
            json!({"deletes": {"id": 9, "title": "v1"}}),
        ),
        (
            "delete_milestone",
            json!({"id": 9}),
            gone(),
            json!({"deletes": null, "note": "there is nothing, or this token may not see it (GET \
                /repos/acme/widget/milestones/9 answered 404)"}),
        ),
        (
            "clear_issue_labels",
            json!({"index": 5}),
            Answer::json(200, r#"[{"id":3,"name":"bug"}]"#),
            json!({"deletes": [{"id": 3, "name": "bug"}]}),
        ),
        (
            "delete_file",
            json!({"path": "a", "sha": "95b9"}),
            Answer::json(200, r#"{"path":"a","sha":"95b9","content":"b2xk"}"#),
            json!({"deletes": {"path": "a", "sha": "95b9"}}),
        ),
        (
            "delete_file",
            json!({"path": "a", "sha": "0000"}),
            Answer::json(200, r#"{"path":"a","sha":"95b9","content":"b2xk"}"#),
            json!({"deletes": {"path": "a", "sha": "95b9"}, "stale": {"sha": {"given": "0000", "there": "95b9"}},
                "note": "what is expected to be there is not, so that the forge would refuse this"}),
        ),
        ("unstar_repo", json!({}), Answer::empty(204), json!({"deletes": {"starred": true}})),
        (
            "unstar_repo",
            json!({}),
            Answer::json(404, r#"{"message":"The target couldn't be found."}"#),
            json!({"deletes": null, "note": "starred is false as it is, or this token may not see it"}),
        ),
        (
            "delete_repo_hook",
            json!({"id": 3}),
            Answer::json(200, r#"{"id":3,"authorization_header":"s3cr3t"}"#),
            json!({"deletes": {"id": 3}}),
        ),
        (
            "delete_repo_label",
            json!({"id": 3, "delete_mode": "force"}),
            Answer::json(200, r#"{"id":3,"name":"bug"}"#),
            json!({"deletes": {"id": 3, "name": "bug"}}),
        ),
        // What would be cancelled is another thing than what the read at its path tells.
        ("cancel_scheduled_merge", json!({"index": 5}), Answer::empty(404), json!({})),
        // A list of all does not tell which one.
        ("remove_issue_reaction", json!({"index": 5, "content": "+1"}), Answer::json(200, "[]"), json!({})),
    ];
    block_on(async {
        for (name, more, answer, expected) in rows {
            let case = format!("{name} {more}");
            assert_eq!(told(name, more, answer).await, expected, "{case}");
        }
    });
}

#[test]
fn of_long_texts_the_part_around_the_first_difference_is_shown_and_the_plan_keeps_its_budget() {
    block_on(async {
        let (old, new) = (
            format!("{}old{}", "x".repeat(500), "y".repeat(500)),
            format!("{}new{}", "x".repeat(500), "z".repeat(9000)),
        );
        let answer = Answer::json(200, &json!({"title": "a", "body": old}).to_string());
        let plan = told("update_issue", json!({"index": 5, "body": new}), answer).await;
        let (x, y, z) = ("x".repeat(40), "y".repeat(157), "z".repeat(157));
        let expected = json!({"from": format!("…{x}old{y}…"), "to": format!("…{x}new{z}…")});
        assert_eq!(plan["changes"]["body"], expected);

        let answer = Answer::json(200, &json!({"title": "a", "body": old}).to_string());
        let plan = told("update_issue", json!({"index": 5, "body": new, "max_bytes": 2000}), answer).await;
        assert_eq!(
            (&plan["truncated"]["body.body"]["total"], &plan["changes"]["body"]),
            (&json!(9503), &expected)
        );
    });
}

#[test]
fn no_plan_repeats_a_secret_of_the_forge_or_the_token() {
    block_on(async {
        let hook = r#"{"id":3,"active":true,"events":["push"],"branch_filter":"*","authorization_header":"Bearer s3cr3t",
            "config":{"secret":"s3cr3t"},"metadata":{"key":"s3cr3t"}}"#;
        let leaks =
            json!({ "message": format!("not with s3cr3t {TOKEN}") }).to_string().replace("s3cr3t ", "");
        for name in ["edit_repo_hook", "delete_repo_hook", "edit_my_oauth2_app", "delete_my_oauth2_app"] {
            let app = json!({"id": 3, "name": "a", "client_secret": "s3cr3t", "redirect_uris": ["x"], "confidential_client": true});
            let found = if name.contains("hook") { hook.to_owned() } else { app.to_string() };
            for answer in [Answer::json(200, &found), Answer::json(403, &leaks)] {
                let forge = Scripted::new([answer]).await;
                let mut more = given(tool(name));
                let header = tool(name).parameters.iter().find(|p| p.name == "authorization_header");
                more.extend(header.map(|p| (p.name.to_owned(), "m1ne".into())));
                let plan = json(call(&forge, tool(name), more.into()).await).to_string();
                for secret in ["s3cr3t", "m1ne", TOKEN] {
                    assert!(!plan.contains(secret), "{name}: {plan}");
                }
            }
        }
    });
}

#[test]
fn a_forge_that_does_not_answer_delays_the_plan_no_longer_than_the_calls_time() {
    block_on(async {
        for answer in [
            Answer::json(200, ISSUE).after(Duration::from_secs(60)),
            Answer::json(200, ISSUE).cut(Cut::StallWithinBody),
        ] {
            let forge = Scripted::new([answer]).await;
            let limits = Limits { timeout: Duration::from_millis(300), ..limits() };
            let given = common::rows::place(json!({"index": 5, "title": "b", "dry_run": true}));
            let plan = json(call_within(&forge, tool("update_issue"), given, &limits).await);
            assert!(
                plan["note"].as_str().unwrap().starts_with("what is there could not be read: "),
                "{plan}"
            );
            assert_eq!(plan["body"], json!({"title": "b"}));
        }
    });
}

#[test]
fn names_stand_for_ids_in_what_is_compared_too() {
    block_on(async {
        let forge = Scripted::by(|request| {
            let is_list = request.target.contains("/milestones");
            Answer::json(200, if is_list { r#"[{"id":9,"title":"v1"}]"# } else { ISSUE })
        })
        .await;
        let given = json!({"index": 5, "milestone": "v1", "dry_run": true});
        let plan = json(call(&forge, tool("update_issue"), common::rows::place(given)).await);
        assert_eq!((&plan["changes"], &plan["unchanged"]), (&json!({}), &json!(["milestone"])));
        let milestone = tool("update_issue").parameters.iter().find(|p| p.name == "milestone").unwrap();
        assert!(matches!(milestone.kind, Kind::Name(_)));
    });
}
