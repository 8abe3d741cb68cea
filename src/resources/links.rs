//! Which rows of which tools have an address of their own: a table from tool to template.

use serde_json::{Map, Value};

use super::address::expand;
use super::template::{TEMPLATES, Template};
use super::threads;
use crate::forge::Forge;
use crate::operations::surface::Surface;
use crate::operations::{self, Operation};
use crate::tools::{at, decoded};

/// What a label has that is its organization's, and not the repository's: there is no address for it.
const OF_ORG: &str = "org";

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

/// The name of a wiki page in its address, percent-encoded.
const ENCODED: &str = "sub_url";

/// What of a tool's rows an address is made.
struct Linked {
    tool: &'static str,
    /// The template's name.
    template: &'static str,
    /// The variable that the row gives.
    variable: &'static str,
    /// The forge's fields of a row: the variable's, which is the link's name, its title's where it has one, and what
    /// else its address wants.
    fields: &'static [&'static str],
    /// Whether the second of them is a title.
    is_titled: bool,
    /// The field that says `owner/name`; elsewhere the call's own repository is meant.
    repository: Option<&'static str>,
}

const fn of(
    tool: &'static str,
    (template, variable): (&'static str, &'static str),
    fields: &'static [&'static str],
) -> Linked {
    Linked { tool, template, variable, fields, is_titled: false, repository: None }
}

const fn titled(linked: Linked) -> Linked {
    Linked { is_titled: true, ..linked }
}

/// A list of issues of one repository, among which may be pull requests.
const fn issues(tool: &'static str) -> Linked {
    titled(of(tool, ("issue", "index"), &["number", "title", threads::MARK]))
}

/// The same of several repositories.
const fn issues_anywhere(tool: &'static str) -> Linked {
    let fields = &["number", "title", threads::MARK, "repository.full_name"];
    Linked { fields, repository: Some("repository.full_name"), ..issues(tool) }
}

/// A list of repositories, of anybody.
const fn repositories(tool: &'static str) -> Linked {
    let linked = titled(of(tool, ("repo", "repo"), &["full_name", "description"]));
    Linked { repository: Some("full_name"), ..linked }
}

/// A list of comments.
const fn comments(tool: &'static str) -> Linked {
    of(tool, ("comment", "id"), &["id", threads::PARENTS[0], threads::PARENTS[1]])
}

const LINKED: &[Linked] = &[
    issues("list_repo_issues"),
    titled(of("list_repo_pull_requests", ("pr", "index"), &["number", "title"])),
    issues_anywhere("search_issues"),
    issues_anywhere("list_issue_dependencies"),
    issues_anywhere("list_issue_dependents"),
    comments("list_issue_comments"),
    comments("list_repo_comments"),
    repositories("list_my_repos"),
    repositories("list_user_repos"),
    repositories("list_org_repos"),
    repositories("search_repos"),
    titled(of("list_my_orgs", ("owner", "owner"), &["name", "full_name"])),
    titled(of("search_users", ("owner", "owner"), &["login", "full_name"])),
    of("list_repo_commits", ("commit", "sha"), &["sha"]),
    of("list_pull_request_commits", ("commit", "sha"), &["sha"]),
    titled(of("list_repo_labels", ("label", "id"), &["id", "name"])),
    of("list_repo_hooks", ("hook", "id"), &["id"]),
    of("list_branch_protections", ("branch-protection", "rule"), &["rule_name"]),
    titled(of("list_wiki_pages", ("wiki-page", "pageName"), &[ENCODED, "title"])),
];

/// The tools whose rows have addresses.
pub fn linked() -> impl Iterator<Item = &'static str> {
    LINKED.iter().map(|linked| linked.tool)
}

/// The fields of a tool's rows that [`links`] wants, whatever a reader is shown: [`operations::Needs::of_rows`].
pub fn row_fields(tool: &str) -> &'static [&'static str] {
    LINKED.iter().find(|linked| linked.tool == tool).map_or(&[], |linked| linked.fields)
}

/// The addresses of the rows that a tool answered, in their order; a row without one, or whose resource may not be
/// read, has no link. Takes out of the answer what was asked for by [`row_fields`].
pub fn links(
    (forge, surface): (&Forge, &Surface),
    operation: &'static Operation,
    arguments: &Map<String, Value>,
    answer: &mut Value,
) -> Vec<Link> {
    let beside = operations::take_beside(answer);
    let Some(linked) = LINKED.iter().find(|linked| linked.tool == operation.name) else { return Vec::new() };
    let shown = answer.get("items").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    // The call's own repository, which may have been given as an address.
    let place = operations::repository(forge, operation, arguments);
    let rows = shown.iter().enumerate().filter(|(_, row)| row.get(OF_ORG).is_none());
    // Where nothing was asked for beside the answer, the row itself tells.
    let rows =
        rows.map(|(at, row)| if beside.is_empty() { row } else { beside.get(at).unwrap_or(&Value::Null) });
    rows.filter_map(|row| link((linked, forge, surface), row, place.as_ref())).collect()
}

fn link(
    (linked, forge, surface): (&Linked, &Forge, &Surface),
    row: &Value,
    place: Option<&(String, String)>,
) -> Option<Link> {
    let text = |path: &str| match at(row, path)? {
        Value::String(text) if path == ENCODED => decoded(&text),
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let (field, rest) = linked.fields.split_first()?;
    let name = text(field)?;
    let template = template(linked, row).filter(|template| template.is_offered(surface))?;
    let repository = linked.repository.and_then(text);
    let (owner, repo) = match (&repository, place) {
        (Some(whole), _) => whole.split_once('/')?,
        (None, Some((owner, repo))) => (owner.as_str(), repo.as_str()),
        (None, None) => ("", ""),
    };
    let (kind, index) = threads::parent(row).unwrap_or_default();
    let mut values = vec![("owner", owner), ("repo", repo), ("kind", kind), ("index", index.as_str())];
    // A repository's whole name is its owner's and its own.
    if linked.repository != Some(*field) {
        values.retain(|(known, _)| *known != linked.variable);
        values.push((linked.variable, &name));
    }
    let value = |wanted: &str| values.iter().find(|(own, _)| *own == wanted).map_or("", |(_, value)| *value);
    let is_whole = template.variables().all(|wanted| !value(wanted.name).is_empty());
    let is_allowed = repo.is_empty() || forge.repositories().is_none_or(|named| named.allows(owner, repo));
    let uri = (is_whole && is_allowed).then(|| expand(template, &values))?;
    Some(Link {
        uri,
        title: rest
            .first()
            .filter(|_| linked.is_titled)
            .and_then(|field| text(field))
            .filter(|title| !title.is_empty()),
        name,
        template: template.name,
        media_type: template.media_type,
    })
}

/// The template of a row: an issue that is a pull request has that one's.
fn template(linked: &Linked, row: &Value) -> Option<&'static Template> {
    let name = if linked.template == "issue" { threads::kind(row) } else { linked.template };
    TEMPLATES.iter().find(|template| template.name == name)
}
