//! What answers show in another form than the forge sends it: secrets as `***`, base64 as text, and some lines of a text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{
    GET_FILE, GET_HOLDER, GET_HOOK, GET_PAGE, GET_WHOLE_HOLDER, GET_WHOLE_HOOK, LIST_HOOKS, SHOW_HOOK,
    TEST_HOOK,
};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::{Code, Operation, Outcome};
use serde_json::{Value, json};

const HOOK: &str = r#"{"id":3,"active":false,"authorization_header":"Bearer s3cr3t","config":{"secret":"s3cr3t","url":"u"}}"#;

async fn shown(operation: &'static Operation, arguments: Value, body: &str) -> Value {
    let forge = Scripted::new([Answer::json(200, body)]).await;
    json(call(&forge, operation, arguments).await)
}

#[test]
fn secrets_are_masked_wherever_they_occur() {
    block_on(async {
        let id = json!({"id": 3});
        let masked = json!({"id": 3, "active": false, "authorization_header": "***",
            "config": {"secret": "***", "url": "u"}});
        assert_eq!(shown(&GET_HOOK, id.clone(), HOOK).await, masked);
        assert_eq!(shown(&GET_WHOLE_HOOK, id.clone(), HOOK).await, masked);
        let holder = format!(r#"{{"name":"n","hook":{HOOK},"hooks":[{HOOK}]}}"#);
        assert_eq!(shown(&GET_HOLDER, json!({}), &holder).await, json!({"name": "n", "hook": masked}));
        let whole = json!({"name": "n", "hook": masked, "hooks": [masked]});
        assert_eq!(shown(&GET_WHOLE_HOLDER, json!({}), &holder).await, whole);
        let done = shown(&TEST_HOOK, id.clone(), HOOK).await;
        assert_eq!(done["answer"], masked);
        for list in [format!(r#"{{"data":[{HOOK}]}}"#), format!("[{HOOK}]")] {
            assert_eq!(shown(&LIST_HOOKS, json!({}), &list).await["items"], json!([masked]));
        }
        assert_eq!(shown(&SHOW_HOOK, id, HOOK).await["authorization_header"], "Bearer s3cr3t");
    });
}

#[test]
fn an_answer_of_another_form_shows_no_secret_either() {
    block_on(async {
        for (operation, arguments, body) in [
            (&GET_HOOK, json!({"id": 3}), format!(r#"{{"wrapped":{HOOK}}}"#)),
            (&LIST_HOOKS, json!({}), format!(r#"{{"other":[{HOOK}]}}"#)),
            (&LIST_HOOKS, json!({}), HOOK.to_owned()),
        ] {
            let answer = shown(operation, arguments, &body).await;
            assert!(!answer.to_string().contains("s3cr3t"), "{answer}");
            assert!(answer["note"].is_string(), "{answer}");
        }
    });
}

#[test]
fn an_empty_secret_stays_empty_and_any_other_value_is_masked() {
    block_on(async {
        for (value, expected) in [
            (r#""""#, json!("")),
            ("null", json!(null)),
            ("[]", json!([])),
            ("7", json!("***")),
            (r#"{"a":1}"#, json!("***")),
        ] {
            let body = format!(r#"{{"id":3,"authorization_header":{value}}}"#);
            let answer = shown(&GET_WHOLE_HOOK, json!({"id": 3}), &body).await;
            assert_eq!(answer["authorization_header"], expected);
        }
    });
}

#[test]
fn base64_is_shown_as_text_where_it_is_one() {
    block_on(async {
        for (sent, expected) in [
            ("SGVsbG8=", json!({"title": "t", "content": "Hello"})),
            ("SGVs\\nbG8=\\n", json!({"title": "t", "content": "Hello"})),
            ("/w==", json!({"title": "t", "content_base64": "/w=="})),
            ("no base64", json!({"title": "t", "content_base64": "no base64"})),
            ("", json!({"title": "t"})),
        ] {
            let body = format!(r#"{{"content_base64":"{sent}","title":"t"}}"#);
            assert_eq!(shown(&GET_PAGE, json!({}), &body).await, expected, "{sent}");
        }
    });
}

#[test]
fn a_decoded_text_is_cut_as_any_other() {
    block_on(async {
        // 4,000 times `aaa`.
        let body = format!(r#"{{"content_base64":"{}"}}"#, "YWFh".repeat(4000));
        let answer = shown(&GET_PAGE, json!({"max_bytes": 1000}), &body).await;
        assert_eq!(answer["truncated"]["content"]["total"], 12000);
        assert!(answer.to_string().len() <= 1000, "{}", answer.to_string().len());
    });
}

#[test]
fn lines_are_chosen_of_a_shown_field() {
    block_on(async {
        // one, two, three.
        let body = r#"{"content_base64":"b25lCnR3bwp0aHJlZQ=="}"#;
        let some = shown(&GET_PAGE, json!({"start_line": 2, "end_line": 2}), body).await;
        assert_eq!(some, json!({"content": "two\n", "lines": 3}));
        let forge = Scripted::new([Answer::json(200, body)]).await;
        let error = call(&forge, &GET_PAGE, json!({"start_line": 4})).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        assert!(
            error.message.contains("`start_line`: expected a line of the text, which has 3, got 4"),
            "{error}"
        );
    });
}

async fn lines(text: &str, arguments: Value) -> (String, Value) {
    let forge = Scripted::new([Answer::new(200, "text/plain", text)]).await;
    match call(&forge, &GET_FILE, arguments).await.unwrap() {
        Outcome::Text { text, more } => (text, more.unwrap_or_default()),
        other => panic!("expected text, got {other:?}"),
    }
}

#[test]
fn lines_are_chosen_of_a_text_which_says_how_many_it_has() {
    block_on(async {
        for (text, arguments, shown, count) in [
            ("a\nb\nc\n", json!({"start_line": 2}), "b\nc\n", 3),
            ("a\nb\nc", json!({"start_line": 2, "end_line": 3}), "b\nc", 3),
            ("a\nb\nc", json!({"end_line": 1}), "a\n", 3),
            ("a\r\nb", json!({"start_line": 1, "end_line": 99}), "a\r\nb", 2),
            ("", json!({"start_line": 1}), "", 0),
        ] {
            assert_eq!(lines(text, arguments).await, (shown.to_owned(), json!({"lines": count})));
        }
        assert_eq!(lines("a\nb", json!({})).await, ("a\nb".to_owned(), Value::Null));
    });
}

#[test]
fn lines_that_are_too_many_go_on_from_the_line_that_next_names() {
    block_on(async {
        let text: String = (1..=100).map(|n| format!("line {n:03}\n")).collect();
        for first in [json!({}), json!({"start_line": 1})] {
            let mut arguments = first;
            let mut seen = String::new();
            let mut calls = 0;
            loop {
                arguments["max_bytes"] = 250.into();
                let (part, more) = lines(&text, arguments.clone()).await;
                assert!(part.len() <= 250 && part.ends_with('\n'));
                seen.push_str(&part);
                calls += 1;
                match more.get("next") {
                    Some(next) => arguments = next.clone(),
                    None => break,
                }
            }
            assert_eq!(seen, text);
            assert_eq!(calls, 4);
        }
    });
}

#[test]
fn a_range_that_is_none_is_an_error() {
    block_on(async {
        let forge = Scripted::new([Answer::new(200, "text/plain", "a\nb\n")]).await;
        let error = call(&forge, &GET_FILE, json!({"start_line": 5, "end_line": 3})).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        assert!(
            error.message.contains("`end_line`: expected start_line (5) or more, got the number 3"),
            "{error}"
        );
        assert_eq!(forge.lines(), [""; 0]);
        let error = call(&forge, &GET_FILE, json!({"start_line": 3})).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        assert!(error.message.contains("which has 2, got 3"), "{error}");
    });
}
