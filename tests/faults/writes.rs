//! Writes: only what was done is told as done, and what was refused says why, once.

use forgehand::operations::Code;
use serde_json::{Value, json};

use super::common::scripted::Answer;
use super::{ask, body, failed, shown, widget};

fn says(status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({"message": message, "url": "u"}).to_string())
}

#[test]
fn a_refusal_keeps_status_call_and_the_forges_words_and_is_not_tried_again() {
    let review = json!({"index": 7, "event": "REQUEST_CHANGES"});
    let file = json!({"path": "a.txt", "content": "x", "sha": "old"});
    let many = json!({"message": "Invalid", "errors": ["one", "two"], "url": "u"}).to_string();
    for (name, given, answer, status, words) in [
        (
            "delete_org",
            json!({"org": "acme", "confirm": true}),
            says(500, "organization still owns repositories"),
            500,
            "organization still owns repositories",
        ),
        (
            "create_pull_review",
            widget(review.clone()),
            says(422, "a review needs text"),
            422,
            "a review needs text",
        ),
        ("update_file", widget(file.clone()), says(409, "sha does not match"), 409, "sha does not match"),
        ("update_file", widget(file), says(422, "sha does not match"), 422, "sha does not match"),
        (
            "create_repo",
            json!({"name": "my repo"}),
            says(422, "[Name]: AlphaDashDot"),
            422,
            "[Name]: AlphaDashDot",
        ),
        ("create_repo", json!({"name": "x"}), Answer::json(422, &many), 422, "one; two"),
        ("create_repo", json!({"name": "x", "owner": "acme"}), says(409, "it exists"), 409, "it exists"),
        (
            "create_file",
            widget(json!({"path": "big.glb", "content": "x"})),
            Answer::empty(413).header("message", "quota exceeded"),
            413,
            "quota exceeded",
        ),
        (
            "create_file",
            widget(json!({"path": "big.glb", "content": "x"})),
            Answer::new(413, "text/html", "<html><h1>413 Request Entity Too Large</h1></html>"),
            413,
            "Request Entity Too Large",
        ),
        ("fork_repo", widget(json!({})), says(500, ""), 500, "500"),
    ] {
        let (error, requests) = failed(name, given, answer);
        // What a change of a file took for granted is looked at after its refusal.
        let sent = if name == "update_file" { 2 } else { 1 };
        assert_eq!((error.status, requests.len()), (Some(status), sent), "{name}: {error}");
        let path = requests[0].target.strip_prefix("/api/v1").unwrap();
        assert_eq!(error.call, Some(format!("{} {path}", requests[0].method)));
        assert!(error.message.contains(words), "{name}: {error}");
    }
}

#[test]
fn a_change_of_a_file_without_its_sha_is_refused_by_name() {
    for (name, more) in
        [("update_file", json!({"path": "a.txt", "content": "x"})), ("delete_file", json!({"path": "a.txt"}))]
    {
        let (error, requests) = failed(name, widget(more), Answer::json(200, "{}"));
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0));
        assert!(error.message.contains("`sha`"), "{error}");
    }
}

#[test]
fn text_goes_out_as_base64_and_base64_as_it_is() {
    for (given, content) in [
        (json!({"content": "hello"}), "aGVsbG8="),
        (json!({"content_base64": "aGVs\nbG8="}), "aGVsbG8="),
        (json!({"content_base64": "AP8K"}), "AP8K"),
        (json!({"content": "aGVsbG8="}), "YUdWc2JHOD0="),
        (json!({"content": ""}), ""),
    ] {
        let mut given = widget(given);
        given["path"] = json!("a.txt");
        given["message"] = json!("m");
        let (_, requests) = ask("create_file", given, Answer::json(201, "{}"));
        assert_eq!(body(&requests[0]), json!({"content": content, "message": "m"}));
    }
}

