//! Decodes every recorded success of a folder into its typed reply, and tells which do not fit:
//! `cargo run --example decode -- FOLDER…`

#![allow(clippy::print_stdout, reason = "the command prints what it counted")]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use forgehand::demo::Recordings;

#[path = "../tests/support/decoded.rs"]
mod decoded;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut clean = true;
    for folder in std::env::args().skip(1) {
        let report = decoded::decode(Recordings::folder(Path::new(&folder))?.exchanges());
        for failure in &report.failures {
            println!("{failure}");
        }
        println!("{folder}: {} / {} decoded", report.decoded, report.total);
        clean &= report.failures.is_empty();
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
