//! Seeds that keep timing out or being rejected, or that cost far more than others, are used less often.
//!
//! The cost of real seeds differs by orders of magnitude: without this, most of a campaign's time goes to the few seeds
//! whose mutants no solver decides within the limits. A unit ends as soon as two cases in a row got no answer from any
//! solver, and a seed with such units is used in fewer and fewer of the later units, but never in none: later mutants
//! may be easier. One unit with answers resets the count.
//!
//! A unit also ends as soon as three cases in a row show the same kind of finding in the same solver, and its seeds are used
//! less often in the same way: a seed that shows a bug by itself has mutants that nearly all show it, and each of them
//! costs as much as a hundred cases until triage has recognised the bug.
//!
//! A seed whose cases take twice as long as those of the average seed is used in every other unit, one with four times in
//! every fourth, and so on: seeds share time and not units. Confirming a single finding is no cost of the seed's.
//!
//! A target that had no answer to a case of a unit, because of a limit or because it does not accept the case, is left out
//! of every other of the next cases of that unit if another target answers; after each further one it is left out of
//! twice as many. A timeout costs more than ten answers. The first case of every unit is put to all targets.
//!
//! Our own searches for a model or a refutation get half as much work after each case of a unit in which they failed, down
//! to an eighth, and all of it again after one that succeeds.
//!
//! What is skipped depends on the clock, so this is only used for campaigns that end by the clock. A campaign with a
//! given number of cases does all of them, and its cases do not depend on the machine.

use crate::unit::{Done, Judged};
use corpus::SeedId;
use oracle::{Effort, Searched};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::Test;

/// This many cases without any answer end a unit.
const ENOUGH: usize = 2;

/// This many cases in a row with findings of one kind in one solver end a unit.
const ECHOES: usize = 3;

/// A seed is used at least once in 2 to this power units.
const MOST_STRIKES: u32 = 6;

/// A target that keeps giving no answer is asked at least about one case in 2 to this power.
const MOST_SILENCE: u32 = 4;

/// What is known of the seeds so far.
#[derive(Default)]
pub struct Turns {
    past: Mutex<Past>,
}

#[derive(Default)]
struct Past {
    seeds: BTreeMap<SeedId, Record>,
    /// The sum of the costs of all seeds.
    costs: f64,
}

#[derive(Clone, Copy, Default)]
struct Record {
    /// How many units in a row ended early.
    strikes: u32,
    /// Microseconds of solvers per case, smoothed over units.
    cost: f64,
}

/// How much the last unit of a seed counts for its cost.
const FRESH: f64 = 0.25;

impl Turns {
    /// Whether the seeds of a unit are due.
    pub fn has_one(&self, seeds: &[SeedId], unit: u64) -> bool {
        let past = self.past();
        let most = seeds.iter().map(|seed| past.rarity(seed)).max().unwrap_or(0);
        // The units of one seed may have any numbers, so the unit is mixed before it is divided.
        unit.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & ((1 << most) - 1) == 0
    }

    /// Records how a unit went.
    pub fn note(&self, done: &[Done]) {
        let Some(first) = done.first() else { return };
        let micros: u64 = done.iter().flat_map(|done| &done.tests).map(|test| test.micros).sum();
        let cost = micros as f64 / done.len() as f64;
        let mut past = self.past();
        for &seed in &first.recipe.seeds {
            past.note(seed, ends_early(done), cost);
        }
    }

    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Past {
    /// A seed is used in one of 2 to this power units.
    fn rarity(&self, seed: &SeedId) -> u32 {
        let Some(record) = self.seeds.get(seed) else { return 0 };
        let average = self.costs / self.seeds.len() as f64;
        let times = if average > 0.0 { record.cost / average } else { 1.0 };
        record.strikes.max(times.max(1.0).log2() as u32).min(MOST_STRIKES)
    }

    fn note(&mut self, seed: SeedId, ended_early: bool, cost: f64) {
        let first = Record { strikes: 0, cost };
        let record = self.seeds.entry(seed).or_insert_with(|| {
            self.costs += cost;
            first
        });
        record.strikes = if ended_early { record.strikes + 1 } else { 0 };
        let change = FRESH * (cost - record.cost);
        record.cost += change;
        self.costs += change;
    }
}

/// How many of the last cases of a unit each target had no answer to.
#[derive(Default)]
pub struct Silences(BTreeMap<Arc<str>, u32>);

impl Silences {
    /// Records what came of a case, target by target.
    pub fn note(&mut self, tests: &[Test]) {
        for test in tests {
            let count = self.0.entry(Arc::clone(&test.target)).or_default();
            *count = if test.timeout || test.error { *count + 1 } else { 0 };
        }
    }

