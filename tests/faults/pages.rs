//! A web page in the place of the API's answer (of a sign-in, of a proxy) passes for no file, no text, no yes and no no.

use forgehand::operations::descriptor::Answer as Told;
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Effect, Operation, Outcome};
use serde_json::{Value, json};

use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, call};
use super::{ask, failed, samples, tool, widget};

const PAGE: &str =
    "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>";

/// Answers the page, or a way to it within the instance.
async fn signed_out(is_sent_there: bool) -> Scripted {
    Scripted::by(move |request| match request.target.as_str() {
        target if is_sent_there && target != "/user/login" => {
            Answer::empty(302).header("Location", "/user/login")
        }
        _ => Answer::new(200, "text/html; charset=utf-8", PAGE),
    })
    .await
}

fn questions() -> impl Iterator<Item = (&'static Operation, u16, u16)> {
    OPERATIONS.iter().filter_map(|tool| match tool.answer {
        Told::YesNo { yes, no, .. } => Some((tool, yes[0], no[0])),
        _ => None,
    })
}

#[test]
fn no_read_takes_a_sign_in_page_for_its_answer() {
    let mut seen = 0;
    for tool in OPERATIONS.iter().filter(|tool| tool.effect == Effect::Read && !tool.html) {
        // What is asked of nobody, and what the scripted forge tells outside of the script.
        if tool.calls.iter().all(|call| call.path == "/version") {
            continue;
        }
        for is_sent_there in [false, true] {
            block_on(async {
                let forge = signed_out(is_sent_there).await;
                let outcome = call(&forge, tool, samples::required(tool).into()).await;
                let error = outcome.expect_err(tool.name);
                assert_eq!(error.code, Code::Refused, "{}: {error:?}", tool.name);
                assert!(!forge.lines().iter().any(|line| line.contains("/user/login")), "{}", tool.name);
            });
        }
        seen += 1;
    }
    assert!(seen > 200, "only {seen}");
}

#[test]
fn a_file_or_text_that_is_a_page_says_so_and_what_to_do() {
    for (name, given) in [
        ("get_file_content", json!({"path": "a.bin"})),
        ("get_file_media", json!({"path": "a.bin"})),
        ("get_repo_archive", json!({"archive": "main.zip"})),
        ("get_pull_request_diff", json!({"index": 7})),
    ] {
        let (error, _) = failed(name, widget(given), Answer::new(200, "text/html", PAGE));
        assert!(error.message.contains("a web page in place of the file or text: Sign in"), "{error:?}");
        assert!(error.hint.unwrap().contains("check the address and the token"));
    }
}

#[test]
fn a_file_that_is_html_is_a_file() {
    let given = || widget(json!({"path": "index.html"}));
    for answer in [
        // As Forgejo sends it, and where its owner maps the type.
        Answer::new(200, "text/plain; charset=utf-8", PAGE),
        Answer::new(200, "text/html", PAGE).header("Content-Disposition", "inline; filename=\"index.html\""),
    ] {
        match ask("get_file_content", given(), answer) {
            (Ok(Outcome::Text { text, .. }), _) => assert_eq!(text, PAGE),
            (other, _) => panic!("{other:?}"),
        }
    }
    for tool in OPERATIONS.iter().filter(|tool| tool.html) {
        let answer = Answer::new(200, "text/html; charset=utf-8", "<p>a</p>");
        match ask(tool.name, samples::required(tool).into(), answer) {
            (Ok(Outcome::Text { text, .. }), _) => assert_eq!(text, "<p>a</p>"),
            (other, _) => panic!("{}: {other:?}", tool.name),
        }
    }
}

