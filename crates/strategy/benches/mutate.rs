//! How fast mutants are made, printing included, on seeds of median size.
//!
//! The seeds are the embedded ones of 900 to 1,800 bytes (or those of `$FALSUM_CORPUS`, if set). One iteration is one
//! unit, a chain of ten mutants; the counter shows mutants per second. The target is 100,000 per second and core.

use corpus::{Quarantine, ScanLimits, Seed};
use divan::counter::ItemsCount;
use strategy::{Bank, CampaignKey, registry};

fn main() {
    divan::main();
}

fn bank() -> Bank {
    let seeds: Vec<Seed> = match std::env::var_os("FALSUM_CORPUS") {
        Some(folder) => {
            corpus::scan(&[std::path::PathBuf::from(folder)], &ScanLimits::default(), &Quarantine::default())
                .seeds
        }
        None => corpus::embedded().collect(),
    };
    let median = |seed: &Seed| (900..1_800).contains(&seed.text.len());
    let (fitting, others): (Vec<Seed>, Vec<Seed>) = seeds.into_iter().partition(median);
    Bank::new(if fitting.is_empty() { others } else { fitting }).0
}

fn mutants(bencher: divan::Bencher<'_, '_>, name: &str) {
    let bank = bank();
    let key = CampaignKey("bench".into());
    let Some(strategy) = registry::find(name) else { unreachable!("the strategy is registered") };
    // What is known about a seed is computed at its first use; a campaign pays for that once.
    for unit in 0..20 * bank.len() as u64 {
        let _ = strategy.propose(&bank, &key, unit);
    }
    let mut unit = 0;
    bencher.counter(ItemsCount::new(strategy.unit_len() as usize)).bench_local(|| {
        unit += 1;
        strategy.propose(&bank, &key, unit)
    });
}

#[divan::bench]
fn opswap(bencher: divan::Bencher<'_, '_>) {
    mutants(bencher, "opswap");
}

#[divan::bench]
fn regrow(bencher: divan::Bencher<'_, '_>) {
    mutants(bencher, "regrow");
}
