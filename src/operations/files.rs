//! Files of this machine in the place of bytes in arguments and answers: `file` of every upload, `save_as` of every read whose
//! answer is text or bytes. Which tools take them follows from their table; whether they may, from the forge's folders.

use std::path::Path;

use forgehand_client::{FileContent, Raw, Reply};
use serde_json::{Map, Value, json};
use tokio::task::spawn_blocking;

use super::answer::{Context, length};
use super::arguments::{Values, check_file_name};
use super::descriptor::{Answer, Effect, Operation, Place};
use super::outcome::{Outcome, Saved};
use super::{Code, OperationError, text};
use crate::folders::{Folder, FolderError, Folders, Target};
use crate::forge::Forge;

/// What an upload or a download has of this machine.
#[derive(Debug, Default)]
pub(super) struct Local {
    /// The file that is sent, and its name.
    pub(super) upload: Option<(FileContent, String)>,
    /// Where the answer is written to.
    pub(super) download: Option<Download>,
    /// How many bytes the answer has, where the forge's description of the file tells.
    pub(super) size: Option<u64>,
}

/// Where an answer is written to.
#[derive(Debug)]
pub(super) struct Download {
    target: Target,
    /// As the caller named it.
    path: String,
    /// The most bytes, where the caller bounds them.
    limit: Option<u64>,
}

/// What helps where the name of a file is none for an upload.
const NAME_IT: &str = "filename gives it another name";

/// How an answer of any length is had.
pub(super) const SAVES: &str = "save_as, where --download-root allows it,";

/// Whether a tool sends a file.
pub(super) fn uploads(operation: &Operation) -> bool {
    operation.parameters.iter().any(|parameter| parameter.place == Place::File)
}

/// Whether a tool's answer may be written to a file.
pub fn downloads(operation: &Operation) -> bool {
    operation.effect == Effect::Read && matches!(operation.answer, Answer::Text | Answer::Bytes)
}

/// A tool's input schema with the arguments that these folders allow.
pub fn input_schema(
    operation: &Operation,
    folders: &Folders,
) -> Result<Map<String, Value>, serde_json::Error> {
    let mut schema: Map<String, Value> = serde_json::from_str(operation.input_schema)?;
    let text = |about: &str| json!({ "type": "string", "description": about });
    let mut more = Vec::new();
    if folders.upload.is_some() && uploads(operation) {
        more.push(("file", text("path of a file in the user's upload folder, in place of content")));
    }
    if folders.download.is_some() && downloads(operation) {
        more.push(("save_as", text("new file in the user's download folder that the answer is written to")));
        more.push(("overwrite", json!({ "type": "boolean" })));
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.extend(more.into_iter().map(|(name, property)| (name.to_owned(), property)));
    }
    Ok(schema)
}

/// Opens the file that a call sends, and makes sure of the place that it writes to. Nothing is sent yet.
///
/// # Errors
/// [`Code::Refused`] where no folder is set; [`Code::InvalidArguments`] where it has no such file or place.
pub(super) async fn resolve(forge: &Forge, values: &mut Values) -> Result<(), OperationError> {
    let folders = forge.folders();
    let operation = values.operation();
    let is_named =
        [Place::Query, Place::Form].into_iter().any(|place| values.by_wire(place, "name").is_some());
    let engine = &mut values.engine;
    if let Some(path) = engine.file.take() {
        let folder = allowed(&folders.upload, &FILE)?;
        let name = Path::new(&path).file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let opened = blocking(&FILE, move || opened(&folder, &path)).await?;
        if !is_named {
            check_file_name(&name).map_err(|said| FILE.fault(&said).hint(NAME_IT))?;
        }
        engine.local.upload = Some((opened, name));
    }
    let chooses = engine.range.is_some() || engine.paths.is_some() || engine.offset.is_some();
    if let Some(path) = engine.save_as.take() {
        let folder = allowed(&folders.download, &SAVE_AS)?;
        if chooses {
            let said =
                "expected no start_line, end_line, paths or offset beside it: it writes the whole answer";
            return Err(SAVE_AS.fault(said));
        }
        let (shown, overwrite) = (path.clone(), engine.overwrite);
        let target = blocking(&SAVE_AS, move || folder.place(&path, overwrite)).await?;
        let limit = engine.max_bytes.map(|most| most as u64);
        engine.local.download = Some(Download { target, path: shown, limit });
    } else if engine.overwrite {
        return Err(OVERWRITE.fault("expected save_as beside it, got nothing"));
    } else if let (Some(path), true, false) = (&folders.output, downloads(operation), chooses) {
        let target =
            Target::anywhere(path).map_err(|error| unwritable(&path.display().to_string(), &error))?;
        let limit = folders.output_limit;
        engine.local.download = Some(Download { target, path: path.display().to_string(), limit });
    }
    Ok(())
}

