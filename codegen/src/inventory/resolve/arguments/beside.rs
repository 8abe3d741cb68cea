//! Arguments beside another one: what may be given in its place, and what tells the media type of a file.

use super::super::super::model::{At, ParamRow};
use super::super::super::tool::{Argument, Codec, Kind, Place};
use super::super::kinds;
use super::super::slots::Slot;
use super::{Maker, described, texts};

/// Whether `or` names a parameter that there is, as `local.patch`, and not an argument to be made, as `content_base64`.
pub(super) fn is_key(or: &str) -> bool {
    or.contains('.')
}

impl Maker<'_, '_> {
    /// The argument that is made to be given in the place of another one; none where `or` names a parameter that there
    /// is.
    pub(super) fn in_its_place(
        &mut self,
        first: &Argument,
        (key, row): (&str, &ParamRow),
        slot: &Slot<'_>,
    ) -> Option<Argument> {
        let at = row.or.as_ref()?;
        if is_key(&at.value) {
            return None;
        }
        // A codec that is none is told already.
        let is_told = row.codec.is_some() && first.codec == Codec::Plain;
        if !is_told && !matches!(first.codec, Codec::Base64 | Codec::FromBase64 | Codec::Duration) {
            let said = format!(
                "or {:?}: an argument for another form is beside codec \"base64\" or \"duration\", or a \
                 form's file; a parameter that there is would be named as \"local.patch\"",
                at.value
            );
            self.fault(at.line, key, said);
        }
        Some(self.other_form(first, at.value.clone(), row.rule.line, slot))
    }

    /// The argument that takes the encoded form, as `content_base64` beside `content`, or `seconds` beside `duration`.
    fn other_form(&mut self, first: &Argument, name: String, line: usize, slot: &Slot<'_>) -> Argument {
        let word = self.inventory.vocabulary.get(&name);
        let kind = match (first.codec, kinds::of_schema(self.document, slot.schema)) {
            (Codec::Duration, Kind::Integer { min, max }) => Kind::Integer {
                min: word.and_then(|word| word.min).or(min),
                max: word.and_then(|word| word.max).or(max),
            },
            _ => Kind::Text,
        };
        Argument {
            aliases: word.map(|word| texts(&word.aliases)).unwrap_or_default(),
            about: self.about(&name, line, &ParamRow::default(), word),
            described: described(&ParamRow::default(), word),
            name,
            kind,
            required: false,
            default: None,
            default_from: None,
            demands: None,
            demands_at: None,
            excludes: None,
            when_false: None,
            or: None,
            codec: if first.codec == Codec::Base64 { Codec::CheckedBase64 } else { Codec::Plain },
            ..first.clone()
        }
    }

    /// The argument that tells the media type of a file.
    pub(super) fn media_type(&mut self, file: &Argument, name: &At<String>, key: &str) -> Argument {
        if file.place != Place::File {
            self.fault(
                name.line,
                key,
                "media_type names the argument for the type of a form's file".to_owned(),
            );
        }
        let (wire, place) = (file.wire.clone(), Place::FileType);
        Argument { wire, place, kind: Kind::Text, span: file.span.clone(), ..self.local(name) }
    }
}
