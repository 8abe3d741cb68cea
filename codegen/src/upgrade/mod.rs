//! To another release: `cargo codegen pin VERSION` imports its document, pins it, and says what a person must decide.
//!
//! Nothing is kept between two runs but the files themselves: the release that the inventory was last in step with is
//! the one in the head of `inventory.lock`, which is written only when nothing is left to decide.

mod names;
mod rows;
mod scopes;
mod sibling;
mod table;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::client::corrections::{Corrections, CorrectionsError};
use crate::document::Document;
use crate::drift::DriftError;
use crate::drift::input;
use crate::history::{History, HistoryError};
use crate::import::{self, ImportError};
use crate::inventory::{self, Problem};
use crate::pin;

/// Why another release cannot be pinned. Nothing was changed then, but for [`UpgradeError::File`].
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// Not the name of a release.
    #[error("expected a release as 16.0, got {0:?}")]
    Version(String),
    /// The document cannot be read.
    #[error(transparent)]
    Document(#[from] ImportError),
    /// There is no document of the release.
    #[error("{0}; `--document FILE` imports one")]
    Missing(DriftError),
    /// The document is of another release.
    #[error("{}: is of Forgejo {found}, not of {asked}", file.display())]
    Other {
        /// The document.
        file: PathBuf,
        /// Its release.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// The corrections cannot be read.
    #[error(transparent)]
    Corrections(#[from] CorrectionsError),
    /// The other releases cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A file cannot be read or written.
    #[error("{}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
}

/// What is left to do after a release was pinned.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The pinned release.
    pub release: String,
    /// The release that the inventory was last in step with.
    pub previous: String,
    /// What a person must change, a paragraph each.
    pub decide: Vec<String>,
    /// Tables for `inventory.toml`, with `about` left to fill in.
    pub tables: Vec<String>,
    /// What is good to know and needs no change.
    pub know: Vec<String>,
}

impl Plan {
    /// Whether nothing is left to decide.
    pub fn finished(&self) -> bool {
        self.decide.is_empty() && self.tables.is_empty()
    }

    /// The to-do list.
    pub fn text(&self) -> String {
        let mut out =
            format!("Forgejo {} is pinned; the inventory was made for {}.\n", self.release, self.previous);
        if !self.decide.is_empty() {
            let _ = writeln!(out, "\nTo decide ({}):\n", self.decide.len());
            self.decide.iter().for_each(|item| out.push_str(&format!("- {item}\n")));
        }
        if !self.know.is_empty() {
            let _ = writeln!(out, "\nTo know ({}):\n", self.know.len());
            self.know.iter().for_each(|item| out.push_str(&format!("- {item}\n")));
        }
        if !self.tables.is_empty() {
            let _ = writeln!(
                out,
                "\n{} operations have no disposition. Paste these tables into inventory.toml, look at each line and fill \
                 in every about = \"\". Or give an operation a row in [excluded] or [unavailable].\n",
                self.tables.len()
            );
            out.push_str(&self.tables.join("\n"));
        }
        if !self.finished() {
            let again = format!("cargo codegen pin {}", self.release);
            let _ = writeln!(
                out,
                "\nThen run `{again}` again: it shows what is left, and writes the locks and the reference when nothing is."
            );
        }
        out
    }
}

/// Pins a release and makes the to-do list. `root` is the workspace's directory; `file` is the release's document, its
/// own or an imported one, where `openapi/` has none yet.
///
/// # Errors
/// [`UpgradeError`].
pub fn pin(root: &Path, version: &str, file: Option<&Path>) -> Result<Plan, UpgradeError> {
    let release = import::release_name(version).ok_or_else(|| UpgradeError::Version(version.to_owned()))?;
    let document = document(root, &release, file)?;
    let previous = previous(root, &release);
    if file.is_some() {
        let text = import::render(&document).map_err(|reason| UpgradeError::File {
            file: pin::document(root, &release),
            reason: reason.into(),
        })?;
        write(&pin::document(root, &release), &text)?;
    }
    write(&root.join("openapi/pin"), &format!("{release}\n"))?;
    plan(root, &document, previous)
}

/// The locks beside `inventory.lock` that are right once nothing is left to decide: the pin has none of its own name
/// any more, and the release before gets one, which `cargo codegen lock` then keeps in step. Says what was done.
///
/// # Errors
/// [`UpgradeError::File`].
pub fn settle(root: &Path, plan: &Plan) -> Result<Vec<String>, UpgradeError> {
    let of = |release: &str| root.join(format!("inventory-{release}.lock"));
    let (own, before) = (of(&plan.release), of(&plan.previous));
    let mut said = Vec::new();
    if own.exists() {
        std::fs::remove_file(&own).map_err(|reason| UpgradeError::File { file: own, reason })?;
        let release = &plan.release;
        said.push(format!("inventory-{release}.lock is removed: inventory.lock is that of {release} now"));
    }
    if plan.previous != plan.release && !before.exists() {
        write(&before, "")?;
        let previous = &plan.previous;
        said.push(format!(
            "inventory-{previous}.lock is begun, for builds with FORGEHAND_FORGEJO={previous}; without it they are no more"
        ));
    }
    Ok(said)
}

/// The document that is to be pinned.
fn document(root: &Path, release: &str, file: Option<&Path>) -> Result<Document, UpgradeError> {
    let Some(file) = file else {
        let releases = pin::releases(root);
        if !releases.iter().any(|known| known == release) {
            let asked = release.to_owned();
            return Err(UpgradeError::Missing(DriftError::Unknown { asked, releases }));
        }
        return Ok(import::load(&pin::document(root, release))?);
    };
    let document = input::document(file, None).or_else(|_| input::document(file, Some(release)))?;
    if document.release != release {
        let (file, found, asked) = (file.to_owned(), document.release, release.to_owned());
        return Err(UpgradeError::Other { file, found, asked });
    }
    Ok(document)
}

/// The release that the inventory was last in step with: of the lock, else of the pin.
fn previous(root: &Path, release: &str) -> String {
    let lock = std::fs::read_to_string(root.join("inventory.lock")).unwrap_or_default();
    let of_lock = lock.lines().find_map(|line| {
        let (name, _) = line.trim().strip_prefix("document openapi/forgejo-")?.split_once(".json")?;
        Some(name.to_owned())
    });
    let of_pin = || std::fs::read_to_string(root.join("openapi/pin")).ok().map(|text| text.trim().to_owned());
    let at_hand = pin::releases(root);
    let found = of_lock.or_else(of_pin).filter(|found| at_hand.contains(found));
    found.unwrap_or_else(|| release.to_owned())
}

/// Writes a file whole or not at all; one that holds the text already is left alone.
fn write(file: &Path, text: &str) -> Result<(), UpgradeError> {
    if std::fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let beside = file.with_extension("new");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, file))
        .map_err(|reason| UpgradeError::File { file: file.to_owned(), reason })
}

