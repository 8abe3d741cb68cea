//! Recorded requests of all parameter kinds are rebuilt from their arguments, byte for byte (`rebuilt.jsonl`).
//!
//! JSON bodies are compared as JSON; a form takes the recorded boundary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use bytes::Bytes;
use forgehand_client::{Api, BaseUrl, Body, OPERATIONS, Parameters, Upload, encode_form};
use serde_json::{Map, Value};

fn from_base64(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn parameters(arguments: &Value) -> Parameters {
    Parameters {
        path: map(&arguments["path"]),
        query: map(&arguments["query"]),
        body: arguments.get("body").cloned(),
        form: map(&arguments["form"]),
        file: arguments.get("file").map(|file| Upload {
            media_type: None,
            file_name: file["file_name"].as_str().unwrap().to_owned(),
            content: Bytes::from(from_base64(file["base64"].as_str().unwrap())).into(),
        }),
    }
}

/// A recorded body as bytes, where it is not JSON.
fn recorded_bytes(body: &Value) -> Vec<u8> {
    match body {
        Value::String(text) => text.clone().into_bytes(),
        other => from_base64(other["base64"].as_str().unwrap()),
    }
}

#[test]
fn recorded_requests_are_rebuilt_from_their_arguments() {
    let builders: BTreeMap<_, _> = OPERATIONS.iter().map(|o| (o.operation, o.build)).collect();
    let base = BaseUrl::parse("https://forge.example").unwrap();
    let mut rebuilt = 0;
    for line in include_str!("rebuilt.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let scenario = row["scenario"].as_str().unwrap();
        let recorded = &row["request"];
        let call =
            builders[row["operation"].as_str().unwrap()](parameters(&row["arguments"])).expect(scenario);
        let request = call.request(&base).expect(scenario);
        assert_eq!(request.method().as_str(), recorded["method"], "{scenario}");
        let url = format!("https://forge.example{}", recorded["target"].as_str().unwrap());
        assert_eq!(request.url().as_str(), url, "{scenario}");
        let content_type = request.headers().get("content-type").map(|value| value.to_str().unwrap());
        let recorded_type = recorded.get("content_type").and_then(Value::as_str);
        match &call.body {
            Body::None => assert_eq!((recorded_type, recorded.get("body")), (None, None), "{scenario}"),
            Body::Bytes(bytes) if content_type == Some("application/json") => {
                assert_eq!(content_type, recorded_type, "{scenario}");
                assert_eq!(serde_json::from_slice::<Value>(bytes).unwrap(), recorded["body"], "{scenario}");
            }
            Body::Bytes(bytes) => {
                assert_eq!(content_type, recorded_type, "{scenario}");
                assert_eq!(bytes, &recorded_bytes(&recorded["body"]), "{scenario}");
            }
            Body::Form(parts) => {
                let boundary =
                    |media: &str| media.strip_prefix("multipart/form-data; boundary=").map(str::to_owned);
                assert!(content_type.and_then(boundary).is_some(), "{scenario}");
                let boundary = recorded_type.and_then(boundary).expect(scenario);
                let body = encode_form(parts, &boundary).unwrap();
                assert_eq!(body.as_bytes().unwrap(), recorded_bytes(&recorded["body"]), "{scenario}");
            }
        }
        rebuilt += 1;
    }
    assert!(rebuilt >= 60, "{rebuilt}");
}

/// As recorded in `repoCreateReleaseAttachment/bad-octet-stream-without-name`.
#[test]
fn a_release_attachment_may_be_the_whole_body() {
    let octets = Bytes::from_static(&[0, 1, 2]);
    let call =
        Api.repo_create_release_attachment_octets("acme", "playground", 157, None, octets.clone()).unwrap();
    assert_eq!(call.target, "/repos/acme/playground/releases/157/assets");
    assert_eq!(call.headers["content-type"], "application/octet-stream");
    assert!(matches!(call.body, Body::Bytes(bytes) if bytes == octets));
}
