//! What can be done with a forge: descriptors, arguments, outcomes, errors, and the one way through them.
//!
//! Uses [`crate::forge`]; both adapters use it; it knows neither of them.

mod answer;
pub mod arguments;
pub mod descriptor;
mod dry_run;
pub mod error;
mod fit;
pub mod near;
mod order;
pub mod outcome;
mod paging;
mod projection;
mod refusal;
mod size;
pub mod surface;
pub mod table;
mod yes_no;

pub use answer::BYTES_LIMIT;
pub use descriptor::{Effect, Operation};
pub use error::{Code, OperationError};
pub use outcome::Outcome;

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use answer::Context;
use descriptor::{Answer, Run};
use yes_no::Question;

use crate::forge::Forge;

/// A time-out that no clock can hold means this one.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Bounds of one call.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The whole call's time, retries included.
    pub timeout: Duration,
    /// The answer's size, in bytes of its text.
    pub max_result_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60), max_result_bytes: 40 * 1024 }
    }
}

/// Runs an operation: arguments are checked, one request is built and sent, its answer is shown through the view.
/// Dropping the future gives the request up.
///
/// Besides its own arguments every operation takes `dry_run` (a write is shown, not sent), `confirm` and `max_bytes` (the
/// answer's budget, instead of that in `limits`), and every list takes `skip` (rows of the page that were seen already).
///
/// # Errors
/// [`OperationError`]; with [`Code::InvalidArguments`] and [`Code::ConfirmationRequired`] nothing was sent.
pub async fn run(
    forge: &Forge,
    operation: &'static Operation,
    arguments: Map<String, Value>,
    limits: &Limits,
) -> Result<Outcome, OperationError> {
    exchange(forge, operation, arguments, limits).await.map_err(|mut error| {
        error.message = forge.without_token(error.message);
        error
    })
}

async fn exchange(
    forge: &Forge,
    operation: &'static Operation,
    arguments: Map<String, Value>,
    limits: &Limits,
) -> Result<Outcome, OperationError> {
    let now = Instant::now();
    let deadline = now.checked_add(limits.timeout).unwrap_or(now + LONGEST);
    let plan = arguments::read(operation, forge.base(), arguments)?;
    let Run::Call(build) = operation.run;
    let call = build(plan.parameters).map_err(|error| refusal::unbuilt(operation, &error))?;
    let is_read = operation.effect == Effect::Read;
    if plan.engine.dry_run && !is_read {
        return Ok(dry_run::plan(operation, &call));
    }
    if !plan.engine.confirm && (operation.confirm || operation.effect == Effect::Destroy) {
        return Err(unconfirmed(operation, &call));
    }

    let mut reply = match forge.send(&call, is_read, deadline).await {
        Ok(reply) => reply,
        Err(error) => return Err(refusal::unanswered(operation, &call, error)),
    };
    let mut status = reply.status();
    if let Some(hint) = refusal::too_old(forge, operation, status, deadline).await {
        return Err(refusal::refused(operation, &call, reply).await.hint(hint));
    }
    if let Answer::YesNo { word, yes, no } = operation.answer {
        let question = Question { word, yes, no };
        let mut public = false;
        if let Some(elsewhere) = question.see_other(forge, &reply) {
            reply = forge
                .send(&elsewhere, true, deadline)
                .await
                .map_err(|error| refusal::unanswered(operation, &elsewhere, error))?;
            status = reply.status();
            public = true;
        }
        if let Some(outcome) = question.answer(status, plan.asked, public) {
            return Ok(outcome);
        }
    }
    if !status.is_success() {
        return Err(refusal::refused(operation, &call, reply).await);
    }
    let max = plan.engine.max_bytes.unwrap_or(limits.max_result_bytes);
    Context { operation, call: &call, engine: &plan.engine, max }.outcome(reply).await
}

fn unconfirmed(
    operation: &Operation,
    call: &forgehand_client::Call<forgehand_client::Raw>,
) -> OperationError {
    let called = refusal::called(call);
    let said = format!("{} wants a confirmation before it sends {called}; nothing was sent", operation.name);
    let mut error = OperationError::new(Code::ConfirmationRequired, said)
        .hint("send the same arguments with confirm: true, or with dry_run: true to see the request");
    error.call = Some(called);
    error
}
