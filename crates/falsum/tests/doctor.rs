//! `falsum doctor` on three machines: one without any solver, one with a broken one, one with working solvers. The
//! screens are snapshots; what differs from machine to machine (folders, times, sizes) is replaced.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs falsum with a home and an otherwise empty PATH.
fn falsum(home: &Path, args: &[&str]) -> Output {
    let empty = home.join("empty-path");
    std::fs::create_dir_all(&empty).unwrap();
    Command::new(env!("CARGO_BIN_EXE_falsum"))
        .args(args)
        .env("FALSUM_HOME", home)
        .env("PATH", empty)
        .env("FALSUM_PYTHON", "/nowhere/python3")
        .env_remove("FALSUM_DRIVER")
        .output()
        .unwrap()
}

/// The screen with everything replaced that depends on this machine.
fn screen(home: &Path, output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut line = line.replace(&*home.to_string_lossy(), "[home]");
        if let Some(at) = line.find(", ").filter(|_| line.ends_with(" free")) {
            line = format!("{}, [size] free", &line[..at]);
        }
        if let Some(at) = line.find(" in ").filter(|_| line.ends_with(" ms")) {
            line = format!("{} in [time]", &line[..at]);
        }
        if line.contains(" containment ") {
            line = "ok    containment [means]".into();
        }
        if line.contains(" sandbox ") {
            line = "ok    sandbox [what holds]".into();
        }
        if line.contains(" crashes ") {
            line = "ok    crashes [names]".into();
        }
        if line.contains(" scratch ") {
            line = "ok    scratch [folder]".into();
        }
        if line.contains(" limits ") {
            line = "ok    limits [number] open files".into();
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// A release folder with a program of our own in it.
fn plant(home: &Path, name: &str, version: &str, program: &str) {
    let folder = home.join(format!("releases/{name}-{version}"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("z3");
    std::fs::write(&path, program).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let hash = solver::home::hash_file(&path).unwrap();
    let record = format!(
        "name = \"{name}\"\nversion = \"{version}\"\norigin = \"a test\"\nhash = \"{hash}\"\nkind = \"executable\"\nprogram = \"z3\"\n"
    );
    std::fs::write(folder.join("release.toml"), record).unwrap();
}

/// A program that answers the three questions of the verification, and nothing else.
const GOOD: &str = "#!/bin/sh\nscript=; while IFS= read -r line; do script=$script$line; done < \"$1\"\n\
    case $script in *'#x02'*) echo unsat;; *get-value*) echo sat; echo '((x #x03))';; *) echo sat;; esac\n";

#[test]
fn without_any_solver_it_says_how_to_get_one() {
    let home = tempfile::tempdir().unwrap();
    let output = falsum(home.path(), &["doctor"]);
    assert_eq!(output.status.code(), Some(12));
    insta::assert_snapshot!(screen(home.path(), &output));
}

#[test]
fn a_broken_solver_a_changed_one_and_half_a_release_are_named_with_a_fix() {
    let home = tempfile::tempdir().unwrap();
    plant(home.path(), "z3", "5.4.0", GOOD);
    plant(home.path(), "z3", "4.8.6", "#!/bin/sh\necho 'cannot open shared object file' >&2\nexit 127\n");
    plant(home.path(), "z3", "4.8.9", GOOD);
    std::fs::write(home.path().join("releases/z3-4.8.9/z3"), "#!/bin/sh\necho sat\n").unwrap();
    std::fs::create_dir_all(home.path().join("releases/cvc5-1.4.2")).unwrap();
    let output = falsum(home.path(), &["doctor"]);
    assert_eq!(output.status.code(), Some(0), "one solver works");
    insta::assert_snapshot!(screen(home.path(), &output));
}

#[test]
fn a_good_set_is_all_ok_but_for_the_missing_client() {
    let home = tempfile::tempdir().unwrap();
    plant(home.path(), "z3", "5.4.0", GOOD);
    plant(home.path(), "z3", "4.8.6", GOOD);
    let output = falsum(home.path(), &["doctor"]);
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(screen(home.path(), &output));
}

#[test]
fn the_json_has_the_same_rows() {
    let home = tempfile::tempdir().unwrap();
    plant(home.path(), "z3", "5.4.0", GOOD);
    let output = falsum(home.path(), &["doctor", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["usable"], 1);
    assert_eq!(document["rows"][0]["name"], "z3@5.4.0");
    assert_eq!(document["rows"][0]["state"], "ok");
    let fixes =
        document["rows"].as_array().unwrap().iter().all(|r| r["state"] == "ok" || r["fix"].is_string());
    assert!(fixes, "a row that is not ok has no fix: {document}");
}

#[test]
fn solvers_are_listed_found_and_removed() {
    let home = tempfile::tempdir().unwrap();
    plant(home.path(), "z3", "5.4.0", GOOD);
    plant(home.path(), "z3", "4.8.6", GOOD);
    let text = |args: &[&str]| String::from_utf8(falsum(home.path(), args).stdout).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&text(&["solvers", "list", "--json"])).unwrap();
    let fields: Vec<_> = rows[0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields.len(), 5);
    assert!(["name", "version", "path", "origin", "hash"].iter().all(|f| fields.iter().any(|k| k == f)));
    assert_eq!((rows[0]["version"].as_str(), rows[1]["version"].as_str()), (Some("4.8.6"), Some("5.4.0")));
    let path = |spec: &str| PathBuf::from(text(&["solvers", "path", spec]).trim());
    assert_eq!(path("z3"), home.path().join("releases/z3-5.4.0/z3"));
    assert_eq!(path("z3@4"), home.path().join("releases/z3-4.8.6/z3"));
    assert!(falsum(home.path(), &["solvers", "remove", "z3@5.4.0"]).status.success());
    assert_eq!(path("z3"), home.path().join("releases/z3-4.8.6/z3"));
    assert_eq!(falsum(home.path(), &["solvers", "path", "cvc5"]).status.code(), Some(12));
    assert_eq!(falsum(home.path(), &["solvers", "add", "frob@1"]).status.code(), Some(2));
}
