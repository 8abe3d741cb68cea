//! What an answer tells of what was asked of a write, and of filters: where it stands in the answer, and how the two
//! are compared.

/// An argument whose effect the answer tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The argument's name.
    pub name: String,
    /// The field of the answer, dotted where it is nested; empty for a list's rows themselves.
    pub path: String,
    /// How the two are compared.
    pub by: Compare,
}

/// How what was asked is compared with what the answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// A text, a number or a boolean, as it is.
    Same,
    /// A word, in any case.
    Word,
    /// A moment, of which the forge may keep the day alone.
    Day,
    /// A list of words in which order means nothing.
    Set,
    /// Words that are among the answer's, which has some under a longer name or without `_only`.
    Among,
    /// An object, of which the fields that both have are compared.
    Fields,
    /// An object of words by key, where the answer has a map: a key that it lacks is not there, which `none` asks for.
    Keys,
    /// A switch that clears a moment, which the answer then has not.
    Cleared,
    /// The id of the object that the answer has.
    Id,
    /// The ids of the objects that the answer has.
    Ids,
    /// The login of the user that the answer has.
    Login,
    /// The logins of the users that the answer has.
    Logins,
    /// The ids of rows that are among the answer's.
    Rows,
    /// The text of which the answer has the base64.
    Encoded,
    /// What the write expects to be there.
    Expected,
    /// What a filter names, of which each row of an honest answer holds one: the forge passes over what it does not know.
    Held,
    /// The same, of which each row holds all.
    HeldAll,
}

impl Compare {
    /// What the lock says of it behind the argument's name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Same => "",
            Self::Encoded => " from base64",
            Self::Expected => " as expected",
            Self::Word => " in any case",
            Self::Day => " by day",
            Self::Set => " in any order",
            Self::Among => " among",
            Self::Fields => " by field",
            Self::Keys => " by key",
            Self::Cleared => " as none",
            Self::Id | Self::Ids => " by id",
            Self::Login | Self::Logins => " by login",
            Self::Rows => " by id of a row",
            Self::Held => " of which each row holds one",
            Self::HeldAll => " of which each row holds all",
        }
    }
}
