//! When two requests are the same one: the key that recordings are looked up by.
//!
//! Escapes of path and query are normalised without ever turning `%2F` into `/`; the query is sorted; JSON bodies are
//! compared by value; of the headers only those count that change an answer.

use std::fmt::Write as _;

use serde_json::Value;

use super::Asked;
use super::multipart;

/// Query parameters that choose a page rather than what is listed.
pub(crate) const PAGING: [&str; 3] = ["page", "limit", "per_page"];

/// The key of a request, as one string.
pub(crate) fn exact(asked: &Asked) -> String {
    let (path, query) = split(&asked.target);
    let mut key = start(asked, path);
    push_pairs(&mut key, sorted(pairs(query)));
    push_headers(&mut key, asked);
    key.push('\n');
    push_body(&mut key, asked);
    key
}

/// The key of the list that a request pages through; `None` where it is no plain GET.
pub(crate) fn list(asked: &Asked) -> Option<String> {
    if asked.method != "GET" || !asked.body.is_empty() {
        return None;
    }
    let (path, query) = split(&asked.target);
    let mut key = start(asked, path);
    let chosen = pairs(query).into_iter().filter(|(name, _)| !PAGING.contains(&name.as_str())).collect();
    push_pairs(&mut key, sorted(chosen));
    push_headers(&mut key, asked);
    Some(key)
}

/// The path of a target, normalised.
pub(crate) fn path(target: &str) -> String {
    normal(split(target).0, false)
}

/// Path and query of a raw target.
pub(crate) fn split(target: &str) -> (&str, &str) {
    target.split_once('?').unwrap_or((target, ""))
}

/// Names and values of a raw query in its order, with normalised escapes.
pub(crate) fn pairs(query: &str) -> Vec<(String, String)> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (normal(name, true), normal(value, true)))
        .collect()
}

fn sorted(mut pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    pairs.sort();
    pairs
}

fn start(asked: &Asked, path: &str) -> String {
    format!("{}\n{}\n{}\n", asked.identity, asked.method, normal(path, false))
}

fn push_pairs(key: &mut String, pairs: Vec<(String, String)>) {
    for (name, value) in pairs {
        key.push_str(&name);
        key.push('=');
        key.push_str(&value);
        key.push('&');
    }
}

fn push_headers(key: &mut String, asked: &Asked) {
    let mut counted: Vec<_> = asked
        .headers
        .iter()
        .filter(|(name, _)| name == "range" || name == "sudo" || name.starts_with("if-"))
        .collect();
    counted.sort();
    for (name, value) in counted {
        key.push('\n');
        key.push_str(name);
        key.push(':');
        key.push_str(value.trim());
    }
}

/// A body's canonical form. An empty body and none are the same on the wire; `null` is a body.
fn push_body(key: &mut String, asked: &Asked) {
    if asked.body.is_empty() {
        return;
    }
    let media = asked.header("content-type").unwrap_or("");
    if let Some(boundary) = multipart::boundary(media) {
        multipart::push_parts(key, &asked.body, boundary);
    } else if let Some(value) = json(media, &asked.body) {
        push_json(key, &value);
    } else {
        match std::str::from_utf8(&asked.body) {
            Ok(text) => push_json(key, &Value::from(text)),
            Err(_) => push_bytes(key, &asked.body),
        }
    }
}

fn json(media: &str, body: &[u8]) -> Option<Value> {
    let tried = media.is_empty() || media.contains("json");
    tried.then(|| serde_json::from_slice(body).ok()).flatten()
}

pub(crate) fn push_bytes(key: &mut String, bytes: &[u8]) {
    let _ = write!(key, "{}", bytes.escape_ascii());
}

/// Compact JSON with sorted keys, whatever order the text had.
fn push_json(key: &mut String, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<_> = fields.iter().collect();
            names.sort_by_key(|(name, _)| name.as_str());
            key.push('{');
            for (name, field) in names {
                let _ = write!(key, "{}:", Value::from(name.as_str()));
                push_json(key, field);
                key.push(',');
            }
            key.push('}');
        }
        Value::Array(items) => {
            key.push('[');
            for item in items {
                push_json(key, item);
                key.push(',');
            }
            key.push(']');
        }
        plain => {
            let _ = write!(key, "{plain}");
        }
    }
}

/// Text whose escapes are spelled one way: every byte outside the unreserved ones as `%XX`, a raw `/` kept apart from
/// `%2F`, and a `%` that starts no escape left as it is.
fn normal(text: &str, plus_is_space: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'%' => match after {
                [high, low, behind @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                    push_byte(&mut out, hex(*high) << 4 | hex(*low));
                    rest = behind;
                }
                _ => out.push('%'),
            },
            b'/' => out.push('/'),
            b'+' if plus_is_space => push_byte(&mut out, b' '),
            other => push_byte(&mut out, other),
        }
    }
    out
}

fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or(0)
}

fn push_byte(out: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
        out.push(char::from(byte));
    } else {
        let _ = write!(out, "%{byte:02X}");
    }
}
