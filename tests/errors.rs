//! Whatever the forge answers but a success is an error with its status, its own words, the call, and what would help.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{CREATE_ISSUE, GET_ISSUE, IS_MEMBER, LIST_ISSUES, MERGE};
use common::scripted::{Answer, Scripted};
use common::{TOKEN, block_on, call, json};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError};
use serde_json::{Value, json};

const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Sign in</title><style>p{}</style><script>let a = '<p>';</script>\
    </head><body><h1>Sign&nbsp;in</h1><p>Tom &amp; Ada</p></body></html>";

async fn answered(operation: &'static Operation, arguments: Value, answer: Answer) -> OperationError {
    let forge = Scripted::new([answer]).await;
    let error = call(&forge, operation, arguments).await.unwrap_err();
    let shown = format!("{error:?} {error} {}", serde_json::to_string(&error).unwrap());
    assert!(!shown.contains(TOKEN), "the token is shown: {shown}");
    error
}

async fn read(answer: Answer) -> OperationError {
    answered(&GET_ISSUE, json!({"owner": "acme", "repo": "widget", "index": 1}), answer).await
}

async fn write(answer: Answer) -> OperationError {
    answered(&CREATE_ISSUE, json!({"owner": "acme", "repo": "widget", "title": "t"}), answer).await
}

fn envelope(status: u16, message: &str) -> Answer {
    let body = json!({"message": message, "url": "https://forge.example/api/swagger"});
    Answer::json(status, &body.to_string())
}

#[test]
fn every_status_has_its_code_and_keeps_the_forges_words() {
    let cases = [
        (400, Code::Validation),
        (401, Code::Unauthorized),
        (403, Code::Forbidden),
        (404, Code::NotFound),
        (406, Code::Refused),
        (409, Code::Conflict),
        (412, Code::Conflict),
        (413, Code::TooLarge),
        (416, Code::Validation),
        (418, Code::Refused),
        (422, Code::Validation),
        (423, Code::Conflict),
        (429, Code::RateLimited),
        (451, Code::Refused),
        (500, Code::Refused),
        (501, Code::UnavailableHere),
    ];
    block_on(async {
        for (status, code) in cases {
            for error in
                [read(envelope(status, "what it says")).await, write(envelope(status, "what it says")).await]
            {
                assert_eq!((error.code, error.status), (code, Some(status)));
                assert_eq!(error.message, "what it says");
            }
        }
    });
}

#[test]
fn the_call_is_method_and_path_without_query() {
    block_on(async {
        let given = json!({"owner": "acme", "repo": "widget", "labels": ["secret plan"]});
        let error = answered(&LIST_ISSUES, given, envelope(404, "")).await;
        assert_eq!(error.call.unwrap(), "GET /repos/acme/widget/issues");
        assert!(!error.message.contains("secret plan"));
    });
}

