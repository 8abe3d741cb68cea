//! One change, and the report that holds them all. What is serialised here is the JSON that `drift` prints.

use serde::Serialize;

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An operation is new.
    OperationAdded,
    /// An operation is gone.
    OperationRemoved,
    /// The same method and path have another operationId.
    OperationRenamed,
    /// The same operationId is at another method or path.
    OperationMoved,
    /// An operation's media types, or whether it is deprecated.
    OperationChanged,
    /// A parameter or body property is new.
    ParameterAdded,
    /// A parameter or body property is gone.
    ParameterRemoved,
    /// A path parameter has another name; on the wire nothing changes.
    ParameterRenamed,
    /// A parameter or body property is another in one aspect.
    ParameterChanged,
    /// The statuses of success, or the type that is answered.
    AnswerChanged,
    /// A definition that is answered has a new field.
    FieldAdded,
    /// A field of a definition that is answered is gone.
    FieldRemoved,
    /// A field of a definition that is answered is another in one aspect.
    FieldChanged,
    /// A tool is new.
    ToolAdded,
    /// A tool is gone.
    ToolRemoved,
    /// The same calls have another tool's name.
    ToolRenamed,
    /// A tool's effect, toolset, scope, confirmation, calls, answer, or whether it is on by default.
    ToolChanged,
    /// An argument is new.
    ArgumentAdded,
    /// An argument is gone.
    ArgumentRemoved,
    /// The same parameter has another argument's name.
    ArgumentRenamed,
    /// An argument is another in one aspect.
    ArgumentChanged,
    /// An answer shows another field.
    ShownAdded,
    /// An answer no longer shows a field.
    ShownRemoved,
}

impl Kind {
    /// All kinds with their headings, in the order of a report.
    pub const HEADINGS: [(Self, &'static str); 23] = [
        (Self::OperationAdded, "Operations added"),
        (Self::OperationRemoved, "Operations removed"),
        (Self::OperationRenamed, "Operations renamed"),
        (Self::OperationMoved, "Operations moved"),
        (Self::OperationChanged, "Operations changed"),
        (Self::ParameterAdded, "Parameters added"),
        (Self::ParameterRemoved, "Parameters removed"),
        (Self::ParameterRenamed, "Path parameters renamed"),
        (Self::ParameterChanged, "Parameters changed"),
        (Self::AnswerChanged, "Answers changed"),
        (Self::FieldAdded, "Response fields added"),
        (Self::FieldRemoved, "Response fields removed"),
        (Self::FieldChanged, "Response fields changed"),
        (Self::ToolAdded, "Tools added"),
        (Self::ToolRemoved, "Tools removed"),
        (Self::ToolRenamed, "Tools renamed"),
        (Self::ToolChanged, "Tools changed"),
        (Self::ArgumentAdded, "Arguments added"),
        (Self::ArgumentRemoved, "Arguments removed"),
        (Self::ArgumentRenamed, "Arguments renamed"),
        (Self::ArgumentChanged, "Arguments changed"),
        (Self::ShownAdded, "Shown fields added"),
        (Self::ShownRemoved, "Shown fields removed"),
    ];
}

/// One change between two documents or two locks. Keys that say nothing are left out of the JSON, the lists never.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// What changed.
    pub kind: Kind,
    /// The operationId, definition, tool or view; where it was renamed, the new name.
    pub subject: String,
    /// Within the subject: a parameter as `query.state` or `body.title`, a field as `labels`, an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Which aspect of it: `type`, `required`, `values`, `default`, `place`, `collectionFormat`, `effect`, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspect: Option<String>,
    /// What it was. For `values`, those that are gone, between `|`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// What it is now. For `values`, those that are new, between `|`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
    /// Method and path of an operation, as `GET /user`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Whether what worked before may fail now.
    pub breaking: bool,
    /// The operations that it concerns; for a response field, those that answer its definition, alone or in a list.
    pub operations: Vec<String>,
    /// The tools of the inventory that it touches.
    pub tools: Vec<String>,
}

impl Change {
    /// A change of which only this much is known.
    pub(super) fn new(kind: Kind, subject: impl Into<String>) -> Self {
        Self {
            kind,
            subject: subject.into(),
            part: None,
            aspect: None,
            was: None,
            is: None,
            call: None,
            breaking: false,
            operations: Vec::new(),
            tools: Vec::new(),
        }
    }

    pub(super) fn part(self, part: impl Into<String>) -> Self {
        Self { part: Some(part.into()), ..self }
    }

    pub(super) fn aspect(self, aspect: &str) -> Self {
        Self { aspect: Some(aspect.to_owned()), ..self }
    }

    pub(super) fn between(self, was: Option<String>, is: Option<String>) -> Self {
        Self { was, is, ..self }
    }

    pub(super) fn breaks(self, breaking: bool) -> Self {
        Self { breaking, ..self }
    }
}

/// All changes, sorted by kind, breaking ones first, and subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// `documents` or `locks`.
    pub compared: &'static str,
    /// The release, or the lock's file.
    pub old: String,
    /// The release, or the lock's file.
    pub new: String,
    /// Whether any change is breaking.
    pub breaking: bool,
    /// What the report could not tell, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The changes.
    pub changes: Vec<Change>,
}

impl Report {
    pub(super) fn new(compared: &'static str, (old, new): (&str, &str), mut changes: Vec<Change>) -> Self {
        // Within a kind, what is breaking comes first.
        changes.sort_by(|a, b| (a.kind, !a.breaking).cmp(&(b.kind, !b.breaking)).then_with(|| a.cmp(b)));
        changes.dedup();
        let breaking = changes.iter().any(|change| change.breaking);
        Self { compared, old: old.to_owned(), new: new.to_owned(), breaking, note: None, changes }
    }

    /// The changes of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.kind == kind)
    }

    /// The report as JSON, indented.
    ///
    /// # Errors
    /// A value that JSON cannot hold; the report has none.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
