//! What is listed, hidden, found and refused, over MCP on standard input and output: options that choose tools, discovery,
//! output schemas.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/child.rs"]
mod child;

use std::net::TcpListener;

use child::{PATIENCE, Server, command, request};
use serde_json::{Value, json};

/// A forge that nobody should talk to.
struct Silent(TcpListener);

impl Silent {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    #[track_caller]
    fn heard_nothing(&self) {
        let error = self.0.accept().expect_err("something was sent");
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    }
}

/// The demo with these variables, past `initialize`.
fn demo(variables: &[(&str, &str)]) -> Server {
    let all: Vec<_> = variables.iter().copied().chain([("FORGEHAND_DEMO", "yes")]).collect();
    Server::initialized("http://127.0.0.1:9", &all)
}

fn list(server: &mut Server) -> Vec<Value> {
    server.send(&request(2, "tools/list"));
    server.answer()["result"]["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<String> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn error(answer: &Value) -> Value {
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    let error = result["structuredContent"]["error"].clone();
    assert_eq!(result["content"][0]["text"].as_str().unwrap(), json!({ "error": error }).to_string());
    error
}

const THREE: [&str; 3] = ["find_tool", "describe_tool", "call_tool"];

#[test]
fn discovery_lists_three_tools_after_those_that_were_chosen() {
    let mut plain = demo(&[]);
    let default = names(&list(&mut plain));
    assert!(!default.iter().any(|name| THREE.contains(&name.as_str())));
    for (toolsets, before) in [("", default.clone()), ("none", Vec::new())] {
        let mut server = demo(&[("FORGEHAND_DISCOVERY", "on"), ("FORGEHAND_TOOLSETS", toolsets)]);
        let expected: Vec<String> = before.into_iter().chain(THREE.map(str::to_owned)).collect();
        assert_eq!(names(&list(&mut server)), expected, "{toolsets:?}");
    }
    // Without discovery they are names like any other.
    for name in THREE {
        assert_eq!(plain.call(3, name, json!({}))["error"]["code"], -32602);
    }
}

#[test]
fn the_three_have_closed_schemas_titles_and_annotations() {
    for (read_only, destructive) in [("off", json!(true)), ("on", Value::Null)] {
        let variables = [
            ("FORGEHAND_DISCOVERY", "1"),
            ("FORGEHAND_TOOLSETS", "none"),
            ("FORGEHAND_READ_ONLY", read_only),
        ];
        let tools = list(&mut demo(&variables));
        assert_eq!(names(&tools), THREE);
        for tool in &tools {
            let (schema, hints) = (&tool["inputSchema"], &tool["annotations"]);
            assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
            assert!(schema["properties"].is_object() && tool["title"].is_string(), "{tool}");
            let calls = tool["name"] == "call_tool";
            assert_eq!(hints["readOnlyHint"] == true, !calls || read_only == "on", "{tool}");
            assert_eq!(hints["destructiveHint"], if calls { destructive.clone() } else { Value::Null });
        }
    }
}

#[test]
fn words_find_a_tool_that_is_described_and_runs_as_a_direct_call_does() {
    let mut server = demo(&[("FORGEHAND_DISCOVERY", "1"), ("FORGEHAND_TOOLSETS", "none")]);
    let found = server.call(3, "find_tool", json!({ "query": "branches of a repository", "limit": 3 }));
    let found = &found["result"]["structuredContent"];
    assert_eq!(found["items"][0]["name"], "list_branches", "{found}");
    assert!(found["items"].as_array().unwrap().len() <= 3);
    let told = server.call(4, "describe_tool", json!({ "name": "list_branches" }));
    let told = &told["result"]["structuredContent"];
    assert_eq!((&told["effect"], &told["listed"]), (&json!("read"), &json!(false)), "{told}");
    assert!(told["input_schema"]["properties"]["owner"].is_object(), "{told}");
    let arguments = json!({ "owner": "acme", "repo": "widget" });
    let called =
        server.call(5, "call_tool", json!({ "name": "list_branches", "arguments": arguments.clone() }));
    let direct = demo(&[]).call(5, "list_branches", arguments);
    assert!(direct["result"]["structuredContent"]["items"].is_array(), "{direct}");
    assert_eq!(called, direct);
    // Errors are the same as well.
    let wrong = json!({ "owner": "acme", "repo": "widget", "colour": "red" });
    let called = server.call(6, "call_tool", json!({ "name": "list_branches", "arguments": wrong.clone() }));
    assert_eq!(called, demo(&[]).call(6, "list_branches", wrong));
    assert_eq!(error(&called)["code"], "invalid_arguments");
}

#[test]
fn a_toolset_is_searched_or_looked_through() {
    let mut server = demo(&[("FORGEHAND_DISCOVERY", "1")]);
    let found = server.call(3, "find_tool", json!({ "toolset": "labels" }));
    let items = found["result"]["structuredContent"]["items"].as_array().unwrap().clone();
    assert!(!items.is_empty() && items.iter().all(|item| item["toolset"] == "labels"), "{found}");
    let none = server.call(4, "find_tool", json!({ "query": "xylophone" }));
    let none = &none["result"]["structuredContent"];
    assert_eq!((&none["items"], &none["total"]), (&json!([]), &json!(0)), "{none}");
    assert!(none["toolsets"].as_array().unwrap().contains(&json!("labels")), "{none}");
}

#[test]
fn what_discovery_is_asked_wrongly_is_an_error_that_helps_and_nothing_is_sent() {
    let silent = Silent::new();
    let mut server = Server::initialized(&silent.url(), &[("FORGEHAND_DISCOVERY", "1")]);
    for (tool, arguments, part) in [
        ("find_tool", json!({}), "query"),
        ("find_tool", json!({ "query": 7 }), "`query`"),
        ("find_tool", json!({ "words": "x" }), "accepted arguments: query, toolset, limit"),
        ("find_tool", json!({ "query": "x", "limit": 0 }), "1 to 60"),
        ("find_tool", json!({ "query": "x", "toolset": "lables" }), "did you mean labels"),
        ("describe_tool", json!({}), "`name`"),
        ("describe_tool", json!({ "name": "list_issues" }), "list_repo_issues"),
        ("call_tool", json!({ "name": "list_issues" }), "list_repo_issues"),
        ("call_tool", json!({ "name": "call_tool", "arguments": {} }), "call_tool"),
        ("call_tool", json!({ "name": "list_branches", "arguments": 7 }), "object"),
        ("call_tool", json!({ "name": "list_branches", "args": {} }), "accepted arguments: name, arguments"),
    ] {
        let answer = server.call(3, tool, arguments.clone());
        let error = error(&answer);
        assert_eq!(error["code"], "invalid_arguments", "{error}");
        assert!(error.to_string().contains(part), "{tool} {arguments}: {error}");
    }
    silent.heard_nothing();
}

#[test]
fn a_hidden_tool_is_refused_with_the_option_that_hides_it_and_nothing_is_sent() {
    let silent = Silent::new();
    let arguments = json!({ "owner": "acme", "repo": "widget", "title": "x", "branch": "x" });
    for (variables, option) in [
        (&[("FORGEHAND_EXCLUDE_TOOLS", "create_issue")][..], "--exclude-tools"),
        (&[("FORGEHAND_READ_ONLY", "true")], "--read-only"),
        (&[("FORGEHAND_TOOLSETS", "labels")], "--toolsets"),
        (&[("FORGEHAND_TOOLS", "list_branches")], "add create_issue to --tools"),
    ] {
        let mut server = Server::initialized(&silent.url(), variables);
        assert!(!names(&list(&mut server)).contains(&"create_issue".to_owned()));
        let refused = error(&server.call(3, "create_issue", arguments.clone()));
        assert_eq!(refused["code"], "refused", "{refused}");
        assert!(refused["message"].as_str().unwrap().contains("Nothing was sent"), "{refused}");
        assert!(refused["hint"].as_str().unwrap().contains(option), "{refused}");
        // Discovery reaches past toolsets, and past nothing else.
        let all: Vec<_> = variables.iter().copied().chain([("FORGEHAND_DISCOVERY", "1")]).collect();
        let mut server = Server::initialized(&silent.url(), &all);
        let direct = error(&server.call(4, "create_issue", arguments.clone()));
        let bound = ["--exclude-tools", "--read-only"].contains(&option);
        let hint = if bound { option } else { "call_tool" };
        assert!(direct["hint"].as_str().unwrap().contains(hint), "{direct}");
        if bound {
            let call = json!({ "name": "create_issue", "arguments": arguments });
            assert_eq!(error(&server.call(5, "call_tool", call)), refused);
            let found = server.call(6, "find_tool", json!({ "query": "create issue" }));
            assert!(!found.to_string().contains("\"create_issue\""), "{found}");
        }
    }
    silent.heard_nothing();
}

#[test]
fn an_unknown_tool_is_a_protocol_error_with_names_that_share_its_words() {
    let mut server = demo(&[]);
    let error = server.call(3, "list_issues", json!({}))["error"].clone();
    assert_eq!(error["code"], -32602);
    let near = error["data"]["near"].as_array().unwrap().clone();
    assert!(near.contains(&json!("list_repo_issues")) && near.contains(&json!("search_issues")), "{error}");
}

#[test]
fn a_retired_argument_is_refused_with_what_takes_its_place() {
    let silent = Silent::new();
    let mut server = Server::initialized(&silent.url(), &[]);
    for (tool, argument, instead) in [
        ("search_issues", "created_by", "created"),
        ("search_issues", "assigned_by", "assigned"),
        ("search_issues", "mentioned_by", "mentioned"),
        ("update_issue", "state", "issue_state_change"),
        ("update_issue", "labels", "replace_issue_labels"),
    ] {
        let answer = server.call(3, tool, json!({ argument: "bob" }));
        let error = error(&answer);
        assert_eq!(error["code"], "invalid_arguments");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(argument) && message.contains(&format!("use {instead}")), "{message}");
    }
    silent.heard_nothing();
}

