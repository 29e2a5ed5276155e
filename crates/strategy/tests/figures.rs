//! The worked examples of Winterer's thesis "Solidifying Modern SMT Solvers" (2024), derived by the strategies.
//!
//! Each test gives the seed and the choices of a figure; the strategy must find them among its own choices and write
//! the figure's mutant. (Figures 1.3 and 3.1 to 3.4 are in `fusion_worked_examples.rs`; Figures 1.4 and 1.5 repeat 4.1
//! and 5.2.)

#![allow(clippy::unwrap_used, reason = "a test")]

use corpus::{Origin, Seed};
use std::sync::Arc;
use strategy::opswap::Opswap;
use strategy::regrow::grow::Spec;
use strategy::regrow::{ChainShape, Regrow};
use strategy::{Bank, CampaignKey, Prepared, Rng, Settings};

fn prepare(text: &str) -> Arc<Prepared> {
    let seed = Seed::new("figure".into(), Origin::Embedded, text.as_bytes().to_vec().into()).unwrap();
    let (bank, rejected) = Bank::new([seed]);
    assert!(rejected.is_empty(), "{rejected:?}");
    bank.seeds()[0].clone()
}

/// Swaps operators: the n-th occurrence of a name becomes another.
fn swap(seed: &str, steps: &[(&str, usize, &str)]) -> String {
    let prepared = prepare(seed);
    let swaps = Opswap::new(&Bank::default(), Default::default()).swaps(&prepared);
    let mut chosen = vec![];
    for &(from, nth, to) in steps {
        let named = |site: &usize| *swaps.choices(*site)[0].text == *from.as_bytes();
        let site = (0..swaps.sites.len()).filter(named).nth(nth).unwrap();
        let choice = swaps.choices(site).iter().position(|choice| *choice.text == *to.as_bytes());
        chosen.push((site as u32, choice.unwrap_or_else(|| panic!("`{from}` cannot become `{to}`")) as u16));
    }
    chosen.sort_unstable();
    String::from_utf8(swaps.write(&prepared, &chosen)).unwrap()
}

/// What the n-th occurrence of a name can become.
fn choices(seed: &str, from: &str, nth: usize) -> Vec<String> {
    let prepared = prepare(seed);
    let swaps = Opswap::new(&Bank::default(), Default::default()).swaps(&prepared);
    let named = |site: &usize| *swaps.choices(*site)[0].text == *from.as_bytes();
    let Some(site) = (0..swaps.sites.len()).filter(named).nth(nth) else { return vec![] };
    swaps.choices(site)[1..].iter().map(|choice| String::from_utf8_lossy(&choice.text).into_owned()).collect()
}

/// Regrows the n-th occurrence of a term.
fn regrow(seed: &str, old: &str, nth: usize, new: &Spec<'_>) -> Option<String> {
    let prepared = prepare(seed);
    let strategy = Regrow::new(&Bank::default(), Default::default());
    let ground = strategy.ground(&prepared);
    let text = |n: &usize| {
        let hole = &ground.holes[*n];
        prepared.printed.bytes[hole.start as usize..hole.end as usize] == *old.as_bytes()
    };
    let hole = (0..ground.holes.len()).filter(text).nth(nth)?;
    let script = strategy.told(&prepared, &ground, &[(hole as u32, new.clone())])?;
    Some(String::from_utf8(script).unwrap())
}

#[test]
fn figure_4_1_distinct_becomes_equals_under_quantifiers() {
    let seed = "(assert (forall ((a Int)) (exists ((b Int)) (distinct (* 2 b) a))))\n(check-sat)\n";
    let mutant = swap(seed, &[("distinct", 0, "=")]);
    assert_eq!(mutant, "(assert (forall ((a Int)) (exists ((b Int)) (= (* 2 b) a))))\n(check-sat)\n");
}

const FIGURE_4_4: &str = "(declare-fun a () Real)\n(assert (> (/ (* 2 a) a) (* a a) 1))\n(check-sat)\n";

#[test]
fn figure_4_4_two_swaps_lead_to_the_division_that_broke_z3() {
    let first = swap(FIGURE_4_4, &[(">", 0, "=")]);
    assert_eq!(first, "(declare-fun a () Real)\n(assert (= (/ (* 2 a) a) (* a a) 1))\n(check-sat)\n");
    let second = swap(FIGURE_4_4, &[(">", 0, "="), ("*", 1, "/")]);
    assert_eq!(second, "(declare-fun a () Real)\n(assert (= (/ (* 2 a) a) (/ a a) 1))\n(check-sat)\n");
}

#[test]
fn figure_4_4_b_is_never_proposed() {
    let offered = choices(FIGURE_4_4, ">", 0);
    assert_eq!(offered, ["=", "distinct", "<=", "<", ">="]);
}

