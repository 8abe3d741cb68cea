//! From rows to finished tools: every name is compared with the pinned document, and every fault is noted.

pub(super) mod answer;
mod applied;
mod arguments;
mod dispositions;
mod effect;
pub(super) mod fields;
pub(super) mod kinds;
mod merge;
mod names;
mod natural;
mod nested;
mod present;
mod retired;
mod routes;
mod secrets;
mod slots;
mod views;
mod vocabulary;

use std::collections::BTreeMap;

use crate::document::{Document, Located};
use crate::history::History;
use crate::pin;

use super::model::{At, Inventory, LinesRow, ToolRow};
use super::names::Named;
use super::output::Output;
use super::problem::{Problems, did_you_mean};
use super::schema;
use super::tool::{Answer, ApiCall, Build, Effect, Lines, Mask, Shape, Tool, Toolset, When};

/// The longest name of a tool, in characters.
const NAME: usize = 40;
/// The longest description, in characters.
const ABOUT: usize = 2048;
/// The most tools that are on when nothing is chosen.
const DEFAULT: usize = 40;
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
    let retired = retired::tools(inventory, &mut problems);
    vocabulary::check(inventory, history, &mut problems);
    let named = names::all(inventory, document, history, &mut problems);
    let secrets = secrets::Secrets::of(inventory, document, &mut problems);
    let mut resolver = Resolver {
        inventory,
        document,
        history,
        operations: &operations,
        views: &views,
        named: &named,
        secrets: &secrets,
        problems,
    };
    let mut tools: Vec<Tool> =
        inventory.tools.iter().filter_map(|(name, row)| resolver.tool(name, row)).collect();
    resolver.surface(&tools);
    resolver.presents(&mut tools);
    let mut problems = resolver.problems;
    let dispositions = dispositions::of(inventory, &operations, document, history, &mut problems);
    let any_json = dispositions::any_json(inventory, document, history, &mut problems);
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let shows = |tool: &Tool, name: &str| tool.view() == Some(name) || tool.view_of_present() == Some(name);
    let definitions = fields::all(document, &tools);
    let views =
        views.iter().filter(|(name, _)| tools.iter().any(|tool| shows(tool, name))).cloned().collect();
    problems.or(Build {
        contract_version: inventory.contract_version,
        release: document.release.clone(),
        digest: digest(document),
        toolsets: inventory.toolsets.iter().map(toolset).collect(),
        names: names::taken(named, &tools),
        tools,
        views,
        retired,
        dispositions,
        any_json,
        secrets: secrets.rows(),
        definitions,
        masks: secrets.masks(),
    })
}

struct Resolver<'a> {
    inventory: &'a Inventory,
    document: &'a Document,
    history: &'a History,
    operations: &'a BTreeMap<&'a str, Located<'a>>,
    views: &'a [(String, Shape)],
    named: &'a [Named],
    secrets: &'a secrets::Secrets<'a>,
    problems: Problems,
}

impl<'a> Resolver<'a> {
    fn tool(&mut self, name: &str, row: &'a ToolRow) -> Option<Tool> {
        let table = format!("tools.{name}");
        self.words(name, &table, row);
        if self.is_to_come(&table, row) {
            return None;
        }
        if let Some(function) = &row.composed {
            return self.composed(name, row, function);
        }
        let operation = self.operation(&table, "operation", row.operation.line, &row.operation)?;
        let effect = self.effect(&table, row, &[operation]);
        let routes = row.route.iter().map(|route| route.parameter.as_str());
        let mentioned =
            row.params.iter().map(|(key, _)| key.as_str()).chain(row.hide.iter().map(|at| at.as_str()));
        let mentioned: Vec<&str> = mentioned.chain(routes).collect();
        let mut slots = slots::of(self.document, operation, &mentioned);
        let mut calls = vec![self.call(operation, None)];
        calls.extend(self.routes((&table, row), operation, &mentioned, &mut slots));
        Some(self.finished((name, row), effect, &slots, Some(operation), calls))
    }

    /// A tool that takes several calls, or none; left out where the release lacks one of them.
    fn composed(&mut self, name: &str, row: &'a ToolRow, function: &At<String>) -> Option<Tool> {
        let table = format!("tools.{name}");
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if function.is_empty() || !function.chars().all(plain) {
            let text = format!("{:?} is no function's name", function.value);
            self.problems.add(function.line, &table, "composed", text);
        }
        let unused = [
            ("route", row.route.first().map(|route| route.operation.line)),
            ("beside", row.beside.as_ref().map(|at| at.line)),
        ];
        for (key, line) in unused {
            if let Some(line) = line {
                self.problems.add(
                    line,
                    &table,
                    key,
                    "is for a tool of one operation; `calls` names all of them",
                );
            }
        }
        let found: Vec<Option<Located<'a>>> =
            row.calls.iter().map(|call| self.operation(&table, "calls", call.line, call)).collect();
        let operations: Vec<Located<'a>> = found.into_iter().collect::<Option<_>>()?;
        let effect = self.effect(&table, row, &operations);
        let mentioned: Vec<&str> = row.params.iter().map(|(key, _)| key.as_str()).collect();
        let slots = slots::of_composed(self.document, &operations, &mentioned);
        let calls = operations.iter().map(|operation| self.call(*operation, None)).collect();
        Some(self.finished((name, row), effect, &slots, operations.last().copied(), calls))
    }

