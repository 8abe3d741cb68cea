//! `forgehand scopes`: the least that a token must be allowed for the tools that were chosen.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use super::{Exit, output, target};
use crate::operations::Operation;
use crate::operations::surface::Surface;
use crate::operations::table::OPERATIONS;
use crate::settings::{self, ChoiceFlags, Variables, process_variable};

const EXAMPLES: &str = "\
Examples:
  forgehand scopes                           for what `serve` shows when nothing is chosen
  forgehand scopes --toolsets issues,labels
  forgehand scopes --read-only --toolsets all
  forgehand scopes --json | jq -r '.scopes[]'

The flags and variables choose tools as they do for `serve`. Make the token in Forgejo under Settings, Applications. A
scope of writing includes reading, so of two scopes of one name only that of writing is listed.";

/// The flags of `scopes`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScopesArgs {
    #[command(flatten)]
    choice: ChoiceFlags,
    /// Print a JSON object; so too when standard output is no terminal
    #[arg(long)]
    json: bool,
}

/// Tells the scopes of the tools that were chosen.
pub(crate) fn run(args: &ScopesArgs) -> Exit {
    let variables = Variables::new(&process_variable);
    let chosen = settings::choice(&args.choice, &variables)
        .and_then(|choice| Ok(Surface::choose(OPERATIONS, &choice)?));
    let surface = match chosen {
        Ok(surface) => surface,
        Err(error) => return target::refuse(&error),
    };
    let needs = Needs::of(surface.operations());
    if args.json || !output::is_terminal() {
        return output::line(&needs.json().to_string());
    }
    output::write(needs.text().as_bytes())
}

/// Tool names by what they need.
#[derive(Debug, Default)]
struct Needs {
    /// The name of a scope, as `issue` → who needs it.
    scopes: BTreeMap<&'static str, Level>,
    /// Tools that need none.
    none: Vec<&'static str>,
}

/// The tools that need a scope.
#[derive(Debug, Default)]
struct Level {
    read: Vec<&'static str>,
    write: Vec<&'static str>,
}

impl Level {
    /// The least that all of them can work with.
    fn word(&self) -> &'static str {
        if self.write.is_empty() { "read" } else { "write" }
    }
}

impl Needs {
    fn of(operations: &[&'static Operation]) -> Self {
        let mut needs = Self::default();
        for operation in operations {
            if operation.scopes.is_empty() {
                needs.none.push(operation.name);
            }
            for (level, name) in operation.scopes.iter().filter_map(|scope| scope.split_once(':')) {
                let tools = needs.scopes.entry(name).or_default();
                if level == "read" { &mut tools.read } else { &mut tools.write }.push(operation.name);
            }
        }
        needs
    }

    /// `{"scopes": ["write:issue", …], "tools": {"write:issue": {"write": […], "read": […]}, …}, "without": […]}`.
    fn json(&self) -> Value {
        let scopes: Vec<String> =
            self.scopes.iter().map(|(name, level)| format!("{}:{name}", level.word())).collect();
        let tools: Map<String, Value> = self
            .scopes
            .iter()
            .map(|(name, level)| {
                let mut by = Map::new();
                for (word, tools) in [("write", &level.write), ("read", &level.read)] {
                    if !tools.is_empty() {
                        by.insert(word.to_owned(), json!(tools));
                    }
                }
                (format!("{}:{name}", level.word()), Value::Object(by))
            })
            .collect();
        json!({ "scopes": scopes, "tools": tools, "without": self.none })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for (name, level) in &self.scopes {
            let _ = writeln!(text, "{}:{name}", level.word());
            for (word, tools) in [("to write", &level.write), ("to read", &level.read)] {
                paragraph(&mut text, word, tools);
            }
        }
        if !self.none.is_empty() {
            let _ = writeln!(text, "no scope");
            paragraph(&mut text, "", &self.none);
        }
        text
    }
}

/// Names below each other in lines of a readable length.
fn paragraph(text: &mut String, title: &str, names: &[&str]) {
    const WIDTH: usize = 110;
    let mut line = format!("  {title:10}");
    let mut is_first = true;
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { "," } else { "" };
        if !is_first && line.chars().count() + name.len() + 2 > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            line = format!("  {:10}", "");
        }
        let _ = write!(line, "{name}{comma} ");
        is_first = false;
    }
    if !names.is_empty() {
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_broken_between_names_and_loses_none() {
        let names: Vec<String> = (0..40).map(|at| format!("list_things_{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut text = String::new();
        paragraph(&mut text, "to read", &names);
        assert!(text.lines().all(|line| line.len() <= 110) && text.lines().count() > 4, "{text}");
        let said: Vec<&str> = text.trim_start().trim_start_matches("to read").split([',', '\n']).collect();
        let said: Vec<&str> = said.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect();
        assert_eq!(said, names);
    }
}
