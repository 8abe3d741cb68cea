//! What changes come to, as a unified diff that `patch` takes. It is made of the changes, and no text is compared with
//! another: that would take a minute for a large file.

use std::ops::Range;

use super::target::{Change, Target};

/// The unchanged lines around a hunk.
const AROUND: usize = 3;

/// Lines that others take the place of; numbers are from 0.
struct Block<'a> {
    first: usize,
    old: &'a [&'a str],
    new: Vec<String>,
}

/// The diff of changes that are in order and do not overlap.
pub(super) fn diff(path: &str, target: &Target, changes: &[Change]) -> String {
    let lines: Vec<&str> = target.text().split_inclusive('\n').collect();
    let mut out = format!("--- {}\n+++ {}\n", name("a/", path), name("b/", path));
    let blocks = blocks(target, &lines, changes);
    // How many lines more the new text has so far.
    let mut more = 0;
    for hunk in blocks.chunk_by(|one, other| other.first <= one.first + one.old.len() + 2 * AROUND) {
        more = push(hunk, &lines, more, &mut out);
    }
    out
}

/// The changes as whole lines, those that are the same before and after left out.
fn blocks<'a>(target: &Target, lines: &'a [&'a str], changes: &[Change]) -> Vec<Block<'a>> {
    let span = |change: &Change| target.line_at(change.range.start) - 1..target.line_at(change.range.end);
    let mut out = Vec::new();
    for group in changes.chunk_by(|one, other| span(other).start < span(one).end) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let (start, end) = (span(first).start, span(last).end.min(lines.len()));
        let old = lines.get(start..end).unwrap_or_default();
        let from = target.start_of(start + 1).unwrap_or_default();
        let new =
            replaced(target.text(), from..from + old.iter().map(|line| line.len()).sum::<usize>(), group);
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let (old, new) = (old.get(before..).unwrap_or_default(), new.get(before..).unwrap_or_default());
        let after = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let old = old.get(..old.len() - after).unwrap_or_default();
        let new: Vec<String> = new.iter().take(new.len() - after).map(|line| (*line).to_owned()).collect();
        if !old.is_empty() || !new.is_empty() {
            out.push(Block { first: start + before, old, new });
        }
    }
    out
}

/// A part of a text after changes in it.
fn replaced(text: &str, part: Range<usize>, changes: &[Change]) -> String {
    let (mut out, mut at) = (String::new(), part.start);
    for change in changes {
        out.push_str(text.get(at..change.range.start).unwrap_or_default());
        out.push_str(&change.new);
        at = change.range.end;
    }
    out.push_str(text.get(at..part.end).unwrap_or_default());
    out
}

/// Writes blocks that are near each other as one hunk; gives how many lines more the new text has behind it.
fn push(blocks: &[Block<'_>], lines: &[&str], more: isize, out: &mut String) -> isize {
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return more };
    let start = first.first.saturating_sub(AROUND);
    let end = (last.first + last.old.len() + AROUND).min(lines.len());
    let added: isize = blocks.iter().map(|block| block.new.len() as isize - block.old.len() as isize).sum();
    let count = (end - start) as isize;
    let head = |start: isize, count: isize| format!("{},{count}", start + isize::from(count > 0));
    let (old, new) = (head(start as isize, count), head(start as isize + more, count + added));
    out.push_str(&format!("@@ -{old} +{new} @@\n"));
    let mut at = start;
    for block in blocks {
        lines.get(at..block.first).unwrap_or_default().iter().for_each(|line| push_line(' ', line, out));
        block.old.iter().for_each(|line| push_line('-', line, out));
        block.new.iter().for_each(|line| push_line('+', line, out));
        at = block.first + block.old.len();
    }
    lines.get(at..end).unwrap_or_default().iter().for_each(|line| push_line(' ', line, out));
    more + added
}

fn push_line(mark: char, line: &str, out: &mut String) {
    out.push(mark);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

/// A file's name in the head of a diff, in quotes where it has to be.
fn name(prefix: &str, path: &str) -> String {
    if !path.contains(['"', '\\', '\t', '\n', '\r']) {
        return format!("{prefix}{path}");
    }
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    let path = path.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
    format!("\"{prefix}{path}\"")
}
