//! Which operation a tool takes: what the table asks of the arguments, and what is said of routes that no call can
//! choose.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use forgehand_codegen::document::Document;
use forgehand_codegen::inventory::emit;
use forgehand_codegen::router::of_texts;
use serde_json::{Value, json};

/// Two operations that take the same: a path, a query and a body, or a form.
fn document(is_form: bool) -> Document {
    let body = json!([{"in": "body", "name": "body", "schema": {"$ref": "#/definitions/Thing"}}]);
    let form = json!([
        {"in": "formData", "name": "title", "type": "string"},
        {"in": "formData", "name": "attachment", "type": "file"},
    ]);
    let operation = |id: &str| -> Value {
        let mut parameters = vec![
            json!({"in": "path", "name": "ref", "required": true, "type": "string"}),
            json!({"in": "query", "name": "q", "type": "string"}),
        ];
        parameters.extend(if is_form { form.clone() } else { body.clone() }.as_array().unwrap().clone());
        json!({"post": {"operationId": id, "parameters": parameters, "responses": {"201": {}}}})
    };
    let text = json!({"type": "string"});
    serde_json::from_value(json!({
        "swagger": "2.0", "release": "15.0", "basePath": "/api/v1",
        "consumes": ["application/json"], "produces": ["application/json"],
        "paths": {"/things/{ref}": operation("thingAdd"), "/others/{ref}": operation("otherAdd")},
        "definitions": {"Thing": {"type": "object", "properties": {
            "name": text, "config": {"type": "object", "properties": {"url": text, "kind": text}},
            "labels": {"type": "object", "additionalProperties": text},
        }}},
        "responses": {},
    }))
    .unwrap()
}

/// The table of the tool with this route and these rows; or the faults.
fn table(route: &str, more: &str) -> Result<String, String> {
    let word = |name: &&str| format!("[vocabulary.{name}]\nabout = \"It.\"\n");
    let names = [
        "ref",
        "q",
        "name",
        "config",
        "config_url",
        "config_kind",
        "labels",
        "labels_color",
        "title",
        "attachment",
        "body",
    ];
    let inventory = format!(
        "contract_version = 1\n{}[toolsets.things]\ntitle = \"Things\"\nabout = \"Things.\"\n\
         [tools.add_thing]\noperation = \"thingAdd\"\ntoolset = \"things\"\ntitle = \"Add\"\nabout = \"Adds.\"\n\
         effect = \"add\"\nroute = {{ otherAdd = {{ {route} }} }}\n{more}",
        names.iter().map(word).collect::<String>(),
    );
    let build =
        of_texts(&inventory, &document(route.contains("form."))).map_err(|error| error.to_string())?;
    Ok(emit::table(&build))
}

#[test]
fn a_route_is_chosen_by_a_parameter_wherever_it_is_sent() {
    for (key, more, place, wire) in [
        ("query.q", "", "Query", "q"),
        ("body.name", "", "Body", "name"),
        ("body.config.url", "", "Body", "config.url"),
        ("body.labels.color", "", "Body", "labels.color"),
        ("body", "", "WholeBody", "body"),
        ("form.title", "", "Form", "title"),
        ("form.attachment", "", "File", "attachment"),
        ("body.config.url", "[tools.add_thing.params]\n\"body.config.kind\" = {}\n", "Body", "config.url"),
    ] {
        for (word, asks) in [("with", "given(&"), ("without", "absent(&mut ")] {
            let table = table(&format!("{word} = \"{key}\""), more).unwrap();
            let line = format!(
                "    if {asks}parameters, Place::{place}, {wire:?}) {{\n        return \
                 forgehand_client::untyped::other_add(parameters);\n    }}\n    \
                 forgehand_client::untyped::thing_add(parameters)\n"
            );
            assert!(table.contains(&line), "{key}: {table}");
        }
    }
    let table = table("without = \"path.ref\"", "").unwrap();
    assert!(table.contains("if absent(&mut parameters, Place::Path, \"ref\") {"), "{table}");
}

#[test]
fn a_route_that_no_call_can_choose_is_a_fault() {
    for (route, more, expected) in [
        ("", "", "[tools.add_thing.route.otherAdd] expected { with = PARAMETER } or { without = PARAMETER }"),
        ("with = 5", "", "[tools.add_thing.route.otherAdd] with: expected a string, found an integer"),
        (
            "wiht = \"body.name\"",
            "",
            "[tools.add_thing.route.otherAdd] wiht: unknown key; did you mean \"with\"?",
        ),
        (
            "with = \"body.config.ulr\"",
            "",
            "[tools.add_thing] route: otherAdd has no parameter \"body.config.ulr\"; did you mean \"body.config.url\"?",
        ),
        (
            "without = \"body.nam\"",
            "",
            "[tools.add_thing] route: thingAdd has no parameter \"body.nam\"; did you mean \"body.name\"?",
        ),
        (
            "with = \"path.ref\"",
            "",
            "[tools.add_thing] route: thingAdd demands path.ref, so it is always given",
        ),
        (
            "with = \"body.name\"",
            "hide = [\"body.name\"]\n",
            "[tools.add_thing] route: \"body.name\" is hidden, so no call gives it",
        ),
        (
            "without = \"body.name\"",
            "[tools.add_thing.params]\n\"body.name\" = { const = \"x\" }\n",
            "[tools.add_thing] route: \"body.name\" is always sent, so no call gives it",
        ),
        (
            "without = \"local.whole\"",
            "[tools.add_thing.params]\n\"local.whole\" = { about = \"x\", type = \"boolean\", demands = \"body.name\" }\n",
            "[tools.add_thing] route: local.whole is sent to no operation, so that it cannot choose one",
        ),
    ] {
        let faults = table(route, more).unwrap_err();
        assert!(faults.lines().any(|line| line.ends_with(&format!(": {expected}"))), "{expected}\n{faults}");
    }
}
