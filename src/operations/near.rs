//! Names close to one that was not known, for errors that help.

use std::cmp::Reverse;

/// How many names are told at most.
const MOST: usize = 3;

/// Verbs of tools that only look.
const LOOKS: [&str; 8] = ["check", "find", "get", "list", "read", "search", "show", "view"];

/// The names close to one that is not known, closest first, three at most; empty where none is.
///
/// Close is within two edits or a third of the name's length, but not so many that nothing of either is left, or one within
/// the other; case and the marks between words do not count.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let folded = fold(name);
    let allowed = 2.max(folded.chars().count() / 3);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|candidate| {
            let other = fold(candidate);
            let distance = strsim::damerau_levenshtein(&folded, &other);
            let part =
                folded.len() > 2 && other.len() > 2 && (other.contains(&folded) || folded.contains(&other));
            let is_alike = distance < folded.chars().count().max(other.chars().count());
            ((distance <= allowed && is_alike) || part).then_some((distance, candidate))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    let mut seen = std::collections::HashSet::new();
    found.retain(|(_, name)| seen.insert(*name));
    found.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// The same for tools, whose names are also close by the words that they share: `list_issues` is close to
/// `list_repo_issues` and `search_issues`, but not to `list_branches`: a shared verb alone is nothing. A slip of the pen
/// has no need of this.
pub fn near_tools<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let spelled = near(name, known.iter().copied());
    let folded = fold(name);
    let slip = 2.min(1.max(folded.chars().count() / 6));
    if spelled.first().is_some_and(|first| strsim::damerau_levenshtein(&folded, &fold(first)) <= slip) {
        return spelled;
    }
    let asked = words(name);
    // Among equals the shortest, and what is about a repository.
    let mut alike: Vec<(Reverse<usize>, usize, bool, usize, &str)> = known
        .iter()
        .filter_map(|candidate| {
            let own = words(candidate);
            let score = likeness(subject(&asked), subject(&own));
            let elsewhere = !own.iter().any(|word| word == "repo");
            (score > 0).then_some((Reverse(score), subject(&own).len(), elsewhere, own.len(), *candidate))
        })
        .collect();
    alike.sort_unstable();
    let mut found: Vec<String> = alike.into_iter().map(|(.., name)| name.to_owned()).take(MOST).collect();
    // What is only spelled alike may be about something else, and then nothing that deletes is offered.
    let safe = spelled.into_iter().filter(|name| !name.starts_with("delete_"));
    for other in safe {
        if !found.contains(&other) {
            found.push(other);
        }
    }
    found.truncate(MOST);
    found
}

/// How much the words of a name say the same as those of a tool: its nouns, what it is about (the last of them), its
/// verb, or at least that both only look. 0 where no noun is shared.
fn likeness(asked: &[String], tool: &[String]) -> usize {
    let Some((verb, nouns)) = tool.split_first() else { return 0 };
    let shared = nouns.iter().filter(|word| asked.contains(word)).count();
    if shared == 0 {
        return 0;
    }
    let looks = |word: &String| LOOKS.contains(&word.as_str());
    let verbs = match asked.contains(verb) {
        true => 2,
        false => usize::from(looks(verb) && asked.iter().any(looks)),
    };
    4 * shared + 3 * usize::from(asked.last() == nouns.last()) + verbs
}

/// The words of a name before those that say by what it is found (`get_issue_by_index`).
fn subject(words: &[String]) -> &[String] {
    words.split(|word| word == "by").next().unwrap_or_default()
}

/// ` (did you mean A or B?)`, or nothing where no name is near.
pub fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!(" (did you mean {}?)", names.join(" or ")),
    }
}

/// The words of a text in lower case and in the singular; `pr` is a pull request.
pub fn words(text: &str) -> Vec<String> {
    let plain = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(singular);
    plain
        .flat_map(|word| {
            if ["pr", "prs"].contains(&word.as_str()) {
                vec!["pull".to_owned(), "request".to_owned()]
            } else {
                vec![word]
            }
        })
        .collect()
}

/// A word in lower case, without the ending of a plural.
fn singular(word: &str) -> String {
    let word: String = word.chars().flat_map(char::to_lowercase).collect();
    let long = word.chars().count() > 3;
    if let (Some(stem), true) = (word.strip_suffix("ies"), long) {
        return format!("{stem}y");
    }
    let sibilant = ["ches", "shes", "sses", "uses", "xes"].iter().any(|ending| word.ends_with(ending));
    let stem = match sibilant {
        true => word.strip_suffix("es"),
        false => word.strip_suffix('s').filter(|stem| long && !stem.ends_with(['s', 'u', 'i'])),
    };
    stem.map_or_else(|| word.clone(), str::to_owned)
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: [&str; 8] = [
        "create_issue",
        "create_issue_comment",
        "get_issue_by_index",
        "get_wiki_page",
        "list_branches",
        "list_repo_issues",
        "list_repos",
        "search_issues",
    ];

    #[test]
    fn tools_are_near_by_the_words_that_they_share_and_not_by_a_verb_alone() {
        for (asked, expected) in [
            ("list_issues", "list_repo_issues search_issues get_issue_by_index"),
            ("get_issue", "get_issue_by_index search_issues list_repo_issues"),
            ("issue_create", "create_issue create_issue_comment search_issues"),
            ("list_repo_isues", "list_repo_issues list_repos"),
            ("read_page", "get_wiki_page"),
            ("list_branch", "list_branches"),
            ("delete_wiki", "get_wiki_page"),
            ("list_xylophones", ""),
            ("", ""),
        ] {
            assert_eq!(near_tools(asked, TOOLS).join(" "), expected, "{asked}");
        }
    }

    #[test]
    fn a_name_that_shares_nothing_is_not_near_and_none_is_told_twice() {
        for (asked, known, expected) in [
            ("", ["12", "v1", "bug"].as_slice(), ""),
            ("99", &["12", "v1", "98"], "98"),
            ("v", &["v1", "x", "12"], "v1"),
            ("bgu", &["bug", "Bug", "bug"], "bug Bug"),
            ("bug", &["Bug"], "Bug"),
        ] {
            assert_eq!(near(asked, known.iter().copied()).join(" "), expected, "{asked}");
        }
    }

    #[test]
    fn plurals_are_the_words_that_they_are_of() {
        let plain = words("branches repositories statuses Issues labels access boxes is status releases");
        let expected = "branch repository status issue label access box is status release";
        assert_eq!(plain.join(" "), expected);
    }
}
