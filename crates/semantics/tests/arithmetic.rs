//! Decisions of linear arithmetic with quantifiers, and quantifiers over numbers under a model.

#![allow(clippy::unwrap_used, reason = "tests")]

mod random_arithmetic;

use random_arithmetic::{World, script as random_script};
use semantics::Budget;
use semantics::arithmetic::{Decision, Reason, decide};
use semantics::brute;
use semantics::eval::Evaluator;
use semantics::model::Model;
use semantics::value::Value;
use smtlib::Script;

fn script(text: &str) -> Script {
    Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn decision(text: &str) -> Decision {
    decide(&mut script(text), 0, &Budget::new(2_000_000, 1 << 28))
}

fn word(decision: &Decision) -> &'static str {
    match decision {
        Decision::Sat(_) => "sat",
        Decision::Unsat(_) => "unsat",
        Decision::Unknown(_) => "unknown",
    }
}

#[track_caller]
fn decides(assertion: &str, expected: &str) {
    let decision = decision(&format!("(assert {assertion})(check-sat)"));
    assert_eq!(word(&decision), expected, "{assertion}: {decision:?}");
}

#[track_caller]
fn refuses(text: &str, expected: &Reason) {
    let Decision::Unknown(reason) = decision(text) else { panic!("{text} is decided") };
    assert_eq!(reason, *expected, "{text}");
}

/// The value of a closed formula under the empty model.
#[track_caller]
fn evaluates(formula: &str, expected: Option<bool>) {
    let script = script(&format!("(assert {formula})(check-sat)"));
    let model = Model::default();
    let outcome = Evaluator::new(&script.pool, &model).eval_open(script.assertions().next().unwrap());
    let value = match &outcome {
        Ok(Value::Bool(value)) => Some(*value),
        _ => None,
    };
    assert_eq!(value, expected, "{formula}: {outcome:?}");
}

#[test]
fn reals_are_dense_and_without_ends_and_integers_are_not_dense() {
    decides("(forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (and (< x z) (< z y)))))", "sat");
    decides("(forall ((x Int) (y Int)) (=> (< x y) (exists ((z Int)) (and (< x z) (< z y)))))", "unsat");
    decides("(forall ((x Real)) (exists ((y Real)) (> y x)))", "sat");
    decides("(exists ((y Real)) (forall ((x Real)) (> y x)))", "unsat");
    decides("(exists ((y Int)) (forall ((x Int)) (=> (> x 0) (>= x y))))", "sat");
}

/// A range of 2^65 integers was once listed, because its width is no 64-bit number, as a negative one is not.
#[test]
fn a_range_that_is_too_wide_to_list_is_decided_by_its_ends() {
    let wide = "(<= 0 x) (<= x 36893488147419103232)";
    decides(&format!("(exists ((x Int)) (and {wide} (distinct x 5) (= (mod x 3) 1)))"), "sat");
    decides(&format!("(exists ((x Int)) (and {wide} (= (mod x 4) 1) (= (mod x 2) 0)))"), "unsat");
    decides(&format!("(forall ((x Int)) (=> (and {wide}) (distinct x 5)))"), "unsat");
    decides("(exists ((x Int)) (and (<= 7 x) (<= x (- 36893488147419103232)) (distinct x 5)))", "unsat");
}

#[test]
fn strict_and_weak_bounds_differ() {
    decides("(exists ((x Real)) (and (<= 1.0 x) (<= x 1.0)))", "sat");
    decides("(exists ((x Real)) (and (< 1.0 x) (<= x 1.0)))", "unsat");
    decides("(exists ((x Real)) (and (<= 1.0 x) (<= x 1.0) (distinct x 1.0)))", "unsat");
    decides(
        "(forall ((y Real)) (exists ((x Real)) (and (distinct x y) (distinct x 0.0) (< x (* 2.0 y)))))",
        "sat",
    );
}

