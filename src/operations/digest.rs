//! Digests: the name that git gives a blob, and the name of what has passed of a text.

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// How many hexadecimal digits tell one version of a text from another.
pub(super) const DIGITS: usize = 12;

/// Whether bytes are the blob of that sha: of 40 hexadecimal digits, or in a repository of git's newer kind of 64.
pub(super) fn is_blob(bytes: &[u8], sha: &str) -> bool {
    let made = match sha.len() {
        40 => blob::<Sha1>(bytes),
        64 => blob::<Sha256>(bytes),
        _ => return false,
    };
    made.eq_ignore_ascii_case(sha)
}

fn blob<D: Digest>(bytes: &[u8]) -> String {
    let mut digest = D::new();
    digest.update(format!("blob {}\0", bytes.len()));
    digest.update(bytes);
    hex(&digest.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What has passed of a text that comes in pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct Passed(Sha256);

impl Passed {
    /// Takes a piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Its name: twelve hexadecimal digits.
    pub(super) fn name(&self) -> String {
        let mut name = hex(&self.0.clone().finalize());
        name.truncate(DIGITS);
        name
    }

    /// The name of it and of what follows.
    pub(super) fn name_with(&self, more: &[u8]) -> String {
        let mut all = self.clone();
        all.push(more);
        all.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_is_told_by_the_sha_that_git_gives_it() {
        for (bytes, sha) in [
            ("", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
            ("hello\n", "ce013625030ba8dba906f756967f9e9ca394464a"),
            ("hello\n", "CE013625030BA8DBA906F756967F9E9CA394464A"),
            ("", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"),
            ("hello\n", "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"),
        ] {
            assert!(is_blob(bytes.as_bytes(), sha), "{sha}");
            assert!(!is_blob(b"hallo\n", sha), "{sha}");
        }
        assert!(!is_blob(b"", "") && !is_blob(b"", "e69de29"));
    }

    #[test]
    fn what_passed_has_one_name_however_it_came() {
        let mut pieces = Passed::default();
        pieces.push(b"ab");
        assert_eq!(pieces.name_with(b"cd"), Passed::default().name_with(b"abcd"));
        assert_ne!(pieces.name(), Passed::default().name());
        assert_eq!(pieces.name().len(), DIGITS);
    }
}