/// An argument that names a file of this machine.
struct Argument {
    name: &'static str,
    /// The options that allow it.
    options: &'static str,
    /// What to do without.
    instead: &'static str,
}

const FILE: Argument = Argument {
    name: "file",
    options: "--upload-root DIR (or FORGEHAND_UPLOAD_ROOT)",
    instead: "send the bytes as `content`",
};
const SAVE_AS: Argument = Argument {
    name: "save_as",
    options: "--download-root DIR (or FORGEHAND_DOWNLOAD_ROOT)",
    instead: "leave it out to get the answer itself",
};
const OVERWRITE: Argument = Argument { name: "overwrite", ..SAVE_AS };

impl Argument {
    fn fault(&self, said: &str) -> OperationError {
        OperationError::new(Code::InvalidArguments, format!("argument `{}`: {said}", self.name))
    }
}

fn allowed(folder: &Option<Folder>, argument: &Argument) -> Result<Folder, OperationError> {
    folder.clone().ok_or_else(|| {
        let Argument { name, options, instead } = argument;
        let said =
            format!("`{name}` names a file in a folder of the user's machine, and none is allowed here");
        let hint = format!("forgehand started with {options} allows it; or {instead}");
        OperationError::new(Code::Refused, format!("{said}; nothing was sent")).hint(hint)
    })
}

fn opened(folder: &Folder, path: &str) -> Result<FileContent, FolderError> {
    FileContent::new(folder.read(path)?).map_err(FolderError::System)
}

/// Does what may wait for a disk beside the other calls.
async fn blocking<T: Send + 'static>(
    argument: &Argument,
    work: impl FnOnce() -> Result<T, FolderError> + Send + 'static,
) -> Result<T, OperationError> {
    match spawn_blocking(work).await {
        Ok(result) => result.map_err(|error| argument.fault(&error.to_string())),
        Err(error) => Err(OperationError::new(Code::Internal, error.to_string())),
    }
}

fn unwritable(path: &str, error: &dyn std::error::Error) -> OperationError {
    OperationError::new(Code::Refused, format!("{path} cannot be written: {error}"))
}

impl Context<'_> {
    /// Writes a body to a file as it comes; an answer that breaks off, has more bytes than the caller wants, or is not of the
    /// size that was told, leaves no new file.
    pub(super) async fn save(
        &self,
        download: &Download,
        mut reply: Reply<Raw>,
    ) -> Result<Outcome, OperationError> {
        let Download { target, path, limit } = download;
        let most = limit.unwrap_or(u64::MAX);
        let told = length(&reply);
        if told.is_some_and(|told| told > most) {
            return Err(self.too_large(&reply, most));
        }
        let mut writing =
            target.begin().await.map_err(|error| self.about(unwritable(path, &error), &reply))?;
        let mut bytes = 0;
        loop {
            let chunk = match reply.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return Err(self.broken(&reply, &error)),
            };
            bytes += chunk.len() as u64;
            if bytes > most {
                return Err(self.too_large(&reply, most));
            }
            if let Err(error) = writing.write(&chunk).await {
                return Err(self.about(unwritable(path, &error), &reply));
            }
        }
        self.check_size(bytes, &reply)?;
        writing.finish().await.map_err(|error| self.about(unwritable(path, &error), &reply))?;
        let media_type = reply.header("content-type").unwrap_or("application/octet-stream").to_owned();
        let sha = self.engine.with_metadata.then(|| text::sha(&reply)).flatten();
        Ok(Outcome::Saved(Saved { path: path.clone(), bytes, media_type, sha, note: None }))
    }

    /// Refuses a file of another size than the forge's description of it tells.
    pub(super) fn check_size(&self, bytes: u64, reply: &Reply<Raw>) -> Result<(), OperationError> {
        match self.engine.local.size {
            Some(size) if size != bytes => {
                let said =
                    format!("the forge sent {bytes} bytes of a file that has {size} by its description");
                Err(self.about(OperationError::new(Code::Refused, said), reply))
            }
            _ => Ok(()),
        }
    }

    fn too_large(&self, reply: &Reply<Raw>, most: u64) -> OperationError {
        let said = match length(reply) {
            Some(told) => format!("the answer has {told} bytes, and max_bytes is {most}"),
            None => format!("the answer has more than {most} bytes, which is max_bytes"),
        };
        self.about(
            OperationError::new(Code::TooLarge, said).hint("leave max_bytes out to write all of it"),
            reply,
        )
    }
}
