//! Which argument holds what a reference can name: told by its name and its place in the operation's paths alone.

use crate::operations::descriptor::{Kind, Operation, Parameter, Place};

/// What an argument holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Owner,
    Repo,
    Index,
    Path,
    FirstLine,
    LastLine,
    /// The commit that an operation is about.
    Commit,
    /// A commit that is told besides, as `head_commit_id`; filled where the address was given for it alone.
    OtherCommit,
    Blob,
    TagObject,
    /// A branch, a tag or a commit.
    Ref,
    /// The same in full, as `refs/heads/main`.
    FullRef,
    /// Where something new begins; filled where the address was given for it alone.
    Start,
    Branch,
    Tag,
    ReleaseTag,
    Release,
    Attachment,
    Comment,
    Review,
    Run,
    RunNumber,
    Job,
    Milestone,
    Label,
    Hook,
    Key,
    Thread,
    Page,
    Range,
    Archive,
    /// An account; filled where the address was given for it alone.
    User,
    Org,
    Team,
    TeamId,
    PackageType,
    PackageName,
    PackageVersion,
}

/// An argument that may hold a reference.
#[derive(Clone, Copy)]
pub(super) struct Member {
    /// What it shares with the arguments that name the same thing: `depends_on_`; mostly nothing.
    pub(super) prefix: &'static str,
    pub(super) role: Role,
    pub(super) parameter: &'static Parameter,
}

/// The arguments of an operation that may hold a reference, in its order.
pub(super) fn members(operation: &'static Operation) -> impl Iterator<Item = Member> {
    operation.parameters.iter().filter_map(|parameter| {
        let (prefix, role) = role(operation, parameter)?;
        Some(Member { prefix, role, parameter })
    })
}

fn role(operation: &Operation, parameter: &'static Parameter) -> Option<(&'static str, Role)> {
    let in_group = [("owner", Role::Owner), ("repo", Role::Repo), ("index", Role::Index)];
    for (name, role) in in_group {
        if let Some(prefix) = parameter.name.strip_suffix(name)
            && (prefix.is_empty() || prefix.ends_with('_'))
        {
            return Some((prefix, role));
        }
    }
    let role = by_word_before(operation, parameter).or_else(|| by_name(operation, parameter))?;
    Some(("", role))
}

/// What the path says: `…/milestones/{id}` holds a milestone.
fn by_word_before(operation: &Operation, parameter: &Parameter) -> Option<Role> {
    if parameter.place != Place::Path {
        return None;
    }
    let placeholder = format!("{{{}}}", parameter.wire);
    operation.calls.iter().find_map(|call| {
        let at = call.path.find(&placeholder)?;
        let mut before = call.path.get(..at)?.rsplit('/').skip(1);
        let (word, further) = (before.next()?, before.next()?);
        Some(match (word, further, parameter.name) {
            ("comments", ..) => Role::Comment,
            ("reviews", ..) => Role::Review,
            ("assets", ..) => Role::Attachment,
            ("tags", "releases", _) => Role::ReleaseTag,
            ("tags", "git", _) => Role::TagObject,
            ("tags", ..) => Role::Tag,
            ("releases", ..) => Role::Release,
            ("blobs", ..) => Role::Blob,
            ("commits" | "trees", _, "ref") => Role::Ref,
            ("commits" | "notes" | "statuses", _, "sha") => Role::Commit,
            ("branches" | "sync_fork", ..) => Role::Branch,
            ("runs", "actions", _) => Role::Run,
            ("jobs", "actions", _) => Role::Job,
            ("milestones", ..) => Role::Milestone,
            ("labels", _, "id") => Role::Label,
            ("hooks", _, "id") => Role::Hook,
            ("keys", _, "id") => Role::Key,
            ("threads", ..) => Role::Thread,
            ("page" | "revisions", "wiki", _) => Role::Page,
            ("compare", ..) => Role::Range,
            ("archive", ..) => Role::Archive,
            ("teams", "", _) => Role::TeamId,
            ("teams", ..) => Role::Team,
            ("{owner}", "packages", _) => Role::PackageType,
            ("{type}", "{owner}", _) => Role::PackageName,
            ("{name}", "{type}", _) => Role::PackageVersion,
            _ => return None,
        })
    })
}

