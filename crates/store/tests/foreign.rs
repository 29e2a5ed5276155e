//! A campaign folder made by another user: names in it are checked, and nothing outside of it is read or written.

mod sample;

use sample::{batch, campaign, finding};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use store::{Error, NewPanic, Shard, Store};

/// Two shards that belong together, with findings.
fn shards(dir: &Path) -> Vec<PathBuf> {
    let shard = |index| {
        let at = dir.join(format!("shard-{index}"));
        let shard = Shard { index, count: 2 };
        let mut store = Store::create(&at, &campaign().sharded(shard)).expect("created");
        store.commit(&batch([index])).expect("kept");
        store.add_finding(&finding(7, 1)).expect("added");
        store.add_finding(&finding(100 + index, 2)).expect("added");
        let new = NewPanic { place: "oracle".into(), message: "x".into(), ..NewPanic::default() };
        store.add_panic(&new).expect("added");
        store.finish().expect("finished");
        at
    };
    (0..2).map(shard).collect()
}

fn sql(folder: &Path, text: &str) {
    let db = rusqlite::Connection::open(folder.join("falsum.db")).expect("opened");
    db.execute_batch(text).expect("changed");
}

/// All paths below a folder.
fn everything(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).expect("listed") {
        let path = entry.expect("entry").path();
        if path.is_dir() && !path.is_symlink() {
            all.extend(everything(&path));
        }
        all.push(path);
    }
    all.sort();
    all
}

/// Changes the first of two shards and merges them: it must be refused with this message and leave no files.
fn refused(change: impl Fn(&Path), words: &str) {
    let dir = sample::folder();
    let shards = shards(dir.path());
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).expect("made");
    fs::write(outside.join("meta.json"), "secret").expect("written");
    change(&shards[0]);
    let before = everything(dir.path());
    let error = store::merge(&shards, &dir.path().join("merged")).expect_err(words);
    assert!(error.to_string().contains(words), "{error}");
    // SQLite makes these while it reads.
    let ours = |path: &Path| !path.to_string_lossy().contains("falsum.db-");
    let after = everything(dir.path());
    let new: Vec<&PathBuf> = after.iter().filter(|path| ours(path) && !before.contains(path)).collect();
    assert!(new.is_empty(), "{new:?}");
}

fn any_finding(folder: &Path) -> PathBuf {
    let id = Store::read(folder).expect("read").findings().expect("findings").remove(0).id;
    folder.join("findings").join(id.as_str())
}

#[test]
fn ids_that_are_paths_are_refused_in_every_table() {
    let path = "'../../outside'";
    for change in [
        format!("UPDATE findings SET id = {path} WHERE id = (SELECT min(id) FROM findings)"),
        format!("UPDATE findings SET bug = {path} WHERE id = (SELECT min(id) FROM findings)"),
        format!("UPDATE bugs SET representative = {path}"),
        format!("UPDATE panics SET id = {path}"),
        format!("UPDATE coarse SET bug = {path} WHERE id = (SELECT min(id) FROM coarse)"),
        r#"UPDATE bugs SET triage = '{"reduced_in":"../x"}'"#.to_owned(),
    ] {
        let words = if change.contains("reduced_in") { "../x" } else { "../../outside" };
        refused(|folder| sql(folder, &change), words);
    }
}

#[test]
fn a_finding_that_does_not_match_its_record_refuses_the_whole_merge() {
    let formula = |folder: &Path| any_finding(folder).join("formula.smt2");
    refused(
        |folder| fs::write(formula(folder), "(check-sat)").expect("written"),
        "changed since it was written",
    );
    refused(|folder| fs::remove_file(formula(folder)).expect("removed"), "it is missing");
    let meta = |folder: &Path| any_finding(folder).join("meta.json");
    let edit = |folder: &Path| {
        let text = fs::read_to_string(meta(folder)).expect("read").replace("\"unit\": 7", "\"unit\": 8");
        fs::write(meta(folder), text.replace("\"unit\": 100", "\"unit\": 8")).expect("written");
    };
    refused(edit, "does not match its checksum");
    refused(|folder| sql(folder, "UPDATE findings SET bytes = bytes + 1"), "does not match the database");
}

