//! Secret fields against definitions: each row is a real field, and every place that holds one is found.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::{Document, Located, Schema};

use super::super::model::{Inventory, ParamRow};
use super::super::problem::{Problems, did_you_mean};
use super::super::tool::{Kind, Mask, Place};
use super::kinds;
use super::slots::Slot;

/// Names of fields that tell of a secret.
const TELLING: [&str; 8] = [
    "access_token",
    "authorization_header",
    "client_secret",
    "passwd",
    "password",
    "private_key",
    "secret",
    "token",
];

/// A secret field: the names that lead to it, and what of it is masked.
type Path<'a> = (Vec<&'a str>, &'a Mask);

/// What is masked in a document's answers.
pub(super) struct Secrets<'a> {
    document: &'a Document,
    /// The secret fields by definition.
    paths: BTreeMap<&'a str, Vec<Path<'a>>>,
    /// Definitions that hold a secret, or something that does.
    holders: BTreeSet<&'a str>,
    /// The rows whose definition the document has.
    known: Vec<(String, String)>,
    all: usize,
}

impl<'a> Secrets<'a> {
    /// Reads `[secrets]`; a field that its definition lacks is noted. A definition that is of another release than the
    /// document is passed over.
    pub(super) fn of(inventory: &'a Inventory, document: &'a Document, problems: &mut Problems) -> Self {
        let all = inventory.secrets.len();
        let (paths, holders, known) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        let mut secrets = Self { document, paths, holders, known, all };
        for (place, row) in &inventory.secrets {
            let mut names = place.split('.');
            let name = names.next().unwrap_or_default();
            let path: Vec<&str> = names.collect();
            let fault = match document.definitions.get_key_value(name) {
                _ if path.is_empty() => {
                    Some("names a definition and a field, as \"Hook.authorization_header\"".to_owned())
                }
                None => continue,
                Some((name, definition)) => {
                    let fault = secrets.fault(definition, name, &path, &row.mask);
                    secrets.paths.entry(name).or_default().push((path, &row.mask));
                    let part = match row.mask {
                        Mask::Address => "what is secret in the address: ",
                        Mask::Receiver => "what may be secret in a receiver's address: ",
                        _ => "",
                    };
                    secrets.known.push((place.clone(), format!("{part}{}", row.why.value)));
                    fault
                }
            };
            if let Some(fault) = fault {
                problems.add(row.why.line, "secrets", place, fault);
            }
        }
        secrets.unnamed(inventory, problems);
        secrets.known.sort();
        secrets.find_holders();
        secrets
    }

    /// Notes each text of an answer whose name tells of a secret and that no row names: of a definition that is new, it
    /// would be shown in clear.
    fn unnamed(&self, inventory: &Inventory, problems: &mut Problems) {
        let shown: BTreeSet<&str> =
            inventory.views.keys().map(|view| view.split('.').next().unwrap_or(view)).collect();
        for name in shown {
            let Some(definition) = self.document.definitions.get(name) else { continue };
            for (field, schema) in &definition.properties {
                let named = self
                    .paths
                    .get(name)
                    .is_some_and(|paths| paths.iter().any(|(path, _)| path.first() == Some(&field.as_str())));
                if TELLING.contains(&field.as_str()) && schema.kind.as_deref() == Some("string") && !named {
                    let text = format!(
                        "{name}.{field} may be a secret, which every answer would show: name it here, and give the tool \
                         that exists to show it `reveals = true`"
                    );
                    problems.add(0, "secrets", "", text);
                }
            }
        }
    }

    /// What is wrong with a path below a definition.
    fn fault(&self, definition: &Schema, name: &str, path: &[&str], mask: &Mask) -> Option<String> {
        let mut at = definition.element();
        for (depth, field) in path.iter().enumerate() {
            if let Some(other) = at.definition().filter(|_| depth > 0) {
                let rest = path.get(depth..).unwrap_or_default().join(".");
                return Some(format!("goes into {other}: write \"{other}.{rest}\""));
            }
            at = match at.properties.get(*field).or(at.additional_properties.as_deref()) {
                Some(property) => property.element(),
                // Any JSON may hold it.
                None if is_open(at) => return None,
                None => {
                    let near = did_you_mean(field, at.properties.keys().map(String::as_str));
                    let inner = path.get(..depth).unwrap_or_default();
                    let whose = std::iter::once(&name).chain(inner).copied().collect::<Vec<_>>().join(".");
                    return Some(format!("{whose} has no field {field:?}{near}"));
                }
            };
        }
        let is_text = match &at.additional_properties {
            None => at.kind.as_deref() == Some("string") || is_open(at),
            Some(_) => false,
        };
        (*mask != Mask::All && !is_text).then(|| "is no text, so that no address is in it".to_owned())
    }

    fn find_holders(&mut self) {
        self.holders = self.paths.keys().copied().collect();
        loop {
            let before = self.holders.len();
            let document = self.document;
            for (name, definition) in &document.definitions {
                if self.of_object(definition, &[]).is_some() {
                    self.holders.insert(name);
                }
            }
            if self.holders.len() == before {
                return;
            }
        }
    }

    /// The rows whose definition the document has, sorted.
    pub(super) fn rows(&self) -> Vec<(String, String)> {
        self.known.clone()
    }

    /// Whether the document has the definitions of all rows.
    pub(super) fn are_all_known(&self) -> bool {
        self.known.len() == self.all
    }

    /// What is masked in each definition that holds a secret.
    pub(super) fn masks(&self) -> Vec<(String, Mask)> {
        let definitions = &self.document.definitions;
        let holders = self.holders.iter().filter_map(|name| Some((*name, definitions.get(*name)?)));
        let mask = |(name, definition): (&str, _)| {
            (name.to_owned(), Mask::Fields(self.fields(definition, self.below(name))))
        };
        holders.map(mask).collect()
    }

