//! Replies: decoded with the path of what fails, the body kept, limits held; and what a connection sends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail it"
)]

use std::collections::BTreeMap;

use bytes::Bytes;
use forgehand_client::{
    Api, BaseUrl, Connection, ConnectionError, JSON_LIMIT, OneOrMany, Part, Reply, ReplyError, Upload,
    decode, encode_form, types,
};
use proptest::prelude::*;
use serde_json::Value;

fn reply<T>(body: impl Into<Bytes>) -> Reply<T> {
    Reply::new("test", http::Response::new(body.into()).into())
}

#[test]
fn a_body_that_does_not_fit_is_named_by_its_json_path() {
    for (body, expected) in [
        (r#"[{"number": 1}, {"number": "2"}]"#, "at [1].number: invalid type: string \"2\", expected i64"),
        (r#"[{"user": {"login": 3}}]"#, "at [0].user.login: invalid type: integer `3`, expected a string"),
        (r#"[{"number": 1}"#, "at .: EOF while parsing a list"),
        (r#"[] x"#, "at .: trailing characters"),
        ("<html>", "at .: expected value"),
        ("{}", "at .: invalid type: map, expected a sequence"),
    ] {
        let error = decode::<Vec<types::Issue>>(body.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{body}: {error}");
    }
}

#[test]
fn null_and_no_body_are_an_empty_list_and_never_an_object() {
    for body in ["null", "", " null\n"] {
        let body = body.as_bytes();
        assert!(decode::<Vec<types::Issue>>(body).unwrap().is_empty());
        assert!(decode::<BTreeMap<String, String>>(body).unwrap().is_empty());
        assert!(decode::<Option<types::Comment>>(body).unwrap().is_none());
        assert!(
            matches!(decode::<OneOrMany<types::ContentsResponse>>(body).unwrap(), OneOrMany::Many(v) if v.is_empty())
        );
        assert_eq!(decode::<Value>(body).unwrap(), Value::Null);
        decode::<()>(body).unwrap();
        assert!(decode::<types::Issue>(body).is_err());
        assert!(decode::<bool>(body).is_err());
    }
    assert_eq!(decode::<types::Issue>(b"").unwrap_err().to_string(), "at .: the answer has no body");
}

#[test]
fn a_null_or_absent_field_loses_nothing_else() {
    let issue =
        decode::<types::Issue>(br#"{"number": 7, "labels": null, "user": null, "later": {"x": 1}}"#).unwrap();
    assert_eq!((issue.number, issue.labels.is_none(), issue.user.is_none()), (Some(7), true, true));
    let files = decode::<types::FilesResponse>(br#"{"files": [{"name": "a"}, null]}"#).unwrap();
    assert_eq!(files.files.unwrap().len(), 2);
}

#[test]
fn an_object_or_a_list_keeps_the_path_of_what_fails() {
    let one = decode::<OneOrMany<types::ContentsResponse>>(br#"{"name": "a"}"#).unwrap();
    assert!(matches!(one, OneOrMany::One(file) if file.name.as_deref() == Some("a")));
    let error = decode::<OneOrMany<types::ContentsResponse>>(br#"[{"name": "a"}, {"name": 1}]"#).unwrap_err();
    assert_eq!(error.path, "[1].name");
}

#[test]
fn absent_differs_from_empty_in_what_is_sent() {
    let sent = |edit: types::EditIssueOption| serde_json::to_value(edit).unwrap();
    assert_eq!(sent(types::EditIssueOption::default()), serde_json::json!({}));
    let empty = types::EditIssueOption {
        body: Some(String::new()),
        assignees: Some(Vec::new()),
        milestone: Some(0),
        unset_due_date: Some(false),
        ..Default::default()
    };
    let expected = serde_json::json!({"assignees": [], "body": "", "milestone": 0, "unset_due_date": false});
    assert_eq!(sent(empty), expected);
}

#[tokio::test]
async fn a_decode_failure_keeps_the_body() {
    let body = r#"{"number": "x"}"#;
    match reply::<types::Issue>(body).typed().await.unwrap_err() {
        ReplyError::Decode { error, body: kept } => {
            assert_eq!(error.path, "number");
            assert_eq!(kept, body);
        }
        other => panic!("{other}"),
    }
    assert_eq!(reply::<types::Issue>(r#"{"number": 3}"#).typed().await.unwrap().number, Some(3));
}

#[tokio::test]
async fn a_refusal_is_no_answer_and_keeps_its_words() {
    let refusal =
        r#"{"message": "The target couldn't be found.", "url": "https://forge.example/api/swagger"}"#;
    for (status, body) in [(404, refusal), (500, "<html>"), (303, ""), (304, ""), (404, "null")] {
        let response = http::Response::builder().status(status).body(Bytes::from(body)).unwrap();
        let error = Reply::<Option<types::Issue>>::new("test", response.into()).typed().await.unwrap_err();
        assert!(error.to_string().contains(&status.to_string()), "{error}");
        let ReplyError::Status { status: told, body: kept } = error else { panic!("{error}") };
        assert_eq!((told.as_u16(), &kept[..]), (status, body.as_bytes()));
    }
    let made = http::Response::builder().status(201).body(Bytes::from(r#"{"number": 3}"#)).unwrap();
    assert_eq!(Reply::<types::Issue>::new("test", made.into()).typed().await.unwrap().number, Some(3));
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused() {
    let body = Bytes::from(vec![b' '; JSON_LIMIT + 1]);
    let error = reply::<Vec<types::Issue>>(body).typed().await.unwrap_err();
    assert!(matches!(error, ReplyError::TooLarge { limit: JSON_LIMIT }), "{error}");
    assert_eq!(reply::<()>("abc").bytes(3).await.unwrap(), "abc");
    assert!(reply::<()>("abcd").bytes(3).await.is_err());
    assert_eq!(reply::<()>("").bytes(0).await.unwrap(), "");
}

#[tokio::test]
async fn a_connection_shows_neither_token_nor_address_in_errors() {
    let base = BaseUrl::parse("http://127.0.0.1:1").unwrap();
    assert!(matches!(Connection::new(base.clone(), Some("a\nb")).unwrap_err(), ConnectionError::Token));
    let connection = Connection::new(base, Some("hunter2")).unwrap();
    assert!(!format!("{connection:?}").contains("hunter2"));
    let error = connection.send(&Api.user_get_current().unwrap()).await.unwrap_err();
    assert!(matches!(error, ConnectionError::Send(_)));
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

proptest! {
    #[test]
    fn a_form_carries_every_byte(bytes in prop::collection::vec(any::<u8>(), 0..64), name in "[^\0]{0,12}") {
        let upload = Upload { file_name: name, media_type: None, content: bytes::Bytes::from(bytes.clone()).into() };
        let part = Part::file("attachment", &upload);
        let body = encode_form(&[part], "BOUNDARY").unwrap();
        let form = body.as_bytes().unwrap();
        let start = form.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        let end = form.len() - "\r\n--BOUNDARY--\r\n".len();
        prop_assert_eq!(&form[start..end], &bytes[..]);
        let head = std::str::from_utf8(&form[..start]).unwrap();
        prop_assert_eq!(head.lines().count(), 4);
        let bare = head.replace(r"\\", "").replace("\\\"", "");
        prop_assert_eq!(bare.matches('"').count(), 4);
    }
}
