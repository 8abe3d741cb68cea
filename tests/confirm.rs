//! Confirmation over the wire, in each way that a revision of the protocol has: who is asked, what counts as a yes, and
//! that nothing but a yes sends anything.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;
#[path = "common/forge.rs"]
mod forge;
#[path = "common/scripted.rs"]
mod scripted;

use std::time::Duration;

use child::{PATIENCE, Server, initialize, request};
use scripted::{Answer, Scripted};
use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const SENT: [&str; 1] = ["DELETE /api/v1/repos/acme/widget"];
const NOTHING: [&str; 0] = [];

fn widget() -> Value {
    json!({ "owner": "acme", "repo": "widget" })
}

fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirm": true } })
}

/// A client with its server and its forge.
struct Client {
    server: Server,
    forge: Scripted,
    version: &'static str,
    capabilities: Value,
}

impl Client {
    /// One that can ask its user.
    fn asking(version: &'static str, who: &str) -> Self {
        Self::new(version, json!({ "elicitation": {} }), &[("FORGEHAND_CONFIRM", who)])
    }

    fn new(version: &'static str, capabilities: Value, variables: &[(&str, &str)]) -> Self {
        let forge = forge::start([Answer::empty(204)]);
        let mut variables = variables.to_vec();
        variables.push(("FORGEHAND_TOOLSETS", "all"));
        let mut server = Server::start(&forge.base(), &variables);
        if version != MODERN {
            let mut hello = initialize(version);
            hello["params"]["capabilities"] = capabilities.clone();
            server.send(&hello);
            server.answer();
            server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        Self { server, forge, version, capabilities }
    }

    /// Sends a call with what else its params hold, and gives the next message.
    #[track_caller]
    fn call(&mut self, id: u64, tool: &str, arguments: &Value, more: Value) -> Value {
        let mut params = json!({ "name": tool, "arguments": arguments });
        if self.version == MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
        }
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        self.server.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        self.server.answer()
    }

    /// Calls, expects to be asked, and gives the question: its id or state, and the form.
    #[track_caller]
    fn asked(&mut self, id: u64, tool: &str, arguments: &Value) -> (Value, Value) {
        let message = self.call(id, tool, arguments, Value::Null);
        assert_eq!(self.forge.lines(), NOTHING, "nothing is sent before the answer");
        if self.version == MODERN {
            let result = &message["result"];
            assert_eq!(
                (&message["id"], &result["resultType"]),
                (&json!(id), &json!("input_required")),
                "{message}"
            );
            let question = &result["inputRequests"]["confirm"];
            assert_eq!(question["method"], "elicitation/create");
            return (result["requestState"].clone(), question["params"].clone());
        }
        assert_eq!(message["method"], "elicitation/create", "{message}");
        (message["id"].clone(), message["params"].clone())
    }

    /// Answers a question about a call, and gives what the call then comes to.
    #[track_caller]
    fn answer(&mut self, id: u64, tool: &str, arguments: &Value, question: &Value, said: Value) -> Value {
        if self.version == MODERN {
            let round = json!({ "requestState": question, "inputResponses": { "confirm": said } });
            return self.call(id, tool, arguments, round);
        }
        self.server.send(&json!({ "jsonrpc": "2.0", "id": question, "result": said }));
        self.server.answer()
    }
}

#[test]
fn what_is_confirmed_is_asked_first_and_no_secret_is_shown_to_whoever_confirms() {
    for version in LEGACY.into_iter().chain([MODERN]) {
        let mut client = Client::asking(version, "ask");
        let text = "see https://ana:hunter2@h.example and \u{202e}".repeat(40);
        let mut arguments = widget();
        let more =
            json!({ "index": 7, "style": "merge", "title": text, "message": text, "force_merge": true });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (_, form) = client.asked(2, "merge_pull_request", &arguments);
        let message = form["message"].as_str().unwrap();
        assert!(
            message.starts_with("Merge a pull request? Asked because of force_merge true. "),
            "{message}"
        );
        assert!(message.contains("https://***@h.example") && !message.contains("hunter2"), "{message}");
    }
}

/// The error of a call that was not confirmed.
#[track_caller]
fn refused(answer: &Value) -> (String, String) {
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["code"], "confirmation_required", "{answer}");
    assert_eq!(error["call"], "DELETE /repos/acme/widget");
    let text = |key: &str| error[key].as_str().unwrap().to_owned();
    assert!(text("message").contains("nothing was sent"), "{error}");
    (text("message"), text("hint"))
}

