//! Answers of another form than the operation's: errors that say what was expected and what came, never an empty
//! list, no checks, or an entity.

use serde_json::json;

use super::asked;
use super::common::block_on;
use super::common::scripted::{Answer, Scripted};

const REPO: &str = "forgejo://repo/acme/widget";

/// An address below a repository (or whole), and the form that its error says was expected.
const READ: &[(&str, &str)] = &[
    ("/issues", "a list of Issue"),
    ("/prs", "a list of PullRequest"),
    ("/labels", "a list of Label"),
    ("/releases", "a list of Release"),
    ("/milestones", "a list of Milestone"),
    ("/hooks", "a list of Hook"),
    ("/branch_protections", "a list of BranchProtection"),
    ("/issue/1/comments", "expected"),
    ("/file/main", "a list of ContentsResponse"),
    ("/hook/1", "Hook"),
    ("/label/1", "Label"),
    ("/branch_protection/main", "BranchProtection"),
    ("/wiki/Home", "WikiPage"),
    ("/issue/1", "expected"),
    ("/pr/1", "expected"),
    ("/issue/1/comment/1", "Comment"),
    ("/commit/be237d750e19be1f8e0b6200ca30575f1a3d340d", "Commit"),
    ("/commit/be237d750e19be1f8e0b6200ca30575f1a3d340d/status", "CombinedStatus"),
    ("", "Repository"),
    ("forgejo://user", "User"),
    ("forgejo://owner/bob", "expected"),
    ("forgejo://org/acme/labels", "a list of Label"),
];

/// What is sent in place of it, and what the error shows of that. `null` is Forgejo's own empty list.
type Odd = (fn() -> Answer, &'static str, bool);

const ODD: [Odd; 7] = [
    (|| Answer::json(200, "{}"), "{}", true),
    (|| Answer::json(200, "[]"), "[]", false),
    (|| Answer::json(200, "null"), "null", false),
    (|| Answer::json(200, r#"{"ok":true}"#), r#"{"ok":true}"#, true),
    (|| Answer::empty(200), "200 OK without", true),
    (|| Answer::empty(204), "204 No Content", true),
    (|| Answer::new(200, "text/plain", "Welcome to nginx"), "Welcome to nginx", true),
];

#[test]
fn an_answer_of_another_form_is_an_error_that_says_what_was_expected_and_what_came() {
    block_on(async {
        for (answer, came, of_lists_too) in ODD {
            let forge = Scripted::by(move |_| answer()).await;
            asked(&forge, &[], move |client| {
                for (rest, expected) in READ {
                    // An empty list is one, and a number's own issue is none.
                    let is_list = expected.contains("a list") || rest.ends_with("/comments");
                    if is_list && !of_lists_too && !rest.ends_with("/comments") {
                        continue;
                    }
                    let uri = if rest.starts_with("forgejo") {
                        (*rest).to_owned()
                    } else {
                        format!("{REPO}{rest}")
                    };
                    let (code, message) = client.refusal(&uri);
                    let is_event = came.starts_with("204") && rest.contains("/comment/");
                    assert_eq!(code, if is_event { -32003 } else { -32603 }, "{uri} {came}: {message}");
                    assert!(is_event || message.contains(expected), "{uri} {came}: {message}");
                    // Of a hook's answer that cannot be read nothing is shown.
                    let is_shown = message.contains(came) || message.contains("may hold a secret");
                    assert!(is_shown, "{uri} {came}: {message}");
                }
            })
            .await;
        }
    });
}

#[test]
fn checks_that_are_not_counted_are_no_checks() {
    let uri = "forgejo://repo/a/b/commit/be237d750e19be1f8e0b6200ca30575f1a3d340d/status";
    block_on(async {
        for body in
            [r#"{"state":"success"}"#, r#"{"state":"","statuses":null}"#, r#"{"state":"x","statuses":{}}"#]
        {
            let forge = Scripted::by(move |_| Answer::json(200, body)).await;
            let (code, message) = asked(&forge, &[], move |client| client.refusal(uri)).await;
            assert_eq!(code, -32603, "{body}: {message}");
            assert!(message.contains("expected a list under statuses"), "{body}: {message}");
        }
        // So Forgejo says that there are none.
        let none = r#"{"state":"","sha":"","total_count":0,"statuses":null}"#;
        let forge = Scripted::by(move |_| Answer::json(200, none)).await;
        let checks = asked(&forge, &[], move |client| client.object(uri)).await;
        assert_eq!((&checks["state"], &checks["statuses"]), (&json!("unknown"), &json!([])));
    });
}

#[test]
fn null_is_the_empty_list_of_a_list_and_of_a_pull_requests_lists() {
    block_on(async {
        let forge = Scripted::by(|request| {
            let target = &request.target;
            match () {
                () if target.contains("/pulls/7?") || target.ends_with("/pulls/7") => Answer::json(
                    200,
                    r#"{"number":7,"title":"T","labels":null,"assignees":[],"requested_reviewers":null,"milestone":null}"#,
                ),
                () => Answer::json(200, "null").header("x-total-count", "0"),
            }
        })
        .await;
        let (list, pull) = asked(&forge, &[], |client| {
            let list = client.object("forgejo://repo/a/b/hooks");
            (list, client.object("forgejo://repo/a/b/pr/7"))
        })
        .await;
        assert_eq!(list["items"], json!([]));
        for field in ["labels", "assignees", "requested_reviewers", "recent_comments", "recent_reviews"] {
            assert_eq!(pull[field], json!([]), "{field}: {pull}");
        }
        assert_eq!(pull.get("milestone"), None);
    });
}
