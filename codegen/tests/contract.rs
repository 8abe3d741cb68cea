//! What callers may rely on: a name that goes wants a higher `contract_version`, and what is kept wants none.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use forgehand_codegen::contract::faults;
use forgehand_codegen::inventory::lock;
use forgehand_codegen::router::of_texts;

#[path = "inventory/sample.rs"]
mod sample;

use sample::{DOCUMENT, INVENTORY, changed, document};

fn lock_of(inventory: &str) -> String {
    lock::render(&of_texts(inventory, &document(DOCUMENT)).unwrap(), None)
}

/// What is said of the sample with one change against the sample, and of the same with a higher version.
#[track_caller]
fn says(from: &str, to: &str, expected: &[&str]) {
    let (old, text) = (lock_of(INVENTORY), changed(INVENTORY, from, to));
    assert_eq!(faults(&old, &lock_of(&text)), expected);
    let raised = text.replacen("contract_version = 1", "contract_version = 2", 1);
    assert_eq!(faults(&old, &lock_of(&raised)), [""; 0]);
}

#[test]
fn a_name_that_goes_is_said_unless_the_contract_version_rises() {
    says("[tools.get_note]", "[tools.read_note]", &["the tool get_note is read_note now"]);
    let deletes = INVENTORY.split_once("[tools.delete_note]").unwrap().1;
    let deletes = format!("[tools.delete_note]{}", deletes.split_once("[excluded]\n").unwrap().0);
    says(
        &format!("{deletes}[excluded]\n"),
        "[excluded]\nnoteDelete = \"so\"\n",
        &["the tool delete_note is gone"],
    );
    says(
        "\"body.content\" = {}\n",
        "\"body.content\" = { const = \"\" }\n",
        &["create_note: the argument content is gone"],
    );
    says(
        "\"body.content\" = {}\n",
        "\"body.content\" = { name = \"text\", about = \"The text.\" }\n",
        &["create_note: the argument content is text now, and no alias"],
    );
    says(
        "aliases = [\"label_names\"]\n",
        "",
        &["list_notes: the argument labels lost an alias: it had label_names"],
    );
}

#[test]
fn a_name_that_is_retired_is_refused_from_then_on_and_counts_as_gone() {
    let text = "[retired]\nget_note = \"use read_note instead: so\"\n[excluded]\ngetVersion = ";
    let retired = changed(INVENTORY, "[excluded]\ngetVersion = ", text)
        .replace("[tools.get_note]", "[tools.read_note]");
    assert_eq!(faults(&lock_of(INVENTORY), &lock_of(&retired)), ["the tool get_note is read_note now"]);
    let forgotten = INVENTORY.replace("[tools.get_note]", "[tools.read_note]");
    assert_eq!(faults(&lock_of(&retired), &lock_of(&forgotten)), [""; 0]);
}

#[test]
fn what_keeps_every_name_needs_nothing() {
    says(
        "\"body.content\" = {}\n",
        "\"body.content\" = { name = \"text\", aliases = [\"content\"], about = \"The text.\" }\n",
        &[],
    );
    says("about = \"Reads a note.\"", "about = \"Reads one note.\"", &[]);
    says("effect = \"add\"", "effect = \"change\"", &[]);
}

#[test]
fn a_contract_version_never_falls() {
    let older = INVENTORY.replace("contract_version = 1", "contract_version = 0");
    assert_eq!(faults(&lock_of(INVENTORY), &lock_of(&older)), ["contract_version falls from 1 to 0"]);
}
