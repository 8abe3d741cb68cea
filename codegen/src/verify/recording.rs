//! Recorded exchanges as values: JSON lines, with references to earlier answers of the same file resolved.
//!
//! The format is told in `tests/recordings/README.md`. Only what a comparison needs is read.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Why recordings cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}, line {line}: {reason}", file.display())]
pub struct RecordingError {
    /// The file or the folder.
    pub file: PathBuf,
    /// The line, from 1; 0 where the file itself is the matter.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// What an answer carried.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    /// Nothing.
    Empty,
    /// JSON.
    Json(Value),
    /// Text that is not JSON, or bytes.
    Other,
    /// Only its start was kept.
    Cut,
}

/// One exchange.
pub(super) struct Exchange {
    pub(super) operation: String,
    pub(super) scenario: String,
    /// In capitals.
    pub(super) method: String,
    pub(super) status: u16,
    /// Without parameters, in lower case.
    pub(super) content_type: Option<String>,
    pub(super) body: Body,
}

#[derive(Deserialize)]
struct Line {
    operation: String,
    scenario: String,
    request: Request,
    response: Response,
}

#[derive(Deserialize)]
struct Request {
    method: String,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "present")]
    body: Option<Value>,
    body_same_as: Option<String>,
    row: Option<String>,
    rows: Option<Vec<Value>>,
}

/// A key that is there, even when its value is `null`.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// Hands over every exchange of the `*.jsonl` below a folder, in the order of the files' paths.
pub(super) fn read(folder: &Path, mut take: impl FnMut(&Exchange)) -> Result<(), RecordingError> {
    let fault = |file: &Path, line, reason: String| RecordingError { file: file.to_owned(), line, reason };
    let (mut files, mut folders): (Vec<PathBuf>, _) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|reason| fault(&folder, 0, reason.to_string()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "jsonl") {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(fault(folder, 0, "expected *.jsonl files with exchanges".to_owned()));
    }
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|reason| fault(&file, 0, reason.to_string()))?;
        let mut known = Known::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let exchange = known.exchange(line).map_err(|reason| fault(&file, at + 1, reason))?;
            take(&exchange);
        }
    }
    Ok(())
}

/// The answers of one file that were read already, as the file has them.
#[derive(Default)]
struct Known(HashMap<String, Option<Value>>);

impl Known {
    fn exchange(&mut self, line: &str) -> Result<Exchange, String> {
        let Line { operation, scenario, request, response } =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let content_type = response
            .headers
            .get("content-type")
            .map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        let status = response.status;
        let raw = self.raw(response)?;
        let body = body(raw.as_ref(), content_type.as_deref());
        self.0.insert(scenario.clone(), raw);
        Ok(Exchange { operation, scenario, method: request.method, status, content_type, body })
    }

    fn raw(&self, response: Response) -> Result<Option<Value>, String> {
        if let Some(scenario) = response.body_same_as {
            return self.find(&scenario).cloned();
        }
        if let Some(reference) = response.row {
            return Ok(self.rows(&reference)?.first().cloned());
        }
        let Some(rows) = response.rows else { return Ok(response.body) };
        let mut out = Vec::with_capacity(rows.len());
        for row in rows {
            match row {
                Value::String(reference) => out.extend_from_slice(self.rows(&reference)?),
                row => out.push(row),
            }
        }
        Ok(Some(Value::Array(out)))
    }

    fn find(&self, scenario: &str) -> Result<&Option<Value>, String> {
        self.0
            .get(scenario)
            .ok_or_else(|| format!("expected an earlier scenario of this file, got {scenario:?}"))
    }

    /// The rows of `SCENARIO:FROM` or `SCENARIO:FROM-TO`, from 0, both included.
    fn rows(&self, reference: &str) -> Result<&[Value], String> {
        let bad = || format!("expected `SCENARIO:FROM-TO` with rows of an earlier list, got {reference:?}");
        let (scenario, range) = reference.rsplit_once(':').ok_or_else(bad)?;
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let from: usize = from.parse().map_err(|_| bad())?;
        let to: usize = to.parse().map_err(|_| bad())?;
        let list = self.find(scenario)?.as_ref().and_then(Value::as_array).ok_or_else(bad)?;
        list.get(from..=to).ok_or_else(bad)
    }
}

fn body(raw: Option<&Value>, content_type: Option<&str>) -> Body {
    match raw {
        None => Body::Empty,
        Some(Value::String(text)) if text.is_empty() => Body::Empty,
        Some(Value::String(text)) => {
            let read = content_type.is_some_and(is_json).then(|| serde_json::from_str(text).ok());
            read.flatten().map_or(Body::Other, Body::Json)
        }
        Some(Value::Object(object)) if object.contains_key("truncated_at") => Body::Cut,
        Some(Value::Object(object)) if object.len() == 1 && object.contains_key("base64") => Body::Other,
        Some(value) => Body::Json(value.clone()),
    }
}

/// Whether a media type is JSON or built on it.
pub(super) fn is_json(media: &str) -> bool {
    media == "application/json" || media.ends_with("+json")
}
