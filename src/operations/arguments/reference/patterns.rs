//! The addresses of a forge as patterns: what is in braces is named, `*` takes the rest, `**` is a tail that says nothing.

use super::roles::Role;

/// What a placeholder stands for.
#[derive(Debug)]
pub(super) struct Thing {
    /// Its word in patterns and in errors.
    pub(super) word: &'static str,
    pub(super) form: Form,
    /// The arguments that may hold it, the best first.
    pub(super) fits: &'static [Role],
}

/// How a thing stands in an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One segment without a slash in it.
    Name,
    /// One segment, perhaps with an encoded slash.
    Any,
    /// A number from 1, perhaps with `.diff` or `.patch` behind it.
    Number,
    /// Hexadecimal digits, perhaps with `.diff` or `.patch` behind them.
    Hash,
}

const fn thing(word: &'static str, form: Form, fits: &'static [Role]) -> Thing {
    Thing { word, form, fits }
}

/// The account that is first in most addresses.
pub(super) static OWNER: Thing = thing("owner", Form::Name, &[Role::Owner, Role::User, Role::Org]);
pub(super) static REPO: Thing = thing("repo", Form::Name, &[Role::Repo]);
pub(super) static INDEX: Thing = thing("index", Form::Number, &[Role::Index]);
pub(super) static SHA: Thing =
    thing("sha", Form::Hash, &[Role::Commit, Role::Ref, Role::OtherCommit, Role::Start]);
pub(super) static BRANCH: Thing =
    thing("branch", Form::Name, &[Role::Branch, Role::Ref, Role::FullRef, Role::Start]);
pub(super) static TAG: Thing =
    thing("tag", Form::Name, &[Role::Tag, Role::ReleaseTag, Role::Ref, Role::FullRef, Role::Start]);
/// What `?ref=` tells: a branch or a tag, nobody knows which.
pub(super) static REF: Thing = thing("ref", Form::Name, &[Role::Ref, Role::Branch, Role::Start]);
pub(super) static PATH: Thing = thing("path", Form::Name, &[Role::Path]);
pub(super) static FIRST_LINE: Thing = thing("start_line", Form::Number, &[Role::FirstLine]);
pub(super) static LAST_LINE: Thing = thing("end_line", Form::Number, &[Role::LastLine]);
pub(super) static COMMENT: Thing = thing("comment_id", Form::Number, &[Role::Comment]);

static OTHERS: &[Thing] = &[
    // An organization, and no owner of a repository.
    thing("org", Form::Name, &[Role::Org]),
    thing("release_tag", Form::Name, &[Role::ReleaseTag, Role::Tag, Role::Ref, Role::Release, Role::Start]),
    thing("release_id", Form::Number, &[Role::Release]),
    thing("attachment_id", Form::Number, &[Role::Attachment]),
    thing("review_id", Form::Number, &[Role::Review]),
    thing("run_id", Form::Number, &[Role::Run]),
    thing("run_number", Form::Number, &[Role::RunNumber]),
    thing("milestone", Form::Number, &[Role::Milestone]),
    thing("label_id", Form::Number, &[Role::Label]),
    thing("hook_id", Form::Number, &[Role::Hook]),
    thing("key_id", Form::Number, &[Role::Key]),
    thing("thread_id", Form::Number, &[Role::Thread]),
    thing("blob", Form::Hash, &[Role::Blob]),
    thing("tag_object", Form::Hash, &[Role::TagObject]),
    thing("tree", Form::Hash, &[Role::Ref]),
    thing("page_name", Form::Any, &[Role::Page]),
    thing("range", Form::Name, &[Role::Range]),
    thing("archive", Form::Name, &[Role::Archive]),
    thing("team", Form::Name, &[Role::Team, Role::TeamId]),
    thing("team_id", Form::Number, &[Role::TeamId]),
    thing("type", Form::Name, &[Role::PackageType]),
    thing("name", Form::Any, &[Role::PackageName]),
    thing("version", Form::Any, &[Role::PackageVersion]),
];

/// The thing that a pattern calls by that word.
pub(super) fn called(word: &str) -> Option<&'static Thing> {
    let first = [&OWNER, &REPO, &INDEX, &SHA, &BRANCH, &TAG, &PATH, &COMMENT];
    first.into_iter().chain(OTHERS).find(|thing| thing.word == word)
}

/// The pages that show a ref, or a file at a ref; `@` in a pattern.
pub(super) const VIEWS: &[&str] =
    &["src", "raw", "media", "render", "blame", "commits", "rss", "atom", "tree-list", "search"];

/// First segments of pages that are no account's: names that Forgejo keeps for itself.
pub(super) const NO_OWNERS: &[&str] = &[
    "-",
    "admin",
    "api",
    "assets",
    "attachments",
    "avatar",
    "avatars",
    "explore",
    "issues",
    "login",
    "metrics",
    "milestones",
    "notifications",
    "org",
    "pulls",
    "repo",
    "repo-avatars",
    "swagger.v1.json",
    "user",
    "v2",
];

