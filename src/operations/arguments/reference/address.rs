//! What a web address, or an address of the API, of this instance names. Its segments are percent-decoded once, each for
//! itself, so that nothing in it can step over into another segment.

use forgehand_client::BaseUrl;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::patterns::{
    API, COMMENT, FIRST_LINE, Form, LAST_LINE, NO_OWNERS, PATH, REF, SHA, Thing, VIEWS, WEB, called,
};
use crate::operations::arguments::fault::{Fault, quoted};

/// What a reference names: from the general to the particular.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) facts: Vec<(&'static Thing, Value)>,
    /// A branch or tag, and perhaps a file at it: no address tells where the one ends and the other begins.
    pub(super) at_ref: Option<(&'static Thing, Vec<String>)>,
    /// What its fragment names besides.
    pub(super) anchor: Vec<(&'static Thing, Value)>,
}

impl Named {
    /// What it names of that kind.
    pub(super) fn fact(&self, thing: &Thing) -> Option<&Value> {
        self.facts.iter().find(|(known, _)| known.word == thing.word).map(|(_, value)| value)
    }

    /// Whether it may be a file's.
    pub(super) fn is_file(&self) -> bool {
        self.at_ref.is_some() || self.facts.last().is_some_and(|(thing, _)| thing.word == PATH.word)
    }
}

/// Whether a text is a web address.
pub(super) fn is_address(text: &str) -> bool {
    let text = text.trim();
    ["https://", "http://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// What an address for cloning over SSH names below its host, as `owner/name`: `git@host:owner/name.git`, or
/// `ssh://git@host:22/owner/name.git`. Nothing where it is none.
///
/// # Errors
/// One of another host.
pub(super) fn of_clone<'a>(text: &'a str, base: &BaseUrl) -> Result<Option<&'a str>, Fault> {
    const SCHEME: &str = "ssh://";
    let text = text.trim();
    let has_password = |(user, host): (&str, &str)| {
        let (name, password) = user.trim_start_matches("ssh://").split_once(':').unwrap_or_default();
        !name.is_empty() && !password.is_empty() && host.contains([':', '/'])
    };
    if text.rsplit_once('@').is_some_and(has_password) {
        return Err(Fault::said("expected an address without a password in it"));
    }
    let has_scheme = text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME));
    let parts = match text.get(SCHEME.len()..).filter(|_| has_scheme) {
        Some(rest) => rest.split_once('/').map(|(authority, path)| {
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
            (host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(host, _)| host), path)
        }),
        // The colon behind a host; one within brackets is of its address.
        None => text.split_once('@').and_then(|(_, rest)| match rest.split_once(']') {
            Some((host, path)) if rest.starts_with('[') => {
                Some((rest.get(..=host.len())?, path.strip_prefix(':')?))
            }
            _ => rest.split_once(':'),
        }),
    };
    let Some((host, path)) = parts.filter(|(host, _)| !host.contains('/')) else { return Ok(None) };
    let root = reqwest::Url::parse(base.as_str()).ok();
    let own = root.as_ref().and_then(reqwest::Url::host_str).unwrap_or_default();
    // As a URL has it: `bücher` is `xn--bcher-kva` there.
    let named = reqwest::Url::parse(&format!("https://{host}/")).ok();
    if named.as_ref().and_then(reqwest::Url::host_str) != Some(own) {
        return Err(Fault::said(format!("expected an address of {base}, got one of {}", quoted(host))));
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    Ok(Some(path.strip_suffix(".git").unwrap_or(path)))
}

/// Reads an address of this instance; nothing where it names nothing that is known here.
///
/// # Errors
/// An address of another host, and one that could be read in two ways. Neither is repeated whole: it may hold a password.
pub(super) fn read(text: &str, base: &BaseUrl) -> Result<Option<Named>, Fault> {
    let text = text.trim();
    if text.contains(|c: char| c == '\\' || c.is_control()) {
        return Err(Fault::said("expected an address without backslashes and control characters"));
    }
    let (Ok(url), Ok(root)) = (reqwest::Url::parse(text), reqwest::Url::parse(base.as_str())) else {
        return Err(Fault::said("expected a web address, got one that is broken"));
    };
    let elsewhere = |what: &str| Fault::said(format!("expected an address of {base}, got one of {what}"));
    // A page is the same behind http and https; only the standard ports stand for each other.
    let standard = |u: &reqwest::Url| u.port().is_none();
    if url.host_str() != root.host_str() {
        return Err(elsewhere(url.host_str().unwrap_or("no host")));
    }
    if url.port_or_known_default() != root.port_or_known_default() && !(standard(&url) && standard(&root)) {
        return Err(elsewhere(&format!("port {}", url.port_or_known_default().unwrap_or_default())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Fault::said("expected an address without a user name or a password in it"));
    }
    // The URL parser resolves `..`, which would make another address of it: the segments come from the text itself.
    let Some(segments) = segments(text) else {
        return Err(Fault::said(format!("expected an address without odd segments, got {}", quoted(text))));
    };
    let below = root.path().split('/').filter(|segment| !segment.is_empty()).map(decoded);
    let below: Vec<String> = below.map(Option::unwrap_or_default).collect();
    let below: Vec<&str> = below.iter().map(String::as_str).collect();
    let Some(segments) = strip(&segments, &below) else {
        return Err(elsewhere(&format!("another place on {}", url.host_str().unwrap_or_default())));
    };
    let named = match strip(segments, &["api", "v1"]) {
        Some(segments) => API.iter().find_map(|pattern| matched(pattern, segments)),
        None if segments.first().is_some_and(|first| is_no_owner(first)) => {
            WEB.iter().filter(|pattern| pattern.starts_with("org/")).find_map(|p| matched(p, segments))
        }
        None => WEB.iter().find_map(|pattern| matched(pattern, segments)),
    };
    Ok(named.map(|mut named| {
        at_query(&mut named, &url);
        named.anchor = anchor(url.fragment().unwrap_or_default());
        named
    }))
}

fn is_no_owner(segment: &str) -> bool {
    NO_OWNERS.contains(&segment.to_ascii_lowercase().as_str())
}

/// The path's segments, decoded once; nothing where one is broken or means another place.
fn segments(text: &str) -> Option<Vec<String>> {
    let (_, rest) = text.split_once("://")?;
    let path_at = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    if path_at == 0 {
        return None;
    }
    let path = rest.get(path_at..)?.split(['?', '#']).next()?;
    path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect()
}

fn decoded(segment: &str) -> Option<String> {
    let mut escapes = segment.split('%');
    escapes.next();
    if !escapes.all(|rest| rest.bytes().take_while(u8::is_ascii_hexdigit).take(2).count() == 2) {
        return None;
    }
    let text = percent_decode_str(segment).decode_utf8().ok()?.into_owned();
    (!matches!(text.as_str(), "." | "..")).then_some(text)
}

fn strip<'a>(segments: &'a [String], prefix: &[&str]) -> Option<&'a [String]> {
    let (start, rest) = segments.split_at_checked(prefix.len())?;
    start.iter().map(String::as_str).eq(prefix.iter().copied()).then_some(rest)
}

