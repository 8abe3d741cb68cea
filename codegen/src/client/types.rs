//! The types that progenitor made, without what only bloats them: schema dumps in comments, clones by `From`.

use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item, ItemMod, parse_quote};

/// The module `types`, rewritten; `None` where there is none.
pub(super) fn types(file: &syn::File) -> Option<ItemMod> {
    let name = format_ident!("types");
    let mut module = file.items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == name => Some(module.clone()),
        _ => None,
    })?;
    let (_, items) = module.content.as_mut()?;
    items.retain(|item| {
        !matches!(item, Item::Impl(i) if is_clone_by_from(i)) && !matches!(item, Item::Mod(_))
    });
    for item in items.iter_mut() {
        document(item);
        if let Item::Struct(item) = item {
            add_default(item);
        }
        Undocumented.visit_item_mut(item);
    }
    module.attrs =
        vec![parse_quote!(#[doc = " What is sent and what is received, as the document defines it."])];
    Some(module)
}

/// `impl From<&X> for X`, which only clones.
fn is_clone_by_from(item: &syn::ItemImpl) -> bool {
    let own = &item.self_ty;
    let from = item.trait_.as_ref().map(|(path, _)| quote!(#path).to_string());
    from.is_some_and(|from| {
        from.replace(' ', "").ends_with(&format!("From<&{}>", quote!(#own)).replace(' ', ""))
    })
}

/// Every struct has a default, so that a caller names only the fields that matter.
fn add_default(item: &mut syn::ItemStruct) {
    let derives_it = item.attrs.iter().any(|attribute| {
        attribute.path().is_ident("derive") && quote!(#attribute).to_string().contains("Default")
    });
    if !derives_it && matches!(item.fields, syn::Fields::Named(_)) {
        item.attrs.push(parse_quote!(#[derive(Default)]));
    }
}

/// One line for each type in place of its schema.
fn document(item: &mut Item) {
    let (name, attributes) = match item {
        Item::Struct(item) => (item.ident.to_string(), &mut item.attrs),
        Item::Enum(item) => (item.ident.to_string(), &mut item.attrs),
        Item::Type(item) => (item.ident.to_string(), &mut item.attrs),
        _ => return,
    };
    attributes.retain(|attribute| !is_doc(attribute));
    let line = format!(" `{name}` of the document.");
    attributes.insert(0, parse_quote!(#[doc = #line]));
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// Takes comments off fields and impls.
struct Undocumented;

impl VisitMut for Undocumented {
    fn visit_field_mut(&mut self, field: &mut syn::Field) {
        field.attrs.retain(|attribute| !is_doc(attribute));
        let line = field.ident.as_ref().map(|name| format!(" `{}`.", name.to_string().trim_end_matches('_')));
        if let Some(line) = line {
            field.attrs.insert(0, parse_quote!(#[doc = #line]));
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.attrs.retain(|attribute| !is_doc(attribute));
    }
}
