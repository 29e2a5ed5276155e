//! Exact verdicts on small domains: correct on known answers, the same as trying everything with the evaluator, and
//! the same as real solvers where they are installed.

#![allow(clippy::unwrap_used, reason = "tests")]

mod random_formulas;

use random_formulas::{WORLDS, World, script as random_script};
use semantics::brute::{BruteLimits, Reason, Verdict, decide};
use semantics::eval;
use semantics::model::{Definition, Model};
use smtlib::sort::Sort;
use smtlib::term::{DeclId, TermId};
use smtlib::{Command, Script, SortId};

fn verdict(text: &str) -> Verdict {
    let mut script = Script::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    decide(&mut script, 0, BruteLimits::default())
}

fn answer(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat => "unsat",
        Verdict::Unknown(_) => "unknown",
    }
}

#[track_caller]
fn expect(expected: &str, text: &str) {
    let verdict = verdict(text);
    assert_eq!(answer(&verdict), expected, "{verdict:?}\n{text}");
}

#[test]
fn words_are_decided_both_ways() {
    let declare = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))";
    expect(
        "sat",
        &format!("{declare}(assert (= (bvmul x y) #x1f))(assert (bvult #x01 x))(assert (bvult x y))"),
    );
    expect("unsat", &format!("{declare}(assert (= (bvmul x x) #x03))"));
    expect("unsat", &format!("{declare}(assert (distinct (bvsub x y) (bvadd x (bvnot y) #x01)))"));
    expect("sat", &format!("{declare}(assert (= (bvudiv x y) #xff))(assert (bvult x #x05))"));
}

#[test]
fn floats_and_rounding_modes_are_decided_both_ways() {
    let declare = "(declare-const x (_ FloatingPoint 3 4))(declare-const y (_ FloatingPoint 3 4))
        (declare-const r RoundingMode)(declare-const s RoundingMode)";
    expect("sat", &format!("{declare}(assert (not (= (fp.add r x y) (fp.add s x y))))"));
    expect("unsat", &format!("{declare}(assert (not (= (fp.add r x y) (fp.add r y x))))"));
    expect("unsat", &format!("{declare}(assert (distinct r s RNE RNA RTP RTN RTZ))"));
    expect("sat", &format!("{declare}(assert (and (= x y) (not (fp.eq x y))))"));
}

#[test]
fn arrays_indexed_by_floats_have_one_cell_for_nan_and_two_for_zero() {
    let declare = "(declare-const a (Array (_ FloatingPoint 2 3) Bool))(declare-const b (Array (_ FloatingPoint 2 3) Bool))";
    let nan = "(assert (select a (fp #b0 #b11 #b01)))(assert (not (select a (fp #b1 #b11 #b11))))";
    expect("unsat", &format!("{declare}{nan}"));
    let zeros = "(assert (select a (_ +zero 2 3)))(assert (not (select a (_ -zero 2 3))))";
    expect("sat", &format!("{declare}{zeros}"));
    expect("sat", &format!("{declare}(assert (not (= a b)))"));
    let everywhere = "(assert (forall ((x (_ FloatingPoint 2 3))) (= (select a x) (select b x))))";
    expect("unsat", &format!("{declare}(assert (not (= a b))){everywhere}"));
}

#[test]
fn functions_give_equal_values_for_equal_arguments() {
    let declare = "(declare-fun f ((_ BitVec 8)) (_ BitVec 4))(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))";
    expect("unsat", &format!("{declare}(assert (= x y))(assert (distinct (f x) (f y)))"));
    expect("sat", &format!("{declare}(assert (distinct (f x) (f y) (f #x03)))"));
    let holes = "(declare-fun g (Bool) Bool)(assert (not (= (g (g (g true))) (g true))))";
    expect("unsat", holes);
}

#[test]
fn declared_sorts_have_as_many_elements_as_are_needed() {
    let declare =
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(declare-fun f (U) U)";
    expect("sat", &format!("{declare}(assert (distinct a b c))(assert (= (f a) b))(assert (= (f b) c))"));
    expect(
        "unsat",
        &format!(
            "{declare}(assert (= (f (f (f a))) a))(assert (= (f (f (f (f (f a))))) a))(assert (not (= (f a) a)))"
        ),
    );
}

