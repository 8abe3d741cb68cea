//! The read before a change that would blank what it is not sent: what the caller left out is filled from what is there.

use std::time::Instant;

use forgehand_client::{BuildError, Parameters};
use serde_json::Value;

use super::arguments::nest;
use super::descriptor::{Mask, Merge};
use super::present::{self, Seen};
use super::{Code, OperationError};
use crate::forge::Forge;

/// Whether a change would blank something, or make something where there is nothing to change.
pub(super) fn is_needed(merge: &Merge, parameters: &Parameters) -> bool {
    merge.always || merge.fields.iter().any(|(property, _)| !gives(parameters, property))
}

fn gives(parameters: &Parameters, property: &str) -> bool {
    parameters.body.as_ref().is_some_and(|body| find(body, property).is_some())
}

/// The parameters of a change with what its read fills in. Nothing is read where it is not needed.
///
/// # Errors
/// The read's; it says that nothing was changed.
pub(super) async fn filled(
    forge: &Forge,
    merge: &Merge,
    mut parameters: Parameters,
    deadline: Instant,
) -> Result<Parameters, OperationError> {
    if is_needed(merge, &parameters) {
        let path = Parameters { path: parameters.path.clone(), ..Parameters::default() };
        let seen = present::read(forge, merge.from, path, deadline).await;
        let present = seen.and_then(|seen| object(&seen, None)).map_err(|mut error| {
            error.message =
                format!("{}; this was the read before the change, and nothing was changed", error.message);
            error
        })?;
        fill(merge, &mut parameters, &present)?;
    }
    Ok(parameters)
}

/// The object that a read found, without what is masked.
///
/// # Errors
/// [`Code::Refused`] for anything else.
pub(super) fn object(seen: &Seen, mask: Option<&'static Mask>) -> Result<Value, OperationError> {
    let Seen::Answer(answered) = seen else {
        return Err(OperationError::new(Code::Internal, "what is read before a change tells only yes or no"));
    };
    let value = answered.value(mask)?;
    if value.is_object() {
        return Ok(value);
    }
    Err(answered.unusable(Code::Refused, "the forge answered no object".to_owned()))
}

/// Puts what is there where the caller gave nothing.
///
/// # Errors
/// [`Code::Refused`] where the forge did not tell all of it.
pub(super) fn fill(
    merge: &Merge,
    parameters: &mut Parameters,
    present: &Value,
) -> Result<(), OperationError> {
    for (property, answer) in merge.fields {
        if gives(parameters, property) {
            continue;
        }
        let Some(value) = find(present, answer).filter(|value| !value.is_null()) else {
            return Err(unread(answer));
        };
        nest(parameters.body.get_or_insert_default(), property, in_words(merge, value.clone()));
    }
    Ok(())
}

/// What the forge has is of another form than it takes.
pub(super) fn unlike(error: &BuildError) -> OperationError {
    let said = format!(
        "the forge's present {} has a form that cannot be sent back; this was the read before the change, and nothing \
         was changed",
        error.name
    );
    OperationError::new(Code::Refused, said).hint("give it as an argument, so that nothing has to be read")
}

/// What the forge has is not told, so that the change would blank it.
fn unread(answer: &str) -> OperationError {
    let said = format!(
        "the forge did not tell the present `{answer}`, which the change would blank; this was the read before the \
         change, and nothing was changed"
    );
    OperationError::new(Code::Refused, said).hint("give it as an argument, so that nothing has to be read")
}

/// A list with the words that the forge takes for its own, each once.
fn in_words(merge: &Merge, value: Value) -> Value {
    let Value::Array(items) = value else { return value };
    let mut out: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        let word = merge.words.iter().find(|(word, _)| item == *word);
        let item = word.map_or(item, |(_, sent)| Value::from(*sent));
        if !out.contains(&item) {
            out.push(item);
        }
    }
    Value::Array(out)
}

/// What stands at a dotted path.
fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |at, name| at.get(name))
}
