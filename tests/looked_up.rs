//! Every kind of thing that may be named where the forge wants its id: in which list the name is looked up, what is sent
//! then, and what is said where there is no such thing, or more than one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::BTreeSet;

use common::scripted::{Answer, Scripted};
use common::{block_on, call, forge, json, limits};
use forgehand::operations::descriptor::{Kind, Names};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError, arguments, run};
use serde_json::{Value, json};

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap()
}

/// A whole list in one page.
fn listed(rows: &Value) -> Answer {
    Answer::json(200, &rows.to_string()).header("X-Total-Count", &rows.as_array().unwrap().len().to_string())
}

/// One kind: a tool that takes it, its arguments, the argument that holds the name, the list, and what is sent for 7.
struct Case {
    kind: &'static str,
    tool: &'static str,
    arguments: Value,
    argument: &'static str,
    name: &'static str,
    /// The list without its page.
    list: &'static str,
    /// The row of what is named; its id is 7.
    row: Value,
    sent: &'static str,
}

fn case(
    (kind, tool): (&'static str, &'static str),
    arguments: Value,
    (argument, name): (&'static str, &'static str),
    list: &'static str,
    row: Value,
    sent: &'static str,
) -> Case {
    Case { kind, tool, arguments, argument, name, list, row, sent }
}

