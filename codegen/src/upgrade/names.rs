//! A tool's name for an operation, in the inventory's form: verb and noun, of what operationId, method and path say.

use std::collections::BTreeSet;

use heck::{ToSnakeCase, ToTitleCase};

use crate::document::Located;

/// The longest name of a tool, in characters.
const LONGEST: usize = 40;

/// Words of operationIds that are verbs, and the inventory's word for each.
const VERBS: [(&str, &str); 19] = [
    ("list", "list"),
    ("get", "get"),
    ("search", "search"),
    ("check", "check"),
    ("create", "create"),
    ("register", "register"),
    ("add", "add"),
    ("set", "set"),
    ("update", "update"),
    ("edit", "edit"),
    ("replace", "replace"),
    ("delete", "delete"),
    ("remove", "remove"),
    ("cancel", "cancel"),
    ("rename", "rename"),
    ("transfer", "transfer"),
    ("sync", "sync"),
    ("test", "test"),
    ("dispatch", "dispatch"),
];

/// A name that no tool has yet; `list` tells whether the operation answers a list.
pub(super) fn propose(at: Located<'_>, list: bool, taken: &mut BTreeSet<String>) -> String {
    let id = at.operation.operation_id.to_snake_case();
    let mut words: Vec<&str> = id.split('_').filter(|word| *word != "current").collect();
    let found = words.iter().position(|word| VERBS.iter().any(|(known, _)| known == word));
    let said = found.map(|place| words.remove(place));
    let said = said.and_then(|said| VERBS.iter().find(|(known, _)| *known == said)).map(|(_, verb)| *verb);
    let verb = match (at.method, said) {
        ("get", None | Some("get")) => {
            if list {
                "list"
            } else {
                "get"
            }
        }
        (_, Some(said)) => said,
        ("post", None) => "create",
        ("put", None) => "set",
        ("delete", None) => "delete",
        _ => "edit",
    };
    if at.path == "/user" || at.path.starts_with("/user/") {
        words.iter_mut().filter(|word| **word == "user").for_each(|word| *word = "my");
    }
    words.dedup();
    if words.is_empty() {
        words.extend(at.path.split('/').rfind(|part| !part.is_empty() && !part.starts_with('{')));
    }
    let mut name = format!("{verb}_{}", words.join("_"));
    while name.len() > LONGEST - 2 && words.len() > 1 {
        words.remove(0);
        name = format!("{verb}_{}", words.join("_"));
    }
    let name = name.to_lowercase().replace(['-', '.'], "_");
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
    let free = free.unwrap_or(name);
    taken.insert(free.clone());
    free
}

/// A title of a tool's name: `List org runners`.
pub(super) fn title(name: &str) -> String {
    let title = name.to_title_case().to_lowercase();
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
