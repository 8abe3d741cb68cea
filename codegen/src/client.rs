//! From the imported document to the typed client's source.
//!
//! Corrections are applied, the document is normalised to the OpenAPI 3 form that progenitor takes, and what progenitor
//! makes of it (types and signatures) is rewritten: every method builds an unsent call from what the plan says of it.

pub mod corrections;
mod methods;
mod normalise;
mod plan;
mod types;
mod untyped;

use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle};
use quote::quote;

use crate::document::Document;
use corrections::{Corrections, CorrectionsError};

/// Why no client could be generated.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// A correction does not hold.
    #[error(transparent)]
    Corrections(#[from] CorrectionsError),
    /// The document has something that the generator does not take.
    #[error("Forgejo {release}, {place}: {reason}")]
    Unsupported {
        /// The release.
        release: String,
        /// The operation or definition.
        place: String,
        /// What is not taken.
        reason: String,
    },
    /// The generator beneath failed.
    #[error("Forgejo {release}: {reason}")]
    Generator {
        /// The release.
        release: String,
        /// What it said.
        reason: String,
    },
}

/// Rust source of the typed client: `Api` and its methods, `types`, `untyped` and `OPERATIONS`.
///
/// `document` is an imported document, `corrections` is what `openapi/corrections.toml` holds.
///
/// # Errors
/// [`ClientError`].
pub fn generate(document: &Document, corrections: &Corrections) -> Result<String, ClientError> {
    let document = corrections.apply(document)?;
    let plans = plan::plans(&document, corrections)?;
    let failed = |reason: String| ClientError::Generator { release: document.release.clone(), reason };
    let normal = normalise::normalise(&document, corrections, &plans).map_err(|e| failed(e.to_string()))?;
    let mut settings = GenerationSettings::default();
    settings.with_interface(InterfaceStyle::Positional).with_map_type("::std::collections::BTreeMap");
    let tokens = Generator::new(&settings).generate_tokens(&normal).map_err(|e| failed(e.to_string()))?;
    let file: syn::File = syn::parse2(tokens).map_err(|e| failed(e.to_string()))?;
    let types = types::types(&file).ok_or_else(|| failed("progenitor made no module `types`".to_owned()))?;
    let methods = methods::methods(&file, &plans).map_err(failed)?;
    let signatures = methods.iter().map(|method| &method.tokens);
    let untyped = methods.iter().map(untyped::function);
    let rows = methods.iter().map(untyped::row);
    let whole = quote! {
        /// Every operation of the API: a method builds the unsent call.
        #[derive(Debug, Clone, Copy, Default)]
        pub struct Api;

        impl Api { #(#signatures)* }

        #types

        /// Every operation with arguments that are known only at run time, by place and wire name.
        pub mod untyped {
            use super::{Api, types};
            use crate::given::Given;
            use crate::{BuildError, Call, Parameters, Raw};
            #(#untyped)*
        }

        /// Every operation of the pinned document, by path and method.
        pub static OPERATIONS: &[crate::OperationInfo] = &[ #(#rows),* ];
    };
    let file: syn::File = syn::parse2(whole).map_err(|e| failed(e.to_string()))?;
    Ok(prettyplease::unparse(&file))
}