/// All kinds but labels and milestones of a repository's issues, which `names.rs` shows.
fn cases() -> Vec<Case> {
    let widget = || json!({ "owner": "acme", "repo": "widget" });
    let with = |more: Value| {
        let mut all = widget();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let hook =
        |address: &str| json!({ "config": { "url": address }, "authorization_header": "Bearer s3cret" });
    let address = "https://ci.example/hook";
    vec![
        case(
            ("repo_label", "get_repo_label"),
            widget(),
            ("id", "bug"),
            "/repos/acme/widget/labels",
            json!({ "name": "bug" }),
            "GET /api/v1/repos/acme/widget/labels/7",
        ),
        case(
            ("org_label", "get_org_label"),
            json!({ "org": "acme" }),
            ("id", "bug"),
            "/orgs/acme/labels",
            json!({ "name": "bug" }),
            "GET /api/v1/orgs/acme/labels/7",
        ),
        case(
            ("milestone", "delete_milestone"),
            with(json!({ "confirm": true })),
            ("id", "1.0"),
            "/repos/acme/widget/milestones",
            json!({ "title": "1.0" }),
            "DELETE /api/v1/repos/acme/widget/milestones/7",
        ),
        case(
            ("team", "add_team_member"),
            json!({ "username": "bob" }),
            ("team_id", "acme/Owners"),
            "/orgs/acme/teams",
            json!({ "name": "Owners" }),
            "PUT /api/v1/teams/7/members/bob",
        ),
        case(
            ("release", "edit_release"),
            with(json!({ "draft": false })),
            ("release_id", "v1.0/rc1"),
            "/repos/acme/widget/releases",
            json!({ "tag_name": "v1.0/rc1", "draft": true }),
            "PATCH /api/v1/repos/acme/widget/releases/7",
        ),
        case(
            ("issue_attachment", "get_issue_attachment"),
            with(json!({ "index": 3 })),
            ("attachment_id", "trace.txt"),
            "/repos/acme/widget/issues/3/assets",
            json!({ "name": "trace.txt" }),
            "GET /api/v1/repos/acme/widget/issues/3/assets/7",
        ),
        case(
            ("comment_attachment", "delete_comment_attachment"),
            with(json!({ "comment_id": 189, "confirm": true })),
            ("attachment_id", "log.txt"),
            "/repos/acme/widget/issues/comments/189/assets",
            json!({ "name": "log.txt" }),
            "DELETE /api/v1/repos/acme/widget/issues/comments/189/assets/7",
        ),
        case(
            ("release_attachment", "get_release_attachment"),
            with(json!({ "release_id": 4 })),
            ("attachment_id", "SHA256SUMS"),
            "/repos/acme/widget/releases/4/assets",
            json!({ "name": "SHA256SUMS" }),
            "GET /api/v1/repos/acme/widget/releases/4/assets/7",
        ),
        case(
            ("repo_hook", "test_repo_hook"),
            widget(),
            ("id", address),
            "/repos/acme/widget/hooks",
            hook(address),
            "POST /api/v1/repos/acme/widget/hooks/7/tests",
        ),
        case(
            ("org_hook", "get_org_hook"),
            json!({ "org": "acme" }),
            ("id", address),
            "/orgs/acme/hooks",
            hook(address),
            "GET /api/v1/orgs/acme/hooks/7",
        ),
        case(
            ("my_hook", "get_my_hook"),
            json!({}),
            ("id", address),
            "/user/hooks",
            hook(address),
            "GET /api/v1/user/hooks/7",
        ),
        case(
            ("site_hook", "delete_site_hook"),
            json!({ "confirm": true }),
            ("id", address),
            "/admin/hooks",
            hook(address),
            "DELETE /api/v1/admin/hooks/7",
        ),
        case(
            ("deploy_key", "delete_deploy_key"),
            with(json!({ "confirm": true })),
            ("id", "ci deploy key"),
            "/repos/acme/widget/keys",
            json!({ "title": "ci deploy key", "fingerprint": "SHA256:uGcI" }),
            "DELETE /api/v1/repos/acme/widget/keys/7",
        ),
        case(
            ("my_ssh_key", "delete_my_ssh_key"),
            json!({ "confirm": true }),
            ("id", "SHA256:A7/Kso4"),
            "/user/keys",
            json!({ "title": "laptop", "fingerprint": "SHA256:A7/Kso4" }),
            "DELETE /api/v1/user/keys/7",
        ),
        case(
            ("user_ssh_key", "delete_user_key"),
            json!({ "username": "bob", "confirm": true }),
            ("id", "laptop"),
            "/users/bob/keys",
            json!({ "title": "laptop", "fingerprint": "SHA256:A7/Kso4" }),
            "DELETE /api/v1/admin/users/bob/keys/7",
        ),
        case(
            ("gpg_key", "get_my_gpg_key"),
            json!({}),
            ("id", "7B8D4B0591B6FD7A"),
            "/user/gpg_keys",
            json!({ "key_id": "7B8D4B0591B6FD7A", "primary_key_id": "" }),
            "GET /api/v1/user/gpg_keys/7",
        ),
        case(
            ("oauth2_app", "get_my_oauth2_app"),
            json!({}),
            ("id", "CLI of bob"),
            "/user/applications/oauth2",
            json!({ "name": "CLI of bob", "client_secret": "s3cret" }),
            "GET /api/v1/user/applications/oauth2/7",
        ),
        case(
            ("repo_runner", "get_repo_runner"),
            widget(),
            ("runner_id", "pipeline-runner"),
            "/repos/acme/widget/actions/runners",
            json!({ "name": "pipeline-runner" }),
            "GET /api/v1/repos/acme/widget/actions/runners/7",
        ),
        case(
            ("org_runner", "delete_org_runner"),
            json!({ "org": "acme", "confirm": true }),
            ("runner_id", "shared"),
            "/orgs/acme/actions/runners",
            json!({ "name": "shared" }),
            "DELETE /api/v1/orgs/acme/actions/runners/7",
        ),
        case(
            ("my_runner", "get_my_runner"),
            json!({}),
            ("runner_id", "mine"),
            "/user/actions/runners",
            json!({ "name": "mine" }),
            "GET /api/v1/user/actions/runners/7",
        ),
        case(
            ("site_runner", "get_site_runner"),
            json!({}),
            ("runner_id", "site-runner"),
            "/admin/actions/runners",
            json!({ "name": "site-runner" }),
            "GET /api/v1/admin/actions/runners/7",
        ),
        case(
            ("tag_protection", "delete_tag_protection"),
            widget(),
            ("id", "v*"),
            "/repos/acme/widget/tag_protections",
            json!({ "name_pattern": "v*" }),
            "DELETE /api/v1/repos/acme/widget/tag_protections/7",
        ),
    ]
}

impl Case {
    fn given(&self, value: impl Into<Value>) -> Value {
        let mut arguments = self.arguments.clone();
        arguments[self.argument] = value.into();
        arguments
    }

    /// The row with that id.
    fn row(&self, id: i64) -> Value {
        let mut row = self.row.clone();
        row["id"] = id.into();
        row
    }

    fn looks_up(&self, line: &str) -> bool {
        let target = line.strip_prefix("GET /api/v1").unwrap();
        target.split('?').next().unwrap() == self.list
    }
}

fn names_of(kind: &Kind) -> Option<&Names> {
    match kind {
        Kind::Name(names) => Some(names),
        Kind::List(item) => names_of(item),
        _ => None,
    }
}

#[test]
fn every_kind_that_the_table_has_is_tried_here() {
    let parameters = OPERATIONS.iter().flat_map(|operation| operation.parameters);
    let kinds: BTreeSet<&str> = parameters.filter_map(|p| Some(names_of(&p.kind)?.of.name)).collect();
    let tried: BTreeSet<&str> = cases().iter().map(|case| case.kind).chain(["label"]).collect();
    assert_eq!(tried, kinds);
}

#[test]
fn a_name_becomes_the_id_that_its_list_tells_and_an_id_is_sent_as_it_is() {
    block_on(async {
        for case in cases() {
            let other = json!({ "id": 3, "name": "other", "title": "other", "config": { "url": "https://other.example" } });
            let rows = listed(&json!([other, case.row(7)]));
            let forge = Scripted::new([rows, Answer::json(200, "{}")]).await;
            call(&forge, tool(case.tool), case.given(case.name))
                .await
                .unwrap_or_else(|e| panic!("{}: {e}", case.kind));
            let lines = forge.lines();
            assert!(case.looks_up(&lines[0]), "{lines:?}");
            assert_eq!((lines.len(), lines[1].split('?').next().unwrap()), (2, case.sent), "{}", case.kind);

            for id in [json!(7), json!("7")] {
                let forge = Scripted::new([Answer::json(200, "{}")]).await;
                call(&forge, tool(case.tool), case.given(id))
                    .await
                    .unwrap_or_else(|e| panic!("{}: {e}", case.kind));
                assert_eq!(forge.lines().len(), 1, "{}", case.kind);
                assert_eq!(forge.lines()[0].split('?').next().unwrap(), case.sent);
            }
        }
    });
}

/// The error, and what was sent before it.
async fn refused(rows: &Value, case: &Case, name: &str) -> (OperationError, Vec<String>) {
    let forge = Scripted::new([listed(rows)]).await;
    let error = call(&forge, tool(case.tool), case.given(name)).await.unwrap_err();
    (error, forge.lines())
}

#[test]
fn a_name_that_nothing_has_or_several_have_is_an_error_after_the_look_up_alone() {
    block_on(async {
        for case in cases() {
            // To the letter: another case is another name, a part of it is none.
            let (start, last) = case.name.split_at(case.name.len() - 1);
            let other_case = match last.to_uppercase() == last {
                true => format!("{start}{}", last.to_lowercase()),
                false => format!("{start}{}", last.to_uppercase()),
            };
            for near in [other_case, start.to_owned(), format!("{}x", case.name)] {
                let bare = near.trim_matches('/');
                if bare == case.name || bare.is_empty() || case.name.ends_with(&format!("/{bare}")) {
                    continue;
                }
                let (error, lines) = refused(&json!([case.row(7)]), &case, &near).await;
                assert_eq!(error.code, Code::InvalidArguments, "{}: {error}", case.kind);
                let said = format!("argument `{}`: ", case.argument);
                assert!(error.message.starts_with(&said) && error.message.contains(" no "), "{error}");
                assert_eq!(lines.len(), 1, "{}: {lines:?}", case.kind);
                assert!(case.looks_up(&lines[0]), "{lines:?}");
            }
            let (error, lines) = refused(&json!([case.row(7), case.row(9)]), &case, case.name).await;
            assert_eq!((error.code, lines.len()), (Code::InvalidArguments, 1), "{}", case.kind);
            assert_eq!(error.hint.as_deref(), Some("give the id of one of them: 7, 9"), "{}", case.kind);
        }
    });
}

#[test]
fn what_wants_a_confirmation_and_has_none_looks_nothing_up() {
    block_on(async {
        for mut case in cases().into_iter().filter(|case| case.arguments.get("confirm").is_some()) {
            case.arguments["confirm"] = Value::Null;
            let forge = Scripted::new([]).await;
            let error = call(&forge, tool(case.tool), case.given(case.name)).await.unwrap_err();
            assert_eq!((error.code, forge.lines().len()), (Code::ConfirmationRequired, 0), "{}", case.kind);
        }
    });
}

#[test]
fn a_dry_run_looks_up_and_shows_the_id_and_nothing_is_written() {
    block_on(async {
        for mut case in cases().into_iter().filter(|case| !case.sent.starts_with("GET")) {
            case.arguments["dry_run"] = true.into();
            let forge = Scripted::new([listed(&json!([case.row(7)]))]).await;
            let plan = json(call(&forge, tool(case.tool), case.given(case.name)).await);
            let (method, path) = case.sent.split_once(" /api/v1").unwrap();
            assert_eq!(plan["method"], method, "{plan}");
            assert!(plan["path"].as_str().unwrap().starts_with(path), "{plan}");
            // The look-up, and where it is told what would change, what is there.
            let lines = forge.lines();
            let reads = 1 + usize::from(tool(case.tool).present.is_some());
            assert!(lines.len() <= reads && lines.iter().all(|line| line.starts_with("GET ")), "{lines:?}");
        }
    });
}

#[test]
fn a_team_is_named_behind_its_organization() {
    block_on(async {
        for given in ["Owners", "acme/", "/Owners", "../Owners"] {
            let forge = Scripted::new([]).await;
            let error = call(&forge, tool("get_team"), json!({ "team_id": given })).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments);
            let said = "argument `team_id`: expected the id of a team, or its name behind its org's, as org/team, got ";
            assert_eq!(error.message, format!("{said}\"{given}\""));
            assert_eq!(forge.lines().len(), 0);
        }
        // Each in its own organization, and each list once.
        let acme = listed(&json!([{ "id": 5, "name": "developers" }, { "id": 6, "name": "Owners" }]));
        let other = listed(&json!([{ "id": 8, "name": "Owners" }]));
        let forge = Scripted::new([acme, other, Answer::json(202, "{}")]).await;
        let teams = json!([2, "acme/developers", "other/Owners", "acme/Owners"]);
        let arguments = json!({
            "owner": "acme", "repo": "widget", "new_owner": "acme", "team_ids": teams, "confirm": true
        });
        json(call(&forge, tool("transfer_repo"), arguments).await);
        let requests = forge.requests();
        assert_eq!(requests.len(), 3);
        let body: Value = serde_json::from_str(requests[2].text()).unwrap();
        assert_eq!(body["team_ids"], json!([2, 5, 8, 6]));
    });
}

