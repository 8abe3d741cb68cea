//! How the answers of tools are read.

/// How an answer is read.
#[derive(Debug, Clone)]
pub enum Answer {
    /// One object, through this view; none shows it whole.
    Item(Option<String>),
    /// A list.
    List {
        /// The view of a row; none shows it whole.
        row: Option<String>,
        /// The property that holds the rows.
        items: Option<String>,
        /// The property that holds the total.
        total: Option<String>,
        /// Whether an object in place of the list is its only row.
        or_one: bool,
        /// Who does the paging.
        paging: Paging,
    },
    /// One object, or a redirect that tells that it was moved.
    Moved {
        /// The view of the object; none shows it whole.
        view: Option<String>,
        /// The boolean that tells of the move.
        word: String,
        /// The body's field that the new place's owner is compared with.
        to: String,
    },
    /// A bare value, under this name.
    Value(String),
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// Nothing, in that word; statuses that mean another word; what the success leaves open.
    Done(String, Vec<(u16, String)>, Option<String>),
    /// Yes or no by status, in that word.
    YesNo {
        /// The boolean's name.
        word: String,
        /// Statuses that mean yes.
        yes: Vec<u16>,
        /// Statuses that mean no.
        no: Vec<u16>,
    },
}

impl Answer {
    /// The view by which it is shown.
    pub(super) fn view(&self) -> Option<&str> {
        match self {
            Self::Item(view) | Self::List { row: view, .. } | Self::Moved { view, .. } => view.as_deref(),
            _ => None,
        }
    }
}

/// Who does the paging of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// The forge obeys `page` and `limit`.
    Forge,
    /// The forge obeys `page`, and has a size of its own.
    Fixed,
    /// The forge sends everything in an order that may change, and we cut the pages.
    Here,
    /// The forge sends everything in its own order, and we cut the pages.
    InOrder,
}

impl Paging {
    /// The lock's words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Forge => "paged by the forge",
            Self::Fixed => "paged by the forge in its own size",
            Self::Here => "paged here",
            Self::InOrder => "paged here in the forge's order",
        }
    }
}
