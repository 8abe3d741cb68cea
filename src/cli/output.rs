//! Standard output and standard error, where a reader that has gone away is no failure.

use std::io::{ErrorKind, IsTerminal, Write};

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

/// Writes a line to standard error as it is.
pub(crate) fn error_line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says on standard error why a command failed, and ends so.
pub(crate) fn fail(exit: Exit, text: &str) -> Exit {
    note(text);
    exit
}

/// Text that a terminal may be shown: control characters other than newline and tab become `?`, since a forge's text
/// could move the cursor or retitle the window.
pub(crate) fn harmless(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|character| match character {
            '\n' | '\t' => character,
            character if character.is_control() => '?',
            character => character,
        })
        .collect()
}
