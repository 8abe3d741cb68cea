//! The importer: what it keeps, what it drops, and what it says of a document that it cannot take.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of a test may fail it")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use forgehand_codegen::{import, naming, pin};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn small() -> Value {
    json!({
        "swagger": "2.0",
        "info": {"title": "A title", "description": "Prose", "version": "16.0.1+gitea-1.22.0"},
        "basePath": "/api/v1",
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "securityDefinitions": {"Token": {"type": "apiKey"}},
        "paths": {
            "/z/{name}": {"get": {
                "operationId": "readThing", "summary": "Prose", "tags": ["a"], "deprecated": true,
                "parameters": [
                    {"name": "name", "in": "path", "required": true, "type": "string", "description": "Prose"},
                    {"name": "kind", "in": "query", "type": "array", "collectionFormat": "multi",
                     "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"], "x-go-name": "Kind"}
                ],
                "responses": {"200": {"$ref": "#/responses/Thing"}, "404": {"description": "Prose"}}
            }},
            "/a": {"post": {
                "operationId": "makeThing",
                "parameters": [{"name": "body", "in": "body", "schema": {"$ref": "#/definitions/Thing"}}],
                "responses": {"201": {"description": "Prose", "schema": {"type": "array", "title": "Prose",
                    "items": {"$ref": "#/definitions/Thing"}}}}
            }}
        },
        "definitions": {"Thing": {
            "type": "object", "title": "Prose", "required": ["title"], "x-go-package": "x",
            "properties": {
                "title": {"type": "string", "description": "Prose", "example": "Prose", "x-go-name": "Title"},
                "description": {"type": "string", "format": "date-time"},
                "example": {"type": "object", "additionalProperties": {"type": "integer", "format": "int64"}}
            }
        }},
        "responses": {"Thing": {"description": "Prose", "schema": {"$ref": "#/definitions/Thing"},
            "headers": {"X-Total-Count": {"type": "integer", "format": "int64", "description": "Prose"}}}}
    })
}

/// Writes a document into a file of that name, in a directory of its own that ends with the value.
struct File {
    directory: PathBuf,
    path: PathBuf,
}

