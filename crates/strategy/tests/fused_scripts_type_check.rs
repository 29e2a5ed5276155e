//! Every fused script is well-typed and has one check-sat, whatever the seeds and the functions.
//!
//! The seeds are the embedded ones, and those of the folder `FALSUM_CORPUS` if it is set.

use corpus::{Quarantine, ScanLimits};
use smtlib::Script;
use std::collections::BTreeSet;
use strategy::fusion::{Config, Functions, Fusing, Fusion, Mode};
use strategy::{Bank, CampaignKey, Draft, Propose, Rng, Skip};

fn bank() -> Bank {
    let mut seeds: Vec<corpus::Seed> = corpus::embedded().collect();
    if let Some(folder) = std::env::var_os("FALSUM_CORPUS") {
        let limits = ScanLimits { file_bytes: 1 << 16, ..ScanLimits::default() };
        seeds.extend(corpus::scan(&[folder], &limits, &Quarantine::default()).seeds);
    }
    Bank::new(seeds).0
}

fn propose(fusing: &Fusing, key: &str, unit: u64) -> Result<Vec<Draft>, Skip> {
    fusing.propose(unit, &mut Rng::of(&CampaignKey(key.into()), "fusion", unit))
}

fn count() -> u64 {
    std::env::var("FALSUM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000)
}

/// Fuses, checks every script, and returns the names of the functions used.
fn check(bank: &Bank, count: u64) -> BTreeSet<String> {
    let fusing = Fusing::new(Fusion::default(), bank);
    let mut used = BTreeSet::new();
    let mut made = 0;
    for unit in 0..count {
        let Ok(drafts) = propose(&fusing, "type-check", unit) else { continue };
        for draft in drafts {
            made += 1;
            let script = Script::parse(draft.script()).unwrap_or_else(|error| {
                panic!(
                    "unit {unit} {:?}\n{}\n{}",
                    draft.rules,
                    error.render("fused.smt2", draft.script()),
                    String::from_utf8_lossy(draft.script())
                )
            });
            assert_eq!(script.checks(), 1);
            assert_eq!(draft.questions[0].expects.len(), 1);
            used.extend(
                draft.rules[1..].iter().map(|rule| rule.split(' ').next().unwrap_or_default().to_owned()),
            );
        }
    }
    assert!(made * 100 >= count * 95, "{made} of {count}");
    used
}

#[test]
fn every_fused_script_type_checks_and_every_function_is_used() {
    let bank = bank();
    let mut used = check(&bank, count());
    // Few seeds have these sorts, so they get separate banks.
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
    let first = Fusing::new(Fusion::default(), &bank);
    let many: Vec<_> = (0..50).map(|unit| propose(&first, "again", unit)).collect();
    let second = Fusing::new(Fusion::default(), &bank);
    for unit in (0..50).rev() {
        assert_eq!(propose(&second, "again", unit), many[unit as usize]);
    }
}

#[test]
fn concatenation_fuses_nothing_and_still_type_checks() {
    let bank = bank();
    let config = Config { concat_only: true, ..Config::default() };
    let fusing = Fusing::new(Fusion::new(config, Functions::embedded().functions), &bank);
    for unit in 0..300 {
        for draft in propose(&fusing, "concat", unit).unwrap() {
            assert!(Script::parse(draft.script()).is_ok());
            assert_eq!(draft.rules.len(), 1);
            assert!(!draft.script().windows(4).any(|name| name == b"z$2$"));
        }
    }
}

#[test]
fn a_mode_that_is_not_asked_for_is_not_made() {
    let bank = bank();
    let config = Config { modes: vec![Mode::Unsat], ..Config::default() };
    let fusing = Fusing::new(Fusion::new(config, Functions::embedded().functions), &bank);
    for unit in 0..100 {
        for draft in propose(&fusing, "m", unit).unwrap() {
            let expect = draft.questions[0].expect(0).unwrap();
            assert_eq!(expect.answer, strategy::Expected::Unsat);
            assert!(expect.ground.because().starts_with("unsat fusion"));
        }
    }
}
