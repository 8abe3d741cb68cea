//! From document to client source: every release generates, corrections hold or say why not.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use forgehand_codegen::{client, import, pin};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_release_at_hand_generates_a_method_for_each_operation() {
    let corrections = root().join("openapi/corrections.toml");
    for release in pin::releases(&root()) {
        let file = pin::document(&root(), &release);
        let source = client::client(&file, &corrections).unwrap_or_else(|e| panic!("{release}: {e}"));
        let document = import::load(&file).unwrap();
        assert_eq!(source.matches("crate::OperationInfo {").count(), document.operations().count(), "{release}");
    }
}
