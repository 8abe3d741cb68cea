//! The report as Markdown: what needs a correction, place by place; then one line for each kind that has a rule.

use std::fmt::Write as _;

use super::difference::{Kind, Report};

impl Report {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!(
            "# Recordings against the document of Forgejo {}\n\n{} exchanges, {} of them not compared. ",
            self.release, self.exchanges, self.passed_over
        );
        let open = self.open().count();
        out.push_str(match open {
            0 => "Nothing needs a correction.\n",
            1 => "One place needs a correction.\n",
            _ => "",
        });
        if open > 1 {
            let _ = writeln!(out, "{open} places need a correction.");
        }
        let counts = self.counts();
        for (kind, (places, seen)) in counts.iter().filter(|(kind, _)| kind.rule().is_none()) {
            let _ = writeln!(out, "\n## {} ({places}, seen {seen}×)\n", words(*kind));
            for found in self.differences.iter().filter(|found| found.kind == *kind) {
                let path = if found.path.is_empty() { "the answer" } else { &found.path };
                let _ = writeln!(
                    out,
                    "- `{}` `{path}` ({}): {}; {}×, as in `{}`",
                    found.operation, found.place, found.what, found.count, found.scenario
                );
                if let Some(row) = &found.row {
                    let _ = writeln!(out, "\n```toml\n{row}```\n");
                }
            }
        }
        let mut ruled =
            counts.iter().filter_map(|(kind, counts)| Some((kind, counts, kind.rule()?))).peekable();
        if ruled.peek().is_some() {
            out.push_str("\n## Taken by a rule\n\n");
        }
        for (kind, (places, seen), rule) in ruled {
            let _ = writeln!(out, "- {}: {seen}× at {places} places; {rule}", words(*kind));
        }
        out
    }
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Type => "Another type",
        Kind::NullElement => "Null in a list",
        Kind::UndeclaredField => "Fields that are not documented",
        Kind::UndeclaredSuccess => "Successes that are not documented",
        Kind::Method => "Another method",
        Kind::UnknownOperation => "Operations that are not documented",
        Kind::ContentType => "Another media type",
        Kind::EmptyBody => "No body where one is documented",
        Kind::UndeclaredBody => "A body where none is documented",
        Kind::OtherSuccess => "Successes of another status",
        Kind::OtherJson => "JSON under another media type",
        Kind::Null => "Null",
        Kind::MissingRequired => "Required fields that are not there",
        Kind::EnumWord => "Words that the enum lacks",
        Kind::Format => "Dates that are none",
        Kind::ZeroDate => "Dates that stand for none",
        Kind::UndeclaredErrorStatus => "Error statuses that are not documented",
        Kind::ErrorShape => "Errors of another form",
    }
}
