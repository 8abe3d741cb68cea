//! The faults that servers of this kind are known for in public, by kind: the tools as they are served, against a forge that
//! answers as the fault's exchange does and remembers what it was sent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod answers;
mod arguments;
#[path = "../common/child.rs"]
mod child;
#[path = "../common/mod.rs"]
mod common;
mod errors;
mod every;
#[path = "../common/forge.rs"]
mod forges;
mod pages;
mod paths;
#[path = "../support/replayed.rs"]
#[allow(dead_code, reason = "another test of it uses more")]
mod replayed;
#[path = "../support/samples.rs"]
mod samples;
mod session;
mod writes;

use common::scripted::{self, Answer, Request, Scripted};
use common::{block_on, call};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Operation, OperationError, Outcome};
use serde_json::{Value, json};

/// The tool of that name.
#[track_caller]
fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"))
}

/// acme/widget, and more arguments.
fn widget(more: Value) -> Value {
    common::rows::place(more)
}

/// What a tool makes of an answer, and what was sent.
fn ask(name: &str, given: Value, answer: Answer) -> (Result<Outcome, OperationError>, Vec<Request>) {
    block_on(async {
        let forge = Scripted::new([answer]).await;
        let outcome = call(&forge, tool(name), given).await;
        (outcome, forge.requests())
    })
}

/// The same of a success in JSON.
#[track_caller]
fn shown(name: &str, given: Value, answer: Answer) -> (Value, Vec<Request>) {
    match ask(name, given, answer) {
        (Ok(Outcome::Json(value)), requests) => (value, requests),
        (other, _) => panic!("{name}: {other:?}"),
    }
}

/// The same of a failure.
#[track_caller]
fn failed(name: &str, given: Value, answer: Answer) -> (OperationError, Vec<Request>) {
    match ask(name, given, answer) {
        (Err(error), requests) => (error, requests),
        (other, _) => panic!("{name}: {other:?}"),
    }
}

/// A request's body as JSON.
#[track_caller]
fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap_or_else(|_| json!(String::from_utf8_lossy(&request.body)))
}
