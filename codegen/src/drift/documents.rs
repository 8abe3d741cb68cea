//! Two documents, operation by operation: what came, went, moved or got another name, and how each one's parameters,
//! body and answers changed.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Kind, Report};
use super::fields;
use super::schemas::{Aspect, Found, Sides, aspects, demanded, word};
use super::touched::Tools;
use crate::document::{Document, Located, Operation, Parameter, Place};
use crate::history::{shape, variables};

/// The operations of two documents, matched.
pub(crate) struct Pairs<'a> {
    /// Those that both have, old and new.
    pub(crate) both: Vec<(Located<'a>, Located<'a>)>,
    /// Those that only the old one has.
    pub(crate) gone: Vec<Located<'a>>,
    /// Those that only the new one has.
    pub(crate) added: Vec<Located<'a>>,
}

/// Matches operations by method and path, and what is left by name.
pub(crate) fn pairs<'a>(old: &'a Document, new: &'a Document) -> Pairs<'a> {
    let mut later: BTreeMap<_, _> = new.operations().map(|at| (shape(at), at)).collect();
    let mut found = Pairs { both: Vec::new(), gone: Vec::new(), added: Vec::new() };
    let mut left = Vec::new();
    for at in old.operations() {
        match later.remove(&shape(at)) {
            Some(after) => found.both.push((at, after)),
            None => left.push(at),
        }
    }
    let mut by_name: BTreeMap<&str, Located<'_>> =
        later.into_values().map(|at| (at.operation.operation_id.as_str(), at)).collect();
    for at in left {
        match by_name.remove(at.operation.operation_id.as_str()) {
            Some(after) => found.both.push((at, after)),
            None => found.gone.push(at),
        }
    }
    found.added = by_name.into_values().collect();
    found
}

/// All changes from one document to the other.
pub(super) fn compare(old: &Document, new: &Document, tools: &Tools) -> Report {
    let matched = pairs(old, new);
    let mut changes = Vec::new();
    for (kind, all) in [(Kind::OperationAdded, &matched.added), (Kind::OperationRemoved, &matched.gone)] {
        for at in all {
            let change = Change::new(kind, id(*at)).breaks(kind == Kind::OperationRemoved);
            changes.push(Change { call: Some(call(*at)), ..of_operation(change, *at, tools) });
        }
    }
    for (before, after) in &matched.both {
        let mut pair = Pair { old, new, before: *before, after: *after, changes: Vec::new() };
        pair.compare();
        changes.extend(pair.changes.into_iter().map(|change| of_operation(change, *after, tools)));
    }
    changes.extend(fields::compare(old, new, tools));
    let report = Report::new("documents", (&old.release, &new.release), changes);
    Report { note: tools.note.clone(), ..report }
}

fn of_operation(change: Change, at: Located<'_>, tools: &Tools) -> Change {
    Change { operations: vec![id(at)], tools: tools.of_operation(at), ..change }
}

fn id(at: Located<'_>) -> String {
    at.operation.operation_id.clone()
}

fn call(at: Located<'_>) -> String {
    format!("{} {}", at.method.to_uppercase(), at.path)
}

/// One operation in both documents.
struct Pair<'a> {
    old: &'a Document,
    new: &'a Document,
    before: Located<'a>,
    after: Located<'a>,
    changes: Vec<Change>,
}

impl<'a> Pair<'a> {
    fn compare(&mut self) {
        if id(self.before) != id(self.after) {
            let change =
                self.change(Kind::OperationRenamed).between(Some(id(self.before)), Some(id(self.after)));
            self.changes.push(Change { call: Some(call(self.after)), ..change });
        }
        if shape(self.before) != shape(self.after) {
            let change = self.change(Kind::OperationMoved).breaks(true);
            self.changes.push(change.between(Some(call(self.before)), Some(call(self.after))));
        }
        self.media();
        self.parameters();
        self.answers();
    }

    fn change(&self, kind: Kind) -> Change {
        Change::new(kind, id(self.after))
    }

    /// Media types, and whether it is deprecated.
    fn media(&mut self) {
        let (before, after) = (self.before.operation, self.after.operation);
        let own = |own: &'a [String], all: &'a [String]| if own.is_empty() { all } else { own };
        let sent = (own(&before.consumes, &self.old.consumes), own(&after.consumes, &self.new.consumes));
        let answered = (own(&before.produces, &self.old.produces), own(&after.produces, &self.new.produces));
        for (aspect, (was, is)) in [("consumes", sent), ("produces", answered)] {
            let gone = was.iter().any(|media| !is.contains(media));
            if was != is {
                let texts = (Some(was.join(", ")), Some(is.join(", ")));
                let change = self.change(Kind::OperationChanged).aspect(aspect).breaks(gone);
                self.changes.push(change.between(texts.0, texts.1));
            }
        }
        if before.deprecated != after.deprecated {
            let word = |deprecated: bool| Some(if deprecated { "yes" } else { "no" }.to_owned());
            let change = self.change(Kind::OperationChanged).aspect("deprecated");
            self.changes.push(change.between(word(before.deprecated), word(after.deprecated)));
        }
    }

