//! Pages of a git tree, whose body tells which page it is and whether there is more than it holds.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The answer of `GetTree`, in the order in which Forgejo writes it.
#[derive(Serialize, Deserialize)]
struct Tree<'a> {
    #[serde(borrow)]
    sha: &'a RawValue,
    #[serde(borrow)]
    url: &'a RawValue,
    #[serde(borrow)]
    tree: &'a RawValue,
    truncated: bool,
    page: usize,
    total_count: usize,
}

/// Another page of the tree `like`, with these entries (a JSON array). Forgejo calls a page truncated when the tree has
/// more entries than a page, the last page too, but not one beyond it, whose entries are `null`.
pub(crate) fn page(like: &Bytes, entries: &Bytes, page: usize, size: usize) -> Option<Bytes> {
    let mut tree: Tree<'_> = serde_json::from_slice(like).ok()?;
    let none = *entries == "[]";
    tree.tree = serde_json::from_slice(if none { b"null" } else { entries }).ok()?;
    tree.truncated = !none && tree.total_count > size;
    tree.page = page;
    serde_json::to_vec(&tree).ok().map(Bytes::from)
}
