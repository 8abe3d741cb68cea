//! Keys of the inventory that change how a tool acts, on a document of hooks: what is read before a change, what is
//! masked, which operation is taken, and how values are sent and shown.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail it")]

use forgehand_codegen::document::Document;
use forgehand_codegen::inventory::{emit, lock};
use forgehand_codegen::router::of_texts;

const INVENTORY: &str = include_str!("hooks/inventory.toml");
const DOCUMENT: &str = include_str!("hooks/document.json");

fn document() -> Document {
    serde_json::from_str(DOCUMENT).unwrap()
}

/// The faults after the change are exactly these, their lines left out.
#[track_caller]
fn says(from: &str, to: &str, expected: &[&str]) {
    assert_eq!(INVENTORY.matches(from).count(), 1, "{from:?} should stand once in the sample");
    let faults = match of_texts(&INVENTORY.replacen(from, to, 1), &document()) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let lines: Vec<&str> = faults.lines().filter_map(|line| Some(line.split_once(": ")?.1)).collect();
    assert_eq!(lines, expected);
}

/// The facts of a tool, or of another block of the lock.
#[track_caller]
fn block(title: &str) -> String {
    let lock = lock::render(&of_texts(INVENTORY, &document()).unwrap(), None);
    let start = lock.find(&format!("\n{title}\n")).unwrap();
    let block = lock.get(start + 1..).unwrap();
    block.split("\n\n").next().unwrap().trim_end().to_owned()
}

#[test]
fn the_lock_tells_what_is_merged_confirmed_masked_and_revealed() {
    assert_eq!(
        block("tool edit_hook"),
        "tool edit_hook\n  call hookEdit PATCH /hooks/{id}\n  \
         merges events config.secret filter=header from hookGet\n  effect change\n  toolset hooks\n  \
         confirm when active\n  argument id path.id integer, required, also hook_id\n  argument active body.active boolean\n  \
         argument config_url body.config.url text\n  argument config_count body.config.count integer, as text\n  \
         argument events body.events text[]\n  \
         compares active, config_url=config.url, config_count=config.count, events in any order\n  \
         dry run reads get_hook: active, config_url=config.url, config_count=config.count, events in any order\n  \
         answer item Hook"
    );
    assert_eq!(
        block("tool create_repo"),
        "tool create_repo\n  call repoCreate POST /repos\n  call repoCreateInOrg POST /orgs/{org}/repos with path.org\n  \
         effect add\n  toolset hooks\n  reveals\n  argument name body.name text, required\n  \
         argument owner path.org text\n  compares name\n  answer item Repo"
    );
    assert_eq!(block("secrets"), "secrets\n  Hook.config.secret: a key\n  Hook.header: a token");
    assert_eq!(block("view Page"), "view Page\n  shows title\n  shows content_base64 decoded as content");
    assert_eq!(
        block("tool get_page"),
        "tool get_page\n  call pageGet GET /repos/{repo}/page\n  effect read\n  toolset hooks\n  \
         argument repo path.repo text, required\n  argument start_line local.start_line id\n  \
         argument end_line local.end_line id\n  answer item Page\n  lines of content"
    );
    assert_eq!(
        block("tool add_time"),
        "tool add_time\n  call timeAdd POST /repos/{repo}/times\n  effect add\n  toolset hooks\n  \
         argument repo path.repo text, required\n  argument duration body.time text, required, as seconds, or seconds\n  \
         argument seconds body.time integer 1..\n  answer done done"
    );
}

#[test]
fn the_table_masks_by_definition_also_one_that_holds_itself() {
    let table = emit::table(&of_texts(INVENTORY, &document()).unwrap());
    let mask = "super::descriptor::Mask";
    for line in [
        format!(
            "static MASK_HOOK: {mask} = {mask}::Fields(&[(\"config\", &{mask}::Fields(&[(\"secret\", &{mask}::All)])), \
             (\"header\", &{mask}::All), (\"owner\", &MASK_REPO)]);"
        ),
        format!(
            "static MASK_REPO: {mask} = {mask}::Fields(&[(\"hooks\", &MASK_HOOK), (\"parent\", &MASK_REPO)]);"
        ),
        "    if given(&parameters, Place::Path, \"org\") {".to_owned(),
    ] {
        assert!(table.contains(&line), "{line}\n{table}");
    }
    assert_eq!(table.matches("mask: Some(&MASK_HOOK)").count(), 4, "get_hook, edit_hook and its reads");
    assert_eq!(table.matches("mask: Some(&MASK_REPO)").count(), 0, "create_repo reveals");
}

