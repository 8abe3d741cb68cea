//! What is cut goes on: following `next` from any budget yields each row of every list and each byte of every text once, in
//! order. The tools are those of the table whose answers can be cut.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;
#[path = "support/samples.rs"]
mod samples;

use std::sync::{Arc, Mutex};

use common::scripted::{Answer, Request, Scripted};
use common::{block_on, forge, limits};
use forgehand::operations::descriptor::{self, Operation, Paging};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Outcome, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

/// The rows of a page where the forge has a size of its own.
const OWN_SIZE: usize = 7;

/// What the forge has.
#[derive(Debug, Clone, Default)]
struct World {
    rows: Vec<Value>,
    text: String,
    /// Whether the forge tells totals and links.
    tells: bool,
}

/// A query's number.
fn number(request: &Request, name: &str) -> Option<usize> {
    let (_, query) = request.target.split_once('?')?;
    form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name)?.1.parse().ok()
}

impl World {
    fn answer(&self, tool: &Operation, request: &Request) -> Answer {
        let path = request.target.split('?').next().unwrap();
        if matches!(tool.answer, descriptor::Answer::Text) {
            // Where an attached file is.
            if path.contains("/assets/") {
                let file = "http://any.example/attachments/5759b88e-d06c-4837-a050-bbe55b50cefb";
                return Answer::json(200, &json!({ "browser_download_url": file }).to_string());
            }
            return Answer::new(200, "text/plain; charset=utf-8", &self.text);
        }
        let descriptor::Answer::List(list) = &tool.answer else { panic!("{}", tool.name) };
        let page = number(request, "page").unwrap_or(1);
        let size = match list.paging {
            Paging::Forge => {
                number(request, "limit").or_else(|| number(request, "per_page")).unwrap_or(usize::MAX)
            }
            Paging::Fixed => OWN_SIZE,
            Paging::Here | Paging::InOrder => usize::MAX,
        };
        let rows: Vec<&Value> = self.rows.iter().skip((page - 1).saturating_mul(size)).take(size).collect();
        let body = match list.items {
            Some(items) => json!({ items: rows }),
            None => json!(rows),
        };
        let answer = Answer::json(200, &body.to_string());
        if self.tells { answer.header("X-Total-Count", &self.rows.len().to_string()) } else { answer }
    }
}

/// All that comes when `next` is followed to its end.
struct Followed {
    pieces: Vec<Outcome>,
}

impl Followed {
    fn rows(&self) -> Vec<Value> {
        let items = |outcome: &Outcome| match outcome {
            Outcome::Json(list) => list["items"].as_array().unwrap().clone(),
            other => panic!("{other:?}"),
        };
        self.pieces.iter().flat_map(items).collect()
    }

    fn text(&self) -> String {
        self.texts().concat()
    }

    /// The pieces of text, behind the list of a long diff's files.
    fn texts(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        for outcome in &self.pieces {
            match outcome {
                Outcome::Text { text, .. } => texts.push(text.as_str()),
                Outcome::Json(list) if list["items"].is_array() => {}
                other => panic!("{other:?}"),
            }
        }
        texts
    }
}

fn next_of(outcome: &Outcome) -> Option<Map<String, Value>> {
    let beside = match outcome {
        Outcome::Json(list) => Some(list),
        Outcome::Text { more, .. } => more.as_ref(),
        Outcome::Bytes { .. } | Outcome::Saved(_) => None,
    };
    Some(beside?.get("next")?.as_object().unwrap().clone())
}

fn follow(tool: &'static Operation, world: &World, more: Value) -> Result<Followed, String> {
    block_on(async {
        let shared = Arc::new(Mutex::new(world.clone()));
        let scripted = Scripted::by(move |request| shared.lock().unwrap().answer(tool, request)).await;
        let forge = forge(&scripted);
        let mut given = samples::required(tool);
        given.extend(more.as_object().unwrap().clone());
        let budget = usize::try_from(given["max_bytes"].as_u64().unwrap()).unwrap();
        let mut pieces = Vec::new();
        // Each piece has a row, or more than half a budget of text.
        for _ in 0..2 * (world.rows.len() + world.text.len() / 100 + 5) {
            let outcome = run(&forge, tool, given.clone(), &limits()).await;
            let outcome = outcome.map_err(|error| format!("{given:?}: {error:?}"))?;
            if let Outcome::Text { text, .. } = &outcome
                && text.len() > budget
            {
                return Err(format!("{} bytes of text for a budget of {budget}", text.len()));
            }
            let next = next_of(&outcome);
            pieces.push(outcome);
            match next {
                Some(next) => given.extend(next),
                None => return Ok(Followed { pieces }),
            }
        }
        Err("it does not end".to_owned())
    })
}

