//! Pages put together out of recorded rows: the rows of every recorded page of a list are put in their places, and the
//! page that is asked for is cut out of them. A hole is no page.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::body::join_rows;
use super::load::split_rows;
use super::paging::{self, Asking, Rule};
use super::{Answer, Answered, Asked, Body, Exchange, Recordings, key, tree};

/// The page that is asked for, where all its rows are known and the forge's way of paging this list is.
pub(crate) fn page(recordings: &Recordings, list: &str, asked: &Asked) -> Option<Answer> {
    let operation = &recordings.list(list).next_back()?.operation;
    let asking = Asking::read(&asked.target, operation)?;
    if recordings.pages(list).next().is_none() {
        return refusal(recordings, list);
    }
    if paging::short_lists_only(operation) {
        return short_list(recordings, list, asking);
    }
    let rule = paging::rule(operation)?;
    let fits = |page: &Page<'_>| {
        !rule.own_order || page.asking.is_some_and(|other| other.page.is_some() == asking.page.is_some())
    };
    let pages: Vec<Page<'_>> =
        recordings.pages(list).filter_map(|page| Page::read(page, rule.total_of_page)).filter(fits).collect();
    let mut tried: Vec<Option<u64>> = Vec::new();
    // A list that changed between two recordings is two lists, told apart by their totals; the later one counts.
    for page in pages.iter().rev() {
        if tried.contains(&page.total) {
            continue;
        }
        tried.push(page.total);
        let same: Vec<&Page<'_>> = pages.iter().filter(|other| other.total == page.total).collect();
        if let Some(answer) = Rows::place(&same, rule).cut(asking, rule, asked, page) {
            return Some(answer);
        }
    }
    None
}

/// A list that is whole on its recorded first page, for a first page of another size that holds it as well.
fn short_list(recordings: &Recordings, list: &str, asking: Asking) -> Option<Answer> {
    let whole = |page: &Page<'_>| {
        let length = page.rows.len();
        page.asking.is_some_and(|recorded| recorded.holds(length + 1) && asking.holds(length))
    };
    let page = recordings.pages(list).rev().filter_map(|page| Page::read(page, true)).find(whole)?;
    let response = &page.exchange.response;
    Some(Answer {
        status: 200,
        headers: response.headers.clone(),
        body: response.bytes(),
        from: Answered::Sliced,
    })
}

/// A list that was always refused the same way, whatever page was asked for, is refused so for every page: rights and
/// existence are looked at before pages are.
fn refusal(recordings: &Recordings, list: &str) -> Option<Answer> {
    let last = recordings.list(list).next_back()?;
    let alike = |other: &Exchange| {
        other.status == last.status
            && other.response.bytes() == last.response.bytes()
            && Asking::read(&other.target, &other.operation).is_some()
    };
    let steady = matches!(last.status, 401 | 403 | 404 | 500) && recordings.list(list).all(alike);
    steady.then(|| Answer {
        status: last.status,
        headers: last.response.headers.clone(),
        body: last.response.bytes(),
        from: Answered::Sliced,
    })
}

/// One recorded page.
struct Page<'a> {
    exchange: &'a Exchange,
    asking: Option<Asking>,
    total: Option<u64>,
    rows: Vec<Bytes>,
}

#[derive(Deserialize)]
struct Wrapped<'a> {
    #[serde(
        borrow,
        alias = "data",
        alias = "topics",
        alias = "workflow_runs",
        alias = "statuses",
        alias = "tree"
    )]
    rows: Option<&'a RawValue>,
    total_count: Option<u64>,
}

impl<'a> Page<'a> {
    fn read(exchange: &'a Exchange, total_of_page: bool) -> Option<Self> {
        let body = &exchange.response.body;
        let (rows, inner) = match body {
            Body::Rows(rows) => (rows.to_vec(), None),
            Body::Whole(value) if value.starts_with(b"{") => {
                let wrapped: Wrapped<'_> = serde_json::from_slice(value).ok()?;
                let rows = Body::Whole(value.slice_ref(wrapped.rows?.get().as_bytes()));
                (split_rows(&rows).map_or_else(Vec::new, |rows| rows.to_vec()), wrapped.total_count)
            }
            Body::Whole(value) if *value == "null" => (Vec::new(), None),
            Body::Whole(_) => (split_rows(body)?.to_vec(), None),
            Body::Absent | Body::Truncated(_) => return None,
        };
        let header = exchange.response.header("x-total-count").and_then(|value| value.parse().ok());
        let total = header.or(inner).filter(|_| !total_of_page);
        Some(Self { exchange, asking: Asking::read(&exchange.target, &exchange.operation), total, rows })
    }

