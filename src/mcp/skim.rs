//! Looks at a line that is not read (it is too long, or no JSON) as far as it tells what its sender is due, so that
//! nobody waits for an answer in vain.

use rmcp::model::RequestId;

/// How much of a member of the message is kept, in bytes; ids are shorter.
const KEPT: usize = 256;

/// What the sender of a message that is not read is due.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// It is a request: an error under its id.
    Request(RequestId),
    /// It answers a request of ours, of that id: no answer, and nobody else's request may be answered in its place.
    Response(RequestId),
    /// A notification, or an answer to nothing.
    Nothing,
    /// It is neither, as a batch, or a request whose id cannot be read.
    Unclear,
}

/// Looks at a JSON object byte by byte and keeps the value of its own `id`, not that of an object within, and whether
/// it is a request or an answer.
#[derive(Debug, Default)]
pub(crate) struct Skim {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The member's key, with its quotes.
    key: Vec<u8>,
    /// What was read of the member's key or value.
    token: Vec<u8>,
    /// The id, where there is one, and where it is one that a request may have.
    id: Option<Option<RequestId>>,
    has_method: bool,
    /// Whether there is a `result` or an `error`.
    is_answer: bool,
}

impl Skim {
    /// Looks at a whole line.
    pub(crate) fn of(line: &[u8]) -> Self {
        let mut skim = Self::default();
        skim.feed(line);
        skim
    }

    /// Looks at the next bytes of the line.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// What is due, by what was seen.
    pub(crate) fn due(self) -> Due {
        match (self.is_answer, self.has_method, self.id) {
            (true, _, Some(Some(id))) => Due::Response(id),
            (false, true, Some(Some(id))) => Due::Request(id),
            (true, ..) | (false, true, None) => Due::Nothing,
            _ => Due::Unclear,
        }
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
            b':' if self.depth == 1 => self.end_key(),
            b',' => self.end_member(),
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < KEPT {
            self.token.push(byte);
        }
    }

    /// The line may end, or turn into no JSON, within what follows: the keys count from here on.
    fn end_key(&mut self) {
        self.key = std::mem::take(&mut self.token);
        match self.key.trim_ascii() {
            b"\"method\"" => self.has_method = true,
            b"\"result\"" | b"\"error\"" => self.is_answer = true,
            _ => {}
        }
    }

    fn end_member(&mut self) {
        if self.depth != 1 {
            return;
        }
        if self.key.trim_ascii() == b"\"id\"" {
            self.id = Some(serde_json::from_slice(self.token.trim_ascii()).ok());
        }
        self.key.clear();
        self.token.clear();
    }
}

/// How many values a line holds, or some more: what begins or separates them is counted, outside of texts.
pub(crate) fn values(line: &[u8]) -> usize {
    let (mut count, mut in_string, mut escaped) = (1, false, false);
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b',' | b':' | b'[' | b'{' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_messages_own_members_count() {
        let request = |id: i64| Due::Request(RequestId::Number(id));
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, request(7)),
            (
                r#"{"params":{"id":1,"a":[{"id":2,"result":3}]},"method":"x","id" : "a\"b" }"#,
                Due::Request(RequestId::String("a\"b".into())),
            ),
            (r#"{"method":"x","params":{"text":"\"id\":5,{"},"id":-3}"#, request(-3)),
            (r#"{"params":"\\","id":4,"method":"x"}"#, request(4)),
            (r#"{"id":4,"method":"x","params":{"#, request(4)),
            (r#"{"jsonrpc":"2.0","id":7,"result":{"method":"x"}}"#, Due::Response(RequestId::Number(7))),
            (r#"{"error":{},"id":"7"}"#, Due::Response(RequestId::String("7".into()))),
            (r#"{"id":7,"result":"cut"#, Due::Response(RequestId::Number(7))),
            (r#"{"method":"x","id":7,"result":{}}"#, Due::Response(RequestId::Number(7))),
            (r#"{"method":"x","params":{"id":1}}"#, Due::Nothing),
            (r#"{"id":null,"error":{}}"#, Due::Nothing),
            (r#"{"result":{}}"#, Due::Nothing),
            (r#"{"id":null,"method":"x"}"#, Due::Unclear),
            (r#"{"id":1.5,"method":"x"}"#, Due::Unclear),
            (r#"{"id":7}"#, Due::Unclear),
            (r#"{"id":9"#, Due::Unclear),
            (r#"[{"id":9,"method":"x"}]"#, Due::Unclear),
            ("]]}{{", Due::Unclear),
        ] {
            let mut skim = Skim::default();
            line.as_bytes().chunks(3).for_each(|chunk| skim.feed(chunk));
            assert_eq!(skim.due(), expected, "{line}");
        }
    }

    #[test]
    fn values_are_counted_outside_of_texts_and_never_too_few() {
        for (line, expected) in [
            ("7", 1),
            (r#""a,b:[{""#, 1),
            (r#""\",[\\""#, 1),
            ("[]", 2),
            ("[0,0,0]", 4),
            (r#"{"a":1,"b":[{},""]}"#, 8),
        ] {
            assert_eq!(values(line.as_bytes()), expected, "{line}");
        }
    }
}
