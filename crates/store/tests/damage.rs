//! Truncated and bit-flipped files: named, moved aside, rebuilt where possible; never a panic, never a lost finding.

mod sample;

use sample::{assert_whole, batch, campaign, finding};
use std::fs;
use std::path::{Path, PathBuf};
use store::{Error, Problem, Store};

const FINDINGS: u64 = 4;

/// A folder of a small campaign, as a kill would leave it if `killed`, else closed properly.
fn folder(at: &Path, killed: bool) {
    let mut store = Store::create(at, &campaign()).expect("created");
    for n in 0..FINDINGS {
        store.add_finding(&finding(n, n / 2)).expect("added");
    }
    for from in (0..400).step_by(20) {
        store.commit(&batch(from..from + 20)).expect("kept");
    }
    if killed {
        // The log is removed when the store is closed: keep a copy of everything.
        copy(at, &at.with_extension("copy"));
        drop(store);
        fs::remove_dir_all(at).expect("removed");
        fs::rename(at.with_extension("copy"), at).expect("renamed");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("listed").map(|entry| entry.expect("entry").path()) {
        let to = to.join(entry.file_name().expect("name"));
        if entry.is_dir() { copy(&entry, &to) } else { assert!(fs::copy(&entry, to).is_ok()) }
    }
}

/// Damages a copy of a folder, resumes it, and returns the reported problems.
fn resume_damaged(
    original: &Path,
    file: &str,
    damage: impl Fn(&mut Vec<u8>),
) -> (tempfile::TempDir, Vec<Problem>) {
    let dir = sample::folder();
    copy(original, dir.path());
    let path = dir.path().join(file);
    let mut bytes = fs::read(&path).expect("read");
    damage(&mut bytes);
    fs::write(&path, &bytes).expect("written");
    let store = Store::resume(dir.path()).unwrap_or_else(|error| panic!("{file}: {error}"));
    let problems = store.problems().to_vec();
    assert_eq!(store.findings().expect("findings").len() as u64, FINDINGS, "{file}");
    assert_eq!(store.bugs().expect("bugs").len() as u64, FINDINGS / 2, "{file}");
    drop(store);
    (dir, problems)
}

fn aside(dir: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(dir).expect("listed").map(|entry| entry.expect("entry").path());
    all.filter(|path| path.to_string_lossy().contains(".corrupt-")).collect()
}

#[test]
fn a_truncated_database_is_moved_aside_and_rebuilt_from_the_findings() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, false);
    let length = fs::metadata(original.join("falsum.db")).expect("database").len() as usize;
    for keep in [0, 1, 50, 100, 512, 4095, 4096, length / 3, length / 2, length - 4096, length - 1] {
        let (dir, problems) = resume_damaged(&original, "falsum.db", |bytes| bytes.truncate(keep));
        assert_eq!(problems.len(), 1, "{keep} of {length}: {problems:?}");
        assert_eq!(problems[0].path, "falsum.db");
        assert!(problems[0].done.contains("falsum.db.corrupt-1"), "{problems:?}");
        assert!(!aside(dir.path()).is_empty());
        assert_whole(dir.path());
        assert_eq!(Store::resume(dir.path()).expect("resumed").problems(), [], "repaired once and for all");
    }
}

#[test]
fn a_flipped_bit_anywhere_in_the_database_loses_no_finding() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, false);
    let length = fs::metadata(original.join("falsum.db")).expect("database").len() as usize;
    let (mut named, mut places) = (0, 0);
    for at in (0..100).step_by(3).chain((100..length).step_by(length / 150 + 1)) {
        let (dir, problems) = resume_damaged(&original, "falsum.db", |bytes| bytes[at] ^= 0x20);
        named += u64::from(!problems.is_empty());
        places += 1;
        assert!(problems.iter().all(|problem| problem.path == "falsum.db"), "byte {at}: {problems:?}");
        assert_eq!(problems.is_empty(), aside(dir.path()).is_empty(), "byte {at}");
    }
    assert!(named > places / 10, "{named} of {places} flips were noticed");
}

#[test]
fn a_flipped_counter_or_cursor_is_noticed() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, false);
    for sql in
        ["UPDATE counters SET value = value + 1 WHERE value > 100", "UPDATE cursors SET done = '0-9999'"]
    {
        let dir = sample::folder();
        copy(&original, dir.path());
        let db = rusqlite::Connection::open(dir.path().join("falsum.db")).expect("open");
        assert!(db.execute(sql, []).expect("changed") > 0);
        drop(db);
        let store = Store::resume(dir.path()).expect("resumed");
        assert_eq!(store.problems().len(), 1, "{sql}");
        assert_eq!(store.cursor("fusion").low(), 0, "the hunt starts over");
        drop(store);
        assert_whole(dir.path());
    }
}

