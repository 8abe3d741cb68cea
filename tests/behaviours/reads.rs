//! Reads: names with a slash, addresses that have moved, and fields that are not what their name says.

use forgehand::operations::descriptor::{Kind, Place, Shape};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Effect, run};
use serde_json::{Value, json};

use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, call, forge, json as shown, limits};
use super::{samples, tool};

/// Places where the forge reads a raw slash as a part of the name; everywhere else it is another route.
const RAW: &[&str] = &[
    "/repos/{owner}/{repo}/archive/{archive}",
    "/repos/{owner}/{repo}/branches/{branch}",
    "/repos/{owner}/{repo}/compare/{basehead}",
    "/repos/{owner}/{repo}/contents/{filepath}",
    "/repos/{owner}/{repo}/git/refs/{ref}",
    "/repos/{owner}/{repo}/media/{filepath}",
    "/repos/{owner}/{repo}/pulls/{base}/{head}",
    "/repos/{owner}/{repo}/raw/{filepath}",
    "/repos/{owner}/{repo}/tags/{tag}",
];

#[test]
fn a_slash_in_a_name_is_escaped_wherever_the_forge_needs_that() {
    let (mut faults, mut escaped, mut raw) = (Vec::new(), 0, 0);
    block_on(async {
        let scripted = Scripted::agreeable().await;
        let forge = forge(&scripted);
        for tool in OPERATIONS {
            for parameter in tool.parameters.iter().filter(|p| p.place == Place::Path) {
                if !matches!(parameter.kind, Kind::Text) || matches!(parameter.name, "owner" | "repo") {
                    continue;
                }
                let mut given = samples::required(tool);
                given.insert(parameter.name.to_owned(), json!("a/b"));
                let _ = run(&forge, tool, given, &limits()).await;
                for request in scripted.take_requests() {
                    let is_raw = request.target.contains("/a/b");
                    let call = tool.calls.iter().find(|call| {
                        call.method == request.method
                            && call.path.contains(&format!("{{{}}}", parameter.wire))
                    });
                    match (is_raw, request.target.contains("/a%2Fb")) {
                        (true, _) if call.is_some_and(|call| RAW.contains(&call.path)) => raw += 1,
                        (false, true) => escaped += 1,
                        // A part of a segment, as `{index}.{diffType}`.
                        (false, false) if request.target.contains("a%2Fb") => escaped += 1,
                        _ => faults.push(format!("{} {}: {}", tool.name, parameter.name, request.line())),
                    }
                }
            }
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(escaped > 100 && raw >= 6, "{escaped} escaped, {raw} raw");
}

#[test]
fn a_read_follows_what_was_renamed_or_transferred_and_answers_from_there() {
    block_on(async {
        for (name, given, status, place, body) in [
            (
                "list_repo_issues",
                json!({"owner": "acme", "repo": "tmp-edit"}),
                301,
                "/api/v1/repos/acme/tmp-edited/issues?page=1&limit=30",
                json!([{"number": 1}]),
            ),
            (
                "get_repo",
                json!({"owner": "acme", "repo": "tmp-edit"}),
                301,
                "/api/v1/repos/acme/tmp-edited",
                json!({"full_name": "acme/tmp-edited"}),
            ),
            (
                "get_repo",
                json!({"owner": "acme", "repo": "tmp-transfer-1"}),
                301,
                "/api/v1/repos/carol/tmp-transfer-1",
                json!({"full_name": "carol/tmp-transfer-1"}),
            ),
            (
                "get_org",
                json!({"org": "tmp-org-2"}),
                307,
                "/api/v1/orgs/tmp-org-3",
                json!({"name": "tmp-org-3"}),
            ),
            (
                "get_user",
                json!({"user": "tmp-min"}),
                307,
                "/api/v1/users/tmp-renamed",
                json!({"login": "tmp-renamed"}),
            ),
        ] {
            let answers =
                [Answer::empty(status).header("Location", place), Answer::json(200, &body.to_string())];
            let forge = Scripted::new(answers).await;
            let found = shown(call(&forge, tool(name), given).await);
            let row = body.get(0).unwrap_or(&body);
            let (field, value) = row.as_object().unwrap().iter().next().unwrap();
            let at = if body.is_array() { &found["items"][0] } else { &found };
            assert_eq!(&at[field], value, "{name}: {found}");
            assert_eq!(forge.requests()[1].target, place, "{name}");
        }
    });
}

#[test]
fn a_303_of_a_membership_is_answered_for_public_membership_and_says_so() {
    block_on(async {
        for (answer, is_member) in [(Answer::empty(204), true), (Answer::json(404, "{}"), false)] {
            let place = Answer::empty(303).header("Location", "/api/v1/orgs/acme/public_members/carol");
            let forge = Scripted::new([place, answer]).await;
            let given = json!({"org": "acme", "user": "carol"});
            let found = shown(call(&forge, tool("check_org_membership"), given).await);
            assert_eq!(found["is_member"], is_member, "{found}");
            assert!(found["note"].as_str().unwrap().contains("public"), "{found}");
        }
    });
}

#[test]
fn a_304_passes_for_no_success() {
    block_on(async {
        for (name, given) in [
            ("get_file_content", json!({"owner": "acme", "repo": "widget", "path": "README.md"})),
            ("get_file_media", json!({"owner": "acme", "repo": "widget", "path": "README.md"})),
            ("get_repo", json!({"owner": "acme", "repo": "widget"})),
            ("add_issue_subscription", json!({"owner": "acme", "repo": "widget", "index": 1, "user": "ana"})),
        ] {
            let forge = Scripted::new([Answer::empty(304)]).await;
            let error = call(&forge, tool(name), given).await.unwrap_err();
            assert_eq!((error.code, error.status), (Code::Refused, Some(304)), "{name}: {error}");
            // No tool makes its request a conditional one or one of a part.
            let request = forge.request();
            let names = request.headers.iter().map(|(name, _)| name.as_str());
            assert!(!names.clone().any(|name| name == "range" || name.starts_with("if-")), "{name}");
        }
    });
}

/// The fields that a shape shows, however deep.
fn fields(shape: &Shape, above: &str, out: &mut Vec<String>) {
    if let Shape::Fields(shown) = shape {
        for field in *shown {
            let at = format!("{above}{}", field.name);
            fields(field.shape, &format!("{at}."), out);
            out.push(at);
        }
    }
}

#[test]
fn no_view_of_a_pull_request_shows_its_url_which_is_no_address_of_the_api() {
    use forgehand::operations::descriptor::Answer as Reads;
    let mut seen = 0;
    let is_of_pulls = |path: &str| path.contains("/pulls");
    for tool in OPERATIONS.iter().filter(|tool| {
        tool.effect == Effect::Read || is_of_pulls(tool.calls.first().map_or("", |call| call.path))
    }) {
        let Some(path) = tool.calls.first().map(|call| call.path) else { continue };
        let is_pull =
            path.ends_with("/pulls") || path.ends_with("/pulls/{index}") || path.ends_with("/pulls/pinned");
        if !is_pull {
            continue;
        }
        let shape = match &tool.answer {
            Reads::Item(shape) => shape,
            Reads::List(list) => list.row,
            _ => continue,
        };
        let mut names = Vec::new();
        fields(shape, "", &mut names);
        assert!(!names.is_empty() && !names.contains(&"url".to_owned()), "{}: {names:?}", tool.name);
        seen += 1;
    }
    assert!(seen >= 4, "only {seen}");
}

#[test]
fn a_search_that_finds_less_than_its_name_says_tells_that_in_its_description() {
    let about: Value = tool("search_org_teams").about.into();
    assert!(about.as_str().unwrap().contains("that you are in"), "{about}");
}
