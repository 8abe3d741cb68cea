//! Attached files: read from the configured forge, or where they are kept elsewhere named, and fetched only as anybody.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Scripted};
use common::{TOKEN, block_on, call, forge, json, limits};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError, Outcome, run};
use serde_json::{Value, json};

const UUID: &str = "5759b88e-d06c-4837-a050-bbe55b50cefb";

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

fn in_widget(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

fn attachment(url: &str) -> Answer {
    let fields =
        json!({ "id": 6, "name": "a.txt", "uuid": UUID, "type": "attachment", "browser_download_url": url });
    Answer::json(200, &fields.to_string())
}

#[test]
fn a_file_is_read_from_the_configured_forge_whatever_host_its_address_names() {
    block_on(async {
        let of_issue = ("download_issue_attachment", json!({ "index": 3 }), "issues/3");
        let of_comment = ("download_comment_attachment", json!({ "comment_id": 189 }), "issues/comments/189");
        let of_release = ("download_release_attachment", json!({ "release_id": 4 }), "releases/4");
        for (name, more, path) in [of_issue, of_comment, of_release] {
            for root in ["http://127.0.0.1:1", "https://public.name", "https://public.name/git"] {
                let script = [
                    attachment(&format!("{root}/attachments/{UUID}")),
                    Answer::new(200, "text/plain", "bolt\n"),
                ];
                let forge = Scripted::new(script).await;
                let mut arguments = in_widget(more.clone());
                arguments["attachment_id"] = 6.into();
                let outcome = call(&forge, tool(name), arguments).await.unwrap();
                assert!(matches!(outcome, Outcome::Text { text, .. } if text == "bolt\n"));
                let requests = forge.requests();
                assert_eq!(requests[0].line(), format!("GET /api/v1/repos/acme/widget/{path}/assets/6"));
                assert_eq!(requests[1].line(), format!("GET /attachments/{UUID}"));
                assert_eq!(requests[1].header("authorization"), Some(format!("token {TOKEN}").as_str()));
            }
        }
    });
}

#[test]
fn a_file_that_is_kept_elsewhere_is_named_and_nobody_is_asked_for_it() {
    block_on(async {
        let elsewhere = Scripted::agreeable().await;
        for (url, kind) in [
            (format!("{}/widget.tar.gz", elsewhere.base()), "external"),
            (format!("{}/attachments/{UUID}", elsewhere.base()), "external"),
            (format!("{}/api/v1/user", elsewhere.base()), "attachment"),
        ] {
            let fields = json!({ "name": "w", "uuid": UUID, "type": kind, "browser_download_url": url });
            let forge = Scripted::new([Answer::json(200, &fields.to_string())]).await;
            let arguments = in_widget(json!({ "release_id": 4, "attachment_id": 6 }));
            let answer = json(call(&forge, tool("download_release_attachment"), arguments).await);
            assert_eq!((&answer["external"], &answer["url"]), (&json!(true), &json!(url)));
            assert_eq!((forge.lines().len(), elsewhere.lines().len()), (1, 0));
        }
    });
}

#[test]
fn a_file_that_the_forge_passes_on_to_another_host_is_not_followed() {
    block_on(async {
        let elsewhere = Scripted::agreeable().await;
        for status in [302, 303, 307] {
            let away = Answer::empty(status).header("Location", &format!("{}/x?signed=1", elsewhere.base()));
            let forge =
                Scripted::new([attachment(&format!("https://p.example/attachments/{UUID}")), away]).await;
            let arguments = in_widget(json!({ "index": 3, "attachment_id": 6 }));
            let error = call(&forge, tool("download_issue_attachment"), arguments).await.unwrap_err();
            assert!(
                error.message.contains(&elsewhere.base()) && !error.message.contains("signed"),
                "{error}"
            );
            assert_eq!((error.code, elsewhere.lines().len()), (Code::Refused, 0));
        }
    });
}

fn external(url: &str) -> Answer {
    let fields = json!({ "name": "w", "uuid": UUID, "type": "external", "browser_download_url": url });
    Answer::json(200, &fields.to_string())
}

/// A file of a release that is kept at that address, fetched on behalf of a forge on this machine.
async fn fetched(url: &str, more: Value, is_here: bool) -> Result<Outcome, OperationError> {
    let scripted = Scripted::new([external(url)]).await;
    let asks = forge(&scripted);
    let asks = if is_here { asks.direct() } else { asks };
    let mut arguments = in_widget(json!({ "release_id": 4, "attachment_id": 6, "fetch_external": true }));
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let arguments = arguments.as_object().unwrap().clone();
    let outcome = run(&asks, tool("download_release_attachment"), arguments, &limits()).await;
    assert_eq!(scripted.lines().len(), 1);
    outcome
}

#[test]
fn a_file_that_is_kept_elsewhere_is_fetched_where_that_is_asked_for_and_without_credentials() {
    block_on(async {
        let elsewhere = Scripted::new([
            Answer::empty(302).header("Location", "/signed?key=abc"),
            Answer::new(200, "text/plain", "bolt\n"),
        ])
        .await;
        let url = elsewhere.base().replace("http://", "http://ana:secret@");
        let outcome = fetched(&format!("{url}/widget.txt?v=1"), json!({}), true).await.unwrap();
        assert!(matches!(outcome, Outcome::Text { text, .. } if text == "bolt\n"));
        assert_eq!(elsewhere.lines(), ["GET /widget.txt?v=1", "GET /signed?key=abc"]);
        for request in elsewhere.requests() {
            for header in ["authorization", "cookie", "referer"] {
                assert_eq!(request.header(header), None, "{header}");
            }
            assert!(!format!("{request:?}").contains(TOKEN));
        }
    });
}

#[test]
fn what_is_fetched_from_elsewhere_keeps_the_budget() {
    block_on(async {
        let bytes = || Answer::new(200, "application/zip", [1, 255].repeat(1500));
        let elsewhere =
            Scripted::new([bytes(), bytes(), Answer::new(200, "text/plain", "a\n".repeat(500))]).await;
        let url = format!("{}/x", elsewhere.base());
        let error = fetched(&url, json!({ "max_bytes": 1000 }), true).await.unwrap_err();
        assert_eq!(error.code, Code::TooLarge);
        let outcome = fetched(&url, json!({ "max_bytes": 3000 }), true).await.unwrap();
        assert!(matches!(outcome, Outcome::Bytes { bytes, .. } if bytes.len() == 3000));
        let outcome = fetched(&url, json!({ "max_bytes": 200 }), true).await.unwrap();
        assert!(matches!(outcome, Outcome::Text { text, .. } if text.len() == 200));
    });
}

#[test]
fn no_address_that_is_not_public_is_asked_and_no_redirect_to_one_followed() {
    block_on(async {
        let elsewhere = Scripted::agreeable().await;
        let port = elsewhere.port();
        for (host, is_here) in [
            ("127.0.0.1", false),
            ("localhost", false),
            ("0x7f.1", false),
            ("[::1]", false),
            ("[::ffff:127.0.0.1]", false),
            ("0.0.0.0", false),
            ("0.0.0.0", true),
            ("169.254.169.254", true),
            ("10.0.0.1", true),
            ("[fd00::1]", true),
        ] {
            let error =
                fetched(&format!("http://{host}:{port}/x?key=abc"), json!({}), is_here).await.unwrap_err();
            assert_eq!(error.code, Code::Refused, "{host}: {error}");
            assert!(error.message.ends_with("is no public address, and no other is asked"), "{error}");
            assert!(!error.message.contains("abc"), "{error}");
        }
        assert_eq!(elsewhere.lines(), [""; 0]);

        for (place, said) in [
            ("http://10.0.0.1/x?key=abc", "http://10.0.0.1/x is no public address"),
            ("ftp://a.example/x", "neither http nor https"),
            ("", "no place"),
        ] {
            let away = match place {
                "" => Answer::empty(302),
                place => Answer::empty(302).header("Location", place),
            };
            let elsewhere = Scripted::new([away]).await;
            let error = fetched(&format!("{}/x", elsewhere.base()), json!({}), true).await.unwrap_err();
            assert_eq!(error.code, Code::Refused, "{error}");
            assert!(error.message.contains(said) && !error.message.contains("abc"), "{error}");
        }
        let elsewhere = Scripted::by(|_| Answer::empty(302).header("Location", "/again")).await;
        let error = fetched(&format!("{}/x", elsewhere.base()), json!({}), true).await.unwrap_err();
        assert_eq!((error.code, elsewhere.lines().len()), (Code::Refused, 4));
    });
}

#[test]
fn what_elsewhere_answers_is_not_said_of_the_forge() {
    block_on(async {
        let elsewhere = Scripted::new([Answer::json(401, r#"{"message":"token is required"}"#)]).await;
        let place = format!("{}/x", elsewhere.base());
        let error = fetched(&format!("{place}?key=abc"), json!({}), true).await.unwrap_err();
        let said = format!("this file is kept outside of the forge, and {place} answered 401 Unauthorized");
        assert_eq!((error.code, error.message, error.hint), (Code::Refused, said, None));
        let error = fetched("http://127.0.0.1:1/x", json!({}), true).await.unwrap_err();
        assert_eq!(error.code, Code::Unreachable);
        assert!(error.message.contains("http://127.0.0.1:1/x gave no answer"), "{error}");
        for url in ["", "x", "/x", "ftp://a.example/x", "javascript:x", "data:text/plain,x"] {
            let error = fetched(url, json!({}), true).await.unwrap_err();
            assert_eq!(error.code, Code::Refused, "{url}: {error}");
        }
    });
}
