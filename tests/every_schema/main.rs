//! The arguments of every tool against the schema by which clients know them: what it allows reaches the wire as itself, what
//! it forbids is refused by name before anything is sent, and where the two differ there is a rule with a name (`rules`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "tests may fail"
)]

#[path = "../common/mod.rs"]
mod common;
mod listed;
#[path = "../support/replayed.rs"]
#[allow(dead_code, reason = "another test of it uses more")]
mod replayed;
mod rules;
mod values;
mod wire;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::scripted::{Request, Scripted};
use common::{forge, limits};
use forgehand::forge::Forge;
use forgehand::operations::descriptor::{Codec, Kind, Operation, Parameter, Place, Run};
use forgehand::operations::{Code, OperationError, run};
use listed::{Listed, plain, validator};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use rules::{DIGITS, REFUSED, TAKEN, TOGETHER};
use serde_json::{Map, Value, json};

/// Random objects of arguments for each tool.
const CASES: u32 = 4;

/// A forge that everything can be asked of, and what it was asked.
struct Bench {
    runtime: tokio::runtime::Runtime,
    scripted: Scripted,
    forge: Forge,
    /// Whether each owner is an organization.
    is_org: Arc<AtomicBool>,
}

impl Bench {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let is_org = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_org);
        let answer = move |request: &Request| wire::answer(request, told.load(Ordering::Relaxed));
        let scripted = runtime.block_on(Scripted::by(answer));
        let forge = forge(&scripted);
        Self { runtime, scripted, forge, is_org }
    }

    fn call(
        &self,
        tool: &'static Operation,
        given: &Map<String, Value>,
    ) -> (Option<OperationError>, Vec<Request>) {
        self.is_org.store(!wire::has_second_list(tool), Ordering::Relaxed);
        let outcome = self.runtime.block_on(run(&self.forge, tool, given.clone(), &limits()));
        (outcome.err(), self.scripted.take_requests())
    }

    /// Why these arguments did not reach the wire as they are meant.
    fn unlike(&self, listed: &Listed, given: &Map<String, Value>) -> Result<(), String> {
        if listed.tool.calls.is_empty() {
            return Ok(());
        }
        // An error after the request is one of the answer.
        let (error, requests) = self.call(listed.tool, given);
        let Some(said) = wire::said(listed.tool, &requests) else {
            return Err(format!("{} {}: nothing was sent: {error:?}", listed.tool.name, json!(given)));
        };
        // What is made of several calls decides by itself what each says.
        if matches!(listed.tool.run, Run::Composed(_)) {
            return Ok(());
        }
        let expected = wire::expected(listed.tool, &listed.meant(given));
        if said == expected {
            return Ok(());
        }
        Err(format!("{} {}:\n  sent     {said:?}\n  expected {expected:?}", listed.tool.name, json!(given)))
    }

    /// Why these arguments were not refused as they should be: by a name, before anything is sent but look-ups of names.
    fn unrefused(
        &self,
        tool: &'static Operation,
        given: &Map<String, Value>,
        name: &str,
    ) -> Result<(), String> {
        let (error, requests) = self.call(tool, given);
        let lines: Vec<String> = requests.iter().map(Request::line).collect();
        let is_lookup = |line: &String| line.starts_with("GET ") && wire::lists(line) && has_names(tool);
        if !lines.iter().all(is_lookup) {
            return Err(format!("{} {}: {lines:?} was sent", tool.name, json!(given)));
        }
        match error {
            Some(error) if error.code == Code::InvalidArguments && names(&error, name) => Ok(()),
            other => Err(format!("{} {}: {name} is not named in {other:?}", tool.name, json!(given))),
        }
    }
}

fn has_names(tool: &Operation) -> bool {
    tool.parameters.iter().any(|p| wire::names_of(&p.kind).is_some())
}

fn names(error: &OperationError, name: &str) -> bool {
    let said = [Some(&error.message), error.hint.as_ref()];
    let has = |text: &&String| {
        ["`", "[", "."].iter().any(|end| text.contains(&format!("`{name}{end}")))
            || text.contains(&format!("{name:?}"))
    };
    said.iter().flatten().any(has)
}

#[track_caller]
fn none(faults: &[String]) {
    let shown: Vec<&str> = faults.iter().map(String::as_str).take(40).collect();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), shown.join("\n"));
}

