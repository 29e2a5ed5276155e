use super::{World, agree, truth};
use semantics::eval::Unknown;

#[test]
fn finite_domains_are_enumerated() {
    agree(&[
        ("(forall ((x Bool)) (or x (not x)))", "true"),
        ("(exists ((x (_ BitVec 8))) (= (bvmul x x) #x39))", "true"),
        ("(forall ((x (_ BitVec 8))) (= (bvneg (bvneg x)) x))", "true"),
        ("(forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (= (bvadd x y) (bvadd y x)))", "true"),
        ("(forall ((m RoundingMode)) (distinct m RNE))", "false"),
        ("(exists ((a (Array Bool Bool))) (and (select a true) (not (select a false))))", "true"),
        ("(forall ((x (_ FloatingPoint 2 3))) (=> (not (fp.isNaN x)) (fp.eq x x)))", "true"),
        ("(forall ((x (_ FloatingPoint 2 3))) (fp.eq x x))", "false"),
    ]);
}

#[test]
fn counterexamples_and_witnesses_are_found_over_infinite_domains() {
    agree(&[
        ("(forall ((x Int)) (> x 0))", "false"),
        ("(exists ((x Int)) (= (* x 7) 91))", "true"),
        (
            "(exists ((x Int) (y Int)) (= (* x x) (+ 1000003 (* y y y))))",
            "unknown: a quantifier ranges over too much",
        ),
        ("(exists ((x Int)) (= (* x x) 1))", "true"),
        ("(exists ((x Real)) (< x 0.0))", "true"),
        ("(forall ((x Float64)) (= ((_ fp.to_sbv 32) RNE x) (_ bv0 32)))", "false"),
        (
            "(forall ((x Float64)) (or (fp.isNaN x) (fp.leq (fp.abs x) ((_ to_fp 11 53) RNE 1000.0))))",
            "false",
        ),
        ("(forall ((x (_ BitVec 80))) (bvslt (bvneg x) ((_ zero_extend 79) #b1)))", "false"),
        ("(forall ((x (_ BitVec 80))) (=> (bvslt x (_ bv0 80)) (bvslt (_ bv0 80) (bvneg x))))", "false"),
        ("(exists ((s String)) (str.in_re s (re.range \"0\" \"9\")))", "true"),
        // A value that only a ground term of the script has.
        ("(and (= 91 (* 13 7)) (exists ((x Int)) (= (* x 7) 637)))", "true"),
    ]);
}

#[test]
fn bodies_that_use_their_variables_only_in_equalities_are_decided_over_infinite_domains() {
    let mut world = World::new("(declare-fun f (Int) Int)")
        .define("f", "(lambda ((x Int)) (ite (= x 1) 10 (ite (= x 2) 20 30)))");
    for (term, expected) in [
        ("(forall ((x Int)) (or (= (f x) 30) (= x 1) (= x 2)))", "true"),
        ("(forall ((x Int)) (or (= (f x) 30) (= x 1)))", "false"),
        ("(exists ((x Int)) (= (f x) 20))", "true"),
        ("(exists ((x Int)) (= (f x) 25))", "false"),
        ("(forall ((x Int) (y Int)) (=> (= x y) (= (f x) (f y))))", "true"),
        ("(exists ((x Int)) (forall ((y Int)) (= x y)))", "false"),
        ("(forall ((x Int)) (exists ((y Int)) (= x y)))", "true"),
        ("(forall ((x Int)) (exists ((y Int)) (distinct x y)))", "true"),
        ("(forall ((x (_ BitVec 64))) (exists ((y (_ BitVec 64))) (distinct x y)))", "true"),
    ] {
        assert_eq!(world.show(term), expected, "{term}");
    }
}

#[test]
fn integers_between_stated_bounds_are_enumerated() {
    agree(&[
        ("(forall ((x Int)) (=> (and (<= 0 x) (< x 100)) (< (* x x) 10000)))", "true"),
        ("(exists ((x Int)) (and (> x 5) (< x 50) (= (* x 7) 42)))", "true"),
        ("(exists ((x Int)) (and (> x 6) (< x 50) (= (* x 7) 42)))", "false"),
        ("(forall ((x Int)) (or (< x 0) (> x 10) (<= (* x x) 100)))", "true"),
        ("(forall ((x Int)) (or (not (<= 0 x)) (not (<= x 10)) (<= (* x x) 99)))", "false"),
    ]);
}

