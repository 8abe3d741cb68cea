//! Parts of texts: the lines that `start_line` and `end_line` choose, and the page of them that a budget shows.

use serde_json::{Map, Value};

use super::digest::Passed;
use super::encoding::{Encoding, in_latin1};
use super::{Code, OperationError};

/// The lines that a caller wants, from 1, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    /// The first.
    pub(super) start: u64,
    /// The last; none is the text's last.
    pub(super) end: Option<u64>,
}

impl Default for Range {
    fn default() -> Self {
        Self { start: 1, end: None }
    }
}

/// Collects the lines of a range out of a text that comes in pieces, and counts all of them.
#[derive(Debug)]
pub(super) struct Collector {
    range: Range,
    /// The bytes of the range that are passed over.
    skip: Skip,
    /// The most bytes that are kept, give or take a piece.
    max: usize,
    kept: Vec<u8>,
    /// Lines that have ended.
    ended: u64,
    /// Whether the last line has bytes and no end yet.
    is_open: bool,
}

impl Collector {
    /// Passes over the first `skip` bytes of the range, and keeps at most about `max` of the others, always more where there
    /// are more.
    pub(super) fn new(range: Range, skip: u64, max: usize) -> Self {
        Self { range, skip: Skip::new(skip), max, kept: Vec::new(), ended: 0, is_open: false }
    }

    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let line = self.ended + 1;
            let wanted = line >= self.range.start && self.range.end.is_none_or(|end| line <= end);
            if wanted && self.kept.len() <= self.max {
                self.kept.extend_from_slice(self.skip.over(part));
            }
            self.is_open = part.last() != Some(&b'\n');
            self.ended += u64::from(!self.is_open);
        }
    }

    /// Whether nothing that comes could change what is shown.
    pub(super) fn is_complete(&self) -> bool {
        self.kept.len() > self.max || self.is_behind()
    }

    /// Whether no line that comes is of the range.
    fn is_behind(&self) -> bool {
        self.range.end.is_some_and(|end| self.ended >= end)
    }

    /// Whether nothing came that is shown.
    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether what is shown begins where the text does.
    pub(super) fn begins_text(&self) -> bool {
        self.range.start <= 1 && self.skip.from == 0
    }

    /// What is passed over.
    pub(super) fn skip(&self) -> &Skip {
        &self.skip
    }

    /// How many lines the text has so far.
    pub(super) fn count(&self) -> u64 {
        self.ended + u64::from(self.is_open)
    }

    /// The lines of the range, which go on behind the budget where they are more.
    ///
    /// # Errors
    /// [`Code::InvalidArguments`] where the range, or what follows the bytes that are passed over, begins behind the text's
    /// end.
    pub(super) fn finish(self) -> Result<Chosen, OperationError> {
        let lines = self.count();
        let start = self.range.start;
        if start > lines.max(1) {
            let said =
                format!("argument `start_line`: expected a line of the text, which has {lines}, got {start}");
            return Err(OperationError::new(Code::InvalidArguments, said));
        }
        self.skip.ended()?;
        let is_whole = self.is_behind();
        Ok(Chosen { bytes: self.kept, lines, skip: self.skip, is_whole })
    }
}

/// The lines of a range.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Their bytes.
    pub(super) bytes: Vec<u8>,
    /// How many lines the text has, as far as it came.
    pub(super) lines: u64,
    /// What was passed over before them.
    pub(super) skip: Skip,
    /// Whether the last of them came.
    pub(super) is_whole: bool,
}

/// The bytes before a place in a text, which are passed over.
#[derive(Debug)]
pub(super) struct Skip {
    /// How many they are.
    from: u64,
    /// Those that are still to come.
    left: u64,
    /// Those that came.
    passed: Passed,
    /// The last of those that came, as many as a character may have before its last byte.
    before: Vec<u8>,
}

impl Skip {
    /// Passes over so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        Self { from: bytes, left: bytes, passed: Passed::default(), before: Vec::new() }
    }

    /// What is left of a piece when they are passed over.
    pub(super) fn over<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        let passed = usize::try_from(self.left).unwrap_or(usize::MAX).min(piece.len());
        self.left -= passed as u64;
        let (passed, rest) = piece.split_at(passed);
        self.passed.push(passed);
        self.before.extend_from_slice(passed.get(passed.len().saturating_sub(3)..).unwrap_or_default());
        self.before.drain(..self.before.len().saturating_sub(3));
        rest
    }

    /// What names those that came.
    pub(super) fn passed(&self) -> String {
        self.passed.name()
    }

    /// What names them and the bytes that follow.
    pub(super) fn passed_with(&self, shown: &[u8]) -> String {
        self.passed.name_with(shown)
    }

    /// An error where the text has ended before all of them came.
    pub(super) fn ended(&self) -> Result<(), OperationError> {
        if self.left == 0 {
            return Ok(());
        }
        Err(no_place(format!("a place in the text, got one {} bytes behind its end", self.left)))
    }

    /// An error where the first byte of `rest`, which follows them, is not the first of its character in UTF-8.
    pub(super) fn at_character(&self, rest: &[u8]) -> Result<(), OperationError> {
        let joined = [&self.before, rest.get(..3).unwrap_or(rest)].concat();
        for back in 1..=self.before.len() {
            let from = joined.get(self.before.len() - back..).unwrap_or_default();
            let first = from.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
            if first.is_some_and(|first| first.len_utf8() > back) {
                let said =
                    format!("the first byte of a character, as `next` tells it, got one {back} behind it");
                return Err(no_place(said));
            }
        }
        Ok(())
    }
}

