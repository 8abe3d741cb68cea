//! The releases at hand, side by side: since when and until when each operation and parameter exists, and what a name
//! means in a release that spells it in another way.
//!
//! An operation is the same in two releases where method and path are (the names in a path template do not count). The
//! names are those of the release in `openapi/pin`: a build for another release takes its facts and the pin's names.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::document::{Document, Located, Operation, Place, Schema};
use crate::import::{self, ImportError};
use crate::pin::{self, PinError};

/// Why the releases cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No pinned document.
    #[error(transparent)]
    Pin(#[from] PinError),
    /// A document that is none of ours.
    #[error(transparent)]
    Document(#[from] ImportError),
}

/// When something exists, as releases (`15.0`); `None` is "as far as the documents at hand reach".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// The first release that has it, without a gap up to the build's.
    pub since: Option<String>,
    /// The last release that has it, without a gap from the build's.
    pub until: Option<String>,
}

/// All releases at hand, oldest first, each with the pin's names.
#[derive(Debug)]
pub struct History {
    documents: Vec<Document>,
    /// Where each document has its operations.
    places: Vec<Places>,
}

/// Path template and method of each operation of a document.
#[derive(Debug, Default)]
struct Places {
    by_id: HashMap<String, (String, String)>,
    by_shape: HashMap<(String, String), (String, String)>,
}

impl Places {
    fn of(document: &Document) -> Self {
        let mut places = Self::default();
        for at in document.operations() {
            let place = (at.path.to_owned(), at.method.to_owned());
            places.by_shape.insert(shape(at), place.clone());
            places.by_id.insert(at.operation.operation_id.clone(), place);
        }
        places
    }
}

fn at<'a>(document: &'a Document, place: Option<&(String, String)>) -> Option<Located<'a>> {
    let (path, method) = place?;
    let (path, methods) = document.paths.get_key_value(path)?;
    let (method, operation) = methods.get_key_value(method)?;
    Some(Located { path, method, operation })
}

impl History {
    /// Reads the documents in `openapi/` below the workspace's directory.
    ///
    /// # Errors
    /// [`HistoryError`].
    pub fn load(root: &Path) -> Result<Self, HistoryError> {
        let names = import::load(&pin::choose(root, None)?)?;
        let mut documents = Vec::new();
        for release in pin::releases(root) {
            let document = match release == names.release {
                true => names.clone(),
                false => renamed(import::load(&pin::document(root, &release))?, &names),
            };
            documents.push(document);
        }
        Ok(Self::with(documents))
    }

    fn with(documents: Vec<Document>) -> Self {
        let places = documents.iter().map(Places::of).collect();
        Self { documents, places }
    }

    /// A history of one release.
    pub fn of(document: &Document) -> Self {
        Self::with(vec![document.clone()])
    }

    /// The releases, oldest first.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The releases themselves, oldest first.
    pub fn into_documents(self) -> Vec<Document> {
        self.documents
    }

    /// The operation in every release that has it, by the pin's name.
    pub fn operations<'a>(&'a self, id: &'a str) -> impl Iterator<Item = (&'a Document, Located<'a>)> {
        let both = self.documents.iter().zip(&self.places);
        both.filter_map(move |(document, places)| Some((document, at(document, places.by_id.get(id))?)))
    }

    /// The definition in every release that has it.
    pub fn definitions<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Schema> {
        self.documents.iter().filter_map(move |document| document.definitions.get(name))
    }

    /// When an operation exists, seen from a release.
    pub fn operation(&self, release: &str, operation: Located<'_>) -> Span {
        let wanted = shape(operation);
        self.span(release, |_, places| places.by_shape.contains_key(&wanted))
    }

    /// When a parameter of an operation exists, by its key (`query.state`, `body.title`); as long as the operation
    /// does, unless it came later or goes earlier.
    pub fn parameter(&self, release: &str, operation: Located<'_>, key: &str) -> Span {
        let wanted = shape(operation);
        let whole = self.operation(release, operation);
        let own = self.span(release, |document, places| {
            let found = at(document, places.by_shape.get(&wanted));
            found.is_some_and(|found| has_parameter(document, found.operation, key))
        });
        let unless = |own: Option<String>, whole: Option<String>| if own == whole { None } else { own };
        Span { since: unless(own.since, whole.since), until: unless(own.until, whole.until) }
    }

    /// Whether an operation answers the field at a dotted path in any release, itself or in each of its rows.
    pub fn answers(&self, id: &str, path: &str) -> bool {
        self.operations(id).any(|(document, at)| {
            document.success(at.operation).is_some_and(|schema| document.field_of_rows(schema, path).is_ok())
        })
    }

    fn span(&self, release: &str, has: impl Fn(&Document, &Places) -> bool) -> Span {
        let here = pin::numbers(release);
        let has: Vec<(&Document, bool)> = self
            .documents
            .iter()
            .zip(&self.places)
            .map(|(document, places)| (document, has(document, places)))
            .collect();
        let split = has.iter().position(|(document, _)| pin::numbers(&document.release) > here);
        let (before, after) = has.split_at(split.unwrap_or(has.len()));
        let lacks = before.iter().rposition(|(_, has)| !has);
        let since = lacks.and_then(|at| before.get(at + 1));
        let gone = after.iter().position(|(_, has)| !has);
        let last = gone.and_then(|at| match at {
            0 => before.last(),
            at => after.get(at - 1),
        });
        let release = |found: Option<&(&Document, bool)>| found.map(|(document, _)| document.release.clone());
        Span { since: release(since), until: release(last) }
    }
}

