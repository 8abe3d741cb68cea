//! Every tool, by each of its operations, is called against the recorded forge, and sends what was recorded.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers are tests too"
)]

#[path = "../support/replayed.rs"]
mod replayed;
#[path = "../support/sent.rs"]
mod sent;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use forgehand::demo::{DemoForge, Exchange, Options, Recordings, TOKEN_PREFIX};
use forgehand::forge::{Forge, Token};
use forgehand::operations::descriptor::{ApiCall, Run};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Limits, Operation, run};
use forgehand_client::BaseUrl;
use serde_json::{Map, Value, json};

/// A call of which no recorded request has the very form, because the tool always sends something that was recorded in
/// another way or not at all.
struct Own {
    tool: &'static str,
    operation: &'static str,
    identity: &'static str,
    arguments: &'static str,
    request: &'static str,
    body: &'static str,
}

const OWN: &[Own] = &[
    // A page is read before it is changed; the pages that the recordings change were not read there.
    Own {
        tool: "update_wiki_page",
        operation: "repoEditWikiPage",
        identity: "bob",
        arguments: r##"{"owner": "acme", "repo": "widget", "page_name": "Home", "title": "Home", "content": "# Again", "message": "edit"}"##,
        request: "PATCH /api/v1/repos/acme/widget/wiki/page/Home",
        body: r#"{"title": "Home", "content_base64": "IyBBZ2Fpbg==", "message": "edit"}"#,
    },
    // So is a label, and the labels that the recordings change were not read either.
    Own {
        tool: "edit_repo_label",
        operation: "issueEditLabel",
        identity: "bob",
        arguments: r#"{"owner": "acme", "repo": "widget", "id": 6, "name": "bug"}"#,
        request: "PATCH /api/v1/repos/acme/widget/labels/6",
        body: r#"{"name": "bug", "is_archived": false}"#,
    },
    Own {
        tool: "edit_org_label",
        operation: "orgEditLabel",
        identity: "bob",
        arguments: r#"{"org": "acme", "id": 1, "name": "urgent"}"#,
        request: "PATCH /api/v1/orgs/acme/labels/1",
        body: r#"{"name": "urgent", "is_archived": false}"#,
    },
    // The forge ignores `read_only` here; the recordings have it.
    Own {
        tool: "create_my_ssh_key",
        operation: "userCurrentPostKey",
        identity: "bob",
        arguments: r#"{"title": "laptop", "key": "ssh-ed25519 AAAA"}"#,
        request: "POST /api/v1/user/keys",
        body: r#"{"title": "laptop", "key": "ssh-ed25519 AAAA"}"#,
    },
    Own {
        tool: "create_user_key",
        operation: "adminCreatePublicKey",
        identity: "admin",
        arguments: r#"{"user": "carol", "title": "laptop", "key": "ssh-ed25519 AAAA"}"#,
        request: "POST /api/v1/admin/users/carol/keys",
        body: r#"{"title": "laptop", "key": "ssh-ed25519 AAAA"}"#,
    },
    // The forge wants some `sha` and does not use it; the recordings have others.
    Own {
        tool: "apply_patch",
        operation: "repoApplyDiffPatch",
        identity: "bob",
        arguments: r#"{"owner": "acme", "repo": "playground", "patch": "diff --git a/x b/x\n", "message": "m"}"#,
        request: "POST /api/v1/repos/acme/playground/diffpatch",
        body: r#"{"content": "diff --git a/x b/x\n", "message": "m", "sha": "HEAD"}"#,
    },
    // Without units the forge answers 500, so that there are defaults.
    Own {
        tool: "create_org_team",
        operation: "orgCreateTeam",
        identity: "bob",
        arguments: r#"{"org": "acme", "name": "team-a", "permission": "admin", "units": ["repo.code"]}"#,
        request: "POST /api/v1/orgs/acme/teams",
        body: r#"{"name": "team-a", "permission": "admin", "units": ["repo.code"]}"#,
    },
    // The second page is always empty, so that the largest first one is asked for.
    Own {
        tool: "list_issue_dependents",
        operation: "issueListBlocks",
        identity: "bob",
        arguments: r#"{"owner": "acme", "repo": "widget", "index": 4}"#,
        request: "GET /api/v1/repos/acme/widget/issues/4/blocks?limit=50",
        body: "",
    },
    // What a PATCH would blank is read first and sent with it. The hooks that were changed were not read.
    Own {
        tool: "edit_repo_hook",
        operation: "repoEditHook",
        identity: "bob",
        arguments: r#"{"owner": "acme", "repo": "widget", "id": 5, "active": true}"#,
        request: "PATCH /api/v1/repos/acme/widget/hooks/5",
        body: r#"{"active": true, "branch_filter": "*", "authorization_header": "Bearer hook-auth-1", "events":
            ["push", "issues_only", "issue_assign", "issue_label", "issue_milestone", "issue_comment",
            "pull_request_only", "pull_request_assign", "pull_request_label", "pull_request_milestone",
            "pull_request_comment", "pull_request_review", "pull_request_sync", "pull_request_review_request"]}"#,
    },
    Own {
        tool: "edit_org_hook",
        operation: "orgEditHook",
        identity: "bob",
        arguments: r#"{"org": "acme", "id": 3, "events": ["push"], "url": "https://hooks.example.org/new"}"#,
        request: "PATCH /api/v1/orgs/acme/hooks/3",
        body: r#"{"config": {"url": "https://hooks.example.org/new"}, "events": ["push"], "branch_filter":
            "{main,release/*}", "authorization_header": ""}"#,
    },
    Own {
        tool: "edit_my_hook",
        operation: "userEditHook",
        identity: "bob",
        arguments: r#"{"id": 1, "branch_filter": "", "authorization_header": ""}"#,
        request: "PATCH /api/v1/user/hooks/1",
        body: r#"{"branch_filter": "", "authorization_header": "", "events": ["push", "issues_only", "issue_assign",
            "issue_label", "issue_milestone", "issue_comment"]}"#,
    },
    Own {
        tool: "edit_site_hook",
        operation: "adminEditHook",
        identity: "admin",
        arguments: r#"{"id": 10, "active": false}"#,
        request: "PATCH /api/v1/admin/hooks/10",
        body: r#"{"active": false, "branch_filter": "", "authorization_header": "", "events": ["issues_only",
            "issue_assign", "issue_label", "issue_milestone", "issue_comment"]}"#,
    },
];

