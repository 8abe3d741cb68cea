//! `forgehand call`: one operation, its answer on standard output.

use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde_json::{Map, Value, json};

use super::render::render;
use super::target::{self, Settled};
use super::{Exit, block_on, confirm, output, signals};
use crate::folders::Target as Place;
use crate::operations::arguments::MOST_MAX_BYTES;
use crate::operations::near::did_you_mean;
use crate::operations::surface::{Choice, Found, Surface};
use crate::operations::table::OPERATIONS;
use crate::operations::{self, Code, Operation, OperationError, Outcome};
use crate::settings::{self, ChoiceFlags, FolderFlags, ForgeFlags, LimitFlags, Variables, process_variable};

const EXAMPLES: &str = "\
Examples:
  forgehand call list_repo_issues repo=acme/widget state=open
  forgehand call get_issue_by_index --demo owner=acme repo=widget index=1 --json
  forgehand call create_issue repo=acme/widget title='Bolt is loose' body='It is.' --dry-run
  echo '{\"owner\":\"acme\",\"repo\":\"widget\"}' | forgehand call list_branches --args -

A value is text, and read as its argument wants it (5, true, a,b); name:=JSON gives JSON as it is. `forgehand tools
--json` shows every tool's arguments.

Exit codes: 0 done, 2 usage or arguments, 3 not found, 4 denied, 5 conflict, refused or too large, 6 unreachable or
timed out, 7 rate limited, 8 confirmation needed, 130 or 143 ended by a signal, 1 anything else.";

/// The flags of `call`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CallArgs {
    /// The tool's name
    #[arg(value_name = "TOOL")]
    tool: String,
    /// Arguments, as name=text or name:=JSON; they beat those of --args
    #[arg(value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// Arguments as a JSON object, or - to read it from standard input
    #[arg(long, value_name = "JSON")]
    args: Option<String>,
    /// Print the structured content as JSON; so too when standard output is no terminal
    #[arg(long)]
    json: bool,
    /// Show what would be sent, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Write the answer to this file instead of standard output: all of it, or nothing where it is longer than
    /// max_bytes or --max-result-bytes (or its variable) allow, or is no file where the tool reads one
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    forge: ForgeFlags,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    folders: FolderFlags,
}

/// Calls the tool.
pub(crate) fn run(args: CallArgs) -> Exit {
    let operation = match find(&args.tool, args.json) {
        Ok(operation) => operation,
        Err(exit) => return exit,
    };
    let arguments = match arguments(&args) {
        Ok(arguments) => arguments,
        Err(why) => return output::fail(Exit::Usage, &why),
    };
    let variables = Variables::new(&process_variable);
    let flags = (&args.forge, &args.limits, Some(&args.folders));
    let settled = Settled::read(flags, &variables)
        .and_then(|settled| Ok((settled, settings::result_bound(&args.limits, &variables)?)));
    let (mut settled, bound) = match settled {
        Ok(settled) => settled,
        Err(error) => return target::refuse(&error),
    };
    // Whoever cannot be given the answer asks for none.
    if let Some(Err(why)) = args.output.as_deref().map(place) {
        return output::fail(Code::Refused.into(), &why);
    }
    // Whatever is to be shown in another form is not written as it comes.
    let is_plain = !args.json && !arguments.contains_key("save_as");
    let own = arguments.get("max_bytes").and_then(|given| match given {
        Value::String(text) => text.trim().parse().ok(),
        given => given.as_u64(),
    });
    settled.folders.output = args.output.clone().filter(|_| is_plain);
    settled.folders.output_limit = own.or(bound.map(|bound| bound as u64));
    let arguments = widened(&args, arguments, bound.unwrap_or(MOST_MAX_BYTES));
    match block_on(call(settled, operation, arguments)) {
        Ok(Ok(Ok(outcome))) => show(&outcome, operation, &args),
        Ok(Ok(Err(error))) => tell(&error, args.json),
        Ok(Err(exit)) | Err(exit) => exit,
    }
}

/// The place of the file for the answer.
fn place(path: &Path) -> Result<Place, String> {
    Place::anywhere(path).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{} cannot be written: {error}", path.display())
}

async fn call(
    settled: Settled,
    operation: &'static Operation,
    arguments: Map<String, Value>,
) -> Result<Result<Outcome, OperationError>, Exit> {
    let limits = settled.limits;
    let is_saved = settled.folders.output.is_some() || arguments.contains_key("save_as");
    let reached = settled.reach().await?;
    let limits = match confirm::settled(&reached.forge, operation, &arguments, limits) {
        Ok(limits) => limits,
        Err(error) => return Ok(Err(error)),
    };
    let work = operations::run(&reached.forge, operation, arguments, &limits);
    if !is_saved {
        return Ok(work.await);
    }
    // A call that is dropped takes what it has written of a file with it; a process that is ended by a signal does not.
    let stop = signals::stop().map_err(|error| output::fail(Exit::Fault, &error.to_string()))?;
    tokio::select! {
        done = work => Ok(done),
        exit = stop => Err(exit),
    }
}

