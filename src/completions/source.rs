//! Where the values of each variable come from: a table from its name to the tools that list them.

use serde_json::{Map, Value};

use super::ROWS;
use crate::tools::Arguments;

/// What is completed: a template or a prompt, and what is known of its other variables.
#[derive(Debug)]
pub struct Place<'a> {
    /// The name of the template or the prompt.
    pub name: &'a str,
    /// The values that were chosen before.
    pub known: &'a dyn Known,
}

/// Values that were chosen before.
pub trait Known: std::fmt::Debug + Sync {
    /// The value of that variable, where it has one.
    fn value(&self, name: &str) -> Option<&str>;
}

/// A tool that lists values.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) tool: &'static str,
    pub(super) arguments: Arguments,
    /// The field that is the value.
    pub(super) value: &'static str,
    /// The field by which people know it.
    pub(super) about: Option<&'static str>,
    form: Form,
}

/// What becomes of a value.
#[derive(Debug)]
enum Form {
    /// It stays.
    Whole,
    /// The repository's own name, of an owner's where one is known.
    Repository(Option<String>),
    /// A path; a folder ends in a slash.
    Path,
}

impl Source {
    fn new(tool: &'static str, value: &'static str) -> Self {
        Self { tool, arguments: Map::new(), value, about: None, form: Form::Whole }
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }

    /// The same list, as many rows as a page has.
    fn paged(self) -> Self {
        self.with("limit", ROWS)
    }

    fn about(mut self, field: &'static str) -> Self {
        self.about = Some(field);
        self
    }

    fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// What is kept of it is kept under this: a path, so that a write to the repository forgets it.
    pub(super) fn key(&self) -> String {
        let text = |name| self.arguments.get(name).and_then(Value::as_str).unwrap_or("-");
        let arguments = Value::Object(self.arguments.clone());
        format!("/repos/{}/{}?{} {} {arguments}", text("owner"), text("repo"), self.tool, self.value)
    }

    /// The value as it is offered.
    pub(super) fn shown(&self, value: &str, row: &Value) -> Option<String> {
        match &self.form {
            Form::Whole => Some(value.to_owned()),
            Form::Repository(None) => value.split_once('/').map(|(_, name)| name.to_owned()),
            Form::Repository(Some(owner)) => {
                let (of, name) = value.split_once('/')?;
                of.eq_ignore_ascii_case(owner).then(|| name.to_owned())
            }
            Form::Path => {
                let is_folder = row.get("type").is_some_and(|kind| kind == "dir");
                Some(if is_folder { format!("{value}/") } else { value.to_owned() })
            }
        }
    }
}

/// The words that a variable takes, where they are few and known.
pub(super) fn words(variable: &str) -> &'static [&'static str] {
    match variable {
        "kind" => &["issue", "pr"],
        "state" => &["open", "closed", "all"],
        _ => &[],
    }
}

/// The tools that list what may stand for a variable; none where too little is known.
pub(super) fn of(place: &Place<'_>, variable: &str, typed: &str) -> Vec<Source> {
    match variable {
        "owner" | "org" => owners(variable, typed),
        "repo" => repositories(place),
        _ => match (place.known.value("owner"), place.known.value("repo")) {
            (Some(owner), Some(repo)) if !owner.is_empty() && !repo.is_empty() => {
                let sources = within(place, variable, typed);
                sources.into_iter().map(|source| source.with("owner", owner).with("repo", repo)).collect()
            }
            _ => Vec::new(),
        },
    }
}

fn owners(variable: &str, typed: &str) -> Vec<Source> {
    let mut sources = vec![Source::new("list_my_orgs", "name").about("full_name").paged()];
    if variable == "owner" {
        sources.insert(0, Source::new("get_my_user_info", "login").about("full_name"));
        if !typed.is_empty() {
            sources.push(Source::new("search_users", "login").about("full_name").with("q", typed).paged());
        }
    }
    sources
}

fn repositories(place: &Place<'_>) -> Vec<Source> {
    let owner = place.known.value("owner").filter(|owner| !owner.is_empty());
    let named = || Form::Repository(owner.map(str::to_owned));
    let mut sources =
        vec![Source::new("list_my_repos", "full_name").about("description").paged().form(named())];
    if let Some(owner) = owner {
        let others = Source::new("list_user_repos", "full_name").about("description").with("user", owner);
        sources.push(others.paged().form(named()));
    }
    sources
}

/// What is in a repository.
fn within(place: &Place<'_>, variable: &str, typed: &str) -> Vec<Source> {
    let known = |name: &str| place.known.value(name).filter(|value| !value.is_empty());
    let list = |tool, value| Source::new(tool, value).paged();
    match variable {
        "ref" | "to" => vec![list("list_branches", "name"), list("list_tags", "name")],
        "tag" => vec![list("list_tags", "name")],
        "sha" => vec![list("list_repo_commits", "sha").about("commit.message")],
        "index" => threads(place),
        "id" => ids(place.name, known("index")),
        "labels" => vec![list("list_repo_labels", "name").about("description")],
        "rule" => vec![list("list_branch_protections", "rule_name")],
        "pageName" => vec![list("list_wiki_pages", "title")],
        "run" => vec![list("list_workflow_runs", "id").about("title")],
        "path" => {
            let folder = typed.rsplit_once('/').map_or("", |(folder, _)| folder);
            let entries = Source::new("get_file_content", "path").with("path", folder).form(Form::Path);
            vec![match known("ref") {
                Some(reference) => entries.with("ref", reference),
                None => entries,
            }]
        }
        _ => Vec::new(),
    }
}

/// Open issues or pull requests, by number and by the words of their titles.
fn threads(place: &Place<'_>) -> Vec<Source> {
    let issues = || {
        let list = Source::new("list_repo_issues", "number").about("title").paged();
        list.with("state", "open").with("type", "issues")
    };
    let pulls =
        || Source::new("list_repo_pull_requests", "number").about("title").paged().with("state", "open");
    let kind = place.known.value("kind").unwrap_or_default();
    match place.name {
        "pr" | "pr-diff" | "review_pull_request" => vec![pulls()],
        "comments" | "comment" if kind == "pr" => vec![pulls()],
        _ => vec![issues()],
    }
}

/// Ids of what the template is about.
fn ids(template: &str, index: Option<&str>) -> Vec<Source> {
    match (template, index) {
        ("label", _) => vec![Source::new("list_repo_labels", "id").about("name").paged()],
        ("hook", _) => vec![Source::new("list_repo_hooks", "id").about("url").paged()],
        ("comment", Some(index)) => {
            let newest = Source::new("list_issue_comments", "id").about("body");
            vec![newest.with("index", index).with("last", super::MOST)]
        }
        _ => Vec::new(),
    }
}
