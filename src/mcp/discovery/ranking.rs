//! Which tools have the words that somebody looks for: a small ranking over names, titles and descriptions.
//!
//! Words count in the singular and as beginnings of each other, a word in the name more than one in the title, and that
//! more than one in the description; rare words count more than those that every tool has.

use crate::operations::Operation;
use crate::operations::near::words;

/// What a word counts in the name, in the title and in the description; the half of it where it only begins alike.
const PLACES: [f64; 3] = [6.0, 3.0, 1.0];
/// What a word of the name costs that nobody asked for.
const SPARE: f64 = 0.4;
/// A tool with less than this part of the best score is left out.
const FLOOR: f64 = 0.35;
/// Words that say nothing.
const IDLE: [&str; 24] = [
    "a", "all", "an", "and", "any", "by", "can", "do", "for", "from", "how", "i", "in", "into", "is", "me",
    "my", "of", "on", "the", "to", "tool", "what", "with",
];
/// The longest query that is read, in words.
const MOST_WORDS: usize = 24;

/// The tools that the query is about, best first.
pub(super) fn ranked(operations: &[&'static Operation], query: &str) -> Vec<&'static Operation> {
    let mut asked: Vec<String> =
        words(query).into_iter().filter(|word| !IDLE.contains(&word.as_str())).take(MOST_WORDS).collect();
    asked.dedup();
    let entries: Vec<[Vec<String>; 3]> =
        operations.iter().map(|o| [words(o.name), words(o.title), words(o.about)]).collect();
    let weights: Vec<f64> = asked.iter().map(|word| rarity(word, &entries)).collect();
    let mut scored: Vec<(f64, &'static Operation)> = operations
        .iter()
        .zip(&entries)
        .filter_map(|(operation, entry)| {
            let parts = asked.iter().zip(&weights).map(|(word, weight)| weight * worth(word, entry));
            let score: f64 = parts.sum();
            let [name, ..] = entry;
            let spare = name.iter().filter(|own| !asked.iter().any(|word| alike(word, own) > 0.0)).count();
            (score > 0.0).then_some((score - SPARE * spare as f64, *operation))
        })
        .collect();
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.name.cmp(other.name)));
    let floor = scored.first().map_or(0.0, |(best, _)| best * FLOOR);
    scored.into_iter().take_while(|(score, _)| *score >= floor).map(|(_, operation)| operation).collect()
}

/// How much a word tells: the more, the fewer tools have it.
fn rarity(word: &str, entries: &[[Vec<String>; 3]]) -> f64 {
    let having = entries.iter().filter(|entry| worth(word, entry) > 0.0).count();
    (1.0 + entries.len() as f64 / (1.0 + having as f64)).ln()
}

/// What a word counts for a tool: the best of its places.
fn worth(word: &str, entry: &[Vec<String>; 3]) -> f64 {
    let places = entry.iter().zip(PLACES);
    places.flat_map(|(own, place)| own.iter().map(move |own| place * alike(word, own))).fold(0.0, f64::max)
}

/// 1 for the same word, a half where one begins the other, else 0.
fn alike(asked: &str, own: &str) -> f64 {
    let begins = |short: &str, long: &str| short.chars().count() > 2 && long.starts_with(short);
    if asked == own {
        1.0
    } else if begins(asked, own) || (own.chars().count() > 3 && begins(own, asked)) {
        0.5
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::table::OPERATIONS;

    #[test]
    fn the_tool_that_is_meant_comes_first() {
        let all: Vec<&'static Operation> = OPERATIONS.iter().collect();
        for (query, expected) in [
            ("merge a pull request", "merge_pull_request"),
            ("create branch", "create_branch"),
            ("how do I open an issue", "create_issue"),
            ("branches list", "list_branches"),
            ("comment on issue", "create_issue_comment"),
            ("diff of pull request", "get_pull_request_diff"),
            ("list_repo_labels", "list_repo_labels"),
        ] {
            let found = ranked(&all, query);
            let names: Vec<&str> = found.iter().take(3).map(|operation| operation.name).collect();
            assert_eq!(names.first(), Some(&expected), "{query}: {names:?}");
        }
        assert!(ranked(&all, "xylophone").is_empty());
        assert!(ranked(&all, "the a of").is_empty());
    }
}
