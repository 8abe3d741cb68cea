//! What stands at a path of a repository: a file, a directory, a symlink or a submodule, as the forge's contents tell.

use forgehand_client::untyped;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Map, Value, json};

use super::{Work, parameters};
use crate::operations::{OperationError, reading};

/// What stands at a path.
#[derive(Debug)]
pub(super) enum Entry {
    /// A directory's entries.
    Directory(Vec<Node>),
    /// Anything else.
    Node(Box<Node>),
}

/// A file, a symlink, a submodule, or a directory in its parent's list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    /// `file`, `dir`, `symlink` or `submodule`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// From the repository's root.
    pub(super) path: String,
    /// The blob's, the tree's, or the submodule's commit.
    pub(super) sha: String,
    /// In bytes.
    pub(super) size: u64,
    /// A file's bytes as base64; none where they are more than the instance tells in JSON.
    pub(super) content: Option<String>,
    /// Where a symlink leads.
    pub(super) target: Option<String>,
    /// Where a submodule comes from.
    pub(super) submodule_git_url: Option<String>,
}

impl Node {
    /// `{"type", "path", "sha", "size"?, "target"?, "submodule_git_url"?}`.
    pub(super) fn shown(&self) -> Value {
        let mut out = json!({ "type": self.kind, "path": self.path, "sha": self.sha });
        if let Value::Object(fields) = &mut out {
            if self.kind == "file" {
                fields.insert("size".to_owned(), self.size.into());
            }
            for (name, value) in [("target", &self.target), ("submodule_git_url", &self.submodule_git_url)] {
                if let Some(value) = value {
                    fields.insert(name.to_owned(), value.as_str().into());
                }
            }
        }
        out
    }
}

impl Work<'_> {
    /// What stands at the path of this call at a branch, tag or commit; without one at the default branch.
    ///
    /// # Errors
    /// What the forge refuses.
    pub(super) async fn entry(&self, at: &str) -> Result<Entry, OperationError> {
        let query = if at.is_empty() { Map::new() } else { parameters([("ref", at.into())]) };
        let call = self.call(untyped::repo_get_contents, self.values.path(), query)?;
        let reply = self.send(&call).await?;
        let entry = |body: &[u8]| {
            if body.trim_ascii_start().starts_with(b"[") {
                return serde_json::from_slice(body).map(Entry::Directory);
            }
            let node: Node = serde_json::from_slice(body)?;
            match node.kind.as_str() {
                "" => Err(serde_json::Error::missing_field("type")),
                _ => Ok(Entry::Node(Box::new(node))),
            }
        };
        reading::read(&call, reply, entry).await
    }
}

/// What a pointer of Git LFS tells: in the repository it stands for a file that is kept elsewhere.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// The file's digest, as `sha256:…`; empty where that line is not there.
    pub(super) oid: String,
    /// The file's size in bytes.
    pub(super) size: Option<u64>,
}

/// The most bytes of a pointer, which has its first line and two more.
const POINTER: usize = 1024;

impl Pointer {
    /// Reads a text that may be one, or the start of one.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let is_pointer = lines.next()?.starts_with("version https://git-lfs.github.com/spec/");
        if !is_pointer || text.len() > POINTER {
            return None;
        }
        let mut told = Self { oid: String::new(), size: None };
        for line in lines {
            match line.split_once(' ') {
                Some(("oid", oid)) => told.oid = oid.to_owned(),
                Some(("size", size)) => told.size = size.parse().ok(),
                _ => {}
            }
        }
        Some(told)
    }

    /// `{"oid"?, "size"?}`.
    pub(super) fn shown(&self) -> Value {
        let mut out = Map::new();
        if !self.oid.is_empty() {
            out.insert("oid".to_owned(), self.oid.as_str().into());
        }
        if let Some(size) = self.size {
            out.insert("size".to_owned(), size.into());
        }
        Value::Object(out)
    }
}
