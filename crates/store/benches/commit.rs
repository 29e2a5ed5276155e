//! How fast the one writer thread stores finished cases. The requirement: 20,000 cases per second on one core.
//! Run with `cargo bench -p store --bench commit`.

use divan::Bencher;
use divan::counter::ItemsCount;
use std::time::Duration;
use store::{Batch, Campaign, CaseDone, CaseHash, Options, Record, Store, Test, UnitDone};

fn main() {
    divan::main();
}

/// Units of one case, run on two targets.
fn batch(from: u64, cases: u64) -> Batch {
    let test = |target: &str| Test {
        target: target.into(),
        answers: vec![solver::Answer::Sat],
        ended: "itself".into(),
        timeout: false,
        error: false,
        leak: false,
        session: solver::SessionKind::Scoped,
        micros: 1000,
    };
    let unit = |unit: u64| UnitDone {
        strategy: "fusion".into(),
        unit,
        skipped: false,
        cases: vec![CaseDone {
            step: 0,
            hash: CaseHash::of(&unit.to_le_bytes()),
            verdict: "fine".into(),
            certified: true,
            answered: true,
            theories: vec!["Ints".into()],
            culprits: vec![],
            tests: vec![test("z3-5.4.0"), test("cvc5-1.4.2")],
        }],
    };
    Batch {
        units: (from..from + cases).map(unit).collect(),
        active: Duration::from_millis(50),
        ..Batch::default()
    }
}

/// A commit of this many cases, into a store that already holds 100,000.
#[divan::bench(args = [50, 1000], consts = [0, 1, 2], sample_count = 20, sample_size = 20)]
fn commit<const RECORD: usize>(bencher: Bencher<'_, '_>, cases: u64) {
    let dir = tempfile::tempdir().expect("a folder");
    let record = [Record::Findings, Record::Cases, Record::All][RECORD];
    let options = Options { record, ..Options::default() };
    let campaign = Campaign::new("key", vec!["fusion".into()], "seeds");
    let mut store = Store::create_with(dir.path(), &campaign, options).expect("created");
    store.commit(&batch(0, 100_000)).expect("kept");
    let mut next = 100_000;
    bencher
        .counter(ItemsCount::new(cases))
        .with_inputs(|| {
            next += cases;
            batch(next, cases)
        })
        .bench_local_refs(|batch| store.commit(batch).expect("kept"));
}
