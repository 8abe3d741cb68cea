//! Names against what a real Forgejo was recorded to list: they lead to what they name, drafts of releases among them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use forgehand::demo::{DemoForge, Options, TOKEN_PREFIX};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, OperationError, Outcome, arguments, run};
use forgehand_client::BaseUrl;
use serde_json::{Value, json};

async fn call(name: &str, arguments: Value) -> Result<Outcome, OperationError> {
    let demo = DemoForge::start(Options::default()).await.unwrap();
    let token = Token::new(&format!("{TOKEN_PREFIX}bob"));
    let forge = Forge::new(BaseUrl::parse(&demo.base_url()).unwrap(), token);
    let tool = OPERATIONS.iter().find(|operation| operation.name == name).unwrap();
    run(&forge, tool, arguments::object(Some(arguments)).unwrap(), &Limits::default()).await
}

#[tokio::test]
async fn a_name_leads_to_what_it_names() {
    for (tool, arguments, field, expected) in [
        ("get_team", json!({ "team_id": "acme/developers" }), "id", json!(5)),
        (
            "get_repo_hook",
            json!({ "repo": "acme/widget", "id": "https://hooks.example.org/main" }),
            "id",
            json!(5),
        ),
        ("get_release_by_id", json!({ "repo": "acme/widget", "release_id": "v3.0.0" }), "id", json!(100)),
        (
            "get_release_attachment",
            json!({ "repo": "acme/widget", "release_id": "v1.0.0", "attachment_id": "widget-1.0.0.tar.gz" }),
            "id",
            json!(6),
        ),
        ("get_deploy_key", json!({ "repo": "acme/widget", "id": "ci deploy key" }), "id", json!(1)),
        ("get_repo_label", json!({ "repo": "acme/widget", "id": "bug" }), "name", json!("bug")),
    ] {
        match call(tool, arguments).await {
            Ok(Outcome::Json(answer)) => assert_eq!(answer[field], expected, "{tool}: {answer}"),
            other => panic!("{tool}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_name_that_is_not_listed_is_told_with_what_is_near() {
    for (tool, arguments, near) in [
        ("get_team", json!({ "team_id": "acme/developer" }), "developers"),
        ("get_release_by_id", json!({ "repo": "acme/widget", "release_id": "v3.0" }), "v3.0.0"),
        ("get_deploy_key", json!({ "repo": "acme/widget", "id": "deploy key" }), "ci deploy key"),
    ] {
        let error = call(tool, arguments).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments, "{error}");
        assert!(error.near.iter().any(|name| name == near), "{error:?}");
    }
}

#[tokio::test]
async fn a_search_for_a_label_that_there_is_was_filtered() {
    let arguments = json!({ "labels": ["bug"], "limit": 1 });
    match call("search_issues", arguments).await {
        Ok(Outcome::Json(answer)) => assert_eq!(answer["items"].as_array().unwrap().len(), 1, "{answer}"),
        other => panic!("{other:?}"),
    }
}
