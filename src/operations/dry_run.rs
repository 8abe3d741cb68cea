//! A request shown in place of being sent, with what it would change where one read tells.
//!
//! A read that fails is no failure of the plan, and told in its `note`. Secrets are masked in the request and in what was read.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use forgehand_client::{Body, Call, Content, Parameters, Raw};
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::applied::{Asked, Change, change};
use super::arguments::Plan;
use super::descriptor::{Answer, Compare, Merge, Operation, Present};
use super::outcome::Outcome;
use super::present::{self, Answered, Seen};
use super::projection::Show;
use super::refusal::scopes_of;
use super::{Build, OperationError, address, fit, mask, merge, note_beside, projection, refusal};
use crate::forge::Forge;

/// The longest that a plan waits for what is there.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most characters that are shown of a text that would change, before and after.
const SHOWN: usize = 200;

/// The characters that are shown of such texts before they differ.
const BEFORE: usize = 40;

/// What plans are made with.
pub(super) struct Planner<'a> {
    pub(super) forge: &'a Forge,
    pub(super) operation: &'static Operation,
    /// The budget of the plan's text, in bytes.
    pub(super) max: usize,
    pub(super) deadline: Instant,
}

impl Planner<'_> {
    /// `{"dry_run": true, "method", "path", "query"?, "body"?, "scope"?, …}`: path and query percent-encoded as they would
    /// go out, a JSON body as JSON, a form as its parts with their sizes in bytes, the scopes that a token needs for it.
    /// Where a read tells what is there: `changes`, an object of arguments with `from` and `to`, `unchanged` and
    /// `not_compared`, names of arguments; of a DELETE `deletes`, what is there, `null` for nothing; `stale`, an object of
    /// arguments that tell what they expect to be there and are wrong, with `given` and `there`.
    ///
    /// # Errors
    /// A request that cannot be built.
    pub(super) async fn planned(&self, build: Build, plan: Plan) -> Result<Outcome, OperationError> {
        let Plan { parameters, compared, sent, .. } = plan;
        let mut call = build(parameters.clone()).map_err(|error| refusal::unbuilt(self.operation, &error))?;
        let seen = self.look(&parameters).await;
        let mut note = None;
        if let (Some(merge), Some(seen)) = (&self.operation.merge, &seen)
            && merge::is_needed(merge, &parameters)
        {
            match self.filled(merge, seen, build, parameters) {
                Ok(filled) => call = filled,
                Err(said) => note = Some(said),
            }
        }
        let mut out = self.request(&call);
        if let Some(note) = note {
            note_beside(&mut out, note);
        }
        self.tell(&mut out, &call.method, seen, (&compared, &sent));
        Ok(self.outcome(out))
    }

    /// The same of a composed operation's only write, which may have read already what is there.
    pub(super) async fn plan(
        &self,
        call: &Call<Raw>,
        path: Map<String, Value>,
        known: Option<Answered>,
    ) -> Outcome {
        let seen = match known {
            Some(answered) => Some(Ok(Seen::Answer(answered))),
            None => self.look(&Parameters { path, ..Parameters::default() }).await,
        };
        let mut out = self.request(call);
        self.tell(&mut out, &call.method, seen, (&[], &[]));
        self.outcome(out)
    }

    /// The request of a composed operation with a diff in the place of the body's `content`.
    pub(super) fn with_diff(&self, call: &Call<Raw>, diff: String) -> Outcome {
        let mut out = self.request(call);
        if let Some(Value::Object(body)) = out.get_mut("body") {
            body.remove("content");
        }
        out.insert("diff".to_owned(), diff.into());
        self.outcome(out)
    }

    /// `{"dry_run": true, "requests": […]}`, each as in [`Self::planned`].
    pub(super) fn plans(&self, calls: &[Call<Raw>]) -> Outcome {
        let requests: Vec<Value> = calls.iter().map(|call| request(self.operation, call).into()).collect();
        self.outcome(Map::from_iter([
            ("dry_run".to_owned(), true.into()),
            ("requests".to_owned(), requests.into()),
        ]))
    }

    fn request(&self, call: &Call<Raw>) -> Map<String, Value> {
        let mut out = Map::with_capacity(9);
        out.insert("dry_run".to_owned(), true.into());
        out.extend(request(self.operation, call));
        out
    }

    fn outcome(&self, out: Map<String, Value>) -> Outcome {
        let mut value = Value::Object(out);
        fit::fit(&mut value, self.max, fit::Whole::Again(0));
        Outcome::Json(value)
    }

    /// What is there, where it matters and there is a read that tells.
    async fn look(&self, parameters: &Parameters) -> Option<Result<Seen, OperationError>> {
        let (present, merge) = (&self.operation.present, &self.operation.merge);
        let needed = merge.as_ref().filter(|merge| merge::is_needed(merge, parameters));
        let from = present.as_ref().map(|present| present.from).or(needed.map(|merge| merge.from))?;
        let mut wanted = Parameters { path: parameters.path.clone(), ..Parameters::default() };
        for (query, property) in present.as_ref().map_or(&[][..], |present| present.chosen) {
            let chosen = parameters.body.as_ref().and_then(|body| body.get(property));
            wanted.query.extend(chosen.map(|value| ((*query).to_owned(), value.clone())));
        }
        let patience = Instant::now().checked_add(PATIENCE).unwrap_or(self.deadline);
        Some(present::read(self.forge, from, wanted, self.deadline.min(patience)).await)
    }

    /// The request with what it would be filled with; else why not all of it is known.
    fn filled(
        &self,
        merge: &Merge,
        seen: &Result<Seen, OperationError>,
        build: Build,
        mut parameters: Parameters,
    ) -> Result<Call<Raw>, String> {
        let names: Vec<&str> = merge.fields.iter().map(|(property, _)| *property).collect();
        let names = names.join(", ");
        let seen = seen.as_ref().map_err(|_| {
            format!("what is not given of {names} would be sent as it is, and is not known here")
        })?;
        let said = |error: OperationError| self.clean(error.message);
        let present = merge::object(seen, merge.from.mask).map_err(said)?;
        merge::fill(merge, &mut parameters, &present).map_err(said)?;
        build(parameters).map_err(|error| said(merge::unlike(&error)))
    }

    /// Tells what the write would change.
    fn tell(
        &self,
        out: &mut Map<String, Value>,
        method: &Method,
        seen: Option<Result<Seen, OperationError>>,
        (compared, sent): (&[Asked], &[&str]),
    ) {
        let (Some(present), Some(seen)) = (&self.operation.present, seen) else { return };
        let deletes = *method == Method::DELETE;
        let note = match seen {
            Ok(Seen::Is(word, is)) => {
                if !sent.is_empty() {
                    out.insert("not_compared".to_owned(), sent.into());
                }
                let (name, value) = match (deletes, is) {
                    (true, true) => ("deletes", json!({ word: true })),
                    (true, false) => ("deletes", Value::Null),
                    (false, true) => ("unchanged", json!([word])),
                    (false, false) => ("changes", json!({ word: { "from": false, "to": true } })),
                };
                out.insert(name.to_owned(), value);
                (deletes && !is).then(|| format!("{word} is false as it is, or this token may not see it"))
            }
            Ok(Seen::Answer(answered)) => {
                let only_expects = present.compared.iter().all(|applied| applied.by == Compare::Expected);
                let tell = match (deletes, only_expects) {
                    (true, _) => Self::deleted,
                    (false, true) => Self::expected,
                    (false, false) => Self::changed,
                };
                let told = tell(self, out, present, &answered, (compared, sent));
                told.err().map(|error| self.unread(&error, false))
            }
            Err(error) => {
                let is_gone = error.status == Some(StatusCode::NOT_FOUND.as_u16());
                if is_gone && deletes {
                    out.insert("deletes".to_owned(), Value::Null);
                }
                Some(self.unread(&error, is_gone))
            }
        };
        if let Some(note) = note {
            note_beside(out, note);
        }
    }

    /// Shows what is there, as a list shows it.
    fn deleted(
        &self,
        out: &mut Map<String, Value>,
        present: &Present,
        answered: &Answered,
        (compared, sent): (&[Asked], &[&str]),
    ) -> Result<(), OperationError> {
        let value = answered.value(present.from.mask)?;
        if let Answer::Item(shape) = present.from.answer
            && let Ok(shown) = projection::item(Show::View(shape), present.from.mask, &answered.body)
        {
            out.insert("deletes".to_owned(), shown);
        }
        Compared::with(&value, answered.total, (compared, sent)).tell_stale(out);
        Ok(())
    }

    /// Tells whether what it expects to be there is, where no argument changes anything that is told.
    fn expected(
        &self,
        out: &mut Map<String, Value>,
        present: &Present,
        answered: &Answered,
        compared: (&[Asked], &[&str]),
    ) -> Result<(), OperationError> {
        let value = answered.value(present.from.mask)?;
        Compared::with(&value, answered.total, compared).tell_stale(out);
        Ok(())
    }

    /// Tells of each argument what it makes of what is there.
    fn changed(
        &self,
        out: &mut Map<String, Value>,
        present: &Present,
        answered: &Answered,
        (compared, sent): (&[Asked], &[&str]),
    ) -> Result<(), OperationError> {
        let value = answered.value(present.from.mask)?;
        let mut found = Compared::with(&value, answered.total, (compared, sent));
        out.insert("changes".to_owned(), std::mem::take(&mut found.changes).into());
        for (name, names) in [("unchanged", &found.unchanged), ("not_compared", &found.unknown)] {
            if !names.is_empty() {
                out.insert(name.to_owned(), names.clone().into());
            }
        }
        found.tell_stale(out);
        Ok(())
    }

    /// Why it is not told what is there.
    fn unread(&self, error: &OperationError, is_gone: bool) -> String {
        let call = error.call.as_deref().unwrap_or("the read");
        let text = match (is_gone, error.status) {
            (true, _) => format!("there is nothing, or this token may not see it ({call} answered 404)"),
            (false, Some(status)) => {
                format!("what is there could not be read: {} ({call}, status {status})", error.message)
            }
            (false, None) => format!("what is there could not be read: {} ({call})", error.message),
        };
        self.clean(text)
    }

    fn clean(&self, text: String) -> String {
        let text = self.forge.without_token(text);
        address::without_secrets(&text).unwrap_or(text)
    }
}