/// Every name of a table of rules was met.
#[track_caller]
fn all_met(rules: &[&'static str], met: &BTreeSet<&'static str>) {
    let idle: Vec<&&str> = rules.iter().filter(|rule| !met.contains(**rule)).collect();
    assert!(idle.is_empty(), "no value meets these any more: {idle:?}");
}

/// Whether a value is taken as an argument: it means something, and no rule is against it.
fn is_taken(tool: &Operation, parameter: &Parameter, value: &Value) -> bool {
    let meaning = rules::meaning(parameter, value).value;
    meaning.is_some_and(|meant| meant.is_null() || rules::refused(tool, parameter, &meant).is_none())
        && !rules::is_reference(parameter, value)
}

/// Values that the schema allows, at its edges and as the parameter's codec reads them.
fn edges(tool: &Operation, parameter: &Parameter, schema: &Value) -> Vec<Value> {
    let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect();
    let edges: Vec<Value> = match parameter.codec {
        Codec::FromBase64 | Codec::CheckedBase64 => texts(&values::BASE64),
        Codec::Sha => texts(&values::SHAS),
        Codec::Duration => texts(&values::LENGTHS.map(|(text, _)| text)),
        _ if wire::names_of(&parameter.kind).is_some_and(|names| names.of.within.is_some()) => {
            values::within(matches!(parameter.kind, Kind::List(_)))
        }
        _ => values::edges(schema),
    };
    edges.into_iter().chain([plain(parameter)]).filter(|value| is_taken(tool, parameter, value)).collect()
}

#[test]
fn what_the_schema_allows_reaches_the_wire_as_itself_and_brings_nothing_else() {
    let (bench, mut faults, mut calls) = (Bench::new(), Vec::new(), 0);
    for (number, listed) in Listed::all().enumerate() {
        let tool = listed.tool;
        let columns: Vec<(&Parameter, Vec<Value>)> =
            listed.properties().map(|(p, schema)| (p, edges(tool, p, schema))).collect();
        let most = columns
            .iter()
            .map(|(p, edges)| if is_enum(p) { edges.len() } else { edges.len().min(6) })
            .max()
            .unwrap_or(1);
        for turn in 0..most {
            // Each argument starts at another edge, so that all meet all in some tool.
            let value = |(at, (parameter, edges)): (usize, &(&Parameter, Vec<Value>))| {
                (parameter.name.to_owned(), edges[(turn + 5 * at + number) % edges.len()].clone())
            };
            let given = listed.completed(columns.iter().enumerate().map(value).collect(), &[]);
            assert!(listed.validator.is_valid(&json!(given)), "{}: {}", tool.name, json!(given));
            faults.extend(bench.unlike(&listed, &given).err());
            calls += 1;
        }
        faults.extend(bench.unlike(&listed, &listed.completed(Map::new(), &[])).err());
        faults.extend(random(&bench, &listed));
    }
    none(&faults);
    assert!(calls > 2500, "only {calls} calls");
}

fn is_enum(parameter: &Parameter) -> bool {
    matches!(parameter.kind, Kind::Enum(_))
}

/// The same cases each time.
fn runner() -> TestRunner {
    let config =
        Config { cases: CASES, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Random arguments, any of them left out; the least that fails is told.
fn random(bench: &Bench, listed: &Listed) -> Option<String> {
    let found = runner().run(&values::object(&listed.schema), |mut given| {
        given.retain(|name, value| {
            let parameter = listed.tool.parameters.iter().find(|p| p.name == name);
            parameter.is_some_and(|parameter| is_taken(listed.tool, parameter, value))
        });
        let given = listed.completed(given, &[]);
        assert!(listed.validator.is_valid(&json!(given)), "{}: {}", listed.tool.name, json!(given));
        bench.unlike(listed, &given).map_err(TestCaseError::fail)
    });
    found.err().map(|error| error.to_string())
}

#[test]
fn what_the_schema_does_not_say_and_is_taken_all_the_same_means_what_a_rule_says() {
    let (bench, mut faults, mut met) = (Bench::new(), Vec::new(), BTreeSet::new());
    for (number, listed) in Listed::all().enumerate() {
        let tool = listed.tool;
        let columns: Vec<(&Parameter, Vec<Value>)> = listed
            .properties()
            .map(|(parameter, schema)| {
                let valid = validator(schema);
                let taken =
                    values::variety(schema).into_iter().filter(|value| is_taken(tool, parameter, value));
                (parameter, taken.filter(|value| !valid.is_valid(value)).collect())
            })
            .collect();
        let most = columns.iter().map(|(_, taken)| taken.len().min(4)).max().unwrap_or(0);
        for turn in 0..most {
            let columns = columns.iter().filter(|(_, taken)| !taken.is_empty()).enumerate();
            let given = columns.map(|(at, (parameter, taken))| {
                let value = taken[(turn + 5 * at + 4 * number) % taken.len()].clone();
                met.extend(rules::meaning(parameter, &value).taken);
                (parameter.name.to_owned(), value)
            });
            let given = listed.completed(given.collect(), &[]);
            faults.extend(bench.unlike(&listed, &given).err());
        }
    }
    none(&faults);
    all_met(&TAKEN, &met);
}

#[test]
fn what_the_schema_forbids_is_refused_by_name_and_sends_nothing() {
    let (bench, mut faults, mut met, mut seen) = (Bench::new(), Vec::new(), BTreeSet::new(), 0);
    for listed in Listed::all() {
        let tool = listed.tool;
        faults.extend(random_refusals(&bench, &listed));
        for (parameter, schema) in listed.properties() {
            let valid = validator(schema);
            for value in &values::variety(schema) {
                let meaning = rules::meaning(parameter, value);
                let rule = meaning.value.as_ref().filter(|meant| !meant.is_null()).unwrap_or(value);
                let rule = rules::refused(tool, parameter, rule);
                let is_allowed = valid.is_valid(value);
                if is_allowed
                    && (meaning.value.is_none() || meaning.taken.iter().any(|taken| *taken != DIGITS))
                    && rule.is_none()
                {
                    faults.push(format!("{} {}: no rule tells of {value}", tool.name, parameter.name));
                }
                if is_taken(tool, parameter, value) || rules::is_reference(parameter, value) {
                    continue;
                }
                met.extend(rule.filter(|_| is_allowed));
                seen += 1;
                let given = Map::from_iter([(parameter.name.to_owned(), value.clone())]);
                let given = listed.completed(given, &[parameter.name]);
                faults.extend(bench.unrefused(tool, &given, parameter.name).err());
            }
        }
    }
    none(&faults);
    all_met(&REFUSED, &met);
    assert!(seen > 50_000, "only {seen} values");
}

/// Any JSON as any of the arguments: refused by name unless it is taken.
fn random_refusals(bench: &Bench, listed: &Listed) -> Option<String> {
    if listed.tool.parameters.is_empty() {
        return None;
    }
    let any = (0..listed.tool.parameters.len(), values::json());
    let found = runner().run(&any, |(at, value)| {
        let parameter = &listed.tool.parameters[at];
        if is_taken(listed.tool, parameter, &value) || rules::is_reference(parameter, &value) {
            return Ok(());
        }
        let given = Map::from_iter([(parameter.name.to_owned(), value)]);
        let given = listed.completed(given, &[parameter.name]);
        bench.unrefused(listed.tool, &given, parameter.name).map_err(TestCaseError::fail)
    });
    found.err().map(|error| error.to_string())
}

/// For each rule of [`TOGETHER`], arguments that break it, and what of them the refusal names.
fn broken(listed: &Listed) -> Vec<(&'static str, Map<String, Value>, Vec<&'static str>)> {
    let tool = listed.tool;
    let given = |parameters: &[&Parameter]| -> Map<String, Value> {
        parameters.iter().map(|p| (p.name.to_owned(), plain(p))).collect()
    };
    let find = |name: &str| tool.parameters.iter().find(|p| p.name == name).unwrap();
    let whole = listed.completed(Map::new(), &[]);
    let without = |place: &[Place]| {
        let mut rest = whole.clone();
        rest.retain(|name, _| {
            !tool.parameters.iter().any(|p| p.name == name && !p.required && place.contains(&p.place))
        });
        rest
    };
    let mut broken = Vec::new();
    for (first, other) in tool.parameters.iter().filter_map(|p| Some((p, find(p.or?)))) {
        let both = [whole.clone(), given(&[first, other])].into_iter().flatten().collect();
        broken.push((TOGETHER[0], both, vec![first.name, other.name]));
        let mut neither = whole.clone();
        neither.retain(|name, _| name != first.name && name != other.name);
        broken.push((TOGETHER[1], neither, vec![first.name, other.name]));
    }
    let bodies: Vec<&str> =
        tool.parameters.iter().filter(|p| p.place == Place::Body).map(|p| p.name).collect();
    broken.push((TOGETHER[2], without(&[Place::Body]), bodies));
    for (parameter, demanded) in tool.parameters.iter().filter_map(|p| Some((p, p.demands?))) {
        let mut more = whole.clone();
        more.remove(demanded);
        more.insert(parameter.name.to_owned(), parameter.demands_at.map_or(json!(true), Value::from));
        broken.push((TOGETHER[3], more, vec![parameter.name, demanded]));
    }
    for (parameter, other) in tool.parameters.iter().filter_map(|p| Some((p, find(p.excludes?)))) {
        let mut both: Map<String, Value> = whole.clone().into_iter().chain(given(&[other])).collect();
        let is_switch = matches!(parameter.kind, Kind::Boolean);
        both.insert(parameter.name.to_owned(), if is_switch { json!(true) } else { plain(parameter) });
        broken.push((TOGETHER[7], both, vec![parameter.name, other.name]));
    }
    for (map, own, key) in rules::keys(tool) {
        let mut both: Map<String, Value> = whole.clone().into_iter().chain(given(&[own])).collect();
        both.insert(map.name.to_owned(), json!({key: "another"}));
        broken.push((TOGETHER[8], both, vec![own.name]));
    }
    let mut lines = whole.clone();
    lines.extend([("start_line".to_owned(), json!(7)), ("end_line".to_owned(), json!(6))]);
    broken.push((TOGETHER[4], lines, vec!["end_line"]));
    let form = [Place::File, Place::Form, Place::FileType];
    for media in tool.parameters.iter().filter(|p| p.place == Place::FileType) {
        let more = [without(&form), given(&[media])].into_iter().flatten().collect();
        broken.push((TOGETHER[5], more, vec![media.name]));
    }
    let parts =
        tool.parameters.iter().filter(|p| matches!(p.place, Place::File | Place::Form)).map(|p| p.name);
    broken.push((TOGETHER[6], without(&form), parts.collect()));
    broken.retain(|(rule, given, _)| {
        listed.validator.is_valid(&json!(given)) && rules::together(tool, given) == Some(*rule)
    });
    broken
}

#[test]
fn arguments_that_cannot_stand_together_are_refused_by_name_and_send_nothing() {
    let (bench, mut faults, mut met) = (Bench::new(), Vec::new(), BTreeSet::new());
    for listed in Listed::all() {
        for (rule, given, all) in broken(&listed) {
            met.insert(rule);
            faults.extend(all.iter().filter_map(|name| bench.unrefused(listed.tool, &given, name).err()));
        }
    }
    none(&faults);
    all_met(&TOGETHER, &met);
}

#[test]
fn an_argument_that_the_schema_has_not_and_one_that_it_demands_are_named_and_nothing_is_sent() {
    let (bench, mut faults) = (Bench::new(), Vec::new());
    for listed in Listed::all() {
        let whole = listed.completed(Map::new(), &[]);
        let mut more = whole.clone();
        more.insert("zz_other".to_owned(), json!("x"));
        assert!(!listed.validator.is_valid(&json!(more)));
        faults.extend(bench.unrefused(listed.tool, &more, "zz_other").err());
        for parameter in listed.tool.parameters.iter().filter(|p| p.required && p.or.is_none()) {
            let mut less = whole.clone();
            less.remove(parameter.name);
            assert!(!listed.validator.is_valid(&json!(less)), "{} {}", listed.tool.name, parameter.name);
            faults.extend(bench.unrefused(listed.tool, &less, parameter.name).err());
        }
    }
    none(&faults);
}

#[test]
fn another_name_of_an_argument_and_what_the_engine_takes_everywhere_change_nothing_on_the_wire() {
    let (bench, mut faults, mut seen) = (Bench::new(), Vec::new(), 0);
    for listed in Listed::all() {
        let of_all = ["confirm", "max_bytes"]
            .map(|name| (name.to_owned(), if name == "confirm" { json!(true) } else { json!(4000) }));
        for parameter in listed.tool.parameters.iter().filter(|p| !p.aliases.is_empty()) {
            let own = Map::from_iter([(parameter.name.to_owned(), plain(parameter))]);
            let mut own = listed.completed(own, &[parameter.name]);
            own.extend(of_all.clone());
            faults.extend(bench.unlike(&listed, &own).err());
            let (_, wanted) = bench.call(listed.tool, &own);
            for alias in parameter.aliases {
                seen += 1;
                let mut other = own.clone();
                let value = other.remove(parameter.name).unwrap();
                other.insert((*alias).to_owned(), value);
                let (error, sent) = bench.call(listed.tool, &other);
                if wire::said(listed.tool, &sent) != wire::said(listed.tool, &wanted) {
                    faults.push(format!("{} {}: {sent:?} {error:?}", listed.tool.name, json!(other)));
                }
            }
        }
    }
    none(&faults);
    assert!(seen > 100, "only {seen} other names");
}
