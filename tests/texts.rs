//! Texts and files in parts: facts about a file, and the name and media type of an upload.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError, Outcome};
use serde_json::{Value, json};

const SHA: &str = "7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4";

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

fn in_widget(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

#[track_caller]
fn text(outcome: Result<Outcome, OperationError>) -> (String, Value) {
    match outcome {
        Ok(Outcome::Text { text, more }) => (text, more.unwrap_or_default()),
        other => panic!("expected text, got {other:?}"),
    }
}

fn file(media_type: &str, body: impl AsRef<[u8]>) -> Answer {
    Answer::new(200, media_type, body).header("ETag", &format!("\"{SHA}\""))
}

async fn read(body: impl AsRef<[u8]>, more: Value) -> (String, Value) {
    let forge = Scripted::new([file("text/plain; charset=utf-8", body)]).await;
    let mut arguments = in_widget(json!({ "filePath": "docs/a b.md", "with_metadata": true }));
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let read = text(call(&forge, tool("get_file_content"), arguments).await);
    assert_eq!(forge.request().line(), "GET /api/v1/repos/acme/widget/raw/docs/a%20b.md");
    read
}

#[test]
fn a_file_tells_its_size_encoding_lines_and_sha_where_they_are_asked_for() {
    block_on(async {
        for (body, size, lines) in [("a\nb\u{e9}\n", 6, 2), ("a\n\nb", 4, 3), ("", 0, 0), ("\n", 1, 1)] {
            let told = json!({ "size": size, "encoding": "utf-8", "lines": lines, "sha": SHA });
            assert_eq!(read(body, json!({})).await, (body.to_owned(), told), "{body:?}");
        }
        let (shown, told) = read("a\nb\nc", json!({ "start_line": 2, "end_line": 2 })).await;
        assert_eq!(shown, "b\n");
        assert_eq!(told, json!({ "size": 5, "encoding": "utf-8", "lines": 3, "sha": SHA }));
        assert_eq!(read("a\n", json!({ "with_metadata": false })).await, ("a\n".to_owned(), Value::Null));
    });
}

#[test]
fn what_is_told_of_a_file_that_was_cut_is_told_of_all_of_it() {
    block_on(async {
        let body = "l\u{ed}ne\n".repeat(100_000);
        let (shown, told) = read(&body, json!({ "max_bytes": 600 })).await;
        assert_eq!(shown, "l\u{ed}ne\n".repeat(100));
        assert_eq!(
            (&told["shown"], &told["total"], &told["size"]),
            (&600.into(), &600_000.into(), &600_000.into())
        );
        assert_eq!((&told["lines"], &told["encoding"]), (&100_000.into(), &"utf-8".into()));
        assert_eq!(
            (&told["next"], &told["sha"]),
            (&json!({ "offset": 600, "as_of": SHA[..12] }), &SHA.into())
        );
        // What is no UTF-8 behind the cut is not called so.
        let odd = [body.as_bytes(), b"\xff\n"].concat();
        let (_, told) = read(odd, json!({ "max_bytes": 600 })).await;
        assert_eq!((&told["encoding"], &told["size"]), (&Value::Null, &600_002.into()));
    });
}

#[test]
fn a_file_that_is_no_text_tells_its_sha_and_an_odd_etag_is_none() {
    block_on(async {
        let forge = Scripted::new([file("image/png", [0, 255])]).await;
        let arguments = in_widget(json!({ "path": "a.png", "with_metadata": true }));
        match call(&forge, tool("get_file_content"), arguments.clone()).await.unwrap() {
            Outcome::Bytes { bytes, sha, .. } => {
                assert_eq!((bytes.as_ref(), sha.as_deref()), ([0, 255].as_slice(), Some(SHA)));
            }
            other => panic!("expected bytes, got {other:?}"),
        }
        for tag in [
            "\"1\"",
            "7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4",
            "\"7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4-gzip\"",
        ] {
            let forge = Scripted::new([Answer::new(200, "text/plain", "a").header("ETag", tag)]).await;
            let (_, told) = text(call(&forge, tool("get_file_content"), arguments.clone()).await);
            assert_eq!(told, json!({ "size": 1, "encoding": "utf-8", "lines": 1 }), "{tag}");
        }
    });
}

async fn uploaded(more: Value) -> (String, String) {
    let forge = Scripted::agreeable().await;
    let mut arguments = in_widget(json!({ "index": 5, "content": "YSxiCg==" }));
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json(call(&forge, tool("create_issue_attachment"), arguments).await);
    let request = forge.request();
    let lines: Vec<&str> = request.text().split("\r\n").skip(1).take(4).collect();
    assert_eq!(lines[2..], ["", "a,b\n"]);
    (request.line(), format!("{}\n{}", lines[0], lines[1]))
}

#[test]
fn a_file_is_sent_by_the_name_and_the_media_type_that_were_given() {
    block_on(async {
        let line = |query: &str| format!("POST /api/v1/repos/acme/widget/issues/5/assets{query}");
        let part = |name: &str, media_type: &str| {
            format!(
                "Content-Disposition: form-data; name=\"attachment\"; filename=\"{name}\"\nContent-Type: {media_type}"
            )
        };
        let given = json!({ "filename": "t\u{e4}ble \"1\"\\.csv", "mime_type": "text/csv; charset=utf-8" });
        let (sent, head) = uploaded(given).await;
        assert_eq!(sent, line("?name=t%C3%A4ble%20%221%22%5C.csv"));
        assert_eq!(head, part("t\u{e4}ble \\\"1\\\"\\\\.csv", "text/csv; charset=utf-8"));
        assert_eq!(uploaded(json!({})).await, (line(""), part("attachment", "text/plain")));
    });
}

#[test]
fn a_media_type_that_is_none_or_stands_alone_is_refused_before_anything_is_sent() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        for media_type in [
            "",
            "text",
            "text/",
            "/csv",
            "text/csv\r\nX: y",
            "te xt/csv",
            "text/csv; a=\n",
            "a/b/c",
            "t\u{e4}xt/csv",
        ] {
            let arguments = in_widget(json!({ "index": 5, "content": "YQ==", "mime_type": media_type }));
            let error = call(&forge, tool("create_issue_attachment"), arguments).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments);
            assert!(error.message.starts_with("argument `mime_type`: expected a media type"), "{error}");
        }
        let external =
            json!({ "release_id": 4, "external_url": "https://a.example/x", "mime_type": "text/csv" });
        let error = call(&forge, tool("create_release_attachment"), in_widget(external)).await.unwrap_err();
        assert_eq!(error.message, "argument `mime_type`: is for a file, and none was given");
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn a_file_is_read_in_one_encoding_from_its_first_page_to_its_last() {
    block_on(async {
        let body: Vec<u8> = [b"caf\xe9\n".to_vec(), b"\xc3\xa9 line\n".repeat(300)].concat();
        let whole: String = body.iter().map(|byte| char::from(*byte)).collect();
        for max_bytes in [200, 333, 1000, 40_000] {
            for start in [json!({}), json!({ "start_line": 1 })] {
                let served = body.clone();
                let forge = Scripted::by(move |_| {
                    Answer::new(200, "text/plain", &served).header("content-disposition", "inline")
                })
                .await;
                let mut given = json!({ "owner": "a", "repo": "b", "path": "f", "max_bytes": max_bytes });
                given.as_object_mut().unwrap().extend(start.as_object().unwrap().clone());
                let mut read = String::new();
                loop {
                    let operation =
                        OPERATIONS.iter().find(|operation| operation.name == "get_file_content").unwrap();
                    let Outcome::Text { text, more } = call(&forge, operation, given.clone()).await.unwrap()
                    else {
                        panic!()
                    };
                    read.push_str(&text);
                    let Some(next) = more.as_ref().and_then(|more| more.get("next")) else { break };
                    given.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
                }
                assert!(
                    read == whole,
                    "{max_bytes}: {} of {} characters",
                    read.chars().count(),
                    whole.chars().count()
                );
            }
        }
    });
}

#[test]
fn what_is_no_text_in_utf_16_is_never_shown_in_another_encoding() {
    block_on(async {
        for (body, name) in
            [(&b"\xff\xfeh\0\0\0i\0"[..], "mark of UTF-16"), (b"\xff\xfe\0\0h\0\0\0", "mark of UTF-32")]
        {
            let forge = Scripted::by(move |_| {
                Answer::new(200, "text/plain", body).header("content-disposition", "inline")
            })
            .await;
            let operation = OPERATIONS.iter().find(|operation| operation.name == "get_file_content").unwrap();
            let given = json!({ "owner": "a", "repo": "b", "path": "f" });
            let error = call(&forge, operation, given).await.unwrap_err();
            assert!(error.message.contains(name), "{error}");
        }
    });
}
