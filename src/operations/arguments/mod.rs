//! From the JSON object that a caller sends to the typed client's parameters, by the operation's own table alone.
//!
//! Everything is checked here, before anything is sent: names, presence, kinds, ranges, words, dates, references. The
//! order: names (`given`), references (`reference`), values that stand in for absent ones, kinds (`coerce`), lengths
//! (`size`). Then come places and codecs (`values`, `place`), once names that stand for ids were looked up. An error names
//! the argument, what was expected and what came.

mod coerce;
mod dates;
mod durations;
mod fault;
mod given;
mod place;
mod reference;
mod size;
mod together;
mod values;

use forgehand_client::{BaseUrl, Parameters};
use serde_json::{Map, Value};

use super::applied::Asked;
use super::descriptor::{Answer, Codec, Kind, Operation, Parameter, Place, Shape};
use super::fields::{Picked, pick};
use super::files::Local;
use super::projection::Show;
use super::{Code, Needs, OperationError};
use fault::Fault;
use given::Given;

pub(super) use durations::seconds as length_of_time;
pub(super) use fault::quoted;
pub(super) use place::{check_file_name, decoded_text, nest};
pub(super) use values::Values;

use super::lines::Range;

/// The page size of a list where neither the caller nor the table says another.
pub const DEFAULT_LIMIT: i64 = 30;

/// The least that `max_bytes` may be, in bytes.
pub const LEAST_MAX_BYTES: usize = 200;

/// The most that `max_bytes` may be, in bytes: 16 MiB.
pub const MOST_MAX_BYTES: usize = 16 * 1024 * 1024;

/// What a call's arguments come to.
#[derive(Debug)]
pub(super) struct Plan {
    /// What the typed client builds the request from.
    pub(super) parameters: Parameters,
    /// What the engine itself was told.
    pub(super) engine: Engine,
    /// The path arguments by name, for an answer that stands beside what was asked (yes or no); else empty.
    pub(super) asked: Map<String, Value>,
    /// What the caller asked for that the answer will tell of; in a dry run, the answer of its read.
    pub(super) compared: Vec<Asked>,
    /// In a dry run the arguments that the caller gave and that are no part of the path or the query.
    pub(super) sent: Vec<&'static str>,
}

/// What the engine itself was told.
#[derive(Debug, Default)]
pub(super) struct Engine {
    /// Show the request, send nothing.
    pub(super) dry_run: bool,
    /// The caller confirms.
    pub(super) confirm: bool,
    /// The argument by which this call wants a confirmation, where its operation does not always want one.
    pub(super) risk: Option<&'static str>,
    /// The answer's budget, in bytes of its text.
    pub(super) max_bytes: Option<usize>,
    /// The page asked for, from 1, where the operation has pages.
    pub(super) page: Option<u64>,
    /// The rows of a page, where the operation has such an argument.
    pub(super) limit: Option<u64>,
    /// Rows of that page that the caller has seen already.
    pub(super) skip: u64,
    /// How many rows from the end are shown, in place of a page, where the forge sends the whole list.
    pub(super) last: Option<u64>,
    /// How much of a text the caller has seen already, as `next` said it.
    pub(super) offset: Option<u64>,
    /// What names the version of the text that was seen, as `next` said it.
    pub(super) as_of: Option<String>,
    /// The lines asked for, where the operation has such arguments.
    pub(super) range: Option<Range>,
    /// The files of a diff that are shown, where the caller chose some.
    pub(super) paths: Option<Vec<String>>,
    /// Tell facts about a text beside it.
    pub(super) with_metadata: bool,
    /// The fields that the caller picked in place of the view's.
    pub(super) fields: Option<Picked>,
    /// The file of this machine that is sent, until it is opened.
    pub(super) file: Option<String>,
    /// The file of this machine that the answer is written to, until its place is made sure of.
    pub(super) save_as: Option<String>,
    /// Whether that may be there already.
    pub(super) overwrite: bool,
    /// What this call deletes was seen to be there, so that its success leaves nothing open.
    pub(super) is_seen: bool,
    /// What was opened of this machine.
    pub(super) local: Local,
    /// What the program that asks needs of the answer.
    pub(super) needs: Needs,
}

