//! Secrets among the arguments and in the addresses of hooks: no answer, error or plan repeats one, in whatever form it was
//! given and wherever in them it would stand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::scripted::{Answer, Scripted};
use common::{TOKEN, block_on, call, json};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError};
use serde_json::{Value, json};

/// What stands for a secret in all of these tests, as a part of each.
const KEY: &str = "K3yK3y";

/// Addresses as the services of the forge's types of hooks give them out, and what may be told of them.
const RECEIVERS: [(&str, &str, &str); 9] = [
    (
        "telegram",
        "https://api.telegram.org/bot123:K3yK3y/sendMessage?chat_id=1",
        "https://api.telegram.org/***/sendMessage?chat_id=***",
    ),
    ("discord", "https://discord.com/api/webhooks/112233/K3yK3y", "https://discord.com/api/webhooks/***/***"),
    (
        "slack",
        "https://hooks.slack.com/services/T00/B00/K3yK3y",
        "https://hooks.slack.com/services/T00/B00/***",
    ),
    (
        "msteams",
        "https://a.logic.azure.com/workflows/0a1b/invoke?sig=K3yK3y",
        "https://a.logic.azure.com/workflows/***/invoke?sig=***",
    ),
    (
        "dingtalk",
        "https://oapi.dingtalk.com/robot/send?access_token=K3yK3y",
        "https://oapi.dingtalk.com/robot/send?access_token=***",
    ),
    (
        "wechatwork",
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=K3yK3y",
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=***",
    ),
    (
        "feishu",
        "https://open.feishu.cn/open-apis/bot/v2/hook/K3yK3y",
        "https://open.feishu.cn/open-apis/bot/v2/hook/***",
    ),
    (
        "packagist",
        "https://packagist.org/api/update-package?username=a&apiToken=K3yK3y",
        "https://packagist.org/api/update-package?username=***&apiToken=***",
    ),
    ("forgejo", "https://ci.example/hook", "https://ci.example/hook"),
];

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"))
}

