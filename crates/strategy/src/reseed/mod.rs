//! `reseed`: the same problem, written differently.
//!
//! Idea. The order of assertions, the names of symbols, `(< a b)` instead of `(> b a)`, an additional `push` or
//! another random seed do not change a problem, but they lead a solver along another path. If the answers differ, one
//! of them is wrong. If an answer becomes unknown, the solver is unstable.
//! From: the mutations of Mariposa (Zhou et al., "Mariposa: Measuring SMT Instability in Automated Program
//! Verification", FMCAD 2023: shuffling, renaming, reseeding) and more ways to write the same.
//! Expectation: the same answer as the seed, and the seed's status (as a claim). A solver that decides one of them
//! should decide the other.
//! Sound because: a conjunction does not depend on its order, and declarations stay in front of their uses; names are
//! fresh and replaced wherever the symbol occurs; arguments are permuted only under commutative operators, and
//! comparisons are reversed only together with their arguments; a `push` without a `pop`, and an assertion that is
//! popped before any check-sat, do not change the set of assertions at a check-sat; `p` and `(=> p F)` together imply
//! F. A move is not used where its effect cannot be determined (names of terms that are used, unknown commands, push
//! and pop in the seed).
//! Cost: one pass over the bytes per case.

mod speaker;
mod wording;

use crate::mutant::PerSeed;
use crate::{Bank, Draft, Plain, Propose, Rng, Settings, Skip, Strategy};
use speaker::Speaker;
use wording::Wording;

pub const STRATEGY: Strategy = Strategy {
    name: "reseed",
    about: "the same problem written differently: order, names, notation, scopes, random seeds",
    source: include_str!("mod.rs"),
    begin: |bank, settings| Ok(Box::new(Plain(Reseed::new(bank, settings)?))),
};

/// Number of cases in a unit, all of one seed.
const CASES: u32 = 10;

pub struct Reseed {
    known: PerSeed<Wording>,
    cases: u32,
    /// The moves that the user wants.
    moves: Vec<Move>,
}

impl Reseed {
    fn new(bank: &Bank, settings: &Settings) -> Result<Reseed, Skip> {
        let wanted = settings.moves.iter().map(|word| Move::named(word)).collect::<Result<Vec<_>, _>>()?;
        let moves = if wanted.is_empty() { Move::ALL.to_vec() } else { wanted };
        Ok(Reseed { known: PerSeed::new(bank), cases: settings.steps.unwrap_or(CASES).max(1), moves })
    }
}

impl Propose for Reseed {
    fn unit_len(&self) -> u64 {
        u64::from(self.cases)
    }

    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let (prepared, wording) = self.known.draw(rng, |prepared| Wording::of(prepared, &self.moves))?;
        if wording.moves.is_empty() {
            return Err(Skip::NothingToDo {
                seed: prepared.seed.id,
                why: "nothing in it can be said otherwise",
            });
        }
        if wording.checks == 0 {
            return Err(Skip::NothingToDo { seed: prepared.seed.id, why: "it has no check-sat" });
        }
        let mut speaker = Speaker::new(prepared, wording);
        Ok((0..self.cases).map(|_| speaker.draft(rng)).collect())
    }
}

/// A way to write the same problem differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Shuffle,
    Rename,
    Notation,
    Push,
    Detour,
    Assume,
    Seed,
}

impl Move {
    pub const ALL: [Move; 7] =
        [Move::Shuffle, Move::Rename, Move::Notation, Move::Push, Move::Detour, Move::Assume, Move::Seed];

    /// The word by which users ask for it.
    pub fn word(self) -> &'static str {
        match self {
            Move::Shuffle => "shuffle",
            Move::Rename => "rename",
            Move::Notation => "notation",
            Move::Push => "push",
            Move::Detour => "detour",
            Move::Assume => "assume",
            Move::Seed => "seed",
        }
    }

    /// The move of this word.
    pub fn named(word: &str) -> Result<Move, Skip> {
        Move::ALL.into_iter().find(|found| found.word() == word).ok_or_else(|| {
            let words = Move::ALL.map(Move::word).join(", ");
            Skip::Setting(format!("`{word}` is no way to say the same\nhint: one of {words}"))
        })
    }

    fn name(self) -> &'static str {
        match self {
            Move::Shuffle => "assertions shuffled",
            Move::Rename => "symbols renamed",
            Move::Notation => "arguments in another order, comparisons reversed",
            Move::Push => "scopes opened between assertions",
            Move::Detour => "an assertion made and popped",
            Move::Assume => "assertions moved into assumptions",
            Move::Seed => "another random seed",
        }
    }
}
