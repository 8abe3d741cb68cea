//! The vocabulary against the releases: each word's type is one, and each parameter that gets its name by itself is
//! there.

use std::collections::BTreeSet;

use crate::document::{Operation, Place};
use crate::history::{History, has_parameter};

use super::super::model::{Inventory, Rule};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::Kind;
use super::kinds;

/// Notes what is wrong with the vocabulary's words, whether an argument has them or not.
pub(super) fn check(inventory: &Inventory, history: &History, problems: &mut Problems) {
    for (name, rule) in &inventory.vocabulary {
        let table = format!("vocabulary.{name}");
        for (line, key, text) in typed(inventory, rule) {
            problems.add(line, &table, key, text);
        }
        for wire in &rule.wire {
            if operations(history).any(|(document, operation)| has_parameter(document, operation, wire)) {
                continue;
            }
            let known: BTreeSet<String> = operations(history).flat_map(|(_, at)| keys(at)).collect();
            let near = did_you_mean(wire, known.iter().map(String::as_str));
            problems.add(
                wire.line,
                &table,
                "wire",
                format!("no operation has a parameter {:?}{near}", wire.value),
            );
        }
    }
}

/// What is wrong with a word's type: line, key and text.
fn typed(inventory: &Inventory, rule: &Rule) -> Vec<(usize, &'static str, String)> {
    let mut faults = Vec::new();
    let kind = rule.kind.as_ref().map(|at| (at, kinds::of_word(at)));
    if let Some((at, None)) = &kind {
        faults.push((at.line, "type", kinds::no_type(at)));
    }
    if let Some(at) = &rule.names {
        let word = at.strip_suffix("[]").unwrap_or(at);
        if !inventory.names.contains_key(word) {
            let near = did_you_mean(word, inventory.names.keys().map(String::as_str));
            faults.push((at.line, "as", format!("there is no [names.{word}]{near}")));
        }
    }
    if let (Some(least), Some(most)) = (rule.min, rule.max)
        && least > most
    {
        faults.push((rule.line, "min", format!("{least} is more than max {most}")));
    }
    let is_number = kind.is_none_or(|(_, kind)| kind.is_none_or(|kind| matches!(kind, Kind::Integer { .. })));
    if (rule.min.is_some() || rule.max.is_some()) && (!is_number || !rule.values.is_empty()) {
        faults.push((rule.line, "min", "min and max are for integers".to_owned()));
    }
    faults
}

fn operations(history: &History) -> impl Iterator<Item = (&crate::document::Document, &Operation)> {
    let all =
        history.documents().iter().flat_map(|document| document.operations().map(move |at| (document, at)));
    all.map(|(document, at)| (document, at.operation))
}

/// The keys of an operation's parameters, a body taken as one.
fn keys(operation: &Operation) -> impl Iterator<Item = String> {
    let place = |place| match place {
        Place::Path => "path",
        Place::Query => "query",
        Place::FormData => "form",
        Place::Body => "body",
        Place::Header => "header",
    };
    operation.parameters.iter().map(move |parameter| format!("{}.{}", place(parameter.place), parameter.name))
}
