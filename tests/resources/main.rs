//! Resources, prompts and completions as clients see them: each over the wire, in both eras of the protocol, from the
//! recorded forge or a scripted one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../common/child.rs"]
mod child;
#[path = "../common/mod.rs"]
mod common;

mod addresses;
mod completions;
mod entities;
mod failures;
mod kinds;
mod links;
mod listing;
mod long;
mod odd;
mod pages;
mod prompts;
mod rules;

use child::{Server, command, initialize, request};
use serde_json::{Value, json};

/// The two eras: with a handshake, and without one.
const ERAS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// A client of `forgehand serve` in one era.
struct Client {
    server: Server,
    is_modern: bool,
    last: u64,
}

impl Client {
    /// One that talks to a server with those arguments and variables.
    fn start(era: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = command(&[&["serve"], arguments].concat());
        command.envs(variables.iter().copied());
        let mut server = Server::spawn(command);
        let is_modern = era == "2026-07-28";
        if !is_modern {
            server.send(&initialize(era));
            server.answer();
            server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        Self { server, is_modern, last: 1 }
    }

    /// The recorded forge's.
    fn demo(era: &str) -> Self {
        Self::start(era, &["--demo"], &[])
    }

    /// The whole answer to a request.
    #[track_caller]
    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.last += 1;
        if self.is_modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let mut asked = request(self.last, method);
        asked["params"] = params;
        self.server.send(&asked);
        let answer = self.server.answer();
        assert_eq!(answer["id"], self.last, "{answer}");
        answer
    }

    /// What reading a resource answers.
    #[track_caller]
    fn read(&mut self, uri: &str) -> Value {
        self.ask("resources/read", json!({ "uri": uri }))
    }

    /// The contents of a resource.
    #[track_caller]
    fn contents(&mut self, uri: &str) -> Vec<Value> {
        let answer = self.read(uri);
        let contents = answer["result"]["contents"].as_array().unwrap_or_else(|| panic!("{uri}: {answer}"));
        assert!(contents.iter().all(|block| block["uri"] == uri), "{answer}");
        contents.clone()
    }

    /// The first block of a resource, which is JSON.
    #[track_caller]
    fn object(&mut self, uri: &str) -> Value {
        let first = self.contents(uri).remove(0);
        assert_eq!(first["mimeType"], "application/json", "{uri}");
        serde_json::from_str(first["text"].as_str().unwrap()).unwrap()
    }

    /// Number and message of the error that reading answers.
    #[track_caller]
    fn refusal(&mut self, uri: &str) -> (i64, String) {
        let answer = self.read(uri);
        let error = &answer["error"];
        let code = error["code"].as_i64().unwrap_or_else(|| panic!("{uri}: {answer}"));
        (code, error["message"].as_str().unwrap().to_owned())
    }
}

/// The names of an object's fields, in their order.
fn names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// What a client of a scripted forge is answered, by a server with those options.
async fn asked<T: Send + 'static>(
    forge: &common::scripted::Scripted,
    options: &'static [&'static str],
    ask: impl FnOnce(&mut Client) -> T + Send + 'static,
) -> T {
    let base = forge.base();
    let asked = tokio::task::spawn_blocking(move || {
        let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
        ask(&mut Client::start("2025-11-25", options, &variables))
    });
    asked.await.unwrap()
}
