//! From a tool's parameters on the wire to its arguments: names, types, rules and order.

mod beside;
mod checks;
mod together;

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use serde_json::Value as Json;

use crate::document::Document;
use crate::history::{History, Span, has_parameter};

use super::super::model::{At, Inventory, ParamRow, Rule, ToolRow};
use super::super::names::Named;
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::{Argument, Codec, Kind, Mask, Place};
use super::slots::Slot;
use super::{kinds, natural, nested, secrets};
use beside::is_key;

/// Names that the engine gives a meaning of its own.
pub(super) const RESERVED: [&str; 10] =
    ["as_of", "confirm", "dry_run", "fields", "file", "max_bytes", "offset", "overwrite", "save_as", "skip"];

/// What is made of a tool's parameters.
pub(super) struct Arguments {
    pub(super) arguments: Vec<Argument>,
    pub(super) constants: Vec<(Place, String, Json)>,
}

/// The arguments of a tool, required ones first, `page` and `limit` last.
pub(super) fn of(
    inventory: &Inventory,
    (name, row): (&str, &ToolRow),
    slots: &[Slot<'_>],
    (document, history, named): (&Document, &History, &[Named]),
    problems: &mut Problems,
) -> Arguments {
    let table = format!("tools.{name}");
    let params = row.params.iter().map(|(key, row)| (key.as_str(), row)).collect();
    let mut made = Maker {
        inventory,
        row,
        params,
        slots,
        document,
        history,
        named,
        table,
        problems,
        optional: Vec::new(),
    };
    made.unknown_keys();
    made.optional = row.route.iter().map(|route| route.parameter.value.clone()).collect();
    let mut all = Arguments { arguments: Vec::new(), constants: Vec::new() };
    for (slot, key) in made.in_order() {
        made.argument(slot, &key, &mut all);
    }
    made.others(&mut all.arguments);
    if row.paging.as_ref().is_some_and(|paging| paging.value == "here") {
        all.arguments.retain(|argument| !matches!(argument.name.as_str(), "page" | "limit"));
        all.arguments.extend(["page", "limit"].map(|name| made.local(name)));
    }
    let is_set = |flag: &Option<At<bool>>| flag.as_ref().is_some_and(|at| at.value);
    let own = [
        (is_set(&row.paths), "paths"),
        (row.lines.is_some(), "start_line"),
        (row.lines.is_some(), "end_line"),
        (is_set(&row.metadata), "with_metadata"),
    ];
    for (_, name) in own.into_iter().filter(|(is_there, _)| *is_there) {
        all.arguments.push(made.local(name));
    }
    let last =
        |name: &str| ["page", "limit"].iter().position(|paging| *paging == name).map_or(0, |at| at + 1);
    all.arguments.sort_by_key(|a| (!a.required, last(&a.name)));
    made.check_names(&all.arguments);
    let retired: Vec<&str> = row.retired.iter().map(|(name, _)| name.as_str()).collect();
    let operation = row.calls.last().map_or(row.operation.as_str(), |call| call.as_str());
    if let Some(located) = document.operation(operation) {
        natural::add(located.path, &retired, &mut all.arguments);
    }
    all
}

struct Maker<'a, 'p> {
    inventory: &'a Inventory,
    row: &'a ToolRow,
    params: BTreeMap<&'a str, &'a ParamRow>,
    slots: &'a [Slot<'a>],
    document: &'a Document,
    history: &'a History,
    named: &'a [Named],
    table: String,
    problems: &'p mut Problems,
    optional: Vec<String>,
}

