//! What the body of an answer that is no success says: Forgejo's own word, a text, or a web page of something before it.

use forgehand_client::{Raw, Reply};
use http::HeaderMap;
use serde_json::Value;

use super::address;

/// The most that is read of an error's body, in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// The most characters that are shown of a text that is no message.
const EXCERPT: usize = 300;

/// The most characters that are shown of a message.
const MESSAGE: usize = 2000;

/// What a body says.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The message of an object, the JSON of another value, or a text; empty where there is none.
    pub(super) message: String,
    /// Whether it is a web page, of which `message` is the text.
    pub(super) is_page: bool,
    /// Whether it is a JSON object, as all of Forgejo's own errors are.
    pub(super) is_object: bool,
    /// Whether it is an object with a message: the forge's own word. All else may be of a gateway that stands before it.
    pub(super) is_envelope: bool,
    /// A message that is only what Go writes where a text's arguments did not fit; there is no other then.
    pub(super) accident: String,
    /// What the demo forge has in place of what was asked.
    pub(super) nearest: Vec<String>,
}

/// Reads what an error's body, or where it has none a header, says.
pub(super) async fn read(reply: &mut Reply<Raw>) -> Said {
    let mut body = Vec::new();
    // A body that breaks off still says what it said.
    while let Ok(Some(chunk)) = reply.chunk().await {
        let room = BODY_LIMIT.saturating_sub(body.len());
        body.extend_from_slice(chunk.get(..room.min(chunk.len())).unwrap_or_default());
        if body.len() == BODY_LIMIT {
            break;
        }
    }
    let mut said = body_says(&body, reply.header("content-type").unwrap_or_default());
    if said.message.is_empty() {
        said.message = header_says(reply.headers());
    }
    said
}

fn header_says(headers: &HeaderMap) -> String {
    let text = ["message", "warning"].iter().find_map(|name| headers.get(*name)?.to_str().ok());
    excerpt(text.unwrap_or_default())
}

fn body_says(body: &[u8], content_type: &str) -> Said {
    // Forgejo sometimes writes a second value or a page behind the envelope: of objects, the first counts. A text that
    // only begins like JSON ("404 page not found") is text.
    let is_object = body.trim_ascii_start().starts_with(b"{");
    let value = if is_object {
        let first = serde_json::Deserializer::from_slice(body).into_iter::<Value>().next();
        first.and_then(Result::ok).or_else(|| ended(body))
    } else {
        serde_json::from_slice(body).ok()
    };
    if let Some(value) = value {
        let nearest = strings(value.get("nearest")).map(str::to_owned).collect();
        let is_envelope =
            value.get("message").and_then(Value::as_str).is_some_and(|message| !message.trim().is_empty());
        let message = envelope(&value);
        let mut said = Said { message, is_object, is_envelope, nearest, ..Said::default() };
        if is_accident(&said.message) {
            said.accident = std::mem::take(&mut said.message);
        }
        return said;
    }
    let text = String::from_utf8_lossy(body);
    let is_page = content_type.contains("html") || looks_like_page(&text);
    let message = if is_page { of_page(&text) } else { excerpt(&text) };
    Said { message, is_page, ..Said::default() }
}

/// The object whose first long text goes on behind [`BODY_LIMIT`], as if the text ended there.
fn ended(body: &[u8]) -> Option<Value> {
    // The last escape, or the last character, may be cut.
    const CUT: usize = 12;
    let starts = (0..CUT).filter_map(|cut| body.get(..body.len().checked_sub(cut)?));
    starts
        .filter(|_| body.len() == BODY_LIMIT)
        .find_map(|start| serde_json::from_slice(&[start, b"\"}"].concat()).ok())
}

/// Whether a message is nothing but what Go writes where a text's arguments did not fit, as `%!s(<nil>)`.
fn is_accident(message: &str) -> bool {
    let mut pieces = message.split("%!");
    let before = pieces.next().unwrap_or_default();
    let is_blank = |text: &str| !text.contains(char::is_alphanumeric);
    let mut rest = pieces.peekable();
    rest.peek().is_some()
        && is_blank(before)
        && rest.all(|piece| match piece.rsplit_once(')') {
            Some((_, after)) => is_blank(after),
            None => false,
        })
}

/// The strings of an array; nothing of anything else.
fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The sentence of Forgejo's envelope `{message, errors?, url}`; of other JSON, the JSON.
fn envelope(value: &Value) -> String {
    let Value::Object(fields) = value else {
        return match value {
            Value::Null => String::new(),
            Value::String(text) => excerpt(text),
            other => excerpt(&other.to_string()),
        };
    };
    let mut message = fields.get("message").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let errors: Vec<&str> = strings(fields.get("errors")).collect();
    if !errors.is_empty() {
        let between = if message.is_empty() { "" } else { ": " };
        message = format!("{message}{between}{}", errors.join("; "));
    }
    // What else the envelope holds, as the topics that are not valid.
    for (name, value) in fields {
        let known = matches!(name.as_str(), "message" | "errors" | "url" | "nearest");
        if !known && !matches!(value, Value::Null) {
            message = format!("{message} ({name}: {})", excerpt(&value.to_string())).trim_start().to_owned();
        }
    }
    shortened(message, MESSAGE)
}

/// Whether what came in place of JSON is a web page.
pub(super) fn is_page(reply: &Reply<Raw>, text: &str) -> bool {
    reply.header("content-type").is_some_and(|kind| kind.contains("html")) || looks_like_page(text)
}

/// Whether what came in place of a text or of bytes is a web page: HTML by its type and no file, since the forge names each
/// file that it sends, and sends those that are HTML as plain text.
pub(super) fn is_page_for_file(reply: &Reply<Raw>) -> bool {
    reply.header("content-type").is_some_and(|kind| kind.contains("html"))
        && reply.header("content-disposition").is_none()
}

/// That a web page came in place of something, and what it says.
pub(super) fn in_place_of(of: &str, page: &str) -> String {
    let colon = if page.is_empty() { "" } else { ": " };
    format!("the forge answered a web page in place of {of}{colon}{page}")
}

/// Whether a text is a web page.
fn looks_like_page(text: &str) -> bool {
    let start = text.trim_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag)))
}

/// What a web page says, on one line.
pub(super) fn of_page(page: &str) -> String {
    excerpt(&without_tags(page))
}

/// The text of a web page: no tags, scripts or styles.
fn without_tags(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((text, tail)) = rest.split_once('<') {
        out.push_str(text);
        out.push(' ');
        let hidden = ["script", "style"]
            .into_iter()
            .find(|name| tail.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)));
        let tail = match hidden {
            Some(name) => tail.split_once(&format!("</{name}")).map_or("", |(_, after)| after),
            None => tail,
        };
        rest = tail.split_once('>').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let out = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    out.replace("&amp;", "&")
}

/// A text on one line, cut where it is long.
pub(super) fn excerpt(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    shortened(line, EXCERPT)
}

/// A text of at most so many characters, and `…` where there were more. An address that was cut tells no longer where its
/// password ends, so that this is masked before.
pub(super) fn shortened(text: String, most: usize) -> String {
    let mut text = address::without_secrets(&text).unwrap_or(text);
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}
