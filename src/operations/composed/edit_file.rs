//! Edits a file in place: reads it, replaces texts or applies a diff, and commits it with the sha that was read, so that
//! what somebody else commits meanwhile is a conflict and is never lost.
//!
//! The file keeps its line ends, its encoding and its mark; the edits are written with LF or CRLF, as one likes. Where the
//! encoding is a guess, no byte is written by it that was not in the file.

mod near;
mod patch;
mod replace;
mod show;
mod target;

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use forgehand_client::{Call, Parameters, Raw, untyped};
use serde_json::{Map, Value};

use super::entry::{Entry, Node, Pointer};
use super::{Doing, Work};
use crate::operations::arguments::quoted;
use crate::operations::encoding::{self, Encoding};
use crate::operations::{Code, OperationError, Outcome, digest, note_beside, reading, stale, text};
use target::Target;

/// The most bytes of a file that is edited.
const EDIT_LIMIT: u64 = 4 * 1024 * 1024;

/// Replaces texts of a file (`edits`) or applies a unified diff (`patch`), in one commit. A dry run reads the file and
/// shows the diff.
///
/// # Errors
/// [`Code::InvalidArguments`] where an edit does not fit the file, overlaps another, adds what a guessed encoding cannot
/// be trusted with, or all of them change nothing;
/// [`Code::Refused`] for what is no file or no text; [`Code::TooLarge`] beyond 4 MiB; [`Code::Conflict`] where the
/// file is not, or is no longer, the one that the edits are for.
pub fn edit_file(work: Work<'_>) -> Doing<'_> {
    Box::pin(edit(work))
}

/// What is to be done with the file.
enum Wanted {
    Edits(Vec<replace::Edit>),
    Patch(Vec<patch::Hunk>),
}

/// A file as it is now.
struct Found {
    sha: String,
    text: String,
    encoding: Encoding,
}

async fn edit(work: Work<'_>) -> Result<Outcome, OperationError> {
    let wanted = wanted(&work)?;
    let found = found(&work).await?;
    let target = Target::new(&found.text);
    let changes = match &wanted {
        Wanted::Edits(edits) => replace::changes(&target, edits)?,
        Wanted::Patch(hunks) => patch::changes(&target, hunks)?,
    };
    let changes = replace::in_order(&target, changes)?;
    let text = target.written(&changes);
    if text == found.text {
        let hint = "edits keep line ends; update_file replaces a file as a whole";
        return Err(fault("the file is like that already: nothing would change").hint(hint));
    }
    let bytes = match added(&found.text, &text).filter(|_| found.encoding == Encoding::Latin1) {
        Some(character) => Err(character),
        None => found.encoding.encode(&text),
    };
    let bytes = bytes.map_err(|character| {
        let name = found.encoding.name();
        let said = format!("the file is no UTF-8, and only guessed to be in {name}: what bytes {character:?} has in it is not known");
        fault(said).hint("edit it without adding such characters; update_file replaces a file as a whole, and writes UTF-8")
    })?;
    let call = write(&work, &found.sha, &bytes)?;
    if work.values.engine.dry_run {
        let diff = show::diff(work.values.text("path"), &target, &changes);
        return Ok(guessed(work.planner().with_diff(&call, diff), found.encoding));
    }
    match work.send(&call).await {
        Ok(reply) => Ok(guessed(work.answer(&call, reply).await?, found.encoding)),
        Err(error) => Err(refused(&work, error, &found.sha).await),
    }
}

/// The first character beyond ASCII that a text has more often than another.
fn added(before: &str, after: &str) -> Option<char> {
    let mut left: HashMap<char, usize> = HashMap::new();
    before.chars().filter(|c| !c.is_ascii()).for_each(|c| *left.entry(c).or_default() += 1);
    after.chars().filter(|c| !c.is_ascii()).find(|c| match left.get_mut(c).filter(|left| **left > 0) {
        Some(left) => {
            *left -= 1;
            false
        }
        None => true,
    })
}

/// The same with the encoding beside it, where that is a guess.
fn guessed(mut outcome: Outcome, encoding: Encoding) -> Outcome {
    if let (Outcome::Json(Value::Object(fields)), Encoding::Latin1) = (&mut outcome, encoding) {
        fields.insert("encoding".to_owned(), encoding.name().into());
        note_beside(fields, text::GUESSED.to_owned());
    }
    outcome
}

fn fault(said: impl Into<String>) -> OperationError {
    OperationError::new(Code::InvalidArguments, said)
}

/// What the edits are, of which the arguments' engine has found one of the two.
fn wanted(work: &Work<'_>) -> Result<Wanted, OperationError> {
    match work.values.get("edits").and_then(Value::as_array) {
        Some(edits) => replace::read(edits).map(Wanted::Edits),
        None => patch::read(work.values.text("patch"), work.values.text("path")).map(Wanted::Patch),
    }
}

/// The file as it is at the branch.
async fn found(work: &Work<'_>) -> Result<Found, OperationError> {
    let path = quoted(work.values.text("path"));
    let node = match work.entry(work.values.text("branch")).await? {
        Entry::Node(node) => *node,
        Entry::Directory(_) => return Err(no_file(format!("{path} is a directory, and no file"))),
    };
    match (node.kind.as_str(), &node.target) {
        ("file", _) => {}
        ("symlink", Some(target)) => {
            let error = no_file(format!("{path} is a symlink to {}", quoted(target)));
            return Err(error.hint("edit the file that it leads to"));
        }
        ("submodule", _) => return Err(no_file(format!("{path} is a submodule, another repository"))),
        (other, _) => return Err(no_file(format!("{path} is no file but of the kind {}", quoted(other)))),
    }
    let given = work.values.text("sha");
    if !given.is_empty() && given != node.sha {
        let said = format!("{path} is not the file that the edits are for");
        return Err(stale::conflict(OperationError::new(Code::Conflict, said), given, &node.sha));
    }
    if node.size > EDIT_LIMIT {
        let said = format!("{path} has {} bytes; files of up to {EDIT_LIMIT} bytes can be edited", node.size);
        return Err(OperationError::new(Code::TooLarge, said).hint("edit it in a clone"));
    }
    let bytes = bytes(work, &node).await?;
    // Whatever was left out or replaced would be lost.
    let other = if bytes.len() as u64 != node.size {
        Some(format!("{path} has {} bytes, and {} came", node.size, bytes.len()))
    } else if !digest::is_blob(&bytes, &node.sha) {
        Some(format!("{path} is the blob {}, and what came is another", quoted(&node.sha)))
    } else {
        None
    };
    if let Some(said) = other {
        let hint = "something between here and the forge may have cut or replaced it; try again";
        return Err(no_file(said).hint(hint));
    }
    let (text, encoding) = encoding::decode(&bytes).ok_or_else(|| {
        no_file(format!("{path} is no text")).hint("update_file takes bytes as content_base64")
    })?;
    if Pointer::read(&text).is_some() {
        let error = no_file(format!("{path} is kept by Git LFS, and what is here is a pointer"));
        return Err(
            error.hint("get_file_content reads it with follow_lfs, update_file replaces it as a whole")
        );
    }
    Ok(Found { sha: node.sha, text, encoding })
}

fn no_file(said: String) -> OperationError {
    OperationError::new(Code::Refused, format!("{said}; nothing was written"))
}

/// The file's bytes: out of the description, or raw where an instance does not tell them there.
async fn bytes(work: &Work<'_>, node: &Node) -> Result<Vec<u8>, OperationError> {
    let told = node.content.as_deref().unwrap_or_default();
    let told: Vec<u8> = told.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if (!told.is_empty() || node.size == 0)
        && let Ok(bytes) = STANDARD.decode(told)
    {
        return Ok(bytes);
    }
    let branch = work.values.get("branch").map(|branch| ("ref".to_owned(), branch.clone()));
    let call = work.call(untyped::repo_get_raw_file, work.values.path(), branch.into_iter().collect())?;
    let mut reply = work.send(&call).await?;
    if let Some(sha) = text::sha(&reply).filter(|sha| *sha != node.sha) {
        let error = OperationError::new(Code::Conflict, "the file was changed while it was read");
        return Err(stale::conflict(error, &node.sha, &sha));
    }
    let most = usize::try_from(EDIT_LIMIT).unwrap_or(usize::MAX);
    Ok(reading::file(&call, &mut reply, most).await?.to_vec())
}

/// The commit.
fn write(work: &Work<'_>, sha: &str, bytes: &[u8]) -> Result<Call<Raw>, OperationError> {
    let mut body = Map::new();
    body.insert("content".to_owned(), STANDARD.encode(bytes).into());
    body.insert("sha".to_owned(), sha.into());
    for name in ["message", "branch", "new_branch"] {
        if let Some(value) = work.values.get(name) {
            body.insert(name.to_owned(), value.clone());
        }
    }
    let body = Some(Value::Object(body));
    let path = work.values.path();
    work.call_of(untyped::repo_update_file, Parameters { path, body, ..Parameters::default() })
}

/// The commit's refusal; where the file was changed since it was read, a conflict that tells the new sha.
async fn refused(work: &Work<'_>, error: OperationError, sha: &str) -> OperationError {
    if !stale::may_be_stale(error.status) {
        return error;
    }
    match work.entry(work.values.text("branch")).await {
        Ok(Entry::Node(node)) => stale::conflict(error, sha, &node.sha),
        _ => error,
    }
}

#[cfg(test)]
mod tests;
