use super::World;
use semantics::eval::{Report, Verdict, check};
use semantics::model::Model;
use smtlib::Script;

fn judge(script: &str, model: &str) -> Report {
    let mut script = Script::parse(script.as_bytes()).unwrap();
    let model = Model::parse(&mut script, model.as_bytes()).unwrap();
    check(&script, &model, 0)
}

#[test]
fn a_model_is_checked_against_all_assertions() {
    let script = "(declare-const x Int)(declare-fun f (Int Int) Int)(declare-const a (Array Int Int))
        (assert (= (f x 2) 7))(assert (= (select a x) (f 2 x)))(assert (> x 0))(check-sat)";
    let good = World::new(script)
        .set("x", "5")
        .define("f", "(lambda ((u Int) (v Int)) (ite (and (= u 5) (= v 2)) 7 9))")
        .set("a", "(store ((as const (Array Int Int)) 0) 5 9)");
    let report = good.check();
    assert_eq!(report.overall.value, Verdict::True);
    assert!(!report.overall.completed && !report.overall.underspecified);
    let bad = World::new(script)
        .set("x", "5")
        .define("f", "(lambda ((u Int) (v Int)) (ite (and (= u 5) (= v 2)) 7 9))")
        .set("a", "((as const (Array Int Int)) 0)");
    let report = bad.check();
    assert_eq!(report.overall.value, Verdict::False);
    assert_eq!(report.assertions[1].truth.value, Verdict::False);
    assert_eq!(report.assertions[1].command, 4);
}

#[test]
fn functions_of_several_arguments_become_tables_where_possible() {
    let mut world = World::new("(declare-fun f (Int Int) Int)(declare-fun g (Int Int) Int)")
        .define("f", "(lambda ((u Int) (v Int)) (ite (and (= u 5) (= v 2)) 7 9))")
        .define("g", "(lambda ((u Int) (v Int)) (ite (= v 2) (ite (= u 5) 7 9) 9))");
    assert_eq!(world.show("(= f g)"), "true");
}

#[test]
fn irrational_numbers_of_models_are_exact() {
    let script = "(declare-const x Real)(assert (= (* x x) 2.0))(assert (< x 0.0))(check-sat)";
    let first = judge(script, "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 1)))");
    assert_eq!(first.overall.value, Verdict::True);
    let second = judge(script, "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))");
    assert_eq!(second.overall.value, Verdict::False);
}

#[test]
fn a_sum_of_squares_of_numbers_of_degree_four_is_exact() {
    // The two are related: the sum is 1, though the degrees multiply to 16 on the way. (Z3Prover/z3#5301)
    let model = "((define-fun b () Real
        (root-obj (+ (* 2 (^ x 4)) (* (- 2) (^ x 3)) (* (- 2) (^ x 2)) (* 2 x) 1) 2))
      (define-fun a () Real (root-obj (+ (* 2 (^ x 4)) (* 2 (^ x 3)) (* (- 2) x) (- 1)) 2)))";
    let script = |relation: &str| {
        format!(
            "(declare-const a Real)(declare-const b Real)
            (assert (< b 0.0 a))(assert (= (* (+ a b) a) (- b)))
            (assert ({relation} (+ (* a a) (* b b)) 1.0))(check-sat)"
        )
    };
    assert_eq!(judge(&script("="), model).overall.value, Verdict::True);
    assert_eq!(judge(&script("<"), model).overall.value, Verdict::False);
}

#[test]
fn numbers_too_hard_to_hold_exactly_are_still_compared() {
    let root = |n: u32| format!("(define-fun x{n} () Real (root-obj (+ (^ x 5) (* (- 1) x) (- {n})) 1))");
    let declare: String = (1..=4).map(|n| format!("(declare-const x{n} Real)")).collect();
    let model = format!("({})", (1..=4).map(root).collect::<String>());
    // About 1.167, 1.267, 1.341 and 1.400: the exact sum has degree 625.
    let sum = "(+ x1 x2 x3 x4)";
    let judged =
        |assertion: &str| judge(&format!("{declare}(assert {assertion})(check-sat)"), &model).overall.value;
    assert_eq!(judged(&format!("(< 5.17 {sum} 5.18)")), Verdict::True);
    assert_eq!(judged(&format!("(< {sum} 5.0)")), Verdict::False);
    assert_eq!(judged("(< (* x1 x2 x3 x4) (^ x4 8.0))"), Verdict::True);
    assert!(matches!(judged(&format!("(= {sum} (+ x4 x3 x2 x1))")), Verdict::Unknown(_)));
}

