//! `fields`: what an answer shows is the caller's choice, and what it cannot show is an error before anything is sent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::descriptor::{self, Definition, Inside, Shape};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError};
use serde_json::{Value, json};

const ISSUE: &str = r#"{"id":9,"number":1,"title":"A","body":"","closed_at":null,"due_date":"0001-01-01T00:00:00Z",
    "user":{"login":"ana","email":"ana@forge.example","id":4},"labels":[{"id":1,"name":"bug","color":"f00"},
    {"id":2,"name":"ui","color":"00f"}],"repository":{"full_name":"acme/widget","owner":"acme"},"new_field":7}"#;

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|o| o.name == name).unwrap()
}

async fn issue(fields: Value) -> Value {
    let forge = Scripted::new([Answer::json(200, ISSUE)]).await;
    let arguments = json!({"repo": "acme/widget", "index": 1, "fields": fields});
    json(call(&forge, tool("get_issue_by_index"), arguments).await)
}

#[test]
fn an_item_shows_the_fields_that_were_asked_for_in_their_order() {
    block_on(async {
        for (fields, shown) in [
            (json!(["title", "number"]), r#"{"title":"A","number":1}"#),
            (json!("title,number"), r#"{"title":"A","number":1}"#),
            (json!(["user.email", "user.login"]), r#"{"user":{"email":"ana@forge.example","login":"ana"}}"#),
            (json!(["labels.name"]), r#"{"labels":[{"name":"bug"},{"name":"ui"}]}"#),
            // What was asked for is shown, whether it says something or not.
            (json!(["body", "closed_at", "due_date"]), r#"{"body":"","closed_at":null,"due_date":null}"#),
            (
                json!(["repository", "repository.owner"]),
                r#"{"repository":{"full_name":"acme/widget","owner":"acme"}}"#,
            ),
            (
                json!(["repository.owner", "repository"]),
                r#"{"repository":{"full_name":"acme/widget","owner":"acme"}}"#,
            ),
            (json!(["title", "title"]), r#"{"title":"A"}"#),
            // A field that this answer does not have.
            (json!(["pin_order", "title"]), r#"{"title":"A"}"#),
        ] {
            assert_eq!(issue(fields.clone()).await.to_string(), shown, "{fields}");
        }
    });
}

#[test]
fn a_star_is_all_that_the_forge_answers() {
    block_on(async {
        let whole: Value = serde_json::from_str(ISSUE).unwrap();
        assert_eq!(issue(json!(["*"])).await, whole);
        assert_eq!(issue(json!(["title", "*"])).await, whole);
    });
}

#[test]
fn the_rows_of_a_list_show_them_and_its_pages_stay_the_same() {
    block_on(async {
        let list = Answer::json(200, &format!("[{ISSUE}]")).header("x-total-count", "2");
        let forge = Scripted::new([list]).await;
        let arguments = json!({"repo": "acme/widget", "limit": 1, "fields": ["number", "user.id"]});
        let answer = json(call(&forge, tool("list_repo_issues"), arguments).await);
        let expected = json!({"items": [{"number": 1, "user": {"id": 4}}], "next": {"page": 2}, "total": 2});
        assert_eq!(answer, expected);
        assert_eq!(forge.lines(), ["GET /api/v1/repos/acme/widget/issues?limit=1&page=1"]);
    });
}

#[test]
fn a_secret_stays_masked_whatever_is_asked_for() {
    block_on(async {
        let hook = r#"[{"id":3,"authorization_header":"Bearer s3cr3t","config":{"secret":"s3cr3t","url":"https://ci.example"}}]"#;
        for fields in [json!(["*"]), json!(["id", "authorization_header"]), json!(["config"])] {
            let forge = Scripted::new([Answer::json(200, hook)]).await;
            let arguments = json!({"repo": "acme/widget", "fields": fields});
            let answer = json(call(&forge, tool("list_repo_hooks"), arguments).await).to_string();
            assert!(answer.contains("***") && !answer.contains("s3cr3t"), "{answer}");
        }
    });
}

#[track_caller]
fn refused(name: &str, arguments: Value) -> OperationError {
    block_on(async {
        let forge = Scripted::new([]).await;
        let error = call(&forge, tool(name), arguments).await.unwrap_err();
        assert_eq!((error.code, forge.lines().len()), (Code::InvalidArguments, 0), "{error}");
        assert!(error.message.starts_with("argument `fields"), "{error}");
        error
    })
}

#[test]
fn an_unknown_field_is_an_error_with_near_names_and_the_list_and_nothing_is_sent() {
    for (field, near, listed) in [
        ("titel", Some("title"), "title"),
        ("user.logn", Some("user.login"), "login"),
        ("labels.nam", Some("labels.name"), "color"),
        ("title.length", None, "title"),
        ("", None, "title"),
        (".title", None, "title"),
        ("user.", None, "login"),
        ("user..login", None, "login"),
        ("Title", Some("title"), "title"),
        ("useer.login", Some("user"), "title"),
    ] {
        let error =
            refused("get_issue_by_index", json!({"repo": "acme/widget", "index": 1, "fields": [field]}));
        assert!(error.message.contains(&format!("{field:?}")), "{error}");
        if let Some(near) = near {
            assert_eq!(error.near.first().map(String::as_str), Some(near), "{error}");
        }
        assert!(error.hint.as_deref().is_some_and(|hint| hint.contains(listed)), "{error:?}");
    }
    for fields in [json!(["*", "titel"]), json!(["titel", "*"])] {
        let error =
            refused("get_issue_by_index", json!({"repo": "acme/widget", "index": 1, "fields": fields}));
        assert_eq!(error.near[0], "title", "{error}");
    }
    let long = "x".repeat(5000);
    let error = refused("get_issue_by_index", json!({"repo": "acme/widget", "index": 1, "fields": [long]}));
    assert!(error.message.len() < 300, "{error}");
    refused("get_issue_by_index", json!({"repo": "acme/widget", "index": 1, "fields": []}));
    refused("get_issue_by_index", json!({"repo": "acme/widget", "index": 1, "fields": [1]}));
    refused("get_pull_request_diff", json!({"repo": "acme/widget", "index": 1, "fields": ["title"]}));
    refused("check_org_membership", json!({"org": "acme", "username": "ana", "fields": ["*"]}));
}

/// The paths of a view that lead to a field which is shown.
fn paths(shape: &Shape, at: &str, found: &mut Vec<String>) {
    match shape {
        Shape::Fields(fields) => fields.iter().for_each(|shown| {
            let dot = if at.is_empty() { "" } else { "." };
            paths(shown.shape, &format!("{at}{dot}{}", shown.name), found);
        }),
        Shape::Inline(name, inner) => paths(inner, &format!("{at}.{name}"), found),
        Shape::Whole | Shape::Decoded(_) | Shape::Moment => found.push(at.to_owned()),
    }
}

fn has(definition: &Definition, path: &str) -> bool {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let found = definition.fields.iter().find(|(known, _)| *known == name).map(|(_, inside)| inside);
    match (found, rest) {
        (Some(Inside::Object(inner)), Some(rest)) => has(inner, rest),
        (Some(Inside::Anything), _) | (Some(_), None) => true,
        _ => false,
    }
}

#[test]
fn what_any_view_shows_can_be_asked_for() {
    let mut checked = 0;
    for operation in OPERATIONS {
        let shape = match &operation.answer {
            descriptor::Answer::Item(shape) | descriptor::Answer::Moved { shape, .. } => shape,
            descriptor::Answer::List(list) => list.row,
            _ => continue,
        };
        let mut shown = Vec::new();
        paths(shape, "", &mut shown);
        for path in shown.iter().filter(|path| !path.is_empty()) {
            let definition = operation.definition.unwrap_or_else(|| panic!("{}", operation.name));
            assert!(has(definition, path), "{}: {path}", operation.name);
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn the_fields_of_every_definition_are_sorted_as_the_search_wants_them() {
    for definition in OPERATIONS.iter().filter_map(|operation| operation.definition) {
        assert!(definition.fields.is_sorted_by_key(|(name, _)| *name), "{}", definition.name);
    }
}
