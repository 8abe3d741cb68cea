//! From settings to a forge that can be talked to.

use std::io;

use super::Exit;
use super::output;
use crate::forge::Forge;
use crate::settings::{SettingsError, Target};

/// Makes the forge; says on standard error what the user should know of it.
///
/// # Errors
/// The exit, with the reason told.
pub(crate) fn forge(target: Target) -> Result<Forge, Exit> {
    match target {
        Target::Instance { base, token, foreign_token } => {
            if foreign_token {
                output::note(
                    "FORGEJO_ACCESS_TOKEN is not used: it belongs to FORGEJO_URL, which is another address; \
                     set FORGEHAND_TOKEN",
                );
            }
            Ok(Forge::new(base, token))
        }
        Target::Demo { .. } => Err(output::fail(Exit::Fault, "the demo is not part of this build")),
    }
}

/// Tells why the settings cannot be used.
pub(crate) fn refuse(error: &SettingsError) -> Exit {
    output::fail(Exit::Usage, &error.to_string())
}

/// Tells why the runtime could not be started.
pub(crate) fn no_runtime(error: &io::Error) -> Exit {
    output::fail(Exit::Fault, &format!("the system refuses what a network program needs: {error}"))
}
