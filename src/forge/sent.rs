//! Whether a write has begun to go out: what tells a time-out that changed nothing from one whose outcome is open.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use reqwest::Request;

/// Set as soon as a connection asks for the request's body, which it does before the first byte goes out. Never set too
/// late; where it is set too early, an outcome is called open that is not.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent(Arc<AtomicBool>);

impl Sent {
    /// Watches a request, with or without body.
    pub(super) fn watch(&self, request: &mut Request) {
        let inner = request.body_mut().take().unwrap_or_else(|| reqwest::Body::from(Bytes::new()));
        *request.body_mut() = Some(reqwest::Body::wrap(Watched { inner, sent: self.clone() }));
    }

    /// Whether something may have gone out.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Watched {
    inner: reqwest::Body,
    sent: Sent,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = reqwest::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, reqwest::Error>>> {
        self.sent.set();
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.sent.set();
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
