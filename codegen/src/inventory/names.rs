//! What a name stands for where the forge wants an id: the lists of the forge in which it is looked up.

/// Things that have an id, and a name by which people know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The inventory's word for them, as `repo_hook`.
    pub name: String,
    /// What errors call one of them, as `hook`.
    pub word: String,
    /// The fields of a row that name it, dotted where they are nested; each row has an `id` besides.
    pub by: Vec<String>,
    /// The path parameter of the lists that a name tells itself, before a slash: `org` where the name is `acme/Owners`.
    pub within: Option<String>,
    /// Whether the names are web addresses, which may hold what no error may repeat.
    pub address: bool,
    /// Whether a list of such names on the wire may hold ids as well.
    pub mixed: bool,
    /// Whether what is all digits may be a name.
    pub digits: bool,
    /// Where they are listed, in the order in which they are read; none in a release that has no such list.
    pub lists: Vec<NameList>,
}

/// A list of the forge's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameList {
    /// The operationId.
    pub operation: String,
    /// Its path parameters but `within`, each with the path parameter of the tool that tells it.
    pub path: Vec<(String, String)>,
    /// What its query says besides the page.
    pub query: Vec<(String, String)>,
    /// Whether it has pages.
    pub paged: bool,
    /// Whether there may be none (404), or none that the token may read (403).
    pub optional: bool,
}

impl Named {
    /// The path parameters that a tool must have, so that names can be looked up for it.
    pub fn wants(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flat_map(|list| &list.path).map(|(_, from)| from.as_str())
    }
}
