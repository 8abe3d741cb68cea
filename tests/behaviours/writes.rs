//! Writes whose silence would mislead: what is absent and would be blanked, what is there already, what is not there.

use std::collections::BTreeSet;

use forgehand::demo::Recordings;
use forgehand::operations::descriptor::{Answer, Place, Run};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Effect, Operation};
use serde_json::{Value, json};

use super::common::scripted::{Answer as Said, Scripted};
use super::common::{block_on, call};
use super::{samples, tools_of};

/// Properties that the forge empties, resets or switches off where a write does not name them.
const BLANKED: &[(&str, &[&str])] = &[
    ("adminEditHook", &["events", "branch_filter", "authorization_header"]),
    ("issueEditLabel", &["is_archived"]),
    ("issueReplaceLabels", &["labels"]),
    ("orgEdit", &["full_name", "description", "website", "location"]),
    ("orgEditHook", &["events", "branch_filter", "authorization_header"]),
    ("orgEditLabel", &["is_archived"]),
    ("repoCreateFile", &["content"]),
    ("repoCreateWikiPage", &["content_base64"]),
    ("repoEditHook", &["events", "branch_filter", "authorization_header"]),
    ("repoEditWikiPage", &["content_base64", "title"]),
    ("repoReplaceAllFlags", &["flags"]),
    ("repoUpdateFile", &["content"]),
    ("repoUpdateTopics", &["topics"]),
    ("adminSetUserQuotaGroups", &["groups"]),
    ("userEditHook", &["events", "branch_filter", "authorization_header"]),
    ("userUpdateOAuth2Application", &["confidential_client"]),
];

#[test]
fn what_an_absent_property_would_blank_is_read_first_or_demanded_by_every_tool_that_sends_it() {
    let mut seen = 0;
    for (operation, properties) in BLANKED {
        // A composed tool makes its body by itself.
        for tool in tools_of(operation).filter(|tool| matches!(tool.run, Run::Call(_))) {
            for property in *properties {
                let is_read = tool
                    .merge
                    .as_ref()
                    .is_some_and(|merge| merge.fields.iter().any(|(name, _)| name == property));
                let mut own =
                    tool.parameters.iter().filter(|p| p.place == Place::Body && p.wire == *property);
                // One of two ways to give it is demanded.
                let is_demanded = own.clone().any(|p| p.required) || own.any(|p| p.or.is_some());
                assert!(is_read || is_demanded, "{}: {property}", tool.name);
                seen += 1;
            }
        }
    }
    assert!(seen >= 24, "only {seen}");
}

#[test]
fn a_label_that_is_out_of_use_stays_so_when_something_else_of_it_is_changed() {
    block_on(async {
        let label =
            r#"{"id":3,"name":"x","color":"ff0000","description":"x","exclusive":false,"is_archived":true}"#;
        for (name, place, path) in [
            (
                "edit_repo_label",
                json!({"owner": "acme", "repo": "widget"}),
                "/api/v1/repos/acme/widget/labels/3",
            ),
            ("edit_org_label", json!({"org": "acme"}), "/api/v1/orgs/acme/labels/3"),
        ] {
            let tool = OPERATIONS.iter().find(|tool| tool.name == name).unwrap();
            for (given, lines, sent) in [
                (
                    json!({"description": "x"}),
                    vec!["GET", "PATCH"],
                    json!({"description": "x", "is_archived": true}),
                ),
                (json!({"is_archived": false}), vec!["PATCH"], json!({"is_archived": false})),
            ] {
                let mut arguments = place.as_object().unwrap().clone();
                arguments.insert("id".to_owned(), 3.into());
                arguments.extend(given.as_object().unwrap().clone());
                let forge = Scripted::new(lines.iter().map(|_| Said::json(200, label))).await;
                call(&forge, tool, arguments.into()).await.unwrap();
                let lines: Vec<String> = lines.iter().map(|method| format!("{method} {path}")).collect();
                assert_eq!(forge.lines(), lines, "{name}");
                let body: Value = serde_json::from_str(forge.requests().last().unwrap().text()).unwrap();
                assert_eq!(body, sent, "{name}");
            }
        }
    });
}

