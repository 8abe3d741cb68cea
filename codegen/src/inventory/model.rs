//! `inventory.toml` as rows: what its author wrote, each with its line, not yet compared with the document.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::tool::Mask;
pub use super::tree::At;

/// The whole inventory.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Rises when a tool or an argument is renamed or removed.
    pub contract_version: i64,
    /// Shared rules of arguments, by the argument's name.
    pub vocabulary: BTreeMap<String, Rule>,
    /// What has names and ids, by its word.
    pub names: BTreeMap<String, NamesRow>,
    /// Toolsets by name, in the order of the file.
    pub toolsets: Vec<(String, Toolset)>,
    /// Views by name: `Issue`, `Issue.row`.
    pub views: BTreeMap<String, View>,
    /// Tools by name, in the order of the file.
    pub tools: Vec<(String, ToolRow)>,
    /// Operations that are not exposed: operationId and reason.
    pub excluded: Vec<(String, At<String>)>,
    /// Operations that cannot be exposed yet: operationId and reason.
    pub unavailable: Vec<(String, At<String>)>,
    /// Tools that are no more: the old name and `use NAME instead: why`.
    pub retired: Vec<(String, At<String>)>,
    /// Fields and answers that the document types as any JSON, with the reason: `Hook.metadata`.
    pub any_json: Vec<(String, At<String>)>,
    /// Fields whose values no answer shows, with the reason: `Hook.authorization_header`.
    pub secrets: Vec<(String, SecretRow)>,
}

/// A named group of tools.
#[derive(Debug)]
pub struct Toolset {
    /// The line of its table.
    pub line: usize,
    /// A short title for people.
    pub title: String,
    /// One sentence.
    pub about: String,
}

/// What an answer shows of a definition.
#[derive(Debug)]
pub struct View {
    /// The line of its table.
    pub line: usize,
    /// What is shown where it is the subject: dotted paths.
    pub fields: Vec<At<String>>,
    /// What is shown where it is inside something else: one field stands for it, several make an object.
    pub inline: Vec<At<String>>,
    /// Fields that hold base64, each with the name under which its text is shown.
    pub decode: Vec<(String, At<String>)>,
}

/// Things that have names and ids, and where the forge lists them.
#[derive(Debug)]
pub struct NamesRow {
    /// The line of its table.
    pub line: usize,
    /// What errors call one of them, where it is not the table's name.
    pub word: Option<At<String>>,
    /// The fields of a row that name it.
    pub by: Vec<At<String>>,
    /// The path parameter of the lists that a name tells itself, before a slash.
    pub within: Option<At<String>>,
    /// Whether the names are web addresses.
    pub address: bool,
    /// Whether a list of such names on the wire may hold ids as well.
    pub mixed: bool,
    /// Whether what is all digits may be a name.
    pub digits: bool,
    /// The lists by operationId, in the order of the file.
    pub lists: Vec<(String, NameRow)>,
}

/// One list of things that have names.
#[derive(Debug)]
pub struct NameRow {
    /// The line of its key.
    pub line: usize,
    /// Path parameters that the tool's path has under another name, with that name.
    pub path: Vec<(String, At<String>)>,
    /// What its query says besides the page.
    pub query: Vec<(String, At<String>)>,
    /// Whether there may be none, or none that the token may read.
    pub optional: bool,
}

/// The rules of an argument: in the vocabulary for all tools, in a tool's own table for that one.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Rule {
    /// The line of its key.
    pub line: usize,
    /// The wire names, as `path.filepath`, that take the vocabulary's name without being told.
    pub wire: Vec<At<String>>,
    /// Older names that are accepted.
    pub aliases: Vec<At<String>>,
    /// What it is, for the documentation, the command line and, unless `silent`, the schema.
    pub about: Option<At<String>>,
    /// Whether the name says it all, so that the schema leaves the description out.
    pub silent: Option<bool>,
    /// The type, where it is not the document's.
    pub kind: Option<At<String>>,
    /// The words that are allowed.
    pub values: Vec<At<String>>,
    /// The least number.
    pub min: Option<i64>,
    /// The greatest number.
    pub max: Option<i64>,
    /// What its names are names of, where the forge wants ids or cannot be trusted with names: `label[]`, `milestone`.
    pub names: Option<At<String>>,
    /// Whether an empty filter says something of its own.
    pub empty: Option<bool>,
    /// How it is compared with a write's answer, where its own name there would be wrong.
    pub applied: Option<At<AppliedRow>>,
}

