//! Lines that are not read: too long ones, and those of too many values. Each request gets one answer, answers get
//! none, and memory stays bounded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;
#[path = "common/forge.rs"]
mod forge;
#[path = "common/scripted.rs"]
mod scripted;

use std::time::Duration;

use child::{PATIENCE, Server, call, initialize, request};
use scripted::Answer;
use serde_json::{Value, json};

const NOWHERE: &str = "http://127.0.0.1:9";
const MIB: usize = 1024 * 1024;

/// A line of more than 16 MiB, made of what stands before and behind a long text.
fn long(before: &str, behind: &str) -> Vec<u8> {
    format!("{before}{}{behind}\n", "x".repeat(17 * MIB)).into_bytes()
}

#[test]
fn a_line_that_is_too_long_is_answered_under_its_id_only_where_it_is_a_request() {
    let mut server = Server::initialized(NOWHERE, &[]);
    for (before, behind, expected) in [
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":""#, r#""}}"#, Some(json!(5))),
        (r#"{"params":{"a":""#, r#"","result":1},"method":"ping","id":"six"}"#, Some(json!("six"))),
        (r#"{"jsonrpc":"2.0","id":7,"result":{"a":""#, r#""}}"#, None),
        (r#"{"result":{"method":"ping","a":""#, r#""},"id":7}"#, None),
        (r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""#, r#""}}"#, None),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping","result":""#, r#""}"#, None),
        (r#"{"jsonrpc":"2.0","method":"notifications/odd","params":{"a":""#, r#""}}"#, None),
        // Nobody can tell what these are, and whoever sent them may wait.
        (r#"{"jsonrpc":"2.0","id":7,"a":""#, r#""}"#, Some(Value::Null)),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"},""#, r#""]"#, Some(Value::Null)),
    ] {
        server.raw(&long(before, behind));
        if let Some(id) = &expected {
            let answer = server.answer();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (id, &json!(-32600)), "{before}");
            assert!(answer["error"]["message"].as_str().unwrap().contains("longer than 16777216 bytes"));
        }
        server.send(&request(100, "ping"));
        assert_eq!(server.answer(), json!({ "jsonrpc": "2.0", "id": 100, "result": {} }), "after {before}");
    }
}

/// A line under the id of a request that is open is no second answer to it, whatever is wrong with the line.
#[test]
fn a_request_gets_one_answer_whatever_comes_under_its_id_meanwhile() {
    let issue = Answer::json(200, r#"{"number":1,"title":"Bolt is loose"}"#).after(Duration::from_secs(2));
    let forge = forge::start([issue]);
    let mut server = Server::initialized(&forge.base(), &[]);
    server.send(&call(7, "get_issue_by_index", json!({ "owner": "acme", "repo": "widget", "index": 1 })));
    server.raw(&long(r#"{"jsonrpc":"2.0","id":7,"result":{"a":""#, r#""}}"#));
    server.raw(&long(r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":""#, r#""}}"#));
    for line in [
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1e999}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{"a":1e999}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}"#,
    ] {
        server.raw(format!("{line}\n").as_bytes());
    }
    server.end_input();
    let (code, answers, _) = server.exit_within(PATIENCE);
    let own: Vec<&Value> = answers.iter().filter(|answer| answer["id"] == 7).collect();
    assert_eq!((code, own.len()), (Some(0), 1), "{answers:?}");
    assert_eq!(own[0]["result"]["structuredContent"]["title"], "Bolt is loose");
    // The one that is neither a request nor an answer has no id to be answered under.
    assert!(answers.iter().all(|answer| answer["id"] == 7 || answer["id"].is_null()), "{answers:?}");
}

/// The answer to a question that is too long to read is no yes, and nobody waits for another.
#[test]
fn a_users_answer_that_is_too_long_confirms_nothing_and_ends_the_question() {
    let forge = forge::start([Answer::empty(204)]);
    let mut server = Server::start(&forge.base(), &[("FORGEHAND_TOOLSETS", "all")]);
    let mut hello = initialize("2025-11-25");
    hello["params"]["capabilities"] = json!({ "elicitation": {} });
    server.send(&hello);
    server.answer();
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server.send(&call(2, "delete_repo", json!({ "owner": "acme", "repo": "widget" })));
    let question = server.answer();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let before = format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"action":"accept","content":{{"confirm":true}},"a":""#,
        question["id"]
    );
    server.raw(&long(&before, r#""}}"#));
    let answer = server.answer();
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(2), &json!(true)), "{answer}");
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "confirmation_required", "{answer}");
    assert_eq!(forge.lines(), [""; 0]);
}

/// Lines of up to 16 MiB that would be a hundred times as large in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_many_values_is_refused_by_name_of_the_bound_and_takes_bounded_memory() {
    let most = 16 * MIB - 200;
    let many = |part: &str| part.repeat(most / part.len());
    let request = |params: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"x","arguments":{params}}}}}"#
        )
    };
    let pings = many(r#"{"jsonrpc":"2.0","id":5,"method":"ping"},"#);
    for (what, line, id) in [
        ("numbers", format!("[{}0]", many("0,")), Value::Null),
        ("lists", format!("[{}0]", many("[0],")), Value::Null),
        ("pings", format!("[{}0]", pings), Value::Null),
        ("object", format!(r#"{{{}"a":1}}"#, many(r#""a":1,"#)), Value::Null),
        ("arguments", request(&format!(r#"{{"a":[{}0]}}"#, many("0,"))), json!(5)),
        ("objects", request(&format!(r#"{{"a":[{}0]}}"#, many(r#"{"a":1},"#))), json!(5)),
    ] {
        let mut server = Server::initialized(NOWHERE, &[]);
        let idle = server.most_memory();
        server.raw(format!("{line}\n").as_bytes());
        let answer = server.answer();
        let taken = server.most_memory() - idle;
        println!("{what}: {taken} KiB over {idle} KiB");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(-32600)), "{what}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("200000 values"), "{what}: {answer}");
        // The line, and room for it to grow.
        assert!(taken < 64 * 1024, "{what}: {taken} KiB");
    }
}

/// What just does not reach the bound.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_as_many_values_as_are_read_takes_bounded_memory_too() {
    for (what, part, count) in [
        ("numbers", "0,", 199_000),
        ("lists", "[0],", 99_000),
        ("objects", r#"{"a":1},"#, 66_000),
        ("strings", r#""a","#, 199_000),
    ] {
        let mut server = Server::initialized(NOWHERE, &[]);
        let idle = server.most_memory();
        let params = format!(r#"{{"name":"x","arguments":{{"a":[{}0]}}}}"#, part.repeat(count));
        server.raw(
            format!("{{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{params}}}\n")
                .as_bytes(),
        );
        let answer = server.answer();
        let taken = server.most_memory() - idle;
        println!("{what}: {taken} KiB over {idle} KiB");
        assert_eq!(answer["error"]["code"], -32602, "{what}: {answer}");
        assert!(taken < 200 * 1024, "{what}: {taken} KiB");
    }
}
