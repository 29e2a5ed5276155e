//! Hostile files given to the binary: a message and the right exit code, never a hang, a panic or a stack overflow.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{fake_z3, falsum_in};
use std::path::Path;

/// No user may see a panic or its exit code.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = falsum_in(folder, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said.chars().take(500).collect::<String>());
    assert!(!said.contains("panicked"), "{args:?}");
    said
}

#[test]
fn scripts_that_are_too_deep_or_too_wide_are_a_usage_error_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let solver = format!("fake={}", fake_z3(folder.path()).display());
    let deep = format!("(assert {}true{})\n(check-sat)\n", "(not ".repeat(1_000_000), ")".repeat(1_000_000));
    let digits = format!("(declare-const x Int)\n(assert (= x {}))\n(check-sat)\n", "7".repeat(2_000_000));
    let wide = "(assert (= (_ bv0 4294967295) (_ bv0 4294967295)))\n(check-sat)\n".to_owned();
    std::fs::write(folder.path().join("some.model"), "((define-fun x () Int 1))").unwrap();
    for (name, text) in [("deep.smt2", deep), ("digits.smt2", digits), ("wide.smt2", wide)] {
        std::fs::write(folder.path().join(name), text).unwrap();
        refused(folder.path(), &["check", name, "-s", &solver]);
        refused(folder.path(), &["eval", name, "--model", "some.model"]);
        refused(folder.path(), &["reduce", name, "--goal", "crash", "-s", &solver]);
        refused(folder.path(), &["parse", name]);
    }
}

#[test]
fn a_hunt_reads_a_hostile_folder_and_names_what_it_skips() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = folder.path().join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    let good = "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n";
    std::fs::write(seeds.join("-rf.smt2"), good).unwrap();
    std::fs::File::create(seeds.join("huge.smt2")).unwrap().set_len(1 << 30).unwrap();
    std::os::unix::fs::symlink("/dev/zero", seeds.join("zero.smt2")).unwrap();
    std::os::unix::fs::symlink(&seeds, seeds.join("again")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(seeds.join("fifo.smt2")).status().unwrap();
    assert!(fifo.success());
    let solver = format!("fake={}", fake_z3(folder.path()).display());
    let args = [
        "hunt",
        "seeds",
        "--strategy",
        "seeds",
        "--cases",
        "2",
        "--no-reduce",
        "-s",
        &solver,
        "--out",
        "out",
    ];
    let output = falsum_in(folder.path(), &args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 10)), "{said}");
    for name in ["huge.smt2", "zero.smt2", "fifo.smt2"] {
        assert!(said.contains(name), "{name} is not named: {said}");
    }
    assert!(store::Store::read(&folder.path().join("out")).unwrap().cases().unwrap().len() >= 2);
}

#[test]
fn a_seed_that_solvers_disagree_about_is_reported_at_import_and_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let seeds = folder.path().join("QF_BV/sat");
    std::fs::create_dir_all(&seeds).unwrap();
    let text = |n: u32| {
        format!(
            "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= x (_ bv{n} 8)))\n(check-sat)\n"
        )
    };
    for n in 0..3 {
        std::fs::write(seeds.join(format!("seed-{n}.smt2")), text(n)).unwrap();
    }
    let bad =
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (or (= x #x07) false))\n(check-sat)\n";
    std::fs::write(seeds.join("bad.smt2"), bad).unwrap();
    let fake = fake_z3(folder.path());
    // Without options the fake solver says unsat where it reads `false`, and sat elsewhere.
    let solver = format!("liar={}", fake.display());
    let import = |extra: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
        command.args(["corpus", "import", "QF_BV", "--json", "-s", &solver]).args(extra);
        command.current_dir(folder.path()).env("FALSUM_HOME", folder.path().join("home")).output().unwrap()
    };
    let output = import(&[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(10), "{said}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let quarantined = document["quarantined"].as_array().unwrap();
    assert_eq!(quarantined.len(), 1, "{document}");
    assert_eq!(quarantined[0]["findings"][0]["kind"], "refutation-unsound", "{document}");
    assert_eq!(quarantined[0]["findings"][0]["culprit"], "liar");
    let mut list = std::process::Command::new(env!("CARGO_BIN_EXE_falsum"));
    list.args(["corpus", "list", "--name", "imported", "--json"])
        .env("FALSUM_HOME", folder.path().join("home"));
    let listed: serde_json::Value = serde_json::from_slice(&list.output().unwrap().stdout).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 3, "{listed}");
    // Imported again, it is known: skipped without running solvers again.
    assert_eq!(import(&[]).status.code(), Some(0));
}
