//! A text that is shown in parts is of one version, or the next part says that it is not; and what came of one that does
//! not end is shown.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::scripted::{Answer, Cut, Request, Scripted};
use common::{block_on, call, call_within, limits};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome};
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

const UUID: &str = "5759b88e-d06c-4837-a050-bbe55b50cefb";

fn given(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

/// The tools that answer texts, what each wants, and whether the forge names the version of what it sends.
fn readers() -> [(&'static Operation, Value, bool); 7] {
    [
        ("get_file_content", json!({ "path": "a.txt" }), true),
        ("get_file_media", json!({ "path": "a.txt" }), true),
        ("download_issue_attachment", json!({ "index": 3, "attachment_id": 6 }), false),
        ("download_comment_attachment", json!({ "comment_id": 3, "attachment_id": 6 }), false),
        ("download_release_attachment", json!({ "release_id": 3, "attachment_id": 6 }), false),
        ("get_pull_request_diff", json!({ "index": 1, "paths": ["x"] }), false),
        ("get_commit_diff", json!({ "sha": "abc1234", "paths": ["x"] }), false),
    ]
    .map(|(name, more, is_named)| (tool(name), given(more), is_named))
}

fn with(given: &Value, more: &Value) -> Value {
    let mut given = given.clone();
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    given
}

/// A file whose text can be changed, sent as Forgejo sends it.
async fn changing(body: &Arc<Mutex<String>>, is_named: bool) -> Scripted {
    let body = Arc::clone(body);
    Scripted::by(move |request: &Request| {
        if request.target.contains("/assets/") {
            let address = format!("https://forge.example/attachments/{UUID}");
            let told = json!({ "uuid": UUID, "type": "attachment", "browser_download_url": address });
            return Answer::json(200, &told.to_string());
        }
        let body = body.lock().unwrap().clone();
        let answer = Answer::new(200, "text/plain; charset=utf-8", &body);
        let digits = Sha1::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        if is_named { answer.header("ETag", &format!("\"{digits}\"")) } else { answer }
    })
    .await
}

#[track_caller]
fn text(outcome: Result<Outcome, OperationError>) -> (String, Value) {
    match outcome {
        Ok(Outcome::Text { text, more }) => (text, more.unwrap_or_default()),
        other => panic!("expected text, got {other:?}"),
    }
}

const HEAD: &str = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,99 @@\n";

#[test]
fn parts_of_two_versions_are_never_put_together() {
    let old = format!("{HEAD}{}", "+a line of it\n".repeat(60));
    let (changed, longer) = (old.replacen("line", "LINE", 1), format!("{old}+more\n"));
    let shorter = format!("{HEAD}+all\n");
    block_on(async {
        for (tool, given, is_named) in readers() {
            let body = Arc::new(Mutex::new(old.clone()));
            let forge = changing(&body, is_named).await;
            let first = with(&given, &json!({ "max_bytes": 300 }));
            let (start, more) = text(call(&forge, tool, first.clone()).await);
            let asked = forge.lines().len();
            let next = &more["next"];
            assert_eq!((next["offset"] == start.len(), next["as_of"].as_str().unwrap().len()), (true, 12));
            let rest = with(&with(&first, next), &json!({ "max_bytes": 5000 }));
            for (now, is_refused) in
                [(&old, false), (&changed, true), (&shorter, true), (&longer, is_named), (&old, false)]
            {
                body.lock().unwrap().clone_from(now);
                let before = forge.lines().len();
                match call(&forge, tool, rest.clone()).await {
                    Err(error) if is_refused => {
                        assert_eq!(error.code, Code::Conflict, "{}: {error}", tool.name);
                        assert!(error.message.contains("has changed"), "{error}");
                        assert!(error.hint.unwrap().contains("begin again without offset"));
                    }
                    Ok(Outcome::Text { text, .. }) if !is_refused => {
                        assert_eq!(format!("{start}{text}"), *now, "{}", tool.name);
                    }
                    other => panic!("{}: {other:?}", tool.name),
                }
                assert_eq!(forge.lines().len() - before, asked, "{}", tool.name);
            }
            // Who asks for a place alone has it.
            let place = json!({ "offset": start.len(), "max_bytes": 5000 });
            let (rest, _) = text(call(&forge, tool, with(&given, &place)).await);
            assert_eq!(format!("{start}{rest}"), old);
        }
    });
}

#[test]
fn lines_of_a_file_without_a_name_are_of_one_version_too() {
    let old: String = (1..=80).map(|n| format!("line {n}\n")).collect();
    block_on(async {
        let body = Arc::new(Mutex::new(old.clone()));
        let forge = changing(&body, false).await;
        let given = given(json!({ "path": "a.txt", "start_line": 5, "end_line": 70, "max_bytes": 200 }));
        let (start, more) = text(call(&forge, tool("get_file_content"), given.clone()).await);
        let rest = with(&given, &more["next"]);
        let (second, _) = text(call(&forge, tool("get_file_content"), rest.clone()).await);
        assert!(old.contains(&format!("{start}{second}")));
        // A line more before them moves the lines that are meant.
        *body.lock().unwrap() = format!("first\n{old}");
        let error = call(&forge, tool("get_file_content"), rest).await.unwrap_err();
        assert_eq!(error.code, Code::Conflict, "{error}");
    });
}

#[test]
fn a_place_far_in_a_file_that_has_changed_is_refused_before_its_bytes_are_asked_for() {
    block_on(async {
        let body = Arc::new(Mutex::new("a line of it\n".repeat(40_000)));
        for is_named in [true, false] {
            let forge = changing(&body, is_named).await;
            let far = given(json!({ "path": "a.txt", "offset": 390_000, "as_of": "0123456789ab" }));
            let error = call(&forge, tool("get_file_content"), far).await.unwrap_err();
            assert_eq!((error.code, forge.lines().len()), (Code::Conflict, 1), "{error}");
            assert!(forge.request().header("range").is_none());
        }
    });
}

#[test]
fn the_files_of_a_diff_are_of_one_version() {
    let file = |at: usize| {
        format!("diff --git a/f{at} b/f{at}\n--- a/f{at}\n+++ b/f{at}\n@@ -0,0 +1 @@\n+{}\n", "x".repeat(90))
    };
    let old: String = (0..20).map(file).collect();
    block_on(async {
        for name in ["get_pull_request_diff", "get_commit_diff"] {
            let body = Arc::new(Mutex::new(old.clone()));
            let forge = changing(&body, false).await;
            let first = given(json!({ "index": 1, "sha": "abc1234", "max_bytes": 1000 }));
            let other = if name == "get_commit_diff" { "index" } else { "sha" };
            let first: Value =
                first.as_object().unwrap().clone().into_iter().filter(|(name, _)| name != other).collect();
            let list = common::json(call(&forge, tool(name), first.clone()).await);
            assert!(list.to_string().len() <= 1000, "{list}");
            let rest = with(&first, &list["next"]);
            let second = common::json(call(&forge, tool(name), rest.clone()).await);
            assert_eq!(second["items"][0]["path"], format!("f{}", list["items"].as_array().unwrap().len()));
            *body.lock().unwrap() = format!("{}{old}", file(99));
            let error = call(&forge, tool(name), rest).await.unwrap_err();
            assert_eq!(error.code, Code::Conflict, "{error}");
        }
    });
}

#[test]
fn a_long_text_is_not_read_behind_the_lines_that_are_asked_for() {
    let body = "a line of it\n".repeat(400_000);
    block_on(async {
        for more in [json!({ "start_line": 2, "end_line": 3 }), json!({ "start_line": 2, "max_bytes": 260 })]
        {
            // All that is sent is the half of it; who waits for more waits in vain.
            let answer = Answer::new(200, "text/plain", &body).cut(Cut::StallWithinBody);
            let forge = Scripted::new([answer]).await;
            let start = Instant::now();
            let given = with(&given(json!({ "path": "a.txt" })), &more);
            let (shown, told) = text(call(&forge, tool("get_file_content"), given).await);
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
            assert_eq!(shown, "a line of it\n".repeat(if more.get("end_line").is_some() { 2 } else { 20 }));
            assert_eq!((told.get("lines"), told.get("truncated")), (None, None), "{told}");
            assert!(told["note"].as_str().unwrap().contains("was not counted"), "{told}");
            assert_eq!(told.get("next").is_some(), more.get("end_line").is_none(), "{told}");
        }
        // A short one is counted.
        let forge = Scripted::new([Answer::new(200, "text/plain", "a\nb\nc\nd\n")]).await;
        let given = given(json!({ "path": "a.txt", "start_line": 2, "end_line": 3 }));
        assert_eq!(
            text(call(&forge, tool("get_file_content"), given).await),
            ("b\nc\n".to_owned(), json!({ "lines": 4 }))
        );
    });
}

#[test]
fn of_a_text_that_does_not_end_in_time_what_came_is_shown() {
    let body = format!("{HEAD}{}", "+a line of it\n".repeat(60));
    let came = &body[..body.len() / 2];
    let soon = Limits { timeout: Duration::from_millis(300), ..limits() };
    block_on(async {
        for (tool, given, _) in readers() {
            let is_file = given.get("paths").is_none();
            let mut asked = vec![json!({}), json!({ "offset": 60 })];
            if is_file {
                asked.extend([
                    json!({ "with_metadata": true }),
                    json!({ "start_line": 2 }),
                    json!({ "start_line": 2, "end_line": 5 }),
                ]);
            }
            for more in asked {
                let whole = body.clone();
                let forge = Scripted::by(move |request| {
                    let address = format!("https://forge.example/attachments/{UUID}");
                    let told = json!({ "uuid": UUID, "browser_download_url": address }).to_string();
                    match request.target.contains("/assets/") {
                        true => Answer::json(200, &told),
                        false => Answer::new(200, "text/plain", &whole).cut(Cut::StallWithinBody),
                    }
                })
                .await;
                let given = with(&given, &more);
                let (shown, told) = text(call_within(&forge, tool, given.clone(), &soon).await);
                assert!(!shown.is_empty() && came.contains(&shown), "{given}: {shown}");
                if more.get("end_line").is_some() {
                    assert_eq!((shown.lines().count(), told.get("next")), (4, None), "{told}");
                    continue;
                }
                assert_eq!((&told["truncated"], told.get("size")), (&json!(true), None), "{given}: {told}");
                assert!(told["note"].as_str().unwrap().contains("time was over"), "{told}");
                // Where nothing more comes, that is what is said.
                let rest = with(&given, &told["next"]);
                let error = call_within(&forge, tool, rest, &soon).await.unwrap_err();
                assert_eq!(error.code, Code::Timeout, "{given}: {error}");
            }
        }
        // The files of a long diff that came.
        let answer = Answer::new(200, "text/plain", &body).cut(Cut::StallWithinBody);
        let forge = Scripted::new([answer]).await;
        let given = given(json!({ "index": 1, "max_bytes": 300 }));
        let list = common::json(call_within(&forge, tool("get_pull_request_diff"), given, &soon).await);
        assert_eq!((&list["items"][0]["path"], &list["truncated"]), (&json!("x"), &json!(true)), "{list}");
    });
}

#[test]
fn a_mark_of_utf_8_is_told_and_no_character_of_the_text() {
    let rest: String = (1..=60).map(|n| format!("line {n} \u{e9}\n")).collect();
    let body = format!("\u{feff}{rest}");
    block_on(async {
        for (tool, given, _) in readers().into_iter().filter(|(_, given, _)| given.get("paths").is_none()) {
            let forge = changing(&Arc::new(Mutex::new(body.clone())), true).await;
            for more in [json!({}), json!({ "start_line": 1 }), json!({ "with_metadata": true })] {
                let (shown, told) = text(call(&forge, tool, with(&given, &more)).await);
                assert_eq!((&shown, &told["encoding"]), (&rest, &json!("utf-8 with BOM")), "{}", tool.name);
            }
            let (mut all, mut given) = (String::new(), with(&given, &json!({ "max_bytes": 200 })));
            loop {
                let (shown, told) = text(call(&forge, tool, given.clone()).await);
                all.push_str(&shown);
                let Some(next) = told.get("next") else { break };
                assert_eq!(next["offset"], all.len() + 3);
                given = with(&given, next);
            }
            assert_eq!(all, rest);
        }
        // A second one is a character, and so is one behind the start.
        for body in ["\u{feff}\u{feff}a\n", "a\n\u{feff}b\n"] {
            let forge = changing(&Arc::new(Mutex::new(body.to_owned())), true).await;
            let (shown, _) =
                text(call(&forge, tool("get_file_content"), given(json!({ "path": "a.txt" }))).await);
            assert_eq!(shown, body.strip_prefix('\u{feff}').unwrap_or(body));
        }
        let forge = changing(&Arc::new(Mutex::new("a\n\u{feff}b\n".to_owned())), true).await;
        let given = given(json!({ "path": "a.txt", "start_line": 2 }));
        assert_eq!(text(call(&forge, tool("get_file_content"), given).await).0, "\u{feff}b\n");
    });
}
