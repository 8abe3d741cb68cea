//! Filters with values that the forge passes over, as a real one was measured to do: each is refused, and the whole list is
//! never shown in the place of what was asked for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::scripted::{Answer, Scripted};
use common::{block_on, call, forge, json, limits};
use forgehand::operations::descriptor::{Kind, Parameter, Place};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Effect, Operation, arguments, run};
use serde_json::{Value, json};

/// Operations, a filter, and a value for which Forgejo 15 answers as many rows as without it.
const IGNORED: &[(&str, &str, &[&str])] = &[
    ("GetTree", "recursive", &["maybe"]),
    ("adminSearchUsers", "source_id", &["abc"]),
    ("adminSearchUsers", "sort", &["bogus"]),
    ("adminUnadoptedList", "pattern", &["no-such-value"]),
    ("getAdminRunners", "visible", &["maybe"]),
    ("getOrgRunners", "visible", &["maybe"]),
    ("getRepoRunners", "visible", &["maybe"]),
    ("getUserRunners", "visible", &["maybe"]),
    ("issueGetMilestonesList", "state", &["no-such-value"]),
    ("issueListIssues", "state", &["bogus"]),
    ("issueListIssues", "labels", &["no-such-value"]),
    ("issueListIssues", "type", &["bogus"]),
    ("issueListIssues", "milestones", &["no-such-value"]),
    ("issueListIssues", "sort", &["bogus"]),
    ("issueListLabels", "sort", &["bogus"]),
    ("issueSearchIssues", "state", &["bogus"]),
    ("issueSearchIssues", "priority_repo_id", &["99999999", "abc"]),
    ("issueSearchIssues", "type", &["bogus"]),
    ("issueSearchIssues", "assigned", &["maybe"]),
    ("issueSearchIssues", "created", &["maybe"]),
    ("issueSearchIssues", "mentioned", &["maybe"]),
    ("issueSearchIssues", "review_requested", &["maybe"]),
    ("issueSearchIssues", "reviewed", &["maybe"]),
    ("issueSearchIssues", "sort", &["bogus"]),
    ("notifyGetList", "all", &["maybe"]),
    ("notifyGetList", "subject-type", &["bogus"]),
    ("notifyGetList", "status-types", &["no-such-value"]),
    ("notifyGetRepoList", "all", &["maybe"]),
    ("notifyGetRepoList", "subject-type", &["bogus"]),
    ("notifyGetRepoList", "status-types", &["no-such-value"]),
    ("orgListActivityFeeds", "date", &["yesterday"]),
    ("orgListLabels", "sort", &["bogus"]),
    ("orgListTeamActivityFeeds", "date", &["yesterday"]),
    ("repoGetAllCommits", "stat", &["maybe"]),
    ("repoGetAllCommits", "verification", &["maybe"]),
    ("repoGetAllCommits", "files", &["maybe"]),
    ("repoGetPullRequestCommits", "verification", &["maybe"]),
    ("repoGetPullRequestCommits", "files", &["maybe"]),
    ("repoGetPullRequestFiles", "whitespace", &["bogus"]),
    ("repoListActivityFeeds", "date", &["yesterday"]),
    ("repoListKeys", "key_id", &["abc"]),
    ("repoListPullRequests", "state", &["bogus"]),
    ("repoListPullRequests", "sort", &["bogus"]),
    ("repoListPullRequests", "milestone", &["abc", "99999999"]),
    ("repoListPullRequests", "labels", &["no-such-value"]),
    ("repoListReleases", "draft", &["maybe"]),
    ("repoListReleases", "pre-release", &["maybe"]),
    ("repoListStatusesByRef", "sort", &["bogus"]),
    ("repoListStatusesByRef", "state", &["bogus"]),
    ("repoSearch", "topic", &["maybe"]),
    ("repoSearch", "includeDesc", &["maybe"]),
    ("repoSearch", "uid", &["abc"]),
    ("repoSearch", "priority_owner_id", &["99999999", "abc"]),
    ("repoSearch", "team_id", &["abc"]),
    ("repoSearch", "starredBy", &["abc"]),
    ("repoSearch", "exclusive", &["maybe"]),
    ("repoSearch", "private", &["maybe"]),
    ("repoSearch", "is_private", &["maybe"]),
    ("repoSearch", "template", &["maybe"]),
    ("repoSearch", "archived", &["maybe"]),
    ("repoSearch", "order", &["bogus"]),
    ("teamSearch", "include_desc", &["maybe"]),
    ("userCurrentListRepos", "order_by", &["bogus"]),
    ("userListActivityFeeds", "only-performed-by", &["maybe"]),
    ("userListActivityFeeds", "date", &["yesterday"]),
    ("userSearch", "uid", &["abc"]),
    ("userSearch", "sort", &["bogus"]),
];

