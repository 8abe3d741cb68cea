//! MCP over standard input and output: the session outlives bad lines, ends when it should, and keeps its output clean.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/child.rs"]
mod child;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use child::{PATIENCE, Server, initialize, request};
use serde_json::{Value, json};

/// An address where nothing listens: the session needs no forge.
const NOWHERE: &str = "http://127.0.0.1:9";
const MODERN: &str = "2026-07-28";

/// The params that 2026-07-28 asks of each request.
fn modern(id: u64, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }}})
}

/// Error code and id of an answer.
type Refusal = Option<(i64, Value)>;

/// Lines that are no request of MCP, and the error code and id of the answer that each gets, if any.
fn bad_lines() -> Vec<(&'static [u8], Refusal)> {
    let refused = |id: Value| Some((-32600, id));
    let unread = |id: Value| Some((-32700, id));
    let nested = ["[".repeat(200), "]".repeat(200)].concat();
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{nested}}}\n")
        .into_bytes()
        .leak();
    vec![
        (b"not json\n", None),
        (b"\n", None),
        (b"\r\n", None),
        (b" \t \n", None),
        (b"\xEF\xBB\xBF\n", None),
        (b"\xFF\xFE\x00\n", None),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5,\n", None),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/odd\"}\n", None),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":7}\n", None),
        (
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}\n",
            None,
        ),
        (b"{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n", None),
        (b"{\"jsonrpc\":\"2.0\",\"id\":99,\"error\":{\"code\":1,\"message\":\"no\"}}\n", None),
        // Whoever sent these waits for an answer: they have an id and a method of their own.
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"a\":1e999}}\n", unread(json!(7))),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"a\":\"\xFF\"}}\n",
            unread(json!(7)),
        ),
        (b"{\"method\":\"ping\",\"params\":{\"id\":1},\"id\":\"a\",,}\n", unread(json!("a"))),
        (deep, unread(json!(7))),
        // An answer, and a notification.
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"method\":\"x\",\"code\":1e999}}\n", None),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{\"id\":1e999}}\n", None),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{}}\n",
            Some((-32602, json!(7))),
        ),
        (b"{}\n", refused(Value::Null)),
        (b"[]\n", refused(Value::Null)),
        (b"7\n", refused(Value::Null)),
        (b"null\n", refused(Value::Null)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n", refused(Value::Null)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}\n", refused(Value::Null)),
        (b"{\"jsonrpc\":\"1.0\",\"id\":6,\"method\":\"ping\"}\n", refused(json!(6))),
        (b"{\"id\":\"six\",\"method\":\"ping\"}\n", refused(json!("six"))),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":7}\n", refused(json!(7))),
    ]
}

#[test]
fn no_bad_line_ends_the_session_before_or_after_initialize() {
    for initialized in [false, true] {
        let mut server =
            if initialized { Server::initialized(NOWHERE, &[]) } else { Server::start(NOWHERE, &[]) };
        for (at, (line, expected)) in bad_lines().into_iter().enumerate() {
            let shown = String::from_utf8_lossy(line);
            server.raw(line);
            if let Some((code, id)) = expected {
                let answer = server.answer();
                assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{shown}");
            }
            let id = 100 + at as u64;
            server.send(&request(id, "ping"));
            assert_eq!(server.answer(), json!({ "jsonrpc": "2.0", "id": id, "result": {} }), "after {shown}");
        }
        server.end_input();
        assert_eq!(server.exit_within(PATIENCE).0, Some(0));
    }
}

#[test]
fn a_line_that_is_too_long_is_answered_and_skipped() {
    let mut server = Server::initialized(NOWHERE, &[]);
    let text = "x".repeat(17 * 1024 * 1024);
    server.raw(
        format!("{{\"method\":\"tools/call\",\"params\":{{\"id\":1,\"name\":\"{text}\"}},\"id\":40}}\n")
            .as_bytes(),
    );
    let answer = server.answer();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(40), &json!(-32600)));
    server.send(&request(41, "ping"));
    assert_eq!(server.answer()["id"], 41);
}