/// A body that names nothing, and success: what that made of the thing is not told.
#[test]
fn a_body_that_names_nothing_is_sent_by_no_tool_that_changes() {
    block_on(async {
        let forge = Scripted::by(|request| match request.method.as_str() {
            "GET" => Said::json(404, "{}"),
            _ => Said::json(200, "{}"),
        })
        .await;
        let is_change = |tool: &&Operation| {
            matches!(tool.run, Run::Call(_))
                && tool.calls.iter().any(|call| call.method == "PATCH")
                && tool.parameters.iter().any(|p| p.place == Place::Body)
        };
        let mut seen = 0;
        for tool in OPERATIONS.iter().filter(is_change) {
            let mut given = samples::required(tool);
            for parameter in tool.parameters.iter().filter(|p| p.place == Place::Body) {
                given.remove(parameter.name);
            }
            let outcome = call(&forge, tool, given.into()).await;
            assert!(outcome.is_err(), "{}: {outcome:?}", tool.name);
            seen += 1;
        }
        let sent = forge.requests();
        assert!(sent.iter().all(|request| request.method == "GET"), "{:?}", forge.lines());
        assert!(seen > 25, "only {seen}");
    });
}

#[test]
fn a_delete_that_was_recorded_to_succeed_on_nothing_says_so_in_its_answer() {
    let recordings = Recordings::embedded().unwrap();
    let on_nothing = ["missing", "again"];
    let mut found = BTreeSet::new();
    for exchange in recordings.exchanges() {
        let (_, name) = exchange.scenario.split_once('/').unwrap();
        let undoes = exchange.method == "DELETE" || exchange.operation.contains("Unblock");
        if undoes
            && (200..300).contains(&exchange.status)
            && on_nothing.iter().any(|word| name.contains(word))
        {
            found.insert(exchange.operation.as_str());
        }
    }
    // Seen on the recorded instance by other means, or read in the forge's source.
    found.extend(["repoDeleteFlag", "repoDeleteCollaborator", "orgDeleteMember", "orgUnblockUser"]);
    found.extend(["orgRemoveTeamMember", "orgRemoveTeamRepository"]);
    assert!(found.len() >= 10, "{found:?}");
    for operation in &found {
        let tools: Vec<&Operation> = tools_of(operation).collect();
        assert!(!tools.is_empty(), "{operation}");
        for tool in tools {
            let is_noted = matches!(tool.answer, Answer::Done { note: Some(_), .. });
            // Those that take labels off an issue answer with what is left.
            assert!(is_noted || matches!(tool.answer, Answer::List(_)), "{}", tool.name);
        }
    }
}

#[test]
fn a_note_of_what_a_success_leaves_open_stands_beside_it() {
    block_on(async {
        let mut seen = 0;
        for tool in OPERATIONS.iter() {
            let Answer::Done { word, note: Some(note), .. } = tool.answer else { continue };
            let forge = Scripted::new([Said::empty(204)]).await;
            let mut given = samples::required(tool);
            // One of several that a body is made of is enough.
            let body = tool.parameters.iter().find(|p| p.place == Place::Body);
            given.extend(body.map(|parameter| (parameter.name.to_owned(), samples::sample(parameter))));
            // What looks first, unless it is told not to.
            if tool.parameters.iter().any(|parameter| parameter.name == "delete_mode") {
                given.insert("delete_mode".to_owned(), "force".into());
            }
            let shown = super::common::json(call(&forge, tool, given.into()).await);
            assert_eq!((&shown[word], &shown["note"]), (&Value::Bool(true), &note.into()), "{}", tool.name);
            assert_ne!(tool.effect, Effect::Read);
            seen += 1;
        }
        assert!(seen >= 10, "only {seen}");
    });
}
