//! Every recorded exchange is put through the tools, and each is in one class: sent as it was recorded, with a right
//! outcome; refused before it is sent, by a rule; or not to be said by arguments, by a pattern.
//!
//! The curated recordings always run. `FORGEHAND_RECORDINGS=FOLDER cargo test --test replay -- --ignored --nocapture`
//! does the same with every `*.jsonl` below another folder, and prints what it finds.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers are tests too"
)]

mod back;
mod class;
mod forge;
mod report;

#[path = "../support/replayed.rs"]
mod replayed;
#[path = "../common/scripted.rs"]
mod scripted;
#[path = "../support/sent.rs"]
mod sent;

use std::path::Path;
use std::sync::Arc;

use forgehand::demo::{Body, Exchange, Recordings};
use forgehand::operations::descriptor::{Answer, Paging, Run};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Limits, Operation, OperationError, Outcome, run};
use serde_json::{Map, Value, json};

use class::Class;
use forge::Bench;
use report::Report;

/// The greatest budget, so that nothing is cut.
const ROOM: usize = 16 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_curated_exchange_is_sent_as_it_was_or_refused_or_beyond_arguments_for_a_known_reason() {
    let report = all(Recordings::embedded().unwrap()).await;
    assert!(report.wrong.is_empty(), "{} exchanges fit no class:\n{}", report.wrong.len(), report.wrong());
    insta::assert_snapshot!(report.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a folder: FORGEHAND_RECORDINGS"]
async fn every_exchange_of_a_folder_is_in_one_class() {
    let folder = std::env::var_os("FORGEHAND_RECORDINGS").expect("FORGEHAND_RECORDINGS names a folder");
    let mut exchanges = Vec::new();
    read(folder.as_ref(), &mut exchanges);
    let report = all(Arc::new(Recordings::new(exchanges))).await;
    println!("{}", report.text());
    assert!(report.wrong.is_empty(), "{} exchanges fit no class:\n{}", report.wrong.len(), report.wrong());
}

/// The exchanges of all `*.jsonl` below a folder, in the order of their paths.
fn read(folder: &Path, exchanges: &mut Vec<Exchange>) {
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, exchanges);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            exchanges.extend(Recordings::file(&path).unwrap());
        }
    }
}

async fn all(recordings: Arc<Recordings>) -> Report {
    let mut bench = Bench::new(Arc::clone(&recordings)).await;
    let mut report = Report::default();
    for exchange in recordings.exchanges() {
        let class = class_of(&mut bench, exchange).await;
        report.add(exchange, class);
    }
    report
}

/// The best class that a tool gives an exchange; a wrong answer is no better for another tool's right one.
async fn class_of(bench: &mut Bench, exchange: &Exchange) -> Class {
    if let Some(pattern) = class::beyond(exchange) {
        return Class::Unsaid(pattern);
    }
    if matches!(exchange.response.body, Body::Truncated(_)) {
        return Class::Unsaid("an answer of which only the start was kept".to_owned());
    }
    let is_its = |tool: &&Operation| tool.calls.iter().any(|call| call.operation == exchange.operation);
    let its: Vec<&Operation> = OPERATIONS.iter().filter(is_its).collect();
    // A tool of several calls says what is asked less well than one of this call alone.
    let is_plain = |tool: &Operation| matches!(tool.run, Run::Call(_));
    let has_plain = its.iter().any(|tool| is_plain(tool));
    let mut found = Vec::new();
    for tool in its.into_iter().filter(|tool| is_plain(tool) || !has_plain) {
        found.push(in_tool(bench, tool, exchange).await);
    }
    found.into_iter().min().unwrap_or_else(|| Class::Unsaid("an operation that no tool sends".to_owned()))
}

async fn in_tool(bench: &mut Bench, tool: &'static Operation, exchange: &Exchange) -> Class {
    let asked = match replayed::arguments(tool, exchange) {
        Ok(asked) => asked,
        Err(pattern) => return Class::Unsaid(pattern),
    };
    let outcome = called(bench, tool, exchange, asked.arguments.clone()).await;
    let (seen, misses) = bench.seen();
    let Some(request) = seen.iter().find(|seen| forge::means(&seen.method, &seen.target, exchange)) else {
        return unsent(tool, &outcome, !misses.is_empty(), &asked);
    };
    let wrong = |said: String| {
        let arguments = json!(asked.arguments);
        Class::Wrong(format!("{}: {said}; arguments {arguments}", tool.name))
    };
    match (back::kind(tool, exchange, &outcome), sent::differs(request, exchange)) {
        (Err(said), _) if misses.is_empty() => wrong(said),
        (Err(_), _) => Class::ReadsFirst(tool.name),
        (Ok(kind), None) => Class::Sent(kind),
        (Ok(_), Some(difference)) => match class::otherwise(tool, request, exchange, &asked.left) {
            Some(pattern) if asked.left.is_empty() => Class::Otherwise(pattern),
            Some(pattern) => Class::Unsaid(pattern),
            None => Class::Unclear(format!("{}: {difference}", tool.name)),
        },
    }
}

/// The class of a call that did not send the recorded request.
fn unsent(
    tool: &Operation,
    outcome: &Result<Outcome, OperationError>,
    has_missed: bool,
    asked: &replayed::Asked,
) -> Class {
    match (outcome, asked.left.first()) {
        (_, Some(left)) => Class::Unsaid(format!("no argument for {left}")),
        (Err(error), None) if error.code == Code::InvalidArguments => match class::rule(&error.message) {
            Some(rule) => Class::Refused(rule.to_owned()),
            None => Class::Unclear(format!("refused by no known rule: {}", error.message)),
        },
        (Ok(_), None) if class::is_by_name(tool, &asked.arguments) => {
            Class::Otherwise("a name in the path, of which the id is sent".to_owned())
        }
        _ if has_missed => Class::ReadsFirst(tool.name),
        (Err(error), None) if error.status.is_some() => {
            Class::Refused("what is looked up first is refused".to_owned())
        }
        (outcome, None) => Class::Unclear(format!("not sent: {outcome:?}; arguments {:?}", asked.arguments)),
    }
}

/// Calls a tool, and where the pages of a list are cut here goes on to its last, as to the last rows of a page that holds more
/// than were asked for.
async fn called(
    bench: &mut Bench,
    tool: &'static Operation,
    exchange: &Exchange,
    mut arguments: Map<String, Value>,
) -> Result<Outcome, OperationError> {
    let limits = Limits { max_result_bytes: ROOM, ..Limits::default() };
    let forge = bench.expect(exchange);
    arguments.insert("confirm".to_owned(), json!(true));
    arguments.insert("max_bytes".to_owned(), json!(ROOM));
    let cut_here =
        matches!(&tool.answer, Answer::List(list) if matches!(list.paging, Paging::Here | Paging::InOrder));
    let mut rows = Vec::new();
    loop {
        let mut outcome = run(&forge, tool, arguments.clone(), &limits).await?;
        let Outcome::Json(Value::Object(object)) = &mut outcome else { return Ok(outcome) };
        let next = object.get("next").and_then(Value::as_object).cloned();
        let skip = next.as_ref().and_then(|next| next.get("skip")?.as_u64());
        let goes_on = cut_here || skip.is_some_and(|skip| skip > 0);
        let Some(Value::Array(items)) = object.get_mut("items").filter(|_| goes_on || !rows.is_empty())
        else {
            return Ok(outcome);
        };
        rows.append(items);
        match next.filter(|_| goes_on) {
            Some(next) => arguments.extend(next),
            None => {
                *items = rows;
                return Ok(outcome);
            }
        }
    }
}
