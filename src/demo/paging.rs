//! How Forgejo pages each list, as measured; the operations that are not here are never sliced.

use super::key;

/// The most rows that a page holds, whatever is asked for.
const MOST: usize = 50;

/// The same for git trees, and the size of their pages where none is asked for.
const MOST_ENTRIES: usize = 1000;

/// The smallest page that any operation sends where `limit` is absent.
const LEAST_DEFAULT: usize = 20;

/// The operation that reads a git tree.
const TREE: &str = "GetTree";

/// What `limit` does where `page` is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alone {
    /// The first page, of that size.
    Obeyed,
    /// Nothing: all rows are sent.
    Ignored,
    /// It was not recorded; only lists that fit into one page either way are served.
    Unseen,
}

/// How one operation pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) alone: Alone,
    /// Whether its answers have a Link header.
    pub(crate) link: bool,
    /// Whether an empty page is `null` rather than `[]`.
    pub(crate) null_beyond: bool,
    /// Whether pages are in another order than the whole list, so that their rows cannot be put together.
    pub(crate) own_order: bool,
    /// The least `limit` that is obeyed; less means the default.
    least: usize,
    /// Whether X-Total-Count is the number of rows of the page rather than of the list.
    pub(crate) total_of_page: bool,
    /// Whether the body tells its page, as that of a git tree does.
    pub(crate) tree: bool,
    /// The size of a page where `limit` is absent.
    default: usize,
    /// The most rows that a page holds, whatever is asked for.
    most: usize,
}

/// The rule of an operation; `None` for those that page in their own ways.
pub(crate) fn rule(operation: &str) -> Option<Rule> {
    let at = RULES.binary_search_by_key(&operation, |(name, ..)| name).ok()?;
    let (_, alone, link) = *RULES.get(at)?;
    let tree = operation == TREE;
    Some(Rule {
        alone,
        link,
        null_beyond: matches!(operation, "issueGetCommentsAndTimeline" | "issueGetIssueReactions"),
        least: if operation == "repoGetWikiPages" { 2 } else { 1 },
        own_order: operation == "orgListMembers",
        total_of_page: operation == "issueGetCommentsAndTimeline",
        tree,
        default: match operation {
            TREE => MOST_ENTRIES,
            "issueSearchIssues" => LEAST_DEFAULT,
            _ => 30,
        },
        most: if tree { MOST_ENTRIES } else { MOST },
    })
}

/// Whether an operation pages in a way of its own, but has a first page that holds the whole of a short list.
pub(crate) fn short_lists_only(operation: &str) -> bool {
    matches!(operation, "issueListBlocks" | "repoGetCombinedStatusByRef")
}

/// The page that a target asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asking {
    pub(crate) page: Option<usize>,
    pub(crate) limit: Option<usize>,
}

impl Asking {
    /// Reads the page and its size, which git trees call `per_page` and all others `limit`; `None` where one of them is 0,
    /// negative or no number, or where there is the other name for the size.
    pub(crate) fn read(target: &str, operation: &str) -> Option<Self> {
        let (size, other) = if operation == TREE { ("per_page", "limit") } else { ("limit", "per_page") };
        let mut asking = Self { page: None, limit: None };
        for (name, value) in key::pairs(key::split(target).1) {
            match name {
                name if name == "page" => asking.page = Some(value.parse().ok().filter(|page| *page > 0)?),
                name if name == size => asking.limit = Some(value.parse().ok().filter(|size| *size > 0)?),
                name if name == other => return None,
                _ => {}
            }
        }
        Some(asking)
    }

    /// Whether the first page is asked for, and surely holds a list of that length whole.
    pub(crate) fn holds(self, length: usize) -> bool {
        let size = self.limit.unwrap_or(LEAST_DEFAULT).min(MOST);
        self.page.unwrap_or(1) == 1 && length <= size
    }

    /// The size of the page; `None` for all rows, and where that was not seen.
    pub(crate) fn size(self, rule: Rule) -> Option<usize> {
        (self.page.is_some() || rule.alone == Alone::Obeyed).then(|| self.link_size(rule))
    }

    /// The size of the pages that the Link header counts in.
    pub(crate) fn link_size(self, rule: Rule) -> usize {
        self.limit.filter(|limit| *limit >= rule.least).unwrap_or(rule.default).min(rule.most)
    }

    /// Where the rows of a recorded page belong: the first place, and the size under which a page is the last one
    /// (`None` where all rows were sent).
    pub(crate) fn place(self, rule: Rule) -> Option<(usize, Option<usize>)> {
        let unseen = (rule.alone == Alone::Unseen).then_some(rule.default);
        let size = self.size(rule).or(unseen);
        let skipped = self.page.unwrap_or(1).saturating_sub(1);
        Some((skipped.checked_mul(size.unwrap_or(0))?, size))
    }

    /// The places that are asked for, from the first to the one after the last; `length` is that of the whole list.
    pub(crate) fn range(self, rule: Rule, length: Option<usize>) -> Option<(usize, usize)> {
        if let Some(size) = self.size(rule) {
            let from = self.page.unwrap_or(1).saturating_sub(1).checked_mul(size)?;
            return Some((from, from.checked_add(size)?));
        }
        let all = length?;
        let fits = all <= self.link_size(rule);
        (rule.alone == Alone::Ignored || fits).then_some((0, all))
    }
}

