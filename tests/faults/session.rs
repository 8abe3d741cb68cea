//! A session as a client sees it: it starts whatever the token may do, and failures of the forge are results.

use serde_json::{Value, json};

use super::child::{Server, request};
use super::common::scripted::Answer;
use super::forges;

#[test]
fn a_narrow_token_and_a_closed_version_stop_neither_the_start_nor_other_tools() {
    let scope = "token does not have at least one of required scope(s): [read:user]";
    let forge = forges::start([
        Answer::json(200, r#"{"number":1,"title":"t"}"#),
        Answer::json(403, &json!({ "message": scope }).to_string()),
        Answer::json(401, r#"{"message":"invalid username, password or token"}"#),
    ]);
    let mut server = Server::initialized(&forge.base(), &[("FORGEHAND_TOKEN", "narrow")]);
    server.send(&request(2, "tools/list"));
    assert!(server.answer()["result"]["tools"].as_array().unwrap().len() > 20);
    assert_eq!(forge.lines(), Vec::<String>::new(), "nothing is asked before a tool is called");
    let answer = server.call(3, "get_issue_by_index", json!({"owner": "acme", "repo": "widget", "index": 1}));
    assert_eq!(answer["result"]["structuredContent"]["number"], 1, "{answer}");
    for (id, status, words) in [(4, 403, scope), (5, 401, "invalid username, password or token")] {
        let answer = server.call(id, "get_my_user_info", json!({}));
        let error = &answer["result"]["structuredContent"]["error"];
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!((&error["status"], &error["call"]), (&json!(status), &json!("GET /user")), "{answer}");
        assert!(error["message"].as_str().unwrap().contains(words), "{answer}");
        assert_eq!(answer.get("error"), None);
    }
}

#[test]
fn the_server_introduces_itself_and_not_its_library() {
    let mut server = Server::start("http://127.0.0.1:9", &[]);
    server.send(&super::child::initialize("2025-11-25"));
    let info = &server.answer()["result"]["serverInfo"];
    assert_eq!((&info["name"], &info["version"]), (&json!("forgehand"), &json!(env!("CARGO_PKG_VERSION"))));
}

#[test]
fn what_a_client_needs_is_a_result_with_objects_and_text_and_only_an_unknown_tool_is_none() {
    let forge =
        forges::start([Answer::json(200, r#"[{"number":1,"title":"t","user":null}]"#), Answer::empty(404)]);
    let mut server = Server::initialized(&forge.base(), &[]);
    let answer = server.call(2, "list_repo_issues", json!({"owner": "acme", "repo": "widget"}));
    let result = &answer["result"];
    assert_eq!(result["structuredContent"]["items"][0]["number"], 1, "{answer}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    let answer =
        server.call(3, "get_issue_by_index", json!({"owner": "acme", "repo": "widget", "index": 999}));
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let answer = server.call(4, "nope", json!({}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = server.call(5, "update_issue", json!({"owner": "acme", "repo": "widget", "index": "five"}));
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(forge.requests().len(), 2, "{:?}", forge.lines());
}

#[test]
fn an_instance_that_is_too_old_is_a_plain_result_of_each_call_and_any_version_lets_calls_through() {
    let gitea = || {
        let issue = Answer::json(200, r#"{"number":1,"title":"t"}"#);
        forges::start([issue]).releases([Answer::release("1.24.2")])
    };
    let issue = || json!({"owner": "acme", "repo": "widget", "index": 1});
    let forge = gitea();
    let tools = ("FORGEHAND_TOOLS", "get_issue_by_index,get_server_version");
    let mut server = Server::initialized(&forge.base(), &[tools]);
    for id in [2, 3] {
        let answer = server.call(id, "get_issue_by_index", issue());
        let error = &answer["result"]["structuredContent"]["error"];
        assert_eq!(
            (&answer["result"]["isError"], &error["code"]),
            (&json!(true), &json!("unavailable_here"))
        );
        for (field, part) in [("message", "1.24.2"), ("message", "7.0"), ("hint", "--any-version")] {
            assert!(error[field].as_str().unwrap().contains(part), "{answer}");
        }
        assert_eq!(answer.get("error"), None, "{answer}");
    }
    assert_eq!(forge.lines(), ["GET /api/v1/version"], "asked once, and nothing else");
    let answer = server.call(4, "get_server_version", json!({}));
    assert_eq!(answer["result"]["structuredContent"]["version"], "1.24.2", "{answer}");

    let forge = gitea();
    let mut server = Server::initialized(&forge.base(), &[("FORGEHAND_ANY_VERSION", "true")]);
    let answer = server.call(2, "get_issue_by_index", issue());
    assert_eq!(answer["result"]["structuredContent"]["number"], 1, "{answer}");
}

#[test]
fn whatever_the_forge_answers_is_a_result_of_the_call_and_no_error_of_the_protocol() {
    let page = "<!DOCTYPE html><html><body>Sign in</body></html>";
    let mut script = Vec::new();
    for status in [400, 401, 403, 404, 405, 409, 413, 422, 423, 429, 500, 501, 502, 503] {
        for answer in [
            Answer::empty(status),
            Answer::new(status, "text/plain", "no"),
            Answer::new(status, "text/html", page),
            Answer::json(status, r#"{"message":"no"}"#),
            Answer::json(status, "[1"),
        ] {
            script.push((answer.header("Retry-After", "3600"), status));
        }
    }
    for status in [301, 302, 303, 307] {
        script.push((Answer::empty(status).header("Location", "https://other.example/"), status));
    }
    script.push((Answer::new(200, "text/html", page), 200));
    script.push((Answer::json(200, "{"), 200));
    let statuses: Vec<u16> = script.iter().map(|(_, status)| *status).collect();
    let forge = forges::start(script.into_iter().map(|(answer, _)| answer).collect::<Vec<_>>());
    let mut server = Server::initialized(&forge.base(), &[]);
    for (id, status) in (2..).zip(&statuses) {
        let answer =
            server.call(id, "get_issue_by_index", json!({"owner": "acme", "repo": "widget", "index": 1}));
        assert_eq!((answer.get("error"), &answer["result"]["isError"]), (None, &json!(true)), "{answer}");
        let error = &answer["result"]["structuredContent"]["error"];
        assert_eq!(
            (&error["status"], &error["call"]),
            (&json!(status), &json!("GET /repos/acme/widget/issues/1"))
        );
        assert!(!error["message"].as_str().unwrap().is_empty(), "{answer}");
    }
    assert_eq!(forge.requests().len(), statuses.len());
}
