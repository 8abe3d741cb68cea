//! From a recorded request back to the arguments of a tool, by the table alone.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forgehand::demo::Exchange;
use forgehand::operations::Operation;
use forgehand::operations::descriptor::{Codec, Kind, Parameter, Place};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

/// A recorded request in the words of a tool.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The arguments.
    pub(crate) arguments: Map<String, Value>,
    /// What of it is no argument: it is sent as a constant, or this tool cannot say it.
    pub(crate) left: Vec<String>,
}

impl Asked {
    fn give(&mut self, parameter: &Parameter, value: Value) {
        self.arguments.insert(parameter.name.to_owned(), value);
    }
}

/// The arguments with which a tool sends what was recorded, or by what it cannot be said at all.
pub(crate) fn arguments(operation: &Operation, exchange: &Exchange) -> Result<Asked, String> {
    let call = operation.calls.iter().find(|call| call.operation == exchange.operation);
    let call = call.ok_or_else(|| "another operation".to_owned())?;
    if call.method != exchange.method {
        return Err("another method than the document's".to_owned());
    }
    let (path, query) = exchange.target.split_once('?').unwrap_or((&exchange.target, ""));
    let values = path.strip_prefix("/api/v1").and_then(|path| path_values(call.path, path));
    let mut asked = Asked::default();
    for (wire, value) in values.ok_or_else(|| "a path that the document's template has not".to_owned())? {
        // A part of the path that is no argument is a constant, which the request will show.
        match parameter(operation, Place::Path, &wire) {
            Some(parameter) => asked.give(parameter, json!(value)),
            None => asked.left.push(format!("path {wire}")),
        }
    }
    for (wire, values) in query_values(query) {
        let Some(parameter) = parameter(operation, Place::Query, &wire) else {
            let here = operation.parameters.iter().any(|p| p.place == Place::Local && p.wire == wire);
            asked.left.push(format!("query {wire}{}", if here { ", which is the tool's own" } else { "" }));
            continue;
        };
        if values.len() > 1 && !matches!(parameter.kind, Kind::List(_)) {
            asked.left.push("a query parameter twice".to_owned());
        }
        asked.give(parameter, listed(parameter, values));
    }
    body(operation, exchange, &mut asked)?;
    Ok(asked)
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
    let Kind::List(item) = &parameter.kind else { return json!(values.pop()) };
    if parameter.codec == Codec::Comma {
        let items = values.iter().filter(|value| !value.is_empty()).flat_map(|value| value.split(','));
        values = items.map(str::to_owned).collect();
    }
    let value = |text: String| match (&**item, text.parse::<i64>()) {
        (Kind::Integer { .. }, Ok(number)) => json!(number),
        // An id, and no name of digits.
        (Kind::Name(names), Ok(number)) if !names.by_name => json!(number),
        _ => json!(text),
    };
    values.into_iter().map(value).collect()
}

fn body(operation: &Operation, exchange: &Exchange, asked: &mut Asked) -> Result<(), String> {
    let Some(bytes) = exchange.request.bytes().filter(|bytes| !bytes.is_empty()) else { return Ok(()) };
    let whole = operation.parameters.iter().find(|p| p.place == Place::WholeBody);
    if let Some(parameter) = whole.filter(|whole| matches!(whole.kind, Kind::Text)) {
        let text = String::from_utf8(bytes.to_vec()).map_err(|_| "a body that is no text".to_owned())?;
        asked.give(parameter, json!(text));
        return Ok(());
    }
    let form = exchange.request.header("content-type").is_some_and(|kind| kind.starts_with("multipart/"));
    if form {
        return multipart(operation, exchange, &bytes, asked)
            .ok_or_else(|| "a form of another kind".to_owned());
    }
    let sent: Value = serde_json::from_slice(&bytes).map_err(|_| "a body that is no JSON".to_owned())?;
    if let Some(parameter) = whole {
        asked.give(parameter, sent);
        return Ok(());
    }
    if !operation.parameters.iter().any(|p| p.place == Place::Body) {
        return Err("a body where the tool sends none".to_owned());
    }
    let Value::Object(object) = sent else { return Err("a body that is no object".to_owned()) };
    properties(operation, "", &object, asked)
}

