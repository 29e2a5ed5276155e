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

/// A program that answers everything with one word, under z3's name.
fn says(folder: &Path, answer: &str) {
    let path = folder.join("dev/z3");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let fake = testkit::fake_solver().display().to_string();
    let version = "if [ \"$1\" = --version ]; then echo 'Z3 version 5.99.1 - 64 bit'; exit; fi";
    std::fs::write(&path, format!("#!/bin/sh\n{version}\nexec '{fake}' --instant {answer} \"$@\"\n"))
        .unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn a_hunt_with_a_new_build_says_first_what_came_of_the_open_bugs() {
    let folder = tempfile::tempdir().unwrap();
    says(folder.path(), "unsat");
    hunt(folder.path(), "./dev/z3");
    let again = |answer: &str| {
        says(folder.path(), answer);
        let args =
            ["hunt", "seeds", "--out", "out", "-s", "./dev/z3", "--cases", "20", "--no-reduce", "-j", "1"];
        said(&falsum_in(folder.path(), &args))
    };
    let same = again("unsat");
    assert!(same.contains("going on with the campaign") && !same.contains("looked at first"), "{same}");
    let fixed = again("sat");
    assert!(fixed.contains("its open bugs are looked at first"), "{fixed}");
    assert!(fixed.contains("fixed by this build") && fixed.contains("0 still there"), "{fixed}");
    let back = again("unsat");
    assert!(back.contains("still there"), "{back}");
}

/// How many processes have this word on their command line.
fn running(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|byte| *byte == 0).any(|one| one == word.as_bytes())).count()
}

#[test]
fn the_commit_that_introduced_a_bug_is_found_without_touching_the_repository() {
    machine::solvers();
    let folder = tempfile::tempdir().unwrap();
    let repo = folder.path();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(repo).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q"]);
    for n in 0..7 {
        says(repo, if n < 4 { "sat" } else { "unsat" });
        std::fs::write(repo.join("number"), n.to_string()).unwrap();
        // One commit cannot be built, and one waits for something that never comes, with a daemon beside it.
        let build = match n {
            5 => "exit 1",
            3 => "setsid sleep 60.25 & sleep 60.25",
            _ => "exit 0",
        };
        std::fs::write(repo.join("build.sh"), build).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", &format!("number {n}")]);
    }
    let (first, head) = (git(&["rev-list", "--max-parents=0", "HEAD"]), git(&["rev-parse", "HEAD"]));
    std::fs::write(repo.join("a.smt2"), SEED).unwrap();
    let args = ["bisect", "a.smt2", "--git", ".", "--build", "sh build.sh", "--good", &first, "-s", "dev/z3"];
    let more = ["-r", &machine::path_of("z3@5.4.0"), "--build-time", "3s"];
    let began = std::time::Instant::now();
    let found = falsum_in(repo, &[&args[..], &more].concat());
    assert!(began.elapsed().as_secs() < 55, "it waited for the build");
    let text = said(&found);
    assert_eq!(found.status.code(), Some(10), "{text}");
    assert!(text.contains("first bad commit") && text.contains("number 4"), "{text}");
    assert!(text.contains("the build was ended") && running("60.25") == 0, "{text}");
    assert_eq!(git(&["rev-parse", "HEAD"]), head);
    assert_eq!(git(&["worktree", "list"]).lines().count(), 1, "the worktree is removed");
    for (answer, code) in [("sat", 0), ("unsat", 101)] {
        says(repo, answer);
        let judged = falsum_in(repo, &["bisect", "a.smt2", "--git-run", "-s", "./dev/z3"]);
        assert_eq!(judged.status.code(), Some(code), "{}", said(&judged));
    }
    let none = falsum_in(repo, &["bisect", "a.smt2", "--git-run", "-s", "./dev/none"]);
    assert_eq!(none.status.code(), Some(125), "{}", said(&none));
}

#[test]
fn every_command_of_a_draft_shows_its_bug_as_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "dev/z3");
    hunt(folder.path(), "./dev/z3");
    let issues = falsum_in(folder.path(), &["report", "out", "--format", "issues", "--out", "drafts"]);
    assert!(issues.status.success(), "{}", said(&issues));
    let drafts: Vec<PathBuf> =
        walk(&folder.path().join("drafts")).into_iter().filter(|path| path.ends_with("REPORT.md")).collect();
    assert!(!drafts.is_empty());
    for draft in drafts {
        let text = std::fs::read_to_string(&draft).unwrap();
        let (command, rest) = text.split_once("` prints\n\n```\n").unwrap();
        let command = command.rsplit('`').next().unwrap();
        let printed = rest.split("\n```").next().unwrap();
        let run =
            Command::new("sh").args(["-c", command]).current_dir(draft.parent().unwrap()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), printed, "{command}");
        assert!(!text.contains("TODO") && !text.contains("falsum check"), "{text}");
    }
}

#[test]
fn a_folder_with_a_campaign_is_gone_on_with_and_other_solvers_or_keys_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "dev/z3");
    build(folder.path(), "dev/other-z3");
    hunt(folder.path(), "./dev/z3");
    let go_on = |more: &[&str]| {
        let args = ["hunt", "seeds", "--out", "out", "--cases", "20", "--no-reduce", "-j", "1"];
        falsum_in(folder.path(), &[&args[..], more].concat())
    };
    let other = go_on(&["-s", "./dev/other-z3"]);
    assert_eq!(other.status.code(), Some(2), "{}", said(&other));
    assert!(said(&other).contains("other solvers") && said(&other).contains("--out DIR"), "{}", said(&other));
    let key = go_on(&["-s", "./dev/z3", "--key", "another"]);
    assert_eq!(key.status.code(), Some(2), "{}", said(&key));
    let none = go_on(&[]);
    assert!(
        said(&none).contains("-s ./dev/z3") || said(&none).contains("if you trust these programs"),
        "{}",
        said(&none)
    );
    let same = go_on(&["-s", "./dev/z3"]);
    assert!(said(&same).contains("key         k   (going on"), "{}", said(&same));
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
