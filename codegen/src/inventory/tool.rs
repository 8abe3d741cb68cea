//! Finished tools: what the table, the lock and the schemas are made of, every name checked.

mod answers;

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::history::Span;

use super::applied::Applied;
use super::names::Named;
pub use super::resolve::fields::Inside;
pub use super::shape::Shape;
pub use answers::{Answer, Paging};

/// All that a build exposes.
#[derive(Debug)]
pub struct Build {
    /// The inventory's contract version.
    pub contract_version: i64,
    /// The pinned release, as `15.0`.
    pub release: String,
    /// A digest of the pinned document's facts, in hexadecimal.
    pub digest: String,
    /// The toolsets, in the inventory's order.
    pub toolsets: Vec<Toolset>,
    /// Tools, sorted by name.
    pub tools: Vec<Tool>,
    /// Views, sorted by name.
    pub views: Vec<(String, Shape)>,
    /// What has names and ids, sorted by name; only what an argument takes.
    pub names: Vec<Named>,
    /// Tools that are no more, in the order of the file.
    pub retired: Vec<Retired>,
    /// What became of the document's operations.
    pub dispositions: Dispositions,
    /// Fields and answers that are any JSON, with the reason.
    pub any_json: Vec<(String, String)>,
    /// Fields that no answer shows, with the reason.
    pub secrets: Vec<(String, String)>,
    /// The fields of the definitions that answers hold, sorted by name.
    pub definitions: Vec<(String, Vec<(String, Inside)>)>,
    /// Definitions that hold secrets, or something that does: what is masked in each, sorted by name.
    pub masks: Vec<(String, Mask)>,
}

/// How many operations have each disposition, and the rows that reviewers read.
#[derive(Debug, Default)]
pub struct Dispositions {
    /// Exposed under a name of their own.
    pub tool: usize,
    /// Reached through another tool: operationId and tool.
    pub merged: Vec<(String, String)>,
    /// Not exposed: operationId and reason.
    pub excluded: Vec<(String, String)>,
    /// Not possible yet: operationId and reason.
    pub unavailable: Vec<(String, String)>,
}

/// A named group of tools.
#[derive(Debug)]
pub struct Toolset {
    /// Its name, by which it is chosen.
    pub name: String,
    /// A short title.
    pub title: String,
    /// One sentence.
    pub about: String,
}

/// One tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// A short title.
    pub title: String,
    /// What a model reads.
    pub about: String,
    /// Its toolset.
    pub toolset: String,
    /// Whether it is on when nothing is chosen.
    pub default: bool,
    /// What it does.
    pub effect: Effect,
    /// Whether it wants a confirmation.
    pub confirm: bool,
    /// The arguments that want a confirmation: a boolean where it is true, a list where it is empty, any other where it
    /// is given.
    pub confirm_when: Vec<String>,
    /// What is read before the change, so that it blanks nothing.
    pub merge: Option<Merge>,
    /// What a dry run reads, to tell what would change.
    pub present: Option<Present>,
    /// What is read where the forge refuses a write that names by its sha what it replaces.
    pub stale: Option<Stale>,
    /// What was asked is compared with what the answer tells.
    pub applied: Vec<Applied>,
    /// Whether it shows the secrets of its answer.
    pub reveals: bool,
    /// What is masked in its answer; none where it holds no secret or reveals them.
    pub mask: Option<Mask>,
    /// The definition of its answer's object or rows, where it has one.
    pub definition: Option<String>,
    /// What a range of lines is taken from.
    pub lines: Option<Lines>,
    /// The function that does it, where it takes several calls.
    pub composed: Option<String>,
    /// Its API calls: the first is the operation, the others are taken where a parameter is given or absent.
    pub calls: Vec<ApiCall>,
    /// Its arguments, required ones first.
    pub arguments: Vec<Argument>,
    /// Arguments that are refused, each with what to use in its place.
    pub retired: Vec<Retired>,
    /// What is always sent: place, wire name and value.
    pub constants: Vec<(Place, String, Json)>,
    /// How its answer is read.
    pub answer: Answer,
    /// What statuses mean here.
    pub statuses: Vec<(u16, String)>,
    /// Statuses that leave open what was done, with what may be the reason.
    pub perhaps: Vec<(u16, String)>,
    /// Whether it answers HTML, as the document says.
    pub html: bool,
    /// The arguments' JSON schema.
    pub schema: Json,
    /// The JSON schema of its structured answers; none where it answers text or bytes.
    pub output: Option<Json>,
}

