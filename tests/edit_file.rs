//! Editing a file in place: what is read, what is written, and that nothing is where something else stands there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::scripted::{Answer, Request, Scripted};
use common::{block_on, call, json};
use forgehand::demo::{DemoForge, Options};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome, arguments, run};
use forgehand_client::BaseUrl;
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

const OTHER: &str = "294186e497a23bf3fbfde12aacc7f720f668fe9a";

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

fn in_widget(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget", "path": "a.txt" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

/// A demo forge's answer to a call as bob.
async fn recorded(name: &str, more: Value) -> Result<Outcome, OperationError> {
    let demo = DemoForge::start(Options::default()).await.unwrap();
    let base = BaseUrl::parse(&format!("http://{}", demo.address())).unwrap();
    let forge = Forge::new(base, Token::new("demo-bob"));
    run(&forge, tool(name), arguments::object(Some(in_widget(more))).unwrap(), &Limits::default()).await
}

#[test]
fn what_is_no_file_or_no_text_is_not_edited() {
    block_on(async {
        for (path, said) in [
            ("link-to-readme", "\"link-to-readme\" is a symlink to \"README.md\""),
            ("vendor/lib", "\"vendor/lib\" is a submodule, another repository"),
            ("docs", "\"docs\" is a directory, and no file"),
            ("assets/model.bin", "\"assets/model.bin\" is kept by Git LFS, and what is here is a pointer"),
            ("assets/logo.png", "\"assets/logo.png\" is no text"),
        ] {
            let given = json!({ "path": path, "edits": [{ "old": "a", "new": "b" }] });
            let error = recorded("edit_file", given).await.unwrap_err();
            assert_eq!((error.code, error.message), (Code::Refused, format!("{said}; nothing was written")));
        }
    });
}

/// The name that git gives a blob.
fn sha_of(bytes: &[u8]) -> String {
    let blob = [format!("blob {}\0", bytes.len()).as_bytes(), bytes].concat();
    Sha1::digest(blob).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the forge's contents tell of a file.
fn contents(bytes: &[u8]) -> Answer {
    described(&sha_of(bytes), bytes)
}

fn described(sha: &str, bytes: &[u8]) -> Answer {
    let content = STANDARD.encode(bytes);
    // Readers must not choke on wrapped lines.
    let wrapped: String = content
        .as_bytes()
        .chunks(60)
        .map(|line| format!("{}\n", std::str::from_utf8(line).unwrap()))
        .collect();
    let node = json!({ "type": "file", "path": "a.txt", "sha": sha, "size": bytes.len(), "encoding": "base64", "content": wrapped });
    Answer::json(200, &node.to_string())
}

fn raw(body: &str, sha: &str) -> Answer {
    Answer::new(200, "text/plain; charset=utf-8", body).header("ETag", &format!("\"{sha}\""))
}

fn written() -> Answer {
    Answer::json(
        200,
        &json!({ "content": { "path": "a.txt", "sha": OTHER }, "commit": { "sha": "c" } }).to_string(),
    )
}

/// The bytes that a PUT has.
fn sent(request: &Request) -> Vec<u8> {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    STANDARD.decode(body["content"].as_str().unwrap()).unwrap()
}

async fn edited(file: &[u8], more: Value) -> Vec<u8> {
    let forge = Scripted::new([contents(file), written()]).await;
    let answer = json(call(&forge, tool("edit_file"), in_widget(more)).await);
    assert_eq!(answer["content"]["sha"], OTHER);
    let requests = forge.requests();
    assert_eq!(requests.len(), 2);
    sent(&requests[1])
}

fn one(old: &str, new: &str) -> Value {
    json!({ "edits": [{ "old": old, "new": new }] })
}

#[test]
fn an_edit_keeps_line_ends_encoding_mark_and_the_missing_end_of_the_last_line() {
    block_on(async {
        for (file, edit, result) in [
            (b"a\nb\n".as_slice(), one("b", "c"), b"a\nc\n".as_slice()),
            (b"a\r\nb\r\n", one("a\nb\n", "a\nx\nb\n"), b"a\r\nx\r\nb\r\n"),
            (b"a\r\nb\nc\n", one("c", "d\ne"), b"a\r\nb\nd\ne\n"),
            (b"a\nlast", one("last", "end"), b"a\nend"),
            (b"", one("", "first\n"), b"first\n"),
            (b"\xef\xbb\xbfa\n", one("a", "b"), b"\xef\xbb\xbfb\n"),
            (b"caf\xe9 \xe8\n", one("caf\u{e9} \u{e8}", "\u{e8} th\u{e9}"), b"\xe8 th\xe9\n"),
            (b"\xff\xfea\0\n\0", one("a", "\u{1f600}"), b"\xff\xfe\x3d\xd8\0\xde\n\0"),
            (
                b"a\r\nb",
                json!({ "patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n" }),
                b"a\r\nc",
            ),
        ] {
            assert_eq!(edited(file, edit.clone()).await, result, "{edit}");
        }
    });
}

#[test]
fn a_guessed_encoding_is_told_and_nothing_is_written_by_it_that_was_not_there() {
    block_on(async {
        for (new, character) in [("\u{6f22}", '\u{6f22}'), ("\u{a4}", '\u{a4}'), ("caf\u{e9}", '\u{e9}')] {
            let forge = Scripted::new([contents(b"caf\xe9\n")]).await;
            let error = call(&forge, tool("edit_file"), in_widget(one("caf", new))).await.unwrap_err();
            let said = format!("only guessed to be in iso-8859-1: what bytes {character:?} has");
            assert!(error.code == Code::InvalidArguments && error.message.contains(&said), "{error}");
            assert_eq!(forge.lines().len(), 1);
        }
        for (file, told) in [(b"caf\xe9\n".as_slice(), json!("iso-8859-1")), (b"caf\xc3\xa9\n", Value::Null)]
        {
            for dry_run in [false, true] {
                let forge = Scripted::new([contents(file), written()]).await;
                let mut given = in_widget(one("caf", "th"));
                given["dry_run"] = json!(dry_run);
                let answer = json(call(&forge, tool("edit_file"), given).await);
                assert_eq!(answer["encoding"], told, "{answer}");
                let note = answer["note"].as_str().unwrap_or_default();
                assert_eq!(note.contains("the encoding is guessed"), !told.is_null(), "{answer}");
            }
        }
    });
}

#[test]
fn an_edit_is_one_commit_with_the_sha_that_was_read() {
    block_on(async {
        let sha = sha_of(b"a\n");
        let path = "docs/a b #1 100%/\u{fc}.md";
        let forge = Scripted::new([contents(b"a\n"), written()]).await;
        let mut given = in_widget(one("a", "b"));
        let more = json!({ "path": path, "branch": "feature/x", "new_branch": "edit-1", "message": "Say b", "sha": sha });
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json(call(&forge, tool("edit_file"), given).await);
        let at = "/api/v1/repos/acme/widget/contents/docs/a%20b%20%231%20100%25/%C3%BC.md";
        assert_eq!(forge.lines(), [format!("GET {at}?ref=feature%2Fx"), format!("PUT {at}")]);
        let body: Value = serde_json::from_str(forge.requests()[1].text()).unwrap();
        let told = json!({ "content": "Ygo=", "sha": sha, "message": "Say b", "branch": "feature/x", "new_branch": "edit-1" });
        assert_eq!(body, told);
    });
}

#[test]
fn a_megabyte_is_edited_and_what_an_instance_does_not_tell_in_json_is_read_raw() {
    block_on(async {
        let file: String = (0..40_000).map(|n| format!("{n:06} the quick brown fox\n")).collect();
        let result = file.replace("020000 the quick", "020000 the slow");
        let edit = one("020000 the quick", "020000 the slow");
        assert_eq!(edited(file.as_bytes(), edit.clone()).await, result.as_bytes());
        let sha = sha_of(file.as_bytes());
        let node = json!({ "type": "file", "path": "a.txt", "sha": sha, "size": file.len(), "encoding": "base64", "content": "" });
        let forge = Scripted::new([Answer::json(200, &node.to_string()), raw(&file, &sha), written()]).await;
        json(call(&forge, tool("edit_file"), in_widget(edit.clone())).await);
        assert_eq!(sent(&forge.requests()[2]), result.as_bytes());
        assert_eq!(forge.lines()[1], "GET /api/v1/repos/acme/widget/raw/a.txt");
        // Another file than the one that was described is none to write on.
        let changed = raw(&file, OTHER);
        let forge = Scripted::new([Answer::json(200, &node.to_string()), changed]).await;
        let error = call(&forge, tool("edit_file"), in_widget(edit.clone())).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::Conflict, 2));
        let huge =
            json!({ "type": "file", "path": "a.txt", "sha": sha, "size": 5_000_000_000_u64, "content": "" });
        let forge = Scripted::new([Answer::json(200, &huge.to_string())]).await;
        let error = call(&forge, tool("edit_file"), in_widget(edit)).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::TooLarge, 1));
        assert!(error.message.contains("5000000000 bytes; files of up to 4194304 bytes"), "{error}");
    });
}

