//! Edits and diffs against texts, without a forge.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn edited(raw: &str, edits: Value) -> Result<String, OperationError> {
    let target = Target::new(raw);
    let edits = replace::read(edits.as_array().unwrap())?;
    let changes = replace::in_order(&target, replace::changes(&target, &edits)?)?;
    Ok(target.written(&changes))
}

/// A diff that others have made.
fn diff(old: &str, new: &str) -> String {
    let mut options = diffy::DiffOptions::new();
    options.set_original_filename("a/a.txt").set_modified_filename("b/a.txt");
    options.create_patch(old, new).to_string()
}

fn patched(raw: &str, patch: &str) -> Result<String, OperationError> {
    let target = Target::new(raw);
    let hunks = patch::read(patch, "a.txt")?;
    let changes = replace::in_order(&target, patch::changes(&target, &hunks)?)?;
    Ok(target.written(&changes))
}

/// Texts of few lines and letters, so that many of them are alike.
fn lines() -> impl Strategy<Value = String> {
    "([ab\u{e9}]{0,2}\n){0,12}[ab]{0,1}"
}

proptest! {
    #[test]
    fn an_edit_is_a_plain_replacement(text in "[ab\n]{0,40}", old in "[ab\n]{1,4}", new in "[abc\n]{0,4}") {
        let count = text.matches(&old).count();
        match edited(&text, json!([{ "old": old, "new": new, "count": count.max(1) }])) {
            Ok(result) => prop_assert_eq!(result, text.replace(&old, &new)),
            Err(error) => {
                let overlaps = text.match_indices(&old[..1]).filter(|(at, _)| text[*at..].starts_with(&old)).count() != count;
                prop_assert!(count == 0 || overlaps, "{}", error);
            }
        }
    }

    #[test]
    fn line_ends_are_kept_whatever_the_edit_is_written_with(text in "[ab\n]{0,40}", old in "[ab\n]{1,4}", new in "[abc\n]{0,4}") {
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let edit = |text: &str, old: &str, new: &str| edited(text, json!([{ "old": old, "new": new }]));
        let expected = edit(&text, &old, &new);
        prop_assume!(text.contains('\n'));
        for (raw, expected) in [(crlf(&text), expected.as_ref().map(|text| crlf(text)).ok()), (text.clone(), expected.as_ref().cloned().ok())] {
            prop_assert_eq!(edit(&raw, &old, &new).ok(), expected.clone());
            prop_assert_eq!(edit(&raw, &crlf(&old), &crlf(&new)).ok(), expected);
        }
    }

    #[test]
    fn a_diff_applied_gives_what_it_was_made_of(old in lines(), new in lines()) {
        let made = diff(&old, &new);
        if old == new {
            prop_assert!(patched(&old, &made).is_err());
        } else {
            prop_assert_eq!(patched(&old, &made).unwrap(), new.clone());
            // Where no line has an end, none tells of CRLF.
            let crlf = |text: &str| text.replace('\n', if old.contains('\n') { "\r\n" } else { "\n" });
            prop_assert_eq!(patched(&crlf(&old), &made).unwrap(), crlf(&new));
            prop_assert_eq!(patched(&crlf(&old), &crlf(&made)).unwrap(), crlf(&new));
        }
    }

    #[test]
    fn the_diff_that_is_shown_gives_the_same_when_applied(
        text in "([ab]{0,2}\n){0,40}[ab]{0,1}", old in "[ab\n]{1,3}", new in "[abc\n]{0,4}", other in "[ab\n]{1,4}"
    ) {
        let target = Target::new(&text);
        let edits = [(&old, &new), (&other, &old)];
        let edits: Vec<Value> = edits
            .iter()
            .map(|(old, new)| json!({ "old": old, "new": new, "count": text.matches(old.as_str()).count().max(1) }))
            .collect();
        for edits in [&edits[..1], &edits[..]] {
            let edits = replace::read(edits).unwrap();
            let changes = replace::changes(&target, &edits).and_then(|all| replace::in_order(&target, all));
            let Ok(changes) = changes else { continue };
            let (shown, result) = (show::diff("a.txt", &target, &changes), target.written(&changes));
            if result != text {
                prop_assert_eq!(patched(&text, &shown).unwrap(), result, "{}", shown);
            }
        }
    }

    #[test]
    fn what_is_no_diff_is_an_error(patch in "[-+@ ,019ab\\\\\n]{0,60}", text in lines()) {
        let has_hunk = patch.lines().any(|line| line.starts_with("@@ -"));
        match patched(&text, &patch) {
            Ok(result) => prop_assert!(has_hunk, "{:?} of {:?}", result, patch),
            Err(error) => prop_assert_eq!(error.code, Code::InvalidArguments),
        }
    }
}

