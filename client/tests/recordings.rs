//! Every recorded JSON success decodes into the typed reply of its operation.

#![allow(clippy::unwrap_used)]

use std::path::Path;

#[path = "support/recordings.rs"]
mod recordings;

#[test]
fn every_recorded_json_success_decodes_into_its_typed_reply() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/recordings");
    let report = recordings::decode(&recordings::exchanges(&folder).unwrap());
    println!("{} / {} decoded", report.decoded, report.total);
    assert_eq!(report.failures, Vec::<String>::new());
    assert!(report.total > 0);
}
