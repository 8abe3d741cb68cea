//! `call --output`: the file holds all of an answer, or is as it was.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;
#[path = "common/forge.rs"]
mod forge;
#[path = "common/scripted.rs"]
mod scripted;
#[path = "common/temporary.rs"]
mod temporary;

use std::path::Path;
use std::process::{Output, Stdio};

use child::command;
use scripted::{Answer, Cut, Scripted};
use serde_json::{Value, json};
use temporary::Temporary;

const ISSUE: [&str; 5] = ["call", "get_issue_by_index", "owner=acme", "repo=widget", "index=1"];
const DIFF: [&str; 4] = ["call", "get_pull_request_diff", "repo=acme/widget", "index=1"];
const ARCHIVE: [&str; 4] = ["call", "get_repo_archive", "repo=acme/widget", "archive=main.zip"];

fn against(forge: &Scripted, arguments: &[&str]) -> Output {
    command(arguments).env("FORGEHAND_URL", forge.base()).stdin(Stdio::null()).output().unwrap()
}

fn issue() -> Answer {
    Answer::json(200, r#"{"number":1,"title":"Bolt is loose","state":"open"}"#)
}

fn zip(bytes: impl AsRef<[u8]>) -> Answer {
    Answer::new(200, "application/zip", bytes)
}

/// A call that writes to that file: its exit code and its standard error.
fn to(path: &Path, forge: &Scripted, call: &[&str]) -> (Option<i32>, String) {
    let output = against(forge, &[call, &["--output", path.to_str().unwrap()]].concat());
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_answer_goes_to_the_file_that_is_named() {
    let folder = Temporary::new();
    let there = folder.at("longer");
    std::fs::write(&there, "longer than what follows").unwrap();
    for (name, answer, call) in [
        ("issue", issue(), &ISSUE[..]),
        ("diff", Answer::new(200, "text/plain", "+ a\n"), &DIFF[..]),
        ("zip", zip(vec![7; 17 * 1024 * 1024]), &ARCHIVE[..]),
        ("longer", zip("short"), &ARCHIVE[..]),
    ] {
        let (code, stderr) = to(&folder.at(name), &forge::start([answer]), call);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
    }
    let read = |name: &str| std::fs::read(folder.at(name)).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&read("issue")).unwrap()["number"], 1);
    assert_eq!((read("diff"), read("longer")), (b"+ a\n".to_vec(), b"short".to_vec()));
    assert!(read("zip") == vec![7; 17 * 1024 * 1024]);
    assert_eq!(folder.names(), ["diff", "issue", "longer", "zip"]);
}

#[test]
fn what_fails_leaves_the_file_as_it_was_and_none_where_there_was_none() {
    let text = |answer: &str| Answer::new(200, "text/plain", answer.repeat(5000));
    let long = || text("+ one line of it\n");
    let folder = Temporary::new();
    for (answer, call, code) in [
        (Answer::json(404, "{}"), [&ARCHIVE[..], &[]], 3),
        (zip(vec![7; 4_000_000]).cut(Cut::WithinBody), [&ARCHIVE[..], &[]], 6),
        (long().cut(Cut::WithinBody), [&DIFF[..], &[]], 6),
        (long(), [&DIFF[..], &["max_bytes=1000"]], 5),
        (long(), [&DIFF[..], &["--max-result-bytes", "1000"]], 5),
        (zip(vec![7; 4000]), [&ARCHIVE[..], &["--max-result-bytes", "1000"]], 5),
        (long(), [&DIFF[..], &["max_bytes=1000", "--json"]], 5),
        (zip(vec![7; 4000]), [&ARCHIVE[..], &["max_bytes=1000"]], 5),
        (Answer::json(500, "{}"), [&ISSUE[..], &["--json"]], 5),
    ] {
        let call = call.concat();
        for there in [None, Some("what was there")] {
            let path = folder.at("file");
            if let Some(there) = there {
                std::fs::write(&path, there).unwrap();
            }
            let (exit, stderr) = to(&path, &forge::start([answer.clone()]), &call);
            assert_eq!(exit, Some(code), "{call:?}: {stderr}");
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), there, "{call:?}");
            assert_eq!(folder.names().len(), usize::from(there.is_some()), "{call:?}: {:?}", folder.names());
            let _ = std::fs::remove_file(&path);
        }
    }
}

