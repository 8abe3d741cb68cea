//! Answers that are a status: yes, no, or a pointer to where the answer is.

use forgehand_client::{Call, Raw, Reply};
use http::{Method, StatusCode, header};
use serde_json::{Map, Value};

use super::outcome::Outcome;
use super::{Operation, OperationError, refusal, said};
use crate::forge::Forge;

/// What a 404 leaves open.
const AMBIGUOUS: &str =
    "the forge answers the same where one of these is not there or not visible to this token";

/// What the 303 of a membership means.
const PUBLIC_ONLY: &str = "only public membership is visible to this token";

/// The statuses of a question.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) word: &'static str,
    pub(super) yes: &'static [u16],
    pub(super) no: &'static [u16],
}

impl Question {
    /// Whether a reply says yes or no; `None` where its status is no answer. Its body counts too: of Forgejo's answers all
    /// but those with a status that has no body hold an object, so that a web page or the text of a gateway is none.
    ///
    /// # Errors
    /// What the body says instead.
    pub(super) async fn is(
        self,
        operation: &Operation,
        call: &Call<Raw>,
        reply: &mut Reply<Raw>,
    ) -> Result<Option<bool>, OperationError> {
        let status = reply.status();
        let yes = self.yes.contains(&status.as_u16());
        if !yes && !self.no.contains(&status.as_u16()) {
            return Ok(None);
        }
        if !matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT) {
            let said = said::read(reply).await;
            if !said.is_object {
                return Err(match status.is_success() {
                    true => refusal::undecided_by(call, reply, &said),
                    false => refusal::told(operation, call, reply, said),
                });
            }
        }
        Ok(Some(yes))
    }

    /// `{<word>: yes or no, …what was asked, note?}`.
    pub(super) fn answer(
        self,
        (yes, status): (bool, StatusCode),
        asked: Map<String, Value>,
        public: bool,
    ) -> Outcome {
        let mut out = Map::with_capacity(asked.len() + 2);
        out.insert(self.word.to_owned(), yes.into());
        out.extend(asked.into_iter().filter(|(name, _)| name != self.word));
        if public {
            out.insert("note".to_owned(), PUBLIC_ONLY.into());
        } else if !yes && status == StatusCode::NOT_FOUND {
            out.insert("note".to_owned(), AMBIGUOUS.into());
        }
        Outcome::Json(Value::Object(out))
    }

    /// The place that a 303 points to, where that is an address of this instance's API and no answer by itself.
    pub(super) fn see_other(self, forge: &Forge, reply: &Reply<Raw>) -> Option<Call<Raw>> {
        let status = reply.status();
        if status != StatusCode::SEE_OTHER || self.yes.contains(&303) || self.no.contains(&303) {
            return None;
        }
        let place = reply.headers().get(header::LOCATION)?.to_str().ok()?;
        let root = reqwest::Url::parse(&forge.base().api("/")).ok()?;
        let url = root.join(place).ok().filter(|url| forge.base().same_origin(url))?;
        let target = url.path().strip_prefix(root.path())?;
        Some(Call::new(reply.operation, Method::GET, format!("/{target}")))
    }
}
