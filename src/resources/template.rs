//! Which resources there are: one row each. The first that fits is meant, so that `file`, whose path may be anything,
//! stands before what could be read in its place.

use super::reader::Reader;
use super::{JSON, Read, collections, content, entities};
use crate::operations::OperationError;
use crate::operations::surface::Surface;

/// One kind of resource.
#[derive(Debug)]
pub struct Template {
    /// Its form, as `forgejo://repo/{owner}/{repo}/issues{?state,page}` (RFC 6570, levels 1 to 3).
    pub uri: &'static str,
    /// A short name for programs.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// What it answers.
    pub about: &'static str,
    /// The media type of its first block; none where that depends on what is read.
    pub media_type: Option<&'static str>,
    /// The tools whose operations answer it.
    pub tools: &'static [&'static str],
    /// How long an answer may be kept.
    pub lifetime: Lifetime,
    /// How it is read.
    pub(super) read: for<'a> fn(Reader<'a>) -> Read<'a>,
}

/// How long an answer stays true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// It may change at any time.
    Short,
    /// It never changes.
    Immutable,
    /// It never changes where the variable `ref` is a full SHA.
    ImmutableAtSha,
}

/// A variable of a template's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it takes the rest of the path, slashes included.
    pub is_path: bool,
}

impl<'a> Variable<'a> {
    /// The variable that a segment of a template is.
    pub(super) fn of(segment: &'a str) -> Option<Self> {
        let name = segment.strip_prefix('{')?.strip_suffix('}')?;
        Some(match name.strip_prefix('+') {
            Some(name) => Self { name, is_path: true },
            None => Self { name, is_path: false },
        })
    }
}

/// What the value of a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// From 1.
    Number,
    /// From 1 to 50.
    PageSize,
    /// `issue` or `pr`.
    Thread,
    /// `open`, `closed` or `all`.
    State,
    /// 40 or 64 hexadecimal digits.
    FullSha,
    /// Segments, with slashes between them.
    Path,
    /// Any text.
    Name,
}

/// The kind of a variable, by its name, which means the same everywhere.
fn kind(name: &str) -> Kind {
    match name {
        "index" | "id" | "page" => Kind::Number,
        "limit" => Kind::PageSize,
        "kind" => Kind::Thread,
        "state" => Kind::State,
        "sha" => Kind::FullSha,
        "path" => Kind::Path,
        _ => Kind::Name,
    }
}

/// Checks the value of a variable.
///
/// # Errors
/// What was expected, and what came.
pub(super) fn check(name: &str, value: &str) -> Result<(), String> {
    match kind(name).refused(value) {
        None => Ok(()),
        Some(expected) => Err(format!("{name}: expected {expected}, got {value:?}")),
    }
}

impl Template {
    /// The segments of its path, as `repo`, `{owner}`.
    pub(super) fn segments(&self) -> impl Iterator<Item = &'static str> {
        let path = self.uri.strip_prefix("forgejo://").unwrap_or(self.uri);
        path.split_once("{?").map_or(path, |(path, _)| path).split('/')
    }

    /// The variables of its path, in their order.
    pub fn variables(&self) -> impl Iterator<Item = Variable<'static>> {
        self.segments().filter_map(Variable::of)
    }

    /// The arguments of its query.
    pub fn query(&self) -> impl Iterator<Item = &'static str> {
        let names = self.uri.split_once("{?").and_then(|(_, query)| query.strip_suffix('}'));
        names.into_iter().flat_map(|names| names.split(','))
    }

    /// Whether all the tools behind it may be asked for here.
    pub fn is_offered(&self, surface: &Surface) -> bool {
        self.hidden(surface).is_none()
    }

    /// Why one of the tools behind it may not be asked for here.
    pub(super) fn hidden(&self, surface: &Surface) -> Option<OperationError> {
        self.tools.iter().find_map(|tool| surface.of_resources(tool).err())
    }
}

/// The templates' forms, in a sentence.
pub(super) fn all() -> String {
    let forms: Vec<&str> = STATICS.iter().chain(TEMPLATES).map(|template| template.uri).collect();
    forms.join(", ")
}

/// A row of [`TEMPLATES`] whose answer is JSON and may change at any time.
const fn json(
    (name, uri): (&'static str, &'static str),
    (title, about): (&'static str, &'static str),
    tools: &'static [&'static str],
    read: for<'a> fn(Reader<'a>) -> Read<'a>,
) -> Template {
    Template { uri, name, title, about, media_type: Some(JSON), tools, lifetime: Lifetime::Short, read }
}

/// Resources without variables.
pub static STATICS: &[Template] = &[
    json(
        ("user", "forgejo://user"),
        ("You", "The account that the token belongs to."),
        &["get_my_user_info"],
        collections::user,
    ),
    json(
        ("version", "forgejo://version"),
        ("Version of the forge", "The release of Forgejo that the instance runs."),
        &["get_server_version"],
        collections::version,
    ),
];