#[test]
fn half_a_surrogate_pair_is_refused_and_never_replaced() {
    let mut server = Server::initialized(NOWHERE, &[]);
    let line = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"NAME"}}"#;
    for sent in [
        r"cut emoji \ud83d",
        r"\uDE00",
        r"a\ud800b",
        r"\ud83d\ud83d\uDe00",
        r"\ud83d\u0041",
        r"\ud83d\\ude00",
    ] {
        server.raw(format!("{}\n", line.replace("NAME", sent)).as_bytes());
        let answer = server.answer();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32700)), "{sent} {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("half a surrogate pair"), "{sent} {message}");
    }
    for (sent, read) in [(r"\ud83d\uDe00", "\u{1F600}"), (r"\\ud83d", "\\ud83d")] {
        server.raw(format!("{}\n", line.replace("NAME", sent)).as_bytes());
        let message = server.answer()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(&format!("no tool is called {read:?}")), "{sent} {message}");
    }
    server.raw(b"{\"id\":8,\"method\":\"ping\",\"params\":{\"b\":\"\\u12\"}}\n");
    let message = server.answer()["error"]["message"].as_str().unwrap().to_owned();
    assert!(!message.contains("surrogate"), "{message}");
}

#[test]
fn byte_order_mark_and_carriage_returns_are_no_hindrance() {
    let mut server = Server::start(NOWHERE, &[]);
    server.raw(format!("\u{FEFF}{}\r\n", initialize("2025-06-18")).as_bytes());
    assert_eq!(server.answer()["result"]["protocolVersion"], "2025-06-18");
}

#[test]
fn every_revision_of_the_protocol_is_spoken() {
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        // The revision without a handshake, and those that nobody knows, get the newest that has one.
        (MODERN, "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut server = Server::start(NOWHERE, &[]);
        server.send(&initialize(asked));
        let result = &server.answer()["result"];
        assert_eq!(result["protocolVersion"], given, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "forgehand");
        assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(
            result["capabilities"],
            json!({ "completions": {}, "prompts": {}, "resources": {}, "tools": {} })
        );
        let instructions = result["instructions"].as_str().unwrap();
        assert!((400..=2048).contains(&instructions.chars().count()), "{instructions}");
    }
}

#[test]
fn the_revision_without_handshake_needs_none() {
    let mut server = Server::start(NOWHERE, &[]);
    server.send(&modern(1, "server/discover"));
    let result = server.answer()["result"].clone();
    assert!(result["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{result}");
    server.raw(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/odd\"}\n");
    server.send(&modern(2, "tools/list"));
    let result = server.answer()["result"].clone();
    assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("private")));
    assert!(result["tools"].is_array());
    // Without the fields that it asks of each request, a request is malformed.
    server.send(&request(3, "tools/list"));
    assert_eq!(server.answer()["error"]["code"], -32602);
}

#[test]
fn a_batch_of_the_2025_03_26_revision_is_answered_line_by_line() {
    let mut server = Server::initialized(NOWHERE, &[]);
    server.send(&json!([request(10, "ping"), { "odd": true }, request(11, "ping")]));
    let mut ids: Vec<Value> = (0..3).map(|_| server.answer()["id"].clone()).collect();
    ids.sort_by_key(Value::to_string);
    assert_eq!(ids, [json!(10), json!(11), Value::Null]);
}

#[test]
fn a_batch_gets_a_hundred_errors_and_one_that_says_so() {
    let mut server = Server::initialized(NOWHERE, &[]);
    server.raw(format!("[{}0]\n", "0,".repeat(100_000)).as_bytes());
    server.send(&request(10, "ping"));
    server.end_input();
    let (code, answers, _) = server.exit_within(PATIENCE);
    let errors: Vec<&Value> = answers.iter().filter(|answer| answer["id"] != 10).collect();
    assert_eq!((code, errors.len(), answers.len()), (Some(0), 101, 102));
    let last =
        errors.iter().filter(|error| error["error"]["message"].as_str().unwrap().contains("100 errors"));
    assert_eq!(last.count(), 1, "{errors:?}");
}

