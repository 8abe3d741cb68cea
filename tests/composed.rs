//! Operations that take several calls: what they send, in which order, what they tell, and what they never send.
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

fn in_widget(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

fn rows(rows: &Value, total: usize) -> Answer {
    Answer::json(200, &rows.to_string()).header("X-Total-Count", &total.to_string())
}

fn removal(id: u64) -> String {
    format!("DELETE /api/v1/repos/acme/widget/issues/5/labels/{id}")
}

const LEFT: &str = "GET /api/v1/repos/acme/widget/issues/5/labels";

#[test]
fn labels_are_taken_off_one_by_one_and_the_others_come_back() {
    block_on(async {
        let left = json!([{ "id": 9, "name": "wontfix", "color": "fff" }]);
        let forge = Scripted::new([
            rows(&json!([{ "id": 3, "name": "bug" }]), 1),
            Answer::json(404, "{}"),
            Answer::empty(204),
            Answer::empty(204),
            Answer::json(200, &left.to_string()),
        ])
        .await;
        let arguments = in_widget(json!({ "index": 5, "labels": ["bug", 4, 4] }));
        let answer = json(call(&forge, tool("remove_issue_labels"), arguments).await);
        assert_eq!(answer["items"][0]["name"], "wontfix");
        assert_eq!(forge.lines()[2..], [removal(3), removal(4), LEFT.to_owned()]);
    });
}

#[test]
fn a_failure_half_way_tells_what_was_taken_off_and_what_not() {
    block_on(async {
        let forge = Scripted::new([
            Answer::empty(204),
            Answer::json(422, r#"{"message":"label does not exist [label_id: 4]"}"#),
            Answer::json(200, r#"[{"id":9,"name":"wontfix"}]"#),
        ])
        .await;
        let arguments = in_widget(json!({ "index": 5, "labels": [3, 4, 9] }));
        let error = call(&forge, tool("remove_issue_labels"), arguments).await.unwrap_err();
        assert_eq!(error.code, Code::Validation);
        assert_eq!(
            error.message,
            "label does not exist [label_id: 4]; taken off: 3; failed: 4; not tried: 9; the issue has now: wontfix (9)"
        );
        assert_eq!(forge.lines(), [removal(3), removal(4), LEFT.to_owned()]);
    });
}

#[test]
fn labels_that_still_stand_are_told_as_not_taken_off() {
    block_on(async {
        let left = rows(&json!([{ "id": 3, "name": "bug" }, { "id": 9, "name": "wontfix" }]), 2);
        let forge = Scripted::new([Answer::empty(204), Answer::empty(204), left]).await;
        let arguments = in_widget(json!({ "index": 5, "labels": [3, 4] }));
        let answer = json(call(&forge, tool("remove_issue_labels"), arguments).await);
        assert_eq!(answer["not_applied"], json!({ "labels": ["bug"] }));
        assert_eq!(answer["note"], "the forge answered success but did not apply labels: it gave no reason");
    });
}

#[test]
fn a_web_page_in_answer_to_the_removal_of_a_label_leaves_it_open_and_the_others_are_not_tried() {
    block_on(async {
        let page = "<!DOCTYPE html><html><body>Sign in</body></html>";
        let left = rows(&json!([{ "id": 3, "name": "bug" }]), 1);
        for media_type in ["text/html", "application/json"] {
            let forge = Scripted::new([Answer::new(200, media_type, page), left.clone()]).await;
            let arguments = in_widget(json!({ "index": 5, "labels": [3, 4] }));
            let error = call(&forge, tool("remove_issue_labels"), arguments).await.unwrap_err();
            assert_eq!(error.code, Code::OutcomeUnknown, "{error:?}");
            let told = "; none before it; not known: 3; not tried: 4; the issue has now: bug (3)";
            assert!(error.message.ends_with(told), "{error}");
            assert_eq!(forge.lines(), [removal(3), LEFT.to_owned()]);
        }
    });
}

#[test]
fn a_dry_run_lists_every_request_and_sends_none() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let arguments = in_widget(json!({ "index": 5, "labels": [3, 4], "dry_run": true }));
        let plan = json(call(&forge, tool("remove_issue_labels"), arguments).await);
        let paths: Vec<&Value> = plan["requests"].as_array().unwrap().iter().map(|r| &r["path"]).collect();
        assert_eq!(paths, ["/repos/acme/widget/issues/5/labels/3", "/repos/acme/widget/issues/5/labels/4"]);
        assert_eq!((&plan["dry_run"], forge.lines().len()), (&json!(true), 0));
        let error =
            call(&forge, tool("remove_issue_labels"), in_widget(json!({ "index": 5, "labels": [] }))).await;
        assert_eq!((error.unwrap_err().code, forge.lines().len()), (Code::InvalidArguments, 0));
    });
}

