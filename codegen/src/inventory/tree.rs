//! TOML with the line of every key, and a reader of tables that notes unknown keys and wrong types.

use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};

use super::problem::{Problems, did_you_mean};

/// A value with the line that it stands on, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At<T> {
    /// The line.
    pub line: usize,
    /// The value.
    pub value: T,
}

impl<T> std::ops::Deref for At<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

/// A TOML value; tables are in the order of the file.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Text(String),
    Integer(i64),
    Boolean(bool),
    List(Vec<At<Tree>>),
    Table(Vec<(String, At<Tree>)>),
    Other(&'static str),
}

impl Tree {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Boolean(_) => "a boolean",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(kind) => kind,
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::Text(text) => Json::from(text.as_str()),
            Self::Integer(number) => Json::from(*number),
            Self::Boolean(flag) => Json::from(*flag),
            Self::List(items) => items.iter().map(|item| item.json()).collect(),
            Self::Table(rows) => rows.iter().map(|(key, value)| (key.clone(), value.json())).collect(),
            Self::Other(_) => Json::Null,
        }
    }
}

/// Reads TOML text into its root table.
pub(super) fn read(text: &str) -> Result<At<Tree>, Problems> {
    let lines = Lines(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect());
    match DeTable::parse(text) {
        Ok(table) => Ok(At { line: 1, value: lines.table(table.get_ref()) }),
        Err(error) => {
            let line = error.span().map_or(0, |span| lines.at(span.start));
            let mut problems = Problems::default();
            problems.add(line, "", "", format!("no TOML: {}", error.message().replace('\n', ", ")));
            Err(problems)
        }
    }
}

/// Where the lines of a text end, in bytes.
struct Lines(Vec<usize>);

impl Lines {
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset) + 1
    }

    fn table(&self, table: &DeTable<'_>) -> Tree {
        let mut rows: Vec<_> = table.iter().collect();
        rows.sort_by_key(|(key, _)| key.span().start);
        let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let key: &toml::Spanned<toml::de::DeString<'_>> = key;
            let line = self.at(key.span().start);
            (key.get_ref().to_string(), At { line, value: self.value(value.get_ref()) })
        };
        Tree::Table(rows.into_iter().map(entry).collect())
    }

    fn value(&self, value: &DeValue<'_>) -> Tree {
        match value {
            DeValue::String(text) => Tree::Text(text.to_string()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Tree::Integer(number),
                Err(_) => Tree::Other("a number that is too large"),
            },
            DeValue::Boolean(flag) => Tree::Boolean(*flag),
            DeValue::Array(items) => {
                let item = |item: &toml::Spanned<DeValue<'_>>| At {
                    line: self.at(item.span().start),
                    value: self.value(item.get_ref()),
                };
                Tree::List(items.iter().map(item).collect())
            }
            DeValue::Table(table) => self.table(table),
            DeValue::Float(_) => Tree::Other("a float"),
            DeValue::Datetime(_) => Tree::Other("a date"),
        }
    }
}

/// One table while it is read: each key is asked for once, and [`Rows::finish`] notes those that nobody asked for.
pub(super) struct Rows<'p> {
    /// The table's path, as `tools.create_issue`.
    pub(super) path: String,
    /// The line of its header or key.
    pub(super) line: usize,
    rows: Vec<(String, At<Tree>)>,
    asked: Vec<&'static str>,
    /// Where faults go.
    pub(super) problems: &'p mut Problems,
}

impl<'p> Rows<'p> {
    /// Opens a table; what is no table is noted, and reads as an empty one.
    pub(super) fn open(path: String, tree: At<Tree>, problems: &'p mut Problems) -> Self {
        let rows = match tree.value {
            Tree::Table(rows) => rows,
            other => {
                problems.add(tree.line, &path, "", format!("expected a table, found {}", other.kind()));
                Vec::new()
            }
        };
        Self { path, line: tree.line, rows, asked: Vec::new(), problems }
    }

    /// Whether the table has a key that nobody has taken.
    pub(super) fn has(&self, key: &str) -> bool {
        self.rows.iter().any(|(name, _)| name == key)
    }

    /// Takes a key's value as it is.
    pub(super) fn take(&mut self, key: &'static str) -> Option<At<Tree>> {
        self.asked.push(key);
        let at = self.rows.iter().position(|(name, _)| name == key)?;
        Some(self.rows.remove(at).1)
    }

    /// Notes a fault of one of this table's keys.
    pub(super) fn fault(&mut self, line: usize, key: &str, message: impl Into<String>) {
        self.problems.add(line, &self.path, key, message);
    }

