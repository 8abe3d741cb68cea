//! `cargo codegen`: the generator's command.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use forgehand_codegen::{import, pin};

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
    }
    Ok(())
}

fn root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current directory cannot be read")?;
    match here.ancestors().find(|directory| directory.join("openapi").is_dir()) {
        Some(root) => Ok(root.to_owned()),
        None => bail!("no directory from {} upwards holds `openapi/`; --root names one", here.display()),
    }
}
