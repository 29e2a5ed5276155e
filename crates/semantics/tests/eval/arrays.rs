use super::{World, agree};

#[test]
fn arrays_return_the_stored_values() {
    agree(&[
        ("(select (store ((as const (Array Int Int)) 0) 3 5) 3)", "5"),
        ("(select (store ((as const (Array Int Int)) 0) 3 5) 4)", "0"),
        ("(store (store ((as const (Array Int Int)) 0) 3 5) 3 0)", "((as const (Array Int Int)) 0)"),
        ("(= (store ((as const (Array Int Int)) 0) 3 0) ((as const (Array Int Int)) 0))", "true"),
        ("(= ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 0))", "false"),
        (
            "((_ map (+ (Int Int) Int)) ((as const (Array Int Int)) 1) (store ((as const (Array Int Int)) 2) 0 5))",
            "(store ((as const (Array Int Int)) 3) 0 6)",
        ),
        ("(default (store ((as const (Array Int Int)) 2) 0 5))", "2"),
        ("(eqrange (store ((as const (Array Int Int)) 0) 5 1) ((as const (Array Int Int)) 0) 0 4)", "true"),
        ("(eqrange (store ((as const (Array Int Int)) 0) 5 1) ((as const (Array Int Int)) 0) 0 5)", "false"),
    ]);
}

#[test]
fn arrays_over_finite_indices_are_equal_when_they_agree_everywhere() {
    agree(&[
        // Bases differ, but the exceptions cover the index space.
        (
            "(= (store (store ((as const (Array Bool Int)) 0) true 1) false 1) ((as const (Array Bool Int)) 1))",
            "true",
        ),
        (
            "(= (store ((as const (Array Bool Int)) 0) true 1) (store ((as const (Array Bool Int)) 1) false 0))",
            "true",
        ),
        (
            "(= (store ((as const (Array Bool Int)) 0) true 1) (store ((as const (Array Bool Int)) 1) false 2))",
            "false",
        ),
        (
            "(= (store (store (store (store ((as const (Array (_ BitVec 2) Bool)) false) #b00 true) #b01 true) #b10 true) #b11 true) ((as const (Array (_ BitVec 2) Bool)) true))",
            "true",
        ),
        (
            "(= (store (store (store (store (store ((as const (Array RoundingMode Int)) 0) RNE 1) RNA 1) RTP 1) RTN 1) RTZ 1) ((as const (Array RoundingMode Int)) 1))",
            "true",
        ),
        (
            "(= (store (store (store (store ((as const (Array RoundingMode Int)) 0) RNE 1) RNA 1) RTP 1) RTN 1) ((as const (Array RoundingMode Int)) 1))",
            "false",
        ),
    ]);
}

#[test]
fn arrays_indexed_by_tiny_floats_have_one_cell_for_nan() {
    // (_ FloatingPoint 2 2) has 2 * 3 * 2 + 3 = 15 values, one of them NaN.
    let mut array = "((as const (Array (_ FloatingPoint 2 2) Bool)) false)".to_owned();
    for bits in 0..16 {
        array = format!("(store {array} ((_ to_fp 2 2) #b{bits:04b}) true)");
    }
    let mut world = World::new("");
    assert_eq!(
        world.show(&format!("(= {array} ((as const (Array (_ FloatingPoint 2 2) Bool)) true))")),
        "true"
    );
}

#[test]
fn arrays_as_indices_and_elements_are_compared_by_extension() {
    agree(&[(
        "(select (store ((as const (Array (Array Bool Bool) Int)) 0) (store ((as const (Array Bool Bool)) false) true true) 7) (store ((as const (Array Bool Bool)) true) false false))",
        "7",
    )]);
}

#[test]
fn lambdas_that_test_for_equality_become_tables() {
    agree(&[
        ("(= (lambda ((x Int)) (ite (= x 3) 5 0)) (store ((as const (Array Int Int)) 0) 3 5))", "true"),
        (
            "(= (lambda ((x Int)) (ite (or (= x 3) (= 4 x)) 5 0)) (store ((as const (Array Int Int)) 0) 3 5))",
            "false",
        ),
        (
            "(= (lambda ((x Int)) (+ x 1)) (lambda ((y Int)) (+ 1 y)))",
            "unknown: equality of functions is not decided",
        ),
        ("(select (lambda ((x Int)) (+ x 1)) 41)", "42"),
    ]);
}

#[test]
fn functions_as_arrays() {
    let mut world =
        World::new("(declare-fun f (Int) Int)").define("f", "(lambda ((x Int)) (ite (= x 1) 10 20))");
    assert_eq!(world.show("(select (_ as-array f) 1)"), "10");
    assert_eq!(world.show("(_ as-array f)"), "(store ((as const (Array Int Int)) 20) 1 10)");
}

#[test]
fn sets_of_z3_are_arrays() {
    agree(&[
        ("(subset (store ((as const (Set Int)) false) 1 true) ((as const (Set Int)) true))", "true"),
        ("(= (complement ((as const (Set Int)) false)) ((as const (Set Int)) true))", "true"),
        (
            "(select (union (store ((as const (Set Int)) false) 1 true) (store ((as const (Set Int)) false) 2 true)) 2)",
            "true",
        ),
        (
            "(select (setminus ((as const (Set Int)) true) (store ((as const (Set Int)) false) 2 true)) 2)",
            "false",
        ),
    ]);
}

#[test]
fn a_set_and_its_membership_map_are_one_value() {
    agree(&[
        ("(exists ((s (Set Bool))) (= s ((as const (Set Bool)) true)))", "true"),
        ("(forall ((s (Set Bool))) (distinct s ((as const (Set Bool)) false)))", "false"),
        ("(exists ((u (Set (Set Bool)))) (select u ((as const (Set Bool)) true)))", "true"),
        (
            "(exists ((t (Set Bool))) (= 3 (select (store ((as const (Array (Set Bool) Int)) 0)
                ((as const (Set Bool)) true) 3) t)))",
            "true",
        ),
        (
            "(exists ((t (Set Bool))) (seq.contains (seq.unit ((as const (Set Bool)) true)) (seq.unit t)))",
            "true",
        ),
    ]);
}
