//! Files, diffs and wiki pages.

use serde_json::Value;

use super::entities::{object, too_large};
use super::reader::Reader;
use super::shape::text;
use super::{Block, Body, MARKDOWN, Read, ResourceError, threads};
use crate::operations::{Code, OperationError, Outcome};
use crate::tools::{kind, unlike};

pub(super) fn file(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let tool = "get_file_content";
        let arguments = reader.within_repo([("path", "path"), ("ref", "ref")]);
        Ok(vec![match reader.tools.outcome(tool, arguments).await? {
            Outcome::Text { text, more } => whole("text/plain", text, more.as_ref(), tool)?,
            Outcome::Bytes { bytes, media_type, .. } => Block { media_type, body: Body::Bytes(bytes) },
            Outcome::Json(folder) => object(folder),
            other @ Outcome::Saved(_) => {
                return Err(unlike(tool, "a file or a folder", &kind(&other).into()).into());
            }
        }])
    })
}

pub(super) fn diff(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let tool = "get_pull_request_diff";
        let read = reader.tools.outcome(tool, reader.within_repo([("index", "index")])).await;
        let answer = match read {
            Ok(answer) => answer,
            Err(error) => return Err(threads::no_pull_request(&reader, error).await),
        };
        match answer {
            Outcome::Text { text, more } => Ok(vec![whole("text/x-diff", text, more.as_ref(), tool)?]),
            Outcome::Bytes { bytes, media_type, .. } => {
                Ok(vec![Block { media_type, body: Body::Bytes(bytes) }])
            }
            Outcome::Json(files) if files.get("bytes").is_some() => {
                Err(too_large(&files.get("bytes").map_or_else(String::new, Value::to_string), tool).into())
            }
            other => Err(unlike(tool, "a diff", &kind(&other).into()).into()),
        }
    })
}

pub(super) fn wiki_page(reader: Reader<'_>) -> Read<'_> {
    Box::pin(async move {
        let arguments = reader.within_repo([("page_name", "pageName")]);
        let mut page = reader.tools.object("get_wiki_page", arguments).await?;
        let content = text(&page, "content");
        if let Value::Object(fields) = &mut page {
            fields.remove("content");
        }
        Ok(vec![object(page), Block::text(MARKDOWN, content)])
    })
}

/// A text that was not cut.
fn whole(media_type: &str, text: String, more: Option<&Value>, tool: &str) -> Result<Block, ResourceError> {
    if more.is_some_and(|more| more.get("truncated") == Some(&Value::Bool(true))) {
        let said = format!("the forge did not send all of it in time; {tool} shows what came");
        return Err(OperationError::new(Code::Timeout, said).into());
    }
    match more.filter(|more| more.get("next").is_some()) {
        None => Ok(Block::text(media_type, text)),
        Some(more) => {
            let total = more.get("total").map_or_else(|| "more".to_owned(), Value::to_string);
            Err(too_large(&total, tool).into())
        }
    }
}
