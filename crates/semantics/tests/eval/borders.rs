//! Operators where their definitions change from one case to another: zero, one, minus one, empty, the first and the last.
//!
//! Each row was written for a mutant of the evaluator that no other test noticed (docs/guarantees/fuzzing.md), from the
//! definition in the standard or the solver's documentation.

use super::{World, agree, is_open, truth};

#[test]
fn powers_of_minus_one_zero_and_one_have_any_exponent() {
    agree(&[
        ("(^ (- 1) 0)", "1"),
        ("(^ (- 1) 3)", "(- 1)"),
        ("(^ (- 1) 4)", "1"),
        ("(^ (- 1) 100000000000000000000001)", "(- 1)"),
        ("(^ (- 1) 100000000000000000000002)", "1"),
        ("(^ 1 100000000000000000000001)", "1"),
        ("(^ 0 100000000000000000000001)", "0"),
        ("(^ 1 0)", "1"),
        ("(^ 0 2)", "0"),
        ("(^ 2 10)", "1024"),
    ]);
    assert!(is_open(&World::new("").eval("(^ 0 0)")));
    assert!(is_open(&World::new("").eval("(^ 2 (- 1))")));
}

#[test]
fn one_argument_is_itself_and_a_chain_of_one_holds() {
    agree(&[
        ("(+ 3)", "3"),
        ("(* 3)", "3"),
        ("(- 3)", "(- 3)"),
        ("(<= 3)", "true"),
        ("(< 3)", "true"),
        ("(and true)", "true"),
        ("(or false)", "false"),
        ("(xor true)", "true"),
        ("(xor false)", "false"),
        ("(bvadd #x3)", "#x3"),
    ]);
}

#[test]
fn ranges_filters_and_quantified_sets_at_their_ends() {
    agree(&[
        ("(set.size (set.range 3 5))", "3"),
        ("(set.size (set.range 3 3))", "1"),
        ("(set.size (set.range 4 3))", "0"),
        ("(set.size (set.range 9 3))", "0"),
        ("(set.in 5 (set.range 3 5))", "true"),
        ("(set.in 6 (set.range 3 5))", "false"),
        ("(set.in 2 (set.range 3 5))", "false"),
        (
            "(= (set.filter (lambda ((x Int)) (> x 1)) (set.insert 1 2 (set.singleton 3))) (set.insert 2 (set.singleton 3)))",
            "true",
        ),
        ("(set.all (lambda ((x Int)) (> x 1)) (set.insert 2 (set.singleton 3)))", "true"),
        ("(set.all (lambda ((x Int)) (> x 2)) (set.insert 2 (set.singleton 3)))", "false"),
        ("(set.some (lambda ((x Int)) (> x 2)) (set.insert 2 (set.singleton 3)))", "true"),
        ("(set.some (lambda ((x Int)) (> x 3)) (set.insert 2 (set.singleton 3)))", "false"),
        ("(set.all (lambda ((x Int)) false) (as set.empty (Set Int)))", "true"),
        ("(set.some (lambda ((x Int)) true) (as set.empty (Set Int)))", "false"),
        ("(seq.len (seq.power (seq.unit 7) 0))", "0"),
        ("(seq.len (seq.power (seq.unit 7) 1))", "1"),
        ("(seq.len (seq.power (as seq.empty (Seq Int)) 5))", "0"),
    ]);
}

#[test]
fn at_least_zero_others_is_not_decided_for_a_sort_that_may_be_infinite() {
    let relation = "(set.insert (tuple 1 2) (tuple 1 3) (set.singleton (tuple 2 2)))";
    for least in ["0", "(- 1)"] {
        let outcome = World::new("").eval(&format!("(rel.join_image {relation} {least})"));
        assert!(outcome.is_err(), "{least}: {outcome:?}");
    }
    agree(&[(
        &format!("(= (rel.join_image {relation} 1) (set.insert (tuple 1) (set.singleton (tuple 2))))"),
        "true",
    )]);
}

