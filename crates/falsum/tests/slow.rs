//! Slowness is a finding where processor time shows it, and never where a solver only waits.

#![allow(clippy::unwrap_used, reason = "a test")]

mod machine;

use machine::{falsum_in, solvers};
use serde_json::Value;

const FORMULA: &str = "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";

/// `falsum check` of a formula with a fake solver beside z3.
fn check(behaviour: &str) -> Value {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("case.smt2"), FORMULA).unwrap();
    let fake = format!("tested={} --behave {behaviour}", testkit::fake_solver().display());
    let args = ["check", "case.smt2", "--json", "--timeout", "300ms", "-s", &fake, "-r", "z3@5.4.0"];
    let output = falsum_in(folder.path(), &args);
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text} {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_solver_that_computes_for_ever_is_slow_with_every_seed() {
    let said = check("spin");
    assert_eq!((&said["verdict"], &said["culprits"][0]), (&"performance".into(), &"tested".into()), "{said}");
    let evidence = said["evidence"][0]["detail"].as_str().unwrap();
    assert!(evidence.contains("solver seeds 1 to 3"), "{evidence}");
    assert_eq!(said["certified"], false, "a measurement is no certificate");
}

#[test]
fn a_solver_that_only_sleeps_is_not_called_slow() {
    let said = check("sleep:30000");
    assert_eq!(said["verdict"], "fine", "{said}");
}

/// The thesis's grammar of the reals has a minus of one argument, ours has not.
const REALS: &str = "grammar R;
uop_real: '-' | 'sin' | 'cos' | 'tan';
real_term: REAL_CONST | REAL_VAR | '(' uop_real real_term ')';
bool_term: '(' binop real_term real_term ')';
binop: '=' | '>' | '<' | '>=' | '<=';
decl_csts: declarations;
start: decl_csts '(assert' bool_term ')' '(check-sat)';
";

/// The index of a formula of a grammar.
fn index(folder: &std::path::Path, grammar: &str, take: &str, formula: &str) -> String {
    let args = ["enumerate", "--grammar", grammar, "--take", take, "--no-solve", "--out", "-"];
    let text = String::from_utf8(falsum_in(folder, &args).stdout).unwrap();
    text.lines().position(|line| line.contains(formula)).unwrap().to_string()
}

/// Figures 7.7f and 7.7h of Winterer's thesis: cvc5 runs for minutes, others answer at once.
#[test]
#[ignore = "takes minutes of processor time"]
fn the_thesis_figures_are_found_by_enumeration() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("R.g4"), REALS).unwrap();
    let classes = r#"{"variables": {"REAL_VAR": "(declare-const {} Real)"}, "constants": {"REAL_CONST": ["0.0", "1.0"]}}"#;
    std::fs::write(here.join("R.json"), classes).unwrap();
    for (figure, grammar, formula) in
        [("7.7f", "R.g4", "(>= (- a) (cos 1.0))"), ("7.7h", "Bitvectors", "(= a (bvurem (bvnot a) a))")]
    {
        let from = index(here, grammar, "200000", formula);
        let args = ["enumerate", "--grammar", grammar, "--from", &from, "--take", "1", "--timeout", "2s"];
        let solvers = ["-s", "cvc5@1.4.2", "-s", "z3@5.4.0", "--out", figure];
        let output = falsum_in(here, &[&args[..], &solvers[..]].concat());
        let report = falsum_in(here, &["report", figure, "--format", "json"]);
        let said: Value = serde_json::from_slice(&report.stdout).unwrap();
        let found = (&said["bugs"][0]["kind"], &said["bugs"][0]["culprits"][0]);
        let why = String::from_utf8_lossy(&output.stderr);
        assert_eq!(found, (&"performance".into(), &"cvc5@1.4.2".into()), "{figure}: {why}");
    }
}

#[test]
fn a_pair_is_reduced_in_step_by_the_rule_that_made_it() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let decided = "(declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n\
        (assert (and (> x y) (< z 3)))\n(assert (or (< y 7) (= z 2)))\n(check-sat)\n";
    std::fs::write(folder.path().join("decided.smt2"), decided).unwrap();
    std::fs::write(folder.path().join("undecided.smt2"), decided.replace("(> x y)", "(>= x y)")).unwrap();
    // It does not follow a weak comparison of two variables.
    let real = machine::path_of("z3@5.4.0");
    let fake = testkit::fake_solver();
    let planted = format!("p={} --real '{real} -in' --wrong undecided --wrong-when '(>= '", fake.display());
    let args = ["reduce", "undecided.smt2", "--goal", "unknown", "--pair", "decided.smt2", "-s", &planted];
    let rule = ["--rule", "numbers/table-gt-ge", "-o", "out.smt2"];
    let output = falsum_in(folder.path(), &[&args[..], &rule[..]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (after, before) = (read("out.smt2"), read("out.smt2.pair"));
    assert!(after.contains("(>= ") && !after.contains("or"), "{after}");
    assert_eq!(after.replace("(>= ", "(> "), before, "the two differ by the rule alone");
}
