//! The form that an operation's answer has, in words, for whoever cannot use an answer of another one.

use super::descriptor::{Answer, Operation, Shape};
use super::{Code, OperationError, said};

/// How many fields tell an object without a name.
const FIELDS: usize = 3;

/// That the forge answered something else than the operation's answer.
pub(super) fn other(operation: &Operation, came: &str) -> OperationError {
    let said = format!("expected {}, and the forge answered {}", expected(operation), said::excerpt(came));
    OperationError::new(Code::Refused, said)
        .hint("the address of the forge may lead to something else than Forgejo's API")
}

/// What an operation answers, as `a list of Hook`.
fn expected(operation: &Operation) -> String {
    match &operation.answer {
        Answer::Item(shape) | Answer::Moved { shape, .. } => {
            format!("an object ({})", named(operation, shape))
        }
        Answer::List(list) => {
            let rows = named(operation, list.row);
            match list.items {
                Some(items) => format!("an object with {items}, a list of {rows}"),
                None => format!("a list of {rows}"),
            }
        }
        Answer::Value { word } => format!("a plain value ({word})"),
        Answer::Text => "a text".to_owned(),
        Answer::Bytes => "bytes".to_owned(),
        Answer::Done { .. } | Answer::YesNo { .. } => "a status".to_owned(),
    }
}

/// What the document calls an object; of one without a name, some of its fields.
fn named(operation: &Operation, shape: &Shape) -> String {
    let name = operation.definition.map_or("", |definition| definition.name);
    match shape {
        Shape::Fields(shown) if name.is_empty() => {
            let names: Vec<&str> = shown.iter().take(FIELDS).map(|field| field.name).collect();
            format!("objects with {}", names.join(", "))
        }
        _ if name.is_empty() => "any JSON".to_owned(),
        _ => name.to_owned(),
    }
}
