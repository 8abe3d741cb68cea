//! Secrets that the forge sends in clear: a hook's authorization header, an application's secret. What is masked stands in
//! the table ([`Mask`], from the inventory); here it is taken out of values.

use serde_json::{Map, Value};

use super::address;
use super::descriptor::{List, Mask, Operation, Parameter, Place};
use super::names::names_of;
use super::projection::is_empty;

/// What stands in place of a secret.
pub(super) const MASKED: &str = "***";

/// What is masked of a field of an object.
pub(super) fn of_field(mask: &'static Mask, name: &str) -> Option<&'static Mask> {
    let Mask::Fields(fields) = mask else { return Some(mask) };
    let named = |wanted: &str| fields.iter().find(|(known, _)| *known == wanted).map(|(_, inner)| *inner);
    named(name).or_else(|| named("*"))
}

/// What is masked of a row, where that is known of the answer that holds the list.
pub(super) fn of_rows(mask: Option<&'static Mask>, list: &List) -> Option<&'static Mask> {
    match list.items {
        Some(items) => mask.and_then(|mask| of_field(mask, items)),
        None => mask,
    }
}

/// Masks what a value holds; what is empty tells nothing and stays.
pub(super) fn hide(value: &mut Value, mask: &'static Mask) {
    match (mask, value) {
        (Mask::All, value) if !is_empty(value) => *value = MASKED.into(),
        (Mask::All, _) => {}
        (Mask::Address, Value::String(text)) => {
            if let Some(shown) = address::without_secrets(text) {
                *text = shown;
            }
        }
        (Mask::Receiver, Value::String(text)) => {
            if let Some(shown) = address::of_receiver(text) {
                *text = shown;
            }
        }
        (_, Value::Array(items)) => items.iter_mut().for_each(|item| hide(item, mask)),
        (_, Value::Object(fields)) => {
            for (name, field) in fields {
                if let Some(inner) = of_field(mask, name) {
                    hide(field, inner);
                }
            }
        }
        _ => {}
    }
}

/// Masks what a value of unknown form holds, as if the known one could be anywhere in it.
pub(super) fn hide_anywhere(value: &mut Value, mask: &'static Mask) {
    if !matches!(mask, Mask::All) {
        hide(value, mask);
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| hide_anywhere(item, mask)),
        Value::Object(fields) => fields.values_mut().for_each(|field| hide_anywhere(field, mask)),
        _ => {}
    }
}

/// What of an argument is secret; a name that is an address holds what that of a receiver does.
pub(super) fn of_parameter(parameter: &Parameter) -> Option<&'static Mask> {
    let is_by_address = names_of(&parameter.kind).is_some_and(|names| names.of.address);
    if is_by_address { Some(&Mask::Receiver) } else { parameter.secret }
}

/// The argument that is one key of a map of its own, as `url` of `config`.
fn key_of<'a>(operation: &'a Operation, map: &Parameter, key: &str) -> Option<&'a Parameter> {
    let is = |wire: &str| wire.strip_prefix(map.wire).and_then(|rest| rest.strip_prefix('.')) == Some(key);
    operation.parameters.iter().find(|p| p.place == map.place && is(p.wire))
}

/// The shortest secret that is looked for in a text: what is shorter stands in every sentence.
const SHORTEST: usize = 4;

/// The secrets among a call's arguments, the longest first, also in the form that they have in quotes.
pub(super) fn secrets(operation: &Operation, arguments: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in arguments {
        let is = |p: &&Parameter| p.name == name || p.aliases.contains(&name.as_str());
        if let Some(parameter) = operation.parameters.iter().find(is) {
            collect((operation, parameter), of_parameter(parameter), value, &mut found);
        }
    }
    let in_quotes = |text: &String| {
        let quoted = format!("{text:?}");
        quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned)
    };
    let escaped: Vec<String> = found.iter().filter_map(in_quotes).collect();
    found.extend(escaped);
    found.retain(|secret| secret.len() >= SHORTEST);
    found.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    found.dedup();
    found
}