/// A recorded forge, and how a tool is called against it.
struct Bench {
    demo: DemoForge,
    recordings: Arc<Recordings>,
}

/// A call that sent what was recorded.
struct Match<'a> {
    exchange: &'a Exchange,
    arguments: Map<String, Value>,
    outcome: String,
}

impl Bench {
    async fn new() -> Self {
        let demo = DemoForge::start(Options { remember: true, ..Options::default() }).await.unwrap();
        let recordings = demo.recordings().await.unwrap();
        Self { demo, recordings }
    }

    fn forge(&self, identity: &str) -> Forge {
        let token = (identity != "anonymous").then(|| format!("{TOKEN_PREFIX}{identity}"));
        Forge::new(BaseUrl::parse(&self.demo.base_url()).unwrap(), token.and_then(|token| Token::new(&token)))
            .direct()
            // What each tool sends is what it sends itself.
            .any_version(true)
    }

    /// The recordings of an operation that a token asked for: successes first, what says most first.
    fn candidates(&self, operation: &str) -> Vec<&Exchange> {
        let mut found: Vec<&Exchange> = self
            .recordings
            .exchanges()
            .iter()
            .filter(|exchange| exchange.operation == operation && !exchange.identity.ends_with("/basic"))
            .collect();
        let size = |exchange: &Exchange| exchange.request.bytes().map_or(0, |bytes| bytes.len());
        found.sort_by_key(|exchange| {
            (!(200..400).contains(&exchange.status), std::cmp::Reverse(size(exchange)))
        });
        found
    }

    /// Calls a tool until it sends one of the recorded requests of an operation, byte for byte but for the query's order.
    async fn sends<'a>(&'a self, tool: &'static Operation, operation: &str) -> Result<Match<'a>, String> {
        let mut last = "nothing of it can be said by arguments".to_owned();
        for exchange in self.candidates(operation) {
            let Ok(asked) = replayed::arguments(tool, exchange) else { continue };
            let arguments = asked.arguments;
            let (outcome, seen) = self.call(tool, &exchange.identity, arguments.clone()).await;
            let differences: Vec<String> =
                seen.iter().filter_map(|request| sent::differs(request, exchange)).collect();
            if differences.len() < seen.len() {
                return Ok(Match { exchange, arguments, outcome });
            }
            last = format!("{} with {}: {outcome}; {differences:?}", exchange.scenario, json!(arguments));
        }
        Err(last)
    }

    /// Calls a tool with arguments of our own, and asserts what was sent.
    async fn sends_own(&self, tool: &'static Operation, own: &Own) {
        let arguments: Map<String, Value> = serde_json::from_str(own.arguments).unwrap();
        let (_, seen) = self.call(tool, own.identity, arguments).await;
        let request = seen.last().unwrap();
        assert_eq!(format!("{} {}", request.method, request.target), own.request);
        let json = |text: &[u8]| serde_json::from_slice::<Value>(text).ok();
        assert_eq!(json(&request.body), json(own.body.as_bytes()), "{}", tool.name);
    }

    async fn call(
        &self,
        tool: &'static Operation,
        identity: &str,
        mut arguments: Map<String, Value>,
    ) -> (String, Vec<forgehand::demo::SeenRequest>) {
        let before = self.demo.requests().len();
        arguments.insert("confirm".to_owned(), json!(true));
        let outcome = match run(&self.forge(identity), tool, arguments, &Limits::default()).await {
            Ok(_) => "done".to_owned(),
            Err(error) => format!("{:?}: {}", error.code, error.message),
        };
        (outcome, self.demo.requests().split_off(before))
    }
}

