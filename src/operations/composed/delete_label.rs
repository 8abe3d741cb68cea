//! Deletes a label, by default only one that no issue carries.

use forgehand_client::{Call, Raw, untyped};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Build, Doing, Work, parameters};
use crate::forge::End;
use crate::operations::arguments::quoted;
use crate::operations::present::Answered;
use crate::operations::{Code, OperationError, Outcome, pages};

/// The most pages that are read to count issues.
const PAGES: u64 = 20;

/// Deletes a label of a repository.
///
/// # Errors
/// [`Code::Conflict`] where issues carry it and `delete_mode` is not `force`; what the forge refuses.
pub fn delete_repo_label(work: Work<'_>) -> Doing<'_> {
    let path = work.values.path();
    let repository: Map<String, Value> = path.into_iter().filter(|(name, _)| name != "id").collect();
    let issues = Issues { build: untyped::issue_list_issues, path: repository, owner: None };
    Box::pin(delete(work, [untyped::issue_get_label, untyped::issue_delete_label], issues))
}

/// Deletes a label of an organization; the issues of its repositories that the token may see count.
///
/// # Errors
/// See [`delete_repo_label`].
pub fn delete_org_label(work: Work<'_>) -> Doing<'_> {
    let owner = Some(work.values.text("org").to_owned());
    let issues = Issues { build: untyped::issue_search_issues, path: Map::new(), owner };
    Box::pin(delete(work, [untyped::org_get_label, untyped::org_delete_label], issues))
}

/// Where issues that carry a label are listed.
struct Issues {
    build: Build,
    path: Map<String, Value>,
    owner: Option<String>,
}

#[derive(Deserialize, Default)]
struct Label {
    id: i64,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Issue {
    id: i64,
    #[serde(default)]
    labels: Option<Vec<Label>>,
}

async fn delete(
    mut work: Work<'_>,
    [get, remove]: [Build; 2],
    issues: Issues,
) -> Result<Outcome, OperationError> {
    let mut known = None;
    if work.values.text("delete_mode") != "force" {
        let call = work.call(get, work.values.path(), Map::new())?;
        let reply = work.send(&call).await?;
        let answer: Value = work.json(&call, reply).await?;
        known = Some(Answered::known(&answer, &call));
        let label: Label = serde_json::from_value(answer).unwrap_or_default();
        if label.id == 0 || label.name.is_empty() {
            let said = "the forge did not tell the label's name, by which issues that carry it are found; nothing was deleted";
            return Err(OperationError::new(Code::Refused, said.to_owned()));
        }
        check(&work, &label, &issues).await?;
    }
    let call = work.call(remove, work.values.path(), Map::new())?;
    if work.values.engine.dry_run {
        return Ok(work.planner().plan(&call, work.values.path(), known).await);
    }
    work.values.engine.is_seen = known.is_some() || work.values.named.contains(&"id");
    let reply = work.send(&call).await?;
    work.answer(&call, reply).await
}

async fn check(work: &Work<'_>, label: &Label, issues: &Issues) -> Result<(), OperationError> {
    let name = quoted(&label.name);
    let said = if label.name.contains(',') {
        format!(
            "the label {name} has a comma in its name, so that the forge cannot tell which issues carry it"
        )
    } else {
        match carriers(work, label, issues).await? {
            (0, true) => return Ok(()),
            (1, true) => format!("one issue or pull request carries the label {name}"),
            (count, true) => format!("{count} issues and pull requests carry the label {name}"),
            (0, false) => {
                format!("of the issues that may carry the label {name} not all could be looked at")
            }
            (count, false) => format!("at least {count} issues and pull requests carry the label {name}"),
        }
    };
    let hint = "delete_mode: \"force\" deletes it all the same, and takes it off them";
    Err(OperationError::new(Code::Conflict, format!("{said}; it was not deleted")).hint(hint))
}

/// How many issues carry a label, and whether that is all. The forge finds them by the label's name, which a label of
/// another place may have as well: the id tells.
async fn carriers(work: &Work<'_>, label: &Label, issues: &Issues) -> Result<(u64, bool), OperationError> {
    let carries = |issue: &Issue| issue.labels.iter().flatten().any(|own| own.id == label.id);
    let parse = |body: &[u8]| {
        let rows: Vec<Issue> = serde_json::from_slice::<Option<_>>(body)?.unwrap_or_default();
        Ok(rows.into_iter().map(|issue| (issue.id, carries(&issue))).collect())
    };
    let mut pages = work.pages(PAGES, false);
    let (mut count, mut is_first) = (0, true);
    while let Some(rows) = pages.next(|page| issues.page(work, &label.name, page), parse).await? {
        let carrying = rows.iter().filter(|carries| **carries).count();
        count += carrying as u64;
        if let Some(total) = pages.total.filter(|_| is_first && carrying == rows.len()) {
            return Ok((total.max(count), true));
        }
        is_first = false;
    }
    Ok((count, pages.end() == End::All))
}

impl Issues {
    fn page(&self, work: &Work<'_>, label: &str, page: u64) -> Result<Call<Raw>, OperationError> {
        let mut query = parameters([
            ("state", "all".into()),
            ("labels", label.into()),
            ("page", page.into()),
            ("limit", pages::SIZE.into()),
        ]);
        if let Some(owner) = &self.owner {
            query.insert("owner".to_owned(), owner.as_str().into());
        }
        work.call(self.build, self.path.clone(), query)
    }
}