#[test]
fn sets_as_arrays_are_counted_by_what_they_hold() {
    agree(&[
        ("(card (store (store ((as const (Array Int Bool)) false) 1 true) 2 true))", "2"),
        ("(card ((as const (Array Int Bool)) false))", "0"),
        ("(card (store ((as const (Array (_ BitVec 2) Bool)) true) #b00 false))", "3"),
        ("(card ((as const (Array (_ BitVec 2) Bool)) true))", "4"),
        ("(set-has-size (store ((as const (Array Int Bool)) false) 1 true) 1)", "true"),
        ("(set-has-size (store ((as const (Array Int Bool)) false) 1 true) 2)", "false"),
        // An infinite set has no size.
        ("(set-has-size ((as const (Array Int Bool)) true) 0)", "false"),
    ]);
    // More values than can be counted are not infinitely many.
    let vast = World::new("").eval("(set-has-size ((as const (Array (_ BitVec 70) Bool)) true) 1)");
    assert_eq!(truth(&vast), None, "{vast:?}");
}

#[test]
fn an_index_where_two_arrays_differ_is_one_of_those_where_they_do() {
    let zero = "((as const (Array Int Int)) 0)";
    let different = format!("(array-ext (store {zero} 3 1) {zero})");
    let same = format!("(array-ext {zero} {zero})");
    let mut world = World::new("");
    let outcome = world.eval(&different);
    assert!(is_open(&outcome) || world.show(&different) == "3", "{outcome:?}");
    assert!(is_open(&world.eval(&same)));
    // Everywhere but at finitely many indices: any of infinitely many.
    let bases = world.eval(&format!("(array-ext {zero} ((as const (Array Int Int)) 1))"));
    assert!(bases.is_err(), "{bases:?}");
}

#[test]
fn bags_are_divided_only_by_equivalences() {
    let bag = "(bag.union_disjoint (bag 1 1) (bag.union_disjoint (bag 2 4) (bag 3 1)))";
    let parity = "(lambda ((x Int) (y Int)) (= (mod x 2) (mod y 2)))";
    agree(&[
        (
            &format!(
                "(= (bag.partition {parity} {bag}) (bag.union_disjoint (bag (bag 2 4) 1) (bag (bag.union_disjoint (bag 1 1) (bag 3 1)) 1)))"
            ),
            "true",
        ),
        ("(= (bag.filter (lambda ((x Int)) (> x 1)) (bag 1 2)) (as bag.empty (Bag Int)))", "true"),
        ("(bag.card (bag.filter (lambda ((x Int)) (> x 1)) (bag.union_disjoint (bag 1 2) (bag 2 3))))", "3"),
    ]);
    // Not reflexive, not symmetric, not transitive.
    for relation in ["(< x y)", "(<= x y)", "(<= (abs (- x y)) 1)"] {
        let outcome =
            World::new("").eval(&format!("(bag.partition (lambda ((x Int) (y Int)) {relation}) {bag})"));
        assert!(outcome.is_err(), "{relation}: {outcome:?}");
    }
}

#[test]
fn functions_of_two_arguments_are_read_compared_and_applied_to_one() {
    agree(&[
        ("(select (lambda ((x Int) (y Bool)) (ite y x 0)) 5 true)", "5"),
        ("(select (lambda ((x Int) (y Bool)) (ite y x 0)) 5 false)", "0"),
        ("(= (lambda ((x Bool) (y Bool)) (and x y)) (lambda ((x Bool) (y Bool)) (and y x)))", "true"),
        ("(= (lambda ((x Bool) (y Bool)) (and x y)) (lambda ((x Bool) (y Bool)) (or y x)))", "false"),
        ("(= (lambda ((x Bool)) (not (not x))) (lambda ((y Bool)) y))", "true"),
    ]);
}

