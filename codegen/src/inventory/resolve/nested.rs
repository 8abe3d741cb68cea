//! Rows of fields inside a list of objects, as `body.comments[].path`: what the document leaves open of each element.

use std::collections::BTreeMap;

use super::super::model::{At, ParamRow, Rule};
use super::super::problem::did_you_mean;
use super::super::tool::{Codec, Field, Kind};
use super::kinds;

/// What stands between a list's key and that of its elements' field.
const ELEMENT: &str = "[].";

/// The list that a row's key goes into.
pub(super) fn list_of(key: &str) -> Option<&str> {
    key.split_once(ELEMENT).map(|(list, _)| list)
}

/// Applies the rows for the elements of the list with that key. The faults: key, line and what is wrong.
pub(super) fn apply(
    kind: &mut Kind,
    list: &str,
    rows: &BTreeMap<&str, &ParamRow>,
) -> Vec<(String, usize, String)> {
    let mut faults = Vec::new();
    let of_list = rows.iter().filter(|(key, _)| list_of(key) == Some(list));
    for (key, row) in of_list {
        let name = key.split_once(ELEMENT).map_or("", |(_, name)| name);
        if let Err(message) = field(kind, name, row) {
            faults.push(((*key).to_owned(), row.rule.line, message));
        }
    }
    faults
}

fn field(kind: &mut Kind, name: &str, row: &ParamRow) -> Result<(), String> {
    let known = ParamRow {
        rule: Rule {
            line: row.rule.line,
            kind: row.rule.kind.clone(),
            values: row.rule.values.clone(),
            min: row.rule.min,
            max: row.rule.max,
            ..Rule::default()
        },
        required: row.required,
        codec: row.codec.clone(),
        or: row.or.clone(),
        ..ParamRow::default()
    };
    if known != *row {
        return Err(
            "of a list's elements a field has `required`, `type`, `enum`, `min`, `max`, `codec` and `or` alone"
                .to_owned()
        );
    }
    let Kind::List(item) = kind else { return Err("is no list".to_owned()) };
    let Kind::Object(fields) = &mut **item else { return Err("is no list of objects".to_owned()) };
    let near = did_you_mean(name, fields.iter().map(|field| field.name.as_str()));
    let field = fields.iter_mut().find(|field| field.name == name);
    let field = field.ok_or_else(|| format!("its elements have no field {name:?}{near}"))?;
    field.required = row.required.unwrap_or(field.required);
    if let Some(at) = &row.rule.kind {
        field.kind = kinds::of_word(at).ok_or_else(|| kinds::no_type(at))?;
    }
    if !row.rule.values.is_empty() {
        let words = Kind::Enum(row.rule.values.iter().map(|At { value, .. }| value.clone()).collect());
        field.kind = if matches!(field.kind, Kind::List(_)) { Kind::List(Box::new(words)) } else { words };
    }
    match &mut field.kind {
        Kind::Integer { min, max } => {
            *min = row.rule.min.or(*min);
            *max = row.rule.max.or(*max);
        }
        _ if row.rule.min.is_some() || row.rule.max.is_some() => {
            return Err("min and max are for integers".to_owned());
        }
        _ => {}
    }
    let other = encoded(field, row)?;
    if let Some(other) = other {
        if fields.iter().any(|field| field.name == other.name) {
            return Err(format!("or {:?}: its elements have such a field already", other.name));
        }
        fields.push(other);
    }
    Ok(())
}

/// Has a field written as base64, and gives the one beside it that takes the base64 itself.
fn encoded(field: &mut Field, row: &ParamRow) -> Result<Option<Field>, String> {
    match (&row.codec, &row.or) {
        (None, None) => Ok(None),
        (Some(codec), or) if codec.value == "base64" && field.kind == Kind::Text && !field.required => {
            field.codec = Codec::Base64;
            field.or = or.as_ref().map(|or| or.value.clone());
            let other = |name| Field { codec: Codec::CheckedBase64, or: None, name, ..field.clone() };
            Ok(field.or.clone().map(other))
        }
        _ => {
            Err("of a list's elements a text that is not required has codec \"base64\", and then `or`"
                .to_owned())
        }
    }
}
