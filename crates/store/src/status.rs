//! The state of a campaign: the numbers for `status`, for progress events and for the summary of a hunt.
//!
//! A *case* is one formula; a *test* is one case run on one target.

use crate::bug::{self, Bug};
use crate::commit::{ALL, counter};
use crate::error::{Problem, Result};
use crate::lock::Lock;
use crate::reconcile::totals;
use crate::state::{Counters, Scope, State};
use crate::store::Totals;
use crate::view::View;
use oracle::FindingKind;
use serde::{Deserialize, Serialize};
use solver::Answer;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A campaign in a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    pub cases: u64,
    pub tests: u64,
    pub seconds: f64,
    pub cases_per_s: f64,
    pub tests_per_s: f64,
    pub findings: u64,
    pub bugs: u64,
}

/// The state of a running campaign: everything that a screen shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub key: String,
    pub workers: usize,
    /// Seconds since this run began.
    pub elapsed: f64,
    /// Seconds until the time budget is spent, if there is one.
    pub left: Option<f64>,
    /// The share of the workers' and triage threads' time that was spent waiting for solvers.
    pub in_solvers: f64,
    #[serde(default)]
    pub division: Division,
    pub seeds: usize,
    /// Seconds since the last new bug.
    pub since_bug: Option<f64>,
    /// Findings that are queued for triage or being triaged.
    pub triage: usize,
    /// What is being triaged, one text each: the finding, the step, how far it is.
    #[serde(default)]
    pub triaging: Vec<String>,
    /// What blocks the hunt, if anything does.
    pub trouble: Option<String>,
    /// Whether the hunt is over and only triage continues.
    pub triage_only: bool,
    /// Bugs by the release that fixed them.
    pub fixing_releases: BTreeMap<String, u64>,
    pub summary: Summary,
}

/// What the workers of a campaign do with their time, as shares of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Division {
    /// Making new cases, running them and judging the answers.
    pub asking: f64,
    /// Running suspicions again.
    pub confirming: f64,
    /// Waiting for work.
    pub waiting: f64,
    /// What triage took beside the workers, as a share of their time.
    pub triage: f64,
}

/// A campaign by strategy and by target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    #[serde(flatten)]
    pub progress: Progress,
    /// Cases by verdict.
    pub verdicts: BTreeMap<String, u64>,
    pub strategies: BTreeMap<String, StrategyStatus>,
    pub targets: BTreeMap<String, TargetStatus>,
    /// By theory, and `all`; a case counts for every theory that it uses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub theories: BTreeMap<String, TheoryStatus>,
}

/// How much of what solvers said about a theory falsum's own evidence decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TheoryStatus {
    pub cases: u64,
    /// Cases whose every check-sat a solver answered with `sat` or `unsat`.
    pub answered: u64,
    /// Those of them whose answers or accusations a certificate backs.
    pub certified: u64,
}