    fn finished(
        &mut self,
        (name, row): (&str, &'a ToolRow),
        effect: Effect,
        slots: &[slots::Slot<'a>],
        answers: Option<Located<'a>>,
        calls: Vec<ApiCall>,
    ) -> Tool {
        let table = format!("tools.{name}");
        let of = (name, row);
        let made = arguments::of(
            self.inventory,
            of,
            slots,
            (self.document, self.history, self.named),
            &mut self.problems,
        );
        let documents = (self.document, self.history);
        let answer = answer::of(self.inventory, documents, of, (answers, slots), &mut self.problems);
        answer::check_paging(of, &answer, &made.arguments, &mut self.problems);
        let output = Output { document: self.document, views: self.views, operation: answers, effect };
        let (confirm, confirm_when) = self.confirmed(&table, row, effect, &made.arguments);
        let merge = self.merge(&table, row, (effect, answers), &made.arguments);
        let stale = self.stale(&table, row, (effect, answers), &made.arguments);
        let operation = answers.filter(|_| row.composed.is_none());
        let applied = self.compared(of, (operation, effect), (&answer, &made.arguments));
        let lines = self.lines(&table, row, effect, &answer);
        self.of_texts(&table, row, effect, &answer);
        let (reveals, mask) = self.masked(&table, row, answers);
        Tool {
            name: name.to_owned(),
            title: row.title.value.clone(),
            about: row.about.value.clone(),
            toolset: row.toolset.value.clone(),
            default: row.default,
            effect,
            confirm,
            calls,
            schema: schema::input(&made.arguments, &answer, effect, confirm || !confirm_when.is_empty()),
            confirm_when,
            merge,
            present: None,
            stale,
            applied,
            reveals,
            mask,
            definition: fields::of_answer(self.document, &answer, answers),
            lines,
            output: output.schema(&answer),
            retired: retired::arguments(self.inventory, of, &made.arguments, &mut self.problems),
            arguments: made.arguments,
            constants: made.constants,
            answer,
            statuses: row.statuses.clone(),
            perhaps: row.perhaps.clone(),
            html: answers.is_some_and(|at| at.operation.produces.iter().any(|media| media == "text/html")),
            composed: row.composed.as_ref().map(|at| at.value.clone()),
        }
    }

    /// Whether a later release brings a tool's operations. `since` goes as soon as a document at hand has them.
    fn is_to_come(&mut self, table: &str, row: &ToolRow) -> bool {
        let Some(since) = &row.since else { return false };
        let is_release = !since.is_empty() && pin::numbers(since).iter().all(|number| *number != u32::MAX);
        let mut calls = std::iter::once(&row.operation).chain(&row.calls).filter(|call| !call.is_empty());
        let known = calls.find_map(|call| Some((call, self.history.operations(call).next()?.0)));
        let text = match known {
            _ if !is_release => format!("is a release, as \"16.0\", not {:?}", since.value),
            Some((call, document)) => {
                format!("the document of Forgejo {} has {}: leave it out", document.release, call.value)
            }
            None => return pin::numbers(since) > pin::numbers(&self.document.release),
        };
        self.problems.add(since.line, table, "since", text);
        true
    }

    /// Whether a tool shows the secrets of its answer, and what is masked in it where it does not.
    fn masked(&mut self, table: &str, row: &ToolRow, answers: Option<Located<'a>>) -> (bool, Option<Mask>) {
        let mask = answers.and_then(|operation| self.secrets.answer(operation));
        if let (Some(at), None, true) = (&row.reveals, &mask, self.secrets.are_all_known()) {
            self.problems.add(at.line, table, "reveals", "its answer holds no field of [secrets]");
        }
        let reveals = row.reveals.as_ref().is_some_and(|at| at.value);
        (reveals, mask.filter(|_| !reveals))
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

    fn call(&self, operation: Located<'_>, when: Option<When>) -> ApiCall {
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
            when,
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

    /// What a range of lines is taken from.
    fn lines(&mut self, table: &str, row: &ToolRow, effect: Effect, answer: &Answer) -> Option<Lines> {
        let at = row.lines.as_ref()?;
        let view = |name: &String| self.views.iter().find(|(known, _)| known == name);
        let shown = match answer {
            Answer::Item(Some(name)) => view(name).map_or(Vec::new(), |(_, shape)| shape.names()),
            _ => Vec::new(),
        };
        let text = match (&at.value, answer) {
            _ if effect != Effect::Read => "is for what reads".to_owned(),
            (LinesRow::Text, Answer::Text) => return Some(Lines::Text),
            (LinesRow::Field(field), Answer::Item(_)) if shown.contains(&field.as_str()) => {
                return Some(Lines::Field(field.clone()));
            }
            (LinesRow::Field(field), Answer::Item(_)) => {
                format!("the answer shows no field {field:?}{}", did_you_mean(field, shown))
            }
            _ => "is true for an answer that is a text, or the shown field of an item".to_owned(),
        };
        self.problems.add(at.line, table, "lines", text);
        None
    }

    /// What goes with an answer that is a text alone.
    fn of_texts(&mut self, table: &str, row: &ToolRow, effect: Effect, answer: &Answer) {
        let is_text = effect == Effect::Read && matches!(answer, Answer::Text);
        for (key, flag) in [("metadata", &row.metadata), ("paths", &row.paths)] {
            if let Some(at) = flag.as_ref().filter(|_| !is_text) {
                self.problems.add(at.line, table, key, "is for what reads a text");
            }
        }
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

/// FNV-1a over the document's canonical JSON: tells that it changed, guards against nothing.
fn digest(document: &Document) -> String {
    let bytes = serde_json::to_vec(document).unwrap_or_default();
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
