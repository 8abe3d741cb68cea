//! What the build says of a faulty inventory, one line a case, on a tiny document.
//!
//! Each case changes the sample in one place and compares every line that the build would print.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail it")]

use forgehand_codegen::document::{Document, Schema};
use forgehand_codegen::inventory::lock;
use forgehand_codegen::router::{RouterError, check, of_texts};

#[path = "inventory/sample.rs"]
mod sample;

use sample::{DOCUMENT, INVENTORY, changed, document, says};

#[test]
fn the_sample_has_no_faults() {
    let build = of_texts(INVENTORY, &document(DOCUMENT)).unwrap();
    assert_eq!(build.tools.len(), 4);
}

#[test]
fn a_row_that_is_gone_or_doubled_is_named() {
    says(
        "getVersion = \"doctor tells it\"",
        "",
        &[
            " getVersion (GET /version) has no disposition: write a [tools.NAME] table for it, or a row in [excluded] or [unavailable]",
        ],
    );
    says(
        "getVersion = ",
        "noteGet = \"twice\"\ngetVersion = ",
        &["91: [excluded] noteGet has its disposition in [tools.get_note] already"],
    );
    says(
        "operation = \"noteGet\"",
        "operation = \"noteList\"",
        &[
            " noteGet (GET /repos/{owner}/{repo}/notes/{index}) has no disposition: write a [tools.NAME] table for it, or a row in [excluded] or [unavailable]",
            "65: [tools.get_note] operation: noteList has its disposition in [tools.list_notes] already; a second tool of one operation says beside = \"list_notes\"",
        ],
    );
    says(
        "getVersion = \"doctor tells it\"",
        "getVersion = \" \"",
        &["91: [excluded] getVersion: needs a reason that a reader accepts"],
    );
}

#[test]
fn a_misspelled_operation_is_named_with_the_nearest() {
    says(
        "operation = \"noteDelete\"",
        "operation = \"noteDelte\"",
        &[
            " noteDelete (DELETE /repos/{owner}/{repo}/notes/{index}) has no disposition: write a [tools.NAME] table for it, or a row in [excluded] or [unavailable]",
            "84: [tools.delete_note] operation: Forgejo 15.0 has no operation \"noteDelte\"; did you mean \"noteDelete\"?",
        ],
    );
    says(
        "getVersion = ",
        "getVersoin = \"gone\"\ngetVersion = ",
        &["91: [excluded] Forgejo 15.0 has no operation \"getVersoin\"; did you mean \"getVersion\"?"],
    );
}

#[test]
fn a_misspelled_view_or_field_is_named_with_the_nearest() {
    says(
        "\"author\", \"thread.id\"",
        "\"autor\", \"thread.id\"",
        &["49: [views.Note] fields: no field \"autor\"; did you mean \"author\"?"],
    );
    says(
        "thread.id",
        "thread.idd",
        &["49: [views.Note] fields: no field \"thread.idd\"; did you mean \"thread.id\"?"],
    );
    says(
        "\"thread.id\"",
        "\"thread\"",
        &[
            "49: [views.Note] fields: \"thread\" is a Thread: name fields below it, as \"thread.…\", or give [views.Thread] an `inline`",
        ],
    );
    says(
        "inline = \"login\"",
        "inline = \"logn\"",
        &["46: [views.Person] inline: no field \"logn\"; did you mean \"login\"?"],
    );
    says(
        "[views.Person]",
        "[views.Persom]",
        &[
            "45: [views.Persom] Forgejo 15.0 has no definition \"Persom\"; did you mean \"Person\"?",
            "49: [views.Note] fields: \"author\" is a Person: name fields below it, as \"author.…\", or give [views.Person] an `inline`",
        ],
    );
    says(
        "title = \"Get a note\"",
        "title = \"Get a note\"\nview = \"Note.rwo\"",
        &["68: [tools.get_note] view: no view \"Note.rwo\"; did you mean \"Note.row\"?"],
    );
    says(
        "title = \"Get a note\"",
        "title = \"Get a note\"\nview = \"Person\"",
        &["68: [tools.get_note] view: the answer is Note, and this is a view of something else"],
    );
}

