//! How what was asked is compared with what the answer tells, kind by kind.

use forgehand::operations::descriptor::{Answer as Reads, Applied, Compare, Kind, Parameter, Place, Shape};
use serde_json::{Value, json};

use super::common::made::{ANY_INTEGER, parameter};
use super::common::scripted::{Answer, Scripted};
use super::common::{block_on, call, json as shown};
use crate::operation;

/// An argument compared with the answer's field of that name.
const fn applied(name: &'static str, by: Compare) -> Applied {
    Applied { name, path: name, by }
}

operation!(WRITE, Change, "PATCH", "/thing", [
    parameter("title", Place::Body, Kind::Text),
    parameter("color", Place::Body, Kind::Text),
    parameter("interval", Place::Body, Kind::Text),
    parameter("flag", Place::Body, Kind::Boolean),
    parameter("count", Place::Body, ANY_INTEGER),
    parameter("state", Place::Body, Kind::Enum(&["open", "closed"])),
    parameter("due", Place::Body, Kind::DateTime),
    parameter("topics", Place::Body, Kind::List(&Kind::Text)),
    parameter("inner", Place::Body, Kind::Json),
    parameter("milestone", Place::Body, ANY_INTEGER),
    parameter("labels", Place::Body, Kind::List(&ANY_INTEGER)),
    parameter("owner", Place::Body, Kind::Text),
    parameter("assignees", Place::Body, Kind::List(&Kind::Text)),
    Parameter { wire: "config.url", ..parameter("url", Place::Body, Kind::Text) },
    parameter("units", Place::Body, Kind::Json),
    parameter("events", Place::Body, Kind::List(&Kind::Text)),
    parameter("clear", Place::Body, Kind::Boolean),
    parameter("silent", Place::Body, Kind::Text),
    Parameter { default: Some("\"stood in\""), ..parameter("standing", Place::Body, Kind::Text) },
], Reads::Item(&Shape::Whole), { applied: &[
    applied("title", Compare::Same),
    applied("color", Compare::Color),
    applied("interval", Compare::Length),
    applied("flag", Compare::Same),
    applied("count", Compare::Same),
    applied("state", Compare::Word),
    applied("due", Compare::Day),
    applied("topics", Compare::Set),
    applied("inner", Compare::Fields),
    applied("milestone", Compare::Id),
    applied("labels", Compare::Ids),
    applied("owner", Compare::Login),
    applied("assignees", Compare::Logins),
    Applied { name: "url", path: "config.url", by: Compare::Same },
    applied("units", Compare::Keys),
    applied("events", Compare::Among),
    Applied { name: "clear", path: "due", by: Compare::Cleared },
    applied("standing", Compare::Same),
] });

/// What is told where one thing was asked and the forge has another.
async fn told(asked: &Value, has: &Value) -> Value {
    let forge = Scripted::new([Answer::json(200, &has.to_string())]).await;
    shown(call(&forge, &WRITE, asked.clone()).await)["not_applied"].clone()
}

#[test]
fn what_was_applied_is_not_told_however_the_forge_writes_it() {
    let rows = [
        (json!({"title": "a"}), json!({"title": "a"})),
        (json!({"title": "a note"}), json!({"title": "a note\n"})),
        (json!({"interval": "8h"}), json!({"interval": "8h0m0s"})),
        (json!({"color": "#FF0000"}), json!({"color": "ff0000"})),
        (json!({"title": ""}), json!({"title": null})),
        (json!({"flag": false}), json!({"flag": false})),
        (json!({"flag": true}), json!({"flag": "true"})),
        (json!({"count": 3}), json!({"count": 3})),
        (json!({"state": "closed"}), json!({"state": "CLOSED"})),
        (json!({"due": "2032-03-04T05:06:07Z"}), json!({"due": "2032-03-04T23:59:59Z"})),
        (json!({"due": "2032-03-04T22:00:00-05:00"}), json!({"due": "2032-03-05T04:59:59Z"})),
        (json!({"due": "2032-03-04T05:00:00+10:00"}), json!({"due": "2032-03-04T13:59:59Z"})),
        (json!({"due": "2032-03-04"}), json!({"due": "2032-03-04T00:00:00Z"})),
        (json!({"topics": ["b", "A", "b"]}), json!({"topics": ["a", "b"]})),
        (json!({"topics": []}), json!({"topics": null})),
        (json!({"inner": {"a": 1, "of_nothing": 2}}), json!({"inner": {"a": 1, "b": 2}})),
        (json!({"milestone": 0}), json!({"milestone": null})),
        (json!({"milestone": 5}), json!({"milestone": {"id": 5, "title": "v1"}})),
        (json!({"labels": [2, 1]}), json!({"labels": [{"id": 1}, {"id": 2}]})),
        (json!({"labels": []}), json!({"labels": []})),
        (json!({"color": "#f00"}), json!({"color": "ff0000"})),
        (json!({"color": "AbC"}), json!({"color": "#aabbcc"})),
        (json!({"color": "#ff0000"}), json!({"color": "f00"})),
        (json!({"owner": "Bob"}), json!({"owner": {"login": "bob"}})),
        (json!({"assignees": ["Bob"]}), json!({"assignees": [{"login": "bob"}]})),
        (json!({"assignees": []}), json!({"assignees": null})),
        (json!({"url": "https://x.example"}), json!({"config": {"url": "https://x.example"}})),
        (json!({"units": {"a": "read", "b": "none"}}), json!({"units": {"a": "read", "c": "write"}})),
        (json!({"events": []}), json!({"events": []})),
        (json!({"events": ["push"]}), json!({"events": ["push", "fork"]})),
        (json!({"clear": true}), json!({"due": null})),
        (json!({"clear": true}), json!({"due": "0001-01-01T00:00:00Z"})),
        (json!({"clear": true}), json!({})),
        (json!({"clear": false}), json!({"due": "2032-03-04T23:59:59Z"})),
    ];
    block_on(async {
        for (asked, has) in rows {
            assert_eq!(told(&asked, &has).await, Value::Null, "{asked} {has}");
        }
    });
}