#[test]
fn every_integer_is_even_or_odd_and_none_is_both() {
    decides("(forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y))))))", "sat");
    decides("(exists ((x Int) (y Int) (z Int)) (and (= x (* 2 y)) (= x (+ 1 (* 2 z)))))", "unsat");
    decides("(exists ((x Int) (y Int)) (= (+ (* 6 x) (* 10 y)) 3))", "unsat");
    decides(
        "(forall ((n Int)) (=> (>= n 8) (exists ((x Int) (y Int)) (and (>= x 0) (>= y 0) (= n (+ (* 3 x) (* 5 y)))))))",
        "sat",
    );
    decides(
        "(exists ((n Int)) (and (>= n 7) (not (exists ((x Int) (y Int)) (and (>= x 0) (>= y 0) (= n (+ (* 3 x) (* 5 y))))))))",
        "sat",
    );
}

#[test]
fn remainders_and_quotients_by_constants_are_euclidean() {
    decides(
        "(forall ((x Int)) (and (<= 0 (mod x 3)) (< (mod x 3) 3) (= x (+ (* 3 (div x 3)) (mod x 3)))))",
        "sat",
    );
    decides("(forall ((x Int)) (= x (+ (* (- 3) (div x (- 3))) (mod x (- 3)))))", "sat");
    decides("(exists ((x Int)) (and (= (mod x 4) 1) (= (mod x 6) 4)))", "unsat");
    decides("(exists ((x Int)) (and (= (mod x 4) 1) (= (mod x 6) 3)))", "sat");
    decides("(forall ((x Int)) (=> (<= (div x 1000000000000) 3) (< x 4000000000000)))", "sat");
    decides("(forall ((x Int)) (= ((_ divisible 3) x) (= (mod x 3) 0)))", "sat");
}

#[test]
fn integers_and_reals_may_be_mixed_where_reals_are_removed_first() {
    decides("(forall ((n Int)) (exists ((x Real)) (and (< (to_real n) x) (< x (to_real (+ n 1))))))", "sat");
    decides("(forall ((n Int)) (exists ((x Real)) (= (* 2.0 x) (to_real n))))", "sat");
    decides("(exists ((n Int)) (= (* 2.0 (to_real n)) 3.0))", "unsat");
    decides("(forall ((n Int)) (is_int (to_real n)))", "sat");
    decides("(forall ((n Int)) (= (is_int (/ (to_real n) 2.0)) (= (mod n 2) 0)))", "sat");
    decides("(forall ((n Int)) (= (to_int (/ (to_real n) 2.0)) (div n 2)))", "sat");
    let mixed =
        "(assert (forall ((x Real)) (exists ((n Int)) (and (<= (to_real n) x) (< x (to_real (+ n 1)))))))";
    refuses(mixed, &Reason::Mixed);
}

#[test]
fn one_quotient_may_occur_in_several_atoms_and_inside_another_quotient() {
    let text = "(let ((q (div x 3))) (=> (>= q 2) (and (>= x 6) (>= (+ q (div q 2)) 3) (ite (> (mod q 2) 0) (> q 0) true))))";
    decides(&format!("(forall ((x Int)) {text})"), "sat");
    decides("(exists ((x Int)) (let ((q (div x 2))) (and (= (* 2 q) x) (= (+ (* 2 q) 1) x))))", "unsat");
}

#[test]
fn sat_comes_with_a_confirmed_model_of_the_free_constants() {
    let text = "(declare-const a Int)(declare-const b Real)(declare-const p Bool)
        (assert (and (> (* 3 a) 7) (< (mod a 5) 2) (= p (< b 0.5)) p (> (* 3.0 b) 1.0)))
        (assert (forall ((x Int)) (or (< x a) (> x 4))))(check-sat)";
    let Decision::Sat(proof) = decision(text) else { panic!("{:?}", decision(text)) };
    let witness = proof.witness.unwrap();
    assert!(witness.text.contains("(define-fun a () Int 5)"), "{}", witness.text);
    assert!(!proof.explanation.removals.is_empty());
    assert!(proof.explanation.to_string().contains("x: 1 pairs of bounds"), "{}", proof.explanation);
}

