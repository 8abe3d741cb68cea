//! What is there before a write, by one read at its path: a change that would blank what it is not sent is filled from it
//! (`merge.rs`), and a dry run tells from it what would change (`dry_run.rs`).

use std::time::Instant;

use bytes::Bytes;
use forgehand_client::{Call, Parameters, Raw};
use http::StatusCode;
use serde_json::Value;

use super::descriptor::{Answer, Mask, Operation, Run, Shape};
use super::projection::Show;
use super::{Code, OperationError, paging, projection, reading, refusal, yes_no};
use crate::forge::Forge;

/// What a read found.
#[derive(Debug)]
pub(super) enum Seen {
    /// What is there.
    Answer(Answered),
    /// Whether it is so, under the name that the read has for it.
    Is(&'static str, bool),
}

/// The answer of a read.
#[derive(Debug)]
pub(super) struct Answered {
    /// The body, as it came.
    pub(super) body: Bytes,
    /// How many rows there are in all, where the answer is a page and tells.
    pub(super) total: Option<u64>,
    status: u16,
    call: String,
}

impl Answered {
    /// What was read before, by that call.
    pub(super) fn known(value: &Value, call: &Call<Raw>) -> Self {
        let (body, status) = (value.to_string().into(), StatusCode::OK.as_u16());
        Self { body, total: None, status, call: refusal::called(call) }
    }

    /// The body's JSON, without what is masked.
    ///
    /// # Errors
    /// [`Code::Refused`] for what is no JSON.
    pub(super) fn value(&self, mask: Option<&'static Mask>) -> Result<Value, OperationError> {
        let whole = |body: &[u8]| projection::item(Show::View(&Shape::Whole), mask, body);
        reading::parsed(&self.body, whole).map_err(|error| {
            self.unusable(Code::Refused, format!("the forge's answer cannot be shown ({error})"))
        })
    }

    /// An error about this answer.
    pub(super) fn unusable(&self, code: Code, said: String) -> OperationError {
        let mut error = OperationError::new(code, said);
        error.status = Some(self.status);
        error.call = Some(self.call.clone());
        error
    }
}

/// Asks the forge once what is there.
///
/// # Errors
/// The read's; [`Code::NotFound`] with the status 404 where there is nothing.
pub(super) async fn read(
    forge: &Forge,
    from: &'static Operation,
    parameters: Parameters,
    deadline: Instant,
) -> Result<Seen, OperationError> {
    let Run::Call(build) = from.run else {
        return Err(OperationError::new(
            Code::Internal,
            "what is read before a change is one call".to_owned(),
        ));
    };
    let call = build(parameters).map_err(|error| refusal::unbuilt(from, &error))?;
    let sent = forge.send(&call, true, deadline).await;
    let mut reply = sent.map_err(|error| refusal::unanswered(from, &call, error))?;
    let status = reply.status();
    if let Answer::YesNo { word, yes, no } = from.answer {
        let question = yes_no::Question { word, yes, no };
        if let Some(is) = question.is(from, &call, &mut reply).await? {
            return Ok(Seen::Is(word, is));
        }
    }
    if !status.is_success() {
        return Err(refusal::refused(from, &call, reply).await);
    }
    let (status, called) = (status.as_u16(), refusal::called(&call));
    let total = paging::total(reply.headers());
    let body = reading::json(&call, &mut reply).await?;
    Ok(Seen::Answer(Answered { body, total, status, call: called }))
}
