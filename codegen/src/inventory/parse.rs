//! From the text of `inventory.toml` to its rows: keys, types and forms, without the document.

use super::model::{
    AnswerRow, AppliedRow, At, Inventory, LinesRow, MergeRow, NameRow, NamesRow, ParamRow, PresentRow, Route,
    Rule, SecretRow, StaleRow, ToolRow, Toolset, View,
};
use super::problem::Problems;
use super::tool::Mask;
use super::tree::{Rows, Tree, read, string};

/// Reads the inventory.
///
/// # Errors
/// Text that is no TOML, unknown keys, missing keys and values of the wrong type, all at once.
pub fn parse(text: &str) -> Result<Inventory, Problems> {
    let mut problems = Problems::default();
    let root = read(text)?;
    let mut root = Rows::open(String::new(), root, &mut problems);
    let mut inventory = Inventory::default();
    let is_missing = !root.has("contract_version");
    match root.integer("contract_version") {
        Some(version) => inventory.contract_version = version.value,
        None if is_missing => root.fault(1, "contract_version", "is missing"),
        None => {}
    }
    let vocabulary = root.children("vocabulary");
    let names = root.children("names");
    let toolsets = root.children("toolsets");
    let views = root.children("views");
    let tools = root.children("tools");
    let excluded = root.children("excluded");
    let unavailable = root.children("unavailable");
    let any_json = root.children("any_json");
    let secrets = root.children("secrets");
    let retired = root.children("retired");
    root.finish();
    let at = &mut problems;
    for (name, tree) in vocabulary {
        let rule = word(Rows::open(format!("vocabulary.{name}"), tree, at));
        inventory.vocabulary.insert(name, rule);
    }
    for (name, tree) in names {
        let row = names_row(Rows::open(format!("names.{name}"), tree, at));
        inventory.names.insert(name, row);
    }
    for (name, tree) in toolsets {
        let toolset = toolset(Rows::open(format!("toolsets.{name}"), tree, at));
        inventory.toolsets.push((name, toolset));
    }
    for (name, tree) in views {
        let view = view(Rows::open(format!("views.{name}"), tree, at));
        inventory.views.insert(name, view);
    }
    for (name, tree) in tools {
        let row = tool(Rows::open(format!("tools.{name}"), tree, at));
        inventory.tools.push((name, row));
    }
    inventory.excluded = reasons("excluded", excluded, at);
    inventory.unavailable = reasons("unavailable", unavailable, at);
    inventory.retired = reasons("retired", retired, at);
    inventory.any_json = reasons("any_json", any_json, at);
    inventory.secrets = secret_rows(secrets, at);
    problems.or(inventory)
}

fn reasons(table: &str, rows: Vec<(String, At<Tree>)>, problems: &mut Problems) -> Vec<(String, At<String>)> {
    let mut read = Vec::new();
    for (name, tree) in rows {
        let reason = string(table, &name, tree, problems);
        if reason.trim().is_empty() {
            problems.add(reason.line, table, &name, "needs a reason that a reader accepts");
        }
        read.push((name, reason));
    }
    read
}

/// A reason, `{ address = REASON }`, or `{ receiver = REASON }`.
fn secret_rows(rows: Vec<(String, At<Tree>)>, problems: &mut Problems) -> Vec<(String, SecretRow)> {
    let mut read = Vec::new();
    for (name, At { line, value }) in rows {
        let (tree, mask) = match value {
            Tree::Table(_) => {
                let mut parts = Rows::open(format!("secrets.{name}"), At { line, value }, problems);
                let both = (parts.take("address"), parts.take("receiver"));
                let found = match both {
                    (Some(tree), None) => Some((tree, Mask::Address)),
                    (None, Some(tree)) => Some((tree, Mask::Receiver)),
                    _ => {
                        parts.fault(
                            line,
                            "",
                            "expected REASON, { address = REASON } or { receiver = REASON }",
                        );
                        None
                    }
                };
                parts.finish();
                let Some(found) = found else { continue };
                found
            }
            other => (At { line, value: other }, Mask::All),
        };
        let reason = reasons("secrets", vec![(name, tree)], problems);
        read.extend(reason.into_iter().map(|(name, why)| (name, SecretRow { why, mask: mask.clone() })));
    }
    read
}

