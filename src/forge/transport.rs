//! Sends a call: the instance's version, credentials, deadline, retries of reads, redirects of reads within the
//! instance.

use std::time::{Duration, Instant};

use forgehand_client::{BuildError, Call, Raw, Reply};
use http::{HeaderMap, Method, StatusCode, header};
use reqwest::{Request, Response, Url};

use super::error::Phase;
use super::retry::{RETRIES, pause, wait};
use super::sent::Sent;
use super::{Authorization, Forge, ForgeError};

/// How many redirects of one read are followed.
pub(super) const REDIRECTS: u32 = 3;

impl Forge {
    /// Sends a call, unless the instance is known to be too old, and gives what came back, whatever its status, with
    /// the body unread; the deadline holds for reading the body too. Dropping the future gives the exchange up.
    ///
    /// `read` tells that the call changes nothing: it is tried again twice after a failed connection, a 502, 503 or
    /// 504, and a 429 that names a wait, as far as the deadline allows; and it follows up to three redirects (301, 302,
    /// 307, 308) that stay within the instance's API. A 303 is an answer, never followed. A write is sent once.
    ///
    /// # Errors
    /// [`ForgeError`]; only with [`ForgeError::OutcomeUnknown`] a write may have happened. [`ForgeError::Outside`]
    /// where only some repositories may be asked for, and this is another.
    pub async fn send(
        &self,
        call: &Call<Raw>,
        read: bool,
        deadline: Instant,
    ) -> Result<Reply<Raw>, ForgeError> {
        self.send_to(call, None, read, deadline).await
    }

    /// Reads what the instance has at a path of its web pages, as `/attachments/…`, with the token: no call of the API.
    /// The path is percent-encoded already. Beside the answer stands the call as which it was sent.
    ///
    /// # Errors
    /// As [`Forge::send`]; a path that a URL would not carry as it is.
    pub async fn page(&self, path: &str, deadline: Instant) -> (Call<Raw>, Result<Reply<Raw>, ForgeError>) {
        let call = Call::new("web page", Method::GET, path.to_owned());
        let address = format!("{}{path}", self.base.as_str());
        let place = Url::parse(&address)
            .ok()
            .filter(|url| url.as_str() == address && self.contains(self.base.as_str(), url));
        let reply = match place {
            Some(place) => self.send_to(&call, Some(place), true, deadline).await,
            None => {
                let reason = "a URL would not carry it as it is".to_owned();
                Err(BuildError { place: "path", name: path.to_owned(), reason }.into())
            }
        };
        (call, reply)
    }

    async fn send_to(
        &self,
        call: &Call<Raw>,
        mut place: Option<Url>,
        read: bool,
        deadline: Instant,
    ) -> Result<Reply<Raw>, ForgeError> {
        let mut redirects = 0;
        let mut retry = 0;
        let is_page = place.is_some();
        if !is_page {
            self.stay_within(&call.method, &call.target)?;
        }
        loop {
            let result = match self.gate(call, deadline).await {
                Ok(()) => self.exchange(call, place.as_ref(), read, deadline).await,
                Err(error) => Err(error),
            };
            let again = match &result {
                _ if !read || retry == RETRIES => None,
                Ok(response) => wait(response.status(), response.headers(), retry),
                Err(error) => error.is_transient().then(|| pause(retry)),
            };
            if let Some(wait) = again
                && Instant::now().checked_add(wait).is_some_and(|then| then < deadline)
            {
                drop(result);
                tokio::time::sleep(wait).await;
                retry += 1;
                continue;
            }
            let response = result?;
            if !is_redirect(response.status()) {
                return Ok(Reply::new(call.operation, response));
            }
            let root = if is_page { self.base.as_str().to_owned() } else { self.base.api("") };
            let next = self.next_place(&response, &root, read && redirects < REDIRECTS)?;
            match next.as_str().strip_prefix(&self.base.api("")) {
                None if is_page => self.stay_on_page(&next)?,
                target => self.stay_within(&call.method, target.unwrap_or_default())?,
            }
            place = Some(next);
            redirects += 1;
        }
    }

    /// Where only some repositories may be asked for, a page leads to an attached file alone: what its address names is
    /// nowhere else to be seen.
    fn stay_on_page(&self, place: &Url) -> Result<(), ForgeError> {
        let path = place.as_str().strip_prefix(self.base.as_str()).unwrap_or_default();
        match self.repositories() {
            Some(named) if !path.starts_with("/attachments/") => {
                let place = path.split('?').next().unwrap_or_default().to_owned();
                Err(ForgeError::Outside { named: named.to_string(), place })
            }
            _ => Ok(()),
        }
    }

