//! When a read is tried again, and how long to wait before.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header};
use jiff::Timestamp;

/// How often a read is tried again.
pub(super) const RETRIES: u32 = 2;

/// The wait before the first retry where the forge names none; it doubles.
const PAUSE: Duration = Duration::from_millis(100);

/// The wait that a `Retry-After` header asks for, in seconds: a number, or the time until an HTTP date.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(seconds);
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    u64::try_from(at.duration_since(Timestamp::now()).as_secs()).ok().or(Some(0))
}

/// The wait before retry number `retry` (from 0) where nothing tells another.
pub(super) fn pause(retry: u32) -> Duration {
    PAUSE.saturating_mul(2_u32.saturating_pow(retry))
}

/// The wait before a read with this answer is tried again, never none at all; `None` where it is the answer.
pub(super) fn wait(status: StatusCode, headers: &HeaderMap, retry: u32) -> Option<Duration> {
    let asked = retry_after(headers).map(|seconds| Duration::from_secs(seconds).max(pause(retry)));
    match status {
        StatusCode::TOO_MANY_REQUESTS => asked,
        status if is_busy(status) => Some(asked.unwrap_or_else(|| pause(retry))),
        _ => None,
    }
}

/// Whether a status says that the forge, or what stands before it, may answer a moment later.
fn is_busy(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

/// The wait in seconds that an answer of that status asks for, where it is one that another try may follow.
pub fn asked_wait(status: StatusCode, headers: &HeaderMap) -> Option<u64> {
    let may_follow = status == StatusCode::TOO_MANY_REQUESTS || is_busy(status);
    retry_after(headers).filter(|_| may_follow)
}
