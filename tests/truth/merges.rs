//! What the forge answers to a merge, status by status as it was recorded, and what is said of it.

use forgehand::demo::Recordings;
use forgehand::operations::Code;
use serde_json::{Value, json};

use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, call, json as shown};
use super::tool;

fn given(more: Value) -> Value {
    let mut given = json!({"owner": "acme", "repo": "playground", "index": 7, "style": "merge"});
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    given
}

/// The recorded answer of a scenario.
fn recorded(scenario: &str) -> Answer {
    let recordings = Recordings::embedded().unwrap();
    let (_, exchange) = recordings.scenario(scenario).unwrap();
    let kind = exchange.response.header("content-type").unwrap_or_default();
    Answer::new(exchange.status, kind, exchange.response.bytes().unwrap_or_default())
}

#[test]
fn a_merge_that_was_refused_says_so_and_why_by_status() {
    let rows = [
        (
            recorded("repoMergePullRequest/bad-try-again-later"),
            Code::Conflict,
            "or, if asked to try later, it conflicts",
        ),
        (
            recorded("repoMergePullRequest/bad-conflict"),
            Code::Conflict,
            "the forge says: Please try again later",
        ),
        (
            recorded("repoMergePullRequest/bad-protected"),
            Code::Conflict,
            "Not all required status checks successful",
        ),
        (
            recorded("repoMergePullRequest/auth-no-right"),
            Code::Conflict,
            "the forge says: User not allowed to merge PR",
        ),
        (Answer::empty(405), Code::Conflict, "it is merged already (then without a message)"),
        (Answer::json(409, "{}"), Code::Conflict, "the head has moved on from head_commit_id"),
        (recorded("repoMergePullRequest/bad-already-scheduled"), Code::Conflict, "it is scheduled already"),
        (Answer::json(423, "{}"), Code::Conflict, "the repository is archived or locked"),
        (recorded("repoMergePullRequest/bad-fast-forward-only"), Code::Refused, "take another style"),
    ];
    block_on(async {
        for (answer, code, says) in rows {
            let forge = Scripted::new([answer]).await;
            let error = call(&forge, tool("merge_pull_request"), given(json!({}))).await.unwrap_err();
            assert_eq!(error.code, code, "{error}");
            assert!(error.message.starts_with("it was not merged: "), "{error}");
            assert!(error.message.contains(says), "{error}");
            assert_eq!(forge.lines(), ["POST /api/v1/repos/acme/playground/pulls/7/merge"]);
        }
        for (answer, code) in [
            (recorded("repoMergePullRequest/auth-no-scope"), Code::MissingScope),
            (recorded("repoMergePullRequest/missing"), Code::NotFound),
            (recorded("repoMergePullRequest/bad-style"), Code::Validation),
        ] {
            let forge = Scripted::new([answer]).await;
            let error = call(&forge, tool("merge_pull_request"), given(json!({}))).await.unwrap_err();
            assert_eq!(error.code, code, "{error}");
        }
    });
}

#[test]
fn merged_and_scheduled_are_told_apart() {
    block_on(async {
        for (answer, expected) in [
            (recorded("repoMergePullRequest/ok"), json!({"merged": true, "status": 200})),
            (
                recorded("repoMergePullRequest/ok-scheduled"),
                json!({"merged": false, "scheduled": true, "status": 201}),
            ),
        ] {
            let forge = Scripted::new([answer]).await;
            assert_eq!(shown(call(&forge, tool("merge_pull_request"), given(json!({}))).await), expected);
        }
    });
}

#[test]
fn require_head_without_the_head_is_refused_before_anything_is_sent() {
    block_on(async {
        let forge = Scripted::new([Answer::empty(200)]).await;
        for require in [json!(true), json!("true")] {
            let asked = given(json!({ "require_head": require }));
            let error = call(&forge, tool("merge_pull_request"), asked).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments);
            assert_eq!(
                error.message,
                "argument `head_commit_id` (demanded by `require_head`) is required: expected text, got nothing"
            );
        }
        assert_eq!(forge.lines(), [""; 0]);
        for (more, body) in [
            (
                json!({"require_head": true, "head_commit_id": "abc"}),
                json!({"Do": "merge", "head_commit_id": "abc"}),
            ),
            (json!({"require_head": false}), json!({"Do": "merge"})),
        ] {
            shown(call(&forge, tool("merge_pull_request"), given(more)).await);
            let sent: Value = serde_json::from_str(forge.requests().last().unwrap().text()).unwrap();
            assert_eq!(sent, body);
        }
    });
}
