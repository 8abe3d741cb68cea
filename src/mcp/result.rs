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
        Ok(Outcome::Bytes { bytes, media_type }) => blob(tool, &bytes, &media_type),
        Err(error) => failure(&error),
    }
}

/// An error as a result: `{"error": {code, message, …}}`.
pub(crate) fn failure(error: &OperationError) -> CallToolResult {
    let mut result = structured(json!({ "error": error }));
    result.is_error = Some(true);
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

fn blob(tool: &str, bytes: &[u8], media_type: &str) -> CallToolResult {
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
    let facts = json!({ "media_type": media_type, "bytes": bytes.len() });
    let mut result = CallToolResult::default();
    result.content = vec![block, ContentBlock::text(facts.to_string())];
    result
}
