//! `seeds`: the seeds, unchanged.
//!
//! Idea. Unchanged seeds are the baseline: they find what a new release broke, and they show that the pipeline works
//! before anything is mutated.
//! Expectation: the status that the seed claims, marked as another party's claim. Contradictory claims are ignored.
//! Cost: one copy of the text.

use crate::{Bank, Draft, Expect, Expected, Ground, Plain, Propose, Rng, Skip, Strategy};
use corpus::Seed;

pub const STRATEGY: Strategy = Strategy {
    name: "seeds",
    about: "the seeds, unchanged",
    source: include_str!("seeds.rs"),
    begin: |bank, _| match bank.is_empty() {
        true => Err(Skip::NoSeed("the corpus is empty")),
        false => Ok(Box::new(Plain(Seeds(bank.clone())))),
    },
};

struct Seeds(Bank);

impl Propose for Seeds {
    fn propose(&self, unit: u64, _: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let seed = &self.0.seeds()[(unit % self.0.len() as u64) as usize].seed;
        Ok(vec![Draft::of(seed.text.to_vec()).seeds([seed.id]).expecting(claims(seed))])
    }
}

/// What a seed says about its check-sats; nothing if it contradicts itself.
pub fn claims(seed: &Seed) -> Vec<Option<Expect>> {
    if seed.conflict() {
        return vec![];
    }
    let ground = || Ground::Claim(format!("the seed `{}` says so", seed.name));
    let expect = |answer| Expect { answer, ground: ground() };
    seed.statuses().map(|status| Expected::of(status).map(expect)).collect()
}
