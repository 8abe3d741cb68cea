//! Links and completions under the rules that hold for tools: named repositories, chosen tools, reading alone.

use serde_json::{Value, json};

use super::Client;

/// A client of the recorded forge, which has read its recordings by now: no completion waits for that.
fn warm(options: &[&str]) -> Client {
    let mut client = Client::start("2025-11-25", options, &[]);
    links(&mut client, "list_repo_issues", json!({ "repo": "acme/widget", "limit": 2 }));
    client
}

/// The values that are offered for a variable of a template of the recorded forge.
fn offered(client: &mut Client, uri: &str, (name, typed): (&str, &str), known: Value) -> Value {
    let params = json!({
        "ref": { "type": "ref/resource", "uri": uri },
        "argument": { "name": name, "value": typed },
        "context": { "arguments": known },
    });
    client.ask("completion/complete", params)["result"]["completion"].clone()
}

/// How many links the rows of a tool's answer have.
fn links(client: &mut Client, tool: &str, arguments: Value) -> usize {
    let answer = client.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
    let blocks = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert!(answer["result"]["structuredContent"]["items"][0].is_object(), "{answer}");
    blocks.iter().filter(|block| block["type"] == "resource_link").count()
}

const REPO: &str = "forgejo://repo/{owner}/{repo}";
const FILE: &str = "forgejo://repo/{owner}/{repo}/file/{ref}/{+path}";

#[test]
fn named_repositories_are_all_that_is_offered_and_asked() {
    let options = ["--demo", "--resource-links", "--repositories", "acme/widget,acme/pipeline,bob/*"];
    let mut client = warm(&options);
    for (typed, known, values) in [
        (("owner", ""), json!({}), json!(["acme", "bob"])),
        (("owner", "B"), json!({}), json!(["bob"])),
        (("repo", ""), json!({ "owner": "acme" }), json!(["widget", "pipeline"])),
        (("repo", "w"), json!({ "owner": "Acme" }), json!(["widget"])),
        (("repo", ""), json!({ "owner": "bob" }), json!([])),
    ] {
        assert_eq!(offered(&mut client, REPO, typed, known)["values"], values, "{typed:?}");
    }
    let of = |repo: &str| json!({ "owner": "acme", "repo": repo });
    assert_eq!(offered(&mut client, FILE, ("ref", "mai"), of("widget"))["values"], json!(["main"]));
    assert_eq!(offered(&mut client, FILE, ("ref", "mai"), of("secret"))["values"], json!([]));
    assert_eq!(links(&mut client, "list_repo_issues", json!({ "repo": "acme/widget", "limit": 2 })), 2);
}

#[test]
fn what_hidden_tools_list_is_not_offered_and_leads_nowhere() {
    let options = ["--demo", "--resource-links", "--toolsets", "issues"];
    let mut client = warm(&options);
    let issues = "forgejo://repo/{owner}/{repo}/issues{?state,labels,page,limit}";
    let known = || json!({ "owner": "acme", "repo": "widget" });
    // Labels are of another toolset.
    assert_eq!(offered(&mut client, issues, ("labels", "b"), known())["values"], json!([]));
    assert_eq!(offered(&mut client, issues, ("state", "c"), known())["values"], json!(["closed"]));
    let comments = json!({ "repo": "acme/widget", "index": 2, "limit": 3 });
    assert_eq!(links(&mut client, "list_issue_comments", comments.clone()), 3);
    let hidden = ["--demo", "--resource-links", "--exclude-tools", "get_issue_comment,list_branches"];
    let mut client = warm(&hidden);
    assert_eq!(links(&mut client, "list_issue_comments", comments), 0);
    assert_eq!(offered(&mut client, FILE, ("ref", "mai"), known())["values"], json!([]));
    assert_eq!(offered(&mut client, FILE, ("ref", "v1.1"), known())["values"], json!(["v1.1.0"]));
}

#[test]
fn reading_alone_changes_nothing_of_links_and_completions() {
    let options = ["--demo", "--resource-links", "--read-only"];
    let mut client = warm(&options);
    let known = json!({ "owner": "acme", "repo": "widget" });
    assert_eq!(offered(&mut client, FILE, ("ref", "mai"), known)["values"], json!(["main"]));
    assert_eq!(
        links(&mut client, "list_issue_comments", json!({ "repo": "acme/widget", "index": 2, "limit": 3 })),
        3
    );
}
