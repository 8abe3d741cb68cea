//! Repositories, issues and commits in the forms that people paste: `owner/name`, `owner/name#12`, and web addresses of
//! the configured instance. Every group of arguments that shares a prefix (`owner`, `repo`, `index`; `depends_on_owner`,
//! …) is read alike. An address of another host is refused: it means a thing that this forge does not have. So is one that
//! names more than the operation takes, as an issue where a repository is wanted; a tab of a repository (`…/issues`) or of
//! an issue (`…/pulls/12/files`) names no more than that.

use forgehand_client::BaseUrl;
use serde_json::Value;

use super::fault::{self, Fault, quoted};
use super::given::Given;

/// What a reference names.
#[derive(Default)]
struct Named {
    owner: Option<String>,
    repo: Option<String>,
    index: Option<i64>,
    sha: Option<String>,
}

/// The arguments that may hold a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Owner,
    Repo,
    Index,
    Sha,
}

impl Role {
    const ALL: [Self; 4] = [Self::Owner, Self::Repo, Self::Index, Self::Sha];

    fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Repo => "repo",
            Self::Index => "index",
            Self::Sha => "sha",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Owner => "an owner's name",
            Self::Repo => "a repository's name, `owner/name`, or its web address",
            Self::Index => "an issue's number, `owner/name#12`, or its web address",
            Self::Sha => "a commit's hash, or its web address",
        }
    }
}

/// Replaces each reference by its parts; a part that is given as well must agree.
///
/// # Errors
/// A reference of another host, of another kind of thing, or that disagrees with another argument.
pub(super) fn resolve(given: &mut Given, base: &BaseUrl) -> Result<(), Fault> {
    let operation = given.operation;
    for prefix in operation.parameters.iter().filter_map(|p| p.name.strip_suffix("repo")) {
        if !operation.parameters.iter().any(|p| p.name.strip_prefix(prefix) == Some("owner")) {
            continue;
        }
        for role in Role::ALL {
            let name = format!("{prefix}{}", role.name());
            let Some(Value::String(text)) = given.get(&name) else { continue };
            let text = text.clone();
            if let Some(named) = parse(role, &text, base).map_err(|fault| fault.within(&name))? {
                lay(given, prefix, &name, role, named)?;
            }
        }
    }
    Ok(())
}

/// Puts the parts of a reference beside the other arguments.
fn lay(given: &mut Given, prefix: &str, from: &str, role: Role, named: Named) -> Result<(), Fault> {
    let parts = [
        (Role::Owner, named.owner.map(Value::String)),
        (Role::Repo, named.repo.map(Value::String)),
        (Role::Index, named.index.map(Value::from)),
        (Role::Sha, named.sha.map(Value::String)),
    ];
    for (part, value) in parts {
        let Some(value) = value else { continue };
        let name = format!("{prefix}{}", part.name());
        if !given.operation.parameters.iter().any(|p| p.name == name) {
            let (expected, got) = (role.expected(), fault::got(&value));
            let said = format!("expected {expected}, got a reference that says more: {name} is {got}");
            let hint = format!("{} has no argument `{name}`", given.operation.name);
            return Err(Fault::said(said).within(from).hint(hint));
        }
        if part != role
            && let Some(other) = given.get(&name)
        {
            if is_reference(part, other) {
                // Its own turn comes, and compares it with the parts that are known by then.
                continue;
            }
            if !agrees(part, other, &value) {
                let (named, got) = (fault::got(&value), fault::got(other));
                let said = format!("expected the same as in `{from}`, which says {named}, got {got}");
                return Err(Fault::said(said).within(&name));
            }
        }
        given.set(&name, value);
    }
    Ok(())
}

/// Whether an argument holds a reference that is yet to be read.
fn is_reference(part: Role, given: &Value) -> bool {
    given.as_str().is_some_and(|text| match part {
        Role::Owner | Role::Sha => text.contains("://"),
        Role::Repo => text.contains('/'),
        Role::Index => text.contains(['/', '#', '!']),
    })
}

