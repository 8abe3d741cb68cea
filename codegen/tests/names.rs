//! Names in the place of ids: what the build makes of `[names.…]` and `as`, and what it says of faults.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use forgehand_codegen::inventory::lock;
use forgehand_codegen::router::of_texts;

#[path = "inventory/sample.rs"]
mod sample;

use sample::{INVENTORY, NAMES, changed, with_ids};

/// The sample with names for the number of a note.
fn inventory() -> String {
    let tool = "[tools.delete_note.params]\n\"path.index\" = { as = \"label\" }\n\n[excluded]";
    format!("{}{NAMES}", changed(INVENTORY, "[excluded]", tool))
}

#[test]
fn a_list_tells_where_names_are_looked_up_and_an_argument_takes_them() {
    let build = of_texts(&inventory(), &with_ids()).unwrap();
    let lock = lock::render(&build, None);
    assert!(lock.contains("\nnames\n  label: noteList state=all by title\n"), "{lock}");
    assert!(
        lock.contains(
            "  argument index path.index label as id, required, also number note_number note_index\n"
        ),
        "{lock}"
    );

    // A word of the vocabulary takes them for all tools.
    let all = changed(&inventory(), "type = \"id\"", "as = \"label\"");
    let lock = lock::render(&of_texts(&all, &with_ids()).unwrap(), None);
    assert_eq!(lock.matches("argument index path.index label as id, required, also ").count(), 2, "{lock}");
}

#[test]
fn names_that_cannot_be_looked_up_are_told() {
    for (from, to, fault) in [
        ("by = \"title\"\n", "", "[names.label] by: is missing"),
        (
            "by = \"title\"",
            "by = \"tilte\"",
            "[names.label] by: the rows of noteList have no field \"tilte\"; did you mean \"title\"?",
        ),
        (
            "by = \"title\"",
            "by = \"thread.name\"",
            "[names.label] by: the rows of noteList have no field \"thread.name\"",
        ),
        (
            "noteList = {",
            "noteLst = {",
            "[names.label] lists: Forgejo 15.0 has no operation \"noteLst\"; did you mean \"noteList\"?",
        ),
        ("noteList = {", "noteDelete = {", "[names.label] lists: noteDelete is a DELETE, not a GET"),
        ("noteList = {", "noteGet = {", "[names.label] lists: the rows of noteGet have no id"),
        (
            "query = { state",
            "query = { stat",
            "[names.label] lists: noteList has no query parameter \"stat\"; did you mean \"state\"?",
        ),
        (
            "query = {",
            "path = { ownr = \"owner\" }, query = {",
            "[names.label] lists: noteList has no path parameter \"ownr\"; did you mean \"owner\"?",
        ),
        (
            "query = {",
            "path = { owner = \"org\" }, query = {",
            "path.index: as \"label\" looks in a list by path.org, which this tool has not",
        ),
        (
            "by = \"title\"",
            "by = \"title\"\nwithin = \"org\"",
            "within: noteList has no path parameter \"org\"",
        ),
        ("by = \"title\"", "by = \"title\"\nadress = true", "adress: unknown key; did you mean \"address\"?"),
        ("as = \"label\"", "type = \"id\"", "[names.label] no parameter has `as` with this name"),
        (
            "\"query.labels\" = { join = \",\" }",
            "\"query.labels\" = { join = \",\", applied = \"title.x\" }",
            "query.labels] applied: the rows of the answer have no text or number \"title.x\"",
        ),
        (
            "\"query.labels\" = { join = \",\" }",
            "\"query.state\" = { applied = \"title\" }",
            "query.state] applied: what the forge is sent is no string, as the rows of the answer have",
        ),
        (
            "\"query.labels\" = { join = \",\" }",
            "\"query.labels\" = { join = \",\", applied = { any = \"title\" } }",
            "query.labels] applied: as a table is { all = FIELD }",
        ),
    ] {
        let text = changed(&inventory(), from, to);
        let faults = of_texts(&text, &with_ids()).unwrap_err().to_string();
        assert!(faults.contains(fault), "{fault}\n{faults}");
    }
}

#[test]
fn a_filter_by_names_that_tell_a_place_is_a_fault_and_one_that_rows_tell_of_is_compared() {
    let within = changed(&inventory(), "by = \"title\"", "by = \"title\"\nwithin = \"owner\"");
    let filter = changed(&within, "\"query.labels\" = { join", "\"query.labels\" = { as = \"label[]\", join");
    let faults = of_texts(&filter, &with_ids()).unwrap_err().to_string();
    assert!(faults.contains("as \"label\" cannot filter: an id tells no place to look in"), "{faults}");
    for (applied, told) in [("\"readers.mail\"", "one"), ("{ all = \"readers.mail\" }", "all")] {
        let row = format!("\"query.labels\" = {{ applied = {applied}, empty = true, join");
        let held = changed(&inventory(), "\"query.labels\" = { join", &row);
        let digits = changed(&held, "by = \"title\"", "by = \"title\"\ndigits = true");
        let lock = lock::render(&of_texts(&digits, &with_ids()).unwrap(), None);
        for fact in [
            &format!("  compares labels=readers.mail of which each row holds {told}\n"),
            ", joined by commas, may be empty",
            " by title, which may be digits\n",
        ] {
            assert!(lock.contains(fact), "{fact}\n{lock}");
        }
    }
}
