//! From what went wrong, on the way or at the forge, to an [`OperationError`].

use std::time::Instant;

use forgehand_client::{BuildError, Call, Raw, Reply, ReplyError};
use http::{StatusCode, header};

use super::descriptor::{Effect, Operation, Place};
use super::said::{self, Said, shortened};
use super::{Code, OperationError, rules};
use crate::forge::{Forge, ForgeError, Version, asked_wait, shown_location};

/// The most characters that are shown of a call.
const CALL: usize = 1000;

/// What Forgejo's text says before the scopes that a token lacks.
const SCOPES: &str = "required scope(s):";

/// What Forgejo's text says where a file is no longer the one that a change was made for.
const STALE: &str = "sha does not match";

/// Method and path of a call, without its query; its start, where it is long.
pub(super) fn called(call: &Call<Raw>) -> String {
    let path = call.target.split('?').next().unwrap_or_default();
    shortened(format!("{} {path}", call.method), CALL)
}

/// The scopes that a token needs for a call.
pub(super) fn scopes_of(operation: &Operation, call: &Call<Raw>) -> &'static [&'static str] {
    let known = operation.calls.iter().find(|known| known.operation == call.operation);
    known.map(|known| known.scopes).filter(|scopes| !scopes.is_empty()).unwrap_or(operation.scopes)
}

/// A request that could not be built: the fault of an argument, named as the caller knows it.
pub(super) fn unbuilt(operation: &Operation, error: &BuildError) -> OperationError {
    let place = match error.place {
        "path" => Place::Path,
        "query" => Place::Query,
        "form" => Place::Form,
        _ => Place::Body,
    };
    if error.name == "." {
        let said = format!("the request's body: {}", error.reason);
        let is_part = |p: Place| p == place || (place == Place::Form && p == Place::File);
        let parts = operation.parameters.iter().filter(|p| is_part(p.place));
        let parts: Vec<String> = parts.map(|p| format!("`{}`", p.name)).collect();
        let hint = format!("it is made of the arguments {}", parts.join(", "));
        return OperationError::new(Code::InvalidArguments, said).hint(hint);
    }
    let known = operation.parameters.iter().find(|p| p.place == place && p.wire == error.name);
    let name = known.map_or(error.name.as_str(), |p| p.name);
    OperationError::new(Code::InvalidArguments, format!("argument `{name}`: {}", error.reason))
}

/// A call without a reply.
pub(super) fn unanswered(operation: &Operation, call: &Call<Raw>, error: ForgeError) -> OperationError {
    let said = error.to_string();
    let (code, hint) = match &error {
        ForgeError::Build(build) => return unbuilt(operation, build),
        ForgeError::TooOld { .. } => {
            let hint = "--any-version (or FORGEHAND_ANY_VERSION=true) sends calls to it all the same";
            return OperationError::new(Code::UnavailableHere, said).hint(hint);
        }
        ForgeError::Token => (Code::Unauthorized, None),
        ForgeError::Setup { .. } | ForgeError::Unreachable { .. } | ForgeError::Broken { .. } => {
            (Code::Unreachable, Some("check the forge's address, the network, and HTTPS_PROXY and NO_PROXY"))
        }
        ForgeError::Untrusted { .. } => (Code::Unreachable, None),
        ForgeError::Timeout => (Code::Timeout, Some("ask for less, or allow more time")),
        ForgeError::OutcomeUnknown { .. } => (Code::OutcomeUnknown, Some(LOOK_FIRST)),
        ForgeError::Outside { .. } => {
            (Code::Refused, Some("whoever runs forgehand names repositories by --repositories"))
        }
        ForgeError::Redirected { .. } => (Code::Refused, Some(ELSEWHERE)),
    };
    let mut answer = OperationError::new(code, said);
    if let ForgeError::Redirected { status, .. } = error {
        answer.status = Some(status.as_u16());
    }
    answer.call = Some(called(call));
    answer.hint = hint.map(str::to_owned);
    answer
}

pub(super) const LOOK_FIRST: &str = "read the present state before sending it again";

/// What to do where a web page came in place of the API's answer.
pub(super) const NO_API: &str =
    "a sign-in page or a proxy stands before the API; check the address and the token";

const ELSEWHERE: &str = "call it by its new name or place; if that is a sign-in page, something stands before the API: check \
                         the address and the token";

/// An answer that is no success.
pub(super) async fn refused(
    operation: &Operation,
    call: &Call<Raw>,
    mut reply: Reply<Raw>,
) -> OperationError {
    let said = said::read(&mut reply).await;
    told(operation, call, &reply, said)
}

