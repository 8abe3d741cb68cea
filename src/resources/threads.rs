//! Issues and pull requests: they share their numbers and their comments, and not their addresses. One that is asked
//! for as the other leads to the address that it has.

use serde_json::Value;

use super::ResourceError;
use super::reader::Reader;
use super::shape::text;
use super::template::TEMPLATES;
use crate::operations::{Code, OperationError};
use crate::tools::at;

/// The tool that reads both.
const TOOL: &str = "get_issue_by_index";

/// The field that an issue has as an object where it is a pull request.
pub(super) const MARK: &str = "pull_request";

/// The fields by which a comment tells what it is on; that of the other kind is empty.
pub(super) const PARENTS: [&str; 2] = ["issue_url", "pull_request_url"];

/// The kind and the number of what a comment is on.
pub(super) fn parent(comment: &Value) -> Option<(&'static str, String)> {
    ["issue", "pr"].into_iter().zip(PARENTS).find_map(|(kind, field)| {
        let address = text(comment, field);
        let (_, index) = address.rsplit_once('/')?;
        Some((kind, index.to_owned()))
    })
}

/// The kind of what [`TOOL`] has found.
pub(super) fn kind(found: &Value) -> &'static str {
    if at(found, MARK).is_some() { "pr" } else { "issue" }
}

/// Nothing where what was found is of that kind.
///
/// # Errors
/// [`ResourceError::NotHere`] with the address that it has.
pub(super) fn expect(reader: &Reader<'_>, expected: &str, found: &Value) -> Result<(), ResourceError> {
    match kind(found) {
        kind if kind == expected => Ok(()),
        kind => Err(elsewhere(reader, kind)),
    }
}

/// Checks the address's variable `kind` against what its `index` is.
///
/// # Errors
/// As [`expect`], and what reading it comes to.
pub(super) async fn check(reader: &Reader<'_>) -> Result<(), ResourceError> {
    expect(reader, reader.variable("kind"), &found(reader).await?)
}

/// Why a pull request could not be read: the number may be an issue's.
pub(super) async fn no_pull_request(reader: &Reader<'_>, error: OperationError) -> ResourceError {
    if error.code != Code::NotFound || reader.surface.of_resources(TOOL).is_err() {
        return error.into();
    }
    match found(reader).await {
        Ok(found) if kind(&found) == "issue" => elsewhere(reader, "issue"),
        _ => error.into(),
    }
}

async fn found(reader: &Reader<'_>) -> Result<Value, OperationError> {
    reader.tools.entity(TOOL, reader.within_repo([("index", "index")]), ["number", MARK]).await
}

/// That the address's number is of the other kind, and the address that it has.
fn elsewhere(reader: &Reader<'_>, kind: &'static str) -> ResourceError {
    let address = reader.address;
    let other = TEMPLATES.iter().find(|template| template.name == kind);
    let uri = match (address.get("kind"), other) {
        (None, Some(template)) => address.of(template),
        _ => address.with(&[("kind", kind.to_owned())]),
    };
    let what = if kind == "pr" { "a pull request" } else { "an issue" };
    ResourceError::NotHere(format!("{} is {what}; its address is {uri}", reader.variable("index")))
}
