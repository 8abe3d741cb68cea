//! Brings the bytes of an attached file: its description first, then the file from where that says it is.
//!
//! The address in the description is text of the forge's, and for a file that a release keeps elsewhere text of whoever
//! wrote it. Nothing of it but a path of two known forms is used, asked for at the configured address: no other path of the
//! forge is asked for with the token, and another host only where the caller wants it (`fetch_external`), as anybody. The
//! host in it may be another name of the same forge, and its path may begin with a sub-path that the configured address has
//! not.

use forgehand_client::untyped;
use percent_encoding::percent_decode_str;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Build, Doing, Work};
use crate::forge::ElsewhereError;
use crate::operations::{Code, OperationError, Outcome, address, refusal};

/// A file attached to an issue or pull request.
///
/// # Errors
/// What the forge refuses; a file that is kept elsewhere is an answer that names its address.
pub fn download_issue_attachment(work: Work<'_>) -> Doing<'_> {
    Box::pin(download(work, untyped::issue_get_issue_attachment))
}

/// A file attached to a comment.
///
/// # Errors
/// See [`download_issue_attachment`].
pub fn download_comment_attachment(work: Work<'_>) -> Doing<'_> {
    Box::pin(download(work, untyped::issue_get_issue_comment_attachment))
}

/// A file of a release.
///
/// # Errors
/// See [`download_issue_attachment`].
pub fn download_release_attachment(work: Work<'_>) -> Doing<'_> {
    Box::pin(download(work, untyped::repo_get_release_attachment))
}

/// The description of a file.
#[derive(Debug, Default, Deserialize)]
struct Attachment {
    #[serde(default)]
    name: String,
    #[serde(default)]
    uuid: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    browser_download_url: String,
    size: Option<u64>,
}

async fn download(mut work: Work<'_>, describe: Build) -> Result<Outcome, OperationError> {
    let call = work.call(describe, work.values.path(), Map::new())?;
    let reply = work.send(&call).await?;
    let attachment: Attachment = work.json(&call, reply).await?;
    let Some(path) = path_of(&attachment, work.values.text("owner"), work.values.text("repo")) else {
        return match work.values.flag("fetch_external") {
            true => external(&work, &attachment).await,
            false => Ok(Outcome::Json(named(attachment))),
        };
    };
    let (call, sent) = work.forge.page(&path, work.deadline).await;
    let reply = sent.map_err(|error| refusal::unanswered(work.operation, &call, error))?;
    if !reply.status().is_success() {
        return Err(refusal::refused(work.operation, &call, reply).await);
    }
    work.values.engine.local.size = attachment.size;
    work.answer(&call, reply).await
}

/// What is told of a file that is kept elsewhere.
fn named(attachment: Attachment) -> Value {
    let url = attachment.browser_download_url;
    json!({
        "external": true,
        "name": attachment.name,
        "url": address::without_secrets(&url).unwrap_or(url),
        "note": "this file is kept outside of the forge, and was not fetched; fetch_external: true fetches it, without the token",
    })
}

/// A file that is kept elsewhere, as anybody gets it.
async fn external(work: &Work<'_>, attachment: &Attachment) -> Result<Outcome, OperationError> {
    let sent = work.forge.elsewhere(&attachment.browser_download_url, work.deadline).await;
    let (call, reply) = sent.map_err(|error| {
        let code = match error {
            ElsewhereError::Failed { .. } => Code::Unreachable,
            _ => Code::Refused,
        };
        OperationError::new(code, format!("this file is kept outside of the forge: {error}"))
    })?;
    if !reply.status().is_success() {
        let status = refusal::name(reply.status());
        let said = format!("this file is kept outside of the forge, and {} answered {status}", call.target);
        return Err(OperationError::new(Code::Refused, said));
    }
    work.answer(&call, reply).await
}

/// The path of a file below the forge's address; `None` where the address is no such path.
fn path_of(attachment: &Attachment, owner: &str, repo: &str) -> Option<String> {
    if attachment.kind == "external" {
        return None;
    }
    let url = Url::parse(&attachment.browser_download_url).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let segments: Vec<&str> = url.path_segments()?.collect();
    if let [.., "attachments", uuid] = segments.as_slice() {
        let is_own = attachment.uuid.is_empty() || attachment.uuid == *uuid;
        return (is_own && is_uuid(uuid)).then(|| format!("/attachments/{uuid}"));
    }
    let start = segments.windows(4).position(|part| {
        matches!(part, [o, r, "releases", "download"]
            if o.eq_ignore_ascii_case(owner) && r.eq_ignore_ascii_case(repo))
    })?;
    let path = segments.get(start..)?;
    let is_file = path.len() >= 6 && path.iter().all(|segment| is_name(segment));
    is_file.then(|| format!("/{}", path.join("/")))
}

/// Whether a segment names one thing, also to whoever decodes it twice.
fn is_name(segment: &str) -> bool {
    let mut text = segment.to_owned();
    for _ in 0..3 {
        if matches!(text.as_str(), "" | "." | "..") || text.contains(['/', '\\', '\0', '\r', '\n']) {
            return false;
        }
        match percent_decode_str(&text).decode_utf8() {
            Ok(decoded) if decoded == text => return true,
            Ok(decoded) => text = decoded.into_owned(),
            Err(_) => return false,
        }
    }
    false
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "5759b88e-d06c-4837-a050-bbe55b50cefb";

    #[test]
    fn only_paths_of_attached_files_are_asked_for() {
        let file = format!("/attachments/{UUID}");
        let release = "/acme/widget/releases/download/v1.0/a%20b.tar.gz";
        for (address, path) in [
            (format!("https://forge.example{file}"), Some(file.as_str())),
            (format!("http://another.name:3000/git{file}"), Some(file.as_str())),
            (format!("https://forge.example{release}"), Some(release)),
            (format!("https://forge.example/git{release}"), Some(release)),
            (
                "https://forge.example/Acme/Widget/releases/download/v1/a".to_owned(),
                Some("/Acme/Widget/releases/download/v1/a"),
            ),
            ("https://elsewhere.example/widget-1.0.0.tar.gz".to_owned(), None),
            ("https://forge.example/api/v1/user/applications".to_owned(), None),
            ("https://forge.example/acme/other/releases/download/v1/a".to_owned(), None),
            (
                "https://forge.example/acme/widget/releases/download/v1/..%2f..%2fapi%2fv1%2fuser".to_owned(),
                None,
            ),
            ("https://forge.example/acme/widget/releases/download/v1/a%5cb".to_owned(), None),
            ("https://forge.example/acme/widget/releases/download/v1/%2e%2e".to_owned(), None),
            ("https://forge.example/acme/widget/releases/download/v1/a%252fb".to_owned(), None),
            ("https://forge.example/acme/widget/releases/download/v1/a%0d%0ab".to_owned(), None),
            (
                "https://forge.example/acme/widget/releases/download/v1/../../../../../api/v1/user"
                    .to_owned(),
                None,
            ),
            ("https://forge.example/acme/widget/releases/download/v1/%2e%2e/%2e%2e/x".to_owned(), None),
            (format!("https://forge.example{file}/../../api/v1/user"), None),
            (format!("https://forge.example{file}/x"), None),
            ("https://forge.example/attachments/..%2f..%2fapi%2fv1%2fuser%2fapplications".to_owned(), None),
            (format!("https://user:password@forge.example{file}?token=x#y"), Some(file.as_str())),
            (format!("ftp://forge.example{file}"), None),
            (format!("javascript:{file}"), None),
            (file.clone(), None),
            (String::new(), None),
        ] {
            let attachment = Attachment { browser_download_url: address.clone(), ..Attachment::default() };
            assert_eq!(path_of(&attachment, "acme", "widget").as_deref(), path, "{address}");
        }
    }

    #[test]
    fn an_external_file_and_the_file_of_another_attachment_are_not_asked_for() {
        let address = format!("https://forge.example/attachments/{UUID}");
        for (kind, uuid, is_asked) in [
            ("attachment", UUID, true),
            ("", "", true),
            ("external", UUID, false),
            ("attachment", "00000000-d06c-4837-a050-bbe55b50cefb", false),
        ] {
            let attachment = Attachment {
                name: "a".to_owned(),
                uuid: uuid.to_owned(),
                kind: kind.to_owned(),
                browser_download_url: address.clone(),
                size: None,
            };
            assert_eq!(path_of(&attachment, "acme", "widget").is_some(), is_asked, "{attachment:?}");
        }
    }
}
