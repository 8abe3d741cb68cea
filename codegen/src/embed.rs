//! Packing files that a program carries: the recordings of the demo forge.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Packs every `*.jsonl` of the folder `from`, in the order of their names, into one zlib stream at `to`: a line
/// `#NAME LENGTH` (in bytes) before each file. The same files give the same bytes.
///
/// # Errors
/// What cannot be read or written, named.
pub fn recordings(from: &Path, to: &Path) -> io::Result<()> {
    let mut packed = ZlibEncoder::new(File::create(to).map_err(named(to))?, Compression::best());
    for path in recording_files(from)? {
        let text = fs::read(&path).map_err(named(&path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(packed, "#{name} {}", text.len())?;
        packed.write_all(&text)?;
    }
    packed.finish().map(drop).map_err(named(to))
}

fn recording_files(from: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(from).map_err(named(from))? {
        let path = entry.map_err(named(from))?.path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
