//! Memory while a file passes: bounded whatever the file's length. `cargo bench --bench figures -- --files` passes 1 GB.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "support/passing.rs"]
mod passing;

use passing::{Passed, pass};

/// 64 MiB, more than twice the bound.
const LENGTH: u64 = 64 * 1024 * 1024;

#[test]
fn a_large_file_passes_within_30_mb_over_idle() {
    for Passed { way, over_idle, took } in pass(env!("CARGO_BIN_EXE_forgehand"), LENGTH).unwrap() {
        assert!(over_idle * 1024 <= 30_000_000, "{way}: {over_idle} KiB in {took:?}");
    }
}
