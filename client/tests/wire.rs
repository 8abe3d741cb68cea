//! Every operation is sent to a server that records it, and compared with what the document says: the imported document
//! with its corrections, before it is normalised.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use forgehand_client::{BaseUrl, Connection, OPERATIONS, OperationInfo, Parameters, Upload};
use forgehand_codegen::client::corrections::Corrections;
use forgehand_codegen::document::{Document, Located, Parameter, Place, Schema};
use forgehand_codegen::{import, naming, pin};
use serde_json::{Map, Value, json};

#[path = "support/listener.rs"]
mod listener;
use listener::{Asked, Listener};

/// How much is given of what may be left out.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Amount {
    /// All of it, with odd values.
    All,
    /// All of it, with values that are empty: `""`, `0`, `false`, `[]`, `{}`.
    Empty,
    /// Nothing that is not required.
    Least,
}

/// What a request should be.
struct Expected {
    method: String,
    path: String,
    /// `name=value`, encoded, sorted.
    query: Vec<String>,
    content_type: Option<String>,
    body: Body,
}

enum Body {
    None,
    Json(Value),
    Text(String),
    /// Everything between the first and the last boundary; the boundary stands as `BOUNDARY`.
    Form(String),
}

struct Case<'a> {
    document: &'a Document,
    corrections: &'a Corrections,
    amount: Amount,
}

const ODD: &str = "ä b/c#?&=+%2F\"\\.~";
const ODD_ENCODED: &str = "%C3%A4%20b%2Fc%23%3F%26%3D%2B%252F%22%5C.~";
const SLASHED_ENCODED: &str = "%C3%A4%20b/c%23%3F%26%3D%2B%252F%22%5C.~";
const MOMENT: &str = "2024-02-29T23:59:58+05:30";
const MOMENT_ENCODED: &str = "2024-02-29T23%3A59%3A58%2B05%3A30";

impl Case<'_> {
    fn build(&self, located: Located<'_>) -> (Parameters, Expected) {
        let mut parameters = Parameters::default();
        let mut expected = Expected {
            method: located.method.to_uppercase(),
            path: located.path.to_owned(),
            query: Vec::new(),
            content_type: None,
            body: Body::None,
        };
        let operation = located.operation;
        let mut form = String::new();
        for parameter in &operation.parameters {
            if self.amount == Amount::Least && !parameter.required {
                continue;
            }
            match parameter.place {
                Place::Path => {
                    let keeps = self
                        .corrections
                        .slashes
                        .iter()
                        .any(|s| s.operation == operation.operation_id && s.parameter == parameter.name);
                    let (value, encoded) = path_value(parameter, keeps);
                    parameters.path.insert(parameter.name.clone(), value);
                    expected.path = expected.path.replace(&format!("{{{}}}", parameter.name), &encoded);
                }
                Place::Query => {
                    let (value, encoded) = self.query_value(parameter);
                    parameters.query.insert(parameter.name.clone(), value);
                    expected.query.extend(encoded.into_iter().map(|v| format!("{}={v}", parameter.name)));
                }
                Place::Body => self.body(located, parameter, &mut parameters, &mut expected),
                Place::FormData => self.field(parameter, &mut parameters, &mut form),
                Place::Header => panic!("{}: no header parameter is known", operation.operation_id),
            }
        }
        expected.query.sort();
        if !form.is_empty() {
            expected.content_type = Some("multipart/form-data".to_owned());
            expected.body = Body::Form(form);
        }
        (parameters, expected)
    }

    fn query_value(&self, parameter: &Parameter) -> (Value, Vec<String>) {
        let empty = self.amount == Amount::Empty;
        let schema = &parameter.value;
        match (schema.kind.as_deref().unwrap(), schema.format.as_deref()) {
            ("integer", _) if empty => (json!(0), vec!["0".to_owned()]),
            ("integer", _) => (json!(-7_000_000_000_i64), vec!["-7000000000".to_owned()]),
            ("boolean", _) => (json!(!empty), vec![(!empty).to_string()]),
            ("string", _) if empty => (json!(""), vec![String::new()]),
            ("string", Some("date-time")) => (json!(MOMENT), vec![MOMENT_ENCODED.to_owned()]),
            ("string", _) => (json!(ODD), vec![ODD_ENCODED.to_owned()]),
            ("array", _) if empty => (json!([]), vec![]),
            ("array", _) => {
                let (values, encoded) = match schema.items.as_ref().unwrap().kind.as_deref() {
                    Some("integer") => (json!([3, 11]), vec!["3".to_owned(), "11".to_owned()]),
                    _ => (json!([ODD, "b"]), vec![ODD_ENCODED.to_owned(), "b".to_owned()]),
                };
                match parameter.collection_format.as_deref() {
                    Some("multi") => (values, encoded),
                    _ => (values, vec![encoded.join("%2C")]),
                }
            }
            (kind, _) => panic!("no query value of type {kind}"),
        }
    }

    fn body(
        &self,
        located: Located<'_>,
        parameter: &Parameter,
        parameters: &mut Parameters,
        expected: &mut Expected,
    ) {
        let operation = located.operation;
        let media = operation.consumes.first().unwrap_or(&self.document.consumes[0]).clone();
        if media == "text/plain" {
            parameters.body = Some(json!("# ä\r\n"));
            expected.body = Body::Text("# ä\r\n".to_owned());
        } else {
            let value = self.value(parameter.schema.as_ref().unwrap(), 0);
            parameters.body = Some(value.clone());
            expected.body = Body::Json(value);
        }
        expected.content_type = Some(media);
    }

    fn field(&self, parameter: &Parameter, parameters: &mut Parameters, form: &mut String) {
        form.push_str(&format!("--BOUNDARY\r\nContent-Disposition: form-data; name=\"{}\"", parameter.name));
        if parameter.value.kind.as_deref() == Some("file") {
            let bytes = Bytes::from_static("a\r\n--b\r\n".as_bytes());
            parameters.file = Some(Upload {
                file_name: "a \"b\"\r\nc\\.txt".to_owned(),
                media_type: None,
                content: bytes.into(),
            });
            form.push_str(
                "; filename=\"a \\\"b\\\"%0D%0Ac\\\\.txt\"\r\nContent-Type: text/plain\r\n\r\na\r\n--b\r\n\r\n",
            );
        } else {
            parameters.form.insert(parameter.name.clone(), json!(ODD));
            form.push_str(&format!("\r\n\r\n{ODD}\r\n"));
        }
    }

    /// A value of a schema; recursion ends by leaving out what is not required.
    fn value(&self, schema: &Schema, depth: usize) -> Value {
        if schema.reference.is_some() {
            return self.value(self.document.schema(schema).unwrap(), depth + 1);
        }
        let empty = self.amount == Amount::Empty;
        match schema.kind.as_deref() {
            Some("string") => json!(if empty { "" } else { ODD }),
            Some("integer") => json!(if empty { 0 } else { 9_000_000_000_i64 }),
            Some("number") => json!(if empty { 0.0 } else { 1.5 }),
            Some("boolean") => json!(!empty),
            Some("array") if empty => json!([]),
            Some("array") => {
                let item = self.value(schema.items.as_ref().unwrap(), depth + 1);
                json!([item.clone(), item])
            }
            Some("object") => self.object(schema, depth),
            None => json!({"any": [1, null]}),
            Some(other) => panic!("no value of type {other}"),
        }
    }

    fn object(&self, schema: &Schema, depth: usize) -> Value {
        let mut object = Map::new();
        if let Some(values) = &schema.additional_properties {
            if self.amount == Amount::All {
                object.insert(ODD.to_owned(), self.value(values, depth + 1));
            }
            return Value::Object(object);
        }
        for (name, property) in &schema.properties {
            let required = schema.required.contains(name);
            if required || (self.amount != Amount::Least && depth < 6) {
                object.insert(name.clone(), self.value(property, depth + 1));
            }
        }
        Value::Object(object)
    }
}

