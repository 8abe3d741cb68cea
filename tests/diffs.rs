//! Diffs: whole, by files, and by a list of the files first where the text is longer than the budget.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, json, limits};
use forgehand::demo::{DemoForge, Options, TOKEN_PREFIX};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError, Outcome, run};
use forgehand_client::BaseUrl;
use serde_json::{Value, json};

const DIFF: &str = include_str!("../src/operations/diff/sample.diff");

const TOOLS: [&str; 2] = ["get_pull_request_diff", "get_commit_diff"];

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

async fn diff(name: &str, more: Value, body: impl AsRef<[u8]>) -> Result<Outcome, OperationError> {
    let forge = Scripted::new([Answer::new(200, "text/plain; charset=utf-8", body)]).await;
    let (given, line) = match name {
        "get_pull_request_diff" => (json!({ "index": 5 }), "GET /api/v1/repos/acme/widget/pulls/5.diff"),
        _ => (json!({ "sha": "abc" }), "GET /api/v1/repos/acme/widget/git/commits/abc.diff"),
    };
    let mut arguments = in_widget(given);
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let outcome = call(&forge, tool(name), arguments).await;
    assert_eq!(forge.request().line(), line);
    outcome
}

fn part(from: &str) -> &'static str {
    let start = DIFF.find(&format!("diff --git {from}")).unwrap();
    let end = DIFF[start + 1..].find("diff --git ").map_or(DIFF.len(), |end| start + 1 + end);
    &DIFF[start..end]
}

#[test]
fn some_files_of_a_diff_are_shown_alone_and_as_they_are() {
    block_on(async {
        for name in ["get_pull_request_diff", "get_commit_diff"] {
            for (given, shown) in [
                (json!({ "file_path": "src/main.rs" }), part("a/src").to_owned()),
                (json!({ "paths": "old name.txt" }), part("a/old").to_owned()),
                (
                    json!({ "paths": ["new name.txt", "gone.txt"] }),
                    format!("{}{}", part("a/old"), part("a/gone")),
                ),
                (json!({ "paths": ["na\u{ef}ve \"q\".txt"] }), part("\"a/na").to_owned()),
                (
                    json!({ "paths": ["bin/run me.sh", "logo.png"] }),
                    format!("{}{}", part("a/bin"), part("a/logo")),
                ),
            ] {
                assert_eq!(text(diff(name, given.clone(), DIFF).await), (shown, Value::Null), "{given}");
            }
            assert_eq!(text(diff(name, json!({}), DIFF).await), (DIFF.to_owned(), Value::Null));
        }
    });
}

#[test]
fn a_path_that_the_diff_has_not_is_an_error_with_near_ones() {
    block_on(async {
        for (path, near) in
            [("main.rs", "src/main.rs"), ("src/mian.rs", "src/main.rs"), ("gone.tx", "gone.txt")]
        {
            let given = json!({ "paths": ["logo.png", path] });
            let error = diff("get_pull_request_diff", given, DIFF).await.unwrap_err();
            assert_eq!((error.code, error.near[0].as_str()), (Code::InvalidArguments, near));
            let said = format!(
                "argument `paths`: expected a file that the diff changes, got {path:?}; did you mean `{near}`?"
            );
            assert_eq!(error.message, said);
        }
        let error = diff("get_commit_diff", json!({ "paths": ["x"] }), "").await.unwrap_err();
        assert_eq!(error.hint.as_deref(), Some("the diff changes no file"));
        // A path in the budget's shadow is looked for all the same.
        let long = format!(
            "{}{DIFF}",
            "diff --git a/l b/l\n--- a/l\n+++ b/l\n@@ -0,0 +1,900 @@\n".to_owned() + &"+x\n".repeat(900)
        );
        let given = json!({ "paths": ["l", "nowhere"], "max_bytes": 300 });
        assert!(diff("get_commit_diff", given, &long).await.is_err());
        let given = json!({ "paths": ["l", "blob.bin"], "max_bytes": 300 });
        let (shown, more) = text(diff("get_commit_diff", given, &long).await);
        assert!(long.starts_with(&shown) && shown.len() <= 300 && shown.ends_with("+x\n"));
        assert_eq!((&more["shown"], &more["total"]), (&shown.len().into(), &Value::Null));
    });
}

#[test]
fn no_path_at_all_is_refused_before_anything_is_sent() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let arguments = in_widget(json!({ "index": 5, "paths": [] }));
        let error = call(&forge, tool("get_pull_request_diff"), arguments).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        assert_eq!(forge.lines(), [""; 0]);
    });
}