/// The arguments for acme/widget, and these besides.
fn widget(more: &Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget", "confirm": true });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

/// The error that a call ends with, and what was sent.
async fn failed(name: &str, more: Value, answers: Vec<Answer>) -> (OperationError, Vec<String>) {
    let forge = Scripted::new(answers).await;
    let error = call(&forge, tool(name), widget(&more)).await.unwrap_err();
    (error, forge.lines())
}

#[test]
fn of_a_hooks_address_no_answer_and_no_plan_shows_the_key_of_any_type() {
    block_on(async {
        for (kind, address, shown) in RECEIVERS {
            let hook = json!({ "id": 3, "type": kind, "url": address, "config": { "url": address }, "active": true });
            let forge = Scripted::new([
                Answer::json(200, &hook.to_string()),
                Answer::json(200, &json!([hook]).to_string()),
            ])
            .await;
            let one = json(call(&forge, tool("get_repo_hook"), widget(&json!({ "id": 3 }))).await);
            let all = json(call(&forge, tool("list_repo_hooks"), widget(&json!({}))).await);
            assert_eq!((&one["url"], &all["items"][0]["url"]), (&json!(shown), &json!(shown)));
            assert!(!format!("{one}{all}").contains(KEY), "{one} {all}");

            let arguments = json!({ "type": kind, "url": address, "events": ["push"], "dry_run": true });
            let plan = json(call(&forge, tool("create_repo_hook"), widget(&arguments)).await);
            assert_eq!(plan["body"]["config"]["url"], shown);
            assert_eq!(plan["body"]["config"]["content_type"], "json", "{plan}");
            assert!(!plan.to_string().contains(KEY), "{plan}");
        }
    });
}

#[test]
fn of_a_hooks_address_no_error_tells_the_key_not_of_the_one_given_nor_of_those_near() {
    block_on(async {
        for (_, address, shown) in RECEIVERS {
            let rows = json!([{ "id": 7, "config": { "url": format!("{address}x") } }]).to_string();
            let (error, _) =
                failed("get_repo_hook", json!({ "id": address }), vec![Answer::json(200, &rows)]).await;
            let told = shown.split('?').next().unwrap();
            let said = format!("argument `id`: acme/widget has no hook called \"{told}\"");
            assert!(error.message.starts_with(&said), "{error}");
            let near = if shown == address { "https://ci.example/hookx" } else { "7" };
            assert_eq!(error.near, [near]);
            assert!(!format!("{error:?}").contains(KEY), "{error:?}");
            // The forge repeats what it could not use.
            let said = json!({ "message": format!("cannot deliver to {address}") }).to_string();
            let arguments = json!({ "url": address, "events": ["push"] });
            let (error, sent) = failed("create_repo_hook", arguments, vec![Answer::json(422, &said)]).await;
            assert_eq!((error.code, sent.len()), (Code::Validation, 1));
            assert!(error.message.contains("cannot deliver to https://"), "{error}");
            assert!(!format!("{error:?}").contains(KEY), "{error:?}");
        }
    });
}

#[test]
fn an_error_about_a_secret_tells_its_kind_alone_in_whatever_form_it_came() {
    block_on(async {
        for (name, more, said) in [
            (
                "set_repo_secret",
                json!({ "name": "A", "value": 84_729_913 }),
                "argument `value`: expected text, got a number",
            ),
            (
                "set_repo_secret",
                json!({ "name": "A", "value": ["hunter2"] }),
                "argument `value`: expected text, got a list",
            ),
            (
                "create_repo_hook",
                json!({ "url": "https://h", "config": "{\"secret\":\"hunter2\"," }),
                "argument `config`: expected an object whose values are text, got text",
            ),
            (
                "create_repo_hook",
                json!({ "url": "https://h", "config": { "pin": 84_729_913 } }),
                "argument `config.pin`: expected text, got a number",
            ),
            ("create_repo_hook", json!({ "url": 84_729_913 }), "argument `url`: expected text, got a number"),
        ] {
            let (error, sent) = failed(name, more.clone(), vec![]).await;
            assert_eq!((error.message.as_str(), sent.len()), (said, 0), "{more}");
            let all = format!("{error:?}");
            assert!(!all.contains("hunter2") && !all.contains("84729913"), "{all}");
        }
    });
}

#[test]
fn no_secret_that_the_forge_repeats_is_told_nor_the_start_of_one_that_was_cut() {
    block_on(async {
        let long = "z".repeat(1980);
        for (name, more, message) in [
            ("set_repo_secret", json!({ "name": "A", "value": "hunter2-hunter2" }), "no hunter2-hunter2"),
            ("set_repo_secret", json!({ "name": "A", "value": "a\"hunter2" }), r#"cannot read "a\"hunter2""#),
            (
                "set_repo_secret",
                json!({ "name": "A", "value": "hunter2-hunter2-hunter2" }),
                &format!("{long} hunter2-hunter2-hunter2 is too long"),
            ),
            (
                "create_repo_hook",
                json!({ "url": "https://h", "config": { "pin": "hunter2" } }),
                "pin hunter2 is wrong",
            ),
            (
                "create_repo_hook",
                json!({ "url": "https://h", "config": "{\"pin\":\"hunter2\"}" }),
                "pin hunter2 is wrong",
            ),
            (
                "create_repo_hook",
                json!({ "url": "https://ci.example/hunter2", "config": { "url": "https://ci.example/hunter2" } }),
                "no receiver at https://ci.example/hunter2",
            ),
            (
                "create_repo_hook",
                json!({ "url": "https://h" }),
                &format!("{long} https://ana:hunter2-hunter2@h"),
            ),
        ] {
            let answer = Answer::json(422, &json!({ "message": message }).to_string());
            let (error, sent) = failed(name, more.clone(), vec![answer]).await;
            assert_eq!((error.code, sent.len()), (Code::Validation, 1), "{error}");
            assert!(error.message.contains("***") && !format!("{error:?}").contains("hunter"), "{error:?}");
        }
    });
}

#[test]
fn a_dry_run_names_the_keys_of_a_hooks_configuration_and_shows_none_of_its_values() {
    block_on(async {
        let config = json!({ "url": "https://ci.example/hook", "content_type": "form", "pin": "hunter2", "channel": "hunter2" });
        let shown = json!({ "url": "https://ci.example/hook", "content_type": "form", "pin": "***", "channel": "***" });
        for (name, more) in [
            ("create_repo_hook", json!({ "url": "https://ci.example/hook" })),
            ("edit_repo_hook", json!({ "id": 3 })),
        ] {
            let hook = json!({ "id": 3, "config": config, "events": ["push"], "branch_filter": "", "authorization_header": "" });
            let forge = Scripted::new([Answer::json(200, &hook.to_string())]).await;
            let mut arguments = widget(&more);
            arguments["config"] = config.clone();
            arguments["dry_run"] = true.into();
            if name == "create_repo_hook" {
                arguments["config"].as_object_mut().unwrap().remove("url");
            }
            let plan = json(call(&forge, tool(name), arguments).await);
            assert_eq!(plan["body"]["config"], shown, "{name}");
            assert!(!plan.to_string().contains("hunter2"), "{plan}");
        }
    });
}

#[test]
fn the_token_stands_in_no_part_of_an_error() {
    block_on(async {
        let forge = Scripted::new([Answer::json(404, r#"{"message":"gone"}"#)]).await;
        let path = format!("{}/acme/widget/src/branch/{TOKEN}/dir/file", forge.base());
        let error = call(&forge, tool("get_file_content"), json!({ "path": path })).await.unwrap_err();
        assert!(error.hint.as_ref().unwrap().contains("[token]"), "{error:?}");
        assert!(!format!("{error:?}").contains(TOKEN), "{error:?}");

        let (error, _) =
            failed("get_repo", json!({ "owner": TOKEN }), vec![Answer::json(404, r#"{"message":"gone"}"#)])
                .await;
        assert_eq!(error.call.as_deref(), Some("GET /repos/[token]/widget"));

        let labels = json!([{ "id": 1, "name": TOKEN }]).to_string();
        let arguments = json!({ "index": 1, "labels": [format!("{TOKEN}z")] });
        let answers = vec![Answer::json(200, &labels), Answer::json(200, "[]")];
        let (error, _) = failed("replace_issue_labels", arguments, answers).await;
        assert_eq!(error.near, ["[token]"], "{error:?}");
        assert!(!format!("{error:?}").contains(TOKEN), "{error:?}");
    });
}

#[test]
fn a_password_in_an_address_is_masked_before_the_address_is_cut() {
    block_on(async {
        let address = format!("https://ana:hunter2{}@elsewhere.example/acme/widget", "x".repeat(80));
        let (error, sent) = failed("get_repo", json!({ "repo": address }), vec![]).await;
        assert_eq!(sent.len(), 0);
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        let address = format!("ana:hunter2{}@elsewhere.example", "x".repeat(80));
        let (error, _) =
            failed("list_repo_issues", json!({ "state": format!("https://{address}/x") }), vec![]).await;
        assert!(error.message.contains("https://***@elsewhere.example"), "{error:?}");
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    });
}

#[test]
fn a_secret_that_an_odd_answer_repeats_is_masked_there() {
    block_on(async {
        let echo = json!({ "you": { "sent": ["value=hunter2hunter2"] } });
        for (tool, more) in [
            ("set_my_secret", json!({})),
            ("set_org_secret", json!({ "org": "acme" })),
            ("set_repo_secret", json!({ "owner": "acme", "repo": "widget" })),
        ] {
            let forge = Scripted::new([Answer::json(201, &echo.to_string())]).await;
            let mut given = json!({ "name": "TOKEN", "value": "hunter2hunter2", "confirm": true });
            given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let operation = OPERATIONS.iter().find(|operation| operation.name == tool).unwrap();
            let outcome = call(&forge, operation, given).await;
            assert!(outcome.is_ok() && !format!("{outcome:?}").contains("hunter2"), "{tool}: {outcome:?}");
        }
        // One of digits may come back as a number.
        for echo in [json!([84_729_913]), json!({ "value": 84_729_913, "text": "84729913" })] {
            let forge = Scripted::new([Answer::json(201, &echo.to_string())]).await;
            let given = json!({ "name": "TOKEN", "value": "84729913", "confirm": true });
            let answer = json(call(&forge, tool("set_my_secret"), given).await);
            assert!(!answer.to_string().contains("84729913"), "{answer}");
        }
    });
}
