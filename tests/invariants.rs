//! What holds of every tool, whatever the inventory says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]
#![allow(dead_code, unreachable_pub, reason = "shared test code; each test file uses its part")]

#[path = "common/child.rs"]
mod child;

use std::collections::{BTreeMap, BTreeSet};

use forgehand::operations::descriptor::{
    Answer, Applied, Codec, Compare, Effect, Kind, Operation, Paging, Parameter, Place, Run, Shape,
};
use forgehand::operations::table::{OPERATIONS, RELEASE};
use serde_json::{Value, json};

/// What clients put before a tool's name; together they may have 64 characters.
const PREFIX: &str = "mcp__forgejo_server__";

fn schema(operation: &Operation) -> Value {
    serde_json::from_str(operation.input_schema).unwrap()
}

fn properties(operation: &Operation) -> Vec<String> {
    schema(operation)["properties"].as_object().unwrap().keys().cloned().collect()
}

/// One line for each tool of which the check says something.
#[track_caller]
fn all(check: impl Fn(&Operation) -> Option<String>) {
    let faults: Vec<String> =
        OPERATIONS.iter().filter_map(|o| Some(format!("{}: {}", o.name, check(o)?))).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn names_are_verb_noun_unique_sorted_and_short() {
    all(|o| {
        let good = o.name.split('_').count() > 1
            && o.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        (!good || o.name.len() > 40 || PREFIX.len() + o.name.len() > 64).then(|| "name".to_owned())
    });
    assert!(OPERATIONS.is_sorted_by(|a, b| a.name < b.name));
}

#[test]
fn titles_and_descriptions_are_for_people_and_models() {
    all(|o| {
        let title = o.title.chars().count();
        let first = o.about.split([' ', ',']).next().unwrap_or_default();
        let verb = first.starts_with(|c: char| c.is_ascii_uppercase()) && first.ends_with('s');
        if !(3..=60).contains(&title) || o.title.ends_with('.') {
            return Some(format!("title {:?}", o.title));
        }
        if !verb || !o.about.ends_with('.') || o.about.len() > 2048 || o.about.contains('\n') {
            return Some(format!("description {:?}", o.about));
        }
        None
    });
    let titles: BTreeSet<&str> = OPERATIONS.iter().map(|o| o.title).collect();
    assert_eq!(titles.len(), OPERATIONS.len(), "two tools have one title");
    let length: usize = OPERATIONS.iter().map(|o| o.about.chars().count()).sum();
    assert!(
        length / OPERATIONS.len() <= 125,
        "descriptions have {} characters on average",
        length / OPERATIONS.len()
    );
}

#[test]
fn schemas_hold_nothing_that_a_client_refuses() {
    all(|o| {
        let schema = schema(o);
        let root = schema.as_object().unwrap();
        let known = ["type", "properties", "required", "additionalProperties"];
        if let Some(key) = root.keys().find(|key| !known.contains(&key.as_str())) {
            return Some(format!("{key} at the root"));
        }
        if root["type"] != "object"
            || root["additionalProperties"] != false
            || !root["properties"].is_object()
        {
            return Some("the root is no closed object".to_owned());
        }
        root["properties"]
            .as_object()
            .unwrap()
            .iter()
            .find_map(|(name, p)| refused(p).map(|why| format!("{name}: {why}")))
    });
}

/// What a client would refuse in a property's schema.
fn refused(schema: &Value) -> Option<String> {
    let Some(object) = schema.as_object() else { return Some("no object".to_owned()) };
    let known = [
        "type",
        "description",
        "enum",
        "format",
        "items",
        "minimum",
        "maximum",
        "default",
        "properties",
        "required",
        "additionalProperties",
    ];
    if let Some(key) = object.keys().find(|key| !known.contains(&key.as_str())) {
        return Some(format!("the keyword {key}"));
    }
    if object.get("format").is_some_and(|format| format != "date-time") {
        return Some(format!("the format {}", object["format"]));
    }
    if let Some(values) = object.get("enum").and_then(Value::as_array) {
        let mut words = values.iter().filter_map(Value::as_str);
        if values.is_empty() || values.iter().any(|v| !v.is_string()) || words.any(str::is_empty) {
            return Some("an enum of something else than words".to_owned());
        }
    }
    let below = object.get("properties").and_then(Value::as_object).into_iter().flat_map(|p| p.values());
    match object.get("type").and_then(Value::as_str) {
        Some("array") => match object.get("items") {
            Some(items) if items.get("type").is_some() => refused(items),
            _ => Some("a list of anything".to_owned()),
        },
        Some("object" | "string" | "integer" | "boolean") => below.filter_map(refused).next(),
        other => Some(format!("the type {other:?}")),
    }
}

#[test]
fn schema_and_parameters_are_the_same_arguments() {
    all(|o| {
        let mut expected: Vec<&str> = o.parameters.iter().map(|p| p.name).collect();
        if o.confirm || !o.confirm_when.is_empty() {
            expected.push("confirm");
        }
        if matches!(o.effect, Effect::Change | Effect::Destroy) {
            expected.push("dry_run");
        }
        if o.effect == Effect::Read {
            let is_list = matches!(o.answer, Answer::List(_));
            expected.extend(is_list.then_some("fields"));
            expected
                .extend((is_list || matches!(o.answer, Answer::Text | Answer::Bytes)).then_some("max_bytes"));
        }
        (properties(o) != expected).then(|| format!("{expected:?}"))
    });
    all(|o| {
        let required: Vec<&str> =
            o.parameters.iter().filter(|p| p.required && p.or.is_none()).map(|p| p.name).collect();
        let schema = schema(o);
        let listed = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        (listed != required).then(|| format!("required {required:?}"))
    });
}

#[test]
fn argument_names_and_aliases_are_unique_snake_case_or_an_older_name() {
    all(|o| {
        let mut seen = BTreeSet::new();
        for p in o.parameters {
            if !p.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
                return Some(format!("the argument {:?}", p.name));
            }
            for name in [p.name].iter().chain(p.aliases) {
                if !seen.insert(*name) {
                    return Some(format!("{name:?} twice"));
                }
            }
        }
        None
    });
}

