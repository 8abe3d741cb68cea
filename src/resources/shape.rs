//! From the forge's fields to those of a resource.

use serde_json::{Map, Value};

use crate::tools::at;

/// A field of a resource, and the path of the forge's field that it shows: dotted, through lists too.
pub(super) type Fields = &'static [(&'static str, &'static str)];

/// The paths of the forge's fields.
pub(super) fn paths(fields: Fields) -> impl Iterator<Item = &'static str> + Clone {
    fields.iter().map(|(_, path)| *path)
}

/// Fields that are lists. Forgejo says `null` for one that is empty as well as `[]`; here it is `[]`.
const LISTS: [&str; 4] = ["assignees", "labels", "parents", "requested_reviewers"];

/// The fields of an object; those that it has not, or that are `null` and no list, are left out.
pub(super) fn shaped(value: &Value, fields: Fields) -> Map<String, Value> {
    let empty = |name: &str, path: &str| {
        let list = path.split('.').next().filter(|_| LISTS.contains(&name))?;
        value.get(list).map(|_| Value::Array(Vec::new()))
    };
    let found = fields.iter().filter_map(|(name, path)| {
        Some(((*name).to_owned(), at(value, path).or_else(|| empty(name, path))?))
    });
    found.collect()
}

/// A text at a path; nothing is the empty one.
pub(super) fn text(value: &Value, path: &str) -> String {
    at(value, path).and_then(|found| found.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The first characters of a text: 280, and `…` where there are more.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(280) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
