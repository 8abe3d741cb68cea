//! The importer: from a release's own Swagger 2.0 document to the facts that forgehand commits.
//!
//! Prose (summaries, descriptions, titles, examples, tags, extensions) is dropped. Everything else either is in
//! [`Document`] or is an error that names it, so that no fact of a later release is lost without a word.

mod check;
mod facts;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::document::Document;

pub use facts::major_minor as release_name;

/// Why a document cannot be imported. Always names the file, and the JSON path where there is one.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read or written.
    #[error("{}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// The file ends within the JSON.
    #[error("{}: ends within the JSON, at line {line}, column {column}; is it truncated?", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
    },
    /// The file is no JSON.
    #[error("{}: is no JSON: {reason}", file.display())]
    NotJson {
        /// The file.
        file: PathBuf,
        /// What was wrong, with line and column.
        reason: serde_json::Error,
    },
    /// Something in the document is not as expected.
    #[error("{}: {path}: {reason}", file.display())]
    At {
        /// The file.
        file: PathBuf,
        /// JSON path, as `$.paths['/user'].get`.
        path: String,
        /// What was expected and what is there.
        reason: String,
    },
}

/// A place in the document and what is wrong there.
pub(crate) struct Fault {
    path: String,
    reason: String,
}

impl Fault {
    fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

/// Reads a release's own document and reduces it to facts.
///
/// `release` is the release's name as `15.0`; without one it is taken from the document's version, else from the
/// file's name.
///
/// # Errors
/// [`ImportError`].
pub fn import(file: &Path, release: Option<&str>) -> Result<Document, ImportError> {
    let bytes = read(file)?;
    let raw = parse(file, &bytes)?;
    facts::reduce(raw, release, file)
        .and_then(|document| check::check(&document).map(|()| document))
        .map_err(|Fault { path, reason }| ImportError::At { file: file.to_owned(), path, reason })
}

/// Reads an imported document.
///
/// # Errors
/// [`ImportError`]: also for a file that the importer did not write, or that was changed so that it no longer fits.
pub fn load(file: &Path) -> Result<Document, ImportError> {
    let bytes = read(file)?;
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    let document = serde_path_to_error::deserialize(&mut reader).map_err(|e| ImportError::At {
        file: file.to_owned(),
        path: format!("$.{}", e.path()),
        reason: format!("{} (imported documents are written by `cargo codegen import`)", e.inner()),
    })?;
    match check::check(&document) {
        Ok(()) => Ok(document),
        Err(Fault { path, reason }) => Err(ImportError::At { file: file.to_owned(), path, reason }),
    }
}

/// The bytes of an imported document: compact JSON, sorted, one line.
///
/// # Errors
/// A value that JSON cannot hold; the model has none.
pub fn render(document: &Document) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string(document)?;
    text.push('\n');
    Ok(text)
}

fn read(file: &Path) -> Result<Vec<u8>, ImportError> {
    std::fs::read(file).map_err(|reason| ImportError::File { file: file.to_owned(), reason })
}

fn parse(file: &Path, bytes: &[u8]) -> Result<Value, ImportError> {
    serde_json::from_slice(bytes).map_err(|reason| {
        let file = file.to_owned();
        if reason.is_eof() {
            ImportError::Truncated { file, line: reason.line(), column: reason.column() }
        } else {
            ImportError::NotJson { file, reason }
        }
    })
}
