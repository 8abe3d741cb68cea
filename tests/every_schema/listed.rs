//! A tool as it is listed, and arguments for it that may stand together.

use forgehand::operations::Operation;
use forgehand::operations::descriptor::{Codec, Field, Kind, Parameter, Place};
use forgehand::operations::table::OPERATIONS;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::rules::{self, TOGETHER};
use super::values::UNIFIED;

/// A tool as a client knows it.
pub(crate) struct Listed {
    pub(crate) tool: &'static Operation,
    pub(crate) schema: Value,
    pub(crate) validator: Validator,
}

impl Listed {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        OPERATIONS.iter().map(|tool| {
            let schema: Value = serde_json::from_str(tool.input_schema).unwrap();
            let validator = validator(&schema);
            Self { tool, schema, validator }
        })
    }

    pub(crate) fn lists(&self, name: &str) -> bool {
        self.schema["properties"].get(name).is_some()
    }

    /// The parameters that the schema lists, each with its part of it.
    pub(crate) fn properties(&self) -> impl Iterator<Item = (&'static Parameter, &Value)> {
        self.tool.parameters.iter().map(|p| (p, &self.schema["properties"][p.name]))
    }

    /// Arguments that may stand together: what is demanded is added, what may not be there goes, but for those of these
    /// names.
    pub(crate) fn completed(&self, mut given: Map<String, Value>, fixed: &[&str]) -> Map<String, Value> {
        let missing = |given: &Map<String, Value>, name: &str| given.get(name).is_none_or(Value::is_null);
        for parameter in self.tool.parameters.iter().filter(|p| p.required && p.or.is_none()) {
            given.entry(parameter.name).or_insert_with(|| plain(parameter));
        }
        let find = |name: &str| self.tool.parameters.iter().find(|p| p.name == name).unwrap();
        // Each turn mends one thing; none is undone by another.
        for _ in 0..8 {
            let mut meant = self.meant(&given);
            while let Some((name, entry)) = rules::divided(self.tool, &meant) {
                given.insert(name.to_owned(), entry);
                meant = self.meant(&given);
            }
            let free = |p: &&Parameter| {
                !fixed.contains(&p.name) || missing(&given, p.name) && given.get(p.name).is_none()
            };
            let mut more = self.tool.parameters.iter().filter(free);
            let (add, remove) = match rules::together(self.tool, &meant) {
                None => break,
                Some(rule) if rule == TOGETHER[0] => {
                    let twice = |p: &&Parameter| {
                        p.or.is_some_and(|other| !missing(&given, other)) && !missing(&given, p.name)
                    };
                    let first = self.tool.parameters.iter().find(twice).unwrap();
                    (None, Some(if fixed.contains(&first.name) { first.or.unwrap() } else { first.name }))
                }
                Some(rule) if rule == TOGETHER[1] => (more.find(|p| p.required && p.or.is_some()), None),
                Some(rule) if rule == TOGETHER[2] => (more.find(|p| p.place == Place::Body), None),
                Some(rule) if rule == TOGETHER[3] => (rules::unmet(self.tool, &meant).map(find), None),
                Some(rule) if rule == TOGETHER[4] => {
                    (None, Some(if fixed.contains(&"end_line") { "start_line" } else { "end_line" }))
                }
                Some(rule) if rule == TOGETHER[7] => {
                    let (name, other) = rules::excluding(self.tool, &meant).unwrap();
                    (None, Some(if fixed.contains(&name) { other } else { name }))
                }
                Some(_) => (more.find(|p| matches!(p.place, Place::File)), None),
            };
            if add.is_none() && remove.is_none() {
                break;
            }
            given.extend(add.map(|p| (p.name.to_owned(), plain(p))));
            remove.map(|name| given.remove(name));
        }
        if self.lists("confirm") && !fixed.contains(&"confirm") {
            given.insert("confirm".to_owned(), json!(true));
        }
        given
    }

    /// What arguments mean by their own names; those that mean nothing are left out, and so is what is no parameter.
    pub(crate) fn meant(&self, given: &Map<String, Value>) -> Map<String, Value> {
        let mut meant = Map::new();
        for parameter in self.tool.parameters {
            let value = given.get(parameter.name).and_then(|value| rules::meaning(parameter, value).value);
            meant.extend(
                value.filter(|value| !value.is_null()).map(|value| (parameter.name.to_owned(), value)),
            );
        }
        meant
    }
}

/// A schema as a client reads it, formats and all.
pub(crate) fn validator(schema: &Value) -> Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

/// A value of a parameter that nothing has against.
pub(crate) fn plain(parameter: &Parameter) -> Value {
    match (parameter.codec, &parameter.kind) {
        (Codec::FromBase64 | Codec::CheckedBase64, _) => json!("aGkK"),
        (Codec::Duration, _) => json!("1h30m"),
        (Codec::Sha, _) => json!(super::values::SHAS[0]),
        _ if parameter.place == Place::FileType => json!("text/csv"),
        _ if (parameter.place, parameter.name) == (Place::Local, "patch") => json!(UNIFIED),
        (_, Kind::Date) => json!("2024-02-29"),
        (_, Kind::DateTime) => json!("2026-03-01T08:30:00+02:00"),
        (_, Kind::Enum(words)) => json!(words[0]),
        (_, Kind::Integer { min, max }) => json!(7.clamp(*min, *max)),
        (_, Kind::Boolean) => json!(false),
        (_, Kind::List(Kind::Enum(words))) => json!([words[0]]),
        (_, Kind::List(Kind::Integer { .. })) => json!([7]),
        (_, Kind::List(Kind::Object(fields))) => json!([least(fields)]),
        (_, Kind::Object(fields)) => least(fields),
        (_, Kind::TextMap | Kind::Json) => json!({}),
        (_, Kind::List(item)) if is_within(item) => json!(["x/x"]),
        (_, kind) if is_within(kind) => json!("x/x"),
        (_, Kind::List(_)) => json!(["x"]),
        (_, Kind::Text | Kind::Name(_)) => json!("x"),
    }
}

/// Whether names of that kind tell whose they are.
fn is_within(kind: &Kind) -> bool {
    matches!(kind, Kind::Name(names) if names.of.within.is_some())
}

fn least(fields: &[Field]) -> Value {
    let value = |kind: &Kind| if let Kind::Enum(words) = kind { json!(words[0]) } else { json!("x") };
    fields.iter().filter(|f| f.required).map(|f| (f.name.to_owned(), value(&f.kind))).collect()
}
