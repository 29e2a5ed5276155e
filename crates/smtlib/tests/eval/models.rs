use super::World;
use smtlib::Script;
use smtlib::eval::{Report, Verdict, check};
use smtlib::model::Model;

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
fn functions_of_several_arguments_become_tables_when_they_are() {
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
