//! What is shown of a JSON answer, read straight from its bytes: only shown fields become values, the rest is skipped.
//!
//! A moment that stands for none (a zero date) is `null`, only where the document says that the field is a moment.
//! A value that has another form than its shape (a scalar where an object was expected) is shown as it is; only broken
//! JSON fails. Inside a view, `null`, `""`, `[]` and `{}` are left out; [`Shape::Whole`] keeps everything. What follows
//! the first JSON value of a body is ignored: Forgejo sometimes writes a second one behind it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::arguments::decoded_text;
use super::descriptor::{List, Mask, Shape, Shown};
use super::fields::Picked;
use super::mask;
use super::never::is_never;

/// The rows of a list answer.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The rows of the window, shown.
    pub(super) items: Vec<Value>,
    /// How many rows the answer has, in the window or not.
    pub(super) count: u64,
    /// The total that the answer itself tells.
    pub(super) total: Option<u64>,
    /// Whether the answer is no list in any form that is documented.
    pub(super) is_odd: bool,
}

/// Which rows are shown; the others are only counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// The first row shown, from 0.
    pub(super) from: u64,
    /// The row behind the last one shown.
    pub(super) to: u64,
}

/// What is shown: what a view does, or what the caller picked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Show<'a> {
    /// Through a view.
    View(&'static Shape),
    /// Fields of the caller's choice.
    Picked(&'a [(String, Picked)]),
}

/// A body as one value, shown without what is masked.
pub(super) fn item(
    show: Show<'_>,
    mask: Option<&'static Mask>,
    body: &[u8],
) -> Result<Value, serde_json::Error> {
    Seed { show, mask }.deserialize(&mut serde_json::Deserializer::from_slice(body))
}

/// A body as rows. `null` is no rows, an object the only one where the list may be [`List::or_one`]; anything else that is
/// no list is odd.
pub(super) fn rows(
    list: &List,
    show: Show<'_>,
    mask: Option<&'static Mask>,
    window: Window,
    body: &[u8],
) -> Result<Rows, serde_json::Error> {
    let row = Seed { show, mask: mask::of_rows(mask, list) };
    let seed = RowsSeed { list, row, window, wrapped: list.items.is_some() };
    seed.deserialize(&mut serde_json::Deserializer::from_slice(body))
}

/// Whether a value has the form of a shape: an object with one of its fields, or a list that has such. What a view shows of
/// anything else is nothing, or not what it stands for.
pub(super) fn has_form(shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::Whole | Shape::Moment, _) => true,
        (_, Value::Array(items)) => items.iter().any(|item| has_form(shape, item)),
        (Shape::Inline(name, _), Value::Object(fields)) => fields.contains_key(*name),
        (Shape::Fields(shown), Value::Object(fields)) => shown.iter().any(|s| fields.contains_key(s.name)),
        _ => false,
    }
}

/// Whether a value says nothing: left out inside a view.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Reads one value, shows what is to be shown of it and masks what is secret.
#[derive(Clone, Copy)]
struct Seed<'a> {
    show: Show<'a>,
    mask: Option<&'static Mask>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let is_whole = matches!(self.show, Show::View(Shape::Whole | Shape::Decoded(_)));
        if !is_whole && !matches!(self.mask, Some(Mask::All | Mask::Address | Mask::Receiver)) {
            return deserializer.deserialize_any(self);
        }
        let mut value = serde::Deserialize::deserialize(deserializer)?;
        if let Some(mask) = self.mask {
            mask::hide(&mut value, mask);
        }
        Ok(value)
    }
}

/// The scalars of a visitor whose value is a JSON value: taken as they are.
macro_rules! scalars {
    () => {
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            self.scalar(Value::Null)
        }
        fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
            self.scalar(Value::Bool(value))
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
            self.scalar(value.into())
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
            self.scalar(value.into())
        }
        fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
            self.scalar(value.into())
        }
        fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
            self.scalar(Value::String(value.to_owned()))
        }
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON")
        }
    };
}

