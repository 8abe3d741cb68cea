//! What is read before a change or after its refusal: the read against the document, and each property that it fills or
//! is compared with.

use crate::document::{Document, Located, Place as Wire, Schema};

use super::super::model::{At, MergeRow, StaleRow, ToolRow};
use super::super::problem::{did_you_mean, near};
use super::super::tool::{Argument, Effect, Kind, Merge, Place, Stale};
use super::Resolver;

impl<'a> Resolver<'a> {
    /// The read before a tool's change.
    pub(super) fn merge(
        &mut self,
        table: &str,
        row: &ToolRow,
        (effect, operation): (Effect, Option<Located<'a>>),
        arguments: &[Argument],
    ) -> Option<Merge> {
        let at = row.merge.as_ref()?;
        let table = format!("{table}.merge");
        if row.composed.is_some() {
            self.problems.add(
                at.line,
                &table,
                "",
                "is for a tool of one operation; a composed one reads by itself",
            );
            return None;
        }
        if effect == Effect::Read {
            self.problems.add(at.line, &table, "", "is for what writes");
        }
        let from = self.read(&table, &at.value.from, arguments)?;
        let (sent, answered) = (sent(self.document, operation), self.document.success(from.operation));
        for (property, answer) in &at.value.fields {
            for (what, whose, schema, path) in [
                ("body", &row.operation, sent, &property.value),
                ("answer", &at.value.from, answered, answer),
            ] {
                if let Some(near) = lacking(self.document, schema, path) {
                    let text = format!("the {what} of {} has no field {path:?}{near}", **whose);
                    self.problems.add(property.line, &table, "fields", text);
                }
            }
        }
        self.merged_words(&table, &at.value, arguments);
        let fields =
            at.value.fields.iter().map(|(property, answer)| (property.value.clone(), answer.clone()));
        let words = at.value.words.iter().map(|(word, sent)| (word.clone(), sent.value.clone()));
        Some(Merge {
            always: at.value.always,
            from: self.call(from, None),
            fields: fields.collect(),
            words: words.collect(),
            mask: self.secrets.answer(from),
        })
    }

    /// A word that is sent for another one is one that a list takes.
    fn merged_words(&mut self, table: &str, row: &MergeRow, arguments: &[Argument]) {
        let is_merged = |argument: &&Argument| {
            argument.place == Place::Body
                && row.fields.iter().any(|(property, _)| property.value == argument.wire)
        };
        let lists = arguments.iter().filter(is_merged).filter_map(|argument| match &argument.kind {
            Kind::List(item) => Some(&**item),
            _ => None,
        });
        let lists: Vec<&Kind> = lists.collect();
        let words = |kind: &&Kind| if let Kind::Enum(words) = kind { words.clone() } else { Vec::new() };
        let known: Vec<String> = lists.iter().flat_map(words).collect();
        for (word, sent) in &row.words {
            let text = match lists.as_slice() {
                [] => "is for lists, and no argument that is filled is one".to_owned(),
                lists if lists.contains(&&Kind::Text) || known.contains(&sent.value) => continue,
                _ => {
                    let near = did_you_mean(sent, known.iter().map(String::as_str));
                    format!("no list takes {:?}, which is sent for {word:?}{near}", sent.value)
                }
            };
            self.problems.add(sent.line, table, "words", text);
        }
    }

    /// The read after a tool's refusal.
    pub(super) fn stale(
        &mut self,
        table: &str,
        row: &ToolRow,
        (effect, operation): (Effect, Option<Located<'a>>),
        arguments: &[Argument],
    ) -> Option<Stale> {
        let at = row.stale.as_ref()?;
        let table = format!("{table}.stale");
        if effect == Effect::Read || row.composed.is_some() {
            self.problems.add(at.line, &table, "", "is for what writes by one call");
            return None;
        }
        let StaleRow { from: named, field, query } = &at.value;
        let from = self.read(&table, named, arguments)?;
        let (sent, answered) = (sent(self.document, operation), self.document.success(from.operation));
        let bodies = query.iter().map(|(_, property)| (("body", &row.operation), sent, property, "query"));
        let both =
            [(("body", &row.operation), sent, field, "field"), (("answer", named), answered, field, "field")];
        for ((what, whose), schema, property, key) in both.into_iter().chain(bodies) {
            if let Some(near) = lacking(self.document, schema, property) {
                let text = format!("the {what} of {} has no field {:?}{near}", whose.value, property.value);
                self.problems.add(property.line, &table, key, text);
            }
        }
        for (parameter, property) in query {
            let known = from.operation.parameters.iter().filter(|known| known.place == Wire::Query);
            if !known.clone().any(|known| known.name == *parameter) {
                let near = did_you_mean(parameter, known.map(|known| known.name.as_str()));
                let text = format!("{} has no parameter {parameter:?}{near}", named.value);
                self.problems.add(property.line, &table, "query", text);
            }
        }
        let query = query.iter().map(|(parameter, property)| (parameter.clone(), property.value.clone()));
        Some(Stale { from: self.call(from, None), field: field.value.clone(), query: query.collect() })
    }

    /// A read that needs nothing but the tool's path arguments.
    fn read(&mut self, table: &str, named: &At<String>, arguments: &[Argument]) -> Option<Located<'a>> {
        let from = self.operation(table, "from", named.line, named)?;
        let mut faults = Vec::new();
        if from.method != "get" {
            faults.push(format!("{} is a {}, not a GET", **named, from.method.to_uppercase()));
        }
        for parameter in from.operation.parameters.iter().filter(|parameter| parameter.required) {
            let (name, place) = (&parameter.name, parameter.place);
            let served = place == Wire::Path
                && arguments.iter().any(|a| a.place == Place::Path && a.wire == *name && a.required);
            if !served {
                faults.push(format!("{} wants {name}, which is no path argument of this tool", **named));
            }
        }
        for fault in faults {
            self.problems.add(named.line, table, "from", fault);
        }
        Some(from)
    }
}

/// The schema of an operation's body.
fn sent<'a>(document: &'a Document, operation: Option<Located<'a>>) -> Option<&'a Schema> {
    let body = operation?.operation.parameters.iter().find(|parameter| parameter.place == Wire::Body)?;
    document.schema(body.schema.as_ref()?)
}

/// The nearest name where a dotted path leads to no field.
fn lacking(document: &Document, schema: Option<&Schema>, path: &str) -> Option<String> {
    match schema {
        None => Some(String::new()),
        Some(schema) => document.field(schema, path).err().map(near),
    }
}
