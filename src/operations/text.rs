//! Answers that are texts: all of one, some of its lines, and what is told beside them.

use bytes::Bytes;
use forgehand_client::{Raw, Reply};
use serde_json::{Map, Value};

use super::answer::{Context, length};
use super::arguments::{MOST_MAX_BYTES, quoted};
use super::body::{self, Body};
use super::digest::{DIGITS, Passed};
use super::encoding::{self, Detector, Encoding, Wide};
use super::lines::{self, Collector, Page, Range};
use super::outcome::Outcome;
use super::{Code, OperationError, note_beside};

/// What stands beside a file whose encoding is guessed.
pub(super) const GUESSED: &str = "no UTF-8: the encoding is guessed, by which each byte is a character";

/// What stands beside a text that has bytes which are no characters in its encoding.
const FLAWED: &str =
    "some bytes are no text in this encoding: they are shown as iso-8859-1 has them, or as U+FFFD";

/// So much of a text is read to tell how many lines it has, in bytes, where those asked for were complete before.
const COUNTED: u64 = 1024 * 1024;

/// What stands beside lines of a text that has more of them than were counted.
const UNCOUNTED: &str = "how many lines it has was not counted, since it is long";

impl Context<'_> {
    /// A text, or what was chosen of it.
    pub(super) async fn text(&self, reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        if let (Some(now), true) = (self.version(&reply), self.engine.passed() > 0) {
            self.check_same(&now, &reply)?;
        }
        let body = Body::new(reply);
        match self.engine.range {
            _ if self.is_diff() => self.diff(body).await,
            Some(range) => self.lines(range, Vec::new(), body).await,
            None if self.engine.passed() > 0 => self.lines(Range::default(), Vec::new(), body).await,
            None => self.all(body).await,
        }
    }

    /// Whether the answer is a file, which may be in other encodings than UTF-8.
    fn is_file(&self) -> bool {
        self.operation.parameters.iter().any(|parameter| parameter.name == "with_metadata")
    }

    /// What tells the version of a file: the start of its blob's sha. Of another text, the part of it that was shown does.
    pub(super) fn version(&self, reply: &Reply<Raw>) -> Option<String> {
        let mut sha = sha(reply).filter(|_| self.is_file())?;
        sha.truncate(DIGITS);
        Some(sha)
    }

    /// Refuses to go on in a text that is not the one whose part was shown before.
    pub(super) fn check_same(&self, now: &str, reply: &Reply<Raw>) -> Result<(), OperationError> {
        match self.engine.as_of.as_deref().filter(|given| *given != now) {
            None => Ok(()),
            Some(given) => {
                let said = format!(
                    "it has changed since the part before was shown, so that the parts do not fit: as_of is {}, and now {now}",
                    quoted(given)
                );
                let hint = "begin again without offset, skip and as_of";
                Err(self.about(OperationError::new(Code::Conflict, said).hint(hint), reply))
            }
        }
    }

    /// Text up to the budget, cut at a line; what is no text becomes bytes.
    async fn all(&self, mut body: Body) -> Result<Outcome, OperationError> {
        let mut facts = self.engine.with_metadata.then(Facts::default);
        let mut start = Vec::new();
        let mut is_over = false;
        while start.len() <= self.max && !is_over {
            match body.chunk(self).await? {
                Some(chunk) => {
                    facts.iter_mut().for_each(|facts| facts.push(&chunk));
                    start.extend_from_slice(&chunk);
                }
                None => is_over = true,
            }
            if self.is_file() && Encoding::wide(&start).is_some() {
                return self.lines(Range::default(), start, body).await;
            }
        }
        let is_whole = is_over && !body.is_late();
        if is_whole {
            self.check_size(start.len() as u64, &body.reply)?;
        }
        let Some(encoding) = self.reading(&start, is_whole) else {
            return self.odd(start, body.reply).await;
        };
        let page = self.page_of(&start, encoding, true, !is_whole);
        let is_cut = !is_whole || page.passed < start.len();
        while let (Some(facts), true) = (&mut facts, is_cut)
            && let Some(chunk) = body.chunk(self).await?
        {
            facts.push(&chunk);
        }
        // What came of it says nothing of all of it.
        let facts = facts.filter(|_| !body.is_late());
        let mut more = Map::new();
        if is_cut {
            let total = facts.as_ref().map(|facts| facts.size).or_else(|| length(&body.reply));
            let shown = start.get(..page.passed).unwrap_or_default();
            more = self.cut(&page, total, Passed::default().name_with(shown), &body);
        }
        let guess = page.told_of(encoding);
        let is_told = is_cut || facts.is_some() || guess.is_some() || page.has_faults;
        let more = is_told.then(|| told(facts, guess, noted(&page, more), &body.reply));
        Ok(Outcome::Text { text: page.text, more })
    }

    /// What the start of a text, or all of it, is read in; `None` where it is no text. What could be read otherwise by what
    /// follows the page is the same in both.
    fn reading(&self, body: &[u8], is_whole: bool) -> Option<Encoding> {
        let shown = if is_whole { body.len() } else { self.max };
        let border = text_border(body, shown).filter(|_| !body.contains(&0));
        if border.is_some() && !(is_whole && std::str::from_utf8(body).is_err()) {
            return Some(Encoding::Utf8);
        }
        let mut detector = Detector::default();
        detector.push(body);
        let encoding = self.of_kind(detector.reading(is_whole));
        let is_text = detector.is_flawed() || detector.encoding() == Some(encoding);
        is_text.then_some(encoding)
    }

    /// The encoding in which an answer of this kind is read: only a file's is guessed.
    fn of_kind(&self, found: Encoding) -> Encoding {
        if self.is_file() { found } else { Encoding::Utf8 }
    }

    /// A page of a text. A mark of UTF-8 at the start of a file is passed and not shown.
    fn page_of(&self, bytes: &[u8], encoding: Encoding, is_start: bool, goes_on: bool) -> Page {
        let is_utf8 = matches!(encoding, Encoding::Utf8 | Encoding::MarkedUtf8);
        let unmarked = encoding::unmarked(bytes).filter(|_| is_start && is_utf8 && self.is_file());
        let rest = unmarked.unwrap_or(bytes);
        Page::of(rest, encoding, self.max, goes_on).behind_mark(bytes.len() - rest.len())
    }

    /// What stands beside a page that goes on: its place is told in bytes of the text, not of what is shown. `passed` names
    /// what passed of the text, the page included.
    pub(super) fn cut(
        &self,
        page: &Page,
        total: Option<u64>,
        passed: String,
        body: &Body,
    ) -> Map<String, Value> {
        let mut more = cut(page.text.len(), total.filter(|_| page.is_exact()));
        if body.is_late() {
            more.insert("truncated".to_owned(), true.into());
            more.insert("note".to_owned(), body::LATE.into());
        }
        let as_of = self.version(&body.reply).unwrap_or(passed);
        more.insert("next".to_owned(), lines::from(self.engine.passed() + page.passed as u64, Some(as_of)));
        more
    }

    /// Bytes, `body` first. What the forge calls a text and is none is not called so here.
    async fn odd(&self, body: Vec<u8>, reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        let outcome = self.bytes(body, reply).await?;
        Ok(match outcome {
            Outcome::Bytes { bytes, media_type, sha }
                if self.is_file() && media_type.starts_with("text/") =>
            {
                Outcome::Bytes { bytes, media_type: "application/octet-stream".to_owned(), sha }
            }
            outcome => outcome,
        })
    }

    /// Some lines of a text up to the budget, and how many there are; `start` was read already.
    async fn lines(&self, range: Range, start: Vec<u8>, mut body: Body) -> Result<Outcome, OperationError> {
        let mut piece = Bytes::from(start);
        // A mark has two bytes.
        while piece.len() < 2
            && let Some(chunk) = body.chunk(self).await?
        {
            piece = [piece, chunk].concat().into();
        }
        let mut facts = Facts::default();
        facts.push(&piece);
        let wide = Encoding::wide(&piece).filter(|_| self.is_file());
        if wide.is_none()
            && self.is_file()
            && facts.detector.reading(false) != Encoding::Latin1
            && let Some(rest) = self.rest(&body.reply).await
            && (facts.detector.is_utf8() || is_ascii(&rest))
        {
            return Ok(rest);
        }
        let mut reader = wide.map(|encoding| (encoding, Wide::new(encoding)));
        let mut collector = Collector::new(range, self.engine.passed(), self.max);
        let mut next = Some(piece);
        let mut is_counted = true;
        while let Some(piece) = next {
            match &mut reader {
                Some((_, reader)) => collector.push(reader.push(&piece).as_bytes()),
                None => collector.push(&piece),
            }
            // Only all of a text in UTF-16 tells that it is one.
            let goes_on = reader.is_some() || self.engine.with_metadata || facts.size < COUNTED;
            is_counted = goes_on || !collector.is_complete();
            next = if is_counted { body.chunk(self).await? } else { None };
            next.iter().for_each(|piece| facts.push(piece));
        }
        is_counted &= !body.is_late();
        self.chosen(Seen { collector, reader, facts, is_counted }, body)
    }

    /// What was asked for of a text that was read as far as it matters.
    fn chosen(&self, seen: Seen, mut body: Body) -> Result<Outcome, OperationError> {
        let Seen { collector, reader, facts, is_counted } = seen;
        body.check_shows(collector.is_empty())?;
        if self.version(&body.reply).is_none() && self.engine.passed() > 0 {
            self.check_same(&collector.skip().passed(), &body.reply)?;
        }
        let is_start = collector.begins_text();
        let chosen = collector.finish().map_err(|error| self.about(error, &body.reply))?;
        let detector = &facts.detector;
        // What all of the file is decides, and not what a piece of it could be.
        let wide = reader.as_ref().map(|(encoding, _)| *encoding);
        let encoding = wide.unwrap_or_else(|| self.of_kind(detector.reading(is_counted)));
        if encoding != Encoding::Latin1 {
            chosen.skip.at_character(&chosen.bytes).map_err(|error| self.about(error, &body.reply))?;
        }
        let goes_on = chosen.bytes.len() > self.max || body.is_late() && !chosen.is_whole;
        let page = self.page_of(&chosen.bytes, encoding, is_start, goes_on);
        let has_begun = detector.is_flawed()
            || detector.encoding() == Some(encoding)
            || self.engine.passed() > 0 && detector.has_begun();
        let is_text = !page.has_faults && encoding != Encoding::Latin1 || has_begun;
        if !is_text || reader.is_some_and(|(_, reader)| !reader.is_whole(body.is_late())) {
            return Err(self.about(no_lines(wide, detector.is_utf32()), &body.reply));
        }
        let mut more = Map::new();
        if goes_on || page.passed < chosen.bytes.len() {
            let shown = chosen.bytes.get(..page.passed).unwrap_or_default();
            more = self.cut(&page, None, chosen.skip.passed_with(shown), &body);
        }
        if is_counted {
            more.insert("lines".to_owned(), chosen.lines.into());
        } else if self.engine.range.is_some() {
            note_beside(&mut more, UNCOUNTED.to_owned());
        }
        let facts = Some(facts).filter(|_| self.engine.with_metadata && !body.is_late());
        let more = told(facts, wide.or(page.told_of(encoding)), noted(&page, more), &body.reply);
        let is_told = more.as_object().is_some_and(|more| !more.is_empty());
        Ok(Outcome::Text { text: page.text, more: is_told.then_some(more) })
    }
}

