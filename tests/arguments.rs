//! Arguments as models send them reach the wire as they are meant, or are refused by name before anything is sent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{
    ADD_DEPENDENCY, CREATE_ISSUE, DELETE_REPO, GET_COMMIT, GET_ISSUE, LIST_ISSUES, UPDATE_FILE, UPLOAD,
};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::{Code, Effect, Operation, OperationError, arguments};
use serde_json::{Map, Value, json};

/// Lays a case's arguments over those that name the place.
fn with(base: Value, more: Value) -> Value {
    let (Value::Object(mut base), Value::Object(more)) = (base, more) else { panic!("objects expected") };
    base.extend(more);
    Value::Object(base)
}

fn widget(more: Value) -> Value {
    with(json!({"owner": "acme", "repo": "widget"}), more)
}

async fn refusal(operation: &'static Operation, arguments: Value) -> OperationError {
    let forge = Scripted::agreeable().await;
    let error = call(&forge, operation, arguments.clone()).await.expect_err(&arguments.to_string());
    assert_eq!(forge.lines(), Vec::<String>::new(), "nothing may be sent for {arguments}");
    error
}

#[test]
fn a_value_of_another_form_is_coerced_by_its_kind_and_text_never_is() {
    let title = |more| with(json!({"title": "t"}), more);
    let cases = [
        (json!({"title": "[1,2]", "body": "{\"a\":1}"}), json!({"title": "[1,2]", "body": "{\"a\":1}"})),
        (json!({"title": " 5 "}), json!({"title": " 5 "})),
        (json!({"title": "true", "body": ""}), json!({"title": "true", "body": ""})),
        (title(json!({"draft": "true"})), title(json!({"draft": true}))),
        (title(json!({"draft": false})), title(json!({"draft": false}))),
        (title(json!({"milestone": "5"})), title(json!({"milestone": 5}))),
        (title(json!({"milestone": 5.0})), title(json!({"milestone": 5}))),
        (title(json!({"milestone": 0})), title(json!({"milestone": 0}))),
        (title(json!({"milestone": "-3"})), title(json!({"milestone": -3}))),
        (title(json!({"milestone": null})), title(json!({}))),
        (title(json!({"labels": "[1,2]"})), title(json!({"labels": [1, 2]}))),
        (title(json!({"labels": "1, 2"})), title(json!({"labels": [1, 2]}))),
        (title(json!({"labels": [1, 2.0]})), title(json!({"labels": [1, 2]}))),
        (title(json!({"labels": 7})), title(json!({"labels": [7]}))),
        (title(json!({"assignees": []})), title(json!({"assignees": []}))),
        (title(json!({"assignees": "[]"})), title(json!({"assignees": []}))),
        (title(json!({"assignees": "ana,bob"})), title(json!({"assignees": ["ana", "bob"]}))),
        (title(json!({"assignees": ["a,b", "12"]})), title(json!({"assignees": ["a,b", "12"]}))),
        (title(json!({"due_date": "2026-03-01"})), title(json!({"due_date": "2026-03-01T00:00:00Z"}))),
        (
            title(json!({"due_date": "2026-03-01t01:02:03.5+02:00"})),
            title(json!({"due_date": "2026-03-01T01:02:03.5+02:00"})),
        ),
        (title(json!({"day": "2024-02-29"})), title(json!({"day": "2024-02-29"}))),
        (title(json!({"inputs": {"a": "5"}})), title(json!({"inputs": {"a": "5"}}))),
        (title(json!({"inputs": "{\"a\":\"5\"}"})), title(json!({"inputs": {"a": "5"}}))),
        (title(json!({"anything": "5"})), title(json!({"anything": "5"}))),
        (
            title(json!({"author": {"name": "x", "age": "3"}})),
            title(json!({"author": {"name": "x", "age": 3}})),
        ),
        (title(json!({"author": {"name": "x", "age": null}})), title(json!({"author": {"name": "x"}}))),
        (title(json!({"hook_url": "u"})), title(json!({"config": {"url": "u"}}))),
    ];
    block_on(async {
        for (given, sent) in cases {
            let forge = Scripted::agreeable().await;
            json(call(&forge, &CREATE_ISSUE, widget(given.clone())).await);
            let request = forge.request();
            assert_eq!(request.line(), "POST /api/v1/repos/acme/widget/issues");
            assert_eq!(serde_json::from_str::<Value>(request.text()).unwrap(), sent, "for {given}");
        }
    });
}