/// The object of a call's arguments: nothing and `null` are no arguments.
///
/// # Errors
/// [`Code::InvalidArguments`] for any other JSON.
pub fn object(arguments: Option<Value>) -> Result<Map<String, Value>, OperationError> {
    match arguments {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object),
        Some(other) => Err(OperationError::new(
            Code::InvalidArguments,
            format!("expected an object of arguments, got {}", fault::got(&other)),
        )),
    }
}

/// Reads the arguments of a call. Nothing is sent.
///
/// # Errors
/// [`Code::InvalidArguments`].
pub(super) fn read(
    operation: &'static Operation,
    base: &BaseUrl,
    arguments: Map<String, Value>,
) -> Result<Values, OperationError> {
    let mut given = Given::sort(operation, arguments)?;
    let assumed = reference::resolve(&mut given, base).map_err(OperationError::from)?;
    let stood_in: Vec<&str> =
        operation.parameters.iter().map(|p| p.name).filter(|name| !given.has(name)).collect();
    stand_in(&mut given)?;
    together::check_presence(&given)?;
    together::check_purpose(&given)?;
    let mut engine = Engine::default();
    for (parameter, value) in given.take_engine() {
        let value = coerced(parameter, value)?;
        if parameter.name == "fields" {
            engine.fields = Some(pick(operation, &texts(value.as_array().map_or(&[], Vec::as_slice)))?);
        }
        engine.set(parameter.name, &value);
    }
    let mut values = Vec::with_capacity(operation.parameters.len());
    let names = given.take_names();
    for (parameter, value) in given.take() {
        let value = if names.contains(&parameter.name) { value } else { coerced(parameter, value)? };
        engine.note_page(parameter, &value);
        if operation.confirm_when.contains(&parameter.name) && is_risk(&value) {
            engine.risk = Some(parameter.name);
        }
        if parameter.place == Place::Local {
            engine.set(parameter.name, &value);
        }
        values.push((parameter, value));
    }
    size::check(&values)?;
    together::yield_to_maps(&mut values, &stood_in);
    together::check(operation, &values, (&stood_in, engine.file.is_some()))?;
    check_engine(&engine, &values, &stood_in)?;
    Ok(Values {
        operation,
        values,
        stood_in,
        named: Vec::new(),
        held: Vec::new(),
        is_kept: false,
        engine,
        assumed,
    })
}