    /// What is masked in an operation's success.
    pub(super) fn answer(&self, operation: Located<'a>) -> Option<Mask> {
        self.of_schema(self.document.success(operation.operation)?, &[])
    }

    /// Whether a dotted path of an operation's success is masked.
    pub(super) fn hides(&self, operation: Located<'a>, path: &str) -> bool {
        let mut mask = self.answer(operation);
        for name in path.split('.') {
            let fields = match mask {
                None => return false,
                Some(Mask::All | Mask::Address | Mask::Receiver) => return true,
                Some(Mask::Fields(fields)) => fields,
                Some(Mask::Definition(of)) => self
                    .document
                    .definitions
                    .get(&of)
                    .map_or_else(Vec::new, |definition| self.fields(definition, self.below(&of))),
            };
            let named = |wanted: &str| fields.iter().find(|(known, _)| known == wanted);
            mask = named(name).or_else(|| named("*")).map(|(_, inner)| inner.clone());
        }
        matches!(mask, Some(Mask::All | Mask::Address | Mask::Receiver))
    }

    fn below(&self, name: &str) -> &[Path<'a>] {
        self.paths.get(name).map_or(&[], Vec::as_slice)
    }

    /// What is masked in a value where these paths below it are secret.
    fn of_schema(&self, schema: &Schema, paths: &[Path<'a>]) -> Option<Mask> {
        if let Some((_, mask)) = paths.iter().find(|(names, _)| names.is_empty()) {
            return Some((*mask).clone());
        }
        let schema = schema.element();
        match schema.definition() {
            Some(name) => self.holders.contains(name).then(|| Mask::Definition(name.to_owned())),
            None => self.of_object(schema, paths),
        }
    }

    fn of_object(&self, schema: &Schema, paths: &[Path<'a>]) -> Option<Mask> {
        if schema.reference.is_some() || schema.items.is_some() {
            return self.of_schema(schema, paths);
        }
        let fields = self.fields(schema, paths);
        (!fields.is_empty()).then_some(Mask::Fields(fields))
    }

    fn fields(&self, schema: &Schema, paths: &[Path<'a>]) -> Vec<(String, Mask)> {
        let mut fields = Vec::new();
        let rest = |name: &str| -> Vec<Path<'a>> {
            let below = paths.iter().filter(|(path, _)| path.first() == Some(&name));
            below.map(|(path, kind)| (path.get(1..).unwrap_or_default().to_vec(), *kind)).collect()
        };
        for (name, property) in &schema.properties {
            fields.extend(self.of_schema(property, &rest(name)).map(|mask| (name.clone(), mask)));
        }
        let heads: BTreeSet<&str> = paths.iter().filter_map(|(path, _)| path.first().copied()).collect();
        for name in heads.into_iter().filter(|name| !schema.properties.contains_key(*name)) {
            let any = Schema::default();
            let value = schema.additional_properties.as_deref().unwrap_or(&any);
            fields.extend(self.of_schema(value, &rest(name)).map(|mask| (name.to_owned(), mask)));
        }
        if let Some(values) = &schema.additional_properties {
            fields.extend(self.of_schema(values, &[]).map(|mask| ("*".to_owned(), mask)));
        }
        fields
    }
}

/// What is wrong with what a row says of secrets.
pub(super) fn misuse(row: &ParamRow, slot: &Slot<'_>, kind: &Kind) -> Option<String> {
    let is_sent = !matches!(slot.place, Place::Path | Place::Query);
    let words = || kinds::words(kind);
    match (row.secret, row.receiver) {
        (_, Some(false)) => Some("receiver is true or is not there".to_owned()),
        (Some(_), Some(true)) => Some("is a receiver's address or a secret, not both".to_owned()),
        (None, Some(true)) if *kind != Kind::Text || !is_sent => Some(format!(
            "receiver is of a text in the body or the form, this is {} in {}",
            words(),
            slot.place.word()
        )),
        (Some(true), None) if matches!(kind, Kind::Boolean | Kind::Integer { .. } | Kind::Id) => {
            Some(format!("secret is of a text or of what holds texts, this is {}", words()))
        }
        (Some(false), None) if told(slot, kind).is_none() => {
            Some("nothing tells that it is a secret, so that `secret = false` says nothing".to_owned())
        }
        _ => None,
    }
}

/// What of an argument is a secret: what its row says, else all of what is sent in a body under a name that tells of
/// one.
pub(super) fn of_argument(row: &ParamRow, slot: &Slot<'_>, kind: &Kind) -> Option<Mask> {
    if row.receiver == Some(true) {
        return Some(Mask::Receiver);
    }
    match row.secret {
        Some(is_secret) => is_secret.then_some(Mask::All),
        None => told(slot, kind),
    }
}

/// What the name of an argument tells.
fn told(slot: &Slot<'_>, kind: &Kind) -> Option<Mask> {
    let name = slot.wire.to_ascii_lowercase();
    let telling = ["password", "passwd", "secret", "token", "authorization"];
    let is_sent = matches!(slot.place, Place::Body | Place::Form);
    let may_hold = matches!(kind, Kind::Text | Kind::TextMap | Kind::Object(_) | Kind::Json);
    (is_sent && may_hold && telling.iter().any(|word| name.contains(word))).then_some(Mask::All)
}

/// Whether a schema says nothing of its fields.
fn is_open(schema: &Schema) -> bool {
    schema.properties.is_empty() && matches!(schema.kind.as_deref(), None | Some("object"))
}
