//! A flood: one hunt, twelve planted bugs, thousands of triggers; twelve bugs are reported, and the disk stays small.
//!
//! The planted solver is yices with twelve operators about which it is wrong: it says unsat where the formula is
//! satisfiable. yices itself is the reference. CI runs a small flood; the full one is
//! `FALSUM_FLOOD=23000 cargo test --profile quick -p falsum --test flood`, and its figures are in
//! docs/measurements/speed.md.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, path_of};
use std::path::Path;

/// Operators, and how the planted solver is wrong about each.
const PLANTS: [(&str, &str); 12] = [
    ("refute", "bvmul"),
    ("refute", "bvudiv"),
    ("refute", "bvurem"),
    ("refute", "bvshl"),
    ("refute", "bvlshr"),
    ("refute", "bvashr"),
    ("refute", "bvsub"),
    ("refute", "bvxor"),
    ("refute", "concat"),
    ("refute", "bvor"),
    ("refute", "bvneg"),
    ("refute", "bvnand"),
];

/// One seed per planted bug, so that each is hit at least once, in a formula that also has operators without a bug.
fn seed(operator: &str) -> String {
    let term = match operator {
        "bvneg" => "(bvneg (bvadd x y))".to_owned(),
        "concat" => "((_ extract 7 0) (concat x y))".to_owned(),
        _ => format!("({operator} (bvadd x y) #x03)"),
    };
    format!(
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n\
         (declare-const z (_ BitVec 8))\n(assert (or (bvult x y) (bvule y (bvadd x #x05))))\n\
         (assert (= z {term}))\n(assert (not (= x y)))\n(check-sat)\n"
    )
}

fn disk(folder: &Path) -> (u64, u64) {
    let (mut files, mut bytes) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let meta = entry.metadata().unwrap();
        let (f, b) = if meta.is_dir() { disk(&entry.path()) } else { (1, meta.len()) };
        (files, bytes) = (files + f, bytes + b);
    }
    (files, bytes)
}

/// A folder with a seed for each bug.
fn seeds() -> tempfile::TempDir {
    let added = falsum_in(Path::new("."), &["solvers", "add", "yices@2.6.5"]);
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let folder = tempfile::tempdir().unwrap();
    let seeds = folder.path().join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    for (_, operator) in PLANTS {
        std::fs::write(seeds.join(format!("{operator}.smt2")), seed(operator)).unwrap();
    }
    folder
}

/// The planted solver.
fn planted() -> String {
    let plants = PLANTS.map(|(wrong, when)| format!("{wrong}:{when}")).join(",");
    format!(
        "planted={} --real '{} --incremental' --plant {plants}",
        testkit::fake_solver().display(),
        path_of("yices@2.6.5")
    )
}

/// Hunts in the planted solver; the summary.
fn hunt(folder: &Path, strategies: &str, cases: &str, extra: &[&str]) -> serde_json::Value {
    let planted = planted();
    let mut args = vec!["hunt", "seeds", "--strategy", strategies, "--cases", cases, "--key", "flood"];
    args.extend(["--out", "out", "--json", "--timeout", "5s", "-s", &planted, "-r", "yices@2.6.5"]);
    args.extend(extra);
    let output = falsum_in(folder, &args);
    let events = String::from_utf8(output.stdout).unwrap();
    let last = events.lines().last().unwrap_or_default();
    serde_json::from_str(last)
        .unwrap_or_else(|error| panic!("{error}: {last}\n{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_flood_of_twelve_planted_bugs_is_reported_as_twelve() {
    let cases = std::env::var("FALSUM_FLOOD").unwrap_or_else(|_| "250".into());
    let folder = seeds();
    let began = std::time::Instant::now();
    let summary = hunt(folder.path(), "seeds,opswap,regrow", &cases, &[]);
    let (files, bytes) = disk(&folder.path().join("out"));
    let folders = std::fs::read_dir(folder.path().join("out/findings")).unwrap().count();
    eprintln!(
        "{} cases, {} findings, {} bugs, {folders} folders, {files} files, {} KB, {:.0} s",
        summary["cases"],
        summary["findings"],
        summary["bugs"],
        bytes >> 10,
        began.elapsed().as_secs_f64()
    );
    let listed = falsum_in(folder.path(), &["status", "out"]);
    assert_eq!(summary["bugs"], 12, "{}", String::from_utf8_lossy(&listed.stdout));
    // Five samples of a bug are stored, and more of those that were hit before the first was triaged. The full
    // flood stores 132.
    assert!(folders <= 160, "{folders} folders");
    assert!(bytes < 32 << 20, "{bytes} bytes");
}

#[test]
fn a_resumed_hunt_begins_with_the_findings_that_are_not_triaged_yet() {
    let folder = seeds();
    let bugs = || store::Store::read(&folder.path().join("out")).unwrap().bugs().unwrap();
    hunt(folder.path(), "seeds", "12", &["--no-reduce"]);
    assert!(bugs().len() == 12 && bugs().iter().all(|bug| bug.triage.reduced_bytes.is_none()));
    hunt(folder.path(), "seeds", "1", &["--resume"]);
    assert!(bugs().len() == 12 && bugs().iter().all(|bug| bug.triage.reduced_bytes.is_some()));
}

#[test]
fn two_shards_triage_each_bug_of_a_campaign_once_and_their_merge_has_all_of_it() {
    let folder = seeds();
    for (_, operator) in &PLANTS[4..] {
        std::fs::remove_file(folder.path().join(format!("seeds/{operator}.smt2"))).unwrap();
    }
    hunt(folder.path(), "seeds", "4", &["--no-reduce"]);
    let planted = planted();
    let solvers = ["--timeout", "5s", "-s", &planted, "-r", "yices@2.6.5"];
    for (shard, out) in [("0/2", "t0"), ("1/2", "t1")] {
        let args = [&["triage", "out", "--shard", shard, "--out", out][..], &solvers[..]].concat();
        let output = falsum_in(folder.path(), &args);
        assert_eq!(output.status.code(), Some(10), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let bugs = |out: &str| store::Store::read(&folder.path().join(out)).unwrap().bugs().unwrap();
    let done = |out: &str| bugs(out).iter().filter(|bug| bug.triage.reduced_bytes.is_some()).count();
    assert_eq!((done("t0") + done("t1"), bugs("t0").len()), (4, 4));
    let merged = falsum_in(folder.path(), &["merge", "t0", "t1", "--out", "out"]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!((bugs("out").len(), done("out")), (4, 4));
    // Nothing is left, and what was learnt is known.
    let again = falsum_in(folder.path(), &[&["triage", "out"][..], &solvers[..]].concat());
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains("0 bugs to triage") && said.contains("4 triaged before"), "{said}");
}
