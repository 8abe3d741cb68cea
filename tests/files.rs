//! Files: what encoding a text is in, what is no file, Git LFS, and changes of a file that somebody else changes as well.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Request, Scripted};
use common::{block_on, call, json};
use forgehand::demo::{DemoForge, Options};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome, arguments, run};
use forgehand_client::BaseUrl;
use serde_json::{Value, json};

const SHA: &str = "7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4";
const OTHER: &str = "294186e497a23bf3fbfde12aacc7f720f668fe9a";
const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:e8f3\nsize 9600\n";

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

fn in_widget(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget", "path": "a.txt" });
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

fn raw(body: impl AsRef<[u8]>) -> Answer {
    Answer::new(200, "text/plain; charset=utf-8", body).header("ETag", &format!("\"{SHA}\""))
}

async fn read(body: impl AsRef<[u8]>, more: Value) -> Result<Outcome, OperationError> {
    let forge = Scripted::new([raw(body)]).await;
    call(&forge, tool("get_file_content"), in_widget(more)).await
}

fn wide(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_text_is_read_in_its_encoding_which_is_told_where_the_bytes_are_others() {
    block_on(async {
        let latin = b"caf\xe9\ncr\xe8me\n";
        let (shown, told) = text(read(latin, json!({})).await);
        assert_eq!((shown.as_str(), &told["encoding"]), ("caf\u{e9}\ncr\u{e8}me\n", &json!("iso-8859-1")));
        assert!(told["note"].as_str().unwrap().contains("guessed"), "{told}");
        let (shown, told) = text(read(latin, json!({ "start_line": 2, "with_metadata": true })).await);
        assert_eq!((shown.as_str(), &told["encoding"]), ("cr\u{e8}me\n", &json!("iso-8859-1")));
        assert_eq!((&told["size"], &told["lines"], &told["sha"]), (&json!(11), &json!(2), &json!(SHA)));

        let utf16 = wide("one\n\u{6f22}\u{1f600}\nthree\n");
        let (shown, told) = text(read(&utf16, json!({})).await);
        assert_eq!(
            (shown.as_str(), &told["encoding"]),
            ("one\n\u{6f22}\u{1f600}\nthree\n", &json!("utf-16le with BOM"))
        );
        let (shown, told) =
            text(read(&utf16, json!({ "start_line": 2, "end_line": 2, "with_metadata": true })).await);
        assert_eq!((shown.as_str(), &told["lines"]), ("\u{6f22}\u{1f600}\n", &json!(3)));
        assert_eq!(told["size"], utf16.len());

        let (shown, told) = text(read("\u{feff}a\n", json!({ "with_metadata": true })).await);
        assert_eq!((shown.as_str(), &told["encoding"]), ("\u{feff}a\n", &json!("utf-8 with BOM")));
    });
}

/// Forgejo declares what it guessed from the start of the file.
#[test]
fn the_charset_that_the_forge_declares_is_a_guess_and_not_called_more() {
    block_on(async {
        for charset in ["iso-8859-1", "windows-1252", "utf-8"] {
            let kind = format!("text/plain; charset={charset}");
            let forge = Scripted::new([Answer::new(200, &kind, b"caf\xe9\n")]).await;
            let (shown, told) = text(call(&forge, tool("get_file_content"), in_widget(json!({}))).await);
            assert_eq!((shown.as_str(), &told["encoding"]), ("caf\u{e9}\n", &json!("iso-8859-1")));
            assert!(told["note"].as_str().unwrap().contains("guessed"), "{charset}: {told}");
            let forge = Scripted::new([Answer::new(200, &kind, "caf\u{e9}\n")]).await;
            let (shown, told) = text(call(&forge, tool("get_file_content"), in_widget(json!({}))).await);
            assert_eq!((shown.as_str(), told), ("caf\u{e9}\n", Value::Null), "{charset}");
        }
    });
}

#[test]
fn texts_of_all_encodings_are_cut_at_a_line_and_go_on_there() {
    block_on(async {
        let line = "h\u{e9}llo, w\u{f6}rld\n";
        let whole = line.repeat(500);
        let latin: Vec<u8> = whole.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        for body in [whole.as_bytes().to_vec(), latin, wide(&whole)] {
            let (mut all, mut given) = (String::new(), json!({ "max_bytes": 1000 }));
            loop {
                let (shown, told) = text(read(&body, given.clone()).await);
                assert!(shown.len() <= 1000 && shown.ends_with('\n'));
                all.push_str(&shown);
                match told["next"]["offset"].as_u64() {
                    Some(next) => given["offset"] = next.into(),
                    None => break,
                }
            }
            assert_eq!(all, whole);
            let (shown, told) = text(read(&body, json!({ "max_bytes": 1000 })).await);
            assert!(
                whole.starts_with(&shown) && told["shown"] == shown.len() && told["next"]["offset"].is_u64()
            );
        }
    });
}

#[test]
fn what_is_no_text_is_bytes_and_not_called_a_text() {
    block_on(async {
        for body in [b"\x93quoted\x94 \xe9".as_slice(), b"caf\xe9 and \xc3\xa9 \x81"] {
            match read(body, json!({})).await.unwrap() {
                Outcome::Bytes { bytes, media_type, .. } => {
                    assert_eq!((bytes.as_ref(), media_type.as_str()), (body, "application/octet-stream"));
                }
                other => panic!("{other:?}"),
            }
        }
        let error = read([0xff, 0xfe, 0, 0xd8], json!({})).await.unwrap_err();
        assert_eq!(error.code, Code::Refused);
    });
}

#[test]
fn a_pointer_of_git_lfs_is_named_and_followed_where_that_is_asked_for() {
    block_on(async {
        let (shown, told) = text(read(POINTER, json!({})).await);
        assert_eq!((shown.as_str(), &told["lfs"]), (POINTER, &json!({ "oid": "sha256:e8f3", "size": 9600 })));
        assert!(told["note"].as_str().unwrap().contains("follow_lfs: true"), "{told}");

        let kept =
            Answer::new(200, "text/plain", "weights\n").header("ETag", &format!("\"{}\"", "e8".repeat(32)));
        let forge = Scripted::new([raw(POINTER), kept]).await;
        let given = json!({ "path": "docs/a b.bin", "ref": "v1", "follow_lfs": true, "with_metadata": true });
        let (shown, told) = text(call(&forge, tool("get_file_content"), in_widget(given)).await);
        assert_eq!((shown.as_str(), &told["size"], &told["sha"]), ("weights\n", &json!(8), &json!(SHA)));
        assert_eq!(told["lfs"]["oid"], "sha256:e8f3");
        let targets = ["raw", "media"]
            .map(|form| format!("GET /api/v1/repos/acme/widget/{form}/docs/a%20b.bin?ref=v1"));
        assert_eq!(forge.lines(), targets);

        let long = "line\n".repeat(1000);
        let forge = Scripted::new([raw(&long)]).await;
        let given = in_widget(json!({ "follow_lfs": true }));
        assert_eq!(text(call(&forge, tool("get_file_content"), given).await).0, long);
        assert_eq!(forge.lines().len(), 1);
    });
}

/// A demo forge's answer to a call as bob.
async fn recorded(name: &str, more: Value) -> Result<Outcome, OperationError> {
    let demo = DemoForge::start(Options::default()).await.unwrap();
    let base = BaseUrl::parse(&format!("http://{}", demo.address())).unwrap();
    let forge = Forge::new(base, Token::new("demo-bob"));
    run(&forge, tool(name), arguments::object(Some(in_widget(more))).unwrap(), &Limits::default()).await
}

#[test]
fn what_is_no_file_is_named_as_a_real_forge_tells_it() {
    block_on(async {
        let link = json(recorded("get_file_content", json!({ "path": "link-to-readme" })).await);
        assert_eq!((&link["type"], &link["target"]), (&json!("symlink"), &json!("README.md")));
        let module = json(recorded("get_file_content", json!({ "path": "vendor/lib" })).await);
        let url = json!("https://git.example.org/acme/lib.git");
        assert_eq!((&module["type"], &module["submodule_git_url"]), (&json!("submodule"), &url));
        let docs = json(recorded("get_file_content", json!({ "path": "docs" })).await);
        let paths: Vec<&Value> = docs["items"].as_array().unwrap().iter().map(|row| &row["path"]).collect();
        assert!(
            paths.contains(&&json!("docs/hash#tag.md"))
                && docs["note"].as_str().unwrap().contains("directory")
        );
        let (shown, told) = text(recorded("get_file_content", json!({ "path": "assets/model.bin" })).await);
        assert!(shown.starts_with("version https://git-lfs") && told["lfs"]["size"] == 9600, "{told}");
        let kept = json!({ "path": "assets/model.bin", "follow_lfs": true, "with_metadata": true });
        let (shown, told) = text(recorded("get_file_content", kept).await);
        assert!(shown.starts_with("model weights line 0000\n"), "{shown}");
        assert_eq!(
            (&told["size"], &told["sha"]),
            (&json!(9600), &json!("9a4fd94ef5dad1e6b9b604a161fa6f057d01e109"))
        );
        // A short file without a line end is a file all the same.
        let (shown, _) = text(recorded("get_file_content", json!({ "path": "data/no-newline.txt" })).await);
        assert_eq!(shown, "no newline at end");
    });
}

#[test]
fn what_is_cut_of_a_directory_goes_on_in_the_list_of_its_contents() {
    block_on(async {
        let nodes: Vec<Value> = (0..90)
            .map(|at| json!({ "type": "file", "path": format!("d/{at}"), "sha": SHA, "size": 1 }))
            .collect();
        let nodes = json!(nodes).to_string();
        let answers = [Answer::json(404, "{}"), Answer::json(200, &nodes)];
        let forge = Scripted::new(answers).await;
        let given = in_widget(json!({ "path": "d", "ref": "v1", "max_bytes": 5000 }));
        let cut = json(call(&forge, tool("get_file_content"), given).await);
        let note = cut["note"].as_str().unwrap();
        let next = note.strip_prefix("this is a directory; list_repo_contents with ").unwrap();
        let next: Value = serde_json::from_str(next.strip_suffix(" goes on").unwrap()).unwrap();
        let seen = cut["items"].as_array().unwrap().len();
        assert_eq!(next, json!({ "path": "d", "ref": "v1", "page": 2, "limit": seen }));
        assert!(seen > 10 && cut.to_string().len() <= 5000 && cut.get("next").is_none(), "{cut}");
        let forge = Scripted::new([Answer::json(200, &nodes)]).await;
        let rest = json(call(&forge, tool("list_repo_contents"), in_widget(next)).await);
        assert_eq!(rest["items"][0]["path"], json!(format!("d/{seen}")));
        assert_eq!(forge.request().target, "/api/v1/repos/acme/widget/contents/d?ref=v1");
    });
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

fn contents(sha: &str, bytes: &[u8]) -> Answer {
    use base64::Engine;
    let content = base64::engine::general_purpose::STANDARD.encode(bytes);
    // Readers must not choke on wrapped lines.
    let wrapped: String = content
        .as_bytes()
        .chunks(60)
        .map(|line| format!("{}\n", std::str::from_utf8(line).unwrap()))
        .collect();
    let node = json!({ "type": "file", "path": "a.txt", "sha": sha, "size": bytes.len(), "encoding": "base64", "content": wrapped });
    Answer::json(200, &node.to_string())
}

fn written() -> Answer {
    Answer::json(
        200,
        &json!({ "content": { "path": "a.txt", "sha": OTHER }, "commit": { "sha": "c" } }).to_string(),
    )
}

/// The bytes that a PUT has.
fn sent(request: &Request) -> Vec<u8> {
    use base64::Engine;
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    base64::engine::general_purpose::STANDARD.decode(body["content"].as_str().unwrap()).unwrap()
}

async fn edited(file: &[u8], more: Value) -> Vec<u8> {
    let forge = Scripted::new([contents(SHA, file), written()]).await;
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
            let forge = Scripted::new([contents(SHA, b"caf\xe9\n")]).await;
            let error = call(&forge, tool("edit_file"), in_widget(one("caf", new))).await.unwrap_err();
            let said = format!("only guessed to be in iso-8859-1: what bytes {character:?} has");
            assert!(error.code == Code::InvalidArguments && error.message.contains(&said), "{error}");
            assert_eq!(forge.lines().len(), 1);
        }
        for (file, told) in [(b"caf\xe9\n".as_slice(), json!("iso-8859-1")), (b"caf\xc3\xa9\n", Value::Null)]
        {
            for dry_run in [false, true] {
                let forge = Scripted::new([contents(SHA, file), written()]).await;
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
        let path = "docs/a b #1 100%/\u{fc}.md";
        let forge = Scripted::new([contents(SHA, b"a\n"), written()]).await;
        let mut given = in_widget(one("a", "b"));
        let more = json!({ "path": path, "branch": "feature/x", "new_branch": "edit-1", "message": "Say b", "sha": SHA });
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json(call(&forge, tool("edit_file"), given).await);
        let at = "/api/v1/repos/acme/widget/contents/docs/a%20b%20%231%20100%25/%C3%BC.md";
        assert_eq!(forge.lines(), [format!("GET {at}?ref=feature%2Fx"), format!("PUT {at}")]);
        let body: Value = serde_json::from_str(forge.requests()[1].text()).unwrap();
        let told = json!({ "content": "Ygo=", "sha": SHA, "message": "Say b", "branch": "feature/x", "new_branch": "edit-1" });
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
        let node = json!({ "type": "file", "path": "a.txt", "sha": SHA, "size": file.len(), "encoding": "base64", "content": "" });
        let forge = Scripted::new([Answer::json(200, &node.to_string()), raw(&file), written()]).await;
        json(call(&forge, tool("edit_file"), in_widget(edit.clone())).await);
        assert_eq!(sent(&forge.requests()[2]), result.as_bytes());
        assert_eq!(forge.lines()[1], "GET /api/v1/repos/acme/widget/raw/a.txt");
        // Another file than the one that was described is none to write on.
        let changed = Answer::new(200, "text/plain", &file).header("ETag", &format!("\"{OTHER}\""));
        let forge = Scripted::new([Answer::json(200, &node.to_string()), changed]).await;
        let error = call(&forge, tool("edit_file"), in_widget(edit.clone())).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::Conflict, 2));
        let huge =
            json!({ "type": "file", "path": "a.txt", "sha": SHA, "size": 5_000_000_000_u64, "content": "" });
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
            let forge = Scripted::new([contents(SHA, b"a\nb\n")]).await;
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
        let forge = Scripted::new([contents(SHA, file)]).await;
        let mut given = in_widget(one("two\n", "2\n"));
        given["dry_run"] = json!(true);
        let plan = json(call(&forge, tool("edit_file"), given).await);
        assert_eq!(forge.lines().len(), 1);
        assert_eq!(
            (&plan["dry_run"], &plan["method"], &plan["body"]),
            (&json!(true), &json!("PUT"), &json!({ "sha": SHA }))
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
        let update = json!({ "content": "x", "sha": SHA, "branch": "main" });
        let delete = json!({ "sha": SHA, "branch": "main" });
        let mut edit = one("a", "b");
        edit["branch"] = json!("main");
        for (name, given, before) in
            [("update_file", &update, 0), ("delete_file", &delete, 0), ("edit_file", &edit, 1)]
        {
            for refusal in [says(409, "sha does not match"), says(422, "sha does not match"), says(400, "no")]
            {
                let mut script = vec![contents(SHA, b"a\n"); before];
                script.extend([refusal, contents(OTHER, b"c\n")]);
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
            for now in [contents(SHA, b"a\n"), Answer::json(404, "{}")] {
                let mut script = vec![contents(SHA, b"a\n"); before];
                script.extend([says(422, "branch already exists"), now]);
                let forge = Scripted::new(script).await;
                let error = call(&forge, tool(name), in_widget(given.clone())).await.unwrap_err();
                assert_eq!(error.code, Code::Validation, "{name}: {error}");
            }
        }
        let forge = Scripted::new([contents(OTHER, b"a\n")]).await;
        let mut given = in_widget(one("a", "b"));
        given["sha"] = json!(SHA);
        let error = call(&forge, tool("edit_file"), given).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::Conflict, 1));
        assert!(error.message.contains(OTHER), "{error}");
        let forge =
            Scripted::new([says(422, &format!("sha does not match [given: {SHA}, expected: {OTHER}]"))])
                .await;
        let files = json!({ "owner": "acme", "repo": "widget", "files": [{ "operation": "update", "path": "a", "sha": SHA, "content": "a" }] });
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
