//! From a successful reply to an [`Outcome`]: read within bounds, shown through the view.
//!
//! A write that succeeded stays a success whatever its JSON or text looks like; a web page is not the forge's answer and
//! leaves open what happened. A read whose body cannot be used is an error that says what came instead, and JSON of
//! another form than the documented one is shown whole: neither is ever an empty object or list.

use std::time::Instant;

use bytes::Bytes;
use forgehand_client::{Call, JSON_LIMIT, Raw, Reply, ReplyError};
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};

use super::applied::{self, Asked};
use super::arguments::{Engine, MOST_MAX_BYTES};
use super::descriptor::{Answer, Effect, Lines, List, Operation, Paging, Shape};
use super::fit::Whole;
use super::lines;
use super::outcome::Outcome;
use super::projection::{Rows, Show};
use super::reading::parsed;
use super::{
    Code, OperationError, beside, files, fit, form, held, mask, order, paging, projection, refusal, said,
    size, text,
};
use crate::forge::Forge;

/// The most bytes of an answer that is no text, unless `max_bytes` sets another bound: 1 MiB.
pub const BYTES_LIMIT: usize = 1024 * 1024;

/// What stands beside an answer that is shown whole.
const UNDOCUMENTED: &str = "this is all that the forge answered, and not in the form that its document tells";

/// What is known about the call whose answer is read.
pub(super) struct Context<'a> {
    pub(super) forge: &'a Forge,
    pub(super) deadline: Instant,
    pub(super) operation: &'static Operation,
    pub(super) call: &'a Call<Raw>,
    pub(super) engine: &'a Engine,
    /// What was asked, and the answer tells of.
    pub(super) compared: &'a [Asked],
    /// The budget of the answer's text, in bytes.
    pub(super) max: usize,
}

