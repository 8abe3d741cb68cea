//! Pasted addresses that could do harm: read as another thing, of another host, with a password in them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation};
use serde_json::{Value, json};

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

#[test]
fn a_release_that_is_named_by_a_tag_of_digits_is_looked_up_by_it() {
    let forge = Scripted::by(|request| match request.line().as_str() {
        "GET /api/v1/repos/acme/widget/releases/tags/2024" => {
            Answer::json(200, r#"{"id":2,"tag_name":"2024"}"#)
        }
        line if line.starts_with("GET /api/v1/repos/acme/widget/releases?") => {
            Answer::json(200, r#"[{"id":2,"tag_name":"2024"},{"id":2024,"tag_name":"old"}]"#)
        }
        _ => Answer::empty(204),
    });
    block_on(async {
        let forge = forge.await;
        let address = format!("{}/acme/widget/releases/tag/2024", forge.base());
        for name in ["release_id", "repo"] {
            let outcome =
                call(&forge, tool("delete_release"), json!({ name: address, "confirm": true })).await;
            assert!(outcome.is_ok(), "{outcome:?}");
            let sent = forge.take_requests();
            let last = sent.last().unwrap().line();
            assert_eq!(last, "DELETE /api/v1/repos/acme/widget/releases/2", "{name}");
        }
    });
}

#[test]
fn an_address_of_another_host_is_refused_for_refs_people_and_files_too() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let evil = "https://evil.example/a/b/src/branch/main/x";
        let place = |more: Value| {
            let mut arguments = json!({ "owner": "a", "repo": "b" });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            arguments
        };
        for (name, arguments) in [
            ("create_pull_request", json!({ "title": "T", "head": "x", "base": evil })),
            ("create_pull_request", json!({ "title": "T", "head": evil, "base": "main" })),
            ("get_pull_request_by_branches", json!({ "base": evil, "head": "d" })),
            ("update_issue", json!({ "index": 1, "assignees": [evil] })),
            ("update_issue", json!({ "index": 1, "assignees": evil })),
            ("create_review_requests", json!({ "index": 1, "reviewers": ["bob", evil] })),
            ("list_repo_issues", json!({ "milestones": [evil] })),
            (
                "change_files",
                json!({ "files": [{ "operation": "create", "path": evil, "content": "eA==" }] }),
            ),
        ] {
            let error = call(&forge, tool(name), place(arguments)).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{name}: {error:?}");
            assert_eq!(forge.lines(), Vec::<String>::new(), "{name}");
        }
        // Those of this forge are what they name.
        let (ana, dev) =
            (format!("{}/ana", forge.base()), format!("{}/a/b/src/branch/feature/x", forge.base()));
        let plan = |arguments| {
            json!({ "dry_run": true }).as_object().map(|more| {
                let mut arguments: Value = place(arguments);
                arguments.as_object_mut().unwrap().extend(more.clone());
                arguments
            })
        };
        for (name, arguments, body) in [
            (
                "create_review_requests",
                json!({ "index": 1, "reviewers": ["bob", ana] }),
                json!({ "reviewers": ["bob", "ana"] }),
            ),
            (
                "create_pull_request",
                json!({ "title": "T", "head": dev, "base": "main" }),
                json!({ "title": "T", "head": "feature/x", "base": "main" }),
            ),
        ] {
            let shown = json(call(&forge, tool(name), plan(arguments).unwrap()).await);
            assert_eq!(shown["body"], body, "{name}: {shown}");
        }
    });
}

#[test]
fn a_password_in_an_address_is_refused_and_not_repeated() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let port = forge.port();
        for address in [
            format!("ssh://ana:s3cretpw@127.0.0.1:{port}/acme/widget.git"),
            "ana:s3cretpw@127.0.0.1:acme/widget.git".to_owned(),
            "ana:s3cretpw@h.example/acme/widget".to_owned(),
        ] {
            let error = call(&forge, tool("get_repo"), json!({ "repo": address })).await.unwrap_err();
            assert!(!format!("{error:?}").contains("s3cretpw"), "{error:?}");
            assert_eq!(forge.lines(), Vec::<String>::new());
        }
        let mirror = json!({
            "owner": "a", "repo": "b", "url": "ana:s3cretpw@h.example", "interval": "8h", "dry_run": true,
        });
        let shown = call(&forge, tool("create_push_mirror"), mirror).await;
        assert!(!format!("{shown:?}").contains("s3cretpw"), "{shown:?}");
    });
}

