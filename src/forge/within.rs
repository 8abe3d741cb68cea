//! The repositories that may be asked for, where whoever runs this program names some: no request leaves for another
//! one, whatever a text of the forge talked a model into.

use percent_encoding::percent_decode_str;

/// What the instance tells everybody, and renders for everybody, below the API's root.
const OF_THE_INSTANCE: [&str; 10] = [
    "gitignore",
    "label",
    "licenses",
    "markdown",
    "markup",
    "nodeinfo",
    "settings",
    "signing-key.gpg",
    "signing-key.ssh",
    "version",
];

/// Repositories by `owner/name`, or all of an owner by `owner/*`. Case means nothing, as at the forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repositories(Vec<(String, String)>);

impl Repositories {
    /// Reads each name.
    ///
    /// # Errors
    /// The first that is neither `owner/name` nor `owner/*`.
    pub fn read<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let read = names.into_iter().map(|name| match name.split_once('/') {
            Some((owner, repo)) if is_name(owner) && (repo == "*" || is_name(repo)) => {
                Ok((owner.to_ascii_lowercase(), repo.to_ascii_lowercase()))
            }
            _ => Err(name.to_owned()),
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// Whether a repository is among them.
    pub fn allows(&self, owner: &str, repo: &str) -> bool {
        let is = |known: &str, name: &str| known.eq_ignore_ascii_case(name);
        self.0.iter().any(|(known, name)| is(known, owner) && (name == "*" || is(name, repo)))
    }

    /// Whether all repositories of an owner are among them.
    pub fn allows_all(&self, owner: &str) -> bool {
        self.0.iter().any(|(known, name)| known.eq_ignore_ascii_case(owner) && name == "*")
    }

    /// Whether a call may be sent: for one of them, for what the instance tells everybody, or for the labels of an
    /// owner, which are those of its repositories too. The path is percent-encoded, below the API's root.
    pub(super) fn permits(&self, method: &http::Method, path: &str) -> bool {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let segments: Option<Vec<String>> = path.split('/').skip(1).map(decoded).collect();
        match segments.as_deref() {
            Some([repos, owner, repo, ..]) if repos == "repos" => self.allows(owner, repo),
            Some([orgs, owner, labels]) if orgs == "orgs" && labels == "labels" => {
                method.is_safe() && self.0.iter().any(|(known, _)| known.eq_ignore_ascii_case(owner))
            }
            Some([first, ..]) => OF_THE_INSTANCE.contains(&first.as_str()),
            _ => false,
        }
    }

    /// Whether some call with that path template may be sent at all.
    pub fn concerns(template: &str) -> bool {
        let first = template.split('/').nth(1).unwrap_or_default();
        template.starts_with("/repos/{owner}/{repo}") || OF_THE_INSTANCE.contains(&first)
    }
}

/// Whether a text can be the name of an account or a repository: those that Forgejo allows need no encoding.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

/// The names, with commas between them.
impl std::fmt::Display for Repositories {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, (owner, repo)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{owner}/{repo}")?;
        }
        Ok(())
    }
}

fn decoded(segment: &str) -> Option<String> {
    percent_decode_str(segment).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_repositories_and_what_everybody_is_told_may_be_asked_for() {
        let named = Repositories::read(["Acme/Widget", "bob/*"]).unwrap();
        for (method, path, permits) in [
            ("GET", "/repos/acme/widget", true),
            ("DELETE", "/repos/ACME/widget/issues/1?x=/repos/acme/secret", true),
            ("GET", "/repos/acme/wid%67et/contents/a", true),
            ("GET", "/repos/bob/anything/raw/a", true),
            ("GET", "/repos/acme/secret", false),
            ("GET", "/repos/acme/widget%2F..%2Fsecret", false),
            ("GET", "/repos/acme%2Fwidget/x", false),
            ("GET", "/repos/search", false),
            ("GET", "/repos/issues/search", false),
            ("GET", "/repositories/7", false),
            ("GET", "/version", true),
            ("POST", "/markdown", true),
            ("GET", "/settings/api", true),
            ("GET", "/orgs/acme/labels", true),
            ("POST", "/orgs/acme/labels", false),
            ("GET", "/orgs/other/labels", false),
            ("GET", "/orgs/acme", false),
            ("GET", "/user", false),
            ("GET", "/", false),
            ("GET", "", false),
        ] {
            let method = http::Method::from_bytes(method.as_bytes()).unwrap();
            assert_eq!(named.permits(&method, path), permits, "{method} {path}");
        }
        for bad in ["acme", "acme/", "/widget", "*/widget", "acme/a/b", "acme/wid get", ""] {
            assert_eq!(Repositories::read([bad]), Err(bad.to_owned()));
        }
    }
}
