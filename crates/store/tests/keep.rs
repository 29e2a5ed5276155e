//! What is stored is read back, once; a folder is resumed only by its own campaign.

mod sample;

use sample::{batch, campaign, finding};
use std::os::unix::fs::PermissionsExt;
use store::{BugUpdate, Error, Kept, NewPanic, Options, Record, Shard, Store, status};

#[test]
fn a_finding_is_a_folder_that_a_person_can_read_and_run() {
    let dir = sample::folder();
    let mut store = Store::create(dir.path(), &campaign()).expect("created");
    let added = store.add_finding(&finding(3, 1)).expect("added");
    assert_eq!((added.kept, added.new_bug, added.hits), (Kept::Folder, true, 1));
    let folder = store.folder(&added.id);
    assert_eq!(std::fs::read(folder.join("formula.smt2")).expect("formula"), sample::script(3));
    assert_eq!(std::fs::read(folder.join("outputs/z3-4.8.6.out")).expect("output"), b"unsat\n");
    let run = folder.join("run.sh");
    assert_eq!(run.metadata().expect("run.sh").permissions().mode() & 0o111, 0o111);
    let text = std::fs::read_to_string(run).expect("text");
    assert!(text.contains("timeout 10 /opt/z3 -smt2 \"$file\""), "{text}");
    let again = store.add_finding(&finding(3, 1)).expect("added");
    assert_eq!((again.id, again.kept, again.hits), (added.id, Kept::Before, 1));
    drop(store);
    sample::assert_whole(dir.path());
}

#[test]
fn a_unit_counts_once_however_often_it_is_committed() {
    let dir = sample::folder();
    let mut store = Store::create(dir.path(), &campaign()).expect("created");
    store.commit(&batch(0..10)).expect("kept");
    store.commit(&batch(5..15)).expect("kept");
    store.commit(&batch([20])).expect("kept");
    assert_eq!(store.cursor("fusion").to_string(), "0-14,20-20");
    assert!(store.is_done("fusion", 20) && !store.is_done("fusion", 15) && !store.is_done("opswap", 0));
    assert_eq!(store.progress().cases, 32);
    drop(store);
    let store = Store::resume(dir.path()).expect("resumed");
    assert_eq!(store.problems(), []);
    assert_eq!(store.cursor("fusion").to_string(), "0-14,20-20");
    let status = status(dir.path()).expect("status");
    assert_eq!((status.running, status.pid), (true, Some(std::process::id())));
    let summary = status.summary;
    assert_eq!((summary.progress.cases, summary.progress.tests), (32, 64));
    assert_eq!(summary.verdicts["refutation-unsound"], 3);
    assert_eq!(summary.strategies["fusion"].findings, 3);
    assert_eq!(summary.targets["z3-4.8.6"].answers["unsat"], 32);
    assert_eq!(summary.targets["z3-4.8.6"].sessions["scoped"], 32);
    let counted = |name: &str| summary.theories.get(name).map(|row| (row.cases, row.answered, row.certified));
    assert_eq!(counted("Strings"), Some((32, 32, 16)), "a case counts for each of its theories");
    assert_eq!(
        (counted("Ints"), counted("all"), counted("Reals")),
        (counted("Strings"), counted("Strings"), None)
    );
    assert_eq!(summary.theories["all"].certified_percent(), Some(50.0));
}

#[test]
fn another_campaign_does_not_resume_a_folder() {
    let dir = sample::folder();
    drop(Store::create(dir.path(), &campaign()).expect("created"));
    let refuse =
        |wanted: &store::Campaign| match Store::resume_with(dir.path(), Some(wanted), Options::default()) {
            Err(Error::Differs(difference)) => difference.what,
            Err(error) => panic!("{error}"),
            Ok(_) => "nothing",
        };
    let mut other = campaign();
    assert_eq!(refuse(&other), "nothing");
    other.limits.full_ms = 1;
    assert_eq!(refuse(&other), "nothing");
    assert_eq!(refuse(&store::Campaign { key: "other".into(), ..campaign() }), "keys");
    assert_eq!(refuse(&store::Campaign { seeds: "other".into(), ..campaign() }), "seeds");
    assert_eq!(refuse(&store::Campaign { strategies: vec!["fusion".into()], ..campaign() }), "strategies");
    assert_eq!(refuse(&campaign().sharded(Shard { index: 0, count: 2 })), "shards");
    assert!(matches!(Store::create(dir.path(), &campaign()), Err(Error::Exists { .. })));
    assert!(matches!(Store::resume(&dir.path().join("nowhere")), Err(Error::Missing { .. })));
}

#[test]
fn what_triage_learns_moves_findings_between_bugs_and_survives() {
    let dir = sample::folder();
    let mut store = Store::create(dir.path(), &campaign()).expect("created");
    let first = store.add_finding(&finding(10, 1)).expect("added");
    let second = store.add_finding(&finding(2, 2)).expect("added");
    let news = BugUpdate { first_bad: Some("4.8.5".into()), ..BugUpdate::default() };
    store.update_bug(&second.bug, &news).expect("updated");
    store
        .update_bug(
            &second.bug,
            &BugUpdate { reduced_bytes: Some(20), culprit: Some("z3@9".into()), ..BugUpdate::default() },
        )
        .expect("updated");
    let moved = store.resign(&first.id, &finding(2, 2).signature).expect("moved");
    assert_eq!(moved, second.bug);
    store.attach(&second.id, "reduced.smt2", b"(check-sat)").expect("attached");
    assert!(
        store.attach(&second.id, "../x", b"").is_err() && store.attach(&second.id, "meta.json", b"").is_err()
    );
    drop(store);
    // Without the database all of it is restored from the folders.
    for _ in 0..2 {
        let store = Store::resume(dir.path()).expect("resumed");
        let bugs = store.bugs().expect("bugs");
        assert_eq!(bugs.len(), 1);
        assert_eq!((bugs[0].count, &bugs[0].representative), (2, &second.id));
        assert_eq!(bugs[0].triage.first_bad.as_deref(), Some("4.8.5"));
        assert_eq!(bugs[0].triage.reduced_bytes, Some(20));
        assert_eq!(bugs[0].culprits, ["z3@9"], "without the options that it does not need");
        drop(store);
        sample::assert_whole(dir.path());
        std::fs::remove_file(dir.path().join("falsum.db")).expect("removed");
    }
}

