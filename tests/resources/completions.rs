//! Completions: what is offered for a variable, and that failures are silent.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::common::block_on;
use super::common::scripted::{Answer, Scripted};
use super::{Client, ERAS, asked};
use forgehand::prompts::PROMPTS;
use forgehand::resources::TEMPLATES;

const REPO: &str = "forgejo://repo/{owner}/{repo}";

/// The whole answer.
fn ask(client: &mut Client, of: Value, (name, typed): (&str, &str), known: Value) -> Value {
    let argument = json!({ "name": name, "value": typed });
    client.ask(
        "completion/complete",
        json!({ "ref": of, "argument": argument, "context": { "arguments": known } }),
    )
}

/// The values for a variable of a template below a repository.
fn values(client: &mut Client, rest: &str, typed: (&str, &str), mut known: Value) -> Vec<String> {
    for (name, value) in [("owner", "acme"), ("repo", "widget")] {
        known[name] = value.into();
    }
    let of = json!({ "type": "ref/resource", "uri": format!("{REPO}{rest}") });
    let answer = ask(client, of, typed, known);
    let completion = &answer["result"]["completion"];
    let values = completion["values"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert!(values.len() <= 100);
    // A total is told where all was read.
    match completion["total"].as_u64() {
        Some(total) => assert!(total >= values.len() as u64, "{answer}"),
        None => assert_eq!(completion["hasMore"], true, "{answer}"),
    }
    values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn each_variable_is_offered_what_the_forge_has_of_it() {
    for era in ERAS {
        let mut client = Client::demo(era);
        // The recordings are read with the first request, however long that takes.
        client.object("forgejo://repo/acme/widget");
        let none = || json!({});
        let file = "/file/{ref}/{+path}";
        let main = || json!({ "ref": "main" });
        for (rest, typed, known, first) in [
            ("", ("repo", "WI"), none(), vec!["widget"]),
            (file, ("ref", "v1"), none(), vec!["v1.1.0", "v1.0.0"]),
            (file, ("ref", "mai"), none(), vec!["main"]),
            (file, ("path", ""), none(), vec!["-dash.txt"]),
            (file, ("path", "do"), none(), vec!["docs/"]),
            (file, ("path", "READ"), none(), vec!["README.md"]),
            (file, ("path", "docs/g"), main(), vec!["docs/guide/"]),
            (file, ("path", "docs/100"), main(), vec!["docs/100%.md"]),
            ("/issue/{index}", ("index", "12"), none(), vec!["125", "124", "123", "122"]),
            ("/issue/{index}", ("index", "slow"), none(), vec!["123"]),
            ("/pr/{index}", ("index", "comm"), none(), vec!["149", "136"]),
            ("/{kind}/{index}/comments{?page,limit}", ("kind", "p"), none(), vec!["pr"]),
            ("/issues{?state,labels,page,limit}", ("state", ""), none(), vec!["open", "closed", "all"]),
            ("/issues{?state,labels,page,limit}", ("labels", "bug,needs"), none(), vec!["bug,needs triage"]),
            ("/label/{id}", ("id", "bug"), none(), vec!["6"]),
            ("/hook/{id}", ("id", ""), none(), vec!["5", "6", "7", "8"]),
            ("/branch_protection/{rule}", ("rule", "ma"), none(), vec!["main"]),
            ("/wiki/{pageName}", ("pageName", "start"), none(), vec!["Getting-Started"]),
            ("/commit/{sha}", ("sha", "670e"), none(), vec!["670e02ac64b2f41ea9dd63b3384d9e4e202938f9"]),
            ("/issue/{index}", ("owner", "ac"), none(), vec!["acme"]),
        ] {
            let offered = values(&mut client, rest, typed, known);
            assert_eq!(
                offered.get(..first.len()),
                Some(owned(&first).as_slice()),
                "{rest} {typed:?}: {offered:?}"
            );
        }
        let tag = json!({ "type": "ref/prompt", "name": "write_release_notes" });
        let answer = ask(&mut client, tag, ("tag", "v2"), json!({ "owner": "acme", "repo": "widget" }));
        assert_eq!(answer["result"]["completion"]["values"], json!(["v2.0.0-beta"]));
    }
}

#[test]
fn every_variable_of_every_template_and_prompt_is_answered_and_no_other() {
    let mut client = Client::demo("2026-07-28");
    let templates = TEMPLATES.iter().map(|template| {
        let names = template.variables().map(|variable| variable.name).chain(template.query());
        (json!({ "type": "ref/resource", "uri": template.uri }), names.collect::<Vec<_>>())
    });
    let prompts = PROMPTS.iter().map(|prompt| {
        (
            json!({ "type": "ref/prompt", "name": prompt.name }),
            prompt.arguments.iter().map(|a| a.name).collect(),
        )
    });
    for (of, names) in templates.chain(prompts) {
        for name in names {
            let answer =
                ask(&mut client, of.clone(), (name, ""), json!({ "owner": "acme", "repo": "widget" }));
            assert!(answer["result"]["completion"]["values"].is_array(), "{of} {name}: {answer}");
        }
        let answer = ask(&mut client, of.clone(), ("no_such_variable", ""), json!({}));
        assert_eq!(answer["error"]["code"], -32602, "{of}: {answer}");
    }
    for of in [
        json!({ "type": "ref/resource", "uri": "forgejo://x" }),
        json!({ "type": "ref/prompt", "name": "x" }),
    ] {
        let answer = ask(&mut client, of, ("owner", ""), json!({}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

/// The answers to some requests for the branches of a repository, and what was sent.
async fn branches(forge: Scripted, times: usize) -> (Vec<Value>, Vec<String>, Duration) {
    let base = forge.base();
    let asked = tokio::task::spawn_blocking(move || {
        let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
        let mut client = Client::start("2025-11-25", &[], &variables);
        let start = Instant::now();
        let of = || json!({ "type": "ref/resource", "uri": format!("{REPO}/file/{{ref}}/{{+path}}") });
        let known = || json!({ "owner": "a", "repo": "b" });
        let answers =
            (0..times).map(|_| ask(&mut client, of(), ("ref", "x"), known())["result"]["completion"].clone());
        (answers.collect::<Vec<_>>(), start.elapsed())
    });
    let (answers, took) = asked.await.unwrap();
    let sent = forge.lines().into_iter().filter(|line| !line.contains("/version")).collect();
    (answers, sent, took)
}

#[test]
fn what_may_not_be_seen_or_is_not_there_offers_nothing_and_is_no_error() {
    block_on(async {
        for status in [401, 403, 404, 500] {
            let forge = Scripted::by(move |_| Answer::json(status, r#"{"message":"no"}"#)).await;
            let (answers, ..) = branches(forge, 1).await;
            assert_eq!(answers[0]["values"], json!([]), "{status}");
        }
        // Where one list may be seen and another not, the one is offered.
        let forge = Scripted::by(|request| match request.target.contains("/tags") {
            true => Answer::json(403, r#"{"message":"no"}"#),
            false => Answer::json(200, r#"[{"name":"xylophone"}]"#),
        });
        assert_eq!(branches(forge.await, 1).await.0[0]["values"], json!(["xylophone"]));
    });
}

#[test]
fn a_forge_that_hangs_is_waited_for_two_seconds_and_what_is_known_is_offered() {
    block_on(async {
        let forge = Scripted::by(|request| {
            let answer = Answer::json(200, r#"[{"name":"xylophone"}]"#);
            if request.target.contains("/tags") { answer.after(Duration::from_secs(20)) } else { answer }
        });
        let (answers, _, took) = branches(forge.await, 1).await;
        assert_eq!(answers[0]["values"], json!(["xylophone"]));
        assert!(took < Duration::from_secs(3), "{took:?}");
    });
}

#[test]
fn what_was_asked_a_moment_ago_is_not_asked_again() {
    block_on(async {
        let one = |_: &_| Answer::json(200, r#"[{"name":"xylophone"}]"#).header("x-total-count", "1");
        let (answers, sent, _) = branches(Scripted::by(one).await, 3).await;
        assert!(answers.iter().all(|answer| answer["values"] == json!(["xylophone"])), "{answers:?}");
        assert_eq!(sent.len(), 2, "{sent:?}");
    });
}

/// A page of a list of so many rows, cut as the request says.
fn page_of(target: &str, count: usize, row: impl Fn(usize) -> Value) -> Answer {
    let number = |name: &str| -> Option<usize> {
        target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.parse().ok())
    };
    let (page, limit) = (number("page=").unwrap_or(1), number("limit=").unwrap_or(50).min(50));
    let rows = (0..count).skip((page - 1) * limit).take(limit).map(row);
    Answer::json(200, &Value::from_iter(rows).to_string()).header("x-total-count", &count.to_string())
}

/// What is offered for a variable below a repository of such a forge.
async fn offered(forge: &Scripted, rest: &'static str, typed: (&'static str, &'static str)) -> Value {
    asked(forge, &[], move |client| {
        let of = json!({ "type": "ref/resource", "uri": format!("{REPO}{rest}") });
        ask(client, of, typed, json!({ "owner": "acme", "repo": "widget" }))["result"]["completion"].clone()
    })
    .await
}

#[test]
fn a_name_on_any_page_is_offered_and_what_was_not_read_is_told() {
    block_on(async {
        let file = "/file/{ref}/{+path}";
        // Branches that are there; what is offered of them, the total that is told, whether there is more.
        for (count, typed, values, total, more) in [
            (130, "x129", json!(["x129"]), json!(1), json!(false)),
            (500, "x499", json!(["x499"]), json!(1), json!(false)),
            (501, "x499", json!(["x499"]), Value::Null, json!(true)),
            (501, "x500", json!([]), Value::Null, json!(true)),
        ] {
            let forge = Scripted::by(move |request| match request.target.contains("/branches") {
                true => page_of(&request.target, count, |n| json!({ "name": format!("x{n}") })),
                false => Answer::json(200, "[]"),
            });
            let told = offered(&forge.await, file, ("ref", typed)).await;
            assert_eq!(told["values"], values, "{count} {typed}");
            assert_eq!((&told["total"], &told["hasMore"]), (&total, &more), "{count} {typed}");
        }
        let forge = Scripted::by(|request| match request.target.contains("/branches") {
            true => page_of(&request.target, 130, |n| json!({ "name": format!("x{n}") })),
            false => Answer::json(200, "[]"),
        });
        let told = offered(&forge.await, file, ("ref", "x")).await;
        assert_eq!(told["values"].as_array().unwrap().len(), 100);
        assert_eq!((&told["total"], &told["hasMore"]), (&json!(130), &json!(true)));
    });
}

#[test]
fn a_title_beyond_the_first_page_is_searched_for_by_the_forge() {
    block_on(async {
        for (rest, list, kind) in
            [("/issue/{index}", "/issues", "issues"), ("/pr/{index}", "/pulls", "pulls")]
        {
            let forge = Scripted::by(move |request| {
                let target = &request.target;
                match () {
                    () if target.contains("q=slow") => {
                        page_of(target, 1, |_| json!({ "number": 7, "title": "Slow start" }))
                    }
                    () if target.contains(list) => {
                        page_of(target, 400, |n| json!({ "number": 500 - n, "title": "T" }))
                    }
                    () => Answer::json(404, "{}"),
                }
            })
            .await;
            let told = offered(&forge, rest, ("index", "slow")).await;
            assert_eq!(told["values"], json!(["7"]), "{rest}");
            assert_eq!((&told["total"], &told["hasMore"]), (&json!(1), &json!(false)), "{rest}");
            let sent = forge.lines();
            let search = sent.iter().find(|line| line.contains("q=slow")).unwrap();
            assert!(
                search.contains("/repos/acme/widget/issues?") && search.contains(&format!("type={kind}")),
                "{search}"
            );
            // A number is looked for page by page.
            assert_eq!(offered(&forge, rest, ("index", "101")).await["values"], json!(["101"]), "{rest}");
        }
    });
}

#[test]
fn a_repository_beyond_the_first_page_is_searched_for_by_the_forge() {
    block_on(async {
        let forge = Scripted::by(|request| {
            let target = &request.target;
            match () {
                () if target.contains("/repos/search") => {
                    let found = json!([{ "full_name": "acme/zebra" }, { "full_name": "other/zebra2" }]);
                    Answer::json(200, &json!({ "ok": true, "data": found }).to_string())
                        .header("x-total-count", "2")
                }
                () => page_of(target, 80, |n| json!({ "full_name": format!("acme/r{n}") })),
            }
        })
        .await;
        let told = offered(&forge, "", ("repo", "zeb")).await;
        assert_eq!((&told["values"], &told["total"]), (&json!(["zebra"]), &json!(1)));
        assert!(forge.lines().iter().any(|line| line.contains("q=zeb")), "{:?}", forge.lines());
    });
}

#[test]
fn a_label_with_a_comma_is_not_offered_since_it_would_be_two() {
    block_on(async {
        let forge = Scripted::by(|_| {
            Answer::json(200, r#"[{"id":1,"name":"a,b"},{"id":2,"name":"a c"}]"#).header("x-total-count", "2")
        })
        .await;
        let issues = "/issues{?state,labels,page,limit}";
        assert_eq!(offered(&forge, issues, ("labels", "a")).await["values"], json!(["a c"]));
        assert_eq!(offered(&forge, issues, ("labels", "x,a")).await["values"], json!(["x,a c"]));
        assert_eq!(offered(&forge, "/label/{id}", ("id", "a")).await["values"], json!(["1", "2"]));
    });
}
