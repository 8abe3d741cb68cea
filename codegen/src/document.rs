//! The API document as facts: the parts of Swagger 2.0 that Forgejo uses, without prose.
//!
//! The importer writes this model, everything else reads it. Maps are sorted, so that the same facts are the same
//! bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A Swagger 2.0 document reduced to facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Document {
    /// Always `2.0`.
    pub swagger: String,
    /// The Forgejo release, as `15.0`.
    pub release: String,
    /// The path that all paths are below: `/api/v1`.
    pub base_path: String,
    /// Request media types of operations that name none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consumes: Vec<String>,
    /// Answer media types of operations that name none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub produces: Vec<String>,
    /// Path template → method in lower case → operation.
    pub paths: BTreeMap<String, BTreeMap<String, Operation>>,
    /// Named types.
    pub definitions: BTreeMap<String, Schema>,
    /// Named answers.
    pub responses: BTreeMap<String, Response>,
}

/// One operation of the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Operation {
    /// The operation's name, unique in the document.
    pub operation_id: String,
    /// Whether the document calls it deprecated.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// Request media types; empty means the document's default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consumes: Vec<String>,
    /// Answer media types; empty means the document's default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub produces: Vec<String>,
    /// Parameters in the document's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Status → answer.
    pub responses: BTreeMap<String, Response>,
}

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// In the path template.
    Path,
    /// In the query.
    Query,
    /// The body, with a schema.
    Body,
    /// A field of a form.
    FormData,
    /// A header.
    Header,
}

/// One parameter of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// The wire name; `body` for a body.
    pub name: String,
    /// Where it travels.
    #[serde(rename = "in")]
    pub place: Place,
    /// Whether the document demands it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// `multi`, `csv` (the default), …, for arrays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection_format: Option<String>,
    /// The body's schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
    /// Type, format, enum, default, bounds and items of a parameter that is not a body.
    #[serde(flatten)]
    pub value: Schema,
}

/// An answer: a reference to a named one, or its schema and headers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// `#/responses/NAME`.
    #[serde(rename = "$ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The body's schema; none where the document tells of no body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
    /// Header name → type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, Schema>,
}

/// A type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Schema {
    /// `#/definitions/NAME`.
    #[serde(rename = "$ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// `string`, `integer`, `boolean`, `number`, `array`, `object` or `file`; none means any JSON.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `int64`, `date-time`, ….
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Allowed values.
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
    /// The value that is meant when none is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The least number allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<i64>,
    /// The greatest number allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<i64>,
    /// Whether the document says that an array holds nothing twice (it also says so of strings, where it means
    /// nothing).
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique_items: bool,
    /// An array's element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Schema>>,
    /// An object's fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Schema>,
    /// The fields that must be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// A map's values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub additional_properties: Option<Box<Schema>>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// An operation with the place where the document has it.
#[derive(Debug, Clone, Copy)]
pub struct Located<'a> {
    /// The path template, without the base path.
    pub path: &'a str,
    /// The method in lower case.
    pub method: &'a str,
    /// The operation.
    pub operation: &'a Operation,
}

impl Document {
    /// All operations, by path and method.
    pub fn operations(&self) -> impl Iterator<Item = Located<'_>> {
        self.paths.iter().flat_map(|(path, methods)| {
            methods.iter().map(move |(method, operation)| Located { path, method, operation })
        })
    }

    /// The operation of that name.
    pub fn operation(&self, id: &str) -> Option<Located<'_>> {
        self.operations().find(|o| o.operation.operation_id == id)
    }

    /// An answer with its reference followed; `None` where it points nowhere.
    pub fn response<'a>(&'a self, response: &'a Response) -> Option<&'a Response> {
        match &response.reference {
            None => Some(response),
            Some(at) => self.responses.get(at.strip_prefix("#/responses/")?),
        }
    }

    /// A schema with its reference followed, and those of definitions that are a reference alone; `None` where it
    /// points nowhere, or at itself.
    pub fn schema<'a>(&'a self, schema: &'a Schema) -> Option<&'a Schema> {
        let mut at = schema;
        for _ in 0..=self.definitions.len() {
            match at.reference {
                None => return Some(at),
                Some(_) => at = self.definitions.get(at.definition()?)?,
            }
        }
        None
    }
}

