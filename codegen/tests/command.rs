//! With which exit status `cargo codegen` ends: 0 where all is in step, 1 where something differs, 2 where it failed.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "inventory/sample.rs"]
mod sample;

use sample::{DOCUMENT, INVENTORY, changed};

/// A workspace of the sample, which ends with the value.
struct Workspace(PathBuf);

impl Workspace {
    fn new(case: &str) -> Self {
        let root = std::env::temp_dir().join(format!("forgehand-command-{}-{case}", std::process::id()));
        let workspace = Self(root);
        for folder in ["openapi", "docs", "recordings"] {
            std::fs::create_dir_all(workspace.0.join(folder)).unwrap();
        }
        workspace.write("openapi/pin", "15.0\n");
        workspace.write("openapi/forgejo-15.0.json", DOCUMENT);
        workspace.write("openapi/corrections.toml", "");
        let scopes = "[paths]\n\"/repos\" = { needs = [\"repository\"] }\n\"/version\" = { needs = [] }\n";
        workspace.write("openapi/scopes.toml", scopes);
        workspace.write("inventory.toml", INVENTORY);
        workspace
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    /// The inventory with one place changed.
    #[track_caller]
    fn edit(&self, from: &str, to: &str) {
        self.write("inventory.toml", &changed(INVENTORY, from, to));
    }

    /// Runs the command in this workspace: it ends with that status and says this.
    #[track_caller]
    fn ends(&self, arguments: &[&str], status: i32, says: &str) {
        ends(&self.0, arguments, status, says);
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn ends(directory: &Path, arguments: &[&str], status: i32, says: &str) {
    let program = env!("CARGO_BIN_EXE_forgehand-codegen");
    let Output { status: ended, stdout, stderr } =
        Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    let said = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
    assert_eq!(ended.code(), Some(status), "{arguments:?}: {said}");
    assert!(said.contains(says), "{arguments:?} says {says:?}: {said}");
}

#[test]
fn a_lock_that_is_stale_or_loses_a_name_ends_with_1_and_what_cannot_be_read_with_2() {
    let here = Workspace::new("lock");
    here.ends(&["lock", "--check"], 1, "has no inventory.lock");
    here.ends(&["lock"], 0, "4 tools");
    here.ends(&["lock", "--check"], 0, "");
    here.edit("{ join = \",\" }", "{ join = \",\", about = \"Names.\" }");
    here.ends(&["lock", "--check"], 1, "inventory.lock is stale");
    here.edit("[vocabulary.labels]\n", "[vocabulary.labels]\nwire = [\"query.state\"]\n");
    here.ends(&["lock"], 2, "is already that of");
    here.edit("{ join = \",\" }", "{ join = \",\", name = \"tags\", about = \"Names.\" }");
    here.ends(&["lock"], 1, "list_notes: the argument labels is tags now, and no alias");
    here.ends(&["lock", "--release", "16.0"], 2, "no document of Forgejo 16.0 is at hand");
    here.ends(&["lock", "--against", "gone.lock"], 2, "gone.lock cannot be read");
}

#[test]
fn what_names_a_parameter_of_another_release_is_left_out_there() {
    let here = Workspace::new("releases");
    here.write(
        "openapi/forgejo-14.0.json",
        &changed(
            DOCUMENT,
            "        \"content\": {\"type\": \"string\"},\n        \"parent\"",
            "        \"parent\"",
        )
        .replace("15.0", "14.0"),
    );
    let rows = "\"body.content\" = {}\n\"local.whole\" = { type = \"boolean\", demands = \"body.content\", about = \"All of it.\" }\n";
    here.edit(
        "\"body.content\" = {}\n\"body.author\" = { about",
        &format!("{rows}\"body.author\" = {{ default_from = \"body.parent\", about"),
    );
    here.ends(
        &["lock"],
        2,
        "[tools.create_note.params.body.author] default_from: \"body.parent\" is hidden, so no call gives it",
    );
    here.edit("\"body.content\" = {}\n", rows);
    here.ends(&["lock"], 0, "4 tools");
    here.ends(&["lock", "--release", "14.0"], 0, "4 tools");
    let lock = std::fs::read_to_string(here.0.join("inventory-14.0.lock")).unwrap();
    let gone: Vec<&str> = lock
        .lines()
        .filter(|line| line.starts_with("  - argument") || line.starts_with("  + argument"))
        .collect();
    assert_eq!(
        gone,
        [
            "  - argument content body.content text, since 15.0",
            "  - argument whole local.whole boolean, demands content"
        ]
    );
}

#[test]
fn a_reference_that_is_stale_ends_with_1_and_a_fault_of_the_inventory_with_2() {
    let here = Workspace::new("docs");
    here.ends(&["docs", "--check"], 1, "docs/tools.md is not there");
    here.ends(&["docs"], 0, "4 tools");
    here.ends(&["docs", "--check"], 0, "");
    here.edit("Reads a note.", "Reads one note.");
    here.ends(&["docs", "--check"], 1, "the tools' reference is stale");
    here.edit("effect = \"add\"", "effect = \"ad\"");
    here.ends(&["docs", "--check"], 2, "no effect \"ad\"; did you mean \"add\"?");
    here.ends(&["docs"], 2, "no effect \"ad\"");
}

#[test]
fn a_drift_that_is_breaking_ends_with_1_and_one_of_nothing_at_hand_with_2() {
    let here = Workspace::new("drift");
    here.ends(&["drift", "15.0", "15.0"], 0, "No changes.");
    here.write("later.json", &changed(DOCUMENT, "[\"open\", \"closed\", \"all\"]", "[\"open\", \"closed\"]"));
    here.ends(&["drift", "15.0", "later.json"], 1, "**breaking** `noteList` `query.state`");
    here.ends(&["drift", "15.0", "later.json", "--format", "json"], 1, "\"breaking\": true");
    here.ends(&["drift", "later.json", "15.0"], 0, "also takes all");
    here.ends(&["drift", "15.0", "14.0"], 2, "\"14.0\" is neither a file nor a release at hand");
}

#[test]
fn a_pin_that_leaves_something_to_decide_ends_with_1_and_one_of_no_document_with_2() {
    let here = Workspace::new("pin");
    here.ends(&["pin", "15.0"], 0, "Nothing is left to decide");
    here.edit("getVersion = \"doctor tells it\"", "");
    here.ends(&["pin", "15.0"], 1, "operations have no disposition");
    here.ends(&["pin", "15.0", "--tables"], 1, "operation = \"getVersion\"");
    here.ends(&["pin", "16.0"], 2, "\"16.0\" is neither a file nor a release at hand");
}

#[test]
fn recordings_that_need_a_correction_end_with_1_and_what_is_no_recording_with_2() {
    let here = Workspace::new("verify");
    let exchange = |version: &str| {
        format!(
            "{{\"operation\": \"getVersion\", \"as\": \"bob\", \"scenario\": \"getVersion/ok\", \"request\": \
             {{\"method\": \"GET\", \"path\": \"/api/v1/version\"}}, \"response\": {{\"status\": 200, \"headers\": \
             {{\"content-type\": \"application/json\"}}, \"body\": {{\"version\": {version}}}}}}}\n"
        )
    };
    here.write("recordings/a.jsonl", &exchange("\"15.0.3\""));
    here.ends(&["verify", "recordings"], 0, "");
    here.write("recordings/a.jsonl", &exchange("15"));
    here.ends(&["verify", "recordings"], 1, "version");
    here.ends(&["verify", "recordings", "--format", "json"], 1, "\"kind\": \"type\"");
    here.ends(&["verify", "gone"], 2, "gone");
    here.ends(&["verify", "recordings", "--release", "14.0"], 2, "14.0");
}

#[test]
fn an_import_of_no_document_and_arguments_that_are_none_end_with_2() {
    let here = Workspace::new("import");
    here.ends(&["import", "openapi/forgejo-15.0.json", "--release", "15.0"], 0, "5 operations");
    here.ends(&["import", "gone.json"], 2, "gone.json");
    here.ends(&["import"], 2, "Usage");
    here.ends(&["locks"], 2, "unrecognized subcommand");
    here.ends(&[], 2, "Usage");
    ends(&std::env::temp_dir(), &["lock"], 2, "--root names one");
}

#[test]
fn the_help_tells_the_statuses_of_each_command() {
    let here = Workspace::new("help");
    here.ends(
        &["--help"],
        0,
        "Exit status: 0 where all is in step, 1 where something differs or is left to decide, 2 where",
    );
    for command in ["import", "lock", "docs", "drift", "pin", "verify"] {
        here.ends(&[command, "--help"], 0, "Exit status: 0");
    }
}
