//! Writes that name by its sha what they replace: where one is refused, what is there now is read, and a sha that is
//! another by now is a conflict that tells it.

use std::time::Instant;

use forgehand_client::Parameters;
use http::StatusCode;
use serde_json::Value;

use super::descriptor::Stale;
use super::{Code, OperationError, merge, present};
use crate::forge::Forge;

/// What a write took for granted.
#[derive(Debug)]
pub(super) struct Taken {
    stale: &'static Stale,
    given: String,
    read: Parameters,
}

impl Taken {
    /// What the parameters of a write take for granted.
    pub(super) fn of(stale: &'static Stale, parameters: &Parameters) -> Option<Self> {
        let property = |name: &str| parameters.body.as_ref()?.get(name)?.as_str();
        let given = property(stale.field)?.to_owned();
        let mut read = Parameters { path: parameters.path.clone(), ..Parameters::default() };
        for (query, name) in stale.query {
            if let Some(value) = property(name) {
                read.query.insert((*query).to_owned(), value.into());
            }
        }
        Some(Self { stale, given, read })
    }

    /// The write's refusal; where what is there is another by now, a conflict that tells it.
    pub(super) async fn told(
        self,
        forge: &Forge,
        error: OperationError,
        deadline: Instant,
    ) -> OperationError {
        if !may_be_stale(error.status) {
            return error;
        }
        let seen = present::read(forge, self.stale.from, self.read, deadline).await;
        let found = seen.and_then(|seen| merge::object(&seen, None));
        match found.as_ref().map(|found| found.get(self.stale.field).and_then(Value::as_str)) {
            Ok(Some(now)) => conflict(error, &self.given, now),
            _ => error,
        }
    }
}

/// Whether a status can mean that something has changed meanwhile.
pub(super) fn may_be_stale(status: Option<u16>) -> bool {
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    matches!(status, Some(StatusCode::BAD_REQUEST | StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY))
}

/// A refusal as a conflict that tells the sha that is there now; the same refusal where that is the one that was given.
pub(super) fn conflict(mut error: OperationError, given: &str, now: &str) -> OperationError {
    if now == given {
        return error;
    }
    error.code = Code::Conflict;
    error.message = format!("{}; its sha is {now} now, and nothing was written", error.message);
    error.hint(format!("read it again, and send what is right then with sha {now}"))
}
