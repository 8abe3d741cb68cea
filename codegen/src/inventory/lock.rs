//! `inventory.lock`: what the build exposes, one block a tool, one fact a line, so that a reviewer reads a short diff.
//!
//! `cargo codegen lock` writes it with token counts. The build compares the facts alone, so that no tokenizer is in a
//! build script.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;

use crate::history::Span;

use super::applied::Applied;
use super::names::{NameList, Named};
use super::resolve::kinds::words;
use super::tool::{Answer, ApiCall, Argument, Build, Lines, Mask, Merge, Present, Stale, Tool};

/// Counts the tokens of a text.
pub type Count<'a> = &'a dyn Fn(&str) -> usize;

/// The lock's text; with a counter, each tool has its tokens and the head their sums.
pub fn render(build: &Build, count: Option<Count<'_>>) -> String {
    let mut out = String::new();
    head(&mut out, build, count);
    for (name, shape) in &build.views {
        let _ = writeln!(out, "\nview {name}");
        for path in shape.paths() {
            let _ = writeln!(out, "  shows {path}");
        }
    }
    for tool in &build.tools {
        block(&mut out, tool, count);
    }
    out
}

fn head(out: &mut String, build: &Build, count: Option<Count<'_>>) {
    let _ = writeln!(
        out,
        "# What this build exposes. Made by `cargo codegen lock` from inventory.toml; not to be edited.\n"
    );
    let d = &build.dispositions;
    let (merged, excluded, unavailable) = (d.merged.len(), d.excluded.len(), d.unavailable.len());
    let all = d.tool + merged + excluded + unavailable;
    let default = build.tools.iter().filter(|tool| tool.default).count();
    let _ = writeln!(out, "totals");
    let _ = writeln!(out, "  contract version {}", build.contract_version);
    let _ = writeln!(out, "  document openapi/forgejo-{}.json {}", build.release, build.digest);
    let _ = writeln!(
        out,
        "  operations {all}: tool {}, merged {merged}, excluded {excluded}, unavailable {unavailable}",
        d.tool
    );
    let _ = writeln!(out, "  tools {}, default {default}", build.tools.len());
    if let Some(count) = count {
        let sum = |only: bool| -> usize {
            build.tools.iter().filter(|tool| tool.default || !only).map(|tool| count(&listed(tool))).sum()
        };
        let _ = writeln!(out, "  tokens {} default, {} all", sum(true), sum(false));
        let output = |tool: &&Tool| tool.output.as_ref().map_or(0, |schema| count(&added(schema)));
        let all: usize = build.tools.iter().map(|tool| output(&tool)).sum();
        let default: usize = build.tools.iter().filter(|tool| tool.default).map(|tool| output(&tool)).sum();
        let _ = writeln!(out, "  tokens of output schemas besides {default} default, {all} all");
    }
    if !build.names.is_empty() {
        let _ = writeln!(out, "\nnames");
    }
    for named in &build.names {
        let _ = writeln!(out, "  {}", names(named));
    }
    let tables = [("merged", &d.merged), ("excluded", &d.excluded), ("unavailable", &d.unavailable)];
    let retired = build.retired.iter().map(|r| (r.name.clone(), r.advice.clone())).collect();
    let others = [("any JSON", &build.any_json), ("secrets", &build.secrets), ("retired", &retired)];
    for (title, rows) in tables.into_iter().chain(others) {
        if !rows.is_empty() {
            let _ = writeln!(out, "\n{title}");
        }
        for (name, why) in rows {
            let _ = writeln!(out, "  {name}: {}", one_line(why));
        }
    }
}

