//! What an operation is: static facts that the generator writes, and that both adapters and the engine read.
//!
//! No behaviour lives here. The table of all operations is generated from the inventory (`table.rs`).

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
    /// The text of which the answer has the base64.
    Encoded,
    /// What the write expects to be there, as the sha that a file has.
    Expected,
    /// A filter's names, of which each row of an honest answer holds one: the forge passes over those that it does not know.
    Held,
}

/// What is masked of a JSON value: secrets that the forge sends in clear. A list is masked element by element.
#[derive(Debug)]
pub enum Mask {
    /// All of it, where it says anything.
    All,
    /// What of a text with addresses is secret: user and password, and values of the query that are called so.
    Address,
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
    /// The argument that must be given where this one is true (`head_commit_id` for `require_head`).
    pub demands: Option<&'static str>,
    /// The argument that may be given in its place (`content_base64` for `content`); never both.
    pub or: Option<&'static str>,
    /// How its value is written.
    pub codec: Codec,
    /// Whether its value is a secret, which no error and no dry run repeats.
    pub secret: bool,
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
    /// It is the media type of the form's file.
    FileType,
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
    /// A name or an id: a number is the id, a text the name, and outside of a list digits are the id.
    Name(Names),
    /// Any JSON.
    Json,
}

/// Names that are looked up before anything else is asked for.
#[derive(Debug)]
pub struct Names {
    /// What they are names of.
    pub of: &'static Named,
    /// Whether the name is sent, and not the id.
    pub by_name: bool,
    /// Whether an id is looked up as well: a filter that the forge would pass over in silence.
    pub checked: bool,
    /// The least id: 0 where that means none.
    pub least: i64,
}

/// Things that have an id, and a name by which people know them.
#[derive(Debug)]
pub struct Named {
    /// The inventory's word for them, as `repo_hook`.
    pub name: &'static str,
    /// What errors call one of them, as `hook`.
    pub word: &'static str,
    /// The fields of a row that name it, dotted where they are nested; each row has an `id` besides.
    pub by: &'static [&'static str],
    /// The path parameter of the lists that a name tells itself, before a slash: `org` where the name is `acme/Owners`.
    pub within: Option<&'static str>,
    /// Whether the names are web addresses, which may hold what no error may repeat.
    pub address: bool,
    /// Whether a list of such names on the wire may hold ids as well.
    pub mixed: bool,
    /// Where they are listed; what is in any of the lists is there.
    pub lists: &'static [NameList],
}

/// A list of the forge's in which names are looked up.
#[derive(Debug)]
pub struct NameList {
    /// Builds its call.
    pub build: fn(Parameters) -> Result<Call<Raw>, BuildError>,
    /// Its path parameters but [`Named::within`], each with the path parameter of the operation that tells it.
    pub path: &'static [(&'static str, &'static str)],
    /// What its query says besides the page.
    pub query: &'static [(&'static str, &'static str)],
    /// Whether it has pages.
    pub paged: bool,
    /// Whether there may be none (404), or none that the token may read (403).
    pub optional: bool,
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
    /// A length of time, as `1h30m`, becomes its seconds.
    Duration,
    /// A number or a boolean becomes its text.
    AsText,
}

/// How an operation's answer is read.
#[derive(Debug)]
pub enum Answer {
    /// One object, shown through a view.
    Item(&'static Shape),
    /// A list: `{items, next?, total?}`.
    List(List),
    /// One object, shown through a view; or a redirect by which a write tells that the thing is at another place now:
    /// `{"transferred": true, "full_name": …}`.
    Moved {
        /// How the object is shown.
        shape: &'static Shape,
        /// The name of the boolean that tells of the move.
        word: &'static str,
        /// The body's field that says to which owner; a redirect that leads to another is none of this write's doing.
        to: &'static str,
    },
    /// One bare value (`true`, a number, a string), under a name of its own: `{"within_quota": false}`.
    Value {
        /// The value's name.
        word: &'static str,
    },
    /// Text as it is: diffs, logs, files.
    Text,
    /// Bytes with a media type.
    Bytes,
    /// Nothing, or nothing worth showing: `{"done": true, "status": …, note?}`.
    Done {
        /// The name of the boolean, `done` unless the inventory tells a better one (`merged`).
        word: &'static str,
        /// Statuses that mean another word and not this one (201: `scheduled`).
        instead: &'static [(u16, &'static str)],
        /// What this success leaves open: the forge answers it for what is not there as well.
        note: Option<&'static str>,
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
    /// Who does the paging, and in what order.
    pub paging: Paging,
}

/// Who does the paging of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// The forge obeys `page` and `limit`.
    Forge,
    /// The forge obeys `page` and decides by itself how many rows a page has.
    Fixed,
    /// The forge sends everything, in an order that may change; the pages are cut here, by `id`.
    Here,
    /// The forge sends everything, and its order is fixed and says something; the pages are cut here in that order.
    InOrder,
}

/// What is shown of a JSON value. An array is shown element by element with the same shape.
#[derive(Debug)]
pub enum Shape {
    /// The value as it is.
    Whole,
    /// A field with base64: its text under this name, or where it is no UTF-8 the base64 under its own.
    Decoded(&'static str),
    /// A date and time; the zeros that stand for none are none.
    Moment,
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

/// The fields that the document tells of an object.
#[derive(Debug)]
pub struct Definition {
    /// Its name in the document, as `Issue`; empty for an object without one.
    pub name: &'static str,
    /// Each field's wire name, and what is inside it, sorted.
    pub fields: &'static [(&'static str, Inside)],
}

/// What is inside a field; a list is told by its elements.
#[derive(Debug)]
pub enum Inside {
    /// A text, a number or a boolean.
    Plain,
    /// A date and time.
    Moment,
    /// An object with these fields.
    Object(&'static Definition),
    /// Any JSON.
    Anything,
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