/// The keys that the vocabulary and a tool's parameters share.
fn rule(rows: &mut Rows<'_>) -> Rule {
    Rule {
        line: rows.line,
        wire: Vec::new(),
        aliases: rows.texts("aliases"),
        about: rows.text("about"),
        silent: rows.flag("silent"),
        kind: rows.text("type"),
        values: rows.texts("enum"),
        min: rows.integer("min").map(|number| number.value),
        max: rows.integer("max").map(|number| number.value),
        names: rows.text("as"),
        empty: rows.flag("empty"),
        applied: applied(rows),
    }
}

/// `false`, or the id of an operation.
fn present(rows: &mut Rows<'_>) -> Option<At<PresentRow>> {
    let At { line, value } = rows.take("present")?;
    match value {
        Tree::Boolean(false) => Some(At { line, value: PresentRow::Never }),
        Tree::Text(operation) if !operation.is_empty() => {
            Some(At { line, value: PresentRow::From(operation) })
        }
        _ => {
            rows.fault(line, "present", "is false, or the operation that is read");
            None
        }
    }
}

/// `false`, or the name of a field of the answer.
fn applied(rows: &mut Rows<'_>) -> Option<At<AppliedRow>> {
    let At { line, value } = rows.take("applied")?;
    match value {
        Tree::Boolean(false) => Some(At { line, value: AppliedRow::Never }),
        Tree::Text(field) if !field.is_empty() => Some(At { line, value: AppliedRow::Field(field) }),
        Tree::Table(inner) if inner.len() == 1 => match inner.into_iter().next() {
            Some((key, At { value: Tree::Text(field), .. })) if key == "all" && !field.is_empty() => {
                Some(At { line, value: AppliedRow::All(field) })
            }
            _ => {
                rows.fault(line, "applied", "as a table is { all = FIELD }");
                None
            }
        },
        _ => {
            rows.fault(line, "applied", "is false, or the field of the answer that tells of it");
            None
        }
    }
}

fn word(mut rows: Rows<'_>) -> Rule {
    let mut rule = rule(&mut rows);
    rule.wire = rows.texts("wire");
    match &rule.about {
        None => rows.fault(rows.line, "about", "is missing"),
        Some(about) if about.trim().is_empty() => rows.fault(about.line, "about", "is empty"),
        Some(_) => {}
    }
    rows.finish();
    rule
}

fn names_row(mut rows: Rows<'_>) -> NamesRow {
    let lists = rows.children("lists");
    let mut row = NamesRow {
        line: rows.line,
        word: rows.text("word"),
        by: rows.texts("by"),
        within: rows.text("within"),
        address: rows.flag("address").unwrap_or(false),
        mixed: rows.flag("mixed").unwrap_or(false),
        digits: rows.flag("digits").unwrap_or(false),
        lists: Vec::new(),
    };
    for (key, is_missing) in [("by", row.by.is_empty()), ("lists", lists.is_empty())] {
        if is_missing {
            rows.fault(rows.line, key, "is missing");
        }
    }
    for (operation, tree) in lists {
        let mut inner = Rows::open(format!("{}.lists.{operation}", rows.path), tree, rows.problems);
        let list = NameRow {
            line: inner.line,
            path: strings(&mut inner, "path"),
            query: strings(&mut inner, "query"),
            optional: inner.flag("optional").unwrap_or(false),
        };
        inner.finish();
        row.lists.push((operation, list));
    }
    rows.finish();
    row
}

/// A table of strings.
fn strings(rows: &mut Rows<'_>, key: &'static str) -> Vec<(String, At<String>)> {
    let table = format!("{}.{key}", rows.path);
    let read = rows.children(key).into_iter().map(|(name, tree)| {
        let text = string(&table, &name, tree, rows.problems);
        (name, text)
    });
    read.collect()
}

fn toolset(mut rows: Rows<'_>) -> Toolset {
    let toolset =
        Toolset { line: rows.line, title: rows.need("title").value, about: rows.need("about").value };
    rows.finish();
    toolset
}

fn view(mut rows: Rows<'_>) -> View {
    let (fields, inline) = (rows.texts("fields"), rows.texts("inline"));
    let decode = strings(&mut rows, "decode");
    let view = View { line: rows.line, fields, inline, decode };
    if view.fields.is_empty() && view.inline.is_empty() {
        rows.fault(view.line, "fields", "is missing: the fields that an answer shows");
    }
    rows.finish();
    view
}

