//! A campaign is a function of its key: the number of workers, shards and interruptions do not change its cases.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, solvers};
use std::collections::BTreeMap;
use std::path::Path;

/// Runs a short hunt over bit-vector seeds, which every solver here decides in no time.
fn hunt(folder: &Path, out: &str, extra: &[&str]) -> serde_json::Value {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV");
    let seeds = seeds.display().to_string();
    let mut args =
        vec!["hunt", &seeds, "--strategy", "seeds,opswap", "--schedule", "fixed", "--key", "k", "--json"];
    args.extend(["-s", "z3@5.4.0", "--no-reduce", "--session", "scoped", "--out", out]);
    args.extend(extra);
    let output = falsum_in(folder, &args);
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(text.lines().last().unwrap_or("null"))
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// The verdict of every case in a folder, by strategy, unit, step and hash.
fn cases(folder: &Path, out: &str) -> BTreeMap<String, String> {
    let view = store::Store::read(&folder.join(out)).unwrap();
    let rows = view.cases().unwrap();
    let verdicts: BTreeMap<String, String> = rows
        .iter()
        .map(|row| {
            (format!("{} {} {} {:?}", row.strategy, row.unit, row.step, row.hash), row.verdict.to_string())
        })
        .collect();
    assert_eq!(verdicts.len(), rows.len(), "a case was done twice");
    verdicts
}

#[test]
fn one_worker_and_many_make_the_same_cases_with_the_same_verdicts() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    hunt(folder.path(), "one", &["-j", "1", "--cases", "120"]);
    hunt(folder.path(), "many", &["-j", "8", "--cases", "120"]);
    let (one, many) = (cases(folder.path(), "one"), cases(folder.path(), "many"));
    assert!(one.len() >= 120, "{}", one.len());
    assert!(one.keys().eq(many.keys()), "other cases");
    for (case, verdict) in &one {
        // Only a limit on time makes these seeds inconclusive, and that may happen to either hunt on a busy machine.
        let other = &many[case];
        assert!(verdict == other || [verdict, other].contains(&&"inconclusive".to_owned()), "{case}");
    }
}

#[test]
fn a_campaign_goes_on_where_it_stopped_and_does_nothing_twice() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    hunt(folder.path(), "parts", &["-j", "2", "--cases", "60"]);
    let first = cases(folder.path(), "parts").len();
    hunt(folder.path(), "parts", &["-j", "2", "--cases", "60", "--resume"]);
    let all = cases(folder.path(), "parts");
    assert!(all.len() >= first + 60, "{first} then {}", all.len());
}

#[test]
fn a_second_hunt_in_the_same_folder_is_refused() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    hunt(folder.path(), "out", &["--cases", "5"]);
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV").display().to_string();
    let output =
        falsum_in(folder.path(), &["hunt", &seeds, "--cases", "5", "-s", "z3@5.4.0", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume"));
}
