//! The command line: the same operations, arguments and errors as over MCP, for people and scripts.
//!
//! Uses [`crate::operations`], the settings, and the MCP adapter's entry point for `serve` alone. Results go to standard
//! output, everything else to standard error; the exit code is [`exit`]'s.

mod call;
mod exit;
mod logging;
mod output;
mod render;
mod serve;
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

Variables: every long option has one, as --toolsets and FORGEHAND_TOOLSETS; FORGEHAND_TOKEN holds a token,
FORGEHAND_LOG what is logged to standard error. FORGEJO_URL and FORGEJO_ACCESS_TOKEN are understood as well.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve tools over MCP on standard input and output
    Serve(serve::ServeArgs),
    /// Call one tool and print its answer
    Call(call::CallArgs),
    /// List the tools
    Tools(tools::ToolsArgs),
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
    logging::start();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output, and a reader that has gone away is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Done }.code();
        }
    };
    let exit = match cli.command {
        Command::Serve(args) => serve::run(&args),
        Command::Call(args) => call::run(args),
        Command::Tools(args) => tools::run(&args),
        Command::Completions { shell } => completions(shell),
    };
    exit.code()
}

fn completions(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "forgehand", &mut script);
    output::write(&script)
}

/// A runtime of one thread: one was measured to be faster than several, and calls wait far more than they compute.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }
}
