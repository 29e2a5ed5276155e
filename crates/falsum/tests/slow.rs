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
    for (figure, grammar, from, take, formula) in [
        ("7.7f", "R.g4", "3318", "6", "(>= (- a) (cos 1.0))"),
        ("7.7h", "Bitvectors", "19336", "5", "(= a (bvurem (bvnot a) a))"),
    ] {
        let args = ["enumerate", "--grammar", grammar, "--from", from, "--take", take, "--timeout", "1s"];
        let solvers = ["--only", "performance", "-s", "cvc5@1.4.2", "-s", "z3@5.4.0", "--out", figure];
        let output = falsum_in(here, &[&args[..], &solvers[..]].concat());
        let report = falsum_in(here, &["report", figure, "--format", "json"]);
        let said: Value = serde_json::from_slice(&report.stdout).unwrap();
        let found = (&said["bugs"][0]["kind"], &said["bugs"][0]["culprits"][0]);
        let why = String::from_utf8_lossy(&output.stderr);
        assert_eq!(found, (&"performance".into(), &"cvc5@1.4.2".into()), "{figure}: {why}");
        assert_eq!(said["bugs"].as_array().map(Vec::len), Some(1), "{figure}: the others are not slow");
        let folder = said["bugs"][0]["finding"].as_str().unwrap_or_default().to_owned();
        let text =
            std::fs::read_to_string(here.join(figure).join("findings").join(&folder).join("formula.smt2"));
        assert!(text.is_ok_and(|text| text.contains(formula)), "{figure}: {folder}");
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

/// A small hunt of `evolve` over bit-vector seeds; two solvers, so that there is a reference.
fn evolve(folder: &std::path::Path, extra: &[&str]) -> String {
    solvers();
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV");
    let seeds = seeds.display().to_string();
    let mut args =
        vec!["hunt", &seeds, "--strategy", "evolve", "--population", "4", "--key", "k", "--no-reduce"];
    args.extend(["--timeout", "300ms", "-s", "z3@5.4.0", "-r", "cvc5@1.4.2", "-q"]);
    args.extend(extra);
    let output = falsum_in(folder, &args);
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_search_by_generations_resumes_and_its_cases_follow_from_the_stored_outcomes() {
    use strategy::{CampaignKey, Rng, Settings, evolve::STRATEGY, unheard};
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    evolve(here, &["--cases", "6", "-j", "1", "--out", "a"]);
    evolve(here, &["--cases", "12", "-j", "2", "--out", "a", "--resume"]);
    evolve(here, &["--cases", "4", "-j", "2", "--out", "b"]);
    let view = |out: &str| store::Store::read(&here.join(out)).unwrap();
    let epochs = view("a").epochs("evolve").unwrap();
    assert!(epochs.len() >= 3, "{} generations of four", epochs.len());
    // Whatever was measured, the same outcomes give the same next generation, and no solver is needed to see it.
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/QF_BV");
    let found = corpus::scan(&[seeds], &corpus::ScanLimits::default(), &corpus::Quarantine::default());
    let (bank, _) = strategy::Bank::new(found.seeds);
    let settings = Settings { population: Some(4), ..Settings::default() };
    let mut source = (STRATEGY.begin)(&bank, &settings).unwrap();
    let cases = |out: &str| -> Vec<_> {
        let mut rows = view(out).cases().unwrap();
        rows.sort();
        rows.into_iter().map(|row| (row.unit, row.step, row.hash)).collect()
    };
    let (done, mut again) = (cases("a"), vec![]);
    for unit in 0..=done.last().unwrap().0 {
        if unit % 2 == 0 && unit > 0 {
            source.learn(&epochs[unit as usize / 2 - 1]);
        }
        let rng = Rng::of(&CampaignKey("k".into()), "evolve", unit);
        for (step, draft) in unheard(&*source, unit, rng).unwrap().iter().enumerate() {
            again.push((unit, step as u64, store::CaseHash::of(draft.script())));
        }
    }
    assert_eq!(done, again);
    assert_eq!(cases("b")[..4], again[..4], "the number of workers does not matter");
    let table = falsum_in(here, &["generations", "a", "b"]);
    let table = String::from_utf8(table.stdout).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    falsum_in(here, &["generations", "a", "--out", "page.html", "--export", "set"]);
    assert!(std::fs::read_to_string(here.join("page.html")).unwrap().contains("<svg"));
    assert!(std::fs::read_dir(here.join("set/0-default")).unwrap().count() >= 2);
}

/// A solver of a few lines, one of which only some formulas reach.
const STAND_IN: &str = r#"
#include <stdio.h>
#include <string.h>
static char text[1 << 16];
static int is_contradiction(void) { return strstr(text, "false") != 0; }
static void rarely(void) { fprintf(stderr, "rare\n"); }
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file) return 1;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    if (strstr(text, "rare")) rarely();
    puts(is_contradiction() ? "unsat" : "sat");
    return 0;
}
"#;

