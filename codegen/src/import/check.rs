//! What must hold in a document before anything is generated from it: references, names, path parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::Fault;
use super::facts::step;
use crate::document::{Document, Located, Place, Response, Schema};

/// Looks for the first thing that does not hold.
pub(super) fn check(document: &Document) -> Result<(), Fault> {
    let mut seen = BTreeMap::new();
    for located in document.operations() {
        let at = step(&step("$.paths", located.path), located.method);
        unique(&mut seen, located, &at)?;
        path_parameters(located, &at)?;
        parameters(document, located, &at)?;
        for (status, response) in &located.operation.responses {
            answer(document, response, &step(&format!("{at}.responses"), status))?;
        }
    }
    for (name, response) in &document.responses {
        answer(document, response, &step("$.responses", name))?;
    }
    for (name, definition) in &document.definitions {
        schema(document, definition, &step("$.definitions", name))?;
    }
    Ok(())
}

fn unique<'a>(seen: &mut BTreeMap<&'a str, String>, located: Located<'a>, at: &str) -> Result<(), Fault> {
    let id = &located.operation.operation_id;
    match seen.insert(id, at.to_owned()) {
        None => Ok(()),
        Some(first) => {
            Err(Fault::new(format!("{at}.operationId"), format!("`{id}` is also the operationId of {first}")))
        }
    }
}

/// The names in a path template, in order: `/repos/{owner}/{index}.{diffType}` has `owner`, `index`, `diffType`.
fn template(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}

fn path_parameters(located: Located<'_>, at: &str) -> Result<(), Fault> {
    let named: BTreeSet<&str> = template(located.path).into_iter().collect();
    let declared: BTreeSet<&str> = located
        .operation
        .parameters
        .iter()
        .filter(|p| p.place == Place::Path)
        .map(|p| p.name.as_str())
        .collect();
    if let Some(name) = named.difference(&declared).next() {
        return Err(Fault::new(
            format!("{at}.parameters"),
            format!("the path has {{{name}}}, which is not declared"),
        ));
    }
    if let Some(name) = declared.difference(&named).next() {
        return Err(Fault::new(
            format!("{at}.parameters"),
            format!("`{name}` is declared, and the path has no {{{name}}}"),
        ));
    }
    Ok(())
}

fn parameters(document: &Document, located: Located<'_>, at: &str) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    for (n, parameter) in located.operation.parameters.iter().enumerate() {
        let at = format!("{at}.parameters[{n}]");
        if !seen.insert((parameter.place, &parameter.name)) {
            return Err(Fault::new(at, format!("`{}` is declared twice in the same place", parameter.name)));
        }
        match (&parameter.schema, parameter.place) {
            (Some(body), Place::Body) => schema(document, body, &format!("{at}.schema"))?,
            (None, Place::Body) => return Err(Fault::new(at, "a body needs a schema")),
            (Some(_), _) => return Err(Fault::new(at, "only a body has a schema")),
            (None, _) => schema(document, &parameter.value, &at)?,
        }
    }
    Ok(())
}

fn answer(document: &Document, response: &Response, at: &str) -> Result<(), Fault> {
    if document.response(response).is_none() {
        return Err(dangling(response.reference.as_deref(), at));
    }
    for (name, header) in &response.headers {
        schema(document, header, &step(&format!("{at}.headers"), name))?;
    }
    response.schema.as_ref().map_or(Ok(()), |body| schema(document, body, &format!("{at}.schema")))
}

fn schema(document: &Document, this: &Schema, at: &str) -> Result<(), Fault> {
    if document.schema(this).is_none() {
        return Err(dangling(this.reference.as_deref(), at));
    }
    if let Some(items) = &this.items {
        schema(document, items, &format!("{at}.items"))?;
    }
    if let Some(values) = &this.additional_properties {
        schema(document, values, &format!("{at}.additionalProperties"))?;
    }
    for (name, property) in &this.properties {
        schema(document, property, &step(&format!("{at}.properties"), name))?;
    }
    Ok(())
}

fn dangling(reference: Option<&str>, at: &str) -> Fault {
    Fault::new(format!("{at}.$ref"), format!("`{}` is not in the document", reference.unwrap_or_default()))
}
