//! A target: one solver binary, one version, one option set, ready to run.
//!
//! In: a [`Spec`]. Out: the command to start, the profile of the solver, and the identity (name, version, hash) that
//! findings record. Installed releases are searched first and PATH second; nothing is ever installed here.

use crate::catalogue;
use crate::discover;
use crate::error::{Error, Result};
use crate::home::{Home, Release, hash_file};
use crate::outline::Outline;
use crate::profile::{Profile, Profiles};
use crate::spec::{Program, Spec, quote};
use crate::version::Version;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The argument of a target that is not for its command line: the tactic with which it decides.
pub const USING: &str = "check-sat-using=";

/// A solver to run.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name in reports: `z3@5.4.0`, or the name given by the user.
    pub name: String,
    pub profile: Arc<Profile>,
    /// The program, and the arguments that belong to it.
    pub command: Vec<OsString>,
    /// The user's own arguments.
    pub args: Vec<String>,
    pub version: Option<Version>,
    /// BLAKE3 of all files that take part when it runs.
    pub hash: String,
    /// The file for users and scripts.
    pub path: PathBuf,
}

impl Target {
    /// All targets that a SPEC selects: several for a range, otherwise one.
    pub fn resolve(home: &Home, profiles: &Profiles, spec: &Spec) -> Result<Vec<Target>> {
        let missing = || Error::NotInstalled { spec: spec.to_string() };
        let chosen = home.chosen(&spec.program);
        if !chosen.is_empty() {
            return Ok(chosen.iter().map(|r| Target::of_release(profiles, r).customised(spec)).collect());
        }
        if let Program::Path { path, .. } = &spec.program
            && let Some(why) = discover::why_no_program(path)
        {
            return Err(Error::NoProgram { path: path.clone(), why });
        }
        let path = discover::find(spec).ok_or_else(missing)?;
        let target = match &spec.program {
            Program::Path { path: typed, family } => {
                let profile = family.as_ref().map(|family| profiles.get(family));
                let target = Target::build(profiles, &path, profile)?;
                // A build of the user's is no release, whatever version it reports.
                Target { name: smtlib::shown::text(typed), ..target }
            }
            Program::Release { .. } => Target::of_program(profiles, &path)?,
        };
        Ok(vec![target.customised(spec)])
    }

    /// The newest release of every solver: installed ones, and those on PATH without an installed release.
    pub fn all(home: &Home, profiles: &Profiles) -> Vec<Target> {
        let mut targets: Vec<Target> =
            home.newest_of_each().iter().map(|r| Target::of_release(profiles, r)).collect();
        for found in discover::on_path() {
            if !targets.iter().any(|t| t.name.split('@').next() == Some(found.solver)) {
                targets.extend(Target::of_program(profiles, &found.path));
            }
        }
        targets
    }

    /// The target of an installed release.
    pub fn of_release(profiles: &Profiles, release: &Release) -> Target {
        Target {
            name: release.label(),
            profile: profiles.get(&release.record.name),
            command: release.command(),
            args: vec![],
            version: Some(release.version.clone()),
            hash: release.record.hash.clone(),
            path: release.program(),
        }
    }

    /// The target of a program that falsum did not install.
    pub fn of_program(profiles: &Profiles, path: &Path) -> Result<Target> {
        Target::build(profiles, path, None)
    }

    /// The target of a program: its solver is the one given, else the one that its file name or its own words say.
    fn build(profiles: &Profiles, path: &Path, profile: Option<Arc<Profile>>) -> Result<Target> {
        let path = std::path::absolute(path).map_err(Error::io("cannot find", path))?;
        let file = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let command = vec![OsString::from(&path)];
        let named = profile.or_else(|| match solver_name(&file) {
            "generic" => None,
            solver => Some(profiles.get(solver)),
        });
        let (profile, version) = match named {
            Some(profile) => {
                let version = profile.version_of(&command);
                (profile, version)
            }
            None => profiles.recognise_with_version(&command),
        };
        // A file may have any name; the name of a target is one line.
        let base = if profile.name == "generic" { smtlib::shown::text(&file) } else { profile.name.clone() };
        let name = version.as_ref().map_or_else(|| base.clone(), |v| format!("{base}@{v}"));
        Ok(Target { name, profile, command, args: vec![], version, hash: hash_file(&path)?, path })
    }

    /// What `-s` takes to mean this target again, quoted for a shell: an installed release by its name, anything else
    /// by its absolute command line.
    pub fn spec(&self) -> String {
        let solver = &self.profile.name;
        let release = self.version.as_ref().map(|version| format!("{solver}@{version}"));
        if self.args.is_empty() && release.as_ref() == Some(&self.name) {
            return self.name.clone();
        }
        let path = self.path.to_string_lossy();
        // A path that does not show which solver it is says so.
        let family = match self.path.file_name().map(|file| solver_name(&file.to_string_lossy()) == "generic")
        {
            Some(true) if solver != "generic" => format!("{solver}:"),
            _ => String::new(),
        };
        let words = std::iter::once(format!("{family}{path}")).chain(self.args.iter().cloned());
        let line: Vec<String> = words.map(|word| quote(&word)).collect();
        let given = !self.name.contains([' ', '/']);
        let name = if given { format!("{}=", self.name) } else { String::new() };
        smtlib::shown::word(format!("{name}{}", line.join(" ")))
    }

    /// The target with the version that it reports, where its name does not have it.
    pub fn described(&self) -> String {
        let name = smtlib::shown::text(&self.name);
        match &self.version {
            Some(version) if !self.name.contains('@') => format!("{name} ({} {version})", self.profile.name),
            None if self.name != self.profile.name => format!("{name} ({})", self.profile.name),
            _ => name,
        }
    }

