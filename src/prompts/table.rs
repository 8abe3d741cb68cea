//! The prompts: what each asks for, and the parts that it starts from.

use serde_json::{Value, json};

use super::part::{Part, assembled};
use super::{Argument, Made, Maker, Prompt};
use crate::operations::{Code, OperationError};
use crate::tools::at;

const OWNER: Argument = Argument { name: "owner", about: "the owner of the repository", required: true };
const REPO: Argument = Argument { name: "repo", about: "the repository's name", required: true };

/// All prompts.
pub static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "review_pull_request",
        title: "Review a pull request",
        about: "Review a pull request: its change, its checks and what was said about it so far.",
        arguments: &[
            OWNER,
            REPO,
            Argument { name: "index", about: "the pull request's number", required: true },
        ],
        tools: &[
            "get_pull_request_by_index",
            "list_pull_request_files",
            "get_pull_request_diff",
            "get_commit_status",
            "list_pull_reviews",
            "list_issue_comments",
        ],
        helpful: &[
            ("get_file_content", "a whole file, at the head's ref"),
            ("get_pull_request_diff", "the change of some files, by `paths`"),
            ("create_pull_review", "the review itself, once its text was agreed to"),
        ],
        make: review,
    },
    Prompt {
        name: "triage_issues",
        title: "Triage the open issues",
        about: "Go through a repository's open issues: duplicates, labels, milestones, what needs an answer.",
        arguments: &[OWNER, REPO],
        tools: &["list_repo_issues", "list_repo_labels", "list_repo_milestones"],
        helpful: &[
            ("get_issue_by_index", "an issue's text"),
            ("list_issue_comments", "what was said about it"),
            ("search_issues", "whether it was reported before"),
            ("add_issue_labels", "labels, by name"),
            ("update_issue", "title, milestone, assignees"),
            ("create_issue_comment", "a question to whoever reported it"),
            ("issue_state_change", "closing"),
        ],
        make: triage,
    },
    Prompt {
        name: "fix_failing_run",
        title: "Fix a failing run",
        about: "Find out why a workflow run fails, and propose the change that mends it.",
        arguments: &[
            OWNER,
            REPO,
            Argument {
                name: "run",
                about: "the run's id; the newest that failed where it is left out",
                required: false,
            },
        ],
        tools: &["list_workflow_runs", "get_workflow_run", "get_commit_status", "get_commit_diff"],
        helpful: &[
            ("get_file_content", "the workflow's file, below .forgejo/workflows, and the code"),
            ("get_commit_diff", "the change that it ran on, by `paths`"),
            ("edit_file", "the change, on a branch of its own"),
            ("create_pull_request", "proposing it"),
        ],
        make: fix,
    },
    Prompt {
        name: "write_release_notes",
        title: "Write release notes",
        about: "Write release notes from what changed since a tag.",
        arguments: &[
            OWNER,
            REPO,
            Argument { name: "tag", about: "the tag of the last release, as v1.2.0", required: true },
            Argument {
                name: "to",
                about: "the tag or branch of the new one; the default branch where it is left out",
                required: false,
            },
        ],
        tools: &["get_repo", "compare_commits", "list_repo_pull_requests"],
        helpful: &[
            ("get_release_by_tag", "how the last notes were written"),
            ("get_pull_request_by_index", "what a change was about"),
            ("create_release", "the release, as a draft first"),
        ],
        make: notes,
    },
];

fn place(maker: &Maker<'_>) -> String {
    let part = |name| maker.given(name).unwrap_or_default();
    format!("{}/{}", part("owner"), part("repo"))
}

