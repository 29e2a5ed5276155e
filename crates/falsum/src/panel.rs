//! Which solvers a command uses: the flags `--solver` and `--reference`, and the defaults without them.
//!
//! A SPEC is an installed release or a command line. Without any, the newest release of every installed solver is
//! a target; with nothing installed, the newest z3 and cvc5 are installed first, with a message to the user.

use crate::exit::{Exit, Failure};
use crate::protection::Protection;
use solver::install;
use solver::spec::Program;
use solver::{Checker, Home, Profiles, QueryLimits, Spec, Target};
use std::time::Duration;
use triage::Panel;

/// The flags of every command that runs solvers.
#[derive(clap::Args, Clone, Debug)]
pub struct SolverArgs {
    /// A solver under test: `z3`, `z3@4.8.6` (installed first if it is not there), or a command line in quotes;
    /// `name=SPEC` names it
    #[arg(short = 's', long = "solver", value_name = "SPEC")]
    pub solvers: Vec<String>,
    /// A second opinion, written like a solver
    #[arg(short = 'r', long = "reference", value_name = "SPEC")]
    pub references: Vec<String>,
    /// How long one query may take
    #[arg(long, default_value = "5s", value_parser = some_time, value_name = "TIME")]
    pub timeout: Duration,
    /// How much memory a solver may use
    #[arg(long, default_value = "2G", value_parser = bytes, value_name = "SIZE")]
    pub memory: u64,
    /// A proof checker to put proofs of `unsat` to: `carcara=PATH` or `ethos=PATH`
    #[arg(long = "checker", value_name = "NAME=PATH")]
    pub checkers: Vec<String>,
    #[command(flatten)]
    pub protection: Protection,
}

impl SolverArgs {
    pub fn limits(&self) -> QueryLimits {
        QueryLimits { wall: self.timeout, cpu: None, memory: Some(self.memory) }
    }

    /// Where releases are installed. A user who names only programs needs no such folder.
    pub fn home(&self) -> anyhow::Result<Home> {
        let names_a_program =
            |spec: &String| Spec::parse(spec).is_ok_and(|spec| matches!(spec.program, Program::Path { .. }));
        match Home::from_env() {
            Err(solver::Error::NoHome)
                if !self.solvers.is_empty()
                    && self.solvers.iter().chain(&self.references).all(names_a_program) =>
            {
                // A path at which nothing can exist.
                Ok(Home::at("/dev/null"))
            }
            home => Ok(home.map_err(crate::command::solver_failure)?),
        }
    }

    /// The targets and references that the flags select.
    pub fn resolve(&self) -> anyhow::Result<(Vec<Target>, Vec<Target>)> {
        let home = self.home()?;
        let profiles = Profiles::embedded();
        let mut targets = resolve_all(&home, &profiles, &self.solvers)?;
        let references = resolve_all(&home, &profiles, &self.references)?;
        refuse_double_names(targets.iter().chain(&references))?;
        if targets.is_empty() {
            targets = Target::all(&home, &profiles);
            targets.retain(|target| !references.iter().any(|reference| reference.name == target.name));
        }
        if targets.is_empty() {
            install_defaults(&home)?;
            targets = Target::all(&home, &profiles);
        }
        if targets.is_empty() {
            return Err(no_solver().into());
        }
        Ok((targets, references))
    }

    /// The panel with more second opinions, for a tie: the tied targets without their options, the newest release of
    /// every other installed solver, and older and newer releases of the tied solvers. `None` if there are no others.
    pub fn wider_panel(&self, heard: &[oracle::Heard]) -> anyhow::Result<Option<Panel>> {
        let (targets, mut references) = self.resolve()?;
        let home = self.home()?;
        let profiles = Profiles::embedded();
        let releases = home.releases().0.into_iter().map(|release| Target::of_release(&profiles, &release));
        let releases: Vec<Target> = releases.collect();
        let answered = |target: &&Target| {
            heard.iter().any(|h| h.name() == target.name && h.reply.checks.iter().any(|c| c.answer.is_some()))
        };
        let tied: Vec<Target> = targets.iter().chain(&references).filter(answered).cloned().collect();
        let mut more = Target::all(&home, &profiles);
        for one in &tied {
            let own = || releases.iter().filter(|other| other.profile.name == one.profile.name);
            let mut before: Vec<&Target> = own().filter(|other| other.version <= one.version).collect();
            let mut after: Vec<&Target> = own().filter(|other| other.version > one.version).collect();
            before.sort_by(|a, b| b.version.cmp(&a.version));
            after.sort_by(|a, b| a.version.cmp(&b.version));
            more.extend(before.into_iter().take(3).chain(after.into_iter().take(2)).cloned());
        }
        let known = references.len();
        for target in more {
            if !targets.iter().chain(&references).any(|other| other.name == target.name) {
                references.push(target);
            }
        }
        Ok((references.len() > known).then(|| Panel::new(targets, references, 1)))
    }

    /// The panel, with at most `idle` waiting processes per solver.
    pub fn panel(&self, idle: usize) -> anyhow::Result<Panel> {
        let (targets, references) = self.resolve()?;
        let checkers = self.checkers.iter().map(|text| Checker::parse(text)).collect::<Result<_, _>>();
        let checkers = checkers.map_err(crate::command::solver_failure)?;
        Ok(Panel::new(targets, references, idle).with_checkers(checkers))
    }
}

