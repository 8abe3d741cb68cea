//! An object that is longer than its budget says what shows all of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::rows::place;
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::Operation;
use forgehand::operations::table::OPERATIONS;
use serde_json::{Value, json};

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

/// What a comparison of many commits and files is.
fn comparison() -> Value {
    let commits =
        (0..200).map(|at| json!({ "sha": format!("{at:040}"), "commit": { "message": "m".repeat(50) } }));
    let files = (0..300).map(|at| json!({ "filename": format!("f{at}"), "status": "added" }));
    json!({
        "total_commits": 200, "commits": commits.collect::<Vec<_>>(), "files": files.collect::<Vec<_>>(),
    })
}

#[test]
fn the_budget_that_shows_all_of_a_cut_object_is_told_to_the_byte() {
    let issue = json!({ "number": 1, "title": "t", "body": "\"b\"\n".repeat(3000), "state": "open" });
    block_on(async {
        for (name, more, answer) in [
            ("compare_commits", json!({ "range": "main...dev" }), comparison()),
            ("compare_commits", json!({ "range": "main...dev", "fields": ["files"] }), comparison()),
            ("get_issue_by_index", json!({ "index": 1 }), issue.clone()),
            ("get_issue_by_index", json!({ "index": 1, "fields": ["number", "state"] }), issue),
        ] {
            for max in [200, 1000, 5000] {
                let forge = Scripted::new([Answer::json(200, &answer.to_string())]).await;
                let mut given = place(more.clone());
                given["max_bytes"] = 1_000_000.into();
                let whole = json(call(&forge, tool(name), given.clone()).await);
                assert_eq!(whole.get("truncated"), None);
                given["max_bytes"] = max.into();
                let cut = json(call(&forge, tool(name), given.clone()).await);
                assert!(cut.to_string().len() <= max, "{cut}");
                if whole.to_string().len() <= max {
                    assert_eq!(cut, whole);
                    continue;
                }
                let next = &cut["truncated"]["whole"];
                given.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
                assert_eq!(json(call(&forge, tool(name), given.clone()).await), whole, "{name} {next}");
                given["max_bytes"] = (next["max_bytes"].as_u64().unwrap() - 1).into();
                let cut = json(call(&forge, tool(name), given).await);
                assert!(cut.get("truncated").is_some(), "{name} {next}");
            }
        }
    });
}

#[test]
fn a_row_that_is_cut_tells_the_budget_that_shows_all_of_it() {
    let rows = json!([
        { "number": 1, "title": "t", "body": "b".repeat(3000) }, { "number": 2, "title": "u", "body": "short" }
    ]);
    block_on(async {
        let forge = Scripted::new([Answer::json(200, &rows.to_string())]).await;
        let mut given = place(json!({ "fields": ["number", "title", "body"], "max_bytes": 900 }));
        let cut = json(call(&forge, tool("list_repo_issues"), given.clone()).await);
        let next = &cut["items"][0]["truncated"]["whole"];
        given.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
        let whole = json(call(&forge, tool("list_repo_issues"), given).await);
        assert_eq!(whole["items"][0], rows[0], "{next}");
        assert!(next["max_bytes"].as_u64().unwrap() < 3300, "{next}");
    });
}

#[test]
fn no_write_is_said_to_be_sent_again_for_more_of_its_answer() {
    let issue = json!({ "number": 1, "title": "t", "body": "b".repeat(3000), "state": "open" });
    block_on(async {
        let forge = Scripted::new([Answer::json(201, &issue.to_string())]).await;
        let mut given = place(json!({ "title": "t", "fields": ["*"], "max_bytes": 600 }));
        let made = json(call(&forge, tool("create_issue"), given.clone()).await);
        assert_eq!(made["truncated"]["whole"], "by the tool that reads it: this is done", "{made}");
        // Of what is not sent the plan may be asked for again.
        given["body"] = "b".repeat(3000).into();
        given["dry_run"] = true.into();
        let plan = json(call(&forge, tool("create_issue"), given).await);
        assert!(plan["truncated"]["whole"]["max_bytes"].as_u64().unwrap() > 3000, "{plan}");
    });
}
