//! Lists a repository's labels, and behind them its organization's where that is asked for.

use forgehand_client::{Call, Raw, untyped};
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use super::{Doing, Work, parameters};
use crate::forge::End;
use crate::operations::descriptor::{Answer, List};
use crate::operations::projection::{self, Rows, Window};
use crate::operations::{Code, OperationError, Outcome, beside, pages, paging};

/// The most pages that are read of one list.
const PAGES: u64 = 200;

/// A label as it is shown, and what a program needs of it.
type Shown = (Value, Value);

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
    let (mut labels, own) = all(&work, shape, false).await?;
    let count = labels.len();
    let (of_org, orgs) = all(&work, shape, true).await?;
    labels.extend(of_org);
    for (row, beside) in labels.iter_mut().skip(count) {
        // It has no address of its own.
        *beside = Value::Null;
        if let Value::Object(fields) = row {
            fields.insert("org".to_owned(), owner.as_str().into());
        }
    }
    let note = match (own, orgs) {
        (End::All, End::All) => None,
        (End::All, End::Forbidden) => {
            Some("the organization's labels may not be read with this token".to_owned())
        }
        _ => Some(format!("only {} labels were read; there may be more", labels.len())),
    };
    Ok(Outcome::Json(answered(&work, labels, (own, orgs), note)))
}

/// The page of them that was asked for.
fn answered(work: &Work<'_>, mut labels: Vec<Shown>, ends: (End, End), note: Option<String>) -> Value {
    let engine = &work.values.engine;
    let count = labels.len() as u64;
    let Window { from, to } = paging::window_of_list(engine, || count);
    let place = |at: u64| usize::try_from(at.min(count)).unwrap_or(usize::MAX);
    labels.truncate(place(to));
    let (items, beside): (Vec<Value>, Vec<Value>) =
        labels.split_off(place(from).min(labels.len())).into_iter().unzip();
    let rows = Rows { items, count, ..Rows::default() };
    let max = work.max.saturating_sub(note.as_ref().map_or(0, |note| note.len() + paging::NOTE));
    let mut answer = paging::whole(engine, rows, (&HeaderMap::new(), None), max);
    if let Value::Object(fields) = &mut answer {
        if ends != (End::All, End::All) {
            fields.remove("total");
        }
        fields.extend(note.map(|note| ("note".to_owned(), note.into())));
    }
    if !engine.needs.of_rows.is_empty() {
        beside::put(&mut answer, beside, 0);
    }
    answer
}

/// All rows of one of the lists, shown, each with what a program needs of it, and where it ends. A repository whose owner is
/// no organization has none of these.
async fn all(
    work: &Work<'_>,
    shape: &'static List,
    of_org: bool,
) -> Result<(Vec<Shown>, End), OperationError> {
    let mut pages = work.pages(PAGES, of_org);
    let mut all = Vec::new();
    while let Some(rows) =
        pages.next(|page| page_of(work, of_org, page), |body| shown(work, shape, body)).await?
    {
        all.extend(rows);
    }
    Ok((all, pages.end()))
}

fn page_of(work: &Work<'_>, of_org: bool, page: u64) -> Result<Call<Raw>, OperationError> {
    let query = parameters([("page", page.into()), ("limit", pages::SIZE.into())]);
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
fn shown(work: &Work<'_>, shape: &'static List, body: &[u8]) -> Result<Vec<(i64, Shown)>, serde_json::Error> {
    let engine = &work.values.engine;
    let picked = beside::picked(work.operation, engine.needs.of_rows);
    let ids: Vec<Label> = serde_json::from_slice::<Option<_>>(body)?.unwrap_or_default();
    let whole = Window { from: 0, to: u64::MAX };
    let rows = |show| Ok(projection::rows(shape, show, None, whole, body)?.items);
    let shown = rows(engine.show(shape.row))?;
    let mut beside = picked.as_ref().map_or(Ok(Vec::new()), |picked| rows(picked.show()))?;
    beside.resize(shown.len(), Value::Null);
    Ok(ids.into_iter().map(|label| label.id).zip(shown.into_iter().zip(beside)).collect())
}
