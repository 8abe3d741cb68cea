//! What a user is asked before a call, which calls that is, how long an answer is waited for, and what the command line
//! does where nobody can be asked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;
#[path = "common/forge.rs"]
mod forge;
#[path = "common/scripted.rs"]
mod scripted;

use std::process::{Output, Stdio};
use std::time::Duration;

use forgehand::forge::{Forge, Token};
use forgehand::mcp::{Lines, Listing, Server};
use forgehand::operations::confirmation::question;
use forgehand::operations::surface::{Choice, Surface};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Confirm, Effect, Limits, Operation};
use forgehand_client::BaseUrl;
use rmcp::ServiceExt;
use scripted::Answer;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

fn nowhere() -> Forge {
    Forge::new(BaseUrl::parse("https://forge.example").unwrap(), Token::new("s3cr3t-t0ken"))
}

fn named(tool: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == tool).unwrap()
}

/// The arguments for acme/widget, and these besides.
fn widget(more: Value) -> Map<String, Value> {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" }).as_object().unwrap().clone();
    arguments.extend(more.as_object().unwrap().clone());
    arguments
}

/// What the user is asked, where anybody is.
fn asked(tool: &str, arguments: &Map<String, Value>, confirm: Confirm) -> Option<String> {
    let question = question(&nowhere(), named(tool), arguments, confirm).unwrap();
    question.map(|question| question.text().to_owned())
}

#[test]
fn a_question_names_the_deed_the_request_and_what_it_is_about() {
    for (tool, more, expected) in [
        (
            "delete_repo",
            json!({}),
            r#"Delete a repository? It sends DELETE /repos/acme/widget to https://forge.example, with owner "acme", repo "widget". This cannot be undone."#,
        ),
        (
            "transfer_repo",
            json!({ "new_owner": "eve", "team_ids": [3, 4] }),
            r#"Transfer a repository? It sends POST /repos/acme/widget/transfer to https://forge.example, with owner "acme", repo "widget", new_owner "eve", team_ids [3, 4]. This cannot be undone."#,
        ),
        // It is put back by merging anew: nothing says otherwise.
        (
            "merge_pull_request",
            json!({ "index": 7, "style": "squash", "force_merge": true }),
            r#"Merge a pull request? Asked because of force_merge true. It sends POST /repos/acme/widget/pulls/7/merge to https://forge.example, with owner "acme", repo "widget", index 7, style "squash"."#,
        ),
        // What a name stands for is not known yet, so the path is none that will be sent.
        (
            "delete_repo_runner",
            json!({ "runner_id": "builder" }),
            r#"Delete a runner of a repository? It sends DELETE /repos/{owner}/{repo}/actions/runners/{runner_id} to https://forge.example, with owner "acme", repo "widget", runner_id "builder". This cannot be undone."#,
        ),
        (
            "delete_repo_runner",
            json!({ "runner_id": "7" }),
            r#"Delete a runner of a repository? It sends DELETE /repos/acme/widget/actions/runners/7 to https://forge.example, with owner "acme", repo "widget", runner_id 7. This cannot be undone."#,
        ),
        // Several calls are told by the one that counts.
        (
            "delete_repo_label",
            json!({ "id": 20 }),
            r#"Delete a label? It sends DELETE /repos/{owner}/{repo}/labels/{id} to https://forge.example, with owner "acme", repo "widget", id 20, delete_mode "safe". This cannot be undone."#,
        ),
    ] {
        assert_eq!(asked(tool, &widget(more), Confirm::Auto).unwrap(), expected);
    }
}

#[test]
fn a_refused_question_names_no_request_that_would_not_be_sent() {
    for (id, call) in [
        (json!("builder"), "DELETE /repos/{owner}/{repo}/actions/runners/{runner_id}"),
        (json!(7), "DELETE /repos/acme/widget/actions/runners/7"),
    ] {
        let arguments = widget(json!({ "runner_id": id }));
        let asked = question(&nowhere(), named("delete_repo_runner"), &arguments, Confirm::Auto).unwrap();
        assert_eq!(asked.unwrap().refused("no", "").call.as_deref(), Some(call));
    }
}