/// Puts what is secret in an argument's value to the others.
fn collect(
    of: (&Operation, &Parameter),
    mask: Option<&'static Mask>,
    value: &Value,
    found: &mut Vec<String>,
) {
    match (mask, value) {
        (None, _) => {}
        (Some(Mask::Receiver), Value::String(text)) => {
            let pieces = address::secrets_of_receiver(text);
            // The name and the key of `bot123:KEY` count alone as well.
            found.extend(
                pieces.flat_map(|piece| std::iter::once(piece).chain(piece.split(':'))).map(str::to_owned),
            );
        }
        (Some(_), Value::String(text)) => {
            found.push(text.clone());
            // What is a map or a list may come as its text.
            if text.trim_start().starts_with(['{', '['])
                && let Ok(value) = serde_json::from_str::<Value>(text)
            {
                collect(of, mask, &value, found);
            }
        }
        (Some(_), Value::Number(number)) => found.push(number.to_string()),
        (Some(_), Value::Array(items)) => items.iter().for_each(|item| collect(of, mask, item, found)),
        (Some(_), Value::Object(fields)) => {
            for (key, value) in fields {
                let mask = key_of(of.0, of.1, key).map_or(mask, of_parameter);
                collect(of, mask, value, found);
            }
        }
        (Some(_), Value::Null | Value::Bool(_)) => {}
    }
}

/// Hides secrets of a call's arguments where its answer is of no documented form: nothing else says what in it is one.
pub(super) fn hide_given(answer: &mut Value, secrets: &[String]) {
    match answer {
        Value::String(text) => *text = without(std::mem::take(text), secrets),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_given(item, secrets)),
        Value::Object(fields) => fields.values_mut().for_each(|field| hide_given(field, secrets)),
        Value::Number(number) if secrets.contains(&number.to_string()) => *answer = MASKED.into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text without these secrets, which the forge repeats in some errors; nor what a cut left of one before its `…`.
pub(super) fn without(mut text: String, secrets: &[String]) -> String {
    for secret in secrets {
        if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), MASKED);
        }
        let left = |part: &str| {
            let ends = secret.char_indices().map(|(end, _)| end).rev();
            let mut starts =
                ends.filter(|end| (SHORTEST..=part.len()).contains(end)).filter_map(|end| secret.get(..end));
            starts.find_map(|start| part.strip_suffix(start).map(|rest| format!("{rest}{MASKED}…")))
        };
        let parts = text.split_inclusive('…');
        let parts =
            parts.map(|part| part.strip_suffix('…').and_then(left).unwrap_or_else(|| part.to_owned()));
        text = parts.collect();
    }
    text
}

/// Masks the secret arguments in a request's body, and what is secret in a value that is an address.
pub(super) fn hide_arguments(body: &mut Value, operation: &Operation) {
    address::hide_in(body);
    for parameter in operation.parameters.iter().filter(|p| p.place == Place::Body) {
        let Some(mask) = of_parameter(parameter) else { continue };
        let mut at = Some(&mut *body);
        for name in parameter.wire.split('.') {
            at = at.and_then(|value| value.get_mut(name));
        }
        match at {
            // Which keys a map has is no secret, and some are arguments of their own.
            Some(Value::Object(fields)) => {
                let others = fields.iter_mut().filter(|(key, _)| key_of(operation, parameter, key).is_none());
                others.for_each(|(_, value)| hide(value, mask));
            }
            Some(value) => hide(value, mask),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_taken_out_of_a_text_whole_and_where_a_cut_left_its_start() {
        let secrets = ["hunter2-hunter2".to_owned(), "84729913".to_owned()];
        for (text, expected) in [
            ("got hunter2-hunter2 and 84729913", "got *** and ***"),
            ("got \"abc hunter2-hun…\", 847…", "got \"abc ***…\", 847…"),
            ("got 8472… and hunt", "got ***… and hunt"),
            ("…", "…"),
        ] {
            assert_eq!(without(text.to_owned(), &secrets), expected);
        }
    }
}
