//! Makes what the crate includes from OUT_DIR.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let recordings = Path::new("tests/recordings");
    println!("cargo::rerun-if-changed={}", recordings.display());
    forgehand_codegen::embed::recordings(recordings, &out.join("recordings.bin"))?;
    Ok(())
}
