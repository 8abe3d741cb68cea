//! A typed client for every operation of Forgejo's API, generated at build time from its document.
//!
//! A method of [`Api`] builds a [`Call`]: the unsent request and the type of its answer. Whoever sends it gets a
//! [`Reply`]; [`Connection`] does, once, without retries. This crate knows nothing of tools, retries or views;
//! `forgehand`'s own transport builds on it.
//!
//! ```no_run
//! use forgehand_client::{Api, BaseUrl, Connection, types::CreateIssueOption};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let base = BaseUrl::parse("https://forge.example")?;
//! let forge = Connection::new(base, Some("0123456789abcdef"))?;
//! let issue = CreateIssueOption {
//!     title: "The door squeaks".to_owned(),
//!     labels: Some(vec![6]),
//!     ..Default::default()
//! };
//! let call = Api.issue_create_issue("acme", "widget", Some(&issue))?;
//! let made = forge.send(&call).await?.typed().await?;
//! println!("#{}", made.number.unwrap_or_default());
//! # Ok(())
//! # }
//! ```

mod answer;
mod base;
mod call;
mod connection;
mod content;
mod encode;
mod form;
mod generated;
mod given;
mod reply;
mod target;

pub use answer::{AnswerKind, OneOrMany, OperationInfo};
pub use base::{BaseUrl, BaseUrlError};
pub use call::{Body, BuildError, Call, Parameters, Part, Raw, Upload};
pub use connection::{Connection, ConnectionError, builder};
pub use content::{Content, FileContent};
pub use encode::{segment, slashed};
pub use form::{encode_form, is_media_type};
pub use generated::{Api, OPERATIONS, types, untyped};
pub use reply::{DecodeError, JSON_LIMIT, Reply, ReplyError, decode};
