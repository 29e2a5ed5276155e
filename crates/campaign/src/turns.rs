//! Seeds that keep timing out or being rejected are used less often.
//!
//! The cost of real seeds differs by orders of magnitude: without this, most of a campaign's time goes to the few seeds
//! whose mutants no solver decides within the limits. A unit ends as soon as two cases in a row got no answer from any
//! solver, and a seed with such units is used in fewer and fewer of the later units, but never in none: later mutants
//! may be easier. One unit with answers resets the count.
//!
//! What is skipped depends on the clock, so this is only used for campaigns that end by the clock. A campaign with a
//! given number of cases does all of them, and its cases do not depend on the machine.

use crate::unit::Done;
use corpus::SeedId;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// This many cases without any answer end a unit.
const ENOUGH: usize = 2;

/// A seed is used at least once in 2 to this power units.
const MOST_STRIKES: u32 = 6;

/// How many units in a row of each seed ended without answers.
#[derive(Default)]
pub struct Turns {
    strikes: Mutex<BTreeMap<SeedId, u32>>,
}

impl Turns {
    /// Whether the seeds of a unit are due.
    pub fn has_one(&self, seeds: &[SeedId], unit: u64) -> bool {
        let strikes = self.strikes();
        let most = seeds.iter().filter_map(|seed| strikes.get(seed)).max().copied().unwrap_or(0);
        // The units of one seed may have any numbers, so the unit is mixed before it is divided.
        unit.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & ((1 << most.min(MOST_STRIKES)) - 1) == 0
    }

    /// Records how a unit went.
    pub fn note(&self, done: &[Done]) {
        let Some(first) = done.first() else { return };
        let mut strikes = self.strikes();
        for &seed in &first.recipe.seeds {
            if is_hopeless(done) {
                *strikes.entry(seed).or_default() += 1;
            } else {
                strikes.remove(&seed);
            }
        }
    }

    fn strikes(&self) -> MutexGuard<'_, BTreeMap<SeedId, u32>> {
        self.strikes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether no solver answered the last cases of a unit: each step of a chain builds on the one before. A finding counts
/// as an answer.
pub fn is_hopeless(done: &[Done]) -> bool {
    let silent = |done: &Done| !done.verdict.is_finding() && !done.has_answer();
    done.len() >= ENOUGH && done.iter().rev().take(ENOUGH).all(silent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Judged;
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
}
