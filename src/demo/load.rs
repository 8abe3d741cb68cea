//! Reading recordings: JSON lines, from a folder or from what the build embedded.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{BufRead as _, Read as _};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{Body, Exchange, Message};

/// Why recordings could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}, line {line}: {reason}")]
pub struct LoadError {
    /// The file's name, without its folder.
    pub file: String,
    /// The line, from 1; 0 where the file itself is the matter.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    operation: Cow<'a, str>,
    #[serde(borrow, rename = "as")]
    identity: Cow<'a, str>,
    #[serde(borrow)]
    scenario: Cow<'a, str>,
    #[serde(borrow)]
    request: Request<'a>,
    #[serde(borrow)]
    response: Response<'a>,
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(borrow, default, deserialize_with = "present")]
    body: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Response<'a> {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(borrow, default, deserialize_with = "present")]
    body: Option<&'a RawValue>,
    #[serde(borrow, default)]
    body_same_as: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    row: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    rows: Option<Vec<&'a RawValue>>,
}

/// A key that is there, even when its value is `null`.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Reads every `*.jsonl` of a folder, in the order of their names.
pub(crate) fn folder(at: &Path) -> Result<Vec<Exchange>, LoadError> {
    let shown = || at.display().to_string();
    let unreadable = |error: std::io::Error| LoadError { file: shown(), line: 0, reason: error.to_string() };
    let mut files = Vec::new();
    for entry in fs::read_dir(at).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    let mut all = Vec::new();
    for path in &files {
        all.extend(self::path(path)?);
    }
    if all.is_empty() {
        return Err(LoadError {
            file: shown(),
            line: 0,
            reason: "expected *.jsonl files with exchanges".into(),
        });
    }
    Ok(all)
}

/// Reads one file.
pub(crate) fn path(at: &Path) -> Result<Vec<Exchange>, LoadError> {
    let name = at.file_name().unwrap_or_default().to_string_lossy();
    let text = fs::read(at).map_err(|error| LoadError {
        file: at.display().to_string(),
        line: 0,
        reason: error.to_string(),
    })?;
    let mut all = Vec::new();
    file(&name, &Bytes::from(text), &mut all)?;
    Ok(all)
}

/// Reads what the build embedded: one zlib stream, where a line `#NAME LENGTH` (in bytes) opens each file.
pub(crate) fn embedded(packed: &[u8]) -> Result<Vec<Exchange>, LoadError> {
    let wrong = |reason: String| LoadError { file: "embedded recordings".into(), line: 0, reason };
    let mut text = Vec::new();
    flate2::read::ZlibDecoder::new(packed)
        .read_to_end(&mut text)
        .map_err(|error| wrong(error.to_string()))?;
    let mut text = Bytes::from(text);
    let mut all = Vec::new();
    while !text.is_empty() {
        let head = next_line(&mut text);
        let opened = std::str::from_utf8(&head)
            .ok()
            .and_then(|head| head.strip_prefix('#')?.split_once(' '))
            .and_then(|(name, length)| Some((name, length.parse::<usize>().ok()?)))
            .filter(|(_, length)| *length <= text.len());
        let (name, length) = opened.ok_or_else(|| wrong("expected a line `#NAME LENGTH`".into()))?;
        file(name, &text.split_to(length), &mut all)?;
    }
    Ok(all)
}

/// Takes the first line off, without its end. `skip_until` is the standard library's own search, quick even in debug
/// builds.
fn next_line(text: &mut Bytes) -> Bytes {
    let taken = (&text[..]).skip_until(b'\n').unwrap_or(text.len());
    let mut line = text.split_to(taken);
    if line.ends_with(b"\n") {
        line.truncate(taken - 1);
    }
    line
}

fn file(name: &str, text: &Bytes, all: &mut Vec<Exchange>) -> Result<(), LoadError> {
    let mut known = Known { first: all.len(), by_scenario: HashMap::new() };
    let mut rest = text.clone();
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let wrong = |reason: String| LoadError { file: name.to_owned(), line: number, reason };
        let line = next_line(&mut rest);
        if line.is_empty() {
            continue;
        }
        let read: Line<'_> = serde_json::from_slice(&line).map_err(|error| wrong(error.to_string()))?;
        let exchange = exchange(&line, read, &mut known, all).map_err(wrong)?;
        known.by_scenario.insert(exchange.scenario.clone(), all.len());
        all.push(exchange);
    }
    Ok(())
}

