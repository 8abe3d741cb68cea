//! Secrets that the forge sends in clear: a hook's authorization header, an application's secret. What is masked stands in
//! the table ([`Mask`], from the inventory); here it is taken out of values.

use serde_json::Value;

use super::descriptor::{List, Mask};
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