#[test]
fn a_list_that_is_read_takes_page_and_limit() {
    all(|o| {
        let lists = matches!(o.answer, Answer::List(_)) && o.effect == Effect::Read;
        let has = |name: &str| o.parameters.iter().any(|p| p.name == name);
        let is_fixed = matches!(&o.answer, Answer::List(list) if list.paging == Paging::Fixed);
        (lists && !(has("page") && (has("limit") || is_fixed))).then(|| "no page or no limit".to_owned())
    });
}

#[test]
fn filters_by_names_are_looked_up_or_compared_with_the_rows_that_come() {
    all(|o| {
        let by_name = ["labels", "milestones"];
        let mut filters = o
            .parameters
            .iter()
            .filter(|p| p.place == Place::Query && p.codec == Codec::Comma && by_name.contains(&p.name));
        let is_sure = |p: &Parameter| {
            let is_checked = |kind: &Kind| matches!(kind, Kind::Name(names) if names.checked);
            let is_held = |a: &Applied| a.name == p.name && a.by == Compare::Held;
            matches!(p.kind, Kind::List(item) if is_checked(item)) || o.applied.iter().any(is_held)
        };
        filters.find(|p| !is_sure(p)).map(|p| p.name.to_owned())
    });
}

#[test]
fn what_destroys_wants_a_confirmation_and_what_reads_does_not() {
    all(|o| (o.effect == Effect::Destroy && !o.confirm).then(|| "destroys without".to_owned()));
    all(|o| {
        (o.effect == Effect::Read && (o.confirm || !o.confirm_when.is_empty()))
            .then(|| "reads with".to_owned())
    });
}

#[test]
fn a_tool_that_shows_a_secret_says_so_in_its_description() {
    let inventory = include_str!("../inventory.toml");
    let mut seen = 0;
    for block in inventory.split("\n[tools.").skip(1) {
        let Some((name, rest)) = block.split_once(']') else { continue };
        let own = rest.split("\n[").next().unwrap_or_default();
        let Some(operation) = OPERATIONS.iter().find(|o| o.name == name) else { continue };
        if own.lines().any(|line| line == "reveals = true") {
            let about = operation.about.to_lowercase();
            assert!(about.contains("token") || about.contains("secret"), "{name}: {about}");
            assert!(operation.mask.is_none(), "{name}");
            seen += 1;
        }
    }
    // Older releases have fewer of them.
    assert!(seen >= if is_pin() { 8 } else { 5 }, "only {seen}");
}

#[test]
fn calls_are_those_of_the_typed_client() {
    all(|o| {
        o.calls.iter().find_map(|call| {
            let known = forgehand_client::OPERATIONS.iter().find(|known| known.operation == call.operation);
            let same = known.is_some_and(|known| known.http_method == call.method && known.path == call.path);
            (!same).then(|| format!("{} {} {}", call.operation, call.method, call.path))
        })
    });
}

