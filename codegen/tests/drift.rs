//! What `drift` says of two documents and of two locks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]

use std::path::{Path, PathBuf};

use forgehand_codegen::drift::{Change, Kind, Report, compare, of_locks};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn releases(old: &str, new: &str) -> Report {
    compare(&root(), old, new).unwrap()
}

/// The Markdown without the tools: these change with every edit of the inventory.
fn without_tools(report: &Report) -> String {
    let mut report = report.clone();
    report.changes.iter_mut().for_each(|change| change.tools.clear());
    report.markdown()
}

#[test]
fn thirteen_to_fourteen_reads_like_this() {
    insta::assert_snapshot!(without_tools(&releases("13.0", "14.0")));
}

#[test]
fn fourteen_to_fifteen_reads_like_this() {
    let report = releases("14.0", "15.0");
    assert_eq!(report.of(Kind::OperationAdded).count(), 18);
    insta::assert_snapshot!(without_tools(&report));
}

#[test]
fn nothing_changes_between_a_release_and_itself() {
    let report = releases("15.0", "15.0");
    assert_eq!((report.changes.len(), report.breaking), (0, false));
    assert!(report.markdown().ends_with("\nNo changes.\n"));
}

/// The name went to another path: the old path is a rename, the new one an addition.
#[test]
fn a_rename_is_recognised_by_method_and_path() {
    let report = releases("14.0", "15.0");
    let renamed: Vec<&Change> = report.of(Kind::OperationRenamed).collect();
    assert_eq!(renamed.len(), 1);
    assert_eq!(renamed[0].was.as_deref(), Some("adminGetRunnerRegistrationToken"));
    assert_eq!(renamed[0].is.as_deref(), Some("adminGetRegistrationToken"));
    assert!(!renamed[0].breaking);
    let added = report.of(Kind::OperationAdded).find(|c| c.subject == "adminGetRunnerRegistrationToken");
    assert_eq!(added.unwrap().call.as_deref(), Some("GET /admin/actions/runners/registration-token"));
}

#[test]
fn a_file_and_the_name_of_its_release_are_the_same() {
    let by_name = releases("14.0", "15.0");
    let file = |release: &str| root().join(format!("openapi/forgejo-{release}.json")).display().to_string();
    assert_eq!(compare(&root(), &file("14.0"), &file("15.0")).unwrap(), by_name);
    assert_eq!(compare(&root(), "v14.0.2", &file("15.0")).unwrap(), by_name);
}

#[test]
fn a_new_parameter_touches_the_tools_of_its_operation() {
    let report = releases("14.0", "15.0");
    let field = report.of(Kind::FieldAdded).find(|c| c.subject == "Repository").unwrap();
    assert!(field.operations.contains(&"repoGet".to_owned()), "{field:?}");
    assert!(field.tools.contains(&"get_repo".to_owned()), "{field:?}");
}

#[test]
fn the_json_has_this_shape() {
    let report: Value = serde_json::from_str(&releases("14.0", "15.0").json().unwrap()).unwrap();
    assert_eq!(report["compared"], "documents");
    assert_eq!((&report["old"], &report["new"]), (&json!("14.0"), &json!("15.0")));
    assert_eq!(report["breaking"], false);
    let changes = report["changes"].as_array().unwrap();
    let renamed = changes.iter().find(|change| change["kind"] == "operation_renamed").unwrap();
    assert_eq!(renamed["operations"], json!(["adminGetRegistrationToken"]));
    assert_eq!(renamed["call"], "GET /admin/runners/registration-token");
    for change in changes {
        assert!(change["subject"].is_string() && change["breaking"].is_boolean(), "{change}");
        assert!(change["operations"].is_array() && change["tools"].is_array(), "{change}");
    }
}

