//! The MCP adapter: operations as tools, and resources, over standard input and output.
//!
//! Uses [`crate::operations`], [`crate::resources`] and nothing of the command line. [`Server`] answers the protocol,
//! `result` gives outcomes the form of tool results, `asking` asks the client's user, `discovery` finds and runs what
//! is not listed, `guard` sees to it that every call is answered, `net` that every other request is too. [`Lines`]
//! carries messages one a line, `meaning` tells what a line is.

mod asking;
mod completions;
mod discovery;
mod guard;
mod instructions;
mod lines;
mod meaning;
mod net;
mod prompts;
mod resources;
mod result;
mod server;
mod skim;
mod stdio;

pub use lines::Lines;
pub use server::{Server, ServerError};
pub use stdio::serve;

/// What is told of the tools besides their names, descriptions and input schemas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Listing {
    /// Whether tools carry the schema of their answers.
    pub output_schemas: bool,
    /// Whether rows of lists carry links to their resources.
    pub resource_links: bool,
    /// Whether the tools that find, describe and call others are listed.
    pub discovery: bool,
}

/// A name out of a message as an error shows it: up to 100 characters of it.
fn brief(name: &str) -> std::borrow::Cow<'_, str> {
    match name.char_indices().nth(100) {
        None => name.into(),
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()).into(),
    }
}
