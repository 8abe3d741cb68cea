//! What is wrong with an argument: where, what was expected, what came.

use serde_json::Value;

pub(super) use crate::operations::near::near;
use crate::operations::{Code, OperationError, address};

/// The most characters of a value that an error or a question repeats.
const SHOWN: usize = 60;

/// The most characters of the host of an address.
const LONGEST_HOST: usize = 253;

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct Fault {
    /// The argument and the place in it, as `labels[2]`; empty where `said` tells it all.
    at: String,
    /// `expected …, got …`, or a whole sentence.
    said: String,
    /// The same without the value that came.
    bare: Option<String>,
    near: Vec<String>,
    hint: Option<String>,
}

impl Fault {
    /// Expected this, got that value.
    pub(super) fn expected(expected: impl AsRef<str>, value: &Value) -> Self {
        let expected = expected.as_ref();
        let bare = Some(format!("expected {expected}, got {}", kind(value)));
        Self { bare, ..Self::said(format!("expected {expected}, got {}", got(value))) }
    }

    /// In words of its own.
    pub(super) fn said(said: impl Into<String>) -> Self {
        Self { at: String::new(), said: said.into(), bare: None, near: Vec::new(), hint: None }
    }

    /// The same of a secret: what came is told by its kind alone.
    pub(super) fn of_secret(self, expected: &str) -> Self {
        let bare = self.bare.unwrap_or_else(|| format!("expected {expected}, got something else"));
        Self { at: self.at, ..Self::said(bare) }
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

/// The kind of a value, for people.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A text in quotes, cut where it is long as it stands there, but in no address before the end of its host. What is secret in
/// an address is masked before.
pub(in crate::operations) fn quoted(text: &str) -> String {
    let masked = address::without_secrets(text);
    let text = masked.as_deref().unwrap_or(text);
    let mut shown = String::from("\"");
    let mut length = 0;
    for (at, character) in text.char_indices() {
        let escaped = if character == '\'' { "'".to_owned() } else { character.escape_debug().to_string() };
        length += escaped.chars().count();
        if length > SHOWN && !is_within_host(text, at) {
            shown.push('…');
            break;
        }
        shown.push_str(&escaped);
    }
    shown.push('"');
    shown
}

/// Whether a place in a text is within the host of an address, or may be.
fn is_within_host(text: &str, at: usize) -> bool {
    let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '\\');
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let host = before.rsplit_once("://").map(|(_, host)| host);
    !rest.starts_with(ends) && host.is_some_and(|host| host.len() < LONGEST_HOST && !host.contains(ends))
}
