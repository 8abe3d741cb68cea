//! Names that callers give an id or a number without looking: `hook_id` for the `id` of `/hooks/{id}`, `issue_number`
//! for the `index` of `/issues/{index}`. They are accepted and listed nowhere but in the lock and the reference.

use super::super::tool::{Argument, Place};
use super::arguments::RESERVED;

/// Adds to the arguments in a path the names that nothing else of the tool has.
pub(super) fn add(path: &str, retired: &[&str], arguments: &mut [Argument]) {
    for at in 0..arguments.len() {
        let Some(wire) = arguments.get(at).filter(|a| a.place == Place::Path).map(|a| a.wire.clone()) else {
            continue;
        };
        for name in names(path, &wire) {
            let is_taken = retired.contains(&name.as_str())
                || RESERVED.contains(&name.as_str())
                || arguments.iter().any(|a| a.name == name || a.aliases.contains(&name));
            if let Some(argument) = arguments.get_mut(at).filter(|_| !is_taken) {
                argument.aliases.push(name);
            }
        }
    }
}

/// The names of a path parameter that is an id or an index: its own on the wire, and those made of what it counts.
fn names(path: &str, wire: &str) -> Vec<String> {
    let forms: &[&str] = match wire {
        "index" => &["number", "index"],
        _ if wire == "id" || wire.ends_with("_id") => &["id"],
        _ => return Vec::new(),
    };
    let mut names = vec![wire.to_owned()];
    names.push(if wire == "index" { "number" } else { "id" }.to_owned());
    let Some(noun) = noun(path, wire) else { return names };
    // `key_id` for a `gpg_key`.
    let last = noun.rsplit('_').next().unwrap_or(&noun);
    for noun in [noun.as_str(), last] {
        names.extend(forms.iter().map(|form| format!("{noun}_{form}")));
    }
    names
}

/// What a path parameter counts: the last plural before it, behind any other parameter, as one.
fn noun(path: &str, wire: &str) -> Option<String> {
    let (before, _) = path.split_once(&format!("/{{{wire}}}"))?;
    let fixed = before.rsplit('}').next()?;
    let plural = fixed.rsplit('/').find_map(|segment| segment.strip_suffix('s'))?;
    Some(plural.strip_suffix("ie").map_or_else(|| plural.to_owned(), |stem| format!("{stem}y")))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn an_id_has_the_names_of_what_it_counts_and_no_others() {
        for (path, wire, expected) in [
            ("/repos/{owner}/{repo}/hooks/{id}", "id", "id id hook_id hook_id"),
            ("/repos/{owner}/{repo}/issues/comments/{id}", "id", "id id comment_id comment_id"),
            ("/repositories/{id}", "id", "id id repository_id repository_id"),
            ("/user/gpg_keys/{id}", "id", "id id gpg_key_id key_id"),
            ("/user/applications/oauth2/{id}", "id", "id id application_id application_id"),
            ("/issues/{index}/assets/{attachment_id}", "attachment_id", "attachment_id id asset_id asset_id"),
            ("/pulls/{index}/files", "index", "index number pull_number pull_index pull_number pull_index"),
            ("/repos/{owner}/{repo}", "repo", ""),
            ("/{id}", "id", "id id"),
        ] {
            assert_eq!(names(path, wire).join(" "), expected, "{path}");
        }
    }
}
