//! A client that sends targets exactly as they are given, over one kept connection.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// A request as a test spells it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent<'a> {
    pub(crate) method: &'a str,
    pub(crate) target: &'a str,
    pub(crate) headers: Vec<(&'a str, &'a str)>,
    pub(crate) body: Option<Vec<u8>>,
}

impl<'a> Sent<'a> {
    pub(crate) fn get(target: &'a str, token: &'a str) -> Self {
        Self { method: "GET", target, headers: vec![("authorization", token)], body: None }
    }

    pub(crate) fn with(mut self, name: &'a str, value: &'a str) -> Self {
        self.headers.push((name, value));
        self
    }
}

/// An answer off the wire.
#[derive(Debug, Clone)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a text body")
    }
}

pub(crate) struct Wire(BufReader<TcpStream>);

impl Wire {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        Self(BufReader::new(TcpStream::connect(address).await.expect("a connection")))
    }

    pub(crate) async fn send(&mut self, sent: &Sent<'_>) -> Got {
        let mut out = format!("{} {} HTTP/1.1\r\nhost: demo\r\n", sent.method, sent.target).into_bytes();
        for (name, value) in &sent.headers {
            out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        if let Some(body) = &sent.body {
            out.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(sent.body.as_deref().unwrap_or_default());
        self.0.write_all(&out).await.expect("a request sent");
        self.receive().await
    }

    async fn receive(&mut self) -> Got {
        let first = self.line().await;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status line");
        let mut headers = Vec::new();
        loop {
            let line = self.line().await;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        let mut got = Got { status, headers, body: Vec::new() };
        let length = got.header("content-length").map_or(0, |length| length.parse().expect("a length"));
        got.body.resize(length, 0);
        self.0.read_exact(&mut got.body).await.expect("a body");
        got
    }

    async fn line(&mut self) -> String {
        let mut line = Vec::new();
        self.0.read_until(b'\n', &mut line).await.expect("a line");
        String::from_utf8_lossy(&line).trim_end().to_owned()
    }
}
