//! What could stand for a variable of a resource's address or for an argument of a prompt, as somebody types it.
//!
//! Uses [`crate::operations`]: what is offered comes out of the same tools, for a minute out of what is kept of them
//! ([`Forge::listed`]). What the account may not see, what is not there and what takes too long offers nothing: a
//! completion is a help, and its failure is none.

mod source;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value;

use crate::forge::{End, Entry, Forge, Listing};
use crate::operations::surface::Surface;
use crate::operations::{Limits, Outcome};
use crate::tools::{Tools, at};
use source::Source;
pub use source::{Known, Place};

/// The most values that are offered: the protocol's bound.
pub const MOST: usize = 100;

/// How long is looked for values; what is known by then is offered.
const PATIENCE: Duration = Duration::from_millis(1_800);

/// Under what listings are kept.
const KIND: &str = "completion";

/// The rows that are asked for of a list.
const ROWS: u64 = 50;

/// What may stand for a variable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completed {
    /// The best of them, up to [`MOST`]: what begins so, then what has a word that begins so.
    pub values: Vec<String>,
    /// How many were found.
    pub total: usize,
    /// Whether there are more.
    pub has_more: bool,
}

/// What begins with what was typed, of what may stand for `variable` in `place`. Sends reads, and never fails.
pub async fn complete(
    forge: &Forge,
    surface: &Surface,
    place: &Place<'_>,
    (variable, typed): (&str, &str),
    limits: &Limits,
) -> Completed {
    // Of a list with commas the last name is being typed.
    let (before, typed) = match variable {
        "labels" => typed.rfind(',').map_or(("", typed), |comma| typed.split_at(comma + 1)),
        _ => ("", typed),
    };
    let sources = source::of(place, variable, typed);
    let limits = Limits { timeout: limits.timeout.min(PATIENCE), ..*limits };
    let tools = Tools { forge, limits };
    let listed = join_all(sources.iter().map(|source| listing(surface, &tools, source))).await;
    let is_part = listed.iter().any(|listing| listing.end != End::All);
    let words = source::words(variable).iter().map(|word| Candidate { value: word, about: "" });
    let found = listed.iter().flat_map(|listing| &listing.entries).filter_map(Candidate::of);
    chosen(words.chain(found), typed, before, is_part)
}

/// Something that could be meant.
struct Candidate<'a> {
    value: &'a str,
    /// A title or a name by which people know it.
    about: &'a str,
}

impl<'a> Candidate<'a> {
    fn of(entry: &'a Entry) -> Option<Self> {
        let value = entry.names.first()?;
        Some(Self { value, about: entry.names.get(1).map_or("", String::as_str) })
    }

    /// How well it fits: 0 where it begins so, 1 where a word of it does.
    fn rank(&self, typed: &str) -> Option<u8> {
        let value = self.value.to_lowercase();
        if value.starts_with(typed) {
            return Some(0);
        }
        let about = self.about.to_lowercase();
        let begins = |text: &str| {
            let starts = text.char_indices().filter(|(at, c)| {
                c.is_alphanumeric()
                    && !text.get(..*at).is_some_and(|before| before.ends_with(char::is_alphanumeric))
            });
            starts.map(|(at, _)| at).any(|at| text.get(at..).is_some_and(|rest| rest.starts_with(typed)))
        };
        (begins(&value) || begins(&about)).then_some(1)
    }
}

fn chosen<'a>(
    candidates: impl Iterator<Item = Candidate<'a>>,
    typed: &str,
    before: &str,
    is_part: bool,
) -> Completed {
    let typed = typed.to_lowercase();
    let mut fitting: Vec<(u8, String)> = Vec::new();
    for candidate in candidates {
        let Some(rank) = candidate.rank(&typed) else { continue };
        let value = format!("{before}{}", candidate.value);
        match fitting.iter_mut().find(|(_, known)| *known == value) {
            Some((known, _)) => *known = rank.min(*known),
            None => fitting.push((rank, value)),
        }
    }
    // Among those that fit alike the forge's order stays.
    fitting.sort_by_key(|(rank, _)| *rank);
    let total = fitting.len();
    let values = fitting.into_iter().take(MOST).map(|(_, value)| value).collect();
    Completed { values, total, has_more: total > MOST || is_part }
}

/// What a source offers; nothing where it cannot be asked.
async fn listing(surface: &Surface, tools: &Tools<'_>, source: &Source) -> Arc<Listing> {
    let nothing = || Arc::<Listing>::default();
    if surface.of_resources(source.tool).is_err() {
        return nothing();
    }
    let key = source.key();
    if let Some(kept) = tools.forge.listed(&key, KIND) {
        return kept;
    }
    let asked =
        tokio::time::timeout(tools.limits.timeout, tools.outcome(source.tool, source.arguments.clone()));
    let Ok(Ok(Outcome::Json(answer))) = asked.await else { return nothing() };
    let listing = Arc::new(read(source, &answer));
    tools.forge.keep_listing(&key, KIND, &listing);
    listing
}

/// The values of an answer.
fn read(source: &Source, answer: &Value) -> Listing {
    let rows = match answer.get("items").and_then(Value::as_array) {
        Some(rows) => rows.iter().collect(),
        None => vec![answer],
    };
    let entries = rows.iter().filter_map(|row| {
        let text = |path: &str| match at(row, path)? {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let value = source.shown(&text(source.value)?, row)?;
        Some(Entry { id: 0, names: std::iter::once(value).chain(source.about.and_then(text)).collect() })
    });
    let end = if answer.get("next").is_none() { End::All } else { End::Cut };
    Listing { entries: entries.collect(), end }
}