#[test]
fn an_impossible_value_is_refused_with_argument_expected_and_got_and_sends_nothing() {
    let cases: &[(Value, &str)] = &[
        (json!({"title": 5}), "argument `title`: expected text, got the number 5"),
        (json!({"title": ["x"]}), "argument `title`: expected text, got a list of 1"),
        (
            json!({"title": "t", "labels": [1, "12"]}),
            "argument `labels[1]`: expected a whole number, got \"12\"",
        ),
        (json!({"title": "t", "draft": "yes"}), "argument `draft`: expected true or false, got \"yes\""),
        (json!({"title": "t", "draft": 1}), "argument `draft`: expected true or false, got the number 1"),
        (
            json!({"title": "t", "milestone": "5.5"}),
            "argument `milestone`: expected a whole number, got \"5.5\"",
        ),
        (
            json!({"title": "t", "milestone": 5.5}),
            "argument `milestone`: expected a whole number, got the number 5.5",
        ),
        (
            json!({"title": "t", "labels": [1, "bug"]}),
            "argument `labels[1]`: expected a whole number, got \"bug\"",
        ),
        (json!({"title": "t", "labels": "[1,"}), "argument `labels`: expected a list, got text that begins"),
        (json!({"title": "t", "assignees": ""}), "argument `assignees`: expected a list, or names"),
        (json!({"title": "t", "assignees": "a,,b"}), "argument `assignees`: expected a list, or names"),
        (json!({"title": "t", "assignees": [5]}), "argument `assignees[0]`: expected text, got the number 5"),
        (json!({"title": "t", "due_date": "yesterday"}), "argument `due_date`: expected a date"),
        (json!({"title": "t", "due_date": "2024-13-45T00:00:00Z"}), "argument `due_date`: expected a date"),
        (json!({"title": "t", "due_date": "2024-01-02T03:04:05"}), "argument `due_date`: expected a date"),
        (json!({"title": "t", "due_date": "2024-01-02 03:04:05Z"}), "argument `due_date`: expected a date"),
        (json!({"title": "t", "due_date": "2024-01-02T03:04:60Z"}), "argument `due_date`: expected a date"),
        (
            json!({"title": "t", "due_date": "2024-01-02T03:04:05+25:00"}),
            "argument `due_date`: expected a date",
        ),
        (json!({"title": "t", "day": "2023-02-29"}), "argument `day`: expected a date"),
        (json!({"title": "t", "day": "20230228"}), "argument `day`: expected a date"),
        (json!({"title": "t", "inputs": {"a": 5}}), "argument `inputs.a`: expected text, got the number 5"),
        (json!({"title": "t", "author": {}}), "argument `author.name`: expected text, got nothing"),
        (json!({"title": "t", "author": {"name": "x", "aeg": 1}}), "did you mean `age`?"),
        (json!({"title": "t", "dry_run": "maybe"}), "argument `dry_run`: expected true or false"),
        (
            json!({"title": "t", "max_bytes": 10}),
            "argument `max_bytes`: expected a whole number from 200 to 16777216",
        ),
        (json!({}), "argument `title` is required: expected text, got nothing"),
        (json!({"title": null}), "argument `title` is required"),
    ];
    block_on(async {
        for (given, message) in cases {
            let error = refusal(&CREATE_ISSUE, widget(given.clone())).await;
            assert_eq!(error.code, Code::InvalidArguments);
            assert!(error.message.contains(message), "for {given}: {}", error.message);
        }
    });
}

