//! JSON-RPC messages, one a line, that no bad line ends.
//!
//! rmcp's own transport ends when a notification comes before `initialize`, loses a last line without newline, and
//! gives running calls five seconds after the input ends. This one skips what is no message, answers what can be
//! answered, and ends only when every request that it let in has its answer written, or nobody reads the answers any
//! more. Nor does it read on while [`MOST_OPEN`] requests wait for their answers to be written: a client that sends and
//! does not read is held up by its own pipe, and our memory stays bounded.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetExtensions, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestId,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Notify, watch};

use super::asking::InputEnd;
use super::guard::Place;
use super::meaning::{Incoming, Meaning, Outgoing};
use super::skim::Skim;

/// The longest line that is read, in bytes: 16 MiB. A longer one is skipped and answered with an error.
pub(crate) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// How many requests may be open, from being read to their answer being written; nothing is read while they are.
///
/// That holds for cancellations too: one that comes behind so many open requests is read when the next answer is
/// written. So this is far more than run at once (see `guard`) and than clients send; and it is no deadlock, since
/// every call ends in its time, and since what is waited for is written without reading anything, but for a few: those
/// that wait for what a user says (see `asking`).
const MOST_OPEN: usize = 256;

/// What is told to a client whose `initialize` cannot be read.
const INITIALIZE_PARAMS: &str = "initialize needs params with `protocolVersion`, a string, `capabilities`, an object, and \
    `clientInfo`, an object with `name` and `version`";

/// A transport of messages, one a line.
pub struct Lines<R, W> {
    input: BufReader<R>,
    /// The line as far as it was read. `receive` may be dropped half way: nothing is kept outside of `self`.
    line: Vec<u8>,
    longest: usize,
    /// The line that is being skipped because it is too long.
    skipped: Option<Skim>,
    ended: bool,
    /// Whether rmcp has begun its session: before that, it takes nothing but requests.
    started: bool,
    /// What else came on the last line (a batch of the 2025-03-26 revision).
    ready: VecDeque<Incoming>,
    /// Becomes true when all that was read has been let in, and nothing more comes.
    input_end: watch::Sender<bool>,
    output: Arc<Output<W>>,
}

/// The writing half, shared with answers on their way.
struct Output<W> {
    writer: tokio::sync::Mutex<W>,
    open: Mutex<Open>,
    changed: Notify,
}

/// What keeps the transport from ending.
#[derive(Default)]
struct Open {
    /// Requests whose answer is not made yet. A cancelled one is not among them: it gets no answer.
    requests: HashMap<RequestId, Place>,
    /// Answers that are made and not written yet.
    unwritten: usize,
    /// Nobody reads the answers any more.
    broken: bool,
}

