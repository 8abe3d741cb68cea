//! The lines of a text that come nearest to lines that it has not, for errors that help.

/// The most lines that are shown.
const MOST: usize = 8;

/// The most characters that are shown of a line.
const WIDEST: usize = 160;

/// How much of a line must be the same, in hundredths, for it to be called near.
const ALIKE: usize = 40;

/// What to say of lines that are not in a text: the nearest that are, with their numbers.
pub(super) fn nearest<'a>(text: impl Iterator<Item = &'a str>, wanted: &str) -> String {
    let text: Vec<&str> = text.collect();
    let wanted: Vec<&str> = wanted.lines().collect();
    // The line that tells most.
    let Some((at, key)) = wanted.iter().enumerate().max_by_key(|(_, line)| line.trim().len()) else {
        return "the file has nothing like it".to_owned();
    };
    let best = text
        .iter()
        .enumerate()
        .map(|(number, line)| (likeness(line.trim(), key.trim()), number))
        .max_by_key(|(likeness, number)| (*likeness, std::cmp::Reverse(*number)));
    let Some((_, number)) = best.filter(|(likeness, _)| *likeness >= ALIKE) else {
        return "the file has nothing like it".to_owned();
    };
    let start = number.saturating_sub(at);
    let found: Vec<&str> = text.iter().skip(start).take(wanted.len()).copied().collect();
    let is_same = found.len() == wanted.len()
        && found
            .iter()
            .zip(&wanted)
            .all(|(found, wanted)| found.split_whitespace().eq(wanted.split_whitespace()));
    let differ = if is_same { ", which differ in white space" } else { "" };
    // What is shown has the line that tells most.
    let skipped = if at < MOST { 0 } else { at + 1 - MOST };
    let shown = found.iter().enumerate().skip(skipped).take(MOST);
    let shown: String = shown.map(|(nth, line)| format!("\n{}: {}", start + nth + 1, narrow(line))).collect();
    format!("the nearest lines{differ}:{shown}")
}

/// How much a line is like a wanted one, in hundredths: what is the same at the starts and ends of both, or the words of the
/// wanted one that the line has, since that may be a part of a line.
fn likeness(line: &str, wanted: &str) -> usize {
    let words = wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    let (count, shared) =
        words.fold((0, 0), |(count, shared), word| (count + 1, shared + usize::from(line.contains(word))));
    let by_words = if count > 1 { shared * 100 / count } else { 0 };
    by_ends(line, wanted).max(by_words)
}

fn by_ends(one: &str, other: &str) -> usize {
    let (longer, shorter) = (one.len().max(other.len()), one.len().min(other.len()));
    if shorter == 0 {
        return 0;
    }
    let same = |(one, other): &(u8, u8)| one == other;
    let start = one.bytes().zip(other.bytes()).take_while(same).count();
    let end = one.bytes().rev().zip(other.bytes().rev()).take_while(same).count();
    (start + end).min(shorter) * 100 / longer
}

fn narrow(line: &str) -> String {
    match line.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn main() {\n    let a = 1;\n    let b = 2;\n}\n\nfn other() {\n\tlet c = 3;\n}\n// a little widget is used here, among others\n";

    #[test]
    fn the_nearest_lines_are_told_with_their_numbers() {
        for (wanted, said) in [
            ("    let b = 3;", "the nearest lines:\n3:     let b = 2;"),
            (
                "  let a = 1;\n  let b = 2;\n",
                "the nearest lines, which differ in white space:\n2:     let a = 1;\n3:     let b = 2;",
            ),
            ("}\n\nfn othr() {", "the nearest lines:\n4: }\n5: \n6: fn other() {"),
            ("a littel widget used", "the nearest lines:\n9: // a little widget is used here, among others"),
            ("struct Nothing;", "the file has nothing like it"),
            ("\n", "the file has nothing like it"),
        ] {
            assert_eq!(nearest(TEXT.lines(), wanted), said, "{wanted:?}");
        }
        assert_eq!(nearest("".lines(), "a"), "the file has nothing like it");
    }

    #[test]
    fn no_more_is_told_than_helps() {
        let text: String = (0..100).map(|n| format!("{n} {}\n", "long ".repeat(100))).collect();
        let said = nearest(text.lines(), &text.replace("long \n", "lang\n"));
        assert_eq!(said.lines().count(), 1 + MOST);
        assert!(said.len() < 2000, "{said}");
    }
}
