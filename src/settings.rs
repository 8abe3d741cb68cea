//! Settings from flags and environment variables: which forge, whose token, which tools, which limits.
//!
//! A flag beats its variable; an empty variable counts as unset. `FORGEJO_URL` and `FORGEJO_ACCESS_TOKEN`, which users
//! of other servers have set, are understood where ours say nothing. A token out of a variable goes to the address that
//! the variables name and to no other. No error here shows a token or an address, which may carry a password; each says
//! what would be right.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forgehand_client::{BaseUrl, BaseUrlError};

use crate::folders::{Folder, Folders};
use crate::forge::{Repositories, Token};
use crate::mcp::Listing;
use crate::operations::arguments::{LEAST_MAX_BYTES, MOST_MAX_BYTES};
use crate::operations::surface::{Choice, UnknownName};
use crate::operations::{Confirm, Limits};

/// The longest `--timeout`, in seconds.
pub const LONGEST_TIMEOUT: u64 = 3600;
/// The variables that name an address, the nearer one first.
const ADDRESSES: [&str; 2] = ["FORGEHAND_URL", "FORGEJO_URL"];
/// The variable that names a token's file.
const TOKEN_FILE: &str = "FORGEHAND_TOKEN_FILE";
/// The variables that hold or name a token, each with those of its address: it belongs to the first that is set.
const TOKENS: [(&str, [&str; 2]); 3] = [
    ("FORGEHAND_TOKEN", ADDRESSES),
    (TOKEN_FILE, ADDRESSES),
    ("FORGEJO_ACCESS_TOKEN", ["FORGEJO_URL", "FORGEHAND_URL"]),
];
/// The largest token file that is read, in bytes; a token has about forty.
const MOST_TOKEN_BYTES: u64 = 64 * 1024;

/// Why the settings cannot be used. The message says the fix.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// Neither an address nor the demo.
    #[error(
        "no forge is named: set FORGEHAND_URL (or --url) to your instance's address, as https://forge.example, \
         or use --demo to try forgehand on recorded data"
    )]
    NoForge,
    /// An address that cannot be used.
    #[error("{from}: {error}")]
    Address {
        /// The flag or variable that holds it.
        from: &'static str,
        /// What is wrong; without the address.
        error: BaseUrlError,
    },
    /// A token file that cannot be read.
    #[error("{from}: the token file {path} cannot be read: {why}", path = .path.display())]
    TokenFile {
        /// The flag or variable that names it.
        from: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A folder that cannot be opened.
    #[error("{from}: {path} cannot be used: {why}; expected a folder that is there", path = .path.display())]
    Folder {
        /// The flag or variable that names it.
        from: &'static str,
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        why: io::Error,
    },
    /// A value that is not what its setting takes.
    #[error("{from} is {got}; expected {expected}")]
    Value {
        /// The flag or variable.
        from: &'static str,
        /// What was given, quoted.
        got: String,
        /// What would be right.
        expected: String,
    },
    /// A choice of tools that names something unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

/// Where variables are read: the process's environment, or a table in tests.
pub struct Variables<'a>(&'a dyn Fn(&str) -> Option<OsString>);

impl<'a> Variables<'a> {
    /// Variables out of that function.
    pub fn new(read: &'a dyn Fn(&str) -> Option<OsString>) -> Self {
        Self(read)
    }

    /// A variable without white space around it; `None` where nothing is left.
    fn get(&self, name: &'static str) -> Result<Option<String>, SettingsError> {
        let Some(value) = (self.0)(name) else { return Ok(None) };
        let Some(text) = value.to_str() else {
            let (got, expected) = ("not readable as text".to_owned(), "Unicode".to_owned());
            return Err(SettingsError::Value { from: name, got, expected });
        };
        Ok(Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned))
    }

    /// The first of these variables that is set, and its value.
    fn first<const N: usize>(
        &self,
        names: [&'static str; N],
    ) -> Result<Option<(&'static str, String)>, SettingsError> {
        for name in names {
            if let Some(value) = self.get(name)? {
                return Ok(Some((name, value)));
            }
        }
        Ok(None)
    }
}