#[test]
fn an_edit_that_does_not_fit_or_changes_nothing_writes_nothing() {
    block_on(async {
        for (edit, said) in [
            (one("c", "d"), "argument `edits[0].old`: is not in the file; the file has nothing like it"),
            (one("a", "a"), "the file is like that already: nothing would change"),
            (one("a\nb", "a\r\nb"), "the file is like that already: nothing would change"),
            (
                json!({ "edits": [{ "old": "a\n", "new": "" }, { "old": "\nb", "new": "" }] }),
                "edits[0] and edits[1] overlap at line 1 of the file",
            ),
        ] {
            let forge = Scripted::new([contents(b"a\nb\n")]).await;
            let error = call(&forge, tool("edit_file"), in_widget(edit)).await.unwrap_err();
            assert_eq!((error.code, error.message.as_str()), (Code::InvalidArguments, said));
            assert_eq!(forge.lines().len(), 1);
        }
        for given in [
            json!({}),
            json!({ "edits": [] }),
            json!({ "patch": "nothing" }),
            json!({ "edits": [{ "old": "a", "new": "b" }], "patch": "@@ -1 +1 @@\n-a\n+b\n" }),
            json!({ "edits": [{ "old": "a" }] }),
            json!({ "edits": [{ "old": "a", "new": "b", "count": 0 }] }),
        ] {
            let forge = Scripted::agreeable().await;
            let error = call(&forge, tool("edit_file"), in_widget(given.clone())).await.unwrap_err();
            assert_eq!((error.code, forge.lines().len()), (Code::InvalidArguments, 0), "{given}");
        }
    });
}