fn path_value(parameter: &Parameter, keeps_slashes: bool) -> (Value, String) {
    match parameter.value.kind.as_deref() {
        Some("integer") => (json!(42), "42".to_owned()),
        _ if keeps_slashes => (json!(ODD), SLASHED_ENCODED.to_owned()),
        _ => (json!(ODD), ODD_ENCODED.to_owned()),
    }
}

fn pinned() -> (Document, Corrections) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let document = import::load(&pin::pinned(&root).unwrap()).unwrap();
    let corrections = Corrections::load(&root.join("openapi/corrections.toml")).unwrap();
    (corrections.apply(&document).unwrap(), corrections)
}

#[track_caller]
fn compare(place: &str, asked: &Asked, expected: &Expected) {
    assert_eq!(asked.method, expected.method, "{place}");
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    assert_eq!(path, format!("/git/api/v1{}", expected.path), "{place}");
    let mut query: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
    query.sort_unstable();
    assert_eq!(query, expected.query, "{place}");
    assert_eq!(asked.header("authorization"), Some("token secret"), "{place}");
    assert!(asked.header("accept").is_some(), "{place}");
    assert_eq!(asked.header("api-version"), None, "{place}");
    let content_type = asked.header("content-type");
    if let Body::Form(form) = &expected.body {
        let boundary = content_type.unwrap().strip_prefix("multipart/form-data; boundary=").expect(place);
        let body = String::from_utf8(asked.body.clone()).unwrap().replace(boundary, "BOUNDARY");
        assert_eq!(body, format!("{form}--BOUNDARY--\r\n"), "{place}");
        return;
    }
    assert_eq!(content_type, expected.content_type.as_deref(), "{place}");
    match &expected.body {
        Body::None => assert_eq!(asked.body, b"", "{place}"),
        Body::Text(text) => assert_eq!(asked.body, text.as_bytes(), "{place}"),
        Body::Json(value) => {
            assert_eq!(&serde_json::from_slice::<Value>(&asked.body).unwrap(), value, "{place}");
        }
        Body::Form(_) => {}
    }
}

