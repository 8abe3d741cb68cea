//! A report as Markdown: a summary line, then the changes under a heading for each kind.

use std::fmt::Write as _;

use super::change::{Change, Kind, Report};

/// How many operations or tools are named before the rest is counted.
const NAMED: usize = 6;

impl Report {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let what = if self.compared == "documents" { "Forgejo " } else { "" };
        let mut out = format!("# {what}{} → {what}{}\n\n{}\n", self.old, self.new, self.summary());
        if let Some(note) = &self.note {
            let _ = writeln!(out, "\n{note}");
        }
        for (kind, heading) in Kind::HEADINGS {
            let changes: Vec<&Change> = self.of(kind).collect();
            if changes.is_empty() {
                continue;
            }
            let _ = writeln!(out, "\n## {heading} ({})\n", changes.len());
            for change in changes {
                let _ = writeln!(out, "- {}", line(change));
            }
        }
        out
    }

    /// How many changes of which kind there are, in one line.
    pub fn summary(&self) -> String {
        if self.changes.is_empty() {
            return "No changes.".to_owned();
        }
        let kinds = Kind::HEADINGS.into_iter().filter_map(|(kind, heading)| {
            let count = self.of(kind).count();
            (count > 0).then(|| format!("{} {count}", heading.to_lowercase()))
        });
        let kinds: Vec<String> = kinds.collect();
        let breaking = match self.changes.iter().filter(|change| change.breaking).count() {
            0 => "none breaking".to_owned(),
            count => format!("**{count} breaking**"),
        };
        let changes = if self.changes.len() == 1 { "change" } else { "changes" };
        format!("{} {changes}, {breaking}: {}.", self.changes.len(), kinds.join(", "))
    }
}

fn line(change: &Change) -> String {
    let mut line = if change.breaking { "**breaking** ".to_owned() } else { String::new() };
    let renamed = matches!(change.kind, Kind::OperationRenamed | Kind::ToolRenamed);
    match (&change.was, renamed) {
        (Some(was), true) => {
            let _ = write!(line, "`{was}` → `{}`", change.subject);
        }
        _ => {
            let _ = write!(line, "`{}`", change.subject);
        }
    }
    if let Some(part) = &change.part {
        let _ = write!(line, " `{part}`");
    }
    if let Some(call) = &change.call {
        let _ = write!(line, " {call}");
    }
    if !renamed {
        line.push_str(&difference(change));
    }
    let fields = matches!(change.kind, Kind::FieldAdded | Kind::FieldRemoved | Kind::FieldChanged);
    if fields && !change.operations.is_empty() {
        let _ = write!(line, "; answered by {}", names(&change.operations));
    }
    if !change.tools.is_empty() {
        let _ = write!(line, "; touches {}", names(&change.tools));
    }
    line
}

fn difference(change: &Change) -> String {
    let aspect = change.aspect.as_deref();
    let title = aspect.map_or_else(String::new, |aspect| format!(", {aspect}"));
    match (&change.was, &change.is) {
        (Some(was), None) if aspect == Some("values") => format!(", no longer takes {was}"),
        (None, Some(is)) if aspect == Some("values") => format!(", also takes {is}"),
        (Some(was), Some(is)) => format!("{title}: {was} → {is}"),
        (None, Some(text)) | (Some(text), None) => format!("{title}: {text}"),
        (None, None) => title,
    }
}

fn names(all: &[String]) -> String {
    let named: Vec<String> = all.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let rest = all.len().saturating_sub(NAMED);
    if rest == 0 { named.join(", ") } else { format!("{} and {rest} more", named.join(", ")) }
}
