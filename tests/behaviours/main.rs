//! What a real Forgejo does beyond its document, by kind: each row is turned into a right answer, an error before sending, or
//! `not_applied`, in every tool that meets it. The rows were measured on the recorded instance.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

#[path = "../common/mod.rs"]
mod common;
mod filters;
mod lists;
mod reads;
#[path = "../support/replayed.rs"]
#[allow(dead_code, reason = "another test of it uses more")]
mod replayed;
#[path = "../support/samples.rs"]
mod samples;
mod writes;

use forgehand::operations::Operation;
use forgehand::operations::table::OPERATIONS;

/// The tool of that name.
#[track_caller]
fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"))
}

/// The tools that send an operation, in which way ever.
fn tools_of(operation: &str) -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().filter(move |tool| tool.calls.iter().any(|call| call.operation == operation))
}
