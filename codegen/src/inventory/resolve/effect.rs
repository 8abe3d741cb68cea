//! What a tool does to the forge against the methods of its operations, and what of it wants a confirmation.

use crate::document::Located;

use super::super::model::ToolRow;
use super::super::problem::did_you_mean;
use super::super::tool::{Argument, Effect};
use super::{Resolver, slots};

/// The operations that are a POST and change nothing: they render what they are sent. Any other POST marked as a read
/// would be sent again after a failure.
const RENDERS: [&str; 3] = ["renderMarkdown", "renderMarkdownRaw", "renderMarkup"];

impl Resolver<'_> {
    /// What a tool does to the forge, as its row says and the methods of its operations allow.
    pub(super) fn effect(&mut self, table: &str, row: &ToolRow, operations: &[Located<'_>]) -> Effect {
        let (line, word) = (row.effect.line, row.effect.as_str());
        let Some((_, effect)) = Effect::WORDS.into_iter().find(|(known, _)| *known == word) else {
            if !word.is_empty() {
                let known = Effect::WORDS.map(|(known, _)| known);
                let near = did_you_mean(word, known);
                let near = if near.is_empty() { format!("; known are {}", known.join(", ")) } else { near };
                self.problems.add(line, table, "effect", format!("no effect {word:?}{near}"));
            }
            return Effect::Read;
        };
        let text = match operations {
            [operation] => mismatch(*operation, effect),
            several if row.composed.is_some() => {
                let writes = several.iter().any(|operation| !operation.method.eq_ignore_ascii_case("get"));
                let text = if writes {
                    "one of its calls writes, so the effect is not \"read\""
                } else {
                    "its calls only read, so the effect is \"read\""
                };
                (writes == (effect == Effect::Read)).then(|| text.to_owned())
            }
            _ => None,
        };
        if let Some(text) = text {
            self.problems.add(line, table, "effect", text);
        }
        effect
    }

    /// Whether a tool wants a confirmation always, and the names of the arguments that may want one.
    pub(super) fn confirmed(
        &mut self,
        table: &str,
        row: &ToolRow,
        effect: Effect,
        arguments: &[Argument],
    ) -> (bool, Vec<String>) {
        if row.confirm && effect == Effect::Read {
            self.problems.add(row.line, table, "confirm", "what reads wants no confirmation");
        }
        let confirm = row.confirm || effect == Effect::Destroy;
        let mut names = Vec::new();
        for at in &row.confirm_when {
            let argument = arguments.iter().find(|a| slots::key(a.place, &a.wire) == at.value);
            let text = match argument {
                _ if confirm => "this tool wants a confirmation always".to_owned(),
                _ if effect == Effect::Read => "what reads wants no confirmation".to_owned(),
                Some(argument) => {
                    names.push(argument.name.clone());
                    continue;
                }
                None => match row.never_given(&at.value) {
                    Some(text) => text,
                    // A parameter that does not exist is named already.
                    None => continue,
                },
            };
            self.problems.add(at.line, table, "confirm_when", text);
        }
        (confirm, names)
    }
}

/// What is wrong with an effect, seen from the method.
fn mismatch(operation: Located<'_>, effect: Effect) -> Option<String> {
    let method = operation.method.to_uppercase();
    match (method.as_str(), effect) {
        ("GET" | "HEAD", Effect::Read) => None,
        ("GET" | "HEAD", _) => Some(format!("{method} only reads, so the effect is \"read\"")),
        ("DELETE", Effect::Change | Effect::Destroy) => None,
        ("DELETE", _) => Some("DELETE removes, so the effect is \"change\" or \"destroy\"".to_owned()),
        ("PUT" | "PATCH", Effect::Read) => Some(format!("{method} writes, so the effect is not \"read\"")),
        ("POST", Effect::Read) if !RENDERS.contains(&operation.operation.operation_id.as_str()) => {
            Some(format!("POST writes, so the effect is not \"read\"; only {} render", RENDERS.join(", ")))
        }
        _ => None,
    }
}
