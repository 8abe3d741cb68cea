//! Answers that are texts: all of one, some of its lines, some files of a diff, and what is told beside them.

use bytes::Bytes;
use forgehand_client::{Raw, Reply};
use serde_json::{Map, Value};

use super::answer::{Context, length};
use super::arguments::MOST_MAX_BYTES;
use super::descriptor::Lines;
use super::diff::Sections;
use super::lines::{self, Collector, Range};
use super::outcome::Outcome;
use super::{Code, OperationError};

impl Context<'_> {
    /// A text, or what was chosen of it.
    pub(super) async fn text(&self, reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        match (&self.engine.paths, self.engine.range) {
            (Some(paths), _) => self.sections(paths, reply).await,
            (None, Some(range)) => self.lines(range, reply).await,
            (None, None) => self.all(reply).await,
        }
    }

    /// Text up to the budget, cut at a line; what is no UTF-8 text becomes bytes.
    async fn all(&self, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let mut facts = self.facts();
        let mut body = Vec::new();
        while body.len() <= self.max {
            let Some(chunk) = self.chunk(&mut reply, &mut facts).await? else {
                return match text_of(body) {
                    Ok(text) => {
                        Ok(Outcome::Text { text, more: facts.map(|facts| facts.tell(Map::new(), &reply)) })
                    }
                    Err(body) => self.bytes(body, reply).await,
                };
            };
            body.extend_from_slice(&chunk);
        }
        let border = text_border(&body, self.max).filter(|_| !body.contains(&0));
        let Some(shown) = border else { return self.bytes(body, reply).await };
        body.truncate(shown);
        let text = String::from_utf8_lossy(&body).into_owned();
        while facts.is_some() && self.chunk(&mut reply, &mut facts).await?.is_some() {}
        let mut more = cut(shown, facts.as_ref().map(|facts| facts.size).or_else(|| length(&reply)));
        if self.operation.lines == Some(Lines::Text) && text.ends_with('\n') {
            more.insert("next".to_owned(), lines::from_line(lines::ended(text.as_bytes()) + 1));
        }
        Ok(Outcome::Text { text, more: Some(told(facts, more, &reply)) })
    }

    /// Some lines of a text up to the budget, and how many there are.
    async fn lines(&self, range: Range, mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let mut facts = self.facts();
        let mut collector = Collector::new(range, self.max);
        while let Some(chunk) = self.chunk(&mut reply, &mut facts).await? {
            collector.push(&chunk);
        }
        let chosen = collector.finish().map_err(|error| self.about(error, &reply))?;
        let Ok(text) = text_of(chosen.bytes) else {
            let said = "the answer is no text, so there are no lines to choose from";
            let error = OperationError::new(Code::Refused, said).hint("leave out start_line and end_line");
            return Err(self.about(error, &reply));
        };
        let mut more = if chosen.is_cut { cut(text.len(), None) } else { Map::new() };
        more.insert("lines".to_owned(), chosen.lines.into());
        if let Some(line) = chosen.next {
            more.insert("next".to_owned(), lines::from_line(line));
        }
        Ok(Outcome::Text { text, more: Some(told(facts, more, &reply)) })
    }

    /// The sections of some files of a diff, up to the budget. No more of the diff is kept than that.
    async fn sections(&self, paths: &[String], mut reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let mut sections = Sections::new(paths, self.max);
        while !sections.has_enough() {
            let Some(chunk) = self.chunk(&mut reply, &mut None).await? else { break };
            sections.push(&chunk);
        }
        let mut body = sections.finish().map_err(|error| self.about(error, &reply))?;
        let mut more = None;
        let is_binary = body.contains(&0);
        if body.len() > self.max {
            let border = text_border(&body, self.max).filter(|_| !is_binary);
            let Some(shown) = border else {
                let said =
                    format!("these files' part of the diff is no text and has more than {} bytes", self.max);
                let hint = format!("max_bytes allows up to {MOST_MAX_BYTES} bytes");
                return Err(self.about(OperationError::new(Code::TooLarge, said).hint(hint), &reply));
            };
            body.truncate(shown);
            more = Some(Value::Object(cut(shown, None)));
        }
        match text_of(body) {
            Ok(text) => Ok(Outcome::Text { text, more }),
            Err(body) => {
                let media_type = "application/octet-stream".to_owned();
                Ok(Outcome::Bytes { bytes: body.into(), media_type, sha: None })
            }
        }
    }

    /// The next piece of a body; none is its end.
    async fn chunk(
        &self,
        reply: &mut Reply<Raw>,
        facts: &mut Option<Facts>,
    ) -> Result<Option<Bytes>, OperationError> {
        let chunk = reply.chunk().await.map_err(|error| self.broken(reply, &error))?;
        if let (Some(facts), Some(chunk)) = (facts, &chunk) {
            facts.push(chunk);
        }
        Ok(chunk)
    }

    /// Where facts are to be told.
    fn facts(&self) -> Option<Facts> {
        self.engine.with_metadata.then(Facts::default)
    }
}

