//! Recorded exchanges, and whether their answers are what the typed client says they are.

use std::collections::BTreeMap;
use std::path::Path;

use forgehand_client::{AnswerKind, OPERATIONS, OperationInfo};
use serde_json::Value;

/// One recorded exchange.
pub(crate) struct Exchange {
    pub(crate) operation: String,
    pub(crate) scenario: String,
    pub(crate) request: Value,
    pub(crate) response: Value,
}

/// All exchanges of the `.jsonl` files in a folder, bodies that equal an earlier one filled in.
pub(crate) fn exchanges(folder: &Path) -> Result<Vec<Exchange>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut bodies: BTreeMap<String, Value> = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let wrong = |reason: String| format!("{}:{}: {reason}", file.display(), number + 1);
            let mut row: Value = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
            let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
            let (operation, scenario) =
                text("operation").zip(text("scenario")).ok_or_else(|| wrong("no names".into()))?;
            let mut response = row.get_mut("response").map(Value::take).unwrap_or_default();
            if let Some(same) = response.get("body_same_as").and_then(Value::as_str) {
                let body = bodies.get(same).cloned().ok_or_else(|| wrong(format!("no body of {same}")))?;
                if let Some(response) = response.as_object_mut() {
                    response.insert("body".to_owned(), body);
                }
            }
            if let Some(body) = response.get("body") {
                bodies.insert(scenario.clone(), body.clone());
            }
            let request = row.get_mut("request").map(Value::take).unwrap_or_default();
            all.push(Exchange { operation, scenario, request, response });
        }
    }
    Ok(all)
}

/// What became of the answers.
#[derive(Default)]
pub(crate) struct Report {
    /// Successes with a JSON body, or of an operation that answers JSON.
    pub(crate) total: usize,
    /// Those of them that were decoded.
    pub(crate) decoded: usize,
    /// The others: operation, scenario, JSON path and reason.
    pub(crate) failures: Vec<String>,
}

/// Decodes every JSON answer with a 2xx into the typed reply of its operation.
pub(crate) fn decode(exchanges: &[Exchange]) -> Report {
    let known: BTreeMap<&str, &OperationInfo> = OPERATIONS.iter().map(|o| (o.operation, o)).collect();
    let mut report = Report::default();
    for exchange in exchanges {
        let status = exchange.response.get("status").and_then(Value::as_u64).unwrap_or_default();
        if !(200..300).contains(&status) {
            continue;
        }
        let operation = known.get(exchange.operation.as_str());
        let Some(body) = json(&exchange.response, operation.map(|o| o.answer)) else { continue };
        report.total += 1;
        let result = match operation {
            Some(operation) => (operation.decode)(&body).map_err(|e| e.to_string()),
            None => Err("is no operation of the pinned document".to_owned()),
        };
        match result {
            Ok(()) => report.decoded += 1,
            Err(reason) => {
                report.failures.push(format!("{}: {}: {reason}", exchange.operation, exchange.scenario))
            }
        }
    }
    report
}

/// The bytes of an answer that is JSON on the wire or should be.
fn json(response: &Value, kind: Option<AnswerKind>) -> Option<Vec<u8>> {
    let media = response
        .get("headers")
        .and_then(|h| h.get("content-type"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    let says_json = media.split(';').next().is_some_and(|media| media.trim().ends_with("json"));
    let typed = matches!(kind, Some(AnswerKind::Json | AnswerKind::Empty));
    match response.get("body") {
        // A file may be JSON, and stays a file.
        _ if matches!(kind, Some(AnswerKind::Bytes | AnswerKind::Text)) => None,
        Some(Value::String(text)) if !says_json => typed.then(|| text.clone().into_bytes()),
        Some(body) if says_json || typed => serde_json::to_vec(body).ok(),
        None if typed => Some(Vec::new()),
        _ => None,
    }
}
