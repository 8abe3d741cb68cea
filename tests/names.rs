//! Names in the place of ids: looked up before anything else is asked for, told when they are unknown, and never passed on
//! to a forge that would answer as if nothing had been asked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::made::{OWNER, REPO, parameter};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, forge, json, limits};
use forgehand::operations::Outcome;
use forgehand::operations::descriptor::{Answer as Answers, Kind, NameList, Named, Names, Parameter, Place};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError, arguments, run};
use serde_json::{Value, json};

const REPO_LABELS: &str = "GET /api/v1/repos/acme/widget/labels?limit=50&page=1";
const ORG_LABELS: &str = "GET /api/v1/orgs/acme/labels?limit=50&page=1";
const MILESTONES: &str = "GET /api/v1/repos/acme/widget/milestones?limit=50&page=1&state=all";

/// What the list of labels tells, called by that field.
const fn labels_by(name: &'static str, by: &'static [&'static str]) -> Named {
    const LIST: NameList = NameList {
        build: forgehand_client::untyped::issue_list_labels,
        path: &[("owner", "owner"), ("repo", "repo")],
        query: &[],
        paged: true,
        optional: true,
    };
    Named {
        name,
        word: "thing",
        by,
        within: None,
        address: false,
        mixed: false,
        digits: false,
        lists: &[LIST],
    }
}

const fn filter(name: &'static str, of: &'static Named) -> Parameter {
    parameter(name, Place::Query, Kind::Name(Names { of, by_name: true, checked: true, least: 1 }))
}

static BY_NAME: Named = labels_by("by_name", &["name"]);
static BY_TITLE: Named = labels_by("by_title", &["title"]);

operation!(
    TEXT_OF,
    Read,
    "GET",
    "/repos/{owner}/{repo}/text",
    [OWNER, REPO, filter("one", &BY_NAME), filter("other", &BY_TITLE)],
    Answers::Text
);

#[test]
fn one_list_names_its_rows_by_another_field_for_another_kind() {
    block_on(async {
        let rows = || listed(&json!([{ "id": 1, "name": "a", "title": "b" }]));
        let scripted = Scripted::new([rows(), rows(), Answer::new(200, "text/plain", "x")]).await;
        call(&scripted, &TEXT_OF, in_widget(json!({ "one": "a", "other": "b" }))).await.unwrap();
        assert_eq!(scripted.lines()[2], "GET /api/v1/repos/acme/widget/text?one=a&other=b");
    });
}

#[test]
fn every_filter_that_could_not_be_checked_is_told_beside_a_text_too() {
    block_on(async {
        let closed = || Answer::json(403, r#"{"message":"no"}"#);
        let scripted = Scripted::new([closed(), closed(), Answer::new(200, "text/plain", "x")]).await;
        let outcome = call(&scripted, &TEXT_OF, in_widget(json!({ "one": "a", "other": "b" }))).await;
        let Ok(Outcome::Text { text, more: Some(more) }) = outcome else { panic!("{outcome:?}") };
        let note = more["note"].as_str().unwrap();
        assert!(text == "x" && note.contains("thing \"a\"") && note.contains("thing \"b\""), "{note}");
    });
}

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

/// A whole list in one page.
fn listed(rows: &Value) -> Answer {
    Answer::json(200, &rows.to_string()).header("X-Total-Count", &rows.as_array().unwrap().len().to_string())
}

fn labels() -> [Answer; 2] {
    [
        listed(&json!([
            { "id": 3, "name": "bug" }, { "id": 7, "name": "kind/x" }, { "id": 8, "name": "area: a, b" },
            { "id": 9, "name": "twice" }, { "id": 12, "name": "14" },
        ])),
        listed(&json!([{ "id": 4, "name": "urgent" }, { "id": 10, "name": "twice" }])),
    ]
}

fn milestones() -> Answer {
    listed(&json!([
        { "id": 2, "title": "1.0" }, { "id": 5, "title": "later, perhaps" }, { "id": 6, "title": "same" },
        { "id": 11, "title": "same" },
    ]))
}

fn in_widget(more: Value) -> Value {
    let mut arguments = json!({ "owner": "acme", "repo": "widget" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

#[track_caller]
fn refused(
    script: impl IntoIterator<Item = Answer>,
    name: &str,
    more: Value,
) -> (OperationError, Vec<String>) {
    block_on(async {
        let forge = Scripted::new(script).await;
        let error = call(&forge, tool(name), in_widget(more)).await.unwrap_err();
        (error, forge.lines())
    })
}

#[test]
fn labels_of_the_repository_and_its_organization_are_sent_as_ids() {
    block_on(async {
        for (given, sent) in [
            (json!(["bug", "urgent"]), json!([3, 4])),
            (json!(["kind/x", "area: a, b"]), json!([7, 8])),
            (json!([3, "urgent", 99]), json!([3, 4, 99])),
            // In a list a text is a name, in a comma list digits are an id.
            (json!(["14"]), json!([12])),
            (json!("bug, 14"), json!([3, 14])),
            (json!("[\"bug\", 14]"), json!([3, 14])),
            (json!("urgent"), json!([4])),
        ] {
            let [own, org] = labels();
            let forge = Scripted::new([own, org, Answer::json(200, "[]")]).await;
            let arguments = in_widget(json!({ "index": 1, "labels": given }));
            json(call(&forge, tool("add_issue_labels"), arguments).await);
            let requests = forge.requests();
            assert_eq!(
                forge.lines(),
                [REPO_LABELS, ORG_LABELS, "POST /api/v1/repos/acme/widget/issues/1/labels"]
            );
            let body: Value = serde_json::from_str(requests[2].text()).unwrap();
            assert_eq!(body, json!({ "labels": sent }), "{given}");
        }
    });
}

#[test]
fn ids_alone_are_sent_without_a_look_up() {
    block_on(async {
        for labels in [json!([3, 4]), json!("3,4"), json!("[3,4]")] {
            let forge = Scripted::new([Answer::json(201, r#"{"number":1}"#)]).await;
            let arguments = in_widget(json!({ "title": "t", "labels": labels, "milestone": "2" }));
            json(call(&forge, tool("create_issue"), arguments).await);
            let body: Value = serde_json::from_str(forge.request().text()).unwrap();
            assert_eq!(body, json!({ "title": "t", "labels": [3, 4], "milestone": 2 }));
        }
    });
}

#[test]
fn a_milestone_is_a_title_or_an_id_and_0_clears_it() {
    block_on(async {
        let forge = Scripted::new([milestones(), Answer::json(201, r#"{"number":1}"#)]).await;
        let arguments = in_widget(json!({ "title": "t", "milestone": "1.0" }));
        json(call(&forge, tool("create_issue"), arguments).await);
        assert_eq!(forge.lines(), [MILESTONES, "POST /api/v1/repos/acme/widget/issues"]);
        let body: Value = serde_json::from_str(forge.requests()[1].text()).unwrap();
        assert_eq!(body["milestone"], 2);

        let forge = Scripted::new([Answer::json(201, r#"{"number":1}"#)]).await;
        json(call(&forge, tool("update_issue"), in_widget(json!({ "index": 1, "milestone": 0 }))).await);
        assert_eq!(forge.request().text(), r#"{"milestone":0}"#);
    });
}

#[test]
fn an_unknown_or_ambiguous_name_is_an_error_and_writes_nothing() {
    for (name, more, said, hint) in [
        (
            "add_issue_labels",
            json!({ "index": 1, "labels": ["bgu"] }),
            "argument `labels`: acme/widget has no label called \"bgu\"; did you mean \"bug\"?",
            "",
        ),
        (
            "add_issue_labels",
            json!({ "index": 1, "labels": ["bug", "4"] }),
            "argument `labels`: acme/widget has no label called \"4\"",
            "the id is the number 4, without quotes",
        ),
        (
            "create_issue",
            json!({ "title": "t", "labels": ["twice"] }),
            "argument `labels`: 2 labels are called \"twice\"",
            "give the id of one of them: 9, 10",
        ),
        ("create_issue", json!({ "title": "t", "labels": ["Bug"] }), "did you mean \"bug\"?", ""),
    ] {
        let (error, lines) = refused(labels(), name, more);
        assert_eq!(error.code, Code::InvalidArguments);
        assert!(error.message.contains(said), "{error}");
        assert!(error.hint.as_deref().unwrap_or_default().contains(hint), "{error:?}");
        assert_eq!(lines, [REPO_LABELS, ORG_LABELS]);
    }
    let (error, lines) =
        refused([milestones()], "create_issue", json!({ "title": "t", "milestone": "same" }));
    assert_eq!(error.hint.unwrap(), "give the id of one of them: 6, 11");
    assert_eq!(lines, [MILESTONES]);
}

#[test]
fn a_filter_is_checked_before_the_list_is_asked_for() {
    for (name, more) in [
        ("list_repo_issues", json!({ "labels": ["bgu"] })),
        ("list_repo_issues", json!({ "labels": [99] })),
        ("list_repo_pull_requests", json!({ "labels": ["bgu"] })),
        ("list_repo_pull_requests", json!({ "labels": "99" })),
    ] {
        let (error, lines) = refused(labels(), name, more);
        assert_eq!(
            (error.code, lines),
            (Code::InvalidArguments, vec![REPO_LABELS.to_owned(), ORG_LABELS.to_owned()])
        );
    }
    for (name, more) in [
        ("list_repo_issues", json!({ "milestones": ["2.0"] })),
        ("list_repo_pull_requests", json!({ "milestone": 99 })),
    ] {
        let (error, lines) = refused([milestones()], name, more);
        assert_eq!((error.code, lines), (Code::InvalidArguments, vec![MILESTONES.to_owned()]));
    }
}

#[test]
fn issues_are_filtered_by_name_and_pull_requests_by_id() {
    block_on(async {
        let [own, org] = labels();
        let forge = Scripted::new([own, org, milestones(), Answer::json(200, "[]")]).await;
        let arguments =
            in_widget(json!({ "labels": [3, "urgent"], "milestones": ["1.0", "later, perhaps"] }));
        json(call(&forge, tool("list_repo_issues"), arguments).await);
        let target = forge.requests()[3].target.clone();
        assert!(
            target.contains("labels=bug%2Curgent&") && target.contains("milestones=1.0%2C5&"),
            "{target}"
        );

        let [own, org] = labels();
        let forge = Scripted::new([own, org, milestones(), Answer::json(200, "[]")]).await;
        let arguments = in_widget(json!({ "labels": [3, "urgent"], "milestone": "1.0" }));
        json(call(&forge, tool("list_repo_pull_requests"), arguments).await);
        let target = forge.requests()[3].target.clone();
        assert!(target.contains("milestone=2") && target.contains("labels=3&labels=4"), "{target}");
    });
}

#[test]
fn where_the_organization_may_not_be_read_what_can_be_seen_is_used_and_told() {
    block_on(async {
        let [own, _] = labels();
        let closed = Answer::json(403, r#"{"message":"no"}"#);
        let forge = Scripted::new([own, closed, Answer::json(200, "[]")]).await;
        let arguments = in_widget(json!({ "labels": ["bug", "urgent"] }));
        let answer = json(call(&forge, tool("list_repo_issues"), arguments).await);
        assert!(answer["note"].as_str().unwrap().contains("\"urgent\" could not be checked"), "{answer}");
        assert!(forge.requests()[2].target.contains("labels=bug%2Curgent"));

        let [own, _] = labels();
        let closed = Answer::json(403, r#"{"message":"no"}"#);
        let forge = Scripted::new([own, closed, Answer::json(200, "[]")]).await;
        let arguments = in_widget(json!({ "labels": [3, 4, 99] }));
        let answer = json(call(&forge, tool("list_repo_pull_requests"), arguments).await);
        let note = answer["note"].as_str().unwrap();
        assert!(note.contains("label 4 could") && note.contains("label 99 could"), "{note}");
        assert!(forge.requests()[2].target.contains("labels=3&labels=4&labels=99"));
    });
    for (name, label, said, hint) in [
        ("list_repo_issues", json!(4), "no label with the id 4", "give its name"),
        ("list_repo_pull_requests", json!("urgent"), "called \"urgent\"", "an id is taken as it is"),
        ("create_issue", json!("urgent"), "called \"urgent\"", "an id is taken as it is"),
    ] {
        let [own, _] = labels();
        let closed = Answer::json(403, r#"{"message":"no"}"#);
        let mut given = json!({ "labels": [label] });
        if name == "create_issue" {
            given["title"] = json!("t");
        }
        let (error, _) = refused([own, closed], name, given);
        assert!(error.message.contains(said), "{name}: {error}");
        assert!(error.message.ends_with(" (not all that there are can be seen)"), "{name}: {error}");
        assert!(error.hint.as_deref().unwrap().contains(hint), "{name}: {error:?}");
    }
    let [own, _] = labels();
    let closed = Answer::json(403, r#"{"message":"no"}"#);
    let (error, lines) =
        refused([own, closed], "create_issue", json!({ "title": "t", "labels": ["urgent"] }));
    assert!(error.hint.unwrap().starts_with("those of the organization may not be read"));
    assert_eq!(lines, [REPO_LABELS, ORG_LABELS]);
    // An owner that is no organization has no labels of its own.
    let [own, _] = labels();
    let (error, _) =
        refused([own, Answer::json(404, "{}")], "list_repo_issues", json!({ "labels": ["urgent"] }));
    assert_eq!((error.code, error.hint), (Code::InvalidArguments, None));
}

#[test]
fn all_pages_are_read_whatever_size_the_forge_gives_them() {
    block_on(async {
        let page = |ids: &[i64], total: Option<&str>| {
            let rows: Vec<Value> =
                ids.iter().map(|id| json!({ "id": id, "name": format!("l{id}") })).collect();
            let answer = Answer::json(200, &json!(rows).to_string());
            total.map_or(answer.clone(), |total| answer.header("X-Total-Count", total))
        };
        let none = || Answer::json(200, "null");
        for pages in [
            vec![page(&[1, 2], Some("3")), page(&[3], Some("3"))],
            vec![page(&[1, 2], None), page(&[3], None), page(&[], None)],
            // A server that sends everything for every page.
            vec![page(&[1, 2, 3], None), page(&[1, 2, 3], None)],
        ] {
            let count = pages.len();
            let script = pages.into_iter().chain([none(), Answer::json(200, "[]")]);
            let forge = Scripted::new(script).await;
            let arguments = in_widget(json!({ "index": 1, "labels": ["l3"] }));
            json(call(&forge, tool("add_issue_labels"), arguments).await);
            let requests = forge.requests();
            assert_eq!(requests.len(), count + 2);
            assert_eq!(
                requests[count - 1].target,
                format!("/api/v1/repos/acme/widget/labels?limit=50&page={count}")
            );
            assert_eq!(requests[count + 1].text(), r#"{"labels":[3]}"#);
        }
    });
}

#[test]
fn what_was_looked_up_is_kept_for_reads_and_looked_up_anew_before_a_name_is_unknown() {
    block_on(async {
        let [own, org] = labels();
        let [_, org_again] = labels();
        let own_again = listed(&json!([{ "id": 20, "name": "new" }]));
        let list = || Answer::json(200, "[]");
        let scripted = Scripted::new([own, org, list(), list(), own_again, org_again, list()]).await;
        let forge = forge(&scripted);
        for label in ["bug", "urgent", "new"] {
            let given = arguments::object(Some(in_widget(json!({ "labels": [label] })))).unwrap();
            run(&forge, tool("list_repo_issues"), given, &limits()).await.unwrap();
        }
        let lines = scripted.lines();
        let is_list = |at: usize| lines[at].starts_with("GET /api/v1/repos/acme/widget/issues?labels=");
        assert_eq!(
            (lines.len(), &lines[..2], &lines[4..6]),
            (7, &[REPO_LABELS.into(), ORG_LABELS.into()][..], &[REPO_LABELS.into(), ORG_LABELS.into()][..])
        );
        assert!(is_list(2) && is_list(3) && is_list(6), "{lines:?}");
    });
}

/// What is looked up while a write is on its way may be of before it, or of after it.
#[test]
fn a_write_that_is_given_up_halfway_leaves_nothing_that_was_looked_up_meanwhile() {
    block_on(async {
        let scripted = Scripted::by(|request| match request.method.as_str() {
            "GET" if request.target.ends_with("/labels/3") => {
                Answer::json(200, r#"{"id":3,"is_archived":false}"#)
            }
            "GET" if request.target.contains("/orgs/acme/labels") => listed(&json!([])),
            "GET" if request.target.contains("/labels?") => listed(&json!([{ "id": 3, "name": "bug" }])),
            "GET" if request.target.contains("/orgs/acme/teams") => {
                listed(&json!([{ "id": 7, "name": "a" }]))
            }
            "GET" if request.target.contains("/issues") => Answer::json(200, "[]"),
            "GET" => Answer::json(200, "{}"),
            _ => Answer::json(200, "{}").after(std::time::Duration::from_secs(30)),
        })
        .await;
        for (read, arguments, list, write, change) in [
            (
                "list_repo_issues",
                in_widget(json!({ "labels": ["bug"] })),
                REPO_LABELS,
                "edit_repo_label",
                in_widget(json!({ "id": 3, "name": "fault" })),
            ),
            (
                "get_team",
                json!({ "team_id": "acme/a" }),
                "GET /api/v1/orgs/acme/teams?limit=50&page=1",
                "edit_team",
                json!({ "team_id": 7, "name": "b" }),
            ),
        ] {
            let forge = forge(&scripted);
            let limits = limits();
            let given = |value: &Value| arguments::object(Some(value.clone())).unwrap();
            let mut writing = Box::pin(run(&forge, tool(write), given(&change), &limits));
            let is_sent = async {
                while !scripted.lines().last().is_some_and(|line| line.starts_with("PATCH")) {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                done = &mut writing => panic!("{done:?}"),
                () = is_sent => {}
            }
            let looked_up = || scripted.lines().iter().filter(|line| *line == list).count();
            let before = looked_up();
            for _ in 0..2 {
                run(&forge, tool(read), given(&arguments), &limits).await.unwrap();
            }
            assert_eq!(looked_up(), before + 1, "{read}: {:?}", scripted.lines());
            drop(writing);
            run(&forge, tool(read), given(&arguments), &limits).await.unwrap();
            assert_eq!(looked_up(), before + 2, "{read}: {:?}", scripted.lines());
        }
    });
}

#[test]
fn a_write_goes_by_the_names_of_this_moment() {
    block_on(async {
        let [own, org] = labels();
        let [_, org_again] = labels();
        let renamed = listed(&json!([{ "id": 9, "name": "bug" }]));
        let done = || Answer::json(200, "[]");
        let scripted = Scripted::new([own, org, done(), renamed, org_again, done()]).await;
        let forge = forge(&scripted);
        for _ in 0..2 {
            let given = arguments::object(Some(in_widget(json!({ "index": 1, "labels": ["bug"] })))).unwrap();
            run(&forge, tool("add_issue_labels"), given, &limits()).await.unwrap();
        }
        assert_eq!(scripted.requests()[5].text(), r#"{"labels":[9]}"#);
    });
}

#[test]
fn a_dry_run_looks_names_up_and_shows_the_ids() {
    block_on(async {
        let [own, org] = labels();
        let forge = Scripted::new([own, org]).await;
        let arguments = in_widget(json!({ "title": "t", "labels": ["bug", "urgent"], "dry_run": true }));
        let plan = json(call(&forge, tool("create_issue"), arguments).await);
        assert_eq!(plan["body"], json!({ "title": "t", "labels": [3, 4] }));
        assert_eq!(forge.lines(), [REPO_LABELS, ORG_LABELS]);
    });
}

#[test]
fn a_look_up_that_fails_is_the_error_of_a_read_and_nothing_is_written() {
    for (answer, code) in [
        (Answer::json(404, r#"{"message":"no such repository"}"#), Code::NotFound),
        (Answer::json(500, ""), Code::Refused),
        (Answer::new(200, "text/html", "<html>"), Code::Refused),
    ] {
        let (error, lines) = refused([answer], "create_issue", json!({ "title": "t", "labels": ["bug"] }));
        assert_eq!((error.code, lines), (code, vec![REPO_LABELS.to_owned()]), "{error}");
        assert_eq!(error.call.as_deref(), Some("GET /repos/acme/widget/labels"));
    }
}

#[test]
fn no_label_is_taken_off_for_an_id_that_is_none() {
    for (name, more) in [
        ("replace_issue_labels", json!({ "index": 1, "labels": [99], "confirm": true })),
        ("replace_issue_labels", json!({ "index": 1, "labels": ["bug", 99], "confirm": true })),
        ("update_pull_request", json!({ "index": 1, "labels": [99] })),
    ] {
        let (error, lines) = refused(labels(), name, more);
        assert_eq!((error.code, error.near.len()), (Code::InvalidArguments, 0), "{error}");
        assert!(error.message.ends_with("acme/widget has no label with the id 99"), "{error}");
        assert_eq!(lines, [REPO_LABELS, ORG_LABELS]);
    }
    block_on(async {
        // Those of an organization that may not be read are taken as they are, and that is told.
        let [own, _] = labels();
        let forge = Scripted::new([own, Answer::json(403, "{}"), Answer::json(200, "[]")]).await;
        let given = in_widget(json!({ "index": 1, "labels": [3, 4], "confirm": true }));
        let answer = json(call(&forge, tool("replace_issue_labels"), given).await);
        assert!(answer["note"].as_str().unwrap().contains("label 4 could not be checked"), "{answer}");
        assert_eq!(forge.requests()[2].text(), r#"{"labels":[3,4]}"#);
    });
}
