//! Gives an operation's outcome or error the form of a tool's result.
//!
//! JSON becomes structured content with the same JSON, compact, as text; text stays as it is; images are images; other
//! bytes are an embedded resource. An error is a result that a model can act on, never a protocol error.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, ResourceContents};
use serde_json::{Value, json};

use crate::operations::{OperationError, Outcome};

/// The media types that models are shown as images.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The result of a call of the tool named `tool`.
pub(crate) fn result(tool: &str, outcome: Result<Outcome, OperationError>) -> CallToolResult {
    match outcome {
        Ok(Outcome::Json(value)) => structured(value),
        Ok(Outcome::Text { text, more }) => plain(text, more),
        Ok(Outcome::Saved(saved)) => structured(saved.told()),
        Ok(Outcome::Bytes { bytes, media_type, sha }) => blob(tool, &bytes, &media_type, sha),
        Err(error) => failure(&error),
    }
}

/// An error as a result: `{"error": {code, message, …}}`.
pub(crate) fn failure(error: &OperationError) -> CallToolResult {
    let mut result = structured(json!({ "error": error }));
    result.is_error = Some(true);
    result
}

/// The same result with structured content, where it has none: its text, as `answer`.
pub(crate) fn with_structure(mut result: CallToolResult) -> CallToolResult {
    if result.structured_content.is_none() {
        let text = result.content.first().and_then(|block| block.as_text());
        result.structured_content = Some(json!({ "answer": text.map(|text| &text.text) }));
    }
    result
}

fn structured(value: Value) -> CallToolResult {
    let mut result = CallToolResult::default();
    result.content = vec![ContentBlock::text(value.to_string())];
    result.structured_content = Some(value);
    result
}

fn plain(text: String, more: Option<Value>) -> CallToolResult {
    let mut result = CallToolResult::default();
    result.content = vec![ContentBlock::text(text)];
    result.content.extend(more.map(|more| ContentBlock::text(more.to_string())));
    result
}

fn blob(tool: &str, bytes: &[u8], media_type: &str, sha: Option<String>) -> CallToolResult {
    let encoded = STANDARD.encode(bytes);
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let block = if IMAGES.contains(&essence.as_str()) {
        ContentBlock::image(encoded, essence)
    } else {
        let mut meta = MetaObject::new();
        meta.insert("size".to_owned(), json!(bytes.len()));
        let contents = ResourceContents::blob(encoded, format!("forgehand://result/{tool}"));
        ContentBlock::resource(contents.with_mime_type(media_type).with_meta(meta))
    };
    let mut facts = json!({ "media_type": media_type, "bytes": bytes.len() });
    if let (Some(sha), Some(facts)) = (sha, facts.as_object_mut()) {
        facts.insert("sha".to_owned(), sha.into());
    }
    let mut result = CallToolResult::default();
    result.content = vec![block, ContentBlock::text(facts.to_string())];
    result
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::operations::Code;

    #[track_caller]
    fn wire(outcome: Result<Outcome, OperationError>) -> Value {
        serde_json::to_value(result("probe", outcome)).unwrap()
    }

    #[test]
    fn json_is_structured_and_the_same_as_text() {
        let wire = wire(Ok(Outcome::Json(json!({ "items": [1], "total": 1 }))));
        assert_eq!(wire["structuredContent"], json!({ "items": [1], "total": 1 }));
        assert_eq!(wire["content"], json!([{ "type": "text", "text": "{\"items\":[1],\"total\":1}" }]));
        assert_eq!(wire["isError"], Value::Null);
    }

    #[test]
    fn an_error_is_a_result_with_the_error_in_both_places() {
        let wire = wire(Err(OperationError::new(Code::NotFound, "no such issue").hint("list them")));
        let error =
            json!({ "error": { "code": "not_found", "message": "no such issue", "hint": "list them" } });
        assert_eq!(wire["structuredContent"], error);
        assert_eq!(wire["content"][0]["text"], error.to_string());
        assert_eq!(wire["isError"], true);
    }

    #[test]
    fn text_stays_as_it_is_and_what_was_cut_is_told_after_it() {
        let text = "diff --git a/x b/x\r\n\t\"quoted\"\n".to_owned();
        let whole = wire(Ok(Outcome::Text { text: text.clone(), more: None }));
        assert_eq!(whole["content"], json!([{ "type": "text", "text": text }]));
        assert_eq!(whole["structuredContent"], Value::Null);
        let cut = wire(Ok(Outcome::Text { text: text.clone(), more: Some(json!({ "total": 99 })) }));
        assert_eq!(cut["content"][1]["text"], "{\"total\":99}");
    }

    #[test]
    fn images_are_images_and_other_bytes_are_resources_with_type_and_size() {
        let bytes = Bytes::from_static(&[0, 255, 10]);
        let blob = |media_type: &str| {
            let (bytes, media_type) = (bytes.clone(), media_type.to_owned());
            wire(Ok(Outcome::Bytes { bytes, media_type, sha: None }))["content"].clone()
        };
        for (media_type, shown) in [("image/png", "image/png"), ("image/JPEG; q=1", "image/jpeg")] {
            assert_eq!(blob(media_type)[0], json!({ "type": "image", "data": "AP8K", "mimeType": shown }));
        }
        // No model reads these as images.
        for media_type in ["application/zip", "image/svg+xml"] {
            let content = blob(media_type);
            let resource = &content[0]["resource"];
            assert_eq!((&resource["mimeType"], &resource["blob"]), (&json!(media_type), &json!("AP8K")));
            assert_eq!(resource["_meta"]["size"], 3);
            assert_eq!(content[1]["text"], json!({ "media_type": media_type, "bytes": 3 }).to_string());
        }
    }
}
