//! Paging as the forge does it: what is left to it, it was recorded to do, and what it does not do is done here.

use std::collections::BTreeSet;

use forgehand::demo::{DemoForge, Exchange, Options, Recordings, TOKEN_PREFIX};
use forgehand::forge::{Forge, Token};
use forgehand::operations::descriptor::{Answer, Paging, Place, Run};
use forgehand::operations::table::OPERATIONS;
use forgehand::operations::{Code, Effect, Operation, Outcome, run};
use forgehand_client::BaseUrl;
use serde_json::{Map, Value, json};

use super::common::scripted::Scripted;
use super::common::{block_on, call, limits};
use super::{replayed, samples};

/// The tools that read a list.
fn lists() -> impl Iterator<Item = (&'static Operation, Paging)> {
    OPERATIONS.iter().filter(|tool| tool.effect == Effect::Read).filter_map(|tool| match &tool.answer {
        Answer::List(list) => Some((tool, list.paging)),
        _ => None,
    })
}

#[test]
fn a_page_or_limit_that_the_forge_takes_for_none_or_for_all_is_refused_by_every_list() {
    block_on(async {
        let forge = Scripted::agreeable().await;
        let mut seen = 0;
        for (tool, _) in lists() {
            let paging = tool.parameters.iter().filter(|p| matches!(p.name, "page" | "limit"));
            for parameter in paging {
                for value in [json!(0), json!(-1), json!("two"), json!("0"), json!(1.5)] {
                    let mut given = samples::required(tool);
                    given.insert(parameter.name.to_owned(), value.clone());
                    let error = call(&forge, tool, given.into()).await.unwrap_err();
                    assert_eq!(error.code, Code::InvalidArguments, "{} {value}: {error}", tool.name);
                    assert!(error.message.contains(&format!("`{}`", parameter.name)), "{error}");
                    seen += 1;
                }
            }
        }
        assert_eq!(forge.lines(), [""; 0]);
        assert!(seen > 1000, "only {seen}");
    });
}

/// The number in a query.
fn number(target: &str, name: &str) -> Option<usize> {
    let (_, query) = target.split_once('?')?;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

/// The rows of a recorded list.
fn rows(tool: &Operation, exchange: &Exchange) -> Option<usize> {
    let Answer::List(list) = &tool.answer else { return None };
    let body: Value = serde_json::from_slice(&exchange.response.bytes()?).ok()?;
    let rows = list.items.and_then(|name| body.get(name)).unwrap_or(&body);
    rows.as_array().map(Vec::len)
}

#[test]
fn what_is_left_to_the_forge_it_was_recorded_to_do() {
    let recordings = Recordings::embedded().unwrap();
    let (mut faults, mut obeyed) = (Vec::new(), BTreeSet::new());
    let left = lists().filter(|(tool, paging)| *paging == Paging::Forge && matches!(tool.run, Run::Call(_)));
    for (tool, _) in left {
        let limit = tool.parameters.iter().find(|p| p.name == "limit" && p.place == Place::Query).unwrap();
        let least = match limit.kind {
            forgehand::operations::descriptor::Kind::Integer { min, .. } => min,
            _ => panic!("{} takes no number as limit", tool.name),
        };
        let own = recordings.exchanges().iter().filter(|exchange| {
            exchange.status == 200 && tool.calls.iter().any(|call| call.operation == exchange.operation)
        });
        for exchange in own {
            let (page, limit) = (number(&exchange.target, "page"), number(&exchange.target, limit.wire));
            let (Some(1..), Some(limit)) = (page, limit) else { continue };
            if (limit as i64) < least {
                continue;
            }
            match rows(tool, exchange) {
                Some(count) if count > limit => {
                    faults.push(format!("{} {}: {count} rows", tool.name, exchange.target));
                }
                Some(1..) => _ = obeyed.insert(tool.name),
                _ => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(obeyed.len() > 70, "only {} were recorded: {obeyed:?}", obeyed.len());
}

/// Arguments of a recorded request for a list, without its paging.
fn asked(tool: &Operation, exchange: &Exchange) -> Option<Map<String, Value>> {
    let asked = replayed::arguments(tool, exchange).ok()?;
    let is_paging = |left: &String| left.starts_with("query page") || left.starts_with("query limit");
    if !asked.left.iter().all(is_paging) {
        return None;
    }
    let mut arguments = asked.arguments;
    arguments.remove("page");
    arguments.remove("limit");
    Some(arguments)
}

/// The rows that following `next` shows, and the total that was told; none where a page was never recorded.
async fn walked(
    forge: &Forge,
    tool: &'static Operation,
    mut given: Map<String, Value>,
) -> Option<(Vec<Value>, u64)> {
    let mut seen = Vec::new();
    for _ in 0..2000 {
        let Ok(Outcome::Json(Value::Object(mut page))) = run(forge, tool, given.clone(), &limits()).await
        else {
            return None;
        };
        let Some(Value::Array(items)) = page.remove("items") else { return None };
        seen.extend(items);
        match page.remove("next") {
            Some(Value::Object(next)) => given.extend(next),
            _ => return Some((seen, page.get("total")?.as_u64()?)),
        }
    }
    panic!("{} never ends: {given:?}", tool.name);
}

#[test]
fn following_next_shows_every_recorded_row_of_every_list_once() {
    let recordings = Recordings::embedded().unwrap();
    let (mut faults, mut whole) = (Vec::new(), BTreeSet::new());
    block_on(async {
        let demo = DemoForge::start(Options::default()).await.unwrap();
        for (tool, paging) in lists().filter(|(tool, _)| matches!(tool.run, Run::Call(_))) {
            let own = recordings.exchanges().iter().filter(|exchange| {
                exchange.status == 200
                    && matches!(exchange.identity.as_str(), "bob" | "admin")
                    && tool.calls.iter().any(|call| call.operation == exchange.operation)
            });
            for exchange in own.take(40) {
                let Some(mut given) = asked(tool, exchange) else { continue };
                if paging != Paging::Fixed {
                    given.insert("limit".to_owned(), json!(2));
                }
                let token = Token::new(&format!("{TOKEN_PREFIX}{}", exchange.identity));
                let forge = Forge::new(BaseUrl::parse(&demo.base_url()).unwrap(), token).direct();
                let Some((seen, total)) = walked(&forge, tool, given.clone()).await else { continue };
                let different: BTreeSet<String> = seen.iter().map(Value::to_string).collect();
                if seen.len() as u64 != total || different.len() < seen.len().min(3) {
                    faults.push(format!(
                        "{} {given:?}: {} rows, {} different, of {total}",
                        tool.name,
                        seen.len(),
                        different.len()
                    ));
                }
                if seen.len() > 2 {
                    whole.insert(tool.name);
                    break;
                }
            }
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(whole.len() > 40, "only {}: {whole:?}", whole.len());
}
