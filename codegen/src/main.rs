//! `cargo codegen`: the generator's command.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand, ValueEnum};
use forgehand_codegen::document::Document;
use forgehand_codegen::history::History;
use forgehand_codegen::router::RouterError;
use forgehand_codegen::{docs, drift, import, pin, router, upgrade, verify};

/// What every help says at its end.
const STATUSES: &str = "Exit status: 0 where all is in step, 1 where something differs or is left to decide, \
    2 where the command could not do its work.";

/// Keeps what forgehand is generated from: Forgejo's API documents and the inventory.
#[derive(Parser)]
#[command(name = "cargo codegen", version, arg_required_else_help = true, after_help = STATUSES)]
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
    ///
    /// Exit status: 0, or 2 where the file is no such document or cannot be written.
    Import {
        /// Forgejo's document, as the release's source renders it
        file: PathBuf,
        /// The release, as 15.0 [default: the document's version, else the file's name]
        #[arg(long)]
        release: Option<String>,
    },
    /// Write inventory.lock: what the build exposes, one fact a line, with token counts
    ///
    /// A build for another release than the pinned one has a lock of its own, inventory-RELEASE.lock, which holds what
    /// differs. `--release 11.0` makes a first one; after that it is kept in step with the others.
    ///
    /// Where a tool or an argument that the lock has is gone or has another name, `contract_version` must have risen,
    /// or nothing is written; aliases keep a name. What no release of forgehand had may go: `--against` the last one's
    /// lock.
    ///
    /// Exit status: 0, or 1 where a lock is stale (`--check`) or a name is gone, or 2 for a fault of the inventory or a
    /// file.
    Lock {
        /// Write nothing, and fail with the lines that differ where the lock is stale
        #[arg(long)]
        check: bool,
        /// One release, as 11.0 [default: the pin's, and each other that has a lock]
        #[arg(long)]
        release: Option<String>,
        /// The lock whose names must be kept, as that of forgehand's last release [default: the lock that is there]
        #[arg(long, value_name = "LOCK")]
        against: Option<PathBuf>,
    },
    /// Write docs/tools.md and docs/tools/: the reference of all tools, from the same facts as inventory.lock
    ///
    /// Exit status: 0, or 1 where a page is stale (`--check`), or 2 for a fault of the inventory or a file.
    Docs {
        /// Write nothing, and fail with the lines that differ where a page is stale
        #[arg(long)]
        check: bool,
    },
    /// Compare two documents or two locks: what came, went and changed, whether it is breaking, which tools it touches
    ///
    /// Exit status: 0, or 1 where something is breaking, or 2 where one of the two cannot be read.
    Drift {
        /// An imported document, a release's own one, the name of a release at hand (14.0), or a lock
        old: String,
        /// The same, of the same kind
        new: String,
        /// How the changes are printed
        #[arg(long, value_enum, default_value_t = Format::Markdown)]
        format: Format,
    },
    /// Go to another release: import its document, pin it, and list what a person must decide
    ///
    /// Checks the corrections and the inventory against the document and prints what is left to do, with inventory
    /// tables ready to be filled in. It may be run again at any time. When nothing is left, it writes the locks and the
    /// reference in docs/.
    ///
    /// Exit status: 0 when nothing is left, 1 while something is, 2 where the document cannot be used.
    Pin {
        /// The release, as 16.0
        version: String,
        /// The release's own Swagger 2.0 document, or an imported one [default: the one in openapi/]
        #[arg(long, value_name = "FILE")]
        document: Option<PathBuf>,
        /// Print the tables alone, to be put at the end of inventory.toml
        #[arg(long)]
        tables: bool,
    },
    /// Compare recorded exchanges with a release's document: what the wire has and the document says otherwise
    ///
    /// What needs a correction stands first, with a row for openapi/corrections.toml; what the code takes by a rule is
    /// counted.
    ///
    /// Exit status: 0, or 1 where something needs a correction, or 2 where an input cannot be read.
    Verify {
        /// The folder of recordings, JSON lines in the form of tests/recordings
        recordings: PathBuf,
        /// The release whose document is compared, as 15.0 [default: the pin]
        #[arg(long)]
        release: Option<String>,
        /// How the differences are printed; the JSON has every place of the counted ones too
        #[arg(long, value_enum, default_value_t = Format::Markdown)]
        format: Format,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Markdown,
    Json,
}

impl Format {
    /// A report in this form.
    fn of(
        self,
        markdown: impl FnOnce() -> String,
        json: impl FnOnce() -> serde_json::Result<String>,
    ) -> Result<String> {
        Ok(match self {
            Self::Markdown => markdown(),
            Self::Json => json()?,
        })
    }
}

/// What a command ends with; the numbers are its exit status.
#[derive(Clone, Copy)]
enum Ended {
    /// All is in step, or was written.
    Same = 0,
    /// Something differs, is breaking, or is left to decide.
    Differs = 1,
    /// An input cannot be used, or an output cannot be written. So do arguments that are none end, by clap.
    Failed = 2,
}

