//! What the forge means where it answers with the word of a rule, as `[Name]: AlphaDashDot`: which argument, and what it
//! may be.
//!
//! The words and what they check are those of the form binding that Forgejo uses and of the rules that it adds.

use super::descriptor::{Operation, Parameter, Place};

/// What a value must be, by the word of its rule.
const RULES: &[(&str, &str)] = &[
    ("Required", "must be given, and be neither empty nor 0"),
    ("AlphaDash", "takes letters, digits, `-` and `_` only"),
    ("AlphaDashDot", "takes letters, digits, `-`, `_` and `.` only"),
    ("Size", "has not the length that the forge demands"),
    ("MinSize", "is too short"),
    ("MaxSize", "is too long"),
    ("Range", "is outside of the range that the forge allows"),
    ("Email", "must be an e-mail address, as ana@example.org"),
    ("Url", "must be a whole address, as https://example.org/page"),
    ("In", "is none of the words that this instance takes"),
    ("NotIn", "is a word that this instance does not take"),
    (
        "GitRefName",
        "must be a name that Git allows for a branch or tag: no space, none of `~^:?*[\\`, no `..`, `//` or `@{`, no `.` or \
         `/` at its beginning or end, and no `.lock` at its end",
    ),
    (
        "invalid username",
        "takes letters, digits, `-`, `_` and `.`, begins and ends with a letter or digit, and has no two of the others in a row",
    ),
];

/// What stands before the field in Go's text about a value of the wrong type: `… Go struct field Thing.name of type …`.
const GO_FIELD: &str = "Go struct field ";

/// What the message of a refused value says in the caller's words: each argument by its name here, and what it may be.
/// `None` where it is not such a message, or names no rule that is known here.
pub(super) fn explained(operation: &Operation, message: &str) -> Option<String> {
    let rules = message.trim().strip_prefix('[')?.split(", [");
    let told: Vec<String> = rules.filter_map(|rule| one(operation, rule)).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// One of the rules, without the bracket before it: `Name]: AlphaDashDot`.
fn one(operation: &Operation, rule: &str) -> Option<String> {
    let (fields, rule) = rule.split_once("]: ")?;
    if let Some((_, rest)) = rule.split_once(GO_FIELD) {
        let (_, field) = rest.split_once(' ')?.0.split_once('.')?;
        return Some(format!("{} is of a type that this instance does not take", named(operation, field)));
    }
    let (_, meaning) = RULES.iter().find(|(word, _)| *word == rule)?;
    let names: Vec<String> = fields.split_whitespace().map(|field| named(operation, field)).collect();
    (!names.is_empty()).then(|| format!("{} {meaning}", names.join(", ")))
}

/// A field by the name of the argument that becomes it, the first of several; else as the forge calls it.
fn named(operation: &Operation, field: &str) -> String {
    let of_body = |p: &&Parameter| matches!(p.place, Place::Body | Place::Form);
    let mut found = operation.parameters.iter().filter(of_body).filter(|p| is_field(p.wire, field));
    match found.next() {
        Some(parameter) if found.all(|other| other.wire == parameter.wire) => {
            format!("argument `{}`", parameter.name)
        }
        _ => format!("`{field}`"),
    }
}

/// Whether a name on the wire is that of a Go field: `redirect_uris` is `RedirectURIs`.
fn is_field(wire: &str, field: &str) -> bool {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().replace('_', "");
    last(wire).eq_ignore_ascii_case(&last(field))
}