impl<'a> Maker<'a, '_> {
    fn fault(&mut self, line: usize, key: &str, message: String) {
        let table = if key.is_empty() { self.table.clone() } else { format!("{}.params", self.table) };
        self.problems.add(line, &table, key, message);
    }

    fn unknown_keys(&mut self) {
        let rows = self.params.iter().map(|(key, row)| ((*key).to_owned(), row.rule.line, "params"));
        let hidden = self.row.hide.iter().map(|at| (at.value.clone(), at.line, "hide"));
        let without = self.row.route.iter().filter(|route| !route.given).map(|route| &route.parameter);
        let without = without.map(|at| (at.value.clone(), at.line, "route"));
        let confirm = self.row.confirm_when.iter().map(|at| (at.value.clone(), at.line, "confirm_when"));
        let asked: Vec<_> = rows.chain(hidden).chain(without).chain(confirm).collect();
        for (key, line, place) in asked {
            let list = nested::list_of(&key).filter(|_| place == "params").unwrap_or(&key);
            let Some(message) = self.unknown(list) else { continue };
            match place {
                "params" => self.fault(line, &key, message),
                _ => self.problems.add(line, &self.table.clone(), place, message),
            }
        }
    }

    /// That the tool has no such parameter, in no release.
    fn unknown(&self, key: &str) -> Option<String> {
        let known: Vec<String> = self.slots.iter().map(Slot::key).collect();
        if known.iter().any(|known| known == key) || self.elsewhere(key) {
            return None;
        }
        let near = did_you_mean(key, known.iter().map(String::as_str));
        let calls: Vec<&str> = self.row.calls.iter().map(|at| at.as_str()).collect();
        Some(match (&self.row.composed, calls.as_slice()) {
            (None, _) => format!("{} has no parameter {key:?}{near}", self.row.operation.value),
            (Some(_), []) => format!("{key:?} is no parameter; one of the tool's own is \"local.…\"{near}"),
            (Some(_), calls) => format!("none of {} has a parameter {key:?}{near}", calls.join(", ")),
        })
    }

    /// Whether another release's operation has the parameter.
    fn elsewhere(&self, key: &str) -> bool {
        let mut releases = self.history.operations(&self.row.operation);
        releases.any(|(document, at)| has_parameter(document, at.operation, key))
    }

    /// When the operation has a parameter.
    fn span(&self, key: &str) -> Span {
        let mut releases = self.history.operations(&self.row.operation);
        let here = releases.find(|(document, _)| document.release == self.document.release);
        here.map(|(document, at)| self.history.parameter(&document.release, at, key)).unwrap_or_default()
    }

    /// Path parameters, then those that the inventory mentions in its order, then the document's others.
    fn in_order(&self) -> Vec<(&'a Slot<'a>, String)> {
        let place = |slot: &Slot<'_>, key: &str| {
            let mentioned = self.row.params.iter().position(|(name, _)| name == key);
            if slot.place == Place::Path { (0, 0) } else { (1, mentioned.unwrap_or(usize::MAX)) }
        };
        let mut slots: Vec<(&Slot<'_>, String)> = self.slots.iter().map(|slot| (slot, slot.key())).collect();
        slots.sort_by_key(|(slot, key)| place(slot, key));
        slots
    }

    fn argument(&mut self, slot: &Slot<'_>, key: &str, all: &mut Arguments) {
        let none = ParamRow { rule: Rule { line: self.row.line, ..Rule::default() }, ..ParamRow::default() };
        let row = self.params.get(key).copied().unwrap_or(&none);
        let line = row.rule.line;
        let required = self.required(slot, key, row);
        if let Some(constant) = &row.constant {
            self.check_constant(slot, key, row, constant);
            all.constants.push((slot.place, slot.wire.clone(), constant.clone()));
            return;
        }
        if self.row.hide.iter().any(|at| at.value == key) {
            self.check_hidden(slot, key, line);
            return;
        }
        let name = self.name(slot, key, row);
        let word = self.inventory.vocabulary.get(&name);
        let kind = self.kind(slot, key, row, word);
        let codec = self.codec(slot, key, row, &kind);
        let argument = Argument {
            aliases: aliases(row, word),
            place: slot.place,
            wire: slot.wire.clone(),
            required,
            default: row.default.clone(),
            default_from: None,
            demands: None,
            demands_at: self.demands_at(slot, key, row, &kind),
            excludes: None,
            when_false: self.when_false(key, row, &kind),
            or: row.or.as_ref().filter(|at| !is_key(&at.value)).map(|at| at.value.clone()),
            empty: row.rule.empty.or_else(|| word.and_then(|word| word.empty)).unwrap_or(false),
            codec,
            about: self.about(&name, line, row, word),
            described: described(row, word),
            span: if slot.place == Place::Local { Span::default() } else { self.span(key) },
            secret: self.secret(slot, key, row, &kind),
            kind,
            name,
        };
        self.check_given(slot, key, row, &argument);
        let other = self.in_its_place(&argument, (key, row), slot);
        let media_type = row.media_type.as_ref().map(|name| self.media_type(&argument, name, key));
        all.arguments.push(argument);
        all.arguments.extend(other);
        all.arguments.extend(media_type);
    }

    fn required(&self, slot: &Slot<'_>, key: &str, row: &ParamRow) -> bool {
        row.required.unwrap_or(slot.required && !self.is_given(key, row))
    }

    /// Whether something stands in for the parameter where the caller leaves it out.
    fn is_given(&self, key: &str, row: &ParamRow) -> bool {
        row.default.is_some() || row.default_from.is_some() || self.optional.iter().any(|k| k == key)
    }

    fn name(&self, slot: &Slot<'_>, key: &str, row: &ParamRow) -> String {
        if let Some(name) = &row.name {
            return name.value.clone();
        }
        let mut words = self.inventory.vocabulary.iter();
        match words.find(|(_, rule)| rule.wire.iter().any(|wire| wire.value == key)) {
            Some((name, _)) => name.clone(),
            None => slot.wire.to_snake_case(),
        }
    }

    fn kind(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, word: Option<&Rule>) -> Kind {
        let is_typed = row.rule.kind.is_some() || !row.rule.values.is_empty();
        let names = row.rule.names.as_ref();
        if let Some(names) = names.or(word.filter(|_| !is_typed).and_then(|word| word.names.as_ref())) {
            return self.names(slot, key, row, names);
        }
        let mut kind = self.told(slot, key, row, word);
        let values =
            if row.rule.values.is_empty() { word.map(|w| &w.values) } else { Some(&row.rule.values) };
        if let Some(values) = values.filter(|values| !values.is_empty()) {
            self.check_enum(key, &kind, values);
            let words = Kind::Enum(values.iter().map(|at| at.value.clone()).collect());
            kind = if matches!(kind, Kind::List(_)) { Kind::List(Box::new(words)) } else { words };
        }
        if let Kind::Integer { min, max } = &mut kind {
            *min = row.rule.min.or(word.and_then(|word| word.min)).or(*min);
            *max = row.rule.max.or(word.and_then(|word| word.max)).or(*max);
            if let (Some(least), Some(most)) = (*min, *max)
                && least > most
                && (row.rule.min.is_some() || row.rule.max.is_some())
            {
                self.fault(row.rule.line, key, format!("min {least} is more than max {most}"));
            }
        } else if row.rule.min.is_some() || row.rule.max.is_some() {
            let text = format!("min and max are for integers, this is {}", kinds::words(&kind));
            self.fault(row.rule.line, key, text);
        }
        for (key, line, message) in nested::apply(&mut kind, key, &self.params) {
            self.fault(line, &key, message);
        }
        kind
    }

    /// The type that row or vocabulary tell, else the document.
    fn told(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, word: Option<&Rule>) -> Kind {
        let said = row.rule.kind.as_ref().or(word.and_then(|word| word.kind.as_ref()));
        match said {
            None if row.join.is_some() => Kind::List(Box::new(Kind::Text)),
            None if row.codec.as_ref().is_some_and(|codec| codec.value == "duration") => Kind::Text,
            None if slot.place == Place::Local && row.rule.values.is_empty() => {
                self.fault(
                    row.rule.line,
                    key,
                    "a parameter of the tool's own needs `type`, `as` or `enum`".to_owned(),
                );
                Kind::Text
            }
            None if slot.place == Place::Local => Kind::Text,
            None => {
                if kinds::has_number(self.document, slot.schema) {
                    let text = format!(
                        "the document says number, which no argument is: `type` says what is sent; known are {}",
                        kinds::WORDS.join(", ")
                    );
                    self.fault(row.rule.line, key, text);
                }
                kinds::of_schema(self.document, slot.schema)
            }
            Some(at) => kinds::of_word(at).unwrap_or_else(|| {
                // One of the vocabulary's is told there.
                if row.rule.kind.is_some() {
                    self.fault(at.line, key, kinds::no_type(at));
                }
                Kind::Text
            }),
        }
    }

    /// The kind of names that are looked up in lists of what the tool's path tells.
    fn names(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, names: &At<String>) -> Kind {
        let (word, is_list) = names.strip_suffix("[]").map_or((names.as_str(), false), |word| (word, true));
        let named = self.named;
        let Some(of) = named.iter().find(|known| known.name == word) else {
            // One of the vocabulary's is told there.
            if row.rule.names.is_some() {
                let near = did_you_mean(word, named.iter().map(|known| known.name.as_str()));
                self.fault(names.line, key, format!("there is no [names.{word}]{near}"));
            }
            return if is_list { Kind::List(Box::new(Kind::Text)) } else { Kind::Text };
        };
        for fault in super::names::misuse(of, &row.rule, slot, self.slots) {
            self.fault(names.line, key, fault);
        }
        let method = self.document.operation(&self.row.operation).map(|at| at.method);
        let replaces = is_list && slot.place == Place::Body && matches!(method, Some("put" | "patch"));
        kinds::of_names(of, (is_list, replaces), slot, row.rule.min)
    }

    /// What of its value is a secret. A row must say something, and that of what can hold one.
    fn secret(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, kind: &Kind) -> Option<Mask> {
        if let Some(fault) = secrets::misuse(row, slot, kind) {
            self.fault(row.rule.line, key, fault);
        }
        secrets::of_argument(row, slot, kind)
    }

    fn codec(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, kind: &Kind) -> Codec {
        let list = matches!(kind, Kind::List(_));
        match (&row.codec, &row.join) {
            (None, None) if slot.place == Place::File => Codec::FromBase64,
            (None, None)
                if slot.in_map && matches!(kind, Kind::Integer { .. } | Kind::Id | Kind::Boolean) =>
            {
                Codec::AsText
            }
            (None, None) => Codec::Plain,
            (None, Some(join)) if join.value == "," && list => Codec::Comma,
            (None, Some(join)) => {
                self.fault(join.line, key, "join is \",\", on a list".to_owned());
                Codec::Plain
            }
            (Some(codec), None) if codec.value == "base64" && *kind == Kind::Text => Codec::Base64,
            (Some(codec), None) if codec.value == "is_base64" && *kind == Kind::Text => Codec::CheckedBase64,
            (Some(codec), None) if codec.value == "duration" && *kind == Kind::Text => {
                let wire = kinds::of_schema(self.document, slot.schema);
                if !matches!(wire, Kind::Integer { .. }) {
                    let text =
                        format!("a duration is sent as an integer, and this is {}", kinds::words(&wire));
                    self.fault(codec.line, key, text);
                }
                Codec::Duration
            }
            (Some(codec), None) if codec.value == "sha" && *kind == Kind::Text => Codec::Sha,
            (Some(codec), _) => {
                let all = ["base64", "is_base64", "duration", "sha"];
                let near =
                    if all.contains(&codec.as_str()) { String::new() } else { did_you_mean(codec, all) };
                let known = format!(
                    "codec is \"base64\", \"is_base64\", \"duration\" or \"sha\", on a text, not {:?} on {}{near}",
                    codec.value,
                    kinds::words(kind)
                );
                self.fault(codec.line, key, known);
                Codec::Plain
            }
        }
    }

    fn about(&mut self, name: &str, line: usize, row: &ParamRow, word: Option<&Rule>) -> String {
        match row.rule.about.as_ref().or(word.and_then(|word| word.about.as_ref())) {
            Some(about) => {
                if about.trim().is_empty() && row.rule.about.is_some() {
                    let text = format!("the argument {name:?} is not described: `about` is empty");
                    self.problems.add(about.line, &format!("{}.params", self.table), "", text);
                }
                about.value.clone()
            }
            None => {
                let near = did_you_mean(name, self.inventory.vocabulary.keys().map(String::as_str));
                let text = format!(
                    "the argument {name:?} is not described: it needs `about`, or a [vocabulary.{name}]{near}"
                );
                let table = format!("{}.params", self.table);
                self.problems.add(line, &table, "", text);
                String::new()
            }
        }
    }

    /// An argument that no parameter on the wire stands for, as the vocabulary has it.
    fn local(&mut self, name: &str) -> Argument {
        let word = self.inventory.vocabulary.get(name);
        let max = word.and_then(|word| word.max);
        let kind = word.and_then(|word| kinds::of_word(word.kind.as_ref()?));
        Argument {
            name: name.to_owned(),
            aliases: word.map(|word| texts(&word.aliases)).unwrap_or_default(),
            place: Place::Local,
            wire: name.to_owned(),
            kind: kind.unwrap_or(if name.ends_with("_line") {
                Kind::Id
            } else {
                Kind::Integer { min: Some(1), max }
            }),
            required: false,
            default: None,
            default_from: None,
            demands: None,
            demands_at: None,
            excludes: None,
            when_false: None,
            or: None,
            empty: false,
            codec: Codec::Plain,
            about: self.about(name, self.row.line, &ParamRow::default(), word),
            described: described(&ParamRow::default(), word),
            span: Span::default(),
            secret: None,
        }
    }
}

fn texts(list: &[At<String>]) -> Vec<String> {
    list.iter().map(|at| at.value.clone()).collect()
}

fn aliases(row: &ParamRow, word: Option<&Rule>) -> Vec<String> {
    let own = texts(&row.rule.aliases);
    if own.is_empty() { word.map(|word| texts(&word.aliases)).unwrap_or_default() } else { own }
}

/// A description of the tool's own is shown, one of the vocabulary unless the name says it all.
fn described(row: &ParamRow, word: Option<&Rule>) -> bool {
    let silent =
        row.rule.silent.or(if row.rule.about.is_some() { None } else { word.and_then(|word| word.silent) });
    !silent.unwrap_or(false)
}