#[test]
fn a_sort_with_one_value_makes_all_arrays_of_it_equal() {
    let mut world = World::new("(declare-datatype One ((one)))(declare-datatype Two ((a) (b)))");
    for (term, expected) in [
        ("(forall ((x (Array Two One)) (y (Array Two One))) (= x y))", "true"),
        ("(forall ((x (Array One Two)) (y (Array One Two))) (= x y))", "false"),
        (
            "(exists ((x (Array Two Two)) (y (Array Two Two))) (and (distinct x y) (= (select x a) (select y a))))",
            "true",
        ),
    ] {
        assert_eq!(world.show(term), expected, "{term}");
    }
    // Over infinitely many indices it may be left open, but not be said to be otherwise.
    assert_ne!(world.show("(forall ((x (Array Int One)) (y (Array Int One))) (= x y))"), "false");
    assert_ne!(world.show("(exists ((x (Array Int One))) (distinct (select x 0) one))"), "true");
}

#[test]
fn integers_between_several_bounds_are_those_between_the_tightest() {
    agree(&[
        ("(exists ((x Int)) (and (<= x 5) (<= x 3) (>= x 0) (>= x 2) (= (* x x x) 27)))", "true"),
        ("(exists ((x Int)) (and (<= x 3) (<= x 5) (>= x 2) (>= x 0) (= (* x x x) 64)))", "false"),
        ("(exists ((x Int)) (and (< 2 x) (< x 6) (= (* x x x) 64)))", "true"),
        ("(forall ((x Int)) (=> (and (<= 0 x) (<= x 3)) (<= (* x x x) 27)))", "true"),
        ("(forall ((x Int)) (=> (and (<= 0 x) (<= x 3)) (< (* x x x) 27)))", "false"),
        ("(exists ((x Int)) (and (<= 4 x) (<= x 3)))", "false"),
    ]);
}

#[test]
fn a_nan_with_one_bit_of_fraction_has_two_patterns() {
    let nan = "((_ to_fp 3 2) #b01111)";
    let mut world = World::new("");
    for pattern in ["#b01111", "#b11111"] {
        let equal = world.eval(&format!("(= (fp.to_ieee_bv {nan}) {pattern})"));
        assert_ne!(truth(&equal), Some(false), "{pattern}");
    }
    let other = world.eval(&format!("(= (fp.to_ieee_bv {nan}) #b01110)"));
    assert_ne!(truth(&other), Some(true));
    // With more bits, patterns besides the first two are possible.
    let wide = world.eval("(= (fp.to_ieee_bv ((_ to_fp 3 4) #b0111111)) #b0111011)");
    assert_ne!(truth(&wide), Some(false), "{wide:?}");
}

#[test]
fn a_range_of_an_array_is_equal_by_its_stores_where_they_cover_it_and_by_the_bases_elsewhere() {
    let (a, b) = ("(store ((as const (Array Int Int)) 0) 1 5)", "(store ((as const (Array Int Int)) 9) 1 5)");
    agree(&[
        (&format!("(eqrange {a} {b} 1 1)"), "true"),
        (&format!("(eqrange {a} {b} 1 2)"), "false"),
        (&format!("(eqrange {a} {b} 0 1)"), "false"),
        (&format!("(eqrange {a} {b} 2 1)"), "true"),
        (&format!("(eqrange {a} {a} (- 3) 7)"), "true"),
        (&format!("(eqrange {a} (store {a} 1 6) 1 1)"), "false"),
    ]);
}

#[test]
fn bags_count_and_hold_what_was_put_in() {
    let bag = "(bag.union_disjoint (bag 1 2) (bag 3 1))";
    agree(&[
        (&format!("(bag.count 1 {bag})"), "2"),
        (&format!("(bag.count 2 {bag})"), "0"),
        (&format!("(bag.member 3 {bag})"), "true"),
        (&format!("(bag.member 2 {bag})"), "false"),
    ]);
}