    /// The body with other rows in the place of its own; `None` where there is no such place.
    fn with_rows(&self, rows: &[Bytes], asking: Asking, rule: Rule) -> Option<Bytes> {
        let joined = join_rows(rows);
        match &self.exchange.response.body {
            Body::Whole(value) if rule.tree => {
                tree::page(value, &joined, asking.page.unwrap_or(1), asking.link_size(rule))
            }
            Body::Whole(value) if value.starts_with(b"{") => {
                let wrapped: Wrapped<'_> = serde_json::from_slice(value).ok()?;
                let old = wrapped.rows?.get().as_bytes();
                let from = (old.as_ptr() as usize).checked_sub(value.as_ptr() as usize)?;
                let (before, after) = (value.get(..from)?, value.get(from + old.len()..)?);
                Some([before, &joined, after].concat().into())
            }
            _ => Some(joined),
        }
    }
}

/// The rows of a list in their places.
struct Rows {
    known: Vec<Option<Bytes>>,
    /// How many there are, where that is known.
    length: Option<usize>,
}

impl Rows {
    fn place(pages: &[&Page<'_>], rule: Rule) -> Self {
        let mut rows = Self { known: Vec::new(), length: None };
        for page in pages {
            let Some((from, size)) = page.asking.and_then(|asking| asking.place(rule)) else { continue };
            for (at, row) in page.rows.iter().enumerate() {
                if rows.known.len() <= from + at {
                    rows.known.resize(from + at + 1, None);
                }
                if let Some(place) = rows.known.get_mut(from + at) {
                    *place = Some(row.clone());
                }
            }
            let end = from + page.rows.len();
            let last = size.is_none_or(|size| page.rows.len() < size) && (from == 0 || !page.rows.is_empty());
            if last {
                rows.length = Some(end);
            }
        }
        if let Some(total) = pages.first().and_then(|page| page.total) {
            rows.length = usize::try_from(total).ok();
        }
        rows
    }

    fn cut(&self, asking: Asking, rule: Rule, asked: &Asked, like: &Page<'_>) -> Option<Answer> {
        let length = self.length.unwrap_or(usize::MAX);
        let (from, to) = asking.range(rule, self.length)?;
        let (from, to) = (from.min(length), to.min(length));
        if self.length.is_none() && to > self.known.len() {
            return None;
        }
        let rows: Option<Vec<Bytes>> = self.known.get(from..to)?.iter().cloned().collect();
        let rows = rows?;
        let empty = rows.is_empty() && rule.null_beyond;
        let body = if empty { Bytes::from_static(b"null") } else { like.with_rows(&rows, asking, rule)? };
        let mut headers = Vec::new();
        for name in ["content-type", "x-total-count"] {
            if let Some(value) = like.exchange.response.header(name) {
                let own = rule.total_of_page && name == "x-total-count";
                let value = if own { rows.len().to_string() } else { value.to_owned() };
                headers.push((name.to_owned(), value));
            }
        }
        if let Some(link) =
            like.total.filter(|_| rule.link).and_then(|total| link(asked, asking, rule, total))
        {
            headers.push(("link".to_owned(), link));
        }
        Some(Answer { status: 200, headers, body: Some(body), from: Answered::Sliced })
    }
}

/// The Link header of a page as Forgejo makes it: a page beyond the end counts as the last one.
fn link(asked: &Asked, asking: Asking, rule: Rule, total: u64) -> Option<String> {
    let last = total.div_ceil(asking.link_size(rule).try_into().ok()?).max(1);
    let page = u64::try_from(asking.page.unwrap_or(1)).ok()?.min(last);
    let mut places = Vec::new();
    if page < last {
        places.extend([("next", page + 1), ("last", last)]);
    }
    if page > 1 {
        places.extend([("first", 1), ("prev", page - 1)]);
    }
    let (path, query) = key::split(&asked.target);
    let links: Vec<String> = places
        .into_iter()
        .map(|(name, page)| format!("<{}{path}?{}>; rel=\"{name}\"", super::WEB_BASE, with_page(query, page)))
        .collect();
    (!links.is_empty()).then(|| links.join(","))
}

/// The query with another page, sorted by name and with `+` for spaces, as Go writes it.
fn with_page(query: &str, page: u64) -> String {
    let mut pairs: Vec<(String, String)> =
        key::pairs(query).into_iter().filter(|(name, _)| name != "page").collect();
    pairs.push(("page".to_owned(), page.to_string()));
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    let written: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    written.join("&").replace("%20", "+")
}
