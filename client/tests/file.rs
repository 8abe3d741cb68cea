//! A form whose file is read while it is sent: its length is known before, and a file that changes is no shorter upload.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "support/listener.rs"]
mod listener;

use std::fs::File;
use std::io::Write;

use forgehand_client::{Api, BaseUrl, Connection, ConnectionError, Content, FileContent, Upload};
use listener::Listener;

/// A file with that content, open for reading, and once more for changing it.
fn file(name: &str, content: &[u8]) -> (FileContent, File) {
    let path = std::env::temp_dir().join(format!("forgehand-client-{name}-{}", std::process::id()));
    let mut writing = File::create(&path).unwrap();
    writing.write_all(content).unwrap();
    let content = FileContent::new(File::open(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    (content, writing)
}

#[tokio::test]
async fn a_file_is_sent_with_the_length_that_it_had_when_it_was_opened() {
    let bytes: Vec<u8> = (0..400_003_u32).map(|n| (n % 251) as u8).collect();
    let listener = Listener::start().await;
    let base = BaseUrl::parse(&format!("http://127.0.0.1:{}", listener.port)).unwrap();
    let connection = Connection::new(base, None).unwrap();
    let (content, mut file) = file("grows", &bytes);
    let upload =
        Upload { file_name: "a".to_owned(), media_type: None, content: Content::File(content.clone()) };
    let call = Api.issue_create_issue_attachment("acme", "widget", 5, None, None, &upload).unwrap();
    file.write_all(b"more").unwrap();
    // Twice: each sending reads it from its start.
    for _ in 0..2 {
        connection.send(&call).await.unwrap();
        let asked = listener.take();
        let line = (asked[0].method.as_str(), asked[0].target.as_str());
        assert_eq!(line, ("POST", "/api/v1/repos/acme/widget/issues/5/assets"));
        let body = &asked[0].body;
        let start = body.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        assert!(body[start..start + bytes.len()] == bytes);
        assert!(body[start + bytes.len()..].starts_with(b"\r\n--forgehand-"));
        assert_eq!(asked[0].header("content-length"), Some(body.len().to_string().as_str()));
    }
    file.set_len(1000).unwrap();
    let error = connection.send(&call).await.unwrap_err();
    assert!(matches!(error, ConnectionError::Send(_)), "{error:?}");
    assert_eq!(listener.take().len(), 0);
}