/// What was read of a text.
struct Seen {
    collector: Collector,
    /// What read it, where it is in UTF-16.
    reader: Option<(Encoding, Wide)>,
    facts: Facts,
    /// Whether its end came.
    is_counted: bool,
}

/// What is told of a whole text, gathered while it passes.
#[derive(Debug, Default)]
pub(super) struct Facts {
    size: u64,
    lines: u64,
    /// Whether the last line has bytes and no end yet.
    is_open: bool,
    detector: Detector,
}

impl Facts {
    fn push(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.lines += lines::ended(piece);
        self.is_open = piece.last().map_or(self.is_open, |last| *last != b'\n');
        self.detector.push(piece);
    }

    /// Puts what is known beside what is told already.
    fn tell(self, more: &mut Map<String, Value>, reply: &Reply<Raw>) {
        more.insert("size".to_owned(), self.size.into());
        if let Some(encoding) = self.detector.encoding() {
            more.insert("encoding".to_owned(), encoding.name().into());
        }
        let lines = self.lines + u64::from(self.is_open);
        more.entry("lines").or_insert_with(|| lines.into());
        if let Some(sha) = sha(reply) {
            more.insert("sha".to_owned(), sha.into());
        }
    }
}

/// What stands beside a text: facts where they were asked for, and always an encoding in which the text is not what was
/// sent.
pub(super) fn told(
    facts: Option<Facts>,
    encoding: Option<Encoding>,
    mut more: Map<String, Value>,
    reply: &Reply<Raw>,
) -> Value {
    if let Some(facts) = facts {
        facts.tell(&mut more, reply);
    }
    if let Some(encoding) = encoding {
        more.insert("encoding".to_owned(), encoding.name().into());
    }
    if encoding == Some(Encoding::Latin1) {
        note_beside(&mut more, GUESSED.to_owned());
    }
    Value::Object(more)
}

