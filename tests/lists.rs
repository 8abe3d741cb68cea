//! Lists: what is asked for, whether they go on, and that following `next` yields every row once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{ADD_LABELS, LIST_COMMENTS, LIST_CONTENTS, LIST_ISSUES, LIST_RUNS};
use common::rows::{numbers, place, rows};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, call_within, forge, json, limits};
use forgehand::operations::{Code, Limits, Operation, run};
use proptest::prelude::*;
use serde_json::{Value, json};

fn link(page: u64) -> String {
    format!(
        "<https://forge.example/api/v1/x?labels=a,b&limit=1&page={page}>; rel=\"next\",\
         <https://forge.example/api/v1/x?limit=1&page=9>; rel=\"last\""
    )
}

#[test]
fn page_and_limit_are_always_sent_together_and_as_asked() {
    let cases = [
        (json!({}), "?page=1&limit=30"),
        (json!({"limit": 5}), "?page=1&limit=5"),
        (json!({"limit": 1000}), "?page=1&limit=1000"),
        (json!({"page": 3, "limit": 5}), "?page=3&limit=5"),
        (json!({"page": "3"}), "?page=3&limit=30"),
        (json!({"state": "all", "page": null}), "?state=all&page=1&limit=30"),
    ];
    block_on(async {
        for (given, query) in cases {
            let forge = Scripted::new([Answer::json(200, "[]")]).await;
            json(call(&forge, &LIST_ISSUES, place(given)).await);
            assert_eq!(forge.request().target, format!("/api/v1/repos/acme/widget/issues{query}"));
        }
    });
}

/// One answer and what it must say: page, limit, rows, `Link` (empty for none), total; the next arguments.
type ListCase<'a> = (u64, u64, u64, Option<&'a str>, Option<u64>, Option<Value>);

#[test]
fn whether_a_list_goes_on_is_what_the_forge_tells() {
    let no_link = Some("");
    let last = Some("<https://forge.example/x?page=1>; rel=\"first\"");
    let second = link(2);
    let unreadable = Some("<https://förge.example/x?page=9>; rel=\"next\"");
    let page = |page: u64| Some(json!({"page": page}));
    let sized = |page: u64, limit: u64| Some(json!({"page": page, "limit": limit}));
    let cases: &[ListCase<'_>] = &[
        // Link decides, whatever the rows.
        (1, 100, 50, Some(&second), Some(120), page(2)),
        (1, 30, 30, Some(&second), None, page(2)),
        (3, 30, 30, last, Some(999), None),
        // A link that leads nowhere new would never end.
        (2, 30, 30, Some(&second), None, page(3)),
        // A total without Link.
        (1, 30, 9, no_link, Some(9), None),
        (1, 30, 30, no_link, Some(30), None),
        (1, 30, 30, no_link, Some(31), page(2)),
        (2, 30, 1, no_link, Some(31), None),
        (3, 30, 10, no_link, Some(70), None),
        (1, 1000, 50, no_link, Some(68), sized(2, 50)),
        (2, 50, 18, no_link, Some(68), None),
        (2, 1000, 18, no_link, Some(68), page(3)),
        (3, 1000, 0, no_link, Some(68), None),
        (2, 100, 50, no_link, Some(150), page(3)),
        (1, 30, 28, no_link, Some(31), sized(2, 28)),
        (1, 30, 20, no_link, Some(50), sized(2, 20)),
        (2, 20, 20, no_link, Some(50), page(3)),
        (3, 20, 10, no_link, Some(50), None),
        (1, 30, 20, no_link, Some(20), None),
        // A Link that cannot be read decides nothing.
        (1, 30, 30, unreadable, Some(31), page(2)),
        (1, 30, 30, unreadable, Some(30), None),
        // Neither.
        (1, 30, 30, no_link, None, page(2)),
        (1, 30, 29, no_link, None, None),
        (1, 100, 50, no_link, None, page(2)),
        (1, 5, 5, no_link, None, page(2)),
        (1, 5, 4, no_link, None, None),
        // Empty.
        (9, 30, 0, no_link, Some(70), None),
    ];
    block_on(async {
        for (page, limit, count, link, total, next) in cases {
            let mut answer = Answer::json(200, &rows(0..*count).to_string());
            if let Some(link) = link.filter(|link| !link.is_empty()) {
                answer = answer.header("Link", link);
            }
            if let Some(total) = total {
                answer = answer.header("X-Total-Count", &total.to_string());
            }
            let forge = Scripted::new([answer]).await;
            let list = json(call(&forge, &LIST_ISSUES, place(json!({"page": page, "limit": limit}))).await);
            let case = format!("page {page} limit {limit} rows {count} link {link:?} total {total:?}");
            assert_eq!(list["items"].as_array().unwrap().len() as u64, *count, "{case}");
            assert_eq!(list.get("next"), next.as_ref(), "{case}");
            assert_eq!(list.get("total"), total.map(Value::from).as_ref(), "{case}");
        }
    });
}