#[test]
fn a_confirmation_by_argument_stands_in_the_schema() {
    let build = of_texts(INVENTORY, &document()).unwrap();
    let tool = build.tools.iter().find(|tool| tool.name == "edit_hook").unwrap();
    let names: Vec<&String> =
        tool.schema.pointer("/properties").unwrap().as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "active", "config_url", "config_count", "events", "confirm", "dry_run"]);
}

#[test]
fn a_dry_run_reads_what_is_at_the_writes_path_unless_the_inventory_says_that_it_is_something_else() {
    let merge = "merge = { from = \"hookGet\"";
    assert!(block("tool edit_hook").contains("dry run reads get_hook: "));
    assert!(!block("tool create_repo").contains("dry run reads"));
    let off = INVENTORY.replacen(merge, &format!("present = false\n{merge}"), 1);
    assert!(!lock::render(&of_texts(&off, &document()).unwrap(), None).contains("dry run reads"));
    let fault = "[tools.edit_hook] present: is false, or the operation that is read";
    says(merge, &format!("present = true\n{merge}"), &[fault]);
    let operation = "operation = \"repoCreate\"";
    let fault = "[tools.create_repo] present: no read at its path tells what is there, as it is";
    says(operation, &format!("{operation}\npresent = false"), &[fault]);
}

#[test]
fn what_is_read_after_a_refusal_is_checked_on_both_sides() {
    let confirm = "confirm_when = [\"body.active\"]";
    for (stale, faults) in [
        (
            "{ from = \"hookGot\", field = \"active\" }",
            &[
                "[tools.edit_hook.stale] from: Forgejo 15.0 has no operation \"hookGot\"; did you mean \"hookGet\"?",
            ][..],
        ),
        (
            "{ from = \"pageGet\", field = \"active\" }",
            &[
                "[tools.edit_hook.stale] from: pageGet wants repo, which is no path argument of this tool",
                "[tools.edit_hook.stale] field: the answer of pageGet has no field \"active\"",
            ],
        ),
        (
            "{ from = \"hookGet\", field = \"filter\" }",
            &["[tools.edit_hook.stale] field: the answer of hookGet has no field \"filter\""],
        ),
        (
            "{ from = \"hookGet\", field = \"active\", query = { ref = \"events\" } }",
            &["[tools.edit_hook.stale] query: hookGet has no parameter \"ref\""],
        ),
        ("{ from = \"hookGet\" }", &["[tools.edit_hook.stale] field: is missing"]),
    ] {
        says(confirm, &format!("{confirm}\nstale = {stale}"), faults);
    }
}

#[test]
fn what_is_merged_is_checked_on_both_sides() {
    let merge = "merge = { from = \"hookGet\", fields = { events = \"events\", \"config.secret\" = \"config.secret\", filter = \"header\" } }";
    for (to, fault) in [
        (
            "merge = { from = \"hookGot\", fields = [\"events\"] }",
            "[tools.edit_hook.merge] from: Forgejo 15.0 has no operation \"hookGot\"; did you mean \"hookGet\"?",
        ),
        (
            "merge = { from = \"hookGet\", fields = { event = \"events\" } }",
            "[tools.edit_hook.merge] fields: the body of hookEdit has no field \"event\"; did you mean \"events\"?",
        ),
        (
            "merge = { from = \"hookGet\", fields = { filter = \"heade\" } }",
            "[tools.edit_hook.merge] fields: the answer of hookGet has no field \"heade\"; did you mean \"header\"?",
        ),
        (
            "merge = { from = \"pageGet\", fields = { filter = \"title\" } }",
            "[tools.edit_hook.merge] from: pageGet wants repo, which is no path argument of this tool",
        ),
        (
            "merge = { from = \"repoCreate\", fields = { filter = \"name\" } }",
            "[tools.edit_hook.merge] from: repoCreate is a POST, not a GET",
        ),
        (
            "merge = { from = \"hookGet\" }",
            "[tools.edit_hook.merge] fields: is missing: the body's properties that are filled from the read",
        ),
    ] {
        says(merge, to, &[fault]);
    }
    says(
        "lines = \"content\"",
        "lines = \"content\"\nmerge = { from = \"pageGet\", fields = [\"title\"] }",
        &[
            "[tools.get_page.merge] is for what writes",
            "[tools.get_page.merge] fields: the body of pageGet has no field \"title\"",
        ],
    );
}

