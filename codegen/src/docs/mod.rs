//! The reference of all tools in Markdown: `docs/tools.md` and a page for each toolset below `docs/tools/`.
//!
//! Made from the same [`Build`] as the lock, so that it says what the build does; `cargo codegen docs` writes it.

mod index;
mod tool;
mod words;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::document::Document;
use crate::inventory::lock::{Count, listed};
use crate::inventory::tool::{Build, Tool, Toolset};

/// Where pages that no toolset has any more are looked for, below the workspace's directory.
const FOLDER: &str = "docs/tools";

/// The most lines of one file that differ and are named.
const NAMED: usize = 40;

/// What stands at the top of each page.
const MADE: &str =
    "<!-- Made by `cargo codegen docs` from inventory.toml and openapi/; not to be edited. -->\n\n";

/// All pages: path below the workspace's directory → text. The document tells method and path of what is not exposed.
pub fn pages(build: &Build, document: &Document, count: Count<'_>) -> BTreeMap<String, String> {
    let sections: Vec<Section<'_>> = build
        .toolsets
        .iter()
        .map(|toolset| Section {
            toolset,
            tools: build.tools.iter().filter(|tool| tool.toolset == toolset.name).collect(),
        })
        .filter(|section| !section.tools.is_empty())
        .collect();
    let page =
        |section: &Section<'_>| (format!("{FOLDER}/{}.md", section.toolset.name), section.page(build, count));
    let mut pages: BTreeMap<String, String> = sections.iter().map(page).collect();
    pages.insert("docs/tools.md".to_owned(), index::page(build, &sections, document, count));
    pages
}

/// A toolset with its tools.
struct Section<'a> {
    toolset: &'a Toolset,
    tools: Vec<&'a Tool>,
}

impl Section<'_> {
    fn page(&self, build: &Build, count: Count<'_>) -> String {
        let toolset = self.toolset;
        let mut out = format!("{MADE}# {}\n\n{}\n\n", toolset.title, words::plain(&toolset.about));
        let number = words::number(self.tools.len(), "tool");
        out.push_str(&format!(
            "`--toolsets {}` chooses {number}, {} tokens in a client's list. [All toolsets](../tools.md).\n\n",
            toolset.name,
            words::thousands(self.tokens(count))
        ));
        out.push_str("| tool | | effect |\n|---|---|---|\n");
        for tool in &self.tools {
            let (name, title, effect) = (&tool.name, words::cell(&tool.title), tool.effect.word());
            let default = if tool.default { ", on by default" } else { "" };
            out.push_str(&format!("| [`{name}`](#{name}) | {title} | {effect}{default} |\n"));
        }
        for tool in &self.tools {
            out.push('\n');
            out.push_str(&tool::block(build, tool, count));
        }
        out
    }

    fn tokens(&self, count: Count<'_>) -> usize {
        self.tools.iter().map(|tool| count(&listed(tool))).sum()
    }
}

/// The pages on disk are not in step.
#[derive(Debug, thiserror::Error)]
#[error("the tools' reference is stale:\n{}\nrun `cargo codegen docs`", lines.join("\n"))]
pub struct Stale {
    /// The lines that differ, by file: `- ` in the file, `+ ` in the page.
    pub lines: Vec<String>,
}

/// Compares the pages with the files.
///
/// # Errors
/// [`Stale`] with the lines that differ.
pub fn check(root: &Path, pages: &BTreeMap<String, String>) -> Result<(), Stale> {
    let lines = differences(root, pages);
    if lines.is_empty() { Ok(()) } else { Err(Stale { lines }) }
}

/// Writes the pages, and removes those of toolsets that are gone.
///
/// # Errors
/// A file that cannot be written or removed.
pub fn write(root: &Path, pages: &BTreeMap<String, String>) -> io::Result<()> {
    std::fs::create_dir_all(root.join(FOLDER))?;
    for old in old_pages(root, pages) {
        std::fs::remove_file(root.join(old))?;
    }
    for (path, text) in pages {
        std::fs::write(root.join(path), text)?;
    }
    Ok(())
}

/// The lines in which the files differ from the pages, by file: `- ` in the file, `+ ` in the page. Empty where they
/// are in step.
pub fn differences(root: &Path, pages: &BTreeMap<String, String>) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, page) in pages {
        match std::fs::read_to_string(root.join(path)) {
            Ok(file) if file == *page => {}
            Ok(file) => {
                lines.push(path.clone());
                lines.extend(changed(&file, page));
            }
            Err(_) => lines.push(format!("{path} is not there")),
        }
    }
    lines.extend(old_pages(root, pages).into_iter().map(|path| format!("{path} belongs to no toolset")));
    lines
}

/// The lines that only one of two texts has, at most [`NAMED`].
fn changed(file: &str, page: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (file.lines().collect(), page.lines().collect());
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("  - {line}"));
    let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("  + {line}"));
    let mut lines: Vec<String> = gone.chain(come).collect();
    if lines.is_empty() {
        lines.push("  the order or the number of its lines".to_owned());
    }
    if lines.len() > NAMED {
        let rest = lines.len() - NAMED;
        lines.truncate(NAMED);
        lines.push(format!("  {rest} more lines"));
    }
    lines
}

/// Pages on disk that are none of these.
fn old_pages(root: &Path, pages: &BTreeMap<String, String>) -> Vec<String> {
    let entries = std::fs::read_dir(root.join(FOLDER)).into_iter().flatten().flatten();
    let mut old: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("{FOLDER}/{name}"))
        .filter(|path| !pages.contains_key(path))
        .collect();
    old.sort();
    old
}
