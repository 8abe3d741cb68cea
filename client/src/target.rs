//! Path and query of a call, percent-encoded once while they are written.

use std::borrow::Cow;

use crate::BuildError;
use crate::encode::{push_escaped, push_segment, push_slashed};

/// A plain value of a path or query parameter.
pub(crate) trait Plain {
    /// The value as text, not encoded yet.
    fn text(&self) -> Cow<'_, str>;
}

impl Plain for str {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl Plain for String {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl<T: Plain + ?Sized> Plain for &T {
    fn text(&self) -> Cow<'_, str> {
        (**self).text()
    }
}

macro_rules! plain {
    ($($kind:ty),*) => {$(
        impl Plain for $kind {
            fn text(&self) -> Cow<'_, str> {
                Cow::Owned(self.to_string())
            }
        }
    )*};
}
plain!(i64, i32, u64, bool, f64);

/// The request target in the making. What was written first must be the path.
#[derive(Default)]
pub(crate) struct Target {
    text: String,
    has_query: bool,
}

impl Target {
    /// A part of the path as the document has it.
    pub(crate) fn fixed(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A path parameter that is one segment, or a part of one.
    pub(crate) fn segment(&mut self, name: &str, value: &impl Plain) -> Result<(), BuildError> {
        push_segment(&mut self.text, name, &value.text())
    }

    /// A path parameter whose slashes separate segments.
    pub(crate) fn slashed(&mut self, name: &str, value: &impl Plain) -> Result<(), BuildError> {
        push_slashed(&mut self.text, name, &value.text())
    }

    /// A query parameter; none where there is no value.
    pub(crate) fn query(&mut self, name: &str, value: Option<impl Plain>) {
        if let Some(value) = value {
            self.pair(name, &value.text());
        }
    }

    /// A list in the query: the name is repeated. An empty list is none.
    pub(crate) fn repeated<T: Plain>(&mut self, name: &str, values: Option<&[T]>) {
        for value in values.unwrap_or_default() {
            self.pair(name, &value.text());
        }
    }

    /// A list in the query: its elements are joined by commas. An empty list is none.
    #[allow(dead_code, reason = "the pinned document may have no such list")]
    pub(crate) fn comma<T: Plain>(&mut self, name: &str, values: Option<&[T]>) -> Result<(), BuildError> {
        let values: Vec<_> = values.unwrap_or_default().iter().map(Plain::text).collect();
        if values.iter().any(|value| value.contains(',')) {
            let reason = "may hold no comma, which separates the list's elements".to_owned();
            return Err(BuildError { place: "query", name: name.to_owned(), reason });
        }
        if !values.is_empty() {
            self.pair(name, &values.join(","));
        }
        Ok(())
    }

    /// The whole target.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn pair(&mut self, name: &str, value: &str) {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        push_escaped(&mut self.text, name);
        self.text.push('=');
        push_escaped(&mut self.text, value);
    }
}
