//! From what went wrong, on the way or at the forge, to an [`OperationError`].

use std::time::Instant;

use forgehand_client::{BuildError, Call, Raw, Reply, ReplyError};
use http::{HeaderMap, StatusCode, header};
use serde_json::Value;

use super::descriptor::{Effect, Operation, Place};
use super::{Code, OperationError, address, rules};
use crate::forge::{Forge, ForgeError, Version, retry_after, shown_location};

/// The most that is read of an error's body, in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// The most characters that are shown of a text that is no message.
const EXCERPT: usize = 300;

/// The most characters that are shown of a message.
const MESSAGE: usize = 2000;

/// The most characters that are shown of a call.
const CALL: usize = 1000;

/// What Forgejo's text says before the scopes that a token lacks.
const SCOPES: &str = "required scope(s):";

/// What Forgejo's text says where a file is no longer the one that a change was made for.
const STALE: &str = "sha does not match";

/// What the forge's body says.
#[derive(Debug, Default)]
struct Said {
    message: String,
    is_page: bool,
    /// Whether it is a JSON object, as all of Forgejo's own errors are: no gateway has answered in its place.
    is_envelope: bool,
    /// A message that is only what Go writes where a text's arguments did not fit; there is no other then.
    accident: String,
    /// What the demo forge has in place of what was asked.
    nearest: Vec<String>,
}

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
    let status = reply.status();
    let said = said(&mut reply).await;
    let headers = reply.headers();
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
        StatusCode::INTERNAL_SERVER_ERROR if meaning.is_some() && said.is_envelope => Code::Refused,
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
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        error.retry_after_seconds = retry_after(headers);
    }
    error
}

/// A success whose body cannot be read.
pub(super) fn unreadable(call: &Call<Raw>) -> OperationError {
    let said = "the forge's answer is not in the form that its document tells";
    let mut error = OperationError::new(Code::Refused, said);
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

/// Whether a write may have been done all the same: the forge's own word is missing, or somebody before it gave up waiting.
fn is_open(status: StatusCode, said: &Said) -> bool {
    match status.as_u16() {
        408 | 502 | 504 | 520..=524 => true,
        501 => false,
        code => code >= 500 && (said.is_page || (said.message.is_empty() && said.accident.is_empty())),
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

/// Reads what an error's body, or where it has none a header, says.
async fn said(reply: &mut Reply<Raw>) -> Said {
    let mut body = Vec::new();
    // A body that breaks off still says what it said.
    while let Ok(Some(chunk)) = reply.chunk().await {
        let room = BODY_LIMIT.saturating_sub(body.len());
        body.extend_from_slice(chunk.get(..room.min(chunk.len())).unwrap_or_default());
        if body.len() == BODY_LIMIT {
            break;
        }
    }
    let mut said = body_says(&body, reply.header("content-type").unwrap_or_default());
    if said.message.is_empty() {
        said.message = header_says(reply.headers());
    }
    said
}

fn header_says(headers: &HeaderMap) -> String {
    let text = ["message", "warning"].iter().find_map(|name| headers.get(*name)?.to_str().ok());
    excerpt(text.unwrap_or_default())
}

fn body_says(body: &[u8], content_type: &str) -> Said {
    // Forgejo sometimes writes a second value or a page behind the envelope: of objects, the first counts. A text that
    // only begins like JSON ("404 page not found") is text.
    let is_object = body.trim_ascii_start().starts_with(b"{");
    let value = if is_object {
        let first = serde_json::Deserializer::from_slice(body).into_iter::<Value>().next();
        first.and_then(Result::ok).or_else(|| ended(body))
    } else {
        serde_json::from_slice(body).ok()
    };
    if let Some(value) = value {
        let nearest = strings(value.get("nearest")).map(str::to_owned).collect();
        let mut said = Said { message: envelope(&value), is_envelope: is_object, nearest, ..Said::default() };
        if is_accident(&said.message) {
            said.accident = std::mem::take(&mut said.message);
        }
        return said;
    }
    let text = String::from_utf8_lossy(body);
    let is_page = content_type.contains("html") || looks_like_page(&text);
    let message = if is_page { excerpt(&without_tags(&text)) } else { excerpt(&text) };
    Said { message, is_page, ..Said::default() }
}

/// The object whose first long text goes on behind [`BODY_LIMIT`], as if the text ended there.
fn ended(body: &[u8]) -> Option<Value> {
    // The last escape, or the last character, may be cut.
    const CUT: usize = 12;
    let starts = (0..CUT).filter_map(|cut| body.get(..body.len().checked_sub(cut)?));
    starts
        .filter(|_| body.len() == BODY_LIMIT)
        .find_map(|start| serde_json::from_slice(&[start, b"\"}"].concat()).ok())
}

/// Whether a message is nothing but what Go writes where a text's arguments did not fit, as `%!s(<nil>)`.
fn is_accident(message: &str) -> bool {
    let mut pieces = message.split("%!");
    let before = pieces.next().unwrap_or_default();
    let is_blank = |text: &str| !text.contains(char::is_alphanumeric);
    let mut rest = pieces.peekable();
    rest.peek().is_some()
        && is_blank(before)
        && rest.all(|piece| match piece.rsplit_once(')') {
            Some((_, after)) => is_blank(after),
            None => false,
        })
}

/// The strings of an array; nothing of anything else.
fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The sentence of Forgejo's envelope `{message, errors?, url}`; of other JSON, the JSON.
fn envelope(value: &Value) -> String {
    let Value::Object(fields) = value else {
        return match value {
            Value::Null => String::new(),
            Value::String(text) => excerpt(text),
            other => excerpt(&other.to_string()),
        };
    };
    let mut message = fields.get("message").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let errors: Vec<&str> = strings(fields.get("errors")).collect();
    if !errors.is_empty() {
        let between = if message.is_empty() { "" } else { ": " };
        message = format!("{message}{between}{}", errors.join("; "));
    }
    // What else the envelope holds, as the topics that are not valid.
    for (name, value) in fields {
        let known = matches!(name.as_str(), "message" | "errors" | "url" | "nearest");
        if !known && !matches!(value, Value::Null) {
            message = format!("{message} ({name}: {})", excerpt(&value.to_string())).trim_start().to_owned();
        }
    }
    shortened(message, MESSAGE)
}

/// Whether a text is a web page.
pub(super) fn looks_like_page(text: &str) -> bool {
    let start = text.trim_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag)))
}

/// The text of a web page: no tags, scripts or styles.
pub(super) fn without_tags(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((text, tail)) = rest.split_once('<') {
        out.push_str(text);
        out.push(' ');
        let hidden = ["script", "style"]
            .into_iter()
            .find(|name| tail.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)));
        let tail = match hidden {
            Some(name) => tail.split_once(&format!("</{name}")).map_or("", |(_, after)| after),
            None => tail,
        };
        rest = tail.split_once('>').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let out = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    out.replace("&amp;", "&")
}

/// A text on one line, cut where it is long.
pub(super) fn excerpt(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    shortened(line, EXCERPT)
}

/// A text of at most so many characters, and `…` where there were more. An address that was cut tells no longer where its
/// password ends, so that this is masked before.
fn shortened(text: String, most: usize) -> String {
    let mut text = address::without_secrets(&text).unwrap_or(text);
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}
