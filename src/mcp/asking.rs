//! Asks the client's user to confirm a call, in the way that the client's revision of the protocol has.
//!
//! On 2026-07-28 the answer to the call is the question (an input-required result) and the client calls again, with
//! what its user says and the state that came with the question: see [`seals`]. Before it the server asks
//! (`elicitation/create`) and the call waits. A client that has not declared that it can ask its user by a form is not
//! asked.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotificationParam, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, InputResponses, RequestId,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, watch};

use self::seals::{Seals, Unsealed};
use crate::forge::Forge;
use crate::operations::{Operation, Question};

mod seals;

/// How long a user has for an answer, and a sealed state counts.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// How many calls wait for a user's answer at once. Far fewer than the requests that may be open (see `lines`): the
/// answers come by the same line as requests, which is not read while too many are open.
const MOST_OPEN: usize = 16;

/// The form's one field, and the name of the one question in an input-required result.
const CONFIRM: &str = "confirm";

/// Asks users, and knows what they were asked.
#[derive(Debug)]
pub(crate) struct Asking {
    seals: Seals,
    open: Semaphore,
}

/// What a call brings of an earlier round: the state that came with the question, and what the user said.
#[derive(Debug, Default)]
pub(crate) struct Round {
    pub(crate) state: Option<String>,
    pub(crate) responses: Option<InputResponses>,
}

/// What asking came to.
pub(crate) enum Said {
    /// The user confirms.
    Yes,
    /// The user does not; a sentence's beginning that says why, and what would help.
    No(String, &'static str),
    /// The client is to ask, and to call again.
    Ask(Box<InputRequiredResult>),
    /// Nobody can be asked.
    Nobody,
}

/// What helps after a no.
const UNLESS_ASKED: &str = "do not send it again unless the user asks for it";

/// Tells of the end of the input: no question is answered any more.
#[derive(Debug, Clone)]
pub(crate) struct InputEnd(pub(crate) watch::Receiver<bool>);

impl InputEnd {
    async fn reached(mut self) {
        // Where the transport itself is gone, so is its input.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

impl Asking {
    /// Asks with a key of its own, which seals what it asked until the process ends.
    ///
    /// # Errors
    /// Where the system gives no random numbers.
    pub(crate) fn new() -> Result<Self, rustls::crypto::GetRandomFailed> {
        Ok(Self { seals: Seals::new(PATIENCE)?, open: Semaphore::new(MOST_OPEN) })
    }

    /// Asks the user of the client that sent this call. Waits for no longer than five minutes, and ends when the call
    /// is cancelled.
    pub(crate) async fn ask(
        &self,
        question: &Question,
        call: &[u8],
        round: Round,
        context: &RequestContext<RoleServer>,
    ) -> Said {
        if !can_ask(context) {
            return Said::Nobody;
        }
        let Ok(form) = form(question) else { return Said::Nobody };
        match context.protocol_version() {
            Some(version) if !version.has_initialize() => self.by_result(form, call, round),
            _ => self.by_request(form, context).await,
        }
    }

    /// The two rounds of 2026-07-28.
    fn by_result(&self, form: ElicitRequest, call: &[u8], round: Round) -> Said {
        let responses = round.responses.unwrap_or_default();
        let (Some(state), Some(response)) = (round.state, responses.get(CONFIRM)) else {
            let questions = InputRequests::from([(CONFIRM.to_owned(), InputRequest::Elicitation(form))]);
            return Said::Ask(Box::new(InputRequiredResult::new(
                Some(questions),
                Some(self.seals.seal(call)),
            )));
        };
        let said = meaning(&response["action"], &response["content"]);
        match self.seals.open(&state, call, matches!(said, Said::Yes)) {
            Ok(()) => said,
            Err(why @ Unsealed::Used) => Said::No(
                why.to_string(),
                "the call that used it may have happened: look first; without requestState the user is asked anew",
            ),
            Err(why @ Unsealed::Declined) => Said::No(why.to_string(), UNLESS_ASKED),
            Err(why) => Said::No(why.to_string(), "send it without requestState: the user is asked anew"),
        }
    }

    /// The server's own request, before 2026-07-28.
    async fn by_request(&self, form: ElicitRequest, context: &RequestContext<RoleServer>) -> Said {
        let Ok(_open) = self.open.try_acquire() else {
            return Said::No(
                format!("{MOST_OPEN} other questions wait for the user's answer"),
                "send it again when they are answered",
            );
        };
        let options = PeerRequestOptions::with_timeout(PATIENCE);
        let request = ServerRequest::ElicitRequest(form);
        let Ok(asked) = context.peer.send_request_with_option(request, options).await else {
            return Said::Nobody;
        };
        let id = asked.id.clone();
        let input_end = context.extensions.get::<InputEnd>().cloned();
        let ended = async {
            match input_end {
                Some(end) => end.reached().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            answer = asked.await_response() => said(answer),
            () = context.ct.cancelled() => {
                withdraw(context, id).await;
                Said::No("the call was cancelled".to_owned(), "")
            }
            () = ended => Said::Nobody,
        }
    }
}

/// What a call is, for its seal: the tool and its arguments, in whatever order they came, without `confirm`, and the
/// account that it is sent for. It holds the token: nothing of it leaves the process.
pub(crate) fn identity(forge: &Forge, operation: &Operation, arguments: &Map<String, Value>) -> Vec<u8> {
    let mut arguments = arguments.clone();
    arguments.remove(CONFIRM);
    let mut call = json!([operation.name, arguments]);
    call.sort_all_objects();
    // No JSON text has a zero byte.
    [call.to_string().as_bytes(), forge.account_key()].join(&0)
}

/// Whether the client has said that it can ask its user by a form; one that names no way means this one.
fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let declared = context.client_capabilities().and_then(|can| can.elicitation);
    declared.is_some_and(|ways| ways.form.is_some() || ways.url.is_none())
}

fn form(question: &Question) -> Result<ElicitRequest, &'static str> {
    let schema = ElicitationSchema::builder()
        .required_bool_property(CONFIRM, |field| field.title("Confirm").description("Yes, do this"))
        .build()?;
    Ok(ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.text().to_owned(),
        requested_schema: schema,
    }))
}

