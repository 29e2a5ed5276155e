//! Our own work ends for every formula and model: each file here is a few kilobytes whose exact value would fill the
//! memory or take years. The answer is the right one or unknown with its reason, within the default budget of steps
//! and bytes. Time is checked only against a very generous limit.

#![allow(clippy::unwrap_used)]

use semantics::eval::{EvalLimits, Evaluator, Outcome, Report, Unknown, Verdict, check};
use semantics::model::Model;
use semantics::value::Value;
use semantics::value::show::value_text;
use smtlib::Script;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far more than any test here takes.
const GENEROUS: Duration = Duration::from_secs(60);

fn in_time<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = run();
    let taken = begin.elapsed();
    assert!(taken < GENEROUS, "{what} took {taken:?}");
    result
}

/// Checks the assertions of a script under a model.
fn checked(script: &str, model: &str) -> Report {
    let mut script = Script::parse(script.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{script}"));
    let model = match model {
        "" => Model::default(),
        text => Model::parse(&mut script, text.as_bytes()).unwrap_or_else(|e| panic!("{e}")),
    };
    check(&script, &model, 0)
}

fn verdict(script: &str, model: &str) -> Verdict {
    in_time(&script[..script.len().min(200)], || checked(script, model).overall.value)
}

fn is_unknown(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// `let x1 = f(x0) in let x2 = f(x1) in … body`, where `f` writes its argument twice.
fn doubled(levels: usize, first: &str, double: impl Fn(&str) -> String, body: &str) -> String {
    let mut text = format!("(let ((x0 {first})) ");
    for n in 0..levels {
        write!(text, "(let ((x{} {})) ", n + 1, double(&format!("x{n}"))).unwrap();
    }
    text.push_str(&body.replace("LAST", &format!("x{levels}")));
    text.push_str(&")".repeat(levels + 1));
    text
}

fn evaluated(declarations: &str, term: &str) -> (String, Outcome) {
    let text = format!("{declarations}\n(assert {term})\n(check-sat)");
    let script = Script::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let assertion = script.assertions().next().unwrap();
    let model = Model::default();
    let outcome = in_time(term, || Evaluator::new(&script.pool, &model).eval_term(assertion));
    (text, outcome)
}

#[test]
fn repeated_squaring_of_integers_reals_and_sums_is_unknown() {
    for (sort, first) in [("Int", "3"), ("Real", "3.5"), ("Real", "(/ 2.0 3.0)")] {
        let square = doubled(60, first, |x| format!("(* {x} {x})"), &format!("(= LAST {first})"));
        let script = format!("(declare-const c {sort})(assert {square})(check-sat)");
        assert!(is_unknown(verdict(&script, "")), "{sort} {first}");
    }
    let mixed = doubled(60, "3.5", |x| format!("(+ (* {x} {x}) (/ 1.0 {x}))"), "(> LAST 0.0)");
    assert!(is_unknown(verdict(&format!("(assert {mixed})(check-sat)"), "")));
}

#[test]
fn a_model_whose_value_has_two_to_the_sixty_digits_is_unknown() {
    let square = doubled(60, "7", |x| format!("(* {x} {x})"), "LAST");
    let script = "(declare-const c Int)(assert (> c 0))(check-sat)";
    let model = format!("((define-fun c () Int {square}))");
    assert_eq!(verdict(script, &model), Verdict::Unknown(Unknown::TooLarge));
    let recursive = "(declare-const c Int)(define-fun-rec sq ((n Int) (x Int)) Int \
        (ite (= n 0) x (sq (- n 1) (* x x))))(assert (= (sq 60 3) c))(check-sat)";
    assert_eq!(verdict(recursive, "((define-fun c () Int 1))"), Verdict::Unknown(Unknown::TooLarge));
}

#[test]
fn many_products_of_long_numbers_run_out_of_steps() {
    // Each product is within the size limit; there are just very many of them.
    let big = "9".repeat(100_000);
    let script = format!(
        "(declare-const c Int)(assert (forall ((x (_ BitVec 16))) \
         (> (* {big} (+ {big} (ubv_to_int x))) 5)))(check-sat)"
    );
    assert!(is_unknown(verdict(&script, "((define-fun c () Int 0))")));
}

#[test]
fn powers_shifts_conversions_and_repetitions_of_any_size_end() {
    let terms = [
        "(= (^ 7 (^ 7 (^ 7 7))) 1)",
        "(= (int.pow2 (int.pow2 (int.pow2 70))) 1)",
        "(= ((_ iand 4294967295) (- 1) (- 1)) 1)",
        "(= (str.len (str.from_int (^ 10 300000))) 300001)",
        "(= (str.to_int (str.from_int (^ 10 300000))) (^ 10 300000))",
        "(str.in_re \"aaaa\" ((_ re.^ 4294967295) (str.to_re \"a\")))",
        "(str.in_re \"aaaa\" ((_ re.loop 0 4294967295) (re.++ (re.* (str.to_re \"a\")) (str.to_re \"a\"))))",
        "(= (bvmul ((_ repeat 900000) #b1) ((_ repeat 900000) #b1)) ((_ repeat 900000) #b0))",
        "(= (bvudiv ((_ repeat 900000) #b1) ((_ zero_extend 899997) #b101)) ((_ repeat 900000) #b0))",
    ];
    for term in terms {
        let _ = evaluated("(set-logic ALL)", term);
    }
}

#[test]
fn strings_that_double_stop_at_the_limit() {
    for double in ["(str.++ X X)", "(str.replace_all X \"a\" X)", "(str.replace_all X \"a\" \"aa\")"] {
        let term = doubled(60, "\"aa\"", |x| double.replace('X', x), "(= (str.len LAST) 5)");
        let (_, outcome) = evaluated("(set-logic ALL)", &term);
        assert_eq!(outcome.unwrap_err(), Unknown::TooLarge, "{double}");
    }
}

const TREE: &str = "(declare-datatype T ((leaf (tag Int)) (node (left T) (right T))))";

/// Sixty chained constructors: 2^60 parts in sixty nodes.
fn deep(last: &str) -> String {
    doubled(60, &format!("(leaf {last})"), |x| format!("(node {x} {x})"), "LAST")
}

#[test]
fn values_of_two_to_the_sixty_parts_compare_and_hash_by_their_nodes() {
    let questions = [
        (format!("(= {} {})", deep("1"), deep("1")), true),
        (format!("(= {} {})", deep("1"), deep("2")), false),
        (format!("(distinct {} {})", deep("1"), deep("2")), true),
        (format!("((_ is node) (left {}))", deep("1")), true),
    ];
    for (term, expected) in questions {
        let (_, outcome) = evaluated(TREE, &term);
        assert_eq!(outcome, Ok(Value::Bool(expected)), "{term}");
    }
}

#[test]
fn other_nested_values_compare_by_their_nodes_too() {
    let nested = |sort: &str, unit: &str, levels: usize| {
        let sort = (0..levels).fold("Int".to_owned(), |inner, _| sort.replace("INNER", &inner));
        let value =
            |first: &str| (0..levels).fold(first.to_owned(), |inner, _| unit.replace("INNER", &inner));
        (sort, value("1"), value("2"))
    };
    // Two parts at each level, written with `let` so that the text stays short.
    let shapes = [
        ("(Seq INNER)", "(let ((y INNER)) (seq.++ (seq.unit y) (seq.unit y)))"),
        ("(Tuple INNER INNER)", "(let ((y INNER)) (tuple y y))"),
        ("(Nullable (Tuple INNER INNER))", "(let ((y INNER)) (nullable.some (tuple y y)))"),
        ("(Set (Tuple INNER INNER))", "(let ((y INNER)) (set.singleton (tuple y y)))"),
        ("(Bag (Tuple INNER INNER))", "(let ((y INNER)) (bag (tuple y y) 3))"),
    ];
    for (sort, unit) in shapes {
        // A sort with two parts at each level has a size limit after expansion.
        let levels = if sort.matches("INNER").count() > 1 { 12 } else { 22 };
        let (_, one, two) = nested(sort, unit, levels);
        let (_, outcome) = evaluated("(set-logic ALL)", &format!("(= {one} {one})"));
        assert_eq!(outcome, Ok(Value::Bool(true)), "{unit}");
        let (_, outcome) = evaluated("(set-logic ALL)", &format!("(= {one} {two})"));
        assert_eq!(outcome, Ok(Value::Bool(false)), "{unit}");
    }
}

#[test]
fn a_value_too_long_to_print_is_shown_as_such() {
    let script = format!("{TREE}(declare-const t T)(assert (= t {}))(check-sat)", deep("1"));
    let script = Script::parse(script.as_bytes()).unwrap();
    let equation = script.assertions().next().unwrap();
    let term = script.pool.args(equation)[1];
    let value = Evaluator::new(&script.pool, &Model::default()).eval_term(term).unwrap();
    let text = in_time("printing", || value_text(&script.pool, script.pool.sort_of(term), &value));
    assert!(text.starts_with("(too long to print"), "{}", &text[..100]);
}

#[test]
fn distinct_over_ten_thousand_terms_is_quick_and_right() {
    let mut declarations = String::new();
    let mut names = String::new();
    let mut model = String::from("(");
    for n in 0..10_000 {
        writeln!(declarations, "(declare-const v{n} Int)").unwrap();
        write!(names, " v{n}").unwrap();
        writeln!(model, "(define-fun v{n} () Int {n})").unwrap();
    }
    model.push(')');
    let script = format!("{declarations}(assert (distinct{names}))(check-sat)");
    assert_eq!(verdict(&script, &model), Verdict::True);
    let twice = model.replace("v9999 () Int 9999", "v9999 () Int 0");
    assert_eq!(verdict(&script, &twice), Verdict::False);
}

#[test]
fn distinct_over_thousands_of_compound_values_ends() {
    let sorts = [
        ("(Array Int Int)", "(store ((as const (Array Int Int)) 0) 1 N)"),
        ("(Seq Int)", "(seq.++ (seq.unit 0) (seq.unit N))"),
        ("RegLan", "(str.to_re (str.from_int N))"),
    ];
    for (_, value) in sorts {
        let values: String = (0..3000).map(|n| format!(" {}", value.replace('N', &n.to_string()))).collect();
        let (_, outcome) = evaluated("(set-logic ALL)", &format!("(distinct{values})"));
        assert!(matches!(outcome, Ok(Value::Bool(true)) | Err(_)), "{value}: {outcome:?}");
    }
}

#[test]
fn nested_quantifiers_end() {
    let mut text = String::new();
    for n in 0..40 {
        let quantifier = if n % 2 == 0 { "forall" } else { "exists" };
        write!(text, "({quantifier} ((x{n} (_ BitVec 8)) (y{n} Int)) ").unwrap();
    }
    text.push_str("(= (+ y0 y1 y39) (ubv_to_int (bvadd x0 x39)))");
    text.push_str(&")".repeat(40));
    let script = format!("(set-logic ALL)(assert {text})(check-sat)");
    assert!(is_unknown(verdict(&script, "")));
}

#[test]
fn the_same_question_spends_the_same_steps() {
    let square = doubled(60, "3", |x| format!("(* {x} {x})"), "(= LAST 3)");
    let script = Script::parse(format!("(assert {square})(check-sat)").as_bytes()).unwrap();
    let term = script.assertions().next().unwrap();
    let model = Model::default();
    let outcomes: Vec<Outcome> = [50, 100, 150, 200, 1000, 2000]
        .into_iter()
        .flat_map(|steps| [steps, steps])
        .map(|steps| {
            let limits = EvalLimits { steps, ..EvalLimits::default() };
            Evaluator::with_limits(&script.pool, &model, limits).eval_term(term)
        })
        .collect();
    for pair in outcomes.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert_eq!(outcomes.first(), Some(&Err(Unknown::Fuel)));
}

#[test]
fn a_budget_of_bytes_ends_work_of_few_steps() {
    let script = Script::parse(
        b"(set-logic ALL)(assert (= (str.len (str.power \"abcdefgh\" 1000000)) 8000000))(check-sat)",
    )
    .unwrap();
    let term = script.assertions().next().unwrap();
    let model = Model::default();
    let limits = EvalLimits { bytes: 1 << 20, ..EvalLimits::default() };
    let mut small = Evaluator::with_limits(&script.pool, &model, limits);
    assert_eq!(small.eval_term(term), Err(Unknown::TooLarge));
    assert_eq!(Evaluator::new(&script.pool, &model).eval_term(term), Ok(Value::Bool(true)));
}

#[test]
fn after_the_deadline_the_answer_is_unknown_for_lack_of_time() {
    let script = Script::parse(b"(assert (= (+ 1 2 3) 6))(check-sat)").unwrap();
    let limits = EvalLimits { wall: Duration::ZERO, ..EvalLimits::default() };
    let term = script.assertions().next().unwrap();
    let outcome = Evaluator::with_limits(&script.pool, &Model::default(), limits).eval_term(term);
    assert_eq!(outcome, Err(Unknown::Time));
}

/// Mignotte's polynomial: two of its real roots are closer than 2^-3000.
fn close_roots(rank: usize) -> String {
    let a = "9".repeat(60);
    format!("(root-obj (+ (^ x 36) (- (* 2 (^ (- (* {a} x) 1) 2)))) {rank})")
}

#[test]
fn algebraic_numbers_that_are_very_close_together_are_given_up() {
    let script = "(declare-const a Real)(declare-const b Real)(assert (< (+ a b) (* a b)))(check-sat)";
    let model =
        format!("((define-fun a () Real {})(define-fun b () Real {}))", close_roots(2), close_roots(3));
    assert!(is_unknown(verdict(script, &model)));
}

#[test]
fn algebraic_numbers_beside_huge_rationals_are_given_up() {
    let big = "7".repeat(200_000);
    for term in ["(> (+ a r) 0.0)", "(> (* a r) 0.0)", "(> a (/ 1.0 r))", "(= (to_int (+ a r)) 3)"] {
        let script =
            format!("(declare-const a Real)(define-fun r () Real {big}.5)(assert {term})(check-sat)");
        let root = "(root-obj (+ (^ x 12) (* 3 x) (- 7)) 1)";
        verdict(&script, &format!("((define-fun a () Real {root}))"));
    }
}

#[test]
fn polynomials_that_grow_during_parsing_are_given_up() {
    let nines = "9".repeat(9_000);
    let power = format!("(root-obj (^ (+ (* {nines} x) (/ 1 {nines})) 36) 1)");
    let mut sum = String::from("(root-obj (+ (^ x 2)");
    for n in 0..2_000 {
        write!(sum, " (/ 1 {}{n})", "7".repeat(200)).unwrap();
    }
    sum.push_str(") 1)");
    for root in [power, sum] {
        let script = "(declare-const a Real)(assert (> a 0.0))(check-sat)";
        assert!(is_unknown(verdict(script, &format!("((define-fun a () Real {root}))"))));
    }
}

#[test]
fn exact_decisions_with_expensive_operations_end() {
    use semantics::brute::{BruteLimits, Verdict, decide};
    let square = doubled(40, "(ubv_to_int b)", |x| format!("(* {x} {x})"), "LAST");
    let texts = [
        format!("(declare-const b (_ BitVec 8))(assert (= {square} 7))(check-sat)"),
        "(declare-const b (_ BitVec 8))(define-fun-rec f ((n Int)) Int (ite (= n (- 1)) 0 (f (+ n 1))))\
         (assert (= (f (ubv_to_int b)) 7))(check-sat)"
            .to_owned(),
    ];
    for text in texts {
        let mut script = Script::parse(text.as_bytes()).unwrap();
        let verdict = in_time(&text, || {
            decide(&mut script, 0, BruteLimits { work: 1 << 28, ..BruteLimits::default() })
        });
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }
}

/// Sixty squares of squares, and sixty sums of sums, were read as polynomials by every one of 2^60 occurrences.
#[test]
fn refutations_of_terms_that_are_shared_sixty_times_end() {
    use semantics::{Budget, refute::refute};
    for (sort, operator) in [("Int", "*"), ("Int", "+"), ("Real", "*"), ("Real", "-"), ("Int", "-")] {
        let last = doubled(60, "x", |x| format!("({operator} {x} {x})"), "(> LAST c)");
        let text = format!(
            "(declare-const x {sort})(declare-const c {sort})(assert {last})(assert (< c x))(check-sat)"
        );
        let mut script = Script::parse(text.as_bytes()).unwrap();
        let refuted = in_time(&text, || refute(&mut script, 0, &Budget::new(4_000_000, 64 << 20)).is_ok());
        assert!(!refuted, "{operator} on {sort}: it is satisfiable");
    }
}

/// A chain of sixty-three pairs has values of 2^63 parts; they were written out to tell the model.
#[test]
fn models_whose_values_are_too_long_to_write_are_not_written() {
    use semantics::brute::{BruteLimits, decide};
    use semantics::{Budget, finder::find};
    let mut text = String::from("(declare-datatype T ((l) (n (a T) (b T))))(declare-const x0 T)");
    for n in 1..64 {
        write!(text, "(declare-const x{n} T)(assert (= x{n} (n x{0} x{0})))", n - 1).unwrap();
    }
    text.push_str("(check-sat)");
    let mut script = Script::parse(text.as_bytes()).unwrap();
    let verdict = in_time("enumeration", || decide(&mut script, 0, BruteLimits::default()));
    assert!(!matches!(verdict, semantics::brute::Verdict::Unsat), "{verdict:?}");
    in_time("search", || find(&mut script, 0, &[], &Budget::new(2_000_000, 64 << 20)));
}
