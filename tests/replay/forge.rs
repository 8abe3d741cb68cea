//! A forge that gives one recorded answer to one recorded request; what is read besides comes from the recordings.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use forgehand::demo::{Answered, Asked, Exchange, Message, Recordings, Replay, SeenRequest, WEB_BASE};
use forgehand::forge::{Forge, Token};
use forgehand_client::BaseUrl;

use crate::scripted::{Answer, Request, Scripted};

/// Whose recordings serve a read that the asker's do not hold: they see the most.
const OTHERS: [&str; 2] = ["bob", "admin"];

/// What the next request is answered with.
#[derive(Default)]
struct Turn {
    exchange: Option<Exchange>,
    base: String,
    misses: Vec<String>,
}

/// The forge, and the clients of all who asked.
pub(crate) struct Bench {
    scripted: Scripted,
    turn: Arc<Mutex<Turn>>,
    forges: BTreeMap<String, Forge>,
}

impl Bench {
    pub(crate) async fn new(recordings: Arc<Recordings>) -> Self {
        let turn = Arc::new(Mutex::new(Turn::default()));
        let shared = Arc::clone(&turn);
        let scripted = Scripted::by(move |request| answer(&mut shared.lock().unwrap(), &recordings, request));
        let scripted = scripted.await;
        turn.lock().unwrap().base = scripted.base();
        Self { scripted, turn, forges: BTreeMap::new() }
    }

    /// A client of whoever asked; from now on the forge gives this exchange's answer.
    pub(crate) fn expect(&mut self, exchange: &Exchange) -> Forge {
        let mut turn = self.turn.lock().unwrap();
        turn.exchange = Some(exchange.clone());
        turn.misses.clear();
        let base = &turn.base;
        let made = || {
            let token = (exchange.identity != "anonymous").then(|| format!("token-of-{}", exchange.identity));
            let token = token.and_then(|token| Token::new(&token));
            Forge::new(BaseUrl::parse(base).unwrap(), token).direct()
        };
        self.forges.entry(exchange.identity.clone()).or_insert_with(made).clone()
    }

    /// What was sent for it, and what of that was neither the request nor recorded.
    pub(crate) fn seen(&self) -> (Vec<SeenRequest>, Vec<String>) {
        let turn = self.turn.lock().unwrap();
        let identity = turn.exchange.as_ref().map_or("", |exchange| &exchange.identity);
        let seen = |request: Request| SeenRequest {
            method: request.method,
            target: request.target,
            headers: request.headers,
            body: request.body.into(),
            identity: identity.to_owned(),
            answered: Answered::Miss,
        };
        (self.scripted.take_requests().into_iter().map(seen).collect(), turn.misses.clone())
    }
}

/// Whether a request is the recorded one, or means it: method and path decide.
pub(crate) fn means(method: &str, target: &str, exchange: &Exchange) -> bool {
    let path = |target: &str| {
        let path = target.split('?').next().unwrap_or_default();
        percent_encoding::percent_decode_str(path).collect::<Vec<u8>>()
    };
    method == exchange.method && path(target) == path(&exchange.target)
}

fn answer(turn: &mut Turn, recordings: &Arc<Recordings>, request: &Request) -> Answer {
    let Some(exchange) = turn.exchange.as_ref() else { return Answer::empty(500) };
    if means(&request.method, &request.target, exchange) {
        return recorded(exchange.status, &exchange.response, &turn.base);
    }
    let mut replay = Replay::new(Arc::clone(recordings));
    replay.start_at(&exchange.scenario);
    let identities = std::iter::once(exchange.identity.as_str()).chain(OTHERS);
    let answers = identities.map(|identity| {
        replay.answer(&Asked {
            identity: identity.to_owned(),
            method: request.method.clone(),
            target: request.target.clone(),
            headers: Vec::new(),
            body: request.body.clone().into(),
        })
    });
    let found = answers.into_iter().find(|answer| answer.from != Answered::Miss);
    let Some(found) = found.filter(|_| request.method == "GET") else {
        turn.misses.push(request.line());
        return Answer::json(501, r#"{"message": "not recorded"}"#);
    };
    sent(found.status, &found.headers, &found.body.unwrap_or_default(), &turn.base)
}

fn recorded(status: u16, message: &Message, base: &str) -> Answer {
    sent(status, &message.headers, &message.bytes().unwrap_or_default(), base)
}

/// An answer at this forge's own address, so that a redirect stays within it.
fn sent(status: u16, headers: &[(String, String)], body: &[u8], base: &str) -> Answer {
    let mut answer = Answer::empty(status).body(body);
    for (name, value) in headers {
        let value = match name.as_str() {
            "link" | "location" => value.replace(WEB_BASE, base),
            _ => value.clone(),
        };
        answer = answer.header(name, &value);
    }
    answer
}
