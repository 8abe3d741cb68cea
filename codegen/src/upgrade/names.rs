//! A tool's name for an operation, in the inventory's form: verb and noun, of what operationId, method and path say.

use std::collections::BTreeSet;

use heck::{ToSnakeCase, ToTitleCase};

use crate::document::Located;

/// The longest name of a tool, in characters.
const LONGEST: usize = 40;

/// Words of operationIds that are verbs, and the inventory's word for each.
const VERBS: [(&str, &str); 20] = [
    ("list", "list"),
    ("get", "get"),
    ("search", "search"),
    ("check", "check"),
    ("is", "check"),
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

/// Words of operationIds that the inventory has another word for.
const WORDS: [(&str, &str); 6] = [
    ("admin", "site"),
    ("organization", "org"),
    ("organizations", "orgs"),
    ("repository", "repo"),
    ("repositories", "repos"),
    ("pull", "pull_request"),
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
    scope(at.path, &mut words);
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

/// The inventory's words, of which the first tells whose it is: `repo`, `org`, `my` (the token's account), `user` (one
/// that is named), `site` (the whole forge).
fn scope(path: &str, words: &mut Vec<&str>) {
    let below =
        |group: &str| path.strip_prefix(group).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if below("/user") {
        words.iter_mut().filter(|word| **word == "user").for_each(|word| *word = "my");
    }
    for word in words.iter_mut() {
        if let Some((_, own)) = WORDS.iter().find(|(known, _)| known == word) {
            *word = own;
        }
    }
    // What a site administrator does to somebody's account is that account's.
    if below("/admin/users/{username}") {
        words.retain(|word| *word != "site");
    } else if below("/admin") && !words.contains(&"site") {
        words.insert(0, "site");
    }
}

/// The boolean of a yes or no: what the operationId says behind `is` or `check`, as `is_member`, `starred`.
pub(super) fn yes_no(id: &str) -> String {
    let id = id.to_snake_case();
    let word = id.rsplit_once("is_").map_or(id.as_str(), |(_, word)| word);
    let last = word.rsplit('_').next().unwrap_or(word);
    let tells = ["ing", "ed"].iter().any(|end| last.ends_with(end));
    match tells {
        true => last.to_owned(),
        false if word == id => format!("is_{last}"),
        false => format!("is_{word}"),
    }
}

/// A title of a tool's name: `List org runners`.
pub(super) fn title(name: &str) -> String {
    let title = name.to_title_case().to_lowercase();
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
