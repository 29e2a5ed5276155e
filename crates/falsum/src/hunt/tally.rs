//! The running totals of a hunt, per strategy and per target, and the summary they end in.
//!
//! Owned by the dispatcher alone. The field names of the summary are part of the command-line contract.

use super::work::{Done, Judged, Test};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use store::Progress;

#[derive(Clone, Debug, Default, Serialize)]
pub struct StrategyTally {
    pub cases: u64,
    /// Cases that type-check.
    pub valid: u64,
    /// Cases whose answer is backed by a certificate.
    pub certified: u64,
    pub inconclusive: u64,
    pub flaky: u64,
    pub findings: u64,
    pub bugs: u64,
    /// Units that had nothing to propose.
    pub skipped: u64,
    pub tests: u64,
    /// Tests that ran into a limit.
    pub timeouts: u64,
    /// Cases that type-check, in percent.
    pub valid_percent: f64,
    /// Cases with a finding per 1000 cases.
    #[serde(rename = "yield")]
    pub yields: f64,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct TargetTally {
    pub tests: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub timeouts: u64,
    pub errors: u64,
    pub crashes: u64,
    pub findings: u64,
    /// Wall seconds spent waiting for it.
    pub seconds: f64,
}

impl TargetTally {
    /// Whether it was asked and never came to anything that could be an answer.
    pub fn is_silent(&self) -> bool {
        self.tests > 0 && self.errors == self.tests
    }
}

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub cases: u64,
    pub tests: u64,
    pub findings: u64,
    pub bugs: u64,
    pub our_bugs: u64,
    /// Bugs by the release that fixed them.
    pub fixing_releases: BTreeMap<String, u64>,
    pub strategies: BTreeMap<String, StrategyTally>,
    pub targets: BTreeMap<String, TargetTally>,
}

/// The last event of a hunt.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'a> {
    pub event: &'static str,
    #[serde(flatten)]
    pub progress: Progress,
    pub our_bugs: u64,
    /// Bugs by the release that fixed them; the number of classes is what is certain about unique bugs.
    pub fixing_releases: &'a BTreeMap<String, u64>,
    /// Processor time of falsum itself, as a share of falsum's and the solvers' together.
    pub outside_solvers: f64,
    pub strategies: &'a BTreeMap<String, StrategyTally>,
    pub targets: &'a BTreeMap<String, TargetTally>,
}

impl Tally {
    /// Counts one finished case.
    pub fn count(&mut self, done: &Done) {
        self.cases += 1;
        let strategy = self.strategies.entry(done.case.recipe.strategy.clone()).or_default();
        strategy.cases += 1;
        strategy.valid += 1;
        match &done.verdict {
            Judged::Fine { certified } => strategy.certified += u64::from(*certified),
            Judged::Inconclusive(_) => strategy.inconclusive += 1,
            Judged::Findings { findings, .. } => {
                strategy.findings += 1;
                for culprit in findings.iter().flat_map(|finding| &finding.culprits) {
                    self.targets.entry(culprit.clone()).or_default().findings += 1;
                }
            }
            Judged::Flaky(..) => strategy.flaky += 1,
            Judged::Invalid(_) => strategy.valid -= 1,
            Judged::OurBug(_) => self.our_bugs += 1,
        }
        let limited = |test: &&Test| test.answer.is_none() && matches!(test.ended, "wall" | "cpu" | "memory");
        strategy.tests += done.tests.len() as u64;
        strategy.timeouts += done.tests.iter().filter(limited).count() as u64;
        strategy.valid_percent = 100.0 * strategy.valid as f64 / strategy.cases as f64;
        strategy.yields = 1000.0 * strategy.findings as f64 / strategy.cases as f64;
        for test in &done.tests {
            self.tests += 1;
            let target = self.targets.entry(test.target.clone()).or_default();
            target.tests += 1;
            target.seconds += test.wall.as_secs_f64();
            match (test.answer, test.ended) {
                (_, "crash") => target.crashes += 1,
                (Some("sat"), _) => target.sat += 1,
                (Some("unsat"), _) => target.unsat += 1,
                (Some(_), _) => target.unknown += 1,
                (None, "wall" | "cpu" | "memory") => target.timeouts += 1,
                (None, _) => target.errors += 1,
            }
        }
    }

    /// The totals as the summary event.
    pub fn summary(&self, elapsed: Duration, outside_solvers: f64) -> Summary<'_> {
        let seconds = elapsed.as_secs_f64();
        let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        Summary {
            event: "summary",
            progress: Progress {
                cases: self.cases,
                tests: self.tests,
                seconds,
                cases_per_s: rate(self.cases),
                tests_per_s: rate(self.tests),
                findings: self.findings,
                bugs: self.bugs,
            },
            our_bugs: self.our_bugs,
            fixing_releases: &self.fixing_releases,
            outside_solvers,
            strategies: &self.strategies,
            targets: &self.targets,
        }
    }
}
