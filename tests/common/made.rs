//! Operations made for the tests, in the forms that the generator writes.

use forgehand::operations::descriptor::{
    Answer, Codec, Field, Kind, Lines, List, Mask, Merge, Operation, Paging, Parameter, Place, Shape,
};
use forgehand_client::{Body, BuildError, Call, Content, Parameters, Raw, segment, slashed};
use http::{HeaderValue, Method, header};
use serde_json::Value;

/// A parameter with that name on the wire and nothing else.
pub const fn parameter(name: &'static str, place: Place, kind: Kind) -> Parameter {
    Parameter {
        name,
        aliases: &[],
        place,
        wire: name,
        kind,
        required: false,
        default: None,
        default_from: None,
        demands: None,
        demands_at: None,
        excludes: None,
        when_false: None,
        or: None,
        empty: false,
        codec: Codec::Plain,
        secret: None,
    }
}

/// The same, demanded.
/// A field that is written as it is.
pub const fn field(name: &'static str, kind: Kind, required: bool) -> Field {
    Field { name, wire: name, kind, required, or: None, codec: Codec::Plain }
}

pub const fn required(mut parameter: Parameter) -> Parameter {
    parameter.required = true;
    parameter
}

/// A whole number without bounds.
pub const ANY_INTEGER: Kind = Kind::Integer { min: i64::MIN, max: i64::MAX };
/// A page number or a count from 1.
pub const POSITIVE: Kind = Kind::Integer { min: 1, max: i64::MAX };

pub const OWNER: Parameter = required(parameter("owner", Place::Path, Kind::Text));
pub const REPO: Parameter = required(parameter("repo", Place::Path, Kind::Text));
pub const INDEX: Parameter = required(parameter("index", Place::Path, POSITIVE));
pub const PAGE: Parameter = parameter("page", Place::Query, POSITIVE);
pub const LIMIT: Parameter = parameter("limit", Place::Query, POSITIVE);

/// A shape of these fields, each as it is.
#[macro_export]
macro_rules! view {
    ($($name:literal $(: $shape:expr)?),* $(,)?) => {
        forgehand::operations::descriptor::Shape::Fields(&[$(
            forgehand::operations::descriptor::Shown { name: $name, shape: $crate::view!(@ $($shape)?) }
        ),*])
    };
    (@) => { &forgehand::operations::descriptor::Shape::Whole };
    (@ $shape:expr) => { $shape };
}

/// What the made operations have in common.
pub const BARE: Operation =
    Operation { toolset: "made", statuses: &[(405, "not allowed in its present state")], ..Operation::BARE };

/// A static operation: name, effect, method, path, parameters, answer, and other fields in braces.
#[macro_export]
macro_rules! operation {
    ($name:ident, $effect:ident, $method:literal, $path:literal, [$($parameter:expr),* $(,)?], $answer:expr $(, { $($field:ident: $value:expr),* $(,)? })?) => {
        /// An operation made for the tests.
        pub static $name: forgehand::operations::Operation = forgehand::operations::Operation {
            name: stringify!($name),
            effect: forgehand::operations::Effect::$effect,
            calls: &[forgehand::operations::descriptor::ApiCall {
                operation: stringify!($name), method: $method, path: $path, scopes: &[],
            }],
            parameters: &[$($parameter),*],
            answer: $answer,
            run: forgehand::operations::descriptor::Run::Call(|parameters| {
                $crate::common::made::build(stringify!($name), $method, $path, parameters)
            }),
            $($($field: $value,)*)?
            ..$crate::common::made::BARE
        };
    };
}

/// Builds a call as the typed client does: encoded path, query in order, JSON body.
pub fn build(
    operation: &'static str,
    method: &str,
    path: &str,
    parameters: Parameters,
) -> Result<Call<Raw>, BuildError> {
    let mut target = path.to_owned();
    for (name, value) in &parameters.path {
        let encode = if name == "filepath" { slashed } else { segment };
        target = target.replace(&format!("{{{name}}}"), &encode(name, &text(value))?);
    }
    for (at, (name, value)) in parameters.query.iter().flat_map(pairs).enumerate() {
        target.push(if at == 0 { '?' } else { '&' });
        let value = if value.is_empty() { value } else { segment(&name, &value)? };
        target.push_str(&format!("{name}={value}"));
    }
    let mut call = Call::new(operation, Method::from_bytes(method.as_bytes()).unwrap(), target);
    if let Some(body) = parameters.body {
        call.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        call.body = Body::Bytes(serde_json::to_vec(&body).unwrap().into());
    }
    if let Some(file) = parameters.file {
        call.headers.insert("x-file-name", HeaderValue::from_str(&file.file_name).unwrap());
        let Content::Bytes(bytes) = file.content else { panic!("no file of this machine") };
        call.body = Body::Bytes(bytes);
    }
    Ok(call)
}

