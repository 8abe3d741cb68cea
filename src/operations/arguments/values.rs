//! The arguments of a call after they were checked, each beside its parameter: what names are looked up in, what composed
//! operations read, and what the typed client's parameters are made of.

use serde_json::{Map, Value};

use super::{Engine, Plan, place};
use crate::operations::OperationError;
use crate::operations::applied::Asked;
use crate::operations::descriptor::{Answer, Applied, Effect, Operation, Parameter, Place};
use crate::operations::held;

/// What was given and is right, in the order of the operation's parameters.
#[derive(Debug)]
pub(in crate::operations) struct Values {
    pub(super) operation: &'static Operation,
    pub(super) values: Vec<(&'static Parameter, Value)>,
    /// The arguments that the caller gave not, and something stands for.
    pub(super) stood_in: Vec<&'static str>,
    /// The arguments whose every value was a name that was looked up.
    pub(in crate::operations) named: Vec<&'static str>,
    /// What the rows of an honest answer hold of filters that were looked up, where it is not what is sent; `null` where
    /// that is not known.
    pub(in crate::operations) held: Vec<(&'static str, Value)>,
    /// Whether something was looked up before this call, and believed.
    pub(in crate::operations) is_kept: bool,
    /// What the engine itself was told.
    pub(in crate::operations) engine: Engine,
    /// How an address was read that could mean something else.
    pub(in crate::operations) assumed: Option<String>,
}

impl Values {
    /// The operation that they are for.
    pub(in crate::operations) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// An argument's value, by its name.
    pub(in crate::operations) fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(parameter, _)| parameter.name == name).map(|(_, value)| value)
    }

    /// A text argument; empty where none was given.
    pub(in crate::operations) fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether a switch is on.
    pub(in crate::operations) fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// An argument's value, by its place and wire name.
    pub(in crate::operations) fn by_wire(&self, place: Place, wire: &str) -> Option<&Value> {
        let mut found = self.values.iter().filter(|(p, _)| p.place == place && p.wire == wire);
        found.next().map(|(_, value)| value)
    }

    /// Every argument that was given, with its value.
    pub(in crate::operations) fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &Value)> {
        self.values.iter().map(|(parameter, value)| (*parameter, value))
    }

    /// The same value, to be changed.
    pub(in crate::operations) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.values.iter_mut().find(|(parameter, _)| parameter.name == name).map(|(_, value)| value)
    }

    /// The path arguments by wire name.
    pub(in crate::operations) fn path(&self) -> Map<String, Value> {
        let path = self.values.iter().filter(|(parameter, _)| parameter.place == Place::Path);
        path.map(|(parameter, value)| (parameter.wire.to_owned(), value.clone())).collect()
    }

    /// What the forge does besides what the arguments say, as the table tells.
    pub(in crate::operations) fn consequences(&self) -> Option<String> {
        let told = self.values.iter().filter(|(_, value)| *value == false);
        let told: Vec<&str> = told.filter_map(|(parameter, _)| parameter.when_false).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// What the caller asked for and the answer will tell of; in a dry run, the answer of its read.
    fn asked(&self) -> Vec<Asked> {
        let compared = match (self.engine.dry_run, &self.operation.present) {
            (false, _) => self.operation.applied,
            (true, Some(present)) => present.compared,
            (true, None) => return Vec::new(),
        };
        // Of what it makes, the forge chooses itself what an empty text leaves open.
        let is_open = |value: &Value| self.operation.effect == Effect::Add && *value == "";
        let given = compared.iter().filter(|applied| !self.stood_in.contains(&applied.name));
        let asked = |applied: &'static Applied| {
            let is_named = self.named.contains(&applied.name);
            let held = self.held.iter().find(|(name, _)| *name == applied.name);
            let value = match held.filter(|_| held::is_held(applied.by)) {
                Some((_, held)) => held.clone(),
                None => self.get(applied.name).filter(|value| !is_open(value))?.clone(),
            };
            Some(Asked { applied, value, is_named })
        };
        given.filter_map(asked).collect()
    }

    /// The arguments that the caller gave and that are no part of the path or the query.
    fn sent(&self) -> Vec<&'static str> {
        let is_sent = |p: &Parameter| !matches!(p.place, Place::Path | Place::Query | Place::Local);
        let sent = self.values.iter().map(|(parameter, _)| *parameter);
        sent.filter(|p| is_sent(p) && !self.stood_in.contains(&p.name)).map(|p| p.name).collect()
    }

    /// Puts each value in its place.
    ///
    /// # Errors
    /// A value that its codec cannot write.
    pub(in crate::operations) fn plan(mut self) -> Result<Plan, OperationError> {
        let compared = self.asked();
        let sent = if self.engine.dry_run { self.sent() } else { Vec::new() };
        let mut placer = place::Placer::new(self.operation, self.engine.local.upload.take());
        let mut asked = Map::new();
        let keeps = matches!(self.operation.answer, Answer::YesNo { .. });
        for (parameter, value) in self.values {
            if parameter.place == Place::Local {
                continue;
            }
            if keeps && parameter.place == Place::Path {
                asked.insert(parameter.name.to_owned(), value.clone());
            }
            placer.put(parameter, value).map_err(OperationError::from)?;
        }
        let parameters = placer.finish().map_err(OperationError::from)?;
        Ok(Plan { parameters, engine: self.engine, asked, compared, sent })
    }
}