#[test]
fn a_flood_stays_one_bug_before_and_after_its_triage() {
    let dir = sample::folder();
    let options = Options { samples: 3, rows: 10, ..Options::default() };
    let mut store = Store::create_with(dir.path(), &campaign(), options.clone()).expect("created");
    for n in 0..20 {
        let added = store.add_finding(&finding(n, 1)).expect("added");
        assert_eq!((added.new_bug, added.hits), (n == 0, n + 1));
    }
    let exact = store.resign(&finding(0, 1).id(), "the exact signature").expect("moved");
    for n in 20..40 {
        let added = store.add_finding(&finding(n, 1)).expect("added");
        assert_eq!((&added.bug, added.kept, added.hits), (&exact, Kept::Counted, n + 1));
    }
    store.commit(&batch([0])).expect("kept");
    let only = |store: &Store| match store.bugs().expect("bugs").as_slice() {
        [bug] => (bug.id.clone(), bug.count),
        bugs => panic!("{bugs:?}"),
    };
    assert_eq!(only(&store), (exact.clone(), 40));
    // A sample that turns out to be another bug is moved alone, and leaves space for samples of it.
    let other = store.resign(&finding(1, 1).id(), "another bug").expect("moved");
    assert_eq!(store.bug(&exact).expect("bug").count, 39);
    assert_eq!(store.bug(&other).expect("bug").count, 1);
    let added = store.add_finding(&finding(50, 1)).expect("added");
    assert_eq!((added.bug, added.kept, added.new_bug), (exact.clone(), Kept::Folder, false));
    store.resign(&finding(1, 1).id(), "the exact signature").expect("moved back");
    drop(store);
    std::fs::remove_file(dir.path().join("falsum.db")).expect("removed");
    let mut store = Store::resume_with(dir.path(), None, options).expect("rebuilt from the folders");
    assert_eq!(only(&store), (exact.clone(), 4));
    let added = store.add_finding(&finding(51, 1)).expect("added");
    assert_eq!((added.bug, added.new_bug), (exact, false));
}

#[test]
fn our_own_failures_are_stored_separately_and_counted() {
    let dir = sample::folder();
    let mut store = Store::create(dir.path(), &campaign()).expect("created");
    let new = NewPanic {
        place: "oracle".into(),
        message: "boom".into(),
        script: Some(b"x".to_vec()),
        ..NewPanic::default()
    };
    let id = store.add_panic(&new).expect("kept");
    assert_eq!(store.add_panic(&new).expect("kept"), id);
    assert_eq!(
        std::fs::read(dir.path().join("panics").join(&id.0).join("formula.smt2")).expect("kept"),
        b"x"
    );
    assert_eq!(status(dir.path()).expect("status").panics, 2);
}

#[test]
fn recording_everything_stores_every_answer_and_recording_findings_only_those() {
    let rows = |record| {
        let dir = sample::folder();
        let options = Options { record, ..Options::default() };
        let mut store = Store::create_with(dir.path(), &campaign(), options).expect("created");
        store.commit(&batch(0..20)).expect("kept");
        assert_eq!(store.progress().cases, 40, "counters do not depend on the record");
        drop(store);
        let db = rusqlite::Connection::open(dir.path().join("falsum.db")).expect("open");
        let count = |table: &str| {
            db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
                .expect("count")
        };
        (count("cases"), count("answers"), count("case_list"))
    };
    assert_eq!(rows(Record::Findings), (2, 4, 2));
    assert_eq!(rows(Record::Cases), (40, 4, 40));
    assert_eq!(rows(Record::All), (40, 80, 40));
}

#[test]
fn a_hundred_thousand_hits_of_one_bug_are_one_bug_in_bounded_space() {
    let dir = sample::folder();
    let mut store = Store::create(dir.path(), &campaign()).expect("created");
    let mut after_two_thousand = 0;
    for n in 0..100_000 {
        let added = store.add_finding(&finding(n, 1)).expect("added");
        assert_eq!(added.hits, n + 1);
        if n % 1000 == 999 {
            store.commit(&batch([n])).expect("kept");
        }
        if n == 2000 {
            after_two_thousand = size(dir.path());
        }
    }
    let other = store.add_finding(&finding(1_000_000, 2)).expect("added");
    assert_eq!(other.kept, Kept::Folder, "another bug still gets its folder");
    let bugs = store.finish().map(|summary| summary.progress).expect("finished");
    assert_eq!((bugs.bugs, bugs.findings), (2, 100_001));
    let folders = std::fs::read_dir(dir.path().join("findings")).expect("listed").count();
    assert_eq!(folders, 6);
    assert!(size(dir.path()) < after_two_thousand * 2, "{} bytes", size(dir.path()));
    assert_eq!(Store::resume(dir.path()).expect("resumed").bugs().expect("bugs")[0].count, 100_000);
}

fn size(dir: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(dir).expect("listed").map(|entry| entry.expect("entry").path());
    entries.map(|path| if path.is_dir() { size(&path) } else { path.metadata().expect("size").len() }).sum()
}
