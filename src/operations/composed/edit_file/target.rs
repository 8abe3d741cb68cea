//! A text as edits see it: lines end in LF alone, and each keeps its own end for when the text is written again.

use std::ops::Range;

/// A text with its line ends put aside.
#[derive(Debug)]
pub(super) struct Target {
    /// The text, each CRLF as LF.
    text: String,
    /// Where the line ends are in it.
    ends: Vec<usize>,
    /// Whether each of them was CRLF.
    is_crlf: Vec<bool>,
}

/// What is put in the place of a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The bytes of the target's text that go.
    pub(super) range: Range<usize>,
    /// What comes in their place, with LF alone.
    pub(super) new: String,
    /// What wants it, for messages: `edits[0]`.
    pub(super) by: String,
}

/// A text with LF in the place of CRLF.
pub(super) fn lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

impl Target {
    /// Takes a text apart.
    pub(super) fn new(raw: &str) -> Self {
        let mut target =
            Self { text: String::with_capacity(raw.len()), ends: Vec::new(), is_crlf: Vec::new() };
        for line in raw.split_inclusive('\n') {
            let Some(body) = line.strip_suffix('\n') else {
                target.text.push_str(line);
                continue;
            };
            let (body, is_crlf) = body.strip_suffix('\r').map_or((body, false), |body| (body, true));
            target.text.push_str(body);
            target.ends.push(target.text.len());
            target.is_crlf.push(is_crlf);
            target.text.push('\n');
        }
        target
    }

    /// The text with LF alone.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The line, from 1, in which a byte stands.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.ends_before(offset) + 1
    }

    /// Where a line, from 1, begins; behind the last line end begins one that may be empty.
    pub(super) fn start_of(&self, line: usize) -> Option<usize> {
        match line.checked_sub(2) {
            None => (line == 1).then_some(0),
            Some(before) => self.ends.get(before).map(|end| end + 1),
        }
    }

    /// The lines, without their ends.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// The text after these changes, which are in order and do not overlap, with line ends as they were: those of a change
    /// are those of what it replaces, line by line, and where there are more those of the line before.
    pub(super) fn written(&self, changes: &[Change]) -> String {
        let mut out = String::with_capacity(self.text.len() + self.ends.len());
        let mut at = 0;
        for change in changes {
            let (range, new) = self.trimmed(change);
            self.copy(at..range.start, &mut out);
            let (first, last) = (self.ends_before(range.start), self.ends_before(range.end));
            for (nth, line) in new.split_inclusive('\n').enumerate() {
                let end = if first + nth < last { first + nth } else { last.saturating_sub(1) };
                push_line(line, self.is_crlf.get(end) == Some(&true), &mut out);
            }
            at = range.end;
        }
        self.copy(at..self.text.len(), &mut out);
        out
    }

    /// A change without what it leaves as it is at its ends.
    fn trimmed<'a>(&self, change: &'a Change) -> (Range<usize>, &'a str) {
        let (old, new) = (self.text.get(change.range.clone()).unwrap_or_default(), change.new.as_str());
        let start = same(old.chars(), new.chars());
        let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
        let end = same(old.chars().rev(), new.chars().rev());
        let kept = new.get(..new.len() - end).unwrap_or_default();
        (change.range.start + start..change.range.end - end, kept)
    }

    fn copy(&self, range: Range<usize>, out: &mut String) {
        let first = self.ends_before(range.start);
        for (nth, line) in self.text.get(range).unwrap_or_default().split_inclusive('\n').enumerate() {
            push_line(line, self.is_crlf.get(first + nth) == Some(&true), out);
        }
    }

    fn ends_before(&self, offset: usize) -> usize {
        self.ends.partition_point(|end| *end < offset)
    }
}

/// The bytes of the characters at the start of both.
fn same(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

fn push_line(line: &str, is_crlf: bool, out: &mut String) {
    match line.strip_suffix('\n').filter(|_| is_crlf) {
        Some(body) => {
            out.push_str(body);
            out.push_str("\r\n");
        }
        None => out.push_str(line),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(raw: &str, range: Range<usize>, new: &str) -> String {
        Target::new(raw).written(&[Change { range, new: new.to_owned(), by: String::new() }])
    }

    #[test]
    fn each_line_keeps_its_end_and_a_new_one_takes_that_of_its_place() {
        for (raw, range, new, result) in [
            ("a\r\nb\r\nc\r\n", 2..3, "x\ny", "a\r\nx\r\ny\r\nc\r\n"),
            ("a\nb\nc\n", 2..3, "x\ny", "a\nx\ny\nc\n"),
            ("a\nb\r\nc\nd", 0..4, "1\n2\n3\n", "1\n2\n3\r\nc\nd"),
            ("a\nb\r\nc\nd", 4..6, "c\nx\n", "a\nb\r\nc\nx\nd"),
            ("a\r\nb", 3..3, "x\n", "a\r\nbx\r\n"),
            ("", 0..0, "x\ny\n", "x\ny\n"),
            ("a\r", 0..1, "b", "b\r"),
        ] {
            assert_eq!(written(raw, range, new), result, "{raw:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_not_changed_is_written_as_it_was(raw in "[a\r\n\u{e9}]*") {
            prop_assert_eq!(Target::new(&raw).written(&[]), raw);
        }

        #[test]
        fn lines_are_where_they_are_said_to_be(raw in "[ab\r\n]*") {
            let target = Target::new(&raw);
            for (at, line) in target.lines().enumerate() {
                let start = target.start_of(at + 1).unwrap();
                prop_assert!(target.text()[start..].starts_with(line));
                prop_assert_eq!(target.line_at(start), at + 1);
            }
        }
    }
}
