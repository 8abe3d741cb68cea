//! A forge that answers from memory: a process of its own, one thread a connection, recorded bodies, a delay if wanted.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use forgehand::demo::Recordings;

use crate::Result;

/// The first argument that makes this program the stub itself; the second is the delay in milliseconds.
pub(crate) const ROLE: &str = "--as-stub";

/// A running stub forge, ended on drop.
pub(crate) struct Stub {
    process: Child,
    port: u16,
}

struct Answers {
    issue: Vec<u8>,
    list: Vec<u8>,
    delay: Duration,
}

impl Stub {
    /// Starts this program once more as a forge whose every answer waits for `delay_ms` milliseconds.
    pub(crate) fn start(delay_ms: u64) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args([ROLE, &delay_ms.to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("no stdout")?).read_line(&mut line)?;
        Ok(Self { process, port: line.trim().parse()? })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Is the stub: prints its port and serves until it is ended.
pub(crate) fn run(delay_ms: u64) -> Result<()> {
    let issue = recorded("/api/v1/repos/acme/widget/issues/18", |_| true)?;
    let list = recorded("/api/v1/repos/acme/widget/issues?", |body| {
        body.as_array().is_some_and(|rows| rows.len() == 30)
    })?;
    let delay = Duration::from_millis(delay_ms);
    let answers = Arc::new(Answers { issue: answer(&issue, ""), list: answer(&list, PAGING), delay });
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?.port());
    for stream in listener.incoming().flatten() {
        let answers = Arc::clone(&answers);
        std::thread::spawn(move || serve(stream, &answers));
    }
    Ok(())
}

const PAGING: &str = "x-total-count: 120\r\nlink: <http://127.0.0.1/api/v1/repos/acme/widget/issues?limit=30&page=2>; \
                      rel=\"next\"\r\n";

fn answer(body: &str, headers: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json;charset=utf-8\r\n{headers}content-length: {length}\r\n\r\n{body}")
        .into_bytes()
}

fn serve(stream: TcpStream, answers: &Answers) {
    let _ = stream.set_nodelay(true);
    let Ok(mut out) = stream.try_clone() else { return };
    let mut lines = BufReader::new(stream);
    loop {
        let mut first = String::new();
        let mut line = String::new();
        loop {
            line.clear();
            match lines.read_line(&mut line) {
                Ok(n) if n > 0 => {}
                _ => return,
            }
            if first.is_empty() {
                first.clone_from(&line);
            }
            if line == "\r\n" {
                break;
            }
        }
        if !answers.delay.is_zero() {
            std::thread::sleep(answers.delay);
        }
        let body = if first.contains("/issues/") { &answers.issue } else { &answers.list };
        if out.write_all(body).is_err() {
            return;
        }
    }
}

/// The body of the first recorded 200 answer to a target that begins so and that `wanted` accepts, as compact JSON.
fn recorded(target: &str, wanted: impl Fn(&serde_json::Value) -> bool) -> Result<String> {
    for exchange in Recordings::embedded()?.exchanges() {
        let path = exchange.target.as_str();
        let exact = path == target || target.ends_with('?') && path.starts_with(target);
        if !exact || exchange.status != 200 {
            continue;
        }
        let Some(body) = exchange.response.bytes() else { continue };
        if wanted(&serde_json::from_slice(&body)?) {
            return Ok(String::from_utf8(body.to_vec())?);
        }
    }
    Err(format!("no recorded answer to {target}").into())
}
