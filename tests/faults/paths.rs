//! Names in paths and queries: encoded once, and never into another route.

use forgehand::operations::descriptor::{Kind, Place};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, run};
use serde_json::json;

use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, forge, limits};
use super::samples::required;
use super::{ask, failed, replayed, widget};

const WIDGET: &str = "/api/v1/repos/acme/widget";

#[test]
fn names_with_odd_characters_are_encoded_once_and_slashes_are_kept_where_the_route_has_them() {
    let file = |path: &str| ("get_file_content", json!({ "path": path }));
    for ((name, given), target) in [
        (file("docs/a b.md"), "/raw/docs/a%20b.md"),
        (file("100%.txt"), "/raw/100%25.txt"),
        (file("c#.md"), "/raw/c%23.md"),
        (file("q?.md"), "/raw/q%3F.md"),
        (file("a+b.md"), "/raw/a%2Bb.md"),
        (file("ünï.md"), "/raw/%C3%BCn%C3%AF.md"),
        (file("already%2Fencoded"), "/raw/already%252Fencoded"),
        (("get_file_content", json!({"path": "x", "ref": "feature/a&b"})), "/raw/x?ref=feature%2Fa%26b"),
        (("get_file_content", json!({"path": "x", "ref": "a+b c"})), "/raw/x?ref=a%2Bb%20c"),
        (("get_branch", json!({"branch": "feature/x"})), "/branches/feature%2Fx"),
        (("get_branch", json!({"branch": "fix/#12"})), "/branches/fix%2F%2312"),
        (
            ("edit_branch_protection", json!({"rule": "release/**", "enable_push": true})),
            "/branch_protections/release%2F%2A%2A",
        ),
        (("get_branch_protection", json!({"rule": "release/**"})), "/branch_protections/release%2F%2A%2A"),
        (("get_release_by_tag", json!({"tag": "v1.0/β"})), "/releases/tags/v1.0%2F%CE%B2"),
    ] {
        let (_, requests) = ask(name, widget(given), Answer::json(200, "{}"));
        let last = requests.last().unwrap_or_else(|| panic!("{name} sent nothing"));
        assert_eq!(last.target, format!("{WIDGET}{target}"));
    }
}

#[test]
fn only_a_files_path_may_be_the_root_and_no_other_name_is_taken_for_none() {
    for path in ["", ".", "/"] {
        let (_, requests) =
            ask("list_repo_contents", widget(json!({ "path": path })), Answer::json(200, "[]"));
        assert_eq!(requests[0].target, format!("{WIDGET}/contents"), "{path:?}");
    }
    for name in ["sync_fork", "get_fork_sync"] {
        for branch in ["", ".", "/.", ".."] {
            let given = widget(json!({"branch": branch, "confirm": true}));
            let (error, requests) = failed(name, given, Answer::json(200, "{}"));
            assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{name} {branch:?}");
        }
    }
    for owner in ["", ".", "..", "acme/.."] {
        let given = json!({"name": "x", "owner": owner});
        let (error, requests) = failed("create_repo", given, Answer::json(201, "{}"));
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{owner:?}");
    }
}

#[test]
fn an_offset_in_a_filter_keeps_its_plus() {
    let given = json!({"since": "2026-03-01T00:00:00+02:00"});
    let (_, requests) = ask("list_repo_issues", widget(given), Answer::json(200, "[]"));
    let target = &requests[0].target;
    assert!(target.contains("since=2026-03-01T00%3A00%3A00%2B02%3A00"), "{target}");
}

#[test]
fn a_delete_is_never_sent_to_another_route() {
    for (owner, repo) in [("acme/../../admin", "r?x="), ("..", "widget"), ("acme", ".."), ("acme", "../x")] {
        let given = json!({"owner": owner, "repo": repo, "index": 1, "confirm": true});
        let (error, requests) = failed("delete_issue", given, Answer::empty(204));
        assert_eq!((error.code, requests.len()), (Code::InvalidArguments, 0), "{owner} {repo}: {error}");
    }
    let given = json!({"owner": "acme", "repo": "r?state=all&", "index": 1, "confirm": true});
    let (_, requests) = ask("delete_issue", given, Answer::empty(204));
    assert_eq!(requests[0].line(), "DELETE /api/v1/repos/acme/r%3Fstate%3Dall%26/issues/1");
}

/// Values that a careless client lets escape from their place in the path.
const HOSTILE: &[&str] = &[
    "..",
    ".",
    "../../admin",
    "a/../../b",
    "a/..",
    "..\\..\\admin",
    "%2e%2e/admin",
    "r?state=all&",
    "x#y",
    "a;b",
    "a%2F..%2Fb",
    "x\r\nHost: evil.example",
];

/// Where labels are looked up before they replace others.
const LOOKED_UP: [&str; 2] = ["/repos/{owner}/{repo}/labels", "/orgs/{owner}/labels"];

/// Every text in a path of every tool.
#[test]
fn no_text_in_a_path_leads_any_tool_to_another_route() {
    let mut sent = 0;
    block_on(async {
        let scripted = Scripted::agreeable().await;
        let forge = forge(&scripted);
        for tool in OPERATIONS {
            let texts =
                tool.parameters.iter().filter(|p| p.place == Place::Path && matches!(p.kind, Kind::Text));
            for parameter in texts {
                // The root of a directory listing may be said by a dot.
                let root = tool.name == "list_repo_contents" && parameter.wire == "filepath";
                for hostile in HOSTILE.iter().filter(|hostile| !(root && **hostile == ".")) {
                    let mut given = required(tool);
                    given.insert(parameter.name.to_owned(), json!(hostile));
                    let _ = run(&forge, tool, given, &limits()).await;
                    for request in scripted.take_requests() {
                        sent += 1;
                        let case =
                            format!("{} {}={hostile:?}: {}", tool.name, parameter.name, request.target);
                        let path = request.target.split('?').next().unwrap();
                        assert!(!path.split('/').any(|segment| matches!(segment, "." | "..")), "{case}");
                        assert!(!request.target.contains(['#', '\\', ' ']), "{case}");
                        let path = path.strip_prefix("/api/v1").unwrap();
                        let calls = tool.calls.iter().filter(|known| known.method == request.method);
                        let mut routes = calls
                            .map(|known| known.path)
                            .chain(LOOKED_UP.into_iter().filter(|_| request.method == "GET"));
                        let found =
                            routes.find_map(|known| Some((known, replayed::path_values(known, path)?)));
                        let (known, values) = found.unwrap_or_else(|| panic!("another route: {case}"));
                        if known.contains("}.{") {
                            // Where one value ends and the next begins is the forge's to tell.
                            assert_eq!(path.matches('/').count(), known.matches('/').count(), "{case}");
                            continue;
                        }
                        let at = values.iter().find(|(name, _)| name == parameter.wire);
                        assert_eq!(at.map(|(_, value)| value.as_str()), Some(*hostile), "{case}");
                    }
                }
            }
        }
    });
    assert!(sent > 1000, "only {sent} requests");
}
