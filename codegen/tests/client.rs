//! From document to client source: every release generates, corrections hold or say why not.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]

use std::path::{Path, PathBuf};

use forgehand_codegen::client::corrections::Corrections;
use forgehand_codegen::document::Document;
use forgehand_codegen::history::History;
use forgehand_codegen::{client, import, pin};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The project's own corrections.
fn committed() -> Corrections {
    Corrections::load(&root().join("openapi/corrections.toml")).unwrap()
}

/// A document with these operations (path, method, operation) and definitions.
fn document(operations: &[(&str, &str, Value)], definitions: Value) -> Document {
    let mut document = json!({
        "swagger": "2.0", "release": "15.0", "basePath": "/api/v1", "consumes": ["application/json"],
        "produces": ["application/json"], "paths": {}, "definitions": definitions, "responses": {}
    });
    for (path, method, operation) in operations {
        document["paths"][path][method] = operation.clone();
    }
    serde_json::from_value(document).unwrap()
}

fn corrections(text: &str) -> Corrections {
    Corrections::parse(text, Path::new("corrections.toml")).unwrap()
}

/// One operation, `GET /a/{name}/b` or as told, becomes a method that holds these pieces of source.
#[track_caller]
fn becomes(operation: Value, definitions: Value, text: &str, pieces: &[&str]) {
    let document = document(&[("/a/{name}/b", "post", operation)], definitions);
    let source = client::generate(&document, &corrections(text)).unwrap();
    let plain =
        |text: &str| text.split_whitespace().collect::<String>().replace(",)", ")").replace(",>", ">");
    for piece in pieces {
        assert!(plain(&source).contains(&plain(piece)), "no `{piece}` in\n{source}");
    }
}

/// An operation with these parameters besides `name`, and this schema of its success.
fn operation(mut parameters: Vec<Value>, answer: Option<Value>) -> Value {
    parameters.insert(0, json!({"name": "name", "in": "path", "required": true, "type": "string"}));
    let success = answer.map_or_else(|| json!({}), |schema| json!({"schema": schema}));
    json!({"operationId": "doThing", "parameters": parameters, "responses": {"200": success, "404": {}}})
}

fn with(mut operation: Value, key: &str, value: Value) -> Value {
    operation[key] = value;
    operation
}

#[test]
fn every_release_at_hand_generates_a_method_for_each_operation() {
    let corrections = committed();
    for document in History::load(&root()).unwrap().into_documents() {
        let release = &document.release;
        let source = client::generate(&document, &corrections).unwrap_or_else(|e| panic!("{release}: {e}"));
        assert_eq!(
            source.matches("crate::OperationInfo {").count(),
            document.operations().count(),
            "{release}"
        );
    }
}

#[test]
fn the_same_document_gives_the_same_source() {
    let document = import::load(&pin::choose(&root(), Some("7.0")).unwrap()).unwrap();
    let made = || client::generate(&document, &committed()).unwrap();
    assert_eq!(made(), made());
}

