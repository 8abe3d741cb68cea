//! Owners, repositories, commits, issues, pull requests and comments.

use std::fmt::Write as _;

use futures_util::future::{join, try_join, try_join3};
use serde_json::{Map, Value};

use super::reader::Reader;
use super::rows::{Newest, Paged};
use super::shape::{Fields, excerpt, paths, shaped, text};
use super::{Block, JSON, LIMIT, MARKDOWN, Read, ResourceError, threads};
use crate::operations::{Code, OperationError};

const OWNER: Fields = &[
    ("login", "login"),
    ("full_name", "full_name"),
    ("kind", "kind"),
    ("avatar_url", "avatar_url"),
    ("description", "description"),
    ("created_at", "created"),
    ("html_url", "html_url"),
];

const REPO: Fields = &[
    ("full_name", "full_name"),
    ("owner_login", "owner.login"),
    ("description", "description"),
    ("default_branch", "default_branch"),
    ("archived", "archived"),
    ("fork", "fork"),
    ("created_at", "created_at"),
    ("updated_at", "updated_at"),
    ("open_issues_count", "open_issues_count"),
    ("open_pr_count", "open_pr_counter"),
    ("stars_count", "stars_count"),
    ("html_url", "html_url"),
];

const COMMIT: Fields = &[
    ("sha", "sha"),
    ("author", "commit.author"),
    ("committer", "commit.committer"),
    ("parents", "parents.sha"),
    ("tree_sha", "commit.tree.sha"),
    ("created_at", "created"),
    ("html_url", "html_url"),
];

const ISSUE: Fields = &[
    ("index", "number"),
    ("title", "title"),
    ("state", "state"),
    ("body", "body"),
    ("labels", "labels.name"),
    ("assignees", "assignees.login"),
    ("milestone", "milestone.title"),
    ("author", "user.login"),
    ("created_at", "created_at"),
    ("updated_at", "updated_at"),
    ("closed_at", "closed_at"),
    ("due_date", "due_date"),
    ("comments_count", "comments"),
    ("html_url", "html_url"),
];

/// What a pull request has besides what an issue has.
const PULL_REQUEST: Fields = &[
    ("requested_reviewers", "requested_reviewers.login"),
    ("merged_at", "merged_at"),
    ("merge_commit_sha", "merge_commit_sha"),
    ("mergeable", "mergeable"),
];

/// The head or the base of a pull request.
const BRANCH: Fields = &[("ref", "ref"), ("sha", "sha"), ("repo_full_name", "repo.full_name")];

const COMMENT: Fields = &[
    ("id", "id"),
    ("author", "user.login"),
    ("body", "body"),
    ("created_at", "created_at"),
    ("updated_at", "updated_at"),
    ("html_url", "html_url"),
];

/// A comment among others.
const RECENT_COMMENT: Fields =
    &[("id", "id"), ("author", "user.login"), ("created_at", "created_at"), ("body", "body")];

/// A review among others.
const RECENT_REVIEW: Fields = &[
    ("id", "id"),
    ("author", "user.login"),
    ("state", "state"),
    ("submitted_at", "submitted_at"),
    ("body", "body"),
];

pub(super) fn owner(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        // The forge answers for organizations among users, and does not say so.
        let fields = paths(OWNER).filter(|path| *path != "kind");
        let user = reader.tools.entity("get_user", reader.arguments([("user", "owner")]), fields);
        let organization = reader.tools.entity("get_org", reader.arguments([("org", "owner")]), ["id"]);
        let (user, organization) = join(user, organization).await;
        let mut owner = user?;
        let kind = match organization {
            Ok(_) => Some("organization"),
            Err(error) => match error.code {
                Code::NotFound => Some("user"),
                // A token that may not ask leaves it open.
                Code::Forbidden | Code::MissingScope => None,
                _ => return Err(error.into()),
            },
        };
        if let (Value::Object(owner), Some(kind)) = (&mut owner, kind) {
            owner.insert("kind".to_owned(), kind.into());
        }
        let mut owner = shaped(&owner, OWNER);
        owner.retain(|_, value| value.as_str() != Some(""));
        Ok(vec![object(owner.into())])
    })
}

pub(super) fn repo(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let fields = paths(REPO).chain(["private", "internal"]);
        let found = reader.tools.entity("get_repo", reader.within_repo([]), fields).await?;
        let mut repo = shaped(&found, REPO);
        let is = |name: &str| found.get(name).and_then(Value::as_bool);
        let visibility = match (is("internal"), is("private")) {
            (Some(true), _) => Some("internal"),
            (_, Some(true)) => Some("private"),
            (_, Some(false)) => Some("public"),
            _ => None,
        };
        repo.extend(visibility.map(|word| ("visibility".to_owned(), word.into())));
        Ok(vec![object(repo.into())])
    })
}

pub(super) fn commit(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let fields = paths(COMMIT).chain(["commit.message"]);
        let found = reader.tools.entity("get_commit", reader.within_repo([("sha", "sha")]), fields).await?;
        let message = text(&found, "commit.message");
        let mut commit = shaped(&found, COMMIT);
        commit.insert("message_subject".to_owned(), message.lines().next().unwrap_or_default().into());
        Ok(vec![object(commit.into()), Block::text(MARKDOWN, message)])
    })
}

