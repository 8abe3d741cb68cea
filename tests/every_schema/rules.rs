//! Where the arguments' engine and a listed schema differ, and nowhere else: what is taken although the schema does not say
//! it ([`meaning`], with the names of [`TAKEN`]), and what is refused although the schema allows it ([`refused`], [`REFUSED`]
//! for one value; [`together`], [`TOGETHER`] for arguments among each other).

use forgehand::operations::descriptor::{Codec, Field, Kind, Names, Parameter, Place};
use forgehand::operations::{Effect, Operation};
use serde_json::{Map, Value, json};

use super::values::{DAYS, LENGTHS, MOMENTS, SHAS, UNIFIED};
use super::wire::{ROWS, decoded, is_named, names_of};

/// What is taken for what it means.
pub(crate) const TAKEN: [&str; 12] = [
    "null for an argument that may be absent",
    "null for a field that may be absent",
    "a whole number as text",
    "true or false as text",
    "a list as JSON text",
    "a list with commas",
    "a number for a list of numbers",
    "an object as JSON text",
    "a number for a name: the id",
    DIGITS,
    "a day for a moment: its beginning",
    "seconds as a number for a length of time",
];

/// A text that the schema allows, and that means something else than itself.
pub(crate) const DIGITS: &str = "digits for a name: the id";

/// What is refused of a value that the schema allows.
pub(crate) const REFUSED: [&str; 17] = [
    "an id is 1 or more",
    "a whole number has 64 bits, and 53 with a decimal point",
    "a day exists",
    "a moment exists",
    "a name is not blank",
    "a name is known",
    "a path has no empty and no dot segment, and one line",
    "base64",
    "a length of time",
    "a media type",
    "an item of a list with commas holds no comma",
    "an item of a list with commas is not empty",
    "a list that no request holds is not empty",
    "a patch is a unified diff",
    "a filter is not empty",
    "a sha is whole",
    "a file that is sent has the name of one",
];

/// What is refused of arguments that are allowed one by one.
pub(crate) const TOGETHER: [&str; 9] = [
    "one of two forms, not both",
    "one of two forms that is required",
    "a change has something to change",
    "what another argument demands",
    "lines end behind their start",
    "a media type has its file",
    "a form has a part",
    "what another argument excludes",
    "a key of a map has one value",
];

/// What a value means to a kind, with the names of what was taken on the way; none where it means nothing.
pub(crate) struct Meaning {
    pub(crate) value: Option<Value>,
    pub(crate) taken: Vec<&'static str>,
}

/// What a value means as an argument. Absent is `Value::Null`.
pub(crate) fn meaning(parameter: &Parameter, value: &Value) -> Meaning {
    let mut taken = Vec::new();
    if value.is_null() {
        let value = (!parameter.required).then_some(Value::Null);
        return Meaning { value, taken: vec![TAKEN[0]] };
    }
    if let (Codec::Duration, Value::Number(number)) = (parameter.codec, value) {
        let value = number.as_i64().filter(|seconds| *seconds >= 0).map(|seconds| json!(seconds.to_string()));
        return Meaning { value, taken: vec![TAKEN[11]] };
    }
    let value = means(&parameter.kind, value, false, &mut taken);
    Meaning { value, taken }
}

fn means(kind: &Kind, value: &Value, in_list: bool, taken: &mut Vec<&'static str>) -> Option<Value> {
    match (kind, value) {
        (Kind::Json, _) | (Kind::Text, Value::String(_)) => Some(value.clone()),
        (Kind::Enum(words), Value::String(text)) => words.contains(&text.as_str()).then(|| value.clone()),
        (Kind::Boolean, Value::Bool(_)) => Some(value.clone()),
        (Kind::Boolean, Value::String(text)) => {
            let word: bool = text.trim().parse().ok()?;
            taken.push(TAKEN[3]);
            Some(json!(word))
        }
        (Kind::Integer { min, max }, _) => {
            whole(value, in_list, taken).filter(|n| (min..=max).contains(&n)).map(Value::from)
        }
        (Kind::DateTime, Value::String(text)) => {
            let (_, sent) = MOMENTS.iter().find(|(known, _)| known == text)?;
            if text.len() == 10 && sent.is_some() {
                taken.push(TAKEN[10]);
            }
            sent.map(Value::from)
        }
        (Kind::Date, Value::String(text)) => DAYS.contains(&(text.as_str(), true)).then(|| value.clone()),
        (Kind::Name(names), _) => name(names, value, in_list, taken),
        (Kind::List(item), _) => list(item, value, taken),
        (Kind::Object(fields), _) => object(fields, &unfolded(value, taken)?, taken),
        (Kind::TextMap, _) => {
            let map = unfolded(value, taken)?;
            map.values().all(Value::is_string).then_some(Value::Object(map))
        }
        _ => None,
    }
}