#[test]
fn a_page_with_more_rows_than_were_asked_for_is_cut_to_them_and_says_how_it_goes_on() {
    let onwards = link(2);
    let (none, second) = (None, Some(onwards.as_str()));
    // Page, limit, skip, rows, `Link`, total; the rows shown and what leads to the others.
    let cases = [
        // All that there is, whatever the page.
        (1, 2, 0, 5, none, None, 0..2, Some(json!({"page": 1, "limit": 2, "skip": 2}))),
        (1, 2, 4, 5, none, Some(5), 4..5, None),
        (2, 2, 0, 5, none, Some(5), 2..4, Some(json!({"page": 3}))),
        (3, 2, 0, 5, none, Some(5), 4..5, None),
        (4, 2, 0, 5, none, Some(5), 0..0, None),
        (2, 2, 1, 5, none, Some(5), 3..4, Some(json!({"page": 3, "skip": 0}))),
        // A page of the server's own size.
        (1, 2, 0, 5, none, Some(9), 0..2, Some(json!({"page": 1, "limit": 2, "skip": 2}))),
        (1, 2, 2, 5, second, None, 2..4, Some(json!({"page": 1, "limit": 2, "skip": 4}))),
        (1, 2, 4, 5, none, Some(9), 4..5, Some(json!({"page": 2, "skip": 0}))),
        (2, 2, 3, 4, none, Some(9), 3..4, Some(json!({"page": 3, "skip": 0}))),
    ];
    block_on(async {
        for (page, limit, skip, count, link, total, shown, next) in cases {
            let mut answer = Answer::json(200, &rows(0..count).to_string());
            if let Some(link) = link {
                answer = answer.header("Link", link);
            }
            if let Some(total) = total {
                answer = answer.header("X-Total-Count", &i32::to_string(&total));
            }
            let forge = Scripted::new([answer]).await;
            let given = place(json!({"page": page, "limit": limit, "skip": skip}));
            let list = json(call(&forge, &LIST_ISSUES, given).await);
            let case = format!("page {page} limit {limit} skip {skip} rows {count} total {total:?}");
            assert_eq!(numbers(&list).collect::<Vec<_>>(), shown.collect::<Vec<u64>>(), "{case}");
            assert_eq!(list.get("next"), next.as_ref(), "{case}");
            assert_eq!(list.get("total"), total.map(Value::from).as_ref(), "{case}");
        }
    });
}

