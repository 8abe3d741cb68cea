//! Whether what a tool makes of a recorded answer is right.

use forgehand::demo::Exchange;
use forgehand::operations::descriptor::{Answer, List};
use forgehand::operations::{Operation, OperationError, Outcome};
use serde_json::{Map, Value};

/// The most characters of a message that are compared: longer texts are cut on purpose.
const COMPARED: usize = 250;

/// What came back, in a word; or what is wrong with it.
pub(crate) fn kind(
    operation: &Operation,
    exchange: &Exchange,
    outcome: &Result<Outcome, OperationError>,
) -> Result<&'static str, String> {
    let body = exchange.response.bytes().unwrap_or_default();
    match (exchange.status, outcome) {
        (200..300, Ok(outcome)) => success(operation, &body, outcome),
        (200..300, Err(error)) => vain(operation, exchange.status, error),
        (300..400, Ok(_)) => Ok("a redirect, followed or told"),
        (300..400, Err(error)) => status(exchange.status, error).map(|()| "a redirect, followed or told"),
        (status, Ok(outcome)) => no(operation, status, outcome),
        (_, Err(error)) => failure(exchange, &body, error),
    }
}

fn success(operation: &Operation, body: &[u8], outcome: &Outcome) -> Result<&'static str, String> {
    let whole = |object: &Map<String, Value>| object.contains_key("answer") && object.contains_key("note");
    match (&operation.answer, outcome) {
        (Answer::Text | Answer::Bytes, Outcome::Text { text, more }) => {
            let told = |name: &str| more.as_ref().and_then(|more| more.get(name));
            let is_whole = told("shown").is_none();
            let is_told = match told("encoding").and_then(Value::as_str) {
                Some("iso-8859-1") => text.chars().map(u32::from).eq(body.iter().map(|b| u32::from(*b))),
                Some("utf-8 with BOM") => body.strip_prefix("\u{feff}".as_bytes()) == Some(text.as_bytes()),
                _ => false,
            };
            if is_whole && text.as_bytes() == body {
                Ok("text")
            } else if is_whole && is_told {
                Ok("text in an encoding that is told")
            } else {
                Err(format!("the text is {} bytes of {}", text.len(), body.len()))
            }
        }
        (Answer::Text | Answer::Bytes, Outcome::Bytes { bytes, .. }) => {
            if bytes == body {
                Ok("bytes")
            } else {
                Err(format!("{} bytes of {}", bytes.len(), body.len()))
            }
        }
        (Answer::Text, Outcome::Json(Value::Object(object)))
            if object.get("target").and_then(Value::as_str).is_some_and(|to| to.as_bytes() == body) =>
        {
            Ok("what a symlink leads to")
        }
        (_, Outcome::Json(Value::Object(object))) if whole(object) => Ok("JSON of another form, shown whole"),
        (Answer::List(list), Outcome::Json(Value::Object(object))) => {
            let Some(Value::Array(items)) = object.get("items") else {
                return if body.is_empty() { Ok("done") } else { Err(format!("no items: {object:?}")) };
            };
            if items.iter().any(|item| item.as_object().is_some_and(Map::is_empty)) {
                return Err("a row that says nothing".to_owned());
            }
            match rows(list, body) {
                Some(count) if count == items.len() => Ok("a list"),
                count => Err(format!("{} rows of {count:?}", items.len())),
            }
        }
        (_, Outcome::Json(Value::Object(object))) if object.contains_key("truncated") => {
            Err("cut, with room for all".to_owned())
        }
        (Answer::Item(_) | Answer::Moved { .. }, Outcome::Json(Value::Object(object))) => {
            let said = serde_json::from_slice::<Value>(body).unwrap_or_default();
            let says_nothing = |value: &Value| match value {
                Value::Null => true,
                Value::Object(fields) => fields.is_empty(),
                _ => false,
            };
            if object.is_empty() && !says_nothing(&said) {
                return Err(format!("nothing of {said}"));
            }
            Ok("an object")
        }
        (Answer::Value { word }, Outcome::Json(value)) => {
            let said: Value = serde_json::from_slice(body).unwrap_or_default();
            if value.get(word) == Some(&said) { Ok("a value") } else { Err(format!("{value} of {said}")) }
        }
        (Answer::YesNo { word, .. }, Outcome::Json(value)) if value[word] == true => Ok("a yes"),
        (Answer::YesNo { word, .. }, Outcome::Json(value)) if value[word] == false => Ok("a no"),
        (Answer::Done { .. }, Outcome::Json(value)) if value.get("status").is_some() => Ok("done"),
        (_, outcome) => Err(format!("an outcome of another kind: {outcome:?}")),
    }
}

