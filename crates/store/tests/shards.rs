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
    // Every hit counts: three shards hit the first one.
    assert_eq!((summary.progress.findings, summary.progress.bugs), (6, 1));
    let findings = Store::read(&at("merged")).expect("merged").findings().expect("findings");
    assert_eq!(findings.len(), 4);
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

/// Everything in a folder that a merge determines, as text: rows, samples with all their files, numbers, parts.
fn contents(dir: &std::path::Path) -> String {
    let view = Store::read(dir).expect("read");
    let status = view.status().expect("status");
    let mut findings = view.findings().expect("findings");
    findings.sort_by(|a, b| a.id.cmp(&b.id));
    let mut cases: Vec<String> =
        view.cases().expect("cases").iter().map(|case| format!("{case:?}")).collect();
    cases.sort();
    let mut files = std::collections::BTreeMap::new();
    for folder in ["findings", "flaky", "parts", "schedule"] {
        for path in sample::files(&dir.join(folder)) {
            let name = path.strip_prefix(dir).expect("inside").display().to_string();
            files.insert(name, std::fs::read_to_string(&path).expect("text"));
        }
    }
    let verdicts = &status.summary.verdicts;
    let (strategies, targets, bugs) = (&status.summary.strategies, &status.summary.targets, &status.bug_list);
    format!("{cases:#?}\n{findings:#?}\n{verdicts:#?}\n{strategies:#?}\n{targets:#?}\n{bugs:#?}\n{files:#?}")
}

/// Shows the first line that differs.
fn assert_alike(one: &str, other: &str) {
    for (n, (one, other)) in one.lines().zip(other.lines()).enumerate() {
        assert_eq!(one, other, "line {n}");
    }
    assert_eq!(one.lines().count(), other.lines().count());
}

/// Shards with many hits of few bugs, of which some are triaged in some shards, and an older copy of one shard.
fn small_campaign(at: &dyn Fn(&str) -> PathBuf) -> Vec<PathBuf> {
    for index in 0..3u64 {
        let shard = Shard { index, count: 3 };
        let mut store = Store::create(&at(&format!("{index}")), &campaign().sharded(shard)).expect("created");
        for n in (0..6).map(|n| shard.unit(n)) {
            store.commit(&batch([n])).expect("kept");
            // Many of them are found by two shards.
            for n in [n * 7 % 20, n, n % 5 * 100] {
                store.add_finding(&finding(n, n % 2)).expect("added");
            }
        }
        if index == 1 {
            drop(store);
            sample::copy(&at("1"), &at("old"));
            store = Store::resume(&at("1")).expect("resumed");
            store.commit(&batch([shard.unit(7)])).expect("kept");
        }
        if index != 2 {
            let id = store.findings().expect("findings")[0].id.clone();
            store.attach(&id, "reduced.smt2", b"(check-sat)").expect("attached");
            let bug = store.resign(&id, &format!("exact {index}")).expect("moved");
            let reduced_bytes = Some(30 - index);
            let update = store::BugUpdate { reduced_bytes, reduced_in: Some(id), ..Default::default() };
            store.update_bug(&bug, &update).expect("updated");
        }
        store.finish().expect("finished");
    }
    ["0", "1", "2", "old"].map(at).to_vec()
}

#[test]
fn a_merge_is_idempotent_commutative_and_associative_and_keeps_few_samples() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    let all = small_campaign(&at);
    let few = || store::Options { samples: 2, rows: 3, ..Default::default() };
    let merge = |dirs: &[&str], out: &str| {
        let dirs: Vec<PathBuf> = dirs.iter().map(|name| at(name)).collect();
        store::merge_with(&dirs, &at(out), few()).unwrap_or_else(|error| panic!("{out}: {error}"));
        contents(&at(out))
    };
    let once = merge(&["0", "1", "2"], "m");
    assert_alike(&merge(&["2", "0", "1"], "commuted"), &once);
    assert_alike(&merge(&["0", "1", "2", "old", "1", "0"], "with-copies"), &once);
    merge(&["0", "1"], "left");
    assert_alike(&merge(&["left", "2"], "left-first"), &once);
    merge(&["1", "2"], "right");
    assert_alike(&merge(&["0", "right"], "right-first"), &once);
    assert_alike(&merge(&["left", "right", "m"], "overlapping"), &once);
    // Into a folder that holds a merge: shard after shard.
    merge(&["old"], "grown");
    merge(&["2"], "grown");
    merge(&["1", "0"], "grown");
    assert_alike(&merge(&["m"], "grown"), &once);
    let view = Store::read(&at("m")).expect("read");
    for bug in view.bugs().expect("bugs") {
        let rows: Vec<_> =
            view.findings().expect("findings").into_iter().filter(|row| row.bug == bug.id).collect();
        let kept = rows.iter().filter(|row| row.kept).count();
        assert!(kept <= 6 && rows.len() <= 8, "{} of {} rows", kept, rows.len());
        assert!(bug.count >= rows.len() as u64);
    }
    // What was done in a merged folder itself is not lost when it is merged again.
    let mut more = Store::resume(&at("m")).expect("resumed");
    more.commit(&batch([40])).expect("kept");
    more.finish().expect("finished");
    let cases =
        |out: &str| Store::read(&at(out)).expect("read").status().expect("status").summary.progress.cases;
    merge(&["m", "0"], "later");
    merge(&["later", "m"], "later");
    assert_eq!(cases("later"), cases("m"));
    assert_eq!(all.len(), 4);
}

