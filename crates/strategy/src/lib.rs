//! Makes test cases.
//!
//! One technique per module, named by what it does. A technique is a pure function of its
//! inputs (seeds or a grammar, a configuration, a key or an index) and never touches a solver,
//! the clock, the file system or unseeded randomness: whoever has the recipe rebuilds the same
//! bytes. Everything that is data (grammars, operator classes) is a text file beside the
//! sources, embedded in the binary and replaceable by the caller.

//!
//! `case` is what every technique makes, `key` is where all its choices come from, `bank` is what it makes cases
//! of; each further module is a technique, opening with its idea, its paper and why its expectation is right.

pub mod bank;
pub mod case;
pub mod classes;
pub mod enumerate;
pub mod fusion;
pub mod key;
pub mod mutant;
pub mod opswap;
pub mod registry;
pub mod regrow;
pub mod seeds;

pub use bank::{Bank, Prepared};
pub use case::{Case, Expectation, Expected, Recipe};
pub use key::{CampaignKey, Rng};

/// A technique that makes test cases.
///
/// `propose` is a pure function of the bank, the campaign key and the unit number: a unit is one case, or a chain
/// of cases that grow from one another. It may use no other source of choice than `Rng::of`.
pub trait Strategy: Send + Sync {
    /// The name by which users and recipes call it.
    fn name(&self) -> &'static str;

    /// One line for `falsum strategy list`.
    fn about(&self) -> &'static str;

    /// How many cases a unit has at most. Case `n` of a campaign lies in unit `n / unit_len`.
    fn unit_len(&self) -> u64 {
        1
    }

    /// Makes the cases of one unit, or says why there are none.
    fn propose(&self, bank: &Bank, key: &CampaignKey, unit: u64) -> Result<Vec<Case>, Skip>;
}

/// Why a unit has no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// No seed of the bank suits the strategy.
    #[error("no seed suits: {0}")]
    NoSeed(&'static str),
    /// The chosen seed offered nothing to change.
    #[error("nothing to do on seed {seed}: {why}")]
    NothingToDo { seed: corpus::SeedId, why: &'static str },
}