#[test]
fn the_universe_of_a_model_decides_quantifiers() {
    let script = "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)
        (assert (forall ((x U)) (= (f (f x)) x)))(assert (distinct (f a) a))(check-sat)";
    let model = |f: &str| {
        format!(
            "(;; universe for U:
              ;;   U!val!0 U!val!1
              (declare-fun U!val!0 () U)
              (declare-fun U!val!1 () U)
              (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))
              (define-fun a () U U!val!0)
              (define-fun f ((x!0 U)) U {f}))"
        )
    };
    let good = judge(script, &model("(ite (= x!0 U!val!1) U!val!0 U!val!1)"));
    assert_eq!(good.overall.value, Verdict::True);
    let bad = judge(script, &model("U!val!1"));
    assert_eq!(bad.overall.value, Verdict::False);
}

#[test]
fn arrays_of_models_may_be_lambdas_or_functions() {
    let script = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))
        (assert (= (store a 3 7) b))(assert (= (select a 3) 0))(check-sat)";
    let lambda = "((define-fun a () (Array Int Int) (lambda ((x!1 Int)) (ite (= x!1 5) 2 0)))
        (define-fun b () (Array Int Int) (lambda ((x!1 Int)) (ite (= x!1 5) 2 (ite (= x!1 3) 7 0)))))";
    assert_eq!(judge(script, lambda).overall.value, Verdict::True);
    let function = "((define-fun k!0 ((x!0 Int)) Int (ite (= x!0 5) 2 0))
        (define-fun a () (Array Int Int) (_ as-array k!0))
        (define-fun b () (Array Int Int) (store (store ((as const (Array Int Int)) 0) 5 2) 3 7)))";
    assert_eq!(judge(script, function).overall.value, Verdict::True);
}

#[test]
fn a_set_of_which_a_model_gives_only_the_size_refutes_nothing() {
    let script =
        "(declare-const a (FiniteSet Int))(assert (set.in 3 a))(assert (= (set.size a) 2))(check-sat)";
    let model = "((define-fun a () (FiniteSet Int)
        (set.union ((as set.unique (FiniteSet Int)) 1 1) ((as set.unique (FiniteSet Int)) 2 1))))";
    assert!(matches!(judge(script, model).overall.value, Verdict::Unknown(_)));
}

/// Over a sort with exactly the two elements that the script names, `a` and `b` are equal arrays; with more elements
/// they are not.
const TWO_TABLES: &str = "(declare-sort U 0)(declare-const u U)(declare-const v U)
    (declare-const a (Array U Int))(declare-const b (Array U Int))
    (declare-datatype Box ((box (content (Array U Int)))))
    (declare-const k (Array (Array U Int) Int))";

#[test]
fn maps_over_a_sort_of_unknown_size_are_not_distinguished_inside_other_values() {
    let model = "((define-fun u () U (as @U_0 U))(define-fun v () U (as @U_1 U))
        (define-fun a () (Array U Int) (store (store ((as const (Array U Int)) 0) (as @U_0 U) 1) (as @U_1 U) 1))
        (define-fun b () (Array U Int) ((as const (Array U Int)) 1)))";
    for term in [
        "(= a b)",
        "(= (box a) (box b))",
        "(= (seq.unit a) (seq.unit b))",
        "(= (tuple a 1) (tuple b 1))",
        "(= (nullable.some a) (nullable.some b))",
        "(set.member a (set.singleton b))",
        "(= (set.singleton a) (set.singleton b))",
        "(= (bag a 1) (bag b 1))",
        "(= 1 (select (store k b 1) a))",
    ] {
        let report = judge(&format!("{TWO_TABLES}(assert {term})(check-sat)"), model);
        assert!(matches!(report.overall.value, Verdict::Unknown(_)), "{term}: {:?}", report.overall.value);
        let report = judge(&format!("{TWO_TABLES}(assert (not {term}))(check-sat)"), model);
        assert!(matches!(report.overall.value, Verdict::Unknown(_)), "{term}: {:?}", report.overall.value);
    }
    // Maps that differ for every size of the sort are still distinguished, and equal ones are equal.
    for (term, truth) in [
        ("(= (box a) (box (store a u 2)))", Verdict::False),
        ("(= (box a) (box (store (store a v 1) u 1)))", Verdict::True),
        ("(= (seq.unit a) (seq.++ (seq.unit a) (seq.unit b)))", Verdict::False),
        ("(= (tuple a 1) (tuple b 2))", Verdict::False),
        ("(= (box b) (box ((as const (Array U Int)) 2)))", Verdict::False),
    ] {
        let report = judge(&format!("{TWO_TABLES}(assert {term})(check-sat)"), model);
        assert_eq!(report.overall.value, truth, "{term}");
    }
}
