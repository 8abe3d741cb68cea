//! Links from rows of tools to their resources.

use serde_json::{Value, json};

use super::common::block_on;
use super::common::scripted::{Answer, Scripted};
use super::{Client, ERAS, asked, names};
use forgehand::resources::{Address, linked};

/// A call of each tool whose rows have addresses, its answer's first row, and the link of that.
fn cases() -> Vec<(&'static str, Value, Value, &'static str)> {
    let place = |more: Value| {
        let mut arguments = json!({ "owner": "acme", "repo": "wid get" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let below = |row: Value, rest: &'static str| (place(json!({})), row, rest);
    let sha = "be237d750e19be1f8e0b6200ca30575f1a3d340d";
    let commit = "forgejo://repo/acme/wid%20get/commit/be237d750e19be1f8e0b6200ca30575f1a3d340d";
    let repo = || json!({ "full_name": "bob/notes", "description": "N" });
    let user = json!({ "login": "bob", "full_name": "Bob" });
    let with = |tool, (arguments, row, link): (Value, Value, &'static str)| (tool, arguments, row, link);
    vec![
        with(
            "list_repo_issues",
            below(json!({ "number": 7, "title": "T" }), "forgejo://repo/acme/wid%20get/issue/7"),
        ),
        with(
            "list_repo_pull_requests",
            below(json!({ "number": 7, "title": "T" }), "forgejo://repo/acme/wid%20get/pr/7"),
        ),
        (
            "search_issues",
            json!({ "q": "x" }),
            json!({ "number": 7, "title": "T", "pull_request": { "merged": false }, "repository": { "full_name": "bob/notes" } }),
            "forgejo://repo/bob/notes/pr/7",
        ),
        (
            "list_issue_dependencies",
            place(json!({ "index": 1 })),
            json!({ "number": 7, "title": "T", "repository": { "full_name": "bob/notes" } }),
            "forgejo://repo/bob/notes/issue/7",
        ),
        (
            "list_issue_dependents",
            place(json!({ "index": 1 })),
            json!({ "number": 7, "title": "T", "repository": { "full_name": "bob/notes" } }),
            "forgejo://repo/bob/notes/issue/7",
        ),
        (
            "list_issue_comments",
            place(json!({ "index": 7 })),
            json!({ "id": 5, "body": "B", "issue_url": "https://f/acme/wid%20get/issues/7", "pull_request_url": "" }),
            "forgejo://repo/acme/wid%20get/issue/7/comment/5",
        ),
        with(
            "list_repo_comments",
            below(
                json!({ "id": 5, "body": "B", "issue_url": "", "pull_request_url": "https://f/acme/wid%20get/pulls/8" }),
                "forgejo://repo/acme/wid%20get/pr/8/comment/5",
            ),
        ),
        ("list_my_repos", json!({}), repo(), "forgejo://repo/bob/notes"),
        ("list_user_repos", json!({ "user": "bob" }), repo(), "forgejo://repo/bob/notes"),
        ("list_org_repos", json!({ "org": "acme" }), repo(), "forgejo://repo/bob/notes"),
        ("search_repos", json!({ "q": "n" }), repo(), "forgejo://repo/bob/notes"),
        ("list_my_orgs", json!({}), json!({ "name": "acme", "full_name": "A" }), "forgejo://owner/acme"),
        ("search_users", json!({ "q": "bo" }), user, "forgejo://owner/bob"),
        with("list_repo_commits", below(json!({ "sha": sha }), commit)),
        ("list_pull_request_commits", place(json!({ "index": 7 })), json!({ "sha": sha }), commit),
        with(
            "list_repo_labels",
            below(json!({ "id": 6, "name": "bug" }), "forgejo://repo/acme/wid%20get/label/6"),
        ),
        with(
            "list_repo_hooks",
            below(json!({ "id": 5, "type": "forgejo" }), "forgejo://repo/acme/wid%20get/hook/5"),
        ),
        with(
            "list_branch_protections",
            below(
                json!({ "rule_name": "release/**" }),
                "forgejo://repo/acme/wid%20get/branch_protection/release%2F%2A%2A",
            ),
        ),
        with(
            "list_wiki_pages",
            below(
                json!({ "title": "100% ü/b", "sub_url": "100%25-%C3%BC%2Fb.-" }),
                "forgejo://repo/acme/wid%20get/wiki/100%25-%C3%BC%2Fb.-",
            ),
        ),
    ]
}

/// The links among the blocks of an answer.
fn links_of(answer: &Value) -> Vec<Value> {
    let blocks = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
    blocks.iter().filter(|block| block["type"] == "resource_link").cloned().collect()
}

#[test]
fn each_row_of_each_linked_tool_leads_to_a_resource_of_ours() {
    let cases = cases();
    let tools: Vec<&str> = cases.iter().map(|(tool, ..)| *tool).collect();
    assert_eq!(tools, linked().collect::<Vec<_>>());
    block_on(async {
        for (tool, mut arguments, mut row, link) in cases {
            // A field that no address is made of.
            let shown = match tool {
                "search_users" => "email",
                "list_my_orgs" => "description",
                "list_branch_protections" => "created_at",
                "list_wiki_pages" | "list_repo_commits" | "list_pull_request_commits" => "html_url",
                "list_repo_labels" => "color",
                "list_repo_hooks" => "type",
                _ => "updated_at",
            };
            row[shown] = "2026-01-02T03:04:05Z".into();
            let body = match tool {
                "search_repos" | "search_users" => json!({ "ok": true, "data": [row] }),
                _ => json!([row]),
            };
            let forge = Scripted::by(move |_| Answer::json(200, &body.to_string())).await;
            let base = forge.base();
            let asked = tokio::task::spawn_blocking(move || {
                let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
                let options = ["--toolsets", "all", "--resource-links"];
                let mut client = Client::start("2025-11-25", &options, &variables);
                let mut call = |arguments: &Value| {
                    client.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
                };
                let plain = call(&arguments);
                // Whatever fields are shown.
                arguments["fields"] = json!([shown]);
                [plain, call(&arguments)]
            });
            let answers = asked.await.unwrap();
            let row = |answer: &Value| answer["result"]["structuredContent"]["items"][0].clone();
            assert_eq!(names(&row(&answers[1])), [shown], "{tool}");
            for answer in &answers {
                let links = links_of(answer);
                assert_eq!(links.len(), 1, "{tool}: {answer}");
                assert_eq!(links[0]["uri"], link, "{tool}");
                assert!(links[0]["name"].is_string(), "{tool}");
                assert!(!answer.to_string().contains("beside"), "{tool}: {answer}");
            }
            assert_eq!(links_of(&answers[0]), links_of(&answers[1]), "{tool}");
            assert!(Address::parse(link).is_ok(), "{link}");
        }
    });
}

#[test]
fn a_row_whose_resource_is_hidden_has_no_link() {
    let arguments = ["--demo", "--resource-links", "--exclude-tools", "get_commit"];
    let mut client = Client::start("2025-11-25", &arguments, &[]);
    let given = json!({ "name": "list_repo_commits", "arguments": { "repo": "acme/widget" } });
    let answer = client.ask("tools/call", given);
    assert!(answer["result"]["structuredContent"]["items"].is_array(), "{answer}");
    assert_eq!(links_of(&answer), Vec::<Value>::new());
}

#[test]
fn links_come_when_they_are_asked_for_and_change_nothing_else() {
    for era in ERAS {
        let call = |client: &mut Client, meta: Value| {
            let arguments = json!({ "repo": "https://forge.example/acme/widget", "limit": 3 });
            let mut params = json!({ "name": "list_repo_issues", "arguments": arguments });
            if era == ERAS[0] {
                params["_meta"] = meta;
            }
            client.ask("tools/call", params)
        };
        let mut plain = Client::demo(era);
        let without = call(&mut plain, json!({}));
        assert_eq!(links_of(&without), Vec::<Value>::new());
        let with = match era == ERAS[0] {
            true => call(&mut plain, json!({ "forgehand/resourceLinks": true })),
            false => call(&mut Client::start(era, &["--demo", "--resource-links"], &[]), json!({})),
        };
        assert_eq!(with["result"]["structuredContent"], without["result"]["structuredContent"]);
        assert_eq!(with["result"]["content"][0], without["result"]["content"][0]);
        let links = links_of(&with);
        assert_eq!(links.len(), 3);
        assert_eq!(links[0]["mimeType"], "application/json");
        for link in links {
            // Each leads to what it names.
            let uri = link["uri"].as_str().unwrap();
            assert_eq!(plain.object(uri)["title"], link["title"], "{uri}");
        }
    }
}

#[test]
fn a_link_is_its_own_rows_wherever_the_list_was_cut() {
    block_on(async {
        // All that there is, whatever the page; each row with a long text.
        let row = |number| json!({ "number": number, "title": "t".repeat(400), "body": "b" });
        let body = Value::from_iter((1..=5).map(row)).to_string();
        let forge = Scripted::by(move |_| Answer::json(200, &body).header("x-total-count", "5")).await;
        for (more, numbers) in [
            (json!({}), vec![1, 2, 3, 4, 5]),
            (json!({ "page": 2, "limit": 2 }), vec![3, 4]),
            (json!({ "page": 1, "limit": 2, "skip": 3 }), vec![4, 5]),
            (json!({ "max_bytes": 1200 }), vec![1, 2]),
            (json!({ "max_bytes": 300 }), vec![1]),
            (json!({ "max_bytes": 300, "fields": ["title"] }), vec![1]),
        ] {
            let shown = more.clone();
            let answer = asked(&forge, &["--resource-links"], move |client| {
                let mut arguments = json!({ "owner": "a", "repo": "b" });
                arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                client.ask("tools/call", json!({ "name": "list_repo_issues", "arguments": arguments }))
            })
            .await;
            let links: Vec<Value> = links_of(&answer).iter().map(|link| link["uri"].clone()).collect();
            let expected: Vec<String> =
                numbers.iter().map(|number| format!("forgejo://repo/a/b/issue/{number}")).collect();
            assert_eq!(json!(links), json!(expected), "{shown}: {answer}");
            assert!(!answer.to_string().contains("beside"), "{answer}");
        }
    });
}

#[test]
fn a_label_of_the_organization_has_no_address_of_the_repositorys() {
    block_on(async {
        let forge = Scripted::by(|request| {
            let is_first = request.target.contains("page=1&") || request.target.ends_with("page=1");
            let (id, name) = if request.target.contains("/orgs/") { (9, "shared") } else { (6, "bug") };
            let row = json!({ "id": id, "name": name, "color": "ff0000" });
            Answer::json(200, &Value::from_iter(is_first.then_some(row)).to_string())
        })
        .await;
        for fields in [json!(null), json!(["color"])] {
            let answer = asked(&forge, &["--resource-links"], move |client| {
                let arguments =
                    json!({ "owner": "a", "repo": "b", "include_org_labels": true, "fields": fields });
                client.ask("tools/call", json!({ "name": "list_repo_labels", "arguments": arguments }))
            })
            .await;
            assert_eq!(answer["result"]["structuredContent"]["total"], 2, "{answer}");
            let links = links_of(&answer);
            assert_eq!(links.len(), 1, "{answer}");
            assert_eq!(
                (&links[0]["uri"], &links[0]["title"]),
                (&json!("forgejo://repo/a/b/label/6"), &json!("bug"))
            );
        }
    });
}

#[test]
fn an_answer_is_the_same_with_links_as_without_whatever_its_budget() {
    let row = |id: u64| json!({ "id": id, "name": "n".repeat(60), "number": id, "title": "t".repeat(60), "state": "open" });
    block_on(async {
        for (tool, given) in [
            ("list_repo_issues", json!({ "labels": ["unseen"] })),
            ("list_repo_labels", json!({})),
            ("list_repo_labels", json!({ "include_org_labels": true })),
        ] {
            let forge = Scripted::by(move |request| {
                match request.target.contains("/orgs/") && tool == "list_repo_issues" {
                    true => Answer::json(403, "{}"),
                    false => Answer::json(200, &(0..20).map(row).collect::<Value>().to_string()),
                }
            })
            .await;
            let base = forge.base();
            let asked = tokio::task::spawn_blocking(move || {
                let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
                [&["--toolsets", "all"][..], &["--toolsets", "all", "--resource-links"]].map(|options| {
                    let mut client = Client::start("2025-11-25", options, &variables);
                    [200, 260, 400, 900, 1300, 4000].map(|max| {
                        let mut arguments = given.clone();
                        arguments["repo"] = "acme/widget".into();
                        arguments["max_bytes"] = max.into();
                        client.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
                    })
                })
            });
            let [without, with] = asked.await.unwrap();
            for (without, with) in without.iter().zip(&with) {
                assert_eq!(
                    without["result"]["structuredContent"], with["result"]["structuredContent"],
                    "{tool}"
                );
            }
        }
    });
}
