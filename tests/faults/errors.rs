//! What the forge, or something before it, says in an error reaches the caller whole, whatever form it has, with what would
//! help.

use std::collections::BTreeSet;

use forgehand::demo::Recordings;
use forgehand::operations::descriptor::Run;
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, OperationError, run};
use serde_json::{Value, json};

use super::common::scripted::{Answer, Request, Scripted};
use super::common::{block_on, call, forge, limits};
use super::samples::required;
use super::{failed, tool, widget};

const PAGE: &str = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome back</body></html>";

/// A tool for each kind of answer, and one that writes.
fn tools() -> Vec<(&'static str, Value)> {
    vec![
        ("get_issue_by_index", widget(json!({"index": 1}))),
        ("list_repo_issues", widget(json!({}))),
        ("get_pull_request_diff", widget(json!({"index": 1}))),
        ("get_file_content", widget(json!({"path": "a"}))),
        ("check_org_membership", json!({"org": "acme", "user": "ana"})),
        ("check_org_quota", json!({"org": "acme", "subject": "size:all"})),
        ("create_issue", widget(json!({"title": "t"}))),
        ("delete_issue_comment", widget(json!({"comment_id": 1, "confirm": true}))),
    ]
}

/// An error in each form that it may have, and the words that must reach the caller.
fn forms(status: u16) -> [(Answer, &'static str); 7] {
    let bare = [
        (Answer::empty(status), ""),
        (Answer::new(status, "text/plain; charset=utf-8", "blocked by ana\n"), "blocked by ana"),
        (Answer::new(status, "text/html", PAGE), "Welcome back"),
        (Answer::json(status, r#"{"message":"blocked by ana","url":"u"}"#), "blocked by ana"),
        (
            Answer::json(status, r#"{"message":"","errors":["blocked","by ana"],"url":"u"}"#),
            "blocked; by ana",
        ),
        (Answer::json(status, r#"{"error":"blocked by ana"}"#), "blocked by ana"),
        (Answer::json(status, "{"), "{"),
    ];
    // A wait beyond the call's time is told and not waited for: each is sent once.
    bare.map(|(answer, words)| (answer.header("Retry-After", "3600"), words))
}

/// Whether a call was sent once, and nothing after it; of a tool that may look why it was refused, nothing but a read.
fn asked_once(name: &str, requests: &[Request]) -> bool {
    let tool = tool(name);
    let looks = tool.stale.is_some() || matches!(tool.run, Run::Composed(_));
    requests.len() <= 1 + usize::from(looks) && requests.iter().skip(1).all(|request| request.method == "GET")
}

#[test]
fn an_error_keeps_its_status_its_words_and_its_call_in_every_form_and_for_every_kind_of_answer() {
    block_on(async {
        let scripted = Scripted::agreeable().await;
        let forge = forge(&scripted);
        for (name, given) in tools() {
            for status in
                [400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 422, 423, 429, 500, 501, 502, 503, 504]
            {
                // No is an answer.
                if name == "check_org_membership" && status == 404 {
                    continue;
                }
                let mut codes = BTreeSet::new();
                for (answer, words) in forms(status) {
                    scripted.say(answer);
                    let given = given.as_object().unwrap().clone();
                    let error = run(&forge, tool(name), given, &limits()).await.unwrap_err();
                    let requests = scripted.take_requests();
                    let at = format!("{name} {status} {words:?}: {error:?}");
                    assert_eq!(error.status, Some(status), "{at}");
                    assert!(asked_once(name, &requests), "{at}: {requests:?}");
                    let path = requests[0].target.strip_prefix("/api/v1").unwrap().split('?').next().unwrap();
                    assert_eq!(error.call, Some(format!("{} {path}", requests[0].method)), "{at}");
                    assert!(error.message.contains(words), "{at}");
                    assert!(!words.is_empty() || error.message.contains(&status.to_string()), "{at}");
                    assert!(!error.message.contains('<') && error.code != Code::Internal, "{at}");
                    codes.insert(format!("{:?}", error.code));
                }
                // Only whether a write was done depends on who speaks.
                assert!(codes.len() == 1 || status >= 500, "{name} {status}: {codes:?}");
            }
        }
    });
}

#[test]
fn scopes_that_are_missing_are_read_out_of_a_text_in_every_form() {
    let text = "token does not have at least one of required scope(s): [read:issue write:issue]";
    for answer in [
        Answer::json(403, &json!({"message": text, "url": "u"}).to_string()),
        Answer::json(403, &json!({"message": "", "errors": [text]}).to_string()),
        Answer::new(403, "text/plain", text),
    ] {
        for (name, given) in tools() {
            let (error, _) = failed(name, given, answer.clone());
            assert_eq!(error.code, Code::MissingScope, "{name}: {error:?}");
            assert_eq!(error.missing_scopes, ["read:issue", "write:issue"], "{name}");
            assert!(error.message.contains(text) && error.hint.unwrap().contains("write:issue"), "{name}");
        }
    }
}

#[test]
fn a_message_of_any_length_is_shown_by_its_start_and_never_as_json() {
    for (count, ending) in
        [(100_000, ""), (5_000, ""), (65_510, "\u{1f600}\"\u{e9}\n"), (65_516, "\u{1f600}\\")]
    {
        for text in [format!("no: {}{}", "x".repeat(count), ending.repeat(20)), "\\\"\u{1f600}".repeat(count)]
        {
            let said = json!({"message": text, "url": "u"}).to_string();
            let (error, _) = failed("get_repo", widget(json!({})), Answer::json(404, &said));
            let expected: String = text.chars().take(2_000).collect();
            assert_eq!(error.message, format!("{expected}\u{2026}"), "{count}");
        }
    }
}

fn refused(name: &str, message: &str) -> OperationError {
    let said = json!({"message": message, "url": "u"}).to_string();
    let (error, requests) = failed(name, Value::Object(required(tool(name))), Answer::json(422, &said));
    assert!(error.code == Code::Validation && asked_once(name, &requests), "{name}: {error:?}, {requests:?}");
    assert!(error.message.ends_with(message), "{name}: {error}");
    error
}

#[test]
fn the_word_of_a_rule_is_explained_with_the_argument_that_it_is_about() {
    let dots = "takes letters, digits, `-`, `_` and `.` only";
    let given = "must be given, and be neither empty nor 0";
    for (name, message, hint) in [
        ("create_repo", "[Name]: AlphaDashDot", format!("argument `name` {dots}")),
        ("create_org_team", "[Name]: AlphaDashDot", format!("argument `name` {dots}")),
        ("create_issue", "[Title]: Required", format!("argument `title` {given}")),
        ("create_issue", "[Title]: MaxSize", "argument `title` is too long".to_owned()),
        ("create_issue_comment", "[Body]: Required", format!("argument `body` {given}")),
        ("add_issue_time", "[Time]: Required", format!("argument `duration` {given}")),
        ("create_my_oauth2_app", "[RedirectURIs]: Required", format!("argument `redirect_uris` {given}")),
        (
            "create_repo",
            "[Name]: AlphaDashDot, [Description]: MaxSize",
            format!("argument `name` {dots}; argument `description` is too long"),
        ),
        ("update_file", "[SHA]: Required", format!("argument `sha` {given}")),
        ("update_file", "[Content]: MaxSize", "argument `content` is too long".to_owned()),
        (
            "merge_pull_request",
            "[Do]: In",
            "argument `style` is none of the words that this instance takes".to_owned(),
        ),
        (
            "create_user",
            "[Email]: Email",
            "argument `email` must be an e-mail address, as ana@example.org".to_owned(),
        ),
        (
            "create_user",
            "[Username]: invalid username",
            "argument `user` takes letters, digits, `-`, `_` and `.`, begins and ends with a letter or digit, and has no \
             two of the others in a row"
                .to_owned(),
        ),
        // What is no argument stays as the forge calls it.
        ("create_issue", "[Ghost]: Required", format!("`Ghost` {given}")),
        ("create_issue", "[Title Body]: Required", format!("argument `title`, argument `body` {given}")),
        (
            "create_issue",
            "[]: json: cannot unmarshal string into Go struct field CreateIssueOption.due_date of type int64",
            "argument `due_date` is of a type that this instance does not take".to_owned(),
        ),
    ] {
        assert_eq!(refused(name, message).hint, Some(hint), "{name} {message}");
    }
    for (name, words) in [("rename_branch", "[Name]: GitRefName"), ("edit_my_settings", "[Website]: Url")] {
        let given = match name {
            "rename_branch" => widget(json!({"branch": "a", "new_name": "b c"})),
            _ => json!({"website": "nonsense"}),
        };
        let (error, _) = failed(name, given, Answer::json(422, &json!({"message": words}).to_string()));
        let hint = error.hint.unwrap();
        let argument =
            if name == "rename_branch" { "argument `new_name` must be a name" } else { "argument `website`" };
        assert!(hint.starts_with(argument), "{hint}");
    }
}

#[test]
fn a_rule_that_is_not_known_is_left_as_it_is() {
    for message in [
        "[Name]: Surprise",
        "[BranchFilter]: unexpected end of input",
        "[Email]: e-mail invalid [email: nonsense]",
        "[]: Empty Content-Type",
        "[Name] AlphaDashDot",
        "Required",
        "[Name]: AlphaDashDot and more",
        "[]: Required",
        "[",
        "[]: json: cannot unmarshal array into Go struct field",
        "[]: json: cannot unmarshal array into Go struct field x of type y",
    ] {
        assert_eq!(refused("create_issue", message).hint, None, "{message}");
    }
}

/// Of every recorded refusal: either its word is explained, or it is a sentence.
#[test]
fn every_recorded_word_of_a_rule_is_explained() {
    let recordings = Recordings::embedded().unwrap();
    let mut words = BTreeSet::new();
    for exchange in recordings.exchanges().iter().filter(|exchange| exchange.status == 422) {
        let body = exchange.response.bytes().unwrap_or_default();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let message = body["message"].as_str().unwrap_or_default();
        let Some((field, word)) = message.split_once("]: ") else { continue };
        let a_word = !field.ends_with('[') && word.chars().all(char::is_alphanumeric);
        let of = |o: &&forgehand::operations::Operation| {
            o.merge.is_none() && o.calls.len() == 1 && o.calls[0].operation == exchange.operation
        };
        let Some(tool) = OPERATIONS.iter().find(of).filter(|_| a_word) else { continue };
        block_on(async {
            let forge = Scripted::new([Answer::json(422, &body.to_string())]).await;
            let Err(error) = call(&forge, tool, Value::Object(required(tool))).await else {
                panic!("{} takes a 422 for a success", tool.name);
            };
            if error.code == Code::Validation {
                assert!(error.hint.is_some(), "{}: {message}", tool.name);
                words.insert(word.to_owned());
            }
        });
    }
    assert!(
        words.is_superset(&["AlphaDashDot", "GitRefName", "Required"].map(str::to_owned).into()),
        "{words:?}"
    );
}

#[test]
fn a_text_that_asks_for_a_second_factor_says_that_a_token_needs_none() {
    let issue = || widget(json!({"index": 1}));
    for (status, code) in [(401, Code::Unauthorized), (403, Code::Forbidden)] {
        for text in [
            "OTP is required",
            "invalid provided OTP",
            "one-time password wanted",
            "Two-factor authentication",
        ] {
            for answer in [
                Answer::json(status, &json!({"message": text, "url": "u"}).to_string()),
                Answer::new(status, "text/plain", text),
            ] {
                let (error, _) = failed("get_issue_by_index", issue(), answer);
                assert_eq!((error.code, error.message.as_str()), (code, text));
                assert!(error.hint.unwrap().contains("an access token needs none"), "{text}");
            }
        }
        for text in ["the laptop is locked", "factor two", "timeone", ""] {
            let answer = Answer::json(status, &json!({"message": text}).to_string());
            let hint = failed("get_issue_by_index", issue(), answer).0.hint.unwrap_or_default();
            assert!(!hint.contains("one-time"), "{text}: {hint}");
        }
    }
}

#[test]
fn a_page_or_a_way_to_one_in_place_of_the_api_says_what_stands_there_and_what_to_do() {
    let issue = || widget(json!({"index": 1}));
    for status in [200, 400, 401, 403] {
        let (error, _) = failed("get_issue_by_index", issue(), Answer::new(status, "text/html", PAGE));
        assert!(error.message.contains("a web page") && error.message.contains("Sign in"), "{error:?}");
        assert!(error.hint.unwrap().contains("check the address and the token"), "{status}");
    }
    let (error, _) = failed("get_issue_by_index", issue(), Answer::new(404, "text/html", PAGE));
    assert!(error.hint.unwrap().contains("check the forge's address"));

    let writing = || widget(json!({"title": "t"}));
    let away = "https://sso.example/login?next=secret";
    for status in [301, 302, 303, 307, 308] {
        for (name, given) in [("get_issue_by_index", issue()), ("create_issue", writing())] {
            let (error, requests) = failed(name, given, Answer::empty(status).header("Location", away));
            assert_eq!((error.code, error.status), (Code::Refused, Some(status)), "{error:?}");
            assert!(error.message.ends_with("https://sso.example/login"), "{}", error.message);
            assert!(error.hint.unwrap().contains("sign-in page"), "{status}");
            assert_eq!(requests.len(), 1);
        }
    }
    block_on(async {
        let forge = Scripted::by(|request| match request.target.as_str() {
            "/user/login" => Answer::new(200, "text/html", PAGE),
            _ => Answer::empty(302).header("Location", "/user/login"),
        })
        .await;
        let error = call(&forge, tool("get_issue_by_index"), issue()).await.unwrap_err();
        assert!(error.message.ends_with("/user/login"), "{error:?}");
        assert!(error.hint.unwrap().contains("check the address and the token"));
        assert_eq!(forge.requests().len(), 1);
    });
}