#[test]
fn a_repository_may_be_named_as_it_is_cloned() {
    block_on(async {
        let forge = Scripted::by(|_| Answer::json(200, r#"{"id":1,"full_name":"acme/widget"}"#)).await;
        for repo in ["acme/widget", "acme/widget.git", "git@127.0.0.1:acme/widget.git"] {
            json(call(&forge, tool("get_repo"), json!({ "repo": repo })).await);
            assert_eq!(forge.take_requests()[0].line(), "GET /api/v1/repos/acme/widget", "{repo}");
        }
        json(call(&forge, tool("get_repo"), json!({ "owner": "acme", "repo": "widget.git" })).await);
        assert_eq!(forge.take_requests()[0].line(), "GET /api/v1/repos/acme/widget");
        json(call(&forge, tool("get_issue_by_index"), json!({ "index": "acme/widget.git#4" })).await);
        assert_eq!(forge.take_requests()[0].line(), "GET /api/v1/repos/acme/widget/issues/4");
    });
}

#[test]
fn a_text_is_a_list_only_where_no_item_could_have_its_commas() {
    block_on(async {
        for (name, given, sent) in [
            (
                "create_branch_protection",
                json!({ "rule": "main", "status_check_contexts": "build, lint" }),
                Some(json!({ "rule_name": "main", "status_check_contexts": ["build", "lint"] })),
            ),
            (
                "create_branch_protection",
                json!({ "rule": "main", "status_check_contexts": "build (linux, x64)" }),
                None,
            ),
            (
                "create_branch_protection",
                json!({ "rule": "main", "status_check_contexts": ["build (linux, x64)", "lint"] }),
                Some(json!({ "rule_name": "main", "status_check_contexts": ["build (linux, x64)", "lint"] })),
            ),
            (
                "create_my_oauth2_app",
                json!({ "name": "x", "redirect_uris": "https://a.example/?x=1,2" }),
                None,
            ),
        ] {
            let forge = Scripted::agreeable().await;
            let mut arguments = json!({ "owner": "a", "repo": "b" });
            if name == "create_my_oauth2_app" {
                arguments = json!({});
            }
            arguments.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
            let outcome = call(&forge, tool(name), arguments).await;
            let requests = forge.requests();
            match sent {
                Some(body) => {
                    let own = requests.last().unwrap();
                    assert_eq!(serde_json::from_str::<Value>(own.text()).unwrap(), body, "{given}");
                }
                None => {
                    let error = outcome.unwrap_err();
                    assert!(error.message.contains("expected a JSON list, since a comma"), "{error}");
                    assert_eq!(requests.len(), 0);
                }
            }
        }
    });
}

#[test]
fn a_list_is_counted_from_its_end_or_from_a_page_and_not_from_both() {
    block_on(async {
        for place in [json!({ "page": 1 }), json!({ "limit": 5 })] {
            let forge = Scripted::agreeable().await;
            let mut given = json!({ "repo": "acme/widget", "index": 1, "last": 3 });
            given.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
            let error = call(&forge, tool("list_issue_comments"), given).await.unwrap_err();
            assert!(error.message.contains("expected one of `last`"), "{error}");
            assert_eq!(forge.lines(), Vec::<String>::new());
        }
    });
}

#[test]
fn a_key_whose_name_is_digits_alone_is_found_by_it() {
    block_on(async {
        let keys = || {
            let rows =
                json!([{ "id": 8, "key_id": "0123456789012345" }, { "id": 9, "key_id": "3262EFF25BA0D270" }]);
            Answer::json(200, &rows.to_string())
        };
        for (given, id) in
            [(json!("0123456789012345"), 8), (json!("3262EFF25BA0D270"), 9), (json!("9"), 9), (json!(77), 77)]
        {
            let forge = Scripted::by(move |request| match request.target.contains("/gpg_keys?") {
                true => keys(),
                false => Answer::json(200, r#"{"id":1}"#),
            })
            .await;
            json(call(&forge, tool("get_my_gpg_key"), json!({ "id": given })).await);
            assert_eq!(*forge.lines().last().unwrap(), format!("GET /api/v1/user/gpg_keys/{id}"), "{given}");
        }
    });
}