fn no_place(expected: String) -> OperationError {
    OperationError::new(Code::InvalidArguments, format!("argument `offset`: expected {expected}"))
}

/// How many lines end in a text.
pub(super) fn ended(text: &[u8]) -> u64 {
    text.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// The arguments that go on from a place in a text: `{"offset": 600, "as_of": "7a076fe63fe0"}`.
pub(super) fn from(offset: u64, as_of: Option<String>) -> Value {
    let mut next = Map::from_iter([("offset".to_owned(), offset.into())]);
    next.extend(as_of.map(|as_of| ("as_of".to_owned(), as_of.into())));
    Value::Object(next)
}

/// Leaves the lines of a range of a shown field, and says in `lines` how many the whole of it has.
///
/// # Errors
/// [`Code::InvalidArguments`] where the range begins behind the text's end.
pub(super) fn of_field(item: &mut Value, field: &str, range: Range) -> Result<(), OperationError> {
    let Value::Object(fields) = item else { return Ok(()) };
    let Some(Value::String(text)) = fields.get_mut(field) else {
        let note = format!("`{field}` is empty or no text, so there are no lines to choose from");
        fields.insert("note".to_owned(), note.into());
        return Ok(());
    };
    let mut collector = Collector::new(range, 0, usize::MAX);
    collector.push(text.as_bytes());
    let chosen = collector.finish()?;
    *text = String::from_utf8(chosen.bytes).unwrap_or_default();
    fields.insert("lines".to_owned(), chosen.lines.into());
    Ok(())
}

/// What a page shows of a text.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The characters, within the budget.
    pub(super) text: String,
    /// How many of the bytes they are.
    pub(super) passed: usize,
    /// Whether some of the bytes are no characters in the encoding.
    pub(super) has_faults: bool,
    /// The bytes of a mark before them, which is not shown.
    mark: usize,
    /// The ends of the last line, in the text and in the bytes.
    line: (usize, usize),
}

impl Page {
    /// Reads bytes up to a budget, and cuts behind the last line within it where that keeps half of it, else at a character.
    /// Bytes that the encoding has not are shown as the characters of ISO-8859-1 or, what is none there, as U+FFFD, one for
    /// each byte. A character that may end behind bytes that go on is left out.
    pub(super) fn of(bytes: &[u8], encoding: Encoding, max: usize, goes_on: bool) -> Self {
        let mut page = Self::default();
        let is_whole = if encoding == Encoding::Latin1 {
            bytes.iter().all(|byte| page.push_byte(*byte, false, max))
        } else {
            let bytes = if goes_on { without_half(bytes) } else { bytes };
            bytes.utf8_chunks().all(|chunk| {
                chunk.valid().chars().all(|character| match character {
                    '\0' => page.push_byte(0, true, max),
                    _ => page.push(character, character.len_utf8(), max),
                }) && chunk.invalid().iter().all(|byte| page.push_byte(*byte, true, max))
            })
        };
        let (text, passed) = page.line;
        if !is_whole && text > max / 2 {
            page.text.truncate(text);
            page.passed = passed;
        }
        page
    }

    /// The same behind a mark of so many bytes, which has passed too.
    pub(super) fn behind_mark(self, mark: usize) -> Self {
        Self { mark, passed: self.passed + mark, ..self }
    }

    /// Whether what is shown is what passed, byte for byte, but for a mark.
    pub(super) fn is_exact(&self) -> bool {
        self.passed == self.text.len() + self.mark
    }

    /// The encoding of the bytes, where that does not show the same bytes.
    pub(super) fn told_of(&self, encoding: Encoding) -> Option<Encoding> {
        match encoding {
            Encoding::Latin1 => Some(encoding),
            _ => (self.mark > 0).then_some(Encoding::MarkedUtf8),
        }
    }

    fn push_byte(&mut self, byte: u8, is_fault: bool, max: usize) -> bool {
        let is_known = in_latin1(byte);
        let fits = self.push(if is_known { char::from(byte) } else { '\u{fffd}' }, 1, max);
        self.has_faults |= fits && (is_fault || !is_known);
        fits
    }

    /// Whether a character of so many bytes fits, which is shown then.
    fn push(&mut self, character: char, bytes: usize, max: usize) -> bool {
        let fits = self.text.len() + character.len_utf8() <= max;
        if fits {
            self.text.push(character);
            self.passed += bytes;
        }
        if fits && character == '\n' {
            self.line = (self.text.len(), self.passed);
        }
        fits
    }
}

/// Bytes without the start of a character in UTF-8 that does not end in them.
fn without_half(bytes: &[u8]) -> &[u8] {
    (1..=3)
        .filter_map(|half| bytes.split_at_checked(bytes.len().checked_sub(half)?))
        .find(|(_, half)| {
            std::str::from_utf8(half)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .map_or(bytes, |(rest, _)| rest)
}
