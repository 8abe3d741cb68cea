//! From a URI to a template and its variables, and back.
//!
//! A segment is percent-decoded once, after the URI was cut at `/`, `?` and `#`, so that an encoded slash is part of
//! a name.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

use super::ResourceError;
use super::template::{self, Kind, STATICS, TEMPLATES, Template, Variable};

/// How every address of ours begins.
const SCHEME: &str = "forgejo://";

/// The longest address, in bytes.
pub const LONGEST: usize = 8192;

/// What is percent-encoded: all but what RFC 3986 calls unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a resource: a template, with a value for each of its variables.
#[derive(Debug, Clone)]
pub struct Address {
    template: &'static Template,
    values: Vec<(&'static str, String)>,
    uri: String,
}

impl Address {
    /// Reads a URI. Nothing is sent.
    ///
    /// # Errors
    /// [`ResourceError::BadAddress`] for what is no `forgejo://` URI, for empty and dot segments, for values that are
    /// not of their variable's kind and for query arguments that the template has not; [`ResourceError::NoTemplate`]
    /// for a form that no template has.
    pub fn parse(uri: &str) -> Result<Self, ResourceError> {
        let bad = |why: &str| ResourceError::BadAddress(format!("{}: {why}", shown(uri)));
        if uri.len() > LONGEST {
            return Err(bad(&format!("expected at most {LONGEST} bytes, got {}", uri.len())));
        }
        let scheme = uri.get(..SCHEME.len()).filter(|start| start.eq_ignore_ascii_case(SCHEME));
        let Some(rest) = scheme.and_then(|_| uri.get(SCHEME.len()..)) else {
            return Err(bad("expected an address that begins with forgejo://"));
        };
        if uri.contains('#') {
            return Err(bad("expected no fragment; a # in a name is %23"));
        }
        if uri.chars().any(|c| c.is_ascii_control() || c == ' ') {
            return Err(bad("expected no spaces and no control characters; a space is %20"));
        }
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let mut segments = Vec::new();
        for segment in path.split('/') {
            segments.push(decoded(segment).map_err(|why| bad(&why))?);
        }
        if let Some(why) = segments.iter().find_map(|segment| odd(segment)) {
            return Err(bad(why));
        }
        let known = STATICS.iter().chain(TEMPLATES);
        let Some((template, values)) = known.filter_map(|t| Some((t, matched(t, &segments)?))).next() else {
            return Err(ResourceError::NoTemplate(shown(uri)));
        };
        let mut address = Self { template, values, uri: uri.to_owned() };
        if let Some(query) = query {
            address.values.extend(arguments(template, query).map_err(|why| bad(&why))?);
        }
        for (name, value) in &address.values {
            template::check(name, value).map_err(|why| bad(&why))?;
        }
        Ok(address)
    }

    /// The template that it fits.
    pub fn template(&self) -> &'static Template {
        self.template
    }

    /// The address as it was given.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The value of a variable, decoded; none for a query argument that was not given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The address of another template with the same values, of which that one has no others.
    pub(super) fn of(&self, template: &Template) -> String {
        let values: Vec<(&str, &str)> =
            self.values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        expand(template, &values)
    }

