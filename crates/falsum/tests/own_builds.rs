//! A solver that the user built: it has the name that the user gave, and everything printed about it means that program.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::falsum_in;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A program that reports a version that was never released, and says `unsat` to everything.
fn build(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let fake = testkit::fake_solver().display().to_string();
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Z3 version 5.99.1 - 64 bit'; exit; fi\nexec '{fake}' --instant unsat \"$@\"\n"
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

const SEED: &str = "(set-logic QF_LIA)\n(assert (= (mod 7 2) 1))\n(check-sat)\n";

/// Hunts in a build until it has findings; what the hunt says.
fn hunt(folder: &Path, spec: &str) -> String {
    std::fs::create_dir_all(folder.join("seeds")).unwrap();
    std::fs::write(folder.join("seeds/a.smt2"), SEED).unwrap();
    let args = ["hunt", "seeds", "--strategy", "seeds,opswap", "--cases", "20", "--key", "k", "--no-reduce"];
    let output = falsum_in(folder, &[&args[..], &["--out", "out", "-j", "1", "-s", spec]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", said(&output));
    said(&output)
}

#[test]
fn a_build_is_named_as_it_was_given_with_the_version_that_it_reports() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "dev/z3");
    let text = hunt(folder.path(), "./dev/z3");
    assert!(text.contains("./dev/z3 (z3 5.99.1)"), "{text}");
    assert!(!text.contains("z3@5.99.1"), "it is no release: {text}");
}

#[test]
fn the_printed_check_shows_the_bug_of_the_build_from_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), "dev/z3");
    let text = hunt(folder.path(), "./dev/z3");
    let line = text.lines().find(|line| line.trim_start().starts_with("falsum check ")).unwrap().trim();
    assert!(
        line.contains(program.canonicalize().unwrap().to_str().unwrap())
            || line.contains(program.to_str().unwrap())
    );
    let falsum = Path::new(env!("CARGO_BIN_EXE_falsum")).parent().unwrap();
    let path = format!("{}:{}", falsum.display(), std::env::var("PATH").unwrap());
    let shell = |folder: &Path, line: &str| {
        Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", &path).output().unwrap()
    };
    let checked = shell(folder.path(), line);
    assert_eq!(checked.status.code(), Some(10), "{line}\n{}", said(&checked));
    // The folder with the script may be anywhere, and so may the person.
    let scripts = std::fs::read_dir(folder.path().join("out/findings")).unwrap();
    let script = scripts.flatten().next().unwrap().path().join("run.sh");
    let elsewhere = tempfile::tempdir().unwrap();
    let shown = shell(elsewhere.path(), &format!("sh '{}'", script.display()));
    assert!(said(&shown).contains("unsat"), "{}", said(&shown));
}

#[test]
fn a_report_says_which_program_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), "dev/z3");
    hunt(folder.path(), "./dev/z3");
    let issues = falsum_in(folder.path(), &["report", "out", "--format", "issues"]);
    assert!(issues.status.success() || issues.status.code() == Some(10), "{}", said(&issues));
    let drafts: String =
        walk(folder.path()).iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    assert!(drafts.contains("5.99.1") && drafts.contains("BLAKE3"), "{drafts}");
    let absolute = program.to_str().unwrap();
    assert!(drafts.contains(absolute), "{absolute}\n{drafts}");
}

/// The Markdown files below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(walk(&path));
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_solver_under_another_file_name_is_recognised_by_its_version() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "dev/my-build");
    let text = hunt(folder.path(), "./dev/my-build");
    assert!(text.contains("./dev/my-build (z3 5.99.1)"), "{text}");
}

#[test]
fn the_user_may_say_which_solver_a_program_is() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "dev/my-build");
    let text = hunt(folder.path(), "mine=cvc5:./dev/my-build");
    assert!(text.contains("mine (cvc5"), "{text}");
}

#[test]
fn a_program_that_is_no_solver_is_refused_at_once_with_what_it_printed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), SEED).unwrap();
    for command in [&["hunt", "--for", "1m", "-s", "/bin/cat"][..], &["check", "a.smt2", "-s", "/bin/cat"]] {
        let began = std::time::Instant::now();
        let output = falsum_in(folder.path(), command);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(12), "{command:?}\n{text}");
        assert!(text.contains("/bin/cat") && text.contains("does not answer a simple query"), "{text}");
        assert!(text.contains("hint:"), "{text}");
        assert!(began.elapsed().as_secs() < 30, "it waited for the budget");
    }
}

#[test]
fn doctor_asks_a_solver_that_the_user_names_in_every_kind_of_process() {
    machine::solvers();
    let folder = tempfile::tempdir().unwrap();
    let good = falsum_in(folder.path(), &["doctor", "-s", &machine::path_of("z3@5.4.0")]);
    let text = said(&good);
    assert_eq!(good.status.code(), Some(0), "{text}");
    for part in ["recognised as z3, version 5.4.0", "fresh", "reset", "scoped"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let bad = falsum_in(folder.path(), &["doctor", "-s", "/bin/cat"]);
    assert_eq!(bad.status.code(), Some(12), "{}", said(&bad));
    assert!(said(&bad).contains("says nothing where sat is right"), "{}", said(&bad));
}

#[test]
fn a_mistyped_option_of_a_release_is_refused_before_anything_is_run() {
    machine::solvers();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), SEED).unwrap();
    let options = [
        ("z3@5.4.0 smt.relevanzy=0", "relevanzy"),
        ("z3@5.4.0 foo=1", "foo"),
        ("cvc5@1.4.2 --no-such-option", "such"),
    ];
    for (spec, word) in options {
        for command in [&["check", "a.smt2"][..], &["hunt", "a.smt2", "--cases", "5", "--out", "out"]] {
            let output = falsum_in(folder.path(), &[command, &["-s", spec]].concat());
            let text = said(&output);
            assert_eq!(output.status.code(), Some(12), "{spec}: {text}");
            assert!(text.contains(word) && !text.contains("fine"), "{spec}: {text}");
        }
    }
    let output = falsum_in(folder.path(), &["check", "a.smt2", "-s", "z3@5.4.0 smt.relevancy=0"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}