async fn send_all(amount: Amount) {
    let (document, corrections) = pinned();
    let known: BTreeMap<&str, &OperationInfo> = OPERATIONS.iter().map(|o| (o.operation, o)).collect();
    let listener = Listener::start().await;
    let base = BaseUrl::parse(&format!("http://127.0.0.1:{}/git/", listener.port)).unwrap();
    let connection = Connection::new(base, Some("secret")).unwrap();
    let case = Case { document: &document, corrections: &corrections, amount };
    let mut sent = 0;
    for located in document.operations() {
        let id = located.operation.operation_id.as_str();
        let place = format!("{id} ({amount:?})");
        let (mut parameters, expected) = case.build(located);
        let is_form = located.operation.parameters.iter().any(|p| p.place == Place::FormData);
        if is_form && matches!(expected.body, Body::None) {
            assert_eq!((known[id].build)(parameters.clone()).unwrap_err().place, "form", "{place}");
            parameters.form.insert("external_url".to_owned(), json!("https://example.org"));
            (known[id].build)(parameters).expect(&place);
            sent += 1;
            continue;
        }
        let call = (known[id].build)(parameters).expect(&place);
        assert_eq!(call.operation, id);
        connection.send(&call).await.expect(&place).bytes(64).await.expect(&place);
        let asked = listener.take();
        assert_eq!(asked.len(), 1, "{place}");
        compare(&place, &asked[0], &expected);
        sent += 1;
    }
    assert_eq!(sent, OPERATIONS.len());
    assert_eq!(sent, document.operations().count());
}

#[tokio::test]
async fn every_operation_is_sent_as_the_document_says_with_all_arguments() {
    send_all(Amount::All).await;
}

#[tokio::test]
async fn every_operation_is_sent_as_the_document_says_with_empty_values() {
    send_all(Amount::Empty).await;
}

#[tokio::test]
async fn every_operation_is_sent_as_the_document_says_with_required_arguments_alone() {
    send_all(Amount::Least).await;
}

#[test]
fn every_operation_is_in_the_table_under_its_own_name_and_path() {
    let (document, _) = pinned();
    assert_eq!(OPERATIONS.len(), document.operations().count());
    for (info, located) in OPERATIONS.iter().zip(document.operations()) {
        assert_eq!(info.operation, located.operation.operation_id);
        assert_eq!(info.method_name, naming::method(info.operation));
        assert_eq!(info.http_method, located.method.to_uppercase());
        assert_eq!(info.path, located.path);
    }
}

#[test]
fn a_missing_wrong_or_unknown_argument_is_refused_by_name() {
    let build = |id: &str, parameters: Parameters| {
        let info = OPERATIONS.iter().find(|o| o.operation == id).unwrap();
        (info.build)(parameters).unwrap_err().to_string()
    };
    let path = || json!({"owner": "acme", "repo": "widget"}).as_object().unwrap().clone();
    let repo = || Parameters { path: path(), ..Parameters::default() };
    let with_query = |query: Value| Parameters { query: query.as_object().unwrap().clone(), ..repo() };
    let with_body = |body: Value| Parameters { body: Some(body), ..repo() };
    let upload = Upload { file_name: "a".to_owned(), media_type: None, content: Bytes::new().into() };
    for (got, expected) in [
        (build("repoGet", Parameters::default()), "path parameter `owner`: is missing; expected a string"),
        (build("issueGetIssue", repo()), "path parameter `index`: is missing; expected a whole number"),
        (
            build("issueListIssues", with_query(json!({"page": "2"}))),
            "query parameter `page`: expected a whole number, got a string",
        ),
        (
            build("issueListIssues", with_query(json!({"pages": 2}))),
            "query parameter `pages`: issueListIssues does not take it",
        ),
        (
            build("repoListPullRequests", with_query(json!({"labels": [1, "bug"]}))),
            "query parameter `labels`: expected a list of whole numbers, got a list",
        ),
        (
            build("issueCreateIssue", with_body(json!({"title": "a", "labels": ["bug"]}))),
            "body parameter `labels[0]`: invalid type: string \"bug\", expected i64",
        ),
        (build("issueCreateIssue", with_body(json!({}))), "body parameter `.`: missing field `title`"),
        (build("repoGet", with_body(json!({}))), "body parameter `.`: repoGet does not take it"),
        (
            build("repoGet", Parameters { file: Some(upload), ..repo() }),
            "form parameter `file`: repoGet does not take it",
        ),
        (
            build("renderMarkdownRaw", Parameters { body: Some(json!({})), ..Parameters::default() }),
            "body parameter `.`: expected a string, got an object",
        ),
    ] {
        assert_eq!(got, expected);
    }
    let unknown = build("repoEdit", with_body(json!({"external_tracker": {"external_tracker_uri": ""}})));
    assert!(
        unknown.starts_with("body parameter `external_tracker.external_tracker_uri`: unknown field"),
        "{unknown}"
    );
}
