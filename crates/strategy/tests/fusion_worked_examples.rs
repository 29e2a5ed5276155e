//! The worked examples of fusion in Winterer's thesis (Figures 1.3 and 3.1 to 3.4): given the recipe, the result is
//! the published formula.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use corpus::{Origin, Seed};
use smtlib::Script;
use smtlib::printer::{Format, command_text, print};
use smtlib::script::Command;
use std::borrow::Cow;
use std::sync::Arc;
use strategy::fusion::{
    Config, Connective, Constraints, FunctionWeights, Functions, Fusion, FusionPlan, Mode, Part, Triplet,
};
use strategy::{Bank, CampaignKey, Rng};

const PHI1: &str = "(declare-fun x () Int)(declare-fun w () Bool)(assert (= x (- 1)))
    (assert (= w (= x (- 1))))(assert w)(check-sat)";
const PHI2: &str = "(declare-fun y () Int)(declare-fun v () Bool)(assert (= v (not (= y (- 1)))))
    (assert (ite v false (= y (- 1))))(check-sat)";
const PHI3: &str = "(declare-fun x () Real)(assert (not (= (+ (+ 1.0 x) 6.0) (+ 7.0 x))))(check-sat)";
const PHI4: &str = "(declare-fun y () Real)(declare-fun w () Real)(declare-fun v () Real)
    (assert (and (< y v) (>= w v) (< (/ w v) 0) (> y 0)))(check-sat)";

fn part(fusion: &Fusion, text: &'static str) -> Arc<Part> {
    let seed = Seed::new("phi".into(), Origin::Embedded, Cow::Borrowed(text.as_bytes())).unwrap();
    let (bank, rejected) = Bank::new([seed]);
    assert!(rejected.is_empty());
    Arc::new(fusion.part(&bank.seeds()[0]).unwrap())
}

/// Fuses x of the first formula with y of the second, replacing the n-th occurrences that are listed.
fn fuse(
    (first, second): (&'static str, &'static str),
    function: &str,
    connective: Connective,
    constraints: Constraints,
    replaced: [&[usize]; 2],
) -> Vec<u8> {
    let fusion = Fusion::default();
    let (first, second) = (part(&fusion, first), part(&fusion, second));
    let find = |part: &Part, name: &[u8]| part.variables.iter().position(|v| &*v.name == name).unwrap();
    let variables = [find(&first, b"x"), find(&second, b"y")];
    let function = fusion.functions().iter().find(|f| f.name == function).unwrap();
    let marks = |part: &Part, seed: usize| {
        replaced[seed].iter().map(|&n| part.variables[variables[seed]].occurrences[n]).collect()
    };
    let triplet = Triplet {
        function: Arc::clone(function),
        variables,
        swapped: false,
        constants: vec![],
        replaced: [marks(&first, 0), marks(&second, 1)],
    };
    FusionPlan { first, second, connective, triplets: vec![triplet], constraints }.write().unwrap()
}

/// The assertions in order and the declarations in any order, without the suffixes of names.
fn parts_of(text: &[u8]) -> (Vec<String>, Vec<String>) {
    let plain = String::from_utf8(text.to_vec()).unwrap().replace("$2$1", "").replace("$2", "");
    let script = Script::parse(plain.as_bytes()).unwrap();
    let show = |command: &Command| String::from_utf8(command_text(&script.pool, command)).unwrap();
    let mut declarations: Vec<String> =
        script.commands.iter().filter(|c| matches!(c, Command::DeclareFun { .. })).map(show).collect();
    declarations.sort();
    let asserts = script.commands.iter().filter(|c| matches!(c, Command::Assert(_))).map(show).collect();
    (declarations, asserts)
}

#[test]
fn figure_1_3_two_formulas_are_put_together_and_then_fused_by_a_sum() {
    let phi1 = "(declare-fun x () Int)(assert (and (> x 0) (> x 1)))(check-sat)";
    let phi2 = "(declare-fun y () Int)(assert (and (< y 0) (< y 1)))(check-sat)";
    let fusion = Fusion::default();
    let (first, second) = (part(&fusion, phi1), part(&fusion, phi2));
    let (connective, constraints) = (Connective::And, Constraints::None);
    let concatenated =
        FusionPlan { first, second, connective, triplets: vec![], constraints }.write().unwrap();
    let published = b"(declare-fun x () Int)(declare-fun y () Int)
        (assert (and (> x 0) (> x 1)))(assert (and (< y 0) (< y 1)))(check-sat)";
    assert_eq!(parts_of(&concatenated), parts_of(published));
    let fused = fuse((phi1, phi2), "int-add", connective, constraints, [&[1], &[0]]);
    let published = b"(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)
        (assert (and (> x 0) (> (- z y) 1)))(assert (and (< (- z x) 0) (< y 1)))(check-sat)";
    assert_eq!(parts_of(&fused), parts_of(published));
}

