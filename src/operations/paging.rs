//! Whether a list goes on, how much there is, and what to send for the rest.
//!
//! What the forge tells decides, in this order:
//! 1. A `Link` header that speaks of pages: there is a next page where it names one, and none where it does not.
//! 2. A total (the body's own, else `X-Total-Count`) without `Link`: there is a next page while pages of the asked size
//!    do not reach the total. A server may cap the size (50 unless its administrator chose otherwise), which shows as
//!    fewer rows than the total left room for. On the first page that is certain, and the size that came is asked for
//!    from then on. On a later page it is taken to be so; where both readings fit (asked with more than 50 rows), the
//!    next page is offered: it may be empty, but nothing is lost.
//! 3. Neither: a full page (30 rows are enough, for a server that caps) offers the next one, an emptier one ends the list. To
//!    a program that sees when a page comes again ([`Needs::pages`]) each page with rows offers the next one, since a server
//!    may cap at fewer, or may pass over `page` and send the same for ever.
//!
//! Where the forge has a page size of its own ([`Paging::Fixed`]) that is not known, each reading of a page's rows that fits
//! the total counts, and without a total every page offers the next one: the last may be empty, but nothing is lost.
//!
//! A page without rows ends every list. One with more rows than were asked for is of a server that passes over `limit`, and
//! is cut to it here: where it tells of more rows than it sent, by a next page or a greater total, its pages have a size
//! of its own, and the rest of this one comes with `skip` before the next; otherwise it sends all it has whatever the page,
//! and a later page than the first is cut out of that. Rows alone never make a total, except where all of the list is here ([`Paging::Here`])
//! and the request set no bound.
//!
//! [`Needs::pages`]: super::Needs::pages
//! [`Paging::Fixed`]: super::descriptor::Paging::Fixed
//! [`Paging::Here`]: super::descriptor::Paging::Here

use http::HeaderMap;
use serde_json::{Map, Value};

use super::arguments::{DEFAULT_LIMIT, Engine};
use super::fit::{Whole, fit};
use super::projection::{Rows, Window};

/// The most rows that Forgejo sends in a page unless its administrator chose otherwise.
const USUAL_CAP: u64 = 50;

/// The bytes that `{"items":[],"next":{…},"total":…}` takes besides its rows.
const FRAME: usize = 120;

/// The bytes of `,"note":""`.
pub(super) const NOTE: usize = 10;

/// The rows to show of an answer that the forge has paged: all but the skipped.
pub(super) fn window_of_page(engine: &Engine) -> Window {
    Window { from: engine.skip, to: u64::MAX }
}

/// The rows to show of an answer that holds the whole list, which has so many.
pub(super) fn window_of_list(engine: &Engine, count: impl FnOnce() -> u64) -> Window {
    if let Some(last) = engine.last {
        return Window { from: count().saturating_sub(last).saturating_add(engine.skip), to: u64::MAX };
    }
    let Some(limit) = engine.limit else { return window_of_page(engine) };
    let start = engine.page.unwrap_or(1).saturating_sub(1).saturating_mul(limit);
    Window { from: start.saturating_add(engine.skip), to: start.saturating_add(limit) }
}

/// The total that the headers tell.
pub(super) fn total(headers: &HeaderMap) -> Option<u64> {
    headers.get("x-total-count")?.to_str().ok()?.trim().parse().ok()
}

/// The page behind this one, where the forge does the paging, and its size where that is not the one asked for.
fn page_after(engine: &Engine, rows: &Rows, headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let page = engine.page?;
    if rows.count == 0 {
        return None;
    }
    if let Some(next) = linked(page, headers) {
        return next.map(|next| (next, None));
    }
    let limit = engine.limit.unwrap_or(u64::MAX);
    // A total that is less than what was seen is none.
    let seen = page.saturating_sub(1).saturating_mul(limit).saturating_add(rows.count);
    let is_possible = |total: &u64| *total >= seen || (page > 1 && rows.count < limit);
    let goes_on = match rows.total.or_else(|| total(headers)).filter(is_possible) {
        Some(total) if page == 1 && rows.count < limit.min(total) => {
            return Some((2, engine.limit.and(Some(rows.count))));
        }
        Some(total) => goes_on(page, limit, rows.count, total),
        None => engine.needs.pages || rows.count >= limit.min(DEFAULT_LIMIT.unsigned_abs()),
    };
    goes_on.then_some((page + 1, None))
}

/// The page behind this one, where the forge has a size of its own.
fn page_after_own_size(engine: &Engine, rows: &Rows, headers: &HeaderMap) -> Option<u64> {
    let page = engine.page?;
    if rows.count == 0 {
        return None;
    }
    if let Some(next) = linked(page, headers) {
        return next;
    }
    let total = rows.total.or_else(|| total(headers)).filter(|total| *total >= rows.count);
    total.is_none_or(|total| page.saturating_mul(rows.count) < total).then_some(page + 1)
}

