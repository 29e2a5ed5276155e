//! Bisection with installing: finds the release that introduced a bug and the one that fixed it, among all that exist.
//!
//! In: the results of installed releases. Out: the same with the gaps narrowed. Only releases between a bad one and
//! a good one are installed, always the middle one, so some fifty releases cost about six downloads. It never installs
//! unless the user asked for it, and reports each installation.

use crate::exit::Failure;
use smtlib::Parsed;
use solver::version::{Version, VersionRange};
use solver::{Home, Profiles, QueryLimits, Spec, Target, install};
use std::collections::BTreeMap;
use triage::bisect::{Row, ask, halve};
use triage::{Bisection, Symptom};

/// A release that may be run.
struct Candidate {
    version: Version,
    installed: Option<Target>,
}

/// Which releases are run, on which script.
pub struct Question<'a> {
    pub culprit: &'a Target,
    pub script: &'a Parsed,
    pub symptom: &'a Symptom,
    pub limits: &'a QueryLimits,
}

impl Question<'_> {
    fn ask(&self, target: &Target) -> Row {
        ask(target, self.script, self.symptom, self.limits)
    }

    /// The installed release, called with the culprit's options.
    fn called(&self, target: Target) -> Target {
        Target { args: self.culprit.args.clone(), ..target }
    }

    /// Bisects over every release in the range that exists, installing those that the bisection needs.
    pub fn over_all(&self, want: &VersionRange, say: &dyn Fn(&Row, bool)) -> anyhow::Result<Bisection> {
        let home = Home::from_env().map_err(crate::command::solver_failure)?;
        let candidates = self.candidates(&home, want)?;
        let mut known = BTreeMap::new();
        for (n, candidate) in candidates.iter().enumerate() {
            if let Some(target) = &candidate.installed {
                let row = self.ask(target);
                say(&row, false);
                known.insert(n, row);
            }
        }
        if !known.values().any(|row| row.bad) {
            let solver = &self.culprit.profile.name;
            return Err(Failure::usage(format!("no installed release of {solver} shows it")).into());
        }
        Ok(halve(candidates.len(), known, |n| {
            let row = self.install_and_ask(&home, &candidates[n].version);
            say(&row, true);
            row
        }))
    }

    /// All existing releases, oldest first.
    fn candidates(&self, home: &Home, want: &VersionRange) -> anyhow::Result<Vec<Candidate>> {
        let solver = &self.culprit.profile.name;
        let profiles = Profiles::embedded();
        let mut all: BTreeMap<Version, Option<Target>> = BTreeMap::new();
        let (offers, _) = install::available(solver).map_err(crate::command::solver_failure)?;
        all.extend(offers.into_iter().map(|offer| (offer.version, None)));
        for release in home.releases_of(solver) {
            let target = self.called(Target::of_release(&profiles, &release));
            all.retain(|version, _| version.parts() != release.version.parts());
            all.insert(release.version, Some(target));
        }
        let in_range = all.into_iter().filter(|(version, _)| want.accepts(version));
        Ok(in_range.map(|(version, installed)| Candidate { version, installed }).collect())
    }

    /// The result of a release that is not installed yet; one that cannot be installed decides nothing.
    fn install_and_ask(&self, home: &Home, version: &Version) -> Row {
        let name = format!("{}@{version}", self.culprit.profile.name);
        let installed = Spec::parse(&name).and_then(|spec| install::add(home, &spec, &|_| {}));
        match installed.as_deref() {
            Ok([release, ..]) => self.ask(&self.called(Target::of_release(&Profiles::embedded(), release))),
            _ => Row {
                release: name,
                answer: "none".into(),
                ended: "not installed".into(),
                decides: false,
                bad: false,
            },
        }
    }
}
