//! How fast cases are made, printing included, on seeds of median size.
//!
//! The seeds are those of `$FALSUM_CORPUS` (or `../shared/corpus` beside the repository, or the embedded ones) whose
//! size is within a quarter of the median. One iteration is one unit: a chain of ten mutants, or one fusion; the
//! counter shows cases per second of one core. The goals are 100,000 for `opswap` and `regrow`, 30,000 for `fusion`.

use corpus::{Quarantine, ScanLimits, Seed};
use divan::counter::ItemsCount;
use strategy::{Bank, CampaignKey, Rng, Settings, registry, unheard};

fn main() {
    divan::main();
}

fn seeds() -> Vec<Seed> {
    let folder = testkit::corpus_folder();
    let found = corpus::scan(folder.as_slice(), &ScanLimits::default(), &Quarantine::default()).seeds;
    if found.is_empty() { corpus::embedded().collect() } else { found }
}

fn bank() -> Bank {
    let mut seeds = seeds();
    seeds.sort_by_key(|seed| seed.text.len());
    let median = seeds.get(seeds.len() / 2).map_or(0, |seed| seed.text.len());
    seeds.retain(|seed| (median * 3 / 4..=median * 5 / 4).contains(&seed.text.len()));
    Bank::new(seeds).0
}

fn cases(bencher: divan::Bencher<'_, '_>, name: &str) {
    let bank = bank();
    let key = CampaignKey("bench".into());
    let Some(strategy) = registry::find(name) else { unreachable!("the strategy is registered") };
    let Ok(source) = (strategy.begin)(&bank, &Settings::default()) else { unreachable!("there are seeds") };
    let make = |unit| unheard(&*source, unit, Rng::of(&key, name, unit));
    // The data about a seed are computed at its first use; a campaign pays for that once.
    for unit in 0..20 * bank.len() as u64 {
        let _ = make(unit);
    }
    let mut unit = 0;
    bencher.counter(ItemsCount::new(source.unit_len() as usize)).bench_local(|| {
        unit += 1;
        make(unit)
    });
}

#[divan::bench(sample_count = 200, sample_size = 50)]
fn opswap(bencher: divan::Bencher<'_, '_>) {
    cases(bencher, "opswap");
}

#[divan::bench(sample_count = 200, sample_size = 50)]
fn regrow(bencher: divan::Bencher<'_, '_>) {
    cases(bencher, "regrow");
}

#[divan::bench(sample_count = 200, sample_size = 200)]
fn fusion(bencher: divan::Bencher<'_, '_>) {
    cases(bencher, "fusion");
}

#[divan::bench(sample_count = 200, sample_size = 20)]
fn weaken(bencher: divan::Bencher<'_, '_>) {
    cases(bencher, "weaken");
}

#[divan::bench(sample_count = 200, sample_size = 50)]
fn reseed(bencher: divan::Bencher<'_, '_>) {
    cases(bencher, "reseed");
}

#[divan::bench(sample_count = 200, sample_size = 50)]
fn skeleton(bencher: divan::Bencher<'_, '_>) {
    cases(bencher, "skeleton");
}