impl Ended {
    fn differs(differs: bool) -> Self {
        if differs { Self::Differs } else { Self::Same }
    }

    /// A lock or a page that is not in step is told as an error, and is none of the inputs.
    fn of(error: &anyhow::Error) -> Self {
        let is_stale = error.downcast_ref::<RouterError>().is_some_and(RouterError::is_difference)
            || error.is::<docs::Stale>();
        if is_stale { Self::Differs } else { Self::Failed }
    }
}

fn main() -> ExitCode {
    // The faults are for whoever edits the inventory: no backtrace, whatever the environment asks for.
    let ended = run(Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("Error: {error:#}");
        Ended::of(&error)
    });
    ExitCode::from(ended as u8)
}

fn run(arguments: Arguments) -> Result<Ended> {
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
        Command::Lock { check, release, against } => write_locks(&root, check, release, against.as_deref())?,
        Command::Docs { check } => write_docs(&root, check)?,
        Command::Drift { old, new, format } => {
            let report = drift::compare(&root, &old, &new)?;
            print(&format.of(|| report.markdown(), || report.json())?)?;
            return Ok(Ended::differs(report.breaking));
        }
        Command::Pin { version, document, tables } => {
            return upgrade(&root, &version, document.as_deref(), tables);
        }
        Command::Verify { recordings, release, format } => {
            let report = verify::compare(&root, &recordings, release.as_deref())?;
            print(&format.of(|| report.markdown(), || report.json())?)?;
            return Ok(Ended::differs(report.open().next().is_some()));
        }
    }
    Ok(Ended::Same)
}

fn upgrade(root: &Path, version: &str, document: Option<&Path>, tables: bool) -> Result<Ended> {
    let plan = upgrade::pin(root, version, document)?;
    if tables {
        plan.tables.iter().try_for_each(|table| print(&format!("\n{table}")))?;
        return Ok(Ended::differs(!plan.finished()));
    }
    print(&plan.text())?;
    if !plan.finished() {
        return Ok(Ended::Differs);
    }
    let said = upgrade::settle(root, &plan)?;
    write_locks(root, false, None, None)?;
    write_docs(root, false)?;
    let said: String = said.iter().map(|line| format!("{line}\n")).collect();
    print(&format!(
        "{said}Nothing is left to decide; the locks and the reference are written. Read `git diff inventory.lock`, then \
         build.\n"
    ))?;
    Ok(Ended::Same)
}

/// Writes to standard output; a reader that goes away early is no error.
fn print(text: &str) -> Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// The locks of these releases, or of the pin and every other that has one.
fn releases(root: &Path, chosen: Option<String>) -> Result<Vec<Document>> {
    let all = History::load(root)?.into_documents();
    let pin = pin::choose(root, None)?;
    let wanted = |release: &str| match &chosen {
        Some(chosen) => release == chosen,
        None => {
            pin == pin::document(root, release) || root.join(format!("inventory-{release}.lock")).exists()
        }
    };
    let found: Vec<_> = all.into_iter().filter(|document| wanted(&document.release)).collect();
    if found.is_empty() {
        bail!("no document of Forgejo {} is at hand", chosen.unwrap_or_default());
    }
    Ok(found)
}

/// The tokens of a text, in the encoding o200k.
fn count(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// The reference of the pinned release, whatever this build's is.
fn write_docs(root: &Path, check: bool) -> Result<()> {
    let document = import::load(&pin::choose(root, None)?)?;
    let build = router::of_release(root, &document)?;
    let pages = docs::pages(&build, &document, &count);
    if check {
        return Ok(docs::check(root, &pages)?);
    }
    docs::write(root, &pages).context("the tools' reference cannot be written")?;
    eprintln!("docs/tools.md: {} tools on {} pages", build.tools.len(), pages.len());
    Ok(())
}

fn write_locks(root: &Path, check: bool, chosen: Option<String>, against: Option<&Path>) -> Result<()> {
    let against = against.map(|file| {
        std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
    });
    let against = against.transpose()?;
    for document in releases(root, chosen)? {
        let build = router::of_release(root, &document)?;
        let lock = router::lock_of(root, &document.release)?;
        let text = lock.text(&build, Some(&count));
        let there = lock.read().transpose()?;
        if let Some(old) = against.as_ref().or(there.as_ref()) {
            lock.keeps(&build, old)?;
        }
        if check {
            let Some(old) = there else {
                return Err(RouterError::NoLock { file: lock.file, release: document.release }.into());
            };
            lock.check(&text, &old)?;
            continue;
        }
        std::fs::write(&lock.file, text)
            .with_context(|| format!("{} cannot be written", lock.file.display()))?;
        eprintln!("{}: {} tools", lock.file.display(), build.tools.len());
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
