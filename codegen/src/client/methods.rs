//! Progenitor's methods rewritten: its names and types stay, their bodies build an unsent call.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{FnArg, GenericArgument, Ident, ImplItem, ImplItemFn, Item, Pat, PathArguments, Type, parse_quote};

use super::plan::{Answer, Argument, Body, Field, Piece, Plan};
use crate::document::Place;
use crate::naming;

/// A rewritten method, with what the untyped twin needs to call it.
pub(super) struct Method<'a> {
    pub(super) plan: &'a Plan,
    pub(super) name: Ident,
    pub(super) inputs: Vec<Input<'a>>,
    /// The type of its answer.
    pub(super) answer: Type,
    pub(super) tokens: TokenStream,
}

/// A parameter of a method.
pub(super) struct Input<'a> {
    pub(super) name: Ident,
    pub(super) source: Source<'a>,
    /// Its type; without the `Option` where it is optional.
    pub(super) inner: Type,
    pub(super) optional: bool,
}

/// What a parameter becomes.
pub(super) enum Source<'a> {
    Argument(&'a Argument),
    Json,
    Text,
    Field(&'a Field),
}

/// Rewrites all methods. Progenitor and the plan must agree on them.
pub(super) fn methods<'a>(file: &syn::File, plans: &'a [Plan]) -> Result<Vec<Method<'a>>, String> {
    let made: BTreeMap<String, &ImplItemFn> = file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Impl(item) if item.trait_.is_none() => Some(&item.items),
            _ => None,
        })
        .flatten()
        .filter_map(|item| match item {
            ImplItem::Fn(function) if function.sig.asyncness.is_some() => {
                Some((function.sig.ident.to_string(), function))
            }
            _ => None,
        })
        .collect();
    if made.len() != plans.len() {
        return Err(format!("{} operations became {} methods", plans.len(), made.len()));
    }
    plans
        .iter()
        .map(|plan| {
            let function = made
                .get(&plan.name)
                .ok_or_else(|| format!("{} became no method `{}`", plan.id, plan.name))?;
            method(function, plan).map_err(|reason| format!("{}: {reason}", plan.id))
        })
        .collect()
}

fn method<'a>(function: &ImplItemFn, plan: &'a Plan) -> Result<Method<'a>, String> {
    let mut inputs = Vec::new();
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            let Pat::Ident(name) = &*typed.pat else {
                return Err("has a parameter without a name".to_owned());
            };
            inputs.push(self::input(&name.ident, (*typed.ty).clone(), plan)?);
        }
    }
    match &plan.body {
        Body::Text { .. } => inputs.push(Input {
            name: format_ident!("body"),
            source: Source::Text,
            inner: parse_quote!(&str),
            optional: false,
        }),
        Body::Form { fields, .. } => inputs.extend(fields.iter().map(form_input)),
        Body::None | Body::Json { .. } => {}
    }
    let answer = answer(function, plan)?;
    let name = function.sig.ident.clone();
    let tokens = tokens(plan, &name, &inputs, &answer);
    Ok(Method { plan, name, inputs, answer, tokens })
}

fn input<'a>(name: &Ident, mut made: Type, plan: &'a Plan) -> Result<Input<'a>, String> {
    Bare.visit_type_mut(&mut made);
    if name == "body" {
        let optional = matches!(plan.body, Body::Json { required: false, .. });
        return Ok(Input { name: name.clone(), source: Source::Json, inner: made, optional });
    }
    let argument = plan
        .arguments
        .get(&name.to_string())
        .ok_or_else(|| format!("`{name}` is no parameter of the document"))?;
    let (inner, optional) = match generic(&made, "Option") {
        Some(inner) => (inner, true),
        None => (made, false),
    };
    Ok(Input { name: name.clone(), source: Source::Argument(argument), inner, optional })
}

fn form_input(field: &Field) -> Input<'_> {
    let inner = if field.file { parse_quote!(&crate::Upload) } else { parse_quote!(&str) };
    let name = format_ident!("{}", naming::identifier(&field.wire));
    Input { name, source: Source::Field(field), inner, optional: !field.required }
}

/// Takes lifetimes off references, and makes borrowed lists slices.
struct Bare;

impl VisitMut for Bare {
    fn visit_type_mut(&mut self, this: &mut Type) {
        syn::visit_mut::visit_type_mut(self, this);
        if let Type::Reference(reference) = this {
            reference.lifetime = None;
            if let Some(element) = generic(&reference.elem, "Vec") {
                *reference.elem = parse_quote!([#element]);
            }
        }
    }
}

/// `X` of `Name<X>`.
fn generic(this: &Type, name: &str) -> Option<Type> {
    let Type::Path(path) = this else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner.clone()),
        _ => None,
    })
}

