//! The list of known bugs, from a campaign to the exit code of the next one.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, path_of, solvers};
use std::path::Path;
use std::process::Output;

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].concat().iter().map(|&byte| char::from(byte)).collect()
}

#[test]
fn bugs_of_a_campaign_are_added_listed_and_removed_and_the_next_hunt_finds_only_known_ones() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    solvers();
    let fake = testkit::fake_solver();
    let real = path_of("z3@5.4.0");
    let liar = format!("planted={} --real '{real} -in' --wrong flip --wrong-when bvadd", fake.display());
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV").display().to_string();
    let hunt = |out: &str, more: &[&str]| {
        let mut args = vec!["hunt", &seeds, "--strategy", "seeds", "--key", "k", "--cases", "12", "-j1"];
        args.extend(["--no-reduce", "-q", "--options", "none", "-s", &liar, "--out", out]);
        args.extend(more);
        falsum_in(dir, &args).status.code()
    };
    assert_eq!(hunt("first", &[]), Some(10));
    let added = falsum_in(dir, &["known", "add", "--all", "--dir", "first"]);
    assert!(added.status.success(), "{}", text(&added));
    assert_eq!(hunt("second", &["--known", "known.txt"]), Some(11), "everything is known");

    let listed = text(&falsum_in(dir, &["known", "list", "second"]));
    assert!(listed.contains("0 bugs not listed"), "{listed}");
    let pattern = listed.split_whitespace().next().unwrap().to_owned();
    let wrong = falsum_in(dir, &["known", "remove", "b-nothing"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
    assert!(falsum_in(dir, &["known", "remove", &pattern]).status.success());
    let list = std::fs::read_to_string(dir.join("known.txt")).unwrap();
    assert!(!list.contains(&pattern), "{list}");
    let again = falsum_in(dir, &["known", "add", "b-zz", "--dir", "first"]);
    assert!(
        again.status.code() == Some(2) && text(&again).contains("falsum report first"),
        "{}",
        text(&again)
    );
}