fn rows() -> impl Strategy<Value = Vec<Value>> {
    proptest::collection::vec((0usize..400, "[a-zé🦀\"\\n]{0,8}"), 0..30).prop_map(|all| {
        let row = |(at, (size, text)): (usize, (usize, String))| {
            json!({ "id": at + 1, "number": at + 1, "text": format!("{text}{}", "x".repeat(size)) })
        };
        all.into_iter().enumerate().map(row).collect()
    })
}

/// Texts with long and short lines, of characters of one to four bytes.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-z é]{0,60}",
        1 => "[ü→🦀]{50,400}",
    ];
    (proptest::collection::vec(line, 1..40), any::<bool>()).prop_map(|(lines, ends)| {
        // A single short line may be what a symlink leads to.
        format!("first\n{}{}", lines.join("\n"), if ends { "\n" } else { "" })
    })
}

fn budget() -> impl Strategy<Value = usize> {
    prop_oneof![Just(200), 200usize..2000, Just(1_000_000)]
}

fn check(tool: &'static Operation, cases: u32, strategy: impl Strategy<Value = (World, Value)>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&strategy, |(world, more)| {
        let followed = follow(tool, &world, more).map_err(TestCaseError::fail)?;
        match &tool.answer {
            descriptor::Answer::List(_) => {
                let rows = followed.rows();
                prop_assert_eq!(rows.len(), world.rows.len());
                for (shown, row) in rows.iter().zip(&world.rows) {
                    // A row that no budget holds is there, and tells what was cut of it.
                    let is_cut = shown.get("truncated").is_some() && shown["id"] == row["id"];
                    prop_assert!(is_cut || shown == row, "{shown} for {row}");
                }
            }
            _ => prop_assert_eq!(followed.text(), world.text),
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{}: {error}", tool.name);
    }
}

#[test]
fn following_next_yields_each_row_of_every_list_once_and_in_order() {
    let mut seen = 0;
    for tool in OPERATIONS {
        let descriptor::Answer::List(list) = &tool.answer else { continue };
        // What a write answers has no pages.
        if !tool.parameters.iter().any(|parameter| parameter.name == "page") {
            continue;
        }
        let has_limit = tool.parameters.iter().any(|parameter| parameter.name == "limit");
        let strategy =
            (rows(), budget(), 1usize..40, any::<bool>()).prop_map(move |(rows, budget, limit, tells)| {
                // Without totals and links a page that is not full ends a list of the forge's.
                let tells = tells || list.paging == Paging::Forge;
                let mut more = json!({ "max_bytes": budget, "fields": ["*"] });
                if has_limit {
                    more["limit"] = limit.into();
                }
                (World { rows, tells, ..World::default() }, more)
            });
        check(tool, 3, strategy);
        seen += 1;
    }
    assert!(seen > 100, "only {seen} lists");
}

/// Diffs: files with hunks, each of some lines of what the strategy of texts gives.
fn diff() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    let line = prop_oneof![4 => "[ +-][a-z é]{0,30}", 1 => "[+-][ü→🦀]{50,200}", 1 => "[+-](diff --git a/x b/x|@@ -1 \\+1 @@)"];
    let hunk = proptest::collection::vec(line, 1..20).prop_map(|lines| {
        let count = |sign: char| lines.iter().filter(|line| line.starts_with([' ', sign])).count();
        format!("@@ -9,{} +9,{} @@ f\n{}\n", count('-'), count('+'), lines.join("\n"))
    });
    proptest::collection::vec(proptest::collection::vec(hunk, 0..5), 1..12).prop_map(|files| {
        let head = |at: usize| {
            format!(
                "diff --git a/f{at} b/f{at}\nold mode 100644\nnew mode 100755\n--- a/f{at}\n+++ b/f{at}\n"
            )
        };
        files.into_iter().enumerate().map(|(at, hunks)| (head(at), hunks)).collect()
    })
}

/// Where files and hunks begin, but the first hunk of each file.
fn borders(diff: &[(String, Vec<String>)]) -> Vec<usize> {
    let mut at = 0;
    let mut borders = Vec::new();
    for (head, hunks) in diff {
        borders.push(at);
        at += head.len();
        for (number, hunk) in hunks.iter().enumerate() {
            borders.extend((number > 0).then_some(at));
            at += hunk.len();
        }
    }
    borders
}

/// Whether each piece ends where a hunk begins, unless none begins in it.
fn is_hunk_exact(texts: &[&str], borders: &[usize]) -> bool {
    let mut start = 0;
    texts.iter().all(|text| {
        let end = start + text.len();
        let has_one = borders.iter().any(|border| start < *border && *border < end);
        start = end;
        !has_one || borders.contains(&end) || end == texts.iter().map(|text| text.len()).sum::<usize>()
    })
}

