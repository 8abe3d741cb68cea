//! How a file's bytes are read as text, and how that text is written back as the same bytes.
//!
//! A mark at the start decides for UTF-8 and UTF-16. What has none is UTF-8 where it is valid, and else ISO-8859-1 where no
//! character would be a control character: that is a guess, and never hides a byte, since each one is a character. All
//! else, and what holds a NUL, is no text to be edited; it is shown as one where its start is (`Detector::is_flawed`), by the
//! encoding of that start.
//!
//! The charset that the forge declares for a file decides nothing: Forgejo guesses it itself, from the first 1,024 bytes.

use std::borrow::Cow;

use super::arguments::LEAST_MAX_BYTES;

/// The mark at the start of a marked UTF-8 file.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// How a text's characters are bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-8 without a mark, ASCII included.
    Utf8,
    /// UTF-8 behind a byte-order mark.
    MarkedUtf8,
    /// UTF-16 behind a byte-order mark, the lower byte first.
    Utf16Le,
    /// UTF-16 behind a byte-order mark, the higher byte first.
    Utf16Be,
    /// ISO-8859-1, by guess.
    Latin1,
}

impl Encoding {
    /// Its name, as answers tell it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::MarkedUtf8 => "utf-8 with BOM",
            Self::Utf16Le => "utf-16le with BOM",
            Self::Utf16Be => "utf-16be with BOM",
            Self::Latin1 => "iso-8859-1",
        }
    }

    /// The encoding of a text that begins with a mark of UTF-16.
    pub(super) fn wide(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, ..] => Some(Self::Utf16Le),
            [0xfe, 0xff, ..] => Some(Self::Utf16Be),
            _ => None,
        }
    }

    /// A text in these bytes, the mark at its start included.
    ///
    /// # Errors
    /// The first character that the encoding has not.
    pub(super) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let units = |bytes: fn(u16) -> [u8; 2]| {
            std::iter::once('\u{feff}').chain(text.chars()).fold(Vec::new(), |mut out, character| {
                let mut room = [0; 2];
                out.extend(character.encode_utf16(&mut room).iter().flat_map(|unit| bytes(*unit)));
                out
            })
        };
        Ok(match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::MarkedUtf8 => [UTF8_MARK, text.as_bytes()].concat(),
            Self::Utf16Le => units(u16::to_le_bytes),
            Self::Utf16Be => units(u16::to_be_bytes),
            Self::Latin1 => {
                text.chars().map(|c| u8::try_from(u32::from(c)).map_err(|_| c)).collect::<Result<_, _>>()?
            }
        })
    }
}

/// A file's text without a mark, and its encoding; `None` where it is no text.
pub(super) fn decode(bytes: &[u8]) -> Option<(String, Encoding)> {
    let mut detector = Detector::default();
    detector.push(bytes);
    let encoding = detector.encoding()?;
    let text = match encoding {
        Encoding::Utf8 => std::str::from_utf8(bytes).ok()?.to_owned(),
        Encoding::MarkedUtf8 => std::str::from_utf8(unmarked(bytes)?).ok()?.to_owned(),
        Encoding::Latin1 => latin1(bytes),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let mut wide = Wide::new(encoding);
            let text = wide.push(bytes);
            wide.is_whole(false).then_some(text)?
        }
    };
    (!text.contains('\0')).then_some((text, encoding))
}

/// What follows the mark of UTF-8, where there is one.
pub(super) fn unmarked(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(UTF8_MARK)
}

/// Each byte as a character.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The least that a page of a text shows, in bytes of it: half of the least budget, in characters of two bytes.
const LEAST_SHOWN: u64 = LEAST_MAX_BYTES as u64 / 4;

/// The mark at the start of UTF-32, the lowest byte first. The other form begins with a NUL, as no text does.
const UTF32_MARK: &[u8] = b"\xff\xfe\0\0";

/// Finds the encoding of a text that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Detector {
    /// The first four bytes.
    start: Vec<u8>,
    /// Bytes so far.
    seen: u64,
    /// Where the first byte stands that is no UTF-8.
    fault: Option<u64>,
    /// Where the first byte stands that no encoding has.
    odd: Option<u64>,
    /// Whether one was a NUL.
    has_nul: bool,
    /// The start of a character whose other bytes are to come.
    half: Vec<u8>,
    state: State,
}

/// What all bytes so far can be.
#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// ASCII without control characters, so anything yet.
    #[default]
    Plain,
    /// UTF-8.
    Utf8,
    /// ISO-8859-1.
    Latin1,
    /// None that needs no mark.
    Odd,
}