/// `team: orgListTeams by name within org`.
fn names(named: &Named) -> String {
    let list = |list: &NameList| {
        let path: String = list
            .path
            .iter()
            .filter(|(name, from)| name != from)
            .map(|(name, from)| format!(" {name}={from}"))
            .collect();
        let query: String = list.query.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let optional = if list.optional { " where there is one" } else { "" };
        format!("{}{path}{query}{optional}", list.operation)
    };
    let lists: Vec<String> = named.lists.iter().map(list).collect();
    let mut fact = format!("{}: {} by {}", named.name, lists.join(" and "), named.by.join(" or "));
    for (is_set, word) in [
        (named.address, ", an address"),
        (named.mixed, ", ids in lists of names"),
        (named.digits, ", which may be digits"),
    ] {
        if is_set {
            fact.push_str(word);
        }
    }
    named.within.iter().for_each(|within| fact.push_str(&format!(" within {within}")));
    fact
}

/// What a client reads of a tool: name, description and input schema, as compact JSON.
pub fn listed(tool: &Tool) -> String {
    json!({"name": tool.name, "description": tool.about, "inputSchema": tool.schema}).to_string()
}

/// What an output schema adds to that.
fn added(schema: &serde_json::Value) -> String {
    format!(",\"outputSchema\":{schema}")
}

fn block(out: &mut String, tool: &Tool, count: Option<Count<'_>>) {
    let _ = writeln!(out, "\ntool {}", tool.name);
    if let Some(function) = &tool.composed {
        let _ = writeln!(out, "  composed {function}");
    }
    tool.calls.iter().for_each(|call| called(out, call));
    if let Some(merge) = &tool.merge {
        let _ = writeln!(out, "  {}", merges(merge));
    }
    if let Some(stale) = &tool.stale {
        let _ = writeln!(out, "  {}", compares_when_refused(stale));
    }
    does(out, tool);
    for argument in &tool.arguments {
        let _ = writeln!(out, "  argument {}", fact(argument));
    }
    if !tool.applied.is_empty() {
        let _ = writeln!(out, "  compares {}", compared(&tool.applied));
    }
    if let Some(present) = &tool.present {
        let _ = writeln!(out, "  {}", shown_before(present));
    }
    for retired in &tool.retired {
        let _ = writeln!(out, "  retired {}: {}", retired.name, one_line(&retired.advice));
    }
    for (place, wire, value) in &tool.constants {
        let _ = writeln!(out, "  sends {}.{wire} = {value}", place.word());
    }
    let _ = writeln!(out, "  answer {}", answer(&tool.answer));
    match &tool.lines {
        Some(Lines::Text) => out.push_str("  lines\n"),
        Some(Lines::Field(field)) => _ = writeln!(out, "  lines of {field}"),
        None => {}
    }
    for (status, meaning) in &tool.statuses {
        let _ = writeln!(out, "  status {status} {}", one_line(meaning));
    }
    for (status, reason) in &tool.perhaps {
        let _ = writeln!(out, "  status {status} open, perhaps {}", one_line(reason));
    }
    if let Some(count) = count {
        let _ = writeln!(out, "  tokens {}", count(&listed(tool)));
    }
}

/// One call, when it is taken and since when it is there.
fn called(out: &mut String, call: &ApiCall) {
    let _ = write!(out, "  call {} {} {}", call.operation, call.method, call.path);
    if let Some(when) = &call.when {
        let word = if when.given { "with" } else { "without" };
        let _ = write!(out, " {word} {}.{}", when.place.word(), when.wire);
    }
    let _ = writeln!(out, "{}", span(&call.span));
}

/// What a tool does, to whom it is shown, and what it wants.
fn does(out: &mut String, tool: &Tool) {
    let _ = writeln!(out, "  effect {}", tool.effect.word());
    let _ = writeln!(out, "  toolset {}", tool.toolset);
    if !tool.scopes().is_empty() {
        let _ = writeln!(out, "  scope {}", tool.scopes().join(" "));
    }
    let flags = [(tool.default, "default"), (tool.confirm, "confirm"), (tool.reveals, "reveals")];
    for (_, word) in flags.into_iter().filter(|(is_set, _)| *is_set) {
        let _ = writeln!(out, "  {word}");
    }
    if !tool.confirm_when.is_empty() {
        let _ = writeln!(out, "  confirm when {}", tool.confirm_when.join(" "));
    }
}

