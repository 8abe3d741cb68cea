//! An access token that cannot be printed by accident.

use std::fmt;

/// A Forgejo access token. `Debug` and `Display` never show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a token, white space around it trimmed; `None` where nothing is left. One that was copied out of a header
    /// (`token …`, `Bearer …`) is taken without that word.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = match text.split_once(' ') {
            Some((word, rest)) if ["token", "bearer"].iter().any(|w| word.eq_ignore_ascii_case(w)) => {
                rest.trim()
            }
            _ => text,
        };
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The token itself, for the one header that carries it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_copied_out_of_a_header_is_the_token_alone() {
        for given in ["abc", " abc\n", "token abc", "Bearer abc", "TOKEN  abc "] {
            assert_eq!(Token::new(given).as_ref().map(Token::reveal), Some("abc"), "{given:?}");
        }
        for nothing in ["", " \n"] {
            assert_eq!(Token::new(nothing), None, "{nothing:?}");
        }
        assert_eq!(format!("{:?}", Token::new("abc")), "Some(Token(…))");
    }
}