#[test]
fn a_text_that_is_cut_never_looks_whole() {
    let diff = "+ one line of it\n".repeat(5000);
    let total = diff.len();
    let forge = forge::start([Answer::new(200, "text/plain", &diff)]);
    let printed = against(&forge, &[&DIFF[..], &["--json"]].concat());
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let shown = printed["text"].as_str().unwrap();
    assert!(shown.len() < total && diff.starts_with(shown));
    assert_eq!((&printed["shown"], &printed["total"]), (&json!(shown.len()), &json!(total)));

    let folder = Temporary::new();
    let (code, stderr) = to(&folder.at("whole"), &forge, &DIFF);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(folder.at("whole")).unwrap(), diff);
    let (_, stderr) = to(&folder.at("cut"), &forge, &[&DIFF[..], &["max_bytes=1000"]].concat());
    assert!(stderr.contains(&format!("has {total} bytes, and max_bytes is 1000")), "{stderr}");
    assert!(!folder.names().contains(&"cut".to_owned()), "{:?}", folder.names());
    // An object or a list that the budget cuts is not all of it either.
    let rows: Value = (0..50).map(|at| json!({ "number": at, "title": "t".repeat(50) })).collect();
    for (answer, call) in [
        (rows, &["call", "list_repo_issues", "repo=acme/widget", "max_bytes=600"][..]),
        (
            json!({ "id": 1, "description": "d".repeat(900) }),
            &["call", "get_repo", "repo=acme/widget", "max_bytes=600"],
        ),
    ] {
        let forge = forge::start([Answer::json(200, &answer.to_string())]);
        let (code, stderr) = to(&folder.at("part"), &forge, call);
        assert_eq!(code, Some(5), "{stderr}");
        assert!(stderr.contains("would not hold all of it"), "{stderr}");
        assert!(!folder.names().contains(&"part".to_owned()), "{:?}", folder.names());
    }
}

