//! forgehand: Forgejo as MCP tools and as a command line.
//!
//! Arrows point one way: the adapters (`mcp`, `cli`) use [`resources`] and [`operations`], resources use operations,
//! which use [`forge`], which uses the typed client. `docs/architecture.md` follows one call from line to line.

pub mod cli;
pub mod completions;
pub mod demo;
pub mod folders;
pub mod forge;
pub mod mcp;
pub mod operations;
pub mod prompts;
pub mod resources;
pub mod settings;
mod tools;
