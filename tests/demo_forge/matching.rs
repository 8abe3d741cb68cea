//! Who asks, and when two requests are the same one.

use forgehand::demo::{Answered, Asked};

use crate::Bench;
use crate::wire::Sent;

#[tokio::test]
async fn the_authorization_header_says_who_asks() {
    let cases = [
        (None, "anonymous"),
        (Some("token demo-bob"), "bob"),
        (Some("TOKEN demo-carol"), "carol"),
        (Some("Bearer demo-bob/read-only"), "bob/read-only"),
        (Some("bearer demo-admin"), "admin"),
        (Some("token demo-nobody"), "bad-token"),
        (Some("token demo-"), "bad-token"),
        (Some("token 0123456789"), "bad-token"),
        (Some("demo-bob"), "bad-token"),
        // mallory:fake-password-1, mallory:wrong, carol:fake-password-1 (who was not recorded), no base64
        (Some("Basic bWFsbG9yeTpmYWtlLXBhc3N3b3JkLTE="), "mallory/basic"),
        (Some("Basic bWFsbG9yeTp3cm9uZw=="), "bad-token"),
        (Some("Basic Y2Fyb2w6ZmFrZS1wYXNzd29yZC0x"), "bad-token"),
        (Some("Basic ***"), "bad-token"),
    ];
    let mut bench = Bench::new().await;
    for (header, identity) in cases {
        let mut sent = Sent { method: "GET", target: "/api/v1/user", ..Sent::default() };
        sent.headers.extend(header.map(|value| ("authorization", value)));
        bench.send(&sent).await;
        assert_eq!(bench.seen().identity, identity, "{header:?}");
    }
}

#[tokio::test]
async fn a_bad_token_and_no_token_are_refused_as_forgejo_refuses_them() {
    let mut bench = Bench::new().await;
    let target = "/api/v1/users/bob/keys?limit=1";
    let wrong = bench.send(&Sent::get(target, "token wrong")).await;
    assert_eq!(wrong.status, 401);
    let none = bench.send(&Sent { method: "GET", target, ..Sent::default() }).await;
    assert_eq!(none.status, 401);
    assert!(bench.forge.misses().is_empty());
}