/// The process's variable of that name.
pub fn process_variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The flags that name a forge. A token is never one of them: a command line is visible to every user of the machine.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ForgeFlags {
    /// The instance's address, as https://forge.example or https://example.org/git [env: FORGEHAND_URL]
    #[allow(rustdoc::bare_urls, reason = "the words are the option's help as well")]
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A file that holds the access token; or set FORGEHAND_TOKEN [env: FORGEHAND_TOKEN_FILE]
    #[arg(long, value_name = "PATH")]
    pub token_file: Option<PathBuf>,
    /// Talk to the recorded forge in this program; no account is needed [env: FORGEHAND_DEMO]
    #[arg(long)]
    pub demo: bool,
    /// Talk to a Forgejo before 7.0 or to a Gitea as well, for which the tools are not made [env: FORGEHAND_ANY_VERSION]
    #[arg(long)]
    pub any_version: bool,
    /// Ask for these repositories alone: owner/name, or owner/* [env: FORGEHAND_REPOSITORIES]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub repositories: Vec<String>,
}

/// The flags that choose tools.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ChoiceFlags {
    /// Toolsets to show: default, all, none, or names [env: FORGEHAND_TOOLSETS]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub toolsets: Vec<String>,
    /// Tools to show: alone these and no others, beside --toolsets these too [env: FORGEHAND_TOOLS]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub tools: Vec<String>,
    /// Tools to hide, whatever else is chosen [env: FORGEHAND_EXCLUDE_TOOLS]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub exclude_tools: Vec<String>,
    /// Show only tools that change nothing [env: FORGEHAND_READ_ONLY]
    #[arg(long)]
    pub read_only: bool,
}

/// The flags that say what is told of the tools.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ListingFlags {
    /// Tell clients the form of each tool's answers as well; costs tokens [env: FORGEHAND_OUTPUT_SCHEMAS]
    #[arg(long)]
    pub output_schemas: bool,
    /// Let rows of lists carry links to their resources; costs tokens [env: FORGEHAND_RESOURCE_LINKS]
    #[arg(long)]
    pub resource_links: bool,
    /// List three tools besides, that find, describe and call every tool that is allowed [env: FORGEHAND_DISCOVERY]
    #[arg(long)]
    pub discovery: bool,
}

/// The flags that bound a call, and say who confirms it.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LimitFlags {
    /// How long one call may take, retries included [default: 60] [env: FORGEHAND_TIMEOUT]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<String>,
    /// How long one answer may be; what is cut is told [default: 40960] [env: FORGEHAND_MAX_RESULT_BYTES]
    #[arg(long, value_name = "N")]
    pub max_result_bytes: Option<String>,
    /// Who confirms what cannot be undone: auto, ask (always the user) or off [default: auto] [env: FORGEHAND_CONFIRM]
    #[arg(long, value_name = "WHO")]
    pub confirm: Option<String>,
}

/// The flags that name folders of this machine, whose files a call may then use.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct FolderFlags {
    /// Uploads may send a file of this folder, named by `file` [env: FORGEHAND_UPLOAD_ROOT]
    #[arg(long, value_name = "DIR")]
    pub upload_root: Option<PathBuf>,
    /// Downloads may be written into this folder, as `save_as` names [env: FORGEHAND_DOWNLOAD_ROOT]
    #[arg(long, value_name = "DIR")]
    pub download_root: Option<PathBuf>,
}

/// Which forge is talked to.
#[derive(Debug, Clone)]
pub enum Target {
    /// The recorded forge.
    Demo {
        /// Whether an address was given as well, which the demo overrides.
        beside_url: bool,
    },
    /// An instance.
    Instance {
        /// Its address.
        base: BaseUrl,
        /// The account's token, if there is one.
        token: Option<Token>,
        /// A token that was left out, where none is used.
        foreign_token: Option<ForeignToken>,
        /// Whether it may be older than what the tools are made for.
        any_version: bool,
    },
}

/// A token that belongs to another instance's address, both by the variables that hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForeignToken {
    /// The token's variable.
    pub token: &'static str,
    /// The address's.
    pub address: &'static str,
}

impl Target {
    /// Settles the forge out of flags and variables; a token file is read.
    ///
    /// # Errors
    /// [`SettingsError`] where no forge is named, its address is unfit or its token file cannot be read.
    pub fn settle(flags: &ForgeFlags, variables: &Variables<'_>) -> Result<Self, SettingsError> {
        let named = match &flags.url {
            Some(url) => Some(("--url", url.clone())),
            None => variables.first(ADDRESSES)?,
        };
        if flags.demo || switch("FORGEHAND_DEMO", variables)? {
            return Ok(Self::Demo { beside_url: named.is_some() });
        }
        let (from, address) = named.ok_or(SettingsError::NoForge)?;
        let base = BaseUrl::parse(&address).map_err(|error| SettingsError::Address { from, error })?;
        let (token, foreign_token) = match &flags.token_file {
            Some(path) => (Some(read_token("--token-file", path)?), None),
            None => token_for(&base, variables)?,
        };
        let any_version = flags.any_version || switch("FORGEHAND_ANY_VERSION", variables)?;
        Ok(Self::Instance { base, token, foreign_token, any_version })
    }
}

