//! Every mutant type-checks with our own parser, whatever the strategy and the seed.
//!
//! The corpus is `$FALSUM_CORPUS` or `../shared/corpus` beside the repository; without it only the embedded seeds are
//! used, which is an error in CI. A few thousand mutants run always, 200,000 per strategy on request:
//! `cargo test -p strategy --test mutants -- --ignored --nocapture`.
#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stderr, reason = "a failure shows its script")]

use corpus::{Quarantine, ScanLimits, Seed};
use smtlib::term::Kind;
use smtlib::{Script, TermId};
use std::collections::BTreeSet;
use strategy::{Bank, CampaignKey, Draft, Rng, Settings, Source, Strategy, registry, unheard};

fn bank() -> Bank {
    let mut seeds: Vec<Seed> = corpus::embedded().collect();
    if let Some(folder) = testkit::corpus() {
        seeds.extend(corpus::scan(&[folder], &ScanLimits::default(), &Quarantine::default()).seeds);
    }
    Bank::new(seeds).0
}

fn begin(strategy: &Strategy, bank: &Bank) -> Box<dyn Source> {
    (strategy.begin)(bank, &Settings::default()).unwrap()
}

fn drafts(source: &dyn Source, name: &str, key: &str, unit: u64) -> Vec<Draft> {
    unheard(source, unit, Rng::of(&CampaignKey(key.into()), name, unit)).unwrap_or_default()
}

/// Makes this many cases; returns how many there were, and how many distinct.
fn check(strategy: &Strategy, bank: &Bank, count: usize) -> (usize, usize) {
    let source = begin(strategy, bank);
    let mut distinct = std::collections::HashSet::new();
    let (mut made, mut unit, mut bad) = (0, 0, 0);
    while made < count {
        for draft in drafts(&*source, strategy.name, "mutants", unit) {
            made += 1;
            distinct.insert(corpus::SeedId::of(draft.script()));
            for question in &draft.questions {
                let Err(error) = Script::parse(&question.script) else { continue };
                bad += 1;
                eprintln!("{}\n{:?}\n", error.render("mutant", &question.script), draft.rules);
                assert!(bad < 10, "too many ill-typed mutants");
            }
        }
        unit += 1;
        assert!(unit < 100 * count as u64, "{} makes no cases", strategy.name);
    }
    assert_eq!(bad, 0, "ill-typed mutants among {made} of {}", strategy.name);
    (made, distinct.len())
}

#[test]
fn every_mutant_type_checks() {
    let bank = bank();
    for strategy in registry::STRATEGIES {
        check(strategy, &bank, 5_000);
    }
}

#[test]
#[ignore = "takes a minute per strategy"]
fn two_hundred_thousand_mutants_of_every_strategy_type_check() {
    let bank = bank();
    for strategy in registry::STRATEGIES {
        let (made, distinct) = check(strategy, &bank, 200_000);
        eprintln!("{}: {made} cases, {distinct} distinct, all type-check", strategy.name);
    }
}

#[test]
fn a_unit_is_the_same_whatever_was_asked_before() {
    let bank = bank();
    for strategy in registry::STRATEGIES {
        let (name, first, second) = (strategy.name, begin(strategy, &bank), begin(strategy, &bank));
        let late: Vec<_> = (0..40).rev().map(|unit| drafts(&*first, name, "k", unit)).collect();
        for (unit, expected) in (0..40).zip(late.into_iter().rev()) {
            assert_eq!(drafts(&*second, name, "k", unit), expected, "{name}, unit {unit}");
        }
    }
}

/// The theories of a script's operators.
fn theories(script: &Script) -> BTreeSet<&'static str> {
    let pool = &script.pool;
    let theory = |n: u32| match pool.kind(TermId(n)) {
        Kind::Op { op, .. } => Some(op.row().theory),
        _ => None,
    };
    (0..pool.len() as u32).filter_map(theory).collect()
}

#[test]
fn every_strategy_reaches_every_theory_that_seeds_have() {
    let (bank, _) = Bank::new(corpus::embedded());
    let all: BTreeSet<&str> = bank.seeds().iter().flat_map(|prepared| theories(&prepared.script)).collect();
    assert!(all.len() >= 16, "{all:?}");
    for name in ["opswap", "regrow", "fusion", "weaken", "reseed"] {
        let source = begin(registry::find(name).unwrap(), &bank);
        let mut reached = BTreeSet::new();
        for unit in 0..6_000 {
            let drafts = drafts(&*source, name, "theories", unit);
            // Some theories have few seeds; one case of each chain is enough.
            let Some(draft) = drafts.last() else { continue };
            let seeds = draft.seeds.iter().filter_map(|id| bank.find(id));
            reached.extend(seeds.flat_map(|prepared| theories(&prepared.script)));
        }
        // Explicit application uses functions as values, and no solver allows those as fields or elements.
        let beyond = |theory: &&&str| name == "fusion" && **theory == "HO-Core";
        let missed: Vec<_> = all.difference(&reached).filter(|theory| !beyond(theory)).collect();
        assert!(missed.is_empty(), "{name} never changes seeds of {missed:?}");
    }
}