fn no_solver() -> Failure {
    Failure {
        exit: Exit::NoSolver,
        message: "no usable solver".into(),
        hint: Some("falsum solvers add z3 cvc5".into()),
    }
}

/// All targets that SPECs select; a missing release is installed, as the user would do next anyway.
pub fn resolve_all(home: &Home, profiles: &Profiles, specs: &[String]) -> anyhow::Result<Vec<Target>> {
    let mut targets = vec![];
    for text in specs {
        let spec = Spec::parse(text).map_err(crate::command::solver_failure)?;
        let found = match Target::resolve(home, profiles, &spec) {
            // One that counts its code takes an hour to build, which nobody expects of a missing release.
            Err(solver::Error::NotInstalled { .. }) if is_release(&spec) && !counts(&spec) => {
                install::add(home, &spec, &crate::command::show_progress)
                    .map_err(crate::command::solver_failure)?;
                Target::resolve(home, profiles, &spec)
            }
            found => found,
        };
        let found = found.map_err(crate::command::solver_failure)?;
        if !is_release(&spec) || !spec.args.is_empty() {
            found.iter().try_for_each(solver::probe::probe).map_err(crate::command::solver_failure)?;
        }
        targets.extend(found);
    }
    targets.iter().try_for_each(refuse_other_meanings)?;
    Ok(targets)
}

/// Names must be unique, so that a message names one solver.
fn refuse_double_names<'t>(targets: impl Iterator<Item = &'t Target>) -> Result<(), Failure> {
    let mut seen: Vec<&Target> = vec![];
    for target in targets {
        let differs = |other: &&Target| (&other.path, &other.args) != (&target.path, &target.args);
        if seen.iter().filter(|other| other.name == target.name).any(differs) {
            let message = format!("two solvers are called {}", target.name);
            return Err(Failure::usage(message).hint("give one of them another name: -s other=SPEC"));
        }
        seen.push(target);
    }
    Ok(())
}

/// Refuses options that change the meaning of formulas; warns about options that maintainers do not support.
#[allow(clippy::print_stderr, reason = "the user should know before reporting anything")]
fn refuse_other_meanings(target: &Target) -> Result<(), Failure> {
    for option in &target.args {
        match target.profile.avoided(option) {
            Some(avoid) if avoid.changes_meaning => {
                let message = format!("{}: {option} {}", target.name, avoid.why);
                return Err(Failure::usage(message).hint("leave it out: answers could not be compared"));
            }
            Some(avoid) => eprintln!("note: {option} of {}: {}", target.name, avoid.why),
            None => {}
        }
    }
    Ok(())
}

/// Whether a SPEC asks for a release that was built to count its code.
fn counts(spec: &Spec) -> bool {
    matches!(spec.program, solver::spec::Program::Release { coverage: true, .. })
}

fn is_release(spec: &Spec) -> bool {
    matches!(spec.program, solver::spec::Program::Release { .. })
}

#[allow(clippy::print_stderr, reason = "the user waits for a download and should know")]
fn install_defaults(home: &Home) -> anyhow::Result<()> {
    eprintln!(
        "no solver is installed: getting the newest z3 and cvc5 into {}",
        smtlib::shown::path(home.root())
    );
    let installed = install::ensure_default(home, &crate::command::show_progress);
    // Whatever the cause, the result is that there is no solver.
    installed.map_err(|error| Failure { exit: Exit::NoSolver, ..crate::command::solver_failure(error) })?;
    Ok(())
}

/// `10m`, `5s`, `250ms`, `1h30m`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a time\nhint: write 250ms, 5s, 10m or 2h");
    let mut total = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(bad());
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| bad())?;
        rest = &rest[digits..];
        let unit = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        total += number
            * match &rest[..unit] {
                "ms" => 0.001,
                "" | "s" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(bad()),
            };
        rest = &rest[unit..];
    }
    Duration::try_from_secs_f64(total).map_err(|_| bad())
}

/// As `duration`, but greater than zero.
pub fn some_time(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|time| {
        if time.is_zero() { Err("the timeout must be greater than zero".into()) } else { Ok(time) }
    })
}

/// `2G`, `512M`, `64k`; a bare number is bytes. A solver needs a few megabytes to start.
pub fn bytes(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is not a size\nhint: write 512M or 2G");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| bad())?;
    let factor: u64 = match text[digits..].trim_end_matches(['b', 'B', 'i']) {
        "" => 1,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        "t" | "T" => 1 << 40,
        _ => return Err(bad()),
    };
    let bytes = number.checked_mul(factor).ok_or_else(bad)?;
    if bytes < 1 << 20 { Err(format!("{bytes} bytes are too few for any solver")) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_people_write_them() {
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        assert!(duration("soon").is_err() && duration("").is_err() && duration("5x").is_err());
    }

    #[test]
    fn sizes_read_as_people_write_them() {
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert!(bytes("big").is_err() && bytes("0").is_err() && some_time("0s").is_err());
    }
}
