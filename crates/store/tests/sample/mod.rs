//! Campaigns, findings and batches to store, all made from numbers, and a way to check a whole folder at once.
#![allow(dead_code, reason = "each test uses some of it")]

use oracle::{Evidence, EvidenceKind, FindingKind};
use smtlib::Parsed;
use solver::{Answer, Check, Reply, SessionKind};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use store::{Batch, Campaign, CaseDone, CaseHash, Event, Invocation, NewFinding, Store, Test, UnitDone};
use strategy::{At, Case, Recipe};

/// A folder for one test, in memory where there is space for that: these tests sync thousands of times.
pub fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory).ok() } else { None };
    made.unwrap_or_else(|| tempfile::tempdir().expect("a folder"))
}

pub fn campaign() -> Campaign {
    Campaign::new("key-1", vec!["fusion".into(), "opswap".into()], "seeds-1")
}

pub fn script(n: u64) -> Vec<u8> {
    format!("(declare-const x Int)\n(assert (> x {n}))\n(check-sat)\n").into_bytes()
}

/// Finding number `n`, of bug number `bug`.
pub fn finding(n: u64, bug: u64) -> NewFinding {
    let mut case = Case::of_script(Parsed::read(script(n)).expect("well-typed"));
    case.recipe = Recipe { strategy: "fusion".into(), unit: n, key: "key-1".into(), ..Recipe::default() };
    NewFinding {
        accusation: oracle::Accusation {
            kind: FindingKind::RefutationUnsound,
            culprit: Some("z3-4.8.6".into()),
            evidence: vec![Evidence::new(EvidenceKind::Model, "falsum", format!("x = {}", n + 1))],
            at: At { question: 0, check: 0 },
            truth: Some(true),
        },
        symptom: None,
        rate: None,
        case,
        replies: vec![reply("z3-4.8.6", Answer::Unsat), reply("cvc5-1.4.2", Answer::Sat)],
        signature: format!("refutation-unsound Ints z3 {bug}"),
        commands: vec![Invocation {
            target: "z3-4.8.6".into(),
            argv: vec!["/opt/z3".into(), "-smt2".into(), "{file}".into()],
            stdin: false,
            seconds: 10,
        }],
        follow_up: vec![],
    }
}

fn reply(target: &str, answer: Answer) -> Reply {
    let checks = vec![Check { answer: Some(answer), ..Check::default() }];
    Reply { target: target.into(), checks, wall: Duration::from_micros(1500), ..Reply::default() }
}

/// Unit `n` of fusion: two cases run on two targets; every tenth unit has a finding.
pub fn unit(n: u64) -> UnitDone {
    let case = |step| CaseDone {
        step,
        hash: CaseHash::of(&script(n * 2 + step)),
        verdict: if n.is_multiple_of(10) && step == 0 { "refutation-unsound".into() } else { "fine".into() },
        certified: step == 0,
        answered: true,
        theories: vec!["Ints".into(), "Strings".into()],
        culprits: vec![],
        tests: vec![test("z3-4.8.6", Answer::Unsat, "itself"), test("cvc5-1.4.2", Answer::Sat, "itself")],
    };
    UnitDone { strategy: "fusion".into(), unit: n, cases: vec![case(0), case(1)], skipped: false }
}

pub fn test(target: &str, answer: Answer, ended: &'static str) -> Test {
    Test {
        target: target.into(),
        answers: vec![answer],
        ended: ended.into(),
        timeout: false,
        error: false,
        leak: false,
        session: SessionKind::Scoped,
        micros: 1000,
    }
}

pub fn batch(units: impl IntoIterator<Item = u64>) -> Batch {
    Batch {
        units: units.into_iter().map(unit).collect(),
        active: Duration::from_millis(10),
        ..Batch::default()
    }
}

/// How often each finding is announced in the event stream.
pub fn announced(dir: &Path) -> BTreeMap<String, u64> {
    let mut announced = BTreeMap::new();
    let bad = Store::read(dir).expect("readable").events(|stamped| {
        if let Event::Finding { id, .. } = stamped.event {
            *announced.entry(id.to_string()).or_default() += 1;
        }
    });
    assert_eq!(bad.expect("readable"), 0, "every line is an event");
    announced
}

/// Asserts that rows, folders, events, bugs and counters of a folder agree, with each finding exactly once.
pub fn assert_whole(dir: &Path) {
    let view = Store::read(dir).expect("readable");
    let findings = view.findings().expect("findings");
    for row in &findings {
        let meta = view.meta(&row.id).expect("the folder of a finding is whole");
        assert_eq!((&meta.bug, &meta.recipe), (&row.bug, &row.recipe));
    }
    let folders = std::fs::read_dir(dir.join("findings")).expect("listed").count();
    assert_eq!(folders, findings.len(), "as many folders as rows");
    let announced = announced(dir);
    assert_eq!(announced.len(), findings.len());
    assert!(announced.values().all(|&times| times == 1), "{announced:?}");
    let bugs = view.bugs().expect("bugs");
    assert_eq!(bugs.iter().map(|bug| bug.count).sum::<u64>(), findings.len() as u64);
    let status = view.status().expect("status");
    let cases = view.cases().expect("cases");
    assert_eq!(status.summary.progress.cases, cases.len() as u64, "counters agree with cases");
    let done = view.cursor("fusion", 0).expect("cursor").len();
    assert_eq!(cases.len() as u64, 2 * done, "cases agree with units done");
    assert_eq!(status.summary.progress.tests, 4 * done);
}

/// All files below a folder.
pub fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut all = vec![];
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            all.extend(files(&entry.path()));
        } else {
            all.push(entry.path());
        }
    }
    all
}

/// Copies a folder that no process is writing to.
pub fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let to = to.join(path.strip_prefix(from).expect("inside"));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
        std::fs::copy(path, to).expect("copied");
    }
}
