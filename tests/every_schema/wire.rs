//! What a request says, and what it must say: the forge that the tools are called against, and the arguments' way to the
//! wire as the table tells it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forgehand::operations::Operation;
use forgehand::operations::descriptor::{Answer as Answers, Codec, Kind, Names, Parameter, Place};
use forgehand::operations::table::OPERATIONS;
use serde_json::{Map, Value, json};

use super::common::scripted::{Answer, Request};
use super::replayed;
use super::rules::{is_root, length};
use super::values::{LENGTHS, TEXTS};

/// The ids of what has a name: the first of [`TEXTS`] has the first, and a name of digits is none of these.
pub(crate) const ROWS: std::ops::Range<i64> = 1..1 + TEXTS.len() as i64;

/// The ends of the paths below which the forge has what has names.
const NAMED: [&str; 11] = [
    "/assets",
    "/gpg_keys",
    "/hooks",
    "/keys",
    "/labels",
    "/milestones",
    "/oauth2",
    "/releases",
    "/runners",
    "/tag_protections",
    "/teams",
];

/// Whether a request's target is of a list of such things.
pub(crate) fn lists(target: &str) -> bool {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    query.contains("page=") || NAMED.iter().any(|end| path.ends_with(end))
}

/// Whether the forge has something of that name.
pub(crate) fn is_named(names: &Names, name: &str) -> bool {
    TEXTS.contains(&own(names, name))
}

/// Whether a text may be a part of a path.
fn is_place(text: &str) -> bool {
    let is_dot = text.split('\\').any(|part| matches!(part, "." | ".."));
    !(text.is_empty() || is_dot || text.contains(['\0', '\r', '\n']))
}

/// A name without whose it is.
fn own<'a>(names: &Names, name: &'a str) -> &'a str {
    match (names.of.within, name.split_once('/')) {
        (None, _) => name,
        (Some(_), Some((whose, own))) if is_place(whose) && !own.is_empty() => own,
        // Whose it is must be said.
        (Some(_), _) => "none of these",
    }
}

/// Whether the names of a tool's argument stand in a second list besides, of which there may be none: an owner need be no
/// organization.
pub(crate) fn has_second_list(tool: &Operation) -> bool {
    tool.parameters.iter().filter_map(|p| names_of(&p.kind)).any(|names| names.of.lists.len() > 1)
}

/// The names that an argument of that kind holds.
pub(crate) fn names_of(kind: &Kind) -> Option<&Names> {
    match kind {
        Kind::Name(names) => Some(names),
        Kind::List(item) => names_of(item),
        _ => None,
    }
}

/// A forge on which everything succeeds, which knows each of [`TEXTS`] by name, and tells what is read before a change.
/// For a tool whose names stand in an organization's list besides, there is no organization.
pub(crate) fn answer(request: &Request, is_org: bool) -> Answer {
    let path = request.target.split('?').next().unwrap();
    if !is_org && path.starts_with("/api/v1/orgs/") && path.ends_with("/labels") {
        return Answer::json(404, r#"{"message":"none"}"#);
    }
    if request.method == "GET" && lists(&request.target) {
        let row = |(id, text): (i64, &&str)| {
            json!({"id": id, "name": text, "title": text, "tag_name": text, "fingerprint": text, "key_id": text,
                "name_pattern": text, "config": {"url": text}})
        };
        let rows: Vec<Value> = ROWS.zip(&TEXTS).map(row).collect();
        return Answer::json(200, &json!(rows).to_string()).header("X-Total-Count", &rows.len().to_string());
    }
    Answer::json(200, &TOLD.to_string())
}

/// An object with everything that is read before a change.
static TOLD: LazyLock<Value> = LazyLock::new(|| {
    let mut told = json!({"id": 7});
    for (tool, merge) in OPERATIONS.iter().filter_map(|tool| Some((tool, tool.merge.as_ref()?))) {
        for (field, from) in merge.fields {
            let of = tool.parameters.iter().find(|parameter| parameter.wire == *field);
            *at(&mut told, from) = match of.map(|parameter| &parameter.kind) {
                Some(Kind::List(_)) => json!(["push"]),
                Some(Kind::Boolean) => json!(true),
                _ => json!("kept"),
            };
        }
    }
    told
});

fn at<'a>(mut value: &'a mut Value, path: &str) -> &'a mut Value {
    for name in path.split('.') {
        value = &mut value[name];
    }
    value
}

/// Everything that a request says.
#[derive(Debug, PartialEq)]
pub(crate) struct Said {
    /// By wire name, decoded.
    path: BTreeMap<String, String>,
    /// By wire name, decoded, in order.
    query: BTreeMap<String, Vec<String>>,
    body: Body,
}

#[derive(Debug, PartialEq)]
enum Body {
    None,
    Json(Value),
    Text(String),
    /// Name, media type of a file, and bytes, by name.
    Form(Vec<(String, Option<String>, Vec<u8>)>),
}