    fn customised(mut self, spec: &Spec) -> Target {
        self.args.clone_from(&spec.args);
        match &spec.name {
            Some(name) => self.name.clone_from(name),
            None if !spec.args.is_empty() => {
                let args: Vec<String> = spec.args.iter().map(|a| smtlib::shown::text(&quote(a))).collect();
                self.name = format!("{} {}", self.name, args.join(" "));
            }
            None => {}
        }
        self
    }

    /// The same solver with one more argument for its random seed; commands for the script come back separately.
    pub fn with_seed(&self, seed: u64) -> (Target, Vec<String>) {
        let mut target = self.clone();
        let filled = self.profile.options.seed.iter().map(|o| o.replace("{seed}", &seed.to_string()));
        let (commands, args): (Vec<String>, Vec<String>) = filled.partition(|o| o.starts_with('('));
        target.args.extend(args);
        (target, commands)
    }

    /// The same solver with further arguments of its profile, under a name that shows them.
    pub fn with_args(&self, args: &[String]) -> Target {
        let mut target = self.clone();
        target.args.extend(args.iter().cloned());
        let words: Vec<String> = args.iter().map(|arg| quote(arg)).collect();
        target.name = format!("{} {}", self.name, words.join(" "));
        target
    }

    /// The same solver checking its own answers, if it can.
    pub fn checking_itself(&self) -> Option<Target> {
        let args = &self.profile.self_check.args;
        (!args.is_empty()).then(|| self.with_args(args))
    }

    /// The same solver printing proofs in a format, if it has it.
    pub fn proving(&self, format: &str) -> Option<Target> {
        let proofs = self.profile.proofs.iter().find(|proofs| proofs.format == format)?;
        Some(self.with_args(&proofs.args))
    }

    /// The arguments for its command line: a tactic is said in the script (`tactic`).
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let in_script = |arg: &&String| self.profile.options.using.is_some() && arg.starts_with(USING);
        self.args.iter().filter(move |arg| !in_script(arg)).map(String::as_str)
    }

    /// The tactic with which it decides every plain check-sat, if it was given one.
    pub fn tactic(&self) -> Option<&str> {
        self.profile.options.using.as_ref()?;
        self.args.iter().rev().find_map(|arg| arg.strip_prefix(USING))
    }

    /// The command that a user would type to run it on a file.
    pub fn command_line(&self, file: &str) -> String {
        let mut words = vec![quote(&self.path.to_string_lossy())];
        words.extend(self.words().map(quote));
        words.push(quote(file));
        words.join(" ")
    }

    /// Why a script is not sent to this target at all.
    pub fn hopeless(&self, outline: &Outline<'_>) -> Option<String> {
        let supports = &self.profile.supports;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match outline.logic {
            Some(logic)
                if !supports.logics.is_empty() && !supports.logics.iter().any(|l| l.as_bytes() == logic) =>
            {
                Some(format!("{} does not have the logic {}", self.profile.name, text(logic)))
            }
            None if self.profile.session.needs_logic => Some(format!("{} needs a logic", self.profile.name)),
            _ if supports.theories.is_empty() => None,
            _ => {
                let theory = outline.beyond(&supports.theories)?;
                Some(format!("{} does not have the theory {theory}", self.profile.name))
            }
        }
    }

    /// Whether the binary is still the one that was resolved.
    pub fn is_unchanged(&self) -> bool {
        match self.path.parent().map(Release::open) {
            Some(Ok(release)) => release.current_hash().is_ok_and(|h| h == self.hash),
            _ => hash_file(&self.path).is_ok_and(|h| h == self.hash),
        }
    }
}

/// The solver that the name of a target means: `z3` of `z3@4.8.9 a=b`, of `./build/z3` and of `/opt/z3-debug`.
pub fn solver_of(target: &str) -> &str {
    let first = target.split(' ').next().unwrap_or(target);
    let file = first.rsplit('/').next().unwrap_or(first);
    let base = file.split('@').next().unwrap_or(file);
    match solver_name(base) {
        "generic" => base,
        solver => solver,
    }
}

/// The solver that a program file is, from its name: `z3-4.8.12` and `cvc5.bin` are z3 and cvc5.
fn solver_name(file: &str) -> &'static str {
    let known = catalogue::all();
    let names = known.iter().flat_map(|(name, e)| e.on_path.iter().chain([name]).map(move |p| (p, name)));
    let fits =
        |p: &str| file.strip_prefix(p).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
    names.filter(|(p, _)| fits(p)).max_by_key(|(p, _)| p.len()).map_or("generic", |(_, name)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_recognised_by_its_file_name() {
        assert_eq!(solver_name("z3"), "z3");
        assert_eq!(solver_name("z3-4.8.12-debug"), "z3");
        assert_eq!(solver_name("cvc5.bin"), "cvc5");
        assert_eq!(solver_name("yices-smt2"), "yices");
        assert_eq!(solver_name("z3rs"), "generic");
        assert_eq!(solver_name("frob"), "generic");
    }

    #[test]
    fn the_solver_of_a_target_is_in_its_name() {
        for (name, solver) in [
            ("z3@4.8.9 smt.arith.solver=2", "z3"),
            ("./build/z3", "z3"),
            ("/opt/cvc5-debug --incremental", "cvc5"),
            ("mine", "mine"),
            ("./dev/frob@2", "frob"),
        ] {
            assert_eq!(solver_of(name), solver, "{name}");
        }
    }
}
