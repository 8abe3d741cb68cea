//! A miss: 501 with the nearest targets that were recorded.

use bytes::Bytes;
use serde_json::json;

use super::{Answer, Answered, Asked, Exchange, Recordings, key};

/// How many near targets a miss names.
const SHOWN: usize = 5;

/// The answer to a request that was not recorded.
pub(crate) fn miss(recordings: &Recordings, asked: &Asked) -> Answer {
    let what = if asked.method == "GET" {
        "The demo forge answers what was recorded, and this was not"
    } else {
        "The demo forge is for reading: a write works only where its very body was recorded, and this was not"
    };
    let body = json!({
        "message": format!("{what}: {} {} as {}", asked.method, asked.target, asked.identity),
        "nearest": nearest(recordings, asked),
    });
    Answer {
        status: 501,
        headers: vec![
            ("content-type".to_owned(), "application/json;charset=utf-8".to_owned()),
            ("x-not-recorded".to_owned(), "true".to_owned()),
        ],
        body: Some(Bytes::from(body.to_string())),
        from: Answered::Miss,
    }
}

/// The nearest recorded requests, best first: `METHOD TARGET`, with ` as NAME` where somebody else asked and
/// ` (SCENARIO)` where only the body differs.
fn nearest(recordings: &Recordings, asked: &Asked) -> Vec<String> {
    let path = key::path(&asked.target);
    let mut scored: Vec<(usize, &Exchange)> = recordings
        .exchanges()
        .iter()
        .map(|exchange| (score(exchange, asked, &path), exchange))
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let mut named: Vec<String> = Vec::new();
    for (_, exchange) in scored {
        let name = name(exchange, asked);
        if !named.contains(&name) {
            named.push(name);
        }
        if named.len() == SHOWN {
            break;
        }
    }
    named
}

fn name(exchange: &Exchange, asked: &Asked) -> String {
    let mut name = format!("{} {}", exchange.method, exchange.target);
    if exchange.identity != asked.identity {
        name.push_str(" as ");
        name.push_str(&exchange.identity);
    } else if exchange.target == asked.target && exchange.method == asked.method {
        name.push_str(&format!(" ({})", exchange.scenario));
    }
    name
}

/// How near a recorded request is: its path counts most, then method and identity, then the query. 0 is not near.
fn score(exchange: &Exchange, asked: &Asked, path: &str) -> usize {
    let known = key::path(&exchange.target);
    let shared = known.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
    let lengths = known.split('/').count().abs_diff(path.split('/').count());
    let same_path = known == path;
    // "", "api" and "v1" say nothing, and neither does another method at another path, nor a read to who writes.
    let is_other = exchange.method != asked.method && (asked.method != "GET" || !same_path);
    if shared <= 3 || is_other || (!same_path && exchange.status >= 400) {
        return 0;
    }
    let mut score = 1000 * shared + 500;
    score -= 100 * lengths.min(4);
    score += 4000 * usize::from(same_path);
    score += 400 * usize::from(exchange.method == asked.method);
    score += 300 * usize::from(exchange.identity == asked.identity);
    score.saturating_add_signed(queries(&exchange.target, &asked.target).clamp(-300, 300))
}

/// How alike two queries are: equal parameters count for it, other ones against it. Pages don't count.
fn queries(theirs: &str, ours: &str) -> isize {
    let read = |target: &str| key::pairs(key::split(target).1);
    let (mut theirs, ours) = (read(theirs), read(ours));
    theirs.retain(|(name, _)| !key::PAGING.contains(&name.as_str()));
    let mut score = 0;
    for (name, value) in ours.iter().filter(|(name, _)| !key::PAGING.contains(&name.as_str())) {
        let Some(at) = theirs.iter().position(|(other, _)| other == name) else {
            score -= 10;
            continue;
        };
        let (_, other) = theirs.swap_remove(at);
        let shared = other.chars().zip(value.chars()).take_while(|(a, b)| a == b).take(8).count();
        score += if other == *value { 40 } else { 10 + isize::try_from(shared).unwrap_or(0) };
    }
    score - 10 * isize::try_from(theirs.len()).unwrap_or(0)
}
