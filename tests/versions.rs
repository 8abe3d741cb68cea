//! Which release an instance is: one that is too old is sent nothing, one that does not tell is called all the same, and an
//! operation that it has not says so: the release that brought it, and the instance's own.

#![allow(missing_docs, reason = "made operations are no public words")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use std::time::{Duration, Instant};

use common::made::{CREATE_ISSUE, GET_ISSUE, INDEX, ISSUE, OWNER, REPO};
use common::scripted::{Answer, Cut, Scripted};
use common::{block_on, call, call_within, forge, json, limits};
use forgehand::forge::Forge;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome, arguments, run};
use serde_json::{Value, json};

operation!(
    GET_NEW,
    Read,
    "GET",
    "/repos/{owner}/{repo}/new/{index}",
    [OWNER, REPO, INDEX],
    forgehand::operations::descriptor::Answer::Item(&ISSUE),
    { since: Some("15.0"), scopes: &["read:issue", "read:user"] }
);
operation!(
    SET_NEW,
    Set,
    "PUT",
    "/repos/{owner}/{repo}/new/{index}",
    [OWNER, REPO, INDEX],
    forgehand::operations::descriptor::Answer::Done { word: "done", instead: &[], note: None },
    { since: Some("15.0"), scopes: &["write:issue"] }
);
operation!(
    IS_NEW,
    Read,
    "GET",
    "/repos/{owner}/{repo}/new/{index}/is",
    [OWNER, REPO, INDEX],
    forgehand::operations::descriptor::Answer::YesNo { word: "is_new", yes: &[204], no: &[404] },
    { since: Some("15.0"), scopes: &[] }
);

const NEITHER: &str = "not there, or not visible to this token";

fn given() -> Value {
    json!({"owner": "acme", "repo": "widget", "index": 1})
}