/// A raw document with what the cases change.
fn raw() -> Value {
    json!({
        "swagger": "2.0", "info": {"version": "15.0.0"}, "basePath": "/api/v1",
        "consumes": ["application/json"], "produces": ["application/json"],
        "paths": {
            "/things/{name}": {
                "get": {
                    "operationId": "thingGet",
                    "parameters": [
                        {"name": "name", "in": "path", "required": true, "type": "string"},
                        {"name": "kind", "in": "query", "type": "string", "enum": ["a", "b"]},
                        {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}}
                    ],
                    "responses": {"200": {"schema": {"$ref": "#/definitions/Thing"}}}
                },
                "post": {
                    "operationId": "thingMake",
                    "parameters": [
                        {"name": "name", "in": "path", "required": true, "type": "string"},
                        {"name": "body", "in": "body", "schema": {"$ref": "#/definitions/MakeThing"}}
                    ],
                    "responses": {"201": {"schema": {"$ref": "#/definitions/Thing"}}}
                }
            }
        },
        "definitions": {
            "Thing": {"type": "object", "properties": {
                "size": {"type": "integer"}, "owner": {"$ref": "#/definitions/Owner"},
                "state": {"type": "string", "enum": ["on", "off"]}}},
            "Owner": {"type": "object", "properties": {"login": {"type": "string"}}},
            "MakeThing": {"type": "object", "required": ["title"], "properties": {
                "title": {"type": "string"}, "note": {"type": "string"},
                "owner": {"$ref": "#/definitions/Owner"}}}
        },
        "responses": {}
    })
}

/// Files in a directory of their own, which ends with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(case: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("forgehand-drift-{}-{case}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        Self(directory)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let file = self.0.join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// After the change, drift prints exactly these lines.
#[track_caller]
fn says(case: &str, change: impl Fn(&mut Value), expected: &[&str]) {
    let folder = Folder::new(case);
    let mut later = raw();
    change(&mut later);
    let old = folder.write("old.json", &raw().to_string());
    let new = folder.write("new.json", &later.to_string());
    let text = compare(&root(), &old, &new).unwrap().markdown();
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(lines, expected, "{case}");
}

#[test]
fn what_may_fail_from_now_on_is_breaking_and_nothing_else() {
    let get = |d: &mut Value| d["paths"]["/things/{name}"].as_object_mut().unwrap().remove("get").unwrap();
    says("removed", |d| drop(get(d)), &["**breaking** `thingGet` GET /things/{name}"]);
    says(
        "moved",
        |d| {
            let operation = get(d);
            d["paths"]["/stuff/{name}"] = json!({"get": operation});
        },
        &["**breaking** `thingGet`: GET /things/{name} → GET /stuff/{name}"],
    );
    says(
        "renamed",
        |d| d["paths"]["/things/{name}"]["get"]["operationId"] = json!("thingRead"),
        &["`thingGet` → `thingRead` GET /things/{name}"],
    );
    let query = |d: &mut Value, key: &str, value: Value| {
        d["paths"]["/things/{name}"]["get"]["parameters"][1][key] = value;
    };
    says(
        "values",
        |d| query(d, "enum", json!(["a", "c"])),
        &["**breaking** `thingGet` `query.kind`, no longer takes b", "`thingGet` `query.kind`, also takes c"],
    );
    says(
        "type",
        |d| query(d, "type", json!("integer")),
        &["**breaking** `thingGet` `query.kind`, type: string → integer"],
    );
    says(
        "required",
        |d| query(d, "required", json!(true)),
        &["**breaking** `thingGet` `query.kind`, required: optional → required"],
    );
    says(
        "place",
        |d| query(d, "in", json!("header")),
        &["**breaking** `thingGet` `header.kind`, place: query.kind → header.kind"],
    );
    says("default", |d| query(d, "default", json!("a")), &["`thingGet` `query.kind`, default: \"a\""]);
    says(
        "list",
        |d| d["paths"]["/things/{name}"]["get"]["parameters"][2]["collectionFormat"] = json!("multi"),
        &["**breaking** `thingGet` `query.tags`, collectionFormat: csv → multi"],
    );
    says(
        "status",
        |d| {
            let answers = d["paths"]["/things/{name}"]["post"]["responses"].as_object_mut().unwrap();
            let answer = answers.remove("201").unwrap();
            answers.insert("202".to_owned(), answer);
        },
        &["**breaking** `thingMake`, statuses: 201 → 202"],
    );
}

