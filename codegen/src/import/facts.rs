//! Reducing a raw document to facts: prose is taken out by place, what is left must fit the model without loss.

use std::path::Path;

use serde_json::{Map, Value};

use super::Fault;
use crate::document::Document;

/// Keys that tell people something and no program anything.
const PROSE: [&str; 7] = ["summary", "description", "title", "example", "examples", "tags", "externalDocs"];

/// Keys of the document itself that say nothing about its operations.
const ROOT_ONLY: [&str; 5] = ["info", "host", "schemes", "securityDefinitions", "security"];

/// Keys whose object maps names (of paths, fields, …) to things, so that no name is taken for prose.
const NAMES: [&str; 5] = ["paths", "definitions", "responses", "properties", "headers"];

/// Keys whose value is data and not part of the description.
const DATA: [&str; 2] = ["enum", "default"];

/// Turns a raw document into the model.
pub(super) fn reduce(raw: Value, release: Option<&str>, file: &Path) -> Result<Document, Fault> {
    let Value::Object(mut root) = raw else {
        return Err(Fault::new("$", "expected an object, a Swagger 2.0 document"));
    };
    version(&root)?;
    let release = name_of_release(&root, release, file)?;
    for key in ROOT_ONLY {
        root.remove(key);
    }
    strip(&mut root);
    root.insert("release".to_owned(), Value::String(release));
    root.entry("basePath").or_insert_with(|| Value::String("/api/v1".to_owned()));
    for key in ["definitions", "responses"] {
        root.entry(key).or_insert_with(|| Value::Object(Map::new()));
    }
    let facts = Value::Object(root);
    let document: Document = serde_path_to_error::deserialize(&facts)
        .map_err(|e| Fault::new(format!("$.{}", e.path()), e.inner().to_string()))?;
    let kept = serde_json::to_value(&document).map_err(|e| Fault::new("$", e.to_string()))?;
    match lost(&facts, &kept, "$") {
        Some(path) => Err(Fault::new(path, "is a fact that the importer does not know; its model needs it")),
        None => Ok(document),
    }
}

fn version(root: &Map<String, Value>) -> Result<(), Fault> {
    if let Some(version) = root.get("openapi") {
        return Err(Fault::new(
            "$.openapi",
            format!("expected a Swagger 2.0 document, and this is OpenAPI {}", plain(version)),
        ));
    }
    match root.get("swagger") {
        Some(Value::String(version)) if version == "2.0" => Ok(()),
        Some(other) => Err(Fault::new("$.swagger", format!("expected \"2.0\", got {other}"))),
        None => Err(Fault::new("$.swagger", "is missing; expected a Swagger 2.0 document")),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `15.0` out of what was asked for, a version as `15.0.3+gitea-1.22.0`, or a file name as `forgejo-15.0.swagger.json`.
fn name_of_release(root: &Map<String, Value>, asked: Option<&str>, file: &Path) -> Result<String, Fault> {
    if let Some(asked) = asked {
        return major_minor(asked)
            .ok_or_else(|| Fault::new("--release", format!("expected a release as `15.0`, got {asked:?}")));
    }
    let version = root.get("info").and_then(|info| info.get("version")).and_then(Value::as_str);
    let stem = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix("forgejo-"));
    version.and_then(major_minor).or_else(|| stem.and_then(major_minor)).ok_or_else(|| {
        let got = version.map_or("none".to_owned(), |version| format!("{version:?}"));
        Fault::new(
            "$.info.version",
            format!("expected a version as `15.0.0`, got {got}; `--release 15.0` names it"),
        )
    })
}

/// A release's name, as `15.0`, out of a version as `15.0.3+gitea-1.22.0` or `v15.0`.
pub fn major_minor(version: &str) -> Option<String> {
    let mut parts = version.trim().trim_start_matches('v').split(|c: char| !c.is_ascii_digit());
    let (major, minor) = (parts.next()?, parts.next()?);
    let number = |part: &str| part.parse::<u32>().ok();
    Some(format!("{}.{}", number(major)?, number(minor)?))
}

/// Takes prose and extensions out of an object that describes something.
fn strip(object: &mut Map<String, Value>) {
    object.retain(|key, _| !key.starts_with("x-") && !PROSE.contains(&key.as_str()));
    for (key, value) in object.iter_mut() {
        if DATA.contains(&key.as_str()) {
            continue;
        }
        match value {
            Value::Object(named) if NAMES.contains(&key.as_str()) => strip_named(named, key == "paths"),
            other => strip_any(other),
        }
    }
}

/// Names stay, what they stand for is stripped. A path stands for methods, which are names again.
fn strip_named(named: &mut Map<String, Value>, paths: bool) {
    for value in named.values_mut() {
        match value {
            Value::Object(methods) if paths => {
                methods.retain(|key, _| !key.starts_with("x-"));
                strip_named(methods, false);
            }
            other => strip_any(other),
        }
    }
}

fn strip_any(value: &mut Value) {
    match value {
        Value::Object(object) => strip(object),
        Value::Array(items) => items.iter_mut().for_each(strip_any),
        _ => {}
    }
}

/// The first place that the model did not keep. What is false or empty need not be kept.
fn lost(facts: &Value, kept: &Value, at: &str) -> Option<String> {
    match (facts, kept) {
        (Value::Object(facts), Value::Object(kept)) => facts.iter().find_map(|(key, fact)| {
            let at = step(at, key);
            match kept.get(key) {
                Some(kept) => lost(fact, kept, &at),
                None => (!is_nothing(fact)).then_some(at),
            }
        }),
        (Value::Array(facts), Value::Array(kept)) if facts.len() == kept.len() => facts
            .iter()
            .zip(kept)
            .enumerate()
            .find_map(|(n, (fact, kept))| lost(fact, kept, &format!("{at}[{n}]"))),
        _ => (facts != kept).then(|| at.to_owned()),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// A JSON path one key further: `$.paths['/user']`.
pub(super) fn step(at: &str, key: &str) -> String {
    let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    if plain && !key.starts_with(|c: char| c.is_ascii_digit()) {
        format!("{at}.{key}")
    } else {
        format!("{at}['{key}']")
    }
}
