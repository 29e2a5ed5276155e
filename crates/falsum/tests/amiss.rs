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

/// Runs falsum with a full disk under its standard output.
fn into_a_full_disk(folder: &Path, args: &[&str]) -> Output {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    command.args(args).current_dir(folder).env("FALSUM_HOME", machine::home()).stdout(full).output().unwrap()
}

#[test]
fn a_full_disk_under_the_output_is_said_plainly_with_its_own_code() {
    let folder = folder();
    for args in [
        &["parse", "a.smt2"][..],
        &["parse", "a.smt2", "--check"],
        &["corpus", "list"],
        &["solvers", "list"],
        &["strategy", "list", "--json"],
        &["generate", "a.smt2", "--strategy", "opswap"],
        &["generate", "a.smt2", "--strategy", "opswap", "--json"],
        &["enumerate", "--grammar", "Core", "--no-solve", "--out", "-"],
        &["man"],
        &["--help"],
    ] {
        let output = into_a_full_disk(folder.path(), args);
        assert_eq!(output.status.code(), Some(14), "{args:?} {}", said(&output));
        assert!(said(&output).starts_with("error: "), "{args:?} {}", said(&output));
        assert!(!said(&output).contains("panicked") && !said(&output).contains("bug in falsum"), "{args:?}");
    }
}

#[test]
fn workers_are_between_1_and_1024_for_every_command() {
    let folder = folder();
    for jobs in ["0", "1000000000000"] {
        for args in [
            &["hunt"][..],
            &["reduce", "a.smt2"],
            &["enumerate", "--grammar", "Core"],
            &["evolution"],
            &["tour"],
        ] {
            let said = ends(folder.path(), &[args, &["-j", jobs]].concat(), 2);
            assert!(said.contains("is not a number of workers"), "{args:?} {said}");
        }
    }
}

#[test]
fn a_mistake_in_the_file_of_flags_is_named_and_does_not_keep_one_from_putting_it_right() {
    let folder = folder();
    let write = |text: &str| std::fs::write(folder.path().join("falsum.toml"), text).unwrap();
    write("[generate]\nstrategy = \"no-such-strategy\"\ncases = \"many\"\n");
    let said = ends(folder.path(), &["generate", "a.smt2"], 2);
    assert!(said.contains("falsum.toml adds --cases=many --strategy=no-such-strategy"), "{said}");
    write("[generate\n");
    let said = ends(folder.path(), &["generate", "a.smt2", "--strategy", "opswap"], 2);
    assert!(said.starts_with("error: falsum.toml:1: "), "{said}");
    ends(folder.path(), &["generate", "--help"], 0);
    ends(folder.path(), &["init", "--force"], 0);
    ends(folder.path(), &["generate", "a.smt2", "--strategy", "opswap"], 0);
}