/// Those of them that no tool offers, so that no call can pass them on.
const NOT_OFFERED: &[(&str, &str)] = &[
    ("adminUnadoptedList", "pattern"),
    ("issueListLabels", "sort"),
    ("issueSearchIssues", "priority_repo_id"),
    ("orgListLabels", "sort"),
    ("repoGetAllCommits", "stat"),
    ("repoGetAllCommits", "verification"),
    ("repoGetAllCommits", "files"),
    ("repoGetPullRequestCommits", "verification"),
    ("repoGetPullRequestCommits", "files"),
    ("repoGetPullRequestFiles", "whitespace"),
    ("repoSearch", "uid"),
    ("repoSearch", "priority_owner_id"),
    ("repoSearch", "team_id"),
    ("repoSearch", "starredBy"),
    ("repoSearch", "exclusive"),
    ("repoSearch", "private"),
];

fn fill(parameter: &Parameter) -> Value {
    match &parameter.kind {
        Kind::Integer { .. } | Kind::Name(_) => json!(7),
        Kind::Enum(words) => json!(words[0]),
        Kind::Boolean => json!(true),
        _ => json!("x"),
    }
}

/// The tools that offer a filter of an operation, each with its argument.
fn offering(operation: &str, wire: &str) -> Vec<(&'static Operation, &'static Parameter)> {
    let has = |tool: &&Operation| tool.calls.iter().any(|call| call.operation == operation);
    let reads = OPERATIONS.iter().filter(|tool| tool.effect == Effect::Read).filter(has);
    let filter = |p: &&'static Parameter| p.place == Place::Query && p.wire == wire;
    reads.filter_map(|tool| Some((tool, tool.parameters.iter().find(filter)?))).collect()
}

#[test]
fn a_value_that_the_forge_would_pass_over_is_refused_before_the_list_is_asked_for() {
    block_on(async {
        let mut not_offered = Vec::new();
        for (operation, wire, values) in IGNORED {
            let tools = offering(operation, wire);
            if tools.is_empty() {
                not_offered.push((*operation, *wire));
            }
            for ((tool, parameter), value) in
                tools.iter().flat_map(|tool| values.iter().map(move |v| (tool, v)))
            {
                let mut arguments = json!({});
                for required in tool.parameters.iter().filter(|p| p.required) {
                    arguments[required.name] = fill(required);
                }
                arguments[parameter.name] = json!(value);
                // What names are looked up in is empty.
                let forge = Scripted::new([Answer::json(200, "[]"), Answer::json(200, "[]")]).await;
                let outcome = call(&forge, tool, arguments).await;
                let Err(error) = outcome else { panic!("{}: {wire}={value} went through", tool.name) };
                assert_eq!(error.code, Code::InvalidArguments, "{}: {error}", tool.name);
                assert!(error.message.contains(&format!("`{}", parameter.name)), "{error}");
                let looked =
                    |line: &String| ["/labels?", "/milestones?"].iter().any(|list| line.contains(list));
                let lines = forge.lines();
                let asked: Vec<&String> = lines.iter().filter(|line| !looked(line)).collect();
                assert!(asked.is_empty(), "{}: {lines:?}", tool.name);
            }
        }
        assert_eq!(not_offered, NOT_OFFERED);
    });
}

/// Issues of several repositories, two of a page's rows.
fn found() -> Answer {
    let rows = json!([
        { "id": 1, "number": 1, "labels": [{ "id": 3, "name": "bug" }], "milestone": { "id": 1, "title": "1.0" } },
        { "id": 2, "number": 2, "labels": [], "milestone": null },
    ]);
    Answer::json(200, &rows.to_string()).header("X-Total-Count", "2")
}

