//! From a recorded request back to the arguments of a tool, by the table alone.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forgehand::demo::Exchange;
use forgehand::operations::Operation;
use forgehand::operations::descriptor::{Codec, Kind, Parameter, Place};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

/// The arguments with which a tool sends what was recorded; `None` where it cannot say it.
pub(crate) fn arguments(operation: &Operation, exchange: &Exchange) -> Option<Map<String, Value>> {
    let call = operation.calls.iter().find(|call| call.operation == exchange.operation)?;
    let (path, query) = exchange.target.split_once('?').unwrap_or((&exchange.target, ""));
    let mut arguments = Map::new();
    for (wire, value) in path_values(call.path, path.strip_prefix("/api/v1")?)? {
        // A part of the path that is no argument is a constant, which the request will show.
        if let Some(parameter) = parameter(operation, Place::Path, &wire) {
            arguments.insert(parameter.name.to_owned(), json!(value));
        }
    }
    for (wire, values) in query_values(query) {
        let Some(parameter) = parameter(operation, Place::Query, &wire) else { continue };
        arguments.insert(parameter.name.to_owned(), listed(parameter, values));
    }
    body(operation, exchange, &mut arguments)?;
    Some(arguments)
}

fn parameter(operation: &Operation, place: Place, wire: &str) -> Option<&'static Parameter> {
    let parameters: &'static [Parameter] = operation.parameters;
    parameters.iter().find(|p| p.place == place && p.wire == wire)
}

/// The values in a path, by the names in its template.
pub(crate) fn path_values(template: &str, path: &str) -> Option<Vec<(String, String)>> {
    let mut values = Vec::new();
    let (mut template, mut path) = (template, path);
    while let Some((fixed, rest)) = template.split_once('{') {
        let (name, after) = rest.split_once('}')?;
        path = path.strip_prefix(fixed)?;
        let stop = after.split('{').next().unwrap_or_default();
        let end = if stop.is_empty() { path.len() } else { path.find(stop)? };
        let value = percent_decode_str(path.get(..end)?).decode_utf8().ok()?;
        values.push((name.to_owned(), value.into_owned()));
        (template, path) = (after, path.get(end..)?);
    }
    (template == path).then_some(values)
}

/// The values in a query, by name, in order.
fn query_values(query: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value.into_owned()),
            None => found.push((name.into_owned(), vec![value.into_owned()])),
        }
    }
    found
}

fn listed(parameter: &Parameter, mut values: Vec<String>) -> Value {
    match (&parameter.kind, values.len()) {
        (Kind::List(_), 1) => values[0].split(',').collect(),
        (Kind::List(_), _) => json!(values),
        _ => json!(values.pop()),
    }
}

fn body(operation: &Operation, exchange: &Exchange, arguments: &mut Map<String, Value>) -> Option<()> {
    let Some(bytes) = exchange.request.bytes().filter(|bytes| !bytes.is_empty()) else { return Some(()) };
    let whole = operation.parameters.iter().find(|p| p.place == Place::WholeBody);
    if let (Some(parameter), true) = (whole, matches!(whole.map(|p| &p.kind), Some(Kind::Text))) {
        arguments.insert(parameter.name.to_owned(), json!(String::from_utf8(bytes.to_vec()).ok()?));
        return Some(());
    }
    let form = exchange.request.header("content-type").is_some_and(|kind| kind.starts_with("multipart/"));
    if form {
        return multipart(operation, exchange, &bytes, arguments);
    }
    let sent: Value = serde_json::from_slice(&bytes).ok()?;
    if let Some(parameter) = whole {
        arguments.insert(parameter.name.to_owned(), sent);
        return Some(());
    }
    properties(operation, "", sent.as_object()?, arguments)
}

/// The properties of a body, dotted where an argument lies below one.
fn properties(
    operation: &Operation,
    above: &str,
    object: &Map<String, Value>,
    arguments: &mut Map<String, Value>,
) -> Option<()> {
    for (name, value) in object {
        let wire = format!("{above}{name}");
        let below = format!("{wire}.");
        let mut named = operation.parameters.iter().filter(|p| p.place == Place::Body && p.wire == wire);
        let own = named.next();
        match (own, value) {
            // Absent and null are not the same on the wire, and there is no argument for the difference.
            (_, Value::Null) => return None,
            (Some(map), Value::Object(inner)) if matches!(map.kind, Kind::TextMap) => {
                entries(operation, (map, &below), inner, arguments);
            }
            (Some(parameter), _) => {
                let other = named.next();
                let (name, value) = plain(parameter, other, value)?;
                arguments.insert(name.to_owned(), value);
            }
            (None, Value::Object(inner))
                if operation.parameters.iter().any(|p| p.wire.starts_with(&below)) =>
            {
                properties(operation, &below, inner, arguments)?;
            }
            // What the tool always sends is no argument; the request will show it.
            (None, _) => {}
        }
    }
    Some(())
}

/// The entries of a map: those that have an argument of their own, and the map of all others.
fn entries(
    operation: &Operation,
    (map, below): (&Parameter, &str),
    inner: &Map<String, Value>,
    arguments: &mut Map<String, Value>,
) {
    let own = |key: &str| {
        operation
            .parameters
            .iter()
            .find(|p| p.place == Place::Body && p.wire.strip_prefix(below) == Some(key))
    };
    let mut others = Map::new();
    for (key, value) in inner {
        match own(key) {
            Some(parameter) => arguments.insert(parameter.name.to_owned(), value.clone()),
            None => others.insert(key.clone(), value.clone()),
        };
    }
    if !others.is_empty() {
        arguments.insert(map.name.to_owned(), Value::Object(others));
    }
}

/// The argument and its value before its codec wrote it.
fn plain<'a>(first: &'a Parameter, other: Option<&'a Parameter>, value: &Value) -> Option<(&'a str, Value)> {
    let encoded = [Some(first), other].into_iter().flatten().find(|p| p.codec == Codec::Base64);
    let Some(encoded) = encoded else { return Some((first.name, value.clone())) };
    let bytes = STANDARD.decode(value.as_str()?).ok();
    match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => Some((encoded.name, json!(text))),
        None => other.map(|other| (other.name, value.clone())),
    }
}

/// A form with fields and a file; its parts are found by the boundary.
fn multipart(
    operation: &Operation,
    exchange: &Exchange,
    bytes: &[u8],
    arguments: &mut Map<String, Value>,
) -> Option<()> {
    let kind = exchange.request.header("content-type")?;
    let boundary = kind.split_once("boundary=")?.1.trim_matches('"');
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    for part in text.split(&format!("--{boundary}")).filter(|part| part.contains("\r\n\r\n")) {
        let (head, content) = part.split_once("\r\n\r\n")?;
        let content = content.strip_suffix("\r\n")?;
        let raw: Vec<u8> =
            content.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(0)).collect();
        let name = head.split_once("name=\"")?.1.split('"').next()?;
        let file = operation.parameters.iter().find(|p| p.place == Place::File && p.wire == name);
        let field = operation.parameters.iter().find(|p| p.place == Place::Form && p.wire == name);
        match (file, field) {
            (Some(file), _) => arguments.insert(file.name.to_owned(), json!(STANDARD.encode(raw))),
            (None, Some(field)) => {
                arguments.insert(field.name.to_owned(), json!(String::from_utf8(raw).ok()?))
            }
            (None, None) => return None,
        };
    }
    Some(())
}
