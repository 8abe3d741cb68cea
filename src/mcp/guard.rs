//! Sees to it that every call is answered: a bound on how many run at once, a time-out behind the operation's own, and
//! a net under panics.
//!
//! rmcp catches no panic and bounds neither number nor time; a request whose handler dies would wait for ever.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::operations::{Code, Effect, Limits, Operation, OperationError, Outcome};

/// How many calls run at once; others wait their turn. A forge's own worker pools are of this order, and a client that
/// sends hundreds at once gains nothing from more connections.
pub(crate) const MOST_AT_ONCE: usize = 64;

/// How long an operation may outlive its own time-out before it is given up.
const GRACE: Duration = Duration::from_secs(5);

/// Bounds calls and catches what they break.
#[derive(Debug)]
pub(crate) struct Guard {
    permits: Semaphore,
}

impl Guard {
    /// A guard that lets so many calls run at once.
    pub(crate) fn new(most_at_once: usize) -> Self {
        Self { permits: Semaphore::new(most_at_once) }
    }

    /// Runs `work` of `operation`. Dropping the returned future drops the work, and with it its connection.
    ///
    /// # Errors
    /// Those of the work; [`Code::Timeout`] where its turn did not come, or a read outlived its time; for anything else
    /// that outlived it or panicked, [`Code::OutcomeUnknown`] or [`Code::Internal`].
    pub(crate) async fn run(
        &self,
        operation: &Operation,
        limits: &Limits,
        work: impl Future<Output = Result<Outcome, OperationError>>,
    ) -> Result<Outcome, OperationError> {
        let Ok(permit) = timeout(limits.timeout, self.permits.acquire()).await else {
            return Err(no_turn(operation, limits));
        };
        let guarded = timeout(limits.timeout + GRACE, AssertUnwindSafe(work).catch_unwind()).await;
        drop(permit);
        match guarded {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_panic)) => Err(fault(operation)),
            Err(_elapsed) => Err(overdue(operation, limits)),
        }
    }
}

fn no_turn(operation: &Operation, limits: &Limits) -> OperationError {
    let seconds = limits.timeout.as_secs();
    OperationError::new(
        Code::Timeout,
        format!("{} waited {seconds} s for its turn behind other calls. Nothing was sent.", operation.name),
    )
    .hint("Send fewer calls at once, or try again.")
}

fn overdue(operation: &Operation, limits: &Limits) -> OperationError {
    let seconds = limits.timeout.as_secs();
    match operation.effect {
        Effect::Read => {
            OperationError::new(Code::Timeout, format!("{} did not end within {seconds} s.", operation.name))
        }
        Effect::Add | Effect::Set | Effect::Change | Effect::Destroy => OperationError::new(
            Code::OutcomeUnknown,
            format!("{} did not end within {seconds} s; it may have happened.", operation.name),
        )
        .hint("Read what it would have changed before trying again."),
    }
}

fn fault(operation: &Operation) -> OperationError {
    let error = OperationError::new(Code::Internal, format!("forgehand failed within {}.", operation.name));
    match operation.effect {
        Effect::Read => error,
        _ => error
            .hint("It may have happened all the same: read what it would have changed before trying again."),
    }
}
