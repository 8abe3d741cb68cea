//! The table's Rust text: one static `Operation` a tool, in the terms of `src/operations/descriptor.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heck::ToShoutySnakeCase;
use serde_json::Value as Json;

use crate::naming;

use super::applied::Applied;
use super::names::{NameList, Named};
use super::tool::{
    Answer, ApiCall, Argument, Build, Effect, Field, Inside, Kind, Lines, Mask, Merge, Names, Place, Present,
    Shape, Stale, Tool, When,
};

/// Rust text that `src/operations/table.rs` includes: `OPERATIONS`, sorted by name, and what
/// they share: views, and what is masked in each definition.
pub fn table(build: &Build) -> String {
    let mut out = String::from("// Made by build.rs from inventory.toml and the pinned document.\n\n");
    for (name, shape) in &build.views {
        let _ = writeln!(out, "static {}: Shape = {};", view(name), shape_text(shape));
    }
    for (name, mask) in masks(build) {
        let _ = writeln!(out, "static {}: super::descriptor::Mask = {};", mask_name(name), mask_text(mask));
    }
    for (name, fields) in &build.definitions {
        let (of, fields) = (definition_name(name), known_fields(fields));
        let _ =
            writeln!(out, "static {of}: Definition = Definition {{ name: {name:?}, fields: &{fields} }};");
    }
    for named in &build.names {
        let _ = writeln!(out, "{}", named_text(named));
    }
    let plain = build.tools.iter().filter(|tool| tool.composed.is_none());
    for tool in plain.filter(|tool| tool.calls.len() > 1 || !tool.constants.is_empty()) {
        function(&mut out, tool);
    }
    let (release, version) = (&build.release, build.contract_version);
    let _ = writeln!(out, "\n/// The Forgejo release that the tools were made for.");
    let _ = writeln!(out, "pub const RELEASE: &str = {release:?};");
    let _ = writeln!(out, "\n/// Rises when a tool or an argument is renamed or removed.");
    let _ = writeln!(out, "pub const CONTRACT_VERSION: i64 = {version};");
    let retired = build
        .retired
        .iter()
        .map(|r| format!("Retired {{ name: {:?}, by: {:?}, advice: {:?} }}", r.name, r.by, r.advice));
    let retired = retired.collect::<Vec<_>>().join(", ");
    let _ =
        writeln!(out, "\n/// Every tool that is no more.\npub static RETIRED: &[Retired] = &[{retired}];");
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
    let by_status = |rows: &[(u16, String)]| {
        rows.iter().map(|(status, text)| format!("({status}, {text:?})")).collect::<Vec<_>>().join(", ")
    };
    let parameters: Vec<String> = tool.arguments.iter().map(parameter).collect();
    let calls: Vec<String> = tool.calls.iter().map(api_call).collect();
    let retired: Vec<String> =
        tool.retired.iter().map(|retired| format!("({:?}, {:?})", retired.name, retired.advice)).collect();
    let run = match (&tool.composed, tool.calls.as_slice()) {
        (Some(function), _) => format!("Run::Composed(composed::{function})"),
        (None, [call]) if tool.constants.is_empty() => format!("Run::Call({})", untyped(&call.operation)),
        (None, _) => format!("Run::Call(call_{})", tool.name),
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
         default: {},\n        since: {:?},\n        until: {:?},\n        scopes: &{:?},\n        effect: Effect::{effect},\n        confirm: {},\n        confirm_when: &{:?},\n        \
         calls: &[{}],\n        merge: {},\n        present: {},\n        stale: {},\n        applied: &[{}],\n        input_schema: {:?},\n        output_schema: {:?},\n        parameters: &[{}],\n        \
         retired: &[{}],\n        answer: {},\n        mask: {},\n        definition: {},\n        lines: {},\n        statuses: &[{}],\n        perhaps: &[{}],\n        html: {},\n        \
         run: {run},\n    }},\n",
        tool.name,
        tool.title,
        tool.about,
        tool.toolset,
        tool.default,
        tool.span().since,
        tool.span().until,
        tool.scopes(),
        tool.confirm,
        tool.confirm_when,
        calls.join(", "),
        option(tool.merge.as_ref().map(|found| merge(&tool.name, found))),
        option(tool.present.as_ref().map(present)),
        option(tool.stale.as_ref().map(|found| stale(&tool.name, found))),
        tool.applied.iter().map(applied).collect::<Vec<_>>().join(", "),
        tool.schema.to_string(),
        tool.output.as_ref().map(Json::to_string),
        parameters.join(", "),
        retired.join(", "),
        answer(&tool.answer),
        mask(tool.mask.as_ref()),
        option(tool.definition.as_ref().map(|name| format!("&{}", definition_name(name)))),
        option(tool.lines.as_ref().map(lines)),
        by_status(&tool.statuses),
        by_status(&tool.perhaps),
        tool.html,
    );
}

