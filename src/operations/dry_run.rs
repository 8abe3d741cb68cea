//! A request shown in place of being sent.

use forgehand_client::{Body, Call, Raw};
use serde_json::{Map, Value, json};

use super::descriptor::Operation;
use super::mask;
use super::outcome::Outcome;
use super::refusal::scopes_of;

/// `{"dry_run": true, "method", "path", "query"?, "body"?, "scope"?}`: path and query percent-encoded as they would go
/// out, a JSON body as JSON, a form as its parts with their sizes in bytes, the scopes that a token needs for it.
pub(super) fn plan(operation: &Operation, call: &Call<Raw>) -> Outcome {
    let mut out = Map::with_capacity(6);
    out.insert("dry_run".to_owned(), true.into());
    out.extend(request(operation, call));
    Outcome::Json(Value::Object(out))
}

/// `{"dry_run": true, "requests": […]}`, each as in [`plan`].
pub(super) fn plans(operation: &Operation, calls: &[Call<Raw>]) -> Outcome {
    let requests: Vec<Value> = calls.iter().map(|call| Value::Object(request(operation, call))).collect();
    Outcome::Json(json!({ "dry_run": true, "requests": requests }))
}

fn request(operation: &Operation, call: &Call<Raw>) -> Map<String, Value> {
    let (path, query) =
        call.target.split_once('?').map_or((call.target.as_str(), None), |(p, q)| (p, Some(q)));
    let mut out = Map::with_capacity(5);
    out.insert("method".to_owned(), call.method.as_str().into());
    out.insert("path".to_owned(), path.into());
    if let Some(query) = query {
        out.insert("query".to_owned(), query.into());
    }
    if let Some(mut body) = body(&call.body) {
        mask::hide_arguments(&mut body, operation);
        out.insert("body".to_owned(), body);
    }
    let scopes = scopes_of(operation, call);
    if !scopes.is_empty() {
        out.insert("scope".to_owned(), scopes.into());
    }
    out
}

fn body(body: &Body) -> Option<Value> {
    match body {
        Body::None => None,
        Body::Bytes(bytes) => Some(match serde_json::from_slice(bytes) {
            Ok(value) => value,
            Err(_) => match std::str::from_utf8(bytes) {
                Ok(text) => text.into(),
                Err(_) => json!({ "bytes": bytes.len() }),
            },
        }),
        Body::Form(parts) => {
            let parts = parts.iter().map(|part| match &part.file_name {
                Some(file) => json!({ "name": part.name, "file_name": file, "bytes": part.bytes.len() }),
                None => json!({ "name": part.name, "value": String::from_utf8_lossy(&part.bytes) }),
            });
            Some(Value::Array(parts.collect()))
        }
    }
}