/// Compares corrections and inventory with the pinned document.
fn plan(root: &Path, document: &Document, previous: String) -> Result<Plan, UpgradeError> {
    let old = match previous == document.release {
        true => document.clone(),
        false => import::load(&pin::document(root, &previous))?,
    };
    let (corrected, faults) = Corrections::load(&root.join("openapi/corrections.toml"))?.fit(document);
    let mut plan = Plan { release: document.release.clone(), previous, ..Plan::default() };
    for fault in faults {
        plan.decide.push(format!(
            "{fault}\n  remove it, or set until = {:?} where builds for older releases need it",
            plan.previous
        ));
    }
    let file = root.join("inventory.toml");
    let text = std::fs::read_to_string(&file).map_err(|reason| UpgradeError::File { file, reason })?;
    let inventory = match inventory::parse(&text) {
        Ok(inventory) => inventory,
        Err(problems) => {
            plan.decide.extend(problems.0.iter().map(ToString::to_string));
            return Ok(plan);
        }
    };
    let rows = rows::Rows { inventory: &inventory, old: &old, new: document };
    let renamed = rows.renamed();
    plan.decide.extend(renamed.iter().map(ToString::to_string));
    plan.know.extend(rows.gone());
    plan.know.extend(rows.new_parameters());
    plan.know.extend(rows.new_fields());
    let undecided = rows.undecided(&renamed);
    let undecided: Vec<_> = undecided.iter().filter_map(|id| corrected.operation(id)).collect();
    plan.tables = table::Tables::new(&inventory, &text, &corrected).all(&undecided);
    let history = History::load(root)?;
    scopes::compare(root, &history, (&old, document), &mut plan);
    if let Err(problems) = inventory::resolve(&inventory, &corrected, &history) {
        let others = problems.0.iter().filter(|problem| !said(problem, &renamed));
        plan.decide.extend(others.map(ToString::to_string));
    }
    Ok(plan)
}

/// Whether a fault is what a table or a renamed row mends.
fn said(problem: &Problem, renamed: &[rows::Renamed]) -> bool {
    problem.message.contains("no disposition")
        || renamed.iter().any(|row| problem.message.contains(&format!("has no operation {:?}", row.was)))
}