impl File {
    fn new(case: &str, content: &[u8]) -> Self {
        let directory = std::env::temp_dir().join(format!("forgehand-import-{}-{case}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("document.json");
        std::fs::write(&path, content).unwrap();
        Self { directory, path }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

#[track_caller]
fn refused(case: &str, content: &[u8], expected: &str) {
    let file = File::new(case, content);
    let message = import::import(&file.path, None).unwrap_err().to_string();
    assert_eq!(message.replace(&*file.path.to_string_lossy(), "FILE"), expected, "{case}");
}

#[track_caller]
fn refused_change(case: &str, change: impl FnOnce(&mut Value), expected: &str) {
    let mut document = small();
    change(&mut document);
    refused(case, document.to_string().as_bytes(), expected);
}

#[test]
fn facts_stay_and_prose_goes() {
    let file = File::new("facts", small().to_string().as_bytes());
    let document = import::import(&file.path, None).unwrap();
    let text = import::render(&document).unwrap();
    assert_eq!(
        text,
        concat!(
            r##"{"swagger":"2.0","release":"16.0","basePath":"/api/v1","consumes":["application/json"],"##,
            r##""produces":["application/json"],"paths":{"/a":{"post":{"operationId":"makeThing","##,
            r##""parameters":[{"name":"body","in":"body","schema":{"$ref":"#/definitions/Thing"}}],"##,
            r##""responses":{"201":{"schema":{"type":"array","items":{"$ref":"#/definitions/Thing"}}}}}},"##,
            r##""/z/{name}":{"get":{"operationId":"readThing","deprecated":true,"##,
            r##""parameters":[{"name":"name","in":"path","required":true,"type":"string"},"##,
            r##"{"name":"kind","in":"query","collectionFormat":"multi","type":"array","default":["a"],"##,
            r##""items":{"type":"string","enum":["a","b"]}}],"##,
            r##""responses":{"200":{"$ref":"#/responses/Thing"},"404":{}}}}},"##,
            r##""definitions":{"Thing":{"type":"object","properties":{"##,
            r##""description":{"type":"string","format":"date-time"},"##,
            r##""example":{"type":"object","additionalProperties":{"type":"integer","format":"int64"}},"##,
            r##""title":{"type":"string"}},"required":["title"]}},"##,
            r##""responses":{"Thing":{"schema":{"$ref":"#/definitions/Thing"},"##,
            r##""headers":{"X-Total-Count":{"type":"integer","format":"int64"}}}}}"##,
            "\n"
        )
    );
}

#[test]
fn an_imported_document_is_read_back_as_the_same_bytes() {
    for release in pin::releases(&root()) {
        let file = pin::document(&root(), &release);
        let document = import::load(&file).unwrap();
        assert_eq!(document.release, release);
        assert_eq!(import::render(&document).unwrap(), std::fs::read_to_string(&file).unwrap(), "{release}");
    }
}

#[test]
fn the_release_is_asked_for_or_the_version_or_the_file_name() {
    let named = |version: &str, name: &str, asked: Option<&str>| {
        let mut document = small();
        document["info"]["version"] = json!(version);
        let file = File::new(&format!("release-{name}-{}", asked.is_some()), document.to_string().as_bytes());
        let path = file.directory.join(name);
        std::fs::rename(&file.path, &path).unwrap();
        import::import(&path, asked).map(|d| d.release).map_err(|e| e.to_string().contains("--release 15.0"))
    };
    assert_eq!(named("15.0.3+gitea-1.22.0", "forgejo-9.0.json", None), Ok("15.0".to_owned()));
    assert_eq!(named("{{.Version}}", "forgejo-9.0.swagger.json", None), Ok("9.0".to_owned()));
    assert_eq!(named("15.0.3", "forgejo-9.0.json", Some("14.0")), Ok("14.0".to_owned()));
    assert_eq!(named("{{.Version}}", "swagger.json", None), Err(true));
}

#[test]
fn what_is_no_document_is_refused_with_file_and_place() {
    refused("not-json", b"swagger: 2.0\n", "FILE: is no JSON: expected value at line 1 column 1");
    refused(
        "truncated",
        b"{\"swagger\": \"2.0\",\n  \"paths\": {\"/a\":",
        "FILE: ends within the JSON, at line 2, column 17; is it truncated?",
    );
    refused("empty", b"", "FILE: ends within the JSON, at line 1, column 0; is it truncated?");
    refused("list", b"[]", "FILE: $: expected an object, a Swagger 2.0 document");
    refused(
        "openapi",
        br#"{"openapi": "3.0.3", "paths": {}}"#,
        "FILE: $.openapi: expected a Swagger 2.0 document, and this is OpenAPI 3.0.3",
    );
    refused("no-version", b"{}", "FILE: $.swagger: is missing; expected a Swagger 2.0 document");
    let missing = import::import(Path::new("no/such.json"), None).unwrap_err().to_string();
    assert!(missing.starts_with("no/such.json: "), "{missing}");
}

#[test]
fn what_does_not_hold_in_a_document_is_named_with_its_path() {
    refused_change(
        "dangling-definition",
        |d| d["paths"]["/a"]["post"]["parameters"][0]["schema"]["$ref"] = json!("#/definitions/Thnig"),
        "FILE: $.paths['/a'].post.parameters[0].schema.$ref: `#/definitions/Thnig` is not in the document",
    );
    refused_change(
        "dangling-response",
        |d| d["paths"]["/z/{name}"]["get"]["responses"]["200"]["$ref"] = json!("#/responses/Nothing"),
        "FILE: $.paths['/z/{name}'].get.responses['200'].$ref: `#/responses/Nothing` is not in the document",
    );
    refused_change(
        "duplicate",
        |d| d["paths"]["/z/{name}"]["get"]["operationId"] = json!("makeThing"),
        "FILE: $.paths['/z/{name}'].get.operationId: `makeThing` is also the operationId of $.paths['/a'].post",
    );
    refused_change(
        "undeclared",
        |d| d["paths"]["/z/{name}"]["get"]["parameters"] = json!([]),
        "FILE: $.paths['/z/{name}'].get.parameters: the path has {name}, which is not declared",
    );
    refused_change(
        "unplaced",
        |d| d["paths"]["/z/{name}"]["get"]["parameters"][1]["in"] = json!("path"),
        "FILE: $.paths['/z/{name}'].get.parameters: `kind` is declared, and the path has no {kind}",
    );
    refused_change(
        "no-schema",
        |d| d["paths"]["/a"]["post"]["parameters"] = json!([{"name": "body", "in": "body"}]),
        "FILE: $.paths['/a'].post.parameters[0]: a body needs a schema",
    );
}

#[test]
fn a_fact_that_the_model_does_not_know_is_an_error() {
    refused_change(
        "schema-key",
        |d| d["definitions"]["Thing"]["properties"]["title"]["pattern"] = json!("^a"),
        "FILE: $.definitions.Thing.properties.title.pattern: is a fact that the importer does not know; its model needs it",
    );
    refused_change(
        "parameter-key",
        |d| d["paths"]["/z/{name}"]["get"]["parameters"][1]["allowEmptyValue"] = json!(true),
        "FILE: $.paths['/z/{name}'].get.parameters[1].allowEmptyValue: is a fact that the importer does not know; its \
         model needs it",
    );
}

#[test]
fn every_method_name_is_its_own() {
    for release in pin::releases(&root()) {
        let document = import::load(&pin::document(&root(), &release)).unwrap();
        let names: BTreeSet<String> =
            document.operations().map(|o| naming::method(&o.operation.operation_id)).collect();
        assert_eq!(names.len(), document.operations().count(), "{release}");
    }
    for (id, method) in [
        ("issueGetIssue", "issue_get_issue"),
        ("ListActionRuns", "list_action_runs"),
        ("userGetOAuth2Application", "user_get_o_auth2_application"),
        ("adminDEleteQuotaRule", "admin_d_elete_quota_rule"),
    ] {
        assert_eq!(naming::method(id), method);
    }
}

#[test]
fn the_pin_names_a_release_that_is_there() {
    assert!(pin::choose(&root(), None).unwrap().is_file());
    assert!(pin::choose(&root(), Some("11.0")).unwrap().ends_with("openapi/forgejo-11.0.json"));
    let message = pin::choose(&root(), Some("6.0")).unwrap_err().to_string();
    assert!(message.starts_with("FORGEHAND_FORGEJO asks for Forgejo \"6.0\", and there is no "), "{message}");
    assert!(message.contains("the releases at hand are 7.0, 8.0, 9.0, 10.0, 11.0"), "{message}");
    let message = pin::choose(Path::new("nowhere"), None).unwrap_err().to_string();
    assert!(message.contains("pin: cannot be read"), "{message}");
}