#[test]
fn bodies_of_every_form_are_told() {
    let errors =
        r#"{"message":"GetOrgByName","url":"u","errors":["user redirect does not exist [name: x]","b"]}"#;
    let two = r#"{"message":"Repository is not a mirror","url":"u"}
{"id":31,"owner":{"id":11}}"#;
    let topics = r#"{"invalidTopics":["xx"],"message":"Topic names are invalid"}"#;
    let long = format!("<html><body>{}</body></html>", "word ".repeat(40_000));
    let cases = [
        (Answer::json(404, errors), "GetOrgByName: user redirect does not exist [name: x]; b"),
        (
            Answer::json(404, r#"{"message":"","errors":null}"#),
            "the forge answered 404 Not Found without a message",
        ),
        (Answer::json(404, "null"), "the forge answered 404 Not Found without a message"),
        (Answer::json(409, "{}"), "the forge answered 409 Conflict without a message"),
        (Answer::empty(403), "the forge answered 403 Forbidden without a message"),
        (Answer::json(422, two), "Repository is not a mirror"),
        (Answer::json(422, topics), "Topic names are invalid (invalidTopics: [\"xx\"])"),
        (Answer::json(422, r#""just text""#), "just text"),
        (
            Answer::json(404, r#"{"message":"%!s(<nil>)","url":"u"}"#),
            "the forge answered 404 Not Found without a reason, only with \"%!s(<nil>)\"",
        ),
        (Answer::json(404, r#"{"message":"no %!s(<nil>) here"}"#), "no %!s(<nil>) here"),
        (Answer::json(422, r#"{"message":"100%! of it"}"#), "100%! of it"),
        (Answer::new(404, "application/json", format!("{{\"message\":\"not here\"}}\n\n{PAGE}")), "not here"),
        (Answer::new(404, "text/plain", "404 page not found\n"), "404 page not found"),
        (Answer::new(416, "text/plain", b"\xff\xfebad"), "\u{fffd}\u{fffd}bad"),
        (
            Answer::new(500, "text/html", PAGE),
            "500 Internal Server Error with a web page: Sign in Sign&nbsp;in Tom & Ada",
        ),
        (Answer::new(403, "text/plain", PAGE), "403 Forbidden with a web page: Sign in"),
        (Answer::new(500, "text/html", &long), "word word"),
        (Answer::empty(413).header("message", "quota exceeded"), "quota exceeded"),
    ];
    block_on(async {
        for (answer, message) in cases {
            let error = read(answer).await;
            assert!(error.message.contains(message), "expected {message:?}, got {:?}", error.message);
            assert!(error.message.chars().count() < 400, "cut short: {}", error.message.len());
            assert!(error.status.is_some() && error.call.is_some());
        }
    });
}

#[test]
fn a_missing_scope_is_read_out_of_the_forges_text() {
    let says = |scopes: &str| {
        envelope(403, &format!("token does not have at least one of required scope(s): {scopes}"))
    };
    block_on(async {
        let error = read(says("[read:issue]")).await;
        assert_eq!((error.code, &error.missing_scopes), (Code::MissingScope, &vec!["read:issue".to_owned()]));
        assert!(error.message.ends_with("required scope(s): [read:issue]"));
        assert_eq!(error.hint.unwrap(), "GET_ISSUE needs a token with read:issue");
        let error = read(says("[read:issue write:repository]")).await;
        assert_eq!(error.missing_scopes, ["read:issue", "write:repository"]);
        assert_eq!(read(envelope(403, "user is blocked")).await.code, Code::Forbidden);
    });
}

#[test]
fn a_refused_merge_is_never_a_success_and_says_what_it_means() {
    let given = json!({"owner": "acme", "repo": "widget", "index": 7, "style": "squash"});
    block_on(async {
        for (answer, code) in [
            (Answer::empty(405), Code::Conflict),
            (Answer::json(405, r#"{"message":"Please try again later"}"#), Code::Conflict),
            (Answer::json(409, "{}"), Code::Conflict),
            (envelope(423, "archived"), Code::Conflict),
            (envelope(403, "no"), Code::Forbidden),
            (Answer::empty(413), Code::TooLarge),
        ] {
            assert_eq!(answered(&MERGE, given.clone(), answer).await.code, code);
        }
        let error = answered(&MERGE, given.clone(), envelope(405, "Please try again later")).await;
        assert_eq!(error.message, "not allowed in its present state; the forge says: Please try again later");
        let forge = Scripted::new([Answer::empty(200)]).await;
        assert_eq!(json(call(&forge, &MERGE, given).await), json!({"merged": true, "status": 200}));
        assert_eq!(forge.request().text(), r#"{"Do":"squash"}"#);
    });
}

#[test]
fn a_gateways_failure_leaves_a_writes_outcome_open() {
    block_on(async {
        for status in [408, 500, 502, 503, 504, 520, 522, 524, 599] {
            for answer in
                [Answer::new(status, "text/html", "<html>bad gateway</html>"), Answer::empty(status)]
            {
                let error = write(answer).await;
                assert_eq!((error.code, error.status), (Code::OutcomeUnknown, Some(status)));
                assert!(error.hint.unwrap().contains("read the present state"));
            }
        }
        // The forge's own word decides, but for a gateway that waited in vain.
        for (status, code) in [
            (408, Code::OutcomeUnknown),
            (500, Code::Refused),
            (502, Code::OutcomeUnknown),
            (503, Code::Unreachable),
            (524, Code::OutcomeUnknown),
        ] {
            assert_eq!(write(envelope(status, "busy")).await.code, code, "{status}");
        }
        assert_eq!(write(envelope(500, "")).await.code, Code::OutcomeUnknown);
        assert_eq!(write(envelope(500, "%!s(<nil>)")).await.code, Code::Refused);
        assert_eq!(write(Answer::empty(501)).await.code, Code::UnavailableHere);
        for (status, code) in
            [(408, Code::Timeout), (500, Code::Refused), (502, Code::Unreachable), (524, Code::Unreachable)]
        {
            assert_eq!(read(Answer::empty(status)).await.code, code, "{status}");
        }
    });
}

#[test]
fn a_redirected_write_names_the_new_place_and_is_not_sent_there() {
    block_on(async {
        for status in [301, 302, 307, 308] {
            let place = "/api/v1/repos/acme/new/issues?token=x";
            let forge =
                Scripted::new([Answer::empty(status).header("Location", place), Answer::json(201, "{}")])
                    .await;
            let given = json!({"owner": "acme", "repo": "old", "title": "t"});
            let error = call(&forge, &CREATE_ISSUE, given).await.unwrap_err();
            assert_eq!((error.code, error.status), (Code::Refused, Some(status)));
            assert!(error.message.contains("/api/v1/repos/acme/new/issues"), "{}", error.message);
            assert!(!error.message.contains("token=x"), "{}", error.message);
            assert_eq!(forge.requests().len(), 1);
        }
        assert_eq!(write(Answer::empty(304)).await.code, Code::Refused);
        assert_eq!(write(Answer::empty(303).header("Location", "/x")).await.code, Code::Refused);
    });
}

#[test]
fn no_secret_that_an_answer_repeats_is_shown() {
    block_on(async {
        for place in
            ["https://ana:hunter2@other.example/x?key=hunter2", "//ana:hunter2@other.example/x#hunter2"]
        {
            let error = write(Answer::empty(303).header("Location", place)).await;
            assert!(error.message.ends_with("it points to https://other.example/x"), "{}", error.message);
        }
        for body in [envelope(403, &format!("got token {TOKEN}")), Answer::new(502, "text/html", TOKEN)] {
            let error = write(body).await;
            assert!(error.message.contains("[token]") && !error.message.contains(TOKEN), "{}", error.message);
        }
    });
}

#[test]
fn a_rate_limited_write_tells_the_seconds_and_is_not_sent_again() {
    block_on(async {
        let forge = Scripted::new([Answer::empty(429).header("Retry-After", "3")]).await;
        let given = json!({"owner": "acme", "repo": "widget", "title": "t"});
        let error = call(&forge, &CREATE_ISSUE, given).await.unwrap_err();
        assert_eq!((error.code, error.retry_after_seconds), (Code::RateLimited, Some(3)));
        assert_eq!(forge.requests().len(), 1);
    });
}

#[test]
fn what_a_demo_lacks_is_unavailable_here_and_offers_a_dry_run_of_writes() {
    block_on(async {
        let miss = || envelope(501, "not recorded").header("x-not-recorded", "GET /x");
        let error = write(miss()).await;
        assert_eq!(error.code, Code::UnavailableHere);
        assert!(error.hint.unwrap().contains("dry_run: true"));
        assert!(!read(miss()).await.hint.unwrap().contains("dry_run"));
    });
}

#[test]
fn a_web_page_in_place_of_json_says_so() {
    block_on(async {
        let error = read(Answer::new(200, "text/html; charset=utf-8", PAGE)).await;
        assert_eq!((error.code, error.status), (Code::Refused, Some(200)));
        assert!(error.message.starts_with("the forge answered a web page in place of JSON: Sign in"));
        let error = read(Answer::json(200, r#"{"number": 1, "title": "#)).await;
        assert!(
            error.message.contains("no valid JSON") && error.message.contains("\"number\": 1"),
            "{}",
            error.message
        );
    });
}

#[test]
fn a_write_that_succeeded_stays_a_success_whatever_its_body() {
    let given = || json!({"owner": "acme", "repo": "widget", "title": "t"});
    block_on(async {
        for (answer, note) in [
            (Answer::json(201, "{\"number\":"), "no JSON"),
            (
                Answer::json(201, "{\"number\": 1, \"title\": \"long\"}")
                    .cut(common::scripted::Cut::WithinBody),
                "broke off",
            ),
        ] {
            let forge = Scripted::new([answer]).await;
            let outcome = json(call(&forge, &CREATE_ISSUE, given()).await);
            assert_eq!((&outcome["done"], &outcome["status"]), (&json!(true), &json!(201)));
            assert!(outcome["note"].as_str().unwrap().contains(note), "{outcome}");
            assert_eq!(forge.requests().len(), 1);
        }
    });
}

#[test]
fn a_web_page_in_answer_to_a_write_leaves_its_outcome_open() {
    let place = json!({"owner": "acme", "repo": "widget", "title": "t"});
    let merge = json!({"owner": "acme", "repo": "widget", "index": 7, "style": "squash"});
    block_on(async {
        for (operation, given) in [(&CREATE_ISSUE, &place), (&MERGE, &merge)] {
            for (status, media_type) in [(200, "text/html"), (201, "text/html"), (200, "application/json")] {
                let error = answered(operation, given.clone(), Answer::new(status, media_type, PAGE)).await;
                assert_eq!((error.code, error.status), (Code::OutcomeUnknown, Some(status)));
                assert!(error.message.contains("a web page in place of JSON: Sign in"), "{}", error.message);
                assert!(error.hint.unwrap().contains("read the present state"));
            }
        }
    });
}

#[test]
fn a_long_message_is_cut() {
    let long = "word ".repeat(6000);
    block_on(async {
        for body in [json!({"message": long}), json!({"message": "m", "errors": [long, long]})] {
            let error = read(Answer::json(422, &body.to_string())).await;
            let length = error.message.chars().count();
            assert!((1900..2100).contains(&length), "{length}");
            assert!(error.message.ends_with('…'));
        }
    });
}

#[test]
fn yes_and_no_come_from_the_status_of_the_forges_own_answer_and_an_open_404_stays_open() {
    let given = || json!({"org": "acme", "username": "bob"});
    block_on(async {
        let asked = |is: bool| json!({"is_member": is, "org": "acme", "username": "bob"});
        let forge = Scripted::new([Answer::empty(204)]).await;
        assert_eq!(json(call(&forge, &IS_MEMBER, given()).await), asked(true));
        let forge = Scripted::new([envelope(404, "")]).await;
        let answer = json(call(&forge, &IS_MEMBER, given()).await);
        assert_eq!(answer["is_member"], json!(false));
        assert!(answer["note"].as_str().unwrap().contains("not there or not visible"));
        assert_eq!(answered(&IS_MEMBER, given(), envelope(401, "")).await.code, Code::Unauthorized);
        for answer in [Answer::json(200, "{}"), Answer::new(200, "text/html", PAGE), Answer::empty(202)] {
            let error = answered(&IS_MEMBER, given(), answer).await;
            assert_eq!(error.code, Code::Refused);
            assert!(error.message.contains("neither yes nor no"), "{}", error.message);
        }

        let place = "/api/v1/orgs/acme/public_members/bob";
        let forge = Scripted::new([Answer::empty(303).header("Location", place), Answer::empty(204)]).await;
        let answer = json(call(&forge, &IS_MEMBER, given()).await);
        assert_eq!(
            (&answer["is_member"], &answer["note"]),
            (&json!(true), &json!("only public membership is visible to this token"))
        );
        assert_eq!(forge.lines()[1], format!("GET {place}"));
        let away = Answer::empty(303).header("Location", "https://other.example/api/v1/x");
        assert_eq!(answered(&IS_MEMBER, given(), away).await.code, Code::Refused);
    });
}

#[test]
fn a_body_that_cannot_be_left_out_is_asked_for_by_the_arguments_it_is_made_of_and_nothing_is_sent() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let operation = OPERATIONS.iter().find(|o| o.name == "create_release_attachment").unwrap();
        let arguments = json!({"owner": "acme", "repo": "widget", "release_id": 1});
        let error = call(&forge, operation, arguments).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        assert_eq!(error.message, "the request's body: is empty; expected a file or a field");
        assert_eq!(
            error.hint.as_deref(),
            Some("it is made of the arguments `content`, `text`, `external_url`")
        );
        assert!(forge.requests().is_empty());
    });
}