#[test]
fn bodies_are_compared_property_by_property_however_deep() {
    let body =
        |d: &mut Value, key: &str, value: Value| d["definitions"]["MakeThing"]["properties"][key] = value;
    says("optional", |d| body(d, "new", json!({"type": "boolean"})), &["`thingMake` `body.new`: boolean"]);
    says(
        "demanded",
        |d| {
            body(d, "new", json!({"type": "boolean"}));
            d["definitions"]["MakeThing"]["required"] = json!(["title", "new"]);
        },
        &["**breaking** `thingMake` `body.new`: boolean, required"],
    );
    says(
        "gone",
        |d| drop(d["definitions"]["MakeThing"]["properties"].as_object_mut().unwrap().remove("note")),
        &["**breaking** `thingMake` `body.note`: string"],
    );
    says(
        "deep",
        |d| d["definitions"]["Owner"]["properties"]["login"] = json!({"type": "integer"}),
        &[
            "**breaking** `thingMake` `body.owner.login`, type: string → integer",
            "**breaking** `Owner` `login`, type: string → integer",
        ],
    );
}

#[test]
fn response_fields_are_compared_by_definition_with_those_who_answer_it() {
    let by = "; answered by `thingGet`, `thingMake`";
    let field = |d: &mut Value, key: &str, value: Value| d["definitions"]["Thing"]["properties"][key] = value;
    says("field", |d| field(d, "new", json!({"type": "string"})), &[&format!("`Thing` `new`: string{by}")]);
    says(
        "words",
        |d| field(d, "state", json!({"type": "string", "enum": ["on", "broken"]})),
        &[
            &format!("**breaking** `Thing` `state`, no longer takes off{by}"),
            &format!("`Thing` `state`, also takes broken{by}"),
        ],
    );
    says(
        "lost",
        |d| drop(d["definitions"]["Thing"]["properties"].as_object_mut().unwrap().remove("size")),
        &[&format!("**breaking** `Thing` `size`: integer{by}")],
    );
}

const LOCK: &str = "\
# What this build exposes.

totals
  contract version 1
  tokens 10 default, 10 all

view Thing
  shows name
  shows size

tool get_thing
  call thingGet GET /things/{name}
  effect read
  toolset things
  default
  argument name path.name text, required
  argument kind query.kind enum a|b, also sort
  answer item Thing
  tokens 5
";

/// After the change of the lock's text, drift prints exactly these lines.
#[track_caller]
fn lock_says(from: &str, to: &str, expected: &[&str]) {
    assert_eq!(LOCK.matches(from).count(), 1, "{from:?} should stand once in the sample");
    let text = of_locks(LOCK, &LOCK.replacen(from, to, 1)).markdown();
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(lines, expected, "{from} → {to}");
}

#[test]
fn locks_are_compared_tool_by_tool() {
    let touches = "; touches `get_thing`";
    lock_says(
        "tool get_thing",
        "tool read_thing",
        &["**breaking** `get_thing` → `read_thing`; touches `read_thing`"],
    );
    lock_says(
        "thingGet GET",
        "thingRead GET",
        &[&format!(
            "`get_thing`, call: thingGet GET /things/{{name}} → thingRead GET /things/{{name}}{touches}"
        )],
    );
    lock_says("  default\n", "", &[&format!("**breaking** `get_thing`, default: yes → no{touches}")]);
    lock_says(
        "  default\n",
        "  default\n  confirm\n",
        &[&format!("**breaking** `get_thing`, confirm: no → yes{touches}")],
    );
    lock_says(
        "toolset things",
        "toolset stuff",
        &[&format!("**breaking** `get_thing`, toolset: things → stuff{touches}")],
    );
    lock_says(
        "a|b",
        "a|c",
        &[
            &format!("**breaking** `get_thing` `kind`, no longer takes b{touches}"),
            &format!("`get_thing` `kind`, also takes c{touches}"),
        ],
    );
    lock_says(
        "argument kind",
        "argument sort",
        &[&format!("**breaking** `get_thing` `sort`: kind → sort{touches}")],
    );
    lock_says(
        "argument kind query.kind enum a|b, also sort",
        "argument class query.kind enum a|b, also sort kind",
        &[
            &format!("`get_thing` `class`: kind → class{touches}"),
            &format!("`get_thing` `class`, aliases: sort → sort kind{touches}"),
        ],
    );
    lock_says(
        "text, required",
        "text, required\n  argument page query.page integer 1..",
        &[&format!("`get_thing` `page`: integer 1..{touches}")],
    );
    lock_says(
        "  shows size\n",
        "  shows weight\n",
        &[&format!("`Thing` `weight`{touches}"), &format!("**breaking** `Thing` `size`{touches}")],
    );
    lock_says("tokens 5", "tokens 6", &[]);
}

