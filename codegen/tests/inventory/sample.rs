//! A tiny document and its inventory, and what the build says of them after a change.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use forgehand_codegen::document::Document;
use forgehand_codegen::router::of_texts;

/// The sample's inventory.
pub const INVENTORY: &str = include_str!("inventory.toml");
/// Its document.
pub const DOCUMENT: &str = include_str!("document.json");

/// Names for ids: of notes, which have ids in [`with_ids`].
pub const NAMES: &str =
    "\n[names.label]\nby = \"title\"\nlists = { noteList = { query = { state = \"all\" } } }\n";

/// The document with ids in its notes.
pub fn with_ids() -> Document {
    let mut document = document(DOCUMENT);
    let id = document.definitions.get("Thread").and_then(|thread| thread.properties.get("id")).cloned();
    if let (Some(id), Some(note)) = (id, document.definitions.get_mut("Note")) {
        note.properties.insert("id".to_owned(), id);
    }
    document
}

/// A document out of its text.
pub fn document(text: &str) -> Document {
    serde_json::from_str(text).unwrap()
}

/// A text with one place changed.
#[track_caller]
pub fn changed(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from:?} should stand once in the sample");
    text.replacen(from, to, 1)
}

/// The faults after the change are exactly these lines, their common start left out.
#[track_caller]
pub fn says(from: &str, to: &str, expected: &[&str]) {
    let inventory = changed(INVENTORY, from, to);
    let faults = match of_texts(&inventory, &document(DOCUMENT)) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let lines: Vec<&str> = faults.lines().map(|line| line.trim_start_matches("inventory.toml:")).collect();
    assert_eq!(lines, expected);
}
