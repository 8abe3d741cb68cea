//! The measuring sides: an MCP client over a child's pipes, and a bare keep-alive GET.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"figures","version":"1"}}}
"#;
const INITIALIZED: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

/// The server under measurement, initialized.
pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

/// How a run of calls went.
pub(crate) struct Run {
    calls: usize,
    took: Duration,
}

impl Run {
    /// Calls a second.
    pub(crate) fn rate(&self) -> f64 {
        self.calls as f64 / self.took.as_secs_f64()
    }
}

impl Server {
    /// Starts `forgehand serve` at a forge on that port and waits for the answer of `initialize`.
    pub(crate) fn start(port: u16) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_forgehand"))
            .arg("serve")
            .env("FORGEHAND_URL", format!("http://127.0.0.1:{port}"))
            .env("FORGEHAND_TOKEN", "figures")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no stdin")?;
        let output = BufReader::with_capacity(1 << 20, child.stdout.take().ok_or("no stdout")?);
        let mut server = Self { child, input, output, line: String::new() };
        server.input.write_all(INITIALIZE.as_bytes())?;
        server.read_line()?;
        server.input.write_all(INITIALIZED.as_bytes())?;
        Ok(server)
    }

    /// Lists the tools and returns the answer's length in bytes.
    pub(crate) fn list_tools(&mut self) -> Result<usize> {
        self.input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n")?;
        Ok(self.read_line()?.len())
    }

    /// One call after the other; the time of each.
    pub(crate) fn sequential(&mut self, calls: usize, params: &str) -> Result<Vec<Duration>> {
        let mut times = Vec::with_capacity(calls);
        for id in 0..calls {
            let begun = Instant::now();
            self.send(id, params)?;
            self.read_answer()?;
            times.push(begun.elapsed());
        }
        Ok(times)
    }

    /// `calls` calls with `in_flight` of them unanswered at any time.
    pub(crate) fn pipelined(&mut self, calls: usize, in_flight: usize, params: &str) -> Result<Run> {
        let begun = Instant::now();
        for id in 0..in_flight {
            self.send(id, params)?;
        }
        for id in in_flight..calls + in_flight {
            self.read_answer()?;
            if id < calls {
                self.send(id, params)?;
            }
        }
        Ok(Run { calls, took: begun.elapsed() })
    }

    /// Resident memory in MiB.
    pub(crate) fn rss_mib(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
    }

    /// Processor seconds used so far, user and system, in steps of 10 ms.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks: f64 = [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<f64>().ok()).sum();
        Ok(ticks / 100.0)
    }

    fn send(&mut self, id: usize, params: &str) -> Result<()> {
        let line =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{params}}}\n");
        Ok(self.input.write_all(line.as_bytes())?)
    }

    fn read_answer(&mut self) -> Result<()> {
        let line = self.read_line()?;
        if line.contains("\"isError\":true") || !line.contains("\"structuredContent\"") {
            return Err(format!("a call failed: {}", line.chars().take(400).collect::<String>()).into());
        }
        Ok(())
    }

    fn read_line(&mut self) -> Result<&str> {
        self.line.clear();
        match self.output.read_line(&mut self.line)? {
            0 => Err("the server closed its output".into()),
            _ => Ok(&self.line),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Time of a process that answers one line with that line: what a start costs without any server in it.
pub(crate) fn bare_echo() -> Result<Duration> {
    let begun = Instant::now();
    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.as_mut().ok_or("no stdin")?.write_all(INITIALIZE.as_bytes())?;
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().ok_or("no stdout")?).read_line(&mut line)?;
    let took = begun.elapsed();
    drop(child.stdin.take());
    child.wait()?;
    Ok(took)
}

/// The time of each of `calls` lines that `cat` gives back: the least that any server over stdio takes.
pub(crate) fn piped_echo(calls: usize) -> Result<Vec<Duration>> {
    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no stdout")?);
    let mut times = Vec::with_capacity(calls);
    let mut line = String::new();
    for _ in 0..calls {
        let begun = Instant::now();
        input.write_all(INITIALIZED.as_bytes())?;
        line.clear();
        output.read_line(&mut line)?;
        times.push(begun.elapsed());
    }
    drop(input);
    child.wait()?;
    Ok(times)
}

/// The time of each of `calls` GETs of a path over one kept connection.
pub(crate) fn direct_get(port: u16, path: &str, calls: usize) -> Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let mut input = BufReader::with_capacity(1 << 20, stream.try_clone()?);
    let request =
        format!("GET /api/v1{path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n");
    let mut times = Vec::with_capacity(calls);
    let mut body = Vec::new();
    for _ in 0..calls {
        let begun = Instant::now();
        stream.write_all(request.as_bytes())?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            input.read_line(&mut line)?;
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        body.resize(length, 0);
        input.read_exact(&mut body)?;
        times.push(begun.elapsed());
    }
    Ok(times)
}
