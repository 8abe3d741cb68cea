//! From settings to a forge that can be talked to.

use forgehand_client::BaseUrl;

use super::{Exit, output};
use crate::demo::{DemoForge, Options, TOKEN_PREFIX, WEB_BASE};
use crate::folders::Folders;
use crate::forge::{Forge, Repositories, Token};
use crate::operations::Limits;
use crate::settings::{
    self, FolderFlags, ForeignToken, ForgeFlags, LimitFlags, SettingsError, Target, Variables,
};

/// Where calls go, within which bounds, and what of this machine they may use.
pub(crate) struct Settled {
    /// Where they go.
    pub(crate) target: Target,
    /// The repositories that alone are asked for, where some are named.
    pub(crate) repositories: Option<Repositories>,
    /// The bounds.
    pub(crate) limits: Limits,
    /// The folders of this machine.
    pub(crate) folders: Folders,
}

impl Settled {
    /// Reads what the commands that call a forge have in common; no folders where a command has no flags for them.
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub(crate) fn read(
        (forge, limits, folders): (&ForgeFlags, &LimitFlags, Option<&FolderFlags>),
        variables: &Variables<'_>,
    ) -> Result<Self, SettingsError> {
        Ok(Self {
            target: Target::settle(forge, variables)?,
            repositories: settings::repositories(forge, variables)?,
            limits: settings::limits(limits, variables)?,
            folders: match folders {
                Some(folders) => settings::folders(folders, variables)?,
                None => Folders::default(),
            },
        })
    }

    /// Makes the forge; says on standard error what the user should know of it. The recorded forge is started.
    ///
    /// # Errors
    /// The exit, with the reason told.
    pub(crate) async fn reach(self) -> Result<Reached, Exit> {
        let Reached { forge, _demo } = connected(self.target).await?;
        let forge = match self.repositories {
            Some(repositories) => forge.within(repositories),
            None => forge,
        };
        Ok(Reached { forge: forge.with_folders(self.folders), _demo })
    }
}

/// A forge, and the recorded one behind it where there is one: that ends when it is dropped.
pub(crate) struct Reached {
    /// What operations talk to.
    pub(crate) forge: Forge,
    /// The recorded forge, kept alive.
    _demo: Option<DemoForge>,
}

async fn connected(target: Target) -> Result<Reached, Exit> {
    match target {
        Target::Instance { base, token, foreign_token, any_version } => {
            if let Some(ForeignToken { token, address }) = foreign_token {
                output::note(&format!(
                    "{token} is not used: it belongs to {address}, which is another address; for this one, give \
                     --token-file, or set FORGEHAND_URL and FORGEHAND_TOKEN"
                ));
            }
            let forge = Forge::new(base, token).any_version(any_version);
            Ok(Reached { forge, _demo: None })
        }
        Target::Demo { beside_url } => {
            if beside_url {
                output::note(
                    "--demo wins over the forge's address that is set as well; that forge is not talked to",
                );
            }
            demo().await.map_err(|why| output::fail(Exit::Fault, &format!("the demo cannot start: {why}")))
        }
    }
}

/// Starts the recorded forge, and is bob there.
async fn demo() -> Result<Reached, String> {
    let demo = DemoForge::start(Options::default()).await.map_err(|error| error.to_string())?;
    let base = BaseUrl::parse(&demo.base_url()).map_err(|error| error.to_string())?;
    let token = Token::new(&format!("{TOKEN_PREFIX}bob"));
    let recorded = BaseUrl::parse(WEB_BASE).map_err(|error| error.to_string())?;
    Ok(Reached { forge: Forge::new(base, token).direct().known_as(recorded), _demo: Some(demo) })
}

/// Tells why the settings cannot be used.
pub(crate) fn refuse(error: &SettingsError) -> Exit {
    output::fail(Exit::Usage, &error.to_string())
}
