//! Which scopes a token needs for an operation: `openapi/scopes.toml`, by path and method.
//!
//! Forgejo's document tells nothing of scopes. A row that is needless, or speaks of nothing that any release has, is an
//! error, so that the file never outlives its reasons.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::document::Located;
use crate::history::History;
use crate::inventory::tool::Build;

/// The scopes that Forgejo's tokens know, without `read:` and `write:`.
const NAMES: [&str; 9] = [
    "activitypub",
    "admin",
    "issue",
    "misc",
    "notification",
    "organization",
    "package",
    "repository",
    "user",
];

/// Why the scopes cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScopesError {
    /// The file cannot be read.
    #[error("{}: cannot be read ({reason})", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// The file is no TOML of this form.
    #[error("scopes.toml: {0}")]
    Malformed(#[from] toml::de::Error),
    /// Rows that say nothing, or nothing true: one line each.
    #[error("{}", .0.iter().map(|fault| format!("scopes.toml: {fault}")).collect::<Vec<_>>().join("\n"))]
    Faults(Vec<String>),
}

/// The file's content.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scopes {
    /// Path template → what is needed there and below.
    #[serde(default)]
    paths: BTreeMap<String, Need>,
    /// operationId → what that one needs.
    #[serde(default)]
    operations: BTreeMap<String, Need>,
}

/// What a row says.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// Names of scopes that are checked together.
    needs: Vec<String>,
    /// Names that are checked after those.
    #[serde(default)]
    then: Vec<String>,
    /// Names that take the place of `needs` in another case.
    #[serde(default)]
    or: Vec<String>,
    /// The reason.
    why: Option<String>,
}

impl Need {
    /// All scopes for a method, as `read:issue`, sorted.
    pub fn scopes(&self, method: &str) -> Vec<String> {
        let mut all = self.steps(method).concat();
        all.sort();
        all
    }

    /// The scopes that Forgejo names together when it refuses a token, in its order: one of these lists.
    pub fn steps(&self, method: &str) -> Vec<Vec<String>> {
        let level = if ["GET", "HEAD"].contains(&method.to_uppercase().as_str()) { "read" } else { "write" };
        let step = |names: &Vec<String>| names.iter().map(|name| format!("{level}:{name}")).collect();
        [&self.needs, &self.then, &self.or].into_iter().filter(|names| !names.is_empty()).map(step).collect()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.needs.iter().chain(&self.then).chain(&self.or)
    }

    fn differs(&self, other: &Self) -> bool {
        (&self.needs, &self.then, &self.or) != (&other.needs, &other.then, &other.or)
    }
}

impl Scopes {
    /// Reads `openapi/scopes.toml` below the workspace's directory and compares it with the releases at hand.
    ///
    /// # Errors
    /// [`ScopesError`]; all faults of the rows at once.
    pub fn load(root: &Path, history: &History) -> Result<Self, ScopesError> {
        Self::read(root)?.checked(history)
    }

    /// Reads the file without comparing it with anything.
    ///
    /// # Errors
    /// [`ScopesError`].
    pub(crate) fn read(root: &Path) -> Result<Self, ScopesError> {
        let file = root.join("openapi/scopes.toml");
        let text =
            std::fs::read_to_string(&file).map_err(|reason| ScopesError::Unreadable { file, reason })?;
        Ok(toml::from_str(&text)?)
    }

    /// As [`Scopes::load`], from the file's text.
    ///
    /// # Errors
    /// [`ScopesError`]; all faults of the rows at once.
    pub fn parse(text: &str, history: &History) -> Result<Self, ScopesError> {
        toml::from_str::<Self>(text)?.checked(history)
    }

    fn checked(self, history: &History) -> Result<Self, ScopesError> {
        let faults = self.faults(history);
        if faults.is_empty() { Ok(self) } else { Err(ScopesError::Faults(faults)) }
    }