/// The arguments of a body beside what is there.
#[derive(Default)]
struct Compared {
    changes: Map<String, Value>,
    unchanged: Vec<String>,
    /// What tells that the forge would refuse the write.
    stale: Map<String, Value>,
    unknown: Vec<String>,
}

impl Compared {
    fn with(present: &Value, total: Option<u64>, (compared, sent): (&[Asked], &[&str])) -> Self {
        let mut found = Self::default();
        for name in sent.iter().map(|name| (*name).to_owned()) {
            let asked = compared.iter().find(|asked| asked.applied.name == name);
            match asked.map_or(Change::Unknown, |asked| change(asked, present, total)) {
                Change::None => found.unchanged.push(name),
                Change::Expected => {}
                Change::Unknown => found.unknown.push(name),
                Change::Of { mut from, mut to } => {
                    address::hide_in(&mut from);
                    address::hide_in(&mut to);
                    let (from, to) = excerpts(from, to);
                    found.changes.insert(name, json!({ "from": from, "to": to }));
                }
                Change::Stale { given, there } => {
                    found.stale.insert(name, json!({ "given": given, "there": there }));
                }
            }
        }
        found
    }

    fn tell_stale(self, out: &mut Map<String, Value>) {
        if !self.stale.is_empty() {
            out.insert("stale".to_owned(), self.stale.into());
            note_beside(
                out,
                "what is expected to be there is not, so that the forge would refuse this".to_owned(),
            );
        }
    }
}

