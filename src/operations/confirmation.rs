//! Whether a call wants a confirmation, and what is asked of whoever gives it. Nothing is sent here, and nobody is asked:
//! asking belongs to the adapters, which know whom they talk to.

use serde_json::{Map, Value};

use super::arguments::{self, Engine, Values, quoted};
use super::descriptor::{ApiCall, Effect, Operation, Parameter, Place, Run};
use super::mask::MASKED;
use super::{Code, OperationError, mask, names, refusal, within};
use crate::forge::Forge;

/// The most characters that a question shows of a request's method and path.
const LONGEST_CALL: usize = 300;

/// The most characters that a question shows of a list, and of all arguments.
const LONGEST_VALUE: usize = 100;
const LONGEST_LIST: usize = 600;

/// Who confirms the calls that want it: those of [`Effect::Destroy`], and what the inventory marks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Confirm {
    /// The caller may, by `confirm: true`; without it the user is asked, where there is a way to.
    #[default]
    Auto,
    /// The user, always: `confirm: true` is not enough.
    Ask,
    /// Nobody has to.
    Off,
}

/// What the user is asked before a call.
#[derive(Debug)]
pub struct Question {
    operation: &'static Operation,
    risk: Option<&'static str>,
    /// The request, where there is but one; its path is not filled in where a name in it is yet to be looked up.
    call: Option<String>,
    text: String,
}

/// What the user is to be asked before this call; `None` where nobody is: it wants no confirmation, it has one that is
/// enough, or it only shows its request. Arguments are checked; nothing is sent.
///
/// # Errors
/// [`Code::InvalidArguments`], as [`run`](super::run) would say: nobody is asked about a call that cannot be.
pub fn question(
    forge: &Forge,
    operation: &'static Operation,
    arguments: &Map<String, Value>,
    confirm: Confirm,
) -> Result<Option<Question>, OperationError> {
    if confirm == Confirm::Off || !may_want(operation) {
        return Ok(None);
    }
    let question = arguments::read(operation, forge.address(), arguments.clone()).and_then(|values| {
        within::check(forge, operation, &values)?;
        let wanted = is_wanted(operation, &values.engine, confirm);
        wanted.then(|| Question::new(forge, operation, values)).transpose()
    });
    let secrets = mask::secrets(operation, arguments);
    question.map_err(|error| super::without_secrets(forge, &secrets, error))
}

/// Whether some call of an operation wants a confirmation.
fn may_want(operation: &Operation) -> bool {
    operation.confirm || operation.effect == Effect::Destroy || !operation.confirm_when.is_empty()
}

/// Whether this call waits for a confirmation; a plan wants none.
pub(super) fn is_wanted(operation: &Operation, engine: &Engine, confirm: Confirm) -> bool {
    let asks = operation.confirm || operation.effect == Effect::Destroy || engine.risk.is_some();
    let has = match confirm {
        Confirm::Auto => engine.confirm,
        Confirm::Ask => false,
        Confirm::Off => true,
    };
    asks && !has && !engine.dry_run
}

impl Question {
    /// The question about a call with these arguments.
    ///
    /// # Errors
    /// A value that its codec cannot write.
    pub(super) fn new(
        forge: &Forge,
        operation: &'static Operation,
        values: Values,
    ) -> Result<Self, OperationError> {
        let risk = values.engine.risk;
        let reason = values.iter().find(|(parameter, _)| Some(parameter.name) == risk);
        let reason = reason.map(|given| format!(" Asked because of {}.", named(given))).unwrap_or_default();
        let listed = listed(&values);
        let call = match operation.run {
            Run::Composed(_) => None,
            Run::Call(build) => {
                let is_named = names::in_path(&values);
                let call = build(values.plan()?.parameters).ok();
                call.and_then(|call| match is_named {
                    true => template(operation, |own| own.operation == call.operation),
                    false => Some(refusal::called(&call)),
                })
            }
        };
        let write = || template(operation, |call| call.method != "GET");
        let sends = call.clone().or_else(write).unwrap_or_default();
        let with = if listed.is_empty() { String::new() } else { format!(", with {listed}") };
        let last = if operation.effect == Effect::Destroy { " This cannot be undone." } else { "" };
        let text = format!(
            "{}?{reason} It sends {} to {}{with}.{last}",
            operation.title,
            cut(&sends, LONGEST_CALL),
            forge.address().as_str()
        );
        Ok(Self { operation, risk, call, text })
    }