/// The first token out of a variable that belongs to that address; else the first that was left out.
fn token_for(
    base: &BaseUrl,
    variables: &Variables<'_>,
) -> Result<(Option<Token>, Option<ForeignToken>), SettingsError> {
    let mut foreign = None;
    for (name, addresses) in TOKENS {
        let Some(value) = variables.get(name)? else { continue };
        if let Some((address, url)) = variables.first(addresses)?
            && !BaseUrl::parse(&url).is_ok_and(|own| own == *base)
        {
            foreign.get_or_insert(ForeignToken { token: name, address });
            continue;
        }
        let token = match name {
            TOKEN_FILE => Some(read_token(name, Path::new(&value))?),
            _ => Token::new(&value),
        };
        return Ok((token, None));
    }
    Ok((None, foreign))
}

fn read_token(from: &'static str, path: &Path) -> Result<Token, SettingsError> {
    use std::io::Read;
    let fault = |why: String| SettingsError::TokenFile { from, path: path.to_owned(), why };
    let file = std::fs::File::open(path).map_err(|error| fault(error.to_string()))?;
    let mut text = String::new();
    file.take(MOST_TOKEN_BYTES + 1).read_to_string(&mut text).map_err(|error| fault(error.to_string()))?;
    if text.len() as u64 > MOST_TOKEN_BYTES {
        return Err(fault("it is too large to hold a token and nothing else".to_owned()));
    }
    Token::new(&text)
        .ok_or_else(|| fault("it is empty; it should hold the token and nothing else".to_owned()))
}

/// The choice of tools out of flags and variables.
///
/// # Errors
/// [`SettingsError::Value`] where FORGEHAND_READ_ONLY is neither yes nor no, or a list of names holds none. Unknown names
/// are found later, against the table.
pub fn choice(flags: &ChoiceFlags, variables: &Variables<'_>) -> Result<Choice, SettingsError> {
    let list = |given: &[String], flag, variable| names(given, flag, variable, variables);
    Ok(Choice {
        toolsets: list(&flags.toolsets, "--toolsets", "FORGEHAND_TOOLSETS")?,
        tools: list(&flags.tools, "--tools", "FORGEHAND_TOOLS")?,
        exclude: list(&flags.exclude_tools, "--exclude-tools", "FORGEHAND_EXCLUDE_TOOLS")?
            .unwrap_or_default(),
        read_only: flags.read_only || switch("FORGEHAND_READ_ONLY", variables)?,
    })
}

/// What is told of the tools, out of flags and variables.
///
/// # Errors
/// [`SettingsError::Value`] where a variable is neither yes nor no.
pub fn listing(flags: &ListingFlags, variables: &Variables<'_>) -> Result<Listing, SettingsError> {
    Ok(Listing {
        output_schemas: flags.output_schemas || switch("FORGEHAND_OUTPUT_SCHEMAS", variables)?,
        resource_links: flags.resource_links || switch("FORGEHAND_RESOURCE_LINKS", variables)?,
        discovery: flags.discovery || switch("FORGEHAND_DISCOVERY", variables)?,
    })
}

/// The names that a flag, else its variable, lists. A list without any name is refused: it would choose what is chosen
/// when nothing is said.
fn names(
    given: &[String],
    flag: &'static str,
    variable: &'static str,
    variables: &Variables<'_>,
) -> Result<Option<Vec<String>>, SettingsError> {
    let (from, text) = if !given.is_empty() {
        (flag, given.join(","))
    } else if let Some(text) = variables.get(variable)? {
        (variable, text)
    } else {
        return Ok(None);
    };
    let names: Vec<String> =
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if names.is_empty() {
        let expected = "names with commas between them".to_owned();
        return Err(SettingsError::Value { from, got: format!("{text:?}"), expected });
    }
    Ok(Some(names))
}