#[test]
fn figure_4_3_one_swap_leads_to_the_operators_of_known_bugs() {
    let seed = "(set-logic NRA)\n(declare-fun a () Real)\n(declare-fun b () Real)\n(assert (= (* a b) 1))\n(check-sat)\n";
    assert_eq!(swap(seed, &[("=", 0, ">")]), seed.replace("(= ", "(> "));
    let seed = "(declare-fun x () Real)\n(assert (distinct x (sin 4.0)))\n(check-sat)\n";
    assert_eq!(swap(seed, &[("distinct", 0, ">=")]), seed.replace("distinct", ">="));
}

#[test]
fn example_4_3_1_div_replaces_mod_because_it_accepts_at_least_as_many_arguments() {
    let seed = "(assert (= (mod 1 1) 1))\n(check-sat)\n";
    assert_eq!(swap(seed, &[("mod", 0, "div")]), "(assert (= (div 1 1) 1))\n(check-sat)\n");
    let longer = "(assert (= (div 7 2 1) 1))\n(check-sat)\n";
    assert!(!choices(longer, "div", 0).contains(&"mod".to_owned()), "mod takes two arguments only");
}

#[test]
fn a_quantifier_is_swapped() {
    let seed = "(assert (forall ((a Int)) (= a 0)))\n(check-sat)\n";
    assert_eq!(swap(seed, &[("forall", 0, "exists")]), "(assert (exists ((a Int)) (= a 0)))\n(check-sat)\n");
}

#[test]
fn an_int_replaces_a_real_only_where_no_other_sort_depends_on_it() {
    let seed = "(declare-fun i () Int)\n(assert (< (/ i 2) 1.5))\n(check-sat)\n";
    assert!(choices(seed, "/", 0).contains(&"div".to_owned()), "under a comparison");
    let summed = "(declare-fun i () Int)\n(assert (= (+ (/ i 2) 1.5) 2.0))\n(check-sat)\n";
    assert!(!choices(summed, "/", 0).contains(&"div".to_owned()), "under a sum, whose sort could change");
}

#[test]
fn a_linear_logic_widens_only_when_a_product_of_variables_appears() {
    let seed = "(set-logic QF_LRA)\n(declare-fun x () Real)\n(declare-fun y () Real)\n(assert (< (+ x y) (+ 2 x)))\n(check-sat)\n";
    assert!(swap(seed, &[("+", 0, "*")]).starts_with("(set-logic QF_NRA)"));
    assert!(swap(seed, &[("+", 1, "*")]).starts_with("(set-logic QF_LRA)"));
}

#[test]
fn a_linear_logic_widens_when_a_coefficient_is_no_longer_a_number() {
    let seed = "(set-logic QF_LRA)\n(declare-fun x () Real)\n(assert (< (* (/ 1 3) x) (- 2)))\n(check-sat)\n";
    assert!(swap(seed, &[("/", 0, "+")]).starts_with("(set-logic QF_NRA)"));
    assert!(swap(seed, &[("<", 0, ">")]).starts_with("(set-logic QF_LRA)"));
}

#[test]
fn figure_5_2_a_conversion_replaces_a_variable() {
    // The figure's seed has terms of sorts Bool, Int and String; x is replaced by (str.from_int 0).
    let seed = "(declare-fun x () String)\n(assert (= (str.at x 0) x))\n(check-sat)\n";
    let grown = Spec::Apply("str.from_int", vec![Spec::Term("0")]);
    let mutant = regrow(seed, "x", 1, &grown).unwrap();
    assert_eq!(
        mutant,
        "(declare-fun x () String)\n(assert (= (str.at x 0) (str.from_int 0)))\n(check-sat)\n"
    );
}

#[test]
fn figure_5_3_a_replacement_contains_the_replaced_term() {
    let seed = "(declare-fun x () String)\n(declare-fun y () String)\n\
                (assert (= (str.replace x \"B\" (str.++ \"B\" \"B\")) (str.++ y \"B\")))\n(check-sat)\n";
    let old = "(str.replace x \"B\" (str.++ \"B\" \"B\"))";
    let grown = Spec::Apply(
        "str.replace",
        vec![Spec::Term(old), Spec::Term("\"B\""), Spec::Term("(str.++ y \"B\")")],
    );
    let expected = seed.replacen(old, &format!("(str.replace {old} \"B\" (str.++ y \"B\"))"), 1);
    assert_eq!(regrow(seed, old, 0, &grown).unwrap(), expected);
}

#[test]
fn the_example_of_local_compatibility_is_refused() {
    // Section 5.3: (< z y) may not leave the quantifier that binds z.
    let seed = "(declare-fun x () Int)\n(declare-fun y () Int)\n(assert (and (> x 10) (forall ((z Int)) (< z y))))\n(check-sat)\n";
    assert_eq!(regrow(seed, "(> x 10)", 0, &Spec::Term("(< z y)")), None);
    let inside =
        regrow(seed, "(< z y)", 0, &Spec::Apply("<", vec![Spec::Term("y"), Spec::Term("z")])).unwrap();
    assert!(inside.contains("(forall ((z Int)) (< y z))"), "{inside}");
}

