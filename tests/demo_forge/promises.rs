//! Answers as they were recorded, misses that help, and what the forge tells about what it was sent.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use forgehand::demo::{Answered, Body, DemoForge, Options, Recordings, WEB_BASE};
use forgehand_codegen::document::Document;

use crate::Bench;
use crate::wire::{Sent, Wire};

const WIDGET: &str = "/api/v1/repos/acme/widget";

#[tokio::test]
async fn every_recorded_exchange_is_answered_as_it_was() {
    let mut bench = Bench::new().await;
    let recordings = bench.forge.recordings().await.expect("recordings");
    let mut asked = 0;
    for exchange in recordings.sequences().iter().map(|equal| equal[0]) {
        if matches!(exchange.response.body, Body::Truncated(_)) {
            continue;
        }
        let token = authorization(&exchange.identity);
        let mut sent = Sent { method: &exchange.method, target: &exchange.target, ..Sent::default() };
        sent.headers.extend(token.as_deref().map(|token| ("authorization", token)));
        sent.headers
            .extend(exchange.request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        sent.body = exchange.request.bytes().map(|body| body.to_vec());
        let got = bench.send(&sent).await;
        assert_eq!(got.status, exchange.status, "{}", exchange.scenario);
        assert_eq!(got.body, exchange.response.bytes().unwrap_or_default(), "{}", exchange.scenario);
        for (name, value) in &exchange.response.headers {
            let own = value.replace(WEB_BASE, &bench.forge.base_url());
            assert_eq!(got.header(name), Some(own.as_str()), "{name} of {}", exchange.scenario);
        }
        asked += 1;
    }
    assert!(asked > 6_000, "{asked}");
    assert!(bench.forge.misses().is_empty());
}

fn authorization(identity: &str) -> Option<String> {
    use base64::Engine as _;
    match identity.strip_suffix("/basic") {
        Some(name) => {
            let pair = format!("{name}:{}", forgehand::demo::PASSWORD);
            Some(format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair)))
        }
        None if identity == "anonymous" => None,
        None => Some(format!("token demo-{identity}")),
    }
}

#[test]
fn every_operation_of_the_document_has_a_recorded_success() {
    let at = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/forgejo-15.0.json");
    let document: Document =
        serde_json::from_slice(&fs::read(at).expect("the document")).expect("a document");
    let recordings = Recordings::embedded().expect("recordings");
    let succeeded: HashSet<&str> = recordings
        .exchanges()
        .iter()
        .filter(|one| (200..300).contains(&one.status))
        .map(|one| one.operation.as_str())
        .collect();
    let missing: Vec<&str> = document
        .operations()
        .map(|one| one.operation.operation_id.as_str())
        .filter(|id| !succeeded.contains(id))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
    assert_eq!(document.operations().count(), 491);
}

#[test]
fn refusals_of_every_kind_are_recorded() {
    let recordings = Recordings::embedded().expect("recordings");
    for status in [301, 303, 304, 400, 401, 403, 404, 405, 406, 409, 412, 416, 422, 423, 500] {
        assert!(recordings.exchanges().iter().any(|one| one.status == status), "{status}");
    }
    let left_out = |one: &&str| one.ends_with("feature-off") || one.ends_with("other-instance");
    let names: Vec<&str> = recordings.exchanges().iter().map(|one| one.scenario.as_str()).collect();
    assert_eq!(names.iter().copied().find(|one| left_out(one)), None);
    let distinct: HashSet<&str> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len(), "scenarios are unique");
}

#[test]
fn the_recordings_stay_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let sizes = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").metadata());
    let bytes: u64 = sizes.map(|data| data.expect("its size").len()).sum();
    assert!(bytes <= 8_000_000, "{bytes} bytes of recordings");
}

