//! Names close to one that was not known, for errors that help.

/// The names close to one that is not known, closest first, three at most; empty where none is.
///
/// Close is within two edits or a third of the name's length, or one within the other; case and the marks between words
/// do not count.
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
            (distance <= allowed || part).then_some((distance, candidate))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// ` (did you mean A or B?)`, or nothing where no name is near.
pub fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!(" (did you mean {}?)", names.join(" or ")),
    }
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}
