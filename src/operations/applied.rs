//! What was asked of a write, and its answer shows was not done: Forgejo passes over some of it and answers success.
//!
//! Which arguments are compared, with which field of the answer and how, stands in the table ([`Applied`]). Nothing is said
//! of what the answer does not tell, nor of what the caller did not give.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::arguments::{decoded_text, length_of_time};
use super::descriptor::{Applied, Compare};
use super::mask::MASKED;
use super::never::is_never;

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The word of an object's keys that says the same as an absent one.
const NOTHING: &str = "none";

/// What stands for an object, in the order in which it is looked for.
const NAMES: [&str; 4] = ["login", "name", "title", "id"];

/// Where an answer tells what the caller may do with the repository.
const PERMISSIONS: [&str; 3] = ["permissions", "repository.permissions", "base.repo.permissions"];

/// Why something is passed over.
const MAY_NOT_WRITE: &str = "this account may not write to the repository";
const NO_SUCH_ID: &str = "there is no such id here";
const EXCLUSIVE: &str =
    "some are exclusive labels of one scope, as kind/bug and kind/feature, of which one is kept";

/// An argument that the caller gave and the answer will tell of, with its value: names are ids already.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) applied: &'static Applied,
    pub(super) value: Value,
    /// Whether each id in it was looked up by a name, so that it is known to be there.
    pub(super) is_named: bool,
}

/// What a write would make of what is there.
#[derive(Debug)]
pub(super) enum Change {
    /// Nothing: it is so already.
    None,
    /// This of that.
    Of { from: Value, to: Value },
    /// Nothing: it says what it expects to be there, and that is so.
    Expected,
    /// It expects what is not there, so that the forge would refuse it.
    Stale { given: Value, there: Value },
    /// What is there is not told.
    Unknown,
}

/// What a write would make of what a read found; `total` is how many rows there are where that is a page.
pub(super) fn change(asked: &Asked, present: &Value, total: Option<u64>) -> Change {
    let Asked { applied: Applied { path, by, .. }, value, .. } = asked;
    let is_page =
        |has: &Value| has.as_array().is_some_and(|rows| total.is_some_and(|total| total > rows.len() as u64));
    let Some(has) = find(present, path).filter(|has| *has != MASKED && !is_page(has)) else {
        return Change::Unknown;
    };
    if *by == Compare::Encoded && decoded_text(has).is_none() {
        return Change::Unknown;
    }
    let to = value.clone();
    match (by, difference(*by, value, has)) {
        // What replaces a list takes away what it does not name.
        (Compare::Among, None) if !is_all(value, has) => Change::Of { from: standing(has), to },
        (Compare::Expected, None) => Change::Expected,
        (Compare::Expected, Some(there)) => Change::Stale { given: to, there },
        (_, None) => Change::None,
        // What is added leaves the others.
        (Compare::Rows, Some(_)) => {
            let rows = words(has, Some("id"));
            let is_new = |id: &&Value| text(id).is_some_and(|id| !rows.contains(&id));
            let there = with_id(has);
            let new = value.as_array().into_iter().flatten().filter(is_new);
            let to = there.as_array().into_iter().flatten().chain(new).cloned().collect();
            Change::Of { from: there, to: Value::Array(to) }
        }
        (Compare::Id | Compare::Ids, Some(_)) => Change::Of { from: with_id(has), to },
        (Compare::Fields | Compare::Keys, Some(from)) => {
            let differs = |(name, _): &(&String, &Value)| from.get(name).is_some();
            let to = value.as_object().into_iter().flatten().filter(differs);
            let to = to.map(|(name, value)| (name.clone(), value.clone())).collect();
            Change::Of { from, to: Value::Object(to) }
        }
        (_, Some(from)) => Change::Of { from, to },
    }
}

/// Whether each word that is there is asked for.
fn is_all(asked: &Value, has: &Value) -> bool {
    let there = words(has, None);
    let asked = words(asked, None);
    there.iter().all(|word| asked.iter().any(|asked| is_among(asked, std::slice::from_ref(word))))
}

/// Objects by id and name, since what is asked for is an id.
fn with_id(has: &Value) -> Value {
    match has {
        Value::Array(items) => items.iter().map(with_id).collect(),
        Value::Object(fields) => {
            let named = |name: &&str| fields.contains_key(*name);
            let kept = ["id"].into_iter().chain(NAMES.into_iter().find(named));
            let kept = kept.filter_map(|name| Some((name.to_owned(), fields.get(name)?.clone())));
            Value::Object(kept.collect())
        }
        other => other.clone(),
    }
}

