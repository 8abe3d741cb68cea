//! What a row may say of a parameter that is sent by itself, hidden, given or chosen among words.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::super::super::model::{At, ParamRow, Rule};
use super::super::super::problem::did_you_mean;
use super::super::super::tool::{Argument, Kind};
use super::super::kinds;
use super::super::slots::{self, Slot};
use super::{Maker, RESERVED};

impl Maker<'_, '_> {
    /// A constant is of the document's type, and makes no argument that other keys could say something of.
    pub(super) fn check_constant(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, constant: &Json) {
        let line = row.rule.line;
        if !kinds::fits(&kinds::of_schema(self.document, slot.schema), constant) {
            self.fault(line, key, format!("const {constant} is not what the forge takes"));
        }
        let rule = Rule { line, ..Rule::default() };
        if *row != (ParamRow { rule, constant: row.constant.clone(), ..ParamRow::default() }) {
            self.fault(line, key, "beside `const` stands no other key: it makes no argument".to_owned());
        }
    }

    /// What is hidden is not demanded, and has no row.
    pub(super) fn check_hidden(&mut self, slot: &Slot<'_>, key: &str, line: usize) {
        if self.params.contains_key(key) {
            self.fault(line, key, "is hidden, so that its row says nothing".to_owned());
        }
        if slot.required {
            let said = "the forge demands it, so it cannot be hidden; `const` sends a value";
            self.fault(line, key, said.to_owned());
        }
    }

    /// What is given in the place of a value is one, and is there where the document demands one.
    pub(super) fn check_given(&mut self, slot: &Slot<'_>, key: &str, row: &ParamRow, argument: &Argument) {
        let line = row.rule.line;
        if let Some(default) = argument.default.as_ref().filter(|value| !kinds::fits(&argument.kind, value)) {
            let kind = kinds::words(&argument.kind);
            self.fault(line, key, format!("default {default} is not of the argument's type, {kind}"));
        }
        if slot.required && row.required == Some(false) && !self.is_given(key, row) {
            let said = "the document demands it, so that nothing could be sent without it: it needs a default, or a \
                        correction that says what the wire does";
            self.fault(line, key, said.to_owned());
        }
        if let (Some(true), true) = (row.required, row.default.is_some() || row.default_from.is_some()) {
            let said = "is required, so that a call gives it and neither default nor default_from is taken";
            self.fault(line, key, said.to_owned());
        }
    }

    /// An enum of the inventory may leave words of the document's out, and may not invent any.
    pub(super) fn check_enum(&mut self, key: &str, kind: &Kind, values: &[At<String>]) {
        let item = if let Kind::List(item) = kind { item } else { kind };
        let Kind::Enum(known) = item else {
            if let (Some(value), true) = (values.first(), *item != Kind::Text) {
                self.fault(value.line, key, format!("enum is of a text, this is {}", kinds::words(kind)));
            }
            return;
        };
        for value in values {
            if !known.contains(&value.value) {
                let near = did_you_mean(value, known.iter().map(String::as_str));
                let near = if near.is_empty() { format!("; it takes {}", known.join(", ")) } else { near };
                self.fault(value.line, key, format!("the forge takes no {:?} here{near}", value.value));
            }
        }
    }

    /// Names and older names are those of one argument each, and none of the engine's.
    pub(super) fn check_names(&mut self, arguments: &[Argument]) {
        let mut seen: BTreeMap<&str, String> = BTreeMap::new();
        for argument in arguments {
            let key = slots::key(argument.place, &argument.wire);
            let line = self.params.get(key.as_str()).map_or(self.row.line, |row| row.rule.line);
            let aliases = argument.aliases.iter().map(String::as_str);
            for name in std::iter::once(argument.name.as_str()).chain(aliases) {
                if RESERVED.contains(&name) {
                    self.fault(line, &key, format!("the argument name {name:?} is reserved"));
                }
                if let Some(other) = seen.insert(name, key.clone()) {
                    let text = format!("the argument name {name:?} is already that of {other}");
                    self.fault(line, &key, text);
                }
            }
        }
    }
}
