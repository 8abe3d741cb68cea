//! A unified diff of one file: each hunk's lines are where it says, or in one other place of the file, or nothing is done.

use diffy::{Line, Patch};

use super::near::nearest;
use super::replace::in_order;
use super::target::{Change, Target, lf};
use crate::operations::OperationError;
use crate::operations::arguments::quoted;

/// One hunk.
#[derive(Debug)]
pub(super) struct Hunk {
    /// The line, from 1, where it begins; where it has no old lines, the line behind which it stands.
    start: usize,
    lines: Vec<Part>,
}

/// A line of a hunk, its end included.
#[derive(Debug)]
enum Part {
    Kept(String),
    Gone(String),
    New(String),
}

/// What a head's line begins with that says more than what changes in the lines, what that is, and what does it.
const MORE: [(&[&str], &str, &str); 4] = [
    (
        &["rename from ", "rename to "],
        "moves it",
        "update_file moves a file by from_path, with its new content",
    ),
    (&["copy from ", "copy to "], "is a copy", "create_file makes a new one"),
    (&["old mode ", "new mode "], "changes its mode", "a file's mode is changed in a clone"),
    (&["GIT binary patch", "Binary files "], "is of bytes", "update_file takes bytes as content_base64"),
];

/// The hunks of a diff that is of the file at `path`.
///
/// # Errors
/// What is no unified diff, or one of another file, of a new, a removed or a moved one.
pub(super) fn read(patch: &str, path: &str) -> Result<Vec<Hunk>, OperationError> {
    let mut text = lf(patch);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    check_numbers(&text)?;
    check_head(&text)?;
    let parsed = Patch::from_str(&text).map_err(|error| {
        let said = format!("argument `patch`: expected a unified diff of one file, and it is none: {error}");
        super::fault(said)
            .hint("each hunk begins with @@ -line,count +line,count @@, whose counts are those of its lines")
    })?;
    check_names(&parsed, path)?;
    if parsed.hunks().is_empty() {
        return Err(super::fault(
            "argument `patch`: expected a unified diff, got one without a hunk (@@ … @@)",
        ));
    }
    let part = |line: &Line<'_, str>| match *line {
        Line::Context(line) => Part::Kept(line.to_owned()),
        Line::Delete(line) => Part::Gone(line.to_owned()),
        Line::Insert(line) => Part::New(line.to_owned()),
    };
    let hunk = |hunk: &diffy::Hunk<'_, str>| Hunk {
        start: hunk.old_range().start(),
        lines: hunk.lines().iter().map(part).collect(),
    };
    Ok(parsed.hunks().iter().map(hunk).collect())
}

/// No file has a line of more than nine digits, and the parser adds such numbers.
fn check_numbers(text: &str) -> Result<(), OperationError> {
    let heads = text.lines().filter(|line| line.starts_with("@@ "));
    let is_long = |digits: &str| digits.len() > 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    for head in heads {
        // Behind the ranges stands a line of the file, which may hold any number.
        let ranges = head.get(3..).unwrap_or_default().split(" @@").next().unwrap_or_default();
        if ranges.split(|c: char| !c.is_ascii_digit()).any(is_long) {
            return Err(super::fault(format!("argument `patch`: no file has such lines: {}", quoted(head))));
        }
    }
    Ok(())
}

/// The parser passes over what stands before the first hunk, and that would be lost.
fn check_head(text: &str) -> Result<(), OperationError> {
    // Behind a mail's text, where there is one.
    let start = if text.starts_with("diff --git ") { 0 } else { text.find("\ndiff --git ").unwrap_or(0) };
    let head = text.get(start..).unwrap_or(text).lines().take_while(|line| !line.starts_with("@@ "));
    for line in head {
        let more = MORE.iter().find(|(starts, ..)| starts.iter().any(|start| line.starts_with(start)));
        if let Some((_, does, hint)) = more {
            let said = format!(
                "argument `patch`: expected changes of the lines of a file that stays, got one that {does}: {}",
                quoted(line)
            );
            return Err(super::fault(said).hint(*hint));
        }
    }
    Ok(())
}

