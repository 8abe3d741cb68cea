//! What a resource is read with: the tools, and the variables of its address.

use serde_json::Value;

use super::Address;
use crate::operations::surface::Surface;
use crate::tools::{Arguments, Tools};

/// What a resource is read with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) tools: Tools<'a>,
    /// What may be asked for besides the tools behind the template.
    pub(super) surface: &'a Surface,
    pub(super) address: &'a Address,
}

impl Reader<'_> {
    /// The value of a variable of the path.
    pub(super) fn variable(&self, name: &str) -> &str {
        self.address.get(name).unwrap_or_default()
    }

    /// The arguments that these variables give, each with the argument's name; those that the address has not are
    /// left out.
    pub(super) fn arguments<const N: usize>(&self, pairs: [(&str, &str); N]) -> Arguments {
        let given = pairs.into_iter().filter_map(|(argument, variable)| {
            Some((argument.to_owned(), Value::from(self.address.get(variable)?)))
        });
        given.collect()
    }

    /// The arguments `owner` and `repo`, and those that further variables give.
    pub(super) fn within_repo<const N: usize>(&self, pairs: [(&str, &str); N]) -> Arguments {
        let mut arguments = self.arguments([("owner", "owner"), ("repo", "repo")]);
        arguments.extend(self.arguments(pairs));
        arguments
    }
}