#[tokio::test]
async fn a_miss_is_told_from_every_answer_and_names_what_is_near() {
    let cases = [
        ("GET", "/api/v1/repos/acme/widget/issues/999?x=1", "", "/api/v1/repos/acme/widget/issues/"),
        ("GET", "/api/v1/repos/acme/widget/issues?state=all&labels=bugs&page=1&limit=20", "", "labels=bug"),
        ("GET", "/api/v1/repos/acme/wodget", "", "/api/v1/repos/acme/"),
        ("POST", "/api/v1/repos/acme/playground/issues", r#"{"title":"never"}"#, "issueCreateIssue/"),
        (
            "GET",
            "/api/v1/repos/acme/widget/raw/data/big.txt",
            "",
            "/api/v1/repos/acme/widget/raw/data/big.txt",
        ),
    ];
    let mut bench = Bench::new().await;
    for (method, target, body, near) in cases {
        let mut sent = Sent { method, ..Sent::get(target, "token demo-bob") };
        if !body.is_empty() {
            sent = sent.with("content-type", "application/json");
            sent.body = Some(body.as_bytes().to_vec());
        }
        let got = bench.send(&sent).await;
        assert_eq!((got.status, got.header("x-not-recorded")), (501, Some("true")), "{target}");
        let told = got.json();
        assert!(told["message"].as_str().expect("a message").contains(target), "{told}");
        let nearest = told["nearest"].as_array().expect("a list");
        assert!(!nearest.is_empty() && nearest.len() <= 5, "{told}");
        assert!(nearest.iter().any(|one| one.as_str().expect("text").contains(near)), "{target}: {told}");
    }
    let missed: Vec<String> = bench.forge.misses().into_iter().map(|seen| seen.target).collect();
    assert_eq!(missed, cases.map(|(_, target, ..)| target.to_owned()));
    let elsewhere = bench.get("/favicon.ico").await;
    assert_eq!((elsewhere.status, elsewhere.json()["nearest"].clone()), (501, serde_json::json!([])));
}

#[tokio::test]
async fn what_was_sent_can_be_looked_at() {
    let mut bench = Bench::new().await;
    let target = "/api/v1/repos/acme/widget/contents/docs%2Fa%20b.md?ref=x%2By&a=b+c";
    let mut sent = Sent { method: "PUT", ..Sent::get(target, "token demo-bob") }.with("x-odd", "1");
    sent.body = Some(b"\x00\xffraw".to_vec());
    bench.send(&sent).await;
    let seen = bench.seen();
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("PUT", target));
    assert_eq!(seen.header("authorization"), Some("token demo-bob"));
    assert_eq!(seen.header("x-odd"), Some("1"));
    assert_eq!(&seen.body[..], b"\x00\xffraw");
    assert_eq!(seen.answered, Answered::Miss);
    bench.forge.forget_requests();
    assert!(bench.forge.requests().is_empty());
}

#[tokio::test]
async fn nothing_that_was_sent_is_kept_unless_that_is_asked_for() {
    let forge = DemoForge::start(Options::default()).await.expect("a demo forge");
    let mut wire = Wire::open(forge.address()).await;
    assert_eq!(wire.send(&Sent::get(WIDGET, "token demo-bob")).await.status, 200);
    assert!(forge.requests().is_empty());
}

#[tokio::test]
async fn a_body_beyond_16_mib_is_not_read() {
    let mut bench = Bench::new().await;
    let length = (16 * 1024 * 1024 + 1).to_string();
    let post = Sent { method: "POST", ..Sent::get(WIDGET, "token demo-bob") };
    let sent = post.with("content-length", &length);
    let got = tokio::time::timeout(Duration::from_secs(20), bench.send(&sent)).await.expect("an answer");
    assert_eq!((got.status, got.text()), (413, "expected a body of at most 16777216 bytes"));
    assert!(bench.forge.requests().is_empty());
}

#[tokio::test]
async fn it_may_live_below_a_path() {
    let options = Options { base_path: "/forge".to_owned(), remember: true, ..Options::default() };
    let forge = DemoForge::start(options).await.expect("a demo forge");
    let mut wire = Wire::open(forge.address()).await;
    assert_eq!(forge.base_url(), format!("http://{}/forge", forge.address()));
    let issues = "/forge/api/v1/repos/acme/widget/issues";
    let target = format!("{issues}?limit=2");
    let got = wire.send(&Sent::get(&target, "token demo-bob")).await;
    let next = format!("<http://{}{issues}?limit=2&page=2>", forge.address());
    assert!(got.status == 200 && got.header("link").is_some_and(|link| link.starts_with(&next)));
    let moved = wire.send(&Sent::get("/forge/api/v1/orgs/acme/members/carol", "token demo-eve")).await;
    assert_eq!(moved.header("location"), Some("/forge/api/v1/orgs/acme/public_members/carol"));
    let beside = wire.send(&Sent::get("/api/v1/user", "token demo-bob")).await;
    assert_eq!(beside.status, 501);
    let seen: Vec<String> = forge.requests().into_iter().map(|seen| seen.target).collect();
    assert_eq!(seen, [&target, "/forge/api/v1/orgs/acme/members/carol", "/api/v1/user"]);
}

#[tokio::test]
async fn odd_answers_arrive_as_forgejo_sends_them() {
    let mut bench = Bench::new().await;

    let ranged = Sent::get("/api/v1/repos/acme/widget/raw/data/big.txt", "token demo-bob");
    let part = bench.send(&ranged.with("range", "bytes=100-199")).await;
    assert_eq!((part.status, part.body.len()), (206, 100));
    assert_eq!(part.header("content-range"), Some("bytes 100-199/2080000"));

    let tag = "\"7a076fe63fe0bbcdd1fbb66a2c1a5826886e61e4\"";
    let readme = Sent::get("/api/v1/repos/acme/widget/media/README.md", "token demo-bob");
    let unchanged = bench.send(&readme.with("if-none-match", tag)).await;
    assert_eq!((unchanged.status, unchanged.body.len(), unchanged.header("etag")), (304, 0, Some(tag)));

    let elsewhere = bench.send(&Sent::get("/api/v1/orgs/acme/members/carol", "token demo-eve")).await;
    assert_eq!(elsewhere.status, 303);
    assert_eq!(elsewhere.header("location"), Some("/api/v1/orgs/acme/public_members/carol"));

    let latin = bench.get(&format!("{WIDGET}/raw/data/latin1.txt")).await;
    assert_eq!((latin.status, &latin.body[..]), (200, &b"caf\xe9 cr\xe8me\n"[..]));

    let starred = bench.get("/api/v1/user/starred/acme/widget").await;
    assert_eq!((starred.status, starred.body.len(), starred.header("content-type")), (204, 0, None));

    let diff = bench.get(&format!("{WIDGET}/pulls/126.diff")).await;
    assert_eq!((diff.status, diff.text().starts_with("diff --git")), (200, true));
}