fn check_names(patch: &Patch<'_, str>, path: &str) -> Result<(), OperationError> {
    for (name, prefix, other) in [
        (patch.original(), "a/", "create_file makes a new one"),
        (patch.modified(), "b/", "delete_file removes one"),
    ] {
        let Some(name) = name else { continue };
        if name == "/dev/null" {
            let said = "argument `patch`: expected changes of a file that is there, and stays";
            return Err(super::fault(said).hint(other));
        }
        let is_own = |name: &str| path == name || path.ends_with(&format!("/{name}"));
        if !is_own(name) && !name.strip_prefix(prefix).is_some_and(is_own) {
            let said = format!(
                "argument `patch`: expected changes of {}, got changes of {}",
                quoted(path),
                quoted(name)
            );
            return Err(super::fault(said));
        }
    }
    Ok(())
}

/// The changes that hunks come to.
///
/// # Errors
/// A hunk whose lines are not in the file, or not where it says and in several other places.
pub(super) fn changes(target: &Target, hunks: &[Hunk]) -> Result<Vec<Change>, OperationError> {
    let (mut changes, mut wholes) = (Vec::new(), Vec::new());
    for (at, hunk) in hunks.iter().enumerate() {
        let by = format!("hunk {} of the patch", at + 1);
        let mut offset = place(target, hunk, &by)?;
        let end = offset + hunk.lines.iter().filter_map(Part::old).map(str::len).sum::<usize>();
        wholes.push(Change { range: offset..end, new: String::new(), by: by.clone() });
        let mut change = Change { range: offset..offset, new: String::new(), by: by.clone() };
        for part in &hunk.lines {
            match part {
                Part::Kept(line) => {
                    offset = change.range.end + line.len();
                    let next = Change { range: offset..offset, new: String::new(), by: by.clone() };
                    changes.push(std::mem::replace(&mut change, next));
                }
                Part::Gone(line) => change.range.end += line.len(),
                Part::New(line) => change.new.push_str(line),
            }
        }
        changes.push(change);
    }
    in_order(target, wholes)?;
    changes.retain(|change| !change.range.is_empty() || !change.new.is_empty());
    let open = changes.iter().find(|change| {
        !change.new.is_empty() && !change.new.ends_with('\n') && change.range.end < target.text().len()
    });
    match open {
        Some(change) => {
            let said = format!("argument `patch`: {} ends the file, but the file goes on there", change.by);
            Err(super::fault(said))
        }
        None => Ok(changes),
    }
}

/// Where a hunk's old lines begin.
fn place(target: &Target, hunk: &Hunk, by: &str) -> Result<usize, OperationError> {
    let old: String = hunk.lines.iter().filter_map(Part::old).collect();
    let text = target.text();
    if old.is_empty() {
        return target.start_of(hunk.start + 1).ok_or_else(|| {
            let said =
                format!("argument `patch`: {by} stands behind line {}, which the file has not", hunk.start);
            super::fault(said)
        });
    }
    let fits = |start: usize| {
        let rest = text.get(start..).and_then(|rest| rest.strip_prefix(old.as_str()));
        rest.is_some_and(|rest| old.ends_with('\n') || rest.is_empty())
    };
    if let Some(start) = target.start_of(hunk.start).filter(|start| fits(*start)) {
        return Ok(start);
    }
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let found: Vec<usize> = std::iter::once(0).chain(starts).filter(|start| fits(*start)).collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(super::fault(format!(
            "argument `patch`: the lines of {by}, at line {}, are not in the file; {}",
            hunk.start,
            nearest(target.lines(), &old)
        ))),
        several => {
            let lines: Vec<String> =
                several.iter().take(10).map(|start| target.line_at(*start).to_string()).collect();
            let said = format!(
                "argument `patch`: the lines of {by} are not at line {} but at several others: {}",
                hunk.start,
                lines.join(", ")
            );
            Err(super::fault(said).hint("give the line number that it has in the file as it is now"))
        }
    }
}

impl Part {
    /// A line that the file has.
    fn old(&self) -> Option<&str> {
        match self {
            Self::Kept(line) | Self::Gone(line) => Some(line),
            Self::New(_) => None,
        }
    }
}
