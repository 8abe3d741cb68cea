//! What passing a file of 1 GB takes.

use crate::passing::pass;
use crate::{Result, row};

const LENGTH: u64 = 1_000_000_000;

/// Prints the memory over idle of each way, and the time.
pub(crate) fn print() -> Result<()> {
    for passed in pass(env!("CARGO_BIN_EXE_forgehand"), LENGTH)? {
        let over_idle = passed.over_idle as f64 * 1024.0 / 1e6;
        let name = format!("1 GB {}: memory over idle, MB ({:.1} s)", passed.way, passed.took.as_secs_f64());
        row(&name, &format!("{over_idle:.1}"), "≤ 30", over_idle <= 30.0);
    }
    Ok(())
}