#[test]
fn a_shard_that_did_the_units_of_another_is_refused() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    let mut store =
        Store::create(&at("0"), &campaign().sharded(Shard { index: 0, count: 3 })).expect("created");
    store.commit(&batch([1])).expect("kept");
    store.finish().expect("finished");
    let refused = store::merge(&[at("0")], &at("out")).expect_err("refused");
    assert!(refused.to_string().contains("other shards"), "{refused}");
}

/// The names of everything in a folder.
fn names(dir: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("listed").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Two shards, the second with one finding.
fn two_shards(at: &dyn Fn(&str) -> PathBuf) {
    for index in 0..2 {
        let shard = Shard { index, count: 2 };
        let mut store = Store::create(&at(&format!("{index}")), &campaign().sharded(shard)).expect("created");
        store.commit(&batch([shard.unit(0)])).expect("kept");
        if index == 1 {
            store.add_finding(&finding(1, 1)).expect("added");
        }
        store.finish().expect("finished");
    }
}

#[test]
fn a_merge_that_was_killed_while_it_replaced_the_old_one_loses_nothing_and_the_next_cleans_up() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    two_shards(&at);
    store::merge(&[at("0")], &at("merged")).expect("merged");
    // Killed between the two renames: there is no merge, and the old one has another name.
    std::fs::rename(at("merged"), at(".merged.replaced")).expect("renamed");
    let summary = store::merge(&[at("1")], &at("merged")).expect("merged");
    assert_eq!(summary.progress.cases, 4, "what was merged before is in it");
    // Killed before the old one was removed.
    sample::copy(&at("merged"), &at(".merged.replaced"));
    for _ in 0..2 {
        assert_eq!(store::merge(&[at("0")], &at("merged")).expect("merged"), summary);
    }
    assert_eq!(names(dir.path()), ["0", "1", "merged"]);
}

#[test]
fn a_merge_into_a_folder_in_which_triage_writes_is_refused_and_a_link_to_a_merge_stays_a_link() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    two_shards(&at);
    store::merge(&[at("0")], &at("merged")).expect("merged");
    let triage = Store::resume(&at("merged")).expect("resumed");
    let refused = store::merge(&[at("1")], &at("merged")).expect_err("refused");
    assert!(matches!(refused, Error::Locked { .. }), "{refused}");
    drop(triage);
    std::fs::create_dir(at("disk")).expect("made");
    std::fs::rename(at("merged"), at("disk/merged")).expect("moved");
    std::os::unix::fs::symlink(at("disk/merged"), at("merged")).expect("linked");
    store::merge(&[at("1")], &at("merged")).expect("merged");
    assert!(at("merged").is_symlink());
    assert_eq!(names(&at("disk")), ["merged"]);
    assert_eq!(Store::read(&at("disk/merged")).expect("read").findings().expect("findings").len(), 1);
}

