//! Every recorded JSON success decodes into the typed reply of its operation, corrections being shown by recordings.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use forgehand::demo::Recordings;
use forgehand_client::{AnswerKind, OPERATIONS};
use forgehand_codegen::client::corrections::Corrections;

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
fn every_correction_names_a_recording_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corrections = Corrections::load(&root.join("openapi/corrections.toml")).unwrap();
    let Corrections { correction, slashes, one_or_many, method, null_items, .. } = &corrections;
    let evidence = correction.iter().map(|c| &c.evidence);
    let evidence = evidence.chain(slashes.iter().map(|c| &c.evidence));
    let evidence = evidence.chain(one_or_many.iter().map(|c| &c.evidence));
    let evidence = evidence.chain(method.iter().map(|c| &c.evidence));
    let evidence = evidence.chain(null_items.iter().map(|c| &c.evidence));
    let recordings = Recordings::embedded().unwrap();
    let missing: Vec<&String> = evidence.filter(|scenario| recordings.scenario(scenario).is_none()).collect();
    assert_eq!(missing, Vec::<&String>::new(), "no such scenario in tests/recordings");
}
