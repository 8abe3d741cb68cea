//! Pages that are put together out of recorded rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use forgehand::demo::{Answer, Answered, Exchange, Recordings, Replay};

use crate::wire::Sent;
use crate::{Bench, names};

const ISSUES: &str = "/api/v1/repos/acme/widget/issues";

#[tokio::test]
async fn pages_that_were_never_recorded_hold_the_rows_of_those_that_were() {
    let mut bench = Bench::new().await;
    let all = "state=all&type=issues";
    let mut whole = Vec::new();
    for page in 1..=3 {
        let got = bench.get(&format!("{ISSUES}?{all}&page={page}&limit=50")).await;
        assert_ne!(bench.seen().answered, Answered::Miss);
        whole.extend(names(&got, "number"));
    }
    assert_eq!(whole.len(), 125);
    for (page, limit, from, to) in
        [(1, 7, 0, 7), (4, 13, 39, 52), (18, 7, 119, 125), (1, 1, 0, 1), (42, 3, 123, 125)]
    {
        let got = bench.get(&format!("{ISSUES}?limit={limit}&{all}&page={page}")).await;
        assert_eq!(names(&got, "number"), whole[from..to], "page {page} of {limit}");
        assert_eq!(bench.seen().answered, Answered::Sliced);
        assert_eq!(got.header("x-total-count"), Some("125"));
    }
    let beyond = bench.get(&format!("{ISSUES}?{all}&page=1000&limit=7")).await;
    assert_eq!((beyond.status, beyond.text()), (200, "[]"));
    let most = bench.get(&format!("{ISSUES}?{all}&page=2&limit=1000")).await;
    assert_eq!(names(&most, "number"), whole[50..100], "50 is the most that a page holds");
}

#[tokio::test]
async fn links_lead_to_the_demo_forge_itself_in_the_order_that_forgejo_has() {
    let mut bench = Bench::new().await;
    let base = format!("{}{ISSUES}", bench.forge.base_url());
    let link = |places: &[(&str, u32)]| {
        let one = |(name, page): &(&str, u32)| {
            format!("<{base}?limit=11&page={page}&state=all&type=issues>; rel=\"{name}\"")
        };
        places.iter().map(one).collect::<Vec<_>>().join(",")
    };
    for (page, expected) in [
        (1, link(&[("next", 2), ("last", 12)])),
        (3, link(&[("next", 4), ("last", 12), ("first", 1), ("prev", 2)])),
        (12, link(&[("first", 1), ("prev", 11)])),
        (13, link(&[("first", 1), ("prev", 11)])),
    ] {
        let got = bench.get(&format!("{ISSUES}?state=all&type=issues&page={page}&limit=11")).await;
        assert_eq!(got.header("link"), Some(expected.as_str()), "page {page}");
    }
    let recorded = bench.get(&format!("{ISSUES}?limit=2")).await;
    assert!(matches!(bench.seen().answered, Answered::Recorded(_)));
    assert!(
        recorded.header("link").is_some_and(|link| link.starts_with(&format!("<{base}?limit=2&page=2>")))
    );
    let single = bench.get(&format!("{ISSUES}?state=closed&type=pulls&page=1&limit=20")).await;
    assert_eq!((single.status, single.header("link")), (200, None));
}

#[tokio::test]
async fn lists_page_as_their_operation_does() {
    let mut bench = Bench::new().await;
    // target, how many rows or none for a miss: obeyed with page, alone obeyed, alone ignored, no page at all
    for (target, rows) in [
        ("/api/v1/repos/acme/widget/labels?page=2&limit=4", Some(4)),
        ("/api/v1/repos/acme/widget/labels?page=3&limit=4", Some(1)),
        ("/api/v1/repos/acme/widget/labels?limit=3", Some(9)),
        ("/api/v1/repos/acme/widget/tags?limit=5", Some(5)),
        ("/api/v1/repos/acme/widget/tags?page=2&limit=5", Some(3)),
        ("/api/v1/repos/acme/widget/pulls/149/commits?page=2&limit=20", Some(16)),
        ("/api/v1/repos/acme/widget/pulls/134/files?page=3&limit=30", Some(10)),
        ("/api/v1/user/orgs?page=1&limit=2", Some(2)),
        ("/api/v1/repos/acme/widget/wiki/pages?page=1&limit=20", Some(8)),
        ("/api/v1/repos/acme/widget/wiki/pages?page=2&limit=5", Some(3)),
        ("/api/v1/repos/acme/widget/issues/4/blocks?page=1&limit=20", Some(3)),
        ("/api/v1/repos/acme/widget/issues/4/blocks?page=1&limit=2", None),
        ("/api/v1/orgs/acme/members?page=2&limit=4", Some(2)),
        ("/api/v1/repos/acme/widget/issues?state=all&page=0&limit=9", None),
        ("/api/v1/repos/acme/widget/issues?state=all&page=two&limit=9", None),
        ("/api/v1/repos/acme/widget/issues?state=all&page=1&limit=-1", None),
        ("/api/v1/repos/acme/widget/issues?labels=never-asked-for&page=1&limit=9", None),
    ] {
        let got = bench.get(target).await;
        let found = (got.status == 200).then(|| got.json().as_array().expect("a list").len());
        assert_eq!(found, rows, "{target}: {:?}", bench.seen().answered);
    }
}