#[test]
fn a_search_that_was_not_filtered_is_an_error_and_shows_no_row() {
    block_on(async {
        for (arguments, said, near) in [
            (json!({ "labels": ["bgu"] }), "argument `labels`: the forge knows no \"bgu\" here", vec!["bug"]),
            (json!({ "labels": "Bug" }), "argument `labels`: the forge knows no \"Bug\" here", vec!["bug"]),
            (json!({ "labels": ["x1", "y2"] }), "the forge knows no \"x1\", \"y2\" here", vec![]),
            (
                json!({ "milestones": ["2.0"] }),
                "argument `milestones`: the forge knows no \"2.0\" here",
                vec!["1.0"],
            ),
            (json!({ "labels": ["bug"], "milestones": ["2.0"] }), "argument `milestones`: ", vec!["1.0"]),
        ] {
            let forge = Scripted::new([found()]).await;
            let error = call(&forge, tool("search_issues"), arguments).await.unwrap_err();
            assert_eq!(
                (error.code, error.call.as_deref()),
                (Code::InvalidArguments, Some("GET /repos/issues/search"))
            );
            assert!(error.message.contains(said), "{error}");
            assert_eq!(error.near, near, "{error}");
        }
    });
}

#[test]
fn a_search_of_which_a_row_holds_a_name_was_filtered_and_so_was_one_that_found_nothing() {
    block_on(async {
        let none = || Answer::json(200, "[]");
        // A database that tells no case finds what is written otherwise; all rows hold it then.
        let alike = || Answer::json(200, r#"[{ "number": 1, "labels": [{ "name": "Bug" }] }]"#);
        for (arguments, answer) in [
            (json!({ "labels": ["bug"] }), found()),
            (json!({ "labels": ["no-such", "bug"] }), found()),
            (json!({ "milestones": "1.0" }), found()),
            (json!({ "labels": ["no-such"] }), none()),
            (json!({ "labels": ["bug"] }), alike()),
            (json!({}), found()),
        ] {
            let forge = Scripted::new([answer]).await;
            assert!(json(call(&forge, tool("search_issues"), arguments).await)["items"].is_array());
        }
    });
}

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

#[test]
fn a_list_that_is_not_there_is_no_riddle_where_a_filters_user_may_be_the_reason() {
    block_on(async {
        for (name, filters) in [
            ("list_repo_issues", ["created_by", "assigned_by", "mentioned_by"].as_slice()),
            ("list_issue_tracked_times", &["user"]),
            ("list_repo_tracked_times", &["user"]),
        ] {
            for filter in filters {
                let mut given = json!({ "owner": "acme", "repo": "widget", *filter: "nobody" });
                if name == "list_issue_tracked_times" {
                    given["index"] = json!(1);
                }
                let forge = Scripted::new([Answer::json(404, r#"{"message":"user does not exist"}"#)]).await;
                let error = call(&forge, tool(name), given).await.unwrap_err();
                assert_eq!(error.code, Code::NotFound, "{name}");
                let (why, _) = error.message.split_once("; the forge says").unwrap();
                assert!(why.contains("no user") && why.contains(filter), "{name}: {error}");
            }
        }
    });
}

/// A forge with these milestones and labels, whose list of issues has one row that is of none of them.
async fn named(milestones: Value, labels: Value) -> Scripted {
    Scripted::by(move |request| {
        let target = request.target.as_str();
        let rows = match () {
            () if target.contains("/milestones") => milestones.to_string(),
            () if target.contains("/orgs/") => r#"[{"id":101,"name":"shared"}]"#.to_owned(),
            () if target.contains("/labels") => labels.to_string(),
            () => r#"[{"number":1,"title":"T","labels":[],"milestone":null}]"#.to_owned(),
        };
        Answer::json(200, &rows)
    })
    .await
}

fn listing(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

/// The filter that reached the forge, or the error.
async fn filtered(forge: &Scripted, more: Value) -> Result<String, String> {
    let outcome = call(forge, tool("list_repo_issues"), listing(more)).await;
    let sent = forge
        .take_requests()
        .into_iter()
        .map(|request| request.target)
        .find(|target| target.contains("/issues?"));
    match (sent, outcome) {
        (Some(target), _) => Ok(target
            .split(['?', '&'])
            .find(|pair| pair.starts_with("milestones=") || pair.starts_with("labels="))
            .unwrap()
            .to_owned()),
        (None, outcome) => Err(outcome.unwrap_err().to_string()),
    }
}

#[test]
fn a_filter_reaches_the_forge_as_what_it_names_and_nothing_else() {
    block_on(async {
        let twins =
            json!([{ "id": 3, "title": "v1" }, { "id": 5, "title": "v1" }, { "id": 8, "title": "v2" }]);
        let digits = json!([{ "id": 7, "title": "a,b" }, { "id": 9, "title": "7" }]);
        let labels = json!([{ "id": 1, "name": "shared" }, { "id": 2, "name": "own" }]);
        for (milestones, given, sent) in [
            (&twins, json!({ "milestones": [5] }), Ok("milestones=5")),
            (&twins, json!({ "milestones": [8] }), Ok("milestones=v2")),
            (&twins, json!({ "milestones": ["v1"] }), Err("2 milestones are called \"v1\"")),
            (
                &digits,
                json!({ "milestones": [7] }),
                Err("the milestone with the id 7 is called \"a,b\", which as it has a comma"),
            ),
            (&digits, json!({ "milestones": [9] }), Ok("milestones=7")),
            (&twins, json!({ "labels": ["own"] }), Ok("labels=own")),
            (
                &twins,
                json!({ "labels": ["shared"] }),
                Err("labels are called \"shared\", those with the ids 1, 101"),
            ),
            (&twins, json!({ "labels": [1] }), Err("\"shared\", and so is another, with the id 101")),
            (&twins, json!({ "labels": [101] }), Err("\"shared\", and so is another, with the id 1")),
            (&twins, json!({ "labels": [] }), Err("expected a list")),
        ] {
            let forge = named(milestones.clone(), labels.clone()).await;
            match (filtered(&forge, given.clone()).await, sent) {
                (Ok(reached), Ok(sent)) => assert_eq!(reached, sent, "{given}"),
                (Err(error), Err(said)) => assert!(error.contains(said), "{given}: {error}"),
                (came, expected) => panic!("{given}: {came:?}, expected {expected:?}"),
            }
        }
    });
}

#[test]
fn a_filter_that_the_forge_passed_over_shows_no_list() {
    block_on(async {
        let milestones = json!([{ "id": 8, "title": "v2" }]);
        let labels = json!([{ "id": 2, "name": "own" }]);
        for given in [json!({ "labels": ["own"] }), json!({ "labels": [2] }), json!({ "milestones": ["v2"] })]
        {
            // The names were there when they were looked up; the rows have none of them.
            let forge = named(milestones.clone(), labels.clone()).await;
            let error = call(&forge, tool("list_repo_issues"), listing(given.clone())).await.unwrap_err();
            assert!(error.message.contains("that list is not shown"), "{given}: {error}");
        }
        for (name, given) in [
            ("search_issues", json!({ "labels": [] })),
            ("search_issues", json!({ "milestones": "[]" })),
            ("list_git_blobs", listing(json!({ "shas": [] }))),
        ] {
            let forge = Scripted::agreeable().await;
            let error = call(&forge, tool(name), given).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{name}: {error}");
            assert_eq!(forge.lines(), [""; 0], "{name}");
        }
    });
}

/// A forge whose label 2 and milestone 8 are called `old` until another client renames them to `new`. It passes over names
/// and milestones that it does not know.
async fn renaming(is_renamed: &Arc<AtomicBool>) -> Scripted {
    let is_renamed = Arc::clone(is_renamed);
    Scripted::by(move |request| {
        let target = request.target.as_str();
        let name = if is_renamed.load(Ordering::SeqCst) { "new" } else { "old" };
        let of_both = json!({
            "number": 1, "labels": [{ "id": 2, "name": name }], "milestone": { "id": 8, "title": name },
        });
        let rows = match () {
            () if target.contains("/orgs/") => json!([]),
            () if target.contains("/milestones?") => json!([{ "id": 8, "title": name }]),
            () if target.contains("/labels?") => json!([{ "id": 2, "name": name }]),
            () if target.contains(&format!("={name}&")) => json!([of_both]),
            () => json!([of_both, { "number": 2, "labels": [], "milestone": null }]),
        };
        Answer::json(200, &rows.to_string())
    })
    .await
}

#[test]
fn what_was_renamed_since_it_was_looked_up_is_looked_up_anew_before_its_rows_are_shown() {
    block_on(async {
        for (kind, id) in [("labels", 2), ("milestones", 8)] {
            let is_renamed = Arc::new(AtomicBool::new(false));
            let scripted = renaming(&is_renamed).await;
            let forge = forge(&scripted);
            let list = async |given: Value| {
                let given = arguments::object(Some(listing(json!({ kind: given })))).unwrap();
                run(&forge, tool("list_repo_issues"), given, &limits()).await
            };
            assert_eq!(json(list(json!(["old"])).await)["items"].as_array().unwrap().len(), 1, "{kind}");
            is_renamed.store(true, Ordering::SeqCst);
            // The id is the same thing under its new name.
            let answer = json(list(json!([id])).await);
            assert_eq!(answer["items"].as_array().unwrap().len(), 1, "{kind}: {answer}");
            assert!(scripted.lines().last().unwrap().contains("=new&"), "{:?}", scripted.lines());
            is_renamed.store(false, Ordering::SeqCst);
            let error = list(json!(["new"])).await.unwrap_err();
            assert!(error.message.contains("called \"new\""), "{kind}: {error}");
        }
    });
}

#[test]
fn a_list_is_shown_where_each_row_is_of_all_labels_and_no_other_is() {
    block_on(async {
        let row = |labels: &[&str]| {
            let labels: Vec<Value> = labels.iter().map(|name| json!({ "name": name })).collect();
            json!({ "number": 1, "labels": labels })
        };
        for (rows, said) in [
            (json!([]), None),
            (json!([row(&["own", "two"]), row(&["two", "own", "x"])]), None),
            // A database that tells no case.
            (json!([row(&["Own", "TWO"])]), None),
            // A row that does not tell its labels is no witness.
            (json!([{ "number": 1 }, row(&["own", "two"])]), None),
            (json!([{ "number": 1 }]), None),
            (json!([row(&["own"]), row(&["own", "x"])]), Some("the forge knows no \"two\" here")),
            (
                json!([row(&["own", "two"]), row(&["own"])]),
                Some("did not filter by \"two\", which 1 of 2 rows"),
            ),
            (json!([row(&["own", "two"]), { "number": 2, "labels": null }]), Some("did not filter by")),
        ] {
            let forge = Scripted::by(move |request| match request.target.as_str() {
                target if target.contains("/orgs/") => Answer::json(404, "{}"),
                target if target.contains("/labels?") => {
                    Answer::json(200, r#"[{"id":1,"name":"own"},{"id":2,"name":"two"}]"#)
                }
                _ => Answer::json(200, &rows.to_string()),
            })
            .await;
            let outcome =
                call(&forge, tool("list_repo_issues"), listing(json!({ "labels": ["own", "two"] }))).await;
            match (outcome, said) {
                (Ok(_), None) => {}
                (Err(error), Some(said)) => assert!(error.message.contains(said), "{error}"),
                (outcome, said) => panic!("{outcome:?}, expected {said:?}"),
            }
        }
    });
}

#[test]
fn pull_requests_of_no_label_or_milestone_that_was_asked_for_are_not_shown() {
    block_on(async {
        let of = |id: i64| json!([{ "number": 1, "labels": [{ "id": id }], "milestone": { "id": id } }]);
        for (id, is_shown) in [(8, true), (9, false)] {
            for given in [json!({ "labels": [8] }), json!({ "milestone": 8 }), json!({ "milestone": "v2" })] {
                let rows = of(id).to_string();
                let forge = Scripted::by(move |request| match request.target.as_str() {
                    target if target.contains("/orgs/") => Answer::json(404, "{}"),
                    target if target.contains("/pulls?") => Answer::json(200, &rows),
                    _ => Answer::json(200, r#"[{"id":8,"name":"own","title":"v2"}]"#),
                })
                .await;
                let outcome = call(&forge, tool("list_repo_pull_requests"), listing(given.clone())).await;
                assert_eq!(outcome.is_ok(), is_shown, "{given}: {outcome:?}");
            }
        }
    });
}

#[test]
fn digits_that_name_something_are_looked_for_in_the_rows_like_any_name() {
    block_on(async {
        let rows = r#"[{ "number": 1, "labels": [{ "name": "bug" }], "milestone": { "title": "v1" } }]"#;
        for given in [json!({ "labels": ["12"] }), json!({ "milestones": ["2024"] })] {
            let forge = Scripted::new([Answer::json(200, rows)]).await;
            let error = call(&forge, tool("search_issues"), given.clone()).await.unwrap_err();
            assert_eq!((error.code, error.near.len()), (Code::InvalidArguments, 0), "{given}: {error}");
        }
        // A milestone that was sent by its id, since another has its title.
        let twins = json!([{ "id": 3, "title": "v1" }, { "id": 5, "title": "v1" }]);
        let forge = named(twins, json!([])).await;
        let error =
            call(&forge, tool("list_repo_issues"), listing(json!({ "milestones": [5] }))).await.unwrap_err();
        assert!(error.message.contains("that list is not shown"), "{error}");
    });
}

#[test]
fn an_empty_list_is_sent_where_it_says_something() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let outcome =
            call(&forge, tool("list_repo_runner_jobs"), listing(json!({ "runner_labels": [] }))).await;
        assert!(
            forge.lines()[0].ends_with("/actions/runners/jobs?labels="),
            "{outcome:?} {:?}",
            forge.lines()
        );
    });
}