/// `merges full_name content_base64=content from orgGet`: the body's property, and the answer's where it is another.
fn merges(merge: &Merge) -> String {
    let field = |(property, answer): &(String, String)| {
        if property == answer { format!(" {property}") } else { format!(" {property}={answer}") }
    };
    let fields: String = merge.fields.iter().map(field).collect();
    let word = |(word, sent): &(String, String)| format!(", {word} as {sent}");
    let words: String = merge.words.iter().map(word).collect();
    let always = if merge.always { ", always read" } else { "" };
    format!("merges{fields} from {}{words}{always}", merge.from.operation)
}

/// `when refused: sha with repoGetContents, ref=branch`.
fn compares_when_refused(stale: &Stale) -> String {
    let query: String =
        stale.query.iter().map(|(parameter, property)| format!(", {parameter}={property}")).collect();
    format!("when refused: {} with {}{query}", stale.field, stale.from.operation)
}

/// `title, labels by id, context=status`: the argument, and the answer's field where it is another.
fn compared(applied: &[Applied]) -> String {
    let one = |a: &Applied| {
        let same = a.path.is_empty() || a.path == a.name;
        let field = if same { String::new() } else { format!("={}", a.path) };
        format!("{}{field}{}", a.name, a.by.words())
    };
    applied.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// `dry run reads get_file with ref=branch: title, labels by id`.
fn shown_before(present: &Present) -> String {
    let mut text = format!("dry run reads {}", present.tool);
    for (query, property) in &present.chosen {
        let _ = write!(text, " with {query}={property}");
    }
    if !present.compared.is_empty() {
        let _ = write!(text, ": {}", compared(&present.compared));
    }
    text
}

fn fact(a: &Argument) -> String {
    let mut fact = format!("{} {}.{} {}", a.name, a.place.word(), a.wire, words(&a.kind));
    if a.required {
        fact.push_str(", required");
    }
    if let Some(word) = a.codec.word() {
        let _ = write!(fact, ", {word}");
    }
    if a.empty {
        fact.push_str(", may be empty");
    }
    match a.secret {
        None => {}
        Some(Mask::Receiver) => fact.push_str(", a receiver's address"),
        Some(_) => fact.push_str(", secret"),
    }
    if let Some(default) = &a.default {
        let _ = write!(fact, ", default {default}");
    }
    let others = [
        ("default from", &a.default_from),
        ("demands", &a.demands),
        ("at", &a.demands_at),
        ("excludes", &a.excludes),
        ("noting of false that", &a.when_false),
        ("or", &a.or),
    ];
    for (title, other) in others {
        if let Some(other) = other {
            let _ = write!(fact, ", {title} {other}");
        }
    }
    if !a.aliases.is_empty() {
        let _ = write!(fact, ", also {}", a.aliases.join(" "));
    }
    fact.push_str(&span(&a.span));
    fact
}

fn span(span: &Span) -> String {
    let said = |word: &str, release: &Option<String>| {
        release.as_ref().map_or_else(String::new, |release| format!(", {word} {release}"))
    };
    said("since", &span.since) + &said("until", &span.until)
}

fn answer(answer: &Answer) -> String {
    let view = |view: &Option<String>| view.clone().unwrap_or_else(|| "whole".to_owned());
    match answer {
        Answer::Item(name) => format!("item {}", view(name)),
        Answer::List { row, items, total, or_one, paging } => {
            let one = if *or_one { " or one" } else { "" };
            let mut text = format!("list {}{one}, {}", view(row), paging.words());
            for (title, name) in [("items", items), ("total", total)] {
                if let Some(name) = name {
                    let _ = write!(text, ", {title} {name}");
                }
            }
            text
        }
        Answer::Moved { view: name, word, to } => {
            format!("item {}, or at 301 {word} to body.{to}", view(name))
        }
        Answer::Value(word) => format!("value {word}"),
        Answer::Text => "text".to_owned(),
        Answer::Bytes => "bytes".to_owned(),
        Answer::Done(word, instead, note) => {
            let other = |(status, other): &(u16, String)| format!(", at {status} {other}");
            let note = note.as_ref().map_or_else(String::new, |note| format!(", noting that {note}"));
            format!("done {word}{}{note}", instead.iter().map(other).collect::<String>())
        }
        Answer::YesNo { word, yes, no } => format!("yes or no {word}: yes {yes:?}, no {no:?}"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lock of a release that is not the pin's: what its build has in another way, or not at all.
pub fn variant(build: &Build, pin: &Build) -> String {
    let head = format!(
        "# How a build for Forgejo {} differs from inventory.lock (- there, + here). Made by `cargo codegen lock`; not to \
         be edited.\n\n",
        build.release
    );
    let mut lines = Vec::new();
    let mut left_out = false;
    for line in differences(&render(build, None), &render(pin, None)) {
        // A tool that is left out is one line.
        left_out = if line.starts_with(' ') { left_out } else { line.ends_with(ONLY_LOCK) };
        if !(left_out && line.starts_with(' ')) {
            lines.push(line.replace(ONLY_LOCK, ": left out").replace(NOT_IN_LOCK, ": only here"));
        }
    }
    head + &lines.join("\n") + "\n"
}

/// The lines that two texts do not share, without comments.
pub fn changed_lines(made: &str, lock: &str) -> Vec<String> {
    let (made, lock) = (facts(made), facts(lock));
    let gone = lock.iter().filter(|line| !made.contains(line)).map(|line| format!("- {line}"));
    let new = made.iter().filter(|line| !lock.contains(line)).map(|line| format!("+ {line}"));
    gone.chain(new).collect()
}

/// What is said of a block that the build lacks.
const ONLY_LOCK: &str = " (only in the lock)";
/// What is said of a block that the lock lacks.
const NOT_IN_LOCK: &str = " (not in the lock)";

/// The lines in which a lock differs from what the build makes, grouped by block; empty where it is in step. Tokens are
/// compared only where both texts have them.
pub fn differences(build: &str, lock: &str) -> Vec<String> {
    let (made, lock) = (facts(build), facts(lock));
    if made == lock {
        return Vec::new();
    }
    let (made, lock) = (blocks(&made), blocks(&lock));
    let mut lines = Vec::new();
    let names: std::collections::BTreeSet<&str> = made.keys().chain(lock.keys()).copied().collect();
    for name in names {
        let (new, old) = (made.get(name), lock.get(name));
        let (new_lines, old_lines) = (new.map_or(&[][..], Vec::as_slice), old.map_or(&[][..], Vec::as_slice));
        if new == old {
            continue;
        }
        let what = match (new, old) {
            (None, _) => ONLY_LOCK,
            (_, None) => NOT_IN_LOCK,
            _ => "",
        };
        lines.push(format!("{name}{what}"));
        let before = lines.len();
        lines.extend(
            old_lines.iter().filter(|line| !new_lines.contains(line)).map(|line| format!("  - {line}")),
        );
        lines.extend(
            new_lines.iter().filter(|line| !old_lines.contains(line)).map(|line| format!("  + {line}")),
        );
        if lines.len() == before && what.is_empty() {
            lines.push("  the order of its lines".to_owned());
        }
    }
    if lines.is_empty() {
        lines.push("the order of its blocks".to_owned());
    }
    lines
}

/// The lines that are facts: no comments, no white space around them.
fn facts(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The same text without its token counts.
pub fn without_tokens(text: &str) -> String {
    let counts = |line: &&str| line.trim_start().starts_with("tokens ");
    text.lines().filter(|line| !counts(line)).fold(String::new(), |all, line| all + line + "\n")
}

fn blocks<'a>(lines: &[&'a str]) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut blocks: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in lines {
        if line.starts_with(' ') {
            blocks.entry(name).or_default().push(line.trim_start());
        } else {
            name = line;
            blocks.entry(name).or_default();
        }
    }
    blocks
}
