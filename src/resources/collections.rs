//! Lists, and what else is as the tools answer it.

use futures_util::future::try_join;
use serde_json::{Map, Value};

use super::entities::object;
use super::reader::Reader;
use super::{Read, threads};
use crate::tools::Arguments;

/// A resource that is what a tool answers.
fn answered<'a>(reader: Reader<'a>, tool: &'static str, arguments: Arguments) -> Read<'a> {
    Box::pin(async move { Ok(vec![object(reader.tools.object(tool, arguments).await?)]) })
}

/// A list that is what a tool answers, a page of it; `next` is the address of the page behind it.
fn listed<'a>(reader: Reader<'a>, tool: &'static str, mut arguments: Arguments) -> Read<'a> {
    arguments.extend(reader.arguments([("page", "page"), ("limit", "limit")]));
    Box::pin(async move {
        let mut answer = reader.tools.object(tool, arguments).await?;
        if let Value::Object(fields) = &mut answer
            && let Some(next) =
                fields.get("next").and_then(Value::as_object).and_then(|next| address(&reader, next))
        {
            fields.insert("next".to_owned(), next.into());
        }
        Ok(vec![object(answer)])
    })
}

/// The address of the page that those arguments lead to.
fn address(reader: &Reader<'_>, next: &Map<String, Value>) -> Option<String> {
    let number = |name| next.get(name).map(Value::to_string);
    let page = number("page").map(|page| ("page", page));
    let changed: Vec<_> = page.into_iter().chain(number("limit").map(|limit| ("limit", limit))).collect();
    let is_expressible = reader.address.template().query().any(|name| name == "page")
        && next.get("skip").and_then(Value::as_u64).unwrap_or(0) == 0;
    is_expressible.then(|| reader.address.with(&changed))
}

pub(super) fn user(reader: Reader<'_>) -> Read<'_> {
    answered(reader, "get_my_user_info", Arguments::new())
}

pub(super) fn version(reader: Reader<'_>) -> Read<'_> {
    answered(reader, "get_server_version", Arguments::new())
}

pub(super) fn issues(reader: Reader<'_>) -> Read<'_> {
    let mut arguments = open(reader.within_repo([("state", "state"), ("labels", "labels")]));
    arguments.insert("type".to_owned(), "issues".into());
    listed(reader, "list_repo_issues", arguments)
}

pub(super) fn pull_requests(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_repo_pull_requests", open(reader.within_repo([("state", "state")])))
}

/// Those that are open, where no state was given. The forge's own default is another for each list.
fn open(mut arguments: Arguments) -> Arguments {
    arguments.entry("state").or_insert_with(|| "open".into());
    arguments
}

pub(super) fn comments(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let list = listed(reader, "list_issue_comments", reader.within_repo([("index", "index")]));
        try_join(list, threads::check(&reader)).await.map(|(list, ())| list)
    })
}

pub(super) fn root(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_repo_contents", reader.within_repo([("ref", "ref")]))
}

pub(super) fn labels(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_repo_labels", reader.within_repo([]))
}

pub(super) fn org_labels(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_org_labels", reader.arguments([("org", "org")]))
}

pub(super) fn label(reader: Reader<'_>) -> Read<'_> {
    answered(reader, "get_repo_label", reader.within_repo([("id", "id")]))
}

pub(super) fn branch_protections(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_branch_protections", reader.within_repo([]))
}

pub(super) fn branch_protection(reader: Reader<'_>) -> Read<'_> {
    answered(reader, "get_branch_protection", reader.within_repo([("rule", "rule")]))
}

pub(super) fn hooks(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_repo_hooks", reader.within_repo([]))
}

pub(super) fn hook(reader: Reader<'_>) -> Read<'_> {
    answered(reader, "get_repo_hook", reader.within_repo([("id", "id")]))
}

pub(super) fn releases(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_releases", reader.within_repo([]))
}

pub(super) fn milestones(reader: Reader<'_>) -> Read<'_> {
    listed(reader, "list_repo_milestones", reader.within_repo([("state", "state")]))
}
