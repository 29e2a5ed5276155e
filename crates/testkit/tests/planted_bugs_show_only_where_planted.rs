//! The fake solver forwards everything to a correct solver and distorts only the planted case.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

fn planted(wrong: &str, when: &str, script: &str) -> Output {
    let real = format!("{} --behave say:;ready", testkit::fake_solver().display());
    let mut command = Command::new(testkit::fake_solver());
    command.args(["--real", &real, "--wrong", wrong, "--wrong-when", when]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // It may crash before it has read everything; some tests need that.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    child.wait_with_output().unwrap()
}

fn answers(wrong: &str, when: &str, script: &str) -> Vec<String> {
    let output = planted(wrong, when, script);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|l| !l.starts_with(';')).map(str::to_string).collect()
}

#[test]
fn answers_flip_only_while_the_pattern_is_in_the_context() {
    let script = "(assert p)(check-sat)(push 1)(assert (bvmul p))(check-sat)(pop 1)(check-sat)(echo \"end\")";
    assert_eq!(answers("flip", "bvmul", script), ["sat", "unsat", "sat", "end"]);
    assert_eq!(answers("flip", "bvadd", script), ["sat", "sat", "sat", "end"]);
}

#[test]
fn the_incremental_bug_does_not_show_in_a_fresh_single_query() {
    assert_eq!(answers("incremental-only", "p", "(assert p)(check-sat)"), ["sat"]);
    assert_eq!(answers("incremental-only", "p", "(push 1)(assert p)(check-sat)"), ["unsat"]);
    assert_eq!(answers("incremental-only", "p", "(assert p)(check-sat)(check-sat)"), ["sat", "unsat"]);
}

#[test]
fn the_crash_comes_at_the_check_and_only_with_the_pattern() {
    let output = planted("crash", "boom", "(assert p)(check-sat)(assert boom)(check-sat)");
    assert_eq!(output.status.signal(), Some(11));
    assert!(output.stdout.ends_with(b"sat\n"));
    assert!(planted("crash", "boom", "(assert p)(check-sat)(exit)").status.success());
}

#[test]
fn a_behaviour_that_does_not_exist_is_an_error() {
    let status = Command::new(testkit::fake_solver()).args(["--behave", "no-such"]).status().unwrap();
    assert_eq!(status.code(), Some(64));
}