/// `{not_applied, note}` where there is something to tell, else nothing: each argument with what the forge has instead
/// (`null` is none), and the likely reason.
pub(super) fn told(asked: &[Asked], answer: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    let mut passed_over = Vec::new();
    for asked in asked {
        let Asked { applied, value, .. } = asked;
        let Some(has) = find(answer, applied.path) else { continue };
        let Some(instead) = difference(applied.by, value, has) else { continue };
        found.insert(applied.name.to_owned(), instead);
        passed_over.push(asked);
    }
    if found.is_empty() {
        return found;
    }
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let likely = likely(&passed_over, answer);
    let note = format!("the forge answered success but did not apply {}: {likely}", names.join(", "));
    Map::from_iter([("not_applied".to_owned(), Value::Object(found)), ("note".to_owned(), note.into())])
}

/// Puts what is [told] beside an answer; the note behind one that is there.
pub(super) fn put(answer: &mut Value, mut told: Map<String, Value>) {
    let Value::Object(fields) = answer else { return };
    let note = told.remove("note");
    fields.extend(told);
    if let Some(Value::String(note)) = note {
        super::note_beside(fields, note);
    }
}

/// Why: labels, milestones, assignees and dates are taken from those alone who may write to the repository, unknown ids are
/// passed over, and of labels that exclude each other one is kept. An id that was looked up by its name is not unknown.
fn likely(passed_over: &[&Asked], answer: &Value) -> String {
    use Compare::{Cleared, Day, Id, Ids, Login, Logins, Rows};
    let is = |any: &[Compare]| passed_over.iter().any(|asked| any.contains(&asked.applied.by));
    let is_id = |asked: &&&Asked| [Id, Ids, Rows].contains(&asked.applied.by);
    let are_several = |asked: &&Asked| asked.value.as_array().is_some_and(|ids| ids.len() > 1);
    let may_write = PERMISSIONS.iter().find_map(|path| find(answer, path)?.get("push")?.as_bool());
    let reasons = [
        (may_write != Some(true) && is(&[Id, Ids, Login, Logins, Day, Cleared])).then_some(MAY_NOT_WRITE),
        passed_over
            .iter()
            .filter(is_id)
            .any(|asked| !asked.is_named && names_some(&asked.value))
            .then_some(NO_SUCH_ID),
        passed_over
            .iter()
            .any(|asked| [Ids, Rows].contains(&asked.applied.by) && are_several(asked))
            .then_some(EXCLUSIVE),
    ];
    let reasons: Vec<&str> = reasons.into_iter().flatten().collect();
    match reasons.as_slice() {
        [] => "it gave no reason".to_owned(),
        reasons => format!("most likely {}", reasons.join(", or ")),
    }
}

/// Whether ids are named at all: 0 and an empty list name none.
fn names_some(value: &Value) -> bool {
    *value != 0 && value.as_array().is_none_or(|ids| !ids.is_empty())
}

/// What stands at a dotted path; the empty one is the value itself.
fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').filter(|name| !name.is_empty()).try_fold(value, |at, name| at.get(name))
}

/// What the forge has in place of what was asked; nothing where it has that, or where the two cannot be compared.
fn difference(by: Compare, asked: &Value, has: &Value) -> Option<Value> {
    let is_same = match by {
        _ if has == MASKED => true,
        Compare::Same | Compare::Expected => is_same(asked, has),
        Compare::Color | Compare::Length => is_same(asked, has) || is_rewritten(by, asked, has),
        Compare::Word => is_none(asked) && is_none(has) || has_word(asked, has),
        Compare::Day => match (asked.as_str(), has.as_str().filter(|text| !is_never(text))) {
            (Some(asked), Some(has)) => is_same_day(asked, has),
            (asked, has) => asked.is_none() && has.is_none(),
        },
        Compare::Cleared => *asked != true || is_none(has) || has.as_str().is_some_and(is_never),
        Compare::Set => words(asked, None) == words(has, None),
        // Of a list that asks for nothing the forge makes its own default.
        Compare::Among => {
            let (asked, there) = (words(asked, None), words(has, None));
            (there.is_empty() || !asked.is_empty()) && asked.iter().all(|word| is_among(word, &there))
        }
        Compare::Fields => return fields(asked, has, None),
        Compare::Keys => return fields(asked, has, Some(&Value::Null)),
        Compare::Encoded => return decoded_text(has).map(Value::from).filter(|text| text != asked),
        Compare::Id => has.get("id").and_then(Value::as_i64).unwrap_or(0) == asked.as_i64().unwrap_or(0),
        Compare::Ids => words(asked, None) == words(has, Some("id")),
        Compare::Login => {
            let login = has.get("login").and_then(Value::as_str).unwrap_or_default();
            asked.as_str().unwrap_or_default().eq_ignore_ascii_case(login)
        }
        Compare::Logins => words(asked, None) == words(has, Some("login")),
        // Of a list that is read: `held` looks at its rows.
        Compare::Held | Compare::HeldAll => true,
        Compare::Gone => return still_there(asked, has),
        Compare::Rows => {
            let rows = words(has, Some("id"));
            words(asked, None).iter().all(|id| rows.contains(id))
        }
    };
    (!is_same).then(|| standing(has))
}

