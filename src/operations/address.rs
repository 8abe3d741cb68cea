//! Secrets within addresses: `https://ana:password@mirror.example/x?token=…`. The forge repeats such addresses of hooks and
//! mirrors in answers and errors, and a plan shows what was given.
//!
//! Of the address of a hook's receiver more is a secret. Chats and automation services tell who may post by the path
//! (`/bot123:KEY/sendMessage`, `/services/T…/B…/KEY`) or by a value of the query under any name, so that there what is no
//! plain word is masked, and so is each value of the query: `https://ci.example/hook` stays, a key in whatever place does not.

use serde_json::Value;

use super::mask::MASKED;

/// What within the name of a query's value tells of a secret, in lower case.
const TELLING: [&str; 8] =
    ["apikey", "api_key", "authorization", "passwd", "password", "secret", "signature", "token"];

/// Words of such a name that tell of one, each between marks.
const TELLING_WORDS: [&str; 7] = ["auth", "code", "key", "pass", "pwd", "sig", "sign"];

/// The most letters of a plain word, and the most characters of words with marks between them.
const LONGEST_WORD: usize = 16;
const LONGEST_WORDS: usize = 40;

/// The most characters of a version or a number that is no key: `v1`, `42`.
const LONGEST_NUMBER: usize = 3;

/// Whose an address is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Anybody,
    Receiver,
}

/// An address in pieces, each with whether it is a secret.
type Pieces<'a> = Vec<(&'a str, bool)>;

/// The text with `***` in place of user and password, and of a query's values that are called secrets, in each address
/// within it. `None` where there is nothing of the kind.
pub(super) fn without_secrets(text: &str) -> Option<String> {
    let mut pieces = Pieces::new();
    let mut left = text;
    while let Some((before, after)) = left.split_once("://") {
        bare(before, &mut pieces);
        pieces.push(("://", false));
        let end = after.find(|c: char| c.is_whitespace() || "\"'<>`".contains(c)).unwrap_or(after.len());
        let (address, rest) = after.split_at(end);
        split(address, Of::Anybody, &mut pieces);
        left = rest;
    }
    bare(left, &mut pieces);
    shown(&pieces)
}

/// What has no scheme: `ana:password@mirror.example`, one of the words of a text.
fn bare<'a>(text: &'a str, pieces: &mut Pieces<'a>) {
    for word in text.split_inclusive(|c: char| c.is_whitespace() || "\"'<>`(),".contains(c)) {
        let user = word.rsplit_once('@').filter(|(user, host)| {
            let host = host.split([':', '/']).next().unwrap_or_default();
            let is_host = host.starts_with('[') || host.trim_end_matches('.').contains('.');
            let has_secret = |(name, secret): (&str, &str)| !name.is_empty() && !secret.is_empty();
            is_host && !user.contains('/') && user.split_once(':').is_some_and(has_secret)
        });
        match user {
            Some((user, _)) => {
                pieces.extend([(user, true), (word.get(user.len()..).unwrap_or_default(), false)])
            }
            None => pieces.push((word, false)),
        }
    }
}

/// The address of a hook's receiver with `***` in place of what may be a secret: user and password, each segment of the path
/// that is no plain word, the values of the query and the fragment. `None` where there is nothing of the kind.
pub(super) fn of_receiver(text: &str) -> Option<String> {
    shown(&receiver(text))
}

/// What may be a secret in the address of a hook's receiver.
pub(super) fn secrets_of_receiver(text: &str) -> impl Iterator<Item = &str> {
    receiver(text).into_iter().filter(|(_, is_secret)| *is_secret).map(|(piece, _)| piece)
}

fn receiver(text: &str) -> Pieces<'_> {
    let mut pieces = Pieces::new();
    let mut rest = text;
    if let Some((scheme, after)) = text.split_once("://") {
        pieces.extend([(scheme, !is_plain(scheme)), ("://", false)]);
        rest = after;
    }
    split(rest, Of::Receiver, &mut pieces);
    pieces
}

fn shown(pieces: &Pieces<'_>) -> Option<String> {
    pieces
        .iter()
        .any(|(_, is_secret)| *is_secret)
        .then(|| pieces.iter().map(|(piece, is_secret)| if *is_secret { MASKED } else { piece }).collect())
}

/// One address behind its scheme.
fn split<'a>(address: &'a str, of: Of, pieces: &mut Pieces<'a>) {
    let (authority, rest) = address.split_at(address.find(['/', '?', '#']).unwrap_or(address.len()));
    match authority.rsplit_once('@') {
        // The user of SSH is the same for all.
        Some(("git", _)) | None => pieces.push((authority, false)),
        Some((user, host)) => pieces.extend([(user, true), ("@", false), (host, false)]),
    }
    let (rest, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
    for part in path.split_inclusive('/') {
        let (segment, slash) = part.split_at(part.len() - usize::from(part.ends_with('/')));
        pieces.extend([(segment, of == Of::Receiver && !is_plain(segment)), (slash, false)]);
    }
    for part in query.split_inclusive(['?', '&']) {
        let (pair, mark) = part.split_at(part.len() - usize::from(part.ends_with(['?', '&'])));
        split_pair(pair, of, pieces);
        pieces.push((mark, false));
    }
    let (mark, fragment) = fragment.split_at(usize::from(!fragment.is_empty()));
    pieces.extend([(mark, false), (fragment, of == Of::Receiver && !fragment.is_empty())]);
}

