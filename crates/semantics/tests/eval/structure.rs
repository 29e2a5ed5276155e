use super::{World, agree, show, truth};
use semantics::eval::{Evaluator, Unknown};
use semantics::model::Model;

const LIST: &str = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
    (declare-datatype Color ((red) (green) (blue)))";

#[test]
fn datatypes_are_constructed_selected_and_matched() {
    let mut world = World::new(LIST);
    for (term, expected) in [
        ("(head (cons 1 (as nil (List Int))))", "1"),
        ("((_ is cons) (cons 1 (as nil (List Int))))", "true"),
        ("(is-nil (cons 1 (as nil (List Int))))", "false"),
        ("(tail (cons 1 (as nil (List Int))))", "(as nil (List Int))"),
        ("(= (cons red (as nil (List Color))) (cons green (as nil (List Color))))", "false"),
        ("((_ update head) (cons 1 (as nil (List Int))) 2)", "(cons 2 (as nil (List Int)))"),
        ("((_ update head) (as nil (List Int)) 2)", "(as nil (List Int))"),
        ("(match (cons 4 (as nil (List Int))) ((nil 0) ((cons h t) (+ h 1))))", "5"),
        ("(match red ((green 1) (x 2)))", "2"),
    ] {
        assert_eq!(world.show(term), expected, "{term}");
    }
}

#[test]
fn defined_functions_are_called_and_recursion_ends() {
    let mut world = World::new(
        "(define-fun twice ((x Int)) Int (* 2 x))
         (define-fun-rec fib ((n Int)) Int (ite (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
         (define-fun-rec down ((n Int)) Int (ite (= n 0) 7 (down (- n 1))))
         (define-fun-rec forever ((n Int)) Int (forever (+ n 1)))",
    );
    assert_eq!(world.show("(twice (twice 3))"), "12");
    assert_eq!(world.show("(fib 60)"), "1548008755920");
    assert_eq!(world.show("(down 100000)"), "7");
    let term = world.term("(forever 0)");
    let limits = semantics::eval::EvalLimits { steps: 100_000, ..Default::default() };
    let outcome = Evaluator::with_limits(&world.script.pool, &world.model, limits).eval_term(term);
    assert_eq!(outcome.unwrap_err(), Unknown::Fuel);
}

#[test]
fn variables_are_visible_only_where_they_are_bound() {
    agree(&[
        ("(let ((x 1)) (let ((x 2) (y x)) (+ (* 10 x) y)))", "21"),
        ("(let ((x 1)) (+ (let ((x 5)) (* x 100)) x))", "501"),
        ("(let ((x 1)) (= (+ x 1) (let ((x 2)) (+ x 1))))", "false"),
    ]);
    let mut world = World::new("(define-fun f ((x Int)) Int (+ x 1))");
    assert_eq!(world.show("(let ((x 10)) (+ (f x) (f (f x)) x))"), "33");
}

#[test]
fn a_chain_of_lets_takes_linear_time() {
    let mut term = String::from("x0");
    for n in (1..60).rev() {
        term = format!(
            "(let ((x{n} (bvadd x{} x{}))) {})",
            n - 1,
            n - 1,
            if n == 59 { "x59".to_owned() } else { term }
        );
    }
    assert_eq!(show(&format!("(let ((x0 #x0000000000000001)) {term})")), "#x0800000000000000");
}

#[test]
fn shared_terms_are_evaluated_once() {
    // 2^64 paths, 64 distinct terms, under a binder so that the cache of closed terms does not help.
    let mut world = World::new("(declare-const b (_ BitVec 64))").set("b", "#x0000000000000001");
    let mut term = world.term("(let ((y b)) (bvadd y y))");
    let pool = &mut world.script.pool;
    let sort = pool.sort_of(term);
    let smtlib::term::Kind::Let(binders) = pool.kind(term) else { panic!() };
    let (value, body) = (pool.args(term)[0], pool.args(term)[1]);
    let add = pool.kind(body);
    let mut sum = body;
    for _ in 0..63 {
        sum = pool.term(add, sort, &[sum, sum]);
    }
    term = pool.term(smtlib::term::Kind::Let(binders), sort, &[value, sum]);
    let outcome = Evaluator::new(&world.script.pool, &world.model).eval_term(term).unwrap();
    assert_eq!(outcome, semantics::value::Value::BitVec(semantics::value::bitvec::BitVec::zero(64).unwrap()));
}

#[test]
fn a_term_nested_a_hundred_thousand_deep_is_evaluated() {
    let depth = 99_000;
    let term = format!("{}true{}", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(show(&term), "true");
    let lets = 30_000;
    let mut text = String::new();
    for n in 0..lets {
        text.push_str(&format!(
            "(let ((v{n} {})) ",
            if n == 0 { "1".into() } else { format!("(+ v{} 1)", n - 1) }
        ));
    }
    text.push_str(&format!("v{}{}", lets - 1, ")".repeat(lets)));
    assert_eq!(show(&text), lets.to_string());
}

#[test]
fn a_long_list_is_built_compared_printed_and_dropped() {
    let mut world = World::new(
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))
         (define-fun-rec build ((n Int)) L (ite (= n 0) nil (cons n (build (- n 1)))))",
    );
    assert_eq!(world.show("(= (build 50000) (build 50000))"), "true");
    assert_eq!(world.show("(= (build 50000) (cons 50000 (build 49998)))"), "false");
    assert!(
        world.show("(build 50000)").ends_with("(cons 1 nil))")
            || world.show("(build 50000)").contains("(cons 2 (cons 1 nil)")
    );
}

#[test]
fn unknown_arguments_do_not_prevent_certain_results() {
    let script = "(declare-const p Bool)(declare-fun g (Int) Int)";
    let world = World::new(script);
    let mut world = world;
    let term = world.term("(and (= (div 1 0) 5) false)");
    let both = world.term("(ite (= (div 1 0) 5) 3 3)");
    let open = world.term("(=> (= (div 1 0) 5) p)");
    let implied = world.term("(or p (not false))");
    let model = Model::default();
    let mut evaluator = Evaluator::new(&world.script.pool, &model);
    assert_eq!(evaluator.eval_open(term).unwrap(), false.into());
    assert_eq!(evaluator.eval_open(both).unwrap(), semantics::value::int::Int::from(3).into());
    assert!(matches!(evaluator.eval_open(open), Err(Unknown::Open(_))));
    assert_eq!(evaluator.eval_open(implied).unwrap(), true.into());
}

#[test]
fn push_pop_reset_and_assumptions_decide_what_is_in_force() {
    let world = World::new(
        "(declare-const p Bool)(declare-const q Bool)
         (assert p) (push 1) (assert q) (check-sat) (pop 1) (check-sat) (check-sat-assuming (q (not p)))
         (reset-assertions) (declare-const q Bool) (assert q) (check-sat)",
    );
    let counts: Vec<usize> = (0..4).map(|n| world.script.in_force(n).len()).collect();
    assert_eq!(counts, [2, 1, 3, 1]);
}

#[test]
fn a_named_term_inside_a_let_does_not_use_the_variables_of_another_let() {
    let text = "(assert (let ((a true)) (and a (! a :named n))))(assert (let ((a false)) (and n (not a))))";
    let world = World::new(text);
    let second = world.script.assertions().nth(1).expect("two assertions");
    let outcome = Evaluator::new(&world.script.pool, &world.model).eval_term(second);
    assert_ne!(truth(&outcome), Some(false));
}
