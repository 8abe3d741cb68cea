//! From rows to finished tools: every name is compared with the pinned document, and every fault is noted.

mod answer;
mod arguments;
mod dispositions;
pub(super) mod kinds;
mod slots;
mod views;

use std::collections::BTreeMap;

use crate::document::{Document, Located};
use crate::history::History;
use crate::pin;

use super::model::{Inventory, ToolRow};
use super::problem::{Problems, did_you_mean};
use super::schema;
use super::tool::{ApiCall, Build, Effect, Place, Tool, Toolset};

/// The longest name of a tool, in characters.
const NAME: usize = 40;
/// The longest description, in characters.
const ABOUT: usize = 2048;
/// The most tools that are on when nothing is chosen.
const DEFAULT: usize = 40;
/// The operations that are a POST and change nothing: they render what they are sent. Any other POST marked as a read
/// would be sent again after a failure.
const RENDERS: [&str; 3] = ["renderMarkdown", "renderMarkdownRaw", "renderMarkup"];

/// Checks the inventory against the document, and makes all that a build exposes. What the document lacks and another
/// release in the history has is left out without a word.
///
/// # Errors
/// All faults at once; see `docs/inventory.md` for what is checked.
pub fn resolve(inventory: &Inventory, document: &Document, history: &History) -> Result<Build, Problems> {
    let mut problems = Problems::default();
    let operations: BTreeMap<&str, Located<'_>> =
        document.operations().map(|located| (located.operation.operation_id.as_str(), located)).collect();
    let views = views::all(inventory, document, history, &mut problems);
    let mut resolver = Resolver { inventory, document, history, operations: &operations, problems };
    let mut tools: Vec<Tool> =
        inventory.tools.iter().filter_map(|(name, row)| resolver.tool(name, row)).collect();
    resolver.surface(&tools);
    let mut problems = resolver.problems;
    let dispositions = dispositions::of(inventory, &operations, document, history, &mut problems);
    let any_json = dispositions::any_json(inventory, document, history, &mut problems);
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let views =
        views.into_iter().filter(|(name, _)| tools.iter().any(|tool| tool.view() == Some(name))).collect();
    problems.or(Build {
        contract_version: inventory.contract_version,
        release: document.release.clone(),
        digest: digest(document),
        toolsets: inventory.toolsets.iter().map(toolset).collect(),
        tools,
        views,
        dispositions,
        any_json,
    })
}

struct Resolver<'a> {
    inventory: &'a Inventory,
    document: &'a Document,
    history: &'a History,
    operations: &'a BTreeMap<&'a str, Located<'a>>,
    problems: Problems,
}

impl<'a> Resolver<'a> {
    fn tool(&mut self, name: &str, row: &'a ToolRow) -> Option<Tool> {
        let table = format!("tools.{name}");
        self.words(name, &table, row);
        if row.since.as_ref().is_some_and(|since| later(since, &self.document.release)) {
            return None;
        }
        let operation = self.operation(&table, "operation", row.operation.line, &row.operation)?;
        let effect = self.effect(&table, row, operation);
        let mentioned: Vec<&str> = row.params.iter().map(|(key, _)| key.as_str()).collect();
        let mentioned: Vec<&str> =
            mentioned.into_iter().chain(row.hide.iter().map(|at| at.as_str())).collect();
        let slots = slots::of(self.document, operation, &mentioned);
        let mut calls = vec![self.call(operation, None)];
        for route in &row.route {
            let Some(other) = self.operation(&table, "route", route.operation.line, &route.operation) else {
                continue;
            };
            let others = slots::of(self.document, other, &mentioned);
            for slot in others.iter().filter(|slot| !slots.iter().any(|own| own.key() == slot.key())) {
                let text =
                    format!("{} takes {}, which {} has not", *route.operation, slot.key(), *row.operation);
                self.problems.add(route.operation.line, &table, "route", text);
            }
            let without = slots.iter().find(|slot| slot.key() == route.without.value);
            let place = without.map_or((Place::Query, String::new()), |slot| (slot.place, slot.wire.clone()));
            calls.push(self.call(other, Some(place)));
        }
        let of = (name, row);
        let made =
            arguments::of(self.inventory, of, &slots, (self.document, self.history), &mut self.problems);
        let answer = answer::of(self.inventory, self.document, of, operation, &mut self.problems);
        answer::check_paging(of, &answer, &made.arguments, &mut self.problems);
        let confirm = row.confirm || effect == Effect::Destroy;
        Some(Tool {
            name: name.to_owned(),
            title: row.title.value.clone(),
            about: row.about.value.clone(),
            toolset: row.toolset.value.clone(),
            default: row.default,
            effect,
            confirm,
            calls,
            schema: schema::input(&made.arguments, effect, confirm),
            arguments: made.arguments,
            constants: made.constants,
            answer,
            statuses: row.statuses.clone(),
        })
    }

