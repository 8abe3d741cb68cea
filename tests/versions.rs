//! An operation that an older instance has not says so: the release that brought it, and the instance's own.

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

use common::made::{GET_ISSUE, INDEX, ISSUE, OWNER, REPO};
use common::scripted::{Answer, Cut, Scripted};
use common::{block_on, call, call_within, forge, json, limits};
use forgehand::operations::{Code, Limits, Operation, OperationError, arguments, run};
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

fn version(text: &str) -> Answer {
    Answer::json(200, &json!({ "version": text }).to_string())
}

async fn failing(forge: &Scripted, operation: &'static Operation) -> OperationError {
    call(forge, operation, given()).await.unwrap_err()
}

#[test]
fn an_older_instance_is_named_with_the_release_that_is_needed() {
    block_on(async {
        for status in [404, 405] {
            for (operation, name) in [(&GET_NEW, "GET_NEW"), (&SET_NEW, "SET_NEW"), (&IS_NEW, "IS_NEW")] {
                let forge = Scripted::new([Answer::empty(status), version("11.0.3+gitea-1.22.0")]).await;
                let error = failing(&forge, operation).await;
                assert_eq!((error.code, error.status), (Code::UnavailableHere, Some(status)));
                let hint = format!("{name} exists since Forgejo 15.0; this instance is 11.0.3");
                assert_eq!(error.hint.unwrap(), hint);
                assert_eq!(forge.lines().len(), 2);
                assert_eq!(forge.lines()[1], "GET /api/v1/version");
            }
        }
    });
}

#[test]
fn an_instance_that_has_it_or_does_not_tell_leaves_the_answer_as_it_is() {
    block_on(async {
        for answer in [
            version("15.0.3+gitea-1.22.0"),
            version("15.0.0-dev-12-0123abc"),
            version("16.1.0"),
            version("development"),
            version(""),
            Answer::json(200, "{}"),
            Answer::json(200, "[]"),
            Answer::json(200, r#"{"version": 11.0}"#),
            Answer::new(200, "text/html", "<html>Sign in</html>"),
            Answer::new(200, "application/json", " ".repeat(100_000)),
            Answer::json(403, r#"{"message":"no"}"#),
            Answer::empty(404),
            Answer::empty(500),
            version("11.0.3").cut(Cut::WithinBody),
            version("11.0.3").cut(Cut::BeforeAnswer),
        ] {
            let forge = Scripted::new([missing(), answer]).await;
            let error = failing(&forge, &GET_NEW).await;
            assert_eq!((error.code, error.hint.as_deref()), (Code::NotFound, Some(NEITHER)));
            assert_eq!(error.message, "The target couldn't be found.");
        }
        let forge = Scripted::new([missing(), version("15.0.3")]).await;
        assert_eq!(json(call(&forge, &IS_NEW, given()).await)["is_new"], json!(false));
    });
}

#[test]
fn only_a_missing_operation_that_came_later_is_a_reason_to_ask() {
    block_on(async {
        let forge = Scripted::new([missing()]).await;
        assert_eq!(failing(&forge, &GET_ISSUE).await.hint.unwrap(), NEITHER);
        assert_eq!(forge.lines().len(), 1);
        for status in [400, 401, 403, 409, 422, 501] {
            let forge = Scripted::new([Answer::empty(status), version("11.0.3")]).await;
            failing(&forge, &GET_NEW).await;
            assert_eq!(forge.lines().len(), 1, "{status}");
        }
    });
}

#[test]
fn the_version_is_asked_once_for_all_accounts_and_a_refusal_is_nobody_elses() {
    block_on(async {
        let refused = [missing(), Answer::empty(403), missing(), version("11.0.3"), missing()];
        for (script, told, asked) in [
            (vec![missing(), version("11.0.3"), missing()], [true, true, true], 1),
            (refused.to_vec(), [false, true, true], 2),
        ] {
            let scripted = Scripted::new(script).await;
            let forge = forge(&scripted);
            for (forge, told) in [forge.clone(), forge.with_token(None), forge.clone()].iter().zip(told) {
                let given = arguments::object(Some(given())).unwrap();
                let error = run(forge, &GET_NEW, given, &limits()).await.unwrap_err();
                assert_eq!(error.hint.unwrap().contains("11.0.3"), told);
            }
            let versions = scripted.lines().iter().filter(|line| line.ends_with("/version")).count();
            assert_eq!((versions, scripted.lines().len()), (asked, 3 + asked));
        }
    });
}

#[test]
fn a_version_that_does_not_come_costs_no_more_than_the_calls_own_time() {
    block_on(async {
        let forge = Scripted::new([missing(), version("11.0.3").after(Duration::from_secs(30))]).await;
        let limits = Limits { timeout: Duration::from_millis(300), ..limits() };
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
