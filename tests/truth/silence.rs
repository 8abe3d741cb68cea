//! What an absent field would empty, make or switch off in silence: demanded, filled in, or read first.

use forgehand::operations::Code;
use serde_json::{Value, json};

use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, call, json};
use super::tool;

const REPO: &str = r#""owner": "acme", "repo": "widget""#;

/// Arguments out of an object's text, with a confirmation.
fn given(text: &str) -> Value {
    serde_json::from_str(&format!("{{{text}, \"confirm\": true}}")).unwrap()
}

#[test]
fn a_write_whose_absent_field_would_empty_something_demands_it_and_sends_nothing() {
    block_on(async {
        for (name, more, missing) in [
            ("set_repo_topics", REPO.to_owned(), "topics"),
            ("set_repo_flags", REPO.to_owned(), "flags"),
            ("set_user_quota_groups", r#""username": "bob""#.to_owned(), "groups"),
            ("update_file", format!(r#"{REPO}, "path": "a.txt", "sha": "1""#), "content"),
            ("create_file", format!(r#"{REPO}, "path": "a.txt""#), "content"),
            ("create_wiki_page", format!(r#"{REPO}, "title": "Home""#), "content"),
            ("replace_issue_labels", format!(r#"{REPO}, "index": 1"#), "labels"),
        ] {
            let forge = Scripted::agreeable().await;
            let error = call(&forge, tool(name), given(&more)).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{name}: {error}");
            assert!(error.message.starts_with(&format!("argument `{missing}`")), "{name}: {error}");
            assert_eq!(forge.lines(), [""; 0]);
        }
    });
}

#[test]
fn a_new_webhook_is_active_unless_told_otherwise() {
    block_on(async {
        for (name, place) in [
            ("create_repo_hook", format!("{REPO}, ")),
            ("create_org_hook", r#""org": "acme", "#.to_owned()),
            ("create_my_hook", String::new()),
            ("create_site_hook", String::new()),
        ] {
            for (more, active) in [("", true), (r#", "active": false"#, false)] {
                let forge = Scripted::agreeable().await;
                let asked = given(&format!(r#"{place}"url": "https://x.example"{more}"#));
                call(&forge, tool(name), asked).await.unwrap();
                let sent: Value = serde_json::from_str(forge.request().text()).unwrap();
                assert_eq!(sent["active"], active, "{name}");
            }
        }
    });
}

#[test]
fn a_change_of_what_is_not_there_is_not_found_and_makes_nothing() {
    block_on(async {
        for more in ["", r#", "title": "Somewhere""#] {
            let forge = Scripted::new([Answer::json(404, r#"{"message":"no such page"}"#)]).await;
            let asked = given(&format!(r#"{REPO}, "page_name": "Nowhere", "content": "text"{more}"#));
            let error = call(&forge, tool("update_wiki_page"), asked).await.unwrap_err();
            assert_eq!(error.code, Code::NotFound, "{error}");
            assert_eq!(forge.lines(), ["GET /api/v1/repos/acme/widget/wiki/page/Nowhere"]);
        }
    });
}

#[test]
fn what_a_false_takes_with_it_is_told_in_the_plan_and_in_the_answer() {
    let dropped = "with enable_push false the forge drops the list of those who may push";
    block_on(async {
        for dry_run in [true, false] {
            for (push, note) in [(false, json!(dropped)), (true, Value::Null)] {
                let rule = r#"{"rule_name":"main","enable_push":PUSH}"#.replace("PUSH", &push.to_string());
                let forge = Scripted::new([Answer::json(200, &rule)]).await;
                let given = json!({"owner": "acme", "repo": "widget", "rule": "main", "enable_push": push, "dry_run": dry_run});
                let shown = json(call(&forge, tool("edit_branch_protection"), given).await);
                assert_eq!(shown.get("note").unwrap_or(&Value::Null), &note, "{shown}");
            }
        }
    });
}

#[test]
fn deletes_that_succeed_on_nothing_say_so_in_their_description() {
    for name in [
        "delete_deploy_key",
        "delete_my_gpg_key",
        "delete_my_emails",
        "delete_push_mirror",
        "remove_repo_flag",
        "unfollow_user",
        "unstar_repo",
        "unwatch_repo",
    ] {
        let about = tool(name).about.to_lowercase();
        assert!(["succeeds", "done also"].iter().any(|words| about.contains(words)), "{name}: {about}");
    }
    // These look whether the label is there.
    for name in ["delete_repo_label", "delete_org_label"] {
        assert!(tool(name).calls.iter().any(|call| call.method == "GET"), "{name}");
    }
}
