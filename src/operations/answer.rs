//! From a successful reply to an [`Outcome`]: read within bounds, shown through the view.
//!
//! A write that succeeded stays a success whatever its body looks like; a read whose body cannot be used is an error
//! that says what came instead.

use bytes::Bytes;
use forgehand_client::{Call, JSON_LIMIT, Raw, Reply, ReplyError};
use serde_json::{Map, Value, json};

use super::arguments::{Engine, MOST_MAX_BYTES};
use super::descriptor::{Answer, Effect, List, Operation, Paging, Shape};
use super::outcome::Outcome;
use super::{Code, OperationError, paging, projection, refusal};

/// The most bytes of an answer that is no text, unless `max_bytes` allows more: 1 MiB.
pub const BYTES_LIMIT: usize = 1024 * 1024;

/// What is known about the call whose answer is read.
pub(super) struct Context<'a> {
    pub(super) operation: &'static Operation,
    pub(super) call: &'a Call<Raw>,
    pub(super) engine: &'a Engine,
    /// The budget of the answer's text, in bytes.
    pub(super) max: usize,
}

impl Context<'_> {
    /// Reads a 2xx.
    pub(super) async fn outcome(&self, reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        match &self.operation.answer {
            Answer::Item(shape) => self.item(shape, reply).await,
            Answer::List(list) => self.list(list, reply).await,
            Answer::Text => self.text(reply).await,
            Answer::Bytes => self.bytes(Vec::new(), reply).await,
            Answer::Done { word } => self.done(word, reply).await,
            Answer::YesNo { word, .. } => Ok(done(word, reply.status().as_u16())),
        }
    }

    async fn item(&self, shape: &'static Shape, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread("done", &reply, &error),
        };
        if is_blank(&body) {
            return Ok(done("done", reply.status().as_u16()));
        }
        match parsed(&body, |body| projection::item(shape, body)) {
            Ok(value) => Ok(Outcome::Json(object(value))),
            Err(error) => self.no_json("done", &reply, body, &error),
        }
    }

    async fn list(&self, list: &List, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread("done", &reply, &error),
        };
        let body = if is_blank(&body) { Bytes::from_static(b"null") } else { body };
        let window = match list.paging {
            Paging::Forge => paging::window_of_page(self.engine),
            Paging::Here => paging::window_of_list(self.engine),
        };
        let rows = match parsed(&body, |body| projection::rows(list, window, body)) {
            Ok(rows) => rows,
            Err(error) => return self.no_json("done", &reply, body, &error),
        };
        Ok(Outcome::Json(match list.paging {
            Paging::Forge => paging::page(self.engine, rows, reply.headers(), self.max),
            Paging::Here => paging::whole(self.engine, rows, reply.headers(), self.max),
        }))
    }

    /// `{"<word>": true, "status": …}`, with the body as `answer` where there is one.
    async fn done(&self, word: &'static str, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread(word, &reply, &error),
        };
        let mut outcome = done_object(word, reply.status().as_u16());
        if !is_blank(&body) {
            let answer = parsed(&body, |body| projection::item(&Shape::Whole, body))
                .unwrap_or_else(|_| Value::String(refusal::excerpt(&String::from_utf8_lossy(&body))));
            outcome.insert("answer".to_owned(), answer);
        }
        Ok(Outcome::Json(Value::Object(outcome)))
    }

    /// Text up to the budget, cut at a line; what is no UTF-8 text becomes bytes.
    async fn text(&self, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let mut body = Vec::new();
        while body.len() <= self.max {
            match reply.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => {
                    return match text_of(body) {
                        Ok(text) => Ok(Outcome::Text { text, more: None }),
                        Err(body) => self.bytes(body, reply).await,
                    };
                }
                Err(error) => return Err(self.broken(&reply, &error)),
            }
        }
        let Some(shown) = text_border(&body, self.max) else { return self.bytes(body, reply).await };
        body.truncate(shown);
        match text_of(body) {
            Ok(text) => Ok(Outcome::Text { text, more: Some(cut(shown, length(&reply))) }),
            Err(body) => self.bytes(body, reply).await,
        }
    }

    /// Bytes up to [`BYTES_LIMIT`], or what `max_bytes` allows beyond; `body` was read already.
    async fn bytes(&self, mut body: Vec<u8>, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let limit = self.engine.max_bytes.unwrap_or(0).max(BYTES_LIMIT);
        let told = length(&reply).and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        while body.len() <= limit && told <= limit {
            match reply.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => {
                    let media_type =
                        reply.header("content-type").unwrap_or("application/octet-stream").to_owned();
                    return Ok(Outcome::Bytes { bytes: body.into(), media_type });
                }
                Err(error) => return Err(self.broken(&reply, &error)),
            }
        }
        let size = if told > 0 { format!("{told} bytes") } else { format!("more than {limit} bytes") };
        let error = OperationError::new(Code::TooLarge, format!("the answer is no text and has {size}"));
        let hint = (told <= MOST_MAX_BYTES).then(|| format!("max_bytes allows up to {MOST_MAX_BYTES} bytes"));
        let error = self.about(error, &reply);
        Err(if let Some(hint) = hint { error.hint(hint) } else { error })
    }

    fn about(&self, mut error: OperationError, reply: &Reply<Raw>) -> OperationError {
        error.status = Some(reply.status().as_u16());
        error.call = Some(refusal::called(self.call));
        error
    }

    fn broken(&self, reply: &Reply<Raw>, error: &ReplyError) -> OperationError {
        let code = match error {
            ReplyError::Broken(error) if error.is_timeout() => Code::Timeout,
            ReplyError::TooLarge { .. } => Code::TooLarge,
            _ => Code::Unreachable,
        };
        self.about(OperationError::new(code, error.to_string()), reply)
    }

    /// A body that could not be read to its end: a write is done all the same.
    fn unread(
        &self,
        word: &'static str,
        reply: &Reply<Raw>,
        error: &ReplyError,
    ) -> Result<Outcome, OperationError> {
        let error = self.broken(reply, error);
        if self.operation.effect == Effect::Read {
            return Err(error);
        }
        Ok(noted(word, reply.status().as_u16(), &error.message))
    }

    /// A body that is no JSON: a write is done all the same, a text is text, a web page is told apart.
    fn no_json(
        &self,
        word: &'static str,
        reply: &Reply<Raw>,
        body: Bytes,
        error: &serde_json::Error,
    ) -> Result<Outcome, OperationError> {
        let media_type = reply.header("content-type").unwrap_or_default();
        let text = String::from_utf8_lossy(&body);
        let is_page = media_type.contains("html") || refusal::looks_like_page(&text);
        let shown =
            if is_page { refusal::excerpt(&refusal::without_tags(&text)) } else { refusal::excerpt(&text) };
        if self.operation.effect != Effect::Read {
            return Ok(noted(word, reply.status().as_u16(), &format!("the forge answered no JSON: {shown}")));
        }
        if is_page {
            let said = format!("the forge answered a web page in place of JSON: {shown}");
            let hint = "a sign-in page or a proxy stands before the API; check the address and the token";
            return Err(self.about(OperationError::new(Code::Refused, said), reply).hint(hint));
        }
        if media_type.starts_with("text/") && std::str::from_utf8(&body).is_ok() {
            return Ok(whole_text(&body, self.max));
        }
        let said = format!("the forge's answer is no valid JSON ({error}): {shown}");
        Err(self.about(OperationError::new(Code::Refused, said), reply))
    }
}

