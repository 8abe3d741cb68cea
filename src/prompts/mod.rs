//! Prompts: a task in words, with the data that it starts from.
//!
//! Uses [`crate::operations`]: the data is what the tools answer, within the budget of one answer, and what was left
//! out is told with the tool that shows it. What people wrote is fenced, so that nothing in it can look like the
//! task.

mod part;
mod table;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::forge::Forge;
use crate::operations::surface::{Found, Surface};
use crate::operations::{Limits, OperationError};
use crate::tools::Tools;
pub use table::PROMPTS;

/// A prompt.
#[derive(Debug)]
pub struct Prompt {
    /// Its name.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// What it asks a model to do.
    pub about: &'static str,
    /// What it takes.
    pub arguments: &'static [Argument],
    /// The tools whose answers it holds.
    pub tools: &'static [&'static str],
    /// Tools that help with the task, each with what it is for; those that are hidden are not named.
    helpful: &'static [(&'static str, &'static str)],
    make: for<'a> fn(Maker<'a>) -> Made<'a>,
}

/// An argument of a prompt.
#[derive(Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether it must be given.
    pub required: bool,
}

/// Why a prompt was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// There is none of that name, or an argument is missing, unknown or not what it must be. Nothing was sent.
    #[error("{0}")]
    Bad(String),
    /// A tool failed, or is hidden here.
    #[error(transparent)]
    Operation(#[from] OperationError),
}

/// What making comes to: the text.
type Made<'a> = BoxFuture<'a, Result<String, PromptError>>;

/// What a prompt is made with.
#[derive(Debug, Clone, Copy)]
struct Maker<'a> {
    tools: Tools<'a>,
    surface: &'a Surface,
    prompt: &'static Prompt,
    given: &'a Map<String, Value>,
}

impl Maker<'_> {
    /// The text of an argument; none where it was not given.
    fn given(&self, name: &str) -> Option<&str> {
        self.given.get(name).and_then(Value::as_str)
    }

    /// `owner` and `repo`, and further arguments.
    fn arguments<const N: usize>(&self, more: [(&str, Value); N]) -> Map<String, Value> {
        let place = ["owner", "repo"].into_iter().filter_map(|name| Some((name, self.given(name)?.into())));
        place.chain(more).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The tools that help, those that are shown.
    fn helpful(&self) -> String {
        let shown =
            self.prompt.helpful.iter().filter(|(tool, _)| matches!(self.surface.find(tool), Found::Shown(_)));
        let named: Vec<String> = shown.map(|(tool, what)| format!("- {tool}: {what}")).collect();
        if named.is_empty() { String::new() } else { format!("Tools for it:\n{}\n\n", named.join("\n")) }
    }
}

impl Prompt {
    /// Why one of its tools may not be asked for here.
    fn hidden(&self, surface: &Surface) -> Option<OperationError> {
        self.tools.iter().find_map(|tool| surface.of_resources(tool).err())
    }

    /// Whether all its tools may be asked for here.
    pub fn is_offered(&self, surface: &Surface) -> bool {
        self.hidden(surface).is_none()
    }

    /// The arguments, checked: texts, and numbers where a number is wanted.
    fn checked(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, PromptError> {
        let mut given = Map::new();
        for (name, value) in arguments {
            if !self.arguments.iter().any(|argument| argument.name == name) {
                let known: Vec<&str> = self.arguments.iter().map(|argument| argument.name).collect();
                let name: String = name.chars().take(100).collect();
                let said = format!("{} has no argument {name:?}; it has {}", self.name, known.join(", "));
                return Err(PromptError::Bad(said));
            }
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text.trim().to_owned(),
                Value::Number(number) => number.to_string(),
                _ => return Err(PromptError::Bad(format!("{name}: expected text"))),
            };
            if text.is_empty() {
                continue;
            }
            let is_number = matches!(name.as_str(), "index" | "run");
            if is_number && !text.parse::<i64>().is_ok_and(|number| number > 0) {
                return Err(PromptError::Bad(format!("{name}: expected a whole number from 1")));
            }
            given.insert(name, text.into());
        }
        match self.arguments.iter().find(|argument| argument.required && !given.contains_key(argument.name)) {
            Some(missing) => {
                let said = format!("{} wants the argument {}: {}", self.name, missing.name, missing.about);
                Err(PromptError::Bad(said))
            }
            None => Ok(given),
        }
    }
}

/// Makes a prompt.
///
/// # Errors
/// [`PromptError`].
pub async fn make(
    forge: &Forge,
    surface: &Surface,
    name: &str,
    arguments: Map<String, Value>,
    limits: &Limits,
) -> Result<String, PromptError> {
    let Some(prompt) = PROMPTS.iter().find(|prompt| prompt.name == name) else {
        let known: Vec<&str> = PROMPTS.iter().map(|prompt| prompt.name).collect();
        let name: String = name.chars().take(100).collect();
        return Err(PromptError::Bad(format!(
            "no prompt is called {name:?}; there are {}",
            known.join(", ")
        )));
    };
    let given = prompt.checked(arguments)?;
    if let Some(hidden) = prompt.hidden(surface) {
        return Err(hidden.into());
    }
    let tools = Tools::new(forge, *limits);
    (prompt.make)(Maker { tools, surface, prompt, given: &given }).await
}