fn answer(function: &ImplItemFn, plan: &Plan) -> Result<Type, String> {
    let Answer::Json { optional, one_or_many } = plan.answer else {
        return Ok(match plan.answer {
            Answer::Empty => parse_quote!(()),
            _ => parse_quote!(crate::Raw),
        });
    };
    let syn::ReturnType::Type(_, returned) = &function.sig.output else {
        return Err("returns nothing".to_owned());
    };
    let documented = generic(returned, "Result")
        .and_then(|value| generic(&value, "ResponseValue"))
        .ok_or("does not return a ResponseValue")?;
    let answer = if one_or_many { parse_quote!(crate::OneOrMany<#documented>) } else { documented };
    Ok(if optional { parse_quote!(Option<#answer>) } else { answer })
}

fn tokens(plan: &Plan, name: &Ident, inputs: &[Input<'_>], answer: &Type) -> TokenStream {
    let parameters = inputs.iter().map(parameter);
    let docs = docs(plan).into_iter().map(|line| quote!(#[doc = #line]));
    let start = start(plan, inputs);
    let body = body(plan, inputs);
    let main = quote! {
        #(#docs)*
        pub fn #name(&self, #(#parameters),*) -> Result<crate::Call<#answer>, crate::BuildError> {
            #start
            #body
        }
    };
    match plan.body {
        Body::Form { octets: true, .. } => {
            let octets = octets(plan, name, inputs, answer);
            quote!(#main #octets)
        }
        _ => main,
    }
}

fn parameter(input: &Input<'_>) -> TokenStream {
    let Input { name, inner, optional, .. } = input;
    if *optional { quote!(#name: Option<#inner>) } else { quote!(#name: #inner) }
}

/// The same request with the file as the whole body.
fn octets(plan: &Plan, name: &Ident, inputs: &[Input<'_>], answer: &Type) -> TokenStream {
    let name = format_ident!("{name}_octets");
    let inputs = inputs.iter().filter(|input| matches!(input.source, Source::Argument(_)));
    let parameters = inputs.clone().map(parameter);
    let doc = format!(" As the method before, with the file's bytes as the body: operation `{}`.", plan.id);
    let start = start(plan, inputs);
    quote! {
        #[doc = #doc]
        pub fn #name(&self, #(#parameters,)* octets: bytes::Bytes) -> Result<crate::Call<#answer>, crate::BuildError> {
            #start
            Ok(__call.octets(octets))
        }
    }
}

fn docs(plan: &Plan) -> Vec<String> {
    let mut lines = vec![format!(" `{} {}`: operation `{}`.", plan.http, plan.template, plan.id)];
    if plan.deprecated {
        lines.extend([String::new(), " The document calls it deprecated.".to_owned()]);
    }
    for argument in plan.arguments.values().filter(|argument| !argument.values.is_empty()) {
        lines.push(String::new());
        lines.push(format!(" `{}` is one of `{}`.", argument.wire, argument.values.join("`, `")));
    }
    lines.extend([
        String::new(),
        " # Errors".to_owned(),
        " [`crate::BuildError`] names the parameter that cannot be sent.".to_owned(),
    ]);
    lines
}

/// Builds path and query, and ends with a call that has no body yet. Its names are none that a parameter can have.
fn start<'a>(plan: &Plan, inputs: impl IntoIterator<Item = &'a Input<'a>>) -> TokenStream {
    let path = plan.path.iter().map(|piece| match piece {
        Piece::Fixed(text) => quote!(__target.fixed(#text);),
        Piece::Parameter { wire, keeps_slashes } => {
            let name = format_ident!("{}", naming::identifier(wire));
            if *keeps_slashes {
                quote!(__target.slashed(#wire, &#name)?;)
            } else {
                quote!(__target.segment(#wire, &#name)?;)
            }
        }
    });
    let query = inputs.into_iter().filter_map(query);
    let (id, http, accept) = (&plan.id, format_ident!("{}", plan.http), &plan.accept);
    quote! {
        let mut __target = crate::target::Target::default();
        #(#path)*
        #(#query)*
        let __call = crate::Call::new(#id, http::Method::#http, __target.finish()).accepting(#accept);
    }
}

fn query(input: &Input<'_>) -> Option<TokenStream> {
    let Source::Argument(argument) = input.source else { return None };
    if argument.place != Place::Query {
        return None;
    }
    let (name, wire) = (&input.name, &argument.wire);
    let value = if input.optional { quote!(#name) } else { quote!(Some(#name)) };
    let is_list = matches!(&input.inner, Type::Reference(r) if matches!(&*r.elem, Type::Slice(_)));
    Some(match (is_list, argument.comma) {
        (false, _) => quote!(__target.query(#wire, #value);),
        (true, false) => quote!(__target.repeated(#wire, #value);),
        (true, true) => quote!(__target.comma(#wire, #value)?;),
    })
}

fn body(plan: &Plan, inputs: &[Input<'_>]) -> TokenStream {
    match &plan.body {
        Body::None => quote!(Ok(__call)),
        Body::Json { required: true, media } => quote!(__call.json(#media, Some(body))),
        Body::Json { required: false, media } => quote!(__call.json(#media, body)),
        Body::Text { media } => quote!(Ok(__call.text(#media, body))),
        Body::Form { .. } => {
            let parts = inputs.iter().filter_map(|input| {
                let Source::Field(field) = input.source else { return None };
                let (name, wire) = (&input.name, &field.wire);
                let value = if input.optional { quote!(#name) } else { quote!(Some(#name)) };
                Some(if field.file {
                    quote!(#value.map(|file| crate::Part::file(#wire, file)))
                } else {
                    quote!(#value.map(|text| crate::Part::text(#wire, text)))
                })
            });
            quote!(__call.form([#(#parts),*]))
        }
    }
}
