//! `forgehand serve`: MCP over standard input and output.

use std::io::IsTerminal;

use clap::Args;
use futures_util::FutureExt;

use super::target::{self, Settled};
use super::{Exit, block_on, output, signals};
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
    let flags = (&args.forge, &args.limits, Some(&args.folders));
    let settled = Settled::read(flags, &variables).and_then(|settled| {
        let surface = Surface::choose(OPERATIONS, &settings::choice(&args.choice, &variables)?)?;
        let surface = if settled.repositories.is_some() { surface.of_repositories() } else { surface };
        Ok((settled, surface, settings::listing(&args.listing, &variables)?))
    });
    let (settled, surface, listing) = match settled {
        Ok(settled) => settled,
        Err(error) => return target::refuse(&error),
    };
    let limits = settled.limits;
    let demo = matches!(settled.target, Target::Demo { .. });
    let reached = match settled.reach().await {
        Ok(reached) => reached,
        Err(exit) => return exit,
    };
    if !reached.forge.has_token() {
        output::note("no token is set (FORGEHAND_TOKEN or FORGEHAND_TOKEN_FILE): calls are nobody's");
    }
    if std::io::stdin().is_terminal() {
        output::note("serving MCP on standard input and output, one JSON message a line; Ctrl-C ends it");
    }
    let server = match Server::new(reached.forge.clone(), surface, limits, listing, demo) {
        Ok(server) => server,
        Err(error) => return output::fail(Exit::Fault, &error.to_string()),
    };
    let served = match signals::stop() {
        Ok(stop) => mcp::serve(server, stop.map(|_signal| ())).await,
        Err(error) => Err(error),
    };
    match served {
        Ok(()) => Exit::Done,
        Err(error) => output::fail(Exit::Fault, &error.to_string()),
    }
}
