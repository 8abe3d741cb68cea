//! Addresses that people paste reach the wire as what they name, or are refused before anything is sent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use std::fmt::Write as _;

use common::scripted::{Answer, Request, Scripted};
use common::{block_on, forge_at, limits};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Operation, OperationError, Outcome, arguments, run};
use proptest::prelude::*;
use serde_json::{Value, json};

fn tool(name: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Runs a tool; `@` at the start of a text stands for the instance's address.
async fn call_at(base: &str, name: &str, given: &Value) -> Result<Outcome, OperationError> {
    let given = given.to_string().replace("\"@", &format!("\"{base}"));
    let given = serde_json::from_str(&given).unwrap();
    run(&forge_at(base), tool(name), arguments::object(Some(given)).unwrap(), &limits()).await
}

/// The request that a tool sends first.
async fn sent(name: &str, given: Value) -> Result<Request, String> {
    let forge = Scripted::agreeable().await;
    let outcome = call_at(&forge.base(), name, &given).await;
    forge.requests().into_iter().next().ok_or_else(|| format!("nothing was sent: {outcome:?}"))
}

async fn refusal(name: &str, given: Value) -> OperationError {
    let forge = Scripted::agreeable().await;
    let error = call_at(&forge.base(), name, &given).await.expect_err(&given.to_string());
    assert_eq!(error.code, Code::InvalidArguments, "{name} {given}: {error}");
    assert_eq!(forge.lines(), Vec::<String>::new(), "nothing may be sent for {given}");
    error
}

/// Rows of `tool argument=value … => what is expected`.
fn rows(table: &str) -> impl Iterator<Item = (&str, Value, &str)> {
    table.lines().map(str::trim).filter(|row| !row.is_empty()).map(|row| {
        let (call, expected) = row.split_once(" => ").unwrap();
        let mut words = call.split(' ');
        let name = words.next().unwrap();
        let given = words.map(|word| word.split_once('=').unwrap());
        (name, Value::Object(given.map(|(name, value)| (name.to_owned(), value.into())).collect()), expected)
    })
}

/// Checks what each row's call sends first: `METHOD target`.
fn check(table: &str) {
    block_on(async {
        let mut wrong = Vec::new();
        for (name, given, line) in rows(table) {
            let request = sent(name, given.clone()).await.map(|request| request.line());
            if request.as_deref() != Ok(line) {
                wrong.push(format!("{name} {given}: expected {line:?}, got {request:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn the_address_of_a_page_is_read_as_what_it_names() {
    check(
        r"
    get_issue_by_index index=@/acme/widget/issues/12 => GET /api/v1/repos/acme/widget/issues/12
    get_issue_by_index index=@/acme/widget/issues/12#issuecomment-345 => GET /api/v1/repos/acme/widget/issues/12
    get_pull_request_by_index index=@/acme/widget/pulls/7.diff => GET /api/v1/repos/acme/widget/pulls/7
    get_pull_request_by_index index=@/acme/widget/pulls/7/commits/abc1234 => GET /api/v1/repos/acme/widget/pulls/7
    get_pull_request_by_index index=@/acme/widget/pulls/7/files#diff-1 => GET /api/v1/repos/acme/widget/pulls/7
    get_commit sha=@/acme/widget/pulls/7/commits/abc1234 => GET /api/v1/repos/acme/widget/git/commits/abc1234
    get_commit sha=@/acme/widget/commit/abc1234.patch => GET /api/v1/repos/acme/widget/git/commits/abc1234
    get_commit sha=@/acme/widget/src/commit/abc1234 => GET /api/v1/repos/acme/widget/git/commits/abc1234
    get_issue_comment comment_id=@/acme/widget/issues/12#issuecomment-345 => GET /api/v1/repos/acme/widget/issues/comments/345
    get_issue_comment comment_id=@/acme/widget/pulls/7/files#issuecomment-99 => GET /api/v1/repos/acme/widget/issues/comments/99
    get_issue_comment repo=@/acme/widget/pulls/7#issuecomment-9 => GET /api/v1/repos/acme/widget/issues/comments/9
    get_pull_review_comment comment_id=@/acme/widget/pulls/7/files#issuecomment-99 review_id=3 => GET /api/v1/repos/acme/widget/pulls/7/reviews/3/comments/99
    get_release_by_id release_id=@/acme/widget/releases/tag/v1.0 => GET /api/v1/repos/acme/widget/releases?limit=50&page=1
    get_release_by_tag tag=@/acme/widget/releases/tag/v1.0 => GET /api/v1/repos/acme/widget/releases/tags/v1.0
    get_release_by_tag tag=@/acme/widget/src/tag/rc/1 => GET /api/v1/repos/acme/widget/releases/tags/rc%2F1
    get_tag tag=@/acme/widget/releases/tag/a%20b => GET /api/v1/repos/acme/widget/tags/a%20b
    get_milestone id=@/acme/widget/milestone/3 => GET /api/v1/repos/acme/widget/milestones/3
    get_milestone id=@/acme/widget/milestones/3/edit => GET /api/v1/repos/acme/widget/milestones/3
    get_repo_hook id=@/acme/widget/settings/hooks/5 => GET /api/v1/repos/acme/widget/hooks/5
    get_branch branch=@/acme/widget/src/branch/feature/x => GET /api/v1/repos/acme/widget/branches/feature%2Fx
    get_branch branch=@/acme/widget/commits/branch/main => GET /api/v1/repos/acme/widget/branches/main
    get_wiki_page page_name=@/acme/widget/wiki/Getting-Started#more => GET /api/v1/repos/acme/widget/wiki/page/Getting-Started
    get_wiki_page page_name=@/acme/widget/wiki/a%252Fb => GET /api/v1/repos/acme/widget/wiki/page/a%252Fb
    compare_commits range=@/acme/widget/compare/main...bob:feature/x => GET /api/v1/repos/acme/widget/compare/main...bob%3Afeature%2Fx
    get_repo_archive archive=@/acme/widget/archive/v1.0.zip => GET /api/v1/repos/acme/widget/archive/v1.0.zip
    get_git_blob sha=@/acme/widget/raw/blob/abc1234 => GET /api/v1/repos/acme/widget/git/blobs/abc1234
    get_commit_status ref=@/acme/widget/commit/abc1234 => GET /api/v1/repos/acme/widget/commits/abc1234/status?limit=50&page=1
    get_commit_status ref=@/acme/widget/src/tag/v1 => GET /api/v1/repos/acme/widget/commits/v1/status?limit=50&page=1
    list_workflow_runs repo=@/acme/widget/actions/runs/42/jobs/0 => GET /api/v1/repos/acme/widget/actions/runs?limit=30&page=1&run_number=42
    list_workflow_runs ref=@/acme/widget/src/branch/main => GET /api/v1/repos/acme/widget/actions/runs?limit=30&page=1&ref=refs%2Fheads%2Fmain
    get_repo repo=git@127.0.0.1:acme/widget.git => GET /api/v1/repos/acme/widget
    get_repo repo=ssh://git@127.0.0.1:2222/acme/widget.git => GET /api/v1/repos/acme/widget
    get_repo owner=ac#me repo=wid:get => GET /api/v1/repos/ac%23me/wid%3Aget
    get_team team_id=@/org/acme/teams/devs => GET /api/v1/orgs/acme/teams?limit=50&page=1
    delete_team team_id=@/org/acme/teams/the%20devs/repositories confirm=true => GET /api/v1/orgs/acme/teams?limit=50&page=1
    list_team_members team_id=@/api/v1/teams/4 => GET /api/v1/teams/4/members?limit=30&page=1
    get_repo repo=@/acme/widget.git => GET /api/v1/repos/acme/widget
    get_repo repo=@/acme/widget.wiki.git => GET /api/v1/repos/acme/widget
    get_repo repo=@/acme/widget/issues/new?template=x => GET /api/v1/repos/acme/widget
    get_repo repo=@/acme/widget/settings/units => GET /api/v1/repos/acme/widget
    delete_milestone id=@/acme/widget/milestone/3 confirm=true => DELETE /api/v1/repos/acme/widget/milestones/3
    get_user user=@/ana => GET /api/v1/users/ana
    get_user user=@/ana?tab=repositories => GET /api/v1/users/ana
    get_org org=@/org/acme/teams => GET /api/v1/orgs/acme
    get_org org=@/acme => GET /api/v1/orgs/acme
    check_org_membership org=@/acme user=@/ana => GET /api/v1/orgs/acme/members/ana
    check_user_following user=@/ana target=@/bob => GET /api/v1/users/ana/following/bob
    check_repo_collaborator repo=acme/widget user=@/ana => GET /api/v1/repos/acme/widget/collaborators/ana
    get_repo_team repo=acme/widget team=@/org/acme/teams/the%20devs => GET /api/v1/repos/acme/widget/teams/the%20devs
    check_team_repo team_id=4 repo=@/acme/widget => GET /api/v1/teams/4/repos/acme/widget
    get_org_hook id=@/org/acme/settings/hooks/5 => GET /api/v1/orgs/acme/hooks/5
    get_package name=@/acme/-/packages/npm/%40scope%2Fx/1.0 => GET /api/v1/packages/acme/npm/%40scope%2Fx/1.0
    get_package owner=@/acme/-/packages/npm/x/1.0/files/7 => GET /api/v1/packages/acme/npm/x/1.0
    ",
    );
}

#[test]
fn an_address_of_the_api_is_read_as_what_it_names() {
    check(
        r"
    get_issue_by_index index=@/api/v1/repos/acme/widget/issues/12 => GET /api/v1/repos/acme/widget/issues/12
    get_issue_comment comment_id=@/api/v1/repos/acme/widget/issues/comments/345 => GET /api/v1/repos/acme/widget/issues/comments/345
    get_pull_review review_id=@/api/v1/repos/acme/widget/pulls/7/reviews/3 => GET /api/v1/repos/acme/widget/pulls/7/reviews/3
    get_commit sha=@/api/v1/repos/acme/widget/git/commits/abc1234 => GET /api/v1/repos/acme/widget/git/commits/abc1234
    get_git_blob sha=@/api/v1/repos/acme/widget/git/blobs/abc1234 => GET /api/v1/repos/acme/widget/git/blobs/abc1234
    get_annotated_tag sha=@/api/v1/repos/acme/widget/git/tags/abc1234 => GET /api/v1/repos/acme/widget/git/tags/abc1234
    get_repo_tree ref=@/api/v1/repos/acme/widget/git/trees/abc1234 => GET /api/v1/repos/acme/widget/git/trees/abc1234?page=1&per_page=30
    get_branch branch=@/api/v1/repos/acme/widget/git/refs/heads/feature/x => GET /api/v1/repos/acme/widget/branches/feature%2Fx
    get_repo_label id=@/api/v1/repos/acme/widget/labels/5 => GET /api/v1/repos/acme/widget/labels/5
    get_release_by_id release_id=@/api/v1/repos/acme/widget/releases/5 => GET /api/v1/repos/acme/widget/releases/5
    get_workflow_run run_id=@/api/v1/repos/acme/widget/actions/runs/42 => GET /api/v1/repos/acme/widget/actions/runs/42
    get_file_content path=@/api/v1/repos/acme/widget/contents/docs/question%3F.md?ref=main => GET /api/v1/repos/acme/widget/raw/docs/question%3F.md?ref=main
    get_file_content path=@/api/v1/repos/acme/widget/contents/a => GET /api/v1/repos/acme/widget/raw/a
    get_org_label id=@/api/v1/orgs/acme/labels/1 => GET /api/v1/orgs/acme/labels/1
    get_team team_id=@/api/v1/teams/9 => GET /api/v1/teams/9
    get_user user=@/api/v1/users/ana => GET /api/v1/users/ana
    get_notification_thread id=@/api/v1/notifications/threads/1266 => GET /api/v1/notifications/threads/1266
    ",
    );
}

#[test]
fn the_address_of_a_file_tells_path_ref_and_lines() {
    // The name of a branch may have a slash: the call decides, else the first segment is it.
    check(
        r"
    get_file_content path=@/acme/widget/src/branch/main/docs/a%20b.md => GET /api/v1/repos/acme/widget/raw/docs/a%20b.md?ref=main
    get_file_content path=@/acme/widget/raw/branch/main/a%2525.md => GET /api/v1/repos/acme/widget/raw/a%2525.md?ref=main
    get_file_content path=@/acme/widget/media/tag/v1/a+b.md => GET /api/v1/repos/acme/widget/raw/a%2Bb.md?ref=v1
    get_file_content path=@/acme/widget/blame/commit/abc1234/README.md => GET /api/v1/repos/acme/widget/raw/README.md?ref=abc1234
    get_file_content path=@/acme/widget/_edit/main/README.md => GET /api/v1/repos/acme/widget/raw/README.md?ref=main
    get_file_content path=@/acme/widget/src/branch/main/back%5Cslash.md => GET /api/v1/repos/acme/widget/raw/back%5Cslash.md?ref=main
    get_file_content path=@/acme/widget/src/branch/main/ünï.md => GET /api/v1/repos/acme/widget/raw/%C3%BCn%C3%AF.md?ref=main
    get_file_content path=@/acme/widget/src/branch/feature/x/docs/a.md => GET /api/v1/repos/acme/widget/raw/x/docs/a.md?ref=feature
    get_file_content path=@/acme/widget/src/branch/feature/x/docs/a.md ref=feature/x => GET /api/v1/repos/acme/widget/raw/docs/a.md?ref=feature%2Fx
    get_file_content path=@/acme/widget/src/branch/feature/x/docs/a.md ref=@/acme/widget/src/branch/feature/x => GET /api/v1/repos/acme/widget/raw/docs/a.md?ref=feature%2Fx
    get_file_content repo=@/acme/widget/src/branch/feature/x/docs/a.md path=docs/a.md => GET /api/v1/repos/acme/widget/raw/docs/a.md?ref=feature%2Fx
    get_file_content ref=@/acme/widget/src/branch/feature/x path=docs/a.md => GET /api/v1/repos/acme/widget/raw/docs/a.md?ref=feature%2Fx
    list_repo_contents path=@/acme/widget/src/branch/main => GET /api/v1/repos/acme/widget/contents?ref=main
    list_repo_contents repo=@/acme/widget/src/branch/main/docs => GET /api/v1/repos/acme/widget/contents/docs?ref=main
    list_repo_commits path=@/acme/widget/commits/branch/main/docs/a.md => GET /api/v1/repos/acme/widget/commits?limit=30&page=1&path=docs%2Fa.md&sha=main
    ",
    );
    block_on(async {
        let forge = Scripted::new([Answer::new(200, "text/plain", "1\n2\n3\n4\n5\n")]).await;
        let read = async |name: &str, fragment: &str| {
            let path = format!("@/acme/widget/{name}/README.md?display=source{fragment}");
            match call_at(&forge.base(), "get_file_content", &json!({"path": path})).await {
                Ok(Outcome::Text { text, .. }) => text,
                other => panic!("{fragment}: {other:?}"),
            }
        };
        let commit = "src/commit/abc1234";
        for (name, fragment, first, last) in
            [("src/branch/main", "#L2-L3", "2", "3"), (commit, "#L3-L2", "2", "3"), (commit, "#L4", "4", "4")]
        {
            let text = format!("{:?}", read(name, fragment).await);
            assert!(text.contains(&format!("{first}\\n")) && text.contains(&format!("{last}\\n")), "{text}");
            assert!(!text.contains("5\\n") && !text.contains("1\\n"), "{text}");
        }
        let whole = format!("{:?}", read(commit, "#more").await);
        assert!(whole.contains("1\\n2\\n3\\n4\\n5\\n"), "{whole}");
    });
}

#[test]
fn a_write_takes_the_branch_of_an_address_and_no_other_ref() {
    block_on(async {
        let given = json!({"path": "@/acme/widget/src/branch/dev/docs/a.md", "content": "x"});
        let request = sent("create_file", given).await.unwrap();
        assert_eq!(request.line(), "POST /api/v1/repos/acme/widget/contents/docs/a.md");
        assert_eq!(
            serde_json::from_str::<Value>(request.text()).unwrap(),
            json!({"branch": "dev", "content": "eA=="})
        );
        for (address, message) in [
            ("@/acme/widget/src/tag/v1/a.md", "says more: tag is \"v1\""),
            ("@/acme/widget/src/commit/abc1234/a.md", "says more: sha is \"abc1234\""),
        ] {
            let error = refusal("create_file", json!({"path": address, "content": "x"})).await;
            assert!(error.message.contains(message), "{error}");
        }
        let given =
            json!({"repo": "acme/widget", "branch": "new", "from": "@/acme/widget/src/branch/feature/x"});
        let request = sent("create_branch", given).await.unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(request.text()).unwrap(),
            json!({"new_branch_name": "new", "old_ref_name": "feature/x"})
        );
        let given = json!({"index": "acme/widget#7", "style": "merge", "head_commit_id": "@/acme/widget/pulls/7/commits/8f36a1c0d2b4e5f60718293a4b5c6d7e8f901234"});
        let body: Value =
            serde_json::from_str(sent("merge_pull_request", given).await.unwrap().text()).unwrap();
        assert_eq!(body["head_commit_id"], "8f36a1c0d2b4e5f60718293a4b5c6d7e8f901234");
    });
}

#[test]
fn a_file_that_is_not_there_is_answered_with_how_its_address_was_read() {
    block_on(async {
        let forge = Scripted::new([Answer::json(404, "{}")]).await;
        let hint = async |address: &str| {
            let given = json!({"path": format!("@/acme/widget/{address}")});
            let error = call_at(&forge.base(), "get_file_content", &given).await.unwrap_err();
            assert_eq!(error.code, Code::NotFound);
            error.hint.unwrap_or_default()
        };
        let read = "the address was read as branch \"feature\" and path \"x/a.md\"; if the name has a slash, give it as `ref` besides";
        assert!(
            hint("src/branch/feature/x/a.md").await.starts_with(read),
            "{}",
            hint("src/branch/feature/x/a.md").await
        );
        assert!(!hint("src/branch/main/a.md").await.contains("was read"));
    });
}

#[test]
fn an_address_of_another_kind_is_refused_with_what_it_names() {
    let table = r#"
    get_workflow_run run_id=@/acme/widget/actions/runs/42 => a workflow run's id, which is not the number in its web address, got a reference that says more: run_number is the number 42
    get_repo repo=git@evil.example:acme/widget.git => argument `repo`: expected an address of http://127.0.0.1
    get_repo repo=ssh://git@evil.example:22/acme/widget.git => got one of "evil.example"
    get_repo repo=git@127.0.0.1:acme => argument `repo`: expected a repository's name
    get_repo repo=acme/widget#4 => argument `repo`: expected a repository's name, `owner/name`, or its web address, got "acme/widget#4"
    get_repo repo=ana@acme/widget => argument `repo`: expected a repository's name
    get_issue_by_index index=ac:me/widget#4 => argument `index`: expected an issue's number
    get_team team_id=@/acme/widget => argument `team_id`: expected a team's id
    get_git_blob sha=@/acme/widget/commit/abc1234 => says more: sha is "abc1234"
    update_file repo=acme/widget path=a content=x sha=@/acme/widget/commit/abc1234 => argument `sha`: expected a file's hash
    get_issue_comment comment_id=@/acme/widget/issues/12 => argument `comment_id`: expected a comment's id, or its web address, got a reference that says more: index
    get_issue_by_index index=@/acme/widget => argument `index`: expected an issue's number
    get_user user=@/acme/widget => argument `user`: expected a user's login name
    check_repo_collaborator repo=acme/widget user=@/acme/widget => argument `user`: expected a user's login name
    delete_my_hook id=@/acme/widget/settings/hooks/5 => says more: owner is "acme"
    delete_repo_hook repo=acme/widget id=@/org/acme/settings/hooks/5 => says more: org is "acme"
    delete_repo_label repo=acme/widget id=@/api/v1/orgs/acme/labels/5 => says more: org is "acme"
    unlink_package owner=@/acme/-/packages/npm/x/1.0 => says more: version is "1.0"
    get_repo repo=@/explore/repos => argument `repo`: expected a repository's name
    get_repo repo=@/acme => argument `repo`: expected a repository's name
    get_file_content path=@/acme/widget/src/branch/main => argument `path`: expected a file's path
    get_file_content path=@/acme/widget/src/branch/main/a ref=dev => argument `ref`: expected the same as in `path`, which says "main", got "dev"
    get_file_content path=@/acme/widget/src/branch/main/a#L3 start_line=9 => argument `start_line`: expected the same as in `path`
    get_issue_comment repo=acme/gadget comment_id=@/acme/widget/issues/1#issuecomment-2 => argument `repo`: expected the same as in `comment_id`
    "#;
    block_on(async {
        let mut wrong = Vec::new();
        for (name, given, message) in rows(table) {
            let error = refusal(name, given.clone()).await;
            if !error.message.contains(message) {
                wrong.push(format!("{name} {given}: {error}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let hint = async |name, given| refusal(name, given).await.hint.unwrap_or_default();
        let run = json!({"run_id": "@/acme/widget/actions/runs/42"});
        assert_eq!(
            hint("get_workflow_run", run).await,
            "list_workflow_runs with run_number: 42 tells the id"
        );
        // The address names a release, which the argument names too, and otherwise.
        let release = json!({"repo": "@/acme/widget/releases/tag/v1.0", "release_id": 1});
        let said = refusal("delete_release", release).await.message;
        assert!(said.contains("expected the same as in `repo`") && said.contains("v1.0"), "{said}");
    });
}

#[test]
fn an_address_of_another_host_or_of_two_readings_is_refused_and_its_password_never_shown() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let base = forge.base();
        let host = base.strip_prefix("http://").unwrap();
        let addresses = [
            ("https://other.example/acme/widget/src/branch/main/a".to_owned(), "got one of other.example"),
            (format!("http://{host}@evil.example/acme/widget/src/branch/main/a"), "got one of evil.example"),
            (format!("http://ana:hunter2@{host}/acme/widget/src/branch/main/a"), "without a user name"),
            ("http://127.0.0.1:1/acme/widget/src/branch/main/a".to_owned(), "got one of port 1"),
            ("https://127.0.0.1/acme/widget/src/branch/main/a".to_owned(), "got one of port 443"),
            (
                "http://127.0.0.1.evil.example/acme/widget/src/branch/main/a".to_owned(),
                "got one of 127.0.0.1.evil",
            ),
            ("http://fоrge.example/acme/widget/src/branch/main/a".to_owned(), "got one of xn--"),
            (format!("http:///{host}/acme/widget/src/branch/main/a"), "odd segments"),
            (format!("{base}/acme/../evil/widget/src/branch/main/a"), "odd segments"),
            (format!("{base}/acme/widget/src/branch/main/%2e%2E/a"), "odd segments"),
            (format!("{base}/acme/widget/src/branch/main/./a"), "odd segments"),
            (format!("{base}/acme/widget/src/branch/main/100%"), "odd segments"),
            (format!("{base}/acme/widget/src/branch/main/%ff"), "odd segments"),
            (format!("{base}/acme%2Fwidget/x/src/branch/main/a"), "expected a file's path"),
            (format!("{base}/acme/widget/src/branch/main/..%2F..%2Fadmin"), "expected a file's path"),
            (format!("{base}/acme\\widget/src/branch/main/a"), "backslashes"),
            (format!("{base}/acme/widget/src/branch/main/a\r\nHost: evil"), "control characters"),
        ];
        for (address, message) in addresses {
            for given in [json!({"path": address}), json!({"path": "a", "repo": address})] {
                let error = call_at(&base, "get_file_content", &given).await.expect_err(&address);
                assert_eq!(error.code, Code::InvalidArguments, "{address}");
                let message = message.replace("a file's path", "a ");
                assert!(error.message.contains(&message), "{address}: {error}");
                assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
            }
        }
        assert_eq!(forge.lines(), Vec::<String>::new());
        // Wherever an argument holds what an address can name.
        for (name, argument) in [
            ("get_issue_comment", "comment_id"),
            ("get_release_by_tag", "tag"),
            ("get_release_by_id", "release_id"),
            ("get_workflow_run", "run_id"),
            ("get_milestone", "id"),
            ("get_wiki_page", "page_name"),
            ("get_branch", "branch"),
            ("compare_commits", "range"),
            ("get_commit", "sha"),
        ] {
            let mut given = json!({"repo": "acme/widget"});
            given[argument] = "https://other.example/acme/widget/x".into();
            let error = refusal(name, given).await;
            let expected = format!("argument `{argument}`: expected an address of http://127.0.0.1");
            assert!(error.message.starts_with(&expected), "{error}");
        }
    });
}

#[test]
fn an_instance_below_a_path_knows_its_own_addresses_alone() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let base = format!("{}/git", forge.base());
        let given = json!({"index": "@/acme/widget/issues/12"});
        call_at(&base, "get_issue_by_index", &given).await.unwrap();
        assert_eq!(forge.lines(), ["GET /git/api/v1/repos/acme/widget/issues/12"]);
        for other in
            ["/acme/widget/issues/12", "/gitacme/acme/widget/issues/12", "/%2e%2e/acme/widget/issues/12"]
        {
            let given = json!({"index": format!("{}{other}", forge.base())});
            let error = call_at(&base, "get_issue_by_index", &given).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidArguments, "{other}");
        }
    });
}

#[test]
fn a_text_that_holds_an_address_stays_as_it_is() {
    let address = "https://other.example/acme/widget/issues/1";
    block_on(async {
        for (name, argument, given) in [
            ("create_issue", "title", json!({})),
            ("create_issue", "body", json!({"title": "t"})),
            ("create_issue_comment", "body", json!({"index": 1})),
            ("create_wiki_page", "content_base64", json!({"title": "t"})),
            ("create_wiki_page", "title", json!({"content": "x"})),
            ("create_file", "message", json!({"path": "a", "content": "x", "branch": "main"})),
            ("create_push_mirror", "remote_address", json!({"interval": "8h"})),
            ("create_commit_status", "target_url", json!({"sha": "abc1234", "state": "success"})),
            ("edit_repo", "website", json!({})),
            ("edit_repo", "description", json!({})),
            ("create_release", "name", json!({"tag_name": "v1"})),
            ("create_repo_variable", "value", json!({"name": "V"})),
        ] {
            let mut given = given;
            given["repo"] = "acme/widget".into();
            given["confirm"] = true.into();
            let (argument, wanted) = match argument {
                "content_base64" => ("content", "aHR0cHM6Ly9vdGhlci5leGFtcGxlL2FjbWUvd2lkZ2V0L2lzc3Vlcy8x"),
                "remote_address" => ("url", address),
                other => (other, address),
            };
            given[argument] = address.into();
            let request = sent(name, given).await.unwrap();
            assert!(request.text().contains(wanted), "{name}: {}", request.text());
        }
        let request = sent(
            "migrate_repo",
            json!({"url": "https://other.example/a/b.git", "name": "b", "confirm": true}),
        )
        .await
        .unwrap();
        let body: Value = serde_json::from_str(request.text()).unwrap();
        assert_eq!(body["clone_addr"], "https://other.example/a/b.git");
        let hook = json!({"repo": "acme/widget", "url": "https://ci.example/x", "events": ["push"], "confirm": true});
        let body: Value = serde_json::from_str(sent("create_repo_hook", hook).await.unwrap().text()).unwrap();
        assert_eq!(body["config"]["url"], "https://ci.example/x");
    });
}

/// A segment as Forgejo writes it into a page's address: Go's `url.PathEscape`.
fn go_escaped(segment: &str) -> String {
    let mut out = String::new();
    for byte in segment.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'~' | b'$' | b'&' | b'+' | b'=' | b':' | b'@' => out.push(char::from(byte)),
            _ => write!(out, "%{byte:02X}").unwrap(),
        }
    }
    out
}

fn decoded(target: &str) -> Vec<String> {
    let path = target.split('?').next().unwrap();
    path.split('/')
        .map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8().unwrap().into_owned())
        .collect()
}

