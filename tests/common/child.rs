//! The program as a client runs it: lines in, lines out, signals, exit codes.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an answer may take before a test fails; generous, for busy machines.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A running `forgehand`.
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<std::thread::JoinHandle<String>>,
}

/// The command without the settings of whoever runs the tests.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forgehand"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("FORGE") || name.to_ascii_lowercase().ends_with("_proxy") {
            command.env_remove(name);
        }
    }
    command.args(arguments);
    command
}

impl Server {
    /// `forgehand serve` against that address, with those variables besides.
    pub(crate) fn start(url: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = command(&["serve"]);
        command.env("FORGEHAND_URL", url).envs(variables.iter().copied());
        Self::spawn(command)
    }

    /// Runs a command with its three streams as pipes.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, stderr: Some(stderr) }
    }

    /// The same, past `initialize`.
    pub(crate) fn initialized(url: &str, variables: &[(&str, &str)]) -> Self {
        let mut server = Self::start(url, variables);
        server.send(&initialize("2025-11-25"));
        server.answer();
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// The next line of standard output, which must be one JSON-RPC message.
    #[track_caller]
    pub(crate) fn answer(&mut self) -> Value {
        self.answer_within(PATIENCE).expect("no answer")
    }

    /// The same; `None` where none comes in time or the output ends.
    #[track_caller]
    pub(crate) fn answer_within(&mut self, patience: Duration) -> Option<Value> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                let message: Value =
                    serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                Some(message)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Calls a tool and gives its answer.
    #[track_caller]
    pub(crate) fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        self.send(&call(id, tool, arguments));
        let answer = self.answer();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Closes standard input.
    pub(crate) fn end_input(&mut self) {
        self.stdin = None;
    }

    /// The most memory that it ever had, in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        most.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Sends a signal by name, as `TERM`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// The exit code, when the process ends within that time; then what is left of its output and its standard error.
    #[track_caller]
    pub(crate) fn exit_within(mut self, patience: Duration) -> (Option<i32>, Vec<Value>, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < patience, "still running after {patience:?}");
            std::thread::sleep(Duration::from_millis(5));
        };
        let rest = std::iter::from_fn(|| self.answer_within(PATIENCE)).collect();
        let stderr = self.stderr.take().unwrap().join().unwrap();
        (status.code(), rest, stderr)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An `initialize` request with id 1.
pub(crate) fn initialize(version: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "tests", "version": "1" },
    }})
}

/// A `tools/call` request.
pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

/// A request without params.
pub(crate) fn request(id: u64, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method })
}
