//! What is shown of an answer: the view's fields in the view's order, whatever the forge sends; texts and bytes as they are.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{
    CREATE_ISSUE, GET_ARCHIVE, GET_COMMIT, GET_DIFF, GET_ISSUE, GET_STATUS, MERGE, UPDATE_FILE,
};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, call_within, json, limits};
use forgehand::operations::{BYTES_LIMIT, Code, Limits, Operation, OperationError, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

async fn shown_by(operation: &'static Operation, answer: Answer) -> Result<Outcome, OperationError> {
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
    json(shown_by(&GET_ISSUE, Answer::json(200, body)).await)
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
        let whole = json(shown_by(&GET_COMMIT, Answer::json(200, r#"{"b":null,"a":[],"c":""}"#)).await);
        assert_eq!(whole.to_string(), r#"{"b":null,"a":[],"c":""}"#);
    });
}

#[test]
fn a_zero_date_is_absent_where_the_field_is_a_moment_and_stays_in_every_text() {
    let zeros = ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1970-01-01T01:00:00+01:00"];
    block_on(async {
        for zero in zeros {
            let whole = json!({
                "title": zero, "body": zero, "labels": [{"name": zero}], "milestone": {"title": zero, "due_on": zero}
            });
            let mut shown = whole.clone();
            shown["labels"] = json!([zero]);
            shown["milestone"] = json!({"title": zero});
            assert_eq!(issue(&whole.to_string()).await, shown);
            assert_eq!(json(shown_by(&GET_COMMIT, Answer::json(200, &whole.to_string())).await), whole);
        }
        for (due, shown) in [
            (json!("2026-11-30T12:46:02Z"), json!({"due_on": "2026-11-30T12:46:02Z"})),
            (json!("1970-01-01"), json!({"due_on": "1970-01-01"})),
            (json!(zeros), Value::Null),
            (json!(["2026-11-30T12:46:02Z", zeros[0]]), json!({"due_on": ["2026-11-30T12:46:02Z"]})),
            (json!({"at": zeros[0], "by": null}), json!({"due_on": {"at": zeros[0], "by": null}})),
            (json!(0), json!({"due_on": 0})),
        ] {
            let body = json!({"number": 1, "milestone": {"due_on": due}}).to_string();
            assert_eq!(issue(&body).await.get("milestone"), Some(&shown).filter(|s| !s.is_null()), "{body}");
        }
    });
}

#[test]
fn an_answer_that_has_not_the_views_form_is_shown_whole_and_an_absent_one_is_an_error() {
    block_on(async {
        for body in [r#"{"status":"ok"}"#, "{}", "[]", "null", "5", "\"text\"", r#"[{"x":1}]"#] {
            let shown = issue(body).await;
            assert_eq!(shown["answer"].to_string(), body);
            assert!(shown["note"].as_str().unwrap().contains("not in the form"), "{shown}");
            let written = json(shown_by(&CREATE_ISSUE, Answer::json(201, body)).await);
            assert_eq!((&written["done"], &written["answer"]), (&json!(true), &shown["answer"]));
        }
        let error = shown_by(&GET_ISSUE, Answer::json(200, "")).await.unwrap_err();
        assert_eq!((error.code, error.status), (Code::Refused, Some(200)));
        assert_eq!(error.message, "the forge answered 200 OK without what was asked for");
        let empty = json(shown_by(&GET_ISSUE, Answer::empty(204)).await);
        assert_eq!(empty, json!({"done": true, "status": 204}));
    });
}

#[test]
fn an_item_that_exceeds_the_budget_has_its_long_fields_cut_and_says_so() {
    let body = json!({"number": 19, "title": "t", "body": "\"ä\"\n".repeat(2000), "labels": []});
    let page = json!({
        "title": "x".repeat(3000), "body": "y".repeat(9000), "state": "open",
        "labels": (0..300).map(|n| json!({"name": format!("label {n}")})).collect::<Vec<_>>(),
        "milestone": {"title": "z".repeat(4000), "due_on": "2026-03-01"},
    });
    block_on(async {
        for (value, max, cut) in [
            (&body, 200, vec!["body"]),
            (&body, 1000, vec!["body"]),
            (&page, 2000, vec!["title", "body", "labels", "milestone.title"]),
            (&page, 15_000, vec!["body"]),
            (&page, 30_000, vec![]),
        ] {
            let forge = Scripted::new([Answer::json(200, &value.to_string())]).await;
            let given = json!({"owner": "acme", "repo": "widget", "index": 1, "max_bytes": max});
            let item = json(call(&forge, &GET_ISSUE, given).await);
            let length = item.to_string().len();
            assert!(length <= max && (cut.is_empty() || length + 120 > max), "{length} for {max}");
            let mut truncated = item.get("truncated").and_then(Value::as_object).cloned().unwrap_or_default();
            assert_eq!(truncated.remove("whole").is_none(), cut.is_empty(), "{max}");
            let mut names: Vec<&str> = truncated.keys().map(String::as_str).collect();
            names.sort_by_key(|name| cut.iter().position(|other| other == name));
            assert_eq!(names, cut, "{max}");
            for (path, told) in &truncated {
                let count = |of: &Value| {
                    let field = of.pointer(&format!("/{}", path.replace('.', "/"))).unwrap();
                    field.as_array().map_or_else(|| field.as_str().unwrap().chars().count(), Vec::len)
                };
                assert_eq!(told, &json!({"shown": count(&item), "total": count(value)}), "{path}");
            }
        }
        // Short fields stand whole or are left out, the last first.
        let short = json!({"number": 1, "title": "t".repeat(90), "state": "s".repeat(100)});
        let forge = Scripted::new([Answer::json(200, &short.to_string())]).await;
        let given = json!({"owner": "acme", "repo": "widget", "index": 1, "max_bytes": 200});
        let shown = json!({"number": 1, "title": "t".repeat(90), "truncated": {"whole": {"max_bytes": 224}, "left_out": ["state"]}});
        assert_eq!(json(call(&forge, &GET_ISSUE, given).await), shown);
    });
}

#[test]
fn an_item_that_covers_a_part_of_what_the_forge_counts_says_so() {
    let body = |rows: usize| json!({"state": "success", "statuses": vec![json!({"context": "ci"}); rows]});
    block_on(async {
        for (rows, total, note) in [
            (4, Some("120"), Some("covers the first 4 of 120")),
            // The server's own cap is lower.
            (2, Some("3"), Some("covers the first 2 of 3")),
            (4, Some("4"), None),
            (4, None, None),
        ] {
            let mut answer = Answer::json(200, &body(rows).to_string());
            if let Some(total) = total {
                answer = answer.header("X-Total-Count", total);
            }
            let item = json(shown_by(&GET_STATUS, answer).await);
            assert_eq!(item["state"], "success");
            let said = item.get("note").map(|note| note.as_str().unwrap().to_owned());
            assert_eq!(said.is_some(), note.is_some(), "{item}");
            assert!(said.unwrap_or_default().starts_with(note.unwrap_or_default()), "{item}");
        }
    });
}

#[test]
fn bytes_that_are_no_utf8_do_not_hide_an_answer() {
    block_on(async {
        let answer = Answer::new(200, "application/json", b"{\"number\":1,\"title\":\"a\xffb\"}");
        assert_eq!(json(shown_by(&GET_ISSUE, answer).await), json!({"number": 1, "title": "a\u{fffd}b"}));
    });
}

#[test]
fn any_2xx_is_success_with_or_without_a_body() {
    block_on(async {
        for status in [200, 201, 202, 203, 206] {
            let answer = json(shown_by(&CREATE_ISSUE, Answer::json(status, r#"{"number":1}"#)).await);
            assert_eq!(answer, json!({"number": 1}));
        }
        for status in [200, 201, 204, 205] {
            let done = json!({"done": true, "status": status});
            assert_eq!(json(shown_by(&CREATE_ISSUE, Answer::empty(status)).await), done);
            assert_eq!(json(shown_by(&UPDATE_FILE, Answer::empty(status)).await), done);
        }
        let answer = json(shown_by(&UPDATE_FILE, Answer::json(205, r#"[{"id":5,"unread":false}]"#)).await);
        assert_eq!(answer, json!({"done": true, "status": 205, "answer": [{"id": 5, "unread": false}]}));
        let answer = json(shown_by(&MERGE, Answer::new(200, "text/plain", "fine")).await);
        assert_eq!(answer, json!({"merged": true, "status": 200, "answer": "fine"}));
        // A status that means another word.
        let answer = json(shown_by(&MERGE, Answer::empty(201)).await);
        assert_eq!(answer, json!({"merged": false, "scheduled": true, "status": 201}));
    });
}

#[test]
fn json_beyond_16_mib_is_too_large_for_a_read() {
    block_on(async {
        let body = format!("{{\"title\":\"{}\"}}", "x".repeat(16 * 1024 * 1024));
        let error = shown_by(&GET_ISSUE, Answer::json(200, &body)).await.unwrap_err();
        assert_eq!((error.code, error.status), (Code::TooLarge, Some(200)));
        let written = json(shown_by(&CREATE_ISSUE, Answer::json(201, &body)).await);
        assert_eq!((&written["done"], &written["status"]), (&json!(true), &json!(201)));
    });
}

#[test]
fn text_is_the_body_byte_for_byte() {
    block_on(async {
        for text in ["diff --git a/x b/x\n+\"quoted\"\r\n", "", "null", "[1]", "no line end"] {
            match shown_by(&GET_DIFF, Answer::new(200, "text/plain", text)).await.unwrap() {
                Outcome::Text { text: got, more: None } => assert_eq!(got, text),
                other => panic!("expected text, got {other:?}"),
            }
        }
        let partial = shown_by(&GET_DIFF, Answer::new(206, "text/plain", "log\n")).await.unwrap();
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

        // A line's end that would leave most of the budget empty is none to cut at.
        let forge = Scripted::new([Answer::new(200, "text/plain", format!("\n{}", "x".repeat(1000)))]).await;
        let given = json!({"owner": "acme", "repo": "widget", "index": 1, "max_bytes": 200});
        let Outcome::Text { text, .. } = call(&forge, &GET_DIFF, given).await.unwrap() else {
            panic!("expected text")
        };
        assert_eq!(text.len(), 200);
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
            match shown_by(operation, Answer::new(200, "application/zip", &body)).await.unwrap() {
                Outcome::Bytes { bytes, media_type, .. } => {
                    assert_eq!((bytes.as_ref(), media_type.as_str()), (body.as_slice(), "application/zip"));
                }
                other => panic!("expected bytes, got {other:?}"),
            }
        }
        for operation in [&GET_ARCHIVE, &GET_DIFF] {
            let big = vec![0xff; BYTES_LIMIT + 1];
            let error = shown_by(operation, Answer::new(200, "image/png", big)).await.unwrap_err();
            assert_eq!(error.code, Code::TooLarge);
            assert_eq!(error.message, "the answer is no text and has 1048577 bytes");
        }
        let forge = Scripted::new([Answer::new(200, "image/png", vec![0xff; 300])]).await;
        let small = json!({"owner": "acme", "repo": "widget", "index": 1, "max_bytes": 200});
        let error = call(&forge, &GET_DIFF, small).await.unwrap_err();
        assert_eq!(error.code, Code::TooLarge, "{error}");
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
        let got = block_on(async { json(shown_by(&GET_COMMIT, Answer::json(200, &value.to_string())).await) });
        prop_assert_eq!(got, value);
    }

    #[test]
    fn no_json_fails_a_view_and_none_shows_more_than_it(value in any_json()) {
        let got = block_on(async { issue(&value.to_string()).await });
        if got.get("note").is_some() {
            prop_assert_eq!(&got["answer"], &value);
            return Ok(());
        }
        let known = ["number", "title", "body", "state", "user", "labels", "assignees", "milestone", "items"];
        for (name, value) in got.as_object().unwrap() {
            prop_assert!(known.contains(&name.as_str()));
            prop_assert!(!value.is_null());
        }
    }
}
