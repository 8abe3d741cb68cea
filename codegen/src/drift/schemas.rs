//! Two types side by side: which properties came and went, and in which aspects those that stayed differ.

use crate::document::{Document, Schema};

/// One difference between two types. Paths are dotted; `[]` is a list's element, `{}` a map's value.
#[derive(Debug)]
pub(super) enum Found {
    Added { path: String, is: String, required: bool },
    Removed { path: String, was: String },
    Changed { path: String, aspect: Aspect },
}

/// One aspect in which two types differ.
#[derive(Debug)]
pub(super) struct Aspect {
    pub(super) name: &'static str,
    pub(super) was: Option<String>,
    pub(super) is: Option<String>,
    /// Whether something that could be sent before cannot be sent now.
    pub(super) narrower: bool,
}

/// Where both types come from, and whether references are followed (a body) or compared by name (a definition).
pub(super) struct Sides<'a> {
    pub(super) old: &'a Document,
    pub(super) new: &'a Document,
    pub(super) follow: bool,
}

impl<'a> Sides<'a> {
    /// All differences, below `path`.
    pub(super) fn compare(&self, old: &'a Schema, new: &'a Schema, path: &str) -> Vec<Found> {
        let mut found = Vec::new();
        self.walk((old, new), path, &mut Vec::new(), &mut found);
        found
    }

    fn walk(
        &self,
        (old, new): (&'a Schema, &'a Schema),
        path: &str,
        above: &mut Vec<(&'a str, &'a str)>,
        found: &mut Vec<Found>,
    ) {
        let names = (old.definition(), new.definition());
        if self.follow
            && let (Some(before), Some(after)) = names
        {
            if above.contains(&(before, after)) {
                return;
            }
            above.push((before, after));
            self.resolved(self.both(old, new), path, above, found);
            above.pop();
            return;
        }
        self.resolved(if self.follow { self.both(old, new) } else { (old, new) }, path, above, found);
    }

    fn both(&self, old: &'a Schema, new: &'a Schema) -> (&'a Schema, &'a Schema) {
        (self.old.schema(old).unwrap_or(old), self.new.schema(new).unwrap_or(new))
    }

    fn resolved(
        &self,
        (old, new): (&'a Schema, &'a Schema),
        path: &str,
        above: &mut Vec<(&'a str, &'a str)>,
        found: &mut Vec<Found>,
    ) {
        if !old.properties.is_empty() && !new.properties.is_empty() {
            self.properties((old, new), path, above, found);
            return;
        }
        for (before, after, mark) in
            [(&old.items, &new.items, "[]"), (&old.additional_properties, &new.additional_properties, "{}")]
        {
            if let (Some(before), Some(after)) = (before, after)
                && (!before.properties.is_empty() || (self.follow && before.reference.is_some()))
            {
                self.walk((before, after), &format!("{path}{mark}"), above, found);
                return;
            }
        }
        let changed = aspects(old, new).into_iter();
        found.extend(changed.map(|aspect| Found::Changed { path: path.to_owned(), aspect }));
    }

    fn properties(
        &self,
        (old, new): (&'a Schema, &'a Schema),
        path: &str,
        above: &mut Vec<(&'a str, &'a str)>,
        found: &mut Vec<Found>,
    ) {
        let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for (name, before) in &old.properties {
            let path = join(name);
            let Some(after) = new.properties.get(name) else {
                found.push(Found::Removed { path, was: word(before) });
                continue;
            };
            let required = (old.required.contains(name), new.required.contains(name));
            if let Some(aspect) = demanded(required) {
                found.push(Found::Changed { path: path.clone(), aspect });
            }
            self.walk((before, after), &path, above, found);
        }
        for (name, after) in new.properties.iter().filter(|(name, _)| !old.properties.contains_key(*name)) {
            let required = new.required.contains(name);
            found.push(Found::Added { path: join(name), is: word(after), required });
        }
    }
}

/// The difference between what is demanded before and after.
pub(super) fn demanded((was, is): (bool, bool)) -> Option<Aspect> {
    let word = |required: bool| Some(if required { "required" } else { "optional" }.to_owned());
    (was != is).then(|| Aspect { name: "required", was: word(was), is: word(is), narrower: is })
}

/// The aspects in which two types differ that have no properties in common.
pub(super) fn aspects(old: &Schema, new: &Schema) -> Vec<Aspect> {
    let (was, is) = (word(old), word(new));
    if was != is {
        return vec![Aspect { name: "type", was: Some(was), is: Some(is), narrower: true }];
    }
    let mut all = values(old, new);
    let json = |value: &Option<serde_json::Value>| value.as_ref().map(ToString::to_string);
    if old.default != new.default {
        all.push(Aspect {
            name: "default",
            was: json(&old.default),
            is: json(&new.default),
            narrower: false,
        });
    }
    let bound = |bound: Option<i64>| bound.map(|number| number.to_string());
    let (least, most) = ((old.minimum, new.minimum), (old.maximum, new.maximum));
    let higher = least.1.is_some_and(|is| least.0.is_none_or(|was| is > was));
    let lower = most.1.is_some_and(|is| most.0.is_none_or(|was| is < was));
    for (name, (was, is), narrower) in [("minimum", least, higher), ("maximum", most, lower)] {
        if was != is {
            all.push(Aspect { name, was: bound(was), is: bound(is), narrower });
        }
    }
    all
}

/// Enum values that are gone, and those that are new; a first enum and a last one are one change.
fn values(old: &Schema, new: &Schema) -> Vec<Aspect> {
    let texts = |schema: &Schema| -> Vec<String> {
        let own = &schema.items.as_ref().filter(|_| schema.values.is_empty()).map(|items| &items.values);
        let plain = |v: &serde_json::Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        own.unwrap_or(&schema.values).iter().map(plain).collect()
    };
    let (was, is) = (texts(old), texts(new));
    let aspect =
        |was: Option<String>, is: Option<String>, narrower| Aspect { name: "values", was, is, narrower };
    let any = || Some("any".to_owned());
    match (was.is_empty(), is.is_empty()) {
        (true, true) => return Vec::new(),
        (true, false) => return vec![aspect(any(), Some(is.join("|")), true)],
        (false, true) => return vec![aspect(Some(was.join("|")), any(), false)],
        (false, false) => {}
    }
    let without = |all: &[String], other: &[String]| -> Vec<String> {
        all.iter().filter(|value| !other.contains(value)).cloned().collect()
    };
    let (gone, new) = (without(&was, &is), without(&is, &was));
    let mut all = Vec::new();
    if !gone.is_empty() {
        all.push(aspect(Some(gone.join("|")), None, true));
    }
    if !new.is_empty() {
        all.push(aspect(None, Some(new.join("|")), false));
    }
    all
}

/// A type in a word or two: `string date-time`, `Label[]`, `map of string`.
pub(super) fn word(schema: &Schema) -> String {
    if let Some(name) = schema.definition() {
        return name.to_owned();
    }
    if let Some(items) = &schema.items {
        return format!("{}[]", word(items));
    }
    if let Some(values) = &schema.additional_properties {
        return format!("map of {}", word(values));
    }
    let kind = schema.kind.as_deref().unwrap_or("any JSON");
    match &schema.format {
        Some(format) => format!("{kind} {format}"),
        None => kind.to_owned(),
    }
}
