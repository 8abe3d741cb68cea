//! Places where the wire differs from the document, each with the recording that shows it (`openapi/corrections.toml`).
//!
//! A correction that no longer changes anything is an error, so that the file never outlives its reasons.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::document::{Document, Operation, Place};
use crate::pin::numbers;

/// The file's content.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corrections {
    /// Facts of the document to be replaced.
    #[serde(default)]
    pub correction: Vec<Correction>,
    /// Path parameters whose slashes separate segments on the wire.
    #[serde(default)]
    pub slashes: Vec<Slashes>,
    /// Operations that answer with the documented object or with a list of them.
    #[serde(default)]
    pub one_or_many: Vec<OneOrMany>,
    /// Operations that the wire has under another HTTP method.
    #[serde(default)]
    pub method: Vec<Method>,
    /// Lists whose elements may be `null`.
    #[serde(default)]
    pub null_items: Vec<NullItems>,
    #[serde(skip)]
    file: PathBuf,
}

/// One fact of the document to be replaced.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The operation that holds the fact.
    pub operation: Option<String>,
    /// Or the definition that does.
    pub definition: Option<String>,
    /// Where within it, keys with dots between; an array is entered by its elements' `name`, as `parameters.page.type`.
    pub at: String,
    /// The fact as the wire has it; none removes what the document says.
    pub set: Option<toml::Value>,
    /// What the wire does, in words.
    pub wire: String,
    /// The scenario of a recording that shows it.
    pub evidence: String,
    /// The first release whose document needs it; none is the oldest.
    pub since: Option<String>,
    /// The last release whose document needs it; none is the newest.
    pub until: Option<String>,
}

/// A path parameter that holds slashes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slashes {
    /// The operation.
    pub operation: String,
    /// The path parameter's wire name.
    pub parameter: String,
    /// The scenario of a recording that shows it.
    pub evidence: String,
    /// Why it is believed where the recording has no slash.
    pub unseen: Option<String>,
    /// The first release that has the operation; none is the oldest.
    pub since: Option<String>,
    /// The last release that has it; none is the newest.
    pub until: Option<String>,
}

/// An operation whose answer is an object or a list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneOrMany {
    /// The operation.
    pub operation: String,
    /// The scenario of a recording that shows the list.
    pub evidence: String,
    /// The first release that has the operation; none is the oldest.
    pub since: Option<String>,
    /// The last release that has it; none is the newest.
    pub until: Option<String>,
}

/// An operation that the wire has under another HTTP method.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// The operation.
    pub operation: String,
    /// The method on the wire, in lower case.
    pub is: String,
    /// The scenario of a recording that shows it.
    pub evidence: String,
    /// The first release that has the operation; none is the oldest.
    pub since: Option<String>,
    /// The last release that has it; none is the newest.
    pub until: Option<String>,
}

/// A list whose elements may be `null`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NullItems {
    /// The definition that has the list.
    pub definition: String,
    /// The list's property.
    pub property: String,
    /// The scenario of a recording that shows it.
    pub evidence: String,
    /// The first release that has the definition; none is the oldest.
    pub since: Option<String>,
    /// The last release that has it; none is the newest.
    pub until: Option<String>,
}

