//! Every argument of every tool reaches the wire as what it is, in its place, and brings nothing else with it.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forgehand::forge::Forge;
use forgehand::operations::descriptor::{Codec, Kind, Operation, Parameter, Place, Run};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, run};
use serde_json::{Map, Value, json};

use super::common::scripted::{Answer, Request, Scripted};
use super::common::{block_on, forge, limits};
use super::replayed;
use super::samples::{required, sample, value};

/// What a value is on the wire, but for JSON types.
fn written(parameter: &Parameter, value: &Value) -> Value {
    match parameter.codec {
        Codec::Base64 => json!(STANDARD.encode(value.as_str().unwrap())),
        Codec::Duration => json!(5400),
        Codec::Comma => json!(texts(value).join(",")),
        Codec::AsText => json!(texts(value)[0]),
        _ => with_fields(&parameter.kind, value),
    }
}

/// The fields of objects as their codecs write them.
fn with_fields(kind: &Kind, value: &Value) -> Value {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            items.iter().map(|value| with_fields(item, value)).collect()
        }
        (Kind::Object(fields), Value::Object(object)) => {
            let field = |(name, value): (&String, &Value)| {
                let is_encoded =
                    fields.iter().any(|field| field.name == name && field.codec == Codec::Base64);
                let encoded = || json!(STANDARD.encode(value.as_str().unwrap()));
                (name.clone(), if is_encoded { encoded() } else { value.clone() })
            };
            object.iter().map(field).collect()
        }
        (_, value) => value.clone(),
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

/// Everything that a request says, by place and wire name.
fn said(tool: &Operation, request: &Request) -> BTreeMap<String, Value> {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let path = path.strip_prefix("/api/v1").unwrap();
    let calls = tool.calls.iter().filter(|call| call.method == request.method);
    let values = calls.filter_map(|call| replayed::path_values(call.path, path)).max_by_key(Vec::len);
    let mut said: BTreeMap<String, Value> =
        values.unwrap().into_iter().map(|(name, value)| (format!("path {name}"), json!([value]))).collect();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let at = said.entry(format!("query {name}")).or_insert_with(|| json!([]));
        at.as_array_mut().unwrap().push(json!(value));
    }
    match serde_json::from_slice(&request.body) {
        Ok(Value::Object(body)) => leaves("body ", &body, &mut said),
        Ok(other) => drop(said.insert("body".to_owned(), other)),
        Err(_) => drop(said.insert("raw".to_owned(), json!(String::from_utf8_lossy(&request.body)))),
    }
    said
}

fn leaves(above: &str, object: &Map<String, Value>, said: &mut BTreeMap<String, Value>) {
    for (name, value) in object {
        let at = format!("{above}{name}");
        match value {
            Value::Object(inner) => leaves(&format!("{at}."), inner, said),
            value => drop(said.insert(at, value.clone())),
        }
    }
}

/// What a parameter with this value must say.
fn expected(parameter: &Parameter, value: &Value) -> BTreeMap<String, Value> {
    let wire = parameter.wire;
    let written = written(parameter, value);
    match parameter.place {
        Place::Path => BTreeMap::from([(format!("path {wire}"), json!(texts(&written)))]),
        Place::Query => BTreeMap::from([(format!("query {wire}"), json!(texts(&written)))]),
        Place::Body => {
            let mut said = BTreeMap::new();
            leaves("body ", &Map::from_iter([(wire.to_owned(), written)]), &mut said);
            said
        }
        _ => unreachable!(),
    }
}

/// Two values that differ in their JSON type alone are one moment or one number.
fn same(one: &Value, other: &Value) -> bool {
    one == other || texts(one) == texts(other)
}

/// Whether even an id is looked up before it is sent.
fn looked_up(kind: &Kind) -> bool {
    match kind {
        Kind::Name(names) => names.checked,
        Kind::List(item) => looked_up(item),
        _ => false,
    }
}