#[test]
fn integers_between_bounds_are_decided_and_others_are_not() {
    expect("unsat", "(declare-const x Int)(assert (<= 0 x))(assert (< x 8))(assert (= (* x x) 10))");
    expect("sat", "(declare-const x Int)(assert (<= 0 x 7))(assert (= (* x x) 9))");
    expect("unknown", "(declare-const x Int)(assert (<= 0 x))(assert (= (* x x) 10))");
    expect("unsat", "(declare-const x Int)(declare-const y Int)(assert (<= 0 x y 5))(assert (> (+ x y) 10))");
    let huge =
        "(declare-const x Int)(assert (<= 4611686018427387904 x 4611686018427387906))(assert (= (* x x) 3))";
    expect("unknown", huge);
}

#[test]
fn an_under_specified_value_is_a_free_but_constant_choice() {
    let declare = "(declare-const x Int)(declare-const y Int)(assert (<= 0 x 3))(assert (<= 0 y 3))";
    // The value of (div 1 0) is not determined: no certain verdict is possible.
    expect("unknown", &format!("{declare}(assert (= y 0))(assert (= (div 1 y) 7))"));
    let selector = "(declare-datatypes ((O 0)) (((none) (some (it (_ BitVec 2))))))(declare-const o O)";
    expect("sat", &format!("{selector}(assert (= o none))(assert (= (it o) #b10))"));
    expect(
        "unsat",
        &format!("{selector}(declare-const q O)(assert (= o none q))(assert (distinct (it o) (it q)))"),
    );
    let float = "(declare-const x (_ FloatingPoint 2 3))(declare-const y (_ FloatingPoint 2 3))(declare-const r RoundingMode)";
    expect(
        "unsat",
        &format!("{float}(assert (= x y))(assert (distinct ((_ fp.to_ubv 3) r x) ((_ fp.to_ubv 3) r y)))"),
    );
    let zeros = "(assert (= x (_ +zero 2 3)))(assert (= y (_ -zero 2 3)))";
    expect("unsat", &format!("{float}{zeros}(assert (not (fp.isZero (fp.min x y))))"));
    expect("sat", &format!("{float}{zeros}(assert (fp.isNegative (fp.min x y)))"));
    expect("sat", &format!("{float}{zeros}(assert (fp.isPositive (fp.min x y)))"));
}

#[test]
fn only_the_assertions_in_scope_of_a_check_count() {
    let text =
        "(declare-const p Bool)(push 1)(assert (not p))(assert p)(check-sat)(pop 1)(assert p)(check-sat)";
    let mut script = Script::parse(text.as_bytes()).unwrap();
    assert_eq!(answer(&decide(&mut script, 0, BruteLimits::default())), "unsat");
    assert_eq!(answer(&decide(&mut script, 1, BruteLimits::default())), "sat");
}

#[test]
fn quantifiers_that_fold_to_constants_are_limited_too() {
    let mut script = Script::parse(
        b"(assert (forall ((a (_ BitVec 8))) (forall ((b (_ BitVec 8))) (forall ((c (_ BitVec 8)))\
          (= (bvsub (bvadd a b) c) (bvadd (bvsub a c) b))))))(check-sat)",
    )
    .unwrap();
    let limits = BruteLimits { work: 1 << 26, ..BruteLimits::default() };
    let verdict = decide(&mut script, 0, limits);
    assert!(matches!(verdict, Verdict::Unknown(Reason::Work)), "{verdict:?}");
}

#[test]
fn the_limit_holds_where_the_first_conjunct_is_false_everywhere() {
    let text = b"(declare-const z (_ FloatingPoint 5 11))
        (assert (fp.lt (fp.mul RNE z z) ((_ to_fp 5 11) RNE (- 1.0))))(check-sat)";
    let decide_within = |work| {
        let mut script = Script::parse(text).unwrap();
        decide(&mut script, 0, BruteLimits { work, ..BruteLimits::default() })
    };
    assert!(matches!(decide_within(1 << 21), Verdict::Unknown(Reason::Work)));
    assert!(matches!(decide_within(1 << 28), Verdict::Unsat));
}

#[test]
fn a_limit_gives_unknown_and_never_a_verdict() {
    let text = "(declare-const x (_ BitVec 12))(declare-const y (_ BitVec 12))(assert (= (bvmul x y x) #x123))(assert (= (bvadd (bvmul y y) x) #xfff))(assert (bvult y x))";
    let mut script = Script::parse(text.as_bytes()).unwrap();
    let limits = BruteLimits { work: 1000, ..BruteLimits::default() };
    assert!(matches!(decide(&mut script, 0, limits), Verdict::Unknown(Reason::Work)));
}

