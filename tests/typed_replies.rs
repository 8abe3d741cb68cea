//! Every recorded JSON success decodes into the typed reply of its operation, corrections being shown by recordings.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers are tests too")]

use std::collections::BTreeSet;
use std::path::Path;

use forgehand::demo::{Exchange, Recordings};
use forgehand_client::{AnswerKind, OPERATIONS};
use forgehand_codegen::client::corrections::Corrections;
use serde_json::Value;

#[path = "support/decoded.rs"]
mod decoded;

#[test]
fn every_recorded_json_success_decodes_into_its_typed_reply() {
    let recordings = Recordings::embedded().unwrap();
    let report = decoded::decode(recordings.exchanges());
    println!("{} / {} decoded", report.decoded, report.total);
    assert_eq!(report.failures, Vec::<String>::new());
    let succeeded: BTreeSet<&str> = recordings
        .exchanges()
        .iter()
        .filter(|exchange| (200..300).contains(&exchange.status))
        .map(|exchange| exchange.operation.as_str())
        .collect();
    let typed = OPERATIONS.iter().filter(|o| matches!(o.answer, AnswerKind::Json | AnswerKind::Empty));
    let unseen: Vec<&str> = typed.map(|o| o.operation).filter(|id| !succeeded.contains(id)).collect();
    assert_eq!(unseen, Vec::<&str>::new(), "no success of these was recorded");
}

#[test]
fn every_correction_is_shown_by_a_recording_of_its_operation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corrections = Corrections::load(&root.join("openapi/corrections.toml")).unwrap();
    let recordings = Recordings::embedded().unwrap();
    let scenario = |evidence: &str| match recordings.scenario(evidence) {
        Some((_, exchange)) => exchange,
        None => panic!("no scenario {evidence}"),
    };
    let of_operation = |operation: &str, evidence: &str| {
        let exchange = scenario(evidence);
        assert_eq!(exchange.operation, operation, "{evidence}");
        exchange
    };
    for row in &corrections.correction {
        match &row.operation {
            Some(operation) => of_operation(operation, &row.evidence),
            None => scenario(&row.evidence),
        };
    }
    for row in &corrections.slashes {
        // It alone may hold a slash, so that a target with one has more segments than its template.
        let target = &of_operation(&row.operation, &row.evidence).target;
        let path = target.split('?').next().unwrap().trim_start_matches("/api/v1");
        let template = OPERATIONS.iter().find(|o| o.operation == row.operation).unwrap().path;
        assert!(template.ends_with(&format!("{{{}}}", row.parameter)), "{template}");
        let has_slash = path.split('/').count() > template.split('/').count();
        assert_eq!(has_slash, row.unseen.is_none(), "{}: {target}", row.evidence);
    }
    for row in &corrections.one_or_many {
        assert!(answer(of_operation(&row.operation, &row.evidence)).is_array(), "{}", row.evidence);
    }
    for row in &corrections.method {
        assert_eq!(of_operation(&row.operation, &row.evidence).method.to_lowercase(), row.is);
    }
    for row in &corrections.null_items {
        let list = answer(scenario(&row.evidence))[&row.property].clone();
        assert!(list.as_array().unwrap().contains(&Value::Null), "{}: {list}", row.evidence);
    }
}

fn answer(exchange: &Exchange) -> Value {
    serde_json::from_slice(&exchange.response.bytes().unwrap()).unwrap()
}
