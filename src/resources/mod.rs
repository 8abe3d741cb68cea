//! Forgejo's things under addresses of their own: `forgejo://repo/acme/widget/issue/12`.
//!
//! Uses [`crate::operations`]; both adapters use it. A resource is read by the operations that the matching tools
//! use, through the same checks and the same requests. What is particular to it is the address (`address`), which
//! templates there are (`template`), and the form of the answer (`entities`, `content`, `collections`).

mod address;
mod checks;
mod collections;
mod content;
mod entities;
mod links;
mod reader;
mod rows;
mod shape;
mod template;
mod threads;

pub use address::{Address, LONGEST, is_full_sha};
pub use links::{Link, linked, links, row_fields};
pub use template::{Lifetime, STATICS, TEMPLATES, Template, Variable};

use futures_util::future::BoxFuture;

use crate::forge::Forge;
use crate::operations::surface::Surface;
use crate::operations::{Code, Limits, OperationError};
use crate::tools::Tools;
use reader::Reader;

/// The media type of what is answered as an object.
pub const JSON: &str = "application/json";

/// The media type of texts that people wrote.
pub const MARKDOWN: &str = "text/markdown";

/// The most that one resource may be, in bytes: 1 MiB. What is larger is refused, and is read in parts by a tool.
pub const LIMIT: usize = 1024 * 1024;

/// One block of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The media type, as `application/json`.
    pub media_type: String,
    /// What it holds.
    pub body: Body,
}

/// What a block holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Text; JSON is text too.
    Text(String),
    /// Bytes that are no text.
    Bytes(bytes::Bytes),
}

impl Block {
    fn text(media_type: &str, text: String) -> Self {
        Self { media_type: media_type.to_owned(), body: Body::Text(text) }
    }

    /// In bytes.
    fn size(&self) -> usize {
        match &self.body {
            Body::Text(text) => text.len(),
            Body::Bytes(bytes) => bytes.len(),
        }
    }
}

/// Why a resource was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResourceError {
    /// The address is not of our form, or a part of it is not what it must be. Nothing was sent.
    #[error("{0}")]
    BadAddress(String),
    /// No template has this form. Nothing was sent.
    #[error("no resource has an address like {0}; the templates are {templates}", templates = template::all())]
    NoTemplate(String),
    /// There is something, but not at this address.
    #[error("{0}")]
    NotHere(String),
    /// An operation behind it failed, or is hidden here.
    #[error(transparent)]
    Operation(#[from] OperationError),
}

/// What reading comes to.
type Read<'a> = BoxFuture<'a, Result<Vec<Block>, ResourceError>>;

/// Reads the resource at an address, of as many calls as it takes.
///
/// # Errors
/// [`ResourceError::Operation`] with the error of the call that failed, or of the surface that hides one of its
/// tools; then nothing was sent. [`ResourceError::NotHere`] where what was found is of something else than the
/// address says.
pub async fn read(
    forge: &Forge,
    surface: &Surface,
    address: &Address,
    limits: &Limits,
) -> Result<Vec<Block>, ResourceError> {
    let template = address.template();
    if let Some(hidden) = template.hidden(surface) {
        return Err(hidden.into());
    }
    // A text is whole or refused.
    let tools = Tools::new(forge, Limits { max_result_bytes: LIMIT, ..*limits }).following();
    let tool = template.tools.first().copied().unwrap_or_default();
    let read = (template.read)(Reader { tools, surface, address }).await;
    let blocks = read.map_err(|error| led(error, tool))?;
    let size: usize = blocks.iter().map(Block::size).sum();
    if size > LIMIT { Err(entities::too_large(&size.to_string(), tool).into()) } else { Ok(blocks) }
}

/// An error that a thing is too large, with the tool that reads it all the same: what an operation hints at are
/// arguments.
fn led(error: ResourceError, tool: &str) -> ResourceError {
    match error {
        ResourceError::Operation(error) if error.code == Code::TooLarge => match error.hint.clone() {
            Some(hint) if !hint.contains(tool) => {
                error.hint(format!("the tool {tool} reads it: {hint}")).into()
            }
            _ => error.into(),
        },
        other => other,
    }
}
