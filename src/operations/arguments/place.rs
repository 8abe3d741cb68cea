//! Puts each value where it travels, written as its codec says.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use bytes::Bytes;
use forgehand_client::{Content, FileContent, Parameters, Upload, is_media_type};
use serde_json::{Map, Value};

use super::durations;
use super::fault::Fault;
use super::told;
use crate::folders::LONGEST_NAME;
use crate::operations::descriptor::{Codec, Kind, Operation, Parameter, Place};
use crate::operations::files;

/// Reads base64 with and without padding.
const TOLERANT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The file name of an upload that tells none.
const UNNAMED: &str = "attachment";

/// Collects the typed client's parameters.
pub(super) struct Placer {
    parameters: Parameters,
    file: Option<Content>,
    file_name: Option<String>,
    /// Whether a file is what it is all about.
    is_upload: bool,
    /// The file's media type, and the argument that told it.
    media_type: Option<(String, &'static str)>,
}

impl Placer {
    /// A POST, PUT or PATCH that has body fields sends `{}` where none is given.
    pub(super) fn new(operation: &Operation, upload: Option<(FileContent, String)>) -> Self {
        let has_fields = operation.parameters.iter().any(|p| p.place == Place::Body);
        let writes_body = operation.calls.iter().any(|c| matches!(c.method, "POST" | "PUT" | "PATCH"));
        let body = (has_fields && writes_body).then(|| Value::Object(Map::new()));
        let parameters = Parameters { body, ..Parameters::default() };
        let (file, file_name) = upload.map(|(file, name)| (Content::File(file), name)).unzip();
        Self { parameters, file, file_name, is_upload: files::uploads(operation), media_type: None }
    }

    /// Puts one value in its place.
    ///
    /// # Errors
    /// A value that the codec cannot write.
    pub(super) fn put(&mut self, parameter: &'static Parameter, value: Value) -> Result<(), Fault> {
        if parameter.place == Place::File {
            let bytes = file_bytes(parameter, &value);
            let bytes = bytes.map_err(|fault| told(parameter, fault).within(parameter.name))?;
            self.file = Some(bytes.into());
            return Ok(());
        }
        if parameter.place == Place::FileType {
            let given = value.as_str().filter(|text| is_media_type(text)).ok_or_else(|| {
                let expected = "a media type with its subtype, as text/csv";
                Fault::expected(expected, &value).within(parameter.name)
            })?;
            self.media_type = Some((given.to_owned(), parameter.name));
            return Ok(());
        }
        let value = written(parameter.codec, value).and_then(|value| with_fields(&parameter.kind, value));
        let value = value.map_err(|f| told(parameter, f).within(parameter.name))?;
        let wire = parameter.wire;
        let parameters = &mut self.parameters;
        match parameter.place {
            Place::Path => _ = parameters.path.insert(wire.to_owned(), value),
            Place::Query | Place::Form => {
                if wire == "name" && self.is_upload {
                    let name = value.as_str().unwrap_or_default();
                    check_file_name(name).map_err(|said| Fault::said(said).within(parameter.name))?;
                    self.file_name = Some(name.to_owned());
                }
                let map = if parameter.place == Place::Query {
                    &mut parameters.query
                } else {
                    &mut parameters.form
                };
                map.insert(wire.to_owned(), value);
            }
            Place::Body => nest(parameters.body.get_or_insert_default(), wire, value),
            Place::WholeBody => parameters.body = Some(value),
            Place::File | Place::FileType | Place::Local => {}
        }
        Ok(())
    }