#[tokio::test]
async fn acme_widget_can_be_browsed_whole() {
    let mut bench = Bench::new().await;
    let page = "?page=1&limit=30";
    for index in 1..=156 {
        for part in ["", "/comments", "/labels", "/reactions", "/assets", "/dependencies", "/blocks"] {
            let got = bench.get(&format!("{WIDGET}/issues/{index}{part}")).await;
            assert_eq!(got.status, 200, "issue {index}{part}");
        }
        // The timelines of the samples 30 to 125 were not walked.
        if !(30..=125).contains(&index) {
            let got = bench.get(&format!("{WIDGET}/issues/{index}/timeline{page}")).await;
            assert_eq!(got.status, 200, "timeline of {index}");
        }
    }
    for index in 126..=156 {
        for part in ["", ".diff", ".patch"] {
            let got = bench.get(&format!("{WIDGET}/pulls/{index}{part}")).await;
            assert_ne!(got.status, 501, "pull request {index}{part}");
        }
        for part in ["commits", "files", "reviews"] {
            let got = bench.get(&format!("{WIDGET}/pulls/{index}/{part}{page}")).await;
            assert_ne!(got.status, 501, "pull request {index}/{part}");
        }
    }
    let files = bench.get(&format!("{WIDGET}/git/trees/main?recursive=true")).await.json();
    let files = files["tree"].as_array().expect("a tree");
    assert!(files.len() > 100);
    for file in files.iter().filter(|file| file["type"] == "blob") {
        let path = file["path"].as_str().expect("a path");
        // The one is 2 MB, of which only a part was kept; of the others, 120 alike, one in ten was read.
        if path == "data/big.txt" || path.starts_with("many/") {
            continue;
        }
        let path: String = path.split('/').map(escaped).collect::<Vec<_>>().join("/");
        assert_ne!(bench.get(&format!("{WIDGET}/contents/{path}")).await.status, 501, "{path}");
    }
    for (part, query) in [
        ("branches", "page=1&limit=50"),
        ("tags", "page=1&limit=20"),
        ("releases", "page=1&limit=20"),
        ("labels", "page=1&limit=50"),
        ("milestones", "page=1&limit=50"),
        ("topics", "page=1&limit=20"),
        ("commits", "page=1&limit=20"),
        ("wiki/pages", "page=1&limit=50"),
        ("contents", ""),
        ("languages", ""),
    ] {
        let got = bench.get(&format!("{WIDGET}/{part}?{query}")).await;
        assert_eq!(got.status, 200, "{part}: {}", String::from_utf8_lossy(&got.body));
    }
}

fn escaped(segment: &str) -> String {
    segment.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[tokio::test]
async fn recordings_that_cannot_be_read_are_told_at_once() {
    let at = std::env::temp_dir().join(format!("forgehand-recordings-{}", std::process::id()));
    fs::create_dir_all(&at).expect("a folder");
    let good = r#"{"operation":"a","as":"bob","scenario":"a/1","request":{"method":"GET","path":"/a"},"response":{"status":200,"body":[{"x":1}]}}"#;
    let referring = |more: &str| good.replace("a/1", "a/2").replace(r#""body":[{"x":1}]"#, more);
    for (second, told) in [
        ("{".to_owned(), "b.jsonl, line 2"),
        (referring(r#""body_same_as":"a/9""#), "`a/9`"),
        (referring(r#""rows":["a/1:0-1"]"#), "`a/1:0-1`"),
        (referring(r#""rows":["a/1"]"#), "`a/1`"),
        (referring(r#""body":1,"row":"a/1:0""#), "expected one of"),
    ] {
        fs::write(at.join("b.jsonl"), format!("{good}\n{second}\n")).expect("a file");
        let options = Options { recordings: Some(at.clone()), ..Options::default() };
        let error = DemoForge::start(options).await.expect_err("bad recordings").to_string();
        assert!(error.contains(told), "{error}");
    }
    fs::write(at.join("b.jsonl"), format!("{good}\n{}\n", referring(r#""rows":["a/1:0",{"x":2}]"#)))
        .expect("a file");
    let fine = Recordings::folder(&at).expect("recordings");
    assert_eq!(fine.exchanges()[1].response.bytes().as_deref(), Some(&br#"[{"x":1},{"x":2}]"#[..]));
    fs::remove_dir_all(&at).expect("the folder removed");
}
