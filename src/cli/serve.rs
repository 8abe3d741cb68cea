//! `forgehand serve`: MCP over standard input and output.

use std::io::IsTerminal;

use clap::Args;

use super::{Exit, block_on, output, target};
use crate::mcp::{self, Server};
use crate::operations::surface::Surface;
use crate::operations::table::OPERATIONS;
use crate::settings::{
    self, ChoiceFlags, FolderFlags, ForgeFlags, LimitFlags, ListingFlags, Target, Variables, process_variable,
};

const EXAMPLES: &str = "\
Examples:
  forgehand serve --demo
  FORGEHAND_URL=https://forge.example FORGEHAND_TOKEN_FILE=~/.forge-token forgehand serve
  forgehand serve --toolsets issues,pull_requests --exclude-tools merge_pull_request
  forgehand serve --read-only --repositories acme/widget
  forgehand serve --toolsets none --discovery

Running calls are answered before it ends when its input ends; it needs no forge to start.";

/// The flags of `serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    forge: ForgeFlags,
    #[command(flatten)]
    choice: ChoiceFlags,
    #[command(flatten)]
    listing: ListingFlags,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    folders: FolderFlags,
}

/// Serves until the input ends.
pub(crate) fn run(args: &ServeArgs) -> Exit {
    block_on(serve(args)).unwrap_or_else(|exit| exit)
}

async fn serve(args: &ServeArgs) -> Exit {
    let variables = Variables::new(&process_variable);
    let settled = Target::settle(&args.forge, &variables).and_then(|target| {
        let choice = settings::choice(&args.choice, &variables)?;
        let repositories = settings::repositories(&args.forge, &variables)?;
        let surface = Surface::choose(OPERATIONS, &choice)?;
        let surface = if repositories.is_some() { surface.of_repositories() } else { surface };
        let listing = settings::listing(&args.listing, &variables)?;
        let folders = settings::folders(&args.folders, &variables)?;
        let limits = settings::limits(&args.limits, &variables)?;
        Ok(((target, repositories, folders), surface, listing, limits))
    });
    let ((target, repositories, folders), surface, listing, limits) = match settled {
        Ok(settled) => settled,
        Err(error) => return target::refuse(&error),
    };
    let demo = matches!(target, Target::Demo { .. });
    let reached = match target::reach(target, repositories).await {
        Ok(reached) => reached,
        Err(exit) => return exit,
    };
    if !reached.forge.has_token() {
        output::note("no token is set (FORGEHAND_TOKEN or FORGEHAND_TOKEN_FILE): calls are nobody's");
    }
    if std::io::stdin().is_terminal() {
        output::note("serving MCP on standard input and output, one JSON message a line; Ctrl-C ends it");
    }
    let server =
        match Server::new(reached.forge.clone().with_folders(folders), surface, limits, listing, demo) {
            Ok(server) => server,
            Err(error) => return output::fail(Exit::Fault, &error.to_string()),
        };
    match mcp::serve(server).await {
        Ok(()) => Exit::Done,
        Err(error) => output::fail(Exit::Fault, &error.to_string()),
    }
}