/// What a pattern names in these segments; nothing where they are not of that form.
fn matched(pattern: &str, segments: &[String]) -> Option<Named> {
    let mut named = Named::default();
    let mut rest = segments;
    for piece in pattern.split('/') {
        if piece == "**" {
            return Some(named);
        }
        if let Some(word) = piece.strip_prefix('{').and_then(|piece| piece.strip_suffix("*}")) {
            many(&mut named, called(word)?, rest)?;
            return Some(named);
        }
        let (segment, behind) = rest.split_first()?;
        rest = behind;
        match piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}')) {
            Some(word) => {
                let thing = called(word)?;
                named.facts.push((thing, value(thing, segment)?));
            }
            None if piece == "?" || piece == segment => {}
            None if piece == "@" && VIEWS.contains(&segment.as_str()) => {}
            None => return None,
        }
    }
    rest.is_empty().then_some(named)
}

/// One segment as that thing.
fn value(thing: &Thing, segment: &str) -> Option<Value> {
    let plain =
        || segment.strip_suffix(".diff").or_else(|| segment.strip_suffix(".patch")).unwrap_or(segment);
    match thing.form {
        Form::Any => Some(segment.into()),
        Form::Name if segment.contains('/') => None,
        Form::Name if thing.word == "repo" => {
            let name = segment.strip_suffix(".git").unwrap_or(segment);
            let name = name.strip_suffix(".wiki").filter(|_| name != segment).unwrap_or(name);
            (name != "-").then(|| name.into())
        }
        Form::Name => Some(segment.into()),
        Form::Number => number(plain()).map(Value::from),
        Form::Hash => {
            let hash = plain();
            hash.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| hash.into())
        }
    }
}

fn number(text: &str) -> Option<i64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && *number > 0)
}

/// All that is left as that thing.
fn many(named: &mut Named, thing: &'static Thing, rest: &[String]) -> Option<()> {
    let one_slash_each = thing.form == Form::Any || rest.iter().all(|segment| !segment.contains('/'));
    if rest.is_empty() || !one_slash_each {
        return None;
    }
    if matches!(thing.word, "branch" | "tag") {
        named.at_ref = Some((thing, rest.to_vec()));
    } else {
        named.facts.push((thing, rest.join("/").into()));
    }
    Some(())
}

/// What `?ref=` says beside a file's path in the API.
fn at_query(named: &mut Named, url: &reqwest::Url) {
    let is_file = named.facts.last().is_some_and(|(thing, _)| thing.word == PATH.word);
    let told = url.query_pairs().find(|(name, value)| name == "ref" && !value.is_empty());
    if let Some((_, told)) = told.filter(|_| is_file && named.fact(&SHA).is_none()) {
        let is_hash = matches!(told.len(), 40 | 64) && told.bytes().all(|byte| byte.is_ascii_hexdigit());
        let thing = if is_hash { &SHA } else { &REF };
        named.facts.push((thing, told.into_owned().into()));
    }
}

/// `issuecomment-345`, `L3`, `L3-L9`; any other fragment names nothing.
fn anchor(fragment: &str) -> Vec<(&'static Thing, Value)> {
    if let Some(comment) = fragment.strip_prefix("issuecomment-").and_then(number) {
        return vec![(&COMMENT, comment.into())];
    }
    let line = |text: &str| text.strip_prefix('L').and_then(number);
    let (first, last) = fragment.split_once('-').unwrap_or((fragment, fragment));
    match (line(first), line(last)) {
        (Some(first), Some(last)) => {
            vec![(&FIRST_LINE, first.min(last).into()), (&LAST_LINE, first.max(last).into())]
        }
        _ => Vec::new(),
    }
}
