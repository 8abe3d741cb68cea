//! Chooses the recordings that the repository keeps: `cargo run --example select_recordings -- SOURCE… TARGET`.
//!
//! Each SOURCE is a folder of JSON lines as `tests/recordings/README.md` describes them, in order of time; TARGET gets
//! one file for each group. The rules:
//!
//! 1. Scenarios that end in `feature-off` or `other-instance` are left out: they come from another instance.
//! 2. Of the crawl, walks through acme/playground are left out: that repository is what the recorded writes left behind.
//! 3. An exchange that says what the last equal one said is left out: the last answer repeats anyway.
//! 4. A page of a crawled list is left out where the demo forge puts the very same answer together out of what is kept.
//!    Larger pages are kept first. Crawled are the scenarios `…/crawl…`.
//! 5. A body that an earlier exchange of the file has becomes `body_same_as`, one that equals a row of an earlier list
//!    `row`, and the rows of lists become references to equal rows before them (`rows`). The header `accept:
//!    application/json` goes without saying. What is kept stays as it was recorded, byte for byte.
//!
//! At the end all that was wanted is asked again of what was written, in its order, and each answer that differs is named.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use forgehand::demo::{Answer, Answered, Body, Exchange, Message, Recordings, Replay};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

/// Bodies shorter than this, in bytes, are repeated rather than referred to.
const WORTH_A_REFERENCE: usize = 100;

/// Exchanges by the name of their file.
type Groups = BTreeMap<String, Vec<Exchange>>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((target, sources)) = arguments.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        return Err("expected: SOURCE… TARGET".into());
    };
    let mut groups = Groups::new();
    for source in sources {
        for (name, exchanges) in read(Path::new(source))? {
            groups.entry(name).or_default().extend(exchanges);
        }
    }
    fs::create_dir_all(target)?;
    let mut wanted = Vec::new();
    let (mut kept, mut bytes) = (0, 0);
    for (name, exchanges) in groups {
        let all = exchanges.len();
        wanted.extend(exchanges.iter().cloned());
        let exchanges = without_served_pages(without_repeats(exchanges));
        let text = write(&exchanges)?;
        eprintln!("{name}: {} of {all} exchanges, {} KB", exchanges.len(), text.len() / 1000);
        kept += exchanges.len();
        bytes += text.len();
        fs::write(Path::new(target).join(name), text)?;
    }
    let differing = check(&wanted, Recordings::folder(Path::new(target))?);
    eprintln!("together: {kept} exchanges, {} KB; {differing} answers differ", bytes / 1000);
    Ok(())
}

/// How many of these exchanges the recordings answer otherwise. Exchanges with a body that was cut don't count.
fn check(wanted: &[Exchange], recordings: Recordings) -> usize {
    let mut replay = Replay::new(Arc::new(recordings));
    let differs = |exchange: &&Exchange| {
        let answer = replay.answer(&exchange.asked());
        let same = answer.status == exchange.status && answer.body == exchange.response.bytes();
        if !same {
            eprintln!("answered otherwise: {} {}", exchange.scenario, exchange.target);
        }
        !same
    };
    wanted.iter().filter(|one| !matches!(one.response.body, Body::Truncated(_))).filter(differs).count()
}

/// The groups of a source with their exchanges: rules 1 and 2.
fn read(source: &Path) -> Result<Groups, Box<dyn Error>> {
    let mut groups = Groups::new();
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut exchanges = Recordings::file(&path)?;
        exchanges.retain(wanted);
        groups.insert(name, exchanges);
    }
    Ok(groups)
}

fn wanted(exchange: &Exchange) -> bool {
    let other = exchange.scenario.ends_with("feature-off") || exchange.scenario.ends_with("other-instance");
    let left_behind = is_crawled(exchange) && exchange.target.starts_with("/api/v1/repos/acme/playground");
    !other && !left_behind
}

fn is_crawled(exchange: &Exchange) -> bool {
    exchange.scenario.contains("/crawl")
}

/// Rule 3.
fn without_repeats(exchanges: Vec<Exchange>) -> Vec<Exchange> {
    let mut last: HashMap<String, (u16, Message)> = HashMap::new();
    let mut kept = Vec::new();
    for exchange in exchanges {
        let key = exchange.asked().key();
        let said = (exchange.status, exchange.response.clone());
        let again = last.get(&key).is_some_and(|(status, before)| {
            *status == said.0 && before.headers == said.1.headers && before.bytes() == said.1.bytes()
        });
        if exchange.method != "GET" || !again {
            last.insert(key, said);
            kept.push(exchange);
        }
    }
    kept
}

/// Rule 4. The order of the rest stays.
fn without_served_pages(mut exchanges: Vec<Exchange>) -> Vec<Exchange> {
    let mut lists: HashMap<String, Vec<(usize, &Exchange)>> = HashMap::new();
    for (at, exchange) in exchanges.iter().enumerate() {
        if let Some(list) = exchange.asked().list_key() {
            lists.entry(list).or_default().push((at, exchange));
        }
    }
    let dropped: HashSet<usize> = lists.into_values().flat_map(served_pages).collect();
    let mut places = 0..;
    exchanges.retain(|_| places.next().is_some_and(|at| !dropped.contains(&at)));
    exchanges
}

/// The places of those crawled pages of one list that the others serve.
fn served_pages(pages: Vec<(usize, &Exchange)>) -> Vec<usize> {
    let (mut crawled, mut kept): (Vec<_>, Vec<_>) = pages.into_iter().partition(|(_, page)| is_crawled(page));
    crawled.sort_by_key(|(_, page)| Reverse(page.response.bytes().map_or(0, |body| body.len())));
    let mut served = Vec::new();
    for (at, page) in crawled {
        kept.sort_unstable_by_key(|(at, _)| *at);
        if serves(kept.iter().map(|(_, kept)| (*kept).clone()).collect(), page) {
            served.push(at);
        } else {
            kept.push((at, page));
        }
    }
    served
}

