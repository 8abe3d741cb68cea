//! Finds a message's id in a line that is too long to keep or is no JSON, so that its sender need not wait for an answer
//! in vain.

use rmcp::model::RequestId;

/// How much of a member of the message is kept, in bytes; ids are shorter.
const KEPT: usize = 256;

/// Looks at a JSON object byte by byte and keeps the value of its own `id`, not that of an object within.
#[derive(Debug, Default)]
pub(crate) struct Skim {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The member's key, with its quotes.
    key: Vec<u8>,
    /// What was read of the member's key or value.
    token: Vec<u8>,
    id: Option<RequestId>,
    has_method: bool,
}

impl Skim {
    /// Looks at the next bytes of the line.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The id, if one was seen.
    pub(crate) fn into_id(self) -> Option<RequestId> {
        self.id
    }

    /// The id, if one was seen and a method too: answers have none.
    pub(crate) fn into_request_id(self) -> Option<RequestId> {
        self.id.filter(|_| self.has_method)
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.in_string = false;
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.end_member();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.key = std::mem::take(&mut self.token),
            b',' => self.end_member(),
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < KEPT {
            self.token.push(byte);
        }
    }

    fn end_member(&mut self) {
        if self.depth != 1 {
            return;
        }
        match self.key.trim_ascii() {
            b"\"id\"" => self.id = serde_json::from_slice(self.token.trim_ascii()).ok(),
            b"\"method\"" => self.has_method = true,
            _ => {}
        }
        self.key.clear();
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_messages_own_id_counts() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, Some(RequestId::Number(7))),
            (r#"{"params":{"id":1,"a":[{"id":2}]},"id" : "a\"b" }"#, Some(RequestId::String("a\"b".into()))),
            (r#"{"params":{"text":"\"id\":5,{"},"id":-3}"#, Some(RequestId::Number(-3))),
            (r#"{"params":"\\","id":4}"#, Some(RequestId::Number(4))),
            (r#"{"method":"x","params":{"id":1}}"#, None),
            (r#"{"id":null}"#, None),
            (r#"{"id":9"#, None),
            (r#"[{"id":9}]"#, None),
            ("]]}{{", None),
        ] {
            let mut skim = Skim::default();
            line.as_bytes().chunks(3).for_each(|chunk| skim.feed(chunk));
            assert_eq!(skim.into_id(), expected, "{line}");
        }
    }
}
