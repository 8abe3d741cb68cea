//! Things of the forge in the forms that people paste: `owner/name`, `owner/name#12`, an address for cloning over SSH, and
//! addresses of the configured instance, of its pages and of its API, wherever an argument holds what an address can name (`roles`, `patterns`).
//!
//! An address of another host is refused: it means a thing that this forge does not have. So is one that names more than
//! the operation takes, as an issue where a repository is wanted; a tab of a repository (`…/issues`) or of an issue
//! (`…/pulls/12/files`) names no more than that, and a fragment counts where the operation has an argument for it.
//!
//! No address tells where a branch's name ends and a file's path begins. Given for a branch or a ref, or to an operation
//! without path, all of it is the name. Else another argument decides, `ref` or `path`; else the name is the first segment,
//! and what was assumed is said where the forge does not find it.

mod address;
mod items;
mod patterns;
mod roles;

use forgehand_client::BaseUrl;
use serde_json::Value;

use self::address::{Named, is_address};
use self::patterns::{BRANCH, COMMENT, Form, INDEX, OWNER, PATH, REPO, SHA, Thing};
use self::roles::{Member, Role};
use super::fault::{self, Fault, quoted};
use super::given::Given;
use crate::forge::is_name;
use crate::operations::descriptor::{Effect, Kind, Parameter};
use crate::operations::names::names_of;
use crate::operations::table::OPERATIONS;

/// Replaces each reference by its parts; a part that is given as well must agree. What comes back tells how an address was
/// read that could mean something else.
///
/// # Errors
/// A reference of another host, of another kind of thing, or that disagrees with another argument.
pub(super) fn resolve(given: &mut Given, base: &BaseUrl) -> Result<Option<String>, Fault> {
    items::resolve(given, base)?;
    let members: Vec<Member> = roles::members(given.operation).collect();
    let mut assumed = None;
    // What is said of a ref decides how the address of a file is read.
    let files_last = [false, true]
        .into_iter()
        .flat_map(|files| members.iter().filter(move |member| (member.role == Role::Path) == files));
    for asked in files_last {
        let Some(Value::String(text)) = given.get(asked.parameter.name) else { continue };
        let text = text.clone();
        let named = match parse(asked.role, &text, base) {
            // A hook is known by an address as well, which may be anywhere.
            Ok(Some(named)) if is_by_address(asked.parameter) && !tells(&named, asked.role) => None,
            Err(_) if is_by_address(asked.parameter) => None,
            named => named.map_err(|fault| fault.within(asked.parameter.name))?,
        };
        let Some(named) = named else { continue };
        let group = members.iter().filter(|member| member.prefix == asked.prefix).copied().collect();
        let mut laying = Laying { given, asked: *asked, group, text };
        assumed = laying.lay(named)?.or(assumed);
    }
    Ok(assumed)
}

/// Whether an argument's own names are addresses.
fn is_by_address(parameter: &Parameter) -> bool {
    matches!(&parameter.kind, Kind::Name(names) if names.of.address)
}

/// Whether an address names such a thing.
fn tells(named: &Named, role: Role) -> bool {
    named.facts.iter().any(|(thing, _)| thing.fits.contains(&role))
}

/// What a text names; nothing where it is the plain value.
fn parse(role: Role, text: &str, base: &BaseUrl) -> Result<Option<Named>, Fault> {
    if is_address(text) {
        return match address::read(text, base)? {
            Some(named) => Ok(Some(named)),
            None => Err(wrong(role, text)),
        };
    }
    match role {
        Role::Repo if let Some(place) = address::of_clone(text, base)? => {
            Ok(Some(Named { facts: pair(role, place, text)?.into(), ..Named::default() }))
        }
        Role::Repo if text.contains('/') => {
            // As it is cloned; no repository's own name ends so.
            let text = text.strip_suffix(".git").unwrap_or(text);
            Ok(Some(Named { facts: pair(role, text, text)?.into(), ..Named::default() }))
        }
        Role::Index if text.contains('/') && !text.contains(['#', '!']) => Err(wrong(role, text)),
        Role::Index => index(text.trim()),
        _ => Ok(None),
    }
}

/// `owner/name#12`, `owner/name!7`, `#12`, `!7`; a bare number is left to its kind.
fn index(text: &str) -> Result<Option<Named>, Fault> {
    let Some((place, number)) = text.split_once(['#', '!']) else { return Ok(None) };
    let number: i64 = number.parse().map_err(|_| wrong(Role::Index, text))?;
    let mut named = Named::default();
    if !place.is_empty() {
        named.facts.extend(pair(Role::Index, place, text)?);
    }
    named.facts.push((&INDEX, number.into()));
    Ok(Some(named))
}

