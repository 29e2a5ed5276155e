//! Decisions of linear arithmetic with quantifiers, and of polynomials under a model, compared with z3 and cvc5.
//!
//! If a solver contradicts a decision, and does so again in a separate process, either the solver or falsum is wrong;
//! in both cases the test fails and shows the formula, unless the case has been settled in [`settled`].
//! `docs/guarantees/arithmetic.md` has the results of the long run:
//!
//! ```text
//! FALSUM_ARITHMETIC_FORMULAS=4000 cargo test --profile quick -p oracle --test arithmetic_and_solvers -- --ignored --nocapture
//! ```
//!
//! `FALSUM_ARITHMETIC_WORLD` restricts it to one world.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::print_stdout, reason = "the long run reports what it counted")]

mod asked;
mod installed;
#[path = "../../semantics/tests/random_arithmetic/mod.rs"]
mod random_arithmetic;

use asked::Asked;
use installed::{number, program};
use random_arithmetic::{WORLDS, World, script as random_script};
use run::Limits;
use semantics::Budget;
use semantics::arithmetic::{Decision, decide};
use semantics::eval::Evaluator;
use semantics::model::Model;
use semantics::value::Value;
use smtlib::Script;
use std::time::{Duration, Instant};

fn solvers() -> Vec<Asked> {
    let limits = Limits {
        wall: Some(Duration::from_secs(900)),
        cpu: Some(Duration::from_secs(120)),
        memory: Some(3 << 30),
        head: 64 << 20,
        ..Limits::default()
    };
    let z3 = program("z3@5.4.0", &["-in", "-t:500"]).limits(limits.clone());
    let cvc5 = program("cvc5@1.4.2", &["-q", "--lang=smt2", "--incremental", "--tlimit-per=500"]);
    vec![
        Asked { name: "z3", program: z3, preamble: "" },
        Asked { name: "cvc5", program: cvc5.limits(limits), preamble: "" },
    ]
}

/// Our answer to a formula: by elimination, or where there are polynomials by the evaluator.
fn ours(world: World, text: &str) -> &'static str {
    let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    if matches!(world, World::RealPolynomials | World::IntegerPolynomials) {
        let model = Model::default();
        let mut evaluator = Evaluator::new(&script.pool, &model);
        let values: Vec<_> = script.assertions().map(|term| evaluator.eval_open(term)).collect();
        if values.iter().any(|value| matches!(value, Ok(Value::Bool(false)))) {
            return "unsat";
        }
        return if values.iter().all(|value| matches!(value, Ok(Value::Bool(true)))) {
            "sat"
        } else {
            "unknown"
        };
    }
    match decide(&mut script, 0, &Budget::new(2_000_000, 1 << 30)) {
        Decision::Sat(_) => "sat",
        Decision::Unsat(_) => "unsat",
        Decision::Unknown(_) => "unknown",
    }
}

/// Contradictions that are known bugs of a release, described in `docs/guarantees/arithmetic.md`.
fn settled(_solver: &str, _theirs: &str, _script: &str) -> bool {
    false
}

#[derive(Default)]
struct Counts {
    agreed: usize,
    undecided: usize,
    refused: usize,
    settled: usize,
}

/// Runs the solvers on formulas of every world; returns the contradictions that are not settled.
fn compare(count: u64, first: u64) -> Vec<String> {
    let solvers = solvers();
    let only = std::env::var("FALSUM_ARITHMETIC_WORLD").unwrap_or_default();
    let mut contradictions = vec![];
    println!(
        "| world | formulas | ours sat | unsat | unknown | solver | agreed | undecided | refused | settled |"
    );
    println!("|---|--:|--:|--:|--:|---|--:|--:|--:|--:|");
    for world in WORLDS.into_iter().filter(|world| format!("{world:?}").contains(&only)) {
        let mut counts = [Counts::default(), Counts::default()];
        let mut own = [0usize; 3];
        let mut time = Duration::ZERO;
        for chunk in (first..first + count).collect::<Vec<u64>>().chunks(200) {
            let scripts: Vec<String> = chunk.iter().map(|&seed| random_script(world, seed)).collect();
            let begun = Instant::now();
            let words: Vec<&str> = scripts.iter().map(|script| ours(world, script)).collect();
            time += begun.elapsed();
            for word in &words {
                own[["sat", "unsat", "unknown"].iter().position(|w| w == word).unwrap()] += 1;
            }
            for (solver, counts) in solvers.iter().zip(&mut counts) {
                let theirs = solver.answers(true, &scripts);
                for ((script, ours), theirs) in scripts.iter().zip(&words).zip(&theirs) {
                    contradictions.extend(judge(solver, counts, script, ours, theirs));
                }
            }
        }
        for (solver, c) in solvers.iter().zip(&counts) {
            let [sat, unsat, unknown] = own;
            println!(
                "| {world:?} | {count} | {sat} | {unsat} | {unknown} | {} | {} | {} | {} | {} |",
                solver.name, c.agreed, c.undecided, c.refused, c.settled
            );
        }
        println!("{world:?}: ours took {time:?}");
    }
    contradictions
}

fn judge(solver: &Asked, counts: &mut Counts, script: &str, ours: &str, theirs: &str) -> Option<String> {
    match theirs {
        "sat" | "unsat" if ours == "unknown" => None,
        "sat" | "unsat" if theirs == ours => {
            counts.agreed += 1;
            None
        }
        "sat" | "unsat" => {
            let alone = solver.answers(true, std::slice::from_ref(&script.to_owned()));
            if settled(solver.name, theirs, script) {
                counts.settled += 1;
                return None;
            }
            Some(format!("{} said {theirs} (alone: {}), we say {ours}\n{script}", solver.name, alone[0]))
        }
        theirs if theirs.starts_with("unknown") || theirs == "timeout" => {
            counts.undecided += 1;
            None
        }
        _ => {
            counts.refused += 1;
            if counts.refused == 1 {
                println!("refused: {theirs}\n{script}");
            }
            None
        }
    }
}

#[test]
fn solvers_agree_with_decisions_on_random_formulas() {
    let contradictions = compare(number("FALSUM_ARITHMETIC_FORMULAS", 45) as u64, 1_000_000);
    assert!(contradictions.is_empty(), "{}", contradictions.join("\n\n"));
}

#[test]
#[ignore = "minutes; results are in docs/guarantees/arithmetic.md"]
fn solvers_agree_with_decisions_on_many_random_formulas() {
    let contradictions = compare(number("FALSUM_ARITHMETIC_FORMULAS", 3000) as u64, 0);
    assert!(contradictions.is_empty(), "{}", contradictions.join("\n\n"));
}