#[track_caller]
fn says(result: Result<String, OperationError>, said: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.code, Code::InvalidArguments);
    assert_eq!(error.message, said);
}

const CODE: &str = "fn a() {\n    one();\n}\n\nfn b() {\n    one();\n}\n";

#[test]
fn an_old_text_that_is_missing_or_not_as_often_as_expected_is_refused_with_places() {
    says(
        edited(CODE, json!([{ "old": "one();", "new": "two();" }])),
        "argument `edits[0].old`: expected 1 place in the file, got 2, at lines 2, 6",
    );
    says(
        edited(CODE, json!([{ "old": "fn b", "new": "fn c" }, { "old": "one();", "new": "", "count": 3 }])),
        "argument `edits[1].old`: expected 3 places in the file, got 2, at lines 2, 6",
    );
    says(
        edited(CODE, json!([{ "old": "fn b() {\n  one();\n", "new": "" }])),
        "argument `edits[0].old`: is not in the file; the nearest lines, which differ in white space:\n5: fn b() {\n6:     one();",
    );
    says(
        edited("aaa", json!([{ "old": "aa", "new": "b" }])),
        "argument `edits[0].old`: expected 1 place in the file, got 2, which overlap, at lines 1, 1",
    );
    says(
        edited(CODE, json!([{ "old": "", "new": "b" }])),
        "argument `edits[0].old`: expected a text that is in the file, got an empty one, which only an empty file has",
    );
    let error = edited("a\nlast", json!([{ "old": "last\n", "new": "" }])).unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("the file's last line has no line end: leave it out of old"));
}

#[test]
fn edits_see_the_file_as_it_was_and_do_not_overlap() {
    let swapped = edited("a b", json!([{ "old": "a", "new": "b" }, { "old": "b", "new": "a" }]));
    assert_eq!(swapped.unwrap(), "b a");
    assert_eq!(edited("ab", json!([{ "old": "b", "new": "2" }, { "old": "a", "new": "1" }])).unwrap(), "12");
    assert_eq!(edited("", json!([{ "old": "", "new": "all\n" }])).unwrap(), "all\n");
    assert_eq!(edited("a\na\n", json!([{ "old": "a\n", "new": "", "count": 2 }])).unwrap(), "");
    says(
        edited("x\nabc", json!([{ "old": "ab", "new": "" }, { "old": "bc", "new": "" }])),
        "edits[0] and edits[1] overlap at line 2 of the file",
    );
    assert!(edited("a", json!([])).is_err());
}

#[test]
fn a_hunk_is_found_where_it_says_else_in_the_only_other_place() {
    for (patch, result) in [
        (
            "@@ -2 +2 @@\n-    one();\n+    two();\n",
            Ok("fn a() {\n    two();\n}\n\nfn b() {\n    one();\n}\n"),
        ),
        ("@@ -6 +6 @@\n-    one();\n+    two();", Ok("fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n")),
        (
            "@@ -1,2 +1,2 @@\n fn b() {\n-    one();\n+    two();\n",
            Ok("fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n"),
        ),
        ("@@ -7,0 +8 @@\n+// end\n", Ok("fn a() {\n    one();\n}\n\nfn b() {\n    one();\n}\n// end\n")),
        (
            "@@ -3 +3 @@\n-    one();\n+    two();\n",
            Err(
                "argument `patch`: the lines of hunk 1 of the patch are not at line 3 but at several others: 2, 6",
            ),
        ),
        (
            "@@ -2 +2 @@\n-    ones();\n+    two();\n",
            Err(
                "argument `patch`: the lines of hunk 1 of the patch, at line 2, are not in the file; the nearest lines:\n2:     one();",
            ),
        ),
        (
            "@@ -9,0 +10 @@\n+// end\n",
            Err("argument `patch`: hunk 1 of the patch stands behind line 9, which the file has not"),
        ),
        (
            "@@ -2 +2 @@\n-    one();\n+    two();\n\\ No newline at end of file\n",
            Err("argument `patch`: hunk 1 of the patch ends the file, but the file goes on there"),
        ),
    ] {
        match (patched(CODE, patch), result) {
            (Ok(text), Ok(expected)) => assert_eq!(text, expected, "{patch}"),
            (result, Err(said)) => says(result, said),
            (Err(error), Ok(_)) => panic!("{patch}: {error}"),
        }
    }
}

