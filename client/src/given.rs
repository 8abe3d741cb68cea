//! Arguments that are known only at run time, taken one by one; what is left over is an error.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{BuildError, Parameters, Upload};

/// A value that an argument may be turned into.
pub(crate) trait Argument: Sized {
    /// What is expected, in words.
    const EXPECTED: &'static str;

    fn read(value: Value) -> Option<Self>;
}

impl Argument for String {
    const EXPECTED: &'static str = "a string";

    /// The document types some ids as strings: in a path or query their digits are the same.
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

impl Argument for i64 {
    const EXPECTED: &'static str = "a whole number";

    fn read(value: Value) -> Option<Self> {
        value.as_i64()
    }
}

impl Argument for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(value: Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Argument for Vec<String> {
    const EXPECTED: &'static str = "a list of strings";

    fn read(value: Value) -> Option<Self> {
        list(value)
    }
}

impl Argument for Vec<i64> {
    const EXPECTED: &'static str = "a list of whole numbers";

    fn read(value: Value) -> Option<Self> {
        list(value)
    }
}

fn list<T: Argument>(value: Value) -> Option<Vec<T>> {
    match value {
        Value::Array(values) => values.into_iter().map(T::read).collect(),
        _ => None,
    }
}

/// The arguments that have not been taken yet.
pub(crate) struct Given {
    operation: &'static str,
    left: Parameters,
}

impl Given {
    pub(crate) fn new(operation: &'static str, parameters: Parameters) -> Self {
        Self { operation, left: parameters }
    }

    pub(crate) fn path<T: Argument>(&mut self, name: &str) -> Result<T, BuildError> {
        optional(&mut self.left.path, "path", name)?.ok_or_else(|| missing("path", name, T::EXPECTED))
    }

    pub(crate) fn query<T: Argument>(&mut self, name: &str) -> Result<T, BuildError> {
        self.query_optional(name)?.ok_or_else(|| missing("query", name, T::EXPECTED))
    }

    pub(crate) fn query_optional<T: Argument>(&mut self, name: &str) -> Result<Option<T>, BuildError> {
        optional(&mut self.left.query, "query", name)
    }

    #[allow(dead_code, reason = "the pinned document may have no required field in a form")]
    pub(crate) fn form(&mut self, name: &str) -> Result<String, BuildError> {
        self.form_optional(name)?.ok_or_else(|| missing("form", name, String::EXPECTED))
    }

    pub(crate) fn form_optional(&mut self, name: &str) -> Result<Option<String>, BuildError> {
        optional(&mut self.left.form, "form", name)
    }

    pub(crate) fn file(&mut self, name: &str) -> Result<Upload, BuildError> {
        self.file_optional().ok_or_else(|| missing("form", name, "a file"))
    }

    pub(crate) fn file_optional(&mut self) -> Option<Upload> {
        self.left.file.take()
    }

    pub(crate) fn text_body(&mut self) -> Result<String, BuildError> {
        match self.left.body.take() {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(wrong("body", ".", String::EXPECTED, kind(&other))),
            None => Err(missing("body", ".", String::EXPECTED)),
        }
    }

    pub(crate) fn body<T: DeserializeOwned>(&mut self) -> Result<T, BuildError> {
        self.body_optional()?.ok_or_else(|| missing("body", ".", "a JSON body"))
    }

    pub(crate) fn body_optional<T: DeserializeOwned>(&mut self) -> Result<Option<T>, BuildError> {
        let Some(body) = self.left.body.take() else { return Ok(None) };
        serde_path_to_error::deserialize(body).map(Some).map_err(|error| BuildError {
            place: "body",
            name: error.path().to_string(),
            reason: error.inner().to_string(),
        })
    }

    /// Refuses whatever was given and not taken.
    pub(crate) fn finish(self) -> Result<(), BuildError> {
        let Parameters { path, query, body, form, file } = &self.left;
        let named = [("path", path), ("query", query), ("form", form)]
            .into_iter()
            .find_map(|(place, values)| Some((place, values.keys().next()?.as_str())));
        let unknown = named
            .or_else(|| body.is_some().then_some(("body", ".")))
            .or_else(|| file.is_some().then_some(("form", "file")));
        match unknown {
            None => Ok(()),
            Some((place, name)) => {
                let reason = format!("{} does not take it", self.operation);
                Err(BuildError { place, name: name.to_owned(), reason })
            }
        }
    }
}

fn optional<T: Argument>(
    left: &mut Map<String, Value>,
    place: &'static str,
    name: &str,
) -> Result<Option<T>, BuildError> {
    match left.shift_remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let got = kind(&value);
            T::read(value).map(Some).ok_or_else(|| wrong(place, name, T::EXPECTED, got))
        }
    }
}

fn missing(place: &'static str, name: &str, expected: &str) -> BuildError {
    BuildError { place, name: name.to_owned(), reason: format!("is missing; expected {expected}") }
}

fn wrong(place: &'static str, name: &str, expected: &str, got: &str) -> BuildError {
    BuildError { place, name: name.to_owned(), reason: format!("expected {expected}, got {got}") }
}

/// The kind of what was given: an error tells it and not the value, which may be a secret.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