fn missing() -> Answer {
    Answer::json(404, r#"{"message":"The target couldn't be found."}"#)
}

fn release(text: &str) -> Answer {
    Answer::release(text)
}

fn found() -> Answer {
    Answer::json(200, r#"{"number":1}"#)
}

fn new_issue() -> Value {
    json!({"owner": "acme", "repo": "widget", "title": "t"})
}

/// What tells nothing of a release.
fn untold() -> Vec<Answer> {
    vec![
        release("development"),
        release(""),
        release("1"),
        Answer::json(200, "{}"),
        Answer::json(200, "[]"),
        Answer::json(200, r#"{"version": 1.21}"#),
        Answer::json(200, r#"{"version": null}"#),
        Answer::new(200, "text/html", "<html>Sign in</html>"),
        Answer::new(200, "application/json", " ".repeat(100_000)),
        Answer::json(201, r#"{"version": "1.21.1"}"#),
        Answer::empty(302).header("Location", "/user/login"),
        Answer::json(401, r#"{"message":"no"}"#),
        Answer::json(403, r#"{"message":"no"}"#),
        Answer::empty(404),
        Answer::empty(500),
        Answer::empty(503),
        release("1.21.1").cut(Cut::WithinBody),
        release("1.21.1").cut(Cut::BeforeAnswer),
    ]
}

async fn with(forge: &Forge, operation: &'static Operation, given: Value) -> Result<Outcome, OperationError> {
    run(forge, operation, arguments::object(Some(given)).unwrap(), &limits()).await
}

async fn failing(forge: &Scripted, operation: &'static Operation) -> OperationError {
    call(forge, operation, given()).await.unwrap_err()
}

#[test]
fn an_instance_that_is_too_old_is_named_with_what_is_needed_and_is_sent_nothing() {
    block_on(async {
        for (said, shown) in [
            ("1.24.2", "1.24.2"),
            ("1.25.0+dev-12-g0123abc", "1.25.0"),
            ("1.21.11-0", "1.21.11"),
            ("6.0.1+0-gitea-1.21.1", "6.0.1"),
        ] {
            for (operation, given) in [(&GET_ISSUE, given()), (&CREATE_ISSUE, new_issue())] {
                let scripted = Scripted::new([found()]).await.releases([release(said)]);
                let error = call(&scripted, operation, given).await.unwrap_err();
                assert_eq!((error.code, error.status, error.call), (Code::UnavailableHere, None, None));
                let parts =
                    [&format!("version {shown}: a Gitea, or a Forgejo before 7.0"), "Forgejo 7.0 or newer"];
                for part in parts {
                    assert!(error.message.contains(part), "{}", error.message);
                }
                assert!(error.hint.unwrap().contains("--any-version"));
                assert_eq!(scripted.lines(), ["GET /api/v1/version"]);
            }
        }
    });
}

#[test]
fn an_old_instance_is_called_where_any_version_is_allowed_and_is_not_asked_first() {
    block_on(async {
        let scripted = Scripted::new([found()]).await.releases([release("1.24.2")]);
        let forge = forge(&scripted).any_version(true);
        for forge in [&forge, &forge.with_token(None)] {
            assert_eq!(json(with(forge, &GET_ISSUE, given()).await)["number"], 1);
            json(with(forge, &CREATE_ISSUE, new_issue()).await);
        }
        assert_eq!((scripted.requests().len(), scripted.asked_release()), (4, 0));
    });
}

#[test]
fn an_instance_that_will_do_is_asked_once_for_all_accounts_and_calls() {
    block_on(async {
        for said in ["7.0.0", "7.0.0-dev", "11.0.3+gitea-1.22.0", "15.0.3+gitea-1.22.0", "100.1"] {
            let scripted = Scripted::new([found()]).await.releases([release(said)]);
            let forge = forge(&scripted);
            let accounts = [forge.clone(), forge.with_token(None), forge];
            let calls = (0..60).map(|at| with(&accounts[at % 3], &GET_ISSUE, given()));
            for outcome in futures_util::future::join_all(calls).await {
                assert_eq!(json(outcome)["number"], 1);
            }
            assert_eq!((scripted.requests().len(), scripted.asked_release()), (60, 1), "{said}");
        }
    });
}

#[test]
fn what_is_odd_or_refused_lets_calls_through_and_is_not_asked_again_by_each() {
    block_on(async {
        for answer in untold() {
            let scripted = Scripted::new([found()]).await.releases([answer.clone()]);
            let forge = forge(&scripted);
            for _ in 0..3 {
                assert_eq!(json(with(&forge, &GET_ISSUE, given()).await)["number"], 1, "{answer:?}");
                json(with(&forge, &CREATE_ISSUE, new_issue()).await);
            }
            assert_eq!((scripted.requests().len(), scripted.asked_release()), (6, 1), "{answer:?}");
        }
    });
}

#[test]
fn a_write_waits_until_the_release_is_known() {
    block_on(async {
        let late = |text| release(text).after(Duration::from_millis(300));
        for (said, sent) in [("1.24.2", 0), ("15.0.3", 2)] {
            let scripted = Scripted::new([found()]).await.releases([late(said)]);
            let forge = forge(&scripted);
            let writes = (0..2).map(|_| with(&forge, &CREATE_ISSUE, new_issue()));
            futures_util::future::join_all(writes).await;
            let writes = scripted.lines().iter().filter(|line| line.starts_with("POST")).count();
            assert_eq!((writes, scripted.asked_release()), (sent, 1), "{said}");
        }
    });
}

#[test]
fn a_release_that_does_not_come_leaves_the_call_most_of_its_time() {
    block_on(async {
        let scripted =
            Scripted::new([found()]).await.releases([release("1.24.2").after(Duration::from_secs(60))]);
        let forge = forge(&scripted);
        let limits = Limits { timeout: Duration::from_secs(2), ..limits() };
        let start = Instant::now();
        for _ in 0..4 {
            let given = arguments::object(Some(given())).unwrap();
            assert_eq!(json(run(&forge, &GET_ISSUE, given, &limits).await)["number"], 1);
        }
        assert_eq!(scripted.asked_release(), 1);
        assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    });
}

#[test]
fn what_sends_nothing_asks_for_no_release() {
    block_on(async {
        let scripted = Scripted::agreeable().await.releases([release("1.24.2")]);
        let mut plan = new_issue();
        plan["dry_run"] = json!(true);
        json(call(&scripted, &CREATE_ISSUE, plan).await);
        let error = call(&scripted, &CREATE_ISSUE, json!({"owner": "acme"})).await.unwrap_err();
        assert_eq!((error.code, scripted.asked_release()), (Code::InvalidArguments, 0));
    });
}

#[test]
fn an_older_instance_is_named_with_the_release_that_is_needed() {
    block_on(async {
        for status in [404, 405] {
            for (operation, name) in [(&GET_NEW, "GET_NEW"), (&SET_NEW, "SET_NEW"), (&IS_NEW, "IS_NEW")] {
                let forge =
                    Scripted::new([Answer::empty(status)]).await.releases([release("11.0.3+gitea-1.22.0")]);
                let error = failing(&forge, operation).await;
                assert_eq!((error.code, error.status), (Code::UnavailableHere, Some(status)));
                let hint = format!("{name} exists since Forgejo 15.0; this instance is 11.0.3");
                assert_eq!(error.hint.unwrap(), hint);
                assert_eq!((forge.lines().len(), forge.asked_release()), (1, 1));
            }
        }
    });
}

#[test]
fn an_instance_that_has_it_or_does_not_tell_leaves_the_answer_as_it_is() {
    block_on(async {
        let has_it = ["15.0.3+gitea-1.22.0", "15.0.0-dev-12-0123abc", "16.1.0"].map(release);
        for answer in has_it.into_iter().chain(untold()) {
            let forge = Scripted::new([missing()]).await.releases([answer]);
            let error = failing(&forge, &GET_NEW).await;
            assert_eq!((error.code, error.hint.as_deref()), (Code::NotFound, Some(NEITHER)));
            assert_eq!(error.message, "The target couldn't be found.");
        }
        let forge = Scripted::new([missing()]).await.releases([release("15.0.3")]);
        assert_eq!(json(call(&forge, &IS_NEW, given()).await)["is_new"], json!(false));
    });
}

#[test]
fn only_a_missing_operation_that_came_later_is_a_reason_to_ask_where_any_version_is_allowed() {
    block_on(async {
        let asked = async |status: u16, operation: &'static Operation| {
            let scripted = Scripted::new([Answer::empty(status)]).await.releases([release("11.0.3")]);
            with(&forge(&scripted).any_version(true), operation, given()).await.unwrap_err();
            scripted.asked_release()
        };
        for status in [400, 401, 403, 404, 405, 409, 422, 501] {
            assert_eq!(asked(status, &GET_ISSUE).await, 0, "{status}");
            assert_eq!(asked(status, &GET_NEW).await, usize::from(matches!(status, 404 | 405)), "{status}");
        }
    });
}

#[test]
fn that_one_account_is_not_told_is_no_other_ones_loss() {
    block_on(async {
        let scripted = Scripted::new([missing()]).await.releases([Answer::empty(403), release("11.0.3")]);
        let first = forge(&scripted);
        for (forge, operation, told) in [
            (first.clone(), &GET_ISSUE, false),
            (first.with_token(None), &GET_NEW, true),
            (first, &GET_NEW, true),
        ] {
            let error = with(&forge, operation, given()).await.unwrap_err();
            assert_eq!(error.hint.unwrap().contains("11.0.3"), told);
        }
        assert_eq!((scripted.requests().len(), scripted.asked_release()), (3, 2));
    });
}

#[test]
fn a_version_that_does_not_come_costs_no_more_than_the_calls_own_time() {
    block_on(async {
        let forge =
            Scripted::new([missing()]).await.releases([release("11.0.3").after(Duration::from_secs(30))]);
        let limits = Limits { timeout: Duration::from_millis(600), ..limits() };
        let start = Instant::now();
        let error = call_within(&forge, &GET_NEW, given(), &limits).await.unwrap_err();
        assert_eq!((error.status, error.hint.as_deref()), (Some(404), Some(NEITHER)));
        assert_eq!(error.message, "The target couldn't be found.");
        assert!(start.elapsed() < Duration::from_secs(5));
    });
}

#[test]
fn a_missing_scope_tells_the_others_that_are_needed_too() {
    let says = r#"{"message":"token does not have at least one of required scope(s): [read:user]"}"#;
    block_on(async {
        let forge = Scripted::new([Answer::json(403, says)]).await;
        let error = failing(&forge, &GET_NEW).await;
        assert_eq!((error.code, error.missing_scopes), (Code::MissingScope, vec!["read:user".to_owned()]));
        assert_eq!(error.hint.unwrap(), "GET_NEW needs a token with read:user, read:issue");
    });
}

#[test]
fn a_dry_run_shows_the_scopes() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let mut given = given();
        given["dry_run"] = json!(true);
        let plan = json(call(&forge, &SET_NEW, given).await);
        assert_eq!((&plan["scope"], forge.lines().len()), (&json!(["write:issue"]), 0));
    });
}
