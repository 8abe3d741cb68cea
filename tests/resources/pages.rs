//! Lists of many pages: where the forge tells no total they are read to their end, and where that is too far it is
//! said.

use serde_json::{Value, json};

use super::asked;
use super::common::block_on;
use super::common::scripted::{Answer, Scripted};

const PULL: &str = "forgejo://repo/a/b/pr/7";
const CHECKS: &str = "forgejo://repo/a/b/commit/be237d750e19be1f8e0b6200ca30575f1a3d340d/status";

/// The rows of a page of so many, of which a forge sends no more than `cap`; one that is `deaf` sends the first page
/// always.
fn page(target: &str, (count, cap, deaf): (usize, usize, bool), row: impl Fn(usize) -> Value) -> Vec<Value> {
    let number = |name: &str| -> Option<usize> {
        target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.parse().ok())
    };
    let page = if deaf { 1 } else { number("page=").unwrap_or(1) };
    let limit = number("limit=").unwrap_or(30).min(cap);
    (1..=count).skip((page - 1) * limit).take(limit).map(row).collect()
}

/// A forge with a pull request of so many reviews and a commit of so many checks, that tells no totals in headers; of
/// checks the body tells one where it `counts`.
async fn silent(world: (usize, usize, bool), counts: bool) -> Scripted {
    Scripted::by(move |request| {
        let target = &request.target;
        let body = match () {
            () if target.contains("/reviews") => {
                page(target, world, |id| json!({ "id": id, "state": "COMMENT" })).into()
            }
            () if target.contains("/status") => {
                let state = |id| if id == world.0 { "failure" } else { "success" };
                let row = |id| json!({ "id": id, "context": format!("c{id}"), "status": state(id) });
                let mut body = json!({ "state": "success", "statuses": page(target, world, row) });
                if counts {
                    body["total_count"] = world.0.into();
                }
                body
            }
            () if target.contains("/comments") => json!([]),
            () => json!({ "number": 7, "title": "T" }),
        };
        Answer::json(200, &body.to_string())
    })
    .await
}

#[test]
fn a_server_that_caps_and_tells_no_total_is_read_to_the_end() {
    block_on(async {
        for (count, cap) in [(45, 20), (61, 7), (20, 20), (3, 50)] {
            for counts in [true, false] {
                let forge = silent((count, cap, false), counts).await;
                let (pull, checks) =
                    asked(&forge, &[], |client| (client.object(PULL), client.object(CHECKS))).await;
                assert_eq!(pull["review_count"], count, "{cap}");
                let newest = pull["recent_reviews"].as_array().unwrap().last().unwrap()["id"].clone();
                assert_eq!(newest, count, "{cap}");
                // The last of the checks has failed.
                assert_eq!(
                    (&checks["total_count"], &checks["state"]),
                    (&json!(count), &json!("failure")),
                    "{cap} {counts}"
                );
            }
        }
    });
}

#[test]
fn a_server_that_passes_over_pages_is_asked_once_more_and_no_more() {
    block_on(async {
        let forge = silent((12, 50, true), false).await;
        let (pull, checks) = asked(&forge, &[], |client| (client.object(PULL), client.object(CHECKS))).await;
        assert_eq!((&pull["review_count"], &checks["total_count"]), (&json!(12), &json!(12)));
        let count = |part: &str| forge.lines().iter().filter(|line| line.contains(part)).count();
        assert_eq!((count("/reviews"), count("/status")), (2, 2));
    });
}

#[test]
fn what_has_more_than_forty_pages_is_told_as_cut_with_the_page_that_goes_on() {
    block_on(async {
        let forge = silent((1000, 20, false), false).await;
        let (pull, checks) = asked(&forge, &[], |client| (client.object(PULL), client.object(CHECKS))).await;
        assert_eq!(pull.get("review_count"), None);
        for (told, tool) in [
            (&pull["reviews_truncated"], "list_pull_reviews"),
            (&checks["statuses_truncated"], "get_commit_status"),
        ] {
            let expected = format!(
                "[truncated: 30 of at least 800 items shown, 800 read: what is told of all is told of those. Use {tool} tool \
                 with page=41, limit=50 to go on.]"
            );
            assert_eq!(told, &json!(expected));
        }
    });
}

#[test]
fn the_root_of_a_repository_is_a_folder_whose_pages_have_addresses() {
    block_on(async {
        let rows =
            (1..=9).map(|n| json!({ "name": format!("f{n}"), "path": format!("f{n}"), "type": "file" }));
        let body = Value::from_iter(rows).to_string();
        let forge = Scripted::by(move |_| Answer::json(200, &body)).await;
        let paths = asked(&forge, &[], |client| {
            let mut uri = "forgejo://repo/acme/widget/file/feature%2Fx?limit=4".to_owned();
            let mut paths = Vec::new();
            loop {
                let folder = client.object(&uri);
                let rows = folder["items"].as_array().unwrap();
                paths.extend(rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()));
                match folder.get("next") {
                    Some(next) => uri = next.as_str().unwrap().to_owned(),
                    None => break paths,
                }
            }
        });
        assert_eq!(paths.await, (1..=9).map(|n| format!("f{n}")).collect::<Vec<_>>());
        let sent = forge.lines();
        assert!(
            sent.contains(&"GET /api/v1/repos/acme/widget/contents?ref=feature%2Fx".to_owned()),
            "{sent:?}"
        );
    });
}

#[test]
fn a_file_that_is_too_large_names_the_tool_and_the_argument_that_get_it() {
    block_on(async {
        let forge = Scripted::by(|_| Answer::new(200, "application/zip", vec![0u8; 3 * 1024 * 1024])).await;
        let (code, message) =
            asked(&forge, &[], |client| client.refusal("forgejo://repo/a/b/file/main/a.zip")).await;
        assert_eq!(code, -32603);
        assert!(message.contains("the tool get_file_content reads it: max_bytes allows up to"), "{message}");
    });
}
