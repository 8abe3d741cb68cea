//! Tools over standard input and output, against a forge that answers by script: what is listed, what is sent, what
//! comes back, and what happens to a call that is slow, cancelled or late.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;
#[path = "common/forge.rs"]
mod forge;
#[path = "common/scripted.rs"]
mod scripted;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use child::{PATIENCE, Server, call, request};
use scripted::{Answer, Scripted};
use serde_json::{Value, json};

const NOWHERE: &str = "http://127.0.0.1:9";
const TOKEN: &str = "s3cr3t-t0ken";

fn issue() -> Answer {
    Answer::json(200, r#"{"number":1,"title":"Bolt is loose","state":"open","body":"It is."}"#)
}

fn one_issue() -> Value {
    json!({ "owner": "acme", "repo": "widget", "index": 1 })
}

#[track_caller]
fn error(answer: &Value) -> Value {
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    let error = result["structuredContent"]["error"].clone();
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text["error"], error);
    error
}

fn listed(server: &mut Server) -> Vec<Value> {
    server.send(&request(50, "tools/list"));
    let result = server.answer()["result"].clone();
    assert_eq!(result["nextCursor"], Value::Null, "one page holds them all");
    result["tools"].as_array().unwrap().clone()
}

#[test]
fn an_answer_is_structured_and_text_and_the_token_goes_to_the_forge_alone() {
    let forge = forge::start([issue()]);
    let mut server =
        Server::initialized(&forge.base(), &[("FORGEHAND_TOKEN", TOKEN), ("FORGEHAND_LOG", "trace")]);
    let answer = server.call(2, "get_issue_by_index", one_issue());
    let result = &answer["result"];
    assert_eq!(result["structuredContent"]["title"], "Bolt is loose");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    let sent = forge.request();
    assert_eq!(sent.line(), "GET /api/v1/repos/acme/widget/issues/1");
    assert_eq!(sent.header("authorization"), Some(format!("token {TOKEN}").as_str()));
    server.end_input();
    let (code, rest, stderr) = server.exit_within(PATIENCE);
    assert_eq!((code, rest), (Some(0), vec![]));
    assert!(!stderr.contains(TOKEN) && !answer.to_string().contains(TOKEN), "{stderr}");
}

#[test]
fn text_comes_as_it_is() {
    let diff = "diff --git a/x b/x\n+\"quoted\"\tand more\n";
    let forge = forge::start([Answer::new(200, "text/plain", diff)]);
    let mut server = Server::initialized(&forge.base(), &[]);
    let answer = server.call(2, "get_pull_request_diff", one_issue());
    assert_eq!(answer["result"]["content"], json!([{ "type": "text", "text": diff }]));
    assert_eq!(answer["result"].get("structuredContent"), None);
}

#[test]
fn the_checks_of_a_commit_are_asked_for_as_one_page_and_a_part_of_them_says_so() {
    let body = r#"{"state":"success","sha":"abc","total_count":1,"statuses":[{"context":"ci"}]}"#;
    let forge = forge::start([Answer::json(200, body).header("X-Total-Count", "120")]);
    let mut server = Server::initialized(&forge.base(), &[]);
    let answer = server.call(2, "get_commit_status", json!({ "repo": "acme/widget", "ref": "abc" }));
    let status = &answer["result"]["structuredContent"];
    assert!(status["note"].as_str().is_some_and(|note| note.contains(" of 120")), "{answer}");
    let target = forge.request().target;
    assert!(target.contains("page=1") && target.contains("limit=50"), "{target}");
}

#[test]
fn arguments_that_are_null_are_none() {
    let forge = forge::start([Answer::json(200, r#"{"id":1,"login":"ana"}"#)]);
    let mut server = Server::initialized(&forge.base(), &[]);
    assert_eq!(
        server.call(2, "get_my_user_info", Value::Null)["result"]["structuredContent"]["login"],
        "ana"
    );
    server.send(&json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "get_my_user_info" } }));
    assert_eq!(server.answer()["result"]["structuredContent"]["login"], "ana");
}