fn api_call(call: &ApiCall) -> String {
    let (operation, method, path, scopes) = (&call.operation, &call.method, &call.path, &call.scopes);
    format!("ApiCall {{ operation: {operation:?}, method: {method:?}, path: {path:?}, scopes: &{scopes:?} }}")
}

fn option(inner: Option<String>) -> String {
    inner.map_or_else(|| "None".to_owned(), |inner| format!("Some({inner})"))
}

/// The read before a change, as an operation that no table lists.
fn merge(tool: &str, merge: &Merge) -> String {
    let (call, run) = (api_call(&merge.from), untyped(&merge.from.operation));
    format!(
        "super::descriptor::Merge {{ always: {}, from: &Operation {{ name: {tool:?}, calls: &[{call}], mask: {}, run: \
         Run::Call({run}), ..Operation::BARE }}, fields: &{:?}, words: &{:?} }}",
        merge.always,
        mask(merge.mask.as_ref()),
        merge.fields,
        merge.words,
    )
}

/// The read of a dry run, as an operation that no table lists.
fn present(present: &Present) -> String {
    let (call, run) = (api_call(&present.from), untyped(&present.from.operation));
    format!(
        "super::descriptor::Present {{ from: &Operation {{ name: {:?}, calls: &[{call}], answer: {}, mask: {}, run: \
         Run::Call({run}), ..Operation::BARE }}, chosen: &{:?}, compared: &[{}] }}",
        present.tool,
        answer(&present.answer),
        mask(present.mask.as_ref()),
        present.chosen,
        present.compared.iter().map(applied).collect::<Vec<_>>().join(", "),
    )
}

/// The read after a refusal, as an operation that no table lists.
fn stale(tool: &str, stale: &Stale) -> String {
    let (call, run) = (api_call(&stale.from), untyped(&stale.from.operation));
    format!(
        "super::descriptor::Stale {{ from: &Operation {{ name: {tool:?}, calls: &[{call}], run: Run::Call({run}), \
         ..Operation::BARE }}, field: {:?}, query: &{:?} }}",
        stale.field, stale.query,
    )
}

fn applied(applied: &Applied) -> String {
    let Applied { name, path, by } = applied;
    format!("Applied {{ name: {name:?}, path: {path:?}, by: Compare::{by:?} }}")
}

fn lines(lines: &Lines) -> String {
    match lines {
        Lines::Text => "super::descriptor::Lines::Text".to_owned(),
        Lines::Field(field) => format!("super::descriptor::Lines::Field({field:?})"),
    }
}

/// The masks of definitions that some tool needs, sorted by name.
fn masks(build: &Build) -> BTreeMap<&str, &Mask> {
    let answers = build.tools.iter().filter_map(|tool| tool.mask.as_ref());
    let reads = build.tools.iter().filter_map(|tool| tool.merge.as_ref()?.mask.as_ref());
    let presents = build.tools.iter().filter_map(|tool| tool.present.as_ref()?.mask.as_ref());
    let mut needed = BTreeMap::new();
    let mut rest: Vec<&Mask> = answers.chain(reads).chain(presents).collect();
    while let Some(mask) = rest.pop() {
        match mask {
            Mask::All | Mask::Address | Mask::Receiver => {}
            Mask::Fields(fields) => rest.extend(fields.iter().map(|(_, inner)| inner)),
            Mask::Definition(name) => {
                let found = build.masks.iter().find(|(known, _)| known == name);
                if let Some((name, mask)) = found.filter(|(name, _)| !needed.contains_key(name.as_str())) {
                    needed.insert(name.as_str(), mask);
                    rest.push(mask);
                }
            }
        }
    }
    needed
}