    /// What the user is asked, in plain sentences of 2,000 characters at most beside the forge's address: the tool's title,
    /// the argument that is the reason for asking, the request, and the other arguments: those of the path first, those that
    /// were cut last. Values are quoted, without control characters, cut where they are long, though no address before the
    /// end of its host, and masked where they are secrets.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The error of a call that the user did not confirm: `why`, a sentence's beginning. Nothing was sent.
    pub fn refused(&self, why: &str, hint: &str) -> OperationError {
        let said = format!("{why}: {} was not run, and nothing was sent", self.operation.name);
        self.error(said).hint(hint)
    }

    /// The error of a call that has no confirmation, and nobody can be asked for one. Nothing was sent.
    pub(super) fn unconfirmed(&self, confirm: Confirm) -> OperationError {
        let name = self.operation.name;
        let before = self.call.as_ref().map_or_else(String::new, |call| format!(" before it sends {call}"));
        let with = self.risk.map_or_else(String::new, |name| format!(" with {name}"));
        if confirm == Confirm::Ask {
            let said = format!(
                "{name} wants its user's own confirmation{before}{with}, and nobody can be asked here; nothing was sent"
            );
            return self.error(said).hint(
                "confirm: true is not enough with --confirm ask: that needs a client that can ask its user \
                 (elicitation), or a terminal; dry_run: true shows the request",
            );
        }
        let said = format!("{name} wants a confirmation{before}{with}; nothing was sent");
        self.error(said).hint(
            "ask the user, then send the same arguments with confirm: true; dry_run: true shows the request",
        )
    }

    fn error(&self, said: String) -> OperationError {
        let mut error = OperationError::new(Code::ConfirmationRequired, said);
        error.call.clone_from(&self.call);
        error
    }
}

/// The last request of the operation's that is wanted, its path not filled in.
fn template(operation: &Operation, is_wanted: impl Fn(&ApiCall) -> bool) -> Option<String> {
    let call = operation.calls.iter().rfind(|call| is_wanted(call))?;
    Some(format!("{} {}", call.method, call.path))
}

/// The arguments with their values, as `owner "acme", index 7`, but that which is the reason for asking: what says which
/// thing it is about cannot be driven out by long texts.
fn listed(values: &Values) -> String {
    let others = values.iter().filter(|(parameter, _)| Some(parameter.name) != values.engine.risk);
    let mut others: Vec<(bool, bool, String)> = others
        .map(|given| {
            let named = named(given);
            (given.0.place != Place::Path, named.contains('…'), named)
        })
        .collect();
    others.sort_by_key(|(is_no_path, is_cut, _)| (*is_no_path, *is_cut));
    some_of(others.into_iter().map(|(_, _, named)| named), LONGEST_LIST)
}

/// An argument with its value.
fn named((parameter, value): (&Parameter, &Value)) -> String {
    let mut value = value.clone();
    if let Some(mask) = mask::of_parameter(parameter) {
        mask::hide(&mut value, mask);
    }
    let shown = if value == MASKED { MASKED.to_owned() } else { shown(&value) };
    format!("{} {shown}", parameter.name)
}

/// Whole items with commas between them, as many as there is room for in so many characters but at least one, and how many
/// are left.
fn some_of(items: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let mut left = items.len();
    let mut text = String::new();
    for item in items {
        if !text.is_empty() && text.chars().count() + item.chars().count() > most {
            break;
        }
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&item);
        left -= 1;
    }
    if left > 0 {
        text.push_str(&format!(" and {left} more"));
    }
    text
}

/// A value in a question: what stands in a text can be taken neither for words of ours nor for another text.
fn shown(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", some_of(items.iter().map(shown), LONGEST_VALUE)),
        // Their fields are anything, secrets too.
        Value::Object(_) => "{…}".to_owned(),
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
