//! A forge that answers by script and remembers what it was sent, byte for byte. It is of a release that will do, and
//! tells it outside of the script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// The first byte of a client that speaks TLS.
const TLS_HANDSHAKE: u8 = 22;

/// One answer of the script.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    delay: Duration,
    cut: Option<Cut>,
}

/// Where a connection breaks.
#[derive(Debug, Clone, Copy)]
pub enum Cut {
    /// After the request was read, before anything is answered.
    BeforeAnswer,
    /// In the middle of the body.
    WithinBody,
    /// In the middle of the body nothing more comes, and the connection stays.
    StallWithinBody,
}

impl Answer {
    /// That status with a JSON body.
    pub fn json(status: u16, body: &str) -> Self {
        Self::new(status, "application/json;charset=utf-8", body)
    }

    /// That status with a body of that media type.
    pub fn new(status: u16, media_type: &str, body: impl AsRef<[u8]>) -> Self {
        Self::empty(status).body(body).header("Content-Type", media_type)
    }

    /// That status and nothing else.
    pub fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), delay: Duration::ZERO, cut: None }
    }

    /// What an instance of that release says of it.
    pub fn release(text: &str) -> Self {
        Self::json(200, &format!("{{\"version\":\"{text}\"}}"))
    }

    /// The same with a body.
    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = body.as_ref().to_vec();
        self
    }

    /// The same with a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same, later.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The same with a broken connection.
    pub fn cut(mut self, cut: Cut) -> Self {
        self.cut = Some(cut);
        self
    }
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The raw target.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body's bytes.
    pub body: Vec<u8>,
}

impl Request {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// `METHOD target`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    /// Whether it asks for the release.
    pub fn is_version(&self) -> bool {
        self.method == "GET" && self.target.ends_with("/api/v1/version")
    }
}

fn without_version(requests: Vec<Request>) -> Vec<Request> {
    let (version, others): (Vec<_>, Vec<_>) = requests.into_iter().partition(Request::is_version);
    if others.is_empty() { version } else { others }
}

/// What answers a request that no script foresees.
type Answering = Box<dyn FnMut(&Request) -> Answer + Send>;

#[derive(Default)]
struct State {
    by: Option<Answering>,
    script: VecDeque<Answer>,
    last: Option<Answer>,
    releases: VecDeque<Answer>,
    requests: Vec<Request>,
    gone: usize,
    connections: usize,
}

impl State {
    fn release(&mut self) -> Answer {
        match self.releases.len() {
            1 => self.releases.front().cloned().unwrap(),
            _ => self.releases.pop_front().unwrap(),
        }
    }

    fn next(&mut self, request: &Request) -> Answer {
        let said = self.by.as_mut().map(|by| by(request));
        if let Some(next) = self.script.pop_front().or(said) {
            self.last = Some(next);
        }
        self.last.clone().unwrap()
    }
}

/// A running scripted forge; it ends with the runtime.
pub struct Scripted {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Scripted {
    /// Answers in that order; the last one repeats.
    pub async fn new(script: impl IntoIterator<Item = Answer>) -> Self {
        Self::start(script, None).await
    }

    /// The same over TLS.
    pub async fn tls(script: impl IntoIterator<Item = Answer>, acceptor: TlsAcceptor) -> Self {
        Self::start(script, Some(acceptor)).await
    }