#[test]
fn unknown_names_in_options_end_the_start_with_names_that_are_near() {
    for (option, name, near) in [
        ("--toolsets", "isues", "issues"),
        ("--tools", "list_issues", "list_repo_issues"),
        ("--exclude-tools", "create_isue", "create_issue"),
    ] {
        let output = command(&["serve", "--demo", option, name]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.contains(name) && said.contains(near), "{said}");
    }
}

#[test]
fn every_option_has_a_flag_and_a_variable_that_do_the_same() {
    let shown = |server: &mut Server| {
        let tools = list(server);
        let schemas = tools.iter().filter(|tool| tool.get("outputSchema").is_some()).count();
        let call = json!({ "owner": "acme", "repo": "widget" });
        let bytes = server.call(3, "list_repo_issues", call)["result"]["content"].to_string().len();
        (names(&tools), schemas > 0, bytes / 1000)
    };
    let plain = shown(&mut demo(&[]));
    for (flag, value, variable) in [
        ("--toolsets", Some("issues"), "FORGEHAND_TOOLSETS"),
        ("--tools", Some("list_repo_issues"), "FORGEHAND_TOOLS"),
        ("--exclude-tools", Some("create_issue"), "FORGEHAND_EXCLUDE_TOOLS"),
        ("--read-only", None, "FORGEHAND_READ_ONLY"),
        ("--output-schemas", None, "FORGEHAND_OUTPUT_SCHEMAS"),
        ("--discovery", None, "FORGEHAND_DISCOVERY"),
        ("--max-result-bytes", Some("300"), "FORGEHAND_MAX_RESULT_BYTES"),
        ("--timeout", Some("7"), "FORGEHAND_TIMEOUT"),
    ] {
        let by_variable = shown(&mut demo(&[(variable, value.unwrap_or("true"))]));
        let mut by_flag = command(&["serve", "--demo", flag]);
        by_flag.args(value);
        let mut by_flag = Server::spawn(by_flag);
        by_flag.send(&child::initialize("2025-11-25"));
        by_flag.answer();
        assert_eq!(shown(&mut by_flag), by_variable, "{flag}");
        assert_eq!(by_variable != plain, flag != "--timeout", "{flag}");
        // A value that is none is refused by the variable's name.
        let bad = if value.is_some() { "," } else { "perhaps" };
        let mut command = command(&["serve", "--demo"]);
        let output = command.env(variable, bad).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{variable}: {said}");
        assert!(said.contains(variable), "{said}");
    }
    // The time-out is one only where the forge is slow: its bounds are read all the same.
    let output = command(&["serve", "--demo", "--timeout", "0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn answers_are_what_their_output_schemas_say() {
    let mut server = demo(&[("FORGEHAND_OUTPUT_SCHEMAS", "1")]);
    let tools = list(&mut server);
    let repo = json!({ "owner": "acme", "repo": "widget" });
    let with = |more: Value| {
        let mut all = repo.as_object().unwrap().clone();
        all.extend(more.as_object().unwrap().clone());
        Value::Object(all)
    };
    let mut checked = 0;
    for (tool, arguments) in [
        ("get_my_user_info", json!({})),
        ("get_repo", repo.clone()),
        ("list_my_repos", json!({})),
        ("list_branches", repo.clone()),
        ("list_repo_issues", repo.clone()),
        ("list_repo_issues", with(json!({ "max_bytes": 300 }))),
        ("list_repo_issues", with(json!({ "colour": "red" }))),
        ("list_repo_labels", repo.clone()),
        ("list_repo_commits", repo.clone()),
        ("list_repo_pull_requests", repo.clone()),
        ("get_issue_by_index", with(json!({ "index": 1 }))),
        ("get_issue_by_index", with(json!({ "index": 1, "max_bytes": 200 }))),
        ("get_issue_by_index", with(json!({ "index": 424_242 }))),
        ("list_issue_comments", with(json!({ "index": 1 }))),
        ("create_issue", with(json!({ "title": "x", "body": "y", "dry_run": true }))),
        ("update_issue", with(json!({ "index": 1, "title": "x", "dry_run": true }))),
        ("merge_pull_request", with(json!({ "index": 2, "style": "merge", "dry_run": true }))),
    ] {
        let schema = tools.iter().find(|t| t["name"] == tool).and_then(|t| t.get("outputSchema"));
        let schema = schema.unwrap_or_else(|| panic!("{tool} has no output schema"));
        assert!(schema["type"] == "object" && schema.get("required").is_none(), "{schema}");
        let answer = server.call(3, tool, arguments.clone());
        let content = &answer["result"]["structuredContent"];
        assert!(content.is_object(), "{tool} {arguments}: {answer}");
        let faults: Vec<String> = jsonschema::validator_for(schema)
            .unwrap()
            .iter_errors(content)
            .map(|error| error.to_string())
            .collect();
        assert!(faults.is_empty(), "{tool} {arguments}: {faults:?}\n{content}");
        checked += usize::from(answer["result"]["isError"] != true);
    }
    assert!(checked >= 10, "{checked}");
    let text = tools.iter().find(|tool| tool["name"] == "get_pull_request_diff").unwrap();
    assert!(text.get("outputSchema").is_none(), "{text}");
    server.end_input();
    assert_eq!(server.exit_within(PATIENCE).0, Some(0));
}
