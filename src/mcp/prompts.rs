//! Prompts in the protocol's form.

use rmcp::model::{ErrorData, GetPromptResult, PromptMessage, Role};

use super::resources::failed;
use crate::operations::surface::Surface;
use crate::prompts::{PROMPTS, Prompt, PromptError};

/// The prompts that the surface offers.
pub(super) fn listed(surface: &Surface) -> Vec<rmcp::model::Prompt> {
    let offered = PROMPTS.iter().filter(|prompt| prompt.is_offered(surface));
    offered.map(shown).collect()
}

fn shown(prompt: &Prompt) -> rmcp::model::Prompt {
    let arguments = prompt.arguments.iter().map(|argument| {
        rmcp::model::PromptArgument::new(argument.name)
            .with_description(argument.about)
            .with_required(argument.required)
    });
    rmcp::model::Prompt::new(prompt.name, Some(prompt.about), Some(arguments.collect()))
        .with_title(prompt.title)
}

/// A prompt that was made.
pub(super) fn result(name: &str, text: String) -> GetPromptResult {
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    match PROMPTS.iter().find(|prompt| prompt.name == name) {
        Some(prompt) => result.with_description(prompt.about),
        None => result,
    }
}

/// Why a prompt was not made; the numbers are those of resources.
pub(super) fn refused(name: &str, error: &PromptError) -> ErrorData {
    match error {
        PromptError::Bad(why) => ErrorData::invalid_params(why.clone(), None),
        PromptError::Operation(error) => failed(("prompt", name), error),
    }
}
