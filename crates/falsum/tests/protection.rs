//! Other users' scripts, packages and folders, against the whole program: none of them can act.
#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, home, solvers};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A seed that is sat, and that writes a line of its author's choice into a file.
fn hostile(folder: &Path, victim: &Path) {
    let script = format!(
        "(set-option :produce-models true)\n(set-option :regular-output-channel \"{}\")\n(echo \"owned\")\n\
         (declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        victim.display()
    );
    std::fs::write(folder.join("seed.smt2"), script).unwrap();
}

#[test]
fn a_seed_writes_no_file_through_any_command_that_asks_solvers() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    hostile(folder.path(), &victim);
    let z3 = machine::path_of("z3@5.4.0");
    let other = folder.path().join("unknown-solver");
    std::os::unix::fs::symlink(&z3, &other).unwrap();
    let other = other.display().to_string();
    for args in [
        vec!["check", "seed.smt2", "-s", "z3@5.4.0", "-s", "cvc5@1.4.2"],
        vec!["check", "seed.smt2", "-s", &other],
        vec!["hunt", "seed.smt2", "-s", "z3@5.4.0", "-s", "cvc5@1.4.2", "--cases", "20", "--out", "out"],
        vec!["reduce", "seed.smt2", "--ignore-output", "--", &z3],
        vec!["bisect", "seed.smt2", "-s", "z3@5.4.0"],
        vec!["corpus", "import", "seed.smt2", "--name", "hostile-seed", "-s", "z3@5.4.0", "-s", "cvc5@1.4.2"],
        vec!["opfuzz", "z3;cvc5", "seed.smt2", "-i", "2"],
    ] {
        let output = falsum_in(folder.path(), &args);
        assert!(!victim.exists(), "{args:?}: {}", said(&output));
        assert!(output.status.code().is_some_and(|code| code < 64), "{args:?}: {}", said(&output));
    }
    let output = falsum_in(folder.path(), &["check", "seed.smt2", "-s", "z3@5.4.0", "-s", "cvc5@1.4.2"]);
    let text = said(&output);
    assert_eq!(text.matches("the option :regular-output-channel is left out").count(), 1, "{text}");
    assert_eq!(text.matches(" sat ").count(), 2, "{text}");
}

#[test]
fn only_both_flags_together_let_a_seed_write() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    hostile(folder.path(), &victim);
    let check = |extra: &[&str]| {
        let output = falsum_in(folder.path(), &[&["check", "seed.smt2", "-s", "z3@5.4.0"], extra].concat());
        said(&output)
    };
    check(&["--sandbox", "off"]);
    assert!(!victim.exists());
    if run::held().files {
        check(&["--trust-options"]);
        assert!(!victim.exists());
        check(&["--trust-options", "--sandbox", "files"]);
        assert!(!victim.exists());
    }
    check(&["--trust-options", "--sandbox", "off"]);
    assert!(std::fs::read_to_string(&victim).unwrap().contains("owned"));
}