/// What may be asked for on the command line: toolsets bind models, not people; read-only and exclusions bind both.
pub(crate) fn allowed() -> Result<Surface, Exit> {
    let variables = Variables::new(&process_variable);
    let policy =
        settings::choice(&ChoiceFlags::default(), &variables).map_err(|error| target::refuse(&error))?;
    let policy = Choice { toolsets: None, tools: None, ..policy };
    Surface::choose(OPERATIONS, &policy).map_err(|error| target::refuse(&error.into()))
}

/// The operation of that name.
fn find(name: &str, json: bool) -> Result<&'static Operation, Exit> {
    match allowed()?.find_anywhere(name) {
        Found::Shown(operation) => Ok(operation),
        Found::Hidden(error) => Err(tell(&error, json)),
        Found::Unknown(near) => {
            let guess = did_you_mean(&near);
            let why = format!("no tool is called {name:?}{guess}; `forgehand tools` lists them");
            Err(output::fail(Exit::Usage, &why))
        }
    }
}

/// The arguments: those of `--args`, then the pairs, then `--dry-run`.
fn arguments(args: &CallArgs) -> Result<Map<String, Value>, String> {
    let mut arguments = match args.args.as_deref() {
        None => Map::new(),
        Some("-") => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| format!("standard input cannot be read as text: {error}"))?;
            object(&text, "standard input")?
        }
        Some(text) => object(text, "--args")?,
    };
    let pairs = pairs(&args.arguments)?;
    arguments.extend(pairs);
    if args.dry_run {
        arguments.insert("dry_run".to_owned(), Value::Bool(true));
    }
    Ok(arguments)
}

/// A file takes as much as there may be, `most` bytes, since nobody reads in it that it was cut.
fn widened(args: &CallArgs, mut arguments: Map<String, Value>, most: usize) -> Map<String, Value> {
    let is_bounded = arguments.get("max_bytes").is_some_and(|given| !given.is_null());
    if args.output.is_some() && !is_bounded && !arguments.contains_key("save_as") {
        arguments.insert("max_bytes".to_owned(), most.into());
    }
    arguments
}

fn object(text: &str, from: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(format!("{from} must hold a JSON object, such as {{\"repo\": \"acme/widget\"}}")),
        Err(error) => Err(format!("{from} is not JSON: {error}")),
    }
}

fn pairs(given: &[String]) -> Result<Map<String, Value>, String> {
    let mut pairs = Map::new();
    for pair in given {
        let Some((name, text)) = pair.split_once('=') else {
            return Err(format!(
                "{pair:?} is no argument: expected name=value or name:=JSON, as repo=acme/widget"
            ));
        };
        let (name, value) = match name.strip_suffix(':') {
            None => (name, Value::String(text.to_owned())),
            Some(name) => match serde_json::from_str(text) {
                Ok(value) => (name, value),
                Err(error) => return Err(format!("the value of {name}:= is not JSON: {error}")),
            },
        };
        if name.is_empty() {
            return Err(format!("{pair:?} names no argument: expected name=value"));
        }
        if pairs.insert(name.to_owned(), value).is_some() {
            return Err(format!("{name} is given twice; a list is {name}=a,b or {name}:='[\"a\",\"b\"]'"));
        }
    }
    Ok(pairs)
}

/// Prints an answer: the structured content as JSON, or for people; text as it is; bytes into a file or a pipe.
fn show(outcome: &Outcome, operation: &Operation, args: &CallArgs) -> Exit {
    let people = args.output.is_none() && output::is_terminal();
    match (outcome, &args.output) {
        (Outcome::Saved(saved), Some(path)) if saved.path == path.display().to_string() => {
            if let Some(note) = &saved.note {
                output::note(&output::harmless(&as_typed(&format!("{}: {note}", saved.path))));
            }
            return Exit::Done;
        }
        // What stands in place of a file must not be taken for it.
        (Outcome::Json(told), Some(path)) if !args.json && operations::downloads(operation) => {
            let why = format!("{} was not written, since this is no file: {told}", path.display());
            return output::fail(Code::Refused.into(), &output::harmless(&as_typed(&why)));
        }
        _ => {}
    }
    if let (Outcome::Bytes { bytes, media_type, .. }, true, false) = (outcome, people, args.json) {
        let size = bytes.len();
        let why = format!("the answer is {size} bytes of {media_type}; give --output FILE, or send it on");
        return output::fail(Exit::Usage, &why);
    }
    let printed =
        if args.json { json_form(outcome, people).into_bytes() } else { plain_form(outcome, people) };
    let more = match outcome {
        Outcome::Text { more, .. } => more.as_ref(),
        Outcome::Json(_) | Outcome::Bytes { .. } | Outcome::Saved(_) => None,
    };
    let rest = match outcome {
        Outcome::Json(answer) => cut(answer),
        _ => more.filter(|more| more.get("shown").is_some()),
    };
    let encoding = more.and_then(|more| more.get("encoding")?.as_str());
    if let (Some(path), Some(encoding), false) = (&args.output, encoding, args.json) {
        output::note(&format!("{} is UTF-8, and the file is {encoding}", path.display()));
    }
    if let (Some(more), None, false) = (more, rest, args.json)
        && more.get("size").is_some()
    {
        output::note(&format!("beside the text: {more}"));
    }
    let Some(path) = &args.output else {
        if let (Some(rest), false) = (rest, args.json) {
            output::note(&format!("there is more of it: {rest}"));
        }
        return output::write(&printed);
    };
    match rest {
        Some(rest) => {
            let why =
                format!("{} was not written, since it would not hold all of it: {rest}", path.display());
            output::fail(Code::TooLarge.into(), &why)
        }
        None => written(path, &printed),
    }
}

