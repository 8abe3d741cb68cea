//! What a comparison of recordings with the document finds.

use std::collections::BTreeMap;

use serde::Serialize;

/// A way in which the wire and the document differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A value of another type than documented.
    Type,
    /// `null` as an element of a list.
    NullElement,
    /// A field that the definition does not have.
    UndeclaredField,
    /// A success of a status that is not documented, with a body where the documented ones have none, or the reverse.
    UndeclaredSuccess,
    /// A success by another HTTP method.
    Method,
    /// An operation that the document does not have.
    UnknownOperation,
    /// A media type that the operation does not produce.
    ContentType,
    /// No body where a schema is documented.
    EmptyBody,
    /// A body where none is documented.
    UndeclaredBody,
    /// A success of a status that is not documented, with the documented answer.
    OtherSuccess,
    /// JSON under another media type than the documented one of JSON.
    OtherJson,
    /// `null` as a field's value, or as a whole answer.
    Null,
    /// A required field that is not there.
    MissingRequired,
    /// A word that the documented enum lacks.
    EnumWord,
    /// A date-time that is none.
    Format,
    /// A date-time that stands for none: the year 1, or second 0 of 1970.
    ZeroDate,
    /// A status other than a success that is not documented.
    UndeclaredErrorStatus,
    /// An error that is not an object with `message` and `url` alone.
    ErrorShape,
}

impl Kind {
    /// The rule by which the code takes such a difference wherever it is; none where each needs a correction.
    pub fn rule(self) -> Option<&'static str> {
        Some(match self {
            Self::Null | Self::MissingRequired => {
                "what is received may lack every field or have it null (client/normalise.rs)"
            }
            Self::EnumWord => "no closed enums on what is received (client/normalise.rs)",
            Self::OtherSuccess => {
                "every 2xx is a success with the one documented answer (client/normalise.rs)"
            }
            Self::OtherJson => "an answer of JSON is decoded whatever JSON it calls itself",
            Self::Format => "no formats of texts on what is received (client/normalise.rs)",
            Self::ZeroDate => "a moment that stands for none is null (operations/never.rs)",
            Self::UndeclaredErrorStatus => "errors are told apart by their status, documented or not",
            Self::ErrorShape => "an error's text is read from JSON, HTML, plain text or nothing",
            Self::Type
            | Self::NullElement
            | Self::UndeclaredField
            | Self::UndeclaredSuccess
            | Self::Method
            | Self::UnknownOperation
            | Self::ContentType
            | Self::EmptyBody
            | Self::UndeclaredBody => return None,
        })
    }
}

/// A place where the wire and the document differ.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The kind.
    pub kind: Kind,
    /// The first operation that showed it.
    pub operation: String,
    /// Where in the answer: names with dots between, `[]` for elements, `{}` for a map's values; empty is the whole.
    pub path: String,
    /// The definition, or the operation's answer, that says otherwise, and where within it.
    pub place: String,
    /// What is documented and what came.
    pub what: String,
    /// The first exchange that showed it.
    pub scenario: String,
    /// How often it was seen.
    pub count: usize,
    /// A row for `openapi/corrections.toml`, where one can say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
}

/// All that was found.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The release whose document was compared.
    pub release: String,
    /// How many exchanges were read.
    pub exchanges: usize,
    /// How many of them were not compared: of an answer only the start was kept, or the method was none of the
    /// operation.
    pub passed_over: usize,
    /// What differs, those without a rule first, by kind and place.
    pub differences: Vec<Difference>,
}

impl Report {
    /// What no rule takes: each needs a correction.
    pub fn open(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.kind.rule().is_none())
    }

    /// Kind → places and sightings.
    pub fn counts(&self) -> BTreeMap<Kind, (usize, usize)> {
        let mut counts = BTreeMap::new();
        for difference in &self.differences {
            let (places, seen) = counts.entry(difference.kind).or_insert((0, 0));
            *places += 1;
            *seen += difference.count;
        }
        counts
    }

    /// The report as JSON, with every place of every kind.
    ///
    /// # Errors
    /// Those of the serialiser.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}