/// A file of so many hunks of so many lines, each of 10 bytes.
fn file(name: &str, hunks: u64, lines: u64) -> String {
    let line = "+l1l2l3l4\n";
    let hunk = |at: u64| format!("@@ -{at},0 +{at},{lines} @@\n{}", line.repeat(lines as usize));
    let hunks: String = (0..hunks).map(|at| hunk(100 * at + 1)).collect();
    format!(
        "diff --git a/{name} b/{name}\nindex 1111111..2222222 100644\n--- a/{name}\n+++ b/{name}\n{hunks}"
    )
}

#[test]
fn a_diff_that_is_longer_than_the_budget_is_first_a_list_of_its_files() {
    block_on(async {
        for name in TOOLS {
            let long = format!("{DIFF}{}", file("big.txt", 40, 100));
            let list = json(diff(name, json!({}), &long).await);
            let rows = list["items"].as_array().unwrap();
            let told: Vec<_> = rows
                .iter()
                .map(|row| {
                    let (path, status) = (row["path"].as_str().unwrap(), row["status"].as_str().unwrap());
                    (path, status, row["additions"].as_u64().unwrap(), row["deletions"].as_u64().unwrap())
                })
                .collect();
            assert_eq!(
                told,
                [
                    ("src/main.rs", "changed", 1, 1),
                    ("new name.txt", "renamed", 1, 0),
                    ("na\u{ef}ve \"q\".txt", "changed", 1, 1),
                    ("tab\there.txt", "changed", 2, 1),
                    ("bin/run me.sh", "changed", 0, 0),
                    ("logo.png", "changed", 0, 0),
                    ("gone.txt", "deleted", 0, 1),
                    ("empty.txt", "added", 0, 0),
                    ("blob.bin", "changed", 0, 0),
                    ("big.txt", "changed", 4000, 0),
                ]
            );
            assert_eq!(rows[1]["previous_path"], "old name.txt");
            assert_eq!(rows.iter().filter(|row| row["binary"] == true).count(), 2);
            assert_eq!(rows[0]["bytes"], part("a/src").len());
            let sum: u64 = rows.iter().map(|row| row["bytes"].as_u64().unwrap()).sum();
            assert_eq!((sum, &list["bytes"]), (long.len() as u64, &json!(long.len())));
            assert_eq!((&list["total"], &list["next"]), (&json!(10), &json!({ "offset": 0 })));
            assert!(list["note"].as_str().unwrap().contains("paths"), "{list}");
        }
    });
}

#[test]
fn a_list_of_files_keeps_its_budget_and_goes_on_to_the_last_and_then_to_the_text() {
    block_on(async {
        let long: String = (0..40).map(|at| file(&format!("f{at}.txt"), 1, 3)).collect();
        let mut given = json!({ "max_bytes": 700 });
        let mut paths = Vec::new();
        while given.get("offset").is_none() {
            let list = json(diff("get_commit_diff", given.clone(), &long).await);
            assert!(list.to_string().len() <= 700, "{list}");
            assert_eq!(list["total"], 40);
            paths.extend(list["items"].as_array().unwrap().iter().map(|row| row["path"].clone()));
            given.as_object_mut().unwrap().extend(list["next"].as_object().unwrap().clone());
        }
        let all: Vec<Value> = (0..40).map(|at| json!(format!("f{at}.txt"))).collect();
        assert_eq!(paths, all);
        let (shown, _) = text(diff("get_commit_diff", given, &long).await);
        assert!(long.starts_with(&shown) && long[shown.len()..].starts_with("diff --git "));
    });
}

#[test]
fn a_cut_falls_where_a_hunk_begins_and_the_rest_says_where_it_stands() {
    block_on(async {
        let long = format!("{}{}", file("a.txt", 3, 10), file("b.txt", 2, 100));
        let ask = |paths: &str, offset: u64| json!({ "paths": [paths], "max_bytes": 300, "offset": offset });
        let (first, more) = text(diff("get_commit_diff", ask("a.txt", 0), &long).await);
        assert!(first.ends_with("+l1l2l3l4\n") && first.matches("@@ -").count() == 1, "{first}");
        assert_eq!(more["next"]["offset"], first.len());
        let (second, more) = text(diff("get_commit_diff", ask("a.txt", first.len() as u64), &long).await);
        assert!(second.starts_with("@@ -101,0 "), "{second}");
        assert_eq!((&more["file"], &more["hunk"]), (&json!("a.txt"), &Value::Null));
        assert_eq!(format!("{first}{second}"), file("a.txt", 3, 10));

        // A hunk that no budget holds is cut at a line.
        let (first, more) = text(diff("get_commit_diff", ask("b.txt", 0), &long).await);
        assert!(first.len() > 150 && first.ends_with("+l1l2l3l4\n"), "{first}");
        let (second, more) = text(
            diff("get_commit_diff", ask("b.txt", more["next"]["offset"].as_u64().unwrap()), &long).await,
        );
        assert!(second.starts_with("+l1l2l3l4\n"), "{second}");
        assert_eq!((&more["file"], &more["hunk"]), (&json!("b.txt"), &json!("@@ -1,0 +1,100 @@")));
    });
}