#[test]
fn a_file_is_looked_up_in_the_release_that_was_named() {
    block_on(async {
        let releases = listed(&json!([{ "id": 4, "tag_name": "v1.0.0" }]));
        let files = Answer::json(200, &json!([{ "id": 7, "name": "SHA256SUMS" }]).to_string());
        let forge = Scripted::new([releases, files, Answer::empty(204)]).await;
        let arguments = json!({
            "owner": "acme", "repo": "widget", "release_id": "v1.0.0", "attachment_id": "SHA256SUMS", "confirm": true
        });
        json(call(&forge, tool("delete_release_attachment"), arguments).await);
        assert_eq!(
            forge.lines(),
            [
                "GET /api/v1/repos/acme/widget/releases?limit=50&page=1",
                "GET /api/v1/repos/acme/widget/releases/4/assets",
                "DELETE /api/v1/repos/acme/widget/releases/4/assets/7",
            ]
        );
    });
}

#[test]
fn what_an_address_holds_besides_its_place_is_never_told() {
    block_on(async {
        let rows = json!([
            { "id": 1, "config": { "url": "https://bob:pa55@ci.example/hook?key=k3y" } },
            { "id": 2, "config": { "url": "https://ci.example/hooks" } },
            { "id": 3, "config": { "url": "https://u:pa55@twice.example/" } },
            { "id": 4, "config": { "url": "https://u:pa55@twice.example/" } },
        ]);
        for (given, said, near) in [
            (
                "https://bob:pa55@ci.example/hook?key=k3yy",
                "argument `id`: acme/widget has no hook called \"https://ci.example/hook\"; did you mean \"1\"?",
                json!(["1"]),
            ),
            (
                "https://ci.example/hooks?key=k3y",
                "argument `id`: acme/widget has no hook called \"https://ci.example/hooks\"; did you mean \"1\"?",
                json!(["1"]),
            ),
            (
                "https://ci.example/hookss?key=k3y",
                "argument `id`: acme/widget has no hook called \"https://ci.example/hookss\"",
                json!([]),
            ),
            ("bob:pa55@nowhere?k3y", "argument `id`: acme/widget has no hook called \"nowhere\"", json!([])),
            (
                "https://u:pa55@twice.example/",
                "argument `id`: 2 hooks are called \"https://twice.example/\"",
                json!([]),
            ),
        ] {
            let forge = Scripted::new([listed(&rows)]).await;
            let arguments = json!({ "owner": "acme", "repo": "widget", "id": given });
            let error = call(&forge, tool("get_repo_hook"), arguments).await.unwrap_err();
            assert!(error.message.starts_with(said), "{error}");
            let near: Vec<String> = serde_json::from_value(near).unwrap();
            assert!(near.iter().all(|id| error.near.contains(id)), "{error:?}");
            let all = format!("{error:?}");
            assert!(!all.contains("pa55") && !all.contains("k3y") && !all.contains("bob"), "{all}");
        }
        let forge = Scripted::new([listed(&rows), Answer::json(200, "{}")]).await;
        let arguments =
            json!({ "owner": "acme", "repo": "widget", "id": "https://bob:pa55@ci.example/hook?key=k3y" });
        json(call(&forge, tool("get_repo_hook"), arguments).await);
        assert_eq!(forge.lines()[1], "GET /api/v1/repos/acme/widget/hooks/1");
    });
}

#[test]
fn names_are_kept_for_reads_until_something_of_their_kind_is_written() {
    block_on(async {
        let teams = || listed(&json!([{ "id": 7, "name": "Owners" }]));
        let renamed = listed(&json!([{ "id": 9, "name": "Owners" }]));
        let done = || Answer::json(200, "{}");
        let script = [teams(), done(), done(), done(), renamed, done()];
        let scripted = Scripted::new(script).await;
        let forge = forge(&scripted);
        for (name, arguments) in [
            ("get_team", json!({ "team_id": "acme/Owners" })),
            ("get_team", json!({ "team_id": "acme/Owners" })),
            ("edit_team", json!({ "team_id": 7, "description": "gone" })),
            ("get_team", json!({ "team_id": "acme/Owners" })),
        ] {
            let given = arguments::object(Some(arguments)).unwrap();
            run(&forge, tool(name), given, &limits()).await.unwrap();
        }
        let lines = scripted.lines();
        let listed = |line: &&String| line.starts_with("GET /api/v1/orgs/acme/teams?");
        assert_eq!(lines.iter().filter(listed).count(), 2, "{lines:?}");
        assert_eq!(lines.last().unwrap(), "GET /api/v1/teams/9");
    });
}
