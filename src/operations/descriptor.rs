//! What an operation is: static facts that the generator writes, and that both adapters and the engine read.
//!
//! No behaviour lives here. The table of all operations is generated from the inventory (`table.rs`).

use forgehand_client::{BuildError, Call, Parameters, Raw};

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
    /// The API calls behind it; one for a generated operation.
    pub calls: &'static [ApiCall],
    /// The arguments' JSON schema, as JSON text.
    pub input_schema: &'static str,
    /// The arguments.
    pub parameters: &'static [Parameter],
    /// How its answer is read.
    pub answer: Answer,
    /// Statuses that mean something particular here, with what they mean (405 on a merge).
    pub statuses: &'static [(u16, &'static str)],
    /// How it is done.
    pub run: Run,
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

/// One argument of an operation.
#[derive(Debug)]
pub struct Parameter {
    /// The argument's name.
    pub name: &'static str,
    /// Older names that are accepted and say nothing.
    pub aliases: &'static [&'static str],
    /// Where it goes.
    pub place: Place,
    /// Its name on the wire; for a body the property, dotted where it is nested.
    pub wire: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Whether a call without it is refused.
    pub required: bool,
    /// The value that is sent when none is given, as JSON text.
    pub default: Option<&'static str>,
    /// The argument whose value is taken when none is given (`owner` for `depends_on_owner`).
    pub default_from: Option<&'static str>,
    /// The argument that may be given in its place (`content_base64` for `content`); never both.
    pub or: Option<&'static str>,
    /// How its value is written.
    pub codec: Codec,
}

/// Where an argument goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into the path.
    Path,
    /// Into the query.
    Query,
    /// Into a property of the JSON body.
    Body,
    /// It is the body.
    WholeBody,
    /// Into a field of the form.
    Form,
    /// It is the form's file.
    File,
    /// Nowhere: the engine reads it (`page` where paging is done here).
    Local,
}

/// What an argument may hold.
#[derive(Debug)]
pub enum Kind {
    /// Any text, byte for byte.
    Text,
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A whole number within bounds, both inclusive.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// RFC 3339 with an offset; a plain date is also taken, and means its first moment in UTC.
    DateTime,
    /// `YYYY-MM-DD`.
    Date,
    /// A list of these.
    List(&'static Kind),
    /// An object with these fields.
    Object(&'static [Field]),
    /// An object of text values by any key.
    TextMap,
    /// Any JSON.
    Json,
}

/// A field of an object argument.
#[derive(Debug)]
pub struct Field {
    /// Its wire name.
    pub name: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Whether the object must have it.
    pub required: bool,
}

/// How an argument's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// As it is.
    Plain,
    /// A list becomes one string, joined by commas.
    Comma,
    /// Text becomes its base64.
    Base64,
    /// Base64 is decoded into bytes (files).
    FromBase64,
    /// Base64 stays base64: checked, and written in one line.
    CheckedBase64,
}

/// How an operation's answer is read.
#[derive(Debug)]
pub enum Answer {
    /// One object, shown through a view.
    Item(&'static Shape),
    /// A list: `{items, next?, total?}`.
    List(List),
    /// Text as it is: diffs, logs, files.
    Text,
    /// Bytes with a media type.
    Bytes,
    /// Nothing, or nothing worth showing: `{"done": true, "status": …}`.
    Done {
        /// The name of the boolean, `done` unless the inventory tells a better one (`merged`).
        word: &'static str,
        /// Statuses that mean another word and not this one (201: `scheduled`).
        instead: &'static [(u16, &'static str)],
    },
    /// Yes or no, by status.
    YesNo {
        /// The name of the boolean.
        word: &'static str,
        /// Statuses that mean yes.
        yes: &'static [u16],
        /// Statuses that mean no.
        no: &'static [u16],
    },
}

/// How a list is read.
#[derive(Debug)]
pub struct List {
    /// How each row is shown.
    pub row: &'static Shape,
    /// The property that holds the rows, where the answer wraps them.
    pub items: Option<&'static str>,
    /// The property that holds the total, where the answer has one.
    pub total: Option<&'static str>,
    /// Whether an object in place of the list is its only row.
    pub or_one: bool,
    /// Who does the paging.
    pub paging: Paging,
}

/// Who does the paging of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// The forge obeys `page` and `limit`.
    Forge,
    /// The forge sends everything; the pages are cut here.
    Here,
}

/// What is shown of a JSON value. An array is shown element by element with the same shape.
#[derive(Debug)]
pub enum Shape {
    /// The value as it is.
    Whole,
    /// One field stands for the object: a user is its login.
    Inline(&'static str, &'static Shape),
    /// These fields, in this order.
    Fields(&'static [Shown]),
}

/// A shown field.
#[derive(Debug)]
pub struct Shown {
    /// Its wire name.
    pub name: &'static str,
    /// How its value is shown.
    pub shape: &'static Shape,
}

/// How an operation is done.
#[derive(Clone, Copy)]
pub enum Run {
    /// One API call, built by the typed client.
    Call(fn(Parameters) -> Result<Call<Raw>, BuildError>),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Call(_) => f.write_str("Call"),
        }
    }
}
