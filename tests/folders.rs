//! Files of this machine: what is read and written, beneath which folder, and what is refused with nothing read or sent.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/child.rs"]
mod child;
mod common;
#[path = "common/temporary.rs"]
mod temporary;

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

use common::scripted::{Answer, Cut, Scripted};
use common::{block_on, forge, json, limits};
use forgehand::folders::{Folder, Folders};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome, Saved, arguments, run};
use serde_json::{Value, json};
use temporary::Temporary;

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

fn in_widget(more: &Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

/// Runs a tool that may read from and write to that folder.
async fn run_in(
    folder: Option<&Temporary>,
    scripted: &Scripted,
    (name, more): (&str, &Value),
    limits: &Limits,
) -> Result<Outcome, OperationError> {
    let open = |folder: &Temporary| Folder::open(folder.path()).unwrap();
    let folders =
        Folders { upload: folder.map(open), download: folder.map(open), output: None, output_limit: None };
    let arguments = arguments::object(Some(in_widget(more)))?;
    run(&forge(scripted).with_folders(folders), tool(name), arguments, limits).await
}

async fn upload(folder: &Temporary, scripted: &Scripted, more: &Value) -> Result<Outcome, OperationError> {
    let mut arguments = json!({ "index": 5 });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    run_in(Some(folder), scripted, ("create_issue_attachment", &arguments), &limits()).await
}

async fn save(folder: &Temporary, scripted: &Scripted, more: &Value) -> Result<Outcome, OperationError> {
    let mut arguments = json!({ "archive": "main.zip" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    run_in(Some(folder), scripted, ("get_repo_archive", &arguments), &limits()).await
}

/// A folder with one of everything in it, beside a secret that is out of it.
fn furnished() -> (Temporary, Temporary) {
    let (folder, outside) = (Temporary::new(), Temporary::new());
    std::fs::write(outside.at("secret"), "s3cr3t").unwrap();
    std::fs::write(folder.at("plain.txt"), "bolt\n").unwrap();
    std::fs::create_dir(folder.at("below")).unwrap();
    symlink(outside.at("secret"), folder.at("out")).unwrap();
    symlink(format!("../{}/secret", outside.path().file_name().unwrap().to_str().unwrap()), folder.at("up"))
        .unwrap();
    symlink(outside.path(), folder.at("door")).unwrap();
    symlink("/dev/zero", folder.at("zero")).unwrap();
    symlink("nothing", folder.at("dangling")).unwrap();
    symlink("loop", folder.at("loop")).unwrap();
    UnixListener::bind(folder.at("socket")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().unwrap().success());
    (folder, outside)
}

#[test]
fn what_is_no_plain_file_beneath_the_folder_is_refused_with_nothing_read_or_sent() {
    block_on(async {
        let (folder, outside) = furnished();
        let absolute = folder.at("plain.txt").to_str().unwrap().to_owned();
        let (long, deep) = ("n".repeat(256), "d/".repeat(2048) + "f");
        let secret = outside.at("secret").to_str().unwrap().to_owned();
        let cases: [(&str, &str); 22] = [
            ("", "empty"),
            ("../secret", "`..`"),
            ("below/../plain.txt", "`..`"),
            ("below/../../secret", "`..`"),
            (&absolute, "absolute"),
            (&secret, "absolute"),
            ("./plain.txt", "`.`"),
            ("plain.txt/", "folder"),
            ("plain\0.txt", "NUL"),
            (&long, "255 bytes"),
            (&deep, "4095 bytes"),
            ("below", "got a folder"),
            ("out", "leads out"),
            ("up", "leads out"),
            ("door/secret", "leads out"),
            ("zero", "leads out"),
            ("dangling", "no such file"),
            ("missing", "no such file"),
            ("loop", "refuses"),
            ("plain.txt/x", "refuses"),
            ("socket", "got a socket"),
            ("pipe", "got a named pipe"),
        ];
        let forge = Scripted::agreeable().await;
        for (path, words) in cases {
            let error = upload(&folder, &forge, &json!({ "file": path })).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{path:?}: {error}");
            assert!(
                error.message.starts_with("argument `file`: ") && error.message.contains(words),
                "{path:?}: {error}"
            );
            assert!(!error.message.contains("s3cr3t"), "{error}");
        }
        // Only root may make a device.
        if Command::new("mknod")
            .arg(folder.at("device"))
            .args(["c", "1", "5"])
            .output()
            .unwrap()
            .status
            .success()
        {
            let error = upload(&folder, &forge, &json!({ "file": "device" })).await.unwrap_err();
            assert!(error.message.ends_with("expected a plain file, got a device"), "{error}");
        }
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn an_upload_name_that_is_none_is_refused_with_nothing_sent() {
    block_on(async {
        let (folder, _outside) = furnished();
        let forge = Scripted::agreeable().await;
        let long = "n".repeat(256);
        for (name, words) in [
            ("", "empty"),
            ("a\r\nX-Evil: 1", "line end"),
            ("a\nb", "line end"),
            ("a\0b", "control"),
            ("../../etc/passwd", "a path"),
            ("..", "folder"),
            (&long, "255 bytes"),
        ] {
            for content in
                [json!({ "content": "YQ==" }), json!({ "text": "a" }), json!({ "file": "plain.txt" })]
            {
                let mut given = content;
                given["filename"] = name.into();
                let error = upload(&folder, &forge, &given).await.unwrap_err();
                assert_eq!(error.code, Code::InvalidArguments, "{error}");
                assert!(
                    error.message.contains("`filename`") && error.message.contains(words),
                    "{name:?}: {error}"
                );
            }
        }
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn a_file_goes_out_byte_by_byte_with_its_length_and_its_name() {
    block_on(async {
        let (folder, _outside) = furnished();
        let bytes: Vec<u8> = (0..300_001_u32).map(|n| (n * 7 % 251) as u8).collect();
        std::fs::write(folder.at("below/t\u{e4}ble \"1\".bin"), &bytes).unwrap();
        std::fs::write(folder.at("empty"), "").unwrap();
        symlink("below/t\u{e4}ble \"1\".bin", folder.at("inside")).unwrap();
        let binary = "application/octet-stream";
        for (given, name, media_type, content) in [
            (
                json!({ "file": "below/t\u{e4}ble \"1\".bin" }),
                "t\u{e4}ble \\\"1\\\".bin",
                binary,
                bytes.as_slice(),
            ),
            (json!({ "file": "inside", "mime_type": "a/b" }), "inside", "a/b", &bytes),
            (json!({ "file": "plain.txt", "filename": "b.txt" }), "b.txt", "text/plain", b"bolt\n"),
            (json!({ "file": "empty" }), "empty", "text/plain", b""),
            (json!({ "text": "gr\u{fc}n\r\n" }), "attachment", "text/plain", "gr\u{fc}n\r\n".as_bytes()),
        ] {
            let forge = Scripted::agreeable().await;
            json(upload(&folder, &forge, &given).await);
            let request = forge.request();
            let boundary = request.header("content-type").unwrap().split_once("boundary=").unwrap().1;
            let head = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"attachment\"; filename=\"{name}\"\r\n\
                 Content-Type: {media_type}\r\n\r\n"
            );
            let form = [head.as_bytes(), content, format!("\r\n--{boundary}--\r\n").as_bytes()].concat();
            assert!(request.body == form, "{given}");
            assert_eq!(request.header("content-length"), Some(form.len().to_string().as_str()));
            assert_eq!(request.header("transfer-encoding"), None);
        }
    });
}

#[test]
fn one_of_content_text_and_file_is_sent() {
    block_on(async {
        let (folder, _outside) = furnished();
        let forge = Scripted::agreeable().await;
        for (given, said) in [
            (
                json!({ "file": "plain.txt", "content": "YQ==" }),
                "expected one of `content` and `file`, got both",
            ),
            (json!({ "file": "plain.txt", "text": "a" }), "expected one of `text` and `file`, got both"),
            (json!({ "content": "YQ==", "text": "a" }), "expected one of `content` and `text`, got both"),
            (json!({}), "argument `content` (or `text`) is required"),
        ] {
            let error = upload(&folder, &forge, &given).await.unwrap_err();
            assert!(error.message.starts_with(said), "{error}");
        }
        let none = ("create_release_attachment", &json!({ "release_id": 3 }));
        let error = run_in(Some(&folder), &forge, none, &limits()).await.unwrap_err();
        assert_eq!(
            error.hint.as_deref(),
            Some("it is made of the arguments `content`, `text`, `external_url`"),
            "{error}"
        );
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn without_a_folder_no_file_is_read_or_written_and_the_option_is_named() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        for (name, given, option) in [
            ("create_issue_attachment", json!({ "index": 5, "file": "/etc/passwd" }), "--upload-root DIR"),
            ("create_release_attachment", json!({ "release_id": 5, "file": "a" }), "FORGEHAND_UPLOAD_ROOT"),
            ("get_repo_archive", json!({ "archive": "main.zip", "save_as": "a.zip" }), "--download-root DIR"),
            (
                "download_issue_attachment",
                json!({ "index": 5, "attachment_id": 1, "save_as": "a" }),
                "FORGEHAND_DOWNLOAD_ROOT",
            ),
        ] {
            let error = run_in(None, &forge, (name, &given), &limits()).await.unwrap_err();
            assert_eq!(error.code, Code::Refused, "{error}");
            assert!(error.hint.as_ref().unwrap().contains(option), "{error:?}");
        }
        // No other account has the folders of this one.
        let (folder, _outside) = furnished();
        let folders = Folders { upload: Some(Folder::open(folder.path()).unwrap()), ..Folders::default() };
        let other = common::forge(&forge).with_folders(folders).with_token(None);
        let given = arguments::object(Some(in_widget(&json!({ "index": 5, "file": "plain.txt" })))).unwrap();
        let error = run(&other, tool("create_issue_attachment"), given, &limits()).await.unwrap_err();
        assert_eq!(error.code, Code::Refused, "{error}");
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn a_dry_run_tells_the_files_size_and_sends_nothing() {
    block_on(async {
        let (folder, _outside) = furnished();
        let forge = Scripted::agreeable().await;
        let plan = json(upload(&folder, &forge, &json!({ "file": "plain.txt", "dry_run": true })).await);
        assert_eq!(plan["body"], json!([{ "name": "attachment", "file_name": "plain.txt", "bytes": 5 }]));
        assert_eq!(forge.lines(), [""; 0]);
    });
}

#[test]
fn a_place_that_is_taken_or_not_beneath_the_folder_is_refused_with_nothing_sent_or_written() {
    block_on(async {
        let (folder, outside) = furnished();
        let forge = Scripted::agreeable().await;
        let before = folder.names();
        for (given, words) in [
            (json!({ "save_as": "plain.txt" }), "already"),
            (json!({ "save_as": "out" }), "already"),
            (json!({ "save_as": "out", "overwrite": true }), "got a symbolic link"),
            (json!({ "save_as": "below", "overwrite": true }), "got a folder"),
            (json!({ "save_as": "pipe", "overwrite": true }), "got a named pipe"),
            (json!({ "save_as": "door/new" }), "leads out"),
            (json!({ "save_as": "../new" }), "`..`"),
            (json!({ "save_as": "/new" }), "absolute"),
            (json!({ "save_as": "a\0b" }), "NUL"),
            (json!({ "save_as": "nowhere/new" }), "no such folder"),
            (json!({ "overwrite": true }), "expected save_as"),
        ] {
            let error = save(&folder, &forge, &given).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{given}: {error}");
            assert!(error.message.contains(words), "{given}: {error}");
        }
        assert_eq!(
            (forge.lines().len(), folder.names(), outside.names()),
            (0, before, vec!["secret".to_owned()])
        );
        assert_eq!(std::fs::read(folder.at("plain.txt")).unwrap(), b"bolt\n");
    });
}

#[test]
fn an_answer_is_written_whole_under_its_name_and_what_is_there_only_on_request() {
    block_on(async {
        let folder = Temporary::new();
        std::fs::create_dir(folder.at("below")).unwrap();
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| (n * 11 % 253) as u8).collect();
        for (given, path) in [
            (json!({ "save_as": "below/a.zip" }), "below/a.zip"),
            (json!({ "save_as": "below/a.zip", "overwrite": true }), "below/a.zip"),
            (json!({ "save_as": "b.zip", "overwrite": true, "max_bytes": 3_000_000 }), "b.zip"),
        ] {
            let forge = Scripted::new([Answer::new(200, "application/zip", &bytes)]).await;
            let Ok(Outcome::Saved(Saved { path: told, bytes: count, media_type, sha, .. })) =
                save(&folder, &forge, &given).await
            else {
                panic!("{given} was not saved");
            };
            assert_eq!(
                (told.as_str(), count, media_type.as_str(), sha),
                (path, 3_000_000, "application/zip", None)
            );
            assert!(std::fs::read(folder.at(path)).unwrap() == bytes, "{given}");
        }
        let mut names = folder.names();
        names.retain(|name| name.ends_with(".part"));
        assert_eq!(names, [""; 0]);
    });
}

#[test]
fn a_text_an_attachment_and_a_file_of_a_release_are_written_too() {
    block_on(async {
        let folder = Temporary::new();
        let uuid = "5759b88e-d06c-4837-a050-bbe55b50cefb";
        let told = json!({ "id": 6, "name": "a", "uuid": uuid, "type": "attachment",
            "browser_download_url": format!("https://forge.example/attachments/{uuid}") });
        for (name, given, is_told) in [
            ("get_file_content", json!({ "path": "README.md" }), false),
            ("get_pull_request_diff", json!({ "index": 3 }), false),
            ("download_issue_attachment", json!({ "index": 3, "attachment_id": 6 }), true),
            ("download_release_attachment", json!({ "release_id": 3, "attachment_id": 6 }), true),
        ] {
            let mut script = vec![
                Answer::new(200, "text/plain; charset=utf-8", "bolt\n")
                    .header("ETag", &format!("\"{}\"", "a".repeat(40))),
            ];
            if is_told {
                script.insert(0, Answer::json(200, &told.to_string()));
            }
            let forge = Scripted::new(script).await;
            let mut given = given;
            given["save_as"] = name.into();
            let outcome = run_in(Some(&folder), &forge, (name, &given), &limits()).await;
            let Ok(Outcome::Saved(saved)) = outcome else { panic!("{name}: {outcome:?}") };
            assert_eq!(
                saved.told(),
                json!({ "saved_as": name, "bytes": 5, "media_type": "text/plain; charset=utf-8" })
            );
            assert_eq!(std::fs::read(folder.at(name)).unwrap(), b"bolt\n");
        }
        let forge = Scripted::agreeable().await;
        let given = json!({ "path": "README.md", "start_line": 2, "save_as": "lines" });
        let error = run_in(Some(&folder), &forge, ("get_file_content", &given), &limits()).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::InvalidArguments, 0), "{error}");
    });
}

#[test]
fn an_answer_that_is_refused_breaks_off_never_ends_or_is_too_large_leaves_no_file() {
    block_on(async {
        let folder = Temporary::new();
        let body = || Answer::new(200, "application/zip", vec![7; 100_000]);
        let long = json!({ "save_as": "a", "max_bytes": 99_999 });
        let usual = json!({ "save_as": "a" });
        let short = Limits { timeout: Duration::from_millis(300), ..limits() };
        for (answer, given, limits, code) in [
            (Answer::json(404, "{}"), &usual, limits(), Code::NotFound),
            (body().cut(Cut::WithinBody), &usual, limits(), Code::Unreachable),
            (body().cut(Cut::StallWithinBody), &usual, short, Code::Timeout),
            (body(), &long, limits(), Code::TooLarge),
        ] {
            let forge = Scripted::new([answer]).await;
            let mut given = given.clone();
            given["archive"] = "main.zip".into();
            let error =
                run_in(Some(&folder), &forge, ("get_repo_archive", &given), &limits).await.unwrap_err();
            assert_eq!(error.code, code, "{error}");
            assert_eq!(folder.names(), [""; 0], "{error}");
        }
        // What came meanwhile is not replaced.
        let taken = folder.at("a");
        let forge = Scripted::by(move |_| {
            std::fs::write(&taken, "mine").unwrap();
            Answer::new(200, "application/zip", "theirs")
        })
        .await;
        let error = save(&folder, &forge, &usual).await.unwrap_err();
        assert!(error.message.contains("already"), "{error}");
        assert_eq!(
            (folder.names(), std::fs::read(folder.at("a")).unwrap()),
            (vec!["a".to_owned()], b"mine".to_vec())
        );
    });
}

#[test]
fn the_arguments_are_listed_where_an_option_allows_them() {
    let folder = Temporary::new();
    let tools = "create_issue_attachment,get_repo_archive,get_issue_by_index";
    let listed = |variables: &[(&str, &str)]| {
        let all = [&[("FORGEHAND_TOOLS", tools), ("FORGEHAND_DISCOVERY", "true")], variables].concat();
        let mut server = child::Server::initialized("http://127.0.0.1:9", &all);
        server.send(&child::request(2, "tools/list"));
        let answer = server.answer();
        let described = server.call(3, "describe_tool", json!({ "name": "get_repo_archive" }));
        let described = described["result"]["structuredContent"]["input_schema"]["properties"].clone();
        let mut names = Vec::new();
        for tool in answer["result"]["tools"].as_array().unwrap() {
            let properties = &tool["inputSchema"]["properties"];
            if tool["name"] == "get_repo_archive" {
                assert_eq!(*properties, described);
            }
            let known = ["file", "save_as", "overwrite"];
            let here = properties.as_object().unwrap().keys().filter(|name| known.contains(&name.as_str()));
            names.extend(here.map(|name| format!("{} {name}", tool["name"].as_str().unwrap())));
        }
        names.sort();
        names
    };
    let path = folder.path().to_str().unwrap();
    assert_eq!(listed(&[]), [""; 0]);
    assert_eq!(listed(&[("FORGEHAND_UPLOAD_ROOT", path)]), ["create_issue_attachment file"]);
    assert_eq!(
        listed(&[("FORGEHAND_DOWNLOAD_ROOT", path)]),
        ["get_repo_archive overwrite", "get_repo_archive save_as"]
    );
}

#[test]
fn an_output_that_breaks_off_leaves_what_was_there() {
    let folder = Temporary::new();
    let path = folder.at("out.zip");
    std::fs::write(&path, "precious").unwrap();
    let (path, place) = (path.to_str().unwrap().to_owned(), path.clone());
    block_on(async {
        let forge = Scripted::by(|request| match request.is_version() {
            true => Answer::release("15.0.0"),
            false => Answer::new(200, "application/zip", [7; 4000])
                .header("content-disposition", "attachment")
                .cut(Cut::WithinBody),
        })
        .await;
        let base = forge.base();
        for arguments in [
            ["call", "get_repo_archive", "repo=a/b", "archive=main.zip", "--output", &path, "--url", &base],
            ["call", "get_repo", "repo=a/b", "--json", "--output", &path, "--url", &base],
        ] {
            let arguments: Vec<String> = arguments.map(str::to_owned).to_vec();
            let output = tokio::task::spawn_blocking(move || {
                child::command(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).output().unwrap()
            });
            let output = output.await.unwrap();
            assert!(!output.status.success(), "{output:?}");
            assert_eq!(std::fs::read_to_string(&place).unwrap(), "precious", "{output:?}");
        }
    });
    let left: Vec<_> =
        std::fs::read_dir(place.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["out.zip"]);
}

#[test]
fn a_file_whose_name_is_none_for_an_upload_is_not_sent_under_it() {
    block_on(async {
        let folder = Temporary::new();
        let forge = Scripted::agreeable().await;
        for name in ["a\nb.txt", "a\r\nX-Y: z.txt", "\u{1}c"] {
            std::fs::write(folder.at(name), "x").unwrap();
            let error = upload(&folder, &forge, &json!({ "file": name })).await.unwrap_err();
            assert!(
                error.message.starts_with("argument `file`: ") && error.hint.unwrap().contains("filename")
            );
            assert_eq!(forge.lines(), [""; 0]);
            let sent = upload(&folder, &forge, &json!({ "file": name, "filename": "b.txt" })).await;
            assert!(
                sent.is_ok() && forge.take_requests().last().unwrap().text().contains("filename=\"b.txt\"")
            );
        }
    });
}
