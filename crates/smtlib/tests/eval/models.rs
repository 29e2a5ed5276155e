use super::World;
use smtlib::eval::Verdict;

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
