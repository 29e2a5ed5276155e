//! Solvers that a campaign folder names, and which of them may be run again.
//!
//! In: the targets that a campaign recorded. Out: a SPEC for `-s` for each of them, or a refusal that shows them all.
//! A folder may come from a stranger, so its records are data and never commands: only the name of a release that is
//! installed here, without options, selects a solver. Programs, options (they can name files to write) and releases
//! that would have to be installed first need an explicit `-s` from the user. This file must never resolve, probe or
//! start anything that was recorded.

use crate::exit::Failure;
use smtlib::shown;
use solver::{Home, Profiles, Release, Spec, Target};
use store::{Campaign, TargetRecord};

/// The solvers and references of a campaign as SPECs; `again` is the command line to which the user may add `-s`.
pub fn specs(campaign: &Campaign, home: &Home, again: &str) -> Result<(Vec<String>, Vec<String>), Failure> {
    let releases = home.releases().0;
    let all = || campaign.targets.iter().chain(&campaign.references);
    if all().any(|target| installed(target, &releases).is_none()) {
        return Err(refusal(campaign, &releases, again));
    }
    let names = |targets: &[TargetRecord]| targets.iter().map(|target| target.name.clone()).collect();
    Ok((names(&campaign.targets), names(&campaign.references)))
}

/// The recorded solvers that are installed releases without options; no others may be run because a folder names them.
pub fn targets(campaign: &Campaign, home: &Home) -> Vec<Target> {
    let (releases, profiles) = (home.releases().0, Profiles::embedded());
    let all = campaign.targets.iter().chain(&campaign.references);
    all.filter_map(|target| installed(target, &releases))
        .map(|release| Target::of_release(&profiles, release))
        .collect()
}

/// Reports which of the releases that will run are other builds than the recorded ones.
pub fn other_builds(campaign: &Campaign, home: &Home) -> Vec<String> {
    let releases = home.releases().0;
    let all = campaign.targets.iter().chain(&campaign.references);
    let differs = |target: &&TargetRecord| {
        installed(target, &releases).is_some_and(|release| release.record.hash != target.hash)
    };
    all.filter(differs).map(|target| target.name.clone()).collect()
}

/// The installed release that a record names, if it names nothing else.
fn installed<'r>(target: &TargetRecord, releases: &'r [Release]) -> Option<&'r Release> {
    let plain = target.command.len() <= 1;
    releases.iter().find(|release| plain && release.label() == target.name)
}

fn refusal(campaign: &Campaign, releases: &[Release], again: &str) -> Failure {
    let mut message = String::from(
        "the campaign was recorded with solvers that are not installed releases; falsum does not run programs or \
         options because a folder names them",
    );
    let mut flags = vec![again.to_owned()];
    for (flag, role, targets) in
        [("-s", "solver", &campaign.targets), ("-r", "reference", &campaign.references)]
    {
        for target in targets {
            let is_known = installed(target, releases).is_some();
            let known = if is_known { "installed" } else { "not an installed release" };
            let line: Vec<String> = target.command.iter().map(shown::word).collect();
            message += &format!("\n  {role} {}, {known}: {}", shown::text(&target.name), line.join(" "));
            let spec = if is_known { target.name.clone() } else { spec(target) };
            flags.push(format!("{flag} {}", shown::word(spec)));
        }
    }
    Failure::usage(message).hint(format!("if you trust these programs: {}", flags.join(" ")))
}

/// The `-s` argument for the recorded program and its options.
fn spec(target: &TargetRecord) -> String {
    let line: Vec<String> = target.command.iter().map(|word| solver::spec::quote(word)).collect();
    // A name that was derived from the command is derived again.
    let named = Spec::parse(&format!("{}=z3", target.name)).ok().and_then(|spec| spec.name);
    named.map_or_else(String::new, |name| format!("{name}=")) + &line.join(" ")
}
