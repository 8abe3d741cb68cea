//! One run through the recordings: which answer a request gets, and the how-manieth time it asks.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;

use super::{Exchange, Recordings, key, near, slice};

/// A request as the demo forge looks it up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Who asks, as the recordings spell it.
    pub identity: String,
    /// The method, in capitals.
    pub method: String,
    /// The raw target, from `/api/v1` on.
    pub target: String,
    /// Names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The body; empty for none.
    pub body: Bytes,
}

impl Asked {
    /// The value of a header, named in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What makes two requests the same one; see `tests/recordings/README.md`.
    pub fn key(&self) -> String {
        key::exact(self)
    }

    /// What makes two requests pages of the same list; `None` where this is no plain GET.
    pub fn list_key(&self) -> Option<String> {
        key::list(self)
    }
}

/// Where an answer came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// The exchange of that scenario.
    Recorded(String),
    /// A page put together out of recorded rows of the same list, or that list's refusal for another page.
    Sliced,
    /// Nothing: it was not recorded.
    Miss,
}

/// An answer as it goes over the wire, save for the address of the instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The body; `None` for none.
    pub body: Option<Bytes>,
    /// Where it came from.
    pub from: Answered,
}

/// A run through recordings. The n-th equal request gets the n-th answer, the last one repeats.
#[derive(Debug)]
pub struct Replay {
    recordings: Arc<Recordings>,
    next: HashMap<String, usize>,
    start: Option<usize>,
}

impl Replay {
    /// A run from the start.
    pub fn new(recordings: Arc<Recordings>) -> Self {
        Self { recordings, next: HashMap::new(), start: None }
    }

    /// The recordings that are run through.
    pub fn recordings(&self) -> &Arc<Recordings> {
        &self.recordings
    }

    /// Goes to the time of that scenario: equal requests get their first answer from it on, and the last one before it
    /// where none follows. False where there is no such scenario.
    pub fn start_at(&mut self, scenario: &str) -> bool {
        let found = self.recordings.scenario(scenario).map(|(at, _)| at);
        if found.is_some() {
            self.start = found;
            self.next.clear();
        }
        found.is_some()
    }

    /// The answer to a request.
    pub fn answer(&mut self, asked: &Asked) -> Answer {
        if let Some(exchange) = self.recorded(asked) {
            return exchange;
        }
        let sliced = key::list(asked).and_then(|list| slice::page(&self.recordings, &list, asked));
        sliced.unwrap_or_else(|| self.miss(asked))
    }

    /// What a request gets that was not recorded.
    pub(crate) fn miss(&self, asked: &Asked) -> Answer {
        near::miss(&self.recordings, asked)
    }

    fn recorded(&mut self, asked: &Asked) -> Option<Answer> {
        let exact = key::exact(asked);
        let equal = self.recordings.equal(&exact);
        let last = equal.len().checked_sub(1)?;
        let first = self.first(equal).min(last);
        let turn = self.next.get(&exact).copied().unwrap_or(first);
        let answer = equal.get(turn).and_then(|at| self.recordings.exchanges().get(*at)).and_then(whole);
        self.next.insert(exact, (turn + 1).min(last));
        answer
    }

    fn first(&self, equal: &[usize]) -> usize {
        self.start.map_or(0, |start| equal.iter().take_while(|at| **at < start).count())
    }
}

/// An exchange's answer; `None` where only the start of its body was kept.
fn whole(exchange: &Exchange) -> Option<Answer> {
    let response = &exchange.response;
    let body = match response.body {
        super::Body::Truncated(_) => return None,
        _ => response.bytes(),
    };
    Some(Answer {
        status: exchange.status,
        headers: response.headers.clone(),
        body,
        from: Answered::Recorded(exchange.scenario.clone()),
    })
}