    /// The targets to leave out of the case with this number, unless no other is left.
    pub fn resting(&self, step: u64) -> Vec<Arc<str>> {
        let rests = |silent: u32| {
            let rarity = silent.min(MOST_SILENCE);
            !step.is_multiple_of(1 << rarity)
        };
        self.0.iter().filter(|(_, silent)| rests(**silent)).map(|(target, _)| Arc::clone(target)).collect()
    }
}

/// How many of the last cases of a unit each of our own searches found nothing in. The cases of a unit are alike: where
/// a search fails twice, it hardly ever finds something in the next case, and failures cost most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Failures {
    finder: u32,
    refutation: u32,
}

impl Failures {
    pub fn note(&mut self, searched: Searched) {
        let count = |failures: &mut u32, found: Option<bool>| match found {
            Some(true) => *failures = 0,
            Some(false) => *failures += 1,
            None => {}
        };
        count(&mut self.finder, searched.finder);
        count(&mut self.refutation, searched.refutation);
    }

    /// What the next case gets.
    pub fn leave(self, effort: Effort) -> Effort {
        effort.after_failures(self.finder, self.refutation)
    }
}

/// Whether the further cases of a unit are not worth asking.
pub fn ends_early(done: &[Done]) -> bool {
    is_hopeless(done) || is_echoing(done)
}

/// Whether the last cases of a unit show the same kind of finding in the same solver.
fn is_echoing(done: &[Done]) -> bool {
    let worst = |done: &Done| match &done.verdict {
        Judged::Findings(inquiry) => {
            inquiry.verdict.findings().first().map(|worst| (worst.kind, worst.culprit.clone()))
        }
        _ => None,
    };
    let last = done.last().and_then(worst);
    last.is_some() && done.len() >= ECHOES && done.iter().rev().take(ECHOES).all(|done| worst(done) == last)
}

