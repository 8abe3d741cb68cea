//! Whether a call stays with the repositories that may be asked for, where some are named. The transport refuses every other
//! request by its path; what a path does not tell is looked at here: tools that are of no repository, and arguments that
//! name a second one.

use super::arguments::Values;
use super::descriptor::{Operation, Place};
use super::{Code, OperationError};
use crate::forge::{Forge, Repositories};

/// The path of a repository itself, which begins that of all that is in it.
const REPOSITORY: &str = "/repos/{owner}/{repo}";

/// Body fields by which a write in one repository reaches another owner's: a dependency, a transfer, a copy.
const OWNERS: [&str; 3] = ["new_owner", "organization", "owner"];

/// Names under which a branch of another repository may be given, as `owner:branch` or `owner/repo:branch`.
const BRANCHES: [&str; 3] = ["base", "basehead", "head"];

/// Body fields that name a repository whole, as `owner/name`, perhaps with a place in it behind.
const WHOLE: [&str; 1] = ["Context"];

/// Whether a tool is of a repository, or of the instance as everybody sees it.
pub(super) fn is_possible(operation: &Operation) -> bool {
    operation.calls.is_empty() || operation.calls.iter().any(|call| Repositories::concerns(call.path))
}

/// Nothing where all may be asked for.
///
/// # Errors
/// [`Code::Refused`] for a tool of no repository, a repository that is not named, and an argument that names another one.
pub(super) fn check(forge: &Forge, operation: &Operation, values: &Values) -> Result<(), OperationError> {
    let Some(named) = forge.repositories() else { return Ok(()) };
    if !is_possible(operation) {
        return Err(refused(operation, "it is of no single repository", named));
    }
    let text = |place, wire| values.by_wire(place, wire).and_then(serde_json::Value::as_str);
    let checked = |owner: &str, repo: &str| match named.allows(owner, repo) {
        true => Ok(()),
        false => Err(refused(operation, &format!("{owner}/{repo} is not among them"), named)),
    };
    for whole in WHOLE.iter().filter_map(|wire| text(Place::Body, wire)).filter(|whole| !whole.is_empty()) {
        let (owner, repo) = whole_name(whole, forge.address().as_str());
        checked(owner, repo)?;
    }
    if !operation.calls.iter().any(|call| call.path.starts_with(REPOSITORY)) {
        return Ok(());
    }
    let owner = text(Place::Path, "owner").unwrap_or_default();
    let repo = text(Place::Path, "repo").unwrap_or_default();
    checked(owner, repo)?;
    // A repository's own `name` is the one that it gets.
    if let Some(name) = text(Place::Body, "name")
        && operation.calls.iter().any(|call| call.path == REPOSITORY)
    {
        checked(owner, name)?;
    }
    for wire in OWNERS {
        if !operation.parameters.iter().any(|p| p.place == Place::Body && p.wire == wire) {
            continue;
        }
        let Some(other) = text(Place::Body, wire) else {
            return Err(refused(
                operation,
                &format!("without `{wire}` it reaches another repository"),
                named,
            ));
        };
        let name = text(Place::Body, "repo").or_else(|| text(Place::Body, "name")).unwrap_or(repo);
        checked(other, name)?;
    }
    for wire in BRANCHES {
        let given = [Place::Path, Place::Query, Place::Body].into_iter().find_map(|place| text(place, wire));
        let sides = given.into_iter().flat_map(|given| given.split(".."));
        for (other, branch) in sides.filter_map(|side| side.split_once(':')) {
            let other = other.trim_start_matches('.');
            match other.split_once('/') {
                Some((other, name)) => checked(other, name)?,
                None if other.eq_ignore_ascii_case(owner) || named.allows_all(other) => {}
                None => {
                    let why = format!(
                        "{other}:{branch} is of whatever copy of the repository {other} has; \
                         {other}/{repo}:{branch} would name one"
                    );
                    return Err(refused(operation, &why, named));
                }
            }
        }
    }
    Ok(())
}

/// Owner and name that a text begins with, which may be an address of the instance. What climbs out of them names none.
fn whole_name<'a>(text: &'a str, base: &str) -> (&'a str, &'a str) {
    let place = text.strip_prefix(base).unwrap_or(text);
    let place = place.strip_prefix('/').unwrap_or(place);
    let climbs = place.contains(['\\', '%']) || place.split('/').any(|part| matches!(part, "." | ".."));
    let (owner, rest) = place.split_once('/').filter(|_| !climbs).unwrap_or((place, ""));
    (owner, rest.split(['/', '?', '#']).next().unwrap_or_default())
}

fn refused(operation: &Operation, why: &str, named: &Repositories) -> OperationError {
    let said = format!(
        "{} is refused: only some repositories may be asked for ({named}), and {why}; nothing was sent",
        operation.name
    );
    OperationError::new(Code::Refused, said).hint("Whoever runs forgehand names them by --repositories.")
}