/// The exchanges of one file that were read already.
struct Known {
    first: usize,
    by_scenario: HashMap<String, usize>,
}

fn exchange(
    text: &Bytes,
    line: Line<'_>,
    known: &mut Known,
    all: &mut [Exchange],
) -> Result<Exchange, String> {
    let own = |value: &RawValue| text.slice_ref(value.get().as_bytes());
    let response = line.response;
    let body = match (response.body, response.body_same_as, response.row, response.rows) {
        (Some(value), None, None, None) => Body::from_value(own(value)),
        (None, Some(scenario), None, None) => known.body(&scenario, all)?,
        (None, None, Some(reference), None) => known.row(&reference, all)?,
        (None, None, None, Some(rows)) => known.rows(&rows, all, own)?,
        (None, None, None, None) => Body::Absent,
        _ => return Err("expected one of `body`, `body_same_as`, `row` and `rows`".into()),
    };
    Ok(Exchange {
        operation: line.operation.into_owned(),
        identity: line.identity.into_owned(),
        scenario: line.scenario.into_owned(),
        method: line.request.method.into_owned(),
        target: line.request.path.into_owned(),
        request: Message {
            headers: line.request.headers.into_iter().collect(),
            body: line.request.body.map_or(Body::Absent, |value| Body::from_value(own(value))),
        },
        status: response.status,
        response: Message { headers: response.headers.into_iter().collect(), body },
    })
}

impl Known {
    fn find<'a>(&self, scenario: &str, all: &'a mut [Exchange]) -> Result<&'a mut Exchange, String> {
        self.by_scenario
            .get(scenario)
            .filter(|at| **at >= self.first)
            .and_then(|at| all.get_mut(*at))
            .ok_or_else(|| format!("expected an earlier scenario of this file, got `{scenario}`"))
    }

    fn body(&self, scenario: &str, all: &mut [Exchange]) -> Result<Body, String> {
        Ok(self.find(scenario, all)?.response.body.clone())
    }

    /// The rows of `SCENARIO:FROM` or `SCENARIO:FROM-TO`, from 0, both included.
    fn referred(&self, reference: &str, all: &mut [Exchange]) -> Result<Vec<Bytes>, String> {
        let bad = || format!("expected `SCENARIO:FROM-TO` with rows of an earlier list, got `{reference}`");
        let (scenario, range) = reference.rsplit_once(':').ok_or_else(bad)?;
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let from: usize = from.parse().map_err(|_| bad())?;
        let to: usize = to.parse().map_err(|_| bad())?;
        let source = self.find(scenario, all)?;
        let split = split_rows(&source.response.body).ok_or_else(bad)?;
        let chosen = split.get(from..=to).ok_or_else(bad)?.to_vec();
        source.response.body = Body::Rows(split);
        Ok(chosen)
    }

    /// A body that equals one row.
    fn row(&self, reference: &str, all: &mut [Exchange]) -> Result<Body, String> {
        let row = self.referred(reference, all)?.pop();
        row.map(Body::Whole).ok_or_else(|| format!("expected one row, got `{reference}`"))
    }

    /// Rows in full, and strings that refer to earlier ones.
    fn rows(
        &self,
        rows: &[&RawValue],
        all: &mut [Exchange],
        own: impl Fn(&RawValue) -> Bytes,
    ) -> Result<Body, String> {
        let mut out = Vec::with_capacity(rows.len());
        for row in rows {
            if row.get().starts_with('"') {
                let reference: String = serde_json::from_str(row.get()).map_err(|error| error.to_string())?;
                out.extend(self.referred(&reference, all)?);
            } else {
                out.push(own(row));
            }
        }
        Ok(Body::Rows(out.into()))
    }
}

/// The rows of a JSON array; `None` where the body is none.
pub(crate) fn split_rows(body: &Body) -> Option<Arc<[Bytes]>> {
    match body {
        Body::Rows(rows) => Some(Arc::clone(rows)),
        Body::Whole(value) if value.starts_with(b"[") => {
            let rows: Vec<&RawValue> = serde_json::from_slice(value).ok()?;
            Some(rows.iter().map(|row| value.slice_ref(row.get().as_bytes())).collect())
        }
        _ => None,
    }
}
