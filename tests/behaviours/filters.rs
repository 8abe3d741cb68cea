//! Filters with impossible values: the forge takes most of them for none, and answers the unfiltered list. Names of labels,
//! milestones and users have tests of their own.

use forgehand::operations::Code;
use forgehand::operations::descriptor::{Kind, Place};
use forgehand::operations::table::OPERATIONS;
use serde_json::json;

use super::common::scripted::Scripted;
use super::common::{block_on, call};
use super::{samples, tools_of};

/// Values that the forge was seen to ignore, to take for another one or to refuse late, by operation.
const IMPOSSIBLE: &[(&str, &str)] = &[
    ("GetTree", "recursive=maybe"),
    ("ListActionRuns", "run_number=abc status=bogus"),
    ("ListActionTasks", "status=bogus"),
    ("adminSearchUsers", "source_id=abc sort=bogus"),
    ("getAdminRunners", "visible=maybe"),
    ("getOrgRunners", "visible=maybe"),
    ("getRepoRunners", "visible=maybe"),
    ("getUserRunners", "visible=maybe"),
    ("issueGetComments", "since=yesterday before=2024-13-45T00:00:00Z"),
    ("issueGetCommentsAndTimeline", "since=yesterday before=2024-13-45T00:00:00Z"),
    ("issueGetMilestonesList", "state=no-such-value"),
    ("issueGetRepoComments", "since=2024-13-45T00:00:00Z before=yesterday"),
    ("issueListIssues", "state=bogus type=bogus sort=bogus since=yesterday before=yesterday"),
    ("issueListLabels", "sort=bogus"),
    (
        "issueSearchIssues",
        "state=bogus type=bogus sort=bogus priority_repo_id=abc assigned=maybe created=maybe mentioned=maybe \
         review_requested=maybe reviewed=maybe since=yesterday before=yesterday",
    ),
    ("issueTrackedTimes", "since=yesterday before=2024-13-45T00:00:00Z"),
    ("listPackages", "type=bogus"),
    (
        "notifyGetList",
        "all=maybe subject-type=bogus status-types=no-such-value since=yesterday before=yesterday",
    ),
    (
        "notifyGetRepoList",
        "all=maybe subject-type=bogus status-types=no-such-value since=yesterday before=yesterday",
    ),
    ("orgListActivityFeeds", "date=yesterday"),
    ("orgListLabels", "sort=bogus"),
    ("orgListTeamActivityFeeds", "date=yesterday"),
    ("repoGetAllCommits", "stat=maybe verification=maybe files=maybe"),
    ("repoGetNote", "verification=maybe files=maybe"),
    ("repoGetPullRequestCommits", "verification=maybe files=maybe"),
    ("repoGetPullRequestFiles", "whitespace=bogus"),
    ("repoGetSingleCommit", "stat=maybe verification=maybe files=maybe"),
    ("repoListActivityFeeds", "date=yesterday"),
    ("repoListKeys", "key_id=abc"),
    ("repoListPullRequests", "state=bogus sort=bogus"),
    ("repoListReleases", "draft=maybe pre-release=maybe"),
    ("repoListStatusesByRef", "sort=bogus state=bogus"),
    ("repoTrackedTimes", "since=yesterday before=2024-13-45T00:00:00Z"),
    (
        "repoSearch",
        "topic=maybe includeDesc=maybe uid=abc priority_owner_id=abc team_id=abc starredBy=abc exclusive=maybe \
         order=bogus sort=bogus mode=no-such-value private=maybe is_private=maybe template=maybe archived=maybe",
    ),
    ("teamSearch", "include_desc=maybe"),
    ("userCurrentListRepos", "order_by=bogus"),
    ("userCurrentTrackedTimes", "since=yesterday before=2024-13-45T00:00:00Z"),
    ("userListActivityFeeds", "only-performed-by=maybe date=yesterday"),
    ("userSearch", "uid=abc sort=bogus"),
];

#[test]
fn an_impossible_filter_is_refused_by_name_and_sends_nothing_or_is_not_offered() {
    let (mut faults, mut refused) = (Vec::new(), 0);
    block_on(async {
        let forge = Scripted::agreeable().await;
        for (operation, rows) in IMPOSSIBLE {
            for tool in tools_of(operation) {
                for (wire, value) in rows.split_whitespace().filter_map(|row| row.split_once('=')) {
                    let mut offered =
                        tool.parameters.iter().filter(|p| p.place == Place::Query && p.wire == wire);
                    let Some(parameter) = offered.next() else { continue };
                    let mut given = samples::required(tool);
                    given.insert(parameter.name.to_owned(), json!(value));
                    match call(&forge, tool, given.into()).await {
                        Err(error)
                            if error.code == Code::InvalidArguments
                                && error.message.contains(&format!("`{}", parameter.name)) =>
                        {
                            refused += 1;
                        }
                        other => faults.push(format!("{} {}={value}: {other:?}", tool.name, parameter.name)),
                    }
                }
            }
        }
        assert_eq!(forge.lines(), [""; 0]);
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(refused > 60, "only {refused}");
}

/// Names under which the forge takes words of a closed list, and any other for none.
const CLOSED: [&str; 22] = [
    "Do",
    "default_merge_style",
    "event",
    "events",
    "mode",
    "object_format_name",
    "order",
    "order_by",
    "permission",
    "repo_admin_change_team_access",
    "service",
    "sort",
    "state",
    "status",
    "status-types",
    "style",
    "subject-type",
    "to-status",
    "trust_model",
    "type",
    "units",
    "visibility",
];

#[test]
fn a_closed_list_of_words_is_free_text_in_no_tool() {
    let is_text = |kind: &Kind| {
        matches!(kind, Kind::Text) || matches!(kind, Kind::List(item) if matches!(**item, Kind::Text))
    };
    let (mut free, mut seen) = (Vec::new(), 0);
    for tool in OPERATIONS {
        for parameter in tool.parameters.iter().filter(|p| matches!(p.place, Place::Query | Place::Body)) {
            if !CLOSED.contains(&parameter.wire.rsplit('.').next().unwrap()) {
                continue;
            }
            seen += 1;
            // Workflows are run by whatever event a later Forgejo has; an unknown one finds nothing.
            if is_text(&parameter.kind) && (tool.name, parameter.wire) != ("list_workflow_runs", "event") {
                free.push(format!("{} {}", tool.name, parameter.wire));
            }
        }
    }
    assert!(free.is_empty(), "{free:?}");
    assert!(seen > 50, "only {seen}");
}