/// The repositories that alone are asked for, out of flag and variable; none where nothing is said.
///
/// # Errors
/// [`SettingsError::Value`] for a name that is neither `owner/name` nor `owner/*`, and for a list without any.
pub fn repositories(
    flags: &ForgeFlags,
    variables: &Variables<'_>,
) -> Result<Option<Repositories>, SettingsError> {
    let (flag, variable) = ("--repositories", "FORGEHAND_REPOSITORIES");
    let Some(given) = names(&flags.repositories, flag, variable, variables)? else { return Ok(None) };
    let read = Repositories::read(given.iter().map(String::as_str));
    read.map(Some).map_err(|name| SettingsError::Value {
        from: if flags.repositories.is_empty() { variable } else { flag },
        got: format!("{name:?}"),
        expected: "owner/name or owner/*, with commas between them".to_owned(),
    })
}

/// The bounds of a call, and who confirms it, out of flags and variables.
///
/// # Errors
/// [`SettingsError::Value`] where a number is out of its bounds or no number, or `--confirm` is none of its words.
pub fn limits(flags: &LimitFlags, variables: &Variables<'_>) -> Result<Limits, SettingsError> {
    let mut limits = Limits::default();
    let timeout = given(&flags.timeout, "--timeout", "FORGEHAND_TIMEOUT", variables)?;
    if let Some((from, text)) = timeout {
        let seconds = number(from, &text, "seconds", 1, LONGEST_TIMEOUT)?;
        limits.timeout = Duration::from_secs(seconds);
    }
    let bytes =
        given(&flags.max_result_bytes, "--max-result-bytes", "FORGEHAND_MAX_RESULT_BYTES", variables)?;
    if let Some((from, text)) = bytes {
        let most = number(from, &text, "bytes", LEAST_MAX_BYTES as u64, MOST_MAX_BYTES as u64)?;
        limits.max_result_bytes = usize::try_from(most).unwrap_or(MOST_MAX_BYTES);
    }
    if let Some((from, text)) = given(&flags.confirm, "--confirm", "FORGEHAND_CONFIRM", variables)? {
        limits.confirm = match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Confirm::Auto,
            "ask" => Confirm::Ask,
            "off" => Confirm::Off,
            _ => {
                let (got, expected) = (format!("{text:?}"), "auto, ask or off".to_owned());
                return Err(SettingsError::Value { from, got, expected });
            }
        };
    }
    Ok(limits)
}

/// The most bytes of an answer, where a flag or a variable bounds them; [`limits`] tells whether they are right.
///
/// # Errors
/// A variable that cannot be read.
pub fn result_bound(flags: &LimitFlags, variables: &Variables<'_>) -> Result<Option<usize>, SettingsError> {
    let bound =
        given(&flags.max_result_bytes, "--max-result-bytes", "FORGEHAND_MAX_RESULT_BYTES", variables)?;
    Ok(bound.and_then(|(_, text)| text.trim().parse().ok()))
}

/// The folders of this machine out of flags and variables, opened.
///
/// # Errors
/// [`SettingsError::Folder`] where there is none at the path.
pub fn folders(flags: &FolderFlags, variables: &Variables<'_>) -> Result<Folders, SettingsError> {
    let open = |flag: &Option<PathBuf>, from: &'static str, variable: &'static str| {
        let (from, path) = match flag {
            Some(path) => (from, path.clone()),
            None => match variables.get(variable)? {
                Some(path) => (variable, path.into()),
                None => return Ok(None),
            },
        };
        Folder::open(&path).map(Some).map_err(|why| SettingsError::Folder { from, path, why })
    };
    Ok(Folders {
        upload: open(&flags.upload_root, "--upload-root", "FORGEHAND_UPLOAD_ROOT")?,
        download: open(&flags.download_root, "--download-root", "FORGEHAND_DOWNLOAD_ROOT")?,
        output: None,
        output_limit: None,
    })
}

fn given(
    value: &Option<String>,
    flag: &'static str,
    variable: &'static str,
    variables: &Variables<'_>,
) -> Result<Option<(&'static str, String)>, SettingsError> {
    Ok(match value {
        Some(text) => Some((flag, text.clone())),
        None => variables.get(variable)?.map(|text| (variable, text)),
    })
}

fn number(from: &'static str, text: &str, unit: &str, least: u64, most: u64) -> Result<u64, SettingsError> {
    match text.trim().parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(SettingsError::Value {
            from,
            got: format!("{text:?}"),
            expected: format!("a whole number of {unit} from {least} to {most}"),
        }),
    }
}

fn switch(name: &'static str, variables: &Variables<'_>) -> Result<bool, SettingsError> {
    let Some(text) = variables.get(name)? else { return Ok(false) };
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(SettingsError::Value {
            from: name,
            got: format!("{text:?}"),
            expected: "true or false".to_owned(),
        }),
    }
}
