//! Values for arguments: what a listed schema allows, made of the schema alone, and values of every other form.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Texts that something on the way could take for something else. The first is harmless everywhere.
pub(crate) const TEXTS: [&str; 18] = [
    "x",
    "",
    " both sides ",
    "grün → 日本 🦀",
    "\"double\" 'single' \\back",
    "100%25 %2F %",
    "a/b?c=d&e=f#g+h",
    "one\ntwo\r\n\tthree",
    "[1,2]",
    "{\"a\":1}",
    "null",
    "true",
    "5",
    "a,b",
    "..",
    "nul\u{0}",
    "-1",
    "~x y",
];

/// Moments, and what each is on the wire: nothing where it is none.
pub(crate) const MOMENTS: [(&str, Option<&str>); 9] = [
    ("2026-03-01T08:30:00+02:00", Some("2026-03-01T08:30:00+02:00")),
    ("2026-02-28T23:59:59.123456789Z", Some("2026-02-28T23:59:59.123456789Z")),
    ("1969-12-31T23:00:00-11:30", Some("1969-12-31T23:00:00-11:30")),
    ("2024-02-29", Some("2024-02-29T00:00:00Z")),
    ("2023-02-29", None),
    ("2026-13-01T00:00:00Z", None),
    ("2026-03-01T08:30:00", None),
    ("2026-03-01 08:30:00Z", None),
    ("2016-12-31T23:59:60Z", None),
];

/// Days, and whether they are.
pub(crate) const DAYS: [(&str, bool); 3] = [("2024-02-29", true), ("2023-02-29", false), ("20240229", false)];

/// Lengths of time, and their seconds.
pub(crate) const LENGTHS: [(&str, i64); 3] = [("1h30m", 5400), ("45s", 45), ("5", 5)];

/// A unified diff.
pub(crate) const UNIFIED: &str = "@@ -1 +1 @@\n-x\n+y\n";
/// Whole shas, of both kinds.
pub(crate) const SHAS: [&str; 2] = [
    "8f36a1c0d2b4e5f60718293a4b5c6d7e8f901234",
    "8f36a1c0d2b4e5f60718293a4b5c6d7e8f9012348f36a1c0d2b4e5f60718293a",
];

/// Base64 of bytes, of text, of nothing, and with white space and without padding.
pub(crate) const BASE64: [&str; 5] = ["AP8K", "4pyT", "", "aG\nkK\r\n", "YQ"];

/// Names behind the name of whose they are, each of [`TEXTS`] behind another one; one by one, or in lists.
pub(crate) fn within(in_lists: bool) -> Vec<Value> {
    let whose = ["x", " both sides ", "a,b", "[1]", "5", "100%25 %2F %", "~x?y#z", "grün → 日本 🦀"];
    let names: Vec<Value> = TEXTS
        .iter()
        .zip(whose.iter().cycle())
        .map(|(name, whose)| json!(format!("{whose}/{name}")))
        .collect();
    if in_lists { names.iter().map(|name| json!([name])).chain([json!(names)]).collect() } else { names }
}

/// Values of a schema that stand at its edges.
pub(crate) fn edges(schema: &Value) -> Vec<Value> {
    if let Some(words) = schema["enum"].as_array() {
        return words.clone();
    }
    match schema["type"].as_str().unwrap() {
        "string" if schema["format"] == "date-time" => {
            MOMENTS.iter().filter(|(text, sent)| *sent == Some(text)).map(|(text, _)| json!(text)).collect()
        }
        "string" => TEXTS.iter().map(|text| json!(text)).collect(),
        "integer" => {
            let (least, most) = bounds(schema);
            let some = 7.clamp(least.max(1), most);
            let mut edges = vec![json!(some), json!(least.max(1)), json!(most), json!(some as f64)];
            if least < 0 {
                edges.extend([json!(0), json!(-1), json!(i64::MIN)]);
            }
            edges
        }
        "boolean" => vec![json!(true), json!(false)],
        "array" => {
            let items = edges(&schema["items"]);
            let many: Vec<&Value> = items.iter().cycle().take(40).collect();
            vec![json!([items[0]]), json!([]), json!(items), json!(many), json!([items[items.len() - 1]])]
        }
        _ => object_edges(schema),
    }
}

fn object_edges(schema: &Value) -> Vec<Value> {
    let Some(properties) = schema["properties"].as_object() else {
        let odd = json!({"": "", "grün": "a,b", "a.b": "[1]"});
        return vec![
            json!({"a": "x"}),
            json!({}),
            odd,
            json!({"content_type": "form", "url": "y", "a": "5"}),
        ];
    };
    let all = |at: usize| -> Value {
        let fields = properties.iter().map(|(name, schema)| {
            let edges = edges(schema);
            (name.clone(), edges[at % edges.len()].clone())
        });
        Value::Object(fields.collect())
    };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut least = all(0);
    least.as_object_mut().unwrap().retain(|name, _| required.contains(&json!(name)));
    let mut edges: Vec<Value> = (0..TEXTS.len()).map(all).collect();
    edges.insert(1, least);
    edges
}