#[test]
fn secrets_are_fields_of_their_definitions() {
    let header = "\"Hook.header\" = ";
    says(
        header,
        "\"Hook.heder\" = ",
        &["[secrets] Hook.heder: Hook has no field \"heder\"; did you mean \"header\"?"],
    );
    says(
        header,
        "\"Hook\" = ",
        &["[secrets] Hook: names a definition and a field, as \"Hook.authorization_header\""],
    );
    says(
        header,
        "\"Repo.hooks.header\" = ",
        &["[secrets] Repo.hooks.header: goes into Hook: write \"Hook.header\""],
    );
    says("\"Gone.token\" = \"of another release\"", "", &[]);
}

#[test]
fn reveals_is_for_answers_with_secrets() {
    let inventory = INVENTORY
        .replace("\"Gone.token\" = \"of another release\"", "")
        .replace("lines = \"content\"", "reveals = true");
    let error = of_texts(&inventory, &document()).unwrap_err().to_string();
    assert!(error.ends_with("[tools.get_page] reveals: its answer holds no field of [secrets]"), "{error}");
}

#[test]
fn a_route_that_answers_other_secrets_is_a_fault() {
    let org = DOCUMENT.find("\"repoCreateInOrg\"").unwrap();
    let (before, behind) = DOCUMENT.split_at(org);
    let other = format!("{before}{}", behind.replacen("definitions/Repo\"", "definitions/Page\"", 1));
    let error = of_texts(INVENTORY, &serde_json::from_str(&other).unwrap()).unwrap_err().to_string();
    assert!(error.ends_with("route: repoCreateInOrg answers other secrets than repoCreate"), "{error}");
}

#[test]
fn a_route_is_chosen_by_a_parameter_of_its_operation() {
    let route = "repoCreateInOrg = { with = \"path.org\" }";
    says(
        route,
        "repoCreateInOrg = { with = \"path.orgs\" }",
        &[
            "[tools.create_repo.params] path.org: repoCreate has no parameter \"path.org\"",
            "[tools.create_repo] route: repoCreateInOrg has no parameter \"path.orgs\"; did you mean \"path.org\"?",
            "[tools.create_repo] route: repoCreateInOrg takes path.org, which repoCreate has not",
        ],
    );
    says(
        route,
        "repoCreateInOrg = { with = \"body.name\" }",
        &[
            "[tools.create_repo.params] path.org: repoCreate has no parameter \"path.org\"",
            "[tools.create_repo] route: repoCreate demands body.name, so it is always given",
            "[tools.create_repo] route: repoCreateInOrg takes path.org, which repoCreate has not",
        ],
    );
    says(
        route,
        "repoCreateInOrg = { with = \"path.org\", without = \"path.org\" }",
        &[
            "[tools.create_repo.route.repoCreateInOrg] expected { with = PARAMETER } or { without = PARAMETER }",
        ],
    );
}

#[test]
fn a_confirmation_by_argument_wants_one_that_a_call_can_give() {
    let key = "confirm_when = [\"body.active\"]";
    for (to, fault) in [
        (
            "confirm_when = [\"body.activ\"]",
            "confirm_when: hookEdit has no parameter \"body.activ\"; did you mean \"body.active\"?",
        ),
        ("confirm_when = [\"body.filter\"]", "confirm_when: \"body.filter\" is hidden, so no call gives it"),
        (
            "confirm_when = [\"body.active\"]\nconfirm = true",
            "confirm_when: this tool wants a confirmation always",
        ),
    ] {
        says(key, to, &[&format!("[tools.edit_hook] {fault}")]);
    }
}

