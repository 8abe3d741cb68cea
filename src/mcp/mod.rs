//! The MCP adapter: operations as tools, over standard input and output.
//!
//! Uses [`crate::operations`] and nothing of the command line. [`Server`] answers the protocol, `result` gives outcomes
//! the form of tool results, `guard` sees to it that every call is answered, [`Lines`] carries messages one a line.

mod guard;
mod instructions;
mod lines;
mod result;
mod server;
mod skim;
mod stdio;

pub use lines::Lines;
pub use server::{Server, ServerError};
pub use stdio::serve;
