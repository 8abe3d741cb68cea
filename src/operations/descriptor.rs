//! What an operation is: static facts that the generator writes, and that both adapters and the engine read.
//!
//! What is done with these facts is elsewhere. The table of all operations is generated from the inventory (`table.rs`).

mod answers;
mod arguments;

pub use answers::{Answer, Definition, Inside, List, Paging, Shape, Shown};
pub use arguments::{Codec, Field, Kind, NameList, Named, Names, Parameter, Place};

use forgehand_client::{BuildError, Call, Parameters, Raw};

use super::composed::{Doing, Work};

/// One thing that can be asked of a forge, as the inventory describes it.
#[derive(Debug)]
pub struct Operation {
    /// The tool's name, as `create_issue`.
    pub name: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// What a model reads.
    pub about: &'static str,
    /// The toolset that it belongs to.
    pub toolset: &'static str,
    /// Whether it is exposed when nothing is chosen.
    pub default: bool,
    /// The first Forgejo release that has it, as `15.0`; `None` is the oldest release that is known.
    pub since: Option<&'static str>,
    /// The last Forgejo release that has it; `None` is the newest release that is known.
    pub until: Option<&'static str>,
    /// The scopes that a token needs for all its calls, as `read:issue`, sorted; none where any token will do, or none.
    pub scopes: &'static [&'static str],
    /// What it does to the forge.
    pub effect: Effect,
    /// Whether it wants a confirmation before anything is sent (always so for [`Effect::Destroy`]).
    pub confirm: bool,
    /// The arguments that want a confirmation: a boolean where it is true, a list where it is empty (it then clears what it
    /// replaces), any other where it is given.
    pub confirm_when: &'static [&'static str],
    /// The API calls behind it; one for a generated operation.
    pub calls: &'static [ApiCall],
    /// What is read before a change, so that the change blanks nothing.
    pub merge: Option<Merge>,
    /// What a dry run reads, to tell what would change.
    pub present: Option<Present>,
    /// What is read where the forge refuses a write that names by its sha what it replaces.
    pub stale: Option<Stale>,
    /// What was asked of a write is compared with what its answer tells, and a filter with the rows that came.
    pub applied: &'static [Applied],
    /// The arguments' JSON schema, as JSON text.
    pub input_schema: &'static str,
    /// The JSON schema of its structured answers, as JSON text; `None` for text and bytes.
    pub output_schema: Option<&'static str>,
    /// The arguments.
    pub parameters: &'static [Parameter],
    /// Arguments that are refused, each with what to use in its place: `use created: …`.
    pub retired: &'static [(&'static str, &'static str)],
    /// How its answer is read.
    pub answer: Answer,
    /// What is masked in its answer.
    pub mask: Option<&'static Mask>,
    /// The fields that its answer's object or rows may have, where they have fields.
    pub definition: Option<&'static Definition>,
    /// What its arguments `start_line` and `end_line` choose from.
    pub lines: Option<Lines>,
    /// Statuses that mean something particular here, with what they mean (405 on a merge). A 2xx among them is no success:
    /// there is nothing, or nothing was done.
    pub statuses: &'static [(u16, &'static str)],
    /// Statuses that leave open what a write has done, with what may be the reason.
    pub perhaps: &'static [(u16, &'static str)],
    /// Whether it answers HTML, which of any other operation is a page of something that stands before the API.
    pub html: bool,
    /// How it is done.
    pub run: Run,
}

impl Operation {
    /// A read without arguments that can be built into no call: with `..Operation::BARE`, operations that stand in no
    /// table say what differs.
    pub const BARE: Self = Self {
        name: "",
        title: "",
        about: "",
        toolset: "",
        default: true,
        since: None,
        until: None,
        scopes: &[],
        effect: Effect::Read,
        confirm: false,
        confirm_when: &[],
        calls: &[],
        merge: None,
        present: None,
        stale: None,
        applied: &[],
        input_schema: r#"{"type":"object","properties":{}}"#,
        output_schema: None,
        parameters: &[],
        retired: &[],
        answer: Answer::Text,
        mask: None,
        definition: None,
        lines: None,
        statuses: &[],
        perhaps: &[],
        html: false,
        run: Run::Call(no_call),
    };
}

/// The call of [`Operation::BARE`].
fn no_call(_: Parameters) -> Result<Call<Raw>, BuildError> {
    let reason = "the operation has no call".to_owned();
    Err(BuildError { place: "path", name: String::new(), reason })
}

/// What an operation does to the forge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Makes something new each time.
    Add,
    /// Adds, and may be repeated without harm.
    Set,
    /// Overwrites what can be put back.
    Change,
    /// Removes what nothing brings back.
    Destroy,
}

impl Effect {
    /// The inventory's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Add => "add",
            Self::Set => "set",
            Self::Change => "change",
            Self::Destroy => "destroy",
        }
    }
}

