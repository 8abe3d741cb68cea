//! How a tool's answer is read: from the document's success, corrected by the tool's row, and its view found.

use crate::document::{Document, Located, Schema};
use crate::history::History;

use super::super::model::{AnswerRow, At, Inventory, ToolRow};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::{Answer, Argument, Paging, Place};
use super::slots::Slot;

/// What is said where fields are wanted of an answer that has none.
const NO_FIELDS: &str = "the document tells of no answer with fields";

/// Names by which wrapped lists tell how many rows there are.
const TOTALS: [&str; 3] = ["count", "total", "total_count"];

const KINDS: [&str; 5] = ["item", "list", "text", "bytes", "done"];

/// The answer of a tool.
pub(super) fn of(
    inventory: &Inventory,
    (document, history): (&Document, &History),
    (name, row): (&str, &ToolRow),
    (operation, slots): (Option<Located<'_>>, &[Slot<'_>]),
    problems: &mut Problems,
) -> Answer {
    let table = format!("tools.{name}");
    let mut reader = Reader { inventory, document, history, row, table, problems };
    let answer = reader.answer(operation);
    reader.perhaps();
    if let Some(operation) = operation {
        reader.statuses(operation, &answer);
        reader.moved(operation, slots);
    }
    answer
}

/// A list that the forge pages has the arguments for it.
pub(super) fn check_paging(
    (name, row): (&str, &ToolRow),
    answer: &Answer,
    arguments: &[Argument],
    problems: &mut Problems,
) {
    let Answer::List { paging, .. } = answer else { return };
    if row.paging.as_ref().is_some_and(|paging| paging.value == "none") {
        return;
    }
    let operation = &row.operation.value;
    let has = |name: &str| arguments.iter().any(|argument| argument.name == name);
    let text = match (paging, has("page"), has("limit")) {
        (Paging::Fixed, true, false) => return,
        (Paging::Fixed, true, true) => {
            format!("is \"forge\": {operation} takes `limit`, so that its pages have no size of their own")
        }
        (Paging::Fixed, false, _) => format!("\"fixed\" needs the argument `page`, and {operation} has none"),
        (_, true, true) => return,
        _ => {
            let how = match (paging, has("page")) {
                (Paging::Forge, true) => "; where pages have a size of their own, say paging = \"fixed\"",
                (Paging::Forge, false) => "; where the forge pages nothing, say paging = \"here\"",
                _ => "",
            };
            format!("a list needs the arguments `page` and `limit`, and {operation} has not both{how}")
        }
    };
    problems.add(row.line, &format!("tools.{name}"), "paging", text);
}

struct Reader<'a, 'p> {
    inventory: &'a Inventory,
    document: &'a Document,
    history: &'a History,
    row: &'a ToolRow,
    table: String,
    problems: &'p mut Problems,
}

