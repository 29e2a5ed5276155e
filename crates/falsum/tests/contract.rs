//! The command line is a contract: the JSON fields and exit codes that other people's scripts rely on.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, solvers};
use serde_json::Value;
use std::path::Path;

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
    (assert (and (> x 0) (< y x)))\n(check-sat)\n";
const MODEL: &str = "((define-fun x () Int 1) (define-fun y () Int 0))";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), SCRIPT).unwrap();
    std::fs::write(folder.path().join("bad.smt2"), "(assert (> true 1))").unwrap();
    std::fs::write(folder.path().join("a.model"), MODEL).unwrap();
    folder
}

/// Runs a command and reads the last line, or the whole of its output, as JSON.
fn json(folder: &Path, args: &[&str], code: i32) -> Value {
    let output = falsum_in(folder, args);
    let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?} {text} {said}");
    serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(text.lines().last().unwrap_or_default()))
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
}

#[track_caller]
fn assert_fields(value: &Value, fields: &[&str]) {
    for field in fields {
        assert!(value.get(field).is_some(), "no field {field:?} in {value}");
    }
}

#[test]
fn commands_without_a_solver_print_the_fields_of_the_contract() {
    let folder = folder();
    let here = folder.path();
    let counted = ["cases", "bytes", "seconds", "cases_per_s"];
    let generate = ["generate", "a.smt2", "--strategy", "opswap", "--cases", "9", "--null", "--json"];
    assert_fields(&json(here, &generate, 0), &counted);
    let enumerate = ["enumerate", "--grammar", "Ints", "--take", "9", "--null", "--json"];
    assert_fields(&json(here, &enumerate, 0), &counted);
    let parsed = json(here, &["parse", "--check", "--json", "a.smt2", "bad.smt2"], 2);
    assert_fields(&parsed, &["files", "accepted", "rejected", "bytes", "seconds", "mb_per_s", "errors"]);
    assert_fields(&parsed["errors"][0], &["file", "line", "column", "message"]);
    let value = json(here, &["eval", "a.smt2", "--model", "a.model", "--json"], 0);
    assert_fields(&value, &["value", "asserts", "underspecified"]);
    assert_fields(&value["asserts"][0], &["index", "value", "reason"]);
    assert_eq!(value["value"], "true");
}

#[test]
fn commands_that_ask_solvers_print_the_fields_of_the_contract() {
    solvers();
    let folder = folder();
    let here = folder.path();
    let verdict = json(here, &["check", "a.smt2", "--json", "-s", "z3@5.4.0", "-r", "cvc5@1.4.2"], 0);
    assert_fields(&verdict, &["file", "verdict", "certified", "culprits", "evidence", "findings", "answers"]);
    assert_eq!((&verdict["certified"], &verdict["findings"]), (&true.into(), &serde_json::json!([])));
    assert_fields(&verdict["answers"][0], &["target", "answer", "ended", "seconds"]);
    let listed = json(here, &["solvers", "list", "--json"], 0);
    assert_fields(&listed[0], &["name", "version", "path", "origin", "hash"]);
    let hunt = ["hunt", "a.smt2", "--strategy", "opswap", "--cases", "9", "-s", "z3@5.4.0", "--json"];
    let summary = json(here, &hunt, 0);
    assert_eq!(summary["event"], "summary");
    let fields = ["cases", "tests", "seconds", "cases_per_s", "tests_per_s", "findings", "bugs"];
    assert_fields(&summary, &fields);
    assert_fields(&summary["strategies"], &["opswap"]);
    assert_fields(&summary["targets"], &["z3@5.4.0"]);
    let bisection = json(here, &["bisect", "a.smt2", "-s", "z3", "--json"], 0);
    assert_fields(&bisection, &["releases", "first_bad", "last_bad", "fixed_in"]);
    assert_fields(&bisection["releases"][0], &["release", "answer", "ended", "bad"]);
}

#[test]
fn a_reduction_prints_the_fields_of_the_contract() {
    let folder = folder();
    std::fs::write(folder.path().join("holds.sh"), "#!/bin/sh\ngrep -q '> x' \"$1\"\n").unwrap();
    let status = std::process::Command::new("chmod").arg("+x").arg(folder.path().join("holds.sh")).status();
    assert!(status.unwrap().success());
    let args = ["reduce", "a.smt2", "--script", "./holds.sh", "-o", "small.smt2", "--json"];
    let reduced = json(folder.path(), &args, 0);
    let fields = ["bytes_before", "bytes_after", "nodes_before", "nodes_after", "checks", "seconds"];
    assert_fields(&reduced, &fields);
    assert!(reduced["bytes_after"].as_u64() < reduced["bytes_before"].as_u64());
}

#[test]
fn mistakes_exit_with_2_and_say_what_to_do() {
    solvers();
    let folder = folder();
    for args in [
        &["hunt", "--bogus"][..],
        &["check", "nowhere.smt2", "-s", "z3"],
        &["eval", "a.smt2", "--model", "nowhere"],
        &["generate", "a.smt2", "--strategy", "no-such-strategy"],
        &["enumerate", "--grammar", "no-such-grammar", "--no-solve"],
        &["man", "no-such-command"],
    ] {
        let output = falsum_in(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?} {said}");
        assert!(said.starts_with("error: "), "{args:?} {said}");
        assert_eq!(output.stdout, b"", "{args:?}");
    }
}
