//! Takes a diff apart that comes in pieces: which bytes are of which kind, and where each head and each hunk begins.

use super::names;

/// A line of the diff's own that is longer than this is none: two names of the longest paths, every byte escaped.
const LONGEST: usize = 64 * 1024;

/// A head that is longer than this has ended.
const LONGEST_HEAD: usize = 4 * LONGEST;

/// What some bytes of a diff are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// In no file's section: what a mailed patch has around its files.
    Outside,
    /// A whole head: the lines from `diff --git` on that name a file and tell what became of it.
    Head,
    /// A hunk's first line.
    Hunk,
    /// A line that came.
    Added,
    /// A line that went.
    Removed,
    /// A line that stayed, or that tells of the end of a file.
    Kept,
    /// A line of a binary file's part.
    Binary,
}

/// Some bytes of a diff, never more than a line or a head.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) kind: Kind,
    pub(super) bytes: &'a [u8],
    /// Whether a line or a head begins with them.
    pub(super) starts: bool,
}

/// Reads a diff, and hands each part on as soon as it is told.
#[derive(Debug, Default)]
pub(super) struct Reader {
    state: State,
    /// The start of a line that cannot be told yet.
    line: Vec<u8>,
    /// What the rest of a line is that was told.
    rest: Option<Kind>,
    /// The head of a section that goes on.
    head: Vec<u8>,
}

/// Where in a diff the next line is.
#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// In no file's section.
    #[default]
    Outside,
    /// In the head of one.
    Head,
    /// Behind a head or a hunk.
    Between,
    /// In a hunk that has that many lines of the old and the new file left.
    Hunk { old: u64, new: u64 },
    /// In a binary file's part.
    Binary,
}

impl Reader {
    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &[u8], take: &mut impl FnMut(Part<'_>)) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.last() == Some(&b'\n');
            if let Some(kind) = self.rest {
                take(Part { kind, bytes: part, starts: false });
            } else {
                self.line.extend_from_slice(part);
                if ends || self.is_told() {
                    let line = std::mem::take(&mut self.line);
                    self.rest = self.tell(&line, take);
                }
            }
            if ends {
                self.rest = None;
            }
        }
    }

    /// Takes the end.
    pub(super) fn end(&mut self, take: &mut impl FnMut(Part<'_>)) {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.tell(&line, take);
        }
        self.end_head(take);
    }

    /// How many bytes are held that were not handed on yet.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.line.capacity() + self.head.capacity()
    }

    /// Whether the start of a line tells what it is: one of a hunk by its first byte.
    fn is_told(&self) -> bool {
        let is_content = matches!(self.line.first(), Some(b' ' | b'+' | b'-'));
        (matches!(self.state, State::Hunk { .. }) && is_content) || self.line.len() > LONGEST
    }

    /// Takes a line, or as much of it as tells what it is, and says what its rest is; that of a head is told with it.
    fn tell(&mut self, line: &[u8], take: &mut impl FnMut(Part<'_>)) -> Option<Kind> {
        if let State::Hunk { old, new } = self.state
            && let Some((kind, gone, come)) = of_hunk(line)
        {
            let (old, new) = (old.saturating_sub(gone), new.saturating_sub(come));
            self.state = if old == 0 && new == 0 { State::Between } else { State::Hunk { old, new } };
            take(Part { kind, bytes: line, starts: true });
            return Some(kind);
        }
        if line.starts_with(b"diff --git ") && line.len() <= LONGEST {
            self.end_head(take);
            self.state = State::Head;
            self.head = line.to_vec();
            return None;
        }
        if matches!(self.state, State::Head) {
            let is_short = line.len() <= LONGEST && self.head.len() <= LONGEST_HEAD;
            if is_short && names::is_of_head(line) {
                self.head.extend_from_slice(line);
                return None;
            }
            self.end_head(take);
        }
        let kind = self.behind(line);
        take(Part { kind, bytes: line, starts: true });
        Some(kind)
    }

    /// What a line is that belongs to no hunk and no head.
    fn behind(&mut self, line: &[u8]) -> Kind {
        if matches!(self.state, State::Outside) {
            return Kind::Outside;
        }
        let is_binary = matches!(self.state, State::Binary);
        if let Some((old, new)) = names::hunk(line) {
            self.state = if old == 0 && new == 0 { State::Between } else { State::Hunk { old, new } };
            Kind::Hunk
        } else if line.starts_with(b"GIT binary patch") || line.starts_with(b"Binary files ") {
            self.state = State::Binary;
            Kind::Binary
        } else if is_binary && names::is_of_binary(line) {
            Kind::Binary
        } else if line.starts_with(b"\\") {
            Kind::Kept
        } else {
            self.state = State::Outside;
            Kind::Outside
        }
    }

    fn end_head(&mut self, take: &mut impl FnMut(Part<'_>)) {
        if matches!(self.state, State::Head) {
            self.state = State::Between;
            let head = std::mem::take(&mut self.head);
            take(Part { kind: Kind::Head, bytes: &head, starts: true });
        }
    }
}

/// What a line of a hunk is, and how many lines of the old and the new file; none where it is no line of one.
fn of_hunk(line: &[u8]) -> Option<(Kind, u64, u64)> {
    match line.first()? {
        b'-' => Some((Kind::Removed, 1, 0)),
        b'+' => Some((Kind::Added, 0, 1)),
        b' ' | b'\n' | b'\r' => Some((Kind::Kept, 1, 1)),
        b'\\' => Some((Kind::Kept, 0, 0)),
        _ => None,
    }
}