#[test]
fn every_revision_asks_in_its_own_way_and_a_yes_sends_the_call_once() {
    for version in LEGACY.into_iter().chain([MODERN]) {
        for who in ["auto", "ask"] {
            let mut client = Client::asking(version, who);
            let (question, form) = client.asked(2, "delete_repo", &widget());
            let message = form["message"].as_str().unwrap();
            let base = client.forge.base();
            let begin = format!("Delete a repository? It sends DELETE /repos/acme/widget to {base}");
            assert!(message.starts_with(&begin), "{message}");
            assert!(message.contains(r#"owner "acme", repo "widget""#), "{message}");
            assert!(message.ends_with("This cannot be undone."), "{message}");
            let schema = &form["requestedSchema"];
            assert_eq!(schema["properties"]["confirm"]["type"], "boolean", "{form}");
            assert_eq!((&schema["required"], &form["mode"]), (&json!(["confirm"]), &json!("form")));
            let answer = client.answer(3, "delete_repo", &widget(), &question, yes());
            assert_eq!(answer["result"]["structuredContent"]["done"], true, "{version} {answer}");
            assert_eq!(answer["id"], if version == MODERN { 3 } else { 2 });
            assert_eq!(client.forge.lines(), SENT);
        }
    }
}

#[test]
fn nothing_but_an_accepted_form_that_says_yes_sends_anything() {
    for version in ["2025-11-25", MODERN] {
        let mut client = Client::asking(version, "auto");
        for (at, said) in [
            json!({ "action": "decline" }),
            json!({ "action": "cancel" }),
            json!({ "action": "decline", "content": { "confirm": true } }),
            json!({ "action": "accept" }),
            json!({ "action": "accept", "content": {} }),
            json!({ "action": "accept", "content": { "confirm": false } }),
            json!({ "action": "accept", "content": { "confirm": "true" } }),
            json!({ "action": "accept", "content": { "yes": true } }),
        ]
        .into_iter()
        .enumerate()
        {
            let id = 10 + 2 * at as u64;
            let (question, _) = client.asked(id, "delete_repo", &widget());
            let answer = client.answer(id + 1, "delete_repo", &widget(), &question, said.clone());
            let (message, hint) = refused(&answer);
            assert!(message.starts_with("the user did not confirm: delete_repo"), "{said} {message}");
            assert!(hint.contains("do not send it again"), "{hint}");
        }
        assert_eq!(client.forge.lines(), NOTHING);
    }
}

#[test]
fn a_client_that_cannot_ask_is_told_what_is_enough() {
    for version in ["2025-11-25", MODERN] {
        for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
            let mut client = Client::new(version, capabilities.clone(), &[("FORGEHAND_CONFIRM", "ask")]);
            let sure = json!({ "owner": "acme", "repo": "widget", "confirm": true });
            let (message, hint) = refused(&client.call(2, "delete_repo", &sure, Value::Null));
            assert!(message.contains("nobody can be asked"), "{message}");
            assert!(hint.contains("--confirm ask") && hint.contains("elicitation"), "{hint}");
            assert_eq!(client.forge.lines(), NOTHING);

            let mut client = Client::new(version, capabilities, &[]);
            let (_, hint) = refused(&client.call(2, "delete_repo", &widget(), Value::Null));
            assert!(hint.contains("confirm: true"), "{hint}");
            assert_eq!(client.forge.lines(), NOTHING);
            assert_eq!(client.call(3, "delete_repo", &sure, Value::Null)["result"]["isError"], Value::Null);
            assert_eq!(client.forge.lines(), SENT);
        }
    }
}

#[test]
fn a_client_that_declares_to_ask_and_cannot_is_one_that_cannot() {
    for who in ["auto", "ask"] {
        let mut client = Client::asking("2025-11-25", who);
        let unknown = json!({ "code": -32601, "message": "elicitation/create" });
        for odd in [
            json!({ "error": unknown }),
            json!({ "result": {} }),
            json!({ "result": { "action": "perhaps" } }),
        ] {
            let (question, _) = client.asked(2, "delete_repo", &widget());
            let mut message = json!({ "jsonrpc": "2.0", "id": question });
            message.as_object_mut().unwrap().extend(odd.as_object().unwrap().clone());
            client.server.send(&message);
            refused(&client.server.answer());
        }
        assert_eq!(client.forge.lines(), NOTHING);
    }
}

#[test]
fn a_model_cannot_confirm_for_itself_where_the_user_is_always_asked() {
    let sure = json!({ "owner": "acme", "repo": "widget", "confirm": true });
    for version in ["2025-11-25", MODERN] {
        let mut client = Client::asking(version, "ask");
        let (question, _) = client.asked(2, "delete_repo", &sure);
        refused(&client.answer(3, "delete_repo", &sure, &question, json!({ "action": "decline" })));
        assert_eq!(client.forge.lines(), NOTHING);
        let mut client = Client::asking(version, "auto");
        client.call(2, "delete_repo", &sure, Value::Null);
        assert_eq!(client.forge.lines(), SENT, "it is enough where the caller may confirm");
    }
}

#[test]
fn where_nobody_has_to_confirm_nobody_is_asked() {
    for version in ["2025-11-25", MODERN] {
        let mut client = Client::asking(version, "off");
        let answer = client.call(2, "delete_repo", &widget(), Value::Null);
        assert_eq!(answer["result"]["structuredContent"]["done"], true, "{answer}");
        assert_eq!(client.forge.lines(), SENT);
    }
}

#[test]
fn nobody_is_asked_about_a_plan_or_about_arguments_that_are_wrong() {
    for version in ["2025-11-25", MODERN] {
        let mut client = Client::asking(version, "ask");
        let plan = json!({ "owner": "acme", "repo": "widget", "dry_run": true });
        let answer = client.call(2, "delete_repo", &plan, Value::Null);
        assert_eq!(answer["result"]["structuredContent"]["dry_run"], true, "{answer}");
        let answer = client.call(3, "delete_repo", &json!({ "owner": "acme" }), Value::Null);
        assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "invalid_arguments", "{answer}");
        // The plan reads what is there.
        assert_eq!(client.forge.lines(), ["GET /api/v1/repos/acme/widget"]);
    }
}