#[test]
fn figures_3_1_and_3_2_sat_fusion_of_two_integer_formulas() {
    let fused = fuse((PHI1, PHI2), "int-mul-published", Connective::And, Constraints::None, [&[0], &[1]]);
    let published = b"(declare-fun v () Bool)(declare-fun w () Bool)(declare-fun x () Int)
        (declare-fun y () Int)(declare-fun z () Int)
        (assert (= (div z y) (- 1)))(assert (= w (= x (- 1))))(assert w)
        (assert (= v (not (= y (- 1)))))(assert (ite v false (= (div z x) (- 1))))(check-sat)";
    assert_eq!(parts_of(&fused), parts_of(published));
}

#[test]
fn figures_3_3_and_3_4_unsat_fusion_of_two_real_formulas() {
    let fused = fuse((PHI3, PHI4), "real-mul-published", Connective::Or, Constraints::All, [&[0], &[0, 1]]);
    let published = b"(declare-fun v () Real)(declare-fun w () Real)(declare-fun x () Real)
        (declare-fun y () Real)(declare-fun z () Real)
        (assert (or (not (= (+ (+ 1.0 (/ z y)) 6.0) (+ 7.0 x)))
            (and (< (/ z x) v) (>= w v) (< (/ w v) 0.0) (> (/ z x) 0.0))))
        (assert (= z (* x y)))(assert (= x (/ z y)))(assert (= y (/ z x)))(check-sat)";
    assert_eq!(parts_of(&fused), parts_of(published));
}

#[test]
fn the_counterexample_to_unsat_fusion_without_constraints_gets_its_constraint() {
    // Section 3.2.2: x > 0 and x < 0 becomes satisfiable if z may be anything.
    let phi = "(declare-fun x () Int)(assert (and (> x 0) (< x 0)))(check-sat)";
    let psi = "(declare-fun y () Int)(assert (distinct y y))(check-sat)";
    let fused = fuse((phi, psi), "int-add", Connective::Or, Constraints::Definition, [&[1], &[0]]);
    let text = String::from_utf8(fused).unwrap();
    assert!(text.contains("(and (> x 0) (< (- z$2$1 y$2) 0))"), "{text}");
    assert!(text.contains("(distinct (- z$2$1 x) y$2)"), "{text}");
    assert!(text.contains("(assert (= z$2$1 (+ x y$2)))"), "{text}");
}

#[test]
fn a_binder_of_one_seed_never_captures_a_variable_of_the_other() {
    // The second seed binds x and declares `or else`; the first declares x.
    let first = "(declare-fun x () Int)(assert (> x 0))(check-sat)";
    let second = "(declare-fun y () Int)(declare-fun |or else| () Int)
        (assert (exists ((x Int)) (and (> y x) (let ((y 1)) (> |or else| (+ y x))))))(check-sat)";
    let fused = fuse((first, second), "int-add", Connective::And, Constraints::None, [&[0], &[0]]);
    let text = String::from_utf8(fused.clone()).unwrap();
    let expected =
        "(exists ((x$2 Int)) (and (> (- z$2$1 x) x$2) (let ((y$2 1)) (> |or else$2| (+ y$2 x$2)))))";
    assert!(text.contains(expected), "{text}");
    assert!(Script::parse(&fused).is_ok());
}

#[test]
fn a_seed_that_was_fused_before_gets_higher_numbers() {
    let first = "(declare-fun x () Int)(declare-fun z$2$1 () Int)(assert (> x z$2$1))(check-sat)";
    let second = "(declare-fun y () Int)(assert (> y 0))(check-sat)";
    let text = fuse((first, second), "int-add", Connective::And, Constraints::None, [&[0], &[]]);
    assert!(String::from_utf8(text).unwrap().contains("(> (- z$3$1 y$3) z$2$1)"));
}

