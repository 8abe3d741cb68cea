//! Where recorded exchanges differ from the document, corrections applied: `cargo codegen verify RECORDINGS`.
//!
//! A kind of difference that the code takes everywhere by a rule is counted; every other place needs a correction, and
//! a row for `openapi/corrections.toml` is proposed.

mod answer;
mod difference;
mod markdown;
mod recording;
mod row;
mod value;

use std::path::Path;

use crate::client::corrections::{Corrections, CorrectionsError};
use crate::document::Document;
use crate::import::{self, ImportError};
use crate::pin::{self, PinError};

pub use difference::{Difference, Kind, Report};
pub use recording::RecordingError;

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// No document of that release is at hand.
    #[error(transparent)]
    Pin(#[from] PinError),
    /// The document cannot be read.
    #[error(transparent)]
    Document(#[from] ImportError),
    /// The corrections do not fit the document.
    #[error(transparent)]
    Corrections(#[from] CorrectionsError),
    /// The recordings cannot be read.
    #[error(transparent)]
    Recordings(#[from] RecordingError),
}

/// Compares a folder of recordings with the document of a release, or of the pin. `root` is the workspace's directory.
///
/// # Errors
/// [`VerifyError`].
pub fn compare(root: &Path, recordings: &Path, release: Option<&str>) -> Result<Report, VerifyError> {
    let document = import::load(&pin::choose(root, release)?)?;
    let corrections = Corrections::load(&root.join("openapi/corrections.toml"))?;
    let document = corrections.apply(&document)?;
    Ok(of(&document, &corrections, recordings)?)
}

/// Compares a folder of recordings with a document that is corrected already.
///
/// # Errors
/// [`RecordingError`].
pub fn of(
    document: &Document,
    corrections: &Corrections,
    recordings: &Path,
) -> Result<Report, RecordingError> {
    let mut comparison = answer::Comparison::new(document, corrections);
    recording::read(recordings, |exchange| comparison.exchange(exchange))?;
    Ok(comparison.report())
}
