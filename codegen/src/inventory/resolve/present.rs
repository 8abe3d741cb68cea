//! What a dry run reads: the tool that shows what is at a write's path, found by method and path, and which of the
//! write's arguments its answer tells of.

use crate::document::{Located, Parameter, Place as Wire, Schema};

use super::super::applied::{Applied, Compare};
use super::super::model::{AppliedRow, PresentRow, ToolRow};
use super::super::tool::{Answer, Argument, Codec, Effect, Kind, Paging, Place, Present, Tool};
use super::Resolver;
use super::applied::{compare, scalar};
use super::slots;

/// Query parameters of a read, each with the body's property by which a write chooses the same: a file's branch.
const CHOSEN_BY: [(&str, &str); 1] = [("ref", "branch")];

/// Properties by which a write says what it expects to be there, and is refused where that is another.
const EXPECTED: [&str; 1] = ["sha"];

impl<'a> Resolver<'a> {
    /// Gives each tool that writes the read of its dry run.
    pub(super) fn presents(&mut self, tools: &mut [Tool]) {
        let found: Vec<Option<Present>> = tools.iter().map(|tool| self.present(tool, tools)).collect();
        for (tool, found) in tools.iter_mut().zip(found) {
            tool.present = found;
        }
    }

    fn present(&mut self, tool: &Tool, tools: &[Tool]) -> Option<Present> {
        let inventory = self.inventory;
        let (_, row) = inventory.tools.iter().find(|(name, _)| *name == tool.name)?;
        let found = self.found(tool, row, tools);
        let Some(at) = &row.present else { return found };
        let text = match (&at.value, &found) {
            (PresentRow::Never, None) => "no read at its path tells what is there, as it is",
            (PresentRow::From(_), None) => {
                "no tool is a read by that operation alone that tells what is there"
            }
            (PresentRow::Never, Some(_)) => return None,
            (PresentRow::From(_), Some(_)) => return found,
        };
        self.problems.add(at.line, &format!("tools.{}", tool.name), "present", text.to_owned());
        None
    }

    fn found(&self, tool: &Tool, row: &ToolRow, tools: &[Tool]) -> Option<Present> {
        let mut writes = tool.calls.iter().filter(|call| call.method != "GET");
        let (write, None) = (writes.next()?, writes.next()) else { return None };
        let named = match row.present.as_ref().map(|at| &at.value) {
            Some(PresentRow::From(operation)) => Some(operation),
            _ => None,
        };
        // A change that is filled from a read is compared with the same one.
        let is_read = |read: &&Tool| {
            let first = read.calls.first().filter(|_| read.effect == Effect::Read && read.composed.is_none());
            first.is_some_and(|call| match (&tool.merge, named) {
                (Some(merge), _) => call.operation == merge.from.operation,
                (None, Some(operation)) => call.operation == *operation,
                (None, None) => call.method == "GET" && call.path == write.path,
            })
        };
        let read = tools.iter().find(is_read)?;
        let from = *self.operations.get(read.calls.first()?.operation.as_str())?;
        let is_served = |name: &str| tool.arguments.iter().any(|a| a.place == Place::Path && a.wire == name);
        let is_wanted = |p: &&Parameter| p.required && !(p.place == Wire::Path && is_served(&p.name));
        if from.operation.parameters.iter().any(|p| is_wanted(&p)) {
            return None;
        }
        let answer = self.told(tool, &write.method, &read.answer)?;
        let mut compared = self.paired(row, from, &tool.arguments);
        match write.method.as_str() {
            "PATCH" | "PUT" => {}
            "DELETE" => compared.retain(|applied| applied.by == Compare::Expected),
            // What makes something new is no change of what is there, unless the inventory says so. It adds to a list.
            _ if named.is_some() => {
                for applied in compared.iter_mut().filter(|applied| applied.by == Compare::Ids) {
                    applied.by = Compare::Rows;
                }
            }
            _ => return None,
        }
        if matches!(answer, Answer::YesNo { .. }) {
            compared.clear();
        }
        let tells =
            !compared.is_empty() || write.method == "DELETE" || matches!(answer, Answer::YesNo { .. });
        let chosen = CHOSEN_BY.iter().filter(|(query, property)| {
            from.operation.parameters.iter().any(|p| p.place == Wire::Query && p.name == *query)
                && tool.arguments.iter().any(|a| a.place == Place::Body && a.wire == *property)
        });
        tells.then(|| Present {
            from: self.call(from, None),
            tool: read.name.clone(),
            answer,
            mask: self.secrets.answer(from),
            chosen: chosen.map(|(query, property)| ((*query).to_owned(), (*property).to_owned())).collect(),
            compared,
        })
    }