/// An answer that is no success, whose body was read already.
pub(super) fn told(
    operation: &Operation,
    call: &Call<Raw>,
    reply: &Reply<Raw>,
    said: Said,
) -> OperationError {
    let (status, headers) = (reply.status(), reply.headers());
    // What an operation asks for besides its own call has meanings of its own, and reads what the operation changes.
    let is_own = operation.calls.iter().any(|own| own.operation == call.operation);
    let missing_scopes = scopes(&said.message);
    let meaning = meaning(operation, status).filter(|_| is_own && missing_scopes.is_empty());
    let perhaps = of_status(operation.perhaps, status).filter(|_| is_own);
    let is_read = operation.effect == Effect::Read || call.method.is_safe();
    let unrecorded = headers.contains_key("x-not-recorded");

    let code = match status {
        StatusCode::FORBIDDEN if !missing_scopes.is_empty() => Code::MissingScope,
        StatusCode::METHOD_NOT_ALLOWED if meaning.is_some() => Code::Conflict,
        StatusCode::INTERNAL_SERVER_ERROR if meaning.is_some() && said.is_object => Code::Refused,
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY if said.message.starts_with(STALE) => {
            Code::Conflict
        }
        status if !is_read && (is_open(status, &said) || perhaps.is_some()) => Code::OutcomeUnknown,
        status => code_of(status),
    };
    let place =
        headers.get(header::LOCATION).and_then(|v| v.to_str().ok()).filter(|_| status.is_redirection());
    let mut error = OperationError::new(code, message(status, meaning, &said, place));
    // The forge checks one scope after the other, and names the first that it misses.
    let mut needed: Vec<&str> = missing_scopes.iter().map(String::as_str).collect();
    needed.extend(
        scopes_of(operation, call).iter().filter(|scope| !missing_scopes.iter().any(|m| m == *scope)),
    );
    error.hint = hint((operation, is_read), code, status, &said, unrecorded, &needed);
    if let Some(perhaps) = perhaps {
        error.hint = Some(format!("{LOOK_FIRST}; perhaps {perhaps}"));
    }
    error.status = Some(status.as_u16());
    error.call = Some(called(call));
    error.missing_scopes = missing_scopes;
    error.near = said.nearest;
    error.retry_after_seconds = asked_wait(status, headers);
    error
}

/// A success that is no answer to a question: its status means neither yes nor no, or its body is not the forge's.
pub(super) async fn undecided(call: &Call<Raw>, mut reply: Reply<Raw>) -> OperationError {
    let said = said::read(&mut reply).await;
    undecided_by(call, &reply, &said)
}

/// The same, where the body was read already.
pub(super) fn undecided_by(call: &Call<Raw>, reply: &Reply<Raw>, said: &Said) -> OperationError {
    let name = name(reply.status());
    let text = match said.message.as_str() {
        message if said.is_page => {
            format!("the forge answered {name} with a web page, which means neither yes nor no: {message}")
        }
        "" => format!("the forge answered {name} without a body, which means neither yes nor no"),
        message => format!("the forge answered {name}, which means neither yes nor no: {message}"),
    };
    let mut error = OperationError::new(Code::Refused, text);
    error.hint = said.is_page.then(|| NO_API.to_owned());
    error.status = Some(reply.status().as_u16());
    error.call = Some(called(call));
    error
}

/// What a status means for an operation, where its row tells.
pub(super) fn meaning(operation: &Operation, status: StatusCode) -> Option<&'static str> {
    of_status(operation.statuses, status)
}

fn of_status(rows: &[(u16, &'static str)], status: StatusCode) -> Option<&'static str> {
    rows.iter().find(|(code, _)| *code == status.as_u16()).map(|(_, text)| *text)
}

/// A 2xx that means that there is nothing, or that nothing was done.
pub(super) fn in_vain(
    operation: &Operation,
    call: &Call<Raw>,
    status: StatusCode,
    meaning: &str,
) -> OperationError {
    let code = if operation.effect == Effect::Read { Code::NotFound } else { Code::Refused };
    let mut error = OperationError::new(code, format!("{meaning} (the forge answered {})", name(status)));
    error.status = Some(status.as_u16());
    error.call = Some(called(call));
    error
}

/// The same error of an instance that is too old for the operation.
pub(super) fn outdated(mut error: OperationError, hint: String) -> OperationError {
    error.code = Code::UnavailableHere;
    error.hint = Some(hint);
    error
}

/// What to know where an operation is not there because the instance is older than it: the forge answers 404 or 405 for a
/// path that it does not have. It is asked for its version at most once; an operation of all known releases asks nothing.
pub(super) async fn too_old(
    forge: &Forge,
    operation: &Operation,
    status: StatusCode,
    deadline: Instant,
) -> Option<String> {
    let since = operation.since?;
    if !matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) {
        return None;
    }
    let version = forge.version(deadline).await?;
    let name = operation.name;
    version
        .is_before(&Version::parse(since)?)
        .then(|| format!("{name} exists since Forgejo {since}; this instance is {version}"))
}

/// Whether a write may have been done all the same: the forge's own word is missing, which is a JSON object with a message,
/// or somebody before it gave up waiting.
fn is_open(status: StatusCode, said: &Said) -> bool {
    match status.as_u16() {
        408 | 502 | 504 | 520..=524 => true,
        501 => false,
        code => code >= 500 && !said.is_envelope,
    }
}

/// The kind of failure that a status is, unless something tells better.
fn code_of(status: StatusCode) -> Code {
    match status.as_u16() {
        400 | 415 | 416 | 422 => Code::Validation,
        401 => Code::Unauthorized,
        403 => Code::Forbidden,
        404 | 410 => Code::NotFound,
        408 => Code::Timeout,
        409 | 412 | 423 => Code::Conflict,
        413 => Code::TooLarge,
        429 => Code::RateLimited,
        501 => Code::UnavailableHere,
        502..=504 | 520..=524 => Code::Unreachable,
        _ => Code::Refused,
    }
}

/// The kind of failure of a body that could not be read to its end.
pub(super) fn code_of_broken(error: &ReplyError) -> Code {
    match error {
        ReplyError::Broken(error) if error.is_timeout() => Code::Timeout,
        ReplyError::TooLarge { .. } => Code::TooLarge,
        _ => Code::Unreachable,
    }
}

/// A status for people, as `404 Not Found`.
pub(super) fn name(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} {reason}", status.as_u16()),
        None => format!("status {}", status.as_u16()),
    }
}