fn whole(value: &Value, in_list: bool, taken: &mut Vec<&'static str>) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float =
                number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= 2f64.powi(53))?;
            Some(float as i64)
        }),
        Value::String(text) if !in_list => {
            let number = text.trim().parse().ok()?;
            taken.push(TAKEN[2]);
            Some(number)
        }
        _ => None,
    }
}

fn name(names: &Names, value: &Value, in_list: bool, taken: &mut Vec<&'static str>) -> Option<Value> {
    match value {
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) if !in_list && text.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
            taken.push(DIGITS);
            text.trim().parse().ok().filter(|id: &i64| *id >= names.least).map(Value::from)
        }
        Value::String(_) => Some(value.clone()),
        Value::Number(_) => {
            taken.push(TAKEN[8]);
            whole(value, true, taken).filter(|id| *id >= names.least).map(Value::from)
        }
        _ => None,
    }
}

fn list(item: &Kind, value: &Value, taken: &mut Vec<&'static str>) -> Option<Value> {
    let numbers = matches!(item, Kind::Integer { .. } | Kind::Name(_) | Kind::Json);
    let plain = numbers || matches!(item, Kind::Text | Kind::Enum(_));
    let (items, in_list) = match value {
        Value::Array(items) => (items.clone(), true),
        Value::String(text) if text.trim_start().starts_with('[') => {
            taken.push(TAKEN[4]);
            (serde_json::from_str(text).ok()?, true)
        }
        Value::String(text) if plain => {
            taken.push(TAKEN[5]);
            let items: Vec<&str> = text.split(',').map(str::trim).collect();
            (
                items
                    .iter()
                    .all(|item| !item.is_empty())
                    .then(|| items.into_iter().map(Value::from).collect())?,
                false,
            )
        }
        Value::Number(_) if numbers => {
            taken.push(TAKEN[6]);
            (vec![value.clone()], false)
        }
        _ => return None,
    };
    items
        .iter()
        .map(|value| means(item, value, in_list, taken))
        .collect::<Option<Vec<Value>>>()
        .map(Value::Array)
}

fn unfolded(value: &Value, taken: &mut Vec<&'static str>) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) => Some(fields.clone()),
        Value::String(text) if text.trim_start().starts_with('{') => {
            taken.push(TAKEN[7]);
            serde_json::from_str(text).ok()
        }
        _ => None,
    }
}

fn object(fields: &[Field], given: &Map<String, Value>, taken: &mut Vec<&'static str>) -> Option<Value> {
    let mut out = Map::new();
    for (name, value) in given {
        let field = fields.iter().find(|field| field.name == name)?;
        if value.is_null() {
            taken.push(TAKEN[1]);
        } else {
            out.insert(name.clone(), means(&field.kind, value, false, taken)?);
        }
    }
    let both =
        |field: &Field| out.contains_key(field.name) && field.or.is_some_and(|or| out.contains_key(or));
    if fields.iter().any(both) {
        return None;
    }
    let all = fields.iter().all(|field| !field.required || out.contains_key(field.name));
    all.then_some(Value::Object(out))
}

/// By which rule a value is refused, where it is: of its kind, of its place on the wire, or of its codec.
pub(crate) fn refused(tool: &Operation, parameter: &Parameter, value: &Value) -> Option<&'static str> {
    if parameter.place == Place::Local && value == &json!([]) {
        return Some(REFUSED[12]);
    }
    if is_filter(tool, parameter) && is_nothing(value) {
        return Some(REFUSED[14]);
    }
    if (parameter.place, parameter.name) == (Place::Local, "patch") && value.is_string() && value != UNIFIED {
        return Some(REFUSED[13]);
    }
    let names_file = parameter.name == "filename" && tool.parameters.iter().any(|p| p.place == Place::File);
    if names_file && value.as_str().is_some_and(|name| !is_file_name(name)) {
        return Some(REFUSED[16]);
    }
    match parameter.codec {
        Codec::FromBase64 | Codec::CheckedBase64 if value.is_string() && decoded(value).is_none() => {
            return Some(REFUSED[7]);
        }
        Codec::Duration
            if value.is_string()
                && !LENGTHS.iter().any(|(text, _)| value == text)
                && length(value).is_none() =>
        {
            return Some(REFUSED[8]);
        }
        Codec::Sha if value.is_string() && !SHAS.iter().any(|sha| value == sha) => return Some(REFUSED[15]),
        _ if parameter.place == Place::FileType && value.is_string() && !is_media_type(value) => {
            return Some(REFUSED[9]);
        }
        _ => {}
    }
    leaf(tool, parameter, &parameter.kind, value)
}

