//! What is wrong with the inventory, in words that say where it is and how to mend it.

use std::fmt;

use crate::document::Lacks;

/// One fault of the inventory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1; 0 where the fault is that something is missing from the file.
    pub line: usize,
    /// The table, as `tools.create_issue.params`; empty for the file as a whole.
    pub table: String,
    /// The key within the table; empty for the table as a whole.
    pub key: String,
    /// What is wrong, with the nearest name where there is one.
    pub message: String,
}

/// All faults of one pass, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Notes a fault.
    pub(super) fn add(&mut self, line: usize, table: &str, key: &str, message: impl Into<String>) {
        let (table, key) = (table.to_owned(), key.to_owned());
        self.0.push(Problem { line, table, key, message: message.into() });
    }

    /// `Ok` where nothing was noted.
    pub(super) fn or<T>(mut self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            return Ok(value);
        }
        self.0.sort_by_key(|p| p.line);
        Err(self)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("inventory.toml")?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        f.write_str(": ")?;
        if !self.table.is_empty() {
            write!(f, "[{}] ", self.table)?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// `; did you mean "NAME"?` with the nearest of the known names, or nothing where none is near.
pub(super) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("; did you mean {near:?}?"),
        None => String::new(),
    }
}

/// The same of the name at which a dotted path leads to nothing.
pub(super) fn near(lacks: Lacks<'_, '_>) -> String {
    did_you_mean(lacks.name, lacks.object.properties.keys().map(String::as_str))
}

fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let furthest = (name.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|other| (strsim::osa_distance(&lower, &other.to_lowercase()), other))
        .filter(|(distance, other)| *distance <= furthest && *distance < other.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}
