//! The arguments of one call, each beside its parameter.

use serde_json::{Map, Value};

use super::fault::{self, Fault};
use super::{LEAST_MAX_BYTES, MOST_MAX_BYTES};
use crate::operations::descriptor::{Answer, Codec, Effect, Kind, Operation, Parameter, Place};
use crate::operations::{OperationError, files};

/// What every operation takes besides its own arguments.
static EVERYWHERE: [Parameter; 4] = [
    local("dry_run", Kind::Boolean),
    local("confirm", Kind::Boolean),
    local("fields", Kind::List(&Kind::Text)),
    local("max_bytes", Kind::Integer { min: LEAST_MAX_BYTES as i64, max: MOST_MAX_BYTES as i64 }),
];

/// What every list takes besides, and every diff, which may be answered with the list of its files.
static LISTS: [Parameter; 1] = [local("skip", Kind::Integer { min: 0, max: i64::MAX })];

/// What every list takes besides that the forge sends whole.
static WHOLE_LISTS: [Parameter; 1] = [local("last", Kind::Integer { min: 1, max: i64::MAX })];

/// What every text takes besides.
static TEXTS: [Parameter; 2] =
    [local("offset", Kind::Integer { min: 0, max: i64::MAX }), local("as_of", Kind::Text)];

/// What every upload takes besides.
static UPLOADS: [Parameter; 1] = [local("file", Kind::Text)];

/// What every read takes besides whose answer is text or bytes.
static DOWNLOADS: [Parameter; 2] = [local("save_as", Kind::Text), local("overwrite", Kind::Boolean)];

const fn local(name: &'static str, kind: Kind) -> Parameter {
    Parameter {
        name,
        aliases: &[],
        place: Place::Local,
        wire: name,
        kind,
        required: false,
        default: None,
        default_from: None,
        demands: None,
        demands_at: None,
        excludes: None,
        when_false: None,
        or: None,
        empty: false,
        codec: Codec::Plain,
        secret: None,
    }
}

/// The arguments of one call; `null` counts as absent.
pub(super) struct Given {
    /// The operation that they are for.
    pub(super) operation: &'static Operation,
    /// In the order of the operation's parameters.
    values: Vec<Option<Value>>,
    engine: Vec<(&'static Parameter, Value)>,
    /// The arguments whose text is a name, even where it is digits alone.
    names: Vec<&'static str>,
}

impl Given {
    /// Puts each argument beside its parameter.
    ///
    /// # Errors
    /// An unknown name, and one argument by two names.
    pub(super) fn sort(
        operation: &'static Operation,
        arguments: Map<String, Value>,
    ) -> Result<Self, OperationError> {
        let mut values = Vec::new();
        values.resize_with(operation.parameters.len(), || None);
        let mut given = Self { operation, values, engine: Vec::new(), names: Vec::new() };
        for (name, value) in arguments {
            if let Some(at) = position(operation, &name) {
                let Some(slot) = given.values.get_mut(at) else { continue };
                if value.is_null() {
                    continue;
                }
                if slot.replace(value).is_some() {
                    let known = operation.parameters.get(at).map_or("", |p| p.name);
                    return Err(Fault::said(format!(
                        "`{name}` is another name of `{known}`; give one of them"
                    ))
                    .into());
                }
            } else if let Some(parameter) = engine_parameter(operation, &name) {
                if !value.is_null() {
                    given.engine.push((parameter, value));
                }
            } else {
                return Err(unknown(operation, &name).into());
            }
        }
        Ok(given)
    }

    /// Whether that argument has a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// That argument's value, by its own name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let at = self.operation.parameters.iter().position(|p| p.name == name)?;
        self.values.get(at)?.as_ref()
    }