/// Builds the stand-in with coverage; `None` without a C compiler.
fn stand_in(folder: &std::path::Path) -> Option<String> {
    let runtime = falsum_in(folder, &["coverage", "--runtime"]).stdout;
    std::fs::write(folder.join("runtime.c"), runtime).unwrap();
    std::fs::write(folder.join("solver.c"), STAND_IN).unwrap();
    let cc = |args: &[&str]| std::process::Command::new("cc").current_dir(folder).args(args).status();
    let built = [
        cc(&["-O1", "-c", "runtime.c"]),
        cc(&["-O0", "-fsanitize-coverage=trace-pc", "-c", "solver.c"]),
        cc(&["-o", "solver", "solver.o", "runtime.o"]),
    ];
    if built.iter().any(|status| !status.as_ref().is_ok_and(std::process::ExitStatus::success)) {
        testkit::tell("there is no C compiler with -fsanitize-coverage=trace-pc");
        return None;
    }
    Some(folder.join("solver").display().to_string())
}

#[test]
fn an_instrumented_solver_shows_which_functions_and_blocks_formulas_reach() {
    solvers();
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let Some(solver) = stand_in(here) else { return };
    for (name, text) in [("plain", "(assert true)(check-sat)"), ("both", "(assert false)(check-sat)")] {
        std::fs::create_dir(here.join(name)).unwrap();
        std::fs::write(here.join(name).join("1.smt2"), text).unwrap();
    }
    std::fs::write(here.join("both/2.smt2"), "; rare\n(assert true)(check-sat)").unwrap();
    let output = falsum_in(here, &["coverage", "plain", "both", "-s", &solver, "-o", "reach.json"]);
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    let said: Value = serde_json::from_slice(&std::fs::read(here.join("reach.json")).expect(&why)).unwrap();
    let (plain, both) = (&said[0]["steps"], &said[1]["steps"]);
    assert_eq!((&plain[0]["functions"], &both[1]["functions"]), (&2.into(), &3.into()), "{said}");
    assert_eq!(said[0]["functions"], 3, "main and two others");
    let blocks = |step: &Value| step["blocks"].as_u64().unwrap();
    assert!(
        blocks(&both[1]) > blocks(&both[0]) && blocks(&both[1]) <= said[0]["blocks"].as_u64().unwrap(),
        "{said}"
    );
    let refused =
        falsum_in(here, &["hunt", "plain", "--schedule", "coverage", "-s", "z3@5.4.0", "--cases", "1"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("needs an instrumented solver"));
    // A search with it has coverage as an objective, and the schedule can follow it.
    let args =
        ["hunt", "both", "--strategy", "evolve", "--population", "2", "--cases", "4", "--no-reduce", "-q"];
    falsum_in(here, &[&args[..], &["-s", &solver, "--out", "searched", "--schedule", "coverage"]].concat());
    let table = String::from_utf8(falsum_in(here, &["generations", "searched"]).stdout).unwrap();
    let rows: Vec<&str> = table.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    assert!(rows.get(3).and_then(|rows| rows.parse::<u64>().ok()).is_some_and(|rows| rows > 3), "{table}");
    // A campaign is a set per strategy, made again from its key and what it measured.
    let args = ["coverage", "searched", "--seeds", "both", "-s", &solver, "-o", "campaign.json"];
    let why = String::from_utf8_lossy(&falsum_in(here, &args).stderr).into_owned();
    let said: Value =
        serde_json::from_slice(&std::fs::read(here.join("campaign.json")).expect(&why)).unwrap();
    assert_eq!(said[0]["name"], "evolve", "{said}");
    let cases = store::Store::read(&here.join("searched")).unwrap().cases().unwrap();
    assert_eq!(said[0]["steps"].as_array().unwrap().len(), cases.len(), "all of them: {why}");
}
