//! The rows of `openapi/scopes.toml` against two documents: which row each new operation falls under, and which rows
//! speak of nothing any more.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Plan;
use crate::document::Document;
use crate::drift::documents::pairs;
use crate::history::History;
use crate::scopes::Scopes;

/// Adds to the list what the scopes need. `old` and `new` are the documents before and after.
pub(super) fn compare(root: &Path, history: &History, (old, new): (&Document, &Document), plan: &mut Plan) {
    let scopes = match Scopes::read(root) {
        Ok(scopes) => scopes,
        Err(error) => return plan.decide.push(error.to_string()),
    };
    // A path that no row fits, and a row that nothing fits in any release: the build would fail.
    plan.decide.extend(scopes.faults(history).into_iter().map(|fault| {
        let row =
            "\n  as \"/path\" = { needs = [\"repository\"] }, or { needs = [] } where no scope is asked for";
        let hint = if fault.contains("has no row") { row } else { "" };
        format!("openapi/scopes.toml: {fault}{hint}")
    }));
    let mut fallen: BTreeMap<&str, (String, Vec<&str>)> = BTreeMap::new();
    for at in pairs(old, new).added {
        let Some((row, need)) = scopes.row_of(at) else { continue };
        let names: Vec<&str> = need.names().map(String::as_str).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let (_, ids) = fallen.entry(row).or_insert_with(|| (names, Vec::new()));
        ids.push(&at.operation.operation_id);
    }
    plan.know.extend(fallen.into_iter().map(|(row, (names, ids))| {
        format!(
            "openapi/scopes.toml: the row {row} tells the scope ({names}) of {}; one that needs another gets a row in \
             [operations]",
            ids.join(", ")
        )
    }));
    let of = |document: &Document| -> BTreeSet<String> {
        document.operations().filter_map(|at| Some(scopes.row_of(at)?.0.to_owned())).collect()
    };
    let (before, after) = (of(old), of(new));
    for row in scopes.rows().filter(|row| before.contains(*row) && !after.contains(*row)) {
        let release = &new.release;
        plan.know.push(format!(
            "openapi/scopes.toml: the row {row} speaks of nothing that Forgejo {release} has: it can go when no build needs \
             an older release"
        ));
    }
}
