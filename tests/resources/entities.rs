//! What each resource answers, from the recorded forge.

use super::{Client, ERAS, names};

const WIDGET: &str = "forgejo://repo/acme/widget";
const COMMIT: &str = "be237d750e19be1f8e0b6200ca30575f1a3d340d";
const MIXED: &str = "1e0e877418d8f7661b71d91d1f721fb97b4ccbed";

#[test]
fn an_owner_is_a_user_or_an_organization_and_what_is_absent_is_left_out() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let bob = client.object("forgejo://owner/bob");
        assert_eq!((&bob["login"], &bob["kind"]), (&"bob".into(), &"user".into()));
        let acme = client.object("forgejo://owner/acme");
        assert_eq!((&acme["login"], &acme["kind"]), (&"acme".into(), &"organization".into()));
        let fields = ["login", "full_name", "kind", "avatar_url", "description", "created_at", "html_url"];
        assert_eq!(names(&acme), fields);
    }
}

#[test]
fn a_repository_has_counts_and_no_lists() {
    for era in ERAS {
        let repo = Client::demo(era).object(WIDGET);
        assert_eq!(repo["full_name"], "acme/widget");
        assert_eq!(repo["owner_login"], "acme");
        assert_eq!(repo["visibility"], "public");
        assert_eq!((&repo["open_issues_count"], &repo["open_pr_count"]), (&97.into(), &23.into()));
        assert!(
            repo.as_object().unwrap().values().all(|value| !value.is_array() && !value.is_object()),
            "{repo}"
        );
    }
}

#[test]
fn a_commit_is_its_facts_and_its_whole_message_and_may_be_kept() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let uri = format!("{WIDGET}/commit/{COMMIT}");
        let commit = client.object(&uri);
        let fields = [
            "sha",
            "author",
            "committer",
            "parents",
            "tree_sha",
            "created_at",
            "html_url",
            "message_subject",
        ];
        assert_eq!(names(&commit), fields);
        assert_eq!(commit["parents"], serde_json::json!(["b9faa34eb410b37bae4dae255e38e46240cd328b"]));
        assert_eq!(commit["message_subject"], "Prepare the next version");
        let answer = client.read(&uri);
        let message = &answer["result"]["contents"][1];
        assert_eq!(message["mimeType"], "text/markdown");
        assert_eq!(message["text"], "Prepare the next version\n");
        assert_eq!(answer["result"]["ttlMs"], 86_400_000);
        assert_eq!(answer["result"]["cacheScope"], "private");
    }
}

#[test]
fn the_checks_of_a_commit_are_its_newest_and_the_gravest_decides() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let checks = client.object(&format!("{WIDGET}/commit/{MIXED}/status"));
        assert_eq!((&checks["state"], &checks["total_count"]), (&"error".into(), &6.into()));
        let states = |checks: &serde_json::Value| -> Vec<String> {
            let rows = checks["statuses"].as_array().unwrap();
            rows.iter()
                .map(|row| format!("{} {}", row["context"].as_str().unwrap(), row["state"].as_str().unwrap()))
                .collect()
        };
        // ci/build was pending before.
        assert_eq!(
            states(&checks),
            [
                "ci/lint error",
                "ci/test failure",
                "ci/style warning",
                "ci/deploy pending",
                "ci/ünïcode success",
                "ci/build success"
            ]
        );
        assert!(checks.get("statuses_truncated").is_none());
        assert_eq!(
            names(&checks["statuses"][0]),
            ["context", "state", "target_url", "description", "creator_login", "created_at", "updated_at"]
        );
    }
}

#[test]
fn an_issue_has_the_names_that_people_use_and_its_text() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let uri = format!("{WIDGET}/issue/1");
        let issue = client.object(&uri);
        assert_eq!(
            (&issue["index"], &issue["state"], &issue["author"]),
            (&1.into(), &"open".into(), &"carol".into())
        );
        assert_eq!(issue["labels"], serde_json::json!(["bug"]));
        assert_eq!(issue["recent_comments"], serde_json::json!([]));
        assert_eq!(client.contents(&uri)[1]["text"], issue["body"]);
    }
}

