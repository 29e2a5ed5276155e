//! 20,000 queries, one in twenty of them to a solver that crashes or hangs: nothing may grow. Alone in its file, so
//! that it is alone in its process and every descriptor and child it sees is its own.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that prints what it saw")]

mod home;

use solver::{Answer, Ended, Pool, Query, QueryLimits, SessionKind};
use std::time::Duration;

const QUERIES: u32 = 20_000;
const SCRIPT: &[u8] = b"(declare-const x Bool)(assert x)(check-sat)";

fn pool(args: &[&str]) -> Pool {
    Pool::new(home::fake(args), 2)
}

/// Descriptors, children and resident kilobytes of this process.
fn measure() -> (usize, usize, u64) {
    let children = testkit::processes_marked(run::NONCE_VARIABLE, run::owner_nonce()).len();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS")).unwrap();
    let resident = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    (testkit::open_descriptors(), children, resident)
}

#[test]
fn nothing_grows_over_twenty_thousand_queries_with_crashes_and_timeouts() {
    let good = pool(&[]);
    let crashing = pool(&["--behave", "abort", "--at-check", "2"]);
    let hanging = pool(&["--behave", "sleep", "--at-check", "2"]);
    let limits = QueryLimits { wall: Duration::from_millis(10), cpu: None, memory: None };
    let mut bad = 0;
    let mut early = None;
    for i in 0..QUERIES {
        let kind = if i % 10 == 3 { SessionKind::Reset } else { SessionKind::Scoped };
        match i % 40 {
            0 => {
                // Two queries each, the second of which goes wrong.
                crashing.ask(&Query::new(SCRIPT), kind);
                let reply = crashing.ask(&Query::new(SCRIPT), kind);
                assert!(matches!(reply.ended, Ended::Crash { signal: Some(6), .. }), "{:?}", reply.ended);
                bad += 1;
            }
            20 => {
                hanging.ask(&Query::new(SCRIPT), kind);
                let reply = hanging.ask(&Query::new(SCRIPT).limits(limits.clone()), kind);
                assert_eq!(reply.ended, Ended::Wall);
                bad += 1;
            }
            _ => assert_eq!(good.ask(&Query::new(SCRIPT), kind).answer(), Some(Answer::Sat)),
        }
        // By then every process has been replaced at least twice, and a host for its copies is there.
        if i == QUERIES / 2 {
            early = Some(measure());
        }
    }
    let (early, late) = (early.unwrap(), measure());
    println!(
        "{QUERIES} queries, {bad} bad; descriptors, processes, resident KB: {early:?} early, {late:?} late"
    );
    assert_eq!(bad, QUERIES / 20);
    assert_eq!((late.0, late.1), (early.0, early.1), "descriptors and processes, early and late");
    assert!(late.2 < early.2 + 8192, "resident memory grew from {} to {} KB", early.2, late.2);
    assert!(testkit::zombie_children().is_empty());
}