impl<'a> Seed<'a> {
    /// Reads a field of an object that this reads.
    fn field(self, name: &str, show: Show<'a>) -> Self {
        Self { show, mask: self.mask.and_then(|mask| mask::of_field(mask, name)) }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the form that the visitors share")]
    fn scalar<E>(self, value: Value) -> Result<Value, E> {
        let is_none = matches!(self.show, Show::View(Shape::Moment)) && value.as_str().is_some_and(is_never);
        Ok(if is_none { Value::Null } else { value })
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    scalars!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            if !item.is_null() {
                items.push(item);
            }
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let shape = match self.show {
            Show::View(shape) => shape,
            Show::Picked(picked) => return picked_fields(self, picked, map),
        };
        match shape {
            Shape::Whole | Shape::Decoded(_) | Shape::Moment => {
                let mut value = whole(map)?;
                if let Some(mask) = self.mask {
                    mask::hide(&mut value, mask);
                }
                Ok(value)
            }
            Shape::Inline(name, shape) => {
                let mut found = Value::Null;
                while let Some(is) = map.next_key_seed(Key(|key: &str| key == *name))? {
                    if is {
                        found = map.next_value_seed(self.field(name, Show::View(shape)))?;
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(found)
            }
            Shape::Fields(fields) => shown_fields(self, fields, map),
        }
    }
}

/// All fields, as they are.
fn whole<'de, A: MapAccess<'de>>(mut map: A) -> Result<Value, A::Error> {
    let mut out = Map::new();
    while let Some((key, value)) = map.next_entry()? {
        out.insert(key, value);
    }
    Ok(Value::Object(out))
}

/// The fields of a view, in the view's order whatever the wire's.
fn shown_fields<'de, A: MapAccess<'de>>(
    seed: Seed<'_>,
    fields: &'static [Shown],
    mut map: A,
) -> Result<Value, A::Error> {
    let mut found: Vec<Value> = Vec::new();
    found.resize_with(fields.len(), || Value::Null);
    let mut count = 0;
    while let Some(at) =
        map.next_key_seed(Key(|key: &str| fields.iter().position(|shown| shown.name == key)))?
    {
        match at.and_then(|at| Some((fields.get(at)?, found.get_mut(at)?))) {
            Some((shown, slot)) => {
                *slot = map.next_value_seed(seed.field(shown.name, Show::View(shown.shape)))?;
                count += usize::from(!is_empty(slot));
            }
            None => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    let mut out = Map::with_capacity(count);
    for (shown, value) in fields.iter().zip(found) {
        if is_empty(&value) {
            continue;
        }
        match shown.shape {
            Shape::Decoded(name) if let Some(text) = decoded_text(&value) => {
                out.insert((*name).to_owned(), text.into());
            }
            _ => _ = out.insert(shown.name.to_owned(), value),
        }
    }
    Ok(Value::Object(out))
}

/// The fields that the caller picked, in the caller's order, empty ones too.
fn picked_fields<'de, A: MapAccess<'de>>(
    seed: Seed<'_>,
    picked: &[(String, Picked)],
    mut map: A,
) -> Result<Value, A::Error> {
    let mut found: Vec<Option<Value>> = Vec::new();
    found.resize_with(picked.len(), || None);
    while let Some(at) =
        map.next_key_seed(Key(|key: &str| picked.iter().position(|(name, _)| name == key)))?
    {
        match at.and_then(|at| Some((picked.get(at)?, found.get_mut(at)?))) {
            Some(((name, inner), slot)) => {
                *slot = Some(map.next_value_seed(seed.field(name, inner.show()))?);
            }
            None => _ = map.next_value::<IgnoredAny>()?,
        }
    }
    let fields = picked.iter().zip(found).filter_map(|((name, _), value)| Some((name.clone(), value?)));
    Ok(Value::Object(fields.collect()))
}

/// Reads a key and gives what it means, without keeping it.
struct Key<F>(F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for Key<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Key<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<T, E> {
        Ok(self.0(key))
    }
}

/// Reads a list, bare or in its wrapper.
#[derive(Clone, Copy)]
struct RowsSeed<'a> {
    list: &'a List,
    row: Seed<'a>,
    window: Window,
    /// Whether an object at this place is the wrapper, not a row.
    wrapped: bool,
}

impl RowsSeed<'_> {
    fn one(self, row: Value) -> Rows {
        let shown = self.window.from == 0 && self.window.to > 0;
        Rows { items: if shown { vec![row] } else { Vec::new() }, count: 1, ..Rows::default() }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the form that the visitors share")]
    fn scalar<E>(self, value: Value) -> Result<Rows, E> {
        Ok(Rows { is_odd: !value.is_null(), ..Rows::default() })
    }
}

impl<'de> DeserializeSeed<'de> for RowsSeed<'_> {
    type Value = Rows;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Rows, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RowsSeed<'_> {
    type Value = Rows;

    scalars!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Rows, A::Error> {
        let mut rows = Rows::default();
        loop {
            if (self.window.from..self.window.to).contains(&rows.count) {
                let Some(row) = seq.next_element_seed(self.row)? else { break };
                rows.items.push(row);
            } else if seq.next_element::<IgnoredAny>()?.is_none() {
                break;
            }
            rows.count += 1;
        }
        Ok(rows)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rows, A::Error> {
        let (Some(items), true) = (self.list.items, self.wrapped) else {
            if self.list.or_one {
                return self.row.visit_map(map).map(|row| self.one(row));
            }
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Rows { is_odd: true, ..Rows::default() });
        };
        // Odd unless the rows are found.
        let mut rows = Rows { is_odd: true, ..Rows::default() };
        let mut total = None;
        let role = |key: &str| match key {
            _ if key == items => Wrapper::Items,
            _ if Some(key) == self.list.total => Wrapper::Total,
            _ => Wrapper::Other,
        };
        while let Some(key) = map.next_key_seed(Key(role))? {
            match key {
                Wrapper::Items => rows = map.next_value_seed(Self { wrapped: false, ..self })?,
                Wrapper::Total => total = map.next_value::<Value>()?.as_u64(),
                Wrapper::Other => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        rows.total = total;
        Ok(rows)
    }
}

/// The keys of a wrapper.
enum Wrapper {
    Items,
    Total,
    Other,
}
