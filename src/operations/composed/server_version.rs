//! Tells what this program is. Nothing is sent.

use serde_json::json;

use super::{Doing, Work};
use crate::operations::Outcome;
use crate::operations::table::{CONTRACT_VERSION, RELEASE};

/// `{"name", "version", "forgejo", "contract_version"}`: `forgejo` is the release whose document the tools were made from.
pub fn server_version(_: Work<'_>) -> Doing<'_> {
    let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let answer = json!({
        "name": name,
        "version": version,
        "forgejo": RELEASE,
        "contract_version": CONTRACT_VERSION,
    });
    Box::pin(std::future::ready(Ok(Outcome::Json(answer))))
}