impl Context<'_> {
    /// Reads a 2xx.
    pub(super) async fn outcome(&self, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let is_file = matches!(self.operation.answer, Answer::Text | Answer::Bytes);
        if is_file && !self.operation.html && said::is_page_for_file(&reply) {
            let said = said::read(&mut reply).await;
            return Err(self.page(&reply, "the file or text", &said.message));
        }
        if let Some(told) = length(&reply) {
            self.check_size(told, &reply)?;
        }
        if let Some(download) = &self.engine.local.download {
            return self.save(download, reply).await;
        }
        match &self.operation.answer {
            Answer::Item(shape) | Answer::Moved { shape, .. } => self.item(shape, reply).await,
            Answer::List(list) => self.list(list, reply).await,
            Answer::Value { word } => self.value(word, reply).await,
            Answer::Text => self.text(reply).await,
            Answer::Bytes => self.bytes(Vec::new(), reply).await,
            Answer::Done { .. } => self.done(reply).await,
            Answer::YesNo { .. } => Err(refusal::undecided(self.call, reply).await),
        }
    }

    fn is_read(&self) -> bool {
        self.operation.effect == Effect::Read
    }

    async fn item(&self, shape: &'static Shape, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread(&reply, &error),
        };
        if is_blank(&body) {
            return self.nothing(&reply);
        }
        let value = match parsed(&body, |body| {
            projection::item(self.engine.show(shape), self.operation.mask, body)
        }) {
            Ok(value) => value,
            Err(error) => return self.no_json(&reply, body, &error),
        };
        let is_full = value.as_object().is_some_and(|fields| !fields.is_empty());
        if !is_full {
            match unlike(&body, |answer| projection::has_form(shape, answer)) {
                Ok(None) => {}
                Ok(Some(answer)) => return self.undocumented(&reply, answer),
                Err(error) => return self.no_json(&reply, body, &error),
            }
        }
        let mut value = object(value);
        if let Value::Object(fields) = &mut value {
            self.tell_cover(fields, &reply);
        }
        applied::put(&mut value, self.unapplied(&body));
        if let (Some(Lines::Field(field)), Some(range)) = (self.operation.lines, self.engine.range) {
            lines::of_field(&mut value, field, range).map_err(|error| self.about(error, &reply))?;
        }
        fit::fit(&mut value, self.max, self.again());
        Ok(Outcome::Json(value))
    }

    /// What shows all of an object that is cut.
    fn again(&self) -> Whole {
        if self.is_read() { Whole::Again(0) } else { Whole::Elsewhere }
    }

    /// A bare value under its name.
    async fn value(&self, word: &'static str, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread(&reply, &error),
        };
        if is_blank(&body) {
            return self.nothing(&reply);
        }
        match parsed(&body, |body| projection::item(Show::View(&Shape::Whole), None, body)) {
            Ok(value @ (Value::Bool(_) | Value::Number(_) | Value::String(_))) => {
                Ok(self.fitted(Map::from_iter([(word.to_owned(), value)])))
            }
            Ok(answer) => self.undocumented(&reply, answer),
            Err(error) => self.no_json(&reply, body, &error),
        }
    }

    /// What stands beside a write's answer: what was asked and not applied. It takes about half of the budget at most.
    fn unapplied(&self, body: &[u8]) -> Map<String, Value> {
        if self.compared.is_empty() {
            return Map::new();
        }
        let answer =
            parsed(body, |body| projection::item(Show::View(&Shape::Whole), self.operation.mask, body));
        let told = answer.map_or_else(|_| Map::new(), |answer| applied::told(self.compared, &answer));
        let mut told = Value::Object(told);
        fit::fit_told(&mut told, self.max / 2);
        if let Value::Object(told) = told { told } else { Map::new() }
    }

    /// Tells of an item that was asked for with a `limit`, as the checks of a commit, what is left out of it: `total`, `next`
    /// where the operation has pages, and a note. The header's total counts before the body's, which Forgejo makes of one page.
    fn tell_cover(&self, fields: &mut Map<String, Value>, reply: &Reply<Raw>) {
        let told =
            paging::total(reply.headers()).or_else(|| fields.get("total_count").and_then(Value::as_u64));
        let Some(limit) = self.sent_limit() else { return };
        // A server may send fewer than it was asked for.
        let lists = fields.values().filter_map(Value::as_array);
        let shown = lists.map(|list| list.len() as u64).max().unwrap_or(limit).min(limit);
        let page = self.engine.page.unwrap_or(1);
        let Some(total) = told else {
            if self.engine.needs.pages && self.engine.page.is_some() && shown > 0 {
                fields.insert("next".to_owned(), json!({ "page": page + 1 }));
            }
            return;
        };
        if shown >= total {
            return;
        }
        let which = if page == 1 { "the first " } else { "" };
        let note = format!("covers {which}{shown} of {total}; what it says of all, it says of these");
        fields.insert("total".to_owned(), total.into());
        if self.engine.page.is_some() && shown > 0 && paging::goes_on(page, limit, shown, total) {
            fields.insert("next".to_owned(), json!({ "page": page + 1 }));
        }
        fields.insert("note".to_owned(), note.into());
    }

    /// The `limit` of the query.
    fn sent_limit(&self) -> Option<u64> {
        let (_, query) = self.call.target.split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix("limit=")?.parse().ok())
    }

    async fn list(&self, list: &List, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread(&reply, &error),
        };
        if is_blank(&body) {
            let done = self.nothing(&reply)?;
            return Ok(if self.is_read() { Outcome::Json(json!({ "items": [] })) } else { done });
        }
        let (window, body) = match list.paging {
            Paging::Forge | Paging::Fixed => (paging::window_of_page(self.engine), body),
            Paging::Here => (paging::window_of_list(self.engine, || order::count(&body)), order::by_id(body)),
            Paging::InOrder => (paging::window_of_list(self.engine, || order::count(&body)), body),
        };
        let show = self.engine.show(list.row);
        let read = |show: Show<'_>| {
            parsed(&body, |body| projection::rows(list, show, self.operation.mask, window, body))
        };
        let rows = match read(show) {
            Ok(rows) => rows,
            Err(error) => return self.no_json(&reply, body, &error),
        };
        let is_bare = |row: &Value| row.as_object().is_some_and(Map::is_empty);
        if rows.is_odd || (!rows.items.is_empty() && rows.items.iter().all(is_bare)) {
            let has_form = |answer: &Value| {
                let found = list.items.and_then(|name| answer.get(name)).unwrap_or(answer);
                !rows.is_odd && projection::has_form(list.row, found)
            };
            match unlike(&body, has_form) {
                Ok(None) => {}
                Ok(Some(answer)) => return self.undocumented(&reply, answer),
                Err(error) => return self.no_json(&reply, body, &error),
            }
        }
        self.check_filters(list, &body)?;
        let unapplied = self.unapplied(&body);
        let max = self.max.saturating_sub(size::fields(&unapplied));
        // The paths are ours; where a release has them not, nothing stands beside.
        let picked = beside::picked(self.operation, self.engine.needs.of_rows)
            .and_then(|picked| Some(read(picked.show()).ok()?.items));
        let (mut value, start) = self.paged(list, rows, reply.headers(), max);
        applied::put(&mut value, unapplied);
        fit::fit_told(&mut value, self.max);
        if let Some(picked) = picked {
            beside::put(&mut value, picked, start);
        }
        Ok(Outcome::Json(value))
    }

    /// The rows that the budget lets be shown, and what leads to the others; with the place of the first that is shown.
    fn paged(&self, list: &List, rows: Rows, headers: &HeaderMap, max: usize) -> (Value, usize) {
        let paged = match list.paging {
            // What leads on would send the write again.
            _ if !self.is_read() => {
                let is_whole = matches!(list.paging, Paging::Here | Paging::InOrder);
                let total = rows.total.or_else(|| paging::total(headers)).or(is_whole.then_some(rows.count));
                let mut fields = Map::from_iter([("items".to_owned(), Value::Array(rows.items))]);
                fields.extend(total.map(|total| ("total".to_owned(), total.into())));
                let mut answered = Value::Object(fields);
                fit::fit(&mut answered, max, Whole::Elsewhere);
                answered
            }
            Paging::Forge => return paging::page(self.engine, rows, headers, max),
            Paging::Fixed => paging::page_of_own_size(self.engine, rows, headers, max),
            Paging::Here | Paging::InOrder => {
                paging::whole(self.engine, rows, (headers, self.sent_limit()), max)
            }
        };
        (paged, 0)
    }

    /// Refuses a list that the forge has not filtered as it was asked to.
    fn check_filters(&self, list: &List, body: &[u8]) -> Result<(), OperationError> {
        if !self.compared.iter().any(|asked| held::is_held(asked.applied.by)) {
            return Ok(());
        }
        let Ok(answer) = parsed(body, |body| projection::item(Show::View(&Shape::Whole), None, body)) else {
            return Ok(());
        };
        let rows = list.items.and_then(|name| answer.get(name)).unwrap_or(&answer);
        held::check(self.compared, rows).map_err(|mut error| {
            error.call = Some(refusal::called(self.call));
            error
        })
    }

    /// `{"<word>": true, "status": …, note?}`, with the body as `answer` where there is one.
    pub(super) async fn done(&self, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let body = match reply.bytes(JSON_LIMIT).await {
            Ok(body) => body,
            Err(error) => return self.unread(&reply, &error),
        };
        let mut outcome = self.success(reply.status());
        if !is_blank(&body) {
            let text = String::from_utf8_lossy(&body);
            let answer = match parsed(&body, |body| {
                projection::item(Show::View(&Shape::Whole), self.operation.mask, body)
            }) {
                Ok(answer) => answer,
                Err(_) if said::is_page(&reply, &text) => {
                    return Err(self.page(&reply, "JSON", &said::of_page(&text)));
                }
                Err(_) => Value::String(self.excerpt(&text)),
            };
            // The forge's own word for it counts for more than the status.
            for (word, told) in outcome.iter_mut().filter(|(_, told)| told.is_boolean()) {
                if let Some(own) = answer.get(word).filter(|own| own.is_boolean()) {
                    *told = own.clone();
                }
            }
            self.insert_answer(&mut outcome, answer);
        }
        Ok(self.fitted(outcome))
    }

    /// That the operation is done, in its own word: `{"done": true, "status": …}`. Where the status means another word:
    /// `{"merged": false, "scheduled": true, "status": 201}`.
    fn success(&self, status: StatusCode) -> Map<String, Value> {
        let (word, instead, note) = match self.operation.answer {
            Answer::Done { word, instead, note } => (word, instead, note),
            _ => ("done", [].as_slice(), None),
        };
        let other = instead.iter().find(|(known, _)| *known == status.as_u16());
        let mut out = Map::with_capacity(4);
        out.insert(word.to_owned(), other.is_none().into());
        if let Some((_, other)) = other {
            out.insert((*other).to_owned(), true.into());
        }
        out.insert("status".to_owned(), status.as_u16().into());
        if let Some(note) = note.filter(|_| !self.engine.is_seen) {
            out.insert("note".to_owned(), note.into());
        }
        out
    }

    /// No body: a write is done, and so is a read whose status says that there is none.
    fn nothing(&self, reply: &Reply<Raw>) -> Result<Outcome, OperationError> {
        let status = reply.status();
        if self.is_read() && self.engine.needs.form {
            let came = format!("{} without a body", refusal::name(status));
            return Err(self.about(form::other(self.operation, &came), reply));
        }
        if self.is_read() && !matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT) {
            let said = format!("the forge answered {} without what was asked for", refusal::name(status));
            return Err(self.about(OperationError::new(Code::Refused, said), reply));
        }
        Ok(Outcome::Json(Value::Object(self.success(status))))
    }

    /// JSON of another form than the documented one, as it came: `{"answer": …, "note": …}`; to a program that needs the form,
    /// an error.
    fn undocumented(&self, reply: &Reply<Raw>, mut answer: Value) -> Result<Outcome, OperationError> {
        let whole = self.operation.mask;
        let row = match &self.operation.answer {
            Answer::List(list) => mask::of_rows(whole, list),
            _ => None,
        };
        for found in [whole, row].into_iter().flatten() {
            mask::hide_anywhere(&mut answer, found);
        }
        if self.is_read() && self.engine.needs.form {
            return Err(self.about(form::other(self.operation, &answer.to_string()), reply));
        }
        let mut out = if self.is_read() { Map::new() } else { self.success(reply.status()) };
        self.insert_answer(&mut out, answer);
        out.insert("note".to_owned(), UNDOCUMENTED.into());
        Ok(self.fitted(out))
    }

    /// Any JSON; as text where it is too large, since text can be cut anywhere.
    fn insert_answer(&self, out: &mut Map<String, Value>, answer: Value) {
        let answer = if size::json(&answer) > self.max { answer.to_string().into() } else { answer };
        out.insert("answer".to_owned(), answer);
    }

    fn fitted(&self, out: Map<String, Value>) -> Outcome {
        let mut value = Value::Object(out);
        fit::fit(&mut value, self.max, self.again());
        Outcome::Json(value)
    }

    /// Bytes up to `max_bytes` where it is given, else up to [`BYTES_LIMIT`]; `body` was read already.
    pub(super) async fn bytes(
        &self,
        mut body: Vec<u8>,
        mut reply: Reply<Raw>,
    ) -> Result<Outcome, OperationError> {
        let limit = self.engine.max_bytes.unwrap_or(BYTES_LIMIT);
        let told = length(&reply).and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        while body.len() <= limit && told <= limit {
            match reply.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => {
                    self.check_size(body.len() as u64, &reply)?;
                    let media_type =
                        reply.header("content-type").unwrap_or("application/octet-stream").to_owned();
                    let sha = self.engine.with_metadata.then(|| text::sha(&reply)).flatten();
                    return Ok(Outcome::Bytes { bytes: body.into(), media_type, sha });
                }
                Err(error) => return Err(self.broken(&reply, &error)),
            }
        }
        let size = if told > 0 { format!("{told} bytes") } else { format!("more than {limit} bytes") };
        let error = OperationError::new(Code::TooLarge, format!("the answer is no text and has {size}"));
        let hint = match told <= MOST_MAX_BYTES {
            true => format!("max_bytes allows up to {MOST_MAX_BYTES} bytes"),
            false => format!("{} writes it to a file", files::SAVES),
        };
        Err(self.about(error.hint(hint), &reply))
    }

    pub(super) fn about(&self, mut error: OperationError, reply: &Reply<Raw>) -> OperationError {
        error.status = Some(reply.status().as_u16());
        error.call = Some(refusal::called(self.call));
        error
    }

    pub(super) fn broken(&self, reply: &Reply<Raw>, error: &ReplyError) -> OperationError {
        self.about(OperationError::new(refusal::code_of_broken(error), error.to_string()), reply)
    }

    /// A body that could not be read to its end: a write is done all the same.
    fn unread(&self, reply: &Reply<Raw>, error: &ReplyError) -> Result<Outcome, OperationError> {
        let error = self.broken(reply, error);
        if self.is_read() { Err(error) } else { Ok(self.noted(reply, &error.message)) }
    }

    fn noted(&self, reply: &Reply<Raw>, note: &str) -> Outcome {
        let mut out = self.success(reply.status());
        super::note_beside(&mut out, note.to_owned());
        Outcome::Json(Value::Object(out))
    }

    /// A web page where the forge's answer was expected: something else stands before the API, and may have kept a write
    /// from it.
    fn page(&self, reply: &Reply<Raw>, of: &str, shown: &str) -> OperationError {
        let said = said::in_place_of(of, shown);
        let error = if self.is_read() {
            OperationError::new(Code::Refused, said).hint(refusal::NO_API)
        } else {
            OperationError::new(Code::OutcomeUnknown, said).hint(format!(
                "{}, and {}",
                refusal::NO_API,
                refusal::LOOK_FIRST
            ))
        };
        self.about(error, reply)
    }

    /// The start of a text. Where an answer may hold a secret, what cannot be read cannot be masked, and its size is told.
    fn excerpt(&self, text: &str) -> String {
        match self.operation.mask {
            None => said::excerpt(text),
            Some(_) => format!("{} bytes, not shown since they may hold a secret", text.len()),
        }
    }

    /// A body that is no JSON: a write is done all the same, a text is text, a web page is told apart.
    fn no_json(
        &self,
        reply: &Reply<Raw>,
        body: Bytes,
        error: &serde_json::Error,
    ) -> Result<Outcome, OperationError> {
        let media_type = reply.header("content-type").unwrap_or_default();
        let text = String::from_utf8_lossy(&body);
        if said::is_page(reply, &text) {
            return Err(self.page(reply, "JSON", &said::of_page(&text)));
        }
        let shown = self.excerpt(&text);
        if !self.is_read() {
            return Ok(self.noted(reply, &format!("the forge answered no JSON: {shown}")));
        }
        if self.engine.needs.form {
            return Err(self.about(form::other(self.operation, &format!("no JSON: {shown}")), reply));
        }
        let hides = self.operation.mask.is_some();
        if media_type.starts_with("text/") && !hides && std::str::from_utf8(&body).is_ok() {
            return Ok(text::whole(&body, self.max));
        }
        let said = format!("the forge's answer is no valid JSON ({error}): {shown}");
        Err(self.about(OperationError::new(Code::Refused, said), reply))
    }
}

/// The whole value of a body that has not the documented form.
///
/// # Errors
/// What can be skipped and not be read: JSON that is nested too deep.
fn unlike(body: &[u8], has_form: impl FnOnce(&Value) -> bool) -> Result<Option<Value>, serde_json::Error> {
    let answer = parsed(body, |body| projection::item(Show::View(&Shape::Whole), None, body))?;
    Ok((!has_form(&answer)).then_some(answer))
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

/// The length that the headers tell; none for an answer that came compressed.
pub(super) fn length(reply: &Reply<Raw>) -> Option<u64> {
    reply.header("content-length")?.parse().ok()
}
