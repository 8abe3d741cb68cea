//! Resources in the protocol's form: lists of them, their contents, and errors by number.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CacheScope, ContentBlock, ErrorCode, ErrorData, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::json;

use super::brief;
use crate::operations::surface::Surface;
use crate::operations::{Code, OperationError};
use crate::resources::{
    Address, Block, Body, LONGEST, Lifetime, Link, ResourceError, STATICS, TEMPLATES, Template,
};

/// It is not there, or not this account's to see.
const NOT_THERE: ErrorCode = ErrorCode(-32003);
/// The account or its token may not.
const FORBIDDEN: ErrorCode = ErrorCode(-32004);
/// The token is missing, unknown or expired.
const UNAUTHORIZED: ErrorCode = ErrorCode(-32005);

/// How long what never changes may be kept, in milliseconds: a day.
const A_DAY: u64 = 24 * 60 * 60 * 1000;

/// The resources without variables that the surface offers.
pub(super) fn statics(surface: &Surface) -> Vec<Resource> {
    let offered = STATICS.iter().filter(|template| template.is_offered(surface));
    let shown = offered.map(|template| {
        let resource = Resource::new(template.uri, template.name)
            .with_title(template.title)
            .with_description(template.about);
        match template.media_type {
            Some(media_type) => resource.with_mime_type(media_type),
            None => resource,
        }
    });
    shown.collect()
}

/// The templates that the surface offers.
pub(super) fn templates(surface: &Surface) -> Vec<ResourceTemplate> {
    let offered = TEMPLATES.iter().filter(|template| template.is_offered(surface));
    let shown = offered.map(|template| {
        let shown = ResourceTemplate::new(template.uri, template.name)
            .with_title(template.title)
            .with_description(template.about);
        match template.media_type {
            Some(media_type) => shown.with_mime_type(media_type),
            None => shown,
        }
    });
    shown.collect()
}

/// A link to a resource, as a block of a tool's answer.
pub(super) fn link(link: Link) -> ContentBlock {
    let resource = Resource::new(link.uri, link.name);
    let resource = match link.title {
        Some(title) => resource.with_title(title),
        None => resource,
    };
    ContentBlock::resource_link(match link.media_type {
        Some(media_type) => resource.with_mime_type(media_type),
        None => resource,
    })
}

/// What was read.
pub(super) fn result(address: &Address, blocks: Vec<Block>) -> ReadResourceResult {
    let contents = blocks.into_iter().map(|block| {
        match block.body {
            Body::Text(text) => ResourceContents::text(text, address.uri()),
            Body::Bytes(bytes) => ResourceContents::blob(STANDARD.encode(bytes), address.uri()),
        }
        .with_mime_type(block.media_type)
    });
    let result = ReadResourceResult::new(contents.collect());
    match is_immutable(address.template(), address) {
        true => result.with_ttl_ms(A_DAY).with_cache_scope(CacheScope::Private),
        false => result,
    }
}

fn is_immutable(template: &Template, address: &Address) -> bool {
    match template.lifetime {
        Lifetime::Short => false,
        Lifetime::Immutable => true,
        Lifetime::ImmutableAtSha => address.get("ref").is_some_and(crate::resources::is_full_sha),
    }
}

/// Why a resource was not read. What the forge's status says decides, and no text of its own.
pub(super) fn refused(uri: &str, error: &ResourceError) -> ErrorData {
    // An address that is longer than any is not said again as a whole.
    let short = brief(uri);
    let uri = if uri.len() > LONGEST { short.as_ref() } else { uri };
    match error {
        ResourceError::BadAddress(why) => ErrorData::invalid_params(why.clone(), Some(json!({ "uri": uri }))),
        ResourceError::NoTemplate(_) => {
            ErrorData::resource_not_found(error.to_string(), Some(json!({ "uri": uri })))
        }
        ResourceError::NotHere(why) => {
            ErrorData::new(NOT_THERE, format!("{uri}: {why}"), Some(json!({ "uri": uri })))
        }
        ResourceError::Operation(error) => failed(("uri", uri), error),
    }
}

/// That a call failed for something of that name; the first of the two is what the error's data call it.
pub(super) fn failed((of, name): (&str, &str), error: &OperationError) -> ErrorData {
    let code = match (error.status, error.code) {
        (Some(404), _) | (None | Some(200..300), Code::NotFound) => NOT_THERE,
        (Some(403), _) | (None, Code::Forbidden | Code::MissingScope | Code::Refused) => FORBIDDEN,
        (Some(401), _) | (None, Code::Unauthorized) => UNAUTHORIZED,
        (None, Code::InvalidArguments) => ErrorCode::INVALID_PARAMS,
        _ => ErrorCode::INTERNAL_ERROR,
    };
    let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    let message = format!("{name}: {}{hint}", error.message);
    ErrorData::new(code, message, Some(json!({ of: name, "error": error })))
}