fn message(status: StatusCode, meaning: Option<&str>, said: &Said, place: Option<&str>) -> String {
    let name = name(status);
    let without = match said.accident.as_str() {
        "" => "without a message".to_owned(),
        accident => format!("without a reason, only with {accident:?}"),
    };
    let mut text = match (meaning, said.message.as_str()) {
        (None, "") => format!("the forge answered {name} {without}"),
        (Some(meaning), "") => format!("{meaning} (the forge answered {name} {without})"),
        (None, message) if said.is_page => format!("the forge answered {name} with a web page: {message}"),
        (None, message) => message.to_owned(),
        (Some(meaning), message) => format!("{meaning}; the forge says: {message}"),
    };
    if let Some(place) = place {
        text = format!("{text}; it points to {}", shown_location(place));
    }
    text
}

fn hint(
    (operation, is_read): (&Operation, bool),
    code: Code,
    status: StatusCode,
    said: &Said,
    unrecorded: bool,
    needed: &[&str],
) -> Option<String> {
    let meaning = meaning(operation, status);
    let hint = match code {
        Code::NotFound if said.is_page => {
            "not there, or not visible to this token; if everything is answered so, check the forge's address".to_owned()
        }
        Code::NotFound => "not there, or not visible to this token".to_owned(),
        Code::Unauthorized | Code::Forbidden | Code::Validation if said.is_page => NO_API.to_owned(),
        Code::Unauthorized | Code::Forbidden if asks_second_factor(&said.message) => {
            "no one-time password can be given here: an access token needs none, make one under Settings → Applications; \
             where the instance demands two-factor authentication, set it up on its web page first"
                .to_owned()
        }
        Code::Validation => return rules::explained(operation, &said.message),
        Code::MissingScope => format!("{} needs a token with {}", operation.name, needed.join(", ")),
        Code::Unauthorized => "check that the token is set, whole and not expired".to_owned(),
        Code::OutcomeUnknown if status == StatusCode::INTERNAL_SERVER_ERROR => {
            format!("{LOOK_FIRST}; the forge often answers a wrong value like this")
        }
        Code::OutcomeUnknown => LOOK_FIRST.to_owned(),
        Code::UnavailableHere if unrecorded && !is_read => {
            "this demo answers only what was recorded; dry_run: true shows the request without sending it"
                .to_owned()
        }
        Code::UnavailableHere if unrecorded => "this demo answers only what was recorded".to_owned(),
        Code::Refused if status == StatusCode::NOT_MODIFIED => {
            "the forge declined and changed nothing".to_owned()
        }
        Code::Refused if status.is_redirection() => ELSEWHERE.to_owned(),
        Code::Refused if status.is_server_error() && said.message.is_empty() && meaning.is_none() => {
            "the forge often answers a wrong value like this; check the arguments before trying again"
                .to_owned()
        }
        _ => return None,
    };
    Some(hint)
}

/// Whether a text asks for a second factor.
fn asks_second_factor(message: &str) -> bool {
    let message = message.to_lowercase();
    let words: Vec<&str> = message.split(|c: char| !c.is_alphanumeric()).collect();
    words.iter().any(|word| ["otp", "totp", "2fa"].contains(word))
        || words.windows(2).any(|pair| pair == ["two", "factor"] || pair == ["one", "time"])
}

/// The scopes that Forgejo's text names as missing.
fn scopes(message: &str) -> Vec<String> {
    let Some((_, rest)) = message.split_once(SCOPES) else { return Vec::new() };
    let rest = rest.trim_start();
    let list = rest.strip_prefix('[').and_then(|r| r.split(']').next()).unwrap_or(rest);
    list.split([',', ' ']).filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
}
