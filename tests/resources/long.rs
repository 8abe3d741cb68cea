//! What has more rows than a resource embeds.

use serde_json::{Value, json};

use super::common::block_on;
use super::common::scripted::{Answer, Scripted};
use super::{Client, ERAS};

const SENTINEL: &str = "items shown. Use list_issue_comments tool with page=1 to read from the first.]";

#[test]
fn the_thirty_newest_of_65_comments_come_and_the_sentinel_tells_of_the_others() {
    for era in ERAS {
        let issue = Client::demo(era).object("forgejo://repo/acme/widget/issue/2");
        let comments = issue["recent_comments"].as_array().unwrap();
        let ids: Vec<u64> = comments.iter().map(|comment| comment["id"].as_u64().unwrap()).collect();
        assert_eq!(ids, (226..=255).collect::<Vec<_>>());
        assert_eq!(issue["comments_truncated"], format!("[truncated: 30 of 65 {SENTINEL}"));
        assert_eq!(super::names(&comments[0]), ["id", "author", "created_at", "body_excerpt"]);
    }
}

#[test]
fn the_65_checks_of_a_commit_count_and_thirty_are_shown() {
    for era in ERAS {
        let uri = "forgejo://repo/acme/widget/commit/be237d750e19be1f8e0b6200ca30575f1a3d340d/status";
        let checks = Client::demo(era).object(uri);
        assert_eq!((&checks["total_count"], &checks["state"]), (&65.into(), &"success".into()));
        assert_eq!(checks["statuses"].as_array().unwrap().len(), 30);
        assert_eq!(
            checks["statuses_truncated"],
            "[truncated: 30 of 65 items shown. Use list_commit_statuses tool with page=1 to read from the first.]"
        );
    }
}

#[test]
fn no_resource_is_longer_than_one_may_be() {
    block_on(async {
        let long = "x".repeat(60_000);
        let comments = Value::from_iter((1..=65).map(|id| json!({ "id": id, "body": long })));
        let page = json!({ "title": "Home", "content_base64": "eHh4eHh4eHh4".repeat(200_000) });
        for uri in ["forgejo://repo/a/b/issue/2/comments?limit=50", "forgejo://repo/a/b/wiki/Home"] {
            let (comments, page) = (comments.clone(), page.clone());
            let forge = Scripted::by(move |request| {
                let issue = json!({ "number": 2, "pull_request": null });
                let target = &request.target;
                let body = match () {
                    () if target.contains("/comments") => &comments,
                    () if target.contains("/issues") => &issue,
                    () => &page,
                };
                Answer::json(200, &body.to_string())
            })
            .await;
            let base = forge.base();
            let (code, message) = tokio::task::spawn_blocking(move || {
                let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
                Client::start("2025-11-25", &[], &variables).refusal(uri)
            })
            .await
            .unwrap();
            assert_eq!(code, -32603, "{message}");
            assert!(message.contains("at most 1048576") && message.contains("the tool "), "{message}");
        }
    });
}

#[test]
fn a_total_that_is_not_true_ends_the_reading() {
    block_on(async {
        let forge = Scripted::by(|request| {
            let target = &request.target;
            match () {
                () if target.contains("/comments") => Answer::json(200, "[]"),
                () if target.contains("/reviews") => {
                    let rows = if target.contains("page=1&") || target.ends_with("page=1") {
                        r#"[{"id":1}]"#
                    } else {
                        "[]"
                    };
                    Answer::json(200, rows).header("x-total-count", "10000000")
                }
                () => Answer::json(200, r#"{"number":7,"title":"T","body":"B"}"#),
            }
        })
        .await;
        let base = forge.base();
        let pull = tokio::task::spawn_blocking(move || {
            let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
            Client::start("2025-11-25", &[], &variables).object("forgejo://repo/acme/widget/pr/7")
        });
        assert!(pull.await.unwrap()["recent_reviews"].is_array());
        assert!(forge.lines().len() < 60, "{}", forge.lines().len());
    });
}

/// A forge with a pull request that has so many comments and reviews, of which it sends no more than `cap` in a page.
async fn busy(count: usize, cap: usize) -> Scripted {
    Scripted::by(move |request| {
        let target = request.target.clone();
        let row = |id: usize| json!({ "id": id, "user": { "login": "bob" }, "body": "é".repeat(300), "state": "COMMENT" });
        if target.contains("/comments") {
            return Answer::json(200, &Value::from_iter((1..=count).map(row)).to_string());
        }
        if target.contains("/reviews") {
            let number = |name: &str| -> usize {
                let found = target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name));
                found.unwrap().parse().unwrap()
            };
            let (page, limit) = (number("page="), number("limit=").min(cap));
            let rows = (1..=count).skip((page - 1) * limit).take(limit).map(row);
            return Answer::json(200, &Value::from_iter(rows).to_string()).header("x-total-count", &count.to_string());
        }
        Answer::json(200, &json!({ "number": 7, "title": "T", "body": "B", "comments": count }).to_string())
    })
    .await
}

#[test]
fn thirty_are_all_and_thirty_one_are_not_whatever_a_page_holds() {
    block_on(async {
        for cap in [50, 20, 7] {
            for count in [0, 29, 30, 31, 61, 100] {
                let forge = busy(count, cap).await;
                let base = forge.base();
                let pull = tokio::task::spawn_blocking(move || {
                    let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
                    Client::start("2025-11-25", &[], &variables).object("forgejo://repo/acme/widget/pr/7")
                });
                let pull = pull.await.unwrap();
                assert_eq!(pull["review_count"], count);
                for (rows, truncated) in
                    [("recent_comments", "comments_truncated"), ("recent_reviews", "reviews_truncated")]
                {
                    let shown = pull[rows].as_array().unwrap();
                    let ids: Vec<usize> = shown
                        .iter()
                        .map(|row| usize::try_from(row["id"].as_u64().unwrap()).unwrap())
                        .collect();
                    assert_eq!(
                        ids,
                        (count.saturating_sub(29).max(1)..=count).collect::<Vec<_>>(),
                        "{rows} {count} {cap}"
                    );
                    let said = pull.get(truncated).map(|said| said.as_str().unwrap().to_owned());
                    assert_eq!(said.is_some(), count > 30, "{said:?}");
                    assert!(said.is_none_or(|said| {
                        said.starts_with(&format!("[truncated: 30 of {count} items shown."))
                    }));
                    assert!(
                        shown.iter().all(|row| row["body_excerpt"].as_str().unwrap().chars().count() == 281)
                    );
                }
            }
        }
    });
}