fn segment() -> impl Strategy<Value = String> {
    let odd = "[ a-z%?#&+=:@;,.~!'\"()\\[\\]{}|^`<>*$ü漢\u{7f}\t\\\\-]{1,12}";
    prop_oneof![odd.prop_map(String::from), any::<String>()]
        .prop_map(|text| text.replace(['/', '\0', '\r', '\n'], ""))
        .prop_filter("no segment of a path", |text| {
            !text.is_empty() && text.split('\\').all(|part| part != "." && part != "..")
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_file_of_any_name_reaches_the_wire_as_itself(path in proptest::collection::vec(segment(), 1..4)) {
        let written: Vec<String> = path.iter().map(|segment| go_escaped(segment)).collect();
        let given = json!({"path": format!("@/acme/widget/src/branch/main/{}", written.join("/"))});
        let request = block_on(sent("get_file_content", given)).unwrap();
        prop_assert_eq!(decoded(&request.target)[7..].to_vec(), path);
        prop_assert!(request.target.ends_with("?ref=main"));
    }

    #[test]
    fn an_owner_and_a_repository_of_any_name_reach_the_wire_as_themselves(owner in segment(), repo in segment()) {
        prop_assume!(repo != "-" && !repo.ends_with(".git"));
        // Names that Forgejo keeps for itself are no owner's.
        let owner = format!("o{owner}");
        let given = json!({"repo": format!("@/{}/{}", go_escaped(&owner), go_escaped(&repo))});
        let request = block_on(sent("get_repo", given)).unwrap();
        prop_assert_eq!(decoded(&request.target)[4..].to_vec(), [owner, repo]);
    }
}

#[test]
fn the_recorded_forge_knows_the_addresses_that_its_answers_tell() {
    let arguments =
        ["call", "get_issue_by_index", "index=https://forge.example/acme/widget/issues/1", "--demo"];
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_forgehand")).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("https://forge.example/acme/widget/issues/1"), "{said}");
}