#[tokio::test]
async fn a_list_that_is_refused_is_refused_for_every_page() {
    let mut bench = Bench::new().await;
    for (target, token, status) in [
        ("/api/v1/repos/acme/widget/issues?page=3&limit=20", "token demo-bob/misc-only", 403),
        ("/api/v1/repos/acme/no-issues/issues?page=1&limit=20", "token demo-bob", 404),
        ("/api/v1/users/bob/keys?page=2&limit=7", "", 401),
        ("/api/v1/repos/acme/widget/issues?since=yesterday&page=1&limit=20", "token demo-bob", 501),
    ] {
        let mut sent = Sent::get(target, token);
        sent.headers.retain(|(_, value)| !value.is_empty());
        assert_eq!(bench.send(&sent).await.status, status, "{target}");
    }
}

#[test]
fn wrapped_lists_keep_their_wrapping() {
    let recordings = Recordings::embedded().expect("recordings");
    let page = |target: &str| {
        let like = recordings.exchanges().iter().find(|one| one.identity == "bob").expect("bob").asked();
        let answer = Replay::new(Arc::clone(&recordings)).answer(&forgehand::demo::Asked {
            method: "GET".into(),
            target: target.into(),
            headers: Vec::new(),
            body: Default::default(),
            ..like
        });
        assert_eq!(answer.from, Answered::Sliced, "{target}");
        serde_json::from_slice::<serde_json::Value>(&answer.body.expect("a body")).expect("JSON")
    };
    let found = page("/api/v1/repos/search?page=2&limit=7");
    assert_eq!((found["ok"].clone(), found["data"].as_array().expect("rows").len()), (true.into(), 7));
    let status = page(
        "/api/v1/repos/acme/widget/commits/1e0e877418d8f7661b71d91d1f721fb97b4ccbed/status?page=1&limit=20",
    );
    assert_eq!(status["statuses"].as_array().expect("rows").len(), 6);
    let tree = page("/api/v1/repos/acme/widget/git/trees/main?recursive=true&page=3&per_page=100");
    assert_eq!(tree["tree"].as_array().expect("rows").len(), 1);
    assert_eq!((tree["page"].clone(), tree["truncated"].clone()), (3.into(), true.into()));
    let runs = page("/api/v1/repos/acme/pipeline/actions/runs?page=2&limit=2");
    assert_eq!(runs["workflow_runs"].as_array().expect("rows").len(), 2);
    assert!(runs["total_count"].as_u64().expect("a total") >= 7);
}

/// Takes each recorded page away and asks the others for it. Reads of one time are compared: the walks, and the single
/// reads before any write. Teams are left out: Forgejo sends their units in another order each time.
#[test]
fn a_slice_equals_the_page_that_was_recorded() {
    let recordings = Recordings::embedded().expect("recordings");
    let mut lists: BTreeMap<(String, bool), Vec<&Exchange>> = BTreeMap::new();
    let steady = |one: &&Exchange| one.status < 500 && !one.operation.ends_with("ListTeams");
    for exchange in recordings.exchanges().iter().filter(steady) {
        let walked = exchange.scenario.contains("/crawl");
        if let Some(list) = exchange.asked().list_key() {
            lists.entry((list, walked)).or_default().push(exchange);
        }
    }
    let (mut equal, mut operations) = (0, std::collections::BTreeSet::new());
    let mut wrong = Vec::new();
    for pages in lists.values() {
        for (at, page) in pages.iter().enumerate() {
            let key = page.asked().key();
            let others = pages.iter().filter(|other| other.asked().key() != key);
            let known = Recordings::new(others.map(|other| (*other).clone()).collect());
            let Answer { mut headers, body, from, .. } = Replay::new(Arc::new(known)).answer(&page.asked());
            if from != Answered::Sliced {
                continue;
            }
            headers.sort();
            if body == page.response.bytes() && headers == page.response.headers {
                equal += 1;
                operations.insert(page.operation.as_str());
            } else {
                wrong.push(format!(
                    "{at} {} {} {headers:?} {:?}",
                    page.scenario, page.target, page.response.headers
                ));
            }
        }
    }
    println!("{equal} slices of {} operations equal what was recorded", operations.len());
    assert_eq!(wrong, Vec::<String>::new());
    assert!(equal > 300 && operations.len() > 30, "{equal} slices, {operations:?}");
}
