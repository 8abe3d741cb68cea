//! The command line: what goes to which stream, exit codes, help and error texts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;
#[path = "common/forge.rs"]
mod forge;
#[path = "common/scripted.rs"]
mod scripted;

use std::io::{Read, Write};
use std::process::{Output, Stdio};

use child::command;
use scripted::{Answer, Scripted};
use serde_json::{Value, json};

const ISSUE: [&str; 5] = ["call", "get_issue_by_index", "owner=acme", "repo=widget", "index=1"];

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command(arguments).envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap()
}

fn against(forge: &Scripted, arguments: &[&str]) -> Output {
    run(arguments, &[("FORGEHAND_URL", &forge.base())])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn issue() -> Answer {
    Answer::json(200, r#"{"number":1,"title":"Bolt is loose","state":"open"}"#)
}

#[test]
fn help_says_what_each_command_does_with_examples() {
    for command in ["", "serve", "call", "tools", "scopes", "completions"] {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let output = run(&arguments, &[]);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
        let help = text(&output.stdout);
        assert!(!help.contains("--token "), "a token on a command line is visible to everybody: {help}");
        insta::assert_snapshot!(
            format!("help_{}", if command.is_empty() { "forgehand" } else { command }),
            help
        );
    }
}

#[test]
fn a_fault_of_usage_ends_with_2_and_says_what_would_be_right() {
    let none: &[(&str, &str)] = &[];
    let somewhere: &[(&str, &str)] = &[("FORGEHAND_URL", "http://127.0.0.1:9")];
    let mut said = String::new();
    for (arguments, variables) in [
        (&["frobnicate"][..], none),
        (&["serve"], none),
        (&["serve", "--url", "https://ana:s3cr3t@forge.example"], none),
        (&["serve", "--url", "forge.example"], none),
        (&["serve", "--toolsets", "isues"], somewhere),
        (&["serve", "--exclude-tools", "get_isue_by_index"], somewhere),
        (&["serve", "--toolsets", ""], somewhere),
        (&["serve", "--timeout", "0"], somewhere),
        (&["serve"], &[("FORGEHAND_URL", "http://127.0.0.1:9"), ("FORGEHAND_READ_ONLY", "perhaps")]),
        (&["serve", "--token-file", "/nowhere/token"], somewhere),
        (&["call", "get_isue_by_index"], somewhere),
        (&["call", "get_issue_by_index", "owner"], somewhere),
        (&["call", "get_issue_by_index", "owner=a", "owner=b"], somewhere),
        (&["call", "get_issue_by_index", "index:=one"], somewhere),
        (&["call", "get_issue_by_index", "--args", "[]"], somewhere),
        (&["call", "get_issue_by_index", "--args", "{"], somewhere),
        (&["call", "get_issue_by_index", "owner=acme", "repo=widget"], somewhere),
        (&["call", "get_issue_by_index", "owner=acme", "repo=widget", "indx=1"], somewhere),
    ] {
        let output = run(arguments, variables);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        let stderr = text(&output.stderr);
        assert!(!stderr.contains("s3cr3t"), "{stderr}");
        said.push_str(&format!("$ forgehand {}\n{stderr}\n", arguments.join(" ")));
    }
    insta::assert_snapshot!("usage_errors", said);
}

#[test]
fn exit_codes_say_what_kind_of_failure_it_was() {
    for (answer, code) in [
        (issue(), 0),
        (Answer::json(422, r#"{"message":"no"}"#), 2),
        (Answer::json(404, r#"{"message":"gone"}"#), 3),
        (Answer::json(401, r#"{"message":"who"}"#), 4),
        (Answer::json(403, r#"{"message":"no"}"#), 4),
        (Answer::json(409, r#"{"message":"busy"}"#), 5),
    ] {
        let forge = forge::start([answer]);
        let output = against(&forge, &ISSUE);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert_eq!((output.stdout.is_empty(), stderr.is_empty()), (code != 0, code == 0), "{stderr}");
    }
    assert_eq!(run(&ISSUE, &[("FORGEHAND_URL", "http://127.0.0.1:9")]).status.code(), Some(6));
    let read_only = [("FORGEHAND_URL", "http://127.0.0.1:9"), ("FORGEHAND_READ_ONLY", "1")];
    let create = ["call", "create_issue", "repo=acme/widget", "title=x"];
    assert_eq!(run(&create, &read_only).status.code(), Some(5));
}

#[test]
fn how_long_to_wait_is_told_in_words_too() {
    let forge = forge::start([Answer::empty(429).header("Retry-After", "600")]);
    let stderr = text(&against(&forge, &ISSUE).stderr);
    assert!(stderr.contains("\n  try again after 600 seconds"), "{stderr}");
}

#[test]
fn an_instance_that_is_too_old_is_refused_with_5_unless_any_version_is_given() {
    let forge = forge::start([issue()]).releases([Answer::release("1.24.2")]);
    let output = against(&forge, &ISSUE);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(5), 0));
    let stderr = text(&output.stderr);
    for part in ["1.24.2", "Forgejo 7.0 or newer", "--any-version"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    let output = against(&forge, &[&ISSUE[..], &["--any-version"]].concat());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn with_json_a_failure_is_the_error_object_on_standard_error() {
    let forge = forge::start([Answer::json(404, r#"{"message":"gone"}"#)]);
    let output = against(&forge, &[&ISSUE[..], &["--json"]].concat());
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&error["error"]["code"], &error["error"]["status"]), (&json!("not_found"), &json!(404)));
    assert!(output.stdout.is_empty());
}

#[test]
fn what_a_terminal_must_not_be_shown_is_escaped_in_the_error_object() {
    let message = "a\u{9b}2J\u{202e}b";
    let forge = forge::start([Answer::json(409, &json!({ "message": message }).to_string())]);
    let stderr = text(&against(&forge, &[&ISSUE[..], &["--json"]].concat()).stderr);
    assert!(stderr.contains("a\\u009b2J\\u202eb") && !stderr.contains('\u{202e}'), "{stderr}");
    let error: Value = serde_json::from_str(&stderr).unwrap();
    assert!(error["error"]["message"].as_str().unwrap().contains(message), "{stderr}");
}

#[test]
fn arguments_come_from_words_json_and_standard_input_and_words_win() {
    let json = r#"{"owner":"acme","repo":"widget","index":7}"#;
    for (arguments, stdin, target) in [
        (&["owner=acme", "repo=widget", "index=1"][..], "", "/repos/acme/widget/issues/1"),
        (&["repo=acme/widget", "index:=1"], "", "/repos/acme/widget/issues/1"),
        (&["--args", json], "", "/repos/acme/widget/issues/7"),
        (&["--args", json, "index=8"], "", "/repos/acme/widget/issues/8"),
        (&["--args", "-"], json, "/repos/acme/widget/issues/7"),
    ] {
        let forge = forge::start([issue()]);
        let mut call = command(&[&["call", "get_issue_by_index"], arguments].concat());
        call.env("FORGEHAND_URL", forge.base()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = call.spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
        assert_eq!(forge.lines(), [format!("GET /api/v1{target}")], "{arguments:?}");
    }
}

#[test]
fn a_value_with_equals_signs_or_brackets_is_sent_byte_for_byte() {
    let forge = forge::start([Answer::json(201, r#"{"number":2}"#)]);
    let arguments = ["call", "create_issue", "repo=acme/widget", "title=[1,2]", "body={\"a\"=1} = \n é"];
    assert!(against(&forge, &arguments).status.success());
    let sent: Value = serde_json::from_slice(&forge.request().body).unwrap();
    assert_eq!(sent, json!({ "title": "[1,2]", "body": "{\"a\"=1} = \n é" }));
}

#[test]
fn a_dry_run_shows_the_request_and_sends_nothing() {
    let forge = forge::start([issue()]);
    let output = against(&forge, &["call", "create_issue", "repo=acme/widget", "title=x", "--dry-run"]);
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&plan["dry_run"], &plan["body"]), (&json!(true), &json!({ "title": "x" })));
    assert_eq!(forge.lines(), [""; 0]);
}

#[test]
fn a_dry_run_in_the_demo_tells_what_would_change_and_where_that_was_not_recorded_notes_it() {
    for (arguments, name, expected) in [
        (
            ["call", "star_repo", "repo=acme/widget", "--dry-run", "--demo"].as_slice(),
            "unchanged",
            json!(["starred"]),
        ),
        (
            &["call", "delete_milestone", "repo=acme/widget", "id=404404", "--dry-run", "--demo"],
            "note",
            json!(
                "what is there could not be read: The demo forge answers what was recorded, and this was not: GET \
                 /api/v1/repos/acme/widget/milestones/404404 as bob (GET /repos/acme/widget/milestones/404404, status 501)"
            ),
        ),
    ] {
        let output = run(arguments, &[]);
        let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&plan["dry_run"], &plan[name]), (&json!(true), &expected), "{plan}");
    }
}

#[test]
fn a_call_prints_exactly_what_the_tool_answers_over_mcp() {
    let forge = forge::start([issue()]);
    let mut server = child::Server::initialized(&forge.base(), &[]);
    let answer = server.call(2, "get_issue_by_index", json!({ "repo": "acme/widget", "index": 1 }));
    for json in [&[][..], &["--json"]] {
        let output = against(&forge, &[&ISSUE[..], json].concat());
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(printed, answer["result"]["structuredContent"]);
    }
}

#[test]
fn text_is_printed_as_it_is_and_with_json_as_an_object() {
    let diff = "diff --git a/x b/x\r\n+\u{1b}[31mred\n";
    let forge = forge::start([Answer::new(200, "text/plain", diff)]);
    let arguments = ["call", "get_pull_request_diff", "repo=acme/widget", "index=1"];
    assert_eq!(text(&against(&forge, &arguments).stdout), diff);
    let output = against(&forge, &[&arguments[..], &["--json"]].concat());
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), json!({ "text": diff }));
}

#[test]
fn what_is_told_of_a_text_goes_to_standard_error_or_into_the_object() {
    let sha = "7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4";
    let file = Answer::new(200, "text/plain", "a\nb\n").header("ETag", &format!("\"{sha}\""));
    let forge = forge::start([file]);
    let call = ["call", "get_file_content", "repo=acme/widget", "path=a", "with_metadata=true"];
    let output = against(&forge, &call);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "a\nb\n"));
    let told = json!({ "size": 4, "encoding": "utf-8", "lines": 2, "sha": sha });
    assert_eq!(text(&output.stderr), format!("forgehand: beside the text: {told}\n"));
    let output = against(&forge, &[&call[..], &["--json"]].concat());
    assert!(output.stderr.is_empty());
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, json!({ "text": "a\nb\n", "size": 4, "encoding": "utf-8", "lines": 2, "sha": sha }));
}

#[test]
fn a_folder_is_used_where_an_option_allows_it() {
    let folder = std::env::temp_dir().join(format!("forgehand-folder-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("notes.txt"), "bolt").unwrap();
    let forge = forge::start([Answer::json(201, r#"{"id":1}"#), Answer::new(200, "application/zip", "zip")]);
    let root = folder.to_str().unwrap();
    let upload = ["call", "create_issue_attachment", "repo=acme/widget", "index=5", "file=notes.txt"];
    assert_eq!(against(&forge, &upload).status.code(), Some(5));
    assert_eq!(against(&forge, &[&upload[..], &["--upload-root", root]].concat()).status.code(), Some(0));
    assert!(forge.request().text().contains("filename=\"notes.txt\""));
    let save = ["call", "get_repo_archive", "repo=acme/widget", "archive=main.zip", "save_as=a.zip"];
    let output = against(&forge, &[&save[..], &["--download-root", root]].concat());
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told, json!({ "saved_as": "a.zip", "bytes": 3, "media_type": "application/zip" }));
    assert_eq!(std::fs::read(folder.join("a.zip")).unwrap(), b"zip");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn tools_describes_each_operation() {
    let tools: Vec<Value> = serde_json::from_slice(&run(&["tools", "--json"], &[]).stdout).unwrap();
    let keys = [
        "name",
        "title",
        "operation",
        "method",
        "path",
        "toolset",
        "effect",
        "default",
        "scope",
        "since",
        "until",
        "input_schema",
    ];
    for tool in &tools {
        assert_eq!(tool.as_object().unwrap().keys().collect::<Vec<_>>(), keys, "{tool}");
        assert!(tool["operation"].is_array() && tool["input_schema"].is_object());
        let is_scope = |scope: &Value| scope.as_str().is_some_and(|scope| scope.contains(':'));
        assert!(tool["scope"].as_array().is_some_and(|scopes| scopes.iter().all(is_scope)), "{tool}");
        for key in ["since", "until"] {
            let release = tool[key].as_str();
            assert!(tool[key].is_null() || release.is_some_and(|text| text.contains('.')), "{tool}");
        }
    }
    let issue = tools.iter().find(|tool| tool["name"] == "get_issue_by_index").unwrap();
    assert_eq!(issue["operation"], json!(["issueGetIssue"]));
    assert_eq!(issue["scope"], json!(["read:issue"]));
    assert_eq!(
        (&issue["method"], &issue["path"]),
        (&json!("GET"), &json!("/repos/{owner}/{repo}/issues/{index}"))
    );
    // What a client's configuration chooses does not hide what could be chosen.
    let chosen = run(&["tools", "--json"], &[("FORGEHAND_TOOLSETS", "issues")]);
    assert_eq!(serde_json::from_slice::<Vec<Value>>(&chosen.stdout).unwrap().len(), tools.len());
    let read = run(&["tools", "--read-only"], &[]);
    let read: Vec<Value> = serde_json::from_slice(&read.stdout).unwrap();
    assert!(!read.is_empty() && read.iter().all(|tool| tool["effect"] == "read"));
}

#[test]
fn a_token_is_read_from_its_file_and_goes_to_the_forge_alone() {
    let path = std::env::temp_dir().join(format!("forgehand-token-{}", std::process::id()));
    std::fs::write(&path, "s3cr3t\r\n").unwrap();
    let forge = forge::start([Answer::json(401, r#"{"message":"no"}"#)]);
    let output = against(&forge, &[&ISSUE[..], &["--token-file", path.to_str().unwrap()]].concat());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(forge.request().header("authorization"), Some("token s3cr3t"));
    assert!(!text(&output.stderr).contains("s3cr3t"), "{output:?}");
}

#[test]
fn a_token_does_not_follow_to_another_address() {
    for (variables, by_flag, note) in [
        (
            &[("FORGEJO_URL", "https://old.example"), ("FORGEJO_ACCESS_TOKEN", "s3cr3t")][..],
            false,
            "FORGEJO_ACCESS_TOKEN is not used: it belongs to FORGEJO_URL",
        ),
        (
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEHAND_TOKEN", "s3cr3t")],
            true,
            "FORGEHAND_TOKEN is not used: it belongs to FORGEHAND_URL",
        ),
    ] {
        let forge = forge::start([issue()]);
        let base = forge.base();
        let url = ["--url", base.as_str()];
        let mut call = command(&[&ISSUE[..], if by_flag { &url } else { &[] }].concat());
        call.env("FORGEHAND_URL", &base).envs(variables.iter().copied());
        let output = call.output().unwrap();
        assert_eq!(forge.request().header("authorization"), None);
        let stderr = text(&output.stderr);
        assert!(stderr.contains(note) && !stderr.contains("s3cr3t"), "{stderr}");
    }
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    for arguments in [&["tools", "--json"][..], &["--help"], &["completions", "zsh"]] {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn version_and_completions_are_printed() {
    let version = run(&["--version"], &[]);
    assert_eq!(text(&version.stdout), format!("forgehand {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell], &[]);
        assert!(output.status.success() && text(&output.stdout).contains("forgehand"), "{shell}");
    }
}

#[test]
fn the_demo_answers_without_any_setting() {
    let output = run(&["call", "list_repo_issues", "--demo", "repo=acme/widget", "--json"], &[]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(list["items"].as_array().is_some_and(|items| !items.is_empty()), "{list}");
    assert!(output.stderr.is_empty());
}

#[test]
fn the_demo_wants_neither_proxy_nor_certificates() {
    let nobody = "http://127.0.0.1:9";
    let variables = [
        ("HTTP_PROXY", nobody),
        ("http_proxy", nobody),
        ("ALL_PROXY", nobody),
        ("SSL_CERT_FILE", "/nowhere"),
        ("SSL_CERT_DIR", "/nowhere"),
    ];
    let output = run(&["call", "get_my_user_info", "--demo", "--json"], &variables);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn what_was_not_recorded_is_said_with_what_is_near() {
    let output =
        run(&["call", "get_issue_by_index", "--demo", "repo=acme/widget", "index=9999", "--json"], &[]);
    let said: Value = serde_json::from_slice(&output.stderr).unwrap();
    let error = &said["error"];
    assert_eq!((&error["code"], output.status.code()), (&Value::from("unavailable_here"), Some(5)), "{said}");
    let near = error["near"].as_array().unwrap();
    assert!(near.iter().any(|n| n.as_str().unwrap().contains("/repos/acme/widget/issues")), "{said}");
    assert!(!error["message"].as_str().unwrap().contains("nearest"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_a_fault_of_usage() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    let output = command(&[]).arg(odd).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("fault of forgehand"), "{}", text(&output.stderr));
}

#[test]
fn the_log_names_each_request_by_the_place_that_it_goes_to() {
    let moved = Answer::empty(301).header("Location", "/api/v1/repos/acme/new/issues/1?s3cr3t=1");
    let forge = forge::start([moved, issue()]);
    let output = run(&ISSUE, &[("FORGEHAND_URL", &forge.base()), ("FORGEHAND_LOG", "debug")]);
    let log = text(&output.stderr);
    let told = |line: &str| log.matches(line).count();
    assert_eq!(told("GET /repos/acme/widget/issues/1: 301 in"), 1, "{log}");
    assert_eq!(told("GET /repos/acme/new/issues/1: 200 in"), 1, "{log}");
    assert!(!log.contains("s3cr3t"), "{log}");
}