/// Whether no solver answered the last cases of a unit: each step of a chain builds on the one before. A finding counts
/// as an answer.
fn is_hopeless(done: &[Done]) -> bool {
    let silent = |done: &Done| !done.verdict.is_finding() && !done.has_answer();
    done.len() >= ENOUGH && done.iter().rev().take(ENOUGH).all(silent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oracle::{Accusation, FindingKind, Verdict};
    use solver::{Answer, Check, Ended, Reply};
    use store::Test;
    use strategy::Recipe;

    fn done(answer: Option<Answer>) -> Done {
        let recipe = Recipe { seeds: vec![SeedId::of(b"seed")], ..Recipe::default() };
        let checks = vec![Check { answer, ..Check::default() }];
        let tests = vec![Test::of(&Reply { checks, ended: Ended::Wall, ..Reply::default() })];
        let verdict = Judged::Inconclusive(String::new());
        Done { verdict, tests, ..Done::our_bug(recipe, [].into(), String::new()) }
    }

    fn turns_in_a_hundred(turns: &Turns) -> usize {
        (0..100).filter(|&unit| turns.has_one(&[SeedId::of(b"seed")], unit)).count()
    }

    #[test]
    fn a_seed_that_no_solver_answers_gets_fewer_turns_and_one_answer_restores_them() {
        let turns = Turns::default();
        assert_eq!(turns_in_a_hundred(&turns), 100);
        let silent = [done(None), done(None)];
        assert!(is_hopeless(&silent) && !is_hopeless(&silent[..1]));
        turns.note(&silent);
        assert!((35..65).contains(&turns_in_a_hundred(&turns)));
        (0..40).for_each(|_| turns.note(&silent));
        let seeds = [SeedId::of(b"seed")];
        let rare = (0..6400).filter(|&unit| turns.has_one(&seeds, unit)).count();
        assert!((50..200).contains(&rare), "{rare}");
        turns.note(&[done(None), done(Some(Answer::Sat))]);
        assert_eq!(turns_in_a_hundred(&turns), 100);
    }

    fn accused(kind: FindingKind, culprit: &str) -> Done {
        let at = strategy::At { question: 0, check: 0 };
        let culprit = Some(culprit.to_owned());
        let accusation = Accusation { kind, culprit, evidence: vec![], at, truth: None };
        let case = strategy::Case::of_script(smtlib::Parsed::read(&b"(check-sat)"[..]).unwrap());
        let inquiry = triage::Inquiry {
            verdict: Verdict::Findings(vec![accusation]),
            case,
            heard: vec![],
            facts: strategy::Facts::default(),
            unconfirmed: vec![],
            certain: false,
            rates: vec![],
            searched: oracle::Searched::default(),
        };
        Done { verdict: Judged::Findings(Box::new(inquiry)), ..done(Some(Answer::Sat)) }
    }

    #[test]
    fn a_unit_ends_when_three_cases_in_a_row_show_the_same_kind_of_finding_in_the_same_solver() {
        let wrong = || accused(FindingKind::RefutationUnsound, "a");
        assert!(ends_early(&[wrong(), wrong(), wrong()]));
        assert!(!ends_early(&[wrong(), wrong()]));
        assert!(!ends_early(&[wrong(), accused(FindingKind::RefutationUnsound, "b"), wrong()]));
        assert!(!ends_early(&[wrong(), wrong(), accused(FindingKind::Crash, "a")]));
        assert!(!ends_early(&[wrong(), wrong(), wrong(), done(Some(Answer::Sat))]));
        let turns = Turns::default();
        turns.note(&[wrong(), wrong(), wrong()]);
        assert!((35..65).contains(&turns_in_a_hundred(&turns)));
    }

    #[test]
    fn a_target_without_answers_is_left_out_of_more_and_more_cases_until_it_answers() {
        let mut silences = Silences::default();
        let silent = done(None).tests;
        let left_out =
            |silences: &Silences| (0..16).filter(|&step| !silences.resting(step).is_empty()).count();
        let counts: Vec<usize> = (0..8)
            .map(|_| {
                silences.note(&silent);
                left_out(&silences)
            })
            .collect();
        assert_eq!(counts, [8, 12, 14, 15, 15, 15, 15, 15]);
        assert!(silences.resting(0).is_empty(), "the first case is put to all");
        silences.note(&done(Some(Answer::Sat)).tests);
        assert_eq!(left_out(&silences), 0);
    }

    #[test]
    fn a_seed_that_costs_eight_times_the_average_gets_an_eighth_of_the_turns_until_it_costs_less() {
        let turns = Turns::default();
        let costing = |seed: &[u8], micros: u64| {
            let mut done = done(Some(Answer::Sat));
            done.recipe.seeds = vec![SeedId::of(seed)];
            done.tests[0].micros = micros;
            turns.note(&[done]);
        };
        for n in 0..70_u8 {
            costing(&[n], 1_000);
        }
        costing(b"seed", 10_000);
        assert!((5..25).contains(&turns_in_a_hundred(&turns)), "{}", turns_in_a_hundred(&turns));
        (0..70_u8).for_each(|n| assert!((0..100).all(|unit| turns.has_one(&[SeedId::of(&[n])], unit))));
        (0..20).for_each(|_| costing(b"seed", 1_000));
        assert_eq!(turns_in_a_hundred(&turns), 100);
    }
}