fn pair(role: Role, place: &str, whole: &str) -> Result<[(&'static Thing, Value); 2], Fault> {
    match place.split_once('/') {
        Some((owner, repo)) if is_name(owner) && is_name(repo) => {
            Ok([(&OWNER, owner.into()), (&REPO, repo.into())])
        }
        _ => Err(wrong(role, whole)),
    }
}

fn wrong(role: Role, text: &str) -> Fault {
    Fault::said(format!("expected {}, got {}", role.expected(), quoted(text)))
}

/// Puts what one reference names beside the other arguments.
struct Laying<'a> {
    given: &'a mut Given,
    /// The argument that holds the reference.
    asked: Member,
    /// The arguments that tell of the same thing.
    group: Vec<Member>,
    text: String,
}

impl Laying<'_> {
    fn lay(&mut self, mut named: Named) -> Result<Option<String>, Fault> {
        let asked = self.asked;
        self.narrow(&mut named);
        let assumed = self.divide(&mut named);
        self.gather(&mut named);
        // A repository is no account, though its address begins with one.
        let is_account = matches!(asked.role, Role::User | Role::Org);
        if is_account && named.fact(&REPO).is_some() {
            return Err(wrong(asked.role, &self.text).within(asked.parameter.name));
        }
        let mut is_told = false;
        for (thing, value) in named.facts {
            let Some(target) = self.target(thing, &value) else {
                return Err(self.says_more(thing, &value).within(asked.parameter.name));
            };
            is_told |= target.parameter.name == asked.parameter.name;
            self.put(target, full(target.role, thing, value))?;
            if thing.form != Form::Number && matches!(target.parameter.kind, Kind::Name(_)) {
                // A tag may be digits alone, and is no id for that.
                self.given.call_name(target.parameter.name);
            }
        }
        if is_told {
            return Ok(assumed);
        }
        if asked.role == Role::Path && !asked.parameter.required {
            // The root of the files.
            self.given.clear(asked.parameter.name);
            return Ok(assumed);
        }
        Err(wrong(asked.role, &self.text).within(asked.parameter.name))
    }

    /// Whether the operation takes such a thing.
    fn takes(&self, role: Role) -> bool {
        self.group.iter().any(|member| member.role == role)
    }

    /// Leaves what the operation takes of a thing within another: a comment or a commit of an issue, lines of a file.
    fn narrow(&self, named: &mut Named) {
        let (has_index, is_file) = (named.fact(&INDEX).is_some(), named.is_file());
        for (thing, value) in std::mem::take(&mut named.anchor) {
            let is_of_this = if thing.word == COMMENT.word { has_index } else { is_file };
            if is_of_this && thing.fits.iter().any(|role| self.takes(*role)) {
                named.facts.push((thing, value));
            }
        }
        if !has_index {
            return;
        }
        let takes_index = self.takes(Role::Index);
        let wants_commit = !takes_index || matches!(self.asked.role, Role::Commit | Role::OtherCommit);
        if !wants_commit {
            named.facts.retain(|(thing, _)| thing.word != SHA.word);
        }
        let is_within = named.fact(&COMMENT).is_some() || named.fact(&SHA).is_some();
        if !takes_index && is_within {
            named.facts.retain(|(thing, _)| thing.word != INDEX.word);
        }
    }

    /// Tells the name of a branch or tag from the path behind it.
    fn divide(&self, named: &mut Named) -> Option<String> {
        let (thing, segments) = named.at_ref.take()?;
        let (at, is_assumed) = self.border(&segments);
        let (name, path) = segments.split_at_checked(at)?;
        let (name, path) = (name.join("/"), path.join("/"));
        let assumed = (is_assumed && !path.is_empty()).then(|| {
            format!(
                "the address was read as {} {} and path {}; if the name has a slash, give it as {} besides",
                thing.word,
                quoted(&name),
                quoted(&path),
                if self.takes(Role::Branch) { "`branch`" } else { "`ref`" },
            )
        });
        // The particular is last: a file at a ref.
        named.facts.push((thing, name.into()));
        if !path.is_empty() {
            named.facts.push((&PATH, path.into()));
        }
        assumed
    }

    /// Puts the place of a name before it, where the argument takes both as one: `acme/devs`.
    fn gather(&self, named: &mut Named) {
        let is_within = names_of(&self.asked.parameter.kind).is_some_and(|names| names.of.within.is_some());
        let fits = |thing: &Thing| thing.fits.contains(&self.asked.role);
        let Some(place) = named.fact(&OWNER).and_then(Value::as_str).filter(|_| is_within) else { return };
        let place = place.to_owned();
        let own = named.facts.iter_mut().find(|(thing, name)| fits(thing) && name.is_string());
        if let Some((_, name)) = own {
            *name = format!("{place}/{}", name.as_str().unwrap_or_default()).into();
            named.facts.retain(|(thing, _)| thing.word != OWNER.word);
        }
    }

    /// How many segments are the name of the branch or tag, and whether nothing said so.
    fn border(&self, segments: &[String]) -> (usize, bool) {
        let is_file = self.asked.role == Role::Path;
        if !self.takes(Role::Path) || BRANCH.fits.contains(&self.asked.role) {
            return (segments.len(), false);
        }
        if let Some(path) = self.plain(Role::Path).filter(|_| !is_file) {
            let behind = path.split('/').filter(|segment| !segment.is_empty()).count();
            let is_behind = segments.len() > behind && segments.join("/").ends_with(&format!("/{path}"));
            return (segments.len() - if is_behind { behind } else { 0 }, false);
        }
        let told = self.plain(Role::Ref).or_else(|| self.plain(Role::Branch)).unwrap_or_default();
        let told: Vec<&str> = told.split('/').collect();
        if told.len() <= segments.len() && told.iter().zip(segments).all(|(told, segment)| told == segment) {
            return (told.len(), false);
        }
        let is_clear = segments.len() == 2 && self.asked.parameter.required;
        (1, segments.len() > 1 && !is_clear)
    }

    /// The plain text of an argument.
    fn plain(&self, role: Role) -> Option<&str> {
        let member = self.group.iter().find(|member| member.role == role)?;
        self.given.get(member.parameter.name)?.as_str().filter(|text| !is_address(text))
    }

    /// The argument that a thing goes to: that which holds the reference, else the best of the others.
    fn target(&self, thing: &Thing, value: &Value) -> Option<Member> {
        let holds = |member: &Member| {
            // A name goes where names are understood.
            thing.fits.contains(&member.role)
                && !(value.is_string() && matches!(member.parameter.kind, Kind::Integer { .. }))
        };
        if holds(&self.asked) {
            return Some(self.asked);
        }
        let others = || self.group.iter().filter(|member| holds(member) && !member.role.is_apart());
        thing.fits.iter().find_map(|role| others().find(|member| member.role == *role).copied())
    }

    /// Gives an argument its part; one that is there must agree.
    fn put(&mut self, target: Member, value: Value) -> Result<(), Fault> {
        let (name, from) = (target.parameter.name, self.asked.parameter.name);
        if name != from
            && let Some(other) = self.given.get(name)
        {
            if is_reference(target.role, other) {
                // Its own turn comes, and compares it with the parts that are known by then.
                return Ok(());
            }
            if !agrees(target.role, other, &value) {
                let (named, got) = (fault::got(&value), fault::got(other));
                let said = format!("expected the same as in `{from}`, which says {named}, got {got}");
                return Err(Fault::said(said).within(name));
            }
        }
        self.given.set(name, value);
        Ok(())
    }

    fn says_more(&self, thing: &Thing, value: &Value) -> Fault {
        let (operation, expected) = (self.given.operation, self.asked.role.expected());
        let (word, got) = (thing.word, fault::got(value));
        let said = format!("expected {expected}, got a reference that says more: {word} is {got}");
        let mut twins = self.group.iter().filter_map(|member| member.role.told_by());
        match twins.find(|role| thing.fits.contains(role)).and_then(teller) {
            Some((tool, name)) => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                Fault::said(said).hint(format!("{tool} with {name}: {value} tells the id"))
            }
            None => Fault::said(said).hint(format!("{} has no argument for that", operation.name)),
        }
    }
}

