//! Every key of `docs/inventory.md`: what it makes of a tool, and what is said of a wrong use.
//!
//! `keys/inventory.toml` uses each of them. A row of the tables in `keys/` names one, with the text that uses it. What
//! it makes (`shows`) is there, and is not with another text in its place (`without`), which may be a fault; or it
//! takes something away (`hides`). With `wrong` in its place the build says `fault`, and nothing else.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use std::collections::BTreeSet;

use forgehand_codegen::docs;
use forgehand_codegen::document::Document;
use forgehand_codegen::inventory::{emit, lock};
use forgehand_codegen::router::of_texts;
use serde::Deserialize;

const INVENTORY: &str = include_str!("keys/inventory.toml");
const DOCUMENT: &str = include_str!("keys/document.json");
const REFERENCE: &str = include_str!("../../docs/inventory.md");
const TABLES: [&str; 4] = [
    include_str!("keys/shared.toml"),
    include_str!("keys/tools.toml"),
    include_str!("keys/answers.toml"),
    include_str!("keys/params.toml"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    key: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The section of the reference without its name, and the key: `vocabulary.wire`, `tools.merge.always`.
    name: String,
    /// The text that uses it, once in the sample.
    is: String,
    /// What stands there without it.
    #[serde(default)]
    without: String,
    /// What is there by it: in the lock, the table, a schema or the reference.
    shows: Option<String>,
    /// What is there without it alone.
    hides: Option<String>,
    /// A wrong use in its place; none where leaving it out is one.
    wrong: Option<String>,
    /// All that is said of that, without file and line.
    fault: String,
}

fn rows() -> Vec<Row> {
    let read = |text: &&str| toml::from_str::<Table>(text).map_err(|error| error.to_string()).unwrap().key;
    TABLES.iter().flat_map(read).collect()
}

/// All that is made of an inventory, or its faults without file and line.
fn made(inventory: &str) -> Result<String, String> {
    let document: Document = serde_json::from_str(DOCUMENT).unwrap();
    let build = of_texts(inventory, &document).map_err(|error| {
        let lines = error.to_string();
        let lines = lines.lines().map(|line| line.split_once(": ").map_or(line, |(_, text)| text));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    let schemas = build.tools.iter().map(|tool| format!("{} takes {}\n", tool.name, tool.schema));
    let pages = docs::pages(&build, &document, &str::len).into_values();
    let texts = [lock::render(&build, None), emit::table(&build)];
    Ok(texts.into_iter().chain(schemas).chain(pages).collect())
}

#[test]
fn every_key_does_what_it_is_for_and_nothing_does_it_without() {
    let all = made(INVENTORY).unwrap();
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    for Row { name, is, without, shows, hides, .. } in rows() {
        if INVENTORY.matches(&is).count() != 1 {
            wrong.push(format!("{name}: {is:?} should stand once in the sample"));
            continue;
        }
        let other = made(&INVENTORY.replacen(&is, &without, 1));
        // A further row of a key may be about a wrong use alone.
        if shows.is_some() || hides.is_some() {
            shown.insert(name.clone());
        } else if !shown.contains(&name) {
            wrong.push(format!("{name}: says nothing of what it does"));
        }
        if let Some(fact) = shows {
            if !all.contains(&fact) {
                wrong.push(format!("{name}: {fact:?} is not there"));
            }
            if other.as_ref().is_ok_and(|other| other.contains(&fact)) {
                wrong.push(format!("{name}: {fact:?} is there without it"));
            }
        }
        if let Some(fact) = hides {
            if all.contains(&fact) {
                wrong.push(format!("{name}: {fact:?} is there"));
            }
            match other {
                Ok(other) if other.contains(&fact) => {}
                Ok(_) => wrong.push(format!("{name}: {fact:?} is not there without it")),
                Err(faults) if faults == fact => {}
                Err(faults) => wrong.push(format!("{name}: without it: {faults}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_use_of_every_key_is_refused() {
    let mut wrong = Vec::new();
    for row in rows() {
        let text = row.wrong.as_deref().unwrap_or(&row.without);
        match made(&INVENTORY.replacen(&row.is, text, 1)) {
            Ok(_) => wrong.push(format!("{}: {text:?} is no fault", row.name)),
            Err(faults) if faults == row.fault.trim_end() => {}
            Err(faults) => wrong.push(format!("{}: {text:?}\n{faults}", row.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The keys in the tables of the reference, each behind the name of its section.
fn documented() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut section = String::new();
    for line in REFERENCE.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            let path = title.split('`').nth(1).unwrap_or_default().trim_matches(['[', ']']);
            section = match path {
                "tools.NAME.params" => "params".to_owned(),
                path => path.split('.').next().unwrap_or_default().to_owned(),
            };
        } else if let Some(row) = line.strip_prefix("| `") {
            let cell = row.split(" | ").next().unwrap_or_default();
            found.extend(cell.split("`, `").map(|key| format!("{section}.{}", key.trim_end_matches('`'))));
        }
    }
    found
}

#[test]
fn every_key_of_the_reference_has_a_row_and_every_row_a_key() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let documented = documented();
    assert!(documented.len() > 60, "{documented:?}");
    let missing: Vec<&String> = documented.iter().filter(|key| !names.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    // What no table of the reference has stands there in an example or in its text.
    for name in names {
        let last = name.rsplit('.').next().unwrap();
        let is_there =
            ["`", " = ", "]", ".", "\n"].iter().any(|end| REFERENCE.contains(&format!("{last}{end}")));
        assert!(is_there, "{name} is not in docs/inventory.md");
    }
}