#[test]
fn a_dry_run_shows_a_diff_that_patch_takes_and_writes_nothing() {
    block_on(async {
        let file = b"one\r\ntwo\r\nthree";
        let forge = Scripted::new([contents(file)]).await;
        let mut given = in_widget(one("two\n", "2\n"));
        given["dry_run"] = json!(true);
        let plan = json(call(&forge, tool("edit_file"), given).await);
        assert_eq!(forge.lines().len(), 1);
        assert_eq!(
            (&plan["dry_run"], &plan["method"], &plan["body"]),
            (&json!(true), &json!("PUT"), &json!({ "sha": sha_of(file) }))
        );
        let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\\ No newline at end of file\n";
        assert_eq!(plan["diff"], diff);
        assert_eq!(edited(file, json!({ "patch": diff })).await, b"one\r\n2\r\nthree");
    });
}

#[test]
fn a_file_that_somebody_changed_meanwhile_is_a_conflict_that_tells_its_sha() {
    block_on(async {
        let says = |status, message: &str| Answer::json(status, &json!({ "message": message }).to_string());
        let sha = sha_of(b"a\n");
        let update = json!({ "content": "x", "sha": sha, "branch": "main" });
        let delete = json!({ "sha": sha, "branch": "main" });
        let mut edit = one("a", "b");
        edit["branch"] = json!("main");
        for (name, given, before) in
            [("update_file", &update, 0), ("delete_file", &delete, 0), ("edit_file", &edit, 1)]
        {
            for refusal in [says(409, "sha does not match"), says(422, "sha does not match"), says(400, "no")]
            {
                let mut script = vec![contents(b"a\n"); before];
                script.extend([refusal, described(OTHER, b"c\n")]);
                let forge = Scripted::new(script).await;
                let error = call(&forge, tool(name), in_widget(given.clone())).await.unwrap_err();
                assert_eq!(error.code, Code::Conflict, "{name}: {error}");
                assert!(
                    error.message.ends_with(&format!("; its sha is {OTHER} now, and nothing was written")),
                    "{error}"
                );
                assert!(error.hint.unwrap().contains(OTHER));
                assert_eq!(
                    forge.lines().last().unwrap(),
                    "GET /api/v1/repos/acme/widget/contents/a.txt?ref=main"
                );
            }
            // Where the sha is right, or cannot be read, the refusal stays what it was.
            for now in [contents(b"a\n"), Answer::json(404, "{}")] {
                let mut script = vec![contents(b"a\n"); before];
                script.extend([says(422, "branch already exists"), now]);
                let forge = Scripted::new(script).await;
                let error = call(&forge, tool(name), in_widget(given.clone())).await.unwrap_err();
                assert_eq!(error.code, Code::Validation, "{name}: {error}");
            }
        }
        let forge = Scripted::new([described(OTHER, b"a\n")]).await;
        let mut given = in_widget(one("a", "b"));
        given["sha"] = json!(sha);
        let error = call(&forge, tool("edit_file"), given).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::Conflict, 1));
        assert!(error.message.contains(OTHER), "{error}");
        let forge =
            Scripted::new([says(422, &format!("sha does not match [given: {sha}, expected: {OTHER}]"))])
                .await;
        let files = json!({ "owner": "acme", "repo": "widget", "files": [{ "operation": "update", "path": "a", "sha": sha, "content": "a" }] });
        let error = call(&forge, tool("change_files"), files).await.unwrap_err();
        assert!(error.code == Code::Conflict && error.message.contains(OTHER), "{error}");
    });
}