fn review(maker: Maker<'_>) -> Made<'_> {
    Box::pin(async move {
        let index = maker.given("index").unwrap_or_default();
        let of = |tool, title, share| Part {
            title,
            tool,
            arguments: maker.arguments([("index", index.into())]),
            share,
            is_needed: tool == "get_pull_request_diff",
        };
        let pull = maker.tools.entity(
            "get_pull_request_by_index",
            maker.arguments([("index", index.into())]),
            ["head.sha"],
        );
        let head = at(&pull.await?, "head.sha").unwrap_or_default();
        let mut comments = of("list_issue_comments", "The newest comments", 10);
        comments.arguments.insert("last".to_owned(), 20.into());
        let checks = Part {
            title: "Its checks",
            tool: "get_commit_status",
            arguments: maker.arguments([("ref", head)]),
            share: 10,
            is_needed: false,
        };
        let parts = vec![
            of("get_pull_request_by_index", "The pull request", 10),
            checks,
            of("list_pull_reviews", "Reviews so far", 8),
            comments,
            of("list_pull_request_files", "Files", 7),
            of("get_pull_request_diff", "The change", 55),
        ];
        let task = format!(
            "Review pull request !{index} of {}. Say first what it does, in two sentences. Then list what must change \
             (wrong behaviour, lost data, security, missing tests), each with file and line and the change that you \
             propose; then what could be better; then what you could not judge. Take up what reviews and comments left open, \
             and say whether the checks pass. Do not repeat the change. Post nothing before I have agreed.",
            place(&maker)
        );
        Ok(assembled(&maker, &task, parts).await?)
    })
}

fn triage(maker: Maker<'_>) -> Made<'_> {
    Box::pin(async move {
        let of = |tool, title, share, more: Vec<(&str, Value)>| {
            let mut arguments = maker.arguments([]);
            arguments.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
            Part { title, tool, arguments, share, is_needed: tool == "list_repo_issues" }
        };
        let open = vec![("state", json!("open")), ("type", json!("issues")), ("limit", json!(50))];
        let parts = vec![
            of("list_repo_issues", "Open issues, newest first", 70, open),
            of("list_repo_labels", "Labels", 18, vec![("limit", json!(50))]),
            of("list_repo_milestones", "Milestones", 12, vec![]),
        ];
        let task = format!(
            "Triage the open issues of {}. For each that needs something give its number, what it needs (a label, a \
             milestone, a question, closing as a duplicate of another, an assignee) and why, in one line; the most urgent \
             first. Use labels and milestones that exist. Read an issue before you call it a duplicate. Change nothing \
             before I have agreed; then do it issue by issue.",
            place(&maker)
        );
        Ok(assembled(&maker, &task, parts).await?)
    })
}

fn fix(maker: Maker<'_>) -> Made<'_> {
    Box::pin(async move {
        let run = match maker.given("run") {
            Some(run) => Value::from(run),
            None => newest_failing(&maker).await?,
        };
        let arguments = maker.arguments([("run_id", run.clone())]);
        let found = maker.tools.entity("get_workflow_run", arguments.clone(), ["commit_sha"]).await?;
        let sha = at(&found, "commit_sha").unwrap_or_default();
        let parts = vec![
            Part { title: "The run", tool: "get_workflow_run", arguments, share: 15, is_needed: true },
            Part {
                title: "The checks of its commit",
                tool: "get_commit_status",
                arguments: maker.arguments([("ref", sha.clone())]),
                share: 20,
                is_needed: false,
            },
            Part {
                title: "What the commit changed",
                tool: "get_commit_diff",
                arguments: maker.arguments([("sha", sha)]),
                share: 65,
                is_needed: false,
            },
        ];
        let run = run.as_str().map_or_else(|| run.to_string(), str::to_owned);
        let task = format!(
            "Find out why run {run} of {} fails, and propose the smallest change that mends it. Read the workflow's file and \
             the code that it runs. The log cannot be read through the API of this release: say what you would look for in it, and \
             ask me for those lines where you need them. Do not weaken a check to make it pass. Propose the change as a diff, \
             and write nothing before I have agreed.",
            place(&maker)
        );
        Ok(assembled(&maker, &task, parts).await?)
    })
}

/// The id of the newest run that failed.
async fn newest_failing(maker: &Maker<'_>) -> Result<Value, OperationError> {
    let arguments = maker.arguments([("status", json!(["failure"])), ("limit", json!(1))]);
    let runs = maker.tools.fields("list_workflow_runs", arguments, ["id"]).await?;
    runs.pointer("/items/0/id").cloned().ok_or_else(|| {
        let said = format!("no run of {} has failed", place(maker));
        OperationError::new(Code::NotFound, said).hint("name a run by its id; list_workflow_runs lists them")
    })
}

fn notes(maker: Maker<'_>) -> Made<'_> {
    Box::pin(async move {
        let tag = maker.given("tag").unwrap_or_default();
        let to = match maker.given("to") {
            Some(to) => to.to_owned(),
            None => {
                let repo = maker.tools.entity("get_repo", maker.arguments([]), ["default_branch"]).await?;
                at(&repo, "default_branch")
                    .and_then(|name| name.as_str().map(str::to_owned))
                    .unwrap_or_default()
            }
        };
        let parts = vec![
            Part {
                title: "Commits and files since then",
                tool: "compare_commits",
                arguments: maker.arguments([("range", format!("{tag}...{to}").into())]),
                share: 60,
                is_needed: true,
            },
            Part {
                title: "Pull requests that were closed lately",
                tool: "list_repo_pull_requests",
                arguments: maker.arguments([("state", "closed".into()), ("sort", "recentclose".into())]),
                share: 40,
                is_needed: false,
            },
        ];
        let task = format!(
            "Write release notes for {} from {tag} to {to}. For people who use it: what is new, what changed, what was \
             mended, and first of all what breaks and what they must do about it. One line each, with the number of its pull \
             request where there is one; leave out what nobody outside notices. Say nothing that the commits and pull requests \
             below do not show. A pull request counts only when its change is among the commits. Show me the notes; \
             create no release before I have agreed.",
            place(&maker)
        );
        Ok(assembled(&maker, &task, parts).await?)
    })
}
