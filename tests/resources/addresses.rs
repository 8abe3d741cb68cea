//! Addresses: what is refused before anything is sent, and what reaches the wire as itself.

use serde_json::json;

use super::common::block_on;
use super::common::scripted::{Answer, Scripted};
use super::{Client, ERAS};

/// Addresses with something wrong in them, and what the error says is expected.
const BAD: &[(&str, &str)] = &[
    ("forgejo://repo/acme/widget/issue/0", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issue/-1", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issue/01", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issue/x", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issue/1%20", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issue/99999999999999999999", "a whole number from 1"),
    ("forgejo://repo/acme/widget/label/bug", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issue/1/comment/0", "a whole number from 1"),
    ("forgejo://repo/acme/widget/mr/1/comment/2", "issue or pr"),
    ("forgejo://repo/acme/widget/ISSUE/1/comments", "issue or pr"),
    ("forgejo://repo/acme/widget/commit/be237d750e", "the full SHA"),
    ("forgejo://repo/acme/widget/commit/main", "the full SHA"),
    ("forgejo://repo/acme/widget/commit/be237d750e19be1f8e0b6200ca30575f1a3d340g", "the full SHA"),
    ("forgejo://repo/acme/widget/issues?state=merged", "open, closed or all"),
    ("forgejo://repo/acme/widget/issues?page=0", "a whole number from 1"),
    ("forgejo://repo/acme/widget/issues?limit=51", "a number from 1 to 50"),
    ("forgejo://repo/acme/widget/issues?sort=new", "accepted: state, labels, page, limit"),
    ("forgejo://repo/acme/widget/issues?page=1&page=2", "given twice"),
    ("forgejo://repo/acme/widget?x=1", "accepted: none"),
    ("forgejo://repo/acme/widget/issues?&sort", "accepted: state"),
    ("forgejo://repo/acme/widget/issues?state=&state=open", "given twice"),
    ("forgejo://repo//widget", "no empty segment"),
    ("forgejo://repo/acme/widget/", "no / at the end"),
    ("forgejo://", "no empty segment"),
    ("forgejo://repo/acme/./issues", "no . or .. segments"),
    ("forgejo://repo/acme/../issues", "no . or .. segments"),
    ("forgejo://repo/acme/%2e%2E/issues", "no . or .. segments"),
    ("forgejo://repo/acme/widget/file/main/a/../b", "no . or .. segments"),
    ("forgejo://repo/acme/widget/file/main/a%2F..%2Fb", "a path without"),
    ("forgejo://repo/acme/widget/file/main/a//b", "no empty segment"),
    ("forgejo://repo/acme/widget/wiki/a%00b", "no control characters"),
    ("forgejo://repo/acme/widget/wiki/a%0D%0Ab", "no control characters"),
    ("forgejo://repo/acme/widget/wiki/a b", "a space is %20"),
    ("forgejo://repo/acme/widget/wiki/a#b", "a # in a name is %23"),
    ("forgejo://repo/acme/widget/wiki/100%", "a % in a name is %25"),
    ("forgejo://repo/acme/widget/wiki/%zz", "two hexadecimal digits"),
    ("forgejo://repo/acme/widget/wiki/%FF", "UTF-8"),
    ("http://forge.example/acme/widget", "begins with forgejo://"),
    ("forgejo:/repo/acme/widget", "begins with forgejo://"),
    ("acme/widget", "begins with forgejo://"),
    ("", "begins with forgejo://"),
];

#[test]
fn an_address_with_a_bad_part_is_refused_before_anything_is_sent() {
    for era in ERAS {
        let mut client = Client::start(era, &[], &[("FORGEHAND_URL", "http://127.0.0.1:9")]);
        for (uri, expected) in BAD {
            let (code, message) = client.refusal(uri);
            assert_eq!(code, -32602, "{uri}: {message}");
            assert!(message.contains(expected), "{uri}: {message}");
        }
    }
}

#[test]
fn an_address_that_fits_no_template_names_all_of_them() {
    for (era, number) in [("2025-11-25", -32002), ("2026-07-28", -32602)] {
        let mut client = Client::start(era, &[], &[("FORGEHAND_URL", "http://127.0.0.1:9")]);
        for uri in ["forgejo://x/y", "forgejo://repo/acme", "forgejo://repo/a/b/issue", "forgejo://user/bob"]
        {
            let (code, message) = client.refusal(uri);
            assert_eq!(code, number, "{message}");
            for form in [
                "forgejo://owner/{owner}",
                "forgejo://user",
                "/issues{?state,labels,page,limit}",
                "/wiki/{pageName}",
            ] {
                assert!(message.contains(form), "{message}");
            }
        }
    }
}

#[test]
fn a_name_in_an_address_reaches_the_wire_as_itself() {
    let cases = [
        ("forgejo://owner/a%20b%2Fc", "/api/v1/users/a%20b%2Fc"),
        ("forgejo://owner/%C3%BCn%C3%AF%25%23", "/api/v1/users/%C3%BCn%C3%AF%25%23"),
        ("FORGEJO://owner/bob", "/api/v1/users/bob"),
        ("forgejo://owner/%62ob", "/api/v1/users/bob"),
        ("forgejo://owner/ünï", "/api/v1/users/%C3%BCn%C3%AF"),
        (
            "forgejo://repo/a/b/branch_protection/release%2F%2A%2A",
            "/api/v1/repos/a/b/branch_protections/release%2F%2A%2A",
        ),
        (
            "forgejo://repo/a/b/wiki/100%25%20of%2Fit%23%3F",
            "/api/v1/repos/a/b/wiki/page/100%25%20of%2Fit%23%3F",
        ),
        ("forgejo://repo/a/b/wiki/%2525", "/api/v1/repos/a/b/wiki/page/%2525"),
        (
            "forgejo://repo/a/b/file/feature%2Fx/docs/100%25/%23%20%C3%BC.md",
            "/api/v1/repos/a/b/raw/docs/100%25/%23%20%C3%BC.md?ref=feature%2Fx",
        ),
        ("forgejo://repo/a/b/file/main/comment/5", "/api/v1/repos/a/b/raw/comment/5?ref=main"),
    ];
    block_on(async {
        for (uri, target) in cases {
            let forge = Scripted::by(|_| Answer::json(404, &json!({ "message": "no" }).to_string())).await;
            let base = forge.base();
            let refusal = tokio::task::spawn_blocking(move || {
                let variables = [("FORGEHAND_URL", base.as_str()), ("FORGEHAND_TOKEN", "t")];
                Client::start("2025-11-25", &[], &variables).refusal(uri)
            });
            assert_eq!(refusal.await.unwrap().0, -32003, "{uri}");
            let sent = forge.lines();
            assert!(sent.iter().any(|line| line == &format!("GET {target}")), "{uri}: {sent:?}");
        }
    });
}

#[test]
fn a_query_that_is_empty_or_has_empty_values_is_as_one_that_is_not_given() {
    let mut client = Client::demo("2026-07-28");
    let list = |client: &mut Client, query: &str| {
        client.object(&format!("forgejo://repo/acme/widget/issues{query}"))["items"].clone()
    };
    let plain = list(&mut client, "");
    assert!(plain[0]["number"].is_number());
    for query in ["?", "?state=", "?state=&labels=&page=&limit=", "?state=open&"] {
        assert_eq!(list(&mut client, query), plain, "{query}");
    }
}