    fn operation(&mut self, table: &str, key: &str, line: usize, id: &str) -> Option<Located<'a>> {
        let found = self.operations.get(id).copied();
        if found.is_none() && !id.is_empty() {
            if self.history.operations(id).next().is_some() {
                return None;
            }
            let near = did_you_mean(id, self.operations.keys().copied());
            let release = &self.document.release;
            self.problems.add(line, table, key, format!("Forgejo {release} has no operation {id:?}{near}"));
        }
        found
    }

    fn call(&self, operation: Located<'_>, without: Option<(Place, String)>) -> ApiCall {
        let id = &operation.operation.operation_id;
        // The document's place for it: corrections may have moved the method.
        let known =
            self.history.operations(id).find(|(document, _)| document.release == self.document.release);
        let at = known.map_or(operation, |(_, at)| at);
        ApiCall {
            operation: id.clone(),
            method: operation.method.to_uppercase(),
            path: operation.path.to_owned(),
            span: self.history.operation(&self.document.release, at),
            scopes: Vec::new(),
            without,
        }
    }

    /// Name, toolset, title and description.
    fn words(&mut self, name: &str, table: &str, row: &ToolRow) {
        let words: Vec<&str> = name.split('_').collect();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let good = words.len() > 1 && words.iter().all(|word| !word.is_empty() && word.chars().all(plain));
        let length = name.chars().count();
        if !good || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            self.problems.add(row.line, table, "", "a tool's name is verb_noun, in lower case");
        } else if length > NAME {
            let text = format!("a tool's name has at most {NAME} characters, this one {length}");
            self.problems.add(row.line, table, "", text);
        }
        if !self.inventory.toolsets.iter().any(|(known, _)| *known == row.toolset.value)
            && !row.toolset.is_empty()
        {
            let near =
                did_you_mean(&row.toolset, self.inventory.toolsets.iter().map(|(known, _)| known.as_str()));
            let text = format!("no toolset {:?}{near}", row.toolset.value);
            self.problems.add(row.toolset.line, table, "toolset", text);
        }
        for (key, at) in [("title", &row.title), ("about", &row.about)] {
            let length = at.chars().count();
            if at.trim().is_empty() {
                self.problems.add(at.line, table, key, "is empty");
            } else if length > ABOUT {
                let text = format!("has {length} characters, at most {ABOUT} are allowed");
                self.problems.add(at.line, table, key, text);
            }
        }
    }

    fn effect(&mut self, table: &str, row: &ToolRow, operation: Located<'_>) -> Effect {
        let (line, word) = (row.effect.line, row.effect.as_str());
        let Some((_, effect)) = Effect::WORDS.into_iter().find(|(known, _)| *known == word) else {
            if !word.is_empty() {
                let known = Effect::WORDS.map(|(known, _)| known);
                let near = did_you_mean(word, known);
                let near = if near.is_empty() { format!("; known are {}", known.join(", ")) } else { near };
                self.problems.add(line, table, "effect", format!("no effect {word:?}{near}"));
            }
            return Effect::Read;
        };
        let method = operation.method.to_uppercase();
        let text = match (method.as_str(), effect) {
            ("GET" | "HEAD", Effect::Read) => None,
            ("GET" | "HEAD", _) => Some(format!("{method} only reads, so the effect is \"read\"")),
            ("DELETE", Effect::Change | Effect::Destroy) => None,
            ("DELETE", _) => Some("DELETE removes, so the effect is \"change\" or \"destroy\"".to_owned()),
            ("PUT" | "PATCH", Effect::Read) => {
                Some(format!("{method} writes, so the effect is not \"read\""))
            }
            ("POST", Effect::Read) if !RENDERS.contains(&operation.operation.operation_id.as_str()) => Some(
                format!("POST writes, so the effect is not \"read\"; only {} render", RENDERS.join(", ")),
            ),
            _ => None,
        };
        if let Some(text) = text {
            self.problems.add(line, table, "effect", text);
        }
        effect
    }

    /// What concerns several tools.
    fn surface(&mut self, tools: &[Tool]) {
        let default = tools.iter().filter(|tool| tool.default).count();
        if default > DEFAULT {
            let text = format!("{default} tools have default = true, at most {DEFAULT} may");
            self.problems.add(0, "", "", text);
        }
        for (name, view) in &self.inventory.views {
            let definition = name.split('.').next().unwrap_or(name);
            if definition != name && view.fields.is_empty() {
                let text = format!("a variant of {definition} needs `fields`");
                self.problems.add(view.line, &format!("views.{name}"), "", text);
            }
        }
    }
}

fn toolset((name, row): &(String, super::model::Toolset)) -> Toolset {
    Toolset { name: name.clone(), title: row.title.clone(), about: row.about.clone() }
}

/// Whether a release is after another.
fn later(release: &str, than: &str) -> bool {
    pin::numbers(release) > pin::numbers(than)
}

/// FNV-1a over the document's canonical JSON: tells that it changed, guards against nothing.
fn digest(document: &Document) -> String {
    let bytes = serde_json::to_vec(document).unwrap_or_default();
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
