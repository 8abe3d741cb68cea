//! Files: what encoding a text is in, what is no file, and Git LFS.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::demo::{DemoForge, Options};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome, arguments, run};
use forgehand_client::BaseUrl;
use serde_json::{Value, json};

const SHA: &str = "7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4";
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
        assert_eq!((shown.as_str(), &told["encoding"]), ("a\n", &json!("utf-8 with BOM")));
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