/// The same with a note where not all bytes are characters.
pub(super) fn noted(page: &Page, mut more: Map<String, Value>) -> Map<String, Value> {
    if page.has_faults {
        note_beside(&mut more, FLAWED.to_owned());
    }
    more
}

fn is_ascii(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Text { text, .. } if text.is_ascii())
}

/// Why there are no lines to choose from.
fn no_lines(wide: Option<Encoding>, is_utf32: bool) -> OperationError {
    let (said, hint) = match wide {
        Some(_) if is_utf32 => {
            let said = "the file begins with a mark of UTF-32, which is not read as text";
            (said, "get_git_blob gives its bytes, by its sha")
        }
        Some(_) => {
            let said = "the file begins with a mark of UTF-16 and is no text in it from that place on";
            (said, "get_git_blob gives its bytes, by its sha")
        }
        None => {
            let said = "the answer is no text, so there are no lines to choose from";
            (said, "leave out start_line, end_line and offset")
        }
    };
    OperationError::new(Code::Refused, said).hint(hint)
}

/// The sha of the blob that a file's answer is: the forge makes its `ETag` of it.
pub(super) fn sha(reply: &Reply<Raw>) -> Option<String> {
    let tag = reply.header("etag")?;
    let sha = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?.strip_suffix('"')?;
    let is_sha = matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha.then(|| sha.to_owned())
}

/// Text without NUL, or the bytes back.
pub(super) fn text_of(body: Vec<u8>) -> Result<String, Vec<u8>> {
    if body.contains(&0) {
        return Err(body);
    }
    String::from_utf8(body).map_err(std::string::FromUtf8Error::into_bytes)
}

/// Where a text that is too long is cut: behind the last line within `max` bytes where that keeps half of them, else at a
/// character. `None` where the start is no UTF-8.
pub(super) fn text_border(body: &[u8], max: usize) -> Option<usize> {
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
pub(super) fn cut(shown: usize, total: Option<u64>) -> Map<String, Value> {
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
