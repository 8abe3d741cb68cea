//! Settings from flags and environment variables: which forge, whose token, which tools, which limits.
//!
//! A flag beats its variable; an empty variable counts as unset. `FORGEJO_URL` and `FORGEJO_ACCESS_TOKEN`, which users
//! of other servers have set, are understood where ours say nothing. No error here shows a token or an address, which
//! may carry a password; each says what would be right.

use std::path::{Path, PathBuf};
use std::time::Duration;

use forgehand_client::{BaseUrl, BaseUrlError};

use crate::forge::Token;
use crate::operations::Limits;
use crate::operations::surface::{Choice, UnknownName};

/// The smallest `--max-result-bytes`: below it not even an error fits.
pub const LEAST_RESULT_BYTES: usize = 200;
/// The largest `--max-result-bytes`, 16 MiB.
pub const MOST_RESULT_BYTES: usize = 16 * 1024 * 1024;
/// The longest `--timeout`, in seconds.
pub const LONGEST_TIMEOUT: u64 = 3600;
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
pub struct Variables<'a>(&'a dyn Fn(&str) -> Option<String>);

impl<'a> Variables<'a> {
    /// Variables out of that function.
    pub fn new(read: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self(read)
    }

    /// A variable without white space around it; `None` where nothing is left.
    fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// The process's variable of that name, if it is Unicode.
pub fn process_variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The flags that name a forge. A token is never one of them: a command line is visible to every user of the machine.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ForgeFlags {
    /// The instance's address, as https://forge.example or https://example.org/git [env: FORGEHAND_URL]
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A file that holds the access token; or set FORGEHAND_TOKEN [env: FORGEHAND_TOKEN_FILE]
    #[arg(long, value_name = "PATH")]
    pub token_file: Option<PathBuf>,
    /// Talk to the recorded forge in this program; no account is needed [env: FORGEHAND_DEMO]
    #[arg(long)]
    pub demo: bool,
}

/// The flags that choose tools.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ChoiceFlags {
    /// Toolsets to show: default, all, or names [env: FORGEHAND_TOOLSETS]
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

/// The flags that bound a call.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LimitFlags {
    /// How long one call may take, retries included [default: 60] [env: FORGEHAND_TIMEOUT]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<String>,
    /// How long one answer may be; what is cut is told [default: 40960] [env: FORGEHAND_MAX_RESULT_BYTES]
    #[arg(long, value_name = "N")]
    pub max_result_bytes: Option<String>,
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
        /// Whether a token was left out because it belongs to another instance's address.
        foreign_token: bool,
    },
}

impl Target {
    /// Settles the forge out of flags and variables; a token file is read.
    ///
    /// # Errors
    /// [`SettingsError`] where no forge is named, its address is unfit or its token file cannot be read.
    pub fn settle(flags: &ForgeFlags, variables: &Variables<'_>) -> Result<Self, SettingsError> {
        let ours = match &flags.url {
            Some(url) => Some(("--url", url.clone())),
            None => variables.get("FORGEHAND_URL").map(|url| ("FORGEHAND_URL", url)),
        };
        let older = variables.get("FORGEJO_URL").map(|url| ("FORGEJO_URL", url));
        if flags.demo || switch("FORGEHAND_DEMO", variables)? {
            return Ok(Self::Demo { beside_url: ours.or(older).is_some() });
        }
        let (from, address) = ours.or_else(|| older.clone()).ok_or(SettingsError::NoForge)?;
        let base = BaseUrl::parse(&address).map_err(|error| SettingsError::Address { from, error })?;
        if let Some(token) = our_token(flags, variables)? {
            return Ok(Self::Instance { base, token: Some(token), foreign_token: false });
        }
        let older_token = variables.get("FORGEJO_ACCESS_TOKEN").and_then(|token| Token::new(&token));
        let same = older.is_none_or(|(_, url)| BaseUrl::parse(&url).is_ok_and(|older| older == base));
        let foreign_token = older_token.is_some() && !same;
        Ok(Self::Instance { base, token: older_token.filter(|_| same), foreign_token })
    }
}

fn our_token(flags: &ForgeFlags, variables: &Variables<'_>) -> Result<Option<Token>, SettingsError> {
    if let Some(path) = &flags.token_file {
        return read_token("--token-file", path).map(Some);
    }
    if let Some(token) = variables.get("FORGEHAND_TOKEN") {
        return Ok(Token::new(&token));
    }
    match variables.get("FORGEHAND_TOKEN_FILE") {
        Some(path) => read_token("FORGEHAND_TOKEN_FILE", Path::new(&path)).map(Some),
        None => Ok(None),
    }
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
/// [`SettingsError::Value`] where FORGEHAND_READ_ONLY is neither yes nor no. Unknown names are found later, against the
/// table.
pub fn choice(flags: &ChoiceFlags, variables: &Variables<'_>) -> Result<Choice, SettingsError> {
    let list = |flag: &[String], name: &str| {
        let given: Vec<String> = if flag.is_empty() {
            variables.get(name).map(|text| text.split(',').map(str::to_owned).collect()).unwrap_or_default()
        } else {
            flag.to_vec()
        };
        given.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect::<Vec<_>>()
    };
    let chosen = |names: Vec<String>| (!names.is_empty()).then_some(names);
    Ok(Choice {
        toolsets: chosen(list(&flags.toolsets, "FORGEHAND_TOOLSETS")),
        tools: chosen(list(&flags.tools, "FORGEHAND_TOOLS")),
        exclude: list(&flags.exclude_tools, "FORGEHAND_EXCLUDE_TOOLS"),
        read_only: flags.read_only || switch("FORGEHAND_READ_ONLY", variables)?,
    })
}

/// The bounds of a call out of flags and variables.
///
/// # Errors
/// [`SettingsError::Value`] where a number is out of its bounds or no number.
pub fn limits(flags: &LimitFlags, variables: &Variables<'_>) -> Result<Limits, SettingsError> {
    let mut limits = Limits::default();
    let timeout = given(&flags.timeout, "--timeout", "FORGEHAND_TIMEOUT", variables);
    if let Some((from, text)) = timeout {
        let seconds = number(from, &text, "seconds", 1, LONGEST_TIMEOUT)?;
        limits.timeout = Duration::from_secs(seconds);
    }
    let bytes = given(&flags.max_result_bytes, "--max-result-bytes", "FORGEHAND_MAX_RESULT_BYTES", variables);
    if let Some((from, text)) = bytes {
        let most = number(from, &text, "bytes", LEAST_RESULT_BYTES as u64, MOST_RESULT_BYTES as u64)?;
        limits.max_result_bytes = usize::try_from(most).unwrap_or(MOST_RESULT_BYTES);
    }
    Ok(limits)
}

fn given(
    value: &Option<String>,
    flag: &'static str,
    variable: &'static str,
    variables: &Variables<'_>,
) -> Option<(&'static str, String)> {
    match value {
        Some(text) => Some((flag, text.clone())),
        None => variables.get(variable).map(|text| (variable, text)),
    }
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
    let Some(text) = variables.get(name) else { return Ok(false) };
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
