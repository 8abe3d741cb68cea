//! Generates the typed client of the pinned document into `OUT_DIR`.
#![allow(clippy::print_stdout, reason = "a build script talks to cargo on stdout")]

use std::error::Error;
use std::path::{Path, PathBuf};

use forgehand_codegen::client::{self, corrections::Corrections};
use forgehand_codegen::{history, pin};

fn main() {
    println!("cargo::rerun-if-env-changed={}", pin::VARIABLE);
    // Not the whole folder: scopes and other releases change nothing here.
    for input in ["pin", "corrections.toml"] {
        println!("cargo::rerun-if-changed=../openapi/{input}");
    }
    if let Err(error) = generate() {
        error.to_string().lines().for_each(|line| println!("cargo::error={line}"));
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("..");
    for document in [pin::pinned(&root)?, pin::choose(&root, None)?] {
        println!("cargo::rerun-if-changed={}", document.display());
    }
    let corrections = Corrections::load(&root.join("openapi/corrections.toml"))?;
    let source = client::generate(&history::pinned(&root)?, &corrections)?;
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("api.rs"), source)?;
    Ok(())
}
