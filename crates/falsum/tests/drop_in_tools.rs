//! `opfuzz`, `typefuzz` and `yinyang` as their users know them: lines, `bugs/` layout and exit codes.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::process::{Command, Output};

const SEED: &str = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n\
    (assert (and (< x y) (> (+ x y) 3)))\n(check-sat)\n";
const OTHER: &str =
    "(set-logic QF_LIA)\n(declare-fun a () Int)\n(assert (or (<= a 4) (>= a 9)))\n(check-sat)\n";

/// A folder with two satisfiable and two unsatisfiable seeds, and nothing of the user's own around it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("seeds")).unwrap();
    std::fs::write(folder.path().join("seeds/one.smt2"), SEED).unwrap();
    std::fs::write(folder.path().join("seeds/two.smt2"), OTHER).unwrap();
    std::fs::create_dir(folder.path().join("unsat")).unwrap();
    std::fs::write(folder.path().join("unsat/one.smt2"), SEED.replace("(> (+ x y) 3)", "(> x y)")).unwrap();
    std::fs::write(folder.path().join("unsat/two.smt2"), OTHER.replace("or", "and")).unwrap();
    folder
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let home = folder.join("home");
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_falsum"))
        .args(args)
        .current_dir(folder)
        .env("FALSUM_HOME", home)
        .output()
        .unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// The fake solver's command line with these arguments.