#[test]
fn a_state_counts_once_and_for_its_own_call_alone() {
    let mut client = Client::asking(MODERN, "ask");
    let (state, _) = client.asked(2, "delete_repo", &widget());
    let text = state.as_str().unwrap();
    let gadget = json!({ "owner": "acme", "repo": "gadget" });
    let error = |answer: &Value| {
        let error = answer["result"]["structuredContent"]["error"].clone();
        assert_eq!(error["code"], "confirmation_required", "{answer}");
        (error["message"].as_str().unwrap().to_owned(), error["hint"].as_str().unwrap().to_owned())
    };
    // Changed, cut, made up, another call's arguments, another tool's call.
    for (tool, arguments, state) in [
        ("delete_repo", widget(), format!("{text}x")),
        ("delete_repo", widget(), text[..text.len() - 4].to_owned()),
        ("delete_repo", widget(), text.replacen("rs1.A", "rs1.B", 1)),
        ("delete_repo", widget(), "e30".to_owned()),
        ("delete_repo", widget(), String::new()),
        ("delete_repo", gadget.clone(), text.to_owned()),
        ("convert_mirror", widget(), text.to_owned()),
    ] {
        let (message, hint) = error(&client.answer(3, tool, &arguments, &json!(state), yes()));
        assert!(message.contains("requestState"), "{tool} {state} {message}");
        assert!(hint.contains("asked anew"), "{hint}");
        assert_eq!(client.forge.lines(), NOTHING);
    }
    // The same call, written in another order, and without what confirms it.
    let same = json!({ "repo": "widget", "confirm": true, "owner": "acme" });
    let answer = client.answer(4, "delete_repo", &same, &state, yes());
    assert_eq!(answer["result"]["structuredContent"]["done"], true, "{answer}");
    let (message, hint) = error(&client.answer(5, "delete_repo", &widget(), &state, yes()));
    assert!(message.contains("used already") && hint.contains("look first"), "{message} {hint}");
    assert_eq!(client.forge.lines(), SENT, "what was answered twice is sent once");
    // Another process takes it for none of its own.
    let mut other = Client::asking(MODERN, "ask");
    client.forge.take_requests();
    let (fresh, _) = client.asked(6, "delete_repo", &widget());
    error(&other.answer(2, "delete_repo", &widget(), &fresh, yes()));
    assert_eq!(other.forge.lines(), NOTHING);
}

#[test]
fn a_round_without_an_answer_or_without_its_state_is_asked_anew() {
    let mut client = Client::asking(MODERN, "auto");
    let (state, _) = client.asked(2, "delete_repo", &widget());
    for round in [
        json!({ "requestState": state }),
        json!({ "requestState": state, "inputResponses": {} }),
        json!({ "requestState": state, "inputResponses": { "other": yes() } }),
        json!({ "inputResponses": { "confirm": yes() } }),
    ] {
        let answer = client.call(3, "delete_repo", &widget(), round.clone());
        assert_eq!(answer["result"]["resultType"], "input_required", "{round} {answer}");
        assert_ne!(answer["result"]["requestState"], state, "{round}");
    }
    assert_eq!(client.forge.lines(), NOTHING);
}