#[test]
fn nonlinear_formulas_are_refused_with_the_reason() {
    refuses("(declare-const x Int)(assert (> (* x x) 2))", &Reason::NotLinear);
    refuses("(declare-const x Int)(assert (> (div 5 x) 2))", &Reason::NotLinear);
    refuses("(declare-const x Int)(assert (> (div x 0) 2))", &Reason::UnderSpecified);
    refuses("(declare-const x Real)(assert (> (/ x 0.0) 2.0))", &Reason::UnderSpecified);
    refuses("(declare-fun f (Int) Int)(assert (> (f 1) 2))", &Reason::Unsupported("`f`".into()));
    refuses("(declare-sort U 0)(declare-const u U)(assert (= u u))", &Reason::Unsupported("`u`".into()));
}

#[test]
fn the_budget_is_kept() {
    let text = "(assert (forall ((a Int)) (exists ((b Int)) (forall ((c Int)) (exists ((d Int))
        (or (< (+ (* 7 a) (* 11 b)) (+ (* 13 c) (* 17 d))) (= (mod (+ a d) 19) (mod (+ b c) 23))))))))(check-sat)";
    let budget = Budget::new(300, 1 << 28);
    let decision = decide(&mut script(text), 0, &budget);
    assert!(matches!(decision, Decision::Unknown(Reason::Exhausted(_))), "{decision:?}");
    assert_eq!(budget.steps_left(), 0);
}

#[test]
fn a_real_in_polynomials_is_decided_at_and_between_the_roots() {
    evaluates("(exists ((x Real)) (= (* x x) 2.0))", Some(true));
    evaluates("(forall ((x Real)) (>= (* x x) 0.0))", Some(true));
    evaluates("(forall ((x Real)) (> (* x x) 0.0))", Some(false));
    evaluates("(exists ((x Real)) (and (< (* x x) 2.0) (> (* x x x) 2.5)))", Some(true));
    evaluates("(exists ((x Real)) (and (< (* x x) 2.0) (> (* x x x) 2.9)))", Some(false));
    evaluates("(forall ((x Real)) (=> (= (* x x) 2.0) (= (* x x x x) 4.0)))", Some(true));
    evaluates("(forall ((x Real)) (let ((y (* x x))) (>= (ite (> x 0.0) y (- y)) (- y))))", Some(true));
    evaluates("(forall ((x Real)) (=> (> x 1.0) (> (/ 1.0 x) 0.0)))", None);
}

#[test]
fn an_integer_in_polynomials_and_remainders_is_decided_by_one_period_between_roots() {
    evaluates("(exists ((n Int)) (= (* n n) 2))", Some(false));
    evaluates("(forall ((n Int)) (distinct (mod (* n n) 4) 2))", Some(true));
    evaluates("(exists ((n Int)) (= (mod (* n n) 7) 3))", Some(false));
    evaluates("(exists ((n Int)) (and (> (* n n) 100000000) (= (mod n 7) 3)))", Some(true));
    evaluates(
        "(forall ((n Int)) (= (div (* n (+ n 1)) 2) (- (* n (+ n 1)) (div (* n (+ n 1)) 2))))",
        Some(true),
    );
    evaluates("(forall ((n Int)) (<= (div (* n n) (- 2)) 0))", Some(true));
}

#[test]
fn blocks_of_linear_arithmetic_are_decided_under_a_model() {
    let text = "(declare-const a Int)(declare-fun f (Int) Int)
        (assert (forall ((x Int) (y Int)) (=> (and (> x a) (> y (f a))) (> (+ x y) (+ a (f a) 1)))))(check-sat)";
    let mut script = script(text);
    let model =
        Model::parse(&mut script, b"((define-fun a () Int 5)(define-fun f ((x Int)) Int (* x x)))").unwrap();
    let report = semantics::eval::check(&script, &model, 0);
    assert_eq!(report.overall.value, semantics::eval::Verdict::True);
}