#[test]
fn a_declared_sort_is_as_large_as_the_model_says() {
    let mut world = World::new("(declare-sort U 0)(declare-fun p (U) Bool)(declare-const a U)")
        .universe("U", &["u0", "u1"])
        .set("a", "(as @x U)");
    let first = world.script.pool.symbol(b"u0");
    let sort = smtlib::parser::parse_sort(&mut world.script, b"U").unwrap();
    let element =
        world.script.pool.term(smtlib::term::Kind::Lit(smtlib::term::Lit::Abstract, first), sort, &[]);
    let decl = world.decl("a");
    world.model.functions.insert(decl, semantics::model::Definition { vars: vec![], body: element });
    let mut world = world.define("p", "(lambda ((x U)) (= x a))");
    assert_eq!(world.show("(forall ((x U)) (p x))"), "false");
    assert_eq!(world.show("(exists ((x U)) (not (p x)))"), "true");
    assert_eq!(world.show("(exists ((x U) (y U) (z U)) (distinct x y z))"), "false");
}

#[test]
fn a_declared_sort_without_universe_is_not_guessed() {
    let mut world =
        World::new("(declare-sort U 0)(declare-fun p (U) Bool)").define("p", "(lambda ((x U)) true)");
    let outcome = world.eval("(forall ((x U)) (p x))");
    assert_eq!(truth(&outcome), None);
    assert_eq!(outcome.unwrap_err(), Unknown::Quantifier);
}

#[test]
fn choice_is_known_if_exactly_one_value_satisfies_the_body() {
    let mut world = World::new("");
    assert_eq!(world.show("(choice ((x (_ BitVec 4))) (= (bvadd x #x1) #x0))"), "#xf");
    assert!(world.eval("(choice ((x (_ BitVec 4))) (bvult x #x2))").is_err());
}

#[test]
fn an_arbitrary_value_takes_no_case_of_a_match() {
    let mut world = World::new("(declare-datatypes ((L 0)) (((nil) (cons (h Int) (t L)))))");
    for (term, expected) in [
        ("(forall ((l L)) (match l ((nil false) (x true))))", Some(false)),
        ("(exists ((l L)) (match l ((nil true) (x false))))", Some(true)),
        ("(forall ((l L)) (match l ((x true))))", Some(true)),
        ("(forall ((l L)) (match l ((nil true) ((cons a b) true))))", Some(true)),
    ] {
        let outcome = world.eval(term);
        assert!(truth(&outcome).is_none_or(|found| Some(found) == expected), "{term}: {outcome:?}");
    }
}

#[test]
fn an_arbitrary_value_of_a_small_sort_represents_only_existing_values() {
    let bits = "(x (_ BitVec 8)) (y (_ BitVec 8))";
    let mut world = World::new("(declare-datatypes ((C 0)) (((r) (g) (b))))");
    for (term, wrong) in [
        (format!("(forall ({bits} (c C)) (or (= c r) (= c g) (= c b)))"), false),
        (format!("(forall ({bits} (c (_ BitVec 1))) (or (= c #b0) (= c #b1)))"), false),
        (format!("(exists ({bits} (c (_ BitVec 1))) (and (distinct c #b0) (distinct c #b1)))"), true),
        (format!("(forall ({bits} (c Bool)) (or (= c true) (= c false)))"), false),
    ] {
        assert_ne!(truth(&world.eval(&term)), Some(wrong), "{term}");
    }
    let term = format!("(forall ({bits} (c C)) (or (= c r) (= c g)))");
    assert_ne!(truth(&world.eval(&term)), Some(true), "{term}");
}

#[test]
fn a_sort_of_unknown_size_is_not_assumed_to_be_infinite() {
    let mut world = World::new(
        "(declare-sort U 0)(declare-datatypes ((D 0)) (((mk (u U)))))(declare-const c U)
         (declare-codatatypes ((S 0)) (((next (tail S)))))",
    );
    for term in [
        "(forall ((d D)) (= d (mk c)))",
        "(forall ((a (Array Int U)) (b (Array Int U))) (= a b))",
        "(forall ((x S) (y S)) (= x y))",
    ] {
        assert_ne!(truth(&world.eval(term)), Some(false), "{term}");
    }
}
