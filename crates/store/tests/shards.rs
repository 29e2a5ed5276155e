//! Merged shards equal the campaign that was divided.

mod sample;

use sample::{batch, campaign, finding};
use std::path::PathBuf;
use store::{Error, Shard, Store};

#[test]
fn shards_merge_into_the_campaign_they_are_parts_of() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    let mut whole = Store::create(&at("whole"), &campaign()).expect("created");
    whole.commit(&batch(0..30)).expect("kept");
    for n in [7, 100, 101, 102] {
        whole.add_finding(&finding(n, 1)).expect("added");
    }
    drop(whole);
    for index in 0..3 {
        let shard = Shard { index, count: 3 };
        let mut store = Store::create(&at(&format!("{index}")), &campaign().sharded(shard)).expect("created");
        // Words get other codes in other shards.
        store
            .commit(&store::Batch { counts: vec![(format!("word {index}").into(), 1)], ..Default::default() })
            .expect("kept");
        for n in (0..10).map(|n| shard.unit(n)) {
            store.commit(&batch([n])).expect("kept");
        }
        store.add_finding(&finding(7, 1)).expect("all shards meet this one");
        store.add_finding(&finding(100 + index, 1)).expect("added");
        for script in ["all shards suspect this one".to_owned(), format!("only {index} suspects this one")] {
            let (script, about) = (script.into_bytes(), serde_json::Value::Null);
            store
                .keep_unconfirmed(&store::NewUnconfirmed { script, session: None, replies: vec![], about })
                .expect("stored separately");
        }
    }
    let shards: Vec<PathBuf> = (0..3).map(|index| at(&format!("{index}"))).collect();
    let summary = store::merge(&shards, &at("merged")).expect("merged");
    assert_eq!((summary.progress.findings, summary.progress.bugs), (4, 1));
    assert_eq!(std::fs::read_dir(at("merged/flaky")).expect("suspicions").count(), 4);
    let (whole, merged) =
        (Store::read(&at("whole")).expect("whole"), Store::read(&at("merged")).expect("merged"));
    assert_eq!(merged.cases().expect("cases"), whole.cases().expect("cases"));
    let (a, b) = (whole.status().expect("status").summary, merged.status().expect("status").summary);
    assert_eq!((a.strategies, a.targets, a.verdicts), (b.strategies, b.targets, b.verdicts));
    let backwards: Vec<PathBuf> = shards.iter().rev().cloned().collect();
    assert_eq!(store::merge(&backwards, &at("again")).expect("merged"), summary);
    let store = Store::resume(&at("merged")).expect("resumed");
    assert_eq!(store.problems(), []);
    assert!((0..30).all(|unit| store.is_done("fusion", unit)) && !store.is_done("fusion", 30));
    let twice = store::merge(&[shards[0].clone(), shards[0].clone()], &at("x")).expect_err("refused");
    assert!(twice.to_string().contains("both shard 0/3"), "{twice}");
    let other = store::merge(&[shards[0].clone(), at("whole")], &at("x")).expect_err("refused");
    assert!(matches!(other, Error::Merge(_)), "{other}");
    assert!(!at("x").exists());
}

#[test]
fn what_shards_have_learnt_is_put_together_and_an_epoch_that_one_of_them_lacks_stays_open() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    let outcome = |unit| strategy::Outcome { unit, script: format!("; {unit}"), ..Default::default() };
    for index in 0..2 {
        let shard = Shard { index, count: 2 };
        let mut store = Store::create(&at(&format!("{index}")), &campaign().sharded(shard)).expect("created");
        store.keep_epoch("evolve", 0, &[outcome(index), outcome(2 + index)]).expect("kept");
        // The first shard is one generation ahead; the second is in the middle of it.
        if index == 0 {
            store.keep_epoch("evolve", 1, &[outcome(4), outcome(6)]).expect("kept");
        } else {
            store.keep_open_epoch("evolve", 1, &[(5, vec![outcome(5)])].into()).expect("kept");
        }
    }
    store::merge(&[at("0"), at("1")], &at("merged")).expect("merged");
    let units = |outcomes: &[strategy::Outcome]| outcomes.iter().map(|o| o.unit).collect::<Vec<u64>>();
    let epochs = Store::read(&at("merged")).expect("read").epochs("evolve").expect("epochs");
    assert_eq!(epochs.iter().map(|epoch| units(epoch)).collect::<Vec<_>>(), [[0, 1, 2, 3]]);
    let store = Store::resume(&at("merged")).expect("resumed");
    let open = store.open_epoch("evolve", 1).expect("open");
    assert_eq!(open.into_keys().collect::<Vec<_>>(), [4, 5, 6]);
    assert!(store.open_epoch("evolve", 0).expect("open").is_empty());
}
