//! Two locks, tool by tool. Lines are read by their first word; what is not known here is compared as a whole line, so
//! that a new kind of fact is reported without an edit.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Kind, Report};

/// The facts of one tool: first word → the rests of its lines.
type Facts<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// A lock's blocks.
struct Lock<'a> {
    tools: BTreeMap<&'a str, Facts<'a>>,
    views: BTreeMap<&'a str, Vec<&'a str>>,
}

/// All changes from one lock to the other, each with its name and text.
pub(crate) fn compare(old: (&str, &str), new: (&str, &str)) -> Report {
    let (before, after) = (read(old.1), read(new.1));
    let mut changes = Vec::new();
    let mut added: Vec<&str> =
        after.tools.keys().filter(|n| !before.tools.contains_key(*n)).copied().collect();
    for (name, facts) in &before.tools {
        let (new_name, new_facts) = match after.tools.get(name) {
            Some(new_facts) => (*name, new_facts),
            None => {
                let same = |other: &&str| after.tools.get(*other).is_some_and(|o| calls(o) == calls(facts));
                let Some(at) = added.iter().position(same) else {
                    changes.push(tool(Kind::ToolRemoved, name).breaks(true));
                    continue;
                };
                let new_name = added.remove(at);
                let change = tool(Kind::ToolRenamed, new_name).breaks(true);
                changes.push(change.between(Some((*name).to_owned()), Some(new_name.to_owned())));
                (new_name, after.tools.get(new_name).unwrap_or(facts))
            }
        };
        of_tool(new_name, (facts, new_facts), &mut changes);
        arguments(new_name, (facts, new_facts), &mut changes);
        answers(new_name, (facts, new_facts), (&before, &after), &mut changes);
    }
    changes.extend(added.into_iter().map(|name| tool(Kind::ToolAdded, name)));
    shown(&before, &after, &mut changes);
    Report::new("locks", (old.0, new.0), changes)
}

fn read(text: &str) -> Lock<'_> {
    let mut lock = Lock { tools: BTreeMap::new(), views: BTreeMap::new() };
    let (mut kind, mut name) = ("", "");
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (first, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        if !line.starts_with(' ') {
            (kind, name) = (first, rest);
            match kind {
                "tool" => drop(lock.tools.entry(name).or_default()),
                "view" => drop(lock.views.entry(name).or_default()),
                _ => {}
            }
        } else if kind == "tool" && first != "tokens" {
            lock.tools.entry(name).or_default().entry(first).or_default().push(rest);
        } else if kind == "view" {
            lock.views.entry(name).or_default().push(rest);
        }
    }
    lock
}

fn tool(kind: Kind, name: &str) -> Change {
    Change { tools: vec![name.to_owned()], ..Change::new(kind, name) }
}

fn lines<'a>(facts: &Facts<'a>, word: &str) -> Vec<&'a str> {
    facts.get(word).cloned().unwrap_or_default()
}

/// The calls without what tells their age.
fn calls<'a>(facts: &Facts<'a>) -> Vec<&'a str> {
    lines(facts, "call").into_iter().map(|call| call.split(',').next().unwrap_or(call)).collect()
}

/// What is neither argument nor answer.
fn of_tool(name: &str, (before, after): (&Facts<'_>, &Facts<'_>), changes: &mut Vec<Change>) {
    let words: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    for word in words.into_iter().filter(|word| !matches!(*word, "argument" | "answer")) {
        let (was, is) = match word {
            "call" => (calls(before), calls(after)),
            _ => (lines(before, word), lines(after, word)),
        };
        if was == is {
            continue;
        }
        let is_flag = matches!(word, "default" | "confirm");
        let text = |all: &[&str]| match all {
            [] => is_flag.then(|| "no".to_owned()),
            [""] => Some("yes".to_owned()),
            all => Some(all.join("; ")),
        };
        let breaking = match word {
            "toolset" | "scope" => true,
            "default" => is.is_empty(),
            "confirm" => asks_more(before, after),
            "effect" => is.first() == Some(&"destroy"),
            _ => false,
        };
        let change = tool(Kind::ToolChanged, name).aspect(word).breaks(breaking);
        changes.push(change.between(text(&was), text(&is)));
    }
}