/// What the engine was told has to make sense, alone and beside the other arguments.
fn check_engine(
    engine: &Engine,
    values: &[(&'static Parameter, Value)],
    stood_in: &[&str],
) -> Result<(), Fault> {
    if let Some(Range { start, end: Some(end) }) = engine.range.filter(|range| range.end < Some(range.start))
    {
        let said = format!("expected start_line ({start}) or more, got the number {end}");
        return Err(Fault::said(said).within("end_line"));
    }
    let is_given =
        |name: &&str| !stood_in.contains(name) && values.iter().any(|(parameter, _)| parameter.name == *name);
    if let Some(place) = ["page", "limit"].iter().find(|name| engine.last.is_some() && is_given(name)) {
        let said = format!("expected one of `last`, which counts from the end, and `{place}`, got both");
        return Err(Fault::said(said));
    }
    if engine.paths.as_ref().is_some_and(Vec::is_empty) {
        return Err(Fault::said("expected one path or more, got an empty list").within("paths"));
    }
    Ok(())
}

fn coerced(parameter: &'static Parameter, value: Value) -> Result<Value, OperationError> {
    // A length of time may be a number of seconds.
    let value = match value {
        Value::Number(seconds) if parameter.codec == Codec::Duration => Value::String(seconds.to_string()),
        value => value,
    };
    let coerced = match (&parameter.kind, &value) {
        (Kind::List(item), Value::String(text))
            if matches!(**item, Kind::Text) && !is_list(parameter, text) =>
        {
            let said = "expected a JSON list, since a comma may be part of an item here, got the text";
            Err(Fault::said(format!("{said} {}", quoted(text))))
        }
        (kind, _) => coerce::coerce(kind, value),
    };
    coerced.map_err(|fault| told(parameter, fault).within(parameter.name).into())
}

/// Whether a text says what the items of a list of texts are: JSON, one item, or plain words with commas between. Where the
/// forge itself is sent commas, no item has one.
fn is_list(parameter: &Parameter, text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./@+#*".contains(c);
    let is_word = |item: &str| item.trim().chars().all(is_plain);
    let is_json = text.trim_start().starts_with('[');
    is_json || parameter.codec == Codec::Comma || !text.contains(',') || text.split(',').all(is_word)
}

/// What is said of an argument's value: of a secret nothing but its kind.
fn told(parameter: &Parameter, fault: Fault) -> Fault {
    match parameter.secret {
        Some(_) => fault.of_secret(&coerce::expected(&parameter.kind)),
        None => fault,
    }
}

/// Whether an argument that may want a confirmation does with this value: a switch that is on, a list that empties what it
/// replaces, and any other value.
fn is_risk(value: &Value) -> bool {
    match value {
        Value::Bool(on) => *on,
        Value::Array(items) => items.is_empty(),
        _ => true,
    }
}

/// Fills in what stands for an absent argument: another argument, the table's default, the first page of a list.
fn stand_in(given: &mut Given) -> Result<(), OperationError> {
    let operation = given.operation;
    for parameter in operation.parameters {
        if given.has(parameter.name) {
            continue;
        }
        if let Some(value) = parameter.default_from.and_then(|from| given.get(from)).cloned() {
            given.set(parameter.name, value);
        } else if let Some(text) = parameter.default {
            let value = serde_json::from_str(text).map_err(|_| {
                OperationError::new(Code::Internal, format!("the default of `{}` is no JSON", parameter.name))
            })?;
            given.set(parameter.name, value);
        }
    }
    let is_list = matches!(&operation.answer, Answer::List(_));
    if is_list
        && let Some(limit) = operation.parameters.iter().find(|p| p.name == "limit" && !given.has(p.name))
    {
        let most = if let Kind::Integer { max, .. } = limit.kind { max } else { DEFAULT_LIMIT };
        given.set(limit.name, DEFAULT_LIMIT.min(most).into());
    }
    // About twenty lists of Forgejo ignore a `limit` that comes without `page`; and what follows is counted from it.
    if (is_list || given.has("limit")) && !given.has("page") {
        given.set("page", 1.into());
    }
    Ok(())
}

fn texts(values: &[Value]) -> Vec<String> {
    values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

impl Engine {
    /// What is shown of an object: what the caller picked, else what the view shows.
    pub(super) fn show(&self, view: &'static Shape) -> Show<'_> {
        self.fields.as_ref().map_or(Show::View(view), Picked::show)
    }

    /// How much of a text the caller has seen already.
    pub(super) fn passed(&self) -> u64 {
        self.offset.unwrap_or(0)
    }

    fn set(&mut self, name: &str, value: &Value) {
        match name {
            "dry_run" => self.dry_run = value.as_bool().unwrap_or(false),
            "confirm" => self.confirm = value.as_bool().unwrap_or(false),
            "max_bytes" => self.max_bytes = value.as_u64().and_then(|n| usize::try_from(n).ok()),
            "offset" => self.offset = value.as_u64(),
            "as_of" => self.as_of = value.as_str().map(str::to_owned),
            "last" => self.last = value.as_u64(),
            "skip" => self.skip = value.as_u64().unwrap_or(0),
            "start_line" => self.range.get_or_insert_default().start = value.as_u64().unwrap_or(1),
            "end_line" => self.range.get_or_insert_default().end = value.as_u64(),
            "with_metadata" => self.with_metadata = value.as_bool().unwrap_or(false),
            "file" => self.file = value.as_str().map(str::to_owned),
            "save_as" => self.save_as = value.as_str().map(str::to_owned),
            "overwrite" => self.overwrite = value.as_bool().unwrap_or(false),
            "paths" => self.paths = value.as_array().map(|paths| texts(paths)),
            _ => {}
        }
    }

    fn note_page(&mut self, parameter: &Parameter, value: &Value) {
        if !matches!(parameter.place, Place::Query | Place::Local) {
            return;
        }
        match parameter.name {
            "page" => self.page = value.as_u64(),
            "limit" => self.limit = value.as_u64(),
            _ => {}
        }
    }
}
