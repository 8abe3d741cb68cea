//! Where the values of each variable come from: a table from its name to the tools that list them.

use serde_json::{Map, Value};

use super::{PAGES, ROWS};
use crate::forge::{Forge, Repositories};
use crate::tools::Arguments;

/// The rows that are asked for of a list that the forge sends whole.
const WHOLE: u64 = 1000;

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
    /// What finds by what was typed, where the list is longer than a page.
    pub(super) search: Option<Box<Source>>,
    /// Whether the rows are those from the list's end.
    pub(super) is_end: bool,
}

/// What becomes of a value.
#[derive(Debug)]
enum Form {
    /// Percent-encoded.
    Encoded,
    /// It stays.
    Whole,
    /// The repository's own name, of an owner's where one is known.
    Repository(Option<String>),
    /// A path; a folder ends in a slash.
    Path,
}

impl Source {
    fn new(tool: &'static str, value: &'static str) -> Self {
        let (arguments, form) = (Map::new(), Form::Whole);
        Self { tool, arguments, value, about: None, form, search: None, is_end: false }
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }

    /// The same of a repository.
    fn below(self, owner: &str, repo: &str) -> Self {
        let search = self.search.map(|search| Box::new(search.below(owner, repo)));
        Self { search, ..self }.with("owner", owner).with("repo", repo)
    }

    /// The same list, as many rows as a page has.
    fn paged(self) -> Self {
        self.with("limit", ROWS)
    }

    /// The same list, of which the forge sends all there is in one answer.
    fn whole(self) -> Self {
        self.with("limit", WHOLE)
    }

    /// The same list, so many rows from its end.
    fn end(self) -> Self {
        Self { is_end: true, ..self.with("last", WHOLE) }
    }

    /// The same, with what finds in it by what was typed.
    fn or(self, search: Option<Self>) -> Self {
        Self { search: search.map(Box::new), ..self }
    }

    /// How many pages are read.
    pub(super) fn pages(&self) -> usize {
        if self.search.is_some() { 1 } else { PAGES }
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
        let (tool, value, pages) = (self.tool, self.value, self.pages());
        format!("/repos/{}/{}?{tool} {value} {pages} {arguments}", text("owner"), text("repo"))
    }

    /// The value as it is offered.
    pub(super) fn shown(&self, value: &str, row: &Value) -> Option<String> {
        match &self.form {
            Form::Whole => Some(value.to_owned()),
            Form::Encoded => crate::tools::decoded(value),
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

/// The names of those repositories that alone may be asked for, where whoever runs this program names some.
pub(super) fn named<'f>(
    forge: &'f Forge,
    place: &Place<'_>,
    variable: &str,
) -> impl Iterator<Item = &'f str> + use<'f> {
    let owner = place.known.value("owner").unwrap_or_default().to_owned();
    let (is_owner, is_repo) = (matches!(variable, "owner" | "org"), variable == "repo");
    let named = forge.repositories().into_iter().flat_map(Repositories::names);
    named.filter_map(move |(of, name)| match () {
        () if is_owner => Some(of),
        () if is_repo && name != "*" && (owner.is_empty() || of.eq_ignore_ascii_case(&owner)) => Some(name),
        () => None,
    })
}

/// The tools that list what may stand for a variable; none where too little is known.
pub(super) fn of(place: &Place<'_>, variable: &str, typed: &str) -> Vec<Source> {
    match variable {
        "owner" | "org" => owners(variable, typed),
        "repo" => repositories(place, typed),
        _ => match (place.known.value("owner"), place.known.value("repo")) {
            (Some(owner), Some(repo)) if !owner.is_empty() && !repo.is_empty() => {
                let sources = within(place, variable, typed);
                sources.into_iter().map(|source| source.below(owner, repo)).collect()
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

fn repositories(place: &Place<'_>, typed: &str) -> Vec<Source> {
    let owner = place.known.value("owner").filter(|owner| !owner.is_empty());
    let list = |tool| {
        let list = Source::new(tool, "full_name").about("description").paged();
        list.form(Form::Repository(owner.map(str::to_owned)))
    };
    let search = || (!typed.is_empty()).then(|| list("search_repos").with("q", typed));
    let own = list("list_my_repos").or(search());
    let others = owner.map(|owner| list("list_user_repos").with("user", owner).or(search()));
    std::iter::once(own).chain(others).collect()
}

/// What is in a repository.
fn within(place: &Place<'_>, variable: &str, typed: &str) -> Vec<Source> {
    let known = |name: &str| place.known.value(name).filter(|value| !value.is_empty());
    let list = |tool, value| Source::new(tool, value).paged();
    match variable {
        "ref" | "to" => vec![list("list_branches", "name"), list("list_tags", "name")],
        "tag" => vec![list("list_tags", "name")],
        "sha" => vec![list("list_repo_commits", "sha").about("commit.message")],
        "index" => threads(place, typed),
        "id" => ids(place.name, known("index")),
        "labels" => vec![list("list_repo_labels", "name").about("description")],
        "rule" => vec![Source::new("list_branch_protections", "rule_name").whole()],
        "pageName" => vec![list("list_wiki_pages", "sub_url").about("title").form(Form::Encoded)],
        "run" => vec![list("list_workflow_runs", "id").about("title")],
        "path" => {
            let folder = typed.rsplit_once('/').map_or("", |(folder, _)| folder);
            let entries = Source::new("list_repo_contents", "path").whole().form(Form::Path);
            let given = [("path", Some(folder).filter(|folder| !folder.is_empty())), ("ref", known("ref"))];
            let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
            vec![given.fold(entries, |entries, (name, value)| entries.with(name, value))]
        }
        _ => Vec::new(),
    }
}

/// Open issues or pull requests, by number and by the words of their titles.
fn threads(place: &Place<'_>, typed: &str) -> Vec<Source> {
    let kind = place.known.value("kind").unwrap_or_default();
    let is_pull = match place.name {
        "pr" | "pr-diff" | "review_pull_request" => true,
        "comments" | "comment" => kind == "pr",
        _ => false,
    };
    let list = |tool| Source::new(tool, "number").about("title").with("state", "open").paged();
    let of_both = |kind: &str| list("list_repo_issues").with("type", kind);
    // The forge searches texts, and by the start of a number it finds nothing.
    let is_word = typed.contains(|c: char| !c.is_ascii_digit());
    let search = |kind: &str| is_word.then(|| of_both(kind).with("q", typed));
    vec![match is_pull {
        true => list("list_repo_pull_requests").or(search("pulls")),
        false => of_both("issues").or(search("issues")),
    }]
}

/// Ids of what the template is about.
fn ids(template: &str, index: Option<&str>) -> Vec<Source> {
    match (template, index) {
        ("label", _) => vec![Source::new("list_repo_labels", "id").about("name").paged()],
        ("hook", _) => vec![Source::new("list_repo_hooks", "id").about("url").paged()],
        ("comment", Some(index)) => {
            vec![Source::new("list_issue_comments", "id").about("body").with("index", index).end()]
        }
        _ => Vec::new(),
    }
}
