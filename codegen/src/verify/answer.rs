//! A recorded answer held to its operation: method, status, media type, body.

use std::collections::BTreeMap;

use serde_json::Value;

use super::difference::{Difference, Kind, Report};
use super::recording::{Body, Exchange, is_json};
use super::row::{self, Place, schema_of};
use super::value::{Found, Walk};
use crate::client::corrections::Corrections;
use crate::document::{Document, Located, Response, Schema};

/// A comparison under way.
pub(super) struct Comparison<'a> {
    document: &'a Document,
    corrections: &'a Corrections,
    operations: BTreeMap<&'a str, Located<'a>>,
    found: BTreeMap<(Kind, Place, String), Difference>,
    exchanges: usize,
    passed_over: usize,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(document: &'a Document, corrections: &'a Corrections) -> Self {
        let operations = document.operations().map(|o| (o.operation.operation_id.as_str(), o)).collect();
        Self { document, corrections, operations, found: BTreeMap::new(), exchanges: 0, passed_over: 0 }
    }

    pub(super) fn report(self) -> Report {
        Report {
            release: self.document.release.clone(),
            exchanges: self.exchanges,
            passed_over: self.passed_over,
            differences: self.found.into_values().collect(),
        }
    }

    pub(super) fn exchange(&mut self, exchange: &Exchange) {
        self.exchanges += 1;
        let whole = Place::answer(&exchange.operation, &exchange.status.to_string());
        let Some(located) = self.operations.get(exchange.operation.as_str()).copied() else {
            self.passed_over += 1;
            return self.add(exchange, found(Kind::UnknownOperation, &whole, "not documented"));
        };
        let success = (200..300).contains(&exchange.status);
        if !exchange.method.eq_ignore_ascii_case(located.method) {
            self.passed_over += 1;
            if success {
                self.add(exchange, found(Kind::Method, &whole, &exchange.method));
            }
            return;
        }
        if exchange.body == Body::Cut {
            self.passed_over += 1;
        }
        if success {
            self.success(exchange, located, &whole);
        } else {
            self.refusal(exchange, located, &whole);
        }
    }

    fn success(&mut self, exchange: &Exchange, located: Located<'a>, whole: &Place) {
        let responses = &located.operation.responses;
        let own = responses.get(whole.at.strip_prefix("responses.").unwrap_or_default());
        let other = || responses.iter().find(|(status, _)| status.starts_with('2'));
        let undeclared = exchange.status.to_string();
        let Some(declared) = own.or_else(|| other().map(|(_, response)| response)) else {
            return self.add(exchange, found(Kind::UndeclaredSuccess, whole, &undeclared));
        };
        let Some(response) = self.document.response(declared) else { return };
        if own.is_none() {
            let same = response.schema.is_some() == (exchange.body != Body::Empty);
            let kind = if same { Kind::OtherSuccess } else { Kind::UndeclaredSuccess };
            self.add(exchange, found(kind, whole, &undeclared));
            if !same {
                return;
            }
        }
        match (&response.schema, &exchange.body) {
            (None, Body::Empty) | (_, Body::Cut) => {}
            (Some(schema), Body::Empty) if may_be_empty(self.document, schema) => {}
            (Some(_), Body::Empty) => self.add(
                exchange,
                Found { set: Some(serde_json::json!({})), ..found(Kind::EmptyBody, whole, "nothing") },
            ),
            (None, body) => {
                self.media(exchange, located, whole);
                let set = match body {
                    Body::Json(value) => schema_of(value),
                    _ => serde_json::json!({"type": "file"}),
                };
                let set = Some(serde_json::json!({ "schema": set }));
                let what = exchange.content_type.as_deref().unwrap_or("bytes");
                self.add(exchange, Found { set, ..found(Kind::UndeclaredBody, whole, what) });
            }
            (Some(schema), body) => {
                self.media(exchange, located, whole);
                if let Body::Json(value) = body {
                    self.body(exchange, schema, value, &place_of(declared, whole));
                }
            }
        }
    }

    fn body(&mut self, exchange: &Exchange, schema: &'a Schema, value: &Value, place: &Place) {
        let mut walk = Walk { document: self.document, corrections: self.corrections, found: Vec::new() };
        match value {
            Value::Array(many) if self.corrections.answers_one_or_many(&exchange.operation) => {
                many.iter().for_each(|one| walk.value(schema, one, "[]", place));
            }
            value => walk.value(schema, value, "", place),
        }
        walk.found.into_iter().for_each(|found| self.add(exchange, found));
    }

    /// Held to what the operation says that it produces.
    fn media(&mut self, exchange: &Exchange, located: Located<'_>, whole: &Place) {
        let own = &located.operation.produces;
        let produces = if own.is_empty() { &self.document.produces } else { own };
        let is = exchange.content_type.as_deref().unwrap_or("none");
        // The kinds of one family that a file or a text may have cannot be listed: JSON or not is what matters.
        if is_json(is)
            && !produces.iter().any(|media| media == is)
            && produces.iter().any(|media| is_json(media))
        {
            let place = Place { at: "produces".to_owned(), ..whole.clone() };
            return self.add(exchange, found(Kind::OtherJson, &place, is));
        }
        let fits = produces.iter().any(|media| media == is || (!is_json(media) && !is_json(is)));
        if !fits {
            let place = Place { at: "produces".to_owned(), ..whole.clone() };
            let what = format!("{} → {is}", produces.join(", "));
            let set = Some(serde_json::json!([is]));
            self.add(exchange, Found { set, ..found(Kind::ContentType, &place, &what) });
        }
    }

    fn refusal(&mut self, exchange: &Exchange, located: Located<'_>, whole: &Place) {
        let status = exchange.status.to_string();
        if !located.operation.responses.contains_key(&status) {
            self.add(exchange, found(Kind::UndeclaredErrorStatus, whole, &status));
        }
        if exchange.status < 400 {
            return;
        }
        let form = match &exchange.body {
            Body::Empty => "nothing".to_owned(),
            Body::Other => exchange.content_type.clone().unwrap_or_else(|| "bytes".to_owned()),
            Body::Json(Value::Object(fields)) => {
                let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
                names.sort_unstable();
                names.join(", ")
            }
            Body::Json(_) => "JSON that is no object".to_owned(),
            Body::Cut => return,
        };
        if form != "message, url" {
            self.add(exchange, found(Kind::ErrorShape, whole, &form));
        }
    }

    fn add(&mut self, exchange: &Exchange, found: Found) {
        let key = (found.kind, found.place, found.what);
        if let Some(known) = self.found.get_mut(&key) {
            known.count += 1;
            return;
        }
        let (kind, place, what) = &key;
        let row = row::propose(*kind, place, found.set, what, &exchange.scenario);
        let difference = Difference {
            kind: *kind,
            operation: exchange.operation.clone(),
            path: found.path,
            place: place.shown(),
            what: what.clone(),
            scenario: exchange.scenario.clone(),
            count: 1,
            row,
        };
        self.found.insert(key, difference);
    }
}

/// Where an answer's schema stands: a named answer is replaced whole, an own one can be entered.
fn place_of(response: &Response, whole: &Place) -> Place {
    if response.reference.is_some() { whole.clone() } else { whole.below("schema") }
}

/// A text or a file may have no bytes.
fn may_be_empty(document: &Document, schema: &Schema) -> bool {
    let kind = document.schema(schema).and_then(|schema| schema.kind.as_deref());
    matches!(kind, Some("string" | "file"))
}

fn found(kind: Kind, place: &Place, what: &str) -> Found {
    Found { kind, path: String::new(), place: place.clone(), what: what.to_owned(), set: None }
}
