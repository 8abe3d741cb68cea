//! What could stand for a variable of a resource's address or for an argument of a prompt, as somebody types it.
//!
//! Uses [`crate::operations`]: what is offered comes out of the same tools, for a minute out of what is kept of them
//! ([`Forge::listed`]). What the account may not see, what is not there and what takes too long offers nothing: a
//! completion is a help, and its failure is none.

mod source;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value;
use tokio::time::Instant;

use crate::forge::{End, Entry, Forge, Listing};
use crate::operations::surface::Surface;
use crate::operations::{Code, Limits, OperationError};
use crate::tools::{Tools, at};
use source::Source;
pub use source::{Known, Place};

/// The most values that are offered: the protocol's bound.
pub const MOST: usize = 100;

/// How long is looked for values; what is known by then is offered.
const PATIENCE: Duration = Duration::from_millis(1_800);

/// Under what listings are kept.
const KIND: &str = "completion";

/// The rows that are asked for in a page of a list.
const ROWS: u64 = 50;

/// The most pages of a list that are read.
const PAGES: usize = 10;

/// What may stand for a variable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completed {
    /// The best of them, up to [`MOST`]: what begins so, then what has a word that begins so.
    pub values: Vec<String>,
    /// How many there are; none where not all of a list was read.
    pub total: Option<usize>,
    /// Whether there are more, or may be.
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
    let is_list = variable == "labels";
    let comma = typed.rfind(',').filter(|_| is_list);
    let (before, typed) = comma.map_or(("", typed), |comma| typed.split_at(comma + 1));
    let sources = source::of(place, variable, typed);
    let limits = Limits { timeout: limits.timeout.min(PATIENCE), ..*limits };
    let asked = Asked {
        surface,
        tools: Tools::new(forge, limits).following(),
        until: Instant::now() + limits.timeout,
    };
    let offered = join_all(sources.iter().map(|source| asked.offered(source))).await;
    let is_part = offered.iter().any(|offered| offered.is_part);
    let words = source::words(variable).iter().copied().chain(source::named(forge, place, variable));
    let words = words.map(|word| Candidate { value: word, about: "" });
    let listings = offered.iter().flat_map(|offered| &offered.listings);
    let found = listings.flat_map(|listing| &listing.entries).filter_map(Candidate::of);
    // A name with a comma cannot be told from two.
    let candidates = words.chain(found).filter(|candidate| !(is_list && candidate.value.contains(',')));
    chosen(candidates, typed, before, is_part)
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
    let mut places: HashMap<String, usize> = HashMap::new();
    for candidate in candidates {
        let Some(rank) = candidate.rank(&typed) else { continue };
        let value = format!("{before}{}", candidate.value);
        let place = *places.entry(value.clone()).or_insert(fitting.len());
        match fitting.get_mut(place) {
            Some((known, _)) => *known = rank.min(*known),
            None => fitting.push((rank, value)),
        }
    }
    // Among those that fit alike the forge's order stays.
    fitting.sort_by_key(|(rank, _)| *rank);
    let count = fitting.len();
    let values = fitting.into_iter().take(MOST).map(|(_, value)| value).collect();
    Completed { values, total: (!is_part).then_some(count), has_more: count > MOST || is_part }
}

/// What is asked, whom, and until when.
struct Asked<'a> {
    surface: &'a Surface,
    tools: Tools<'a>,
    until: Instant,
}

/// What a source offers.
#[derive(Default)]
struct Offered {
    listings: Vec<Arc<Listing>>,
    /// Whether there may be more that fit.
    is_part: bool,
}

impl Asked<'_> {
    /// What a source offers; nothing where it cannot be asked. What a list has behind its first page is searched for,
    /// where the forge can.
    async fn offered(&self, source: &Source) -> Offered {
        let Some(list) = self.listing(source).await else { return Offered::default() };
        let found = match &source.search {
            Some(search) if list.end != End::All => self.listing(search).await,
            _ => None,
        };
        let is_part = found.as_ref().unwrap_or(&list).end != End::All;
        Offered { listings: std::iter::once(list).chain(found).collect(), is_part }
    }

    /// The values of a list, up to [`PAGES`] pages; none where it may not be asked for.
    async fn listing(&self, source: &Source) -> Option<Arc<Listing>> {
        let Self { tools, until, .. } = self;
        self.surface.of_resources(source.tool).ok()?;
        let key = source.key();
        if let Some(kept) = tools.forge.listed(&key, KIND) {
            return Some(kept);
        }
        let mut listing = Listing { end: End::Cut, ..Listing::default() };
        let (mut arguments, mut before) = (source.arguments.clone(), Vec::new());
        for number in 0..source.pages() {
            let asked = tokio::time::timeout_at(*until, tools.object(source.tool, arguments.clone()));
            let page = match asked.await {
                Ok(Ok(page)) => page,
                Ok(Err(error)) if number == 0 && is_nothing(&error) => return None,
                // What is known by now is offered, and asked for again the next time.
                Ok(Err(_)) | Err(_) => return Some(Arc::new(listing)),
            };
            let entries = entries(source, &page);
            let next = page.get("next").and_then(Value::as_object).cloned();
            let is_again = !entries.is_empty() && entries == before;
            if !is_again {
                listing.entries.extend(entries.iter().cloned());
            }
            let Some(next) = next.filter(|_| !is_again) else {
                listing.end = if source.is_end && is_more(&page) { End::Cut } else { End::All };
                break;
            };
            arguments.extend(next);
            before = entries;
        }
        let listing = Arc::new(listing);
        tools.forge.keep_listing(&key, KIND, &listing);
        Some(listing)
    }
}

/// Whether an error says that there is nothing to be offered, and not that it is not known.
fn is_nothing(error: &OperationError) -> bool {
    use Code::{Forbidden, MissingScope, NotFound, Refused, Unauthorized, UnavailableHere};
    matches!(error.code, Forbidden | MissingScope | NotFound | Refused | Unauthorized | UnavailableHere)
}

/// The rows of an answer.
fn rows(answer: &Value) -> &[Value] {
    answer.get("items").and_then(Value::as_array).map_or(std::slice::from_ref(answer), Vec::as_slice)
}

/// Whether a list has more than those rows from its end.
fn is_more(answer: &Value) -> bool {
    answer.get("total").and_then(Value::as_u64).is_some_and(|total| total > rows(answer).len() as u64)
}

/// The values of an answer.
fn entries(source: &Source, answer: &Value) -> Vec<Entry> {
    let entries = rows(answer).iter().filter_map(|row| {
        let text = |path: &str| match at(row, path)? {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let value = source.shown(&text(source.value)?, row)?;
        Some(Entry { id: 0, names: std::iter::once(value).chain(source.about.and_then(text)).collect() })
    });
    entries.collect()
}
