//! Writes that are answered by a redirect: the thing has been moved, and this is its new place.
//!
//! Forgejo answers alike where nothing was done because the old name was used, so that a redirect counts only where it
//! leads to the owner that was asked for.

use forgehand_client::{Body, Call, Raw};
use http::StatusCode;
use reqwest::Url;
use serde_json::{Value, json};

use super::descriptor::{Answer, Operation};
use super::outcome::Outcome;
use crate::forge::{Forge, ForgeError, is_name};

/// `{"<word>": true, "full_name": "owner/repo", "status": 301}`, where the redirect leads to a repository of this forge's
/// API that belongs to the owner in the body; `None` where it says nothing of the kind.
pub(super) fn outcome(
    operation: &Operation,
    forge: &Forge,
    call: &Call<Raw>,
    error: &ForgeError,
) -> Option<Outcome> {
    let Answer::Moved { word, to, .. } = operation.answer else { return None };
    let ForgeError::Redirected { status, place: Some(place) } = error else { return None };
    if *status != StatusCode::MOVED_PERMANENTLY {
        return None;
    }
    let (owner, repo) = repository(forge, place)?;
    let Body::Bytes(body) = &call.body else { return None };
    let body: Value = serde_json::from_slice(body).ok()?;
    let asked = body.get(to)?.as_str()?;
    if !owner.eq_ignore_ascii_case(asked) {
        return None;
    }
    Some(Outcome::Json(
        json!({ (word): true, "full_name": format!("{owner}/{repo}"), "status": status.as_u16() }),
    ))
}

/// Owner and name of the repository that an address of this forge's API is about.
fn repository(forge: &Forge, place: &str) -> Option<(String, String)> {
    let url = Url::parse(place).ok().filter(|url| forge.base().same_origin(url))?;
    let root = Url::parse(&forge.base().api("/repos/")).ok()?;
    let rest = url.path().strip_prefix(root.path())?;
    let mut names = rest.split('/').map(str::to_owned);
    let (owner, repo) = (names.next()?, names.next()?);
    (is_name(&owner) && is_name(&repo)).then_some((owner, repo))
}