#[test]
fn bodies_of_every_form_are_lists() {
    let cases = [
        (&LIST_ISSUES, "null", json!({"items": []})),
        (
            &LIST_CONTENTS,
            r#"{"number": 1, "title": "t"}"#,
            json!({"items": [{"number": 1, "title": "t"}], "total": 1}),
        ),
        (&LIST_ISSUES, "[]\n[1]", json!({"items": []})),
        (&LIST_ISSUES, r#"[{"number":1,"user":null},null,7]"#, json!({"items": [{"number": 1}, null, 7]})),
        (
            &LIST_RUNS,
            r#"{"workflow_runs":[{"number":1}],"total_count":1}"#,
            json!({"items": [{"number": 1}], "total": 1}),
        ),
        (&LIST_RUNS, r#"{"total_count":0,"workflow_runs":null}"#, json!({"items": [], "total": 0})),
        (&LIST_RUNS, r#"[{"number":1}]"#, json!({"items": [{"number": 1}]})),
    ];
    block_on(async {
        for (operation, body, list) in cases {
            let forge = Scripted::new([Answer::json(200, body)]).await;
            assert_eq!(json(call(&forge, operation, place(json!({}))).await), list, "for {body}");
        }
        let forge = Scripted::new([Answer::empty(204)]).await;
        assert_eq!(json(call(&forge, &LIST_ISSUES, place(json!({}))).await), json!({"items": []}));
    });
}

#[test]
fn what_is_no_documented_list_is_shown_whole_and_never_as_an_empty_list() {
    let cases = [
        (&LIST_ISSUES, r#"{"number":1,"title":"t"}"#),
        (&LIST_ISSUES, r#"{"message":"maintenance"}"#),
        (&LIST_ISSUES, r#"[{"message":"maintenance"}]"#),
        (&LIST_ISSUES, "\"maintenance\""),
        (&LIST_ISSUES, "false"),
        (&LIST_RUNS, r#"{"ok":false,"error":"search is off"}"#),
        (&LIST_RUNS, r#"{"workflow_runs":{"number":1}}"#),
        (&LIST_RUNS, r#"{"workflow_runs":[{"message":"x"}]}"#),
        (&LIST_CONTENTS, r#"{"message":"maintenance"}"#),
        (&LIST_COMMENTS, "{}"),
    ];
    block_on(async {
        for (operation, body) in cases {
            let forge = Scripted::new([Answer::json(200, body)]).await;
            let mut given = place(json!({}));
            if std::ptr::eq(operation, &LIST_COMMENTS) {
                given["index"] = json!(1);
            }
            let list = json(call(&forge, operation, given).await);
            let whole: Value = serde_json::from_str(body).unwrap();
            assert_eq!((&list["answer"], list.get("items")), (&whole, None), "for {body}");
            assert!(list["note"].as_str().unwrap().contains("not in the form"), "{list}");
        }
        // What is too large is cut as text.
        let body = json!({"rows": rows(0..100)}).to_string();
        let forge = Scripted::new([Answer::json(200, &body)]).await;
        let list = json(call(&forge, &LIST_ISSUES, place(json!({"max_bytes": 1000}))).await);
        assert!((900..=1000).contains(&list.to_string().len()), "{}", list.to_string().len());
        let shown = list["answer"].as_str().unwrap();
        assert!(body.starts_with(shown));
        assert_eq!(
            list["truncated"],
            json!({
                "whole": list["truncated"]["whole"],
                "answer": {"shown": shown.chars().count(), "total": body.chars().count()},
            })
        );
        // Nothing at all, where the status does not say so.
        let forge = Scripted::new([Answer::empty(200)]).await;
        let error = call(&forge, &LIST_ISSUES, place(json!({}))).await.unwrap_err();
        assert_eq!((error.code, error.status), (Code::Refused, Some(200)));
        assert!(error.message.contains("200 OK without"), "{}", error.message);
        // A write is done all the same.
        for (answer, said) in [
            (Answer::empty(200), json!({"done": true, "status": 200})),
            (Answer::json(200, "null"), json!({"items": [], "total": 0})),
        ] {
            let forge = Scripted::new([answer]).await;
            assert_eq!(json(call(&forge, &ADD_LABELS, place(json!({"index": 1}))).await), said);
        }
        let forge = Scripted::new([Answer::json(200, r#"{"ok":true}"#)]).await;
        let done = json(call(&forge, &ADD_LABELS, place(json!({"index": 1}))).await);
        assert_eq!((&done["done"], &done["answer"]), (&json!(true), &json!({"ok": true})));
    });
}

#[test]
fn the_wrappers_own_count_beats_the_header() {
    block_on(async {
        let body = json!({"workflow_runs": rows(0..2), "total_count": 7}).to_string();
        let forge = Scripted::new([Answer::json(200, &body).header("X-Total-Count", "2")]).await;
        let list = json(call(&forge, &LIST_RUNS, place(json!({"limit": 2}))).await);
        assert_eq!((&list["total"], &list["next"]), (&json!(7), &json!({"page": 2})));
    });
}

#[test]
fn where_the_forge_sends_everything_the_page_is_cut_here_and_nothing_is_asked_of_it() {
    let cases = [
        (json!({}), 0..12, None),
        (json!({"limit": 5}), 0..5, Some(2)),
        (json!({"limit": 5, "page": 2}), 5..10, Some(3)),
        (json!({"limit": 5, "page": 3}), 10..12, None),
        (json!({"limit": 4, "page": 3}), 8..12, None),
        (json!({"limit": 5, "page": 4}), 0..0, None),
    ];
    block_on(async {
        for (given, shown, next) in cases {
            let forge = Scripted::new([Answer::json(200, &rows(0..12).to_string())]).await;
            let mut arguments = place(given.clone());
            arguments["index"] = json!(5);
            let list = json(call(&forge, &LIST_COMMENTS, arguments).await);
            let numbers: Vec<u64> = numbers(&list).collect();
            assert_eq!(numbers, shown.collect::<Vec<u64>>(), "for {given}");
            assert_eq!(list.get("next"), next.map(|page| json!({"page": page})).as_ref(), "for {given}");
            assert_eq!(list["total"], json!(12));
            assert_eq!(forge.request().target, "/api/v1/repos/acme/widget/issues/5/comments");
        }
    });
}

#[test]
fn pages_cut_here_hold_every_row_once_though_the_forge_changes_its_order() {
    let body = |ids: [u64; 4]| {
        ids.iter().map(|id| json!({"id": id, "number": id, "title": "t"})).collect::<Value>().to_string()
    };
    block_on(async {
        let answers = [body([339, 343, 340, 341]), body([341, 339, 343, 340])];
        let forge = Scripted::new(answers.map(|body| Answer::json(200, &body))).await;
        let mut seen = Vec::new();
        for page in [1, 2] {
            let asked = place(json!({"index": 1, "page": page, "limit": 2}));
            seen.extend(numbers(&json(call(&forge, &LIST_COMMENTS, asked).await)));
        }
        assert_eq!(seen, [339, 340, 341, 343]);
    });
}

#[test]
fn a_list_that_exceeds_the_budget_is_cut_at_a_row() {
    block_on(async {
        let body = rows(0..30).to_string();
        let forge = Scripted::new([Answer::json(200, &body).header("X-Total-Count", "70")]).await;
        let limits = Limits { max_result_bytes: 500, ..limits() };
        let list = json(call_within(&forge, &LIST_ISSUES, place(json!({})), &limits).await);
        let kept = list["items"].as_array().unwrap().len();
        assert!((5..15).contains(&kept), "{kept}");
        assert!(list.to_string().len() <= 500, "{}", list.to_string().len());
        assert_eq!(list["next"], json!({"page": 1, "limit": 30, "skip": kept}));
        // `max_bytes` beats the limits; one row is always shown.
        let list = json(call_within(&forge, &LIST_ISSUES, place(json!({"max_bytes": 40000})), &limits).await);
        assert_eq!(list["items"].as_array().unwrap().len(), 30);
        let list = json(call(&forge, &LIST_ISSUES, place(json!({"max_bytes": 200, "skip": 29}))).await);
        assert_eq!(
            (numbers(&list).collect::<Vec<_>>(), &list["next"]),
            (vec![29], &json!({"page": 2, "skip": 0}))
        );
        // A row that exceeds the budget by itself is cut.
        let body = json!([{"number": 1, "title": "ä".repeat(900)}, {"number": 2}]).to_string();
        let forge = Scripted::new([Answer::json(200, &body)]).await;
        let list = json(call(&forge, &LIST_ISSUES, place(json!({"max_bytes": 500}))).await);
        assert!((400..=500).contains(&list.to_string().len()), "{}", list.to_string().len());
        let row = &list["items"][0];
        let shown = row["title"].as_str().unwrap().chars().count();
        assert_eq!(
            row["truncated"],
            json!({"whole": row["truncated"]["whole"], "title": {"shown": shown, "total": 900}})
        );
        assert_eq!(list["next"], json!({"page": 1, "limit": 30, "skip": 1}));
    });
}

/// A forge's list: how many rows, its cap of a page, and what it tells beside them.
#[derive(Debug, Clone)]
struct World {
    rows: u64,
    cap: u64,
    link: bool,
    total: bool,
    obeys: Obeys,
}

/// What of `page` and `limit` a forge obeys.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Obeys {
    Both,
    PageAlone,
    Nothing,
}

impl World {
    fn answer(&self, page: u64, limit: u64) -> Answer {
        let (page, size) = match self.obeys {
            Obeys::Both => (page, limit.min(self.cap)),
            Obeys::PageAlone => (page, self.cap),
            Obeys::Nothing => (1, self.rows.max(1)),
        };
        let start = ((page - 1) * size).min(self.rows);
        let end = (start + size).min(self.rows);
        let mut answer = Answer::json(200, &rows(start..end).to_string());
        if self.link && end < self.rows {
            answer = answer.header("Link", &link(page + 1));
        } else if self.link && page > 1 {
            answer = answer.header("Link", "<https://forge.example/x?page=1>; rel=\"first\"");
        }
        if self.total {
            answer = answer.header("X-Total-Count", &self.rows.to_string());
        }
        answer
    }
}

/// Follows `next` to the end and gives the rows seen.
fn walk(operation: &'static Operation, world: &World, limit: u64, max_bytes: usize) -> Vec<u64> {
    block_on(async {
        let mut arguments = place(json!({"limit": limit, "max_bytes": max_bytes, "index": 1}));
        if std::ptr::eq(operation, &LIST_ISSUES) {
            arguments.as_object_mut().unwrap().remove("index");
        }
        let mut seen = Vec::new();
        let scripted = Scripted::agreeable().await;
        let forge = forge(&scripted);
        for _ in 0..400 {
            let page = arguments["page"].as_u64().unwrap_or(1);
            let limit = arguments["limit"].as_u64().unwrap();
            let answer = if std::ptr::eq(operation, &LIST_ISSUES) {
                world.answer(page, limit)
            } else {
                Answer::json(200, &rows(0..world.rows).to_string())
            };
            scripted.say(answer);
            let given = arguments.as_object().unwrap().clone();
            let list = json(run(&forge, operation, given, &limits()).await);
            seen.extend(numbers(&list));
            let Some(next) = list.get("next") else { return seen };
            arguments.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
        }
        panic!("the list never ends: {world:?}, limit {limit}, {max_bytes} bytes");
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn following_next_yields_every_row_once(
        count in 0_u64..200, cap in prop_oneof![Just(50_u64), Just(20), Just(30), Just(100)], limit in 1_u64..130,
        link in any::<bool>(), total in any::<bool>(), max_bytes in prop_oneof![Just(300_usize), Just(40_000)],
        obeys in prop_oneof![Just(Obeys::Both), Just(Obeys::PageAlone), Just(Obeys::Nothing)],
    ) {
        let limit = limit.max(count / 60 + 1);
        // Where nothing is told, a page that the server has cut looks like the last one.
        // One that is full without the server's doing looks like one that goes on.
        prop_assume!(match obeys {
            Obeys::Both => link || total || cap >= 30 || limit <= cap,
            Obeys::PageAlone => link || total,
            Obeys::Nothing => total || count > limit || count < limit.min(30),
        });
        let world = World { rows: count, cap, link, total, obeys };
        let all: Vec<u64> = (0..count).collect();
        prop_assert_eq!(walk(&LIST_ISSUES, &world, limit, max_bytes), all.clone());
        prop_assert_eq!(walk(&LIST_COMMENTS, &world, limit, max_bytes), all);
    }
}