#[test]
fn a_large_file_that_changes_everywhere_is_shown_at_once_and_by_its_name() {
    let text = "line foo\n".repeat(100_000);
    let target = Target::new(&text);
    let edits = replace::read(&[json!({ "old": "foo", "new": "bar", "count": 100_000 })]).unwrap();
    let changes = replace::in_order(&target, replace::changes(&target, &edits).unwrap()).unwrap();
    let path = "a \"b\"\\c.txt";
    let shown = show::diff(path, &target, &changes);
    assert!(shown.starts_with("--- \"a/a \\\"b\\\"\\\\c.txt\"\n"), "{}", &shown[..60]);
    let hunks = patch::read(&shown, path).unwrap();
    assert_eq!(target.written(&patch::changes(&target, &hunks).unwrap()), text.replace("foo", "bar"));
}

#[test]
fn a_number_in_the_line_behind_a_hunks_ranges_is_of_no_matter() {
    let patch = "@@ -1,1 +1,1 @@ long BIG = 17000000000000;\n-one\n+two\n";
    assert_eq!(patched("one\n", patch).unwrap(), "two\n");
    let patch = "@@ -17000000000000,1 +1,1 @@\n-one\n+two\n";
    assert!(patched("one\n", patch).unwrap_err().message.contains("no file has such lines"));
}

#[test]
fn a_patch_of_another_file_or_of_none_is_refused() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    for names in [
        "",
        "--- a/a.txt\n+++ b/a.txt\n",
        "--- a.txt\n+++ a.txt\n",
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n",
    ] {
        assert_eq!(patched("a\n", &format!("{names}{hunk}")).unwrap(), "b\n", "{names}");
    }
    for (names, said) in [
        ("--- a/b.txt\n+++ b/b.txt\n", "expected changes of \"a.txt\", got changes of \"a/b.txt\""),
        ("--- a/a.txt\n+++ b/b.txt\n", "expected changes of \"a.txt\", got changes of \"b/b.txt\""),
        ("--- /dev/null\n+++ b/a.txt\n", "expected changes of a file that is there, and stays"),
    ] {
        says(patched("a\n", &format!("{names}{hunk}")), &format!("argument `patch`: {said}"));
    }
    let git = "diff --git a/a.txt b/a.txt\n";
    for (head, does, hint) in [
        ("similarity index 90%\nrename from a.txt\nrename to b/a.txt\n", "moves it", "from_path"),
        ("copy from b.txt\ncopy to a.txt\n", "is a copy", "create_file"),
        ("old mode 100644\nnew mode 100755\n", "changes its mode", "clone"),
        ("index 1..2\nGIT binary patch\nliteral 1\n", "is of bytes", "content_base64"),
    ] {
        for hunk in ["", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n"] {
            for before in ["", "From 1\nSubject: rename to all\n\n"] {
                let error = patched("a\n", &format!("{before}{git}{head}{hunk}")).unwrap_err();
                assert!(
                    error.message.contains(does) && error.hint.unwrap().contains(hint),
                    "{}",
                    error.message
                );
            }
        }
    }
    let mail = format!("Subject: x\n\nrename from a\n---\n\n{git}--- a/a.txt\n+++ b/a.txt\n{hunk}");
    assert_eq!(patched("a\n", &mail).unwrap(), "b\n");
    let lines = "@@ -1 +1,2 @@\n-a\n+b\n+rename from a\n";
    assert_eq!(patched("a\n", lines).unwrap(), "b\nrename from a\n");
    for patch in
        ["", "a", "--- a/a.txt\n+++ b/a.txt\n", "@@ -1 +1 @@\n-a\n", "@@ -18446744073709551615,2 +1 @@\n-a\n"]
    {
        let error = patched("a\n", patch).unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments, "{patch}");
    }
    let two = format!("--- a/a.txt\n+++ b/a.txt\n{hunk}--- a/b.txt\n+++ b/b.txt\n{hunk}");
    assert!(patched("a\n", &two).is_err());
}