/// What a tool's own request says, which is the last of those that fit one of its calls.
pub(crate) fn said(tool: &Operation, requests: &[Request]) -> Option<Said> {
    requests.iter().rev().find_map(|request| {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let path = path.strip_prefix("/api/v1").unwrap();
        let calls = tool.calls.iter().filter(|call| call.method == request.method);
        let path = calls.filter_map(|call| replayed::path_values(call.path, path)).max_by_key(Vec::len)?;
        let mut said =
            Said { path: path.into_iter().collect(), query: BTreeMap::new(), body: body_of(request) };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            said.query.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Some(said)
    })
}

fn body_of(request: &Request) -> Body {
    let kind = request.header("content-type").unwrap_or_default();
    if let Some((_, boundary)) = kind.split_once("boundary=") {
        return Body::Form(parts(&request.body, boundary));
    }
    if kind.starts_with("application/json") {
        return Body::Json(serde_json::from_slice(&request.body).unwrap());
    }
    if request.body.is_empty() { Body::None } else { Body::Text(request.text().to_owned()) }
}

fn parts(body: &[u8], boundary: &str) -> Vec<(String, Option<String>, Vec<u8>)> {
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    let bytes = |text: &str| text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    let mut parts = Vec::new();
    for part in text.split(&format!("--{boundary}")).filter(|part| part.contains("\r\n\r\n")) {
        let (head, content) = part.split_once("\r\n\r\n").unwrap();
        let name = head.split_once("name=\"").unwrap().1.split('"').next().unwrap();
        let media = head.split_once("Content-Type: ").map(|(_, media)| media.to_owned());
        parts.push((name.to_owned(), media, bytes(content.strip_suffix("\r\n").unwrap())));
    }
    parts.sort();
    parts
}

/// What a tool's request must say for these arguments: each as it is meant, by its own name, none of them absent.
pub(crate) fn expected(tool: &Operation, given: &Map<String, Value>) -> Said {
    let mut all = Vec::new();
    for parameter in tool.parameters {
        let value = given.get(parameter.name).cloned().or_else(|| stands_in(tool, parameter, given));
        let value = value.filter(|value| !value.as_str().is_some_and(|text| is_root(tool, parameter, text)));
        all.extend(value.map(|value| (parameter, value)));
    }
    let (path, query) = all.iter().filter(|(p, _)| matches!(p.place, Place::Path | Place::Query)).fold(
        (BTreeMap::new(), BTreeMap::new()),
        |(mut path, mut query), (parameter, value)| {
            let texts = texts(&written(parameter, value));
            match parameter.place {
                Place::Path => _ = path.insert(parameter.wire.to_owned(), texts.concat()),
                // An empty list has no name that could be repeated.
                _ if texts.is_empty() => {}
                _ => _ = query.insert(parameter.wire.to_owned(), texts),
            }
            (path, query)
        },
    );
    let mut said = Said { path, query, body: Body::None };
    said.body = body(tool, given, &all);
    for (key, value) in constants(tool) {
        match key.split_once('.').unwrap() {
            ("path", wire) => _ = said.path.insert(wire.to_owned(), texts(&value).concat()),
            ("query", wire) => _ = said.query.insert(wire.to_owned(), texts(&value)),
            (_, wire) => match &mut said.body {
                Body::Json(body) => *at(body, wire) = value,
                other => panic!("{}: a constant {key} in {other:?}", tool.name),
            },
        }
    }
    said
}

/// What stands for an absent argument: another one, the table's default, or a list's first page.
fn stands_in(tool: &Operation, parameter: &Parameter, given: &Map<String, Value>) -> Option<Value> {
    if let Some(other) = parameter.default_from.and_then(|from| given.get(from)) {
        return Some(other.clone());
    }
    if let Some(default) = parameter.default {
        return Some(serde_json::from_str(default).unwrap());
    }
    let is_list = matches!(tool.answer, Answers::List(_));
    match (parameter.name, &parameter.kind) {
        ("limit", Kind::Integer { max, .. }) if is_list => Some(json!(30.min(*max))),
        ("page", _) if is_list || given.contains_key("limit") => Some(json!(1)),
        _ => None,
    }
}

/// What is always sent, as the lock tells it.
fn constants(tool: &Operation) -> Vec<(String, Value)> {
    static LOCK: LazyLock<BTreeMap<String, Vec<(String, Value)>>> = LazyLock::new(|| {
        let (mut found, mut tool) = (BTreeMap::<String, Vec<(String, Value)>>::new(), String::new());
        for line in include_str!("../../inventory.lock").lines() {
            if let Some(name) = line.strip_prefix("tool ") {
                tool = name.to_owned();
            } else if let Some((key, value)) =
                line.strip_prefix("  sends ").and_then(|line| line.split_once(" = "))
            {
                found
                    .entry(tool.clone())
                    .or_default()
                    .push((key.to_owned(), serde_json::from_str(value).unwrap()));
            }
        }
        assert!(found.len() > 3, "the lock tells of constants in another way: {found:?}");
        found
    });
    LOCK.get(tool.name).cloned().unwrap_or_default()
}