#[test]
fn a_misspelled_parameter_is_named_with_the_nearest() {
    says(
        "\"query.labels\" = ",
        "\"query.lables\" = ",
        &[
            "62: [tools.list_notes.params] query.lables: noteList has no parameter \"query.lables\"; did you mean \"query.labels\"?",
        ],
    );
    says(
        "hide = [\"body.parent\"]",
        "hide = [\"body.parents\", \"body.parent\"]",
        &[
            "77: [tools.create_note] hide: noteCreate has no parameter \"body.parents\"; did you mean \"body.parent\"?",
        ],
    );
    says(
        "hide = [\"body.parent\"]",
        "",
        &[
            "71: [tools.create_note.params] the argument \"parent\" is not described: it needs `about`, or a [vocabulary.parent]",
        ],
    );
    says(
        "hide = [\"body.parent\"]",
        "hide = [\"body.parent\", \"path.repo\"]",
        &[
            "71: [tools.create_note.params] path.repo: the forge demands it, so it cannot be hidden; `const` sends a value",
        ],
    );
    says(
        "\"body.title\" = {}",
        "\"body.title\" = { required = false }",
        &[
            "79: [tools.create_note.params] body.title: the document demands it, so that nothing could be sent without it: it needs a default, or a correction that says what the wire does",
        ],
    );
}

#[test]
fn argument_names_are_unique() {
    says(
        "\"body.content\" = {}",
        "\"body.content\" = { name = \"title\" }",
        &[
            "80: [tools.create_note.params] body.content: the argument name \"title\" is already that of body.title",
        ],
    );
    says(
        "\"body.content\" = {}",
        "\"body.content\" = { aliases = [\"repo\"] }",
        &[
            "80: [tools.create_note.params] body.content: the argument name \"repo\" is already that of path.repo",
        ],
    );
    says(
        "\"body.content\" = {}",
        "\"body.content\" = { name = \"dry_run\", about = \"x\" }",
        &["80: [tools.create_note.params] body.content: the argument name \"dry_run\" is reserved"],
    );
    says(
        "\"body.content\" = {}",
        "\"body.content\" = { name = \"skip\", about = \"x\" }",
        &["80: [tools.create_note.params] body.content: the argument name \"skip\" is reserved"],
    );
}

#[test]
fn unknown_keys_and_wrong_types_are_named() {
    says(
        "default = true",
        "defualt = true",
        &["57: [tools.list_notes] defualt: unknown key; did you mean \"default\"?"],
    );
    says(
        "default = true",
        "default = \"yes\"",
        &["57: [tools.list_notes] default: expected a boolean, found a string"],
    );
    says("[excluded]", "[exclude]", &["90: exclude: unknown key; did you mean \"excluded\"?"]);
    says(
        "\"query.labels\" = { join",
        "\"query.labels\" = { joins",
        &["62: [tools.list_notes.params.query.labels] joins: unknown key; did you mean \"join\"?"],
    );
    says("title = \"Get a note\"\n", "", &["64: [tools.get_note] title: is missing"]);
    says(
        "contract_version = 1",
        "contract_version = ",
        &["1: no TOML: string values must be quoted, expected literal string"],
    );
}

#[test]
fn names_toolsets_and_descriptions_are_checked() {
    says(
        "[tools.get_note]",
        "[tools.getNote]",
        &["64: [tools.getNote] a tool's name is verb_noun, in lower case"],
    );
    says(
        "[tools.get_note]",
        "[tools.get_the_note_that_was_written_down_by_someone]",
        &[
            "64: [tools.get_the_note_that_was_written_down_by_someone] a tool's name has at most 40 characters, this one 45",
        ],
    );
    says("[tools.get_note]", "[tools.list_notes]", &["64: no TOML: duplicate key"]);
    says(
        "toolset = \"notes\"\ntitle = \"Get a note\"",
        "toolset = \"note\"\ntitle = \"Get a note\"",
        &["66: [tools.get_note] toolset: no toolset \"note\"; did you mean \"notes\"?"],
    );
    says("about = \"Reads a note.\"", "about = \"\"", &["68: [tools.get_note] about: is empty"]);
    says(
        "Reads a note.",
        &"long ".repeat(500),
        &["68: [tools.get_note] about: has 2500 characters, at most 2048 are allowed"],
    );
}