use Alone::{Ignored, Obeyed, Unseen};

/// Operation, what `limit` alone does, whether answers have a Link header. Sorted.
const RULES: &[(&str, Alone, bool)] = &[
    ("GetTree", Obeyed, false),
    ("ListActionRuns", Ignored, false),
    ("ListActionTasks", Ignored, false),
    ("adminCronList", Unseen, false),
    ("adminGetAllEmails", Unseen, true),
    ("adminGetAllOrgs", Unseen, true),
    ("adminListHooks", Unseen, false),
    ("adminSearchEmails", Unseen, true),
    ("adminSearchUsers", Obeyed, true),
    ("adminUnadoptedList", Unseen, false),
    ("getAdminRunners", Unseen, true),
    ("getOrgRunners", Unseen, true),
    ("getOrgVariablesList", Unseen, false),
    ("getRepoRunners", Unseen, true),
    ("getRepoVariablesList", Unseen, false),
    ("getUserRunners", Unseen, true),
    ("getUserVariablesList", Unseen, false),
    ("issueGetCommentsAndTimeline", Ignored, false),
    ("issueGetIssueReactions", Ignored, false),
    ("issueGetMilestonesList", Ignored, false),
    ("issueGetRepoComments", Ignored, false),
    ("issueListIssueDependencies", Obeyed, false),
    ("issueListIssues", Obeyed, true),
    ("issueListLabels", Ignored, false),
    ("issueSearchIssues", Obeyed, true),
    ("issueSubscriptions", Obeyed, false),
    ("issueTrackedTimes", Unseen, false),
    ("listForks", Obeyed, false),
    ("listPackages", Obeyed, true),
    ("notifyGetList", Obeyed, false),
    ("notifyGetRepoList", Obeyed, false),
    ("orgGetAll", Obeyed, true),
    ("orgListActionsSecrets", Unseen, false),
    ("orgListActivityFeeds", Obeyed, false),
    ("orgListBlockedUsers", Unseen, false),
    ("orgListCurrentUserOrgs", Unseen, true),
    ("orgListHooks", Unseen, false),
    ("orgListLabels", Ignored, false),
    ("orgListMembers", Unseen, false),
    ("orgListPublicMembers", Obeyed, false),
    ("orgListQuotaArtifacts", Unseen, false),
    ("orgListQuotaAttachments", Unseen, true),
    ("orgListQuotaPackages", Unseen, true),
    ("orgListRepos", Obeyed, true),
    ("orgListTeamActivityFeeds", Obeyed, false),
    ("orgListTeamMembers", Unseen, false),
    ("orgListTeamRepos", Obeyed, false),
    ("orgListTeams", Unseen, false),
    ("orgListUserOrgs", Unseen, true),
    ("repoGetAllCommits", Obeyed, true),
    ("repoGetPullRequestCommits", Obeyed, true),
    ("repoGetPullRequestFiles", Obeyed, true),
    ("repoGetWikiPages", Obeyed, false),
    ("repoListActionsSecrets", Unseen, false),
    ("repoListActivityFeeds", Obeyed, false),
    ("repoListBranches", Obeyed, true),
    ("repoListCollaborators", Unseen, false),
    ("repoListHooks", Unseen, false),
    ("repoListKeys", Unseen, false),
    ("repoListPullRequests", Obeyed, true),
    ("repoListPullReviews", Ignored, false),
    ("repoListPushMirrors", Unseen, false),
    ("repoListReleases", Obeyed, true),
    ("repoListStargazers", Ignored, false),
    ("repoListStatuses", Ignored, true),
    ("repoListStatusesByRef", Ignored, true),
    ("repoListSubscribers", Ignored, false),
    ("repoListTags", Obeyed, true),
    ("repoListTopics", Obeyed, false),
    ("repoSearch", Obeyed, true),
    ("repoTrackedTimes", Unseen, false),
    ("teamSearch", Unseen, false),
    ("topicSearch", Obeyed, false),
    ("userCurrentListFollowers", Unseen, false),
    ("userCurrentListFollowing", Unseen, false),
    ("userCurrentListGPGKeys", Unseen, false),
    ("userCurrentListKeys", Unseen, false),
    ("userCurrentListRepos", Obeyed, true),
    ("userCurrentListStarred", Ignored, false),
    ("userCurrentListSubscriptions", Ignored, false),
    ("userCurrentTrackedTimes", Obeyed, false),
    ("userGetOAuth2Applications", Unseen, false),
    ("userGetStopWatches", Unseen, false),
    ("userGetTokens", Unseen, false),
    ("userListActivityFeeds", Obeyed, false),
    ("userListBlockedUsers", Unseen, false),
    ("userListFollowers", Unseen, false),
    ("userListFollowing", Unseen, false),
    ("userListGPGKeys", Unseen, false),
    ("userListHooks", Unseen, false),
    ("userListKeys", Unseen, false),
    ("userListQuotaArtifacts", Unseen, false),
    ("userListQuotaAttachments", Unseen, false),
    ("userListQuotaPackages", Unseen, false),
    ("userListRepos", Obeyed, true),
    ("userListStarred", Ignored, false),
    ("userListSubscriptions", Ignored, false),
    ("userListTeams", Unseen, false),
    ("userSearch", Obeyed, true),
];
