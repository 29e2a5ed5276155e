//! Our own refutations against exact verdicts, and their further guarantees.

#![allow(clippy::unwrap_used, reason = "tests")]

mod random_formulas;

use random_formulas::{WORLDS, script as random_script};
use semantics::Budget;
use semantics::brute::{BruteLimits, Verdict, decide};
use semantics::refute::{Reason, Refutation, refute};
use smtlib::Script;

fn parse(text: &str) -> Script {
    Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refuted(text: &str, steps: u64) -> (Result<Refutation, Reason>, Script) {
    let mut script = parse(text);
    let result = refute(&mut script, 0, &Budget::new(steps, 1 << 28));
    (result, script)
}

#[test]
fn a_formula_with_a_model_is_never_refuted() {
    let (mut sat, mut unsat, mut found) = (0, 0, 0);
    for world in WORLDS {
        for seed in 0..60 {
            let text = random_script(world, seed, 3);
            let (result, script) = refuted(&text, 100_000);
            let limits = BruteLimits { work: 1 << 26, ..BruteLimits::default() };
            match decide(&mut parse(&text), 0, limits) {
                Verdict::Sat(_) => {
                    sat += 1;
                    if let Ok(refutation) = result {
                        panic!("refuted, but it has a model:\n{text}\n{}", refutation.text(&script));
                    }
                }
                Verdict::Unsat => {
                    unsat += 1;
                    found += usize::from(result.is_ok());
                }
                Verdict::Unknown(_) => {}
            }
        }
    }
    assert!(sat > 150, "{sat}");
    assert!(2 * found > unsat, "only {found} of {unsat} refuted");
}

const CROWDED: &str =
    "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-fun f (Int) Int)
    (assert (> z 7))(assert (= (f z) (f (+ z 1))))
    (assert (< x y))(assert (= (f x) 3))(assert (< y x))(assert (or (= z 9) (= z 10)))(check-sat)";

#[test]
fn a_refutation_contains_only_needed_lemmas() {
    let (result, script) = refuted(CROWDED, 1_000_000);
    let refutation = result.unwrap();
    assert_eq!(refutation.assertions.len(), 2, "{}", refutation.text(&script));
    assert_eq!(refutation.lemmas.len(), 1, "{}", refutation.text(&script));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let text = |(result, script): (Result<Refutation, Reason>, Script)| result.unwrap().text(&script);
    assert_eq!(text(refuted(CROWDED, 1_000_000)), text(refuted(CROWDED, 1_000_000)));
}

#[test]
fn a_budget_that_is_too_small_is_an_ordinary_answer() {
    let text = "(declare-const s String)(declare-const t String)
        (assert (= (str.++ s \"a\" t) (str.++ t \"b\" s)))(assert (= (str.len s) (str.len t)))(check-sat)";
    assert!(matches!(refuted(text, 100).0, Err(Reason::Exhausted(_))));
}

#[test]
fn open_points_of_operators_refute_nothing() {
    for body in [
        "(declare-const x Real)(assert (= (/ x 0.0) 1.0))(assert (= (/ (+ x 1.0) 0.0) 2.0))",
        "(declare-const x Int)(assert (= (div x 0) 5))(assert (= (mod x 0) 7))",
        "(declare-datatypes ((L 0)) (((nil) (cons (h Int) (t L)))))(assert (= (h nil) 3))",
        "(declare-const q (Seq Int))(assert (= (seq.nth q 5) 1))(assert (= (seq.len q) 1))",
        "(declare-const q (Seq Int))(declare-const r (Seq Int))(assert (= (seq.nth q 5) 1))(assert (= (seq.nth r 5) 2))",
        "(declare-const a (Array Int Int))(assert (distinct a (store a 0 1)))",
        "(declare-datatypes ((L 0)) (((nil) (cons (h Int) (t L)))))(declare-const x L)(assert (= (t x) x))",
        "(declare-codatatypes ((S 0)) (((cons (h Int) (t S)))))(declare-const x S)(assert (= x (cons 1 x)))",
    ] {
        let (result, script) = refuted(&format!("{body}(check-sat)"), 300_000);
        if let Ok(refutation) = result {
            panic!("{body}\n{}", refutation.text(&script));
        }
    }
}

#[test]
fn a_check_after_an_unknown_command_is_not_refuted() {
    let mut script = parse("(assert false)(include \"x\")(check-sat)");
    assert!(matches!(refute(&mut script, 0, &Budget::new(1_000, 0)), Err(Reason::Unsupported(_))));
}