#[test]
fn a_pull_request_has_its_branches_and_its_reviews() {
    for era in ERAS {
        let pull = Client::demo(era).object(&format!("{WIDGET}/pr/136"));
        assert_eq!(pull["index"], 136);
        assert_eq!(pull["head"]["ref"], "pr/commented");
        assert_eq!(pull["base"]["repo_full_name"], "acme/widget");
        assert_eq!(pull["head"]["sha"], "c2d324ff9f0219dfa741348af3fa4b1e0aff586d");
        assert_eq!(pull["review_count"], 2);
        assert_eq!(pull["recent_reviews"][0]["author"], "bob");
        assert_eq!(pull["recent_reviews"][0]["body_excerpt"], "Some thoughts");
        assert_eq!(pull["comments_count"], 3);
        assert!(pull.get("reviews_truncated").is_none());
    }
}

#[test]
fn a_comment_is_one_of_its_parent_or_is_not_found() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let comment = client.object(&format!("{WIDGET}/issue/2/comment/189"));
        assert_eq!(
            (&comment["id"], &comment["kind"], &comment["parent_index"]),
            (&189.into(), &"issue".into(), &2.into())
        );
        assert_eq!(comment["author"], "bob");
        for other in ["issue/3/comment/189", "pr/2/comment/189"] {
            let uri = format!("{WIDGET}/{other}");
            let (code, message) = client.refusal(&uri);
            assert_eq!(code, -32003);
            assert!(message.contains(&uri), "{message}");
        }
    }
}

#[test]
fn collections_answer_as_the_tools_do_and_lead_on_by_address() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let mut uri = format!("{WIDGET}/issues?state=closed&limit=10");
        let mut numbers = Vec::new();
        loop {
            let page = client.object(&uri);
            numbers
                .extend(page["items"].as_array().unwrap().iter().map(|row| row["number"].as_u64().unwrap()));
            match page.get("next") {
                Some(next) => uri = next.as_str().unwrap().to_owned(),
                None => break assert_eq!(page["total"], numbers.len()),
            }
        }
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
        for (collection, field) in [
            ("prs?state=open", "number"),
            ("issue/2/comments?limit=2", "id"),
            ("labels", "name"),
            ("branch_protections", "rule_name"),
            ("hooks", "id"),
            ("releases", "tag_name"),
            ("milestones", "title"),
        ] {
            let list = client.object(&format!("{WIDGET}/{collection}"));
            assert!(!list["items"][0][field].is_null(), "{collection}: {list}");
        }
        assert_eq!(client.object("forgejo://org/acme/labels")["items"].as_array().unwrap().len(), 5);
        assert_eq!(client.object(&format!("{WIDGET}/hook/5"))["id"], 5);
        assert_eq!(client.object(&format!("{WIDGET}/branch_protection/main"))["rule_name"], "main");
        assert_eq!(client.object(&format!("{WIDGET}/label/6"))["name"], "bug");
    }
}

#[test]
fn files_are_themselves_and_diffs_and_wiki_pages_are_text() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let readme = client.contents(&format!("{WIDGET}/file/main/README.md")).remove(0);
        assert_eq!(readme["mimeType"], "text/plain");
        assert!(readme["text"].as_str().unwrap().starts_with("# Widget\n"));
        assert!(client.object(&format!("{WIDGET}/file/main/docs"))["items"].is_array());
        let diff = client.contents(&format!("{WIDGET}/pr/136/diff")).remove(0);
        assert!(diff["text"].as_str().unwrap().starts_with("diff --git "));
        let page = client.contents(&format!("{WIDGET}/wiki/Home"));
        assert!(page[0]["text"].as_str().unwrap().contains("\"title\":\"Home\""));
        assert_eq!(page[1]["mimeType"], "text/markdown");
        assert!(page[1]["text"].as_str().unwrap().starts_with("# Welcome"));
    }
}
