//! Secrets within addresses: `https://ana:password@mirror.example/x?token=…`. The forge repeats such addresses of hooks and
//! mirrors in answers and errors, and a plan shows what was given.

use serde_json::Value;

use super::mask::MASKED;

/// What the name of a query's value tells of a secret, in lower case.
const TELLING: [&str; 8] =
    ["apikey", "api_key", "authorization", "passwd", "password", "secret", "signature", "token"];

/// The text with `***` in place of user and password, and of a query's values that are called secrets, in each address
/// within it. `None` where there is nothing of the kind.
pub(super) fn without_secrets(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut left = text;
    while let Some((before, after)) = left.split_once("://") {
        out.push_str(before);
        out.push_str("://");
        let end = after.find(|c: char| c.is_whitespace() || "\"'<>`".contains(c)).unwrap_or(after.len());
        let (address, rest) = after.split_at(end);
        one(address, &mut out);
        left = rest;
    }
    out.push_str(left);
    (out != text).then_some(out)
}

/// One address behind its scheme.
fn one(address: &str, out: &mut String) {
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    let (authority, rest) = address.split_at(end);
    match authority.rsplit_once('@') {
        // The user of SSH is the same for all.
        Some(("git", _)) | None => out.push_str(authority),
        Some((_, host)) => {
            out.push_str(MASKED);
            out.push('@');
            out.push_str(host);
        }
    }
    let Some((path, query)) = rest.split_once('?') else { return out.push_str(rest) };
    let (query, fragment) = query.split_at(query.find('#').unwrap_or(query.len()));
    out.push_str(path);
    for (at, pair) in query.split('&').enumerate() {
        out.push(if at == 0 { '?' } else { '&' });
        match pair.split_once('=') {
            Some((name, value)) if !value.is_empty() && tells(name) => {
                out.push_str(name);
                out.push('=');
                out.push_str(MASKED);
            }
            _ => out.push_str(pair),
        }
    }
    out.push_str(fragment);
}

fn tells(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TELLING.iter().any(|word| name.contains(word))
}

/// The same in every text of a value that is one address and nothing else.
pub(super) fn hide_in(value: &mut Value) {
    match value {
        Value::String(text) if !text.contains(char::is_whitespace) => {
            if let Some(shown) = without_secrets(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_in),
        Value::Object(fields) => fields.values_mut().for_each(hide_in),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_in_an_address_is_masked_and_nothing_else() {
        for (text, shown) in [
            ("https://ana:pw@mirror.example/x", Some("https://***@mirror.example/x")),
            ("https://t0ken@mirror.example", Some("https://***@mirror.example")),
            ("https://a:p@ss@h/x?y=1", Some("https://***@h/x?y=1")),
            ("https://h/x?a=1&access_token=abc&b=2#c", Some("https://h/x?a=1&access_token=***&b=2#c")),
            (
                "unable to access 'https://ana:pw@h/x/': 403, then http://b:c@d",
                Some("unable to access 'https://***@h/x/': 403, then http://***@d"),
            ),
            ("ssh://git@h:22/a/b.git", None),
            ("https://h/x@y?mail=a@b", None),
            ("ana@h.example", None),
            ("https://h/x?token=", None),
            ("://", None),
            ("", None),
        ] {
            assert_eq!(without_secrets(text).as_deref(), shown, "{text}");
        }
    }
}