fn serves(known: Vec<Exchange>, wanted: &Exchange) -> bool {
    let Answer { status, mut headers, body, from } =
        Replay::new(Arc::new(Recordings::new(known))).answer(&wanted.asked());
    headers.sort();
    let same = from == Answered::Sliced
        && status == wanted.status
        && headers == wanted.response.headers
        && body == wanted.response.bytes();
    if from == Answered::Sliced && !same {
        eprintln!("kept, for slices differ: {} {}", wanted.scenario, wanted.target);
    }
    same
}

/// The text of a file: rule 5.
fn write(exchanges: &[Exchange]) -> Result<String, Box<dyn Error>> {
    let mut bodies: HashMap<Bytes, &str> = HashMap::new();
    let mut rows: HashMap<Bytes, (String, usize)> = HashMap::new();
    let mut out = String::new();
    for exchange in exchanges {
        let mut response = Map::new();
        response.insert("status".into(), json!(exchange.status));
        response.insert("headers".into(), headers(&exchange.response));
        let mut raw: Option<(&str, Box<RawValue>)> = None;
        if let Some(value) = value(&exchange.response.body) {
            match (bodies.get(&value), rows.get(&value)) {
                (Some(scenario), _) => raw = Some(("body_same_as", to_raw_value(scenario)?)),
                (None, Some((list, at))) => raw = Some(("row", to_raw_value(&format!("{list}:{at}"))?)),
                (None, None) => {
                    if value.len() >= WORTH_A_REFERENCE {
                        bodies.insert(value.clone(), &exchange.scenario);
                    }
                    raw = Some(match shortened(&value, &exchange.scenario, &mut rows)? {
                        Some(rows) => ("rows", rows),
                        None => ("body", RawValue::from_string(String::from_utf8(value.to_vec())?)?),
                    });
                }
            }
        }
        let line = line(exchange, &response, raw)?;
        out.push_str(&line);
        out.push('\n');
    }
    Ok(out)
}

fn line(
    exchange: &Exchange,
    response: &Map<String, Value>,
    body: Option<(&str, Box<RawValue>)>,
) -> Result<String, Box<dyn Error>> {
    let head =
        json!({"operation": exchange.operation, "as": exchange.identity, "scenario": exchange.scenario});
    let request =
        json!({"method": exchange.method, "path": exchange.target, "headers": headers(&exchange.request)});
    let request = with(&request.to_string(), value(&exchange.request.body).map(|body| ("body", body)))?;
    let body = body.map(|(name, raw)| (name, Bytes::from(raw.get().to_owned())));
    let response = with(&serde_json::to_string(response)?, body)?;
    let head = with(&head.to_string(), Some(("request", Bytes::from(request))))?;
    with(&head, Some(("response", Bytes::from(response))))
}

/// A JSON object with one key more.
fn with(object: &str, more: Option<(&str, Bytes)>) -> Result<String, Box<dyn Error>> {
    let Some((name, value)) = more else { return Ok(object.to_owned()) };
    let open = object.strip_suffix('}').ok_or("expected an object")?;
    Ok(format!("{open},\"{name}\":{}}}", std::str::from_utf8(&value)?))
}

fn headers(message: &Message) -> Value {
    let kept = message.headers.iter().filter(|(name, value)| name != "accept" || value != "application/json");
    kept.map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
}

/// The JSON value that stands for a body.
fn value(body: &Body) -> Option<Bytes> {
    match body {
        Body::Whole(value) | Body::Truncated(value) => Some(value.clone()),
        Body::Rows(_) => body.bytes(),
        Body::Absent => None,
    }
}

/// The rows of a list with references for those that were there before; `None` where there are none.
fn shortened(
    value: &Bytes,
    scenario: &str,
    known: &mut HashMap<Bytes, (String, usize)>,
) -> Result<Option<Box<RawValue>>, Box<dyn Error>> {
    let Ok(rows) = serde_json::from_slice::<Vec<&RawValue>>(value) else { return Ok(None) };
    if rows.iter().any(|row| row.get().starts_with('"')) {
        return Ok(None);
    }
    let mut out: Vec<Row> = Vec::new();
    let mut fresh = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let text = value.slice_ref(row.get().as_bytes());
        match known.get(&text) {
            Some((source, place)) => match out.last_mut() {
                Some(Row::Same { scenario, to, .. }) if scenario == source && *place == *to + 1 => {
                    *to = *place
                }
                _ => out.push(Row::Same { scenario: source.clone(), from: *place, to: *place }),
            },
            None => {
                if text.len() >= WORTH_A_REFERENCE {
                    fresh.push((text, (scenario.to_owned(), at)));
                }
                out.push(Row::Own((*row).to_owned()));
            }
        }
    }
    known.extend(fresh);
    if out.iter().all(|row| matches!(row, Row::Own(_))) {
        return Ok(None);
    }
    let written: Result<Vec<Box<RawValue>>, _> = out.into_iter().map(Row::write).collect();
    Ok(Some(to_raw_value(&written?)?))
}

enum Row {
    Own(Box<RawValue>),
    Same { scenario: String, from: usize, to: usize },
}

impl Row {
    fn write(self) -> Result<Box<RawValue>, serde_json::Error> {
        match self {
            Self::Own(row) => Ok(row),
            Self::Same { scenario, from, to } if from == to => to_raw_value(&format!("{scenario}:{from}")),
            Self::Same { scenario, from, to } => to_raw_value(&format!("{scenario}:{from}-{to}")),
        }
    }
}
