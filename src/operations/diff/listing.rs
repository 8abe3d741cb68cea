//! The files of a diff as rows, where its text is more than the budget.

use serde_json::{Map, Value};

use super::names;
use super::reader::{Kind, Part};
use crate::operations::arguments::Engine;
use crate::operations::digest::Passed;
use crate::operations::{paging, size};

/// What stands beside the rows.
const NOTE: &str =
    "the text is longer than max_bytes: paths shows some of these files, and offset 0 begins with all of it";

/// Collects a row for each file: `{path, previous_path?, status, additions, deletions, bytes, binary?}`. `bytes` are those of
/// its section, head included. A file that a mailed patch of several commits changes twice has two rows.
#[derive(Debug)]
pub(super) struct Listing {
    /// The rows that are still to be passed over.
    skip: u64,
    /// The bytes of rows that are still kept.
    room: Option<usize>,
    rows: Vec<Value>,
    count: u64,
    /// The bytes of the whole diff.
    bytes: u64,
    /// All of them.
    passed: Passed,
    open: Option<File>,
}

/// A file whose section goes on.
#[derive(Debug, Default)]
struct File {
    row: Map<String, Value>,
    additions: u64,
    deletions: u64,
    bytes: u64,
    is_binary: bool,
}

impl Listing {
    /// Passes over the first `skip` files, and keeps the rows of the next up to about `max` bytes, always one more where there
    /// are more.
    pub(super) fn new(skip: u64, max: usize) -> Self {
        let passed = Passed::default();
        Self { skip, room: Some(max), rows: Vec::new(), count: 0, bytes: 0, passed, open: None }
    }

    /// How many files there were.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// How many bytes the whole diff has.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What names the whole diff.
    pub(super) fn passed(&self) -> String {
        self.passed.name()
    }

    /// Takes a part of the diff.
    pub(super) fn take(&mut self, part: Part<'_>) {
        self.bytes += part.bytes.len() as u64;
        self.passed.push(part.bytes);
        if matches!(part.kind, Kind::Head | Kind::Outside) {
            self.close();
        }
        if part.kind == Kind::Head {
            self.count += 1;
            self.open = Some(File { row: of_head(part.bytes), ..File::default() });
        }
        if let Some(file) = &mut self.open {
            file.bytes += part.bytes.len() as u64;
            file.additions += u64::from(part.starts && part.kind == Kind::Added);
            file.deletions += u64::from(part.starts && part.kind == Kind::Removed);
            file.is_binary |= part.kind == Kind::Binary;
        }
    }

    fn close(&mut self) {
        let Some(file) = self.open.take() else { return };
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        let Some(room) = self.room else { return };
        let row = file.row();
        self.room = room.checked_sub(size::json(&row));
        self.rows.push(row);
    }

    /// `{items, next, total, bytes, note}`: `next` leads to the rest of the rows, and behind the last to the text. `as_of`
    /// names the diff that the rows are of.
    pub(super) fn told(mut self, engine: &Engine, as_of: Option<String>, max: usize) -> Value {
        self.close();
        let beside =
            Map::from_iter([("bytes".to_owned(), self.bytes.into()), ("note".to_owned(), NOTE.into())]);
        paging::files(engine, (self.rows, self.count), (beside, as_of), max)
    }
}

impl File {
    fn row(self) -> Value {
        let mut row = self.row;
        for (name, count) in
            [("additions", self.additions), ("deletions", self.deletions), ("bytes", self.bytes)]
        {
            row.insert(name.to_owned(), count.into());
        }
        if self.is_binary {
            row.insert("binary".to_owned(), true.into());
        }
        Value::Object(row)
    }
}

/// `{path, previous_path?, status}`, the statuses as those of the forge's lists of changed files.
fn of_head(head: &[u8]) -> Map<String, Value> {
    let text = |name: &Vec<u8>| Value::from(String::from_utf8_lossy(name).into_owned());
    let names = names::of_head(head);
    let mut row = Map::new();
    row.insert("path".to_owned(), names.last().map(text).unwrap_or_default());
    if let [old, _] = names.as_slice() {
        row.insert("previous_path".to_owned(), text(old));
    }
    row.insert("status".to_owned(), names::status(head).into());
    row
}