    /// The same address with these values in place of those that it has by these names.
    pub(super) fn with(&self, changed: &[(&'static str, String)]) -> String {
        let kept = self.values.iter().filter(|(name, _)| !changed.iter().any(|(new, _)| new == name));
        let values: Vec<(&str, &str)> =
            kept.chain(changed).map(|(name, value)| (*name, value.as_str())).collect();
        expand(self.template, &values)
    }
}

/// The URI of a template with these values, of which those of the path must be there.
pub(super) fn expand(template: &Template, values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let mut uri = SCHEME.to_owned();
    for (at, segment) in template.segments().enumerate() {
        if at > 0 {
            uri.push('/');
        }
        match Variable::of(segment) {
            None => uri.push_str(segment),
            Some(variable) => {
                let parts = value(variable.name).unwrap_or_default();
                let parts: Vec<&str> = match variable.is_path {
                    true => parts.split('/').collect(),
                    false => vec![parts],
                };
                uri.push_str(&parts.into_iter().map(encoded).collect::<Vec<_>>().join("/"));
            }
        }
    }
    let mut mark = '?';
    for name in template.query() {
        if let Some(value) = value(name) {
            let _ = write!(uri, "{mark}{name}={}", encoded(value));
            mark = '&';
        }
    }
    uri
}

/// The values of a template's path, where the segments have its form.
fn matched(template: &'static Template, segments: &[String]) -> Option<Vec<(&'static str, String)>> {
    let mut values = Vec::new();
    let mut rest = segments;
    for expected in template.segments() {
        let (first, others) = rest.split_first()?;
        match Variable::of(expected) {
            None if first == expected => rest = others,
            None => return None,
            Some(variable) if variable.is_path => {
                values.push((variable.name, rest.join("/")));
                return Some(values);
            }
            Some(variable) => {
                values.push((variable.name, first.clone()));
                rest = others;
            }
        }
    }
    rest.is_empty().then_some(values)
}

/// The arguments of a query. One without a value is as one that is not given: so a template is filled where a
/// variable is left empty.
fn arguments(template: &'static Template, query: &str) -> Result<Vec<(&'static str, String)>, String> {
    let mut values: Vec<(&'static str, String)> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(known) = template.query().find(|known| *known == name) else {
            let known: Vec<&str> = template.query().collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(format!("no query argument is called {}; accepted: {known}", shown(name)));
        };
        if values.iter().any(|(given, _)| *given == known) {
            return Err(format!("the query argument {known} is given twice"));
        }
        values.push((known, decoded(value)?));
    }
    values.retain(|(_, value)| !value.is_empty());
    Ok(values)
}

/// A text as it stands in a segment or a query: all but the unreserved characters percent-encoded.
fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, RESERVED).to_string()
}

/// What a percent-encoded text stands for.
fn decoded(text: &str) -> Result<String, String> {
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let digits = rest.get(at + 1..at + 3);
        if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
            return Err("expected two hexadecimal digits behind each %; a % in a name is %25".to_owned());
        }
        rest = rest.get(at + 3..).unwrap_or_default();
    }
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map(std::borrow::Cow::into_owned).map_err(|_| "expected percent-encoded UTF-8".to_owned())
}

/// Why a segment can be no name.
fn odd(segment: &str) -> Option<&'static str> {
    match segment {
        "" => Some("expected no empty segment and no / at the end"),
        "." | ".." => Some("expected no . or .. segments"),
        text if text.chars().any(char::is_control) => Some("expected no control characters"),
        _ => None,
    }
}

/// A text out of an address as an error shows it: up to 200 characters of it.
fn shown(text: &str) -> String {
    match text.char_indices().nth(200) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// Whether a path holds what would leave it.
pub(super) fn leaves(path: &str) -> bool {
    path.split('/').any(|segment| odd(segment).is_some())
}

/// Whether a value is a whole number from 1.
pub(super) fn is_number(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && !value.starts_with('0') && value.parse::<i64>().is_ok()
}

/// Whether a text is all of a commit's SHA: 40 hexadecimal digits, or 64 in a repository with SHA-256.
pub fn is_full_sha(value: &str) -> bool {
    matches!(value.len(), 40 | 64) && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Kind {
    /// What a value of that kind is, where this one is none.
    pub(super) fn refused(self, value: &str) -> Option<&'static str> {
        let (fits, expected) = match self {
            Self::Number => (is_number(value), "a whole number from 1"),
            Self::PageSize => {
                (is_number(value) && value.parse::<u32>().is_ok_and(|n| n <= 50), "a number from 1 to 50")
            }
            Self::Thread => (matches!(value, "issue" | "pr"), "issue or pr"),
            Self::State => (matches!(value, "open" | "closed" | "all"), "open, closed or all"),
            Self::FullSha => (is_full_sha(value), "the full SHA, of 40 (or 64) hexadecimal digits"),
            Self::Path => (!leaves(value), "a path without empty, . and .. segments"),
            Self::Name => (!value.trim().is_empty(), "a name"),
        };
        (!fits).then_some(expected)
    }
}
