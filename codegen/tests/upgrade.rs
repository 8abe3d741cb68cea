//! `pin`: upgrades replayed in a copy of the workspace's inputs, from 13 to 14 and from 14 to 15.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use forgehand_codegen::drift::{Kind, compare};
use forgehand_codegen::history::pinned;
use forgehand_codegen::router::of_release;
use forgehand_codegen::upgrade::{Plan, pin, settle};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What `pin` reads of a workspace, in a directory that ends with the value.
struct Copy(PathBuf);

impl Copy {
    /// A workspace that is pinned to `old`: its inventory lacks the rows of what `new` adds, and has the names of
    /// `old`.
    fn of(case: &str, old: &str, new: &str) -> Self {
        let copy = Self(std::env::temp_dir().join(format!("forgehand-pin-{}-{case}", std::process::id())));
        std::fs::create_dir_all(copy.0.join("openapi")).unwrap();
        for name in ["7.0", "13.0", "14.0", "15.0"].map(|release| format!("openapi/forgejo-{release}.json")) {
            std::fs::copy(root().join(&name), copy.0.join(&name)).unwrap();
        }
        for name in ["openapi/corrections.toml", "openapi/scopes.toml"] {
            std::fs::copy(root().join(name), copy.0.join(name)).unwrap();
        }
        copy.write("openapi/pin", &format!("{old}\n"));
        copy.write("inventory.lock", &format!("totals\n  document openapi/forgejo-{old}.json 0\n"));
        let report = compare(&root(), old, new).unwrap();
        let added = report.of(Kind::OperationAdded).map(|change| change.subject.clone()).collect();
        let renamed = report.of(Kind::OperationRenamed).map(|c| (c.was.clone().unwrap(), c.subject.clone()));
        let mut inventory = without(&std::fs::read_to_string(root().join("inventory.toml")).unwrap(), &added);
        for (was, is) in renamed {
            inventory = inventory.replace(&format!("\"{is}\""), &format!("\"{was}\""));
            inventory = inventory.replace(&format!("\n{is} ="), &format!("\n{was} ="));
        }
        copy.write("inventory.toml", &inventory);
        copy
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn pin(&self, version: &str) -> Plan {
        pin(&self.0, version, None).unwrap()
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An inventory's text without the tools, rows and names of these operations.
fn without(text: &str, ids: &BTreeSet<String>) -> String {
    let mut groups: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let table =
            line.strip_prefix("[tools.").map(|rest| rest.split(['.', ']']).next().unwrap().to_owned());
        let table = table.or_else(|| line.starts_with('[').then(String::new));
        match (table, groups.last_mut()) {
            (Some(table), Some(last)) if table != last.0 || table.is_empty() => {
                groups.push((table, String::new()))
            }
            (None | Some(_), Some(_)) => {}
            (table, None) => groups.push((table.unwrap_or_default(), String::new())),
        }
        let last = groups.last_mut().unwrap();
        last.1.push_str(line);
        last.1.push('\n');
    }
    let uses = |group: &str, id: &str| {
        let (tool, names) = (format!("operation = \"{id}\""), format!("lists = {{ {id} = "));
        group.contains(&tool) || group.contains(&names)
    };
    let calls = |group: &str| ids.iter().any(|id| uses(group, id));
    let mut kept: String =
        groups.iter().filter(|(_, group)| !calls(group)).map(|(_, group)| group.as_str()).collect();
    for id in ids {
        kept = kept.replace(&format!("\"{id}\", "), "").replace(&format!("\"{id}\","), "");
        let rows = kept.lines().filter(|line| !line.starts_with(&format!("{id} = ")));
        kept = rows.map(|line| format!("{line}\n")).collect();
    }
    kept
}

/// The tables as a maintainer would paste them.
fn filled(plan: &Plan) -> String {
    plan.tables.join("\n").replace("about = \"\"", "about = \"Says something.\"")
}

#[test]
fn fourteen_to_fifteen_is_tables_to_fill_in_and_a_name_to_change() {
    let copy = Copy::of("fifteen", "14.0", "15.0");
    let plan = copy.pin("15.0");
    assert_eq!(copy.read("openapi/pin"), "15.0\n");
    assert_eq!(plan.previous, "14.0");
    assert_eq!(plan.tables.len(), 18, "{}", plan.text());
    let renamed = "adminGetRunnerRegistrationToken is adminGetRegistrationToken now";
    assert!(plan.decide.iter().any(|item| item.contains(renamed)), "{}", plan.text());
    let table = plan.tables.iter().find(|table| table.contains("operation = \"deleteOrgRunner\"")).unwrap();
    let start = "[tools.delete_org_runner]\noperation = \"deleteOrgRunner\"\ntoolset = \"runners\"\n\
                 title = \"Delete org runner\"\nabout = \"\"\neffect = \"destroy\"";
    assert!(
        table.starts_with("# DELETE /orgs/{org}/actions/runners/{runner_id}; a model to follow: "),
        "{table}"
    );
    assert!(table.contains(start), "{table}");
    let names = plan.tables.iter().filter_map(|table| table.split("[tools.").nth(1)?.split(']').next());
    let names: BTreeSet<&str> = names.collect();
    for name in ["list_site_runners", "get_my_runner", "list_org_runners", "register_repo_runner"] {
        assert!(names.contains(name), "{names:?}");
    }
}

#[test]
fn what_is_new_follows_what_other_owners_have_and_new_fields_are_named() {
    let copy = Copy::of("siblings", "14.0", "15.0");
    let text = copy.read("inventory.toml");
    let lines = text.lines().filter(|line| !line.starts_with("\"query.ref\" = { about = \"in full"));
    copy.write("inventory.toml", &lines.map(|line| format!("{line}\n")).collect::<String>());
    let plan = copy.pin("15.0");
    let table = |id: &str| {
        let id = format!("operation = {id:?}");
        plan.tables.iter().find(|table| table.contains(&id)).unwrap().as_str()
    };
    let jobs = table("adminGetActionRunJobs");
    assert!(jobs.contains("a model to follow: list_") && jobs.contains("_runner_jobs ("), "{jobs}");
    let rows = "[tools.list_site_runner_jobs]\noperation = \"adminGetActionRunJobs\"";
    assert!(jobs.contains(rows) && jobs.contains("order = \"forge\"\n"), "{jobs}");
    assert!(jobs.contains("\"query.labels\" = { name = \"runner_labels\", join = \",\" }\n"), "{jobs}");
    assert!(table("registerOrgRunner").contains("reveals = true"), "{}", table("registerOrgRunner"));
    // An argument that several have is described once.
    let tables = plan.tables.join("\n");
    assert_eq!(tables.matches("[vocabulary.visible]\nabout = \"\"").count(), 1, "{tables}");
    assert!(!tables.contains("query.visible"), "{tables}");
    for item in [
        "[views.ActionRunJob.row] does not show the new handle",
        "[tools.list_workflow_runs] query.ref is new and becomes an argument, which [vocabulary.ref] describes",
    ] {
        assert!(plan.know.iter().any(|known| known.contains(item)), "{}", plan.text());
    }
}

#[test]
fn the_scopes_of_what_is_new_are_told_and_what_scopes_toml_lacks_is_named() {
    let copy = Copy::of("scopes", "14.0", "15.0");
    let scopes = copy.read("openapi/scopes.toml");
    let row = |plan: &Plan, text: &str| plan.know.iter().chain(&plan.decide).any(|item| item.contains(text));
    let plan = copy.pin("15.0");
    assert!(
        row(&plan, "the row /orgs tells the scope (organization) of deleteOrgRunner, "),
        "{}",
        plan.text()
    );
    assert!(!plan.text().contains("has no row"), "{}", plan.text());
    // Without a row for /user, and with one for an operation that is no more.
    let without: String =
        scopes.lines().filter(|line| !line.starts_with("\"/user\"")).map(|l| format!("{l}\n")).collect();
    copy.write("openapi/scopes.toml", &format!("{without}\ngetNothing = {{ needs = [] }}\n"));
    let plan = copy.pin("15.0");
    for text in [
        "openapi/scopes.toml: /user/actions/runners has no row: write one for its path in [paths]\n  as ",
        "openapi/scopes.toml: getNothing: no release at hand has this operation",
    ] {
        assert!(plan.decide.iter().any(|item| item.starts_with(text)), "{}", plan.text());
    }
}

#[test]
fn the_shape_of_an_answer_is_proposed() {
    let cases = [
        ("ListActionTasks", "items = \"workflow_runs\"\ntotal = \"total_count\"\n"),
        ("repoListTopics", "items = \"topics\"\n"),
        ("orgIsMember", "answer = { yes_no = \"is_member\", yes = [204], no = [404] }\n"),
        ("userCurrentCheckStarring", "answer = { yes_no = \"starring\", yes = [204], no = [404] }\n"),
        ("repoCheckCollaborator", "answer = { yes_no = \"is_collaborator\", yes = [204], no = [404] }\n"),
        ("listLabelTemplates", "paging = \"here\"\n"),
        ("repoCreateFile", "\"body.author.email\" = { about = \"\" }\n"),
    ];
    let copy = Copy::of("shapes", "14.0", "15.0");
    let ids = cases.iter().map(|(id, _)| (*id).to_owned()).collect();
    copy.write("inventory.toml", &without(&copy.read("inventory.toml"), &ids));
    let plan = copy.pin("15.0");
    for (id, expected) in cases {
        let table = plan.tables.iter().find(|table| table.contains(&format!("operation = {id:?}"))).unwrap();
        assert!(table.contains(expected) && !table.contains("\n# where"), "{table}");
    }
}

#[test]
fn a_table_without_its_words_is_a_fault_for_each() {
    let copy = Copy::of("empty", "14.0", "15.0");
    let plan = copy.pin("15.0");
    let inventory =
        copy.read("inventory.toml").replace("adminGetRunnerRegistrationToken", "adminGetRegistrationToken");
    copy.write("inventory.toml", &format!("{inventory}\n{}", plan.tables.join("\n")));
    let left = copy.pin("15.0");
    let word = "[vocabulary.visible] about: is empty";
    assert!(left.decide.iter().any(|item| item.contains(word)), "{}", left.text());
    // The words first: what they describe is checked with them.
    let text = copy.read("inventory.toml");
    let head = "[vocabulary.visible]\nabout = ";
    copy.write(
        "inventory.toml",
        &text.replace(&format!("{head}\"\""), &format!("{head}\"Says something.\"")),
    );
    assert_ne!(copy.read("inventory.toml"), text);
    let left = copy.pin("15.0");
    let table = "[tools.list_site_runners] about: is empty";
    assert!(left.decide.iter().any(|item| item.contains(table)), "{}", left.text());
}

#[test]
fn the_lock_of_the_release_before_is_begun_and_a_stale_one_goes() {
    let copy = Copy::of("settle", "14.0", "15.0");
    copy.write("inventory-15.0.lock", "stale");
    let plan = copy.pin("15.0");
    let said = settle(&copy.0, &plan).unwrap().join("\n");
    assert!(said.starts_with("inventory-15.0.lock is removed: "), "{said}");
    assert!(said.contains("inventory-14.0.lock is begun"), "{said}");
    assert!(!copy.0.join("inventory-15.0.lock").exists() && copy.0.join("inventory-14.0.lock").exists());
    assert_eq!(settle(&copy.0, &plan).unwrap(), [""; 0]);
}

#[test]
fn running_it_again_changes_nothing_and_says_the_same() {
    let copy = Copy::of("again", "14.0", "15.0");
    let first = copy.pin("15.0");
    assert_eq!(copy.pin("v15.0.3"), first);
    assert!(!first.finished());
}

#[test]
fn the_pasted_tables_pass_once_they_are_filled_in() {
    let copy = Copy::of("paste", "14.0", "15.0");
    let plan = copy.pin("15.0");
    let was = "adminGetRunnerRegistrationToken";
    let inventory = copy.read("inventory.toml");
    let inventory = inventory.replace(was, "adminGetRegistrationToken");
    copy.write("inventory.toml", &format!("{inventory}\n{}", filled(&plan)));
    let left = copy.pin("15.0");
    let about_new = left.decide.iter().filter(|item| !item.contains("is not described")).collect::<Vec<_>>();
    assert_eq!((left.tables.len(), about_new.len()), (0, 0), "{}", left.text());
    assert!(left.finished(), "{}", left.text());
    let build = of_release(&copy.0, &pinned(&copy.0).unwrap()).unwrap();
    assert!(build.tools.iter().any(|tool| tool.name == "list_org_runners"));
}

#[test]
fn thirteen_to_fourteen_names_what_is_new() {
    let copy = Copy::of("fourteen", "13.0", "14.0");
    let plan = copy.pin("14.0");
    let tables = plan.tables.join("\n");
    for id in ["adminDeleteUserEmails", "adminListUserEmails"] {
        assert!(tables.contains(&format!("operation = {id:?}")), "{}", plan.text());
    }
}

#[test]
fn a_correction_that_no_longer_fits_is_named_with_what_to_do() {
    let copy = Copy::of("correction", "14.0", "15.0");
    let mut corrections = copy.read("openapi/corrections.toml");
    corrections.push_str(
        "\n[[correction]]\noperation = \"getVersion\"\nat = \"deprecated\"\nset = false\nwire = \"\"\nevidence = \"\"\nsince = \"15.0\"\n",
    );
    copy.write("openapi/corrections.toml", &corrections);
    let plan = copy.pin("15.0");
    let named = plan.decide.iter().find(|item| item.contains("`deprecated` of getVersion")).unwrap();
    assert!(named.contains("changes nothing") && named.contains("set until = \"14.0\""), "{named}");
}

#[track_caller]
fn refused(copy: &Copy, version: &str, file: Option<&str>, expected: &str) {
    let file = file.map(|file| copy.0.join(file));
    let message = pin(&copy.0, version, file.as_deref()).unwrap_err().to_string();
    assert_eq!(message.replace(&format!("{}/", copy.0.display()), ""), expected);
    assert_eq!(copy.read("openapi/pin"), "14.0\n");
}

#[test]
fn what_cannot_be_pinned_leaves_the_pin_alone() {
    let copy = Copy::of("refused", "14.0", "15.0");
    copy.write("broken.json", "{\"swagger\": ");
    refused(&copy, "new", None, "expected a release as 16.0, got \"new\"");
    refused(
        &copy,
        "16.0",
        None,
        "\"16.0\" is neither a file nor a release at hand; these are 7.0, 13.0, 14.0, 15.0; `--document FILE` imports one",
    );
    refused(
        &copy,
        "16.0",
        Some("openapi/forgejo-15.0.json"),
        "openapi/forgejo-15.0.json: is of Forgejo 15.0, not of 16.0",
    );
    let broken = "broken.json: ends within the JSON, at line 1, column 12; is it truncated?";
    refused(&copy, "16.0", Some("broken.json"), broken);
}
