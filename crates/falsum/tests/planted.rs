//! Solvers that are wrong on purpose, beside real ones: every kind of bug is seen, the right culprit is named, and
//! nobody else ever is.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, path_of, solvers};
use std::path::Path;

const SAT: &str = "(declare-const x (_ BitVec 8))\n(assert (= (bvadd x #x01) #x00))\n(check-sat)\n";
const UNSAT: &str = "(declare-const x (_ BitVec 8))\n(assert (= (bvadd x #x01) x))\n(check-sat)\n";
const CORE: &str = "(declare-const x (_ BitVec 8))\n(assert (! (= (bvadd x #x01) #x00) :named a))\n\
    (assert (! (= x #x01) :named b))\n(assert (! (= x x) :named c))\n(check-sat)\n";
const INCREMENTAL: &str = "(declare-const x (_ BitVec 8))\n(push 1)\n(assert (= (bvadd x #x01) #x00))\n(check-sat)\n(pop 1)\n(check-sat)\n";

/// The verdict and the culprits of `falsum check` on a script, with a planted solver beside two real ones.
fn verdict(name: &str, script: &str, wrong: &str, when: &str) -> (String, Vec<String>) {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("case.smt2"), script).unwrap();
    let fake = testkit::fake_solver();
    let real = path_of("z3@5.4.0");
    let planted =
        format!("planted={} --real '{real} -in' --wrong {wrong} --wrong-when {when}", fake.display());
    let args = [
        "check",
        "case.smt2",
        "--json",
        "--status",
        "ignore",
        "-s",
        &planted,
        "-r",
        "z3@5.4.0",
        "-r",
        "cvc5@1.4.2",
    ];
    let output = falsum_in(folder.path(), &args);
    let text = String::from_utf8(output.stdout).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{name}: {error}: {text} {}", String::from_utf8_lossy(&output.stderr))
    });
    let culprits =
        json["culprits"].as_array().unwrap().iter().map(|c| c.as_str().unwrap().to_owned()).collect();
    (json["verdict"].as_str().unwrap().to_owned(), culprits)
}

#[test]
fn every_planted_kind_is_seen_and_the_planted_solver_is_named() {
    let planted = vec!["planted".to_owned()];
    for (name, script, wrong, kind) in [
        ("a flipped sat", SAT, "flip", "refutation-unsound"),
        ("a flipped unsat", UNSAT, "flip", "solution-unsound"),
        ("a wrong model", SAT, "model", "invalid-model"),
        ("a wrong core", CORE, "core", "invalid-core"),
        ("a crash", SAT, "crash", "crash"),
        ("wrong only when incremental", INCREMENTAL, "incremental-only", "refutation-unsound"),
    ] {
        assert_eq!(verdict(name, script, wrong, "bvadd"), (kind.to_owned(), planted.clone()), "{name}");
    }
}

#[test]
fn a_solver_that_is_right_is_not_accused() {
    for script in [SAT, UNSAT, CORE, INCREMENTAL] {
        let (verdict, culprits) = verdict("right", script, "flip", "no-such-operator");
        assert_eq!((verdict.as_str(), culprits), ("fine", vec![]), "{script}");
    }
}

#[test]
fn a_hunt_names_only_the_planted_solver() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let fake = testkit::fake_solver();
    let real = path_of("z3@5.4.0");
    let planted = format!("planted={} --real '{real} -in' --wrong flip --wrong-when bvmul", fake.display());
    let args = [
        "hunt",
        "--strategy",
        "seeds,opswap",
        "--cases",
        "150",
        "--key",
        "planted",
        "--out",
        "out",
        "--json",
        "--no-reduce",
        "--timeout",
        "2s",
        "-s",
        &planted,
        "-s",
        "z3@5.4.0",
        "-r",
        "cvc5@1.4.2",
    ];
    let output = falsum_in(folder.path(), &args);
    let events = String::from_utf8(output.stdout).unwrap();
    let mut accused = 0;
    for line in events.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        if event["event"] == "finding" {
            assert_eq!(event["culprits"], serde_json::json!(["planted"]), "{line}");
            accused += 1;
        }
    }
    let summary: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(summary["event"], "summary", "{}", String::from_utf8_lossy(&output.stderr));
    assert!(summary["cases"].as_u64().unwrap() >= 150);
    let expected = if accused > 0 { 10 } else { 0 };
    assert_eq!(output.status.code(), Some(expected), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(Path::new(&folder.path().join("out/falsum.db")).exists());
}