/// Whether a call that wanted no confirmation may want one now: always, or for one more parameter, whatever its
/// argument is called.
fn asks_more(before: &Facts<'_>, after: &Facts<'_>) -> bool {
    let (was, is) = (confirmed(before), confirmed(after));
    let (Some(was), Some(is)) = (&was, &is) else { return was.is_some() };
    !is.is_subset(was)
}

/// The parameters that want a confirmation, by place and wire name; `None` where every call does.
fn confirmed<'a>(facts: &Facts<'a>) -> Option<BTreeSet<&'a str>> {
    let arguments: Vec<Argument<'a>> = lines(facts, "argument").into_iter().map(argument).collect();
    let wire = |name: &'a str| arguments.iter().find(|a| a.name == name).map_or(name, |a| a.wire);
    let mut all = BTreeSet::new();
    for line in lines(facts, "confirm") {
        all.extend(line.strip_prefix("when ")?.split(' ').map(wire));
    }
    Some(all)
}

/// One argument's line.
#[derive(PartialEq)]
struct Argument<'a> {
    name: &'a str,
    wire: &'a str,
    kind: String,
    required: bool,
    aliases: Vec<&'a str>,
    /// Codec, default and the like.
    others: Vec<&'a str>,
}

fn argument(line: &str) -> Argument<'_> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (wire, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut parts = parts(rest).into_iter();
    let kind = parts.next().unwrap_or_default().to_owned();
    let mut read = Argument { name, wire, kind, required: false, aliases: Vec::new(), others: Vec::new() };
    for part in parts {
        match part.strip_prefix("also ") {
            Some(aliases) => read.aliases = aliases.split(' ').collect(),
            None if part == "required" => read.required = true,
            None if part.starts_with("since ") || part.starts_with("until ") => {}
            None => read.others.push(part),
        }
    }
    read
}

/// The parts between commas, of which those within braces are none.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(text.get(start..).unwrap_or_default().trim());
    all
}

fn arguments(tool_name: &str, (before, after): (&Facts<'_>, &Facts<'_>), changes: &mut Vec<Change>) {
    let was: Vec<Argument<'_>> = lines(before, "argument").into_iter().map(argument).collect();
    let mut left: Vec<Argument<'_>> = lines(after, "argument").into_iter().map(argument).collect();
    let mut gone = Vec::new();
    for old in was {
        match left.iter().position(|new| new.name == old.name) {
            Some(at) => of_argument(tool_name, &old, &left.remove(at), changes),
            None => gone.push(old),
        }
    }
    let change = |kind: Kind, name: &str| tool(kind, tool_name).part(name);
    for old in gone {
        let same = |new: &Argument<'_>| new.wire == old.wire && !new.wire.starts_with("local.");
        let Some(at) = left.iter().position(same) else {
            changes.push(change(Kind::ArgumentRemoved, old.name).breaks(true).between(Some(old.kind), None));
            continue;
        };
        let new = left.remove(at);
        let kept = new.aliases.contains(&old.name);
        let renamed = change(Kind::ArgumentRenamed, new.name).breaks(!kept);
        changes.push(renamed.between(Some(old.name.to_owned()), Some(new.name.to_owned())));
        of_argument(tool_name, &old, &new, changes);
    }
    for new in left {
        let kind = if new.required { format!("{}, required", new.kind) } else { new.kind };
        let added = change(Kind::ArgumentAdded, new.name).breaks(new.required);
        changes.push(added.between(None, Some(kind)));
    }
}