#[test]
fn a_diff_of_an_odd_encoding_is_read_by_the_byte_and_goes_on_by_its_bytes() {
    block_on(async {
        let line = b"+caf\xe9 cr\xe8me\n";
        let head = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,40 @@\n";
        let body = [head.as_slice(), &line.repeat(40)].concat();
        let whole: String = body.iter().map(|byte| char::from(*byte)).collect();
        let mut given = json!({ "paths": ["x"], "max_bytes": 250 });
        let mut read = String::new();
        loop {
            let (shown, more) = text(diff("get_pull_request_diff", given.clone(), &body).await);
            let note = more["note"].as_str().unwrap();
            assert!(shown.len() <= 250 && note.contains("iso-8859-1"), "{more}");
            read.push_str(&shown);
            let Some(next) = more.get("next") else { break };
            given.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
        }
        assert_eq!(read, whole);
    });
}

#[test]
fn a_text_that_is_no_diff_and_longer_than_the_budget_is_cut_as_any_text() {
    block_on(async {
        let body = "a line of a text\n".repeat(100);
        let (shown, more) = text(diff("get_commit_diff", json!({ "max_bytes": 200 }), &body).await);
        assert!(body.starts_with(&shown) && shown.len() <= 200 && shown.len() > 150);
        assert_eq!((&more["shown"], &more["total"]), (&json!(shown.len()), &json!(body.len())));
        assert_eq!(more["next"]["offset"], shown.len());
    });
}

/// A row of a list as both tell it. What became of a file whose lines are not counted the forge calls unchanged.
fn told(row: &Value, path: &str) -> Option<(String, String, u64, u64)> {
    let text = |name: &str| Some(row[name].as_str()?.to_owned());
    let count = |name: &str| row[name].as_u64();
    let counts = (count("additions")?, count("deletions")?);
    let status = if counts == (0, 0) { String::new() } else { text("status")? };
    Some((text(path)?, status, counts.0, counts.1))
}

#[test]
fn the_files_of_a_recorded_diff_are_those_that_the_forge_itself_lists() {
    block_on(async {
        let demo = DemoForge::start(Options::default()).await.unwrap();
        let token = Token::new(&format!("{TOKEN_PREFIX}bob"));
        let forge = Forge::new(BaseUrl::parse(&demo.base_url()).unwrap(), token).direct();
        let ask = async |name: &str, index: u64, more: Value| {
            let mut arguments = in_widget(more);
            arguments["index"] = index.into();
            run(&forge, tool(name), arguments.as_object().unwrap().clone(), &limits()).await.ok()
        };
        let mut compared = 0;
        for index in 126..157 {
            let whole = json!({ "max_bytes": 1_000_000 });
            let Some(Outcome::Text { text, .. }) = ask("get_pull_request_diff", index, whole).await else {
                continue;
            };
            let files = ask("list_pull_request_files", index, json!({ "limit": 50, "fields": ["*"] })).await;
            let Some(Outcome::Json(files)) = files.filter(|_| text.len() > 350) else { continue };
            if files.get("next").is_some() {
                continue;
            }
            let (mut rows, mut bytes, mut skip) = (Vec::new(), 0, 0);
            loop {
                let more = json!({ "max_bytes": 350, "skip": skip });
                let Some(Outcome::Json(list)) = ask("get_pull_request_diff", index, more).await else {
                    panic!()
                };
                let items = list["items"].as_array().unwrap();
                rows.extend(items.iter().map(|row| told(row, "path").unwrap()));
                bytes += items.iter().map(|row| row["bytes"].as_u64().unwrap()).sum::<u64>();
                let Some(next) = list["next"].get("skip") else { break };
                skip = next.as_u64().unwrap();
            }
            let mut listed: Vec<_> =
                files["items"].as_array().unwrap().iter().map(|row| told(row, "filename").unwrap()).collect();
            rows.sort();
            listed.sort();
            assert_eq!((rows, bytes), (listed, text.len() as u64), "{index}");
            compared += 1;
        }
        assert!(compared >= 5, "only {compared} diffs");
    });
}
