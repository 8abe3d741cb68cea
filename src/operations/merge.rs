//! The read before a change that would blank what it is not sent: what the caller left out is filled from what is there.

use std::time::Instant;

use forgehand_client::{BuildError, JSON_LIMIT, Parameters};
use serde_json::Value;

use super::arguments::nest;
use super::descriptor::{Merge, Operation, Run};
use super::{Code, OperationError, mask, refusal};
use crate::forge::Forge;

/// Whom a read's secrets are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// The forge, which has them already.
    Forge,
    /// The caller, who is shown the request.
    Caller,
}

/// The parameters of a change with what its read fills in. Nothing is read where the caller gave everything.
///
/// # Errors
/// The read's; it says that nothing was changed.
pub(super) async fn filled(
    forge: &Forge,
    merge: &Merge,
    mut parameters: Parameters,
    reader: For,
    deadline: Instant,
) -> Result<Parameters, OperationError> {
    let given = |path: &str| parameters.body.as_ref().is_some_and(|body| find(body, path).is_some());
    let absent: Vec<_> = merge.fields.iter().filter(|(property, _)| !given(property)).collect();
    if absent.is_empty() {
        return Ok(parameters);
    }
    let path = Parameters { path: parameters.path.clone(), ..Parameters::default() };
    let mut present = read(forge, merge.from, path, deadline).await.map_err(|mut error| {
        error.message =
            format!("{}; this was the read before the change, and nothing was changed", error.message);
        error
    })?;
    if let (For::Caller, Some(mask)) = (reader, merge.from.mask) {
        mask::hide(&mut present, mask);
    }
    let body = parameters.body.get_or_insert_default();
    for (property, answer) in absent {
        let Some(value) = find(&present, answer).filter(|value| !value.is_null()) else {
            return Err(unread(answer));
        };
        nest(body, property, in_words(merge, value.clone()));
    }
    Ok(parameters)
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

/// What the forge has, whole.
pub(super) async fn read(
    forge: &Forge,
    from: &'static Operation,
    path: Parameters,
    deadline: Instant,
) -> Result<Value, OperationError> {
    let Run::Call(build) = from.run else {
        return Err(OperationError::new(
            Code::Internal,
            "what is read before a change is one call".to_owned(),
        ));
    };
    let call = build(path).map_err(|error| refusal::unbuilt(from, &error))?;
    let sent = forge.send(&call, true, deadline).await;
    let mut reply = sent.map_err(|error| refusal::unanswered(from, &call, error))?;
    if !reply.status().is_success() {
        return Err(refusal::refused(from, &call, reply).await);
    }
    let status = reply.status().as_u16();
    let unusable = |code, said| {
        let mut error = OperationError::new(code, said);
        error.status = Some(status);
        error.call = Some(refusal::called(&call));
        error
    };
    let body = match reply.bytes(JSON_LIMIT).await {
        Ok(body) => body,
        Err(error) => return Err(unusable(refusal::code_of_broken(&error), error.to_string())),
    };
    match serde_json::from_slice::<Value>(&body) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err(unusable(Code::Refused, "the forge answered no object".to_owned())),
        Err(error) => {
            let said = format!("the forge's answer is no valid JSON ({error})");
            Err(unusable(Code::Refused, said))
        }
    }
}

/// What stands at a dotted path.
fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |at, name| at.get(name))
}
