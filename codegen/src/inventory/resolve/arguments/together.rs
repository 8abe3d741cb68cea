//! Arguments that depend on each other: one that demands another, is left out for it or takes its value, and one that
//! may not stand beside another.

use super::super::super::model::{At, ParamRow};
use super::super::super::problem::did_you_mean;
use super::super::super::tool::{Argument, Kind, Place};
use super::super::kinds;
use super::super::slots::{self, Slot};
use super::Maker;
use super::beside::is_key;

/// The keys of a row that name another parameter.
fn named(row: &ParamRow) -> impl Iterator<Item = (&'static str, &At<String>)> {
    let or = row.or.as_ref().filter(|at| is_key(&at.value));
    let all = [
        ("default_from", row.default_from.as_ref()),
        ("demands", row.demands.as_ref()),
        ("excludes", row.excludes.as_ref()),
        ("or", or),
    ];
    all.into_iter().filter_map(|(word, at)| Some((word, at?)))
}

/// What is wrong with an argument that names another one by this key.
fn misuse(word: &str, own: &Argument, other: &Argument) -> Option<String> {
    let (name, kind) = (&other.name, kinds::words);
    match word {
        _ if own.name == other.name => Some("names the parameter itself".to_owned()),
        "default_from" if own.kind != other.kind => {
            Some(format!("{name} is {}, and this is {}", kind(&other.kind), kind(&own.kind)))
        }
        "default_from" if own.codec != other.codec => {
            Some(format!("{name} is written in another way than this"))
        }
        "demands" if other.required => Some(format!("{name} is required, so that it is always given")),
        "excludes" if other.required => Some(format!("{name} is required, so that this can never be given")),
        "or" if other.required => Some(format!("{name} is required, so that nothing can stand in its place")),
        _ => None,
    }
}

impl Maker<'_, '_> {
    /// Gives the arguments the names of others that their rows name by parameter. What another release alone has is
    /// left out without a word, and so is an argument that is there for nothing but to demand it.
    pub(super) fn others(&mut self, arguments: &mut Vec<Argument>) {
        let rows: Vec<(&str, &ParamRow)> = self.params.iter().map(|(key, row)| (*key, *row)).collect();
        for (key, row) in rows {
            for (word, at) in named(row) {
                let find = |key: &str| arguments.iter().position(|a| slots::key(a.place, &a.wire) == key);
                let (own, other) = (find(key), find(&at.value));
                let of = |at: Option<usize>| at.and_then(|at| arguments.get(at));
                let fault = match (of(own), of(other)) {
                    // A row that makes no argument is told already.
                    (None, _) => continue,
                    (Some(_), None) => self.row.never_given(&at.value).or_else(|| self.unknown(&at.value)),
                    (Some(own), Some(other)) => misuse(word, own, other),
                };
                if let Some(fault) = fault {
                    self.problems.add(at.line, &format!("{}.params.{key}", self.table), word, fault);
                    continue;
                }
                let name = of(other).map(|other| other.name.clone());
                let Some(own) = own.and_then(|at| arguments.get_mut(at)) else { continue };
                match word {
                    "default_from" => own.default_from = name,
                    "demands" => own.demands = name,
                    "excludes" => own.excludes = name,
                    _ => own.or = name,
                }
            }
        }
        if self.row.composed.is_none() {
            arguments.retain(|argument| argument.place != Place::Local || argument.demands.is_some());
        }
    }

    /// The word at which an enum demands another argument; a boolean does where it is true. A plain tool has an
    /// argument of its own for nothing else.
    pub(super) fn demands_at(
        &mut self,
        slot: &Slot<'_>,
        key: &str,
        row: &ParamRow,
        kind: &Kind,
    ) -> Option<String> {
        let word = row.demands_at.as_ref();
        if row.demands.is_none() && slot.place == Place::Local && self.row.composed.is_none() {
            let text = "a plain tool's own parameter needs `demands`: nothing else reads it";
            self.fault(row.rule.line, key, text.to_owned());
        }
        let fault = match (&row.demands, word, kind) {
            (None, None, _) | (Some(_), None, Kind::Boolean) => None,
            (None, Some(word), _) => Some((word, "demands_at is beside `demands`".to_owned())),
            (Some(at), None, kind) => {
                Some((at, format!("demands is for a boolean, this is {}", kinds::words(kind))))
            }
            (Some(_), Some(word), Kind::Enum(words)) if words.contains(&word.value) => None,
            (Some(_), Some(word), Kind::Enum(words)) => {
                let near = did_you_mean(word, words.iter().map(String::as_str));
                let text = format!("demands_at {:?} is none of {}{near}", word.value, words.join(", "));
                Some((word, text))
            }
            (Some(_), Some(word), kind) => {
                Some((word, format!("demands_at is for an enum, this is {}", kinds::words(kind))))
            }
        };
        if let Some((at, text)) = fault {
            self.fault(at.line, key, text);
        }
        word.map(|at| at.value.clone())
    }

    /// What is told where this one is false.
    pub(super) fn when_false(&mut self, key: &str, row: &ParamRow, kind: &Kind) -> Option<String> {
        let at = row.when_false.as_ref()?;
        if *kind != Kind::Boolean {
            self.fault(at.line, key, format!("when_false is for a boolean, this is {}", kinds::words(kind)));
        } else if at.trim().is_empty() {
            self.fault(at.line, key, "when_false is empty".to_owned());
        }
        Some(at.value.clone())
    }
}
