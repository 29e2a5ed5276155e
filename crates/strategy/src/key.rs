//! The key of a campaign, and the random numbers that are derived from it.
//!
//! A campaign has one key. The random numbers of a unit are derived by hashing the key, the strategy's name and the
//! unit's number, so a unit is the same whatever ran before it and however many workers there are.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The key of a campaign: any text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct CampaignKey(pub String);

/// The random numbers of one unit.
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The numbers for one unit of one strategy.
    pub fn of(key: &CampaignKey, strategy: &str, unit: u64) -> Rng {
        let mut hasher = blake3::Hasher::new();
        for part in [key.0.as_bytes(), strategy.as_bytes()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.update(&unit.to_le_bytes());
        Rng(Xoshiro256PlusPlus::from_seed(*hasher.finalize().as_bytes()))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`; `bound` must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The multiply-shift method; its bias is below bound / 2^64.
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Whether an event of probability `numerator / denominator` happens.
    pub fn chance(&mut self, numerator: usize, denominator: usize) -> bool {
        self.below(denominator) < numerator
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_has_the_same_numbers_whatever_ran_before_it() {
        let key = CampaignKey("k".into());
        let mut first = Rng::of(&key, "opswap", 7);
        let mut again = Rng::of(&key, "opswap", 7);
        assert_eq!(first.bits(), again.bits());
        assert_ne!(Rng::of(&key, "opswap", 8).bits(), Rng::of(&key, "opswap", 7).bits());
        assert_ne!(Rng::of(&key, "regrow", 7).bits(), Rng::of(&key, "opswap", 7).bits());
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut rng = Rng::of(&CampaignKey("k".into()), "s", 0);
        let mut seen = [false; 7];
        for _ in 0..500 {
            seen[rng.below(7)] = true;
        }
        assert_eq!(seen, [true; 7]);
    }
}
