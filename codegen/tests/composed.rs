//! Tools of several calls, and names that are no more: what the build makes of their rows, and what it says of faults.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail it")]

use forgehand_codegen::inventory::lock;
use forgehand_codegen::router::of_texts;

#[path = "inventory/sample.rs"]
mod sample;

use sample::{DOCUMENT, INVENTORY, NAMES, changed, document, says, with_ids};

const COMPOSED: &str = "\n[tools.take_notes]\ncomposed = \"take_notes\"\ncalls = [\"noteList\", \"noteDelete\"]\n\
    toolset = \"notes\"\ntitle = \"Take notes\"\nabout = \"Takes notes.\"\neffect = \"destroy\"\n\
    [tools.take_notes.params]\n\"path.owner\" = {}\n\"path.repo\" = {}\n\
    \"local.labels\" = { as = \"label[]\", required = true }\n\"local.hard\" = { type = \"boolean\", about = \"How.\" }\n";

#[test]
fn a_composed_tool_has_the_arguments_that_it_names_and_the_operations_that_it_uses() {
    let gone = INVENTORY.find("[tools.delete_note]").unwrap();
    let rest = INVENTORY.find("[excluded]").unwrap();
    let inventory = format!("{}{}{COMPOSED}{NAMES}", &INVENTORY[..gone], &INVENTORY[rest..]);
    let build = of_texts(&inventory, &with_ids()).unwrap();
    let lock = lock::render(&build, None);
    let block = "tool take_notes\n  composed take_notes\n  call noteList GET /repos/{owner}/{repo}/notes\n";
    assert!(lock.contains(block), "{lock}");
    assert!(
        lock.contains("  argument labels local.labels label as id[], required, also label_names\n"),
        "{lock}"
    );
    assert!(lock.contains("merged\n  noteDelete: take_notes\n"), "{lock}");
    let tool = build.tools.iter().find(|tool| tool.name == "take_notes").unwrap();
    let names: Vec<&str> = tool.arguments.iter().map(|argument| argument.name.as_str()).collect();
    assert_eq!(names, ["owner", "repo", "labels", "hard"]);
}

#[test]
fn a_composed_tool_and_names_that_are_wrong_are_told() {
    for (from, to, fault) in [
        (
            "calls = [\"noteList\", \"noteDelete\"]",
            "calls = [\"noteLst\"]",
            "calls: Forgejo 15.0 has no operation \"noteLst\"; did you mean \"noteList\"?",
        ),
        (
            "effect = \"destroy\"",
            "effect = \"read\"",
            "effect: one of its calls writes, so the effect is not \"read\"",
        ),
        (
            "\"path.owner\"",
            "\"path.ownr\"",
            "path.ownr: none of noteList, noteDelete has a parameter \"path.ownr\"",
        ),
        (
            "type = \"boolean\", ",
            "",
            "local.hard: a parameter of the tool's own needs `type`, `as` or `enum`",
        ),
        (
            "as = \"label[]\"",
            "as = \"lable[]\"",
            "local.labels: there is no [names.lable]; did you mean \"label\"?",
        ),
        (
            "as = \"label[]\"",
            "as = \"label[]\", type = \"text\"",
            "local.labels: as tells the type; of type, enum and max there is none",
        ),
        (
            "\"path.repo\" = {}\n",
            "",
            "local.labels: as \"label\" looks in a list by path.repo, which this tool has not",
        ),
        (
            "required = true }",
            "required = true, or = \"local.hart\" }",
            "[tools.take_notes.params.local.labels] or: none of noteList, noteDelete has a parameter \"local.hart\"; did you mean \"local.hard\"?",
        ),
        (
            "required = true }\n\"local.hard\" = {",
            "required = true, or = \"local.hard\" }\n\"local.hard\" = { required = true,",
            "[tools.take_notes.params.local.labels] or: hard is required, so that nothing can stand in its place",
        ),
        (
            "calls = [\"noteList\", \"noteDelete\"]\n",
            "merge = { from = \"noteGet\", fields = [\"title\"] }\n",
            "[tools.take_notes.merge] is for a tool of one operation; a composed one reads by itself",
        ),
        (
            "composed = \"take_notes\"\n",
            "operation = \"noteGet\"\nbeside = \"get_note\"\n",
            "calls: is for a composed tool; `route` names other operations of a plain one",
        ),
    ] {
        let inventory = format!("{INVENTORY}{}{NAMES}", changed(COMPOSED, from, to));
        let faults = of_texts(&inventory, &with_ids()).unwrap_err().to_string();
        assert!(faults.contains(fault), "{fault}\n{faults}");
    }
}

#[test]
fn two_arguments_may_stand_for_each_other_and_none_is_made_for_it() {
    let pair = changed(COMPOSED, "required = true }", "required = true, or = \"local.hard\" }");
    let build = of_texts(&format!("{INVENTORY}{pair}{NAMES}"), &with_ids()).unwrap();
    let tool = build.tools.iter().find(|tool| tool.name == "take_notes").unwrap();
    let told: Vec<_> = tool.arguments.iter().map(|a| (a.name.as_str(), a.or.as_deref())).collect();
    assert_eq!(told, [("owner", None), ("repo", None), ("labels", Some("hard")), ("hard", None)]);
    let text = lock::render(&build, None);
    let line = text.lines().find(|line| line.starts_with("  argument labels local.labels ")).unwrap();
    assert!(line.contains(", required, ") && line.contains(", or hard"), "{line}");
}

#[test]
fn a_retired_name_is_no_live_one_and_what_takes_its_place_is_there() {
    let tool = |row: &str| format!("{row}\n[excluded]\ngetVersion = ");
    for (row, expected) in [
        (
            "[retired]\nget_note = \"use list_notes instead: so\"",
            "[retired] get_note: is a tool still: a name is one or the other",
        ),
        (
            "[retired]\nread_note = \"use get_nose instead: so\"",
            "[retired] read_note: there is no \"get_nose\" that takes its place; did you mean \"get_note\"?",
        ),
        (
            "[retired]\nread_note = \"it is gone\"",
            "[retired] read_note: says what takes its place, as \"use NAME instead: why\"",
        ),
        (
            "[tools.get_note.retired]\nindex = \"use owner: so\"",
            "[tools.get_note.retired] index: is an argument still: a name is one or the other",
        ),
        (
            "[tools.get_note.retired]\nid = \"use indx: so\"",
            "[tools.get_note.retired] id: there is no \"indx\" that takes its place; did you mean \"index\"?",
        ),
    ] {
        says("[excluded]\ngetVersion = ", &tool(row), &[&format!("91: {expected}")]);
    }
    let rows = tool(
        "[retired]\nread_note = \"use get_note instead: so\"\n[tools.get_note.retired]\nid = \"use index: so\"",
    );
    let build =
        of_texts(&changed(INVENTORY, "[excluded]\ngetVersion = ", &rows), &document(DOCUMENT)).unwrap();
    let text = lock::render(&build, None);
    assert!(text.contains("\nretired\n  read_note: use get_note instead: so\n"), "{text}");
    assert!(text.contains("\n  retired id: use index: so\n"), "{text}");
}
