//! How a tool's answer is read: from the document's success, corrected by the tool's row, and its view found.

use crate::document::{Document, Located, Schema};

use super::super::model::{AnswerRow, At, Inventory, ToolRow};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::{Answer, Argument};
use super::views::object;

const KINDS: [&str; 5] = ["item", "list", "text", "bytes", "done"];

/// The answer of a tool.
pub(super) fn of(
    inventory: &Inventory,
    document: &Document,
    (name, row): (&str, &ToolRow),
    operation: Located<'_>,
    problems: &mut Problems,
) -> Answer {
    let table = format!("tools.{name}");
    Reader { inventory, document, row, table, problems }.answer(operation)
}

/// A list that the forge pages has the arguments for it.
pub(super) fn check_paging(
    (name, row): (&str, &ToolRow),
    answer: &Answer,
    arguments: &[Argument],
    problems: &mut Problems,
) {
    let Answer::List { by_forge, .. } = answer else { return };
    if row.paging.as_ref().is_some_and(|paging| paging.value == "none") {
        return;
    }
    let has = |name: &str| arguments.iter().any(|argument| argument.name == name);
    if !has("page") || !has("limit") {
        let how = if *by_forge { "; where the forge pages nothing, say paging = \"here\"" } else { "" };
        let text = format!(
            "a list needs the arguments `page` and `limit`, and {} has not both{how}",
            row.operation.value
        );
        problems.add(row.line, &format!("tools.{name}"), "paging", text);
    }
}

struct Reader<'a, 'p> {
    inventory: &'a Inventory,
    document: &'a Document,
    row: &'a ToolRow,
    table: String,
    problems: &'p mut Problems,
}

