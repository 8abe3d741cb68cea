//! The recorded forge as an HTTP server on a loopback port.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OnceCell;
use tokio::task::{JoinHandle, JoinSet};

use super::{Answer, Answered, Asked, LoadError, PASSWORD, Recordings, Replay, TOKEN_PREFIX, WEB_BASE};

/// The newest requests that are kept for those who ask what was sent.
const REMEMBERED: usize = 10_000;
/// The largest body that is read, in bytes: 16 MiB.
const MOST_BODY: usize = 16 * 1024 * 1024;
/// The wait after a connection could not be accepted, as when no file descriptor is left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What a demo forge starts with.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// A folder with `*.jsonl`; `None` takes the recordings that the program carries.
    pub recordings: Option<PathBuf>,
    /// The scenario whose time it starts at; `None` is the beginning.
    pub start_at: Option<String>,
    /// The path that the instance lives below, as `/forge`; empty for none. Requests elsewhere are misses.
    pub base_path: String,
    /// Whether requests are kept, bodies and tokens included, for [`DemoForge::requests`].
    pub remember: bool,
}

/// A request that the demo forge was sent.
#[derive(Debug, Clone)]
pub struct SeenRequest {
    /// The method.
    pub method: String,
    /// The raw target, exactly as sent.
    pub target: String,
    /// Names in lower case with their values, in the order in which they came; the token is among them.
    pub headers: Vec<(String, String)>,
    /// The body; empty for none.
    pub body: Bytes,
    /// Who asked, as the recordings spell it.
    pub identity: String,
    /// Where the answer came from.
    pub answered: Answered,
}

impl SeenRequest {
    /// The value of a header, named in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A running demo forge. It ends when it is dropped.
#[derive(Debug)]
pub struct DemoForge {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    base: String,
    options: Options,
    replay: OnceCell<Mutex<Replay>>,
    seen: Mutex<VecDeque<SeenRequest>>,
}

impl DemoForge {
    /// Binds a free port on 127.0.0.1 and answers from then on. The recordings are unpacked at the first request, unless
    /// `options` name a folder or a scenario: those are read now, so that a wrong one is told at once.
    ///
    /// # Errors
    /// No port, recordings that cannot be read, or a scenario that is not in them.
    pub async fn start(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let eager = options.recordings.is_some() || options.start_at.is_some();
        let shared = Arc::new(Shared {
            base: format!("http://{address}{}", options.base_path),
            options,
            replay: OnceCell::new(),
            seen: Mutex::default(),
        });
        if eager {
            shared.replay().await.map_err(io::Error::other)?;
        }
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a client wants it, as `http://127.0.0.1:40123`.
    pub fn base_url(&self) -> String {
        self.shared.base.clone()
    }

    /// The recordings that it answers from.
    ///
    /// # Errors
    /// Recordings that cannot be read.
    pub async fn recordings(&self) -> io::Result<Arc<Recordings>> {
        let replay = self.shared.replay().await.map_err(io::Error::other)?;
        Ok(Arc::clone(lock(replay).recordings()))
    }

    /// Goes to the time of a scenario; see [`Replay::start_at`].
    ///
    /// # Errors
    /// Recordings that cannot be read, or a scenario that is not in them.
    pub async fn start_at(&self, scenario: &str) -> io::Result<()> {
        let replay = self.shared.replay().await.map_err(io::Error::other)?;
        if lock(replay).start_at(scenario) { Ok(()) } else { Err(unknown(scenario)) }
    }

    /// All requests so far, oldest first; of more than 10,000 the newest. None unless [`Options::remember`] is set.
    pub fn requests(&self) -> Vec<SeenRequest> {
        lock(&self.shared.seen).iter().cloned().collect()
    }

    /// Those of them that were not recorded. A test that expects none asserts that this is empty.
    pub fn misses(&self) -> Vec<SeenRequest> {
        lock(&self.shared.seen).iter().filter(|seen| seen.answered == Answered::Miss).cloned().collect()
    }

    /// Forgets what it was sent.
    pub fn forget_requests(&self) {
        lock(&self.shared.seen).clear();
    }
}

impl Drop for DemoForge {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("expected a recorded scenario, got `{0}`")]
    Scenario(String),
    #[error("reading the recordings was interrupted")]
    Interrupted,
}

fn unknown(scenario: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, StartError::Scenario(scenario.to_owned()))
}

