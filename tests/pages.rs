//! Lists whose pages are not as asked for: of the forge's own size, in its own order, or bounded whatever is asked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail"
)]

mod common;

use common::made::{INDEX, ISSUE_ROW, OWNER, PAGE, POSITIVE, REPO, parameter};
use common::rows::{numbers, place, rows};
use common::scripted::{Answer, Scripted};
use common::{block_on, call, json};
use forgehand::operations::Code;
use forgehand::operations::descriptor::{Answer as Reads, List, Paging, Place};
use serde_json::{Value, json};

operation!(
    LIST_REVISIONS,
    Read,
    "GET",
    "/repos/{owner}/{repo}/wiki/revisions/Home",
    [OWNER, REPO, PAGE],
    Reads::List(List {
        row: &ISSUE_ROW,
        items: Some("commits"),
        total: Some("count"),
        or_one: false,
        paging: Paging::Fixed
    })
);
operation!(
    LIST_PINNED,
    Read,
    "GET",
    "/repos/{owner}/{repo}/issues/pinned",
    [OWNER, REPO, parameter("page", Place::Local, POSITIVE), parameter("limit", Place::Local, POSITIVE)],
    Reads::List(List { row: &ISSUE_ROW, items: None, total: None, or_one: false, paging: Paging::InOrder })
);
// The query is the inventory's: it always sends this limit.
operation!(
    LIST_BLOCKED,
    Read,
    "GET",
    "/repos/{owner}/{repo}/issues/{index}/blocks?limit=50",
    [
        OWNER,
        REPO,
        INDEX,
        parameter("page", Place::Local, POSITIVE),
        parameter("limit", Place::Local, POSITIVE)
    ],
    Reads::List(List { row: &ISSUE_ROW, items: None, total: None, or_one: false, paging: Paging::Here })
);

#[test]
fn an_order_that_the_forge_fixes_is_kept() {
    let body = r#"[{"id":9,"number":1},{"id":2,"number":2},{"id":5,"number":3}]"#;
    block_on(async {
        for (given, seen, next) in [
            (json!({}), vec![1, 2, 3], None),
            (json!({"limit": 2}), vec![1, 2], Some(json!({"page": 2}))),
            (json!({"limit": 2, "page": 2}), vec![3], None),
        ] {
            let forge = Scripted::new([Answer::json(200, body)]).await;
            let list = json(call(&forge, &LIST_PINNED, place(given)).await);
            assert_eq!((numbers(&list).collect::<Vec<_>>(), list.get("next").cloned()), (seen, next));
            assert_eq!(list["total"], json!(3));
            assert_eq!(forge.request().target, "/api/v1/repos/acme/widget/issues/pinned");
        }
    });
}

#[test]
fn a_page_of_the_forges_own_size_is_followed_by_the_next_as_long_as_rows_may_be_left() {
    let revisions = |from: u64, to: u64, count: Option<u64>| {
        json!({"commits": rows(from..to), "count": count}).to_string()
    };
    block_on(async {
        for (page, count, total, next) in [
            (None, 4, Some(4), None),
            (Some(1), 50, Some(50), None),
            (Some(1), 50, Some(120), Some(2)),
            (Some(2), 50, Some(100), None),
            (Some(2), 50, Some(120), Some(3)),
            // Pages of 50 end here, and pages of 20 do not.
            (Some(3), 20, Some(120), Some(4)),
            (Some(4), 0, Some(120), None),
            (Some(1), 4, None, Some(2)),
            (Some(2), 0, None, None),
        ] {
            let forge = Scripted::new([Answer::json(200, &revisions(0, count, total))]).await;
            let list = json(call(&forge, &LIST_REVISIONS, place(json!({"page": page}))).await);
            assert_eq!(numbers(&list).count() as u64, count);
            assert_eq!(list.get("next"), next.map(|page| json!({"page": page})).as_ref(), "page {page:?}");
            assert_eq!(list.get("total"), total.map(Value::from).as_ref());
            let target = format!("/api/v1/repos/acme/widget/wiki/revisions/Home?page={}", page.unwrap_or(1));
            assert_eq!(forge.request().target, target);
        }
        let forge = Scripted::new([Answer::json(200, "{}")]).await;
        let error = call(&forge, &LIST_REVISIONS, place(json!({"limit": 5}))).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArguments);
        // A budget that a page exceeds is gone on with within it.
        for size in [7, 50] {
            let mut arguments = place(json!({"max_bytes": 300}));
            let mut seen = Vec::new();
            while seen.len() < 1000 {
                let page = arguments["page"].as_u64().unwrap_or(1);
                let (from, to) = (((page - 1) * size).min(69), (page * size).min(69));
                let forge = Scripted::new([Answer::json(200, &revisions(from, to, Some(69)))]).await;
                let list = json(call(&forge, &LIST_REVISIONS, arguments.clone()).await);
                seen.extend(numbers(&list));
                let Some(next) = list.get("next") else { break };
                assert_eq!(next.get("limit"), None);
                arguments.as_object_mut().unwrap().extend(next.as_object().unwrap().clone());
            }
            assert_eq!(seen, (0..69).collect::<Vec<u64>>(), "pages of {size}");
        }
    });
}

