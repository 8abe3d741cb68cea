//! What can be done with a forge: descriptors, arguments, outcomes, errors, and the one way through them.
//!
//! Uses [`crate::forge`]; both adapters use it; it knows neither of them.

mod address;
mod answer;
mod applied;
pub mod arguments;
mod beside;
mod body;
pub mod composed;
pub mod confirmation;
pub mod descriptor;
mod diff;
mod digest;
mod dry_run;
mod encoding;
pub mod error;
mod fields;
mod files;
mod fit;
mod form;
mod held;
mod lines;
mod mask;
mod merge;
mod moved;
mod names;
pub mod near;
mod never;
mod order;
pub mod outcome;
mod pages;
mod paging;
mod present;
mod projection;
mod ranged;
mod reading;
mod refusal;
mod rules;
mod said;
mod size;
mod stale;
pub mod surface;
pub mod table;
mod text;
mod within;
mod yes_no;

pub use answer::BYTES_LIMIT;
pub use beside::take as take_beside;
pub use confirmation::{Confirm, Question};
pub use descriptor::{Effect, Operation};
pub use error::{Code, OperationError};
pub use files::{downloads, input_schema};
pub use outcome::{Outcome, Saved};

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use forgehand_client::{BuildError, Call, Parameters, Raw, Reply};
use serde_json::{Map, Value};

use answer::Context;
use arguments::{Plan, Values};
use composed::Work;
use descriptor::{Answer, Place, Run};
use dry_run::Planner;

use crate::forge::Forge;

/// A function of the typed client that builds a call.
type Build = fn(Parameters) -> Result<Call<Raw>, BuildError>;

/// What stands first in the hint where an account might see or do what nobody may.
const NO_TOKEN: &str = "no token is set: FORGEHAND_TOKEN, or FORGEHAND_TOKEN_FILE with its path, makes calls those of an account";

/// A time-out that no clock can hold means this one.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Bounds of one call.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The whole call's time, retries included.
    pub timeout: Duration,
    /// The answer's size, in bytes of its text.
    pub max_result_bytes: usize,
    /// Who confirms a call that wants it. An adapter whose user has confirmed runs it with [`Limits::confirmed`].
    pub confirm: Confirm,
    /// What the program that asks needs of the answer, whoever is shown it.
    pub needs: Needs,
}

/// What a program needs of an answer besides what a reader is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Needs {
    /// An answer of another form than the operation's is an error. A reader is shown it whole with a note; whoever reads
    /// fields by their names would take it for one that has none.
    pub form: bool,
    /// Where the forge tells neither how much there is nor whether it goes on, each page with rows offers the next one.
    /// Whoever follows ends at a page without rows, or one that came before.
    pub pages: bool,
    /// Fields of each row of a list, dotted paths of the forge's answer, which [`take_beside`] gives whatever is shown.
    pub of_rows: &'static [&'static str],
}

impl Limits {
    /// The same for a call that the user has confirmed.
    #[must_use]
    pub fn confirmed(self) -> Self {
        Self { confirm: Confirm::Off, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(60),
            max_result_bytes: 40 * 1024,
            confirm: Confirm::default(),
            needs: Needs::default(),
        }
    }
}

/// Runs an operation: arguments are checked, one request is built and sent, its answer is shown through the view.
/// Dropping the future gives the request up.
///
/// Besides its own arguments every operation takes `dry_run` (a write is shown, not sent), `confirm` and `max_bytes` (the
/// answer's budget, instead of that in `limits`). Every list takes `skip` (rows of the page that were seen already), one that
/// the forge sends whole `last` (so many rows from its end, in place of a page), every
/// answer with fields `fields` (those to show, instead of the view's), and every text `offset` (how much of it was seen
/// already, as `next` told it) and `as_of` (of which version).
///
/// # Errors
/// [`OperationError`]; with [`Code::ConfirmationRequired`] nothing was sent, and with [`Code::InvalidArguments`] nothing but
/// a read.
pub async fn run(
    forge: &Forge,
    operation: &'static Operation,
    arguments: Map<String, Value>,
    limits: &Limits,
) -> Result<Outcome, OperationError> {
    let secrets = mask::secrets(operation, &arguments);
    let outcome = exchange(forge, operation, arguments, limits).await;
    let mut outcome = outcome.map_err(|error| without_secrets(forge, &secrets, error));
    if let Ok(Outcome::Json(Value::Object(fields))) = &mut outcome
        && !secrets.is_empty()
        && operation.effect != Effect::Read
    {
        for (_, answer) in fields.iter_mut().filter(|(name, _)| matches!(name.as_str(), "answer" | "note")) {
            mask::hide_given(answer, &secrets);
        }
    }
    outcome.map_err(|error| match error.code {
        Code::NotFound | Code::Unauthorized | Code::Forbidden if !forge.has_token() => {
            error.hint_first(NO_TOKEN)
        }
        _ => error,
    })
}