/// What `Link` tells, where it speaks of pages: the next one, or none. Whatever else it links says nothing of them.
fn linked(page: u64, headers: &HeaderMap) -> Option<Option<u64>> {
    let mut is_of_pages = false;
    for link in headers.get_all(http::header::LINK).iter().filter_map(|link| link.to_str().ok()) {
        for (address, rels) in links(link) {
            let is = |wanted: &str| rels.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case(wanted));
            if is("next") {
                let query = address.split_once('?').map_or("", |(_, query)| query);
                let named = query.split('&').find_map(|pair| pair.strip_prefix("page=")?.parse().ok());
                // A link that does not lead onwards would never end.
                return Some(Some(named.filter(|next: &u64| *next > page).unwrap_or(page + 1)));
            }
            is_of_pages |= ["first", "prev", "last"].into_iter().any(is);
        }
    }
    is_of_pages.then_some(None)
}

/// The links of a header: each address with the words of its `rel`.
fn links(header: &str) -> Vec<(&str, &str)> {
    let mut links = Vec::new();
    let mut rest = header;
    while let Some((address, tail)) = rest.split_once('<').and_then(|(_, after)| after.split_once('>')) {
        let about = tail.split_once('<').map_or(tail, |(about, _)| about);
        let rel = about.split([';', ',']).find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("rel").then(|| value.trim().trim_matches('"'))
        });
        links.push((address, rel.unwrap_or_default()));
        rest = tail;
    }
    links
}

/// Rule 2 of the module: `rows` is not 0 and at most `limit`.
pub(super) fn goes_on(page: u64, limit: u64, rows: u64, total: u64) -> bool {
    if page.saturating_mul(limit) < total {
        return true;
    }
    if rows == limit {
        return false;
    }
    let room = total.saturating_sub(page.saturating_sub(1).saturating_mul(limit));
    let fits = rows == room;
    let capped = page.saturating_mul(rows) < total;
    capped && (!fits || (page > 1 && limit > USUAL_CAP))
}

/// `{items, next?, total?}` of a page that the forge has cut, or was asked to cut, and the place of the first row of it that
/// is shown.
pub(super) fn page(engine: &Engine, rows: Rows, headers: &HeaderMap, max: usize) -> (Value, usize) {
    let total = rows.total.or_else(|| total(headers));
    if let Some(limit) = engine.limit.filter(|limit| rows.count > *limit) {
        let (items, next, start) = overfull(engine, limit, rows, (headers, total));
        return (listed(engine, items, next, total, max), start);
    }
    let next = page_after(engine, &rows, headers).map(|(page, limit)| next_page(engine, page, limit));
    (listed(engine, rows.items, next, total, max), 0)
}

/// The asked rows of a page that holds more than were asked for, and what leads to the others. The rows begin behind those
/// that the caller skips.
fn overfull(
    engine: &Engine,
    limit: u64,
    rows: Rows,
    (headers, total): (&HeaderMap, Option<u64>),
) -> (Vec<Value>, Option<Map<String, Value>>, usize) {
    let page = engine.page.unwrap_or(1);
    let links = linked(page, headers);
    let linked = links.flatten();
    let goes_on = linked.is_some() || total.is_some_and(|total| page.saturating_mul(rows.count) < total);
    // What the first page holds is gone through by `skip`, which is right for both kinds of server; one that links has pages.
    let by_skip = page == 1 || links.is_some() || total.is_some_and(|total| rows.count < total);
    let start = if by_skip { 0 } else { page.saturating_sub(1).saturating_mul(limit) };
    let shown = if by_skip { limit } else { limit.saturating_sub(engine.skip) };
    let size = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
    let items: Vec<Value> = rows.items.into_iter().skip(size(start)).take(size(shown)).collect();
    let next = if !by_skip {
        (page.saturating_mul(limit) < rows.count).then(|| next_page(engine, page + 1, None))
    } else if engine.skip.saturating_add(limit) < rows.count {
        Some(rest(engine, limit))
    } else {
        goes_on.then(|| next_page(engine, linked.unwrap_or(page + 1), None))
    };
    (items, next, size(start))
}

/// The same, where the forge has a page size of its own.
pub(super) fn page_of_own_size(engine: &Engine, rows: Rows, headers: &HeaderMap, max: usize) -> Value {
    let total = rows.total.or_else(|| total(headers));
    let next = page_after_own_size(engine, &rows, headers).map(|page| next_page(engine, page, None));
    listed(engine, rows.items, next, total, max)
}