impl TheoryStatus {
    /// The certified share of the answered cases, in percent; none if nothing was answered.
    pub fn certified_percent(&self) -> Option<f64> {
        (self.answered > 0).then(|| 100.0 * self.certified as f64 / self.answered as f64)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StrategyStatus {
    pub units: u64,
    /// Units for which it had no case.
    pub skipped: u64,
    pub cases: u64,
    pub tests: u64,
    /// Cases whose answers or accusations a certificate backs.
    #[serde(default)]
    pub certified: u64,
    /// Cases with a finding.
    pub findings: u64,
    #[serde(default)]
    pub bugs: u64,
    pub inconclusive: u64,
    pub flaky: u64,
    /// Share of its cases that were not found `invalid`, in percent.
    pub valid_percent: f64,
    /// Tests that ran into a limit.
    #[serde(default)]
    pub timeouts: u64,
    /// Tests in which the target answered with an error.
    pub errors: u64,
    /// Solver time.
    pub seconds: f64,
    /// Cases with a finding per 1000 cases.
    #[serde(rename = "yield")]
    pub yields: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetStatus {
    pub tests: u64,
    #[serde(default)]
    pub sat: u64,
    #[serde(default)]
    pub unsat: u64,
    #[serde(default)]
    pub unknown: u64,
    pub seconds: f64,
    pub answers: BTreeMap<String, u64>,
    pub ended: BTreeMap<String, u64>,
    pub sessions: BTreeMap<String, u64>,
    pub timeouts: u64,
    #[serde(default)]
    pub errors: u64,
    pub crashes: u64,
    /// Tests after which it had left processes running.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub leaks: u64,
    /// Cases in which it is accused.
    #[serde(default)]
    pub findings: u64,
    /// Share of the tests that it accepted without an error, in percent.
    pub valid_percent: f64,
}

/// The document of `status --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    pub format: u32,
    pub falsum: String,
    pub key: String,
    pub shard: String,
    /// Seconds since 1970.
    pub started: u64,
    /// Whether a hunt is running here now.
    pub running: bool,
    pub pid: Option<u32>,
    #[serde(flatten)]
    pub summary: Summary,
    /// Findings by kind.
    pub kinds: BTreeMap<String, u64>,
    pub bug_list: Vec<Bug>,
    /// Bugs by the release that fixed them.
    pub fixing_releases: BTreeMap<String, u64>,
    /// Failures of falsum itself.
    pub panics: u64,
    pub problems: Vec<Problem>,
}

/// The state of the campaign in a folder.
pub fn status(dir: &Path) -> Result<Status> {
    View::open(dir)?.status()
}

impl View {
    pub fn status(&self) -> Result<Status> {
        // One snapshot: a writer may commit between two queries.
        let tx = self.db.unchecked_transaction()?;
        let (state, bug_list) = (State::load(&tx)?, bug::all(&tx)?);
        let mut kinds = BTreeMap::new();
        for bug in &bug_list {
            *kinds.entry(bug.kind.word().to_owned()).or_default() += bug.count;
        }
        let panics: i64 = tx.query_row("SELECT coalesce(sum(count), 0) FROM panics", [], |row| row.get(0))?;
        let holder = Lock::holder(&self.dir);
        Ok(Status {
            format: self.campaign.format,
            falsum: self.campaign.falsum.clone(),
            key: self.campaign.key.clone(),
            shard: self.campaign.shard.to_string(),
            started: self.campaign.started,
            running: holder.is_some(),
            pid: holder.flatten(),
            summary: Summary::of(&state, &totals(&tx)?)?,
            kinds,
            fixing_releases: bug::fixing_releases(&bug_list),
            bug_list,
            panics: panics as u64,
            problems: self.problems.clone(),
        })
    }
}

impl Progress {
    pub(crate) fn of(state: &State, totals: &Totals) -> Progress {
        let all = |name| state.counter(Scope::Campaign, ALL, name);
        let (cases, tests) = (all(counter::CASES), all(counter::TESTS));
        let seconds = seconds(all(counter::ACTIVE));
        Progress {
            cases,
            tests,
            seconds,
            cases_per_s: ratio(cases, seconds),
            tests_per_s: ratio(tests, seconds),
            findings: totals.findings,
            bugs: totals.bugs,
        }
    }
}

impl Summary {
    pub(crate) fn of(state: &State, totals: &Totals) -> Result<Summary> {
        let named = |(name, counters): (Arc<str>, Counters)| (name.to_string(), counters);
        let campaign = state.counters(Scope::Campaign)?.remove(ALL).unwrap_or_default();
        let strategies = state.counters(Scope::Strategy)?.into_iter().map(named);
        let targets = state.counters(Scope::Target)?.into_iter().map(named);
        let theories = state.counters(Scope::Theory)?.into_iter().map(named);
        Ok(Summary {
            progress: Progress::of(state, totals),
            verdicts: family(&campaign, counter::VERDICT),
            strategies: strategies
                .map(|(name, counters)| {
                    let bugs = totals.by_strategy.get(&name).copied().unwrap_or(0);
                    let status = StrategyStatus { bugs, ..strategy(&counters) };
                    (name, status)
                })
                .collect(),
            targets: targets.map(|(name, counters)| (name, target(&counters))).collect(),
            theories: theories.map(|(name, counters)| (name, theory(&counters))).collect(),
        })
    }
}

fn strategy(counters: &Counters) -> StrategyStatus {
    let verdicts = family(counters, counter::VERDICT);
    let of = |name: &str| verdicts.get(name).copied().unwrap_or(0);
    let cases = one(counters, counter::CASES);
    let findings = FindingKind::ALL.iter().map(|kind| of(kind.word())).sum();
    StrategyStatus {
        units: one(counters, counter::UNITS),
        skipped: one(counters, counter::SKIPPED),
        cases,
        tests: one(counters, counter::TESTS),
        certified: one(counters, counter::CERTIFIED),
        findings,
        bugs: 0,
        inconclusive: of("inconclusive"),
        flaky: of("flaky"),
        valid_percent: 100.0 * ratio(cases.saturating_sub(of("invalid")), cases as f64),
        timeouts: one(counters, counter::TIMEOUTS),
        errors: one(counters, counter::ERRORS),
        seconds: seconds(one(counters, counter::MICROS)),
        yields: 1000.0 * ratio(findings, cases as f64),
    }
}

fn theory(counters: &Counters) -> TheoryStatus {
    TheoryStatus {
        cases: one(counters, counter::CASES),
        answered: one(counters, counter::ANSWERED),
        certified: one(counters, counter::ANSWERED_CERTIFIED),
    }
}

fn target(counters: &Counters) -> TargetStatus {
    let (ended, answers) = (family(counters, counter::ENDED), family(counters, counter::ANSWER));
    let of = |all: &BTreeMap<String, u64>, word: &str| all.get(word).copied().unwrap_or(0);
    let (tests, errors) = (one(counters, counter::TESTS), one(counters, counter::ERRORS));
    TargetStatus {
        tests,
        sat: of(&answers, Answer::Sat.word()),
        unsat: of(&answers, Answer::Unsat.word()),
        unknown: of(&answers, Answer::Unknown.word()),
        seconds: seconds(one(counters, counter::MICROS)),
        sessions: family(counters, counter::SESSION),
        timeouts: one(counters, counter::TIMEOUTS),
        errors,
        crashes: of(&ended, "crash"),
        leaks: one(counters, counter::LEAKS),
        findings: one(counters, counter::FINDINGS),
        valid_percent: 100.0 * ratio(tests.saturating_sub(errors), tests as f64),
        answers,
        ended,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn one(counters: &Counters, name: &str) -> u64 {
    counters.get(name).copied().unwrap_or(0)
}

fn family(counters: &Counters, prefix: &str) -> BTreeMap<String, u64> {
    let member = |(name, value): (&Arc<str>, &u64)| Some((name.strip_prefix(prefix)?.to_owned(), *value));
    counters.iter().filter_map(member).collect()
}

fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

fn ratio(a: u64, b: f64) -> f64 {
    if b > 0.0 { a as f64 / b } else { 0.0 }
}

/// From how many option sets of one solver on they are shown as one row: a hunt that varies options has dozens.
const MANY_OPTION_SETS: usize = 3;

impl Summary {
    /// The targets as rows for a reader: many option sets of one solver are one row below it.
    pub fn target_rows(&self) -> Vec<(String, TargetStatus)> {
        let plain_of = |name: &str| {
            let (plain, _) = name.split_once(' ')?;
            self.targets.get_key_value(plain).map(|(plain, _)| plain)
        };
        let mut sets: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
        for name in self.targets.keys() {
            sets.entry(plain_of(name).unwrap_or(name)).or_default().push(name);
        }
        let mut rows = vec![];
        for (plain, names) in sets {
            let row = |name: &String| (name.clone(), self.targets[name].clone());
            if names.len() <= MANY_OPTION_SETS {
                rows.extend(names.into_iter().map(row));
                continue;
            }
            rows.push(row(plain));
            let mut all = TargetStatus::default();
            names.iter().filter(|name| **name != plain).for_each(|name| all.add(&self.targets[*name]));
            rows.push((format!("  {} option sets", names.len() - 1), all));
        }
        rows
    }
}

impl TargetStatus {
    fn add(&mut self, other: &TargetStatus) {
        let TargetStatus { tests, sat, unsat, unknown, seconds, answers, ended, sessions, .. } = other;
        self.tests += tests;
        self.sat += sat;
        self.unsat += unsat;
        self.unknown += unknown;
        self.seconds += seconds;
        for (mine, theirs) in
            [(&mut self.answers, answers), (&mut self.ended, ended), (&mut self.sessions, sessions)]
        {
            theirs.iter().for_each(|(word, count)| *mine.entry(word.clone()).or_default() += count);
        }
        self.timeouts += other.timeouts;
        self.errors += other.errors;
        self.crashes += other.crashes;
        self.leaks += other.leaks;
        self.findings += other.findings;
        self.valid_percent = 100.0 * ratio(self.tests.saturating_sub(self.errors), self.tests as f64);
    }

    /// Whether it was run and never gave anything that could be an answer.
    pub fn is_silent(&self) -> bool {
        self.tests > 0 && self.errors == self.tests
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_option_sets_of_a_solver_are_one_row_and_few_are_shown_each() {
        let names = ["z3", "z3 a", "z3 b", "z3 c", "cvc5", "cvc5 --x", "cvc4 -y"];
        let row = |tests| TargetStatus { tests, errors: 1, ..TargetStatus::default() };
        let targets = names.iter().zip(1..).map(|(name, tests)| ((*name).to_owned(), row(tests))).collect();
        let rows = Summary { targets, ..Summary::default() }.target_rows();
        let shown: Vec<(&str, u64)> = rows.iter().map(|(name, row)| (name.as_str(), row.tests)).collect();
        let expected =
            [("cvc4 -y", 7), ("cvc5", 5), ("cvc5 --x", 6), ("z3", 1), ("  3 option sets", 2 + 3 + 4)];
        assert_eq!(shown, expected);
        assert_eq!(rows[4].1.errors, 3);
    }
}
