//! Facts as words that Markdown leaves as they are.

use crate::history::Span;
use crate::inventory::tool::{Effect, Field, Kind};

/// Text between which nothing is markup: what could be is escaped.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_code = false;
    for letter in text.chars() {
        match letter {
            '`' => is_code = !is_code,
            '<' | '*' | '[' | ']' | '\\' if !is_code => out.push('\\'),
            _ => {}
        }
        out.push(letter);
    }
    out
}

/// The same on one line, for a table.
pub(super) fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    plain(&line).replace('|', "\\|")
}

/// Code in a table.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// Codes with commas between them.
pub(super) fn codes<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    texts.into_iter().map(|text| code(text.as_ref())).collect::<Vec<_>>().join(", ")
}

/// A number with its noun.
pub(super) fn number(count: usize, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{end}")
}

/// A number with commas between its thousands.
pub(super) fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What an effect means.
pub(super) fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "changes nothing",
        Effect::Add => "makes something new each time",
        Effect::Set => "adds, and may be repeated",
        Effect::Change => "overwrites what can be put back",
        Effect::Destroy => "removes what nothing brings back",
    }
}

/// `since 15.0, last in 16.0`; empty where all releases have it.
pub(super) fn span(span: &Span) -> String {
    let since = span.since.as_ref().map(|release| format!("since {release}"));
    let until = span.until.as_ref().map(|release| format!("last in {release}"));
    since.into_iter().chain(until).collect::<Vec<_>>().join(", ")
}

/// What an argument may hold.
pub(super) fn kind(value: &Kind) -> String {
    match value {
        Kind::Text => "text".to_owned(),
        Kind::Enum(values) => codes(values),
        Kind::Integer { min: Some(min), max: Some(max) } => format!("integer, {min} to {max}"),
        Kind::Integer { min: Some(min), max: None } => format!("integer from {min}"),
        Kind::Integer { min: None, max: Some(max) } => format!("integer up to {max}"),
        Kind::Integer { min: None, max: None } => "integer".to_owned(),
        Kind::Id => "id".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::DateTime => "date and time".to_owned(),
        Kind::Date => "date".to_owned(),
        Kind::List(item) => format!("list of {}", kind(item)),
        Kind::Object(fields) => {
            format!("object: {}", fields.iter().map(field).collect::<Vec<_>>().join("; "))
        }
        Kind::TextMap => "object of texts".to_owned(),
        Kind::Name(_) => "name or id".to_owned(),
        Kind::Json => "any JSON".to_owned(),
    }
}

fn field(field: &Field) -> String {
    let required = if field.required { " (required)" } else { "" };
    let or = field.or.as_ref().map_or_else(String::new, |or| format!(", or {}", code(or)));
    format!("{} {}{required}{or}", code(&field.name), kind(&field.kind))
}