#[test]
fn yes_and_no_are_answers_of_the_forge_alone() {
    let mut seen = 0;
    for (tool, yes, no) in questions() {
        let ask = |answer| ask(tool.name, samples::required(tool).into(), answer).0;
        for answer in [
            Answer::new(no, "text/html", PAGE),
            Answer::new(no, "text/plain", "404 page not found\n"),
            Answer::empty(no),
        ] {
            let error = ask(answer).expect_err(tool.name);
            assert_eq!((error.code, error.status), (Code::NotFound, Some(no)), "{}: {error:?}", tool.name);
        }
        assert!(
            ask(Answer::json(no, r#"{"message":"The target couldn't be found."}"#)).is_ok(),
            "{}",
            tool.name
        );
        if yes == 204 {
            assert!(ask(Answer::empty(yes)).is_ok(), "{}", tool.name);
        } else {
            for answer in [
                Answer::new(yes, "text/html", PAGE),
                Answer::new(yes, "application/json", PAGE),
                Answer::new(yes, "text/plain", "ok"),
                Answer::json(yes, "[]"),
                Answer::json(yes, "{\"id\":"),
                Answer::empty(yes),
            ] {
                let error = ask(answer).expect_err(tool.name);
                assert_eq!(
                    (error.code, error.status),
                    (Code::Refused, Some(yes)),
                    "{}: {error:?}",
                    tool.name
                );
            }
            assert!(ask(Answer::json(yes, r#"{"id":1}"#)).is_ok(), "{}", tool.name);
        }
        seen += 1;
    }
    assert!(seen >= 11, "only {seen}");
}

/// A dry run asks such a question too.
#[test]
fn a_plan_is_told_nothing_by_a_page() {
    let mut seen = 0;
    for planned in OPERATIONS.iter().filter(|tool| {
        tool.present.as_ref().is_some_and(|present| matches!(present.from.answer, Told::YesNo { .. }))
    }) {
        block_on(async {
            let mut given = samples::required(planned);
            given.insert("dry_run".to_owned(), true.into());
            let forge = Scripted::by(|_| Answer::new(404, "text/html", PAGE)).await;
            let plan = super::common::json(call(&forge, planned, given.into()).await);
            assert!(plan.get("present").is_none_or(Value::is_null), "{}: {plan}", planned.name);
        });
        seen += 1;
    }
    assert!(seen >= 5, "only {seen}");
}

#[test]
fn an_attached_file_of_another_size_than_its_description_tells_is_an_error() {
    let uuid = "5759b88e-d06c-4837-a050-bbe55b50cefb";
    for (size, body, kind, is_file) in [
        (4, "four", "text/plain", true),
        (9, "four", "text/plain", false),
        (4, PAGE, "text/html", false),
        (4, "oops", "text/html", false),
    ] {
        block_on(async {
            let forge = Scripted::by(move |request| match request.target.starts_with("/api/") {
                true => Answer::json(
                    200,
                    &json!({"id": 6, "name": "a", "uuid": uuid, "size": size, "type": "attachment",
                        "browser_download_url": format!("https://forge.example/attachments/{uuid}")})
                    .to_string(),
                ),
                false => Answer::new(200, kind, body),
            })
            .await;
            let given = widget(json!({"index": 3, "attachment_id": 6}));
            let outcome = call(&forge, tool("download_issue_attachment"), given).await;
            assert_eq!(outcome.is_ok(), is_file, "{size} {body} {outcome:?}");
        });
    }
}

#[test]
fn what_is_read_besides_a_call_says_what_came_in_its_place() {
    let reads = [
        ("add_issue_labels", json!({"index": 3, "labels": ["bug"]})),
        ("edit_repo_label", json!({"id": 3, "description": "x"})),
        ("edit_repo_hook", json!({"id": 3, "active": true})),
        ("delete_repo_label", json!({"id": 3, "confirm": true})),
        ("download_issue_attachment", json!({"index": 3, "attachment_id": 6})),
        ("list_repo_labels", json!({"include_org_labels": true})),
        ("edit_file", json!({"path": "a", "edits": [{"old": "a", "new": "b"}]})),
    ];
    for (name, given) in reads {
        for (answer, said) in [
            (Answer::new(200, "text/html", PAGE), "the forge answered a web page in place of JSON: Sign in"),
            (Answer::json(200, "{\"id\": 3"), "the forge's answer is no"),
        ] {
            let (error, requests) = failed(name, widget(given.clone()), answer);
            assert!(error.message.starts_with(said), "{name}: {error:?}");
            assert_eq!((error.code, error.status), (Code::Refused, Some(200)), "{name}");
            assert!(requests.iter().all(|request| request.method == "GET"), "{name}");
        }
    }
}

#[test]
fn a_row_that_is_no_utf8_hides_no_name_from_a_look_up() {
    block_on(async {
        let labels = b"[{\"id\":7,\"name\":\"bug\",\"description\":\"caf\xe9\"}]".to_vec();
        let forge = Scripted::by(move |request| match request.method.as_str() {
            "GET" if request.target.contains("/repos/") => Answer::new(200, "application/json", &labels),
            "GET" => Answer::json(200, "[]"),
            _ => Answer::json(200, r#"[{"id":7,"name":"bug"}]"#),
        })
        .await;
        let given = widget(json!({"index": 3, "labels": ["bug"]}));
        let outcome = call(&forge, tool("add_issue_labels"), given).await;
        assert!(outcome.is_ok(), "{outcome:?}");
    });
}