/// What is masked in an answer: a reference, since definitions may hold each other.
fn mask(mask: Option<&Mask>) -> String {
    option(mask.map(mask_reference))
}

fn mask_reference(mask: &Mask) -> String {
    match mask {
        Mask::Definition(name) => format!("&{}", mask_name(name)),
        other => format!("&{}", mask_text(other)),
    }
}

fn mask_text(mask: &Mask) -> String {
    match mask {
        Mask::All => "super::descriptor::Mask::All".to_owned(),
        Mask::Address => "super::descriptor::Mask::Address".to_owned(),
        Mask::Receiver => "super::descriptor::Mask::Receiver".to_owned(),
        Mask::Definition(name) => mask_name(name),
        Mask::Fields(fields) => {
            let field = |(name, inner): &(String, Mask)| format!("({name:?}, {})", mask_reference(inner));
            format!(
                "super::descriptor::Mask::Fields(&[{}])",
                fields.iter().map(field).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

fn mask_name(definition: &str) -> String {
    format!("MASK_{}", definition.to_shouty_snake_case())
}

/// The fields of an object, as a reference's target: definitions may hold each other.
fn known_fields(fields: &[(String, Inside)]) -> String {
    let known = |(name, inside): &(String, Inside)| format!("({name:?}, {})", inside_text(inside));
    format!("[{}]", fields.iter().map(known).collect::<Vec<_>>().join(", "))
}

fn inside_text(inside: &Inside) -> String {
    match inside {
        Inside::Plain => "Inside::Plain".to_owned(),
        Inside::Moment => "Inside::Moment".to_owned(),
        Inside::Anything => "Inside::Anything".to_owned(),
        Inside::Definition(name) => format!("Inside::Object(&{})", definition_name(name)),
        Inside::Fields(fields) => {
            format!("Inside::Object(&Definition {{ name: \"\", fields: &{} }})", known_fields(fields))
        }
    }
}

fn definition_name(definition: &str) -> String {
    format!("FIELDS_{}", definition.to_shouty_snake_case())
}

fn untyped(operation: &str) -> String {
    format!("forgehand_client::untyped::{}", naming::method(operation))
}

/// The function of a tool that sends constants or chooses among operations.
fn function(out: &mut String, tool: &Tool) {
    let name = &tool.name;
    let changes = |call: &ApiCall| call.when.as_ref().is_some_and(|when| !when.given);
    let changes = !tool.constants.is_empty() || tool.calls.iter().any(changes);
    let binding = if changes { "mut parameters" } else { "parameters" };
    let _ = writeln!(out, "\nfn call_{name}({binding}: Parameters) -> Result<Call<Raw>, BuildError> {{");
    for (place, wire, value) in &tool.constants {
        let _ = writeln!(out, "    {}", constant(*place, wire, value));
    }
    let mut first = "";
    for call in &tool.calls {
        match &call.when {
            None => first = &call.operation,
            Some(when) => {
                let (run, condition) = (untyped(&call.operation), condition(when));
                let _ = writeln!(out, "    if {condition} {{\n        return {run}(parameters);\n    }}");
            }
        }
    }
    let _ = writeln!(out, "    {}(parameters)\n}}", untyped(first));
}

/// Whether the parameter is given, or absent, as `src/operations/table.rs` tells it for each place.
fn condition(When { place, wire, given }: &When) -> String {
    match given {
        true => format!("given(&parameters, Place::{place:?}, {wire:?})"),
        false => format!("absent(&mut parameters, Place::{place:?}, {wire:?})"),
    }
}

fn constant(place: Place, wire: &str, value: &Json) -> String {
    let value = match value {
        Json::String(text) => format!("serde_json::Value::from({text:?})"),
        other => format!("serde_json::json!({other})"),
    };
    format!("always(&mut parameters, Place::{place:?}, {wire:?}, {value});")
}

fn parameter(a: &Argument) -> String {
    let default = a.default.as_ref().map(Json::to_string);
    format!(
        "Parameter {{ name: {:?}, aliases: &{:?}, place: Place::{:?}, wire: {:?}, kind: {}, required: {}, default: \
         {default:?}, default_from: {:?}, demands: {:?}, demands_at: {:?}, excludes: {:?}, when_false: {:?}, or: {:?}, empty: {:?}, codec: Codec::{:?}, secret: {} }}",
        a.name,
        a.aliases,
        a.place,
        a.wire,
        kind(&a.kind),
        a.required,
        a.default_from,
        a.demands,
        a.demands_at,
        a.excludes,
        a.when_false,
        a.or,
        a.empty,
        a.codec,
        mask(a.secret.as_ref()),
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
                let Field { name, wire, required, or, codec, .. } = f;
                format!(
                    "Field {{ name: {name:?}, wire: {wire:?}, kind: {}, required: {required}, or: {or:?}, codec: Codec::{codec:?} }}",
                    kind(&f.kind)
                )
            };
            format!("Kind::Object(&[{}])", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Kind::TextMap => "Kind::TextMap".to_owned(),
        Kind::Name(Names { of, by_name, checked, least }) => format!(
            "Kind::Name(Names {{ of: &{}, by_name: {by_name}, checked: {checked}, least: {least} }})",
            names_name(of)
        ),
        Kind::Json => "Kind::Json".to_owned(),
    }
}

/// What has names and ids.
fn named_text(named: &Named) -> String {
    let list = |list: &NameList| {
        let NameList { operation, path, query, paged, optional } = list;
        format!(
            "NameList {{ build: {}, path: &{path:?}, query: &{query:?}, paged: {paged}, optional: {optional} }}",
            untyped(operation)
        )
    };
    let Named { name, word, by, within, address, mixed, digits, lists } = named;
    let lists: Vec<String> = lists.iter().map(list).collect();
    format!(
        "static {}: Named = Named {{ name: {name:?}, word: {word:?}, by: &{by:?}, within: {within:?}, address: {address}, mixed: {mixed}, \
         digits: {digits}, \
         lists: &[{}] }};",
        names_name(name),
        lists.join(", ")
    )
}

fn names_name(name: &str) -> String {
    format!("NAMES_{}", name.to_shouty_snake_case())
}

fn answer(answer: &Answer) -> String {
    let shape = |name: &Option<String>| match name {
        Some(name) => format!("&{}", view(name)),
        None => "&Shape::Whole".to_owned(),
    };
    match answer {
        Answer::Item(name) => format!("Answer::Item({})", shape(name)),
        Answer::List { row, items, total, or_one, paging } => format!(
            "Answer::List(List {{ row: {}, items: {items:?}, total: {total:?}, or_one: {or_one}, paging: \
             Paging::{paging:?} }})",
            shape(row)
        ),
        Answer::Moved { view, word, to } => {
            format!("Answer::Moved {{ shape: {}, word: {word:?}, to: {to:?} }}", shape(view))
        }
        Answer::Value(word) => format!("Answer::Value {{ word: {word:?} }}"),
        Answer::Text => "Answer::Text".to_owned(),
        Answer::Bytes => "Answer::Bytes".to_owned(),
        Answer::Done(word, instead, note) => {
            format!("Answer::Done {{ word: {word:?}, instead: &{instead:?}, note: {note:?} }}")
        }
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
        Shape::Decoded(name) => format!("Shape::Decoded({name:?})"),
        Shape::Moment => "Shape::Moment".to_owned(),
        Shape::Inline(field, inner) => format!("Shape::Inline({field:?}, &{})", shape_text(inner)),
        Shape::Fields(fields) => {
            let shown = |(name, shape): &(String, Shape)| {
                format!("Shown {{ name: {name:?}, shape: &{} }}", shape_text(shape))
            };
            format!("Shape::Fields(&[{}])", fields.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
    }
}