/// Calls of composed tools: tool, arguments. What each sends is in the snapshot.
const COMPOSED: &[(&str, &str)] = &[
    ("delete_org_label", r#"{"org": "acme", "id": 1, "delete_mode": "force"}"#),
    ("delete_org_label", r#"{"org": "acme", "id": 1}"#),
    ("delete_repo_label", r#"{"owner": "acme", "repo": "widget", "id": 6, "delete_mode": "force"}"#),
    ("delete_repo_label", r#"{"owner": "acme", "repo": "widget", "id": 6}"#),
    (
        "download_comment_attachment",
        r#"{"owner": "acme", "repo": "widget", "comment_id": 189, "attachment_id": 1}"#,
    ),
    ("download_issue_attachment", r#"{"owner": "acme", "repo": "widget", "index": 3, "attachment_id": 3}"#),
    (
        "download_release_attachment",
        r#"{"owner": "acme", "repo": "widget", "release_id": 4, "attachment_id": 6}"#,
    ),
    (
        "edit_file",
        r#"{"owner": "acme", "repo": "widget", "path": "README.md", "edits": [{"old": "Usage", "new": "Use"}]}"#,
    ),
    ("get_file_content", r#"{"owner": "acme", "repo": "widget", "path": "README.md"}"#),
    ("get_file_content", r#"{"owner": "acme", "repo": "widget", "path": "link-to-readme"}"#),
    (
        "get_file_content",
        r#"{"owner": "acme", "repo": "widget", "path": "assets/model.bin", "follow_lfs": true}"#,
    ),
    ("get_forgejo_mcp_server_version", "{}"),
    ("list_repo_labels", r#"{"owner": "acme", "repo": "widget"}"#),
    ("list_repo_labels", r#"{"owner": "acme", "repo": "widget", "include_org_labels": true}"#),
    ("remove_issue_labels", r#"{"owner": "acme", "repo": "playground", "index": 75, "labels": [15, 99]}"#),
];

/// Operations that a tool has for cases that were not recorded: tool, operation. `tests/files.rs` has the file whose bytes an
/// instance does not tell in JSON.
const UNRECORDED: [(&str, &str); 1] = [("edit_file", "repoGetRawFile")];

#[tokio::test]
async fn every_operation_of_every_tool_is_sent_as_it_was_recorded() {
    let bench = Bench::new().await;
    let (mut lines, mut faults) = (String::new(), Vec::new());
    for tool in OPERATIONS.iter().filter(|tool| matches!(tool.run, Run::Call(_))) {
        for call in tool.calls {
            let own = OWN.iter().find(|own| (own.tool, own.operation) == (tool.name, call.operation));
            if let Some(own) = own {
                bench.sends_own(tool, own).await;
                let _ = writeln!(lines, "{} {}\n  {}: own", tool.name, own.arguments, own.request);
                continue;
            }
            match bench.sends(tool, call.operation).await {
                Ok(found) => {
                    let Match { exchange, arguments, outcome } = found;
                    let (method, target) = (&exchange.method, &exchange.target);
                    let outcome = outcome.split(':').next().unwrap();
                    let _ =
                        writeln!(lines, "{} {}\n  {method} {target}: {outcome}", tool.name, json!(arguments));
                }
                Err(why) => faults.push(format!("{} {}: {why}", tool.name, call.operation)),
            }
        }
    }
    assert!(faults.is_empty(), "{} were never seen:\n{}", faults.len(), faults.join("\n"));
    insta::assert_snapshot!(lines);
}

#[tokio::test]
async fn every_composed_tool_sends_what_it_says_and_reaches_each_of_its_operations() {
    let bench = Bench::new().await;
    let mut lines = String::new();
    for tool in OPERATIONS.iter().filter(|tool| matches!(tool.run, Run::Composed(_))) {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut calls = COMPOSED.iter().filter(|(name, _)| *name == tool.name).peekable();
        assert!(calls.peek().is_some(), "{} is not called", tool.name);
        for (name, arguments) in calls {
            let (outcome, seen) = bench.call(tool, "bob", serde_json::from_str(arguments).unwrap()).await;
            let _ = writeln!(lines, "{name} {arguments}: {outcome}");
            for request in seen {
                let body = String::from_utf8_lossy(&request.body).into_owned();
                let _ = writeln!(lines, "  {} {} {body}", request.method, request.target);
                let path = request.target.split('?').next().unwrap().trim_start_matches("/api/v1");
                let is = |call: &&ApiCall| {
                    call.method == request.method && replayed::path_values(call.path, path).is_some()
                };
                reached.extend(tool.calls.iter().filter(is).map(|call| call.operation));
            }
        }
        let missed: Vec<&str> =
            tool.calls.iter().map(|call| call.operation).filter(|id| !reached.contains(id)).collect();
        let missed: Vec<&str> =
            missed.into_iter().filter(|id| !UNRECORDED.contains(&(tool.name, id))).collect();
        assert!(missed.is_empty(), "{} never sent {missed:?}\n{lines}", tool.name);
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn at_least_440_operations_are_reached_by_a_tool() {
    let reached: BTreeSet<&str> =
        OPERATIONS.iter().flat_map(|tool| tool.calls).map(|call| call.operation).collect();
    assert!(reached.len() >= 440, "only {} operations are reached", reached.len());
}