    async fn start(script: impl IntoIterator<Item = Answer>, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = State {
            script: script.into_iter().collect(),
            releases: VecDeque::from([Answer::release("15.0.3+gitea-1.22.0")]),
            ..State::default()
        };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.lock().unwrap().connections += 1;
                let state = Arc::clone(&shared);
                let Some(tls) = tls.clone() else {
                    tokio::spawn(serve(stream, state));
                    continue;
                };
                tokio::spawn(async move {
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, state).await;
                    }
                });
            }
        });
        Self { port, state }
    }

    /// Answers everything with 200 and `{}`.
    pub async fn agreeable() -> Self {
        Self::new([Answer::json(200, "{}")]).await
    }

    /// Answers each request as the function says.
    pub async fn by(answering: impl FnMut(&Request) -> Answer + Send + 'static) -> Self {
        let scripted = Self::new([]).await;
        scripted.state.lock().unwrap().by = Some(Box::new(answering));
        scripted
    }

    /// The same, which tells its release by these answers in turn; the last one repeats.
    pub fn releases(self, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.state.lock().unwrap().releases = answers.into_iter().collect();
        self
    }

    /// What was sent since the last time, as [`Scripted::requests`].
    pub fn take_requests(&self) -> Vec<Request> {
        without_version(std::mem::take(&mut self.state.lock().unwrap().requests))
    }

    /// How often the release was asked for.
    pub fn asked_release(&self) -> usize {
        self.state.lock().unwrap().requests.iter().filter(|request| request.is_version()).count()
    }

    /// Answers this from now on.
    pub fn say(&self, answer: Answer) {
        let mut state = self.state.lock().unwrap();
        state.script.clear();
        state.last = Some(answer);
    }

    /// The address.
    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What was sent so far, without the questions for the release that come before; or these alone.
    pub fn requests(&self) -> Vec<Request> {
        without_version(self.state.lock().unwrap().requests.clone())
    }

    /// The only request.
    #[track_caller]
    pub fn request(&self) -> Request {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "one request expected: {requests:?}");
        requests[0].clone()
    }

    /// `METHOD target` of everything that was sent.
    pub fn lines(&self) -> Vec<String> {
        self.requests().iter().map(Request::line).collect()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    /// How many clients left before they had their answer.
    pub fn gone(&self) -> usize {
        self.state.lock().unwrap().gone
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, state: Arc<Mutex<State>>) {
    let mut buffer = Vec::new();
    while let Some(request) = read(&mut stream, &mut buffer).await {
        let answer = {
            let mut state = state.lock().unwrap();
            let answer = if request.is_version() { state.release() } else { state.next(&request) };
            state.requests.push(request);
            answer
        };
        if answer.delay > Duration::ZERO {
            let mut byte = [0];
            tokio::select! {
                () = tokio::time::sleep(answer.delay) => {}
                _ = stream.read(&mut byte) => {
                    state.lock().unwrap().gone += 1;
                    return;
                }
            }
        }
        if matches!(answer.cut, Some(Cut::BeforeAnswer)) {
            return;
        }
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", answer.status);
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !matches!(answer.status, 204 | 304) {
            head.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        let shown = if answer.cut.is_some() { answer.body.len() / 2 } else { answer.body.len() };
        bytes.extend_from_slice(&answer.body[..shown]);
        let written = stream.write_all(&bytes).await;
        if matches!(answer.cut, Some(Cut::StallWithinBody)) {
            std::future::pending::<()>().await;
        }
        if written.is_err() || answer.cut.is_some() {
            return;
        }
    }
}

async fn read(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> Option<Request> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|w| w == b"\r\n\r\n") {
            break at;
        }
        if buffer.first() == Some(&TLS_HANDSHAKE) {
            return None;
        }
        more(stream, buffer).await?;
    };
    let head = String::from_utf8(buffer[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let mut start = lines.next()?.split(' ');
    let (method, target) = (start.next()?.to_owned(), start.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(n, _)| n == "content-length").map_or(0, |(_, v)| v.parse().unwrap());
    while buffer.len() < end + 4 + length {
        more(stream, buffer).await?;
    }
    let body = buffer[end + 4..end + 4 + length].to_vec();
    buffer.drain(..end + 4 + length);
    Some(Request { method, target, headers, body })
}

async fn more(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> Option<()> {
    let mut chunk = [0; 16 * 1024];
    let count = stream.read(&mut chunk).await.ok()?;
    buffer.extend_from_slice(&chunk[..count]);
    (count > 0).then_some(())
}
