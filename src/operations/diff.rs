//! Some files of a unified diff: their sections, byte for byte, out of a diff that comes in pieces.
//!
//! Git's form is read, no more of it than tells where a file's section begins and ends and which names it has. A hunk is
//! as long as its head says, so that no line of a file is taken for one of the diff's own, and what stands between the
//! files of a mailed patch (its author, its message, its signature) belongs to none.

use super::lines::{behind, passed_over};
use super::near::near;
use super::{Code, OperationError};

mod names;

/// A line of the diff's own that is longer than this is none: two names of the longest paths, every byte escaped.
const LONGEST: usize = 64 * 1024;

/// The most names of the diff that an error tells.
const LISTED: usize = 10;

/// Collects the sections of the wanted files.
#[derive(Debug)]
pub(super) struct Sections<'a> {
    wanted: &'a [String],
    /// Which of them the diff has.
    found: Vec<bool>,
    /// Names that the diff has, as many as the budget allows, for the error.
    names: Vec<String>,
    named: usize,
    /// The bytes that are still to be passed over.
    skip: u64,
    max: usize,
    kept: Vec<u8>,
    state: State,
    /// The start of a line that cannot be told yet.
    line: Vec<u8>,
    /// What becomes of the rest of a line that was told.
    rest: Option<bool>,
    /// The head of a section whose names are not all known.
    head: Vec<u8>,
}

/// Where in a diff the next line is.
#[derive(Debug, Clone, Copy)]
enum State {
    /// In no file's section.
    Outside,
    /// In the head of one.
    Head,
    /// Behind a head or a hunk.
    Between { keep: bool },
    /// In a hunk that has that many lines of the old and the new file left.
    Hunk { keep: bool, old: u64, new: u64 },
    /// In a binary file's part.
    Binary { keep: bool },
}

impl<'a> Sections<'a> {
    /// Passes over the first `skip` bytes, and keeps at most about `max` of the others, always more where there are more.
    pub(super) fn new(wanted: &'a [String], skip: u64, max: usize) -> Self {
        Self {
            wanted,
            found: vec![false; wanted.len()],
            names: Vec::new(),
            named: 0,
            skip,
            max,
            kept: Vec::new(),
            state: State::Outside,
            line: Vec::new(),
            rest: None,
            head: Vec::new(),
        }
    }