    /// What was collected.
    ///
    /// # Errors
    /// The media type of a file that was not given.
    pub(super) fn finish(mut self) -> Result<Parameters, Fault> {
        match (self.file, self.media_type) {
            (Some(content), media_type) => {
                let file_name = self.file_name.unwrap_or_else(|| UNNAMED.to_owned());
                let media_type = media_type.map(|(media_type, _)| media_type);
                self.parameters.file = Some(Upload { file_name, media_type, content });
            }
            (None, Some((_, name))) => {
                return Err(Fault::said("is for a file, and none was given").within(name));
            }
            (None, None) => {}
        }
        Ok(self.parameters)
    }
}

/// Whether an upload may have that name: one that every file system takes, and no path.
pub(in crate::operations) fn check_file_name(name: &str) -> Result<(), String> {
    let got = match name {
        "" => "an empty one",
        "." | ".." => "a folder's",
        name if name.contains(char::is_control) => "one with a line end or another control character",
        name if name.contains('/') => "a path",
        name if name.len() > LONGEST_NAME => "one of more than 255 bytes",
        _ => return Ok(()),
    };
    Err(format!("expected a file's name, as notes.txt, got {got}"))
}

/// Puts a value at a dotted path of an object; what is no object on the way becomes one. An object is laid beneath one that
/// is there already, so that a field with an argument of its own wins over the same one in a map, whichever came first.
pub(in crate::operations) fn nest(body: &mut Value, path: &str, value: Value) {
    let mut at = body;
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        let Value::Object(object) = at else { return };
        if parts.peek().is_none() {
            let mut value = value;
            if let (Some(Value::Object(there)), Value::Object(more)) = (object.get_mut(part), &mut value) {
                for (name, field) in std::mem::take(more) {
                    there.entry(name).or_insert(field);
                }
            } else {
                object.insert(part.to_owned(), value);
            }
            return;
        }
        at = object.entry(part).or_insert_with(|| Value::Object(Map::new()));
    }
}

fn written(codec: Codec, value: Value) -> Result<Value, Fault> {
    match codec {
        // The content of a file is decoded where it is one.
        Codec::Plain | Codec::FromBase64 => Ok(value),
        Codec::Comma => joined(value),
        Codec::Base64 => match value {
            Value::String(text) => Ok(Value::String(STANDARD.encode(text))),
            value => Err(Fault::expected("text", &value)),
        },
        Codec::CheckedBase64 => Ok(Value::String(STANDARD.encode(decoded(&value)?))),
        Codec::Duration => match value.as_str().and_then(durations::seconds) {
            Some(seconds) => Ok(seconds.into()),
            None => Err(Fault::expected(durations::FORM, &value)),
        },
        Codec::Sha => match value.as_str() {
            Some(text) if is_sha(text) => Ok(value),
            _ => Err(Fault::expected("a full commit sha of 40 or 64 lowercase hexadecimal digits", &value)),
        },
        Codec::AsText => Ok(match value {
            Value::String(_) => value,
            other => Value::String(other.to_string()),
        }),
    }
}

/// The fields of objects as their codecs write them, by their wire names.
fn with_fields(kind: &Kind, value: Value) -> Result<Value, Fault> {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            let written = |(at, item_): (usize, Value)| {
                with_fields(item, item_).map_err(|fault| fault.within(&format!("[{at}]")))
            };
            items.into_iter().enumerate().map(written).collect()
        }
        (Kind::Object(fields), Value::Object(mut object)) => {
            let mut out = Map::new();
            for field in *fields {
                let Some(value) = object.remove(field.name) else { continue };
                let value = written(field.codec, value).and_then(|value| with_fields(&field.kind, value));
                let value = value.map_err(|fault| fault.within(&format!(".{}", field.name)))?;
                out.insert(field.wire.to_owned(), value);
            }
            Ok(Value::Object(out))
        }
        (_, value) => Ok(value),
    }
}

/// A list as one string. An item that holds the comma could not be told from two, and an empty one not from none.
fn joined(value: Value) -> Result<Value, Fault> {
    let Value::Array(items) = value else { return Ok(value) };
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        match item {
            Value::String(text) if text.contains(',') => {
                let said = "expected a name without comma: the forge reads this list with commas between its items, got";
                return Err(
                    Fault::said(format!("{said} {}", super::fault::quoted(text))).within(&format!("[{at}]"))
                );
            }
            Value::String(text) if text.trim().is_empty() => {
                return Err(Fault::expected("a name", item).within(&format!("[{at}]")));
            }
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_string()),
        }
    }
    Ok(Value::String(out))
}

fn file_bytes(parameter: &Parameter, value: &Value) -> Result<Bytes, Fault> {
    match (parameter.codec, value) {
        (Codec::FromBase64, value) => decoded(value).map(Bytes::from),
        (_, Value::String(text)) => Ok(Bytes::from(text.clone())),
        (_, value) => Err(Fault::expected("text", value)),
    }
}

/// The text that a base64 stands for; none where it is no base64, or not that of UTF-8.
pub(in crate::operations) fn decoded_text(value: &Value) -> Option<String> {
    String::from_utf8(decoded(value).ok()?).ok()
}

fn decoded(value: &Value) -> Result<Vec<u8>, Fault> {
    let Value::String(text) = value else { return Err(Fault::expected("base64", value)) };
    let dense: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    TOLERANT.decode(dense).map_err(|_| Fault::expected("base64", value))
}

fn is_sha(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