/// The tool that finds a thing by such an argument, and the argument's name.
fn teller(role: Role) -> Option<(&'static str, &'static str)> {
    let mut reads = OPERATIONS.iter().filter(|operation| operation.effect == Effect::Read);
    reads.find_map(|operation| {
        let member = roles::members(operation).find(|member| member.role == role)?;
        Some((operation.name, member.parameter.name))
    })
}

/// A ref as an argument wants it that takes full refs.
fn full(role: Role, thing: &Thing, value: Value) -> Value {
    match (role, thing.word, value) {
        (Role::FullRef, "branch", Value::String(name)) => format!("refs/heads/{name}").into(),
        (Role::FullRef, "tag", Value::String(name)) => format!("refs/tags/{name}").into(),
        (_, _, value) => value,
    }
}

/// Whether an argument holds a reference that is yet to be read.
fn is_reference(role: Role, given: &Value) -> bool {
    given.as_str().is_some_and(|text| match role {
        Role::Repo => text.contains('/'),
        Role::Index => text.contains(['/', '#', '!']),
        _ => is_address(text),
    })
}

/// Whether an argument may stand beside the same part of a reference; accounts and repositories differ in more than case.
fn agrees(role: Role, given: &Value, named: &Value) -> bool {
    match (given, named) {
        (Value::String(given), Value::String(named))
            if matches!(role, Role::Owner | Role::Repo | Role::User | Role::Org) =>
        {
            given.eq_ignore_ascii_case(named)
        }
        (Value::String(given), Value::Number(named)) => given.trim() == named.to_string(),
        _ => given == named,
    }
}