// The slow way: evaluates every assignment with the evaluator.

/// Terms for every value of a sort, or of a function of this rank as a body over its parameters.
fn bodies(script: &mut Script, params: &[SortId], result: SortId) -> Vec<Definition> {
    if params.is_empty() {
        return members(script, result)
            .into_iter()
            .map(|text| {
                let body = smtlib::parser::parse_term(script, text.as_bytes()).unwrap();
                Definition { vars: vec![], body }
            })
            .collect();
    }
    let [param] = params else { panic!("tiny worlds have unary functions") };
    let (points, values) = (members(script, *param), members(script, result));
    let sort = smtlib::printer::sort_text(&script.pool, *param);
    let result = smtlib::printer::sort_text(&script.pool, result);
    let count = values.len().pow(points.len() as u32);
    (0..count)
        .map(|number| {
            let mut rest = number;
            let mut body = values[0].clone();
            for point in &points {
                body = format!("(ite (= x!0 {point}) {} {body})", values[rest % values.len()]);
                rest /= values.len();
            }
            // A lambda is the shortest way to get a body with a variable.
            let lambda = format!("(lambda ((x!0 {sort})) {body})");
            let term = smtlib::parser::parse_term(script, lambda.as_bytes()).unwrap();
            let _ = &result;
            let name = script.pool.symbol(b"x!0");
            Definition { vars: vec![(name, *param)], body: script.pool.args(term)[0] }
        })
        .collect()
}

fn members(script: &mut Script, sort: SortId) -> Vec<String> {
    match script.pool.sort(sort).clone() {
        Sort::Bool => vec!["false".into(), "true".into()],
        Sort::BitVec(width) => (0..1u32 << width).map(|n| format!("(_ bv{n} {width})")).collect(),
        Sort::RoundingMode => ["RNE", "RNA", "RTP", "RTN", "RTZ"].map(String::from).to_vec(),
        Sort::Array(index, element) => {
            let (points, values) = (members(script, index), members(script, element));
            let text = smtlib::printer::sort_text(&script.pool, sort);
            let count = values.len().pow(points.len() as u32);
            (0..count)
                .map(|number| {
                    let mut rest = number;
                    let mut array = format!("((as const {text}) {})", values[0]);
                    for point in &points {
                        array = format!("(store {array} {point} {})", values[rest % values.len()]);
                        rest /= values.len();
                    }
                    array
                })
                .collect()
        }
        other => panic!("{other:?} is not tiny"),
    }
}

/// Tries every assignment; `None` if the evaluator cannot decide.
fn slowly(text: &str) -> Option<bool> {
    let mut script = Script::parse(text.as_bytes()).unwrap();
    let declared: Vec<DeclId> = script
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::DeclareFun { decl, .. } => Some(*decl),
            _ => None,
        })
        .collect();
    let used: Vec<DeclId> = {
        let mut used = vec![];
        let asserted: Vec<TermId> = script.assertions().collect();
        for term in asserted.into_iter().flat_map(|term| script.pool.subterms(term)) {
            if let smtlib::term::Kind::Fun { decl, .. } = script.pool.kind(term) {
                used.push(decl);
            }
        }
        declared.into_iter().filter(|decl| used.contains(decl)).collect()
    };
    let choices: Vec<(DeclId, Vec<Definition>)> = used
        .into_iter()
        .map(|decl| {
            let (params, result) = (script.pool.decl(decl).params.to_vec(), script.pool.decl(decl).result);
            (decl, bodies(&mut script, &params, result))
        })
        .collect();
    let total: usize = choices.iter().map(|(_, bodies)| bodies.len()).product();
    if total > 3000 {
        return None;
    }
    let mut any_unknown = false;
    for number in 0..total {
        let mut rest = number;
        let mut model = Model::default();
        for (decl, bodies) in &choices {
            model.functions.insert(*decl, bodies[rest % bodies.len()].clone());
            rest /= bodies.len();
        }
        match eval::check(&script, &model, 0).overall.value {
            eval::Verdict::True => return Some(true),
            eval::Verdict::False => {}
            eval::Verdict::Unknown(_) => any_unknown = true,
        }
    }
    (!any_unknown).then_some(false)
}

