//! What an answer shows of a JSON value, and its paths in words.

/// What is shown of a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// All of it.
    Whole,
    /// Base64, shown as text under this name where it is one.
    Decoded(String),
    /// A moment, which may be the zero that stands for none.
    Moment,
    /// One field in its place.
    Inline(String, Box<Self>),
    /// These fields.
    Fields(Vec<(String, Self)>),
}

impl Shape {
    /// The dotted paths that are shown; a field that stands for its object is in brackets: `user[login]`, one that is
    /// decoded has its shown name behind it: `content_base64 decoded as content`.
    pub fn paths(&self) -> Vec<String> {
        match self {
            Self::Whole | Self::Moment => vec![String::new()],
            Self::Decoded(name) => vec![format!(" decoded as {name}")],
            Self::Inline(field, inner) => {
                inner.paths().into_iter().map(|path| format!("[{}]", join(field, &path))).collect()
            }
            Self::Fields(fields) => fields
                .iter()
                .flat_map(|(name, shape)| shape.paths().into_iter().map(move |path| join(name, &path)))
                .collect(),
        }
    }
}

impl Shape {
    /// The names under which the fields of the first level are shown.
    pub fn names(&self) -> Vec<&str> {
        let Self::Fields(fields) = self else { return Vec::new() };
        fields
            .iter()
            .map(|(name, shape)| match shape {
                Self::Decoded(shown) => shown.as_str(),
                _ => name.as_str(),
            })
            .collect()
    }
}

fn join(name: &str, path: &str) -> String {
    if path.is_empty() || path.starts_with(['[', ' ']) {
        format!("{name}{path}")
    } else {
        format!("{name}.{path}")
    }
}