    /// One request and the head of its answer.
    pub(super) async fn exchange(
        &self,
        call: &Call<Raw>,
        place: Option<&Url>,
        read: bool,
        deadline: Instant,
    ) -> Result<Response, ForgeError> {
        let mut request = call.request(&self.base)?;
        if let Some(place) = place {
            *request.url_mut() = place.clone();
        }
        self.authorize(&mut request)?;
        let left = deadline.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return Err(ForgeError::Timeout);
        }
        *request.timeout_mut() = Some(left);
        let sent = Sent::default();
        if !read {
            sent.watch(&mut request);
        }
        let phase = |sent: &Sent| match (read, sent.is_set()) {
            (true, _) => Phase::Read,
            (false, true) => Phase::WriteSent,
            (false, false) => Phase::WriteUnsent,
        };
        let path = self.path(request.url());
        let start = Instant::now();
        let result = {
            // Given up halfway, it may have changed something all the same.
            let _forgotten = (!read).then(|| self.listings.forgotten_after(&call.target));
            self.pool.client()?.execute(request).await
        };
        let result = result.map_err(|e| ForgeError::of(e, phase(&sent)));
        let took = start.elapsed().as_millis();
        match &result {
            Ok(response) => {
                tracing::debug!("{} {path}: {} in {took} ms", call.method, response.status().as_u16());
            }
            Err(error) => tracing::debug!("{} {path}: {error}, after {took} ms", call.method),
        }
        result
    }

    /// Where a request goes, redirected or not, as the log names it: the path below the API's root, or below the
    /// instance's where it is a page. The query may hold anything.
    fn path(&self, url: &Url) -> String {
        let address = shown(url);
        let below = |root: &str| address.strip_prefix(root).map(str::to_owned);
        below(&self.base.api("")).or_else(|| below(self.base.as_str())).unwrap_or_else(|| address.clone())
    }

    /// Lets a request through only where its target below the API's root may be asked for.
    fn stay_within(&self, method: &Method, target: &str) -> Result<(), ForgeError> {
        match self.repositories() {
            Some(named) if !named.permits(method, target) => {
                let place = target.split('?').next().unwrap_or_default().to_owned();
                Err(ForgeError::Outside { named: named.to_string(), place })
            }
            _ => Ok(()),
        }
    }

    fn authorize(&self, request: &mut Request) -> Result<(), ForgeError> {
        match &self.authorization {
            Authorization::None => {}
            Authorization::Header(value) => {
                request.headers_mut().insert(header::AUTHORIZATION, value.clone());
            }
            Authorization::Unusable => return Err(ForgeError::Token),
        }
        Ok(())
    }

    /// Where a redirect leads, if it may be followed: below that root, so that the token stays with the instance, and
    /// an answer of the API is none of its web pages.
    fn next_place(&self, response: &Response, root: &str, follow: bool) -> Result<Url, ForgeError> {
        let place = location(response.url(), response.headers());
        match place {
            Some(url) if follow && self.contains(root, &url) => Ok(url),
            other => {
                Err(ForgeError::Redirected { status: response.status(), place: other.map(|url| shown(&url)) })
            }
        }
    }

    /// Whether an address is below that root, the instance's own or its API's.
    fn contains(&self, root: &str, url: &Url) -> bool {
        self.base.same_origin(url)
            && url.username().is_empty()
            && url.password().is_none()
            && url.as_str().strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// The redirects that name another place for the same request.
pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    )
}

/// The `Location` of an answer, made absolute.
pub(super) fn location(at: &Url, headers: &HeaderMap) -> Option<Url> {
    at.join(headers.get(header::LOCATION)?.to_str().ok()?).ok()
}

/// What a `Location` says, for people: an absolute address without its secrets, or a path without its query.
pub fn shown_location(text: &str) -> String {
    const HERE: &str = "https://here.invalid";
    match Url::parse(HERE).and_then(|here| here.join(text)) {
        Ok(url) => shown(&url).trim_start_matches(HERE).to_owned(),
        Err(_) => "a place that is no address".to_owned(),
    }
}

/// An address for people: without user, password, query and fragment, which may hold secrets.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // These fail only for addresses that hold neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}