fn asked(method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Asked {
    Asked {
        identity: "bob".to_owned(),
        method: method.to_owned(),
        target: target.to_owned(),
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: body.to_vec().into(),
    }
}

#[test]
fn escapes_and_the_order_of_the_query_make_no_difference_but_an_escaped_slash_does() {
    let same = [
        ("/a/b%20c", "/a/b%20c"),
        ("/a/%62c", "/a/bc"),
        ("/a/%c3%bc", "/a/ü"),
        ("/a/b%2fc", "/a/b%2Fc"),
        ("/a:b", "/a%3Ab"),
        ("/a?x=1&y=2", "/a?y=2&x=1"),
        ("/a?x=b%20c", "/a?x=b+c"),
        ("/a?x=a%2Cb", "/a?x=a,b"),
        ("/a?x", "/a?x="),
        ("/a?", "/a"),
    ];
    for (one, other) in same {
        assert_eq!(
            asked("GET", one, &[], b"").key(),
            asked("GET", other, &[], b"").key(),
            "{one} and {other}"
        );
    }
    let different = [
        ("/a/b%2Fc", "/a/b/c"),
        ("/a/b%252Fc", "/a/b%2Fc"),
        ("/a/100%", "/a/100%25"),
        ("/a/b+c", "/a/b%20c"),
        ("/a/", "/a"),
        ("/a?x=1", "/a?x=2"),
        ("/a?x=1&x=1", "/a?x=1"),
        ("/a?x=%2B", "/a?x=+"),
        ("/A", "/a"),
    ];
    for (one, other) in different {
        assert_ne!(
            asked("GET", one, &[], b"").key(),
            asked("GET", other, &[], b"").key(),
            "{one} and {other}"
        );
    }
    assert_ne!(asked("PUT", "/a", &[], b"").key(), asked("POST", "/a", &[], b"").key());
}

#[test]
fn json_bodies_are_compared_by_value() {
    let json = [("content-type", "application/json")];
    let key = |body: &str| asked("POST", "/a", &json, body.as_bytes()).key();
    assert_eq!(key(r#"{"a":1,"b":[{"c":2,"d":3}]}"#), key(r#"{ "b": [{"d":3,"c":2}], "a":1 }"#));
    assert_eq!(key(r#"{"a":"\u00fc"}"#), key(r#"{"a":"ü"}"#));
    let different = [
        (r#"{"a":null}"#, "{}"),
        ("null", "{}"),
        ("null", ""),
        (r#"{"a":[]}"#, "{}"),
        (r#"{"a":""}"#, "{}"),
        (r#"{"a":0}"#, r#"{"a":false}"#),
        (r#"{"a":"1"}"#, r#"{"a":1}"#),
        (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
        ("{}", "[]"),
    ];
    for (one, other) in different {
        assert_ne!(key(one), key(other), "{one} and {other}");
    }
}

#[test]
fn only_headers_that_change_an_answer_count() {
    let plain = asked("GET", "/a", &[], b"").key();
    for (name, value, counts) in [
        ("accept", "text/html", false),
        ("user-agent", "x", false),
        ("content-type", "application/json", false),
        ("authorization", "token demo-bob", false),
        ("range", "bytes=0-1", true),
        ("if-none-match", "\"x\"", true),
        ("if-modified-since", "Tue, 02 Jan 2024 11:04:12 GMT", true),
        ("sudo", "carol", true),
    ] {
        let other = asked("GET", "/a", &[(name, value)], b"").key();
        assert_eq!(other != plain, counts, "{name}");
    }
}

fn form(boundary: &str, name: &str, file: &str, bytes: &[u8]) -> Asked {
    let media = format!("multipart/form-data; boundary={boundary}");
    let disposition = format!("form-data; name=\"{name}\"; filename=\"{file}\"");
    let head = format!("--{boundary}\r\ncontent-type: a/b\r\nContent-Disposition: {disposition}\r\n\r\n");
    let body = [head.as_bytes(), bytes, format!("\r\n--{boundary}--\r\n").as_bytes()].concat();
    asked("POST", "/a", &[("content-type", &media)], &body)
}

#[test]
fn a_form_is_its_names_file_names_and_bytes() {
    let one = form("x", "attachment", "a.txt", b"\x00\xff\r\n");
    assert_eq!(one.key(), form("other", "attachment", "a.txt", b"\x00\xff\r\n").key());
    assert_ne!(one.key(), form("x", "attachment", "a.txt", b"\x00\xff").key());
    assert_ne!(one.key(), form("x", "attachment", "b.txt", b"\x00\xff\r\n").key());
    assert_ne!(one.key(), form("x", "file", "a.txt", b"\x00\xff\r\n").key());
    assert_eq!(form("x", "n", "a\\\"b", b"").key(), form("x", "n", "a%22b", b"").key());
}

#[tokio::test]
async fn a_recorded_upload_is_found_whatever_the_boundary() {
    let mut bench = Bench::new().await;
    for (boundary, content, status) in [
        ("forge-recording-boundary", "attached\n", 201),
        ("other", "attached\n", 201),
        ("other", "else\n", 501),
    ] {
        let media = format!("multipart/form-data; boundary={boundary}");
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"attachment\"; filename=\"notes.txt\"\r\n\r\n\
             {content}\r\n--{boundary}--\r\n"
        );
        let target = "/api/v1/repos/acme/playground/issues/75/assets";
        let mut sent = Sent { method: "POST", ..Sent::get(target, "token demo-bob") };
        sent = sent.with("content-type", &media);
        sent.body = Some(body.into_bytes());
        assert_eq!(bench.send(&sent).await.status, status, "{boundary}, {content:?}");
    }
}

#[tokio::test]
async fn the_nth_equal_request_gets_the_nth_answer_and_the_last_repeats() {
    let mut bench = Bench::new().await;
    let recordings = bench.forge.recordings().await.expect("recordings");
    let sequences = recordings.sequences();
    let several: Vec<_> =
        sequences.iter().filter(|equal| equal.len() > 1 && equal[0].method == "GET").collect();
    assert!(several.len() > 10, "{}", several.len());
    for equal in several {
        let token = format!("token demo-{}", equal[0].identity);
        for turn in 0..equal.len() + 1 {
            let expected = &equal[turn.min(equal.len() - 1)];
            let got = bench.send(&Sent::get(&expected.target, &token)).await;
            assert_eq!(got.status, expected.status, "{}, turn {turn}", expected.scenario);
            assert_eq!(got.body, expected.response.bytes().unwrap_or_default(), "{}", expected.scenario);
            assert_eq!(bench.seen().answered, Answered::Recorded(expected.scenario.clone()));
        }
    }
}

#[tokio::test]
async fn a_test_may_start_at_a_scenario() {
    let mut bench = Bench::new().await;
    let recordings = bench.forge.recordings().await.expect("recordings");
    let sequences = recordings.sequences();
    let several = sequences.iter().find(|equal| equal.len() > 1 && equal[0].identity == "bob").expect("some");
    let last = several.last().expect("a last one");
    bench.forge.start_at(&last.scenario).await.expect("a scenario");
    let sent = Sent { method: &last.method, ..Sent::get(&last.target, "token demo-bob") };
    bench.send(&sent).await;
    assert_eq!(bench.seen().answered, Answered::Recorded(last.scenario.clone()));
    let error = bench.forge.start_at("issueGetIssue/nonsense").await.expect_err("no such scenario");
    assert!(error.to_string().contains("issueGetIssue/nonsense"), "{error}");
}