#[test]
fn unknown_argument_is_refused_with_the_near_and_the_accepted_names() {
    block_on(async {
        let error = refusal(&LIST_ISSUES, widget(json!({"label": "bug"}))).await;
        assert_eq!(error.message, "LIST_ISSUES has no argument \"label\"; did you mean `labels`?");
        assert_eq!(error.near, ["labels"]);
        assert_eq!(
            error.hint.unwrap(),
            "accepted arguments: owner, repo, state, labels, since, page, limit; and max_bytes, skip"
        );
        let error = refusal(&LIST_ISSUES, widget(json!({"zzz": null}))).await;
        assert_eq!(error.message, "LIST_ISSUES has no argument \"zzz\"");
        // `skip` belongs to lists alone.
        refusal(&GET_ISSUE, widget(json!({"index": 1, "skip": 1}))).await;
    });
}

#[test]
fn a_word_outside_the_enum_is_refused_with_the_near_word() {
    block_on(async {
        let error = refusal(&LIST_ISSUES, widget(json!({"state": "close"}))).await;
        assert_eq!(
            error.message,
            "argument `state`: expected one of open, closed, all, got \"close\"; did you mean `closed`?"
        );
    });
}

#[test]
fn a_number_out_of_range_is_refused() {
    block_on(async {
        for (given, got) in
            [(json!(0), "the number 0"), (json!("-1"), "\"-1\""), (json!(1e300), "the number 1e+300")]
        {
            let error = refusal(&LIST_ISSUES, widget(json!({"page": given}))).await;
            assert!(error.message.starts_with("argument `page`: expected a whole number, 1 or more, got "));
            assert!(error.message.ends_with(got), "{}", error.message);
        }
    });
}

#[test]
fn references_in_every_form_name_the_same_issue() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let base = forge.base();
        let cases = [
            json!({"owner": "acme", "repo": "widget", "index": 12}),
            json!({"owner": "acme", "repo": "widget", "index": "12"}),
            json!({"owner": "acme", "repo": "widget", "index": "#12"}),
            json!({"owner": "acme", "repo": "widget", "index": "!12"}),
            json!({"repo": "acme/widget", "index": 12}),
            json!({"owner": "Acme", "repo": "acme/widget", "index": 12}),
            json!({"index": "acme/widget#12"}),
            json!({"index": "acme/widget!12"}),
            json!({"repo": "acme/widget", "index": "acme/widget#12"}),
            json!({"index": format!("{base}/acme/widget/issues/12")}),
            json!({"index": format!("{base}/acme/widget/pulls/12/files?x=1#issuecomment-3")}),
            json!({"index": format!("{base}/api/v1/repos/acme/widget/issues/12")}),
            json!({"repo": format!("{base}/acme/widget/"), "index": "#12"}),
            json!({"repo": format!("{base}/acme/widget.git"), "index": "#12"}),
            json!({"repo": format!("{base}/acme/widget/issues/12")}),
            json!({"owner": format!("{base}/acme/widget"), "index": 12}),
        ];
        for given in cases {
            let before = forge.requests().len();
            json(call(&forge, &GET_ISSUE, given.clone()).await);
            assert_eq!(forge.lines()[before..], ["GET /api/v1/repos/acme/widget/issues/12"], "for {given}");
        }
        let given = json!({"sha": format!("{base}/acme/widget/commit/abc123")});
        json(call(&forge, &GET_COMMIT, given).await);
        assert_eq!(forge.lines().last().unwrap(), "GET /api/v1/repos/acme/widget/git/commits/abc123");
    });
}

