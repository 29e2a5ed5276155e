//! `seeds`: the seeds as they are.
//!
//! Idea. A corpus asked unchanged is the baseline: it finds what a new release broke, and it shows that the
//! pipeline works before anything is mutated.
//! Expectation: the status that the seed claims, marked as somebody's word. A claim in conflict is no claim.
//! Cost: one copy of the text.

use crate::{Bank, CampaignKey, Case, Expectation, Expected, Recipe, Skip, Strategy};

pub struct Seeds;

impl Strategy for Seeds {
    fn name(&self) -> &'static str {
        "seeds"
    }

    fn about(&self) -> &'static str {
        "the seeds as they are"
    }

    fn propose(&self, bank: &Bank, key: &CampaignKey, unit: u64) -> Result<Vec<Case>, Skip> {
        if bank.is_empty() {
            return Err(Skip::NoSeed("the corpus is empty"));
        }
        let prepared = &bank.seeds()[(unit % bank.len() as u64) as usize];
        let seed = &prepared.seed;
        let checks: Vec<Expected> =
            if seed.conflict() { vec![] } else { seed.statuses().map(Into::into).collect() };
        Ok(vec![Case {
            script: seed.text.to_vec(),
            expectation: Expectation {
                checks,
                because: format!("the seed `{}` says so", seed.name),
                by_status: true,
            },
            recipe: Recipe {
                strategy: self.name().into(),
                seeds: vec![seed.id],
                key: key.0.clone(),
                unit,
                step: 0,
                rules: vec![],
            },
        }])
    }
}