#[test]
fn the_version_of_this_server_asks_the_forge_nothing() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let answer = json(call(&forge, tool("get_forgejo_mcp_server_version"), json!({})).await);
        assert_eq!(answer["name"], "forgehand");
        assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
        assert!(answer["forgejo"].as_str().unwrap().contains('.') && answer["contract_version"].is_u64());
        assert_eq!(forge.lines().len(), 0);
    });
}

#[test]
fn a_label_whose_issues_were_not_all_looked_at_is_not_deleted() {
    block_on(async {
        // Fifty issues that carry another label of that name, whatever page is asked for, and a total of more.
        let same: Vec<Value> =
            (1..=50).map(|id| json!({ "id": id, "labels": [{ "id": 4, "name": "old one" }] })).collect();
        let forge = Scripted::by(move |request| match request.target.contains("/issues") {
            true => rows(&json!(same), 100),
            false => Answer::json(200, r#"{"id":20,"name":"old one"}"#),
        })
        .await;
        let given = in_widget(json!({ "id": 20, "confirm": true }));
        let error = call(&forge, tool("delete_repo_label"), given).await.unwrap_err();
        assert!(forge.lines().iter().all(|line| line.starts_with("GET ")), "{error}: {:?}", forge.lines());
    });
}

#[test]
fn a_label_that_issues_carry_is_deleted_only_by_force() {
    block_on(async {
        let label = || Answer::json(200, r#"{"id":20,"name":"old one"}"#);
        let carried = json!([{ "id": 1, "labels": [{ "id": 20, "name": "old one" }] }, { "id": 2, "labels": [{ "id": 20, "name": "old one" }] }]);
        let only_named_so = json!([{ "id": 1, "labels": [{ "id": 4, "name": "old one" }] }]);
        let arguments = in_widget(json!({ "id": 20, "confirm": true }));

        let forge = Scripted::new([label(), rows(&carried, 7)]).await;
        let error = call(&forge, tool("delete_repo_label"), arguments.clone()).await.unwrap_err();
        assert_eq!(error.code, Code::Conflict);
        assert!(
            error.message.starts_with("7 issues and pull requests carry the label \"old one\""),
            "{error}"
        );
        let listing = "GET /api/v1/repos/acme/widget/issues?labels=old%20one&limit=50&page=1&state=all";
        assert_eq!(forge.lines(), ["GET /api/v1/repos/acme/widget/labels/20", listing]);

        // An organization's label of that name is another one.
        let forge = Scripted::new([label(), rows(&only_named_so, 1), Answer::empty(204)]).await;
        let done = json(call(&forge, tool("delete_repo_label"), arguments.clone()).await);
        assert_eq!(done, json!({ "done": true, "status": 204 }));
        assert_eq!(forge.lines()[2], "DELETE /api/v1/repos/acme/widget/labels/20");

        let forge = Scripted::new([Answer::empty(204)]).await;
        let mut forced = arguments;
        forced["delete_mode"] = "force".into();
        let done = json(call(&forge, tool("delete_repo_label"), forced.clone()).await);
        let open = "the forge answers the same for an id that no label has";
        assert_eq!(done, json!({ "done": true, "status": 204, "note": open }));
        assert_eq!(forge.lines(), ["DELETE /api/v1/repos/acme/widget/labels/20"]);

        let forge = Scripted::agreeable().await;
        forced["confirm"] = false.into();
        let error = call(&forge, tool("delete_repo_label"), forced).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::ConfirmationRequired, 0));
    });
}