/// A forge on which everything succeeds with an object that says little.
fn everything(request: &Request) -> Answer {
    if request.method == "GET" && request.target.contains("/labels?") {
        return Answer::json(200, r#"[{"id":7,"name":"seven"}]"#);
    }
    if request.method == "GET" {
        return Answer::json(200, &told().to_string());
    }
    Answer::json(200, r#"{"id":7}"#)
}

/// An object with everything that is read before a change.
fn told() -> Value {
    let mut told = json!({"id": 7});
    for (tool, merge) in OPERATIONS.iter().filter_map(|tool| Some((tool, tool.merge.as_ref()?))) {
        for (field, from) in merge.fields {
            let of = tool.parameters.iter().find(|parameter| parameter.wire == *field);
            let mut at = &mut told;
            for name in from.split('.') {
                at = &mut at[name];
            }
            *at = of.map_or(json!("kept"), |parameter| value(&parameter.kind));
        }
    }
    told
}

/// The last request of a tool's own.
async fn asked(
    (forge, scripted): (&Forge, &Scripted),
    tool: &'static Operation,
    given: Map<String, Value>,
) -> Option<Request> {
    let _ = run(forge, tool, given, &limits()).await;
    let requests = scripted.take_requests();
    requests.into_iter().rev().find(|request| is_own(tool, request))
}

/// Whether a request is one of a tool's own calls.
fn is_own(tool: &Operation, request: &Request) -> bool {
    let path = request.target.split('?').next().unwrap().strip_prefix("/api/v1").unwrap();
    tool.calls
        .iter()
        .any(|call| call.method == request.method && replayed::path_values(call.path, path).is_some())
}

/// Arguments without those in whose place this one stands, or which stand in its.
fn with(
    mut given: Map<String, Value>,
    tool: &Operation,
    parameter: &Parameter,
    value: &Value,
) -> Map<String, Value> {
    let twins = tool.parameters.iter().filter(|p| {
        p.name != parameter.name && (p.or == Some(parameter.name) || parameter.or == Some(p.name))
    });
    for twin in twins {
        given.remove(twin.name);
    }
    given.insert(parameter.name.to_owned(), value.clone());
    given
}

/// The fewest arguments with which a tool sends something, and what that says. Some demand one of several.
async fn least(
    forge: (&Forge, &Scripted),
    tool: &'static Operation,
) -> (Map<String, Value>, BTreeMap<String, Value>) {
    let optional =
        tool.parameters.iter().filter(|p| !p.required && matches!(p.place, Place::Body | Place::File));
    for more in std::iter::once(None).chain(optional.map(Some)) {
        let mut given = required(tool);
        given.extend(more.map(|parameter| (parameter.name.to_owned(), sample(parameter))));
        if let Some(request) = asked(forge, tool, given.clone()).await {
            return (given, said(tool, &request));
        }
    }
    panic!("{} sends nothing", tool.name);
}

#[test]
fn every_argument_of_every_tool_reaches_the_wire_in_its_place_and_brings_nothing_else() {
    let (mut faults, mut seen) = (Vec::new(), 0);
    block_on(async {
        let scripted = Scripted::by(everything).await;
        let forge = (&forge(&scripted), &scripted);
        for tool in OPERATIONS.iter().filter(|tool| matches!(tool.run, Run::Call(_))) {
            let (base, bare) = least(forge, tool).await;
            for parameter in tool.parameters {
                if !matches!(parameter.place, Place::Path | Place::Query | Place::Body) {
                    continue;
                }
                // What is looked up first has its own tests (names.rs).
                if looked_up(&parameter.kind) {
                    continue;
                }
                seen += 1;
                let given = sample(parameter);
                let Some(request) = asked(forge, tool, with(base.clone(), tool, parameter, &given)).await
                else {
                    faults.push(format!("{} {}: nothing was sent", tool.name, parameter.name));
                    continue;
                };
                let said = said(tool, &request);
                let expected = expected(parameter, &given);
                for (at, value) in &expected {
                    if !said.get(at).is_some_and(|found| same(found, value)) {
                        faults.push(format!("{} {}: {at} {value} in {said:?}", tool.name, parameter.name));
                    }
                }
                let brought = said.iter().filter(|(at, value)| {
                    // A form has another boundary each time.
                    *at != "raw" && !expected.contains_key(*at) && bare.get(*at) != Some(value)
                });
                for (at, value) in brought {
                    faults.push(format!("{} {}: brings {at} {value}", tool.name, parameter.name));
                }
            }
        }
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(seen > 1700, "only {seen} arguments");
}

/// Values that say "nothing", "no" and "none": to a forge they are not the same as an absent one.
fn emptied(kind: &Kind) -> Option<Value> {
    match kind {
        Kind::Text => Some(json!("")),
        Kind::Boolean => Some(json!(false)),
        Kind::List(_) => Some(json!([])),
        Kind::Integer { min, .. } if *min <= 0 => Some(json!(0)),
        _ => None,
    }
}

#[test]
fn empty_values_of_every_body_are_sent_and_absent_ones_are_not() {
    let (mut faults, mut seen) = (BTreeSet::new(), 0);
    block_on(async {
        let scripted = Scripted::by(everything).await;
        let forge = forge(&scripted);
        for tool in OPERATIONS.iter().filter(|tool| matches!(tool.run, Run::Call(_))) {
            for parameter in tool.parameters.iter().filter(|p| p.place == Place::Body && !p.required) {
                let Some(empty) = emptied(&parameter.kind) else { continue };
                if parameter.codec != Codec::Plain {
                    continue;
                }
                let outcome =
                    run(&forge, tool, with(required(tool), tool, parameter, &empty), &limits()).await;
                let requests = scripted.take_requests();
                let own = requests.iter().rev().find(|request| is_own(tool, request));
                let Some(request) = own else {
                    faults.insert(format!("{} {} {empty}: {outcome:?}", tool.name, parameter.name));
                    continue;
                };
                seen += 1;
                let at = format!("body {}", parameter.wire);
                if said(tool, request).get(&at) != Some(&empty) {
                    let body = String::from_utf8_lossy(&request.body).into_owned();
                    faults.insert(format!("{} {} {empty}: {body}", tool.name, parameter.name));
                }
                // null is as good as not given.
                let given = with(required(tool), tool, parameter, &Value::Null);
                let _ = run(&forge, tool, given, &limits()).await;
                for request in scripted.take_requests() {
                    if tool.merge.is_none() && body_is_null(&request, parameter) {
                        faults.insert(format!("{} {}: null was sent", tool.name, parameter.name));
                    }
                }
            }
        }
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), Vec::from_iter(faults).join("\n"));
    assert!(seen > 300, "only {seen} arguments");
}

fn body_is_null(request: &Request, parameter: &Parameter) -> bool {
    let sent: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let pointer = format!("/{}", parameter.wire.replace('.', "/"));
    sent.pointer(&pointer).is_some_and(Value::is_null)
}

#[test]
fn no_tool_sends_anything_to_an_instance_that_is_too_old_but_the_one_that_tells_its_version() {
    let mut work = BTreeSet::new();
    let mut refused = 0;
    block_on(async {
        let scripted = Scripted::by(everything).await.releases([Answer::release("1.24.2")]);
        let forge = forge(&scripted);
        for tool in OPERATIONS {
            match run(&forge, tool, required(tool), &limits()).await {
                Ok(_) => drop(work.insert(tool.name)),
                // Some want more than what each call of theirs demands.
                Err(error) if error.code == Code::InvalidArguments => {}
                Err(error) => {
                    assert!(error.message.contains("1.24.2"), "{}: {error}", tool.name);
                    assert_eq!(error.code, Code::UnavailableHere, "{}", tool.name);
                    refused += 1;
                }
            }
            let other = scripted.take_requests().into_iter().find(|request| !request.is_version());
            assert!(other.is_none(), "{}: {other:?}", tool.name);
        }
    });
    assert_eq!(work, BTreeSet::from(["get_forgejo_mcp_server_version", "get_server_version"]));
    assert!(refused > OPERATIONS.len() - 30, "only {refused}");
}
