//! Whether two requests are the same on the wire.

use std::collections::BTreeMap;

use forgehand::demo::{Exchange, SeenRequest};
use serde_json::Value;

/// In what a request differs from a recorded one: method, raw path, query (in any order), body; `None` where in nothing.
pub(crate) fn differs(seen: &SeenRequest, recorded: &Exchange) -> Option<String> {
    let (path, query) = split(&seen.target);
    let (wanted_path, wanted_query) = split(&recorded.target);
    if seen.method != recorded.method || path != wanted_path {
        return Some(format!("{} {path} is not {} {wanted_path}", seen.method, recorded.method));
    }
    if query != wanted_query {
        return Some(format!("the query {query:?} is not {wanted_query:?}"));
    }
    let wanted = recorded.request.bytes().unwrap_or_default();
    let kind = recorded.request.header("content-type").unwrap_or_default();
    if same_body(kind, &seen.body, &wanted, seen.header("content-type").unwrap_or_default()) {
        return None;
    }
    Some(format!("the body {:?} is not {:?}", text(&seen.body), text(&wanted)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The pairs of a query by name, the values of each in order.
pub(crate) type Pairs = BTreeMap<String, Vec<String>>;

/// The raw path, and the query's pairs.
pub(crate) fn split(target: &str) -> (&str, Pairs) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut pairs = Pairs::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        pairs.entry(name.into_owned()).or_default().push(value.into_owned());
    }
    (path, pairs)
}

fn same_body(kind: &str, seen: &[u8], wanted: &[u8], seen_kind: &str) -> bool {
    if kind.starts_with("multipart/") {
        let boundary = |kind: &str| kind.split_once("boundary=").map(|(_, b)| b.trim_matches('"').to_owned());
        let (Some(own), Some(other)) = (boundary(seen_kind), boundary(kind)) else { return false };
        return parts(seen, &own) == parts(wanted, &other);
    }
    if seen == wanted {
        return true;
    }
    match (serde_json::from_slice::<Value>(seen), serde_json::from_slice::<Value>(wanted)) {
        (Ok(seen), Ok(wanted)) => seen == wanted,
        // A body that holds nothing may be left out.
        (Ok(seen), Err(_)) => wanted.is_empty() && seen == Value::Object(serde_json::Map::new()),
        _ => false,
    }
}

/// Name and content of each part. A file's name is that of the query; without one the forge takes the part's.
fn parts(body: &[u8], boundary: &str) -> Vec<(String, String)> {
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    let mark = format!("--{boundary}");
    let quoted = |head: &str, name: &str| {
        head.split_once(&format!("{name}=\""))
            .and_then(|(_, rest)| rest.split('"').next())
            .unwrap_or_default()
            .to_owned()
    };
    let mut found: Vec<_> = text
        .split(&mark)
        .filter_map(|part| part.split_once("\r\n\r\n"))
        .map(|(head, content)| (quoted(head, " name"), content.to_owned()))
        .collect();
    found.sort();
    found
}