/// The lock whose tool wants a confirmation as these lines say.
fn asking(confirm: &str) -> String {
    let lock = LOCK.replacen("  default\n", &format!("  default\n{confirm}"), 1);
    lock.replacen(
        "  answer item",
        "  argument force body.force boolean\n  argument hard body.hard boolean\n  answer item",
        1,
    )
}

#[test]
fn a_confirmation_is_breaking_where_a_call_needed_none_and_is_told_with_its_arguments() {
    let (never, always) = ("", "  confirm\n");
    let (force, both) = ("  confirm when force\n", "  confirm when force hard\n");
    for (was, is, expected) in [
        (never, always, "**breaking** `get_thing`, confirm: no → yes"),
        (never, force, "**breaking** `get_thing`, confirm: no → when force"),
        (force, always, "**breaking** `get_thing`, confirm: when force → yes"),
        (force, both, "**breaking** `get_thing`, confirm: when force → when force hard"),
        (force, "  confirm when hard\n", "**breaking** `get_thing`, confirm: when force → when hard"),
        (always, never, "`get_thing`, confirm: yes → no"),
        (always, force, "`get_thing`, confirm: yes → when force"),
        (both, force, "`get_thing`, confirm: when force hard → when force"),
        (force, never, "`get_thing`, confirm: when force → no"),
    ] {
        let text = of_locks(&asking(was), &asking(is)).markdown();
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        assert_eq!(lines, [format!("{expected}; touches `get_thing`")], "{was} → {is}");
    }
}

#[test]
fn a_confirmation_of_an_argument_that_has_another_name_is_the_same() {
    let (old, touches) = (asking("  confirm when force\n"), "; touches `get_thing`");
    let new = old
        .replace("when force", "when push")
        .replace("argument force body.force boolean", "argument push body.force boolean, also force");
    let text = of_locks(&old, &new).markdown();
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(
        lines,
        [
            format!("`get_thing`, confirm: when force → when push{touches}"),
            format!("`get_thing` `push`: force → push{touches}"),
            format!("`get_thing` `push`, aliases: force{touches}"),
        ]
    );
}

#[track_caller]
fn refused(old: &str, new: &str, expected: &str) {
    assert_eq!(compare(&root(), old, new).unwrap_err().to_string(), expected);
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = Folder::new("refused");
    let lock = folder.write("a.lock", LOCK);
    let variant = folder.write("inventory-14.0.lock", "# How a build for Forgejo 14.0 differs\n\ntotals\n");
    let broken = folder.write("broken.json", "{\"swagger\": ");
    let list = folder.write("list.json", "[]");
    refused(
        "6.0",
        "15.0",
        "\"6.0\" is neither a file nor a release at hand; these are 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0",
    );
    refused(&lock, "15.0", &format!("{lock} is a lock and 15.0 a document: compare two of a kind"));
    refused("15.0", &lock, &format!("{lock} is a lock and 15.0 a document: compare two of a kind"));
    refused(
        &variant,
        &lock,
        &format!(
            "{variant}: holds only how another release's build differs from inventory.lock; whole locks can be compared"
        ),
    );
    refused(
        &broken,
        "15.0",
        &format!("{broken}: ends within the JSON, at line 1, column 12; is it truncated?"),
    );
    refused("15.0", &list, &format!("{list}: $: expected an object, a Swagger 2.0 document"));
}