#[test]
fn programs_of_the_current_folder_are_not_started_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let python = format!("open({:?}, 'a').write('ran')\n", trace.display().to_string());
    for name in ["pip.py", "sys.py", "os.py", "site.py", "sitecustomize.py", "encodings.py"] {
        std::fs::write(folder.path().join(name), &python).unwrap();
    }
    for name in ["z3", "cvc5", "python3", "python", "git", "cargo", "yices-smt2", "xdg-open"] {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\necho ran >> '{}'\n", trace.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::write(folder.path().join("seed.smt2"), "(declare-const p Bool)(assert p)(check-sat)").unwrap();
    let path = format!(".::{}", std::env::var("PATH").unwrap());
    for args in [
        vec!["doctor"],
        vec!["solvers", "list"],
        vec!["solvers", "list", "--available"],
        vec!["solvers", "add", "z3@0.0.1"],
        // Outside the sandbox, which would hide that something was started.
        vec!["check", "--sandbox", "off", "-s", "z3", "-s", "cvc5", "seed.smt2"],
        vec!["check", "--sandbox", "off", "seed.smt2"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
        command.args(&args).current_dir(folder.path()).env("PATH", &path).env("PYTHONPATH", folder.path());
        let output = command.env("FALSUM_HOME", home()).output().unwrap();
        assert!(!trace.exists(), "{args:?}");
        let here = folder.path().display().to_string();
        assert!(!said(&output).contains(&here), "{args:?} found a program here: {}", said(&output));
    }
}

/// A program that answers as `python3 -m pip` does and hands out one file.
fn client(folder: &Path, wheel: &Path) -> PathBuf {
    let path = folder.join("client");
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in\n*sys.executable*) echo \"$0\";;\n*download*) while [ \"$1\" != --dest ]; do shift; done; cp '{}' \"$2\";;\nesac\n",
        wheel.display()
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn wheel(path: &Path, program: &[u8], zeros: usize) {
    let mut archive = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    archive.start_file("z3/bin/z3", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(program).unwrap();
    (0..zeros >> 20).for_each(|_| archive.write_all(&[0; 1 << 20]).unwrap());
    archive.finish().unwrap();
}

#[test]
fn a_package_that_is_a_bomb_or_not_the_locked_one_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("home");
    let file = folder.path().join("z3_solver-9-py3-none-any.whl");
    let add = |extra: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_falsum"));
        command.arg("solvers").args(extra).current_dir(folder.path()).env("FALSUM_HOME", &own);
        said(&command.env("FALSUM_PYTHON", client(folder.path(), &file)).output().unwrap())
    };
    wheel(&file, b"", 200 << 20);
    let text = add(&["add", "z3@5.4.0"]);
    assert!(text.contains("unpacks to more"), "{text}");
    let left: Vec<_> = std::fs::read_dir(own.join("tmp")).unwrap().flatten().collect();
    assert!(left.is_empty() && !own.join("releases").exists(), "{left:?}");

    // A solver that answers the three questions of an installation.
    let honest = b"#!/bin/sh\nif grep -q 'x02' \"$1\"; then echo unsat; else echo sat; fi\n\
                   if grep -q get-value \"$1\"; then echo '((x #x03))'; fi\n";
    wheel(&file, honest, 0);
    let text = add(&["add", "z3@5.4.0"]);
    assert!(text.contains("installed"), "{text}");
    assert!(add(&["lock"]).contains("1 releases"));
    let lock = std::fs::read_to_string(folder.path().join("falsum.lock")).unwrap();
    assert!(lock.contains("z3_solver-9-py3-none-any.whl") && !lock.contains('/'), "{lock}");
    add(&["remove", "z3@5.4.0"]);

    let trace = folder.path().join("trace");
    wheel(&file, &[honest, format!("echo ran > '{}'\n", trace.display()).as_bytes()].concat(), 0);
    for file in [own.join("known.toml"), folder.path().join("falsum.lock")] {
        let text = add(&["add", "z3@5.4.0"]);
        assert!(text.contains("has changed: its hash"), "{text}");
        assert!(!own.join("releases/z3-5.4.0").exists() && !trace.exists());
        std::fs::remove_file(file).unwrap();
    }
    assert!(add(&["add", "z3@5.4.0"]).contains("installed"), "its record was removed");
}

#[test]
fn what_a_solver_leaves_running_is_in_the_report_of_a_check() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.smt2"), "(declare-const p Bool)(assert p)(check-sat)").unwrap();
    let solver = format!("leaky={} --behave double-fork", testkit::fake_solver().display());
    let output = falsum_in(folder.path(), &["check", "a.smt2", "--json", "-s", &solver]);
    let json: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    assert_eq!(json["answers"][0]["leaked"]["ended"], 1, "{json}");
    let output = falsum_in(folder.path(), &["check", "a.smt2", "-s", &solver]);
    assert!(said(&output).contains("left 1 process running"), "{}", said(&output));
}
