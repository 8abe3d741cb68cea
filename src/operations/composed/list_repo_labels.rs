//! Lists a repository's labels, and behind them its organization's where that is asked for.

use std::collections::HashSet;

use forgehand_client::{Call, Raw, Reply, untyped};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::Value;

use super::{Doing, Work, parameters};
use crate::operations::descriptor::{Answer, List};
use crate::operations::projection::{self, Rows, Window};
use crate::operations::{Code, OperationError, Outcome, beside, paging, reading, refusal};

/// The labels of a page.
const PAGE: u64 = 50;

/// The most pages of one list; no repository has as many labels.
const PAGES: u64 = 200;

/// Without `include_org_labels` one call, paged by the forge. With it both lists are read whole and the pages cut here, so
/// that no label is lost or doubled where one list ends and the other begins; `org` names the organization on its labels.
///
/// # Errors
/// What the forge refuses. Labels of an organization that may not be read are left out, and the answer says so.
pub fn list_repo_labels(work: Work<'_>) -> Doing<'_> {
    Box::pin(list(work))
}

async fn list(work: Work<'_>) -> Result<Outcome, OperationError> {
    let both = work.values.get("include_org_labels") == Some(&Value::Bool(true));
    let Answer::List(shape) = &work.operation.answer else {
        return Err(OperationError::new(Code::Internal, "the labels' answer is no list"));
    };
    if !both {
        let paged = ["page", "limit"].map(|name| (name, work.values.get(name).cloned().unwrap_or_default()));
        let call = work.call(untyped::issue_list_labels, work.values.path(), parameters(paged))?;
        let reply = work.send(&call).await?;
        return work.answer(&call, reply).await;
    }
    let owner = work.values.text("owner").to_owned();
    let mut labels = Vec::new();
    all(&work, shape, false, &mut labels).await?;
    let own = labels.len();
    let note = all(&work, shape, true, &mut labels).await?;
    let (mut rows, beside): (Vec<Value>, Vec<Value>) = labels.into_iter().unzip();
    if !work.values.engine.needs.of_rows.is_empty() {
        beside::mark(&mut rows);
    }
    for row in rows.iter_mut().skip(own) {
        if let Value::Object(fields) = row {
            fields.insert("org".to_owned(), owner.as_str().into());
        }
    }
    let engine = &work.values.engine;
    let count = rows.len() as u64;
    let Window { from, to } = paging::window_of_list(engine, || count);
    let place = |at: u64| usize::try_from(at.min(count)).unwrap_or(usize::MAX);
    rows.truncate(place(to));
    let items = rows.split_off(place(from).min(rows.len()));
    let rows = Rows { items, count, ..Rows::default() };
    let mut answer = paging::whole(engine, rows, (&HeaderMap::new(), None), work.max);
    if !engine.needs.of_rows.is_empty() {
        beside::put(&mut answer, beside);
    }
    if let (Value::Object(fields), Some(note)) = (&mut answer, note) {
        fields.insert("note".to_owned(), note.into());
    }
    Ok(Outcome::Json(answer))
}

/// Adds all rows of one of the lists, shown, each with what a program needs of it; the note tells why the organization's
/// are missing.
async fn all(
    work: &Work<'_>,
    shape: &'static List,
    of_org: bool,
    rows: &mut Vec<(Value, Value)>,
) -> Result<Option<&'static str>, OperationError> {
    let start = rows.len();
    let mut seen = HashSet::new();
    for page in 1..=PAGES {
        let call = page_of(work, of_org, page)?;
        let reply = work.reply(&call).await?;
        match reply.status() {
            StatusCode::NOT_FOUND if of_org => return Ok(None),
            StatusCode::FORBIDDEN if of_org => {
                return Ok(Some("the organization's labels may not be read with this token"));
            }
            status if !status.is_success() => {
                return Err(refusal::refused(work.operation, &call, reply).await);
            }
            _ => {}
        }
        let total = paging::total(reply.headers());
        let found = shown(work, shape, &call, reply).await?;
        let before = rows.len();
        rows.extend(found.into_iter().filter(|(id, _)| seen.insert(*id)).map(|(_, row)| row));
        // A server that passes over `page` sends the same again.
        if rows.len() == before || total.is_some_and(|total| (rows.len() - start) as u64 >= total) {
            break;
        }
    }
    Ok(None)
}

fn page_of(work: &Work<'_>, of_org: bool, page: u64) -> Result<Call<Raw>, OperationError> {
    let query = parameters([("page", page.into()), ("limit", PAGE.into())]);
    if of_org {
        let owner = work.values.text("owner");
        return work.call(untyped::org_list_labels, parameters([("org", owner.into())]), query);
    }
    work.call(untyped::issue_list_labels, work.values.path(), query)
}

/// What tells a label from the others.
#[derive(Deserialize)]
struct Label {
    id: i64,
}

/// A page's labels, each behind its id and before what a program needs of it.
async fn shown(
    work: &Work<'_>,
    shape: &'static List,
    call: &Call<Raw>,
    reply: Reply<Raw>,
) -> Result<Vec<(i64, (Value, Value))>, OperationError> {
    let engine = &work.values.engine;
    let picked = beside::picked(work.operation, engine.needs.of_rows);
    let read = |body: &[u8]| {
        let ids: Vec<Label> = serde_json::from_slice::<Option<_>>(body)?.unwrap_or_default();
        let whole = Window { from: 0, to: u64::MAX };
        let rows = |show| Ok(projection::rows(shape, show, None, whole, body)?.items);
        let shown = rows(engine.show(shape.row))?;
        let mut beside = picked.as_ref().map_or(Ok(Vec::new()), |picked| rows(picked.show()))?;
        beside.resize(shown.len(), Value::Null);
        Ok(ids.into_iter().map(|label| label.id).zip(shown.into_iter().zip(beside)).collect())
    };
    reading::read(call, reply, read).await
}
