//! What the root package's build script calls: from pin, inventory and lock to the table's Rust text.

use std::path::{Path, PathBuf};

use crate::client::corrections::{Corrections, CorrectionsError};
use crate::document::Document;
use crate::import::{self, ImportError};
use crate::inventory::{self, Problems, lock, tool};
use crate::pin;

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum RouterError {
    /// No pinned document.
    #[error(transparent)]
    Pin(#[from] pin::PinError),
    /// A file that cannot be read.
    #[error("{}: cannot be read ({reason})", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// A document that is none of ours.
    #[error(transparent)]
    Document(#[from] ImportError),
    /// A correction of the document does not hold.
    #[error(transparent)]
    Corrections(#[from] CorrectionsError),
    /// The inventory has faults.
    #[error(transparent)]
    Inventory(#[from] Problems),
    /// The lock is not in step.
    #[error("inventory.lock is stale; where it differs from the build:\n{}\nrun `cargo codegen lock`", lines.join("\n"))]
    Stale {
        /// The lines that differ, grouped by block: `- ` in the lock, `+ ` in the build.
        lines: Vec<String>,
    },
}

/// The Rust text of the tools' table, for `OUT_DIR`. `root` is the workspace's directory.
///
/// # Errors
/// See [`RouterError`]; a stale lock is one.
pub fn router(root: &Path) -> Result<String, RouterError> {
    let build = build(root)?;
    let file = root.join("inventory.lock");
    if !file.exists() {
        return Err(RouterError::Stale { lines: vec!["there is no such file".to_owned()] });
    }
    check(&build, &read(&file)?)?;
    Ok(inventory::emit::table(&build))
}

/// All that the build exposes, before it is compared with the lock.
///
/// # Errors
/// See [`RouterError`].
pub fn build(root: &Path) -> Result<tool::Build, RouterError> {
    let document = import::load(&pin::pinned(root)?)?;
    let document = Corrections::load(&root.join("openapi/corrections.toml"))?.apply(&document)?;
    of_texts(&read(&root.join("inventory.toml"))?, &document)
}

/// As [`build`], from an inventory's text and a document.
///
/// # Errors
/// [`RouterError::Inventory`] with all faults.
pub fn of_texts(inventory: &str, document: &Document) -> Result<tool::Build, RouterError> {
    Ok(inventory::resolve(&inventory::parse(inventory)?, document)?)
}

/// Compares the facts of a build with a lock's text; tokens are not compared.
///
/// # Errors
/// [`RouterError::Stale`] with the lines that differ.
pub fn check(build: &tool::Build, lock: &str) -> Result<(), RouterError> {
    let lines = lock::differences(&lock::render(build, None), &lock::without_tokens(lock));
    if lines.is_empty() { Ok(()) } else { Err(RouterError::Stale { lines }) }
}

fn read(file: &Path) -> Result<String, RouterError> {
    std::fs::read_to_string(file).map_err(|reason| RouterError::Unreadable { file: file.to_owned(), reason })
}
