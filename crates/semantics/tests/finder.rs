//! The model finder: its results are models, it finds one for every corner script within a given number of steps,
//! always the same one, and none for unsatisfiable scripts.

#![allow(clippy::unwrap_used, reason = "tests")]

use semantics::eval::{self, Verdict};
use semantics::finder::{Found, Witness, find};
use semantics::model::Model;
use semantics::{Budget, brute};
use smtlib::Script;

const CORNERS: &str = include_str!("finder/corners.txt");

/// Number of steps for a corner script: some milliseconds. Operations on long numbers cost several steps, and one
/// script needs that.
const STEPS: u64 = 500_000;

fn search(text: &str, hints: &[&str], steps: u64) -> (Option<Box<Witness>>, u64) {
    let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let hints: Vec<Model> =
        hints.iter().map(|hint| Model::parse(&mut script, hint.as_bytes()).unwrap()).collect();
    let budget = Budget::new(steps, 1 << 28);
    let found = find(&mut script, 0, &hints, &budget);
    let spent = steps - budget.steps_left();
    match found {
        Found::Model(witness) => (Some(witness), spent),
        Found::Unknown(_) => (None, spent),
    }
}

/// The theory and the text of each script of the table.
fn corners() -> Vec<(&'static str, String)> {
    let mut theory = "";
    let mut found = vec![];
    for line in CORNERS.lines() {
        match line.strip_prefix("# ") {
            Some(name) => theory = name,
            None if line.starts_with('(') => found.push((theory, format!("{line}(check-sat)"))),
            None => {}
        }
    }
    found
}

#[test]
fn every_corner_script_gets_a_model_within_the_steps_of_a_hunt() {
    let all = corners();
    assert!(all.len() >= 120, "{} scripts", all.len());
    let missed: Vec<String> = all
        .iter()
        .filter(|(_, text)| search(text, &[], STEPS).0.is_none())
        .map(|(theory, text)| format!("{theory}: {text}"))
        .collect();
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), all.len(), missed.join("\n"));
}

#[test]
fn the_printed_model_is_a_model_when_it_is_parsed() {
    for (_, text) in corners() {
        let Some(witness) = search(&text, &[], STEPS).0 else { continue };
        let mut script = Script::parse(text.as_bytes()).unwrap();
        let model = Model::parse(&mut script, witness.text.as_bytes()).unwrap();
        let report = eval::check(&script, &model, 0);
        assert_eq!(report.overall.value, Verdict::True, "{text}\n{}", witness.text);
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for (_, text) in corners().into_iter().step_by(7) {
        let (first, second) = (search(&text, &[], STEPS), search(&text, &[], STEPS));
        assert_eq!(first.1, second.1, "{text}");
        assert_eq!(first.0.map(|w| w.text), second.0.map(|w| w.text), "{text}");
    }
}

#[test]
fn no_model_is_found_for_unsatisfiable_scripts() {
    let none = [
        "(declare-const x Int)(assert (< x x))",
        "(declare-const x Int)(assert (= (* 2 x) 7))",
        "(declare-const s (FiniteSet Int))(assert (< (set.size s) 0))",
        "(declare-const x String)(assert (= (str.++ x \"a\") (str.++ \"b\" x)))",
        "(declare-sort U 0)(declare-const a U)(assert (distinct a a))",
        "(declare-fun f (Int) Int)(declare-const x Int)(assert (distinct (f x) (f (+ x 0))))",
        "(assert false)",
    ];
    for text in none {
        assert!(search(&format!("{text}(check-sat)"), &[], 20_000).0.is_none(), "{text}");
    }
}

#[test]
fn a_model_of_a_similar_formula_is_a_starting_point() {
    // It is found at once from an almost correct hint, and not found without the hint in so few steps.
    let text = "(declare-const x Int)(declare-const y Int)(declare-const z Int)
        (assert (= (+ (* x x x) (* y y y) (* z z z)) 29))(assert (> x 2))(assert (> y 0))(check-sat)";
    let hint = "((define-fun x () Int 3)(define-fun y () Int 1)(define-fun z () Int 2))";
    let (found, spent) = search(text, &[hint], 2_000);
    assert!(found.is_some() && spent < 2_000, "{spent}");
}

#[test]
fn the_finder_works_at_each_check_of_a_script() {
    let text = "(declare-const x Int)(assert (> x 5))(check-sat)(push 1)(assert (< x 7))(check-sat)(pop 1)
        (assert (< x 0))(check-sat)";
    let mut script = Script::parse(text.as_bytes()).unwrap();
    let mut answers = vec![];
    for check in 0..3 {
        let budget = Budget::new(20_000, 1 << 20);
        answers.push(matches!(find(&mut script, check, &[], &budget), Found::Model(_)));
    }
    assert_eq!(answers, [true, true, false]);
}

#[test]
fn a_model_is_found_only_if_enumeration_finds_one_too() {
    for (_, text) in corners() {
        let mut script = Script::parse(text.as_bytes()).unwrap();
        let limits = brute::BruteLimits { work: 1 << 22, ..brute::BruteLimits::default() };
        if let brute::Verdict::Unsat = brute::decide(&mut script, 0, limits) {
            panic!("unsat by enumeration: {text}");
        }
    }
}

#[test]
fn a_certain_model_is_preferred_to_one_that_depends_on_an_under_specified_choice() {
    let text = "(declare-const x Int)(declare-const y Int)(assert (= (div x y) 2))(check-sat)";
    assert!(!search(text, &[], STEPS).0.unwrap().underspecified);
    let text = "(declare-const x Int)(assert (= (div x 0) 2))(check-sat)";
    assert!(search(text, &[], STEPS).0.unwrap().underspecified);
}

#[test]
fn lemmas_of_a_failed_refutation_do_not_change_what_a_set_is() {
    let text = "(declare-const s (Set Int))(declare-const t (Set Int))\
                (assert (set.subset s t))(assert (distinct s t))(check-sat)";
    let mut script = Script::parse(text.as_bytes()).unwrap();
    assert!(semantics::refute::refute(&mut script, 0, &Budget::new(300_000, 1 << 28)).is_err());
    assert!(matches!(find(&mut script, 0, &[], &Budget::new(STEPS, 1 << 28)), Found::Model(_)));
}

#[test]
fn elements_of_a_hint_that_no_quantifier_ranges_over_make_no_model() {
    let text = "(declare-sort U 0)(declare-const a U)(declare-const b U)
        (assert (forall ((x U)) (= x a)))(assert (distinct a b))(check-sat)";
    let hints = ["()", "((define-fun a () U (as @U_0 U))(define-fun b () U (as @U_1 U)))"];
    for hints in [&hints[..0], &hints[..1], &hints[1..], &hints[..]] {
        assert!(search(text, hints, STEPS).0.is_none(), "{hints:?}");
    }
}