impl<'a> Reader<'a, '_> {
    fn fault(&mut self, line: usize, key: &str, message: String) {
        self.problems.add(line, &self.table, key, message);
    }

    fn answer(&mut self, operation: Option<Located<'a>>) -> Answer {
        let schema = operation.and_then(|operation| self.document.success(operation.operation));
        let answer = match self.row.answer.as_ref().map(|at| (at.line, &at.value)) {
            Some((line, AnswerRow::Done(word, instead, note))) => {
                if note.as_ref().is_some_and(|note| note.trim().is_empty()) {
                    self.fault(line, "answer", "its note is empty".to_owned());
                }
                if let Some((status, _)) = instead.iter().find(|(status, _)| !(200..300).contains(status)) {
                    let text = format!("`instead` is of successes, as 201, and {status} is none");
                    self.fault(line, "answer", text);
                }
                Answer::Done(word.clone(), instead.clone(), note.clone())
            }
            Some((_, AnswerRow::YesNo { word, yes, no })) => {
                Answer::YesNo { word: word.clone(), yes: yes.clone(), no: no.clone() }
            }
            Some((line, AnswerRow::Value(word))) => self.value(line, word, schema),
            Some((line, AnswerRow::Moved { word, to })) => {
                if schema.is_none() {
                    self.fault(line, "answer", NO_FIELDS.to_owned());
                }
                let to = to.strip_prefix("body.").unwrap_or(to).to_owned();
                Answer::Moved {
                    view: schema.and_then(|schema| self.view(schema, false)),
                    word: word.clone(),
                    to,
                }
            }
            Some((line, AnswerRow::Kind(kind))) => self.told(line, kind, schema),
            None => match operation {
                Some(operation) => self.inferred(operation, schema),
                // Told by this program alone.
                None => Answer::Item(None),
            },
        };
        let row = self.row;
        let unused =
            [("items", &row.items), ("total", &row.total), ("paging", &row.paging), ("order", &row.order)];
        for (key, at) in unused {
            if let (Some(at), false) = (at, matches!(answer, Answer::List { .. })) {
                self.fault(
                    at.line,
                    key,
                    "is for lists, and this answer is none; `answer = \"list\"` makes it one".to_owned(),
                );
            }
        }
        let has_fields = matches!(answer, Answer::List { .. } | Answer::Item(_) | Answer::Moved { .. });
        if let (Some(at), false) = (&row.view, has_fields) {
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
                self.fault(line, "answer", NO_FIELDS.to_owned());
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
        let paging = self.paging();
        let rows = match &self.row.items {
            None => Some(schema),
            Some(items) => self.property(schema, "items", items),
        };
        match (&self.row.items, &self.row.total) {
            (_, Some(total)) => drop(self.property(schema, "total", total)),
            (Some(items), None) => self.untold(schema, items.line),
            (None, None) => {}
        }
        let row = rows.and_then(|rows| self.view(rows, true));
        let text = |at: &Option<At<String>>| at.as_ref().map(|at| at.value.clone());
        let (items, total) = (text(&self.row.items), text(&self.row.total));
        // A list of which the document says that it is one object.
        let is_array = self.document.schema(schema).unwrap_or(schema).kind.as_deref() == Some("array");
        Answer::List { row, or_one: items.is_none() && !is_array, items, total, paging }
    }

    /// A count beside the rows that no `total` names would be passed over, and some of these lists have no other.
    fn untold(&mut self, schema: &Schema, line: usize) {
        let object = self.document.schema(schema).unwrap_or(schema);
        let is_count = |(name, field): &(&String, &Schema)| {
            TOTALS.contains(&name.as_str()) && field.kind.as_deref() == Some("integer")
        };
        if let Some((name, _)) = object.properties.iter().find(is_count) {
            let text = format!("the answer has a count beside the rows: say `total = {name:?}`");
            self.fault(line, "total", text);
        }
    }

    fn paging(&mut self) -> Paging {
        let reads = self.row.effect.value == "read";
        let paging = match self.row.paging.as_ref().map(|at| (at.line, at.as_str())) {
            None | Some((_, "forge")) => Paging::Forge,
            Some((_, "fixed")) => Paging::Fixed,
            Some((_, "here")) => Paging::Here,
            // One answer, of which no page follows.
            Some((_, "none")) if !reads => Paging::InOrder,
            Some((line, other)) => {
                let none = if reads { "" } else { " or \"none\"" };
                let known = format!("\"forge\", \"fixed\", \"here\"{none}");
                self.fault(line, "paging", format!("is one of {known}, not {other:?}"));
                Paging::Forge
            }
        };
        match self.row.order.as_ref().map(|at| (at.line, at.as_str())) {
            None => paging,
            Some((_, "forge")) if paging == Paging::Here => Paging::InOrder,
            Some((line, "forge")) => {
                let text = "is for lists that are cut here: paging = \"here\"".to_owned();
                self.fault(line, "order", text);
                paging
            }
            Some((line, other)) => {
                self.fault(line, "order", format!("is \"forge\", not {other:?}"));
                paging
            }
        }
    }

    /// A bare value, of which the document does not say that it has fields or rows.
    fn value(&mut self, line: usize, word: &str, schema: Option<&'a Schema>) -> Answer {
        let at = schema.map(|schema| self.document.schema(schema).unwrap_or(schema));
        if at.is_some_and(|at| at.items.is_some() || !at.properties.is_empty()) {
            let text =
                "{ value = … } is for a bare boolean, number or text, and this answer has fields or rows";
            self.fault(line, "answer", text.to_owned());
        }
        Answer::Value(word.to_owned())
    }

    /// What leaves open what a write has done is none of its successes, and nothing else tells what it means.
    fn perhaps(&mut self) {
        let row = self.row;
        for (status, reason) in &row.perhaps {
            let text = if row.effect.value == "read" {
                "is for what writes: a read leaves nothing open".to_owned()
            } else if (200..300).contains(status) {
                format!("{status} is a success; what one leaves open says the `note` of `answer`")
            } else if row.statuses.iter().any(|(known, _)| known == status) {
                format!("`statuses` tells already what {status} means")
            } else if reason.trim().is_empty() {
                format!("the reason of {status} is empty")
            } else {
                continue;
            };
            self.fault(row.line, "perhaps", text);
        }
        for (status, _) in row.statuses.iter().filter(|(_, meaning)| meaning.trim().is_empty()) {
            self.fault(row.line, "statuses", format!("the meaning of {status} is empty"));
        }
    }

    /// What a status means stands in one place, and one success is left.
    fn statuses(&mut self, operation: Located<'_>, answer: &Answer) {
        let own = &self.row.statuses;
        let told: Vec<u16> = match answer {
            Answer::YesNo { yes, no, .. } => yes.iter().chain(no).copied().collect(),
            Answer::Done(_, instead, _) => instead.iter().map(|(status, _)| *status).collect(),
            _ => Vec::new(),
        };
        for (key, rows) in [("statuses", own), ("perhaps", &self.row.perhaps)] {
            if let Some((status, _)) = rows.iter().find(|(status, _)| told.contains(status)) {
                let text = format!("`answer` tells already what {status} means");
                self.fault(self.row.line, key, text);
            }
        }
        let means = |status: &str| own.iter().any(|(known, _)| known.to_string() == status);
        let mut successes =
            operation.operation.responses.keys().filter(|status| status.starts_with('2')).peekable();
        if successes.peek().is_some() && successes.all(|status| means(status)) {
            let text = "a 2xx here means that nothing was done, and the document has no other success";
            self.fault(self.row.line, "statuses", text.to_owned());
        }
    }

    /// The field that tells where a thing is moved to is a text in the body of a write.
    fn moved(&mut self, operation: Located<'_>, slots: &[Slot<'_>]) {
        let Some(At { value: AnswerRow::Moved { to, .. }, .. }) = &self.row.answer else { return };
        let is_text = |slot: &Slot<'_>| slot.schema.kind.as_deref() == Some("string");
        if operation.method.eq_ignore_ascii_case("get") {
            let text = "a read follows redirects by itself; `moved` is for writes".to_owned();
            self.fault(to.line, "answer", text);
        } else if !slots
            .iter()
            .any(|slot| slot.place == Place::Body && slot.key() == to.value && is_text(slot))
        {
            let known: Vec<String> =
                slots.iter().filter(|slot| slot.place == Place::Body).map(Slot::key).collect();
            let near = did_you_mean(to, known.iter().map(String::as_str));
            let text = format!("{} takes no text {:?}{near}", self.row.operation.value, to.value);
            self.fault(to.line, "answer", text);
        }
    }

    fn property(&mut self, schema: &'a Schema, key: &str, at: &At<String>) -> Option<&'a Schema> {
        let object = self.document.schema(schema).unwrap_or(schema);
        let found = object.properties.get(&at.value);
        if found.is_none() && !self.history.answers(&self.row.operation, &at.value) {
            let near = did_you_mean(at, object.properties.keys().map(String::as_str));
            self.fault(at.line, key, format!("the answer has no field {:?}{near}", at.value));
        }
        found
    }

    /// The name of the view by which an answer is shown; none where it is no object.
    fn view(&mut self, schema: &'a Schema, row: bool) -> Option<String> {
        let views = &self.inventory.views;
        let definition = self.document.object(schema).map(|(name, _)| name);
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
    Answer::Done("done".to_owned(), Vec::new(), None)
}
