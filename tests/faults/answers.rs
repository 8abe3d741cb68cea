//! Answers that differ from the document: nothing of a good one is lost, and no bad one passes for a good one.

use forgehand::operations::{Code, Outcome};
use serde_json::{Value, json};

use super::common::scripted::Answer;
use super::{ask, failed, shown, widget};

fn ok(body: &str) -> Answer {
    Answer::json(200, body)
}

/// Calls a tool of acme/widget and looks at places of what it shows.
#[track_caller]
fn shows(name: &str, given: Value, answer: Answer, places: &[(&str, Value)]) {
    let (value, _) = shown(name, given, answer);
    for (pointer, expected) in places {
        assert_eq!(value.pointer(pointer).unwrap_or(&Value::Null), expected, "{name} {pointer}: {value}");
    }
}

#[test]
fn one_path_may_be_a_directory_or_a_file() {
    let rows = r#"[{"type":"file","name":"a.rs","path":"src/a.rs","content":null,"sha":"1"}]"#;
    let one = r#"{"type":"file","name":"README.md","path":"README.md","encoding":"base64","content":"aGk="}"#;
    for (path, body) in [("src", rows), ("README.md", one)] {
        let (value, requests) = shown("list_repo_contents", widget(json!({ "path": path })), ok(body));
        assert_eq!(requests[0].target, format!("/api/v1/repos/acme/widget/contents/{path}"));
        assert_eq!(value["items"].as_array().unwrap().len(), 1, "{value}");
        assert!(value["items"][0]["path"].as_str().unwrap().starts_with(path), "{value}");
    }
}

#[test]
fn nulls_blanks_and_odd_texts_lose_no_row_and_no_call() {
    let issue = json!([{"number": 1, "title": "t", "assignees": null, "labels": null,
        "milestone": {"title": "m", "due_on": null}, "closed_at": null, "pull_request": null}, null,
        {"number": 2, "title": "u", "user": null}]);
    shows(
        "list_repo_issues",
        widget(json!({})),
        ok(&issue.to_string()),
        &[("/items/0/number", json!(1)), ("/items/1", Value::Null), ("/items/2/number", json!(2))],
    );
    let issue = json!({"number": 1, "title": "t", "assignees": null, "labels": null,
        "milestone": {"id": 4, "title": "m", "due_on": null}, "closed_at": null, "pull_request": null});
    shows(
        "get_issue_by_index",
        widget(json!({"index": 1})),
        ok(&issue.to_string()),
        &[("/number", json!(1)), ("/milestone/title", json!("m"))],
    );
    let repository = json!({"full_name": "acme/widget", "html_url": "", "clone_url": "not an address",
        "ssh_url": "git@forge.example:acme/widget.git", "owner": {"login": "acme", "avatar_url": ""}});
    shows(
        "get_repo",
        widget(json!({})),
        ok(&repository.to_string()),
        &[("/ssh_url", json!("git@forge.example:acme/widget.git")), ("/clone_url", json!("not an address"))],
    );
    let pull =
        json!({"number": 7, "title": "t", "html_url": "", "requested_reviewers": [null, {"login": "ana"}]});
    let (value, _) = shown("get_pull_request_by_index", widget(json!({"index": 7})), ok(&pull.to_string()));
    assert_eq!(value["number"], 7);
    assert!(value["requested_reviewers"].as_array().unwrap().contains(&json!("ana")), "{value}");
}

