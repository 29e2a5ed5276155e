//! How fast fusion is: cases per second, printing included.
//!
//! `median` fuses seeds whose text is about as long as the median of real corpora (1.3 KB); `embedded` the seeds of
//! the program, which are shorter. `cargo bench -p strategy --bench fusion`.

use divan::counter::ItemsCount;
use std::sync::LazyLock;
use strategy::fusion::Fusion;
use strategy::{Bank, CampaignKey, Strategy};

fn main() {
    divan::main();
}

static EMBEDDED: LazyLock<Bank> = LazyLock::new(|| Bank::new(corpus::embedded()).0);

/// Seeds of 1.0 to 1.6 KB: the embedded ones of that size, or those of `FALSUM_CORPUS` if it is set.
static MEDIAN: LazyLock<Bank> = LazyLock::new(|| {
    let seeds: Vec<corpus::Seed> = match std::env::var_os("FALSUM_CORPUS") {
        Some(folder) => corpus::scan(&[folder], &Default::default(), &Default::default()).seeds,
        None => corpus::embedded().collect(),
    };
    Bank::new(seeds.into_iter().filter(|seed| (1000..1600).contains(&seed.text.len()))).0
});

const CASES: u64 = 2000;

fn fuse(bencher: divan::Bencher<'_, '_>, bank: &Bank) {
    let fusion = Fusion::default();
    let key = CampaignKey("bench".into());
    let _ = fusion.propose(bank, &key, 0);
    bencher.counter(ItemsCount::new(CASES)).bench(|| {
        let mut bytes = 0;
        for unit in 0..CASES {
            for case in fusion.propose(bank, &key, unit).unwrap_or_default() {
                bytes += case.script.len();
            }
        }
        bytes
    });
}

#[divan::bench]
fn median(bencher: divan::Bencher<'_, '_>) {
    fuse(bencher, &MEDIAN);
}

#[divan::bench]
fn embedded(bencher: divan::Bencher<'_, '_>) {
    fuse(bencher, &EMBEDDED);
}
