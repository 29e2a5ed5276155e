//! A kill at any moment loses nothing that was acknowledged and duplicates nothing.
//!
//! A child process writes findings and units into one folder and acknowledges each on its output; it is killed at
//! moments chosen by a fixed sequence. Everything it acknowledged must be there, exactly once, in every place.

mod sample;

use sample::{assert_whole, batch, campaign, finding};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use store::{BugUpdate, Error, Options, Store};

const FOLDER: &str = "FALSUM_TEST_FOLDER";
const ROUNDS: u64 = 60;

/// Starts this test binary again, as the writer.
fn child(dir: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "the_writer_that_is_killed", "--nocapture"])
        .env(FOLDER, dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

fn options() -> Options {
    Options { samples: u64::MAX, ..Options::default() }
}

#[test]
#[ignore = "the child process of the other tests"]
fn the_writer_that_is_killed() {
    let Some(dir) = std::env::var_os(FOLDER) else { return };
    let dir = Path::new(&dir);
    let mut store = match Store::create_with(dir, &campaign(), options()) {
        Err(Error::Exists { .. }) => Store::resume_with(dir, Some(&campaign()), options()).expect("resumed"),
        created => created.expect("created"),
    };
    let mut out = std::io::stdout();
    let mut say =
        move |line: String| out.write_all(line.as_bytes()).and_then(|()| out.flush()).expect("said");
    say("ready\n".into());
    let from = store.cursor("fusion").low();
    for unit in from.. {
        for n in [unit * 2, unit * 2 + 1] {
            let added = store.add_finding(&finding(n, unit % 3)).expect("added");
            say(format!("finding {}\n", added.id));
            if n % 5 == 0 {
                let news = BugUpdate { first_bad: Some(format!("{n}")), ..BugUpdate::default() };
                store.update_bug(&added.bug, &news).expect("updated");
            }
            if n % 7 == 0 {
                store.resign(&added.id, "another signature").expect("moved");
            }
        }
        store.commit(&batch([unit])).expect("kept");
        say(format!("unit {unit}\n"));
    }
}

#[test]
fn a_campaign_killed_sixty_times_has_everything_it_acknowledged_exactly_once() {
    let dir = sample::folder();
    let (mut findings, mut units) = (BTreeSet::new(), BTreeSet::new());
    let mut x = 0x2545_f491_4f6c_dd1du64;
    for round in 0..ROUNDS {
        let mut writer = child(dir.path());
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut output = BufReader::new(writer.stdout.take().expect("its output"));
        let mut said = String::new();
        if round % 4 == 0 {
            // At some moment while it starts or repairs.
            std::thread::sleep(Duration::from_micros((x >> 33) % 60_000));
        } else {
            // At some moment while it writes.
            for _ in 0..4 + (x >> 33) % 12 {
                let ended = output.read_line(&mut said).expect("read") == 0;
                assert!(!ended, "{}", errors(&mut writer));
            }
            std::thread::sleep(Duration::from_micros((x >> 13) % 4_000));
        }
        writer.kill().expect("killed");
        writer.wait().expect("gone");
        output.read_to_string(&mut said).expect("read");
        let failed = errors(&mut writer);
        assert!(!failed.contains("panicked"), "round {round}: {failed}");
        // The last line may be truncated: it counts only if it is complete.
        for line in said.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            match line.trim_end().split_once(' ') {
                Some(("finding", id)) => findings.insert(id.to_owned()),
                Some(("unit", unit)) => units.insert(unit.parse::<u64>().expect("a number")),
                _ => false,
            };
        }
    }
    assert!(findings.len() > 100 && units.len() > 50, "{} findings, {} units", findings.len(), units.len());
    let store = Store::resume(dir.path()).expect("resumed");
    assert!(units.iter().all(|&unit| store.is_done("fusion", unit)));
    let kept: BTreeSet<String> =
        store.findings().expect("findings").into_iter().map(|row| row.id.to_string()).collect();
    assert!(findings.is_subset(&kept), "lost: {:?}", findings.difference(&kept));
    // At most the findings of the one unit that the last kill interrupted were never acknowledged.
    let expected: BTreeSet<String> =
        (0..store.cursor("fusion").low() * 2 + 2).map(|n| finding(n, 0).id().to_string()).collect();
    assert!(kept.is_subset(&expected), "invented: {:?}", kept.difference(&expected));
    drop(store);
    assert_whole(dir.path());
}

fn errors(writer: &mut Child) -> String {
    let mut text = String::new();
    let mut stderr = writer.stderr.take().expect("its errors");
    let _ = writer.kill();
    stderr.read_to_string(&mut text).expect("read");
    text
}

#[test]
fn a_second_instance_is_refused_and_the_lock_ends_with_its_process() {
    let dir = sample::folder();
    let mut writer = child(dir.path());
    let mut output = BufReader::new(writer.stdout.take().expect("its output"));
    let mut line = String::new();
    while line != "ready\n" {
        line.clear();
        assert!(output.read_line(&mut line).expect("read") > 0, "{}", errors(&mut writer));
    }
    match Store::resume(dir.path()) {
        Err(Error::Locked { pid, .. }) => assert_eq!(pid, Some(writer.id())),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("two writers in one folder"),
    }
    assert!(matches!(Store::create(dir.path(), &campaign()), Err(Error::Locked { .. })));
    let status = store::status(dir.path()).expect("a status while another process writes");
    assert_eq!((status.running, status.pid), (true, Some(writer.id())));
    writer.kill().expect("killed");
    writer.wait().expect("gone");
    let left = std::fs::read_to_string(dir.path().join("lock")).expect("the number stays behind");
    assert_eq!(left.trim(), writer.id().to_string());
    assert!(!store::status(dir.path()).expect("status").running);
    drop(Store::resume(dir.path()).expect("the number of a dead process stops no process"));
}
