//! Standard output and standard error, where a reader that has gone away is no failure.

use std::io::{ErrorKind, IsTerminal, Write};

use serde_json::Value;

use super::Exit;

/// Whether people read standard output.
pub(crate) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Writes a command's result, all of it.
pub(crate) fn write(bytes: &[u8]) -> Exit {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Exit::Done,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => fail(Exit::Fault, &format!("standard output cannot be written: {error}")),
    }
}

/// Writes a result as a line.
pub(crate) fn line(text: &str) -> Exit {
    write(format!("{text}\n").as_bytes())
}

/// Says something on standard error that is no failure.
pub(crate) fn note(text: &str) {
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "forgehand: {text}");
}

/// Writes JSON as a line to standard error, without what a terminal must not be shown.
pub(crate) fn error_line(json: &Value) {
    let _ = writeln!(std::io::stderr().lock(), "{}", harmless_json(&json.to_string()));
}

/// Says on standard error why a command failed, and ends so.
pub(crate) fn fail(exit: Exit, text: &str) -> Exit {
    note(text);
    exit
}

/// Whether a terminal must not be shown a character of a forge's text: control characters, which could move the cursor
/// or retitle the window, and those that cannot be seen or turn the direction of what follows, which could show another
/// text than the one that is there.
fn is_harmful(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        character => character.is_control(),
    }
}

/// Text that a terminal may be shown: what is harmful becomes `?`.
pub(crate) fn harmless(text: &str) -> String {
    let shown = |character| if is_harmful(character) { '?' } else { character };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

/// JSON that a terminal may be shown, of the same value: what is harmful can only stand in its texts, and is escaped.
pub(crate) fn harmless_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for character in json.chars() {
        if is_harmful(character) {
            shown.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_terminal_is_shown_no_character_that_could_deceive() {
        let harmful = [
            '\0', '\u{7}', '\u{1b}', '\r', '\u{7f}', '\u{80}', '\u{9b}', '\u{9f}', '\u{61c}', '\u{200b}',
            '\u{200f}', '\u{2028}', '\u{202a}', '\u{202e}', '\u{2060}', '\u{2066}', '\u{2069}', '\u{feff}',
        ];
        for character in harmful {
            let text = format!("a{character}b");
            assert_eq!(harmless(&text), "a?b", "{character:?}");
            for json in [json!({ &text: [&text] }).to_string(), format!("{:#}", json!({ &text: [&text] }))] {
                let shown = harmless_json(&json);
                assert!(!shown.contains(character), "{shown:?}");
                assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), json!({ &text: [&text] }));
            }
        }
        let plain = "a\n\tb é 漢 🙂 – …";
        assert_eq!((harmless(plain), harmless_json(plain)), (plain.to_owned(), plain.to_owned()));
        assert_eq!(harmless("a\r\nb"), "a\nb");
    }
}
