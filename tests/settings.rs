//! Settings: what beats what, what counts as unset, and that a refusal names the fix and shows no secret.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use forgehand::operations::Confirm;
use forgehand::settings::{
    ChoiceFlags, FolderFlags, ForgeFlags, LimitFlags, Target, Variables, choice, folders, limits,
    repositories,
};

/// The settled address, whether there is a token, and whether one was left out; or the error's text.
fn settle(flags: &ForgeFlags, variables: &[(&str, &str)]) -> Result<(String, bool, bool), String> {
    let table: HashMap<&str, &str> = variables.iter().copied().collect();
    let read = |name: &str| table.get(name).map(OsString::from);
    match Target::settle(flags, &Variables::new(&read)) {
        Ok(Target::Instance { base, token, foreign_token, .. }) => {
            Ok((base.to_string(), token.is_some(), foreign_token.is_some()))
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
        // A token never goes to an address that it was not given for.
        (
            &flag,
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEHAND_TOKEN", "t")],
            "https://flag.example",
            false,
            true,
        ),
        (
            &flag,
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEHAND_TOKEN_FILE", "/nowhere/token")],
            "https://flag.example",
            false,
            true,
        ),
        (
            &flag,
            &[("FORGEHAND_URL", "https://flag.example/api/v1"), ("FORGEHAND_TOKEN", "t")],
            "https://flag.example",
            true,
            false,
        ),
        (&flag, &[("FORGEHAND_TOKEN", "t")], "https://flag.example", true, false),
        (&flag, &[("FORGEJO_ACCESS_TOKEN", "t")], "https://flag.example", true, false),
        (
            &flag,
            &[("FORGEJO_URL", "https://old.example"), ("FORGEHAND_TOKEN", "t")],
            "https://flag.example",
            false,
            true,
        ),
        (
            &flag,
            &[("FORGEHAND_URL", "https://ours.example"), ("FORGEJO_ACCESS_TOKEN", "t")],
            "https://flag.example",
            false,
            true,
        ),
        (
            &flag,
            &[
                ("FORGEHAND_URL", "https://ours.example"),
                ("FORGEHAND_TOKEN", "t"),
                ("FORGEJO_URL", "https://flag.example"),
                ("FORGEJO_ACCESS_TOKEN", "t"),
            ],
            "https://flag.example",
            true,
            false,
        ),
        (
            &none,
            &[("FORGEJO_URL", "https://old.example"), ("FORGEHAND_TOKEN", "t")],
            "https://old.example",
            true,
            false,
        ),
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
fn any_version_is_allowed_by_flag_or_variable_alone() {
    let allowed = |flag: bool, variable: &str| {
        let read = |name: &str| (name == "FORGEHAND_ANY_VERSION").then(|| variable.into());
        let flags = ForgeFlags { any_version: flag, ..url("https://forge.example") };
        match Target::settle(&flags, &Variables::new(&read)) {
            Ok(Target::Instance { any_version, .. }) => Ok(any_version),
            other => Err(format!("{other:?}")),
        }
    };
    for (flag, variable, is_allowed) in
        [(false, "", false), (true, "", true), (false, "true", true), (true, "no", true), (false, "0", false)]
    {
        assert_eq!(allowed(flag, variable), Ok(is_allowed), "{flag} {variable}");
    }
    assert!(allowed(false, "perhaps").unwrap_err().contains("FORGEHAND_ANY_VERSION"));
}

#[test]
fn limits_are_bounded_and_say_their_bounds() {
    let read = |timeout: Option<&str>, bytes: Option<&str>, variables: &[(&str, &str)]| {
        let table: HashMap<&str, &str> = variables.iter().copied().collect();
        let lookup = |name: &str| table.get(name).map(OsString::from);
        let (timeout, max_result_bytes) = (timeout.map(str::to_owned), bytes.map(str::to_owned));
        let flags = LimitFlags { timeout, max_result_bytes, confirm: None };
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
fn who_confirms_is_one_of_three_words_and_auto_where_nothing_is_said() {
    let read = |flag: Option<&str>, variable: Option<&str>| {
        let lookup = |name: &str| variable.filter(|_| name == "FORGEHAND_CONFIRM").map(OsString::from);
        let flags = LimitFlags { confirm: flag.map(str::to_owned), ..LimitFlags::default() };
        limits(&flags, &Variables::new(&lookup))
            .map(|limits| limits.confirm)
            .map_err(|error| error.to_string())
    };
    for (flag, variable, expected) in [
        (None, None, Confirm::Auto),
        (None, Some(" "), Confirm::Auto),
        (None, Some("Ask"), Confirm::Ask),
        (Some("auto"), Some("off"), Confirm::Auto),
        (Some("off"), None, Confirm::Off),
    ] {
        assert_eq!(read(flag, variable), Ok(expected), "{flag:?} {variable:?}");
    }
    assert_eq!(read(Some("never"), None).unwrap_err(), "--confirm is \"never\"; expected auto, ask or off");
    let error = read(None, Some("true")).unwrap_err();
    assert_eq!(error, "FORGEHAND_CONFIRM is \"true\"; expected auto, ask or off");
}

#[test]
fn a_flag_replaces_the_variable_and_blanks_between_commas_are_nothing() {
    let read = |name: &str| match name {
        "FORGEHAND_TOOLSETS" => Some("issues, ,repos ".into()),
        "FORGEHAND_TOOLS" => Some(" ".into()),
        "FORGEHAND_READ_ONLY" => Some("TRUE".into()),
        _ => None,
    };
    let chosen = choice(&ChoiceFlags::default(), &Variables::new(&read)).unwrap();
    assert_eq!(chosen.toolsets, Some(vec!["issues".to_owned(), "repos".to_owned()]));
    assert_eq!((chosen.tools, chosen.exclude.len(), chosen.read_only), (None, 0, true));
    let flags = ChoiceFlags { toolsets: vec!["all".to_owned()], ..ChoiceFlags::default() };
    let chosen = choice(&flags, &Variables::new(&read)).unwrap();
    assert_eq!(chosen.toolsets, Some(vec!["all".to_owned()]));
}

#[test]
fn a_list_that_names_nothing_is_refused() {
    let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    let toolsets = |text: &str| ChoiceFlags { toolsets: names(text), ..ChoiceFlags::default() };
    let none = ChoiceFlags::default();
    for (flags, variable, expected) in [
        (toolsets(""), "issues", "--toolsets is \"\"; expected names with commas between them"),
        (toolsets(" , "), "", "--toolsets is \" , \"; expected names with commas between them"),
        (none.clone(), ",", "FORGEHAND_TOOLSETS is \",\"; expected names with commas between them"),
        (
            ChoiceFlags { tools: names(""), ..none.clone() },
            "",
            "--tools is \"\"; expected names with commas between them",
        ),
        (
            ChoiceFlags { exclude_tools: names(""), ..none },
            "",
            "--exclude-tools is \"\"; expected names with commas between them",
        ),
    ] {
        let read = |name: &str| (name == "FORGEHAND_TOOLSETS").then(|| OsString::from(variable));
        let error = choice(&flags, &Variables::new(&read)).unwrap_err().to_string();
        assert_eq!(error, expected);
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_refused_and_never_counts_as_unset() {
    use std::os::unix::ffi::OsStringExt;
    let said = |odd: &str| {
        let read = |name: &str| match name {
            name if name == odd => Some(OsString::from_vec(b"s3cr3t\xff".to_vec())),
            "FORGEHAND_URL" => Some("https://ours.example".into()),
            _ => None,
        };
        let variables = Variables::new(&read);
        let settled = Target::settle(&ForgeFlags::default(), &variables).map(drop);
        let chosen = choice(&ChoiceFlags::default(), &variables).map(drop);
        let bounded = limits(&LimitFlags::default(), &variables).map(drop);
        settled.and(chosen).and(bounded).map_err(|error| error.to_string())
    };
    for name in [
        "FORGEHAND_URL",
        "FORGEHAND_DEMO",
        "FORGEHAND_TOKEN",
        "FORGEHAND_TOKEN_FILE",
        "FORGEJO_ACCESS_TOKEN",
        "FORGEHAND_READ_ONLY",
        "FORGEHAND_TOOLSETS",
        "FORGEHAND_TOOLS",
        "FORGEHAND_EXCLUDE_TOOLS",
        "FORGEHAND_TIMEOUT",
        "FORGEHAND_MAX_RESULT_BYTES",
    ] {
        assert_eq!(said(name), Err(format!("{name} is not readable as text; expected Unicode")));
    }
    assert_eq!(said("FORGEHAND_OTHER"), Ok(()));
}

#[test]
fn repositories_are_named_by_flag_or_variable_and_a_list_without_any_is_refused() {
    let flag = |names: &[&str]| ForgeFlags {
        repositories: names.iter().map(|name| (*name).to_owned()).collect(),
        ..ForgeFlags::default()
    };
    for (flags, variable, expected) in [
        (flag(&[]), None, Ok(None)),
        (flag(&["acme/widget", "bob/*"]), Some("eve/x"), Ok(Some("acme/widget, bob/*"))),
        (flag(&[]), Some(" acme/Widget , bob/*"), Ok(Some("acme/widget, bob/*"))),
        (
            flag(&[]),
            Some(","),
            Err("FORGEHAND_REPOSITORIES is \",\"; expected names with commas between them"),
        ),
        (
            flag(&["acme"]),
            None,
            Err("--repositories is \"acme\"; expected owner/name or owner/*, with commas between them"),
        ),
    ] {
        let read = |name: &str| variable.filter(|_| name == "FORGEHAND_REPOSITORIES").map(OsString::from);
        let found = repositories(&flags, &Variables::new(&read));
        let found =
            found.map(|named| named.map(|named| named.to_string())).map_err(|error| error.to_string());
        let expected = expected.map(|named| named.map(str::to_owned)).map_err(str::to_owned);
        assert_eq!(found, expected);
    }
}

#[test]
fn a_folder_is_opened_by_flag_or_variable_and_one_that_is_none_is_named() {
    let there = std::env::temp_dir();
    let open = |flags: &FolderFlags, variable: &str| {
        let read = |name: &str| (name == "FORGEHAND_DOWNLOAD_ROOT").then(|| OsString::from(variable));
        folders(flags, &Variables::new(&read))
            .map(|folders| (folders.upload.is_some(), folders.download.is_some()))
            .map_err(|error| error.to_string())
    };
    let none = FolderFlags::default();
    let flag = FolderFlags { upload_root: Some(there.clone()), ..FolderFlags::default() };
    assert_eq!(open(&none, ""), Ok((false, false)));
    assert_eq!(open(&none, there.to_str().unwrap()), Ok((false, true)));
    assert_eq!(open(&flag, ""), Ok((true, false)));
    for none_such in ["missing/folder", "Cargo.toml"] {
        let error = open(&none, none_such).unwrap_err();
        assert!(
            error.starts_with(&format!("FORGEHAND_DOWNLOAD_ROOT: {none_such} cannot be used: ")),
            "{error}"
        );
        let flag = FolderFlags { download_root: Some(none_such.into()), ..FolderFlags::default() };
        assert!(open(&flag, "").unwrap_err().starts_with("--download-root: "));
    }
}