#[test]
fn malformed_params_are_told_as_such() {
    let mut server = Server::initialized(NOWHERE, &[]);
    let with = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params });
    let calls = |params: Value| with("tools/call", params);
    for (message, code, part) in [
        (request(5, "tools/call"), -32602, "name"),
        (calls(json!({})), -32602, "name"),
        (calls(json!({ "name": 7 })), -32602, "name"),
        (calls(json!([])), -32602, "object"),
        (calls(json!("list_branches")), -32602, "object"),
        (calls(json!({ "name": "list_branches", "arguments": [] })), -32602, "object"),
        (calls(json!({ "name": "list_branches", "arguments": "owner=acme" })), -32602, "object"),
        (calls(json!({ "name": "no_such_tool", "arguments": null })), -32602, "no_such_tool"),
        (
            json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": { "cursor": "?" } }),
            -32602,
            "cursor",
        ),
        (request(5, "tools/frobnicate"), -32601, "tools/frobnicate"),
        // A name is shown as far as it tells something.
        (calls(json!({ "name": "x".repeat(10_000_000) })), -32602, "xxx…\""),
        (request(5, &"y".repeat(100_000)), -32601, "yyy…"),
        (json!({ "jsonrpc": "2.0", "id": 5, "method": "z".repeat(100_000), "params": 7 }), -32602, "zzz…"),
        // `initialize` is known, in a session too.
        (json!({ "jsonrpc": "2.0", "id": 5, "method": "initialize", "params": {} }), -32602, "clientInfo"),
        (request(5, "initialize"), -32602, "protocolVersion"),
        // Methods of capabilities that are not offered are not, whatever their params.
        (with("logging/setLevel", json!({ "level": "info" })), -32601, "logging/setLevel"),
        (with("logging/setLevel", json!({ "level": "loud" })), -32601, "logging/setLevel"),
        (with("completion/complete", json!({})), -32602, "completion/complete"),
        (with("prompts/list", json!({ "cursor": "?" })), -32602, "cursor"),
        (with("prompts/get", json!({})), -32602, "prompts/get"),
        (with("resources/subscribe", json!({ "uri": "forgejo://user" })), -32601, "resources/subscribe"),
        (with("resources/list", json!({ "cursor": "?" })), -32602, "cursor"),
        (with("resources/read", json!({})), -32602, "resources/read"),
        (with("resources/read", json!({ "uri": "x".repeat(10_000_000) })), -32602, "8192 bytes"),
        (with("resources/templates/list", json!({ "cursor": "?" })), -32602, "cursor"),
    ] {
        server.send(&message);
        let error = server.answer()["error"].clone();
        assert_eq!(error["code"], code, "{message} {error}");
        let text = error["message"].as_str().unwrap();
        assert!(text.contains(part) && text.len() < 300, "{message} {error}");
    }
}