#[test]
fn a_reference_of_another_place_or_at_odds_with_another_argument_is_refused() {
    let cases = [
        (json!({"index": "https://other.example/acme/widget/issues/12"}), "got one of other.example"),
        (json!({"repo": "https://other.example/acme/widget", "index": 1}), "got one of other.example"),
        (json!({"owner": "eve", "repo": "acme/widget", "index": 1}), "expected the same as in `repo`"),
        (json!({"repo": "acme/gadget", "index": "acme/widget#1"}), "expected the same as in `index`"),
        (
            json!({"owner": "acme", "repo": "a/b/c", "index": 1}),
            "argument `repo`: expected a repository's name",
        ),
        (json!({"owner": "acme", "repo": "/x", "index": 1}), "argument `repo`: expected a repository's name"),
        (
            json!({"owner": "acme", "repo": "widget", "index": "widget#1"}),
            "argument `index`: expected an issue's number",
        ),
        (
            json!({"owner": "acme", "repo": "widget", "index": "#x"}),
            "argument `index`: expected an issue's number",
        ),
        (
            json!({"owner": "o".repeat(90), "repo": format!("{}/widget", "p".repeat(90)), "index": 1}),
            "ppp…\", got \"oooo",
        ),
        (json!({"repo": "widget", "index": 1}), "argument `owner` is required"),
        (json!({"owner": "..", "repo": "widget", "index": 1}), "argument `owner`: may not be"),
    ];
    block_on(async {
        for (given, message) in cases {
            let error = refusal(&GET_ISSUE, given.clone()).await;
            assert_eq!(error.code, Code::InvalidArguments);
            assert!(error.message.contains(message), "for {given}: {}", error.message);
        }
    });
}

#[test]
fn a_reference_that_says_more_than_the_tool_takes_is_refused() {
    block_on(async {
        let forge = Scripted::new([Answer::json(200, "[]")]).await;
        let base = forge.base();
        for (operation, repo, message) in [
            (&LIST_ISSUES, "acme/widget/issues/12", "says more: index is the number 12"),
            (&LIST_ISSUES, "acme/widget/pulls/12/files", "says more: index is the number 12"),
            (&GET_ISSUE, "acme/widget/commit/abc", "says more: sha is \"abc\""),
            (
                &LIST_ISSUES,
                "acme/widget/src/branch/dev/x.rs",
                "expected a repository's name, `owner/name`, or",
            ),
            (&LIST_ISSUES, "acme/widget/releases/tag/v1", "expected a repository's name, `owner/name`, or"),
        ] {
            let error = call(&forge, operation, json!({"repo": format!("{base}/{repo}")})).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments);
            assert!(
                error.message.starts_with("argument `repo`: expected a repository's name"),
                "{}",
                error.message
            );
            assert!(error.message.contains(message), "for {repo}: {}", error.message);
        }
        assert_eq!(forge.lines(), Vec::<String>::new());
        for repo in
            ["acme/widget", "acme/widget/", "acme/widget.git", "acme/widget/issues", "acme/widget/issues?q=x"]
        {
            json(call(&forge, &LIST_ISSUES, json!({"repo": format!("{base}/{repo}")})).await);
        }
    });
}

#[test]
fn a_hostile_owner_never_reaches_another_route() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let hostile = |owner: &str| json!({"owner": owner, "repo": "r?x=", "index": 1});
        for owner in ["acme/../../admin", "..\\admin", ".", "/../x"] {
            let error = call(&forge, &GET_ISSUE, hostile(owner)).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "for {owner}");
        }
        assert_eq!(forge.lines(), Vec::<String>::new());
        json(call(&forge, &GET_ISSUE, hostile("acme/a#b%2F..")).await);
        assert_eq!(forge.lines(), ["GET /api/v1/repos/acme%2Fa%23b%252F../r%3Fx%3D/issues/1"]);
    });
}

#[test]
fn what_stands_for_an_absent_argument_is_sent() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let given = |more| widget(with(json!({"index": 5}), more));
        json(call(&forge, &ADD_DEPENDENCY, given(json!({"depends_on_index": 2}))).await);
        json(call(&forge, &ADD_DEPENDENCY, given(json!({"depends_on_index": "acme/gadget#2"}))).await);
        json(
            call(&forge, &ADD_DEPENDENCY, given(json!({"depends_on_index": 2, "depends_on_repo": "bob/x"})))
                .await,
        );
        let bodies: Vec<Value> =
            forge.requests().iter().map(|r| serde_json::from_str(r.text()).unwrap()).collect();
        assert_eq!(bodies[0], json!({"index": 2, "owner": "acme", "repo": "widget"}));
        assert_eq!(bodies[1], json!({"index": 2, "owner": "acme", "repo": "gadget"}));
        assert_eq!(bodies[2], json!({"index": 2, "owner": "bob", "repo": "x"}));
        assert!(
            forge.lines().iter().all(|line| line == "POST /api/v1/repos/acme/widget/issues/5/dependencies")
        );
    });
}

