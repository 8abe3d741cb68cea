//! The inventory: reads `inventory.toml`, checks it against the pinned document, and makes the tools of a build of it.
//!
//! One way through: [`parse()`] turns text into rows with their lines ([`model`]), [`resolve()`] checks the rows
//! against the document and gives finished [`tool::Tool`]s, and from these come the table's Rust text ([`emit`]) and
//! the lock ([`lock`]). Every fault is a [`Problem`] that names table, key, line and, where there is one, the nearest
//! name; all faults of a pass are reported together. `docs/inventory.md` documents each key.

pub mod applied;
pub mod emit;
pub mod lock;
pub mod model;
pub mod names;
mod output;
mod parse;
mod problem;
pub mod resolve;
mod schema;
mod shape;
pub mod tool;
mod tree;

pub use parse::parse;
pub use problem::{Problem, Problems};
pub use resolve::resolve;