#[test]
fn a_file_of_which_not_all_came_is_not_written() {
    block_on(async {
        let half = "bGluZQpsaW5lCmxpbmUKbGluZQpsaW5lCmxpbmUKbGluZQpsaW5lCmxpbmUKbGluZQo=";
        let node = json!({
            "type": "file", "path": "f", "name": "f", "size": 500, "sha": "aaa", "content": half, "encoding": "base64",
        });
        let forge = Scripted::by(move |_| Answer::json(200, &node.to_string())).await;
        let given = json!({
            "owner": "a", "repo": "b", "path": "f", "message": "m",
            "edits": [{ "old": "line\n", "new": "X\n", "count": 10 }],
        });
        let error = call(&forge, tool("edit_file"), given).await.unwrap_err();
        assert!(error.message.contains("500 bytes, and 50 came"), "{error}");
        assert!(forge.lines().iter().all(|line| line.starts_with("GET ")), "{:?}", forge.lines());
    });
}

#[test]
fn a_file_whose_bytes_are_not_the_blob_that_was_told_is_not_written() {
    block_on(async {
        let file = b"line one\nline two\n";
        let newer = "7f2c8ad6d4f4f6b1bfbc8e4ba4b1f0bd1b9b4b5c6dfad1a5a3e2f3d7b9d0c1e2";
        for dry_run in [false, true] {
            for sha in [OTHER, newer, "aaa", ""] {
                let forge = Scripted::new([described(sha, file), written()]).await;
                let mut given = in_widget(one("two", "2"));
                given["dry_run"] = json!(dry_run);
                let error = call(&forge, tool("edit_file"), given).await.unwrap_err();
                let said = format!("\"a.txt\" is the blob \"{}", &sha[..sha.len().min(40)]);
                assert!(error.code == Code::Refused && error.message.starts_with(&said), "{error}");
                assert!(error.message.ends_with("what came is another; nothing was written"), "{error}");
                assert_eq!(forge.lines().len(), 1);
            }
        }
        // As many bytes raw, and not those.
        let node = json!({ "type": "file", "path": "a.txt", "sha": sha_of(file), "size": file.len(), "content": "" });
        let forge = Scripted::new([
            Answer::json(200, &node.to_string()),
            Answer::new(200, "text/plain", "line one\nline 2wo\n"),
            written(),
        ])
        .await;
        let error = call(&forge, tool("edit_file"), in_widget(one("one", "1"))).await.unwrap_err();
        assert!(error.code == Code::Refused && error.message.contains("what came is another"), "{error}");
        assert_eq!(forge.lines().len(), 2);
    });
}

#[test]
fn a_repository_with_longer_names_is_edited_as_well() {
    block_on(async {
        // What git calls "hello\n" in a repository made with --object-format=sha256.
        let sha = "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4";
        let forge = Scripted::new([described(sha, b"hello\n"), written()]).await;
        json(call(&forge, tool("edit_file"), in_widget(one("hello", "hallo"))).await);
        assert_eq!(sent(&forge.requests()[1]), b"hallo\n");
    });
}