#[test]
fn following_next_of_a_diff_yields_each_file_and_then_each_byte_cut_where_hunks_begin() {
    let mut seen = 0;
    for tool in OPERATIONS.iter().filter(|tool| tool.parameters.iter().any(|p| p.name == "paths")) {
        let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let outcome = runner.run(&(diff(), budget(), 0usize..12), |(diff, budget, chosen)| {
            let text: String = diff.iter().map(|(head, hunks)| head.clone() + &hunks.concat()).collect();
            let world = World { text, ..World::default() };
            let given = json!({ "max_bytes": budget });
            let followed = follow(tool, &world, given.clone()).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&followed.text(), &world.text);
            prop_assert!(is_hunk_exact(&followed.texts(), &borders(&diff)), "{:?}", followed.texts());
            let is_long = world.text.len() > budget;
            let paths: Vec<Value> = followed
                .pieces
                .iter()
                .filter_map(|piece| match piece {
                    Outcome::Json(list) => list["items"].as_array(),
                    _ => None,
                })
                .flatten()
                .map(|row| row["path"].clone())
                .collect();
            let all: Vec<Value> = (0..diff.len()).map(|at| json!(format!("f{at}"))).collect();
            prop_assert_eq!(paths, if is_long { all } else { Vec::new() });

            let chosen = chosen % diff.len();
            let mut given = given;
            given["paths"] = json!([format!("f{chosen}")]);
            let followed = follow(tool, &world, given).map_err(TestCaseError::fail)?;
            let part = diff[chosen..=chosen].to_vec();
            prop_assert_eq!(followed.text(), part[0].0.clone() + &part[0].1.concat());
            prop_assert!(is_hunk_exact(&followed.texts(), &borders(&part)), "{:?}", followed.texts());
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{}: {error}", tool.name);
        }
        seen += 1;
    }
    assert!(seen >= 2, "only {seen} diffs");
}

#[test]
fn following_next_yields_every_text_byte_for_byte() {
    let mut seen = 0;
    for tool in OPERATIONS.iter().filter(|tool| matches!(tool.answer, descriptor::Answer::Text)) {
        let strategy = (text(), budget())
            .prop_map(|(text, budget)| (World { text, ..World::default() }, json!({ "max_bytes": budget })));
        check(tool, 12, strategy);
        seen += 1;
    }
    assert!(seen >= 8, "only {seen} texts");
}

/// What is left when a text is changed in one place.
fn changed(text: &str, place: usize) -> String {
    let at = text.char_indices().map(|(at, _)| at).nth(place % text.chars().count()).unwrap();
    let (before, after) = text.split_at(at);
    format!("{before}#{}", &after[after.chars().next().map_or(0, char::len_utf8)..])
}

#[test]
fn a_text_that_changes_between_its_parts_is_the_new_one_or_is_refused() {
    for tool in OPERATIONS.iter().filter(|tool| matches!(tool.answer, descriptor::Answer::Text)) {
        let config = Config { cases: 12, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let outcome = runner.run(&(text(), any::<usize>()), |(text, place)| {
            let now = changed(&text, place);
            // The parts of a long diff that is none are those of any text.
            let first = follow_part(tool, &text, samples::required(tool)).map_err(TestCaseError::fail)?;
            let Some(next) = next_of(&first) else { return Ok(()) };
            let Outcome::Text { text: start, .. } = first else { return Ok(()) };
            let mut given = samples::required(tool);
            given.extend(next);
            given.insert("max_bytes".to_owned(), 1_000_000.into());
            match follow_part(tool, &now, given) {
                Ok(Outcome::Text { text: rest, .. }) => prop_assert_eq!(format!("{start}{rest}"), now),
                Ok(other) => prop_assert!(false, "{:?}", other),
                Err(said) => prop_assert!(said.contains("Conflict") && !now.starts_with(&start), "{}", said),
            }
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{}: {error}", tool.name);
        }
    }
}

/// One part of a text, of 300 bytes unless something else is said.
fn follow_part(
    tool: &'static Operation,
    text: &str,
    mut given: Map<String, Value>,
) -> Result<Outcome, String> {
    block_on(async {
        let world = World { text: text.to_owned(), ..World::default() };
        let scripted = Scripted::by(move |request| world.answer(tool, request)).await;
        given.entry("max_bytes").or_insert(300.into());
        let outcome = run(&forge(&scripted), tool, given, &limits()).await;
        outcome.map_err(|error| format!("{error:?}"))
    })
}
