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
    assert!(stderr.contains("would not hold all of it") && stderr.contains(&total.to_string()), "{stderr}");
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
