//! How an answer is read, and what is shown of it.

/// How an operation's answer is read.
#[derive(Debug)]
pub enum Answer {
    /// One object, shown through a view.
    Item(&'static Shape),
    /// A list: `{items, next?, total?}`.
    List(List),
    /// One object, shown through a view; or a redirect by which a write tells that the thing is at another place now:
    /// `{"transferred": true, "full_name": …}`.
    Moved {
        /// How the object is shown.
        shape: &'static Shape,
        /// The name of the boolean that tells of the move.
        word: &'static str,
        /// The body's field that says to which owner; a redirect that leads to another is none of this write's doing.
        to: &'static str,
    },
    /// One bare value (`true`, a number, a string), under a name of its own: `{"within_quota": false}`.
    Value {
        /// The value's name.
        word: &'static str,
    },
    /// Text as it is: diffs, logs, files.
    Text,
    /// Bytes with a media type.
    Bytes,
    /// Nothing, or nothing worth showing: `{"done": true, "status": …, note?}`.
    Done {
        /// The name of the boolean, `done` unless the inventory tells a better one (`merged`).
        word: &'static str,
        /// Statuses that mean another word and not this one (201: `scheduled`).
        instead: &'static [(u16, &'static str)],
        /// What this success leaves open: the forge answers it for what is not there as well.
        note: Option<&'static str>,
    },
    /// Yes or no, by status.
    YesNo {
        /// The name of the boolean.
        word: &'static str,
        /// Statuses that mean yes.
        yes: &'static [u16],
        /// Statuses that mean no.
        no: &'static [u16],
    },
}

/// How a list is read.
#[derive(Debug)]
pub struct List {
    /// How each row is shown.
    pub row: &'static Shape,
    /// The property that holds the rows, where the answer wraps them.
    pub items: Option<&'static str>,
    /// The property that holds the total, where the answer has one.
    pub total: Option<&'static str>,
    /// Whether an object in place of the list is its only row.
    pub or_one: bool,
    /// Who does the paging, and in what order.
    pub paging: Paging,
}

impl List {
    /// Whether the forge sends all of it, whatever page is asked for.
    pub fn is_whole(&self) -> bool {
        matches!(self.paging, Paging::Here | Paging::InOrder)
    }
}

/// Who does the paging of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// The forge obeys `page` and `limit`.
    Forge,
    /// The forge obeys `page` and decides by itself how many rows a page has.
    Fixed,
    /// The forge sends everything, in an order that may change; the pages are cut here, by `id`.
    Here,
    /// The forge sends everything, and its order is fixed and says something; the pages are cut here in that order.
    InOrder,
}

/// What is shown of a JSON value. An array is shown element by element with the same shape.
#[derive(Debug)]
pub enum Shape {
    /// The value as it is.
    Whole,
    /// A field with base64: its text under this name, or where it is no UTF-8 the base64 under its own.
    Decoded(&'static str),
    /// A date and time; the zeros that stand for none are none.
    Moment,
    /// One field stands for the object: a user is its login.
    Inline(&'static str, &'static Shape),
    /// These fields, in this order.
    Fields(&'static [Shown]),
}

/// A shown field.
#[derive(Debug)]
pub struct Shown {
    /// Its wire name.
    pub name: &'static str,
    /// How its value is shown.
    pub shape: &'static Shape,
}

/// The fields that the document tells of an object.
#[derive(Debug)]
pub struct Definition {
    /// Its name in the document, as `Issue`; empty for an object without one.
    pub name: &'static str,
    /// Each field's wire name, and what is inside it, sorted.
    pub fields: &'static [(&'static str, Inside)],
}

/// What is inside a field; a list is told by its elements.
#[derive(Debug)]
pub enum Inside {
    /// A text, a number or a boolean.
    Plain,
    /// A date and time.
    Moment,
    /// An object with these fields.
    Object(&'static Definition),
    /// Any JSON.
    Anything,
}
