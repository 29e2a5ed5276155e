//! `falsum parse`, as a user or a script runs it: what goes to stdout, what to stderr, and the exit code.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

const GOOD: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";
const BAD: &str = "(declare-const x Int)\n(assert (> x true))\n";

fn falsum(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_falsum")).args(args).current_dir(folder).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", out(output)))
}

#[test]
fn a_good_script_is_printed_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.smt2"), format!("; head\n{GOOD}(set-info :status sat)\n")).unwrap();
    let output = falsum(dir.path(), &["parse", "a.smt2"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(out(&output), format!("; head\n{GOOD}(set-info :status sat)\n"));
    assert_eq!(err(&output), "");
    let canonical = falsum(dir.path(), &["parse", "--format", "canonical", "a.smt2"]);
    assert_eq!(out(&canonical), GOOD);
}

#[test]
fn a_bad_script_is_explained_on_stderr_and_exits_2() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.smt2"), BAD).unwrap();
    let output = falsum(dir.path(), &["parse", "a.smt2"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(out(&output), "");
    assert!(err(&output).starts_with("error: sort mismatch in argument 2 of `>`"), "{}", err(&output));
    assert!(err(&output).contains("a.smt2:2:14"), "{}", err(&output));
}

#[test]
fn the_check_report_has_the_fields_that_scripts_rely_on() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("sub")).unwrap();
    fs::write(dir.path().join("a.smt2"), GOOD).unwrap();
    fs::write(dir.path().join("sub/b.smt2"), BAD).unwrap();
    fs::write(dir.path().join("notes.txt"), "not a script").unwrap();
    for flags in [&["--check"][..], &["--check", "--round-trip"], &["--round-trip", "--format", "canonical"]]
    {
        let args = [&["parse", "--json", "."][..], flags].concat();
        let output = falsum(dir.path(), &args);
        assert_eq!(output.status.code(), Some(2));
        let report = json(&output);
        assert_eq!(report["files"], 2);
        assert_eq!(report["accepted"], 1);
        assert_eq!(report["rejected"], 1);
        assert_eq!(report["bytes"], (GOOD.len() + BAD.len()) as u64);
        assert!(report["seconds"].as_f64().unwrap() > 0.0);
        assert!(report["mb_per_s"].as_f64().unwrap() > 0.0);
        let error = &report["errors"][0];
        assert_eq!(error["file"], "./sub/b.smt2");
        assert_eq!((&error["line"], &error["column"]), (&2.into(), &14.into()));
        assert!(error["message"].as_str().unwrap().contains("sort mismatch"));
    }
}

#[test]
fn a_check_without_json_is_one_line_of_counts() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.smt2"), GOOD).unwrap();
    let output = falsum(dir.path(), &["parse", "--check", "a.smt2"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).starts_with("1 files, 1 accepted, 0 rejected"), "{}", out(&output));
    assert_eq!(out(&output).lines().count(), 1);
}

#[test]
fn hostile_things_in_a_folder_are_skipped_before_reading_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::write(at.join("good.smt2"), GOOD).unwrap();
    fs::write(at.join("-rf.smt2"), GOOD).unwrap();
    fs::write(at.join("empty.smt2"), "").unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, at.join("pipe.smt2"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    symlink("/dev/zero", at.join("zero.smt2")).unwrap();
    symlink("loop.smt2", at.join("loop.smt2")).unwrap();
    fs::create_dir(at.join("sub")).unwrap();
    symlink("..", at.join("sub/up")).unwrap();
    fs::File::create(at.join("huge.smt2")).unwrap().set_len(1 << 30).unwrap();
    let begun = std::time::Instant::now();
    let output = falsum(at, &["parse", "--check", "--json", "."]);
    assert!(begun.elapsed().as_secs() < 20);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let report = json(&output);
    assert_eq!(report["files"], 3);
    assert_eq!(report["accepted"], 3);
    let skipped: Vec<(&str, &str)> = report["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skip| (skip["file"].as_str().unwrap(), skip["reason"].as_str().unwrap()))
        .collect();
    for (file, reason) in [
        ("./huge.smt2", "1073741824 bytes, over the limit"),
        ("./loop.smt2", "leads back to itself"),
        ("./pipe.smt2", "FIFO"),
        ("./sub/up", "leads back to itself"),
        ("./zero.smt2", "device"),
    ] {
        assert!(skipped.iter().any(|(f, r)| *f == file && r.contains(reason)), "{file}: {skipped:?}");
        assert!(err(&output).contains(file), "{}", err(&output));
    }
    assert_eq!(skipped.len(), 5, "{skipped:?}");
}

#[test]
fn what_the_user_named_and_cannot_be_read_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::File::create(at.join("huge.smt2")).unwrap().set_len(1 << 30).unwrap();
    for name in ["missing.smt2", "huge.smt2", "/dev/zero"] {
        let output = falsum(at, &["parse", "--check", name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(err(&output).starts_with(&format!("error: {name}: ")), "{}", err(&output));
    }
    fs::create_dir(at.join("empty")).unwrap();
    let output = falsum(at, &["parse", "--check", "empty"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("hint: "), "{}", err(&output));
}

#[test]
fn a_closed_pipe_is_not_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.smt2"), GOOD).unwrap();
    let many = vec!["a.smt2"; 2_000];
    let mut child = Command::new(env!("CARGO_BIN_EXE_falsum"))
        .arg("parse")
        .args(many)
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(err(&output), "");
}
