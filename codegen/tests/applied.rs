//! What of a write is compared with its answer, and the keys that change it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail it")]

use forgehand_codegen::inventory::applied::Compare;
use forgehand_codegen::router::of_texts;

#[path = "inventory/sample.rs"]
mod sample;

use sample::{DOCUMENT, INVENTORY, changed, document, says};

/// How `create_note` compares a property `extra` of these types, and with which field of the answer.
#[track_caller]
fn compared(sent: &str, answered: &str, row: &str) -> Option<(String, Compare)> {
    let mut text = DOCUMENT.to_owned();
    for (definition, schema) in [("CreateNote", sent), ("Note", answered)] {
        let start = format!("\"{definition}\": {{\n      \"properties\": {{");
        text = changed(&text, &start, &format!("{start}\"extra\": {schema},"));
    }
    let row = [Some("about = \"More.\""), Some(row).filter(|row| !row.is_empty())];
    let row = row.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let row = format!("\"body.content\" = {{}}\n\"body.extra\" = {{ {row} }}");
    let inventory = changed(INVENTORY, "\"body.content\" = {}", &row);
    let build = of_texts(&inventory, &document(&text)).unwrap();
    let tool = build.tools.iter().find(|tool| tool.name == "create_note").unwrap();
    let found = tool.applied.iter().find(|applied| applied.name == "extra");
    found.map(|applied| (applied.path.clone(), applied.by))
}

const TEXT: &str = r#"{"type": "string"}"#;
const MOMENT: &str = r#"{"type": "string", "format": "date-time"}"#;
const NUMBER: &str = r#"{"type": "integer"}"#;
const FLAG: &str = r#"{"type": "boolean"}"#;
const WORD: &str = r#"{"type": "string", "enum": ["a", "b"]}"#;
const TEXTS: &str = r#"{"type": "array", "items": {"type": "string"}}"#;
const NUMBERS: &str = r#"{"type": "array", "items": {"type": "integer"}}"#;
const PERSON: &str = r##"{"$ref": "#/definitions/Person"}"##;
const PERSONS: &str = r##"{"type": "array", "items": {"$ref": "#/definitions/Person"}}"##;
const THREAD: &str = r##"{"$ref": "#/definitions/Thread"}"##;
const THREADS: &str = r##"{"type": "array", "items": {"$ref": "#/definitions/Thread"}}"##;

#[test]
fn what_body_and_answer_share_is_compared_by_kind_and_other_kinds_are_not() {
    for (sent, answered, row, by) in [
        (TEXT, TEXT, "", Some(Compare::Same)),
        (NUMBER, NUMBER, "", Some(Compare::Same)),
        (FLAG, FLAG, "", Some(Compare::Same)),
        (WORD, TEXT, "", Some(Compare::Word)),
        (TEXT, TEXT, "enum = [\"a\"]", Some(Compare::Word)),
        (MOMENT, MOMENT, "", Some(Compare::Day)),
        (TEXTS, TEXTS, "", Some(Compare::Set)),
        (NUMBERS, NUMBERS, "", Some(Compare::Set)),
        (TEXTS, TEXTS, "enum = [\"a\"]", Some(Compare::Among)),
        (PERSON, PERSON, "", Some(Compare::Fields)),
        (NUMBER, THREAD, "", Some(Compare::Id)),
        (NUMBERS, THREADS, "", Some(Compare::Ids)),
        (TEXT, PERSON, "", Some(Compare::Login)),
        (TEXTS, PERSONS, "", Some(Compare::Logins)),
        (TEXT, NUMBER, "", None),
        (TEXT, MOMENT, "", None),
        (TEXT, THREAD, "", None),
        (TEXT, TEXTS, "", None),
        (TEXTS, TEXT, "", None),
        (FLAG, TEXTS, "", None),
        (TEXT, TEXT, "codec = \"base64\"", None),
        (TEXT, TEXT, "applied = false", None),
    ] {
        let expected = by.map(|by| ("extra".to_owned(), by));
        assert_eq!(compared(sent, answered, row), expected, "{sent} {answered} {row}");
    }
    let other = compared(TEXT, NUMBER, "applied = \"content\"");
    assert_eq!(other, Some(("content".to_owned(), Compare::Same)));
    let below = compared(TEXT, NUMBER, "applied = \"author.login\"");
    assert_eq!(below, Some(("author.login".to_owned(), Compare::Same)));
}

