//! Settings: what beats what, what counts as unset, and that a refusal names the fix and shows no secret.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use forgehand::settings::{ChoiceFlags, ForgeFlags, LimitFlags, Target, Variables, choice, limits};

/// The settled address, whether there is a token, and whether one was left out; or the error's text.
fn settle(flags: &ForgeFlags, variables: &[(&str, &str)]) -> Result<(String, bool, bool), String> {
    let table: HashMap<&str, &str> = variables.iter().copied().collect();
    let read = |name: &str| table.get(name).map(|value| (*value).to_owned());
    match Target::settle(flags, &Variables::new(&read)) {
        Ok(Target::Instance { base, token, foreign_token }) => {
            Ok((base.to_string(), token.is_some(), foreign_token))
        }
        Ok(Target::Demo { beside_url }) => Ok(("demo".to_owned(), false, beside_url)),
        Err(error) => Err(error.to_string()),
    }
}

fn url(url: &str) -> ForgeFlags {
    ForgeFlags { url: Some(url.to_owned()), ..ForgeFlags::default() }
}

#[test]
fn the_nearest_setting_wins_and_empty_is_unset() {
    let none = ForgeFlags::default();
    let flag = url("https://flag.example/");
    let demo = ForgeFlags { demo: true, ..ForgeFlags::default() };
    for (flags, variables, address, token, note) in [
        (&flag, &[("FORGEHAND_URL", "https://ours.example")][..], "https://flag.example", false, false),
        (
            &none,
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEJO_URL", "https://old.example")],
            "https://ours.example",
            false,
            false,
        ),
        (
            &none,
            &[("FORGEHAND_URL", " "), ("FORGEJO_URL", "https://old.example")],
            "https://old.example",
            false,
            false,
        ),
        (
            &none,
            &[("FORGEJO_URL", "https://old.example"), ("FORGEJO_ACCESS_TOKEN", "t")],
            "https://old.example",
            true,
            false,
        ),
        (
            &none,
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEJO_ACCESS_TOKEN", "t")],
            "https://ours.example",
            true,
            false,
        ),
        (
            &none,
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEHAND_TOKEN", "")],
            "https://ours.example",
            false,
            false,
        ),
        // The older variables are a pair: a token never goes to an address that it was not given for.
        (
            &none,
            &[
                ("FORGEHAND_URL", "https://ours.example"),
                ("FORGEJO_URL", "https://old.example"),
                ("FORGEJO_ACCESS_TOKEN", "t"),
            ],
            "https://ours.example",
            false,
            true,
        ),
        (
            &none,
            &[
                ("FORGEHAND_URL", "https://old.example/api/v1"),
                ("FORGEJO_URL", "https://old.example/"),
                ("FORGEJO_ACCESS_TOKEN", "t"),
            ],
            "https://old.example",
            true,
            false,
        ),
        (&demo, &[], "demo", false, false),
        (&demo, &[("FORGEHAND_URL", "https://ours.example")], "demo", false, true),
        (
            &none,
            &[("FORGEHAND_DEMO", "yes"), ("FORGEHAND_URL", "https://u:p@ours.example")],
            "demo",
            false,
            true,
        ),
    ] {
        assert_eq!(
            settle(flags, variables),
            Ok((address.to_owned(), token, note)),
            "{flags:?} {variables:?}"
        );
    }
}

#[test]
fn what_cannot_be_used_is_refused_with_the_fix_and_without_the_secret() {
    let none = ForgeFlags::default();
    let file =
        ForgeFlags { token_file: Some(PathBuf::from("/nowhere/token")), ..url("https://forge.example") };
    let secret_url = url("https://ana:s3cr3t@forge.example");
    for (flags, variables, parts) in [
        (&none, &[][..], &["FORGEHAND_URL", "--demo"][..]),
        (&secret_url, &[], &["--url", "user or password"]),
        (
            &none,
            &[("FORGEHAND_URL", "https://ana:s3cr3t@forge.example")],
            &["FORGEHAND_URL", "user or password"],
        ),
        (&none, &[("FORGEJO_URL", "s3cr3t")], &["FORGEJO_URL", "https://forge.example"]),
        (&none, &[("FORGEHAND_URL", "ftp://forge.example")], &["FORGEHAND_URL", "https://"]),
        (&file, &[], &["--token-file", "/nowhere/token"]),
        (
            &none,
            &[("FORGEHAND_URL", "https://forge.example"), ("FORGEHAND_TOKEN_FILE", "/dev/null")],
            &["FORGEHAND_TOKEN_FILE", "empty"],
        ),
        (&none, &[("FORGEHAND_DEMO", "perhaps")], &["FORGEHAND_DEMO", "true or false"]),
    ] {
        let error = settle(flags, variables).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{error} lacks {part}");
        }
        assert!(!error.contains("s3cr3t"), "{error}");
    }
}

#[test]
fn limits_are_bounded_and_say_their_bounds() {
    let read = |timeout: Option<&str>, bytes: Option<&str>, variables: &[(&str, &str)]| {
        let table: HashMap<&str, &str> = variables.iter().copied().collect();
        let lookup = |name: &str| table.get(name).map(|value| (*value).to_owned());
        let flags =
            LimitFlags { timeout: timeout.map(str::to_owned), max_result_bytes: bytes.map(str::to_owned) };
        limits(&flags, &Variables::new(&lookup)).map_err(|error| error.to_string())
    };
    let given =
        read(Some("5"), None, &[("FORGEHAND_TIMEOUT", "9"), ("FORGEHAND_MAX_RESULT_BYTES", "200")]).unwrap();
    assert_eq!((given.timeout, given.max_result_bytes), (Duration::from_secs(5), 200));
    for (timeout, bytes, expected) in [
        (Some("0"), None, "--timeout is \"0\"; expected a whole number of seconds from 1 to 3600"),
        (Some("soon"), None, "--timeout is \"soon\"; expected a whole number of seconds from 1 to 3600"),
        (
            None,
            Some("199"),
            "--max-result-bytes is \"199\"; expected a whole number of bytes from 200 to 16777216",
        ),
        (
            None,
            Some("-1"),
            "--max-result-bytes is \"-1\"; expected a whole number of bytes from 200 to 16777216",
        ),
    ] {
        assert_eq!(read(timeout, bytes, &[]).unwrap_err(), expected);
    }
}

#[test]
fn a_flag_replaces_the_variable_and_blanks_between_commas_are_nothing() {
    let read = |name: &str| match name {
        "FORGEHAND_TOOLSETS" => Some("issues, ,repos ".to_owned()),
        "FORGEHAND_TOOLS" => Some(",".to_owned()),
        "FORGEHAND_READ_ONLY" => Some("TRUE".to_owned()),
        _ => None,
    };
    let chosen = choice(&ChoiceFlags::default(), &Variables::new(&read)).unwrap();
    assert_eq!(chosen.toolsets, Some(vec!["issues".to_owned(), "repos".to_owned()]));
    assert_eq!((chosen.tools, chosen.exclude.len(), chosen.read_only), (None, 0, true));
    let flags = ChoiceFlags { toolsets: vec!["all".to_owned()], ..ChoiceFlags::default() };
    let chosen = choice(&flags, &Variables::new(&read)).unwrap();
    assert_eq!(chosen.toolsets, Some(vec!["all".to_owned()]));
}
