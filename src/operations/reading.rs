//! The body of a reply to a read that an operation makes besides its own call: a look-up of names, what is there before a
//! change, a step of a composed operation. A web page is told as one here too, and why a body is of no use is not lost.

use bytes::Bytes;
use forgehand_client::{Call, JSON_LIMIT, Raw, Reply, ReplyError};
use serde::de::IgnoredAny;

use super::{Code, OperationError, refusal, said};

/// What a reply's JSON is read as; a body that could not be is an error that says what came instead.
///
/// # Errors
/// [`Code::Refused`] for a web page and for JSON of another form; [`Code::Unreachable`], [`Code::Timeout`] or
/// [`Code::TooLarge`] for a body that does not come to its end.
pub(super) async fn read<T>(
    call: &Call<Raw>,
    mut reply: Reply<Raw>,
    parse: impl Fn(&[u8]) -> Result<T, serde_json::Error>,
) -> Result<T, OperationError> {
    let body = reply.bytes(JSON_LIMIT).await.map_err(|error| broken(call, &reply, &error))?;
    parsed(&body, parse).map_err(|error| unlike(call, &reply, &body, &error))
}

/// A reply's body, which is JSON of any form.
///
/// # Errors
/// See [`read`].
pub(super) async fn json(call: &Call<Raw>, reply: &mut Reply<Raw>) -> Result<Bytes, OperationError> {
    let body = reply.bytes(JSON_LIMIT).await.map_err(|error| broken(call, reply, &error))?;
    match parsed(&body, |body| serde_json::from_slice::<IgnoredAny>(body)) {
        Ok(_) => Ok(body),
        Err(error) => Err(unlike(call, reply, &body, &error)),
    }
}

/// A file's bytes, `most` of them.
///
/// # Errors
/// See [`read`].
pub(super) async fn file(
    call: &Call<Raw>,
    reply: &mut Reply<Raw>,
    most: usize,
) -> Result<Bytes, OperationError> {
    if said::is_page_for_file(reply) {
        let said = said::read(reply).await;
        return Err(page(call, reply, "the file", &said.message));
    }
    reply.bytes(most).await.map_err(|error| broken(call, reply, &error))
}

/// Parses a body, without a byte-order mark; bytes that are no UTF-8 are replaced before the second try.
pub(super) fn parsed<T>(
    body: &[u8],
    parse: impl Fn(&[u8]) -> Result<T, serde_json::Error>,
) -> Result<T, serde_json::Error> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    parse(body).or_else(|error| match std::str::from_utf8(body) {
        Ok(_) => Err(error),
        Err(_) => parse(String::from_utf8_lossy(body).as_bytes()),
    })
}

/// A success whose body tells not what was asked for.
pub(super) fn unlike(
    call: &Call<Raw>,
    reply: &Reply<Raw>,
    body: &[u8],
    error: &serde_json::Error,
) -> OperationError {
    let text = String::from_utf8_lossy(body);
    if said::is_page(reply, &text) {
        return page(call, reply, "JSON", &said::of_page(&text));
    }
    let said = match error.is_data() {
        true => format!("the forge's answer is not in the form that its document tells ({error})"),
        false => format!("the forge's answer is no valid JSON ({error})"),
    };
    about(call, reply, OperationError::new(Code::Refused, said))
}

fn page(call: &Call<Raw>, reply: &Reply<Raw>, of: &str, shown: &str) -> OperationError {
    about(call, reply, OperationError::new(Code::Refused, said::in_place_of(of, shown)).hint(refusal::NO_API))
}

fn broken(call: &Call<Raw>, reply: &Reply<Raw>, error: &ReplyError) -> OperationError {
    about(call, reply, OperationError::new(refusal::code_of_broken(error), error.to_string()))
}

fn about(call: &Call<Raw>, reply: &Reply<Raw>, mut error: OperationError) -> OperationError {
    error.status = Some(reply.status().as_u16());
    error.call = Some(refusal::called(call));
    error
}
