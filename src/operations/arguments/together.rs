//! Arguments that cannot be judged one by one: what is missing, what another demands or excludes, and what says nothing or
//! two things at once.

use serde_json::Value;

use super::coerce;
use super::fault::Fault;
use super::given::Given;
use crate::operations::OperationError;
use crate::operations::descriptor::{Effect, Kind, Operation, Parameter, Place};

/// An argument with its value.
type Valued = (&'static Parameter, Value);

/// A default of a map's key is none where the caller's map has the key.
pub(super) fn yield_to_maps(values: &mut Vec<Valued>, stood_in: &[&str]) {
    let maps: Vec<(&str, Value)> = values
        .iter()
        .filter(|(parameter, _)| matches!(parameter.kind, Kind::TextMap))
        .map(|(parameter, map)| (parameter.wire, map.clone()))
        .collect();
    let is_there = |wire: &str| {
        let key = |map: &str| wire.strip_prefix(map)?.strip_prefix('.');
        maps.iter().any(|(map, value)| key(map).is_some_and(|key| value.get(key).is_some()))
    };
    values.retain(|(parameter, _)| !(stood_in.contains(&parameter.name) && is_there(parameter.wire)));
}

/// A PATCH that is told nothing to change would still be sent, and on some things blanks what it is not sent; a DELETE that
/// takes a list of what goes has nothing to do without one, and so has a POST whose body takes nothing but lists.
pub(super) fn check_purpose(given: &Given) -> Result<(), OperationError> {
    let operation = given.operation;
    let changes = || operation.parameters.iter().filter(|p| p.place == Place::Body);
    let wants_one = operation.calls.first().is_some_and(|call| match call.method {
        "PATCH" | "DELETE" => true,
        "POST" => changes().all(|p| matches!(p.kind, Kind::List(_))),
        _ => false,
    });
    if !wants_one || changes().next().is_none() || changes().any(|p| given.has(p.name)) {
        return Ok(());
    }
    let names: Vec<String> = changes().map(|p| format!("`{}`", p.name)).collect();
    let said = format!("{} was told nothing to change", operation.name);
    Err(Fault::said(said).hint(format!("give at least one of {}", names.join(", "))).into())
}

pub(super) fn check_presence(given: &Given) -> Result<(), OperationError> {
    let mut absent = Vec::new();
    for parameter in given.operation.parameters {
        let other = parameter.or.or_else(|| {
            given.operation.parameters.iter().find(|p| p.or == Some(parameter.name)).map(|p| p.name)
        });
        let has = given.has(parameter.name);
        if parameter.place == Place::File && given.has_engine("file") {
            let both = [Some(parameter.name), other].into_iter().flatten().find(|name| given.has(name));
            if let Some(both) = both {
                return Err(Fault::said(format!("expected one of `{both}` and `file`, got both")).into());
            }
            continue;
        }
        match other {
            Some(other) if has && given.has(other) => {
                return Err(Fault::said(format!(
                    "expected one of `{}` and `{other}`, got both",
                    parameter.name
                ))
                .into());
            }
            Some(other) if parameter.required && !has && !given.has(other) => {
                absent.push((parameter, format!(" (or `{other}`)")));
            }
            None if parameter.required && !has => absent.push((parameter, String::new())),
            _ => {}
        }
    }
    if absent.is_empty() { Ok(()) } else { Err(missing(given.operation, &absent)) }
}

/// Whether the values go together; `stood_in` are the arguments that the caller gave not, and `sends_file` tells whether a
/// file of this machine is sent.
///
/// # Errors
/// Arguments that are demanded and not there, that exclude each other, that say two things, or filter by nothing.
pub(super) fn check(
    operation: &Operation,
    values: &[Valued],
    (stood_in, sends_file): (&[&str], bool),
) -> Result<(), OperationError> {
    let is_given = |parameter: &Parameter| !stood_in.contains(&parameter.name);
    for (parameter, value) in values {
        if let Some(name) = parameter.demands.filter(|_| demands(parameter, value)) {
            check_demanded(operation, values, parameter, name)?;
        }
        let excluded = operation.parameters.iter().find(|p| Some(p.name) == parameter.excludes);
        if let Some(excluded) = excluded.filter(|_| *value != false && !is_nothing(value))
            && let Some(other) = in_place_of(excluded, values, (&is_given, sends_file))
        {
            let said = format!("expected one of `{other}` and `{}`, got both", parameter.name);
            return Err(Fault::said(said).into());
        }
        if is_filter(operation, parameter) && is_given(parameter) && is_nothing(value) {
            return Err(Fault::expected(coerce::expected(&parameter.kind), value)
                .hint(
                    "the forge takes an empty filter for none; leave it out to ask for everything".to_owned(),
                )
                .within(parameter.name)
                .into());
        }
    }
    check_maps(values, stood_in)
}

/// The argument that was given in a parameter's place: itself, another form of it, or a file of this machine.
fn in_place_of(
    parameter: &Parameter,
    values: &[Valued],
    (is_given, sends_file): (&dyn Fn(&Parameter) -> bool, bool),
) -> Option<&'static str> {
    let is_it = |p: &Parameter| p.place == parameter.place && p.wire == parameter.wire && is_given(p);
    let given = values.iter().find(|(p, _)| is_it(p)).map(|(p, _)| p.name);
    given.or((parameter.place == Place::File && sends_file).then_some("file"))
}