fn of_argument(tool_name: &str, old: &Argument<'_>, new: &Argument<'_>, changes: &mut Vec<Change>) {
    let mut note = |aspect: &str, was: Option<String>, is: Option<String>, breaking: bool| {
        let change = tool(Kind::ArgumentChanged, tool_name).part(new.name).aspect(aspect).breaks(breaking);
        changes.push(change.between(was, is));
    };
    let words =
        |kind: &str| kind.strip_prefix("enum ").map(|words| words.split('|').map(str::to_owned).collect());
    let sets: (Option<BTreeSet<String>>, Option<BTreeSet<String>>) = (words(&old.kind), words(&new.kind));
    if let (Some(was), Some(is)) = &sets {
        let list = |values: Vec<&String>| {
            let texts: Vec<String> = values.into_iter().cloned().collect();
            (!texts.is_empty()).then(|| texts.join("|"))
        };
        let (lost, won) = (list(was.difference(is).collect()), list(is.difference(was).collect()));
        if lost.is_some() {
            note("values", lost, None, true);
        }
        if won.is_some() {
            note("values", None, won, false);
        }
    } else if old.kind != new.kind {
        note("type", Some(old.kind.clone()), Some(new.kind.clone()), true);
    }
    if old.wire != new.wire {
        note("place", Some(old.wire.to_owned()), Some(new.wire.to_owned()), false);
    }
    if old.required != new.required {
        let word = |required| Some(if required { "required" } else { "optional" }.to_owned());
        note("required", word(old.required), word(new.required), new.required);
    }
    let text = |all: &[&str]| (!all.is_empty()).then(|| all.join(" "));
    if old.aliases != new.aliases {
        let lost = old.aliases.iter().any(|alias| !new.aliases.contains(alias) && *alias != new.name);
        note("aliases", text(&old.aliases), text(&new.aliases), lost);
    }
    if old.others != new.others {
        note("rules", text(&old.others), text(&new.others), false);
    }
}

/// How the answer is read; where it is shown by another view, the fields that differ.
fn answers(
    name: &str,
    (before, after): (&Facts<'_>, &Facts<'_>),
    (old, new): (&Lock<'_>, &Lock<'_>),
    changes: &mut Vec<Change>,
) {
    let (was, is) = (lines(before, "answer").concat(), lines(after, "answer").concat());
    if was == is {
        return;
    }
    let kind = |answer: &str| answer.split(' ').next().unwrap_or_default().to_owned();
    let change = tool(Kind::ToolChanged, name).aspect("answer").breaks(kind(&was) != kind(&is));
    changes.push(change.between(Some(was.clone()), Some(is.clone())));
    if let (Some(was), Some(is)) = (view(&was), view(&is))
        && was != is
    {
        let fields = |lock: &Lock<'_>, view: &str| -> Vec<String> {
            lock.views.get(view).into_iter().flatten().map(|line| (*line).to_owned()).collect()
        };
        differing(&tool(Kind::ShownAdded, name), (&fields(old, was), &fields(new, is)), changes);
    }
}

/// The view of an answer's line: `item Issue`, `list Issue.row or one, paged here`.
fn view(answer: &str) -> Option<&str> {
    let rest = answer.strip_prefix("item ").or_else(|| answer.strip_prefix("list "))?;
    rest.split([' ', ',']).next()
}

/// The fields that views show, with the tools that are shown by them.
fn shown(old: &Lock<'_>, new: &Lock<'_>, changes: &mut Vec<Change>) {
    for (name, before) in &old.views {
        let Some(after) = new.views.get(name) else { continue };
        let by = |facts: &Facts<'_>| lines(facts, "answer").iter().any(|answer| view(answer) == Some(name));
        let tools = new.tools.iter().filter(|(_, facts)| by(facts)).map(|(tool, _)| (*tool).to_owned());
        let change = Change { tools: tools.collect(), ..Change::new(Kind::ShownAdded, *name) };
        let texts = |all: &[&str]| all.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        differing(&change, (&texts(before), &texts(after)), changes);
    }
}

fn differing(change: &Change, (was, is): (&[String], &[String]), changes: &mut Vec<Change>) {
    for field in was.iter().filter(|field| !is.contains(field)) {
        let change = Change { kind: Kind::ShownRemoved, ..change.clone() };
        changes.push(change.part(field).breaks(true));
    }
    for field in is.iter().filter(|field| !was.contains(field)) {
        changes.push(change.clone().part(field));
    }
}
