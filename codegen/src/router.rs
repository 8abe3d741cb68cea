//! What the root package's build script calls: from pin, inventory and lock to the table's Rust text.

use std::path::{Path, PathBuf};

use crate::client::corrections::{Corrections, CorrectionsError};
use crate::contract;
use crate::document::Document;
use crate::history::{self, History, HistoryError};
use crate::import;
use crate::inventory::{self, Problems, lock, tool};
use crate::pin;
use crate::scopes::{Scopes, ScopesError};

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum RouterError {
    /// No document, or none of ours.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A file that cannot be read.
    #[error("{}: cannot be read ({reason})", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// A correction of the document does not hold.
    #[error(transparent)]
    Corrections(#[from] CorrectionsError),
    /// The scopes have faults.
    #[error(transparent)]
    Scopes(#[from] ScopesError),
    /// The inventory has faults.
    #[error(transparent)]
    Inventory(#[from] Problems),
    /// There is no lock for the release.
    #[error("Forgejo {release} has no {}: `cargo codegen lock --release {release}` writes it", name(file))]
    NoLock {
        /// Where it would be.
        file: PathBuf,
        /// The release.
        release: String,
    },
    /// A name that callers use is gone, and `contract_version` is what it was.
    #[error(
        "names that callers of contract version {version} use are gone:\n{}\nraise contract_version in inventory.toml, and \
         say in [retired] or a tool's `retired` what to use in their place; or keep an argument's older name in `aliases`",
        lines.join("\n")
    )]
    Contract {
        /// The contract version of both.
        version: i64,
        /// What is gone.
        lines: Vec<String>,
    },
    /// The lock is not in step.
    #[error("{} is stale; where it differs from the build:\n{}\nrun `cargo codegen lock`", name(file), lines.join("\n"))]
    Stale {
        /// The lock.
        file: PathBuf,
        /// The lines that differ, grouped by block: `- ` in the lock, `+ ` in the build.
        lines: Vec<String>,
    },
}

impl RouterError {
    /// Whether all inputs are good, and what is made of them is not in step with a lock.
    pub fn is_difference(&self) -> bool {
        matches!(self, Self::NoLock { .. } | Self::Contract { .. } | Self::Stale { .. })
    }
}

/// The Rust text of the tools' table, for `OUT_DIR`. `root` is the workspace's directory.
///
/// # Errors
/// See [`RouterError`]; a stale lock is one.
pub fn router(root: &Path) -> Result<String, RouterError> {
    let document = history::pinned(root)?;
    let build = of_release(root, &document)?;
    let lock = lock_of(root, &document.release)?;
    let Some(text) = lock.read() else {
        return Err(RouterError::NoLock { file: lock.file, release: document.release });
    };
    lock.check(&lock.text(&build, None), &lock::without_tokens(&text?))?;
    Ok(inventory::emit::table(&build))
}

/// A release's lock: `inventory.lock` for the pin's; for another, `inventory-11.0.lock` with what differs from that.
pub struct Lock {
    /// Where it is.
    pub file: PathBuf,
    /// The pin's build, where the lock is another release's.
    pin: Option<tool::Build>,
}

/// The lock of a release.
///
/// # Errors
/// See [`RouterError`].
pub fn lock_of(root: &Path, release: &str) -> Result<Lock, RouterError> {
    let pinned = pin::choose(root, None).map_err(HistoryError::Pin)?;
    if pinned == pin::document(root, release) {
        return Ok(Lock { file: root.join("inventory.lock"), pin: None });
    }
    let document = import::load(&pinned).map_err(HistoryError::Document)?;
    let file = root.join(format!("inventory-{release}.lock"));
    Ok(Lock { file, pin: Some(of_release(root, &document)?) })
}

impl Lock {
    /// Its text; `None` where there is no such file.
    pub fn read(&self) -> Option<Result<String, RouterError>> {
        self.file.exists().then(|| read(&self.file))
    }

    /// The text that a build has.
    pub fn text(&self, build: &tool::Build, count: Option<lock::Count<'_>>) -> String {
        match &self.pin {
            None => lock::render(build, count),
            Some(pin) => lock::variant(build, pin),
        }
    }

    /// Demands a higher `contract_version` where a name is gone that `old` has, the lock of an earlier build. The lock
    /// of another release than the pin's has no contract of its own.
    ///
    /// # Errors
    /// [`RouterError::Contract`] with what is gone.
    pub fn keeps(&self, build: &tool::Build, old: &str) -> Result<(), RouterError> {
        let lines = match &self.pin {
            None => contract::faults(old, &lock::render(build, None)),
            Some(_) => Vec::new(),
        };
        let version = build.contract_version;
        if lines.is_empty() { Ok(()) } else { Err(RouterError::Contract { version, lines }) }
    }

    /// Compares what a build makes, [`Lock::text`], with the file's text.
    ///
    /// # Errors
    /// [`RouterError::Stale`] with the lines that differ.
    pub fn check(&self, made: &str, text: &str) -> Result<(), RouterError> {
        let lines = match &self.pin {
            None => lock::differences(made, text),
            Some(_) => lock::changed_lines(made, text),
        };
        if lines.is_empty() { Ok(()) } else { Err(RouterError::Stale { file: self.file.clone(), lines }) }
    }
}

/// All that a build of that release exposes, before it is compared with the lock.
///
/// # Errors
/// See [`RouterError`].
pub fn of_release(root: &Path, document: &Document) -> Result<tool::Build, RouterError> {
    let document = Corrections::load(&root.join("openapi/corrections.toml"))?.apply(document)?;
    let inventory = inventory::parse(&read(&root.join("inventory.toml"))?)?;
    let history = History::load(root)?;
    let mut build = inventory::resolve(&inventory, &document, &history)?;
    Scopes::load(root, &history)?.fill(&mut build);
    Ok(build)
}

/// As [`of_release`], from an inventory's text and a document.
///
/// # Errors
/// [`RouterError::Inventory`] with all faults.
pub fn of_texts(inventory: &str, document: &Document) -> Result<tool::Build, RouterError> {
    Ok(inventory::resolve(&inventory::parse(inventory)?, document, &History::of(document))?)
}

/// Compares the facts of a build with a lock's text; tokens are not compared.
///
/// # Errors
/// [`RouterError::Stale`] with the lines that differ.
pub fn check(build: &tool::Build, lock: &str) -> Result<(), RouterError> {
    let lines = lock::differences(&lock::render(build, None), &lock::without_tokens(lock));
    if lines.is_empty() { Ok(()) } else { Err(RouterError::Stale { file: "inventory.lock".into(), lines }) }
}

fn name(file: &Path) -> std::borrow::Cow<'_, str> {
    file.file_name().unwrap_or_default().to_string_lossy()
}

fn read(file: &Path) -> Result<String, RouterError> {
    std::fs::read_to_string(file).map_err(|reason| RouterError::Unreadable { file: file.to_owned(), reason })
}