fn leaf(tool: &Operation, parameter: &Parameter, kind: &Kind, value: &Value) -> Option<&'static str> {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            let joined = |value: &Value| {
                let text = value.as_str()?;
                let as_id = matches!(&**item, Kind::Name(names) if names.of.mixed);
                match parameter.codec {
                    Codec::Comma if text.contains(',') && !as_id => Some(REFUSED[10]),
                    Codec::Comma if text.trim().is_empty() => Some(REFUSED[11]),
                    _ => None,
                }
            };
            items.iter().find_map(|value| leaf(tool, parameter, item, value).or_else(|| joined(value)))
        }
        (Kind::Object(fields), Value::Object(given)) => given.iter().find_map(|(name, value)| {
            let field = fields.iter().find(|field| field.name == name)?;
            match field.codec {
                Codec::CheckedBase64 if decoded(value).is_none() => Some(REFUSED[7]),
                _ => leaf(tool, parameter, &field.kind, value),
            }
        }),
        (Kind::Integer { min, .. }, Value::Number(number)) => match number.as_i64() {
            Some(number) if *min == 1 && number < 1 => Some(REFUSED[0]),
            None if whole(value, true, &mut Vec::new()).is_none()
                && number.as_f64().unwrap().fract() == 0.0 =>
            {
                Some(REFUSED[1])
            }
            _ => None,
        },
        (Kind::Date, Value::String(text)) if !DAYS.contains(&(text, true)) => Some(REFUSED[2]),
        (Kind::DateTime, Value::String(text)) => {
            let known = MOMENTS.iter().any(|(known, sent)| known == text && sent.is_some());
            let sent = MOMENTS.iter().any(|(_, sent)| *sent == Some(text));
            (!known && !sent).then_some(REFUSED[3])
        }
        (Kind::Name(_), Value::String(text)) if text.trim().is_empty() => Some(REFUSED[4]),
        (Kind::Name(names), _) => {
            let known = if let Some(name) = value.as_str() {
                is_named(names, name)
            } else {
                !names.checked || ROWS.contains(&value.as_i64().unwrap_or(0))
            };
            (!known && value != 0).then_some(REFUSED[5])
        }
        (_, Value::String(text)) if parameter.place == Place::Path && !is_path(tool, parameter, text) => {
            Some(REFUSED[6])
        }
        _ => None,
    }
}

/// Whether a text names one file, in no folder.
fn is_file_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..")
        && name.len() <= 255
        && !name.contains('/')
        && !name.contains(char::is_control)
}

/// Whether a text may stand in a path.
fn is_path(tool: &Operation, parameter: &Parameter, text: &str) -> bool {
    let slashes = match parameter.wire {
        // An editorconfig's path is one segment.
        "filepath" => tool.calls.iter().all(|call| call.operation != "repoGetEditorConfig"),
        "ref" => tool.calls.iter().any(|call| call.operation == "repoListGitRefs"),
        "head" => tool.calls.iter().any(|call| call.operation == "repoGetPullRequestByBaseHead"),
        _ => false,
    };
    let is_dot = text.split(['/', '\\']).any(|part| matches!(part, "." | ".."));
    let is_empty = text.is_empty() || (slashes && text.split('/').any(str::is_empty));
    is_root(tool, parameter, text) || !(is_dot || is_empty || text.contains(['\0', '\r', '\n']))
}

/// Whether a path is the repository's root, to a tool that has another operation for it.
pub(crate) fn is_root(tool: &Operation, parameter: &Parameter, text: &str) -> bool {
    parameter.wire == "filepath"
        && tool.calls.iter().any(|call| !call.path.contains("{filepath}"))
        && ["", ".", "/"].contains(&text)
}

/// The seconds of a length that is a plain number.
pub(crate) fn length(value: &Value) -> Option<i64> {
    value.as_str()?.trim().parse().ok().filter(|seconds: &i64| *seconds >= 0)
}

/// Whether a text is a type and a subtype; none of the values has more behind it.
fn is_media_type(value: &Value) -> bool {
    let is_mark = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let parts = value.as_str().and_then(|text| text.split_once('/'));
    parts
        .is_some_and(|(kind, of)| [kind, of].iter().all(|part| !part.is_empty() && part.bytes().all(is_mark)))
}

/// Whether a text is read as a reference to a repository, which may say more than one argument. References have tests of
/// their own. An address is a name of what is known by its address.
pub(crate) fn is_reference(parameter: &Parameter, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    let is_repo = parameter.name.strip_suffix("repo").is_some_and(|p| p.is_empty() || p.ends_with('_'));
    let is_name = names_of(&parameter.kind).is_some_and(|names| names.of.address);
    let is_clone = text.split_once(':').is_some_and(|(start, _)| start.contains('@'));
    (is_repo && (text.contains('/') || is_clone)) || (text.contains("://") && !is_name)
}