impl<'a> Reader<'a, '_> {
    fn fault(&mut self, line: usize, key: &str, message: String) {
        self.problems.add(line, &self.table, key, message);
    }

    fn answer(&mut self, operation: Located<'a>) -> Answer {
        let schema = success(self.document, operation);
        let answer = match self.row.answer.as_ref().map(|at| (at.line, &at.value)) {
            Some((_, AnswerRow::Done(word, instead))) => Answer::Done(word.clone(), instead.clone()),
            Some((_, AnswerRow::YesNo { word, yes, no })) => {
                Answer::YesNo { word: word.clone(), yes: yes.clone(), no: no.clone() }
            }
            Some((line, AnswerRow::Kind(kind))) => self.told(line, kind, schema),
            None => self.inferred(operation, schema),
        };
        let row = self.row;
        let unused = [("items", &row.items), ("total", &row.total), ("paging", &row.paging)];
        for (key, at) in unused {
            if let (Some(at), false) = (at, matches!(answer, Answer::List { .. })) {
                self.fault(
                    at.line,
                    key,
                    "is for lists, and this answer is none; `answer = \"list\"` makes it one".to_owned(),
                );
            }
        }
        if let (Some(at), false) = (&row.view, matches!(answer, Answer::List { .. } | Answer::Item(_))) {
            self.fault(at.line, "view", "is for answers with fields, and this one has none".to_owned());
        }
        answer
    }

    fn told(&mut self, line: usize, kind: &str, schema: Option<&'a Schema>) -> Answer {
        match (kind, schema) {
            ("text", _) => Answer::Text,
            ("bytes", _) => Answer::Bytes,
            ("done", _) => done(),
            ("item", Some(schema)) => Answer::Item(self.view(schema, false)),
            ("list", Some(schema)) => self.list(schema),
            ("item" | "list", None) => {
                self.fault(line, "answer", "the document tells of no answer with fields".to_owned());
                done()
            }
            _ => {
                let near = did_you_mean(kind, KINDS);
                let near = if near.is_empty() { format!("; known are {}", KINDS.join(", ")) } else { near };
                self.fault(line, "answer", format!("no kind of answer {kind:?}{near}"));
                done()
            }
        }
    }

    fn inferred(&mut self, operation: Located<'_>, schema: Option<&'a Schema>) -> Answer {
        let Some(schema) = schema else { return done() };
        let own = &operation.operation.produces;
        let produces = if own.is_empty() { &self.document.produces } else { own };
        let json = produces.iter().any(|media| media.contains("json"));
        let at = self.document.schema(schema).unwrap_or(schema);
        match at.kind.as_deref() {
            Some("file") => Answer::Bytes,
            Some("string") if !json => Answer::Text,
            Some("array") => self.list(schema),
            _ if self.row.items.is_some() => self.list(schema),
            _ => Answer::Item(self.view(schema, false)),
        }
    }

    fn list(&mut self, schema: &'a Schema) -> Answer {
        let reads = self.row.effect.value == "read";
        let by_forge = match self.row.paging.as_ref().map(|at| (at.line, at.as_str())) {
            None | Some((_, "forge")) => true,
            Some((_, "here")) => false,
            Some((_, "none")) if !reads => false,
            Some((line, other)) => {
                let known = if reads { "\"forge\" or \"here\"" } else { "\"forge\", \"here\" or \"none\"" };
                self.fault(line, "paging", format!("is {known}, not {other:?}"));
                true
            }
        };
        let rows = match &self.row.items {
            None => Some(schema),
            Some(items) => self.property(schema, "items", items),
        };
        if let Some(total) = &self.row.total {
            self.property(schema, "total", total);
        }
        let row = rows.and_then(|rows| self.view(rows, true));
        let text = |at: &Option<At<String>>| at.as_ref().map(|at| at.value.clone());
        let (items, total) = (text(&self.row.items), text(&self.row.total));
        // A list of which the document says that it is one object.
        let is_array = self.document.schema(schema).unwrap_or(schema).kind.as_deref() == Some("array");
        Answer::List { row, or_one: items.is_none() && !is_array, items, total, by_forge }
    }

    fn property(&mut self, schema: &'a Schema, key: &str, at: &At<String>) -> Option<&'a Schema> {
        let object = self.document.schema(schema).unwrap_or(schema);
        let found = object.properties.get(&at.value);
        if found.is_none() {
            let near = did_you_mean(at, object.properties.keys().map(String::as_str));
            self.fault(at.line, key, format!("the answer has no field {:?}{near}", at.value));
        }
        found
    }

    /// The name of the view by which an answer is shown; none where it is no object.
    fn view(&mut self, schema: &'a Schema, row: bool) -> Option<String> {
        let views = &self.inventory.views;
        let definition = object(self.document, schema).map(|(name, _)| name);
        if let Some(at) = &self.row.view {
            if !views.contains_key(&at.value) {
                let near = did_you_mean(at, views.keys().map(String::as_str));
                self.fault(at.line, "view", format!("no view {:?}{near}", at.value));
            } else if at.split('.').next() != definition {
                let answer = definition.unwrap_or("no definition");
                self.fault(
                    at.line,
                    "view",
                    format!("the answer is {answer}, and this is a view of something else"),
                );
            }
            return Some(at.value.clone());
        }
        let definition = definition?;
        let names = [row.then(|| format!("{definition}.row")), Some(definition.to_owned())];
        let shown = |name: &String| views.get(name).is_some_and(|view| !view.fields.is_empty());
        let found = names.into_iter().flatten().find(shown);
        if found.is_none() {
            let text = format!(
                "the answer is {definition}, which has no view: write [views.{definition}] with `fields`"
            );
            self.fault(self.row.line, "view", text);
        }
        found
    }
}

fn done() -> Answer {
    Answer::Done("done".to_owned(), Vec::new())
}

/// The schema of an operation's success; none where it has no body.
pub(in crate::inventory) fn success<'a>(
    document: &'a Document,
    operation: Located<'a>,
) -> Option<&'a Schema> {
    let successes = operation.operation.responses.iter().filter(|(status, _)| status.starts_with('2'));
    successes.filter_map(|(_, response)| document.response(response)?.schema.as_ref()).next()
}