#[test]
fn the_end_of_the_input_ends_the_process_at_once() {
    let start = Instant::now();
    let output =
        child::command(&["serve"]).env("FORGEHAND_URL", NOWHERE).stdin(Stdio::null()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(start.elapsed() < Duration::from_secs(1));
    for initialized in [false, true] {
        let mut server =
            if initialized { Server::initialized(NOWHERE, &[]) } else { Server::start(NOWHERE, &[]) };
        server.end_input();
        assert_eq!(server.exit_within(Duration::from_secs(1)).0, Some(0));
    }
}

#[test]
fn a_last_line_without_newline_is_answered() {
    for line in [initialize("2025-11-25"), request(1, "ping")] {
        let mut server = Server::start(NOWHERE, &[]);
        server.raw(line.to_string().as_bytes());
        server.end_input();
        let (code, answers, _) = server.exit_within(PATIENCE);
        assert_eq!((code, answers.len(), &answers[0]["id"]), (Some(0), 1, &json!(1)));
    }
}

#[test]
fn a_script_in_a_file_is_answered_as_a_pipe_is() {
    let path = std::env::temp_dir().join(format!("forgehand-stdio-{}", std::process::id()));
    std::fs::write(&path, format!("{}\n{}\n", initialize("2025-11-25"), request(2, "tools/list"))).unwrap();
    let file = std::fs::File::open(&path).unwrap();
    let output = child::command(&["serve"]).env("FORGEHAND_URL", NOWHERE).stdin(file).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
}

#[cfg(unix)]
#[test]
fn signals_end_the_process_within_two_seconds() {
    for signal in ["TERM", "INT"] {
        for initialized in [false, true] {
            let mut server = Server::start(NOWHERE, &[]);
            if initialized {
                server.send(&initialize("2025-11-25"));
            } else {
                server.send(&request(1, "ping"));
            }
            server.answer();
            server.signal(signal);
            assert_eq!(server.exit_within(Duration::from_secs(2)).0, Some(0), "{signal} {initialized}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_away_ends_the_process_without_noise() {
    let mut command = child::command(&["serve"]);
    command.env("FORGEHAND_URL", NOWHERE).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    drop(process.stdout.take());
    let mut stdin = process.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, format!("{}\n", initialize("2025-11-25")).as_bytes()).unwrap();
    let start = Instant::now();
    while process.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "it still waits for input");
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = process.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("fault"), "{output:?}");
}

#[test]
fn the_output_is_clean_and_secrets_stay_out_of_it_whatever_is_logged() {
    let variables = [("FORGEHAND_LOG", "trace"), ("FORGEHAND_TOKEN", "s3cr3t-t0ken")];
    let mut server = Server::initialized(NOWHERE, &variables);
    server.raw(b"not json\n");
    server.send(&request(2, "tools/list"));
    server.answer();
    server.end_input();
    let (code, rest, stderr) = server.exit_within(PATIENCE);
    assert_eq!((code, rest.len()), (Some(0), 0));
    assert!(stderr.contains("not JSON"), "the log is on standard error: {stderr}");
    assert!(!stderr.contains("s3cr3t"), "{stderr}");
}

#[test]
fn a_client_that_does_not_read_the_log_is_answered_all_the_same_and_told_what_was_dropped() {
    let mut command = child::command(&["serve"]);
    command.envs([("FORGEHAND_URL", NOWHERE), ("FORGEHAND_LOG", "debug")]);
    let mut process =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let mut answers = BufReader::new(process.stdout.take().unwrap()).lines();
    writeln!(stdin, "{}", initialize("2025-11-25")).unwrap();
    answers.next().unwrap().unwrap();
    // Each is a line of the log. A pipe holds 64 KiB, and forgehand keeps no more than 1 MiB.
    let count = 40_000;
    stdin.write_all("not json\n".repeat(count).as_bytes()).unwrap();
    writeln!(stdin, "{}", request(2, "ping")).unwrap();
    let (sender, answer) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(answers.next().unwrap().unwrap()));
    let answer = answer.recv_timeout(PATIENCE);
    let mut stderr = process.stderr.take().unwrap();
    if answer.is_err() {
        process.kill().unwrap();
    }
    let answer: Value = serde_json::from_str(&answer.expect("it waits for a reader of its log")).unwrap();
    assert_eq!(answer["id"], 2);
    let reader = std::thread::spawn(move || {
        let mut log = String::new();
        stderr.read_to_string(&mut log).unwrap();
        log
    });
    drop(stdin);
    let (code, log) = (process.wait().unwrap().code(), reader.join().unwrap());
    let told = log.lines().find_map(|line| {
        let count = line
            .strip_prefix("forgehand: ")?
            .strip_suffix(" lines of the log were dropped, since nobody read it")?;
        count.parse::<usize>().ok()
    });
    let logged = log.lines().filter(|line| line.contains("not JSON")).count();
    assert_eq!((code, logged + told.unwrap()), (Some(0), count), "{told:?}");
}

#[cfg(unix)]
#[test]
fn a_log_that_nobody_reads_does_not_hold_up_the_end() {
    let mut command = child::command(&["serve"]);
    command.envs([("FORGEHAND_URL", NOWHERE), ("FORGEHAND_LOG", "debug")]);
    let mut process =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all("not json\n".repeat(40_000).as_bytes()).unwrap();
    drop(stdin);
    let start = Instant::now();
    while process.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            process.kill().unwrap();
            panic!("it waits for a reader of its log");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut output = String::new();
    process.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(output, "", "standard output is the protocol's");
}