fn fake(args: &str) -> String {
    format!("{} {args}", testkit::fake_solver().display())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn solvers_that_agree_leave_no_bugs_and_exit_0() {
    let folder = folder();
    for tool in ["opfuzz", "typefuzz"] {
        let clis = format!("{};{}", fake("--answer unknown"), fake("--answer unknown -v"));
        let (code, stdout, stderr) = run(folder.path(), &[tool, &clis, "seeds", "-i", "3", "--seed", "1"]);
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        assert!(stderr.contains(&format!("Strategy: {tool}, 2 testing targets, 2 seeds")), "{stderr}");
        assert!(stdout.starts_with("All seeds processed\n"), "{stdout}");
        assert!(
            stdout.contains("2 seeds processed, 2 valid, 0 invalid \n0 bug triggers found\n"),
            "{stdout}"
        );
    }
    assert!(names(&folder.path().join("bugs")).is_empty());
    assert_eq!(names(&folder.path().join("logs")).len(), 2);
}

#[test]
fn a_disagreement_is_a_soundness_bug_with_both_outputs_and_exit_10() {
    let folder = folder();
    let clis = format!("{};{}", fake("--answer sat"), fake("--answer unsat"));
    let (code, stdout, stderr) =
        run(folder.path(), &["opfuzz", &clis, "seeds/one.smt2", "-i", "5", "--seed", "1"]);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    let bugs = folder.path().canonicalize().unwrap().join("bugs");
    let line = format!("Detected soundness bug! {}/incorrect-fake-solver", bugs.display());
    assert!(stderr.contains(&line), "{stderr}");
    assert!(stdout.contains("1 seeds processed, 1 valid, 0 invalid \n1 bug triggers found\n"), "{stdout}");
    let bugs = names(&folder.path().join("bugs"));
    assert_eq!(bugs.len(), 2, "{bugs:?}");
    assert!(
        bugs.iter().all(|name| name.starts_with("incorrect-fake-solver--answer") && name.contains("-one-"))
    );
    let output = bugs.iter().find(|name| name.ends_with(".output")).unwrap();
    let output = std::fs::read_to_string(folder.path().join("bugs").join(output)).unwrap();
    let place = |word: &str| output.find(word).unwrap_or_else(|| panic!("no {word} in {output}"));
    assert!(place("*** REFERENCE \ncommand: ") < place("*** INCORRECT \ncommand: "));
    assert!(output.contains("stdout:\nsat\n") && output.contains("stdout:\nunsat\n"), "{output}");
    let mutant = bugs.iter().find(|name| name.ends_with(".smt2")).unwrap();
    let mutant = std::fs::read(folder.path().join("bugs").join(mutant)).unwrap();
    assert!(smtlib::Script::parse(&mutant).is_ok());
}

#[test]
fn a_segmentation_fault_and_an_abort_are_distinguished() {
    for (behaviour, file, line) in
        [("segv", "segfault-", "Detected segfault: "), ("abort", "crash-", "Detected crash bug: ")]
    {
        let folder = folder();
        let clis = format!("{};{}", fake(&format!("--behave {behaviour}")), fake("--answer unknown"));
        let (code, stdout, stderr) = run(folder.path(), &["opfuzz", &clis, "seeds/one.smt2", "-i", "2"]);
        assert_eq!(code, Some(10), "{stdout}{stderr}");
        assert!(stderr.contains(line), "{stderr}");
        assert!(names(&folder.path().join("bugs")).iter().all(|name| name.starts_with(file)));
    }
}

/// The seed of yinyang's own test of z3#3549 sets `:trace`, which makes z3 write a file, and the crash is in the tracing.
#[test]
fn an_option_that_could_name_a_file_is_sent_only_if_the_user_trusts_it() {
    let folder = folder();
    let seed = format!("(set-option :trace true)\n{SEED}");
    std::fs::write(folder.path().join("seed.smt2"), seed).unwrap();
    let solver = folder.path().join("solver");
    std::fs::write(&solver, "#!/bin/sh\ngrep -q :trace \"$1\" && kill -SEGV $$\necho sat\n").unwrap();
    std::fs::set_permissions(&solver, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let clis = format!("{};{}", solver.display(), fake("--answer sat"));
    let (code, stdout, stderr) = run(folder.path(), &["opfuzz", &clis, "seed.smt2", "-i", "2"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("--trust-options"), "{stderr}");
    let (code, stdout, stderr) =
        run(folder.path(), &["opfuzz", &clis, "seed.smt2", "-i", "2", "--trust-options"]);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    assert!(names(&folder.path().join("bugs")).iter().any(|name| name.starts_with("segfault")), "{stdout}");
}

#[test]
fn fusion_needs_one_solver_and_the_status_from_the_user() {
    let folder = folder();
    for (oracle, answer, code) in
        [("sat", "unsat", 10), ("sat", "sat", 0), ("unsat", "sat", 10), ("unsat", "unsat", 0)]
    {
        let seeds = if oracle == "sat" { "seeds" } else { "unsat" };
        let cli = fake(&format!("--answer {answer}"));
        let (found, stdout, stderr) =
            run(folder.path(), &["yinyang", &cli, "-o", oracle, seeds, "-i", "2", "--seed", "7"]);
        assert_eq!(found, Some(code), "{oracle} {answer}: {stdout}{stderr}");
        assert!(stderr.contains("Strategy: yinyang, 1 testing targets, 1 seeds"), "{stderr}");
    }
}

#[test]
fn the_users_lists_decide_what_is_a_crash_and_what_is_known() {
    let folder = folder();
    std::fs::create_dir(folder.path().join(".yinyang")).unwrap();
    let clis = format!("{};{}", fake("--behave say:Boo --answer unknown"), fake("--answer unknown"));
    let args = ["opfuzz", &clis, "seeds/one.smt2", "-i", "1"];
    let config = folder.path().join(".yinyang/Config.py");
    for (text, code) in [
        ("crash_list = ['Boo']\nignore_list = []\n", 10),
        ("crash_list = ['Boo']\nduplicate_list = ['Bo']\n", 0),
        ("crash_list = []\n", 0),
    ] {
        std::fs::write(&config, text).unwrap();
        let (found, stdout, stderr) = run(folder.path(), &args);
        assert_eq!(found, Some(code), "{text}: {stdout}{stderr}");
    }
}

#[test]
fn usage_errors_are_printed_on_stdout_as_yinyang_prints_them_and_exit_2() {
    let folder = folder();
    let two = format!("{};{}", fake(""), fake("-v"));
    let one = fake("");
    for (args, said) in [
        (vec!["opfuzz", "", "seeds"], "error: no solver specified"),
        (vec!["opfuzz", &two, "seeds", "-t", "0"], "error: timeout should not be a negative number or zero"),
        (vec!["opfuzz", &two, "seeds", "-i", "0"], "error: iterations should not be a negative number zero"),
        (vec!["opfuzz", &two, "nowhere"], "error: folder/file \"nowhere\" does not exist"),
        (vec!["typefuzz", &one, "seeds"], "error: please provide at least two SMT solvers"),
        (vec!["opfuzz", "no-such-z3;no-such-cvc5", "seeds"], "error: solver \"no-such-z3\" not found"),
        (
            vec!["yinyang", &one, "seeds/one.smt2"],
            "error: please provide at least two seeds for the fusion strategy",
        ),
    ] {
        let (code, stdout, stderr) = run(folder.path(), &args);
        assert_eq!((code, stdout.trim_end()), (Some(2), said), "{args:?}: {stderr}");
    }
}

#[test]
fn seeds_that_are_too_long_or_no_scripts_are_counted_as_invalid() {
    let folder = folder();
    std::fs::write(folder.path().join("seeds/bad.smt2"), "(assert (> x 0))\n(check-sat)\n").unwrap();
    let clis = format!("{};{}", fake("--answer unknown"), fake("--answer unknown -v"));
    let limit = OTHER.len().to_string();
    let (code, stdout, _) =
        run(folder.path(), &["opfuzz", &clis, "seeds", "-i", "1", "-L", &limit, "-n", "-k"]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("3 seeds processed, 0 valid, 3 invalid"), "{stdout}");
    assert!(names(&folder.path().join("logs")).is_empty());
    assert!(names(&folder.path().join("scratch")).is_empty());
}

#[test]
fn flags_may_be_shortened_and_the_version_is_printed() {
    let folder = folder();
    for tool in ["opfuzz", "typefuzz", "yinyang"] {
        let (code, stdout, _) = run(folder.path(), &[tool, "-v"]);
        assert_eq!(code, Some(0));
        assert!(stdout.starts_with(&format!("{tool} 0.3.0 (falsum ")), "{stdout}");
    }
    let clis = format!("{};{}", fake("--answer unknown"), fake("--answer unknown -v"));
    let (code, stdout, stderr) =
        run(folder.path(), &["opfuzz", &clis, "seeds", "--iter", "1", "--scratch", "s", "--t", "7"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(folder.path().join("s").is_dir());
    let (code, stdout, stderr) = run(folder.path(), &["opfuzz", &clis, "seeds", "--it", "1", "--s", "kept"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(folder.path().join("kept").is_dir(), "a flag of ours does not make theirs ambiguous");
}

#[test]
fn typefuzz_grows_only_what_the_users_signatures_name() {
    let folder = folder();
    let config = ";\n(par (A) (id A A))\n(+ Int Int Int :left-assoc)\n(not Bool Bool)\n";
    std::fs::write(folder.path().join("signatures.txt"), config).unwrap();
    let clis = format!("{};{}", fake("--answer unknown"), fake("--answer unknown -v"));
    let args = ["typefuzz", &clis, "seeds", "-i", "20", "-k", "-c", "signatures.txt", "--seed", "3"];
    let (code, stdout, stderr) = run(folder.path(), &args);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let scratch = folder.path().join("scratch");
    let mutants = names(&scratch);
    assert!(mutants.len() > 20, "{}", mutants.len());
    for name in mutants {
        let text = std::fs::read_to_string(scratch.join(&name)).unwrap();
        let others = ["(* ", "(- ", "(mod ", "(ite ", "(=> ", "(xor ", "declare-const"];
        assert!(!others.iter().any(|other| text.contains(other)), "{name}: {text}");
    }
}

// janus.

/// A solver that says `unknown` as soon as a formula has this operator.
fn undecided(real: &str, operator: &str) -> String {
    fake(&format!("--real '{real} -in' --wrong undecided --wrong-when {operator}"))
}

#[test]
fn janus_takes_its_flags_of_two_letters_and_refuses_rules_that_are_not_there() {
    let folder = folder();
    let solver = fake("--answer sat");
    let line = [
        "janus", &solver, "-o", "sat", "-i", "4", "-wl", "2", "-ss", "1", "-rs", "all", "seeds", "--seed",
        "1",
    ];
    let (code, stdout, stderr) = run(folder.path(), &line);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("Strategy: janus, 1 testing targets, 2 seeds"), "{stderr}");
    let (code, stdout, _) = run(folder.path(), &["janus", &solver, "-rs", "NOSUCH", "seeds"]);
    assert_eq!(code, Some(2));
    assert!(stdout.contains("Not a valid rule set"), "{stdout}");
    let (code, stdout, _) = run(folder.path(), &["janus", &solver, "-wl", "0", "seeds"]);
    assert_eq!((code, stdout.contains("walk length")), (Some(2), true), "{stdout}");
}

mod machine;

#[test]
fn janus_finds_the_step_that_a_solver_does_not_follow_and_keeps_both_formulas() {
    machine::solvers();
    let folder = folder();
    // It loses its way at a weak comparison that the seed does not have, and knows the comparison alone.
    let solver = undecided(&machine::path_of("z3@5.4.0"), "'>= (+ x'");
    let line = [
        "janus",
        &solver,
        "-o",
        "sat",
        "-i",
        "60",
        "-wl",
        "5",
        "-rs",
        "OPREP_NUM_GE_GEQ",
        "seeds/one.smt2",
        "--seed",
        "1",
    ];
    let (code, stdout, stderr) = run(folder.path(), &line);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    assert!(stderr.contains("Detected implication incompleteness"), "{stderr}");
    let names = names(&folder.path().join("bugs"));
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    assert!(has("implication-incompleteness-") && has("-previous.smt2") && has(".output"), "{names:?}");
}

#[test]
fn janus_compares_with_an_older_solver() {
    machine::solvers();
    let folder = folder();
    let real = machine::path_of("z3@5.4.0");
    let new = undecided(&real, "'(> (+ x y) 3)'");
    let old = format!("{} --real '{real} -in'", fake(""));
    let line = [
        "janus",
        &new,
        "-cr",
        &old,
        "-o",
        "sat",
        "-i",
        "8",
        "-wl",
        "2",
        "-rs",
        "core/or-swap,core/and-swap",
        "seeds/one.smt2",
        "--seed",
        "1",
    ];
    let (code, stdout, stderr) = run(folder.path(), &line);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    assert!(stderr.contains("Detected regression incompleteness"), "{stderr}");
}

/// The published function 3 of semantic fusion, which does not invert at 0.
const PRODUCT: &str = "#begin\n(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n\
    (assert (= z (* x y)))\n(assert (= x (div z y)))\n(assert (= y (div z x)))\n#end\n";

#[test]
fn a_function_that_does_not_invert_everywhere_is_used_for_sat_where_it_may_be_and_else_left_out_and_named() {
    let folder = folder();
    std::fs::write(folder.path().join("product.txt"), PRODUCT).unwrap();
    let clis = fake("--answer unsat");
    let args =
        ["yinyang", &clis, "seeds/one.smt2", "seeds/two.smt2", "-o", "sat", "-c", "product.txt", "-i", "5"];
    let (code, stdout, stderr) = run(folder.path(), &[&args[..], &["--seed", "1"]].concat());
    assert_eq!(code, Some(10), "the fused formulas are sat: {stdout}{stderr}");
    // At 0 the inversion is whatever division by 0 is.
    std::fs::write(folder.path().join("zero.smt2"), "(declare-fun a () Int)(assert (= a 0))(check-sat)")
        .unwrap();
    let args = ["yinyang", &clis, "seeds/one.smt2", "zero.smt2", "-o", "sat", "-c", "product.txt", "-i", "5"];
    let (code, stdout, stderr) = run(folder.path(), &[&args[..], &["--seed", "1"]].concat());
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("left out, because they do not invert everywhere"), "{stderr}");
}

#[test]
fn a_seed_with_check_sats_after_exit_is_fused_by_what_comes_before() {
    let folder = folder();
    let longer = format!("{OTHER}(exit)\n(assert false)\n(check-sat)\n");
    std::fs::write(folder.path().join("seeds/two.smt2"), longer).unwrap();
    let clis = fake("--answer unsat");
    let args = ["yinyang", &clis, "seeds", "-o", "sat", "-i", "3", "--seed", "1"];
    let (code, stdout, stderr) = run(folder.path(), &args);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
}
