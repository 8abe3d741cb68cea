//! Sees to it that every call is answered: a bound on how many run at once, a time-out behind the operation's own, and
//! a net under panics.
//!
//! rmcp catches no panic and bounds neither number nor time; a request whose handler dies would wait for ever.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::operations::{Code, Effect, Limits, Operation, OperationError};

/// How many calls run at once; others wait their turn. A forge's own worker pools are of this order, and a client that
/// sends hundreds at once gains nothing from more connections.
pub(crate) const MOST_AT_ONCE: usize = 64;

/// How long an operation may outlive its own time-out before it is given up.
const GRACE: Duration = Duration::from_secs(5);

/// Bounds calls and catches what they break.
#[derive(Debug)]
pub(crate) struct Guard {
    permits: Arc<Semaphore>,
}

/// A call's place among those that run at once. It is left when every clone is dropped: the transport keeps one until
/// the answer is written, so that answers nobody reads take the places of calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl Place {
    fn keep(&self, permit: OwnedSemaphorePermit) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(permit);
    }
}

impl Guard {
    /// A guard that lets so many calls run at once.
    pub(crate) fn new(most_at_once: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(most_at_once)) }
    }

    /// Runs the work of `operation`, what is made of its outcome included, and leaves its permit in `place`. The work
    /// is given the limits with the time that is left: waiting for its turn takes of the same time, so that an answer
    /// comes within the time-out and [`GRACE`]. Dropping the returned future drops the work, and with it its
    /// connection.
    ///
    /// # Errors
    /// Those of the work; [`Code::Timeout`] where its turn did not come, or a read outlived its time; for anything else
    /// that outlived it or panicked, [`Code::OutcomeUnknown`] or [`Code::Internal`].
    pub(crate) async fn run<T, F: Future<Output = Result<T, OperationError>>>(
        &self,
        operation: &Operation,
        limits: &Limits,
        place: Place,
        work: impl FnOnce(Limits) -> F,
    ) -> Result<T, OperationError> {
        let start = Instant::now();
        let Ok(permit) = timeout(limits.timeout, self.permits.clone().acquire_owned()).await else {
            return Err(no_turn(operation, limits));
        };
        let left = Limits { timeout: limits.timeout.saturating_sub(start.elapsed()), ..*limits };
        let guarded = timeout(left.timeout + GRACE, AssertUnwindSafe(work(left)).catch_unwind()).await;
        if let Ok(permit) = permit {
            place.keep(permit);
        }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::*;
    use crate::operations::Outcome;

    static READ: Operation = operation(Effect::Read);
    static WRITE: Operation = operation(Effect::Add);

    const fn operation(effect: Effect) -> Operation {
        Operation { name: "probe", effect, ..Operation::BARE }
    }

    async fn done() -> Result<Outcome, OperationError> {
        Ok(Outcome::Json(json!({ "done": true })))
    }

    async fn breaks() -> Result<Outcome, OperationError> {
        panic!("broken")
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_panics_or_hangs_is_answered_and_leaves_its_place() {
        let guard = Guard::new(1);
        let limits = Limits::default();
        for (operation, expected) in [(&READ, Code::Timeout), (&WRITE, Code::OutcomeUnknown)] {
            let broken = guard.run(operation, &limits, Place::default(), |_| breaks()).await.unwrap_err();
            assert_eq!(broken.code, Code::Internal);
            assert!(!broken.message.contains("broken"), "a panic's message may hold anything: {broken}");
            let hung = guard
                .run(operation, &limits, Place::default(), |_| {
                    std::future::pending::<Result<Outcome, OperationError>>()
                })
                .await
                .unwrap_err();
            assert_eq!(hung.code, expected);
        }
        assert!(guard.run(&READ, &limits, Place::default(), |_| done()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_run_at_once_than_the_guard_lets_and_each_gets_its_turn() {
        let guard = Guard::new(2);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || async {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(1)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            done().await
        };
        let limits = Limits::default();
        let calls = (0..7).map(|_| guard.run(&READ, &limits, Place::default(), |_| work()));
        assert!(futures_util::future::join_all(calls).await.iter().all(Result::is_ok));
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_its_turn_takes_of_a_calls_own_time() {
        let guard = Guard::new(1);
        let limits = Limits { timeout: Duration::from_secs(60), ..Limits::default() };
        let start = Instant::now();
        let first = guard.run(&READ, &limits, Place::default(), |_| async {
            tokio::time::sleep(Duration::from_secs(40)).await;
            done().await
        });
        let mut left = Duration::ZERO;
        let second = guard.run(&READ, &limits, Place::default(), |limits| {
            left = limits.timeout;
            std::future::pending::<Result<Outcome, OperationError>>()
        });
        let (first, second) = futures_util::future::join(first, second).await;
        assert!(first.is_ok());
        assert_eq!(second.unwrap_err().code, Code::Timeout);
        assert_eq!(left.as_secs(), 20);
        assert!(start.elapsed() < limits.timeout + GRACE + Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_whose_turn_does_not_come_says_that_nothing_was_sent() {
        let guard = Guard::new(0);
        let error = guard.run(&WRITE, &Limits::default(), Place::default(), |_| done()).await.unwrap_err();
        assert_eq!(error.code, Code::Timeout);
        assert!(error.message.contains("Nothing was sent"), "{error}");
    }
}