/// `{items, next?, total?, note?}` of the whole list, whose page was cut here. Where the request bounds the rows and as
/// many came, a note says that there may be more.
pub(super) fn whole(
    engine: &Engine,
    rows: Rows,
    (headers, bound): (&HeaderMap, Option<u64>),
    max: usize,
) -> Value {
    let count = rows.count;
    let told = rows.total.or_else(|| total(headers));
    let is_full = bound.is_some_and(|bound| count >= bound);
    let note = match told {
        Some(total) if total > count && bound.is_some() => {
            Some(format!("the forge sends only the first {count} of {total}"))
        }
        None if is_full => Some(format!("the forge sends {count} at most here; there may be more")),
        _ => None,
    };
    let total = told.or_else(|| (!is_full).then_some(count)).map(|total| total.max(count));
    let goes_on =
        engine.last.is_none() && engine.limit.is_some() && window_of_list(engine, || count).to < count;
    let next = goes_on.then(|| next_page(engine, engine.page.unwrap_or(1) + 1, None));
    let room = note.as_ref().map_or(0, |note| note.len() + NOTE);
    let mut out = listed(engine, rows.items, next, total, max.saturating_sub(room));
    if let (Value::Object(fields), Some(note)) = (&mut out, note) {
        fields.insert("note".to_owned(), note.into());
    }
    out
}

/// `{items, next, total, …}` of the files of a text that is too long: behind their last row `next` leads to the text, and to
/// rows as those of the text that `as_of` names.
pub(super) fn files(
    engine: &Engine,
    (rows, total): (Vec<Value>, u64),
    (beside, as_of): (Map<String, Value>, Option<String>),
    max: usize,
) -> Value {
    let shown = rows.len() as u64;
    let has_more = engine.skip.saturating_add(shown) < total;
    let text = Map::from_iter([("offset".to_owned(), 0.into())]);
    let next = if has_more { rest(engine, shown) } else { text };
    let as_of = as_of.map(|as_of| ("as_of".to_owned(), Value::from(as_of)));
    let size = |(name, value): (&String, &Value)| name.len() + super::size::json(value) + 4;
    let told = beside.iter().chain(as_of.iter().map(|(name, value)| (name, value)));
    let mut out = listed(engine, rows, Some(next), Some(total), max.saturating_sub(told.map(size).sum()));
    if let Value::Object(fields) = &mut out {
        fields.extend(beside);
        if let Some(Value::Object(next)) = fields.get_mut("next").filter(|next| next.get("skip").is_some()) {
            next.extend(as_of);
        }
    }
    out
}

/// The arguments that lead to a page, laid over those of this call.
fn next_page(engine: &Engine, page: u64, limit: Option<u64>) -> Map<String, Value> {
    let mut next = Map::new();
    next.insert("page".to_owned(), page.into());
    if let Some(limit) = limit {
        next.insert("limit".to_owned(), limit.into());
    }
    if engine.skip > 0 {
        next.insert("skip".to_owned(), 0.into());
    }
    next
}

/// The arguments that lead to the rows of this page behind the next `shown`.
fn rest(engine: &Engine, shown: u64) -> Map<String, Value> {
    let mut rest = Map::new();
    let place = match engine.last {
        Some(last) => [("last", Some(last)), ("page", None)],
        None => [("page", engine.page), ("limit", engine.limit)],
    };
    for (name, value) in place {
        if let Some(value) = value {
            rest.insert(name.to_owned(), value.into());
        }
    }
    rest.insert("skip".to_owned(), engine.skip.saturating_add(shown).into());
    rest
}

/// Puts the answer together; rows that exceed the budget are left to the next call, and one that does so by itself is cut.
fn listed(
    engine: &Engine,
    mut items: Vec<Value>,
    mut next: Option<Map<String, Value>>,
    total: Option<u64>,
    max: usize,
) -> Value {
    let room = max.saturating_sub(FRAME);
    let fitting = fitting(&items, room);
    if fitting < items.len() {
        items.truncate(fitting);
        next = Some(rest(engine, fitting as u64));
    }
    let mut out = Map::with_capacity(3);
    out.insert("items".to_owned(), Value::Array(Vec::new()));
    if let Some(next) = next {
        out.insert("next".to_owned(), Value::Object(next));
    }
    if let Some(total) = total {
        out.insert("total".to_owned(), total.into());
    }
    let mut out = Value::Object(out);
    if let [only] = items.as_mut_slice() {
        // What stands around it is known by now.
        let around = super::size::json(&out);
        let by = Whole::Again(around.max(FRAME + 1));
        fit(only, max.saturating_sub(around), by);
    }
    if let Value::Object(fields) = &mut out {
        fields.insert("items".to_owned(), Value::Array(items));
    }
    out
}

/// How many rows fit into so many bytes: at least one, so that following `next` gets on.
fn fitting(items: &[Value], max: usize) -> usize {
    let mut left = max;
    for (at, item) in items.iter().enumerate() {
        match left.checked_sub(super::size::json(item) + 1) {
            Some(rest) => left = rest,
            None => return at.max(1),
        }
    }
    items.len()
}