/// Where a dotted path leads to nothing.
#[derive(Debug, Clone, Copy)]
pub struct Lacks<'a, 'p> {
    /// What the path has reached.
    pub object: &'a Schema,
    /// The name that this has not.
    pub name: &'p str,
}

impl Document {
    /// The successes of an operation: status, and the schema of those that have a body.
    pub fn successes<'a>(
        &'a self,
        operation: &'a Operation,
    ) -> impl Iterator<Item = (&'a str, Option<&'a Schema>)> {
        let all = operation.responses.iter().filter(|(status, _)| status.starts_with('2'));
        all.map(|(status, answer)| {
            (status.as_str(), self.response(answer).and_then(|answer| answer.schema.as_ref()))
        })
    }

    /// The schema of an operation's success; `None` where it has no body.
    pub fn success<'a>(&'a self, operation: &'a Operation) -> Option<&'a Schema> {
        self.successes(operation).find_map(|(_, schema)| schema)
    }

    /// The schema at a dotted path, through references and maps; at the empty path the schema itself.
    ///
    /// # Errors
    /// The first name that leads to nothing.
    pub fn field<'a, 'p>(&'a self, schema: &'a Schema, path: &'p str) -> Result<&'a Schema, Lacks<'a, 'p>> {
        self.walk(schema, path, |schema| self.schema(schema).unwrap_or(schema))
    }

    /// As [`Document::field`], where a list is each of its elements.
    ///
    /// # Errors
    /// The first name that leads to nothing.
    pub fn field_of_rows<'a, 'p>(
        &'a self,
        schema: &'a Schema,
        path: &'p str,
    ) -> Result<&'a Schema, Lacks<'a, 'p>> {
        self.walk(schema, path, |schema| self.inside(schema))
    }

    fn walk<'a, 'p>(
        &'a self,
        schema: &'a Schema,
        path: &'p str,
        resolved: impl Fn(&'a Schema) -> &'a Schema,
    ) -> Result<&'a Schema, Lacks<'a, 'p>> {
        let mut object = resolved(schema);
        for name in path.split('.').filter(|name| !name.is_empty()) {
            let next = object.properties.get(name).or(object.additional_properties.as_deref());
            object = resolved(next.ok_or(Lacks { object, name })?);
        }
        Ok(object)
    }

    /// The schema below references and lists; where it leads back to itself, some schema on the way.
    pub fn inside<'a>(&'a self, schema: &'a Schema) -> &'a Schema {
        let mut at = schema;
        for _ in 0..=self.definitions.len() {
            at = self.schema(at).unwrap_or(at);
            match &at.items {
                Some(items) => at = items,
                None => break,
            }
        }
        at
    }

    /// Visits a schema and all that is in it, each definition once: those that are new are added to `found`.
    pub(crate) fn reach<'a>(
        &'a self,
        schema: &'a Schema,
        found: &mut BTreeSet<&'a str>,
        visit: &mut impl FnMut(&'a Schema),
    ) {
        visit(schema);
        if let Some(name) = schema.definition()
            && found.insert(name)
            && let Some(definition) = self.definitions.get(name)
        {
            self.reach(definition, found, visit);
        }
        let inner = schema.items.iter().chain(&schema.additional_properties).map(Box::as_ref);
        for schema in inner.chain(schema.properties.values()) {
            self.reach(schema, found, visit);
        }
    }

    /// The definition with fields below references and lists, with its name; those that are lists are looked through.
    pub fn object<'a>(&'a self, schema: &'a Schema) -> Option<(&'a str, &'a Schema)> {
        let mut at = schema.element();
        for _ in 0..=self.definitions.len() {
            let (name, definition) = self.definitions.get_key_value(at.definition()?)?;
            if definition.items.is_none() {
                return (!definition.properties.is_empty()).then_some((name.as_str(), definition));
            }
            at = definition.element();
        }
        None
    }
}

impl Schema {
    /// A list's element, or what is no list itself; no reference is followed.
    pub fn element(&self) -> &Self {
        let mut at = self;
        while let (None, Some(items)) = (&at.reference, &at.items) {
            at = items;
        }
        at
    }

    /// The name of the definition that this refers to.
    pub fn definition(&self) -> Option<&str> {
        self.reference.as_deref()?.strip_prefix("#/definitions/")
    }
}