    /// How the read's answer is shown in a plan, an object as it is in a list. A list tells what is deleted where all
    /// of it is and the forge sends all of it, and what is replaced.
    fn told(&self, tool: &Tool, method: &str, answer: &Answer) -> Option<Answer> {
        let takes_body = tool.arguments.iter().any(|a| !matches!(a.place, Place::Path | Place::Query));
        match answer {
            Answer::Item(view) => Some(Answer::Item(self.in_a_row(view))),
            Answer::List { row, or_one: true, .. } => Some(Answer::Item(row.clone())),
            Answer::List { row, items, paging, .. } => {
                let is_whole = matches!(paging, Paging::Here | Paging::InOrder) && items.is_none();
                (method != "DELETE" || (is_whole && !takes_body)).then(|| Answer::Item(row.clone()))
            }
            Answer::YesNo { .. } => Some(answer.clone()),
            _ => None,
        }
    }

    /// The view of a definition's rows, where there is one.
    fn in_a_row(&self, view: &Option<String>) -> Option<String> {
        let row = format!("{}.row", view.as_ref()?);
        let is_there = self.views.iter().any(|(known, _)| *known == row);
        if is_there { Some(row) } else { view.clone() }
    }

    /// The arguments of a body that the answer of a read tells of, paired as with a write's own answer: by the
    /// property's name, and the only list of a body with an answer that is a list.
    fn paired(&self, row: &ToolRow, from: Located<'a>, arguments: &[Argument]) -> Vec<Applied> {
        let Some(schema) = self.document.success(from.operation) else { return Vec::new() };
        let schema = self.document.schema(schema).unwrap_or(schema);
        let in_body = arguments.iter().filter(|a| a.place == Place::Body && a.secret.is_none());
        in_body.filter_map(|argument| self.pair(row, (from, schema), argument)).collect()
    }

    fn pair(
        &self,
        row: &ToolRow,
        (from, schema): (Located<'a>, &'a Schema),
        argument: &Argument,
    ) -> Option<Applied> {
        let key = slots::key(argument.place, &argument.wire);
        let own = row.params.iter().find(|(known, _)| *known == key).map(|(_, row)| &row.rule);
        let shared = self.inventory.vocabulary.get(&argument.name);
        let said = [own, shared].into_iter().flatten().find_map(|rule| rule.applied.as_ref());
        let path = match said.map(|at| &at.value) {
            Some(AppliedRow::Never) => return None,
            Some(AppliedRow::Field(field)) if self.document.field(schema, field).is_ok() => field.as_str(),
            _ if schema.items.is_some() && matches!(argument.kind, Kind::List(_)) => "",
            _ => argument.wire.as_str(),
        };
        let found = self.document.field(schema, path).ok().filter(|_| !self.secrets.hides(from, path))?;
        let by = match argument.codec {
            Codec::Plain | Codec::Sha
                if path.rsplit('.').next().is_some_and(|last| EXPECTED.contains(&last)) =>
            {
                Compare::Expected
            }
            Codec::Base64 if scalar(found) == Some("string") => Compare::Encoded,
            _ => compare(self.document, argument, found, false)?,
        };
        Some(Applied { name: argument.name.clone(), path: path.to_owned(), by })
    }
}
