//! Which rows of which tools have an address of their own: a table from tool to template.

use serde_json::{Map, Value};

use super::address::expand;
use super::template::{TEMPLATES, Template};
use crate::forge::Forge;
use crate::operations::surface::Surface;
use crate::operations::{self, Operation};
use crate::tools::at;

/// The address of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The resource's address.
    pub uri: String,
    /// What the row is called: a number, a name.
    pub name: String,
    /// What people know it by, where it has a title.
    pub title: Option<String>,
    /// Its template.
    pub template: &'static str,
    /// The media type of the resource.
    pub media_type: Option<&'static str>,
}

/// What of a tool's rows an address is made.
struct Linked {
    tool: &'static str,
    /// The template's name.
    template: &'static str,
    /// The variable that the row gives, and the row's field.
    variable: (&'static str, &'static str),
    /// The row's title.
    title: Option<&'static str>,
    /// The row's field that says `owner/name`; elsewhere the call's own repository is meant.
    repository: Option<&'static str>,
}

const fn of(
    tool: &'static str,
    template: &'static str,
    variable: (&'static str, &'static str),
    title: Option<&'static str>,
) -> Linked {
    Linked { tool, template, variable, title, repository: None }
}

/// A list of repositories, of anybody.
const fn repositories(tool: &'static str) -> Linked {
    let variable = ("repo", "full_name");
    Linked { tool, template: "repo", variable, title: Some("description"), repository: Some("full_name") }
}

const LINKED: &[Linked] = &[
    of("list_repo_issues", "issue", ("index", "number"), Some("title")),
    of("list_repo_pull_requests", "pr", ("index", "number"), Some("title")),
    Linked {
        tool: "search_issues",
        template: "issue",
        variable: ("index", "number"),
        title: Some("title"),
        repository: Some("repository"),
    },
    repositories("list_my_repos"),
    repositories("list_user_repos"),
    repositories("list_org_repos"),
    repositories("search_repos"),
    of("list_my_orgs", "owner", ("owner", "name"), Some("full_name")),
    of("search_users", "owner", ("owner", "login"), Some("full_name")),
    of("list_repo_commits", "commit", ("sha", "sha"), None),
    of("list_pull_request_commits", "commit", ("sha", "sha"), None),
    of("list_repo_labels", "label", ("id", "id"), Some("name")),
    of("list_repo_hooks", "hook", ("id", "id"), None),
    of("list_branch_protections", "branch-protection", ("rule", "rule_name"), None),
    of("list_wiki_pages", "wiki-page", ("pageName", "title"), None),
];

/// The tools whose rows have addresses.
pub fn linked() -> impl Iterator<Item = &'static str> {
    LINKED.iter().map(|linked| linked.tool)
}

/// The addresses of the rows that a tool answered, in their order; a row without one, or whose resource is not offered, has
/// no link.
pub fn links(
    (forge, surface): (&Forge, &Surface),
    operation: &'static Operation,
    arguments: &Map<String, Value>,
    answer: &Value,
) -> Vec<Link> {
    let Some(linked) = LINKED.iter().find(|linked| linked.tool == operation.name) else { return Vec::new() };
    let rows = answer.get("items").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    // The call's own repository, which may have been given as an address.
    let place = operations::repository(forge, operation, arguments);
    rows.iter().filter_map(|row| link((linked, surface), row, place.as_ref())).collect()
}

fn link(
    (linked, surface): (&Linked, &Surface),
    row: &Value,
    place: Option<&(String, String)>,
) -> Option<Link> {
    let text = |path: &str| match at(row, path)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let (variable, field) = linked.variable;
    let name = text(field)?;
    let template = template(linked, row).filter(|template| template.is_offered(surface))?;
    let repository = linked.repository.and_then(text);
    let (owner, repo) = match (&repository, place) {
        (Some(whole), _) => whole.split_once('/')?,
        (None, Some((owner, repo))) => (owner.as_str(), repo.as_str()),
        (None, None) => ("", ""),
    };
    // A repository's whole name is its owner's and its own.
    let own = Some((variable, name.as_str())).filter(|_| linked.repository != Some(field));
    let values: Vec<(&str, &str)> = own.into_iter().chain([("owner", owner), ("repo", repo)]).collect();
    if template
        .variables()
        .any(|wanted| !values.iter().any(|(own, value)| *own == wanted.name && !value.is_empty()))
    {
        return None;
    }
    Some(Link {
        uri: expand(template, &values),
        title: linked.title.and_then(text).filter(|title| !title.is_empty()),
        name,
        template: template.name,
        media_type: template.media_type,
    })
}

/// The template of a row: an issue that is a pull request has that one's.
fn template(linked: &Linked, row: &Value) -> Option<&'static Template> {
    let is_pull = linked.template == "issue" && row.get("pull_request").is_some_and(|pull| !pull.is_null());
    let name = if is_pull { "pr" } else { linked.template };
    TEMPLATES.iter().find(|template| template.name == name)
}