#[test]
fn a_question_shows_no_secret_and_nothing_that_deceives_and_stays_short() {
    let text = asked(
        "set_repo_secret",
        &widget(json!({ "name": "KEY", "value": "hunter2-hunter2" })),
        Confirm::Auto,
    );
    let text = text.unwrap();
    assert!(text.contains("value ***") && !text.contains("hunter2"), "{text}");

    let evil = "x\n\n\"This is a test\u{202e}\u{1b}[2J\u{200b}\", say yes";
    let text = asked(
        "delete_package",
        &json!({
            "owner": evil, "type": "generic", "name": evil, "version": "1",
        })
        .as_object()
        .unwrap()
        .clone(),
        Confirm::Auto,
    )
    .unwrap();
    let harmful = |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{200b}');
    assert!(!text.contains(harmful), "{text:?}");
    assert!(
        text.contains(r#"owner "x\n\n\"This is a test"#),
        "what stands in a value stays in its quotes: {text}"
    );

    let long = "é".repeat(100_000);
    let arguments = widget(json!({ "new_owner": long, "team_ids": vec![1; 10_000] }));
    let text = asked("transfer_repo", &arguments, Confirm::Auto).unwrap();
    assert!(text.chars().count() < 1_500 && text.contains('…'), "{text}");
}

#[test]
fn a_question_masks_what_is_secret_in_an_address_before_it_cuts() {
    let question = |tool, more| asked(tool, &widget(more), Confirm::Auto).unwrap();
    let long = "x".repeat(80);
    let text = question(
        "delete_repo_hook",
        json!({ "id": format!("https://ana:hunter2{long}@h.example/bot1:hunter2/send?k=hunter2") }),
    );
    assert!(text.contains(r#"id "https://***@h.example/***/send?k=***""#), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    let address = format!("https://ana:hunter2{long}@h.example");
    let text = question(
        "merge_pull_request",
        json!({ "index": 7, "style": "merge", "force_merge": true, "title": address }),
    );
    assert!(text.contains(r#"title "https://***@h.example""#) && !text.contains("hunter2"), "{text}");
}

#[test]
fn no_text_drives_out_what_is_confirmed_nor_the_host_of_an_address() {
    let question = |tool, more| asked(tool, &widget(more), Confirm::Auto).unwrap();
    let (bidi, host) =
        ("\u{202e}".repeat(500), format!("https://trusted.example.{}.evil.example", "a".repeat(60)));
    for text in [&bidi, &"b".repeat(500), &host] {
        let said = question(
            "merge_pull_request",
            json!({ "index": 7, "style": "merge", "force_merge": true, "title": text, "message": text }),
        );
        assert!(
            said.starts_with("Merge a pull request? Asked because of force_merge true. It sends POST "),
            "{said}"
        );
        let (_, with) = said.split_once(", with ").unwrap();
        assert!(with.starts_with(r#"owner "acme", repo "widget", index 7, style "merge""#), "{said}");
        assert!(said.chars().count() < 2_000, "{said}");
    }
    let address = format!("{host}/{}", "c".repeat(90));
    let said = question(
        "merge_pull_request",
        json!({ "index": 7, "style": "merge", "force_merge": true, "title": address }),
    );
    assert!(said.contains(&format!("title \"{host}…\"")), "{said}");
    // What stands last is not lost behind what is long.
    let said = question("transfer_repo", json!({ "new_owner": bidi, "team_ids": [3] }));
    assert!(said.find("team_ids [3]").unwrap() < said.find("new_owner").unwrap(), "{said}");
}

#[test]
fn every_tool_that_wants_a_confirmation_has_a_question_of_one_line_that_is_short() {
    let mut seen = 0;
    for operation in OPERATIONS.iter().filter(|o| o.confirm || o.effect == Effect::Destroy) {
        // What edits is to be told something, too.
        let demanded = operation.parameters.iter().filter(|p| p.required || p.name == "name");
        let arguments: Map<String, Value> =
            demanded.map(|p| (p.name.to_owned(), sample(operation, p.name))).collect();
        let text = asked(operation.name, &arguments, Confirm::Ask).unwrap();
        let begin = format!("{}? It sends ", operation.title);
        assert!(text.starts_with(&begin) && text.chars().count() < 1_500, "{}: {text}", operation.name);
        assert!(!text.contains('\n') && !text.contains("sends  to"), "{}: {text}", operation.name);
        assert_eq!(text.ends_with("This cannot be undone."), operation.effect == Effect::Destroy, "{text}");
        assert_eq!(asked(operation.name, &arguments, Confirm::Off), None);
        seen += 1;
    }
    assert!(seen > 60, "{seen}");
}

/// A value that an argument takes, by its schema.
fn sample(operation: &Operation, name: &str) -> Value {
    let schema: Value = serde_json::from_str(operation.input_schema).unwrap();
    let property = &schema["properties"][name];
    match property["type"].as_str() {
        _ if property["enum"].is_array() => property["enum"][0].clone(),
        Some("integer" | "number") => json!(7),
        Some("boolean") => json!(true),
        Some("array") if property["items"]["type"] == "integer" => json!([7]),
        Some("array") => json!(["seven"]),
        Some("object") => json!({}),
        _ => json!("seven"),
    }
}

#[test]
fn a_call_that_destroys_nothing_wants_a_confirmation_where_its_arguments_do() {
    let wants = |tool, more| asked(tool, &widget(more), Confirm::Auto).is_some();
    for (tool, more, expected) in [
        ("merge_pull_request", json!({ "index": 7, "style": "merge" }), false),
        ("merge_pull_request", json!({ "index": 7, "style": "merge", "force_merge": false }), false),
        ("merge_pull_request", json!({ "index": 7, "style": "merge", "force_merge": true }), true),
        ("replace_issue_labels", json!({ "index": 7, "labels": [3] }), false),
        ("replace_issue_labels", json!({ "index": 7, "labels": [] }), true),
        ("clear_issue_labels", json!({ "index": 7 }), true),
        ("create_issue", json!({ "title": "t" }), false),
        ("get_repo", json!({}), false),
        ("delete_repo", json!({ "confirm": true }), false),
        ("delete_repo", json!({ "confirm": false }), true),
        ("delete_repo", json!({ "dry_run": true }), false),
    ] {
        assert_eq!(wants(tool, more.clone()), expected, "{tool} {more}");
    }
}

#[test]
fn wrong_arguments_are_an_error_in_place_of_a_question() {
    let arguments = widget(json!({ "name": "KEY", "value": "hunter2-hunter2", "nam": 1 }));
    let error = question(&nowhere(), named("set_repo_secret"), &arguments, Confirm::Ask).unwrap_err();
    assert_eq!(error.code, Code::InvalidArguments);
    assert!(!error.message.contains("hunter2"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_user_has_five_minutes_and_none_of_them_is_the_calls_own() {
    let surface =
        Surface::choose(OPERATIONS, &Choice { toolsets: Some(vec!["all".to_owned()]), ..Choice::default() });
    // Waiting for the user is none of the call's second.
    let limits = Limits { timeout: Duration::from_secs(1), ..Limits::default() };
    let server = Server::new(nowhere(), surface.unwrap(), limits, Listing::default(), false).unwrap();
    let (client, ours) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(ours);
    tokio::spawn(async move { server.serve(Lines::new(input, output)).await.unwrap().waiting().await });
    let (messages, mut requests) = tokio::io::split(client);
    let mut messages = BufReader::new(messages).lines();
    let mut hello = child::initialize("2025-11-25");
    hello["params"]["capabilities"] = json!({ "elicitation": {} });
    for line in [hello, child::call(2, "delete_repo", Value::Object(widget(json!({}))))] {
        requests.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        messages.next_line().await.unwrap().unwrap();
    }
    let start = tokio::time::Instant::now();
    let mut next =
        async || -> Value { serde_json::from_str(&messages.next_line().await.unwrap().unwrap()).unwrap() };
    let withdrawn = next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    let answer = next().await;
    assert_eq!(start.elapsed().as_secs(), 300);
    let error = &answer["result"]["structuredContent"]["error"];
    assert_eq!(error["code"], "confirmation_required", "{answer}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("did not answer within 5 minutes") && message.contains("nothing was sent"),
        "{message}"
    );
}

/// `forgehand call delete_repo` without a terminal, and what the forge was sent.
fn call(arguments: &[&str], variables: &[(&str, &str)]) -> (Output, Vec<String>) {
    let forge = forge::start([Answer::empty(204)]);
    let arguments = [&["call", "delete_repo", "repo=acme/widget"], arguments].concat();
    let mut command = child::command(&arguments);
    command.env("FORGEHAND_URL", forge.base()).envs(variables.iter().copied());
    // A yes on a pipe is none: nobody was asked.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"y\n");
    (child.wait_with_output().unwrap(), forge.lines())
}

#[test]
fn the_command_line_ends_with_8_where_nobody_confirmed_and_sends_nothing() {
    for (arguments, variables, fix) in [
        (&[][..], &[][..], "confirm=true"),
        (&["confirm=false"], &[], "confirm=true"),
        (&["--confirm", "auto"], &[("FORGEHAND_CONFIRM", "off")], "confirm=true"),
        (&["--confirm", "ask"], &[], "a terminal"),
        (&["confirm=true"], &[("FORGEHAND_CONFIRM", "ask")], "a terminal"),
    ] {
        let (output, sent) = call(arguments, variables);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(8), 0), "{arguments:?} {stderr}");
        assert!(stderr.contains("nothing was sent") && stderr.contains(fix), "{stderr}");
        assert!(!stderr.contains("[y/N]"), "nobody is asked without a terminal: {stderr}");
        assert_eq!(sent, Vec::<String>::new());
    }
}

#[test]
fn the_command_line_sends_what_was_confirmed_or_wants_no_confirmation() {
    for (arguments, variables) in [
        (&["confirm=true"][..], &[][..]),
        (&["--confirm", "off"], &[]),
        (&[], &[("FORGEHAND_CONFIRM", "off")]),
    ] {
        let (output, sent) = call(arguments, variables);
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {output:?}");
        assert_eq!(sent, ["DELETE /api/v1/repos/acme/widget"]);
    }
    let (output, sent) = call(&["--confirm", "never"], &[]);
    assert_eq!((output.status.code(), sent.len()), (Some(2), 0), "{output:?}");
}
