//! What `drift` is given: an imported document, a release's own one, the name of a release at hand, or a lock.

use std::path::Path;

use serde_json::Value;

use super::DriftError;
use crate::document::Document;
use crate::import;
use crate::pin;

/// One side of a comparison.
pub(super) enum Input {
    Document(Box<Document>),
    Lock(String),
}

/// Reads a file, or the document of a release.
pub(super) fn read(root: &Path, asked: &str) -> Result<Input, DriftError> {
    let file = Path::new(asked);
    if !file.is_file() {
        let releases = pin::releases(root);
        let found = import::release_name(asked).filter(|release| releases.contains(release));
        let Some(release) = found else {
            return Err(DriftError::Unknown { asked: asked.to_owned(), releases });
        };
        return Ok(Input::Document(Box::new(import::load(&pin::document(root, &release))?)));
    }
    if file.extension().is_some_and(|extension| extension == "lock") {
        let text = std::fs::read_to_string(file)
            .map_err(|reason| DriftError::Unreadable { file: file.to_owned(), reason })?;
        if !text.lines().any(|line| line == "totals" || line.starts_with("tool "))
            || text.starts_with("# How a build")
        {
            return Err(DriftError::Differences { file: file.to_owned() });
        }
        return Ok(Input::Lock(text));
    }
    Ok(Input::Document(Box::new(document(file, None)?)))
}

/// Reads a document: an imported one as it is, a release's own one reduced to facts. `release` names it where the file
/// does not.
///
/// # Errors
/// As [`import::import`] and [`import::load`].
pub fn document(file: &Path, release: Option<&str>) -> Result<Document, import::ImportError> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let facts = serde_json::from_slice::<Value>(&bytes).ok();
    if facts.is_some_and(|facts| facts.get("release").is_some()) {
        return import::load(file);
    }
    import::import(file, release)
}