#[test]
fn an_organizations_label_is_looked_for_in_all_its_repositories() {
    block_on(async {
        let label = Answer::json(200, r#"{"id":4,"name":"urgent"}"#);
        let forge = Scripted::new([label, rows(&json!([]), 0)]).await;
        let arguments = json!({ "org": "acme", "id": 4, "dry_run": true });
        let plan = json(call(&forge, tool("delete_org_label"), arguments).await);
        assert_eq!((&plan["method"], &plan["path"]), (&json!("DELETE"), &json!("/orgs/acme/labels/4")));
        let lines = forge.lines();
        assert_eq!(lines[0], "GET /api/v1/orgs/acme/labels/4");
        assert!(lines[1].starts_with("GET /api/v1/repos/issues/search?"), "{lines:?}");
        assert!(lines[1].contains("labels=urgent") && lines[1].contains("owner=acme"), "{lines:?}");
        assert_eq!(lines.len(), 2);
    });
}

fn label_rows(ids: std::ops::Range<usize>) -> Value {
    ids.map(|id| json!({ "id": id, "name": format!("l{id}"), "color": "ffffff" })).collect()
}

#[test]
fn pages_over_both_lists_of_labels_show_each_once() {
    block_on(async {
        let mut seen = Vec::new();
        let mut arguments = in_widget(json!({ "include_org_labels": true, "limit": 2 }));
        loop {
            let forge = Scripted::new([rows(&label_rows(0..3), 3), rows(&label_rows(10..12), 2)]).await;
            let answer = json(call(&forge, tool("list_repo_labels"), arguments.clone()).await);
            let [own, org] = ["repos/acme/widget", "orgs/acme"]
                .map(|place| format!("GET /api/v1/{place}/labels?limit=50&page=1"));
            assert_eq!(forge.lines(), [own, org]);
            assert_eq!(answer["total"], 5);
            for row in answer["items"].as_array().unwrap() {
                seen.push((row["id"].as_u64().unwrap(), row.get("org").cloned()));
            }
            let Some(next) = answer["next"].as_object() else { break };
            arguments.as_object_mut().unwrap().extend(next.clone());
        }
        let org = Some(json!("acme"));
        assert_eq!(seen, [(0, None), (1, None), (2, None), (10, org.clone()), (11, org)]);
    });
}

#[test]
fn a_server_that_passes_over_the_page_is_asked_twice_and_no_label_is_shown_twice() {
    block_on(async {
        let all = || Answer::json(200, &label_rows(0..3).to_string());
        let forge = Scripted::new([all(), all(), Answer::json(404, "{}")]).await;
        let arguments = in_widget(json!({ "include_org_labels": true, "fields": ["color"] }));
        let answer = json(call(&forge, tool("list_repo_labels"), arguments).await);
        assert_eq!((&answer["total"], answer["items"].as_array().unwrap().len()), (&json!(3), 3));
        assert_eq!(forge.lines().len(), 3);
        let odd = Scripted::new([Answer::json(200, r#"{"id":1}"#)]).await;
        let arguments = in_widget(json!({ "include_org_labels": true }));
        let error = call(&odd, tool("list_repo_labels"), arguments).await.unwrap_err();
        let said = "the forge's answer is not in the form that its document tells (invalid type: map";
        assert!(error.message.starts_with(said), "{error}");
        assert_eq!(error.call.as_deref(), Some("GET /repos/acme/widget/labels"));
    });
}

#[test]
fn without_the_organization_one_page_is_asked_for_and_shown_as_it_is() {
    block_on(async {
        let forge = Scripted::new([rows(&label_rows(0..2), 5)]).await;
        let arguments = in_widget(json!({ "page": 2, "limit": 2 }));
        let answer = json(call(&forge, tool("list_repo_labels"), arguments).await);
        assert_eq!(forge.request().line(), "GET /api/v1/repos/acme/widget/labels?limit=2&page=2");
        assert_eq!((&answer["total"], &answer["next"]), (&json!(5), &json!({ "page": 3 })));
        assert_eq!(answer["items"][0].get("org"), None);

        let forge = Scripted::new([rows(&label_rows(0..2), 2), Answer::json(403, "{}")]).await;
        let arguments = in_widget(json!({ "include_org_labels": true }));
        let answer = json(call(&forge, tool("list_repo_labels"), arguments).await);
        assert!(answer["note"].as_str().unwrap().contains("may not be read"), "{answer}");
    });
}

#[test]
fn labels_that_are_too_many_to_be_read_are_never_told_as_all() {
    block_on(async {
        for total in [Some(1_000_000), None] {
            let forge = Scripted::by(move |request| {
                let page: usize = request.target.rsplit('=').next().unwrap().parse().unwrap();
                let labels = label_rows(page * 50..page * 50 + 50);
                match (request.target.contains("/orgs/"), total) {
                    (true, _) => Answer::json(404, "{}"),
                    (_, Some(total)) => rows(&labels, total),
                    (_, None) => Answer::json(200, &labels.to_string()),
                }
            })
            .await;
            let arguments = in_widget(json!({ "include_org_labels": true, "max_bytes": 400 }));
            let answer = json(call(&forge, tool("list_repo_labels"), arguments).await);
            assert_eq!(answer.get("total"), None, "{answer}");
            assert_eq!(answer["note"], "only 10000 labels were read; there may be more");
            assert!(answer["next"].is_object() && answer.to_string().len() <= 400, "{answer}");
        }
    });
}
