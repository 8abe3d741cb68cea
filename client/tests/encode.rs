//! Path segments: encoded exactly once, and never into another route. Addresses: any spelling that people paste.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use forgehand_client::{Api, BaseUrl, BaseUrlError, segment, slashed};
use proptest::prelude::*;

/// The inverse of the encoding, as RFC 3986 has it.
fn decode(encoded: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_segment_holds_unreserved_characters_and_escapes_alone() {
    for (value, encoded) in [
        ("main", "main"),
        ("feature/x", "feature%2Fx"),
        ("a b", "a%20b"),
        ("100%", "100%25"),
        ("already%2Fencoded", "already%252Fencoded"),
        ("back\\slash", "back%5Cslash"),
        ("q?", "q%3F"),
        ("#12", "%2312"),
        ("a+b&c=d", "a%2Bb%26c%3Dd"),
        ("-._~", "-._~"),
        ("ü日", "%C3%BC%E6%97%A5"),
        ("...", "..."),
        (".x", ".x"),
        (" ", "%20"),
        ("\u{202e}", "%E2%80%AE"),
    ] {
        assert_eq!(segment("name", value).unwrap(), encoded);
    }
}

#[test]
fn what_would_be_another_route_is_refused_by_name() {
    for value in ["", ".", "..", "a/../b", "..\\admin", "x\\.", "a\0", "a\rb", "a\nb"] {
        let error = segment("owner", value).unwrap_err();
        assert_eq!((error.place, error.name.as_str()), ("path", "owner"), "{value:?}");
    }
    for value in ["", "/", "/a", "a/", "a//b", "a/../b", "./a", "a/.", "a/b\0"] {
        assert_eq!(slashed("filepath", value).unwrap_err().name, "filepath", "{value:?}");
        assert_eq!(
            Api.repo_get_contents("acme", "widget", value, None).unwrap_err().name,
            "filepath",
            "{value:?}"
        );
    }
    assert_eq!(slashed("filepath", "docs/a b/%2F.md").unwrap(), "docs/a%20b/%252F.md");
}

#[test]
fn an_address_is_understood_in_each_spelling() {
    for (text, root) in [
        ("https://forge.example", "https://forge.example"),
        (" https://forge.example/ ", "https://forge.example"),
        ("HTTPS://Forge.Example:443/", "https://forge.example"),
        ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("https://forge.example/git", "https://forge.example/git"),
        ("https://forge.example/git/", "https://forge.example/git"),
        ("https://forge.example/api/v1", "https://forge.example"),
        ("https://forge.example/git/api/v1/", "https://forge.example/git"),
    ] {
        let base = BaseUrl::parse(text).unwrap();
        assert_eq!(base.as_str(), root, "{text}");
        assert_eq!(base.api("/user"), format!("{root}/api/v1/user"), "{text}");
        let request = Api.user_get_current().unwrap().request(&base).unwrap();
        assert_eq!(request.url().as_str(), format!("{root}/api/v1/user"), "{text}");
    }
}

#[test]
fn an_address_that_is_none_is_refused_and_never_shown() {
    for (text, error) in [
        ("forge.example", BaseUrlError::Malformed),
        ("", BaseUrlError::Malformed),
        ("ftp://forge.example", BaseUrlError::Scheme),
        ("https://user:hunter2@forge.example", BaseUrlError::Credentials),
        ("https://token@forge.example", BaseUrlError::Credentials),
        ("https://forge.example/?a=hunter2", BaseUrlError::Extra),
        ("https://forge.example/#x", BaseUrlError::Extra),
    ] {
        let got = BaseUrl::parse(text).unwrap_err();
        assert!(!got.to_string().contains("hunter2"), "{got}");
        assert_eq!(got, error, "{text}");
    }
}

proptest! {
    #[test]
    fn a_segment_decodes_to_what_was_given(value in any::<String>()) {
        if let Ok(encoded) = segment("name", &value) {
            prop_assert!(!encoded.contains('/'));
            prop_assert_eq!(decode(&encoded), value);
        }
    }

    #[test]
    fn a_path_keeps_its_slashes_and_decodes_to_what_was_given(parts in prop::collection::vec("[^/\0\r\n]{1,8}", 1..5)) {
        let value = parts.join("/");
        if let Ok(encoded) = slashed("filepath", &value) {
            prop_assert_eq!(encoded.matches('/').count(), parts.len() - 1);
            prop_assert_eq!(decode(&encoded), value);
        }
    }

    #[test]
    fn whatever_can_be_built_is_carried_by_a_url_as_it_is(owner in any::<String>(), path in any::<String>(), q in any::<String>()) {
        let base = BaseUrl::parse("https://forge.example/git").unwrap();
        if let Ok(call) = Api.repo_get_contents(&owner, "widget", &path, Some(&q)) {
            let request = call.request(&base).unwrap();
            prop_assert_eq!(request.url().as_str(), base.api(&call.target));
        }
    }
}
