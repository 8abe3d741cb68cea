//! Every link in the project's Markdown leads somewhere: files exist, and anchors are headings.
#![allow(clippy::unwrap_used, reason = "a test that cannot read the repository fails")]

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

struct Page {
    links: Vec<String>,
    anchors: HashSet<String>,
}

/// The calls of the recorded forge that the pages show, without their comments.
fn shown_calls(root: &Path) -> Vec<String> {
    let pages =
        ["README.md", "CONTRIBUTING.md", "docs/inventory.md", "docs/resources.md", "docs/references.md"];
    let texts = pages.iter().filter_map(|page| std::fs::read_to_string(root.join(page)).ok());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let commands = lines.filter_map(|line| {
        let command = line.split(" #").next().unwrap_or_default().trim().to_owned();
        (command.starts_with("forgehand ") && command.ends_with(" --demo")).then_some(command)
    });
    commands.collect()
}

#[cfg(unix)]
#[test]
fn what_the_pages_call_of_the_recorded_forge_is_answered() {
    let program = Path::new(env!("CARGO_BIN_EXE_forgehand"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let calls = shown_calls(Path::new(env!("CARGO_MANIFEST_DIR")));
    assert!(calls.len() >= 3, "{calls:?}");
    // The tool that docs/inventory.md makes is this call.
    let made = "forgehand call list_repo_issues repo=acme/widget type=issues state=closed --demo".to_owned();
    for call in calls.iter().chain([&made]) {
        let output = std::process::Command::new("sh").args(["-c", call]).env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !output.stdout.is_empty(), "{call}: {said}");
    }
}

#[test]
fn every_markdown_link_and_anchor_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = HashMap::new();
    collect(root, &mut pages);
    assert!(pages.len() >= 5, "only {} Markdown files were found", pages.len());
    let mut broken = Vec::new();
    for (file, page) in &pages {
        for link in &page.links {
            if let Some(why) = fault(file, link, &pages) {
                broken.push(format!("{}: {link}: {why}", file.strip_prefix(root).unwrap().display()));
            }
        }
    }
    broken.sort();
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn headings_become_anchors_as_forges_make_them() {
    let page = read_page("# The house\n\n## `serve`, and why (again)\n\n## The house\n");
    let mut anchors: Vec<_> = page.anchors.into_iter().collect();
    anchors.sort();
    assert_eq!(anchors, ["serve-and-why-again", "the-house", "the-house-1"]);
}

fn fault(file: &Path, link: &str, pages: &HashMap<PathBuf, Page>) -> Option<&'static str> {
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { file.to_path_buf() } else { tidy(&file.parent().unwrap().join(path)) };
    if !target.exists() {
        return Some("no such file");
    }
    if anchor.is_empty() {
        return None;
    }
    match pages.get(&target) {
        Some(page) if page.anchors.contains(anchor) => None,
        _ => Some("no such heading"),
    }
}

fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

fn collect(folder: &Path, pages: &mut HashMap<PathBuf, Page>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.') || name == "target";
        if path.is_dir() && !hidden {
            collect(&path, pages);
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(&path).unwrap();
            pages.insert(path, read_page(&text));
        }
    }
}

fn read_page(text: &str) -> Page {
    let mut page = Page { links: Vec::new(), anchors: HashSet::new() };
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let count = seen.entry(slug.clone()).or_default();
                page.anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
                *count += 1;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            _ => {}
        }
    }
    page
}

fn slug(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[test]
fn the_readme_tells_the_figures_of_the_lock() {
    let (readme, lock) = (include_str!("../README.md"), include_str!("../inventory.lock"));
    let line = |start: &str| lock.lines().find_map(|line| line.trim_start().strip_prefix(start)).unwrap();
    let numbers = |text: &str| -> Vec<usize> {
        text.split([' ', ',', ':']).filter_map(|word| word.parse().ok()).collect()
    };
    let grouped = |number: usize| match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    };
    let (tools, tokens, operations) =
        (numbers(line("tools ")), numbers(line("tokens ")), numbers(line("operations ")));
    let schemas = numbers(line("tokens of output schemas"));
    let reached = operations[1] + operations[2];
    for told in [
        format!("{} operations {reached} are reached by {} tools", operations[0], tools[0]),
        format!("The {} tools that are on by default cost {} tokens", tools[1], grouped(tokens[0])),
        format!("all {} of them {} (o200k", tools[0], grouped(tokens[1])),
        format!("{} tokens besides for the default tools", grouped(schemas[0])),
    ] {
        let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(readme.contains(&told), "README.md does not say: {told}");
    }
}
