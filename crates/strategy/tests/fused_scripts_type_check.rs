//! Every fused script is well-typed and asks one question, whatever the seeds and the functions.
//!
//! The seeds are the embedded ones, and those of the folder `FALSUM_CORPUS` if it is set.

use corpus::{Quarantine, ScanLimits};
use smtlib::Script;
use std::collections::BTreeSet;
use strategy::fusion::{Config, Functions, Fusion, Mode};
use strategy::{Bank, CampaignKey, Strategy};

fn bank() -> Bank {
    let mut seeds: Vec<corpus::Seed> = corpus::embedded().collect();
    if let Some(folder) = std::env::var_os("FALSUM_CORPUS") {
        let limits = ScanLimits { file_bytes: 1 << 16, ..ScanLimits::default() };
        seeds.extend(corpus::scan(&[folder], &limits, &Quarantine::default()).seeds);
    }
    Bank::new(seeds).0
}

fn count() -> u64 {
    std::env::var("FALSUM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000)
}

/// Fuses, checks every script, and gives the names of the functions used.
fn check(bank: &Bank, count: u64) -> BTreeSet<String> {
    let fusion = Fusion::default();
    let key = CampaignKey("type-check".into());
    let mut used = BTreeSet::new();
    let mut made = 0;
    for unit in 0..count {
        let Ok(cases) = fusion.propose(bank, &key, unit) else { continue };
        for case in cases {
            made += 1;
            let script = Script::parse(&case.script).unwrap_or_else(|error| {
                panic!(
                    "unit {unit} {:?}\n{}\n{}",
                    case.recipe.rules,
                    error.render("fused.smt2", &case.script),
                    String::from_utf8_lossy(&case.script)
                )
            });
            assert_eq!(script.checks(), 1);
            assert_eq!(case.expectation.checks.len(), 1);
            used.extend(
                case.recipe.rules[1..]
                    .iter()
                    .map(|rule| rule.split(' ').next().unwrap_or_default().to_owned()),
            );
        }
    }
    assert!(made * 100 >= count * 95, "{made} of {count}");
    used
}

#[test]
fn every_fused_script_type_checks_and_every_function_gets_its_turn() {
    let bank = bank();
    let mut used = check(&bank, count());
    // Few seeds have these sorts, so they get banks of their own.
    for rare in ["FiniteField", "(Set ", "(Seq "] {
        let has = |seed: &corpus::Seed| String::from_utf8_lossy(&seed.text).contains(rare);
        used.append(&mut check(&Bank::new(corpus::embedded().filter(has)).0, 300));
    }
    let all: BTreeSet<String> =
        Functions::embedded().functions.into_iter().map(|function| function.name).collect();
    let missed: Vec<&String> = all.difference(&used).collect();
    assert!(missed.is_empty(), "never used: {missed:?}");
}

#[test]
fn the_same_unit_gives_the_same_bytes_whatever_ran_before() {
    let bank = bank();
    let key = CampaignKey("again".into());
    let first = Fusion::default();
    let many: Vec<_> = (0..50).map(|unit| first.propose(&bank, &key, unit)).collect();
    let second = Fusion::default();
    for unit in (0..50).rev() {
        assert_eq!(second.propose(&bank, &key, unit), many[unit as usize]);
    }
}

#[test]
fn concatenation_fuses_nothing_and_still_type_checks() {
    let bank = bank();
    let config = Config { concat_only: true, ..Config::default() };
    let fusion = Fusion::new(config, Functions::embedded().functions);
    let key = CampaignKey("concat".into());
    for unit in 0..300 {
        for case in fusion.propose(&bank, &key, unit).unwrap() {
            assert!(Script::parse(&case.script).is_ok());
            assert_eq!(case.recipe.rules.len(), 1);
            assert!(!case.script.windows(4).any(|name| name == b"z$2$"));
        }
    }
}

#[test]
fn a_mode_that_is_not_asked_for_is_not_made() {
    let bank = bank();
    let config = Config { modes: vec![Mode::Unsat], ..Config::default() };
    let fusion = Fusion::new(config, Functions::embedded().functions);
    for unit in 0..100 {
        for case in fusion.propose(&bank, &CampaignKey("m".into()), unit).unwrap() {
            assert_eq!(case.expectation.of(0), strategy::Expected::Unsat);
            assert!(case.expectation.because.starts_with("unsat fusion"));
        }
    }
}
