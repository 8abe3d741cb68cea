//! Reads a file raw, and says what else stands at the path: a directory, a symlink, a submodule, a pointer of Git LFS.
//!
//! Most files are one call. The raw form of a symlink is the path that it leads to, and is told from a short file without
//! a line end by a second call; what has no raw form is asked for in the same way.

use forgehand_client::{Call, Raw, Reply, untyped};
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value};

use super::entry::{Entry, Node, Pointer};
use super::{Build, Doing, Work};
use crate::operations::answer::length;
use crate::operations::projection::Rows;
use crate::operations::{OperationError, Outcome, note_beside, paging, refusal, text};

/// The most bytes of a path.
const LONGEST_PATH: usize = 4096;

/// What is told beside a pointer.
const IS_POINTER: &str = "this is a pointer of Git LFS; follow_lfs: true reads the file that it stands for";

/// A file as text or bytes; a directory as a list; a symlink or a submodule as `{"type", "path", "sha", …}`. With
/// `follow_lfs` a file that Git LFS keeps is read in place of its pointer.
///
/// # Errors
/// What the forge refuses.
pub fn get_file_content(work: Work<'_>) -> Doing<'_> {
    Box::pin(read(work))
}

async fn read(work: Work<'_>) -> Result<Outcome, OperationError> {
    let (mut call, mut reply) = ask(&work, untyped::repo_get_raw_file).await?;
    let status = reply.status();
    if !status.is_success() {
        let error = refusal::refused(work.operation, &call, reply).await;
        // Directories and submodules have no raw form.
        let may_be_other = matches!(status, StatusCode::NOT_FOUND | StatusCode::NOT_IMPLEMENTED);
        let entry = if may_be_other { work.entry(work.values.text("ref")).await.ok() } else { None };
        return entry.and_then(|entry| other(&work, entry)).ok_or(error);
    }
    let is_plain = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/plain"));
    let (follows, saves) = (work.values.flag("follow_lfs"), work.values.engine.local.download.is_some());
    let mut pointer = None;
    // What is saved cannot be looked at any more.
    if (follows || saves) && length(&reply).is_none_or(|length| length <= LONGEST_PATH as u64) {
        let sha = text::sha(&reply);
        let start = reply.bytes(LONGEST_PATH).await.ok();
        let start = start.as_deref().and_then(|start| std::str::from_utf8(start).ok()).unwrap_or_default();
        pointer = Pointer::read(start);
        if let Some(pointer) = pointer.as_ref().filter(|_| follows) {
            return followed(&work, pointer, sha).await;
        }
        if saves
            && is_plain
            && let Some(link) = link(&work, start).await
        {
            return Ok(link);
        }
        (call, reply) = found(&work, untyped::repo_get_raw_file).await?;
    }
    let mut outcome = work.answer(&call, reply).await?;
    match &mut outcome {
        Outcome::Text { text, more } => {
            if is_plain && let Some(link) = link(&work, text).await {
                return Ok(link);
            }
            if let Some(pointer) = Pointer::read(text) {
                beside(more, &pointer, IS_POINTER);
            }
        }
        Outcome::Saved(saved) => saved.note = pointer.map(|_| IS_POINTER.to_owned()),
        Outcome::Json(_) | Outcome::Bytes { .. } => {}
    }
    Ok(outcome)
}

/// What a text is the path of, where it is the raw form of a symlink.
async fn link(work: &Work<'_>, text: &str) -> Option<Outcome> {
    let entry = if is_path(text) { work.entry(work.values.text("ref")).await.ok() } else { None };
    other(work, entry?)
}

/// The file that a pointer stands for; `sha` is the pointer's, which is the one that a change wants.
async fn followed(
    work: &Work<'_>,
    pointer: &Pointer,
    sha: Option<String>,
) -> Result<Outcome, OperationError> {
    let (call, reply) = found(work, untyped::repo_get_raw_file_or_lfs).await?;
    let mut outcome = work.answer(&call, reply).await?;
    match &mut outcome {
        Outcome::Text { more, .. } => {
            beside(more, pointer, "this is the file; in the repository a pointer of Git LFS stands for it");
            if let (Some(Value::Object(fields)), Some(sha)) = (more, sha)
                && let Some(told) = fields.get_mut("sha")
            {
                *told = sha.into();
            }
        }
        Outcome::Bytes { sha: told, .. } if told.is_some() => *told = sha,
        Outcome::Saved(saved) if saved.sha.is_some() => saved.sha = sha,
        _ => {}
    }
    Ok(outcome)
}

/// What is there.
async fn found(work: &Work<'_>, build: Build) -> Result<(Call<Raw>, Reply<Raw>), OperationError> {
    let (call, reply) = ask(work, build).await?;
    if reply.status().is_success() {
        return Ok((call, reply));
    }
    Err(refusal::refused(work.operation, &call, reply).await)
}

/// Whatever the forge answers.
async fn ask(work: &Work<'_>, build: Build) -> Result<(Call<Raw>, Reply<Raw>), OperationError> {
    let query = work.values.get("ref").map(|at| ("ref".to_owned(), at.clone()));
    let call = work.call(build, work.values.path(), query.into_iter().collect())?;
    let reply = work.reply(&call).await?;
    Ok((call, reply))
}

/// What is no file: a list of what is in a directory, or what a symlink or a submodule is.
fn other(work: &Work<'_>, entry: Entry) -> Option<Outcome> {
    match entry {
        Entry::Node(node) if node.kind == "file" => None,
        Entry::Node(node) => {
            let mut shown = node.shown();
            if let (Value::Object(fields), true) = (&mut shown, work.values.engine.local.download.is_some()) {
                note_beside(fields, format!("nothing was saved: this is a {}, and no file", node.kind));
            }
            Some(Outcome::Json(shown))
        }
        Entry::Directory(nodes) => {
            let items: Vec<Value> = nodes.iter().map(Node::shown).collect();
            let rows = Rows { count: items.len() as u64, items, ..Rows::default() };
            let room = rest(work, rows.count).len() + 12;
            let max = work.max.saturating_sub(room);
            let mut list = paging::whole(&work.values.engine, rows, (&HeaderMap::new(), None), max);
            if let Value::Object(fields) = &mut list {
                let shown = fields.get("items").and_then(Value::as_array).map_or(0, Vec::len) as u64;
                // This tool has no pages.
                let note = match fields.remove("next") {
                    Some(_) => rest(work, shown),
                    None => "this is a directory; list_repo_contents lists it page by page".to_owned(),
                };
                note_beside(fields, note);
                if work.values.engine.local.download.is_some() {
                    note_beside(fields, "nothing was saved".to_owned());
                }
            }
            Some(Outcome::Json(list))
        }
    }
}

/// What shows the entries of a directory behind those that are shown.
fn rest(work: &Work<'_>, shown: u64) -> String {
    let mut next = Map::new();
    for name in ["path", "ref"] {
        next.extend(work.values.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    next.insert("page".to_owned(), 2.into());
    next.insert("limit".to_owned(), shown.into());
    format!("this is a directory; list_repo_contents with {} goes on", Value::Object(next))
}

/// Whether a text may be the path that a symlink leads to.
fn is_path(text: &str) -> bool {
    !text.is_empty() && text.len() < LONGEST_PATH && !text.contains('\n')
}

fn beside(more: &mut Option<Value>, pointer: &Pointer, note: &str) {
    let more = more.get_or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(fields) = more {
        fields.insert("lfs".to_owned(), pointer.shown());
        note_beside(fields, note.to_owned());
    }
}
