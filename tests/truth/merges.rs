//! What the forge answers to a merge, status by status as it was recorded, and what is said of it.

use forgehand::demo::Recordings;
use forgehand::operations::Code;
use serde_json::{Value, json};

use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, call, json as shown};
use super::tool;

const SHA: &str = "8f36a1c0d2b4e5f60718293a4b5c6d7e8f901234";

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
        (
            Answer::json(409, "{}"),
            Code::Conflict,
            "merge_commit_id of manually-merged is no commit of the base",
        ),
        (Answer::json(423, "{}"), Code::Conflict, "the repository is archived or locked"),
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
fn a_server_error_of_a_merge_claims_nothing_and_a_403_may_come_after_it() {
    block_on(async {
        let open = [
            recorded("repoMergePullRequest/bad-fast-forward-only"),
            Answer::json(500, r#"{"message": "git: exit status 128", "url": "u"}"#),
        ];
        for answer in open {
            let forge = Scripted::new([answer]).await;
            let error = call(&forge, tool("merge_pull_request"), given(json!({}))).await.unwrap_err();
            assert_eq!(error.code, Code::OutcomeUnknown, "{error}");
            assert!(!error.message.contains("not merged"), "{error}");
            let hint = error.hint.unwrap();
            assert!(hint.starts_with("read the present state before sending it again; perhaps"), "{hint}");
            assert!(hint.contains("fast-forward-only"), "{hint}");
        }
        let forge = Scripted::new([Answer::json(403, r#"{"message": "branch protected"}"#)]).await;
        let error = call(&forge, tool("merge_pull_request"), given(json!({}))).await.unwrap_err();
        assert_eq!(error.code, Code::Forbidden, "{error}");
        assert!(error.message.contains("with delete_branch_after_merge, it was merged"), "{error}");
        let forge = Scripted::new([recorded("repoMergePullRequest/auth-no-scope")]).await;
        let error = call(&forge, tool("merge_pull_request"), given(json!({}))).await.unwrap_err();
        assert!(!error.message.contains("delete_branch_after_merge"), "{error}");
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
            (
                Answer::json(200, r#"{"merged": false}"#),
                json!({"merged": false, "status": 200, "answer": {"merged": false}}),
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
                json!({"require_head": true, "head_commit_id": SHA}),
                json!({"Do": "merge", "head_commit_id": SHA}),
            ),
            (json!({"require_head": false}), json!({"Do": "merge"})),
        ] {
            shown(call(&forge, tool("merge_pull_request"), given(more)).await);
            let sent: Value = serde_json::from_str(forge.requests().last().unwrap().text()).unwrap();
            assert_eq!(sent, body);
        }
    });
}

#[test]
fn a_head_that_is_no_whole_sha_and_a_manual_merge_without_its_commit_are_refused_and_nothing_is_sent() {
    block_on(async {
        let forge = Scripted::new([Answer::empty(200)]).await;
        for (more, words) in [
            (
                json!({"require_head": true, "head_commit_id": ""}),
                "`head_commit_id` (demanded by `require_head`)",
            ),
            (json!({"head_commit_id": ""}), "`head_commit_id`: expected a full commit sha"),
            (json!({"head_commit_id": &SHA[..12]}), "`head_commit_id`: expected a full commit sha"),
            (json!({"head_commit_id": "main"}), "`head_commit_id`: expected a full commit sha"),
            (json!({"style": "manually-merged"}), "`merge_commit_id` (demanded by `style` manually-merged)"),
            (
                json!({"style": "manually-merged", "merge_commit_id": " "}),
                "`merge_commit_id` (demanded by `style` manually-merged)",
            ),
        ] {
            let error = call(&forge, tool("merge_pull_request"), given(more)).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{error}");
            assert!(error.message.contains(words), "{error}");
        }
        assert_eq!(forge.lines(), [""; 0]);
        let manual = json!({"style": "manually-merged", "merge_commit_id": "abc"});
        shown(call(&forge, tool("merge_pull_request"), given(manual)).await);
    });
}
