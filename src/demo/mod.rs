//! A recorded forge that answers when no real one is at hand.
//!
//! [`DemoForge`] serves real exchanges with a Forgejo 15 over HTTP on a loopback port: `serve --demo` talks to it, and so
//! do the tests, which also ask it what it was sent ([`Options::remember`]). It never invents: what was not recorded is
//! a [miss](Answered::Miss), 501 with the nearest targets that were. How a request finds its answer is told in
//! `tests/recordings/README.md`. Uses nothing else of this crate.

mod body;
mod exchange;
mod key;
mod load;
mod multipart;
mod near;
mod paging;
mod recordings;
mod replay;
mod server;
mod slice;
mod tree;

pub use body::Body;
pub use exchange::{Exchange, Message, WEB_BASE};
pub use load::LoadError;
pub use recordings::Recordings;
pub use replay::{Answer, Answered, Asked, Replay};
pub use server::{DemoForge, Options, SeenRequest};

/// The prefix of the tokens that stand for an identity: `demo-bob` is bob, `demo-bob/read-only` a weaker token of his.
pub const TOKEN_PREFIX: &str = "demo-";

/// The password that every recorded user has.
pub const PASSWORD: &str = "fake-password-1";
