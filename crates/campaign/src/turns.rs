//! A seed that keeps timing out or being refused loses its turn.
//!
//! Real seeds differ by orders of magnitude in what they cost: without this, most of a campaign's time goes to the few
//! whose mutants nobody decides within the limits. A unit is left as soon as two cases in a row got no answer from
//! anybody, and a seed with such units has fewer and fewer of the later ones, never none: it may be its mutants' hour
//! yet. One unit with answers clears it.
//!
//! What is left out depends on the clock, so this is only for campaigns that the clock ends. A campaign of a given
//! number of cases does all of them, and its cases do not depend on the machine.

use crate::unit::Done;
use corpus::SeedId;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// This many cases without any answer end a unit.
const ENOUGH: usize = 2;

/// A seed has at least one turn in 2 to this power.
const MOST_STRIKES: u32 = 6;

/// How often each seed has disappointed in a row.
#[derive(Default)]
pub struct Turns {
    strikes: Mutex<BTreeMap<SeedId, u32>>,
}

impl Turns {
    /// Whether the seeds of a unit have their turn.
    pub fn has_one(&self, seeds: &[SeedId], unit: u64) -> bool {
        let strikes = self.strikes();
        let most = seeds.iter().filter_map(|seed| strikes.get(seed)).max().copied().unwrap_or(0);
        // Units of one seed lie anywhere, so the unit is mixed before it is divided.
        unit.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & ((1 << most.min(MOST_STRIKES)) - 1) == 0
    }

    /// Remembers how a unit went.
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

/// Whether nobody answered the last cases of a unit: each step of a chain builds on the one before. A finding is an answer
/// of its own.
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
    use strategy::{Facts, Recipe};

    fn done(answer: Option<Answer>) -> Done {
        let recipe = Recipe { seeds: vec![SeedId::of(b"seed")], ..Recipe::default() };
        let checks = vec![Check { answer, ..Check::default() }];
        let tests = vec![Test::of(&Reply { checks, ended: Ended::Wall, ..Reply::default() })];
        let verdict = Judged::Inconclusive(String::new());
        let (script, facts, cpu) = ([].into(), Facts::default(), vec![]);
        Done { recipe, script, verdict, tests, facts, cpu, answered: 0 }
    }

    fn turns_in_a_hundred(turns: &Turns) -> usize {
        (0..100).filter(|&unit| turns.has_one(&[SeedId::of(b"seed")], unit)).count()
    }

    #[test]
    fn a_seed_that_nobody_answers_gets_fewer_turns_and_one_answer_gives_them_back() {
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