#[test]
fn parameters_become_arguments_of_their_place() {
    becomes(
        operation(vec![], None),
        json!({}),
        "",
        &[
            "pub fn do_thing(&self, name: &str) -> Result<crate::Call<()>, crate::BuildError>",
            r#"__target.fixed("/a/"); __target.segment("name", &name)?; __target.fixed("/b");"#,
            r#"crate::Call::new("doThing", http::Method::POST, __target.finish()).accepting("application/json")"#,
            "`POST /a/{name}/b`: operation `doThing`.",
        ],
    );
    let slashes = "[[slashes]]\noperation = 'doThing'\nparameter = 'name'\nevidence = 'x'";
    becomes(operation(vec![], None), json!({}), slashes, &[r#"__target.slashed("name", &name)?;"#]);
}

#[test]
fn parameters_of_the_query_are_typed_and_optional_unless_they_are_demanded() {
    let query = |schema: Value| {
        let mut parameter = json!({"name": "some-type", "in": "query"});
        parameter.as_object_mut().unwrap().extend(schema.as_object().unwrap().clone());
        operation(vec![parameter], None)
    };
    let strings = json!({"type": "string"});
    for (schema, argument, piece) in [
        (
            json!({"type": "string", "enum": ["a", "b"]}),
            "some_type: Option<&str>",
            "`some-type` is one of `a`, `b`.",
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            "some_type: Option<&str>",
            r#".query("some-type", some_type)"#,
        ),
        (
            json!({"type": "integer", "minimum": 1}),
            "some_type: Option<i64>",
            r#".query("some-type", some_type)"#,
        ),
        (
            json!({"type": "integer", "format": "int32"}),
            "some_type: Option<i32>",
            r#".query("some-type", some_type)"#,
        ),
        (
            json!({"type": "boolean", "default": true}),
            "some_type: Option<bool>",
            r#".query("some-type", some_type)"#,
        ),
        (
            json!({"type": "string", "required": true}),
            "some_type: &str",
            r#".query("some-type", Some(some_type))"#,
        ),
        (
            json!({"type": "array", "items": strings, "collectionFormat": "multi"}),
            "some_type: Option<&[::std::string::String]>",
            r#".repeated("some-type", some_type)"#,
        ),
        (
            json!({"type": "array", "items": strings}),
            "some_type: Option<&[::std::string::String]>",
            r#".comma("some-type", some_type)?"#,
        ),
    ] {
        becomes(query(schema), json!({}), "", &[argument, piece]);
    }
}

#[test]
fn bodies_are_optional_unless_required_and_keep_their_kind() {
    let thing = json!({"Thing": {"type": "object", "required": ["title"], "properties": {
        "title": {"type": "string"}, "labels": {"type": "array", "items": {"type": "string"}},
        "count": {"type": "integer", "format": "int64", "default": 3}
    }}});
    let body = |extra: Value| {
        let mut parameter = json!({"name": "what", "in": "body", "schema": {"$ref": "#/definitions/Thing"}});
        parameter.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        operation(vec![parameter], None)
    };
    becomes(
        body(json!({})),
        thing.clone(),
        "",
        &[
            "body: Option<&types::Thing>",
            r#"__call.json("application/json", body)"#,
            "#[serde(deny_unknown_fields)]",
            "pub title: ::std::string::String,",
            "pub labels: ::std::option::Option<::std::vec::Vec<::std::string::String>>,",
            "pub count: ::std::option::Option<i64>,",
            "__given.body_optional::<types::Thing>()?",
        ],
    );
    becomes(
        body(json!({"required": true})),
        thing,
        "",
        &["body: &types::Thing", "Some(body)", "__given.body::<"],
    );
    let text = operation(vec![json!({"name": "body", "in": "body", "schema": {"type": "string"}})], None);
    becomes(
        with(text, "consumes", json!(["text/plain"])),
        json!({}),
        "",
        &["body: &str", r#"__call.text("text/plain", body)"#],
    );
    let form = vec![
        json!({"name": "attachment", "in": "formData", "type": "file"}),
        json!({"name": "external_url", "in": "formData", "type": "string"}),
    ];
    let form =
        with(operation(form, None), "consumes", json!(["multipart/form-data", "application/octet-stream"]));
    becomes(
        form,
        json!({}),
        "",
        &[
            "attachment: Option<&crate::Upload>",
            "external_url: Option<&str>",
            r#"attachment.map(|file| crate::Part::file("attachment", file))"#,
            "pub fn do_thing_octets(&self, name: &str, octets: bytes::Bytes)",
        ],
    );
}

#[test]
fn words_that_differ_in_case_or_sign_alone_and_errors_in_plain_text_are_no_obstacle() {
    let sort =
        json!({"name": "sort", "in": "query", "type": "string", "enum": ["asc", "ASC", "+1", "-1", ""]});
    let mut asked = operation(vec![sort], Some(json!({"$ref": "#/definitions/Thing"})));
    asked["responses"]["403"] = json!({"schema": {"type": "string"}});
    let word = |words: Value| json!({"type": "string", "enum": words});
    becomes(
        with(asked, "produces", json!(["application/json", "text/plain"])),
        json!({"Thing": {"type": "object", "properties": {
            "content": word(json!(["+1", "-1"])), "order": word(json!(["asc", "ASC"]))
        }}}),
        "",
        &[
            "sort: Option<&str>",
            "pub content: ::std::option::Option<::std::string::String>,",
            "pub order: ::std::option::Option<::std::string::String>,",
            "Call<types::Thing>",
        ],
    );
}

#[test]
fn an_answer_has_one_type_whose_fields_may_all_be_absent() {
    let things = json!({
        "Thing": {"type": "object", "required": ["parent"], "properties": {
            "parent": {"$ref": "#/definitions/Thing"}, "state": {"$ref": "#/definitions/State"},
            "made": {"type": "string", "format": "date-time"}, "size": {"type": "integer", "format": "uint64"}
        }},
        "State": {"type": "string", "enum": ["open", "closed"]}
    });
    let thing = json!({"$ref": "#/definitions/Thing"});
    let list = json!({"type": "array", "items": thing});
    becomes(
        operation(vec![], Some(list)),
        things.clone(),
        "",
        &[
            "Result<crate::Call<::std::vec::Vec<types::Thing>>, crate::BuildError>",
            "pub parent: ::std::option::Option<::std::boxed::Box<Thing>>,",
            "pub state: ::std::option::Option<::std::string::String>,",
            "pub made: ::std::option::Option<::std::string::String>,",
            "pub size: ::std::option::Option<u64>,",
            "answer: crate::AnswerKind::Json",
        ],
    );
    let either = with(
        operation(vec![], None),
        "responses",
        json!({"200": {"schema": thing}, "204": {}, "404": {"schema": {"type": "string"}}}),
    );
    becomes(either, things.clone(), "", &["Result<crate::Call<Option<types::Thing>>, crate::BuildError>"]);
    let many = "[[one_or_many]]\noperation = 'doThing'\nevidence = 'x'";
    becomes(
        operation(vec![], Some(thing.clone())),
        things.clone(),
        many,
        &["crate::Call<crate::OneOrMany<types::Thing>>"],
    );
    let nulls = "[[null_items]]\ndefinition = 'Pile'\nproperty = 'things'\nevidence = 'x'";
    let boxed = json!({"Thing": things["Thing"], "State": things["State"], "Pile": {"type": "object", "properties": {
        "things": {"type": "array", "items": thing}}}});
    becomes(
        operation(vec![], Some(json!({"$ref": "#/definitions/Pile"}))),
        boxed,
        nulls,
        &[
            "pub things: ::std::option::Option<::std::vec::Vec<::std::option::Option<::std::boxed::Box<Thing>>>>,",
        ],
    );
    for (produces, schema, answer, kind) in [
        (json!(["text/html"]), Some(json!({"type": "string"})), "crate::Raw", "Text"),
        (json!(["application/octet-stream"]), Some(json!({"type": "file"})), "crate::Raw", "Bytes"),
        (json!(["application/octet-stream"]), None, "crate::Raw", "Bytes"),
        (json!(["application/json"]), None, "()", "Empty"),
    ] {
        let pieces = [format!("crate::Call<{answer}>"), format!("answer: crate::AnswerKind::{kind}")];
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        becomes(with(operation(vec![], schema), "produces", produces), json!({}), "", &pieces);
    }
}

#[test]
fn an_error_of_any_declared_type_leaves_the_answer_its_own() {
    let thing = json!({"$ref": "#/definitions/Thing"});
    let things = json!({"Thing": {"type": "object", "properties": {"id": {"type": "integer"}}}});
    for error in [json!({}), json!({"schema": {"type": "string"}}), json!({"schema": {"type": "file"}})] {
        for (produces, schema, answer) in [
            (json!(["application/json", "text/plain"]), Some(thing.clone()), "crate::Call<types::Thing>"),
            (json!(["text/plain"]), Some(json!({"type": "string"})), "crate::Call<crate::Raw>"),
            (json!(["text/plain"]), None, "crate::Call<()>"),
        ] {
            let mut operation = with(operation(vec![], schema), "produces", produces);
            operation["responses"]["403"] = error.clone();
            becomes(operation, things.clone(), "", &[answer]);
        }
    }
}

#[test]
fn a_type_that_is_sent_and_received_is_two() {
    let things =
        json!({"Thing": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}});
    let thing = json!({"$ref": "#/definitions/Thing"});
    let both = operation(vec![json!({"name": "body", "in": "body", "schema": thing})], Some(thing));
    becomes(
        both,
        things,
        "",
        &[
            "body: Option<&types::ThingRequest>",
            "crate::Call<types::Thing>",
            "pub id: ::std::string::String,",
            "pub id: ::std::option::Option<::std::string::String>,",
        ],
    );
}

/// The message for a document of one operation and one definition with these corrections.
#[track_caller]
fn unfit(text: &str, expected: &str) {
    let definitions = json!({"Thing": {"type": "object", "properties": {"id": {"type": "string"}}}});
    let page = json!({"name": "page", "in": "query", "type": "integer"});
    let document = document(&[("/a/{name}/b", "post", operation(vec![page], None))], definitions);
    let message = match Corrections::parse(text, Path::new("corrections.toml")) {
        Ok(corrections) => client::generate(&document, &corrections).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn a_correction_that_does_not_fit_is_an_error_that_names_it() {
    let correction = |rest: &str| format!("[[correction]]\nwire = 'x'\nevidence = 'x'\n{rest}");
    for (rest, expected) in [
        (
            "definition = 'Thing'\nat = 'properties.id.type'\nset = 'string'",
            "`properties.id.type` of Thing (Forgejo 15.0) changes nothing: the document says so already",
        ),
        (
            "definition = 'Thing'\nat = 'properties.id.format'",
            "`properties.id.format` of Thing (Forgejo 15.0) changes nothing",
        ),
        (
            "definition = 'Thnig'\nat = 'type'\nset = 'string'",
            "`type` of Thnig (Forgejo 15.0) names a definition that the document does not have",
        ),
        (
            "operation = 'doThings'\nat = 'deprecated'\nset = true",
            "`deprecated` of doThings (Forgejo 15.0) names an operation that the document does not have",
        ),
        (
            "operation = 'doThing'\nat = 'parameters.pages.type'\nset = 'string'",
            "`parameters.pages.type` of doThing (Forgejo 15.0) goes through `pages`, which is not there",
        ),
        (
            "operation = 'doThing'\nat = 'parameters.page.type'\nset = 5",
            "`parameters.page.type` of doThing (Forgejo 15.0) leaves no valid document: ",
        ),
        (
            "at = 'type'",
            "`type` of nothing (Forgejo 15.0) must name an operation or a definition, and not both",
        ),
    ] {
        unfit(&correction(rest), &format!("corrections.toml: the correction of {expected}"));
    }
    for (text, expected) in [
        ("[[slashes]]\noperation = 'doThing'\nparameter = 'page'\nevidence = 'x'", "`page` of doThing"),
        ("[[one_or_many]]\noperation = 'other'\nevidence = 'x'", "other"),
        ("[[null_items]]\ndefinition = 'Thing'\nproperty = 'id'\nevidence = 'x'", "`id` of Thing"),
    ] {
        let names = "names what the document does not have";
        unfit(text, &format!("corrections.toml: the correction of {expected} (Forgejo 15.0) {names}"));
    }
    unfit(
        "[[method]]\noperation = 'doThing'\nis = 'post'\nevidence = 'x'",
        "corrections.toml: the correction of the method of doThing (Forgejo 15.0) changes nothing",
    );
    unfit("[[corrections]]", "corrections.toml: TOML parse error at line 1, column 3");
}

#[test]
fn a_correction_holds_for_the_releases_that_it_names() {
    let text =
        "[[correction]]\nwire = 'x'\nevidence = 'x'\ndefinition = 'Later'\nat = 'type'\nset = 'string'";
    let document = document(&[("/a/{name}/b", "post", operation(vec![], None))], json!({}));
    for (bound, applies) in [("since = '15.0'", true), ("since = '16.0'", false), ("until = '9.0'", false)] {
        let result = corrections(&format!("{text}\n{bound}")).apply(&document);
        assert_eq!(result.is_err(), applies, "{bound}");
    }
}

#[test]
fn what_the_generator_does_not_take_is_named() {
    let header = json!({"name": "X-Thing", "in": "header", "type": "string"});
    let two = json!({"200": {"schema": {"type": "string"}}, "201": {"schema": {"type": "boolean"}}});
    let body = json!({"name": "body", "in": "body", "schema": {"type": "string"}});
    for (operation, expected) in [
        (operation(vec![header], None), "header parameter `X-Thing`: none is known yet"),
        (with(operation(vec![], None), "responses", two), "answers with two types"),
        (
            with(operation(vec![body], None), "consumes", json!(["application/xml"])),
            "takes a body of type Some(\"application/xml\"), which is not known",
        ),
    ] {
        let document = document(&[("/a/{name}/b", "post", operation)], json!({}));
        let message = client::generate(&document, &corrections("")).unwrap_err().to_string();
        assert_eq!(message, format!("Forgejo 15.0, doThing: {expected}"));
    }
}
