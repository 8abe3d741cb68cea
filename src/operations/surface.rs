//! Which operations an adapter shows: the default ones, or what toolsets, names, exclusions and read-only choose.
//!
//! Both adapters ask the same surface, so that what is hidden from one is hidden from the other.

use std::collections::BTreeSet;

use super::descriptor::{Effect, Operation, Retired};
use super::error::{Code, OperationError};
use super::near::{did_you_mean, near, near_tools};
use super::table::RETIRED;
use super::within;

/// The toolset that stands for what is shown when nothing is chosen.
const DEFAULT: &str = "default";
/// The toolset that stands for everything.
const ALL: &str = "all";
/// The toolset that stands for nothing, for a server that only discovers.
const NONE: &str = "none";

/// What the user chose. `None` is "said nothing", which differs from an empty choice.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Toolsets by name, `default`, `all` and `none` among them.
    pub toolsets: Option<Vec<String>>,
    /// Tools by name. Alone they replace the default; beside toolsets they add to them.
    pub tools: Option<Vec<String>>,
    /// Tools that are hidden whatever else was chosen.
    pub exclude: Vec<String>,
    /// Whether only operations that change nothing are shown.
    pub read_only: bool,
}

/// A choice that names something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownName {
    /// There is none.
    #[error("no {kind} is called `{name}`{}; `forgehand tools` lists them", did_you_mean(.near))]
    Unknown {
        /// `toolset` or `tool`.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// Names close to it.
        near: Vec<String>,
    },
    /// There was such a tool.
    #[error("the tool `{name}` is no more: {advice}")]
    Retired {
        /// What was asked for.
        name: String,
        /// What to use in its place.
        advice: &'static str,
    },
}

/// The operations that are shown, and why others are not.
#[derive(Debug, Clone)]
pub struct Surface {
    table: &'static [Operation],
    retired: &'static [Retired],
    shown: Vec<&'static Operation>,
    exclude: BTreeSet<String>,
    read_only: bool,
    of_repositories: bool,
    is_open: bool,
    toolsets: Option<Vec<String>>,
    has_tools: bool,
}

/// What a name stands for on a surface.
#[derive(Debug)]
pub enum Found {
    /// It is shown.
    Shown(&'static Operation),
    /// It exists and is hidden, or is no more; the error names the option that shows it, or what takes its place.
    Hidden(OperationError),
    /// There is none; names close to it.
    Unknown(Vec<String>),
}

impl Surface {
    /// The part of `table` that was chosen, in the table's order.
    ///
    /// # Errors
    /// [`UnknownName`] for the first toolset or tool that the table has not.
    pub fn choose(table: &'static [Operation], choice: &Choice) -> Result<Self, UnknownName> {
        Self::choose_with(table, RETIRED, choice)
    }

    /// The same, with other tools that are no more than those of the inventory.
    ///
    /// # Errors
    /// As [`Surface::choose`].
    pub fn choose_with(
        table: &'static [Operation],
        retired: &'static [Retired],
        choice: &Choice,
    ) -> Result<Self, UnknownName> {
        let toolsets = choice.toolsets.as_deref().unwrap_or_default();
        let tools = choice.tools.as_deref().unwrap_or_default();
        for name in toolsets {
            known_toolset(table, name)?;
        }
        for name in tools.iter().chain(&choice.exclude) {
            known_tool(table, retired, name)?;
        }

        let nothing_chosen = choice.toolsets.is_none() && choice.tools.is_none();
        let is_open = nothing_chosen || toolsets.iter().any(|name| matches!(name.as_str(), DEFAULT | ALL));
        let exclude: BTreeSet<String> = choice.exclude.iter().cloned().collect();
        let shown = table
            .iter()
            .filter(|operation| {
                (nothing_chosen && operation.default)
                    || toolsets.iter().any(|name| in_toolset(operation, name))
                    || tools.iter().any(|name| name == operation.name)
            })
            .filter(|operation| allowed(operation, &exclude, choice.read_only))
            .collect();
        Ok(Self {
            table,
            retired,
            shown,
            exclude,
            read_only: choice.read_only,
            of_repositories: false,
            is_open,
            toolsets: choice.toolsets.clone(),
            has_tools: choice.tools.is_some(),
        })
    }

    /// The same without the tools that are of no single repository: what is left where only some may be asked for.
    #[must_use]
    pub fn of_repositories(mut self) -> Self {
        self.shown.retain(|operation| within::is_possible(operation));
        self.of_repositories = true;
        self
    }

    /// What is shown, in the table's order.
    pub fn operations(&self) -> &[&'static Operation] {
        &self.shown
    }

    /// Looks a tool up by name.
    pub fn find(&self, name: &str) -> Found {
        if let Some(operation) = self.shown.iter().find(|operation| operation.name == name) {
            return Found::Shown(operation);
        }
        match self.table.iter().find(|operation| operation.name == name) {
            Some(operation) => Found::Hidden(self.hidden(operation)),
            None => self.missing(name, self.operations().iter().copied()),
        }
    }

    /// What read-only and exclusions allow, shown or not, in the table's order.
    pub fn allowed(&self) -> impl Iterator<Item = &'static Operation> {
        self.table.iter().filter(|operation| self.allows(operation))
    }

    fn allows(&self, operation: &Operation) -> bool {
        allowed(operation, &self.exclude, self.read_only)
            && (!self.of_repositories || within::is_possible(operation))
    }