/// A tool that is no more: what to use in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retired {
    /// The name that it had.
    pub name: &'static str,
    /// The tool that takes its place.
    pub by: &'static str,
    /// What a model reads: `use NAME instead: why`.
    pub advice: &'static str,
}

/// One call of the forge's API.
#[derive(Debug)]
pub struct ApiCall {
    /// The document's `operationId`.
    pub operation: &'static str,
    /// `GET`, `POST`, ….
    pub method: &'static str,
    /// The path template below `/api/v1`.
    pub path: &'static str,
    /// The scopes that a token needs for it, sorted.
    pub scopes: &'static [&'static str],
}

/// What is read before a change. Some PATCHes of Forgejo blank what they are not sent.
#[derive(Debug)]
pub struct Merge {
    /// Whether it is read even where the caller gave everything: the forge makes what is not there.
    pub always: bool,
    /// The read, with the path arguments of the change; no table lists it.
    pub from: &'static Operation,
    /// Properties of the change's body, each with the property of the read's answer that it is filled from where the
    /// caller does not give it; dotted where they are nested.
    pub fields: &'static [(&'static str, &'static str)],
    /// Words in the answer's lists that the forge takes under another name, with that name: it shows a hook's event as
    /// `issues`, which sent back would mean all events of issues.
    pub words: &'static [(&'static str, &'static str)],
}

/// What a dry run reads: what is at the write's path, before it.
#[derive(Debug)]
pub struct Present {
    /// The read, with the path arguments of the write, and how its answer is shown; no table lists it.
    pub from: &'static Operation,
    /// Query parameters of the read, each with the property of the write's body that gives its value.
    pub chosen: &'static [(&'static str, &'static str)],
    /// The arguments that are compared with its answer.
    pub compared: &'static [Applied],
}

/// What is read after a refusal, to tell what has changed meanwhile.
#[derive(Debug)]
pub struct Stale {
    /// The read, with the path arguments of the write; no table lists it.
    pub from: &'static Operation,
    /// The property that the write's body and the read's answer both have, as `sha`.
    pub field: &'static str,
    /// Query parameters of the read, each with the property of the body that it takes its value from.
    pub query: &'static [(&'static str, &'static str)],
}

/// An argument whose effect the answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The argument's name.
    pub name: &'static str,
    /// The field of the answer, dotted where it is nested; empty for a list's rows themselves.
    pub path: &'static str,
    /// How the two are compared.
    pub by: Compare,
}

/// How what was asked is compared with what the answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// A text, a number or a boolean, as it is.
    Same,
    /// A word, in any case.
    Word,
    /// A moment, of which the forge may keep the day alone.
    Day,
    /// A list of words or numbers in which order means nothing.
    Set,
    /// Words that are among the answer's, which has some under a longer name or without `_only`.
    Among,
    /// An object, of which the fields that both have are compared.
    Fields,
    /// An object of words by key, where the answer has a map: a key that it lacks is not there, which `none` asks for.
    Keys,
    /// A switch that clears a moment, which the answer then has not.
    Cleared,
    /// The id of the object that the answer has; 0 is none.
    Id,
    /// The ids of the objects that the answer has.
    Ids,
    /// The login of the user that the answer has.
    Login,
    /// The logins of the users that the answer has.
    Logins,
    /// The ids of rows that are among the answer's.
    Rows,
    /// The ids of rows that are not among the answer's any more.
    Gone,
    /// The text of which the answer has the base64.
    Encoded,
    /// What the write expects to be there, as the sha that a file has.
    Expected,
    /// What a filter names, of which each row of an honest answer holds one: the forge passes over what it does not know.
    Held,
    /// The same, of which each row holds all.
    HeldAll,
}

/// What is masked of a JSON value: secrets that the forge sends in clear. A list is masked element by element.
#[derive(Debug)]
pub enum Mask {
    /// All of it, where it says anything.
    All,
    /// What of a text with addresses is secret: user and password, and values of the query that are called so.
    Address,
    /// What may be secret in the address of a hook's receiver: besides that what of its path is no plain word, and every value
    /// of its query.
    Receiver,
    /// These fields; `*` is any key that has no mask of its own.
    Fields(&'static [(&'static str, &'static Mask)]),
}

/// What a range of lines is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// From the answer, a text.
    Text,
    /// From the field that is shown under this name.
    Field(&'static str),
}

/// How an operation is done.
#[derive(Clone, Copy)]
pub enum Run {
    /// One API call, built by the typed client.
    Call(fn(Parameters) -> Result<Call<Raw>, BuildError>),
    /// Several calls, or none: a function below `operations/composed`.
    Composed(for<'a> fn(Work<'a>) -> Doing<'a>),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Call(_) => f.write_str("Call"),
            Self::Composed(_) => f.write_str("Composed"),
        }
    }
}
