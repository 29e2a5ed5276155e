//! The logic of a fused script: the smallest one that allows both seeds and the fusion functions.
//!
//! In: names of logics. Out: a name that z3 and cvc5 know. The features of the logics are united; the result is the
//! smallest known logic that has all of them, or `ALL`. It must never name a logic that is too small: a solver may
//! then reject the script or, worse, answer without considering all of it.

use smtlib::logic::Features;
use std::sync::LazyLock;

/// Logics that z3 and cvc5 both know, smaller ones first among those of one size.
const KNOWN: &[&str] = &[
    "QF_LIA",
    "QF_LRA",
    "QF_BV",
    "QF_UF",
    "QF_AX",
    "QF_FP",
    "QF_S",
    "QF_DT",
    "QF_NIA",
    "QF_NRA",
    "QF_LIRA",
    "QF_NIRA",
    "QF_SLIA",
    "QF_SNIA",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_UFBV",
    "QF_UFDT",
    "QF_UFDTLIA",
    "QF_ALIA",
    "QF_ANIA",
    "QF_ABV",
    "QF_BVFP",
    "QF_ABVFP",
    "QF_FPLRA",
    "QF_BVFPLRA",
    "QF_ABVFPLRA",
    "QF_AUFLIA",
    "QF_AUFNIA",
    "QF_AUFBV",
    "QF_UFFP",
    "LIA",
    "LRA",
    "BV",
    "UF",
    "NIA",
    "NRA",
    "FP",
    "BVFP",
    "UFLIA",
    "UFLRA",
    "UFNIA",
    "UFBV",
    "ALIA",
    "AUFLIA",
    "AUFLIRA",
    "AUFNIRA",
    "AUFDTLIA",
];

static BY_FEATURES: LazyLock<Vec<(Features, &str)>> =
    LazyLock::new(|| KNOWN.iter().map(|name| (Features::of_logic(Some(name)), *name)).collect());

/// The logic for two seeds and their fusion; `None` if nothing is fused.
pub fn join<'a>(first: Option<&'a str>, second: Option<&'a str>, fusion: Option<Features>) -> &'a str {
    let seeds = Features::of_logic(first).with(Features::of_logic(second));
    // After fusion, difference constraints are no longer difference constraints.
    let fused = fusion.is_some() && seeds.has(Features::DIFFERENCES);
    let extra = fusion.unwrap_or_default();
    let wanted = seeds.with(extra).with(if fused { Features::LINEAR } else { Features::default() });
    if let Some(name) = first.filter(|_| first == second && wanted == seeds) {
        return name;
    }
    if wanted.has(Features::HIGHER_ORDER) {
        return "HO_ALL";
    }
    let fitting = BY_FEATURES.iter().filter(|(has, _)| has.has(wanted));
    fitting.min_by_key(|(has, _)| has.count()).map_or("ALL", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joined_logic_has_what_both_have() {
        let none = Some(Features::default());
        assert_eq!(join(Some("QF_IDL"), Some("QF_IDL"), None), "QF_IDL");
        assert_eq!(join(Some("QF_IDL"), Some("QF_IDL"), none), "QF_LIA");
        assert_eq!(join(Some("QF_LIA"), Some("QF_LIA"), none), "QF_LIA");
        assert_eq!(
            join(Some("QF_LIA"), Some("QF_LIA"), Some(Features::INTS.with(Features::NONLINEAR))),
            "QF_NIA"
        );
        assert_eq!(join(Some("QF_IDL"), Some("QF_UF"), none), "QF_UFLIA");
        assert_eq!(join(Some("QF_LRA"), Some("QF_LIA"), none), "QF_LIRA");
        assert_eq!(join(Some("QF_AX"), Some("QF_AX"), none), "QF_AX");
        assert_eq!(join(Some("LIA"), Some("QF_BV"), none), "ALL");
        assert_eq!(join(Some("QF_ABV"), Some("QF_BV"), none), "QF_ABV");
        assert_eq!(join(Some("QF_ALIA"), Some("QF_LIA"), none), "QF_ALIA");
        assert_eq!(join(Some("QF_ABV"), Some("QF_AX"), none), "ALL");
        let indexed_by_bool = Some(Features::ARRAYS.with(Features::ANY_ARRAYS));
        assert_eq!(join(Some("QF_ABV"), Some("QF_ABV"), indexed_by_bool), "ALL");
        assert_eq!(join(Some("QF_LIA"), Some("QF_LIA"), indexed_by_bool), "QF_ALIA");
        assert_eq!(join(Some("QF_S"), Some("QF_S"), none), "QF_S");
        assert_eq!(join(Some("QF_S"), Some("QF_S"), Some(Features::LINEAR)), "QF_SLIA");
        assert_eq!(join(Some("QF_FF"), Some("QF_FF"), none), "QF_FF");
        assert_eq!(join(Some("QF_FF"), Some("QF_FF"), Some(Features::DATATYPES)), "ALL");
        assert_eq!(join(Some("QF_NRAT"), Some("QF_NRAT"), Some(Features::OTHER)), "ALL");
        assert_eq!(join(Some("ALL"), Some("QF_LIA"), none), "ALL");
        assert_eq!(join(None, Some("QF_LIA"), none), "ALL");
        assert_eq!(join(Some("HO_ALL"), Some("QF_LIA"), none), "HO_ALL");
    }

    #[test]
    fn every_known_logic_is_understood() {
        assert!(BY_FEATURES.iter().all(|(has, _)| !has.has(Features::OTHER)));
    }
}
