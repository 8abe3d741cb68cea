//! Issues and pull requests share their numbers: an address that takes one for the other leads to the right one.

use serde_json::json;

use super::common::block_on;
use super::common::scripted::{Answer, Scripted};
use super::{Client, asked};

/// A forge where 1 is an issue and 2 a pull request, each with a comment.
async fn forge() -> Scripted {
    Scripted::by(|request| {
        let target = request.target.split('?').next().unwrap_or_default();
        let issue = |number: u64, pull| json!({ "number": number, "title": "T", "pull_request": pull });
        let comment = |issue: &str, pull: &str| json!({ "id": 5, "body": "B", "issue_url": issue, "pull_request_url": pull });
        let body = match target.strip_prefix("/api/v1/repos/a/b/").unwrap_or_default() {
            "issues/1" => issue(1, json!(null)),
            "issues/2" => issue(2, json!({ "merged": false })),
            "pulls/2" => json!({ "number": 2, "title": "T" }),
            "issues/comments/51" => comment("https://f/a/b/issues/1", ""),
            "issues/comments/52" => comment("", "https://f/a/b/pulls/2"),
            "issues/1/comments" | "issues/2/comments" | "pulls/2/reviews" => json!([]),
            _ => return Answer::json(404, r#"{"message":"not there"}"#),
        };
        Answer::json(200, &body.to_string()).header("x-total-count", "0")
    })
    .await
}

#[test]
fn an_address_of_the_other_kind_is_not_found_and_names_the_right_one() {
    block_on(async {
        let forge = forge().await;
        asked(&forge, &[], |client: &mut Client| {
            for (wrong, right) in [
                ("issue/2", "pr/2"),
                ("pr/1", "issue/1"),
                ("pr/1/diff", "issue/1"),
                ("issue/2/comments", "pr/2/comments"),
                ("pr/1/comments?limit=5", "issue/1/comments?limit=5"),
                ("pr/1/comment/51", "issue/1/comment/51"),
                ("issue/7/comment/52", "pr/2/comment/52"),
            ] {
                let (code, message) = client.refusal(&format!("forgejo://repo/a/b/{wrong}"));
                assert_eq!(code, -32003, "{wrong}: {message}");
                let right = format!("its address is forgejo://repo/a/b/{right}");
                assert!(message.ends_with(&right), "{wrong}: {message}");
            }
            for right in ["issue/1", "pr/2", "issue/1/comments", "pr/2/comments"] {
                assert!(client.object(&format!("forgejo://repo/a/b/{right}")).is_object(), "{right}");
            }
            // What is neither stays what it is.
            for neither in ["issue/3", "pr/3", "pr/3/diff", "issue/3/comments"] {
                let (code, message) = client.refusal(&format!("forgejo://repo/a/b/{neither}"));
                assert_eq!(code, -32003, "{message}");
                assert!(message.contains("not there"), "{neither}: {message}");
            }
        })
        .await;
    });
}