impl Detector {
    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        let room = UTF32_MARK.len() - self.start.len();
        self.start.extend(piece.iter().take(room));
        self.has_nul |= piece.contains(&0);
        let at = self.seen;
        self.seen += piece.len() as u64;
        if self.state == State::Latin1 {
            self.check_latin1(piece, at);
        } else if self.state != State::Odd {
            let at = at - self.half.len() as u64;
            let half = std::mem::take(&mut self.half);
            let joined = if half.is_empty() { Cow::Borrowed(piece) } else { [&half, piece].concat().into() };
            self.check_utf8(&joined, at);
        }
    }

    /// What the text is in, as far as it was seen.
    pub(super) fn encoding(&self) -> Option<Encoding> {
        if let Some(wide) = Encoding::wide(&self.start) {
            return Some(wide);
        }
        match self.state {
            State::Plain if !self.half.is_empty() => is_latin1(&self.half).then_some(Encoding::Latin1),
            State::Plain | State::Utf8 if !self.half.is_empty() => None,
            State::Plain | State::Utf8 if self.start.starts_with(UTF8_MARK) => Some(Encoding::MarkedUtf8),
            State::Plain | State::Utf8 => Some(Encoding::Utf8),
            State::Latin1 => Some(Encoding::Latin1),
            State::Odd => None,
        }
    }

    /// What all of the text is read in, whatever bytes it has besides: what its first characters beyond ASCII are in. The
    /// start of a character decides nothing where the text may go on.
    pub(super) fn reading(&self, is_end: bool) -> Encoding {
        if !is_end && self.state == State::Plain && !self.half.is_empty() {
            return Encoding::Utf8;
        }
        let begun = (self.state == State::Odd && self.fault.is_some() && self.fault < self.odd)
            .then_some(Encoding::Latin1);
        self.encoding().or(begun).unwrap_or(Encoding::Utf8)
    }

    /// Whether it is UTF-8 and could not be read in ISO-8859-1 any more, whatever follows.
    pub(super) fn is_utf8(&self) -> bool {
        self.state == State::Utf8
    }

    /// Whether so much of its start is UTF-8 that it is a text with some other bytes in it: as much as the least budget
    /// shows, and no NUL.
    pub(super) fn is_flawed(&self) -> bool {
        let valid = self.fault.or(self.odd).unwrap_or(self.seen);
        valid >= LEAST_MAX_BYTES as u64 && !self.has_nul
    }

    /// Whether the first page of it can have been shown as text.
    pub(super) fn has_begun(&self) -> bool {
        self.encoding().is_some() || self.odd.unwrap_or(self.seen) >= LEAST_SHOWN
    }

    /// Whether it begins with a mark of UTF-32.
    pub(super) fn is_utf32(&self) -> bool {
        self.start == UTF32_MARK
    }

    fn check_utf8(&mut self, bytes: &[u8], at: u64) {
        let Err(error) = std::str::from_utf8(bytes) else { return self.note(bytes, at) };
        let (valid, rest) = bytes.split_at(error.valid_up_to());
        self.note(valid, at);
        let at = at + valid.len() as u64;
        if error.error_len().is_none() {
            self.half = rest.to_vec();
            return;
        }
        self.fault.get_or_insert(at);
        if self.state == State::Plain {
            self.state = State::Latin1;
            self.check_latin1(rest, at);
        } else {
            self.is_odd(at);
        }
    }

    /// Takes valid UTF-8.
    fn note(&mut self, valid: &[u8], at: u64) {
        if let Some(nul) = valid.iter().position(|byte| *byte == 0) {
            self.is_odd(at + nul as u64);
        } else if self.state == State::Plain && !(valid.is_ascii() && is_latin1(valid)) {
            self.state = State::Utf8;
        }
    }

    fn check_latin1(&mut self, bytes: &[u8], at: u64) {
        if let Some(odd) = bytes.iter().position(|byte| !in_latin1(*byte)) {
            self.is_odd(at + odd as u64);
        }
    }

    /// What stands in this place is in none that needs no mark.
    fn is_odd(&mut self, at: u64) {
        self.state = State::Odd;
        self.odd.get_or_insert(at);
    }
}

/// Whether no byte is a control character of ISO-8859-1 that no text has.
fn is_latin1(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| in_latin1(*byte))
}

/// Whether a byte is a character that a text in ISO-8859-1 has.
pub(super) fn in_latin1(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x20..=0x7e | 0xa0..)
}

/// Reads UTF-16 that comes in pieces.
#[derive(Debug)]
pub(super) struct Wide {
    unit: fn([u8; 2]) -> u16,
    /// The first byte of a unit whose second is to come.
    byte: Option<u8>,
    /// The first unit of a character whose second is to come.
    high: Option<u16>,
    is_first: bool,
    is_odd: bool,
}