/// The bounds that a schema sets to an integer, which has 64 bits.
pub(crate) fn bounds(schema: &Value) -> (i64, i64) {
    (schema["minimum"].as_i64().unwrap_or(i64::MIN), schema["maximum"].as_i64().unwrap_or(i64::MAX))
}

/// Any value that a schema allows.
pub(crate) fn allowed(schema: &Value) -> BoxedStrategy<Value> {
    let edge = proptest::sample::select(edges(schema));
    if schema.get("enum").is_some() || schema.get("format").is_some() {
        return edge.boxed();
    }
    match schema["type"].as_str().unwrap() {
        "string" => prop_oneof![edge, any::<String>().prop_map(Value::from)].boxed(),
        "integer" => {
            let (least, most) = bounds(schema);
            prop_oneof![edge, (least..=most).prop_map(Value::from)].boxed()
        }
        "array" => {
            let items = proptest::collection::vec(allowed(&schema["items"]), 0..4);
            prop_oneof![edge, items.prop_map(Value::Array)].boxed()
        }
        "object" if schema.get("properties").is_some() => object(schema).prop_map(Value::Object).boxed(),
        _ => edge.boxed(),
    }
}

/// Any object that a schema allows.
pub(crate) fn object(schema: &Value) -> BoxedStrategy<Map<String, Value>> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().unwrap();
    let fields: Vec<BoxedStrategy<Option<(String, Value)>>> = properties
        .iter()
        .map(|(name, schema)| {
            let (owned, is_required) = (name.clone(), required.contains(&json!(name)));
            let field = allowed(schema).prop_map(move |value| (owned.clone(), value));
            if is_required { field.prop_map(Some).boxed() } else { proptest::option::of(field).boxed() }
        })
        .collect();
    fields.prop_map(|fields| fields.into_iter().flatten().collect()).boxed()
}

/// Any JSON, four levels deep.
pub(crate) fn json() -> BoxedStrategy<Value> {
    let plain = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    plain
        .prop_recursive(4, 12, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                proptest::collection::hash_map("[a-z]{1,3}", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
        .boxed()
}

/// Values of every form, most of them none that this schema allows.
pub(crate) fn variety(schema: &Value) -> Vec<Value> {
    static SAME: LazyLock<Vec<Value>> = LazyLock::new(every_form);
    let mut values = SAME.clone();
    if schema.get("properties").is_some() {
        values.extend(bent(schema));
    } else if schema["items"].get("properties").is_some() {
        values.extend(bent(&schema["items"]).into_iter().map(|object| json!([object])));
    }
    values
}

/// An object of a schema with each of its fields in turn null, gone, or of another type, and with one field too many.
fn bent(schema: &Value) -> Vec<Value> {
    let whole = &edges(schema)[0];
    let mut bent = vec![whole.clone()];
    bent[0]["zz"] = json!("x");
    for name in whole.as_object().unwrap().keys() {
        for other in [None, Some(Value::Null), Some(json!({"a": 7}))] {
            let mut object = whole.clone();
            object.as_object_mut().unwrap().remove(name);
            object.as_object_mut().unwrap().extend(other.map(|other| (name.clone(), other)));
            bent.push(object);
        }
    }
    bent
}

fn every_form() -> Vec<Value> {
    let moments = MOMENTS.iter().map(|(text, _)| *text);
    let days = DAYS.iter().map(|(text, _)| *text);
    let lengths = LENGTHS.iter().map(|(text, _)| *text);
    let texts = TEXTS.into_iter().chain(moments).chain(days).chain(lengths);
    let folded = [
        " 7 ",
        "+7",
        "7.0",
        "07x",
        "TRUE",
        "[\"x\", \"y\"]",
        "[7]",
        "[7",
        "x, y",
        "x,,y",
        "{\"a\":\"x\"}",
        "{",
        "text/csv",
        "AP8K",
        "a*",
        "false",
        "x/x",
        "/x",
        "x/",
        "../x",
        "a\nb/x",
        "https://forge.example/x",
        UNIFIED,
    ];
    let mut values: Vec<Value> = texts.chain(folded).map(Value::from).collect();
    values.extend([
        Value::Null,
        json!(true),
        json!(false),
        json!(7),
        json!(0),
        json!(-1),
        json!(7.5),
        json!(7.0),
        json!(1e300),
        json!(u64::MAX),
        json!([]),
        json!(["x"]),
        json!(["7"]),
        json!([7]),
        json!([7.5]),
        json!([""]),
        json!(["a,b"]),
        json!([null]),
        json!([true]),
        json!([["x"]]),
        json!([{}]),
        json!([{"zz": "x"}]),
        json!({}),
        json!({"a": "x"}),
        json!({"a": 7}),
        json!({"a": {"b": "x"}}),
    ]);
    values
}
