//! Asks whoever sits at the terminal to confirm a call.

use std::io::{BufRead, IsTerminal, Write};

use serde_json::{Map, Value};

use crate::forge::Forge;
use crate::operations::{Limits, Operation, OperationError, Question, confirmation};

/// The limits to run a call with: where it is to be confirmed, whoever sits at the terminal was asked and said yes.
/// Without a terminal nobody is asked, and running the call says what it wants.
///
/// # Errors
/// Arguments that are wrong, and a no. Nothing was sent.
pub(crate) fn settled(
    forge: &Forge,
    operation: &'static Operation,
    arguments: &Map<String, Value>,
    limits: Limits,
) -> Result<Limits, OperationError> {
    let question = confirmation::question(forge, operation, arguments, limits.confirm)?;
    let is_interactive = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    match question.filter(|_| is_interactive) {
        None => Ok(limits),
        Some(question) if says_yes(&question, std::io::stdin().lock(), std::io::stderr().lock()) => {
            Ok(limits.confirmed())
        }
        Some(question) => Err(question.refused("not confirmed", "answer y to run it")),
    }
}

/// Asks. Anything but a yes is a no: another word, the end of the input, a terminal that cannot be written to.
fn says_yes(question: &Question, mut answers: impl BufRead, mut terminal: impl Write) -> bool {
    let asked = write!(terminal, "{} [y/N] ", question.text()).and_then(|()| terminal.flush());
    let mut answer = String::new();
    let is_answered = asked.is_ok() && answers.read_line(&mut answer).is_ok();
    is_answered && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use forgehand_client::BaseUrl;
    use serde_json::json;

    use super::*;
    use crate::operations::Confirm;
    use crate::operations::table::OPERATIONS;

    #[test]
    fn nothing_but_a_yes_is_a_yes() {
        let forge = Forge::new(BaseUrl::parse("http://127.0.0.1:9").unwrap(), None);
        let operation = OPERATIONS.iter().find(|operation| operation.name == "delete_repo").unwrap();
        let arguments = json!({ "owner": "acme", "repo": "widget" });
        let question =
            confirmation::question(&forge, operation, arguments.as_object().unwrap(), Confirm::Ask).unwrap();
        let question = question.unwrap();
        for (typed, expected) in [
            ("y\n", true),
            ("YES\r\n", true),
            (" y \n", true),
            ("y", true),
            ("\n", false),
            ("", false),
            ("n\n", false),
            ("no\ny\n", false),
            ("yes please\n", false),
            ("true\n", false),
        ] {
            let mut shown = Vec::new();
            assert_eq!(says_yes(&question, typed.as_bytes(), &mut shown), expected, "{typed:?}");
            assert_eq!(String::from_utf8(shown).unwrap(), format!("{} [y/N] ", question.text()));
        }
        assert!(!says_yes(&question, &b"\xff\xfe\n"[..], Vec::new()));
    }
}