/// Parses a body; bytes that are no UTF-8 are replaced before the second try.
fn parsed<T>(
    body: &[u8],
    parse: impl Fn(&[u8]) -> Result<T, serde_json::Error>,
) -> Result<T, serde_json::Error> {
    parse(body).or_else(|error| match std::str::from_utf8(body) {
        Ok(_) => Err(error),
        Err(_) => parse(String::from_utf8_lossy(body).as_bytes()),
    })
}

fn is_blank(body: &[u8]) -> bool {
    body.iter().all(u8::is_ascii_whitespace)
}

/// An answer is an object: a list stands under `items`, another value under `value`.
fn object(value: Value) -> Value {
    match value {
        Value::Object(_) => value,
        Value::Null => json!({}),
        Value::Array(_) => json!({ "items": value }),
        scalar => json!({ "value": scalar }),
    }
}

fn done_object(word: &str, status: u16) -> Map<String, Value> {
    let mut out = Map::with_capacity(3);
    out.insert(word.to_owned(), true.into());
    out.insert("status".to_owned(), status.into());
    out
}

pub(super) fn done(word: &str, status: u16) -> Outcome {
    Outcome::Json(Value::Object(done_object(word, status)))
}

fn noted(word: &str, status: u16, note: &str) -> Outcome {
    let mut out = done_object(word, status);
    out.insert("note".to_owned(), note.into());
    Outcome::Json(Value::Object(out))
}

/// The length that the headers tell; none for an answer that came compressed.
fn length(reply: &Reply<Raw>) -> Option<u64> {
    reply.header("content-length")?.parse().ok()
}

/// Text without NUL, or the bytes back.
fn text_of(body: Vec<u8>) -> Result<String, Vec<u8>> {
    if body.contains(&0) {
        return Err(body);
    }
    String::from_utf8(body).map_err(std::string::FromUtf8Error::into_bytes)
}

/// Where a text that is too long is cut: behind the last line within `max` bytes, else at a character. `None` where the
/// start is no UTF-8.
fn text_border(body: &[u8], max: usize) -> Option<usize> {
    let start = body.get(..max).unwrap_or(body);
    let valid = match std::str::from_utf8(start) {
        Ok(_) => start.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => return None,
    };
    let line = start.get(..valid)?.iter().rposition(|byte| *byte == b'\n');
    Some(line.map_or(valid, |at| at + 1))
}

/// What stands beside a text that was cut: bytes shown and, where the forge tells it, of how many.
fn cut(shown: usize, total: Option<u64>) -> Value {
    let mut more = Map::new();
    more.insert("shown".to_owned(), shown.into());
    if let Some(total) = total {
        more.insert("total".to_owned(), total.into());
    }
    if total.is_none_or(|total| total <= MOST_MAX_BYTES as u64) {
        let note = format!("cut here; max_bytes (at most {MOST_MAX_BYTES}) shows more");
        more.insert("note".to_owned(), note.into());
    }
    Value::Object(more)
}

fn whole_text(body: &[u8], max: usize) -> Outcome {
    let shown = if body.len() > max { text_border(body, max).unwrap_or(body.len()) } else { body.len() };
    let text = String::from_utf8_lossy(body.get(..shown).unwrap_or(body)).into_owned();
    let more = (shown < body.len()).then(|| cut(shown, Some(body.len() as u64)));
    Outcome::Text { text, more }
}
