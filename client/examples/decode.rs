//! Decodes every recorded JSON answer of a folder into its typed reply, and tells which do not fit:
//! `cargo run -p forgehand-client --example decode -- FOLDER…`

#![allow(clippy::print_stdout, reason = "this is what it is for")]

use std::path::Path;
use std::process::ExitCode;

#[path = "../tests/support/recordings.rs"]
mod recordings;

fn main() -> Result<ExitCode, String> {
    let mut clean = true;
    for folder in std::env::args().skip(1) {
        let report = recordings::decode(&recordings::exchanges(Path::new(&folder))?);
        for failure in &report.failures {
            println!("{failure}");
        }
        println!("{folder}: {} / {} decoded", report.decoded, report.total);
        clean &= report.failures.is_empty();
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
