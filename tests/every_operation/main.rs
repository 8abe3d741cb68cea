//! Every tool, by each of its operations, is called against the recorded forge, and sends what was recorded.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers are tests too"
)]

mod sent;

#[path = "../support/replayed.rs"]
mod replayed;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use forgehand::demo::{DemoForge, Exchange, Options, Recordings, TOKEN_PREFIX};
use forgehand::forge::{Forge, Token};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Limits, Operation, run};
use forgehand_client::BaseUrl;
use serde_json::{Map, Value, json};

/// Calls of which no recorded request has the very form, because the tool always sends something that was recorded in
/// another way or not at all: tool, operation, arguments, request line, body.
const OWN: &[(&str, &str, &str, &str, &str)] = &[
    // The forge ignores `read_only` here; the recordings have it.
    (
        "create_my_ssh_key",
        "userCurrentPostKey",
        r#"{"title": "laptop", "key": "ssh-ed25519 AAAA"}"#,
        "POST /api/v1/user/keys",
        r#"{"title": "laptop", "key": "ssh-ed25519 AAAA"}"#,
    ),
    // Without units the forge answers 500, so that there are defaults.
    (
        "create_org_team",
        "orgCreateTeam",
        r#"{"org": "acme", "name": "team-a", "permission": "admin", "units": ["repo.code"]}"#,
        "POST /api/v1/orgs/acme/teams",
        r#"{"name": "team-a", "permission": "admin", "units": ["repo.code"]}"#,
    ),
    // The second page is always empty, so that the largest first one is asked for.
    (
        "list_issue_dependents",
        "issueListBlocks",
        r#"{"owner": "acme", "repo": "widget", "index": 4}"#,
        "GET /api/v1/repos/acme/widget/issues/4/blocks?limit=50",
        "",
    ),
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
            let Some(arguments) = replayed::arguments(tool, exchange) else { continue };
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
    async fn sends_own(&self, tool: &'static Operation, own: &(&str, &str, &str, &str, &str)) {
        let arguments: Map<String, Value> = serde_json::from_str(own.2).unwrap();
        let (_, seen) = self.call(tool, "bob", arguments).await;
        let request = seen.last().unwrap();
        assert_eq!(format!("{} {}", request.method, request.target), own.3);
        let json = |text: &[u8]| serde_json::from_slice::<Value>(text).ok();
        assert_eq!(json(&request.body), json(own.4.as_bytes()), "{}", tool.name);
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

#[tokio::test]
async fn every_operation_of_every_tool_is_sent_as_it_was_recorded() {
    let bench = Bench::new().await;
    let (mut lines, mut faults) = (String::new(), Vec::new());
    for tool in OPERATIONS {
        for call in tool.calls {
            let own = OWN.iter().find(|own| (own.0, own.1) == (tool.name, call.operation));
            if let Some(own) = own {
                bench.sends_own(tool, own).await;
                let _ = writeln!(lines, "{} {}\n  {}: own", tool.name, own.2, own.3);
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

#[test]
fn every_operation_that_a_tool_reaches_is_called_by_one() {
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    for call in OPERATIONS.iter().flat_map(|tool| tool.calls) {
        *calls.entry(call.operation).or_default() += 1;
    }
    assert!(calls.len() >= 440, "only {} operations are reached", calls.len());
}