#[test]
fn text_is_sent_as_base64_or_given_as_base64_but_never_both() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let file = |more| widget(with(json!({"filePath": "docs/a b.md"}), more));
        json(call(&forge, &UPDATE_FILE, file(json!({"content": "hi\n"}))).await);
        json(call(&forge, &UPDATE_FILE, file(json!({"content_base64": "aGkK", "branch": "dev"}))).await);
        let sent: Vec<_> = forge.requests().iter().map(|r| (r.line(), r.text().to_owned())).collect();
        let line = "PUT /api/v1/repos/acme/widget/contents/docs/a%20b.md".to_owned();
        assert_eq!(sent[0], (line.clone(), r#"{"content":"aGkK","branch":"main"}"#.to_owned()));
        assert_eq!(sent[1], (line, r#"{"content":"aGkK","branch":"dev"}"#.to_owned()));

        // The encoded form is checked, also where nothing is sent; line breaks do not count.
        let forge = Scripted::agreeable().await;
        json(call(&forge, &UPDATE_FILE, file(json!({"content_base64": " aG\nkK\r\n"}))).await);
        assert_eq!(forge.request().text(), r#"{"content":"aGkK","branch":"main"}"#);
        for text in ["???", "aGk*", "a"] {
            let given = file(json!({"content_base64": text, "dry_run": true}));
            let error = refusal(&UPDATE_FILE, given).await;
            assert_eq!(error.message, format!("argument `content_base64`: expected base64, got {text:?}"));
        }

        let both = refusal(&UPDATE_FILE, file(json!({"content": "a", "content_base64": "YQ=="}))).await;
        assert_eq!(both.message, "expected one of `content` and `content_base64`, got both");
        let neither = refusal(&UPDATE_FILE, file(json!({}))).await;
        assert!(neither.message.starts_with("argument `content` (or `content_base64`) is required"));
        let twice = refusal(&UPDATE_FILE, file(json!({"path": "x", "content": "a"}))).await;
        assert!(twice.message.contains("is another name of `path`"), "{}", twice.message);
    });
}

#[test]
fn a_file_goes_out_byte_for_byte_whatever_the_line_breaks_of_its_base64() {
    block_on(async {
        for text in ["AP8K", "AP\n8K", " AP8K\r\n"] {
            let forge = Scripted::agreeable().await;
            let given = json!({"index": 5, "name": "a b.bin", "content_base64": text});
            json(call(&forge, &UPLOAD, widget(given)).await);
            let request = forge.request();
            assert_eq!(request.target, "/api/v1/repos/acme/widget/issues/5/assets?name=a%20b.bin");
            assert_eq!(request.header("x-file-name"), Some("a b.bin"));
            assert_eq!(request.body, [0x00, 0xff, 0x0a]);
        }
        let error = refusal(&UPLOAD, widget(json!({"index": 5, "content_base64": "?"}))).await;
        assert_eq!(error.message, "argument `content_base64`: expected base64, got \"?\"");
    });
}

#[test]
fn a_comma_list_goes_out_joined_and_an_item_with_a_comma_is_refused() {
    block_on(async {
        let forge = Scripted::new([Answer::json(200, "[]")]).await;
        json(call(&forge, &LIST_ISSUES, widget(json!({"labels": ["bug", "good first issue"]}))).await);
        let target = "/api/v1/repos/acme/widget/issues?labels=bug%2Cgood%20first%20issue&page=1&limit=30";
        assert_eq!(forge.request().target, target);
        let error = refusal(&LIST_ISSUES, widget(json!({"labels": ["area: core, more"]}))).await;
        assert!(error.message.starts_with("argument `labels[0]`: expected a name without comma"));
    });
}

#[test]
fn an_offset_keeps_its_plus_on_the_wire() {
    block_on(async {
        let forge = Scripted::new([Answer::json(200, "[]")]).await;
        json(call(&forge, &LIST_ISSUES, widget(json!({"since": "2026-03-01T00:00:00+02:00"}))).await);
        assert!(forge.request().target.contains("since=2026-03-01T00%3A00%3A00%2B02%3A00"));
    });
}

#[test]
fn what_destroys_sends_nothing_without_confirmation() {
    block_on(async {
        let error = refusal(&DELETE_REPO, widget(json!({}))).await;
        assert_eq!(error.code, Code::ConfirmationRequired);
        assert_eq!(error.call.unwrap(), "DELETE /repos/acme/widget");
        refusal(&DELETE_REPO, widget(json!({"confirm": false}))).await;
        let forge = Scripted::new([Answer::empty(204)]).await;
        let done = json(call(&forge, &DELETE_REPO, widget(json!({"confirm": "true"}))).await);
        assert_eq!(done, json!({"done": true, "status": 204}));
        assert_eq!(forge.lines(), ["DELETE /api/v1/repos/acme/widget"]);
    });
}

#[test]
fn a_dry_run_shows_the_request_and_sends_no_write() {
    block_on(async {
        let forge = Scripted::new([Answer::json(200, "[]")]).await;
        let plan = json(call(&forge, &CREATE_ISSUE, widget(json!({"title": "t", "dry_run": true}))).await);
        let shown = json!({"dry_run": true, "method": "POST", "path": "/repos/acme/widget/issues", "body": {"title": "t"}});
        assert_eq!(plan, shown);
        let plan = json(call(&forge, &DELETE_REPO, widget(json!({"dry_run": true}))).await);
        assert_eq!(plan, json!({"dry_run": true, "method": "DELETE", "path": "/repos/acme/widget"}));
        assert_eq!(forge.lines(), Vec::<String>::new());
        json(call(&forge, &LIST_ISSUES, widget(json!({"dry_run": true}))).await);
        assert_eq!(forge.requests().len(), 1, "a read ignores it");
        assert_eq!(LIST_ISSUES.effect, Effect::Read);
    });
}

#[test]
fn no_arguments_may_be_null_and_nothing_else_than_an_object() {
    assert_eq!(arguments::object(None).unwrap(), Map::new());
    assert_eq!(arguments::object(Some(Value::Null)).unwrap(), Map::new());
    let error = arguments::object(Some(json!([1]))).unwrap_err();
    assert_eq!(error.message, "expected an object of arguments, got a list of 1");
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// Sends one argument and gives what reached the body.
    fn sent(name: &str, value: Value) -> Value {
        block_on(async {
            let forge = Scripted::agreeable().await;
            json(
                call(&forge, &CREATE_ISSUE, widget(with(json!({"title": "t"}), json!({name: value})))).await,
            );
            serde_json::from_str::<Value>(forge.request().text()).unwrap()[name].clone()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn any_text_reaches_the_wire_as_itself(text in any::<String>()) {
            prop_assert_eq!(sent("body", json!(text)), json!(text));
        }

        #[test]
        fn a_number_means_the_same_as_its_text(number in any::<i64>()) {
            prop_assert_eq!(sent("milestone", json!(number)), json!(number));
            prop_assert_eq!(sent("milestone", json!(number.to_string())), json!(number));
        }

        #[test]
        fn a_list_means_the_same_as_its_json_text(list in proptest::collection::vec(any::<String>(), 0..5)) {
            prop_assert_eq!(sent("assignees", json!(list)), json!(list));
            prop_assert_eq!(sent("assignees", json!(json!(list).to_string())), json!(list));
        }

        #[test]
        fn text_comes_back_out_of_its_base64(text in any::<String>()) {
            use base64::Engine as _;
            let encoded = block_on(async {
                let forge = Scripted::agreeable().await;
                json(call(&forge, &UPDATE_FILE, widget(json!({"path": "a", "content": text}))).await);
                serde_json::from_str::<Value>(forge.request().text()).unwrap()["content"].as_str().unwrap().to_owned()
            });
            let decoded = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
            prop_assert_eq!(String::from_utf8(decoded).unwrap(), text);
        }
    }
}
