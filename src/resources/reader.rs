//! Runs the operations behind a resource.

use serde_json::{Map, Value};

use super::shape::at;
use super::{Address, LIMIT, ResourceError};
use crate::forge::Forge;
use crate::operations::descriptor::Answer;
use crate::operations::table::OPERATIONS;
use crate::operations::{self, Code, Limits, OperationError, Outcome};

/// What a resource is read with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) forge: &'a Forge,
    pub(super) address: &'a Address,
    pub(super) limits: Limits,
}

/// The arguments of a call.
pub(super) type Arguments = Map<String, Value>;

impl Reader<'_> {
    /// The value of a variable of the path.
    pub(super) fn variable(&self, name: &str) -> &str {
        self.address.get(name).unwrap_or_default()
    }

    /// The arguments that these variables give, each with the argument's name; those that the address has not are left out.
    pub(super) fn arguments<const N: usize>(&self, pairs: [(&str, &str); N]) -> Arguments {
        let given = pairs.into_iter().filter_map(|(argument, variable)| {
            Some((argument.to_owned(), Value::from(self.address.get(variable)?)))
        });
        given.collect()
    }

    /// The arguments `owner` and `repo`, and those that further variables give.
    pub(super) fn within_repo<const N: usize>(&self, pairs: [(&str, &str); N]) -> Arguments {
        let mut arguments = self.arguments([("owner", "owner"), ("repo", "repo")]);
        arguments.extend(self.arguments(pairs));
        arguments
    }

    /// What a tool answers: all of an object or a list, and a text up to [`LIMIT`].
    pub(super) async fn outcome(&self, tool: &str, arguments: Arguments) -> Result<Outcome, OperationError> {
        let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == tool) else {
            let said = format!("the Forgejo that this was built for has nothing for {tool}");
            return Err(OperationError::new(Code::UnavailableHere, said));
        };
        // What is read of an object is chosen by its fields, and bounded by what is read of any body.
        let is_text = matches!(operation.answer, Answer::Text);
        let max_result_bytes = if is_text { LIMIT } else { usize::MAX };
        operations::run(self.forge, operation, arguments, &Limits { max_result_bytes, ..self.limits }).await
    }

    /// The object that a tool answers.
    pub(super) async fn object(&self, tool: &str, arguments: Arguments) -> Result<Value, ResourceError> {
        match self.outcome(tool, arguments).await? {
            Outcome::Json(value) => Ok(value),
            _ => Err(self.unlike(tool)),
        }
    }

    /// The object that a tool answers, of which these fields are shown: dotted paths.
    pub(super) async fn fields<'f>(
        &self,
        tool: &str,
        mut arguments: Arguments,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<Value, ResourceError> {
        arguments.insert("fields".to_owned(), fields.into_iter().collect());
        self.object(tool, arguments).await
    }

    /// The same, of something that always has the first of these fields.
    pub(super) async fn entity<'f>(
        &self,
        tool: &str,
        arguments: Arguments,
        fields: impl IntoIterator<Item = &'f str> + Clone,
    ) -> Result<Value, ResourceError> {
        let found = self.fields(tool, arguments, fields.clone()).await?;
        match fields.into_iter().next().and_then(|first| at(&found, first)) {
            Some(_) => Ok(found),
            None => Err(self.unlike(tool)),
        }
    }

    /// That a tool answered something that no resource is made of.
    pub(super) fn unlike(&self, tool: &str) -> ResourceError {
        let said = format!("the forge's answer to {tool} is not of the form that {} has", self.address.uri());
        let mut error = OperationError::new(Code::Refused, said);
        error.status = Some(200);
        error.into()
    }
}
