//! What goes over the wire besides the call itself: credentials, redirects, retries, deadlines, and who gets none of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use std::time::{Duration, Instant};

use common::made::{CREATE_ISSUE, DELETE_REPO, GET_ISSUE, MERGE};
use common::scripted::{Answer, Cut, Scripted};
use common::{TOKEN, block_on, call, call_within, forge, forge_at, json, limits};
use forgehand::forge::{Forge, ForgeError, Token};
use forgehand::operations::{Code, Limits, run};
use forgehand_client::{BaseUrl, Call, Raw};
use http::Method;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

fn issue() -> Value {
    json!({"owner": "acme", "repo": "widget", "index": 1})
}

fn new_issue() -> Value {
    json!({"owner": "acme", "repo": "widget", "title": "t"})
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn probe() -> Call<Raw> {
    Call::new("getNodeInfo", Method::GET, "/nodeinfo".to_owned())
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

#[test]
fn a_call_carries_token_agent_and_gzip() {
    block_on(async {
        let scripted = Scripted::agreeable().await;
        forge(&scripted).send(&probe(), true, soon()).await.unwrap();
        let request = scripted.request();
        assert_eq!(request.line(), "GET /api/v1/nodeinfo");
        assert_eq!(request.header("authorization").unwrap(), format!("token {TOKEN}"));
        assert_eq!(request.header("user-agent").unwrap(), concat!("forgehand/", env!("CARGO_PKG_VERSION")));
        assert_eq!(request.header("accept-encoding").unwrap(), "gzip");
        let other = forge(&scripted).with_token(None);
        other.send(&probe(), true, soon()).await.unwrap();
        assert_eq!(scripted.requests()[1].header("authorization"), None);
    });
}

#[test]
fn every_spelling_of_the_address_gives_the_same_target() {
    block_on(async {
        for ending in ["/git", "/git/", "/git/api/v1", "/git/api/v1/"] {
            let scripted = Scripted::agreeable().await;
            forge_at(&format!("{}{ending}", scripted.base())).send(&probe(), true, soon()).await.unwrap();
            assert_eq!(scripted.request().line(), "GET /git/api/v1/nodeinfo");
        }
    });
}

#[test]
fn one_connection_serves_calls_in_turn() {
    block_on(async {
        let scripted = Scripted::agreeable().await;
        let forge = forge(&scripted);
        for _ in 0..3 {
            forge.send(&probe(), true, soon()).await.unwrap().bytes(100).await.unwrap();
        }
        assert_eq!(scripted.requests().len(), 3);
        assert_eq!(scripted.connections(), 1);
    });
}

#[test]
fn redirects_of_reads_are_followed_within_the_instance_three_times() {
    let to = |place: &str| Answer::empty(301).header("Location", place);
    block_on(async {
        let scripted =
            Scripted::new([to("/api/v1/repos/acme/new/issues/1"), Answer::json(200, r#"{"number":1}"#)])
                .await;
        assert_eq!(json(call(&scripted, &GET_ISSUE, issue()).await), json!({"number": 1}));
        let requests = scripted.requests();
        assert_eq!(requests[1].line(), "GET /api/v1/repos/acme/new/issues/1");
        assert_eq!(requests[1].header("authorization").unwrap(), format!("token {TOKEN}"));

        let scripted = Scripted::new([to("/api/v1/again")]).await;
        let error = call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
        assert_eq!((error.code, error.status), (Code::Refused, Some(301)));
        assert_eq!(scripted.requests().len(), 4, "the call and three redirects");
    });
}

#[test]
fn a_token_never_leaves_the_instance() {
    block_on(async {
        let other = Scripted::agreeable().await;
        let place = |base: &str| format!("{}/api/v1/x", base.replace("127.0.0.1", "localhost"));
        for place in [place(&other.base()), other.base(), "//other.example/x".to_owned()] {
            let scripted = Scripted::new([Answer::empty(302).header("Location", &place)]).await;
            let error = call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
            assert_eq!(error.code, Code::Refused);
            assert_eq!(scripted.requests().len(), 1);
        }
        assert_eq!(other.lines(), Vec::<String>::new());

        // Beside the instance's sub-path lives something else, on the same origin.
        let scripted = Scripted::new([Answer::empty(302).header("Location", "/gitlab/api/v1/x")]).await;
        let forge = forge_at(&format!("{}/git", scripted.base()));
        let error = forge.send(&probe(), true, soon()).await.unwrap_err();
        assert!(matches!(error, ForgeError::Redirected { .. }));
        assert_eq!(scripted.requests().len(), 1);

        let scripted =
            Scripted::new([Answer::empty(302).header("Location", "https://ana:pw@x.example/a?key=1#f")])
                .await;
        let error = call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
        assert!(error.message.contains("https://x.example/a"), "{}", error.message);
        assert!(!error.message.contains("pw") && !error.message.contains("key"), "{}", error.message);
    });
}

#[test]
fn a_303_is_an_answer() {
    block_on(async {
        let scripted = Scripted::new([Answer::empty(303).header("Location", "/api/v1/x")]).await;
        assert_eq!(forge(&scripted).send(&probe(), true, soon()).await.unwrap().status(), 303);
        assert_eq!(scripted.requests().len(), 1);
    });
}

#[test]
fn reads_are_tried_three_times_and_writes_once() {
    let good = || Answer::json(200, r#"{"number":1}"#);
    let failures = [
        Answer::empty(502),
        Answer::empty(503),
        Answer::empty(504),
        Answer::empty(503).header("Retry-After", "0"),
        Answer::empty(429).header("Retry-After", "0"),
        Answer::empty(200).cut(Cut::BeforeAnswer),
    ];
    block_on(async {
        for failure in failures {
            let scripted = Scripted::new([failure.clone(), failure.clone(), good()]).await;
            assert_eq!(json(call(&scripted, &GET_ISSUE, issue()).await), json!({"number": 1}));
            assert_eq!(scripted.requests().len(), 3);

            let scripted = Scripted::new([failure.clone()]).await;
            call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
            assert_eq!(scripted.requests().len(), 3, "for {failure:?}");

            let scripted = Scripted::new([failure.clone(), good()]).await;
            call(&scripted, &CREATE_ISSUE, new_issue()).await.unwrap_err();
            assert_eq!(scripted.requests().len(), 1, "for {failure:?}");
        }
    });
}

#[test]
fn a_wait_of_nothing_is_a_pause_all_the_same() {
    block_on(async {
        for status in [429, 502, 503] {
            let scripted = Scripted::new([Answer::empty(status).header("Retry-After", "0")]).await;
            let began = Instant::now();
            call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
            assert_eq!(scripted.requests().len(), 3);
            assert!(began.elapsed() >= Duration::from_millis(300), "{status}: {:?}", began.elapsed());
        }
    });
}

#[test]
fn the_wait_that_a_gateway_asks_for_is_told_whatever_its_status() {
    block_on(async {
        for status in [429, 502, 503, 504] {
            let scripted = Scripted::new([Answer::empty(status).header("Retry-After", "600")]).await;
            for operation in [&GET_ISSUE, &CREATE_ISSUE] {
                let given = if operation.name == CREATE_ISSUE.name { new_issue() } else { issue() };
                let error = call(&scripted, operation, given).await.unwrap_err();
                assert_eq!(error.retry_after_seconds, Some(600), "{status} {error:?}");
            }
        }
    });
}

#[test]
fn other_failures_are_answers_and_not_retried() {
    block_on(async {
        for answer in [Answer::empty(500), Answer::empty(429), Answer::empty(404), Answer::empty(501)] {
            let scripted = Scripted::new([answer]).await;
            call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
            assert_eq!(scripted.requests().len(), 1);
        }
    });
}

#[test]
fn a_wait_beyond_the_time_left_is_told_and_not_waited_for() {
    block_on(async {
        let began = Instant::now();
        for (answer, seconds) in
            [("600", 600), ("18446744073709551615", u64::MAX), ("Fri, 31 Dec 1999 23:59:59 GMT", 0)]
        {
            let scripted = Scripted::new([Answer::empty(429).header("Retry-After", answer)]).await;
            let error = call(&scripted, &GET_ISSUE, issue()).await.unwrap_err();
            assert_eq!((error.code, error.retry_after_seconds), (Code::RateLimited, Some(seconds)));
        }
        assert!(began.elapsed() < Duration::from_secs(5));
    });
}

#[test]
fn a_write_that_was_sent_and_not_answered_is_outcome_unknown() {
    block_on(async {
        let scripted = Scripted::new([Answer::empty(201).cut(Cut::BeforeAnswer)]).await;
        let error = call(&scripted, &CREATE_ISSUE, new_issue()).await.unwrap_err();
        assert_eq!(error.code, Code::OutcomeUnknown);
        assert_eq!(error.call.unwrap(), "POST /repos/acme/widget/issues");
    });
}

#[test]
fn a_connection_never_made_is_unreachable_even_for_a_write() {
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        for operation in [&GET_ISSUE, &CREATE_ISSUE] {
            let given = if std::ptr::eq(operation, &GET_ISSUE) { issue() } else { new_issue() };
            let error = run(&forge_at(&base), operation, object(given), &limits()).await.unwrap_err();
            assert_eq!(error.code, Code::Unreachable);
            assert!(error.message.contains("onnection refused"), "{}", error.message);
            assert_eq!(error.status, None);
        }
    });
}

#[test]
fn the_deadline_holds_for_the_answer_and_for_its_body() {
    let limits = Limits { timeout: Duration::from_millis(200), ..Limits::default() };
    block_on(async {
        let late = || Answer::json(200, "{}").after(Duration::from_secs(60));
        let scripted = Scripted::new([late()]).await;
        let error = call_within(&scripted, &GET_ISSUE, issue(), &limits).await.unwrap_err();
        assert_eq!(error.code, Code::Timeout);
        let scripted = Scripted::new([late()]).await;
        let error = call_within(&scripted, &CREATE_ISSUE, new_issue(), &limits).await.unwrap_err();
        assert_eq!(error.code, Code::OutcomeUnknown);
        let endless = Limits { timeout: Duration::MAX, ..Limits::default() };
        json(call_within(&Scripted::agreeable().await, &GET_ISSUE, issue(), &endless).await);
        let scripted = Scripted::new([Answer::json(200, r#"{"number": 1}"#).cut(Cut::StallWithinBody)]).await;
        let error = call_within(&scripted, &GET_ISSUE, issue(), &limits).await.unwrap_err();
        assert_eq!(error.code, Code::Timeout);
    });
}

#[test]
fn dropping_a_call_drops_the_connection() {
    block_on(async {
        let scripted = Scripted::new([Answer::json(200, "{}").after(Duration::from_secs(60))]).await;
        let pending = call(&scripted, &GET_ISSUE, issue());
        assert!(tokio::time::timeout(Duration::from_millis(200), pending).await.is_err());
        for _ in 0..100 {
            if scripted.gone() == 1 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the forge still works on a call that nobody waits for");
    });
}

#[test]
fn a_token_that_no_header_can_carry_is_refused_without_being_printed() {
    block_on(async {
        let scripted = Scripted::agreeable().await;
        let forge = Forge::new(BaseUrl::parse(&scripted.base()).unwrap(), Token::new("abc\ndef"));
        let error = run(&forge, &GET_ISSUE, object(issue()), &limits()).await.unwrap_err();
        assert_eq!(error.code, Code::Unauthorized);
        assert!(!format!("{error:?} {forge:?}").contains("def"));
        assert_eq!(scripted.lines(), Vec::<String>::new());
    });
}

#[test]
fn a_server_without_tls_behind_https_is_unreachable_and_shows_no_secret() {
    block_on(async {
        let scripted = Scripted::agreeable().await;
        let forge = forge_at(&scripted.base().replace("http:", "https:"));
        let error = run(&forge, &CREATE_ISSUE, object(new_issue()), &limits()).await.unwrap_err();
        assert_eq!(error.code, Code::Unreachable);
        assert!(!format!("{error:?} {forge:?}").contains(TOKEN));
    });
}

#[test]
fn a_write_whose_time_runs_out_before_it_is_sent_is_a_time_out() {
    let limits = Limits { timeout: Duration::from_millis(200), ..Limits::default() };
    block_on(async {
        // Takes connections, and never says a word: the TLS handshake hangs.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let forge = forge_at(&format!("https://{}", listener.local_addr().unwrap()));
        for (operation, given) in [(&CREATE_ISSUE, new_issue()), (&MERGE, issue()), (&GET_ISSUE, issue())] {
            let error = run(&forge, operation, object(given), &limits).await.unwrap_err();
            assert_eq!(error.code, Code::Timeout, "for {}", operation.name);
        }
    });
}

#[test]
fn a_write_without_body_that_was_sent_and_not_answered_is_outcome_unknown() {
    block_on(async {
        let scripted = Scripted::new([Answer::empty(204).cut(Cut::BeforeAnswer)]).await;
        let given = json!({"owner": "acme", "repo": "widget", "confirm": true});
        let error = call(&scripted, &DELETE_REPO, given).await.unwrap_err();
        assert_eq!(error.code, Code::OutcomeUnknown);
        assert_eq!(scripted.request().header("content-length"), None);
        assert_eq!(scripted.request().header("transfer-encoding"), None);
    });
}