impl Tool {
    /// When the forge has its operation.
    pub fn span(&self) -> Span {
        self.calls.first().map(|call| call.span.clone()).unwrap_or_default()
    }

    /// The scopes that a token needs for all its calls, sorted.
    pub fn scopes(&self) -> Vec<&str> {
        let all: BTreeSet<&str> =
            self.calls.iter().flat_map(|call| &call.scopes).map(String::as_str).collect();
        all.into_iter().collect()
    }

    /// The view of its answer.
    pub fn view(&self) -> Option<&str> {
        self.answer.view()
    }

    /// The view of what a dry run reads.
    pub fn view_of_present(&self) -> Option<&str> {
        self.present.as_ref()?.answer.view()
    }
}

/// A tool's or an argument's name that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retired {
    /// The name that it had.
    pub name: String,
    /// The name that takes its place.
    pub by: String,
    /// What the caller reads: `use NAME instead: why`.
    pub advice: String,
}

/// What an operation does to the forge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Makes something new each time.
    Add,
    /// Adds, and may be repeated.
    Set,
    /// Overwrites what can be put back.
    Change,
    /// Removes what nothing brings back.
    Destroy,
}

impl Effect {
    /// All words of the inventory.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("read", Self::Read),
        ("add", Self::Add),
        ("set", Self::Set),
        ("change", Self::Change),
        ("destroy", Self::Destroy),
    ];

    /// The inventory's word for it.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, effect)| *effect == self).map_or("", |(word, _)| word)
    }
}

/// One API call of a tool.
#[derive(Debug)]
pub struct ApiCall {
    /// The operationId.
    pub operation: String,
    /// The method in upper case.
    pub method: String,
    /// The path template.
    pub path: String,
    /// When the forge has it.
    pub span: Span,
    /// The scopes that a token needs for it, as `read:issue`, sorted.
    pub scopes: Vec<String>,
    /// When it is taken; none for the first call.
    pub when: Option<When>,
}

/// When a routed operation is taken.
#[derive(Debug, Clone)]
pub struct When {
    /// The place of the parameter that decides.
    pub place: Place,
    /// Its wire name.
    pub wire: String,
    /// Whether it is taken where the parameter is given; else where it is absent.
    pub given: bool,
}

/// What is read before a change, and what of it is sent with the change.
#[derive(Debug)]
pub struct Merge {
    /// Whether it is read even where the caller gave everything.
    pub always: bool,
    /// The read.
    pub from: ApiCall,
    /// Properties of the body, each with the property of the read's answer that it is filled from; dotted where nested.
    pub fields: Vec<(String, String)>,
    /// Words of the answer's lists, each with the one that is sent for it.
    pub words: Vec<(String, String)>,
    /// What a dry run masks of the read.
    pub mask: Option<Mask>,
}

/// What a dry run reads: what is at the write's path.
#[derive(Debug)]
pub struct Present {
    /// The read.
    pub from: ApiCall,
    /// The tool whose read it is.
    pub tool: String,
    /// How its answer is shown: an object, rows, or yes or no.
    pub answer: Answer,
    /// What is masked of it.
    pub mask: Option<Mask>,
    /// The read's query parameters, each with the property of the write's body that gives its value.
    pub chosen: Vec<(String, String)>,
    /// Arguments that are compared with its answer.
    pub compared: Vec<Applied>,
}

/// What is read after a refusal, to tell what has changed meanwhile.
#[derive(Debug)]
pub struct Stale {
    /// The read.
    pub from: ApiCall,
    /// The property that the body and the read's answer both have.
    pub field: String,
    /// Query parameters of the read, each with the property of the body that it takes its value from.
    pub query: Vec<(String, String)>,
}

/// What is masked of a value; a list is masked element by element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mask {
    /// All of it.
    All,
    /// What of a text with addresses is secret.
    Address,
    /// What may be secret in the address of a hook's receiver.
    Receiver,
    /// What is masked in this definition.
    Definition(String),
    /// These fields; `*` is any other key.
    Fields(Vec<(String, Self)>),
}

