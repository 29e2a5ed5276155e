//! Every formula that a grammar yields is well-typed SMT-LIB: the smallest ones, and samples of
//! larger sizes, parsed and sort-checked.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use dashu_int::UBig;
use smtlib::Script;
use strategy::enumerate::catalog::EMBEDDED;
use strategy::enumerate::{Enumeration, Layout};

/// Streams the first formulas and samples as many of larger sizes.
fn check(each: u64) {
    for embedded in EMBEDDED {
        let grammar = embedded.grammar(None).unwrap();
        let mut enumeration = Enumeration::new(&grammar, Layout::Lines).unwrap();
        let accept = |text: &str| {
            if let Err(error) = Script::parse(text.as_bytes()) {
                panic!("{}: {error}\n{text}", embedded.name);
            }
        };
        let walked = enumeration.walk(&UBig::ZERO, each / 2, None, |formula| {
            accept(formula.text);
            true
        });
        assert_eq!(walked.unwrap().formulas, each / 2);
        let mut state = 3u64;
        let mut random = move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ (mixed >> 31)
        };
        for number in 0..each / 2 {
            let index = enumeration.sample(12 + (number % 29) as usize, &mut random).unwrap();
            accept(&enumeration.formula(&index).unwrap());
        }
    }
}

#[test]
fn ten_thousand_formulas_of_each_grammar_are_well_typed() {
    check(10_000);
}

#[test]
#[ignore = "takes minutes; run it when a grammar or the parser changes"]
fn a_million_formulas_of_each_grammar_are_well_typed() {
    check(1_000_000);
}

#[test]
fn the_check_would_notice_an_ill_typed_formula() {
    let wrong = "(declare-const a Int)\n(assert (and a true))\n(check-sat)";
    assert!(Script::parse(wrong.as_bytes()).is_err());
}
