//! Completions in the protocol's form.

use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionContext, CompletionInfo, ErrorData, Reference,
};

use super::brief;
use crate::completions::{Completed, Known};
use crate::operations::surface::Surface;
use crate::prompts::PROMPTS;
use crate::resources::TEMPLATES;

/// What a request is about: the name of a template, and which of its variables is typed.
pub(super) fn asked<'a>(
    surface: &Surface,
    request: &'a CompleteRequestParams,
) -> Result<(&'static str, &'a str), ErrorData> {
    let argument = request.argument.name.as_str();
    let (name, variables): (&'static str, Vec<&'static str>) = match &request.r#ref {
        Reference::Resource(resource) => {
            let mut offered = TEMPLATES.iter().filter(|template| template.is_offered(surface));
            let Some(template) = offered.find(|template| template.uri == resource.uri) else {
                let said =
                    format!("no template is {}; resources/templates/list lists them", brief(&resource.uri));
                return Err(ErrorData::invalid_params(said, None));
            };
            let path = template.variables().map(|variable| variable.name);
            (template.name, path.chain(template.query()).collect())
        }
        Reference::Prompt(prompt) => {
            let mut offered = PROMPTS.iter().filter(|known| known.is_offered(surface));
            let Some(known) = offered.find(|known| known.name == prompt.name) else {
                let said = format!("no prompt is called {}; prompts/list lists them", brief(&prompt.name));
                return Err(ErrorData::invalid_params(said, None));
            };
            (known.name, known.arguments.iter().map(|argument| argument.name).collect())
        }
        _ => return Err(ErrorData::invalid_params("expected ref/resource or ref/prompt", None)),
    };
    if variables.contains(&argument) {
        return Ok((name, argument));
    }
    let known = if variables.is_empty() { "none".to_owned() } else { variables.join(", ") };
    Err(ErrorData::invalid_params(
        format!("{name} has no argument {}; it has {known}", brief(argument)),
        None,
    ))
}

/// The values that a client has chosen before.
#[derive(Debug)]
pub(super) struct Chosen<'a>(pub(super) Option<&'a CompletionContext>);

impl Known for Chosen<'_> {
    fn value(&self, name: &str) -> Option<&str> {
        self.0?.get_argument(name).map(String::as_str)
    }
}

/// The values that are offered.
pub(super) fn result(completed: Completed) -> Result<CompleteResult, ErrorData> {
    let total = completed.total.map(|total| u32::try_from(total).unwrap_or(u32::MAX));
    let info = CompletionInfo::with_pagination(completed.values, total, completed.has_more);
    info.map(CompleteResult::new).map_err(|why| ErrorData::internal_error(why, None))
}