    /// Gives that argument a value; nothing where the operation has no such argument.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        let at = self.operation.parameters.iter().position(|p| p.name == name);
        if let Some(slot) = at.and_then(|at| self.values.get_mut(at)) {
            *slot = Some(value);
        }
    }

    /// Says of an argument that its text is a name, even where it is digits alone.
    pub(super) fn call_name(&mut self, name: &'static str) {
        self.names.push(name);
    }

    /// The arguments of which that was said, once.
    pub(super) fn take_names(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.names)
    }

    /// Takes that argument's value away.
    pub(super) fn clear(&mut self, name: &str) {
        let at = self.operation.parameters.iter().position(|p| p.name == name);
        if let Some(slot) = at.and_then(|at| self.values.get_mut(at)) {
            *slot = None;
        }
    }

    /// Whether one of the engine's own arguments was given.
    pub(super) fn has_engine(&self, name: &str) -> bool {
        self.engine.iter().any(|(parameter, _)| parameter.name == name)
    }

    /// The engine's own arguments, once.
    pub(super) fn take_engine(&mut self) -> Vec<(&'static Parameter, Value)> {
        std::mem::take(&mut self.engine)
    }

    /// The operation's arguments that have a value, in its order.
    pub(super) fn take(self) -> impl Iterator<Item = (&'static Parameter, Value)> {
        self.operation.parameters.iter().zip(self.values).filter_map(|(p, value)| Some((p, value?)))
    }
}

fn position(operation: &Operation, name: &str) -> Option<usize> {
    let parameters = operation.parameters;
    parameters
        .iter()
        .position(|p| p.name == name)
        .or_else(|| parameters.iter().position(|p| p.aliases.contains(&name)))
}

fn engine_parameter(operation: &Operation, name: &str) -> Option<&'static Parameter> {
    engine_parameters(operation).find(|parameter| parameter.name == name)
}

/// What the engine itself takes beside an operation's own arguments.
fn engine_parameters(operation: &Operation) -> impl Iterator<Item = &'static Parameter> {
    let is_diff = operation.parameters.iter().any(|p| p.name == "paths");
    let is_list = is_diff || matches!(operation.answer, Answer::List(_));
    let is_text = matches!(operation.answer, Answer::Text);
    let lists = LISTS.iter().filter(move |_| is_list);
    let whole =
        WHOLE_LISTS.iter().filter(|_| matches!(&operation.answer, Answer::List(list) if list.is_whole()));
    let texts = TEXTS.iter().filter(move |_| is_text);
    let uploads = UPLOADS.iter().filter(|_| files::uploads(operation));
    let downloads = DOWNLOADS.iter().filter(|_| files::downloads(operation));
    EVERYWHERE.iter().chain(lists).chain(whole).chain(texts).chain(uploads).chain(downloads)
}

/// The engine's own arguments that do something to this operation.
fn besides(operation: &Operation) -> Vec<&'static str> {
    let is_read = operation.effect == Effect::Read;
    let does = |name: &str| match name {
        "dry_run" => !is_read,
        "confirm" => {
            operation.effect == Effect::Destroy || operation.confirm || !operation.confirm_when.is_empty()
        }
        "fields" => operation.definition.is_some(),
        _ => true,
    };
    engine_parameters(operation).map(|p| p.name).filter(|name| does(name)).collect()
}

fn unknown(operation: &'static Operation, name: &str) -> Fault {
    if let Some((_, advice)) = operation.retired.iter().find(|(old, _)| *old == name) {
        return Fault::said(format!(
            "{} no longer takes `{name}`; {advice}. Nothing was sent",
            operation.name
        ));
    }
    let names = || operation.parameters.iter().map(|p| p.name);
    let mut near = fault::near(name, names());
    if near.is_empty() {
        // An older name that is close stands for the argument's own.
        let aliases = operation.parameters.iter().flat_map(|p| p.aliases.iter().copied());
        near = fault::near(name, aliases)
            .iter()
            .filter_map(|alias| operation.parameters.iter().find(|p| p.aliases.contains(&alias.as_str())))
            .map(|p| p.name.to_owned())
            .collect();
    }
    if near.is_empty() {
        near = fault::near(name, engine_parameters(operation).map(|p| p.name));
    }
    let accepted: Vec<&str> = names().collect();
    let accepted = if accepted.is_empty() { "none of its own".to_owned() } else { accepted.join(", ") };
    Fault::said(format!("{} has no argument {}", operation.name, fault::quoted(name)))
        .near(near)
        .hint(format!("accepted arguments: {accepted}; and {}", besides(operation).join(", ")))
}
