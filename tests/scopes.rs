//! The scopes that forgehand says a token needs are those that Forgejo names when it refuses one.
//!
//! `FORGEHAND_RECORDINGS=FOLDER cargo test --test scopes -- --ignored --nocapture` compares them with other recordings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;

use forgehand::demo::{Exchange, Recordings};
use forgehand::operations::table::OPERATIONS;
use forgehand_codegen::history::History;
use forgehand_codegen::scopes::Scopes;
use serde_json::{Value, json};

/// What a refusal says before the scopes.
const SAYS: &str = "token does not have at least one of required scope(s): [";

fn history() -> History {
    History::load(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn scopes(history: &History) -> Scopes {
    Scopes::load(Path::new(env!("CARGO_MANIFEST_DIR")), history).unwrap()
}

/// The scopes that a refusal names.
fn named(exchange: &Exchange) -> Option<Vec<String>> {
    let body = exchange.response.body.bytes()?;
    let body = String::from_utf8_lossy(&body);
    let (_, rest) = body.split_once(SAYS)?;
    let (names, _) = rest.split_once(']')?;
    Some(names.split(' ').map(str::to_owned).collect())
}

/// The operations of which a refusal names scopes, and the refusals that say something else than the file does.
fn compare(exchanges: &[Exchange]) -> (BTreeSet<&str>, Vec<String>) {
    let history = history();
    let scopes = scopes(&history);
    let mut operations = BTreeSet::new();
    let mut faults = Vec::new();
    for exchange in exchanges {
        let Some(named) = named(exchange) else { continue };
        let (_, at) = history.operations(&exchange.operation).last().unwrap();
        let need = scopes.of(&exchange.operation, at.path).unwrap();
        if !need.steps(&exchange.method).contains(&named) {
            let says = need.steps(&exchange.method);
            faults.push(format!("{}: the forge names {named:?}, the file {says:?}", exchange.scenario));
        }
        operations.insert(exchange.operation.as_str());
    }
    (operations, faults)
}

#[test]
fn every_recorded_refusal_names_the_scopes_that_the_file_derives() {
    let recordings = Recordings::embedded().unwrap();
    let (operations, faults) = compare(recordings.exchanges());
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(operations.len() >= 300, "only {} operations were refused by scope", operations.len());
}

#[test]
#[ignore = "reads the folder that FORGEHAND_RECORDINGS names"]
fn every_refusal_of_a_folder_names_the_scopes_that_the_file_derives() {
    let folder = std::env::var("FORGEHAND_RECORDINGS").unwrap();
    let recordings = Recordings::folder(Path::new(&folder)).unwrap();
    let (operations, faults) = compare(recordings.exchanges());
    let refusals = recordings.exchanges().iter().filter(|exchange| named(exchange).is_some()).count();
    eprintln!(
        "{} exchanges, {refusals} refusals by scope of {} operations, {} differ",
        recordings.exchanges().len(),
        operations.len(),
        faults.len()
    );
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_operation_of_every_release_has_a_row() {
    let history = history();
    let scopes = scopes(&history);
    for document in history.documents() {
        for at in document.operations() {
            assert!(scopes.of(&at.operation.operation_id, at.path).is_some(), "{} {}", at.method, at.path);
        }
    }
}

#[test]
fn a_tool_needs_what_its_calls_need() {
    for operation in OPERATIONS {
        let calls: BTreeSet<&str> = operation.calls.iter().flat_map(|call| call.scopes).copied().collect();
        assert_eq!(operation.scopes, calls.into_iter().collect::<Vec<_>>(), "{}", operation.name);
        let is_read = operation.calls.iter().all(|call| call.method == "GET");
        assert!(
            !is_read || operation.scopes.iter().all(|scope| scope.starts_with("read:")),
            "{}",
            operation.name
        );
    }
}

fn told(arguments: &[&str], variables: &[(&str, &str)]) -> Value {
    let mut command = child::command(&[&["scopes", "--json"], arguments].concat());
    let output = command.envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_command_tells_the_least_scopes_and_who_needs_them() {
    let told_ = told(&["--tools", "create_issue,list_repo_issues,get_my_user_info"], &[]);
    assert_eq!(
        told_,
        json!({
            "scopes": ["write:issue", "read:user"],
            "tools": {
                "write:issue": {"write": ["create_issue"], "read": ["list_repo_issues"]},
                "read:user": {"read": ["get_my_user_info"]},
            },
            "without": [],
        })
    );
    let read = told(&["--toolsets", "all", "--read-only"], &[]);
    assert!(
        read["scopes"].as_array().unwrap().iter().all(|s| s.as_str().unwrap().starts_with("read:")),
        "{read}"
    );
}

#[test]
fn the_command_chooses_as_serve_does() {
    let default = told(&[], &[]);
    assert_eq!(default, told(&["--toolsets", "default"], &[]));
    let issue = told(&[], &[("FORGEHAND_TOOLS", "get_issue_by_index")]);
    assert_eq!(issue["scopes"], json!(["read:issue"]));
    let unknown = child::command(&["scopes", "--toolsets", "isues"]).output().unwrap();
    assert_eq!((unknown.status.code(), unknown.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean"), "{unknown:?}");
}
