//! Generates the typed client of the pinned document into `OUT_DIR`.

use std::error::Error;
use std::path::{Path, PathBuf};

use forgehand_codegen::{client, pin};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("..");
    println!("cargo::rerun-if-env-changed={}", pin::VARIABLE);
    println!("cargo::rerun-if-changed=../openapi");
    let document = pin::pinned(&root)?;
    let source = client::client(&document, &root.join("openapi/corrections.toml"))?;
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("api.rs"), source)?;
    Ok(())
}