    /// Whether nothing that comes could change what is shown.
    pub(super) fn has_enough(&self) -> bool {
        self.kept.len() > self.max && self.found.iter().all(|found| *found)
    }

    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.last() == Some(&b'\n');
            if let Some(keep) = self.rest {
                self.keep(keep, part);
            } else {
                self.line.extend_from_slice(part);
                if ends || self.is_told() {
                    let line = std::mem::take(&mut self.line);
                    let keep = self.tell(&line);
                    self.rest = keep;
                }
            }
            if ends {
                self.rest = None;
            }
        }
    }

    /// The sections, cut somewhere behind the budget where they are longer.
    ///
    /// # Errors
    /// [`Code::InvalidArguments`] where the diff has no file of a wanted name, or ends before what follows the bytes that are
    /// passed over.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, OperationError> {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.tell(&line);
        }
        if matches!(self.state, State::Head) {
            self.decide();
        }
        let missing = self.wanted.iter().zip(&self.found).find(|(_, found)| !**found);
        match missing {
            Some((path, _)) => Err(self.unknown(path)),
            None => behind(self.skip).map(|()| self.kept),
        }
    }

    /// Whether the start of a line tells what it is: one of a hunk by its first byte.
    fn is_told(&self) -> bool {
        let is_content = matches!(self.line.first(), Some(b' ' | b'+' | b'-'));
        (matches!(self.state, State::Hunk { .. }) && is_content) || self.line.len() > LONGEST
    }

    /// Takes a line, or as much of it as tells what it is, and says whether it is kept.
    fn tell(&mut self, line: &[u8]) -> Option<bool> {
        if let State::Hunk { keep, old, new } = self.state {
            let taken = match line.first() {
                Some(b'-') => Some((1, 0)),
                Some(b'+') => Some((0, 1)),
                Some(b' ' | b'\n' | b'\r') => Some((1, 1)),
                Some(b'\\') => Some((0, 0)),
                _ => None,
            };
            if let Some((gone, come)) = taken {
                let (old, new) = (old.saturating_sub(gone), new.saturating_sub(come));
                let is_over = old == 0 && new == 0;
                self.state = if is_over { State::Between { keep } } else { State::Hunk { keep, old, new } };
                return self.keep(keep, line);
            }
        }
        if line.starts_with(b"diff --git ") {
            if matches!(self.state, State::Head) {
                self.decide();
            }
            self.state = State::Head;
            self.head = line.to_vec();
            return None;
        }
        match self.state {
            State::Outside => Some(false),
            State::Head if names::is_of_head(line) && line.len() <= LONGEST => {
                self.head.extend_from_slice(line);
                None
            }
            State::Head => {
                let keep = self.decide();
                self.behind(keep, line)
            }
            State::Between { keep } | State::Hunk { keep, .. } | State::Binary { keep } => {
                self.behind(keep, line)
            }
        }
    }

    /// A line behind a head, a hunk or a line of a binary file.
    fn behind(&mut self, keep: bool, line: &[u8]) -> Option<bool> {
        let is_binary = matches!(self.state, State::Binary { .. });
        if let Some((old, new)) = names::hunk(line) {
            let is_empty = old == 0 && new == 0;
            self.state = if is_empty { State::Between { keep } } else { State::Hunk { keep, old, new } };
        } else if line.starts_with(b"GIT binary patch") || line.starts_with(b"Binary files ") {
            self.state = State::Binary { keep };
        } else if !(line.starts_with(b"\\") || is_binary && names::is_of_binary(line)) {
            self.state = State::Outside;
            return Some(false);
        }
        self.keep(keep, line)
    }

    /// Whether the file whose head was read is wanted; its head is kept then.
    fn decide(&mut self) -> bool {
        let head = std::mem::take(&mut self.head);
        let mut keep = false;
        for name in names::of_head(&head) {
            for (wanted, found) in self.wanted.iter().zip(&mut self.found) {
                let is_it = wanted.as_bytes() == name;
                *found |= is_it;
                keep |= is_it;
            }
            let name = String::from_utf8_lossy(&name).into_owned();
            if self.named + name.len() <= self.max && !self.names.contains(&name) {
                self.named += name.len();
                self.names.push(name);
            }
        }
        self.state = State::Between { keep };
        self.keep(keep, &head);
        keep
    }

    fn keep(&mut self, keep: bool, bytes: &[u8]) -> Option<bool> {
        if keep && self.kept.len() <= self.max {
            self.kept.extend_from_slice(passed_over(bytes, &mut self.skip));
        }
        Some(keep)
    }

    fn unknown(&self, path: &str) -> OperationError {
        let end = path.rsplit('/').next().unwrap_or(path);
        let is_alike = |name: &&String| name.rsplit('/').next() == Some(end);
        let mut close: Vec<String> = self.names.iter().filter(is_alike).take(3).cloned().collect();
        if close.is_empty() {
            close = near(path, self.names.iter().map(String::as_str));
        }
        let mut said = format!("argument `paths`: expected a file that the diff changes, got {path:?}");
        if let Some(near) = close.first() {
            said.push_str(&format!("; did you mean `{near}`?"));
        }
        let mut error = OperationError::new(Code::InvalidArguments, said);
        error.near = close;
        let names = self.names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
        error.hint(match self.names.len() {
            0 => "the diff changes no file".to_owned(),
            count if count > LISTED => format!("the diff's files begin with {names}"),
            _ => format!("the diff's files are {names}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = include_str!("diff/sample.diff");

    fn sections(diff: &[u8], paths: &[&str], piece: usize) -> Result<Vec<u8>, OperationError> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let mut sections = Sections::new(&paths, 0, usize::MAX);
        diff.chunks(piece).for_each(|piece| sections.push(piece));
        sections.finish()
    }

    /// The sections of the sample by the line that begins each; no line of a file in it begins so.
    fn parts() -> Vec<&'static str> {
        let starts: Vec<usize> = DIFF.match_indices("diff --git ").map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([DIFF.len()]);
        starts.iter().zip(ends).map(|(start, end)| &DIFF[*start..end]).collect()
    }

    #[test]
    fn each_file_of_a_diff_is_its_section_whatever_its_name_and_however_the_pieces_fall() {
        let parts = parts();
        let names: [&[&str]; 9] = [
            &["src/main.rs"],
            &["old name.txt", "new name.txt"],
            &["na\u{ef}ve \"q\".txt"],
            &["tab\there.txt"],
            &["bin/run me.sh"],
            &["logo.png"],
            &["gone.txt"],
            &["empty.txt"],
            &["blob.bin"],
        ];
        assert_eq!(parts.len(), names.len());
        for (part, names) in parts.iter().zip(names) {
            for name in names {
                for piece in [1, 2, 3, 7, 64, 10_000] {
                    let shown =
                        String::from_utf8(sections(DIFF.as_bytes(), &[name], piece).unwrap()).unwrap();
                    assert_eq!(shown, *part, "{name} by {piece}");
                }
            }
        }
        let two = sections(DIFF.as_bytes(), &["gone.txt", "src/main.rs"], 5).unwrap();
        assert_eq!(String::from_utf8(two).unwrap(), format!("{}{}", parts[0], parts[6]));
    }

    #[test]
    fn what_a_mailed_patch_has_around_its_files_belongs_to_none() {
        let file = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@ f\n-- a\n+++ b\n\\ No newline\n";
        let other = "diff --git a/y b/y\nold mode 100644\nnew mode 100755\n";
        let patch = format!(
            "From 1\nSubject: diff --git\n---\n x | 2 +-\n\n{file}{other}-- \n2.43.0\n\nFrom 2\n\n{file}-- \n"
        );
        for piece in [1, 4, 1000] {
            let shown = sections(patch.as_bytes(), &["x"], piece).unwrap();
            assert_eq!(String::from_utf8(shown).unwrap(), format!("{file}{file}"));
            let shown = sections(patch.as_bytes(), &["y"], piece).unwrap();
            assert_eq!(String::from_utf8(shown).unwrap(), other);
        }
    }

    #[test]
    fn a_line_of_a_file_is_never_taken_for_one_of_the_diff() {
        let file = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n \n--- a/y\n+++ b/y\n+diff --git a/y b/y\n";
        let rest = "diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -0,0 +1 @@\n+z\n";
        let diff = format!("{file}{rest}");
        assert_eq!(sections(diff.as_bytes(), &["x"], 3).unwrap(), file.as_bytes());
        assert_eq!(
            sections(diff.as_bytes(), &["y"], 3).unwrap_err().hint.unwrap(),
            "the diff's files are x, z"
        );
    }

    #[test]
    fn no_more_is_kept_than_the_budget_and_a_piece() {
        let mut diff = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+".to_vec();
        diff.resize(1_000_000, b'a');
        let paths = ["x".to_owned()];
        let mut sections = Sections::new(&paths, 0, 1000);
        for piece in diff.chunks(100) {
            sections.push(piece);
            assert!(sections.kept.len() <= 1200 && sections.line.capacity() <= 1200);
        }
        assert!(sections.has_enough());
    }
}
