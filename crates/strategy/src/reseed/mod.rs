//! `reseed`: the same problem in other words.
//!
//! Idea. The order of assertions, the names of symbols, `(< a b)` instead of `(> b a)`, a `push` on the way or another
//! random seed change nothing about a problem, and yet they lead a solver along another path. Answers that differ are
//! wrong on one side; an answer that is lost is an instability.
//! From: the mutations of Mariposa (Zhou et al., "Mariposa: Measuring SMT Instability in Automated Program
//! Verification", FMCAD 2023: shuffling, renaming, reseeding) and more ways to write the same.
//! Expectation: the same answer as the seed, and what the seed claims (as a claim). A solver that decides the one
//! should decide the other.
//! Sound because: a conjunction does not depend on its order, and declarations stay in front of what uses them; names
//! are fresh and replaced wherever the symbol occurs; arguments are permuted only under commutative operators and
//! comparisons turned round only with their arguments; a `push` that nothing pops, and an assertion that is popped
//! before any check-sat, change no set of assertions; `p` and `(=> p F)` together say F. What a script makes hard to
//! oversee (names of terms that are used, commands that nobody knows, its own push and pop) rules the move out.
//! Cost: one pass over the bytes per case.

mod speaker;
mod wording;

use crate::mutant::PerSeed;
use crate::{Bank, Draft, Plain, Propose, Rng, Settings, Skip, Strategy};
use speaker::Speaker;
use wording::Wording;

pub const STRATEGY: Strategy = Strategy {
    name: "reseed",
    about: "the same problem in other words: order, names, notation, scopes, random seeds",
    source: include_str!("mod.rs"),
    begin: |bank, settings| Ok(Box::new(Plain(Reseed::new(bank, settings)))),
};

/// Cases of a unit, all of one seed.
const CASES: u32 = 10;

pub struct Reseed {
    known: PerSeed<Wording>,
    cases: u32,
}

impl Reseed {
    fn new(bank: &Bank, settings: &Settings) -> Reseed {
        Reseed { known: PerSeed::new(bank), cases: settings.steps.unwrap_or(CASES).max(1) }
    }
}

impl Propose for Reseed {
    fn unit_len(&self) -> u64 {
        u64::from(self.cases)
    }

    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let (prepared, wording) = self.known.draw(rng, Wording::of)?;
        if wording.checks == 0 {
            return Err(Skip::NothingToDo { seed: prepared.seed.id, why: "it asks nothing" });
        }
        let mut speaker = Speaker::new(prepared, wording);
        Ok((0..self.cases).map(|_| speaker.draft(rng)).collect())
    }
}

/// A way to say the same otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    Shuffle,
    Rename,
    Notation,
    Push,
    Detour,
    Assume,
    Seed,
}

impl Move {
    fn name(self) -> &'static str {
        match self {
            Move::Shuffle => "assertions shuffled",
            Move::Rename => "symbols renamed",
            Move::Notation => "arguments in another order, comparisons turned round",
            Move::Push => "scopes opened between assertions",
            Move::Detour => "an assertion made and taken back",
            Move::Assume => "assertions moved into assumptions",
            Move::Seed => "another random seed",
        }
    }
}