/// What reading came to.
enum Read {
    Line,
    TooLong(Skim),
    End,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Messages out of `input`, answers into `output`.
    pub fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            line: Vec::new(),
            longest: LONGEST_LINE,
            skipped: None,
            ended: false,
            started: false,
            ready: VecDeque::new(),
            input_end: watch::Sender::new(false),
            output: Arc::new(Output {
                writer: tokio::sync::Mutex::new(output),
                open: Mutex::default(),
                changed: Notify::new(),
            }),
        }
    }

    /// The same with another bound on a line's length, in bytes.
    #[must_use]
    pub fn longest_line(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// A future that ends when no request waits for its answer.
    pub fn idle(&self) -> impl Future<Output = ()> + Send + 'static {
        let output = self.output.clone();
        async move { output.idle().await }
    }

    /// Reads up to the next newline or the end. May be dropped at any time without loss.
    async fn read(&mut self) -> Read {
        loop {
            let chunk = match self.input.fill_buf().await {
                Ok(chunk) => chunk,
                Err(error) => {
                    tracing::error!(%error, "the input cannot be read");
                    return Read::End;
                }
            };
            if chunk.is_empty() {
                return self.skipped.take().map_or(Read::End, Read::TooLong);
            }
            let newline = chunk.iter().position(|byte| *byte == b'\n');
            let taken = newline.map_or(chunk.len(), |at| at + 1);
            let bytes = chunk.get(..taken).unwrap_or_default();
            if self.skipped.is_none() && self.line.len() + taken > self.longest {
                let mut skim = Skim::default();
                skim.feed(&std::mem::take(&mut self.line));
                self.skipped = Some(skim);
            }
            match &mut self.skipped {
                Some(skim) => skim.feed(bytes),
                None => self.line.extend_from_slice(bytes),
            }
            self.input.consume(taken);
            if newline.is_some() {
                return self.skipped.take().map_or(Read::Line, Read::TooLong);
            }
        }
    }

    fn take_line(&mut self) {
        let meaning = Meaning::of_line(&self.line);
        self.line.clear();
        self.line.shrink_to(1024 * 1024);
        self.take(meaning);
    }

    fn take(&mut self, meaning: Meaning) {
        self.ready.extend(meaning.messages);
        for refusal in meaning.refusals {
            self.output.refuse(refusal);
        }
    }

    /// Lets a message in, or skips it.
    fn admit(&mut self, mut message: Incoming) -> Option<Incoming> {
        match &mut message {
            JsonRpcMessage::Request(request) if is_bad_initialize(&request.request) => {
                let error = ErrorData::invalid_params(INITIALIZE_PARAMS, None);
                self.output.refuse(JsonRpcMessage::error(error, Some(request.id.clone())));
                return None;
            }
            JsonRpcMessage::Request(request) => {
                let place = Place::default();
                match self.output.open().requests.entry(request.id.clone()) {
                    Entry::Vacant(entry) => entry.insert(place.clone()),
                    // rmcp would answer but one of the two. Let it be the one that runs already.
                    Entry::Occupied(_) => {
                        tracing::debug!(id = %request.id, "skipped a request with the id of one that is open");
                        return None;
                    }
                };
                let extensions = request.request.extensions_mut();
                extensions.insert(place);
                extensions.insert(InputEnd(self.input_end.subscribe()));
                self.started |= begins_session(&request.request);
            }
            _ if !self.started => {
                tracing::debug!("skipped a message that came before the first request");
                return None;
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.output.close(id);
                }
            }
            _ => {}
        }
        Some(message)
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(&mut self, message: Outgoing) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let id = answered(&message).cloned();
        let written = self.output.clone().write(message);
        let place = id.and_then(|id| self.output.close(&id));
        async move {
            let written = written.await;
            drop(place);
            written
        }
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            let output = self.output.clone();
            if !output.room().await {
                return None;
            }
            if let Some(message) = self.ready.pop_front() {
                match self.admit(message) {
                    Some(message) => return Some(message),
                    None => continue,
                }
            }
            if self.ended {
                self.input_end.send_replace(true);
                output.idle().await;
                return None;
            }
            let read = tokio::select! {
                read = self.read() => read,
                () = output.broken() => return None,
            };
            match read {
                Read::Line => self.take_line(),
                Read::TooLong(skim) => {
                    let longest = self.longest;
                    let why = format!("this line was skipped: it is longer than {longest} bytes");
                    self.take(Meaning::of_skipped(skim, ErrorData::invalid_request(why, None)));
                }
                Read::End => {
                    self.ended = true;
                    self.take_line();
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.writer.lock().await.flush().await
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Output<W> {
    /// Writes a message. It counts as open from this call on, until the returned future ends.
    fn write(
        self: Arc<Self>,
        message: Outgoing,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        self.open().unwritten += 1;
        async move {
            let written = self.write_line(message).await;
            {
                let mut open = self.open();
                open.unwritten -= 1;
                open.broken |= written.is_err();
            }
            self.changed.notify_waiters();
            written
        }
    }

    async fn write_line(&self, message: Outgoing) -> std::io::Result<()> {
        let mut bytes = serde_json::to_vec(&message)?;
        // The message is several times as large, and its turn may be long in coming.
        drop(message);
        bytes.push(b'\n');
        let mut writer = self.writer.lock().await;
        writer.write_all(&bytes).await?;
        writer.flush().await
    }

    /// Writes an answer that rmcp knows nothing of, beside whoever reads on; not under the id of a request that is
    /// open, which would get two.
    fn refuse(self: &Arc<Self>, refusal: Outgoing) {
        if answered(&refusal).is_some_and(|id| self.open().requests.contains_key(id)) {
            tracing::debug!("skipped a refusal under the id of a request that is open");
            return;
        }
        // A failed write is noted by `write` itself: the transport ends.
        tokio::spawn(self.clone().write(refusal));
    }
}

impl<W> Output<W> {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a request: its answer is made, or it gets none.
    fn close(&self, id: &RequestId) -> Option<Place> {
        let place = self.open().requests.remove(id);
        self.changed.notify_waiters();
        place
    }

    async fn idle(&self) {
        self.until(|open| open.broken || (open.requests.is_empty() && open.unwritten == 0)).await;
    }

    /// Waits until there is room for another request; `false` where nobody reads the answers any more.
    async fn room(&self) -> bool {
        self.until(|open| open.broken || open.requests.len() + open.unwritten < MOST_OPEN).await;
        !self.open().broken
    }

    async fn broken(&self) {
        self.until(|open| open.broken).await;
    }

    async fn until(&self, condition: impl Fn(&Open) -> bool) {
        loop {
            let changed = self.changed.notified();
            if condition(&self.open()) {
                return;
            }
            changed.await;
        }
    }
}

/// The id of the request that a message answers.
fn answered(message: &Outgoing) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        _ => None,
    }
}

/// Whether this is an `initialize` whose params rmcp could not read: it takes that for a method it does not know.
fn is_bad_initialize(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::CustomRequest(custom) if custom.method == "initialize")
}

/// Whether rmcp begins its session with this request: `initialize`, or one that carries what 2026-07-28 asks of each
/// request. `ping` and `server/discover` are answered before it.
fn begins_session(request: &ClientRequest) -> bool {
    if matches!(request, ClientRequest::InitializeRequest(_)) {
        return true;
    }
    let meta = request.get_meta();
    let whole = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
    let known =
        meta.protocol_version().is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version));
    whole && known && !matches!(request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_))
}