fn demands(parameter: &Parameter, value: &Value) -> bool {
    parameter.demands_at.map_or(*value == true, |word| value == word)
}

/// What is demanded is there; an empty text is not.
fn check_demanded(
    operation: &Operation,
    values: &[Valued],
    by: &Parameter,
    name: &str,
) -> Result<(), OperationError> {
    let is_there = values.iter().any(|(given, value)| given.name == name && !is_nothing(value));
    match operation.parameters.iter().find(|wanted| wanted.name == name).filter(|_| !is_there) {
        Some(wanted) => {
            let at = by.demands_at.map_or_else(String::new, |word| format!(" {word}"));
            Err(missing(operation, &[(wanted, format!(" (demanded by `{}`{at})", by.name))]))
        }
        None => Ok(()),
    }
}

/// Whether an argument chooses among rows, so that the forge takes an empty one for none, and the table tells not that an
/// empty one says something.
fn is_filter(operation: &Operation, parameter: &Parameter) -> bool {
    let is_read = operation.effect == Effect::Read || matches!(parameter.kind, Kind::List(_));
    parameter.place == Place::Query && is_read && !parameter.empty
}

/// An empty text or list.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// A key of a map that is an argument of its own as well has one value. Neither is repeated: it may be a secret.
fn check_maps(values: &[Valued], stood_in: &[&str]) -> Result<(), OperationError> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (map, entries) in values.iter().filter(|(parameter, _)| matches!(parameter.kind, Kind::TextMap)) {
        for (own, value) in values.iter().filter(|(own, _)| !stood_in.contains(&own.name)) {
            let key = own.wire.strip_prefix(map.wire).and_then(|rest| rest.strip_prefix('.'));
            let Some((key, entry)) = key.and_then(|key| Some((key, entries.get(key)?))) else { continue };
            if text(entry) != text(value) {
                let said = format!("`{}` and `{}.{key}` say different things", own.name, map.name);
                return Err(Fault::said(said).hint("give it once".to_owned()).into());
            }
        }
    }
    Ok(())
}

/// That arguments are missing, all of them at once.
fn missing(operation: &Operation, absent: &[(&Parameter, String)]) -> OperationError {
    let expected = |parameter: &Parameter| coerce::expected(&parameter.kind);
    let fault = match absent {
        [(only, or)] => Fault::said(format!(
            "argument `{}`{or} is required: expected {}, got nothing",
            only.name,
            expected(only)
        )),
        several => {
            let named = several.iter().map(|(one, or)| format!("`{}`{or}: {}", one.name, expected(one)));
            let named: Vec<String> = named.collect();
            Fault::said(format!("arguments are required that were not given: {}", named.join("; ")))
        }
    };
    let lacks_owner = absent.iter().any(|(parameter, _)| parameter.name == "owner");
    let error = OperationError::from(fault);
    match lacks_owner && operation.parameters.iter().any(|p| p.name == "repo") {
        true => error.hint("`repo` may be given as owner/name"),
        false => error,
    }
}
