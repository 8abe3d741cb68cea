//! The newest rows of a list that the forge sends oldest first, and what is told where there are more.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use crate::operations::OperationError;
use crate::tools::{Arguments, Tools, unlike};

/// How many rows are embedded in a resource.
pub(super) const EMBEDDED: usize = 30;

/// The most pages that are read for one resource.
const MOST_PAGES: usize = 40;

/// The rows of a page that is asked for here; a forge may send fewer.
const PAGE: u64 = 50;

/// Rows of a list, and how many there are of them.
#[derive(Debug, Default)]
pub(super) struct Newest {
    /// Up to [`EMBEDDED`], oldest first.
    pub(super) rows: Vec<Value>,
    /// How many the list has; where it was cut and nobody tells, how many were read.
    pub(super) total: u64,
    /// Where [`MOST_PAGES`] did not reach the end.
    pub(super) cut: Option<Cut>,
}

/// What leads to the pages that were not read.
#[derive(Debug)]
pub(super) struct Cut {
    tool: &'static str,
    next: Map<String, Value>,
    /// How many rows were read.
    read: usize,
}

impl Newest {
    /// The last of some rows.
    fn of(mut rows: VecDeque<Value>, total: u64, cut: Option<Cut>) -> Self {
        rows.drain(..rows.len().saturating_sub(EMBEDDED));
        Self { rows: rows.into(), total, cut }
    }

    /// What is told in place of the rows that are not here: how many there are, and the tool that shows them.
    pub(super) fn sentinel(&self, tool: &str) -> Option<String> {
        let (shown, total) = (self.rows.len(), self.total);
        if let Some(Cut { tool, next, read }) = &self.cut {
            // The page is counted in pages of this size.
            let size = (!next.contains_key("limit")).then(|| ("limit".to_owned(), PAGE.into()));
            let next: Map<String, Value> = next.clone().into_iter().chain(size).collect();
            let next: Vec<String> = next.iter().map(|(name, value)| format!("{name}={value}")).collect();
            return Some(format!(
                "[truncated: {shown} of at least {total} items shown, {read} read: what is told of all is told of those. \
                 Use {tool} tool with {} to go on.]",
                next.join(", ")
            ));
        }
        (total > shown as u64).then(|| {
            format!("[truncated: {shown} of {total} items shown. Use {tool} tool with page=1 to read from the first.]")
        })
    }
}

/// A list that has pages.
pub(super) struct Paged<'a> {
    pub(super) tools: &'a Tools<'a>,
    pub(super) tool: &'static str,
    pub(super) arguments: Arguments,
    /// The fields that are asked for.
    pub(super) fields: Vec<&'static str>,
    /// Where the rows stand in an answer.
    pub(super) rows: &'static str,
}

impl Paged<'_> {
    async fn page(&self, more: impl IntoIterator<Item = (String, Value)>) -> Result<Page, OperationError> {
        let mut arguments = self.arguments.clone();
        arguments.extend(more);
        let answer = self.tools.fields(self.tool, arguments, self.fields.iter().copied()).await?;
        Page::of(self.tool, self.rows, answer)
    }

    /// The newest rows of a list that the forge sends whole.
    pub(super) async fn last(&self) -> Result<Newest, OperationError> {
        let page = self.page([("last".to_owned(), EMBEDDED.into())]).await?;
        let total = page.total.unwrap_or(page.rows.len() as u64);
        Ok(Newest { rows: page.rows, total, cut: None })
    }

    /// Its newest rows.
    pub(super) async fn newest(&self) -> Result<Newest, OperationError> {
        let first = self.page(numbered(1, PAGE)).await?;
        let size = first.rows.len() as u64;
        let Some(total) = first.total.filter(|_| size > 0) else {
            let (mut rows, mut count) = (VecDeque::new(), 0);
            let cut = self.walk((first, Map::from_iter(numbered(1, PAGE))), |page| {
                count += page.rows.len() as u64;
                rows.extend(page.rows.iter().cloned());
                rows.drain(..rows.len().saturating_sub(EMBEDDED));
                true
            });
            let cut = cut.await?;
            return Ok(Newest::of(rows, count, cut));
        };
        if total <= size {
            return Ok(Newest::of(first.rows.into(), total, None));
        }
        // From the last page backwards, until there are enough.
        let mut rows = VecDeque::new();
        let mut number = total.div_ceil(size);
        // A total that is not true leads to pages without rows.
        for _ in 0..MOST_PAGES {
            if number == 0 || rows.len() >= EMBEDDED {
                break;
            }
            for row in self.page(numbered(number, size)).await?.rows.into_iter().rev() {
                rows.push_front(row);
            }
            number -= 1;
        }
        Ok(Newest::of(rows, total, None))
    }

    /// Reads each page as the tool leads to it, and gives it to `take`, until the list ends or `take` wants no more.
    pub(super) async fn all(&self, take: impl FnMut(&Page) -> bool) -> Result<Option<Cut>, OperationError> {
        let first = self.page([]).await?;
        self.walk((first, Arguments::new()), take).await
    }

    /// The same from a page that was read with those arguments. What leads on, where [`MOST_PAGES`] did not reach the
    /// end.
    async fn walk(
        &self,
        (mut page, mut arguments): (Page, Arguments),
        mut take: impl FnMut(&Page) -> bool,
    ) -> Result<Option<Cut>, OperationError> {
        let mut read = 0;
        for number in 1.. {
            read += page.rows.len();
            let wants_more = take(&page);
            let Some(next) = page.next.take().filter(|_| wants_more) else { break };
            if number == MOST_PAGES {
                return Ok(Some(Cut { tool: self.tool, next, read }));
            }
            arguments.extend(next);
            let behind = self.page(arguments.clone()).await?;
            // A server that passes over `page` sends the same again.
            if behind.rows == page.rows {
                break;
            }
            page = behind;
        }
        Ok(None)
    }
}

/// The arguments of a page.
fn numbered(page: u64, limit: u64) -> [(String, Value); 2] {
    [("page".to_owned(), page.into()), ("limit".to_owned(), limit.into())]
}

/// One page of a list.
pub(super) struct Page {
    pub(super) rows: Vec<Value>,
    /// How many rows the list has.
    pub(super) total: Option<u64>,
    /// The arguments that lead to the next page.
    next: Option<Map<String, Value>>,
}

impl Page {
    /// A page whose rows stand under that name. Rows that are `null` are none, where the answer counts them.
    fn of(tool: &str, name: &str, mut answer: Value) -> Result<Self, OperationError> {
        let number = |name: &str| answer.get(name).and_then(Value::as_u64);
        let total = number("total").or_else(|| number("total_count"));
        let next = answer.get("next").and_then(Value::as_object).cloned();
        match answer.get_mut(name).map(Value::take) {
            Some(Value::Array(rows)) => Ok(Self { rows, total, next }),
            Some(Value::Null) if total.is_some() => Ok(Self { rows: Vec::new(), total, next }),
            rows => {
                if let (Some(fields), Some(rows)) = (answer.as_object_mut(), rows) {
                    fields.insert(name.to_owned(), rows);
                }
                Err(unlike(tool, &format!("a list under {name}"), &answer))
            }
        }
    }
}
