//! The table's Rust text: one static `Operation` a tool, in the terms of `src/operations/descriptor.rs`.

use std::fmt::Write as _;

use heck::ToShoutySnakeCase;
use serde_json::Value as Json;

use crate::naming;

use super::tool::{Answer, Argument, Build, Codec, Effect, Field, Kind, Place, Shape, Tool};

/// Rust text that `src/operations/table.rs` includes: `OPERATIONS`, sorted by name, and the views it shares.
pub fn table(build: &Build) -> String {
    let mut out = String::from("// Made by build.rs from inventory.toml and the pinned document.\n\n");
    for (name, shape) in &build.views {
        let _ = writeln!(out, "static {}: Shape = {};", view(name), shape_text(shape));
    }
    for tool in build.tools.iter().filter(|tool| tool.calls.len() > 1 || !tool.constants.is_empty()) {
        function(&mut out, tool);
    }
    let count = build.tools.len();
    let _ = writeln!(out, "\n/// Every operation of this build, sorted by name.");
    let _ = writeln!(out, "pub static OPERATIONS: &[Operation; {count}] = &[");
    for tool in &build.tools {
        operation(&mut out, tool);
    }
    out.push_str("];\n");
    out
}

fn operation(out: &mut String, tool: &Tool) {
    let statuses: Vec<String> =
        tool.statuses.iter().map(|(status, text)| format!("({status}, {text:?})")).collect();
    let parameters: Vec<String> = tool.arguments.iter().map(parameter).collect();
    let calls: Vec<String> = tool
        .calls
        .iter()
        .map(|call| {
            let (operation, method, path, scopes) = (&call.operation, &call.method, &call.path, &call.scopes);
            format!("ApiCall {{ operation: {operation:?}, method: {method:?}, path: {path:?}, scopes: &{scopes:?} }}")
        })
        .collect();
    let run = match tool.calls.as_slice() {
        [call] if tool.constants.is_empty() => untyped(&call.operation),
        _ => format!("call_{}", tool.name),
    };
    let effect = match tool.effect {
        Effect::Read => "Read",
        Effect::Add => "Add",
        Effect::Set => "Set",
        Effect::Change => "Change",
        Effect::Destroy => "Destroy",
    };
    let _ = write!(
        out,
        "    Operation {{\n        name: {:?},\n        title: {:?},\n        about: {:?},\n        toolset: {:?},\n        \
         default: {},\n        since: {:?},\n        until: {:?},\n        scopes: &{:?},\n        effect: Effect::{effect},\n        confirm: {},\n        calls: &[{}],\n        \
         input_schema: {:?},\n        parameters: &[{}],\n        answer: {},\n        statuses: &[{}],\n        \
         run: Run::Call({run}),\n    }},\n",
        tool.name,
        tool.title,
        tool.about,
        tool.toolset,
        tool.default,
        tool.span().since,
        tool.span().until,
        tool.scopes(),
        tool.confirm,
        calls.join(", "),
        tool.schema.to_string(),
        parameters.join(", "),
        answer(&tool.answer),
        statuses.join(", "),
    );
}

fn untyped(operation: &str) -> String {
    format!("forgehand_client::untyped::{}", naming::method(operation))
}

/// The function of a tool that sends constants or chooses among operations.
fn function(out: &mut String, tool: &Tool) {
    let name = &tool.name;
    let signature = "(mut parameters: Parameters) -> Result<Call<Raw>, BuildError>";
    let _ = writeln!(out, "\nfn call_{name}{signature} {{");
    for (place, wire, value) in &tool.constants {
        let _ = writeln!(out, "    {}", constant(*place, wire, value));
    }
    let mut first = "";
    for call in &tool.calls {
        match &call.without {
            None => first = &call.operation,
            Some((place, wire)) => {
                let _ = writeln!(
                    out,
                    "    if absent(&mut parameters, Place::{place:?}, {wire:?}) {{\n        return {}(parameters);\n    }}",
                    untyped(&call.operation)
                );
            }
        }
    }
    let _ = writeln!(out, "    {}(parameters)\n}}", untyped(first));
}

