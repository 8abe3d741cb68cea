//! What callers may rely on: a name of a tool or an argument that a lock has goes only with a higher
//! `contract_version`.
//!
//! An argument that is renamed and keeps its older name as an alias goes on as before. A retired name is refused from
//! then on, so it counts as gone; once it is retired, its row may go as well.

use crate::drift::{Change, Kind, locks};

/// What makes a higher `contract_version` necessary between two locks and has none, one line each; empty where nothing
/// does.
pub fn faults(old: &str, new: &str) -> Vec<String> {
    let (Some(before), Some(after)) = (version(old), version(new)) else { return Vec::new() };
    if after > before {
        return Vec::new();
    }
    if after < before {
        return vec![format!("contract_version falls from {before} to {after}")];
    }
    let report = locks::compare(("", old), ("", new));
    report.changes.iter().filter_map(gone).collect()
}

/// The `contract_version` of a lock.
fn version(lock: &str) -> Option<i64> {
    lock.lines().find_map(|line| line.trim().strip_prefix("contract version ")?.parse().ok())
}

/// What a change takes from callers.
fn gone(change: &Change) -> Option<String> {
    let name = &change.subject;
    let was = change.was.as_deref().unwrap_or_default();
    let part = change.part.as_deref().unwrap_or_default();
    match change.kind {
        Kind::ToolRemoved => Some(format!("the tool {name} is gone")),
        Kind::ToolRenamed => Some(format!("the tool {was} is {name} now")),
        Kind::ArgumentRemoved => Some(format!("{name}: the argument {part} is gone")),
        Kind::ArgumentRenamed if change.breaking => {
            Some(format!("{name}: the argument {was} is {part} now, and no alias"))
        }
        Kind::ArgumentChanged if change.breaking && change.aspect.as_deref() == Some("aliases") => {
            Some(format!("{name}: the argument {part} lost an alias: it had {was}"))
        }
        _ => None,
    }
}
