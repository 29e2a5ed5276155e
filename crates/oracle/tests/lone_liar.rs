//! A lone liar: one target, no model, no reference, and the wrong word.
//!
//! The scripts under `corners/` are small and exact, theory by theory, each with the answer that is right; z3 and cvc5
//! were asked about every one, and where neither decides it, the argument is a line of school mathematics. The liar
//! says the other word. Only falsum's own evidence can convict it. No solver may be accused that says the right word.
//!
//! The table of docs/guarantees/conviction.md is printed by
//!
//!     cargo test --profile quick -p oracle --test lone_liar -- --ignored --nocapture
//!
//! CI runs each ninth script.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use oracle::{Effort, Hearing, Verdict};
use smtlib::Parsed;
use solver::{Answer, Check, Ended, Profiles, Reply, Target, Version};
use strategy::Case;

const CORNERS: &[(&str, &str)] = &[
    ("Core", include_str!("corners/core.smt2")),
    ("Ints", include_str!("corners/ints.smt2")),
    ("Reals", include_str!("corners/reals.smt2")),
    ("Ints and Reals", include_str!("corners/mixed.smt2")),
    ("Bitvectors", include_str!("corners/bitvectors.smt2")),
    ("Arrays", include_str!("corners/arrays.smt2")),
    ("Floats", include_str!("corners/floats.smt2")),
    ("Strings", include_str!("corners/strings.smt2")),
    ("Datatypes", include_str!("corners/datatypes.smt2")),
    ("Functions", include_str!("corners/uf.smt2")),
    ("Sequences", include_str!("corners/sequences.smt2")),
    ("Sets", include_str!("corners/sets.smt2")),
    ("Bags", include_str!("corners/bags.smt2")),
    ("Quantifiers", include_str!("corners/quantifiers.smt2")),
    ("z3's and cvc5's own", include_str!("corners/others.smt2")),
];

/// The scripts of a file, each with the right answer.
fn scripts(text: &str) -> impl Iterator<Item = (String, Answer)> {
    text.split("\n\n").filter(|block| !block.trim().is_empty()).map(|block| {
        let right = if block.trim_start().starts_with("; sat") { Answer::Sat } else { Answer::Unsat };
        (format!("{}\n(check-sat)\n", block.trim()), right)
    })
}

/// Sorts that only cvc5 has, or that other solvers read differently: to z3 a `(Set T)` is an array, which may be infinite.
const CVC5: [&str; 5] = ["(Set ", "(Bag ", "(Tuple ", "(Nullable ", "FiniteField"];

/// A solver that reads the script as it is meant.
fn liar(script: &str) -> Target {
    let (solver, version) = match CVC5.iter().any(|sort| script.contains(sort)) {
        true => ("cvc5", "1.4.2"),
        false => ("z3", "5.4.0"),
    };
    Target {
        name: format!("{solver}@{version}"),
        profile: Profiles::embedded().get(solver),
        command: vec![],
        args: vec![],
        version: Version::parse(version),
        hash: String::new(),
        path: solver.into(),
    }
}

/// What is said about a target that gives this word and nothing else.
fn verdict(script: &str, answer: Answer, effort: Effort) -> Verdict {
    let case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    let mut hearing = Hearing::new(&case, effort);
    let liar = liar(script);
    let check = Check { answer: Some(answer), ..Check::default() };
    let reply =
        Reply { checks: vec![check], ended: Ended::ByItself, target: liar.name.clone(), ..Reply::default() };
    hearing.hear(&liar, reply, true);
    hearing.climb();
    hearing.verdict()
}

/// What is said about a liar beside a solver that gives the right word.
fn beside(script: &str, right: Answer, effort: Effort) -> Verdict {
    let case = Case::of_script(Parsed::read(script.as_bytes()).unwrap());
    let mut hearing = Hearing::new(&case, effort);
    for (name, answer) in [("liar", opposite(right)), ("right", right)] {
        let target = Target { name: name.into(), ..liar(script) };
        // A model that says nothing is all that some solvers print.
        let model = (answer == Answer::Sat).then(|| b"()".to_vec());
        let check = Check { answer: Some(answer), model, ..Check::default() };
        let reply =
            Reply { checks: vec![check], ended: Ended::ByItself, target: name.into(), ..Reply::default() };
        hearing.hear(&target, reply, true);
    }
    hearing.climb();
    hearing.verdict()
}

fn opposite(answer: Answer) -> Answer {
    if answer == Answer::Sat { Answer::Unsat } else { Answer::Sat }
}

/// Of every theory each `step`-th script: how many there are, and how many lies are proved.
fn convicted(step: usize) -> (usize, usize) {
    let effort = Effort::certifying();
    let (mut all, mut caught) = (0, 0);
    for (theory, text) in CORNERS {
        let (mut here, mut convicted) = (0, 0);
        for (script, right) in scripts(text).step_by(step) {
            here += 1;
            let lie = verdict(&script, opposite(right), effort);
            match &lie {
                Verdict::Findings(found) => {
                    assert!(found.iter().all(|finding| finding.is_certified()), "{script}{found:?}");
                    convicted += 1;
                }
                other => println!("{theory}: {other:?}\n{script}"),
            }
            let truth = verdict(&script, right, effort);
            assert!(matches!(truth, Verdict::Fine { .. }), "{script}{truth:?}");
        }
        println!("| {theory} | {here} | {convicted} |");
        all += here;
        caught += convicted;
    }
    println!("| all | {all} | {caught} |");
    (all, caught)
}

#[test]
fn a_lone_liar_is_convicted_on_most_corner_scripts_and_no_one_else_is() {
    let (all, caught) = convicted(9);
    assert!(all >= 50 && caught * 10 >= all * 8, "{caught} of {all}");
}

#[test]
fn a_solver_that_is_right_is_not_accused_beside_a_liar() {
    for (theory, text) in CORNERS {
        let step = if *theory == "Functions" { 1 } else { 12 };
        for (script, right) in scripts(text).step_by(step) {
            let verdict = beside(&script, right, Effort::thorough());
            let accused = verdict.findings().iter().filter_map(|finding| finding.culprit.as_deref());
            assert!(accused.clone().all(|name| name == "liar"), "{script}{verdict:?}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_lone_liar_is_convicted_on_nine_of_ten_corner_scripts_and_no_one_else_is() {
    let (all, caught) = convicted(1);
    assert!(all >= 400 && caught * 10 >= all * 9, "{caught} of {all}");
}