#[test]
fn a_file_is_written_as_its_own_bytes_with_a_bound_and_without() {
    let folder = Temporary::new();
    for bytes in [&b"caf\xe9\n"[..], b"\xef\xbb\xbfmarked\n", b"\xff\xfea\0b\0", b"a\0b", b"ab\xc3\xa9\xe9\n"]
    {
        for bound in [&[][..], &["max_bytes=1000"], &["--max-result-bytes", "1000"]] {
            let forge = forge::start([Answer::new(200, "text/plain", bytes)]);
            let call = [&["call", "get_file_media", "repo=acme/widget", "path=x"], bound].concat();
            let (code, stderr) = to(&folder.at("file"), &forge, &call);
            assert_eq!(code, Some(0), "{bound:?}: {stderr}");
            assert_eq!(std::fs::read(folder.at("file")).unwrap(), bytes, "{bound:?}");
        }
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_anything_is_sent() {
    let folder = Temporary::new();
    let (file, read_only) = (folder.at("file"), folder.at("read-only"));
    std::fs::write(&file, "there").unwrap();
    std::fs::write(&read_only, "there").unwrap();
    let mut permissions = read_only.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&read_only, permissions).unwrap();
    let forge = forge::start([Answer::json(201, "{}")]);
    let create: &[&str] = &["call", "create_issue", "repo=acme/widget", "title=x"];
    for path in [file.join("below"), folder.at("none").join("below"), folder.path().to_owned(), read_only] {
        for call in [create, &ARCHIVE] {
            let (code, stderr) = to(&path, &forge, call);
            assert_eq!((code, forge.requests().len()), (Some(5), 0), "{path:?}: {stderr}");
            assert!(stderr.contains("cannot be written"), "{stderr}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_permissions_and_links_to_it_stay_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Temporary::new();
    let (file, link, dangling) = (folder.at("file"), folder.at("link"), folder.at("dangling"));
    std::fs::write(&file, "there").unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    symlink("to-be", &dangling).unwrap();
    for path in [&link, &dangling] {
        let (code, stderr) = to(path, &forge::start([zip("bytes")]), &ARCHIVE);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(path.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(path).unwrap(), b"bytes");
    }
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.names(), ["dangling", "file", "link", "to-be"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_written_into() {
    for (answer, call) in [(zip("bytes"), &ARCHIVE[..]), (Answer::new(200, "text/plain", "bytes"), &DIFF)] {
        let output = against(&forge::start([answer]), &[call, &["--output", "/dev/stdout"]].concat());
        assert_eq!((output.status.code(), output.stdout), (Some(0), b"bytes".to_vec()));
    }
}

#[test]
fn a_bound_on_answers_holds_for_a_file_whether_a_flag_or_a_variable_sets_it() {
    let folder = Temporary::new();
    let path = folder.at("file");
    let path = path.to_str().unwrap();
    let diff = || Answer::new(200, "text/plain", "+ one line of it\n".repeat(100));
    for (answer, call) in [(diff(), &DIFF[..]), (zip(vec![7; 1700]), &ARCHIVE)] {
        for (bound, code) in [(None, 0), (Some("5000"), 0), (Some("1000"), 5)] {
            let mut said = Vec::new();
            for by_flag in [true, false] {
                let forge = forge::start([answer.clone()]);
                let mut command = command(&[call, &["--output", path]].concat());
                command.env("FORGEHAND_URL", forge.base()).stdin(Stdio::null());
                match (bound, by_flag) {
                    (Some(bound), true) => command.args(["--max-result-bytes", bound]),
                    (Some(bound), false) => command.env("FORGEHAND_MAX_RESULT_BYTES", bound),
                    (None, _) => &mut command,
                };
                let output = command.output().unwrap();
                assert_eq!(output.status.code(), Some(code), "{call:?} {bound:?} {by_flag}: {output:?}");
                let written = std::fs::read(path).ok();
                assert_eq!(written.map(|bytes| bytes.len()), (code == 0).then_some(1700), "{bound:?}");
                let _ = std::fs::remove_file(path);
                said.push(output.stderr);
            }
            assert_eq!(said[0], said[1], "{bound:?}");
        }
    }
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
const FILE: [&str; 4] = ["call", "get_file_content", "repo=acme/widget", "path=a"];

/// A forge with something at the path that is no file, or stands for one.
fn with(what: &'static str) -> Scripted {
    let text = |text: &str| Answer::new(200, "text/plain; charset=utf-8", text);
    let (sender, started) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let scripted = Scripted::by(move |request| {
                let target = request.target.split('?').next().unwrap().trim_start_matches("/api/v1/repos/acme/widget");
                match (target, what) {
                    ("/raw/a", "link") => text("docs/real.txt"),
                    ("/contents/a", "link") => Answer::json(
                        200,
                        r#"{"type":"symlink","path":"a","sha":"12ab","target":"docs/real.txt"}"#,
                    ),
                    ("/contents/a", "folder") => {
                        Answer::json(200, r#"[{"type":"file","path":"a/b","sha":"12ab","size":3}]"#)
                    }
                    ("/raw/a", "pointer") => text(POINTER),
                    ("/raw/a", "file") => text("short"),
                    ("/contents/a", "file") => {
                        Answer::json(200, r#"{"type":"file","path":"a","sha":"12ab","size":5}"#)
                    }
                    ("/releases/1/assets/2", "external") => Answer::json(
                        200,
                        r#"{"id":2,"name":"a.zip","type":"external","browser_download_url":"https://files.example/a.zip"}"#,
                    ),
                    _ => Answer::json(404, r#"{"message":"not there"}"#),
                }
            });
            sender.send(scripted.await).ok().unwrap();
            std::future::pending::<()>().await;
        });
    });
    started.recv().unwrap()
}

#[test]
fn what_is_no_file_is_not_written_as_though_it_were_one() {
    let asset = ["call", "download_release_attachment", "repo=acme/widget", "id=1", "attachment_id=2"];
    for (what, call, parts) in [
        ("link", &FILE[..], &["symlink", "docs/real.txt"][..]),
        ("folder", &FILE, &["this is a directory", "list_repo_contents"]),
        ("external", &asset, &["kept outside of the forge", "fetch_external=true"]),
    ] {
        let folder = Temporary::new();
        let (code, stderr) = to(&folder.at("file"), &with(what), call);
        assert_eq!((code, folder.names()), (Some(5), vec![]), "{what}: {stderr}");
        assert!(stderr.contains("was not written, since this is no file"), "{what}: {stderr}");
        assert!(parts.iter().all(|part| stderr.contains(part)), "{what}: {stderr}");
        // Whoever wants JSON gets it.
        let (code, stderr) = to(&folder.at("file"), &with(what), &[call, &["--json"]].concat());
        assert_eq!((code, stderr.as_str(), folder.names().len()), (Some(0), "", 1), "{what}");
        let Some(_) = call.iter().find(|word| **word == "get_file_content") else { continue };
        // So with a file that a tool saves.
        let root = folder.path().to_str().unwrap();
        let output = against(&with(what), &[call, &["save_as=b", "--download-root", root]].concat());
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(told["note"].as_str().unwrap().contains("nothing was saved"), "{what}: {told}");
        assert_eq!(folder.names(), ["file"], "{what}");
    }
}

#[test]
fn a_pointer_that_is_written_is_told_as_one_and_a_short_file_is_a_file() {
    for (what, body, note) in [("pointer", POINTER, Some("follow_lfs")), ("file", "short", None)] {
        let folder = Temporary::new();
        let (code, stderr) = to(&folder.at("file"), &with(what), &FILE);
        assert_eq!(code, Some(0), "{what}: {stderr}");
        assert_eq!(stderr.is_empty(), note.is_none(), "{what}: {stderr}");
        assert!(note.is_none_or(|note| stderr.contains(&format!("{note}=true"))), "{what}: {stderr}");
        let root = folder.path().to_str().unwrap();
        let output = against(&with(what), &[&FILE[..], &["save_as=saved", "--download-root", root]].concat());
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let said = told["note"].as_str();
        assert_eq!(said.is_some(), note.is_some(), "{what}: {told}");
        assert!(note.is_none_or(|note| said.unwrap().contains(&format!("{note}: true"))), "{what}: {told}");
        for name in ["file", "saved"] {
            assert_eq!(std::fs::read_to_string(folder.at(name)).unwrap(), body, "{what} {name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_half_written() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let folder = Temporary::new();
        let forge = forge::start([zip(vec![7; 3_000_000]).cut(Cut::StallWithinBody)]);
        let (file, root) = (folder.at("file"), folder.path().to_str().unwrap());
        for to in [&["--output", file.to_str().unwrap()][..], &["save_as=file", "--download-root", root]] {
            let mut call = command(&[&ARCHIVE[..], to].concat());
            call.env("FORGEHAND_URL", forge.base()).stdin(Stdio::null()).stderr(Stdio::piped());
            let mut process = call.spawn().unwrap();
            let start = std::time::Instant::now();
            while !folder.names().iter().any(|name| name.ends_with(".part")) {
                assert!(start.elapsed() < child::PATIENCE, "never: a file is begun");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let kill = std::process::Command::new("kill")
                .args([format!("-{signal}"), process.id().to_string()])
                .status();
            assert!(kill.unwrap().success());
            assert_eq!(
                (process.wait().unwrap().code(), folder.names()),
                (Some(code), vec![]),
                "{signal} {to:?}"
            );
        }
    }
}