/// By which rule arguments are refused that are allowed one by one; they are those as which the values are meant.
pub(crate) fn together(tool: &Operation, given: &Map<String, Value>) -> Option<&'static str> {
    let has = |name: &str| given.get(name).is_some_and(|value| !value.is_null());
    for (first, other) in tool.parameters.iter().filter_map(|p| Some((p, p.or?))) {
        match (has(first.name), has(other)) {
            (true, true) => return Some(TOGETHER[0]),
            (false, false) if first.required => return Some(TOGETHER[1]),
            _ => {}
        }
    }
    let body = || tool.parameters.iter().filter(|p| p.place == Place::Body);
    let lists = body().all(|p| matches!(p.kind, Kind::List(_)));
    let changes = tool.calls.first().is_some_and(|call| match call.method {
        "POST" => lists,
        method => matches!(method, "PATCH" | "DELETE"),
    });
    if changes && body().next().is_some() && !body().any(|p| has(p.name)) {
        return Some(TOGETHER[2]);
    }
    if unmet(tool, given).is_some() {
        return Some(TOGETHER[3]);
    }
    if excluding(tool, given).is_some() {
        return Some(TOGETHER[7]);
    }
    if divided(tool, given).is_some() {
        return Some(TOGETHER[8]);
    }
    if let (Some(start), Some(end)) = (line(given, "start_line"), line(given, "end_line"))
        && end < start
    {
        return Some(TOGETHER[4]);
    }
    let at = |place: Place| tool.parameters.iter().filter(move |p| p.place == place);
    if at(Place::FileType).any(|p| has(p.name)) && !at(Place::File).any(|p| has(p.name)) {
        return Some(TOGETHER[5]);
    }
    let mut parts = at(Place::File).chain(at(Place::Form)).peekable();
    (parts.peek().is_some() && !parts.any(|p| has(p.name))).then_some(TOGETHER[6])
}

/// The argument that a given one demands, and that is not there or says nothing.
pub(crate) fn unmet(tool: &Operation, given: &Map<String, Value>) -> Option<&'static str> {
    let demands = |p: &Parameter| given.get(p.name) == Some(&p.demands_at.map_or(json!(true), Value::from));
    let demanded = tool.parameters.iter().filter(|p| demands(p)).filter_map(|p| p.demands);
    let is_there = |name: &str| given.get(name).is_some_and(|value| !value.is_null() && !is_nothing(value));
    demanded.into_iter().find(|name| !is_there(name))
}

/// An argument beside one that it excludes, or beside another form of that; a boolean excludes where it is true.
pub(crate) fn excluding(
    tool: &Operation,
    given: &Map<String, Value>,
) -> Option<(&'static str, &'static str)> {
    let has = |name: &str| given.get(name).is_some_and(|value| !value.is_null());
    let excludes = |p: &&Parameter| {
        has(p.name) && given.get(p.name).is_some_and(|value| *value != json!(false) && !is_nothing(value))
    };
    tool.parameters.iter().filter(excludes).find_map(|p| {
        let excluded = tool.parameters.iter().find(|other| Some(other.name) == p.excludes)?;
        let is_form = |other: &&Parameter| (other.place, other.wire) == (excluded.place, excluded.wire);
        Some((p.name, tool.parameters.iter().filter(is_form).find(|other| has(other.name))?.name))
    })
}

/// An argument that is a key of a given map as well, with another value there.
pub(crate) fn divided(tool: &Operation, given: &Map<String, Value>) -> Option<(&'static str, Value)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    keys(tool).find_map(|(map, own, key)| {
        let (entry, value) = (given.get(map.name)?.get(key)?, given.get(own.name)?);
        (!value.is_null() && text(entry) != text(value)).then(|| (own.name, entry.clone()))
    })
}

/// Maps, each with an argument that is one of its keys.
pub(crate) fn keys(
    tool: &Operation,
) -> impl Iterator<Item = (&'static Parameter, &'static Parameter, &'static str)> {
    let maps = tool.parameters.iter().filter(|p| matches!(p.kind, Kind::TextMap));
    maps.flat_map(|map| {
        let key = move |own: &'static Parameter| own.wire.strip_prefix(map.wire)?.strip_prefix('.');
        tool.parameters.iter().filter_map(move |own| Some((map, own, key(own)?)))
    })
}

/// Whether an argument chooses among rows; some empty ones say something.
fn is_filter(tool: &Operation, parameter: &Parameter) -> bool {
    let is_read = tool.effect == Effect::Read || matches!(parameter.kind, Kind::List(_));
    parameter.place == Place::Query && is_read && !parameter.empty
}

fn is_nothing(value: &Value) -> bool {
    *value == json!([]) || value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn line(given: &Map<String, Value>, name: &str) -> Option<i64> {
    if name == "start_line" && given.contains_key("end_line") && !given.contains_key(name) {
        return Some(1);
    }
    given.get(name)?.as_i64()
}
