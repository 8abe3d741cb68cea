//! The newest rows of a list that the forge sends oldest first, and what is told where there are more.

use std::collections::VecDeque;

use serde_json::Value;

use crate::operations::OperationError;
use crate::tools::{Arguments, Tools, unlike};

use super::shape::{Fields, paths};

/// How many rows are embedded in a resource.
pub(super) const EMBEDDED: usize = 30;

/// The most pages that are read where the forge tells no total.
pub(super) const MOST_PAGES: usize = 40;

/// The rows of a page that is asked for here; a forge may send fewer.
const PAGE: u64 = 50;

/// Rows of a list, and how many there are of them.
#[derive(Debug, Default)]
pub(super) struct Newest {
    /// Up to [`EMBEDDED`], oldest first.
    pub(super) rows: Vec<Value>,
    /// How many the list has.
    pub(super) total: u64,
}

impl Newest {
    /// The last of some rows.
    fn of(mut rows: VecDeque<Value>, total: u64) -> Self {
        rows.drain(..rows.len().saturating_sub(EMBEDDED));
        Self { rows: rows.into(), total }
    }

    /// What is told in place of the rows that are not here: how many there are, and the tool that shows them.
    pub(super) fn sentinel(&self, tool: &str) -> Option<String> {
        let (shown, total) = (self.rows.len(), self.total);
        (total > shown as u64).then(|| {
            format!("[truncated: {shown} of {total} items shown. Use {tool} tool with page=1 to read from the first.]")
        })
    }
}

/// The newest rows of a list that the forge sends whole.
pub(super) async fn last(
    tools: &Tools<'_>,
    tool: &str,
    mut arguments: Arguments,
    fields: Fields,
) -> Result<Newest, OperationError> {
    arguments.insert("last".to_owned(), EMBEDDED.into());
    let page = Page::of(tools.fields(tool, arguments, paths(fields)).await?).ok_or_else(|| unlike(tool))?;
    let total = page.total.unwrap_or(page.rows.len() as u64);
    Ok(Newest { rows: page.rows, total })
}

/// A list that has pages.
pub(super) struct Paged<'a> {
    pub(super) tools: &'a Tools<'a>,
    pub(super) tool: &'static str,
    pub(super) arguments: Arguments,
    pub(super) fields: Fields,
}

impl Paged<'_> {
    async fn page(&self, page: u64, limit: u64) -> Result<Page, OperationError> {
        let mut arguments = self.arguments.clone();
        arguments.insert("page".to_owned(), page.into());
        arguments.insert("limit".to_owned(), limit.into());
        let answer = self.tools.fields(self.tool, arguments, paths(self.fields)).await?;
        Page::of(answer).ok_or_else(|| unlike(self.tool))
    }

    /// Its newest rows.
    pub(super) async fn newest(&self) -> Result<Newest, OperationError> {
        let first = self.page(1, PAGE).await?;
        let size = first.rows.len() as u64;
        let Some(total) = first.total.filter(|_| size > 0) else { return self.walked(first).await };
        if total <= size {
            return Ok(Newest::of(first.rows.into(), total));
        }
        // From the last page backwards, until there are enough.
        let mut rows = VecDeque::new();
        let mut number = total.div_ceil(size);
        // A total that is not true leads to pages without rows.
        for _ in 0..MOST_PAGES {
            if number == 0 || rows.len() >= EMBEDDED {
                break;
            }
            for row in self.page(number, size).await?.rows.into_iter().rev() {
                rows.push_front(row);
            }
            number -= 1;
        }
        Ok(Newest::of(rows, total))
    }

    /// The same where nobody tells how many there are: page after page.
    async fn walked(&self, first: Page) -> Result<Newest, OperationError> {
        let (mut rows, mut total) = (VecDeque::new(), 0);
        let mut current = first;
        for _ in 0..MOST_PAGES {
            total += current.rows.len() as u64;
            rows.extend(current.rows);
            rows.drain(..rows.len().saturating_sub(EMBEDDED));
            match current.next {
                Some(number) => current = self.page(number, PAGE).await?,
                None => break,
            }
        }
        Ok(Newest::of(rows, total))
    }
}

/// One page of a list.
struct Page {
    rows: Vec<Value>,
    total: Option<u64>,
    next: Option<u64>,
}

impl Page {
    fn of(mut answer: Value) -> Option<Self> {
        let total = answer.get("total").and_then(Value::as_u64);
        let next = answer.pointer("/next/page").and_then(Value::as_u64);
        match answer.get_mut("items").map(Value::take) {
            Some(Value::Array(rows)) => Some(Self { rows, total, next }),
            _ => None,
        }
    }
}
