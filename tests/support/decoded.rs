//! Whether recorded answers are what the typed client says they are.

use std::collections::BTreeMap;

use forgehand::demo::Exchange;
use forgehand_client::{AnswerKind, OPERATIONS, OperationInfo};

/// What became of the answers.
#[derive(Default)]
pub(crate) struct Report {
    /// Successes that are JSON on the wire, or of an operation that answers JSON or nothing.
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
    for exchange in exchanges.iter().filter(|exchange| (200..300).contains(&exchange.status)) {
        let operation = known.get(exchange.operation.as_str());
        if operation.is_some_and(|o| matches!(o.answer, AnswerKind::Text | AnswerKind::Bytes)) {
            continue;
        }
        report.total += 1;
        let result = match operation {
            Some(operation) => {
                let body = exchange.response.bytes().unwrap_or_default();
                (operation.decode)(&body).map_err(|e| e.to_string())
            }
            None => Err("is no operation of the pinned document".to_owned()),
        };
        match result {
            Ok(()) => report.decoded += 1,
            Err(reason) => {
                report.failures.push(format!("{}: {}: {reason}", exchange.operation, exchange.scenario));
            }
        }
    }
    report
}
