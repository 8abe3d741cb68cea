//! Makes what the crate includes from OUT_DIR: the tools' table from the inventory and the pinned document, and the
//! recordings, compressed. `forgehand_codegen` does the work.
#![allow(clippy::print_stdout, reason = "a build script talks to cargo on stdout")]

use std::path::PathBuf;

use forgehand_codegen::{embed, pin, router};

fn main() {
    for input in ["build.rs", "inventory.toml", "inventory.lock", "openapi", "tests/recordings"] {
        println!("cargo::rerun-if-changed={input}");
    }
    if let Ok(release) = std::env::var(pin::VARIABLE) {
        println!("cargo::rerun-if-changed=inventory-{}.lock", release.trim());
    }
    println!("cargo::rerun-if-env-changed={}", pin::VARIABLE);
    if let Err(error) = generate() {
        error.to_string().lines().for_each(|line| println!("cargo::error={line}"));
    }
}

/// Writes the text that `src/operations/table.rs` includes and the bytes that `src/demo` embeds.
fn generate() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("table.rs"), router::router(&root)?)?;
    embed::recordings(&root.join("tests/recordings"), &out.join("recordings.bin"))?;
    Ok(())
}
