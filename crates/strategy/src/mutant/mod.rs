//! What the mutators share: where a seed may be changed, what may be written there, and how the bytes are changed.
//!
//! A mutant is never built as a term. `places.rs` reads a prepared seed once and determines for every printed
//! occurrence which names are in scope there and whether it may be changed; `fit.rs` finds the operators of the theory
//! tables that accept given arguments; `donors.rs` has the terms that may be written elsewhere and `literals.rs` has
//! values worth writing; `logic.rs` says whether the script's logic allows them or must be widened; `splice.rs` writes
//! the seed's bytes with the changed ranges replaced. `PerSeed` keeps what is computed once per seed.

pub mod donors;
pub mod fit;
pub mod literals;
pub mod logic;
pub mod places;
pub mod splice;

use crate::{Bank, Prepared, Rng, Skip};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// Changes to one seed, each on top of the others: how many there are, and how many of them make a case.
#[derive(Clone, Copy)]
pub struct Chain {
    steps: u32,
    every: u32,
}

impl Chain {
    pub fn new(steps: u32, every: u32) -> Chain {
        Chain { steps, every: every.max(1) }
    }

    /// The maximum number of cases.
    pub fn cases(self) -> u64 {
        u64::from((self.steps / self.every).max(1))
    }

    /// The changes, numbered from 1; enough for at least one case.
    pub fn steps(self) -> RangeInclusive<u32> {
        1..=self.steps.max(self.every)
    }

    /// Whether there is a case after this change.
    pub fn has_case_after(self, step: u32) -> bool {
        step.is_multiple_of(self.every)
    }
}

/// The data that a strategy has about each seed of its bank, computed at first use.
pub struct PerSeed<T> {
    bank: Bank,
    slots: Box<[OnceLock<T>]>,
}

impl<T> PerSeed<T> {
    pub fn new(bank: &Bank) -> PerSeed<T> {
        PerSeed { bank: bank.clone(), slots: (0..bank.len()).map(|_| OnceLock::new()).collect() }
    }

    pub fn bank(&self) -> &Bank {
        &self.bank
    }

    /// A random seed, and the data about it.
    pub fn draw(&self, rng: &mut Rng, make: impl FnOnce(&Prepared) -> T) -> Result<(&Prepared, &T), Skip> {
        if self.bank.is_empty() {
            return Err(Skip::NoSeed("the corpus is empty"));
        }
        let number = rng.below(self.bank.len());
        let prepared = &self.bank.seeds()[number];
        Ok((prepared, self.slots[number].get_or_init(|| make(prepared))))
    }
}
