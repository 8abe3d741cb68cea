//! One tool: what it does, its calls, its arguments and its answer.

use crate::history::Span;
use crate::inventory::lock::{Count, listed};
use crate::inventory::tool::{Answer, Argument, Build, Codec, Kind, Place, Tool};

use super::words;

/// A tool's section; its heading is the tool's name, so that its anchor stays.
pub(super) fn block(build: &Build, tool: &Tool, count: Count<'_>) -> String {
    let mut out = format!("## `{}`\n\n", tool.name);
    out.push_str(&format!("**{}.** {}\n\n", words::plain(&tool.title), words::plain(&tool.about)));
    for fact in facts(build, tool, count) {
        out.push_str(&format!("- {fact}\n"));
    }
    if !tool.arguments.is_empty() {
        out.push('\n');
        arguments(&mut out, tool);
    }
    out
}

/// An argument that wants a confirmation, and when.
fn risky(tool: &Tool, name: &str) -> String {
    let kind = tool.arguments.iter().find(|a| a.name == name).map(|a| &a.kind);
    let none = if matches!(kind, Some(Kind::List(_))) { "no " } else { "" };
    format!("{none}{}", words::code(name))
}

fn facts(build: &Build, tool: &Tool, count: Count<'_>) -> Vec<String> {
    let mut facts: Vec<String> = tool
        .calls
        .iter()
        .map(|call| {
            let mut fact = format!("Call: `{} {}` ({}", call.method, call.path, call.operation);
            if let Some(when) = &call.when {
                let word = if when.given { "with" } else { "without" };
                let argument = argument_at(tool, when.place, &when.wire);
                fact.push_str(&format!(", {word} {}", words::code(argument)));
            }
            if call.span != Span::default() {
                fact.push_str(&format!(", {}", words::span(&call.span)));
            }
            fact + ")"
        })
        .collect();
    let confirm = match (tool.confirm, tool.confirm_when.as_slice()) {
        (true, _) => "; asks for a confirmation".to_owned(),
        (false, []) => String::new(),
        (false, given) => {
            let given: Vec<String> = given.iter().map(|name| risky(tool, name)).collect();
            format!("; asks for a confirmation with {}", given.join(", "))
        }
    };
    facts.push(format!("Effect: {}, {}{confirm}", tool.effect.word(), words::effect(tool.effect)));
    let scopes = tool.scopes();
    facts.push(match scopes.as_slice() {
        [] => "Scope: none".to_owned(),
        scopes => format!("Scope: {}", words::codes(scopes)),
    });
    let default = if tool.default { "on by default; " } else { "" };
    facts.push(format!("In a client's list: {default}{} tokens", words::thousands(count(&listed(tool)))));
    facts.push(format!("Answer: {}", answer(build, &tool.answer)));
    facts.extend(particulars(tool));
    facts
}

/// What few tools have: reads, secrets, older names, statuses and constants.
fn particulars(tool: &Tool) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(merge) = &tool.merge {
        let kept: Vec<&str> = merge.fields.iter().map(|(property, _)| property.as_str()).collect();
        let always = if merge.always { "; changes nothing where that finds nothing" } else { "" };
        facts.push(format!("Reads first, and keeps where it is not given: {}{always}", words::codes(&kept)));
    }
    if let Some(present) = &tool.present {
        facts.push(format!("A dry run tells what would change, from {}", words::code(&present.tool)));
    }
    if let Some(stale) = &tool.stale {
        let field = words::code(&stale.field);
        facts.push(format!(
            "Where it is refused, the {field} that is there now is told, unless it is the one that was given"
        ));
    }
    if tool.reveals {
        facts.push("Shows secrets: they are what it is for".to_owned());
    }
    for retired in &tool.retired {
        facts.push(format!(
            "Retired argument {}: {}",
            words::code(&retired.name),
            words::plain(&retired.advice)
        ));
    }
    for (status, meaning) in &tool.statuses {
        facts.push(format!("Status {status}: {}", words::plain(meaning)));
    }
    for (status, reason) in &tool.perhaps {
        facts.push(format!("Status {status} leaves open what was done; perhaps {}", words::plain(reason)));
    }
    for (place, wire, value) in &tool.constants {
        facts.push(format!("Always sent: `{}.{wire}` = `{value}`", place.word()));
    }
    facts
}