    /// The row that an operation falls under: its own, else that of the longest path that fits.
    pub(crate) fn row_of(&self, at: Located<'_>) -> Option<(&str, &Need)> {
        let own = self.operations.get_key_value(&at.operation.operation_id);
        own.or_else(|| self.row(at.path, None)).map(|(row, need)| (row.as_str(), need))
    }

    /// All rows, by path or operation.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &str> {
        self.paths.keys().chain(self.operations.keys()).map(String::as_str)
    }

    /// What an operation needs; `None` where no row speaks of it.
    pub fn of(&self, operation: &str, path: &str) -> Option<&Need> {
        self.operations.get(operation).or_else(|| Some(self.row(path, None)?.1))
    }

    /// Writes the scopes into every call of a build. The method is the build's: the wire's, not the document's.
    pub fn fill(&self, build: &mut Build) {
        for call in build.tools.iter_mut().flat_map(|tool| &mut tool.calls) {
            let need = self.of(&call.operation, &call.path);
            call.scopes = need.map(|need| need.scopes(&call.method)).unwrap_or_default();
        }
    }

    /// The row of the longest path that fits, leaving one out.
    fn row(&self, path: &str, without: Option<&str>) -> Option<(&String, &Need)> {
        let fitting = self.paths.iter().filter(|(row, _)| Some(row.as_str()) != without && fits(row, path));
        fitting.max_by_key(|(row, _)| row.split('/').count())
    }

    /// What is wrong with the rows, one line each.
    pub(crate) fn faults(&self, history: &History) -> Vec<String> {
        let mut faults = Vec::new();
        let all: Vec<Located<'_>> =
            history.documents().iter().flat_map(|document| document.operations()).collect();
        for (name, need) in self.paths.iter().chain(&self.operations) {
            for unknown in need.names().filter(|scope| !NAMES.contains(&scope.as_str())) {
                faults.push(format!("{name}: no scope {unknown:?}; known are {}", NAMES.join(", ")));
            }
        }
        for (path, need) in &self.paths {
            if !all.iter().any(|at| self.row(at.path, None).is_some_and(|(row, _)| row == path)) {
                faults.push(format!(
                    "{path}: no operation of any release is there, or a longer row has them all"
                ));
            } else if let Some((shorter, other)) = self.row(path, Some(path)) {
                exception(path, need, other, &format!("the row {shorter}"), &mut faults);
            }
        }
        for (operation, need) in &self.operations {
            let Some(at) = all.iter().find(|at| at.operation.operation_id == *operation) else {
                faults.push(format!("{operation}: no release at hand has this operation"));
                continue;
            };
            if let Some((row, other)) = self.row(at.path, None) {
                exception(operation, need, other, &format!("the row {row}"), &mut faults);
            }
        }
        let mut without: Vec<String> = all
            .iter()
            .filter(|at| self.of(&at.operation.operation_id, at.path).is_none())
            .map(|at| format!("{} has no row: write one for its path in [paths]", at.path))
            .collect();
        without.sort();
        without.dedup();
        faults.extend(without);
        faults
    }
}

/// Notes what is wrong with a row that stands against another.
fn exception(name: &str, need: &Need, other: &Need, row: &str, faults: &mut Vec<String>) {
    if !need.differs(other) {
        faults.push(format!("{name}: says what {row} says already"));
    } else if need.why.as_ref().is_none_or(|why| why.trim().is_empty()) {
        faults.push(format!("{name}: differs from {row}, so it needs `why`"));
    }
}

/// Whether a path is a row's or below it; variables fit by place, whatever their names, and a name fits no variable.
fn fits(row: &str, path: &str) -> bool {
    let is_variable = |segment: &str| segment.starts_with('{');
    let mut segments = path.split('/');
    row.split('/').all(|wanted| {
        segments.next().is_some_and(|have| have == wanted || (is_variable(have) && is_variable(wanted)))
    })
}
