//! What a part of a form holds: bytes in memory, or a file that is read while it is sent.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, ReadBuf};

/// How much of a file is read at a time, in bytes: 128 KiB.
const PIECE: usize = 128 * 1024;

/// How much of a file's start is looked at to tell text from other bytes.
const START: u64 = 8 * 1024;

/// What a part of a form holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// Bytes in memory.
    Bytes(Bytes),
    /// A file, read while it is sent.
    File(FileContent),
}

/// An open file with the length that it had when it was opened; more is never sent, and less is an error.
#[derive(Debug, Clone)]
pub struct FileContent {
    file: Arc<File>,
    length: u64,
    is_text: bool,
}

impl FileContent {
    /// Takes a file that is open for reading. Its length and its start are read.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(mut file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut start = Vec::new();
        file.by_ref().take(START).read_to_end(&mut start)?;
        Ok(Self { file: Arc::new(file), length, is_text: is_text(&start) })
    }

    /// The length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The same file, to be read from its start. One reader at a time: they share their position.
    fn reader(&self) -> io::Result<tokio::fs::File> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        let mut file = tokio::fs::File::from_std(file);
        file.set_max_buf_size(PIECE);
        Ok(file)
    }
}

impl Content {
    /// The length in bytes.
    pub fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(file) => file.length,
        }
    }

    /// The media type that the bytes themselves tell, of a file its start.
    pub(crate) fn told(&self) -> &'static str {
        let is_text = match self {
            Self::Bytes(bytes) => !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok(),
            Self::File(file) => file.is_text,
        };
        if is_text { "text/plain" } else { "application/octet-stream" }
    }
}

impl From<Bytes> for Content {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

/// Whether the start of a file is text; its last character may be cut.
fn is_text(start: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && start.len() as u64 == START,
    };
    is_utf8 && !start.contains(&0)
}

/// Contents one after the other; where all are in memory, one piece of bytes.
pub(crate) fn joined(contents: Vec<Content>) -> io::Result<reqwest::Body> {
    let mut pieces = VecDeque::with_capacity(contents.len());
    let mut memory = BytesMut::new();
    let mut left = 0;
    for content in contents {
        left += content.length();
        match content {
            Content::Bytes(bytes) => memory.extend_from_slice(&bytes),
            Content::File(file) => {
                pieces.push_back(Piece::Bytes(memory.split().freeze()));
                pieces.push_back(Piece::File(file.reader()?, file.length));
            }
        }
    }
    if pieces.is_empty() {
        return Ok(memory.freeze().into());
    }
    pieces.push_back(Piece::Bytes(memory.freeze()));
    Ok(reqwest::Body::wrap(Joined { pieces, left, buffer: BytesMut::new() }))
}

/// A body of known length.
struct Joined {
    pieces: VecDeque<Piece>,
    left: u64,
    buffer: BytesMut,
}

enum Piece {
    Bytes(Bytes),
    /// A file, and how many bytes of it are to come.
    File(tokio::fs::File, u64),
}

impl Body for Joined {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let this = &mut *self;
        let bytes = loop {
            match this.pieces.front_mut() {
                None => return Poll::Ready(None),
                Some(Piece::Bytes(bytes)) => {
                    let bytes = std::mem::take(bytes);
                    this.pieces.pop_front();
                    if !bytes.is_empty() {
                        break bytes;
                    }
                }
                Some(Piece::File(_, 0)) => _ = this.pieces.pop_front(),
                Some(Piece::File(file, left)) => {
                    let bytes = ready!(read(file, *left, &mut this.buffer, context))?;
                    *left -= bytes.len() as u64;
                    break bytes;
                }
            }
        };
        this.left = this.left.saturating_sub(bytes.len() as u64);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// The next bytes of a file, at most `left`; its end before that is an error.
fn read(
    file: &mut tokio::fs::File,
    left: u64,
    buffer: &mut BytesMut,
    context: &mut Context<'_>,
) -> Poll<io::Result<Bytes>> {
    let most = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
    buffer.resize(most, 0);
    let mut space = ReadBuf::new(buffer);
    ready!(Pin::new(file).poll_read(context, &mut space))?;
    let count = space.filled().len();
    if count == 0 {
        let said = "the file became shorter while it was sent";
        return Poll::Ready(Err(io::Error::new(io::ErrorKind::UnexpectedEof, said)));
    }
    Poll::Ready(Ok(buffer.split_to(count).freeze()))
}