/// What a range of lines is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lines {
    /// From the answer, a text.
    Text,
    /// From the field that is shown under this name.
    Field(String),
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
    /// Nowhere: the engine reads it.
    Local,
}

impl Place {
    /// The inventory's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Body | Self::WholeBody => "body",
            Self::Form | Self::File => "form",
            Self::FileType => "media type of form",
            Self::Local => "local",
        }
    }
}

/// One argument of a tool.
#[derive(Debug, Clone)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Older names.
    pub aliases: Vec<String>,
    /// Where it goes.
    pub place: Place,
    /// Its name there.
    pub wire: String,
    /// What it may hold.
    pub kind: Kind,
    /// Whether a call without it is refused.
    pub required: bool,
    /// What is sent when none is given.
    pub default: Option<Json>,
    /// The argument whose value is taken when none is given.
    pub default_from: Option<String>,
    /// The argument that a call must give where this one is true.
    pub demands: Option<String>,
    /// The word at which it does, where it is no boolean.
    pub demands_at: Option<String>,
    /// The argument that may not be given beside this one; of a boolean, where it is true.
    pub excludes: Option<String>,
    /// What is told beside the plan and the answer where this one is false.
    pub when_false: Option<String>,
    /// The argument that may be given in its place.
    pub or: Option<String>,
    /// Whether an empty filter says something of its own, so that it is sent.
    pub empty: bool,
    /// How its value is written.
    pub codec: Codec,
    /// What of its value is a secret.
    pub secret: Option<Mask>,
    /// What it is, for documentation and the command line.
    pub about: String,
    /// Whether the schema describes it.
    pub described: bool,
    /// When the operation has it, where that differs from the operation's own.
    pub span: Span,
}

/// How an argument's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// As it is.
    Plain,
    /// A list joined by commas.
    Comma,
    /// Text as its base64.
    Base64,
    /// The base64 of a file's content as its bytes.
    FromBase64,
    /// Base64 as it is, checked.
    CheckedBase64,
    /// A length of time as its seconds.
    Duration,
    /// A full commit sha as it is, checked.
    Sha,
    /// A number or a boolean as its text.
    AsText,
}

impl Codec {
    /// What is said of it behind the kind; none is as it is.
    pub fn word(self) -> Option<&'static str> {
        Some(match self {
            Self::Plain => return None,
            Self::Comma => "joined by commas",
            Self::Base64 => "as base64",
            Self::FromBase64 => "from base64",
            Self::CheckedBase64 => "is base64",
            Self::Duration => "as seconds",
            Self::Sha => "a full sha",
            Self::AsText => "as text",
        })
    }
}

/// What an argument may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    Enum(Vec<String>),
    /// A whole number within bounds, both inclusive.
    Integer {
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// A whole number from 1 on, a bound that goes without saying.
    Id,
    /// `true` or `false`.
    Boolean,
    /// A moment, with an offset.
    DateTime,
    /// A day.
    Date,
    /// A list of these.
    List(Box<Self>),
    /// An object with these fields.
    Object(Vec<Field>),
    /// An object of texts.
    TextMap,
    /// A name or an id of something that the forge has.
    Name(Names),
    /// Any JSON.
    Json,
}

/// Names that are looked up before anything else is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// What they are names of: the word of a [`Named`].
    pub of: String,
    /// Whether the name is sent, and not the id.
    pub by_name: bool,
    /// Whether an id is looked up as well.
    pub checked: bool,
    /// The least id.
    pub least: i64,
}

/// A field of an object argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its name on the wire.
    pub wire: String,
    /// What it may hold.
    pub kind: Kind,
    /// Whether the object must have it.
    pub required: bool,
    /// The field that may be given in its place.
    pub or: Option<String>,
    /// How its value is written.
    pub codec: Codec,
}

impl Field {
    /// A field that is written as it is.
    pub fn new(name: String, kind: Kind, required: bool) -> Self {
        Self { wire: name.clone(), name, kind, required, or: None, codec: Codec::Plain }
    }
}