fn said(answer: Result<ClientResult, ServiceError>) -> Said {
    match answer {
        Ok(ClientResult::ElicitResult(ElicitResult { action, content, .. })) => {
            meaning(&json!(action), &content.unwrap_or_default())
        }
        Err(ServiceError::Timeout { .. }) => Said::No(
            format!("the user did not answer within {} minutes", PATIENCE.as_secs() / 60),
            "send it again and the user is asked anew",
        ),
        // It cannot, whatever it declared.
        Ok(_) | Err(_) => Said::Nobody,
    }
}

/// Nothing but an accepted form that says yes is a yes.
fn meaning(action: &Value, content: &Value) -> Said {
    if action == "accept" && content[CONFIRM] == true {
        return Said::Yes;
    }
    Said::No("the user did not confirm".to_owned(), UNLESS_ASKED)
}

/// Takes a question back: nobody waits for its answer any more.
async fn withdraw(context: &RequestContext<RoleServer>, id: RequestId) {
    let why = Some("the call was cancelled".to_owned());
    // A client that is gone needs no telling.
    let _ = context.peer.notify_cancelled(CancelledNotificationParam::new(Some(id), why)).await;
}

#[cfg(test)]
mod tests {
    use forgehand_client::BaseUrl;

    use super::*;
    use crate::forge::Token;
    use crate::operations::table::OPERATIONS;

    #[test]
    fn a_state_that_was_sealed_for_one_token_opens_for_no_other_and_tells_none() {
        let operation = OPERATIONS.iter().find(|operation| operation.name == "delete_repo").unwrap();
        let call =
            |forge: &Forge| identity(forge, operation, &Map::from_iter([("repo".to_owned(), json!("a/b"))]));
        let ana = Forge::new(BaseUrl::parse("https://forge.example").unwrap(), Token::new("token-of-ana"));
        let seals = Seals::new(PATIENCE).unwrap();
        let state = seals.seal(&call(&ana));
        for other in [Token::new("token-of-bob"), None] {
            let other = ana.with_token(other.as_ref());
            assert_eq!(seals.open(&state, &call(&other), true), Err(Unsealed::Foreign));
        }
        assert!(!state.contains("token-of-ana"));
        assert_eq!(seals.open(&state, &call(&ana.clone()), true), Ok(()));
    }
}
