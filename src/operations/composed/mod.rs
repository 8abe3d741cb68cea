//! Operations that take more than one call, or none: one file each. Their parameters, schemas and texts are rows of the
//! inventory like all others'; here is what they do.
//!
//! A composed operation reads as it likes. It writes only what it must, never in a dry run, and says how far it came
//! when it fails half-way.

mod delete_label;
mod download_attachment;
mod edit_file;
mod entry;
mod get_file_content;
mod list_repo_labels;
mod remove_issue_labels;
mod server_version;

pub use delete_label::{delete_org_label, delete_repo_label};
pub use download_attachment::{
    download_comment_attachment, download_issue_attachment, download_release_attachment,
};
pub use edit_file::edit_file;
pub use get_file_content::get_file_content;
pub use list_repo_labels::list_repo_labels;
pub use remove_issue_labels::remove_issue_labels;
pub use server_version::server_version;

use std::time::Instant;

use forgehand_client::{Call, Parameters, Raw, Reply};
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answer::Context;
use super::applied::Asked;
use super::arguments::Values;
use super::dry_run::Planner;
use super::pages::{Pages, Source};
use super::{Build, Operation, OperationError, Outcome, reading, refusal};
use crate::forge::Forge;

/// What a composed operation comes to.
pub type Doing<'a> = BoxFuture<'a, Result<Outcome, OperationError>>;

/// One call of a composed operation: its arguments, checked, names looked up, a confirmation given where one is wanted.
#[derive(Debug)]
pub struct Work<'a> {
    pub(super) forge: &'a Forge,
    pub(super) operation: &'static Operation,
    pub(super) values: Values,
    /// The budget of the answer's text, in bytes.
    pub(super) max: usize,
    pub(super) deadline: Instant,
}

impl Work<'_> {
    /// A call with these path and query parameters.
    fn call(
        &self,
        build: Build,
        path: Map<String, Value>,
        query: Map<String, Value>,
    ) -> Result<Call<Raw>, OperationError> {
        self.call_of(build, Parameters { path, query, ..Parameters::default() })
    }

    fn call_of(&self, build: Build, parameters: Parameters) -> Result<Call<Raw>, OperationError> {
        build(parameters).map_err(|error| refusal::unbuilt(self.operation, &error))
    }

    /// A success of that call, sent as its method says.
    async fn send(&self, call: &Call<Raw>) -> Result<Reply<Raw>, OperationError> {
        let reply = self.reply(call).await?;
        if reply.status().is_success() {
            return Ok(reply);
        }
        Err(refusal::refused(self.operation, call, reply).await)
    }

    /// Sends a write whose answer says nothing but that it is done.
    ///
    /// # Errors
    /// What the forge refuses; [`Code::OutcomeUnknown`](crate::operations::Code::OutcomeUnknown) for a web page in place of
    /// its answer.
    async fn done(&self, call: &Call<Raw>) -> Result<(), OperationError> {
        let reply = self.send(call).await?;
        self.context(call, &[]).done(reply).await.map(drop)
    }

    /// Whatever the forge answers to that call.
    async fn reply(&self, call: &Call<Raw>) -> Result<Reply<Raw>, OperationError> {
        let sent = self.forge.send(call, call.method.is_safe(), self.deadline).await;
        sent.map_err(|error| refusal::unanswered(self.operation, call, error))
    }

    /// A list that is read page by page.
    fn pages(&self, most: u64, is_optional: bool) -> Pages<'_> {
        let Self { forge, operation, deadline, .. } = *self;
        Pages::new(Source { forge, operation, deadline, most, is_paged: true, is_optional })
    }

    /// The JSON of a reply to a read; `null` is the type's own nothing.
    async fn json<T: DeserializeOwned + Default>(
        &self,
        call: &Call<Raw>,
        reply: Reply<Raw>,
    ) -> Result<T, OperationError> {
        let value = reading::read(call, reply, |body| serde_json::from_slice::<Option<T>>(body)).await?;
        Ok(value.unwrap_or_default())
    }

    /// What shows its writes in place of sending them.
    fn planner(&self) -> Planner<'_> {
        Planner { forge: self.forge, operation: self.operation, max: self.max, deadline: self.deadline }
    }

    /// The operation's answer, read from that reply.
    async fn answer(&self, call: &Call<Raw>, reply: Reply<Raw>) -> Result<Outcome, OperationError> {
        self.context(call, &[]).outcome(reply).await
    }

    /// What is known of the reply to that call, which tells of what was asked.
    fn context<'a>(&'a self, call: &'a Call<Raw>, compared: &'a [Asked]) -> Context<'a> {
        let Self { forge, operation, max, deadline, .. } = *self;
        let engine = &self.values.engine;
        Context { forge, deadline, operation, call, engine, compared, max }
    }
}

/// Parameters by wire name.
fn parameters<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
