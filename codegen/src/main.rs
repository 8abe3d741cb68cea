//! `cargo codegen`: the generator's command.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use forgehand_codegen::{import, inventory::lock, pin, router};

/// Keeps what forgehand is generated from: Forgejo's API documents and the inventory.
#[derive(Parser)]
#[command(name = "cargo codegen", version, arg_required_else_help = true)]
struct Arguments {
    /// The workspace's directory, which holds `openapi/` [default: the nearest such directory from here upwards]
    #[arg(long, global = true, value_name = "DIRECTORY")]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reduce a release's own Swagger 2.0 document to facts and write it to openapi/forgejo-RELEASE.json
    ///
    /// Paths, parameters, bodies, types, enums, defaults, statuses and deprecations are kept. Summaries, descriptions,
    /// titles, examples, tags and extensions are not. The same document gives the same bytes.
    Import {
        /// Forgejo's document, as the release's source renders it
        file: PathBuf,
        /// The release, as 15.0 [default: the document's version, else the file's name]
        #[arg(long)]
        release: Option<String>,
    },
    /// Write inventory.lock: what the build exposes, one fact a line, with token counts
    Lock {
        /// Write nothing, and fail with the lines that differ where the lock is stale
        #[arg(long)]
        check: bool,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let root = match arguments.root {
        Some(root) => root,
        None => root()?,
    };
    match arguments.command {
        Command::Import { file, release } => {
            let document = import::import(&file, release.as_deref())?;
            let target = pin::document(&root, &document.release);
            std::fs::write(&target, import::render(&document)?)
                .with_context(|| format!("{} cannot be written", target.display()))?;
            eprintln!("{}: {} operations", target.display(), document.operations().count());
        }
        Command::Lock { check } => write_lock(&root, check)?,
    }
    Ok(())
}

fn write_lock(root: &Path, check: bool) -> Result<()> {
    let build = router::build(root)?;
    let count = |text: &str| tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
    let text = lock::render(&build, Some(&count));
    let file = root.join("inventory.lock");
    if check {
        let lock =
            std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        let lines = lock::differences(&text, &lock);
        if lines.is_empty() {
            return Ok(());
        }
        bail!(router::RouterError::Stale { lines });
    }
    std::fs::write(&file, text).with_context(|| format!("{} cannot be written", file.display()))?;
    eprintln!("{}: {} tools", file.display(), build.tools.len());
    Ok(())
}

fn root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current directory cannot be read")?;
    match here.ancestors().find(|directory| directory.join("openapi").is_dir()) {
        Some(root) => Ok(root.to_owned()),
        None => bail!("no directory from {} upwards holds `openapi/`; --root names one", here.display()),
    }
}
