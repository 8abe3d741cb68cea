//! The text of a diff, or of some of its files, byte for byte, and where it may be cut.

use serde_json::{Map, Value};

use super::names;
use super::reader::{Kind, Part};
use crate::operations::lines::Skip;
use crate::operations::near::near;
use crate::operations::{Code, OperationError};

/// The most bytes of names that are kept for an error.
const NAMED: usize = 64 * 1024;

/// The most names of the diff that an error tells.
const LISTED: usize = 10;

/// Collects the sections of the wanted files, or everything.
#[derive(Debug)]
pub(super) struct Sections<'a> {
    /// The files; none is everything, what stands between the files included.
    wanted: Option<&'a [String]>,
    /// Which of them the diff has.
    found: Vec<bool>,
    /// Names that the diff has, for the error, as far as there is room.
    names: Vec<String>,
    named: usize,
    /// Whether the file is wanted that is being read.
    keep: bool,
    /// The bytes that are passed over.
    skip: Skip,
    max: usize,
    kept: Vec<u8>,
    /// The last place within the budget where a hunk or a file begins.
    border: usize,
    /// The kind of what came last.
    last: Kind,
    place: Place,
    /// Where the first kept byte stands, where that is within a file.
    begins: Option<Place>,
}

/// A place in a diff.
#[derive(Debug, Default, Clone)]
struct Place {
    file: String,
    /// The first line of the hunk.
    hunk: Option<String>,
}

/// What was collected.
#[derive(Debug)]
pub(super) struct Chosen {
    /// The bytes; behind the budget where there are more.
    pub(super) bytes: Vec<u8>,
    /// The last place within the budget where a hunk or a file begins, where there is one.
    pub(super) border: Option<usize>,
    /// Where the first byte stands, where that is behind a file's head: `{file, hunk?}`.
    pub(super) begins: Map<String, Value>,
    /// What was passed over before it.
    pub(super) skip: Skip,
}

impl<'a> Sections<'a> {
    /// Passes over the first `skip` bytes, and keeps at most about `max` of the others, always more where there are more.
    pub(super) fn new(wanted: Option<&'a [String]>, skip: u64, max: usize) -> Self {
        Self {
            wanted,
            found: vec![false; wanted.map_or(0, <[String]>::len)],
            names: Vec::new(),
            named: 0,
            keep: wanted.is_none(),
            skip: Skip::new(skip),
            max,
            kept: Vec::new(),
            border: 0,
            last: Kind::Outside,
            place: Place::default(),
            begins: None,
        }
    }

    /// Whether nothing that comes could change what is shown.
    pub(super) fn has_enough(&self) -> bool {
        self.kept.len() > self.max && self.found.iter().all(|found| *found)
    }

    /// Whether nothing came that is shown.
    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// What is passed over.
    pub(super) fn skip(&self) -> &Skip {
        &self.skip
    }

    /// How many bytes are kept.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.kept.len()
    }

    /// Takes a part of the diff.
    pub(super) fn take(&mut self, part: Part<'_>) {
        match part.kind {
            Kind::Head => {
                let names = names::of_head(part.bytes);
                let is_wanted = self.look(&names);
                self.keep = self.wanted.is_none() || is_wanted;
                self.place =
                    Place { file: names.last().map(|name| lossy(name)).unwrap_or_default(), hunk: None };
            }
            Kind::Outside => self.keep = self.wanted.is_none(),
            _ => {}
        }
        let is_border = part.starts
            && match part.kind {
                Kind::Head => true,
                Kind::Hunk => self.last != Kind::Head,
                Kind::Outside => self.last != Kind::Outside,
                _ => false,
            };
        self.last = part.kind;
        if self.keep && self.kept.len() <= self.max {
            self.keep(part, is_border);
        }
        if part.kind == Kind::Hunk && part.starts {
            self.place.hunk = Some(lossy(part.bytes.trim_ascii_end()));
        }
    }

    fn keep(&mut self, part: Part<'_>, is_border: bool) {
        let rest = self.skip.over(part.bytes);
        let is_whole = rest.len() == part.bytes.len();
        if is_border && is_whole && self.kept.len() <= self.max {
            self.border = self.kept.len();
        }
        if self.kept.is_empty() && !rest.is_empty() && self.begins.is_none() {
            let is_first = part.kind == Kind::Outside || part.kind == Kind::Head && is_whole;
            let place = if is_first { Place::default() } else { self.place.clone() };
            let begins_hunk = part.kind == Kind::Hunk && part.starts && is_whole;
            self.begins = Some(Place { hunk: place.hunk.filter(|_| !begins_hunk), ..place });
        }
        self.kept.extend_from_slice(rest);
    }

    /// Whether a file is wanted that has or had one of these names.
    fn look(&mut self, names: &[Vec<u8>]) -> bool {
        let mut is_wanted = false;
        for name in names {
            for (wanted, found) in self.wanted.into_iter().flatten().zip(&mut self.found) {
                let is_it = wanted.as_bytes() == name;
                *found |= is_it;
                is_wanted |= is_it;
            }
            let has_room = self.wanted.is_some() && self.named + name.len() <= NAMED;
            let name = lossy(name);
            if has_room && !self.names.contains(&name) {
                self.named += name.len();
                self.names.push(name);
            }
        }
        is_wanted
    }

    /// The sections, cut somewhere behind the budget where they are longer. Of a part of a diff, those that came.
    ///
    /// # Errors
    /// [`Code::InvalidArguments`] where the diff has no file of a wanted name, or what follows the bytes that are passed over
    /// begins behind its end or within a character.
    pub(super) fn finish(self, is_part: bool) -> Result<Chosen, OperationError> {
        let missing = self.wanted.into_iter().flatten().zip(&self.found).find(|(_, found)| !**found);
        if let Some((path, _)) = missing.filter(|_| !is_part) {
            return Err(self.unknown(path));
        }
        self.skip.ended()?;
        self.skip.at_character(&self.kept)?;
        let mut begins = Map::new();
        if let Some(place) = self.begins.filter(|place| !place.file.is_empty()) {
            begins.insert("file".to_owned(), place.file.into());
            begins.extend(place.hunk.map(|hunk| ("hunk".to_owned(), hunk.into())));
        }
        let border = (self.border > 0).then_some(self.border);
        Ok(Chosen { bytes: self.kept, border, begins, skip: self.skip })
    }

    fn unknown(&self, path: &str) -> OperationError {
        let end = path.rsplit('/').next().unwrap_or(path);
        let is_alike = |name: &&String| name.rsplit('/').next() == Some(end);
        let mut close: Vec<String> = self.names.iter().filter(is_alike).take(3).cloned().collect();
        if close.is_empty() {
            close = near(path, self.names.iter().map(String::as_str));
        }
        let mut said = format!("argument `paths`: expected a file that the diff changes, got {path:?}");
        if let Some(near) = close.first() {
            said.push_str(&format!("; did you mean `{near}`?"));
        }
        let mut error = OperationError::new(Code::InvalidArguments, said);
        error.near = close;
        let names = self.names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
        error.hint(match self.names.len() {
            0 => "the diff changes no file".to_owned(),
            count if count > LISTED => format!("the diff's files begin with {names}"),
            _ => format!("the diff's files are {names}"),
        })
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
