//! forgehand: Forgejo as MCP tools and as a command line.
//!
//! Arrows point one way: the adapters (`mcp`, `cli`) use [`operations`], which uses [`forge`], which uses the typed
//! client. `docs/architecture.md` follows one call from line to line.

pub mod cli;
pub mod demo;
pub mod folders;
pub mod forge;
pub mod mcp;
pub mod operations;
pub mod settings;
