//! Arguments that depend on each other: one that demands another, and one that may not stand beside another.

use super::super::super::model::ParamRow;
use super::super::super::tool::{Kind, Place};
use super::super::kinds;
use super::super::slots::Slot;
use super::Maker;

impl Maker<'_, '_> {
    /// The argument that must be given where this one is true, or has the word of `demands_at`. A plain tool has an
    /// argument of its own for nothing else.
    pub(super) fn demands(
        &mut self,
        slot: &Slot<'_>,
        key: &str,
        row: &ParamRow,
        kind: &Kind,
    ) -> Option<String> {
        let Some(at) = &row.demands else {
            if slot.place == Place::Local && self.row.composed.is_none() {
                let text = "a plain tool's own parameter needs `demands`: nothing else reads it";
                self.fault(row.rule.line, key, text.to_owned());
            }
            if let Some(word) = &row.demands_at {
                self.fault(word.line, key, "demands_at is beside `demands`".to_owned());
            }
            return None;
        };
        match (&row.demands_at, kind) {
            (None, Kind::Boolean) => {}
            (Some(word), Kind::Enum(words)) if words.contains(&word.value) => {}
            (Some(word), Kind::Enum(words)) => {
                let text = format!("demands_at {:?} is none of {}", word.value, words.join(", "));
                self.fault(word.line, key, text);
            }
            (None, kind) => {
                self.fault(at.line, key, format!("demands is for a boolean, this is {}", kinds::words(kind)));
            }
            (Some(word), kind) => {
                let text = format!("demands_at is for an enum, this is {}", kinds::words(kind));
                self.fault(word.line, key, text);
            }
        }
        Some(self.name_of(&at.value))
    }

    /// What is told where this one is false.
    pub(super) fn when_false(&mut self, key: &str, row: &ParamRow, kind: &Kind) -> Option<String> {
        let at = row.when_false.as_ref()?;
        if *kind != Kind::Boolean {
            self.fault(at.line, key, format!("when_false is for a boolean, this is {}", kinds::words(kind)));
        }
        Some(at.value.clone())
    }
}