    fn parameters(&mut self) {
        let same = shape(self.before) == shape(self.after);
        let renamed: BTreeMap<&str, &str> = match same {
            true => variables(self.before.path).zip(variables(self.after.path)).collect(),
            false => BTreeMap::new(),
        };
        for (was, is) in renamed.iter().filter(|(was, is)| was != is) {
            let change = self.change(Kind::ParameterRenamed).part(format!("path.{is}"));
            self.changes.push(change.between(Some(format!("path.{was}")), Some(format!("path.{is}"))));
        }
        let named = |parameter: &'a Parameter| match renamed.get(parameter.name.as_str()) {
            Some(is) if parameter.place == Place::Path => *is,
            _ => parameter.name.as_str(),
        };
        let mut left: Vec<&Parameter> = self.after.operation.parameters.iter().collect();
        let mut gone = Vec::new();
        for parameter in &self.before.operation.parameters {
            let is = |other: &&Parameter| {
                other.place == parameter.place
                    && (other.name == named(parameter) || other.place == Place::Body)
            };
            match left.iter().position(is) {
                Some(at) => self.parameter(parameter, left.remove(at)),
                None => gone.push(parameter),
            }
        }
        for parameter in gone {
            match left.iter().position(|other| other.name == parameter.name) {
                Some(at) => self.moved(parameter, left.remove(at)),
                None => {
                    let change = self.change(Kind::ParameterRemoved).part(key(parameter)).breaks(true);
                    self.changes.push(change.between(Some(type_of(parameter)), None));
                }
            }
        }
        for parameter in left {
            self.added(&key(parameter), type_of(parameter), parameter.required);
        }
    }

    fn added(&mut self, part: &str, mut is: String, required: bool) {
        if required {
            is.push_str(", required");
        }
        let change = self.change(Kind::ParameterAdded).part(part).breaks(required);
        self.changes.push(change.between(None, Some(is)));
    }

    fn moved(&mut self, before: &'a Parameter, after: &'a Parameter) {
        let change = self.change(Kind::ParameterChanged).part(key(after)).aspect("place").breaks(true);
        self.changes.push(change.between(Some(key(before)), Some(key(after))));
        self.parameter(before, after);
    }

    fn parameter(&mut self, before: &'a Parameter, after: &'a Parameter) {
        let part = key(after);
        self.aspects(&part, demanded((before.required, after.required)));
        if let (Some(old), Some(new)) = (&before.schema, &after.schema) {
            let sides = Sides { old: self.old, new: self.new, follow: true };
            for found in sides.compare(old, new, "body") {
                self.body(found);
            }
            return;
        }
        if before.schema.is_some() || after.schema.is_some() {
            return;
        }
        let different = aspects(&before.value, &after.value);
        self.aspects(&part, different);
        let form = |parameter: &Parameter| {
            let is_list = parameter.value.items.is_some();
            is_list.then(|| parameter.collection_format.clone().unwrap_or_else(|| "csv".to_owned()))
        };
        let (was, is) = (form(before), form(after));
        if was.is_some() && is.is_some() && was != is {
            self.aspects(&part, [Aspect { name: "collectionFormat", was, is, narrower: true }]);
        }
    }

    fn body(&mut self, found: Found) {
        match found {
            Found::Added { path, is, required } => self.added(&path, is, required),
            Found::Removed { path, was } => {
                let change = self.change(Kind::ParameterRemoved).part(path).breaks(true);
                self.changes.push(change.between(Some(was), None));
            }
            Found::Changed { path, aspect } => self.aspects(&path, [aspect]),
        }
    }

    fn aspects(&mut self, part: &str, aspects: impl IntoIterator<Item = Aspect>) {
        for Aspect { name, was, is, narrower } in aspects {
            let change = self.change(Kind::ParameterChanged).part(part).aspect(name).breaks(narrower);
            self.changes.push(change.between(was, is));
        }
    }

    /// Statuses of success and what they answer.
    fn answers(&mut self) {
        let (was, is) =
            (successes(self.old, self.before.operation), successes(self.new, self.after.operation));
        let statuses =
            |all: &[(&str, String)]| all.iter().map(|(s, _)| (*s).to_owned()).collect::<BTreeSet<_>>();
        let (before, after) = (statuses(&was), statuses(&is));
        if before != after {
            let list = |all: &BTreeSet<String>| Some(all.iter().cloned().collect::<Vec<_>>().join("|"));
            let gone = !before.is_subset(&after);
            let change = self.change(Kind::AnswerChanged).aspect("statuses").breaks(gone);
            self.changes.push(change.between(list(&before), list(&after)));
        }
        for (status, old) in &was {
            if let Some((_, new)) = is.iter().find(|(other, new)| other == status && new != old) {
                let change = self.change(Kind::AnswerChanged).part(*status).aspect("type");
                let nothing = old == NOTHING;
                self.changes.push(change.breaks(!nothing).between(Some(old.clone()), Some(new.clone())));
            }
        }
    }
}

/// What is said of an answer without a body.
const NOTHING: &str = "nothing";

/// Status and type of each success.
fn successes<'a>(document: &'a Document, operation: &'a Operation) -> Vec<(&'a str, String)> {
    let all = document.successes(operation);
    all.map(|(status, schema)| (status, schema.map_or_else(|| NOTHING.to_owned(), word))).collect()
}

fn key(parameter: &Parameter) -> String {
    let place = match parameter.place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Body => return "body".to_owned(),
        Place::FormData => "form",
        Place::Header => "header",
    };
    format!("{place}.{}", parameter.name)
}

fn type_of(parameter: &Parameter) -> String {
    word(parameter.schema.as_ref().unwrap_or(&parameter.value))
}