/// Why corrections cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum CorrectionsError {
    /// The file cannot be read.
    #[error("{}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// The file is not as expected.
    #[error("{}: {reason}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Line, column and what was expected.
        reason: toml::de::Error,
    },
    /// A correction does not fit the document.
    #[error("{}: the correction of {place} (Forgejo {release}) {reason}", file.display())]
    Unfit {
        /// The file.
        file: PathBuf,
        /// Operation or definition, and the path within it.
        place: String,
        /// The release that it was applied to.
        release: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Corrections {
    /// Reads the file.
    ///
    /// # Errors
    /// [`CorrectionsError`].
    pub fn load(file: &Path) -> Result<Self, CorrectionsError> {
        let text = std::fs::read_to_string(file)
            .map_err(|reason| CorrectionsError::File { file: file.to_owned(), reason })?;
        Self::parse(&text, file)
    }

    /// Reads the file's text; `file` is for messages.
    ///
    /// # Errors
    /// [`CorrectionsError::Malformed`].
    pub fn parse(text: &str, file: &Path) -> Result<Self, CorrectionsError> {
        let read: Result<Self, _> = toml::from_str(text);
        read.map(|read| Self { file: file.to_owned(), ..read })
            .map_err(|reason| CorrectionsError::Malformed { file: file.to_owned(), reason })
    }

    /// The document as the wire is.
    ///
    /// # Errors
    /// [`CorrectionsError::Unfit`]: a correction names what is not there, changes nothing, or leaves no valid document.
    pub fn apply(&self, document: &Document) -> Result<Document, CorrectionsError> {
        let (corrected, faults) = self.fit(document);
        faults.into_iter().next().map_or(Ok(corrected), Err)
    }

    /// The document with all corrections that hold, and what is wrong with each other one.
    pub fn fit(&self, document: &Document) -> (Document, Vec<CorrectionsError>) {
        let mut corrected = document.clone();
        let mut faults = Vec::new();
        for correction in &self.correction {
            if within(&document.release, correction.since.as_deref(), correction.until.as_deref())
                && let Err(reason) = correct(&mut corrected, correction)
            {
                faults.push(self.unfit(correction.place(), document, reason));
            }
        }
        for method in &self.method {
            if within(&document.release, method.since.as_deref(), method.until.as_deref())
                && let Err(reason) = move_method(&mut corrected, method)
            {
                faults.push(self.unfit(format!("the method of {}", method.operation), document, reason));
            }
        }
        faults.extend(self.misnamed(&corrected));
        (corrected, faults)
    }

    /// What only the generator reads must name what is there.
    fn misnamed(&self, document: &Document) -> Vec<CorrectionsError> {
        let has = |operation: &str, parameter: &str| {
            document.operation(operation).is_some_and(|located| {
                located.operation.parameters.iter().any(|p| p.name == parameter && p.place == Place::Path)
            })
        };
        let is_list = |definition: &str, property: &str| {
            let property = document.definitions.get(definition).and_then(|d| d.properties.get(property));
            property.is_some_and(|property| property.items.is_some())
        };
        let slashes = self.slashes.iter().map(|s| {
            let place = format!("`{}` of {}", s.parameter, s.operation);
            (place, (&s.since, &s.until), has(&s.operation, &s.parameter))
        });
        let one_or_many = self
            .one_or_many
            .iter()
            .map(|s| (s.operation.clone(), (&s.since, &s.until), document.operation(&s.operation).is_some()));
        let null_items = self.null_items.iter().map(|s| {
            let place = format!("`{}` of {}", s.property, s.definition);
            (place, (&s.since, &s.until), is_list(&s.definition, &s.property))
        });
        slashes
            .chain(one_or_many)
            .chain(null_items)
            .filter(|(_, (since, until), fits)| {
                !fits && within(&document.release, since.as_deref(), until.as_deref())
            })
            .map(|(place, ..)| self.unfit(place, document, "names what the document does not have"))
            .collect()
    }

    fn unfit(&self, place: String, document: &Document, reason: impl Into<String>) -> CorrectionsError {
        let (file, release) = (self.file.clone(), document.release.clone());
        CorrectionsError::Unfit { file, place, release, reason: reason.into() }
    }

    /// Whether a path parameter's slashes separate segments.
    pub(crate) fn keeps_slashes(&self, operation: &str, parameter: &str) -> bool {
        self.slashes.iter().any(|s| s.operation == operation && s.parameter == parameter)
    }

    /// Whether a list's elements may be `null`.
    pub(crate) fn has_null_items(&self, definition: &str, property: &str) -> bool {
        self.null_items.iter().any(|s| s.definition == definition && s.property == property)
    }

    /// Whether an operation answers with one or many.
    pub(crate) fn answers_one_or_many(&self, operation: &str) -> bool {
        self.one_or_many.iter().any(|s| s.operation == operation)
    }
}

impl Correction {
    fn place(&self) -> String {
        let of = self.operation.as_deref().or(self.definition.as_deref()).unwrap_or("nothing");
        format!("`{}` of {of}", self.at)
    }
}

fn within(release: &str, since: Option<&str>, until: Option<&str>) -> bool {
    since.is_none_or(|since| numbers(release) >= numbers(since))
        && until.is_none_or(|until| numbers(release) <= numbers(until))
}

fn correct(document: &mut Document, correction: &Correction) -> Result<(), String> {
    match (&correction.operation, &correction.definition) {
        (Some(id), None) => {
            let operation = document
                .paths
                .values_mut()
                .flat_map(|methods| methods.values_mut())
                .find(|operation| operation.operation_id == *id)
                .ok_or("names an operation that the document does not have")?;
            replace(operation, correction)
        }
        (None, Some(name)) => {
            let definition = document
                .definitions
                .get_mut(name)
                .ok_or("names a definition that the document does not have")?;
            replace(definition, correction)
        }
        _ => Err("must name an operation or a definition, and not both".to_owned()),
    }
}

fn move_method(document: &mut Document, method: &Method) -> Result<(), String> {
    let is = |operation: &Operation| operation.operation_id == method.operation;
    let methods = document
        .paths
        .values_mut()
        .find(|methods| methods.values().any(is))
        .ok_or("names an operation that the document does not have")?;
    if methods.contains_key(&method.is) {
        return Err(match methods.get(&method.is).is_some_and(is) {
            true => "changes nothing: the document says so already; remove it".to_owned(),
            false => format!("takes the place of another operation, which is {}", method.is),
        });
    }
    let was = methods.iter().find(|(_, operation)| is(operation)).map(|(was, _)| was.clone());
    if let Some(operation) = was.and_then(|was| methods.remove(&was)) {
        methods.insert(method.is.clone(), operation);
    }
    Ok(())
}

fn replace<T>(thing: &mut T, correction: &Correction) -> Result<(), String>
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq,
{
    let mut value = serde_json::to_value(&*thing).map_err(|e| e.to_string())?;
    let mut steps: Vec<&str> = correction.at.split('.').collect();
    let last = steps.pop().unwrap_or_default();
    let mut here = &mut value;
    for step in steps {
        here = enter(here, step).ok_or_else(|| format!("goes through `{step}`, which is not there"))?;
    }
    let object = here.as_object_mut().ok_or("ends in what is no object")?;
    match &correction.set {
        Some(set) => object.insert(last.to_owned(), serde_json::to_value(set).map_err(|e| e.to_string())?),
        None => object.shift_remove(last),
    };
    let corrected: T =
        serde_path_to_error::deserialize(&value).map_err(|e| format!("leaves no valid document: {e}"))?;
    if corrected == *thing {
        return Err("changes nothing: the document says so already; remove it or set `until`".to_owned());
    }
    *thing = corrected;
    Ok(())
}

fn enter<'a>(value: &'a mut Value, step: &str) -> Option<&'a mut Value> {
    match value {
        Value::Object(object) => object.get_mut(step),
        Value::Array(items) => {
            items.iter_mut().find(|item| item.get("name").and_then(Value::as_str) == Some(step))
        }
        _ => None,
    }
}
