//! The command line: the same operations, arguments and errors as over MCP, for people and scripts.
//!
//! Uses [`crate::operations`], [`crate::resources`], the settings, and the MCP adapter's entry point for `serve` alone.
//! Results go to standard output, everything else to standard error; the exit code is [`Exit`]'s.

mod call;
mod confirm;
mod exit;
mod logging;
mod lossy;
mod output;
mod read;
mod render;
mod scopes;
mod serve;
mod signals;
mod target;
mod tools;

use clap::{CommandFactory, Parser, Subcommand};

pub use exit::Exit;

/// What the process was asked to do.
#[derive(Debug, Parser)]
#[command(name = "forgehand", version, about, after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  forgehand serve --demo                     try it, with no account
  FORGEHAND_URL=https://forge.example FORGEHAND_TOKEN_FILE=~/.forge-token forgehand serve
  forgehand tools                            what there is
  forgehand call list_repo_issues repo=acme/widget state=open

Variables: an option that can be set by one names it in its help, as [env: FORGEHAND_TOOLSETS]; FORGEHAND_TOKEN holds a
token, FORGEHAND_LOG what is logged to standard error (debug: a line for each request; a filter that names other crates,
as rmcp=debug, may log whole arguments). FORGEJO_URL and FORGEJO_ACCESS_TOKEN are understood as well. A
token out of a variable goes to the address that the variables name, and to no other that --url gives.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve tools over MCP on standard input and output
    Serve(serve::ServeArgs),
    /// Call one tool and print its answer
    Call(call::CallArgs),
    /// Read one resource, by its forgejo:// address
    Read(read::ReadArgs),
    /// List the tools
    Tools(tools::ToolsArgs),
    /// Tell which scopes a token needs for the chosen tools
    Scopes(scopes::ScopesArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  forgehand completions bash > ~/.local/share/bash-completion/completions/forgehand"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Runs the command that the process was started with; its exit code.
pub fn main() -> i32 {
    let _last = logging::start();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output, and a reader that has gone away is no failure.
            let _ = error.print();
            let is_call = std::env::args_os().nth(1).is_some_and(|command| command == "call");
            if is_call && error.kind() == clap::error::ErrorKind::UnknownArgument {
                output::note("a tool's own arguments are given as name=value, as repo=acme/widget");
            }
            return if error.use_stderr() { Exit::Usage } else { Exit::Done }.code();
        }
    };
    let exit = match cli.command {
        Command::Serve(args) => serve::run(&args),
        Command::Call(args) => call::run(args),
        Command::Read(args) => read::run(&args),
        Command::Tools(args) => tools::run(&args),
        Command::Scopes(args) => scopes::run(&args),
        Command::Completions { shell } => completions(shell),
    };
    exit.code()
}

fn completions(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "forgehand", &mut script);
    output::write(&script)
}

/// Runs a future to its end on a runtime of one thread: one was measured to be faster than several, and calls wait far
/// more than they compute. What then still holds a thread, as a read of standard input or the look-up of a name, which
/// nothing interrupts, is left behind.
///
/// # Errors
/// The exit, with the reason told.
fn block_on<F: Future>(future: F) -> Result<F::Output, Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        let why = format!("the system refuses what a network program needs: {error}");
        output::fail(Exit::Fault, &why)
    })?;
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_waits_for_no_thread_that_still_blocks() {
        let start = std::time::Instant::now();
        let answer = block_on(async {
            tokio::task::spawn_blocking(|| std::thread::sleep(std::time::Duration::from_secs(5)));
            tokio::task::yield_now().await;
            7
        });
        assert_eq!(answer, Ok(7));
        assert!(start.elapsed().as_secs() < 4);
    }

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }
}