#[test]
fn numerals_stay_reals_when_the_logic_gets_integers() {
    let first = "(set-logic QF_LRA)(declare-fun x () Real)(assert (> x 1))(check-sat)";
    let second = "(set-logic QF_LIA)(declare-fun y () Int)(assert (> y 1))(check-sat)";
    let fusion = Fusion::default();
    let (first, second) = (part(&fusion, first), part(&fusion, second));
    let plan = FusionPlan {
        first,
        second,
        connective: Connective::And,
        triplets: vec![],
        constraints: Constraints::None,
    };
    let text = plan.write().unwrap();
    let script = Script::parse(&text).unwrap();
    assert_eq!(script.logic_name().as_deref(), Some("QF_LIRA"));
    let text = String::from_utf8(print(&script, Format::Faithful)).unwrap();
    assert!(text.contains("(> x 1.0)") && text.contains("(> y$2 1)"), "{text}");
}

/// The embedded function of this name alone.
fn only(name: &str) -> Fusion {
    let mut functions = Functions::embedded().functions;
    functions.retain(|function| function.name == name);
    Fusion::new(Config { pairs: 1, ..Config::default() }, functions)
}

#[test]
fn figure_3_2_the_published_product_is_used_for_sat_where_the_seeds_models_invert_it() {
    let fusion = only("int-mul-published");
    let (first, second) = (part(&fusion, PHI1), part(&fusion, PHI2));
    let published =
        b"(declare-fun v () Bool)(declare-fun w () Bool)(declare-fun x () Int)(declare-fun y () Int)
        (declare-fun z () Int)(assert (= (div z y) (- 1)))(assert (= w (= x (- 1))))(assert w)
        (assert (= v (not (= y (- 1)))))(assert (ite v false (= (div z x) (- 1))))(check-sat)";
    let made = |unit: u64| {
        let mut rng = Rng::of(&CampaignKey("figure".into()), "fusion", unit);
        let plan = fusion.plan([&first, &second], Mode::Sat, &mut rng)?;
        (!plan.triplets.is_empty() && !plan.triplets[0].swapped).then(|| plan.write().unwrap())
    };
    let plans: Vec<Vec<u8>> = (0..400).filter_map(made).collect();
    assert!(plans.len() > 100, "{}", plans.len());
    assert!(plans.iter().any(|script| parts_of(script) == parts_of(published)));
}

#[test]
fn a_partial_function_is_left_out_where_a_seeds_model_does_not_invert_it() {
    let fusion = only("int-mul-published");
    let zero = "(declare-fun y () Int)(assert (= y 0))(check-sat)";
    let parts = [part(&fusion, PHI1), part(&fusion, zero)];
    for unit in 0..100 {
        let mut rng = Rng::of(&CampaignKey("zero".into()), "fusion", unit);
        let plan = fusion.plan([&parts[0], &parts[1]], Mode::Sat, &mut rng).unwrap();
        assert!(plan.triplets.is_empty());
    }
    let why = fusion.why_nothing_fits([&parts[0], &parts[1]], Mode::Sat);
    assert!(why.contains("int-mul-published"), "{why}");
}

#[test]
fn most_triplets_of_arithmetic_and_string_seeds_have_a_published_function() {
    let texts = [
        "(declare-fun a () Int)(declare-fun b () Int)(declare-fun p () Bool)(assert (=> p (< a b)))(check-sat)",
        "(declare-fun r () Real)(declare-fun s () Real)(assert (< r (* 2.0 s)))(check-sat)",
        "(declare-fun u () String)(declare-fun n () Int)(assert (= (str.at u n) \"a\"))(check-sat)",
    ];
    let share = |weights: FunctionWeights| {
        let config = Config { weights, ..Config::default() };
        let fusion = Fusion::new(config, Functions::embedded().functions);
        let parts: Vec<Arc<Part>> = texts.iter().map(|text| part(&fusion, text)).collect();
        let (mut published, mut wrappers, mut all) = (0, 0, 0);
        for unit in 0..3_000u64 {
            let mut rng = Rng::of(&CampaignKey("share".into()), "fusion", unit);
            // As in a hunt, three of four pairs are of one logic.
            let one = unit as usize % 3;
            let two = if unit % 4 > 0 { one } else { (unit as usize / 12) % 3 };
            let plan = fusion.plan([&parts[one], &parts[two]], Mode::Sat, &mut rng).unwrap();
            for triplet in &plan.triplets {
                published += usize::from(triplet.function.is_published());
                wrappers += usize::from(triplet.function.is_wrapper());
                all += 1;
            }
        }
        (100 * published / all, 100 * wrappers / all)
    };
    let (published, wrappers) = share(FunctionWeights::default());
    assert!(published >= 45 && wrappers <= 35, "{published} % published, {wrappers} % wrappers");
    assert_eq!(share(FunctionWeights::PUBLISHED), (100, 0));
}
