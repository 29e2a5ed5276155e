//! When something is amiss: what a user finds afterwards, and with which exit code. One test per incident.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::falsum_in;
use std::path::Path;
use std::process::Output;

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), SCRIPT).unwrap();
    folder
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command that must end with this code; gives everything it says.
#[track_caller]
fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let output = falsum_in(folder, args);
    assert_eq!(output.status.code(), Some(code), "{args:?} {}", said(&output));
    said(&output)
}

#[test]
fn a_reduction_to_nothing_ends() {
    let folder = folder();
    ends(folder.path(), &["reduce", "a.smt2", "--ignore-output", "-o", "b.smt2", "--", "/bin/true"], 0);
    assert_eq!(std::fs::read(folder.path().join("b.smt2")).unwrap(), b"");
}

#[test]
fn a_reduction_that_fails_leaves_an_earlier_result_alone_and_no_file_behind() {
    let folder = folder();
    let out = folder.path().join("a.reduced.smt2");
    ends(folder.path(), &["reduce", "a.smt2", "--script", "/bin/false"], 2);
    assert!(!out.exists());
    std::fs::write(&out, "precious").unwrap();
    ends(folder.path(), &["reduce", "a.smt2", "--script", "/bin/false"], 2);
    assert_eq!(std::fs::read(&out).unwrap(), b"precious");
    ends(folder.path(), &["reduce", "a.smt2", "--script", "/bin/true", "-o", "no/such/folder"], 2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