/// How many rows a recorded list has.
fn rows(list: &List, body: &[u8]) -> Option<usize> {
    let text = body.trim_ascii();
    if text.is_empty() {
        return Some(0);
    }
    let value = serde_json::Deserializer::from_slice(text).into_iter::<Value>().next()?.ok()?;
    let found = list.items.and_then(|name| value.get(name)).unwrap_or(&value);
    match found {
        Value::Array(items) => Some(items.len()),
        Value::Null => Some(0),
        Value::Object(_) if list.or_one => Some(1),
        _ => None,
    }
}

/// A 2xx by which the forge tells that there is nothing, or that nothing was done.
fn vain(operation: &Operation, code: u16, error: &OperationError) -> Result<&'static str, String> {
    let is_told = operation.statuses.iter().any(|(known, _)| *known == code) && error.status == Some(code);
    if is_told { Ok("a 2xx that did nothing, told as a refusal") } else { Err(format!("{error:?}")) }
}

fn no(operation: &Operation, status: u16, outcome: &Outcome) -> Result<&'static str, String> {
    match (&operation.answer, outcome) {
        (Answer::YesNo { word, no, .. }, Outcome::Json(value))
            if no.contains(&status) && value[word] == false =>
        {
            Ok("a no")
        }
        (Answer::Text, Outcome::Json(value)) if status == 404 && value["type"] == "submodule" => {
            Ok("what has no raw form")
        }
        _ => Err(format!("a {status} became a success: {outcome:?}")),
    }
}

fn status(recorded: u16, error: &OperationError) -> Result<(), String> {
    if error.status == Some(recorded) { Ok(()) } else { Err(format!("{recorded} became {error:?}")) }
}

/// Status and message stay.
fn failure(exchange: &Exchange, body: &[u8], error: &OperationError) -> Result<&'static str, String> {
    status(exchange.status, error)?;
    let is_page = exchange.response.header("content-type").is_some_and(|kind| kind.contains("html"));
    if is_page {
        return Ok("an error with a web page");
    }
    let said = messages(body);
    let shown = dense(&error.message);
    for message in &said {
        let start: String = dense(message).chars().take(COMPARED).collect();
        if !shown.contains(&start) && !shown.contains(&start.escape_debug().to_string()) {
            return Err(format!("the message {message:?} is not in {:?}", error.message));
        }
    }
    Ok(if said.is_empty() { "an error without a message" } else { "an error with its message" })
}

/// What an error's body says.
fn messages(body: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(body).trim().to_owned();
    let value = serde_json::Deserializer::from_str(&text).into_iter::<Value>().next();
    let said = match value {
        Some(Ok(Value::Object(object))) => {
            let errors = object.get("errors").and_then(Value::as_array).into_iter().flatten();
            let message = object.get("message").into_iter();
            message.chain(errors).filter_map(Value::as_str).map(str::to_owned).collect()
        }
        Some(Ok(Value::String(text))) => vec![text],
        Some(Ok(Value::Null)) => Vec::new(),
        _ => vec![text],
    };
    said.into_iter().filter(|message| !message.trim().is_empty()).collect()
}

fn dense(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