/// Those rows that are there all the same.
fn still_there(asked: &Value, has: &Value) -> Option<Value> {
    let asked = words(asked, None);
    let is_asked = |row: &&Value| row.get("id").and_then(text).is_some_and(|id| asked.contains(&id));
    let there: Vec<Value> = has.as_array()?.iter().filter(is_asked).map(standing).collect();
    (!there.is_empty()).then_some(Value::Array(there))
}

/// A text, number or boolean that is the same: the forge ends some texts with a line break, and what a map holds is text.
fn is_same(asked: &Value, has: &Value) -> bool {
    let (Some(a), Some(b)) = (text(asked), text(has)) else { return asked == has };
    let is_ended = |short: &str, long: &str| long.strip_suffix('\n') == Some(short);
    a == b || is_ended(&a, &b) || is_ended(&b, &a)
}

/// A text that is the same in the form that the forge gives it: `8h` is `8h0m0s` there, and `#00ff00` is `00ff00`.
fn is_rewritten(by: Compare, asked: &Value, has: &Value) -> bool {
    let (Some(a), Some(b)) = (text(asked), text(has)) else { return false };
    match by {
        Compare::Color => color(&a).is_some_and(|asked| color(&b) == Some(asked)),
        _ => is_same_length_of_time(&a, &b),
    }
}

/// The text of a value that holds no others; the empty one for none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn is_same_length_of_time(asked: &str, has: &str) -> bool {
    has.ends_with(|c: char| c.is_ascii_alphabetic())
        && length_of_time(has).is_some_and(|seconds| length_of_time(asked) == Some(seconds))
}

/// The six digits of a color, of which `#f00` writes each that is doubled once.
fn color(text: &str) -> Option<String> {
    let digits = text.strip_prefix('#').unwrap_or(text).to_ascii_lowercase();
    let is_color = matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let twice = |digit| [digit, digit];
    is_color.then(|| if digits.len() == 3 { digits.chars().flat_map(twice).collect() } else { digits })
}

fn has_word(asked: &Value, has: &Value) -> bool {
    matches!((asked.as_str(), has.as_str()), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
}

/// Whether two moments are of one day, where the asked one was meant or where the forge is: it moves some to a day's end.
fn is_same_day(asked: &str, has: &str) -> bool {
    let Some((there, of_there)) = moment(has) else { return asked == has };
    match moment(asked) {
        Some((here, of_here)) => {
            let day = (here + of_here).div_euclid(DAY);
            [of_here, of_there].iter().any(|offset| (there + offset).div_euclid(DAY) == day)
        }
        None => has.starts_with(asked),
    }
}

/// A moment and the offset of its place, in seconds.
fn moment(text: &str) -> Option<(i64, i64)> {
    let moment = text.parse::<Timestamp>().ok()?.as_second();
    let clock = format!("{}Z", text.get(..19)?).parse::<Timestamp>().ok()?;
    Some((moment, clock.as_second() - moment))
}

/// The words or numbers of a list, or a field of its objects, each once; a value that is no list is one of none.
fn words(list: &Value, field: Option<&str>) -> Vec<String> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let items = items.iter().filter_map(|item| match field {
        Some(field) => item.get(field),
        None => Some(item),
    });
    let mut words: Vec<String> = items.filter_map(text).map(|word| word.to_lowercase()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a word is there: of a hook's events `issues_only` is shown as `issues`, `pull_request_review` as what may come of
/// a review.
fn is_among(word: &str, there: &[String]) -> bool {
    let short = word.strip_suffix("_only").unwrap_or(word);
    there
        .iter()
        .any(|known| known.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('_')))
}

/// The fields of an object that differ from those asked for. A field that it lacks is `absent`, which is what `none` asks for;
/// without that, nothing is said of it.
fn fields(asked: &Value, has: &Value, absent: Option<&Value>) -> Option<Value> {
    let (asked, has) = (asked.as_object()?, has.as_object()?);
    let mut found = Map::new();
    for (name, value) in asked {
        let absent = absent.filter(|_| value != NOTHING);
        let Some(there) = has.get(name).or(absent) else { continue };
        let by = match value {
            Value::Object(_) => Compare::Fields,
            Value::Array(_) => Compare::Set,
            _ => Compare::Same,
        };
        if let Some(instead) = difference(by, value, there) {
            found.insert(name.clone(), instead);
        }
    }
    (!found.is_empty()).then_some(Value::Object(found))
}

fn is_none(value: &Value) -> bool {
    super::projection::is_empty(value)
}

/// A value in few words: an object is its login, name, title or id, and what says nothing is `null`.
fn standing(has: &Value) -> Value {
    match has {
        Value::String(text) if is_never(text) => Value::Null,
        Value::Array(items) if !items.is_empty() => items.iter().map(standing).collect(),
        Value::Object(fields) => NAMES.iter().find_map(|name| fields.get(*name)).unwrap_or(has).clone(),
        Value::Array(_) => Value::Null,
        other => other.clone(),
    }
}