#[test]
fn a_call_that_is_cancelled_while_its_user_is_asked_sends_nothing_and_takes_the_question_back() {
    let mut client = Client::asking("2025-11-25", "auto");
    let (question, _) = client.asked(2, "delete_repo", &widget());
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } });
    client.server.send(&cancel);
    let withdrawn = client.server.answer();
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], question);
    // A yes that comes too late is none.
    client.server.send(&json!({ "jsonrpc": "2.0", "id": question, "result": yes() }));
    client.server.send(&request(3, "ping"));
    assert_eq!(client.server.answer(), json!({ "jsonrpc": "2.0", "id": 3, "result": {} }));
    client.server.end_input();
    let (code, rest, _) = client.server.exit_within(PATIENCE);
    assert_eq!((code, rest), (Some(0), vec![]));
    assert_eq!(client.forge.lines(), NOTHING);
}

#[test]
fn the_end_of_the_input_ends_a_question_and_an_answer_before_it_counts() {
    for (answers, sent) in [(false, &NOTHING[..]), (true, &SENT[..])] {
        let mut client = Client::asking("2025-11-25", "auto");
        let (question, _) = client.asked(2, "delete_repo", &widget());
        if answers {
            // The last line of all, without a newline.
            let answer = json!({ "jsonrpc": "2.0", "id": question, "result": yes() });
            client.server.raw(answer.to_string().as_bytes());
        }
        client.server.end_input();
        let (code, rest, _) = client.server.exit_within(PATIENCE);
        assert_eq!((code, rest.len(), &rest[0]["id"]), (Some(0), 1, &json!(2)), "{rest:?}");
        assert_eq!(rest[0]["result"]["isError"], if answers { Value::Null } else { json!(true) });
        assert_eq!(client.forge.lines(), sent);
    }
}

#[test]
fn questions_that_wait_hold_up_no_other_call_and_no_more_than_sixteen_wait() {
    let mut client = Client::asking("2025-11-25", "auto");
    let questions: Vec<Value> =
        (0..16).map(|at| client.asked(100 + at, "delete_repo", &widget()).0).collect();
    let answer = client.call(200, "delete_repo", &widget(), Value::Null);
    assert_eq!(answer["id"], 200);
    let (message, hint) = refused(&answer);
    assert!(message.contains("16 other questions") && hint.contains("again"), "{message} {hint}");
    let answer =
        client.call(201, "check_is_starred", &json!({ "owner": "acme", "repo": "widget" }), Value::Null);
    assert_eq!(answer["id"], 201, "a call that asks nobody runs: {answer}");
    client.forge.take_requests();
    // Answers in another order than the questions: each goes to its own call.
    for at in [15, 0, 7] {
        client.server.send(&json!({ "jsonrpc": "2.0", "id": questions[at], "result": yes() }));
        assert_eq!(client.server.answer()["id"], 100 + at);
    }
    assert_eq!(client.forge.lines(), [SENT[0]; 3]);
    assert!(client.server.answer_within(Duration::from_millis(200)).is_none(), "the others wait on");
}

#[test]
fn a_tool_that_another_calls_is_confirmed_as_if_called_itself() {
    for version in ["2025-11-25", MODERN] {
        let variables = [("FORGEHAND_CONFIRM", "ask"), ("FORGEHAND_DISCOVERY", "true")];
        let mut client = Client::new(version, json!({ "elicitation": { "form": {} } }), &variables);
        let inner = json!({ "name": "delete_repo", "arguments": { "repo": "acme/widget", "confirm": true } });
        let (question, form) = client.asked(2, "call_tool", &inner);
        assert!(form["message"].as_str().unwrap().contains("DELETE /repos/acme/widget"), "{form}");
        refused(&client.answer(3, "call_tool", &inner, &question, json!({ "action": "cancel" })));
        let (question, _) = client.asked(4, "call_tool", &inner);
        client.answer(5, "call_tool", &inner, &question, yes());
        assert_eq!(client.forge.lines(), SENT);
    }
}

#[test]
fn a_no_stays_one_and_is_never_told_as_something_that_may_have_happened() {
    let mut client = Client::asking(MODERN, "ask");
    let (state, _) = client.asked(2, "delete_repo", &widget());
    for (id, said) in [(3, json!({ "action": "decline" })), (4, yes()), (5, json!({ "action": "decline" }))] {
        let answer = client.answer(id, "delete_repo", &widget(), &state, said);
        let error = &answer["result"]["structuredContent"]["error"];
        assert_eq!(error["code"], "confirmation_required", "{answer}");
        let text = error.to_string();
        assert!(text.contains("the user did not confirm") && !text.contains("may have happened"), "{text}");
    }
    assert_eq!(client.forge.lines(), NOTHING);
}