/// The name of the argument that goes to a place.
fn argument_at<'a>(tool: &'a Tool, place: Place, wire: &'a str) -> &'a str {
    let found = tool.arguments.iter().find(|argument| argument.place == place && argument.wire == wire);
    found.map_or(wire, |argument| &argument.name)
}

fn answer(build: &Build, answer: &Answer) -> String {
    let fields = |view: &Option<String>| {
        let shape = view.as_ref().and_then(|view| build.views.iter().find(|(name, _)| name == view));
        match shape {
            Some((_, shape)) => words::codes(shape.paths()),
            None => "all that the forge sends".to_owned(),
        }
    };
    match answer {
        Answer::Item(view) => format!("an object: {}", fields(view)),
        Answer::List { row, paging, .. } => {
            format!("a list, {}; each row: {}", paging.words(), fields(row))
        }
        Answer::Moved { view, word, .. } => {
            format!("an object: {}; or {} and its new place", fields(view), words::code(word))
        }
        Answer::Value(word) => format!("{}, the forge's own value", words::code(word)),
        Answer::Text => "text, as it is".to_owned(),
        Answer::Bytes => "bytes with their media type".to_owned(),
        Answer::Done(word, instead, note) => {
            let others: String = instead
                .iter()
                .map(|(status, other)| format!("; at {status} {}", words::code(other)))
                .collect();
            let note = note.as_ref().map_or_else(String::new, |note| format!("; noting that {note}"));
            format!("{} and the status{others}{note}", words::code(word))
        }
        Answer::YesNo { word, .. } => format!("{}, yes or no", words::code(word)),
    }
}

fn arguments(out: &mut String, tool: &Tool) {
    let has =
        |column: fn(&Argument) -> String| tool.arguments.iter().any(|argument| !column(argument).is_empty());
    let (also, since) = (has(aliases), has(|argument| words::span(&argument.span)));
    let mut head = vec!["argument", "type", "required", "what it is"];
    head.extend(also.then_some("also"));
    head.extend(since.then_some("Forgejo"));
    out.push_str(&format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len())));
    for argument in &tool.arguments {
        let mut row = vec![words::code(&argument.name), kind(argument), required(argument), about(argument)];
        row.extend(also.then(|| aliases(argument)));
        row.extend(since.then(|| words::span(&argument.span)));
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
}

fn aliases(argument: &Argument) -> String {
    words::codes(&argument.aliases)
}

fn kind(argument: &Argument) -> String {
    match (argument.place, argument.codec) {
        (Place::File, Codec::FromBase64) => "file, as base64".to_owned(),
        (Place::File, _) => "file, as text".to_owned(),
        (_, Codec::FromBase64 | Codec::CheckedBase64) => "base64".to_owned(),
        _ => words::kind(&argument.kind),
    }
}

fn required(argument: &Argument) -> String {
    match (&argument.or, argument.required) {
        (Some(other), _) => format!("this or {}", words::code(other)),
        (None, true) => "yes".to_owned(),
        (None, false) => String::new(),
    }
}

fn about(argument: &Argument) -> String {
    let mut about = words::cell(&argument.about);
    if let Some(default) = &argument.default {
        about.push_str(&format!(" Default: {}.", words::code(&default.to_string())));
    }
    if let Some(other) = &argument.default_from {
        about.push_str(&format!(" Default: that of {}.", words::code(other)));
    }
    if let Some(other) = &argument.demands {
        let at = argument.demands_at.as_ref().map_or_else(|| "true".to_owned(), |word| words::code(word));
        about.push_str(&format!(" Where {at}, {} is required.", words::code(other)));
    }
    if let Some(other) = &argument.excludes {
        let at = if argument.kind == Kind::Boolean { "Where true" } else { "Beside it" };
        about.push_str(&format!(" {at}, {} may not be given.", words::code(other)));
    }
    about
}
