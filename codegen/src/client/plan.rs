//! What the rewriting needs to know of each operation: path pieces, arguments, body and answer.

use std::collections::BTreeMap;

use super::ClientError;
use super::corrections::Corrections;
use crate::document::{Document, Operation, Parameter, Place, Schema};
use crate::naming;

/// One operation as it will be built.
pub(super) struct Plan {
    pub(super) id: String,
    /// The Rust method.
    pub(super) name: String,
    /// The HTTP method in upper case.
    pub(super) http: String,
    /// The path template below the API's root.
    pub(super) template: String,
    pub(super) deprecated: bool,
    pub(super) path: Vec<Piece>,
    /// By Rust name.
    pub(super) arguments: BTreeMap<String, Argument>,
    pub(super) body: Body,
    pub(super) accept: String,
    pub(super) answer: Answer,
}

/// A piece of a path.
pub(super) enum Piece {
    /// Text as it is.
    Fixed(String),
    /// A parameter, by its wire name.
    Parameter { wire: String, keeps_slashes: bool },
}

/// A parameter in path or query.
pub(super) struct Argument {
    pub(super) wire: String,
    pub(super) place: Place,
    /// For an array: whether its elements are joined by commas, or the name is repeated.
    pub(super) comma: bool,
    /// Values that the document lists.
    pub(super) values: Vec<String>,
}

/// What a request carries.
pub(super) enum Body {
    None,
    Json { required: bool, media: String },
    Text { media: String },
    Form { fields: Vec<Field>, octets: bool },
}

/// A field of a form.
pub(super) struct Field {
    pub(super) wire: String,
    pub(super) file: bool,
    pub(super) required: bool,
}

/// What a success carries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// JSON of a type; not every success has a body; an object or a list of them.
    Json {
        optional: bool,
        one_or_many: bool,
    },
    Text,
    Bytes,
    Empty,
}

/// Plans all operations, in the document's order.
pub(super) fn plans(document: &Document, corrections: &Corrections) -> Result<Vec<Plan>, ClientError> {
    document
        .operations()
        .map(|located| {
            let operation = located.operation;
            let unsupported = |reason: String| ClientError::Unsupported {
                release: document.release.clone(),
                place: operation.operation_id.clone(),
                reason,
            };
            let answer = answer(document, operation, corrections).map_err(unsupported)?;
            Ok(Plan {
                id: operation.operation_id.clone(),
                name: naming::method(&operation.operation_id),
                http: located.method.to_uppercase(),
                template: located.path.to_owned(),
                deprecated: operation.deprecated,
                path: pieces(located.path, |wire| corrections.keeps_slashes(&operation.operation_id, wire)),
                arguments: arguments(operation).map_err(unsupported)?,
                body: body(document, operation).map_err(unsupported)?,
                accept: accept(document, operation, answer),
                answer,
            })
        })
        .collect()
}

fn pieces(path: &str, keeps_slashes: impl Fn(&str) -> bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = path;
    while let Some((fixed, after)) = rest.split_once('{') {
        let (wire, after) = after.split_once('}').unwrap_or((after, ""));
        if !fixed.is_empty() {
            pieces.push(Piece::Fixed(fixed.to_owned()));
        }
        pieces.push(Piece::Parameter { wire: wire.to_owned(), keeps_slashes: keeps_slashes(wire) });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Fixed(rest.to_owned()));
    }
    pieces
}

fn arguments(operation: &Operation) -> Result<BTreeMap<String, Argument>, String> {
    let mut arguments = BTreeMap::new();
    for parameter in &operation.parameters {
        match parameter.place {
            Place::Path | Place::Query => {}
            Place::Header => return Err(format!("header parameter `{}`: none is known yet", parameter.name)),
            Place::Body | Place::FormData => continue,
        }
        let argument = Argument {
            wire: parameter.name.clone(),
            place: parameter.place,
            comma: comma(parameter)?,
            values: allowed(&parameter.value),
        };
        let name = naming::identifier(&parameter.name);
        if name == "body" || arguments.insert(name, argument).is_some() {
            return Err(format!("parameter `{}`: its name in Rust is taken", parameter.name));
        }
    }
    Ok(arguments)
}

fn comma(parameter: &Parameter) -> Result<bool, String> {
    match parameter.collection_format.as_deref() {
        None | Some("csv") => Ok(true),
        Some("multi") => Ok(false),
        Some(other) => {
            Err(format!("parameter `{}`: collectionFormat `{other}` is not known", parameter.name))
        }
    }
}

fn allowed(schema: &Schema) -> Vec<String> {
    let listed = schema.items.as_ref().map_or(&schema.values, |items| &items.values);
    listed.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect()
}

fn body(document: &Document, operation: &Operation) -> Result<Body, String> {
    let fields: Vec<Field> = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.place == Place::FormData)
        .map(|parameter| Field {
            wire: parameter.name.clone(),
            file: parameter.value.kind.as_deref() == Some("file"),
            required: parameter.required,
        })
        .collect();
    if !fields.is_empty() {
        let octets = operation.consumes.iter().any(|media| media == "application/octet-stream");
        return Ok(Body::Form { fields, octets });
    }
    let Some(body) = operation.parameters.iter().find(|parameter| parameter.place == Place::Body) else {
        return Ok(Body::None);
    };
    let consumes = if operation.consumes.is_empty() { &document.consumes } else { &operation.consumes };
    match consumes.first().map(String::as_str) {
        Some(media) if media.ends_with("json") => {
            Ok(Body::Json { required: body.required, media: media.to_owned() })
        }
        Some("text/plain") => Ok(Body::Text { media: "text/plain".to_owned() }),
        other => Err(format!("takes a body of type {other:?}, which is not known")),
    }
}

fn produces<'a>(document: &'a Document, operation: &'a Operation) -> &'a [String] {
    if operation.produces.is_empty() { &document.produces } else { &operation.produces }
}

fn answer(document: &Document, operation: &Operation, corrections: &Corrections) -> Result<Answer, String> {
    let schemas: Vec<Option<&Schema>> = document.successes(operation).map(|(_, schema)| schema).collect();
    let mut some = schemas.iter().flatten();
    let first = some.next();
    if some.any(|other| Some(other) != first) {
        return Err("answers with two types".to_owned());
    }
    let media = produces(document, operation);
    let json = media.iter().any(|m| m.ends_with("json"));
    Ok(match first {
        Some(schema) if schema.kind.as_deref() == Some("file") => Answer::Bytes,
        Some(_) if json => Answer::Json {
            optional: schemas.iter().any(Option::is_none),
            one_or_many: corrections.answers_one_or_many(&operation.operation_id),
        },
        Some(_) => Answer::Text,
        None if media.iter().any(|m| m == "application/octet-stream") => Answer::Bytes,
        None => Answer::Empty,
    })
}

/// What the request says it takes. A file comes with the type that the forge guesses; an error is JSON.
fn accept(document: &Document, operation: &Operation, answer: Answer) -> String {
    match answer {
        Answer::Bytes => "*/*".to_owned(),
        Answer::Empty => "application/json".to_owned(),
        Answer::Text => produces(document, operation).join(", "),
        Answer::Json { .. } => {
            let json = produces(document, operation).iter().find(|m| m.ends_with("json"));
            json.cloned().unwrap_or_else(|| "application/json".to_owned())
        }
    }
}