#[test]
fn what_the_document_calls_an_email_or_a_moment_is_shown_as_it_came() {
    for email in ["", "ana@", "noreply"] {
        let user = json!({"id": 1, "login": "ana", "email": email, "website": "", "created": "2026-03-01T12:00:00+02:00"});
        let (value, _) = shown("get_user", json!({"user": "ana"}), ok(&user.to_string()));
        assert_eq!((&value["login"], &value["created"]), (&json!("ana"), &user["created"]), "{value}");
        assert_eq!(value["email"].as_str().unwrap_or_default(), email, "{value}");
    }
    // GitHub's fields are not Forgejo's: little is enough.
    shows(
        "get_my_user_info",
        json!({}),
        ok(r#"{"id":1,"login":"ana","is_admin":false}"#),
        &[("/login", json!("ana"))],
    );
    shows(
        "list_repo_issues",
        widget(json!({})),
        ok(r#"[{"number":1,"updated_at":"2026-03-01T12:00:00+02:00"}]"#),
        &[("/items/0/updated_at", json!("2026-03-01T12:00:00+02:00"))],
    );
}

#[test]
fn an_object_around_a_list_is_a_list() {
    shows(
        "search_topics",
        json!({"q": "rust"}),
        ok(r#"{"topics":[{"id":1,"topic_name":"rust"}]}"#),
        &[("/items/0/topic_name", json!("rust"))],
    );
    // Another form than the documented one is not hidden.
    let (value, _) = shown("search_topics", json!({"q": "rust"}), ok(r#"[{"id":1,"topic_name":"rust"}]"#));
    assert!(value.to_string().contains("\"topic_name\":\"rust\""), "{value}");
}

#[test]
fn every_code_of_success_is_one_with_a_body_or_without() {
    for status in [200, 201, 202] {
        let answer = Answer::json(status, r#"{"number":4,"title":"x"}"#);
        shows("update_issue", widget(json!({"index": 4, "title": "x"})), answer, &[("/number", json!(4))]);
    }
    for status in [200, 201] {
        let answer = Answer::json(status, r#"{"content":"+1","user":{"login":"ana"}}"#);
        let given = widget(json!({"comment_id": 3, "reaction": "+1"}));
        shows("add_comment_reaction", given, answer, &[("/content", json!("+1"))]);
    }
    for (name, more, status, word) in [
        ("sync_pull_mirror", json!({}), 200, "started"),
        ("remove_comment_reaction", json!({"comment_id": 3, "reaction": "+1"}), 200, "done"),
        ("start_issue_stopwatch", json!({"index": 5}), 201, "started"),
        ("merge_pull_request", json!({"index": 7, "style": "squash"}), 200, "merged"),
        ("delete_issue_comment", json!({"comment_id": 3, "confirm": true}), 204, "done"),
    ] {
        let (value, _) = shown(name, widget(more), Answer::empty(status));
        assert_eq!(value, json!({ word: true, "status": status }), "{name}");
    }
}

#[test]
fn a_205_is_a_success_and_its_body_is_shown() {
    let rows = r#"[{"id":5,"unread":false}]"#;
    for (name, given) in [
        ("mark_all_notifications_read", json!({"status": ["unread"], "to_status": "read"})),
        ("mark_repo_notifications_read", widget(json!({}))),
    ] {
        let (value, requests) = shown(name, given.clone(), Answer::json(205, rows));
        assert_eq!((&value["items"][0]["id"], requests.len()), (&json!(5), 1), "{name}: {value}");
        let (value, requests) = shown(name, given, Answer::empty(205));
        assert_eq!((&value["status"], requests.len()), (&json!(205), 1), "{name}: {value}");
    }
    let one = || json!({"id": 5});
    shows(
        "mark_notification_read",
        one(),
        Answer::json(205, r#"{"id":5,"unread":false}"#),
        &[("/id", json!(5))],
    );
    shows("mark_notification_read", one(), Answer::empty(205), &[("/status", json!(205))]);
}

#[test]
fn a_comment_that_is_none_says_so() {
    let (error, _) = failed("get_issue_comment", widget(json!({"comment_id": 3})), Answer::empty(204));
    assert_eq!((error.code, error.status), (Code::NotFound, Some(204)), "{error}");
    assert!(error.message.contains("not a comment"), "{error}");
}

#[test]
fn an_empty_repository_has_no_branches_and_says_why_it_has_no_commits() {
    for body in ["null", "[]"] {
        let (value, _) = shown("list_branches", widget(json!({})), ok(body));
        assert_eq!(value["items"], json!([]), "{value}");
        assert_eq!(value.get("next"), None, "{value}");
    }
    let empty = Answer::json(409, r#"{"message":"Git Repository is empty.","url":"u"}"#);
    let (error, _) = failed("list_repo_commits", widget(json!({})), empty);
    assert_eq!((error.code, error.status), (Code::Conflict, Some(409)));
    assert!(error.message.contains("Git Repository is empty."), "{error}");
}

#[test]
fn text_is_the_body_byte_for_byte_whatever_it_looks_like() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 90000000\n";
    let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\"a\"\n+{\"b\": 1}\n";
    for (name, more, body, media_type, target) in [
        ("get_file_content", json!({"path": "model.bin"}), pointer, "text/plain", "raw/model.bin"),
        ("get_file_content", json!({"path": "a.json"}), "{\"a\":\r\n 1}", "application/json", "raw/a.json"),
        ("get_file_content", json!({"path": "e"}), "", "text/plain", "raw/e"),
        ("get_file_media", json!({"path": "model.bin"}), "weights\r\n", "text/plain", "media/model.bin"),
        ("get_pull_request_diff", json!({"index": 7}), diff, "text/plain", "pulls/7.diff"),
        (
            "get_pull_request_diff",
            json!({"index": 7, "format": "patch"}),
            diff,
            "text/x-patch",
            "pulls/7.patch",
        ),
    ] {
        for status in [200, 206] {
            let (outcome, requests) = ask(name, widget(more.clone()), Answer::new(status, media_type, body));
            assert_eq!(requests[0].target, format!("/api/v1/repos/acme/widget/{target}"));
            match outcome {
                Ok(Outcome::Text { text, .. }) => assert_eq!(text, body, "{name} {status}"),
                other => panic!("{name} {status}: {other:?}"),
            }
        }
    }
}

#[test]
fn json_that_is_nested_too_deep_is_not_nothing() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(300), close.repeat(300));
    for (name, given, body) in [
        ("get_issue_by_index", json!({"index": 1}), deep("{\"a\":", "}")),
        ("list_repo_issues", json!({}), format!("[{}]", deep("{\"a\":", "}"))),
        ("list_repo_issues", json!({}), deep("[", "]")),
    ] {
        let (error, _) = failed(name, widget(given), ok(&body));
        assert_eq!(error.code, Code::Refused, "{name} {error:?}");
        assert!(error.message.contains("recursion limit"), "{error:?}");
    }
    // A write is done, and says that it cannot be shown.
    let (value, _) = shown("create_issue", widget(json!({"title": "t"})), Answer::json(201, &deep("[", "]")));
    assert!(value["note"].as_str().unwrap().contains("the forge answered no JSON"), "{value}");
}

#[test]
fn bytes_stay_bytes_with_their_media_type() {
    let zip = b"PK\x03\x04\x00\xff\xfe\r\n\x80";
    for (name, more, media_type) in [
        ("get_repo_archive", json!({"archive": "main.zip"}), "application/zip"),
        ("get_file_content", json!({"path": "a.zip"}), "application/octet-stream"),
        ("get_file_media", json!({"path": "a.zip"}), "application/octet-stream"),
    ] {
        let (outcome, _) = ask(name, widget(more), Answer::new(200, media_type, zip));
        match outcome {
            Ok(Outcome::Bytes { bytes, media_type: shown, .. }) => {
                assert_eq!((bytes.as_ref(), shown.as_str()), (zip.as_slice(), media_type), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_list_that_was_cut_by_the_forge_says_where_it_goes_on() {
    let rows = |count: u64| {
        json!((1..=count).map(|n| json!({"number": n, "id": n})).collect::<Vec<_>>()).to_string()
    };
    let many = ok(&rows(50))
        .header("X-Total-Count", "120")
        .header("Link", "<https://forge.example/api/v1/x?limit=50&page=2>; rel=\"next\"");
    shows(
        "list_repo_issues",
        widget(json!({"limit": 100})),
        many,
        &[("/next/page", json!(2)), ("/total", json!(120))],
    );
    let reviews = ok(&rows(30)).header("X-Total-Count", "34");
    shows(
        "list_pull_reviews",
        widget(json!({"index": 7})),
        reviews,
        &[("/next/page", json!(2)), ("/total", json!(34))],
    );
    // The forge sends all of these for any page: the second is empty, and nothing is asked of the forge.
    let (value, requests) =
        shown("list_issue_comments", widget(json!({"index": 5, "page": 2, "limit": 30})), ok(&rows(12)));
    assert_eq!((&value["items"], &value["total"]), (&json!([]), &json!(12)), "{value}");
    assert_eq!(value.get("next"), None, "{value}");
    assert_eq!(requests[0].target, "/api/v1/repos/acme/widget/issues/5/comments");
}

#[test]
fn pull_requests_among_issues_are_marked() {
    let rows = r#"[{"number":1,"title":"a","pull_request":null},{"number":2,"title":"b","pull_request":{"merged":false}}]"#;
    for (name, given) in [("list_repo_issues", widget(json!({}))), ("search_issues", json!({"q": "crash"}))] {
        let (value, _) = shown(name, given, ok(rows));
        assert!(value["items"][0].get("pull_request").is_none(), "{name}: {value}");
        assert!(value["items"][1].get("pull_request").is_some(), "{name}: {value}");
    }
    let given = json!({"q": "crash", "type": "issues", "state": "all"});
    let (_, requests) = shown("search_issues", given, ok("[]"));
    for part in ["q=crash", "type=issues", "state=all"] {
        assert!(requests[0].target.contains(part), "{}", requests[0].target);
    }
}
