//! `falsum janus`: the command line of janus, on falsum's `weaken`.
//!
//! As in janus, a mutant is a step weaker or stronger than the one before it, `-wl` steps are made before the chain begins
//! again from the seed, `-o` is what the user says about the seeds, `-cr` is an older solver against which regressions of
//! completeness are looked for, and `-rs` restricts the rules. Its flags of two letters are spelled out before the
//! command line is parsed. Otherwise than there, soundness is judged by evidence with `-cr` as well, an `unknown` for
//! want of a feature is passed over, and numbers that janus' authors used in their campaign are the defaults: 300
//! iterations, 25 steps, 10 seconds.
//!
//! In: flags. Out: the settings of the strategy. The rule names of janus are in `janus-rules.txt`.

use super::{Common, Maker, Oracle, Stop, end};
use crate::exit::Exit;
use corpus::{Claim, Seed, Status, StatusSource};
use solver::Target;
use std::ffi::OsString;
use strategy::weaken::rules::Rules;
use strategy::{AimBy, Settings};

/// Weakening and strengthening
#[derive(clap::Args)]
pub struct JanusArgs {
    #[command(flatten)]
    common: Common,
    /// The status of the seeds: sat or unsat
    #[arg(short, long, value_name = "sat|unsat", default_value = "sat")]
    oracle: Oracle,
    /// Mutants per seed
    #[arg(short, long, value_name = "N", default_value_t = 300, allow_negative_numbers = true)]
    iterations: i64,
    /// Rules applied from one mutant to the next (-ss)
    #[arg(long, value_name = "N", default_value_t = 1)]
    step_size: u32,
    /// Mutants before the chain begins again from the seed (-wl)
    #[arg(long, value_name = "N", default_value_t = 25)]
    walk_length: u32,
    /// An older solver against which regressions of completeness are looked for (-cr)
    #[arg(long, value_name = "SOLVER_CLI")]
    completeness_regressions: Option<String>,
    /// Only these rules, by janus' names or falsum's, separated by commas; `all` for all (-rs)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    rule_set: Vec<String>,
}

/// janus' flags of two letters, which a parser of single letters would take for two flags.
const FLAGS: [(&str, &str); 4] = [
    ("-ss", "--step-size"),
    ("-wl", "--walk-length"),
    ("-cr", "--completeness-regressions"),
    ("-rs", "--rule-set"),
];

/// The command line with the flags of two letters spelled out, if it is one of janus.
pub fn spelled_out(mut args: Vec<OsString>) -> Vec<OsString> {
    if !args.iter().take(6).any(|arg| arg == "janus") {
        return args;
    }
    for arg in &mut args {
        let text = arg.to_str().unwrap_or_default();
        let (flag, value) = text.split_once('=').map_or((text, None), |(flag, value)| (flag, Some(value)));
        if let Some((_, long)) = FLAGS.iter().find(|(short, _)| *short == flag) {
            *arg = value.map_or_else(|| (*long).to_owned(), |value| format!("{long}={value}")).into();
        }
    }
    args
}

pub fn janus(args: JanusArgs) -> anyhow::Result<Exit> {
    let JanusArgs { mut common, oracle, iterations, step_size, walk_length, rule_set, .. } = args;
    common.baseline = args.completeness_regressions.filter(|cli| !cli.trim().is_empty());
    common.claim = Some(match oracle {
        Oracle::Sat => Status::Sat,
        Oracle::Unsat => Status::Unsat,
    });
    end(common, "janus", iterations, |mutants| {
        if walk_length == 0 || step_size == 0 {
            return Err(Stop::usage("error: walk length and step size should not be zero"));
        }
        let settings = Settings {
            steps: Some(walk_length),
            iterations: Some(mutants),
            every: Some(step_size),
            aim_by: Some(AimBy::Status),
            rule_set: rules(&rule_set)?,
            ..Settings::default()
        };
        Ok(Maker::Mutate(&strategy::weaken::STRATEGY, Box::new(settings)))
    })
}

/// What the user says about every check-sat of a seed.
pub fn claim(seed: &mut Seed, status: Status) {
    for check in &mut seed.checks {
        check.claims =
            vec![Claim { status, source: StatusSource::Construction("the command line says so".into()) }];
    }
}

/// The baseline as a reference that counts as older than the solvers under test of the same project. The user says
/// which command line is compared with which, so options of one are not required of the other: they become part of the
/// program.
pub fn baseline(tested: &mut [Target], mut baseline: Target) -> Vec<Target> {
    for target in tested.iter_mut().chain([&mut baseline]) {
        target.command.extend(target.args.drain(..).map(OsString::from));
    }
    let same = tested.iter().find(|target| target.profile.name == baseline.profile.name);
    if let Some(target) = same
        && (baseline.version.is_none() || baseline.version >= target.version)
    {
        baseline.version = solver::Version::parse("0.0.1");
    }
    for target in tested.iter_mut().filter(|target| target.version.is_none()) {
        target.version = solver::Version::parse("1.0.0");
    }
    vec![baseline]
}

/// falsum's rules by janus' names: a name, then rules and sections.
const TABLE: &str = include_str!("janus-rules.txt");

/// The names of falsum's rules.
fn rules(names: &[String]) -> Result<Vec<String>, Stop> {
    let mut found: Vec<String> = vec![];
    for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        if name == "all" {
            return Ok(vec![]);
        }
        let row = table().find(|row| row.first() == Some(&name));
        match row.as_deref() {
            Some([_, own @ ..]) => found.extend(own.iter().map(|&name| name.to_owned())),
            _ => found.push(name.to_owned()),
        }
    }
    let embedded = Rules::embedded().map_err(|error| Stop::usage(format!("error: {error}")))?;
    embedded.restricted(&found).map_err(|why| Stop::usage(format!("error: Not a valid rule set: {why}")))?;
    Ok(found)
}

fn table() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = TABLE.lines().filter(|line| !line.starts_with(';') && !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_two_letters_are_spelled_out_for_janus_only() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let line = ["falsum", "janus", "z3", "-cr", "z3-4.8.10", "-wl=7", "-o", "sat", "seeds"];
        let spelled = spelled_out(words(&line));
        assert_eq!(spelled[3], "--completeness-regressions");
        assert_eq!(spelled[5], "--walk-length=7");
        let other = words(&["falsum", "check", "-rs"]);
        assert_eq!(spelled_out(other.clone()), other);
    }

    #[test]
    fn every_rule_that_a_name_of_janus_stands_for_is_there() {
        for row in table() {
            assert!(row.len() > 1, "{row:?}");
            let own: Vec<String> = row[1..].iter().map(|&name| name.to_owned()).collect();
            assert!(Rules::embedded().unwrap().restricted(&own).is_ok(), "{row:?}");
        }
        assert_eq!(rules(&["all".into()]).unwrap(), Vec::<String>::new());
        assert_eq!(
            rules(&["ADDDISJ".into()]).unwrap(),
            ["core/table-or-more", "core/or-more-before", "core/or-less"]
        );
        assert!(rules(&["NOSUCHRULE".into()]).is_err());
    }
}
