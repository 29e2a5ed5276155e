//! What the mutators share: where a seed may be changed, what may stand there, and how the change becomes bytes.
//!
//! A mutant is never built as a term. `places.rs` reads a prepared seed once and says for every printed occurrence
//! which names are in scope there and whether it may be touched; `fit.rs` asks the theory tables which operators
//! take given arguments; `logic.rs` says whether the script's logic allows them or must be widened; `splice.rs`
//! writes the seed's bytes with the changed ranges replaced. What is computed per seed is kept in `PerSeed`.

pub mod fit;
pub mod logic;
pub mod places;
pub mod splice;

use crate::{Bank, Prepared, Rng, Skip};
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock, RwLock};

/// Changes to one seed, each on top of the others: how many there are, and after how many of them there is a case.
#[derive(Clone, Copy)]
pub struct Chain {
    steps: u32,
    every: u32,
}

impl Chain {
    pub fn new(steps: u32, every: u32) -> Chain {
        Chain { steps, every: every.max(1) }
    }

    /// How many cases it gives at most.
    pub fn cases(self) -> u64 {
        u64::from((self.steps / self.every).max(1))
    }

    /// The changes, numbered from 1: enough for one case at least.
    pub fn steps(self) -> RangeInclusive<u32> {
        1..=self.steps.max(self.every)
    }

    /// Whether there is a case after this change.
    pub fn has_case_after(self, step: u32) -> bool {
        step.is_multiple_of(self.every)
    }
}

type Slots<T> = Arc<[OnceLock<Arc<T>>]>;

/// What a strategy knows about each seed of a bank, computed at first use.
///
/// It holds the knowledge about one bank at a time, so it is a cache and never changes what is proposed.
pub struct PerSeed<T> {
    slots: RwLock<Option<(u64, Slots<T>)>>,
}

impl<T> Default for PerSeed<T> {
    fn default() -> PerSeed<T> {
        PerSeed { slots: RwLock::new(None) }
    }
}

impl<T> PerSeed<T> {
    /// The knowledge about a seed, made if it is new.
    pub fn get(&self, bank: &Bank, seed: usize, make: impl FnOnce(&Prepared) -> T) -> Arc<T> {
        let slots = self.slots(bank);
        slots[seed].get_or_init(|| Arc::new(make(&bank.seeds()[seed]))).clone()
    }

    /// A seed by chance, and the knowledge about it.
    pub fn draw<'b>(
        &self,
        bank: &'b Bank,
        rng: &mut Rng,
        make: impl FnOnce(&Prepared) -> T,
    ) -> Result<(&'b Prepared, Arc<T>), Skip> {
        if bank.is_empty() {
            return Err(Skip::NoSeed("the corpus is empty"));
        }
        let number = rng.below(bank.len());
        Ok((&bank.seeds()[number], self.get(bank, number, make)))
    }

    fn slots(&self, bank: &Bank) -> Slots<T> {
        if let Ok(guard) = self.slots.read()
            && let Some((id, slots)) = &*guard
            && *id == bank.identity()
        {
            return slots.clone();
        }
        let fresh: Slots<T> = (0..bank.len()).map(|_| OnceLock::new()).collect();
        if let Ok(mut guard) = self.slots.write() {
            match &*guard {
                Some((id, slots)) if *id == bank.identity() => return slots.clone(),
                _ => *guard = Some((bank.identity(), fresh.clone())),
            }
        }
        fresh
    }
}