/// What of an answer says that the budget has cut it, or a row of it.
fn cut(answer: &Value) -> Option<&Value> {
    let rows = answer.get("items").and_then(Value::as_array).into_iter().flatten();
    let by_budget = answer.get("next").filter(|next| next.get("skip").is_some_and(|skip| *skip != 0));
    std::iter::once(answer).chain(rows).find_map(|one| one.get("truncated")).or(by_budget)
}

/// Writes a file, all of it or nothing.
fn written(path: &Path, bytes: &[u8]) -> Exit {
    let result = place(path).and_then(|place| {
        let done = block_on(async { place.write(bytes).await.map_err(|error| unwritten(path, &error)) });
        done.unwrap_or_else(|_| Err("forgehand could not start".to_owned()))
    });
    match result {
        Ok(()) => Exit::Done,
        Err(why) => output::fail(Exit::Fault, &why),
    }
}

fn json_form(outcome: &Outcome, people: bool) -> String {
    let line = |value: &Value| match people {
        true => output::harmless_json(&format!("{value:#}\n")),
        false => format!("{value}\n"),
    };
    match outcome {
        Outcome::Json(value) => line(value),
        Outcome::Saved(saved) => line(&saved.told()),
        Outcome::Text { text, more } => {
            let mut fields = Map::from_iter([("text".to_owned(), json!(text))]);
            fields.extend(more.as_ref().and_then(Value::as_object).cloned().unwrap_or_default());
            line(&Value::Object(fields))
        }
        Outcome::Bytes { bytes, media_type, sha } => {
            let size = bytes.len();
            let mut fields =
                json!({ "base64": STANDARD.encode(bytes), "media_type": media_type, "bytes": size });
            if let (Some(sha), Some(fields)) = (sha, fields.as_object_mut()) {
                fields.insert("sha".to_owned(), sha.as_str().into());
            }
            line(&fields)
        }
    }
}

fn plain_form(outcome: &Outcome, people: bool) -> Vec<u8> {
    match outcome {
        Outcome::Json(value) if people => output::harmless(&render(value)).into_bytes(),
        Outcome::Saved(saved) if people => output::harmless(&render(&saved.told())).into_bytes(),
        Outcome::Json(_) | Outcome::Saved(_) => json_form(outcome, people).into_bytes(),
        Outcome::Text { text, .. } if people => output::harmless(text).into_bytes(),
        Outcome::Text { text, .. } => text.clone().into_bytes(),
        Outcome::Bytes { bytes, .. } => bytes.to_vec(),
    }
}

/// Says why a call failed: a sentence, or with `--json` the error object; on standard error either way.
pub(crate) fn tell(error: &OperationError, json: bool) -> Exit {
    let exit = Exit::from(error.code);
    if json {
        output::error_line(&json!({ "error": error }));
        return exit;
    }
    let mut text = output::harmless(&error.message);
    if let Some(call) = &error.call {
        let status = error.status.map(|status| format!(", status {status}")).unwrap_or_default();
        text.push_str(&format!(" ({call}{status})"));
    }
    let told = error.near.iter().any(|name| error.message.contains(name.as_str()));
    let near =
        (!error.near.is_empty() && !told).then(|| format!("did you mean {}?", error.near.join(" or ")));
    let wait = error.retry_after_seconds.map(|seconds| format!("try again after {seconds} seconds"));
    for line in error.hint.iter().chain(&near).chain(&wait) {
        text.push_str("\n  ");
        text.push_str(&output::harmless(&as_typed(line)));
    }
    output::fail(exit, &text)
}

/// A hint, its switches as they are typed on the command line.
fn as_typed(hint: &str) -> String {
    ["confirm", "dry_run", "fetch_external", "follow_lfs", "overwrite"]
        .iter()
        .fold(hint.to_owned(), |hint, name| hint.replace(&format!("{name}: true"), &format!("{name}=true")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_on_a_terminal_is_the_same_value_without_what_deceives() {
        let text = "a\u{202e}b\u{9b}2J\n";
        for (outcome, value) in [
            (Outcome::Json(json!({ "title": text })), json!({ "title": text })),
            (Outcome::Text { text: text.to_owned(), more: None }, json!({ "text": text })),
        ] {
            let shown = json_form(&outcome, true);
            assert!(shown.contains("a\\u202eb\\u009b2J\\n"), "{shown}");
            assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
            assert_eq!(json_form(&outcome, false), format!("{value}\n"));
        }
    }
}
