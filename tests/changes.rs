//! Changes: what is read before them so that they blank nothing, what wants a confirmation, and how arguments of maps and of
//! lengths of time are sent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{ADD_TIME, EDIT_HOOK, EDIT_HOOK_SECRETLY};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::Code;
use forgehand::operations::table::OPERATIONS;
use serde_json::{Value, json};

const HOOK: &str = r#"{"id":3,"active":true,"events":["push","issues"],"authorization_header":"Bearer s3cr3t",
    "config":{"url":"https://x.example","secret":"k3y"},"filter":{"branch":"main"}}"#;

fn script() -> [Answer; 2] {
    [Answer::json(200, HOOK), Answer::json(200, r#"{"id":3,"authorization_header":"Bearer s3cr3t"}"#)]
}

/// What was sent: lines and the last body.
fn sent(forge: &Scripted) -> (Vec<String>, Value) {
    let body = forge.requests().last().map_or(Value::Null, |last| serde_json::from_str(last.text()).unwrap());
    (forge.lines(), body)
}

const READ: &str = "GET /api/v1/hooks/3";
const WRITE: &str = "PATCH /api/v1/hooks/3";

#[test]
fn a_change_that_would_blank_is_filled_with_what_is_there_unmasked() {
    block_on(async {
        for (arguments, body) in [
            (
                json!({"id": 3, "active": true, "confirm": true}),
                json!({"active": true, "events": ["push", "issues_only"], "authorization_header": "Bearer s3cr3t",
                    "config": {"secret": "k3y"}, "branch_filter": "main"}),
            ),
            (
                json!({"id": 3, "events": [], "authorization_header": "", "active": false}),
                json!({"events": [], "authorization_header": "", "active": false, "config": {"secret": "k3y"},
                    "branch_filter": "main"}),
            ),
            (
                json!({"id": 3, "events": null, "url": "https://y.example", "config": {"secret": "n3w"}}),
                json!({"events": ["push", "issues_only"], "authorization_header": "Bearer s3cr3t",
                    "config": {"url": "https://y.example", "secret": "n3w"}, "branch_filter": "main"}),
            ),
        ] {
            let forge = Scripted::new(script()).await;
            let shown = json(call(&forge, &EDIT_HOOK, arguments).await);
            assert_eq!(sent(&forge), (vec![READ.to_owned(), WRITE.to_owned()], body));
            assert_eq!(shown, json!({"id": 3, "authorization_header": "***"}));
        }
    });
}

#[test]
fn a_read_that_fails_says_that_nothing_was_changed_and_the_write_is_not_sent() {
    block_on(async {
        for (answer, code) in [
            (Answer::json(404, r#"{"message":"no such hook"}"#), Code::NotFound),
            (Answer::json(200, "[]"), Code::Refused),
            (Answer::json(200, "<html>"), Code::Refused),
        ] {
            let forge = Scripted::new([answer]).await;
            let error = call(&forge, &EDIT_HOOK, json!({"id": 3, "active": false})).await.unwrap_err();
            assert_eq!(error.code, code, "{error}");
            assert!(
                error.message.ends_with("; this was the read before the change, and nothing was changed"),
                "{error}"
            );
            assert_eq!(error.call.as_deref(), Some("GET /hooks/3"));
            assert_eq!(forge.lines(), [READ]);
        }
    });
}

#[test]
fn what_the_forge_does_not_tell_is_not_blanked_and_the_write_is_not_sent() {
    block_on(async {
        for read in [
            "{}",
            r#"{"events":null,"authorization_header":"x","config":{"secret":"k"},"filter":{"branch":"main"}}"#,
            r#"{"events":["push"],"authorization_header":"x","config":{"secret":"k"},"filter":{}}"#,
        ] {
            let forge = Scripted::new([Answer::json(200, read)]).await;
            let error = call(&forge, &EDIT_HOOK, json!({"id": 3, "active": false})).await.unwrap_err();
            assert_eq!(error.code, Code::Refused, "{read}");
            assert!(error.message.ends_with("and nothing was changed"), "{error}");
            assert_eq!(forge.lines(), [READ]);
        }
    });
}

#[test]
fn a_change_that_is_told_nothing_to_change_is_an_error_and_sends_nothing() {
    block_on(async {
        let forge = Scripted::new(script()).await;
        let error = call(&forge, &EDIT_HOOK, json!({"id": 3, "events": null})).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        assert!(
            error.hint.unwrap().starts_with("give at least one of `active`, `events`"),
            "{}",
            error.message
        );
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn a_secret_that_was_given_stands_in_no_error() {
    block_on(async {
        let says = r#"{"message":"bad value: Bearer s3cr3t is no header"}"#;
        let forge = Scripted::new([Answer::json(422, says)]).await;
        let given = json!({"id": 3, "authorization_header": "Bearer s3cr3t"});
        let error = call(&forge, &EDIT_HOOK_SECRETLY, given).await.unwrap_err();
        assert_eq!(error.message, "bad value: *** is no header");
        let given = json!({"id": 3, "authorization_header": "Bearer s3cr3t", "dry_run": true});
        let plan = json(call(&forge, &EDIT_HOOK_SECRETLY, given).await);
        assert_eq!(plan["body"]["authorization_header"], "***");
    });
}

#[test]
fn a_dry_run_shows_the_filled_body_and_of_secrets_only_what_the_caller_gave() {
    block_on(async {
        for (arguments, body) in [
            (
                json!({"id": 3, "dry_run": true, "active": false}),
                json!({"events": ["push", "issues_only"], "authorization_header": "***", "config": {"secret": "***"},
                    "active": false, "branch_filter": "main"}),
            ),
            (
                json!({"id": 3, "dry_run": true, "authorization_header": "mine", "active": true}),
                json!({"events": ["push", "issues_only"], "authorization_header": "mine", "config": {"secret": "***"},
                    "active": true, "branch_filter": "main"}),
            ),
        ] {
            let forge = Scripted::new(script()).await;
            let plan = json(call(&forge, &EDIT_HOOK, arguments).await);
            assert_eq!(
                (&plan["dry_run"], &plan["method"], &plan["body"]),
                (&json!(true), &json!("PATCH"), &body)
            );
            assert_eq!(forge.lines(), [READ]);
        }
    });
}

#[test]
fn a_confirmation_is_wanted_where_the_argument_is_true_and_before_anything_is_sent() {
    block_on(async {
        let forge = Scripted::new(script()).await;
        for active in [json!(true), json!("true")] {
            let error = call(&forge, &EDIT_HOOK, json!({"id": 3, "active": active})).await.unwrap_err();
            assert_eq!(error.code, Code::ConfirmationRequired);
            assert!(error.message.contains("PATCH /hooks/3 with active; nothing was sent"), "{error}");
        }
        assert_eq!(forge.lines(), [""; 0]);
        json(call(&forge, &EDIT_HOOK, json!({"id": 3, "active": true, "confirm": true})).await);
        assert_eq!(forge.lines(), [READ, WRITE]);
    });
}

#[test]
fn keys_of_a_map_are_texts_and_may_not_say_other_things_than_the_map() {
    block_on(async {
        let forge = Scripted::new(script()).await;
        let mut given = json!({"id": 3, "events": ["push"], "authorization_header": "x", "count": 5, "url": "https://y.example",
            "config": {"url": "https://other.example", "color": "red", "secret": "s"}});
        let error = call(&forge, &EDIT_HOOK, given.clone()).await.unwrap_err();
        assert_eq!((error.code, forge.lines()), (Code::InvalidArguments, Vec::new()), "{error}");
        given["config"]["url"] = "https://y.example".into();
        json(call(&forge, &EDIT_HOOK, given).await);
        let config = json!({"url": "https://y.example", "count": "5", "color": "red", "secret": "s"});
        assert_eq!(sent(&forge).1["config"], config);
    });
}

#[test]
fn a_length_of_time_is_sent_as_seconds() {
    block_on(async {
        for (given, seconds) in [
            (json!("1h30m"), 5400),
            (json!("90m"), 5400),
            (json!("2h"), 7200),
            (json!(" 45s "), 45),
            (json!("1d"), 86400),
            (json!("1d1h1m1s"), 90061),
            (json!("120"), 120),
            (json!(120), 120),
        ] {
            let forge = Scripted::agreeable().await;
            json(call(&forge, &ADD_TIME, json!({"duration": given})).await);
            assert_eq!(sent(&forge).1, json!({"time": seconds}), "{given}");
        }
        let forge = Scripted::agreeable().await;
        json(call(&forge, &ADD_TIME, json!({"seconds": 7})).await);
        assert_eq!(sent(&forge).1, json!({"time": 7}));
    });
}

#[test]
fn what_is_no_length_of_time_is_an_error_that_names_the_form_and_sends_nothing() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        for given in ["", "h", "1h30", "30m1h", "1m2m", "-5m", "1.5h", "1 h", "an hour", "9999999999999999d"]
        {
            let error = call(&forge, &ADD_TIME, json!({"duration": given})).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments);
            assert!(
                error.message.contains("expected a length of time, as 1h30m, 90m, 45s, 1d (24 hours)"),
                "{error}"
            );
        }
        for given in [json!({}), json!({"duration": "1h", "seconds": 3600})] {
            assert_eq!(call(&forge, &ADD_TIME, given).await.unwrap_err().code, Code::InvalidArguments);
        }
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn the_files_of_one_commit_are_sent_as_base64_whether_they_come_as_text_or_as_bytes() {
    block_on(async {
        let tool = OPERATIONS.iter().find(|tool| tool.name == "change_files").unwrap();
        let change = |files: Value| json!({ "owner": "acme", "repo": "widget", "files": files });
        let forge = Scripted::new([Answer::json(201, "{}")]).await;
        let files = json!([
            { "operation": "create", "path": "a.txt", "content": "t\u{e9}xt\n" },
            { "operation": "create", "path": "b.bin", "content_base64": " AP\n8K" },
            { "operation": "delete", "path": "c", "sha": "abc" },
            { "operation": "create", "path": "d", "content": "", "content_base64": null },
        ]);
        json(call(&forge, tool, change(files)).await);
        let files = json!([
            { "operation": "create", "path": "a.txt", "content": "dMOpeHQK" },
            { "operation": "create", "path": "b.bin", "content": "AP8K" },
            { "operation": "delete", "path": "c", "sha": "abc" },
            { "operation": "create", "path": "d", "content": "" },
        ]);
        assert_eq!(sent(&forge).1["files"], files);

        let forge = Scripted::agreeable().await;
        for (more, said) in [
            (
                json!({ "content": "a", "content_base64": "YQ==" }),
                "argument `files[1]`: expected one of `content` and `content_base64`, got both",
            ),
            (
                json!({ "content_base64": "caf\u{e9}" }),
                "argument `files[1].content_base64`: expected base64, got \"caf\u{e9}\"",
            ),
        ] {
            let mut second = json!({ "operation": "create", "path": "b" });
            second.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let files = json!([{ "operation": "create", "path": "a", "content": "" }, second]);
            let error = call(&forge, tool, change(files)).await.unwrap_err();
            assert_eq!((error.code, error.message.as_str()), (Code::InvalidArguments, said));
        }
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn a_body_that_would_be_filled_from_a_read_that_fails_is_told_to_lack_it() {
    block_on(async {
        let forge = Scripted::new([Answer::json(404, "{}")]).await;
        let plan = json(call(&forge, &EDIT_HOOK, json!({"id": 3, "active": false, "dry_run": true})).await);
        assert_eq!(plan["body"], json!({"active": false}));
        let note = "what is not given of events, authorization_header, config.secret, branch_filter would be sent as it is, and \
            is not known here";
        assert_eq!(plan["note"], note);
    });
}

#[test]
fn a_file_is_looked_at_on_the_branch_that_is_written_to() {
    let update = OPERATIONS.iter().find(|operation| operation.name == "update_file").unwrap();
    block_on(async {
        for (branch, query) in [(json!("dev/x"), "?ref=dev%2Fx"), (json!(null), "")] {
            let forge = Scripted::agreeable().await;
            let given =
                json!({"path": "docs/a", "content": "x", "sha": "95b9", "branch": branch, "dry_run": true});
            json(call(&forge, update, common::rows::place(given)).await);
            assert_eq!(forge.lines(), [format!("GET /api/v1/repos/acme/widget/contents/docs/a{query}")]);
        }
    });
}
