//! Every recorded JSON success decodes into the typed reply of its operation.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use forgehand::demo::Recordings;
use forgehand_client::{AnswerKind, OPERATIONS};

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