#[test]
fn damage_outside_counters_and_cursors_does_not_restart_the_hunt() {
    let dir = sample::folder();
    folder(dir.path(), false);
    let db = rusqlite::Connection::open(dir.path().join("falsum.db")).expect("open");
    db.execute("UPDATE bugs SET signature = 'other'", []).expect("changed");
    drop(db);
    let store = Store::resume(dir.path()).expect("resumed");
    assert_eq!(store.problems().len(), 1);
    assert_eq!(store.cursor("fusion").low(), 400);
    drop(store);
    assert_whole(dir.path());
}

#[test]
fn a_damaged_log_loses_at_most_units_that_are_done_again() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, true);
    let length = fs::metadata(original.join("falsum.db-wal")).expect("log").len() as usize;
    for at in (0..length).step_by(length / 40 + 1) {
        let (dir, _) = resume_damaged(&original, "falsum.db-wal", |bytes| bytes[at] ^= 0x11);
        assert_whole(dir.path());
        let (dir, _) = resume_damaged(&original, "falsum.db-wal", |bytes| bytes.truncate(at));
        assert_whole(dir.path());
    }
}

#[test]
fn a_damaged_campaign_file_is_rewritten_from_the_database() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, false);
    let text = fs::read(original.join("campaign.toml")).expect("read");
    for at in (0..text.len()).step_by(7) {
        let (dir, problems) = resume_damaged(&original, "campaign.toml", |bytes| bytes.truncate(at));
        match problems.as_slice() {
            // The truncated part held no information.
            [] => assert!(at + 20 > text.len(), "{at}"),
            [problem] => {
                assert_eq!(problem.path, "campaign.toml");
                assert_eq!(fs::read(dir.path().join("campaign.toml")).expect("read"), text);
            }
            more => panic!("{at}: {more:?}"),
        }
    }
    let key = String::from_utf8(text.clone()).expect("text").find("key-1").expect("the key");
    let (dir, problems) = resume_damaged(&original, "campaign.toml", |bytes| bytes[key] ^= 1);
    assert_eq!(problems.len(), 1);
    assert_eq!(fs::read(dir.path().join("campaign.toml")).expect("read"), text);
}

#[test]
fn a_damaged_finding_is_reported_and_quarantined_and_can_be_found_again() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, false);
    let id = finding(1, 0).id();
    for file in ["meta.json", "formula.smt2", "run.sh", "outputs/z3-4.8.6.out"] {
        let name = format!("findings/{id}/{file}");
        let length = fs::metadata(original.join(&name)).expect("file").len() as usize;
        for at in (0..length).step_by(length / 20 + 1) {
            let (dir, problems) = resume_damaged(&original, &name, |bytes| bytes[at] ^= 0x04);
            assert_eq!(problems.len(), 2, "{name} at {at}: {problems:?}");
            assert_eq!(problems[0].path, name);
            assert!(problems[0].done.contains(&format!("quarantine/{id}.damaged-1")));
            assert!(dir.path().join(format!("quarantine/{id}.damaged-1")).is_dir());
            let mut store = Store::resume(dir.path()).expect("resumed");
            let again = store.add_finding(&finding(1, 0)).expect("found again");
            assert_eq!((again.kept, again.hits), (store::Kept::Folder, 2));
            assert!(store.folder(&id).is_dir());
        }
    }
}

#[test]
fn an_incomplete_event_is_removed_and_an_invalid_line_is_reported() {
    let dir = sample::folder();
    let original = dir.path().join("campaign");
    folder(&original, false);
    let (dir, problems) =
        resume_damaged(&original, "events.jsonl", |bytes| bytes.extend(b"{\"v\":1,\"t\":1"));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].what.contains("12 bytes"), "{problems:?}");
    assert_whole(dir.path());
    let (dir, problems) =
        resume_damaged(&original, "events.jsonl", |bytes| bytes.splice(0..0, *b"\0\0\n").for_each(drop));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(fs::read(dir.path().join("events.jsonl")).expect("read").starts_with(b"\0\0\n{"));
    let (dir, _) = resume_damaged(&original, "events.jsonl", Vec::clear);
    assert_whole(dir.path());
}

#[test]
fn a_newer_format_is_read_but_not_written() {
    let dir = sample::folder();
    folder(dir.path(), false);
    let before = |name: &str| fs::read(dir.path().join(name)).expect("read");
    let db = rusqlite::Connection::open(dir.path().join("falsum.db")).expect("open");
    db.pragma_update(None, "user_version", 99).expect("changed");
    db.execute("UPDATE meta SET value = '99' WHERE name = 'format'", []).expect("changed");
    drop(db);
    let database = before("falsum.db");
    let refused = Store::resume(dir.path()).err().expect("refused");
    assert!(matches!(refused, Error::Newer { found: 99, known: store::FORMAT, .. }), "{refused}");
    assert_eq!(store::status(dir.path()).expect("readable").summary.progress.cases, 800);
    let text = String::from_utf8(before("campaign.toml")).expect("text").replace("format = 2", "format = 7");
    fs::write(dir.path().join("campaign.toml"), text).expect("written");
    let refused = Store::resume(dir.path()).err().expect("refused");
    assert!(matches!(refused, Error::Newer { found: 7, .. }), "{refused}");
    assert_eq!(before("falsum.db"), database, "nothing was changed");
}
