//! `forgehand tools`: what there is.

use std::fmt::Write;

use clap::Args;
use serde_json::{Value, json};

use super::render::table;
use super::{Exit, output, target};
use crate::operations::Operation;
use crate::operations::descriptor::Run;
use crate::operations::near::{did_you_mean, near_tools};
use crate::operations::surface::{Choice, Surface};
use crate::operations::table::OPERATIONS;
use crate::settings::{self, ChoiceFlags, Variables};

const EXAMPLES: &str = "\
Examples:
  forgehand tools                            all of them
  forgehand tools create_issue               one of them, with its arguments
  forgehand tools --toolsets default         those that are shown when nothing is chosen
  forgehand tools --json | jq -r '.[] | select(.effect == \"read\") | .name'

SINCE is the Forgejo release that brought a tool's operation; empty, every known release has it. `forgehand scopes` tells
what a token needs. The variables that choose what `serve` shows do not count here.";

/// The flags of `tools`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ToolsArgs {
    /// One tool: what it does and its arguments
    #[arg(value_name = "TOOL", conflicts_with_all = ["toolsets", "tools", "exclude_tools", "read_only"])]
    tool: Option<String>,
    #[command(flatten)]
    choice: ChoiceFlags,
    /// Print a JSON array; so too when standard output is no terminal
    #[arg(long)]
    json: bool,
}

/// Lists the tools that were chosen, else all.
pub(crate) fn run(args: &ToolsArgs) -> Exit {
    if let Some(name) = &args.tool {
        return one(name, args.json);
    }
    // Flags only: this shows what could be chosen, whatever a client's configuration chooses.
    let chosen = settings::choice(&args.choice, &Variables::new(&|_| None)).and_then(|mut choice: Choice| {
        if choice.toolsets.is_none() && choice.tools.is_none() {
            choice.toolsets = Some(vec!["all".to_owned()]);
        }
        Ok(Surface::choose(OPERATIONS, &choice)?)
    });
    let surface = match chosen {
        Ok(surface) => surface,
        Err(error) => return target::refuse(&error),
    };
    if args.json || !output::is_terminal() {
        let described: Vec<Value> =
            surface.operations().iter().map(|operation| describe(operation)).collect();
        return output::line(&Value::Array(described).to_string());
    }
    output::write(overview(surface.operations()).as_bytes())
}

/// Shows one tool.
fn one(name: &str, json: bool) -> Exit {
    let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == name) else {
        let guess = did_you_mean(&near_tools(name, OPERATIONS.iter().map(|operation| operation.name)));
        return output::fail(
            Exit::Usage,
            &format!("no tool is called {name:?}{guess}; `forgehand tools` lists them"),
        );
    };
    if json || !output::is_terminal() {
        return output::line(&describe(operation).to_string());
    }
    output::write(page(operation).as_bytes())
}

/// What a tool does and its arguments, for people.
fn page(operation: &Operation) -> String {
    let schema: Value = serde_json::from_str(operation.input_schema).unwrap_or_default();
    let names = schema.get("required").and_then(Value::as_array);
    let required = |name: &str| names.is_some_and(|names| names.iter().any(|required| required == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let rows = properties.into_iter().flatten().map(|(name, property)| {
        let text = |key| property.get(key).and_then(Value::as_str).unwrap_or_default();
        let words = property.get("enum").and_then(Value::as_array);
        let words = words.map(|words| words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"));
        let kind = words.unwrap_or_else(|| text("type").to_owned());
        let must = if required(name) { "required" } else { "" };
        vec![name.clone(), kind, must.to_owned(), text("description").to_owned()]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut text = format!("{}: {}\n\n", operation.name, operation.about);
    if !rows.is_empty() {
        text.push_str(&table(&["ARGUMENT", "VALUE", "", "ABOUT"], &rows));
    }
    text
}

fn describe(operation: &Operation) -> Value {
    let single = match operation.calls {
        [call] if matches!(operation.run, Run::Call(_)) => Some(call),
        _ => None,
    };
    let schema: Value = serde_json::from_str(operation.input_schema).unwrap_or_default();
    json!({
        "name": operation.name,
        "title": operation.title,
        "operation": operation.calls.iter().map(|call| call.operation).collect::<Vec<_>>(),
        "method": single.map(|call| call.method),
        "path": single.map(|call| call.path),
        "toolset": operation.toolset,
        "effect": operation.effect.word(),
        "default": operation.default,
        "scope": operation.scopes,
        "since": operation.since,
        "until": operation.until,
        "input_schema": schema,
    })
}

fn overview(operations: &[&'static Operation]) -> String {
    let rows: Vec<Vec<String>> = operations
        .iter()
        .map(|operation| {
            [
                operation.name,
                operation.toolset,
                operation.effect.word(),
                yes(operation.default),
                operation.since.unwrap_or_default(),
                operation.title,
            ]
            .map(str::to_owned)
            .to_vec()
        })
        .collect();
    let mut text = table(&["NAME", "TOOLSET", "EFFECT", "DEFAULT", "SINCE", "TITLE"], &rows);
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} tools; `forgehand tools NAME` shows the arguments of one", operations.len());
    text
}

fn yes(default: bool) -> &'static str {
    if default { "yes" } else { "" }
}
