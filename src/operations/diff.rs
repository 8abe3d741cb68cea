//! Answers that are unified diffs: all of one, some of its files, and where it is longer than the budget a list of its
//! files first.
//!
//! Git's form is read, no more of it than tells where a file's section and each hunk begins and ends, and which names a file
//! has. A hunk is as long as its head says, so that no line of a file is taken for one of the diff's own, and what stands
//! between the files of a mailed patch (its author, its message, its signature) belongs to none.

use serde_json::Value;

use super::answer::Context;
use super::body::{self, Body};
use super::encoding::Encoding;
use super::lines::Page;
use super::outcome::Outcome;
use super::{OperationError, note_beside, text};
use listing::Listing;
use reader::{Part, Reader};
use sections::{Chosen, Sections};

mod listing;
mod names;
mod reader;
mod sections;

impl Context<'_> {
    /// Whether the answer is a diff.
    pub(super) fn is_diff(&self) -> bool {
        self.operation.parameters.iter().any(|parameter| parameter.name == "paths")
    }

    /// A diff, or what was chosen of it. No more of it is kept than the budget, twice.
    pub(super) async fn diff(&self, mut body: Body) -> Result<Outcome, OperationError> {
        let engine = self.engine;
        let wanted = engine.paths.as_deref();
        let mut shown = Sections::new(wanted, engine.passed(), self.max);
        let mut files = Listing::new(engine.skip, self.max);
        let lists = wanted.is_none() && engine.offset.is_none();
        let mut take = |part: Part<'_>| {
            shown.take(part);
            if lists {
                files.take(part);
            }
            !lists && shown.has_enough()
        };
        let mut reader = Reader::default();
        let mut has_enough = false;
        while !has_enough && let Some(chunk) = body.chunk(self).await? {
            reader.push(&chunk, &mut |part| has_enough = take(part));
        }
        let is_late = body.is_late();
        // What did not come to its end tells no file's name.
        reader.end(&mut |part| {
            shown.take(part);
            if lists && !is_late {
                files.take(part);
            }
        });
        body.check_shows(shown.is_empty())?;
        if lists && engine.skip > 0 && files.count() == 0 && !is_late {
            self.check_same(&files.passed(), &body.reply)?;
        }
        if engine.passed() > 0 {
            self.check_same(&shown.skip().passed(), &body.reply)?;
        }
        let chosen = shown.finish(body.is_late()).map_err(|error| self.about(error, &body.reply))?;
        if files.count() > 0 && (engine.skip > 0 || chosen.bytes.len() > self.max) {
            return self.listed(files, &body);
        }
        let total = (lists && !body.is_late()).then(|| files.bytes());
        Ok(self.shown(chosen, total, &body))
    }

    /// The files of a diff; of one that did not come to its end, those that came.
    fn listed(&self, files: Listing, body: &Body) -> Result<Outcome, OperationError> {
        let passed = Some(files.passed()).filter(|_| !body.is_late());
        if let (Some(passed), true) = (&passed, self.engine.skip > 0) {
            self.check_same(passed, &body.reply)?;
        }
        let mut told = files.told(self.engine, passed, self.max);
        if let (Value::Object(told), true) = (&mut told, body.is_late()) {
            told.remove("total");
            told.remove("bytes");
            told.insert("truncated".to_owned(), true.into());
            note_beside(told, body::LATE.to_owned());
        }
        Ok(Outcome::Json(told))
    }

    /// The text of what was chosen, up to the budget: cut where a hunk begins, or else at a line. The files of a diff may be
    /// in several encodings, so that what is no UTF-8 in it is read by the byte.
    fn shown(&self, chosen: Chosen, total: Option<u64>, body: &Body) -> Outcome {
        let Chosen { mut bytes, border, mut begins, skip } = chosen;
        let is_long = bytes.len() > self.max;
        let goes_on = is_long || body.is_late();
        if let Some(border) = border.filter(|_| is_long) {
            bytes.truncate(border);
        }
        let page = Page::of(&bytes, Encoding::Utf8, self.max, goes_on);
        if goes_on || page.passed < bytes.len() {
            let shown = bytes.get(..page.passed).unwrap_or_default();
            begins.extend(self.cut(&page, total, skip.passed_with(shown), body));
        }
        let more = text::told(None, None, text::noted(&page, begins), &body.reply);
        let is_told = more.as_object().is_some_and(|more| !more.is_empty());
        Outcome::Text { text: page.text, more: is_told.then_some(more) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = include_str!("diff/sample.diff");

    fn sections(diff: &[u8], paths: &[&str], piece: usize) -> Result<Vec<u8>, OperationError> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let mut sections = Sections::new(Some(&paths), 0, usize::MAX);
        let mut reader = Reader::default();
        diff.chunks(piece).for_each(|piece| reader.push(piece, &mut |part| sections.take(part)));
        reader.end(&mut |part| sections.take(part));
        sections.finish(false).map(|chosen| chosen.bytes)
    }

    /// The sections of the sample by the line that begins each; no line of a file in it begins so.
    fn parts() -> Vec<&'static str> {
        let starts: Vec<usize> = DIFF.match_indices("diff --git ").map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([DIFF.len()]);
        starts.iter().zip(ends).map(|(start, end)| &DIFF[*start..end]).collect()
    }

    #[test]
    fn each_file_of_a_diff_is_its_section_whatever_its_name_and_however_the_pieces_fall() {
        let parts = parts();
        let names: [&[&str]; 9] = [
            &["src/main.rs"],
            &["old name.txt", "new name.txt"],
            &["na\u{ef}ve \"q\".txt"],
            &["tab\there.txt"],
            &["bin/run me.sh"],
            &["logo.png"],
            &["gone.txt"],
            &["empty.txt"],
            &["blob.bin"],
        ];
        assert_eq!(parts.len(), names.len());
        for (part, names) in parts.iter().zip(names) {
            for name in names {
                for piece in [1, 2, 3, 7, 64, 10_000] {
                    let shown =
                        String::from_utf8(sections(DIFF.as_bytes(), &[name], piece).unwrap()).unwrap();
                    assert_eq!(shown, *part, "{name} by {piece}");
                }
            }
        }
        let two = sections(DIFF.as_bytes(), &["gone.txt", "src/main.rs"], 5).unwrap();
        assert_eq!(String::from_utf8(two).unwrap(), format!("{}{}", parts[0], parts[6]));
    }

    #[test]
    fn what_a_mailed_patch_has_around_its_files_belongs_to_none() {
        let file = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@ f\n-- a\n+++ b\n\\ No newline\n";
        let other = "diff --git a/y b/y\nold mode 100644\nnew mode 100755\n";
        let patch = format!(
            "From 1\nSubject: diff --git\n---\n x | 2 +-\n\n{file}{other}-- \n2.43.0\n\nFrom 2\n\n{file}-- \n"
        );
        for piece in [1, 4, 1000] {
            let shown = sections(patch.as_bytes(), &["x"], piece).unwrap();
            assert_eq!(String::from_utf8(shown).unwrap(), format!("{file}{file}"));
            let shown = sections(patch.as_bytes(), &["y"], piece).unwrap();
            assert_eq!(String::from_utf8(shown).unwrap(), other);
        }
    }

    #[test]
    fn a_line_of_a_file_is_never_taken_for_one_of_the_diff() {
        let file = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n \n--- a/y\n+++ b/y\n+diff --git a/y b/y\n";
        let rest = "diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -0,0 +1 @@\n+z\n";
        let diff = format!("{file}{rest}");
        assert_eq!(sections(diff.as_bytes(), &["x"], 3).unwrap(), file.as_bytes());
        assert_eq!(
            sections(diff.as_bytes(), &["y"], 3).unwrap_err().hint.unwrap(),
            "the diff's files are x, z"
        );
    }

    #[test]
    fn no_more_is_kept_than_the_budget_and_a_piece() {
        let mut diff = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+".to_vec();
        diff.resize(1_000_000, b'a');
        let paths = ["x".to_owned()];
        let mut sections = Sections::new(Some(&paths), 0, 1000);
        let mut reader = Reader::default();
        for piece in diff.chunks(100) {
            reader.push(piece, &mut |part| sections.take(part));
            assert!(sections.held() <= 1200 && reader.held() <= 1200);
        }
        assert!(sections.has_enough());
    }
}
