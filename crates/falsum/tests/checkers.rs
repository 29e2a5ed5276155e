//! Proofs that solvers print are put to the checker that a user has, and a solver's own checks are suspicions.
//!
//! The real checkers cannot be had by package name, so stand-ins print what they print; the solver is a stand-in too,
//! which answers as cvc5 does and prints a proof when it is asked for one.

#![allow(clippy::unwrap_used, reason = "tests")]

mod machine;

use machine::falsum_in;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const SCRIPT: &str = "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n";

const SOLVER: &str = r#"#!/bin/sh
for file in "$@"; do :; done
case "$file" in --version) echo "This is cvc5 version 1.4.2"; exit 0;; esac
grep -o '(check-sat)\|(get-model)\|(get-proof)\|(get-unsat-core)' "$file" | while read -r command; do
    case "$command" in
        "(check-sat)") echo unsat;;
        "(get-proof)") echo "(
(assume a0 p)
(step t1 (cl) :rule resolution :premises (a0))
)";;
        *) echo '(error "Cannot get model unless after a SAT or UNKNOWN response.")';;
    esac
done
"#;

fn program(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

/// What `check --json` says when the checker prints this, and its exit code.
fn check(said: &str) -> (serde_json::Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let solver = program(folder.path(), "cvc5", SOLVER);
    // It must be given the commands of the proof and the problem as files.
    let text = format!("#!/bin/sh\ngrep -q '^(step' \"$3\" && grep -q check-sat \"$4\" && printf '{said}'\n");
    let checker = format!("carcara={}", program(folder.path(), "checker", &text));
    std::fs::write(folder.path().join("a.smt2"), SCRIPT).unwrap();
    let output =
        falsum_in(folder.path(), &["check", "a.smt2", "--json", "-s", &solver, "--checker", &checker]);
    let text = String::from_utf8_lossy(&output.stdout);
    (serde_json::from_str(&text).unwrap_or_else(|_| panic!("{output:?}")), output.status.code().unwrap())
}

#[test]
fn a_proof_that_the_checker_refuses_is_an_invalid_proof() {
    let (report, code) = check("[ERROR] checking failed on step t1\\ninvalid\\n");
    assert_eq!((report["verdict"].as_str(), code), (Some("invalid-proof"), 10), "{report}");
    assert_eq!(report["evidence"][0]["kind"], "proof-checker");
    assert!(report["evidence"][0]["detail"].as_str().unwrap().contains("step t1"));
}

#[test]
fn a_proof_that_checks_or_cannot_be_read_accuses_nobody() {
    for said in ["valid\\n", "holey\\n", "[ERROR] parser error\\n", ""] {
        let (report, code) = check(said);
        assert_eq!((report["verdict"].as_str(), code), (Some("fine"), 0), "{said}: {report}");
    }
}

#[test]
fn a_checker_that_is_not_known_or_not_there_is_a_mistake_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), SCRIPT).unwrap();
    let solver = program(folder.path(), "cvc5", SOLVER);
    for checker in ["drat=/bin/true", "carcara=/no/such/program"] {
        let output = falsum_in(folder.path(), &["check", "a.smt2", "-s", &solver, "--checker", checker]);
        assert_ne!(output.status.code(), Some(0), "{checker}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{output:?}");
    }
}