impl Shared {
    async fn replay(&self) -> Result<&Mutex<Replay>, StartError> {
        self.replay
            .get_or_try_init(|| async {
                let options = self.options.clone();
                let loaded = tokio::task::spawn_blocking(move || load(&options)).await;
                loaded.map_err(|_| StartError::Interrupted)?.map(Mutex::new)
            })
            .await
    }
}

fn load(options: &Options) -> Result<Replay, StartError> {
    let recordings = match &options.recordings {
        Some(folder) => Arc::new(Recordings::folder(folder)?),
        None => Recordings::embedded()?,
    };
    let mut replay = Replay::new(recordings);
    match &options.start_at {
        Some(scenario) if !replay.start_at(scenario) => Err(StartError::Scenario(scenario.clone())),
        _ => Ok(replay),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => _ = connections.spawn(connection(stream, Arc::clone(&shared))),
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(respond(request, &shared).await) }
    });
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn respond(request: Request<Incoming>, shared: &Shared) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let too_large =
        || plain(StatusCode::PAYLOAD_TOO_LARGE, format!("expected a body of at most {MOST_BODY} bytes"));
    if body.size_hint().lower() > MOST_BODY as u64 {
        return too_large();
    }
    let body = match Limited::new(body, MOST_BODY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return too_large(),
        Err(_) => return plain(StatusCode::BAD_REQUEST, "the body broke off".to_owned()),
    };
    let replay = match shared.replay().await {
        Ok(replay) => replay,
        Err(error) => return plain(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    };
    let headers: Vec<(String, String)> = head
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
    let mut asked = Asked { identity: String::new(), method: head.method.to_string(), target, headers, body };
    let raw = asked.target.clone();
    let below = raw.strip_prefix(&shared.options.base_path);
    if let Some(below) = below {
        asked.target = below.to_owned();
    }
    let answer = {
        let mut replay = lock(replay);
        asked.identity = identity(asked.header("authorization"), replay.recordings());
        if below.is_some() { replay.answer(&asked) } else { replay.miss(&asked) }
    };
    remember(shared, asked, raw, answer.from.clone());
    http_answer(answer, shared)
}

fn remember(shared: &Shared, asked: Asked, target: String, answered: Answered) {
    if !shared.options.remember {
        return;
    }
    let Asked { identity, method, headers, body, .. } = asked;
    let mut seen = lock(&shared.seen);
    if seen.len() >= REMEMBERED {
        seen.pop_front();
    }
    seen.push_back(SeenRequest { method, target, headers, body, identity, answered });
}

/// Who asks: `token demo-NAME` or `Bearer demo-NAME` is NAME, basic credentials with the recorded password are
/// `NAME/basic`, nothing is anonymous, and all else is a bad token.
fn identity(authorization: Option<&str>, recordings: &Recordings) -> String {
    let Some(value) = authorization else { return "anonymous".to_owned() };
    let (scheme, rest) = value.trim().split_once(' ').unwrap_or((value, ""));
    let name = match scheme.to_ascii_lowercase().as_str() {
        "token" | "bearer" => rest.trim().strip_prefix(TOKEN_PREFIX).map(str::to_owned),
        "basic" => basic(rest.trim()),
        _ => None,
    };
    name.filter(|name| recordings.knows(name)).unwrap_or_else(|| "bad-token".to_owned())
}

fn basic(encoded: &str) -> Option<String> {
    let text = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    (password == PASSWORD).then(|| format!("{user}/basic"))
}

/// The answer on the wire. In Link and Location the recorded instance's address becomes this forge's own, so that a
/// client finds the next page and takes a redirect for one of the same origin; bodies stay as they were recorded.
fn http_answer(answer: Answer, shared: &Shared) -> Response<Full<Bytes>> {
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        let value = match name.as_str() {
            "location" if value.starts_with('/') => format!("{}{value}", shared.options.base_path),
            "link" | "location" => value.replace(WEB_BASE, &shared.base),
            _ => value.clone(),
        };
        response = response.header(name, value.into_bytes());
    }
    let body = Full::new(answer.body.unwrap_or_default());
    response.body(body).unwrap_or_else(|error| plain(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

fn plain(status: StatusCode, message: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(message)));
    *response.status_mut() = status;
    response
}
