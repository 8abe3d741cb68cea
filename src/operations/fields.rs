//! Fields of a caller's own choice in place of the view's: dotted paths through objects and lists, checked against what
//! the document tells of the answer, and `*` for all that the forge answers.

use super::arguments::quoted;
use super::descriptor::{Answer, Definition, Inside, Operation, Shape};
use super::near::near;
use super::projection::Show;
use super::{Code, OperationError};

/// The fields that are told when one is not known: those of the largest definition.
const TOLD: usize = 80;

/// What a caller picked of a value.
#[derive(Debug)]
pub(super) enum Picked {
    /// It as it is, or as a moment.
    Leaf(&'static Shape),
    /// These fields of it, in this order.
    Fields(Vec<(String, Picked)>),
}

impl Picked {
    /// How it is shown.
    pub(super) fn show(&self) -> Show<'_> {
        match self {
            Self::Leaf(shape) => Show::View(shape),
            Self::Fields(fields) => Show::Picked(fields),
        }
    }

    /// Adds a path; what is picked whole stays whole.
    fn add(&mut self, path: &str, leaf: &'static Shape) {
        let Self::Fields(fields) = self else { return };
        let (name, rest) = cut(path);
        let at = fields.iter().position(|(known, _)| known == name);
        let at = at.unwrap_or_else(|| {
            fields.push((name.to_owned(), Self::Fields(Vec::new())));
            fields.len() - 1
        });
        match (fields.get_mut(at), rest) {
            (Some((_, inner)), Some(rest)) => inner.add(rest, leaf),
            (Some((_, inner)), None) => *inner = Self::Leaf(leaf),
            (None, _) => {}
        }
    }
}

/// Checks the paths of `fields`, and makes one tree of them.
///
/// # Errors
/// [`Code::InvalidArguments`] for a field that the answer does not have, with the near ones and the list of those that it
/// has, and where the answer has no fields.
pub(super) fn pick(operation: &Operation, paths: &[String]) -> Result<Picked, OperationError> {
    let has_fields = matches!(&operation.answer, Answer::Item(_) | Answer::Moved { .. } | Answer::List(_));
    if !has_fields {
        let said =
            format!("argument `fields`: the answer of {} has no fields to choose from", operation.name);
        return Err(invalid(said, "leave `fields` out".to_owned()));
    }
    if paths.is_empty() {
        let hint = "name fields, as [\"title\", \"user.login\"], or [\"*\"] for all of them";
        return Err(invalid("argument `fields`: expected a field or more, got none", hint.to_owned()));
    }
    let mut picked = Picked::Fields(Vec::new());
    for path in paths.iter().filter(|path| *path != "*") {
        let leaf = match operation.definition {
            Some(definition) => leaf(definition, path).map_err(|unknown| unknown.error(path))?,
            None => &Shape::Whole,
        };
        picked.add(path, leaf);
    }
    let is_all = paths.iter().any(|path| path == "*");
    Ok(if is_all { Picked::Leaf(&Shape::Whole) } else { picked })
}

/// A field that an object does not have.
struct Unknown<'a> {
    definition: &'static Definition,
    /// What stands before it in the path, with its dot.
    before: &'a str,
    name: &'a str,
}

impl Unknown<'_> {
    fn error(&self, path: &str) -> OperationError {
        let of = if self.definition.name.is_empty() { "the answer" } else { self.definition.name };
        let known = || self.definition.fields.iter().map(|(name, _)| *name);
        let close: Vec<String> =
            near(self.name, known()).iter().map(|name| format!("{}{name}", self.before)).collect();
        let mut said = format!("argument `fields`: expected a field of {of}, got {}", quoted(path));
        if let Some(closest) = close.first() {
            said.push_str(&format!("; did you mean `{closest}`?"));
        }
        let names: Vec<&str> = known().take(TOLD).collect();
        let hint = format!("{of} has {}; [\"*\"] is all of them", names.join(", "));
        let mut error = invalid(said, hint);
        error.near = close;
        error
    }
}

/// How the value at a path is shown.
fn leaf<'a>(definition: &'static Definition, path: &'a str) -> Result<&'static Shape, Unknown<'a>> {
    let (mut definition, mut rest) = (definition, path);
    loop {
        let (name, deeper) = cut(rest);
        let found = definition.fields.binary_search_by(|(known, _)| (*known).cmp(name)).ok();
        let inside = found.and_then(|at| definition.fields.get(at)).map(|(_, inside)| inside);
        let before = path.get(..path.len() - rest.len()).unwrap_or_default();
        match (inside, deeper) {
            (Some(Inside::Moment), None) => return Ok(&Shape::Moment),
            (Some(_), None) | (Some(Inside::Anything), Some(_)) => return Ok(&Shape::Whole),
            (Some(Inside::Object(inner)), Some(deeper)) => (definition, rest) = (inner, deeper),
            // The near ones are like the one name that is not known, or lead to it.
            (None, _) => return Err(Unknown { definition, before, name }),
            (Some(Inside::Plain | Inside::Moment), Some(_)) => {
                return Err(Unknown { definition, before, name: rest });
            }
        }
    }
}

fn cut(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (path, None),
    }
}

fn invalid(said: impl Into<String>, hint: String) -> OperationError {
    OperationError::new(Code::InvalidArguments, said).hint(hint)
}
