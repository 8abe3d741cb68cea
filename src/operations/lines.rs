//! Ranges of lines: what `start_line` and `end_line` choose from a text.

use serde_json::{Map, Value};

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
    /// The bytes of the range that are still to be passed over.
    skip: u64,
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
        Self { range, skip, max, kept: Vec::new(), ended: 0, is_open: false }
    }

    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let line = self.ended + 1;
            let wanted = line >= self.range.start && self.range.end.is_none_or(|end| line <= end);
            if wanted && self.kept.len() <= self.max {
                self.kept.extend_from_slice(passed_over(part, &mut self.skip));
            }
            self.is_open = part.last() != Some(&b'\n');
            self.ended += u64::from(!self.is_open);
        }
    }

    /// How many lines the text has so far.
    pub(super) fn count(&self) -> u64 {
        self.ended + u64::from(self.is_open)
    }

    /// The lines of the range, cut where they are more than the budget.
    ///
    /// # Errors
    /// [`Code::InvalidArguments`] where the range, or what follows the bytes that are passed over, begins behind the text's
    /// end.
    pub(super) fn finish(mut self) -> Result<Chosen, OperationError> {
        let lines = self.count();
        let start = self.range.start;
        if start > lines.max(1) {
            let said =
                format!("argument `start_line`: expected a line of the text, which has {lines}, got {start}");
            return Err(OperationError::new(Code::InvalidArguments, said));
        }
        behind(self.skip)?;
        let is_cut = self.kept.len() > self.max;
        if is_cut {
            self.kept.truncate(self.max);
            if let Some(end) = self.kept.iter().rposition(|byte| *byte == b'\n') {
                self.kept.truncate(end + 1);
            } else if let Err(error) = std::str::from_utf8(&self.kept)
                && error.error_len().is_none()
            {
                self.kept.truncate(error.valid_up_to());
            }
        }
        Ok(Chosen { bytes: self.kept, lines, is_cut })
    }
}

/// The lines of a range.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Their bytes.
    pub(super) bytes: Vec<u8>,
    /// How many lines the whole text has.
    pub(super) lines: u64,
    /// Whether they were more than the budget.
    pub(super) is_cut: bool,
}

/// What is left of a piece when so many bytes are passed over.
pub(super) fn passed_over<'a>(piece: &'a [u8], skip: &mut u64) -> &'a [u8] {
    let passed = usize::try_from(*skip).unwrap_or(usize::MAX).min(piece.len());
    *skip -= passed as u64;
    piece.get(passed..).unwrap_or_default()
}

/// An error where bytes that are to be passed over are left when the text has ended.
pub(super) fn behind(left: u64) -> Result<(), OperationError> {
    if left == 0 {
        return Ok(());
    }
    let said =
        format!("argument `offset`: expected a place in the text, got one {left} bytes behind its end");
    Err(OperationError::new(Code::InvalidArguments, said))
}

/// How many lines end in a text.
pub(super) fn ended(text: &[u8]) -> u64 {
    text.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// The arguments that go on from a place in a text.
pub(super) fn from(offset: u64) -> Value {
    Value::Object(Map::from_iter([("offset".to_owned(), offset.into())]))
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
