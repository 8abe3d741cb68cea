//! The three tools that reach every other one: `find_tool` by words, `describe_tool` by name, `call_tool` runs it.
//!
//! They are no operations of the forge, and stand in no inventory. They reach all that read-only and exclusions allow:
//! toolsets and names choose what is listed, and discovery is there for the rest. `call_tool` gives the server the
//! operation to run, so that arguments, confirmation, errors and answers are those of a direct call.

use std::collections::BTreeSet;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::{Listing, brief};
use crate::forge::Forge;
use crate::operations::near::{did_you_mean, near};
use crate::operations::surface::{Found, Surface};
use crate::operations::{Code, Operation, OperationError, Outcome, input_schema};

mod ranking;

const FIND: &str = "find_tool";
const DESCRIBE: &str = "describe_tool";
const CALL: &str = "call_tool";

/// How many tools `find_tool` names unless told otherwise, and how many at most.
const USUAL: usize = 10;
const MOST: usize = 60;

/// What a call comes to.
pub(super) enum Request {
    /// An operation to run.
    Run(&'static Operation, Map<String, Value>),
    /// An answer that needs no forge.
    Answer(Result<Outcome, OperationError>),
}

/// The three tools.
pub(super) fn tools(surface: &Surface) -> Vec<Tool> {
    let looks = || ToolAnnotations::new().read_only(true).open_world(false);
    let toolsets: BTreeSet<&str> = surface.allowed().map(|operation| operation.toolset).collect();
    let text = json!({ "type": "string" });
    let runs = match surface.is_read_only() {
        true => ToolAnnotations::new().read_only(true).open_world(true),
        false => ToolAnnotations::new().destructive(true).open_world(true),
    };
    vec![
        tool(
            (FIND, "Find a tool"),
            "Finds tools by words (\"delete branch\"), best first, listed here or not; a toolset alone lists its tools.",
            (
                json!({
                    "query": text,
                    "toolset": { "type": "string", "enum": toolsets },
                    "limit": { "type": "integer", "minimum": 1, "maximum": MOST },
                }),
                &[],
            ),
            looks(),
        ),
        tool(
            (DESCRIBE, "Describe a tool"),
            "Tells what a tool from find_tool does and the schema of its arguments. Read it before call_tool.",
            (json!({ "name": text }), &["name"]),
            looks(),
        ),
        tool(
            (CALL, "Call a tool"),
            "Runs a tool from find_tool by name, with the arguments that describe_tool tells; answers as that tool does.",
            (json!({ "name": text, "arguments": { "type": "object" } }), &["name"]),
            runs,
        ),
    ]
}

fn tool(
    (name, title): (&'static str, &'static str),
    about: &'static str,
    (properties, required): (Value, &[&str]),
    annotations: ToolAnnotations,
) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    Tool::new(name, about, schema).with_title(title).with_annotations(annotations)
}

/// What a call of one of the three comes to; `None` for any other name.
pub(super) fn request(
    surface: &Surface,
    told: (Listing, &Forge),
    name: &str,
    arguments: &Map<String, Value>,
) -> Option<Request> {
    let asked = Asked { tool: name, arguments };
    let answer = match name {
        FIND => asked.find(surface).map(Outcome::Json),
        DESCRIBE => asked.describe(surface, told).map(Outcome::Json),
        CALL => match asked.call(surface) {
            Ok((operation, arguments)) => return Some(Request::Run(operation, arguments)),
            Err(error) => Err(error),
        },
        _ => return None,
    };
    Some(Request::Answer(answer))
}

/// The error of a tool that is not listed, pointing to `call_tool` where that may run it.
pub(super) fn pointed(surface: &Surface, name: &str, error: OperationError) -> OperationError {
    match surface.find_anywhere(name) {
        Found::Shown(_) => error.hint(format!("{CALL} runs it: {{\"name\": {name:?}, \"arguments\": …}}.")),
        Found::Hidden(_) | Found::Unknown(_) => error,
    }
}

/// The arguments of one of the three.
struct Asked<'a> {
    tool: &'a str,
    arguments: &'a Map<String, Value>,
}