/// Addresses of pages, below the instance's root; the first that matches counts. From the routes of Forgejo 15.
pub(super) const WEB: &[&str] = &[
    "org/{org}/settings/hooks/{hook_id}",
    "org/{owner}/teams/{team}/**",
    "org/{owner}/**",
    "{owner}",
    "{owner}/-/packages/{type}/{name}/versions",
    "{owner}/-/packages/{type}/{name}/{version}/**",
    "{owner}/-/packages/{type}/{name}",
    "{owner}/-/packages",
    "{owner}/{repo}",
    "{owner}/{repo}/issues/{index}/**",
    "{owner}/{repo}/pulls/{index}/commits/{sha}",
    "{owner}/{repo}/pulls/{index}/**",
    "{owner}/{repo}/issues/new/**",
    "{owner}/{repo}/commit/{sha}/**",
    "{owner}/{repo}/@/branch/{branch*}",
    "{owner}/{repo}/@/tag/{tag*}",
    "{owner}/{repo}/@/commit/{sha}/{path*}",
    "{owner}/{repo}/@/commit/{sha}",
    "{owner}/{repo}/@/blob/{blob}",
    "{owner}/{repo}/_edit/{branch*}",
    "{owner}/{repo}/_delete/{branch*}",
    "{owner}/{repo}/releases/tag/{release_tag*}",
    "{owner}/{repo}/releases/edit/{release_tag*}",
    "{owner}/{repo}/milestone/{milestone}",
    "{owner}/{repo}/milestones/{milestone}/edit",
    "{owner}/{repo}/actions/runs/{run_number}/**",
    "{owner}/{repo}/wiki/{page_name*}",
    "{owner}/{repo}/compare/{range*}",
    "{owner}/{repo}/archive/{archive*}",
    "{owner}/{repo}/settings/hooks/{hook_id}",
    "{owner}/{repo}/settings/**",
    // Any other tab of a repository.
    "{owner}/{repo}/?",
];

/// Addresses of the API, below `/api/v1`; answers carry them in `url`.
pub(super) const API: &[&str] = &[
    "repos/{owner}/{repo}",
    "repos/{owner}/{repo}/issues/comments/{comment_id}/assets/{attachment_id}",
    "repos/{owner}/{repo}/issues/comments/{comment_id}/**",
    "repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}",
    "repos/{owner}/{repo}/issues/{index}/**",
    "repos/{owner}/{repo}/pulls/{index}/reviews/{review_id}/comments/{comment_id}",
    "repos/{owner}/{repo}/pulls/{index}/reviews/{review_id}/**",
    "repos/{owner}/{repo}/pulls/{index}/**",
    "repos/{owner}/{repo}/git/commits/{sha}/**",
    "repos/{owner}/{repo}/git/notes/{sha}",
    "repos/{owner}/{repo}/git/blobs/{blob}",
    "repos/{owner}/{repo}/git/trees/{tree}",
    "repos/{owner}/{repo}/git/tags/{tag_object}",
    "repos/{owner}/{repo}/git/refs/heads/{branch*}",
    "repos/{owner}/{repo}/git/refs/tags/{tag*}",
    "repos/{owner}/{repo}/git/refs/pull/{index}/**",
    "repos/{owner}/{repo}/commits/{sha}/**",
    "repos/{owner}/{repo}/statuses/{sha}",
    "repos/{owner}/{repo}/contents/{path*}",
    "repos/{owner}/{repo}/raw/{path*}",
    "repos/{owner}/{repo}/media/{path*}",
    "repos/{owner}/{repo}/branches/{branch*}",
    "repos/{owner}/{repo}/tags/{tag*}",
    "repos/{owner}/{repo}/releases/tags/{release_tag*}",
    "repos/{owner}/{repo}/releases/{release_id}/assets/{attachment_id}",
    "repos/{owner}/{repo}/releases/{release_id}/**",
    "repos/{owner}/{repo}/milestones/{milestone}",
    "repos/{owner}/{repo}/labels/{label_id}",
    "repos/{owner}/{repo}/hooks/{hook_id}/**",
    "repos/{owner}/{repo}/keys/{key_id}",
    "repos/{owner}/{repo}/actions/runs/{run_id}/**",
    "repos/{owner}/{repo}/wiki/page/{page_name}",
    "repos/{owner}/{repo}/compare/{range*}",
    "repos/{owner}/{repo}/archive/{archive*}",
    "repos/{owner}/{repo}/?",
    "orgs/{org}/labels/{label_id}",
    "orgs/{org}/hooks/{hook_id}",
    "orgs/{owner}/**",
    "users/{owner}/**",
    "teams/{team_id}/**",
    "notifications/threads/{thread_id}",
    "packages/{owner}/{type}/{name}/{version}/**",
    "packages/{owner}",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_a_pattern_has_its_thing() {
        for pattern in WEB.iter().chain(API) {
            for piece in pattern.split('/').filter_map(|piece| piece.strip_prefix('{')) {
                let word = piece.trim_end_matches('}').trim_end_matches('*');
                assert!(called(word).is_some(), "{pattern}: {word}");
            }
        }
    }
}
