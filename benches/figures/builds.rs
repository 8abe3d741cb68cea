//! How long a release build takes: from nothing, and after an edit of the inventory.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{Result, row};

/// Builds in a folder of its own, which it removes, and prints both times in seconds.
pub(crate) fn print() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = root.join("target/figures");
    let _ = std::fs::remove_dir_all(&target);
    let clean = build(root, &target)?;
    let inventory = root.join("inventory.toml");
    let now = std::fs::File::options().append(true).open(&inventory)?;
    now.set_modified(std::time::SystemTime::now())?;
    let edited = build(root, &target)?;
    let size = std::fs::metadata(target.join("release/forgehand"))?.len() as f64 / 1e6;
    std::fs::remove_dir_all(&target)?;
    row("clean release build, s", &format!("{:.0}", clean.as_secs_f64()), "≤ 360", clean.as_secs() <= 360);
    let shown = format!("{:.0}", edited.as_secs_f64());
    row("release build after touching the inventory, s", &shown, "≤ 60", edited.as_secs() <= 60);
    row("binary, stripped, MB", &format!("{size:.1}"), "–", true);
    Ok(())
}

fn build(root: &Path, target: &Path) -> Result<Duration> {
    let begun = Instant::now();
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--locked", "--bin", "forgehand", "--target-dir"])
        .arg(target)
        .current_dir(root)
        .status()?;
    if !status.success() {
        return Err("the release build failed".into());
    }
    Ok(begun.elapsed())
}