#[test]
fn links_pipes_huge_files_and_deep_folders_are_not_copied() {
    let outside = |folder: &Path| folder.with_file_name("outside");
    refused(
        |folder| symlink(outside(folder), any_finding(folder).join("x")).expect("linked"),
        "it is a link",
    );
    let whole = |folder: &Path| {
        let finding = any_finding(folder);
        fs::remove_dir_all(&finding).expect("removed");
        symlink(outside(folder), finding).expect("linked");
    };
    refused(whole, "it is a link");
    for name in ["findings", "flaky", "panics", "events.jsonl", "lock", "campaign.toml"] {
        let top = |folder: &Path| {
            let aside = folder.with_extension("aside");
            if folder.join(name).exists() {
                fs::rename(folder.join(name), &aside).expect("moved");
            }
            symlink(aside, folder.join(name)).expect("linked");
        };
        refused(top, "it is a link");
    }
    let giant = |folder: &Path| {
        let file = fs::File::create(any_finding(folder).join("reduced.smt2")).expect("made");
        file.set_len(1 << 40).expect("sparse");
    };
    refused(giant, "it is too large");
    let deep = |folder: &Path| fs::create_dir_all(any_finding(folder).join("a/b/c")).expect("made");
    refused(deep, "nested too deep");
    let odd = |folder: &Path| {
        fs::create_dir_all(folder.join("flaky/..x")).map(|()| {
            fs::create_dir(folder.join("flaky/x")).expect("made");
        })
    };
    refused(|folder| odd(folder).expect("made"), "not the id of a suspicion");
}

#[test]
fn invalid_shard_numbers_and_schemas_with_triggers_or_views_are_refused() {
    let lanes = |lanes: &'static str| {
        move |folder: &Path| {
            let path = folder.join("campaign.toml");
            let text = fs::read_to_string(&path).expect("read").replace("lanes = 2", lanes);
            fs::write(path, text).expect("written");
            sql(folder, "DELETE FROM meta WHERE name = 'campaign'");
        }
    };
    for bad in ["lanes = 0", "lanes = 9000000000000000000"] {
        refused(lanes(bad), "damaged");
    }
    let view = "ALTER TABLE findings RENAME TO other; CREATE VIEW findings AS SELECT * FROM other;";
    refused(|folder| sql(folder, view), "access to view");
}

#[test]
fn nothing_is_written_through_links_when_a_campaign_is_resumed() {
    for name in
        ["events.jsonl", "lock", "falsum.db-wal", "findings", "quarantine", "panics", ".campaign.toml.new"]
    {
        let dir = sample::folder();
        let folder = shards(dir.path()).remove(0);
        let precious = dir.path().join("precious");
        fs::write(&precious, "precious").expect("written");
        let link = folder.join(name);
        let _ = fs::remove_file(&link);
        let _ = fs::remove_dir_all(&link);
        symlink(&precious, &link).expect("linked");
        let error = Store::resume(&folder).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("it is a link"), "{name}: {error}");
        assert!(matches!(Store::read(&folder).err(), Some(Error::Refused { .. })), "{name}");
        assert_eq!(fs::read_to_string(&precious).expect("read"), "precious", "{name}");
    }
    // Inside a finding a link makes only that finding unusable.
    let dir = sample::folder();
    let folder = shards(dir.path()).remove(0);
    let finding = any_finding(&folder);
    fs::remove_file(finding.join("formula.smt2")).expect("removed");
    symlink("/etc/hostname", finding.join("formula.smt2")).expect("linked");
    let store = Store::resume(&folder).expect("resumed");
    assert!(store.problems().iter().any(|problem| problem.what == "it is a link"), "{:?}", store.problems());
    assert!(!finding.exists());
}

/// A pipe in place of the database or the stream of events made `report` and `hunt --resume` wait for ever.
#[test]
fn a_pipe_where_a_file_is_expected_is_refused_and_not_waited_for() {
    for name in ["events.jsonl", "falsum.db", "falsum.db-wal", "campaign.toml", "lock", "standing.json"] {
        let dir = sample::folder();
        let folder = shards(dir.path()).remove(0);
        let pipe = folder.join(name);
        let _ = fs::remove_file(&pipe);
        // Not by a program: a child that is being started holds the locks of the other tests for a moment.
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).expect("made");
        for refused in [Store::resume(&folder).err(), Store::read(&folder).err()] {
            assert!(matches!(refused, Some(Error::Refused { .. })), "{name}: {refused:?}");
        }
    }
}

#[test]
fn a_line_of_gigabytes_among_the_events_is_not_read_into_memory() {
    let dir = sample::folder();
    let folder = shards(dir.path()).remove(0);
    let events = fs::OpenOptions::new().write(true).open(folder.join("events.jsonl")).expect("opened");
    events.set_len(1 << 33).expect("sparse");
    let error = Store::read(&folder).expect("read").events(|_| {}).expect_err("too long").to_string();
    assert!(error.contains("longer than any event"), "{error}");
    let error = Store::resume(&folder).err().expect("too long").to_string();
    assert!(error.contains("longer than any event"), "{error}");
}