#[test]
fn an_index_that_may_be_equal_to_a_stored_one_reads_neither_it_nor_the_base() {
    // Functions on all integers: whether two of them are equal is not found by comparing how they are written.
    let key = |body: &str| format!("(lambda ((x Int)) {body})");
    let array = format!("(store ((as const (Array (Array Int Int) Int)) 0) {} 7)", key("(+ x 1)"));
    let outcome = World::new("").eval(&format!("(select {array} {})", key("(- (+ x 2) 1)")));
    assert!(
        !matches!(&outcome, Ok(value) if *value == semantics::value::Value::Int(0.into())),
        "{outcome:?}"
    );
}

#[test]
fn integers_between_constant_bounds_are_tried_one_after_the_other() {
    agree(&[
        (r#"(exists ((x Int)) (and (<= 2 x) (<= x 4) (= (str.at "abcde" x) "e")))"#, "true"),
        (r#"(exists ((x Int)) (and (<= 2 x) (<= x 4) (= (str.at "abcde" x) "b")))"#, "false"),
        (r#"(forall ((x Int)) (=> (and (< 0 x) (< x 4)) (str.is_digit (str.at "a123b" x))))"#, "true"),
        (r#"(forall ((x Int)) (=> (and (< 0 x) (<= x 4)) (str.is_digit (str.at "a123b" x))))"#, "false"),
        (r#"(exists ((x Int)) (and (not (> 2 x)) (not (> x 4)) (= (str.at "abcde" x) "c")))"#, "true"),
    ]);
    // A bound that is a variable itself is not used as if it had one value.
    for (letter, wrong) in [("a", "false"), ("b", "true")] {
        let inner = format!(r#"(exists ((y Int)) (and (<= 0 y) (<= y x) (= (str.at "abc" y) "{letter}")))"#);
        let term = format!("(forall ((x Int)) (=> (and (<= 0 x) (<= x 2)) {inner}))");
        assert_ne!(World::new("").show(&term), wrong, "{term}");
    }
}

#[test]
fn the_absolute_value_of_a_number_that_is_only_enclosed_has_its_sign_removed() {
    for (term, expected) in [
        ("(< 2.7 (abs (exp 1.0)) 2.8)", "true"),
        ("(< 2.7 (abs (- (exp 1.0))) 2.8)", "true"),
        ("(= (abs (- (exp 1.0))) (- (exp 1.0)))", "false"),
        ("(< 3.1 (abs real.pi) 3.2)", "true"),
        ("(< 3.1 (abs (- real.pi)) 3.2)", "true"),
    ] {
        assert_eq!(World::new("").show(term), expected, "{term}");
    }
}

#[test]
fn what_a_solver_says_of_its_own_function_at_an_open_point_is_tried_first() {
    // No other choice is near enough to be found.
    let script =
        "(declare-const x Real)(assert (= (* (/ x 0.0) (/ x 0.0) (/ x 0.0)) 1881365963625.0))(check-sat)";
    let told = |value: &str| {
        let world =
            World::new(script).set("x", "1.0").under("/0", &format!("(lambda ((x Real) (y Real)) {value})"));
        world.check().overall.value
    };
    use semantics::eval::Verdict;
    assert_eq!(told("12345.0"), Verdict::True);
    assert_ne!(told("12346.0"), Verdict::True, "the test is about what only the model knows");
    // One helper per sort of its argument.
    let floats = "(declare-const a (_ FloatingPoint 5 11))(declare-const b (_ FloatingPoint 8 24))\
        (assert (= (bvmul ((_ fp.to_ubv 16) RNE a) ((_ fp.to_ubv 16) RNE a)) #xade9))\
        (assert (= (bvmul ((_ fp.to_ubv 16) RNE b) ((_ fp.to_ubv 16) RNE b)) #xd7b9))(check-sat)";
    let world = World::new(floats)
        .set("a", "(_ NaN 5 11)")
        .set("b", "(_ NaN 8 24)")
        .under("fp.to_ubv_unspecified", "(lambda ((m RoundingMode) (f (_ FloatingPoint 5 11))) #x00d3)")
        .under("fp.to_ubv_unspecified", "(lambda ((m RoundingMode) (f (_ FloatingPoint 8 24))) #x00eb)");
    assert_eq!(world.check().overall.value, Verdict::True);
}