pub(super) fn issue(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let index = || reader.within_repo([("index", "index")]);
        let fields = paths(ISSUE).chain([threads::MARK]);
        let issue = reader.tools.entity("get_issue_by_index", index(), fields);
        let comments = comments(&reader);
        let (found, comments) = try_join(issue, comments.last()).await?;
        threads::expect(&reader, "issue", &found)?;
        let mut issue = shaped(&found, ISSUE);
        embed(&mut issue, "comments", (&comments, RECENT_COMMENT), "list_issue_comments");
        Ok(vec![object(issue.into()), Block::text(MARKDOWN, text(&found, "body"))])
    })
}

pub(super) fn pull_request(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let index = || reader.within_repo([("index", "index")]);
        let branches =
            ["head.ref", "head.sha", "head.repo.full_name", "base.ref", "base.sha", "base.repo.full_name"];
        let fields = paths(ISSUE).chain(paths(PULL_REQUEST)).chain(branches);
        let (comments, reviews) = (comments(&reader), rows(&reader, "list_pull_reviews", RECENT_REVIEW));
        let read = try_join3(
            reader.tools.entity("get_pull_request_by_index", index(), fields),
            comments.last(),
            reviews.newest(),
        );
        let (found, comments, reviews) = match read.await {
            Ok(read) => read,
            Err(error) => return Err(threads::no_pull_request(&reader, error).await),
        };
        let mut pull = shaped(&found, ISSUE);
        pull.extend(shaped(&found, PULL_REQUEST));
        for side in ["head", "base"] {
            let branch = found.get(side).map(|branch| shaped(branch, BRANCH)).unwrap_or_default();
            pull.insert(side.to_owned(), branch.into());
        }
        if reviews.cut.is_none() {
            pull.insert("review_count".to_owned(), reviews.total.into());
        }
        embed(&mut pull, "comments", (&comments, RECENT_COMMENT), "list_issue_comments");
        embed(&mut pull, "reviews", (&reviews, RECENT_REVIEW), "list_pull_reviews");
        let blocks = vec![object(pull.into()), Block::text(MARKDOWN, text(&found, "body"))];
        Ok(blocks)
    })
}

pub(super) fn comment(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let fields = paths(COMMENT).chain(threads::PARENTS);
        let found = reader
            .tools
            .entity("get_issue_comment", reader.within_repo([("comment_id", "id")]), fields)
            .await?;
        let (kind, index) = (reader.variable("kind"), reader.variable("index"));
        let (parent, of) = threads::parent(&found).unwrap_or_default();
        if (parent, of.as_str()) != (kind, index) {
            let mut said = format!("comment {} is not one of {kind} {index}", reader.variable("id"));
            if !parent.is_empty() {
                let address = reader.address.with(&[("kind", parent.to_owned()), ("index", of)]);
                let _ = write!(said, "; its address is {address}");
            }
            return Err(ResourceError::NotHere(said));
        }
        let mut comment = shaped(&found, COMMENT);
        comment.insert("kind".to_owned(), kind.into());
        comment.insert("parent_index".to_owned(), index.parse::<u64>().unwrap_or_default().into());
        Ok(vec![object(comment.into()), Block::text(MARKDOWN, text(&found, "body"))])
    })
}

pub(super) fn commit_status(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let sha = reader.variable("sha");
        let checks = super::checks::read(&reader).await?;
        let mut answer = Map::new();
        answer.insert("sha".to_owned(), sha.into());
        answer.insert("state".to_owned(), checks.state.into());
        answer.insert("total_count".to_owned(), checks.shown.total.into());
        let sentinel = checks.shown.sentinel("list_commit_statuses");
        answer.insert("statuses".to_owned(), checks.shown.rows.into());
        answer.extend(sentinel.map(|sentinel| ("statuses_truncated".to_owned(), sentinel.into())));
        Ok(vec![object(answer.into())])
    })
}

/// The comments on what the address is about.
fn comments<'a>(reader: &'a Reader<'a>) -> Paged<'a> {
    rows(reader, "list_issue_comments", RECENT_COMMENT)
}

/// A list below an issue or a pull request.
fn rows<'a>(reader: &'a Reader<'a>, tool: &'static str, fields: Fields) -> Paged<'a> {
    let arguments = reader.within_repo([("index", "index")]);
    Paged { tools: &reader.tools, tool, arguments, fields: paths(fields).collect(), rows: "items" }
}

/// Puts rows into an object as `recent_…`, each with the start of its text, and beside them as `…_truncated` what is
/// told of those that are not here.
fn embed(object: &mut Map<String, Value>, what: &str, (newest, fields): (&Newest, Fields), tool: &str) {
    let rows = newest.rows.iter().map(|row| {
        let mut row = shaped(row, fields);
        let body = row.remove("body").and_then(|body| body.as_str().map(excerpt)).unwrap_or_default();
        row.insert("body_excerpt".to_owned(), body.into());
        Value::Object(row)
    });
    object.insert(format!("recent_{what}"), rows.collect());
    object.extend(newest.sentinel(tool).map(|sentinel| (format!("{what}_truncated"), sentinel.into())));
}

/// A block of JSON.
pub(super) fn object(value: Value) -> Block {
    Block::text(JSON, value.to_string())
}

/// That a resource is larger than one may be.
pub(super) fn too_large(size: &str, tool: &str) -> OperationError {
    let said = format!("it has {size} bytes, and a resource at most {LIMIT}");
    OperationError::new(Code::TooLarge, said).hint(format!("the tool {tool} reads it in parts"))
}