    /// Whether only operations that change nothing are allowed.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Looks a tool up for somebody who is not bound by toolsets (the command line, discovery), but by read-only and
    /// exclusions.
    pub fn find_anywhere(&self, name: &str) -> Found {
        match self.table.iter().find(|operation| operation.name == name) {
            Some(operation) if self.allows(operation) => Found::Shown(operation),
            Some(operation) => Found::Hidden(self.hidden(operation)),
            None => self.missing(name, self.allowed()),
        }
    }

    /// The operation of that tool for a resource that is made of it. Resources cost no tokens until they are read, so that
    /// those of all tools are offered where the default ones are shown; a choice of toolsets or tools holds for both.
    ///
    /// # Errors
    /// The option that hides it; [`Code::UnavailableHere`] where the table has no such tool.
    pub fn of_resources(&self, name: &str) -> Result<&'static Operation, OperationError> {
        match if self.is_open { self.find_anywhere(name) } else { self.find(name) } {
            Found::Shown(operation) => Ok(operation),
            Found::Hidden(error) => Err(error),
            Found::Unknown(_) => {
                let said = format!("the Forgejo that this was built for has nothing for {name}");
                Err(OperationError::new(Code::UnavailableHere, said))
            }
        }
    }

    /// What a name stands for that is no tool: a retired one, or nothing, with names close to it among `known`.
    fn missing(&self, name: &str, known: impl Iterator<Item = &'static Operation>) -> Found {
        let Some(retired) = self.retired.iter().find(|retired| retired.name == name) else {
            return Found::Unknown(near_tools(name, known.map(|operation| operation.name)));
        };
        let said = format!("{name} is no more: {}. Nothing was sent.", retired.advice);
        let mut error = OperationError::new(Code::InvalidArguments, said);
        error.near = vec![retired.by.to_owned()];
        Found::Hidden(error)
    }

    fn hidden(&self, operation: &Operation) -> OperationError {
        let name = operation.name;
        let (why, hint) = if self.exclude.contains(name) {
            (
                "--exclude-tools (FORGEHAND_EXCLUDE_TOOLS) names it",
                "Whoever runs forgehand can take it out of --exclude-tools.".to_owned(),
            )
        } else if self.read_only && operation.effect != Effect::Read {
            (
                "it changes the forge and --read-only (FORGEHAND_READ_ONLY) is on",
                "Whoever runs forgehand can leave out --read-only.".to_owned(),
            )
        } else if self.of_repositories && !within::is_possible(operation) {
            (
                "it is of no single repository and --repositories (FORGEHAND_REPOSITORIES) is on",
                "Whoever runs forgehand can leave out --repositories.".to_owned(),
            )
        } else {
            ("it is not among the chosen tools", self.how_to_choose(operation))
        };
        OperationError::new(Code::Refused, format!("{name} is hidden here: {why}. Nothing was sent."))
            .hint(hint)
    }
}

impl Surface {
    /// How a tool is chosen besides those that are.
    fn how_to_choose(&self, operation: &Operation) -> String {
        let (tool, toolset) = (operation.name, operation.toolset);
        let with = match (self.toolsets.as_deref(), self.has_tools) {
            (None, false) => format!(
                "start it with --toolsets default,{toolset} or with --toolsets default --tools {tool}"
            ),
            (None, true) => format!("add {tool} to --tools (FORGEHAND_TOOLS)"),
            (Some([none]), false) if none == NONE => format!("start it with --tools {tool} besides"),
            (Some(_), true) => format!(
                "add {tool} to --tools (FORGEHAND_TOOLS), or {toolset} to --toolsets (FORGEHAND_TOOLSETS)"
            ),
            (Some(_), false) => {
                format!("add {toolset} to --toolsets (FORGEHAND_TOOLSETS), or give --tools {tool} besides")
            }
        };
        format!("Whoever runs forgehand can {with}.")
    }
}

/// The names of all toolsets of a table, sorted; without `default`, `all` and `none`.
pub fn toolsets(table: &[Operation]) -> Vec<&'static str> {
    table.iter().map(|operation| operation.toolset).collect::<BTreeSet<_>>().into_iter().collect()
}

fn known_toolset(table: &[Operation], name: &str) -> Result<(), UnknownName> {
    let names: Vec<&str> = [DEFAULT, ALL, NONE].into_iter().chain(toolsets(table)).collect();
    if names.contains(&name) {
        return Ok(());
    }
    Err(UnknownName::Unknown { kind: "toolset", name: name.to_owned(), near: near(name, names) })
}

fn known_tool(table: &[Operation], retired: &[Retired], name: &str) -> Result<(), UnknownName> {
    if table.iter().any(|operation| operation.name == name) {
        return Ok(());
    }
    let name = name.to_owned();
    Err(match retired.iter().find(|retired| retired.name == name) {
        Some(retired) => UnknownName::Retired { name, advice: retired.advice },
        None => {
            let near = near_tools(&name, table.iter().map(|operation| operation.name));
            UnknownName::Unknown { kind: "tool", name, near }
        }
    })
}

fn in_toolset(operation: &Operation, toolset: &str) -> bool {
    match toolset {
        ALL => true,
        DEFAULT => operation.default,
        NONE => false,
        name => operation.toolset == name,
    }
}

fn allowed(operation: &Operation, exclude: &BTreeSet<String>, read_only: bool) -> bool {
    !exclude.contains(operation.name) && (!read_only || operation.effect == Effect::Read)
}
