//! What an operation takes: its arguments, where each goes, what it may hold and how it is written.

use forgehand_client::{BuildError, Call, Parameters, Raw};

use super::Mask;

/// One argument of an operation.
#[derive(Debug)]
pub struct Parameter {
    /// The argument's name.
    pub name: &'static str,
    /// Older names that are accepted and say nothing.
    pub aliases: &'static [&'static str],
    /// Where it goes.
    pub place: Place,
    /// Its name on the wire; for a body the property, dotted where it is nested.
    pub wire: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Whether a call without it is refused.
    pub required: bool,
    /// The value that is sent when none is given, as JSON text.
    pub default: Option<&'static str>,
    /// The argument whose value is taken when none is given (`owner` for `depends_on_owner`).
    pub default_from: Option<&'static str>,
    /// The argument that must be given where this one is true (`head_commit_id` for `require_head`).
    pub demands: Option<&'static str>,
    /// The word at which it does, where it is no boolean.
    pub demands_at: Option<&'static str>,
    /// The argument that may not be given beside this one (`content` beside `external_url`), nor what stands in its place; of a
    /// boolean, where it is true (`due_date` beside `clear_due_date`).
    pub excludes: Option<&'static str>,
    /// What is told beside the plan and the answer where this one is false: what the forge drops with it.
    pub when_false: Option<&'static str>,
    /// The argument that may be given in its place (`content_base64` for `content`); never both.
    pub or: Option<&'static str>,
    /// Whether an empty filter says something of its own: where the forge takes one for none, it is refused.
    pub empty: bool,
    /// How its value is written.
    pub codec: Codec,
    /// What of its value is a secret, which no error, no question and no dry run repeats; of a map the values.
    pub secret: Option<&'static Mask>,
}

/// Where an argument goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into the path.
    Path,
    /// Into the query.
    Query,
    /// Into a property of the JSON body.
    Body,
    /// It is the body.
    WholeBody,
    /// Into a field of the form.
    Form,
    /// It is the form's file.
    File,
    /// It is the media type of the form's file.
    FileType,
    /// Nowhere: the engine reads it (`page` where paging is done here).
    Local,
}

/// What an argument may hold.
#[derive(Debug)]
pub enum Kind {
    /// Any text, byte for byte.
    Text,
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A whole number within bounds, both inclusive.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// RFC 3339 with an offset; a plain date is also taken, and means its first moment in UTC.
    DateTime,
    /// `YYYY-MM-DD`.
    Date,
    /// A list of these.
    List(&'static Kind),
    /// An object with these fields.
    Object(&'static [Field]),
    /// An object of text values by any key.
    TextMap,
    /// A name or an id: a number is the id, a text the name, and outside of a list digits are the id.
    Name(Names),
    /// Any JSON.
    Json,
}

/// Names that are looked up before anything else is asked for.
#[derive(Debug)]
pub struct Names {
    /// What they are names of.
    pub of: &'static Named,
    /// Whether the name is sent, and not the id.
    pub by_name: bool,
    /// Whether an id is looked up as well: a filter that the forge would pass over in silence.
    pub checked: bool,
    /// The least id: 0 where that means none.
    pub least: i64,
}

/// Things that have an id, and a name by which people know them.
#[derive(Debug)]
pub struct Named {
    /// The inventory's word for them, as `repo_hook`.
    pub name: &'static str,
    /// What errors call one of them, as `hook`.
    pub word: &'static str,
    /// The fields of a row that name it, dotted where they are nested; each row has an `id` besides.
    pub by: &'static [&'static str],
    /// The path parameter of the lists that a name tells itself, before a slash: `org` where the name is `acme/Owners`.
    pub within: Option<&'static str>,
    /// Whether the names are web addresses, which may hold what no error may repeat.
    pub address: bool,
    /// Whether a list of such names on the wire may hold ids as well.
    pub mixed: bool,
    /// Whether what is all digits may be a name, as the id of a key in hexadecimal: it is looked up before it is an id.
    pub digits: bool,
    /// Where they are listed; what is in any of the lists is there.
    pub lists: &'static [NameList],
}

/// A list of the forge's in which names are looked up.
#[derive(Debug)]
pub struct NameList {
    /// Builds its call.
    pub build: fn(Parameters) -> Result<Call<Raw>, BuildError>,
    /// Its path parameters but [`Named::within`], each with the path parameter of the operation that tells it.
    pub path: &'static [(&'static str, &'static str)],
    /// What its query says besides the page.
    pub query: &'static [(&'static str, &'static str)],
    /// Whether it has pages.
    pub paged: bool,
    /// Whether there may be none (404), or none that the token may read (403).
    pub optional: bool,
}

/// A field of an object argument.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its name on the wire.
    pub wire: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Whether the object must have it.
    pub required: bool,
    /// The field that may be given in its place (`content_base64` for `content`); never both.
    pub or: Option<&'static str>,
    /// How its value is written.
    pub codec: Codec,
}

/// How an argument's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// As it is.
    Plain,
    /// A list becomes one string, joined by commas.
    Comma,
    /// Text becomes its base64.
    Base64,
    /// The base64 of a file's content becomes its bytes.
    FromBase64,
    /// Base64 stays base64: checked, and written in one line.
    CheckedBase64,
    /// A length of time, as `1h30m`, becomes its seconds.
    Duration,
    /// A full commit sha stays as it is: the forge compares it to the letter, and takes an empty one for none.
    Sha,
    /// A number or a boolean becomes its text.
    AsText,
}