fn constant(place: Place, wire: &str, value: &Json) -> String {
    let value = match value {
        Json::String(text) => format!("serde_json::Value::from({text:?})"),
        other => format!("serde_json::json!({other})"),
    };
    format!("always(&mut parameters, Place::{place:?}, {wire:?}, {value});")
}

fn parameter(a: &Argument) -> String {
    let codec = match a.codec {
        Codec::Plain => "Plain",
        Codec::Comma => "Comma",
        Codec::Base64 => "Base64",
        Codec::FromBase64 => "FromBase64",
        Codec::CheckedBase64 => "CheckedBase64",
    };
    let default = a.default.as_ref().map(Json::to_string);
    format!(
        "Parameter {{ name: {:?}, aliases: &{:?}, place: Place::{:?}, wire: {:?}, kind: {}, required: {}, default: \
         {default:?}, default_from: {:?}, or: {:?}, codec: Codec::{codec} }}",
        a.name,
        a.aliases,
        a.place,
        a.wire,
        kind(&a.kind),
        a.required,
        a.default_from,
        a.or,
    )
}

fn kind(kind_: &Kind) -> String {
    let integer = |min: Option<i64>, max: Option<i64>| {
        let bound = |number: Option<i64>, word: &str| {
            number.map_or_else(|| format!("i64::{word}"), |n| n.to_string())
        };
        format!("Kind::Integer {{ min: {}, max: {} }}", bound(min, "MIN"), bound(max, "MAX"))
    };
    match kind_ {
        Kind::Text => "Kind::Text".to_owned(),
        Kind::Enum(values) => format!("Kind::Enum(&{values:?})"),
        Kind::Integer { min, max } => integer(*min, *max),
        Kind::Id => integer(Some(1), None),
        Kind::Boolean => "Kind::Boolean".to_owned(),
        Kind::DateTime => "Kind::DateTime".to_owned(),
        Kind::Date => "Kind::Date".to_owned(),
        Kind::List(item) => format!("Kind::List(&{})", kind(item)),
        Kind::Object(fields) => {
            let field = |f: &Field| {
                format!("Field {{ name: {:?}, kind: {}, required: {} }}", f.name, kind(&f.kind), f.required)
            };
            format!("Kind::Object(&[{}])", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Kind::TextMap => "Kind::TextMap".to_owned(),
        Kind::Json => "Kind::Json".to_owned(),
    }
}

fn answer(answer: &Answer) -> String {
    let shape = |name: &Option<String>| match name {
        Some(name) => format!("&{}", view(name)),
        None => "&Shape::Whole".to_owned(),
    };
    match answer {
        Answer::Item(name) => format!("Answer::Item({})", shape(name)),
        Answer::List { row, items, total, or_one, by_forge } => format!(
            "Answer::List(List {{ row: {}, items: {items:?}, total: {total:?}, or_one: {or_one}, paging: Paging::{} }})",
            shape(row),
            if *by_forge { "Forge" } else { "Here" }
        ),
        Answer::Text => "Answer::Text".to_owned(),
        Answer::Bytes => "Answer::Bytes".to_owned(),
        Answer::Done(word, instead) => format!("Answer::Done {{ word: {word:?}, instead: &{instead:?} }}"),
        Answer::YesNo { word, yes, no } => {
            format!("Answer::YesNo {{ word: {word:?}, yes: &{yes:?}, no: &{no:?} }}")
        }
    }
}

fn view(name: &str) -> String {
    format!("VIEW_{}", name.to_shouty_snake_case())
}

fn shape_text(shape: &Shape) -> String {
    match shape {
        Shape::Whole => "Shape::Whole".to_owned(),
        Shape::Inline(field, inner) => format!("Shape::Inline({field:?}, &{})", shape_text(inner)),
        Shape::Fields(fields) => {
            let shown = |(name, shape): &(String, Shape)| {
                format!("Shown {{ name: {name:?}, shape: &{} }}", shape_text(shape))
            };
            format!("Shape::Fields(&[{}])", fields.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
    }
}