/// The owner and the name of the repository that a call is about, as its arguments name it; none where they name none.
pub fn repository(
    forge: &Forge,
    operation: &'static Operation,
    arguments: &Map<String, Value>,
) -> Option<(String, String)> {
    let values = arguments::read(operation, forge.address(), arguments.clone()).ok()?;
    let text = |wire| values.by_wire(Place::Path, wire).and_then(Value::as_str).map(str::to_owned);
    Some((text("owner")?, text("repo")?))
}

/// An error that repeats nowhere the token, a secret among the arguments, or one within an address.
fn without_secrets(forge: &Forge, secrets: &[String], mut error: OperationError) -> OperationError {
    let OperationError { message, hint, near, call, .. } = &mut error;
    for text in std::iter::once(message).chain(hint).chain(near).chain(call) {
        let clean = mask::without(forge.without_token(std::mem::take(text)), secrets);
        *text = address::without_secrets(&clean).unwrap_or(clean);
    }
    error
}

async fn exchange(
    forge: &Forge,
    operation: &'static Operation,
    arguments: Map<String, Value>,
    limits: &Limits,
) -> Result<Outcome, OperationError> {
    let now = Instant::now();
    let deadline = now.checked_add(limits.timeout).unwrap_or(now + LONGEST);
    let again = held::has_filters(operation).then(|| arguments.clone());
    match (attempt(forge, operation, arguments, (limits, deadline)).await, again) {
        // What the names stand for was looked up a while ago, and is something else by now.
        (Err(error), Some(again)) if error.is_of_kept => {
            names::forget_filters(forge, operation);
            attempt(forge, operation, again, (limits, deadline)).await
        }
        (outcome, _) => outcome,
    }
}

async fn attempt(
    forge: &Forge,
    operation: &'static Operation,
    arguments: Map<String, Value>,
    bounds: (&Limits, Instant),
) -> Result<Outcome, OperationError> {
    let mut values = arguments::read(operation, forge.address(), arguments)?;
    let assumed = values.assumed.take();
    settled(forge, operation, values, bounds).await.map_err(|error| match assumed {
        Some(assumed) if error.code == Code::NotFound => error.hint_first(assumed),
        _ => error,
    })
}

/// Looks names up, and does what was asked or plans it.
async fn settled(
    forge: &Forge,
    operation: &'static Operation,
    mut values: Values,
    (limits, deadline): (&Limits, Instant),
) -> Result<Outcome, OperationError> {
    values.engine.needs = limits.needs;
    within::check(forge, operation, &values)?;
    let is_plan = values.engine.dry_run && operation.effect != Effect::Read;
    // Whoever has not confirmed is answered before anything is read or sent, look-ups included.
    if confirmation::is_wanted(operation, &values.engine, limits.confirm) {
        return Err(Question::new(forge, operation, values)?.unconfirmed(limits.confirm));
    }
    files::resolve(forge, &mut values).await?;
    let _forgotten = names::ForgottenAfter(forge, operation);
    let unchecked = names::resolve(forge, operation, &mut values, deadline).await?;
    let notes: Vec<String> = unchecked.into_iter().chain(values.consequences()).collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let max = values.engine.max_bytes.unwrap_or(limits.max_result_bytes);
    // The note has its part of the budget, and the answer the rest.
    let note = note.map(|note| fit::shortened(&note, max / 2));
    let whole = max;
    let max = max.saturating_sub(note.as_ref().map_or(0, |note| size::text(note) + paging::NOTE));
    let build = match operation.run {
        Run::Call(build) => build,
        Run::Composed(run) => {
            let mut outcome = run(Work { forge, operation, values, max, deadline }).await?;
            fit_composed(&mut outcome, operation, max);
            return Ok(noted(outcome, note, whole));
        }
    };
    let is_kept = values.is_kept;
    let plan = values.plan()?;
    let outcome = match is_plan {
        true => Planner { forge, operation, max, deadline }.planned(build, plan).await,
        false => carried_out(forge, (operation, build), plan, (max, deadline)).await,
    };
    let outcome = outcome.map_err(|mut error| {
        error.is_of_kept &= is_kept;
        error
    })?;
    if is_kept && held::has_ids(operation) && is_empty_list(&outcome) {
        // An id that was kept may be of nothing by now; so looks a list that has nothing, which is asked for once more.
        let mut error = OperationError::new(Code::Internal, "what was kept was not looked up anew");
        error.is_of_kept = true;
        return Err(error);
    }
    Ok(noted(outcome, note, whole))
}