    fn typed<T>(
        &mut self,
        key: &'static str,
        want: &str,
        read: fn(Tree) -> Result<T, Tree>,
    ) -> Option<At<T>> {
        let At { line, value } = self.take(key)?;
        match read(value) {
            Ok(value) => Some(At { line, value }),
            Err(other) => {
                self.fault(line, key, format!("expected {want}, found {}", other.kind()));
                None
            }
        }
    }

    /// A string.
    pub(super) fn text(&mut self, key: &'static str) -> Option<At<String>> {
        self.typed(key, "a string", |tree| match tree {
            Tree::Text(text) => Ok(text),
            other => Err(other),
        })
    }

    /// A string that must be there; an empty one where it is not.
    pub(super) fn need(&mut self, key: &'static str) -> At<String> {
        let missing = !self.has(key);
        let found = self.text(key);
        if missing {
            self.fault(self.line, key, "is missing");
        }
        found.unwrap_or(At { line: self.line, value: String::new() })
    }

    /// A boolean.
    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        self.flag_at(key).map(|flag| flag.value)
    }

    /// A boolean with its line.
    pub(super) fn flag_at(&mut self, key: &'static str) -> Option<At<bool>> {
        self.typed(key, "a boolean", |tree| match tree {
            Tree::Boolean(flag) => Ok(flag),
            other => Err(other),
        })
    }

    /// A whole number.
    pub(super) fn integer(&mut self, key: &'static str) -> Option<At<i64>> {
        self.typed(key, "an integer", |tree| match tree {
            Tree::Integer(number) => Ok(number),
            other => Err(other),
        })
    }

    /// A list of strings; a single string is a list of one.
    pub(super) fn texts(&mut self, key: &'static str) -> Vec<At<String>> {
        let found = self.take(key);
        self.strings(key, found)
    }

    /// The same of a value that was taken already.
    pub(super) fn strings(&mut self, key: &str, found: Option<At<Tree>>) -> Vec<At<String>> {
        let items = match found {
            None => return Vec::new(),
            Some(At { line, value: Tree::Text(text) }) => return vec![At { line, value: text }],
            Some(At { value: Tree::List(items), .. }) => items,
            Some(At { line, value }) => {
                self.fault(line, key, format!("expected a list of strings, found {}", value.kind()));
                return Vec::new();
            }
        };
        let mut texts = Vec::new();
        for item in items {
            match item.value {
                Tree::Text(value) => texts.push(At { line: item.line, value }),
                other => {
                    self.fault(
                        item.line,
                        key,
                        format!("expected a string in the list, found {}", other.kind()),
                    );
                }
            }
        }
        texts
    }

    /// A list of statuses, as `[204]`.
    pub(super) fn statuses(&mut self, key: &'static str) -> Vec<u16> {
        let Some(At { line, value }) = self.take(key) else { return Vec::new() };
        let numbers = match &value {
            Tree::List(items) => items.iter().map(|item| status(&item.value)).collect(),
            other => status(other).map(|number| vec![number]),
        };
        numbers.unwrap_or_else(|| {
            self.fault(line, key, "expected a list of HTTP statuses, as [204]");
            Vec::new()
        })
    }

    /// Any value as JSON.
    pub(super) fn json(&mut self, key: &'static str) -> Option<Json> {
        self.take(key).map(|tree| tree.json())
    }

    /// A table of tables or values, by name, in the order of the file.
    pub(super) fn children(&mut self, key: &'static str) -> Vec<(String, At<Tree>)> {
        match self.take(key) {
            None => Vec::new(),
            Some(At { value: Tree::Table(rows), .. }) => rows,
            Some(At { line, value }) => {
                self.fault(line, key, format!("expected a table, found {}", value.kind()));
                Vec::new()
            }
        }
    }

    /// Notes every key that was not asked for, with the nearest one.
    pub(super) fn finish(mut self) {
        for (key, at) in std::mem::take(&mut self.rows) {
            let near = did_you_mean(&key, self.asked.iter().copied());
            let known = if near.is_empty() { format!("; known are {}", self.asked.join(", ")) } else { near };
            self.fault(at.line, &key, format!("unknown key{known}"));
        }
    }
}

fn status(tree: &Tree) -> Option<u16> {
    match tree {
        Tree::Integer(number) => u16::try_from(*number).ok().filter(|status| (100..600).contains(status)),
        _ => None,
    }
}

/// A child that is a string, as the reason of an exclusion.
pub(super) fn string(path: &str, key: &str, tree: At<Tree>, problems: &mut Problems) -> At<String> {
    let At { line, value } = tree;
    match value {
        Tree::Text(value) => At { line, value },
        other => {
            problems.add(line, path, key, format!("expected a string, found {}", other.kind()));
            At { line, value: String::new() }
        }
    }
}
