//! Other operations of a tool, and the parameter by which each is chosen.

use crate::document::Located;

use super::super::model::{At, Route, ToolRow};
use super::super::problem::did_you_mean;
use super::super::tool::{ApiCall, Place, When};
use super::{Resolver, slots};

impl<'a> Resolver<'a> {
    /// The calls that are taken in the place of a tool's first; the parameter that chooses one becomes the tool's.
    pub(super) fn routes(
        &mut self,
        (table, row): (&str, &ToolRow),
        operation: Located<'a>,
        mentioned: &[&str],
        slots: &mut Vec<slots::Slot<'a>>,
    ) -> Vec<ApiCall> {
        let mut calls = Vec::new();
        for route in &row.route {
            let Some(other) = self.operation(table, "route", route.operation.line, &route.operation) else {
                continue;
            };
            let others = slots::of(self.document, other, mentioned);
            if self.secrets.answer(other) != self.secrets.answer(operation) {
                let text = format!("{} answers other secrets than {}", *route.operation, *row.operation);
                self.problems.add(route.operation.line, table, "route", text);
            }
            let when = self.routed(table, row, route, slots, others);
            calls.push(self.call(other, Some(when)));
        }
        calls
    }

    /// When a routed operation is taken. What it takes, the first has too, but for the parameter that chooses it.
    fn routed(
        &mut self,
        table: &str,
        row: &ToolRow,
        route: &Route,
        slots: &mut Vec<slots::Slot<'a>>,
        others: Vec<slots::Slot<'a>>,
    ) -> When {
        let At { line, value: key } = &route.parameter;
        let own = slots.iter().find(|slot| slot.key() == *key);
        if let (true, Some(true)) = (route.given, own.map(|slot| slot.required)) {
            let text = format!("{} demands {key}, so it is always given", *row.operation);
            self.problems.add(*line, table, "route", text);
        }
        let is_local = own.is_some_and(|slot| slot.place == Place::Local);
        let local = is_local.then(|| format!("{key} is sent to no operation, so that it cannot choose one"));
        if let Some(text) = local.or_else(|| row.never_given(key)) {
            self.problems.add(*line, table, "route", text);
        } else if route.given && !others.iter().any(|slot| slot.key() == *key) {
            let known: Vec<String> = others.iter().map(slots::Slot::key).collect();
            let near = did_you_mean(key, known.iter().map(String::as_str));
            let text = format!("{} has no parameter {key:?}{near}", *route.operation);
            self.problems.add(*line, table, "route", text);
        }
        for slot in others {
            if slots.iter().any(|own| own.key() == slot.key()) {
                continue;
            }
            if route.given && slot.key() == *key {
                slots.push(slots::Slot { required: false, ..slot });
                continue;
            }
            let text = format!("{} takes {}, which {} has not", *route.operation, slot.key(), *row.operation);
            self.problems.add(route.operation.line, table, "route", text);
        }
        let slot = slots.iter().find(|slot| slot.key() == *key);
        let (place, wire) =
            slot.map_or((Place::Query, String::new()), |slot| (slot.place, slot.wire.clone()));
        When { place, wire, given: route.given }
    }
}
