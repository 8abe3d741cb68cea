//! What changed between two releases' documents, or between two locks: `cargo codegen drift OLD NEW`.
//!
//! Documents are compared operation by operation (an operation is the same where method and path are, or else where its
//! name is), locks tool by tool. The inventory tells which tools a change touches; it need not be free of faults.

mod change;
pub(crate) mod documents;
mod fields;
pub mod input;
pub(crate) mod locks;
mod markdown;
mod schemas;
mod touched;

use std::path::{Path, PathBuf};

use crate::import::ImportError;

pub use change::{Change, Kind, Report};

/// Why two things cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DriftError {
    /// A document that cannot be read.
    #[error(transparent)]
    Document(#[from] ImportError),
    /// A file that cannot be read.
    #[error("{}: cannot be read ({reason})", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// Neither a file nor a release at hand.
    #[error("{asked:?} is neither a file nor a release at hand; these are {}", releases.join(", "))]
    Unknown {
        /// What was asked for.
        asked: String,
        /// The releases whose documents are there, oldest first.
        releases: Vec<String>,
    },
    /// One is a lock and the other a document.
    #[error("{lock} is a lock and {document} a document: compare two of a kind")]
    Mixed {
        /// The lock.
        lock: String,
        /// The document.
        document: String,
    },
    /// A lock that holds only differences.
    #[error(
        "{}: holds only how another release's build differs from inventory.lock; whole locks can be compared",
        file.display()
    )]
    Differences {
        /// The file.
        file: PathBuf,
    },
}

/// Compares two documents or two locks. Each is a file or, for documents, a release at hand. `root` is the workspace's
/// directory, whose inventory names the tools.
///
/// # Errors
/// [`DriftError`].
pub fn compare(root: &Path, old: &str, new: &str) -> Result<Report, DriftError> {
    let mixed = |lock: &str, document: &str| DriftError::Mixed {
        lock: lock.to_owned(),
        document: document.to_owned(),
    };
    match (input::read(root, old)?, input::read(root, new)?) {
        (input::Input::Document(before), input::Input::Document(after)) => {
            let tools = touched::Tools::load(root);
            Ok(documents::compare(&before, &after, &tools))
        }
        (input::Input::Lock(before), input::Input::Lock(after)) => {
            Ok(locks::compare((old, &before), (new, &after)))
        }
        (input::Input::Lock(_), input::Input::Document(_)) => Err(mixed(old, new)),
        (input::Input::Document(_), input::Input::Lock(_)) => Err(mixed(new, old)),
    }
}

/// Compares the texts of two locks.
pub fn of_locks(old: &str, new: &str) -> Report {
    locks::compare(("old", old), ("new", new))
}