#[test]
fn a_file_is_a_form_with_one_named_part_and_every_byte() {
    let made = || Answer::json(201, r#"{"id":9,"name":"a b.bin","size":3}"#);
    for (name, more, path) in [
        ("create_issue_attachment", json!({"index": 5}), "issues/5/assets"),
        ("create_release_attachment", json!({"release_id": 3}), "releases/3/assets"),
        ("create_comment_attachment", json!({"comment_id": 8}), "issues/comments/8/assets"),
    ] {
        let mut given = widget(more);
        given["filename"] = json!("a b.bin");
        given["content"] = json!("AP8K");
        let (value, requests) = shown(name, given, made());
        let request = &requests[0];
        assert_eq!(request.line(), format!("POST /api/v1/repos/acme/widget/{path}?name=a%20b.bin"));
        let boundary = request.header("content-type").unwrap().strip_prefix("multipart/form-data; boundary=");
        let boundary = format!("--{}", boundary.unwrap());
        let form = &request.body;
        let at = form.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = std::str::from_utf8(&form[..at]).unwrap();
        assert!(head.starts_with(&boundary) && head.contains("name=\"attachment\""), "{head}");
        assert!(head.contains("filename=\"a b.bin\""), "{head}");
        let rest = &form[at + 4..];
        assert_eq!(rest, [b"\x00\xff\n\r\n".as_slice(), boundary.as_bytes(), b"--\r\n"].concat());
        assert_eq!((&value["id"], &value["size"]), (&json!(9), &json!(3)));
    }
    let given = widget(json!({"release_id": 3, "external_url": "https://files.example/a?b=c"}));
    let (_, requests) = shown("create_release_attachment", given, made());
    let form = requests[0].text();
    assert!(form.contains("name=\"external_url\"\r\n\r\nhttps://files.example/a?b=c\r\n"), "{form}");
    assert!(!form.contains("name=\"attachment\""), "{form}");
    for status in [400, 413] {
        let given = widget(json!({"index": 5, "content": "AP8K"}));
        let (error, requests) = failed("create_issue_attachment", given, Answer::empty(status));
        assert_eq!((error.status, requests.len()), (Some(status), 1));
    }
}

#[test]
fn a_write_that_a_gateway_answers_for_the_forge_leaves_its_outcome_open() {
    let upstream = "upstream connect error or disconnect/reset before headers";
    for (name, more) in [
        ("create_issue", json!({"title": "t"})),
        ("update_issue", json!({"index": 5, "title": "t"})),
        ("delete_issue", json!({"index": 5, "confirm": true})),
        ("remove_issue_labels", json!({"index": 5, "labels": [1]})),
    ] {
        for (status, kind, body) in [
            (503, "text/plain", upstream),
            (500, "text/plain", "Internal Server Error"),
            (500, "application/json", r#"["timeout"]"#),
            (500, "application/json", r#""timeout""#),
            (500, "application/json", r#"{"message":"cut of"#),
            (500, "application/json", r#"{"error":"timeout"}"#),
            (503, "application/json", r#"{"message":""}"#),
            (507, "text/plain", "no room"),
            (599, "text/html", "<p>busy</p>"),
        ] {
            let (error, requests) = failed(name, widget(more.clone()), Answer::new(status, kind, body));
            assert_eq!((error.code, error.status), (Code::OutcomeUnknown, Some(status)), "{name} {body}");
            assert!(error.hint.unwrap().starts_with("read the present state before"), "{name} {body}");
            assert_eq!(requests.iter().filter(|request| request.method != "GET").count(), 1);
        }
        let own = Answer::json(500, r#"{"message":"the index is out of range","url":"u"}"#);
        let (error, _) = failed(name, widget(more.clone()), own);
        assert_eq!(error.code, Code::Refused, "{name} {error:?}");
    }
    // A read says what came, and may be asked for again.
    let (error, _) =
        failed("get_issue_by_index", widget(json!({"index": 5})), Answer::new(500, "text/plain", upstream));
    assert_eq!((error.code, error.message.as_str()), (Code::Refused, upstream));
}

#[test]
fn what_is_redirected_is_not_done_and_names_the_new_place() {
    for (name, more) in [
        ("create_issue", json!({"title": "t"})),
        ("update_issue", json!({"index": 5, "title": "t"})),
        ("delete_issue", json!({"index": 5, "confirm": true})),
        ("add_issue_labels", json!({"index": 5, "labels": [1]})),
    ] {
        for status in [301, 302, 307, 308] {
            let place = Answer::empty(status).header("Location", "/api/v1/repos/acme/new/issues");
            let (error, requests) = failed(name, widget(more.clone()), place);
            assert_eq!(
                (error.code, error.status, requests.len()),
                (Code::Refused, Some(status), 1),
                "{name}"
            );
            assert!(error.message.contains("/repos/acme/new/issues"), "{error}");
        }
    }
}

#[test]
fn secrets_of_hooks_are_shown_by_no_tool_that_reads_them() {
    let hook = json!({"id": 1, "type": "forgejo", "config": {"url": "https://hook.example", "secret": "s3cr3t"},
        "authorization_header": "Bearer abc", "events": ["push"]});
    let rows = json!([hook]);
    for (name, given, answer) in [
        ("list_repo_hooks", widget(json!({})), &rows),
        ("list_org_hooks", json!({"org": "acme"}), &rows),
        ("list_my_hooks", json!({}), &rows),
        ("list_site_hooks", json!({}), &rows),
        ("get_repo_hook", widget(json!({"id": 1})), &hook),
        ("get_org_hook", json!({"org": "acme", "id": 1}), &hook),
        ("get_my_hook", json!({"id": 1}), &hook),
        ("get_site_hook", json!({"id": 1}), &hook),
    ] {
        // Also where the answer has another form and is shown whole.
        for answer in [answer.clone(), json!({"odd": answer})] {
            let (value, _) = shown(name, given.clone(), Answer::json(200, &answer.to_string()));
            let text = value.to_string();
            assert!(!text.contains("s3cr3t") && !text.contains("Bearer abc"), "{name}: {text}");
        }
    }
}

#[test]
fn a_password_within_an_address_is_shown_by_no_answer_no_error_and_no_plan() {
    let (user, hidden) =
        ("https://ana:pw-4711@hooks.example/x?token=t-4711&a=1", "https://***@hooks.example/x?token=***&a=1");
    // Any value of a receiver's query may be its key.
    let receiver = hidden.replace("a=1", "a=***");
    let hook = json!({"id": 1, "type": "forgejo", "url": user, "config": {"url": user}, "events": ["push"]});
    let mirror =
        json!({"remote_name": "m", "remote_address": user, "last_error": format!("fatal: '{user}': 403")});
    for (name, given, answer, field, hidden) in [
        ("list_repo_hooks", widget(json!({})), json!([hook]), "url", receiver.as_str()),
        ("get_org_hook", json!({"org": "acme", "id": 1}), hook, "url", receiver.as_str()),
        ("list_push_mirrors", widget(json!({})), json!([mirror]), "remote_address", hidden),
        ("get_push_mirror", widget(json!({"remote_name": "m"})), mirror, "remote_address", hidden),
    ] {
        for answer in [answer.clone(), json!({ "odd": answer })] {
            let (value, _) = shown(name, given.clone(), Answer::json(200, &answer.to_string()));
            assert!(!value.to_string().contains("4711"), "{name}: {value}");
            let row = value["items"].get(0).unwrap_or(&value);
            assert!(row.get(field).is_none_or(|address| address == hidden), "{name}: {value}");
        }
    }
    let made = [
        ("migrate_repo", json!({"clone_addr": user, "repo_name": "x"}), hidden),
        (
            "create_push_mirror",
            widget(json!({"remote_address": user, "interval": "8h", "confirm": true})),
            hidden,
        ),
        ("create_repo_hook", widget(json!({"url": user, "type": "forgejo"})), receiver.as_str()),
    ];
    for (name, mut given, hidden) in made {
        let (error, _) = failed(name, given.clone(), says(422, &format!("cannot clone '{user}'")));
        assert!(
            !error.to_string().contains("4711") && error.message.contains("hooks.example"),
            "{name}: {error}"
        );
        given["dry_run"] = json!(true);
        let (plan, requests) = shown(name, given, Answer::json(200, "{}"));
        assert!(plan.to_string().contains(hidden) && !plan.to_string().contains("4711"), "{name}: {plan}");
        assert_eq!(requests.len(), 0, "{name}");
    }
}

#[test]
fn labels_are_added_replaced_and_told_with_their_ids() {
    let rows = r#"[{"id":3,"name":"bug"},{"id":12,"name":"ui"}]"#;
    for (name, method) in [("add_issue_labels", "POST"), ("replace_issue_labels", "PUT")] {
        let (value, requests) =
            shown(name, widget(json!({"index": 5, "labels": [3, 12]})), Answer::json(200, rows));
        let own = requests.last().unwrap();
        assert_eq!(own.line(), format!("{method} /api/v1/repos/acme/widget/issues/5/labels"));
        assert_eq!(body(own), json!({"labels": [3, 12]}));
        let ids: Vec<&Value> = value["items"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
        assert_eq!(ids, [&json!(3), &json!(12)], "{value}");
    }
}
