//! What can be done with a forge: descriptors, arguments, outcomes, errors, and the one way through them.
//!
//! Uses [`crate::forge`]; both adapters use it; it knows neither of them.

pub mod descriptor;
pub mod error;
pub mod near;
pub mod outcome;
pub mod surface;
pub mod table;

pub use descriptor::{Effect, Operation};
pub use error::{Code, OperationError};
pub use outcome::Outcome;

use std::time::Duration;

use serde_json::{Map, Value};

use crate::forge::Forge;

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
///
/// # Errors
/// [`OperationError`]; with [`Code::InvalidArguments`] and [`Code::ConfirmationRequired`] nothing was sent.
pub async fn run(
    _forge: &Forge,
    operation: &'static Operation,
    _arguments: Map<String, Value>,
    _limits: &Limits,
) -> Result<Outcome, OperationError> {
    Err(OperationError::new(Code::Internal, format!("{} has no engine yet", operation.name)))
}
