//! What the engine's tests share: a scripted forge, and operations made for them.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its part")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

pub mod made;
pub mod rows;
pub mod scripted;

use std::time::Duration;

use forgehand::forge::{Forge, Token};
use forgehand::operations::{Limits, Operation, OperationError, Outcome, arguments, run};
use forgehand_client::BaseUrl;
use serde_json::Value;

use scripted::Scripted;

/// The token of all tests, which must never be printed.
pub const TOKEN: &str = "s3cr3t-token-of-the-tests";

/// A forge object that talks to a scripted forge.
pub fn forge(scripted: &Scripted) -> Forge {
    forge_at(&scripted.base())
}

/// A forge object for an address.
pub fn forge_at(base: &str) -> Forge {
    Forge::new(BaseUrl::parse(base).unwrap(), Token::new(TOKEN))
}

/// Limits with ten seconds.
pub fn limits() -> Limits {
    Limits { timeout: Duration::from_secs(10), ..Limits::default() }
}

/// Runs an operation with these arguments.
pub async fn call(
    scripted: &Scripted,
    operation: &'static Operation,
    arguments: Value,
) -> Result<Outcome, OperationError> {
    call_within(scripted, operation, arguments, &limits()).await
}

/// The same within other limits.
pub async fn call_within(
    scripted: &Scripted,
    operation: &'static Operation,
    arguments: Value,
    limits: &Limits,
) -> Result<Outcome, OperationError> {
    run(&forge(scripted), operation, arguments::object(Some(arguments))?, limits).await
}

/// The JSON of an outcome.
#[track_caller]
pub fn json(outcome: Result<Outcome, OperationError>) -> Value {
    match outcome {
        Ok(Outcome::Json(value)) => value,
        other => panic!("expected JSON, got {other:?}"),
    }
}

/// Runs a test's future on one thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
