//! A disk that is full at each write in turn: nothing acknowledged is lost, nothing half-written is visible, and the
//! same call works once there is space.

mod sample;

use sample::{assert_whole, batch, campaign, finding};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::{BugUpdate, Disk, Error, Event, NewPanic, Options, Result, Store};

/// Refuses writes number `from` to `to`, counted from 0.
#[derive(Default)]
struct Full {
    writes: AtomicU64,
    from: u64,
    to: u64,
}

impl Disk for Full {
    fn before(&self, _write: &str) -> io::Result<()> {
        let n = self.writes.fetch_add(1, Ordering::Relaxed);
        if (self.from..self.to).contains(&n) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

/// Repeats a call until it works; only a full disk may make it fail, and not for long.
fn retry<T>(failures: &mut u64, mut call: impl FnMut() -> Result<T>) -> T {
    for _ in 0..10 {
        match call() {
            Ok(value) => return value,
            Err(Error::DiskFull { .. }) => *failures += 1,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("still full");
}

/// A complete small campaign; returns how many calls failed.
fn live(dir: &Path, disk: &Arc<Full>) -> u64 {
    let mut failures = 0;
    let f = &mut failures;
    let options = || Options { disk: disk.clone(), ..Options::default() };
    let mut store = retry(f, || Store::create_with(dir, &campaign(), options()));
    for unit in 0..3 {
        let added = retry(f, || store.add_finding(&finding(unit, unit % 2)));
        let mut work = batch([unit]);
        work.events.push(Event::Note { text: format!("unit {unit}") });
        retry(f, || store.commit(&work));
        let news = BugUpdate { fixed_in: Some("5.0".into()), ..BugUpdate::default() };
        retry(f, || store.update_bug(&added.bug, &news));
        retry(f, || store.attach(&added.id, "reduced.smt2", b"(check-sat)\n"));
    }
    retry(f, || store.resign(&finding(1, 1).id(), "another signature"));
    let new = NewPanic { place: "oracle".into(), message: "boom".into(), ..NewPanic::default() };
    retry(f, || store.add_panic(&new));
    drop(store);
    let mut store = retry(f, || Store::resume_with(dir, Some(&campaign()), options()));
    retry(f, || store.add_finding(&finding(0, 0)));
    retry(f, || store.say(Event::Note { text: "last".into() }));
    // Pending events are written by the next call.
    retry(f, || store.commit(&store::Batch::default()));
    failures
}

/// The notes in the stream, in order.
fn notes(dir: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    let view = Store::read(dir).expect("readable");
    let read = view.events(|stamped| {
        if let Event::Note { text } = stamped.event {
            notes.push(text);
        }
    });
    assert_eq!(read.expect("readable"), 0);
    notes
}

fn assert_as_if_nothing_had_happened(dir: &Path) {
    assert_whole(dir);
    let view = Store::read(dir).expect("readable");
    assert_eq!(view.findings().expect("findings").len(), 3);
    let bugs = view.bugs().expect("bugs");
    assert_eq!(bugs.len(), 2);
    assert!(bugs.iter().any(|bug| bug.triage.fixed_in.as_deref() == Some("5.0")));
    let status = view.status().expect("status");
    assert_eq!(status.summary.progress.cases, 6);
    assert!((status.summary.progress.seconds - 0.03).abs() < 1e-9, "time is counted once");
    assert_eq!(notes(dir), ["unit 0", "unit 1", "unit 2", "last"]);
    let left = std::fs::read_dir(dir.join("findings")).expect("listed");
    let names = left.map(|entry| entry.expect("entry").file_name().into_string().expect("text"));
    assert!(names.into_iter().all(|name| name.starts_with("f-")), "no remains");
}

#[test]
fn a_disk_that_is_full_at_any_one_write_does_not_change_the_result() {
    let reference = sample::folder();
    let counting = Arc::new(Full::default());
    assert_eq!(live(reference.path(), &counting), 0);
    assert_as_if_nothing_had_happened(reference.path());
    let writes = counting.writes.load(Ordering::Relaxed);
    assert!(writes > 80, "{writes} writes");
    for (width, step) in [(1, 1), (3, 7)] {
        for from in (0..writes).step_by(step) {
            let dir = sample::folder();
            let disk = Arc::new(Full { writes: AtomicU64::new(0), from, to: from + width });
            live(dir.path(), &disk);
            assert!(disk.writes.load(Ordering::Relaxed) > from, "write {from} was tried");
            assert_as_if_nothing_had_happened(dir.path());
        }
    }
}

#[test]
fn a_disk_that_stays_full_keeps_what_was_acknowledged() {
    for from in (0..120).step_by(3) {
        let dir = sample::folder();
        let disk = Arc::new(Full { writes: AtomicU64::new(0), from, to: u64::MAX });
        let options = Options { disk, ..Options::default() };
        let mut acknowledged = Vec::new();
        if let Ok(mut store) = Store::create_with(dir.path(), &campaign(), options) {
            for n in 0..20 {
                let kept = store.add_finding(&finding(n, n)).and_then(|added| {
                    store.commit(&batch([n]))?;
                    Ok(added.id)
                });
                match kept {
                    Ok(id) => acknowledged.push(id),
                    Err(Error::DiskFull { .. }) => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        match Store::resume(dir.path()) {
            Ok(store) => {
                let rows = store.findings().expect("findings");
                assert!(
                    acknowledged.iter().all(|id| rows.iter().any(|row| row.id == *id)),
                    "from write {from}"
                );
                assert!(acknowledged.len() as u64 <= store.cursor("fusion").low());
                assert_eq!(store.problems(), [], "from write {from}");
            }
            Err(Error::Missing { .. }) => assert!(acknowledged.is_empty()),
            Err(error) => panic!("from write {from}: {error}"),
        }
    }
}

const SMALL: &str = "FALSUM_TEST_SMALL_DISK";

#[test]
#[ignore = "runs inside the small file system of the next test"]
fn the_writer_on_a_small_disk() {
    let Some(dir) = std::env::var_os(SMALL) else { return };
    let (dir, ballast) = (Path::new(&dir).join("campaign"), Path::new(&dir).join("ballast"));
    // Leaves less and less space, so that it runs out inside the database, inside a folder and inside the stream.
    for room in (40..400).step_by(9) {
        std::fs::write(&ballast, vec![0; 1 << 19]).expect("ballast");
        let mut store = Store::create(&dir, &campaign()).expect("created");
        let more = filler(&dir.with_file_name("filler"), room * 1024);
        let (mut full, mut n) = (0, 0);
        while full < 3 {
            let result = store.add_finding(&finding(n, n)).and_then(|_| store.commit(&batch([n])));
            match result {
                Ok(()) => n += 1,
                Err(Error::DiskFull { .. }) => full += 1,
                Err(error) => panic!("{room} KiB: {error}"),
            }
            assert!(n < 10_000, "the disk never filled up");
        }
        std::fs::remove_file(&ballast).expect("room");
        for n in n..n + 3 {
            store.add_finding(&finding(n, n)).and_then(|_| store.commit(&batch([n]))).expect("works again");
        }
        drop(store);
        assert_whole(&dir);
        let store = Store::resume(&dir).expect("resumed");
        assert_eq!(store.problems(), [], "{room} KiB");
        assert_eq!(store.findings().expect("findings").len() as u64, n + 3);
        drop((store, more));
        std::fs::remove_dir_all(&dir).expect("removed");
    }
}

/// Fills the file system up to the last `room` bytes, or as far as there is more than that.
fn filler(path: &Path, room: u64) -> tempfile::TempPath {
    let space = rustix::fs::statvfs(path.parent().expect("a folder")).expect("space");
    let bytes = (space.f_bavail * space.f_frsize).saturating_sub(room);
    std::fs::write(path, vec![0; bytes as usize]).expect("filled");
    tempfile::TempPath::try_from_path(path).expect("a path")
}

#[test]
fn a_real_disk_that_fills_up_loses_nothing_and_the_campaign_continues_when_there_is_space() {
    let dir = tempfile::tempdir().expect("a folder");
    let script = "mount -t tmpfs -o size=2m none \"$1\" || exit 77; shift; exec \"$@\"";
    let run = std::process::Command::new("unshare")
        .args(["-rm", "sh", "-c", script, "sh"])
        .arg(dir.path())
        .arg(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "the_writer_on_a_small_disk"])
        .env(SMALL, dir.path())
        .output();
    // Where mounting is not permitted, only the simulated disk of the other tests covers this.
    let Some(run) = testkit::mounted(run) else { return };
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}
