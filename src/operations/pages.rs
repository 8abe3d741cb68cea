//! A list read whole, page by page: where names are looked up, and where rows are counted or joined here.

use std::collections::HashSet;
use std::time::Instant;

use forgehand_client::{Call, Raw};
use http::StatusCode;

use super::descriptor::Operation;
use super::{OperationError, paging, reading, refusal};
use crate::forge::{End, Forge};

/// The rows of a page that is asked for.
pub(super) const SIZE: u64 = 50;

/// How a list is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) forge: &'a Forge,
    pub(super) operation: &'static Operation,
    pub(super) deadline: Instant,
    /// The most pages that are read; 1 where the list has no pages.
    pub(super) most: u64,
    /// Whether the list has pages.
    pub(super) is_paged: bool,
    /// Whether it may be absent (404) or closed to the token (403).
    pub(super) is_optional: bool,
}

/// A list of which some pages are read.
pub(super) struct Pages<'a> {
    source: Source<'a>,
    page: u64,
    seen: HashSet<i64>,
    /// How many rows there are, as the last page told it.
    pub(super) total: Option<u64>,
    /// Why no page follows; none while one may.
    end: Option<End>,
}

impl<'a> Pages<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self { source, page: 0, seen: HashSet::new(), total: None, end: None }
    }

    /// Whether what was read is all.
    pub(super) fn end(&self) -> End {
        self.end.unwrap_or(End::Cut)
    }

    /// The rows of the next page that no page before it had; none behind the last. `parse` gives each with its id. A server
    /// may send fewer rows than it is asked for, or the same ones whatever the page: the total decides, and where there is
    /// none a page that brings nothing new.
    ///
    /// # Errors
    /// What the forge refuses, and what [`reading::read`] says.
    pub(super) async fn next<T>(
        &mut self,
        call: impl Fn(u64) -> Result<Call<Raw>, OperationError>,
        parse: impl Fn(&[u8]) -> Result<Vec<(i64, T)>, serde_json::Error>,
    ) -> Result<Option<Vec<T>>, OperationError> {
        let Source { forge, operation, deadline, most, is_paged, is_optional } = self.source;
        if self.end.is_some() {
            return Ok(None);
        }
        self.page += 1;
        let call = call(self.page)?;
        let sent = forge.send(&call, true, deadline).await;
        let reply = sent.map_err(|error| refusal::unanswered(operation, &call, error))?;
        match (is_optional, reply.status()) {
            (true, StatusCode::NOT_FOUND) => return Ok(self.ended(End::All)),
            (true, StatusCode::FORBIDDEN) => return Ok(self.ended(End::Forbidden)),
            (_, status) if !status.is_success() => {
                return Err(refusal::refused(operation, &call, reply).await);
            }
            _ => {}
        }
        self.total = paging::total(reply.headers());
        let rows = reading::read(&call, reply, parse).await?;
        let is_empty = rows.is_empty();
        let new: Vec<T> =
            rows.into_iter().filter_map(|(id, row)| self.seen.insert(id).then_some(row)).collect();
        let is_more = self.total.is_some_and(|total| total > self.seen.len() as u64);
        self.end = match (is_paged, is_more) {
            (false, _) => Some(End::All),
            _ if is_empty => Some(End::All),
            (true, true) if new.is_empty() => Some(End::Cut),
            (true, false) if new.is_empty() || self.total.is_some() => Some(End::All),
            _ if self.page >= most => Some(End::Cut),
            _ => None,
        };
        Ok(Some(new))
    }

    fn ended<T>(&mut self, end: End) -> Option<T> {
        self.end = Some(end);
        None
    }
}