#[test]
fn decisions_agree_with_exhaustive_search_on_small_domains() {
    let mut decided = 0;
    for seed in 0..150 {
        let text = random_script(World::Bounded, seed);
        let ours = decision(&text);
        let theirs = match brute::decide(&mut script(&text), 0, brute::BruteLimits::default()) {
            brute::Verdict::Sat(_) => "sat",
            brute::Verdict::Unsat => "unsat",
            brute::Verdict::Unknown(_) => continue,
        };
        decided += usize::from(word(&ours) == theirs);
        assert!(word(&ours) == theirs || word(&ours) == "unknown", "we say {ours:?}, it is {theirs}: {text}");
    }
    assert!(decided > 120, "{decided}");
}

#[test]
fn elimination_agrees_with_trying_all_values_of_quantified_ranges() {
    let mut decided = 0;
    for seed in 0..150 {
        let text = random_script(World::Ranges, seed);
        // Free constants become quantified ones by giving them a value.
        let text = text.replace("(declare-const p Bool)", "(define-fun p () Bool true)");
        let text = (0..4).fold(text, |text, n| {
            text.replace(&format!("(declare-const c{n} Int)"), &format!("(define-fun c{n} () Int {n})"))
        });
        let ours = decision(&text);
        let script = script(&text);
        let model = Model::default();
        let mut evaluator = Evaluator::new(&script.pool, &model);
        let values: Vec<_> = script.assertions().map(|term| evaluator.eval_open(term)).collect();
        let truth: Option<Vec<bool>> = values.iter().map(|value| value.as_ref().ok()?.as_bool()).collect();
        let Some(truth) = truth else { continue };
        let theirs = if truth.iter().all(|&b| b) { "sat" } else { "unsat" };
        decided += usize::from(word(&ours) == theirs);
        assert!(word(&ours) == theirs || word(&ours) == "unknown", "we say {ours:?}, it is {theirs}: {text}");
    }
    assert!(decided > 120, "{decided}");
}

#[test]
fn sampling_agrees_with_elimination_when_atoms_are_multiplied_by_positive_terms() {
    for seed in 0..200u64 {
        let mut random = testkit::SplitMix(seed);
        let mut roll = |below: u64| random.below(below) as i64;
        let mut atoms = vec![];
        for _ in 0..4 {
            let relation = ["<", "<=", "=", "distinct", ">"][roll(5) as usize];
            atoms.push((relation, roll(7) - 3, roll(9) - 4));
        }
        let number = |n: i64| if n < 0 { format!("(- {}.0)", -n) } else { format!("{n}.0") };
        let body = |factor: &str| {
            let atom = |(relation, a, b): &(&str, i64, i64)| {
                format!("({relation} (* {factor} (+ (* {} x) {})) 0.0)", number(*a), number(*b))
            };
            let [p, q, r, s] = [0, 1, 2, 3].map(|n| atom(&atoms[n]));
            format!("(or (and {p} {q}) (and {r} (not {s})))")
        };
        let quantifier = if roll(2) == 0 { "forall" } else { "exists" };
        let formula = |factor: &str| format!("({quantifier} ((x Real)) {})", body(factor));
        let linear = decision(&format!("(assert {})(check-sat)", formula("1.0")));
        let expected = match word(&linear) {
            "sat" => true,
            "unsat" => false,
            _ => panic!("{linear:?}"),
        };
        evaluates(&formula("(+ 1.0 (* x x))"), Some(expected));
    }
}

#[test]
fn a_check_after_an_unknown_command_is_not_decided() {
    let unknown = |text: &str| assert_eq!(word(&decision(text)), "unknown", "{text}");
    unknown("(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(assert true)(check-sat)");
    unknown("(assert true)(include \"more.smt2\")(check-sat)");
}