/// What is told of a whole text, gathered while it passes.
#[derive(Debug, Default)]
struct Facts {
    size: u64,
    lines: u64,
    /// Whether the last line has bytes and no end yet.
    is_open: bool,
    /// The start of a character whose other bytes are to come.
    half: Vec<u8>,
    is_odd: bool,
}

impl Facts {
    fn push(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.lines += lines::ended(piece);
        self.is_open = piece.last().map_or(self.is_open, |last| *last != b'\n');
        if self.is_odd {
            return;
        }
        let mut joined = std::mem::take(&mut self.half);
        // A character has four bytes at most, so three more end the one that was begun.
        let (first, rest) = piece.split_at(if joined.is_empty() { 0 } else { piece.len().min(3) });
        joined.extend_from_slice(first);
        match std::str::from_utf8(&joined) {
            Ok(_) => self.check(rest),
            Err(error) if error.error_len().is_some() => self.is_odd = true,
            Err(error) => {
                joined.drain(..error.valid_up_to());
                joined.extend_from_slice(rest);
                self.check(&joined);
            }
        }
    }

    fn check(&mut self, bytes: &[u8]) {
        if let Err(error) = std::str::from_utf8(bytes) {
            self.is_odd = error.error_len().is_some();
            self.half = bytes.get(error.valid_up_to()..).unwrap_or_default().to_vec();
        }
    }

    /// Puts what is known beside what is told already.
    fn tell(self, mut more: Map<String, Value>, reply: &Reply<Raw>) -> Value {
        more.insert("size".to_owned(), self.size.into());
        if !self.is_odd && self.half.is_empty() {
            more.insert("encoding".to_owned(), "utf-8".into());
        }
        more.insert("lines".to_owned(), (self.lines + u64::from(self.is_open)).into());
        if let Some(sha) = sha(reply) {
            more.insert("sha".to_owned(), sha.into());
        }
        Value::Object(more)
    }
}

fn told(facts: Option<Facts>, more: Map<String, Value>, reply: &Reply<Raw>) -> Value {
    match facts {
        Some(facts) => facts.tell(more, reply),
        None => Value::Object(more),
    }
}

/// The sha of the blob that a file's answer is: the forge makes its `ETag` of it.
pub(super) fn sha(reply: &Reply<Raw>) -> Option<String> {
    let tag = reply.header("etag")?;
    let sha = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?.strip_suffix('"')?;
    let is_sha = matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha.then(|| sha.to_owned())
}

/// Text without NUL, or the bytes back.
fn text_of(body: Vec<u8>) -> Result<String, Vec<u8>> {
    if body.contains(&0) {
        return Err(body);
    }
    String::from_utf8(body).map_err(std::string::FromUtf8Error::into_bytes)
}

/// Where a text that is too long is cut: behind the last line within `max` bytes where that keeps half of them, else at a
/// character. `None` where the start is no UTF-8.
fn text_border(body: &[u8], max: usize) -> Option<usize> {
    let start = body.get(..max).unwrap_or(body);
    let valid = match std::str::from_utf8(start) {
        Ok(_) => start.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => return None,
    };
    let line = start.get(..valid)?.iter().rposition(|byte| *byte == b'\n');
    Some(line.map(|at| at + 1).filter(|end| *end > max / 2).unwrap_or(valid))
}

/// What stands beside a text that was cut: bytes shown and, where the forge tells it, of how many.
fn cut(shown: usize, total: Option<u64>) -> Map<String, Value> {
    let mut more = Map::new();
    more.insert("shown".to_owned(), shown.into());
    if let Some(total) = total {
        more.insert("total".to_owned(), total.into());
    }
    if total.is_none_or(|total| total <= MOST_MAX_BYTES as u64) {
        let note = format!("cut here; max_bytes (at most {MOST_MAX_BYTES}) shows more");
        more.insert("note".to_owned(), note.into());
    }
    more
}

/// A text that was read to its end, up to the budget.
pub(super) fn whole(body: &[u8], max: usize) -> Outcome {
    let shown = if body.len() > max { text_border(body, max).unwrap_or(body.len()) } else { body.len() };
    let text = String::from_utf8_lossy(body.get(..shown).unwrap_or(body)).into_owned();
    let more = (shown < body.len()).then(|| Value::Object(cut(shown, Some(body.len() as u64))));
    Outcome::Text { text, more }
}
