//! The rest of a large file, without what was seen of it already.
//!
//! What of a file was shown is told by its bytes, except in UTF-16; so where one goes on far behind its start, the forge is
//! asked for the bytes from there on (`Range`, which Forgejo takes for the files of a repository, and does not for diffs).
//! The whole of it has been asked for by then, since its start tells the encoding; no more of that is read than the start,
//! unless the forge sends something else than those bytes, or they are no UTF-8 by themselves.

use forgehand_client::{Raw, Reply};
use http::{HeaderValue, StatusCode, header};
use serde_json::Value;

use super::answer::Context;
use super::descriptor::Effect;
use super::lines;
use super::outcome::Outcome;
use super::text::{cut, text_border, text_of};

/// From which offset on bytes are asked for alone: below it, reading from the start costs less than another request.
const FAR: u64 = 256 * 1024;

impl Context<'_> {
    /// The text that follows what was seen; `whole` is the answer that has all of it, and none of it is read. `None` where it
    /// must be: where this is no file of a repository, facts about all of it are wanted, or its rest cannot be had so.
    pub(super) async fn rest(&self, whole: &Reply<Raw>) -> Option<Outcome> {
        let offset = self.engine.passed();
        let is_own = self.operation.calls.iter().any(|own| own.operation == self.call.operation);
        let wants_all = self.engine.range.is_some() || self.engine.with_metadata;
        let version = self.version(whole);
        // What passed tells whether it is still the same where nothing else does.
        let is_checked = version.is_some() || self.engine.as_of.is_none();
        if offset < FAR || !is_own || wants_all || !is_checked || self.operation.effect != Effect::Read {
            return None;
        }
        let mut call = self.call.clone();
        call.headers.insert(header::RANGE, HeaderValue::try_from(format!("bytes={offset}-")).ok()?);
        // Bytes of another state of the file do not follow what was seen.
        let tag = whole.header("etag").filter(|tag| tag.starts_with('"'))?;
        call.headers.insert(header::IF_RANGE, HeaderValue::try_from(tag).ok()?);
        let mut reply = self.forge.send(&call, true, self.deadline).await.ok()?;
        let total =
            (reply.status() == StatusCode::PARTIAL_CONTENT).then(|| total_behind(&reply, offset))??;
        let mut body = Vec::new();
        while body.len() <= self.max
            && let Some(chunk) = reply.chunk().await.ok()?
        {
            body.extend_from_slice(&chunk);
        }
        let is_cut = body.len() > self.max;
        if !is_cut && offset + body.len() as u64 != total {
            return None;
        }
        if is_cut {
            body.truncate(text_border(&body, self.max)?);
        }
        let text = text_of(body).ok()?;
        let more = is_cut.then(|| {
            let mut more = cut(text.len(), Some(total));
            more.insert("next".to_owned(), lines::from(offset + text.len() as u64, version));
            Value::Object(more)
        });
        Some(Outcome::Text { text, more })
    }
}

/// The size of all of it, where the part begins behind so many bytes: `bytes 600-999/1000`.
fn total_behind(reply: &Reply<Raw>, offset: u64) -> Option<u64> {
    let told = reply.header("content-range")?.strip_prefix("bytes ")?;
    let (part, total) = told.split_once('/')?;
    let (start, _) = part.split_once('-')?;
    (start.parse() == Ok(offset)).then(|| total.parse().ok())?
}
