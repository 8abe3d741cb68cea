//! Names that are refused: each says what takes its place, which is there, and is no live name itself.

use super::super::model::{At, Inventory, ToolRow};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::{Argument, Retired};

/// The tools that are no more.
pub(super) fn tools(inventory: &Inventory, problems: &mut Problems) -> Vec<Retired> {
    let names: Vec<&str> = inventory.tools.iter().map(|(name, _)| name.as_str()).collect();
    let mut retired = Vec::new();
    for (name, advice) in &inventory.retired {
        if names.contains(&name.as_str()) {
            problems.add(advice.line, "retired", name, "is a tool still: a name is one or the other");
        }
        retired.extend(one("retired", name, advice, &names, problems));
    }
    retired
}

/// The arguments of a tool that are no more. What takes the place of one may be missing from the pinned release and
/// stand in the tool's own rows, or be another tool.
pub(super) fn arguments(
    inventory: &Inventory,
    (name, row): (&str, &ToolRow),
    arguments: &[Argument],
    problems: &mut Problems,
) -> Vec<Retired> {
    let table = format!("tools.{name}.retired");
    let rows = row.params.iter().map(|(key, row)| match &row.name {
        Some(name) => name.as_str(),
        None => key.rsplit('.').next().unwrap_or(key),
    });
    let tools = inventory.tools.iter().map(|(name, _)| name.as_str());
    let known: Vec<&str> = arguments.iter().map(|a| a.name.as_str()).chain(rows).chain(tools).collect();
    let mut retired = Vec::new();
    for (name, advice) in &row.retired {
        if arguments.iter().any(|a| a.name == *name || a.aliases.contains(name)) {
            problems.add(advice.line, &table, name, "is an argument still: a name is one or the other");
        }
        retired.extend(one(&table, name, advice, &known, problems));
    }
    retired
}

/// `use NAME: why` or `use NAME instead: why`, with a known name.
fn one(
    table: &str,
    name: &str,
    advice: &At<String>,
    known: &[&str],
    problems: &mut Problems,
) -> Option<Retired> {
    let told = advice.strip_prefix("use ").unwrap_or_default();
    let end = told.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(told.len());
    let (by, why) = told.split_at(end);
    let form = ["", ":", " instead", " or ", " and ", ","].iter().any(|start| match *start {
        "" => why.is_empty(),
        start => why.starts_with(start),
    });
    if by.is_empty() || !form {
        problems.add(advice.line, table, name, "says what takes its place, as \"use NAME instead: why\"");
        return None;
    }
    if !known.contains(&by) {
        let near = did_you_mean(by, known.iter().copied());
        problems.add(advice.line, table, name, format!("there is no {by:?} that takes its place{near}"));
    }
    Some(Retired { name: name.to_owned(), by: by.to_owned(), advice: advice.value.clone() })
}
