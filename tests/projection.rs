//! What is shown of an answer: the view's fields in the view's order, whatever the forge sends; texts and bytes as they are.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{CREATE_ISSUE, GET_ARCHIVE, GET_COMMIT, GET_DIFF, GET_ISSUE, MERGE, UPDATE_FILE};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, call_within, json, limits};
use forgehand::operations::{BYTES_LIMIT, Code, Limits, Operation, OperationError, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

async fn shown(operation: &'static Operation, answer: Answer) -> Result<Outcome, OperationError> {
    let forge = Scripted::new([answer]).await;
    let mut given = json!({"owner": "acme", "repo": "widget"});
    for name in ["index", "sha", "title", "path", "content"] {
        if operation.parameters.iter().any(|p| p.name == name) {
            given[name] = json!("1");
        }
    }
    call(&forge, operation, given).await
}

async fn issue(body: &str) -> Value {
    json(shown(&GET_ISSUE, Answer::json(200, body)).await)
}

#[test]
fn a_view_shows_its_fields_in_its_order_and_leaves_out_what_says_nothing() {
    let cases = [
        (r#"{"title":"t","id":9,"number":4}"#, r#"{"number":4,"title":"t"}"#),
        (r#"{"number":0,"title":"","body":null,"labels":[],"milestone":{}}"#, r#"{"number":0}"#),
        (r#"{"state":false}"#, r#"{"state":false}"#),
        (r#"{"user":{"id":1,"login":"ana","email":""}}"#, r#"{"user":"ana"}"#),
        (r#"{"user":{"id":1}}"#, "{}"),
        (r#"{"labels":[{"id":1,"name":"bug"},null,{"name":"kind/x"}]}"#, r#"{"labels":["bug","kind/x"]}"#),
        (r#"{"milestone":{"id":1,"title":"1.0","due_on":null}}"#, r#"{"milestone":{"title":"1.0"}}"#),
        (r#"{"milestone":{"title":"","due_on":null}}"#, "{}"),
        (r#"{"number":1,"number":2}"#, r#"{"number":2}"#),
        // Another form than the view's is shown as it is.
        (
            r#"{"user":"ana","labels":"bug","milestone":[{"title":"a","x":1}]}"#,
            r#"{"user":"ana","labels":"bug","milestone":[{"title":"a"}]}"#,
        ),
        (r#"{"number":{"a":null,"b":""}}"#, r#"{"number":{"a":null,"b":""}}"#),
        // The root.
        (r#"[{"number":1,"x":2}]"#, r#"{"items":[{"number":1}]}"#),
        ("null", "{}"),
        ("5", r#"{"value":5}"#),
        ("\"text\"", r#"{"value":"text"}"#),
        ("{\"number\":1}\n{\"number\":2}", r#"{"number":1}"#),
        (
            r#"{"number":18446744073709551615,"title":"\u00e9\n\ud83d\ude00"}"#,
            "{\"number\":18446744073709551615,\"title\":\"é\\n😀\"}",
        ),
        (r#"{"number":1.5}"#, r#"{"number":1.5}"#),
        (r#"{"number":-7}"#, r#"{"number":-7}"#),
    ];
    block_on(async {
        for (body, view) in cases {
            assert_eq!(issue(body).await.to_string(), view, "for {body}");
        }
        let whole = json(shown(&GET_COMMIT, Answer::json(200, r#"{"b":null,"a":[],"c":""}"#)).await);
        assert_eq!(whole.to_string(), r#"{"b":null,"a":[],"c":""}"#);
    });
}

#[test]
fn bytes_that_are_no_utf8_do_not_hide_an_answer() {
    block_on(async {
        let answer = Answer::new(200, "application/json", b"{\"number\":1,\"title\":\"a\xffb\"}");
        assert_eq!(json(shown(&GET_ISSUE, answer).await), json!({"number": 1, "title": "a\u{fffd}b"}));
    });
}

#[test]
fn any_2xx_is_success_with_or_without_a_body() {
    block_on(async {
        for status in [200, 201, 202, 203, 206] {
            let answer = json(shown(&CREATE_ISSUE, Answer::json(status, r#"{"number":1}"#)).await);
            assert_eq!(answer, json!({"number": 1}));
        }
        for status in [200, 201, 204, 205] {
            let done = json!({"done": true, "status": status});
            assert_eq!(json(shown(&CREATE_ISSUE, Answer::empty(status)).await), done);
            assert_eq!(json(shown(&UPDATE_FILE, Answer::empty(status)).await), done);
        }
        let answer = json(shown(&UPDATE_FILE, Answer::json(205, r#"[{"id":5,"unread":false}]"#)).await);
        assert_eq!(answer, json!({"done": true, "status": 205, "answer": [{"id": 5, "unread": false}]}));
        let answer = json(shown(&MERGE, Answer::new(200, "text/plain", "fine")).await);
        assert_eq!(answer, json!({"merged": true, "status": 200, "answer": "fine"}));
    });
}

#[test]
fn json_beyond_16_mib_is_too_large_for_a_read() {
    block_on(async {
        let body = format!("{{\"title\":\"{}\"}}", "x".repeat(16 * 1024 * 1024));
        let error = shown(&GET_ISSUE, Answer::json(200, &body)).await.unwrap_err();
        assert_eq!((error.code, error.status), (Code::TooLarge, Some(200)));
        let written = json(shown(&CREATE_ISSUE, Answer::json(201, &body)).await);
        assert_eq!((&written["done"], &written["status"]), (&json!(true), &json!(201)));
    });
}

#[test]
fn text_is_the_body_byte_for_byte() {
    block_on(async {
        for text in ["diff --git a/x b/x\n+\"quoted\"\r\n", "", "null", "[1]", "no line end"] {
            match shown(&GET_DIFF, Answer::new(200, "text/plain", text)).await.unwrap() {
                Outcome::Text { text: got, more: None } => assert_eq!(got, text),
                other => panic!("expected text, got {other:?}"),
            }
        }
        let partial = shown(&GET_DIFF, Answer::new(206, "text/plain", "log\n")).await.unwrap();
        assert!(matches!(partial, Outcome::Text { more: None, .. }));
    });
}

#[test]
fn a_long_text_is_cut_at_a_line_and_says_so() {
    block_on(async {
        let forge = Scripted::new([Answer::new(200, "text/plain", "ä line of text\n".repeat(100))]).await;
        let limits = Limits { max_result_bytes: 250, ..limits() };
        let given = json!({"owner": "acme", "repo": "widget", "index": 1});
        let Outcome::Text { text, more } =
            call_within(&forge, &GET_DIFF, given.clone(), &limits).await.unwrap()
        else {
            panic!("expected text")
        };
        assert_eq!(text, "ä line of text\n".repeat(15));
        let more = more.unwrap();
        assert_eq!((&more["shown"], &more["total"]), (&json!(240), &json!(1600)));
        assert!(more["note"].as_str().unwrap().contains("max_bytes"));
        let mut given = given;
        given["max_bytes"] = json!(2000);
        let whole = call_within(&forge, &GET_DIFF, given, &limits).await.unwrap();
        assert!(matches!(whole, Outcome::Text { more: None, text } if text.len() == 1600));

        let forge = Scripted::new([Answer::new(200, "text/plain", "ä".repeat(1000))]).await;
        let given = json!({"owner": "acme", "repo": "widget", "index": 1, "max_bytes": 201});
        let Outcome::Text { text, .. } = call(&forge, &GET_DIFF, given).await.unwrap() else {
            panic!("expected text")
        };
        assert_eq!(text.len(), 200, "cut at a character where there is no line");
    });
}

#[test]
fn what_is_no_text_comes_as_bytes_with_its_media_type_up_to_a_limit() {
    block_on(async {
        for (operation, body) in [
            (&GET_ARCHIVE, b"PK\x03\x04".to_vec()),
            (&GET_DIFF, vec![0, 1, 2]),
            (&GET_DIFF, vec![b'a', 0xff]),
        ] {
            match shown(operation, Answer::new(200, "application/zip", &body)).await.unwrap() {
                Outcome::Bytes { bytes, media_type } => {
                    assert_eq!((bytes.as_ref(), media_type.as_str()), (body.as_slice(), "application/zip"));
                }
                other => panic!("expected bytes, got {other:?}"),
            }
        }
        for operation in [&GET_ARCHIVE, &GET_DIFF] {
            let big = vec![0xff; BYTES_LIMIT + 1];
            let error = shown(operation, Answer::new(200, "image/png", big)).await.unwrap_err();
            assert_eq!(error.code, Code::TooLarge);
            assert_eq!(error.message, "the answer is no text and has 1048577 bytes");
        }
    });
}

/// Any JSON, with the names of the view among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("number"),
        Just("title"),
        Just("user"),
        Just("login"),
        Just("labels"),
        Just("name"),
        Just("milestone"),
        Just("other"),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|fields| fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whole_answers_are_the_forges_own(fields in proptest::collection::btree_map("[a-z]{1,8}", any_json(), 0..4)) {
        let value = json!(fields);
        let got = block_on(async { json(shown(&GET_COMMIT, Answer::json(200, &value.to_string())).await) });
        prop_assert_eq!(got, value);
    }

    #[test]
    fn no_json_fails_a_view_and_none_shows_more_than_it(value in any_json()) {
        let got = block_on(async { issue(&value.to_string()).await });
        let known = ["number", "title", "body", "state", "user", "labels", "assignees", "milestone", "items", "value"];
        for (name, value) in got.as_object().unwrap() {
            prop_assert!(known.contains(&name.as_str()));
            prop_assert!(!value.is_null() || name == "value");
        }
    }
}
