//! Answers that say by their status, or by a bare value, what came of a call.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{INDEX, ISSUE, OWNER, REPO, parameter, required};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::Code;
use forgehand::operations::descriptor::{Answer as Reads, Kind, Place};
use serde_json::{Value, json};

operation!(
    WAIT_FOR,
    Set,
    "POST",
    "/repos/{owner}/{repo}/issues/{index}/dependencies",
    [OWNER, REPO, INDEX],
    Reads::Item(&ISSUE),
    { statuses: &[(500, "it waits for that one already"), (502, "it may be busy")] }
);
operation!(
    EDIT_COMMENT,
    Change,
    "PATCH",
    "/repos/{owner}/{repo}/issues/comments/{index}",
    [OWNER, REPO, INDEX, parameter("body", Place::Body, Kind::Text)],
    Reads::Item(&ISSUE),
    { statuses: &[(204, "this is an event, not a comment")] }
);
operation!(
    GET_COMMENT,
    Read,
    "GET",
    "/repos/{owner}/{repo}/issues/comments/{index}",
    [OWNER, REPO, INDEX],
    Reads::Item(&ISSUE),
    { statuses: &[(204, "this is an event, not a comment")] }
);
operation!(
    CHECK_QUOTA,
    Read,
    "GET",
    "/user/quota/check",
    [required(parameter("subject", Place::Query, Kind::Text))],
    Reads::Value { word: "within_quota" }
);
operation!(SET_LEVEL, Set, "POST", "/level", [], Reads::Value { word: "level" });
operation!(
    TRANSFER,
    Destroy,
    "POST",
    "/repos/{owner}/{repo}/transfer",
    [OWNER, REPO, required(parameter("new_owner", Place::Body, Kind::Text))],
    Reads::Moved { shape: &ISSUE, word: "transferred", to: "new_owner" }
);

fn place() -> Value {
    json!({"owner": "acme", "repo": "widget", "index": 6})
}

