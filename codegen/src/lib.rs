//! The generator of forgehand: reads Forgejo's API document and the inventory, writes Rust.
//!
//! Both build scripts call this library; `cargo codegen` is its command. It depends on no other member.

pub mod client;
pub mod contract;
pub mod docs;
pub mod document;
pub mod drift;
pub mod embed;
pub mod history;
pub mod import;
pub mod inventory;
pub mod naming;
pub mod pin;
pub mod router;
pub mod scopes;
pub mod upgrade;
pub mod verify;