/// Whether an argument may stand beside the same part of a reference; names differ in more than case.
fn agrees(part: Role, given: &Value, named: &Value) -> bool {
    match (given, named) {
        (Value::String(given), Value::String(named)) if part != Role::Sha => {
            given.eq_ignore_ascii_case(named)
        }
        (Value::String(given), Value::Number(named)) => given.trim() == named.to_string(),
        _ => given == named,
    }
}

fn parse(role: Role, text: &str, base: &BaseUrl) -> Result<Option<Named>, Fault> {
    let trimmed = text.trim();
    if trimmed.get(..8).is_some_and(|s| s.eq_ignore_ascii_case("https://"))
        || trimmed.get(..7).is_some_and(|s| s.eq_ignore_ascii_case("http://"))
    {
        return address(role, trimmed, base).map(Some);
    }
    match role {
        Role::Repo if text.contains('/') => {
            let (owner, repo) = pair(role, text, text)?;
            Ok(Some(Named { owner: Some(owner), repo: Some(repo), ..Named::default() }))
        }
        Role::Index => index(trimmed),
        _ => Ok(None),
    }
}

/// `owner/name#12`, `owner/name!7`, `#12`, `!7`; a bare number is left to its kind.
fn index(text: &str) -> Result<Option<Named>, Fault> {
    let Some((place, number)) = text.split_once(['#', '!']) else { return Ok(None) };
    let number = number.parse().map_err(|_| wrong(Role::Index, text))?;
    let mut named = Named { index: Some(number), ..Named::default() };
    if !place.is_empty() {
        let (owner, repo) = pair(Role::Index, place, text)?;
        named.owner = Some(owner);
        named.repo = Some(repo);
    }
    Ok(Some(named))
}

fn pair(role: Role, place: &str, whole: &str) -> Result<(String, String), Fault> {
    match place.split_once('/') {
        Some((owner, repo)) if !owner.is_empty() && !repo.is_empty() && !repo.contains('/') => {
            Ok((owner.to_owned(), repo.to_owned()))
        }
        _ => Err(wrong(role, whole)),
    }
}

fn wrong(role: Role, text: &str) -> Fault {
    Fault::said(format!("expected {}, got {}", role.expected(), quoted(text)))
}

/// The parts of a web address (or of an address of the API) of this instance.
fn address(role: Role, text: &str, base: &BaseUrl) -> Result<Named, Fault> {
    let (Ok(url), Ok(root)) = (reqwest::Url::parse(text), reqwest::Url::parse(base.as_str())) else {
        return Err(wrong(role, text));
    };
    let path = url.path().strip_prefix(root.path().trim_end_matches('/'));
    // A page is the same behind http and https; only the standard ports stand for each other.
    let standard = |u: &reqwest::Url| u.port().is_none();
    let same = url.host_str() == root.host_str()
        && (url.port_or_known_default() == root.port_or_known_default()
            || (standard(&url) && standard(&root)));
    let Some(path) = path.filter(|path| same && (path.is_empty() || path.starts_with('/'))) else {
        let host = url.host_str().unwrap_or("no host");
        return Err(Fault::said(format!("expected an address of {base}, got one of {host}")));
    };
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if let Some(rest) = parts.strip_prefix(["api", "v1", "repos"].as_slice()) {
        parts = rest.to_vec();
    }
    let mut parts = parts.into_iter();
    let mut named = Named { owner: parts.next().map(str::to_owned), ..Named::default() };
    named.repo = parts.next().map(|repo| repo.strip_suffix(".git").unwrap_or(repo).to_owned());
    match (parts.next(), parts.next()) {
        (Some("issues" | "pulls"), Some(number)) => named.index = number.parse().ok(),
        (Some("commit"), Some(sha)) => named.sha = Some(sha.to_owned()),
        (_, None) => {}
        _ => return Err(wrong(role, text)),
    }
    let complete = match role {
        Role::Owner => named.owner.is_some(),
        Role::Repo => named.repo.is_some(),
        Role::Index => named.index.is_some(),
        Role::Sha => named.sha.is_some(),
    };
    if complete { Ok(named) } else { Err(wrong(role, text)) }
}