/// One value of a query with its name.
fn split_pair<'a>(pair: &'a str, of: Of, pieces: &mut Pieces<'a>) {
    let is_receiver = of == Of::Receiver;
    match pair.split_once('=') {
        Some((name, value)) => {
            pieces.extend([(name, is_receiver && !is_plain(name)), ("=", false)]);
            pieces.push((value, !value.is_empty() && (is_receiver || tells(name))));
        }
        None => pieces.push((pair, is_receiver && !pair.is_empty())),
    }
}

fn tells(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TELLING.iter().any(|word| name.contains(word))
        || name.split(['-', '_', '.']).any(|word| TELLING_WORDS.contains(&word))
}

/// Whether a text is words that people choose, with marks between them, or a short number: no key that a service makes.
fn is_plain(text: &str) -> bool {
    let is_word = |word: &str| {
        // `sendMessage` is a word, `aBCdE` is none.
        let two_capitals = |pair: &[u8]| pair.iter().all(u8::is_ascii_uppercase);
        word.len() <= LONGEST_WORD
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            && !word.as_bytes().windows(2).any(two_capitals)
    };
    let is_number = text.len() <= LONGEST_NUMBER && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_number || (text.len() <= LONGEST_WORDS && text.split(['-', '_', '.']).all(is_word))
}

/// Masks every text of a value that is one address and nothing else.
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
                "https://h/x?key=a&x-sig=b&code=c&auth=d",
                Some("https://h/x?key=***&x-sig=***&code=***&auth=***"),
            ),
            ("https://h/x?keyword=a&author=b&encode=c&page=2", None),
            (
                "unable to access 'https://ana:pw@h/x/': 403, then http://b:c@d",
                Some("unable to access 'https://***@h/x/': 403, then http://***@d"),
            ),
            ("https://h/a/b/commit/0d1f1b9bf0d46f52a2dde56a7f18e3c0c5a9a7de", None),
            ("ssh://git@h:22/a/b.git", None),
            ("https://h/x@y?mail=a@b", None),
            ("ana@h.example", None),
            ("no mirror at ana:s3cret@h.example, sorry", Some("no mirror at ***@h.example, sorry")),
            ("ana:s3cret@h.example:a/b.git", Some("***@h.example:a/b.git")),
            ("git@h.example:a/b.git", None),
            ("Re: mail@h.example and a:@b", None),
            ("12:30@noon", None),
            ("https://h/x?token=", None),
            ("://", None),
            ("", None),
        ] {
            assert_eq!(without_secrets(text).as_deref(), shown, "{text}");
        }
    }

    #[test]
    fn of_a_receivers_address_words_are_shown_and_whatever_may_be_a_key_is_not() {
        for (text, shown) in [
            ("https://ci.example/hook", None),
            ("https://ci.example:8443/gitea-webhook/post/", None),
            ("https://ci.example/api/v1/my.project/42/hook", None),
            ("http://ci.example", None),
            // Each type that the forge offers a hook of.
            (
                "https://api.telegram.org/bot123456:AAHk-xyz_1/sendMessage?chat_id=-100",
                Some("https://api.telegram.org/***/sendMessage?chat_id=***"),
            ),
            (
                "https://discord.com/api/webhooks/112233445566778899/aB-c_D3",
                Some("https://discord.com/api/webhooks/***/***"),
            ),
            (
                "https://hooks.slack.com/services/T00AB12CD/B00EF34GH/abcdEFGHijklMNOPqrstUVWX",
                Some("https://hooks.slack.com/services/***/***/***"),
            ),
            (
                "https://acme.webhook.office.com/webhookb/1b2c-3d@4e5f/IncomingWebhook/0a1b2c/9f8e",
                Some("https://acme.webhook.office.com/webhookb/***/IncomingWebhook/***/***"),
            ),
            (
                "https://a.logic.azure.com/workflows/0a1b2c/triggers/manual/paths/invoke?sp=x&sig=y",
                Some("https://a.logic.azure.com/workflows/***/triggers/manual/paths/invoke?sp=***&sig=***"),
            ),
            (
                "https://oapi.dingtalk.com/robot/send?access_token=0a1b",
                Some("https://oapi.dingtalk.com/robot/send?access_token=***"),
            ),
            (
                "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0a1b-2c",
                Some("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=***"),
            ),
            (
                "https://open.feishu.cn/open-apis/bot/v2/hook/0a1b2c3d-4e5f",
                Some("https://open.feishu.cn/open-apis/bot/v2/hook/***"),
            ),
            (
                "https://packagist.org/api/update-package?username=ana&apiToken=x",
                Some("https://packagist.org/api/update-package?username=***&apiToken=***"),
            ),
            // A key of letters alone, in small ones and in mixed ones; escapes, users, fragments, what has no scheme.
            ("https://mm.example/hooks/abcdefghijklmnopqrstuvwxyz", Some("https://mm.example/hooks/***")),
            ("https://mm.example/hooks/aBCdEFgh", Some("https://mm.example/hooks/***")),
            ("https://h/x/%61bc?abc#def", Some("https://h/x/***?***#***")),
            ("https://u:p@h/hook", Some("https://***@h/hook")),
            ("hooks.example/services/T0A1B2", Some("hooks.example/services/***")),
            ("", None),
        ] {
            assert_eq!(of_receiver(text).as_deref(), shown, "{text}");
        }
    }
}
