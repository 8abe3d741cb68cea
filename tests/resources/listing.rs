//! Which resources there are, and which are offered.

use super::{Client, ERAS};
use forgehand::prompts::PROMPTS;
use forgehand::resources::{STATICS, TEMPLATES};
use serde_json::{Value, json};

/// The forms of the templates that a client is shown.
fn forms(client: &mut Client) -> Vec<String> {
    let answer = client.ask("resources/templates/list", json!({}));
    let templates = answer["result"]["resourceTemplates"].as_array().unwrap();
    templates.iter().map(|template| template["uriTemplate"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_template_is_listed_with_title_and_description_and_reads_something() {
    for era in ERAS {
        let mut client = Client::demo(era);
        let templates =
            client.ask("resources/templates/list", json!({}))["result"]["resourceTemplates"].clone();
        let templates = templates.as_array().unwrap();
        assert_eq!(templates.len(), 23);
        for template in templates {
            for field in ["uriTemplate", "name", "title", "description"] {
                assert!(template[field].as_str().is_some_and(|text| !text.is_empty()), "{template}");
            }
        }
        let said = |form: &str| {
            let found = templates.iter().find(|template| template["uriTemplate"] == form).unwrap();
            found["description"].as_str().unwrap().to_owned()
        };
        assert!(said("forgejo://repo/{owner}/{repo}/commit/{sha}").contains("immutable"));
        assert!(said("forgejo://repo/{owner}/{repo}/commit/{sha}/status").contains("cacheable"));
        let listed = client.ask("resources/list", json!({}));
        let uris: Vec<&Value> =
            listed["result"]["resources"].as_array().unwrap().iter().map(|r| &r["uri"]).collect();
        assert_eq!(uris, ["forgejo://user", "forgejo://version"]);
        for uri in ["forgejo://user", "forgejo://version"] {
            assert!(client.object(uri).as_object().is_some_and(|fields| !fields.is_empty()));
        }
    }
}

#[test]
fn the_documentation_names_every_template_its_tools_and_every_prompt() {
    let page = include_str!("../../docs/resources.md");
    for template in STATICS.iter().chain(TEMPLATES) {
        let row = format!("| `{}` | {} | {} |", template.uri, template.about, template.tools.join(", "));
        assert!(page.contains(&row), "docs/resources.md lacks: {row}");
    }
    for prompt in PROMPTS {
        assert!(page.contains(&format!("| `{}` |", prompt.name)), "{}", prompt.name);
    }
}

#[test]
fn what_a_choice_of_tools_hides_is_no_resource_either_and_sends_nothing() {
    let repo = "forgejo://repo/{owner}/{repo}";
    for (arguments, shown, hidden, option) in [
        (
            &["--exclude-tools", "list_issue_comments"][..],
            repo,
            "forgejo://repo/a/b/issue/1",
            "--exclude-tools",
        ),
        (
            &["--toolsets", "issues"],
            "forgejo://repo/{owner}/{repo}/issue/{index}",
            "forgejo://repo/a/b/hooks",
            "--toolsets",
        ),
        (&["--tools", "get_repo"], repo, "forgejo://repo/a/b/releases", "--tools"),
        (&["--repositories", "a/b"], repo, "forgejo://owner/a", "--repositories"),
    ] {
        let mut client = Client::start("2025-11-25", arguments, &[("FORGEHAND_URL", "http://127.0.0.1:9")]);
        assert!(forms(&mut client).iter().any(|form| form == shown), "{arguments:?}");
        let (code, message) = client.refusal(hidden);
        // Nothing listens there: what had been sent would be -32603.
        assert_eq!(code, -32004, "{message}");
        assert!(message.contains(option) && message.contains(hidden), "{message}");
    }
    // Nothing of a resource changes anything, and resources cost nothing until they are read.
    for arguments in [&[][..], &["--read-only"], &["--toolsets", "default"]] {
        let mut client = Client::start("2025-11-25", arguments, &[("FORGEHAND_URL", "http://127.0.0.1:9")]);
        assert_eq!(forms(&mut client).len(), 23, "{arguments:?}");
    }
}
