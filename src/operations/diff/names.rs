//! The lines of a diff's own: what a head, a hunk's head and a binary part hold, and the names in a head.

/// The starts of lines that a head may hold behind its first.
const STARTS: [&[u8]; 13] = [
    b"--- ",
    b"+++ ",
    b"index ",
    b"old mode ",
    b"new mode ",
    b"new file mode ",
    b"deleted file mode ",
    b"similarity index ",
    b"dissimilarity index ",
    b"rename from ",
    b"rename to ",
    b"copy from ",
    b"copy to ",
];

/// Whether a line belongs to a head. A patch's signature begins with `-- `, which is no name.
pub(super) fn is_of_head(line: &[u8]) -> bool {
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a line belongs to a binary part: base 85, lengths, and blank lines.
pub(super) fn is_of_binary(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let is_length = line.starts_with(b"literal ") || line.starts_with(b"delta ");
    let is_data = line.first().is_some_and(u8::is_ascii_alphabetic) && !line.contains(&b' ');
    line.is_empty() || is_length || is_data
}

/// How many lines of the old and the new file a hunk has, by its head: `@@ -1,2 +3 @@`.
pub(super) fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let line = line.strip_prefix(b"@@ -")?;
    let end = line.windows(3).position(|part| part == b" @@")?;
    let (old, new) = std::str::from_utf8(line.get(..end)?).ok()?.split_once(" +")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some((count(old)?, count(new)?))
}

/// What became of a head's file, in the forge's words.
pub(super) fn status(head: &[u8]) -> &'static str {
    let statuses = [
        (b"new file mode ".as_slice(), "added"),
        (b"deleted file mode ", "deleted"),
        (b"rename from ", "renamed"),
        (b"copy from ", "copied"),
    ];
    let mut lines = head.split(|byte| *byte == b'\n');
    let told =
        |line: &[u8]| statuses.iter().find(|(start, _)| line.starts_with(start)).map(|(_, word)| *word);
    lines.find_map(told).unwrap_or("changed")
}

/// The names that a head's file had and has, the old one first; one or two.
pub(super) fn of_head(head: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut add = |name: Vec<u8>| {
        if !names.contains(&name) {
            names.push(name);
        }
    };
    for line in lines {
        let moved = [b"rename from ".as_slice(), b"rename to ", b"copy from ", b"copy to "];
        if let Some(name) = moved.iter().find_map(|start| line.strip_prefix(*start)) {
            add(unquoted(name));
        }
        let changed = [b"--- ".as_slice(), b"+++ "].iter().find_map(|start| line.strip_prefix(*start));
        // Behind a name with a space stands a tab.
        let changed = changed.map(|name| name.strip_suffix(b"\t").unwrap_or(name));
        if let Some(name) = changed.filter(|name| *name != b"/dev/null") {
            add(without_side(unquoted(name)));
        }
    }
    if names.is_empty()
        && let Some((old, new)) = of_first(first.strip_prefix(b"diff --git ").unwrap_or_default())
    {
        return if old == new { vec![old] } else { vec![old, new] };
    }
    names
}

/// The two names of a head's first line, which has no mark between names with spaces: where nothing else in the head
/// tells the names, they are the same.
fn of_first(line: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (old, new) = if line.first() == Some(&b'"') {
        let mut escaped = false;
        let end = line.iter().skip(1).position(|byte| {
            let is_end = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            is_end
        })?;
        (line.get(..end + 2)?, line.get(end + 3..)?)
    } else if line.last() == Some(&b'"') {
        let at = line.windows(2).position(|part| part == b" \"")?;
        (line.get(..at)?, line.get(at + 1..)?)
    } else {
        let half = line.len() / 2;
        (line.get(..half)?, line.get(half + 1..)?)
    };
    Some((without_side(unquoted(old)), without_side(unquoted(new))))
}

/// A name without `a/` or `b/`.
fn without_side(name: Vec<u8>) -> Vec<u8> {
    match name.strip_prefix(b"a/").or_else(|| name.strip_prefix(b"b/")) {
        Some(bare) => bare.to_vec(),
        None => name,
    }
}

/// A name as it is: in quotes, odd bytes are written as in C, `\303\257` or `\t`.
fn unquoted(name: &[u8]) -> Vec<u8> {
    let Some(inner) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else {
        return name.to_vec();
    };
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escape = if byte == b'\\' { bytes.next() } else { None };
        out.push(match escape {
            None => byte,
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'v') => 11,
            Some(b'f') => 12,
            Some(b'r') => b'\r',
            Some(digit @ b'0'..=b'7') => {
                let mut value = digit - b'0';
                for _ in 0..2 {
                    if let Some(next) = bytes.next_if(|next| (b'0'..=b'7').contains(next)) {
                        value = value.wrapping_mul(8).wrapping_add(next - b'0');
                    }
                }
                value
            }
            Some(other) => other,
        });
    }
    out
}
