//! What one line means: messages to let in, and what is refused of it.
//!
//! What is refused is looked at by its head alone: no value is built of it, however long the line is.

use std::collections::VecDeque;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::brief;
use super::skim::{Due, Skim, values};

pub(super) type Incoming = RxJsonRpcMessage<RoleServer>;
pub(super) type Outgoing = TxJsonRpcMessage<RoleServer>;

/// How many values a line may hold. One takes two bytes of the line and a hundred times as many of memory; what tools
/// are called with has a few hundred.
const MOST_VALUES: usize = 200_000;

/// How many errors a batch gets. Two bytes of a line can be one that is due an error of a hundred.
const MOST_REFUSALS: usize = 100;

/// What a line came to.
#[derive(Default)]
pub(super) struct Meaning {
    pub(super) messages: VecDeque<Incoming>,
    pub(super) refusals: Vec<Outgoing>,
}

/// Of a request that is none of MCP what tells why.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    jsonrpc: Value,
    method: Value,
}

impl Meaning {
    /// Reads a line as a message or a batch of them (of the 2025-03-26 revision).
    pub(super) fn of_line(line: &[u8]) -> Self {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        let mut meaning = Self::default();
        if line.is_empty() {
            return meaning;
        }
        // None takes less than a byte.
        if line.len() > MOST_VALUES && values(line) > MOST_VALUES {
            let why = format!("this line was skipped: it holds more than {MOST_VALUES} values");
            return Self::of_skipped(Skim::of(line), ErrorData::invalid_request(why, None));
        }
        if line.first() != Some(&b'[') {
            meaning.take(line);
            return meaning;
        }
        match serde_json::from_slice::<Vec<&RawValue>>(line) {
            Ok(batch) if batch.is_empty() => meaning.refusals.push(no_request(None)),
            Ok(batch) => meaning.take_batch(&batch),
            Err(error) => meaning.unreadable(line, &error),
        }
        meaning
    }

    /// What a line means that is not read, for that reason. An answer to a request of ours is none for whoever waits
    /// for it, and gets none itself: its id is that of our request.
    pub(super) fn of_skipped(skim: Skim, why: ErrorData) -> Self {
        let mut meaning = Self::default();
        match skim.due() {
            Due::Request(id) => meaning.refusals.push(JsonRpcMessage::error(why, Some(id))),
            Due::Unclear => meaning.refusals.push(JsonRpcMessage::error(why, None)),
            Due::Response(id) => meaning.messages.push_back(JsonRpcMessage::error(why, Some(id))),
            Due::Nothing => tracing::debug!("skipped a notification: {}", why.message),
        }
        meaning
    }

    fn take_batch(&mut self, batch: &[&RawValue]) {
        for item in batch {
            self.take(item.get().as_bytes());
            if self.refusals.len() > MOST_REFUSALS {
                let why = format!("this batch was not read on after {MOST_REFUSALS} errors");
                self.refusals.truncate(MOST_REFUSALS);
                self.refusals.push(invalid(why, None));
                break;
            }
        }
    }

    fn take(&mut self, text: &[u8]) {
        match serde_json::from_slice::<Incoming>(text) {
            Ok(message) => self.messages.push_back(message),
            Err(error) if !error.is_data() => self.unreadable(text, &error),
            // It has not the form of a message, which is seen before its end is.
            Err(_) => match serde_json::from_slice::<IgnoredAny>(text) {
                Ok(_) => self.refuse(text),
                Err(error) => self.unreadable(text, &error),
            },
        }
    }

    /// Refuses JSON that is no message of MCP, where an answer is due.
    fn refuse(&mut self, text: &[u8]) {
        match Skim::of(text).due() {
            Due::Request(id) => self.refusals.push(refusal(text, id)),
            Due::Unclear => self.refusals.push(no_request(None)),
            Due::Response(id) => {
                let why = "this answer has not the form of one".to_owned();
                self.messages
                    .push_back(JsonRpcMessage::error(ErrorData::invalid_request(why, None), Some(id)));
            }
            Due::Nothing => tracing::debug!("skipped a notification or an answer that is out of form"),
        }
    }

    /// Refuses what is no JSON. Without the id of a request there is no answer, though JSON-RPC would have one: nobody
    /// could tell what it answers, and two peers that answer each other's errors would never stop. The official kits
    /// skip it too.
    fn unreadable(&mut self, text: &[u8], error: &serde_json::Error) {
        tracing::debug!(%error, "skipped a line that is not JSON");
        let mut why = format!("this line cannot be read as JSON: {error}");
        // The reader's words for the only such fault that JavaScript writes: a text that was cut within an emoji.
        if why.contains("hex escape") {
            why.push_str("; half a surrogate pair is no character, so leave it out");
        }
        let why = ErrorData::parse_error(why, None);
        match Skim::of(text).due() {
            Due::Request(id) => self.refusals.push(JsonRpcMessage::error(why, Some(id))),
            Due::Response(id) => self.messages.push_back(JsonRpcMessage::error(why, Some(id))),
            Due::Unclear | Due::Nothing => {}
        }
    }
}

/// The answer to a request that is none of MCP.
fn refusal(text: &[u8], id: RequestId) -> Outgoing {
    let head: Head = serde_json::from_slice(text).unwrap_or_default();
    match head.method.as_str() {
        Some(method) if head.jsonrpc == "2.0" => {
            let why = format!("the params of {} must be an object", brief(method));
            JsonRpcMessage::error(ErrorData::invalid_params(why, None), Some(id))
        }
        _ => no_request(Some(id)),
    }
}

fn no_request(id: Option<RequestId>) -> Outgoing {
    let expected =
        "expected one JSON-RPC 2.0 request a line: {\"jsonrpc\":\"2.0\",\"id\":…,\"method\":\"…\"}";
    invalid(format!("this is no JSON-RPC request; {expected}"), id)
}

fn invalid(why: String, id: Option<RequestId>) -> Outgoing {
    JsonRpcMessage::error(ErrorData::invalid_request(why, None), id)
}
