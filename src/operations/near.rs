//! Names close to one that was not known, for errors that help.

/// Up to three of `names` that are close to `name`, the closest first; empty where none is.
///
/// Close is a Jaro-Winkler likeness of at least 0.8, so that a slip of a few letters or a missing ending counts.
pub fn near<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    scored.sort_by(|(left, a), (right, b)| right.total_cmp(left).then_with(|| a.cmp(b)));
    scored.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}
