//! What the build says of how answers are read, and what it makes of them, on the same tiny document.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail it")]

use forgehand_codegen::inventory::lock;
use forgehand_codegen::router::of_texts;

#[path = "inventory/sample.rs"]
mod sample;

use sample::{DOCUMENT, INVENTORY, changed, document, says};

#[test]
fn forms_of_answers_are_checked() {
    let title = "title = \"Get a note\"";
    let told = |answer: &str| format!("{title}\nanswer = {answer}");
    says(
        title,
        &told("{ value = \"is_read\", yes = [204] }"),
        &[
            "68: [tools.get_note.answer] expected { done = WORD, instead = { 201 = WORD }, note = TEXT }, { yes_no = WORD, yes = [204], no = [404] }, { value = WORD } or { moved = WORD, to = \"body.new_owner\" }",
        ],
    );
    says(
        title,
        &told("{ value = \"is_read\" }"),
        &[
            "68: [tools.get_note] answer: { value = … } is for a bare boolean, number or text, and this answer has fields or rows",
        ],
    );
    says(
        title,
        &told("{ done = \"done\", note = \" \" }"),
        &["68: [tools.get_note] answer: its note is empty"],
    );
    says(
        title,
        &told("{ moved = \"moved\", to = \"body.title\" }"),
        &["68: [tools.get_note] answer: a read follows redirects by itself; `moved` is for writes"],
    );
    says(
        "hide = [\"body.parent\"]",
        "hide = [\"body.parent\"]\nanswer = { moved = \"moved\", to = \"body.titel\" }",
        &[
            "78: [tools.create_note] answer: noteCreate takes no text \"body.titel\"; did you mean \"body.title\"?",
        ],
    );
    says(
        title,
        &format!("{title}\nstatuses = {{ 200 = \"gone\", 404 = \"no note\" }}"),
        &[
            "64: [tools.get_note] statuses: a 2xx here means that nothing was done, and the document has no other success",
        ],
    );
    says(
        title,
        &format!(
            "{title}\nanswer = {{ yes_no = \"is\", yes = [200], no = [404] }}\nstatuses = {{ 404 = \"no note\" }}"
        ),
        &["64: [tools.get_note] statuses: `answer` tells already what 404 means"],
    );
}

/// The lock of the sample, changed in these places, without token counts.
#[track_caller]
fn locked(document_: &[(&str, &str)], inventory: &[(&str, &str)]) -> String {
    let all = |text: &str, changes: &[(&str, &str)]| {
        changes.iter().fold(text.to_owned(), |text, (from, to)| changed(&text, from, to))
    };
    let text = all(DOCUMENT, document_);
    lock::render(&of_texts(&all(INVENTORY, inventory), &document(&text)).unwrap(), None)
}

#[test]
fn definitions_that_are_lists_are_looked_through() {
    let lists = [
        (
            r#""definitions": {"#,
            r##""definitions": {"Notes": {"type": "array", "items": {"$ref": "#/definitions/Note"}}, "People": {"type": "array", "items": {"$ref": "#/definitions/Person"}}, "##,
        ),
        (
            r##"{"items": {"$ref": "#/definitions/Note"}, "type": "array"}"##,
            r##"{"$ref": "#/definitions/Notes"}"##,
        ),
        (
            r##"{"items": {"$ref": "#/definitions/Person"}, "type": "array"}"##,
            r##"{"$ref": "#/definitions/People"}"##,
        ),
    ];
    let lock = locked(&lists, &[("\"author\", ", "\"author\", \"readers\", ")]);
    for line in ["answer list Note.row, paged by the forge", "shows readers[login]", "shows readers.mail"] {
        assert!(lock.contains(&format!("  {line}\n")), "{line}: {lock}");
    }
    let text = lists.iter().fold(DOCUMENT.to_owned(), |text, (from, to)| changed(&text, from, to));
    let inventory =
        changed(INVENTORY, "[views.Person]", "[views.People]\nfields = [\"login\"]\n[views.Person]");
    let faults = of_texts(&inventory, &document(&text)).unwrap_err().to_string();
    assert_eq!(faults, "inventory.toml:45: [views.People] People is a list of Person: write [views.Person]");
}

#[test]
fn the_lock_tells_how_lists_are_paged_and_what_else_an_answer_may_be() {
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, &'a str);
    let cases: [Case<'_>; 4] = [
        (
            &[(",\n          {\"in\": \"query\", \"name\": \"limit\", \"type\": \"integer\"}", "")],
            "default = true",
            "paging = \"fixed\"",
            "answer list Note.row, paged by the forge in its own size",
        ),
        (
            &[],
            "default = true",
            "paging = \"here\"\norder = \"forge\"",
            "answer list Note.row, paged here in the forge's order",
        ),
        (
            &[(
                r##""201": {"schema": {"$ref": "#/definitions/Note"}}"##,
                r#""201": {"schema": {"type": "boolean"}}"#,
            )],
            "hide = [\"body.parent\"]",
            "hide = [\"body.parent\"]\nanswer = { value = \"is_read\" }",
            "answer value is_read",
        ),
        (
            &[],
            "hide = [\"body.parent\"]",
            "hide = [\"body.parent\"]\nanswer = { moved = \"moved\", to = \"body.title\" }",
            "answer item Note, or at 301 moved to body.title",
        ),
    ];
    for (document_, from, to, line) in cases {
        let lock = locked(document_, &[(from, to)]);
        assert!(lock.contains(&format!("  {line}\n")), "{line}: {lock}");
    }
}