/// The properties of a body, dotted where an argument lies below one.
fn properties(
    operation: &Operation,
    above: &str,
    object: &Map<String, Value>,
    asked: &mut Asked,
) -> Result<(), String> {
    for (name, value) in object {
        let wire = format!("{above}{name}");
        let below = format!("{wire}.");
        let mut named = operation.parameters.iter().filter(|p| p.place == Place::Body && p.wire == wire);
        let own = named.next();
        match (own, value) {
            // Absent and null are not the same on the wire, and there is no argument for the difference.
            (_, Value::Null) => return Err("null in a body".to_owned()),
            (Some(map), Value::Object(inner)) if matches!(map.kind, Kind::TextMap) => {
                entries(operation, (map, &below), inner, asked);
            }
            (Some(parameter), _) => {
                let other = named.next();
                let (parameter, value) = plain(parameter, other, value)?;
                asked.give(parameter, value);
            }
            (None, Value::Object(inner))
                if operation.parameters.iter().any(|p| p.wire.starts_with(&below)) =>
            {
                properties(operation, &below, inner, asked)?;
            }
            // What the tool always sends is no argument; the request will show it.
            (None, _) => asked.left.push(format!("body {wire}")),
        }
    }
    Ok(())
}

/// The entries of a map: those that have an argument of their own, and the map of all others.
fn entries(
    operation: &Operation,
    (map, below): (&Parameter, &str),
    inner: &Map<String, Value>,
    asked: &mut Asked,
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
            Some(parameter) => asked.give(parameter, value.clone()),
            None => _ = others.insert(key.clone(), value.clone()),
        }
    }
    if !others.is_empty() {
        asked.give(map, Value::Object(others));
    }
}

/// The argument and its value before its codec wrote it.
fn plain<'a>(
    first: &'a Parameter,
    other: Option<&'a Parameter>,
    value: &Value,
) -> Result<(&'a Parameter, Value), String> {
    if let (Codec::FromBase64, Some(text)) = (first.codec, value.as_str()) {
        return Ok((first, json!(STANDARD.encode(text))));
    }
    let encoded = [Some(first), other].into_iter().flatten().find(|p| p.codec == Codec::Base64);
    let Some(encoded) = encoded else { return Ok((first, with_fields(&first.kind, value))) };
    let bytes = value.as_str().and_then(|text| STANDARD.decode(text).ok());
    match (bytes.and_then(|bytes| String::from_utf8(bytes).ok()), other) {
        (Some(text), _) => Ok((encoded, json!(text))),
        (None, Some(_)) => {
            let as_it_is = [Some(first), other].into_iter().flatten().find(|p| p.codec != Codec::Base64);
            Ok((as_it_is.unwrap_or(first), value.clone()))
        }
        (None, None) => Err("content that is no base64 of text".to_owned()),
    }
}

/// The fields of objects before their codecs wrote them.
fn with_fields(kind: &Kind, value: &Value) -> Value {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            items.iter().map(|value| with_fields(item, value)).collect()
        }
        (Kind::Object(fields), Value::Object(object)) => {
            let field = |(name, value): (&String, &Value)| {
                let first = fields.iter().find(|field| field.wire == name);
                let text = || String::from_utf8(STANDARD.decode(value.as_str()?).ok()?).ok();
                match first.filter(|first| first.codec == Codec::Base64) {
                    Some(first) => match (text(), first.or) {
                        (Some(text), _) => (first.name.to_owned(), json!(text)),
                        (None, other) => (other.unwrap_or(first.name).to_owned(), value.clone()),
                    },
                    None => {
                        (name.clone(), first.map_or(value.clone(), |first| with_fields(&first.kind, value)))
                    }
                }
            };
            object.iter().map(field).collect()
        }
        (_, value) => value.clone(),
    }
}

/// A form with fields and a file; its parts are found by the boundary.
fn multipart(operation: &Operation, exchange: &Exchange, bytes: &[u8], asked: &mut Asked) -> Option<()> {
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
            (Some(file), _) if file.codec == Codec::FromBase64 => {
                asked.give(file, json!(STANDARD.encode(raw)))
            }
            (Some(either), _) | (None, Some(either)) => {
                asked.give(either, json!(String::from_utf8(raw).ok()?));
            }
            (None, None) => asked.left.push(format!("form {name}")),
        }
    }
    Some(())
}
