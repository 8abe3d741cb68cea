//! Which release a build is generated from: `openapi/pin`, or `FORGEHAND_FORGEJO` for one build.

use std::path::{Path, PathBuf};

/// The environment variable that overrides `openapi/pin`, as `FORGEHAND_FORGEJO=11.0`.
pub const VARIABLE: &str = "FORGEHAND_FORGEJO";

/// Why no pinned document was found.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// The file `openapi/pin` cannot be read.
    #[error("{}: cannot be read ({reason}); it should hold one release, as `15.0`", file.display())]
    Unreadable {
        /// The pin file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// No document of that release has been imported.
    #[error("{by} asks for Forgejo {release:?}, and there is no {}; {}", document.display(), there(releases))]
    NoDocument {
        /// `openapi/pin` or `FORGEHAND_FORGEJO`.
        by: &'static str,
        /// What was asked for.
        release: String,
        /// The file that would have to be there.
        document: PathBuf,
        /// The releases that are there, oldest first.
        releases: Vec<String>,
    },
}

fn there(releases: &[String]) -> String {
    if releases.is_empty() {
        return "no release has been imported: `cargo codegen import FILE` does".to_owned();
    }
    format!("the releases at hand are {}; `cargo codegen import FILE` adds one", releases.join(", "))
}

/// The document that a build is generated from. `root` is the workspace's directory, which holds `openapi/`.
///
/// A build script that calls this reruns for `openapi/` and for [`VARIABLE`]; printing that is its own matter.
///
/// # Errors
/// [`PinError`], naming the releases that are there.
pub fn pinned(root: &Path) -> Result<PathBuf, PinError> {
    let chosen = std::env::var(VARIABLE).ok().filter(|text| !text.trim().is_empty());
    choose(root, chosen.as_deref())
}

/// As [`pinned`], with the override given by the caller.
///
/// # Errors
/// [`PinError`], naming the releases that are there.
pub fn choose(root: &Path, chosen: Option<&str>) -> Result<PathBuf, PinError> {
    let folder = root.join("openapi");
    let (by, release) = match chosen {
        Some(release) => (VARIABLE, release.trim().to_owned()),
        None => {
            let file = folder.join("pin");
            match std::fs::read_to_string(&file) {
                Ok(text) => ("openapi/pin", text.trim().to_owned()),
                Err(reason) => return Err(PinError::Unreadable { file, reason }),
            }
        }
    };
    let releases = releases(root);
    let document = document(root, &release);
    if releases.contains(&release) {
        Ok(document)
    } else {
        Err(PinError::NoDocument { by, release, document, releases })
    }
}

/// Where the document of a release is, or would be: `openapi/forgejo-15.0.json`.
pub fn document(root: &Path, release: &str) -> PathBuf {
    root.join("openapi").join(format!("forgejo-{release}.json"))
}

/// The releases whose documents are at hand, oldest first.
pub fn releases(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join("openapi")).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_prefix("forgejo-")?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    found.sort_by_key(|release| numbers(release));
    found
}

/// A release as numbers, for ordering: `15.0` is after `9.0`.
pub fn numbers(release: &str) -> Vec<u32> {
    release.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
}