impl Asked<'_> {
    fn find(&self, surface: &Surface) -> Result<Value, OperationError> {
        self.only(&["query", "toolset", "limit"])?;
        let query = self.text("query")?.unwrap_or_default();
        let toolset = self.text("toolset")?;
        if let Some(toolset) = toolset {
            known_toolset(surface, toolset)?;
        }
        let within: Vec<&'static Operation> =
            surface.allowed().filter(|o| toolset.is_none_or(|toolset| o.toolset == toolset)).collect();
        let found = match (query.trim().is_empty(), toolset) {
            (false, _) => ranking::ranked(&within, query),
            (true, Some(_)) => within,
            (true, None) => {
                return Err(
                    self.fault("wants `query`, words for what is to be done, or `toolset`".to_owned())
                );
            }
        };
        let items: Vec<Value> = found.iter().take(self.limit()?).map(|operation| line(operation)).collect();
        if found.is_empty() {
            let toolsets: BTreeSet<&str> = surface.allowed().map(|operation| operation.toolset).collect();
            let note = "no tool has these words; try others, or look through a toolset";
            return Ok(json!({ "items": [], "total": 0, "note": note, "toolsets": toolsets }));
        }
        Ok(json!({ "items": items, "total": found.len() }))
    }

    fn describe(
        &self,
        surface: &Surface,
        (listing, forge): (Listing, &Forge),
    ) -> Result<Value, OperationError> {
        self.only(&["name"])?;
        let operation = self.named(surface)?;
        let listed = surface.operations().iter().any(|shown| shown.name == operation.name);
        let calls: Vec<Value> = operation
            .calls
            .iter()
            .map(|call| json!(format!("{} {} {}", call.operation, call.method, call.path)))
            .collect();
        let mut told = Map::from_iter([
            ("name".to_owned(), json!(operation.name)),
            ("title".to_owned(), json!(operation.title)),
            ("description".to_owned(), json!(operation.about)),
            ("toolset".to_owned(), json!(operation.toolset)),
            ("effect".to_owned(), json!(operation.effect.word())),
            ("listed".to_owned(), json!(listed)),
            ("calls".to_owned(), json!(calls)),
            ("input_schema".to_owned(), input_schema(operation, forge.folders()).unwrap_or_default().into()),
        ]);
        if let Some(since) = operation.since {
            told.insert("since".to_owned(), json!(since));
        }
        if let (Some(schema), true) = (operation.output_schema, listing.output_schemas) {
            told.insert("output_schema".to_owned(), parsed(schema));
        }
        Ok(Value::Object(told))
    }

    fn call(&self, surface: &Surface) -> Result<(&'static Operation, Map<String, Value>), OperationError> {
        self.only(&["name", "arguments"])?;
        let operation = self.named(surface)?;
        let arguments = match self.arguments.get("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            // Models write an object as text now and then.
            Some(Value::String(text)) => serde_json::from_str(text)
                .map_err(|_| self.fault("wants `arguments` as an object, and got text".to_owned()))?,
            Some(_) => return Err(self.fault("wants `arguments` as an object".to_owned())),
        };
        Ok((operation, arguments))
    }

    /// The operation that `name` names.
    fn named(&self, surface: &Surface) -> Result<&'static Operation, OperationError> {
        let Some(name) = self.text("name")? else {
            return Err(self.fault(format!("wants `name`, a tool's name from {FIND}")));
        };
        let name = brief(name);
        if [FIND, DESCRIBE, CALL].contains(&&*name) {
            return Err(self.fault(format!("is for other tools than {name}; call that one itself")));
        }
        match surface.find_anywhere(&name) {
            Found::Shown(operation) => Ok(operation),
            Found::Hidden(error) => Err(error),
            Found::Unknown(near) => Err(unknown(format!("no tool is called {name:?}"), near)
                .hint(format!("{FIND} finds tools by words"))),
        }
    }

    fn only(&self, known: &[&str]) -> Result<(), OperationError> {
        match self.arguments.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let name = brief(name);
                let near = near(&name, known.iter().copied());
                Err(unknown(format!("{} has no argument {name:?}", self.tool), near)
                    .hint(format!("accepted arguments: {}", known.join(", "))))
            }
        }
    }

    fn text(&self, name: &str) -> Result<Option<&str>, OperationError> {
        match self.arguments.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.fault(format!("wants `{name}` as text"))),
        }
    }

    fn limit(&self) -> Result<usize, OperationError> {
        let limit = match self.arguments.get("limit") {
            None | Some(Value::Null) => return Ok(USUAL),
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_u64().and_then(|limit| usize::try_from(limit).ok()),
        };
        limit
            .filter(|limit| (1..=MOST).contains(limit))
            .ok_or_else(|| self.fault(format!("wants `limit` as a whole number from 1 to {MOST}")))
    }

    fn fault(&self, said: String) -> OperationError {
        OperationError::new(Code::InvalidArguments, format!("{} {said}. Nothing was sent.", self.tool))
    }
}

/// A tool in one line.
fn line(operation: &Operation) -> Value {
    let about = operation.about.split_once(". ").map_or(operation.about, |(first, _)| first);
    json!({
        "name": operation.name,
        "about": about.trim_end_matches('.'),
        "toolset": operation.toolset,
        "effect": operation.effect.word(),
    })
}

fn known_toolset(surface: &Surface, toolset: &str) -> Result<(), OperationError> {
    let known: BTreeSet<&str> = surface.allowed().map(|operation| operation.toolset).collect();
    if known.contains(toolset) {
        return Ok(());
    }
    let toolset = brief(toolset);
    let near = near(&toolset, known.iter().copied());
    let hint = format!("toolsets: {}", known.into_iter().collect::<Vec<_>>().join(", "));
    Err(unknown(format!("no toolset is called {toolset:?}"), near).hint(hint))
}

fn unknown(said: String, near: Vec<String>) -> OperationError {
    let said = format!("{said}{}. Nothing was sent.", did_you_mean(&near));
    let mut error = OperationError::new(Code::InvalidArguments, said);
    error.near = near;
    error
}

/// A generated schema, which is JSON.
fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap_or_default()
}
