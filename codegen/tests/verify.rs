//! What `verify` says of the recordings, and of invented ones that differ in each way.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail it")]

use std::path::{Path, PathBuf};

use forgehand_codegen::client::corrections::Corrections;
use forgehand_codegen::document::Document;
use forgehand_codegen::verify::{Kind, Report, compare, of};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn recordings_and_document_differ_only_where_a_rule_takes_it() {
    let report = compare(&root(), &root().join("tests/recordings"), Some("15.0")).unwrap();
    assert_eq!(report.open().map(|found| &found.what).collect::<Vec<_>>(), Vec::<&String>::new());
    insta::assert_snapshot!(report.markdown());
}

fn document() -> Document {
    serde_json::from_value(json!({
        "swagger": "2.0", "release": "15.0", "basePath": "/api/v1", "produces": ["application/json"],
        "paths": {"/thing": {"get": {"operationId": "getThing", "responses": {
            "200": {"schema": {"$ref": "#/definitions/Thing"}}, "404": {},
        }}, "delete": {"operationId": "deleteThing", "responses": {"204": {}}}}},
        "definitions": {"Thing": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer"}, "name": {"type": "string"}, "at": {"type": "string", "format": "date-time"},
            "state": {"type": "string", "enum": ["open"]}, "tags": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
            "parent": {"$ref": "#/definitions/Thing"},
        }}},
        "responses": {},
    }))
    .unwrap()
}

/// What is found in one file of these exchanges.
#[track_caller]
fn found(document: &Document, name: &str, lines: &[Value]) -> Report {
    let folder = std::env::temp_dir().join(format!("forgehand-verify-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("a.jsonl"), text).unwrap();
    let report = of(document, &Corrections::default(), &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    report.unwrap()
}

fn exchange(operation: &str, response: Value) -> Value {
    let method = if operation == "deleteThing" { "DELETE" } else { "GET" };
    json!({
        "operation": operation, "as": "bob", "scenario": format!("{operation}/ok"),
        "request": {"method": method, "path": "/api/v1/thing"}, "response": response,
    })
}

fn answer(status: u16, body: Value) -> Value {
    json!({"status": status, "headers": {"content-type": "application/json;charset=utf-8"}, "body": body})
}

#[test]
fn every_way_to_differ_is_found_at_its_path() {
    let get = |status, body| exchange("getThing", answer(status, body));
    let html = json!({"status": 200, "headers": {"content-type": "text/html"}, "body": "<p>"});
    let cases = [
        (get(200, json!({"id": "1"})), Kind::Type, "id"),
        (get(200, json!({"id": 1, "parent": {"id": 1.5}})), Kind::Type, "parent.id"),
        (get(200, json!({"id": 1, "sizes": {"a": "b"}})), Kind::Type, "sizes{}"),
        (get(200, json!([])), Kind::Type, ""),
        (get(200, json!({"id": 1, "tags": [null]})), Kind::NullElement, "tags[]"),
        (get(200, json!({"id": 1, "parent": {"id": 2, "new": 1}})), Kind::UndeclaredField, "parent.new"),
        (get(200, json!({"id": 1, "name": null})), Kind::Null, "name"),
        (get(200, json!({})), Kind::MissingRequired, "id"),
        (get(200, json!({"id": 1, "state": "closed"})), Kind::EnumWord, "state"),
        (get(200, json!({"id": 1, "at": "yesterday"})), Kind::Format, "at"),
        (get(200, json!({"id": 1, "at": "2026-01-01T00:00:00+0100"})), Kind::Format, "at"),
        (get(200, json!({"id": 1, "at": "0001-01-01T00:00:00Z"})), Kind::ZeroDate, "at"),
        (get(201, json!({"id": 1})), Kind::OtherSuccess, ""),
        (exchange("getThing", json!({"status": 204})), Kind::UndeclaredSuccess, ""),
        (exchange("getThing", json!({"status": 200})), Kind::EmptyBody, ""),
        (exchange("getThing", html), Kind::ContentType, ""),
        (exchange("deleteThing", answer(204, json!({}))), Kind::UndeclaredBody, ""),
        (exchange("makeThing", json!({"status": 201})), Kind::UnknownOperation, ""),
        (get(409, json!({"message": "", "url": ""})), Kind::UndeclaredErrorStatus, ""),
        (get(404, json!({"error": ""})), Kind::ErrorShape, ""),
    ];
    for (line, kind, path) in cases {
        let report = found(&document(), "each", std::slice::from_ref(&line));
        let seen: Vec<_> = report.differences.iter().map(|found| (found.kind, found.path.as_str())).collect();
        assert_eq!(seen, [(kind, path)], "{line}");
    }
}

#[test]
fn what_is_documented_is_no_difference_and_references_are_followed() {
    let thing =
        json!({"id": 1, "name": "", "at": "2026-01-01T00:00:00.5+01:00", "state": "open", "tags": []});
    let mut again = exchange("getThing", json!({"status": 200, "body_same_as": "getThing/ok"}));
    again["response"]["headers"] = json!({"content-type": "application/json"});
    again["scenario"] = json!("getThing/again");
    let lines = [
        exchange("getThing", answer(200, thing)),
        again,
        exchange("deleteThing", json!({"status": 204})),
        exchange("getThing", answer(404, json!({"message": "no", "url": "u"}))),
    ];
    let report = found(&document(), "none", &lines);
    assert_eq!((report.exchanges, report.differences.len()), (4, 0));
}

#[test]
fn a_proposed_row_is_a_correction_after_which_nothing_differs() {
    for body in [
        json!({"id": "1"}),
        json!({"id": 1, "odd name": {"a": [1]}}),
        json!({"id": 1, "parent": "none"}),
        json!([{"id": 1}]),
    ] {
        let line = [exchange("getThing", answer(200, body))];
        let report = found(&document(), "rows", &line);
        let row = report.open().next().unwrap().row.clone().unwrap();
        let corrections = Corrections::parse(&row, Path::new("corrections.toml")).unwrap();
        let corrected = corrections.apply(&document()).unwrap();
        assert_eq!(found(&corrected, "rows", &line).differences.len(), 0, "{row}");
    }
}
