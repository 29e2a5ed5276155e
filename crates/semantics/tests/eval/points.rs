use super::{World, is_open};
use semantics::eval::Verdict;

fn check(script: &str) -> (Verdict, bool, bool) {
    let overall = World::new(script).check().overall;
    (overall.value, overall.underspecified, overall.completed)
}

#[test]
fn division_by_zero_is_open_until_a_value_is_chosen() {
    let mut world = World::new("");
    for term in [
        "(/ 1.0 0.0)",
        "(div 1 0)",
        "(mod 1 0)",
        "(seq.nth (seq.unit 1) 5)",
        "((_ fp.to_ubv 8) RNE (_ NaN 5 11))",
        "(fp.min (_ +zero 5 11) (_ -zero 5 11))",
        "(fp.to_real (_ +oo 5 11))",
    ] {
        assert!(is_open(&world.eval(term)), "{term}");
    }
}

#[test]
fn one_point_has_one_value() {
    let both = "(declare-const x Real)(assert (= (/ x 0.0) 1.0))(assert (= (/ x 0.0) 2.0))(check-sat)";
    let overall = World::new(both).set("x", "3.0").check().overall;
    assert_eq!(overall.value, Verdict::False);
    assert!(overall.underspecified);
}

#[test]
fn different_points_may_differ() {
    let two = "(assert (= (/ 1.0 0.0) 1.0))(assert (= (/ 2.0 0.0) 2.0))(check-sat)";
    assert_eq!(check(two), (Verdict::True, true, false));
    let report = World::new(two).check();
    assert_eq!(report.choices.len(), 2);
}

#[test]
fn equal_arguments_make_equal_values() {
    let script = "(declare-const x Int)(declare-const y Int)(assert (= x y))(assert (distinct (div x 0) (div y 0)))(check-sat)";
    let overall = World::new(script).set("x", "1").set("y", "1").check().overall;
    assert_eq!(overall.value, Verdict::False);
}

#[test]
fn what_a_solver_prints_about_an_open_point_does_not_exclude_another_choice() {
    let script = "(declare-const x Real)(assert (= (/ x 0.0) 7.0))(check-sat)";
    let good = World::new(script).set("x", "1.0").under("/0", "(lambda ((x Real) (y Real)) 7.0)");
    assert_eq!(good.check().overall.value, Verdict::True);
    let bad = World::new(script).set("x", "1.0").under("/0", "(lambda ((x Real) (y Real)) 8.0)");
    assert_eq!(bad.check().overall.value, Verdict::True, "`/0` is no symbol of the script: 7 can be chosen");
    let never = World::new("(declare-const x Real)(assert (distinct (/ x 0.0) (/ x 0.0)))(check-sat)")
        .set("x", "1.0");
    assert_eq!(never.check().overall.value, Verdict::False, "no choice is consistent");
}

#[test]
fn minimum_of_two_zeros_is_one_of_them() {
    let either =
        |which: &str| format!("(assert (= (fp.min (_ +zero 5 11) (_ -zero 5 11)) {which}))(check-sat)");
    assert_eq!(check(&either("(_ +zero 5 11)")).0, Verdict::True);
    assert_eq!(check(&either("(_ -zero 5 11)")).0, Verdict::True);
    assert_eq!(check(&either("(_ +oo 5 11)")).0, Verdict::False);
    let order = "(assert (distinct (fp.min (_ +zero 5 11) (_ -zero 5 11)) (fp.min (_ -zero 5 11) (_ +zero 5 11))))(check-sat)";
    assert_eq!(check(order), (Verdict::True, true, false));
}

#[test]
fn an_assertion_that_does_not_depend_on_a_point_is_not_marked() {
    let script = "(assert (or (= (div 1 0) 3) (= 1 1)))(check-sat)";
    assert_eq!(check(script), (Verdict::True, false, false));
    let same = "(assert (= (div 1 0) (div 1 0)))(check-sat)";
    assert_eq!(check(same), (Verdict::True, false, false));
}

#[test]
fn selectors_of_other_constructors_are_open_and_consistent() {
    let head = "(declare-datatype L ((nil) (cons (head Int) (tail L))))";
    let one = format!("{head}(assert (= (head nil) 5))(assert (= (head nil) (head nil)))(check-sat)");
    assert_eq!(check(&one), (Verdict::True, true, false));
    let two = format!("{head}(assert (= (head nil) 5))(assert (= (head nil) 6))(check-sat)");
    assert_eq!(check(&two).0, Verdict::False);
}

#[test]
fn symbols_that_the_model_leaves_out_are_completed() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)";
    let easy = format!("{script}(assert (>= x 0))(check-sat)");
    assert_eq!(check(&easy), (Verdict::True, false, true));
    let harder = format!("{script}(assert (= x 17))(assert (= (f 3) 9))(assert (= (f 4) 10))(check-sat)");
    assert_eq!(check(&harder), (Verdict::True, false, true));
    let never = format!("{script}(assert (= x 17))(assert (distinct x 17))(check-sat)");
    assert_eq!(check(&never).0, Verdict::False);
    let beyond = format!("{script}(assert (= (* x x x) 27))(check-sat)");
    assert!(matches!(check(&beyond).0, Verdict::Unknown(_)));
}

#[test]
fn a_false_assertion_makes_the_whole_false() {
    let script = "(declare-const x Int)(assert (> x 0))(assert (= (div x 0) 1))(check-sat)";
    let report = World::new(script).set("x", "0").check();
    assert_eq!(report.overall.value, Verdict::False);
    assert!(!report.overall.underspecified);
    assert_eq!(report.assertions[0].truth.value, Verdict::False);
}

#[test]
fn an_element_chosen_from_a_set_is_in_it() {
    let set = "(set.insert 1 (set.singleton 2))";
    let inside = format!("(assert (= (set.choose {set}) 2))(check-sat)");
    assert_eq!(check(&inside).0, Verdict::True);
    let outside = format!("(assert (= (set.choose {set}) 3))(check-sat)");
    assert_eq!(check(&outside).0, Verdict::False);
}

#[test]
fn a_special_relation_is_any_order_of_its_kind() {
    let value = |asserted: &str| check(&format!("(declare-const a Int)(declare-const b Int){asserted}")).0;
    // The model leaves a and b out, so both are 0 unless an assertion names other numbers.
    let (yes, no) = (Verdict::True, Verdict::False);
    assert_eq!(value("(assert ((_ partial-order 0) a b))"), yes);
    assert_eq!(value("(assert (not ((_ partial-order 0) 1 2)))"), yes);
    assert_eq!(value("(assert (not ((_ partial-order 0) 1 1)))"), no);
    let ring = |kind: &str, numbers: &str| {
        let below = |a: u8, b: u8| format!("(assert ((_ {kind} 0) {a} {b}))");
        let pairs = numbers.as_bytes().windows(2);
        value(&pairs.map(|pair| below(pair[0] - b'0', pair[1] - b'0')).collect::<String>())
    };
    assert_eq!(ring("linear-order", "1234"), yes);
    // No order has a ring, but that there is none accuses nobody.
    assert!(matches!(ring("linear-order", "1231"), Verdict::Unknown(_)));
    let apart = "(assert (not ((_ K 0) 1 2)))(assert (not ((_ K 0) 2 1)))";
    assert_eq!(value(&apart.replace('K', "tree-order")), yes);
    assert!(matches!(value(&apart.replace('K', "linear-order")), Verdict::Unknown(_)));
    // Two numbers name two relations.
    let two = "(assert ((_ linear-order 0) 1 2))(assert ((_ linear-order 1) 2 1))";
    assert_eq!(value(two), yes);
}
