//! What the forge refuses, by the protocol's numbers: its status decides, and no text of its own.

use super::common::block_on;
use super::common::scripted::{Answer, Scripted};
use super::{Client, ERAS};

const ISSUE: &str = "forgejo://repo/acme/widget/issue/1";

/// What the forge answers, the number of the error, and what its message holds.
type Case = (fn() -> Answer, i64, &'static str);

/// The error that reading an issue gets from a forge that answers everything so.
async fn refused(era: &'static str, answer: fn() -> Answer) -> (i64, String) {
    let forge = Scripted::by(move |_| answer()).await;
    let base = forge.base();
    let asked = tokio::task::spawn_blocking(move || {
        let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t0p-s3cret")];
        Client::start(era, &[], &variables).refusal(ISSUE)
    });
    asked.await.unwrap()
}

#[test]
fn each_status_has_its_number_and_the_address_is_named() {
    let cases: [Case; 9] = [
        (|| Answer::json(404, r#"{"message":"The target couldn't be found."}"#), -32003, "couldn't be found"),
        (|| Answer::empty(404), -32003, "404"),
        (
            || {
                Answer::json(
                    403,
                    r#"{"message":"token does not have at least one of required scope(s): [read:issue]"}"#,
                )
            },
            -32004,
            "read:issue",
        ),
        (|| Answer::json(401, r#"{"message":"token is expired"}"#), -32005, "expired"),
        (|| Answer::json(500, r#"{"message":"404 not found"}"#), -32603, "404 not found"),
        (|| Answer::new(502, "text/html", "<html><title>404 Not Found</title></html>"), -32603, "502"),
        (|| Answer::json(429, r#"{"message":"slow down"}"#), -32603, "slow down"),
        (|| Answer::new(200, "text/html", "<html>Sign in</html>"), -32603, "web page"),
        (|| Answer::json(200, "[]"), -32603, ISSUE),
    ];
    block_on(async {
        for era in ERAS {
            for (answer, number, said) in cases {
                let (code, message) = refused(era, answer).await;
                assert_eq!(code, number, "{message}");
                assert!(message.contains(ISSUE) && message.contains(said), "{message}");
                assert!(!message.contains("s3cret"), "{message}");
            }
        }
    });
}

#[test]
fn a_part_that_fails_fails_the_whole_and_is_never_an_empty_list() {
    block_on(async {
        let forge = Scripted::by(|request| match request.target.contains("/comments") {
            true => Answer::json(500, r#"{"message":"broken"}"#),
            false => Answer::json(200, r#"{"number":1,"title":"T","body":"B","comments":3}"#),
        })
        .await;
        let base = forge.base();
        let asked = tokio::task::spawn_blocking(move || {
            let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
            Client::start("2025-11-25", &[], &variables).refusal(ISSUE)
        });
        let (code, message) = asked.await.unwrap();
        assert_eq!(code, -32603);
        assert!(message.contains("broken"), "{message}");
    });
}