#[test]
fn what_is_masked_is_not_compared() {
    let inventory = changed(INVENTORY, "[excluded]", "[secrets]\n\"Note.content\" = \"a key\"\n[excluded]");
    let build = of_texts(&inventory, &document(DOCUMENT)).unwrap();
    let tool = build.tools.iter().find(|tool| tool.name == "create_note").unwrap();
    let names: Vec<&str> = tool.applied.iter().map(|applied| applied.name.as_str()).collect();
    assert_eq!(names, ["title", "author"]);
}

#[test]
fn a_row_that_changes_nothing_or_names_no_field_is_a_fault() {
    for (row, fault) in [
        ("applied = \"contents\"", "the answer has no field \"contents\"; did you mean \"content\"?"),
        ("applied = \"index\"", "\"index\" of the answer is of another kind than this argument"),
        ("applied = false, codec = \"base64\"", "is not compared as it is"),
        ("applied = true", "is false, or the field of the answer that tells of it"),
    ] {
        let expected = format!("80: [tools.create_note.params.body.content] applied: {fault}");
        says("\"body.content\" = {}", &format!("\"body.content\" = {{ {row} }}"), &[&expected]);
    }
}

#[test]
fn an_argument_of_the_tools_own_demands_another_and_is_a_boolean() {
    let with =
        |row: &str| format!("\"body.content\" = {{}}\n\"local.whole\" = {{ about = \"All of it.\", {row} }}");
    let good = with("type = \"boolean\", demands = \"body.content\"");
    let build = of_texts(&changed(INVENTORY, "\"body.content\" = {}", &good), &document(DOCUMENT)).unwrap();
    let tool = build.tools.iter().find(|tool| tool.name == "create_note").unwrap();
    let whole = tool.arguments.iter().find(|argument| argument.name == "whole").unwrap();
    assert_eq!(whole.demands.as_deref(), Some("content"));
    for (row, fault) in [
        (
            "type = \"boolean\"",
            "81: [tools.create_note.params] local.whole: a plain tool's own parameter needs `demands`: nothing else reads it",
        ),
        (
            "type = \"text\", demands = \"body.content\"",
            "81: [tools.create_note.params] local.whole: demands is for a boolean, this is text",
        ),
        (
            "type = \"boolean\", demands = \"body.contents\"",
            "81: [tools.create_note.params.local.whole] demands: noteCreate has no parameter \"body.contents\"; did you mean \"body.content\"?",
        ),
    ] {
        says("\"body.content\" = {}", &with(row), &[fault]);
    }
}

#[test]
fn a_number_of_the_document_that_need_not_be_whole_wants_a_type_that_is_sent() {
    let start = "\"CreateNote\": {\n      \"properties\": {";
    for extra in [
        r#"{"type": "number"}"#,
        r#"{"type": "array", "items": {"type": "number"}}"#,
        r#"{"type": "object", "properties": {"inner": {"type": "number"}}}"#,
    ] {
        let text = document(&changed(DOCUMENT, start, &format!("{start}\"extra\": {extra},")));
        let with = |row: &str| {
            let row = format!("\"body.content\" = {{}}\n\"body.extra\" = {{ about = \"More.\"{row} }}");
            of_texts(&changed(INVENTORY, "\"body.content\" = {}", &row), &text)
        };
        let faults = with("").map_err(|error| error.to_string()).unwrap_err();
        assert_eq!(
            faults,
            "inventory.toml:81: [tools.create_note.params] body.extra: the document says number, which no argument is: `type` \
             says what is sent; known are text, integer, id, boolean, date, date-time, map, json"
        );
        assert!(with(", type = \"integer\"").is_ok(), "{extra}");
    }
}