/// Sends the request, and reads its answer.
async fn carried_out(
    forge: &Forge,
    (operation, build): (&'static Operation, Build),
    plan: Plan,
    (max, deadline): (usize, Instant),
) -> Result<Outcome, OperationError> {
    let Plan { parameters, engine, asked, compared, .. } = plan;
    let taken = operation.stale.as_ref().and_then(|stale| stale::Taken::of(stale, &parameters));
    let call = prepared(forge, (operation, build), parameters, deadline).await?;
    let reply = match forge.send(&call, operation.effect == Effect::Read, deadline).await {
        Ok(reply) => reply,
        Err(error) => {
            return moved::outcome(operation, forge, &call, &error)
                .ok_or_else(|| refusal::unanswered(operation, &call, error));
        }
    };
    let reply = match decided(forge, (operation, &call), reply, asked, deadline).await? {
        ControlFlow::Break(outcome) => return Ok(outcome),
        ControlFlow::Continue(reply) => reply,
    };
    let status = reply.status();
    if !status.is_success() {
        let error = refusal::refused(operation, &call, reply).await;
        return Err(match (refusal::too_old(forge, operation, status, deadline).await, taken) {
            (Some(hint), _) => refusal::outdated(error, hint),
            (None, Some(taken)) => taken.told(forge, error, deadline).await,
            (None, None) => error,
        });
    }
    if let Some(meaning) = refusal::meaning(operation, status) {
        return Err(refusal::in_vain(operation, &call, status, meaning));
    }
    let (call, engine, compared) = (&call, &engine, &compared);
    Context { forge, deadline, operation, call, engine, compared, max }.outcome(reply).await
}

/// The answer of a question to which the reply's status says yes or no; else the reply, where there is one elsewhere that one.
async fn decided(
    forge: &Forge,
    (operation, call): (&'static Operation, &Call<Raw>),
    reply: Reply<Raw>,
    asked: Map<String, Value>,
    deadline: Instant,
) -> Result<ControlFlow<Outcome, Reply<Raw>>, OperationError> {
    let Answer::YesNo { word, yes, no } = operation.answer else { return Ok(ControlFlow::Continue(reply)) };
    // No is an answer of an instance that has the question.
    if let Some(hint) = refusal::too_old(forge, operation, reply.status(), deadline).await {
        return Err(refusal::outdated(refusal::refused(operation, call, reply).await, hint));
    }
    let question = yes_no::Question { word, yes, no };
    let elsewhere = question.see_other(forge, &reply);
    let is_public = elsewhere.is_some();
    let mut reply = match elsewhere {
        Some(elsewhere) => {
            let sent = forge.send(&elsewhere, true, deadline).await;
            sent.map_err(|error| refusal::unanswered(operation, &elsewhere, error))?
        }
        None => reply,
    };
    let status = reply.status();
    Ok(match question.is(operation, call, &mut reply).await? {
        Some(yes) => ControlFlow::Break(question.answer((yes, status), asked, is_public)),
        None => ControlFlow::Continue(reply),
    })
}

/// The request, filled from what is there where it would blank it.
async fn prepared(
    forge: &Forge,
    (operation, build): (&'static Operation, Build),
    parameters: Parameters,
    deadline: Instant,
) -> Result<Call<Raw>, OperationError> {
    let Some(merge) = &operation.merge else {
        return build(parameters).map_err(|error| refusal::unbuilt(operation, &error));
    };
    // What cannot be sent is said before anything is read.
    build(parameters.clone()).map_err(|error| refusal::unbuilt(operation, &error))?;
    let parameters = merge::filled(forge, merge, parameters, deadline).await?;
    build(parameters).map_err(|error| merge::unlike(&error))
}

/// Brings what a composed operation put together within its budget; a list that leads on is within it.
fn fit_composed(outcome: &mut Outcome, operation: &Operation, max: usize) {
    let Outcome::Json(answer) = outcome else { return };
    let by = if operation.effect == Effect::Read { fit::Whole::Again(0) } else { fit::Whole::Elsewhere };
    beside::without(answer, |answer| {
        if answer.get("next").is_none() {
            fit::fit(answer, max, by);
        }
        fit::fit_told(answer, max);
    });
}

fn is_empty_list(outcome: &Outcome) -> bool {
    let Outcome::Json(answer) = outcome else { return false };
    answer.get("items").and_then(Value::as_array).is_some_and(Vec::is_empty)
}

/// The same with a note beside the answer, within its budget; bytes that are not saved have no place for one.
fn noted(mut outcome: Outcome, note: Option<String>, max: usize) -> Outcome {
    let Some(note) = note else { return outcome };
    let told = match &mut outcome {
        Outcome::Json(answer) => answer,
        Outcome::Text { more, .. } => more.get_or_insert_with(|| Value::Object(Map::new())),
        Outcome::Saved(saved) => {
            saved.note = Some(note);
            return outcome;
        }
        Outcome::Bytes { .. } => return outcome,
    };
    if let Value::Object(fields) = told {
        note_beside(fields, note);
        beside::without(told, |told| fit::fit_told(told, max));
    }
    outcome
}

/// Puts a note beside what an object says, behind one that is there already.
fn note_beside(fields: &mut Map<String, Value>, note: String) {
    let note = match fields.get("note").and_then(Value::as_str) {
        Some(there) => format!("{there}; {note}"),
        None => note,
    };
    fields.insert("note".to_owned(), note.into());
}
