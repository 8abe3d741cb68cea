//! A file of any length through the real binary, and the memory that it takes: a forge in this process takes and gives as many
//! bytes as asked for and keeps none, uploads come out of a sparse file.
//!
//! Used by `tests/memory.rs`, which bounds it, and by `benches/figures`, which prints it.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How much the forge writes and reads at a time.
const PIECE: usize = 64 * 1024;

/// What one way of passing a file took.
#[derive(Debug)]
pub(crate) struct Passed {
    /// The way.
    pub(crate) way: &'static str,
    /// The most resident memory during the call less that before it, in KiB.
    pub(crate) over_idle: u64,
    /// How long the call took.
    pub(crate) took: Duration,
}

/// A way that a file passes.
struct Way {
    name: &'static str,
    tool: &'static str,
    arguments: Value,
    /// Whether the answer to it is right for a file of that many bytes.
    is_right: fn(&Value, u64) -> bool,
}

fn ways() -> [Way; 6] {
    let way = |name, tool, arguments, is_right| Way { name, tool, arguments, is_right };
    let is_saved = |answer: &Value, length| is(answer, "/structuredContent/bytes", length);
    let is_sent = |answer: &Value, length| is(answer, "/structuredContent/size", length);
    let is_cut = |answer: &Value, _| facts(answer).contains("\"shown\"");
    let is_counted = |answer: &Value, length| facts(answer).contains(&format!("\"size\":{length}"));
    let is_refused = |answer: &Value, _| {
        answer.pointer("/structuredContent/error/code").is_some_and(|code| code == "too_large")
    };
    let saved = json!({ "archive": "a.zip", "save_as": "download" });
    [
        way(
            "uploaded from a file",
            "create_issue_attachment",
            json!({ "index": 5, "file": "upload" }),
            is_sent,
        ),
        way(
            "downloaded into a file",
            "get_file_media",
            json!({ "path": "a", "save_as": "download" }),
            is_saved,
        ),
        way("archive of unknown length into a file", "get_repo_archive", saved, is_saved),
        way("text, shown up to the budget", "get_file_content", json!({ "path": "a" }), is_cut),
        way(
            "text, read for its facts",
            "get_file_content",
            json!({ "path": "a", "with_metadata": true }),
            is_counted,
        ),
        way(
            "bytes of unknown length, refused",
            "get_repo_archive",
            json!({ "archive": "a.zip" }),
            is_refused,
        ),
    ]
}

fn is(answer: &Value, at: &str, number: u64) -> bool {
    answer.pointer(at).is_some_and(|value| *value == number)
}

/// What is told beside a text.
fn facts(answer: &Value) -> &str {
    answer.pointer("/content/1/text").and_then(Value::as_str).unwrap_or_default()
}

/// Passes a file of that many bytes in each way, through a server of its own.
///
/// # Errors
/// Whatever does not work, and an answer that is not what it should be.
pub(crate) fn pass(binary: &str, length: u64) -> Result<Vec<Passed>> {
    let folder = Folder::new()?;
    File::create(folder.0.join("upload"))?.set_len(length)?;
    let port = forge(length)?;
    ways()
        .into_iter()
        .map(|way| way.pass(&mut Server::start(binary, port, &folder.0)?, &folder, length))
        .collect()
}

impl Way {
    fn pass(self, server: &mut Server, folder: &Folder, length: u64) -> Result<Passed> {
        let mut arguments = json!({ "owner": "acme", "repo": "widget", "path": "small" });
        server.call("get_file_content", &arguments)?;
        if let (Some(arguments), Value::Object(more)) = (arguments.as_object_mut(), self.arguments) {
            arguments.remove("path");
            arguments.extend(more);
        }
        let idle = server.memory("VmRSS:")?;
        let begun = Instant::now();
        let answer = server.call(self.tool, &arguments)?;
        let took = begun.elapsed();
        let over_idle = server.memory("VmHWM:")?.saturating_sub(idle);
        if !(self.is_right)(&answer, length) {
            let said: String = answer.to_string().chars().take(400).collect();
            return Err(format!("{}: {said}", self.name).into());
        }
        let download = folder.0.join("download");
        if download.exists() {
            let written = download.metadata()?.len();
            std::fs::remove_file(&download)?;
            if written != length {
                return Err(format!("{}: {written} bytes of {length} were written", self.name).into());
            }
        }
        Ok(Passed { way: self.name, over_idle, took })
    }
}

/// A folder that goes with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("forgehand-passing-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The binary, serving.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(binary: &str, port: u16, folder: &Path) -> Result<Self> {
        let mut child = Command::new(binary)
            .args(["serve", "--toolsets", "all", "--timeout", "600"])
            .env("FORGEHAND_URL", format!("http://127.0.0.1:{port}"))
            .env("FORGEHAND_UPLOAD_ROOT", folder)
            .env("FORGEHAND_DOWNLOAD_ROOT", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no stdin")?;
        let output = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut server = Self { child, input, output };
        server.ask(
            "initialize",
            &json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "passing", "version": "1" } }),
        )?;
        writeln!(server.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        writeln!(self.input, "{request}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let mut answer: Value = serde_json::from_str(&line)?;
        Ok(answer.get_mut("result").ok_or("no result")?.take())
    }

    /// A figure of `/proc/PID/status`, in KiB.
    fn memory(&self, name: &str) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no such figure")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the forge; its port. Its threads end with the process.
fn forge(length: u64) -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that leaves early is no failure: some answers are meant to be cut.
            std::thread::spawn(move || answer(&stream, length).is_ok());
        }
    });
    Ok(port)
}

/// Answers one request and closes.
fn answer(stream: &TcpStream, length: u64) -> Result<()> {
    let mut input = BufReader::new(stream);
    let (mut first, mut sent) = (String::new(), 0_u64);
    input.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            sent = value.trim().parse()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut taken = input.take(sent);
    let mut piece = vec![0; PIECE];
    let (mut received, mut zeros) = (0, 0);
    loop {
        let count = taken.read(&mut piece)?;
        if count == 0 {
            break;
        }
        received += count as u64;
        zeros += piece.iter().take(count).filter(|byte| **byte == 0).count() as u64;
    }
    let mut out = stream;
    let head = |media: &str, rest: String| {
        format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: {media}\r\n{rest}\r\n")
    };
    if first.starts_with("POST") {
        let body = json!({ "id": 9, "name": "upload", "size": zeros, "received": received }).to_string();
        write!(out, "{}{body}", head("application/json", format!("Content-Length: {}\r\n", body.len())))?;
        return Ok(());
    }
    let has_length = !first.contains("/archive/");
    let is_text = first.contains("/raw/");
    let length = if first.contains("/small") { 5 } else { length };
    let told = if has_length { format!("Content-Length: {length}\r\n") } else { String::new() };
    write!(out, "{}", head(if is_text { "text/plain" } else { "application/octet-stream" }, told))?;
    let piece =
        if is_text { b"a line of a text, 32 bytes long\n".repeat(PIECE / 32) } else { vec![0; PIECE] };
    let mut left = length;
    while left > 0 {
        let count = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
        out.write_all(piece.get(..count).ok_or("no piece")?)?;
        left -= count as u64;
    }
    Ok(())
}
