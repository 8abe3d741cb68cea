//! The untyped twin of each method: it takes its arguments out of `Parameters` and calls the method.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Type, parse_quote};

use super::methods::{Input, Method, Source};
use super::plan::Answer;
use crate::document::Place;

/// One function of the module `untyped`.
pub(super) fn function(method: &Method<'_>) -> TokenStream {
    let name = &method.name;
    let takes = method.inputs.iter().map(take);
    let passes = method.inputs.iter().map(pass);
    let doc = format!(" Operation `{}`: see [`Api::{name}`].", method.plan.id);
    let id = &method.plan.id;
    let mutable = (!method.inputs.is_empty()).then(|| quote!(mut));
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        /// A parameter that is missing, unknown or of another type.
        pub fn #name(parameters: Parameters) -> Result<Call<Raw>, BuildError> {
            let #mutable __given = Given::new(#id, parameters);
            #(#takes)*
            __given.finish()?;
            Api.#name(#(#passes),*).map(Call::raw)
        }
    }
}

fn take(input: &Input<'_>) -> TokenStream {
    let (name, owned) = (&input.name, owned(&input.inner));
    let from = match &input.source {
        Source::Argument(argument) => {
            let wire = &argument.wire;
            match (argument.place, input.optional) {
                (Place::Path, _) => quote!(path::<#owned>(#wire)),
                (_, false) => quote!(query::<#owned>(#wire)),
                (_, true) => quote!(query_optional::<#owned>(#wire)),
            }
        }
        Source::Json if input.optional => quote!(body_optional::<#owned>()),
        Source::Json => quote!(body::<#owned>()),
        Source::Text => quote!(text_body()),
        Source::Field(field) => {
            let wire = &field.wire;
            match (field.file, input.optional) {
                (true, true) => quote!(file_optional()),
                (true, false) => quote!(file(#wire)),
                (false, true) => quote!(form_optional(#wire)),
                (false, false) => quote!(form(#wire)),
            }
        }
    };
    let question = if matches!(&input.source, Source::Field(field) if field.file && input.optional) {
        quote!()
    } else {
        quote!(?)
    };
    quote!(let #name = __given.#from #question;)
}

fn pass(input: &Input<'_>) -> TokenStream {
    let name = &input.name;
    match (&input.inner, input.optional) {
        (Type::Reference(reference), true) if is_unsized(&reference.elem) => quote!(#name.as_deref()),
        (Type::Reference(_), true) => quote!(#name.as_ref()),
        (Type::Reference(_), false) => quote!(&#name),
        _ => quote!(#name),
    }
}

fn is_unsized(this: &Type) -> bool {
    matches!(this, Type::Slice(_)) || matches!(this, Type::Path(path) if path.path.is_ident("str"))
}

/// The type that a parameter borrows from.
fn owned(this: &Type) -> Type {
    let Type::Reference(reference) = this else { return this.clone() };
    match &*reference.elem {
        Type::Slice(slice) => {
            let element = &slice.elem;
            parse_quote!(Vec<#element>)
        }
        Type::Path(path) if path.path.is_ident("str") => parse_quote!(String),
        other => other.clone(),
    }
}

/// One row of `OPERATIONS`.
pub(super) fn row(method: &Method<'_>) -> TokenStream {
    let plan = method.plan;
    let (id, method_name, http, template) = (&plan.id, &plan.name, &plan.http, &plan.template);
    let (name, answer) = (&method.name, &method.answer);
    let (kind, decode) = match plan.answer {
        Answer::Json { .. } => (quote!(Json), quote!(crate::reply::check_json::<#answer>)),
        Answer::Text => (quote!(Text), quote!(crate::reply::check_text)),
        Answer::Bytes => (quote!(Bytes), quote!(crate::reply::check_bytes)),
        Answer::Empty => (quote!(Empty), quote!(crate::reply::check_empty)),
    };
    quote! {
        crate::OperationInfo {
            operation: #id,
            method_name: #method_name,
            http_method: #http,
            path: #template,
            answer: crate::AnswerKind::#kind,
            build: untyped::#name,
            decode: #decode,
        }
    }
}
