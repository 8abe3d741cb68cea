//! The first page: totals, how to choose, the toolsets, all tools by name, and what is not exposed.

use crate::document::Document;
use crate::inventory::lock::{Count, listed};
use crate::inventory::tool::{Build, Tool};

use super::{MADE, Section, words};

/// `docs/tools.md`.
pub(super) fn page(build: &Build, sections: &[Section<'_>], document: &Document, count: Count<'_>) -> String {
    let mut out = format!("{MADE}# Tools\n\n");
    totals(&mut out, build, count);
    out.push_str(CONTENTS);
    out.push_str(CHOOSING);
    toolsets(&mut out, sections, count);
    default_tools(&mut out, build);
    out.push_str("\n## All tools by name\n\n| tool | | toolset | effect |\n|---|---|---|---|\n");
    for tool in &build.tools {
        let (title, toolset, effect) = (words::cell(&tool.title), &tool.toolset, tool.effect.word());
        out.push_str(&format!("| {} | {title} | {toolset} | {effect} |\n", link(tool)));
    }
    hidden(&mut out, build, document);
    out
}

const CONTENTS: &str = "\
- [How to choose](#how-to-choose)
- [Toolsets](#toolsets)
- [On by default](#on-by-default)
- [All tools by name](#all-tools-by-name)
- [Not exposed](#not-exposed)

Each toolset has a page of its own, where a tool's heading is its name. Of an answer, the fields are named that are shown
when no others are asked for: `milestone.title` is a field of a nested object, `user[login]` a field that stands for the
object. `fields` chooses others, as `title` and `user.email`, or `*` for all that the forge answers. Every tool takes
`max_bytes`, every list `skip` and every text `offset` and `as_of`, as `next` tells them; every tool that writes takes `dry_run`,
which shows the request and the scope that it needs and sends none; where one read tells, also what it would change.

";

const CHOOSING: &str = "\
## How to choose

A model pays for each tool in every conversation, so that only some are on when nothing is chosen. `forgehand serve`
takes, as flags or as variables (`FORGEHAND_TOOLSETS`, …):

| flag | what is shown |
|---|---|
| none | what is on by default |
| `--toolsets issues,labels` | these toolsets; `default` and `all` are toolsets too |
| `--tools create_issue` | alone: these tools; beside `--toolsets`: these too |
| `--exclude-tools delete_repo` | never these, whatever else is chosen |
| `--read-only` | of what is chosen, what changes nothing |

`forgehand tools` lists them with the same flags, `forgehand scopes` tells the least scopes of a token for them.

";

fn totals(out: &mut String, build: &Build, count: Count<'_>) {
    let d = &build.dispositions;
    let (merged, excluded, unavailable) = (d.merged.len(), d.excluded.len(), d.unavailable.len());
    let all = d.tool + merged + excluded + unavailable;
    let default: Vec<&Tool> = build.tools.iter().filter(|tool| tool.default).collect();
    let tokens = |tools: &[&Tool]| words::thousands(tools.iter().map(|tool| count(&listed(tool))).sum());
    let every: Vec<&Tool> = build.tools.iter().collect();
    out.push_str(&format!(
        "{} for Forgejo {}, {} tokens in a client's list (encoding o200k); {} of them, {} tokens, are on when nothing is \
         chosen. Of the forge's {all} operations {} have a tool of their own, {merged} more through another's; \
         {excluded} are excluded, {unavailable} are not possible.\n\n",
        words::number(build.tools.len(), "tool"),
        build.release,
        tokens(&every),
        default.len(),
        tokens(&default),
        d.tool,
    ));
}

fn toolsets(out: &mut String, sections: &[Section<'_>], count: Count<'_>) {
    out.push_str("## Toolsets\n\n| toolset | | tools | on by default | tokens |\n|---|---|---|---|---|\n");
    for section in sections {
        let (name, about) = (&section.toolset.name, words::cell(&section.toolset.about));
        let default = section.tools.iter().filter(|tool| tool.default).count();
        let (all, tokens) = (section.tools.len(), words::thousands(section.tokens(count)));
        out.push_str(&format!("| [`{name}`](tools/{name}.md) | {about} | {all} | {default} | {tokens} |\n"));
    }
}

fn default_tools(out: &mut String, build: &Build) {
    out.push_str("\n## On by default\n\n");
    for tool in build.tools.iter().filter(|tool| tool.default) {
        out.push_str(&format!("- {}: {}\n", link(tool), words::plain(&tool.title)));
    }
}

fn hidden(out: &mut String, build: &Build, document: &Document) {
    let call = |operation: &str| match document.operation(operation) {
        Some(at) => words::code(&format!("{} {}", at.method.to_uppercase(), at.path)),
        None => String::new(),
    };
    let d = &build.dispositions;
    out.push_str("\n## Not exposed\n");
    if !d.merged.is_empty() {
        out.push_str("\n### Reached through another tool\n\n| operation | call | tool |\n|---|---|---|\n");
        for (operation, into) in &d.merged {
            let into = match build.tools.iter().find(|tool| tool.name == *into) {
                Some(tool) => link(tool),
                None => words::code(into),
            };
            out.push_str(&format!("| {operation} | {} | {into} |\n", call(operation)));
        }
    }
    for (title, rows) in [("Excluded", &d.excluded), ("Not possible", &d.unavailable)] {
        if !rows.is_empty() {
            out.push_str(&format!("\n### {title}\n\n| operation | call | why |\n|---|---|---|\n"));
        }
        for (operation, why) in rows {
            out.push_str(&format!("| {operation} | {} | {} |\n", call(operation), words::cell(why)));
        }
    }
}

/// A tool's name, linked to its section.
fn link(tool: &Tool) -> String {
    format!("[`{0}`](tools/{1}.md#{0})", tool.name, tool.toolset)
}