#[test]
fn effects_agree_with_methods() {
    says(
        "about = \"Reads a note.\"\neffect = \"read\"",
        "about = \"Reads a note.\"\neffect = \"change\"",
        &["69: [tools.get_note] effect: GET only reads, so the effect is \"read\""],
    );
    says(
        "effect = \"destroy\"",
        "effect = \"add\"",
        &["88: [tools.delete_note] effect: DELETE removes, so the effect is \"change\" or \"destroy\""],
    );
    says(
        "effect = \"destroy\"",
        "effect = \"destory\"",
        &["88: [tools.delete_note] effect: no effect \"destory\"; did you mean \"destroy\"?"],
    );
    let writes = "76: [tools.create_note] effect: POST writes, so the effect is not \"read\"; only renderMarkdown, renderMarkdownRaw, renderMarkup render";
    says("effect = \"add\"", "effect = \"read\"", &[writes]);
    let renders = changed(DOCUMENT, "\"noteCreate\"", "\"renderMarkup\"");
    let reads = changed(INVENTORY, "\"noteCreate\"", "\"renderMarkup\"");
    of_texts(&changed(&reads, "effect = \"add\"", "effect = \"read\""), &document(&renders)).unwrap();
}

#[test]
fn what_is_any_json_wants_a_reason_wherever_it_stands() {
    let faults = |text: &str, reasons: &str| match of_texts(&format!("{INVENTORY}{reasons}"), &document(text))
    {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let answer = r##""200": {"schema": {"$ref": "#/definitions/Note"}}"##;
    let person = r#""mail": {"format": "email", "type": "string"}"#;
    for (from, to, place) in [
        (person, r#""mail": {}"#, "Person.mail"),
        (r#""responses": {}"#, r#""responses": {"Odd": {"schema": {"type": "object"}}}"#, "responses.Odd"),
        (answer, r#""200": {"schema": {"type": "object"}}"#, "operations.noteGet.200"),
        (
            r##"{"items": {"$ref": "#/definitions/Note"}, "type": "array"}}}"##,
            r#"{"items": {}, "type": "array"}}}"#,
            "operations.noteList.200[]",
        ),
        (
            r##""schema": {"$ref": "#/definitions/CreateNote"}"##,
            r#""schema": {"type": "object", "properties": {"title": {"type": "string"}, "content": {"type": "string"}, "author": {}}}"#,
            "operations.noteCreate.body.author",
        ),
    ] {
        let text = changed(DOCUMENT, from, to);
        let wanted = format!("{place} is any JSON in the document: give the reason in [any_json]");
        assert!(faults(&text, "").contains(&wanted), "{}", faults(&text, ""));
        let reason = format!("\n[any_json]\n\"{place}\" = \"so it is\"\n");
        assert!(!faults(&text, &reason).contains("any JSON"), "{}", faults(&text, &reason));
        let needless = faults(DOCUMENT, &reason);
        assert!(needless.contains("is typed in the document") == (place != "responses.Odd"), "{needless}");
    }
}

#[test]
fn types_and_lists_are_checked() {
    says(
        "{ join = \",\" }",
        "{ type = \"texts\" }",
        &["62: [tools.list_notes.params] query.labels: no type \"texts\"; did you mean \"text\"?"],
    );
    says(
        "{ join = \",\" }",
        "{ default = 5 }",
        &["62: [tools.list_notes.params] query.labels: default 5 is not of the argument's type, text"],
    );
    says(
        "\"query.labels\" = { join = \",\" }",
        "\"query.state\" = { enum = [\"open\", \"close\"] }",
        &[
            "62: [tools.list_notes.params] query.state: the forge takes no \"close\" here; did you mean \"closed\"?",
        ],
    );
    says(
        "\"query.labels\" = { join = \",\" }",
        "\"query.limit\" = { name = \"size\", about = \"x\" }",
        &[
            "54: [tools.list_notes] paging: a list needs the arguments `page` and `limit`, and noteList has not both; where pages have a size of their own, say paging = \"fixed\"",
        ],
    );
    says(
        "default = true",
        "default = true\npaging = \"fixed\"",
        &[
            "54: [tools.list_notes] paging: is \"forge\": noteList takes `limit`, so that its pages have no size of their own",
        ],
    );
    says(
        "default = true",
        "default = true\npaging = \"none\"",
        &["58: [tools.list_notes] paging: is one of \"forge\", \"fixed\", \"here\", not \"none\""],
    );
    says(
        "default = true",
        "default = true\norder = \"forge\"",
        &["58: [tools.list_notes] order: is for lists that are cut here: paging = \"here\""],
    );
    says(
        "default = true",
        "default = true\npaging = \"here\"\norder = \"id\"",
        &["59: [tools.list_notes] order: is \"forge\", not \"id\""],
    );
    says(
        "title = \"Get a note\"",
        "title = \"Get a note\"\npaging = \"here\"",
        &[
            "68: [tools.get_note] paging: is for lists, and this answer is none; `answer = \"list\"` makes it one",
        ],
    );
}

/// The schema of the sample's author as a list of people, with these rows for its fields; or the faults.
fn people(rows: &str) -> Result<String, String> {
    let list = r##"{"items": {"$ref": "#/definitions/Person"}, "type": "array"}"##;
    let document = changed(
        DOCUMENT,
        r##""CreateNote": {
      "properties": {
        "author": {"$ref": "#/definitions/Person"}"##,
        &format!("\"CreateNote\": {{\n\"properties\": {{\n\"author\": {list}"),
    );
    let author = "\"body.author\" = { about = \"Who wrote it.\" }\n";
    let inventory = changed(INVENTORY, author, &format!("{author}{rows}\n"));
    let build = of_texts(&inventory, &sample::document(&document)).map_err(|error| error.to_string())?;
    let tool = build.tools.iter().find(|tool| tool.name == "create_note").unwrap();
    Ok(tool.schema.pointer("/properties/author/items").unwrap().to_string())
}

#[test]
fn the_fields_of_a_lists_elements_have_rows_of_their_own() {
    assert_eq!(
        people(r#""body.author[].login" = { required = true, enum = ["ann", "bob"] }"#).unwrap(),
        r#"{"type":"object","properties":{"login":{"type":"string","enum":["ann","bob"]},"mail":{"type":"string"}},"required":["login"],"additionalProperties":false}"#
    );
    assert_eq!(
        people(r#""body.author[].login" = { codec = "base64", or = "bytes" }"#).unwrap(),
        r#"{"type":"object","properties":{"login":{"type":"string"},"mail":{"type":"string"},"bytes":{"type":"string"}},"additionalProperties":false}"#
    );
    for (row, fault) in [
        (
            r#""body.author[].logim" = { required = true }"#,
            "its elements have no field \"logim\"; did you mean",
        ),
        (r#""body.author[].login" = { min = 1 }"#, "min and max are for integers"),
        (
            r#""body.author[].login" = { name = "who" }"#,
            "a field has `required`, `type`, `enum`, `min`, `max`, `codec` and `or` alone",
        ),
        (r#""body.author[].login" = { codec = "sha" }"#, "has codec \"base64\""),
        (r#""body.author[].login" = { or = "login_base64" }"#, "has codec \"base64\""),
        (
            r#""body.author[].login" = { codec = "base64", or = "mail" }"#,
            "or \"mail\": its elements have such a field already",
        ),
        (r#""body.title[].login" = { required = true }"#, "is no list"),
    ] {
        let faults = people(row).unwrap_err();
        assert!(faults.contains(fault), "{faults}");
    }
}

#[test]
fn a_definition_that_is_a_reference_alone_is_followed_and_one_that_leads_back_is_none() {
    let mut document: Document = serde_json::from_str(DOCUMENT).unwrap();
    let refers = |to: &str| Schema { reference: Some(format!("#/definitions/{to}")), ..Schema::default() };
    let text = Schema { kind: Some("string".to_owned()), ..Schema::default() };
    for (name, schema) in
        [("A", refers("B")), ("B", refers("C")), ("C", text.clone()), ("X", refers("Y")), ("Y", refers("X"))]
    {
        document.definitions.insert(name.to_owned(), schema);
    }
    assert_eq!(document.schema(&refers("A")), Some(&text));
    assert_eq!(document.schema(&refers("X")), None);
    assert_eq!(document.schema(&refers("Z")), None);
}

#[test]
fn a_schema_is_plain_and_short() {
    let build = of_texts(INVENTORY, &document(DOCUMENT)).unwrap();
    let schema = |name: &str| build.tools.iter().find(|tool| tool.name == name).unwrap().schema.to_string();
    assert_eq!(
        schema("list_notes"),
        r#"{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"labels":{"type":"array","items":{"type":"string"},"description":"Label names."},"state":{"type":"string","enum":["open","closed","all"]},"page":{"type":"integer","minimum":1},"limit":{"type":"integer","minimum":1},"fields":{"type":"array","items":{"type":"string"}},"max_bytes":{"type":"integer"}},"required":["owner","repo"],"additionalProperties":false}"#
    );
    assert_eq!(
        schema("create_note"),
        r#"{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"title":{"type":"string"},"content":{"type":"string","description":"The text."},"author":{"type":"object","properties":{"login":{"type":"string"},"mail":{"type":"string"}},"additionalProperties":false,"description":"Who wrote it."}},"required":["owner","repo","title"],"additionalProperties":false}"#
    );
    assert_eq!(
        schema("delete_note"),
        r#"{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"index":{"type":"integer"},"confirm":{"type":"boolean"},"dry_run":{"type":"boolean"}},"required":["owner","repo","index"],"additionalProperties":false}"#
    );
}

/// What the build says where the lock was made from the sample, and inventory or document were changed since.
#[track_caller]
fn stale(inventory: &str, text: &str, expected: &str) {
    let lock =
        lock::render(&of_texts(INVENTORY, &document(DOCUMENT)).unwrap(), Some(&|text: &str| text.len() / 4));
    let build = of_texts(inventory, &document(text)).unwrap();
    let said = match check(&build, &lock) {
        Ok(()) => String::new(),
        Err(error @ RouterError::Stale { .. }) => error.to_string(),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(said, expected);
}

#[test]
fn a_lock_that_is_in_step_is_silent_about_its_tokens() {
    stale(INVENTORY, DOCUMENT, "");
    stale(&changed(INVENTORY, "Reads a note.", "Reads one note."), DOCUMENT, "");
}

#[test]
fn a_stale_lock_names_the_lines_that_differ() {
    let renamed = changed(INVENTORY, "{ join = \",\" }", "{ join = \",\", name = \"tags\", about = \"x\" }");
    stale(
        &renamed,
        DOCUMENT,
        "inventory.lock is stale; where it differs from the build:\n\
         tool list_notes\n  - argument labels query.labels text[], joined by commas, also label_names\n  \
         + argument tags query.labels text[], joined by commas\n\
         run `cargo codegen lock`",
    );
}

#[test]
fn a_document_that_changed_without_the_lock_is_named() {
    let wider = changed(DOCUMENT, r#"["open", "closed", "all"]"#, r#"["open", "closed", "all", "draft"]"#);
    stale(
        INVENTORY,
        &wider,
        "inventory.lock is stale; where it differs from the build:\n\
         tool list_notes\n  - argument state query.state enum open|closed|all\n  \
         + argument state query.state enum open|closed|all|draft\n\
         totals\n  - document openapi/forgejo-15.0.json 6d613cd217cbccc3\n  \
         + document openapi/forgejo-15.0.json c04d3168e200549a\n\
         run `cargo codegen lock`",
    );
}

#[test]
fn a_view_field_that_is_new_in_the_lock_is_named() {
    let more = changed(INVENTORY, "\"author\", \"thread.id\"", "\"author\", \"readers\", \"thread.id\"");
    stale(
        &more,
        DOCUMENT,
        "inventory.lock is stale; where it differs from the build:\n\
         view Note\n  + shows readers[login]\nrun `cargo codegen lock`",
    );
}