impl Wide {
    /// Reads one of the two forms.
    pub(super) fn new(encoding: Encoding) -> Self {
        let unit = if encoding == Encoding::Utf16Be { u16::from_be_bytes } else { u16::from_le_bytes };
        Self { unit, byte: None, high: None, is_first: true, is_odd: false }
    }

    /// The characters that end in a piece, without the mark at the start.
    pub(super) fn push(&mut self, piece: &[u8]) -> String {
        let bytes: Vec<u8> = self.byte.take().into_iter().chain(piece.iter().copied()).collect();
        let (pairs, rest) = bytes.as_chunks::<2>();
        self.byte = rest.first().copied();
        let mut units: Vec<u16> = self.high.take().into_iter().collect();
        units.extend(pairs.iter().map(|pair| (self.unit)(*pair)));
        self.high = units.pop_if(|last| (0xd800..0xdc00).contains(last));
        let mut text = String::with_capacity(units.len());
        for character in char::decode_utf16(units) {
            match character {
                Ok('\u{feff}') if std::mem::take(&mut self.is_first) => {}
                Ok(character) => {
                    self.is_first = false;
                    self.is_odd |= character == '\0';
                    text.push(character);
                }
                Err(_) => self.is_odd = true,
            }
        }
        text
    }

    /// Whether all that came was UTF-16 without NUL, and no character is left half, unless it is a part.
    pub(super) fn is_whole(&self, is_part: bool) -> bool {
        !self.is_odd && (is_part || self.byte.is_none() && self.high.is_none())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn half_a_character_decides_only_where_the_text_ends() {
        let mut detector = Detector::default();
        detector.push(b"caf\xc3");
        assert_eq!((detector.reading(false), detector.reading(true)), (Encoding::Utf8, Encoding::Latin1));
    }

    #[test]
    fn bytes_are_read_in_the_encoding_that_they_are_in() {
        for (bytes, text, encoding) in [
            (b"".as_slice(), "", Encoding::Utf8),
            (b"caf\xc3\xa9\n", "caf\u{e9}\n", Encoding::Utf8),
            (b"a\x1b[1m\n", "a\u{1b}[1m\n", Encoding::Utf8),
            (b"\xef\xbb\xbfa\n", "a\n", Encoding::MarkedUtf8),
            (b"\xff\xfea\0\n\0", "a\n", Encoding::Utf16Le),
            (b"\xfe\xff\0a\xd8\x3d\xde\x00", "a\u{1f600}", Encoding::Utf16Be),
            (b"caf\xe9 cr\xe8me\n", "caf\u{e9} cr\u{e8}me\n", Encoding::Latin1),
            (b"caf\xe9", "caf\u{e9}", Encoding::Latin1),
        ] {
            assert_eq!(decode(bytes), Some((text.to_owned(), encoding)), "{bytes:?}");
            assert_eq!(encoding.encode(text).as_deref(), Ok(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_text_is_not_read_as_one() {
        for bytes in [
            b"a\0b".as_slice(),
            b"\x89PNG\r\n",
            b"\xff\xd8\xff\xe0\0\x10JFIF",
            b"caf\xe9\x01",
            b"\x01caf\xe9",
            b"\x93quoted\x94",
            b"\xc3\xa9 and \xe9",
            b"\xff\xfea",
            b"\xff\xfe\x3d\xd8a\0",
            b"\xff\xfe\0\0a\0\0\0",
        ] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn a_character_that_the_encoding_has_not_is_named() {
        assert_eq!(Encoding::Latin1.encode("a\u{e9}\u{2026}"), Err('\u{2026}'));
    }

    proptest! {
        #[test]
        fn a_text_is_written_as_it_was_read(text in "[^\0\u{feff}]*") {
            for encoding in [Encoding::Utf8, Encoding::MarkedUtf8, Encoding::Utf16Le, Encoding::Utf16Be] {
                let bytes = encoding.encode(&text).unwrap();
                prop_assert_eq!(decode(&bytes), Some((text.clone(), encoding)));
            }
        }

        #[test]
        fn any_bytes_that_are_read_are_written_the_same(bytes: Vec<u8>) {
            if let Some((text, encoding)) = decode(&bytes) {
                prop_assert_eq!(encoding.encode(&text), Ok(bytes));
            }
        }

        #[test]
        fn pieces_tell_the_same_as_the_whole(
            pieces in proptest::collection::vec(proptest::collection::vec(prop_oneof![Just(b'a'), Just(0xc3), Just(0xa9), Just(0xf0), Just(0x9f), any::<u8>()], 0..4), 0..6)
        ) {
            let mut detector = Detector::default();
            pieces.iter().for_each(|piece| detector.push(piece));
            let mut whole = Detector::default();
            whole.push(&pieces.concat());
            prop_assert_eq!(detector.encoding(), whole.encoding());
        }
    }
}