#[test]
fn what_was_not_applied_is_told_with_what_the_forge_has_instead() {
    let rows = [
        (json!({"title": "a"}), json!({"title": "A"}), json!({"title": "A"})),
        (json!({"title": "a\r\nb"}), json!({"title": "a\nb"}), json!({"title": "a\nb"})),
        (json!({"title": ""}), json!({"title": "kept"}), json!({"title": "kept"})),
        (json!({"color": "abc"}), json!({"color": "#abd"}), json!({"color": "#abd"})),
        (json!({"title": "60"}), json!({"title": "61"}), json!({"title": "61"})),
        (json!({"flag": true}), json!({"flag": false}), json!({"flag": false})),
        (json!({"state": "closed"}), json!({"state": "open"}), json!({"state": "open"})),
        (json!({"due": "2032-03-04T05:06:07Z"}), json!({"due": null}), json!({"due": null})),
        (
            json!({"due": "2032-03-04T05:06:07Z"}),
            json!({"due": "0001-01-01T00:00:00Z"}),
            json!({"due": null}),
        ),
        (
            json!({"due": "2032-03-04T00:00:00Z"}),
            json!({"due": "2032-03-03T23:59:59Z"}),
            json!({"due": "2032-03-03T23:59:59Z"}),
        ),
        (json!({"topics": ["a", "b"]}), json!({"topics": ["a"]}), json!({"topics": ["a"]})),
        (json!({"topics": ["a"]}), json!({"topics": []}), json!({"topics": null})),
        (json!({"inner": {"a": 1, "b": 2}}), json!({"inner": {"a": 1, "b": 3}}), json!({"inner": {"b": 3}})),
        (json!({"milestone": 5}), json!({"milestone": null}), json!({"milestone": null})),
        (json!({"milestone": 0}), json!({"milestone": {"id": 5, "title": "v1"}}), json!({"milestone": "v1"})),
        (
            json!({"labels": [1, 2]}),
            json!({"labels": [{"id": 1, "name": "bug"}]}),
            json!({"labels": ["bug"]}),
        ),
        (json!({"owner": "bob"}), json!({"owner": {"login": "eve"}}), json!({"owner": "eve"})),
        (json!({"assignees": ["bob"]}), json!({"assignees": null}), json!({"assignees": null})),
        (json!({"units": {"a": "read"}}), json!({"units": {}}), json!({"units": {"a": null}})),
        (
            json!({"units": {"a": "none", "b": "write"}}),
            json!({"units": {"a": "read", "b": "write"}}),
            json!({"units": {"a": "read"}}),
        ),
        (json!({"events": []}), json!({"events": ["push"]}), json!({"events": ["push"]})),
        (
            json!({"clear": true}),
            json!({"due": "2032-03-04T23:59:59Z"}),
            json!({"clear": "2032-03-04T23:59:59Z"}),
        ),
    ];
    block_on(async {
        for (asked, has, expected) in rows {
            assert_eq!(told(&asked, &has).await, expected, "{asked} {has}");
        }
    });
}

#[test]
fn nothing_is_said_of_what_the_answer_lacks_what_is_masked_or_what_the_caller_did_not_give() {
    let rows = [
        (json!({"title": "a"}), json!({"name": "b"})),
        (json!({"title": "a"}), json!({"title": "***"})),
        (json!({"silent": "a"}), json!({"silent": "b"})),
        (json!({"title": "a"}), json!({"title": "a", "standing": "other"})),
        (json!({"title": null}), json!({"title": "kept"})),
        (json!({"url": "https://x.example"}), json!({"config": null})),
    ];
    block_on(async {
        for (asked, has) in rows {
            assert_eq!(told(&asked, &has).await, Value::Null, "{asked} {has}");
        }
        let asked = json!({"standing": "given"});
        assert_eq!(told(&asked, &json!({"standing": "other"})).await, json!({"standing": "other"}));
    });
}

#[test]
fn the_likely_reason_depends_on_what_was_dropped_and_on_what_the_account_may_do() {
    let may_not = "most likely this account may not write to the repository";
    let either = "most likely this account may not write to the repository, or there is no such id here";
    block_on(async {
        for (asked, has, likely) in [
            (json!({"milestone": 5}), json!({"milestone": null}), either),
            (json!({"milestone": 5}), json!({"milestone": null, "permissions": {"push": false}}), either),
            (
                json!({"milestone": 5}),
                json!({"milestone": null, "base": {"repo": {"permissions": {"push": true}}}}),
                "most likely there is no such id here",
            ),
            (
                json!({"labels": [1, 2]}),
                json!({"labels": [{"id": 1}], "permissions": {"push": true}}),
                "most likely there is no such id here, or some are exclusive labels of one scope, as kind/bug and \
                 kind/feature, of which one is kept",
            ),
            (json!({"assignees": ["bob"]}), json!({"assignees": null}), may_not),
            (json!({"due": "2032-03-04"}), json!({"due": null}), may_not),
            (json!({"title": "a"}), json!({"title": "b"}), "it gave no reason"),
        ] {
            let forge = Scripted::new([Answer::json(200, &has.to_string())]).await;
            let shown = shown(call(&forge, &WRITE, asked.clone()).await);
            let name = asked.as_object().unwrap().keys().next().unwrap();
            assert_eq!(
                shown["note"],
                format!("the forge answered success but did not apply {name}: {likely}")
            );
        }
    });
}
