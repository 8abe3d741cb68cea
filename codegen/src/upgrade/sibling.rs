//! The same question asked of another owner: `/orgs/{org}/actions/runners` beside `/user/actions/runners`. What the
//! inventory says of the one is what a reader expects of the other.

use crate::document::{Document, Located};
use crate::inventory::model::{Inventory, ToolRow};

/// Path prefixes of owners, and the word that names of tools have for each.
const OWNERS: [(&str, &str); 6] = [
    ("/repos/{owner}/{repo}", "repo"),
    ("/orgs/{org}", "org"),
    ("/admin/users/{username}", "user"),
    ("/users/{username}", "user"),
    ("/user", "my"),
    ("/admin", "site"),
];

/// An operation by method, owner and what follows the owner in its path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    method: String,
    owner: &'static str,
    rest: String,
}

/// A tool that asks the same of another owner.
pub(super) struct Sibling<'a> {
    /// Its name, with the owner's word in it exchanged.
    pub(super) name: String,
    /// Its own name and row, where the inventory has it; none for one that was proposed a moment ago.
    pub(super) row: Option<(&'a str, &'a ToolRow)>,
}

/// What was proposed in this run, beside the inventory's tools.
#[derive(Default)]
pub(super) struct Siblings {
    proposed: Vec<(Asked, String)>,
}

impl Siblings {
    /// The tool that asks the same of another owner, the inventory's first.
    pub(super) fn find<'a>(
        &self,
        at: Located<'_>,
        inventory: &'a Inventory,
        document: &Document,
    ) -> Option<Sibling<'a>> {
        let own = asked(at)?;
        let other =
            |there: &Asked| there.method == own.method && there.rest == own.rest && there.owner != own.owner;
        let known = inventory.tools.iter().find_map(|(name, row)| {
            let there = asked(document.operation(&row.operation)?).filter(other)?;
            let own_name = exchanged(name, there.owner, own.owner)?;
            Some(Sibling { name: own_name, row: Some((name.as_str(), row)) })
        });
        known.or_else(|| {
            let (there, name) = self.proposed.iter().find(|(there, _)| other(there))?;
            Some(Sibling { name: exchanged(name, there.owner, own.owner)?, row: None })
        })
    }

    /// Remembers a proposal, so that the same of other owners is named alike.
    pub(super) fn remember(&mut self, at: Located<'_>, name: &str) {
        self.proposed.extend(asked(at).map(|asked| (asked, name.to_owned())));
    }
}

fn asked(at: Located<'_>) -> Option<Asked> {
    let (owner, rest) = OWNERS.iter().find_map(|(prefix, owner)| {
        let rest = at.path.strip_prefix(prefix)?;
        rest.starts_with('/').then_some((*owner, rest))
    })?;
    let place = |part: &str| if part.starts_with('{') { "{}".to_owned() } else { part.to_owned() };
    let rest = rest.split('/').map(place).collect::<Vec<_>>().join("/");
    Some(Asked { method: at.method.to_owned(), owner, rest })
}

/// A name with another owner's word; `None` where it has none.
fn exchanged(name: &str, was: &str, is: &str) -> Option<String> {
    let has = name.split('_').any(|word| word == was);
    let words = name.split('_').map(|word| if word == was { is } else { word });
    has.then(|| words.collect::<Vec<_>>().join("_"))
}
