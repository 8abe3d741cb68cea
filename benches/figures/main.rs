//! Prints the figures that `docs/performance.md` speaks of, beside their targets: `cargo bench --bench figures`.
//!
//! A stub forge in a process of its own answers with recorded bodies; the server under measurement is the real binary
//! over stdio. Nothing is asserted: a missed target is printed as missed. `-- --builds` measures the build as well (it takes
//! minutes, in a folder of its own); `-- --files` passes files of 1 GB and nothing else.

#![allow(clippy::print_stdout, reason = "printing is what a benchmark is for")]

mod builds;
mod client;
mod files;
#[path = "../../tests/support/passing.rs"]
mod passing;
mod stub;

use std::time::{Duration, Instant};

use client::{Server, direct_get};
use stub::Stub;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const STARTS: usize = 30;
const CALLS: usize = 2_000;
const BULK: usize = 20_000;
const SLOW_BULK: usize = 3_200;
const IN_FLIGHT: usize = 32;
const ISSUE: &str = "/repos/acme/widget/issues/18";
const LIST: &str = "/repos/acme/widget/issues";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == stub::ROLE) {
        return stub::run(arguments.get(at + 1).ok_or("no delay")?.parse()?);
    }
    println!("| figure | measured | target |\n|---|---|---|");
    if arguments.iter().any(|a| a == "--files") {
        return files::print();
    }
    if arguments.iter().any(|a| a == "--builds") {
        builds::print()?;
    }
    let stub = Stub::start(0)?;
    starts(&stub)?;
    let mut server = Server::start(stub.port())?;
    let tokens = default_tokens()?;
    row(
        "default tools/list, tokens (o200k, from inventory.lock)",
        &tokens.to_string(),
        "≤ 5000",
        tokens <= 5_000,
    );
    row("default tools/list, bytes on the wire", &server.list_tools()?.to_string(), "–", true);
    std::thread::sleep(Duration::from_millis(300));
    let rss = server.rss_mib()?;
    row("idle memory, tools listed, MiB", &format!("{rss:.1}"), "≤ 12", rss <= 12.0);
    sequential(&stub, &mut server)?;
    bulk(&mut server)?;
    let slow = Stub::start(20)?;
    let mut server = Server::start(slow.port())?;
    let rate = server.pipelined(SLOW_BULK, IN_FLIGHT, &issue_call())?.rate();
    let shown = format!("{rate:.0}");
    row("calls a second, 32 in flight, a forge that takes 20 ms", &shown, "≥ 1550", rate >= 1_550.0);
    Ok(())
}

fn starts(stub: &Stub) -> Result<()> {
    let echo = median((0..STARTS).map(|_| client::bare_echo()).collect::<Result<Vec<_>>>()?);
    let mut times = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        let begun = Instant::now();
        let server = Server::start(stub.port())?;
        times.push(begun.elapsed());
        drop(server);
    }
    let took = median(times);
    row("bare process echo, ms, p50", &millis(echo), "–", true);
    row("start to the answer of initialize, ms, p50", &millis(took), "≤ 6", took <= Duration::from_millis(6));
    Ok(())
}

fn sequential(stub: &Stub, server: &mut Server) -> Result<()> {
    let floor = median(client::piped_echo(CALLS)?);
    row("one line echoed over pipes by `cat`, µs, p50", &micros(floor), "–", true);
    let cases = [
        ("one issue", ISSUE, issue_call(), Duration::from_micros(120)),
        ("30 issues listed", LIST, list_call(), Duration::from_micros(600)),
    ];
    for (name, path, call, target) in cases {
        let direct = median(direct_get(stub.port(), path, CALLS)?);
        server.sequential(100, &call)?;
        let ours = median(server.sequential(CALLS, &call)?);
        let added = ours.saturating_sub(direct);
        row(&format!("{name}: bare keep-alive GET, µs, p50"), &micros(direct), "–", true);
        let target_text = format!("≤ {}", target.as_micros());
        row(
            &format!("{name} over stdio, time added, µs, p50"),
            &micros(added),
            &target_text,
            added <= target,
        );
    }
    Ok(())
}

fn bulk(server: &mut Server) -> Result<()> {
    let before = server.cpu_seconds()?;
    let run = server.pipelined(BULK, IN_FLIGHT, &issue_call())?;
    let cpu = (server.cpu_seconds()? - before) / BULK as f64 * 1_000.0;
    let rate = run.rate();
    row("calls a second, 32 in flight", &format!("{rate:.0}"), "≥ 12000", rate >= 12_000.0);
    row("CPU seconds for 1,000 calls", &format!("{cpu:.3}"), "≤ 0.08", cpu <= 0.08);
    row("memory after the load, MiB", &format!("{:.1}", server.rss_mib()?), "–", true);
    Ok(())
}

fn issue_call() -> String {
    r#"{"name":"get_issue_by_index","arguments":{"owner":"acme","repo":"widget","index":18}}"#.to_owned()
}

fn list_call() -> String {
    r#"{"name":"list_repo_issues","arguments":{"owner":"acme","repo":"widget","limit":30}}"#.to_owned()
}

/// The tokens of the default surface, from the line `tokens N default, M all` of the lock's totals.
fn default_tokens() -> Result<u64> {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/inventory.lock"))?;
    let count = lock.lines().find_map(|line| line.trim().strip_prefix("tokens ")?.split_once(" default,"));
    let (tokens, _) = count.ok_or("inventory.lock has no line `tokens N default, M all`")?;
    Ok(tokens.parse()?)
}

pub(crate) fn row(name: &str, measured: &str, target: &str, met: bool) {
    let verdict = if met { "" } else { " (missed)" };
    println!("| {name} | {measured} | {target}{verdict} |");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn micros(time: Duration) -> String {
    format!("{:.0}", time.as_secs_f64() * 1e6)
}
