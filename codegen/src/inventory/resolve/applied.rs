//! What of a write can be compared with its answer: arguments of the body whose property the answer has too, in a form
//! that can be compared.

use crate::document::{Document, Located, Schema};

use super::super::applied::{Applied, Compare};
use super::super::model::{AppliedRow, At, Rule, ToolRow};
use super::super::problem::did_you_mean;
use super::super::tool::{Answer, Argument, Codec, Effect, Kind, Place};
use super::Resolver;
use super::slots;

impl<'a> Resolver<'a> {
    /// What of a write, or of a read's filters, is compared with the answer; composed tools compare by themselves.
    pub(super) fn compared(
        &mut self,
        of: (&str, &ToolRow),
        (operation, effect): (Option<Located<'a>>, Effect),
        (answer, arguments): (&Answer, &[Argument]),
    ) -> Vec<Applied> {
        match operation {
            Some(operation) if effect == Effect::Read => self.held(of, operation, (answer, arguments)),
            Some(operation) => self.applied(of, (operation, answer), arguments),
            None => Vec::new(),
        }
    }

    /// The comparisons of a tool; none for what answers neither an object nor rows.
    fn applied(
        &mut self,
        (name, row): (&str, &ToolRow),
        (operation, answer): (Located<'a>, &Answer),
        arguments: &[Argument],
    ) -> Vec<Applied> {
        let is_list = match answer {
            Answer::Item(_) | Answer::Moved { .. } => false,
            Answer::List { items: None, .. } => true,
            _ => return Vec::new(),
        };
        let Some(schema) = self.document.success(operation.operation) else { return Vec::new() };
        let mut all = Vec::new();
        for argument in arguments.iter().filter(|argument| argument.place == Place::Body) {
            let key = slots::key(argument.place, &argument.wire);
            let own = row.params.iter().find(|(known, _)| *known == key).map(|(_, row)| &row.rule);
            let rule = |rule: Option<&Rule>| rule.and_then(|rule| rule.applied.clone());
            let told = rule(own);
            let said = told.clone().or_else(|| rule(self.inventory.vocabulary.get(&argument.name)));
            let path = match said.as_ref().map(|at| &at.value) {
                _ if is_list => "",
                Some(AppliedRow::Field(field)) => field.as_str(),
                _ => argument.wire.as_str(),
            };
            let found = self.document.field(schema, path).ok();
            let by = found
                .filter(|_| !self.secrets.hides(operation, path))
                .and_then(|found| compare(self.document, argument, found, is_list));
            if let Some(at) = &told
                && let Some(fault) = self.needless(operation, (&at.value, found.is_some(), by))
            {
                self.problems.add(at.line, &format!("tools.{name}.params.{key}"), "applied", fault);
            }
            let is_off = matches!(said.as_deref(), Some(AppliedRow::Never));
            if let (false, Some(by)) = (is_off, by) {
                all.push(Applied { name: argument.name.clone(), path: path.to_owned(), by });
            }
        }
        all
    }

    /// The filters of a list whose rows tell whether the forge filtered by them.
    fn held(
        &mut self,
        (name, row): (&str, &ToolRow),
        operation: Located<'a>,
        (answer, arguments): (&Answer, &[Argument]),
    ) -> Vec<Applied> {
        let mut all = Vec::new();
        for (key, param) in &row.params {
            let Some(At { line, value }) = &param.rule.applied else { continue };
            let (field, by) = match value {
                AppliedRow::Field(field) => (field, Compare::Held),
                AppliedRow::All(field) => (field, Compare::HeldAll),
                AppliedRow::Never => continue,
            };
            let argument =
                arguments.iter().find(|argument| slots::key(argument.place, &argument.wire) == *key);
            let Some(argument) = argument.filter(|argument| argument.place == Place::Query) else { continue };
            let below = |schema, path| self.document.field_of_rows(schema, path).ok();
            let schema = match answer {
                Answer::List { items, .. } => self
                    .document
                    .success(operation.operation)
                    .and_then(|schema| below(schema, items.as_deref().unwrap_or_default())),
                _ => None,
            };
            let found = schema.and_then(|row| below(row, field));
            let kind = if let Kind::List(item) = &argument.kind { item } else { &argument.kind };
            let fault = match (found.and_then(scalar), kind) {
                (Some("string"), Kind::Text) => None,
                (Some("string"), Kind::Name(names)) if names.by_name => None,
                (Some("integer"), Kind::Name(names)) if !names.by_name => None,
                // In a release that has no list of names.
                (Some("integer"), Kind::Id) => None,
                (Some(scalar), _) => {
                    Some(format!("what the forge is sent is no {scalar}, as the rows of the answer have"))
                }
                (None, _) => Some(format!("the rows of the answer have no text or number {field:?}")),
            };
            let Some(fault) = fault else {
                all.push(Applied { name: argument.name.clone(), path: field.clone(), by });
                continue;
            };
            self.problems.add(*line, &format!("tools.{name}.params.{key}"), "applied", fault);
        }
        all
    }

    /// What is wrong with a tool's own row: it must change something.
    fn needless(
        &self,
        operation: Located<'a>,
        (row, is_there, by): (&AppliedRow, bool, Option<Compare>),
    ) -> Option<String> {
        match (row, is_there, by) {
            (AppliedRow::Never, _, None) => Some("is not compared as it is".to_owned()),
            (AppliedRow::All(_), ..) => Some("all is for a filter that rows tell of".to_owned()),
            (AppliedRow::Field(field), false, _)
                if !self.history.answers(&operation.operation.operation_id, field) =>
            {
                let schema = self.document.success(operation.operation)?;
                let known = self.document.schema(schema).unwrap_or(schema);
                let near = did_you_mean(field, known.properties.keys().map(String::as_str));
                Some(format!("the answer has no field {field:?}{near}"))
            }
            (AppliedRow::Field(field), true, None) => {
                Some(format!("{field:?} of the answer is of another kind than this argument"))
            }
            _ => None,
        }
    }
}

/// How an argument is compared with a field of the answer; none where they are of kinds that tell nothing of each
/// other, or where it is not sent as it is.
pub(super) fn compare(
    document: &Document,
    argument: &Argument,
    answer: &Schema,
    is_list: bool,
) -> Option<Compare> {
    let kind = &argument.kind;
    if !matches!(argument.codec, Codec::Plain | Codec::AsText) {
        return None;
    }
    if let Kind::List(item) = kind {
        let items = answer.items.as_deref()?;
        let items = document.schema(items).unwrap_or(items);
        return match (&**item, scalar(items)) {
            (Kind::Name(names), None) if is_list && !names.by_name => {
                has(items, "id").then_some(Compare::Rows)
            }
            _ if is_list => None,
            (item, None) if is_id(item) && has(items, "id") => Some(Compare::Ids),
            (Kind::Text, None) if has(items, "login") => Some(Compare::Logins),
            (Kind::Text, Some("string")) => Some(Compare::Set),
            (Kind::Enum(_), Some("string")) => Some(Compare::Among),
            (item, Some("integer")) if is_id(item) => Some(Compare::Set),
            _ => None,
        };
    }
    if is_list {
        return None;
    }
    match (kind, scalar(answer)) {
        (Kind::Text, Some("string")) if is_plain(answer) => Some(Compare::Same),
        (Kind::Name(names), Some("string")) if names.by_name => Some(Compare::Same),
        (Kind::Enum(_), Some("string")) => Some(Compare::Word),
        (Kind::DateTime | Kind::Date, Some("string")) if answer.format.is_some() => Some(Compare::Day),
        (Kind::Text, None) if has(answer, "login") => Some(Compare::Login),
        (Kind::Boolean, Some("boolean")) => Some(Compare::Same),
        (Kind::Boolean, Some("string")) if answer.format.is_some() => Some(Compare::Cleared),
        // A key of a map is a text whatever it means.
        (Kind::Boolean | Kind::Integer { .. } | Kind::Id, Some("string")) => Some(Compare::Same),
        (kind, Some("integer" | "number")) if is_id(kind) => Some(Compare::Same),
        (kind, None) if is_id(kind) && has(answer, "id") => Some(Compare::Id),
        (Kind::Object(_), None) if answer.additional_properties.is_some() => Some(Compare::Keys),
        (Kind::Object(_) | Kind::TextMap, None) if answer.items.is_none() => Some(Compare::Fields),
        _ => None,
    }
}

/// The type of a value that is neither an object nor a list.
pub(super) fn scalar(schema: &Schema) -> Option<&str> {
    schema.kind.as_deref().filter(|kind| !matches!(*kind, "object" | "array"))
}

/// Whether a text is told as it was given: an address is.
fn is_plain(schema: &Schema) -> bool {
    schema.format.as_deref().is_none_or(|format| format == "email")
}

fn has(schema: &Schema, property: &str) -> bool {
    schema.properties.contains_key(property)
}

fn is_id(kind: &Kind) -> bool {
    match kind {
        Kind::Integer { .. } | Kind::Id => true,
        Kind::Name(names) => !names.by_name,
        _ => false,
    }
}
