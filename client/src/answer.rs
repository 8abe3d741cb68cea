//! What an operation answers, and the facts of an operation for callers that know it only at run time.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::{BuildError, Call, DecodeError, Parameters, Raw};

/// What a success carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// JSON of the documented type.
    Json,
    /// Text: a rendered page, a diff, a key.
    Text,
    /// Bytes of any media type.
    Bytes,
    /// Nothing.
    Empty,
}

/// One operation of the pinned document.
#[derive(Debug, Clone, Copy)]
pub struct OperationInfo {
    /// The operation, as the document spells its `operationId`.
    pub operation: &'static str,
    /// The method of [`crate::Api`] and the function of [`crate::untyped`].
    pub method_name: &'static str,
    /// `GET`, `POST`, ….
    pub http_method: &'static str,
    /// The path template below the API's root.
    pub path: &'static str,
    /// What a success carries.
    pub answer: AnswerKind,
    /// Builds the call from arguments by place and wire name.
    pub build: fn(Parameters) -> Result<Call<Raw>, BuildError>,
    /// Whether a success's body is what the typed method's answer says.
    pub decode: fn(&[u8]) -> Result<(), DecodeError>,
}

/// The answer of an operation that sends an object, or a list of such objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OneOrMany<T> {
    /// An object.
    One(T),
    /// A list.
    Many(Vec<T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrManyVisitor(PhantomData))
    }
}

struct OneOrManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrManyVisitor<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list of objects")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(OneOrMany::Many(Vec::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(rows)).map(OneOrMany::Many)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(OneOrMany::One)
    }
}