/// What a dry run of a write reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentRow {
    /// Nothing: the read at its path tells nothing of what it would change.
    Never,
    /// This operation, a GET with the same path parameters.
    From(String),
}

/// How an argument is compared with the answer of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppliedRow {
    /// A row holds in this field all that a filter names.
    All(String),
    /// Not at all.
    Never,
    /// With this field of the answer.
    Field(String),
}

/// A parameter's row in a tool's table.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct ParamRow {
    /// The argument's name, where it is not made of the wire name.
    pub name: Option<At<String>>,
    /// Its rules.
    pub rule: Rule,
    /// Whether a call without it is refused.
    pub required: Option<bool>,
    /// The value that is sent when none is given.
    pub default: Option<Json>,
    /// The value that is always sent; there is no argument then.
    pub constant: Option<Json>,
    /// The parameter, as `path.owner`, whose value is taken when none is given.
    pub default_from: Option<At<String>>,
    /// The parameter, as `body.head_commit_id`, that a call must give where this one is true.
    pub demands: Option<At<String>>,
    /// The word at which it does, where it is no boolean.
    pub demands_at: Option<At<String>>,
    /// Of a boolean: what is told beside the plan and the answer where it is false.
    pub when_false: Option<At<String>>,
    /// The parameter that a call may not give beside this one; of a boolean, where it is true.
    pub excludes: Option<At<String>>,
    /// Whether its value is a secret, which no error and no plan repeats; by the name where nothing is said.
    pub secret: Option<bool>,
    /// Whether it is the address of a hook's receiver, of which no error and no plan repeats what may be secret.
    pub receiver: Option<bool>,
    /// `base64`: text is encoded before it is sent; `duration`: it becomes seconds.
    pub codec: Option<At<String>>,
    /// The argument that takes the encoded form in its place.
    pub or: Option<At<String>>,
    /// The argument that tells the media type of a file.
    pub media_type: Option<At<String>>,
    /// The separator by which a list becomes one string: `,`.
    pub join: Option<At<String>>,
}

/// A tool's table.
#[derive(Debug)]
pub struct ToolRow {
    /// The line of its table.
    pub line: usize,
    /// The operationId; empty for a composed tool.
    pub operation: At<String>,
    /// The function below `src/operations/composed` that does what takes several calls.
    pub composed: Option<At<String>>,
    /// The operations that a composed tool uses, in the order of its work; the last one answers.
    pub calls: Vec<At<String>>,
    /// The release that brings the operation, where no document at hand has it yet.
    pub since: Option<At<String>>,
    /// Operations that are taken instead where a parameter is given or absent: the tool's other ways.
    pub route: Vec<Route>,
    /// The tool that exposes the same operation in another way, where there is one.
    pub beside: Option<At<String>>,
    /// Its toolset.
    pub toolset: At<String>,
    /// Whether it is exposed when nothing is chosen.
    pub default: bool,
    /// A short title for people.
    pub title: At<String>,
    /// What a model reads.
    pub about: At<String>,
    /// What it does to the forge.
    pub effect: At<String>,
    /// Whether it wants a confirmation.
    pub confirm: bool,
    /// Parameters, as `body.force`, that want a confirmation: a boolean where it is true, a list where it is empty, any
    /// other where it is given.
    pub confirm_when: Vec<At<String>>,
    /// What is read before the change, so that it blanks nothing.
    pub merge: Option<At<MergeRow>>,
    /// What a dry run reads, where that is not the read at its path.
    pub present: Option<At<PresentRow>>,
    /// What is read where the forge refuses a write that names by its sha what it replaces.
    pub stale: Option<At<StaleRow>>,
    /// Whether it shows the secrets of its answer.
    pub reveals: Option<At<bool>>,
    /// Whether its argument `with_metadata` has facts about the text told beside it.
    pub metadata: Option<At<bool>>,
    /// Whether its argument `paths` chooses files of a unified diff.
    pub paths: Option<At<bool>>,
    /// What its arguments `start_line` and `end_line` choose from.
    pub lines: Option<At<LinesRow>>,
    /// The view of its answer.
    pub view: Option<At<String>>,
    /// How its answer is read, where the document does not tell.
    pub answer: Option<At<AnswerRow>>,
    /// The property that holds a list's rows.
    pub items: Option<At<String>>,
    /// The property that holds a list's total.
    pub total: Option<At<String>>,
    /// Who does a list's paging: `forge`, `fixed`, `here`, or for what a write answers `none`.
    pub paging: Option<At<String>>,
    /// `forge`: pages that are cut here keep the order in which the forge sends the rows.
    pub order: Option<At<String>>,
    /// What statuses mean here.
    pub statuses: Vec<(u16, String)>,
    /// Statuses that leave open what was done, with what may be the reason.
    pub perhaps: Vec<(u16, String)>,
    /// Arguments that are refused: the old name and `use NAME: why`.
    pub retired: Vec<(String, At<String>)>,
    /// Parameters that are not offered, as `body.closed`.
    pub hide: Vec<At<String>>,
    /// Parameters by place and wire name.
    pub params: Vec<(String, ParamRow)>,
}