#[test]
fn keys_below_a_map_are_arguments_and_those_below_something_else_are_not() {
    says(
        "\"body.config.url\" = ",
        "\"body.config.url.host\" = ",
        &[
            "[tools.edit_hook.params] body.config.url.host: hookEdit has no parameter \"body.config.url.host\"",
        ],
    );
    let with_map = INVENTORY
        .replace("\"body.events\" = ", "\"body.config\" = { about = \"More.\" }\n\"body.events\" = ");
    let lock = lock::render(&of_texts(&with_map, &document()).unwrap(), None);
    assert!(
        lock.contains(
            "  argument config_count body.config.count integer, as text\n  argument config body.config map\n"
        ),
        "{lock}"
    );
}

#[test]
fn what_is_decoded_is_a_shown_text_and_its_name_is_free() {
    let decode = "decode = { content_base64 = \"content\" }";
    let lines = "[tools.get_page] lines: the answer shows no field \"content\"";
    for (to, fault) in [
        ("decode = { content = \"content\" }", "[views.Page] decode: \"content\" is not among `fields`"),
        (
            "decode = { content_base64 = \"title\" }",
            "[views.Page] decode: \"title\" is already the name of a shown field",
        ),
    ] {
        says(decode, to, &[fault, lines]);
    }
    says(
        "fields = [\"title\", \"content_base64\"]\ndecode = {",
        "fields = [\"title\", \"content_base64\", \"size\"]\ndecode = { size = \"bytes\",",
        &["[views.Page] decode: \"size\" is no text, so it holds no base64"],
    );
}

#[test]
fn lines_are_those_of_a_text_or_of_a_shown_field_and_durations_are_integers() {
    let lines = "lines = \"content\"";
    says(
        lines,
        "lines = \"contents\"",
        &["[tools.get_page] lines: the answer shows no field \"contents\"; did you mean \"content\"?"],
    );
    says(
        lines,
        "lines = true",
        &["[tools.get_page] lines: is true for an answer that is a text, or the shown field of an item"],
    );
    says(lines, "lines = 5", &["[tools.get_page] lines: is true for a text, or the name of a shown field"]);
    says(
        "\"body.name\" = { about",
        "\"body.name\" = { codec = \"duration\", about",
        &["[tools.create_repo.params] body.name: a duration is sent as an integer, and this is text"],
    );
}

#[test]
fn facts_and_paths_are_of_texts_and_a_media_type_is_of_a_file() {
    let word = "\n[vocabulary.start_line]";
    let with = |name: &str| format!("\n[vocabulary.{name}]\nabout = \"It.\"\ntype = \"text\"\n{word}");
    for (key, name) in [("metadata", "with_metadata"), ("paths", "paths")] {
        let inventory = INVENTORY.replacen(word, &with(name), 1);
        let inventory = inventory.replacen("lines = \"content\"", &format!("{key} = true"), 1);
        let error = of_texts(&inventory, &document()).unwrap_err().to_string();
        assert!(error.ends_with(&format!("[tools.get_page] {key}: is for what reads a text")), "{error}");
    }
    let inventory = INVENTORY.replacen(word, &with("kind"), 1);
    let inventory = inventory.replacen("or = \"seconds\"", "or = \"seconds\", media_type = \"kind\"", 1);
    let error = of_texts(&inventory, &document()).unwrap_err().to_string();
    assert!(error.ends_with("media_type names the argument for the type of a form's file"), "{error}");
}

#[test]
fn a_field_that_tells_of_a_secret_and_is_not_named_is_a_fault() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let inventory = std::fs::read_to_string(root.join("inventory.toml")).unwrap();
    let row = "\"RegisterRunnerResponse.token\" = ";
    let at = inventory.find(row).unwrap();
    let end = at + inventory[at..].find('\n').unwrap();
    let without = format!("{}{}", &inventory[..at], &inventory[end..]);
    let document = forgehand_codegen::history::pinned(&root).unwrap();
    let faults = |text: &str| of_texts(text, &document).err().map(|e| e.to_string()).unwrap_or_default();
    let fault = "[secrets] RegisterRunnerResponse.token may be a secret";
    assert!(faults(&without).contains(fault));
    assert!(!faults(&inventory).contains("may be a secret"));
}
