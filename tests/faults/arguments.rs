//! Arguments as models send them: what was meant is what is sent, and what cannot be meant sends nothing.

use forgehand::operations::Code;
use serde_json::{Value, json};

use super::common::scripted::Answer;
use super::{ask, body, failed, widget};

fn answer() -> Answer {
    Answer::json(200, r#"{"number":1}"#)
}

/// What a tool sends: its only request's body.
#[track_caller]
fn sent(name: &str, given: Value) -> Value {
    let (_, requests) = ask(name, given, answer());
    assert_eq!(requests.len(), 1, "{name}: {requests:?}");
    body(&requests[0])
}

#[test]
fn absent_null_empty_and_false_are_different() {
    let edit = |more: Value| {
        let mut given = widget(more);
        given["index"] = json!(5);
        given
    };
    for (given, expected) in [
        (json!({"title": "x"}), json!({"title": "x"})),
        (json!({"assignees": []}), json!({"assignees": []})),
        (json!({"assignees": ["ana"]}), json!({"assignees": ["ana"]})),
        (json!({"milestone": 0}), json!({"milestone": 0})),
        (json!({"unset_due_date": true}), json!({"unset_due_date": true})),
        (json!({"body": ""}), json!({"body": ""})),
        (json!({"title": "x", "milestone": null, "body": null}), json!({"title": "x"})),
        (json!({"title": "[1,2]", "body": "{\"a\":1}"}), json!({"title": "[1,2]", "body": "{\"a\":1}"})),
    ] {
        assert_eq!(sent("update_issue", edit(given.clone())), expected, "for {given}");
    }
    assert_eq!(sent("edit_repo", widget(json!({"has_issues": false}))), json!({"has_issues": false}));
    assert_eq!(sent("edit_repo", widget(json!({"description": ""}))), json!({"description": ""}));
    let title = json!({"title": "[1,2]", "body": "{\"a\":1}"});
    assert_eq!(sent("create_issue", widget(title.clone())), title);
    assert_eq!(
        sent("create_issue", widget(json!({"title": "t", "labels": "[1,2]"}))),
        json!({"title": "t", "labels": [1, 2]})
    );
    let release = json!({"tag_name": "v1", "draft": "true"});
    assert_eq!(sent("create_release", widget(release))["draft"], json!(true));
    let (_, requests) = ask("get_issue_by_index", widget(json!({"index": "5"})), answer());
    assert_eq!(requests[0].target, "/api/v1/repos/acme/widget/issues/5");
}

#[test]
fn an_unknown_argument_is_named_and_sends_nothing() {
    for (name, more, unknown) in [
        ("list_repo_issues", json!({"label": "bug"}), "label"),
        ("update_issue", json!({"index": 5, "labels": ["bug"]}), "labels"),
        ("create_issue_attachment", json!({"index": 5, "file_path": "/home/ana/.ssh/id"}), "file_path"),
        (
            "create_release_attachment",
            json!({"release_id": 5, "file_path": "/home/ana/.ssh/id"}),
            "file_path",
        ),
        ("list_issue_comments", json!({"index": 5, "lable": 1}), "lable"),
    ] {
        let (error, requests) = failed(name, widget(more), answer());
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{name}: {error}");
        assert!(error.message.contains(unknown), "{name}: {error}");
    }
}

#[test]
fn an_impossible_value_is_named_with_what_is_expected_and_without_noise() {
    for (name, more, words) in [
        ("get_issue_by_index", json!({"index": "five"}), ["`index`", "whole number"]),
        ("create_issue", json!({"title": ["a"]}), ["`title`", "text"]),
        ("list_repo_issues", json!({"state": "opened"}), ["`state`", "open"]),
        ("update_issue", json!({"index": 5, "assignees": {"a": 1}}), ["`assignees`", "list"]),
        ("list_repo_issues", json!({"since": "yesterday"}), ["`since`", "date"]),
    ] {
        let (error, requests) = failed(name, widget(more), answer());
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{name}: {error}");
        let said = format!("{} {}", error.message, error.hint.as_deref().unwrap_or_default());
        assert!(words.iter().all(|word| said.contains(word)), "{name}: {said}");
        assert!(!said.contains("line 1") && !said.contains("column"), "{name}: {said}");
    }
}

#[test]
fn what_is_too_long_for_an_address_is_named_and_sends_nothing() {
    let long = |count: usize| "a".repeat(count);
    for (name, given, argument) in [
        ("get_repo", json!({"owner": long(100_000), "repo": "widget"}), "owner"),
        ("get_file_content", widget(json!({"path": "\u{e9}".repeat(1_400)})), "path"),
        ("search_issues", json!({"q": long(16_400)}), "q"),
        ("search_issues", json!({"labels": vec![long(80); 200]}), "labels"),
        ("get_team", json!({"team_id": long(9_000)}), "team_id"),
    ] {
        let (error, requests) = failed(name, given, answer());
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{name}: {error}");
        assert!(error.message.contains(&format!("`{argument}`: expected at most ")), "{name}: {error}");
        assert!(format!("{error:?}").len() < 1_000, "{name}: {error}");
    }
    let given = widget(json!({"path": long(4_000)}));
    let (error, requests) = failed("get_file_content", given, Answer::json(404, "{}"));
    assert!(requests.len() == 2 && error.call.unwrap().len() < 1_100, "{requests:?}");
    // What goes into a body may be of any length.
    assert_eq!(sent("create_issue", widget(json!({"title": long(20_000)})))["title"], long(20_000));
}

#[test]
fn what_says_nothing_two_things_or_an_unknown_word_is_refused_and_nothing_is_sent() {
    let hook = json!({"url": "https://a.example", "config": {"url": "https://b.example"}});
    let due = json!({"index": 5, "due_date": "2031-01-01", "clear_due_date": true});
    for (name, given, words) in [
        (
            "create_org_team",
            json!({"org": "acme", "name": "t", "units_map": {"repo.cod": "read"}}),
            "repo.code",
        ),
        ("edit_team", json!({"team_id": 3, "units_map": {"repo.code": "wirte"}}), "`write`"),
        ("list_repo_issues", widget(json!({"created_by": ""})), "`created_by`"),
        ("list_repo_issues", widget(json!({"assigned_by": " "})), "`assigned_by`"),
        ("list_repo_issues", widget(json!({"labels": []})), "`labels`"),
        ("list_repo_pull_requests", widget(json!({"created_by": ""})), "`created_by`"),
        ("list_repo_tracked_times", widget(json!({"user": ""})), "`user`"),
        ("update_issue", widget(due), "expected one of `due_date` and `clear_due_date`, got both"),
        ("create_repo_hook", widget(hook), "`url` and `config.url` say different things"),
        ("create_review_requests", widget(json!({"index": 7})), "told nothing to change"),
    ] {
        let (error, requests) = failed(name, given, answer());
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
        assert!(!error.to_string().contains("b.example"), "{name}: {error}");
    }
    for (name, given) in [
        ("update_issue", widget(json!({"index": 5, "due_date": "2031-01-01", "clear_due_date": false}))),
        ("create_review_requests", widget(json!({"index": 7, "reviewers": ["ana"]}))),
        (
            "create_repo_hook",
            widget(json!({"url": "https://a.example", "config": {"url": "https://a.example"}})),
        ),
    ] {
        assert_eq!(ask(name, given, answer()).1.len(), 1, "{name}");
    }
}

#[test]
fn lists_in_a_query_have_the_form_that_the_forge_reads() {
    for (name, given, query) in [
        (
            "check_notifications",
            json!({"status_types": ["unread", "pinned"]}),
            "status-types=unread&status-types=pinned",
        ),
        (
            "check_notifications",
            json!({"subject_type": ["issue", "pull"]}),
            "subject-type=issue&subject-type=pull",
        ),
        // The document says commas; the forge was recorded to read the name repeated.
        (
            "list_workflow_runs",
            widget(json!({"status": ["success", "failure"]})),
            "status=success&status=failure",
        ),
        ("search_issues", json!({"labels": ["bug", "ui"]}), "labels=bug%2Cui"),
        (
            "mark_all_notifications_read",
            json!({"status": ["unread"], "to_status": "read"}),
            "status-types=unread&to-status=read",
        ),
    ] {
        let (_, requests) = ask(name, given, Answer::json(200, "[]"));
        let target = &requests[0].target;
        assert!(target.contains(query), "{name}: {target}");
    }
}

#[test]
fn body_and_path_of_one_name_are_told_apart_also_on_a_delete() {
    let expected = json!({"owner": "acme", "repo": "gadget", "index": 2});
    for (name, argument, method, path) in [
        ("remove_issue_dependency", "depends_on", "DELETE", "dependencies"),
        ("add_issue_dependency", "depends_on", "POST", "dependencies"),
        ("remove_issue_dependent", "dependent", "DELETE", "blocks"),
        ("add_issue_dependent", "dependent", "POST", "blocks"),
    ] {
        let mut given = widget(json!({"index": 5}));
        given[format!("{argument}_index")] = json!(2);
        given[format!("{argument}_repo")] = json!("gadget");
        let (_, requests) = ask(name, given, answer());
        let request = &requests[0];
        assert_eq!(request.line(), format!("{method} /api/v1/repos/acme/widget/issues/5/{path}"));
        assert_eq!(request.header("content-type"), Some("application/json"), "{name}");
        assert_eq!(body(request), expected, "{name}");
    }
    for (name, more, expected) in [
        ("remove_comment_reaction", json!({"comment_id": 3, "reaction": "-1"}), json!({"content": "-1"})),
        ("delete_review_requests", json!({"index": 7, "reviewers": ["ana"]}), json!({"reviewers": ["ana"]})),
        (
            "delete_file",
            json!({"path": "a.txt", "sha": "1", "message": "m"}),
            json!({"sha": "1", "message": "m"}),
        ),
    ] {
        let (_, requests) = ask(name, widget(more), answer());
        let request = &requests[0];
        assert_eq!((request.method.as_str(), body(request)), ("DELETE", expected), "{name}");
        assert_eq!(request.header("content-type"), Some("application/json"), "{name}");
    }
}