#[test]
fn what_the_forge_refuses_is_a_result_and_not_a_protocol_error() {
    for (answer, code) in [
        (Answer::json(401, r#"{"message":"invalid username, password or token"}"#), "unauthorized"),
        (Answer::json(403, r#"{"message":"no"}"#), "forbidden"),
        (Answer::json(404, r#"{"message":"gone"}"#), "not_found"),
        (Answer::json(409, r#"{"message":"busy"}"#), "conflict"),
        (Answer::json(422, r#"{"message":"[Name]: AlphaDashDot"}"#), "validation"),
    ] {
        let forge = forge::start([answer]);
        let mut server = Server::initialized(&forge.base(), &[]);
        let error = error(&server.call(2, "get_issue_by_index", one_issue()));
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(error["call"], "GET /repos/acme/widget/issues/1");
    }
    let mut server = Server::initialized(NOWHERE, &[]);
    assert_eq!(error(&server.call(2, "get_issue_by_index", one_issue()))["code"], "unreachable");
}

#[test]
fn an_argument_or_a_tool_that_is_unknown_sends_nothing() {
    let forge = forge::start([issue()]);
    let mut server = Server::initialized(&forge.base(), &[]);
    let mut arguments = one_issue();
    arguments["indx"] = json!(1);
    let error = error(&server.call(2, "get_issue_by_index", arguments));
    assert_eq!(error["code"], "invalid_arguments", "{error}");
    let answer = server.call(3, "get_isue_by_index", one_issue());
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["data"]["near"][0], "get_issue_by_index", "{answer}");
    assert_eq!(forge.lines(), [""; 0]);
}

#[test]
fn a_hidden_tool_is_not_listed_and_refused_with_the_option_that_hides_it() {
    for (variables, hidden, shown, option) in [
        (("FORGEHAND_READ_ONLY", "1"), "create_issue", "get_issue_by_index", "--read-only"),
        (
            ("FORGEHAND_TOOLS", "get_issue_by_index"),
            "list_branches",
            "get_issue_by_index",
            "add list_branches to --tools",
        ),
        (("FORGEHAND_TOOLSETS", "issues"), "list_branches", "get_issue_by_index", "--toolsets"),
        (("FORGEHAND_EXCLUDE_TOOLS", "create_issue"), "create_issue", "list_branches", "--exclude-tools"),
    ] {
        let forge = forge::start([issue()]);
        let mut server = Server::initialized(&forge.base(), &[variables]);
        let names: Vec<Value> = listed(&mut server).into_iter().map(|tool| tool["name"].clone()).collect();
        assert!(names.contains(&json!(shown)) && !names.contains(&json!(hidden)), "{variables:?} {names:?}");
        let error =
            error(&server.call(2, hidden, json!({ "owner": "acme", "repo": "widget", "title": "x" })));
        assert_eq!(error["code"], "refused");
        assert!(error["hint"].as_str().unwrap().contains(option), "{error}");
        assert_eq!(forge.lines(), [""; 0], "{variables:?}");
    }
}

#[test]
fn a_slow_answer_is_printed_after_the_input_has_ended() {
    // Longer than rmcp itself would wait.
    for delay in [Duration::from_millis(300), Duration::from_millis(5500)] {
        let forge = forge::start([issue().after(delay)]);
        let mut server = Server::initialized(&forge.base(), &[]);
        server.send(&call(2, "get_issue_by_index", one_issue()));
        server.end_input();
        let (code, answers, _) = server.exit_within(PATIENCE);
        assert_eq!((code, answers.len()), (Some(0), 1));
        assert_eq!(answers[0]["result"]["structuredContent"]["number"], 1, "{answers:?}");
    }
}

#[test]
fn everything_that_was_sent_before_the_input_ended_is_answered() {
    let forge = forge::start([issue().after(Duration::from_millis(20))]);
    let mut server = Server::initialized(&forge.base(), &[]);
    let count = 200;
    for id in 0..count {
        server.send(&call(100 + id, "get_issue_by_index", one_issue()));
    }
    server.end_input();
    let (code, answers, _) = server.exit_within(PATIENCE);
    let mut ids: Vec<u64> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!((code, ids), (Some(0), (100..100 + count).collect()));
}

#[test]
fn a_client_that_reads_nothing_is_held_up_and_answered_when_it_reads() {
    let body = "x".repeat(20_000);
    let forge = forge::start([Answer::json(200, &json!({ "number": 1, "body": body }).to_string())]);
    let mut command = child::command(&["serve"]);
    command.env("FORGEHAND_URL", forge.base()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let count = 600;
    let writer = std::thread::spawn(move || {
        writeln!(stdin, "{}", child::initialize("2025-11-25")).unwrap();
        for id in 0..count {
            let call = call(100 + id, "get_issue_by_index", one_issue()).to_string();
            writeln!(stdin, "{call:>1000}").unwrap();
        }
    });
    let mut asked = 0;
    wait_until("it stops asking the forge", || {
        let before = std::mem::replace(&mut asked, forge.lines().len());
        std::thread::sleep(Duration::from_secs(1));
        asked >= 64 && asked == before
    });
    // Those that run at once, and whose answers fit into the pipe.
    assert!(asked < 70, "{asked}");
    // Nor is it read on without end: the pipes and what is open hold less than was sent.
    assert!(!writer.is_finished());
    let answers = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok).count();
    writer.join().unwrap();
    assert_eq!((process.wait().unwrap().code(), answers as u64), (Some(0), 1 + count));
}

#[test]
fn a_second_request_with_the_id_of_an_open_one_is_skipped() {
    let forge = forge::start([issue().after(Duration::from_millis(500))]);
    let mut server = Server::initialized(&forge.base(), &[]);
    server.send(&call(2, "get_issue_by_index", one_issue()));
    server.send(&call(2, "get_issue_by_index", one_issue()));
    server.end_input();
    let (code, answers, _) = server.exit_within(PATIENCE);
    assert_eq!((code, answers.len(), forge.lines().len()), (Some(0), 1, 1));
}

#[test]
fn a_cancelled_call_is_dropped_on_the_way_to_the_forge_and_not_answered() {
    let forge = forge::start([issue().after(Duration::from_secs(30))]);
    let mut server = Server::initialized(&forge.base(), &[]);
    server.send(&call(2, "get_issue_by_index", one_issue()));
    wait_until("the forge was asked", || is_asked(&forge));
    server.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } }),
    );
    wait_until("the forge saw the client leave", || forge.gone() == 1);
    server.send(&request(3, "ping"));
    assert_eq!(server.answer()["id"], 3);
    // Nothing is left to wait for.
    server.end_input();
    let (code, rest, _) = server.exit_within(Duration::from_secs(1));
    assert_eq!((code, rest), (Some(0), vec![]));
}

#[test]
fn a_call_that_outlives_its_time_is_answered() {
    let forge = forge::start([issue().after(Duration::from_secs(30))]);
    let mut server = Server::initialized(&forge.base(), &[("FORGEHAND_TIMEOUT", "1")]);
    let start = Instant::now();
    let read = error(&server.call(2, "get_issue_by_index", one_issue()));
    assert_eq!(read["code"], "timeout", "{read}");
    let write = json!({ "owner": "acme", "repo": "widget", "title": "x" });
    let write = error(&server.call(3, "create_issue", write));
    assert_eq!(write["code"], "outcome_unknown", "{write}");
    assert!(start.elapsed() < Duration::from_secs(8));
}

#[cfg(unix)]
#[test]
fn a_signal_waits_for_no_slow_call() {
    let forge = forge::start([issue().after(Duration::from_secs(30))]);
    let mut server = Server::initialized(&forge.base(), &[]);
    server.send(&call(2, "get_issue_by_index", one_issue()));
    wait_until("the forge was asked", || is_asked(&forge));
    server.signal("TERM");
    assert_eq!(server.exit_within(Duration::from_secs(2)).0, Some(0));
}

#[test]
fn the_demo_needs_no_forge_and_says_what_it_is() {
    let mut command = child::command(&["serve", "--demo"]);
    command.env("FORGEHAND_URL", NOWHERE);
    let mut server = Server::spawn(command);
    server.send(&child::initialize("2025-11-25"));
    let instructions = server.answer()["result"]["instructions"].as_str().unwrap().to_owned();
    assert!(instructions.contains("recording"), "{instructions}");
    let answer = server.call(2, "list_repo_issues", json!({ "repo": "acme/widget" }));
    let list = &answer["result"]["structuredContent"];
    assert!(list["items"].as_array().is_some_and(|items| !items.is_empty()), "{answer}");
    assert!(list["total"].as_u64().unwrap() > 30 && list["next"]["page"] == 2, "{list}");
    // A merge that is only scheduled, and scheduled once more.
    let merge = json!({ "repo": "acme/playground", "index": 100, "style": "merge", "merge_when_checks_succeed": true });
    let answer = server.call(3, "merge_pull_request", merge.clone());
    let scheduled = json!({ "merged": false, "scheduled": true, "status": 201 });
    assert_eq!(answer["result"]["structuredContent"], scheduled, "{answer}");
    let again = error(&server.call(4, "merge_pull_request", merge));
    assert!(
        again["message"].as_str().unwrap().starts_with("it was not merged: it is scheduled already"),
        "{again}"
    );
    server.end_input();
    let (code, _, stderr) = server.exit_within(PATIENCE);
    assert_eq!(code, Some(0));
    assert!(stderr.contains("--demo wins"), "{stderr}");
}

/// Whether the call itself came to the forge; the question for the release comes before it.
fn is_asked(forge: &Scripted) -> bool {
    forge.lines() == ["GET /api/v1/repos/acme/widget/issues/1"]
}

#[track_caller]
fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
