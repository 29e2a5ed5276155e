//! All strategies, in the order in which they are shown.
//!
//! To add one: write its file, which ends with a `pub const STRATEGY`, then one line here.

use crate::{
    Strategy, changes, construct, enumerate, evolve, fusion, opswap, regrow, reseed, seeds, shapes, skeleton,
    strings, weaken,
};

pub const STRATEGIES: &[&Strategy] = &[
    &seeds::STRATEGY,
    &fusion::STRATEGY,
    &opswap::STRATEGY,
    &regrow::STRATEGY,
    &weaken::STRATEGY,
    &skeleton::STRATEGY,
    &reseed::STRATEGY,
    &construct::STRATEGY,
    &strings::STRATEGY,
    &shapes::STRATEGY,
    &changes::STRATEGY,
    &enumerate::cases::STRATEGY,
    &evolve::STRATEGY,
];

/// The strategy of this name.
pub fn find(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().copied().find(|strategy| strategy.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_its_name_and_no_two_share_one() {
        for (n, strategy) in STRATEGIES.iter().enumerate() {
            assert!(find(strategy.name).is_some_and(|found| found.name == strategy.name));
            assert!(!STRATEGIES[..n].iter().any(|other| other.name == strategy.name));
        }
        assert!(find("nothing").is_none());
    }

    #[test]
    fn every_strategy_has_a_page_that_begins_with_its_name() {
        for strategy in STRATEGIES {
            let page = strategy.page();
            assert!(page.starts_with(&format!("`{}`: ", strategy.name)), "{page}");
        }
    }
}
