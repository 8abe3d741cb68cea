//! A typed client for every operation of Forgejo's API, generated at build time from its document.
//!
//! A method of [`Api`] builds a [`Call`]: the unsent request and the type of its answer. Whoever sends it gets a
//! [`Reply`]. This crate knows nothing of tools, retries or views; `forgehand`'s own transport builds on it.

mod base;
mod call;
mod encode;
mod reply;

pub use base::{BaseUrl, BaseUrlError};
pub use call::{Body, BuildError, Call, Parameters, Part, Raw, Upload};
pub use encode::{segment, slashed};
pub use reply::{DecodeError, JSON_LIMIT, Reply, ReplyError, decode};
