//! What the recorded forge promises to those who build on it, asked over HTTP.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "helpers are tests too")]

mod matching;
mod paging;
mod promises;
mod wire;

use forgehand::demo::{DemoForge, Options, SeenRequest};
use wire::{Got, Sent, Wire};

/// A demo forge with the embedded recordings, and a connection to it.
struct Bench {
    forge: DemoForge,
    wire: Wire,
}

impl Bench {
    async fn new() -> Self {
        let forge =
            DemoForge::start(Options { remember: true, ..Options::default() }).await.expect("a demo forge");
        let wire = Wire::open(forge.address()).await;
        Self { forge, wire }
    }

    async fn send(&mut self, sent: &Sent<'_>) -> Got {
        self.wire.send(sent).await
    }

    /// A GET as bob.
    async fn get(&mut self, target: &str) -> Got {
        self.send(&Sent::get(target, "token demo-bob")).await
    }

    /// The last request that the forge saw.
    fn seen(&self) -> SeenRequest {
        self.forge.requests().pop().expect("a request")
    }
}

/// The names of the rows of a list.
fn names(got: &Got, field: &str) -> Vec<String> {
    let list = got.json();
    let rows = list.as_array().expect("a list");
    rows.iter().map(|row| row[field].to_string().trim_matches('"').to_owned()).collect()
}
