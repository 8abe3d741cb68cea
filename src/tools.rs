//! Asks tools for what something else is made of: resources, prompts and completions.
//!
//! Uses [`crate::operations`], so that all of them send what the tools send, by the same checks. An answer of another
//! form than the operation's is an error here: fields that are read by their names would be missing in it, and
//! nothing said.

use serde_json::{Map, Value};

use crate::forge::Forge;
use crate::operations::descriptor::Answer;
use crate::operations::table::OPERATIONS;
use crate::operations::{self, Code, Limits, Needs, OperationError, Outcome};

/// The most characters of an answer that an error shows.
const SHOWN: usize = 200;

/// The arguments of a call.
pub(crate) type Arguments = Map<String, Value>;

/// What tools are asked with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tools<'a> {
    /// Whom they ask.
    pub(crate) forge: &'a Forge,
    /// How long, how much of a text, and what is needed of an answer.
    pub(crate) limits: Limits,
}

impl<'a> Tools<'a> {
    /// Asks within those limits; an answer has its operation's form or is an error.
    pub(crate) fn new(forge: &'a Forge, limits: Limits) -> Self {
        Self { forge, limits: Limits { needs: Needs { form: true, ..Needs::default() }, ..limits } }
    }

    /// The same for whoever reads lists page by page to their end: [`Needs::pages`].
    pub(crate) fn following(mut self) -> Self {
        self.limits.needs.pages = true;
        self
    }

    /// What a tool answers: all of an object or a list, and of a text as much as the limits say.
    pub(crate) async fn outcome(&self, tool: &str, arguments: Arguments) -> Result<Outcome, OperationError> {
        let operation = OPERATIONS.iter().find(|operation| operation.name == tool);
        let is_text = operation.is_some_and(|operation| matches!(operation.answer, Answer::Text));
        // An object is bounded by what is read of any body.
        let bytes = if is_text { self.limits.max_result_bytes } else { usize::MAX };
        self.within(tool, arguments, bytes).await
    }

    /// What a tool answers within so many bytes.
    pub(crate) async fn within(
        &self,
        tool: &str,
        arguments: Arguments,
        max_result_bytes: usize,
    ) -> Result<Outcome, OperationError> {
        let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == tool) else {
            let said = format!("the Forgejo that this was built for has nothing for {tool}");
            return Err(OperationError::new(Code::UnavailableHere, said));
        };
        operations::run(self.forge, operation, arguments, &Limits { max_result_bytes, ..self.limits }).await
    }

    /// The object that a tool answers.
    pub(crate) async fn object(&self, tool: &str, arguments: Arguments) -> Result<Value, OperationError> {
        match self.outcome(tool, arguments).await? {
            Outcome::Json(value) => Ok(value),
            other => Err(unlike(tool, "JSON", &kind(&other).into())),
        }
    }

    /// The object that a tool answers, of which these fields are shown: dotted paths.
    pub(crate) async fn fields<'f>(
        &self,
        tool: &str,
        mut arguments: Arguments,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<Value, OperationError> {
        arguments.insert("fields".to_owned(), fields.into_iter().collect());
        self.object(tool, arguments).await
    }

    /// The same, of something that always has the first of these fields.
    pub(crate) async fn entity<'f>(
        &self,
        tool: &str,
        arguments: Arguments,
        fields: impl IntoIterator<Item = &'f str> + Clone,
    ) -> Result<Value, OperationError> {
        let first = fields.clone().into_iter().next().unwrap_or_default();
        let found = self.fields(tool, arguments, fields).await?;
        if at(&found, first).is_some() { Ok(found) } else { Err(unlike(tool, first, &found)) }
    }
}

/// That a tool answered something else than what it is asked for: what was expected, and what came.
pub(crate) fn unlike(tool: &str, expected: &str, came: &Value) -> OperationError {
    let came: String = came.to_string().chars().take(SHOWN).collect();
    let said = format!("expected {expected} in the forge's answer to {tool}, got {came}");
    let mut error = OperationError::new(Code::Refused, said);
    error.status = Some(200);
    error
}

/// What an outcome is, in a word.
pub(crate) fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Json(_) => "JSON",
        Outcome::Text { .. } => "a text",
        Outcome::Bytes { .. } => "bytes",
        Outcome::Saved(_) => "a saved file",
    }
}

/// What is at a dotted path, through lists too.
pub(crate) fn at(value: &Value, path: &str) -> Option<Value> {
    if let Value::Array(items) = value {
        return Some(items.iter().filter_map(|item| at(item, path)).collect());
    }
    let found = match path.split_once('.') {
        Some((first, rest)) => at(value.get(first)?, rest)?,
        None => value.get(path)?.clone(),
    };
    (!found.is_null()).then_some(found)
}

/// A text without percent-encoding; nothing where what that leaves is no UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    percent_encoding::percent_decode_str(text).decode_utf8().ok().map(Into::into)
}