/// The document of this build's release with the pin's names: `FORGEHAND_FORGEJO`, else `openapi/pin`.
///
/// # Errors
/// [`HistoryError`].
pub fn pinned(root: &Path) -> Result<Document, HistoryError> {
    let document = import::load(&pin::pinned(root)?)?;
    let names = pin::choose(root, None)?;
    if names == pin::document(root, &document.release) {
        return Ok(document);
    }
    Ok(renamed(document, &import::load(&names)?))
}

/// Method and path with the names in the template left out.
pub(crate) fn shape(at: Located<'_>) -> (String, String) {
    let mut path = String::with_capacity(at.path.len());
    let mut inside = false;
    for letter in at.path.chars() {
        match letter {
            '{' => {
                inside = true;
                path.push_str("{}");
            }
            '}' => inside = false,
            letter if !inside => path.push(letter),
            _ => {}
        }
    }
    (at.method.to_owned(), path)
}

/// The document with the names that `names` has for the same methods and paths: operationIds, path templates, and the
/// definitions that are answered.
fn renamed(document: Document, names: &Document) -> Document {
    let document = with_definitions(document, names);
    let known: BTreeMap<_, _> = names.operations().map(|other| (shape(other), other)).collect();
    let mut paths: BTreeMap<String, BTreeMap<String, Operation>> = BTreeMap::new();
    for at in document.operations() {
        let mut operation = at.operation.clone();
        let mut path = at.path;
        if let Some(other) = known.get(&shape(at)) {
            operation.operation_id.clone_from(&other.operation.operation_id);
            for (own, new) in variables(at.path).zip(variables(other.path)) {
                let here = |parameter: &&mut crate::document::Parameter| {
                    parameter.place == Place::Path && parameter.name == own
                };
                if let Some(parameter) = operation.parameters.iter_mut().find(here) {
                    new.clone_into(&mut parameter.name);
                }
            }
            path = other.path;
        }
        paths.entry(path.to_owned()).or_default().insert(at.method.to_owned(), operation);
    }
    Document { paths, ..document }
}

/// Definitions that the same operation answers under another name, where neither document has both, take the new one.
fn with_definitions(mut document: Document, names: &Document) -> Document {
    let known: BTreeMap<_, _> = names.operations().map(|other| (shape(other), other)).collect();
    let mut other_names = BTreeMap::new();
    for at in document.operations() {
        let Some(other) = known.get(&shape(at)) else { continue };
        let (Some(own), Some(new)) = (answered(&document, at.operation), answered(names, other.operation))
        else {
            continue;
        };
        if own != new && !names.definitions.contains_key(own) && !document.definitions.contains_key(new) {
            other_names.insert(own.to_owned(), new.to_owned());
        }
    }
    for (own, new) in &other_names {
        if let Some(schema) = document.definitions.remove(own) {
            document.definitions.insert(new.clone(), schema);
        }
    }
    let mut rename = |schema: &mut Schema| {
        if let Some(new) = schema.definition().and_then(|own| other_names.get(own)) {
            schema.reference = Some(format!("#/definitions/{new}"));
        }
    };
    document.definitions.values_mut().for_each(|schema| each(schema, &mut rename));
    let operations = document.paths.values_mut().flat_map(BTreeMap::values_mut);
    let answers = operations.flat_map(|operation| operation.responses.values_mut());
    for response in answers.chain(document.responses.values_mut()) {
        response.schema.iter_mut().for_each(|schema| each(schema, &mut rename));
    }
    document
}

/// The definition that an operation's success answers, alone or in a list.
fn answered<'a>(document: &'a Document, operation: &'a Operation) -> Option<&'a str> {
    let schema = document.success(operation)?;
    schema.items.as_deref().unwrap_or(schema).definition()
}

/// A schema and all that are in it.
fn each(schema: &mut Schema, change: &mut impl FnMut(&mut Schema)) {
    change(schema);
    schema.items.iter_mut().for_each(|items| each(items, change));
    schema.additional_properties.iter_mut().for_each(|values| each(values, change));
    schema.properties.values_mut().for_each(|property| each(property, change));
}

/// The names in a path template, in order.
pub(crate) fn variables(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|part| part.split_once('}').map(|(name, _)| name))
}

/// Whether an operation has a parameter: `place.name`, dotted below nested objects of a body; `body` for a whole one.
pub(crate) fn has_parameter(document: &Document, operation: &Operation, key: &str) -> bool {
    let (place, name) = key.split_once('.').unwrap_or((key, ""));
    let is = |wanted: Place| operation.parameters.iter().any(|p| p.place == wanted && p.name == name);
    match place {
        "path" => is(Place::Path),
        "query" => is(Place::Query),
        "form" => is(Place::FormData),
        "body" => operation.parameters.iter().filter(|p| p.place == Place::Body).any(|parameter| {
            let schema = parameter.schema.as_ref();
            name.is_empty() || schema.is_some_and(|schema| document.field_of_rows(schema, name).is_ok())
        }),
        _ => false,
    }
}
