//! Makes what the crate includes from OUT_DIR: the tools' table and the demo's recordings.
//!
//! `forgehand_codegen` does the work; here is only what cargo is told.

use std::error::Error;
use std::path::{Path, PathBuf};

use forgehand_codegen::{embed, pin, router};

const RECORDINGS: &str = "tests/recordings";

fn main() {
    for input in ["build.rs", "inventory.toml", "inventory.lock", "openapi", RECORDINGS] {
        println!("cargo::rerun-if-changed={input}");
    }
    println!("cargo::rerun-if-env-changed={}", pin::VARIABLE);
    if let Err(error) = generate() {
        error.to_string().lines().for_each(|line| println!("cargo::error={line}"));
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    embed::recordings(Path::new(RECORDINGS), &out.join("recordings.bin"))?;
    std::fs::write(out.join("table.rs"), router::router(&root)?)?;
    Ok(())
}