fn nothing_said(status: u16) -> Answer {
    Answer::json(status, r#"{"message":"","url":"https://forge.example/api/swagger"}"#)
}

#[test]
fn an_empty_500_that_the_row_explains_is_a_refusal_and_leaves_nothing_open() {
    block_on(async {
        let forge = Scripted::new([nothing_said(500)]).await;
        let error = call(&forge, &WAIT_FOR, place()).await.unwrap_err();
        assert_eq!((error.code, error.status), (Code::Refused, Some(500)));
        assert_eq!(
            error.message,
            "it waits for that one already (the forge answered 500 Internal Server Error without a message)"
        );
        assert_eq!(error.hint, None);
        assert_eq!(forge.request().line(), "POST /api/v1/repos/acme/widget/issues/6/dependencies");
        // What may be a gateway's answer stays open, whatever the row says.
        for answer in [
            Answer::empty(500),
            Answer::new(500, "text/html", "<html>Internal server error</html>"),
            nothing_said(502),
            nothing_said(503),
        ] {
            let forge = Scripted::new([answer]).await;
            let error = call(&forge, &WAIT_FOR, place()).await.unwrap_err();
            assert_eq!(error.code, Code::OutcomeUnknown, "{error:?}");
        }
    });
}

#[test]
fn a_success_that_the_row_explains_as_nothing_done_is_none() {
    block_on(async {
        for (operation, code, line) in [
            (&EDIT_COMMENT, Code::Refused, "PATCH /api/v1/repos/acme/widget/issues/comments/6"),
            (&GET_COMMENT, Code::NotFound, "GET /api/v1/repos/acme/widget/issues/comments/6"),
        ] {
            let forge = Scripted::new([Answer::empty(204)]).await;
            let mut given = place();
            if code == Code::Refused {
                given["body"] = json!("text");
            }
            let error = call(&forge, operation, given.clone()).await.unwrap_err();
            assert_eq!((error.code, error.status), (code, Some(204)));
            assert_eq!(error.message, "this is an event, not a comment (the forge answered 204 No Content)");
            assert_eq!(error.call.unwrap(), line.replace("/api/v1", ""));
            assert_eq!(forge.request().line(), line);
            let forge = Scripted::new([Answer::json(200, r#"{"number": 6, "body": "text"}"#)]).await;
            let shown = json(call(&forge, operation, given).await);
            assert_eq!(shown, json!({"number": 6, "body": "text"}));
        }
    });
}

#[test]
fn a_bare_value_stands_under_its_name() {
    let asked = || json!({"subject": "size:repos:all"});
    block_on(async {
        for (body, value) in [
            ("true", json!(true)),
            ("false\n", json!(false)),
            ("0", json!(0)),
            ("1.5", json!(1.5)),
            (r#""""#, json!("")),
            (r#""1970-01-01T00:00:00Z""#, json!("1970-01-01T00:00:00Z")),
        ] {
            let forge = Scripted::new([Answer::json(200, body)]).await;
            let shown = json(call(&forge, &CHECK_QUOTA, asked()).await);
            assert_eq!(shown, json!({"within_quota": value}));
            assert_eq!(forge.request().line(), "GET /api/v1/user/quota/check?subject=size%3Arepos%3Aall");
        }
        for body in ["null", "[true]", r#"{"within": true}"#] {
            let forge = Scripted::new([Answer::json(200, body)]).await;
            let shown = json(call(&forge, &CHECK_QUOTA, asked()).await);
            let whole: Value = serde_json::from_str(body).unwrap();
            assert_eq!((&shown["answer"], shown.get("within_quota")), (&whole, None));
            assert!(shown["note"].as_str().unwrap().contains("not in the form"));
        }
        let forge = Scripted::new([Answer::empty(200)]).await;
        assert_eq!(call(&forge, &CHECK_QUOTA, asked()).await.unwrap_err().code, Code::Refused);
        // A write that answers nothing, or no JSON, is done all the same.
        for (answer, note) in [(Answer::empty(204), None), (Answer::json(200, "{"), Some("no JSON"))] {
            let forge = Scripted::new([answer]).await;
            let shown = json(call(&forge, &SET_LEVEL, json!({})).await);
            assert_eq!(shown["done"], json!(true));
            assert_eq!(
                shown["note"].as_str().is_some_and(|said| said.contains(note.unwrap())),
                note.is_some()
            );
        }
        let long = "x".repeat(1000);
        let forge = Scripted::new([Answer::json(200, &json!(long).to_string())]).await;
        let mut asked = asked();
        asked["max_bytes"] = json!(400);
        let shown = json(call(&forge, &CHECK_QUOTA, asked).await);
        assert!(shown.to_string().len() <= 400 && shown["truncated"]["within_quota"]["total"] == json!(1000));
    });
}

fn transfer(new_owner: &str) -> Value {
    json!({"owner": "acme", "repo": "widget", "new_owner": new_owner, "confirm": true})
}

#[test]
fn a_redirect_to_the_owner_that_was_asked_for_tells_that_the_move_was_done() {
    block_on(async {
        let moved = json!({"transferred": true, "full_name": "quiet/widget", "status": 301});
        for new_owner in ["quiet", "Quiet"] {
            let answer = Answer::empty(301).header("Location", "/api/v1/repos/quiet/widget/transfer");
            let forge = Scripted::new([answer]).await;
            assert_eq!(json(call(&forge, &TRANSFER, transfer(new_owner)).await), moved);
            let request = forge.request();
            assert_eq!(request.line(), "POST /api/v1/repos/acme/widget/transfer");
            assert_eq!(request.text(), format!(r#"{{"new_owner":"{new_owner}"}}"#));
        }
        // What waits for the new owner's word is shown as it is.
        let forge = Scripted::new([Answer::json(201, r#"{"number": 28}"#)]).await;
        assert_eq!(json(call(&forge, &TRANSFER, transfer("carol")).await), json!({"number": 28}));
    });
}

#[test]
fn a_redirect_that_tells_of_no_such_move_stays_refused() {
    block_on(async {
        for (status, new_owner, place) in [
            // An old name of the repository: nothing was done.
            (301, "carol", "/api/v1/repos/quiet/widget/transfer"),
            (307, "quiet", "/api/v1/repos/quiet/widget/transfer"),
            (301, "quiet", "https://other.example/api/v1/repos/quiet/widget/transfer"),
            (301, "quiet", "/repos/quiet/widget"),
            (301, "quiet", "/api/v1/orgs/quiet/widget"),
            (301, "quiet", "/api/v1/repos/quiet"),
            (301, "quiet", "/api/v1/repos/quiet/"),
            (301, "..", "/api/v1/repos/%2e%2e/x%2fy"),
            (301, "quiet", "/api/v1/repos/quiet/a%2Fb"),
        ] {
            let forge = Scripted::new([Answer::empty(status).header("Location", place)]).await;
            let error = call(&forge, &TRANSFER, transfer(new_owner)).await.unwrap_err();
            assert_eq!((error.code, error.status), (Code::Refused, Some(status)), "{place}");
            assert_eq!(forge.requests().len(), 1);
        }
        let forge = Scripted::new([Answer::empty(301)]).await;
        assert_eq!(call(&forge, &TRANSFER, transfer("quiet")).await.unwrap_err().code, Code::Refused);
    });
}