#[test]
fn a_symbol_is_not_used_before_its_declaration_nor_after_its_scope() {
    let seed = "(declare-fun x () Int)\n(assert (> x 1))\n(push 1)\n(declare-fun y () Int)\n(assert (> y 2))\n\
                (check-sat)\n(pop 1)\n(assert (> x 3))\n(check-sat)\n";
    assert_eq!(regrow(seed, "1", 0, &Spec::Term("y")), None, "before");
    assert!(regrow(seed, "2", 0, &Spec::Term("y")).is_some(), "in its scope");
    assert_eq!(regrow(seed, "3", 0, &Spec::Term("y")), None, "after");
    assert!(regrow(seed, "2", 0, &Spec::Term("x")).is_some(), "from outside");
}

#[test]
fn a_term_is_not_moved_under_a_variable_that_shadows_its_constant() {
    let seed = "(declare-fun x () Int)\n(assert (> x 1))\n(assert (exists ((x Int)) (> 2 x)))\n(check-sat)\n";
    // (> x 1) refers to the constant; under the quantifier it would refer to the variable.
    assert_eq!(regrow(seed, "(> 2 x)", 0, &Spec::Term("(> x 1)")), None);
}

/// How deep parentheses nest.
fn depth(text: &[u8]) -> usize {
    let nested = text.iter().scan(0usize, |depth, byte| {
        *depth = match byte {
            b'(' => *depth + 1,
            b')' => depth.saturating_sub(1),
            _ => *depth,
        };
        Some(*depth)
    });
    nested.max().unwrap_or_default()
}

#[test]
fn algorithm_5_a_deep_chain_grows_the_mutant_and_a_wide_one_stays_flat() {
    let seed = "(declare-fun x () String)\n(declare-fun y () String)\n\
                (assert (= (str.replace x \"B\" (str.++ \"B\" \"B\")) (str.++ y \"B\")))\n(check-sat)\n";
    let seed_of =
        |text: &str| Seed::new("f".into(), Origin::Embedded, text.as_bytes().to_vec().into()).unwrap();
    let (bank, _) = Bank::new([seed_of(seed)]);
    let last = |shape: ChainShape, key: &str| {
        let ways = vec!["operator".to_owned(), "exchange".to_owned()];
        let settings = Settings { steps: Some(60), shape: Some(shape), ways, ..Settings::default() };
        let source = (strategy::regrow::STRATEGY.begin)(&bank, &settings).unwrap();
        let drafts = strategy::unheard(&*source, 0, Rng::of(&CampaignKey(key.into()), "regrow", 0)).unwrap();
        for draft in &drafts {
            smtlib::Script::parse(draft.script())
                .unwrap_or_else(|e| panic!("{e}\n{}", draft.rules.join("\n")));
        }
        drafts.last().unwrap().script().to_vec()
    };
    for key in ["a", "b", "c", "d"] {
        let deep = last(ChainShape::Deep, key);
        assert!(depth(&deep) >= 12, "{key}: {}", String::from_utf8_lossy(&deep));
        assert!(deep.len() <= seed.len() + strategy::regrow::deep::CAP, "{}", deep.len());
        assert!(depth(&last(ChainShape::Wide, key)) <= 8);
    }
}

#[test]
fn section_5_6_a_fresh_operator_gets_arguments_from_the_database() {
    let seeds = [
        "(declare-fun x () String)\n(assert (= x \"a\"))\n(check-sat)\n",
        "(declare-fun s () String)\n(assert (= (str.len s) 5))\n(assert (str.prefixof \"qqq\" s))\n(check-sat)\n",
    ];
    let (bank, _) = strategy::Bank::new(seeds.map(|text| {
        corpus::Seed::new("s".into(), corpus::Origin::Embedded, text.as_bytes().to_vec().into()).unwrap()
    }));
    let made = |ways: &[&str]| {
        let ways = ways.iter().map(|&way| way.to_owned()).collect();
        let settings =
            Settings { steps: Some(3), shape: Some(ChainShape::Wide), ways, ..Settings::default() };
        let source = (strategy::regrow::STRATEGY.begin)(&bank, &settings).unwrap();
        let key = CampaignKey("k".into());
        let units = (0..200).flat_map(|unit| {
            strategy::unheard(&*source, unit, Rng::of(&key, "regrow", unit)).unwrap_or_default()
        });
        units.map(|draft| String::from_utf8_lossy(draft.script()).into_owned()).collect::<Vec<_>>()
    };
    let of_the_first = |text: &&String| text.starts_with("(declare-fun x ()");
    let driven = made(&["data-driven"]);
    assert!(
        driven.iter().filter(of_the_first).any(|text| text.contains("str.len") && text.contains("\"qqq\"")
            || text.contains("(str.prefixof \"qqq\""))
    );
    // FuzzChick's mutator exchanges terms of the formula and brings no operator that it did not have.
    let exchanged = made(&["exchange"]);
    assert!(exchanged.iter().filter(of_the_first).count() > 10);
    assert!(exchanged.iter().filter(of_the_first).all(|text| !text.contains("(str.")));
}