#[test]
fn the_fast_way_agrees_with_trying_every_assignment() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..400 {
        let text = random_script(World::Tiny, seed, 3);
        let Some(slow) = slowly(&text) else { continue };
        let fast = verdict(&text);
        assert_eq!(answer(&fast), if slow { "sat" } else { "unsat" }, "{fast:?}\nseed {seed}\n{text}");
        if slow { sat += 1 } else { unsat += 1 }
    }
    assert!(sat > 100 && unsat > 25, "{sat} sat, {unsat} unsat: too one-sided to show anything");
}

#[test]
fn random_formulas_of_every_world_are_decided() {
    let mut report = vec![];
    for world in WORLDS {
        let (mut sat, mut unsat, mut unknown) = (0, 0, vec![]);
        for seed in 0..60 {
            let text = random_script(world, seed, 3);
            match verdict(&text) {
                Verdict::Sat(_) => sat += 1,
                Verdict::Unsat => unsat += 1,
                Verdict::Unknown(Reason::Unconfirmed(why)) => panic!("{why}\n{text}"),
                Verdict::Unknown(reason) => unknown.push(reason.to_string()),
            }
        }
        report.push(format!("{world:?}: {sat} sat, {unsat} unsat, unknown {unknown:?}"));
        assert!(unknown.len() <= 12, "{}", report.join("\n"));
    }
    println!("{}", report.join("\n"));
}

#[test]
fn a_set_and_its_representation_as_a_map_are_one_value() {
    expect("sat", "(declare-const s (Set Bool))(assert (= s ((as const (Set Bool)) true)))");
    expect("sat", "(assert (exists ((s (Set Bool))) (= s ((as const (Set Bool)) true))))");
    let least = "(forall ((t (Set (_ BitVec 1)))) (=> (subset s t) (= s t)))";
    expect("sat", &format!("(declare-const s (Set (_ BitVec 1)))(assert {least})"));
}

#[test]
fn formulas_without_free_symbols_are_evaluated() {
    expect("sat", "(assert (= (str.len \"abc\") 3))(assert (< 0.5 (/ 2.0 3.0)))(check-sat)");
    expect("unsat", "(assert (str.in_re \"aab\" (re.* (str.to_re \"ab\"))))(check-sat)");
    expect("unsat", "(define-fun f ((x Int)) Int (* x x))(assert (= (f 123456789123) 5))(check-sat)");
    expect("unsat", "(declare-const unused Int)(assert (= (seq.unit 1) (seq.unit 2)))(check-sat)");
    // The values of these terms are unknown.
    expect("unknown", "(assert (= (div 5 0) (div 6 0)))(check-sat)");
    let cubes = "(= (+ (* x x x) (* y y y)) (* z z z))";
    let fermat = format!("(assert (exists ((x Int) (y Int) (z Int)) (and (> x 0) (> y 0) (> z 0) {cubes})))");
    expect("unknown", &format!("{fermat}(check-sat)"));
}

#[test]
fn a_witness_that_needs_no_choice_is_preferred() {
    // With b = 0 the head of the empty list may be true; b = 1 needs no such choice.
    let lists = "(declare-datatype L ((nil) (one (head Bool))))(declare-const l L)(declare-const p Bool)";
    let text = format!("{lists}(assert (= (head l) p))(assert p)(check-sat)");
    let Verdict::Sat(witness) = verdict(&text) else { panic!("{text}") };
    assert!(!witness.underspecified, "{}", witness.text);
    // Here there is no other witness.
    let text = format!("{lists}(assert (= (head l) p))(assert p)(assert ((_ is nil) l))(check-sat)");
    let Verdict::Sat(witness) = verdict(&text) else { panic!("{text}") };
    assert!(witness.underspecified, "{}", witness.text);
}

#[test]
fn declared_sorts_of_few_elements_are_tried_under_quantifiers() {
    let all_equal = "(declare-sort U 0)(declare-const u U)(assert (forall ((x U) (y U)) (= x y)))";
    expect("sat", &format!("{all_equal}(check-sat)"));
    expect("sat", "(declare-sort U 0)(assert (exists ((x U) (y U)) (distinct x y)))(check-sat)");
    expect("unknown", &format!("{all_equal}(declare-const v U)(assert (distinct u v))(check-sat)"));
    expect(
        "sat",
        "(declare-sort U 0)(declare-fun f (U) U)(declare-const u U)
         (assert (forall ((x U)) (and (= (f (f x)) x) (distinct (f x) x))))(check-sat)",
    );
}