#[test]
fn a_bound_that_is_always_sent_and_is_reached_says_that_there_may_be_more() {
    block_on(async {
        for (count, told, total, note) in [
            (49, None, Some(49), None),
            (50, None, None, Some("the forge sends 50 at most here; there may be more")),
            (50, Some(50), Some(50), None),
            (50, Some(70), Some(70), Some("the forge sends only the first 50 of 70")),
            (30, Some(70), Some(70), Some("the forge sends only the first 30 of 70")),
        ] {
            let mut answer = Answer::json(200, &rows(0..count).to_string());
            if let Some(told) = told {
                answer = answer.header("X-Total-Count", &told.to_string());
            }
            let forge = Scripted::new([answer]).await;
            let list = json(call(&forge, &LIST_BLOCKED, place(json!({"index": 7, "limit": 40}))).await);
            assert_eq!(list.get("note").and_then(Value::as_str), note, "{count} of {told:?}");
            assert_eq!(list.get("total").and_then(Value::as_u64), total, "{count} of {told:?}");
            assert_eq!(list.get("next").is_some(), count > 40);
            assert_eq!(forge.request().target, "/api/v1/repos/acme/widget/issues/7/blocks?limit=50");
        }
        let forge = Scripted::new([Answer::json(200, &rows(0..50).to_string())]).await;
        let list = json(call(&forge, &LIST_BLOCKED, place(json!({"index": 7, "max_bytes": 500}))).await);
        assert!(list.to_string().len() <= 500 && list.get("note").is_some(), "{list}");
    });
}

#[test]
fn a_link_that_is_of_no_page_ends_no_list() {
    block_on(async {
        for (links, total, next) in [
            (&["</a.css>; rel=preload"][..], Some("137"), Some(2)),
            (&["</a.css>; rel=preload", "<http://h/x?page=2&limit=30>; rel=\"next\""], None, Some(2)),
            (&["<http://h/x?page=2>; rel=\"prefetch next\""], None, Some(2)),
            (&["<http://h/x?page=2>; Rel=\"Next\""], None, Some(2)),
            (&["<http://h/x?page=1>; rel=\"first\""], Some("137"), None),
            // A total that is less than what came is none.
            (&[], Some("0"), Some(2)),
            (&[], Some("10"), Some(2)),
            (&[], Some("30"), None),
        ] {
            let mut answer = Answer::json(200, &rows(1..=30).to_string());
            for link in links {
                answer = answer.header("Link", link);
            }
            if let Some(total) = total {
                answer = answer.header("X-Total-Count", total);
            }
            let forge = Scripted::new([answer]).await;
            let operation = forgehand::operations::table::OPERATIONS
                .iter()
                .find(|o| o.name == "list_repo_issues")
                .unwrap();
            let list = json(call(&forge, operation, json!({ "owner": "a", "repo": "b" })).await);
            assert_eq!(list.pointer("/next/page").and_then(Value::as_u64), next, "{links:?} {total:?}");
        }
    });
}