fn tool(mut rows: Rows<'_>) -> ToolRow {
    let params = rows.children("params");
    let retired = rows.children("retired");
    let [statuses, perhaps] = ["statuses", "perhaps"].map(|key| statuses(&mut rows, key));
    let composed = rows.text("composed");
    let mut row = ToolRow {
        line: rows.line,
        operation: match composed {
            None => rows.need("operation"),
            Some(_) => At { line: rows.line, value: String::new() },
        },
        composed,
        calls: rows.texts("calls"),
        since: rows.text("since"),
        route: routes(&mut rows),
        beside: rows.text("beside"),
        toolset: rows.need("toolset"),
        default: rows.flag("default").unwrap_or(false),
        title: rows.need("title"),
        about: rows.need("about"),
        effect: rows.need("effect"),
        confirm: rows.flag("confirm").unwrap_or(false),
        confirm_when: rows.texts("confirm_when"),
        merge: merge(&mut rows),
        present: present(&mut rows),
        stale: stale(&mut rows),
        reveals: rows.flag_at("reveals"),
        metadata: rows.flag_at("metadata"),
        paths: rows.flag_at("paths"),
        lines: lines(&mut rows),
        view: rows.text("view"),
        answer: answer(&mut rows),
        items: rows.text("items"),
        total: rows.text("total"),
        paging: rows.text("paging"),
        order: rows.text("order"),
        statuses,
        perhaps,
        retired: reasons(&format!("{}.retired", rows.path), retired, rows.problems),
        hide: rows.texts("hide"),
        params: Vec::new(),
    };
    for (name, tree) in params {
        let inner = Rows::open(format!("{}.params.{name}", rows.path), tree, rows.problems);
        let param = param(inner);
        row.params.push((name, param));
    }
    if row.composed.is_none()
        && let Some(call) = row.calls.first()
    {
        rows.fault(
            call.line,
            "calls",
            "is for a composed tool; `route` names other operations of a plain one",
        );
    }
    rows.finish();
    row
}

/// Operations, each with `{ with = PARAMETER }` or `{ without = PARAMETER }`.
fn routes(rows: &mut Rows<'_>) -> Vec<Route> {
    let mut routes = Vec::new();
    for (operation, tree) in rows.children("route") {
        let line = tree.line;
        let mut inner = Rows::open(format!("{}.route.{operation}", rows.path), tree, rows.problems);
        let (with, without) = (inner.text("with"), inner.text("without"));
        let given = with.is_some();
        match (with, without) {
            (Some(parameter), None) | (None, Some(parameter)) => {
                routes.push(Route { operation: At { line, value: operation }, parameter, given });
            }
            _ => inner.fault(line, "", "expected { with = PARAMETER } or { without = PARAMETER }"),
        }
        inner.finish();
    }
    routes
}

fn param(mut rows: Rows<'_>) -> ParamRow {
    let row = ParamRow {
        name: rows.text("name"),
        rule: rule(&mut rows),
        required: rows.flag("required"),
        default: rows.json("default"),
        constant: rows.json("const"),
        default_from: rows.text("default_from"),
        demands: rows.text("demands"),
        demands_at: rows.text("demands_at"),
        excludes: rows.text("excludes"),
        when_false: rows.text("when_false"),
        secret: rows.flag("secret"),
        receiver: rows.flag("receiver"),
        codec: rows.text("codec"),
        or: rows.text("or"),
        media_type: rows.text("media_type"),
        join: rows.text("join"),
    };
    rows.finish();
    row
}

/// `{ from = OPERATION, fields = [PROPERTY] }`, or `fields = { PROPERTY = PROPERTY OF THE ANSWER }`.
fn merge(rows: &mut Rows<'_>) -> Option<At<MergeRow>> {
    let At { line, value } = rows.take("merge")?;
    let mut inner = Rows::open(format!("{}.merge", rows.path), At { line, value }, rows.problems);
    let from = inner.need("from");
    let table = format!("{}.fields", inner.path);
    let fields: Vec<(At<String>, String)> = match inner.take("fields") {
        Some(At { value: Tree::Table(fields), .. }) => {
            let pair = |(name, tree): (String, At<Tree>)| {
                let answer = string(&table, &name, tree, inner.problems);
                (At { line: answer.line, value: name }, answer.value)
            };
            fields.into_iter().map(pair).collect()
        }
        other => {
            let names = inner.strings("fields", other);
            names.into_iter().map(|at| (at.clone(), at.value)).collect()
        }
    };
    if fields.is_empty() {
        inner.fault(line, "fields", "is missing: the body's properties that are filled from the read");
    }
    let words = strings(&mut inner, "words");
    let always = inner.flag("always").unwrap_or(false);
    inner.finish();
    Some(At { line, value: MergeRow { always, from, fields, words } })
}

