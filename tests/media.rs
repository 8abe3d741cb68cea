//! Files that are read as text: in the encoding that they are in, and the rest of a large one from where it was left.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Request, Scripted};
use common::{block_on, call};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Operation, Outcome};
use serde_json::{Value, json};

const UUID: &str = "5759b88e-d06c-4837-a050-bbe55b50cefb";
const TAG: &str = "\"7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4\"";

/// The tools that read files, and what each wants.
fn readers() -> [(&'static Operation, Value); 5] {
    let tool = |name: &str| OPERATIONS.iter().find(|operation| operation.name == name).unwrap();
    let given = |more: Value| {
        let mut arguments = json!({ "owner": "acme", "repo": "widget" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    [
        (tool("get_file_content"), given(json!({ "path": "a.txt" }))),
        (tool("get_file_media"), given(json!({ "path": "a.txt" }))),
        (tool("download_issue_attachment"), given(json!({ "index": 3, "attachment_id": 6 }))),
        (tool("download_comment_attachment"), given(json!({ "comment_id": 3, "attachment_id": 6 }))),
        (tool("download_release_attachment"), given(json!({ "release_id": 3, "attachment_id": 6 }))),
    ]
}

/// Whether a request asks for the description of an attached file, and what that is.
fn description(request: &Request) -> Option<Answer> {
    let address = format!("https://forge.example/attachments/{UUID}");
    let told = json!({ "uuid": UUID, "type": "attachment", "browser_download_url": address }).to_string();
    request.target.contains("/assets/").then(|| Answer::json(200, &told))
}

async fn read(forge: &Scripted, tool: &'static Operation, given: &Value, more: Value) -> (String, Value) {
    let mut given = given.clone();
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    match call(forge, tool, given).await.unwrap() {
        Outcome::Text { text, more } => (text, more.unwrap_or_default()),
        other => panic!("{}: {other:?}", tool.name),
    }
}

#[test]
fn a_file_is_read_in_its_encoding_whatever_reads_it() {
    block_on(async {
        for (body, shown, encoding) in [
            (b"caf\xc3\xa9 1\n".as_slice(), "caf\u{e9} 1\n", None),
            (b"caf\xe9 cr\xe8me\n", "caf\u{e9} cr\u{e8}me\n", Some("iso-8859-1")),
            (b"\xff\xfea\0\xe9\0\n\0", "a\u{e9}\n", Some("utf-16le with BOM")),
            (b"\xfe\xff\0a\0\xe9\0\n", "a\u{e9}\n", Some("utf-16be with BOM")),
        ] {
            for (tool, given) in readers() {
                let body = body.to_vec();
                let file = move |request: &Request| {
                    description(request).unwrap_or_else(|| Answer::new(200, "text/plain", &body))
                };
                let forge = Scripted::by(file).await;
                let (text, more) = read(&forge, tool, &given, json!({})).await;
                assert_eq!(text, shown, "{}", tool.name);
                assert_eq!(more.get("encoding").and_then(Value::as_str), encoding, "{}: {more}", tool.name);
                let (_, more) = read(&forge, tool, &given, json!({ "with_metadata": true })).await;
                assert_eq!(more["encoding"], encoding.unwrap_or("utf-8"), "{}: {more}", tool.name);
                assert_eq!(more["lines"], 1, "{}: {more}", tool.name);
            }
        }
    });
}

/// A forge that takes `Range` as Forgejo does, with a file of those bytes.
fn ranged(body: Vec<u8>, tag: &'static str) -> impl FnMut(&Request) -> Answer + Send + 'static {
    move |request| {
        let file = |status| Answer::new(status, "text/plain; charset=utf-8", &body).header("ETag", tag);
        if let Some(told) = description(request) {
            return told;
        }
        let Some(start) = request.header("range") else { return file(200) };
        if request.header("if-range") != Some(tag) {
            return file(200);
        }
        let start: usize = start.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse().unwrap();
        let told = format!("bytes {start}-{}/{}", body.len() - 1, body.len());
        Answer::new(206, "text/plain; charset=utf-8", &body[start..])
            .header("ETag", tag)
            .header("Content-Range", &told)
    }
}

const START: usize = 300_000;

#[test]
fn the_rest_of_a_large_file_is_asked_for_by_its_bytes() {
    block_on(async {
        let body = "l\u{ed}ne of it\n".repeat(40_000);
        for (tool, given) in &readers()[..2] {
            let forge = Scripted::by(ranged(body.clone().into_bytes(), TAG)).await;
            let mut offset = 299_993;
            let mut all = String::new();
            for turn in 0.. {
                let more = json!({ "offset": offset, "max_bytes": 100_000 });
                let (text, more) = read(&forge, tool, given, more).await;
                assert_eq!(forge.requests().len(), 2 * (turn + 1), "{}", tool.name);
                let asked = forge.requests().last().unwrap().header("range").unwrap().to_owned();
                assert_eq!(asked, format!("bytes={offset}-"));
                all.push_str(&text);
                let Some(next) = more.get("next") else { break };
                assert_eq!((&more["shown"], &more["total"]), (&json!(text.len()), &json!(body.len())));
                offset = usize::try_from(next["offset"].as_u64().unwrap()).unwrap();
            }
            assert!(all == body[299_993..], "{}", tool.name);
        }
    });
}

#[test]
fn what_cannot_go_on_by_its_bytes_is_read_from_the_start_and_comes_out_the_same() {
    block_on(async {
        let plain = "a line of it\n".repeat(30_000).into_bytes();
        let latin1 = b"caf\xe9 cr\xe8me\n".repeat(40_000);
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(plain.iter().flat_map(|byte| [*byte, 0])).collect();
        let as_text = |bytes: &[u8]| -> String { bytes.iter().map(|byte| char::from(*byte)).collect() };
        let facts = json!({ "with_metadata": true });
        let lines = json!({ "start_line": 1 });
        for (body, tag, more, shown, asks) in [
            (latin1.clone(), TAG, json!({}), as_text(&latin1[START..]), 1),
            (wide, TAG, json!({}), as_text(&plain[START..]), 1),
            (plain.clone(), "W/\"weak\"", json!({}), as_text(&plain[START..]), 1),
            (plain.clone(), TAG, facts, as_text(&plain[START..]), 1),
            (plain.clone(), TAG, lines, as_text(&plain[START..]), 1),
        ] {
            for (tool, given) in &readers()[..2] {
                let forge = Scripted::by(ranged(body.clone(), tag)).await;
                let mut more = more.clone();
                more["offset"] = START.into();
                more["max_bytes"] = 1_000_000.into();
                let (text, _) = read(&forge, tool, given, more).await;
                assert!(text == shown, "{}: {} for {}", tool.name, text.len(), shown.len());
                assert_eq!(forge.requests().len(), asks, "{}", tool.name);
            }
        }
        // A forge that takes no range, one that tells another, and one that breaks off.
        let body = plain.clone();
        let says = |answer: fn(&[u8]) -> Answer| {
            let body = body.clone();
            move |request: &Request| match request.header("range") {
                None => Answer::new(200, "text/plain", &body).header("ETag", TAG),
                Some(_) => answer(&body),
            }
        };
        for answer in [
            (|body: &[u8]| Answer::new(200, "text/plain", body)) as fn(&[u8]) -> Answer,
            |_| Answer::new(416, "text/plain", "invalid start range\n"),
            |_| Answer::new(206, "text/plain", "x").header("Content-Range", "bytes 5-5/390000"),
            |_| Answer::new(206, "text/plain", "x").header("Content-Range", "bytes 300000-389999/390000"),
            |_| Answer::new(206, "text/plain", "x"),
        ] {
            let forge = Scripted::by(says(answer)).await;
            let (tool, given) = &readers()[1];
            let more = json!({ "offset": START, "max_bytes": 1_000_000 });
            let (text, _) = read(&forge, tool, given, more).await;
            assert!(text.as_bytes() == &plain[START..]);
        }
    });
}

#[test]
fn an_attached_file_goes_on_from_its_start() {
    block_on(async {
        let body = "a line of it\n".repeat(30_000).into_bytes();
        for (tool, given) in &readers()[2..] {
            let forge = Scripted::by(ranged(body.clone(), TAG)).await;
            let more = json!({ "offset": START, "max_bytes": 1_000_000 });
            let (text, _) = read(&forge, tool, given, more).await;
            assert!(text.as_bytes() == &body[START..]);
            assert!(
                forge.requests().iter().all(|request| request.header("range").is_none()),
                "{}",
                tool.name
            );
        }
    });
}
