//! Texts whose bytes are not all of one encoding: what began as text goes on as text, the same by any budget.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Scripted};
use common::{block_on, call};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, OperationError, Outcome};
use serde_json::{Value, json};

async fn ask(name: &str, body: &[u8], given: &Value) -> Result<Outcome, OperationError> {
    let body = body.to_vec();
    let forge = Scripted::by(move |_| Answer::new(200, "text/plain; charset=utf-8", &body)).await;
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
    call(&forge, OPERATIONS.iter().find(|operation| operation.name == name).unwrap(), arguments).await
}

/// All pages of a text, and whether one told of bytes that are no text.
async fn followed(name: &str, body: &[u8], given: &Value) -> (String, bool) {
    let (mut given, mut read, mut is_told) = (given.clone(), String::new(), false);
    loop {
        let outcome = ask(name, body, &given).await;
        let Ok(Outcome::Text { text, more }) = outcome else { panic!("{given}: {outcome:?}") };
        assert!(!text.is_empty() && text.len() as u64 <= given["max_bytes"].as_u64().unwrap(), "{given}");
        read.push_str(&text);
        let more = more.unwrap_or_default();
        is_told |= more["note"].as_str().is_some_and(|note| note.contains("U+FFFD"));
        let Some(next) = more["next"].as_object() else { return (read, is_told) };
        given.as_object_mut().unwrap().extend(next.clone());
    }
}

#[test]
fn a_diff_with_bytes_that_are_no_utf_8_is_text_to_its_end() {
    block_on(async {
        let head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,301 +1,301 @@\n";
        let start = format!("{head}{}", "-\u{e9} a\n+b\n".repeat(300));
        let body = [start.as_bytes(), b"-caf\xe9 \xe2\x82 \x93q\x94\0\n+b\n"].concat();
        let whole = format!("{start}-caf\u{e9} \u{e2}\u{fffd} \u{fffd}q\u{fffd}\u{fffd}\n+b\n");
        for max_bytes in [200, 333, 1000, 40_000] {
            for given in [json!({ "index": 1, "paths": ["x"] }), json!({ "index": 1, "offset": 0 })] {
                let mut given = given;
                given["max_bytes"] = max_bytes.into();
                let read = followed("get_pull_request_diff", &body, &given).await;
                assert_eq!(read, (whole.clone(), true), "{given}");
            }
        }
        let given = json!({ "sha": "abc1234", "max_bytes": 40_000 });
        assert_eq!(followed("get_commit_diff", &body, &given).await, (whole, true));
    });
}

#[test]
fn a_file_that_began_as_utf_8_is_text_to_its_end_whatever_bytes_follow() {
    block_on(async {
        let start = "\u{e9} ascii \u{20ac}\n".repeat(300);
        let body =
            [start.as_bytes(), &b"caf\xe9 \x81\n".repeat(50), "\u{e9} end \u{20ac}".as_bytes()].concat();
        let whole = format!("{start}{}\u{e9} end \u{20ac}", "caf\u{e9} \u{fffd}\n".repeat(50));
        for max_bytes in [200, 201, 333, 1000, 40_000] {
            for given in [json!({}), json!({ "start_line": 1 }), json!({ "with_metadata": true })] {
                let mut given = given;
                given["path"] = "f".into();
                given["max_bytes"] = max_bytes.into();
                let read = followed("get_file_content", &body, &given).await;
                assert_eq!(read, (whole.clone(), true), "{given}");
            }
        }
    });
}

#[test]
fn a_file_that_began_in_iso_8859_1_is_read_in_it_to_its_end() {
    block_on(async {
        let line = b"caf\xe9 \xc3\xa9\n";
        let start: String = line.repeat(4000).iter().map(|byte| char::from(*byte)).collect();
        let body = [line.repeat(4000).as_slice(), b"\x93\xe9\x94\n"].concat();
        let (whole, line_two) =
            (format!("{start}\u{fffd}\u{e9}\u{fffd}\n"), "caf\u{e9} \u{c3}\u{a9}\n".len());
        for offset in [8, 16_000] {
            let given = json!({ "path": "f", "max_bytes": 1000, "offset": offset });
            let read = followed("get_file_content", &body, &given).await.0;
            assert_eq!(read, whole[offset / line.len() * line_two..], "{offset}");
        }
        // The start alone decides for a range of lines too.
        let body = [b"caf\xe9\n".as_slice(), &b"\xc3\xa9 line\n".repeat(300)].concat();
        for max_bytes in [200, 1000, 40_000] {
            let given = json!({ "path": "f", "max_bytes": max_bytes, "start_line": 2 });
            let read = followed("get_file_content", &body, &given).await.0;
            assert_eq!(read, "\u{c3}\u{a9} line\n".repeat(300));
        }
    });
}

#[test]
fn an_offset_within_a_character_is_refused_by_name() {
    block_on(async {
        let utf16: Vec<u8> =
            "\u{feff}\u{e9}\u{65e5}\nz\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf8 = "\u{e9}\u{65e5}\nz\n".as_bytes();
        let diff = "diff --git a/\u{e9} b/x\n".as_bytes();
        for (name, body, given, back) in [
            ("get_file_content", utf16.as_slice(), json!({ "path": "f", "offset": 1 }), 1),
            ("get_file_content", &utf16, json!({ "path": "f", "offset": 4 }), 2),
            ("get_file_content", utf8, json!({ "path": "f", "offset": 3 }), 1),
            ("get_pull_request_diff", diff, json!({ "index": 1, "offset": 14 }), 1),
        ] {
            let error = ask(name, body, &given).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{given}");
            let said = "argument `offset`: expected the first byte of a character";
            assert!(error.message.starts_with(said), "{error}");
            assert!(error.message.ends_with(&format!("got one {back} behind it")), "{error}");
        }
        let given = json!({ "path": "f", "offset": 2 });
        match ask("get_file_content", &utf16, &given).await.unwrap() {
            Outcome::Text { text, .. } => assert_eq!(text, "\u{65e5}\nz\n"),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn a_file_that_is_no_text_is_none_by_an_offset() {
    block_on(async {
        let body = [b"\x89PNG\r\n\x1a\n\0".as_slice(), &b"abc\xe9".repeat(500)].concat();
        let given = json!({ "path": "f", "offset": 100 });
        let error = ask("get_file_content", &body, &given).await.unwrap_err();
        assert_eq!((error.code, error.message.contains("is no text")), (Code::Refused, true));
    });
}