#[test]
fn numbers_of_a_stranger_do_not_overflow_and_links_in_the_folder_of_a_shard_are_refused() {
    let dir = sample::folder();
    let at = |name: &str| dir.path().join(name);
    two_shards(&at);
    store::merge(&[at("0"), at("1")], &at("m")).expect("merged");
    for index in 0..2 {
        let part = at(&format!("m/parts/{index:06}.json"));
        let mut text: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&part).expect("a part")).expect("json");
        for counter in text["counters"].as_array_mut().expect("counters") {
            counter[3] = u64::MAX.into();
        }
        for hits in text["bugs"].as_object_mut().expect("bugs").values_mut() {
            *hits = serde_json::json!({ "count": u64::MAX, "first": 0, "last": u64::MAX });
        }
        std::fs::write(&part, text.to_string()).expect("written");
    }
    sample::copy(&at("m"), &at("n"));
    // Whatever comes of it, it is no panic.
    let _ = store::merge(&[at("m"), at("n"), at("1")], &at("o"));
    for name in ["schedule", "parts"] {
        std::os::unix::fs::symlink(dir.path(), at("0").join(name)).expect("linked");
        let refused = store::merge(&[at("0")], &at("p")).expect_err("refused");
        assert!(matches!(refused, Error::Refused { .. }), "{refused}");
        std::fs::remove_file(at("0").join(name)).expect("removed");
    }
}

/// Makes the folders of a large campaign for bench/merge.sh, as far as a merge can see them: `FALSUM_SHARDS` shards with
/// 1,000,000 cases each in their counters, 200 bugs that are hit 50 times in each, of which ten hits have a row and
/// every fourth bug a sample. `FALSUM_ROWS` adds so many cases with rows to each shard.
#[test]
#[ignore = "makes gigabytes; bench/merge.sh runs it"]
fn a_large_campaign_for_measurements() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (shards, rows) = (number("FALSUM_SHARDS").unwrap_or(10), number("FALSUM_ROWS").unwrap_or(0));
    let folder = PathBuf::from(std::env::var("FALSUM_FOLDER").expect("FALSUM_FOLDER"));
    const BUGS: u64 = 200;
    for index in 0..shards {
        let shard = Shard { index, count: shards };
        let dir = folder.join(format!("{index:06}"));
        let options = store::Options { record: store::Record::Cases, ..Default::default() };
        let mut store = Store::create_with(&dir, &campaign().sharded(shard), options).expect("created");
        let counted = vec![("cases".into(), 1_000_000 - rows), ("tests".into(), 2_000_000)];
        store.commit(&store::Batch { counts: counted, ..Default::default() }).expect("kept");
        for chunk in 0..rows.div_ceil(2000) {
            let units: Vec<u64> = (chunk * 1000..(chunk + 1) * 1000).map(|n| shard.unit(n)).collect();
            store.commit(&batch(units)).expect("kept");
        }
        for bug in (0..BUGS).filter(|bug| (bug + index) % 4 == 0) {
            store.add_finding(&finding((index * BUGS + bug) * 100, bug)).expect("added");
        }
        store.finish().expect("finished");
        // The other hits, without their formulas.
        let db = rusqlite::Connection::open(dir.join("falsum.db")).expect("opened");
        let id = |n: u64| format!("f-{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let tx = db.unchecked_transaction().expect("begun");
        for bug in 0..BUGS {
            let signature = format!("refutation-unsound Ints z3 {bug}");
            let of_bug = store::BugId::of(&signature).to_string();
            let recipe = serde_json::to_string(&finding(0, 0).case.recipe).expect("text");
            for hit in 0..10 {
                let n = (index * BUGS + bug) * 100 + hit;
                let row = (id(n), &of_bug, &of_bug, "refutation-unsound", "[\"z3-4.8.6\"]", &recipe);
                let sql = "INSERT OR IGNORE INTO findings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, 0)";
                let size = 60 + (n * 7919 % 4000) as i64;
                tx.prepare_cached(sql)
                    .expect("sql")
                    .execute((row.0, row.1, row.2, row.3, row.4, row.5, size))
                    .expect("row");
            }
            tx.execute("INSERT OR IGNORE INTO coarse VALUES (?1, ?1)", [&of_bug]).expect("named");
            let representative = id((index * BUGS + bug) * 100);
            let new = (&of_bug, &signature, &representative);
            tx.execute("INSERT OR IGNORE INTO bugs VALUES (?1, ?2, 'refutation-unsound', '[\"z3-4.8.6\"]', 0, 0, 1, 2, ?3, '{}')", new).expect("bug");
            tx.execute("UPDATE bugs SET count = 50, rows = 10 WHERE id = ?1", [&of_bug]).expect("counted");
        }
        tx.commit().expect("committed");
    }
}
