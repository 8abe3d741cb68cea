//! `forgehand read`: one resource, its blocks on standard output.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde_json::{Value, json};

use super::render::render;
use super::target::{self, Settled};
use super::{Exit, block_on, call, output};
use crate::operations::surface::Surface;
use crate::resources::{self, Address, Block, Body, JSON, ResourceError};
use crate::settings::{ForgeFlags, LimitFlags, Variables, process_variable};

const EXAMPLES: &str = "\
Examples:
  forgehand read forgejo://repo/acme/widget
  forgehand read forgejo://repo/acme/widget/issue/12 --json
  forgehand read forgejo://repo/acme/widget/file/main/docs/guide/intro.md
  forgehand read 'forgejo://repo/acme/widget/issues?state=closed&page=2' --demo

A space in a name is %20, a slash within one %2F. An address without a template is answered with all templates.

Exit codes: as those of `forgehand call`.";

/// The flags of `read`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReadArgs {
    /// The resource's address, as forgejo://repo/OWNER/REPO/issue/NUMBER
    #[arg(value_name = "URI")]
    uri: String,
    /// Print the contents as a client is given them: {"contents": [{"uri", "mimeType", "text" or "blob"}]}
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    forge: ForgeFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

/// Reads the resource.
pub(crate) fn run(args: &ReadArgs) -> Exit {
    let address = match Address::parse(&args.uri) {
        Ok(address) => address,
        Err(error) => return tell(args, &error),
    };
    let surface = match call::allowed() {
        Ok(surface) => surface,
        Err(exit) => return exit,
    };
    let variables = Variables::new(&process_variable);
    let settled = match Settled::read((&args.forge, &args.limits, None), &variables) {
        Ok(settled) => settled,
        Err(error) => return target::refuse(&error),
    };
    match block_on(read(settled, &surface, &address)) {
        Ok(Ok(Ok(blocks))) => show(args, &blocks),
        Ok(Ok(Err(error))) => tell(args, &error),
        Ok(Err(exit)) | Err(exit) => exit,
    }
}

async fn read(
    settled: Settled,
    surface: &Surface,
    address: &Address,
) -> Result<Result<Vec<Block>, ResourceError>, Exit> {
    let limits = settled.limits;
    let reached = settled.reach().await?;
    Ok(resources::read(&reached.forge, surface, address, &limits).await)
}

/// Prints the blocks, an empty line between them.
fn show(args: &ReadArgs, blocks: &[Block]) -> Exit {
    let people = output::is_terminal();
    if args.json {
        let contents: Vec<Value> = blocks.iter().map(|block| content(&args.uri, block)).collect();
        let contents = json!({ "contents": contents });
        return match people {
            true => output::line(&output::harmless_json(&format!("{contents:#}"))),
            false => output::line(&contents.to_string()),
        };
    }
    let mut printed = Vec::new();
    for block in blocks {
        if !printed.is_empty() {
            printed.extend_from_slice(if printed.ends_with(b"\n") { b"\n" } else { b"\n\n" });
        }
        match &block.body {
            Body::Bytes(bytes) if people => {
                let (size, kind) = (bytes.len(), &block.media_type);
                let why = format!("the resource is {size} bytes of {kind}; send it on, as with > FILE");
                return output::fail(Exit::Usage, &why);
            }
            Body::Bytes(bytes) => printed.extend_from_slice(bytes),
            Body::Text(text) if people => {
                let json = (block.media_type == JSON).then(|| serde_json::from_str(text).ok()).flatten();
                let shown = json.map_or_else(|| text.clone(), |value: Value| render(&value));
                printed.extend_from_slice(output::harmless(&shown).as_bytes());
            }
            Body::Text(text) => printed.extend_from_slice(text.as_bytes()),
        }
    }
    // A file stays byte for byte what it is.
    let is_made = people || blocks.len() > 1 || blocks.iter().all(|block| block.media_type == JSON);
    if is_made && !printed.ends_with(b"\n") {
        printed.push(b'\n');
    }
    output::write(&printed)
}

fn content(uri: &str, block: &Block) -> Value {
    let mut content = json!({ "uri": uri, "mimeType": block.media_type });
    let (name, value) = match &block.body {
        Body::Text(text) => ("text", text.clone()),
        Body::Bytes(bytes) => ("blob", STANDARD.encode(bytes)),
    };
    if let Value::Object(content) = &mut content {
        content.insert(name.to_owned(), value.into());
    }
    content
}

/// Says why nothing was read.
fn tell(args: &ReadArgs, error: &ResourceError) -> Exit {
    let (exit, code) = match error {
        ResourceError::Operation(error) => return call::tell(error, args.json),
        ResourceError::NotHere(_) => (Exit::NotFound, "not_found"),
        ResourceError::BadAddress(_) | ResourceError::NoTemplate(_) => (Exit::Usage, "invalid_arguments"),
    };
    if args.json {
        output::error_line(&json!({ "error": { "code": code, "message": error.to_string() } }));
        return exit;
    }
    output::fail(exit, &output::harmless(&error.to_string()))
}