fn by_name(operation: &Operation, parameter: &Parameter) -> Option<Role> {
    let has = |name: &str| operation.parameters.iter().any(|p| p.name == name);
    Some(match (parameter.name, parameter.place) {
        ("path", _) => Role::Path,
        ("start_line", Place::Local) => Role::FirstLine,
        ("end_line", Place::Local) => Role::LastLine,
        ("sha", Place::Path) => Role::Commit,
        ("sha", Place::Body) => Role::Blob,
        ("head_commit_id" | "merge_commit_id" | "commit_id" | "head_sha", _) => Role::OtherCommit,
        ("ref", Place::Query) if !has("path") => Role::FullRef,
        ("ref", _) => Role::Ref,
        // A new name is none that an address could tell.
        ("branch", Place::Body) if parameter.wire == "branch" => Role::Branch,
        ("from" | "target" | "target_commitish" | "base" | "head", Place::Body) => Role::Start,
        ("base" | "head", Place::Path) => Role::Start,
        ("run_number", _) => Role::RunNumber,
        ("milestone", _) if is_milestone(&parameter.kind) => Role::Milestone,
        ("org", _) if has("repo") && !has("owner") => Role::Owner,
        ("org" | "organization", _) => Role::Org,
        ("user" | "target", Place::Path) => Role::User,
        ("user" | "created_by" | "assigned_by" | "mentioned_by", Place::Query) => Role::User,
        _ => return None,
    })
}

fn is_milestone(kind: &Kind) -> bool {
    matches!(kind, Kind::Name(names) if names.of.name == "milestone")
}

impl Role {
    /// Whether only an address that was given for this very argument fills it.
    pub(super) fn is_apart(self) -> bool {
        matches!(self, Self::User | Self::OtherCommit | Self::Start)
    }

    /// The argument by which another tool tells this one.
    pub(super) fn told_by(self) -> Option<Self> {
        match self {
            Self::Release => Some(Self::ReleaseTag),
            Self::Run => Some(Self::RunNumber),
            _ => None,
        }
    }

    /// What the argument holds, in words.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Owner => "an owner's name, or its web address",
            Self::Repo => "a repository's name, `owner/name`, or its web address",
            Self::Index => "an issue's number, `owner/name#12`, or its web address",
            Self::Path => "a file's path, or its web address",
            Self::FirstLine | Self::LastLine => "a line's number",
            Self::Commit | Self::OtherCommit => "a commit's hash, or its web address",
            Self::Blob => "a file's hash (its `sha`), or the address of the blob",
            Self::TagObject => "the hash of a tag object, or its address",
            Self::Ref | Self::Start => "a branch, a tag or a commit, or its web address",
            Self::FullRef => "a ref in full, as refs/heads/main, or the web address of a branch or tag",
            Self::Branch => "a branch's name, or its web address",
            Self::Tag | Self::ReleaseTag => "a tag's name, or the web address of its release",
            Self::Release => "a release's id, or its address in the API",
            Self::Attachment => "an attachment's id, or its address in the API",
            Self::Comment => "a comment's id, or its web address",
            Self::Review => "a review's id, or its address in the API",
            Self::Run => "a workflow run's id, which is not the number in its web address",
            Self::RunNumber => "the number of a workflow run, or its web address",
            Self::Job => "a job's id, which is not the number in its web address",
            Self::Milestone => "a milestone's id, or its web address",
            Self::Label => "a label's id, or its address in the API",
            Self::Hook => "a hook's id, or its web address",
            Self::Key => "a deploy key's id, or its address in the API",
            Self::Thread => "a notification's id, or its address in the API",
            Self::Page => "a wiki page's name, or its web address",
            Self::Range => "two refs, as main...dev, or the web address of their comparison",
            Self::Archive => "a ref and a format, as main.zip, or the archive's web address",
            Self::User => "a user's login name, or its web address",
            Self::Org => "an organization's name, or its web address",
            Self::Team => "a team's name, or its web address",
            Self::TeamId => "a team's id, `org/team`, or its web address",
            Self::PackageType | Self::PackageName | Self::PackageVersion => {
                "a part of a package, or the package's web address"
            }
        }
    }
}
