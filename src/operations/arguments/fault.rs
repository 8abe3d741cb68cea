//! What is wrong with an argument: where, what was expected, what came.

use serde_json::Value;

pub(super) use crate::operations::near::near;
use crate::operations::{Code, OperationError};

/// The most characters of a value that an error repeats.
const SHOWN: usize = 60;

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct Fault {
    /// The argument and the place in it, as `labels[2]`; empty where `said` tells it all.
    at: String,
    /// `expected …, got …`, or a whole sentence.
    said: String,
    near: Vec<String>,
    hint: Option<String>,
}

impl Fault {
    /// Expected this, got that value.
    pub(super) fn expected(expected: impl AsRef<str>, value: &Value) -> Self {
        Self::said(format!("expected {}, got {}", expected.as_ref(), got(value)))
    }

    /// In words of its own.
    pub(super) fn said(said: impl Into<String>) -> Self {
        Self { at: String::new(), said: said.into(), near: Vec::new(), hint: None }
    }

    /// The same one level further out: an index as `[2]`, a field as `.name`, at last the argument's name.
    pub(super) fn within(mut self, place: &str) -> Self {
        self.at.insert_str(0, place);
        self
    }

    pub(super) fn near(mut self, near: Vec<String>) -> Self {
        self.near = near;
        self
    }

    pub(super) fn hint(mut self, hint: String) -> Self {
        self.hint = Some(hint);
        self
    }
}

impl From<Fault> for OperationError {
    fn from(fault: Fault) -> Self {
        let mut message = fault.said;
        if !fault.at.is_empty() {
            message = format!("argument `{}`: {message}", fault.at);
        }
        if let Some(near) = fault.near.first() {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        let mut error = Self::new(Code::InvalidArguments, message);
        error.near = fault.near;
        error.hint = fault.hint;
        error
    }
}

/// A value for people: its kind, and its start.
pub(super) fn got(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => format!("the boolean {b}"),
        Value::Number(n) => format!("the number {n}"),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A text in quotes, cut where it is long.
pub(in crate::operations) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{:?}", format!("{}…", text.get(..at).unwrap_or_default())),
        None => format!("{text:?}"),
    }
}
