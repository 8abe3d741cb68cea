//! What a row of scopes.toml gives, and what is said of a row that is wrong, on a tiny document.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use forgehand_codegen::document::Document;
use forgehand_codegen::history::History;
use forgehand_codegen::inventory::lock;
use forgehand_codegen::router::of_texts;
use forgehand_codegen::scopes::Scopes;

const INVENTORY: &str = include_str!("inventory/inventory.toml");
const DOCUMENT: &str = include_str!("inventory/document.json");
const SCOPES: &str = r#"
[paths]
"/repos" = { needs = ["repository"] }
"/repos/{a}/{b}/notes" = { needs = ["issue"], why = "as issues" }
"/version" = { needs = [] }

[operations]
noteDelete = { needs = ["issue"], then = ["admin"], why = "noteDelete/auth-no-scope" }
"#;

fn document() -> Document {
    serde_json::from_str(DOCUMENT).unwrap()
}

#[track_caller]
fn says(from: &str, to: &str, expected: &[&str]) {
    assert_eq!(SCOPES.matches(from).count(), 1, "{from:?} should stand once in the sample");
    let error = Scopes::parse(&SCOPES.replacen(from, to, 1), &History::of(&document()));
    let said = error.map_or_else(|error| error.to_string(), |_| String::new());
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_method_makes_the_level_and_the_longest_path_the_name() {
    let text = SCOPES.replace("\"/repos\" = {", "\"/repos/{x}/{y}\" = {");
    let history = History::of(&document());
    // Only the longer row has operations, so the shorter one is a fault.
    assert!(Scopes::parse(&text, &history).unwrap_err().to_string().contains("/repos/{x}/{y}: no operation"));
    let text = text.replace("\"/repos/{x}/{y}\" = { needs = [\"repository\"] }\n", "");
    let scopes = Scopes::parse(&text, &history).unwrap();
    for (operation, path, method, expected) in [
        ("noteList", "/repos/{owner}/{repo}/notes", "GET", &["read:issue"][..]),
        ("noteList", "/repos/{owner}/{repo}/notes", "head", &["read:issue"]),
        ("noteCreate", "/repos/{owner}/{repo}/notes", "post", &["write:issue"]),
        ("noteDelete", "/repos/{owner}/{repo}/notes/{index}", "DELETE", &["write:admin", "write:issue"]),
        ("getVersion", "/version", "GET", &[]),
    ] {
        assert_eq!(scopes.of(operation, path).unwrap().scopes(method), expected, "{operation}");
    }
    assert!(scopes.of("noteList", "/repos/search").is_none());
    assert!(scopes.of("noteList", "/versions").is_none());
    let steps = scopes.of("noteDelete", "").unwrap().steps("DELETE");
    assert_eq!(steps, [["write:issue"], ["write:admin"]]);
}

#[test]
fn a_row_that_says_nothing_or_speaks_of_nothing_is_a_fault() {
    let none = "no operation of any release is there, or a longer row has them all";
    let unused = format!("scopes.toml: /repos: {none}");
    says(
        "[operations]",
        "\"/teams\" = { needs = [] }\n[operations]",
        &[&unused, &format!("scopes.toml: /teams: {none}")],
    );
    let sample = SCOPES.replace("\"/repos\" = { needs = [\"repository\"] }\n", "");
    let faults = |from: &str, to: &str| {
        assert_eq!(sample.matches(from).count(), 1, "{from:?} should stand once in the sample");
        let text = sample.replacen(from, to, 1);
        Scopes::parse(&text, &History::of(&document()))
            .map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(faults("noteDelete = ", "noteDelete = "), "");
    for (from, to, expected) in [
        ("noteDelete = ", "noteDelte = ", "noteDelte: no release at hand has this operation"),
        (", then = [\"admin\"]", "", "noteDelete: says what the row /repos/{a}/{b}/notes says already"),
        (
            ", why = \"noteDelete/auth-no-scope\"",
            "",
            "noteDelete: differs from the row /repos/{a}/{b}/notes, so it needs `why`",
        ),
        (
            "[\"admin\"]",
            "[\"admins\"]",
            "noteDelete: no scope \"admins\"; known are activitypub, admin, issue, misc, notification, organization, \
             package, repository, user",
        ),
        ("\"/version\" = { needs = [] }", "", "/version has no row: write one for its path in [paths]"),
    ] {
        assert_eq!(faults(from, to), format!("scopes.toml: {expected}"));
    }
    assert!(faults("needs = [] }", "need = [] }").contains("unknown field `need`"));
}

#[test]
fn the_lock_tells_a_tools_scopes() {
    let text = SCOPES.replace("\"/repos\" = { needs = [\"repository\"] }\n", "");
    let document = document();
    let mut build = of_texts(INVENTORY, &document).unwrap();
    Scopes::parse(&text, &History::of(&document)).unwrap().fill(&mut build);
    let lock = lock::render(&build, None);
    for (tool, scope) in [
        ("list_notes", "  scope read:issue\n"),
        ("create_note", "  scope write:issue\n"),
        ("delete_note", "  scope write:admin write:issue\n"),
    ] {
        let (_, block) = lock.split_once(&format!("tool {tool}\n")).unwrap();
        assert!(block.split("\n\n").next().unwrap().contains(scope), "{block}");
    }
}