#[test]
fn path_parameters_of_the_first_call_are_all_served() {
    all(|o| {
        let is_plain = matches!(o.run, Run::Call(_));
        let path = o.calls.first().filter(|_| is_plain)?.path;
        let wires = path.split('{').skip(1).filter_map(|part| part.split('}').next());
        let served = |wire: &str| o.parameters.iter().any(|p| p.place == Place::Path && p.wire == wire);
        wires.filter(|wire| *wire != "diffType").find(|wire| !served(wire)).map(str::to_owned)
    });
}

#[test]
fn views_show_something() {
    all(|o| {
        let shape = match &o.answer {
            Answer::Item(shape) => shape,
            Answer::List(list) => list.row,
            _ => return None,
        };
        matches!(shape, Shape::Fields([]) | Shape::Inline(..)).then(|| "an empty view".to_owned())
    });
}

/// Tools and arguments that users of an older server have in their prompts, a line each.
const OLDER: &str = include_str!("older_names.tsv");

/// Those whose operations no release at hand has yet; their rows say since when.
const LATER: [&str; 2] = ["get_action_job_logs", "list_action_run_jobs"];

#[test]
fn older_names_of_tools_and_arguments_are_accepted() {
    let mut faults = Vec::new();
    for (tool, arguments) in OLDER.lines().filter_map(|line| line.split_once('\t')) {
        let Some(operation) = OPERATIONS.iter().find(|o| o.name == tool) else {
            if !LATER.contains(&tool) && !is_left_out(tool) {
                faults.push(format!("there is no {tool}"));
            }
            continue;
        };
        for argument in arguments.split_whitespace() {
            let taken =
                operation.parameters.iter().any(|p| p.name == argument || p.aliases.contains(&argument));
            // What has no counterpart is refused, and what to use instead is named.
            let retired = operation.retired.iter().any(|(name, _)| *name == argument);
            if !(taken || retired) {
                faults.push(format!("{tool} takes no {argument}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The lock of the pinned release.
const PINNED: &str = include_str!("../inventory.lock");

/// Whether this build is for the pinned release.
fn is_pin() -> bool {
    PINNED.contains(&format!("document openapi/forgejo-{RELEASE}.json "))
}

/// Whether a build for another release than the pin's lacks a tool that the pin's has.
fn is_left_out(tool: &str) -> bool {
    !is_pin() && PINNED.contains(&format!("\ntool {tool}\n"))
}

#[test]
fn the_default_surface_is_small() {
    let default = OPERATIONS.iter().filter(|o| o.default).count();
    assert!((30..=40).contains(&default), "{default} tools");
    let lock = include_str!("../inventory.lock");
    let line = lock.lines().find_map(|line| line.strip_prefix("  tokens ")).unwrap();
    let tokens: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(tokens[0] <= 5000, "{} tokens by default", tokens[0]);
    assert!(tokens[1] <= 60_000, "{} tokens in all", tokens[1]);
}

#[test]
fn a_toolset_has_at_most_sixty_tools_and_each_has_some() {
    let mut toolsets: BTreeMap<&str, usize> = BTreeMap::new();
    for operation in OPERATIONS {
        *toolsets.entry(operation.toolset).or_default() += 1;
    }
    let large: Vec<_> = toolsets.iter().filter(|(_, count)| **count > 60).collect();
    assert!(large.is_empty(), "{large:?}");
    let inventory = include_str!("../inventory.toml");
    let named = inventory.lines().filter_map(|line| line.strip_prefix("[toolsets.")?.strip_suffix(']'));
    let empty: Vec<&str> = named.filter(|name| !toolsets.contains_key(name)).collect();
    assert!(empty.is_empty(), "{empty:?} have no tool");
}

/// Parts of paths, and the toolsets in which a user looks for what they are about. The document's own tags would put some of
/// them elsewhere.
const PLACES: [(&str, &[&str]); 12] = [
    ("label", &["labels", "server"]),
    ("milestone", &["milestones"]),
    ("reaction", &["issues"]),
    ("/hooks", &["hooks"]),
    ("/releases", &["releases"]),
    ("/reviews", &["reviews"]),
    ("/wiki", &["wiki"]),
    ("/notifications", &["notifications"]),
    ("/runners", &["runners"]),
    ("/times", &["time_tracking"]),
    ("stopwatch", &["time_tracking"]),
    ("branch_protections", &["protections"]),
];

#[test]
fn a_tool_is_in_the_toolset_where_a_user_looks_for_it() {
    all(|o| {
        let mut places =
            PLACES.iter().filter(|(part, _)| o.calls.first().is_some_and(|call| call.path.contains(part)));
        let (part, toolsets) = places.find(|(_, toolsets)| !toolsets.contains(&o.toolset))?;
        Some(format!("{part} in {} and not in {toolsets:?}", o.toolset))
    });
}

#[test]
fn every_word_of_the_vocabulary_and_every_view_is_used_by_a_tool() {
    let lock = include_str!("../inventory.lock");
    let inventory = include_str!("../inventory.toml");
    let words = inventory.lines().filter_map(|line| line.strip_prefix("[vocabulary.")?.strip_suffix(']'));
    // By the lock of the pin: a build for an older release may lack every tool that has the argument.
    let unused: Vec<&str> = words.filter(|word| !lock.contains(&format!("\n  argument {word} "))).collect();
    assert!(unused.is_empty(), "no tool has an argument of the name {unused:?}");
    let views = inventory.lines().filter_map(|line| line.strip_prefix("[views.\"")?.strip_suffix("\"]"));
    let unused: Vec<&str> = views.filter(|view| !lock.contains(&format!("\nview {view}\n"))).collect();
    assert!(unused.is_empty(), "no tool answers by {unused:?}");
}

#[test]
fn every_tool_is_listed_with_title_description_schema_and_what_it_does_to_the_forge() {
    let all = [("FORGEHAND_TOOLSETS", "all")];
    let mut server = child::Server::initialized("http://127.0.0.1:9", &all);
    server.send(&child::request(50, "tools/list"));
    let result = server.answer()["result"].clone();
    assert_eq!(result["nextCursor"], Value::Null, "one page holds them all");
    let tools = result["tools"].as_array().unwrap();
    assert_eq!(tools.len(), OPERATIONS.len());
    for (tool, operation) in tools.iter().zip(OPERATIONS) {
        let expected = match operation.effect {
            Effect::Read => json!({ "readOnlyHint": true, "openWorldHint": true }),
            Effect::Add => json!({ "destructiveHint": false, "openWorldHint": true }),
            Effect::Set => json!({ "destructiveHint": false, "idempotentHint": true, "openWorldHint": true }),
            Effect::Change | Effect::Destroy => json!({ "destructiveHint": true, "openWorldHint": true }),
        };
        assert_eq!(tool["annotations"], expected, "{tool}");
        assert_eq!(tool["name"], operation.name);
        assert_eq!(tool["title"], operation.title);
        assert_eq!(tool["description"], operation.about);
        assert_eq!(tool["inputSchema"], schema(operation));
        assert_eq!(tool.get("outputSchema"), None);
    }
}

/// Every text of a tool that a model may read.
fn texts(operation: &Operation) -> Vec<String> {
    fn descriptions(schema: &Value, out: &mut Vec<String>) {
        out.extend(schema["description"].as_str().map(str::to_owned));
        for inner in schema["properties"].as_object().into_iter().flat_map(|properties| properties.values()) {
            descriptions(inner, out);
        }
    }
    let mut out = vec![operation.about.to_owned()];
    descriptions(&schema(operation), &mut out);
    let by_status = operation.statuses.iter().chain(operation.perhaps).map(|(_, text)| *text);
    let retired = operation.retired.iter().map(|(_, advice)| *advice);
    let note = if let Answer::Done { note, .. } = operation.answer { note } else { None };
    out.extend(by_status.chain(retired).chain(note).map(str::to_owned));
    out
}

#[test]
fn a_text_names_no_tool_that_is_not_there() {
    let tools: BTreeSet<&str> = OPERATIONS.iter().map(|o| o.name).collect();
    let verbs: BTreeSet<&str> = tools.iter().filter_map(|name| name.split('_').next()).collect();
    // Arguments are called so as well, and fields of answers, and tasks of the forge's own.
    let mut others = BTreeSet::from(["delete_inactive_accounts", "delete_missing_repos"]);
    others.extend(OPERATIONS.iter().flat_map(|o| o.parameters).map(|p| p.name));
    others
        .extend(OPERATIONS.iter().filter_map(|o| o.definition).flat_map(|d| d.fields).map(|(name, _)| *name));
    all(|o| {
        let texts = texts(o);
        let words =
            texts.iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        let mut named =
            words.filter(|word| word.split_once('_').is_some_and(|(verb, _)| verbs.contains(verb)));
        named
            .find(|word| !tools.contains(word) && !others.contains(word) && !is_left_out(word))
            .map(|word| format!("names {word}"))
    });
}
