//! The parameters that an operation has on the wire, by place and wire name.

use std::sync::LazyLock;

use crate::document::{Document, Located, Place as Wire, Schema};

use super::super::tool::Place;
use super::nested;

/// One parameter on the wire.
#[derive(Debug, Clone)]
pub(super) struct Slot<'a> {
    /// Where it goes.
    pub(super) place: Place,
    /// Its name there; dotted within a body; `body` for a whole one.
    pub(super) wire: String,
    /// Its type.
    pub(super) schema: &'a Schema,
    /// Whether the forge demands it.
    pub(super) required: bool,
    /// Whether it is a key of a map, whose values are texts whatever they mean.
    pub(super) in_map: bool,
}

impl Slot<'_> {
    /// The inventory's key for it: `path.owner`, `body.author.name`, `body`.
    pub(super) fn key(&self) -> String {
        key(self.place, &self.wire)
    }
}

/// The inventory's key for a place and a wire name.
pub(super) fn key(place: Place, wire: &str) -> String {
    if place == Place::WholeBody { "body".to_owned() } else { format!("{}.{wire}", place.word()) }
}

/// The parameters of an operation in the document's order. A body object is taken apart into its properties, and a
/// property further where one of the `mentioned` keys lies below it; of a map those keys alone are parameters, and the
/// map itself where it is mentioned too.
pub(super) fn of<'a>(document: &'a Document, operation: Located<'a>, mentioned: &[&str]) -> Vec<Slot<'a>> {
    let mut slots = own(mentioned);
    for parameter in &operation.operation.parameters {
        let place = match parameter.place {
            Wire::Path => Place::Path,
            Wire::Query => Place::Query,
            Wire::FormData if parameter.value.kind.as_deref() == Some("file") => Place::File,
            Wire::FormData => Place::Form,
            Wire::Header => continue,
            Wire::Body => {
                let Some(schema) = &parameter.schema else { continue };
                body(document, schema, parameter.required, mentioned, &mut slots);
                continue;
            }
        };
        let (wire, required) = (parameter.name.clone(), parameter.required);
        slots.push(Slot { place, wire, schema: &parameter.value, required, in_map: false });
    }
    slots
}

/// The parameters of a composed tool: of its calls' those that its rows name, of the first that has it, and such of its
/// own as `local.labels`.
pub(super) fn of_composed<'a>(
    document: &'a Document,
    calls: &[Located<'a>],
    mentioned: &[&str],
) -> Vec<Slot<'a>> {
    let mut slots = own(mentioned);
    for slot in calls.iter().flat_map(|call| of(document, *call, mentioned)) {
        let key = slot.key();
        if mentioned.contains(&key.as_str()) && !slots.iter().any(|known| known.key() == key) {
            slots.push(slot);
        }
    }
    slots
}

/// The parameters that only the tool knows, as `local.labels`.
fn own<'a>(mentioned: &[&str]) -> Vec<Slot<'a>> {
    let own = mentioned.iter().filter(|key| nested::list_of(key).is_none());
    let own = own.filter_map(|key| key.strip_prefix("local."));
    let slot = |wire: &str| Slot {
        place: Place::Local,
        wire: wire.to_owned(),
        schema: &UNTYPED,
        required: false,
        in_map: false,
    };
    own.map(slot).collect()
}

/// The type of a parameter that the document does not have.
static UNTYPED: LazyLock<Schema> = LazyLock::new(Schema::default);

fn body<'a>(
    document: &'a Document,
    schema: &'a Schema,
    required: bool,
    mentioned: &[&str],
    slots: &mut Vec<Slot<'a>>,
) {
    let object = document.schema(schema).unwrap_or(schema);
    if object.properties.is_empty() || mentioned.contains(&"body") {
        let wire = "body".to_owned();
        slots.push(Slot { place: Place::WholeBody, wire, schema, required, in_map: false });
        return;
    }
    properties(document, object, "", true, mentioned, slots);
}

fn properties<'a>(
    document: &'a Document,
    object: &'a Schema,
    prefix: &str,
    demanded: bool,
    mentioned: &[&str],
    slots: &mut Vec<Slot<'a>>,
) {
    for (name, property) in &object.properties {
        let wire = format!("{prefix}{name}");
        let required = demanded && object.required.contains(name);
        let below = format!("body.{wire}.");
        let inner = document.schema(property).unwrap_or(property);
        let apart = prefix.matches('.').count() < 4 && mentioned.iter().any(|key| key.starts_with(&below));
        if apart && !inner.properties.is_empty() {
            properties(document, inner, &format!("{wire}."), required, mentioned, slots);
        } else if let (true, Some(values)) = (apart, &inner.additional_properties) {
            keys(&wire, (property, values), mentioned, slots);
        } else {
            slots.push(Slot { place: Place::Body, wire, schema: property, required, in_map: false });
        }
    }
}

/// The mentioned keys of a map, and the map itself where it is mentioned: none of them is demanded by the document.
fn keys<'a>(
    map: &str,
    (schema, values): (&'a Schema, &'a Schema),
    mentioned: &[&str],
    slots: &mut Vec<Slot<'a>>,
) {
    let own = format!("body.{map}");
    for key in mentioned {
        let wire = match key.strip_prefix(&own) {
            Some("") => map.to_owned(),
            Some(below) if below.matches('.').count() == 1 && below.len() > 1 => format!("{map}{below}"),
            _ => continue,
        };
        let (schema, in_map) = if wire == map { (schema, false) } else { (values, true) };
        if !slots.iter().any(|slot| slot.place == Place::Body && slot.wire == wire) {
            slots.push(Slot { place: Place::Body, wire, schema, required: false, in_map });
        }
    }
}