fn body(tool: &Operation, given: &Map<String, Value>, all: &[(&Parameter, Value)]) -> Body {
    let at = |place: Place| all.iter().filter(move |(p, _)| p.place == place);
    let of = |place: Place| tool.parameters.iter().any(|p| p.place == place);
    if let Some((_, value)) = at(Place::WholeBody).next() {
        return value.as_str().map_or_else(|| Body::Json(value.clone()), |text| Body::Text(text.to_owned()));
    }
    if of(Place::File) || of(Place::Form) {
        let media = at(Place::FileType).next().map(|(_, value)| value.as_str().unwrap().to_owned());
        let file = at(Place::File).map(|(p, value)| {
            let bytes = match p.codec {
                Codec::Plain => value.as_str().unwrap().as_bytes().to_vec(),
                _ => decoded(value).unwrap(),
            };
            let told = if bytes.contains(&0) || std::str::from_utf8(&bytes).is_err() {
                "application/octet-stream"
            } else {
                "text/plain"
            };
            (p.wire.to_owned(), Some(media.clone().unwrap_or_else(|| told.to_owned())), bytes)
        });
        let fields =
            at(Place::Form).map(|(p, value)| (p.wire.to_owned(), None, texts(value).concat().into_bytes()));
        let mut parts: Vec<_> = file.chain(fields).collect();
        parts.sort();
        return Body::Form(parts);
    }
    let writes = tool.calls.iter().any(|call| matches!(call.method, "POST" | "PUT" | "PATCH"));
    if !of(Place::Body) || !(writes || at(Place::Body).next().is_some()) {
        return Body::None;
    }
    let mut body = json!({});
    // A map yields to the arguments that stand for one of its keys, and what stands in for an absent one yields to it.
    let rank = |parameter: &Parameter| match (given.contains_key(parameter.name), &parameter.kind) {
        (false, _) => 0,
        (true, Kind::TextMap) => 1,
        (true, _) => 2,
    };
    let mut fields: Vec<_> = at(Place::Body).collect();
    fields.sort_by_key(|(parameter, _)| rank(parameter));
    for (parameter, value) in fields {
        let there = self::at(&mut body, parameter.wire);
        match (written(parameter, value), there) {
            (Value::Object(more), Value::Object(there)) => there.extend(more),
            (value, there) => *there = value,
        }
    }
    for (property, from) in tool.merge.iter().flat_map(|merge| merge.fields) {
        let there = self::at(&mut body, property);
        if there.is_null() {
            *there = TOLD.pointer(&format!("/{}", from.replace('.', "/"))).unwrap().clone();
        }
    }
    Body::Json(body)
}

/// A value as its codec writes it, names looked up.
fn written(parameter: &Parameter, value: &Value) -> Value {
    let value = known(&parameter.kind, value);
    encoded_by(parameter.codec, with_fields(&parameter.kind, value))
}

/// The fields of objects, by their wire names and as their codecs write them.
fn with_fields(kind: &Kind, value: Value) -> Value {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            items.into_iter().map(|value| with_fields(item, value)).collect()
        }
        (Kind::Object(fields), Value::Object(object)) => {
            let field = |(name, value): (String, Value)| {
                let field = fields.iter().find(|field| field.name == name).unwrap();
                (field.wire.to_owned(), encoded_by(field.codec, with_fields(&field.kind, value)))
            };
            object.into_iter().map(field).collect()
        }
        (_, value) => value,
    }
}

fn encoded_by(codec: Codec, value: Value) -> Value {
    match codec {
        Codec::Plain | Codec::FromBase64 | Codec::Sha => value,
        Codec::Comma => json!(texts(&value).join(",")),
        Codec::AsText => json!(texts(&value).concat()),
        Codec::Base64 => json!(encoded(value.as_str().unwrap().as_bytes())),
        Codec::CheckedBase64 => json!(encoded(&decoded(&value).unwrap())),
        Codec::Duration => {
            let seconds = LENGTHS.iter().find(|(text, _)| value == *text).map(|(_, seconds)| *seconds);
            json!(seconds.or_else(|| length(&value)).unwrap())
        }
    }
}

fn encoded(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes of a base64 with or without padding, white space anywhere.
pub(crate) fn decoded(value: &Value) -> Option<Vec<u8>> {
    let text: String = value.as_str()?.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
    let bare = text.trim_end_matches('=');
    STANDARD.decode(format!("{bare}{}", "=".repeat((4 - bare.len() % 4) % 4))).ok()
}

/// Names as the forge takes them: by id, or by name.
fn known(kind: &Kind, value: &Value) -> Value {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => items.iter().map(|value| known(item, value)).collect(),
        (Kind::Name(names), value) => looked_up(names, value),
        _ => value.clone(),
    }
}

fn looked_up(names: &Names, value: &Value) -> Value {
    let row = |id: i64| TEXTS[usize::try_from(id - ROWS.start).unwrap()];
    let id = match value {
        Value::String(name) => {
            ROWS.start + TEXTS.iter().position(|text| *text == own(names, name)).unwrap() as i64
        }
        id => id.as_i64().unwrap(),
    };
    match names.of {
        _ if !names.by_name => json!(id),
        of if of.mixed && row(id).contains(',') => json!(id.to_string()),
        _ => json!(row(id)),
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}