/// Two texts, of long ones only a part from shortly before they differ.
fn excerpts(from: Value, to: Value) -> (Value, Value) {
    let (a, b) = (from.as_str().unwrap_or_default(), to.as_str().unwrap_or_default());
    if a.chars().count().max(b.chars().count()) <= SHOWN {
        return (from, to);
    }
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let start = same.saturating_sub(BEFORE);
    let part = |value: &Value| match value.as_str() {
        Some(text) => {
            let lead = if start > 0 { "…" } else { "" };
            let end = if text.chars().count() > start + SHOWN { "…" } else { "" };
            let shown: String = text.chars().skip(start).take(SHOWN).collect();
            Value::from(format!("{lead}{shown}{end}"))
        }
        None => value.clone(),
    };
    (part(&from), part(&to))
}

fn request(operation: &Operation, call: &Call<Raw>) -> Map<String, Value> {
    let (path, query) =
        call.target.split_once('?').map_or((call.target.as_str(), None), |(p, q)| (p, Some(q)));
    let mut out = Map::with_capacity(5);
    out.insert("method".to_owned(), call.method.as_str().into());
    out.insert("path".to_owned(), path.into());
    if let Some(query) = query {
        out.insert("query".to_owned(), query.into());
    }
    if let Some(mut body) = body(&call.body) {
        mask::hide_arguments(&mut body, operation);
        out.insert("body".to_owned(), body);
    }
    let scopes = scopes_of(operation, call);
    if !scopes.is_empty() {
        out.insert("scope".to_owned(), scopes.into());
    }
    out
}

fn body(body: &Body) -> Option<Value> {
    match body {
        Body::None => None,
        Body::Bytes(bytes) => Some(match serde_json::from_slice(bytes) {
            Ok(value) => value,
            Err(_) => match std::str::from_utf8(bytes) {
                Ok(text) => text.into(),
                Err(_) => json!({ "bytes": bytes.len() }),
            },
        }),
        Body::Form(parts) => {
            let parts = parts.iter().map(|part| match &part.file_name {
                Some(file) => json!({ "name": part.name, "file_name": file, "bytes": part.content.length() }),
                None => json!({ "name": part.name, "value": text(&part.content) }),
            });
            Some(Value::Array(parts.collect()))
        }
    }
}

/// A form's field that is no file.
fn text(content: &Content) -> Cow<'_, str> {
    match content {
        Content::Bytes(bytes) => String::from_utf8_lossy(bytes),
        Content::File(_) => Cow::Borrowed(""),
    }
}