fn pairs((name, value): (&String, &Value)) -> Vec<(String, String)> {
    match value {
        Value::Array(items) => items.iter().map(|item| (name.clone(), text(item))).collect(),
        value => vec![(name.clone(), text(value))],
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A user stands as its login.
pub static LOGIN: Shape = Shape::Inline("login", &Shape::Whole);
/// A label stands as its name.
pub static LABEL: Shape = Shape::Inline("name", &Shape::Whole);
/// A milestone shows two fields.
pub static MILESTONE: Shape = view!("title", "due_on": &Shape::Moment);
/// An issue.
pub static ISSUE: Shape = view!("number", "title", "body", "state", "user": &LOGIN, "labels": &LABEL, "assignees": &LOGIN, "milestone": &MILESTONE);
/// An issue in a list.
pub static ISSUE_ROW: Shape = view!("number", "title", "user": &LOGIN);

/// What checks say.
pub static STATUS: Shape = view!("state", "statuses");

/// A list that the forge pages.
pub const fn paged(items: Option<&'static str>, total: Option<&'static str>) -> Answer {
    Answer::List(List { row: &ISSUE_ROW, items, total, or_one: false, paging: Paging::Forge })
}

operation!(
    GET_ISSUE,
    Read,
    "GET",
    "/repos/{owner}/{repo}/issues/{index}",
    [OWNER, REPO, INDEX],
    Answer::Item(&ISSUE)
);
operation!(
    LIST_ISSUES,
    Read,
    "GET",
    "/repos/{owner}/{repo}/issues",
    [
        OWNER,
        REPO,
        parameter("state", Place::Query, Kind::Enum(&["open", "closed", "all"])),
        Parameter { codec: Codec::Comma, ..parameter("labels", Place::Query, Kind::List(&Kind::Text)) },
        parameter("since", Place::Query, Kind::DateTime),
        PAGE,
        LIMIT,
    ],
    paged(None, None)
);
operation!(
    LIST_RUNS,
    Read,
    "GET",
    "/repos/{owner}/{repo}/actions/runs",
    [OWNER, REPO, PAGE, LIMIT],
    paged(Some("workflow_runs"), Some("total_count"))
);
operation!(
    LIST_COMMENTS,
    Read,
    "GET",
    "/repos/{owner}/{repo}/issues/{index}/comments",
    [
        OWNER,
        REPO,
        INDEX,
        parameter("page", Place::Local, POSITIVE),
        parameter("limit", Place::Local, POSITIVE)
    ],
    Answer::List(List { row: &ISSUE_ROW, items: None, total: None, or_one: false, paging: Paging::Here })
);
operation!(
    LIST_CONTENTS,
    Read,
    "GET",
    "/repos/{owner}/{repo}/contents",
    [OWNER, REPO],
    Answer::List(List { row: &ISSUE_ROW, items: None, total: None, or_one: true, paging: Paging::Here })
);
operation!(
    ADD_LABELS,
    Set,
    "POST",
    "/repos/{owner}/{repo}/issues/{index}/labels",
    [OWNER, REPO, INDEX],
    Answer::List(List { row: &ISSUE_ROW, items: None, total: None, or_one: false, paging: Paging::Here })
);
operation!(
    GET_STATUS,
    Read,
    "GET",
    "/repos/{owner}/{repo}/status?page=1&limit=4",
    [OWNER, REPO],
    Answer::Item(&STATUS)
);
operation!(
    CREATE_ISSUE,
    Add,
    "POST",
    "/repos/{owner}/{repo}/issues",
    [
        OWNER,
        REPO,
        required(parameter("title", Place::Body, Kind::Text)),
        parameter("body", Place::Body, Kind::Text),
        parameter("draft", Place::Body, Kind::Boolean),
        parameter("milestone", Place::Body, ANY_INTEGER),
        parameter("labels", Place::Body, Kind::List(&ANY_INTEGER)),
        parameter("assignees", Place::Body, Kind::List(&Kind::Text)),
        parameter("due_date", Place::Body, Kind::DateTime),
        parameter("day", Place::Body, Kind::Date),
        parameter("inputs", Place::Body, Kind::TextMap),
        parameter("anything", Place::Body, Kind::Json),
        Parameter { wire: "config.url", ..parameter("hook_url", Place::Body, Kind::Text) },
        parameter(
            "author",
            Place::Body,
            Kind::Object(&[field("name", Kind::Text, true), field("age", ANY_INTEGER, false),])
        ),
    ],
    Answer::Item(&ISSUE)
);
operation!(
    UPDATE_FILE,
    Change,
    "PUT",
    "/repos/{owner}/{repo}/contents/{filepath}",
    [
        OWNER,
        REPO,
        Parameter {
            wire: "filepath",
            aliases: &["filePath"],
            ..required(parameter("path", Place::Path, Kind::Text))
        },
        Parameter {
            codec: Codec::Base64,
            or: Some("content_base64"),
            ..required(parameter("content", Place::Body, Kind::Text))
        },
        Parameter {
            wire: "content",
            codec: Codec::CheckedBase64,
            ..parameter("content_base64", Place::Body, Kind::Text)
        },
        Parameter { default: Some("\"main\""), ..parameter("branch", Place::Body, Kind::Text) },
    ],
    Answer::Done { word: "done", instead: &[], note: None }
);
operation!(
    ADD_DEPENDENCY,
    Set,
    "POST",
    "/repos/{owner}/{repo}/issues/{index}/dependencies",
    [
        OWNER,
        REPO,
        INDEX,
        Parameter { wire: "index", ..required(parameter("depends_on_index", Place::Body, POSITIVE)) },
        Parameter {
            wire: "owner",
            default_from: Some("owner"),
            ..parameter("depends_on_owner", Place::Body, Kind::Text)
        },
        Parameter {
            wire: "repo",
            default_from: Some("repo"),
            ..parameter("depends_on_repo", Place::Body, Kind::Text)
        },
    ],
    Answer::Done { word: "done", instead: &[], note: None }
);
operation!(
    DELETE_REPO,
    Destroy,
    "DELETE",
    "/repos/{owner}/{repo}",
    [OWNER, REPO],
    Answer::Done { word: "done", instead: &[], note: None }
);
operation!(
    MERGE,
    Change,
    "POST",
    "/repos/{owner}/{repo}/pulls/{index}/merge",
    [OWNER, REPO, INDEX, Parameter { wire: "Do", ..parameter("style", Place::Body, Kind::Text) }],
    Answer::Done { word: "merged", instead: &[(201, "scheduled")], note: None }
);
operation!(
    GET_COMMIT,
    Read,
    "GET",
    "/repos/{owner}/{repo}/git/commits/{sha}",
    [OWNER, REPO, required(parameter("sha", Place::Path, Kind::Text))],
    Answer::Item(&Shape::Whole)
);
operation!(
    GET_DIFF,
    Read,
    "GET",
    "/repos/{owner}/{repo}/pulls/{index}.diff",
    [OWNER, REPO, INDEX],
    Answer::Text
);
operation!(GET_ARCHIVE, Read, "GET", "/repos/{owner}/{repo}/archive/main.zip", [OWNER, REPO], Answer::Bytes);
operation!(
    IS_MEMBER,
    Read,
    "GET",
    "/orgs/{org}/members/{username}",
    [
        required(parameter("org", Place::Path, Kind::Text)),
        required(parameter("username", Place::Path, Kind::Text))
    ],
    Answer::YesNo { word: "is_member", yes: &[204], no: &[404] }
);
operation!(
    UPLOAD,
    Add,
    "POST",
    "/repos/{owner}/{repo}/issues/{index}/assets",
    [
        OWNER,
        REPO,
        INDEX,
        parameter("name", Place::Query, Kind::Text),
        Parameter {
            codec: Codec::FromBase64,
            wire: "attachment",
            ..required(parameter("content_base64", Place::File, Kind::Text))
        },
    ],
    Answer::Item(&Shape::Whole)
);

/// What a hook hides: a header, and a key of its configuration.
pub static HOOK_MASK: Mask = Mask::Fields(&[
    ("authorization_header", &Mask::All),
    ("config", &Mask::Fields(&[("secret", &Mask::All)])),
]);
/// The same for whatever holds a hook or a list of them.
static HOLDER_MASK: Mask = Mask::Fields(&[("hook", &HOOK_MASK), ("*", &HOOK_MASK)]);
/// A hook.
pub static HOOK: Shape = view!("id", "active", "authorization_header", "config");
/// Whatever holds a hook.
static HOLDER: Shape = view!("name", "hook": &HOOK);

const ID: Parameter = required(parameter("id", Place::Path, POSITIVE));

operation!(GET_HOOK, Read, "GET", "/hooks/{id}", [ID], Answer::Item(&HOOK), { mask: Some(&HOOK_MASK) });
operation!(SHOW_HOOK, Read, "GET", "/hooks/{id}", [ID], Answer::Item(&HOOK));
operation!(GET_WHOLE_HOOK, Read, "GET", "/hooks/{id}", [ID], Answer::Item(&Shape::Whole), { mask: Some(&HOOK_MASK) });
operation!(GET_HOLDER, Read, "GET", "/holder", [], Answer::Item(&HOLDER), { mask: Some(&HOLDER_MASK) });
operation!(GET_WHOLE_HOLDER, Read, "GET", "/holder", [], Answer::Item(&Shape::Whole), { mask: Some(&HOLDER_MASK) });
operation!(
    LIST_HOOKS,
    Read,
    "GET",
    "/hooks",
    [PAGE, LIMIT],
    Answer::List(List { row: &HOOK, items: Some("data"), total: None, or_one: false, paging: Paging::Forge }),
    { mask: Some(&HOLDER_MASK) }
);
operation!(TEST_HOOK, Add, "POST", "/hooks/{id}/tests", [ID], Answer::Done { word: "done", instead: &[], note: None }, {
    mask: Some(&HOOK_MASK)
});
operation!(
    EDIT_HOOK,
    Change,
    "PATCH",
    "/hooks/{id}",
    [
        ID,
        parameter("active", Place::Body, Kind::Boolean),
        parameter("events", Place::Body, Kind::List(&Kind::Text)),
        parameter("authorization_header", Place::Body, Kind::Text),
        Parameter { wire: "config.url", ..parameter("url", Place::Body, Kind::Text) },
        Parameter {
            wire: "config.count",
            codec: Codec::AsText,
            ..parameter("count", Place::Body, ANY_INTEGER)
        },
        parameter("config", Place::Body, Kind::TextMap),
    ],
    Answer::Item(&HOOK),
    {
        confirm_when: &["active"],
        mask: Some(&HOOK_MASK),
        merge: Some(Merge {
            always: false,
            from: &GET_HOOK,
            fields: &[
                ("events", "events"),
                ("authorization_header", "authorization_header"),
                ("config.secret", "config.secret"),
                ("branch_filter", "filter.branch"),
            ],
            words: &[("issues", "issues_only")],
        }),
    }
);
operation!(
    EDIT_HOOK_SECRETLY,
    Change,
    "PATCH",
    "/hooks/{id}",
    [
        parameter("id", Place::Path, ANY_INTEGER),
        Parameter { secret: Some(&Mask::All), ..parameter("authorization_header", Place::Body, Kind::Text) },
    ],
    Answer::Item(&HOOK)
);
operation!(
    ADD_TIME,
    Add,
    "POST",
    "/times",
    [
        Parameter {
            wire: "time",
            codec: Codec::Duration,
            or: Some("seconds"),
            ..required(parameter("duration", Place::Body, Kind::Text))
        },
        Parameter { wire: "time", ..parameter("seconds", Place::Body, POSITIVE) },
    ],
    Answer::Item(&Shape::Whole)
);

const START: Parameter = parameter("start_line", Place::Local, POSITIVE);
const END: Parameter = parameter("end_line", Place::Local, POSITIVE);
/// A wiki page, whose text comes as base64.
static WIKI_PAGE: Shape = view!("title", "content_base64": &Shape::Decoded("content"));

operation!(GET_FILE, Read, "GET", "/file", [START, END], Answer::Text, { lines: Some(Lines::Text) });
operation!(GET_PAGE, Read, "GET", "/page", [START, END], Answer::Item(&WIKI_PAGE), {
    lines: Some(Lines::Field("content"))
});