impl ToolRow {
    /// The row of a parameter; none where the document says all of it.
    pub fn param(&self, key: &str) -> Option<&ParamRow> {
        self.params.iter().find(|(known, _)| known == key).map(|(_, row)| row)
    }

    /// Why no call gives a parameter, as a clause; none where one may.
    pub fn never_given(&self, key: &str) -> Option<String> {
        let is_hidden = self.hide.iter().any(|at| at.value == key);
        let is_sent = self.param(key).is_some_and(|row| row.constant.is_some());
        let why = if is_hidden { "hidden" } else { "always sent" };
        (is_hidden || is_sent).then(|| format!("{key:?} is {why}, so no call gives it"))
    }
}

/// A field of `[secrets]`.
#[derive(Debug)]
pub struct SecretRow {
    /// The reason.
    pub why: At<String>,
    /// What of it is masked.
    pub mask: Mask,
}

/// Another operation of a tool.
#[derive(Debug)]
pub struct Route {
    /// The operationId.
    pub operation: At<String>,
    /// The parameter, as `path.filepath`, that decides.
    pub parameter: At<String>,
    /// Whether it is taken where the parameter is given; else where it is absent.
    pub given: bool,
}

/// What is read before a change, and what of it is sent with the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeRow {
    /// Whether it is read even where the caller gave everything.
    pub always: bool,
    /// The operationId of the read.
    pub from: At<String>,
    /// Properties of the body, each with the property of the read's answer that it is filled from.
    pub fields: Vec<(At<String>, String)>,
    /// Words of the answer's lists that the forge takes under another name, with that name.
    pub words: Vec<(String, At<String>)>,
}

/// What is read after a refusal, to tell what has changed meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleRow {
    /// The operationId of the read.
    pub from: At<String>,
    /// The property that the body and the read's answer both have.
    pub field: At<String>,
    /// Query parameters of the read, each with the property of the body that it takes its value from.
    pub query: Vec<(String, At<String>)>,
}

/// What a range of lines is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinesRow {
    /// From the answer, a text.
    Text,
    /// From the field that is shown under this name.
    Field(String),
}

/// How an answer is read, where the document does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerRow {
    /// `item`, `list`, `text`, `bytes` or `done`.
    Kind(String),
    /// Nothing worth showing, in that word; statuses that mean another word; what the success leaves open.
    Done(String, Vec<(u16, String)>, Option<String>),
    /// A bare value, under that name.
    Value(String),
    /// One object; or a redirect that tells, in that word, that the thing was moved.
    Moved {
        /// The boolean's name.
        word: String,
        /// The parameter, as `body.new_owner`, that the new place's owner is compared with.
        to: At<String>,
    },
    /// Yes or no by status, in that word.
    YesNo {
        /// The boolean's name.
        word: String,
        /// Statuses that mean yes.
        yes: Vec<u16>,
        /// Statuses that mean no.
        no: Vec<u16>,
    },
}