/// Resources with variables.
pub static TEMPLATES: &[Template] = &[
    json(
        ("owner", "forgejo://owner/{owner}"),
        ("User or organization", "A user or an organization: name, kind, description."),
        &["get_user", "get_org"],
        entities::owner,
    ),
    json(
        ("org-labels", "forgejo://org/{org}/labels{?page,limit}"),
        ("Labels of an organization", "The labels that all repositories of an organization share."),
        &["list_org_labels"],
        collections::org_labels,
    ),
    json(
        ("repo", "forgejo://repo/{owner}/{repo}"),
        ("Repository", "A repository: description, default branch, visibility, counts."),
        &["get_repo"],
        entities::repo,
    ),
    Template {
        uri: "forgejo://repo/{owner}/{repo}/file/{ref}/{+path}",
        name: "file",
        title: "File",
        about: "A file, or the entries of a folder, at a branch, tag or commit; a slash in the ref is %2F.",
        media_type: None,
        tools: &["get_file_content"],
        lifetime: Lifetime::ImmutableAtSha,
        read: content::file,
    },
    Template {
        uri: "forgejo://repo/{owner}/{repo}/file/{ref}{?page,limit}",
        name: "root",
        title: "Root folder",
        about: "The entries of a repository's root folder at a branch, tag or commit; a slash in the ref is %2F.",
        media_type: Some(JSON),
        tools: &["list_repo_contents"],
        lifetime: Lifetime::ImmutableAtSha,
        read: collections::root,
    },
    Template {
        uri: "forgejo://repo/{owner}/{repo}/commit/{sha}",
        name: "commit",
        title: "Commit",
        about: "A commit by its full SHA, and its whole message as Markdown; no files, no diff. It is immutable.",
        media_type: Some(JSON),
        tools: &["get_commit"],
        lifetime: Lifetime::Immutable,
        read: entities::commit,
    },
    json(
        ("commit-status", "forgejo://repo/{owner}/{repo}/commit/{sha}/status"),
        (
            "Checks of a commit",
            "The newest status of each check of a commit, the gravest for all; cacheable for a short time.",
        ),
        &["get_commit_status"],
        entities::commit_status,
    ),
    json(
        ("issues", "forgejo://repo/{owner}/{repo}/issues{?state,labels,page,limit}"),
        (
            "Issues",
            "The issues of a repository, open ones unless a state is given; labels by name, with commas.",
        ),
        &["list_repo_issues"],
        collections::issues,
    ),
    json(
        ("issue", "forgejo://repo/{owner}/{repo}/issue/{index}"),
        ("Issue", "An issue with its 30 most recent comments, and its text as Markdown."),
        &["get_issue_by_index", "list_issue_comments"],
        entities::issue,
    ),
    json(
        ("prs", "forgejo://repo/{owner}/{repo}/prs{?state,page,limit}"),
        ("Pull requests", "The pull requests of a repository, open ones unless a state is given."),
        &["list_repo_pull_requests"],
        collections::pull_requests,
    ),
    json(
        ("pr", "forgejo://repo/{owner}/{repo}/pr/{index}"),
        (
            "Pull request",
            "A pull request with its 30 most recent comments and reviews, and its text as Markdown.",
        ),
        &["get_pull_request_by_index", "list_issue_comments", "list_pull_reviews"],
        entities::pull_request,
    ),
    Template {
        uri: "forgejo://repo/{owner}/{repo}/pr/{index}/diff",
        name: "pr-diff",
        title: "Diff of a pull request",
        about: "What a pull request changes, as a unified diff.",
        media_type: Some("text/x-diff"),
        tools: &["get_pull_request_diff"],
        lifetime: Lifetime::Short,
        read: content::diff,
    },
    json(
        ("comments", "forgejo://repo/{owner}/{repo}/{kind}/{index}/comments{?page,limit}"),
        ("Comments", "The comments of an issue (kind issue) or pull request (kind pr), oldest first."),
        &["list_issue_comments", "get_issue_by_index"],
        collections::comments,
    ),
    json(
        ("comment", "forgejo://repo/{owner}/{repo}/{kind}/{index}/comment/{id}"),
        (
            "Comment",
            "A comment of an issue (kind issue) or pull request (kind pr), and its text as Markdown.",
        ),
        &["get_issue_comment"],
        entities::comment,
    ),
    json(
        ("labels", "forgejo://repo/{owner}/{repo}/labels{?page,limit}"),
        ("Labels", "The labels that are a repository's own."),
        &["list_repo_labels"],
        collections::labels,
    ),
    json(
        ("label", "forgejo://repo/{owner}/{repo}/label/{id}"),
        ("Label", "A label of a repository, by its id."),
        &["get_repo_label"],
        collections::label,
    ),
    json(
        ("branch-protections", "forgejo://repo/{owner}/{repo}/branch_protections{?page,limit}"),
        ("Branch protections", "The rules that protect the branches of a repository."),
        &["list_branch_protections"],
        collections::branch_protections,
    ),
    json(
        ("branch-protection", "forgejo://repo/{owner}/{repo}/branch_protection/{rule}"),
        ("Branch protection", "A rule that protects branches, by its name."),
        &["get_branch_protection"],
        collections::branch_protection,
    ),
    json(
        ("hooks", "forgejo://repo/{owner}/{repo}/hooks{?page,limit}"),
        ("Webhooks", "The webhooks of a repository, without their secrets."),
        &["list_repo_hooks"],
        collections::hooks,
    ),
    json(
        ("hook", "forgejo://repo/{owner}/{repo}/hook/{id}"),
        ("Webhook", "A webhook of a repository, by its id, without its secret."),
        &["get_repo_hook"],
        collections::hook,
    ),
    json(
        ("releases", "forgejo://repo/{owner}/{repo}/releases{?page,limit}"),
        ("Releases", "The releases of a repository, newest first."),
        &["list_releases"],
        collections::releases,
    ),
    json(
        ("milestones", "forgejo://repo/{owner}/{repo}/milestones{?state,page,limit}"),
        ("Milestones", "The milestones of a repository, all of them unless a state is given."),
        &["list_repo_milestones"],
        collections::milestones,
    ),
    json(
        ("wiki-page", "forgejo://repo/{owner}/{repo}/wiki/{pageName}"),
        ("Wiki page", "A page of a repository's wiki, and its text as Markdown."),
        &["get_wiki_page"],
        content::wiki_page,
    ),
];
