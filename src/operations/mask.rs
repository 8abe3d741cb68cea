//! Secrets that the forge sends in clear: a hook's authorization header, an application's secret. What is masked stands in
//! the table ([`Mask`], from the inventory); here it is taken out of values.

use serde_json::{Map, Value};

use super::address;
use super::descriptor::{List, Mask, Operation, Parameter, Place};
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

/// The shortest secret that is looked for in a text: what is shorter stands in every sentence.
const SHORTEST: usize = 4;

/// The secrets among a call's arguments.
pub(super) fn secrets(operation: &Operation, arguments: &Map<String, Value>) -> Vec<String> {
    let is = |parameter: &&Parameter, name: &str| {
        parameter.secret && (parameter.name == name || parameter.aliases.contains(&name))
    };
    let given = arguments.iter().filter(|(name, _)| operation.parameters.iter().any(|p| is(&p, name)));
    given.filter_map(|(_, value)| Some(value.as_str()?.to_owned())).collect()
}

/// A text without these secrets, which the forge repeats in some errors.
pub(super) fn without(mut text: String, secrets: &[String]) -> String {
    for secret in secrets.iter().filter(|secret| secret.len() >= SHORTEST) {
        if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), MASKED);
        }
    }
    text
}

/// Masks the secret arguments in a request's body, and what is secret in a value that is an address.
pub(super) fn hide_arguments(body: &mut Value, operation: &Operation) {
    address::hide_in(body);
    let secrets = operation.parameters.iter().filter(|p| p.secret && p.place == Place::Body);
    for parameter in secrets {
        let mut at = Some(&mut *body);
        for name in parameter.wire.split('.') {
            at = at.and_then(|value| value.get_mut(name));
        }
        if let Some(value) = at.filter(|value| !is_empty(value)) {
            *value = MASKED.into();
        }
    }
}