/// `{ from = OPERATION, field = PROPERTY, query = { PARAMETER = PROPERTY OF THE BODY } }`.
fn stale(rows: &mut Rows<'_>) -> Option<At<StaleRow>> {
    let At { line, value } = rows.take("stale")?;
    let mut inner = Rows::open(format!("{}.stale", rows.path), At { line, value }, rows.problems);
    let (from, field) = (inner.need("from"), inner.need("field"));
    let table = format!("{}.query", inner.path);
    let query = inner.children("query").into_iter().map(|(parameter, tree)| {
        let property = string(&table, &parameter, tree, inner.problems);
        (parameter, property)
    });
    let query = query.collect();
    inner.finish();
    Some(At { line, value: StaleRow { from, field, query } })
}

/// `true`, or the name of a field.
fn lines(rows: &mut Rows<'_>) -> Option<At<LinesRow>> {
    let At { line, value } = rows.take("lines")?;
    match value {
        Tree::Boolean(true) => Some(At { line, value: LinesRow::Text }),
        Tree::Text(field) => Some(At { line, value: LinesRow::Field(field) }),
        _ => {
            rows.fault(line, "lines", "is true for a text, or the name of a shown field");
            None
        }
    }
}

/// Texts by status.
fn statuses(rows: &mut Rows<'_>, key: &'static str) -> Vec<(u16, String)> {
    let mut read = Vec::new();
    for (status, tree) in rows.children(key) {
        let line = tree.line;
        let text = string(&format!("{}.{key}", rows.path), &status, tree, rows.problems).value;
        match status.parse() {
            Ok(number) if (100..600).contains(&number) => read.push((number, text)),
            _ => rows.fault(line, key, format!("{status:?} is no HTTP status")),
        }
    }
    read
}

/// The forms that an answer's table has.
const FORMS: &str = "expected { done = WORD, instead = { 201 = WORD }, note = TEXT }, { yes_no = WORD, yes = [204], no = [404] }, \
    { value = WORD } or { moved = WORD, to = \"body.new_owner\" }";

fn answer(rows: &mut Rows<'_>) -> Option<At<AnswerRow>> {
    let At { line, value } = rows.take("answer")?;
    if let Tree::Text(kind) = value {
        return Some(At { line, value: AnswerRow::Kind(kind) });
    }
    let mut inner = Rows::open(format!("{}.answer", rows.path), At { line, value }, rows.problems);
    let words = ["done", "yes_no", "value", "moved"].map(|key| inner.text(key).map(|at| at.value));
    let (yes, no) = (inner.statuses("yes"), inner.statuses("no"));
    let instead = statuses(&mut inner, "instead");
    let to = inner.text("to");
    let note = inner.text("note");
    let is_noted = note.is_some();
    let read = match words {
        [Some(word), None, None, None] if yes.is_empty() && no.is_empty() && to.is_none() => {
            Some(AnswerRow::Done(word, instead, note.map(|at| at.value)))
        }
        [None, Some(word), None, None]
            if !yes.is_empty() && !no.is_empty() && instead.is_empty() && to.is_none() =>
        {
            Some(AnswerRow::YesNo { word, yes, no })
        }
        [None, None, Some(word), None]
            if yes.is_empty() && no.is_empty() && instead.is_empty() && to.is_none() =>
        {
            Some(AnswerRow::Value(word))
        }
        [None, None, None, Some(word)] if yes.is_empty() && no.is_empty() && instead.is_empty() => {
            to.map(|to| AnswerRow::Moved { word, to })
        }
        _ => None,
    };
    let read = read.filter(|read| !is_noted || matches!(read, AnswerRow::Done(..)));
    if read.is_none() {
        inner.fault(line, "", FORMS);
    }
    inner.finish();
    Some(At { line, value: read? })
}
